//===- ThreadGraphs.cpp - Thread graphs back to block ops -----------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Plan/KernelPlan.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace prism;

static void inlineThreadGraph(ThreadGraphOp graph) {
  OpBuilder builder(graph);
  IRMapping values;
  values.map(graph.getBodyBlock().getArguments(), graph.getInputs());
  for (Operation &op : graph.getBodyBlock().without_terminator()) {
    if (isa<LoadOp, SaveOp>(op)) {
      values.map(op.getResult(0), values.lookup(op.getOperand(0)));
      continue;
    }
    SmallVector<Value> operands =
        llvm::map_to_vector(op.getOperands(), [&](Value operand) {
          return values.lookup(operand);
        });
    Operation *copy = rebuildComputeOp(builder, &op, operands);
    values.map(op.getResult(0), copy->getResult(0));
  }
  for (auto [result, value] :
       llvm::zip(graph.getResults(), graph.getYield().getValues()))
    result.replaceAllUsesWith(values.lookup(value));
  graph.erase();
}

void prism::inlineThreadGraphs(KernelOp kernel) {
  for (auto graph : llvm::make_early_inc_range(
           kernel.getBodyBlock().getOps<ThreadGraphOp>()))
    inlineThreadGraph(graph);
}
