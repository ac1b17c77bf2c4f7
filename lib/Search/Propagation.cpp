//===- Propagation.cpp - What a split does to values ----------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The schemas S1 to S4 and S6 of the design, read forwards.
//
//===----------------------------------------------------------------------===//

#include "Prism/Search/Propagation.h"
#include "Prism/Dialect/PrismDialect.h"
#include <optional>

using namespace mlir;
using namespace prism;

/// The iteration dim that a split of data dim `dim` splits: the outermost
/// factor. None for an extent of 1, which is never split.
static std::optional<unsigned> getSplitIterationDim(const IndexMap &map,
                                                    unsigned dim) {
  if (map[dim].empty())
    return std::nullopt;
  return map[dim].front();
}

/// S4.
static ParallelState propagatePending(const IterationStructure &structure,
                                      llvm::ArrayRef<ParallelState> operands) {
  llvm::SmallVector<unsigned> pending;
  for (auto [index, state] : llvm::enumerate(operands)) {
    if (state.isPart())
      return ParallelState::invalid();
    if (state.isPendingSum())
      pending.push_back(index);
  }
  // Declared groups are ascending.
  if (llvm::is_contained(structure.linearGroups, pending))
    return ParallelState::pendingSum();
  return ParallelState::invalid();
}

/// S1 and S2, where iteration dim `k` is split.
static ParallelState propagateSplit(const IterationStructure &structure,
                                    llvm::ArrayRef<ParallelState> operands,
                                    unsigned k) {
  for (auto [map, state] : llvm::zip_equal(structure.operandMaps, operands)) {
    bool isSplit = state.isPart() && getSplitIterationDim(map, state.dim) == k;
    if (isSplit != IterationStructure::carries(map, k) ||
        isSplit != state.isPart())
      return ParallelState::invalid();
  }
  if (structure.dims[k] == IterationKind::Sum)
    return ParallelState::pendingSum();
  if (structure.dims[k] != IterationKind::Parallel)
    return ParallelState::invalid();
  for (auto [dim, factors] : llvm::enumerate(structure.resultMap))
    if (!factors.empty() && factors.front() == k)
      return ParallelState::part(dim);
  return ParallelState::invalid();
}

/// S1 to S4.
static ParallelState propagateParts(const IterationStructure &structure,
                                    llvm::ArrayRef<ParallelState> operands) {
  std::optional<unsigned> splitDim;
  bool isPending = false;
  for (auto [map, state] : llvm::zip_equal(structure.operandMaps, operands)) {
    isPending |= state.isPendingSum();
    if (!state.isPart())
      continue;
    splitDim = getSplitIterationDim(map, state.dim);
    if (!splitDim)
      return ParallelState::invalid();
  }
  if (isPending)
    return propagatePending(structure, operands);
  if (splitDim)
    return propagateSplit(structure, operands, *splitDim);
  return ParallelState::replicated();
}

/// The data dims of the result that carry the data dims `dims` of `operand`.
/// None if one is reduced, or no parallel dim that stands alone.
static std::optional<llvm::SmallVector<unsigned, 2>>
findResultDims(const IterationStructure &structure, unsigned operand,
               llvm::ArrayRef<unsigned> dims) {
  llvm::SmallVector<unsigned, 2> result;
  for (unsigned dim : dims) {
    const auto &factors = structure.operandMaps[operand][dim];
    if (factors.size() != 1 ||
        structure.dims[factors.front()] != IterationKind::Parallel)
      return std::nullopt;
    auto *it = llvm::find(structure.resultMap, factors);
    if (it == structure.resultMap.end())
      return std::nullopt;
    result.push_back(it - structure.resultMap.begin());
  }
  return result;
}

/// S6: a factor exp(M - m_j) goes the way of a linear operand.
static ParallelState propagateScaled(const IterationStructure &structure,
                                     llvm::ArrayRef<ParallelState> operands) {
  llvm::SmallVector<unsigned> relative;
  llvm::SmallVector<ParallelState> absolute(operands);
  ParallelState scale;
  for (auto [index, state] : llvm::enumerate(operands)) {
    if (!state.isRelative())
      continue;
    auto dims = findResultDims(structure, index, state.shiftDims);
    bool isFirst = relative.empty();
    if (state.kind == ParallelState::Shifted || !dims ||
        (!isFirst && (state.shift != scale.shift || *dims != scale.shiftDims)))
      return ParallelState::invalid();
    scale.shift = state.shift;
    scale.shiftDims = *dims;
    relative.push_back(index);
    absolute[index] = state.isPendingRescaledSum()
                          ? ParallelState::pendingSum()
                          : ParallelState::part(state.dim);
  }
  if (!llvm::is_contained(structure.linearGroups, relative))
    return ParallelState::invalid();
  ParallelState result = propagateParts(structure, absolute);
  if (!result.isPart() && !result.isPendingSum())
    return ParallelState::invalid();
  scale.kind = result.isPart() ? ParallelState::Scaled
                               : ParallelState::PendingRescaledSum;
  scale.dim = result.dim;
  return scale;
}

ParallelState prism::propagate(const IterationStructure &structure,
                               llvm::ArrayRef<ParallelState> operands) {
  bool isRelative = false;
  for (const ParallelState &state : operands) {
    if (state.isInvalid() || state.isPendingMax())
      return ParallelState::invalid();
    isRelative |= state.isRelative();
  }
  return isRelative ? propagateScaled(structure, operands)
                    : propagateParts(structure, operands);
}

/// x - m, where x is a part, and the maximum m is pending.
static ParallelState propagateShift(const IterationStructure &structure,
                                    const ParallelState &part,
                                    const ParallelState &shift) {
  std::optional<unsigned> k =
      getSplitIterationDim(structure.operandMaps[0], part.dim);
  const IndexMap &shiftMap = structure.operandMaps[1];
  if (!k || IterationStructure::carries(shiftMap, *k))
    return ParallelState::invalid();
  ParallelState result = propagateParts(
      structure, {ParallelState::part(part.dim), ParallelState::replicated()});
  auto dims = findResultDims(
      structure, 1, llvm::to_vector(llvm::seq<unsigned>(0, shiftMap.size())));
  if (!result.isPart() || !dims)
    return ParallelState::invalid();
  result.kind = ParallelState::Shifted;
  result.shift = shift.shift;
  result.shiftDims = *dims;
  return result;
}

ParallelState prism::propagate(Operation *op,
                               const IterationStructure &structure,
                               llvm::ArrayRef<ParallelState> operands,
                               unsigned id) {
  if (isa<CastOp>(op) && !structure.linearGroups.empty()) // does not round
    return operands.front();
  if (isa<SubOp>(op) && operands[0].isPart() && operands[1].isPendingMax())
    return propagateShift(structure, operands[0], operands[1]);
  if (isa<ExpOp>(op) && operands[0].kind == ParallelState::Shifted) {
    ParallelState scaled = operands[0];
    scaled.kind = ParallelState::Scaled;
    return scaled;
  }
  if (isa<ReduceMaxOp>(op) && operands[0].isPart()) {
    std::optional<unsigned> k =
        getSplitIterationDim(structure.operandMaps[0], operands[0].dim);
    if (k && structure.dims[*k] == IterationKind::Max)
      return ParallelState::pendingMax(id);
  }
  return propagate(structure, operands);
}
