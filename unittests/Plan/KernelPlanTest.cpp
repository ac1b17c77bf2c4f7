//===- KernelPlanTest.cpp - Tests of the kernel planner -------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Plan/RunPlan.h"
#include "Prism/Plan/WarpgroupPlan.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace prism;

namespace {

/// The worked example of KernelPlan.h, as a mapped candidate.
constexpr llvm::StringLiteral rmsNorm = R"mlir(
prism.program @p extents [n = 8, d = 256, h = 192] (%x: !prism.tensor<[n, d], f16>, %w: !prism.tensor<[d, h], f16>) -> (!prism.tensor<[n, h], f32>) {
  %0 = prism.matmul %x, %w : (!prism.tensor<[n, d], f16>, !prism.tensor<[d, h], f16>) -> !prism.tensor<[n, h], f32>
  prism.yield %0 : !prism.tensor<[n, h], f32>
} candidates {
  prism.candidate "p_0" mapped {
  ^bb0(%x: !prism.tensor<[n, d], f16>, %w: !prism.tensor<[d, h], f16>):
    %r = prism.kernel "k0"(%a = %x, %b = %w) parallel [x grid, i loop] : (!prism.tensor<[n, d], f16>, !prism.tensor<[d, h], f16>) -> !prism.tensor<[n, h], f32> {
      %ta = prism.load %a [[], [i]] : !prism.tensor<[n, d], f16> -> !prism.tile<[n, d/i], f16>
      %tb = prism.load %b [[i], [x]] : !prism.tensor<[d, h], f16> -> !prism.tile<[d/i, h/x], f16>
      %c = prism.cast %ta : (!prism.tile<[n, d/i], f16>) -> !prism.tile<[n, d/i], f32>
      %s = prism.square %c : (!prism.tile<[n, d/i], f32>) -> !prism.tile<[n, d/i], f32>
      %q = prism.reduce_sum %s dims [1] : (!prism.tile<[n, d/i], f32>) -> !prism.tile<[n], f32>
      %m = prism.matmul %ta, %tb : (!prism.tile<[n, d/i], f16>, !prism.tile<[d/i, h/x], f16>) -> !prism.tile<[n, h/x], f32>
      %qa = prism.accumulate sum %q over i : !prism.tile<[n], f32> -> !prism.tile<[n], f32>
      %ma = prism.accumulate sum %m over i : !prism.tile<[n, h/x], f32> -> !prism.tile<[n, h/x], f32>
      %t = prism.sqrt %qa : (!prism.tile<[n], f32>) -> !prism.tile<[n], f32>
      %u = prism.div %ma, %t maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n, h/x], f32>, !prism.tile<[n], f32>) -> !prism.tile<[n, h/x], f32>
      %z = prism.save %u [[], [x]] : !prism.tile<[n, h/x], f32> -> !prism.tensor<[n, h], f32>
      prism.yield %z : !prism.tensor<[n, h], f32>
    }
    prism.yield %r : !prism.tensor<[n, h], f32>
  }
}
)mlir";

class KernelPlanTest : public ::testing::Test {
protected:
  KernelPlanTest() {
    context.loadDialect<PrismDialect>();
    module = parseSourceString<ModuleOp>(rmsNorm, &context);
    module->walk([&](KernelOp op) { kernel = op; });
  }

  std::optional<KernelPlan> plan(int64_t n, int64_t d, int64_t h, int64_t x,
                                 int64_t i) {
    return planOn("sm_80", n, d, h, x, i);
  }

