//===- LoopForms.cpp - Loops and accumulators of a form -------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each split of the loaders along the loop, the states of all values are
// propagated; wherever a sum is pending, it is accumulated there, or handed on
// to where it is accumulated later. A pending maximum may be accumulated, too:
// what varies from step to step sees the maximum of its own step all the same.
//
//===----------------------------------------------------------------------===//

#include "Prism/Search/LoopForms.h"

using namespace prism;

namespace {

/// A choice of split data dims: per loader its dim, or none.
using LoadSplit = llvm::SmallVector<std::optional<unsigned>>;

class LoopFormEnumerator {
public:
  LoopFormEnumerator(const Oracle &oracle, const Form &form,
                     const LoopFormOptions &options, Budget &budget,
                     LoopFormStatistics &statistics)
      : oracle(oracle), form(form), options(options), budget(budget),
        statistics(statistics), classes(oracle, form),
        current(form.nodes.size()) {}

  std::vector<LoopForm> run() {
    found.push_back(LoopForm(form.nodes.size()));
    if (options.pruneShape)
      splitClasses();
    else
      splitDims(LoadSplit(form.nodes.size()), 0, {});
    // An order that does not depend on how they were found.
    auto getKey = [](const LoopForm &loop) {
      llvm::SmallVector<unsigned> key = {
          static_cast<unsigned>(loop.accumulators.size())};
      for (const Accumulator &accumulator : loop.accumulators) {
        key.append({accumulator.node, static_cast<unsigned>(accumulator.kind),
                    accumulator.shift});
        key.append(accumulator.shiftDims.begin(), accumulator.shiftDims.end());
      }
      key.append(loop.isAfter.set_bits_begin(), loop.isAfter.set_bits_end());
      return key;
    };
    llvm::sort(found, [&](const LoopForm &a, const LoopForm &b) {
      return getKey(a) < getKey(b);
    });
    return std::move(found);
  }

private:
  struct Candidate {
    unsigned cls;
    DimExpr extent;
  };

  /// Classes of loader dims that may be split.
  llvm::SmallVector<Candidate> getCandidates() const {
    llvm::SmallVector<Candidate> candidates;
    for (auto [index, node] : llvm::enumerate(form.nodes)) {
      if (!node.isLoad())
        continue;
      auto extents = getExtents(oracle.classes[node.cls].type);
      for (auto [dim, extent] : llvm::enumerate(extents)) {
        unsigned cls = classes.get(index, dim);
        bool isNew = llvm::none_of(candidates, [&](const Candidate &other) {
          return other.cls == cls;
        });
        if (isNew && !classes.isWhole(cls))
          candidates.push_back({cls, extent});
      }
    }
    return candidates;
  }

  /// Adds classes of one extent, in order, and places accumulators under each
  /// split that is right.
  void splitClasses() {
    llvm::SmallVector<Candidate> candidates = getCandidates();
    for (unsigned first = 0; first < candidates.size(); ++first)
      addClass(candidates, first, LoadSplit(form.nodes.size()));
  }

  void addClass(llvm::ArrayRef<Candidate> candidates, unsigned index,
                LoadSplit split) {
    if (!budget.step())
      return;
    for (auto [node, choice] : llvm::enumerate(split)) {
      if (!form.nodes[node].isLoad())
        continue;
      unsigned rank = getRank(oracle.classes[form.nodes[node].cls].type);
      for (unsigned dim = 0; dim < rank; ++dim) {
        if (classes.get(node, dim) != candidates[index].cls)
          continue;
        if (choice) { // equation (1)
          ++statistics.prunedByShape;
          return;
        }
        choice = dim;
      }
    }
    place(split);
    for (unsigned next = index + 1; next < candidates.size(); ++next)
      if (candidates[next].extent == candidates[index].extent)
        addClass(candidates, next, split);
  }

  /// Without dim classes: every dim of every loader, or none.
  void splitDims(LoadSplit split, unsigned node, DimExpr extent) {
    if (!budget.step())
      return;
    if (node == form.nodes.size() || !form.nodes[node].isLoad()) {
      if (!extent.isUnknown())
        place(split);
      return;
    }
    splitDims(split, node + 1, extent);
    auto extents = getExtents(oracle.classes[form.nodes[node].cls].type);
    for (auto [dim, candidate] : llvm::enumerate(extents)) {
      if (candidate.isOne() || (!extent.isUnknown() && extent != candidate))
        continue;
      split[node] = dim;
      splitDims(split, node + 1, candidate);
    }
  }

