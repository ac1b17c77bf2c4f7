//===- StepEmitter.cpp - Loads, elementwise steps, reductions, saves ------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace prism;
using namespace prism::detail;

/// What one thread copies at once at least.
static constexpr int64_t leastCopyBytes = 4;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Value KernelEmitter::getSwizzledOffset(const TileBuffer &buffer,
                                       ValueRange indices, bool isOfBox) {
  int64_t elementBytes = getElementBytes(buffer.elementType);
  int64_t panel = buffer.swizzle / elementBytes;
  ArrayRef<int64_t> outer = ArrayRef<int64_t>(buffer.layout).drop_back();
  Value row = linearize(indices.drop_back(), outer);
  Value column = indices.back();
  if (buffer.layout.back() > panel) {
    int64_t rows = 1;
    for (int64_t extent : outer)
      rows *= extent;
    Value ofPanel = b.createOrFold<arith::DivUIOp>(column, number(panel));
    row = add(mul(ofPanel, rows), row);
    column = b.createOrFold<arith::RemUIOp>(column, number(panel));
  }
  // Only the row decides about the order of the units in it: in a loop along
  // the row that is the same in each turn.
  Value start = mul(row, buffer.swizzle);
  if (isOfBox)
    return start;
  Value phase = b.createOrFold<arith::AndIOp>(
      b.createOrFold<arith::ShRUIOp>(start, number(3)),
      number(buffer.swizzle - 16));
  return add(start,
             b.createOrFold<arith::XOrIOp>(mul(column, elementBytes), phase));
}

Value KernelEmitter::getElementPointer(const TileBuffer &buffer,
                                       ValueRange indices, bool isOfBox) {
  Value start = shared;
  if (buffer.offset)
    start = LLVM::GEPOp::create(
        b, sharedPtr, b.getI8Type(), shared,
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(buffer.offset)});
  if (buffer.stages > 1)
    start =
        LLVM::GEPOp::create(b, sharedPtr, b.getI8Type(), start,
                            ArrayRef<LLVM::GEPArg>{mul(stage, buffer.bytes)});
  if (buffer.swizzle)
    return LLVM::GEPOp::create(
        b, sharedPtr, b.getI8Type(), start,
        ArrayRef<LLVM::GEPArg>{getSwizzledOffset(buffer, indices, isOfBox)});
  return LLVM::GEPOp::create(
      b, sharedPtr, buffer.elementType, start,
      ArrayRef<LLVM::GEPArg>{linearize(indices, buffer.layout)});
}

/// The value at `pointer`: a vector where there are several elements.
Value KernelEmitter::loadAt(Type type, Value pointer, int64_t length,
                            bool isInvariant) {
  int64_t bytes = length * getElementBytes(type);
  Type loaded = length == 1 ? type : VectorType::get(length, type);
  return LLVM::LoadOp::create(b, loaded, pointer, length == 1 ? 0 : bytes,
                              /*isVolatile=*/false, /*isNonTemporal=*/false,
                              isInvariant);
}

/// The elements of what was loaded, i1 as such.
KernelEmitter::Indices KernelEmitter::unpack(Value loaded, Type elementType) {
  Indices elements = {loaded};
  if (auto type = dyn_cast<VectorType>(loaded.getType())) {
    elements.clear();
    for (int64_t index = 0; index < type.getNumElements(); ++index)
      elements.push_back(
          LLVM::ExtractElementOp::create(b, loaded, number(index)));
  }
  if (elementType.isInteger(1))
    for (Value &element : elements)
      element = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, element,
                                      zeroOf(element.getType()));
  return elements;
}

void KernelEmitter::storeAt(ValueRange values, Value pointer) {
  Indices stored(values);
  if (stored.front().getType().isInteger(1))
    for (Value &value : stored)
      value = arith::ExtUIOp::create(b, b.getI8Type(), value);
  Type type = stored.front().getType();
  if (stored.size() == 1) {
    LLVM::StoreOp::create(b, stored.front(), pointer);
    return;
  }
  Value vector = LLVM::UndefOp::create(
      b, VectorType::get(static_cast<int64_t>(stored.size()), type));
  for (auto [index, value] : llvm::enumerate(stored))
    vector = LLVM::InsertElementOp::create(b, vector, value,
                                           number(static_cast<int64_t>(index)));
  LLVM::StoreOp::create(
      b, vector, pointer,
      static_cast<unsigned>(stored.size() * getElementBytes(type)));
}

