//===- Estimate.h - What a part may cost at least ---------------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The cost model (Tuning/CostModel.h) on a part that has not been searched: the
// least microseconds over the ways to split it over a grid, as if every loader
// were read once a block, nothing else were loaded and all of it fit. Dims are
// split where the iteration structures let them be: those that all results
// carry and nothing sums; with `allowSplits` also one that is summed, at the
// cost of a second launch and of the partial results. It orders the search and
// prunes it; what is chosen has been searched.
//
// Worked example: x[8, 4096] W1[4096, 11008] W2[11008, 4096] in one kernel: the
// 4096 columns split over 64 blocks, each of which reads all of W1: 5.8 GB
// through L2, over 1,000 us. As two parts each weight is read once.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_PARTITION_ESTIMATE_H
#define PRISM_PARTITION_ESTIMATE_H

#include "Prism/Partition/PartGraph.h"
#include "Prism/Plan/Target.h"

namespace prism {

/// Estimates of parts where every extent has a number.
class PartEstimatorAt {
public:
  /// Dynamic extents are all `assumed`. None if an extent is unknown.
  static std::optional<PartEstimatorAt> create(const PartGraph &graph,
                                               const Target &target,
                                               bool allowSplits,
                                               int64_t assumed);

  /// Microseconds of `part`, optimistically.
  double estimate(const NodeSet &part) const;
  /// Microseconds of `part`'s ops one by one.
  double estimateUnfused(const NodeSet &part) const;
  /// Microseconds that writing `part`'s results takes at most.
  double estimateWriting(const NodeSet &part) const;

private:
  struct OpFacts {
    llvm::SmallVector<IterationKind> kinds;
    unsigned firstDim = 0; ///< the number of its first iteration dim
    llvm::SmallVector<std::pair<unsigned, unsigned>> ties; ///< dims, iteration
    double tensorFlops = 0, otherFlops = 0, unfusedUs = 0;
  };
  struct ValueFacts {
    unsigned firstDim = 0, rank = 0;
    double bytes = 0;
  };
  struct Terms;

  PartEstimatorAt(const PartGraph &graph, const Target &target,
                  bool allowSplits, int64_t assumed)
      : graph(&graph), target(&target), allowSplits(allowSplits),
        assumed(assumed) {}
  bool addValue(mlir::Value value);
  bool addOp(ComputeOpInterface op);
  std::optional<int64_t> evaluate(const DimExpr &extent) const;
  double minimize(const Terms &terms) const;

  const PartGraph *graph;
  const Target *target;
  bool allowSplits;
  int64_t assumed; ///< value of dynamic extents
  llvm::DenseMap<mlir::Value, ValueFacts> values;
  llvm::DenseMap<mlir::Operation *, OpFacts> ops;
  llvm::SmallVector<int64_t> extents; ///< of each data dim and iteration dim
};

/// The same for all programs: where extents are dynamic, the mean over what
/// they are assumed to be (Tuning/AssumedExtents.h). The least of the means is
/// no less than the mean of the least, so it is optimistic still.
class PartEstimator {
public:
  /// None if an extent of the program is unknown.
  static std::optional<PartEstimator>
  create(const PartGraph &graph, const Target &target, bool allowSplits);

  double estimate(const NodeSet &part) const;
  double estimateUnfused(const NodeSet &part) const;
  double estimateWriting(const NodeSet &part) const;

private:
  std::vector<PartEstimatorAt> samples;
};

} // namespace prism

#endif // PRISM_PARTITION_ESTIMATE_H
