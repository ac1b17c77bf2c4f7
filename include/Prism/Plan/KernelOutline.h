//===- KernelOutline.h - What all plans of a kernel share -------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of planning that looks at the ops and not at the sizes: which ops
// become steps, in which phase, and what each parallel dim splits. A kernel is
// outlined once and planned at thousands of sizes.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_PLAN_KERNELOUTLINE_H
#define PRISM_PLAN_KERNELOUTLINE_H

#include "Prism/Plan/KernelPlan.h"
#include "llvm/ADT/DenseMap.h"

namespace prism {

/// `kernel` must outlive its outline, and keep its ops.
struct KernelOutline {
  explicit KernelOutline(KernelOp kernel);

  /// A parallel dim and the extent that it splits.
  struct Dim {
    std::string name;
    ParallelKind kind;
    DimExpr base;
  };
  /// The iteration space of a matrix product.
  struct Product {
    IterationStructure structure;
    llvm::SmallVector<DimExpr> extents;
  };

  KernelOp kernel;
  /// Why it cannot become a kernel at any sizes; empty where it can.
  std::string whyNot;
  /// Grid dims in the order of their declaration, then the loop: it may split a
  /// grid tile.
  llvm::SmallVector<Dim> dims;
  /// The types of all values, and the symbols in extents, each once, in the
  /// order of the text; the kernel's own numbers of blocks are none.
  llvm::SmallVector<mlir::Type> types;
  llvm::SmallVector<std::string> symbols;
  /// Without what depends on sizes.
  std::vector<PlanStep> steps;
  llvm::DenseMap<mlir::Operation *, Product> products;
  llvm::DenseMap<mlir::Operation *, StepPhase> phases;
  /// The tiles that need a buffer, in the order of the steps.
  llvm::SmallVector<mlir::Value> storedTiles;
  /// See KernelPlan.
  bool hasUndefinedSums = false;

private:
  void collectTypes();
  bool collectDims();
  bool findSplitExtent(llvm::StringRef name, DimExpr &base);
  bool checkOps();
  bool fail(const llvm::Twine &reason) {
    whyNot = reason.str();
    return false;
  }
};

/// planKernel (KernelPlan.h) for a kernel that has been outlined.
std::optional<KernelPlan> planKernel(const KernelOutline &outline,
                                     const KernelSizes &sizes,
                                     const Target &target, std::string &whyNot);

} // namespace prism

#endif // PRISM_PLAN_KERNELOUTLINE_H
