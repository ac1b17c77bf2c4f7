//===- VerifierTest.cpp - Verdicts on candidates --------------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Axioms/TestPrograms.h"
#include "Prism/Verify/Verify.h"
#include "gtest/gtest.h"
#include <algorithm>

using namespace mlir;
using namespace prism;
using namespace prism::test;

namespace {

/// exp(x), computed by two kernels: one multiplies each tile by its sum, the
/// next divides by the sum of its own. "fused" does both in one.
constexpr llvm::StringLiteral twoKernels = R"mlir(
prism.program @p extents [n = 8] (%x: !prism.tensor<[n], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.exp %x : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "equal tiles" mapped {
  ^bb0(%x: !prism.tensor<[n], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid] : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[x]] : !prism.tensor<[n], f32> -> !prism.tile<[n/x], f32>
      %e = prism.exp %t : (!prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %s = prism.reduce_sum %e dims [0] : (!prism.tile<[n/x], f32>) -> !prism.tile<[], f32>
      %q = prism.mul %e, %s maps [d0], [] -> [d0] : (!prism.tile<[n/x], f32>, !prism.tile<[], f32>) -> !prism.tile<[n/x], f32>
      %z = prism.save %q [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %z : !prism.tensor<[n], f32>
    }
    %f = prism.kernel "k1"(%a = %x, %b = %r) parallel [x grid] : (!prism.tensor<[n], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[x]] : !prism.tensor<[n], f32> -> !prism.tile<[n/x], f32>
      %q = prism.load %b [[x]] : !prism.tensor<[n], f32> -> !prism.tile<[n/x], f32>
      %e = prism.exp %t : (!prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %s = prism.reduce_sum %e dims [0] : (!prism.tile<[n/x], f32>) -> !prism.tile<[], f32>
      %d = prism.div %q, %s maps [d0], [] -> [d0] : (!prism.tile<[n/x], f32>, !prism.tile<[], f32>) -> !prism.tile<[n/x], f32>
      %z = prism.save %d [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %z : !prism.tensor<[n], f32>
    }
    prism.yield %f : !prism.tensor<[n], f32>
  }
  prism.candidate "fused" mapped {
  ^bb0(%x: !prism.tensor<[n], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid] : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[x]] : !prism.tensor<[n], f32> -> !prism.tile<[n/x], f32>
      %e = prism.exp %t : (!prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %s = prism.reduce_sum %e dims [0] : (!prism.tile<[n/x], f32>) -> !prism.tile<[], f32>
      %q = prism.mul %e, %s maps [d0], [] -> [d0] : (!prism.tile<[n/x], f32>, !prism.tile<[], f32>) -> !prism.tile<[n/x], f32>
      %d = prism.div %q, %s maps [d0], [] -> [d0] : (!prism.tile<[n/x], f32>, !prism.tile<[], f32>) -> !prism.tile<[n/x], f32>
      %z = prism.save %d [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %z : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
  prism.candidate "plain" mapped {
  ^bb0(%x: !prism.tensor<[n], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid] : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[x]] : !prism.tensor<[n], f32> -> !prism.tile<[n/x], f32>
      %e = prism.exp %t : (!prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %z = prism.save %e [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %z : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
  prism.candidate "undecided" symbolic {
  ^bb0(%x: !prism.tensor<[n], f32>):
    %0 = prism.exp %x : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
    prism.yield %0 : !prism.tensor<[n], f32>
  }
}
)mlir";

/// Tiles of two kernels are not the same, though both split n. That this is
/// not proved says something only because the fused kernel is.
TEST(Verifier, TilesOfTwoKernelsDiffer) {
  ParsedProgram parsed(twoKernels);
  ASSERT_TRUE(parsed.program);
  VerifyOptions options;
  options.refute = false;
  auto verifier = Verifier::create(parsed.program, options);
  ASSERT_TRUE(succeeded(verifier));
  auto candidates = parsed.program.getCandidateOps();
  EXPECT_EQ((*verifier)->verify(candidates[0]).verdict, Verdict::Unknown);
  EXPECT_EQ((*verifier)->verify(candidates[1]).verdict, Verdict::Proved);
}

/// One graph for all candidates gives each the verdict that it gets alone, in
/// any order.
TEST(Verifier, SameVerdictsTogetherInAnyOrder) {
  ParsedProgram parsed(twoKernels);
  ASSERT_TRUE(parsed.program);
  auto candidates = llvm::to_vector(parsed.program.getCandidateOps());
  SmallVector<Verdict> alone;
  for (CandidateOp candidate : candidates) {
    auto result = verifyCandidate(parsed.program, candidate);
    ASSERT_TRUE(succeeded(result));
    alone.push_back(result->verdict);
  }
  EXPECT_EQ(alone, (SmallVector<Verdict>{Verdict::Disproved, Verdict::Proved,
                                         Verdict::Proved, Verdict::Unknown}));
  SmallVector<unsigned> order = {0, 1, 2, 3};
  do {
    SmallVector<CandidateOp> ordered;
    for (unsigned i : order)
      ordered.push_back(candidates[i]);
    auto verifier = Verifier::create(parsed.program);
    ASSERT_TRUE(succeeded(verifier));
    for (auto [i, result] : llvm::zip(order, (*verifier)->verify(ordered)))
      EXPECT_EQ(result.verdict, alone[i]) << "candidate " << i;
  } while (std::next_permutation(order.begin(), order.end()));
}

} // namespace
