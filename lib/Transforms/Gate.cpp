//===- Gate.cpp - Kernels of candidates, run and compared -----------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass over lib/Gate: for reproducers, and for candidates written by hand.
//
//===----------------------------------------------------------------------===//

#include "Prism/Gate/Gate.h"
#include "Prism/Conversion/Passes.h"
#include "Prism/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace prism {
#define GEN_PASS_DEF_PRISMGATE
#include "Prism/Transforms/Passes.h.inc"
} // namespace prism

using namespace mlir;
using namespace prism;

namespace {
struct GatePass : prism::impl::PrismGateBase<GatePass> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    OpPassManager pm(ModuleOp::getOperationName());
    pm.addPass(createConvertPrismToGPU());
    pm.getDependentDialects(registry);
  }

  void runOnOperation() override;

private:
  LogicalResult runOn(CandidateOp candidate);
};
} // namespace

LogicalResult GatePass::runOn(CandidateOp candidate) {
  Target gpu = *lookupTarget(target);
  if (!tensorMaps)
    gpu = gpu.withoutTensorMaps();
  std::string why;
  std::optional<std::string> ptx;
  std::optional<LoweredCandidate> lowered = lowerCandidate(candidate, gpu, why);
  if (lowered)
    ptx = compileToPTX(lowered->module, gpu, why);
  if (!ptx)
    return candidate.emitError() << "candidate '" << candidate.getId()
                                 << "' cannot be lowered: " << why;
  GateOptions options;
  options.seed = seed;
  options.budgetSteps = budgetSteps;
  GateStatistics statistics;
  GateResult result =
      runGate(candidate, *lowered, *ptx, gpu, options, statistics, why);
  for (const std::string &limit : statistics.limits)
    emitRemark(candidate.getLoc()) << "the gate's limits: " << limit;
  switch (result) {
  case GateResult::Passed:
    emitRemark(candidate.getLoc())
        << "candidate '" << candidate.getId()
        << "' passes the gate: " << statistics.runs << " runs, "
        << statistics.blocks << " blocks, " << statistics.steps
        << " steps, worst error "
        << llvm::formatv("{0:e2}", statistics.worstError).str()
        << ", the program's own "
        << llvm::formatv("{0:e2}", statistics.programError).str();
    return success();
  case GateResult::Refused:
    return candidate.emitError()
           << "candidate '" << candidate.getId() << "' fails the gate: " << why;
  case GateResult::NotRun:
    return candidate.emitError() << "the gate cannot run candidate '"
                                 << candidate.getId() << "': " << why;
  }
  llvm_unreachable("all results are handled");
}

void GatePass::runOnOperation() {
  if (!lookupTarget(target)) {
    emitError(getOperation().getLoc())
        << "option 'target' is '" << target
        << "', expected one of: " << llvm::join(getTargetNames(), ", ");
    return signalPassFailure();
  }
  markAllAnalysesPreserved();
  // Lowering changes candidates, and adds a module of kernels.
  OwningOpRef<ModuleOp> clone = getOperation().clone();
  for (auto program : llvm::make_early_inc_range(clone->getOps<ProgramOp>())) {
    SmallVector<CandidateOp> sized = llvm::filter_to_vector(
        program.getCandidateOps(), [](CandidateOp candidate) {
          return candidate.getState() == CandidateState::Sized;
        });
    if (sized.empty())
      emitRemark(program.getLoc())
          << "program '" << program.getSymName() << "' has no sized candidate";
    else if (failed(runOn(sized.front())))
      signalPassFailure();
  }
}
