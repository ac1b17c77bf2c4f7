//===- IterationStructure.cpp - How compute ops index their data -------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the iteration structures that the ops declare, and derives from them
// shape inference and the verification of shapes (constraints S1 to S5).
//
//===----------------------------------------------------------------------===//

#include "Prism/Dialect/PrismDialect.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace prism;

bool IterationStructure::carries(const IndexMap &map, unsigned dim) {
  return llvm::any_of(map, [&](const auto &factors) {
    return llvm::is_contained(factors, dim);
  });
}

//===----------------------------------------------------------------------===//
// Structures
//===----------------------------------------------------------------------===//

static IndexMap getIdentityMap(unsigned rank) {
  IndexMap map;
  for (unsigned dim = 0; dim < rank; ++dim)
    map.push_back({dim});
  return map;
}

static IndexMap toIndexMap(AffineMap map) {
  IndexMap result;
  for (AffineExpr expr : map.getResults())
    result.push_back({cast<AffineDimExpr>(expr).getPosition()});
  return result;
}

AffineMap prism::toAffineMap(const IndexMap &map, unsigned numDims,
                             MLIRContext *context) {
  SmallVector<AffineExpr> results;
  for (const auto &factors : map) {
    if (factors.size() != 1)
      return {};
    results.push_back(getAffineDimExpr(factors.front(), context));
  }
  return AffineMap::get(numDims, 0, results, context);
}

static unsigned getResultRank(Operation *op) {
  return getRank(op->getResult(0).getType());
}

static unsigned getOperandRank(Operation *op) {
  return getRank(op->getOperand(0).getType());
}

IterationStructure prism::detail::getUnaryStructure(Operation *op,
                                                    bool isLinear) {
  IterationStructure structure;
  unsigned rank = getOperandRank(op);
  structure.dims.assign(rank, IterationKind::Parallel);
  structure.operandMaps = {getIdentityMap(rank)};
  structure.resultMap = getIdentityMap(rank);
  if (isLinear)
    structure.linearGroups = {{0}};
  return structure;
}

SmallVector<AffineMap> prism::detail::getDefaultElementwiseMaps(Operation *op) {
  AffineMap identity =
      AffineMap::getMultiDimIdentityMap(getResultRank(op), op->getContext());
  return SmallVector<AffineMap>(op->getNumOperands() + 1, identity);
}

static ArrayAttr getIndexingMapsAttr(Operation *op) {
  std::optional<Attribute> attr = op->getInherentAttr("indexing_maps");
  return attr ? dyn_cast_or_null<ArrayAttr>(*attr) : ArrayAttr();
}

static SmallVector<AffineMap> getMapsOr(Operation *op,
                                        ArrayRef<AffineMap> defaultMaps) {
  if (ArrayAttr maps = getIndexingMapsAttr(op))
    return llvm::to_vector(maps.getAsValueRange<AffineMapAttr>());
  return llvm::to_vector(defaultMaps);
}

SmallVector<AffineMap> prism::detail::getElementwiseMaps(Operation *op) {
  return getMapsOr(op, getDefaultElementwiseMaps(op));
}

void prism::detail::setIndexingMaps(Operation *op, ArrayRef<AffineMap> maps,
                                    ArrayRef<AffineMap> defaultMaps) {
  Attribute attr;
  if (maps != defaultMaps)
    attr = Builder(op->getContext()).getAffineMapArrayAttr(maps);
  op->setInherentAttr(StringAttr::get(op->getContext(), "indexing_maps"), attr);
}

/// Operand and result maps as given; dims that the result lacks are `reduced`.
static IterationStructure getStructureFromMaps(ArrayRef<AffineMap> maps,
                                               IterationKind reduced) {
  IterationStructure structure;
  structure.dims.assign(maps.back().getNumDims(), reduced);
  for (AffineMap map : maps.drop_back())
    structure.operandMaps.push_back(toIndexMap(map));
  structure.resultMap = toIndexMap(maps.back());
  for (const auto &factors : structure.resultMap)
    structure.dims[factors.front()] = IterationKind::Parallel;
  return structure;
}

