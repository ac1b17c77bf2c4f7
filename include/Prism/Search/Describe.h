//===- Describe.h - Candidates in one line ----------------------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The expression that a candidate computes, with its maps, in one line: for
// reports, for comparing graphs, and for tests.
//
// Worked example (mapped, RMSNorm and a product):
//
//   grid x; loop i; div(acc(matmul(a0[,i], a1[i,x])),
//   sqrt(div(acc(reduce_sum(square(a0[,i]))), d1))) -> [,x]
//
// Casts are left out, indexing maps are not shown. Accumulators are acc, accmax
// and rescaled(tile, shift). Partial results along a grid dim s are written
// `-> [,x] by s`; a later kernel reads them as k0.0, k0.1, ... in order.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_SEARCH_DESCRIBE_H
#define PRISM_SEARCH_DESCRIBE_H

#include "Prism/Dialect/PrismDialect.h"

namespace prism {

/// One line for all kernels of the candidate, separated by " | ".
std::string describeCandidate(CandidateOp candidate);

/// a0, a1, ... for the candidate's arguments, k0.0, k0.1, ... for the results
/// of its kernel "k0"; for an op on whole tensors its name and operands.
std::string getTensorName(mlir::Value tensor);

} // namespace prism

#endif // PRISM_SEARCH_DESCRIBE_H
