//===- KernelPlan.cpp - How a sized block graph becomes a kernel ----------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Plan/KernelPlan.h"
#include "MatmulPlan.h"
#include "Prism/Plan/MemoryPlan.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace prism;

/// Most accumulators a thread keeps in registers; more would spill.
static constexpr int64_t maxAccumulators = 128;
/// Work items of a step from which a block gets more than the least threads.
static constexpr int64_t itemsPerThread = 64;
static constexpr int64_t leastThreads = 128;
/// Most stages of the load pipeline.
static constexpr int64_t maxStages = 3;
/// Rows of 8 16-bit elements, what ldmatrix takes at once.
static constexpr int64_t matrixRow = 8;

Type prism::getStorageType(Type elementType) {
  return elementType.isInteger(1)
             ? IntegerType::get(elementType.getContext(), 8)
             : elementType;
}

int64_t prism::getElementBytes(Type elementType) {
  return llvm::divideCeil(elementType.getIntOrFloatBitWidth(), 8);
}

bool prism::isElementwise(Operation *op) {
  auto compute = dyn_cast<ComputeOpInterface>(op);
  return compute && compute.hasScalarForm() &&
         llvm::all_of(compute.getIterationStructure().dims,
                      [](IterationKind kind) {
                        return kind == IterationKind::Parallel;
                      });
}

Value PlanStep::getStoredTile() const {
  if (accumulator)
    return accumulator->getResult(0);
  return kind == StepKind::Save ? Value() : op->getResult(0);
}

std::optional<int64_t> prism::evaluateExtent(KernelOp kernel,
                                             const KernelPlan &plan,
                                             const KernelSizes &sizes,
                                             const DimExpr &extent) {
  auto symbolValue = [&](StringRef name) -> std::optional<int64_t> {
    StringRef dim = name;
    if (dim.consume_front(kernel.getGraphName()) && dim.consume_front("."))
      if (const ParallelDimPlan *own = plan.lookupDim(dim))
        return own->count;
    return sizes.symbolValue(name);
  };
  return extent.evaluate(symbolValue, sizes.tileExtent);
}

const ParallelDimPlan *KernelPlan::lookupDim(StringRef name) const {
  const ParallelDimPlan *found = llvm::find_if(
      dims, [&](const ParallelDimPlan &dim) { return dim.name == name; });
  return found == dims.end() ? nullptr : found;
}

const ParallelDimPlan *KernelPlan::getLoop() const {
  const ParallelDimPlan *found =
      llvm::find_if(dims, [](const ParallelDimPlan &dim) {
        return dim.kind == ParallelKind::Loop;
      });
  return found == dims.end() ? nullptr : found;
}

const TileBuffer *KernelPlan::lookupBuffer(Value tile) const {
  auto it = buffers.find(tile);
  return it == buffers.end() ? nullptr : &it->second;
}

int64_t KernelPlan::getBlocksPerSM(const Target &target) const {
  int64_t byThreads = target.maxThreadsPerSM / threads;
  int64_t byShared =
      target.sharedBytesPerSM / (sharedBytes + target.reservedSharedBytes);
  return std::min({byThreads, byShared, target.maxBlocksPerSM});
}

namespace {

/// Plans one kernel; each stage is false, with the reason, where it cannot.
class Planner {
public:
  Planner(KernelOp kernel, const KernelSizes &sizes, const Target &target,
          std::string &whyNot)
      : kernel(kernel), sizes(sizes), target(target), whyNot(whyNot) {}

  std::optional<KernelPlan> run() {
    if (planDims() && checkOps() && planSteps() && planBuffers() &&
        planThreads() && planSharedMemory())
      return std::move(plan);
    return std::nullopt;
  }

private:
  bool fail(const Twine &reason) {
    whyNot = reason.str();
    return false;
  }

