//===- ScalarLowering.h - Kernel bodies to llvm and nvvm --------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_CONVERSION_PRISMTOGPU_SCALARLOWERING_H
#define PRISM_LIB_CONVERSION_PRISMTOGPU_SCALARLOWERING_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include <string>

namespace prism::detail {

/// Lowers the scf, arith and math ops in the kernels of `module` to llvm ops
/// and NVPTX intrinsics. Libdevice is never called: without a toolkit its
/// functions would stay undefined. Fails, with the reason, on math that has no
/// such form (erf on f64).
llvm::LogicalResult lowerKernelBodies(mlir::gpu::GPUModuleOp module,
                                      std::string &whyNot);

/// exp, log, tanh and rsqrt on f64 to arith and math ops that are instructions,
/// and sqrt.
void populateDoubleMathPatterns(mlir::RewritePatternSet &patterns);

} // namespace prism::detail

#endif // PRISM_LIB_CONVERSION_PRISMTOGPU_SCALARLOWERING_H
