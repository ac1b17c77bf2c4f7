//===- MatmulEmitter.cpp - Matrix products by FMA or mma.sync -------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both forms keep their sums in registers and hand them on as values, so that a
// loop carries them. Iteration dims are grouped as MatmulPlan says.
//
// mma.sync.m16n8k16 spreads its fragments over the 32 lanes of a warp (PTX ISA,
// matrix fragments of m16n8k16, 16-bit floating point). With g = lane / 4 and
// t = lane % 4, a lane holds
//   A  rows g and g + 8, columns 2t, 2t + 1 and 2t + 8, 2t + 9
//   B  column g, rows 2t, 2t + 1 and 2t + 8, 2t + 9
//   C  rows g and g + 8, columns 2t, 2t + 1
//
// The two mma.sync.m16n8k8 of TF32 that do as much have the same C, and of each
// pair one element at t and one at t + 4. Any order of the summed positions
// will do if both operands have it, so the first takes the pairs at 2t and 2t +
// 1, the second those 8 further.
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace prism;
using namespace prism::detail;

static constexpr int64_t mmaRows = 16, mmaColumns = 8, mmaDepth = 16;

SmallVector<RuntimeExtent> KernelEmitter::getIterationExtentsOf(Operation *op) {
  auto compute = cast<ComputeOpInterface>(op);
  return llvm::map_to_vector(
      getIterationExtents(compute.getIterationStructure(),
                          op->getOperandTypes(), op->getResult(0).getType()),
      [&](const DimExpr &extent) { return getExtent(extent); });
}

/// Whether the product's `dim` is a multiple of `length` in all blocks and
/// steps.
bool KernelEmitter::isMultipleOf(const PlanStep &step, unsigned dim,
                                 int64_t length) {
  SmallVector<DimExpr> extents = getIterationExtents(
      cast<ComputeOpInterface>(step.op).getIterationStructure(),
      step.op->getOperandTypes(), step.op->getResult(0).getType());
  return isMultiple(kernel, plan, sizes, extents[dim], length);
}

/// The type of the stored tile's elements.
static Type getStoredType(const PlanStep &step) {
  return prism::getElementType(step.getStoredTile().getType());
}

static Type getSumType(const PlanStep &step) {
  Type type = prism::getElementType(step.op->getResult(0).getType());
  return type.isF64() ? type : Float32Type::get(type.getContext());
}

KernelEmitter::Indices KernelEmitter::createAccumulators(const PlanStep &step) {
  return Indices(step.matmul.accumulators, zeroOf(getSumType(step)));
}

KernelEmitter::Indices KernelEmitter::emitMatmul(const PlanStep &step,
                                                 ValueRange accumulators) {
  b.setLoc(step.op->getLoc());
  if (usesWarpgroups(plan, step))
    return emitWarpgroupProduct(step, accumulators);
  return step.matmul.useTensorCores ? emitMMA(step, accumulators)
                                    : emitFMA(step, accumulators);
}

Value KernelEmitter::emitOperand(const PlanStep &step, unsigned operand,
                                 ValueRange iteration) {
  IterationStructure structure =
      cast<ComputeOpInterface>(step.op).getIterationStructure();
  Indices indices;
  for (const auto &factors : structure.operandMaps[operand])
    indices.push_back(iteration[factors.front()]);
  return emitElement(step.op->getOperand(operand), indices);
}

KernelEmitter::WarpPlace KernelEmitter::getWarpPlace(const PlanStep &step) {
  const MatmulPlan &matmul = step.matmul;
  Value warp = b.createOrFold<arith::DivUIOp>(threadId, number(32));
  if (usesWarpgroups(plan, step)) {
    // The four warps of a warpgroup share its parts of 64 rows.
    constexpr int64_t warps = warpgroupThreads / Target::warpSize;
    Indices place = delinearize(
        warp, {matmul.warpsOverColumns, matmul.warpsOverRows / warps, warps});
    Value row = mul(place[1], matmul.rowFragments * warpgroupRows);
    return {number(0), add(row, mul(place[2], mmaRows)),
            mul(place[0], matmul.columnFragments * mmaColumns), Value()};
  }
  Indices place =
      delinearize(warp, {matmul.warpsOverDepth, matmul.warpsOverRows,
                         matmul.warpsOverColumns});
  int64_t rows = matmul.rowFragments * mmaRows;
  int64_t columns = matmul.columnFragments * mmaColumns;
  WarpPlace result = {place[0], mul(place[1], rows), mul(place[2], columns),
                      Value()};
  result.row = add(mul(pass.row, matmul.getRowsPerPass()), result.row);
  result.column =
      add(mul(pass.column, matmul.getColumnsPerPass()), result.column);
  auto limit = [&](Value first, int64_t perWarp, int64_t warps, int64_t end) {
    if ((warps - 1) * perWarp >= end)
      result.isBusy = both(result.isBusy, less(first, number(end)));
  };
  limit(result.row, rows, matmul.warpsOverRows * matmul.rowPasses, matmul.rows);
  limit(result.column, columns, matmul.warpsOverColumns * matmul.columnPasses,
        matmul.columns);
  return result;
}

