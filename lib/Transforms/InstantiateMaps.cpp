//===- InstantiateMaps.cpp - Mapped instances of sGraphs ------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass over lib/Search: options in, statistics and remarks out.
//
//===----------------------------------------------------------------------===//

#include "CheckOptions.h"
#include "Prism/Dialect/Statistics.h"
#include "Prism/Search/Describe.h"
#include "Prism/Search/Search.h"
#include "Prism/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace prism {
#define GEN_PASS_DEF_PRISMINSTANTIATEMAPS
#include "Prism/Transforms/Passes.h.inc"
} // namespace prism

using namespace mlir;
using namespace prism;

namespace {
struct InstantiateMapsPass
    : prism::impl::PrismInstantiateMapsBase<InstantiateMapsPass> {
  using Base::Base;

  void runOnOperation() override {
    ProgramOp program = getOperation();
    FailureOr<InstantiateOptions> options = getSearchOptions();
    if (failed(options))
      return signalPassFailure();
    bool hadCandidates = !program.getCandidateOps().empty();
    bool hadSymbolic =
        llvm::any_of(program.getCandidateOps(), [](CandidateOp candidate) {
          return candidate.getState() == CandidateState::Symbolic;
        });
    InstantiateResult result = instantiateMaps(program, *options);
    if (!hadCandidates)
      return;
    if (result.mappings == 0 && !result.reason.empty() && !hadSymbolic) {
      emitRemark(program.getLoc()) << "maps: " << result.reason;
      return; // the statistics are those of the run that mapped them
    }
    recordStatistics(program, {{"mappings", result.mappings},
                               {"unique_graphs", result.uniqueGraphs},
                               {"unique_normalized", result.uniqueNormalized}});
    addStatistics(program, {{"pruned_by_shape", result.prunedByShape}});
    if (options->target)
      recordStatistics(program,
                       {{"pruned_by_resources", result.prunedByResources}});
    if (!result.complete)
      recordComplete(program, false);
    if (result.mappings == 0 && result.reason.empty())
      result.reason =
          result.complete
              ? "no candidate has a map that splits the grid, or a loop, "
                "rightly"
              : "the budget ended before a candidate was mapped";
    if (!result.reason.empty())
      emitRemark(program.getLoc()) << "maps: " << result.reason;
    if (describe)
      for (CandidateOp candidate : program.getCandidateOps())
        emitRemark(candidate.getLoc())
            << candidate.getId() << ": " << describeCandidate(candidate);
  }

private:
  FailureOr<InstantiateOptions> getSearchOptions() {
    InstantiateOptions options;
    options.keepAll = keepAll;
    options.paperBounds = paperBounds;
    options.filterRange = filterRange && !paperBounds;
    options.budgetSeconds = budgetSeconds;
    options.memoryMiB = memoryMiB;
    options.threads = threads;
    if (failed(checkSeconds(getOperation().getLoc(), "prism-instantiate-maps",
                            "budget-seconds", budgetSeconds)))
      return failure();
    if (precision != "strict" && precision != "relaxed")
      return emitError(getOperation().getLoc())
             << "prism-instantiate-maps: precision is '" << precision
             << "', expected 'relaxed' or 'strict'";
    if (precision == "strict")
      options.precision = Precision::Strict;
    if (!target.empty()) {
      options.target = lookupTarget(target);
      if (!options.target)
        return emitError(getOperation().getLoc())
               << "prism-instantiate-maps: target is '" << target
               << "', expected one of: " << llvm::join(getTargetNames(), ", ");
    }
    SmallVector<StringRef> names;
    StringRef(concreteMaps).split(names, '+', -1, /*KeepEmpty=*/false);
    for (StringRef name : names) {
      bool *option = llvm::StringSwitch<bool *>(name)
                         .Case("imap", &options.concreteImap)
                         .Case("fmap", &options.concreteFmap)
                         .Case("omap", &options.concreteOmap)
                         .Default(nullptr);
      if (!option)
        return emitError(getOperation().getLoc())
               << "prism-instantiate-maps: concrete-maps has '" << name
               << "', expected imap, fmap or omap, separated by '+'";
      *option = true;
    }
    return options;
  }
};
} // namespace
