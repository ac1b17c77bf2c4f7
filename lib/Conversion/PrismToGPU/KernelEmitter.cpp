//===- KernelEmitter.cpp - A planned block graph as a kernel --------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The frame of a kernel: parameters, coordinates, extents, the loop, barriers.
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace prism;
using namespace prism::detail;

static constexpr StringLiteral sharedName = "smem";

KernelEmitter::KernelEmitter(KernelOp kernel, const KernelPlan &plan,
                             const KernelSizes &sizes, gpu::GPUModuleOp module)
    : kernel(kernel), plan(plan), sizes(sizes), module(module),
      b(kernel.getLoc(), kernel.getContext()), i32(b.getI32Type()),
      sharedPtr(LLVM::LLVMPointerType::get(b.getContext(), 3)),
      globalPtr(LLVM::LLVMPointerType::get(b.getContext(), 1)) {}

LLVM::LLVMFuncOp KernelEmitter::emit(StringRef name) {
  createFunction(name);
  readCoordinates();
  computeExtents(/*inLoop=*/false);
  auto emitPhase = [&](StepPhase phase) {
    for (const PlanStep &step : plan.steps)
      if (step.phase == phase)
        emitStep(step);
  };
  emitPhase(StepPhase::BeforeLoop);
  // Outside the loop, a tile of a loop chunk is as large as the first chunk:
  // what smaller chunks left out, an accumulator has from those before.
  if (const ParallelDimPlan *loop = plan.getLoop()) {
    coordinates[loop->name] = number(0);
    computeExtents(/*inLoop=*/true);
  }
  emitLoop();
  emitPhase(StepPhase::AfterLoop);
  LLVM::ReturnOp::create(b, ValueRange());
  return function;
}

//===----------------------------------------------------------------------===//
// Frame
//===----------------------------------------------------------------------===//

/// Dynamic shared memory: external, or NVPTX would give it a size.
static void declareSharedMemory(gpu::GPUModuleOp module) {
  if (module.lookupSymbol(sharedName))
    return;
  auto builder = OpBuilder::atBlockBegin(module.getBody());
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), 0);
  LLVM::GlobalOp::create(builder, module.getLoc(), type, /*isConstant=*/false,
                         LLVM::Linkage::External, sharedName, Attribute(),
                         /*alignment=*/1024, /*addrSpace=*/3);
}

Type prism::detail::getTensorMapType(MLIRContext *context) {
  return LLVM::LLVMArrayType::get(IntegerType::get(context, 64), 16);
}

/// The alignment that is stated for an array: 16 bytes, as launches check, or
/// less where the array does not end on it. LLVM widens loads at the end of an
/// aligned array beyond it, since that cannot fault.
static int64_t getStatedAlignment(std::optional<int64_t> bytes,
                                  int64_t elementBytes) {
  int64_t alignment = 16;
  while (alignment > elementBytes && (!bytes || *bytes % alignment != 0))
    alignment /= 2;
  return alignment;
}

