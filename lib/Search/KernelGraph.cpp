//===- KernelGraph.cpp - Which kernels compute a form ---------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Search/KernelGraph.h"

using namespace mlir;
using namespace prism;

namespace {
/// A part of a form, as a form.
struct SubForm {
  Form form;
  llvm::SmallVector<int> position; ///< of each node of the whole, or -1
};
} // namespace

/// What `results` are computed from; nodes in `cut` are loaded.
static SubForm extract(const Form &whole, llvm::ArrayRef<unsigned> results,
                       const llvm::SmallBitVector &cut) {
  llvm::SmallBitVector needed(whole.nodes.size());
  for (unsigned result : results)
    needed.set(result);
  for (unsigned node = whole.nodes.size(); node-- > 0;)
    if (needed.test(node) && !cut.test(node))
      for (unsigned operand : whole.nodes[node].operands)
        needed.set(operand);

  SubForm part;
  part.position.assign(whole.nodes.size(), -1);
  auto isLoad = [&](unsigned node) {
    return whole.nodes[node].isLoad() || cut.test(node);
  };
  for (unsigned node : needed.set_bits()) // loads first
    if (isLoad(node)) {
      part.position[node] = part.form.nodes.size();
      part.form.nodes.push_back({whole.nodes[node].cls, nullptr, {}});
    }
  for (unsigned node : needed.set_bits()) {
    if (isLoad(node))
      continue;
    FormNode copy = whole.nodes[node];
    for (unsigned &operand : copy.operands)
      operand = part.position[operand];
    part.position[node] = part.form.nodes.size();
    part.form.numOps += !copy.op->isConstant();
    part.form.nodes.push_back(std::move(copy));
  }
  for (unsigned result : results)
    part.form.results.push_back(part.position[result]);
  return part;
}

KernelGraph prism::getSingleKernel(const Form &form, const LoopForm &loop) {
  KernelForm kernel(form);
  kernel.loop = loop;
  return {kernel};
}

