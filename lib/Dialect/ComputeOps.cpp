//===- ComputeOps.cpp - Compute ops ------------------------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the declarations of the compute ops leave to C++: checks of their own
// attributes (constraint S5), element types (S3), folds and decompositions.
//
//===----------------------------------------------------------------------===//

#include "Prism/Dialect/PrismDialect.h"
#include <cmath>

using namespace mlir;
using namespace prism;

//===----------------------------------------------------------------------===//
// Parameters (S5)
//===----------------------------------------------------------------------===//

/// `dims` are ascending and below `rank`.
static LogicalResult verifyAscendingDims(Operation *op, ArrayRef<int64_t> dims,
                                         unsigned rank) {
  int64_t previous = -1;
  for (int64_t dim : dims) {
    if (dim <= previous || dim >= rank)
      return op->emitOpError() << "expects ascending dims below " << rank
                               << ", got [" << dims << "]";
    previous = dim;
  }
  return success();
}

static LogicalResult verifyDim(Operation *op, int64_t dim) {
  unsigned rank = getRank(op->getOperand(0).getType());
  if (dim < 0 || dim >= rank)
    return op->emitOpError()
           << "has no dim " << dim << " in its operand of rank " << rank;
  return success();
}

LogicalResult ReduceSumOp::verifyParameters() {
  return verifyAscendingDims(*this, getDims(), getRank(getInput().getType()));
}

LogicalResult ReduceMaxOp::verifyParameters() {
  return verifyAscendingDims(*this, getDims(), getRank(getInput().getType()));
}

LogicalResult BroadcastOp::verifyParameters() {
  if (getDims().size() != getRank(getInput().getType()))
    return emitOpError() << "expects one result dim for each of the operand's "
                         << getRank(getInput().getType()) << " dims, got "
                         << getDims().size();
  return verifyAscendingDims(*this, getDims(), getRank(getType()));
}

LogicalResult TransposeOp::verifyParameters() {
  SmallVector<int64_t> sorted(getPermutation());
  llvm::sort(sorted);
  unsigned rank = getRank(getInput().getType());
  if (sorted.size() != rank ||
      !llvm::equal(sorted, llvm::seq<int64_t>(0, rank)))
    return emitOpError() << "expects a permutation of " << rank
                         << " dims, got [" << getPermutation() << "]";
  return success();
}

LogicalResult SliceOp::verifyParameters() {
  int64_t dim = getDim();
  if (failed(verifyDim(*this, dim)))
    return failure();
  if (static_cast<int64_t>(getOffset()) < 0)
    return emitOpError() << "has the negative offset "
                         << static_cast<int64_t>(getOffset());
  if (getRank(getType()) <= dim)
    return success(); // S2 reports the rank
  std::optional<int64_t> have =
      getExtents(getInput().getType())[dim].asConstant();
  std::optional<int64_t> want = getExtents(getType())[dim].asConstant();
  if (have && want && *want > *have - static_cast<int64_t>(getOffset()))
    return emitOpError() << "reads " << *want << " elements from offset "
                         << getOffset() << " of an extent of " << *have;
  return success();
}

/// The extent of the concatenated dim is the sum of the operands'.
LogicalResult ConcatOp::verifyParameters() {
  if (getInputs().empty())
    return emitOpError("expects at least one operand");
  int64_t dim = getDim();
  if (failed(verifyDim(*this, dim)))
    return failure();
  DimExpr sum = DimExpr::constant(0);
  for (Type type : getInputs().getTypes()) {
    if (getRank(type) <= dim)
      return success(); // S1 reports the rank
    sum = sum + getExtents(type)[dim];
  }
  if (getRank(getType()) <= dim)
    return success(); // S2 reports the rank
  DimExpr have = getExtents(getType())[dim];
  if (!sum.isUnknown() && !have.isUnknown() && sum != have)
    return emitOpError() << "result has extent " << have.str() << " in dim "
                         << dim << ", expected the operands' sum " << sum.str();
  return success();
}

/// Flattened, `lists` are d0, d1, ...; returns their number.
static FailureOr<unsigned> verifyFactorLists(ReshapeOp op, ArrayAttr lists) {
  int64_t next = 0;
  for (Attribute list : lists) {
    auto dims = dyn_cast<DenseI64ArrayAttr>(list);
    if (!dims)
      return op.emitOpError("expects lists of iteration dims");
    for (int64_t dim : dims.asArrayRef())
      if (dim != next++)
        return op.emitOpError() << "expects the iteration dims in order, got d"
                                << dim << " where d" << next - 1 << " is due";
  }
  return static_cast<unsigned>(next);
}

