//===- prism-opt.cpp - The optimizer driver -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mlir-opt with Prism's dialect, passes and pipelines beside all of upstream's.
//
//===----------------------------------------------------------------------===//

#include "Prism/InitAll.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Support/LogicalResult.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::registerAllPasses();
  prism::registerPrismPasses();

  mlir::DialectRegistry registry;
  prism::registerUpstreamDialects(registry);
  prism::registerPrismDialects(registry);
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Prism optimizer driver\n", registry));
}
