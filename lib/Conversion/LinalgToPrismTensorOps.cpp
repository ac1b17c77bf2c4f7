//===- LinalgToPrismTensorOps.cpp - tensor ops to prism ops ---------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops that are not bodies applied at each point: constants, softmax, and the
// data movement of the tensor dialect. Reshapes that only put in or take out
// unit dims make no op.
//
//===----------------------------------------------------------------------===//

#include "LinalgToPrism.h"

using namespace mlir;
using namespace prism;

/// A splat is a scalar; any other constant tensor stays as it is.
LogicalResult LinalgImporter::importConstant(Operation *op) {
  auto splat =
      dyn_cast<SplatElementsAttr>(cast<arith::ConstantOp>(op).getValue());
  if (!splat || !isa<RankedTensorType>(splat.getType()))
    return failure();
  auto value = dyn_cast<TypedAttr>(splat.getSplatValue<Attribute>());
  if (!value)
    return failure();
  views[op->getResult(0)] = View::ofConstant(value);
  return success();
}

LogicalResult LinalgImporter::importSoftmax(linalg::SoftmaxOp op) {
  if (op->getNumResults() != 1)
    return fail("it works on buffers");
  FailureOr<View> input = getView(op.getInput());
  if (failed(input))
    return failure();
  if (getElementTypeOrSelf(op->getResult(0).getType()) !=
      input->getElementType())
    return fail("its result has another element type than its input");
  const unsigned *dim = llvm::find(input->dims, op.getDimension());
  if (dim == input->dims.end())
    return fail("its input does not vary along the dim");
  View result = *input;
  result.base = SoftmaxOp::create(builder, loc, input->base.getType(),
                                  input->base, dim - input->dims.begin());
  views[op->getResult(0)] = result;
  return success();
}

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

/// The dims of `group` whose extent is not 1; one at least.
static SmallVector<unsigned> getNonUnitDims(ArrayRef<int64_t> group,
                                            ArrayRef<int64_t> shape) {
  SmallVector<unsigned> dims;
  for (int64_t dim : group)
    if (shape[dim] != 1)
      dims.push_back(dim);
  if (dims.empty())
    dims.push_back(group.front());
  return dims;
}

LogicalResult LinalgImporter::importExpandShape(tensor::ExpandShapeOp op) {
  FailureOr<View> source = getView(op.getSrc());
  if (failed(source))
    return failure();
  View result;
  result.constant = source->constant;
  ArrayRef<int64_t> resultShape = op.getResultType().getShape();
  SmallVector<ReassociationIndices> groups = op.getReassociationIndices();
  SmallVector<SmallVector<int64_t>> from, to;
  SmallVector<int64_t> shape;
  for (auto [baseDim, dim] : llvm::enumerate(source->dims)) {
    SmallVector<unsigned> parts = getNonUnitDims(groups[dim], resultShape);
    if (llvm::count_if(parts, [&](unsigned part) {
          return ShapedType::isDynamic(resultShape[part]);
        }) > 1)
      return fail("it splits a dim into several dynamic extents");
    from.emplace_back();
    for (unsigned part : parts) {
      from.back().push_back(to.size());
      to.push_back({static_cast<int64_t>(to.size())});
      result.dims.push_back(part);
      shape.push_back(parts.size() == 1 ? source->getShape()[baseDim]
                                        : resultShape[part]);
    }
  }
  result.base = source->base;
  if (to.size() != from.size())
    result.base = createReshape(source->base, from, to, shape);
  views[op->getResult(0)] = result;
  return success();
}

LogicalResult LinalgImporter::importCollapseShape(tensor::CollapseShapeOp op) {
  FailureOr<View> source = getView(op.getSrc());
  if (failed(source))
    return failure();
  if (source->constant) {
    views[op->getResult(0)] = *source;
    return success();
  }
  ArrayRef<int64_t> sourceShape = op.getSrcType().getShape();
  SmallVector<ReassociationIndices> groups = op.getReassociationIndices();
  // Which dims are merged, and which of the base are unit dims to be dropped.
  SmallVector<unsigned> wanted;
  llvm::SmallBitVector standing(sourceShape.size());
  for (const ReassociationIndices &group : groups) {
    SmallVector<unsigned> merged = getNonUnitDims(group, sourceShape);
    bool isCarried = llvm::any_of(
        merged, [&](unsigned dim) { return source->carries(dim); });
    if (!isCarried)
      continue;
    llvm::append_range(wanted, merged);
    for (unsigned dim : merged)
      standing.set(dim);
  }
  llvm::SmallBitVector dropped(source->dims.size());
  for (auto [baseDim, dim] : llvm::enumerate(source->dims))
    if (!standing[dim])
      dropped.set(baseDim);
  FailureOr<View> reduced = dropUnitDims(*source, dropped);
  if (failed(reduced))
    return failure();

  View result = *reduced;
  if (wanted.size() == source->dims.size() - dropped.count() &&
      llvm::none_of(groups, [&](const ReassociationIndices &group) {
        return llvm::count_if(group,
                              [&](int64_t dim) { return standing[dim]; }) > 1;
      })) {
    // Nothing is merged: the dims have new numbers.
    for (unsigned &dim : result.dims)
      for (auto [resultDim, group] : llvm::enumerate(groups))
        if (llvm::is_contained(group, dim)) {
          dim = resultDim;
          break;
        }
    views[op->getResult(0)] = result;
    return success();
  }
  FailureOr<Value> value = spread(*reduced, wanted, sourceShape);
  if (failed(value))
    return failure();
  result.dims.clear();
  SmallVector<SmallVector<int64_t>> from, to;
  SmallVector<int64_t> shape;
  for (auto [resultDim, group] : llvm::enumerate(groups)) {
    SmallVector<int64_t> factors;
    for (int64_t dim : group)
      if (standing[dim]) {
        factors.push_back(from.size());
        from.push_back({factors.back()});
      }
    if (factors.empty())
      continue;
    to.push_back(factors);
    result.dims.push_back(resultDim);
    shape.push_back(op.getResultType().getDimSize(resultDim));
  }
  result.base = createReshape(*value, from, to, shape);
  views[op->getResult(0)] = result;
  return success();
}

