//===- AxiomRules.h - Axioms as rules of an e-graph -------------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_AXIOMS_AXIOMRULES_H
#define PRISM_AXIOMS_AXIOMRULES_H

#include "Prism/Axioms/Axioms.h"
#include "Prism/EGraph/Rule.h"

namespace prism {

/// How much the rules of a graph try.
enum class AxiomReach {
  /// What proves nearly everything, and the search asks for: algebra is done on
  /// whole tensors (part moves outwards, so what a tile computes is a part of
  /// something whole), and exponentials are split, never put together.
  Lean,
  /// Every axiom, in both directions where it has two, on everything.
  Full
};

/// The rules of all axioms, compiled together. The RuleId of an axiom is its
/// index; `definitionRule` is the reason for `defined[k]` = the value.
class AxiomRules {
public:
  /// `analysis` must outlive the rules.
  /// Tests only: no rules come from the record `without`.
  explicit AxiomRules(TermAnalysis &analysis,
                      AxiomReach reach = AxiomReach::Lean,
                      llvm::StringRef without = "");
  AxiomRules(const AxiomRules &) = delete;
  AxiomRules &operator=(const AxiomRules &) = delete;

  llvm::ArrayRef<Axiom> axioms() const { return all; }
  const egraph::RuleSet &rules() const { return ruleSet; }
  /// Lean: the directions that `rules` leaves out, for the program as it is
  /// written.
  const egraph::RuleSet &preparingRules() const { return preparing; }
  egraph::RuleId definitionRule() const { return all.size(); }
  /// The id for certificates.
  llvm::StringRef idOf(egraph::RuleId rule) const {
    return rule < all.size() ? llvm::StringRef(all[rule].id)
                             : llvm::StringRef(definitionId);
  }

  /// Algebraic axioms do not build compute terms of more ops than this,
  /// counted as a tree (DESIGN: saturation is bounded by the op budget).
  void setMaxTermSize(uint64_t size) { maxTermSize = size; }

private:
  egraph::Condition makeCondition(const SideCondition &side, bool isAlgebraic,
                                  const egraph::Pattern &target);

  TermAnalysis &analysis;
  AxiomReach reach;
  std::vector<Axiom> all;
  egraph::RuleSet ruleSet, preparing;
  uint64_t maxTermSize = ~uint64_t(0);
};

} // namespace prism

#endif // PRISM_AXIOMS_AXIOMRULES_H
