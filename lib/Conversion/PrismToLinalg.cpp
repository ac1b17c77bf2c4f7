//===- PrismToLinalg.cpp - prism ops to linalg on tensors -----------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Conversion/Passes.h"

namespace prism {
#define GEN_PASS_DEF_CONVERTPRISMTOLINALG
#include "Prism/Conversion/Passes.h.inc"
} // namespace prism

using namespace mlir;
using namespace prism;

namespace {
struct ConvertPrismToLinalgPass
    : prism::impl::ConvertPrismToLinalgBase<ConvertPrismToLinalgPass> {
  using Base::Base;
  void runOnOperation() override {}
};
} // namespace
