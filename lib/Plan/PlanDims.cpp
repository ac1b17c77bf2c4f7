//===- PlanDims.cpp - Parallel dims, extents, and the steps' sizes --------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatmulPlan.h"
#include "Planner.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace prism;
using namespace prism::detail;

//===----------------------------------------------------------------------===//
// Parallel dims
//===----------------------------------------------------------------------===//

bool Planner::planDim(const KernelOutline::Dim &outlined) {
  ParallelDimPlan dim;
  dim.name = outlined.name;
  dim.kind = outlined.kind;
  dim.base = outlined.base;
  std::optional<int64_t> tile = sizes.tileExtent(dim.name);
  std::optional<int64_t> extent = evaluate(dim.base);
  if (!tile || *tile <= 0)
    return fail("'" + dim.name + "' has no tile extent");
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

void Planner::collectRuntimeSymbols() {
  if (!sizes.isDynamic)
    return;
  for (const std::string &name : outline.symbols)
    if (sizes.isDynamic(name))
      plan.runtimeSymbols.push_back(name);
}

bool Planner::planDims() {
  return llvm::all_of(outline.dims, [&](const KernelOutline::Dim &dim) {
    return planDim(dim);
  });
}

//===----------------------------------------------------------------------===//
// Extents
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

bool Planner::checkExtents() {
  return llvm::all_of(outline.types,
                      [&](Type type) { return checkExtents(type); });
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

void Planner::planSteps() {
  plan.steps = outline.steps;
  for (PlanStep &step : plan.steps) {
    if (step.kind == StepKind::Matmul) {
      const KernelOutline::Product &product = outline.products.at(step.op);
      step.matmul = groupMatmulDims(cast<MatmulOp>(step.op), product.structure,
                                    evaluateAll(product.extents));
    } else if (step.kind == StepKind::Reduce) {
      step.reduce.outputs = countElements(step.op->getResult(0).getType());
      step.reduce.reduced =
          countElements(step.op->getOperand(0).getType()) / step.reduce.outputs;
    }
  }
}
