//===- Evaluate.h - Terms as numbers ----------------------------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reference semantics of terms: evaluates one at small sizes, in extended
// precision. Splits are ragged: chunk j of extent D is [j t, min((j+1) t, D)).
//
// Worked example: (red[i] (part[0 i] arg[0])) is no term, since the chunks of a
// ragged split have different extents; (red[i] (prism.reduce_sum
// (part[0 i] arg[0]))) of [1, 2, 3] with tile 2 is (1 + 2) + 3 = 6.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_VERIFY_EVALUATE_H
#define PRISM_VERIFY_EVALUATE_H

#include "Prism/Axioms/Facts.h"
#include "Prism/Verify/Arithmetic.h"

namespace prism {

/// A dense row-major tensor.
template <typename Scalar>
struct NumericTensorOf {
  llvm::SmallVector<int64_t> extents;
  std::vector<Scalar> values;

  NumericTensorOf() = default;
  /// Zeros.
  explicit NumericTensorOf(llvm::ArrayRef<int64_t> extents);
};
using NumericTensor = NumericTensorOf<Real>;

/// The sizes at which terms are evaluated.
struct SizeAssignment {
  llvm::StringMap<int64_t> symbols;
  /// Tile extents t_p, for parallel dims that split something; the number of
  /// copies for the others.
  std::map<ParallelId, int64_t> tiles;
};

/// Evaluates terms at one size assignment and one choice of arguments, in
/// Real, Checked, PrimeField or Interval numbers.
template <typename Scalar>
class TermEvaluatorOf {
public:
  using NumericTensor = NumericTensorOf<Scalar>;

  TermEvaluatorOf(const TermLanguage &language, const egraph::TermBank &bank,
                  const SizeAssignment &sizes,
                  llvm::ArrayRef<NumericTensor> arguments)
      : language(language), bank(bank), sizes(sizes), arguments(arguments) {}

  /// The value where the free parallel dims are the chunks in `chunks`. None if
  /// something in the term has no numeric meaning here (a composite op, a size
  /// that is not assigned).
  std::optional<NumericTensor>
  evaluate(egraph::TermId term,
           const std::map<ParallelId, int64_t> &chunks = {});

private:
  std::optional<NumericTensor> evaluateNode(egraph::TermId term);
  std::optional<NumericTensor> computeNode(egraph::TermId term);
  std::optional<NumericTensor>
  evaluateCompute(const Prototype &prototype,
                  llvm::ArrayRef<NumericTensor> operands);
  std::optional<NumericTensor>
  evaluateRescale(const Prototype &product,
                  llvm::ArrayRef<NumericTensor> operands);
  std::optional<NumericTensor> evaluatePart(unsigned dim, ParallelId parallel,
                                            NumericTensor whole);
  std::optional<NumericTensor> evaluateBinder(egraph::TermId term);
  std::optional<int64_t> evaluateExtent(const DimExpr &extent) const;
  std::optional<int64_t> countChunks(ParallelId parallel) const;

  const TermLanguage &language;
  const egraph::TermBank &bank;
  const SizeAssignment &sizes;
  llvm::ArrayRef<NumericTensor> arguments;
  std::map<ParallelId, int64_t> chunk;
  /// Values already computed, by term and chunks: terms are shared.
  std::map<std::pair<egraph::TermId, std::map<ParallelId, int64_t>>,
           std::optional<NumericTensor>>
      known;
};
using TermEvaluator = TermEvaluatorOf<Real>;

} // namespace prism

#endif // PRISM_VERIFY_EVALUATE_H
