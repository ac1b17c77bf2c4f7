//===- ExplainPruning.h - Which check drops a graph -------------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For a graph that somebody has in mind: the first check of the search that
// drops it, and the place in the graph; or the candidate that it became. The
// checks are asked in the order of `PruningCheck`.
//
// Worked example: exp(x) / sum exp(x) of a program that shifts x by its maximum
// is dropped by `range`, at the exponential; with the maximum it is kept.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_SEARCH_EXPLAINPRUNING_H
#define PRISM_SEARCH_EXPLAINPRUNING_H

#include "Prism/Search/Search.h"
#include "mlir/IR/OwningOpRef.h"
#include <functional>
#include <map>

namespace prism {

enum class PruningCheck {
  Bounds,      ///< kernels, ops, grid dims, accumulators (Search.h's options)
  Expression,  ///< an op computes nothing equal to a part of the program
  Range,       ///< a value may overflow where the program does not
  Shape,       ///< maps that split nothing, or not every result
  Propagation, ///< an op, accumulator or saver cannot take what a split gives
  Resources,   ///< it fits the target at no tile extents
  Proof,       ///< not proved equal to the program
  NormalForm,  ///< no check: a candidate is the same kernel in other words
  Kept,        ///< no check: it is a candidate
  NotReached   ///< no check, but no candidate either
};

/// `bounds`, `expression`, ...; `normal form`, `kept`, `not reached`.
llvm::StringRef stringifyPruningCheck(PruningCheck check);

struct PruningExplanation {
  PruningCheck check;
  mlir::Location where;
  std::string why;
  /// Whether a check dropped it.
  bool isDropped() const { return check < PruningCheck::NormalForm; }
};

struct ExplainOptions {
  GenerateOptions generate;
  InstantiateOptions maps; ///< without a target, resources are not asked about
  /// Why a mapped candidate is not proved; empty if it is. Null: not asked.
  std::function<std::string(ProgramOp, CandidateOp)> whyNoProof;
};

/// Explains graphs of one program.
class PruningExplainer {
public:
  /// `program` has the candidates of `generateCandidates`, with the result
  /// `generated`; it is not changed.
  PruningExplainer(ProgramOp program, const GenerateResult &generated,
                   const ExplainOptions &options);

  /// `graph` is a symbolic or mapped candidate of a program of the same type
  /// and extents. Of a symbolic one the mapped graphs are asked about, and the
  /// one that comes furthest is spoken of.
  PruningExplanation explain(CandidateOp graph);

private:
  struct Source {
    mlir::OwningOpRef<ProgramOp> owned; ///< null: the program itself
    ProgramOp program;
    Oracle oracle;
    OpBounds bounds;
  };
  struct Kept {
    std::string id, description;
    unsigned numOps;
  };
  PruningExplanation explainMapped(CandidateOp graph);
  PruningExplanation explainSymbolic(CandidateOp graph);
  PruningExplanation explainForm(CandidateOp graph, Source &source);
  std::optional<PruningExplanation>
  checkBounds(CandidateOp graph, const Source &source, unsigned numOps) const;
  std::optional<PruningExplanation> checkMaps(CandidateOp graph) const;
  PruningExplanation compare(CandidateOp graph) const;

  ExplainOptions options;
  bool isComplete;
  mlir::OwningOpRef<ProgramOp> program; ///< a copy, with its mapped candidates
  std::vector<Source> sources;
  std::map<std::string, Kept> kept; ///< by normal form
};

} // namespace prism

#endif // PRISM_SEARCH_EXPLAINPRUNING_H
