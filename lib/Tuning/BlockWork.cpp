//===- BlockWork.cpp - What a block of a kernel does ----------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Tuning/BlockWork.h"
#include "Prism/Plan/PendingAccesses.h"
#include "Prism/Plan/RunPlan.h"
#include "Prism/Plan/WarpgroupPlan.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace prism;

/// Cycles from one mma.sync to the next that adds to the same sums, with the
/// loads of its operands from shared memory; and those that one keeps the
/// tensor core of its quarter of the SM busy.
static constexpr double chainCycles = 40, issueCycles = 8;
/// The same for a wgmma, for each 8 columns.
static constexpr double warpgroupIssueCycles = 4;
static constexpr double warpsAtOnce = 4;
/// Of one mma.sync.
static constexpr double instructionFlops = 2.0 * 16 * 8 * 16;
/// Cycles until what was loaded from shared memory is there, until a shuffled
/// value is, and until all warps have passed a barrier.
static constexpr double sharedCycles = 30, shuffleCycles = 30,
                        barrierCycles = 30;
/// Instructions of one turn of a loop over runs: indices, addresses, tests.
static constexpr double turnInstructions = 12;
/// Those of a turn of a loop over the depth of a product, beside its loads and
/// mma.sync.
static constexpr double depthInstructions = 10;
/// Of each FMA of a product without tensor cores: two loads and itself.
static constexpr double fmaInstructions = 3;
/// Of a new maximum, and the two factors that it leaves.
static constexpr double rescaleInstructions = 40;
/// Of a sum that is rescaled in registers, or stored.
static constexpr double sumInstructions = 4;

/// Bytes of a fragment of 16 rows (8 columns) and 16 of the depth.
static constexpr double rowFragmentBytes = 512, columnFragmentBytes = 256;

/// Instructions of the scalar form of `op`, those of the special function unit
/// as long as they keep it busy.
static double countScalarInstructions(Operation *op) {
  if (isa<ConstantOp>(op))
    return 0;
  if (isa<PowOp>(op))
    return 32;
  if (isa<TanhOp, ErfOp, GeluOp>(op))
    return 24;
  if (isa<SigmoidOp, SiluOp>(op))
    return 20;
  if (isa<ExpOp>(op))
    return 12;
  if (isa<DivOp, ReciprocalOp, SqrtOp, RsqrtOp, LogOp>(op))
    return 8;
  return 1;
}

namespace {

/// What one thread does for one run of elements.
struct RunWork {
  double instructions = 0;
  double sharedBytes = 0;

  RunWork &operator+=(const RunWork &other) {
    instructions += other.instructions;
    sharedBytes += other.sharedBytes;
    return *this;
  }
  RunWork operator*(double times) const {
    return {instructions * times, sharedBytes * times};
  }
};

class WorkCounter {
public:
  WorkCounter(KernelOp kernel, const KernelPlan &plan, const KernelSizes &sizes)
      : kernel(kernel), plan(plan), sizes(sizes) {}

  BlockWork run();

private:
  /// By the addresses of the extents' texts, which types keep.
  int64_t evaluate(const DimExpr &extent) {
    auto [it, isNew] = values.try_emplace(extent.str().data(), 1);
    if (isNew)
      it->second = evaluateExtent(kernel, plan, sizes, extent).value_or(1);
    return it->second;
  }
  double countElements(Type type) {
    double count = 1;
    for (const DimExpr &extent : getExtents(type))
      count *= double(evaluate(extent));
    return count;
  }

  RunWork access(double bytes, bool isShared) const {
    return {std::ceil(bytes / accessBytes), isShared ? bytes : 0};
  }
  RunWork countElementsOf(Value tile, int64_t length);
  RunWork countOperands(Operation *op, int64_t length);
  RunWork countStore(const PlanStep &step, int64_t length) const;
  RunWork countFollowers(const PlanStep &step, int64_t length);
  void addRuns(double runs, double threads, const RunWork &perRun);
  void addLoad(const PlanStep &step);
  void addReduction(const PlanStep &step);
  void addProduct(const PlanStep &step);
  void addWarpgroupProduct(const PlanStep &step);
  void addFragmentProduct(const PlanStep &step);
  void addFMAProduct(const PlanStep &step);
  double countSums(const PlanStep &step) const {
    return double(step.matmul.batch) * step.matmul.rows * step.matmul.columns;
  }
  void addStoredSums(const PlanStep &step, double often);
  void addStep(const PlanStep &step);
  void addBarriers(const PlanStep &step);
  void addBarrier() {
    work.latencyCycles += times * barrierCycles;
    work.instructions += times * getWarps();
  }

