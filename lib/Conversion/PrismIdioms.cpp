//===- PrismIdioms.cpp - Spelled-out compute ops --------------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Importers spell out what has a compute op of its own: x * x, 1 / x, sigmoid,
// silu, relu, gelu. Each is found by structure over the prism ops, whatever
// the order of operands and however many linalg ops it came from. Widening
// casts of a matmul's operands are part of the matmul.
//
//===----------------------------------------------------------------------===//

#include "LinalgToPrism.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace prism;

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

/// Whether `actual`, of element type `type`, is `number`: a whole number or a
/// half exactly, any other one up to how it may have been rounded.
static bool isClose(double actual, double number, Type type) {
  if (2 * number == std::round(2 * number))
    return actual == number;
  int mantissa = cast<FloatType>(type).getFPMantissaWidth();
  return std::abs(actual - number) <=
         std::ldexp(std::abs(number), 1 - mantissa);
}

/// Whether `value` is the constant `number`.
static bool isNumber(Value value, double number) {
  auto constant = value.getDefiningOp<ConstantOp>();
  auto attr = constant ? dyn_cast<FloatAttr>(constant.getValue()) : FloatAttr();
  return attr && isClose(attr.getValueAsDouble(), number, attr.getType());
}

/// `value` as `OpT` of an operand read as it is (not permuted or broadcast)
/// and another one that `matches`, the former being operand `index`, or any
/// for index -1. Null if it is not.
template <typename OpT>
static Value matchWith(Value value, int index,
                       llvm::function_ref<bool(Value)> matches) {
  auto op = value ? value.getDefiningOp<OpT>() : OpT();
  if (!op)
    return {};
  SmallVector<AffineMap> maps = op.getMapsOrDefault();
  for (int i = 0; i < 2; ++i)
    if ((index < 0 || index == i) && maps[i] == maps[2] &&
        maps[2].isIdentity() && matches(op->getOperand(1 - i)))
      return op->getOperand(i);
  return {};
}

template <typename OpT>
static Value matchWithNumber(Value value, double number, int index = -1) {
  return matchWith<OpT>(value, index,
                        [&](Value other) { return isNumber(other, number); });
}

template <typename OpT>
static Value matchUnary(Value value) {
  auto op = value ? value.getDefiningOp<OpT>() : OpT();
  return op ? op->getOperand(0) : Value();
}

/// x of -x
static Value matchNegated(Value value) {
  if (Value x = matchUnary<NegOp>(value))
    return x;
  if (Value x = matchWithNumber<MulOp>(value, -1.0))
    return x;
  return matchWithNumber<SubOp>(value, 0.0, /*index=*/1);
}

/// x of 1 + e^-x
static Value matchOnePlusExpNeg(Value value) {
  return matchNegated(matchUnary<ExpOp>(matchWithNumber<AddOp>(value, 1.0)));
}

/// Whether both operands are the same data, read the same way.
static bool isOfOneValue(IndexingMapsOpInterface op) {
  SmallVector<AffineMap> maps = op.getMapsOrDefault();
  return op->getOperand(0) == op->getOperand(1) && maps[0] == maps[1] &&
         maps[0] == maps[2] && maps[2].isIdentity();
}

/// The factors of a product of values of one shape and of numbers, and the
/// product of the numbers.
struct Product {
  double coefficient = 1.0;
  SmallVector<Value> factors;
};

static void addFactors(Value value, Product &product, unsigned depth = 6) {
  if (auto constant = value.getDefiningOp<ConstantOp>())
    if (auto number = dyn_cast<FloatAttr>(constant.getValue())) {
      product.coefficient *= number.getValueAsDouble();
      return;
    }
  auto addTwo = [&](Value a, Value b) {
    addFactors(a, product, depth - 1);
    addFactors(b, product, depth - 1);
  };
  if (Value x = depth ? matchUnary<SquareOp>(value) : Value())
    return addTwo(x, x);
  auto mul = depth ? value.getDefiningOp<MulOp>() : MulOp();
  bool isPlain =
      mul && llvm::all_of(llvm::zip(mul->getOperands(), mul.getMapsOrDefault()),
                          [&](auto pair) {
                            auto [operand, map] = pair;
                            return map.isIdentity() ||
                                   operand.template getDefiningOp<ConstantOp>();
                          });
  if (isPlain)
    return addTwo(mul.getLhs(), mul.getRhs());
  product.factors.push_back(value);
}

static Product getProduct(Value value) {
  Product product;
  addFactors(value, product);
  return product;
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

namespace {

/// x * x
struct RecogniseSquare : OpRewritePattern<MulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MulOp op,
                                PatternRewriter &rewriter) const override {
    if (!isOfOneValue(op))
      return rewriter.notifyMatchFailure(op, "of two values");
    rewriter.replaceOpWithNewOp<SquareOp>(op, op.getType(), op.getLhs());
    return success();
  }
};

/// 1 / x
struct RecogniseReciprocal : OpRewritePattern<DivOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DivOp op,
                                PatternRewriter &rewriter) const override {
    Value x = matchWithNumber<DivOp>(op, 1.0, /*index=*/1);
    if (!x)
      return rewriter.notifyMatchFailure(op, "does not divide 1");
    rewriter.replaceOpWithNewOp<ReciprocalOp>(op, op.getType(), x);
    return success();
  }
};

/// 1 / (1 + e^-x)
struct RecogniseSigmoid : OpRewritePattern<ReciprocalOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReciprocalOp op,
                                PatternRewriter &rewriter) const override {
    Value x = matchOnePlusExpNeg(op.getInput());
    if (!x)
      return rewriter.notifyMatchFailure(op, "not of 1 + e^-x");
    rewriter.replaceOpWithNewOp<SigmoidOp>(op, op.getType(), x);
    return success();
  }
};

