//===- consumer.cpp - A user of the installed Prism -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// consumer FILE PIPELINE: parses a module, runs a textual pass pipeline on it,
// says which arguments are of a prism type, prints it. Sees nothing but Prism's
// installed headers and libraries.
//
//===----------------------------------------------------------------------===//

#include "Prism/Dialect/PrismDialect.h"
#include "Prism/InitAll.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/raw_ostream.h"

int main(int argc, char **argv) {
  if (argc != 3) {
    llvm::errs() << "usage: consumer FILE PIPELINE\n";
    return 2;
  }
  mlir::registerAllPasses();
  prism::registerPrismPasses();
  mlir::DialectRegistry registry;
  prism::registerUpstreamDialects(registry);
  prism::registerPrismDialects(registry);
  mlir::MLIRContext context(registry);

  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceFile<mlir::ModuleOp>(argv[1], &context);
  if (!module)
    return 1;
  mlir::PassManager pm(&context);
  if (mlir::failed(mlir::parsePassPipeline(argv[2], pm)) ||
      mlir::failed(pm.run(*module)))
    return 1;
  for (auto func : module->getOps<mlir::func::FuncOp>())
    for (mlir::Type type : func.getArgumentTypes())
      if (auto tensor = mlir::dyn_cast<prism::SymbolicTensorType>(type))
        llvm::outs() << "@" << func.getName()
                     << " takes a prism tensor of rank " << tensor.getRank()
                     << "\n";
  module->print(llvm::outs());
  return 0;
}
