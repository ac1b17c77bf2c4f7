//===- Encoder.h - Programs and candidates as terms -------------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The trusted translation of IR into terms. A loader is part for each parallel
// dim that its map names and repl for the others (grid dims in order of
// declaration, then the loop), an accumulator is red (of a rescale, where it
// rescales) or redmax, a saver is comb for each grid dim that its map names,
// stack for partials and sel for the rest. Kernels compose; no two of a
// candidate share a parallel dim, since their tile extents are independent.
//
// Worked example: in a kernel with the grid dim x and the loop dim i, the
// loader of W[d, h] with the map [[i], [x]] is (part[0 i] (part[1 x] arg[1])).
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_AXIOMS_ENCODER_H
#define PRISM_AXIOMS_ENCODER_H

#include "Prism/Axioms/Facts.h"

namespace prism {

/// A value on which a program relies where it is defined.
struct ReliedOnValue {
  egraph::TermId term;
  bool isNonZero;
  bool isNonNegative;
};

struct EncodedGraph {
  /// One term per yielded value.
  llvm::SmallVector<egraph::TermId> results;
  /// Terms of the arguments.
  llvm::SmallVector<egraph::TermId> arguments;
  /// Divisors and operands of roots and logarithms, in order.
  llvm::SmallVector<ReliedOnValue> reliedOn;
  /// Narrowing casts that became no nodes.
  unsigned castsErased = 0;
};

/// The terms of a program's results, in `bank`. Declares the arguments in the
/// language. Failure, with the reason in `why`, if an op has no term.
mlir::FailureOr<EncodedGraph> encodeProgram(ProgramOp program,
                                            TermAnalysis &analysis,
                                            egraph::TermBank &bank,
                                            std::string &why);

/// The terms of a mapped or sized candidate's results, over the arguments that
/// encodeProgram declared.
mlir::FailureOr<EncodedGraph> encodeCandidate(CandidateOp candidate,
                                              TermAnalysis &analysis,
                                              egraph::TermBank &bank,
                                              std::string &why);

/// The typing facts of a term and all its subterms, computed on demand.
class TermFacts {
public:
  TermFacts(const TermAnalysis &analysis, const egraph::TermBank &bank)
      : analysis(analysis), bank(bank) {}
  const TermFact &of(egraph::TermId term);
  /// From now on this holds of `value.term` (and of what contains it). Call it
  /// before `of`.
  void assume(const ReliedOnValue &value) { assumed.push_back(value); }

private:
  std::vector<ReliedOnValue> assumed;
  const TermAnalysis &analysis;
  const egraph::TermBank &bank;
  std::map<egraph::TermId, TermFact> facts;
};

} // namespace prism

#endif // PRISM_AXIOMS_ENCODER_H
