//===- Extract.cpp - Cheapest terms of classes ----------------------------===//
//
// Part of Prism.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/EGraph/Extract.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

using namespace prism::egraph;
using llvm::SmallVector;

double prism::egraph::treeSize(const NodeView &,
                               llvm::ArrayRef<double> childCosts) {
  double sum = 1;
  for (double cost : childCosts)
    sum += cost;
  return sum;
}

Extractor::Extractor(const EGraph &graph, CostFunction cost)
    : graph(graph), costFunction(std::move(cost)),
      costs(graph.numIds(), std::numeric_limits<double>::infinity()),
      bestNodes(graph.numIds(), None) {
  // A worklist from the leaves up: a class is looked at again when a child got
  // cheaper.
  std::vector<Id> work = graph.classes();
  std::vector<bool> queued(graph.numIds());
  for (Id id : work)
    queued[id] = true;
  for (size_t i = 0; i != work.size(); ++i) {
    Id eclass = work[i];
    queued[eclass] = false;
    if (!improve(eclass))
      continue;
    for (Id parent : graph.parentsOf(eclass)) {
      Id root = graph.find(parent);
      if (queued[root])
        continue;
      queued[root] = true;
      work.push_back(root);
    }
  }
}

/// Computes the best node of a class from its children's costs; true if the
/// class got cheaper.
bool Extractor::improve(Id eclass) {
  double best = std::numeric_limits<double>::infinity();
  Id bestNode = None;
  SmallVector<double, 4> childCosts;
  for (Id id : graph.nodes(eclass)) {
    NodeView node = graph.node(id);
    childCosts.clear();
    for (Id child : node.children)
      childCosts.push_back(costs[graph.find(child)]);
    double cost = costFunction(node, childCosts);
    if (cost < best) {
      best = cost;
      bestNode = id;
    }
  }
  bool cheaper = best < costs[eclass];
  if (bestNode != None) {
    costs[eclass] = best;
    bestNodes[eclass] = bestNode;
  }
  return cheaper;
}

TermId Extractor::extract(Id eclass, TermBank &bank) const {
  llvm::DenseMap<Id, TermId> terms;
  Id goal = graph.find(eclass);
  if (bestNodes[goal] == None)
    return None;
  SmallVector<Id, 16> stack = {goal};
  while (!stack.empty()) {
    Id top = stack.back();
    if (terms.count(top)) {
      stack.pop_back();
      continue;
    }
    NodeView node = graph.node(bestNodes[top]);
    SmallVector<TermId, 4> children;
    for (Id child : node.children) {
      Id root = graph.find(child);
      if (auto it = terms.find(root); it != terms.end())
        children.push_back(it->second);
      else
        stack.push_back(root);
    }
    if (children.size() != node.children.size())
      continue;
    terms[top] = bank.add(node.op, children, node.payloads);
    stack.pop_back();
  }
  return terms[goal];
}
