//===- PropagationTest.cpp - What a split does to values ------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The transfer function, case by case, and against numbers: random tiny
// structures are evaluated chunk by chunk, and what propagation claims of the
// result must hold.
//
//===----------------------------------------------------------------------===//

#include "Prism/Search/Propagation.h"
#include "Numbers.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace prism;

namespace {

using State = ParallelState;
using Kind = IterationKind;
using namespace prism::test;

IterationStructure getMatmul() {
  IterationStructure s;
  s.dims = {Kind::Parallel, Kind::Parallel, Kind::Sum};
  s.operandMaps = {{{0}, {2}}, {{2}, {1}}};
  s.resultMap = {{0}, {1}};
  s.linearGroups = {{0}, {1}};
  return s;
}

/// a op b, b broadcast along the second dim.
IterationStructure
getRowOp(llvm::SmallVector<llvm::SmallVector<unsigned>> groups) {
  IterationStructure s;
  s.dims = {Kind::Parallel, Kind::Parallel};
  s.operandMaps = {{{0}, {1}}, {{0}}};
  s.resultMap = {{0}, {1}};
  s.linearGroups = std::move(groups);
  return s;
}

IterationStructure getReduction(Kind kind) {
  IterationStructure s;
  s.dims = {Kind::Parallel, kind};
  s.operandMaps = {{{0}, {1}}};
  s.resultMap = {{0}};
  if (kind == Kind::Sum)
    s.linearGroups = {{0}};
  return s;
}

// S1: rows of the left operand are rows of the result.
TEST(PropagationTest, S1ParallelDim) {
  auto s = getMatmul();
  EXPECT_EQ(propagate(s, {State::part(0), State::replicated()}),
            State::part(0));
  EXPECT_EQ(propagate(s, {State::replicated(), State::part(1)}),
            State::part(1));
  EXPECT_TRUE(propagate(s, {State::part(0), State::part(1)}).isInvalid());
}

// S1: a broadcast operand must be split with the dim that it carries, and must
// be replicated along the one that it lacks.
TEST(PropagationTest, S1Broadcast) {
  auto s = getRowOp({{0}, {1}});
  EXPECT_EQ(propagate(s, {State::part(0), State::part(0)}), State::part(0));
  EXPECT_EQ(propagate(s, {State::part(1), State::replicated()}),
            State::part(1));
  EXPECT_TRUE(propagate(s, {State::part(0), State::replicated()}).isInvalid());
  EXPECT_TRUE(propagate(s, {State::part(1), State::part(0)}).isInvalid());
}

// S2: both operands are split in the summed dim.
TEST(PropagationTest, S2SumDim) {
  auto s = getMatmul();
  EXPECT_TRUE(propagate(s, {State::part(1), State::part(0)}).isPendingSum());
  EXPECT_TRUE(propagate(s, {State::part(1), State::replicated()}).isInvalid());
  EXPECT_TRUE(
      propagate(getReduction(Kind::Sum), {State::part(1)}).isPendingSum());
}

TEST(PropagationTest, MaxAndWholeDimsAreNotSplit) {
  EXPECT_TRUE(propagate(getReduction(Kind::Max), {State::part(1)}).isInvalid());
  EXPECT_TRUE(
      propagate(getReduction(Kind::Whole), {State::part(1)}).isInvalid());
  EXPECT_EQ(propagate(getReduction(Kind::Max), {State::part(0)}),
            State::part(0));
}

TEST(PropagationTest, S3Replicated) {
  EXPECT_TRUE(propagate(getMatmul(), {State::replicated(), State::replicated()})
                  .isReplicated());
  EXPECT_TRUE(propagate(IterationStructure(), {}).isReplicated()); // a constant
}

// S4: one whole group of jointly linear operands.
TEST(PropagationTest, S4Linear) {
  auto pending = State::pendingSum(), all = State::replicated();
  auto mul = getRowOp({{0}, {1}}), add = getRowOp({{0, 1}}),
       div = getRowOp({{0}}), max = getRowOp({});
  EXPECT_TRUE(propagate(mul, {pending, all}).isPendingSum());
  EXPECT_TRUE(propagate(mul, {all, pending}).isPendingSum());
  EXPECT_TRUE(propagate(mul, {pending, pending}).isInvalid());
  EXPECT_TRUE(propagate(add, {pending, pending}).isPendingSum());
  EXPECT_TRUE(propagate(add, {pending, all}).isInvalid());
  EXPECT_TRUE(propagate(div, {pending, all}).isPendingSum());
  EXPECT_TRUE(propagate(div, {all, pending}).isInvalid());
  EXPECT_TRUE(propagate(max, {pending, all}).isInvalid());
  EXPECT_TRUE(propagate(mul, {pending, State::part(0)}).isInvalid());
}

State getScaled(State::Kind kind, unsigned dim, unsigned shift,
                llvm::ArrayRef<unsigned> shiftDims) {
  State state = State::get(kind);
  state.dim = dim;
  state.shift = shift;
  state.shiftDims.assign(shiftDims.begin(), shiftDims.end());
  return state;
}

// S6: rows of E[n, s] are scaled by a maximum m[n]; E is split in s.
TEST(PropagationTest, S6ScaledOperand) {
  State scaled = getScaled(State::Scaled, 1, /*shift=*/7, {0});
  State pending = getScaled(State::PendingRescaledSum, 0, 7, {0});
  // E V, and the sums of the rows of E.
  EXPECT_EQ(propagate(getMatmul(), {scaled, State::part(0)}), pending);
  EXPECT_EQ(propagate(getReduction(Kind::Sum), {scaled}), pending);
  // A maximum of each column goes into the sum itself: it cannot be undone.
  State byColumn = getScaled(State::Scaled, 0, 7, {1});
  EXPECT_TRUE(propagate(getReduction(Kind::Sum), {byColumn}).isInvalid());
  // Not linear in the operand.
  EXPECT_TRUE(propagate(getRowOp({{0}}), {State::part(0), scaled}).isInvalid());
  EXPECT_TRUE(propagate(getReduction(Kind::Max), {scaled}).isInvalid());
}

// A slice takes other rows out of E than the maximum has.
TEST(PropagationTest, S6WholeDimOfTheShift) {
  IterationStructure slice;
  slice.dims = {Kind::Whole, Kind::Parallel};
  slice.operandMaps = {{{0}, {1}}};
  slice.resultMap = {{0}, {1}};
  slice.linearGroups = {{0}};
  State byRow = getScaled(State::Scaled, 1, 7, {0});
  EXPECT_TRUE(propagate(slice, {byRow}).isInvalid());
  slice.dims[0] = Kind::Parallel;
  EXPECT_EQ(propagate(slice, {byRow}), byRow);
}

TEST(PropagationTest, S6PendingRescaledSum) {
  State pending = getScaled(State::PendingRescaledSum, 0, 7, {0});
  auto scale = getRowOp({{0}, {1}}), add = getRowOp({{0, 1}});
  EXPECT_EQ(propagate(scale, {pending, State::replicated()}), pending);
  // Sums by different maxima, or by none, do not add up.
  State other = getScaled(State::PendingRescaledSum, 0, 8, {0});
  EXPECT_EQ(propagate(add, {pending, pending}), pending);
  EXPECT_TRUE(propagate(add, {pending, other}).isInvalid());
  EXPECT_TRUE(propagate(add, {pending, State::pendingSum()}).isInvalid());
  EXPECT_TRUE(propagate(scale, {pending, pending}).isInvalid());
}

TEST(PropagationTest, MergedDimIsSplitAlongItsOutermostFactor) {
  IterationStructure merge;
  merge.dims = {Kind::Parallel, Kind::Whole};
  merge.operandMaps = {{{0}, {1}}};
  merge.resultMap = {{0, 1}};
  merge.linearGroups = {{0}};
  EXPECT_EQ(propagate(merge, {State::part(0)}), State::part(0));
  EXPECT_TRUE(propagate(merge, {State::part(1)}).isInvalid());
}

TEST(PropagationTest, UnitDimIsNotSplit) {
  IterationStructure s;
  s.dims = {Kind::Parallel};
  s.operandMaps = {{{0}, {}}};
  s.resultMap = {{0}, {}};
  EXPECT_TRUE(propagate(s, {State::part(1)}).isInvalid());
}

//===----------------------------------------------------------------------===//
// Against numbers
//===----------------------------------------------------------------------===//

constexpr int chunks = 3;
/// Ragged chunks of an extent of 5: [0, 2), [2, 4), [4, 5).
constexpr int extent = 5, tile = 2;

Data random(std::mt19937 &engine, int rank) {
  return randomData(engine, std::vector<int>(rank, extent));
}

struct Op {
  IterationStructure structure;
  Scalar scalar;
};

std::vector<Op> getOps() {
  auto mul = [](llvm::ArrayRef<double> x) { return x[0] * x[1]; };
  auto id = [](llvm::ArrayRef<double> x) { return x[0]; };
  return {{getMatmul(), mul},
          {getRowOp({{0}, {1}}), mul},
          {getRowOp({{0}}), [](auto x) { return x[0] / x[1]; }},
          {getRowOp({{0, 1}}), [](auto x) { return x[0] + x[1]; }},
          {getRowOp({{0, 1}}), [](auto x) { return x[0] - x[1]; }},
          {getRowOp({}), [](auto x) { return std::max(x[0], x[1]); }},
          {getReduction(Kind::Sum), id},
          {getReduction(Kind::Max), id}};
}

/// What each chunk holds of a value in `state`; null if it has no such dim.
std::optional<std::vector<Data>> distribute(std::mt19937 &engine,
                                            const Data &whole, State state) {
  std::vector<Data> result;
  if (state.isPart() && state.dim >= whole.shape.size())
    return std::nullopt;
  Data rest = whole;
  for (int chunk = 0; chunk < chunks; ++chunk) {
    if (state.isPart()) {
      result.push_back(slice(whole, state.dim, chunk * tile,
                             std::min((chunk + 1) * tile, extent)));
      continue;
    }
    Data part = whole;
    if (state.isPendingSum() && chunk + 1 < chunks) {
      part = random(engine, whole.shape.size());
      for (size_t i = 0; i < rest.values.size(); ++i)
        rest.values[i] -= part.values[i];
    } else if (state.isPendingSum()) {
      part = rest;
    }
    result.push_back(part);
  }
  return result;
}

/// Whether the chunks hold `whole` as `state` says.
bool holds(llvm::ArrayRef<Data> parts, const Data &whole, State state) {
  auto near = [](llvm::ArrayRef<double> a, llvm::ArrayRef<double> b) {
    if (a.size() != b.size())
      return false;
    for (auto [x, y] : llvm::zip_equal(a, b))
      if (!(std::abs(x - y) <= 1e-9 * (1 + std::abs(y))))
        return false;
    return true;
  };
  std::vector<double> sum(whole.values.size(), 0);
  for (auto [chunk, part] : llvm::enumerate(parts)) {
    if (state.isPart()) {
      int begin = chunk * tile;
      Data expected =
          slice(whole, state.dim, begin, std::min(begin + tile, extent));
      if (!near(part.values, expected.values))
        return false;
    } else if (state.isReplicated()) {
      if (!near(part.values, whole.values))
        return false;
    } else if (part.values.size() != sum.size()) {
      return false;
    } else {
      for (size_t i = 0; i < sum.size(); ++i)
        sum[i] += part.values[i];
    }
  }
  return !state.isPendingSum() || near(sum, whole.values);
}

// Sound: what propagation claims holds. Complete on these ops: where it claims
// nothing, no state holds of the result on random numbers, or the operands do
// not fit together.
TEST(PropagationTest, AgreesWithNumbers) {
  std::mt19937 engine(7);
  const State states[] = {State::replicated(), State::part(0), State::part(1),
                          State::pendingSum()};
  unsigned claims = 0, refusals = 0;
  for (const Op &op : getOps()) {
    const IterationStructure &s = op.structure;
    std::vector<Data> wholes;
    for (const IndexMap &map : s.operandMaps)
      wholes.push_back(random(engine, map.size()));
    Data expected = *evaluate(s, op.scalar, wholes);
    unsigned combinations = wholes.size() == 1 ? 4 : 16;
    for (unsigned combination = 0; combination < combinations; ++combination) {
      llvm::SmallVector<State> operandStates;
      std::vector<std::vector<Data>> parts;
      bool exists = true;
      for (size_t i = 0; i < wholes.size(); ++i) {
        State state = states[i == 0 ? combination % 4 : combination / 4];
        auto distributed = distribute(engine, wholes[i], state);
        exists &= distributed.has_value();
        operandStates.push_back(state);
        parts.push_back(distributed.value_or(std::vector<Data>()));
      }
      if (!exists)
        continue;
      // Chunks that do not fit together have no result.
      std::vector<Data> results;
      for (int chunk = 0; chunk < chunks; ++chunk) {
        std::vector<Data> operands;
        for (const auto &list : parts)
          operands.push_back(list[chunk]);
        if (std::optional<Data> result = evaluate(s, op.scalar, operands))
          results.push_back(*result);
      }
      State claimed = propagate(s, operandStates);
      bool fits = results.size() == chunks;
      if (!claimed.isInvalid()) {
        ++claims;
        ASSERT_TRUE(fits);
        EXPECT_TRUE(holds(results, expected, claimed));
        continue;
      }
      ++refusals;
      if (!fits)
        continue;
      for (State state : states)
        if (!state.isPart() || state.dim < expected.shape.size())
          EXPECT_FALSE(holds(results, expected, state));
    }
  }
  EXPECT_GT(claims, 20u);
  EXPECT_GT(refusals, 20u);
}

} // namespace
