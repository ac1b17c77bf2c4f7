//===- Estimate.cpp - What a part may cost at least -----------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Partition/Estimate.h"
#include "Prism/Plan/KernelPlan.h"
#include "Prism/Tuning/AssumedExtents.h"
#include "Prism/Tuning/CostModel.h"
#include "Prism/Tuning/ParameterSpace.h"
#include "llvm/ADT/IntEqClasses.h"

using namespace mlir;
using namespace prism;

/// Dims split at once: grid dims, and one summed dim behind them.
static constexpr unsigned maxGridClasses = 3;
static constexpr unsigned numMasks = 1 << (maxGridClasses + 1);
static constexpr unsigned splitBit = 1 << maxGridClasses;
/// Summed dims tried, largest first.
static constexpr unsigned maxSummedClasses = 4;

static constexpr double microseconds = 1e6;

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

std::optional<int64_t> PartEstimatorAt::evaluate(const DimExpr &extent) const {
  return extent.evaluate(
      [&](StringRef name) -> std::optional<int64_t> {
        ExtentSymbolAttr symbol = graph->getProgram().lookupExtent(name);
        if (!symbol)
          return std::nullopt;
        return symbol.getValue().value_or(assumed);
      },
      [](StringRef) { return std::optional<int64_t>(); });
}

bool PartEstimatorAt::addValue(Value value) {
  SmallVector<DimExpr> shape = prism::getExtents(value.getType());
  ValueFacts facts;
  facts.firstDim = extents.size();
  facts.rank = shape.size();
  facts.bytes = getElementBytes(prism::getElementType(value.getType()));
  for (const DimExpr &extent : shape) {
    std::optional<int64_t> number = evaluate(extent);
    if (!number)
      return false;
    extents.push_back(*number);
    facts.bytes *= *number;
  }
  values[value] = facts;
  return true;
}

bool PartEstimatorAt::addOp(ComputeOpInterface op) {
  IterationStructure structure = op.getIterationStructure();
  SmallVector<DimExpr> iteration = getIterationExtents(
      structure, op->getOperandTypes(), op->getResult(0).getType());
  OpFacts facts;
  facts.kinds = structure.dims;
  facts.firstDim = extents.size();
  double points = 1;
  for (const DimExpr &extent : iteration) {
    std::optional<int64_t> number = evaluate(extent);
    if (!number)
      return false;
    extents.push_back(*number);
    points *= *number;
  }
  // A merged dim splits along its outermost factor.
  auto tie = [&](Value value, const IndexMap &map) {
    for (auto [dim, factors] : llvm::enumerate(map))
      if (!factors.empty())
        facts.ties.push_back({values.lookup(value).firstDim + dim,
                              facts.firstDim + factors.front()});
  };
  for (auto [operand, map] :
       llvm::zip(op->getOperands(), structure.operandMaps))
    tie(operand, map);
  tie(op->getResult(0), structure.resultMap);

  // As the model counts: products and reductions.
  if (isa<MatmulOp>(*op)) {
    Type type = prism::getElementType(op->getOperand(0).getType());
    (type.isF16() || type.isBF16() ? facts.tensorFlops : facts.otherFlops) =
        2 * points;
  } else if (llvm::any_of(structure.dims, [](IterationKind kind) {
               return kind == IterationKind::Sum || kind == IterationKind::Max;
             })) {
    facts.otherFlops = points;
  }
  std::optional<double> unfused =
      estimateOpUs(op, *target, [&](StringRef name) {
        return evaluate(DimExpr::symbol(name));
      });
  facts.unfusedUs = unfused.value_or(0);
  ops[op] = std::move(facts);
  return true;
}

std::optional<PartEstimatorAt> PartEstimatorAt::create(const PartGraph &graph,
                                                       const Target &target,
                                                       bool allowSplits,
                                                       int64_t assumed) {
  PartEstimatorAt estimator(graph, target, allowSplits, assumed);
  Block &body = graph.getProgram().getBodyBlock();
  for (BlockArgument argument : body.getArguments())
    if (!estimator.addValue(argument))
      return std::nullopt;
  for (Operation &op : body.without_terminator())
    if (!estimator.addValue(op.getResult(0)) ||
        !estimator.addOp(cast<ComputeOpInterface>(op)))
      return std::nullopt;
  return estimator;
}

double PartEstimatorAt::estimateUnfused(const NodeSet &part) const {
  double us = 0;
  for (unsigned node : part.set_bits())
    us += ops.find(graph->getNodes()[node].ops.front())->second.unfusedUs;
  return us;
}

