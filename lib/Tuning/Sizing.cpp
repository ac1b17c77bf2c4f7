//===- Sizing.cpp - Tile extents of kernels by the cost model -------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Tuning/Sizing.h"
#include <cmath>
#include <set>

using namespace mlir;
using namespace prism;

/// Why `kernel` has no sizes, where the planner does not say so.
static std::string
explainNoSizes(KernelOp kernel,
               function_ref<std::optional<int64_t>(StringRef)> extentOf) {
  for (ParallelDimAttr dim : kernel.getParallelDims()) {
    std::optional<int64_t> extent = extentOf(dim.getName());
    if (!extent)
      return "an extent is dynamic";
    if (*extent == 0)
      return "an extent is 0";
  }
  return "an extent is dynamic, or too large for the cost model";
}

/// Other schedules are tried for one in so many points, the cheapest, and for
/// so many at most.
static constexpr size_t pointsPerScheduled = 32, mostScheduled = 8;
/// They must cost less than this share of what is cheapest without them: the
/// model is no finer.
static constexpr double worthwhile = 0.98;

/// Calls `visit` with every schedule but the planner's own (zeros).
static void visitSchedules(bool loops,
                           function_ref<void(const Schedule &)> visit) {
  for (int64_t threads : {0, 64, 256, 512})
    for (int64_t stages : {0, 2, 4, 5})
      if ((threads || stages) && (loops || !stages))
        visit({threads, stages});
}

std::vector<SizedKernel>
prism::sizeKernel(KernelOp kernel, SymbolValueFn symbolValue,
                  const Target &target, uint64_t limit, uint64_t &points,
                  std::string &whyNot, DynamicSymbolFn isDynamic) {
  ArrayRef<int64_t> allAssumed = getAssumedExtents(kernel);
  int64_t assumed = allAssumed.back();
  auto valueOf = [&](StringRef name) -> std::optional<int64_t> {
    return isDynamic && isDynamic(name) ? assumed : symbolValue(name);
  };
  auto noTile = [](StringRef) { return std::optional<int64_t>(); };
  auto extentOf = [&](StringRef dim) {
    return getSplitExtent(kernel, dim).evaluate(valueOf, noTile);
  };
  SmallVector<ParallelDimAttr> dims = kernel.getParallelDims();
  std::optional<KernelPlan> plan;
  // Leaves the plan for the largest of the assumed extents.
  auto estimate = [&](const KernelParameters &parameters,
                      std::string &whyNot) -> std::optional<double> {
    auto tileExtent = [&](StringRef name) -> std::optional<int64_t> {
      for (auto [dim, tile] : llvm::zip_equal(dims, parameters.tiles))
        if (dim.getName() == name)
          return tile;
      return std::nullopt;
    };
    double sum = 0;
    size_t values = 0;
    for (int64_t value : allAssumed) {
      assumed = value;
      plan = planKernel(kernel,
                        {valueOf, tileExtent, isDynamic, parameters.schedule},
                        target, whyNot);
      std::optional<double> us =
          plan ? estimateKernelUs(kernel, *plan, target, valueOf)
               : std::nullopt;
      if (!us)
        return std::nullopt;
      sum += *us;
      ++values;
      if (plan->runtimeSymbols.empty())
        break;
    }
    return sum / double(values);
  };
  std::vector<SizedKernel> sized;
  points +=
      visitTileSizes(kernel, extentOf, limit, [&](const TileSizes &tiles) {
        KernelParameters parameters = {tiles, {}};
        std::optional<double> us = estimate(parameters, whyNot);
        if (!us)
          return;
        SizedKernel &next = sized.emplace_back();
        next = {parameters, *us, {}};
        for (ParallelDimAttr dim : dims)
          next.counts.push_back(plan->lookupDim(dim.getName())->count);
      });
  auto isCheaper = [](const SizedKernel &a, const SizedKernel &b) {
    return a.costUs < b.costUs;
  };
  llvm::stable_sort(sized, isCheaper);
  bool loops = llvm::any_of(dims, [](ParallelDimAttr dim) {
    return dim.getKind() == ParallelKind::Loop;
  });
  size_t scheduled = std::min(
      mostScheduled, llvm::divideCeil(sized.size(), pointsPerScheduled));
  double most = sized.empty() ? 0 : worthwhile * sized.front().costUs;
  for (SizedKernel &next : MutableArrayRef(sized).take_front(scheduled))
    visitSchedules(loops, [&](const Schedule &schedule) {
      std::string ignored;
      std::optional<double> us =
          estimate({next.parameters.tiles, schedule}, ignored);
      // What the planner cannot follow is another's schedule.
      if (!us || *us > most || *us >= next.costUs ||
          (schedule.threads && plan->threads != schedule.threads) ||
          (schedule.stages && plan->stages != schedule.stages))
        return;
      next.parameters.schedule = schedule;
      next.costUs = *us;
    });
  llvm::stable_sort(sized, isCheaper);
  if (sized.empty() && whyNot.empty())
    whyNot = explainNoSizes(kernel, extentOf);
  return sized;
}

