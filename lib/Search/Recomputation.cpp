//===- Recomputation.cpp - Values computed again in a loop ----------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the sums that the loop accumulates backwards: which values a step needs
// a part of, and of which dim (S1 read backwards).
//
//===----------------------------------------------------------------------===//

#include "Prism/Search/Recomputation.h"
#include "llvm/ADT/SmallBitVector.h"

#include <optional>

using namespace prism;

namespace {

/// A sum of the form, and the iteration dim that it runs over.
struct Sum {
  unsigned node, dim;
};

class Recomputer {
public:
  Recomputer(const Form &form, llvm::ArrayRef<Sum> sums)
      : form(form), sums(sums), isWhole(form.nodes.size()),
        partDim(form.nodes.size()) {}

  /// The form; none if no value is needed both ways, or if one cannot be split
  /// or is too dear.
  std::optional<Form> run() {
    for (unsigned result : form.results)
      needWhole(result);
    llvm::SmallVector<unsigned> twice = getTwice();
    if (isInvalid || twice.empty() ||
        !llvm::all_of(twice, [&](unsigned node) { return isCheap(node); }))
      return std::nullopt;
    return build();
  }

  /// The node of the result that is `node` whole, or a sum of the loop.
  unsigned getWhole(unsigned node) const { return whole[node]; }

private:
  const Sum *findSum(unsigned node) const {
    const auto *it =
        llvm::find_if(sums, [&](const Sum &sum) { return sum.node == node; });
    return it == sums.end() ? nullptr : it;
  }

  void needWhole(unsigned node) {
    if (isWhole.test(node))
      return;
    isWhole.set(node);
    if (const Sum *sum = findSum(node))
      return needOperands(node, sum->dim);
    for (unsigned operand : form.nodes[node].operands)
      needWhole(operand);
  }

  void needPart(unsigned node, unsigned dim) {
    if (partDim[node]) {
      isInvalid |= *partDim[node] != dim;
      return;
    }
    partDim[node] = dim;
    const FormNode &value = form.nodes[node];
    if (value.isLoad())
      return;
    const IterationStructure &structure = value.op->structure;
    const auto &factors = structure.resultMap[dim];
    // A sum that the loop accumulates is known after it.
    isInvalid |= value.op->isConstant() || findSum(node) || factors.empty() ||
                 structure.dims[factors.front()] != IterationKind::Parallel;
    if (!isInvalid)
      needOperands(node, factors.front());
  }

  /// What the op of `node` needs where its iteration dim `k` is split.
  void needOperands(unsigned node, unsigned k) {
    const FormNode &value = form.nodes[node];
    for (auto [map, operand] :
         llvm::zip_equal(value.op->structure.operandMaps, value.operands)) {
      if (!IterationStructure::carries(map, k)) {
        needWhole(operand);
        continue;
      }
      const auto *it = llvm::find_if(map, [&](const auto &factors) {
        return !factors.empty() && factors.front() == k;
      });
      if (it == map.end())
        isInvalid = true; // split in the middle of a merged dim
      else
        needPart(operand, it - map.begin());
    }
  }

  /// The nodes that are needed both ways.
  llvm::SmallVector<unsigned> getTwice() const {
    return llvm::filter_to_vector(isWhole.set_bits(), [&](unsigned node) {
      return partDim[node].has_value();
    });
  }

  bool isCheap(unsigned node) const {
    const FormNode &value = form.nodes[node];
    return value.isLoad() ||
           llvm::all_of(value.op->structure.dims, [](IterationKind kind) {
             return kind == IterationKind::Parallel;
           });
  }

  /// Which of its two nodes an operand of `user` is; `isPart`: of the user that
  /// is split.
  unsigned getOperand(unsigned user, unsigned index, bool isPart) const {
    const FormNode &value = form.nodes[user];
    unsigned operand = value.operands[index];
    const Sum *sum = isPart ? nullptr : findSum(user);
    if (!isPart && !sum)
      return whole[operand];
    const IterationStructure &structure = value.op->structure;
    unsigned k = sum ? sum->dim : structure.resultMap[*partDim[user]].front();
    bool isSplit = IterationStructure::carries(structure.operandMaps[index], k);
    return isSplit ? part[operand] : whole[operand];
  }

