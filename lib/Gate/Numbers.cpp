//===- Numbers.cpp - Compute ops on parts of tensors ----------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops with a scalar form run over their iteration points, 256 positions of one
// dim of the result at a time; all others only move elements.
//
//===----------------------------------------------------------------------===//

#include "Numbers.h"
#include <cmath>
#include <numeric>

using namespace mlir;
using namespace prism;
using namespace prism::gate;

Positions prism::gate::getAllPositions(ArrayRef<int64_t> extents) {
  Positions positions;
  for (int64_t extent : extents) {
    positions.emplace_back(extent);
    std::iota(positions.back().begin(), positions.back().end(), 0);
  }
  return positions;
}

Positions prism::gate::unite(const Positions &a, const Positions &b) {
  if (a.empty() || b.empty())
    return a.empty() ? b : a;
  Positions both(a.size());
  for (auto [to, from, other] : llvm::zip(both, a, b))
    std::set_union(from.begin(), from.end(), other.begin(), other.end(),
                   std::back_inserter(to));
  return both;
}

int64_t prism::gate::countPoints(const Positions &positions) {
  int64_t count = 1;
  for (const std::vector<int64_t> &dim : positions)
    count *= dim.size();
  return count;
}

void prism::gate::forEachPoint(
    const Positions &lattice,
    llvm::function_ref<void(int64_t, ArrayRef<int64_t>)> visit) {
  int64_t count = countPoints(lattice);
  SmallVector<size_t> index(lattice.size(), 0);
  SmallVector<int64_t> position;
  for (const std::vector<int64_t> &dim : lattice)
    position.push_back(dim.empty() ? 0 : dim.front());
  for (int64_t point = 0; point < count; ++point) {
    visit(point, position);
    for (size_t dim = lattice.size(); dim-- > 0;) {
      index[dim] = index[dim] + 1 < lattice[dim].size() ? index[dim] + 1 : 0;
      position[dim] = lattice[dim][index[dim]];
      if (index[dim])
        break;
    }
  }
}

void prism::gate::forEachPlace(
    const Positions &lattice, ArrayRef<int64_t> extents,
    llvm::function_ref<void(int64_t, int64_t)> visit) {
  forEachPoint(lattice, [&](int64_t point, ArrayRef<int64_t> position) {
    int64_t place = 0;
    for (auto [at, extent] : llvm::zip(position, extents))
      place = place * extent + at;
    visit(point, place);
  });
}

Numbers::Numbers(ArrayRef<int64_t> extents, Positions positions,
                 bool withBounds)
    : extents(extents), at(std::move(positions)), values(countPoints(at)),
      bounds(withBounds ? values.size() : 0) {}

/// Where in `positions` each of `wanted` stands, times `stride`.
static std::vector<int64_t> locate(const std::vector<int64_t> &positions,
                                   const std::vector<int64_t> &wanted,
                                   int64_t stride) {
  std::vector<int64_t> offsets;
  offsets.reserve(wanted.size());
  if (!wanted.empty() && wanted.size() == positions.size()) {
    for (size_t i = 0; i < wanted.size(); ++i)
      offsets.push_back(i * stride);
    return offsets; // what is held is what is wanted
  }
  auto from = positions.begin();
  for (int64_t position : wanted) {
    from = std::lower_bound(from, positions.end(), position);
    assert(from != positions.end() && *from == position && "not held");
    offsets.push_back((from - positions.begin()) * stride);
  }
  return offsets;
}

static SmallVector<int64_t> getStrides(const Positions &positions) {
  SmallVector<int64_t> strides(positions.size(), 1);
  for (size_t dim = positions.size(); dim-- > 1;)
    strides[dim - 1] = strides[dim] * positions[dim].size();
  return strides;
}

//===----------------------------------------------------------------------===//
// What an op needs
//===----------------------------------------------------------------------===//

/// Extents of the iteration dims, read where they stand alone; -1: nowhere.
static SmallVector<int64_t>
getIteration(const IterationStructure &structure,
             ArrayRef<ArrayRef<int64_t>> operandExtents,
             ArrayRef<int64_t> resultExtents) {
  SmallVector<int64_t> iteration(structure.dims.size(), -1);
  auto read = [&](const IndexMap &map, ArrayRef<int64_t> extents) {
    for (auto [factors, extent] : llvm::zip(map, extents))
      if (factors.size() == 1)
        iteration[factors.front()] = extent;
  };
  read(structure.resultMap, resultExtents);
  for (auto [map, extents] : llvm::zip(structure.operandMaps, operandExtents))
    read(map, extents);
  return iteration;
}

