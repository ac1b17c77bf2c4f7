//===- InstantiateParams.cpp - Tile extents by the cost model ---------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces mapped candidates by the cheapest sized ones: every point of the
// parameter space is planned as code generation will plan it, and costed.
//
//===----------------------------------------------------------------------===//

#include "Prism/Dialect/Statistics.h"
#include "Prism/Transforms/Passes.h"
#include "Prism/Tuning/CostModel.h"
#include "Prism/Tuning/ParameterSpace.h"
#include "llvm/Support/FormatVariadic.h"

namespace prism {
#define GEN_PASS_DEF_PRISMINSTANTIATEPARAMS
#include "Prism/Transforms/Passes.h.inc"
} // namespace prism

using namespace mlir;
using namespace prism;

namespace {

/// Most points tried for each kernel.
constexpr uint64_t pointLimit = 4096;

/// A kernel with the tiles that were chosen for it.
struct SizedKernel {
  TileSizes tiles;
  double costUs;
};

/// A candidate with tiles for each of its kernels.
struct SizedCandidate {
  CandidateOp mapped;
  SmallVector<TileSizes> tiles;
  double costUs;
};

struct InstantiateParamsPass
    : prism::impl::PrismInstantiateParamsBase<InstantiateParamsPass> {
  using Base::Base;
  void runOnOperation() override;

private:
  std::vector<SizedKernel> sizeKernel(KernelOp kernel, const Target &target,
                                      std::string &whyNot);
  std::vector<SizedCandidate> sizeCandidate(CandidateOp candidate,
                                            const Target &target,
                                            std::string &whyNot);
  void replaceCandidates(ArrayRef<SizedCandidate> sized, const Target &target);

  std::optional<int64_t> getSymbolValue(StringRef name) {
    ExtentSymbolAttr symbol = getOperation().lookupExtent(name);
    return symbol ? symbol.getValue() : std::nullopt;
  }

  uint64_t points = 0;
};

} // namespace

/// The cheapest sizes of one kernel, at most `keepBest`, cheapest first.
std::vector<SizedKernel>
InstantiateParamsPass::sizeKernel(KernelOp kernel, const Target &target,
                                  std::string &whyNot) {
  auto symbolValue = [&](StringRef name) { return getSymbolValue(name); };
  auto noTile = [](StringRef) { return std::optional<int64_t>(); };
  auto extentOf = [&](StringRef dim) {
    return getSplitExtent(kernel, dim).evaluate(symbolValue, noTile);
  };
  std::vector<SizedKernel> sized;
  points +=
      visitTileSizes(kernel, extentOf, pointLimit, [&](const TileSizes &tiles) {
        auto tileExtent = [&](StringRef name) -> std::optional<int64_t> {
          for (auto [dim, tile] :
               llvm::zip_equal(kernel.getParallelDims(), tiles))
            if (dim.getName() == name)
              return tile;
          return std::nullopt;
        };
        std::optional<KernelPlan> plan =
            planKernel(kernel, {symbolValue, tileExtent}, target, whyNot);
        if (!plan)
          return;
        if (std::optional<double> us =
                estimateKernelUs(kernel, *plan, target, symbolValue))
          sized.push_back({tiles, *us});
      });
  llvm::stable_sort(sized, [](const SizedKernel &a, const SizedKernel &b) {
    return a.costUs < b.costUs;
  });
  if (sized.size() > keepBest)
    sized.resize(keepBest);
  return sized;
}

