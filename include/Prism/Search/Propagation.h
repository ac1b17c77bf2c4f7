//===- Propagation.h - What a split does to values --------------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the split of a graph's inputs along one parallel dim reaches its values:
// the schemas S1 to S4 read forwards, from the declared iteration structures
// alone. Different parallel dims do not interact, so each is followed by
// itself (DESIGN: factorization).
//
// Worked example: X[n, d] split in d, W[d, h] split in d, along p:
//
//     square(X)                 part of dim 1           (S1)
//     reduce_sum(square(X), 1)  pending sum over p      (S2)
//     matmul(X, W)              pending sum over p      (S2)
//     sqrt(reduce_sum(...))     invalid: not linear     (S4 does not apply)
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_SEARCH_PROPAGATION_H
#define PRISM_SEARCH_PROPAGATION_H

#include "Prism/Dialect/IterationStructure.h"

namespace prism {

/// What the blocks (or steps) along one parallel dim p hold of a value.
struct ParallelState {
  enum Kind {
    Replicated, ///< repl(t, p): each holds all of it
    Part,       ///< part(t, dim, p): each holds its chunk of data dim `dim`
    PendingSum, ///< the value is red(t, p): the sum of what they hold
    Invalid     ///< none of these: what they hold does not determine it
  };
  Kind kind = Replicated;
  unsigned dim = 0; ///< the data dim, for Part

  static ParallelState replicated() { return {Replicated, 0}; }
  static ParallelState part(unsigned dim) { return {Part, dim}; }
  static ParallelState pendingSum() { return {PendingSum, 0}; }
  static ParallelState invalid() { return {Invalid, 0}; }

  bool isReplicated() const { return kind == Replicated; }
  bool isPart() const { return kind == Part; }
  bool isPendingSum() const { return kind == PendingSum; }
  bool isInvalid() const { return kind == Invalid; }
  /// Whether it differs from chunk to chunk of p.
  bool varies() const { return kind == Part || kind == PendingSum; }
  bool operator==(const ParallelState &other) const {
    return kind == other.kind && (kind != Part || dim == other.dim);
  }
};

/// The state of a compute op's result, given its operands':
///   S1  operands that carry a parallel dim k are all split there, the others
///       replicated: the result is split at k
///   S2  likewise for a sum dim k: the result is a pending sum
///   S3  all operands replicated: so is the result
///   S4  exactly one group of jointly linear operands is pending, the others
///       replicated: the result is pending
/// and invalid otherwise. Splitting a max or whole dim is invalid.
ParallelState propagate(const IterationStructure &structure,
                        llvm::ArrayRef<ParallelState> operands);

} // namespace prism

#endif // PRISM_SEARCH_PROPAGATION_H