LogicalResult ReshapeOp::verifyParameters() {
  FailureOr<unsigned> operandDims = verifyFactorLists(*this, getOperandDims());
  FailureOr<unsigned> resultDims = verifyFactorLists(*this, getResultDims());
  if (failed(operandDims) || failed(resultDims))
    return failure();
  if (*operandDims != *resultDims)
    return emitOpError()
           << "expects the same iteration dims on both sides, got "
           << *operandDims << " and " << *resultDims;
  SmallVector<bool> standsAlone(*operandDims, false);
  for (ArrayAttr lists : {getOperandDims(), getResultDims()})
    for (auto dims : lists.getAsRange<DenseI64ArrayAttr>())
      if (dims.size() == 1)
        standsAlone[dims.asArrayRef().front()] = true;
  for (auto [dim, alone] : llvm::enumerate(standsAlone))
    if (!alone)
      return emitOpError() << "d" << dim
                           << " stands alone on neither side; split first and "
                              "merge with a second reshape";
  return success();
}

LogicalResult SoftmaxOp::verifyParameters() {
  return verifyDim(*this, getDim());
}

LogicalResult RmsNormOp::verifyParameters() {
  double epsilon = getEpsilon().convertToDouble();
  if (!(epsilon >= 0) || std::isinf(epsilon))
    return emitOpError() << "has the epsilon " << epsilon
                         << ", expected a finite number that is not negative";
  return verifyDim(*this, getDim());
}

LogicalResult ConstantOp::verifyParameters() {
  if (getRank(getType()) != 0)
    return emitOpError() << "expects a result of rank 0, got " << getType();
  Type elementType = prism::getElementType(getType());
  if (auto number = dyn_cast<FloatAttr>(getValue()))
    if (isa<FloatType>(elementType) && number.getType() == elementType)
      return success();
  if (auto number = dyn_cast<IntegerAttr>(getValue()))
    if (number.getType() == elementType && elementType.isInteger(1))
      return success();
  if (isa<DimExprAttr>(getValue()) && isa<FloatType>(elementType))
    return success();
  return emitOpError() << "expects a value of type " << elementType
                       << " or an extent, got " << getValue();
}

//===----------------------------------------------------------------------===//
// Element types (S3)
//===----------------------------------------------------------------------===//

LogicalResult CastOp::verifyElementTypes() {
  if (prism::getElementType(getType()).isInteger(1) &&
      !prism::getElementType(getInput().getType()).isInteger(1))
    return emitOpError("to i1 is not supported; use prism.compare");
  return success();
}

bool CastOp::isNarrowing() {
  Type from = prism::getElementType(getInput().getType());
  Type to = prism::getElementType(getType());
  if (from == to || from.isInteger(1))
    return false;
  auto fromFloat = cast<FloatType>(from), toFloat = cast<FloatType>(to);
  return fromFloat.getFPMantissaWidth() > toFloat.getFPMantissaWidth() ||
         fromFloat.getWidth() >= toFloat.getWidth();
}

LogicalResult CompareOp::verifyElementTypes() {
  Type operand = prism::getElementType(getLhs().getType());
  if (prism::getElementType(getRhs().getType()) != operand)
    return emitOpError() << "compares " << operand << " with "
                         << prism::getElementType(getRhs().getType());
  if (!prism::getElementType(getType()).isInteger(1))
    return emitOpError() << "expects a result of i1, got "
                         << prism::getElementType(getType());
  return success();
}

LogicalResult SelectOp::verifyElementTypes() {
  if (!prism::getElementType(getCondition().getType()).isInteger(1))
    return emitOpError() << "expects a condition of i1, got "
                         << prism::getElementType(getCondition().getType());
  Type expected = prism::getElementType(getType());
  for (Value value : {getTrueValue(), getFalseValue()})
    if (prism::getElementType(value.getType()) != expected)
      return emitOpError() << "chooses among "
                           << prism::getElementType(value.getType())
                           << ", expected " << expected << " as in the result";
  return success();
}

//===----------------------------------------------------------------------===//
// Folds
//===----------------------------------------------------------------------===//

OpFoldResult CastOp::fold(FoldAdaptor) {
  if (getInput().getType() == getType())
    return getInput();
  // A widening cast that is undone loses nothing.
  if (auto inner = getInput().getDefiningOp<CastOp>())
    if (!inner.isNarrowing() && inner.getInput().getType() == getType())
      return inner.getInput();
  return {};
}

