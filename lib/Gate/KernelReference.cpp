//===- KernelReference.cpp - The blocks of a kernel, one at a time --------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interprets block graphs as the dialect defines them; nothing here is shared
// with the lowering of kernels.
//
//===----------------------------------------------------------------------===//

#include "Prism/Plan/KernelPlan.h"
#include "References.h"
#include <cmath>

using namespace mlir;
using namespace prism;
using namespace prism::gate;

namespace prism::gate {
std::optional<Numbers> evaluateConstant(ConstantOp op,
                                        const SymbolValues &symbols,
                                        Evaluation precision);
} // namespace prism::gate

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

Positions Box::getPositions() const {
  Positions positions;
  for (auto [begin, end] : ranges) {
    positions.emplace_back();
    for (int64_t position = begin; position < end; ++position)
      positions.back().push_back(position);
  }
  return positions;
}

bool Box::isEmpty() const {
  return isNothing || llvm::any_of(ranges, [](auto range) {
           return range.first >= range.second;
         });
}

//===----------------------------------------------------------------------===//
// Dims
//===----------------------------------------------------------------------===//

std::optional<int64_t>
KernelReference::evaluateWhole(const DimExpr &extent) const {
  return extent.evaluate(
      [&](StringRef name) -> std::optional<int64_t> {
        StringRef own = name;
        if (own.consume_front(graphName) && own.consume_front("."))
          if (const Dim *dim = lookup(own))
            return dim->count;
        auto it = symbols.find(name);
        return it == symbols.end() ? std::nullopt
                                   : std::optional<int64_t>(it->second);
      },
      [&](StringRef name) -> std::optional<int64_t> {
        const Dim *dim = lookup(name);
        return dim ? std::optional<int64_t>(dim->tile) : std::nullopt;
      });
}

const KernelReference::Dim *KernelReference::lookup(StringRef name) const {
  const Dim *found =
      llvm::find_if(dims, [&](const Dim &dim) { return dim.name == name; });
  return found == dims.end() ? nullptr : found;
}

int64_t KernelReference::getCount(StringRef name) const {
  const Dim *dim = lookup(name);
  return dim ? dim->count : 0;
}

/// The extent that `name` splits: of a tensor, or of a grid tile of it.
static DimExpr findBase(KernelOp kernel, StringRef name) {
  for (Operation &op : kernel.getBodyBlock()) {
    auto map = op.getAttrOfType<MapAttr>("map");
    if (!map)
      continue;
    SmallVector<DimExpr> extents =
        prism::getExtents(isa<LoadOp>(op) ? op.getOperand(0).getType()
                                          : op.getResult(0).getType());
    unsigned leading = extents.size() - map.getValue().size();
    for (auto [dim, splits] : llvm::enumerate(map.getValue())) {
      DimExpr extent = extents[leading + dim];
      for (const Split &split : splits) {
        if (split.dim == name)
          return extent;
        extent = DimExpr::quotient(extent, split);
      }
    }
  }
  return DimExpr();
}

KernelReference::KernelReference(KernelOp kernel, const SymbolValues &symbols)
    : kernel(kernel), graphName(kernel.getGraphName()), symbols(symbols) {
  int64_t blocks = 1;
  // The loop last: it may split a grid tile.
  for (bool isLoop : {false, true})
    for (ParallelDimAttr attr : kernel.getParallelDims()) {
      if ((attr.getKind() == ParallelKind::Loop) != isLoop)
        continue;
      Dim dim = {attr.getName().str(), isLoop, attr.getTile().value_or(0), 0,
                 findBase(kernel, attr.getName())};
      std::optional<int64_t> extent = evaluateWhole(dim.base);
      if (!extent || *extent <= 0 || dim.tile <= 0)
        return;
      dim.count = (*extent + dim.tile - 1) / dim.tile;
      blocks *= isLoop ? 1 : dim.count;
      dims.push_back(std::move(dim));
    }
  numBlocks = blocks;
}

/// The first declared grid dim is the outermost.
KernelReference::Coordinates
KernelReference::getCoordinates(int64_t block) const {
  Coordinates at;
  for (const Dim &dim : llvm::reverse(dims)) {
    if (dim.isLoop)
      continue;
    at[dim.name] = block % dim.count;
    block /= dim.count;
  }
  return at;
}

