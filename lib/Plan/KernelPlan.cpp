//===- KernelPlan.cpp - How a sized block graph becomes a kernel ----------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Plan/KernelPlan.h"
#include "Planner.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace prism;
using namespace prism::detail;

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

bool PlanStep::keeps(Value tile) const {
  return !followers.empty() &&
         (tile == getStoredTile() ||
          llvm::is_contained(followers, tile.getDefiningOp()));
}

AccumulateOp PlanStep::getAccumulator() const {
  if (kind == StepKind::Accumulate)
    return cast<AccumulateOp>(op);
  return accumulator;
}

SmallVector<unsigned> prism::getShiftDims(AccumulateOp accumulate) {
  unsigned rank = prism::getRank(accumulate.getShift().getType());
  ArrayAttr attr = accumulate.getIndexingMapsAttr();
  if (!attr)
    return llvm::to_vector(llvm::seq<unsigned>(0, rank));
  auto maps = llvm::to_vector(attr.getAsValueRange<AffineMapAttr>());
  return llvm::map_to_vector(maps[1].getResults(), [&](AffineExpr expr) {
    return *maps[0].getResultPosition(expr);
  });
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
    std::optional<int64_t> value = sizes.symbolValue(name);
    // A tile of a dynamic extent is as large as it may be.
    if (value && sizes.isDynamic && sizes.isDynamic(name))
      for (ParallelDimAttr dim : kernel.getParallelDims())
        value = std::max(*value, sizes.tileExtent(dim.getName()).value_or(0));
    return value;
  };
  return extent.evaluate(symbolValue, sizes.tileExtent);
}

