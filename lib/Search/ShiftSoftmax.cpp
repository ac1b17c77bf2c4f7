//===- ShiftSoftmax.cpp - Softmax with its maximum ------------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Search/ShiftSoftmax.h"

using namespace mlir;
using namespace prism;

static Value lookThroughCasts(Value value) {
  while (auto cast = value.getDefiningOp<CastOp>())
    value = cast.getInput();
  return value;
}

/// Calls `visit` on the users of `value`, and on those of its casts.
static void forEachUser(Value value,
                        llvm::function_ref<void(OpOperand &)> visit) {
  for (OpOperand &use : value.getUses()) {
    if (isa<CastOp>(use.getOwner()))
      forEachUser(use.getOwner()->getResult(0), visit);
    else
      visit(use);
  }
}

/// Whether `value` is used, and as a divisor only.
static bool isDivisor(Value value) {
  bool isUsed = false, all = true;
  forEachUser(value, [&](OpOperand &use) {
    isUsed = true;
    all &= isa<DivOp>(use.getOwner()) && use.getOperandNumber() == 1;
  });
  return isUsed && all;
}

/// The sum of the exponential that divides something, or null.
static ReduceSumOp findDividingSum(ExpOp exponential) {
  ReduceSumOp found;
  forEachUser(exponential.getResult(), [&](OpOperand &use) {
    auto sum = dyn_cast<ReduceSumOp>(use.getOwner());
    if (sum && !found && isDivisor(sum.getResult()))
      found = sum;
  });
  return found;
}

/// Whether `value` is x - max x, or any other difference from a maximum.
static bool isShifted(Value value) {
  auto difference = lookThroughCasts(value).getDefiningOp<SubOp>();
  return difference && lookThroughCasts(difference->getOperand(1))
                           .getDefiningOp<ReduceMaxOp>();
}

/// x - max x, the maximum over `dims`.
static Value shift(OpBuilder &builder, Location loc, Value value,
                   ArrayRef<int64_t> dims) {
  SmallVector<DimExpr> extents;
  SmallVector<unsigned> kept;
  for (auto [dim, extent] : llvm::enumerate(getExtents(value.getType())))
    if (!llvm::is_contained(dims, static_cast<int64_t>(dim))) {
      extents.push_back(extent);
      kept.push_back(dim);
    }
  Type type =
      cloneWith(value.getType(), extents, getElementType(value.getType()));
  Value maximum = ReduceMaxOp::create(builder, loc, type, value,
                                      builder.getDenseI64ArrayAttr(dims));
  AffineMap identity = AffineMap::getMultiDimIdentityMap(
      getRank(value.getType()), builder.getContext());
  ArrayAttr maps = builder.getAffineMapArrayAttr(
      {identity, identity.getSubMap(kept), identity});
  return SubOp::create(builder, loc, value.getType(), value, maximum, maps);
}

OwningOpRef<ProgramOp> prism::shiftSoftmax(ProgramOp program) {
  auto canShift = [](ExpOp op) {
    return !isShifted(op.getInput()) && findDividingSum(op);
  };
  if (llvm::none_of(program.getBodyBlock().getOps<ExpOp>(), canShift))
    return nullptr;
  OwningOpRef<ProgramOp> shifted = program.clone();
  for (auto op : llvm::to_vector(shifted->getBodyBlock().getOps<ExpOp>())) {
    if (!canShift(op))
      continue;
    OpBuilder builder(op);
    op->setOperand(0, shift(builder, op.getLoc(), op.getInput(),
                            findDividingSum(op).getDims()));
  }
  return shifted;
}