std::optional<double> prism::estimateOpByOpUs(ProgramOp program,
                                              SymbolValueFn symbolValue,
                                              const Target &target,
                                              DynamicSymbolFn isDynamic) {
  double sum = 0;
  for (auto op : llvm::make_early_inc_range(
           program.getBodyBlock().getOps<ComputeOpInterface>())) {
    if (isa<ConstantOp>(op))
      continue; // an immediate of its users
    KernelOp kernel = wrapInKernel(op, "op");
    uint64_t points = 0;
    std::string whyNot;
    std::vector<SizedKernel> sized = sizeKernel(
        kernel, symbolValue, target, SizingLimits().coarsePointsPerKernel,
        points, whyNot, isDynamic);
    kernel.erase();
    if (sized.empty())
      return std::nullopt;
    sum += sized.front().costUs;
  }
  return sum;
}

namespace {

/// Numbers of blocks that extents depend on, by `<kernel>.<dim>`.
using BlockCounts = std::map<std::string, int64_t>;

/// The kernels of a candidate as far as they are sized.
struct PartialForm {
  SmallVector<KernelParameters> kernels;
  double costUs = 0;
};

class CandidateSizer {
public:
  CandidateSizer(CandidateOp candidate, SymbolValueFn symbolValue,
                 const Target &target, const SizingLimits &limits,
                 SizingCache &cache, std::string &whyNot,
                 DynamicSymbolFn isDynamic)
      : candidate(candidate), symbolValue(symbolValue), target(target),
        limits(limits), cache(cache), whyNot(whyNot),
        isDynamicInProgram(isDynamic) {}

  std::vector<SizedCandidate> run();

private:
  void findCountsInUse();
  bool isDynamic(StringRef name) {
    return dynamicCounts.count(name.str()) ||
           (isDynamicInProgram && isDynamicInProgram(name));
  }
  void findDynamicCounts(KernelOp kernel);
  const std::vector<SizedKernel> &lookupSizes(KernelOp kernel,
                                              const BlockCounts &counts);
  bool addKernel(KernelOp kernel, bool isChosen);
  bool addPredefined(ComputeOpInterface op);

  CandidateOp candidate;
  SymbolValueFn symbolValue;
  const Target &target;
  const SizingLimits &limits;
  SizingCache &cache;
  std::string &whyNot;
  /// The `<kernel>.<dim>` that some extent in the candidate has.
  std::set<std::string> countsInUse;
  /// Those that are known at run time only.
  std::set<std::string> dynamicCounts;
  DynamicSymbolFn isDynamicInProgram;
  /// The cheapest forms so far for each choice of those, cheapest first.
  std::map<BlockCounts, std::vector<PartialForm>> forms;
};

} // namespace

void CandidateSizer::findCountsInUse() {
  auto visit = [&](Type type) {
    for (const DimExpr &extent : prism::getExtents(type))
      extent.walkSymbols([&](StringRef name) {
        if (name.contains('.'))
          countsInUse.insert(name.str());
      });
  };
  for (Operation &op : candidate.getBodyBlock().without_terminator())
    for (Type type : op.getResultTypes())
      visit(type);
}

