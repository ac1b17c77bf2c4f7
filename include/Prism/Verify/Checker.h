//===- Checker.h - Following certificates -----------------------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Re-checks a candidate's certificate without any e-graph: both end terms are
// encoded from the IR again, every step rewrites a term at a place by an axiom
// whose sides and side condition are instantiated anew. Trusted are the axiom
// records and the encoder (DECISIONS 23).
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_VERIFY_CHECKER_H
#define PRISM_VERIFY_CHECKER_H

#include "Prism/Axioms/Facts.h"

namespace prism {

struct CheckResult {
  bool holds = false;
  /// If it does not hold: which step fails, and why.
  std::string why;
  size_t steps = 0;
  /// Narrowing casts of the candidate that are no ops of its term.
  unsigned castsErased = 0;
};

/// One step that was followed: `before`, at the step's place, became `after`,
/// and so the result's whole term.
struct CheckedStep {
  ProofStepAttr step;
  egraph::TermId before, after;
  egraph::TermId wholeBefore, wholeAfter;
};

/// Sees a proof as it is followed, from the candidate's terms to the program's.
class ProofListener {
public:
  virtual ~ProofListener();
  /// Both graphs' terms, one per result.
  virtual void begin(const TermLanguage &language, const egraph::TermBank &bank,
                     llvm::ArrayRef<egraph::TermId> candidate,
                     llvm::ArrayRef<egraph::TermId> program) = 0;
  virtual void step(const CheckedStep &step) = 0;
  /// The last call: after it language and bank are gone.
  virtual void end() {}
};

/// Whether `certificate` proves that `candidate` equals `program`, under the
/// precision rule that it names, which must allow what the candidate rounds.
CheckResult checkCertificate(ProgramOp program, CandidateOp candidate,
                             CertificateAttr certificate,
                             ProofListener *listener = nullptr);

} // namespace prism

#endif // PRISM_VERIFY_CHECKER_H
