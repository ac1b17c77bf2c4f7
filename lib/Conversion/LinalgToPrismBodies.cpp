//===- LinalgToPrismBodies.cpp - Scalar ops to prism ops ------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ops of a linalg body, or arith and math ops on whole tensors: each is one
// prism op over the dims that its operands carry. What is computed of constants
// alone is a constant.
//
//===----------------------------------------------------------------------===//

#include "LinalgToPrism.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace prism;

std::optional<MinMax> prism::matchMinMax(Operation *op) {
  using Predicate = arith::CmpFPredicate;
  auto select = dyn_cast<arith::SelectOp>(op);
  auto compare =
      select ? select.getCondition().getDefiningOp<arith::CmpFOp>() : nullptr;
  if (!compare)
    return std::nullopt;
  Value lhs = compare.getLhs(), rhs = compare.getRhs();
  bool isLhs = select.getTrueValue() == lhs && select.getFalseValue() == rhs;
  bool isRhs = select.getTrueValue() == rhs && select.getFalseValue() == lhs;
  if (!isLhs && !isRhs)
    return std::nullopt;
  switch (compare.getPredicate()) {
  case Predicate::OGT:
  case Predicate::OGE:
  case Predicate::UGT:
  case Predicate::UGE:
    return MinMax{isLhs, lhs, rhs};
  case Predicate::OLT:
  case Predicate::OLE:
  case Predicate::ULT:
  case Predicate::ULE:
    return MinMax{!isLhs, lhs, rhs};
  default:
    return std::nullopt;
  }
}

static std::optional<ComparePredicate>
getPredicate(arith::CmpFPredicate predicate) {
  switch (predicate) {
  case arith::CmpFPredicate::OLT:
    return ComparePredicate::LT;
  case arith::CmpFPredicate::OLE:
    return ComparePredicate::LE;
  case arith::CmpFPredicate::OGT:
    return ComparePredicate::GT;
  case arith::CmpFPredicate::OGE:
    return ComparePredicate::GE;
  case arith::CmpFPredicate::OEQ:
    return ComparePredicate::EQ;
  case arith::CmpFPredicate::UNE:
    return ComparePredicate::NE;
  default:
    return std::nullopt;
  }
}

View LinalgImporter::createMinMax(bool isMax, ArrayRef<View> operands) {
  return isMax ? create<MaxOp>(operands) : create<MinOp>(operands);
}

/// x ^ exponent, for the exponents that are products, roots or quotients.
FailureOr<View> LinalgImporter::importPower(View base, View exponent) {
  Type type = base.getElementType();
  if (exponent.constant) {
    double value;
    if (auto integer = dyn_cast<IntegerAttr>(exponent.constant))
      value = integer.getValue().getSExtValue();
    else
      value = cast<FloatAttr>(exponent.constant).getValueAsDouble();
    if (value == 1)
      return base;
    if (value == 2)
      return create<SquareOp>({base});
    if (value == 3)
      return create<MulOp>({create<SquareOp>({base}), base});
    if (value == 4)
      return create<SquareOp>({create<SquareOp>({base})});
    if (value == 0.5)
      return create<SqrtOp>({base});
    if (value == -0.5)
      return create<RsqrtOp>({base});
    if (value == -1)
      return create<ReciprocalOp>({base});
    exponent = number(value, type);
  }
  if (!isa<FloatType>(exponent.getElementType()))
    return fail("the integer power has an exponent that is no constant");
  return create<PowOp>({base, exponent});
}

FailureOr<View> LinalgImporter::importSelect(Operation *op,
                                             ArrayRef<View> operands) {
  for (const View &operand : operands)
    if (operand.constant && !isa<FloatType>(operand.getElementType()) &&
        !operand.getElementType().isInteger(1))
      return fail("it selects among integers");
  return create<SelectOp>(operands);
}