/// Steps through the summed positions, `stride` at a time, carrying the sums.
/// Warps over the depth take turns; those with nothing to do take none.
KernelEmitter::Indices KernelEmitter::sumOverDepth(
    const PlanStep &step, int64_t stride, ValueRange accumulators,
    llvm::function_ref<Indices(Value, ValueRange)> body) {
  SmallVector<RuntimeExtent> extents = getIterationExtentsOf(step.op);
  const MatmulPlan &plan = step.matmul;
  Value end = number(plan.depth);
  if (plan.sumDims.size() == 1 && extents[plan.sumDims[0]].value)
    end = extents[plan.sumDims[0]].value;
  Value first = number(0), offset = number(0);
  if (plan.useTensorCores) {
    WarpPlace place = getWarpPlace(step);
    offset = mul(place.depth, stride);
    stride *= plan.warpsOverDepth;
    // The same number of turns for all is one that is known beforehand.
    bool isEven = matchPattern(end, m_Constant()) && plan.depth % stride == 0;
    if (!isEven)
      std::swap(first, offset);
    if (place.isBusy)
      first = b.createOrFold<arith::SelectOp>(place.isBusy, first, end);
  }
  auto loop = scf::ForOp::create(b, first, end, number(stride), accumulators);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Indices sums =
        body(add(loop.getInductionVar(), offset), loop.getRegionIterArgs());
    scf::YieldOp::create(b, sums);
  }
  return Indices(loop.getResults());
}

/// The iteration indices of `dims` at the linear `position`, which is below
/// `bound`; where that is outside, those of the first position, which always
/// exists.
MatmulPoint KernelEmitter::getPoint(const PlanStep &step, ValueRange start,
                                    ArrayRef<unsigned> dims, Value position,
                                    int64_t bound) {
  SmallVector<RuntimeExtent> extents = getIterationExtentsOf(step.op);
  SmallVector<int64_t> sizes;
  SmallVector<RuntimeExtent> ragged;
  int64_t count = 1;
  for (unsigned dim : dims) {
    sizes.push_back(step.matmul.extents[dim]);
    ragged.push_back(extents[dim]);
    count *= step.matmul.extents[dim];
  }
  Indices indices = delinearize(position, sizes);
  MatmulPoint point = {Indices(start), isInside(indices, ragged)};
  if (bound > count)
    point.valid = both(point.valid, less(position, number(count)));
  for (auto [dim, index] : llvm::zip(dims, indices))
    point.iteration[dim] =
        point.valid
            ? b.createOrFold<arith::SelectOp>(point.valid, index, number(0))
            : index;
  return point;
}

//===----------------------------------------------------------------------===//
// FMA
//===----------------------------------------------------------------------===//