IterationStructure prism::detail::getMappedStructure(
    Operation *op, ArrayRef<SmallVector<unsigned>> linearGroups) {
  auto mapped = cast<IndexingMapsOpInterface>(op);
  IterationStructure structure =
      getStructureFromMaps(mapped.getMapsOrDefault(), IterationKind::Parallel);
  structure.linearGroups.assign(linearGroups.begin(), linearGroups.end());
  return structure;
}

/// [batch..., m, k] x [batch..., k, n] -> [batch..., m, n]
static SmallVector<AffineMap> getDefaultMatmulMaps(Operation *op) {
  MLIRContext *context = op->getContext();
  unsigned rank = std::max(2u, getResultRank(op));
  SmallVector<AffineExpr> batch;
  for (unsigned dim = 0; dim + 2 < rank; ++dim)
    batch.push_back(getAffineDimExpr(dim, context));
  AffineExpr m = getAffineDimExpr(rank - 2, context);
  AffineExpr n = getAffineDimExpr(rank - 1, context);
  AffineExpr k = getAffineDimExpr(rank, context);
  auto map = [&](AffineExpr row, AffineExpr column) {
    SmallVector<AffineExpr> results(batch);
    results.append({row, column});
    return AffineMap::get(rank + 1, 0, results, context);
  };
  return {map(m, k), map(k, n), map(m, n)};
}

SmallVector<AffineMap> MatmulOp::getMapsOrDefault() {
  return getMapsOr(*this, getDefaultMatmulMaps(*this));
}

void MatmulOp::setMaps(ArrayRef<AffineMap> maps) {
  prism::detail::setIndexingMaps(*this, maps, getDefaultMatmulMaps(*this));
}

IterationStructure prism::detail::getContractionStructure(Operation *op) {
  auto mapped = cast<IndexingMapsOpInterface>(op);
  IterationStructure structure =
      getStructureFromMaps(mapped.getMapsOrDefault(), IterationKind::Sum);
  structure.linearGroups = {{0}, {1}};
  return structure;
}

IterationStructure prism::detail::getReductionStructure(Operation *op,
                                                        ArrayRef<int64_t> dims,
                                                        IterationKind kind) {
  IterationStructure structure;
  unsigned rank = getOperandRank(op);
  structure.operandMaps = {getIdentityMap(rank)};
  for (unsigned dim = 0; dim < rank; ++dim) {
    bool isReduced = llvm::is_contained(dims, dim);
    structure.addDim(isReduced ? kind : IterationKind::Parallel);
    if (!isReduced)
      structure.resultMap.push_back({dim});
  }
  if (kind == IterationKind::Sum)
    structure.linearGroups = {{0}};
  return structure;
}

IterationStructure prism::detail::getTransposeStructure(Operation *op) {
  IterationStructure structure = getUnaryStructure(op, /*isLinear=*/true);
  for (auto [resultDim, operandDim] :
       llvm::enumerate(cast<TransposeOp>(op).getPermutation()))
    structure.resultMap[resultDim] = {static_cast<unsigned>(operandDim)};
  return structure;
}

IterationStructure prism::detail::getBroadcastStructure(Operation *op) {
  IterationStructure structure;
  structure.dims.assign(getResultRank(op), IterationKind::Parallel);
  structure.resultMap = getIdentityMap(getResultRank(op));
  IndexMap &map = structure.operandMaps.emplace_back();
  for (int64_t dim : cast<BroadcastOp>(op).getDims())
    map.push_back({static_cast<unsigned>(dim)});
  structure.linearGroups = {{0}};
  return structure;
}