KernelEmitter::Indices KernelEmitter::loadElements(const TileBuffer &buffer,
                                                   ValueRange indices,
                                                   int64_t length) {
  Indices elements;
  int64_t atOnce = getAccessLength(buffer, length);
  for (int64_t first = 0; first < length; first += atOnce)
    llvm::append_range(
        elements,
        unpack(loadAt(buffer.elementType,
                      getElementPointer(buffer, advance(indices, first)),
                      atOnce, /*isInvariant=*/false),
               prism::getElementType(buffer.tile.getType())));
  return elements;
}

void KernelEmitter::storeElements(const TileBuffer &buffer, ValueRange indices,
                                  ValueRange values) {
  int64_t length = values.size(), atOnce = getAccessLength(buffer, length);
  for (int64_t first = 0; first < length; first += atOnce)
    storeAt(values.slice(first, atOnce),
            getElementPointer(buffer, advance(indices, first)));
}

/// Chunk j of a dim starts at element j * t_p of what contains it. Partials
/// are written side by side along leading dims.
Value KernelEmitter::getGlobalPosition(Operation *op, ValueRange indices) {
  bool isLoad = isa<LoadOp>(op);
  SmallVector<DimExpr> tensorExtents = prism::getExtents(
      isLoad ? op->getOperand(0).getType() : op->getResult(0).getType());
  Indices position;
  if (auto save = dyn_cast<SaveOp>(op))
    for (auto dim : save.getPartials().getAsRange<StringAttr>())
      position.push_back(coordinates.lookup(dim));
  Mapping mapping = op->getAttrOfType<MapAttr>("map").getValue();
  for (auto [splits, index] : llvm::zip(mapping, indices)) {
    Value start = index;
    for (const Split &split : splits)
      start = add(
          mul(coordinates.lookup(split.dim), plan.lookupDim(split.dim)->tile),
          start);
    position.push_back(start);
  }
  Value linear = number(0);
  for (auto [index, extent] : llvm::zip(position, tensorExtents))
    linear = add(plan.isDynamic(extent) ? mul(linear, getNumber(extent))
                                        : mul(linear, evaluate(extent)),
                 index);
  return linear;
}

Value KernelEmitter::getGlobalPointer(Operation *op, ValueRange indices) {
  bool isLoad = isa<LoadOp>(op);
  Value tensor = isLoad ? op->getOperand(0) : op->getResult(0);
  unsigned parameter;
  if (isLoad)
    parameter = cast<BlockArgument>(tensor).getArgNumber();
  else
    parameter =
        kernel->getNumOperands() + tensor.getUses().begin()->getOperandNumber();
  Type type = getStorageType(prism::getElementType(tensor.getType()));
  return LLVM::GEPOp::create(
      b, globalPtr, type, function.getArgument(parameter),
      ArrayRef<LLVM::GEPArg>{getGlobalPosition(op, indices)});
}

