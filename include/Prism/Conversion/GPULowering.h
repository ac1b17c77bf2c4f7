//===- GPULowering.h - Programs to kernels and their launches ---*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `--convert-prism-to-gpu` and the driver call. Each gpu.launch_func made
// here carries the attribute `prism.launch`, from which the kernel package is
// written (see docs/lowering.md):
//
//   {program = "rmsnorm", candidate = "rmsnorm_0", kernel = "k0",
//    grid = array<i64: 64, 1, 1>, block = array<i64: 128, 1, 1>,
//    shared_bytes = 9472 : i64, tensor_cores = true,
//    tiles = {i = 64 : i64, x = 64 : i64},
//    parameters = [{argument = 0 : i64}, {argument = 1 : i64},
//                  {result = 0 : i64}]}
//
// `argument` and `result` count those of the prism.invoke that the launch came
// from (of the function, where the invoke is all of it), `workspace` the
// candidate's intermediate tensors.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_CONVERSION_GPULOWERING_H
#define PRISM_CONVERSION_GPULOWERING_H

#include "Prism/Conversion/Backend.h"
#include "Prism/Plan/KernelPlan.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/PassManager.h"

namespace prism {

/// Discardable attribute of a gpu.launch_func: a dictionary as above.
inline constexpr llvm::StringLiteral launchAttrName = "prism.launch";

/// Discardable attribute of a builtin.unrealized_conversion_cast from a buffer
/// to the 128 bytes of a kernel parameter: this is a tensor map of the buffer,
/// for bulk tensor copies. A dictionary: `box`, elements of one copy by dim,
/// outermost first, and `swizzle`, bytes.
inline constexpr llvm::StringLiteral tensorMapAttrName = "prism.tensor_map";

/// The kernels of one candidate, lowered.
struct LoweredCandidate {
  mlir::gpu::GPUModuleOp module; ///< at the end of the program's module
  struct Kernel {
    KernelOp op;
    std::string name; ///< of the function in the gpu.module
    KernelPlan plan;  ///< its ops and values are those of `op`
    /// Of each result; dynamic extents as ShapedType has them.
    std::vector<llvm::SmallVector<int64_t>> resultShapes;
  };
  std::vector<Kernel> kernels; ///< in order of launch
};

/// Lowers the kernels of the sized `candidate` into a new gpu.module, named
/// after it, beside its program, for `target`. Thread graphs in the candidate
/// are inlined. Where it cannot be lowered: nothing is left behind, and
/// `whyNot` says why.
std::optional<LoweredCandidate> lowerCandidate(CandidateOp candidate,
                                               const Target &target,
                                               std::string &whyNot);

/// What is known of a kernel that was lowered, beside its launch.
struct KernelFacts {
  /// What ptxas says; none where there is none.
  std::optional<KernelResources> resources;
  /// Of the SM's threads, by threads, shared memory and registers; only known
  /// with the latter.
  std::optional<double> occupancy;
  int64_t stages = 1; ///< of the pipeline of loads
  /// mma.sync instructions that all warps run together, and bytes that all
  /// blocks read and write, repeats included: for dynamic extents, at those
  /// that the kernel was costed for.
  int64_t matrixInstructions = 0, blockBytes = 0;
};

/// What takes a candidate's kernels, or refuses them: compileKernels.
using BackendFn = llvm::function_ref<std::optional<CompiledKernels>(
    mlir::gpu::GPUModuleOp, const Target &, std::string &whyNot)>;

/// The last word on a candidate that the backend has taken; false, with the
/// reason, drops it.
using AcceptFn =
    llvm::function_ref<bool(CandidateOp, const LoweredCandidate &,
                            const CompiledKernels &, std::string &whyNot)>;

/// Lowers the first sized and proved candidate of `program` that can be, that
/// `backend` takes and that `accept`, if given, has nothing against, and
/// replaces every prism.invoke of the program by its launches. Candidates
/// before it are dropped with a remark; one that spills registers gets a
/// remark. The program goes with its last invoke. Fails, with a remark, where
/// no candidate is left; the invokes then stay as they are. `facts`, if given,
/// are those of its kernels, by name.
llvm::LogicalResult
lowerProgramToGPU(ProgramOp program, const Target &target,
                  llvm::StringMap<KernelFacts> *facts = nullptr,
                  BackendFn backend = compileKernels,
                  AcceptFn accept = nullptr);

/// Adds the passes that turn the gpu.modules of a module into gpu.binary ops;
/// `format` is `isa` (PTX) or `bin` (cubin: needs ptxas on PATH or a toolkit).
void buildSerializeGPUModulesPipeline(mlir::OpPassManager &passes,
                                      llvm::StringRef format);

} // namespace prism

#endif // PRISM_CONVERSION_GPULOWERING_H