/// Operand and result index `dim` by whole dims of their own, since its extent
/// differs between them.
static IterationStructure getStructureWithOwnDim(Operation *op, int64_t dim) {
  IterationStructure structure;
  unsigned rank = getOperandRank(op);
  structure.dims.assign(rank, IterationKind::Parallel);
  structure.dims[dim] = IterationKind::Whole;
  structure.resultMap = getIdentityMap(rank);
  for (unsigned i = 0; i < op->getNumOperands(); ++i) {
    IndexMap &map = structure.operandMaps.emplace_back(getIdentityMap(rank));
    map[dim] = {structure.addDim(IterationKind::Whole)};
  }
  return structure;
}

IterationStructure prism::detail::getSliceStructure(Operation *op,
                                                    int64_t dim) {
  IterationStructure structure = getStructureWithOwnDim(op, dim);
  structure.linearGroups = {{0}};
  return structure;
}

IterationStructure prism::detail::getConcatStructure(Operation *op,
                                                     int64_t dim) {
  IterationStructure structure = getStructureWithOwnDim(op, dim);
  SmallVector<unsigned> &all = structure.linearGroups.emplace_back();
  llvm::append_range(all, llvm::seq<unsigned>(0, op->getNumOperands()));
  return structure;
}

static IndexMap toIndexMap(ArrayAttr factorLists) {
  IndexMap map;
  for (auto factors : factorLists.getAsRange<DenseI64ArrayAttr>())
    map.emplace_back(factors.asArrayRef().begin(), factors.asArrayRef().end());
  return map;
}

IterationStructure prism::detail::getReshapeStructure(Operation *op) {
  auto reshape = cast<ReshapeOp>(op);
  IterationStructure structure;
  structure.operandMaps = {toIndexMap(reshape.getOperandDims())};
  structure.resultMap = toIndexMap(reshape.getResultDims());
  unsigned count = 0;
  for (const auto &factors : structure.resultMap)
    count += factors.size();
  structure.dims.assign(count, IterationKind::Parallel);
  for (const IndexMap *map : {&structure.operandMaps[0], &structure.resultMap})
    for (const auto &factors : *map)
      for (unsigned inner : llvm::drop_begin(factors, !factors.empty()))
        structure.dims[inner] = IterationKind::Whole;
  structure.linearGroups = {{0}};
  return structure;
}

IterationStructure prism::detail::getNormalizingStructure(Operation *op,
                                                          int64_t dim) {
  IterationStructure structure = getUnaryStructure(op, /*isLinear=*/false);
  structure.dims[dim] = IterationKind::Whole;
  return structure;
}

//===----------------------------------------------------------------------===//
// Shape inference
//===----------------------------------------------------------------------===//

/// Reads the extents of iteration dims that stand alone in `map`.
static void readExtents(const IndexMap &map, ArrayRef<DimExpr> dataExtents,
                        SmallVectorImpl<DimExpr> &iterationExtents) {
  for (auto [factors, extent] : llvm::zip(map, dataExtents))
    if (factors.size() == 1 && iterationExtents[factors.front()].isUnknown())
      iterationExtents[factors.front()] = extent;
}

/// A merged dim is split along its outermost factor: hands the splits on.
static void splitOutermostFactors(const IndexMap &map,
                                  ArrayRef<DimExpr> dataExtents,
                                  SmallVectorImpl<DimExpr> &iterationExtents) {
  for (auto [factors, extent] : llvm::zip(map, dataExtents)) {
    if (factors.size() < 2)
      continue;
    DimExpr &outermost = iterationExtents[factors.front()];
    DimExpr whole = outermost.withoutSplits();
    bool isSplit = false;
    extent.walkSplits([&](const Split &split) {
      whole = DimExpr::quotient(whole, split);
      isSplit = true;
    });
    if (isSplit)
      outermost = whole;
  }
}

SmallVector<DimExpr>
prism::getIterationExtents(const IterationStructure &structure,
                           TypeRange operandTypes, Type resultType) {
  SmallVector<DimExpr> extents(structure.dims.size());
  for (auto [map, type] : llvm::zip(structure.operandMaps, operandTypes))
    readExtents(map, getExtents(type), extents);
  if (resultType)
    readExtents(structure.resultMap, getExtents(resultType), extents);
  for (auto [map, type] : llvm::zip(structure.operandMaps, operandTypes))
    splitOutermostFactors(map, getExtents(type), extents);
  return extents;
}

