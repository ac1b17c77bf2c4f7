//===- PrismPlugin.cpp - Prism as a plugin of mlir-opt --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The two entry points that mlir-opt looks up in a shared object:
//
//   mlir-opt --load-dialect-plugin=PrismPlugin.so \
//     --pass-pipeline='builtin.module(prism-superoptimize{...})' in.mlir
//
// mlir-opt reads its command line before it loads a plugin, so Prism's passes
// are named in a pipeline there, not as flags. The dialect plugin registers the
// passes too: one flag is enough.
//
//===----------------------------------------------------------------------===//

#include "Prism/InitAll.h"

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Compiler.h"

extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "prism", LLVM_VERSION_STRING,
          [](mlir::DialectRegistry *registry) {
            prism::registerPrismDialects(*registry);
            prism::registerPrismPasses();
          }};
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "prism", LLVM_VERSION_STRING,
          []() { prism::registerPrismPasses(); }};
}
