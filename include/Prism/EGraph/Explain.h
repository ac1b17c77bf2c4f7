//===- Explain.h - Why two terms are equal ----------------------*- C++ -*-===//
//
// Part of Prism.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Flat proofs: a chain of rewrites of whole terms. To check one, start from
// `start`; for each step, the subterm at `position` must be `before`; `before`
// must be the rule's left side (right side, if not `forward`) under the
// substitution and `after` its other side; replace it; the last term must be
// `end`. No e-graph is needed for that.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_EGRAPH_EXPLAIN_H
#define PRISM_EGRAPH_EXPLAIN_H

#include "Prism/EGraph/EGraph.h"
#include "Prism/EGraph/Term.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace prism::egraph {

/// One rewrite of a flat proof.
struct ProofStep {
  RuleId rule = 0;
  /// Read from the left to the right side of the axiom `rule`.
  bool forward = true;
  /// Child indices from the root of the whole term to the rewritten subterm.
  llvm::SmallVector<uint32_t, 4> position;
  TermId before = None; ///< The subterm rewritten, and what it becomes.
  TermId after = None;
  /// The rule's variables by VarId; None where unbound.
  llvm::SmallVector<TermId, 4> classes;
  llvm::SmallVector<Payload, 2> payloads;
};

/// A proof that start = end; all TermIds are in `terms`.
struct Explanation {
  TermBank terms;
  TermId start = None;
  TermId end = None;
  std::vector<ProofStep> steps;

  /// Readable form: each term of the chain, the rewritten place, the rule.
  std::string print(const OperatorTable &ops) const;
};

/// A proof that the terms a and b (as returned by EGraph::add, proofs on) are
/// equal. Chains that come back to an earlier term are cut short. Errors: no
/// proofs were recorded; the terms are not known to be equal; the flat proof
/// would have more than `maxSteps` steps before it is cut short.
llvm::Expected<Explanation> explain(const EGraph &graph, Id a, Id b,
                                    size_t maxSteps = 1'000'000);

} // namespace prism::egraph

#endif // PRISM_EGRAPH_EXPLAIN_H
