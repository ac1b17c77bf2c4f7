//===- OriginalFunctions.h - What the pipeline leaves alone -----*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions and programs for which nothing was chosen are put back verbatim,
// and the report says which ops were left alone.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_TRANSFORMS_ORIGINALFUNCTIONS_H
#define PRISM_LIB_TRANSFORMS_ORIGINALFUNCTIONS_H

#include "Prism/Dialect/PrismDialect.h"
#include "Report.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"

namespace prism {

/// The name of the op at `location` in `function`; the first of several; empty
/// if there is none.
std::string findOpName(mlir::func::FuncOp function, mlir::Location location);

/// FILE:LINE:COLUMN, or what MLIR prints.
std::string formatLocation(mlir::Location location);

/// Adds a front-end pass's remark of the form `left alone: why` to `entries`.
void collectLeftAlone(mlir::Diagnostic &diagnostic, mlir::func::FuncOp function,
                      std::vector<LeftAlone> &entries);

/// Puts `function` back as it came in `original`.
mlir::func::FuncOp restoreFunction(mlir::func::FuncOp function,
                                   mlir::ModuleOp original);

/// Whether some program that `function` invokes has a candidate to lower, or
/// was lowered.
bool isOptimized(mlir::func::FuncOp function);

/// Puts the functions back as they came for which nothing was chosen.
void restoreUnoptimized(mlir::ModuleOp module, mlir::ModuleOp original);

/// Erases the programs whose invokes are gone, and those that the pipeline
/// made in vain. Programs of the input that are not lowered are put back as
/// they came, unless their candidates are the output (`keepChosen`).
void settlePrograms(mlir::ModuleOp module, mlir::ModuleOp original,
                    bool keepChosen);

} // namespace prism

#endif // PRISM_LIB_TRANSFORMS_ORIGINALFUNCTIONS_H
