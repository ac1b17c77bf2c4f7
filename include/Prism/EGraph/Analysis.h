//===- Analysis.h - Facts about e-classes -----------------------*- C++ -*-===//
//
// Part of Prism.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The analysis hook: a client attaches one fact to every class (shapes, signs,
// constants, ...). The e-graph stores facts as opaque numbers, so that copying
// an e-graph copies them; FactTable interns structured facts.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_EGRAPH_ANALYSIS_H
#define PRISM_EGRAPH_ANALYSIS_H

#include "Prism/EGraph/Types.h"
#include <map>
#include <optional>
#include <vector>

namespace prism::egraph {

class EGraph;

/// A semilattice of facts over classes. `merge` must be commutative,
/// associative and idempotent, or verdicts depend on the order of unions.
class Analysis {
public:
  virtual ~Analysis();

  /// The fact of one node, from the facts of its (canonical) children, to be
  /// read with `graph.fact(child)`. The node may not be in the graph yet.
  virtual Fact make(const EGraph &graph, const NodeView &node) = 0;

  /// What holds of a class when both facts do. std::nullopt: they contradict
  /// each other; the e-graph then rejects the union and counts it.
  virtual std::optional<Fact> merge(Fact a, Fact b) = 0;

  /// Called during EGraph::rebuild on each class that is new or whose fact
  /// changed; may add nodes and union classes (constant folding), giving its
  /// own RuleId as the reason. Must not call rebuild.
  virtual void modify(EGraph &graph, Id eclass) {
    (void)graph;
    (void)eclass;
  }
};

/// Interns values of an ordered type: equal values get equal numbers. Numbers
/// depend on the order of interning and must not be compared by size.
template <typename T>
class FactTable {
public:
  uint32_t intern(const T &value) {
    auto [it, isNew] = ids.try_emplace(value, uint32_t(values.size()));
    if (isNew)
      values.push_back(&it->first); // std::map nodes never move.
    return it->second;
  }
  const T &operator[](uint32_t id) const { return *values[id]; }
  size_t size() const { return values.size(); }

private:
  std::map<T, uint32_t> ids;
  std::vector<const T *> values;

public:
  FactTable() = default;
  FactTable(const FactTable &) = delete;
  FactTable &operator=(const FactTable &) = delete;
};

} // namespace prism::egraph

#endif // PRISM_EGRAPH_ANALYSIS_H
