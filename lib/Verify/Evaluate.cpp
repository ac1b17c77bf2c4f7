//===- Evaluate.cpp - Terms as numbers ------------------------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Verify/Evaluate.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace prism;

static int64_t countElements(ArrayRef<int64_t> extents) {
  int64_t count = 1;
  for (int64_t extent : extents)
    count *= extent;
  return count;
}

NumericTensor::NumericTensor(ArrayRef<int64_t> extents)
    : extents(extents), values(countElements(extents), Real(0)) {}

/// Advances `index` within `extents`; false after the last one.
static bool advance(MutableArrayRef<int64_t> index, ArrayRef<int64_t> extents) {
  for (size_t dim = index.size(); dim-- > 0;) {
    if (++index[dim] < extents[dim])
      return true;
    index[dim] = 0;
  }
  return false;
}

static int64_t offsetOf(ArrayRef<int64_t> index, ArrayRef<int64_t> extents) {
  int64_t offset = 0;
  for (auto [i, extent] : llvm::zip(index, extents))
    offset = offset * extent + i;
  return offset;
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

static Real evaluateGelu(GeluKind kind, Real x) {
  if (kind == GeluKind::Erf)
    return x / 2 * (1 + std::erf(x / std::sqrt(Real(2))));
  Real inner = std::sqrt(2 / std::acos(Real(-1))) * (x + 0.044715L * x * x * x);
  return x / 2 * (1 + std::tanh(inner));
}

static Real evaluateCompare(ComparePredicate predicate, Real a, Real b) {
  switch (predicate) {
  case ComparePredicate::LT:
    return a < b;
  case ComparePredicate::LE:
    return a <= b;
  case ComparePredicate::GT:
    return a > b;
  case ComparePredicate::GE:
    return a >= b;
  case ComparePredicate::EQ:
    return a == b;
  case ComparePredicate::NE:
    return a != b;
  }
  llvm_unreachable("all predicates are handled");
}

/// The scalar form over the reals, before any reduction; none if `op` has none.
static std::optional<Real> evaluateScalar(Operation *op, ArrayRef<Real> x) {
  using Result = std::optional<Real>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<AddOp>([&](auto) { return x[0] + x[1]; })
      .Case<SubOp>([&](auto) { return x[0] - x[1]; })
      .Case<MulOp, MatmulOp>([&](auto) { return x[0] * x[1]; })
      .Case<DivOp>([&](auto) { return x[0] / x[1]; })
      .Case<MaxOp>([&](auto) { return std::max(x[0], x[1]); })
      .Case<MinOp>([&](auto) { return std::min(x[0], x[1]); })
      .Case<PowOp>([&](auto) { return std::pow(x[0], x[1]); })
      .Case<NegOp>([&](auto) { return -x[0]; })
      .Case<ExpOp>([&](auto) { return std::exp(x[0]); })
      .Case<LogOp>([&](auto) { return std::log(x[0]); })
      .Case<SqrtOp>([&](auto) { return std::sqrt(x[0]); })
      .Case<RsqrtOp>([&](auto) { return 1 / std::sqrt(x[0]); })
      .Case<SquareOp>([&](auto) { return x[0] * x[0]; })
      .Case<ReciprocalOp>([&](auto) { return 1 / x[0]; })
      .Case<TanhOp>([&](auto) { return std::tanh(x[0]); })
      .Case<ErfOp>([&](auto) { return std::erf(x[0]); })
      .Case<SigmoidOp>([&](auto) { return 1 / (1 + std::exp(-x[0])); })
      .Case<SiluOp>([&](auto) { return x[0] / (1 + std::exp(-x[0])); })
      .Case<ReluOp>([&](auto) { return std::max(x[0], Real(0)); })
      .Case<GeluOp>(
          [&](GeluOp gelu) { return evaluateGelu(gelu.getKind(), x[0]); })
      .Case<CompareOp>([&](CompareOp compare) {
        return evaluateCompare(compare.getPredicate(), x[0], x[1]);
      })
      .Case<SelectOp>([&](auto) { return x[0] != 0 ? x[1] : x[2]; })
      .Case<ReduceSumOp, ReduceMaxOp, TransposeOp, BroadcastOp, ReshapeOp,
            CastOp>([&](auto) { return x[0]; })
      .Default([](Operation *) { return std::nullopt; });
}

//===----------------------------------------------------------------------===//
// Compute ops
//===----------------------------------------------------------------------===//

std::optional<int64_t>
TermEvaluator::evaluateExtent(const DimExpr &extent) const {
  return extent.evaluate(
      [&](StringRef symbol) -> std::optional<int64_t> {
        auto it = sizes.symbols.find(symbol);
        if (it == sizes.symbols.end())
          return std::nullopt;
        return it->second;
      },
      [](StringRef) { return std::nullopt; });
}

/// The position of iteration point `point` in data with `map`, row-major.
static int64_t locate(const IndexMap &map, ArrayRef<int64_t> point,
                      ArrayRef<int64_t> iterationExtents) {
  int64_t offset = 0;
  for (const auto &factors : map)
    for (unsigned dim : factors)
      offset = offset * iterationExtents[dim] + point[dim];
  return offset;
}

static std::optional<NumericTensor>
evaluateSlice(SliceOp op, const NumericTensor &x, int64_t resultExtent) {
  SmallVector<int64_t> extents(x.extents);
  extents[op.getDim()] = resultExtent;
  NumericTensor result(extents);
  if (result.values.empty())
    return result;
  SmallVector<int64_t> index(extents.size(), 0);
  do {
    SmallVector<int64_t> from(index);
    from[op.getDim()] += op.getOffset();
    if (from[op.getDim()] >= x.extents[op.getDim()])
      return std::nullopt;
    result.values[offsetOf(index, extents)] =
        x.values[offsetOf(from, x.extents)];
  } while (advance(index, extents));
  return result;
}

static NumericTensor concatenate(ArrayRef<NumericTensor> operands,
                                 unsigned dim) {
  SmallVector<int64_t> extents(operands.front().extents);
  extents[dim] = 0;
  for (const NumericTensor &operand : operands)
    extents[dim] += operand.extents[dim];
  NumericTensor result(extents);
  int64_t begin = 0;
  for (const NumericTensor &operand : operands) {
    SmallVector<int64_t> index(extents.size(), 0);
    if (!operand.values.empty()) {
      do {
        SmallVector<int64_t> to(index);
        to[dim] += begin;
        result.values[offsetOf(to, extents)] =
            operand.values[offsetOf(index, operand.extents)];
      } while (advance(index, operand.extents));
    }
    begin += operand.extents[dim];
  }
  return result;
}

std::optional<NumericTensor>
TermEvaluator::evaluateCompute(const Prototype &proto,
                               ArrayRef<NumericTensor> operands) {
  const IterationStructure &structure = proto.structure;
  if (auto constant = dyn_cast<ConstantOp>(proto.op)) {
    NumericTensor scalar(ArrayRef<int64_t>{});
    if (auto number = dyn_cast<FloatAttr>(constant.getValue())) {
      scalar.values[0] = number.getValueAsDouble();
    } else if (auto extent = dyn_cast<DimExprAttr>(constant.getValue())) {
      std::optional<int64_t> value = evaluateExtent(extent.getValue());
      if (!value)
        return std::nullopt;
      scalar.values[0] = *value;
    } else {
      scalar.values[0] =
          cast<IntegerAttr>(constant.getValue()).getValue().getZExtValue();
    }
    return scalar;
  }
  if (auto concat = dyn_cast<ConcatOp>(proto.op))
    return concatenate(operands, concat.getDim());
  SmallVector<int64_t> extents(structure.dims.size(), -1);
  for (auto [map, operand] : llvm::zip(structure.operandMaps, operands))
    for (auto [factors, extent] : llvm::zip(map, operand.extents))
      if (factors.size() == 1)
        extents[factors.front()] = extent;
  for (auto [extent, own] : llvm::zip(extents, proto.ownExtents)) {
    if (extent >= 0)
      continue;
    std::optional<int64_t> value =
        own.isUnknown() ? std::nullopt : evaluateExtent(own);
    if (!value)
      return std::nullopt;
    extent = *value;
  }
  if (auto slice = dyn_cast<SliceOp>(proto.op))
    return evaluateSlice(slice, operands.front(),
                         extents[structure.resultMap[slice.getDim()].front()]);

  SmallVector<int64_t> resultExtents;
  for (const auto &factors : structure.resultMap) {
    int64_t product = 1;
    for (unsigned dim : factors)
      product *= extents[dim];
    resultExtents.push_back(product);
  }
  bool isMax = llvm::is_contained(structure.dims, IterationKind::Max);
  NumericTensor result(resultExtents);
  if (isMax)
    llvm::fill(result.values, -std::numeric_limits<Real>::infinity());
  bool isReduced =
      isMax || llvm::is_contained(structure.dims, IterationKind::Sum);
  if (llvm::is_contained(extents, 0))
    return result;
  SmallVector<int64_t> point(extents.size(), 0);
  SmallVector<Real> x(operands.size());
  do {
    for (auto [i, operand] : llvm::enumerate(operands))
      x[i] = operand.values[locate(structure.operandMaps[i], point, extents)];
    std::optional<Real> value = evaluateScalar(proto.op, x);
    if (!value)
      return std::nullopt;
    Real &out = result.values[locate(structure.resultMap, point, extents)];
    out = isMax ? std::max(out, *value) : isReduced ? out + *value : *value;
  } while (advance(point, extents));
  return result;
}

//===----------------------------------------------------------------------===//
// Parallel operators
//===----------------------------------------------------------------------===//

std::optional<NumericTensor> TermEvaluator::evaluatePart(unsigned dim,
                                                         ParallelId parallel,
                                                         NumericTensor whole) {
  auto tile = sizes.tiles.find(parallel);
  auto at = chunk.find(parallel);
  if (tile == sizes.tiles.end() || at == chunk.end() ||
      dim >= whole.extents.size())
    return std::nullopt;
  int64_t begin = std::min(at->second * tile->second, whole.extents[dim]);
  SmallVector<int64_t> extents(whole.extents);
  extents[dim] = std::min(tile->second, whole.extents[dim] - begin);
  NumericTensor result(extents);
  if (result.values.empty())
    return result;
  SmallVector<int64_t> index(extents.size(), 0);
  do {
    SmallVector<int64_t> from(index);
    from[dim] += begin;
    result.values[offsetOf(index, extents)] =
        whole.values[offsetOf(from, whole.extents)];
  } while (advance(index, extents));
  return result;
}

/// d_p = ceil(D / t_p), where D may itself be the tile of a grid dim.
std::optional<int64_t> TermEvaluator::countChunks(ParallelId parallel) const {
  auto tile = sizes.tiles.find(parallel);
  if (tile == sizes.tiles.end() || tile->second < 1)
    return std::nullopt;
  const ParallelDim &dim = language.parallel(parallel);
  if (dim.base.isUnknown())
    return tile->second;
  std::optional<int64_t> base = dim.base.evaluate(
      [&](StringRef symbol) -> std::optional<int64_t> {
        auto it = sizes.symbols.find(symbol);
        if (it == sizes.symbols.end())
          return std::nullopt;
        return it->second;
      },
      [&](StringRef name) -> std::optional<int64_t> {
        for (auto [id, extent] : sizes.tiles)
          if (language.parallel(id).name == name)
            return extent;
        return std::nullopt;
      });
  if (!base)
    return std::nullopt;
  return (*base + tile->second - 1) / tile->second;
}

std::optional<NumericTensor>
TermEvaluator::evaluateBinder(egraph::TermId term) {
  egraph::NodeView view = bank.node(term);
  egraph::OpId op = view.op;
  egraph::TermId child = view.children.front();
  ParallelId parallel = view.payloads.back();
  unsigned dim = view.payloads.front();
  std::optional<int64_t> count = countChunks(parallel);
  if (!count || *count < 1 || *count > 64)
    return std::nullopt;
  SmallVector<NumericTensor> parts;
  auto outer = chunk;
  for (int64_t j = 0; j < *count; ++j) {
    chunk[parallel] = j;
    std::optional<NumericTensor> part = evaluateNode(child);
    if (!part)
      return std::nullopt;
    parts.push_back(std::move(*part));
  }
  chunk = outer;
  const TermLanguage::ParallelOperators &ops = language.ops;
  if (op == ops.comb)
    return concatenate(parts, dim);
  for (const NumericTensor &part : parts)
    if (part.extents != parts.front().extents)
      return std::nullopt;
  if (op == ops.stack) {
    for (NumericTensor &part : parts)
      part.extents.insert(part.extents.begin(), 1);
    return concatenate(parts, 0);
  }
  NumericTensor result = parts.front();
  if (op == ops.sel)
    return result; // The block at coordinate 0 stores.
  for (const NumericTensor &part : llvm::drop_begin(parts))
    for (auto [sum, value] : llvm::zip(result.values, part.values))
      sum = op == ops.red ? sum + value : std::max(sum, value);
  return result;
}

/// t * exp(m - n), and 0 where m = -inf: whatever t is there.
std::optional<NumericTensor>
TermEvaluator::evaluateRescale(const Prototype &product,
                               ArrayRef<NumericTensor> operands) {
  constexpr Real masked = -std::numeric_limits<Real>::infinity();
  NumericTensor ones = operands[0], factor = operands[1];
  NumericTensor counted = factor;
  llvm::fill(ones.values, Real(1));
  for (auto [at, maximum] : llvm::enumerate(operands[1].values)) {
    factor.values[at] = std::exp(maximum - operands[2].values[at]);
    counted.values[at] = maximum != masked;
  }
  std::optional<NumericTensor> result =
      evaluateCompute(product, {operands[0], factor});
  std::optional<NumericTensor> isCounted =
      evaluateCompute(product, {ones, counted});
  if (!result || !isCounted)
    return std::nullopt;
  for (auto [value, counts] : llvm::zip(result->values, isCounted->values))
    if (counts == 0)
      value = 0;
  return result;
}

std::optional<NumericTensor> TermEvaluator::evaluateNode(egraph::TermId term) {
  auto key = std::pair(term, chunk);
  if (auto it = known.find(key); it != known.end())
    return it->second;
  std::optional<NumericTensor> value = computeNode(term);
  known.try_emplace(std::move(key), value);
  return value;
}

std::optional<NumericTensor> TermEvaluator::computeNode(egraph::TermId term) {
  egraph::NodeView node = bank.node(term);
  const TermLanguage::ParallelOperators &ops = language.ops;
  if (node.op == ops.arg)
    return arguments[node.payloads[0]];
  if (language.hasPrototype(node.op)) {
    bool isRescale = node.op == ops.rescale;
    const Prototype &proto = language.prototype(node.payloads[0]);
    SmallVector<NumericTensor> operands;
    for (egraph::TermId child : SmallVector<egraph::TermId>(node.children)) {
      std::optional<NumericTensor> operand = evaluateNode(child);
      if (!operand)
        return std::nullopt;
      operands.push_back(std::move(*operand));
    }
    return isRescale ? evaluateRescale(proto, operands)
                     : evaluateCompute(proto, operands);
  }
  if (node.op == ops.repl)
    return evaluateNode(node.children.front());
  if (node.op == ops.part) {
    unsigned dim = node.payloads[0];
    ParallelId parallel = node.payloads[1];
    std::optional<NumericTensor> whole = evaluateNode(node.children.front());
    return whole ? evaluatePart(dim, parallel, std::move(*whole))
                 : std::nullopt;
  }
  if (node.op == ops.defined)
    return std::nullopt;
  return evaluateBinder(term);
}

std::optional<NumericTensor>
TermEvaluator::evaluate(egraph::TermId term,
                        const std::map<ParallelId, int64_t> &chunks) {
  chunk = chunks;
  return evaluateNode(term);
}