KernelEmitter::Indices
KernelEmitter::loadGlobal(LoadOp load, ValueRange indices, int64_t length) {
  Indices elements;
  Type type = load.getType().getElementType();
  int64_t atOnce = getAccessLength(kernel, plan, sizes, load, length);
  for (int64_t first = 0; first < length; first += atOnce)
    llvm::append_range(
        elements, unpack(loadAt(getStorageType(type),
                                getGlobalPointer(load, advance(indices, first)),
                                atOnce, /*isInvariant=*/true),
                         type));
  return elements;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Half-width numbers are computed with in f32.
static Type getComputeType(Type type) {
  return type.isF16() || type.isBF16() ? Float32Type::get(type.getContext())
                                       : type;
}

Value KernelEmitter::convert(Value value, Type type) {
  Type from = value.getType();
  if (from == type)
    return value;
  if (from.getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth())
    return arith::ExtFOp::create(b, type, value);
  return arith::TruncFOp::create(b, type, value);
}

Value KernelEmitter::emitScalar(ComputeOpInterface op, ValueRange operands,
                                Type resultType) {
  if (auto constant = dyn_cast<ConstantOp>(op.getOperation()))
    if (auto extent = dyn_cast<DimExprAttr>(constant.getValue())) {
      if (plan.isDynamic(extent.getValue()))
        return arith::SIToFPOp::create(b, resultType,
                                       getNumber(extent.getValue()));
      int64_t value = evaluate(extent.getValue());
      return arith::ConstantOp::create(
          b, FloatAttr::get(resultType, static_cast<double>(value)));
    }
  SmallVector<Value> widened;
  bool hasF64 = false;
  for (Value operand : operands) {
    widened.push_back(convert(operand, getComputeType(operand.getType())));
    hasF64 |= operand.getType().isF64();
  }
  // f64 is rounded once, to the result itself.
  Type computeType = hasF64 ? resultType : getComputeType(resultType);
  Value value = op.buildScalar(b, b.getLoc(), widened, computeType);
  return convert(value, resultType);
}

KernelEmitter::Indices KernelEmitter::getOperandIndices(ComputeOpInterface op,
                                                        unsigned operand,
                                                        ValueRange indices) {
  if (auto slice = dyn_cast<SliceOp>(op.getOperation())) {
    Indices shifted(indices);
    Value &index = shifted[slice.getDim()];
    index = add(index, number(slice.getOffset()));
    return shifted;
  }
  IterationStructure structure = op.getIterationStructure();
  // Several factors of a dim are those of a reshape.
  SmallVector<int64_t> sizes(structure.dims.size(), 1);
  auto getSizes = [&](ArrayRef<unsigned> factors) {
    return llvm::map_to_vector(factors,
                               [&](unsigned factor) { return sizes[factor]; });
  };
  if (isa<ReshapeOp>(op.getOperation()))
    for (auto [size, extent] :
         llvm::zip(sizes, getIterationExtents(structure, op->getOperandTypes(),
                                              op->getResult(0).getType())))
      size = evaluate(extent);
  Indices iteration(structure.dims.size());
  for (auto [factors, index] : llvm::zip(structure.resultMap, indices)) {
    if (factors.empty())
      continue;
    if (factors.size() == 1) {
      iteration[factors.front()] = index;
      continue;
    }
    Indices parts = delinearize(index, getSizes(factors));
    for (auto [factor, part] : llvm::zip(factors, parts))
      iteration[factor] = part;
  }
  return llvm::map_to_vector(
      structure.operandMaps[operand], [&](const auto &factors) -> Value {
        if (factors.empty())
          return number(0);
        if (factors.size() == 1)
          return iteration[factors.front()];
        return linearize(llvm::map_to_vector(
                             factors, [&](unsigned f) { return iteration[f]; }),
                         getSizes(factors));
      });
}

/// The elements from operand `operand` on: only that operand is read which has
/// them, so that nothing is read outside.
KernelEmitter::Indices KernelEmitter::emitConcat(ConcatOp op,
                                                 ValueRange indices,
                                                 int64_t length,
                                                 unsigned operand) {
  Value input = op.getInputs()[operand];
  if (operand + 1 == op.getInputs().size())
    return emitElements(input, indices, length);
  SmallVector<Type> types(length, prism::getElementType(op.getType()));
  int64_t size = evaluate(prism::getExtents(input.getType())[op.getDim()]);
  Value isHere = less(indices[op.getDim()], number(size));
  auto branch = scf::IfOp::create(b, types, isHere, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(b, emitElements(input, indices, length));
  b.setInsertionPointToStart(branch.elseBlock());
  Indices rest(indices);
  rest[op.getDim()] = sub(rest[op.getDim()], number(size));
  scf::YieldOp::create(b, emitConcat(op, rest, length, operand + 1));
  return Indices(branch.getResults());
}

/// Null, or whether the part that `op` weighs at `indices` comes from a block
/// that saw nothing but -inf: it contributes 0, whatever it is (DECISIONS, 11).
/// Where no block saw anything else, the weight is no number, and parts count
/// as 0 only if the program sums zeros there.
Value KernelEmitter::isMaskedPart(ComputeOpInterface op, ValueRange indices) {
  OpOperand *weight = getPartialWeight(op);
  if (!weight)
    return Value();
  auto exp = weight->get().getDefiningOp<ExpOp>();
  auto sub = exp->getOperand(0).getDefiningOp<SubOp>();
  Indices at = getOperandIndices(op, weight->getOperandNumber(), indices);
  at = getOperandIndices(cast<ComputeOpInterface>(exp.getOperation()), 0, at);
  auto subtraction = cast<ComputeOpInterface>(sub.getOperation());
  auto isLeast = [&](unsigned operand) -> Value {
    Value m = emitElement(sub->getOperand(operand),
                          getOperandIndices(subtraction, operand, at));
    return arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, m,
                                 getNeutral(/*isMax=*/true, m.getType()));
  };
  Value isMasked = isLeast(0);
  if (!subtractsMaximum(kernel->getParentOfType<ProgramOp>()))
    return isMasked;
  Value isSeen = arith::XOrIOp::create(
      b, isLeast(1), arith::ConstantOp::create(b, b.getBoolAttr(true)));
  return arith::AndIOp::create(b, isMasked, isSeen);
}

/// What a run of results is computed from, element by element.
KernelEmitter::Indices KernelEmitter::computeOperand(ComputeOpInterface op,
                                                     unsigned operand,
                                                     ValueRange indices,
                                                     int64_t length) {
  Value tile = op->getOperand(operand);
  auto at = [&](int64_t element) {
    return getOperandIndices(op, operand, advance(indices, element));
  };
  OperandRun kind = OperandRun::Along;
  if (length > 1)
    kind = getOperandRun(op, operand, length, [&](const DimExpr &extent) {
      return evaluate(extent);
    });
  if (kind == OperandRun::Along)
    return emitElements(tile, at(0), length);
  if (kind == OperandRun::Same)
    return Indices(length, emitElement(tile, at(0)));
  Indices elements;
  for (int64_t element = 0; element < length; ++element)
    elements.push_back(emitElement(tile, at(element)));
  return elements;
}

/// The elements of a run over one number of f32 or less: one division, and
/// products. The number is brought to where its inverse has all its digits;
/// where the elements then overflow or vanish, quotients do.
KernelEmitter::Indices KernelEmitter::divideRun(ValueRange run, Value by,
                                                Type type) {
  Type f32 = b.getF32Type();
  auto constant = [&](double value) -> Value {
    return arith::ConstantOp::create(b, FloatAttr::get(f32, value));
  };
  auto isBelow = [&](Value x, Value y) -> Value {
    return arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, x, y);
  };
  by = convert(by, f32);
  Value size = math::AbsFOp::create(b, by);
  Value scale = arith::SelectOp::create(b, isBelow(size, constant(0x1p-100)),
                                        constant(0x1p24), constant(1.0));
  scale = arith::SelectOp::create(b, isBelow(constant(0x1p100), size),
                                  constant(0x1p-24), scale);
  Value inverse = arith::DivFOp::create(b, constant(1.0),
                                        arith::MulFOp::create(b, by, scale));
  Indices quotients;
  for (Value element : run) {
    Value scaled = arith::MulFOp::create(b, convert(element, f32), scale);
    quotients.push_back(
        convert(arith::MulFOp::create(b, scaled, inverse), type));
  }
  return quotients;
}

