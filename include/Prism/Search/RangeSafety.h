//===- RangeSafety.h - Equal over the reals is not enough -------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A form may equal the program over the reals and still overflow where the
// program does not: exp(x) / sum exp(x) for a softmax that shifts by its
// maximum. Such forms are dropped. The rules, on classes of equal expressions:
//
//   * an exponential is taken only of what the program exponentiates, or of
//     x - max x, which is never above 0;
//   * an operand of a product is rounded to f16 or bf16 only if the program
//     keeps it in such, or if its magnitude is at most 1: the scale of logits
//     does not move into a bf16 operand, as 150 with 8 bits is 150 +- 0.3, and
//     its exponential is off by a third;
//   * an exponential that nothing bounds, or a multiple of it, is summed, also
//     in a product, only if the program sums it: of exp(x) near the largest
//     float, (sum exp(x) v) / sum exp(x) is infinite where the sum of
//     (exp(x) / sum exp(x)) v is not;
//   * what one step or block has of a sum is no operand of a product that is
//     rounded: of X A = sum X_i A_i, which the program keeps in f16, an X_i A_i
//     may be too large for it, so sum (X_i A_i) B is not safe. Maps decide that
//     (MapSolver.h).
//
// Everything else is computed in f32, where sums of squares and products of
// f16 values are far from overflow.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_SEARCH_RANGESAFETY_H
#define PRISM_SEARCH_RANGESAFETY_H

#include "Prism/Search/Forms.h"
#include "llvm/ADT/DenseSet.h"

namespace prism {

class RangeSafety {
public:
  /// `oracle` is that of `program`, and must outlive this.
  RangeSafety(ProgramOp program, Oracle &oracle);

  /// Takes the exponentials that no safe form has out of the oracle, so that
  /// they are not searched with. Returns how many there were.
  unsigned removeUnsafeNodes();

  /// Whether no value of `form` leaves the range of the type that it is kept
  /// in where the program's own values stay within theirs.
  bool isSafe(const Form &form) const { return !findUnsafe(form); }
  /// The first node that may leave it.
  std::optional<unsigned> findUnsafe(const Form &form) const;

private:
  /// Whether the node, an operand of a product, may be rounded to 16 bits.
  bool mayBeRounded(const Form &form, unsigned index) const;
  /// Whether the node is an exponential that may be as large as floats are, a
  /// multiple of one, or one divided.
  bool hasLargeExponential(const Form &form, unsigned index) const;
  /// Whether the class has the form x - max x.
  bool isAtMostZero(unsigned cls) const;
  /// Whether every element of the class is between -1 and 1.
  bool isAtMostOne(unsigned cls) const;

  /// Whether the class may be exponentiated.
  bool isSafeExponent(unsigned cls) const;

  Oracle &oracle;
  /// Classes that the program exponentiates, keeps in 16 bits, sums, and takes as
  /// operands of products.
  llvm::DenseSet<unsigned> exponents, rounded, summed, multiplied;
  /// Whether operands of products that are computed are rounded to 16 bits.
  bool roundsOperands = false;
};

} // namespace prism

#endif // PRISM_SEARCH_RANGESAFETY_H
