//===- Sizing.cpp - Tile extents of kernels by the cost model -------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Tuning/Sizing.h"
#include "Prism/Dialect/Parallel.h"
#include "Prism/Plan/KernelOutline.h"
#include <cmath>
#include <set>

using namespace mlir;
using namespace prism;

double prism::countProductInstructions(const KernelPlan &plan) {
  const ParallelDimPlan *loop = plan.getLoop();
  double perBlock = 0;
  for (const PlanStep &step : plan.steps) {
    if (step.kind != StepKind::Matmul)
      continue;
    const MatmulPlan &matmul = step.matmul;
    double once = matmul.useTensorCores
                      ? double(matmul.countInstructions())
                      : double(matmul.batch) * matmul.rows * matmul.columns *
                            matmul.depth / Target::warpSize;
    perBlock +=
        once * (loop && step.phase == StepPhase::InLoop ? loop->count : 1);
  }
  return double(plan.blocks) * perBlock;
}

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
/// They are tried for as many with few instructions that cost less than this
/// many times the cheapest, too.
static constexpr double leanWithin = 1.5;

/// Calls `visit` with every schedule but the planner's own (zeros).
static void visitSchedules(bool loops,
                           function_ref<void(const Schedule &)> visit) {
  for (int64_t threads : {0, 64, 256, 512})
    for (int64_t stages : {0, 2, 4, 5})
      if ((threads || stages) && (loops || !stages))
        visit({threads, stages});
}

namespace {
/// Means over the assumed extents.
struct Estimate {
  double us = 0, instructions = 0, bytes = 0;
};
} // namespace

namespace {

/// Costs a kernel at sizes, on several threads at once.
class KernelEstimator {
public:
  KernelEstimator(KernelOp kernel, SymbolValueFn symbolValue,
                  const Target &target, DynamicSymbolFn isDynamic)
      : kernel(kernel), dims(kernel.getParallelDims()), outline(kernel),
        target(target), allAssumed(getAssumedExtents(kernel)) {
    // Looked up many times at each point.
    for (const std::string &name : outline.symbols)
      symbols[name] = {symbolValue(name), isDynamic && isDynamic(name)};
  }

  /// What is assumed of a symbol that is known late is `assumed`.
  std::optional<int64_t> getValue(StringRef name, int64_t assumed) const {
    auto it = symbols.find(name);
    if (it == symbols.end())
      return std::nullopt;
    return it->second.isDynamic ? assumed : it->second.value;
  }
  std::optional<int64_t> getSplitExtent(StringRef dim) const {
    return prism::getSplitExtent(kernel, dim)
        .evaluate(
            [&](StringRef name) { return getValue(name, allAssumed.back()); },
            [](StringRef) { return std::optional<int64_t>(); });
  }

  /// Leaves the plan for the largest of the assumed extents.
  std::optional<Estimate> run(const KernelParameters &parameters,
                              std::optional<KernelPlan> &plan,
                              std::string &whyNot) const;

private:
  struct Symbol {
    std::optional<int64_t> value;
    bool isDynamic;
  };

  KernelOp kernel;
  SmallVector<ParallelDimAttr> dims;
  KernelOutline outline;
  const Target &target;
  ArrayRef<int64_t> allAssumed;
  llvm::StringMap<Symbol> symbols;
};

} // namespace

std::optional<Estimate> KernelEstimator::run(const KernelParameters &parameters,
                                             std::optional<KernelPlan> &plan,
                                             std::string &whyNot) const {
  auto tileExtent = [&](StringRef name) -> std::optional<int64_t> {
    for (auto [dim, tile] : llvm::zip_equal(dims, parameters.tiles))
      if (dim.getName() == name)
        return tile;
    return std::nullopt;
  };
  auto isDynamic = [&](StringRef name) {
    auto it = symbols.find(name);
    return it != symbols.end() && it->second.isDynamic;
  };
  Estimate sum;
  size_t values = 0;
  for (int64_t assumed : allAssumed) {
    auto valueOf = [&](StringRef name) { return getValue(name, assumed); };
    plan = planKernel(outline,
                      {valueOf, tileExtent, isDynamic, parameters.schedule},
                      target, whyNot);
    std::optional<double> us =
        plan ? estimateKernelUs(kernel, *plan, target, valueOf) : std::nullopt;
    if (!us)
      return std::nullopt;
    sum.us += *us;
    sum.instructions += countProductInstructions(*plan);
    sum.bytes += *countTensorBytes(kernel, *plan, valueOf);
    ++values;
    if (plan->runtimeSymbols.empty())
      break;
  }
  double share = 1 / double(values);
  return Estimate{sum.us * share, sum.instructions * share, sum.bytes * share};
}

