//===- Planner.h - Plans one kernel -----------------------------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The stages of planKernel: parallel dims, extents and the sizes of the
// outline's steps (PlanDims.cpp), shared memory (PlanBuffers.cpp), threads
// (PlanThreads.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_PLAN_PLANNER_H
#define PRISM_LIB_PLAN_PLANNER_H

#include "Prism/Plan/KernelOutline.h"

namespace prism::detail {

/// Whether `op` only says where its operands' elements go.
inline bool isIndexing(mlir::Operation *op) {
  return mlir::isa<SliceOp, ConcatOp, ReshapeOp>(op);
}

/// Plans one kernel; each stage is false, with the reason, where it cannot.
class Planner {
public:
  Planner(const KernelOutline &outline, const KernelSizes &sizes,
          const Target &target, std::string &whyNot)
      : outline(outline), kernel(outline.kernel), sizes(sizes),
        schedule(sizes.schedule.value_or(getSchedule(kernel))), target(target),
        whyNot(whyNot) {}

  std::optional<KernelPlan> run() {
    if (!outline.whyNot.empty()) {
      fail(outline.whyNot);
      return std::nullopt;
    }
    collectRuntimeSymbols();
    if (!planDims() || !checkExtents())
      return std::nullopt;
    planSteps();
    planBuffers();
    if (planThreads() && planSharedMemory())
      return std::move(plan);
    return std::nullopt;
  }

private:
  bool fail(const llvm::Twine &reason) {
    whyNot = reason.str();
    return false;
  }

  void collectRuntimeSymbols();
  bool planDims();
  bool planDim(const KernelOutline::Dim &dim);
  bool checkExtents();
  bool checkExtents(mlir::Type type);
  unsigned countRaggedFactors(const DimExpr &extent);
  bool hasOpenDynamic(const DimExpr &extent);
  void planSteps();
  void planBuffers();
  bool planThreads();
  void distributeOverThreads();
  bool planSharedMemory();

  mlir::Block &getBody() { return kernel.getBodyBlock(); }
  /// Of equal extents most are one expression, asked for again and again.
  std::optional<int64_t> evaluate(const DimExpr &extent) {
    std::optional<int64_t> &value = values[extent.str().data()];
    if (!value)
      value = evaluateExtent(kernel, plan, sizes, extent);
    return value;
  }
  llvm::SmallVector<int64_t> evaluateAll(llvm::ArrayRef<DimExpr> extents) {
    return llvm::map_to_vector(
        extents, [&](const DimExpr &extent) { return *evaluate(extent); });
  }
  int64_t countElements(mlir::Type type) {
    int64_t count = 1;
    for (const DimExpr &extent : prism::getExtents(type))
      count *= *evaluate(extent);
    return count;
  }

  bool feedsTensorCores(mlir::Value tile);
  void addBuffer(mlir::Value tile);
  void planTensorMap(TileBuffer &buffer);
  void addRescale(mlir::Value shift);
  void addWarpSums(const PlanStep &step);
  int64_t placeBuffers(int64_t stages);

  const KernelOutline &outline;
  KernelOp kernel;
  const KernelSizes &sizes;
  const Schedule schedule;
  const Target &target;
  std::string &whyNot;
  KernelPlan plan;
  /// What is known of extents, by the addresses of their texts: types and the
  /// outline keep those.
  llvm::DenseMap<const char *, std::optional<int64_t>> values;
};

} // namespace prism::detail

#endif // PRISM_LIB_PLAN_PLANNER_H
