//===- PlanSteps.cpp - Ops to steps ---------------------------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatmulPlan.h"
#include "Planner.h"

using namespace mlir;
using namespace prism;
using namespace prism::detail;

bool prism::detail::isShift(Value tile) {
  return llvm::any_of(tile.getUsers(), [&](Operation *user) {
    auto accumulate = dyn_cast<AccumulateOp>(user);
    return accumulate && accumulate.getShift() == tile;
  });
}

StepPhase Planner::getPhase(Operation *op) {
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
        if (plan.lookupDim(split.dim)->kind == ParallelKind::Loop)
          phase = StepPhase::InLoop;
  // Each step compares its shift with the running maximum.
  if (isShift(op->getResult(0)))
    phase = std::max(phase, StepPhase::InLoop);
  return phase;
}

/// Whether computing the operand inside its user computes no element twice.
bool Planner::readsEachElementOnce(OpOperand &use) {
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
Operation *Planner::findRoot(Operation *op) {
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
AccumulateOp Planner::getDirectAccumulator(Operation *op) {
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

void Planner::addStep(Operation *op) {
  PlanStep step = {};
  step.op = op;
  step.kind = getStepKind(op);
  step.phase = phases.lookup(op);
  step.accumulator = getDirectAccumulator(op);
  if (step.kind == StepKind::Matmul)
    step.matmul = prism::detail::groupMatmulDims(cast<MatmulOp>(op),
                                                 getIterationSizes(op));
  if (step.kind == StepKind::Reduce) {
    step.reduce.outputs = countElements(op->getResult(0).getType());
    step.reduce.reduced =
        countElements(op->getOperand(0).getType()) / step.reduce.outputs;
  }
  storedBy[op] = plan.steps.size();
  if (step.accumulator)
    storedBy[step.accumulator] = plan.steps.size();
  plan.steps.push_back(std::move(step));
}

bool Planner::planSteps() {
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
  return true;
}
