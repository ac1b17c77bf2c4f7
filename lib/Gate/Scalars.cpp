//===- Scalars.cpp - Scalar forms on many numbers at once -----------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles the arith and math ops of scalar forms, and runs them.
//
//===----------------------------------------------------------------------===//

#include "Scalars.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace prism;
using namespace prism::gate;

namespace {
enum Kind : unsigned {
  Constant,
  Add,
  Sub,
  Mul,
  Div,
  Neg,
  Max,
  Min,
  Pow,
  Exp,
  Log,
  Sqrt,
  Rsqrt,
  Tanh,
  Erf,
  Compare,
  Select,
  Round
};
} // namespace

double prism::gate::getRoundingBound(Format format, double value) {
  if (value == 0 || format == Format::I1)
    return 0;
  return format == Format::F64 ? std::fabs(value) * 0x1p-53 + 0x1p-1022
                               : std::fabs(value) * 0x1p-24 + 0x1p-126;
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

static std::optional<Kind> getKind(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<Kind>>(op)
      .Case<arith::AddFOp>([](auto) { return Add; })
      .Case<arith::SubFOp>([](auto) { return Sub; })
      .Case<arith::MulFOp>([](auto) { return Mul; })
      .Case<arith::DivFOp>([](auto) { return Div; })
      .Case<arith::NegFOp>([](auto) { return Neg; })
      .Case<arith::MaximumFOp>([](auto) { return Max; })
      .Case<arith::MinimumFOp>([](auto) { return Min; })
      .Case<math::PowFOp>([](auto) { return Pow; })
      .Case<math::ExpOp>([](auto) { return Exp; })
      .Case<math::LogOp>([](auto) { return Log; })
      .Case<math::SqrtOp>([](auto) { return Sqrt; })
      .Case<math::RsqrtOp>([](auto) { return Rsqrt; })
      .Case<math::TanhOp>([](auto) { return Tanh; })
      .Case<math::ErfOp>([](auto) { return Erf; })
      .Case<arith::CmpFOp>([](auto) { return Compare; })
      .Case<arith::SelectOp>([](auto) { return Select; })
      .Case<arith::ConstantOp>([](auto) { return Constant; })
      .Case<arith::TruncFOp>([](auto) { return Round; })
      .Default([](Operation *) { return std::nullopt; });
}

static double getConstant(arith::ConstantOp op) {
  if (auto number = dyn_cast<FloatAttr>(op.getValue()))
    return number.getValueAsDouble();
  return cast<IntegerAttr>(op.getValue()).getValue().getZExtValue();
}

std::optional<ScalarCode> ScalarCode::compile(ComputeOpInterface op,
                                              Evaluation precision) {
  Block block;
  Location loc = op->getLoc();
  for (Value operand : op->getOperands())
    block.addArgument(prism::getElementType(operand.getType()), loc);
  OpBuilder builder(op->getContext());
  builder.setInsertionPointToEnd(&block);
  Type resultType = prism::getElementType(op->getResult(0).getType());
  Value value = op.buildScalar(builder, loc, block.getArguments(), resultType);
  std::optional<Format> format = getFormat(resultType);
  if (!value || !format)
    return std::nullopt;
  ScalarCode code;
  code.precision = precision;
  code.resultFormat = *format;
  code.numOperands = block.getNumArguments();
  llvm::DenseMap<Value, unsigned> numbers;
  for (BlockArgument argument : block.getArguments())
    numbers[argument] = argument.getArgNumber();
  for (Operation &scalar : block) {
    // What widens changes no number, and exact numbers are not narrowed.
    if (isa<arith::ExtFOp, arith::UIToFPOp>(scalar) ||
        (isa<arith::TruncFOp>(scalar) && precision == Evaluation::Exact)) {
      numbers[scalar.getResult(0)] = numbers.lookup(scalar.getOperand(0));
      continue;
    }
    std::optional<Kind> kind = getKind(&scalar);
    std::optional<Format> own = getFormat(scalar.getResult(0).getType());
    if (!kind || !own)
      return std::nullopt;
    Instruction instruction = {*kind, {}, 0, {}, *own};
    for (auto [index, operand] : llvm::enumerate(scalar.getOperands()))
      instruction.operands[index] = numbers.lookup(operand);
    if (auto constant = dyn_cast<arith::ConstantOp>(scalar))
      instruction.constant = getConstant(constant);
    if (auto compare = dyn_cast<arith::CmpFOp>(scalar))
      instruction.predicate = compare.getPredicate();
    numbers[scalar.getResult(0)] = code.numOperands + code.instructions.size();
    code.instructions.push_back(instruction);
  }
  code.result = numbers.lookup(value);
  code.storage.resize(code.instructions.size());
  code.registers.resize(code.numOperands + code.instructions.size());
  code.product = code.numOperands == 2 && code.instructions.size() == 1 &&
                 code.result == 2 && code.instructions[0].kind == Mul &&
                 code.instructions[0].operands[0] == 0 &&
                 code.instructions[0].operands[1] == 1;
  return code;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// NaN if either is, as arith.maximumf.
static double maximum(double a, double b) {
  return a > b || std::isnan(a) ? a : b;
}
static double minimum(double a, double b) {
  return a < b || std::isnan(a) ? a : b;
}

static bool compare(arith::CmpFPredicate predicate, double a, double b) {
  switch (predicate) {
  case arith::CmpFPredicate::OLT:
    return a < b;
  case arith::CmpFPredicate::OLE:
    return a <= b;
  case arith::CmpFPredicate::OGT:
    return a > b;
  case arith::CmpFPredicate::OGE:
    return a >= b;
  case arith::CmpFPredicate::OEQ:
    return a == b;
  default: // what else a prism.compare is: une
    return a != b;
  }
}

/// out = f(a, b), lane by lane.
template <typename Fn>
static void map(unsigned count, const Lanes &a, const Lanes &b, Lanes &out,
                Fn f) {
  for (unsigned i = 0; i < count; ++i)
    out.values[i] = f(a.values[i], b.values[i]);
}

void ScalarCode::execute(const Instruction &instruction, unsigned count,
                         Lanes &out) {
  const unsigned *operands = instruction.operands;
  const Lanes &a = get(operands[0]), &b = get(operands[1]);
  switch (instruction.kind) {
  case Constant:
    std::fill_n(out.values, count, instruction.constant);
    break;
  case Add:
    map(count, a, b, out, [](double a, double b) { return a + b; });
    break;
  case Sub:
    map(count, a, b, out, [](double a, double b) { return a - b; });
    break;
  case Mul:
    map(count, a, b, out, [](double a, double b) { return a * b; });
    break;
  case Div:
    map(count, a, b, out, [](double a, double b) { return a / b; });
    break;
  case Neg:
    map(count, a, a, out, [](double a, double) { return -a; });
    break;
  case Max:
    map(count, a, b, out, maximum);
    break;
  case Min:
    map(count, a, b, out, minimum);
    break;
  case Pow:
    map(count, a, b, out, [](double a, double b) { return std::pow(a, b); });
    break;
  case Exp:
    map(count, a, a, out, [](double a, double) { return std::exp(a); });
    break;
  case Log:
    map(count, a, a, out, [](double a, double) { return std::log(a); });
    break;
  case Sqrt:
    map(count, a, a, out, [](double a, double) { return std::sqrt(a); });
    break;
  case Rsqrt:
    map(count, a, a, out, [](double a, double) { return 1 / std::sqrt(a); });
    break;
  case Tanh:
    map(count, a, a, out, [](double a, double) { return std::tanh(a); });
    break;
  case Erf:
    map(count, a, a, out, [](double a, double) { return std::erf(a); });
    break;
  case Compare:
    map(count, a, b, out, [&](double a, double b) {
      return double(compare(instruction.predicate, a, b));
    });
    break;
  case Select: {
    const Lanes &c = get(operands[2]);
    for (unsigned i = 0; i < count; ++i)
      out.values[i] = a.values[i] != 0 ? b.values[i] : c.values[i];
    break;
  }
  case Round:
    map(count, a, a, out, [](double a, double) { return a; });
    break;
  }
}

/// Bound of one lane of the result, whose value is known; its operands' bounds
/// propagate to first order, and the result is rounded once, or several times
/// where a function is computed from several operations.
void ScalarCode::boundResult(const Instruction &instruction, unsigned lane,
                             Lanes &out) {
  const unsigned *operands = instruction.operands;
  auto value = [&](unsigned i) { return get(operands[i]).values[lane]; };
  auto bound = [&](unsigned i) { return get(operands[i]).bounds[lane]; };
  double y = out.values[lane];
  double rounding = getRoundingBound(instruction.format, y);
  double e = 0;
  bool isVague = false; // the result may be anything
  unsigned numOperands = 1;
  switch (instruction.kind) {
  case Constant:
    out.bounds[lane] = 0;
    return;
  case Add:
  case Sub:
    numOperands = 2;
    e = bound(0) + bound(1) + rounding;
    break;
  case Mul:
    numOperands = 2;
    e = std::fabs(value(0)) * bound(1) + std::fabs(value(1)) * bound(0) +
        bound(0) * bound(1) + rounding;
    break;
  case Div:
    numOperands = 2;
    isVague =
        std::fabs(value(1)) <= bound(1) && (value(1) != 0 || bound(1) > 0);
    isVague |= value(1) == 0 && bound(0) > 0;
    if (!isVague && value(1) != 0)
      e = (bound(0) + std::fabs(y) * bound(1)) /
              (std::fabs(value(1)) - bound(1)) +
          rounding;
    break;
  case Neg:
  case Round:
    e = bound(0);
    break;
  case Max:
  case Min:
    numOperands = 2;
    e = std::max(bound(0), bound(1));
    break;
  case Pow:
    numOperands = 2;
    isVague = std::fabs(value(0)) <= bound(0) && bound(0) > 0;
    if (!isVague && value(0) != 0) {
      double power = std::fabs(value(1)) * bound(0) / std::fabs(value(0)) +
                     std::fabs(std::log(std::fabs(value(0)))) * bound(1);
      double exponent = std::fabs(value(1) * std::log(std::fabs(value(0))));
      e = std::fabs(y) * std::expm1(std::min(power, 700.0)) +
          rounding * (8 + 8 * exponent);
    }
    break;
  case Exp:
    if (std::isfinite(value(0)))
      e = y * std::expm1(std::min(bound(0), 700.0)) +
          (rounding + (y == 0 ? 0x1p-126 : 0)) * (2 + std::fabs(value(0)));
    break;
  case Log:
    isVague = value(0) <= bound(0) && bound(0) > 0;
    // Near 1 an absolute error of the function's approximation is left.
    if (!isVague && value(0) > 0)
      e = bound(0) / (value(0) - bound(0)) + 4 * rounding + 0x1p-22;
    break;
  case Sqrt:
    isVague = value(0) < 0 && value(0) + bound(0) >= 0;
    if (value(0) >= 0)
      e = std::sqrt(value(0) + bound(0)) -
          std::sqrt(std::max(0.0, value(0) - bound(0))) + rounding;
    break;
  case Rsqrt:
    isVague = value(0) <= bound(0) && bound(0) > 0;
    if (!isVague && value(0) > 0)
      e = 1 / std::sqrt(value(0) - bound(0)) - y + 2 * rounding;
    break;
  case Tanh:
    e = bound(0) + 8 * rounding + 0x1p-22 * std::fabs(y);
    break;
  case Erf:
    e = 1.13 * bound(0) + 8 * rounding + 0x1p-21 * std::fabs(y);
    break;
  case Compare: // 1 if it may come out either way
    e = std::fabs(value(0) - value(1)) <= bound(0) + bound(1) &&
        bound(0) + bound(1) > 0;
    out.bounds[lane] = e;
    return;
  case Select:
    numOperands = 3;
    e = value(0) != 0 ? bound(1) : bound(2);
    if (bound(0) > 0)
      e = std::max(bound(1), bound(2)) + std::fabs(value(1) - value(2));
    if (std::isnan(e))
      e = HUGE_VAL;
    break;
  }
  for (unsigned i = 0; i < numOperands; ++i)
    isVague |=
        !(bound(i) <= 0x1.fffffffffffffp1023) && instruction.kind != Select;
  // Double precision overflows: no program's infinity, but one out of range.
  bool isFiniteInput = true;
  for (unsigned i = 0; i < numOperands; ++i)
    isFiniteInput &= std::isfinite(value(i));
  isVague |=
      !std::isfinite(y) && isFiniteInput &&
      llvm::is_contained({Add, Sub, Mul, Exp, Pow}, Kind(instruction.kind));
  if (!std::isfinite(y))
    e = instruction.kind == Select && std::isinf(e) ? e : 0;
  out.bounds[lane] = isVague || std::isnan(e) ? HUGE_VAL : e;
}

const Lanes &ScalarCode::run(ArrayRef<const Lanes *> operands, unsigned count) {
  std::copy(operands.begin(), operands.end(), registers.begin());
  for (auto [index, instruction] : llvm::enumerate(instructions)) {
    Lanes &out = storage[index];
    // Operands that an instruction does not have are register 0, which may be
    // missing where there are no operands at all.
    if (registers[0] == nullptr)
      registers[0] = &out;
    execute(instruction, count, out);
    if (precision == Evaluation::Declared) {
      if (instruction.format != Format::I1)
        for (unsigned i = 0; i < count; ++i)
          out.values[i] = roundTo(instruction.format, out.values[i]);
    } else {
      for (unsigned i = 0; i < count; ++i)
        boundResult(instruction, i, out);
    }
    registers[numOperands + index] = &out;
  }
  return get(result);
}
