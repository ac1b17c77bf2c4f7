//===- OriginalFunctions.cpp - What the pipeline leaves as it came --------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OriginalFunctions.h"
#include "SearchPrograms.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace prism;

std::string prism::findOpName(func::FuncOp function, Location location) {
  std::string name;
  function.walk([&](Operation *op) {
    if (op->getLoc() != location || op == function)
      return WalkResult::advance();
    name = op->getName().getStringRef().str();
    return WalkResult::interrupt();
  });
  return name;
}

std::string prism::formatLocation(Location location) {
  std::string text;
  llvm::raw_string_ostream(text) << location;
  return text;
}

void prism::collectLeftAlone(Diagnostic &diagnostic, func::FuncOp function,
                             std::vector<LeftAlone> &entries) {
  std::string text = diagnostic.str();
  StringRef reason = text;
  if (diagnostic.getSeverity() != DiagnosticSeverity::Remark ||
      !reason.consume_front("left alone: "))
    return;
  entries.push_back({formatLocation(diagnostic.getLocation()),
                     findOpName(function, diagnostic.getLocation()),
                     reason.str()});
}

func::FuncOp prism::restoreFunction(func::FuncOp function, ModuleOp original) {
  Operation *before = SymbolTable::lookupSymbolIn(original.getOperation(),
                                                  function.getSymNameAttr());
  auto restored = cast<func::FuncOp>(OpBuilder(function).clone(*before));
  function.erase();
  return restored;
}

bool prism::isOptimized(func::FuncOp function) {
  return function
      .walk([&](Operation *op) {
        if (isa<gpu::LaunchFuncOp>(op))
          return WalkResult::interrupt();
        auto invoke = dyn_cast<InvokeOp>(op);
        if (!invoke)
          return WalkResult::advance();
        auto program = SymbolTable::lookupNearestSymbolFrom<ProgramOp>(
            invoke, invoke.getProgramAttr());
        return isChosen(program) ? WalkResult::interrupt()
                                 : WalkResult::advance();
      })
      .wasInterrupted();
}

void prism::restoreUnoptimized(ModuleOp module, ModuleOp original) {
  for (auto function :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (!isOptimized(function))
      restoreFunction(function, original);
}

void prism::settlePrograms(ModuleOp module, ModuleOp original,
                           bool keepChosen) {
  for (auto program : llvm::make_early_inc_range(module.getOps<ProgramOp>())) {
    auto before = dyn_cast_or_null<ProgramOp>(SymbolTable::lookupSymbolIn(
        original.getOperation(), program.getSymNameAttr()));
    bool wasUnused =
        before && SymbolTable::symbolKnownUseEmpty(before, original);
    if (!wasUnused && SymbolTable::symbolKnownUseEmpty(program, module)) {
      program.erase();
    } else if (before && !(keepChosen && isChosen(program))) {
      OpBuilder(program).clone(*before);
      program.erase();
    }
  }
}