/// Positions of each iteration dim at which `positions`, with `map`, lie.
static void splitPositions(const IndexMap &map, const Positions &positions,
                           ArrayRef<int64_t> iteration, Positions &into) {
  for (auto [factors, dim] : llvm::zip(map, positions)) {
    if (factors.size() == 1) {
      into[factors.front()] = dim;
      continue;
    }
    int64_t below = 1;
    for (unsigned factor : llvm::reverse(factors)) {
      std::vector<int64_t> &own = into[factor];
      for (int64_t position : dim)
        own.push_back(position / below % iteration[factor]);
      llvm::sort(own);
      own.erase(std::unique(own.begin(), own.end()), own.end());
      below *= iteration[factor];
    }
  }
}

/// The lattice that `map` gives to data at these positions of iteration dims.
static Positions mergePositions(const IndexMap &map, const Positions &from,
                                ArrayRef<int64_t> iteration) {
  Positions merged;
  for (const auto &factors : map) {
    std::vector<int64_t> dim = {0};
    for (unsigned factor : factors) {
      std::vector<int64_t> longer;
      for (int64_t outer : dim)
        for (int64_t inner : from[factor])
          longer.push_back(outer * iteration[factor] + inner);
      dim = std::move(longer);
    }
    merged.push_back(std::move(dim));
  }
  return merged;
}

/// Those of `positions` in [begin, begin + extent), counted from `begin`.
static std::vector<int64_t> getRange(const std::vector<int64_t> &positions,
                                     int64_t begin, int64_t extent) {
  std::vector<int64_t> range;
  for (int64_t position : positions)
    if (position >= begin && position < begin + extent)
      range.push_back(position - begin);
  return range;
}

/// Where operand `index` of a concatenation begins.
static int64_t getBegin(ArrayRef<ArrayRef<int64_t>> operandExtents,
                        unsigned index, unsigned dim) {
  int64_t begin = 0;
  for (ArrayRef<int64_t> extents : operandExtents.take_front(index))
    begin += extents[dim];
  return begin;
}

std::optional<Positions>
prism::gate::getNeeded(ComputeOpInterface op, unsigned index,
                       ArrayRef<ArrayRef<int64_t>> operandExtents,
                       ArrayRef<int64_t> resultExtents,
                       const Positions &result) {
  if (auto slice = dyn_cast<SliceOp>(*op)) {
    Positions needed = result;
    for (int64_t &position : needed[slice.getDim()]) {
      position += slice.getOffset();
      if (position >= operandExtents[0][slice.getDim()])
        return std::nullopt;
    }
    return needed;
  }
  if (auto concat = dyn_cast<ConcatOp>(*op)) {
    Positions needed = result;
    unsigned dim = concat.getDim();
    needed[dim] = getRange(result[dim], getBegin(operandExtents, index, dim),
                           operandExtents[index][dim]);
    return needed;
  }
  bool isReshape = isa<ReshapeOp>(*op);
  if (!op.hasScalarForm() && !isReshape)
    return std::nullopt;
  IterationStructure structure = op.getIterationStructure();
  SmallVector<int64_t> iteration =
      getIteration(structure, operandExtents, resultExtents);
  if (llvm::is_contained(iteration, -1))
    return std::nullopt;
  Positions points(iteration.size());
  splitPositions(structure.resultMap, result, iteration, points);
  Positions all = getAllPositions(iteration);
  for (auto [dim, kind] : llvm::enumerate(structure.dims))
    if (!IterationStructure::carries(structure.resultMap, dim))
      points[dim] = all[dim];
  return mergePositions(structure.operandMaps[index], points, iteration);
}

