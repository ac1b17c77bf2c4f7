//===- LinalgToPrismReductions.cpp - linalg ops to prism ops --------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Any linalg op, named or generic, by its indexing maps and its body. Without
// reduction dims the body's ops become prism ops. With them, what is added to
// or maximised with the accumulator is a term over the whole iteration space:
// a product of operands that span different dims becomes a matmul, any other
// term an elementwise computation with a reduction after it; an accumulator
// that does not start at the neutral element is combined with the result.
//
//===----------------------------------------------------------------------===//

#include "LinalgToPrism.h"

using namespace mlir;
using namespace prism;

namespace prism {

/// What a reducing body does with its accumulator: for a sum, adds the terms,
/// each a value or the product of two.
struct Accumulation {
  struct Term {
    Value value;
    Value otherFactor; ///< null unless this is a product
  };
  bool isMax = false;
  SmallVector<Term> terms;
};

/// Imports the body of one linalg op.
class BodyImporter {
public:
  BodyImporter(LinalgImporter &importer, linalg::LinalgOp op)
      : importer(importer), op(op), body(*op.getBlock()),
        yield(body.getTerminator()), reduced(op.getNumLoops()) {
    for (auto [dim, kind] : llvm::enumerate(op.getIteratorTypesArray()))
      reduced[dim] = kind == utils::IteratorType::reduction;
  }

  LogicalResult run();

private:
  BlockArgument getAccumulator(unsigned result) {
    return body.getArgument(op.getNumDpsInputs() + result);
  }
  AffineMap getResultMap(unsigned result) {
    return op.getMatchingIndexingMap(op.getDpsInitOperand(result));
  }
  LogicalResult importResult(unsigned result);
  LogicalResult importReduction(unsigned result);
  LogicalResult setResult(unsigned result, View view);

  void findAccumulating();
  LogicalResult matchAccumulation(unsigned result, Accumulation &accumulation);
  /// Peels one step off `value`; null if it fails.
  Value peelAccumulation(Value value, BlockArgument accumulator,
                         std::optional<bool> &isMax, Accumulation &result);

  /// Imports what `roots` need.
  LogicalResult importScalars(ArrayRef<Value> roots);
  LogicalResult importBodyOp(Operation *bodyOp);
  FailureOr<View> importOperand(OpOperand &operand);
  FailureOr<View> getScalar(Value value);

  FailureOr<View> reduceTerm(const Accumulation &accumulation, unsigned index,
                             ArrayRef<unsigned> resultDims);
  bool isContraction(const View &lhs, const View &rhs);
  View contract(const View &lhs, const View &rhs,
                ArrayRef<unsigned> resultDims);
  FailureOr<View> reduce(View view, bool isMax);

  LinalgImporter &importer;
  linalg::LinalgOp op;
  Block &body;
  Operation *yield;
  llvm::SmallBitVector reduced;
  llvm::DenseSet<Value> accumulating; ///< depends on an accumulator
  DenseMap<Value, View> scalars;
};

} // namespace prism

LogicalResult LinalgImporter::importLinalg(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics())
    return fail("it works on buffers");
  return BodyImporter(*this, op).run();
}

