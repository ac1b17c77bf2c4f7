//===- FollowersTest.cpp - Tests of what is computed along with steps -----===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Plan/RunPlan.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace prism;

namespace {

/// A kernel up to the product S of a block's queries and a step's keys.
constexpr llvm::StringLiteral head = R"mlir(
prism.program @p extents [n = 64, e = 32, s = 256, v = 32] (%q: !prism.tensor<[n, e], f16>, %k: !prism.tensor<[s, e], f16>, %w: !prism.tensor<[s, v], f16>) -> (!prism.tensor<[n, v], f32>) {
  %0 = prism.matmul %q, %k maps [d0, d2], [d1, d2] -> [d0, d1] : (!prism.tensor<[n, e], f16>, !prism.tensor<[s, e], f16>) -> !prism.tensor<[n, s], f16>
  %1 = prism.matmul %0, %w : (!prism.tensor<[n, s], f16>, !prism.tensor<[s, v], f16>) -> !prism.tensor<[n, v], f32>
  prism.yield %1 : !prism.tensor<[n, v], f32>
} candidates {
  prism.candidate "p_0" mapped {
  ^bb0(%q: !prism.tensor<[n, e], f16>, %k: !prism.tensor<[s, e], f16>, %w: !prism.tensor<[s, v], f16>):
    %r = prism.kernel "k0"(%a = %q, %b = %k, %c = %w) parallel [x grid, i loop] : (!prism.tensor<[n, e], f16>, !prism.tensor<[s, e], f16>, !prism.tensor<[s, v], f16>) -> !prism.tensor<[n, v], f32> {
      %ta = prism.load %a [[x], []] : !prism.tensor<[n, e], f16> -> !prism.tile<[n/x, e], f16>
      %tb = prism.load %b [[i], []] : !prism.tensor<[s, e], f16> -> !prism.tile<[s/i, e], f16>
      %tc = prism.load %c [[i], []] : !prism.tensor<[s, v], f16> -> !prism.tile<[s/i, v], f16>
      %S = prism.matmul %ta, %tb maps [d0, d2], [d1, d2] -> [d0, d1] : (!prism.tile<[n/x, e], f16>, !prism.tile<[s/i, e], f16>) -> !prism.tile<[n/x, s/i], f32>
)mlir";

/// The rest of it: the sum of %p times the values is saved.
constexpr llvm::StringLiteral tail = R"mlir(
      %o = prism.matmul %p, %tc : (!prism.tile<[n/x, s/i], f16>, !prism.tile<[s/i, v], f16>) -> !prism.tile<[n/x, v], f32>
      %oa = prism.accumulate sum %o over i : !prism.tile<[n/x, v], f32> -> !prism.tile<[n/x, v], f32>
      %z = prism.save %oa [[x], []] : !prism.tile<[n/x, v], f32> -> !prism.tensor<[n, v], f32>
      prism.yield %z : !prism.tensor<[n, v], f32>
    }
    prism.yield %r : !prism.tensor<[n, v], f32>
  }
}
)mlir";

class FollowersTest : public ::testing::Test {
protected:
  FollowersTest() { context.loadDialect<PrismDialect>(); }

  /// Plans a kernel that has `body` between the two products, by tiles of 16
  /// rows and `keys` keys.
  void plan(StringRef body, int64_t keys = 32) {
    std::string text = (head + body + tail).str();
    module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module);
    KernelOp kernel;
    module->walk([&](KernelOp op) { kernel = op; });
    auto symbolValue = [&](StringRef name) -> std::optional<int64_t> {
      return name == "n" ? 64 : name == "s" ? 256 : 32;
    };
    auto tileExtent = [&](StringRef name) -> std::optional<int64_t> {
      return name == "x" ? 16 : keys;
    };
    KernelSizes sizes = {symbolValue, tileExtent};
    std::string whyNot;
    found = planKernel(kernel, sizes, *lookupTarget("sm_80"), whyNot);
    ASSERT_TRUE(found) << whyNot;
    runs.clear();
    for (const PlanStep &step : found->steps)
      runs.push_back(planRun(kernel, *found, sizes, step));
  }

  /// Steps but for loads by the names of their ops, with those that follow in
  /// brackets; "*" where a tile has no buffer.
  std::string print() {
    std::string text;
    auto add = [&](Operation *op, Value tile) {
      text += op->getName().stripDialect();
      text += tile && !found->lookupBuffer(tile) ? "*" : "";
    };
    for (const PlanStep &step : found->steps) {
      if (step.kind == StepKind::Load)
        continue;
      text += text.empty() ? "" : " ";
      add(step.op, step.getStoredTile());
      for (Operation *follower : step.followers) {
        text += follower == step.followers.front() ? "(" : " ";
        add(follower, follower->getResult(0));
      }
      text += step.followers.empty() ? "" : ")";
    }
    return text;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::optional<KernelPlan> found;
  SmallVector<int64_t> runs; ///< of the steps
};