uint64_t prism::gate::countWork(ComputeOpInterface op,
                                ArrayRef<ArrayRef<int64_t>> operandExtents,
                                int64_t points) {
  uint64_t work = points;
  if (!op.hasScalarForm())
    return work;
  IterationStructure structure = op.getIterationStructure();
  SmallVector<int64_t> iteration = getIteration(structure, operandExtents, {});
  for (auto [dim, kind] : llvm::enumerate(structure.dims))
    if (!IterationStructure::carries(structure.resultMap, dim))
      work *= std::max<int64_t>(iteration[dim], 1);
  return work;
}

/// Whether `op` sums products of two numbers.
static bool isContraction(ComputeOpInterface op) {
  return op.hasScalarForm() && op->getNumOperands() == 2 &&
         llvm::is_contained(op.getIterationStructure().dims,
                            IterationKind::Sum);
}

uint64_t prism::gate::countSteps(ComputeOpInterface op,
                                 ArrayRef<ArrayRef<int64_t>> operandExtents,
                                 int64_t points) {
  constexpr uint64_t workPerStep = 16, productsPerStep = 256;
  return countWork(op, operandExtents, points) /
             (isContraction(op) ? productsPerStep : workPerStep) +
         1;
}

uint64_t
prism::gate::estimateSimulated(ComputeOpInterface op,
                               ArrayRef<ArrayRef<int64_t>> operandExtents,
                               int64_t points) {
  // An mma.sync and what brings its operands; else some instructions, with
  // those for addresses, for each 32 numbers.
  constexpr uint64_t productsPerStep = 512, workPerStep = 4;
  Type type = prism::getElementType(op->getOperandTypes().empty()
                                        ? op->getResult(0).getType()
                                        : op->getOperand(0).getType());
  bool isOnTensorCores = isContraction(op) && (type.isF16() || type.isBF16());
  return countWork(op, operandExtents, points) /
             (isOnTensorCores ? productsPerStep : workPerStep) +
         1;
}

//===----------------------------------------------------------------------===//
// Ops that move elements
//===----------------------------------------------------------------------===//

static int64_t findOffset(const Numbers &from, ArrayRef<int64_t> position) {
  int64_t offset = 0;
  for (auto [dim, at] : llvm::zip(from.at, position))
    offset = offset * dim.size() +
             (std::lower_bound(dim.begin(), dim.end(), at) - dim.begin());
  return offset;
}

static void copyElement(const Numbers &from, ArrayRef<int64_t> position,
                        Numbers &result, int64_t point) {
  int64_t offset = findOffset(from, position);
  result.values[point] = from.values[offset];
  if (!result.bounds.empty() && !from.bounds.empty())
    result.bounds[point] = from.bounds[offset];
}

static void evaluateSlice(SliceOp op, const Numbers &from, Numbers &result) {
  forEachPoint(result.at, [&](int64_t point, ArrayRef<int64_t> at) {
    SmallVector<int64_t> position(at);
    position[op.getDim()] += op.getOffset();
    copyElement(from, position, result, point);
  });
}

static void evaluateConcat(ConcatOp op, ArrayRef<const Numbers *> operands,
                           Numbers &result) {
  forEachPoint(result.at, [&](int64_t point, ArrayRef<int64_t> at) {
    SmallVector<int64_t> position(at);
    int64_t &along = position[op.getDim()];
    const Numbers *const *operand = operands.begin();
    for (; along >= (*operand)->extents[op.getDim()]; ++operand)
      along -= (*operand)->extents[op.getDim()];
    copyElement(**operand, position, result, point);
  });
}

static void evaluateReshape(ReshapeOp op, const Numbers &from,
                            Numbers &result) {
  // Row-major order is kept: the element is the same in the flat tensor.
  forEachPoint(result.at, [&](int64_t point, ArrayRef<int64_t> at) {
    int64_t flat = 0;
    for (auto [position, extent] : llvm::zip(at, result.extents))
      flat = flat * extent + position;
    SmallVector<int64_t> position(from.extents.size());
    for (size_t dim = position.size(); dim-- > 0;) {
      position[dim] = flat % from.extents[dim];
      flat /= from.extents[dim];
    }
    copyElement(from, position, result, point);
  });
}

Numbers prism::gate::extract(const Numbers &numbers,
                             const Positions &positions) {
  Numbers part(numbers.extents, positions, !numbers.bounds.empty());
  forEachPoint(positions, [&](int64_t point, ArrayRef<int64_t> at) {
    copyElement(numbers, at, part, point);
  });
  return part;
}

