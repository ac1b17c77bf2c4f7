//===- AssumedExtents.h - What dynamic extents are costed at ----*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Costs need numbers where a program has extents that are known at run time
// only. This is the one place that says which: all dynamic extents of a program
// have each of a few values in turn, all of them the same one, and a cost is
// the mean over these. Kernels are right for all other extents, too; only the
// choice among them rests on the values.
//
// The defaults stand for one row (decoding), a small batch, a large one, and
// many rows (prefill). A program may carry values of its own, in an attribute
// that the option `assumed-extents` of the passes sets.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_TUNING_ASSUMEDEXTENTS_H
#define PRISM_TUNING_ASSUMEDEXTENTS_H

#include "Prism/Tuning/CostModel.h"

namespace prism {

/// Discardable attribute of a program: a DenseI64ArrayAttr, ascending.
inline constexpr llvm::StringLiteral assumedExtentsAttrName =
    "prism.assumed_extents";

/// Whether an extent of `program` is known at run time only.
bool hasDynamicExtents(ProgramOp program);

/// The values that the dynamic extents of the program around `op` (or of `op`
/// itself) are costed at, ascending; never none.
llvm::ArrayRef<int64_t> getAssumedExtents(mlir::Operation *op);

/// Makes `program` carry `values`, in any order; the defaults if there are
/// none.
void setAssumedExtents(ProgramOp program, llvm::ArrayRef<int64_t> values);

/// An error at `loc` unless each of `values`, the option `assumed-extents`, can
/// be an extent: at least 1, at most what 32 bits hold.
llvm::LogicalResult checkAssumedExtents(mlir::Location loc,
                                        llvm::ArrayRef<int64_t> values);

/// The mean of `estimate` over what the dynamic extents of `program` are
/// assumed to be; no value where `estimate` has none. Called once if no extent
/// is dynamic.
std::optional<double> getMeanEstimate(
    ProgramOp program,
    llvm::function_ref<std::optional<double>(SymbolValueFn)> estimate);

} // namespace prism

#endif // PRISM_TUNING_ASSUMEDEXTENTS_H
