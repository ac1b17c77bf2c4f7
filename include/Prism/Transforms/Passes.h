//===- Passes.h - Prism's Transforms passes ---------------------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_TRANSFORMS_PASSES_H
#define PRISM_TRANSFORMS_PASSES_H

#include "Prism/Dialect/PrismDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace prism {

#define GEN_PASS_DECL
#include "Prism/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "Prism/Transforms/Passes.h.inc"

} // namespace prism

#endif // PRISM_TRANSFORMS_PASSES_H
