//===- Facts.cpp - Shapes, free parallel dims and signs of terms ----------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Axioms/Facts.h"
#include "Prism/EGraph/EGraph.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace prism;

/// Sizes saturate here; `defined` leaves have it, so that they are never the
/// smallest term of a class.
static constexpr uint32_t maxTermSize = 1u << 30;

bool TermFact::operator<(const TermFact &other) const {
  auto key = [](const TermFact &fact) {
    return std::tie(fact.isIllTyped, fact.free, fact.isNonZero,
                    fact.isNonNegative, fact.size, fact.extents);
  };
  return key(*this) < key(other);
}

bool TermFact::isFree(ParallelId parallel) const {
  return llvm::is_contained(free, parallel);
}

static TermFact illTyped() {
  TermFact fact;
  fact.isIllTyped = true;
  return fact;
}

std::optional<TermFact> TermAnalysis::join(const TermFact &a,
                                           const TermFact &b) {
  if (a.isIllTyped || b.isIllTyped || a.extents != b.extents ||
      a.free != b.free)
    return std::nullopt;
  TermFact both = a;
  both.isNonZero |= b.isNonZero;
  both.isNonNegative |= b.isNonNegative;
  both.size = std::min(a.size, b.size);
  return both;
}

//===----------------------------------------------------------------------===//
// Signs
//===----------------------------------------------------------------------===//

namespace {
struct Sign {
  bool nonZero = false, nonNegative = false;
};
} // namespace

static Sign getConstantSign(Attribute value) {
  if (auto number = dyn_cast<FloatAttr>(value)) {
    double x = number.getValueAsDouble();
    return {x != 0 && x == x, x >= 0};
  }
  // Extents are positive: an empty dim divides nothing.
  return {isa<DimExprAttr>(value), isa<DimExprAttr>(value)};
}

/// A sum of terms with this sign. Of positive terms it is positive.
static Sign sumOf(Sign terms) {
  return {terms.nonZero && terms.nonNegative, terms.nonNegative};
}

static Sign inferSign(Operation *op, ArrayRef<Sign> x) {
  bool allNonZero = llvm::all_of(x, [](Sign s) { return s.nonZero; });
  bool allNonNegative = llvm::all_of(x, [](Sign s) { return s.nonNegative; });
  bool anyNonZero = llvm::any_of(x, [](Sign s) { return s.nonZero; });
  return llvm::TypeSwitch<Operation *, Sign>(op)
      .Case<ExpOp, SigmoidOp, RsqrtOp>([](auto) { return Sign{true, true}; })
      .Case<SquareOp>([&](auto) { return Sign{x[0].nonZero, true}; })
      .Case<SqrtOp>([&](auto) { return Sign{x[0].nonZero, true}; })
      .Case<ReluOp>([&](auto) { return Sign{false, true}; })
      .Case<MulOp, DivOp>(
          [&](auto) { return Sign{allNonZero, allNonNegative}; })
      .Case<ReciprocalOp>([&](auto) { return Sign{true, x[0].nonNegative}; })
      .Case<AddOp>([&](auto) {
        return Sign{allNonNegative && anyNonZero, allNonNegative};
      })
      .Case<NegOp>([&](auto) { return Sign{x[0].nonZero, false}; })
      .Case<MatmulOp>([&](auto) { return sumOf({allNonZero, allNonNegative}); })
      .Case<ReduceSumOp>([&](auto) { return sumOf(x[0]); })
      .Case<TransposeOp, BroadcastOp, SliceOp, ReshapeOp, ConcatOp,
            ReduceMaxOp>([&](auto) { return Sign{allNonZero, allNonNegative}; })
      .Case<ConstantOp>([](ConstantOp constant) {
        return getConstantSign(constant.getValue());
      })
      .Default([](Operation *) { return Sign(); });
}

//===----------------------------------------------------------------------===//
// Compute ops
//===----------------------------------------------------------------------===//