double PartEstimatorAt::estimateWriting(const NodeSet &part) const {
  double bytes = 0;
  for (Value result : graph->getResults(part))
    bytes += values.find(result)->second.bytes;
  return microseconds * bytes / target->dramBytesPerSecond;
}

//===----------------------------------------------------------------------===//
// Classes of dims, and what is split by which
//===----------------------------------------------------------------------===//

/// What moves and what is computed, summed up by the classes (bits) along which
/// it is split.
struct PartEstimatorAt::Terms {
  std::array<double, numMasks> loaded{}, stored{}, tensorFlops{}, otherFlops{};
  std::array<SmallVector<double, 8>, maxGridClasses + 1> counts;
};

/// The numbers of blocks to try along a dim: powers of 4 up to the most.
static SmallVector<double, 8> getBlockCounts(int64_t extent, bool oneEach) {
  int64_t most = oneEach
                     ? extent
                     : llvm::divideCeil(extent, getTileChoices(extent).front());
  SmallVector<double, 8> counts;
  for (int64_t count = 1; count < most; count *= 4)
    counts.push_back(count);
  counts.push_back(most);
  return counts;
}

double PartEstimatorAt::minimize(const Terms &terms) const {
  double best = std::numeric_limits<double>::infinity();
  bool isSplit = terms.counts[maxGridClasses].size() > 1;
  double bytes = 0, partials = 0;
  for (unsigned mask = 0; mask < numMasks; ++mask) {
    bytes += terms.loaded[mask] + terms.stored[mask];
    partials += terms.stored[mask] * 2; // at least f32 for f16
  }
  for (double x : terms.counts[0])
    for (double y : terms.counts[1])
      for (double z : terms.counts[2])
        for (double split : terms.counts[maxGridClasses]) {
          double blocks = x * y * z * split;
          std::array<double, numMasks> pieces;
          double moved = 0, tensorFlops = 0, otherFlops = 0;
          for (unsigned mask = 0; mask < numMasks; ++mask) {
            pieces[mask] = (mask & 1 ? x : 1) * (mask & 2 ? y : 1) *
                           (mask & 4 ? z : 1) * (mask & splitBit ? split : 1);
            double repeats = blocks / pieces[mask];
            moved += (terms.loaded[mask] + terms.stored[mask]) * repeats;
            tensorFlops += terms.tensorFlops[mask] * repeats;
            otherFlops += terms.otherFlops[mask] * repeats;
          }
          double busy = std::min<double>(blocks, target->numSMs) /
                        static_cast<double>(target->numSMs);
          double share = std::min(1.0, CostAssumptions::bandwidthShare * busy);
          double seconds =
              std::max({bytes / (target->dramBytesPerSecond * share),
                        moved / (target->l2BytesPerSecond * share),
                        (tensorFlops / target->tensorFlopsPerSecond +
                         otherFlops / target->f32FlopsPerSecond) /
                            busy});
          double us = microseconds * seconds + CostAssumptions::launchUs;
          if (isSplit && split > 1)
            us += CostAssumptions::launchUs + microseconds * 2 * split *
                                                  partials /
                                                  target->dramBytesPerSecond;
          best = std::min(best, us);
        }
  // One step of one wave, with as many blocks on an SM as there may be.
  return best + CostAssumptions::stepLatencyUs /
                    static_cast<double>(target->maxBlocksPerSM);
}

