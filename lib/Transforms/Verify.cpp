//===- Verify.cpp - Proofs of candidates ----------------------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sets the verdict of every candidate and drops those that are not proved. See
// lib/Verify.
//
//===----------------------------------------------------------------------===//

#include "Prism/Verify/Verify.h"
#include "CheckOptions.h"
#include "Prism/Dialect/Statistics.h"
#include "Prism/Search/Budget.h"
#include "Prism/Transforms/Passes.h"
#include "Prism/Verify/Explain.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/ToolOutputFile.h"
#include <mutex>

namespace prism {
#define GEN_PASS_DEF_PRISMVERIFY
#include "Prism/Transforms/Passes.h.inc"
} // namespace prism

using namespace mlir;
using namespace prism;

namespace {
struct Counts {
  uint64_t proved = 0, disproved = 0, unknown = 0, enodes = 0;
  uint64_t castsErased = 0; ///< Narrowing ones, of the program.

  uint64_t &of(Verdict verdict) {
    return verdict == Verdict::Proved      ? proved
           : verdict == Verdict::Disproved ? disproved
                                           : unknown;
  }
};

struct VerifyPass : prism::impl::PrismVerifyBase<VerifyPass> {
  using Base::Base;
  void runOnOperation() override;

private:
  void verifyProgram(VerifyOptions options, Counts &counts);
  void verifyAll(Verifier &verifier, Budget &budget, Counts &counts);
  Precision getPrecision() const {
    return precision == "strict" ? Precision::Strict : Precision::Relaxed;
  }
  LogicalResult writeExplanation();
  /// Sets the verdict, or drops the candidate.
  void record(CandidateOp candidate, const VerifyResult &result, bool isSkipped,
              Counts &counts);

  std::string explanation;
};
} // namespace

void VerifyPass::verifyAll(Verifier &verifier, Budget &budget, Counts &counts) {
  auto candidates = llvm::to_vector(getOperation().getCandidateOps());
  // Within a budget some are to be proved early.
  size_t size = budgetSeconds > 0 || memoryMiB != 0 ? 1 : candidates.size();
  for (ArrayRef<CandidateOp> left = candidates; !left.empty(); size *= 2) {
    ArrayRef<CandidateOp> batch = left.take_front(size);
    left = left.drop_front(batch.size());
    std::vector<VerifyResult> results(batch.size());
    if (budget.largeStep())
      results = verifier.verify(batch);
    for (auto [candidate, result] : llvm::zip(batch, results))
      record(candidate, result,
             result.verdict == Verdict::Unknown && budget.isExhausted(),
             counts);
  }
  if (!budget.isExhausted())
    return;
  recordComplete(getOperation(), false);
  emitRemark(getOperation().getLoc())
      << "the budget ended before all candidates were proved";
}

/// To the file that the option names: of a module with one program, whole; of
/// several, that with the program's name appended, since passes on programs run
/// side by side.
LogicalResult VerifyPass::writeExplanation() {
  std::string path = explain;
  if (auto module = dyn_cast_or_null<ModuleOp>(getOperation()->getParentOp()))
    if (!llvm::hasSingleElement(module.getOps<ProgramOp>()))
      path += ("." + getOperation().getSymName()).str();
  std::string error;
  std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(path, &error);
  if (!file)
    return emitError(getOperation().getLoc())
           << "prism-verify: cannot write the explanation: " << error;
  file->os() << explanationLegend << explanation;
  file->keep();
  return success();
}

void VerifyPass::record(CandidateOp candidate, const VerifyResult &result,
                        bool isSkipped, Counts &counts) {
  ++counts.of(result.verdict);
  counts.enodes += result.enodes;
  candidate.setVerdict(result.verdict);
  if (result.certificate && !explain.empty())
    explanation +=
        explainCandidate(getOperation(), candidate, result.certificate);
  if (keepProofs && result.certificate)
    candidate.setCertificateAttr(result.certificate);
  else if (!isSkipped)
    candidate.removeCertificateAttr();
  if (result.verdict == Verdict::Proved) {
    if (!result.why.empty())
      emitRemark(candidate.getLoc()) << "is Proved, but " << result.why;
    return;
  }
  if (!isSkipped)
    emitRemark(candidate.getLoc())
        << "is " << stringifyVerdict(result.verdict) << ": " << result.why;
  if (!keepAll)
    candidate.erase();
}

void VerifyPass::verifyProgram(VerifyOptions options, Counts &counts) {
  Budget budget(/*steps=*/0, budgetSeconds, memoryMiB,
                getSearchMonitor(&getContext()));
  std::mutex mutex; // A budget is for one thread.
  options.isInterrupted = [&] {
    std::lock_guard<std::mutex> lock(mutex);
    return budget.poll();
  };
  FailureOr<std::unique_ptr<Verifier>> verifier =
      Verifier::create(getOperation(), options);
  if (succeeded(verifier)) {
    counts.enodes = (*verifier)->getProgramGraph().numNodes();
    counts.castsErased = (*verifier)->getProgramGraph().castsErased();
    return verifyAll(**verifier, budget, counts);
  }
  // The program has no term: nothing about its candidates is known.
  for (CandidateOp candidate : getOperation().getCandidateOps()) {
    ++counts.unknown;
    candidate.setVerdict(Verdict::Unknown);
    if (!keepAll)
      candidate.erase();
  }
}

void VerifyPass::runOnOperation() {
  ProgramOp program = getOperation();
  VerifyOptions options;
  options.proofs = keepProofs || !explain.empty();
  options.precision = getPrecision();
  options.threads = threads;
  explanation.clear();
  if (failed(checkSeconds(program.getLoc(), "prism-verify", "budget-seconds",
                          budgetSeconds)))
    return signalPassFailure();
  if (precision != "strict" && precision != "relaxed") {
    emitError(program.getLoc())
        << "prism-verify: unknown precision '" << precision
        << "', expected 'relaxed' or 'strict'";
    return signalPassFailure();
  }
  // A program without candidates need not be looked at.
  Counts counts;
  if (!program.getCandidateOps().empty())
    verifyProgram(options, counts);
  recordStatistics(program, {{"proved", counts.proved},
                             {"disproved", counts.disproved},
                             {"unknown", counts.unknown},
                             {"enodes", counts.enodes},
                             {"casts_erased", counts.castsErased}});
  if (!explain.empty() && failed(writeExplanation()))
    return signalPassFailure();
  if (counts.proved + counts.disproved + counts.unknown)
    emitRemark(program.getLoc())
        << counts.proved << " candidates proved, " << counts.disproved
        << " disproved, " << counts.unknown << " unknown";
}