// The worked example of KernelPlan.h: the product is not stored, and what is
// summed and what is multiplied are stored by one step.
TEST_F(FollowersTest, Attention) {
  plan(R"mlir(
      %k0 = prism.constant 0.125 : f32 -> !prism.tile<[], f32>
      %1 = prism.mul %S, %k0 maps [d0, d1], [] -> [d0, d1] : (!prism.tile<[n/x, s/i], f32>, !prism.tile<[], f32>) -> !prism.tile<[n/x, s/i], f32>
      %2 = prism.reduce_max %1 dims [1] : (!prism.tile<[n/x, s/i], f32>) -> !prism.tile<[n/x], f32>
      %3 = prism.sub %1, %2 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/x, s/i], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x, s/i], f32>
      %4 = prism.exp %3 : (!prism.tile<[n/x, s/i], f32>) -> !prism.tile<[n/x, s/i], f32>
      %5 = prism.reduce_sum %4 dims [1] : (!prism.tile<[n/x, s/i], f32>) -> !prism.tile<[n/x], f32>
      %6 = prism.accumulate sum %5 over i : !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f32>
      %p = prism.cast %4 : (!prism.tile<[n/x, s/i], f32>) -> !prism.tile<[n/x, s/i], f16>
)mlir");
  EXPECT_EQ(print(),
            "matmul*(mul) reduce_max exp(cast) reduce_sum matmul save");
  const PlanStep &product = found->steps[3], &exp = found->steps[5];
  Value scaled = product.followers[0]->getResult(0);
  Value cast = exp.followers[0]->getResult(0);
  EXPECT_TRUE(product.keeps(product.getStoredTile()));
  EXPECT_TRUE(product.keeps(scaled));
  EXPECT_FALSE(product.keeps(cast));
  // What the step reads and writes is what its followers do.
  SmallVector<const TileBuffer *> reads, writes;
  found->collectAccesses(exp, reads, writes);
  EXPECT_EQ(writes, (SmallVector<const TileBuffer *>{
                        found->lookupBuffer(exp.getStoredTile()),
                        found->lookupBuffer(cast)}));
  EXPECT_TRUE(llvm::is_contained(reads, found->lookupBuffer(scaled)));
  EXPECT_FALSE(llvm::is_contained(reads, writes[0]));
  // 512 elements on 128 threads: runs of 4, although f16 would have 8.
  EXPECT_EQ(runs[5], 4);
  // Both are read later than they are stored, and live at once.
  EXPECT_FALSE(
      writes[0]->offset < writes[1]->offset + writes[1]->getTotalBytes() &&
      writes[1]->offset < writes[0]->offset + writes[0]->getTotalBytes());
}

// Followers of followers; a tile that only these read has no buffer, either.
TEST_F(FollowersTest, Chain) {
  plan(R"mlir(
      %1 = prism.exp %S : (!prism.tile<[n/x, s/i], f32>) -> !prism.tile<[n/x, s/i], f32>
      %2 = prism.square %1 : (!prism.tile<[n/x, s/i], f32>) -> !prism.tile<[n/x, s/i], f32>
      %3 = prism.cast %2 : (!prism.tile<[n/x, s/i], f32>) -> !prism.tile<[n/x, s/i], f16>
      %4 = prism.matmul %3, %tc : (!prism.tile<[n/x, s/i], f16>, !prism.tile<[s/i, v], f16>) -> !prism.tile<[n/x, v], f32>
      %5 = prism.accumulate sum %4 over i : !prism.tile<[n/x, v], f32> -> !prism.tile<[n/x, v], f32>
      %p = prism.cast %1 : (!prism.tile<[n/x, s/i], f32>) -> !prism.tile<[n/x, s/i], f16>
)mlir");
  EXPECT_EQ(print(), "matmul*(exp* cast cast) matmul matmul save");
}

// A tile that others read, too, stays.
TEST_F(FollowersTest, ReadByOthers) {
  plan(R"mlir(
      %1 = prism.reduce_sum %S dims [1] : (!prism.tile<[n/x, s/i], f32>) -> !prism.tile<[n/x], f32>
      %2 = prism.accumulate sum %1 over i : !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f32>
      %p = prism.cast %S : (!prism.tile<[n/x, s/i], f32>) -> !prism.tile<[n/x, s/i], f16>
)mlir");
  EXPECT_EQ(print(), "matmul(cast) reduce_sum matmul save");
}