KernelEmitter::Indices KernelEmitter::computeElements(ComputeOpInterface op,
                                                      ValueRange indices,
                                                      int64_t length) {
  if (auto concat = dyn_cast<ConcatOp>(op.getOperation())) {
    auto evaluateExtent = [&](const DimExpr &extent) {
      return evaluate(extent);
    };
    if (getOperandRun(op, 0, length, evaluateExtent) == OperandRun::Along)
      return emitConcat(concat, indices, length);
    Indices elements;
    for (int64_t element = 0; element < length; ++element)
      llvm::append_range(elements,
                         emitConcat(concat, advance(indices, element), 1));
    return elements;
  }
  if (isa<SliceOp, ReshapeOp>(op.getOperation()))
    return computeOperand(op, 0, indices, length);
  SmallVector<Indices> operands;
  for (unsigned operand = 0; operand < op->getNumOperands(); ++operand)
    operands.push_back(computeOperand(op, operand, indices, length));
  Type type = prism::getElementType(op->getResult(0).getType());
  if (isa<DivOp>(op.getOperation()) && length > 1 &&
      llvm::all_equal(operands[1]) && !llvm::all_equal(operands[0]) &&
      getComputeType(operands[1].front().getType()).isF32() &&
      getComputeType(operands[0].front().getType()).isF32() &&
      getComputeType(type).isF32())
    return divideRun(operands[0], operands[1].front(), type);
  // What is the same for all of the run is computed once.
  bool isSame = llvm::all_of(operands, [](const Indices &elements) {
    return llvm::all_equal(elements);
  });
  Indices results;
  for (int64_t element = 0; element < length; ++element) {
    Value isMasked = isMaskedPart(op, advance(indices, element));
    if (isSame && element > 0 && !isMasked) {
      results.push_back(results.front());
      continue;
    }
    Value value = emitScalar(op,
                             llvm::map_to_vector(operands,
                                                 [&](const Indices &elements) {
                                                   return elements[element];
                                                 }),
                             type);
    results.push_back(
        isMasked ? arith::SelectOp::create(b, isMasked, zeroOf(type), value)
                 : value);
  }
  return results;
}