  double getWarps() const { return double(plan.threads) / Target::warpSize; }

  KernelOp kernel;
  const KernelPlan &plan;
  const KernelSizes &sizes;
  PendingAccesses pending;
  llvm::DenseMap<const char *, int64_t> values;
  /// The step at hand, and how often it is run.
  const PlanStep *current = nullptr;
  double times = 1;
  BlockWork work;
};

} // namespace

/// The elements of a run of `tile`, from memory or computed.
RunWork WorkCounter::countElementsOf(Value tile, int64_t length) {
  if (current->keeps(tile))
    return {};
  double bytes =
      double(length) * getElementBytes(getElementType(tile.getType()));
  if (plan.lookupBuffer(tile))
    return access(bytes, /*isShared=*/true);
  Operation *definition = tile.getDefiningOp();
  if (isa<LoadOp>(definition))
    return access(bytes, /*isShared=*/false);
  RunWork result = countOperands(definition, length);
  result.instructions += double(length) * countScalarInstructions(definition);
  return result;
}

RunWork WorkCounter::countOperands(Operation *op, int64_t length) {
  auto compute = dyn_cast<ComputeOpInterface>(op);
  RunWork result;
  for (unsigned operand = 0; operand < op->getNumOperands(); ++operand) {
    Value tile = op->getOperand(operand);
    auto evaluateNew = [&](const DimExpr &extent) {
      return evaluateExtent(kernel, plan, sizes, extent).value_or(1);
    };
    OperandRun run = compute
                         ? getOperandRun(compute, operand, length, evaluateNew)
                         : OperandRun::Along;
    result += run == OperandRun::Along ? countElementsOf(tile, length)
              : run == OperandRun::Same
                  ? countElementsOf(tile, 1)
                  : countElementsOf(tile, 1) * double(length);
  }
  return result;
}

/// What storing a run of the step's tile takes.
RunWork WorkCounter::countStore(const PlanStep &step, int64_t length) const {
  Value stored = step.getStoredTile();
  if (!stored)
    return access(double(length) * getElementBytes(getElementType(
                                       step.op->getOperand(0).getType())),
                  /*isShared=*/false);
  RunWork result;
  if (const TileBuffer *buffer = plan.lookupBuffer(stored))
    result = access(double(length) * getElementBytes(buffer->elementType),
                    /*isShared=*/true);
  if (plan.lookupRescale(stored))
    result.instructions += double(length) * rescaleInstructions;
  return result;
}

/// What followers make of a run of the step's tile.
RunWork WorkCounter::countFollowers(const PlanStep &step, int64_t length) {
  RunWork result;
  for (Operation *follower : step.followers) {
    result += countOperands(follower, length);
    result.instructions += double(length) * countScalarInstructions(follower);
    if (const TileBuffer *buffer = plan.lookupBuffer(follower->getResult(0)))
      result += access(double(length) * getElementBytes(buffer->elementType),
                       /*isShared=*/true);
  }
  return result;
}

/// `runs` in all, by `threads` threads at once, one behind the other in each.
void WorkCounter::addRuns(double runs, double threads, const RunWork &perRun) {
  double perTurn = turnInstructions + perRun.instructions;
  work.instructions += times * std::ceil(runs / Target::warpSize) * perTurn;
  work.sharedBytes += times * runs * perRun.sharedBytes;
  work.latencyCycles +=
      times * std::ceil(runs / threads) * (sharedCycles + perTurn);
}

/// Loads are waited for elsewhere: by whoever knows how far ahead they are.
void WorkCounter::addLoad(const PlanStep &step) {
  const TileBuffer &buffer = *plan.lookupBuffer(step.getStoredTile());
  work.sharedBytes += times * double(buffer.bytes);
  if (plan.isBulkLoad(step))
    return;
  int64_t bytes = getElementBytes(buffer.elementType);
  int64_t length =
      getAccessLength(buffer, getAccessLength(kernel, plan, sizes, step.op,
                                              accessBytes / bytes));
  double runs = double(buffer.bytes) / double(bytes * length);
  work.instructions +=
      times * std::ceil(runs / Target::warpSize) * (turnInstructions + 1);
}