void KernelEmitter::createFunction(StringRef name) {
  declareSharedMemory(module);
  b.setInsertionPointToEnd(module.getBody());
  unsigned numParameters = kernel->getNumOperands() + kernel->getNumResults();
  SmallVector<Type> types(numParameters, globalPtr);
  types.append(plan.runtimeSymbols.size(), i32);
  size_t numMaps = prism::detail::getBulkLoads(plan).size();
  types.append(numMaps, LLVM::LLVMPointerType::get(b.getContext()));
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(b.getContext()), types);
  function = LLVM::LLVMFuncOp::create(b, name, type);
  SmallVector<Type> arrays(kernel->getOperandTypes());
  llvm::append_range(arrays, kernel->getResultTypes());
  for (unsigned index = 0; index < numParameters; ++index) {
    int64_t elementBytes =
        getElementBytes(prism::getElementType(arrays[index]));
    std::optional<int64_t> bytes = elementBytes;
    for (const DimExpr &extent : prism::getExtents(arrays[index])) {
      std::optional<int64_t> value =
          evaluateExtent(kernel, plan, sizes, extent);
      bytes = value && bytes ? std::optional<int64_t>(*bytes * *value)
                             : std::nullopt;
    }
    function.setArgAttr(
        index, "llvm.align",
        b.getI64IntegerAttr(getStatedAlignment(bytes, elementBytes)));
    function.setArgAttr(index, "llvm.noalias", b.getUnitAttr());
    if (index < kernel->getNumOperands())
      function.setArgAttr(index, "llvm.readonly", b.getUnitAttr());
  }
  for (size_t index = types.size() - numMaps; index < types.size(); ++index) {
    function.setArgAttr(
        index, "llvm.byval",
        TypeAttr::get(prism::detail::getTensorMapType(b.getContext())));
    function.setArgAttr(index, "llvm.align", b.getI64IntegerAttr(64));
    function.setArgAttr(index, NVVM::NVVMDialect::getGridConstantAttrName(),
                        b.getUnitAttr());
  }
  function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), b.getUnitAttr());
  function->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(),
                    b.getUnitAttr());
  function->setAttr(
      NVVM::NVVMDialect::getReqntidAttrName(),
      b.getDenseI32ArrayAttr({static_cast<int32_t>(plan.threads), 1, 1}));
  // All registers for one block rather than spills for several.
  function->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                    b.getI32IntegerAttr(1));
  b.setInsertionPointToStart(function.addEntryBlock(b));
  for (auto [index, name] : llvm::enumerate(plan.runtimeSymbols))
    symbols[name] = function.getArgument(numParameters + index);
  shared = LLVM::AddressOfOp::create(b, sharedPtr, sharedName);
}

void KernelEmitter::readCoordinates() {
  auto range = [&](int64_t end) {
    return LLVM::ConstantRangeAttr::get(b.getContext(), 32, 0, end);
  };
  pass = {number(0), number(0), number(0)};
  threadId = NVVM::ThreadIdXOp::create(b, i32, range(plan.threads));
  SmallVector<int64_t> counts;
  SmallVector<StringRef> names;
  bool isDynamic = false;
  for (const ParallelDimPlan &dim : plan.dims) {
    if (dim.kind != ParallelKind::Grid)
      continue;
    counts.push_back(dim.count);
    names.push_back(dim.name);
    isDynamic |= dim.isDynamic;
  }
  if (isDynamic)
    return readDynamicCoordinates(names);
  Value block = plan.blocks == 1
                    ? number(0)
                    : NVVM::BlockIdXOp::create(b, i32, range(plan.blocks));
  for (auto [name, index] : llvm::zip(names, delinearize(block, counts)))
    coordinates[name] = index;
}

/// As delinearize, but by numbers of blocks that the kernel computes.
void KernelEmitter::readDynamicCoordinates(ArrayRef<StringRef> names) {
  Value block = NVVM::BlockIdXOp::create(b, i32, LLVM::ConstantRangeAttr());
  for (size_t index = names.size(); index-- > 1;) {
    Value count = getCount(*plan.lookupDim(names[index]));
    coordinates[names[index]] = b.createOrFold<arith::RemUIOp>(block, count);
    block = b.createOrFold<arith::DivUIOp>(block, count);
  }
  coordinates[names.front()] = block;
}

Value KernelEmitter::getCount(const ParallelDimPlan &dim) {
  if (!dim.isDynamic)
    return number(dim.count);
  Value rounded = add(getNumber(dim.base), number(dim.tile - 1));
  return b.createOrFold<arith::DivUIOp>(rounded, number(dim.tile));
}

/// Whether `extent` is a product with a tile of a ragged dim.
bool KernelEmitter::isRaggedProduct(const DimExpr &extent) {
  bool isRagged = false;
  extent.walkSplits([&](const Split &split) {
    isRagged |= plan.lookupDim(split.dim)->isRagged;
  });
  return isRagged && !extent.isQuotient();
}

