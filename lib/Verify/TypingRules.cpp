//===- TypingRules.cpp - The checker's own rules of typing ----------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TypingRules.h"

using namespace mlir;
using namespace prism;
using egraph::TermId;

static bool isChunkAlong(const DimExpr &extent, StringRef parallel) {
  bool found = false;
  extent.walkSplits(
      [&](const Split &split) { found |= split.dim == parallel; });
  return found;
}

static bool hasChunkAlong(const TermFact &fact, StringRef parallel) {
  return llvm::any_of(fact.extents, [&](const DimExpr &extent) {
    return isChunkAlong(extent, parallel);
  });
}

//===----------------------------------------------------------------------===//
// Signs
//===----------------------------------------------------------------------===//

/// Signs come from the operands' where the op is one of these.
static void giveSign(Operation *op, ArrayRef<const TermFact *> x,
                     TermFact &fact) {
  auto all = [&](bool TermFact::*sign) {
    return llvm::all_of(x, [&](const TermFact *f) { return f->*sign; });
  };
  bool nonZero = all(&TermFact::isNonZero);
  bool nonNegative = all(&TermFact::isNonNegative);
  if (isa<ExpOp, SigmoidOp, RsqrtOp>(op)) {
    fact.isNonZero = fact.isNonNegative = true;
  } else if (isa<SquareOp, SqrtOp>(op)) {
    fact.isNonZero = nonZero;
    fact.isNonNegative = true;
  } else if (isa<ReluOp>(op)) {
    fact.isNonNegative = true;
  } else if (isa<ReciprocalOp>(op)) {
    fact.isNonZero = true;
    fact.isNonNegative = nonNegative;
  } else if (isa<NegOp>(op)) {
    fact.isNonZero = nonZero;
  } else if (isa<MulOp, DivOp, TransposeOp, BroadcastOp, SliceOp, ReshapeOp,
                 ConcatOp, ReduceMaxOp>(op)) {
    fact.isNonZero = nonZero;
    fact.isNonNegative = nonNegative;
  } else if (isa<MatmulOp, ReduceSumOp>(op)) {
    // Numbers of one sign that are not zero do not add up to zero.
    fact.isNonZero = nonZero && nonNegative;
    fact.isNonNegative = nonNegative;
  } else if (isa<AddOp>(op)) {
    fact.isNonNegative = nonNegative;
    fact.isNonZero = nonNegative && (x[0]->isNonZero || x[1]->isNonZero);
  } else if (auto constant = dyn_cast<ConstantOp>(op)) {
    if (auto number = dyn_cast<FloatAttr>(constant.getValue())) {
      fact.isNonZero =
          number.getValue().isNonZero() && !number.getValue().isNaN();
      fact.isNonNegative =
          !number.getValue().isNaN() && !(number.getValueAsDouble() < 0);
    } else {
      // An extent: no program has an empty dim.
      fact.isNonZero = fact.isNonNegative =
          isa<DimExprAttr>(constant.getValue());
    }
  }
}

//===----------------------------------------------------------------------===//
// Compute ops
//===----------------------------------------------------------------------===//

/// The extent of a data dim of these factors; unknown if one is.
static DimExpr multiply(ArrayRef<unsigned> factors, ArrayRef<DimExpr> extents) {
  if (factors.size() == 1)
    return extents[factors.front()];
  DimExpr product = DimExpr::constant(1);
  for (unsigned dim : factors) {
    if (extents[dim].isUnknown())
      return DimExpr();
    product = product * extents[dim];
  }
  return product;
}

std::optional<TermFact> TypingRules::typeCompute(const Prototype &op,
                                                 Facts operands) const {
  const IterationStructure &structure = op.structure;
  if (structure.operandMaps.size() != operands.size())
    return std::nullopt;
  SmallVector<DimExpr> extents(op.ownExtents);
  TermFact fact;
  for (bool isMerged : {false, true})
    for (auto [map, operand] : llvm::zip(structure.operandMaps, operands)) {
      if (operand->isIllTyped || operand->free != operands.front()->free ||
          map.size() != operand->extents.size())
        return std::nullopt;
      for (auto [factors, extent] : llvm::zip(map, operand->extents)) {
        if ((factors.size() != 1) != isMerged)
          continue;
        // Single dims tell the extents; merged ones must agree.
        if (!isMerged && extents[factors.front()].isUnknown())
          extents[factors.front()] = extent;
        if (multiply(factors, extents) != extent)
          return std::nullopt;
      }
    }
  for (const auto &factors : structure.resultMap) {
    fact.extents.push_back(multiply(factors, extents));
    if (fact.extents.back().isUnknown())
      return std::nullopt;
  }
  if (auto concat = dyn_cast<ConcatOp>(op.op)) {
    DimExpr sum = operands.front()->extents[concat.getDim()];
    for (const TermFact *operand : operands.drop_front())
      sum = sum + operand->extents[concat.getDim()];
    if (sum != fact.extents[concat.getDim()])
      return std::nullopt;
  }
  if (!operands.empty())
    fact.free = operands.front()->free;
  giveSign(op.op, operands, fact);
  // The chunk of a chunk may be empty: then there is nothing to reduce.
  for (auto [kind, extent] : llvm::zip(structure.dims, extents))
    if (kind != IterationKind::Parallel && extent.isQuotient() &&
        extent.quotientBase().isQuotient()) {
      fact.isNonZero = false;
      fact.isNonNegative &= !isa<ReduceMaxOp>(op.op);
    }
  return fact;
}