void WorkCounter::addReduction(const PlanStep &step) {
  const ReducePlan &reduce = step.reduce;
  int64_t run = planRun(kernel, plan, sizes, step);
  double lanes = double(reduce.lanes);
  RunWork perRun = countElementsOf(step.op->getOperand(0), run);
  perRun.instructions += double(run);
  double turns = std::ceil(double(reduce.reduced) / double(run) / lanes);
  double outputs = double(reduce.outputs);
  // Threads that have no result wait for those that have.
  double atOnce = std::min(outputs, double(plan.threads) / lanes);
  addRuns(turns * outputs * lanes, atOnce * lanes, perRun);
  double rounds = std::ceil(outputs / atOnce);
  double shuffles = step.isCarried() ? 0 : std::log2(lanes);
  work.latencyCycles += times * rounds * shuffles * shuffleCycles;
  work.instructions += times * std::ceil(outputs * lanes / Target::warpSize) *
                       (2 * shuffles + countStore(step, 1).instructions);
}

/// The sums of a product where they are stored, `often` times, first by each
/// of the warps that share them where there are such.
void WorkCounter::addStoredSums(const PlanStep &step, double often) {
  double sums = countSums(step);
  double warps = double(step.matmul.warpsOverDepth);
  double perThread = std::ceil(sums * warps / double(plan.threads));
  if (const TileBuffer *buffer = plan.lookupBuffer(step.getStoredTile()))
    work.sharedBytes +=
        often * sums * double(getElementBytes(buffer->elementType));
  work.instructions +=
      often * sums * warps / Target::warpSize * sumInstructions;
  work.latencyCycles += often * (sharedCycles + perThread * sumInstructions);
  RunWork followers = countFollowers(step, 1);
  work.sharedBytes += often * sums * followers.sharedBytes;
  work.instructions += often * sums / Target::warpSize * followers.instructions;
  work.latencyCycles +=
      often * std::ceil(sums / double(plan.threads)) * followers.instructions;
  const TileBuffer *shares = plan.lookupWarpSums(step.getStoredTile());
  if (!shares)
    return;
  work.sharedBytes += often * 2 * double(shares->bytes);
  work.latencyCycles +=
      often * (barrierCycles + sharedCycles + perThread * sumInstructions);
}

void WorkCounter::addFragmentProduct(const PlanStep &step) {
  const MatmulPlan &matmul = step.matmul;
  double fragments = double(matmul.getBatchPerPass()) * matmul.rowFragments *
                     matmul.columnFragments;
  double warps = double(matmul.warpsOverRows) * matmul.warpsOverColumns *
                 matmul.warpsOverDepth;
  double perTurn =
      std::max(chainCycles,
               issueCycles * fragments * std::max(1.0, warps / warpsAtOnce));
  double passes =
      double(matmul.batchPasses) * matmul.rowPasses * matmul.columnPasses;
  work.latencyCycles +=
      times * passes *
      std::ceil(matmul.depth / 16.0 / double(matmul.warpsOverDepth)) * perTurn;
  double instructions = double(matmul.countInstructions());
  double turns = instructions / double(matmul.rowFragments) /
                 double(matmul.columnFragments);
  double rows = double(matmul.rowFragments),
         columns = double(matmul.columnFragments);
  work.sharedBytes +=
      times * turns * (rows * rowFragmentBytes + columns * columnFragmentBytes);
  work.instructions +=
      times * (instructions + turns * (rows + columns / 2 + depthInstructions));
}

/// Operands of wgmma are read by the tensor cores themselves, once by each
/// warpgroup.
void WorkCounter::addWarpgroupProduct(const PlanStep &step) {
  const MatmulPlan &matmul = step.matmul;
  constexpr double warps = double(warpgroupThreads) / Target::warpSize;
  double warpgroups =
      double(matmul.warpsOverRows) * matmul.warpsOverColumns / warps;
  double parts = warpgroups * matmul.rowFragments *
                 std::ceil(matmul.depth / double(warpgroupDepth));
  double columns = double(matmul.columnFragments);
  work.sharedBytes +=
      times * parts * (4 * rowFragmentBytes + columns * columnFragmentBytes);
  work.instructions += times * parts * warps * depthInstructions;
  work.latencyCycles +=
      times * (chainCycles + parts * columns * warpgroupIssueCycles);
}

void WorkCounter::addFMAProduct(const PlanStep &step) {
  const MatmulPlan &matmul = step.matmul;
  double sums = countSums(step);
  double depth = double(matmul.depth);
  work.fmaFlops += times * 2 * sums * depth;
  // Whatever the type: a bank sends 4 bytes.
  work.sharedBytes += times * sums * depth * 2 * 4;
  work.instructions +=
      times * sums * depth * fmaInstructions / Target::warpSize;
  double perThread = std::ceil(sums / double(plan.threads));
  work.latencyCycles += times * depth * double(matmul.rowPasses) *
                        std::max(sharedCycles, fmaInstructions * perThread);
}