KernelEmitter::Indices
KernelEmitter::emitElements(Value tile, ValueRange indices, int64_t length) {
  if (auto kept = keptElements.find(tile); kept != keptElements.end()) {
    assert(kept->second.size() == static_cast<size_t>(length) &&
           "followers read runs as they are stored");
    return kept->second;
  }
  if (const TileBuffer *buffer = plan.lookupBuffer(tile))
    return loadElements(*buffer, indices, length);
  Operation *definition = tile.getDefiningOp();
  if (auto load = dyn_cast<LoadOp>(definition))
    return loadGlobal(load, indices, length);
  return computeElements(cast<ComputeOpInterface>(definition), indices, length);
}

Value KernelEmitter::combine(bool isMax, Value x, Value y) {
  if (isMax)
    return arith::MaximumFOp::create(b, x, y);
  return arith::AddFOp::create(b, x, y);
}

Value KernelEmitter::getNeutral(bool isMax, Type type) {
  auto floatType = cast<FloatType>(type);
  APFloat zero = APFloat::getZero(floatType.getFloatSemantics());
  APFloat least =
      APFloat::getInf(floatType.getFloatSemantics(), /*Negative=*/true);
  return arith::ConstantOp::create(b,
                                   FloatAttr::get(type, isMax ? least : zero));
}

//===----------------------------------------------------------------------===//
// Loads and saves
//===----------------------------------------------------------------------===//

/// Elements that can be copied at once: each run of so many, in the tile and in
/// the tensor, is aligned and wholly inside or outside. 0 where none can:
/// copies are of 4 bytes at least.
int64_t KernelEmitter::getCopyLength(LoadOp load) {
  const TileBuffer &buffer = *plan.lookupBuffer(load.getResult());
  if (buffer.extents.empty())
    return 0;
  int64_t bytes = getElementBytes(load.getType().getElementType());
  int64_t length = getAccessLength(
      buffer, getAccessLength(kernel, plan, sizes, load, accessBytes / bytes));
  // All chunks are multiples of what the largest is, but for what remains.
  while (length > 1 && buffer.extents.back() % length != 0)
    length /= 2;
  return length * bytes >= leastCopyBytes ? length : 0;
}

