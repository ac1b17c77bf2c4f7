//===- ExtentValues.cpp - Extents as index values -------------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExtentValues.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace prism;

void ExtentValues::equate(const DimExpr &extent, OpFoldResult value) {
  if (extent.isUnknown() || extent.asConstant())
    return;
  StringRef symbol = extent.asSymbol();
  if (symbol.empty()) {
    equations.push_back({extent, value});
    return;
  }
  OpFoldResult &known = symbols[symbol];
  if (!known || (isa<Value>(known) && isa<Attribute>(value)))
    known = value;
}

void ExtentValues::equateDims(ArrayRef<DimExpr> extents, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  for (auto [dim, extent] : llvm::enumerate(extents)) {
    if (!type.isDynamicDim(dim))
      equate(extent, constant(type.getDimSize(dim)));
    else if (!extent.isUnknown() && !extent.asConstant())
      equate(extent,
             builder.createOrFold<tensor::DimOp>(loc, tensor, int64_t(dim)));
  }
}

std::optional<OpFoldResult> ExtentValues::evaluate(const DimExpr &extent) {
  solve();
  std::optional<OpFoldResult> sum;
  bool isDetermined = !extent.isUnknown();
  extent.walkTerms([&](int64_t coefficient, ArrayRef<DimExpr> factors) {
    std::optional<OpFoldResult> term = evaluateTerm(coefficient, factors);
    isDetermined &= term.has_value();
    if (isDetermined)
      sum = sum ? add(*sum, *term) : *term;
  });
  if (!isDetermined)
    return std::nullopt;
  return sum ? *sum : constant(0);
}

std::optional<SmallVector<OpFoldResult>>
ExtentValues::evaluate(ArrayRef<DimExpr> extents, DimExpr &missing) {
  SmallVector<OpFoldResult> values;
  for (const DimExpr &extent : extents) {
    std::optional<OpFoldResult> value = evaluate(extent);
    if (!value) {
      missing = extent;
      return std::nullopt;
    }
    values.push_back(*value);
  }
  return values;
}

/// Quotients have no value outside of a kernel.
std::optional<OpFoldResult>
ExtentValues::evaluateTerm(int64_t coefficient, ArrayRef<DimExpr> factors) {
  OpFoldResult product = constant(coefficient);
  for (const DimExpr &factor : factors) {
    auto it = symbols.find(factor.asSymbol());
    if (it == symbols.end())
      return std::nullopt;
    product = multiply(product, it->second);
  }
  return product;
}

void ExtentValues::solve() {
  bool isChanged = true;
  while (isChanged) {
    isChanged = false;
    SmallVector<Equation> open = std::move(equations);
    equations.clear();
    for (const Equation &equation : open)
      if (solve(equation))
        isChanged = true;
      else
        equations.push_back(equation);
  }
}

/// Solves for the one open symbol, where it stands in one term, once.
bool ExtentValues::solve(const Equation &equation) {
  StringRef open;
  unsigned openCount = 0;
  equation.extent.walkSymbols([&](StringRef name) {
    if (symbols.contains(name))
      return;
    open = name;
    ++openCount;
  });
  if (openCount == 0)
    return true;
  if (openCount > 1)
    return false;
  OpFoldResult remainder = equation.value, divisor;
  equation.extent.walkTerms([&](int64_t coefficient, ArrayRef<DimExpr> all) {
    SmallVector<DimExpr> factors(all);
    llvm::erase_if(factors,
                   [&](const DimExpr &f) { return f.asSymbol() == open; });
    std::optional<OpFoldResult> term = evaluateTerm(coefficient, factors);
    if (!term)
      return; // a quotient: never solved
    if (factors.size() != all.size())
      divisor = *term;
    else
      remainder = subtract(remainder, *term);
  });
  if (!divisor)
    return true;
  symbols[open] = divide(remainder, divisor);
  return true;
}

OpFoldResult ExtentValues::constant(int64_t value) {
  return builder.getIndexAttr(value);
}

OpFoldResult ExtentValues::add(OpFoldResult a, OpFoldResult b) {
  std::optional<int64_t> x = getConstantIntValue(a), y = getConstantIntValue(b);
  if (x && y)
    return constant(*x + *y);
  return builder.createOrFold<arith::AddIOp>(
      loc, getValueOrCreateConstantIndexOp(builder, loc, a),
      getValueOrCreateConstantIndexOp(builder, loc, b));
}

OpFoldResult ExtentValues::subtract(OpFoldResult a, OpFoldResult b) {
  std::optional<int64_t> x = getConstantIntValue(a), y = getConstantIntValue(b);
  if (x && y)
    return constant(*x - *y);
  return builder.createOrFold<arith::SubIOp>(
      loc, getValueOrCreateConstantIndexOp(builder, loc, a),
      getValueOrCreateConstantIndexOp(builder, loc, b));
}

OpFoldResult ExtentValues::multiply(OpFoldResult a, OpFoldResult b) {
  std::optional<int64_t> x = getConstantIntValue(a), y = getConstantIntValue(b);
  if (x && y)
    return constant(*x * *y);
  if (x == 1)
    return b;
  if (y == 1)
    return a;
  return builder.createOrFold<arith::MulIOp>(
      loc, getValueOrCreateConstantIndexOp(builder, loc, a),
      getValueOrCreateConstantIndexOp(builder, loc, b));
}

OpFoldResult ExtentValues::divide(OpFoldResult a, OpFoldResult b) {
  std::optional<int64_t> x = getConstantIntValue(a), y = getConstantIntValue(b);
  if (x && y && *y != 0)
    return constant(*x / *y);
  if (y == 1)
    return a;
  return builder.createOrFold<arith::DivSIOp>(
      loc, getValueOrCreateConstantIndexOp(builder, loc, a),
      getValueOrCreateConstantIndexOp(builder, loc, b));
}
