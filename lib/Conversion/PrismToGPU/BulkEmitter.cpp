//===- BulkEmitter.cpp - Bulk tensor copies and their mbarriers -----------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loop's loads on targets with tensor maps: one thread starts the copies of
// a step, which count their bytes at the mbarrier of the step's stage; all
// threads wait there for the phase to complete. The n-th use of a stage
// completes its phase n, so that the parity to wait for is that of
// step / stages. Which boxes the copies bring, and how they lie in shared
// memory, is decided by lib/Plan (TileBuffer).
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace prism;
using namespace prism::detail;

SmallVector<const PlanStep *>
prism::detail::getBulkLoads(const KernelPlan &plan) {
  SmallVector<const PlanStep *> loads;
  for (const PlanStep &step : plan.steps)
    if (plan.isBulkLoad(step))
      loads.push_back(&step);
  return loads;
}

Value KernelEmitter::getBarrier(Value ofStage) {
  Value first = LLVM::GEPOp::create(
      b, sharedPtr, b.getI8Type(), shared,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(plan.barrierOffset)});
  return LLVM::GEPOp::create(
      b, sharedPtr, b.getI8Type(), first,
      ArrayRef<LLVM::GEPArg>{mul(ofStage, KernelPlan::barrierBytes)});
}

Value KernelEmitter::isFirstThread() {
  return b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::eq, threadId,
                                       number(0));
}

void KernelEmitter::fenceAsyncProxy() {
  NVVM::FenceProxyOp::create(
      b, NVVM::ProxyKind::async_shared,
      NVVM::SharedSpaceAttr::get(b.getContext(),
                                 NVVM::SharedSpace::shared_cta));
}

/// Initializes the mbarriers, and makes what threads have written so far, which
/// copies may overwrite, known to the copies.
void KernelEmitter::setUpBulkLoads() {
  if (!plan.hasBulkLoads())
    return;
  guarded(isFirstThread(), [&] {
    for (int64_t stage = 0; stage < plan.stages; ++stage)
      NVVM::MBarrierInitOp::create(b, getBarrier(number(stage)), number(1),
                                   Value());
  });
  fenceAsyncProxy();
  barrier();
}

/// The tile's first element in its tensor, dim by dim.
KernelEmitter::Indices KernelEmitter::getTileStart(LoadOp load) {
  Indices start;
  for (const auto &splits : load.getMap().getValue()) {
    Value sum = number(0);
    for (const Split &split : splits)
      sum = add(sum, mul(coordinates.lookup(split.dim),
                         plan.lookupDim(split.dim)->tile));
    start.push_back(sum);
  }
  return start;
}

/// The copies of one tile, box by box.
void KernelEmitter::startBulkLoad(const PlanStep &step, Value map,
                                  Value barrier) {
  auto load = cast<LoadOp>(step.op);
  const TileBuffer &buffer = *plan.lookupBuffer(load.getResult());
  Indices start = getTileStart(load);
  SmallVector<int64_t> counts;
  int64_t count = 1;
  for (auto [extent, box] : llvm::zip(buffer.extents, buffer.box)) {
    counts.push_back(extent / box);
    count *= extent / box;
  }
  for (int64_t linear = 0; linear < count; ++linear) {
    Indices indices, position;
    int64_t rest = linear;
    for (size_t dim = counts.size(); dim-- > 0; rest /= counts[dim]) {
      Value first = number(rest % counts[dim] * buffer.box[dim]);
      indices.insert(indices.begin(), first);
      // A map's dims run from the innermost outwards.
      position.push_back(add(start[dim], first));
    }
    NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
        b, getElementPointer(buffer, indices, /*isOfBox=*/true), map, position,
        barrier,
        /*im2colOffsets=*/ValueRange(), /*multicastMask=*/Value(),
        /*l2CacheHint=*/Value(), NVVM::TMALoadMode::TILE, /*isCTAOnly=*/true,
        /*group=*/NVVM::CTAGroupKindAttr(), /*predicate=*/Value());
  }
}

void KernelEmitter::startBulkLoads() {
  SmallVector<const PlanStep *> loads = getBulkLoads(plan);
  if (loads.empty())
    return;
  int64_t bytes = 0;
  for (const PlanStep *load : loads) {
    const TileBuffer &buffer = *plan.lookupBuffer(load->getStoredTile());
    int64_t elements = 1;
    for (int64_t extent : buffer.extents)
      elements *= extent;
    bytes += elements * getElementBytes(buffer.elementType);
  }
  guarded(isFirstThread(), [&] {
    Value barrier = getBarrier(stage);
    NVVM::MBarrierArriveExpectTxOp::create(
        b, Type(), barrier, number(bytes), NVVM::MemScopeKind::CTA,
        /*relaxed=*/false, /*predicate=*/Value());
    // Maps are the last parameters, in the order of the loads.
    unsigned map = function.getNumArguments() - loads.size();
    for (const PlanStep *load : loads) {
      b.setLoc(load->op->getLoc());
      startBulkLoad(*load, function.getArgument(map++), barrier);
    }
  });
}

void KernelEmitter::waitForBulkLoads(Value ofStage, Value parity) {
  if (!plan.hasBulkLoads())
    return;
  Value barrier = getBarrier(ofStage);
  auto loop = scf::WhileOp::create(b, TypeRange(), ValueRange());
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&loop.getBefore());
  Value done = NVVM::MBarrierTryWaitOp::create(
      b, b.getI1Type(), barrier, parity, /*ticks=*/Value(),
      NVVM::MemScopeKind::CTA, /*relaxed=*/false);
  Value again = arith::XOrIOp::create(
      b, done, arith::ConstantOp::create(b, b.getBoolAttr(true)));
  scf::ConditionOp::create(b, again, ValueRange());
  b.createBlock(&loop.getAfter());
  scf::YieldOp::create(b);
}
