//===- Apply.h - Applying rules to matches ----------------------*- C++ -*-===//
//
// Part of Prism.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_EGRAPH_APPLY_H
#define PRISM_LIB_EGRAPH_APPLY_H

#include "MatchQueue.h"
#include "llvm/ADT/SmallVector.h"

namespace prism::egraph {

/// Applies one match at a time. Most matches change nothing, which is found out
/// by look-ups alone; only the others touch the graph and the proofs.
class RuleApplier {
public:
  RuleApplier(EGraph &graph, const MatchProgram &program)
      : graph(graph), program(program) {}

  enum class Outcome {
    Nothing, ///< The graph already holds it, or the rule does not apply.
    Changed, ///< A node or a union was added.
    Grows    ///< A class would be created: apply it later, with applyAnyway.
  };

  /// Evaluates the side condition, which may bind variables.
  bool conditionHolds(const CompiledRule &rule, MatchRegisters &registers);

  /// Takes matches out of the batch that change nothing.
  void dropHolding(MatchBatch &batch);

  /// Applies a match whose side condition held, unless that creates classes.
  Outcome apply(const CompiledRule &rule, MatchRegisters &registers);

  /// Applies it even so.
  Outcome applyAnyway(const CompiledRule &rule, MatchRegisters &registers);

private:
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

  /// A look-up of a batch that is under way.
  struct Probe {
    llvm::SmallVector<Id, 8> temps; ///< See below.
    llvm::SmallVector<Id, 4> children;
    llvm::SmallVector<Payload, 4> payloads;
    uint32_t hash = 0;
    Id guess = None;
    bool active = false;
  };
  void startProbe(const CompiledRule &rule, const uint32_t *packed, uint32_t k,
                  Probe &probe);

  EGraph &graph;
  const MatchProgram &program;
  MatchRegisters *match = nullptr;
  std::vector<Probe> probes;
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
