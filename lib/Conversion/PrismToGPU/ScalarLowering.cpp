//===- ScalarLowering.cpp - Kernel bodies to llvm and nvvm ----------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// exp and log by ex2.approx and lg2.approx, square roots by sqrt.rn and
// rsqrt.approx, tanh and erf by MLIR's rational approximations, pow by exp and
// log. All in f32: half-width numbers are widened before.
//
//===----------------------------------------------------------------------===//

#include "ScalarLowering.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include <limits>

using namespace mlir;

static Value callIntrinsic(OpBuilder &builder, Location loc, StringRef name,
                           Value x) {
  return LLVM::CallIntrinsicOp::create(builder, loc, x.getType(),
                                       builder.getStringAttr(name), x)
      .getResult(0);
}

static Value buildF32(OpBuilder &builder, Location loc, double value) {
  return arith::ConstantOp::create(
      builder, loc, builder.getF32FloatAttr(static_cast<float>(value)));
}

namespace {

/// e^x = 2^t with t = x log2(e). The rounding error of t, up to |t| 2^-24, is
/// found by an FMA and put back to first order: 2^(t + r) = 2^t (1 + r ln 2).
/// Where 2^t is 0 or infinite, and for infinite x, 2^t is the answer.
struct LowerExp : OpRewritePattern<math::ExpOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::ExpOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getType().isF32())
      return failure();
    Location loc = op.getLoc();
    Value x = op.getOperand();
    Value log2e = buildF32(rewriter, loc, 1.4426950408889634);
    Value t = arith::MulFOp::create(rewriter, loc, x, log2e);
    Value power = callIntrinsic(rewriter, loc, "llvm.nvvm.ex2.approx", t);
    Value negated = arith::NegFOp::create(rewriter, loc, t);
    Value rest = math::FmaOp::create(rewriter, loc, x, log2e, negated);
    Value scaled = arith::MulFOp::create(
        rewriter, loc, power, buildF32(rewriter, loc, 0.6931471805599453));
    Value corrected = math::FmaOp::create(rewriter, loc, scaled, rest, power);
    Value magnitude = math::AbsFOp::create(rewriter, loc, t);
    Value isNormal =
        arith::CmpFOp::create(rewriter, loc, arith::CmpFPredicate::OLT,
                              magnitude, buildF32(rewriter, loc, 126.0));
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, isNormal, corrected,
                                                 power);
    return success();
  }
};

/// log x = log2(x) ln 2; lg2.approx takes subnormal numbers as they are.
struct LowerLog : OpRewritePattern<math::LogOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::LogOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getType().isF32())
      return failure();
    Location loc = op.getLoc();
    Value log2 =
        callIntrinsic(rewriter, loc, "llvm.nvvm.lg2.approx.f", op.getOperand());
    rewriter.replaceOpWithNewOp<arith::MulFOp>(
        op, log2, buildF32(rewriter, loc, 0.6931471805599453));
    return success();
  }
};

struct LowerSqrt : OpRewritePattern<math::SqrtOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::SqrtOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getType().isF32() && !op.getType().isF64())
      return failure();
    StringRef name =
        op.getType().isF32() ? "llvm.nvvm.sqrt.rn.f" : "llvm.nvvm.sqrt.rn.d";
    rewriter.replaceOp(
        op, callIntrinsic(rewriter, op.getLoc(), name, op.getOperand()));
    return success();
  }
};

struct LowerRsqrt : OpRewritePattern<math::RsqrtOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::RsqrtOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getType().isF32())
      return failure();
    rewriter.replaceOp(op, callIntrinsic(rewriter, op.getLoc(),
                                         "llvm.nvvm.rsqrt.approx.f",
                                         op.getOperand()));
    return success();
  }
};