Value KernelEmitter::getNumber(const DimExpr &extent) {
  if (!plan.isDynamic(extent) && !isRaggedProduct(extent))
    return number(evaluate(extent));
  Value sum = number(0);
  extent.walkTerms([&](int64_t coefficient, ArrayRef<DimExpr> factors) {
    Value product = number(coefficient);
    for (const DimExpr &factor : factors) {
      StringRef name = factor.asSymbol();
      auto own = llvm::find_if(plan.dims, [&](const ParallelDimPlan &dim) {
        return name == (kernel.getGraphName() + "." + dim.name).str();
      });
      Value value = symbols.lookup(name);
      if (factor.isQuotient()) {
        RuntimeExtent quotient = computeExtent(factor);
        value = quotient.value ? quotient.value : number(quotient.size);
      }
      if (!value)
        value =
            own == plan.dims.end() ? number(evaluate(factor)) : getCount(*own);
      product = mul(product, value);
    }
    sum = add(sum, product);
  });
  return sum;
}

/// Extents are computed where their coordinates are known, once.
void KernelEmitter::computeExtents(bool inLoop) {
  const ParallelDimPlan *loop = plan.getLoop();
  auto visit = [&](Type type) {
    for (const DimExpr &extent : prism::getExtents(type)) {
      bool usesLoop = false;
      extent.walkSplits([&](const Split &split) {
        usesLoop |= loop && split.dim == loop->name;
      });
      if (usesLoop == inLoop)
        extents[extent.str()] = computeExtent(extent);
    }
  };
  for (Operation &op : kernel.getBodyBlock().without_terminator())
    for (Type type : op.getResultTypes())
      visit(type);
  if (loop && !inLoop)
    extents[loop->base.str()] = computeExtent(loop->base);
}

RuntimeExtent KernelEmitter::computeExtent(const DimExpr &extent) {
  RuntimeExtent result = {evaluate(extent), Value()};
  if (!extent.isQuotient()) {
    // Else the plan has seen to it that all chunks are equal.
    if (plan.isDynamic(extent) || isRaggedProduct(extent))
      result.value = getNumber(extent);
    return result;
  }
  const ParallelDimPlan *dim = plan.lookupDim(extent.quotientSplit().dim);
  RuntimeExtent base = computeExtent(extent.quotientBase());
  if (!base.value && base.size % dim->tile == 0)
    return result;
  Value whole = base.value ? base.value : number(base.size);
  Value rest = sub(whole, mul(coordinates[dim->name], dim->tile));
  result.value = b.createOrFold<arith::MinSIOp>(number(dim->tile), rest);
  return result;
}

RuntimeExtent KernelEmitter::getExtent(const DimExpr &extent) {
  return extents.lookup(extent.str());
}

SmallVector<RuntimeExtent> KernelEmitter::getExtents(Type type) {
  return llvm::map_to_vector(prism::getExtents(type),
                             [&](const DimExpr &e) { return getExtent(e); });
}

Value KernelEmitter::getLoopCount() {
  const ParallelDimPlan *loop = plan.getLoop();
  RuntimeExtent base = getExtent(loop->base);
  if (!base.value)
    return number(loop->count);
  Value rounded = add(base.value, number(loop->tile - 1));
  return b.createOrFold<arith::DivUIOp>(rounded, number(loop->tile));
}

/// Sums of products stay in registers; other accumulators in shared memory.
SmallVector<Value> KernelEmitter::setUpAccumulators() {
  SmallVector<Value> registers;
  for (const auto &[shift, buffer] : plan.rescales)
    setUpRescale(shift);
  for (const PlanStep &step : plan.steps) {
    if (step.phase != StepPhase::InLoop)
      continue;
    if (isDeferred(plan, step))
      declareSums(step);
    else if (step.isCarried())
      llvm::append_range(registers, step.kind == StepKind::Reduce
                                        ? createPartials(step)
                                        : createAccumulators(step));
    else if (step.getAccumulator())
      setUpAccumulator(step);
  }
  return registers;
}

