//===- DimClasses.cpp - Data dims that are split together -----------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Symbolic dimension matching, once per form instead of once per parallel dim:
// equation (4) demands the same of each of them.
//
//===----------------------------------------------------------------------===//

#include "Prism/Search/LoopForms.h"

using namespace prism;

unsigned DimClasses::addSlot() {
  parent.push_back(parent.size());
  whole.resize(parent.size());
  return parent.size() - 1;
}

unsigned DimClasses::find(unsigned slot) const {
  while (parent[slot] != slot)
    slot = parent[slot];
  return slot;
}

void DimClasses::unite(unsigned a, unsigned b) {
  a = find(a);
  b = find(b);
  if (b < a)
    std::swap(a, b);
  parent[b] = a;
  if (whole.test(b))
    whole.set(a);
}

void DimClasses::addNode(const FormNode &node) {
  const IterationStructure &structure = node.op->structure;
  llvm::SmallVector<unsigned> &iteration = opSlots.emplace_back();
  for (IterationKind kind : structure.dims) {
    iteration.push_back(addSlot());
    if (kind == IterationKind::Whole)
      whole.set(iteration.back());
  }
  for (auto [map, operand] :
       llvm::zip_equal(structure.operandMaps, node.operands))
    for (auto [dim, factors] : llvm::enumerate(map)) {
      if (!factors.empty())
        unite(iteration[factors.front()], slots[operand][dim]);
      else
        whole.set(find(slots[operand][dim]));
    }
  llvm::SmallVector<unsigned> &result = slots.emplace_back();
  for (const auto &factors : structure.resultMap) {
    result.push_back(factors.empty() ? addSlot() : iteration[factors.front()]);
    if (factors.empty())
      whole.set(result.back());
  }
}

DimClasses::DimClasses(const Oracle &oracle, const Form &form) {
  for (const FormNode &node : form.nodes) {
    if (!node.isLoad()) {
      addNode(node);
      continue;
    }
    opSlots.emplace_back();
    llvm::SmallVector<unsigned> &dims = slots.emplace_back();
    for (const DimExpr &extent : getExtents(oracle.classes[node.cls].type)) {
      dims.push_back(addSlot());
      if (extent.isOne())
        whole.set(dims.back());
    }
  }
}

unsigned DimClasses::getNumConflicts() const {
  auto countRepeats = [&](llvm::ArrayRef<unsigned> list) {
    llvm::SmallVector<unsigned> classes;
    for (unsigned slot : list)
      classes.push_back(find(slot));
    llvm::sort(classes);
    return classes.end() - std::unique(classes.begin(), classes.end());
  };
  unsigned count = 0;
  for (const auto &list :
       llvm::concat<const llvm::SmallVector<unsigned>>(slots, opSlots))
    count += countRepeats(list);
  return count;
}

namespace {
/// Operand `operand` of form node `user`, which is a loader.
struct LoadUse {
  unsigned user, operand;
  unsigned loader = 0; ///< which of its argument's loaders it gets
};
} // namespace

static llvm::SmallVector<LoadUse> getLoadUses(const Form &form) {
  llvm::SmallVector<LoadUse> uses;
  for (auto [user, node] : llvm::enumerate(form.nodes))
    for (auto [index, operand] : llvm::enumerate(node.operands))
      if (form.nodes[operand].isLoad())
        uses.push_back(
            {static_cast<unsigned>(user), static_cast<unsigned>(index)});
  return uses;
}

/// `form`, with as many loaders of each argument as `uses` name.
static Form withLoaders(const Form &form, llvm::ArrayRef<LoadUse> uses) {
  Form result;
  llvm::SmallVector<unsigned> position(form.nodes.size());
  for (auto [index, node] : llvm::enumerate(form.nodes)) {
    position[index] = result.nodes.size();
    if (!node.isLoad()) {
      FormNode copy = node;
      for (unsigned &operand : copy.operands)
        operand = position[operand];
      result.nodes.push_back(std::move(copy));
      continue;
    }
    unsigned count = 0;
    for (const LoadUse &use : uses)
      if (form.nodes[use.user].operands[use.operand] == index)
        count = std::max(count, use.loader + 1);
    result.nodes.append(count, node);
  }
  for (const LoadUse &use : uses)
    result.nodes[position[use.user]].operands[use.operand] += use.loader;
  for (unsigned value : form.results)
    result.results.push_back(position[value]);
  result.numOps = form.numOps;
  return result;
}

/// Numbers the loaders of each argument without gaps.
static llvm::SmallVector<LoadUse> compact(const Form &form,
                                          llvm::ArrayRef<LoadUse> uses) {
  llvm::SmallVector<LoadUse> result(uses);
  for (auto [index, use] : llvm::enumerate(result)) {
    unsigned load = form.nodes[use.user].operands[use.operand];
    llvm::SmallVector<unsigned> lower;
    for (const LoadUse &other : uses)
      if (form.nodes[other.user].operands[other.operand] == load &&
          other.loader < uses[index].loader &&
          !llvm::is_contained(lower, other.loader))
        lower.push_back(other.loader);
    use.loader = lower.size();
  }
  return result;
}

void prism::splitLoads(const Oracle &oracle, Form &form) {
  if (DimClasses(oracle, form).getNumConflicts() == 0)
    return;
  // Each use takes the first loader with which it gets on.
  llvm::SmallVector<LoadUse> uses = getLoadUses(form);
  llvm::SmallVector<unsigned> numLoaders(form.nodes.size(), 0);
  for (LoadUse &use : uses)
    use.loader = numLoaders[form.nodes[use.user].operands[use.operand]]++;
  unsigned least =
      DimClasses(oracle, withLoaders(form, uses)).getNumConflicts();
  numLoaders.assign(form.nodes.size(), 0);
  for (LoadUse &use : uses) {
    unsigned &count = numLoaders[form.nodes[use.user].operands[use.operand]];
    unsigned own = use.loader;
    for (use.loader = 0; use.loader < count; ++use.loader)
      if (DimClasses(oracle, withLoaders(form, uses)).getNumConflicts() <=
          least)
        break;
    if (use.loader < count)
      continue;
    use.loader = own;
    count = own + 1;
  }
  form = withLoaders(form, compact(form, uses));
}