//===----------------------------------------------------------------------===//
// Ops with a scalar form
//===----------------------------------------------------------------------===//

namespace {

/// One evaluation of an op with a scalar form.
class ScalarEvaluation {
public:
  ScalarEvaluation(ComputeOpInterface op, ArrayRef<const Numbers *> operands,
                   Evaluation precision, Numbers &result)
      : op(op), operands(operands), exact(precision == Evaluation::Exact),
        result(result), structure(op.getIterationStructure()),
        code(ScalarCode::compile(op, precision)) {}

  bool run();

private:
  void findPoints();
  void findOffsets();
  void runLanes(ArrayRef<int64_t> bases, int64_t resultBase, size_t begin,
                unsigned count);
  void gather(unsigned operand, int64_t base, size_t begin, unsigned count);
  void accumulate(const Lanes &terms, unsigned count);
  void accumulateProducts(ArrayRef<int64_t> at, size_t begin, unsigned count);
  const double *getLanes(unsigned operand, int64_t base, size_t begin,
                         unsigned count);
  bool areDots() const;
  void runDots(ArrayRef<int64_t> bases, size_t begin, unsigned count);
  void store(int64_t base, size_t begin, unsigned count);

  ComputeOpInterface op;
  ArrayRef<const Numbers *> operands;
  bool exact;
  Numbers &result;
  IterationStructure structure;
  std::optional<ScalarCode> code;
  Positions points;            ///< of the iteration dims
  SmallVector<unsigned> outer; ///< dims of the result but the lanes'
  SmallVector<unsigned> reduced;
  std::optional<unsigned> laneDim;
  bool isMax = false;
  /// By operand (the result last) and iteration dim; empty: not carried.
  std::vector<SmallVector<std::vector<int64_t>>> offsets;
  std::vector<Lanes> inputs;
  SmallVector<const Lanes *> inputPointers;
  SmallVector<bool> isUniform; ///< the lanes of an input are all the same
  SmallVector<bool> isChunkContiguous; ///< or side by side, in this chunk
  Lanes sums;
  double magnitudes[numLanes];
};

} // namespace

void ScalarEvaluation::findPoints() {
  SmallVector<ArrayRef<int64_t>> extents;
  for (const Numbers *operand : operands)
    extents.push_back(operand->extents);
  SmallVector<int64_t> iteration =
      getIteration(structure, extents, result.extents);
  points.resize(iteration.size());
  splitPositions(structure.resultMap, result.at, iteration, points);
  Positions all = getAllPositions(iteration);
  for (auto [dim, kind] : llvm::enumerate(structure.dims)) {
    isMax |= kind == IterationKind::Max;
    if (!IterationStructure::carries(structure.resultMap, dim)) {
      points[dim] = std::move(all[dim]);
      reduced.push_back(dim);
    } else if (!laneDim || points[dim].size() >= points[*laneDim].size()) {
      laneDim = dim;
    }
  }
  for (unsigned dim = 0; dim < structure.dims.size(); ++dim)
    if (dim != laneDim && !llvm::is_contained(reduced, dim))
      outer.push_back(dim);
}

void ScalarEvaluation::findOffsets() {
  auto add = [&](const IndexMap &map, const Positions &at) {
    SmallVector<std::vector<int64_t>> own(points.size());
    SmallVector<int64_t> strides = getStrides(at);
    for (auto [factors, positions, stride] : llvm::zip(map, at, strides))
      if (!factors.empty())
        own[factors.front()] =
            locate(positions, points[factors.front()], stride);
    offsets.push_back(std::move(own));
  };
  for (auto [map, operand] : llvm::zip(structure.operandMaps, operands))
    add(map, operand->at);
  add(structure.resultMap, result.at);
}

void ScalarEvaluation::gather(unsigned operand, int64_t base, size_t begin,
                              unsigned count) {
  const Numbers &from = *operands[operand];
  bool withBounds = exact && !from.bounds.empty();
  Lanes &to = inputs[operand];
  if (isUniform[operand]) {
    std::fill_n(to.values, count, from.values[base]);
    std::fill_n(to.bounds, exact ? count : 0,
                withBounds ? from.bounds[base] : 0);
    return;
  }
  const int64_t *lanes = offsets[operand][*laneDim].data() + begin;
  for (unsigned i = 0; i < count; ++i)
    to.values[i] = from.values[base + lanes[i]];
  for (unsigned i = 0; exact && i < count; ++i)
    to.bounds[i] = withBounds ? from.bounds[base + lanes[i]] : 0;
}

