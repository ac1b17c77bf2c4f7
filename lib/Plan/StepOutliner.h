//===- StepOutliner.h - Ops to steps ----------------------------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which ops of a kernel are steps, followers of one, or computed inside one,
// and in which phase (OutlineSteps.cpp, OutlineFollowers.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_PLAN_STEPOUTLINER_H
#define PRISM_LIB_PLAN_STEPOUTLINER_H

#include "Prism/Plan/KernelOutline.h"

namespace prism::detail {

/// Whether an accumulator is rescaled by what `tile` has.
bool isShift(mlir::Value tile);

class StepOutliner {
public:
  explicit StepOutliner(KernelOutline &outline)
      : outline(outline), phases(outline.phases) {}

  void run();

private:
  mlir::Block &getBody() { return outline.kernel.getBodyBlock(); }
  StepPhase getPhase(mlir::Operation *op);
  mlir::Operation *findRoot(mlir::Operation *op);
  bool readsEachElementOnce(mlir::OpOperand &use);
  AccumulateOp getDirectAccumulator(mlir::Operation *op);
  void addStep(mlir::Operation *op);
  PlanStep *findLeader(mlir::Operation *op);
  void forEachRead(mlir::Operation *op, bool isOwnPoint,
                   llvm::function_ref<void(mlir::Operation *, bool)> visit);
  bool isReadFromMemory(const PlanStep &step, mlir::Value tile);
  void collectStoredTiles();

  KernelOutline &outline;
  llvm::DenseMap<mlir::Operation *, StepPhase> &phases;
  /// The step that computes an op: itself, or the one it is virtual in.
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> roots;
  /// The index of the step that computes the tile of an op, as its own, as an
  /// accumulator's or as a follower's.
  llvm::DenseMap<mlir::Operation *, unsigned> storedBy;
};

} // namespace prism::detail

#endif // PRISM_LIB_PLAN_STEPOUTLINER_H