double PartEstimatorAt::estimate(const NodeSet &part) const {
  SmallVector<Operation *> partOps = graph->getOps(part);
  llvm::IntEqClasses classes(extents.size());
  for (Operation *op : partOps)
    for (auto [dim, iteration] : ops.find(op)->second.ties)
      classes.join(dim, iteration);
  auto find = [&](unsigned dim) { return classes.findLeader(dim); };

  enum Use { Summed = 1, Fixed = 2 };
  llvm::SmallDenseMap<unsigned, unsigned, 16> uses;
  for (Operation *op : partOps) {
    const OpFacts &facts = ops.find(op)->second;
    for (auto [dim, kind] : llvm::enumerate(facts.kinds))
      uses[find(facts.firstDim + dim)] |= kind == IterationKind::Parallel ? 0
                                          : kind == IterationKind::Whole
                                              ? Fixed
                                              : Summed;
  }
  auto classesOf = [&](Value value) {
    llvm::SmallDenseSet<unsigned, 8> found;
    const ValueFacts &facts = values.find(value)->second;
    for (unsigned dim = 0; dim < facts.rank; ++dim)
      found.insert(find(facts.firstDim + dim));
    return found;
  };

  SmallVector<Value> inputs = graph->getInputs(partOps);
  SmallVector<Value> results = graph->getResults(part);
  SmallVector<unsigned> grid, summed;
  for (auto [leader, use] : uses) {
    if (use & Fixed)
      continue;
    if (use & Summed)
      summed.push_back(leader);
    else if (llvm::all_of(results, [&, leader = leader](Value value) {
               return classesOf(value).contains(leader);
             }))
      grid.push_back(leader);
  }
  auto largestFirst = [&](unsigned a, unsigned b) {
    return std::pair(-extents[a], a) < std::pair(-extents[b], b);
  };
  llvm::sort(grid, largestFirst);
  llvm::sort(summed, largestFirst);
  grid.resize(std::min<size_t>(grid.size(), maxGridClasses));
  summed.resize(std::min<size_t>(summed.size(), maxSummedClasses));

  // As the parameter space has it: tiles of one element, but for columns.
  auto isInnermost = [&](unsigned leader, Value value) {
    const ValueFacts &facts = values.find(value)->second;
    return facts.rank > 1 && find(facts.firstDim + facts.rank - 1) == leader;
  };
  auto hasTilesOfOne = [&](unsigned leader) {
    auto innermost = [&](Value value) { return isInnermost(leader, value); };
    return llvm::none_of(inputs, innermost) &&
           llvm::none_of(results, innermost);
  };

  auto minimizeWith = [&](std::optional<unsigned> split) {
    Terms terms;
    auto maskOf = [&](auto &&contains) {
      unsigned mask = 0;
      for (auto [index, leader] : llvm::enumerate(grid))
        mask |= contains(leader) ? 1 << index : 0;
      return mask | (split && contains(*split) ? splitBit : 0);
    };
    auto maskOfValue = [&](Value value) {
      auto carried = classesOf(value);
      return maskOf([&](unsigned leader) { return carried.contains(leader); });
    };
    for (Value value : inputs)
      terms.loaded[maskOfValue(value)] += values.find(value)->second.bytes;
    for (Value value : results)
      terms.stored[maskOfValue(value)] += values.find(value)->second.bytes;
    for (Operation *op : partOps) {
      const OpFacts &facts = ops.find(op)->second;
      if (facts.tensorFlops == 0 && facts.otherFlops == 0)
        continue;
      unsigned mask = maskOf([&](unsigned leader) {
        for (unsigned dim = 0; dim < facts.kinds.size(); ++dim)
          if (find(facts.firstDim + dim) == leader)
            return true;
        return false;
      });
      terms.tensorFlops[mask] += facts.tensorFlops;
      terms.otherFlops[mask] += facts.otherFlops;
    }
    for (auto [index, counts] : llvm::enumerate(terms.counts))
      counts = {1};
    for (auto [index, leader] : llvm::enumerate(grid))
      terms.counts[index] =
          getBlockCounts(extents[leader], hasTilesOfOne(leader));
    if (split)
      terms.counts[maxGridClasses] =
          getBlockCounts(extents[*split], hasTilesOfOne(*split));
    return minimize(terms);
  };
  double best = minimizeWith(std::nullopt);
  if (allowSplits)
    for (unsigned leader : summed)
      best = std::min(best, minimizeWith(leader));
  return best;
}

//===----------------------------------------------------------------------===//
// Dynamic extents
//===----------------------------------------------------------------------===//

std::optional<PartEstimator> PartEstimator::create(const PartGraph &graph,
                                                   const Target &target,
                                                   bool allowSplits) {
  ProgramOp program = graph.getProgram();
  ArrayRef<int64_t> assumed = getAssumedExtents(program);
  if (!hasDynamicExtents(program))
    assumed = assumed.take_front();
  PartEstimator estimator;
  for (int64_t value : assumed) {
    std::optional<PartEstimatorAt> sample =
        PartEstimatorAt::create(graph, target, allowSplits, value);
    if (!sample)
      return std::nullopt;
    estimator.samples.push_back(std::move(*sample));
  }
  return estimator;
}

/// The mean of `estimate` over `samples`.
template <typename Fn>
static double getMean(ArrayRef<PartEstimatorAt> samples, Fn estimate) {
  double sum = 0;
  for (const PartEstimatorAt &sample : samples)
    sum += estimate(sample);
  return sum / static_cast<double>(samples.size());
}

double PartEstimator::estimate(const NodeSet &part) const {
  return getMean(samples, [&](const PartEstimatorAt &sample) {
    return sample.estimate(part);
  });
}

double PartEstimator::estimateUnfused(const NodeSet &part) const {
  return getMean(samples, [&](const PartEstimatorAt &sample) {
    return sample.estimateUnfused(part);
  });
}

double PartEstimator::estimateWriting(const NodeSet &part) const {
  return getMean(samples, [&](const PartEstimatorAt &sample) {
    return sample.estimateWriting(part);
  });
}