void WorkCounter::addProduct(const PlanStep &step) {
  const MatmulPlan &matmul = step.matmul;
  if (!matmul.useTensorCores) {
    addFMAProduct(step);
  } else {
    work.tensorFlops +=
        times * instructionFlops * double(matmul.countInstructions());
    if (usesWarpgroups(plan, step))
      addWarpgroupProduct(step);
    else
      addFragmentProduct(step);
  }
  if (!step.isCarried())
    return addStoredSums(step, times);
  if (step.getAccumulator().getShift()) {
    double sums = countSums(step);
    double perThread = std::ceil(sums / double(plan.threads));
    work.instructions += times * sums / Target::warpSize * sumInstructions;
    work.latencyCycles += times * (sharedCycles + perThread * sumInstructions);
  }
  addStoredSums(step, /*often=*/1);
}

void WorkCounter::addStep(const PlanStep &step) {
  current = &step;
  const ParallelDimPlan *loop = plan.getLoop();
  times = loop && step.phase == StepPhase::InLoop ? double(loop->count) : 1;
  if (!plan.isStaged(step))
    addBarriers(step);
  switch (step.kind) {
  case StepKind::Load:
    return addLoad(step);
  case StepKind::Matmul:
    return addProduct(step);
  case StepKind::Reduce:
    return addReduction(step);
  case StepKind::Elementwise:
  case StepKind::Accumulate:
  case StepKind::Save:
    break;
  }
  int64_t run = planRun(kernel, plan, sizes, step);
  RunWork perRun = countStore(step, run);
  if (auto accumulate = dyn_cast<AccumulateOp>(step.op)) {
    perRun += countElementsOf(accumulate.getTile(), run);
    perRun += countStore(step, run); // read before
    perRun.instructions += double(run) * sumInstructions;
  } else {
    perRun += countOperands(step.op, run);
    perRun.instructions += double(run) * countScalarInstructions(step.op);
  }
  perRun += countFollowers(step, run);
  Value tile = step.getStoredTile();
  double points =
      countElements((tile ? tile : step.op->getOperand(0)).getType());
  addRuns(points / double(run), double(plan.threads), perRun);
}

void WorkCounter::addBarriers(const PlanStep &step) {
  SmallVector<const TileBuffer *> reads, writes;
  plan.collectAccesses(step, reads, writes);
  if (pending.needBarrier(reads, writes)) {
    addBarrier();
    pending.clear();
  }
  pending.add(reads, writes);
}

BlockWork WorkCounter::run() {
  // Whatever else, one stands at the start of each turn of the loop.
  if (const ParallelDimPlan *loop = plan.getLoop()) {
    times = double(loop->count);
    addBarrier();
  }
  for (const PlanStep &step : plan.steps)
    addStep(step);
  return work;
}

BlockWork prism::countBlockWork(KernelOp kernel, const KernelPlan &plan,
                                SymbolValueFn symbolValue) {
  auto tileExtent = [&](StringRef name) -> std::optional<int64_t> {
    const ParallelDimPlan *dim = plan.lookupDim(name);
    return dim ? std::optional<int64_t>(dim->tile) : std::nullopt;
  };
  return WorkCounter(kernel, plan, {symbolValue, tileExtent}).run();
}

double prism::countLoadedBytes(KernelOp kernel, const KernelPlan &plan,
                               SymbolValueFn symbolValue) {
  auto tileExtent = [&](StringRef name) -> std::optional<int64_t> {
    const ParallelDimPlan *dim = plan.lookupDim(name);
    return dim ? std::optional<int64_t>(dim->tile) : std::nullopt;
  };
  double bytes = 0;
  for (auto load : kernel.getBodyBlock().getOps<LoadOp>()) {
    int64_t run = getElementBytes(load.getType().getElementType());
    double runs = 1, times = 1;
    bool isTogether = true;
    SmallVector<DimExpr> tiles = getExtents(load.getType());
    SmallVector<DimExpr> wholes = getExtents(load.getSource().getType());
    for (size_t dim = tiles.size(); dim-- > 0;) {
      int64_t extent = tiles[dim].evaluate(symbolValue, tileExtent).value_or(1);
      if (isTogether)
        run *= extent;
      else
        runs *= extent;
      isTogether &= tiles[dim] == wholes[dim];
    }
    for (const auto &splits : load.getMap().getValue())
      for (const Split &split : splits)
        if (const ParallelDimPlan *dim = plan.lookupDim(split.dim))
          times = dim->kind == ParallelKind::Loop ? dim->count : times;
    bytes += times * runs * llvm::alignTo(run, Target::sectorBytes);
  }
  return bytes;
}