/// Bound of a product but for its own rounding. A bound that is infinite stays
/// so; one of an infinite product is not there.
static double boundProduct(double a, double aBound, double b, double bBound) {
  double bound = std::fabs(a) * bBound + std::fabs(b) * aBound;
  bool isVague = std::max(aBound, bBound) == HUGE_VAL;
  return isVague ? HUGE_VAL : std::isnan(bound) ? 0 : bound;
}

/// Adds terms in single precision at least, whatever the declared type: a
/// program is not judged by how badly it could be run.
void ScalarEvaluation::accumulate(const Lanes &terms, unsigned count) {
  Format format = code->getResultFormat();
  bool inDouble = exact || format == Format::F64;
  for (unsigned i = 0; i < count; ++i) {
    double term = terms.values[i], &sum = sums.values[i];
    if (isMax) {
      sum = term > sum || std::isnan(term) ? term : sum;
      if (exact)
        sums.bounds[i] = std::max(sums.bounds[i], terms.bounds[i]);
      continue;
    }
    sum = inDouble ? sum + term : static_cast<float>(sum + term);
    if (exact) {
      sums.bounds[i] += terms.bounds[i];
      magnitudes[i] += std::fabs(term);
    }
  }
}

/// Whether `offsets` are consecutive from `begin` on.
static bool isContiguous(const std::vector<int64_t> &offsets, size_t begin,
                         size_t count) {
  for (size_t i = 1; i < count; ++i)
    if (offsets[begin + i] != offsets[begin] + int64_t(i))
      return false;
  return true;
}

/// An operand's values at the lanes, where they are or gathered; those of an
/// operand that is the same in all lanes are a single one.
const double *ScalarEvaluation::getLanes(unsigned operand, int64_t base,
                                         size_t begin, unsigned count) {
  const std::vector<double> &values = operands[operand]->values;
  if (isUniform[operand])
    return &values[base];
  const std::vector<int64_t> &lanes = offsets[operand][*laneDim];
  if (isChunkContiguous[operand])
    return &values[base + lanes[begin]];
  for (unsigned i = 0; i < count; ++i)
    inputs[operand].values[i] = values[base + lanes[begin + i]];
  return inputs[operand].values;
}

template <bool isExact>
static void addProducts(const double *a, unsigned aStride, const double *b,
                        unsigned bStride, unsigned count, double *sums,
                        double *magnitudes) {
  for (unsigned i = 0; i < count; ++i) {
    double product = a[i * aStride] * b[i * bStride];
    if (isExact) {
      sums[i] += product;
      magnitudes[i] += std::fabs(product);
    } else {
      sums[i] = static_cast<float>(sums[i] + static_cast<float>(product));
    }
  }
}

/// The inner loop of a contraction: most of the time goes here.
void ScalarEvaluation::accumulateProducts(ArrayRef<int64_t> at, size_t begin,
                                          unsigned count) {
  const double *a = getLanes(0, at[0], begin, count);
  const double *b = getLanes(1, at[1], begin, count);
  bool aUniform = isUniform[0], bUniform = isUniform[1];
  auto add = [&](auto kernel) {
    // Strides that the compiler knows.
    if (aUniform && !bUniform)
      kernel(a, 0, b, 1, count, sums.values, magnitudes);
    else if (!aUniform && bUniform)
      kernel(a, 1, b, 0, count, sums.values, magnitudes);
    else
      kernel(a, !aUniform, b, !bUniform, count, sums.values, magnitudes);
  };
  if (exact)
    add(addProducts<true>);
  else
    add(addProducts<false>);
  if (!exact || (operands[0]->bounds.empty() && operands[1]->bounds.empty()))
    return;
  for (unsigned operand : {0, 1})
    gather(operand, at[operand], begin, count);
  for (unsigned i = 0; i < count; ++i)
    sums.bounds[i] += boundProduct(inputs[0].values[i], inputs[0].bounds[i],
                                   inputs[1].values[i], inputs[1].bounds[i]);
}

