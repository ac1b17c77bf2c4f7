//===- OutlineSteps.cpp - Ops to steps ------------------------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Planner.h"
#include "StepOutliner.h"

using namespace mlir;
using namespace prism;
using namespace prism::detail;

bool prism::detail::isShift(Value tile) {
  return llvm::any_of(tile.getUsers(), [&](Operation *user) {
    auto accumulate = dyn_cast<AccumulateOp>(user);
    return accumulate && accumulate.getShift() == tile;
  });
}

StepPhase StepOutliner::getPhase(Operation *op) {
  if (isa<AccumulateOp>(op))
    return StepPhase::InLoop;
  StepPhase phase = StepPhase::BeforeLoop;
  for (Value operand : op->getOperands()) {
    Operation *definition = operand.getDefiningOp();
    if (!definition)
      continue;
    StepPhase from = isa<AccumulateOp>(definition) ? StepPhase::AfterLoop
                                                   : phases.lookup(definition);
    phase = std::max(phase, from);
  }
  if (auto load = dyn_cast<LoadOp>(op))
    for (const auto &splits : load.getMap().getValue())
      for (const Split &split : splits)
        if (outline.kernel.lookupParallelDim(split.dim).getKind() ==
            ParallelKind::Loop)
          phase = StepPhase::InLoop;
  // Each step compares its shift with the running maximum.
  if (isShift(op->getResult(0)))
    phase = std::max(phase, StepPhase::InLoop);
  return phase;
}

/// Whether computing the operand inside its user computes no element twice.
bool StepOutliner::readsEachElementOnce(OpOperand &use) {
  Operation *user = use.getOwner();
  if (isa<SaveOp>(user))
    return true;
  if (auto accumulate = dyn_cast<AccumulateOp>(user))
    return accumulate.getShift() != use.get();
  if (isIndexing(user))
    return true;
  auto compute = dyn_cast<ComputeOpInterface>(user);
  if (!compute || isa<MatmulOp>(user))
    return false;
  IterationStructure structure = compute.getIterationStructure();
  const IndexMap &map = structure.operandMaps[use.getOperandNumber()];
  return llvm::all_of(
      llvm::seq<unsigned>(0, structure.dims.size()),
      [&](unsigned dim) { return structure.carries(map, dim); });
}

/// The op's own step, or the only step that all of its uses are part of.
Operation *StepOutliner::findRoot(Operation *op) {
  if (isa<ConstantOp>(op))
    return nullptr; // part of every step that uses it
  if (!isElementwise(op) && !isIndexing(op) && !isa<LoadOp>(op))
    return op;
  Operation *root = nullptr;
  for (OpOperand &use : op->getResult(0).getUses()) {
    if (!readsEachElementOnce(use))
      return op;
    Operation *userRoot = roots.lookup(use.getOwner());
    if (root && root != userRoot)
      return op;
    root = userRoot;
  }
  // Hoisted values keep their own step; a value without users has none.
  return !root || phases.lookup(root) == phases.lookup(op) ? root : op;
}

/// A sum (maximum) that only feeds an accumulator of sums (max) adds into it.
AccumulateOp StepOutliner::getDirectAccumulator(Operation *op) {
  if (!op->hasOneUse() || phases.lookup(op) != StepPhase::InLoop)
    return {};
  auto accumulate = dyn_cast<AccumulateOp>(*op->user_begin());
  if (!accumulate)
    return {};
  bool isSum = accumulate.getKind() != AccumulatorKind::Max &&
               isa<MatmulOp, ReduceSumOp>(op) && !isShift(op->getResult(0));
  bool isMax =
      accumulate.getKind() == AccumulatorKind::Max && isa<ReduceMaxOp>(op);
  // Register accumulators stand for the same elements in each step.
  for (const DimExpr &extent : prism::getExtents(accumulate.getType()))
    extent.walkSplits([&](const Split &split) {
      isSum &= split.dim != accumulate.getOver() || !isa<MatmulOp>(op);
    });
  // Sums formed in the narrow type would be rounded before they are added.
  bool sameType = prism::getElementType(op->getResult(0).getType()) ==
                  accumulate.getType().getElementType();
  return (isSum || isMax) && sameType ? accumulate : AccumulateOp();
}

static StepKind getStepKind(Operation *op) {
  if (isa<LoadOp>(op))
    return StepKind::Load;
  if (isa<SaveOp>(op))
    return StepKind::Save;
  if (isa<AccumulateOp>(op))
    return StepKind::Accumulate;
  if (isa<MatmulOp>(op))
    return StepKind::Matmul;
  return isElementwise(op) || isIndexing(op) ? StepKind::Elementwise
                                             : StepKind::Reduce;
}

void StepOutliner::addStep(Operation *op) {
  PlanStep step = {};
  step.op = op;
  step.kind = getStepKind(op);
  step.phase = phases.lookup(op);
  step.accumulator = getDirectAccumulator(op);
  if (step.kind == StepKind::Matmul) {
    IterationStructure structure =
        cast<ComputeOpInterface>(op).getIterationStructure();
    SmallVector<DimExpr> extents = getIterationExtents(
        structure, op->getOperandTypes(), op->getResult(0).getType());
    outline.products[op] = {std::move(structure), std::move(extents)};
  }
  storedBy[op] = outline.steps.size();
  if (step.accumulator)
    storedBy[step.accumulator] = outline.steps.size();
  outline.steps.push_back(std::move(step));
}

void StepOutliner::run() {
  for (Operation &op : getBody().without_terminator())
    phases[&op] = getPhase(&op);
  SmallVector<Operation *> order;
  for (Operation &op : llvm::reverse(getBody().without_terminator())) {
    // What only the end needs is computed there, not kept through the loop.
    if (phases[&op] == StepPhase::BeforeLoop && !op.use_empty() &&
        llvm::all_of(op.getUsers(),
                     [&](Operation *user) {
                       return phases[user] == StepPhase::AfterLoop ||
                              isa<YieldOp>(user);
                     }) &&
        !isa<SaveOp>(op))
      phases[&op] = StepPhase::AfterLoop;
    Operation *root = findRoot(&op);
    roots[&op] = root;
    if (root == &op)
      order.push_back(&op);
  }
  llvm::SmallPtrSet<Operation *, 4> merged;
  std::reverse(order.begin(), order.end());
  for (Operation *op : order)
    if (AccumulateOp accumulate = getDirectAccumulator(op))
      merged.insert(accumulate);
  for (StepPhase phase :
       {StepPhase::BeforeLoop, StepPhase::InLoop, StepPhase::AfterLoop})
    for (Operation *op : order) {
      if (phases[op] != phase || merged.contains(op))
        continue;
      PlanStep *leader = findLeader(op);
      if (!leader) {
        addStep(op);
        continue;
      }
      leader->followers.push_back(op);
      storedBy[op] = storedBy[leader->op];
    }
  collectStoredTiles();
}