void KernelEmitter::forEachAccumulator(
    const PlanStep &step, llvm::function_ref<void(ValueRange, Value)> body) {
  const MatmulPlan &matmul = step.matmul;
  Indices start(matmul.extents.size());
  if (!matmul.useTensorCores) {
    SmallVector<unsigned> dims(matmul.batchDims);
    llvm::append_range(dims, matmul.rowDims);
    llvm::append_range(dims, matmul.columnDims);
    for (int64_t index = 0; index < matmul.accumulators; ++index) {
      // Pass by pass, and in each index by index.
      int64_t before = matmul.rowPasses - 1;
      Value position = add(mul(pass.row, matmul.accumulators * plan.threads),
                           add(threadId, number(index * plan.threads)));
      int64_t bound = (before * matmul.accumulators + index + 1) * plan.threads;
      MatmulPoint point = getPoint(step, start, dims, position, bound);
      body(point.iteration, point.valid);
    }
    return;
  }
  Value lane = b.createOrFold<arith::RemUIOp>(threadId, number(32));
  Value g = b.createOrFold<arith::DivUIOp>(lane, number(4));
  Value t = b.createOrFold<arith::RemUIOp>(lane, number(4));
  WarpPlace place = getWarpPlace(step);
  Value firstRow = add(place.row, g);
  Value firstColumn = add(place.column, mul(t, 2));
  int64_t rowStride = usesWarpgroups(plan, step) ? warpgroupRows : mmaRows;
  int64_t rowBound = matmul.rowPasses * matmul.getRowsPerPass();
  int64_t columnBound = matmul.columnPasses * matmul.getColumnsPerPass();
  for (int64_t batch = 0; batch < matmul.getBatchPerPass(); ++batch) {
    MatmulPoint inBatch = getBatchPoint(step, batch);
    for (int64_t row = 0; row < matmul.rowFragments; ++row)
      for (int64_t column = 0; column < matmul.columnFragments; ++column)
        for (int64_t element = 0; element < 4; ++element) {
          MatmulPoint atRow =
              getPoint(step, inBatch.iteration, matmul.rowDims,
                       add(firstRow, number(row * rowStride + element / 2 * 8)),
                       rowBound);
          MatmulPoint point = getPoint(
              step, atRow.iteration, matmul.columnDims,
              add(firstColumn, number(column * mmaColumns + element % 2)),
              columnBound);
          body(point.iteration,
               both(inBatch.valid, both(atRow.valid, point.valid)));
        }
  }
}

MatmulPoint KernelEmitter::getBatchPoint(const PlanStep &step, int64_t batch) {
  const MatmulPlan &matmul = step.matmul;
  Value position =
      add(mul(pass.batch, matmul.getBatchPerPass()), number(batch));
  return getPoint(step, Indices(matmul.extents.size()), matmul.batchDims,
                  position, matmul.batch);
}

KernelEmitter::Indices KernelEmitter::getResultIndices(const PlanStep &step,
                                                       ValueRange iteration) {
  IterationStructure structure =
      cast<ComputeOpInterface>(step.op).getIterationStructure();
  return llvm::map_to_vector(structure.resultMap, [&](const auto &factors) {
    return iteration[factors.front()];
  });
}

void KernelEmitter::emitStoredMatmul(const PlanStep &step) {
  const MatmulPlan &matmul = step.matmul;
  SmallVector<int64_t> passes = {matmul.batchPasses, matmul.rowPasses,
                                 matmul.columnPasses};
  int64_t count = passes[0] * passes[1] * passes[2];
  auto emitPass = [&](Value linear) {
    Indices indices = delinearize(linear, passes);
    pass = {indices[0], indices[1], indices[2]};
    storeAccumulators(step, emitMatmul(step, createAccumulators(step)));
  };
  if (count == 1)
    emitPass(number(0));
  else
    forRange(number(0), number(count), 1, emitPass);
  pass = {number(0), number(0), number(0)};
}

void KernelEmitter::storeAccumulators(const PlanStep &step,
                                      ValueRange accumulators) {
  const TileBuffer *buffer = plan.lookupBuffer(step.getStoredTile());
  AccumulateOp inMemory = step.carried ? AccumulateOp() : step.accumulator;
  unsigned next = 0;
  if (const TileBuffer *shares = plan.lookupWarpSums(step.getStoredTile())) {
    synchronize({}, shares);
    Value warp = getWarpPlace(step).depth;
    forEachAccumulator(step, [&](ValueRange iteration, Value valid) {
      Value sum = accumulators[next++];
      guarded(valid, [&] {
        Indices indices = getResultIndices(step, iteration);
        indices.insert(indices.begin(), warp);
        storeElement(*shares, indices, sum);
      });
    });
    return sumOverWarps(step);
  }
  forEachAccumulator(step, [&](ValueRange iteration, Value valid) {
    Value sum = accumulators[next++];
    guarded(valid, [&] {
      Indices indices = getResultIndices(step, iteration);
      if (inMemory) {
        Value before = convert(loadElement(*buffer, indices), sum.getType());
        sum = accumulateTerm(inMemory, indices, before, sum);
      }
      if (step.isCarried())
        sum = finishSum(step.getAccumulator(), indices, sum);
      storeWithFollowers(step, indices, convert(sum, getStoredType(step)));
    });
  });
}

