//===- Rule.h - Rewrite rules over e-graphs ---------------------*- C++ -*-===//
//
// Part of Prism.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A rule says: where the left pattern matches and the side condition holds, the
// match equals the right side. The right side is a pattern, or a callback.
//
//   auto rule = Rule::parse(ops, /*id=*/7, "(+ ?a ?b)", "(+ ?b ?a)");
//   RuleSet rules;
//   rules.add(std::move(*rule));
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_EGRAPH_RULE_H
#define PRISM_EGRAPH_RULE_H

#include "Prism/EGraph/EGraph.h"
#include "Prism/EGraph/Pattern.h"
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace prism::egraph {

/// A match of a rule's left side, as callbacks see it.
class Match {
public:
  Match(EGraph &graph, Id root, llvm::MutableArrayRef<Id> classVars,
        llvm::MutableArrayRef<Payload> payloadVars)
      : graph(graph), root(root), classVars(classVars),
        payloadVars(payloadVars) {}

  /// The graph. Conditions may add nodes to it but must not union or rebuild.
  EGraph &graph;
  /// A node of the matched class.
  const Id root;

  /// What a class variable stands for: an id of its class (use graph.find to
  /// compare). In an applier, with proofs on, the exact term of the proof.
  Id eclass(VarId var) const { return classVars[var]; }
  Payload payload(VarId var) const { return payloadVars[var]; }
  /// The fact of the class a variable stands for.
  Fact fact(VarId var) const { return graph.fact(classVars[var]); }

  /// A condition may bind variables that only the right side uses, e.g. a
  /// computed dim. They become part of the proof's substitution.
  void bindClass(VarId var, Id id) { classVars[var] = id; }
  void bindPayload(VarId var, Payload value) { payloadVars[var] = value; }

  llvm::ArrayRef<Id> allClasses() const { return classVars; }
  llvm::ArrayRef<Payload> allPayloads() const { return payloadVars; }

private:
  llvm::MutableArrayRef<Id> classVars;
  llvm::MutableArrayRef<Payload> payloadVars;
};

/// Whether the rule applies to a match. Must depend only on the bound payloads
/// and on the facts of the bound classes and of the root: a match is examined
/// again when one of these facts changes, and not otherwise.
using Condition = std::function<bool(Match &)>;

/// Builds the right side of a match; std::nullopt: the rule does not apply.
using Applier = std::function<std::optional<Id>(EGraph &, const Match &)>;

struct Rule {
  /// Reported by explanations; several rules may share it (the two directions
  /// of an axiom).
  RuleId id = 0;
  /// This rule reads axiom `id` from right to left: explanations then report
  /// its forward steps as backward ones.
  bool reversed = false;
  VarTable vars;
  Pattern left;
  Pattern right; ///< Empty if there is an applier.
  Condition condition;
  Applier applier;

  /// A rule from text; see Pattern.h.
  static llvm::Expected<Rule> parse(OperatorTable &ops, RuleId id,
                                    llvm::StringRef left, llvm::StringRef right,
                                    Condition condition = {});
  /// A rule with a callback as its right side.
  static llvm::Expected<Rule> parse(OperatorTable &ops, RuleId id,
                                    llvm::StringRef left, Applier applier,
                                    Condition condition = {});

  /// The same axiom read from right to left, with the same variables. Its
  /// condition is the caller's business: it starts as a copy.
  Rule inverse() const;
};

class MatchProgram;

/// Rules compiled together: their left sides share common prefixes. Immutable
/// while in use; one RuleSet serves any number of graphs.
class RuleSet {
public:
  RuleSet();
  ~RuleSet();
  RuleSet(RuleSet &&);
  RuleSet &operator=(RuleSet &&);

  /// Adds a rule. Errors: the left side is a variable; a variable of the right
  /// side is bound neither by the left side nor (there being none) by a
  /// condition; neither or both of right side and applier are given.
  llvm::Error add(Rule rule);

  size_t size() const;
  const Rule &operator[](size_t index) const;

  /// The compiled left sides (internal).
  const MatchProgram &program() const { return *compiled; }

private:
  std::unique_ptr<MatchProgram> compiled;
};

/// A match found by matchPattern.
struct PatternMatch {
  Id root; ///< Canonical id of the matched class.
  llvm::SmallVector<Id, 4> classes;
  llvm::SmallVector<Payload, 2> payloads;
};

/// All matches of one pattern (with the variables `vars`), in a deterministic
/// order; in all classes, or in class `within` only. Needs a rebuilt graph.
std::vector<PatternMatch> matchPattern(const EGraph &graph,
                                       const Pattern &pattern,
                                       const VarTable &vars, Id within = None);

} // namespace prism::egraph

#endif // PRISM_EGRAPH_RULE_H
