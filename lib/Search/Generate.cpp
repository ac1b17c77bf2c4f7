//===- Generate.cpp - Symbolic candidates of a program --------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Oracle, algebraic forms, loop forms, kernel graphs, candidates: in this
// order, each step a file of its own.
//
//===----------------------------------------------------------------------===//

#include "Prism/Search/RangeSafety.h"
#include "Prism/Search/Search.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace prism;

/// Ids PROGRAM_0, PROGRAM_1, ... that no candidate has.
namespace {
class IdGenerator {
public:
  explicit IdGenerator(ProgramOp program) : name(program.getSymName()) {
    for (CandidateOp candidate : program.getCandidateOps())
      used.insert(candidate.getId());
  }
  std::string next() {
    std::string id;
    do
      id = (name + "_" + Twine(counter++)).str();
    while (used.contains(id));
    return id;
  }

private:
  StringRef name;
  llvm::StringSet<> used;
  unsigned counter = 0;
};
} // namespace

/// The ops that count, of the program as it is written.
static unsigned countOps(ProgramOp program) {
  return llvm::count_if(
      program.getBodyBlock().without_terminator(),
      [](Operation &op) { return !isa<CastOp>(op) && op.getNumOperands(); });
}

/// Why the program is not searched at all; empty if it is.
static std::string getReasonNotToSearch(ProgramOp program,
                                        const GenerateOptions &options) {
  if (options.maxKernels == 0)
    return "max-kernels is 0";
  // Axioms merge a few ops, but never so many.
  unsigned ops = countOps(program);
  if (static_cast<uint64_t>(ops) > 2 * uint64_t(options.forms.maxOps))
    return llvm::formatv(
        "{0} ops are more than twice the max-block-ops of {1}; "
        "partition the program, or raise max-block-ops",
        ops, options.forms.maxOps);
  return "";
}

static bool needsNoKernel(const Oracle &oracle) {
  return llvm::none_of(oracle.results, [&](unsigned cls) {
    return needsKernel(oracle.classes[cls]);
  });
}

GenerateResult prism::generateCandidates(ProgramOp program,
                                         const GenerateOptions &options) {
  GenerateResult result;
  result.reason = getReasonNotToSearch(program, options);
  if (!result.reason.empty())
    return result;

  Budget budget(options.budgetSteps, options.budgetSeconds, options.memoryMiB);
  // At most half of the time for the oracle, so that something is found.
  std::optional<Oracle> saturated = buildSaturatedOracle(
      program, options.forms.extraOps, options.budgetSeconds / 2);
  // What has no term is searched as it is written.
  Oracle oracle =
      saturated ? std::move(*saturated) : buildProgramOracle(program);
  result.enodes = oracle.numNodes;
  if (needsNoKernel(oracle)) {
    result.reason = "every result is an argument or a constant";
    return result;
  }
  FormStatistics formStatistics;
  LoopFormStatistics loopStatistics;
  IdGenerator ids(program);
  RangeSafety range(program, oracle);
  auto add = [&](const KernelGraph &kernels) {
    if (!budget.step())
      return;
    if (buildCandidate(program, ids.next(), oracle, kernels, options.kernels))
      ++result.graphs;
    else
      ++result.prunedByShape;
  };
  auto addCandidates = [&](Form form) {
    if (options.filterRange && !range.isSafe(form)) {
      ++result.rangeUnsafe;
      return false;
    }
    splitLoads(oracle, form);
    for (const LoopForm &loop : enumerateLoopForms(oracle, form, options.loops,
                                                   budget, loopStatistics)) {
      add(getSingleKernel(form, loop));
      if (!loop.hasLoop() || options.maxKernels < 2 ||
          options.kernels.maxGridDims == 0)
        continue;
      for (bool withLoop : {false, true})
        add(getSplitKernels(form, loop, withLoop));
    }
    return true;
  };
  // The program itself is a form that will do: nothing beyond it is looked at.
  FormOptions forms = options.forms;
  forms.maxOps =
      std::min(forms.maxOps, countOps(program) + options.forms.extraOps);
  enumerateForms(oracle, forms, budget, formStatistics, addCandidates);
  result.complete = !budget.isExhausted() && oracle.isSaturated;
  result.generated = budget.getSteps();
  result.prunedByShape += loopStatistics.prunedByShape;
  result.prunedByExpression = formStatistics.pruned;
  if (result.graphs != 0)
    return result;
  if (budget.isExhausted())
    result.reason = "the budget ended before a candidate was found";
  else if (result.rangeUnsafe != 0)
    result.reason = llvm::formatv("all {0} forms of at most {1} ops may "
                                  "overflow where the program does not; raise "
                                  "extra-ops or max-block-ops",
                                  result.rangeUnsafe, forms.maxOps);
  else
    result.reason = llvm::formatv("no graph of at most {0} ops computes it; "
                                  "raise max-block-ops",
                                  options.forms.maxOps);
  return result;
}