void KernelEmitter::sumOverWarps(const PlanStep &step) {
  Value tile = step.getStoredTile();
  const TileBuffer *buffer = plan.lookupBuffer(tile);
  const TileBuffer *shares = plan.lookupWarpSums(tile);
  AccumulateOp inMemory = step.carried ? AccumulateOp() : step.accumulator;
  SmallVector<const TileBuffer *> reads = {shares}, writes;
  if (inMemory)
    reads.push_back(buffer);
  AccumulateOp accumulate = step.getAccumulator();
  if (accumulate && accumulate.getShift())
    reads.push_back(plan.lookupRescale(accumulate.getShift()));
  if (buffer)
    writes.push_back(buffer);
  plan.collectFollowerAccesses(step, reads, writes);
  synchronize(reads, writes);
  forEachPoint(getExtents(tile.getType()), [&](ValueRange indices) {
    Indices at(indices);
    at.insert(at.begin(), number(0));
    Value sum = loadElement(*shares, at);
    for (int64_t warp = 1; warp < step.matmul.warpsOverDepth; ++warp) {
      at.front() = number(warp);
      sum = arith::AddFOp::create(b, sum, loadElement(*shares, at));
    }
    if (inMemory) {
      Value before = convert(loadElement(*buffer, indices), sum.getType());
      sum = accumulateTerm(inMemory, indices, before, sum);
    }
    if (step.isCarried())
      sum = finishSum(accumulate, indices, sum);
    storeWithFollowers(step, indices, convert(sum, getStoredType(step)));
  });
}

/// Products are added to plain sums; what is rescaled is summed by itself
/// first. Outside the valid part, sums are never stored.
KernelEmitter::Indices KernelEmitter::emitCarriedMatmul(const PlanStep &step,
                                                        ValueRange sums) {
  AccumulateOp accumulate = step.accumulator;
  if (!accumulate.getShift())
    return emitMatmul(step, sums);
  Indices terms = emitMatmul(step, createAccumulators(step));
  Indices results;
  forEachAccumulator(step, [&](ValueRange iteration, Value valid) {
    unsigned next = results.size();
    results.push_back(accumulateTerm(accumulate,
                                     getResultIndices(step, iteration),
                                     sums[next], terms[next]));
  });
  return results;
}

KernelEmitter::Indices KernelEmitter::emitFMA(const PlanStep &step,
                                              ValueRange accumulators) {
  const MatmulPlan &matmul = step.matmul;
  SmallVector<Indices> points;
  forEachAccumulator(step, [&](ValueRange iteration, Value valid) {
    points.push_back(Indices(iteration));
  });
  SmallVector<RuntimeExtent> extents = getIterationExtentsOf(step.op);
  SmallVector<RuntimeExtent> ragged;
  SmallVector<int64_t> sizes;
  for (unsigned dim : matmul.sumDims) {
    ragged.push_back(extents[dim]);
    sizes.push_back(extents[dim].size);
  }
  if (ragged.size() == 1)
    ragged[0].value = Value(); // the loop ends there
  Type type = getSumType(step);
  return sumOverDepth(step, 1, accumulators, [&](Value depth, ValueRange sums) {
    Indices summed = delinearize(depth, sizes);
    Value inside = isInside(summed, ragged);
    Indices results;
    for (auto [point, sum] : llvm::zip(points, sums)) {
      for (auto [dim, index] : llvm::zip(matmul.sumDims, summed))
        point[dim] = inside ? Value(b.createOrFold<arith::SelectOp>(
                                  inside, index, number(0)))
                            : index;
      Value lhs = convert(emitOperand(step, 0, point), type);
      Value rhs = convert(emitOperand(step, 1, point), type);
      Value next = math::FmaOp::create(b, lhs, rhs, sum);
      results.push_back(
          inside ? Value(arith::SelectOp::create(b, inside, next, sum)) : next);
    }
    return results;
  });
}

//===----------------------------------------------------------------------===//
// mma.sync
//===----------------------------------------------------------------------===//