/// x / (1 + e^-x)
struct RecogniseSiluOfQuotient : OpRewritePattern<DivOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DivOp op,
                                PatternRewriter &rewriter) const override {
    Value x = matchWith<DivOp>(op, /*index=*/0, [&](Value divisor) {
      return matchOnePlusExpNeg(divisor) == op.getLhs();
    });
    if (!x || x.getType() != op.getRhs().getType())
      return rewriter.notifyMatchFailure(op, "not x / (1 + e^-x)");
    rewriter.replaceOpWithNewOp<SiluOp>(op, op.getType(), x);
    return success();
  }
};

/// x * sigmoid(x)
struct RecogniseSiluOfProduct : OpRewritePattern<MulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MulOp op,
                                PatternRewriter &rewriter) const override {
    for (Value x : {op.getLhs(), op.getRhs()}) {
      bool isProduct = matchWith<MulOp>(op, -1, [&](Value other) {
                         return matchUnary<SigmoidOp>(other) == x;
                       }) == x;
      if (!isProduct)
        continue;
      rewriter.replaceOpWithNewOp<SiluOp>(op, op.getType(), x);
      return success();
    }
    return rewriter.notifyMatchFailure(op, "not x * sigmoid(x)");
  }
};

/// max(x, 0)
struct RecogniseRelu : OpRewritePattern<MaxOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MaxOp op,
                                PatternRewriter &rewriter) const override {
    Value x = matchWithNumber<MaxOp>(op, 0.0);
    if (!x)
      return rewriter.notifyMatchFailure(op, "not with 0");
    rewriter.replaceOpWithNewOp<ReluOp>(op, op.getType(), x);
    return success();
  }
};

/// x/2 * (1 + erf(x / sqrt(2))), x/2 * (1 + tanh(sqrt(2/pi) * (x + 0.044715
/// x^3)))
struct RecogniseGelu : OpRewritePattern<MulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MulOp op,
                                PatternRewriter &rewriter) const override {
    Product product = getProduct(op);
    Type type = getElementTypeOrSelf(op.getType());
    if (product.factors.size() != 2 || !isClose(product.coefficient, 0.5, type))
      return rewriter.notifyMatchFailure(op, "not half of two factors");
    for (unsigned i = 0; i < 2; ++i) {
      Value x = product.factors[i];
      Value inner = matchWithNumber<AddOp>(product.factors[1 - i], 1.0);
      std::optional<GeluKind> kind;
      if (Value argument = matchUnary<ErfOp>(inner))
        kind = isErfArgument(argument, x) ? std::optional(GeluKind::Erf)
                                          : std::nullopt;
      else if (Value argument = matchUnary<TanhOp>(inner))
        kind = isTanhArgument(argument, x) ? std::optional(GeluKind::Tanh)
                                           : std::nullopt;
      if (!kind || x.getType() != op.getType())
        continue;
      rewriter.replaceOpWithNewOp<GeluOp>(op, op.getType(), *kind, x);
      return success();
    }
    return rewriter.notifyMatchFailure(op, "not of 1 + erf or 1 + tanh");
  }

private:
  static bool isErfArgument(Value value, Value x) {
    if (matchWithNumber<DivOp>(value, 1.4142135623730951, /*index=*/0) == x)
      return true;
    Product product = getProduct(value);
    return product.factors.size() == 1 && product.factors.front() == x &&
           isClose(product.coefficient, 0.70710678118654752,
                   getElementTypeOrSelf(x.getType()));
  }

  static bool isTanhArgument(Value value, Value x) {
    Type type = getElementTypeOrSelf(x.getType());
    Product product = getProduct(value);
    if (product.factors.size() != 1 ||
        !isClose(product.coefficient, 0.79788456080286536, type))
      return false;
    return matchWith<AddOp>(product.factors.front(), -1, [&](Value other) {
             Product cube = getProduct(other);
             return cube.factors.size() == 3 && llvm::all_equal(cube.factors) &&
                    cube.factors.front() == x &&
                    isClose(cube.coefficient, 0.044715, type);
           }) == x;
  }
};

/// A matmul forms its products in the result's element type: operands that are
/// widened from one element type are taken as they were.
struct FoldWideningCasts : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MatmulOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<Value> narrow;
    for (Value operand : op->getOperands()) {
      auto cast = operand.getDefiningOp<CastOp>();
      if (!cast || cast.isNarrowing() ||
          getElementTypeOrSelf(cast.getInput().getType()).isInteger(1))
        return rewriter.notifyMatchFailure(op, "an operand is not widened");
      narrow.push_back(cast.getInput());
    }
    if (getElementTypeOrSelf(narrow[0].getType()) !=
        getElementTypeOrSelf(narrow[1].getType()))
      return rewriter.notifyMatchFailure(op, "widened from different types");
    rewriter.modifyOpInPlace(op, [&] { op->setOperands(narrow); });
    return success();
  }
};

} // namespace

void prism::recogniseIdioms(ArrayRef<Operation *> ops, MLIRContext *context) {
  RewritePatternSet patterns(context);
  patterns.add<FoldWideningCasts, RecogniseGelu, RecogniseReciprocal,
               RecogniseRelu, RecogniseSigmoid, RecogniseSiluOfProduct,
               RecogniseSiluOfQuotient, RecogniseSquare>(context);
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  // Without convergence some idiom stays spelled out, which is right too.
  (void)applyOpPatternsGreedily(ops, std::move(patterns), config);
}