int64_t KernelReference::evaluateTile(const DimExpr &extent,
                                      const Coordinates &at) const {
  if (!extent.isQuotient())
    return evaluateWhole(extent).value_or(0);
  const Split &split = extent.quotientSplit();
  int64_t base = evaluateTile(extent.quotientBase(), at);
  const Dim *dim = lookup(split.dim);
  auto chunk = at.find(split.dim);
  if (!dim || chunk == at.end())
    return base;
  return std::max<int64_t>(
      0, std::min(dim->tile, base - chunk->second * dim->tile));
}

/// A dim that is not in `at` (the loop, where all steps are meant) splits
/// nothing.
std::pair<int64_t, int64_t>
KernelReference::getRange(const DimExpr &whole, ArrayRef<Split> splits,
                          const Coordinates &at) const {
  int64_t begin = 0, end = evaluateWhole(whole).value_or(0);
  for (const Split &split : splits) {
    const Dim *dim = lookup(split.dim);
    auto chunk = at.find(split.dim);
    if (!dim || chunk == at.end())
      continue;
    begin = std::min(end, begin + chunk->second * dim->tile);
    end = std::min(end, begin + dim->tile);
  }
  return {begin, end};
}

Box KernelReference::getBox(Type tensor, MapAttr map, ArrayAttr partials,
                            const Coordinates &at) const {
  Box box;
  for (Attribute partial :
       partials ? partials.getValue() : ArrayRef<Attribute>()) {
    auto chunk = at.find(cast<StringAttr>(partial).getValue());
    int64_t position = chunk == at.end() ? 0 : chunk->second;
    box.ranges.push_back({position, position + 1});
  }
  SmallVector<DimExpr> extents = prism::getExtents(tensor);
  for (auto [extent, splits] : llvm::zip(
           ArrayRef(extents).drop_front(box.ranges.size()), map.getValue()))
    box.ranges.push_back(getRange(extent, splits, at));
  return box;
}

/// Along a grid dim that the result does not have all blocks hold the same, and
/// the first one writes it (DECISIONS 6).
Box KernelReference::getSaved(int64_t block, unsigned index) {
  auto save = kernel.getYield().getValues()[index].getDefiningOp<SaveOp>();
  Coordinates at = getCoordinates(block);
  Box box =
      getBox(save.getType(), save.getMapAttr(), save.getPartialsAttr(), at);
  for (const Dim &dim : dims) {
    bool isNamed = llvm::any_of(save.getPartials(), [&](Attribute partial) {
      return cast<StringAttr>(partial).getValue() == dim.name;
    });
    for (const auto &splits : save.getMap().getValue())
      for (const Split &split : splits)
        isNamed |= split.dim == dim.name;
    box.isNothing |= !dim.isLoop && !isNamed && at.lookup(dim.name) != 0;
  }
  return box;
}

Positions KernelReference::getLoaded(int64_t block, unsigned index) {
  Positions loaded;
  Coordinates at = getCoordinates(block);
  for (Operation *user : kernel.getBodyBlock().getArgument(index).getUsers())
    if (auto load = dyn_cast<LoadOp>(user))
      loaded = unite(
          loaded, getBox(load.getSource().getType(), load.getMapAttr(), {}, at)
                      .getPositions());
  return loaded;
}

std::vector<int64_t> KernelReference::findWriters(unsigned index,
                                                  const Positions &wanted) {
  auto save = kernel.getYield().getValues()[index].getDefiningOp<SaveOp>();
  unsigned numPartials = save.getPartials().size();
  if (wanted.size() != numPartials + save.getMap().getValue().size())
    return {}; // nothing is wanted
  std::vector<int64_t> writers = {0};
  for (const Dim &dim : dims) {
    if (dim.isLoop)
      continue;
    std::vector<int64_t> chunks;
    for (auto [number, partial] : llvm::enumerate(save.getPartials()))
      if (cast<StringAttr>(partial).getValue() == dim.name)
        chunks = wanted[number];
    for (auto [number, splits] : llvm::enumerate(save.getMap().getValue()))
      for (const Split &split : splits)
        if (split.dim == dim.name)
          for (int64_t position : wanted[numPartials + number])
            if (chunks.empty() || chunks.back() != position / dim.tile)
              chunks.push_back(position / dim.tile);
    if (chunks.empty())
      chunks = {0}; // every block of this dim writes the same
    std::vector<int64_t> longer;
    for (int64_t block : writers)
      for (int64_t chunk : chunks)
        longer.push_back(block * dim.count + chunk);
    writers = std::move(longer);
  }
  return writers;
}

