//===- Facts.h - Shapes, free parallel dims and signs of terms --*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is known of a term: its extents, its free parallel dims, whether it can
// be zero or negative, and how many ops it takes. Side conditions of axioms are
// decided from these facts alone. Ill-typed terms have the fact `isIllTyped`,
// which equals no other.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_AXIOMS_FACTS_H
#define PRISM_AXIOMS_FACTS_H

#include "Prism/Axioms/TermLanguage.h"
#include "Prism/EGraph/Analysis.h"

namespace prism {

struct TermFact {
  bool isIllTyped = false;
  /// Extents of the tensor, for each value of the free parallel dims.
  std::vector<DimExpr> extents;
  /// The free parallel dims, ascending.
  std::vector<ParallelId> free;
  /// True for every element, wherever the program is defined (DECISIONS 10).
  bool isNonZero = false;
  bool isNonNegative = false;
  /// Compute ops of the smallest term, counted as a tree; constants count 0.
  uint32_t size = 0;

  bool operator<(const TermFact &other) const;
  bool isFree(ParallelId parallel) const;
};

/// What holds of the value named by `defined[k]`.
struct DefinedValue {
  std::vector<DimExpr> extents;
  bool isNonZero = false;
  bool isNonNegative = false;
};

/// The typing rules of the term language, for an e-graph or for plain terms.
class TermAnalysis : public egraph::Analysis {
public:
  explicit TermAnalysis(TermLanguage &language) : language(language) {}

  /// The fact of a node whose children have these facts.
  TermFact infer(const egraph::NodeView &node,
                 llvm::ArrayRef<const TermFact *> children) const;
  /// What holds of a value of which both hold; none if they contradict.
  static std::optional<TermFact> join(const TermFact &a, const TermFact &b);

  egraph::Fact make(const egraph::EGraph &graph,
                    const egraph::NodeView &node) override;
  std::optional<egraph::Fact> merge(egraph::Fact a, egraph::Fact b) override;

  const TermFact &operator[](egraph::Fact fact) const { return table[fact]; }

  /// Names a value on which the program relies; returns k.
  egraph::Payload addDefined(DefinedValue value) {
    definedValues.push_back(std::move(value));
    return definedValues.size() - 1;
  }

  TermLanguage &getLanguage() const { return language; }

private:
  TermFact inferCompute(const egraph::NodeView &node,
                        llvm::ArrayRef<const TermFact *> children) const;
  TermFact inferRescale(const egraph::NodeView &node,
                        llvm::ArrayRef<const TermFact *> children) const;
  TermFact inferParallel(const egraph::NodeView &node,
                         const TermFact &child) const;

  TermLanguage &language;
  std::vector<DefinedValue> definedValues;
  egraph::FactTable<TermFact> table;
};

} // namespace prism

#endif // PRISM_AXIOMS_FACTS_H
