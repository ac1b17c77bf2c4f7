//===- PrecisionRule.h - Where candidates may round -------------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_VERIFY_PRECISIONRULE_H
#define PRISM_LIB_VERIFY_PRECISIONRULE_H

#include "Prism/Axioms/TermLanguage.h"
#include "Prism/Dialect/PrismDialect.h"

namespace prism {

/// The precision rule (DECISIONS 12): a candidate computes in types at least as
/// wide as the narrowest that the program computes in, and rounds only what a
/// contraction reads, to no less than the program's own contractions read, or
/// what is a final result. Strict precision asks for the first only: that casts
/// stand where the program has them is proved. Returns what breaks it, or none.
std::optional<std::string> findPrecisionViolation(ProgramOp program,
                                                  CandidateOp candidate,
                                                  Precision precision);

} // namespace prism

#endif // PRISM_LIB_VERIFY_PRECISIONRULE_H
