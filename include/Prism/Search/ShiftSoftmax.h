//===- ShiftSoftmax.h - Softmax with its maximum ----------------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// exp(x) / sum exp(x) overflows in f16 above 11, and no kernel can keep exp(x)
// in a narrow type. Written as exp(x - max x) / sum exp(x - max x) it is the
// same over the reals, and fits. Programs that do not shift are searched in
// this form, too (DECISIONS 13; axiom X5); what is found is proved equal to the
// program as it stands.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_SEARCH_SHIFTSOFTMAX_H
#define PRISM_SEARCH_SHIFTSOFTMAX_H

#include "Prism/Dialect/PrismDialect.h"
#include "mlir/IR/OwningOpRef.h"

namespace prism {

/// The program with each exponential whose sum divides something shifted by its
/// maximum over the summed dims. Null if there is none to shift.
mlir::OwningOpRef<ProgramOp> shiftSoftmax(ProgramOp program);

} // namespace prism

#endif // PRISM_SEARCH_SHIFTSOFTMAX_H