std::optional<TermFact> TypingRules::typeRescale(const Prototype &product,
                                                 Facts operands) const {
  if (operands.size() != 3 || !isa<MulOp>(product.op) ||
      operands[2]->isIllTyped || operands[1]->extents != operands[2]->extents ||
      operands[1]->free != operands[2]->free)
    return std::nullopt;
  std::optional<TermFact> fact = typeCompute(product, operands.take_front(2));
  if (fact) {
    // What is masked becomes 0.
    fact->isNonZero = false;
    fact->isNonNegative = operands[0]->isNonNegative;
  }
  return fact;
}

//===----------------------------------------------------------------------===//
// Parallel operators
//===----------------------------------------------------------------------===//

std::optional<TermFact> TypingRules::typeParallel(const egraph::NodeView &node,
                                                  TermFact fact) const {
  const TermLanguage::ParallelOperators &ops = language.ops;
  ParallelId id = node.payloads.back();
  const ParallelDim &dim = language.parallel(id);
  DimExpr chunk =
      dim.base.isUnknown()
          ? DimExpr()
          : DimExpr::quotient(dim.base, Split{dim.name, std::nullopt});
  bool isFree = llvm::is_contained(fact.free, id);
  bool adds = node.op == ops.part || node.op == ops.repl;
  if (fact.isIllTyped || isFree == adds)
    return std::nullopt;
  if (adds) {
    fact.free.push_back(id);
    llvm::sort(fact.free);
  } else {
    llvm::erase(fact.free, id);
  }
  if (node.op == ops.part || node.op == ops.comb) {
    // A dim of extent 1 is not split; the chunk of it is no quotient.
    unsigned d = node.payloads.front();
    if (d >= fact.extents.size() || !chunk.isQuotient() ||
        fact.extents[d] != (adds ? dim.base : chunk))
      return std::nullopt;
    fact.extents[d] = adds ? chunk : dim.base;
  }
  // Outside of its parallel dim a chunk has no meaning.
  if (!adds && hasChunkAlong(fact, dim.name))
    return std::nullopt;
  // Numbers of one sign again, and there is at least one.
  if (node.op == ops.red)
    fact.isNonZero = fact.isNonZero && fact.isNonNegative;
  if (node.op == ops.stack)
    fact.extents.insert(fact.extents.begin(),
                        DimExpr::symbol("count(" + dim.name + ")"));
  return fact;
}

TermFact TypingRules::compute(TermId term) {
  egraph::NodeView node = bank.node(term);
  const TermLanguage::ParallelOperators &ops = language.ops;
  TermFact illTyped;
  illTyped.isIllTyped = true;
  if (node.op == ops.arg) {
    TermFact fact;
    ArrayRef<DimExpr> extents = language.argumentExtents(node.payloads.front());
    fact.extents.assign(extents.begin(), extents.end());
    return fact;
  }
  if (node.op == ops.defined) {
    if (node.payloads.front() >= defined.size())
      return illTyped;
    TermFact fact = of(defined[node.payloads.front()].term);
    fact.isNonZero = defined[node.payloads.front()].isNonZero;
    fact.isNonNegative = defined[node.payloads.front()].isNonNegative;
    return fact;
  }
  SmallVector<const TermFact *> operands;
  for (TermId child : SmallVector<TermId>(node.children))
    operands.push_back(&of(child));
  std::optional<TermFact> fact;
  if (node.op == ops.rescale)
    fact = typeRescale(language.prototype(node.payloads.front()), operands);
  else if (language.isCompute(node.op))
    fact = typeCompute(language.prototype(node.payloads.front()), operands);
  else if (operands.size() == 1)
    fact = typeParallel(node, *operands.front());
  return fact.value_or(illTyped);
}

const TermFact &TypingRules::of(TermId term) {
  auto it = facts.find(term);
  if (it != facts.end())
    return it->second;
  TermFact fact = compute(term);
  for (const ReliedOnValue &value : assumed)
    if (value.term == term) {
      fact.isNonZero |= value.isNonZero;
      fact.isNonNegative |= value.isNonNegative;
    }
  return facts.try_emplace(term, std::move(fact)).first->second;
}
