//===- ScalarBodies.cpp - Scalar forms of compute ops -----------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarBodies.h"

using namespace mlir;
using namespace prism;

static Value buildNumber(OpBuilder &builder, Location loc, Type type,
                         double value) {
  return arith::ConstantOp::create(builder, loc, type,
                                   FloatAttr::get(type, value));
}

Value prism::detail::buildReciprocal(OpBuilder &builder, Location loc,
                                     Value x) {
  Value one = buildNumber(builder, loc, x.getType(), 1.0);
  return arith::DivFOp::create(builder, loc, one, x);
}

/// 1 + e^-x
static Value buildOnePlusExpNeg(OpBuilder &builder, Location loc, Value x) {
  Value negated = arith::NegFOp::create(builder, loc, x);
  Value exponential = math::ExpOp::create(builder, loc, negated);
  Value one = buildNumber(builder, loc, x.getType(), 1.0);
  return arith::AddFOp::create(builder, loc, one, exponential);
}

Value prism::detail::buildSigmoid(OpBuilder &builder, Location loc, Value x) {
  return buildReciprocal(builder, loc, buildOnePlusExpNeg(builder, loc, x));
}

Value prism::detail::buildSilu(OpBuilder &builder, Location loc, Value x) {
  return arith::DivFOp::create(builder, loc, x,
                               buildOnePlusExpNeg(builder, loc, x));
}

Value prism::detail::buildRelu(OpBuilder &builder, Location loc, Value x) {
  Value zero = buildNumber(builder, loc, x.getType(), 0.0);
  return arith::MaximumFOp::create(builder, loc, x, zero);
}

/// x/2 * (1 + inner)
static Value buildHalfOfOnePlus(OpBuilder &builder, Location loc, Value x,
                                Value inner) {
  Value one = buildNumber(builder, loc, x.getType(), 1.0);
  Value half = buildNumber(builder, loc, x.getType(), 0.5);
  Value sum = arith::AddFOp::create(builder, loc, one, inner);
  Value halved = arith::MulFOp::create(builder, loc, x, half);
  return arith::MulFOp::create(builder, loc, halved, sum);
}

Value prism::detail::buildGelu(OpBuilder &builder, Location loc, Value x,
                               GeluKind kind) {
  auto number = [&](double value) {
    return buildNumber(builder, loc, x.getType(), value);
  };
  auto times = [&](Value a, Value b) -> Value {
    return arith::MulFOp::create(builder, loc, a, b);
  };
  if (kind == GeluKind::Erf) {
    Value scaled = times(x, number(0.70710678118654752)); // 1 / sqrt(2)
    return buildHalfOfOnePlus(builder, loc, x,
                              math::ErfOp::create(builder, loc, scaled));
  }
  Value cube = times(times(x, x), times(x, number(0.044715)));
  Value sum = arith::AddFOp::create(builder, loc, x, cube);
  Value scaled = times(sum, number(0.79788456080286536)); // sqrt(2 / pi)
  return buildHalfOfOnePlus(builder, loc, x,
                            math::TanhOp::create(builder, loc, scaled));
}

Value prism::detail::buildCast(OpBuilder &builder, Location loc, Value x,
                               Type elementType) {
  Type from = x.getType();
  if (from == elementType)
    return x;
  if (from.isInteger(1))
    return arith::UIToFPOp::create(builder, loc, elementType, x);
  unsigned fromWidth = from.getIntOrFloatBitWidth();
  unsigned toWidth = elementType.getIntOrFloatBitWidth();
  if (fromWidth < toWidth)
    return arith::ExtFOp::create(builder, loc, elementType, x);
  if (fromWidth > toWidth)
    return arith::TruncFOp::create(builder, loc, elementType, x);
  // Between f16 and bf16: exact to f32, then one rounding.
  Value wide = arith::ExtFOp::create(builder, loc, builder.getF32Type(), x);
  return arith::TruncFOp::create(builder, loc, elementType, wide);
}

Value prism::detail::buildProduct(OpBuilder &builder, Location loc, Value a,
                                  Value b, Type elementType) {
  return arith::MulFOp::create(builder, loc,
                               buildCast(builder, loc, a, elementType),
                               buildCast(builder, loc, b, elementType));
}

Value prism::detail::buildCompare(OpBuilder &builder, Location loc,
                                  ComparePredicate predicate, Value a,
                                  Value b) {
  auto arithPredicate = [&]() {
    switch (predicate) {
    case ComparePredicate::LT:
      return arith::CmpFPredicate::OLT;
    case ComparePredicate::LE:
      return arith::CmpFPredicate::OLE;
    case ComparePredicate::GT:
      return arith::CmpFPredicate::OGT;
    case ComparePredicate::GE:
      return arith::CmpFPredicate::OGE;
    case ComparePredicate::EQ:
      return arith::CmpFPredicate::OEQ;
    case ComparePredicate::NE:
      return arith::CmpFPredicate::UNE;
    }
    llvm_unreachable("all predicates are handled");
  };
  return arith::CmpFOp::create(builder, loc, arithPredicate(), a, b);
}

Value prism::detail::buildConstant(OpBuilder &builder, Location loc,
                                   Attribute value, Type elementType) {
  if (auto number = dyn_cast<FloatAttr>(value))
    return arith::ConstantOp::create(
        builder, loc, elementType,
        FloatAttr::get(elementType, number.getValueAsDouble()));
  if (auto number = dyn_cast<IntegerAttr>(value))
    return arith::ConstantOp::create(
        builder, loc, elementType,
        IntegerAttr::get(elementType, number.getValue()));
  return {};
}