void KernelEmitter::emitLoad(const PlanStep &step) {
  auto load = cast<LoadOp>(step.op);
  const TileBuffer &buffer = *plan.lookupBuffer(load.getResult());
  SmallVector<RuntimeExtent> extents = getExtents(load.getType());
  int64_t length = getCopyLength(load);
  if (length == 0)
    return forEachPoint(extents, [&](ValueRange indices) {
      storeElements(buffer, indices, loadGlobal(load, indices, 1));
    });
  int64_t bytes = length * getElementBytes(load.getType().getElementType());
  forEachRun(extents, length, [&](ValueRange indices) {
    Value from = getGlobalPointer(load, indices);
    Value to = getElementPointer(buffer, indices);
    // Past the first level of the cache go whole 16 bytes only.
    NVVM::CpAsyncOp::create(b, to, from, bytes,
                            bytes == accessBytes
                                ? NVVM::LoadCacheModifierKind::CG
                                : NVVM::LoadCacheModifierKind::CA,
                            Value());
  });
  copiesInFlight = true;
}

void KernelEmitter::emitSave(const PlanStep &step) {
  auto save = cast<SaveOp>(step.op);
  // Along a grid dim that the result does not vary in, block 0 writes it.
  Value writes;
  for (const ParallelDimPlan &dim : plan.dims) {
    auto isNamed = [&](const auto &splits) {
      return llvm::any_of(
          splits, [&](const Split &split) { return split.dim == dim.name; });
    };
    bool varies =
        llvm::any_of(save.getMap().getValue(), isNamed) ||
        llvm::is_contained(save.getPartials(), b.getStringAttr(dim.name));
    if (dim.kind == ParallelKind::Grid && !varies &&
        (dim.isDynamic || dim.count > 1))
      writes = both(writes, b.createOrFold<arith::CmpIOp>(
                                arith::CmpIPredicate::eq,
                                coordinates.lookup(dim.name), number(0)));
  }
  int64_t run = getRun(step);
  guarded(writes, [&] {
    forEachRun(getExtents(save.getTile().getType()), run,
               [&](ValueRange indices) {
                 storeAt(emitElements(save.getTile(), indices, run),
                         getGlobalPointer(save, indices));
               });
  });
}

//===----------------------------------------------------------------------===//
// Elementwise steps and accumulators
//===----------------------------------------------------------------------===//

void KernelEmitter::emitElementwise(const PlanStep &step) {
  int64_t run = getRun(step);
  forEachRun(getExtents(step.op->getResult(0).getType()), run,
             [&](ValueRange indices) {
               auto op = cast<ComputeOpInterface>(step.op);
               storeResults(step, indices, computeElements(op, indices, run));
             });
}

static bool isMaximum(const PlanStep &step) {
  if (auto accumulate = dyn_cast<AccumulateOp>(step.op))
    return accumulate.getKind() == AccumulatorKind::Max;
  return isa<ReduceMaxOp>(step.op);
}

void KernelEmitter::storeResults(const PlanStep &step, ValueRange indices,
                                 ValueRange values) {
  Value tile = step.getStoredTile();
  storeWithFollowers(step, indices, values);
  if (plan.lookupRescale(tile))
    for (auto [element, value] : llvm::enumerate(values))
      updateRescale(tile, advance(indices, static_cast<int64_t>(element)),
                    value);
}

void KernelEmitter::storeWithFollowers(const PlanStep &step, ValueRange indices,
                                       ValueRange values) {
  auto store = [&](Value tile, ValueRange elements) {
    if (const TileBuffer *buffer = plan.lookupBuffer(tile))
      storeElements(*buffer, indices, elements);
    if (step.keeps(tile))
      keptElements[tile] = Indices(elements);
  };
  store(step.getStoredTile(), values);
  for (Operation *follower : step.followers)
    store(follower->getResult(0),
          computeElements(cast<ComputeOpInterface>(follower), indices,
                          static_cast<int64_t>(values.size())));
  keptElements.clear();
}

void KernelEmitter::setUpAccumulator(const PlanStep &step) {
  Value tile = step.getStoredTile();
  const TileBuffer &buffer = *plan.lookupBuffer(tile);
  synchronize({}, &buffer);
  forEachPoint(getExtents(tile.getType()), [&](ValueRange indices) {
    storeElement(buffer, indices,
                 getNeutral(isMaximum(step), buffer.elementType));
  });
}