/// Two elements at depths `depth` and `depth` + 1, zero where outside. Depths
/// are even; where the two lie together in memory they are loaded at once.
Value KernelEmitter::loadPair(const PlanStep &step, unsigned operand,
                              const MatmulPoint &point, Value depth) {
  const MatmulPlan &matmul = step.matmul;
  Value tile = step.op->getOperand(operand);
  auto pairType = VectorType::get(2, prism::getElementType(tile.getType()));
  SmallVector<RuntimeExtent> extents = getIterationExtentsOf(step.op);
  IterationStructure structure =
      cast<ComputeOpInterface>(step.op).getIterationStructure();
  const IndexMap &map = structure.operandMaps[operand];
  const TileBuffer *buffer = plan.lookupBuffer(tile);
  unsigned inner = matmul.sumDims.back();
  bool isExact = llvm::none_of(
      matmul.sumDims, [&](unsigned dim) { return extents[dim].value; });
  bool isWhole = (isExact && matmul.depth % mmaDepth == 0) ||
                 (matmul.sumDims.size() == 1 &&
                  isMultipleOf(step, matmul.sumDims[0], mmaDepth));
  bool isContiguous = buffer && map.back().front() == inner &&
                      extents[inner].size % 2 == 0 && isWhole;
  auto at = [&](Value position) {
    MatmulPoint summed =
        isWhole ? MatmulPoint{point.iteration, Value()}
                : getPoint(step, point.iteration, matmul.sumDims, position,
                           llvm::alignTo(matmul.depth, mmaDepth));
    if (isWhole) {
      SmallVector<int64_t> sizes;
      for (unsigned dim : matmul.sumDims)
        sizes.push_back(extents[dim].size);
      for (auto [dim, index] :
           llvm::zip(matmul.sumDims, delinearize(position, sizes)))
        summed.iteration[dim] = index;
    }
    summed.valid = both(point.valid, summed.valid);
    return summed;
  };
  auto mask = [&](Value value, Value valid) -> Value {
    return valid ? Value(arith::SelectOp::create(b, valid, value,
                                                 zeroOf(value.getType())))
                 : value;
  };
  if (isContiguous) {
    MatmulPoint summed = at(depth);
    Indices indices;
    for (const auto &factors : map)
      indices.push_back(summed.iteration[factors.front()]);
    Value pointer = getElementPointer(*buffer, indices);
    Value pair = LLVM::LoadOp::create(b, pairType, pointer,
                                      2 * getElementBytes(buffer->elementType));
    return mask(pair, summed.valid);
  }
  Value pair = LLVM::UndefOp::create(b, pairType);
  for (int64_t element = 0; element < 2; ++element) {
    MatmulPoint summed = at(add(depth, number(element)));
    Value value =
        mask(emitOperand(step, operand, summed.iteration), summed.valid);
    pair = LLVM::InsertElementOp::create(b, pair, value, number(element));
  }
  return pair;
}

/// The pairs of a fragment at `points`: all at the first depths, then all at
/// those 8 further.
KernelEmitter::Indices KernelEmitter::loadFragment(const PlanStep &step,
                                                   unsigned operand,
                                                   ArrayRef<MatmulPoint> points,
                                                   Value depth) {
  Indices pairs;
  for (int64_t offset : {0, 8})
    for (const MatmulPoint &point : points) {
      Value pair = loadPair(step, operand, point, add(depth, number(offset)));
      // bf16 fragments are passed as integers.
      if (cast<VectorType>(pair.getType()).getElementType().isBF16())
        pair = LLVM::BitcastOp::create(b, i32, pair);
      pairs.push_back(pair);
    }
  return pairs;
}

/// Whether ldmatrix can load the fragments of `operand`, whose rows (columns)
/// are `dims`: rows of 8 elements lie together, aligned, and are wholly inside
/// or outside. If so, whether what lies together are rows and not depths.
std::optional<bool> KernelEmitter::getMatrixLoad(const PlanStep &step,
                                                 unsigned operand,
                                                 ArrayRef<unsigned> dims) {
  const MatmulPlan &matmul = step.matmul;
  const TileBuffer *buffer = plan.lookupBuffer(step.op->getOperand(operand));
  if (!buffer || matmul.usesTF32 || dims.size() != 1 ||
      matmul.sumDims.size() != 1 || buffer->layout.back() % 8 != 0)
    return std::nullopt;
  if (!isMultipleOf(step, matmul.sumDims[0], mmaDepth) ||
      !isMultipleOf(step, dims[0], 8))
    return std::nullopt;
  IterationStructure structure =
      cast<ComputeOpInterface>(step.op).getIterationStructure();
  unsigned last = structure.operandMaps[operand].back().front();
  if (last == dims[0])
    return true;
  if (last == matmul.sumDims[0])
    return false;
  return std::nullopt;
}

