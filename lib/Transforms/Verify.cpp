//===- Verify.cpp - Proofs of candidates ----------------------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Transforms/Passes.h"

namespace prism {
#define GEN_PASS_DEF_PRISMVERIFY
#include "Prism/Transforms/Passes.h.inc"
} // namespace prism

using namespace mlir;
using namespace prism;

namespace {
struct VerifyPass : prism::impl::PrismVerifyBase<VerifyPass> {
  using Base::Base;
  void runOnOperation() override {}
};
} // namespace
