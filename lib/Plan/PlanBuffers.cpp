//===- PlanBuffers.cpp - Tiles in shared memory ---------------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Planner.h"
#include "Prism/Plan/MemoryPlan.h"
#include "Prism/Plan/WarpgroupPlan.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace prism;
using namespace prism::detail;

/// Stages of the load pipeline where nobody asks for another number.
static constexpr int64_t defaultStages = 3;
/// Of what a bulk tensor copy writes.
static constexpr int64_t bulkAlignment = 128;
/// Rows of 8 16-bit elements, what ldmatrix takes at once.
static constexpr int64_t matrixRow = 8;

bool Planner::feedsTensorCores(Value tile) {
  return llvm::any_of(plan.steps, [&](const PlanStep &step) {
    return step.kind == StepKind::Matmul && step.matmul.useTensorCores &&
           llvm::is_contained(step.op->getOperands(), tile);
  });
}

static int64_t countBytes(const TileBuffer &buffer) {
  int64_t bytes = getElementBytes(buffer.elementType);
  for (int64_t extent : buffer.layout)
    bytes *= extent;
  return bytes;
}

/// Bytes of a row's panel in the widest order of units that rows of `bytes`
/// bytes can have; 0 if there is none.
static int64_t chooseSwizzle(int64_t bytes) {
  if (bytes % 128 == 0)
    return 128;
  return bytes == 64 || bytes == 32 ? bytes : 0;
}

/// Halves, thirds, ... of a box that is too large for one copy, which lie one
/// behind the other; false where there are none.
static bool splitBox(MutableArrayRef<int64_t> box, int64_t elementBytes) {
  if (box.back() > Target::maxBoxExtent)
    return false;
  bool isOutermost = true;
  for (size_t dim = 0; dim + 1 < box.size(); ++dim) {
    int64_t parts = llvm::divideCeil(box[dim], Target::maxBoxExtent);
    if (parts > 1 && (!isOutermost || box[dim] % parts != 0))
      return false;
    isOutermost &= box[dim] == 1;
    box[dim] /= parts;
    if (parts == 1)
      continue;
    int64_t bytes = elementBytes;
    for (int64_t extent : box.drop_front(dim))
      bytes *= extent;
    if (bytes % bulkAlignment != 0)
      return false;
  }
  return true;
}

/// Decides whether the loop can load the tile by bulk tensor copies: rows of
/// the tensor and of the tile are multiples of 16 bytes, everything about the
/// tensor is known to the host, and no box is too large. Where a box reaches
/// beyond the tensor, zeros are written. Tiles that tensor cores read are
/// swizzled, as their rows come by such copies or not.
void Planner::planTensorMap(TileBuffer &buffer) {
  int64_t rank = buffer.extents.size();
  if (!target.hasTensorMaps || rank == 0 || !isa<FloatType>(buffer.elementType))
    return;
  int64_t elementBytes = getElementBytes(buffer.elementType);
  int64_t rowBytes = buffer.extents.back() * elementBytes;
  SmallVector<int64_t> box = buffer.extents;
  if (feedsTensorCores(buffer.tile)) {
    buffer.swizzle = chooseSwizzle(rowBytes);
    if (buffer.swizzle == 0)
      return;
    box.back() = buffer.swizzle / elementBytes;
  }
  auto load = buffer.tile.getDefiningOp<LoadOp>();
  if (!load || outline.phases.lookup(load) != StepPhase::InLoop ||
      rank > Target::maxBoxRank || rowBytes % 16 != 0)
    return;
  SmallVector<DimExpr> wholes = prism::getExtents(load.getSource().getType());
  if (llvm::any_of(
          wholes,
          [&](const DimExpr &extent) { return plan.isDynamic(extent); }) ||
      *evaluate(wholes.back()) * elementBytes % 16 != 0)
    return;
  // Boxes end where tiles do, or beyond the tensor.
  for (const auto &splits : load.getMap().getValue())
    for (size_t inner = 1; inner < splits.size(); ++inner)
      if (plan.lookupDim(splits[inner - 1].dim)->tile %
              plan.lookupDim(splits[inner].dim)->tile !=
          0)
        return;
  if (splitBox(box, elementBytes))
    buffer.box = std::move(box);
}

void Planner::addBuffer(Value tile) {
  TileBuffer buffer;
  buffer.tile = tile;
  buffer.extents = evaluateAll(prism::getExtents(tile.getType()));
  buffer.elementType = getStorageType(prism::getElementType(tile.getType()));
  buffer.layout = buffer.extents;
  planTensorMap(buffer);
  // Rows an odd number of 16-byte units apart meet different banks.
  if (!buffer.swizzle && feedsTensorCores(tile) && buffer.extents.size() > 1 &&
      buffer.layout.back() % (2 * matrixRow) == 0)
    buffer.layout.back() += matrixRow;
  buffer.bytes = countBytes(buffer);
  if (buffer.swizzle || !buffer.box.empty())
    buffer.bytes = llvm::alignTo(buffer.bytes, buffer.getAlignment());
  plan.buffers.insert({tile, std::move(buffer)});
}