  bool planDims();
  bool planDim(ParallelDimAttr dim);
  bool findSplitExtent(StringRef name, DimExpr &base);
  bool checkOps();
  bool checkExtents(Type type);
  bool planSteps();
  bool planBuffers();
  bool planThreads();
  bool planSharedMemory();

  Block &getBody() { return kernel.getBodyBlock(); }
  std::optional<int64_t> evaluate(const DimExpr &extent) {
    return evaluateExtent(kernel, plan, sizes, extent);
  }
  SmallVector<int64_t> evaluateAll(ArrayRef<DimExpr> extents) {
    return llvm::map_to_vector(
        extents, [&](const DimExpr &extent) { return *evaluate(extent); });
  }
  int64_t countElements(Type type) {
    int64_t count = 1;
    for (const DimExpr &extent : prism::getExtents(type))
      count *= *evaluate(extent);
    return count;
  }
  SmallVector<int64_t> getIterationSizes(Operation *op) {
    auto compute = cast<ComputeOpInterface>(op);
    return evaluateAll(getIterationExtents(compute.getIterationStructure(),
                                           op->getOperandTypes(),
                                           op->getResult(0).getType()));
  }

  StepPhase getPhase(Operation *op);
  Operation *findRoot(Operation *op);
  bool readsEachElementOnce(OpOperand &use);
  AccumulateOp getDirectAccumulator(Operation *op);
  void addStep(Operation *op);
  void collectBufferUses(Operation *op, llvm::SetVector<Value> &uses);
  bool feedsTensorCores(Value tile);
  int64_t placeBuffers(int64_t stages);

  KernelOp kernel;
  const KernelSizes &sizes;
  const Target &target;
  std::string &whyNot;
  KernelPlan plan;
  /// The step that computes an op: itself, or the one it is virtual in.
  DenseMap<Operation *, Operation *> roots;
  DenseMap<Operation *, StepPhase> phases;
};

} // namespace

//===----------------------------------------------------------------------===//
// Parallel dims
//===----------------------------------------------------------------------===//

/// The extent that `name` splits: the whole dim, or the grid tile of it.
bool Planner::findSplitExtent(StringRef name, DimExpr &base) {
  bool found = false;
  for (Operation &op : getBody()) {
    auto map = op.getAttrOfType<MapAttr>("map");
    if (!map)
      continue;
    SmallVector<DimExpr> extents =
        getExtents(isa<LoadOp>(op) ? op.getOperand(0).getType()
                                   : op.getResult(0).getType());
    unsigned leading = extents.size() - map.getValue().size();
    for (auto [dim, splits] : llvm::enumerate(map.getValue())) {
      DimExpr extent = extents[leading + dim];
      for (const Split &split : splits) {
        if (split.dim == name) {
          if (found && base != extent)
            return fail("'" + name + "' splits " + base.str() + " and " +
                        extent.str());
          found = true;
          base = extent;
        }
        extent = DimExpr::quotient(extent, split);
      }
    }
  }
  return found || fail("'" + name + "' splits nothing, so it has no size");
}

bool Planner::planDim(ParallelDimAttr attr) {
  ParallelDimPlan dim;
  dim.name = attr.getName().str();
  dim.kind = attr.getKind();
  if (!findSplitExtent(attr.getName(), dim.base))
    return false;
  std::optional<int64_t> tile = sizes.tileExtent(attr.getName());
  std::optional<int64_t> extent = evaluate(dim.base);
  if (!tile || *tile <= 0)
    return fail("'" + attr.getName() + "' has no tile extent");
  if (!extent)
    return fail("extent " + dim.base.str() + " is dynamic");
  if (*extent <= 0)
    return fail("extent " + dim.base.str() + " is " + Twine(*extent));
  dim.tile = std::min(*tile, *extent);
  dim.extent = *extent;
  dim.count = llvm::divideCeil(*extent, *tile);
  dim.isRagged = *extent % dim.tile != 0;
  if (dim.base.isQuotient())
    dim.isRagged |= plan.lookupDim(dim.base.quotientSplit().dim)->isRagged;
  if (dim.kind == ParallelKind::Grid) {
    if (dim.count > Target::maxGridBlocks / plan.blocks)
      return fail("the grid has more than " + Twine(Target::maxGridBlocks) +
                  " blocks");
    plan.blocks *= dim.count;
  }
  plan.dims.push_back(std::move(dim));
  return true;
}