/// a^b = e^(b log |a|), signed: of a negative number there are only whole
/// powers. Any number to the power of 0 is 1, also 0, where b log |a| is none.
struct LowerPow : OpRewritePattern<math::PowFOp> {
  LowerPow(MLIRContext *context) : OpRewritePattern(context, /*benefit=*/2) {}
  LogicalResult matchAndRewrite(math::PowFOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType();
    if (!type.isF32() && !type.isF64())
      return failure();
    APFloat constant(0.0);
    if (matchPattern(op.getRhs(), m_ConstantFloat(&constant)) &&
        isProductOrRoot(constant))
      return failure(); // MLIR's expansion has them
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto number = [&](double value) -> Value {
      return arith::ConstantOp::create(b, b.getFloatAttr(type, value));
    };
    auto compare = [&](arith::CmpFPredicate predicate, Value x, Value y) {
      return arith::CmpFOp::create(b, predicate, x, y);
    };
    auto isWhole = [&](Value x) {
      return compare(arith::CmpFPredicate::OEQ, math::FloorOp::create(b, x), x);
    };
    Value base = op.getLhs(), exponent = op.getRhs(), zero = number(0);
    Value log = math::LogOp::create(b, math::AbsFOp::create(b, base));
    Value power =
        math::ExpOp::create(b, arith::MulFOp::create(b, exponent, log));
    Value isEven = isWhole(arith::MulFOp::create(b, exponent, number(0.5)));
    Value opposite = arith::NegFOp::create(b, power);
    Value ofNegative = arith::SelectOp::create(
        b, isWhole(exponent),
        arith::SelectOp::create(b, isEven, power, opposite),
        number(std::numeric_limits<double>::quiet_NaN()));
    Value isNegative = compare(arith::CmpFPredicate::OLT, base, zero);
    Value result = arith::SelectOp::create(b, isNegative, ofNegative, power);
    Value isZeroth = compare(arith::CmpFPredicate::OEQ, exponent, zero);
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, isZeroth, number(1),
                                                 result);
    return success();
  }

private:
  static bool isProductOrRoot(const APFloat &exponent) {
    double value = exponent.convertToDouble();
    return llvm::is_contained({-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 3.0},
                              value);
  }
};

} // namespace

/// The math ops that become single instructions.
static bool isInstruction(Operation *op) {
  return isa<math::FmaOp, math::AbsFOp, math::FloorOp, math::CeilOp,
             math::TruncOp, math::CopySignOp>(op);
}

static LogicalResult expandMath(gpu::GPUModuleOp module, std::string &whyNot) {
  RewritePatternSet patterns(module.getContext());
  populatePolynomialApproximateTanhPattern(patterns);
  populatePolynomialApproximateErfPattern(patterns);
  math::populateExpansionPatterns(patterns, {"powf"});
  prism::detail::populateDoubleMathPatterns(patterns);
  patterns.add<LowerExp, LowerLog, LowerPow, LowerSqrt, LowerRsqrt>(
      module.getContext());
  if (failed(applyPatternsGreedily(module, std::move(patterns)))) {
    whyNot = "its math ops could not be expanded";
    return failure();
  }
  WalkResult result = module.walk([&](Operation *op) {
    if (!isa_and_nonnull<math::MathDialect>(op->getDialect()) ||
        isInstruction(op))
      return WalkResult::advance();
    llvm::raw_string_ostream(whyNot)
        << "'" << op->getName() << "' on " << op->getResult(0).getType()
        << " has no form without a device library";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

static LogicalResult convertToLLVM(gpu::GPUModuleOp module) {
  MLIRContext *context = module.getContext();
  RewritePatternSet structured(context);
  populateSCFToControlFlowConversionPatterns(structured);
  ConversionTarget flat(*context);
  flat.addIllegalDialect<scf::SCFDialect>();
  flat.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  if (failed(applyPartialConversion(module, flat, std::move(structured))))
    return failure();

  LLVMTypeConverter converter(context);
  RewritePatternSet patterns(context);
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
  populateMathToLLVMConversionPatterns(converter, patterns);
  ConversionTarget target(*context);
  target
      .addLegalDialect<LLVM::LLVMDialect, NVVM::NVVMDialect, gpu::GPUDialect>();
  target.addIllegalDialect<arith::ArithDialect, cf::ControlFlowDialect,
                           math::MathDialect>();
  return applyPartialConversion(module, target, std::move(patterns));
}

LogicalResult prism::detail::lowerKernelBodies(gpu::GPUModuleOp module,
                                               std::string &whyNot) {
  if (failed(expandMath(module, whyNot)))
    return failure();
  IRRewriter rewriter(module.getContext());
  DominanceInfo dominance(module);
  eliminateCommonSubExpressions(rewriter, dominance, module);
  if (succeeded(convertToLLVM(module)))
    return success();
  whyNot = "its kernels could not be converted to llvm ops";
  return failure();
}