void KernelEmitter::emitAccumulate(const PlanStep &step) {
  auto accumulate = cast<AccumulateOp>(step.op);
  const TileBuffer &buffer = *plan.lookupBuffer(accumulate.getResult());
  Type computeType = getComputeType(buffer.elementType);
  int64_t run = getRun(step);
  forEachRun(getExtents(accumulate.getType()), run, [&](ValueRange indices) {
    Indices sums = loadElements(buffer, indices, run);
    Indices terms = emitElements(accumulate.getTile(), indices, run);
    for (int64_t element = 0; element < run; ++element) {
      Value combined = accumulateTerm(accumulate, advance(indices, element),
                                      convert(sums[element], computeType),
                                      convert(terms[element], computeType));
      sums[element] = convert(combined, buffer.elementType);
    }
    storeElements(buffer, indices, sums);
  });
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

static Type getPartialType(const PlanStep &step) {
  return getComputeType(prism::getElementType(step.op->getResult(0).getType()));
}

Value KernelEmitter::getStart(const PlanStep &step) {
  return getNeutral(isMaximum(step), getPartialType(step));
}

/// Combines `start` and every `stride`-th run of reduced elements from run
/// `first` on; none where the output is not there.
Value KernelEmitter::reduceInto(const PlanStep &step, ValueRange output,
                                Value first, int64_t stride, Value start,
                                Value isThere) {
  auto op = cast<ComputeOpInterface>(step.op);
  Value input = step.op->getOperand(0);
  IterationStructure structure = op.getIterationStructure();
  SmallVector<RuntimeExtent> inputExtents = getExtents(input.getType());
  SmallVector<unsigned> reducedDims;
  SmallVector<RuntimeExtent> reducedExtents;
  SmallVector<int64_t> reducedSizes;
  for (unsigned dim = 0; dim < structure.dims.size(); ++dim) {
    if (structure.dims[dim] == IterationKind::Parallel)
      continue;
    reducedDims.push_back(dim);
    reducedExtents.push_back(inputExtents[dim]);
    reducedSizes.push_back(inputExtents[dim].size);
  }
  Type type = getPartialType(step);
  // A single ragged dim bounds the loop; several are tested at each point.
  bool isBound = reducedDims.size() == 1 && reducedExtents[0].value;
  Value end = isBound ? reducedExtents[0].value : number(step.reduce.reduced);
  if (isBound)
    reducedExtents[0].value = Value();
  if (isThere)
    end = b.createOrFold<arith::SelectOp>(isThere, end, number(0));
  int64_t run = getRun(step);
  auto loop =
      scf::ForOp::create(b, mul(first, run), end, number(stride * run), start);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Indices point(structure.dims.size());
  for (auto [factors, index] : llvm::zip(structure.resultMap, output))
    point[factors.front()] = index;
  Indices reduced = delinearize(loop.getInductionVar(), reducedSizes);
  for (auto [dim, index] : llvm::zip(reducedDims, reduced))
    point[dim] = index;
  Value sum = loop.getRegionIterArg(0);
  // A product is not rounded before it is added.
  auto accumulate = [&](Value sum, Value term) -> Value {
    auto product = term.getDefiningOp<arith::MulFOp>();
    if (product && !isMaximum(step))
      return math::FmaOp::create(b, product.getLhs(), product.getRhs(), sum);
    return combine(isMaximum(step), sum, term);
  };
  auto next = [&] {
    // Those of a run first: they do not wait for the runs before.
    Indices terms = emitElements(input, point, run);
    Value term = convert(terms.front(), type);
    for (Value other : llvm::drop_begin(terms))
      term = accumulate(term, convert(other, type));
    return combine(isMaximum(step), sum, term);
  };
  Value inside = isInside(reduced, reducedExtents);
  if (!inside) {
    scf::YieldOp::create(b, next());
    return loop.getResult(0);
  }
  auto branch = scf::IfOp::create(b, type, inside, /*withElseRegion=*/true);
  b.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(b, next());
  b.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(b, sum);
  b.setInsertionPointAfter(branch);
  scf::YieldOp::create(b, branch.getResult(0));
  return loop.getResult(0);
}

/// What the lanes of a group have together, in all of them.
Value KernelEmitter::reduceOverLanes(const PlanStep &step, Value value) {
  for (int64_t distance = step.reduce.lanes / 2; distance > 0; distance /= 2) {
    Value other = NVVM::ShflOp::create(b, value.getType(), number(-1), value,
                                       number(distance), number(31),
                                       NVVM::ShflKind::bfly, UnitAttr());
    value = combine(isMaximum(step), value, other);
  }
  return value;
}

void KernelEmitter::finishReduce(const PlanStep &step, ValueRange output,
                                 Value value) {
  const TileBuffer &buffer = *plan.lookupBuffer(step.getStoredTile());
  if (AccumulateOp accumulate = step.accumulator) {
    Value sum = convert(loadElement(buffer, output), value.getType());
    value = accumulateTerm(accumulate, output, sum, value);
  }
  storeResults(step, output, convert(value, buffer.elementType));
}

void KernelEmitter::emitReduce(const PlanStep &step) {
  if (step.reduce.lanes == 1)
    return forEachPoint(
        getExtents(step.op->getResult(0).getType()), [&](ValueRange output) {
          finishReduce(step, output,
                       reduceInto(step, output, number(0), 1, getStart(step)));
        });
  Value lane = getLane(step);
  forEachResult(step, [&](ValueRange output, Value isThere) {
    Value value = reduceInto(step, output, lane, step.reduce.lanes,
                             getStart(step), isThere);
    value = reduceOverLanes(step, value);
    guarded(both(isThere, isFirstLane(step)),
            [&] { finishReduce(step, output, value); });
  });
}

Value KernelEmitter::getLane(const PlanStep &step) {
  return b.createOrFold<arith::RemUIOp>(threadId, number(step.reduce.lanes));
}

Value KernelEmitter::isFirstLane(const PlanStep &step) {
  if (step.reduce.lanes == 1)
    return Value();
  return b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::eq, getLane(step),
                                       number(0));
}

