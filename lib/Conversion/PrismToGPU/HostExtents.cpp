//===- HostExtents.cpp - Dynamic extents where kernels are launched -------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostExtents.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace prism;
using namespace prism::detail;

bool HostExtents::canFind(ProgramOp program, std::string &whyNot) {
  for (auto symbol : program.getExtents().getAsRange<ExtentSymbolAttr>()) {
    if (symbol.getValue())
      continue;
    StringRef name = symbol.getName();
    bool isFound =
        llvm::any_of(program.getFunctionType().getInputs(), [&](Type type) {
          return llvm::any_of(
              prism::getExtents(type),
              [&](const DimExpr &extent) { return extent.asSymbol() == name; });
        });
    if (isFound)
      continue;
    whyNot = ("dynamic extent '" + name + "' is no argument's").str();
    return false;
  }
  return true;
}

Value HostExtents::constant(int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

Value HostExtents::multiply(Value x, Value y) {
  return b.createOrFold<arith::MulIOp>(loc, x, y);
}

bool HostExtents::isDynamic(const DimExpr &extent) {
  bool found = false;
  extent.walkSymbols([&](StringRef name) { found |= values.contains(name); });
  return found;
}

/// The kernels' i32 holds it.
void HostExtents::assertFits(Value value, StringRef what) {
  Value fits = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ule, value,
                                     constant(INT32_MAX));
  cf::AssertOp::create(b, loc, fits,
                       (what + " does not fit into 32 bits").str());
}

/// All positions in the tensor do; each product, so that none overflows.
void HostExtents::assertFits(Type tensor) {
  SmallVector<DimExpr> extents = prism::getExtents(tensor);
  if (llvm::none_of(extents,
                    [&](const DimExpr &extent) { return isDynamic(extent); }))
    return;
  Value product;
  for (const DimExpr &extent : extents) {
    product = product ? multiply(product, emit(extent)) : emit(extent);
    if (!product.getDefiningOp<arith::ConstantOp>())
      assertFits(product, "the size of a tensor");
  }
}

void HostExtents::bindArguments(ArrayRef<Value> buffers) {
  for (auto [buffer, type] :
       llvm::zip(buffers, program.getFunctionType().getInputs()))
    for (auto [dim, extent] : llvm::enumerate(prism::getExtents(type))) {
      ExtentSymbolAttr symbol = program.lookupExtent(extent.asSymbol());
      if (!symbol || symbol.getValue())
        continue;
      Value size = memref::DimOp::create(b, loc, buffer, dim);
      Value &value = values[symbol.getName()];
      if (value) {
        Value agree = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                            size, value);
        cf::AssertOp::create(
            b, loc, agree,
            ("extents '" + symbol.getName() + "' of the arguments differ")
                .str());
        continue;
      }
      value = size;
      if (mayBeZero(symbol.getName())) {
        mayBeZeros.push_back(size);
      } else {
        Value isPositive = arith::CmpIOp::create(
            b, loc, arith::CmpIPredicate::uge, size, constant(1));
        cf::AssertOp::create(
            b, loc, isPositive,
            ("extent '" + symbol.getName() + "' is zero").str());
      }
      assertFits(size, "an extent");
    }
  // What is multiplied below, and where.
  if (!mayBeZeros.empty())
    for (Type type : program.getFunctionType().getResults())
      assertFits(type);
}

/// Whether every result has no elements where `symbol` is zero.
bool HostExtents::mayBeZero(StringRef symbol) {
  auto vanishes = [&](const DimExpr &extent) {
    bool isFactor = true, hasTerm = false;
    extent.walkTerms([&](int64_t, ArrayRef<DimExpr> factors) {
      hasTerm = true;
      isFactor &= llvm::any_of(factors, [&](const DimExpr &factor) {
        return factor.asSymbol() == symbol;
      });
    });
    return hasTerm && isFactor;
  };
  return llvm::all_of(program.getFunctionType().getResults(), [&](Type type) {
    return llvm::any_of(prism::getExtents(type), vanishes);
  });
}

/// The product does not overflow where all are positive: each divides an
/// extent of a result, whose elements are few enough.
Value HostExtents::emitHasResults() {
  if (mayBeZeros.empty())
    return {};
  Value product;
  for (Value value : mayBeZeros)
    product = product ? multiply(product, value) : value;
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge, product,
                               constant(1));
}

Value HostExtents::emit(const DimExpr &extent) {
  Value sum;
  extent.walkTerms([&](int64_t coefficient, ArrayRef<DimExpr> factors) {
    // What is known is one number.
    Value product;
    for (const DimExpr &factor : factors) {
      StringRef name = factor.asSymbol();
      if (Value value = values.lookup(name))
        product = product ? multiply(product, value) : value;
      else if (auto count = counts.find(name); count != counts.end())
        coefficient *= count->second;
      else
        coefficient *= *program.lookupExtent(name).getValue();
    }
    if (!product)
      product = constant(coefficient);
    else if (coefficient != 1)
      product = multiply(product, constant(coefficient));
    sum = sum ? b.createOrFold<arith::AddIOp>(loc, sum, product) : product;
  });
  return sum ? sum : constant(0);
}

Value HostExtents::emitBlocks(KernelOp kernel, const KernelPlan &plan) {
  for (const ParallelDimPlan &dim : plan.dims) {
    std::string name = (kernel.getGraphName() + "." + dim.name).str();
    if (!dim.isDynamic) {
      counts[name] = dim.count;
      continue;
    }
    Value above =
        arith::AddIOp::create(b, loc, emit(dim.base), constant(dim.tile - 1));
    values[name] = arith::DivUIOp::create(b, loc, above, constant(dim.tile));
  }
  for (Type type : llvm::concat<const Type>(kernel->getOperandTypes(),
                                            kernel->getResultTypes()))
    assertFits(type);
  if (plan.runtimeCounts.empty())
    return constant(plan.blocks);
  Value blocks = constant(1);
  for (const ParallelDimPlan &dim : plan.dims) {
    if (dim.kind != ParallelKind::Grid)
      continue;
    Value count = values.lookup((kernel.getGraphName() + "." + dim.name).str());
    blocks = multiply(blocks, count ? count : constant(dim.count));
    if (!blocks.getDefiningOp<arith::ConstantOp>())
      assertFits(blocks, "the number of blocks");
  }
  return blocks;
}