/// Says at the start of a loop's body that ptxas is not to unroll it: it
/// unrolls hundreds of steps if their number is known, and spills registers.
static void keepRolled(ImplicitLocOpBuilder &b) {
  LLVM::InlineAsmOp::create(
      b, /*res=*/Type(), /*operands=*/ValueRange(), ".pragma \"nounroll\";",
      /*constraints=*/"", /*has_side_effects=*/true,
      /*is_align_stack=*/false, LLVM::TailCallKind::None,
      /*asm_dialect=*/LLVM::AsmDialectAttr(), /*operand_attrs=*/ArrayAttr());
}

void KernelEmitter::emitLoop() {
  if (!llvm::any_of(plan.steps, [](const PlanStep &step) {
        return step.phase == StepPhase::InLoop;
      }))
    return;
  SmallVector<Value> registers = setUpAccumulators();
  waitForCopies();
  Value count = getLoopCount();
  for (const PlanStep &step : plan.steps)
    if (plan.isStaged(step)) // its place may have been another's until here
      synchronize({}, plan.lookupBuffer(step.getStoredTile()));
  setUpBulkLoads();
  int64_t ahead = getStepsAhead(plan);
  for (int64_t step = 0; step < ahead; ++step)
    prefetch(number(step), number(step), count);
  // Behind the sums: the stage at hand, and the parity of its turn.
  size_t numSums = registers.size();
  if (plan.stages > 1)
    registers.append(2, number(0));
  auto loop = scf::ForOp::create(b, number(0), count, number(1), registers);
  b.setInsertionPointToStart(loop.getBody());
  keepRolled(b);
  Value coordinate = loop.getInductionVar();
  ValueRange carried = loop.getRegionIterArgs();
  Indices next;
  if (hasCopyGroups())
    NVVM::CpAsyncWaitGroupOp::create(b, ahead - 1);
  if (plan.stages > 1)
    waitForBulkLoads(carried[numSums], carried[numSums + 1]);
  barrier(); // the step before may still read what this one loads
  if (plan.stages > 1) {
    Value current = carried[numSums];
    prefetch(add(coordinate, number(ahead)), wrapStage(current, ahead), count);
    stage = current;
    next.push_back(wrapStage(current, 1));
    Value isNewTurn = b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::eq,
                                                    next.front(), number(0));
    next.push_back(b.createOrFold<arith::XOrIOp>(
        carried[numSums + 1], arith::ExtUIOp::create(b, i32, isNewTurn)));
  }
  coordinates[plan.getLoop()->name] = coordinate;
  computeExtents(/*inLoop=*/true);
  emitLoopSteps(carried.take_front(numSums), next);
  b.setInsertionPointAfter(loop);
  coordinates[plan.getLoop()->name] = number(0);
  computeExtents(/*inLoop=*/true);
  // Products are waited for before any barrier: behind it, what they read may
  // be stored over.
  llvm::MapVector<const PlanStep *, Indices> sums;
  ValueRange left = loop.getResults();
  for (const PlanStep &step : plan.steps) {
    if (!step.isCarried())
      continue;
    if (isDeferred(plan, step)) {
      sums[&step] = readSums(step);
      continue;
    }
    int64_t count = countCarried(plan, step);
    sums[&step] = Indices(left.take_front(count));
    left = left.drop_front(count);
  }
  for (auto &[key, own] : sums) {
    const PlanStep &step = *key;
    SmallVector<const TileBuffer *> reads;
    if (Value shift = step.getAccumulator().getShift())
      reads.push_back(plan.lookupRescale(shift));
    synchronize(reads, plan.lookupBuffer(step.getStoredTile()));
    if (step.kind == StepKind::Reduce)
      storePartials(step, own);
    else
      storeAccumulators(step, own);
  }
  finishSums();
}

/// The stage `distance` steps after `from`, which is less than all of them.
Value KernelEmitter::wrapStage(Value from, int64_t distance) {
  Value sum = add(from, number(distance));
  return b.createOrFold<arith::SelectOp>(less(sum, number(plan.stages)), sum,
                                         sub(sum, number(plan.stages)));
}

