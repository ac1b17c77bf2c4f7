//===- OutlineFollowers.cpp - What is computed along with a step ----------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An op follows the last of the steps that it waits for, if it reads that
// step's elements just where it has its own: all else it reads is there by
// then, so that computing it with the step breaks no dependence. Buffers that
// share memory are placed after that, by the steps' order.
//
//===----------------------------------------------------------------------===//

#include "Planner.h"
#include "StepOutliner.h"

using namespace mlir;
using namespace prism;
using namespace prism::detail;

/// Whether the owner computes each element from the operand's at its indices.
static bool readsOwnPoint(OpOperand &use) {
  Operation *owner = use.getOwner();
  if (!isElementwise(owner) || isIndexing(owner))
    return false;
  IterationStructure structure =
      cast<ComputeOpInterface>(owner).getIterationStructure();
  return structure.operandMaps[use.getOperandNumber()] == structure.resultMap &&
         llvm::all_of(structure.resultMap,
                      [](const auto &factors) { return factors.size() == 1; });
}

/// Calls `visit` with each op of a step whose tile is read where `op` is
/// computed, and whether just at the element that is: `isOwnPoint` says that of
/// `op` itself.
void StepOutliner::forEachRead(Operation *op, bool isOwnPoint,
                               function_ref<void(Operation *, bool)> visit) {
  auto read = [&](Value tile, bool isOwnPoint) {
    Operation *definition = tile.getDefiningOp();
    if (!definition)
      return; // a tensor
    if (storedBy.contains(definition))
      visit(definition, isOwnPoint);
    else
      forEachRead(definition, isOwnPoint, visit);
  };
  for (OpOperand &operand : op->getOpOperands())
    read(operand.get(), isOwnPoint && readsOwnPoint(operand));
  for (Value tile :
       llvm::drop_begin(prism::getReadTiles(op), op->getNumOperands()))
    read(tile, /*isOwnPoint=*/false);
}

/// Whether all of a tile's elements pass through registers just where they are
/// stored, each in one thread. What a shift's steps do beside that is theirs.
static bool canLead(const PlanStep &step) {
  bool hasElements = step.kind == StepKind::Elementwise ||
                     (step.kind == StepKind::Matmul && !step.accumulator);
  return hasElements && !isShift(step.op->getResult(0));
}

/// The step that `op` follows, or null if it is a step of its own.
PlanStep *StepOutliner::findLeader(Operation *op) {
  if (!isElementwise(op) || isShift(op->getResult(0)))
    return nullptr;
  SmallVector<std::pair<unsigned, bool>> reads;
  forEachRead(op, /*isOwnPoint=*/true, [&](Operation *read, bool isOwnPoint) {
    reads.push_back({storedBy.lookup(read), isOwnPoint});
  });
  if (reads.empty())
    return nullptr;
  unsigned last = llvm::max_element(reads)->first;
  PlanStep &leader = outline.steps[last];
  bool isAtPoint = llvm::all_of(
      reads, [&](auto read) { return read.first != last || read.second; });
  return isAtPoint && leader.phase == phases.lookup(op) && canLead(leader)
             ? &leader
             : nullptr;
}

/// Whether others than followers of `step` read `tile`, which it computes.
bool StepOutliner::isReadFromMemory(const PlanStep &step, Value tile) {
  if (!step.keeps(tile))
    return true;
  return llvm::any_of(getBody().without_terminator(), [&](Operation &op) {
    return llvm::is_contained(prism::getReadTiles(&op), tile) &&
           !llvm::is_contained(step.followers, roots.lookup(&op));
  });
}

void StepOutliner::collectStoredTiles() {
  for (const PlanStep &step : outline.steps) {
    Value tile = step.getStoredTile();
    if (tile && isReadFromMemory(step, tile))
      outline.storedTiles.push_back(tile);
    for (Operation *follower : step.followers)
      if (isReadFromMemory(step, follower->getResult(0)))
        outline.storedTiles.push_back(follower->getResult(0));
  }
}
