//===- AxiomRules.cpp - Axioms as rules of an e-graph ---------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Axioms/AxiomRules.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mlir;
using namespace prism;
using namespace prism::egraph;

/// The fewest ops of a term that `pattern` builds, counted as a tree.
static uint64_t getSize(const egraph::Pattern &pattern,
                        const TermLanguage &language,
                        ArrayRef<const TermFact *> facts) {
  uint64_t size = 0;
  // Patterns are trees, so each node counts once.
  for (const egraph::Pattern::Node &node : pattern.all()) {
    if (node.isVar)
      size += facts[node.var] ? facts[node.var]->size : 0;
    else
      size += language.isCompute(node.op);
  }
  return size;
}

Condition AxiomRules::makeCondition(const Axiom &axiom,
                                    const SideCondition &side,
                                    const egraph::Pattern &target) {
  bool isBounded = getAxiomRecord(axiom).kind == AxiomKind::Algebraic;
  if (!side && !isBounded)
    return nullptr;
  return [this, side, isBounded, target](Match &match) {
    SmallVector<const TermFact *> facts;
    for (Id id : match.allClasses())
      facts.push_back(id == None ? nullptr : &analysis[match.graph.fact(id)]);
    TermLanguage &language = analysis.getLanguage();
    if (isBounded && getSize(target, language, facts) > maxTermSize) {
      wasTooLarge = true;
      return false;
    }
    SmallVector<Payload> payloads(match.allPayloads());
    AxiomMatch instance{language, facts, payloads};
    if (side && !side(instance))
      return false;
    for (auto [var, value] : llvm::enumerate(payloads))
      match.bindPayload(var, value);
    return true;
  };
}

AxiomRules::AxiomRules(TermAnalysis &analysis)
    : analysis(analysis), all(instantiateAxioms(analysis.getLanguage())) {
  for (auto [index, axiom] : llvm::enumerate(all)) {
    OperatorTable &ops = analysis.getLanguage().operators();
    // The records are ours: a pattern that does not parse is a bug, and the
    // unit tests instantiate every one.
    Rule rule = llvm::cantFail(
        Rule::parse(ops, index, axiom.left, axiom.right, Condition()));
    rule.condition = makeCondition(axiom, axiom.forward, rule.right);
    if (axiom.backward) {
      Rule inverse = rule.inverse();
      inverse.condition = makeCondition(axiom, *axiom.backward, inverse.right);
      llvm::cantFail(ruleSet.add(std::move(inverse)));
    }
    llvm::cantFail(ruleSet.add(std::move(rule)));
  }
}