std::vector<SizedKernel>
prism::sizeKernel(KernelOp kernel, SymbolValueFn symbolValue,
                  const Target &target, uint64_t limit, uint64_t &points,
                  std::string &whyNot, DynamicSymbolFn isDynamic,
                  unsigned threads) {
  KernelEstimator estimator(kernel, symbolValue, target, isDynamic);
  auto extentOf = [&](StringRef dim) { return estimator.getSplitExtent(dim); };
  SmallVector<ParallelDimAttr> dims = kernel.getParallelDims();
  struct Point {
    SizedKernel sized;
    bool fits = false;
    std::string whyNot;
  };
  std::vector<Point> tried;
  points +=
      visitTileSizes(kernel, extentOf, limit, [&](const TileSizes &tiles) {
        tried.emplace_back().sized.parameters.tiles = tiles;
      });
  parallelFor(kernel.getContext(), threads, tried.size(), [&](size_t index) {
    Point &point = tried[index];
    std::optional<KernelPlan> plan;
    std::optional<Estimate> estimated =
        estimator.run(point.sized.parameters, plan, point.whyNot);
    if (!estimated)
      return;
    point.fits = true;
    point.sized.costUs = estimated->us;
    point.sized.instructions = estimated->instructions;
    point.sized.bytes = estimated->bytes;
    for (ParallelDimAttr dim : dims)
      point.sized.counts.push_back(plan->lookupDim(dim.getName())->count);
  });
  std::vector<SizedKernel> sized;
  for (Point &point : tried) {
    if (point.fits)
      sized.push_back(std::move(point.sized));
    else
      whyNot = std::move(point.whyNot);
  }
  auto isCheaper = [](const SizedKernel &a, const SizedKernel &b) {
    return a.costUs < b.costUs;
  };
  llvm::stable_sort(sized, isCheaper);
  bool loops = llvm::any_of(dims, [](ParallelDimAttr dim) {
    return dim.getKind() == ParallelKind::Loop;
  });
  size_t scheduled = std::min(
      mostScheduled, llvm::divideCeil(sized.size(), pointsPerScheduled));
  double least = sized.empty() ? 0 : sized.front().costUs;
  double fewest = HUGE_VAL;
  size_t lean = 0;
  for (size_t index = 0; index < sized.size(); ++index) {
    SizedKernel &next = sized[index];
    // Those that may be taken for their few instructions.
    bool isLean = next.instructions < fewest && lean < scheduled &&
                  next.costUs < leanWithin * least;
    fewest = std::min(fewest, next.instructions);
    lean += isLean;
    if (index >= scheduled && !isLean)
      continue;
    double most = worthwhile * (isLean ? next.costUs : least);
    visitSchedules(loops, [&](const Schedule &schedule) {
      std::string ignored;
      std::optional<KernelPlan> plan;
      std::optional<Estimate> estimated =
          estimator.run({next.parameters.tiles, schedule}, plan, ignored);
      // What the planner cannot follow is another's schedule.
      if (!estimated || estimated->us > most || estimated->us >= next.costUs ||
          (schedule.threads && plan->threads != schedule.threads) ||
          (schedule.stages && plan->stages != schedule.stages))
        return;
      next.parameters.schedule = schedule;
      next.costUs = estimated->us;
      next.instructions = estimated->instructions;
    });
  }
  llvm::stable_sort(sized, isCheaper);
  if (sized.empty() && whyNot.empty())
    whyNot = explainNoSizes(kernel, extentOf);
  return sized;
}

/// Of `forms`, cheapest first, those with about the least of `amount`.
template <typename T>
static SmallVector<const T *> selectLeast(ArrayRef<const T *> forms,
                                          double T::*amount, double tolerance) {
  double least = HUGE_VAL;
  for (const T *form : forms)
    least = std::min(least, form->*amount);
  SmallVector<const T *> selected;
  llvm::copy_if(forms, std::back_inserter(selected), [&](const T *form) {
    return form->*amount <= least * (1 + tolerance);
  });
  return selected;
}

/// What is taken of `sorted`, which is not empty, cheapest first.
template <typename T>
static const T &selectForm(ArrayRef<T> sorted) {
  SmallVector<const T *> forms;
  for (const T &form : sorted)
    forms.push_back(&form);
  forms = selectLeast<T>(forms, &T::costUs, redundancyMargin);
  forms = selectLeast<T>(forms, &T::instructions, instructionTolerance);
  forms = selectLeast<T>(forms, &T::costUs, timeTolerance);
  return *selectLeast<T>(forms, &T::bytes, byteTolerance).front();
}

const SizedKernel &prism::selectSizes(ArrayRef<SizedKernel> sized) {
  return selectForm(sized);
}

std::optional<double> prism::estimateOpByOpUs(ProgramOp program,
                                              SymbolValueFn symbolValue,
                                              const Target &target,
                                              DynamicSymbolFn isDynamic,
                                              unsigned threads) {
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
        points, whyNot, isDynamic, threads);
    kernel.erase();
    if (sized.empty())
      return std::nullopt;
    sum += selectSizes(sized).costUs;
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
  double instructions = 0;
  double bytes = 0;
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

  /// The forms that may be kept, cheapest first.
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