/// The sum over the ops of the first block, over all steps of its loop.
uint64_t KernelReference::sumOverOps(CountFn count) {
  uint64_t turns = 1, sum = 0;
  Coordinates first;
  for (const Dim &dim : dims) {
    first[dim.name] = 0;
    if (dim.isLoop)
      turns = dim.count;
  }
  auto evaluate = [&](Type type) {
    return llvm::map_to_vector(
        prism::getExtents(type),
        [&](const DimExpr &extent) { return evaluateTile(extent, first); });
  };
  for (Operation &op : kernel.getBodyBlock().without_terminator()) {
    auto compute = dyn_cast<ComputeOpInterface>(op);
    if (!compute)
      continue;
    SmallVector<SmallVector<int64_t>> extents;
    for (Type type : op.getOperandTypes())
      extents.push_back(evaluate(type));
    SmallVector<ArrayRef<int64_t>> refs(extents.begin(), extents.end());
    int64_t points = 1;
    for (int64_t extent : evaluate(op.getResult(0).getType()))
      points *= extent;
    sum += turns * count(compute, refs, points);
  }
  return sum;
}

uint64_t KernelReference::countSteps() { return sumOverOps(gate::countSteps); }

uint64_t KernelReference::estimateSimulated() {
  return sumOverOps(gate::estimateSimulated);
}

//===----------------------------------------------------------------------===//
// One block
//===----------------------------------------------------------------------===//

/// One block that runs.
class KernelReference::Run {
public:
  using LoadFn = llvm::function_ref<Numbers(unsigned, const Positions &)>;

  Run(KernelReference &reference, int64_t block, LoadFn load,
      Evaluation precision)
      : reference(reference), kernel(reference.kernel), load(load),
        precision(precision), at(reference.getCoordinates(block)) {}

  std::optional<std::vector<Numbers>> run();

private:
  bool runOps(bool afterLoop);
  bool runOp(Operation &op);
  Numbers runLoad(LoadOp op);
  void runAccumulate(AccumulateOp op);
  void addRescaled(AccumulateOp op, const Numbers &term);
  void maskParts(Operation *op, Numbers &result);
  Numbers createTile(Type type);
  bool isExact() const { return precision == Evaluation::Exact; }

  KernelReference &reference;
  KernelOp kernel;
  LoadFn load;
  Evaluation precision;
  Coordinates at;
  llvm::DenseSet<Operation *> pastLoop; ///< needs an accumulator's result
  llvm::DenseSet<Operation *> inLoop;   ///< differs from step to step
  llvm::DenseMap<Value, Numbers> numbers;
  llvm::DenseMap<Operation *, Numbers> maxima; ///< of rescaled accumulators
};

Numbers KernelReference::Run::createTile(Type type) {
  SmallVector<int64_t> extents =
      llvm::map_to_vector(prism::getExtents(type), [&](const DimExpr &extent) {
        return reference.evaluateTile(extent, at);
      });
  return Numbers(extents, getAllPositions(extents), isExact());
}

Numbers KernelReference::Run::runLoad(LoadOp op) {
  Box box = reference.getBox(op.getSource().getType(), op.getMapAttr(), {}, at);
  unsigned index = cast<BlockArgument>(op.getSource()).getArgNumber();
  Numbers numbers = load(index, box.getPositions());
  numbers.extents.clear();
  for (auto [begin, end] : box.ranges)
    numbers.extents.push_back(end - begin);
  numbers.at = getAllPositions(numbers.extents);
  return numbers;
}

