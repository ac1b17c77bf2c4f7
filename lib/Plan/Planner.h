//===- Planner.h - Plans one kernel -----------------------------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The stages of planKernel: parallel dims and what can be lowered
// (PlanDims.cpp), steps (PlanSteps.cpp) and what follows them
// (PlanFollowers.cpp), shared memory (PlanBuffers.cpp), threads
// (PlanThreads.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_PLAN_PLANNER_H
#define PRISM_LIB_PLAN_PLANNER_H

#include "Prism/Plan/KernelPlan.h"

namespace prism::detail {

/// Whether `op` only says where its operands' elements go.
inline bool isIndexing(mlir::Operation *op) {
  return mlir::isa<SliceOp, ConcatOp, ReshapeOp>(op);
}

/// Whether an accumulator is rescaled by what `tile` has.
bool isShift(mlir::Value tile);

/// Plans one kernel; each stage is false, with the reason, where it cannot.
class Planner {
public:
  Planner(KernelOp kernel, const KernelSizes &sizes, const Target &target,
          std::string &whyNot)
      : kernel(kernel), sizes(sizes),
        schedule(sizes.schedule.value_or(getSchedule(kernel))), target(target),
        whyNot(whyNot) {}

  std::optional<KernelPlan> run() {
    collectRuntimeSymbols();
    if (planDims() && checkOps() && planSteps() && planBuffers() &&
        planThreads() && planSharedMemory())
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
  bool planDim(ParallelDimAttr dim);
  bool findSplitExtent(llvm::StringRef name, DimExpr &base);
  bool checkOps();
  bool checkExtents(mlir::Type type);
  unsigned countRaggedFactors(const DimExpr &extent);
  bool hasOpenDynamic(const DimExpr &extent);
  bool planSteps();
  bool planBuffers();
  bool planThreads();
  void distributeOverThreads();
  bool planSharedMemory();

  mlir::Block &getBody() { return kernel.getBodyBlock(); }
  std::optional<int64_t> evaluate(const DimExpr &extent) {
    return evaluateExtent(kernel, plan, sizes, extent);
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
  llvm::SmallVector<int64_t> getIterationSizes(mlir::Operation *op) {
    auto compute = mlir::cast<ComputeOpInterface>(op);
    return evaluateAll(getIterationExtents(compute.getIterationStructure(),
                                           op->getOperandTypes(),
                                           op->getResult(0).getType()));
  }

  StepPhase getPhase(mlir::Operation *op);
  mlir::Operation *findRoot(mlir::Operation *op);
  bool readsEachElementOnce(mlir::OpOperand &use);
  AccumulateOp getDirectAccumulator(mlir::Operation *op);
  void addStep(mlir::Operation *op);
  PlanStep *findLeader(mlir::Operation *op);
  void forEachRead(mlir::Operation *op, bool isOwnPoint,
                   llvm::function_ref<void(mlir::Operation *, bool)> visit);
  bool isReadFromMemory(const PlanStep &step, mlir::Value tile);
  bool feedsTensorCores(mlir::Value tile);
  void addBuffer(mlir::Value tile);
  void planTensorMap(TileBuffer &buffer);
  void addRescale(mlir::Value shift);
  void addWarpSums(const PlanStep &step);
  int64_t placeBuffers(int64_t stages);

  KernelOp kernel;
  const KernelSizes &sizes;
  const Schedule schedule;
  const Target &target;
  std::string &whyNot;
  KernelPlan plan;
  /// The step that computes an op: itself, or the one it is virtual in.
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> roots;
  llvm::DenseMap<mlir::Operation *, StepPhase> phases;
  /// The index of the step that computes the tile of an op, as its own, as an
  /// accumulator's or as a follower's.
  llvm::DenseMap<mlir::Operation *, unsigned> storedBy;
};

} // namespace prism::detail

#endif // PRISM_LIB_PLAN_PLANNER_H