/// The body of the loop: the carried sums in and, with what else is carried,
/// out.
void KernelEmitter::emitLoopSteps(ValueRange sums, ValueRange others) {
  SmallVector<Value> results;
  for (const PlanStep &step : plan.steps) {
    if (step.phase != StepPhase::InLoop || plan.isStaged(step))
      continue;
    if (!step.isCarried()) {
      emitStep(step);
      continue;
    }
    int64_t count = countCarried(plan, step);
    synchronize(step);
    if (isDeferred(plan, step)) {
      startProduct(step);
      continue;
    }
    llvm::append_range(results,
                       step.kind == StepKind::Reduce
                           ? addPartials(step, sums.take_front(count))
                           : emitCarriedMatmul(step, sums.take_front(count)));
    sums = sums.drop_front(count);
  }
  waitForCopies();
  waitForProducts();
  llvm::append_range(results, others);
  if (!results.empty())
    scf::YieldOp::create(b, results);
}

/// What is loaded is in its own stage, which no step reads before it has been
/// waited for and a barrier has passed: no hazards to keep track of.
void KernelEmitter::prefetch(Value coordinate, Value ofStage, Value count) {
  guarded(less(coordinate, count), [&] {
    coordinates[plan.getLoop()->name] = coordinate;
    stage = ofStage;
    computeExtents(/*inLoop=*/true);
    startBulkLoads();
    for (const PlanStep &step : plan.steps)
      if (plan.isStaged(step) && !plan.isBulkLoad(step)) {
        b.setLoc(step.op->getLoc());
        emitLoad(step);
      }
  });
  // A group in each step, empty or not, so that groups can be counted.
  if (hasCopyGroups())
    NVVM::CpAsyncCommitGroupOp::create(b);
  copiesInFlight = false;
}

bool KernelEmitter::hasCopyGroups() {
  return llvm::any_of(plan.steps, [&](const PlanStep &step) {
    return plan.isStaged(step) && !plan.isBulkLoad(step);
  });
}

void KernelEmitter::emitStep(const PlanStep &step) {
  b.setLoc(step.op->getLoc());
  synchronize(step);
  switch (step.kind) {
  case StepKind::Load:
    emitLoad(step);
    break;
  case StepKind::Elementwise:
    return emitElementwise(step);
  case StepKind::Reduce:
    return emitReduce(step);
  case StepKind::Matmul:
    emitStoredMatmul(step);
    break;
  case StepKind::Accumulate:
    return emitAccumulate(step);
  case StepKind::Save:
    return emitSave(step);
  }
  // Loads and products are not stored element by element by one thread each.
  Value shift = step.getStoredTile();
  const TileBuffer *factors = plan.lookupRescale(shift);
  if (!factors)
    return;
  const TileBuffer *buffer = plan.lookupBuffer(shift);
  synchronize(buffer, factors);
  forEachPoint(getExtents(shift.getType()), [&](ValueRange indices) {
    updateRescale(shift, indices, loadElement(*buffer, indices));
  });
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

void KernelEmitter::waitForCopies() {
  if (!copiesInFlight)
    return;
  NVVM::CpAsyncCommitGroupOp::create(b);
  NVVM::CpAsyncWaitGroupOp::create(b, 0);
  copiesInFlight = false;
}

void KernelEmitter::barrier() {
  waitForCopies();
  NVVM::Barrier0Op::create(b);
  pending.clear();
}

void KernelEmitter::synchronize(ArrayRef<const TileBuffer *> reads,
                                ArrayRef<const TileBuffer *> writes) {
  if (pending.needBarrier(reads, writes))
    barrier();
  pending.add(reads, writes);
}

void KernelEmitter::synchronize(const PlanStep &step) {
  SmallVector<const TileBuffer *> reads, writes;
  plan.collectAccesses(step, reads, writes);
  synchronize(reads, writes);
}

//===----------------------------------------------------------------------===//
// Arithmetic and control flow
//===----------------------------------------------------------------------===//

Value KernelEmitter::number(int64_t value) {
  return arith::ConstantOp::create(b, b.getI32IntegerAttr(value));
}

Value KernelEmitter::add(Value x, Value y) {
  return b.createOrFold<arith::AddIOp>(x, y);
}
Value KernelEmitter::sub(Value x, Value y) {
  return b.createOrFold<arith::SubIOp>(x, y);
}
Value KernelEmitter::mul(Value x, int64_t y) {
  return y == 1 ? x : b.createOrFold<arith::MulIOp>(x, number(y));
}
Value KernelEmitter::mul(Value x, Value y) {
  if (matchPattern(x, m_Zero()))
    return x;
  return b.createOrFold<arith::MulIOp>(x, y);
}
Value KernelEmitter::less(Value x, Value y) {
  return b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::slt, x, y);
}
Value KernelEmitter::both(Value x, Value y) {
  if (!x || !y)
    return x ? x : y;
  return b.createOrFold<arith::AndIOp>(x, y);
}