/// Whether the products are of vectors that lie contiguously in both operands.
bool ScalarEvaluation::areDots() const {
  return reduced.size() == 1 &&
         llvm::all_of(ArrayRef(offsets).take_front(2), [&](const auto &own) {
           const std::vector<int64_t> &along = own[reduced.front()];
           return !along.empty() && isContiguous(along, 0, along.size());
         });
}

/// Sums of contiguous products: eight partial sums each.
void ScalarEvaluation::runDots(ArrayRef<int64_t> bases, size_t begin,
                               unsigned count) {
  constexpr unsigned parts = 8;
  size_t length = points[reduced.front()].size();
  auto offsetOf = [&](unsigned operand, size_t lane) {
    return bases[operand] +
           (isUniform[operand] ? 0 : offsets[operand][*laneDim][lane]);
  };
  bool withBounds =
      exact && (!operands[0]->bounds.empty() || !operands[1]->bounds.empty());
  for (unsigned i = 0; i < count; ++i) {
    int64_t aAt = offsetOf(0, begin + i), bAt = offsetOf(1, begin + i);
    const double *a = &operands[0]->values[aAt];
    const double *b = &operands[1]->values[bAt];
    double sum[parts] = {}, magnitude[parts] = {};
    for (size_t k = 0; k < length; k += parts) {
      unsigned now = std::min<size_t>(parts, length - k);
      if (exact)
        addProducts<true>(a + k, 1, b + k, 1, now, sum, magnitude);
      else
        addProducts<false>(a + k, 1, b + k, 1, now, sum, magnitude);
    }
    for (unsigned part = 0; part < parts; ++part) {
      sums.values[i] = exact ? sums.values[i] + sum[part]
                             : static_cast<float>(sums.values[i] + sum[part]);
      magnitudes[i] += magnitude[part];
    }
    for (size_t k = 0; withBounds && k < length; ++k)
      sums.bounds[i] += boundProduct(
          a[k], operands[0]->bounds.empty() ? 0 : operands[0]->bounds[aAt + k],
          b[k], operands[1]->bounds.empty() ? 0 : operands[1]->bounds[bAt + k]);
  }
}

void ScalarEvaluation::store(int64_t base, size_t begin, unsigned count) {
  double terms = 1;
  for (unsigned dim : reduced)
    terms *= points[dim].size();
  Format format = code->getResultFormat();
  for (unsigned i = 0; i < count; ++i) {
    int64_t at = base + (laneDim ? offsets.back()[*laneDim][begin + i] : 0);
    result.values[at] =
        exact ? sums.values[i] : roundTo(format, sums.values[i]);
    if (!exact)
      continue;
    double bound = sums.bounds[i];
    if (!reduced.empty() && !isMax)
      // Errors of a long sum partly cancel, in whatever order it is formed.
      bound += getRoundingBound(format, magnitudes[i]) * (1 + std::sqrt(terms));
    if (!std::isfinite(sums.values[i]))
      bound = std::isinf(sums.bounds[i]) ? HUGE_VAL : 0;
    result.bounds[at] = std::isnan(bound) ? HUGE_VAL : bound;
  }
}