// What else an op reads is there before the step that it follows: a sum of the
// queries is, one of the scores is not.
TEST_F(FollowersTest, OtherOperands) {
  plan(R"mlir(
      %1 = prism.reduce_sum %ta dims [1] : (!prism.tile<[n/x, e], f16>) -> !prism.tile<[n/x], f16>
      %2 = prism.cast %S : (!prism.tile<[n/x, s/i], f32>) -> !prism.tile<[n/x, s/i], f16>
      %p = prism.mul %2, %1 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/x, s/i], f16>, !prism.tile<[n/x], f16>) -> !prism.tile<[n/x, s/i], f16>
)mlir");
  EXPECT_EQ(print(), "reduce_sum matmul*(mul) matmul save");
  plan(R"mlir(
      %1 = prism.reduce_sum %S dims [1] : (!prism.tile<[n/x, s/i], f32>) -> !prism.tile<[n/x], f32>
      %2 = prism.mul %S, %1 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/x, s/i], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x, s/i], f32>
      %p = prism.cast %2 : (!prism.tile<[n/x, s/i], f32>) -> !prism.tile<[n/x, s/i], f16>
)mlir");
  EXPECT_EQ(print(), "matmul reduce_sum cast matmul save");
}

// Elements that are needed elsewhere go through memory.
TEST_F(FollowersTest, OtherElements) {
  plan(R"mlir(
      %0 = prism.cast %S : (!prism.tile<[n/x, s/i], f32>) -> !prism.tile<[n/x, s/i], f16>
      %1 = prism.transpose %0 permutation [1, 0] : (!prism.tile<[n/x, s/i], f16>) -> !prism.tile<[s/i, n/x], f16>
      %2 = prism.mul %S, %S : (!prism.tile<[n/x, s/i], f32>, !prism.tile<[n/x, s/i], f32>) -> !prism.tile<[n/x, s/i], f32>
      %3 = prism.matmul %1, %tc maps [d1, d0], [d1, d2] -> [d0, d2] : (!prism.tile<[s/i, n/x], f16>, !prism.tile<[s/i, v], f16>) -> !prism.tile<[n/x, v], f32>
      %4 = prism.accumulate sum %3 over i : !prism.tile<[n/x, v], f32> -> !prism.tile<[n/x, v], f32>
      %p = prism.cast %2 : (!prism.tile<[n/x, s/i], f32>) -> !prism.tile<[n/x, s/i], f16>
)mlir");
  EXPECT_EQ(print(), "matmul(cast) transpose matmul matmul save");
}

// A shift's step keeps the running maximum and its factors: it neither follows
// nor is followed.
TEST_F(FollowersTest, Shifts) {
  plan(R"mlir(
      %1 = prism.reduce_max %S dims [1] : (!prism.tile<[n/x, s/i], f32>) -> !prism.tile<[n/x], f32>
      %2 = prism.exp %1 : (!prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %3 = prism.sqrt %2 : (!prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %4 = prism.tanh %3 : (!prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %5 = prism.add %4, %2 : (!prism.tile<[n/x], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %6 = prism.mul %S, %5 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/x, s/i], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x, s/i], f32>
      %e = prism.cast %6 : (!prism.tile<[n/x, s/i], f32>) -> !prism.tile<[n/x, s/i], f16>
      %7 = prism.matmul %e, %tc : (!prism.tile<[n/x, s/i], f16>, !prism.tile<[s/i, v], f16>) -> !prism.tile<[n/x, v], f32>
      %8 = prism.accumulate rescaled_sum %7 shift %3 over i maps [d0, d1], [d0] -> [d0, d1] : !prism.tile<[n/x, v], f32>, !prism.tile<[n/x], f32> -> !prism.tile<[n/x, v], f32>
      %p = prism.cast %S : (!prism.tile<[n/x, s/i], f32>) -> !prism.tile<[n/x, s/i], f16>
)mlir");
  EXPECT_EQ(print(),
            "matmul(cast) reduce_max exp sqrt add cast matmul matmul save");
}

// Sums that the loop carries are not there in the step that adds to them.
TEST_F(FollowersTest, CarriedSums) {
  plan(R"mlir(
      %1 = prism.cast %S : (!prism.tile<[n/x, s/i], f32>) -> !prism.tile<[n/x, s/i], f16>
      %2 = prism.matmul %1, %tc : (!prism.tile<[n/x, s/i], f16>, !prism.tile<[s/i, v], f16>) -> !prism.tile<[n/x, v], f32>
      %3 = prism.accumulate sum %2 over i : !prism.tile<[n/x, v], f32> -> !prism.tile<[n/x, v], f32>
      %4 = prism.exp %3 : (!prism.tile<[n/x, v], f32>) -> !prism.tile<[n/x, v], f32>
      %5 = prism.reduce_sum %4 dims [1] : (!prism.tile<[n/x, v], f32>) -> !prism.tile<[n/x], f32>
      %6 = prism.div %4, %5 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/x, v], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x, v], f32>
      %7 = prism.save %6 [[x], []] : !prism.tile<[n/x, v], f32> -> !prism.tensor<[n, v], f32>
      %p = prism.square %1 : (!prism.tile<[n/x, s/i], f16>) -> !prism.tile<[n/x, s/i], f16>
)mlir");
  EXPECT_EQ(print(),
            "matmul*(cast square) matmul matmul exp reduce_sum save save");
}

} // namespace