/// For each element of the tile with `dims` = which of its dims the smaller
/// tensor has: the offset in the smaller one.
static std::vector<int64_t> projectOffsets(ArrayRef<int64_t> extents,
                                           ArrayRef<unsigned> dims) {
  int64_t count = 1;
  for (int64_t extent : extents)
    count *= extent;
  std::vector<int64_t> offsets(count);
  SmallVector<int64_t> index(extents.size());
  for (int64_t point = 0; point < count; ++point) {
    int64_t rest = point;
    for (size_t dim = extents.size(); dim-- > 0;) {
      index[dim] = rest % extents[dim];
      rest /= extents[dim];
    }
    for (unsigned dim : dims)
      offsets[point] = offsets[point] * extents[dim] + index[dim];
  }
  return offsets;
}

/// Sum so far times exp(M_old - M_new), plus the term times exp(m - M_new); a
/// step with m = -inf adds 0 (schema S6, DECISIONS 11).
void KernelReference::Run::addRescaled(AccumulateOp op, const Numbers &term) {
  const Numbers &shift = numbers.find(op.getShift())->second;
  Numbers &sum = numbers.find(op.getResult())->second;
  std::vector<int64_t> offsets = projectOffsets(term.extents, getShiftDims(op));
  auto [maximum, isFirst] = maxima.try_emplace(op, shift);
  if (isFirst) {
    llvm::fill(maximum->second.values, -HUGE_VAL);
    sum = term;
    llvm::fill(sum.values, 0.0);
    llvm::fill(sum.bounds, 0.0);
  }
  for (auto [point, offset] : llvm::enumerate(offsets)) {
    double m = shift.values[offset], old = maximum->second.values[offset];
    double next = m > old || std::isnan(m) ? m : old;
    double kept = old == -HUGE_VAL ? 0 : std::exp(old - next);
    double added = m == -HUGE_VAL ? 0 : std::exp(m - next);
    double &value = sum.values[point];
    value = (old == -HUGE_VAL ? 0 : value * kept) +
            (m == -HUGE_VAL ? 0 : term.values[point] * added);
    if (isExact()) {
      double shiftBound = shift.bounds.empty() ? 0 : shift.bounds[offset];
      double &bound = sum.bounds[point];
      bound = bound * kept + term.bounds[point] * added +
              std::fabs(value) * 2 * shiftBound +
              4 * getRoundingBound(Format::F32, value);
      if (!std::isfinite(value) || std::isnan(bound))
        bound = std::isfinite(value) ? HUGE_VAL : 0;
    } else {
      value = roundTo(Format::F32, value);
    }
  }
  for (auto [old, m] : llvm::zip(maximum->second.values, shift.values))
    old = m > old || std::isnan(m) ? m : old;
}

void KernelReference::Run::runAccumulate(AccumulateOp op) {
  bool isFirst = numbers.try_emplace(op.getResult()).second;
  const Numbers &step = numbers.find(op.getTile())->second;
  if (op.getShift())
    return addRescaled(op, step);
  Numbers &sum = numbers.find(op.getResult())->second;
  if (isFirst) {
    sum = step;
    return;
  }
  bool isMax = op.getKind() == AccumulatorKind::Max;
  std::optional<Format> format =
      getFormat(prism::getElementType(op.getResult().getType()));
  // The last step of a ragged loop gives a tile of the same extents: what is
  // accumulated does not carry the loop dim.
  for (size_t i = 0; i < sum.values.size(); ++i) {
    double &value = sum.values[i], next = step.values[i];
    if (isMax)
      value = next > value || std::isnan(next) ? next : value;
    else
      value = isExact() ? value + next : roundTo(*format, value + next);
    if (!isExact())
      continue;
    sum.bounds[i] = isMax ? std::max(sum.bounds[i], step.bounds[i])
                          : sum.bounds[i] + step.bounds[i] +
                                getRoundingBound(*format, value);
    if (!std::isfinite(value))
      sum.bounds[i] = 0;
  }
}