bool Planner::planDims() {
  // The loop last: it may split a grid tile.
  for (ParallelKind kind : {ParallelKind::Grid, ParallelKind::Loop})
    for (ParallelDimAttr dim : kernel.getParallelDims())
      if (dim.getKind() == kind && !planDim(dim))
        return false;
  return true;
}

//===----------------------------------------------------------------------===//
// What can be lowered
//===----------------------------------------------------------------------===//

/// Each extent has a value, and a ragged one is a tile of a single dim.
bool Planner::checkExtents(Type type) {
  int64_t elements = 1;
  for (const DimExpr &extent : prism::getExtents(type)) {
    std::optional<int64_t> value = evaluate(extent);
    if (!value)
      return fail("extent " + extent.str() + " is dynamic");
    if (*value <= 0)
      return fail("extent " + extent.str() + " is " + Twine(*value));
    elements *= *value;
    if (elements > INT32_MAX)
      return fail("a tensor has more than 2^31 - 1 elements");
    bool isRagged = false;
    extent.walkSplits([&](const Split &split) {
      const ParallelDimPlan *dim = plan.lookupDim(split.dim);
      isRagged |= !dim || dim->isRagged;
    });
    if (isRagged && !extent.isQuotient())
      return fail("ragged extent " + extent.str() + " is no tile of one dim");
  }
  return true;
}

