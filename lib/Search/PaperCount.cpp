//===- PaperCount.cpp - Unique graphs as the paper counts them ------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Search/PaperCount.h"
#include "Prism/Search/NormalForm.h"
#include "llvm/ADT/DenseSet.h"
#include <map>
#include <set>

using namespace mlir;
using namespace prism;

namespace {
/// Splits the ops of a kernel into those before the accumulators and those
/// behind them, in every way.
class PlacementCounter {
public:
  /// By the number of reductions that accumulators take the place of, the
  /// placements: the normal forms of what is accumulated.
  using Placements = std::map<unsigned, std::set<std::set<std::string>>>;

  explicit PlacementCounter(KernelOp kernel) : kernel(kernel) {
    for (Operation &op : kernel.getBodyBlock())
      ops.push_back(&op);
  }

  Placements run() {
    visit(0);
    return std::move(placements);
  }

private:
  bool isAfter(Value value) const { return after.contains(value); }

  /// Whether the operand is neither loaded nor known to be constant.
  static bool isComputed(Value value) {
    Operation *op = value.getDefiningOp();
    if (auto cast = dyn_cast_or_null<CastOp>(op))
      return isComputed(cast.getInput());
    return op && !isa<LoadOp, ConstantOp>(op);
  }

  void visit(size_t index) {
    if (index == ops.size())
      return finish();
    Operation *op = ops[index];
    bool follows = llvm::any_of(op->getOperands(),
                                [&](Value value) { return isAfter(value); });
    if (isa<LoadOp, SaveOp, YieldOp, ConstantOp>(op))
      return visit(index + 1);
    if (isa<CastOp>(op)) {
      if (follows)
        after.insert(op->getResult(0));
      visit(index + 1);
      after.erase(op->getResult(0));
      return;
    }
    if (!follows)
      visit(index + 1);
    // What is loaded does not get behind the accumulators.
    bool canFollow =
        !isa<MatmulOp>(op) && llvm::all_of(op->getOperands(), [](Value value) {
          return isComputed(value) || value.getDefiningOp<ConstantOp>();
        });
    if (!canFollow)
      return;
    after.insert(op->getResult(0));
    visit(index + 1);
    after.erase(op->getResult(0));
  }

  static Operation *lookThroughCasts(Value value) {
    Operation *op = value.getDefiningOp();
    while (auto cast = dyn_cast<CastOp>(op))
      op = cast.getInput().getDefiningOp();
    return op;
  }

  void finish() {
    llvm::DenseSet<Operation *> accumulated;
    for (Operation *op : ops) {
      bool reads =
          isa<SaveOp>(op) || (op->getNumResults() && isAfter(op->getResult(0)));
      if (!reads)
        continue;
      for (Value operand : op->getOperands())
        if (!isAfter(operand) && isComputed(operand))
          accumulated.insert(lookThroughCasts(operand));
    }
    unsigned reductions = llvm::count_if(
        accumulated, [](Operation *op) { return isa<ReduceSumOp>(op); });
    std::set<std::string> normalForms;
    for (Operation *op : accumulated)
      normalForms.insert(getUnmappedNormalForm(kernel, op->getResult(0)));
    placements[reductions].insert(std::move(normalForms));
  }

  KernelOp kernel;
  SmallVector<Operation *> ops;
  llvm::DenseSet<Value> after;
  Placements placements;
};
} // namespace

/// Whether no matrix product uses what an accumulator feeds.
static bool accumulatesProducts(KernelOp kernel) {
  llvm::DenseSet<Value> after;
  for (Operation &op : kernel.getBodyBlock()) {
    bool follows = isa<AccumulateOp>(op) ||
                   llvm::any_of(op.getOperands(),
                                [&](Value v) { return after.contains(v); });
    if (follows && isa<MatmulOp>(op))
      return false;
    if (follows)
      after.insert(op.result_begin(), op.result_end());
  }
  return true;
}

static bool hasLoop(KernelOp kernel) {
  return llvm::any_of(kernel.getParallelDims(), [](ParallelDimAttr dim) {
    return dim.getKind() == ParallelKind::Loop;
  });
}

uint64_t prism::countPaperGraphs(ArrayRef<CandidateOp> candidates) {
  std::set<std::string> loops;
  // By the number of reductions that accumulators do: a normal form, and what
  // is accumulated.
  std::map<unsigned, std::set<std::pair<std::string, std::set<std::string>>>>
      placements;
  for (CandidateOp candidate : candidates) {
    KernelOp kernel = *candidate.getBodyBlock().getOps<KernelOp>().begin();
    if (hasLoop(kernel)) {
      if (accumulatesProducts(kernel))
        loops.insert(getNormalForm(candidate));
    } else {
      std::string normalForm = getNormalForm(candidate);
      for (const auto &[reductions, sets] : PlacementCounter(kernel).run())
        for (const std::set<std::string> &accumulated : sets)
          placements[reductions].insert({normalForm, accumulated});
    }
  }
  // Each reduction that an accumulator does is one op less.
  return loops.size() +
         (placements.empty() ? 0 : placements.rbegin()->second.size());
}
