//===- Package.h - Kernels and their launch plan -------------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel package: plan.json beside one PTX file per module, all that a
// runtime without a compiler needs. It is read off the lowered host code, so
// it cannot disagree with it.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_TRANSFORMS_PACKAGE_H
#define PRISM_LIB_TRANSFORMS_PACKAGE_H

#include "Prism/Conversion/GPULowering.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>

namespace prism {

/// Writes the functions of `module` that consist of kernel launches alone, and
/// its gpu.binary objects, into the folder `path`. A diagnostic if it cannot.
llvm::LogicalResult writePackage(mlir::ModuleOp module, llvm::StringRef target,
                                 llvm::StringRef path);

/// The id of the candidate that `program` was lowered by; none if it was not.
std::optional<std::string> getLoweredCandidate(mlir::ModuleOp module,
                                               llvm::StringRef program);

/// The report's entries for the kernels that `program` was lowered to, in the
/// order of their launches; none if it was not lowered.
std::optional<llvm::json::Array>
describeKernels(mlir::ModuleOp module, llvm::StringRef program,
                const llvm::StringMap<KernelFacts> &facts);

} // namespace prism

#endif // PRISM_LIB_TRANSFORMS_PACKAGE_H
