//===- InitAll.cpp - Registration of everything in Prism ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one list of Prism's dialects, passes and pipelines.
//
//===----------------------------------------------------------------------===//

#include "Prism/InitAll.h"
#include "Prism/Conversion/Passes.h"
#include "Prism/Dialect/PrismDialect.h"
#include "Prism/Search/SearchMonitor.h"
#include "Prism/Transforms/Passes.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"

void prism::registerPrismDialects(mlir::DialectRegistry &registry) {
  registry.insert<PrismDialect>();
  registerSearchMonitor(registry);
}

void prism::registerPrismPasses() {
  registerPrismConversionPasses();
  registerPrismTransformsPasses();
  registerTosaToLinalgPipeline();
}

void prism::registerUpstreamDialects(mlir::DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllToLLVMIRTranslations(registry);
  // gpu-module-to-binary needs these; registerAllExtensions lacks them.
  mlir::registerAllGPUToLLVMIRTranslations(registry);
}
