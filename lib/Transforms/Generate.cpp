//===- Generate.cpp - Candidate sGraphs of a program ----------------------===//
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
#include "ExplainPruning.h"
#include "Prism/Dialect/Statistics.h"
#include "Prism/Search/Search.h"
#include "Prism/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"

namespace prism {
#define GEN_PASS_DEF_PRISMGENERATE
#include "Prism/Transforms/Passes.h.inc"
} // namespace prism

using namespace mlir;
using namespace prism;

namespace {
struct GeneratePass : prism::impl::PrismGenerateBase<GeneratePass> {
  using Base::Base;

  void runOnOperation() override {
    ProgramOp program = getOperation();
    if (failed(checkSeconds(program.getLoc(), "prism-generate",
                            "budget-seconds", budgetSeconds)))
      return signalPassFailure();
    if (precision != "strict" && precision != "relaxed") {
      emitError(program.getLoc())
          << "prism-generate: precision is '" << precision
          << "', expected 'relaxed' or 'strict'";
      return signalPassFailure();
    }
    GenerateResult result = generateCandidates(program, getSearchOptions());
    recordStatistics(program,
                     {{"graphs_generated", result.generated},
                      {"pruned_by_shape", result.prunedByShape},
                      {"pruned_by_expression", result.prunedByExpression},
                      {"range_unsafe", result.rangeUnsafe},
                      {"graphs", result.graphs},
                      {"enodes", result.enodes}});
    recordComplete(program, result.complete);
    if (!result.reason.empty())
      emitRemark(program.getLoc()) << "no candidates: " << result.reason;
    if (explainPruning.empty())
      return;
    ExplainOptions explain;
    explain.generate = getSearchOptions();
    if (!explainTarget.empty()) {
      explain.maps.target = lookupTarget(explainTarget);
      if (!explain.maps.target) {
        emitError(program.getLoc())
            << "prism-generate: explain-target is '" << explainTarget
            << "', expected one of: " << llvm::join(getTargetNames(), ", ");
        return signalPassFailure();
      }
    }
    if (failed(prism::explainPruning(program, result, explain, explainPruning)))
      signalPassFailure();
  }

private:
  GenerateOptions getSearchOptions() const {
    GenerateOptions options;
    options.forms.maxOps = maxBlockOps;
    options.forms.extraOps = extraOps;
    options.filterRange = filterRange;
    options.cutForms = cutForms;
    options.shiftSoftmax = shiftSoftmax;
    options.forms.pruneExpression = pruneExpression;
    options.loops.maxAccumulators = maxAccumulators;
    options.forms.maxTerms = maxTerms;
    options.loops.pruneShape = pruneShape;
    options.kernels.maxGridDims = maxGridDims;
    options.maxKernels = maxKernels;
    if (precision == "strict")
      options.precision = Precision::Strict;
    if (paperBounds) {
      options.forms.extraOps = 0;
      options.maxKernels = 1;
      options.cutForms = options.shiftSoftmax = options.filterRange = false;
    }
    options.budgetSteps = budgetSteps;
    options.budgetSeconds = budgetSeconds;
    options.memoryMiB = memoryMiB;
    return options;
  }
};
} // namespace
