//===- Numbers.h - Compute ops on parts of tensors -*- C++ -* -------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of a tensor is a lattice: for each dim the positions that are held. An
// op is evaluated at a lattice of its result, from lattices of its operands
// that hold what that takes (`getNeeded`), so that a few rows of a large
// product cost what a few rows cost.
//
// Worked example: rows {0, 7} and columns {64 .. 127} of x w, with x of 8x4096
// and w of 4096x4096, need rows {0, 7} of x and columns {64 .. 127} of w, both
// along all 4096 of the summed dim: 2 * 64 * 4096 products.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_GATE_NUMBERS_H
#define PRISM_LIB_GATE_NUMBERS_H

#include "Scalars.h"

namespace prism::gate {

/// Ascending positions in each dim.
using Positions = llvm::SmallVector<std::vector<int64_t>, 4>;

/// All positions of each dim.
Positions getAllPositions(llvm::ArrayRef<int64_t> extents);
/// What either holds; an empty lattice (no dims given yet) is the other.
Positions unite(const Positions &a, const Positions &b);
int64_t countPoints(const Positions &positions);
/// Calls `visit` with the number and the position of each point of `lattice`,
/// row-major.
void forEachPoint(
    const Positions &lattice,
    llvm::function_ref<void(int64_t, llvm::ArrayRef<int64_t>)> visit);
/// The same with the place of each point in the whole tensor, row-major.
void forEachPlace(const Positions &lattice, llvm::ArrayRef<int64_t> extents,
                  llvm::function_ref<void(int64_t, int64_t)> visit);

/// Part of a tensor or tile.
struct Numbers {
  llvm::SmallVector<int64_t> extents; ///< of the whole tensor
  Positions at;
  std::vector<double> values; ///< row-major over `at`
  std::vector<double> bounds; ///< see Scalars.h; empty if not asked for

  Numbers() = default;
  /// Zeros.
  Numbers(llvm::ArrayRef<int64_t> extents, Positions at, bool withBounds);
};

/// The part of `numbers` at `positions`, which it holds.
Numbers extract(const Numbers &numbers, const Positions &positions);

/// The lattice of operand `index` of `op` that its result at `result` needs.
/// None where `op` has no numbers here.
std::optional<Positions>
getNeeded(ComputeOpInterface op, unsigned index,
          llvm::ArrayRef<llvm::ArrayRef<int64_t>> operandExtents,
          llvm::ArrayRef<int64_t> resultExtents, const Positions &result);

/// How many scalar computations `op` takes at `points` of its result.
uint64_t countWork(ComputeOpInterface op,
                   llvm::ArrayRef<llvm::ArrayRef<int64_t>> operandExtents,
                   int64_t points);
/// What they take here, in steps of a warp on the simulated device.
uint64_t countSteps(ComputeOpInterface op,
                    llvm::ArrayRef<llvm::ArrayRef<int64_t>> operandExtents,
                    int64_t points);
/// What they may be expected to take as part of a kernel that runs there.
uint64_t
estimateSimulated(ComputeOpInterface op,
                  llvm::ArrayRef<llvm::ArrayRef<int64_t>> operandExtents,
                  int64_t points);

/// Fills `result`, whose extents and positions are set. The op is no constant
/// and no composite. False if it is unknown here.
bool evaluateOp(ComputeOpInterface op, llvm::ArrayRef<const Numbers *> operands,
                Evaluation precision, Numbers &result);

} // namespace prism::gate

#endif // PRISM_LIB_GATE_NUMBERS_H