SmallVector<DimExpr> prism::getDataExtents(const IndexMap &map,
                                           ArrayRef<DimExpr> iterationExtents) {
  SmallVector<DimExpr> extents;
  for (const auto &factors : map) {
    if (factors.empty()) {
      extents.push_back(DimExpr::constant(1));
      continue;
    }
    extents.push_back(iterationExtents[factors.front()]);
    for (unsigned factor : llvm::drop_begin(factors))
      extents.back() = extents.back() * iterationExtents[factor];
  }
  return extents;
}

Operation *prism::rebuildComputeOp(OpBuilder &builder, Operation *prototype,
                                   ValueRange operands, Type elementType) {
  IterationStructure structure =
      cast<ComputeOpInterface>(prototype).getIterationStructure();
  Type prototypeType = prototype->getResult(0).getType();
  SmallVector<DimExpr> iterationExtents =
      getIterationExtents(structure, operands.getTypes(), prototypeType);
  // The prototype's extents are for dims that operands do not show, not for
  // those that are dynamic in these operands.
  SmallVector<DimExpr> fromOperands =
      getIterationExtents(structure, operands.getTypes());
  for (const IndexMap &map : structure.operandMaps)
    for (const auto &factors : map)
      if (factors.size() == 1)
        iterationExtents[factors.front()] = fromOperands[factors.front()];
  Type level = operands.empty() ? prototypeType : operands.front().getType();
  Type resultType =
      cloneWith(level, getDataExtents(structure.resultMap, iterationExtents),
                elementType ? elementType : getElementType(prototypeType));
  OperationState state(prototype->getLoc(), prototype->getName());
  state.addOperands(operands);
  state.addTypes(resultType);
  state.addAttributes(prototype->getAttrs());
  return builder.create(state);
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// S4: one projected permutation per operand and result, over the same dims,
/// each of the rank of its operand or result.
static LogicalResult verifyIndexingMaps(Operation *op) {
  ArrayAttr attr = getIndexingMapsAttr(op);
  SmallVector<AffineMap> maps =
      cast<IndexingMapsOpInterface>(op).getMapsOrDefault();
  if (maps.size() != op->getNumOperands() + 1)
    return op->emitOpError() << "expects " << op->getNumOperands() + 1
                             << " maps, one per operand and one for the "
                                "result, got "
                             << maps.size();
  SmallVector<Type> types(op->getOperandTypes());
  types.push_back(op->getResult(0).getType());
  llvm::SmallBitVector used(maps.back().getNumDims());
  for (auto [index, map, type] : llvm::enumerate(maps, types)) {
    auto name = index == op->getNumOperands()
                    ? std::string("the result")
                    : "operand " + std::to_string(index);
    if (map.getNumDims() != used.size() || map.getNumSymbols() != 0 ||
        !map.isProjectedPermutation())
      return op->emitOpError() << "expects the map of " << name
                               << " to name each iteration dim at most once";
    if (map.getNumResults() != getRank(type))
      return op->emitOpError()
             << "has " << name << " of rank " << getRank(type)
             << ", but its map names " << map.getNumResults() << " dims"
             << (attr ? "" : "; give 'maps' to permute or broadcast");
    for (AffineExpr expr : map.getResults())
      used.set(cast<AffineDimExpr>(expr).getPosition());
  }
  if (!used.all())
    return op->emitOpError()
           << "has an iteration dim d" << used.find_first_unset()
           << " that no operand or result names";
  return success();
}

/// S1: whatever indexes an iteration dim has its extent.
static LogicalResult verifyOperandExtents(Operation *op,
                                          const IterationStructure &structure,
                                          ArrayRef<DimExpr> iterationExtents) {
  for (auto [index, map] : llvm::enumerate(structure.operandMaps)) {
    SmallVector<DimExpr> actual = getExtents(op->getOperand(index).getType());
    if (map.size() != actual.size())
      return op->emitOpError() << "expects operand " << index << " of rank "
                               << map.size() << ", got " << actual.size();
    SmallVector<DimExpr> expected = getDataExtents(map, iterationExtents);
    for (auto [dim, want, have] : llvm::enumerate(expected, actual))
      if (!want.isUnknown() && !have.isUnknown() && !matchExtents(want, have))
        return op->emitOpError()
               << "operand " << index << " has extent " << have.str()
               << " in dim " << dim << ", expected " << want.str();
  }
  return success();
}

/// S2: the result has the extents that the operands give it.
static LogicalResult verifyResultExtents(Operation *op,
                                         const IterationStructure &structure,
                                         ArrayRef<DimExpr> iterationExtents) {
  SmallVector<DimExpr> actual = getExtents(op->getResult(0).getType());
  SmallVector<DimExpr> expected =
      getDataExtents(structure.resultMap, iterationExtents);
  if (expected.size() != actual.size())
    return op->emitOpError() << "expects a result of rank " << expected.size()
                             << ", got " << actual.size();
  for (auto [dim, want, have] : llvm::enumerate(expected, actual))
    if (!want.isUnknown() && !have.isUnknown() && !matchExtents(want, have))
      return op->emitOpError()
             << "result has extent " << have.str() << " in dim " << dim
             << ", expected " << want.str();
  return success();
}

LogicalResult prism::detail::verifyComputeOp(Operation *op) {
  auto compute = cast<ComputeOpInterface>(op);
  if (op->getNumResults() != 1)
    return op->emitOpError("must have one result");
  if (failed(compute.verifyParameters()))
    return failure();
  if (isa<IndexingMapsOpInterface>(op) && failed(verifyIndexingMaps(op)))
    return failure();
  for (Type type : op->getOperandTypes())
    if (type.getTypeID() != op->getOperand(0).getType().getTypeID())
      return op->emitOpError()
             << "mixes tensors and tiles: " << op->getOperand(0).getType()
             << " and " << type;
  if (op->getNumOperands() && op->getResult(0).getType().getTypeID() !=
                                  op->getOperand(0).getType().getTypeID())
    return op->emitOpError()
           << "mixes tensors and tiles: " << op->getOperand(0).getType()
           << " and " << op->getResult(0).getType();

  IterationStructure structure = compute.getIterationStructure();
  SmallVector<DimExpr> extents = getIterationExtents(
      structure, op->getOperandTypes(), op->getResult(0).getType());
  if (failed(verifyOperandExtents(op, structure, extents)) ||
      failed(verifyResultExtents(op, structure, extents)))
    return failure();
  return compute.verifyElementTypes();
}

LogicalResult prism::detail::verifySameElementTypes(Operation *op) {
  Type expected = getElementType(op->getResult(0).getType());
  for (auto [index, type] : llvm::enumerate(op->getOperandTypes()))
    if (getElementType(type) != expected)
      return op->emitOpError()
             << "operand " << index << " has element type "
             << getElementType(type) << ", expected " << expected
             << " as in the result; insert a prism.cast";
  return success();
}

LogicalResult prism::detail::verifyAccumulatingElementTypes(Operation *op) {
  Type first = getElementType(op->getOperand(0).getType());
  for (auto [index, type] : llvm::enumerate(op->getOperandTypes()))
    if (getElementType(type) != first)
      return op->emitOpError() << "operand " << index << " has element type "
                               << getElementType(type) << ", expected " << first
                               << " as in operand 0";
  Type result = getElementType(op->getResult(0).getType());
  if (result != first &&
      result.getIntOrFloatBitWidth() <= first.getIntOrFloatBitWidth())
    return op->emitOpError() << "accumulates " << first << " in " << result
                             << ", which is not wider";
  return success();
}
