//===- InstantiateParams.cpp - Tile extents by the cost model ---------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces mapped candidates by the cheapest sized ones (Tuning/Sizing.h).
//
//===----------------------------------------------------------------------===//

#include "Prism/Dialect/Statistics.h"
#include "Prism/Transforms/Passes.h"
#include "Prism/Tuning/ParameterSpace.h"
#include "Prism/Tuning/Sizing.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

namespace prism {
#define GEN_PASS_DEF_PRISMINSTANTIATEPARAMS
#include "Prism/Transforms/Passes.h.inc"
} // namespace prism

using namespace mlir;
using namespace prism;

namespace {

struct InstantiateParamsPass
    : prism::impl::PrismInstantiateParamsBase<InstantiateParamsPass> {
  using Base::Base;
  void runOnOperation() override;

private:
  bool isDynamic(StringRef name) {
    ExtentSymbolAttr symbol = getOperation().lookupExtent(name);
    return symbol && !symbol.getValue();
  }
  void replaceCandidates(ArrayRef<SizedCandidate> sized, const Target &target);

  std::optional<int64_t> getSymbolValue(StringRef name) {
    ExtentSymbolAttr symbol = getOperation().lookupExtent(name);
    return symbol ? symbol.getValue() : std::nullopt;
  }
};

} // namespace

/// Forgets the parameters of sized candidates; of those that then are the
/// same one is kept.
static void unsize(ProgramOp program) {
  SmallVector<CandidateOp> kept;
  for (CandidateOp candidate : program.getCandidateOps()) {
    if (candidate.getState() != CandidateState::Sized)
      continue;
    for (auto kernel : candidate.getBodyBlock().getOps<KernelOp>())
      clearParameters(kernel);
    bool isThere = llvm::any_of(kept, [&](CandidateOp other) {
      return OperationEquivalence::isRegionEquivalentTo(
          &candidate.getBody(), &other.getBody(),
          OperationEquivalence::IgnoreLocations);
    });
    if (isThere)
      candidate.erase();
    else
      kept.push_back(candidate);
  }
}

void InstantiateParamsPass::replaceCandidates(ArrayRef<SizedCandidate> sized,
                                              const Target &target) {
  ProgramOp program = getOperation();
  Builder builder(&getContext());
  auto estimate = [&](auto estimateAt) {
    return getMeanEstimate(program, [&](SymbolValueFn symbolValue) {
      return estimateAt(program, target, symbolValue);
    });
  };
  std::optional<double> roofline = estimate(estimateRooflineUs);
  std::optional<double> unfused = estimateOpByOpUs(
      program, [&](StringRef name) { return getSymbolValue(name); }, target,
      [&](StringRef name) { return isDynamic(name); }, threads);
  if (!unfused)
    unfused = estimate(estimateUnfusedUs);
  SmallVector<CandidateOp> before = program.getCandidateOps();
  OpBuilder inserter =
      OpBuilder::atBlockEnd(&program.getOrCreateCandidateBlock());
  llvm::StringMap<unsigned> forms;
  llvm::StringSet<> ids;
  for (CandidateOp candidate : before)
    ids.insert(candidate.getId());
  for (const SizedCandidate &form : sized) {
    CandidateOp mapped = form.mapped;
    auto candidate = cast<CandidateOp>(inserter.clone(*mapped));
    unsigned &number = forms[mapped.getId()];
    if (number++ != 0) {
      std::string id = (mapped.getId() + "." + Twine(number - 1)).str();
      while (!ids.insert(id).second)
        id = (mapped.getId() + "." + Twine(number++)).str();
      candidate.setId(id);
    }
    candidate.setState(CandidateState::Sized);
    candidate.setCostUsAttr(builder.getF64FloatAttr(form.costUs));
    if (roofline)
      candidate->setAttr("prism.roofline_us",
                         builder.getF64FloatAttr(*roofline));
    if (unfused)
      candidate->setAttr("prism.unfused_us", builder.getF64FloatAttr(*unfused));
    for (auto [kernel, parameters] : llvm::zip_equal(
             candidate.getBodyBlock().getOps<KernelOp>(), form.kernels))
      setParameters(kernel, parameters);
  }
  for (CandidateOp candidate : before)
    candidate.erase();
  // What is taken may cost a little more: it is compared with what would be
  // taken op by op.
  if (!unfused || sized.empty() ||
      sized.front().costUs <= *unfused * (1 + timeTolerance))
    return;
  auto cheapest = llvm::min_element(
      sized, [](const SizedCandidate &a, const SizedCandidate &b) {
        return a.costUs < b.costUs;
      });
  emitRemark(program.getLoc())
      << llvm::formatv("the cheapest candidate costs {0:F1} us by the model, "
                       "the program op by op {1:F1} us",
                       cheapest->costUs, *unfused);
}

void InstantiateParamsPass::runOnOperation() {
  const Target *facts = lookupTarget(target);
  if (!facts) {
    emitError(getOperation().getLoc())
        << "option 'target' is '" << target
        << "', expected one of: " << llvm::join(getTargetNames(), ", ");
    return signalPassFailure();
  }
  if (failed(checkAssumedExtents(getOperation().getLoc(), assumedExtents)))
    return signalPassFailure();
  if (!assumedExtents.empty())
    setAssumedExtents(getOperation(), assumedExtents);
  Target gpu = tensorMaps ? *facts : facts->withoutTensorMaps();
  unsize(getOperation());
  SmallVector<CandidateOp> candidates;
  for (CandidateOp candidate : getOperation().getCandidateOps()) {
    if (candidate.getState() == CandidateState::Symbolic)
      emitRemark(candidate.getLoc())
          << "candidate '" << candidate.getId()
          << "' has open maps; run --prism-instantiate-maps first";
    else
      candidates.push_back(candidate);
  }
  SizingLimits limits;
  limits.keepBest = keepBest;
  limits.pointsPerKernel = maxPoints;
  limits.threads = threads;
  uint64_t points = 0;
  std::string whyNot;
  std::vector<SizedCandidate> sized = sizeCandidates(
      candidates, [&](StringRef name) { return getSymbolValue(name); }, gpu,
      limits, points, whyNot, [&](StringRef name) { return isDynamic(name); });
  if (sized.empty() && !whyNot.empty())
    emitRemark(getOperation().getLoc())
        << "no candidate fits " << target << ": " << whyNot;
  replaceCandidates(sized, gpu);
  recordStatistics(getOperation(), {{"points", points}});
}