LogicalResult BodyImporter::run() {
  findAccumulating();
  for (OpResult result : op->getResults())
    if (importer.isLive(result) &&
        failed(importResult(result.getResultNumber())))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

LogicalResult BodyImporter::importResult(unsigned result) {
  if (failed(importer.checkType(op->getResult(result).getType())))
    return failure();
  if (reduced.any())
    return importReduction(result);
  Value root = yield->getOperand(result);
  if (failed(importScalars(root)))
    return failure();
  FailureOr<View> view = getScalar(root);
  return failed(view) ? failure() : setResult(result, *view);
}

/// From the iteration space to the result's dims.
LogicalResult BodyImporter::setResult(unsigned result, View view) {
  AffineMap map = getResultMap(result);
  for (unsigned &dim : view.dims) {
    std::optional<unsigned> position =
        map.getResultPosition(importer.builder.getAffineDimExpr(dim));
    if (!position)
      return importer.fail("its result varies along an iteration dim that the "
                           "result's indexing map lacks");
    dim = *position;
  }
  importer.views[op->getResult(result)] = std::move(view);
  return success();
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

LogicalResult BodyImporter::importScalars(ArrayRef<Value> roots) {
  llvm::DenseSet<Operation *> needed;
  SmallVector<Value> worklist(roots);
  while (!worklist.empty()) {
    Operation *definition = worklist.pop_back_val().getDefiningOp();
    if (!definition || definition->getBlock() != &body ||
        !needed.insert(definition).second)
      continue;
    if (std::optional<MinMax> minMax = matchMinMax(definition))
      worklist.append({minMax->lhs, minMax->rhs});
    else
      llvm::append_range(worklist, definition->getOperands());
  }
  for (Operation &bodyOp : body)
    if (needed.contains(&bodyOp) && failed(importBodyOp(&bodyOp)))
      return failure();
  return success();
}

LogicalResult BodyImporter::importBodyOp(Operation *bodyOp) {
  if (bodyOp->getNumResults() != 1 || scalars.contains(bodyOp->getResult(0)))
    return success();
  if (isa<arith::ConstantOp>(bodyOp))
    return success();
  // Upstream writes the bodies of named ops without locations.
  importer.loc = isa<UnknownLoc>(bodyOp->getLoc())
                     ? bodyOp->getParentOp()->getLoc()
                     : bodyOp->getLoc();
  SmallVector<Value> operands(bodyOp->getOperands());
  std::optional<MinMax> minMax = matchMinMax(bodyOp);
  if (minMax)
    operands = {minMax->lhs, minMax->rhs};
  SmallVector<View> views;
  for (Value operand : operands) {
    FailureOr<View> view = getScalar(operand);
    if (failed(view))
      return failure();
    views.push_back(*view);
  }
  FailureOr<View> result = minMax ? importer.createMinMax(minMax->isMax, views)
                                  : importer.importScalarOp(bodyOp, views);
  if (failed(result))
    return failure();
  scalars[bodyOp->getResult(0)] = *result;
  return success();
}

FailureOr<View> BodyImporter::getScalar(Value value) {
  auto known = scalars.find(value);
  if (known != scalars.end())
    return known->second;
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != &body)
    return importer.getScalar(value);
  FailureOr<View> view = importOperand(*op.getMatchingOpOperand(argument));
  if (succeeded(view))
    scalars[value] = *view;
  return view;
}

FailureOr<View> BodyImporter::importOperand(OpOperand &operand) {
  if (op.isDpsInit(&operand) && operand.get().getDefiningOp<tensor::EmptyOp>())
    return importer.fail("it reads a tensor.empty");
  // Scalars may be operands of linalg ops, e.g. of linalg.fill.
  FailureOr<View> view = importer.getScalar(operand.get());
  if (failed(view))
    return failure();
  return importer.readThrough(*view, op.getMatchingIndexingMap(&operand));
}

//===----------------------------------------------------------------------===//
// Accumulators
//===----------------------------------------------------------------------===//

void BodyImporter::findAccumulating() {
  if (reduced.none())
    return;
  for (unsigned result = 0; result < op->getNumResults(); ++result)
    accumulating.insert(getAccumulator(result));
  for (Operation &bodyOp : body)
    if (llvm::any_of(bodyOp.getOperands(),
                     [&](Value v) { return accumulating.contains(v); }))
      accumulating.insert_range(bodyOp.getResults());
}

/// Combining with `value` gives the max (or the sum) of what is returned and
/// the terms that are added to `result`.
Value BodyImporter::peelAccumulation(Value value, BlockArgument accumulator,
                                     std::optional<bool> &isMax,
                                     Accumulation &result) {
  Operation *combiner = value.getDefiningOp();
  if (!combiner) {
    importer.reason = "its accumulator does not lead to its result";
    return {};
  }
  bool combinesMax = false;
  Value lhs, rhs, otherFactor;
  std::optional<MinMax> minMax = matchMinMax(combiner);
  if (isa<arith::AddFOp>(combiner)) {
    lhs = combiner->getOperand(0);
    rhs = combiner->getOperand(1);
  } else if (isa<math::FmaOp>(combiner)) {
    lhs = combiner->getOperand(2);
    rhs = combiner->getOperand(0);
    otherFactor = combiner->getOperand(1);
  } else if (isa<arith::MaximumFOp, arith::MaxNumFOp>(combiner)) {
    combinesMax = true;
    lhs = combiner->getOperand(0);
    rhs = combiner->getOperand(1);
  } else if (minMax && minMax->isMax) {
    combinesMax = true;
    lhs = minMax->lhs;
    rhs = minMax->rhs;
  } else {
    importer.reason = "its accumulator is combined by '" +
                      combiner->getName().getStringRef().str() +
                      "', not by a sum or a maximum";
    return {};
  }
  if (accumulating.contains(rhs) && !otherFactor)
    std::swap(lhs, rhs);
  bool isPlain = accumulating.contains(lhs) && !accumulating.contains(rhs) &&
                 !(otherFactor && accumulating.contains(otherFactor));
  if (!isPlain || (isMax && *isMax != combinesMax)) {
    importer.reason =
        "its body is no plain sum or maximum with its accumulator";
    return {};
  }
  isMax = combinesMax;
  auto product = rhs.getDefiningOp<arith::MulFOp>();
  if (product && !otherFactor && !combinesMax && product->hasOneUse())
    result.terms.push_back({product.getLhs(), product.getRhs()});
  else
    result.terms.push_back({rhs, otherFactor});
  return lhs;
}

LogicalResult BodyImporter::matchAccumulation(unsigned result,
                                              Accumulation &accumulation) {
  BlockArgument accumulator = getAccumulator(result);
  std::optional<bool> isMax;
  Value value = yield->getOperand(result);
  while (value && value != accumulator)
    value = peelAccumulation(value, accumulator, isMax, accumulation);
  if (!value)
    return failure();
  accumulation.isMax = isMax.value_or(false);
  return success();
}

/// Whether combining with it changes nothing.
static bool isNeutral(const View &view, bool isMax) {
  auto number = dyn_cast_or_null<FloatAttr>(view.constant);
  if (!number)
    return false;
  APFloat value = number.getValue();
  return isMax ? value.isInfinity() && value.isNegative() : value.isZero();
}

LogicalResult BodyImporter::importReduction(unsigned result) {
  Accumulation accumulation;
  if (failed(matchAccumulation(result, accumulation)))
    return failure();
  SmallVector<Value> roots;
  for (const Accumulation::Term &term : accumulation.terms) {
    roots.push_back(term.value);
    if (term.otherFactor)
      roots.push_back(term.otherFactor);
  }
  if (failed(importScalars(roots)))
    return failure();
  importer.loc = op.getLoc();
  FailureOr<View> total = importOperand(*op.getDpsInitOperand(result));
  if (failed(total))
    return failure();

  SmallVector<unsigned> resultDims;
  for (AffineExpr expr : getResultMap(result).getResults())
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      resultDims.push_back(dim.getPosition());
  bool isMax = accumulation.isMax;
  for (unsigned index = 0; index < accumulation.terms.size(); ++index) {
    FailureOr<View> term = reduceTerm(accumulation, index, resultDims);
    if (failed(term))
      return failure();
    if (isNeutral(*total, isMax))
      total = *term;
    else if (isMax)
      total = importer.create<MaxOp>({*term, *total});
    else
      total = importer.create<AddOp>({*term, *total});
  }
  return setResult(result, *total);
}

//===----------------------------------------------------------------------===//
// Reductions and contractions
//===----------------------------------------------------------------------===//

FailureOr<View> BodyImporter::reduceTerm(const Accumulation &accumulation,
                                         unsigned index,
                                         ArrayRef<unsigned> resultDims) {
  const Accumulation::Term &term = accumulation.terms[index];
  FailureOr<View> view = getScalar(term.value);
  if (failed(view))
    return failure();
  if (!term.otherFactor)
    return reduce(*view, accumulation.isMax);
  FailureOr<View> other = getScalar(term.otherFactor);
  if (failed(other))
    return failure();
  if (isContraction(*view, *other))
    return contract(*view, *other, resultDims);
  return reduce(importer.create<MulOp>({*view, *other}), accumulation.isMax);
}

/// Whether an elementwise product would have more dims than its operands, of
/// which some are summed, and none is repeated.
bool BodyImporter::isContraction(const View &lhs, const View &rhs) {
  bool isSummedInBoth = false, spansDiffer = false;
  for (unsigned dim = 0; dim < reduced.size(); ++dim) {
    bool inLhs = lhs.carries(dim), inRhs = rhs.carries(dim);
    isSummedInBoth |= reduced[dim] && inLhs && inRhs;
    spansDiffer |= inLhs != inRhs;
    if (reduced[dim] && !inLhs && !inRhs && op.getStaticLoopRanges()[dim] != 1)
      return false;
  }
  return isSummedInBoth && spansDiffer;
}

/// The sum of products; the result's dims are d0, d1, ..., the summed ones
/// follow.
View BodyImporter::contract(const View &lhs, const View &rhs,
                            ArrayRef<unsigned> resultDims) {
  OpBuilder &builder = importer.builder;
  View result;
  SmallVector<int64_t> shape;
  auto getExtent = [](const View &view, unsigned dim) {
    const unsigned *found = llvm::find(view.dims, dim);
    return found == view.dims.end()
               ? ShapedType::kDynamic
               : view.getShape()[found - view.dims.begin()];
  };
  for (unsigned dim : resultDims) {
    if (!lhs.carries(dim) && !rhs.carries(dim))
      continue;
    result.dims.push_back(dim);
    int64_t extent = getExtent(lhs, dim);
    shape.push_back(ShapedType::isDynamic(extent) ? getExtent(rhs, dim)
                                                  : extent);
  }
  SmallVector<unsigned> order(result.dims);
  for (unsigned dim : reduced.set_bits())
    if (lhs.carries(dim) || rhs.carries(dim))
      order.push_back(dim);
  auto getMap = [&](ArrayRef<unsigned> dims) {
    SmallVector<AffineExpr> exprs;
    for (unsigned dim : dims)
      exprs.push_back(
          builder.getAffineDimExpr(llvm::find(order, dim) - order.begin()));
    return AffineMap::get(order.size(), 0, exprs, builder.getContext());
  };
  auto type = RankedTensorType::get(shape, lhs.getElementType());
  auto matmul = MatmulOp::create(builder, importer.loc, type, lhs.base,
                                 rhs.base, /*indexing_maps=*/ArrayAttr());
  matmul.setMaps({getMap(lhs.dims), getMap(rhs.dims), getMap(result.dims)});
  result.base = matmul;
  return result;
}

FailureOr<View> BodyImporter::reduce(View view, bool isMax) {
  OpBuilder &builder = importer.builder;
  int64_t repeats = 1;
  for (unsigned dim : reduced.set_bits()) {
    if (view.carries(dim) || isMax)
      continue;
    int64_t extent = op.getStaticLoopRanges()[dim];
    if (ShapedType::isDynamic(extent))
      return importer.fail("it sums along a dynamic extent what does not vary "
                           "along it");
    repeats *= extent;
  }
  View result;
  SmallVector<int64_t> dims, shape;
  for (auto [baseDim, dim] : llvm::enumerate(view.dims)) {
    if (reduced[dim]) {
      dims.push_back(baseDim);
      continue;
    }
    result.dims.push_back(dim);
    shape.push_back(view.getShape()[baseDim]);
  }
  if (dims.empty()) {
    result = view;
  } else {
    auto type = RankedTensorType::get(shape, view.getElementType());
    auto attr = builder.getDenseI64ArrayAttr(dims);
    result.base =
        isMax
            ? ReduceMaxOp::create(builder, importer.loc, type, view.base, attr)
                  .getResult()
            : ReduceSumOp::create(builder, importer.loc, type, view.base, attr)
                  .getResult();
  }
  if (repeats == 1)
    return result;
  return importer.create<MulOp>(
      {result, importer.number(repeats, view.getElementType())});
}
