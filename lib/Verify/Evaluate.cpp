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

template <typename Scalar>
NumericTensorOf<Scalar>::NumericTensorOf(ArrayRef<int64_t> extents)
    : extents(extents), values(countElements(extents), Scalar()) {}

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

template <typename Scalar>
static Scalar evaluateSigmoid(Scalar x) {
  using A = Arithmetic<Scalar>;
  Scalar one = A::constant(1);
  return A::div(one, A::add(one, A::exp(A::sub(A::constant(0), x))));
}

template <typename Scalar>
static Scalar evaluateGelu(GeluKind kind, Scalar x) {
  using A = Arithmetic<Scalar>;
  Scalar half = A::mul(A::constant(0.5L), x), one = A::constant(1);
  if (kind == GeluKind::Erf) {
    Scalar scaled = A::mul(x, A::sqrt(A::constant(0.5L)));
    return A::mul(half, A::add(one, A::erf(scaled)));
  }
  Scalar cubed = A::mul(A::mul(x, x), A::mul(x, A::constant(0.044715L)));
  Scalar inner =
      A::mul(A::constant(std::sqrt(2 / std::acos(Real(-1)))), A::add(x, cubed));
  return A::mul(half, A::add(one, A::tanh(inner)));
}

template <typename Scalar>
static bool evaluateCompare(ComparePredicate predicate, Scalar a, Scalar b) {
  using A = Arithmetic<Scalar>;
  switch (predicate) {
  case ComparePredicate::LT:
    return A::less(a, b);
  case ComparePredicate::LE:
    return A::less(a, b) || A::equal(a, b);
  case ComparePredicate::GT:
    return A::less(b, a);
  case ComparePredicate::GE:
    return A::less(b, a) || A::equal(a, b);
  case ComparePredicate::EQ:
    return A::equal(a, b);
  case ComparePredicate::NE:
    return !A::equal(a, b);
  }
  llvm_unreachable("all predicates are handled");
}

/// The scalar form over the reals, before any reduction; none if `op` has none.
template <typename Scalar>
static std::optional<Scalar> evaluateScalar(Operation *op, ArrayRef<Scalar> x) {
  using A = Arithmetic<Scalar>;
  using Result = std::optional<Scalar>;
  Scalar zero = A::constant(0), one = A::constant(1);
  return llvm::TypeSwitch<Operation *, Result>(op)
      .template Case<AddOp>([&](auto) { return A::add(x[0], x[1]); })
      .template Case<SubOp>([&](auto) { return A::sub(x[0], x[1]); })
      .template Case<MulOp, MatmulOp>([&](auto) { return A::mul(x[0], x[1]); })
      .template Case<DivOp>([&](auto) { return A::div(x[0], x[1]); })
      .template Case<MaxOp>([&](auto) { return A::max(x[0], x[1]); })
      .template Case<MinOp>([&](auto) { return A::min(x[0], x[1]); })
      .template Case<PowOp>([&](auto) { return A::pow(x[0], x[1]); })
      .template Case<NegOp>([&](auto) { return A::sub(zero, x[0]); })
      .template Case<ExpOp>([&](auto) { return A::exp(x[0]); })
      .template Case<LogOp>([&](auto) { return A::log(x[0]); })
      .template Case<SqrtOp>([&](auto) { return A::sqrt(x[0]); })
      .template Case<RsqrtOp>([&](auto) { return A::div(one, A::sqrt(x[0])); })
      .template Case<SquareOp>([&](auto) { return A::mul(x[0], x[0]); })
      .template Case<ReciprocalOp>([&](auto) { return A::div(one, x[0]); })
      .template Case<TanhOp>([&](auto) { return A::tanh(x[0]); })
      .template Case<ErfOp>([&](auto) { return A::erf(x[0]); })
      .template Case<SigmoidOp>([&](auto) { return evaluateSigmoid(x[0]); })
      .template Case<SiluOp>(
          [&](auto) { return A::mul(x[0], evaluateSigmoid(x[0])); })
      .template Case<ReluOp>([&](auto) { return A::max(x[0], zero); })
      .template Case<GeluOp>(
          [&](GeluOp gelu) { return evaluateGelu(gelu.getKind(), x[0]); })
      .template Case<CompareOp>([&](CompareOp compare) {
        return evaluateCompare(compare.getPredicate(), x[0], x[1]) ? one : zero;
      })
      .template Case<SelectOp>(
          [&](auto) { return A::equal(x[0], zero) ? x[2] : x[1]; })
      .template Case<ReduceSumOp, ReduceMaxOp, TransposeOp, BroadcastOp,
                     ReshapeOp>([&](auto) { return x[0]; })
      .template Case<CastOp>([&](CastOp cast) {
        auto type = dyn_cast<FloatType>(getElementType(cast.getType()));
        return type ? A::round(x[0], type.getFPMantissaWidth()) : x[0];
      })
      .Default([](Operation *) { return std::nullopt; });
}

