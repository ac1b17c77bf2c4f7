//===- prism-lsp-server.cpp - The language server -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mlir-lsp-server that also knows Prism's dialect: an editor shows its
// verifiers' diagnostics, definitions and hovers.
//
//===----------------------------------------------------------------------===//

#include "Prism/InitAll.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  prism::registerUpstreamDialects(registry);
  prism::registerPrismDialects(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