/// The sized forms of `candidate`. Its kernels are chosen independently: the
/// j-th form takes each kernel's j-th best sizes, or its last. None where no
/// sizes fit, and `whyNot` says why those tried last do not.
std::vector<SizedCandidate> InstantiateParamsPass::sizeCandidate(
    CandidateOp candidate, const Target &target, std::string &whyNot) {
  auto symbolValue = [&](StringRef name) { return getSymbolValue(name); };
  double predefinedUs = 0;
  std::vector<std::vector<SizedKernel>> kernels;
  size_t forms = 1;
  for (Operation &op : candidate.getBodyBlock().without_terminator()) {
    if (auto compute = dyn_cast<ComputeOpInterface>(op)) {
      std::optional<double> us = estimateOpUs(compute, target, symbolValue);
      if (!us) {
        whyNot = "an extent is dynamic";
        return {};
      }
      predefinedUs += isa<ConstantOp>(op) ? 0 : *us;
      continue;
    }
    whyNot = "an extent is dynamic";
    kernels.push_back(sizeKernel(cast<KernelOp>(op), target, whyNot));
    if (kernels.back().empty())
      return {};
    forms = std::max(forms, kernels.back().size());
  }
  std::vector<SizedCandidate> sized;
  for (size_t form = 0; form < forms; ++form) {
    SizedCandidate &next = sized.emplace_back();
    next = {candidate, {}, predefinedUs};
    for (const std::vector<SizedKernel> &choices : kernels) {
      const SizedKernel &choice = choices[std::min(form, choices.size() - 1)];
      next.tiles.push_back(choice.tiles);
      next.costUs += choice.costUs;
    }
  }
  return sized;
}

void InstantiateParamsPass::replaceCandidates(ArrayRef<SizedCandidate> sized,
                                              const Target &target) {
  ProgramOp program = getOperation();
  auto symbolValue = [&](StringRef name) { return getSymbolValue(name); };
  Builder builder(&getContext());
  std::optional<double> roofline =
      estimateRooflineUs(program, target, symbolValue);
  std::optional<double> unfused =
      estimateUnfusedUs(program, target, symbolValue);
  SmallVector<CandidateOp> before = program.getCandidateOps();
  OpBuilder inserter =
      OpBuilder::atBlockEnd(&program.getOrCreateCandidateBlock());
  llvm::StringMap<unsigned> forms;
  for (const SizedCandidate &form : sized) {
    CandidateOp mapped = form.mapped;
    auto candidate = cast<CandidateOp>(inserter.clone(*mapped));
    unsigned number = forms[mapped.getId()]++;
    if (number != 0)
      candidate.setId((mapped.getId() + "." + Twine(number)).str());
    candidate.setState(CandidateState::Sized);
    candidate.setCostUsAttr(builder.getF64FloatAttr(form.costUs));
    if (roofline)
      candidate->setAttr("prism.roofline_us",
                         builder.getF64FloatAttr(*roofline));
    if (unfused)
      candidate->setAttr("prism.unfused_us", builder.getF64FloatAttr(*unfused));
    for (auto [kernel, tiles] : llvm::zip_equal(
             candidate.getBodyBlock().getOps<KernelOp>(), form.tiles))
      setTileSizes(kernel, tiles);
  }
  for (CandidateOp candidate : before)
    candidate.erase();
  if (unfused && !sized.empty() && sized.front().costUs > *unfused)
    emitRemark(program.getLoc())
        << llvm::formatv("the cheapest candidate costs {0:F1} us by the model, "
                         "the program op by "
                         "op {1:F1} us",
                         sized.front().costUs, *unfused);
}

void InstantiateParamsPass::runOnOperation() {
  const Target *facts = lookupTarget(target);
  if (!facts) {
    emitError(getOperation().getLoc())
        << "option 'target' is '" << target
        << "', expected one of: " << llvm::join(getTargetNames(), ", ");
    return signalPassFailure();
  }
  std::vector<SizedCandidate> sized;
  std::string whyNot;
  for (CandidateOp candidate : getOperation().getCandidateOps()) {
    if (candidate.getState() == CandidateState::Symbolic) {
      emitRemark(candidate.getLoc())
          << "candidate '" << candidate.getId()
          << "' has open maps; run --prism-instantiate-maps first";
      continue;
    }
    llvm::append_range(sized, sizeCandidate(candidate, *facts, whyNot));
  }
  if (sized.empty() && !whyNot.empty())
    emitRemark(getOperation().getLoc())
        << "no candidate fits " << target << ": " << whyNot;
  llvm::stable_sort(sized,
                    [](const SizedCandidate &a, const SizedCandidate &b) {
                      return a.costUs < b.costUs;
                    });
  if (sized.size() > keepBest)
    sized.resize(keepBest);
  replaceCandidates(sized, *facts);
  recordStatistics(getOperation(), {{"points", points}});
}
