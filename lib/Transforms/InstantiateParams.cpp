//===- InstantiateParams.cpp - Tile extents by the cost model -------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Transforms/Passes.h"

namespace prism {
#define GEN_PASS_DEF_PRISMINSTANTIATEPARAMS
#include "Prism/Transforms/Passes.h.inc"
} // namespace prism

using namespace mlir;
using namespace prism;

namespace {
struct InstantiateParamsPass
    : prism::impl::PrismInstantiateParamsBase<InstantiateParamsPass> {
  using Base::Base;
  void runOnOperation() override {}
};
} // namespace
