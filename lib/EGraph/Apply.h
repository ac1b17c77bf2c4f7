//===- Apply.h - Applying rules to matches ----------------------*- C++ -*-===//
//
// Part of Prism.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_EGRAPH_APPLY_H
#define PRISM_LIB_EGRAPH_APPLY_H

#include "MatchProgram.h"
#include "llvm/ADT/SmallVector.h"

namespace prism::egraph {

/// Applies one match at a time. Most matches change nothing, which is found out
/// by look-ups alone; only the others touch the graph and the proofs.
class RuleApplier {
public:
  explicit RuleApplier(EGraph &graph) : graph(graph) {}

  enum class Outcome {
    Nothing, ///< The graph already holds it, or the rule does not apply.
    Changed, ///< A node or a union was added.
    Grows    ///< A class would be created: apply it later, with applyAnyway.
  };

  /// Checks the side condition, and applies the rule to the match in
  /// `registers` unless that creates classes.
  Outcome apply(const CompiledRule &rule, MatchRegisters &registers);

  /// Applies a match whose side condition held; sets `grew` if it created a
  /// class.
  Outcome applyAnyway(const CompiledRule &rule, MatchRegisters &registers,
                      bool &grew);

private:
  bool checkCondition(const CompiledRule &rule);
  bool createsClasses(const CompiledRule &rule) const;
  bool applyCallback(const CompiledRule &rule);
  bool alreadyHolds(const CompiledRule &rule);
  bool applyPlain(const CompiledRule &rule);
  bool applyWithProof(const CompiledRule &rule);

  void collectSubstitution(const CompiledRule &rule);
  void collectTerms(const CompiledRule &rule, uint32_t index);
  Id buildLeft(const CompiledRule &rule, uint32_t index);
  bool relate(const CompiledRule &rule, Id left, Id right);
  llvm::ArrayRef<Payload> payloadsOf(const CompiledRule &rule,
                                     const Pattern::Node &node);

  EGraph &graph;
  MatchRegisters *match = nullptr;
  /// By index of the right pattern: the class of the subterm, None if the graph
  /// does not hold it.
  llvm::SmallVector<Id, 8> temps;
  /// By VarId: terms (with proofs) or classes.
  llvm::SmallVector<Id, 4> classVars;
  llvm::SmallVector<Payload, 4> payloadVars;
  llvm::SmallVector<Payload, 4> payloadScratch;
};

} // namespace prism::egraph

#endif // PRISM_LIB_EGRAPH_APPLY_H
