//===- Search.h - Generation and map instantiation --------------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The two halves of the symbolic search, on IR: a program gets symbolic
// candidates, and these are replaced by their mapped instances. The space that
// is searched is written down in docs/search-space.md.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_SEARCH_SEARCH_H
#define PRISM_SEARCH_SEARCH_H

#include "Prism/Search/KernelBuilder.h"
#include "Prism/Search/LoopForms.h"
#include "Prism/Search/Resources.h"

namespace prism {

struct GenerateOptions {
  FormOptions forms;
  LoopFormOptions loops;
  KernelOptions kernels;
  unsigned maxKernels = 2;
  /// Strict: the program's narrowing casts stay where they stand.
  Precision precision = Precision::Relaxed;
  /// Cut forms in two kernels (KernelGraph.h), and compute again in loops
  /// (Recomputation.h).
  bool cutForms = true;
  bool shiftSoftmax = true; ///< search unshifted softmax shifted, too
  bool filterRange = true;  ///< drop forms that may overflow (RangeSafety.h)
  uint64_t budgetSteps = 0; ///< graphs grown; 0: no limit
  double budgetSeconds = 0; ///< 0: no limit
  uint64_t memoryMiB = 0;   ///< 0: no limit
};

/// How many ops the forms of one source have (docs/search-space.md).
struct OpBounds {
  std::optional<unsigned> fewest; ///< of a form that will do, casts included
  unsigned most;                  ///< what was searched, casts included
};

struct GenerateResult {
  bool complete = true;   ///< no limit was hit
  uint64_t generated = 0; ///< graphs grown
  uint64_t prunedByShape = 0;
  uint64_t prunedByExpression = 0;
  /// Forms, and exponentials of the oracle, dropped because they may overflow.
  uint64_t rangeUnsafe = 0;
  uint64_t graphs = 0; ///< candidates added
  uint64_t enodes = 0; ///< of the oracle
  /// Of the program; then, if it was searched, of the program with its softmax
  /// shifted.
  llvm::SmallVector<OpBounds, 2> opBounds;
  /// Why there is no candidate, for a remark; empty if there is one.
  std::string reason;
};

/// Adds the symbolic candidates NAME_0, NAME_1, ... of `program`, fewest ops
/// first. When a limit ends the search, those found until then stay.
GenerateResult generateCandidates(ProgramOp program,
                                  const GenerateOptions &options);

struct InstantiateOptions {
  /// For ablation: these maps are enumerated variable by variable, and compared
  /// with the equalities afterwards. The result is the same.
  bool concreteImap = false, concreteFmap = false, concreteOmap = false;
  /// Keep all mapped graphs, not the cheapest of each normal form
  /// (NormalForm.h).
  bool keepAll = false;
  /// Strict: a sum of parts is not rounded part by part.
  Precision precision = Precision::Relaxed;
  /// Drop maps by which parts of a sum are rounded as operands of a product
  /// (RangeSafety.h).
  bool filterRange = true;
  /// Drop what cannot fit this target (Resources.h); null: nothing.
  const Target *target = nullptr;
  /// Count unique graphs as the paper does (PaperCount.h).
  bool paperBounds = false;
  double budgetSeconds = 0; ///< 0: no limit
  uint64_t memoryMiB = 0;   ///< 0: no limit
  /// 0: all that the context has. The result is the same.
  unsigned threads = 0;
  /// Tests: solveMaps also says what it rules out.
  bool keepRejected = false;
};

struct InstantiateResult {
  uint64_t mappings = 0;          ///< mapped graphs
  uint64_t uniqueGraphs = 0;      ///< of these, that differ in ops or maps
  uint64_t uniqueNormalized = 0;  ///< of these, that differ in normal form
  uint64_t prunedByShape = 0;     ///< assignments of one parallel dim ruled out
  uint64_t prunedByResources = 0; ///< mapped graphs that cannot fit the target
  bool complete = true;           ///< no limit was hit
  std::string reason;             ///< as above
};

/// Replaces the symbolic candidates of `program` by mapped ones, renumbered.
InstantiateResult instantiateMaps(ProgramOp program,
                                  const InstantiateOptions &options);

} // namespace prism

#endif // PRISM_SEARCH_SEARCH_H
