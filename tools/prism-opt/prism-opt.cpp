//===- prism-opt.cpp - The optimizer driver -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mlir-opt with Prism's dialect, passes and pipelines beside all of upstream's.
// The first SIGINT ends searches with the best so far; the second one the tool.
//
//===----------------------------------------------------------------------===//

#include "Prism/InitAll.h"
#include "Prism/Search/SearchMonitor.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Support/LogicalResult.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/InitLLVM.h"
#include <csignal>

/// All that a signal handler can reach.
static std::atomic<bool> isInterrupted{false};
static struct sigaction previousAction;

extern "C" void handleInterrupt(int) {
  isInterrupted = true;
  sigaction(SIGINT, &previousAction, nullptr);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv); // LLVM's handler is the previous one
  struct sigaction action = {};
  action.sa_handler = handleInterrupt;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, &previousAction);

  mlir::registerAllPasses();
  prism::registerPrismPasses();

  mlir::DialectRegistry registry;
  prism::registerUpstreamDialects(registry);
  prism::registerPrismDialects(registry);
  prism::registerSearchMonitor(
      registry,
      prism::CancelFlag(prism::CancelFlag(), &isInterrupted)); // not owned
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Prism optimizer driver\n", registry));
}