/// Sets the extents of the iteration dims; false if two operands disagree.
static bool unifyExtents(const Prototype &proto,
                         ArrayRef<const TermFact *> children,
                         SmallVectorImpl<DimExpr> &extents) {
  extents.assign(proto.ownExtents.begin(), proto.ownExtents.end());
  for (auto [map, child] : llvm::zip(proto.structure.operandMaps, children)) {
    if (map.size() != child->extents.size())
      return false;
    for (auto [factors, extent] : llvm::zip(map, child->extents)) {
      if (factors.size() != 1)
        continue;
      DimExpr &known = extents[factors.front()];
      if (!known.isUnknown() && known != extent)
        return false;
      known = extent;
    }
  }
  // Merged dims: the product must agree.
  auto isSingle = [](const auto &factors) { return factors.size() == 1; };
  for (auto [map, child] : llvm::zip(proto.structure.operandMaps, children))
    if (!llvm::all_of(map, isSingle) &&
        getDataExtents(map, extents) !=
            SmallVector<DimExpr>(child->extents.begin(), child->extents.end()))
      return false;
  return true;
}

/// A chunk of a chunk may be empty: of a ragged last one.
static bool mayReduceNothing(const IterationStructure &structure,
                             ArrayRef<DimExpr> extents) {
  for (auto [kind, extent] : llvm::zip(structure.dims, extents))
    if (kind != IterationKind::Parallel && extent.isQuotient() &&
        extent.quotientBase().isQuotient())
      return true;
  return false;
}

/// Whether the operands' extents of dim `dim` add up to `whole`: the prototype
/// of a concat knows the latter only.
static bool addUpTo(const DimExpr &whole, unsigned dim,
                    ArrayRef<const TermFact *> children) {
  DimExpr sum = children.front()->extents[dim];
  for (const TermFact *child : children.drop_front())
    sum = sum + child->extents[dim];
  return sum == whole;
}

TermFact TermAnalysis::inferCompute(const egraph::NodeView &node,
                                    ArrayRef<const TermFact *> children) const {
  const Prototype &proto = language.prototype(node.payloads[0]);
  if (proto.numOperands() != children.size())
    return illTyped();
  TermFact fact;
  SmallVector<Sign> signs;
  uint64_t size = isa<ConstantOp>(proto.op) ? 0 : 1;
  for (const TermFact *child : children) {
    if (child->isIllTyped || child->free != children.front()->free)
      return illTyped();
    signs.push_back({child->isNonZero, child->isNonNegative});
    size += child->size;
  }
  SmallVector<DimExpr> extents;
  if (!unifyExtents(proto, children, extents))
    return illTyped();
  SmallVector<DimExpr> result =
      getDataExtents(proto.structure.resultMap, extents);
  fact.extents.assign(result.begin(), result.end());
  if (llvm::any_of(result, [](const DimExpr &e) { return e.isUnknown(); }))
    return illTyped();
  if (auto concat = dyn_cast<ConcatOp>(proto.op))
    if (!addUpTo(result[concat.getDim()], concat.getDim(), children))
      return illTyped();
  if (!children.empty())
    fact.free = children.front()->free;
  Sign sign = inferSign(proto.op, signs);
  if (mayReduceNothing(proto.structure, extents)) {
    sign.nonZero = false;
    sign.nonNegative &= !isa<ReduceMaxOp>(proto.op);
  }
  fact.isNonZero = sign.nonZero;
  fact.isNonNegative = sign.nonNegative;
  fact.size = std::min<uint64_t>(size, maxTermSize);
  return fact;
}

//===----------------------------------------------------------------------===//
// Parallel operators
//===----------------------------------------------------------------------===//

static bool mentions(const DimExpr &extent, StringRef parallel) {
  bool found = false;
  extent.walkSplits(
      [&](const Split &split) { found |= split.dim == parallel; });
  return found;
}

static bool mentions(ArrayRef<DimExpr> extents, StringRef parallel) {
  return llvm::any_of(extents,
                      [&](const DimExpr &e) { return mentions(e, parallel); });
}

static void addFree(TermFact &fact, ParallelId parallel) {
  fact.free.insert(llvm::upper_bound(fact.free, parallel), parallel);
}

/// Splits (part) or joins (comb) data dim `dim` along `parallel`.
static bool splitDim(TermFact &fact, unsigned dim,
                     const ParallelDim &parallel) {
  if (dim >= fact.extents.size() || fact.extents[dim] != parallel.base)
    return false;
  DimExpr &extent = fact.extents[dim];
  extent = DimExpr::quotient(extent, Split{parallel.name, std::nullopt});
  return extent.isQuotient();
}