//===----------------------------------------------------------------------===//
// Compute ops
//===----------------------------------------------------------------------===//

template <typename Scalar>
std::optional<int64_t>
TermEvaluatorOf<Scalar>::evaluateExtent(const DimExpr &extent) const {
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

template <typename Scalar>
static std::optional<NumericTensorOf<Scalar>>
evaluateSlice(SliceOp op, const NumericTensorOf<Scalar> &x,
              int64_t resultExtent) {
  SmallVector<int64_t> extents(x.extents);
  extents[op.getDim()] = resultExtent;
  NumericTensorOf<Scalar> result(extents);
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

template <typename Scalar>
static NumericTensorOf<Scalar>
concatenate(ArrayRef<NumericTensorOf<Scalar>> operands, unsigned dim) {
  SmallVector<int64_t> extents(operands.front().extents);
  extents[dim] = 0;
  for (const NumericTensorOf<Scalar> &operand : operands)
    extents[dim] += operand.extents[dim];
  NumericTensorOf<Scalar> result(extents);
  int64_t begin = 0;
  for (const NumericTensorOf<Scalar> &operand : operands) {
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

/// A composite, row by row.
template <typename Scalar>
static NumericTensorOf<Scalar>
normalize(const NumericTensorOf<Scalar> &x, unsigned dim,
          llvm::function_ref<void(MutableArrayRef<Scalar>)> normalizeRow) {
  NumericTensorOf<Scalar> result = x;
  int64_t stride = 1, length = x.extents[dim];
  for (int64_t extent : llvm::drop_begin(x.extents, dim + 1))
    stride *= extent;
  std::vector<Scalar> row(length);
  for (int64_t at = 0, count = x.values.size(); at < count; ++at) {
    if (at / stride % length != 0)
      continue;
    for (int64_t i = 0; i < length; ++i)
      row[i] = x.values[at + i * stride];
    normalizeRow(row);
    for (int64_t i = 0; i < length; ++i)
      result.values[at + i * stride] = row[i];
  }
  return result;
}

template <typename Scalar>
static void softmaxRow(MutableArrayRef<Scalar> row) {
  using A = Arithmetic<Scalar>;
  Scalar maximum = A::lowest(), sum = A::constant(0);
  for (Scalar value : row)
    maximum = A::max(maximum, value);
  for (Scalar &value : row) {
    value = A::exp(A::sub(value, maximum));
    sum = A::add(sum, value);
  }
  for (Scalar &value : row)
    value = A::div(value, sum);
}

template <typename Scalar>
static void rmsNormRow(MutableArrayRef<Scalar> row, double epsilon) {
  using A = Arithmetic<Scalar>;
  Scalar sum = A::constant(0);
  for (Scalar value : row)
    sum = A::add(sum, A::mul(value, value));
  Scalar mean = A::div(sum, A::constant(row.size()));
  Scalar root = A::sqrt(A::add(mean, A::constant(epsilon)));
  for (Scalar &value : row)
    value = A::div(value, root);
}

template <typename Scalar>
std::optional<NumericTensorOf<Scalar>>
TermEvaluatorOf<Scalar>::evaluateCompute(const Prototype &proto,
                                         ArrayRef<NumericTensor> operands) {
  const IterationStructure &structure = proto.structure;
  if (auto constant = dyn_cast<ConstantOp>(proto.op)) {
    NumericTensor scalar(ArrayRef<int64_t>{});
    if (auto number = dyn_cast<FloatAttr>(constant.getValue())) {
      scalar.values[0] =
          Arithmetic<Scalar>::constant(number.getValueAsDouble());
    } else if (auto extent = dyn_cast<DimExprAttr>(constant.getValue())) {
      std::optional<int64_t> value = evaluateExtent(extent.getValue());
      if (!value)
        return std::nullopt;
      scalar.values[0] = Arithmetic<Scalar>::constant(*value);
    } else {
      scalar.values[0] = Arithmetic<Scalar>::constant(
          cast<IntegerAttr>(constant.getValue()).getValue().getZExtValue());
    }
    return scalar;
  }
  if (auto softmax = dyn_cast<SoftmaxOp>(proto.op))
    return normalize<Scalar>(operands.front(), softmax.getDim(),
                             softmaxRow<Scalar>);
  if (auto norm = dyn_cast<RmsNormOp>(proto.op))
    return normalize<Scalar>(
        operands.front(), norm.getDim(), [&](MutableArrayRef<Scalar> row) {
          rmsNormRow(row, norm.getEpsilon().convertToDouble());
        });
  if (auto concat = dyn_cast<ConcatOp>(proto.op))
    return concatenate<Scalar>(operands, concat.getDim());
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
    llvm::fill(result.values, Arithmetic<Scalar>::lowest());
  bool isReduced =
      isMax || llvm::is_contained(structure.dims, IterationKind::Sum);
  if (llvm::is_contained(extents, 0))
    return result;
  SmallVector<int64_t> point(extents.size(), 0);
  SmallVector<Scalar> x(operands.size());
  do {
    for (auto [i, operand] : llvm::enumerate(operands))
      x[i] = operand.values[locate(structure.operandMaps[i], point, extents)];
    std::optional<Scalar> value = evaluateScalar<Scalar>(proto.op, x);
    if (!value)
      return std::nullopt;
    Scalar &out = result.values[locate(structure.resultMap, point, extents)];
    out = isMax       ? Arithmetic<Scalar>::max(out, *value)
          : isReduced ? Arithmetic<Scalar>::add(out, *value)
                      : *value;
  } while (advance(point, extents));
  return result;
}

//===----------------------------------------------------------------------===//
// Parallel operators
//===----------------------------------------------------------------------===//

template <typename Scalar>
std::optional<NumericTensorOf<Scalar>>
TermEvaluatorOf<Scalar>::evaluatePart(unsigned dim, ParallelId parallel,
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
template <typename Scalar>
std::optional<int64_t>
TermEvaluatorOf<Scalar>::countChunks(ParallelId parallel) const {
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

template <typename Scalar>
std::optional<NumericTensorOf<Scalar>>
TermEvaluatorOf<Scalar>::evaluateBinder(egraph::TermId term) {
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
    return concatenate<Scalar>(parts, dim);
  for (const NumericTensor &part : parts)
    if (part.extents != parts.front().extents)
      return std::nullopt;
  if (op == ops.stack) {
    for (NumericTensor &part : parts)
      part.extents.insert(part.extents.begin(), 1);
    return concatenate<Scalar>(parts, 0);
  }
  NumericTensor result = parts.front();
  if (op == ops.sel)
    return result; // The block at coordinate 0 stores.
  for (const NumericTensor &part : llvm::drop_begin(parts))
    for (auto [sum, value] : llvm::zip(result.values, part.values))
      sum = op == ops.red ? Arithmetic<Scalar>::add(sum, value)
                          : Arithmetic<Scalar>::max(sum, value);
  return result;
}

/// t * exp(m - n), and 0 where m = -inf: whatever t is there.
template <typename Scalar>
std::optional<NumericTensorOf<Scalar>>
TermEvaluatorOf<Scalar>::evaluateRescale(const Prototype &product,
                                         ArrayRef<NumericTensor> operands) {
  using A = Arithmetic<Scalar>;
  NumericTensor ones = operands[0], factor = operands[1];
  NumericTensor counted = factor;
  llvm::fill(ones.values, A::constant(1));
  for (auto [at, maximum] : llvm::enumerate(operands[1].values)) {
    factor.values[at] = A::exp(A::sub(maximum, operands[2].values[at]));
    counted.values[at] = A::constant(A::isMasked(maximum) ? 0 : 1);
  }
  std::optional<NumericTensor> result =
      evaluateCompute(product, {operands[0], factor});
  std::optional<NumericTensor> isCounted =
      evaluateCompute(product, {ones, counted});
  if (!result || !isCounted)
    return std::nullopt;
  for (auto [value, counts] : llvm::zip(result->values, isCounted->values))
    if (A::equal(counts, A::constant(0)))
      value = A::constant(0);
  return result;
}

template <typename Scalar>
std::optional<NumericTensorOf<Scalar>>
TermEvaluatorOf<Scalar>::evaluateNode(egraph::TermId term) {
  auto key = std::pair(term, chunk);
  if (auto it = known.find(key); it != known.end())
    return it->second;
  std::optional<NumericTensor> value = computeNode(term);
  known.try_emplace(std::move(key), value);
  return value;
}

template <typename Scalar>
std::optional<NumericTensorOf<Scalar>>
TermEvaluatorOf<Scalar>::computeNode(egraph::TermId term) {
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

template <typename Scalar>
std::optional<NumericTensorOf<Scalar>>
TermEvaluatorOf<Scalar>::evaluate(egraph::TermId term,
                                  const std::map<ParallelId, int64_t> &chunks) {
  chunk = chunks;
  return evaluateNode(term);
}

template struct prism::NumericTensorOf<Real>;
template struct prism::NumericTensorOf<Checked>;
template struct prism::NumericTensorOf<PrimeField>;
template struct prism::NumericTensorOf<Interval>;
template class prism::TermEvaluatorOf<Real>;
template class prism::TermEvaluatorOf<Checked>;
template class prism::TermEvaluatorOf<PrimeField>;
template class prism::TermEvaluatorOf<Interval>;