Value KernelEmitter::zeroOf(Type type) {
  return arith::ConstantOp::create(b, b.getZeroAttr(type));
}

KernelEmitter::Indices KernelEmitter::delinearize(Value linear,
                                                  ArrayRef<int64_t> extents) {
  Indices indices(extents.size());
  for (size_t dim = extents.size(); dim-- > 0;) {
    int64_t extent = extents[dim];
    bool isOutermost = llvm::all_of(extents.take_front(dim),
                                    [](int64_t other) { return other == 1; });
    if (extent == 1) {
      indices[dim] = number(0);
    } else if (isOutermost) {
      indices[dim] = linear;
      linear = number(0);
    } else {
      indices[dim] = b.createOrFold<arith::RemUIOp>(linear, number(extent));
      linear = b.createOrFold<arith::DivUIOp>(linear, number(extent));
    }
  }
  return indices;
}

Value KernelEmitter::linearize(ValueRange indices, ArrayRef<int64_t> extents) {
  Value linear = number(0);
  for (auto [index, extent] : llvm::zip(indices, extents))
    linear = add(mul(linear, extent), index);
  return linear;
}

Value KernelEmitter::isInside(ValueRange indices,
                              ArrayRef<RuntimeExtent> extents) {
  Value inside;
  for (auto [index, extent] : llvm::zip(indices, extents))
    if (extent.value)
      inside = both(inside, less(index, extent.value));
  return inside;
}

void KernelEmitter::guarded(Value condition, llvm::function_ref<void()> body) {
  if (!condition || matchPattern(condition, m_One()))
    return body();
  auto branch = scf::IfOp::create(b, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  body();
}

void KernelEmitter::forRange(Value begin, Value end, int64_t step,
                             llvm::function_ref<void(Value)> body) {
  auto loop = scf::ForOp::create(b, begin, end, number(step));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

void KernelEmitter::forEachPoint(ArrayRef<RuntimeExtent> extents,
                                 PointBody body) {
  SmallVector<int64_t> sizes;
  int64_t count = 1;
  for (const RuntimeExtent &extent : extents) {
    sizes.push_back(extent.size);
    count *= extent.size;
  }
  auto visit = [&](Value linear) {
    Indices indices = delinearize(linear, sizes);
    guarded(isInside(indices, extents), [&] { body(indices); });
  };
  if (count > plan.threads)
    forRange(threadId, number(count), plan.threads, visit);
  else if (count < plan.threads)
    guarded(less(threadId, number(count)), [&] { visit(threadId); });
  else
    visit(threadId);
}

void KernelEmitter::forEachRun(ArrayRef<RuntimeExtent> extents, int64_t length,
                               PointBody body) {
  if (length == 1)
    return forEachPoint(extents, body);
  SmallVector<RuntimeExtent> runs(extents);
  RuntimeExtent &last = runs.back();
  last.size /= length;
  if (last.value)
    last.value = b.createOrFold<arith::DivUIOp>(last.value, number(length));
  forEachPoint(runs, [&](ValueRange run) {
    Indices indices(run);
    indices.back() = mul(indices.back(), length);
    body(indices);
  });
}

KernelEmitter::Indices KernelEmitter::advance(ValueRange indices,
                                              int64_t distance) {
  Indices moved(indices);
  if (distance != 0)
    moved.back() = add(moved.back(), number(distance));
  return moved;
}
