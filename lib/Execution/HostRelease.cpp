//===- HostRelease.cpp - The ends of buffers in host code -----------------===//
//
// Bufferization allocates and never frees, so a loop on the host would hold the
// buffers of all its iterations. A buffer that does not leave the block it is
// allocated in is freed at that block's end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostLowering.h"

#include "Prism/Conversion/GPULowering.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;
using namespace prism;

/// True if `value` is defined in `block` or nested in it.
static bool isWithin(Value value, Block *block) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return argument.getOwner() != block &&
           block->findAncestorOpInBlock(*argument.getOwner()->getParentOp());
  return block->findAncestorOpInBlock(*value.getDefiningOp());
}

/// A use through which a buffer may go where it is not followed.
static bool losesTrack(Operation *user) {
  if (user->hasAttr(tensorMapAttrName)) // a kernel's parameter
    return false;
  if (isa<memref::ExtractAlignedPointerAsIndexOp, UnrealizedConversionCastOp,
          memref::DeallocOp>(user))
    return true;
  return isa<CallOpInterface>(user) &&
         llvm::any_of(user->getResultTypes(), llvm::IsaPred<BaseMemRefType>);
}

static bool staysIn(Block *block, Value buffer,
                    const BufferViewFlowAnalysis &flow) {
  for (Value alias : flow.resolve(buffer)) {
    if (!isWithin(alias, block))
      return false;
    for (OpOperand &use : alias.getUses()) {
      Operation *user = use.getOwner();
      bool isStored = isa<memref::StoreOp>(user) && use.getOperandNumber() == 0;
      if (user == block->getTerminator() || losesTrack(user) || isStored)
        return false;
    }
  }
  return true;
}

void HostLowering::freeLocalBuffers() {
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    BufferViewFlowAnalysis flow(function);
    SmallVector<Operation *> local;
    function.walk([&](Operation *op) {
      if (isa<memref::AllocOp, memref::AllocaOp>(op) && !isWords(op) &&
          op->getBlock()->mightHaveTerminator() &&
          staysIn(op->getBlock(), op->getResult(0), flow))
        local.push_back(op);
    });
    for (Operation *op : local) {
      OpBuilder b(op->getBlock()->getTerminator());
      memref::DeallocOp::create(b, op->getLoc(), op->getResult(0));
    }
  }
}

void HostLowering::lowerDeallocation(memref::DeallocOp op) {
  obsolete.push_back(op);
  MemRefType type = dyn_cast<MemRefType>(op.getMemref().getType());
  if (!type || !isManaged(type))
    return;
  OpBuilder b(op);
  Value pointer = memref::ExtractAlignedPointerAsIndexOp::create(
      b, op.getLoc(), op.getMemref());
  callEntry(b, op.getLoc(), HostEntry::Free,
            arith::IndexCastOp::create(b, op.getLoc(), b.getI64Type(), pointer)
                .getResult());
}