/// `count` 8x8 matrices, 2 (a column fragment) or 4 (a row fragment): those of
/// the first rows and of the others, at the first depths, then at those 8
/// further. Lane l gives the address of row l % 8 of matrix l / 8.
KernelEmitter::Indices KernelEmitter::loadMatrices(const PlanStep &step,
                                                   unsigned operand,
                                                   bool transposed,
                                                   const MatmulPoint &point,
                                                   int64_t count, Value depth) {
  const TileBuffer &buffer = *plan.lookupBuffer(step.op->getOperand(operand));
  Value lane = b.createOrFold<arith::RemUIOp>(threadId, number(32));
  Value matrix = b.createOrFold<arith::DivUIOp>(lane, number(8));
  Value half = count == 4 ? b.createOrFold<arith::DivUIOp>(matrix, number(2))
                          : b.createOrFold<arith::RemUIOp>(matrix, number(2));
  Value position = add(depth, mul(half, 8));
  if (transposed)
    position = add(position, b.createOrFold<arith::RemUIOp>(lane, number(8)));
  Indices iteration(point.iteration);
  iteration[step.matmul.sumDims[0]] = position;
  IterationStructure structure =
      cast<ComputeOpInterface>(step.op).getIterationStructure();
  Indices indices;
  for (const auto &factors : structure.operandMaps[operand])
    indices.push_back(iteration[factors.front()]);
  Value address = getElementPointer(buffer, indices);
  Type type = LLVM::LLVMStructType::getLiteral(b.getContext(),
                                               SmallVector<Type>(count, i32));
  Value loaded = NVVM::LdMatrixOp::create(
      b, type, address, static_cast<uint32_t>(count),
      transposed ? NVVM::MMALayout::col : NVVM::MMALayout::row,
      NVVM::LdStMatrixShapeAttr::get(b.getContext(), 8, 8),
      NVVM::LdStMatrixEltType::B16);
  Indices pairs;
  for (int64_t index = 0; index < count; ++index) {
    Value pair = LLVM::ExtractValueOp::create(b, loaded, index);
    if (buffer.elementType.isF16())
      pair = LLVM::BitcastOp::create(b, VectorType::get(2, buffer.elementType),
                                     pair);
    pairs.push_back(pair);
  }
  return pairs;
}

/// What each fragment of rows (columns) is loaded from: a single point, the
/// lane's address, for ldmatrix; else rows g and g + 8 (column g).
SmallVector<SmallVector<MatmulPoint>>
KernelEmitter::getFragmentPoints(const PlanStep &step, unsigned operand,
                                 bool isRows) {
  const MatmulPlan &matmul = step.matmul;
  ArrayRef<unsigned> dims = isRows ? matmul.rowDims : matmul.columnDims;
  int64_t size = isRows ? mmaRows : mmaColumns;
  int64_t count = isRows ? matmul.rowFragments : matmul.columnFragments;
  int64_t perPass =
      isRows ? matmul.getRowsPerPass() : matmul.getColumnsPerPass();
  int64_t bound = perPass * (isRows ? matmul.rowPasses : matmul.columnPasses);
  Value lane = b.createOrFold<arith::RemUIOp>(threadId, number(32));
  WarpPlace place = getWarpPlace(step);
  Value first = isRows ? place.row : place.column;
  SmallVector<int64_t> offsets = {0};
  if (std::optional<bool> transposed = getMatrixLoad(step, operand, dims)) {
    if (!*transposed)
      first = add(first, b.createOrFold<arith::RemUIOp>(lane, number(8)));
    if (isRows) {
      Value matrix = b.createOrFold<arith::DivUIOp>(lane, number(8));
      first =
          add(first, mul(b.createOrFold<arith::RemUIOp>(matrix, number(2)), 8));
    }
  } else {
    first = add(first, b.createOrFold<arith::DivUIOp>(lane, number(4)));
    if (isRows)
      offsets.push_back(8);
  }
  SmallVector<SmallVector<MatmulPoint>> fragments;
  for (int64_t batch = 0; batch < matmul.getBatchPerPass(); ++batch) {
    Indices inBatch = getBatchPoint(step, batch).iteration;
    for (int64_t index = 0; index < count; ++index) {
      auto &points = fragments.emplace_back();
      for (int64_t offset : offsets)
        points.push_back(getPoint(step, inBatch, dims,
                                  add(first, number(index * size + offset)),
                                  bound));
    }
  }
  return fragments;
}

