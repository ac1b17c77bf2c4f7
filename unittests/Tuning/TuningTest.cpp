//===- TuningTest.cpp - Parameter space and cost model --------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Tuning/Sizing.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <set>

using namespace mlir;
using namespace prism;

namespace {

/// Sums rows; the columns are split by the grid and, inside, by the loop.
constexpr char nested[] = R"mlir(
prism.program @p extents [n = 16, d = 96] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[k0.x, n], f32>) {
  %0 = prism.reduce_sum %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %1 = prism.broadcast %0 dims [1] : (!prism.tensor<[n], f32>) -> !prism.tensor<[k0.x, n], f32>
  prism.yield %1 : !prism.tensor<[k0.x, n], f32>
} candidates {
  prism.candidate "c" mapped {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid, i loop] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[k0.x, n], f32> {
      %t = prism.load %a [[], [x, i]] : !prism.tensor<[n, d], f32> -> !prism.tile<[n, d/x/i], f32>
      %s = prism.reduce_sum %t dims [1] : (!prism.tile<[n, d/x/i], f32>) -> !prism.tile<[n], f32>
      %c = prism.accumulate sum %s over i : !prism.tile<[n], f32> -> !prism.tile<[n], f32>
      %o = prism.save %c [[]] partials [x] : !prism.tile<[n], f32> -> !prism.tensor<[k0.x, n], f32>
      prism.yield %o : !prism.tensor<[k0.x, n], f32>
    }
    prism.yield %r : !prism.tensor<[k0.x, n], f32>
  }
}
)mlir";

/// The same sum as a split pair of kernels: the second adds the partials.
constexpr char pair[] = R"mlir(
prism.program @p extents [n = 16, d = 96] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_sum %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "c" mapped {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [y grid] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[k0.y, n], f32> {
      %t = prism.load %a [[], [y]] : !prism.tensor<[n, d], f32> -> !prism.tile<[n, d/y], f32>
      %s = prism.reduce_sum %t dims [1] : (!prism.tile<[n, d/y], f32>) -> !prism.tile<[n], f32>
      %o = prism.save %s [[]] partials [y] : !prism.tile<[n], f32> -> !prism.tensor<[k0.y, n], f32>
      prism.yield %o : !prism.tensor<[k0.y, n], f32>
    }
    %q = prism.kernel "k1"(%a = %r) parallel [x grid] : (!prism.tensor<[k0.y, n], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[], [x]] : !prism.tensor<[k0.y, n], f32> -> !prism.tile<[k0.y, n/x], f32>
      %s = prism.reduce_sum %t dims [0] : (!prism.tile<[k0.y, n/x], f32>) -> !prism.tile<[n/x], f32>
      %o = prism.save %s [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %q : !prism.tensor<[n], f32>
  }
}
)mlir";

