//===- RescaleEmitter.cpp - Rescaled accumulators -------------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// redr of schema S6 over the steps of the loop: with M the maximum of the
// shifts m_i, the sum of t_i exp(m_i - M). Whoever stores an element of m
// updates the running maximum and leaves the two factors for all accumulators
// of that shift. A step with m_i = -inf contributes 0, whatever t_i is; while
// nothing else has been seen, M is -inf and never subtracted (DECISIONS, 11).
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace prism;
using namespace prism::detail;

static constexpr RescalePlane planes[] = {
    RescalePlane::Maximum, RescalePlane::OldFactor, RescalePlane::TermFactor};

static KernelEmitter::Indices getPlaneIndices(Value plane, ValueRange indices) {
  KernelEmitter::Indices all = {plane};
  llvm::append_range(all, indices);
  return all;
}

Value KernelEmitter::loadPlane(const TileBuffer &factors, RescalePlane plane,
                               ValueRange indices) {
  return loadElement(
      factors, getPlaneIndices(number(static_cast<int64_t>(plane)), indices));
}

void KernelEmitter::setUpRescale(Value shift) {
  const TileBuffer &factors = *plan.lookupRescale(shift);
  synchronize({}, &factors);
  forEachPoint(getExtents(shift.getType()), [&](ValueRange indices) {
    Value plane = number(static_cast<int64_t>(RescalePlane::Maximum));
    storeElement(factors, getPlaneIndices(plane, indices),
                 getNeutral(/*isMax=*/true, factors.elementType));
  });
}

void KernelEmitter::updateRescale(Value shift, ValueRange indices,
                                  Value value) {
  const TileBuffer &factors = *plan.lookupRescale(shift);
  Type type = factors.elementType;
  auto constant = [&](double number) -> Value {
    return arith::ConstantOp::create(b, FloatAttr::get(type, number));
  };
  Value least = getNeutral(/*isMax=*/true, type);
  auto isLeast = [&](Value x) -> Value {
    return arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, x, least);
  };
  auto expOfDifference = [&](Value x, Value y) -> Value {
    return math::ExpOp::create(b, arith::SubFOp::create(b, x, y));
  };
  value = convert(value, type);
  Value before = loadPlane(factors, RescalePlane::Maximum, indices);
  Value after = combine(/*isMax=*/true, before, value);
  Value old = arith::SelectOp::create(b, isLeast(after), constant(1.0),
                                      expOfDifference(before, after));
  Value term = arith::SelectOp::create(b, isLeast(value), constant(-1.0),
                                       expOfDifference(value, after));
  for (auto [plane, stored] : llvm::zip(planes, std::array{after, old, term}))
    storeElement(factors,
                 getPlaneIndices(number(static_cast<int64_t>(plane)), indices),
                 stored);
}

Value KernelEmitter::finishSum(AccumulateOp accumulate, ValueRange indices,
                               Value sum) {
  if (!accumulate || !accumulate.getShift() || !plan.hasUndefinedSums)
    return sum;
  const TileBuffer &factors = *plan.lookupRescale(accumulate.getShift());
  Indices shiftIndices;
  for (unsigned dim : getShiftDims(accumulate))
    shiftIndices.push_back(indices[dim]);
  Value maximum = loadPlane(factors, RescalePlane::Maximum, shiftIndices);
  Value isLeast =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, maximum,
                            getNeutral(/*isMax=*/true, maximum.getType()));
  auto type = cast<FloatType>(sum.getType());
  Value none = arith::ConstantOp::create(
      b, FloatAttr::get(type, APFloat::getNaN(type.getFloatSemantics())));
  return arith::SelectOp::create(b, isLeast, none, sum);
}

void KernelEmitter::finishSums() {
  for (const PlanStep &step : plan.steps) {
    AccumulateOp accumulate = step.getAccumulator();
    if (!accumulate || !accumulate.getShift() || step.isCarried() ||
        !plan.hasUndefinedSums)
      continue;
    const TileBuffer *buffer = plan.lookupBuffer(step.getStoredTile());
    synchronize({plan.lookupRescale(accumulate.getShift()), buffer}, buffer);
    forEachPoint(getExtents(accumulate.getType()), [&](ValueRange indices) {
      storeElement(
          *buffer, indices,
          finishSum(accumulate, indices, loadElement(*buffer, indices)));
    });
  }
}

Value KernelEmitter::accumulateTerm(AccumulateOp accumulate, ValueRange indices,
                                    Value sum, Value term) {
  if (!accumulate.getShift())
    return combine(accumulate.getKind() == AccumulatorKind::Max, sum, term);
  const TileBuffer &factors = *plan.lookupRescale(accumulate.getShift());
  Indices shiftIndices;
  for (unsigned dim : getShiftDims(accumulate))
    shiftIndices.push_back(indices[dim]);
  Value old = loadPlane(factors, RescalePlane::OldFactor, shiftIndices);
  Value factor = loadPlane(factors, RescalePlane::TermFactor, shiftIndices);
  old = convert(old, sum.getType());
  factor = convert(factor, sum.getType());
  Value zero = zeroOf(sum.getType());
  Value isMasked =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, factor, zero);
  Value scaled = arith::SelectOp::create(
      b, isMasked, zero, arith::MulFOp::create(b, term, factor));
  return math::FmaOp::create(b, sum, old, scaled);
}
