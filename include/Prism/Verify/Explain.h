//===- Explain.h - Proofs for people ----------------------------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_VERIFY_EXPLAIN_H
#define PRISM_VERIFY_EXPLAIN_H

#include "Prism/Axioms/TermLanguage.h"
#include <string>

namespace prism {

/// The chain of equalities from the program to `candidate` that `certificate`
/// stands for, a line each: number, axiom, direction, place, what is replaced
/// by what. If the certificate cannot be followed, up to there.
std::string explainCandidate(ProgramOp program, CandidateOp candidate,
                             CertificateAttr certificate);

/// A term in the notation of explanations: `a / b` for elementwise arithmetic,
/// `f(a, b)` for all else, parallel operators with their dims in brackets.
/// Below `depth` operators, `..` stands for what is left out.
std::string printBriefly(const TermLanguage &language,
                         const egraph::TermBank &bank, egraph::TermId term,
                         unsigned depth);

} // namespace prism

#endif // PRISM_VERIFY_EXPLAIN_H