FailureOr<View> LinalgImporter::importScalarOp(Operation *op,
                                               ArrayRef<View> x) {
  if (!x.empty() && llvm::all_of(x, [](const View &v) { return v.constant; })) {
    auto operands = llvm::map_to_vector(
        x, [](const View &v) { return Attribute(v.constant); });
    if (TypedAttr value = foldScalarOp(op, operands))
      return View::ofConstant(value);
  }
  Type elementType = getElementTypeOrSelf(op->getResult(0).getType());
  auto createCast = [&]() -> FailureOr<View> {
    return createElementwise(CastOp::getOperationName(), x, elementType);
  };
  return TypeSwitch<Operation *, FailureOr<View>>(op)
      .Case([&](arith::AddFOp) { return create<AddOp>(x); })
      .Case([&](arith::SubFOp) { return create<SubOp>(x); })
      .Case([&](arith::MulFOp) { return create<MulOp>(x); })
      .Case([&](arith::DivFOp) { return create<DivOp>(x); })
      .Case([&](arith::NegFOp) { return create<NegOp>(x); })
      .Case<arith::MaximumFOp, arith::MaxNumFOp>(
          [&](auto) { return create<MaxOp>(x); })
      .Case<arith::MinimumFOp, arith::MinNumFOp>(
          [&](auto) { return create<MinOp>(x); })
      .Case([&](math::ExpOp) { return create<ExpOp>(x); })
      .Case([&](math::LogOp) { return create<LogOp>(x); })
      .Case([&](math::SqrtOp) { return create<SqrtOp>(x); })
      .Case([&](math::RsqrtOp) { return create<RsqrtOp>(x); })
      .Case([&](math::TanhOp) { return create<TanhOp>(x); })
      .Case([&](math::ErfOp) { return create<ErfOp>(x); })
      .Case(
          [&](math::AbsFOp) { return create<MaxOp>({x[0], create<NegOp>(x)}); })
      .Case([&](math::FmaOp) {
        return create<AddOp>({create<MulOp>({x[0], x[1]}), x[2]});
      })
      .Case<math::PowFOp, math::FPowIOp>(
          [&](auto) { return importPower(x[0], x[1]); })
      .Case([&](arith::ExtFOp) { return createCast(); })
      .Case([&](arith::TruncFOp op) -> FailureOr<View> {
        if (op.getRoundingmode().value_or(
                arith::RoundingMode::to_nearest_even) !=
            arith::RoundingMode::to_nearest_even)
          return fail("its cast does not round to nearest even");
        return createCast();
      })
      .Case([&](arith::CmpFOp op) -> FailureOr<View> {
        std::optional<ComparePredicate> predicate =
            getPredicate(op.getPredicate());
        if (!predicate)
          return fail("the comparison '" +
                      arith::stringifyCmpFPredicate(op.getPredicate()) +
                      "' has no prism form");
        auto attr = ComparePredicateAttr::get(builder.getContext(), *predicate);
        return createElementwise(CompareOp::getOperationName(), x, elementType,
                                 builder.getNamedAttr("predicate", attr));
      })
      .Case([&](arith::SelectOp op) { return importSelect(op, x); })
      .Default([&](Operation *op) -> FailureOr<View> {
        if (isa<arith::UIToFPOp>(op) && x[0].getElementType().isInteger(1))
          return createCast();
        return fail("'" + op->getName().getStringRef() + "' has no prism form");
      });
}

LogicalResult LinalgImporter::importElementwiseOnTensors(Operation *op) {
  if (op->getNumResults() != 1 || failed(checkType(op->getResult(0).getType())))
    return failure();
  SmallVector<Value> operands(op->getOperands());
  std::optional<MinMax> minMax = matchMinMax(op);
  if (minMax)
    operands = {minMax->lhs, minMax->rhs};
  SmallVector<View> operandViews;
  for (Value operand : operands) {
    FailureOr<View> view = getScalar(operand);
    if (failed(view))
      return failure();
    operandViews.push_back(*view);
  }
  FailureOr<View> result = minMax ? createMinMax(minMax->isMax, operandViews)
                                  : importScalarOp(op, operandViews);
  if (failed(result))
    return failure();
  views[op->getResult(0)] = *result;
  return success();
}
