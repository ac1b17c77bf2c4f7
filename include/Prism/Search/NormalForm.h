//===- NormalForm.h - Normal forms of mapped candidates ---------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Most graphs are the same kernel in other words (DECISIONS: completeness is
// up to normal form). In the normal form products, quotients, squares and roots
// are one sorted monomial, factors that a sum does not run over stand before
// it, and accumulators are left out: where the loop runs is seen in the maps of
// the loaders.
//
// Worked example: matmul(div(X, s), W) and div(matmul(X, W), s), with one grid
// dim over the columns of W, both have the normal form
//
//   a2[r0]^-1 * sum{b1}(a0[r0,{b1}] * a1[{b1},r1/x])
//
// where a0, a1, a2 are the program's arguments X, W and s.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_SEARCH_NORMALFORM_H
#define PRISM_SEARCH_NORMALFORM_H

#include "Prism/Dialect/PrismDialect.h"

namespace prism {

/// The normal form of a mapped candidate, as text: those of its kernels in
/// order. Constant factors of partial results belong to the kernel that
/// combines them. Equal texts mean: the same values over the reals wherever
/// both are defined, with the same maps.
std::string getNormalForm(CandidateOp candidate);

/// The same without maps: equal for the kernels of one program that compute its
/// results in the same way. `candidate` may be symbolic.
std::string getUnmappedNormalForm(CandidateOp candidate);

/// Whether a kernel divides a factor out that it multiplied in, or subtracts a
/// term that it added: the same value has a graph with fewer ops.
/// `candidate` may be symbolic.
bool takesBack(CandidateOp candidate);

/// That of one value of a kernel's body, without maps.
std::string getUnmappedNormalForm(KernelOp kernel, mlir::Value value);

/// What tells which of the candidates of one normal form is kept; less is
/// better. In this order: ops; iteration dims of all ops; operands; dims
/// accumulated; ops in the loop; operands of products that are computed.
llvm::SmallVector<unsigned> getFormCost(CandidateOp candidate);

} // namespace prism

#endif // PRISM_SEARCH_NORMALFORM_H