/// Calls `body` with the indices of each result of the thread's group and
/// whether there is one (null: always). A warp has several groups, some maybe
/// without a result: `body` stands behind no branch, so that all lanes come to
/// its shuffles.
void KernelEmitter::forEachResult(
    const PlanStep &step, llvm::function_ref<void(ValueRange, Value)> body) {
  SmallVector<RuntimeExtent> outputs =
      getExtents(step.op->getResult(0).getType());
  SmallVector<int64_t> sizes = llvm::map_to_vector(
      outputs, [](const RuntimeExtent &extent) { return extent.size; });
  Value group =
      b.createOrFold<arith::DivUIOp>(threadId, number(step.reduce.lanes));
  int64_t groups = plan.threads / step.reduce.lanes;
  int64_t count = llvm::divideCeil(step.reduce.outputs, groups);
  for (int64_t index = 0; index < count; ++index) {
    Value linear = add(group, number(index * groups));
    Indices output = delinearize(linear, sizes);
    Value isThere = isInside(output, outputs);
    if ((index + 1) * groups > step.reduce.outputs)
      isThere = both(isThere, less(linear, number(step.reduce.outputs)));
    body(output, isThere);
  }
}

KernelEmitter::Indices KernelEmitter::createPartials(const PlanStep &step) {
  return Indices(countCarried(plan, step), getStart(step));
}

KernelEmitter::Indices KernelEmitter::addPartials(const PlanStep &step,
                                                  ValueRange partials) {
  b.setLoc(step.op->getLoc());
  Value lane = getLane(step);
  Indices results;
  forEachResult(step, [&](ValueRange output, Value isThere) {
    results.push_back(reduceInto(step, output, lane, step.reduce.lanes,
                                 partials[results.size()], isThere));
  });
  return results;
}

void KernelEmitter::storePartials(const PlanStep &step, ValueRange partials) {
  b.setLoc(step.op->getLoc());
  Type stored = plan.lookupBuffer(step.getStoredTile())->elementType;
  unsigned next = 0;
  forEachResult(step, [&](ValueRange output, Value isThere) {
    Value value = reduceOverLanes(step, partials[next++]);
    guarded(both(isThere, isFirstLane(step)),
            [&] { storeResults(step, output, convert(value, stored)); });
  });
}
