//===- Refute.h - Counterexamples -------------------------------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_VERIFY_REFUTE_H
#define PRISM_VERIFY_REFUTE_H

#include "Prism/Verify/Evaluate.h"

namespace prism {

/// Looks for arguments and sizes at which two lists of terms differ. A
/// counterexample is given only if they differ at two size assignments, ragged
/// splits among them, where all values of `expected` are finite (DECISIONS 16).
/// Returns the counterexample in words, or none: then nothing is known.
std::optional<std::string>
findCounterexample(const TermAnalysis &analysis, const egraph::TermBank &bank,
                   llvm::ArrayRef<egraph::TermId> expected,
                   llvm::ArrayRef<egraph::TermId> actual);

/// Symbols get small extents, unequal ones unequal values; parallel dims get
/// tiles, of which one choice divides and the next does not. `round` numbers
/// the choices.
SizeAssignment chooseSizes(const TermLanguage &language, unsigned round);

/// Well-conditioned arguments of these extents: no entry near zero, rows of
/// unequal magnitude. None if an extent has no value, or is too large.
std::optional<std::vector<NumericTensor>>
chooseArguments(const TermLanguage &language, const SizeAssignment &sizes,
                unsigned round);

} // namespace prism

#endif // PRISM_VERIFY_REFUTE_H
