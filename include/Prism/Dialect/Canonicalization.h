//===- Canonicalization.h - Simpler forms of compute ops --------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Patterns that bring a program into the form in which it is searched: data
// movement said by the indexing maps of its users, and no casts in front of a
// contraction that widens by itself.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_DIALECT_CANONICALIZATION_H
#define PRISM_DIALECT_CANONICALIZATION_H

#include "Prism/Dialect/PrismDialect.h"
#include "mlir/IR/PatternMatch.h"

namespace prism {

/// Whether `op` puts elements of its operands elsewhere and computes nothing:
/// transpose, broadcast, slice, concat, reshape.
bool isDataMovement(ComputeOpInterface op);

/// Adds, for compute ops at any level:
///  - an operand that is permuted or broadcast by its producer is read through
///    the user's indexing map instead,
///  - elementwise ops on one operand move before such a producer,
///  - operands of a matmul are read as they are stored, where both are widened
///    from one element type.
void populatePrismCanonicalizationPatterns(mlir::RewritePatternSet &patterns);

} // namespace prism

#endif // PRISM_DIALECT_CANONICALIZATION_H
