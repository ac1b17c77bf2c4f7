//===- PaperCount.h - Unique graphs as the paper counts them ----*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The paper's block graphs accumulate every result, also where there is no
// loop, so one kernel of ours without a loop is several of its graphs: one for
// each place that the accumulators may take. We read its bounds thus:
//
//   * the fewest ops, one kernel; an accumulator that reduces, too, takes the
//     place of the reduction;
//   * every path from a loader to a saver meets exactly one accumulator;
//   * matrix products stand before the accumulators;
//   * a normal form counts once with a loop, and without one as often as its
//     graphs have places (what is accumulated, up to normal form).
//
// Worked example: mul(silu(matmul(X, W)), matmul(X, V)) without a loop has
// three places: behind both products, behind silu and the other product, behind
// mul. With its one loop form and three sets of grid dims that makes 12.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_SEARCH_PAPERCOUNT_H
#define PRISM_SEARCH_PAPERCOUNT_H

#include "Prism/Dialect/PrismDialect.h"

namespace prism {

/// The number of graphs, in the paper's sense, among these mapped candidates of
/// one kernel each, all with the fewest ops.
uint64_t countPaperGraphs(llvm::ArrayRef<CandidateOp> candidates);

} // namespace prism

#endif // PRISM_SEARCH_PAPERCOUNT_H