  void place(const LoadSplit &split) {
    states.assign(form.nodes.size(), ParallelState::replicated());
    current = LoopForm(form.nodes.size());
    hasValid = false;
    visit(split, 0);
    if (!hasValid)
      ++statistics.prunedByShape;
  }

  /// Nodes from `index` on, in topological order.
  void visit(const LoadSplit &split, unsigned index) {
    if (!budget.step())
      return;
    if (index == form.nodes.size())
      return finish();
    current.isAfter.reset(index);
    if (form.nodes[index].isLoad()) {
      states[index] = split[index] ? ParallelState::part(*split[index])
                                   : ParallelState::replicated();
      return visit(split, index + 1);
    }
    if (!propagateTo(index))
      return;
    if (states[index].isPending() &&
        current.accumulators.size() < options.maxAccumulators) {
      ParallelState pending = states[index];
      bool isMax = pending.isPendingMax();
      current.accumulators.push_back(getAccumulator(index, pending));
      if (!isMax) {
        states[index] = ParallelState::replicated();
        current.isAfter.set(index);
      }
      visit(split, index + 1);
      current.accumulators.pop_back();
      states[index] = pending;
      current.isAfter.reset(index);
    }
    visit(split, index + 1);
  }

  /// Sets the state of node `index`, and whether it runs after the loop. False
  /// if no loop can compute it.
  bool propagateTo(unsigned index) {
    const FormNode &node = form.nodes[index];
    llvm::SmallVector<ParallelState> operands;
    bool after = false, varies = false;
    for (unsigned operand : node.operands) {
      operands.push_back(states[operand]);
      after |= current.isAfter.test(operand);
      varies |= states[operand].varies() && !isAccumulatedMax(operand);
    }
    // Where nothing else varies, the maximum of all steps is meant.
    for (auto [operand, state] : llvm::zip_equal(node.operands, operands))
      if (isAccumulatedMax(operand) && !varies) {
        state = ParallelState::replicated();
        after = true;
      }
    if (after && varies)
      return false; // a value of one step, with one known after the loop
    states[index] =
        propagate(node.op->prototype, node.op->structure, operands, index);
    if (after)
      current.isAfter.set(index);
    return !states[index].isInvalid();
  }

  bool isAccumulatedMax(unsigned node) const {
    const Accumulator *accumulator = current.find(node);
    return accumulator && accumulator->kind == AccumulatorKind::Max;
  }

  static Accumulator getAccumulator(unsigned node, const ParallelState &state) {
    if (state.isPendingMax())
      return {node, AccumulatorKind::Max, 0, {}};
    if (state.isPendingSum())
      return {node, AccumulatorKind::Sum, 0, {}};
    return {node, AccumulatorKind::RescaledSum, state.shift, state.shiftDims};
  }

  /// Whether the maximum of all steps of node `index` is asked for.
  bool isUsedAfter(const LoopForm &loop, unsigned index) const {
    if (llvm::is_contained(form.results, index))
      return true;
    for (unsigned user : loop.isAfter.set_bits())
      if (llvm::is_contained(form.nodes[user].operands, index))
        return true;
    return false;
  }

  void finish() {
    if (!current.hasLoop())
      return;
    for (unsigned result : form.results)
      if (states[result].varies() && !isAccumulatedMax(result))
        return;
    LoopForm loop = current;
    for (const Accumulator &accumulator : loop.accumulators)
      loop.isAfter.reset(accumulator.node); // it runs in the loop
    for (const Accumulator &accumulator : loop.accumulators)
      if (accumulator.kind == AccumulatorKind::Max &&
          !isUsedAfter(loop, accumulator.node))
        return;
    hasValid = true;
    if (!llvm::is_contained(found, loop))
      found.push_back(std::move(loop));
  }

  const Oracle &oracle;
  const Form &form;
  const LoopFormOptions &options;
  Budget &budget;
  LoopFormStatistics &statistics;
  DimClasses classes;
  llvm::SmallVector<ParallelState> states;
  /// Until the end, accumulated sums count as known after the loop.
  LoopForm current;
  bool hasValid = false;
  std::vector<LoopForm> found;
};

} // namespace

std::vector<LoopForm>
prism::enumerateLoopForms(const Oracle &oracle, const Form &form,
                          const LoopFormOptions &options, Budget &budget,
                          LoopFormStatistics &statistics) {
  return LoopFormEnumerator(oracle, form, options, budget, statistics).run();
}
