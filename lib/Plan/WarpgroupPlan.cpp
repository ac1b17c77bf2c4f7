//===- WarpgroupPlan.cpp - Matrix products of four warps ------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Plan/WarpgroupPlan.h"

using namespace mlir;
using namespace prism;

/// The dim that all of the group's extent is of, if there is one.
static std::optional<unsigned> getOnlyDim(const MatmulPlan &matmul,
                                          ArrayRef<unsigned> dims) {
  std::optional<unsigned> found;
  for (unsigned dim : dims) {
    if (matmul.extents[dim] == 1 && dims.size() > 1)
      continue;
    if (found)
      return std::nullopt;
    found = dim;
  }
  return found;
}

/// Whether the extent is the same in all blocks and steps.
static bool isEven(const KernelPlan &plan, const DimExpr &extent) {
  bool isEven = !plan.isDynamic(extent);
  extent.walkSplits([&](const Split &split) {
    const ParallelDimPlan *dim = plan.lookupDim(split.dim);
    isEven &= dim && !dim->isRagged;
  });
  return isEven;
}

/// Whether the tile comes in the loop by other than bulk copies.
static bool isCopiedInLoop(const KernelPlan &plan, Value tile) {
  return llvm::any_of(plan.steps, [&](const PlanStep &step) {
    return step.kind == StepKind::Load && step.phase == StepPhase::InLoop &&
           step.getStoredTile() == tile && plan.lookupBuffer(tile)->box.empty();
  });
}

std::optional<WarpgroupOperand>
prism::getWarpgroupOperand(const KernelPlan &plan, const PlanStep &step,
                           bool isRows) {
  const MatmulPlan &matmul = step.matmul;
  unsigned operand = isRows == matmul.swapOperands ? 1 : 0;
  Value tile = step.op->getOperand(operand);
  const TileBuffer *buffer = plan.lookupBuffer(tile);
  if (!buffer || buffer->swizzle == 0 || isCopiedInLoop(plan, tile))
    return std::nullopt;
  auto compute = cast<ComputeOpInterface>(step.op);
  IterationStructure structure = compute.getIterationStructure();
  std::optional<unsigned> own =
      getOnlyDim(matmul, isRows ? matmul.rowDims : matmul.columnDims);
  std::optional<unsigned> depth = getOnlyDim(matmul, matmul.sumDims);
  if (!own || !depth || matmul.batch != 1)
    return std::nullopt;
  SmallVector<DimExpr> extents = getIterationExtents(
      structure, step.op->getOperandTypes(), step.op->getResult(0).getType());
  if (!isEven(plan, extents[*own]) || !isEven(plan, extents[*depth]))
    return std::nullopt;
  const auto &last = structure.operandMaps[operand].back();
  if (last.size() != 1 || (last.front() != *own && last.front() != *depth))
    return std::nullopt;
  bool isDepthMajor = last.front() == *depth;
  int64_t rows = 1;
  for (int64_t extent : ArrayRef<int64_t>(buffer->layout).drop_back())
    rows *= extent;
  // Nothing but these two dims, each as large as the product's.
  if (rows != matmul.extents[isDepthMajor ? *own : *depth] ||
      buffer->layout.back() != matmul.extents[last.front()] || rows % 8 != 0)
    return std::nullopt;
  int64_t panel = buffer->swizzle / getElementBytes(buffer->elementType);
  return WarpgroupOperand{buffer, rows, panel, isDepthMajor};
}

/// Whether a warpgroup's `columns` columns, from a multiple of them on, are
/// whole panels or lie in one.
static bool fitPanels(const WarpgroupOperand &operand, int64_t columns) {
  return operand.isDepthMajor || columns % operand.panel == 0 ||
         operand.panel % columns == 0;
}

