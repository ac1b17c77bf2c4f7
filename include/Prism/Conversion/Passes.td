//===- Passes.td - Conversions into and out of prism -------*- tablegen -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_CONVERSION_PASSES_TD
#define PRISM_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertLinalgToPrism : Pass<"convert-linalg-to-prism"> {
  let summary = "Convert linalg, tensor and arith ops on tensors to prism ops";
  let description = [{
    Recognises compute ops by structure, never by names or by the order of ops:
    named linalg ops and `linalg.generic` as importers emit them. The prism ops
    stand on builtin tensors, in place of what they replace: one per scalar op
    of a body, matmuls for sums of products, reductions otherwise. Broadcasts,
    transposes, fills and unit dims that are only read at index 0 become
    indexing maps; signatures are kept. Rounding casts stay; widening casts of a
    matmul's operands are part of it. What is spelled out (x / (1 + exp(-x)))
    becomes the op it is. NaNs are not told apart: maximumf and maxnumf are both
    prism.max.

    What is not known stays as it is, with a remark that says why. Dead ops of a
    function in which anything was imported are erased.
  }];
  let dependentDialects = ["::prism::PrismDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ConvertPrismToLinalg : Pass<"convert-prism-to-linalg"> {
  let summary = "Convert prism ops on builtin tensors, and invokes, to linalg";
  let description = [{
    The inverse of `--convert-linalg-to-prism`, so that an import can be run on
    the CPU and compared. `prism.invoke`s are replaced by the body of their
    program; programs that nothing uses any more are removed.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"];
}

def ConvertPrismToGPU : Pass<"convert-prism-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Lower the first sized candidate of each program to GPU kernels";
  let description = [{
    Each `prism.invoke` of a program whose first candidate is sized and proved
    becomes launches of the candidate's kernels, which are put into gpu.modules
    as llvm/nvvm code. A candidate that cannot be lowered is dropped with a
    remark, and the next one is tried.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"sm_80\"",
           "The GPU: sm_80, sm_86, sm_89, sm_90a, sm_100a or sm_120a">,
    Option<"tensorMaps", "tensor-maps", "bool", "false",
           "Load by bulk tensor copies where the GPU has them (sm_90a); whoever "
           "launches the kernels makes the tensor maps, as prism-run does and "
           "plain MLIR does not">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::cf::ControlFlowDialect",
    "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"];
}

#endif // PRISM_CONVERSION_PASSES_TD
