//===- WarpgroupPlan.h - Matrix products of four warps ----------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which products are computed by wgmma.mma_async: four warps together multiply
// 64 rows by up to 256 columns, both operands read from swizzled tiles (see
// TileBuffer). Warps and fragments are those of MatmulPlan, whose sums wgmma
// keeps just as mma.sync does: a warpgroup has `rowFragments` parts of 64 rows,
// 16 of each in each of its warps, and `columnFragments` times 8 columns.
//
// Worked example: 128 rows, 64 columns, 256 threads: two warpgroups, each with
// one part of 64 rows and all columns; per 16 of the sum, two m64n64k16.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_PLAN_WARPGROUPPLAN_H
#define PRISM_PLAN_WARPGROUPPLAN_H

#include "Prism/Plan/KernelPlan.h"

namespace prism {

/// Threads of a warpgroup; rows, least columns and depth of an instruction, and
/// the most columns.
constexpr int64_t warpgroupThreads = 128, warpgroupRows = 64,
                  warpgroupColumns = 8, warpgroupDepth = 16,
                  mostWarpgroupColumns = 256;

/// How an operand of a product lies in shared memory.
struct WarpgroupOperand {
  const TileBuffer *buffer;
  int64_t rows;  ///< of the tile: all but its last dim
  int64_t panel; ///< elements of a row of a panel
  /// What lies together in a row: the sum's elements, or the rows (columns) of
  /// the product.
  bool isDepthMajor;

  /// Bytes from a row (column) of the product, or a depth, to the next of its
  /// panel, and from a panel to the next.
  int64_t getRowBytes() const { return buffer->swizzle; }
  int64_t getPanelBytes() const { return rows * buffer->swizzle; }
};

/// The operand that has the rows of the product's fragments, or the one that
/// has their columns; nothing where wgmma cannot read it. The product is
/// `step`'s, of which only extents and groups of dims are looked at.
std::optional<WarpgroupOperand>
getWarpgroupOperand(const KernelPlan &plan, const PlanStep &step, bool isRows);

/// Spreads the product over warpgroups of `threads` threads, with its operands
/// swapped if that is what it takes; false, and nothing done, where it cannot
/// be.
bool distributeOverWarpgroups(const KernelPlan &plan, PlanStep &step,
                              int64_t threads);

/// Whether the product of `step` is spread so, in one pass.
bool usesWarpgroups(const KernelPlan &plan, const PlanStep &step);

/// Stages of a loop that waits for its products by wgmma one step later: one is
/// computed with, one is still read by the step before, the rest is loaded.
constexpr int64_t deferringStages = 4;

/// Whether the product can be under way until the next step has started its
/// own: its sums stay in registers that the loop does not touch, and its
/// operands in stages of the loads.
bool canDefer(const KernelPlan &plan, const PlanStep &step);
/// Whether it is: the plan has the stages for that.
bool isDeferred(const KernelPlan &plan, const PlanStep &step);
/// Steps that loads run ahead of the loop.
int64_t getStepsAhead(const KernelPlan &plan);

} // namespace prism

#endif // PRISM_PLAN_WARPGROUPPLAN_H
