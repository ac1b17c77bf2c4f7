//===- KernelGraph.cpp - Which kernels compute a form ---------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Search/KernelGraph.h"

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
