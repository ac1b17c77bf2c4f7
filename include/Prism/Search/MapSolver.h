//===- MapSolver.h - Assignments of mapping variables -----------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All assignments of a symbolic kernel's mapping variables that may be right.
// They are products of right assignments of single parallel dims, subject to
// equations (1) and (2), so each dim is solved by itself:
//
//   - variables that the equalities tie together are one unknown;
//   - (1) a parallel dim splits at most one dim of each loader and saver, and
//     all dims it splits have the same extent;
//   - a grid dim splits each saver in exactly one dim (the omap is derived:
//     nothing else propagates to a part), the loop dim splits some loader;
//   - propagation through the kernel ends in exactly that state at each saver,
//     and in a pending sum (maximum, rescaled sum) at each accumulator over the
//     dim;
//   - in a kernel that writes partial results along a grid dim s, s splits none
//     of them and each is pending along it; other grid dims split at least one,
//     and those that they do not split are the same all along them.
//
// Worked example: relu on X[n, d] with grid dims x, y. Each can split n, or d:
// the assignments are {x: n}, {x: d} and {x: n, y: d}; {x: d, y: n} is the last
// one with x and y renamed.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_SEARCH_MAPSOLVER_H
#define PRISM_SEARCH_MAPSOLVER_H

#include "Prism/Search/Search.h"

namespace prism {

/// What one parallel dim splits.
struct DimAssignment {
  unsigned parallelDim; ///< index in the kernel's declaration
  /// Per loader and saver, in block order: the data dim split, or none.
  llvm::SmallVector<std::optional<unsigned>> splits;

  bool operator==(const DimAssignment &other) const {
    return parallelDim == other.parallelDim && splits == other.splits;
  }
};

/// The parallel dims that are used, grid dims before the loop dim.
using MapAssignment = llvm::SmallVector<DimAssignment>;

struct MapSolverResult {
  std::vector<MapAssignment> assignments;
  uint64_t pruned = 0; ///< assignments of one parallel dim ruled out
  /// With `keepRejected`, those of them that are well-formed, but wrong by
  /// propagation.
  std::vector<DimAssignment> rejected;
  /// Why the kernel cannot be solved; empty if it can.
  std::string error;
  bool isComplete = true; ///< the budget did not end it
};

/// Ends early when `budget` is past; that may be null. With `onlyLargest`,
/// grids that are others without some of their dims are left out: they are
/// these with one block along the dim.
MapSolverResult solveMaps(KernelOp kernel, const InstantiateOptions &options,
                          bool onlyLargest = false,
                          const Budget *budget = nullptr);

/// Why the maps of a kernel cannot be right.
struct MapFailure {
  bool isShape; ///< an assignment ruled out before anything is propagated
  mlir::Operation *op; ///< where it fails: a loader, an op, a saver, the kernel
  std::string why;
};

/// The first failure of a kernel without mapping variables; none if the maps
/// are among those that `solveMaps` may find.
std::optional<MapFailure> findMapFailure(KernelOp kernel);

/// The mapped candidate that these assignments, one per kernel, make of a
/// symbolic one; before it in its block.
CandidateOp instantiateCandidate(CandidateOp candidate,
                                 llvm::ArrayRef<MapAssignment> assignments);

} // namespace prism

#endif // PRISM_SEARCH_MAPSOLVER_H
