//===- PlanDims.cpp - Parallel dims, and what can be lowered --------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Planner.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace prism;
using namespace prism::detail;

//===----------------------------------------------------------------------===//
// Parallel dims
//===----------------------------------------------------------------------===//

/// The extent that `name` splits: the whole dim, or the grid tile of it.
bool Planner::findSplitExtent(StringRef name, DimExpr &base) {
  bool found = false;
  for (Operation &op : getBody()) {
    auto map = op.getAttrOfType<MapAttr>("map");
    if (!map)
      continue;
    SmallVector<DimExpr> extents =
        getExtents(isa<LoadOp>(op) ? op.getOperand(0).getType()
                                   : op.getResult(0).getType());
    unsigned leading = extents.size() - map.getValue().size();
    for (auto [dim, splits] : llvm::enumerate(map.getValue())) {
      DimExpr extent = extents[leading + dim];
      for (const Split &split : splits) {
        if (split.dim == name) {
          if (found && base != extent)
            return fail("'" + name + "' splits " + base.str() + " and " +
                        extent.str());
          found = true;
          base = extent;
        }
        extent = DimExpr::quotient(extent, split);
      }
    }
  }
  return found || fail("'" + name + "' splits nothing, so it has no size");
}

bool Planner::planDim(ParallelDimAttr attr) {
  ParallelDimPlan dim;
  dim.name = attr.getName().str();
  dim.kind = attr.getKind();
  if (!findSplitExtent(attr.getName(), dim.base))
    return false;
  std::optional<int64_t> tile = sizes.tileExtent(attr.getName());
  std::optional<int64_t> extent = evaluate(dim.base);
  if (!tile || *tile <= 0)
    return fail("'" + attr.getName() + "' has no tile extent");
  if (!extent)
    return fail("extent " + dim.base.str() + " is dynamic");
  if (*extent <= 0)
    return fail("extent " + dim.base.str() + " is " + Twine(*extent));
  dim.isDynamic = !dim.base.isQuotient() && plan.isDynamic(dim.base);
  dim.tile = dim.isDynamic ? *tile : std::min(*tile, *extent);
  dim.extent = *extent;
  dim.count = llvm::divideCeil(*extent, *tile);
  dim.isRagged = dim.isDynamic || *extent % dim.tile != 0;
  if (dim.base.isQuotient())
    dim.isRagged |= plan.lookupDim(dim.base.quotientSplit().dim)->isRagged;
  if (dim.kind == ParallelKind::Grid) {
    if (dim.count > Target::maxGridBlocks / plan.blocks)
      return fail("the grid has more than " + Twine(Target::maxGridBlocks) +
                  " blocks");
    plan.blocks *= dim.count;
  }
  if (dim.isDynamic)
    plan.runtimeCounts.push_back(
        (kernel.getGraphName() + "." + dim.name).str());
  plan.dims.push_back(std::move(dim));
  return true;
}

/// In the order of the kernel's text.
void Planner::collectRuntimeSymbols() {
  if (!sizes.isDynamic)
    return;
  auto visit = [&](const DimExpr &extent) {
    extent.walkSymbols([&](StringRef name) {
      StringRef own = name;
      bool isOwn = own.consume_front(kernel.getGraphName()) &&
                   own.consume_front(".") && kernel.lookupParallelDim(own);
      if (!isOwn && sizes.isDynamic(name) &&
          !llvm::is_contained(plan.runtimeSymbols, name))
        plan.runtimeSymbols.push_back(name.str());
    });
  };
  for (Operation &op : getBody().without_terminator()) {
    for (Type type :
         llvm::concat<const Type>(op.getOperandTypes(), op.getResultTypes()))
      for (const DimExpr &extent : prism::getExtents(type))
        visit(extent);
    if (auto constant = dyn_cast<ConstantOp>(op))
      if (auto extent = dyn_cast<DimExprAttr>(constant.getValue()))
        visit(extent.getValue());
  }
}

bool Planner::planDims() {
  // The loop last: it may split a grid tile.
  for (ParallelKind kind : {ParallelKind::Grid, ParallelKind::Loop})
    for (ParallelDimAttr dim : kernel.getParallelDims())
      if (dim.getKind() == kind && !planDim(dim))
        return false;
  return true;
}

//===----------------------------------------------------------------------===//
// What can be lowered
//===----------------------------------------------------------------------===//

/// The quotients in `extent` that may be smaller in some blocks or steps; more
/// than one stands for a sum of several terms, too. A reshape merges a split
/// dim only as the outermost factor, so that with one the valid part of the
/// merged dim is what lies before its end.
unsigned Planner::countRaggedFactors(const DimExpr &extent) {
  unsigned ragged = 0, terms = 0;
  extent.walkTerms([&](int64_t, ArrayRef<DimExpr> factors) {
    ++terms;
    for (const DimExpr &factor : factors) {
      bool isRagged = false;
      factor.walkSplits([&](const Split &split) {
        const ParallelDimPlan *dim = plan.lookupDim(split.dim);
        isRagged |= !dim || dim->isRagged;
      });
      ragged += isRagged;
    }
  });
  return ragged != 0 && terms > 1 ? 2 : ragged;
}

/// Whether nothing bounds a part of `extent`: a dynamic symbol outside of
/// quotients.
bool Planner::hasOpenDynamic(const DimExpr &extent) {
  if (plan.runtimeSymbols.empty())
    return false;
  bool isOpen = false;
  extent.walkTerms([&](int64_t, ArrayRef<DimExpr> factors) {
    for (const DimExpr &factor : factors)
      isOpen |= !factor.isQuotient() && plan.isDynamic(factor);
  });
  return isOpen;
}

/// Each extent has a value, and a ragged one is a tile of a single dim.
bool Planner::checkExtents(Type type) {
  int64_t elements = 1;
  for (const DimExpr &extent : prism::getExtents(type)) {
    std::optional<int64_t> value = evaluate(extent);
    if (!value)
      return fail("extent " + extent.str() + " is dynamic");
    if (*value <= 0)
      return fail("extent " + extent.str() + " is " + Twine(*value));
    if (isa<TileType>(type) && hasOpenDynamic(extent))
      return fail("extent " + extent.str() +
                  " is dynamic, and no grid dim or loop splits it");
    elements *= *value;
    if (elements > INT32_MAX)
      return fail("a tensor has more than 2^31 - 1 elements");
    bool isOneFactor = extent.isQuotient() || !extent.asSymbol().empty();
    if (!isOneFactor && countRaggedFactors(extent) > 1)
      return fail("ragged extent " + extent.str() + " is no tile of one dim");
  }
  return true;
}

bool Planner::checkOps() {
  // Operands are results, or arguments.
  for (Type type : getBody().getArgumentTypes())
    if (!checkExtents(type))
      return false;
  for (Operation &op : getBody().without_terminator()) {
    for (Type type : op.getResultTypes())
      if (!checkExtents(type))
        return false;
    if (isa<AccumulateOp>(op))
      continue;
    bool isDouble = op.getNumResults() == 1 &&
                    prism::getElementType(op.getResult(0).getType()).isF64();
    auto gelu = dyn_cast<GeluOp>(op);
    bool usesErf = isa<ErfOp>(op) || (gelu && gelu.getKind() == GeluKind::Erf);
    if (usesErf && isDouble)
      return fail("'" + op.getName().getStringRef() +
                  "' on f64 has no form without a device library");
    auto compute = dyn_cast<ComputeOpInterface>(op);
    if (compute && !compute.hasScalarForm() && !isIndexing(&op))
      return fail("'" + op.getName().getStringRef() + "' is not lowered yet");
  }
  return true;
}
