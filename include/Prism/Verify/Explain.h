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

/// What stands in front of explanations: the notation.
inline constexpr llvm::StringLiteral explanationLegend =
    "# part[d p](t): chunk p of data dim d of t; comb[d p]: chunks side by "
    "side;\n"
    "# repl[p]: the same for every p; red[p], redmax[p]: sum and maximum over "
    "p;\n"
    "# stack[p]: values along a new dim; sel[p]: the first of equal ones;\n"
    "# rescale(t, m, M): t * exp(m - M); arg0: the program's first argument;\n"
    "# grid0@n: the first grid dim that splits n; ..: left out. A step: "
    "axiom,\n"
    "# direction, place (result, then operands from the root). Axioms:\n"
    "# docs/axioms.md. Steps that only move chunks and copies are taken as "
    "one.\n\n";

/// The chain of equalities from the program to `candidate` that `certificate`
/// stands for, a line each: number, axiom, direction, place, what is replaced
/// by what. Steps in a row that only move chunks past ops are one line. If the
/// certificate cannot be followed, up to there.
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
