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

/// The rules of all axioms, compiled together. The RuleId of an axiom is its
/// index; `definitionRule` is the reason for `defined[k]` = the value.
class AxiomRules {
public:
  /// `analysis` must outlive the rules.
  explicit AxiomRules(TermAnalysis &analysis);

  llvm::ArrayRef<Axiom> axioms() const { return all; }
  const egraph::RuleSet &rules() const { return ruleSet; }
  egraph::RuleId definitionRule() const { return all.size(); }
  /// The id for certificates.
  llvm::StringRef idOf(egraph::RuleId rule) const {
    return rule < all.size() ? llvm::StringRef(all[rule].id)
                             : llvm::StringRef(definitionId);
  }

  /// Algebraic axioms do not build compute terms of more ops than this,
  /// counted as a tree (DESIGN: saturation is bounded by the op budget).
  void setMaxTermSize(uint64_t size) { maxTermSize = size; }
  /// Whether a term was not built for that reason.
  bool hitMaxTermSize() const { return wasTooLarge; }

private:
  egraph::Condition makeCondition(const Axiom &axiom, const SideCondition &side,
                                  const egraph::Pattern &target);

  TermAnalysis &analysis;
  std::vector<Axiom> all;
  egraph::RuleSet ruleSet;
  uint64_t maxTermSize = ~uint64_t(0);
  bool wasTooLarge = false;
};

} // namespace prism

#endif // PRISM_AXIOMS_AXIOMRULES_H
