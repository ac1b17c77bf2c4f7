//===- KernelOutline.cpp - What all plans of a kernel share ---------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Plan/KernelOutline.h"
#include "Planner.h"
#include "StepOutliner.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace prism;
using namespace prism::detail;

KernelOutline::KernelOutline(KernelOp kernel) : kernel(kernel) {
  collectTypes();
  if (!collectDims() || !checkOps())
    return;
  StepOutliner(*this).run();
  // Partials of a masked block are weighed by whoever combines them.
  hasUndefinedSums =
      subtractsMaximum(kernel->getParentOfType<ProgramOp>()) &&
      llvm::none_of(kernel.getBodyBlock().getOps<SaveOp>(),
                    [](SaveOp save) { return !save.getPartials().empty(); });
}

void KernelOutline::collectTypes() {
  llvm::SetVector<Type> all;
  auto visit = [&](const DimExpr &extent) {
    extent.walkSymbols([&](StringRef name) {
      StringRef own = name;
      bool isOwn = own.consume_front(kernel.getGraphName()) &&
                   own.consume_front(".") && kernel.lookupParallelDim(own);
      if (!isOwn && !llvm::is_contained(symbols, name))
        symbols.push_back(name.str());
    });
  };
  Block &body = kernel.getBodyBlock();
  auto add = [&](Type type) {
    if (!all.insert(type))
      return;
    for (const DimExpr &extent : prism::getExtents(type))
      visit(extent);
  };
  for (Type type : body.getArgumentTypes())
    add(type);
  for (Operation &op : body.without_terminator()) {
    for (Type type : op.getResultTypes())
      add(type);
    if (auto constant = dyn_cast<ConstantOp>(op))
      if (auto extent = dyn_cast<DimExprAttr>(constant.getValue()))
        visit(extent.getValue());
  }
  types = all.takeVector();
}

/// The extent that `name` splits: the whole dim, or the grid tile of it.
bool KernelOutline::findSplitExtent(StringRef name, DimExpr &base) {
  bool found = false;
  for (Operation &op : kernel.getBodyBlock()) {
    auto map = op.getAttrOfType<MapAttr>("map");
    if (!map)
      continue;
    SmallVector<DimExpr> extents =
        prism::getExtents(isa<LoadOp>(op) ? op.getOperand(0).getType()
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

bool KernelOutline::collectDims() {
  for (ParallelKind kind : {ParallelKind::Grid, ParallelKind::Loop})
    for (ParallelDimAttr dim : kernel.getParallelDims()) {
      if (dim.getKind() != kind)
        continue;
      DimExpr base;
      if (!findSplitExtent(dim.getName(), base))
        return false;
      dims.push_back({dim.getName().str(), kind, base});
    }
  return true;
}

bool KernelOutline::checkOps() {
  for (Operation &op : kernel.getBodyBlock().without_terminator()) {
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
