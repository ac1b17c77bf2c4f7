//===- PrismToLinalgOps.cpp - Compute ops as linalg -----------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PrismToLinalgOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace prism;

//===----------------------------------------------------------------------===//
// Scalar forms
//===----------------------------------------------------------------------===//

/// Whether any iteration dim is reduced by `kind`.
static bool reduces(const IterationStructure &structure, IterationKind kind) {
  return llvm::is_contained(structure.dims, kind);
}

/// The value that a reduction starts from: 0, or -inf of a maximum.
static Value buildNeutral(OpBuilder &builder, Location loc,
                          const IterationStructure &structure, FloatType type) {
  APFloat value = reduces(structure, IterationKind::Max)
                      ? APFloat::getInf(type.getFloatSemantics(), true)
                      : APFloat::getZero(type.getFloatSemantics());
  return arith::ConstantOp::create(builder, loc, type,
                                   FloatAttr::get(type, value));
}

static SmallVector<utils::IteratorType>
getIterators(const IterationStructure &structure) {
  return llvm::map_to_vector(structure.dims, [](IterationKind kind) {
    return kind == IterationKind::Sum || kind == IterationKind::Max
               ? utils::IteratorType::reduction
               : utils::IteratorType::parallel;
  });
}

/// The maps of operands and result; empty where one is no projected
/// permutation.
static SmallVector<AffineMap> getMaps(const IterationStructure &structure,
                                      MLIRContext *context) {
  SmallVector<AffineMap> maps;
  for (const IndexMap &map : structure.operandMaps)
    maps.push_back(toAffineMap(map, structure.dims.size(), context));
  maps.push_back(
      toAffineMap(structure.resultMap, structure.dims.size(), context));
  if (llvm::is_contained(maps, AffineMap()))
    return {};
  return maps;
}

FailureOr<Value> LinalgExporter::exportScalarForm(ComputeOpInterface op,
                                                  ValueRange operands) {
  Location loc = op->getLoc();
  Type resultType = op->getResult(0).getType();
  Type elementType = prism::getElementType(resultType);
  IterationStructure structure = op.getIterationStructure();
  SmallVector<AffineMap> maps = getMaps(structure, op->getContext());
  if (maps.empty())
    return emitError(loc) << "'" << op->getName()
                          << "' has a merged dim in a map; linalg has none";
  FailureOr<SmallVector<OpFoldResult>> sizes =
      evaluate(op, getExtents(resultType));
  if (failed(sizes))
    return failure();

  Value init = tensor::EmptyOp::create(builder, loc, *sizes, elementType);
  bool isSum = reduces(structure, IterationKind::Sum);
  bool isMax = reduces(structure, IterationKind::Max);
  if (isSum || isMax) {
    Value neutral =
        buildNeutral(builder, loc, structure, cast<FloatType>(elementType));
    init = linalg::FillOp::create(builder, loc, neutral, init).getResult(0);
  }
  auto generic = linalg::GenericOp::create(
      builder, loc, init.getType(), operands, init, maps,
      getIterators(structure),
      [&](OpBuilder &nested, Location, ValueRange arguments) {
        Value value =
            op.buildScalar(nested, loc, arguments.drop_back(), elementType);
        if (isSum)
          value = arith::AddFOp::create(nested, loc, arguments.back(), value);
        else if (isMax)
          value =
              arith::MaximumFOp::create(nested, loc, arguments.back(), value);
        linalg::YieldOp::create(nested, loc, value);
      });
  return generic.getResult(0);
}

/// A rank-0 tensor of a number, or of the extent that the constant names.
FailureOr<Value> LinalgExporter::exportConstant(ComputeOpInterface op) {
  Location loc = op->getLoc();
  Type elementType = prism::getElementType(op->getResult(0).getType());
  auto constant = dyn_cast<ConstantOp>(*op);
  auto extent =
      constant ? dyn_cast<DimExprAttr>(constant.getValue()) : DimExprAttr();
  Value scalar;
  if (!extent) {
    scalar = op.buildScalar(builder, loc, {}, elementType);
  } else {
    FailureOr<SmallVector<OpFoldResult>> value =
        evaluate(op, extent.getValue());
    if (failed(value))
      return failure();
    if (std::optional<int64_t> number = getConstantIntValue(value->front())) {
      scalar = arith::ConstantOp::create(
          builder, loc, elementType,
          FloatAttr::get(elementType, static_cast<double>(*number)));
    } else {
      Value index =
          getValueOrCreateConstantIndexOp(builder, loc, value->front());
      Value integer =
          arith::IndexCastOp::create(builder, loc, builder.getI64Type(), index);
      scalar = arith::SIToFPOp::create(builder, loc, elementType, integer);
    }
  }
  return tensor::FromElementsOp::create(
             builder, loc, RankedTensorType::get({}, elementType), scalar)
      .getResult();
}

//===----------------------------------------------------------------------===//
// Data movement
//===----------------------------------------------------------------------===//