bool Planner::checkOps() {
  for (Operation &op : getBody().without_terminator()) {
    for (Type type :
         llvm::concat<const Type>(op.getOperandTypes(), op.getResultTypes()))
      if (!checkExtents(type))
        return false;
    if (auto accumulate = dyn_cast<AccumulateOp>(op)) {
      if (accumulate.getKind() == AccumulatorKind::RescaledSum)
        return fail("rescaled accumulators are not lowered yet");
      continue;
    }
    auto compute = dyn_cast<ComputeOpInterface>(op);
    if (compute && !compute.hasScalarForm())
      return fail("'" + op.getName().getStringRef() + "' is not lowered yet");
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

StepPhase Planner::getPhase(Operation *op) {
  if (isa<AccumulateOp>(op))
    return StepPhase::InLoop;
  StepPhase phase = StepPhase::BeforeLoop;
  for (Value operand : op->getOperands()) {
    Operation *definition = operand.getDefiningOp();
    if (!definition)
      continue;
    StepPhase from = isa<AccumulateOp>(definition) ? StepPhase::AfterLoop
                                                   : phases.lookup(definition);
    phase = std::max(phase, from);
  }
  if (auto load = dyn_cast<LoadOp>(op))
    for (const auto &splits : load.getMap().getValue())
      for (const Split &split : splits)
        if (plan.lookupDim(split.dim)->kind == ParallelKind::Loop)
          phase = StepPhase::InLoop;
  return phase;
}

/// Whether computing the operand inside its user computes no element twice.
bool Planner::readsEachElementOnce(OpOperand &use) {
  Operation *user = use.getOwner();
  if (isa<SaveOp>(user))
    return true;
  if (auto accumulate = dyn_cast<AccumulateOp>(user))
    return !accumulate.getShift();
  auto compute = dyn_cast<ComputeOpInterface>(user);
  if (!compute || isa<MatmulOp>(user))
    return false;
  IterationStructure structure = compute.getIterationStructure();
  const IndexMap &map = structure.operandMaps[use.getOperandNumber()];
  return llvm::all_of(
      llvm::seq<unsigned>(0, structure.dims.size()),
      [&](unsigned dim) { return structure.carries(map, dim); });
}

/// The op's own step, or the only step that all of its uses are part of.
Operation *Planner::findRoot(Operation *op) {
  if (isa<ConstantOp>(op))
    return nullptr; // part of every step that uses it
  if (!isElementwise(op) && !isa<LoadOp>(op))
    return op;
  Operation *root = nullptr;
  for (OpOperand &use : op->getResult(0).getUses()) {
    if (!readsEachElementOnce(use))
      return op;
    Operation *userRoot = roots.lookup(use.getOwner());
    if (root && root != userRoot)
      return op;
    root = userRoot;
  }
  // Hoisted values keep their own step; a value without users has none.
  return !root || phases.lookup(root) == phases.lookup(op) ? root : op;
}

/// A sum (maximum) that only feeds a sum (max) accumulator adds into it.
AccumulateOp Planner::getDirectAccumulator(Operation *op) {
  if (!op->hasOneUse() || phases.lookup(op) != StepPhase::InLoop)
    return {};
  auto accumulate = dyn_cast<AccumulateOp>(*op->user_begin());
  if (!accumulate)
    return {};
  bool isSum = accumulate.getKind() == AccumulatorKind::Sum &&
               isa<MatmulOp, ReduceSumOp>(op);
  bool isMax =
      accumulate.getKind() == AccumulatorKind::Max && isa<ReduceMaxOp>(op);
  // Register accumulators stand for the same elements in each step.
  for (const DimExpr &extent : prism::getExtents(accumulate.getType()))
    extent.walkSplits([&](const Split &split) {
      isSum &= split.dim != accumulate.getOver() || !isa<MatmulOp>(op);
    });
  // Sums formed in the narrow type would be rounded before they are added.
  bool sameType = prism::getElementType(op->getResult(0).getType()) ==
                  accumulate.getType().getElementType();
  return (isSum || isMax) && sameType ? accumulate : AccumulateOp();
}

static StepKind getStepKind(Operation *op) {
  if (isa<LoadOp>(op))
    return StepKind::Load;
  if (isa<SaveOp>(op))
    return StepKind::Save;
  if (isa<AccumulateOp>(op))
    return StepKind::Accumulate;
  if (isa<MatmulOp>(op))
    return StepKind::Matmul;
  return isElementwise(op) ? StepKind::Elementwise : StepKind::Reduce;
}

void Planner::addStep(Operation *op) {
  PlanStep step = {
      op, getStepKind(op), phases.lookup(op), getDirectAccumulator(op), {}, {}};
  if (step.kind == StepKind::Matmul)
    step.matmul = prism::detail::groupMatmulDims(cast<MatmulOp>(op),
                                                 getIterationSizes(op));
  if (step.kind == StepKind::Reduce) {
    step.reduce.outputs = countElements(op->getResult(0).getType());
    step.reduce.reduced =
        countElements(op->getOperand(0).getType()) / step.reduce.outputs;
  }
  plan.steps.push_back(std::move(step));
}

bool Planner::planSteps() {
  for (Operation &op : getBody().without_terminator())
    phases[&op] = getPhase(&op);
  SmallVector<Operation *> order;
  for (Operation &op : llvm::reverse(getBody().without_terminator())) {
    // What only the end needs is computed there, not kept through the loop.
    if (phases[&op] == StepPhase::BeforeLoop && !op.use_empty() &&
        llvm::all_of(op.getUsers(),
                     [&](Operation *user) {
                       return phases[user] == StepPhase::AfterLoop ||
                              isa<YieldOp>(user);
                     }) &&
        !isa<SaveOp>(op))
      phases[&op] = StepPhase::AfterLoop;
    Operation *root = findRoot(&op);
    roots[&op] = root;
    if (root == &op)
      order.push_back(&op);
  }
  llvm::SmallPtrSet<Operation *, 4> merged;
  std::reverse(order.begin(), order.end());
  for (Operation *op : order)
    if (AccumulateOp accumulate = getDirectAccumulator(op))
      merged.insert(accumulate);
  for (StepPhase phase :
       {StepPhase::BeforeLoop, StepPhase::InLoop, StepPhase::AfterLoop})
    for (Operation *op : order)
      if (phases[op] == phase && !merged.contains(op))
        addStep(op);
  return true;
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

bool Planner::feedsTensorCores(Value tile) {
  return llvm::any_of(plan.steps, [&](const PlanStep &step) {
    return step.kind == StepKind::Matmul && step.matmul.useTensorCores &&
           llvm::is_contained(step.op->getOperands(), tile);
  });
}

bool Planner::planBuffers() {
  auto addBuffer = [&](Value tile) {
    TileBuffer buffer;
    buffer.tile = tile;
    buffer.extents = evaluateAll(prism::getExtents(tile.getType()));
    buffer.elementType = getStorageType(prism::getElementType(tile.getType()));
    buffer.layout = buffer.extents;
    // Rows an odd number of 16-byte units apart meet different banks.
    if (feedsTensorCores(tile) && buffer.extents.size() > 1 &&
        buffer.layout.back() % (2 * matrixRow) == 0)
      buffer.layout.back() += matrixRow;
    buffer.bytes = getElementBytes(buffer.elementType);
    for (int64_t extent : buffer.layout)
      buffer.bytes *= extent;
    plan.buffers.insert({tile, std::move(buffer)});
  };
  for (PlanStep &step : plan.steps)
    if (Value tile = step.getStoredTile())
      addBuffer(tile);
  for (Operation &op : getBody()) {
    Value tile = isa<LoadOp>(op)   ? op.getResult(0)
                 : isa<SaveOp>(op) ? op.getOperand(0)
                                   : Value();
    if (!tile)
      continue;
    int64_t bytes = countElements(tile.getType()) *
                    getElementBytes(prism::getElementType(tile.getType()));
    if (isa<SaveOp>(op))
      plan.bytesStoredPerBlock += bytes;
    else
      plan.bytesLoadedPerBlock +=
          bytes *
          (phases.lookup(&op) == StepPhase::InLoop ? plan.getLoop()->count : 1);
  }
  return true;
}

/// The buffers that the step of `op` reads, through what is virtual in it.
void Planner::collectBufferUses(Operation *op, llvm::SetVector<Value> &uses) {
  for (Value operand : op->getOperands()) {
    if (plan.lookupBuffer(operand))
      uses.insert(operand);
    else if (Operation *definition = operand.getDefiningOp())
      collectBufferUses(definition, uses);
  }
}

/// Places the buffers, with `stages` copies of what the loop loads, and returns
/// the bytes that they take together.
int64_t Planner::placeBuffers(int64_t stages) {
  // Times: the steps in order, and around the loop one time each for setting
  // accumulators up and for storing those in registers.
  unsigned numBefore = 0, numLoop = 0;
  for (const PlanStep &step : plan.steps) {
    numBefore += step.phase == StepPhase::BeforeLoop;
    numLoop += step.phase == StepPhase::InLoop;
  }
  unsigned setUp = numBefore, finish = numBefore + numLoop + 1;
  SmallVector<BufferLifetime> lifetimes;
  DenseMap<Value, unsigned> index;
  auto define = [&](Value tile, unsigned begin, unsigned end) {
    index[tile] = lifetimes.size();
    lifetimes.push_back({plan.lookupBuffer(tile)->getTotalBytes(), begin, end});
  };
  auto isStaged = [&](const PlanStep &step) {
    return stages > 1 && step.kind == StepKind::Load &&
           step.phase == StepPhase::InLoop;
  };
  for (const PlanStep &step : plan.steps)
    if (step.kind == StepKind::Load)
      plan.buffers[step.getStoredTile()].stages = isStaged(step) ? stages : 1;
  unsigned time = 0;
  for (const PlanStep &step : plan.steps) {
    if (time == setUp && step.phase != StepPhase::BeforeLoop)
      ++time;
    if (time == finish && step.phase == StepPhase::AfterLoop)
      ++time;
    llvm::SetVector<Value> uses;
    collectBufferUses(step.op, uses);
    for (Value tile : uses) {
      BufferLifetime &lifetime = lifetimes[index.lookup(tile)];
      lifetime.end = std::max(lifetime.end, time);
      if (lifetime.begin < setUp && time > setUp)
        lifetime.end = std::max(lifetime.end, finish); // read in each step
    }
    bool inRegisters = step.kind == StepKind::Matmul;
    if (step.accumulator)
      define(step.getStoredTile(), inRegisters ? finish : setUp, finish);
    else if (step.kind == StepKind::Accumulate || isStaged(step))
      define(step.op->getResult(0), setUp, finish);
    else if (step.kind != StepKind::Save)
      define(step.op->getResult(0), time, time);
    ++time;
  }
  int64_t bytes = planMemory(lifetimes);
  for (auto &[tile, buffer] : plan.buffers)
    buffer.offset = lifetimes[index.lookup(tile)].offset;
  return bytes;
}

bool Planner::planSharedMemory() {
  plan.sharedBytes = placeBuffers(1);
  if (plan.sharedBytes > target.maxSharedBytes)
    return fail("it needs " + Twine(plan.sharedBytes) +
                " bytes of shared memory, " + target.name + " has " +
                Twine(target.maxSharedBytes));
  const ParallelDimPlan *loop = plan.getLoop();
  bool loads = llvm::any_of(plan.steps, [](const PlanStep &step) {
    return step.kind == StepKind::Load && step.phase == StepPhase::InLoop;
  });
  if (!loop || !loads)
    return true;
  // As many stages as leave room for a second block on the multiprocessor.
  int64_t limit =
      std::min(target.maxSharedBytes,
               target.sharedBytesPerSM / 2 - target.reservedSharedBytes);
  plan.stages = std::min(maxStages, loop->count);
  while (plan.stages > 1 && placeBuffers(plan.stages) > limit)
    --plan.stages;
  plan.sharedBytes = placeBuffers(plan.stages);
  return true;
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

bool Planner::planThreads() {
  int64_t items = 0;
  for (const PlanStep &step : plan.steps)
    items =
        std::max(items, step.kind == StepKind::Save
                            ? countElements(step.op->getOperand(0).getType())
                            : countElements(step.op->getResult(0).getType()));
  plan.threads = leastThreads;
  while (plan.threads * 2 <= 256 && items > plan.threads * itemsPerThread)
    plan.threads *= 2;
  auto mostAccumulators = [&] {
    int64_t most = 0;
    for (PlanStep &step : plan.steps) {
      if (step.kind != StepKind::Matmul)
        continue;
      prism::detail::distributeMatmul(step.matmul, plan.threads);
      most = std::max(most, step.matmul.accumulators);
    }
    return most;
  };
  int64_t most = mostAccumulators();
  while (most > maxAccumulators &&
         plan.threads * 2 <= target.maxThreadsPerBlock) {
    plan.threads *= 2;
    most = mostAccumulators();
  }
  if (most > maxAccumulators ||
      most * plan.threads > target.registersPerSM * 3 / 4)
    return fail("a matrix product needs " + Twine(most) +
                " accumulators per thread, more than fit its registers");
  for (PlanStep &step : plan.steps)
    if (step.kind == StepKind::Reduce)
      step.reduce.warpPerOutput =
          step.reduce.outputs < plan.threads &&
          step.reduce.reduced >= Target::warpSize &&
          !prism::getElementType(step.op->getResult(0).getType()).isF64();
  return true;
}

std::optional<KernelPlan> prism::planKernel(KernelOp kernel,
                                            const KernelSizes &sizes,
                                            const Target &target,
                                            std::string &whyNot) {
  return Planner(kernel, sizes, target, whyNot).run();
}
