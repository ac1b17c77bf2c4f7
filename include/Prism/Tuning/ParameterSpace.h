//===- ParameterSpace.h - Tile extents of a mapped candidate ----*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sizes that parameter instantiation considers (paper section 5): for each
// parallel dim the tile extents that are powers of two, and the whole extent;
// for a grid dim also 1. Beside the tiles there is a schedule: threads of a
// block and stages of the load pipeline.
//
// Worked example: a loop over d = 96 has the tiles 8, 16, 32, 64 and 96; inside
// a grid tile of 48 on the same dim only those that divide it: 8, 16 and 48.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_TUNING_PARAMETERSPACE_H
#define PRISM_TUNING_PARAMETERSPACE_H

#include "Prism/Plan/KernelPlan.h"

namespace prism {

/// Tile extents in elements, by kernel and parallel dim, in the order of the
/// kernels in the candidate and of the dims in their declarations.
using TileSizes = llvm::SmallVector<int64_t>;

/// The tile extents to try for a dim of `extent` elements, ascending.
llvm::SmallVector<int64_t> getTileChoices(int64_t extent);

/// Calls `visit` with every point of the space of `kernel`, in a fixed order,
/// at most `limit` points, which are spread over a space that has more;
/// `extentOf` gives the elements that each parallel dim splits. Points whose
/// loop tile does not divide the grid tile on the same dim are left out.
/// Returns the number of points visited.
uint64_t visitTileSizes(
    KernelOp kernel,
    llvm::function_ref<std::optional<int64_t>(llvm::StringRef)> extentOf,
    uint64_t limit, llvm::function_ref<void(const TileSizes &)> visit);

/// The whole extent that the parallel dim `dim` of `kernel` splits; unknown if
/// it splits none.
DimExpr getSplitExtent(KernelOp kernel, llvm::StringRef dim);

/// Whether `inner` splits, in some map of `kernel`, a dim that `outer` splits
/// already: then its tile must divide that of `outer`.
bool isNestedIn(KernelOp kernel, llvm::StringRef inner, llvm::StringRef outer);

/// All that is chosen for one kernel.
struct KernelParameters {
  TileSizes tiles;
  Schedule schedule;
};

/// Sets the tile extents of `kernel`'s parallel dims, and its schedule.
void setParameters(KernelOp kernel, const KernelParameters &parameters);
/// Leaves them open again.
void clearParameters(KernelOp kernel);

} // namespace prism

#endif // PRISM_TUNING_PARAMETERSPACE_H