/// Sorts, cheapest first, and keeps what may be part of a form that is kept:
/// the `keepBest` cheapest, and others unless one that costs less has no more
/// instructions and moves no more bytes.
template <typename T>
static void sortAndPrune(std::vector<T> &forms, unsigned keepBest) {
  llvm::stable_sort(forms,
                    [](const T &a, const T &b) { return a.costUs < b.costUs; });
  SmallVector<std::pair<double, double>> leanest;
  size_t kept = 0;
  for (size_t i = 0; i < forms.size(); ++i) {
    std::pair<double, double> work = {forms[i].instructions, forms[i].bytes};
    bool isLean = llvm::none_of(leanest, [&](const auto &cheaper) {
      return cheaper.first <= work.first && cheaper.second <= work.second;
    });
    if (isLean)
      leanest.push_back(work);
    if (i >= keepBest && !isLean)
      continue;
    if (kept != i)
      forms[kept] = std::move(forms[i]);
    ++kept;
  }
  forms.erase(forms.begin() + kept, forms.end());
}

/// The sums of one of `before` and one of `choices`, both sorted and pruned.
static void combine(ArrayRef<PartialForm> before, ArrayRef<PartialForm> choices,
                    unsigned keepBest, std::vector<PartialForm> &into) {
  // Leanest so far, in each list: what is no such is of use only by its cost.
  double fewestBefore = HUGE_VAL;
  for (auto [i, form] : llvm::enumerate(before)) {
    bool isLean = form.instructions < fewestBefore;
    fewestBefore = std::min(fewestBefore, form.instructions);
    double fewestChoice = HUGE_VAL;
    for (auto [j, choice] : llvm::enumerate(choices)) {
      bool areLean = isLean && choice.instructions < fewestChoice;
      fewestChoice = std::min(fewestChoice, choice.instructions);
      if ((i + 1) * (j + 1) > keepBest && !areLean)
        continue; // so many others cost no more
      PartialForm &next = into.emplace_back(form);
      llvm::append_range(next.kernels, choice.kernels);
      next.costUs += choice.costUs;
      next.instructions += choice.instructions;
      next.bytes += choice.bytes;
    }
  }
  sortAndPrune(into, keepBest);
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
        [&](StringRef name) { return isDynamic(name); }, limits.threads);
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
    if (!isChosen && !all.empty()) {
      // Lowering sizes it by itself.
      const SizedKernel &taken = selectSizes(all);
      PartialForm form = {{}, taken.costUs, taken.instructions, taken.bytes};
      combine(before, form, limits.keepBest, next[counts]);
      continue;
    }
    // Its own numbers of blocks, where later extents depend on them.
    std::map<BlockCounts, std::vector<PartialForm>> choices;
    for (const SizedKernel &sized : all) {
      BlockCounts after = counts;
      for (auto [dim, count] :
           llvm::zip_equal(kernel.getParallelDims(), sized.counts)) {
        std::string name = (kernel.getGraphName() + "." + dim.getName()).str();
        if (countsInUse.count(name))
          after[name] = count;
      }
      // As sortAndPrune would do: they come cheapest first, and have the same
      // bytes where they have the same numbers of blocks.
      std::vector<PartialForm> &list = choices[after];
      if (list.size() < limits.keepBest ||
          llvm::all_of(list, [&](const PartialForm &cheaper) {
            return sized.instructions < cheaper.instructions;
          }))
        list.push_back({{sized.parameters},
                        sized.costUs,
                        sized.instructions,
                        sized.bytes});
    }
    for (const auto &[after, list] : choices)
      combine(before, list, limits.keepBest, next[after]);
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

/// What is taken first, then the others, cheapest first.
static void sortAndCut(std::vector<SizedCandidate> &sized, unsigned keepBest) {
  sortAndPrune(sized, keepBest);
  if (sized.empty())
    return;
  auto taken = sized.begin() + (&selectForm(ArrayRef(sized)) - sized.data());
  std::rotate(sized.begin(), taken, taken + 1);
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
      sized.push_back({candidate, form.kernels, form.costUs, form.instructions,
                       form.bytes});
  sortAndPrune(sized, limits.keepBest);
  return sized;
}

std::vector<SizedCandidate>
prism::sizeCandidate(CandidateOp candidate, SymbolValueFn symbolValue,
                     const Target &target, const SizingLimits &limits,
                     SizingCache &cache, std::string &whyNot,
                     DynamicSymbolFn isDynamic) {
  std::vector<SizedCandidate> sized =
      CandidateSizer(candidate, symbolValue, target, limits, cache, whyNot,
                     isDynamic)
          .run();
  sortAndCut(sized, limits.keepBest);
  return sized;
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
    std::vector<SizedCandidate> best =
        CandidateSizer(candidate, symbolValue, target, coarse, cache, whyNot,
                       isDynamic)
            .run();
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
    llvm::append_range(sized, CandidateSizer(candidate, symbolValue, target,
                                             limits, cache, whyNot, isDynamic)
                                  .run());
  points += cache.points;
  sortAndCut(sized, limits.keepBest);
  return sized;
}