static bool joinDim(TermFact &fact, unsigned dim, const ParallelDim &parallel) {
  if (dim >= fact.extents.size() || !fact.extents[dim].isQuotient() ||
      fact.extents[dim].quotientSplit() != Split{parallel.name, std::nullopt})
    return false;
  fact.extents[dim] = DimExpr(fact.extents[dim].quotientBase());
  return !mentions(ArrayRef<DimExpr>(fact.extents), parallel.name);
}

TermFact TermAnalysis::inferParallel(const egraph::NodeView &node,
                                     const TermFact &child) const {
  if (child.isIllTyped)
    return illTyped();
  const TermLanguage::ParallelOperators &ops = language.ops;
  ParallelId id = node.payloads.back();
  const ParallelDim &parallel = language.parallel(id);
  TermFact fact = child;
  bool binds = node.op != ops.part && node.op != ops.repl;
  if (child.isFree(id) != binds)
    return illTyped();
  if (binds)
    llvm::erase(fact.free, id);
  else
    addFree(fact, id);
  if (node.op == ops.part)
    return splitDim(fact, node.payloads[0], parallel) ? fact : illTyped();
  if (node.op == ops.comb)
    return joinDim(fact, node.payloads[0], parallel) ? fact : illTyped();
  if (node.op == ops.repl)
    return fact;
  // The tensors that are summed, selected or stacked have equal extents.
  if (mentions(ArrayRef<DimExpr>(fact.extents), parallel.name))
    return illTyped();
  if (node.op == ops.red)
    fact.isNonZero = fact.isNonZero && fact.isNonNegative;
  if (node.op == ops.stack)
    fact.extents.insert(fact.extents.begin(),
                        DimExpr::symbol("count(" + parallel.name + ")"));
  return fact;
}

/// An elementwise product of the tile and of what has the shape of the maxima.
TermFact TermAnalysis::inferRescale(const egraph::NodeView &node,
                                    ArrayRef<const TermFact *> children) const {
  if (children.size() != 3 || children[1]->extents != children[2]->extents)
    return illTyped();
  TermFact fact = inferCompute(node, children.take_front(2));
  if (fact.isIllTyped || children[2]->isIllTyped ||
      children[2]->free != fact.free ||
      !isa<MulOp>(language.prototype(node.payloads[0]).op))
    return illTyped();
  fact.isNonZero = false;
  fact.isNonNegative = children[0]->isNonNegative;
  // A difference, an exponential and the product.
  fact.size = std::min(fact.size + children[2]->size + 2, maxTermSize);
  return fact;
}

TermFact TermAnalysis::infer(const egraph::NodeView &node,
                             ArrayRef<const TermFact *> children) const {
  const TermLanguage::ParallelOperators &ops = language.ops;
  TermFact fact;
  if (node.op == ops.arg) {
    ArrayRef<DimExpr> extents = language.argumentExtents(node.payloads[0]);
    fact.extents.assign(extents.begin(), extents.end());
    return fact;
  }
  if (node.op == ops.defined) {
    const DefinedValue &value = definedValues[node.payloads[0]];
    fact.extents = value.extents;
    fact.isNonZero = value.isNonZero;
    fact.isNonNegative = value.isNonNegative;
    fact.size = maxTermSize;
    return fact;
  }
  if (language.isCompute(node.op))
    return inferCompute(node, children);
  if (node.op == ops.rescale)
    return inferRescale(node, children);
  return inferParallel(node, *children.front());
}

egraph::Fact TermAnalysis::make(const egraph::EGraph &graph,
                                const egraph::NodeView &node) {
  SmallVector<const TermFact *> children;
  for (egraph::Id child : node.children)
    children.push_back(&table[graph.fact(child)]);
  return table.intern(infer(node, children));
}

std::optional<egraph::Fact> TermAnalysis::merge(egraph::Fact a,
                                                egraph::Fact b) {
  if (a == b)
    return table[a].isIllTyped ? std::nullopt : std::optional(a);
  std::optional<TermFact> both = join(table[a], table[b]);
  if (!both)
    return std::nullopt;
  return table.intern(*both);
}
