//===- RangeSafety.cpp - Equal over the reals is not enough ---------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Search/RangeSafety.h"
#include "Prism/Dialect/Canonicalization.h"

using namespace mlir;
using namespace prism;

/// f16 for its range and its digits, bf16 for its digits: rounding logits to 8
/// bits makes an exponential of some hundreds anything.
static bool isNarrow(Type type) { return type.isF16() || type.isBF16(); }

RangeSafety::RangeSafety(ProgramOp program, Oracle &oracle) : oracle(oracle) {
  llvm::DenseMap<Value, unsigned> classes = oracle.findProgramValues(program);
  auto insert = [&](Value value, llvm::DenseSet<unsigned> &set) {
    if (auto it = classes.find(value); it != classes.end())
      set.insert(it->second);
  };
  for (Operation &op : program.getBodyBlock().without_terminator()) {
    if (isa<ExpOp>(op))
      insert(op.getOperand(0), exponents);
    if (isNarrow(getElementType(op.getResult(0).getType())))
      insert(op.getResult(0), rounded);
    if (isa<MatmulOp, ReduceSumOp>(op))
      for (Value operand : op.getOperands())
        insert(operand, isa<MatmulOp>(op) ? multiplied : summed);
    if (isa<MatmulOp>(op) && oracle.precision == Precision::Relaxed)
      for (Type type : op.getOperandTypes())
        roundsOperands |= isNarrow(getElementType(type));
  }
}

template <typename OpT>
static const OracleNode *findNode(const OracleClass &cls) {
  for (const OracleNode &node : cls.nodes)
    if (isa<OpT>(node.prototype))
      return &node;
  return nullptr;
}

/// Whether `node` takes, as its second operand, a reduction by `ReduceT` of its
/// first one, and of each element the one over the elements beside it: in
/// x[i, j] - m[i], where m is the maximum over j, but not in x[i, j] - m[j].
template <typename ReduceT>
static bool takesOwnReduction(const Oracle &oracle, const OracleNode &node) {
  const IndexMap &elementMap = node.structure.operandMaps[0];
  const IndexMap &reducedMap = node.structure.operandMaps[1];
  for (const OracleNode &reduce : oracle.classes[node.operands[1]].nodes) {
    if (!isa<ReduceT>(reduce.prototype) ||
        reduce.operands[0] != node.operands[0])
      continue;
    const IndexMap &inputMap = reduce.structure.operandMaps[0];
    const IndexMap &resultMap = reduce.structure.resultMap;
    if (llvm::all_of(llvm::zip_equal(resultMap, reducedMap), [&](auto dims) {
          auto [factors, taken] = dims;
          const auto *it = llvm::find(inputMap, factors);
          return it != inputMap.end() &&
                 elementMap[it - inputMap.begin()] == taken;
        }))
      return true;
  }
  return false;
}

bool RangeSafety::isAtMostZero(unsigned cls) const {
  return llvm::any_of(oracle.classes[cls].nodes, [&](const OracleNode &node) {
    return isa<SubOp>(node.prototype) &&
           takesOwnReduction<ReduceMaxOp>(oracle, node);
  });
}

bool RangeSafety::isAtMostOne(unsigned cls) const {
  for (const OracleNode &node : oracle.classes[cls].nodes) {
    if (isa<TanhOp, ErfOp, SigmoidOp>(node.prototype))
      return true;
    if (isa<ExpOp>(node.prototype) && isAtMostZero(node.operands[0]))
      return true;
    // One term of a sum of exponentials, over that sum.
    if (isa<DivOp>(node.prototype) &&
        findNode<ExpOp>(oracle.classes[node.operands[0]]) &&
        takesOwnReduction<ReduceSumOp>(oracle, node))
      return true;
  }
  return false;
}

bool RangeSafety::mayBeRounded(const Form &form, unsigned index) const {
  const FormNode &node = form.nodes[index];
  if (node.isLoad() || node.op->isConstant() || rounded.contains(node.cls) ||
      isAtMostOne(node.cls))
    return true;
  return isDataMovement(cast<ComputeOpInterface>(node.op->prototype)) &&
         llvm::all_of(node.operands, [&](unsigned operand) {
           return mayBeRounded(form, operand);
         });
}

bool RangeSafety::hasLargeExponential(const Form &form, unsigned index) const {
  const FormNode &node = form.nodes[index];
  if (node.isLoad() || isAtMostOne(node.cls))
    return false;
  Operation *prototype = node.op->prototype;
  if (isa<ExpOp>(prototype)) {
    unsigned exponent = form.nodes[node.operands[0]].cls;
    return !isAtMostZero(exponent) && !isAtMostOne(exponent);
  }
  if (isa<DivOp>(prototype))
    return hasLargeExponential(form, node.operands[0]);
  if (!isa<MulOp>(prototype) &&
      !isDataMovement(cast<ComputeOpInterface>(prototype)))
    return false;
  return llvm::any_of(node.operands, [&](unsigned operand) {
    return hasLargeExponential(form, operand);
  });
}

bool RangeSafety::isSafeExponent(unsigned cls) const {
  return exponents.contains(cls) || isAtMostZero(cls);
}

unsigned RangeSafety::removeUnsafeNodes() {
  unsigned removed = 0;
  for (OracleClass &cls : oracle.classes)
    llvm::erase_if(cls.nodes, [&](const OracleNode &node) {
      bool isUnsafe =
          isa<ExpOp>(node.prototype) && !isSafeExponent(node.operands[0]);
      removed += isUnsafe;
      return isUnsafe;
    });
  return removed;
}

std::optional<unsigned> RangeSafety::findUnsafe(const Form &form) const {
  for (auto [index, node] : llvm::enumerate(form.nodes)) {
    if (node.isLoad())
      continue;
    Operation *prototype = node.op->prototype;
    if (isa<ExpOp>(prototype) &&
        !isSafeExponent(form.nodes[node.operands[0]].cls))
      return index;
    if (!isa<MatmulOp, ReduceSumOp>(prototype))
      continue;
    bool isProduct = isa<MatmulOp>(prototype);
    const llvm::DenseSet<unsigned> &known = isProduct ? multiplied : summed;
    for (unsigned operand : node.operands)
      if ((isProduct && roundsOperands && !mayBeRounded(form, operand)) ||
          (!known.contains(form.nodes[operand].cls) &&
           hasLargeExponential(form, operand)))
        return operand;
  }
  return std::nullopt;
}
