//===- TypingRules.h - The checker's own rules of typing --------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shapes, free parallel dims and signs of terms, written once more for the
// checker (DECISIONS 23): an error in the analysis of the e-graph is not
// repeated here. What is not known to have a sign has none.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_VERIFY_TYPINGRULES_H
#define PRISM_LIB_VERIFY_TYPINGRULES_H

#include "Prism/Axioms/Encoder.h"

namespace prism {

class TypingRules {
public:
  TypingRules(const TermLanguage &language, const egraph::TermBank &bank)
      : language(language), bank(bank) {}

  /// The facts of a term; `isIllTyped` if it has no type. Sizes are not
  /// counted.
  const TermFact &of(egraph::TermId term);
  /// From now on this holds of `value.term`. Call it before `of`.
  void assume(const ReliedOnValue &value) { assumed.push_back(value); }
  /// `defined[k]` is the k-th of these.
  void define(llvm::ArrayRef<ReliedOnValue> values) {
    defined.assign(values.begin(), values.end());
  }

private:
  using Facts = llvm::ArrayRef<const TermFact *>;
  TermFact compute(egraph::TermId term);
  /// None: ill-typed.
  std::optional<TermFact> typeCompute(const Prototype &op,
                                      Facts operands) const;
  std::optional<TermFact> typeParallel(const egraph::NodeView &node,
                                       TermFact fact) const;
  std::optional<TermFact> typeRescale(const Prototype &product,
                                      Facts operands) const;

  const TermLanguage &language;
  const egraph::TermBank &bank;
  std::vector<ReliedOnValue> assumed, defined;
  std::map<egraph::TermId, TermFact> facts;
};

} // namespace prism

#endif // PRISM_LIB_VERIFY_TYPINGRULES_H
