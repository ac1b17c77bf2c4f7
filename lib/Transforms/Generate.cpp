//===- Generate.cpp - Candidate sGraphs of a program ----------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Transforms/Passes.h"

namespace prism {
#define GEN_PASS_DEF_PRISMGENERATE
#include "Prism/Transforms/Passes.h.inc"
} // namespace prism

using namespace mlir;
using namespace prism;

namespace {
struct GeneratePass : prism::impl::PrismGenerateBase<GeneratePass> {
  using Base::Base;
  void runOnOperation() override {}
};
} // namespace
