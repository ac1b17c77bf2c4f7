//===- Extract.h - Cheapest terms of classes --------------------*- C++ -*-===//
//
// Part of Prism.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_EGRAPH_EXTRACT_H
#define PRISM_EGRAPH_EXTRACT_H

#include "Prism/EGraph/EGraph.h"
#include "Prism/EGraph/Term.h"
#include <functional>
#include <limits>

namespace prism::egraph {

/// The cost of a node, given the costs of its children, in the client's unit.
/// Must exceed each child's cost (or cheapest terms could be cyclic);
/// infinity excludes the node.
using CostFunction =
    std::function<double(const NodeView &, llvm::ArrayRef<double> childCosts)>;

/// The number of operators of the term written as a tree.
double treeSize(const NodeView &node, llvm::ArrayRef<double> childCosts);

/// Finds the cheapest term of every class of a rebuilt graph, once, when
/// constructed. Among equally cheap nodes the one first by (operator, id) wins.
class Extractor {
public:
  explicit Extractor(const EGraph &graph, CostFunction cost = treeSize);

  /// The cost of the cheapest term of a class; infinity if it has none.
  double cost(Id eclass) const { return costs[graph.find(eclass)]; }

  /// The node at the root of the cheapest term of a class, or None.
  Id best(Id eclass) const { return bestNodes[graph.find(eclass)]; }

  /// The cheapest term of a class, or None if its cost is infinite.
  TermId extract(Id eclass, TermBank &bank) const;

private:
  bool improve(Id eclass);
  const EGraph &graph;
  CostFunction costFunction;
  std::vector<double> costs;
  std::vector<Id> bestNodes;
};

} // namespace prism::egraph

#endif // PRISM_EGRAPH_EXTRACT_H