/// Whether a warpgroup can have so many parts of rows and columns.
static bool canHave(const KernelPlan &plan, const PlanStep &step,
                    int64_t rowGroups, int64_t columnGroups) {
  const MatmulPlan &matmul = step.matmul;
  if (!matmul.useTensorCores || matmul.usesTF32 ||
      matmul.depth % warpgroupDepth != 0 ||
      matmul.rows % (warpgroupRows * rowGroups) != 0 ||
      matmul.columns % (warpgroupColumns * columnGroups) != 0)
    return false;
  int64_t columns = matmul.columns / columnGroups;
  if (columns > mostWarpgroupColumns)
    return false;
  auto rowOperand = getWarpgroupOperand(plan, step, /*isRows=*/true);
  auto columnOperand = getWarpgroupOperand(plan, step, /*isRows=*/false);
  return rowOperand && columnOperand && fitPanels(*columnOperand, columns);
}

static void swapOperands(MatmulPlan &matmul) {
  matmul.swapOperands = !matmul.swapOperands;
  std::swap(matmul.rowDims, matmul.columnDims);
  std::swap(matmul.rows, matmul.columns);
}

/// With the operands as they are.
static bool distribute(const KernelPlan &plan, PlanStep &step,
                       int64_t threads) {
  MatmulPlan &matmul = step.matmul;
  int64_t groups = threads / warpgroupThreads;
  if (threads % warpgroupThreads != 0)
    return false;
  // With more columns in one instruction, rows are read less often.
  for (int64_t rowGroups = groups; rowGroups > 0; rowGroups /= 2) {
    int64_t columnGroups = groups / rowGroups;
    if (rowGroups * columnGroups != groups ||
        !canHave(plan, step, rowGroups, columnGroups))
      continue;
    matmul.batchPasses = matmul.rowPasses = matmul.columnPasses = 1;
    matmul.warpsOverDepth = 1;
    matmul.warpsOverRows = rowGroups * (warpgroupThreads / Target::warpSize);
    matmul.warpsOverColumns = columnGroups;
    matmul.rowFragments = matmul.rows / warpgroupRows / rowGroups;
    matmul.columnFragments = matmul.columns / warpgroupColumns / columnGroups;
    matmul.accumulators = matmul.rowFragments * matmul.columnFragments * 4;
    return true;
  }
  return false;
}

bool prism::distributeOverWarpgroups(const KernelPlan &plan, PlanStep &step,
                                     int64_t threads) {
  if (distribute(plan, step, threads))
    return true;
  swapOperands(step.matmul);
  if (distribute(plan, step, threads))
    return true;
  swapOperands(step.matmul);
  return false;
}

bool prism::usesWarpgroups(const KernelPlan &plan, const PlanStep &step) {
  if (step.kind != StepKind::Matmul || !step.matmul.useTensorCores)
    return false;
  PlanStep other = step;
  if (!distributeOverWarpgroups(plan, other, plan.threads))
    return false;
  const MatmulPlan &a = step.matmul, &b = other.matmul;
  return a.warpsOverRows == b.warpsOverRows &&
         a.warpsOverColumns == b.warpsOverColumns &&
         a.swapOperands == b.swapOperands &&
         a.warpsOverDepth == b.warpsOverDepth &&
         a.rowFragments == b.rowFragments &&
         a.columnFragments == b.columnFragments && a.batchPasses == 1 &&
         a.rowPasses == 1 && a.columnPasses == 1;
}

bool prism::canDefer(const KernelPlan &plan, const PlanStep &step) {
  AccumulateOp accumulate = step.getAccumulator();
  if (!step.isCarried() || accumulate.getShift() || !usesWarpgroups(plan, step))
    return false;
  return llvm::all_of(step.op->getOperands(), [&](Value tile) {
    return llvm::any_of(plan.steps, [&](const PlanStep &load) {
      return load.kind == StepKind::Load && load.phase == StepPhase::InLoop &&
             load.getStoredTile() == tile && !plan.lookupRescale(tile);
    });
  });
}

bool prism::isDeferred(const KernelPlan &plan, const PlanStep &step) {
  return plan.stages >= deferringStages && canDefer(plan, step);
}

int64_t prism::getStepsAhead(const KernelPlan &plan) {
  bool isDraining = llvm::any_of(
      plan.steps, [&](const PlanStep &step) { return isDeferred(plan, step); });
  return plan.stages - 1 - isDraining;
}
