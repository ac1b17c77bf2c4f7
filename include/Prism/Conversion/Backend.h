//===- Backend.h - Kernels through LLVM and ptxas ---------------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tries a candidate's kernels in the NVPTX backend, and in ptxas where there is
// one, before anything depends on them: whatever refuses them refuses this
// candidate only. LLVM reports what it cannot select by ending the process;
// here that ends the attempt.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_CONVERSION_BACKEND_H
#define PRISM_CONVERSION_BACKEND_H

#include "Prism/Plan/Target.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/StringMap.h"
#include <optional>
#include <string>

namespace prism {

/// What ptxas says of one kernel.
struct KernelResources {
  int64_t registers = 0;  ///< 32-bit, per thread
  int64_t spillBytes = 0; ///< stored and loaded, per thread
};

/// Kernels that the backend has taken.
struct CompiledKernels {
  std::string ptx;
  /// By kernel; empty where there is no ptxas.
  llvm::StringMap<KernelResources> resources;
};

/// Compiles the llvm.funcs of `module` for `target`. Nothing where LLVM or
/// ptxas refuses them, and `whyNot` is the first line of what they say. Without
/// ptxas (looked for in the bin of CUDA_ROOT, CUDA_HOME, CUDA_PATH, then on
/// PATH) the PTX is all that is tried. A process-wide fatal error handler of
/// LLVM is replaced meanwhile, and gone afterwards.
std::optional<CompiledKernels> compileKernels(mlir::gpu::GPUModuleOp module,
                                              const Target &target,
                                              std::string &whyNot);

/// As compileKernels, without ptxas.
std::optional<std::string> compileToPTX(mlir::gpu::GPUModuleOp module,
                                        const Target &target,
                                        std::string &whyNot);
std::optional<std::string> compileToPTX(mlir::gpu::GPUModuleOp module,
                                        mlir::NVVM::NVVMTargetAttr target,
                                        std::string &whyNot);

/// Assembles `ptx`, as compileKernels does.
std::optional<llvm::StringMap<KernelResources>>
assembleKernels(llvm::StringRef ptxas, llvm::StringRef ptx,
                const Target &target, std::string &whyNot);

/// The last line of what `ptxas --version` prints; empty where there is none.
std::string getPtxasVersion();

/// ptxas's path, or nothing.
std::optional<std::string> findPtxas();

} // namespace prism

#endif // PRISM_CONVERSION_BACKEND_H
