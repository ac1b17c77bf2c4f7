//===- DoubleMath.cpp - exp, log and tanh on f64 --------------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// GPUs have no approximations in f64 and no device library is called, so these
// are series after a reduction of the range, good to a few units in the last
// place:
//
//   exp x = 2^n exp r, n = x / ln 2 to the nearest, |r| <= ln 2 / 2: Taylor's
//     series, 13 terms. 2^n in two factors, so that subnormal results are
//     right.
//   log x = n ln 2 + log m, m in [sqrt 1/2, sqrt 2): 2 artanh s, s = (m - 1) /
//     (m + 1), |s| < 0.172, 11 terms. Subnormal x are scaled first.
//   tanh x: Taylor's series below 0.35, 12 terms; else by exp(-2 |x|).
//
//===----------------------------------------------------------------------===//

#include "ScalarLowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"
#include <limits>

using namespace mlir;

namespace {

/// ln 2: the first part has zeros at its end, so that its products with small
/// integers are exact.
constexpr double ln2High = 6.93147180369123816490e-01;
constexpr double ln2Low = 1.90821492927058770002e-10;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Writes arithmetic on f64 and its bits.
class DoubleBuilder {
public:
  DoubleBuilder(Location loc, PatternRewriter &rewriter) : b(loc, rewriter) {}

  Value number(double value) {
    return arith::ConstantOp::create(b, b.getF64FloatAttr(value));
  }
  Value bits(int64_t value) {
    return arith::ConstantOp::create(b, b.getI64IntegerAttr(value));
  }
  Value add(Value x, Value y) { return arith::AddFOp::create(b, x, y); }
  Value sub(Value x, Value y) { return arith::SubFOp::create(b, x, y); }
  Value mul(Value x, Value y) { return arith::MulFOp::create(b, x, y); }
  Value div(Value x, Value y) { return arith::DivFOp::create(b, x, y); }
  Value fma(Value x, Value y, Value z) {
    return math::FmaOp::create(b, x, y, z);
  }
  Value abs(Value x) { return math::AbsFOp::create(b, x); }
  Value select(Value condition, Value x, Value y) {
    return arith::SelectOp::create(b, condition, x, y);
  }
  /// Whether x < y; false where one is no number.
  Value less(Value x, Value y) {
    return arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, x, y);
  }
  Value equal(Value x, Value y) {
    return arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, x, y);
  }
  /// coefficients[0] + coefficients[1] x + ...
  Value polynomial(Value x, ArrayRef<double> coefficients) {
    Value sum = number(coefficients.back());
    for (double coefficient : llvm::reverse(coefficients.drop_back()))
      sum = fma(sum, x, number(coefficient));
    return sum;
  }
  /// 2^n for an i64 n with |n| < 1023.
  Value power(Value n) {
    Value biased = arith::AddIOp::create(b, n, bits(1023));
    return arith::BitcastOp::create(b, b.getF64Type(),
                                    arith::ShLIOp::create(b, biased, bits(52)));
  }
  Value exp(Value x);
  Value log(Value x);
  Value tanh(Value x);

private:
  ImplicitLocOpBuilder b;
};

} // namespace

Value DoubleBuilder::exp(Value x) {
  // Beyond these the result is infinite or zero; no number goes the same way.
  Value most = number(710), least = number(-750);
  Value isTooLarge = less(most, x), isTooSmall = less(x, least);
  Value inside = select(isTooLarge, most, select(isTooSmall, least, x));
  Value isNumber = equal(x, x);
  Value bounded = select(isNumber, inside, number(0));
  Value scaled = mul(bounded, number(1.4426950408889634));
  Value half = math::CopySignOp::create(b, number(0.5), scaled);
  Value n = arith::FPToSIOp::create(b, b.getI64Type(), add(scaled, half));
  Value count = arith::SIToFPOp::create(b, b.getF64Type(), n);
  Value rest = fma(count, number(-ln2High), bounded);
  rest = fma(count, number(-ln2Low), rest);
  SmallVector<double> coefficients = {1.0};
  for (int term = 1; term <= 13; ++term)
    coefficients.push_back(coefficients.back() / term);
  Value power = polynomial(rest, coefficients);
  Value first = arith::DivSIOp::create(b, n, bits(2));
  Value second = arith::SubIOp::create(b, n, first);
  Value result = mul(mul(power, this->power(first)), this->power(second));
  result = select(isTooLarge, number(infinity), result);
  result = select(isTooSmall, number(0), result);
  return select(isNumber, result, x);
}