/// Two products, one after the other.
constexpr char products[] = R"mlir(
prism.program @p extents [n = 8, d = 1024] (%x: !prism.tensor<[n, d], f16>, %w: !prism.tensor<[d, d], f16>) -> (!prism.tensor<[n, d], f16>) {
  %0 = prism.matmul %x, %w : (!prism.tensor<[n, d], f16>, !prism.tensor<[d, d], f16>) -> !prism.tensor<[n, d], f32>
  %1 = prism.cast %0 : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f16>
  %2 = prism.matmul %1, %w : (!prism.tensor<[n, d], f16>, !prism.tensor<[d, d], f16>) -> !prism.tensor<[n, d], f32>
  %3 = prism.cast %2 : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f16>
  prism.yield %3 : !prism.tensor<[n, d], f16>
} candidates {
  prism.candidate "c" mapped {
  ^bb0(%x: !prism.tensor<[n, d], f16>, %w: !prism.tensor<[d, d], f16>):
    %y = prism.kernel "k0"(%a = %x, %b = %w) parallel [x grid, i loop] : (!prism.tensor<[n, d], f16>, !prism.tensor<[d, d], f16>) -> !prism.tensor<[n, d], f16> {
      %ta = prism.load %a [[], [i]] : !prism.tensor<[n, d], f16> -> !prism.tile<[n, d/i], f16>
      %tb = prism.load %b [[i], [x]] : !prism.tensor<[d, d], f16> -> !prism.tile<[d/i, d/x], f16>
      %m = prism.matmul %ta, %tb : (!prism.tile<[n, d/i], f16>, !prism.tile<[d/i, d/x], f16>) -> !prism.tile<[n, d/x], f32>
      %s = prism.accumulate sum %m over i : !prism.tile<[n, d/x], f32> -> !prism.tile<[n, d/x], f32>
      %c = prism.cast %s : (!prism.tile<[n, d/x], f32>) -> !prism.tile<[n, d/x], f16>
      %z = prism.save %c [[], [x]] : !prism.tile<[n, d/x], f16> -> !prism.tensor<[n, d], f16>
      prism.yield %z : !prism.tensor<[n, d], f16>
    }
    %r = prism.kernel "k1"(%a = %y, %b = %w) parallel [x grid, i loop] : (!prism.tensor<[n, d], f16>, !prism.tensor<[d, d], f16>) -> !prism.tensor<[n, d], f16> {
      %ta = prism.load %a [[], [i]] : !prism.tensor<[n, d], f16> -> !prism.tile<[n, d/i], f16>
      %tb = prism.load %b [[i], [x]] : !prism.tensor<[d, d], f16> -> !prism.tile<[d/i, d/x], f16>
      %m = prism.matmul %ta, %tb : (!prism.tile<[n, d/i], f16>, !prism.tile<[d/i, d/x], f16>) -> !prism.tile<[n, d/x], f32>
      %s = prism.accumulate sum %m over i : !prism.tile<[n, d/x], f32> -> !prism.tile<[n, d/x], f32>
      %c = prism.cast %s : (!prism.tile<[n, d/x], f32>) -> !prism.tile<[n, d/x], f16>
      %z = prism.save %c [[], [x]] : !prism.tile<[n, d/x], f16> -> !prism.tensor<[n, d], f16>
      prism.yield %z : !prism.tensor<[n, d], f16>
    }
    prism.yield %r : !prism.tensor<[n, d], f16>
  }
}
)mlir";

class TuningTest : public ::testing::Test {
protected:
  TuningTest() { context.loadDialect<PrismDialect>(); }

