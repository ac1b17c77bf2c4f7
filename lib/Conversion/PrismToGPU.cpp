//===- PrismToGPU.cpp - Sized candidates to GPU kernels -------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Conversion/Passes.h"

namespace prism {
#define GEN_PASS_DEF_CONVERTPRISMTOGPU
#include "Prism/Conversion/Passes.h.inc"
} // namespace prism

using namespace mlir;
using namespace prism;

namespace {
struct ConvertPrismToGPUPass
    : prism::impl::ConvertPrismToGPUBase<ConvertPrismToGPUPass> {
  using Base::Base;
  void runOnOperation() override {}
};
} // namespace
