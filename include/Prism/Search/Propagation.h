//===- Propagation.h - What a split does to values --------------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the split of a graph's inputs along one parallel dim reaches its values:
// the schemas S1 to S4 and S6 read forwards, from the declared iteration
// structures. Different parallel dims do not interact, so each is followed by
// itself (DESIGN: factorization).
//
// Worked example: X[n, d] split in d, W[d, h] split in d, along p:
//
//     square(X)                 part of dim 1           (S1)
//     reduce_sum(square(X), 1)  pending sum over p      (S2)
//     matmul(X, W)              pending sum over p      (S2)
//     sqrt(reduce_sum(...))     invalid: not linear     (S4 does not apply)
//
// and of a softmax over the rows of S[n, s], split in s, with E = exp(S - m):
//
//     m = reduce_max(S, 1)      pending maximum         (S2max)
//     S - m                     part of dim 1, shifted by m
//     E                         part of dim 1, scaled by exp(-m)
//     reduce_sum(E, 1)          pending rescaled sum    (S6)
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_SEARCH_PROPAGATION_H
#define PRISM_SEARCH_PROPAGATION_H

#include "Prism/Dialect/IterationStructure.h"

namespace prism {

/// What the blocks (or steps) along one parallel dim p hold of a value t. With
/// m_j the maximum that chunk j has found, and M that of all chunks:
struct ParallelState {
  enum Kind {
    Replicated, ///< repl(t, p): each holds all of it
    Part,       ///< part(t, dim, p): each holds its chunk of data dim `dim`
    PendingSum, ///< t is red of what they hold: its sum
    PendingMax, ///< t is redmax of what they hold: its maximum, M
    Shifted,    ///< part(t, dim, p) + (M - m_j): a difference from a maximum
    Scaled,     ///< part(t, dim, p) * exp(M - m_j)
    PendingRescaledSum, ///< t is redr of what they hold: its sum, each times
                        ///< exp(m_j - M)
    Invalid             ///< none of these: what they hold does not determine it
  };
  Kind kind = Replicated;
  unsigned dim = 0; ///< the data dim, for Part, Shifted and Scaled
  /// Which maximum it is (PendingMax), or which one shifts it.
  unsigned shift = 0;
  /// Per data dim of that maximum the data dim of t that it lies along.
  llvm::SmallVector<unsigned, 2> shiftDims;

  static ParallelState get(Kind kind) {
    ParallelState state;
    state.kind = kind;
    return state;
  }
  static ParallelState replicated() { return get(Replicated); }
  static ParallelState pendingSum() { return get(PendingSum); }
  static ParallelState invalid() { return get(Invalid); }
  static ParallelState part(unsigned dim) {
    ParallelState state = get(Part);
    state.dim = dim;
    return state;
  }
  static ParallelState pendingMax(unsigned shift) {
    ParallelState state = get(PendingMax);
    state.shift = shift;
    return state;
  }

  bool isReplicated() const { return kind == Replicated; }
  bool isPart() const { return kind == Part; }
  bool isPendingSum() const { return kind == PendingSum; }
  bool isPendingMax() const { return kind == PendingMax; }
  bool isPendingRescaledSum() const { return kind == PendingRescaledSum; }
  bool isInvalid() const { return kind == Invalid; }
  /// Whether it can be accumulated, or handed on as partial results.
  bool isPending() const {
    return isPendingSum() || isPendingMax() || isPendingRescaledSum();
  }
  /// Whether a maximum that is not known yet goes into it.
  bool isRelative() const {
    return kind == Shifted || kind == Scaled || isPendingRescaledSum();
  }
  /// Whether it differs from chunk to chunk of p.
  bool varies() const { return !isReplicated() && !isInvalid(); }
  bool operator==(const ParallelState &other) const {
    return kind == other.kind && dim == other.dim && shift == other.shift &&
           shiftDims == other.shiftDims;
  }
};

/// The state of the result of an op of this structure, given its operands':
///   S1  operands that carry a parallel dim k are all split there, the others
///       replicated: the result is split at k
///   S2  likewise for a sum dim k: the result is a pending sum
///   S3  all operands replicated: so is the result
///   S4  exactly one group of jointly linear operands is pending, the others
///       replicated: the result is pending
///   S6  as S1, S2 and S4, where exactly one group of jointly linear operands
///       is scaled (or a pending rescaled sum) by one maximum, whose dims are
///       parallel and carried to the result: so is the result
/// and invalid otherwise. Splitting a max or whole dim is invalid.
ParallelState propagate(const IterationStructure &structure,
                        llvm::ArrayRef<ParallelState> operands);

/// As above, of the op itself: a maximum over a split dim is pending, and goes
/// by the name `id`; a part less a pending maximum is shifted, its exponential
/// is scaled. Casts pass on every state.
ParallelState propagate(mlir::Operation *op,
                        const IterationStructure &structure,
                        llvm::ArrayRef<ParallelState> operands, unsigned id);

} // namespace prism

#endif // PRISM_SEARCH_PROPAGATION_H