bool KernelPlan::isDynamic(const DimExpr &extent) const {
  bool found = false;
  extent.walkSymbols([&](StringRef name) {
    found |= llvm::is_contained(runtimeSymbols, name) ||
             llvm::is_contained(runtimeCounts, name);
  });
  return found;
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

const TileBuffer *KernelPlan::lookupRescale(Value tile) const {
  auto it = rescales.find(tile);
  return it == rescales.end() ? nullptr : &it->second;
}

const TileBuffer *KernelPlan::lookupWarpSums(Value tile) const {
  auto it = warpSums.find(tile);
  return it == warpSums.end() ? nullptr : &it->second;
}

int64_t MatmulPlan::countInstructions() const {
  // Of the last warps and passes some have nothing inside.
  auto countBusy = [](int64_t extent, int64_t perWarp, int64_t limit) {
    return std::min(llvm::divideCeil(extent, perWarp), uint64_t(limit));
  };
  int64_t rowWarps =
      countBusy(rows, rowFragments * 16, warpsOverRows * rowPasses);
  int64_t columnWarps =
      countBusy(columns, columnFragments * 8, warpsOverColumns * columnPasses);
  return batch * rowWarps * rowFragments * columnWarps * columnFragments *
         llvm::divideCeil(depth, 16) * (usesTF32 ? 2 : 1);
}

/// exp(m - max m): m, where it is partial maxima; else null.
static Value getPartialMaxima(Value weight) {
  auto exp = weight.getDefiningOp<ExpOp>();
  auto sub = exp ? exp->getOperand(0).getDefiningOp<SubOp>() : SubOp();
  auto max =
      sub ? sub->getOperand(1).getDefiningOp<ReduceMaxOp>() : ReduceMaxOp();
  if (!max || max->getOperand(0) != sub->getOperand(0))
    return {};
  // An extent `<kernel>.<dim>` is a number of blocks.
  for (const DimExpr &extent : prism::getExtents(sub->getOperand(0).getType()))
    if (extent.asSymbol().contains('.'))
      return sub->getOperand(0);
  return {};
}

OpOperand *prism::getPartialWeight(Operation *op) {
  if (isa<MulOp>(op))
    for (OpOperand &operand : op->getOpOperands())
      if (getPartialMaxima(operand.get()))
        return &operand;
  return nullptr;
}

bool prism::subtractsMaximum(ProgramOp program) {
  auto comesFromMaximum = [](Value value) {
    Operation *op = value.getDefiningOp();
    while (op && isa<BroadcastOp, CastOp, ReshapeOp, TransposeOp>(op))
      op = op->getOperand(0).getDefiningOp();
    return isa_and_nonnull<ReduceMaxOp>(op);
  };
  for (Operation &op : program.getBodyBlock()) {
    if (isa<SoftmaxOp>(op))
      return true;
    auto sub =
        isa<ExpOp>(op) ? op.getOperand(0).getDefiningOp<SubOp>() : SubOp();
    if (sub && comesFromMaximum(sub->getOperand(1)))
      return true;
  }
  return false;
}

SmallVector<Value> prism::getReadTiles(Operation *op) {
  SmallVector<Value> tiles(op->getOperands());
  if (OpOperand *weight = getPartialWeight(op)) {
    auto exp = weight->get().getDefiningOp<ExpOp>();
    llvm::append_range(tiles,
                       exp->getOperand(0).getDefiningOp()->getOperands());
  }
  return tiles;
}

/// What `tile` is read or computed from in `step`.
static void collectReads(const KernelPlan &plan, const PlanStep &step,
                         Value tile,
                         SmallVectorImpl<const TileBuffer *> &reads) {
  if (step.keeps(tile))
    return;
  if (const TileBuffer *buffer = plan.lookupBuffer(tile))
    reads.push_back(buffer);
  else if (Operation *definition = tile.getDefiningOp())
    for (Value read : prism::getReadTiles(definition))
      collectReads(plan, step, read, reads);
}

void KernelPlan::collectFollowerAccesses(
    const PlanStep &step, SmallVectorImpl<const TileBuffer *> &reads,
    SmallVectorImpl<const TileBuffer *> &writes) const {
  for (Operation *follower : step.followers) {
    for (Value tile : getReadTiles(follower))
      collectReads(*this, step, tile, reads);
    if (const TileBuffer *buffer = lookupBuffer(follower->getResult(0)))
      writes.push_back(buffer);
  }
}

void KernelPlan::collectAccesses(
    const PlanStep &step, SmallVectorImpl<const TileBuffer *> &reads,
    SmallVectorImpl<const TileBuffer *> &writes) const {
  auto addBoth = [&](const TileBuffer *buffer) {
    reads.push_back(buffer);
    writes.push_back(buffer);
  };
  // The shift is not read: its factors are.
  if (step.kind == StepKind::Accumulate)
    collectReads(*this, step, step.getAccumulator().getTile(), reads);
  else
    for (Value tile : getReadTiles(step.op))
      collectReads(*this, step, tile, reads);
  AccumulateOp accumulate = step.getAccumulator();
  if (accumulate && accumulate.getShift())
    reads.push_back(lookupRescale(accumulate.getShift()));
  Value stored = step.getStoredTile();
  if (!stored || step.isCarried())
    return;
  if (accumulate)
    addBoth(lookupBuffer(stored));
  else if (const TileBuffer *buffer = lookupBuffer(stored))
    writes.push_back(buffer);
  collectFollowerAccesses(step, reads, writes);
  if (const TileBuffer *factors = lookupRescale(stored))
    addBoth(factors);
}

bool KernelPlan::isStaged(const PlanStep &step) const {
  return stages > 1 && step.kind == StepKind::Load &&
         step.phase == StepPhase::InLoop &&
         !lookupRescale(step.getStoredTile());
}

bool KernelPlan::isBulkLoad(const PlanStep &step) const {
  return isStaged(step) && !lookupBuffer(step.getStoredTile())->box.empty();
}

bool KernelPlan::hasBulkLoads() const {
  return llvm::any_of(steps,
                      [&](const PlanStep &step) { return isBulkLoad(step); });
}

int64_t KernelPlan::getBlocksPerSM(const Target &target,
                                   int64_t registers) const {
  int64_t byThreads = target.maxThreadsPerSM / threads;
  int64_t byShared =
      target.sharedBytesPerSM / (sharedBytes + target.reservedSharedBytes);
  int64_t blocks = std::min({byThreads, byShared, target.maxBlocksPerSM});
  if (registers == 0)
    return blocks;
  // A warp is given its registers in units of 256.
  int64_t perWarp = llvm::alignTo(registers * Target::warpSize, 256);
  int64_t warps = llvm::divideCeil(threads, Target::warpSize);
  return std::min(blocks, target.registersPerSM / (perWarp * warps));
}

Schedule prism::getSchedule(KernelOp kernel) {
  return {static_cast<int64_t>(kernel.getThreads().value_or(0)),
          static_cast<int64_t>(kernel.getStages().value_or(0))};
}

void prism::setSchedule(KernelOp kernel, const Schedule &schedule) {
  Builder builder(kernel.getContext());
  auto attrOf = [&](int64_t number) {
    return number ? builder.getI64IntegerAttr(number) : IntegerAttr();
  };
  kernel.setThreadsAttr(attrOf(schedule.threads));
  kernel.setStagesAttr(attrOf(schedule.stages));
}

std::optional<KernelPlan> prism::planKernel(const KernelOutline &outline,
                                            const KernelSizes &sizes,
                                            const Target &target,
                                            std::string &whyNot) {
  return Planner(outline, sizes, target, whyNot).run();
}

std::optional<KernelPlan> prism::planKernel(KernelOp kernel,
                                            const KernelSizes &sizes,
                                            const Target &target,
                                            std::string &whyNot) {
  return planKernel(KernelOutline(kernel), sizes, target, whyNot);
}
