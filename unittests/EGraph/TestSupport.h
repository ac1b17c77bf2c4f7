//===- TestSupport.h - Shared by the tests of lib/EGraph --------*- C++ -*-===//
//
// Part of Prism.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A proof checker that knows nothing of the e-graph, and the fixture that runs
// every test with proofs off and on.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_UNITTESTS_EGRAPH_TESTSUPPORT_H
#define PRISM_UNITTESTS_EGRAPH_TESTSUPPORT_H

#include "Prism/EGraph/Explain.h"
#include "Prism/EGraph/Saturate.h"
#include "gtest/gtest.h"
#include <map>
#include <set>
#include <string>

namespace prism::egraph {

/// Replays explanations. It is told the axioms, and which equalities of terms
/// (by their text) were given to EGraph::merge.
class ProofChecker {
public:
  explicit ProofChecker(const OperatorTable &ops) : ops(ops) {}

  /// A rule added in both directions has to be given once, unreversed.
  void addAxiom(const Rule &rule) {
    if (!rule.reversed)
      axioms[rule.id] = &rule;
  }
  void addGiven(RuleId rule, std::string left, std::string right) {
    givens.insert({rule, std::move(left), std::move(right)});
  }

  /// Empty if the proof is right, else what is wrong with it.
  std::string check(const Explanation &proof, const std::string &start,
                    const std::string &end) const {
    TermBank bank = proof.terms;
    if (bank.print(proof.start, ops) != start)
      return "starts with " + bank.print(proof.start, ops);
    TermId current = proof.start;
    for (const ProofStep &step : proof.steps) {
      if (bank.subterm(current, step.position) != step.before)
        return "another term at the position in " + bank.print(current, ops);
      TermId left = step.forward ? step.before : step.after;
      TermId right = step.forward ? step.after : step.before;
      if (!holds(bank, step, left, right))
        return "rule " + std::to_string(step.rule) + " does not say " +
               bank.print(left, ops) + " = " + bank.print(right, ops);
      current = bank.replaceAt(current, step.position, step.after);
    }
    if (current != proof.end || bank.print(current, ops) != end)
      return "ends with " + bank.print(current, ops);
    return "";
  }

private:
  bool holds(TermBank &bank, const ProofStep &step, TermId left,
             TermId right) const {
    auto it = axioms.find(step.rule);
    if (it == axioms.end())
      return givens.count(
          {step.rule, bank.print(left, ops), bank.print(right, ops)});
    const VarTable &vars = it->second->vars;
    if (step.classes.size() != vars.classes.size() ||
        step.payloads.size() != vars.payloads.size())
      return false;
    return instantiate(bank, it->second->left, step) == left &&
           instantiate(bank, it->second->right, step) == right;
  }

  TermId instantiate(TermBank &bank, const Pattern &pattern,
                     const ProofStep &step) const {
    std::vector<TermId> terms;
    for (const Pattern::Node &node : pattern.all()) {
      if (node.isVar) {
        terms.push_back(step.classes[node.var]);
        continue;
      }
      llvm::SmallVector<TermId, 4> children;
      for (uint32_t child : node.children)
        children.push_back(terms[child]);
      llvm::SmallVector<Payload, 4> payloads;
      for (const PayloadPattern &payload : node.payloads)
        payloads.push_back(payload.isVar ? step.payloads[payload.value]
                                         : payload.value);
      terms.push_back(bank.add(node.op, children, payloads));
    }
    return terms.back();
  }

  const OperatorTable &ops;
  std::map<RuleId, const Rule *> axioms;
  std::set<std::tuple<RuleId, std::string, std::string>> givens;
};

/// Runs each test with proofs off and on; the same expectations hold.
class EGraphTest : public testing::TestWithParam<bool> {
protected:
  /// Adds a term from its text.
  Id add(EGraph &graph, llvm::StringRef text) {
    TermBank bank;
    TermId root = llvm::cantFail(bank.parse(text, ops));
    std::vector<Id> ids;
    for (TermId term = 0; term <= root; ++term) {
      NodeView node = bank.node(term);
      llvm::SmallVector<Id, 4> children;
      for (TermId child : node.children)
        children.push_back(ids[child]);
      ids.push_back(graph.add(node.op, children, node.payloads));
    }
    return ids[root];
  }

  Rule rule(RuleId id, llvm::StringRef left, llvm::StringRef right,
            Condition condition = {}) {
    return llvm::cantFail(Rule::parse(ops, id, left, right, condition));
  }

  static RuleSet ruleSet(std::vector<Rule> rules) {
    RuleSet set;
    for (Rule &rule : rules)
      llvm::cantFail(set.add(std::move(rule)));
    return set;
  }

  /// With proofs on: the proof of left = right replays.
  void expectProof(const EGraph &graph, const RuleSet &rules,
                   ProofChecker &checker, llvm::StringRef left,
                   llvm::StringRef right) {
    if (!graph.hasProofs())
      return;
    for (size_t i = 0; i != rules.size(); ++i)
      checker.addAxiom(rules[i]);
    EGraph copy = graph; // Asking adds the terms.
    Id a = add(copy, left), b = add(copy, right);
    llvm::Expected<Explanation> proof = explain(copy, a, b);
    ASSERT_TRUE(bool(proof)) << llvm::toString(proof.takeError());
    EXPECT_EQ(checker.check(*proof, left.str(), right.str()), "")
        << proof->print(ops);
  }
  void expectProof(const EGraph &graph, const RuleSet &rules,
                   llvm::StringRef left, llvm::StringRef right) {
    ProofChecker checker(ops);
    expectProof(graph, rules, checker, left, right);
  }

  EGraph makeGraph(Analysis *analysis = nullptr) {
    return EGraph({/*proofs=*/GetParam(), analysis});
  }

  OperatorTable ops;
};

inline std::string proofsOnOrOff(const testing::TestParamInfo<bool> &info) {
  return info.param ? "Proofs" : "Plain";
}

} // namespace prism::egraph

#endif // PRISM_UNITTESTS_EGRAPH_TESTSUPPORT_H