void Planner::addRescale(Value shift) {
  TileBuffer buffer;
  buffer.tile = shift;
  buffer.extents = evaluateAll(prism::getExtents(shift.getType()));
  buffer.extents.insert(buffer.extents.begin(), 3); // RescalePlane
  Type elementType = prism::getElementType(shift.getType());
  buffer.elementType =
      elementType.isF64() ? elementType : Float32Type::get(shift.getContext());
  buffer.layout = buffer.extents;
  buffer.bytes = countBytes(buffer);
  plan.rescales.insert({shift, std::move(buffer)});
}

void Planner::addWarpSums(const PlanStep &step) {
  TileBuffer buffer;
  buffer.tile = step.getStoredTile();
  buffer.extents = evaluateAll(prism::getExtents(buffer.tile.getType()));
  buffer.extents.insert(buffer.extents.begin(), step.matmul.warpsOverDepth);
  buffer.elementType = Float32Type::get(kernel.getContext());
  buffer.layout = buffer.extents;
  buffer.bytes = countBytes(buffer);
  plan.warpSums.insert({buffer.tile, std::move(buffer)});
}

void Planner::planBuffers() {
  for (Value tile : outline.storedTiles)
    addBuffer(tile);
  plan.hasUndefinedSums = outline.hasUndefinedSums;
  for (auto accumulate : getBody().getOps<AccumulateOp>())
    if (Value shift = accumulate.getShift())
      addRescale(shift);
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
          bytes * (outline.phases.lookup(&op) == StepPhase::InLoop
                       ? plan.getLoop()->count
                       : 1);
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
  plan.stages = stages;
  SmallVector<BufferLifetime> lifetimes;
  DenseMap<const TileBuffer *, unsigned> index;
  auto define = [&](const TileBuffer *buffer, unsigned begin, unsigned end) {
    index[buffer] = lifetimes.size();
    lifetimes.push_back({buffer->getTotalBytes(), begin, end, /*offset=*/0,
                         buffer->getAlignment()});
  };
  for (const PlanStep &step : plan.steps)
    if (step.kind == StepKind::Load)
      plan.buffers[step.getStoredTile()].stages =
          plan.isStaged(step) ? stages : 1;
  for (auto &[shift, buffer] : plan.rescales)
    define(&buffer, setUp, finish);
  unsigned time = 0;
  for (const PlanStep &step : plan.steps) {
    if (time == setUp && step.phase != StepPhase::BeforeLoop)
      ++time;
    if (time == finish && step.phase == StepPhase::AfterLoop)
      ++time;
    Value stored = step.getStoredTile();
    const TileBuffer *written = stored ? plan.lookupBuffer(stored) : nullptr;
    SmallVector<const TileBuffer *> reads, writes;
    plan.collectAccesses(step, reads, writes);
    for (const TileBuffer *buffer : reads) {
      if (buffer == written || buffer == plan.lookupRescale(stored))
        continue;
      BufferLifetime &lifetime = lifetimes[index.lookup(buffer)];
      lifetime.end = std::max(lifetime.end, time);
      if (lifetime.begin < setUp && time > setUp)
        lifetime.end = std::max(lifetime.end, finish); // read in each step
    }
    if (const TileBuffer *sums = plan.lookupWarpSums(stored)) {
      unsigned when = step.isCarried() ? finish : time;
      define(sums, when, when);
    }
    if (step.isCarried())
      define(written, finish, finish);
    else if (step.getAccumulator())
      define(written, setUp, finish);
    else if (written && plan.isStaged(step))
      define(written, setUp, finish - 1);
    else if (written)
      define(written, time, time);
    for (Operation *follower : step.followers)
      if (const TileBuffer *buffer = plan.lookupBuffer(follower->getResult(0)))
        define(buffer, time, time);
    ++time;
  }
  // LLVM may load a few elements at the end of a buffer as 16 bytes.
  int64_t bytes = llvm::alignTo(planMemory(lifetimes), 16);
  if (plan.hasBulkLoads()) {
    plan.barrierOffset = bytes;
    bytes = llvm::alignTo(bytes + KernelPlan::barrierBytes * stages, 16);
  }
  for (auto &[tile, buffer] : plan.buffers)
    buffer.offset = lifetimes[index.lookup(&buffer)].offset;
  for (auto *others : {&plan.rescales, &plan.warpSums})
    for (auto &[tile, buffer] : *others)
      buffer.offset = lifetimes[index.lookup(&buffer)].offset;
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
  // As many stages as leave room for a second block on the multiprocessor, if
  // one comes there.
  bool isAlone = plan.blocks <= target.numSMs && plan.runtimeCounts.empty();
  int64_t limit = target.maxSharedBytes;
  if (!isAlone)
    limit = std::min(limit,
                     target.sharedBytesPerSM / 2 - target.reservedSharedBytes);
  bool defers = llvm::any_of(
      plan.steps, [&](const PlanStep &step) { return canDefer(plan, step); });
  int64_t stages =
      std::min(defers ? deferringStages : defaultStages, loop->count);
  if (schedule.stages) {
    limit = target.maxSharedBytes;
    stages = std::min(schedule.stages, loop->count);
  }
  while (stages > 1 && placeBuffers(stages) > limit)
    --stages;
  plan.sharedBytes = placeBuffers(stages);
  return true;
}
