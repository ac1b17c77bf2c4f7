//===- prism-reduce.cpp - The test case reducer ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mlir-reduce with Prism's dialect and passes: shrinks a module for as long as
// a script of the user's says that it still shows the fault.
//
//===----------------------------------------------------------------------===//

#include "Prism/InitAll.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"

int main(int argc, char **argv) {
  mlir::registerAllPasses();
  prism::registerPrismPasses();

  mlir::DialectRegistry registry;
  prism::registerUpstreamDialects(registry);
  prism::registerPrismDialects(registry);
  mlir::MLIRContext context(registry);
  return mlir::failed(mlir::mlirReduceMain(argc, argv, context));
}
