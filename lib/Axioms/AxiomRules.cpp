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

namespace {
/// Counts the ops of the terms that a pattern builds, as trees.
class SizeCounter {
public:
  SizeCounter(const egraph::Pattern &pattern, const TermLanguage &language) {
    for (const egraph::Pattern::Node &node : pattern.all()) {
      if (node.isVar)
        variables.push_back(node.var);
      else
        ops +=
            language.isCompute(node.op) && language.operators().name(node.op) !=
                                               ConstantOp::getOperationName();
    }
  }
  /// The fewest that it can be.
  uint64_t count(ArrayRef<const TermFact *> facts) const {
    uint64_t size = ops;
    for (VarId var : variables)
      size += facts[var] ? facts[var]->size : 0;
    return size;
  }

private:
  uint64_t ops = 0;
  SmallVector<VarId, 4> variables;
};
} // namespace

static bool isWhole(ArrayRef<const TermFact *> facts) {
  return llvm::all_of(
      facts, [](const TermFact *fact) { return !fact || fact->free.empty(); });
}

Condition AxiomRules::makeCondition(const SideCondition &side, bool isAlgebraic,
                                    const egraph::Pattern &target) {
  if (!side && !isAlgebraic)
    return nullptr;
  TermLanguage &language = analysis.getLanguage();
  return [this, &side, &language, isAlgebraic,
          size = SizeCounter(target, language)](Match &match) {
    SmallVector<const TermFact *, 8> facts;
    for (Id id : match.allClasses())
      facts.push_back(id == None ? nullptr : &analysis[match.graph.fact(id)]);
    if (isAlgebraic && ((reach == AxiomReach::Lean && !isWhole(facts)) ||
                        size.count(facts) > maxTermSize))
      return false;
    if (!side)
      return true;
    SmallVector<Payload, 8> payloads(match.allPayloads());
    AxiomMatch instance{language, facts, payloads};
    if (!side(instance))
      return false;
    for (auto [var, value] : llvm::enumerate(payloads))
      match.bindPayload(var, value);
    return true;
  };
}

/// Axioms that a lean saturation reads from left to right only, though they
/// hold both ways: from right to left they put together what they split.
static bool isLeanOneWay(const AxiomRecord &record) {
  return record.id == "X1";
}

AxiomRules::AxiomRules(TermAnalysis &analysis, AxiomReach reach,
                       StringRef without)
    : analysis(analysis), reach(reach),
      all(instantiateAxioms(analysis.getLanguage())) {
  OperatorTable &ops = analysis.getLanguage().operators();
  for (auto [index, axiom] : llvm::enumerate(all)) {
    const AxiomRecord &record = getAxiomRecord(axiom);
    bool isAlgebraic = record.kind == AxiomKind::Algebraic;
    bool isLean = reach == AxiomReach::Lean;
    if ((isLean && record.proofOnly == ProofOnly::Both) || record.id == without)
      continue;
    // The records are ours: a pattern that does not parse is a bug, and the
    // unit tests instantiate every one.
    Rule rule = llvm::cantFail(
        Rule::parse(ops, index, axiom.left, axiom.right, Condition()));
    if (axiom.backward &&
        !(isLean && record.proofOnly == ProofOnly::Backward)) {
      Rule inverse = rule.inverse();
      inverse.condition =
          makeCondition(*axiom.backward, isAlgebraic, inverse.right);
      bool isLast = isLean && isLeanOneWay(record);
      llvm::cantFail((isLast ? preparing : ruleSet).add(std::move(inverse)));
    }
    rule.condition = makeCondition(axiom.forward, isAlgebraic, rule.right);
    llvm::cantFail(ruleSet.add(std::move(rule)));
  }
}