FailureOr<Value> LinalgExporter::exportSlice(SliceOp op, Value input) {
  FailureOr<SmallVector<OpFoldResult>> sizes =
      evaluate(op, getExtents(op.getType()));
  if (failed(sizes))
    return failure();
  SmallVector<OpFoldResult> offsets(sizes->size(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(sizes->size(), builder.getIndexAttr(1));
  offsets[op.getDim()] = builder.getIndexAttr(op.getOffset());
  return tensor::ExtractSliceOp::create(builder, op.getLoc(), input, offsets,
                                        *sizes, strides)
      .getResult();
}

/// One group for each dim that is no unit: a unit dim joins the group before
/// it, or the first. No groups where all are units.
static SmallVector<ReassociationIndices> groupWithUnits(ArrayRef<bool> isUnit) {
  SmallVector<ReassociationIndices> groups;
  ReassociationIndices leading;
  for (auto [dim, unit] : llvm::enumerate(isUnit)) {
    if (!unit) {
      groups.emplace_back(std::move(leading)).push_back(dim);
      leading.clear();
    } else {
      (groups.empty() ? leading : groups.back()).push_back(dim);
    }
  }
  return groups;
}

static SmallVector<bool> findUnits(const IndexMap &map) {
  return llvm::map_to_vector(
      map, [](const auto &factors) { return factors.empty(); });
}

static SmallVector<ReassociationIndices> groupFactors(const IndexMap &map) {
  SmallVector<ReassociationIndices> groups;
  for (const auto &factors : map)
    if (!factors.empty())
      groups.emplace_back(factors.begin(), factors.end());
  return groups;
}

/// The extents without those of unit dims.
static SmallVector<OpFoldResult> dropUnits(ArrayRef<OpFoldResult> extents,
                                           const IndexMap &map) {
  SmallVector<OpFoldResult> kept;
  for (auto [extent, factors] : llvm::zip(extents, map))
    if (!factors.empty())
      kept.push_back(extent);
  return kept;
}

static RankedTensorType getTypeOf(ArrayRef<OpFoldResult> sizes, Type element) {
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamic;
  dispatchIndexOpFoldResults(sizes, dynamic, shape);
  return RankedTensorType::get(shape, element);
}

static Value castTo(OpBuilder &builder, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  return tensor::CastOp::create(builder, loc, type, value);
}

static Value expand(OpBuilder &builder, Location loc, Value value,
                    ArrayRef<ReassociationIndices> groups,
                    ArrayRef<OpFoldResult> sizes) {
  RankedTensorType type = getTypeOf(
      sizes, cast<RankedTensorType>(value.getType()).getElementType());
  return tensor::ExpandShapeOp::create(builder, loc, type, value, groups,
                                       sizes);
}

/// Units are dropped, merged dims split into the iteration dims, those merged
/// into the result's dims, and the result's units inserted.
FailureOr<Value> LinalgExporter::exportReshape(ReshapeOp op, Value input) {
  Location loc = op.getLoc();
  IterationStructure structure = op.getIterationStructure();
  const IndexMap &from = structure.operandMaps[0], &to = structure.resultMap;
  SmallVector<DimExpr> iteration =
      getIterationExtents(structure, op->getOperandTypes(), op.getType());
  FailureOr<SmallVector<OpFoldResult>> sizes = evaluate(op, iteration);
  if (failed(sizes))
    return failure();
  // What the factors give: nothing is missing any more.
  auto sizesOf = [&](const IndexMap &map) {
    return *evaluate(op, getDataExtents(map, iteration));
  };
  SmallVector<OpFoldResult> operandSizes = sizesOf(from);
  SmallVector<OpFoldResult> resultSizes = sizesOf(to);

  Type element = prism::getElementType(op.getType());
  Value value = castTo(builder, loc, input, getTypeOf(operandSizes, element));
  size_t factorCount = sizes->size();
  SmallVector<bool> fromUnits = findUnits(from), toUnits = findUnits(to);
  if (llvm::is_contained(fromUnits, true))
    value = tensor::CollapseShapeOp::create(builder, loc, value,
                                            groupWithUnits(fromUnits));
  if (groupFactors(from).size() != factorCount)
    value = expand(builder, loc, value, groupFactors(from), *sizes);
  if (groupFactors(to).size() != factorCount) {
    value =
        tensor::CollapseShapeOp::create(builder, loc, value, groupFactors(to));
    value = castTo(builder, loc, value,
                   getTypeOf(dropUnits(resultSizes, to), element));
  }
  if (llvm::is_contained(toUnits, true))
    value = expand(builder, loc, value, groupWithUnits(toUnits), resultSizes);
  return value;
}

//===----------------------------------------------------------------------===//
// Ops in general
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<OpFoldResult>>
LinalgExporter::evaluate(Operation *op, ArrayRef<DimExpr> symbolic) {
  DimExpr missing;
  std::optional<SmallVector<OpFoldResult>> values =
      extents.evaluate(symbolic, missing);
  if (values)
    return *values;
  return emitError(op->getLoc())
         << "'" << op->getName() << "' needs the extent " << missing.str()
         << ", which no operand determines; make it static";
}

LogicalResult LinalgExporter::exportComposite(DecomposableOpInterface op,
                                              IRMapping &values) {
  Block scratch;
  OpBuilder scratchBuilder(op->getContext());
  scratchBuilder.setInsertionPointToEnd(&scratch);
  Value replacement = op.decompose(scratchBuilder);
  if (!replacement)
    return emitError(op->getLoc())
           << "'" << op->getName() << "' does not decompose here";
  for (Operation &part : scratch)
    if (failed(exportOp(&part, values)))
      return failure();
  values.map(op->getResult(0), values.lookup(replacement));
  return success();
}

LogicalResult LinalgExporter::exportOp(Operation *op, IRMapping &values) {
  auto compute = dyn_cast<ComputeOpInterface>(op);
  if (!compute)
    return emitError(op->getLoc()) << "'" << op->getName()
                                   << "' is no compute op; linalg has no form "
                                      "for it";
  if (auto composite = dyn_cast<DecomposableOpInterface>(op))
    return exportComposite(composite, values);
  SmallVector<Value> operands = llvm::map_to_vector(
      op->getOperands(), [&](Value operand) { return values.lookup(operand); });

  FailureOr<Value> result = failure();
  if (auto slice = dyn_cast<SliceOp>(op))
    result = exportSlice(slice, operands.front());
  else if (auto reshape = dyn_cast<ReshapeOp>(op))
    result = exportReshape(reshape, operands.front());
  else if (auto concat = dyn_cast<ConcatOp>(op))
    result = tensor::ConcatOp::create(builder, op->getLoc(), concat.getDim(),
                                      operands)
                 .getResult();
  else if (!compute.hasScalarForm())
    return emitError(op->getLoc())
           << "'" << op->getName() << "' has no form in linalg";
  else if (operands.empty())
    result = exportConstant(compute);
  else
    result = exportScalarForm(compute, operands);
  if (failed(result))
    return failure();
  values.map(op->getResult(0), *result);
  return success();
}

//===----------------------------------------------------------------------===//
// Builtin tensors, and programs
//===----------------------------------------------------------------------===//

/// The op stands on builtin tensors: its iteration dims become the symbols i0,
/// i1, ..., so that it is exported as an op of a program is.
FailureOr<Value> prism::exportOnBuiltinTensors(OpBuilder &builder,
                                               ComputeOpInterface op) {
  MLIRContext *context = op->getContext();
  Location loc = op->getLoc();
  IterationStructure structure = op.getIterationStructure();
  SmallVector<DimExpr> symbols;
  for (unsigned dim = 0; dim < structure.dims.size(); ++dim)
    symbols.push_back(DimExpr::symbol("i" + std::to_string(dim)));
  auto lift = [&](const IndexMap &map, Type type) {
    return SymbolicTensorType::get(context, getDataExtents(map, symbols),
                                   prism::getElementType(type));
  };

  Block scratch;
  ExtentValues extents(builder, loc);
  IRMapping values;
  for (auto [operand, map] :
       llvm::zip(op->getOperands(), structure.operandMaps)) {
    auto type = lift(map, operand.getType());
    values.map(scratch.addArgument(type, loc), operand);
    extents.equateDims(type.getExtents(), operand);
  }
  auto resultType = cast<RankedTensorType>(op->getResult(0).getType());
  auto liftedType = lift(structure.resultMap, resultType);
  for (auto [extent, size] :
       llvm::zip(liftedType.getExtents(), resultType.getShape()))
    if (!ShapedType::isDynamic(size))
      extents.equate(extent, builder.getIndexAttr(size));

  OperationState state(loc, op->getName());
  state.addOperands(scratch.getArguments());
  state.addTypes(liftedType);
  state.addAttributes(op->getAttrs());
  Operation *lifted = Operation::create(state);
  scratch.push_back(lifted);
  LinalgExporter exporter(builder, extents);
  if (failed(exporter.exportOp(lifted, values)))
    return failure();
  return castTo(builder, loc, values.lookup(lifted->getResult(0)), resultType);
}

FailureOr<SmallVector<Value>>
prism::exportInvoke(OpBuilder &builder, InvokeOp invoke, ProgramOp program) {
  ExtentValues extents(builder, invoke.getLoc());
  for (auto symbol : program.getExtents().getAsRange<ExtentSymbolAttr>())
    if (symbol.getValue())
      extents.equate(DimExpr::symbol(symbol.getName()),
                     builder.getIndexAttr(*symbol.getValue()));
  Block &body = program.getBodyBlock();
  IRMapping values;
  for (auto [parameter, argument] :
       llvm::zip(body.getArguments(), invoke.getArguments())) {
    values.map(parameter, argument);
    extents.equateDims(getExtents(parameter.getType()), argument);
  }
  LinalgExporter exporter(builder, extents);
  for (Operation &op : body.without_terminator())
    if (failed(exporter.exportOp(&op, values)))
      return failure();
  SmallVector<Value> results;
  for (auto [value, type] :
       llvm::zip(program.getYield().getValues(), invoke.getResultTypes()))
    results.push_back(
        castTo(builder, invoke.getLoc(), values.lookup(value), type));
  return results;
}
