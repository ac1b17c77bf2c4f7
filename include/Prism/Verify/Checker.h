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
};

/// Whether `certificate` proves that `candidate` equals `program`.
CheckResult checkCertificate(ProgramOp program, CandidateOp candidate,
                             CertificateAttr certificate, Precision precision);

} // namespace prism

#endif // PRISM_VERIFY_CHECKER_H
