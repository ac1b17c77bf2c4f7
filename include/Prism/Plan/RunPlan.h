//===- RunPlan.h - Elements that a thread takes at once ---------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A *run* is some elements of a tile that follow each other along its last dim:
// a power of two of them, the first at a multiple of that. A thread computes
// the elements of a run together, so that loads and stores are wide, and what
// is the same for all of a run (a row's statistic, say) is there once. A run is
// never cut: extents in all blocks and steps are multiples of it.
//
// Worked example: save of a 8x64 tile of f16 that is x[i, j] * s[i]: runs of 8.
// A thread loads 8 elements of x with one instruction, s[i] with another, and
// stores 16 bytes.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_PLAN_RUNPLAN_H
#define PRISM_PLAN_RUNPLAN_H

#include "Prism/Plan/KernelPlan.h"

namespace prism {

/// The most bytes of one access.
constexpr int64_t accessBytes = 16;

/// What the elements of an operand are that a run of results is computed from.
enum class OperandRun {
  Same,     ///< one for the whole run
  Along,    ///< a run, too
  Scattered ///< somewhere each
};

/// For operand `operand` of `op`, an op of one scalar form or one that only
/// says where elements are, and runs of `length`. `evaluate` gives the largest
/// value of an extent.
OperandRun getOperandRun(ComputeOpInterface op, unsigned operand,
                         int64_t length,
                         llvm::function_ref<int64_t(const DimExpr &)> evaluate);

/// Whether `extent` is a multiple of `length` in all blocks and steps.
bool isMultiple(KernelOp kernel, const KernelPlan &plan,
                const KernelSizes &sizes, const DimExpr &extent,
                int64_t length);

/// How many elements of a run of `length` one access can reach: in the tensor
/// that a loader reads or a saver writes, and in a tile in shared memory.
int64_t getAccessLength(KernelOp kernel, const KernelPlan &plan,
                        const KernelSizes &sizes, mlir::Operation *loadOrSave,
                        int64_t length);
int64_t getAccessLength(const TileBuffer &buffer, int64_t length);

/// Registers of each thread that the loop carries for `step`: the sums of a
/// product, or, of a reduction, what a lane has of its group's results.
int64_t countCarried(const KernelPlan &plan, const PlanStep &step);

/// The length of the runs that `step` is computed in, threads and buffers being
/// planned: of the result's elements, or, of a reduction, of those reduced. 1
/// where there is nothing to gain.
int64_t planRun(KernelOp kernel, const KernelPlan &plan,
                const KernelSizes &sizes, const PlanStep &step);

} // namespace prism

#endif // PRISM_PLAN_RUNPLAN_H
