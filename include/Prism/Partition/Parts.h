//===- Parts.h - The cheapest cut of a program into parts -------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dynamic programming over the ideals of a program (PartGraph.h; DECISIONS 19):
// a partition is a path of growing ideals, its cost the sum over its parts. A
// part costs what an estimate says until it has been searched, so only parts
// on the best path known are searched, until that path is all searched, or
// promises less than `minGain` beyond the best that is. What a search finds
// raises the estimates of the parts that hold the one searched.
//
// The first concern is that few nodes are left alone, the second time.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_PARTITION_PARTS_H
#define PRISM_PARTITION_PARTS_H

#include "Prism/Partition/Estimate.h"

namespace prism {

struct PartBounds {
  unsigned maxOps = 11;         ///< of one part
  unsigned maxContractions = 3; ///< of one part
  unsigned maxSearched = 48;    ///< parts of several nodes searched
  double minGain = 0.1;         ///< a fraction of the best known cost
};

enum class PartState { Estimated, Searched, Failed };

struct Part {
  NodeSet nodes;
  PartState state = PartState::Estimated;
  double us = 0; ///< estimated or searched; one by one, if it failed
};

class PartChooser {
public:
  /// The microseconds of a part; none if it cannot be searched or lowered.
  using SearchFn = llvm::function_ref<std::optional<double>(const Part &)>;

  PartChooser(const PartGraph &graph, const PartEstimator &estimator,
              const PartBounds &bounds);

  /// What the search of these nodes gave; does nothing if they are no part.
  void setSearched(const NodeSet &nodes, std::optional<double> us);
  /// The least cost by what is known and estimated, in microseconds, of a
  /// partition that leaves no node alone; infinite if there is none.
  double getLeastUs();
  /// The parts of the cheapest partition, each after those that it reads; all
  /// of them Searched or Failed, the latter single nodes.
  std::vector<const Part *> choose(SearchFn search);
  /// The cheapest partition by the estimates.
  std::vector<const Part *> choose();
  /// Parts handed to `search`.
  unsigned getNumSearched() const { return numSearched; }
  /// Whether `maxSearched` may have kept a part from being searched.
  bool hitLimit() const { return numLargeSearched >= bounds.maxSearched; }

private:
  struct Step {
    unsigned from; ///< ideal
    unsigned part;
  };
  /// Nodes left alone, then microseconds.
  using Cost = std::pair<unsigned, double>;
  struct Path {
    Cost cost;
    std::vector<unsigned> parts;
  };

  void addSteps(const std::vector<NodeSet> &ideals);
  std::optional<unsigned> addPart(NodeSet nodes);
  std::optional<Path> findPath(bool searchedOnly);
  std::optional<Cost> getCost(const Part &part, bool searchedOnly) const;

  const PartGraph &graph;
  const PartEstimator &estimator;
  PartBounds bounds;
  std::vector<Part> parts;
  llvm::DenseMap<NodeSet, std::optional<unsigned>> partOf;
  std::vector<llvm::SmallVector<Step>> steps; ///< to each ideal
  unsigned numSearched = 0, numLargeSearched = 0;
};

} // namespace prism

#endif // PRISM_PARTITION_PARTS_H
