//===- MatmulPlan.cpp - Spreads matrix products over threads --------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatmulPlan.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace prism;

// mma.sync.m16n8k16: rows, columns and depth of one instruction.
static constexpr int64_t mmaRows = 16, mmaColumns = 8, mmaDepth = 16;

/// mma.sync takes two 16-bit operands of one type, or f32 as TF32, and sums in
/// f32.
static bool hasTensorCoreTypes(MatmulOp op) {
  Type lhs = prism::getElementType(op.getLhs().getType());
  Type rhs = prism::getElementType(op.getRhs().getType());
  Type result = prism::getElementType(op.getResult().getType());
  bool is16Bit = lhs.isF16() || lhs.isBF16();
  bool isTF32 = lhs.isF32() && ProgramOp::allowsTF32(op);
  return lhs == rhs && (is16Bit || isTF32) && result.isF32();
}

MatmulPlan prism::detail::groupMatmulDims(MatmulOp op,
                                          const IterationStructure &structure,
                                          ArrayRef<int64_t> extents) {
  MatmulPlan plan;
  plan.extents.assign(extents.begin(), extents.end());
  bool isContraction = true;
  for (unsigned dim = 0; dim < structure.dims.size(); ++dim) {
    bool inLhs = structure.carries(structure.operandMaps[0], dim);
    bool inRhs = structure.carries(structure.operandMaps[1], dim);
    if (structure.dims[dim] == IterationKind::Sum) {
      plan.sumDims.push_back(dim);
      plan.depth *= extents[dim];
      isContraction &= inLhs && inRhs;
    } else if (inLhs && inRhs) {
      plan.batchDims.push_back(dim);
      plan.batch *= extents[dim];
    } else if (inLhs) {
      plan.rowDims.push_back(dim);
      plan.rows *= extents[dim];
    } else {
      plan.columnDims.push_back(dim);
      plan.columns *= extents[dim];
    }
  }
  plan.useTensorCores = isContraction && hasTensorCoreTypes(op) &&
                        plan.depth >= mmaDepth &&
                        std::max(plan.rows, plan.columns) >= mmaColumns;
  plan.usesTF32 = plan.useTensorCores &&
                  prism::getElementType(op.getLhs().getType()).isF32();
  plan.swapOperands = plan.useTensorCores && plan.rows <= mmaColumns &&
                      plan.columns > plan.rows;
  if (plan.swapOperands) {
    std::swap(plan.rowDims, plan.columnDims);
    std::swap(plan.rows, plan.columns);
  }
  return plan;
}

/// Picks the split of the warps over rows, columns and the sum that needs the
/// fewest instructions per warp, then the fewest warps that share a sum, then
/// the fewest fragments loaded. A sum is shared only where there are more warps
/// than fragments.
static void distributeFragments(MatmulPlan &plan, int64_t warps) {
  int64_t rowFragments = llvm::divideCeil(plan.rows, mmaRows);
  int64_t columnFragments = llvm::divideCeil(plan.columns, mmaColumns);
  int64_t depths = llvm::divideCeil(plan.depth, mmaDepth);
  std::optional<std::array<int64_t, 3>> best;
  for (int64_t overDepth = 1; overDepth <= warps; overDepth *= 2)
    for (int64_t overRows = 1; overRows * overDepth <= warps; overRows *= 2) {
      int64_t overColumns = warps / overRows / overDepth;
      int64_t rows = llvm::divideCeil(rowFragments, overRows);
      int64_t columns = llvm::divideCeil(columnFragments, overColumns);
      if (overDepth > 1 && rows * columns > 1)
        continue;
      int64_t turns = llvm::divideCeil(depths, overDepth);
      std::array<int64_t, 3> cost = {rows * columns * turns, overDepth,
                                     rows + columns};
      if (best && *best <= cost)
        continue;
      best = cost;
      plan.warpsOverRows = overRows;
      plan.warpsOverColumns = overColumns;
      plan.warpsOverDepth = overDepth;
      plan.rowFragments = rows;
      plan.columnFragments = columns;
    }
  plan.accumulators = plan.batch * plan.rowFragments * plan.columnFragments * 4;
}

void prism::detail::distributeMatmul(MatmulPlan &plan, int64_t threads) {
  plan.batchPasses = plan.rowPasses = plan.columnPasses = 1;
  if (plan.useTensorCores)
    return distributeFragments(plan, threads / Target::warpSize);
  plan.accumulators =
      llvm::divideCeil(plan.batch * plan.rows * plan.columns, threads);
}

void prism::detail::splitIntoPasses(MatmulPlan &plan, int64_t limit) {
  if (!plan.useTensorCores) {
    plan.rowPasses = llvm::divideCeil(plan.accumulators, limit);
    plan.accumulators = llvm::divideCeil(plan.accumulators, plan.rowPasses);
    return;
  }
  // Sums of one pass are added up before the next takes their place: not so
  // where one pass is all there is.
  if (plan.accumulators > limit) {
    plan.warpsOverColumns *= plan.warpsOverDepth;
    plan.warpsOverDepth = 1;
  }
  auto halve = [](int64_t &fragments, int64_t &passes) {
    int64_t total = fragments * passes;
    fragments = llvm::divideCeil(fragments, 2);
    passes = llvm::divideCeil(total, fragments);
  };
  while (plan.accumulators > limit) {
    if (plan.batch > plan.batchPasses)
      plan.batchPasses = plan.batch;
    else if (plan.rowFragments >= plan.columnFragments)
      halve(plan.rowFragments, plan.rowPasses);
    else
      halve(plan.columnFragments, plan.columnPasses);
    plan.accumulators =
        plan.getBatchPerPass() * plan.rowFragments * plan.columnFragments * 4;
  }
}