Value DoubleBuilder::log(Value x) {
  Value isSmall = less(x, number(std::numeric_limits<double>::min()));
  Value normal = select(isSmall, mul(x, number(0x1p54)), x);
  Value word = arith::BitcastOp::create(b, b.getI64Type(), normal);
  Value exponent = arith::ShRSIOp::create(b, word, bits(52));
  Value fraction = arith::AndIOp::create(b, word, bits((int64_t(1) << 52) - 1));
  Value one = arith::OrIOp::create(b, fraction, bits(int64_t(1023) << 52));
  Value m = arith::BitcastOp::create(b, b.getF64Type(), one); // in [1, 2)
  Value isLarge = less(number(1.4142135623730951), m);
  m = select(isLarge, mul(m, number(0.5)), m);
  Value n = arith::SubIOp::create(b, exponent,
                                  select(isLarge, bits(1022), bits(1023)));
  n = arith::SubIOp::create(b, n, select(isSmall, bits(54), bits(0)));
  Value count = arith::SIToFPOp::create(b, b.getF64Type(), n);
  Value f = sub(m, number(1));
  Value s = div(f, add(m, number(1)));
  Value square = mul(s, s);
  SmallVector<double> coefficients;
  for (int term = 1; term <= 11; ++term)
    coefficients.push_back(2.0 / (2 * term + 1));
  // 2 s (1 + s^2 / 3 + ...) = f - s (f - s^2 (2 / 3 + ...)).
  Value tail = mul(square, polynomial(square, coefficients));
  Value small = sub(mul(s, sub(f, tail)), mul(count, number(ln2Low)));
  Value result = sub(mul(count, number(ln2High)), sub(small, f));
  // log 0 = -inf, log inf = inf, and of less than 0 there is none.
  result = select(equal(x, number(0)), number(-infinity), result);
  Value isFinite = less(x, number(infinity));
  result = select(isFinite, result, x); // inf, or no number
  return select(less(x, number(0)),
                number(std::numeric_limits<double>::quiet_NaN()), result);
}

Value DoubleBuilder::tanh(Value x) {
  Value magnitude = abs(x);
  Value power = exp(mul(magnitude, number(-2)));
  Value large = div(sub(number(1), power), add(number(1), power));
  large = math::CopySignOp::create(b, large, x);
  // 2^2k (2^2k - 1) B_2k / (2k)!
  constexpr double coefficients[] = {
      1.0,
      -0.3333333333333333,
      0.13333333333333333,
      -0.05396825396825397,
      0.021869488536155203,
      -0.008863235529902197,
      0.003592128036572481,
      -0.0014558343870513183,
      0.000590027440945586,
      -0.00023912911424355248,
      9.691537956929451e-05,
      -3.927832388331683e-05,
  };
  Value small = mul(x, polynomial(mul(x, x), coefficients));
  return select(less(magnitude, number(0.35)), small, large);
}

namespace {

template <typename OpTy, Value (DoubleBuilder::*lower)(Value)>
struct LowerDouble : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;
  LogicalResult matchAndRewrite(OpTy op,
                                PatternRewriter &rewriter) const override {
    if (!op.getType().isF64())
      return failure();
    DoubleBuilder builder(op.getLoc(), rewriter);
    rewriter.replaceOp(op, (builder.*lower)(op.getOperand()));
    return success();
  }
};

struct LowerDoubleRsqrt : OpRewritePattern<math::RsqrtOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::RsqrtOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getType().isF64())
      return failure();
    DoubleBuilder builder(op.getLoc(), rewriter);
    Value root = math::SqrtOp::create(rewriter, op.getLoc(), op.getOperand());
    rewriter.replaceOp(op, builder.div(builder.number(1), root));
    return success();
  }
};

} // namespace

void prism::detail::populateDoubleMathPatterns(RewritePatternSet &patterns) {
  patterns
      .add<LowerDouble<math::ExpOp, &DoubleBuilder::exp>,
           LowerDouble<math::LogOp, &DoubleBuilder::log>,
           LowerDouble<math::TanhOp, &DoubleBuilder::tanh>, LowerDoubleRsqrt>(
          patterns.getContext());
}
