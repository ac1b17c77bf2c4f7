//===- Recomputation.h - Values computed again in a loop --------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value may be needed whole before a loop and part by part in it. Then no
// loop form has that loop; a form that computes the value twice has one.
//
// Worked example: matmul(div(X, sqrt(reduce_sum(square(X)))), W), where the
// quotient must not be taken after the product, for X may be large:
//
//     before the loop:  s = sqrt(reduce_sum(square(X)))     X whole
//     in the loop:      accumulate matmul(div(X', s), W)    X', W by parts
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_SEARCH_RECOMPUTATION_H
#define PRISM_SEARCH_RECOMPUTATION_H

#include "Prism/Search/Forms.h"

#include <vector>

namespace prism {

/// A form in which some nodes, loaders too, stand twice.
struct RecomputingForm {
  Form form;
  /// What the loop that it is made for accumulates: nodes of the form that it
  /// is made from, and of `form`.
  llvm::SmallVector<unsigned> accumulated, accumulatedTwice;
};

/// For each extent that `form` sums over: the form with a loop over it that
/// accumulates the last of these sums, those that no other such sum needs. What
/// a step of the loop and something before it both need is there twice. Only
/// where there is such a value; none where one would have to be split in two
/// ways, cannot be split, or is itself a sum or maximum: that would be dear.
/// Linear in the nodes for each extent.
std::vector<RecomputingForm> recomputeInLoops(const Oracle &oracle,
                                              const Form &form);

} // namespace prism

#endif // PRISM_SEARCH_RECOMPUTATION_H