OpFoldResult TransposeOp::fold(FoldAdaptor) {
  if (getInput().getType() == getType() &&
      llvm::equal(getPermutation(),
                  llvm::seq<int64_t>(0, getPermutation().size())))
    return getInput();
  return {};
}

OpFoldResult ReshapeOp::fold(FoldAdaptor) {
  if (getOperandDims() == getResultDims() && getInput().getType() == getType())
    return getInput();
  return {};
}

//===----------------------------------------------------------------------===//
// Composites
//===----------------------------------------------------------------------===//

namespace {
/// Builds ops at the level of a composite's operand, over all of its dims and
/// over all but one. Narrow data are widened first: the sums of a row, and its
/// extent as a number, may be out of their range.
struct RowBuilder {
  RowBuilder(OpBuilder &builder, Location loc, Value operand, int64_t dim)
      : builder(builder), loc(loc), like(operand.getType()), dim(dim) {
    SmallVector<DimExpr> extents = getExtents(like);
    elementType = prism::getElementType(like);
    if (elementType.getIntOrFloatBitWidth() < 32)
      elementType = builder.getF32Type();
    whole = cloneWith(like, extents, elementType);
    extent = extents[dim];
    extents.erase(extents.begin() + dim);
    row = cloneWith(like, extents, elementType);
    identity = builder.getMultiDimIdentityMap(getRank(like));
    rowMap = identity.dropResult(dim);
  }

  Value widen(Value value) { return cast(value, whole); }
  Value narrow(Value value) { return cast(value, like); }
  Value cast(Value value, Type type) {
    if (value.getType() == type)
      return value;
    return CastOp::create(builder, loc, type, value);
  }
  Value constant(Attribute value) {
    Type type = cloneWith(whole, {}, elementType);
    return ConstantOp::create(builder, loc, type, value);
  }
  Value number(double value) {
    return constant(FloatAttr::get(elementType, value));
  }
  /// The reduced extent as a number.
  Value count() {
    if (std::optional<int64_t> value = extent.asConstant())
      return number(*value);
    return constant(DimExprAttr::get(builder.getContext(), extent));
  }
  template <typename OpT>
  Value reduce(Value value) {
    return OpT::create(builder, loc, row, value,
                       builder.getDenseI64ArrayAttr({dim}));
  }
  /// value op row, the row value broadcast along the dim.
  template <typename OpT>
  Value withRow(Value value, Value rowValue) {
    return OpT::create(
        builder, loc, whole, value, rowValue,
        builder.getAffineMapArrayAttr({identity, rowMap, identity}));
  }
  /// row op scalar
  template <typename OpT>
  Value withScalar(Value rowValue, Value scalar) {
    unsigned rank = getRank(row);
    AffineMap rowIdentity = builder.getMultiDimIdentityMap(rank);
    AffineMap none = AffineMap::get(rank, 0, builder.getContext());
    return OpT::create(
        builder, loc, row, rowValue, scalar,
        builder.getAffineMapArrayAttr({rowIdentity, none, rowIdentity}));
  }

  OpBuilder &builder;
  Location loc;
  Type like, elementType, whole, row;
  DimExpr extent;
  int64_t dim;
  AffineMap identity, rowMap;
};
} // namespace

Value SoftmaxOp::decompose(OpBuilder &builder) {
  RowBuilder rows(builder, getLoc(), getInput(), getDim());
  Value x = rows.widen(getInput());
  Value max = rows.reduce<ReduceMaxOp>(x);
  Value shifted = rows.withRow<SubOp>(x, max);
  Value exponential = ExpOp::create(builder, getLoc(), rows.whole, shifted);
  Value sum = rows.reduce<ReduceSumOp>(exponential);
  return rows.narrow(rows.withRow<DivOp>(exponential, sum));
}

Value RmsNormOp::decompose(OpBuilder &builder) {
  RowBuilder rows(builder, getLoc(), getInput(), getDim());
  if (rows.extent.isUnknown())
    return {};
  Value x = rows.widen(getInput());
  Value square = SquareOp::create(builder, getLoc(), rows.whole, x);
  Value sum = rows.reduce<ReduceSumOp>(square);
  Value mean = rows.withScalar<DivOp>(sum, rows.count());
  if (!getEpsilon().isZero())
    mean = rows.withScalar<AddOp>(mean,
                                  rows.number(getEpsilon().convertToDouble()));
  Value root = SqrtOp::create(builder, getLoc(), rows.row, mean);
  return rows.narrow(rows.withRow<DivOp>(x, root));
}