/// Accumulated nodes and the maxima that shift them, ascending.
static llvm::SmallVector<unsigned> getPartialNodes(const LoopForm &loop) {
  llvm::SmallVector<unsigned> nodes;
  for (const Accumulator &accumulator : loop.accumulators) {
    nodes.push_back(accumulator.node);
    if (accumulator.isRescaled())
      nodes.push_back(accumulator.shift);
  }
  llvm::sort(nodes);
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

static KernelForm getPartialKernel(const Form &form, const LoopForm &loop,
                                   llvm::ArrayRef<unsigned> partials,
                                   bool withLoop) {
  SubForm part =
      extract(form, partials, llvm::SmallBitVector(form.nodes.size()));
  KernelForm kernel(std::move(part.form));
  kernel.writesPartials = true;
  if (!withLoop)
    return kernel;
  for (unsigned node : partials) {
    const Accumulator *old = loop.find(node);
    unsigned at = part.position[node];
    Accumulator accumulator{at, AccumulatorKind::Max, 0, {}};
    if (old && old->isRescaled())
      accumulator = {at, old->kind,
                     static_cast<unsigned>(part.position[old->shift]),
                     old->shiftDims};
    else if (old)
      accumulator.kind = old->kind;
    kernel.loop.accumulators.push_back(std::move(accumulator));
  }
  llvm::sort(kernel.loop.accumulators,
             [](const Accumulator &a, const Accumulator &b) {
               return a.node < b.node;
             });
  return kernel;
}

static KernelForm getCombiningKernel(const Form &form, const LoopForm &loop,
                                     llvm::ArrayRef<unsigned> partials) {
  llvm::SmallBitVector cut(form.nodes.size());
  for (unsigned node : partials)
    cut.set(node);
  // The maxima are loaded, though nothing after them need use them.
  llvm::SmallVector<unsigned> roots(form.results);
  roots.append(partials.begin(), partials.end());
  SubForm rest = extract(form, roots, cut);
  rest.form.results.truncate(form.results.size());
  KernelForm kernel(std::move(rest.form));
  for (unsigned node : partials) {
    const Accumulator *accumulator = loop.find(node);
    Combination combination{AccumulatorKind::Max, 0, {}};
    if (accumulator)
      combination = {
          accumulator->kind,
          accumulator->isRescaled()
              ? static_cast<unsigned>(rest.position[accumulator->shift])
              : 0,
          accumulator->shiftDims};
    kernel.combinations[rest.position[node]] = std::move(combination);
  }
  return kernel;
}

KernelGraph prism::getSplitKernels(const Form &form, const LoopForm &loop,
                                   bool withLoop) {
  llvm::SmallVector<unsigned> partials = getPartialNodes(loop);
  return {getPartialKernel(form, loop, partials, withLoop),
          getCombiningKernel(form, loop, partials)};
}

/// The classes that a stage computes, in order.
static llvm::SmallVector<unsigned> getComputed(const KernelGraph &stage) {
  const Form &form = stage.back().form;
  return llvm::map_to_vector(
      form.results, [&](unsigned result) { return form.nodes[result].cls; });
}

static bool reads(const KernelGraph &stage, const KernelGraph &other) {
  llvm::SmallVector<unsigned> computed = getComputed(other);
  return llvm::any_of(stage, [&](const KernelForm &kernel) {
    return llvm::any_of(kernel.form.nodes, [&](const FormNode &node) {
      return node.isLoad() && llvm::is_contained(computed, node.cls);
    });
  });
}

bool prism::isInOrder(const Stages &stages) {
  const KernelGraph &last = stages.back();
  for (const KernelGraph &other :
       llvm::reverse(llvm::ArrayRef(stages).drop_back())) {
    if (reads(last, other))
      return true;
    if (getComputed(last) < getComputed(other))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Cuts
//===----------------------------------------------------------------------===//

/// One product of two loaded tensors.
static bool isPredefined(const Form &form, const FormNode &node) {
  return !node.isLoad() && isa<MatmulOp>(node.op->prototype) &&
         llvm::all_of(node.operands, [&](unsigned operand) {
           return form.nodes[operand].isLoad();
         });
}

static bool isPredefinedKernel(const Form &form) {
  return form.numOps == 1 && isPredefined(form, form.nodes.back());
}

namespace {
class CutEnumerator {
public:
  CutEnumerator(const Oracle &oracle, const Form &form, unsigned maxValues)
      : oracle(oracle), form(form), maxValues(maxValues),
        isFirst(form.nodes.size()) {}

  std::vector<Cut> run() {
    visit(0);
    return std::move(cuts);
  }

  /// The cut after the nodes in `first`; none if a value that is read cannot be
  /// written out, or if there are too many.
  std::optional<Cut> makeCut(const llvm::SmallBitVector &first) const {
    llvm::SmallBitVector isRead(form.nodes.size());
    for (auto [index, node] : llvm::enumerate(form.nodes))
      if (!first.test(index))
        for (unsigned operand : node.operands)
          if (first.test(operand))
            isRead.set(operand);
    // A result that only the first part has is yielded from there.
    llvm::SmallVector<unsigned> rest;
    for (unsigned result : form.results)
      if (!first.test(result) || isRead.test(result))
        rest.push_back(result);
    for (unsigned result : form.results)
      if (first.test(result))
        isRead.set(result);
    llvm::SmallVector<unsigned> values(isRead.set_bits());
    bool hasCondition = llvm::any_of(values, [&](unsigned value) {
      return getElementType(oracle.classes[form.nodes[value].cls].type)
          .isInteger(1);
    });
    if (values.size() > maxValues || hasCondition)
      return std::nullopt;
    SubForm before =
        extract(form, values, llvm::SmallBitVector(form.nodes.size()));
    SubForm after = extract(form, rest, isRead);
    return Cut{KernelForm(std::move(before.form)),
               KernelForm(std::move(after.form))};
  }

private:
  bool isOp(unsigned node) const {
    return !form.nodes[node].isLoad() && !form.nodes[node].op->isConstant();
  }

  /// Decides for the nodes from `index` on whether they are computed first.
  void visit(unsigned index) {
    if (index == form.nodes.size()) {
      bool isAll = llvm::all_of(llvm::seq<unsigned>(0, index), [&](unsigned i) {
        return !isOp(i) || isFirst.test(i);
      });
      if (isFirst.none() || isAll)
        return;
      std::optional<Cut> cut = makeCut(isFirst);
      if (cut && !isPredefinedKernel(cut->first.form))
        cuts.push_back(std::move(*cut));
      return;
    }
    visit(index + 1);
    bool canBeFirst =
        isOp(index) &&
        llvm::all_of(form.nodes[index].operands, [&](unsigned operand) {
          return !isOp(operand) || isFirst.test(operand);
        });
    if (!canBeFirst)
      return;
    isFirst.set(index);
    visit(index + 1);
    isFirst.reset(index);
  }

  const Oracle &oracle;
  const Form &form;
  unsigned maxValues;
  llvm::SmallBitVector isFirst;
  std::vector<Cut> cuts;
};
} // namespace

std::vector<Cut> prism::enumerateCuts(const Oracle &oracle, const Form &form,
                                      unsigned maxValues) {
  return CutEnumerator(oracle, form, maxValues).run();
}

std::vector<Cut> prism::enumeratePredefined(const Oracle &oracle,
                                            const Form &form) {
  std::vector<Cut> cuts;
  for (auto [index, node] : llvm::enumerate(form.nodes)) {
    if (node.isLoad() || !isa<MatmulOp>(node.op->prototype) ||
        form.numOps == 1 || !llvm::all_of(node.operands, [&](unsigned operand) {
          return form.nodes[operand].isLoad();
        }))
      continue;
    llvm::SmallBitVector first(form.nodes.size());
    first.set(index);
    std::optional<Cut> cut = CutEnumerator(oracle, form, 1).makeCut(first);
    if (!cut)
      continue;
    cut->first.isPredefined = true;
    cuts.push_back(std::move(*cut));
  }
  return cuts;
}
