//===- EntryFunction.h - Arrays in and out of a function --------*- C++ -*-===//
//
// The function that is to be run: found by its name, its arguments compared
// with the arrays that are given, its results prepared.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_EXECUTION_ENTRYFUNCTION_H
#define PRISM_LIB_EXECUTION_ENTRYFUNCTION_H

#include "Prism/Runtime/KernelPackage.h"
#include "Prism/Runtime/Npy.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace prism {

/// The function `entry` of the module; an error names those there are.
llvm::Expected<mlir::func::FuncOp> findEntry(mlir::ModuleOp module,
                                             llvm::StringRef entry);

/// Compares number, element types and extents.
llvm::Error checkInputs(mlir::func::FuncOp function,
                        llvm::ArrayRef<HostArray> inputs);

/// Arrays of the results' types and ranks; extents and data are still missing.
llvm::Expected<std::vector<HostArray>>
prepareResults(mlir::func::FuncOp function);

} // namespace prism

#endif // PRISM_LIB_EXECUTION_ENTRYFUNCTION_H
