//===- PrismToLinalg.cpp - prism ops to linalg on tensors -----------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The way back from prism (DESIGN section 4), so that imports and programs can
// be run on the CPU and compared.
//
//===----------------------------------------------------------------------===//

#include "Prism/Conversion/Passes.h"
#include "PrismToLinalgOps.h"

namespace prism {
#define GEN_PASS_DEF_CONVERTPRISMTOLINALG
#include "Prism/Conversion/Passes.h.inc"
} // namespace prism

using namespace mlir;
using namespace prism;

namespace {
struct ConvertPrismToLinalgPass
    : prism::impl::ConvertPrismToLinalgBase<ConvertPrismToLinalgPass> {
  using Base::Base;
  void runOnOperation() override;
};
} // namespace

static LogicalResult exportInPlace(ComputeOpInterface op) {
  OpBuilder builder(op);
  FailureOr<Value> value = exportOnBuiltinTensors(builder, op);
  if (failed(value))
    return failure();
  op->getResult(0).replaceAllUsesWith(*value);
  op->erase();
  return success();
}

static LogicalResult exportInPlace(InvokeOp invoke,
                                   SymbolTableCollection &symbols) {
  auto program = symbols.lookupNearestSymbolFrom<ProgramOp>(
      invoke, invoke.getProgramAttr());
  OpBuilder builder(invoke);
  FailureOr<SmallVector<Value>> values = exportInvoke(builder, invoke, program);
  if (failed(values))
    return failure();
  invoke->replaceAllUsesWith(*values);
  invoke->erase();
  return success();
}

/// Removes those of `programs` below `root` that nothing refers to any more.
static void eraseUnusedPrograms(Operation *root,
                                const SetVector<ProgramOp> &programs) {
  for (ProgramOp program : programs) {
    Operation *table = SymbolTable::getNearestSymbolTable(program);
    if (root->isProperAncestor(program) && table &&
        SymbolTable::symbolKnownUseEmpty(program, table))
      program->erase();
  }
}

void ConvertPrismToLinalgPass::runOnOperation() {
  SmallVector<Operation *> ops;
  getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<ProgramOp>(op))
      return WalkResult::skip();
    bool isCompute = isa<ComputeOpInterface>(op) &&
                     isa<RankedTensorType>(op->getResult(0).getType());
    if (isCompute || isa<InvokeOp>(op))
      ops.push_back(op);
    return WalkResult::advance();
  });
  SymbolTableCollection symbols;
  SetVector<ProgramOp> programs;
  for (Operation *op : ops) {
    auto invoke = dyn_cast<InvokeOp>(op);
    if (invoke)
      programs.insert(symbols.lookupNearestSymbolFrom<ProgramOp>(
          invoke, invoke.getProgramAttr()));
    if (failed(invoke ? exportInPlace(invoke, symbols)
                      : exportInPlace(cast<ComputeOpInterface>(op))))
      return signalPassFailure();
  }
  eraseUnusedPrograms(getOperation(), programs);
}