  KernelOp parse(const char *text) {
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    KernelOp found;
    module->walk([&](KernelOp kernel) { found = kernel; });
    return found;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

std::optional<int64_t> extents(StringRef name) {
  if (name == "n")
    return 16;
  if (name == "d")
    return 96;
  return std::nullopt;
}

} // namespace

TEST_F(TuningTest, TileChoices) {
  // The example in the header of ParameterSpace.h.
  EXPECT_EQ(getTileChoices(96), (SmallVector<int64_t>{8, 16, 32, 64, 96}));
  EXPECT_EQ(getTileChoices(5), (SmallVector<int64_t>{5}));
  EXPECT_EQ(getTileChoices(0), (SmallVector<int64_t>{1}));
}

TEST_F(TuningTest, LoopTilesDivideGridTiles) {
  KernelOp kernel = parse(nested);
  ASSERT_TRUE(kernel);
  EXPECT_TRUE(isNestedIn(kernel, "i", "x"));
  EXPECT_FALSE(isNestedIn(kernel, "x", "i"));
  EXPECT_EQ(getSplitExtent(kernel, "x").str(), "d");
  uint64_t points = 0;
  uint64_t visited = visitTileSizes(
      kernel, [](StringRef) { return std::optional<int64_t>(96); }, 1000,
      [&](const TileSizes &tiles) {
        ASSERT_EQ(tiles.size(), 2u);
        EXPECT_EQ(tiles[0] % tiles[1], 0);
        ++points;
      });
  EXPECT_EQ(visited, points);
  // 8:8; 16:8,16; 32:8,16,32; 64:8,16,32,64; 96:8,16,32,96.
  EXPECT_EQ(points, 14u);
  // The limit holds, and nothing is visited where an extent is not known.
  EXPECT_EQ(visitTileSizes(
                kernel, [](StringRef) { return std::optional<int64_t>(96); }, 3,
                [](const TileSizes &) {}),
            3u);
  EXPECT_EQ(visitTileSizes(
                kernel, [](StringRef) { return std::optional<int64_t>(); },
                1000, [](const TileSizes &) {}),
            0u);
}

TEST_F(TuningTest, CostsAreBoundedByTheRoofline) {
  KernelOp kernel = parse(nested);
  ASSERT_TRUE(kernel);
  auto values = [](StringRef name) -> std::optional<int64_t> {
    return name == "k0.x" ? std::optional<int64_t>(2) : extents(name);
  };
  auto program = kernel->getParentOfType<ProgramOp>();
  for (const Target &target : getTargets()) {
    auto roofline = estimateRooflineUs(program, target, values);
    auto unfused = estimateUnfusedUs(program, target, values);
    ASSERT_TRUE(roofline && unfused);
    EXPECT_LT(*roofline, *unfused);
    std::string whyNot;
    auto tiles = [](StringRef) { return std::optional<int64_t>(48); };
    auto plan = planKernel(kernel, {values, tiles}, target, whyNot);
    ASSERT_TRUE(plan) << whyNot;
    auto cost = estimateKernelUs(kernel, *plan, target, values);
    ASSERT_TRUE(cost);
    EXPECT_GT(*cost, *roofline);
  }
  // What is not known is not guessed.
  EXPECT_FALSE(estimateUnfusedUs(program, getTargets().front(), extents));
}

// A product of 8 rows, 64 columns and 64 of the depth in each of 16 steps, with
// its operands swapped: 4 warps, each with 16 columns and 4 mma.sync a step.
TEST_F(TuningTest, WorkOfAProduct) {
  ASSERT_TRUE(parse(products));
  SmallVector<KernelOp> kernels;
  module->walk([&](KernelOp kernel) { kernels.push_back(kernel); });
  auto values = [](StringRef name) -> std::optional<int64_t> {
    return name == "n" ? 8 : 1024;
  };
  const Target &target = *lookupTarget("sm_80");
  auto count = [&](int64_t columns, int64_t depth) {
    auto tileExtent = [&](StringRef name) -> std::optional<int64_t> {
      return name == "i" ? depth : columns;
    };
    std::string whyNot;
    auto plan = planKernel(kernels[0],
                           {values, tileExtent, {}, Schedule{/*threads=*/128}},
                           target, whyNot);
    EXPECT_TRUE(plan) << whyNot;
    return countBlockWork(kernels[0], *plan, values);
  };
  BlockWork work = count(64, 64);
  EXPECT_EQ(work.tensorFlops, 16 * 16 * 4096.0);
  EXPECT_EQ(work.fmaFlops, 0);
  // Padded rows come in; fragments of 512 and 256 bytes are read; the sums are
  // stored, and read to be saved.
  double perStep = (8 + 64) * (64 + 8) * 2 + 16 * (512 + 256);
  EXPECT_EQ(work.sharedBytes, 16 * perStep + 2 * 8 * 64 * 4);
  // Chains of 40 cycles for an mma.sync, and a barrier of 30 a step.
  EXPECT_GT(work.latencyCycles, 16 * (4 * 40 + 30));
  EXPECT_LT(work.latencyCycles, 16 * (4 * 40 + 30) + 500);
  // The same product in fewer, longer steps: the same fragments, less waiting.
  BlockWork longer = count(64, 256);
  EXPECT_EQ(longer.tensorFlops, work.tensorFlops);
  EXPECT_EQ(work.latencyCycles - longer.latencyCycles, (16 - 4) * 30);
  EXPECT_LT(longer.instructions, work.instructions);
}

// One barrier in each step of the loop, and as many turns of the threads' loops
// as there are runs for each.
TEST_F(TuningTest, WorkOfAReduction) {
  KernelOp kernel = parse(nested);
  ASSERT_TRUE(kernel);
  auto count = [&](int64_t loopTile) {
    auto tileExtent = [&](StringRef name) -> std::optional<int64_t> {
      return name == "i" ? loopTile : 96;
    };
    std::string whyNot;
    auto plan = planKernel(kernel, {extents, tileExtent},
                           *lookupTarget("sm_80"), whyNot);
    EXPECT_TRUE(plan) << whyNot;
    return countBlockWork(kernel, *plan, extents);
  };
  BlockWork few = count(96), many = count(8);
  EXPECT_EQ(few.tensorFlops + few.fmaFlops, 0);
  EXPECT_GT(many.latencyCycles, few.latencyCycles + 11 * 30);
}

// A product that is exponentiated in registers costs 12 instructions and a
// store for each element, but no byte of shared memory beyond what it would
// take itself.
TEST_F(TuningTest, WorkOfAFollower) {
  auto count = [&](StringRef exp, StringRef stored) {
    std::string text = R"mlir(
prism.program @p extents [n = 8, d = 64, h = 32] (%x: !prism.tensor<[n, d], f16>, %w: !prism.tensor<[d, h], f16>) -> (!prism.tensor<[n, h], f32>, !prism.tensor<[n], f32>) {
  %0 = prism.matmul %x, %w : (!prism.tensor<[n, d], f16>, !prism.tensor<[d, h], f16>) -> !prism.tensor<[n, h], f32>
  %1 = prism.reduce_sum %0 dims [1] : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0, %1 : !prism.tensor<[n, h], f32>, !prism.tensor<[n], f32>
} candidates {
  prism.candidate "p_0" mapped {
  ^bb0(%x: !prism.tensor<[n, d], f16>, %w: !prism.tensor<[d, h], f16>):
    %r:2 = prism.kernel "k0"(%a = %x, %b = %w) parallel [x grid] : (!prism.tensor<[n, d], f16>, !prism.tensor<[d, h], f16>) -> (!prism.tensor<[n, h], f32>, !prism.tensor<[n], f32>) {
      %ta = prism.load %a [[x], []] : !prism.tensor<[n, d], f16> -> !prism.tile<[n/x, d], f16>
      %tb = prism.load %b [[], []] : !prism.tensor<[d, h], f16> -> !prism.tile<[d, h], f16>
      %s = prism.matmul %ta, %tb : (!prism.tile<[n/x, d], f16>, !prism.tile<[d, h], f16>) -> !prism.tile<[n/x, h], f32>
      EXP
      %t = prism.reduce_sum STORED dims [1] : (!prism.tile<[n/x, h], f32>) -> !prism.tile<[n/x], f32>
      %y = prism.save STORED [[x], []] : !prism.tile<[n/x, h], f32> -> !prism.tensor<[n, h], f32>
      %z = prism.save %t [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %y, %z : !prism.tensor<[n, h], f32>, !prism.tensor<[n], f32>
    }
    prism.yield %r#0, %r#1 : !prism.tensor<[n, h], f32>, !prism.tensor<[n], f32>
  }
}
)mlir";
    for (auto [word, by] : {std::pair<StringRef, StringRef>{"EXP", exp},
                            {"STORED", stored},
                            {"STORED", stored}})
      text.replace(text.find(word), word.size(), by);
    KernelOp kernel = parse(text.c_str());
    EXPECT_TRUE(kernel);
    auto tileExtent = [](StringRef) -> std::optional<int64_t> { return 8; };
    auto values = [](StringRef name) -> std::optional<int64_t> {
      return name == "n" ? 8 : name == "d" ? 64 : 32;
    };
    std::string whyNot;
    auto plan = planKernel(kernel, {values, tileExtent}, *lookupTarget("sm_80"),
                           whyNot);
    EXPECT_TRUE(plan) << whyNot;
    return countBlockWork(kernel, *plan, values);
  };
  BlockWork without = count("", "%s");
  BlockWork with = count("%e = prism.exp %s : (!prism.tile<[n/x, h], f32>) -> "
                         "!prism.tile<[n/x, h], f32>",
                         "%e");
  EXPECT_EQ(with.sharedBytes, without.sharedBytes);
  EXPECT_EQ(with.instructions - without.instructions, 8 * 32 / 32 * 13.0);
  // 256 elements, 128 threads.
  EXPECT_EQ(with.latencyCycles - without.latencyCycles, 2 * 13.0);
}

// The extents of the second kernel are the numbers of blocks of the first: the
// best pair is the best over all numbers of blocks, and never two kernels that
// disagree in it.
TEST_F(TuningTest, KernelsAreSizedTogether) {
  ASSERT_TRUE(parse(pair));
  SmallVector<KernelOp> kernels;
  module->walk([&](KernelOp kernel) { kernels.push_back(kernel); });
  auto candidate = kernels[0]->getParentOfType<CandidateOp>();
  const Target &target = getTargets().front();
  uint64_t points = 0;
  std::string whyNot;
  double best = 1e9;
  for (const SizedKernel &first :
       sizeKernel(kernels[0], extents, target, 1000, points, whyNot)) {
    ASSERT_EQ(first.counts.size(), 1u);
    EXPECT_EQ(first.counts[0],
              (96 + first.parameters.tiles[0] - 1) / first.parameters.tiles[0]);
    auto known = [&](StringRef name) -> std::optional<int64_t> {
      return name == "k0.y" ? first.counts[0] : extents(name);
    };
    for (const SizedKernel &second :
         sizeKernel(kernels[1], known, target, 1000, points, whyNot))
      best = std::min(best, first.costUs + second.costUs);
  }
  // Alone, the second kernel has no size.
  EXPECT_TRUE(
      sizeKernel(kernels[1], extents, target, 1000, points, whyNot).empty());
  SizingCache cache;
  std::vector<SizedCandidate> sized =
      sizeCandidate(candidate, extents, target, {}, cache, whyNot);
  // Again, and nothing is planned again.
  uint64_t planned = cache.points;
  EXPECT_GT(planned, 0u);
  EXPECT_EQ(sizeCandidate(candidate, extents, target, {}, cache, whyNot).size(),
            sized.size());
  EXPECT_EQ(cache.points, planned);
  ASSERT_FALSE(sized.empty()) << whyNot;
  EXPECT_EQ(sized.front().kernels.size(), 2u);
  EXPECT_LE(sized.size(), SizingLimits().keepBest);
  // Partials of fewer blocks are taken first, then the cheapest follow.
  ASSERT_GE(sized.size(), 2u);
  EXPECT_EQ(sized[1].costUs, best);
  EXPECT_LE(sized[0].costUs, best * (1 + timeTolerance));
  EXPECT_LT(sized[0].bytes, sized[1].bytes);
  for (size_t i = 2; i < sized.size(); ++i)
    EXPECT_LE(sized[i - 1].costUs, sized[i].costUs);
}

// Of many candidates all points are planned for the cheapest only.
TEST_F(TuningTest, ManyCandidatesAreComparedByFewPoints) {
  ASSERT_TRUE(parse(pair));
  SmallVector<CandidateOp> candidates;
  module->walk([&](CandidateOp op) { candidates.push_back(op); });
  ASSERT_EQ(candidates.size(), 1u);
  const Target &target = getTargets().front();
  SizingLimits limits;
  limits.keepBest = 1;
  limits.coarsePointsPerKernel = 4;
  std::string whyNot;
  uint64_t onePoints = 0, manyPoints = 0;
  std::vector<SizedCandidate> one =
      sizeCandidates(candidates, extents, target, limits, onePoints, whyNot);
  candidates.append(9, candidates.front());
  std::vector<SizedCandidate> many =
      sizeCandidates(candidates, extents, target, limits, manyPoints, whyNot);
  ASSERT_EQ(one.size(), 1u);
  ASSERT_EQ(many.size(), 1u);
  EXPECT_EQ(one.front().costUs, many.front().costUs);
  EXPECT_GT(manyPoints, onePoints); // the few, in addition
}

// The cheapest tiles have 8 columns on sm_86, half of an instruction's rows.
TEST_F(TuningTest, NoHalfEmptyInstructions) {
  KernelOp kernel = parse(products);
  ASSERT_TRUE(kernel);
  auto values = [](StringRef name) -> std::optional<int64_t> {
    return name == "n" ? 8 : 1024;
  };
  const Target &target = *lookupTarget("sm_86");
  uint64_t points = 0;
  std::string whyNot;
  std::vector<SizedKernel> all =
      sizeKernel(kernel, values, target, 4096, points, whyNot);
  ASSERT_FALSE(all.empty()) << whyNot;
  constexpr double needed = 1024 / 16 * (1024 / 16);
  EXPECT_EQ(all.front().instructions, 2 * needed);
  // A loop of 8 at a time has FMAs, 64 of a warp for one mma.sync.
  for (const SizedKernel &sized : all)
    EXPECT_GE(sized.instructions,
              sized.parameters.tiles[1] < 16 ? 32 * needed : needed);
  const SizedKernel &taken = selectSizes(all);
  EXPECT_EQ(taken.instructions, needed);
  EXPECT_LE(taken.costUs, all.front().costUs * (1 + redundancyMargin));
  // Kernels are chosen together, however few forms are kept; the others are the
  // cheapest, whatever they issue.
  auto candidate = kernel->getParentOfType<CandidateOp>();
  for (unsigned keepBest : {1, 3}) {
    SizingLimits limits;
    limits.keepBest = keepBest;
    uint64_t points = 0;
    std::vector<SizedCandidate> sized =
        sizeCandidates(candidate, values, target, limits, points, whyNot);
    ASSERT_EQ(sized.size(), keepBest) << whyNot;
    EXPECT_EQ(sized.front().instructions, 2 * needed);
    EXPECT_EQ(sized.front().costUs, 2 * taken.costUs);
    for (unsigned i = 1; i < keepBest; ++i)
      EXPECT_GE(sized[i].instructions, 2 * needed);
    if (keepBest > 1)
      EXPECT_EQ(sized[1].costUs, 2 * all.front().costUs);
  }
}

// Work done twice must pay; then the bytes of partials decide among about equal
// times.
TEST_F(TuningTest, LeanFormsAreTaken) {
  auto select = [](std::vector<std::array<double, 3>> forms) {
    std::vector<SizedKernel> sized;
    for (auto [us, instructions, bytes] : forms)
      sized.push_back({{}, us, {}, instructions, bytes});
    return &selectSizes(sized) - sized.data();
  };
  EXPECT_EQ(select({{10, 400, 1}}), 0);
  EXPECT_EQ(select({{10, 0, 1}, {10.2, 0, 1}}), 0);
  EXPECT_EQ(select({{10, 400, 1}, {11.9, 100, 9}}), 1);
  EXPECT_EQ(
      select({{10, 200, 1}, {10.1, 300, 1}, {11, 100, 1}, {11.1, 100, 1}}), 2);
  // Too slow to spare instructions; or few of them are spared.
  EXPECT_EQ(select({{10, 400, 1}, {12.1, 100, 1}}), 0);
  EXPECT_EQ(select({{10, 104, 9}, {11, 100, 9}}), 0);
  // Fewer bytes, at about the same time and no more instructions.
  EXPECT_EQ(select({{10, 1, 9}, {10.2, 2, 1}, {10.4, 1, 5}, {10.6, 1, 1}}), 2);
  EXPECT_EQ(select({{10, 400, 1}, {11, 100, 9}, {11.4, 100, 1}}), 2);
  EXPECT_EQ(select({{10, 1, 104}, {10.2, 1, 100}}), 0);
}

// A space larger than the limit is sampled all over, no point twice.
TEST_F(TuningTest, LargeSpacesAreSampled) {
  KernelOp kernel = parse(nested);
  ASSERT_TRUE(kernel);
  std::set<int64_t> tilesOfX;
  std::set<std::pair<int64_t, int64_t>> seen;
  visitTileSizes(
      kernel, [](StringRef) { return std::optional<int64_t>(1 << 12); }, 30,
      [&](const TileSizes &tiles) {
        EXPECT_TRUE(seen.insert({tiles[0], tiles[1]}).second);
        tilesOfX.insert(tiles[0]);
      });
  EXPECT_EQ(seen.size(), 30u);
  EXPECT_GE(tilesOfX.size(), 8u); // of 10
}

// A loop that mostly waits is worth more stages than the planner takes by
// itself; what the sizes cost is what the kernel costs as it is scheduled, and
// the planner's schedule costs more.
TEST_F(TuningTest, SchedulesAreChosen) {
  KernelOp kernel = parse(nested);
  ASSERT_TRUE(kernel);
  auto longRows = [](StringRef name) -> std::optional<int64_t> {
    return name == "d" ? std::optional<int64_t>(1 << 16) : extents(name);
  };
  const Target &target = getTargets().front();
  uint64_t points = 0;
  std::string whyNot;
  // So few points that all have long loops.
  std::vector<SizedKernel> sized =
      sizeKernel(kernel, longRows, target, 12, points, whyNot);
  ASSERT_FALSE(sized.empty()) << whyNot;
  const KernelParameters &best = sized.front().parameters;
  EXPECT_TRUE(best.schedule.threads || best.schedule.stages);
  auto estimate = [&](Schedule schedule) {
    auto tileExtent = [&](StringRef name) -> std::optional<int64_t> {
      return best.tiles[name == "i"];
    };
    auto plan = planKernel(kernel, {longRows, tileExtent, {}, schedule}, target,
                           whyNot);
    return plan ? estimateKernelUs(kernel, *plan, target, longRows)
                : std::nullopt;
  };
  EXPECT_EQ(estimate(best.schedule), sized.front().costUs);
  EXPECT_GT(estimate({}), sized.front().costUs);
  // The kernel says it, and is planned so.
  setParameters(kernel, best);
  EXPECT_EQ(getSchedule(kernel).threads, best.schedule.threads);
  EXPECT_EQ(getSchedule(kernel).stages, best.schedule.stages);
}

TEST_F(TuningTest, SettingParameters) {
  KernelOp kernel = parse(nested);
  ASSERT_TRUE(kernel);
  setParameters(kernel, {{48, 16}, {/*threads=*/64, /*stages=*/4}});
  EXPECT_EQ(kernel.lookupParallelDim("x").getTile(), 48);
  EXPECT_EQ(kernel.lookupParallelDim("i").getTile(), 16);
  EXPECT_EQ(getSchedule(kernel).threads, 64);
  EXPECT_EQ(getSchedule(kernel).stages, 4);
  EXPECT_TRUE(succeeded(verify(kernel)));
  clearParameters(kernel);
  EXPECT_FALSE(kernel.lookupParallelDim("x").getTile());
  EXPECT_EQ(getSchedule(kernel).threads, 0);
  EXPECT_FALSE(kernel.getStages());
}