//===----------------------------------------------------------------------===//
// Slices and concatenations
//===----------------------------------------------------------------------===//

/// Whether `size` is all of dim `dim` of `source`.
static bool isWholeExtent(OpFoldResult size, Value source, int64_t dim) {
  int64_t extent = cast<RankedTensorType>(source.getType()).getDimSize(dim);
  if (std::optional<int64_t> constant = getConstantIntValue(size))
    return !ShapedType::isDynamic(extent) && *constant == extent;
  auto dimOp = cast<Value>(size).getDefiningOp<tensor::DimOp>();
  return dimOp && dimOp.getSource() == source &&
         dimOp.getConstantIndex() == dim;
}

LogicalResult LinalgImporter::importExtractSlice(tensor::ExtractSliceOp op) {
  FailureOr<View> source = getView(op.getSource());
  if (failed(source))
    return failure();
  if (!op.hasUnitStride())
    return fail("its strides are not 1");
  View result = *source;
  auto offsets = op.getMixedOffsets(), sizes = op.getMixedSizes();
  for (auto [baseDim, dim] : llvm::enumerate(source->dims)) {
    std::optional<int64_t> offset = getConstantIntValue(offsets[dim]);
    if (offset == 0 && isWholeExtent(sizes[dim], op.getSource(), dim))
      continue;
    std::optional<int64_t> size = getConstantIntValue(sizes[dim]);
    if (!offset || !size)
      return fail("its offsets and sizes are not constant");
    SmallVector<int64_t> shape(result.getShape());
    shape[baseDim] = *size;
    auto type = RankedTensorType::get(shape, result.getElementType());
    result.base =
        SliceOp::create(builder, loc, type, result.base, baseDim, *offset);
  }
  llvm::SmallBitVector droppedDims = op.getDroppedDims();
  llvm::SmallBitVector dropped(result.dims.size());
  for (auto [baseDim, dim] : llvm::enumerate(result.dims))
    dropped[baseDim] = droppedDims[dim];
  FailureOr<View> reduced = dropUnitDims(result, dropped);
  if (failed(reduced))
    return failure();
  for (unsigned &dim : reduced->dims) {
    llvm::SmallBitVector before(droppedDims);
    before.resize(dim);
    dim -= before.count();
  }
  views[op->getResult(0)] = *reduced;
  return success();
}

LogicalResult LinalgImporter::importConcat(tensor::ConcatOp op) {
  if (failed(checkType(op.getResultType())))
    return failure();
  SmallVector<View> operands;
  SmallVector<unsigned> wanted{static_cast<unsigned>(op.getDim())};
  for (Value input : op.getInputs()) {
    FailureOr<View> view = getView(input);
    if (failed(view))
      return failure();
    for (unsigned dim : view->dims)
      if (!llvm::is_contained(wanted, dim))
        wanted.push_back(dim);
    operands.push_back(*view);
  }
  llvm::sort(wanted);
  SmallVector<Value> values;
  for (auto [view, input] : llvm::zip(operands, op.getInputs())) {
    FailureOr<Value> value = spread(
        view, wanted, cast<RankedTensorType>(input.getType()).getShape());
    if (failed(value))
      return failure();
    values.push_back(*value);
  }
  View result;
  result.dims = wanted;
  SmallVector<int64_t> shape;
  for (auto [position, dim] : llvm::enumerate(wanted)) {
    int64_t extent = op.getResultType().getDimSize(dim);
    for (Value value : values)
      if (dim != op.getDim() && ShapedType::isDynamic(extent))
        extent = cast<RankedTensorType>(value.getType()).getDimSize(position);
    shape.push_back(extent);
  }
  auto type = RankedTensorType::get(
      shape, getElementTypeOrSelf(op->getResult(0).getType()));
  int64_t position = llvm::find(wanted, op.getDim()) - wanted.begin();
  result.base = ConcatOp::create(builder, loc, type, values, position);
  views[op->getResult(0)] = result;
  return success();
}
