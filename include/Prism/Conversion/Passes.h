//===- Passes.h - Prism's Conversion passes ---------------------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_CONVERSION_PASSES_H
#define PRISM_CONVERSION_PASSES_H

#include "Prism/Dialect/PrismDialect.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

namespace prism {

#define GEN_PASS_DECL
#include "Prism/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "Prism/Conversion/Passes.h.inc"

/// Adds upstream's passes from tosa to linalg, tensor, arith and math to a
/// pipeline on one function: what `--convert-linalg-to-prism` then imports.
/// Tosa ops that they leave get a remark there. Without tosa ops they do
/// nothing but canonicalize.
void buildTosaToLinalgPipeline(mlir::OpPassManager &functions);
/// Registers it as `--prism-tosa-to-linalg`.
void registerTosaToLinalgPipeline();

} // namespace prism

#endif // PRISM_CONVERSION_PASSES_H
