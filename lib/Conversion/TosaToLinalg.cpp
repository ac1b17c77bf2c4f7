//===- TosaToLinalg.cpp - Upstream's passes from tosa to linalg -----------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// tosa is imported through upstream. Its own `tosa-to-linalg-pipeline` leaves
// tosa.const and tosa.reshape behind; this list does not.
//
//===----------------------------------------------------------------------===//

#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "Prism/Conversion/Passes.h"
#include "mlir/Conversion/TosaToArith/TosaToArith.h"
#include "mlir/Conversion/TosaToTensor/TosaToTensor.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tosa/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void prism::buildTosaToLinalgPipeline(OpPassManager &functions) {
  functions.addPass(tosa::createTosaInferShapesPass());
  functions.addPass(tosa::createTosaMakeBroadcastablePass());
  functions.addPass(tosa::createTosaToLinalgNamed());
  functions.addPass(tosa::createTosaToLinalg());
  functions.addPass(createTosaToArithPass());
  functions.addPass(createTosaToTensorPass());
  functions.addPass(createCanonicalizerPass());
  functions.addPass(createCSEPass());
}

void prism::registerTosaToLinalgPipeline() {
  PassPipelineRegistration<>(
      "prism-tosa-to-linalg",
      "Upstream's passes from tosa to linalg, tensor, arith and math",
      [](OpPassManager &module) {
        buildTosaToLinalgPipeline(module.nest<func::FuncOp>());
      });
}