/// The cheapest sums of one of `before` and one of `choices`, both sorted.
static void combine(ArrayRef<PartialForm> before,
                    ArrayRef<const SizedKernel *> choices, unsigned keepBest,
                    bool isChosen, std::vector<PartialForm> &into) {
  for (auto [i, form] : llvm::enumerate(before))
    for (auto [j, choice] : llvm::enumerate(choices)) {
      if ((i + 1) * (j + 1) > keepBest)
        break; // so many others cost no more
      PartialForm &next = into.emplace_back(form);
      if (isChosen)
        next.kernels.push_back(choice->parameters);
      next.costUs += choice->costUs;
    }
  llvm::stable_sort(into, [](const PartialForm &a, const PartialForm &b) {
    return a.costUs < b.costUs;
  });
  if (into.size() > keepBest)
    into.resize(keepBest);
}

/// Sized once for all kernels of the same text whose operands agree in the
/// numbers of blocks that they depend on.
const std::vector<SizedKernel> &
CandidateSizer::lookupSizes(KernelOp kernel, const BlockCounts &counts) {
  std::string key;
  llvm::raw_string_ostream os(key);
  kernel->print(os, OpPrintingFlags().useLocalScope());
  for (const auto &[name, count] : counts)
    os << name << '=' << count << ' ';
  auto [it, isNew] = cache.sizes.insert({key, {}});
  SizingCache::Sizes &sizes = it->second;
  if (isNew)
    sizes.sized = sizeKernel(
        kernel,
        [&](StringRef name) {
          auto found = counts.find(name.str());
          return found == counts.end() ? symbolValue(name) : found->second;
        },
        target, limits.pointsPerKernel, cache.points, sizes.whyNot,
        [&](StringRef name) { return isDynamic(name); });
  if (sizes.sized.empty())
    whyNot = sizes.whyNot;
  return sizes.sized;
}

void CandidateSizer::findDynamicCounts(KernelOp kernel) {
  for (ParallelDimAttr dim : kernel.getParallelDims()) {
    DimExpr extent = getSplitExtent(kernel, dim.getName());
    bool found = false;
    if (!extent.isUnknown() && !extent.isQuotient())
      extent.walkSymbols([&](StringRef name) { found |= isDynamic(name); });
    if (found)
      dynamicCounts.insert((kernel.getGraphName() + "." + dim.getName()).str());
  }
}

bool CandidateSizer::addKernel(KernelOp kernel, bool isChosen) {
  findDynamicCounts(kernel);
  std::set<std::string> known;
  for (Type type : kernel->getOperandTypes())
    for (const DimExpr &extent : prism::getExtents(type))
      extent.walkSymbols([&](StringRef name) { known.insert(name.str()); });
  std::map<BlockCounts, std::vector<PartialForm>> next;
  for (const auto &[counts, before] : forms) {
    BlockCounts seen;
    for (const auto &[name, count] : counts)
      if (known.count(name))
        seen[name] = count;
    const std::vector<SizedKernel> &all = lookupSizes(kernel, seen);
    // Its own numbers of blocks, where later extents depend on them.
    std::map<BlockCounts, std::vector<const SizedKernel *>> choices;
    for (const SizedKernel &sized : all) {
      BlockCounts after = counts;
      for (auto [dim, count] :
           llvm::zip_equal(kernel.getParallelDims(), sized.counts)) {
        std::string name = (kernel.getGraphName() + "." + dim.getName()).str();
        if (countsInUse.count(name))
          after[name] = count;
      }
      choices[after].push_back(&sized);
    }
    for (const auto &[after, sized] : choices)
      combine(before, sized, limits.keepBest, isChosen, next[after]);
  }
  forms = std::move(next);
  return !forms.empty();
}

