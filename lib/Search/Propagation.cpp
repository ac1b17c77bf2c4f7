//===- Propagation.cpp - What a split does to values ----------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The schemas S1 to S4 of the design, read forwards.
//
//===----------------------------------------------------------------------===//

#include "Prism/Search/Propagation.h"
#include <optional>

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

ParallelState prism::propagate(const IterationStructure &structure,
                               llvm::ArrayRef<ParallelState> operands) {
  std::optional<unsigned> splitDim;
  bool isPending = false;
  for (auto [map, state] : llvm::zip_equal(structure.operandMaps, operands)) {
    if (state.isInvalid())
      return state;
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
