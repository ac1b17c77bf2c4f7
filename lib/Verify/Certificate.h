//===- Certificate.h - Explanations as certificates -------------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_VERIFY_CERTIFICATE_H
#define PRISM_LIB_VERIFY_CERTIFICATE_H

#include "Prism/Axioms/AxiomRules.h"
#include "Prism/EGraph/Explain.h"

namespace prism {

/// Appends the steps of a proof about result `result` of a candidate.
void appendSteps(const egraph::Explanation &explanation, unsigned result,
                 const AxiomRules &rules, TermLanguage &language,
                 llvm::SmallVectorImpl<ProofStepAttr> &steps);

} // namespace prism

#endif // PRISM_LIB_VERIFY_CERTIFICATE_H