SmallVector<KernelEmitter::Indices> KernelEmitter::loadFragments(
    const PlanStep &step, unsigned operand, bool isRows,
    ArrayRef<SmallVector<MatmulPoint>> points, Value depth) {
  std::optional<bool> transposed = getMatrixLoad(
      step, operand, isRows ? step.matmul.rowDims : step.matmul.columnDims);
  Value t = b.createOrFold<arith::RemUIOp>(threadId, number(4));
  SmallVector<Indices> fragments;
  for (const auto &fragment : points)
    fragments.push_back(
        transposed
            ? loadMatrices(step, operand, *transposed, fragment[0],
                           isRows ? 4 : 2, depth)
            : loadFragment(step, operand, fragment, add(depth, mul(t, 2))));
  return fragments;
}

/// The elements of `pairs`, rounded to TF32: all that lie first in their pairs,
/// then all others.
static SmallVector<Value> roundToTF32(ImplicitLocOpBuilder &b,
                                      ValueRange pairs) {
  SmallVector<Value> rounded;
  for (int64_t element = 0; element < 2; ++element)
    for (Value pair : pairs) {
      auto index = LLVM::ConstantOp::create(b, b.getI32Type(), element);
      Value value = LLVM::ExtractElementOp::create(b, pair, index);
      rounded.push_back(NVVM::ConvertFloatToTF32Op::create(
          b, b.getI32Type(), value, NVVM::FPRoundingMode::RNA));
    }
  return rounded;
}

/// The product of two fragments, added to the four elements of `sum`.
KernelEmitter::Indices KernelEmitter::emitFragmentProduct(const PlanStep &step,
                                                          ValueRange rows,
                                                          ValueRange columns,
                                                          ValueRange sum) {
  auto resultType = LLVM::LLVMStructType::getLiteral(
      b.getContext(), SmallVector<Type>(4, b.getF32Type()));
  auto multiply = [&](ValueRange rows, ValueRange columns, ValueRange sum,
                      int64_t depth, NVVM::MMATypes type) {
    Value product = NVVM::MmaOp::create(
        b, resultType, rows, columns, sum,
        ArrayRef<int64_t>{mmaRows, mmaColumns, depth}, std::nullopt,
        std::nullopt, std::array{type, type},
        std::array{NVVM::MMALayout::row, NVVM::MMALayout::col});
    Indices elements;
    for (int64_t element = 0; element < 4; ++element)
      elements.push_back(LLVM::ExtractValueOp::create(b, product, element));
    return elements;
  };
  if (!step.matmul.usesTF32) {
    bool isF16 =
        prism::getElementType(step.op->getOperand(0).getType()).isF16();
    return multiply(rows, columns, sum, mmaDepth,
                    isF16 ? NVVM::MMATypes::f16 : NVVM::MMATypes::bf16);
  }
  Indices first = multiply(roundToTF32(b, rows.take_front(2)),
                           roundToTF32(b, columns.take_front(1)), sum,
                           mmaDepth / 2, NVVM::MMATypes::tf32);
  return multiply(roundToTF32(b, rows.drop_front(2)),
                  roundToTF32(b, columns.drop_front(1)), first, mmaDepth / 2,
                  NVVM::MMATypes::tf32);
}

KernelEmitter::Indices KernelEmitter::emitMMA(const PlanStep &step,
                                              ValueRange accumulators) {
  const MatmulPlan &matmul = step.matmul;
  unsigned rowOperand = matmul.swapOperands ? 1 : 0;
  auto rows = getFragmentPoints(step, rowOperand, /*isRows=*/true);
  auto columns = getFragmentPoints(step, 1 - rowOperand, /*isRows=*/false);
  return sumOverDepth(
      step, mmaDepth, accumulators, [&](Value depth, ValueRange sums) {
        auto a = loadFragments(step, rowOperand, true, rows, depth);
        auto c = loadFragments(step, 1 - rowOperand, false, columns, depth);
        Indices results;
        for (int64_t batch = 0; batch < matmul.getBatchPerPass(); ++batch)
          for (int64_t row = 0; row < matmul.rowFragments; ++row)
            for (int64_t column = 0; column < matmul.columnFragments;
                 ++column) {
              ValueRange sum = sums.slice(results.size(), 4);
              llvm::append_range(results,
                                 emitFragmentProduct(
                                     step, a[batch * matmul.rowFragments + row],
                                     c[batch * matmul.columnFragments + column],
                                     sum));
            }
        return results;
      });
}
