//===- LoopForms.cpp - Loops and accumulators of a form -------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each split of the loaders along the loop, the states of all values are
// propagated; wherever a sum is pending, it is accumulated there, or handed on
// to where it is accumulated later.
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
        accumulated(form.nodes.size()) {}

  std::vector<LoopForm> run() {
    found.push_back(LoopForm(form.nodes.size()));
    if (options.pruneShape)
      splitClasses();
    else
      splitDims(LoadSplit(form.nodes.size()), 0, {});
    // An order that does not depend on how they were found.
    llvm::sort(found, [](const LoopForm &a, const LoopForm &b) {
      llvm::SmallVector<unsigned> left(a.set_bits()), right(b.set_bits());
      return std::make_pair(left.size(), left) <
             std::make_pair(right.size(), right);
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
    isAfter.reset();
    isAfter.resize(form.nodes.size());
    accumulated.reset();
    numAccumulated = 0;
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
    const FormNode &node = form.nodes[index];
    isAfter.reset(index);
    if (node.isLoad()) {
      states[index] = split[index] ? ParallelState::part(*split[index])
                                   : ParallelState::replicated();
      return visit(split, index + 1);
    }
    llvm::SmallVector<ParallelState> operands;
    bool after = false, varies = false;
    for (unsigned operand : node.operands) {
      operands.push_back(states[operand]);
      after |= isAfter.test(operand);
      varies |= states[operand].varies();
    }
    if (after && varies)
      return; // a value of one step, with one known after the loop
    states[index] = propagate(node.op->structure, operands);
    if (states[index].isInvalid())
      return;
    if (after)
      isAfter.set(index);
    if (states[index].isPendingSum() &&
        numAccumulated < options.maxAccumulators) {
      accumulated.set(index);
      ++numAccumulated;
      states[index] = ParallelState::replicated();
      isAfter.set(index);
      visit(split, index + 1);
      accumulated.reset(index);
      --numAccumulated;
      states[index] = ParallelState::pendingSum();
      isAfter.reset(index);
    }
    visit(split, index + 1);
  }

  void finish() {
    if (numAccumulated == 0 || llvm::any_of(form.results, [&](unsigned result) {
          return states[result].varies();
        }))
      return;
    hasValid = true;
    if (!llvm::is_contained(found, accumulated))
      found.push_back(accumulated);
  }

  const Oracle &oracle;
  const Form &form;
  const LoopFormOptions &options;
  Budget &budget;
  LoopFormStatistics &statistics;
  DimClasses classes;
  llvm::SmallVector<ParallelState> states;
  llvm::SmallBitVector isAfter; ///< known after the loop only
  LoopForm accumulated;
  unsigned numAccumulated = 0;
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