  void copy(Form &result, unsigned node, bool isPart) {
    (isPart ? part : whole)[node] = result.nodes.size();
    FormNode copied = form.nodes[node];
    for (auto [index, operand] : llvm::enumerate(copied.operands))
      operand = getOperand(node, index, isPart);
    result.numOps += copied.op && !copied.op->isConstant();
    result.nodes.push_back(std::move(copied));
  }

  Form build() {
    Form result;
    whole.resize(form.nodes.size());
    part.resize(form.nodes.size());
    for (unsigned node = 0; node < form.nodes.size(); ++node) {
      if (isWhole.test(node))
        copy(result, node, /*isPart=*/false);
      if (partDim[node])
        copy(result, node, /*isPart=*/true);
    }
    for (unsigned value : form.results)
      result.results.push_back(whole[value]);
    return result;
  }

  const Form &form;
  llvm::ArrayRef<Sum> sums;
  /// Per node: whether it is needed whole (or after the loop), and which dim of
  /// it is split where a step needs a part.
  llvm::SmallBitVector isWhole;
  llvm::SmallVector<std::optional<unsigned>> partDim;
  bool isInvalid = false;
  llvm::SmallVector<unsigned> whole, part; ///< nodes of the result
};

} // namespace

/// The extents summed over, in order, each with its sums.
static llvm::SmallVector<std::pair<DimExpr, llvm::SmallVector<Sum>>>
getSums(const Oracle &oracle, const Form &form) {
  llvm::SmallVector<std::pair<DimExpr, llvm::SmallVector<Sum>>> found;
  for (auto [index, node] : llvm::enumerate(form.nodes)) {
    if (node.isLoad())
      continue;
    llvm::SmallVector<mlir::Type> types;
    for (unsigned operand : node.operands)
      types.push_back(oracle.classes[form.nodes[operand].cls].type);
    auto extents = getIterationExtents(node.op->structure, types);
    for (auto [dim, kind] : llvm::enumerate(node.op->structure.dims)) {
      DimExpr extent = extents[dim];
      if (kind != IterationKind::Sum || extent.isOne() || extent.isUnknown())
        continue;
      auto *it = llvm::find_if(
          found, [&](const auto &one) { return one.first == extent; });
      if (it == found.end())
        it = &found.emplace_back(extent, llvm::SmallVector<Sum>());
      it->second.push_back(
          {static_cast<unsigned>(index), static_cast<unsigned>(dim)});
    }
  }
  return found;
}

/// Those that no other of them needs.
static llvm::SmallVector<Sum> getLastSums(const Form &form,
                                          llvm::ArrayRef<Sum> sums) {
  llvm::SmallVector<Sum> last;
  llvm::SmallBitVector isNeeded(form.nodes.size()); // by a sum
  for (unsigned node = form.nodes.size(); node-- > 0;) {
    const Sum *sum =
        llvm::find_if(sums, [&](const Sum &one) { return one.node == node; });
    bool isSum = sum != sums.end();
    if (isSum && !isNeeded.test(node))
      last.push_back(*sum);
    if (isSum || isNeeded.test(node))
      for (unsigned operand : form.nodes[node].operands)
        isNeeded.set(operand);
  }
  return last;
}

std::vector<RecomputingForm> prism::recomputeInLoops(const Oracle &oracle,
                                                     const Form &form) {
  std::vector<RecomputingForm> found;
  for (const auto &entry : getSums(oracle, form)) {
    llvm::SmallVector<Sum> last = getLastSums(form, entry.second);
    Recomputer recomputer(form, last);
    std::optional<Form> twice = recomputer.run();
    if (!twice)
      continue;
    RecomputingForm &result = found.emplace_back();
    result.form = std::move(*twice);
    for (const Sum &sum : last) {
      result.accumulated.push_back(sum.node);
      result.accumulatedTwice.push_back(recomputer.getWhole(sum.node));
    }
  }
  return found;
}