bool CandidateSizer::addPredefined(ComputeOpInterface op) {
  if (isa<ConstantOp>(op))
    return true; // an immediate of its users
  KernelOp kernel = wrapInKernel(op, "predefined");
  bool fits = addKernel(kernel, /*isChosen=*/false);
  kernel.erase();
  return fits;
}

/// The cheapest, in order.
static void sortAndCut(std::vector<SizedCandidate> &sized, unsigned keepBest) {
  llvm::stable_sort(sized,
                    [](const SizedCandidate &a, const SizedCandidate &b) {
                      return a.costUs < b.costUs;
                    });
  if (sized.size() > keepBest)
    sized.resize(keepBest);
}

std::vector<SizedCandidate> CandidateSizer::run() {
  findCountsInUse();
  forms[{}].emplace_back();
  for (Operation &op : llvm::make_early_inc_range(
           candidate.getBodyBlock().without_terminator())) {
    if (auto kernel = dyn_cast<KernelOp>(op)) {
      if (!addKernel(kernel, /*isChosen=*/true))
        return {};
    } else if (!addPredefined(cast<ComputeOpInterface>(op))) {
      return {};
    }
  }
  std::vector<SizedCandidate> sized;
  for (const auto &[counts, list] : forms)
    for (const PartialForm &form : list)
      sized.push_back({candidate, form.kernels, form.costUs});
  sortAndCut(sized, limits.keepBest);
  return sized;
}

std::vector<SizedCandidate>
prism::sizeCandidate(CandidateOp candidate, SymbolValueFn symbolValue,
                     const Target &target, const SizingLimits &limits,
                     SizingCache &cache, std::string &whyNot,
                     DynamicSymbolFn isDynamic) {
  return CandidateSizer(candidate, symbolValue, target, limits, cache, whyNot,
                        isDynamic)
      .run();
}

/// Those of `candidates` that are worth planning at all points, in order.
static SmallVector<CandidateOp>
selectByFewPoints(ArrayRef<CandidateOp> candidates, SymbolValueFn symbolValue,
                  const Target &target, const SizingLimits &limits,
                  uint64_t &points, DynamicSymbolFn isDynamic) {
  SizingLimits coarse = limits;
  coarse.pointsPerKernel =
      std::min(limits.pointsPerKernel, limits.coarsePointsPerKernel);
  coarse.keepBest = 1;
  SizingCache cache;
  SmallVector<double> costs;
  for (CandidateOp candidate : candidates) {
    std::string whyNot;
    std::vector<SizedCandidate> best = sizeCandidate(
        candidate, symbolValue, target, coarse, cache, whyNot, isDynamic);
    // What fits nowhere yet may fit elsewhere.
    costs.push_back(best.empty() ? 0 : best.front().costUs);
  }
  points += cache.points;
  SmallVector<double> sorted = costs;
  llvm::erase(sorted, 0);
  llvm::sort(sorted);
  size_t kept = 2 * limits.keepBest;
  double most = sorted.size() > kept ? sorted[kept] : HUGE_VAL;
  SmallVector<CandidateOp> selected;
  for (auto [candidate, cost] : llvm::zip_equal(candidates, costs))
    if (cost <= most)
      selected.push_back(candidate);
  return selected;
}

std::vector<SizedCandidate>
prism::sizeCandidates(ArrayRef<CandidateOp> candidates,
                      SymbolValueFn symbolValue, const Target &target,
                      const SizingLimits &limits, uint64_t &points,
                      std::string &whyNot, DynamicSymbolFn isDynamic) {
  SmallVector<CandidateOp> selected(candidates);
  if (candidates.size() > 2 * limits.keepBest)
    selected = selectByFewPoints(candidates, symbolValue, target, limits,
                                 points, isDynamic);
  SizingCache cache;
  std::vector<SizedCandidate> sized;
  for (CandidateOp candidate : selected)
    llvm::append_range(sized, sizeCandidate(candidate, symbolValue, target,
                                            limits, cache, whyNot, isDynamic));
  points += cache.points;
  sortAndCut(sized, limits.keepBest);
  return sized;
}