/// A part of a block that saw nothing but -inf counts as 0 (DECISIONS 11). Its
/// weight is 0, or no number where all parts are such.
void KernelReference::Run::maskParts(Operation *op, Numbers &result) {
  OpOperand *weight = getPartialWeight(op);
  if (!weight)
    return;
  auto compute = cast<ComputeOpInterface>(op);
  IterationStructure structure = compute.getIterationStructure();
  SmallVector<unsigned> dims;
  for (const auto &factors : structure.operandMaps[weight->getOperandNumber()])
    for (auto [dim, own] : llvm::enumerate(structure.resultMap))
      if (own == factors)
        dims.push_back(dim);
  const Numbers &weights = numbers.find(weight->get())->second;
  std::vector<int64_t> offsets = projectOffsets(result.extents, dims);
  for (auto [point, offset] : llvm::enumerate(offsets))
    if (weights.values[offset] == 0 || std::isnan(weights.values[offset])) {
      result.values[point] = 0;
      if (isExact())
        result.bounds[point] = 0;
    }
}

bool KernelReference::Run::runOp(Operation &op) {
  if (auto loader = dyn_cast<LoadOp>(op)) {
    Numbers loaded = runLoad(loader);
    numbers[loader.getResult()] = std::move(loaded);
    return true;
  }
  if (auto accumulate = dyn_cast<AccumulateOp>(op)) {
    runAccumulate(accumulate);
    return true;
  }
  if (isa<SaveOp>(op))
    return true; // the tile is what is wanted
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    auto value = evaluateConstant(constant, reference.symbols, precision);
    if (value)
      numbers[constant.getResult()] = std::move(*value);
    return value.has_value();
  }
  auto compute = dyn_cast<ComputeOpInterface>(op);
  if (!compute)
    return false;
  Numbers result = createTile(op.getResult(0).getType());
  SmallVector<const Numbers *> operands;
  for (Value operand : op.getOperands())
    operands.push_back(&numbers.find(operand)->second);
  if (!evaluateOp(compute, operands, precision, result))
    return false;
  maskParts(&op, result);
  numbers[op.getResult(0)] = std::move(result);
  return true;
}

bool KernelReference::Run::runOps(bool afterLoop) {
  for (Operation &op : kernel.getBodyBlock().without_terminator())
    if (pastLoop.contains(&op) == afterLoop &&
        (inLoop.contains(&op) || !numbers.contains(op.getResult(0))) &&
        !runOp(op))
      return false;
  return true;
}

std::optional<std::vector<Numbers>> KernelReference::Run::run() {
  const Dim *loop =
      llvm::find_if(reference.dims, [](const Dim &dim) { return dim.isLoop; });
  bool hasLoop = loop != reference.dims.end();
  for (Operation &op : kernel.getBodyBlock().without_terminator()) {
    if (auto load = dyn_cast<LoadOp>(op))
      for (const auto &splits : load.getMap().getValue())
        for (const Split &split : splits)
          if (hasLoop && split.dim == loop->name)
            inLoop.insert(&op);
    if (isa<AccumulateOp>(op))
      inLoop.insert(&op);
    for (Value operand : op.getOperands())
      if (Operation *definition = operand.getDefiningOp()) {
        if (isa<AccumulateOp>(definition) || pastLoop.contains(definition))
          pastLoop.insert(&op);
        else if (inLoop.contains(definition))
          inLoop.insert(&op);
      }
  }
  int64_t extent = hasLoop ? reference.evaluateTile(loop->base, at) : 1;
  int64_t tile = hasLoop ? loop->tile : 1;
  for (int64_t step = 0; step * tile < extent; ++step) {
    if (hasLoop)
      at[loop->name] = step;
    if (!runOps(/*afterLoop=*/false))
      return std::nullopt;
  }
  if (!runOps(/*afterLoop=*/true))
    return std::nullopt;
  if (hasLoop)
    at.erase(loop->name);
  std::vector<Numbers> saved;
  for (Value value : kernel.getYield().getValues()) {
    auto save = value.getDefiningOp<SaveOp>();
    Numbers result = numbers.find(save.getTile())->second;
    Box box = reference.getBox(save.getType(), save.getMapAttr(),
                               save.getPartialsAttr(), at);
    result.at = box.getPositions();
    saved.push_back(std::move(result));
  }
  return saved;
}

std::optional<std::vector<Numbers>> KernelReference::evaluate(
    int64_t block,
    llvm::function_ref<Numbers(unsigned, const Positions &)> load,
    Evaluation precision) {
  return Run(*this, block, load, precision).run();
}
