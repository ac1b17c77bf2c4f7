//===- MatmulPlan.h - Spreads matrix products over threads ------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_PLAN_MATMULPLAN_H
#define PRISM_LIB_PLAN_MATMULPLAN_H

#include "Prism/Plan/KernelPlan.h"

namespace prism::detail {

/// Groups the iteration dims of `op`, which are `structure`'s and whose largest
/// extents are `extents`.
MatmulPlan groupMatmulDims(MatmulOp op, const IterationStructure &structure,
                           llvm::ArrayRef<int64_t> extents);
/// Decides fragments and accumulators for `threads` threads, in one pass.
void distributeMatmul(MatmulPlan &plan, int64_t threads);
/// Cuts it into passes so that each takes at most `limit` accumulators, at
/// least 4.
void splitIntoPasses(MatmulPlan &plan, int64_t limit);

} // namespace prism::detail

#endif // PRISM_LIB_PLAN_MATMULPLAN_H