/// One chunk of lanes, over all reduced points.
void ScalarEvaluation::runLanes(ArrayRef<int64_t> bases, int64_t resultBase,
                                size_t begin, unsigned count) {
  bool isProduct = code->isProduct() && !isMax &&
                   code->getResultFormat() != Format::F64 && !reduced.empty();
  std::fill_n(sums.values, count, isMax ? -HUGE_VAL : 0.0);
  std::fill_n(sums.bounds, count, 0.0);
  std::fill_n(magnitudes, count, 0.0);
  if (isProduct && areDots()) {
    runDots(bases, begin, count);
    return store(resultBase, begin, count);
  }
  for (unsigned operand = 0; operand < operands.size(); ++operand)
    isChunkContiguous[operand] =
        !isUniform[operand] &&
        isContiguous(offsets[operand][*laneDim], begin, count);
  SmallVector<size_t> index(reduced.size(), 0);
  SmallVector<int64_t> at(bases);
  while (true) {
    if (isProduct) {
      accumulateProducts(at, begin, count);
    } else {
      for (unsigned operand = 0; operand < operands.size(); ++operand)
        gather(operand, at[operand], begin, count);
      const Lanes &terms = code->run(inputPointers, count);
      if (reduced.empty()) {
        std::copy_n(terms.values, count, sums.values);
        std::copy_n(terms.bounds, exact ? count : 0, sums.bounds);
        break;
      }
      accumulate(terms, count);
    }
    // On to the next reduced point.
    size_t dim = reduced.size();
    while (dim-- > 0) {
      size_t last = index[dim]++;
      bool isDone = index[dim] == points[reduced[dim]].size();
      if (isDone)
        index[dim] = 0;
      for (unsigned operand = 0; operand < operands.size(); ++operand)
        if (!offsets[operand][reduced[dim]].empty())
          at[operand] += offsets[operand][reduced[dim]][index[dim]] -
                         offsets[operand][reduced[dim]][last];
      if (!isDone)
        break;
    }
    if (dim == size_t(-1))
      break;
  }
  store(resultBase, begin, count);
}

bool ScalarEvaluation::run() {
  if (!code)
    return false;
  findPoints();
  findOffsets();
  inputs.resize(operands.size());
  for (unsigned operand = 0; operand < operands.size(); ++operand) {
    inputPointers.push_back(&inputs[operand]);
    isUniform.push_back(!laneDim || offsets[operand][*laneDim].empty());
  }
  isChunkContiguous.resize(operands.size());
  Positions outerPoints;
  size_t lanes = laneDim ? points[*laneDim].size() : 1;
  for (const std::vector<int64_t> &dim : points)
    if (dim.empty())
      return true; // nothing to compute, or nothing to reduce
  for (unsigned dim : outer) {
    outerPoints.emplace_back(points[dim].size());
    std::iota(outerPoints.back().begin(), outerPoints.back().end(), 0);
  }
  forEachPoint(outerPoints, [&](int64_t, ArrayRef<int64_t> index) {
    SmallVector<int64_t> bases(offsets.size(), 0);
    for (auto [base, own] : llvm::zip(bases, offsets))
      for (auto [dim, at] : llvm::zip(outer, index))
        if (!own[dim].empty())
          base += own[dim][at];
    for (size_t begin = 0; begin < lanes; begin += numLanes)
      runLanes(ArrayRef(bases).drop_back(), bases.back(), begin,
               std::min<size_t>(numLanes, lanes - begin));
  });
  return true;
}

/// With 11 bits, as tensor cores take what was f32.
static double roundToTF32(double value) {
  int exponent = 0;
  double fraction = std::frexp(value, &exponent);
  return std::isfinite(value)
             ? std::ldexp(std::round(std::ldexp(fraction, 11)), exponent - 11)
             : value;
}

/// Whether `op` may take its operands as TF32.
static bool takesTF32(ComputeOpInterface op) {
  return isa<MatmulOp>(op) &&
         prism::getElementType(op->getOperand(0).getType()).isF32() &&
         prism::getElementType(op->getOperand(1).getType()).isF32() &&
         ProgramOp::allowsTF32(op);
}

bool prism::gate::evaluateOp(ComputeOpInterface op,
                             ArrayRef<const Numbers *> operands,
                             Evaluation precision, Numbers &result) {
  if (precision == Evaluation::Declared && takesTF32(op)) {
    Numbers rounded[] = {*operands[0], *operands[1]};
    for (Numbers &numbers : rounded)
      for (double &value : numbers.values)
        value = roundToTF32(value);
    const Numbers *as[] = {&rounded[0], &rounded[1]};
    return ScalarEvaluation(op, as, precision, result).run();
  }
  if (auto slice = dyn_cast<SliceOp>(*op))
    evaluateSlice(slice, *operands.front(), result);
  else if (auto concat = dyn_cast<ConcatOp>(*op))
    evaluateConcat(concat, operands, result);
  else if (auto reshape = dyn_cast<ReshapeOp>(*op))
    evaluateReshape(reshape, *operands.front(), result);
  else
    return op.hasScalarForm() &&
           ScalarEvaluation(op, operands, precision, result).run();
  return true;
}