  std::optional<KernelPlan> planOn(StringRef target, int64_t n, int64_t d,
                                   int64_t h, int64_t x, int64_t i) {
    auto symbolValue = [&](StringRef name) -> std::optional<int64_t> {
      if (name == "d" && d < 0)
        return std::nullopt;
      return name == "n" ? n : name == "d" ? d : h;
    };
    auto tileExtent = [&](StringRef name) -> std::optional<int64_t> {
      return name == "x" ? x : i;
    };
    KernelSizes sizes = {symbolValue, tileExtent};
    whyNot.clear();
    return planKernel(kernel, sizes, *lookupTarget(target), whyNot);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  KernelOp kernel;
  std::string whyNot;
};

TEST_F(KernelPlanTest, WorkedExample) {
  auto plan = this->plan(8, 256, 192, 64, 64);
  ASSERT_TRUE(plan) << whyNot;
  std::vector<std::pair<StepKind, StepPhase>> steps;
  for (const PlanStep &step : plan->steps)
    steps.push_back({step.kind, step.phase});
  std::vector<std::pair<StepKind, StepPhase>> expected = {
      {StepKind::Load, StepPhase::InLoop},
      {StepKind::Load, StepPhase::InLoop},
      {StepKind::Reduce, StepPhase::InLoop},
      {StepKind::Matmul, StepPhase::InLoop},
      {StepKind::Elementwise, StepPhase::AfterLoop},
      {StepKind::Save, StepPhase::AfterLoop}};
  EXPECT_EQ(steps, expected);
  EXPECT_TRUE(plan->steps[2].accumulator && plan->steps[3].accumulator);
  EXPECT_EQ(plan->blocks, 3);
  EXPECT_EQ(plan->getLoop()->count, 4);
  EXPECT_FALSE(plan->getLoop()->isRagged);
  // Eight rows are the columns of a 16x8x16 fragment: 64 rows over 4 warps.
  const MatmulPlan &matmul = plan->steps[3].matmul;
  EXPECT_TRUE(matmul.useTensorCores && matmul.swapOperands);
  EXPECT_EQ(matmul.accumulators, 4);
  // 8x64 and 64x64 f16 once per step; 8x64 f32 saved.
  EXPECT_EQ(plan->bytesLoadedPerBlock, 4 * (8 * 64 + 64 * 64) * 2);
  EXPECT_EQ(plan->bytesStoredPerBlock, 8 * 64 * 4);
}

// Tiles come by bulk tensor copies where rows allow it, in the widest order of
// 16-byte units that fits; the mbarriers lie behind everything else.
TEST_F(KernelPlanTest, BulkLoads) {
  auto plan = planOn("sm_90a", 8, 256, 192, 16, 128);
  ASSERT_TRUE(plan) << whyNot;
  EXPECT_EQ(plan->stages, 2);
  EXPECT_TRUE(plan->hasBulkLoads());
  const TileBuffer *x = plan->lookupBuffer(plan->steps[0].getStoredTile());
  EXPECT_EQ(x->swizzle, 128);
  EXPECT_EQ(x->box, (SmallVector<int64_t>{8, 64})); // two panels
  EXPECT_EQ(x->layout, x->extents);
  const TileBuffer *w = plan->lookupBuffer(plan->steps[1].getStoredTile());
  EXPECT_EQ(w->swizzle, 32);
  EXPECT_EQ(w->box, (SmallVector<int64_t>{128, 16}));
  for (const TileBuffer *buffer : {x, w}) {
    EXPECT_EQ(buffer->offset % buffer->getAlignment(), 0);
    EXPECT_EQ(buffer->bytes % buffer->getAlignment(), 0);
    EXPECT_LE(buffer->offset + buffer->getTotalBytes(), plan->barrierOffset);
  }
  EXPECT_EQ(plan->sharedBytes, plan->barrierOffset + 16);
  // Where the loop does not run ahead there is nothing to wait for.
  plan = planOn("sm_90a", 8, 128, 192, 16, 128);
  ASSERT_TRUE(plan) << whyNot;
  EXPECT_FALSE(plan->hasBulkLoads());
}

TEST_F(KernelPlanTest, NoBulkLoads) {
  auto box = [&](StringRef target, int64_t d, int64_t h, int64_t x, int64_t i,
                 unsigned step) {
    auto plan = planOn(target, 8, d, h, x, i);
    EXPECT_TRUE(plan) << whyNot;
    return plan->lookupBuffer(plan->steps[step].getStoredTile())->box;
  };
  EXPECT_TRUE(box("sm_80", 256, 192, 16, 64, 1).empty());
  EXPECT_TRUE(box("sm_100a", 256, 192, 16, 64, 1).empty());
  // Rows of the array of 200 bytes; of 384, but 80 in the tile.
  EXPECT_TRUE(box("sm_90a", 256, 100, 16, 64, 1).empty());
  EXPECT_TRUE(box("sm_90a", 256, 192, 40, 64, 1).empty());
  // More than 256 rows come in parts, if there are equal ones.
  EXPECT_EQ(box("sm_90a", 1024, 192, 16, 256, 1),
            (SmallVector<int64_t>{256, 16}));
  EXPECT_EQ(box("sm_90a", 1024, 192, 16, 320, 1),
            (SmallVector<int64_t>{160, 16}));
  EXPECT_TRUE(box("sm_90a", 1024, 192, 16, 257, 1).empty());
  auto plain = lookupTarget("sm_90a")->withoutTensorMaps();
  EXPECT_EQ(plain.name, "sm_90a");
  EXPECT_FALSE(plain.hasTensorMaps);
}

// The worked example of WarpgroupPlan.h, and what wgmma cannot multiply.
TEST_F(KernelPlanTest, Warpgroups) {
  auto product = [&](StringRef target, int64_t n, int64_t d, int64_t x,
                     int64_t i) {
    auto plan = planOn(target, n, d, 192, x, i);
    EXPECT_TRUE(plan) << whyNot;
    const PlanStep &step = plan->steps[3];
    EXPECT_EQ(step.kind, StepKind::Matmul);
    return std::pair(usesWarpgroups(*plan, step), step.matmul);
  };
  auto [isUsed, matmul] = product("sm_90a", 128, 256, 64, 64);
  EXPECT_TRUE(isUsed);
  EXPECT_FALSE(matmul.swapOperands);
  EXPECT_EQ(matmul.warpsOverRows * matmul.rowFragments * 16, 128);
  EXPECT_EQ(matmul.warpsOverColumns * matmul.columnFragments * 8, 64);
  EXPECT_EQ(matmul.warpsOverRows % 4, 0);
  EXPECT_EQ(matmul.countInstructions(), (128 / 16) * (64 / 8) * (64 / 16));
  // 16 rows are the columns of 64.
  std::tie(isUsed, matmul) = product("sm_90a", 16, 256, 64, 64);
  EXPECT_TRUE(isUsed);
  EXPECT_TRUE(matmul.swapOperands);
  EXPECT_EQ(matmul.columnFragments, 2);
  auto isOne = [&](StringRef target, int64_t n, int64_t d, int64_t x,
                   int64_t i) { return product(target, n, d, x, i).first; };
  EXPECT_FALSE(isOne("sm_80", 128, 256, 64, 64));
  EXPECT_FALSE(isOne("sm_100a", 128, 256, 64, 64));
  EXPECT_FALSE(isOne("sm_90a", 100, 256, 32, 64)); // rows
  EXPECT_FALSE(isOne("sm_90a", 128, 200, 64, 64)); // ragged depth
  EXPECT_FALSE(isOne("sm_90a", 128, 256, 40, 64)); // rows of 80 bytes
  EXPECT_FALSE(isOne("sm_90a", 16, 256, 32, 64));  // nothing has 64
}

// As many lanes share a result as there are threads for it, if each has a run
// of what is reduced; the worked example of KernelPlan.h among them.
TEST_F(KernelPlanTest, Lanes) {
  auto lanes = [&](StringRef type, int64_t threads, int64_t n, int64_t i) {
    std::string text = rmsNorm.str();
    auto replace = [&](StringRef from, StringRef to) {
      for (size_t at = 0; (at = text.find(from.str(), at)) != text.npos;
           at += to.size())
        text.replace(at, from.size(), to.str());
    };
    replace("f16", type);
    if (type == "f64")
      replace("f32", type);
    module = parseSourceString<ModuleOp>(text, &context);
    module->walk([&](KernelOp op) { kernel = op; });
    setSchedule(kernel, {threads, 0});
    auto plan = this->plan(n, 1024, 192, 16, i);
    EXPECT_TRUE(plan) << whyNot;
    EXPECT_EQ(plan->threads, threads);
    EXPECT_EQ(plan->steps[2].reduce.outputs, n);
    EXPECT_EQ(plan->steps[2].reduce.reduced, i);
    return plan->steps[2].reduce.lanes;
  };
  EXPECT_EQ(lanes("f32", 512, 64, 64), 8);
  EXPECT_EQ(lanes("f16", 512, 64, 64), 8);
  // Threads for more, but no more runs: of 8, of 4, and of what divides.
  EXPECT_EQ(lanes("f16", 512, 8, 64), 8);
  EXPECT_EQ(lanes("f32", 512, 8, 64), 16);
  EXPECT_EQ(lanes("f16", 512, 8, 8), 1);
  EXPECT_EQ(lanes("f16", 512, 8, 100), 16); // 25 runs of 4
  EXPECT_EQ(lanes("f16", 512, 8, 17), 16);  // of 1
  // A warp at most; powers of two; a result for each thread or more.
  EXPECT_EQ(lanes("f16", 512, 1, 1024), 32);
  EXPECT_EQ(lanes("f16", 128, 5, 256), 16);
  EXPECT_EQ(lanes("f16", 128, 64, 64), 2);
  EXPECT_EQ(lanes("f16", 128, 65, 64), 1);
  EXPECT_EQ(lanes("f16", 128, 300, 64), 1);
  // No shuffle of f64.
  EXPECT_EQ(lanes("f64", 128, 8, 64), 1);
}

// Groups of lanes keep what these have of a few sums through the loop; where
// they are many, they are added to memory in each step.
TEST_F(KernelPlanTest, CarriedReductions) {
  auto plan = this->plan(8, 1024, 192, 64, 128);
  ASSERT_TRUE(plan) << whyNot;
  EXPECT_EQ(plan->threads, 128);
  EXPECT_EQ(plan->steps[2].reduce.lanes, 16);
  EXPECT_TRUE(plan->steps[2].isCarried());
  EXPECT_EQ(countCarried(*plan, plan->steps[2]), 1);
  // A thread each.
  setSchedule(kernel, {64, 0});
  plan = this->plan(130, 1024, 192, 8, 64);
  ASSERT_TRUE(plan) << whyNot;
  EXPECT_EQ(plan->threads, 64);
  EXPECT_EQ(plan->steps[2].reduce.lanes, 1);
  EXPECT_TRUE(plan->steps[2].isCarried());
  EXPECT_EQ(countCarried(*plan, plan->steps[2]), 3);
  plan = this->plan(512, 1024, 192, 8, 16);
  ASSERT_TRUE(plan) << whyNot;
  EXPECT_EQ(plan->threads, 64);
  EXPECT_EQ(countCarried(*plan, plan->steps[2]), 8);
  EXPECT_TRUE(plan->steps[2].isCarried());
  plan = this->plan(513, 1024, 192, 8, 16);
  ASSERT_TRUE(plan) << whyNot;
  EXPECT_EQ(plan->threads, 64);
  EXPECT_EQ(countCarried(*plan, plan->steps[2]), 9);
  EXPECT_FALSE(plan->steps[2].isCarried());
}

// Products that the loop carries are waited for a step later where there are
// stages for it: one of four is then not loaded ahead.
TEST_F(KernelPlanTest, DeferredProducts) {
  auto plan = planOn("sm_90a", 128, 512, 192, 64, 64);
  ASSERT_TRUE(plan) << whyNot;
  EXPECT_TRUE(isDeferred(*plan, plan->steps[3]));
  EXPECT_EQ(plan->stages, 4);
  EXPECT_EQ(getStepsAhead(*plan), 2);
  plan = planOn("sm_90a", 128, 192, 192, 64, 64); // three steps in all
  ASSERT_TRUE(plan) << whyNot;
  EXPECT_TRUE(canDefer(*plan, plan->steps[3]));
  EXPECT_FALSE(isDeferred(*plan, plan->steps[3]));
  EXPECT_EQ(getStepsAhead(*plan), 2);
  plan = planOn("sm_80", 128, 512, 192, 64, 64); // no wgmma
  ASSERT_TRUE(plan) << whyNot;
  EXPECT_FALSE(canDefer(*plan, plan->steps[3]));
  EXPECT_LE(plan->stages, 3);
}

// The worked example of KernelPlan.h: what is reduced goes by whole runs, f32
// is saved by 16 bytes.
TEST_F(KernelPlanTest, Runs) {
  auto runs = [&](int64_t n, int64_t d, int64_t h, int64_t x, int64_t i) {
    auto symbolValue = [&](StringRef name) -> std::optional<int64_t> {
      return name == "n" ? n : name == "d" ? d : h;
    };
    auto tileExtent = [&](StringRef name) -> std::optional<int64_t> {
      return name == "x" ? x : i;
    };
    KernelSizes sizes = {symbolValue, tileExtent};
    auto plan = planKernel(kernel, sizes, *lookupTarget("sm_80"), whyNot);
    EXPECT_TRUE(plan) << whyNot;
    SmallVector<int64_t> found;
    for (const PlanStep &step : plan->steps)
      if (step.kind == StepKind::Reduce || step.kind == StepKind::Save)
        found.push_back(planRun(kernel, *plan, sizes, step));
    return found;
  };
  EXPECT_EQ(runs(8, 1024, 192, 64, 256), (SmallVector<int64_t>{8, 4}));
  EXPECT_EQ(runs(8, 1024, 192, 64, 64), (SmallVector<int64_t>{8, 4}));
  // The last chunks: 8 of what is summed, 32 columns.
  EXPECT_EQ(runs(8, 1032, 160, 64, 256), (SmallVector<int64_t>{8, 4}));
  // Of 4 and of 2.
  EXPECT_EQ(runs(8, 1028, 130, 64, 256), (SmallVector<int64_t>{4, 2}));
  EXPECT_EQ(runs(8, 1023, 77, 64, 256), (SmallVector<int64_t>{1, 1}));
}

// Warps without rows or columns of their own share the sum, and what they have
// is added up in memory that lives no longer than that.
TEST_F(KernelPlanTest, WarpsShareASum) {
  auto plan = this->plan(8, 4096, 4096, 16, 128);
  ASSERT_TRUE(plan) << whyNot;
  const PlanStep &step = plan->steps[3];
  EXPECT_EQ(step.matmul.warpsOverDepth, 4);
  EXPECT_EQ(step.matmul.countInstructions(), 128 / 16);
  const TileBuffer *shares = plan->lookupWarpSums(step.getStoredTile());
  ASSERT_TRUE(shares);
  EXPECT_EQ(shares->extents, (SmallVector<int64_t>{4, 8, 16}));
  EXPECT_LE(shares->offset + shares->getTotalBytes(), plan->sharedBytes);
  // As many fragments as warps: none is shared.
  plan = this->plan(8, 4096, 4096, 64, 128);
  ASSERT_TRUE(plan) << whyNot;
  EXPECT_EQ(plan->steps[3].matmul.warpsOverDepth, 1);
  EXPECT_TRUE(plan->warpSums.empty());
  // Three fragments: one of the warps has none, and computes nothing.
  plan = this->plan(8, 4096, 4096, 48, 128);
  ASSERT_TRUE(plan) << whyNot;
  EXPECT_EQ(plan->steps[3].matmul.countInstructions(), 3 * 128 / 16);
}

// Three stages of loads, rows padded for ldmatrix; all sums come to memory when
// the loaded tiles are gone.
TEST_F(KernelPlanTest, MemoryIsSharedByLifetime) {
  auto plan = this->plan(8, 256, 192, 64, 64);
  ASSERT_TRUE(plan) << whyNot;
  EXPECT_EQ(plan->stages, 3);
  int64_t total = 0;
  for (auto &[tile, buffer] : plan->buffers)
    total += buffer.getTotalBytes();
  int64_t loads = 3 * (8 + 64) * (64 + 8) * 2;
  EXPECT_EQ(total, loads + 8 * 4 + 8 * 4 + 8 * 64 * 4);
  EXPECT_EQ(plan->sharedBytes, loads);
}

// Where three stages do not fit twice into a multiprocessor there are fewer.
TEST_F(KernelPlanTest, FewerStagesWhereMemoryIsShort) {
  auto plan = this->plan(8, 4096, 1 << 16, 128, 128);
  ASSERT_TRUE(plan) << whyNot;
  EXPECT_EQ(plan->stages, 2);
  plan = this->plan(8, 4096, 1 << 16, 256, 256);
  ASSERT_TRUE(plan) << whyNot;
  EXPECT_EQ(plan->stages, 1);
  // A second block only comes where there are more than multiprocessors: 108.
  plan = this->plan(8, 4096, 108 * 128, 128, 128);
  ASSERT_TRUE(plan) << whyNot;
  EXPECT_EQ(plan->stages, 3);
  EXPECT_GT(plan->sharedBytes, 82 * 1024);
  plan = this->plan(8, 4096, 109 * 128, 128, 128);
  ASSERT_TRUE(plan) << whyNot;
  EXPECT_EQ(plan->stages, 2);
}

TEST_F(KernelPlanTest, RaggedChunks) {
  auto plan = this->plan(5, 100, 77, 32, 24);
  ASSERT_TRUE(plan) << whyNot;
  EXPECT_EQ(plan->blocks, 3);
  EXPECT_EQ(plan->getLoop()->count, 5);
  EXPECT_TRUE(plan->getLoop()->isRagged);
  EXPECT_TRUE(plan->lookupDim("x")->isRagged);
}

// A tile larger than the extent is the extent.
TEST_F(KernelPlanTest, TileBeyondExtent) {
  auto plan = this->plan(8, 64, 40, 64, 128);
  ASSERT_TRUE(plan) << whyNot;
  EXPECT_EQ(plan->lookupDim("x")->tile, 40);
  EXPECT_EQ(plan->getLoop()->count, 1);
  EXPECT_FALSE(plan->getLoop()->isRagged);
}

// Sums that no number of threads could keep in registers are kept in memory,
// where the tile fits, and computed part by part.
TEST_F(KernelPlanTest, LargeSumsAreKeptInMemory) {
  auto plan = this->plan(224, 256, 224, 224, 16);
  EXPECT_FALSE(plan) << "fits sm_80's memory";
  plan = planOn("sm_90a", 224, 256, 224, 224, 16);
  ASSERT_TRUE(plan) << whyNot;
  const PlanStep &product = plan->steps[3];
  EXPECT_TRUE(product.accumulator);
  EXPECT_FALSE(product.isCarried());
  const MatmulPlan &matmul = product.matmul;
  EXPECT_LE(matmul.accumulators, 64);
  EXPECT_GE(matmul.rowPasses * matmul.getRowsPerPass(), 224);
  EXPECT_GE(matmul.columnPasses * matmul.getColumnsPerPass(), 224);
  // Half of it is carried by enough threads.
  plan = planOn("sm_90a", 112, 256, 224, 224, 16);
  ASSERT_TRUE(plan) << whyNot;
  EXPECT_TRUE(plan->steps[3].isCarried());
  EXPECT_LE(plan->steps[3].matmul.accumulators, 128);
}

TEST_F(KernelPlanTest, SaysWhatIsTooLarge) {
  EXPECT_FALSE(plan(8, 4096, 4096, 256, 4096));
  EXPECT_NE(whyNot.find("bytes of shared memory, sm_80 has 166912"),
            std::string::npos)
      << whyNot;
  EXPECT_FALSE(plan(8, -1, 64, 64, 64));
  EXPECT_EQ(whyNot, "extent d is dynamic");
  EXPECT_FALSE(plan(8, 0, 64, 64, 64));
  EXPECT_EQ(whyNot, "extent d is 0");
}

} // namespace
