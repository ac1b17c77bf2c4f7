//===- LinalgToPrismViews.cpp - Imported values as views ------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Views of imported values: how they are read through indexing maps, computed
// with, and spread out to whole tensors again.
//
//===----------------------------------------------------------------------===//

#include "LinalgToPrism.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace prism;

Type View::getElementType() const {
  return constant ? constant.getType() : getElementTypeOrSelf(base.getType());
}

ArrayRef<int64_t> View::getShape() const {
  if (constant)
    return {};
  return cast<RankedTensorType>(base.getType()).getShape();
}

//===----------------------------------------------------------------------===//
// Views of values
//===----------------------------------------------------------------------===//

template <typename StreamableT>
static std::string str(const StreamableT &value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

LogicalResult LinalgImporter::checkType(Type type) {
  auto tensorType = dyn_cast<RankedTensorType>(type);
  if (!tensorType)
    return fail("type " + str(type) + " is not a ranked tensor");
  if (tensorType.getEncoding())
    return fail("type " + str(type) + " has an encoding");
  if (!isComputeType(type))
    return fail("element type " + str(tensorType.getElementType()) +
                " is not one of f16, bf16, f32, f64 and i1");
  if (llvm::is_contained(tensorType.getShape(), 0))
    return fail("type " + str(type) + " has an extent of 0");
  return success();
}

FailureOr<View> LinalgImporter::getView(Value tensor) {
  auto known = views.find(tensor);
  if (known != views.end())
    return known->second;
  if (failed(checkType(tensor.getType())))
    return failure();
  unsigned rank = cast<RankedTensorType>(tensor.getType()).getRank();
  return View{tensor, llvm::to_vector(llvm::seq<unsigned>(0, rank)), {}};
}

FailureOr<View> LinalgImporter::getScalar(Value value) {
  if (isa<TensorType>(value.getType()))
    return getView(value);
  if (TypedAttr constant = evaluateScalar(value))
    return View::ofConstant(constant);
  if (!TensorType::isValidElementType(value.getType()) ||
      !isComputeType(RankedTensorType::get({}, value.getType())))
    return fail("it reads a scalar of type " + str(value.getType()));
  auto type = RankedTensorType::get({}, value.getType());
  Value &tensor = scalarTensors[{builder.getInsertionBlock(), value}];
  if (!tensor)
    tensor = tensor::FromElementsOp::create(builder, loc, type, value);
  return View{tensor, {}, {}};
}

TypedAttr LinalgImporter::foldScalarOp(Operation *op,
                                       ArrayRef<Attribute> operands) {
  if (op->getNumResults() != 1 || op->getNumRegions() ||
      isa<ShapedType>(op->getResult(0).getType()) || !isPure(op))
    return {};
  // Upstream's fold rounds nothing.
  if (isa<arith::TruncFOp>(op) && isa<FloatAttr>(operands.front())) {
    APFloat value = cast<FloatAttr>(operands.front()).getValue();
    auto type = cast<FloatType>(op->getResult(0).getType());
    bool losesInfo;
    value.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    return FloatAttr::get(type, value);
  }
  // A fold may change the op in place.
  Operation *copy = op->clone();
  SmallVector<OpFoldResult> results;
  TypedAttr value;
  if (succeeded(copy->fold(operands, results)) && results.size() == 1)
    value = dyn_cast_or_null<TypedAttr>(dyn_cast<Attribute>(results.front()));
  copy->destroy();
  return value;
}

TypedAttr LinalgImporter::evaluateScalar(Value value, unsigned depth) {
  TypedAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    return constant;
  Operation *definition = value.getDefiningOp();
  if (!definition || !depth || definition->getNumOperands() == 0)
    return {};
  SmallVector<Attribute> operands;
  for (Value operand : definition->getOperands()) {
    if (isa<ShapedType>(operand.getType()))
      return {};
    operands.push_back(evaluateScalar(operand, depth - 1));
    if (!operands.back())
      return {};
  }
  return foldScalarOp(definition, operands);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

FailureOr<View> LinalgImporter::readThrough(View view, AffineMap map) {
  if (view.constant)
    return view;
  llvm::SmallBitVector dropped(view.dims.size());
  for (auto [baseDim, dim] : llvm::enumerate(view.dims)) {
    AffineExpr expr = map.getResult(dim);
    if (auto iterationDim = dyn_cast<AffineDimExpr>(expr))
      view.dims[baseDim] = iterationDim.getPosition();
    else if (isa<AffineConstantExpr>(expr) &&
             cast<AffineConstantExpr>(expr).getValue() == 0)
      dropped.set(baseDim);
    else
      return fail("indexing map " + str(map) +
                  " is not a projected permutation");
  }
  FailureOr<View> result = dropUnitDims(view, dropped);
  if (failed(result))
    return failure();
  llvm::SmallDenseSet<unsigned> distinct(result->dims.begin(),
                                         result->dims.end());
  if (distinct.size() != result->dims.size())
    return fail("indexing map " + str(map) + " names an iteration dim twice");
  return result;
}

static bool isComputed(Value value) {
  return isa_and_nonnull<ComputeOpInterface>(value.getDefiningOp());
}

/// Groups the dims of a shape so that each group has one dim of `standing`,
/// the others being unit dims around it.
static SmallVector<ReassociationIndices>
groupUnitDims(const llvm::SmallBitVector &standing) {
  SmallVector<ReassociationIndices> groups;
  ReassociationIndices leading;
  for (unsigned dim = 0; dim < standing.size(); ++dim) {
    if (standing[dim])
      groups.emplace_back(std::exchange(leading, {}));
    (groups.empty() ? leading : groups.back()).push_back(dim);
  }
  return groups;
}

/// Factors of a reshape that puts in, or leaves out, dims not in `standing`:
/// first those of the side that has them, then those of the other.
static std::pair<SmallVector<SmallVector<int64_t>>,
                 SmallVector<SmallVector<int64_t>>>
getUnitDimFactors(const llvm::SmallBitVector &standing) {
  SmallVector<SmallVector<int64_t>> with, without;
  for (unsigned dim = 0; dim < standing.size(); ++dim) {
    with.emplace_back();
    if (!standing[dim])
      continue;
    with.back().push_back(without.size());
    without.push_back(with.back());
  }
  return {with, without};
}

FailureOr<View>
LinalgImporter::dropUnitDims(View view, const llvm::SmallBitVector &baseDims) {
  if (baseDims.none())
    return view;
  llvm::SmallBitVector standing(baseDims);
  standing.flip();
  View result;
  SmallVector<int64_t> shape;
  for (auto [baseDim, dim] : llvm::enumerate(view.dims)) {
    int64_t extent = view.getShape()[baseDim];
    if (standing[baseDim]) {
      result.dims.push_back(dim);
      shape.push_back(extent);
    } else if (extent != 1) {
      return fail("it reads only index 0 of a dim whose extent is not 1");
    }
  }
  result.base = createWithoutUnitDims(view.base, standing, shape);
  return result;
}

/// By a prism op only inside a computation.
Value LinalgImporter::createWithoutUnitDims(
    Value base, const llvm::SmallBitVector &standing, ArrayRef<int64_t> shape) {
  auto &known = withoutUnitDims[{builder.getInsertionBlock(), base}];
  for (auto &[dims, value] : known)
    if (dims == standing && isInOrder)
      return value;
  Value value;
  if (isComputed(base)) {
    auto [with, without] = getUnitDimFactors(standing);
    value = createReshape(base, with, without, shape);
  } else {
    auto type = cast<RankedTensorType>(base.getType()).clone(shape);
    value = tensor::CollapseShapeOp::create(builder, loc, type, base,
                                            groupUnitDims(standing));
  }
  known.push_back({standing, value});
  return value;
}

//===----------------------------------------------------------------------===//
// Spreading out
//===----------------------------------------------------------------------===//

FailureOr<Value> LinalgImporter::spread(const View &view,
                                        ArrayRef<unsigned> wanted,
                                        ArrayRef<int64_t> extents,
                                        bool outside) {
  Value value = getBase(view);
  SmallVector<int64_t> permutation, positions, shape;
  llvm::SmallBitVector standing(wanted.size());
  bool isBroadcast = false, isDynamic = false;
  for (auto [position, dim] : llvm::enumerate(wanted)) {
    const unsigned *found = llvm::find(view.dims, dim);
    if (found != view.dims.end()) {
      standing.set(position);
      permutation.push_back(found - view.dims.begin());
      positions.push_back(position);
      shape.push_back(view.getShape()[permutation.back()]);
      continue;
    }
    shape.push_back(extents[dim]);
    isBroadcast |= extents[dim] != 1;
    isDynamic |= ShapedType::isDynamic(extents[dim]);
  }
  if (isDynamic)
    return fail("it is broadcast along a dynamic extent");

  value = createTranspose(value, permutation);
  if (standing.all())
    return value;
  auto type = RankedTensorType::get(shape, view.getElementType());
  if (isBroadcast)
    return BroadcastOp::create(builder, loc, type, value,
                               builder.getDenseI64ArrayAttr(positions))
        .getResult();
  if (outside)
    return tensor::ExpandShapeOp::create(builder, loc, type, value,
                                         groupUnitDims(standing))
        .getResult();
  auto [with, without] = getUnitDimFactors(standing);
  return createReshape(value, without, with, shape);
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

Value LinalgImporter::getBase(const View &view) {
  return view.constant ? createConstant(view.constant) : view.base;
}

/// One op per block and value, while ops are imported in order.
Value LinalgImporter::createConstant(TypedAttr value) {
  Value &known = constants[{builder.getInsertionBlock(), value}];
  if (known && isInOrder)
    return known;
  Type type = RankedTensorType::get({}, value.getType());
  return known = ConstantOp::create(builder, loc, type, value);
}

Value LinalgImporter::createTranspose(Value value,
                                      ArrayRef<int64_t> permutation) {
  if (llvm::is_sorted(permutation))
    return value;
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape;
  for (int64_t dim : permutation)
    shape.push_back(type.getDimSize(dim));
  return TransposeOp::create(builder, loc, type.clone(shape), value,
                             builder.getDenseI64ArrayAttr(permutation));
}

Value LinalgImporter::createReshape(Value value,
                                    ArrayRef<SmallVector<int64_t>> from,
                                    ArrayRef<SmallVector<int64_t>> to,
                                    ArrayRef<int64_t> shape) {
  auto lists = [&](ArrayRef<SmallVector<int64_t>> factors) {
    return builder.getArrayAttr(
        llvm::map_to_vector(factors, [&](ArrayRef<int64_t> list) -> Attribute {
          return builder.getDenseI64ArrayAttr(list);
        }));
  };
  auto type = cast<RankedTensorType>(value.getType()).clone(shape);
  return ReshapeOp::create(builder, loc, type, value, lists(from), lists(to));
}

/// The dims that any operand carries: ascending, unless that means to permute
/// all operands that have them all.
static SmallVector<unsigned> getResultDims(ArrayRef<View> operands) {
  SmallVector<unsigned> all;
  for (const View &operand : operands)
    for (unsigned dim : operand.dims)
      if (!llvm::is_contained(all, dim))
        all.push_back(dim);
  llvm::sort(all);
  const View *permuted = nullptr;
  for (const View &operand : operands) {
    if (operand.dims == all)
      return all;
    if (!permuted && operand.dims.size() == all.size())
      permuted = &operand;
  }
  return permuted ? permuted->dims : all;
}

View LinalgImporter::createElementwise(StringRef name, ArrayRef<View> operands,
                                       Type elementType,
                                       ArrayRef<NamedAttribute> attributes) {
  View result;
  result.dims = getResultDims(operands);
  unsigned rank = result.dims.size();
  SmallVector<int64_t> shape(rank, ShapedType::kDynamic);
  SmallVector<AffineMap> maps;
  OperationState state(loc, name);
  for (const View &operand : operands) {
    SmallVector<AffineExpr> exprs;
    for (auto [baseDim, dim] : llvm::enumerate(operand.dims)) {
      unsigned position = llvm::find(result.dims, dim) - result.dims.begin();
      exprs.push_back(builder.getAffineDimExpr(position));
      if (ShapedType::isDynamic(shape[position]))
        shape[position] = operand.getShape()[baseDim];
    }
    maps.push_back(AffineMap::get(rank, 0, exprs, builder.getContext()));
    state.addOperands(getBase(operand));
  }
  maps.push_back(builder.getMultiDimIdentityMap(rank));
  state.addTypes(RankedTensorType::get(shape, elementType));
  state.addAttributes(attributes);
  Operation *op = builder.create(state);
  if (auto mapped = dyn_cast<IndexingMapsOpInterface>(op))
    mapped.setMaps(maps);
  result.base = op->getResult(0);
  return result;
}

View LinalgImporter::number(double value, Type type) {
  return View::ofConstant(builder.getFloatAttr(type, value));
}
