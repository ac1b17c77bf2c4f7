//===- WholeTensorOps.cpp - Predefined kernels as block graphs ------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Plan/KernelPlan.h"

using namespace mlir;
using namespace prism;

/// The constant, as a tile of the block graph at `builder`.
static Value cloneAsTile(OpBuilder &builder, ConstantOp constant) {
  Value copy = builder.clone(*constant)->getResult(0);
  copy.setType(TileType::get(constant.getContext(),
                             prism::getExtents(copy.getType()),
                             prism::getElementType(copy.getType())));
  return copy;
}

namespace {

/// Builds the kernel of one op on whole tensors: every parallel dim is split by
/// a grid dim of its own (S1), the first reduced one by the loop (S2).
class Wrapper {
public:
  Wrapper(ComputeOpInterface op, StringRef name)
      : op(op), name(name), structure(op.getIterationStructure()), builder(op),
        loc(op.getLoc()) {}

  KernelOp run();

private:
  void chooseDims();
  MapAttr getMap(const IndexMap &indexMap);
  Value createLoad(Value source, unsigned operand);
  Value buildBody(ArrayRef<Value> sources);

  ComputeOpInterface op;
  StringRef name;
  IterationStructure structure;
  OpBuilder builder;
  Location loc;
  SmallVector<std::string> dimNames; ///< by iteration dim; empty: not split
  SmallVector<Attribute> parallel;
  std::optional<unsigned> loopDim;
};

} // namespace

void Wrapper::chooseDims() {
  MLIRContext *context = op.getContext();
  dimNames.resize(structure.dims.size());
  SmallVector<DimExpr> extents = getIterationExtents(
      structure, op->getOperandTypes(), op->getResult(0).getType());
  // A merged dim of a reshape has no tile of its own.
  llvm::SmallDenseSet<unsigned> merged;
  SmallVector<IndexMap> maps(structure.operandMaps);
  maps.push_back(structure.resultMap);
  for (const IndexMap &map : maps)
    for (const auto &factors : map)
      if (factors.size() > 1)
        merged.insert(factors.begin(), factors.end());
  for (auto [dim, kind] : llvm::enumerate(structure.dims)) {
    bool isParallel = kind == IterationKind::Parallel;
    if (kind == IterationKind::Whole || (!isParallel && loopDim) ||
        extents[dim].isOne() || merged.contains(dim))
      continue;
    if (!isParallel)
      loopDim = dim;
    dimNames[dim] = (isParallel ? "x" : "i") + std::to_string(dim);
    parallel.push_back(ParallelDimAttr::get(
        context, dimNames[dim],
        isParallel ? ParallelKind::Grid : ParallelKind::Loop, std::nullopt));
  }
}

MapAttr Wrapper::getMap(const IndexMap &indexMap) {
  Mapping mapping(indexMap.size());
  for (auto [splits, factors] : llvm::zip(mapping, indexMap))
    if (factors.size() == 1 && !dimNames[factors.front()].empty())
      splits.push_back({dimNames[factors.front()], std::nullopt});
  return MapAttr::get(op.getContext(), mapping);
}

Value Wrapper::createLoad(Value source, unsigned operand) {
  MapAttr map = getMap(structure.operandMaps[operand]);
  Type type = op->getOperand(operand).getType();
  auto tile = TileType::get(
      op.getContext(), getTileExtents(prism::getExtents(type), map.getValue()),
      prism::getElementType(type));
  return LoadOp::create(builder, loc, tile, source, map);
}

/// Sums over the loop are kept in f32 at least, and rounded at the end.
Value Wrapper::buildBody(ArrayRef<Value> sources) {
  SmallVector<Value> operands;
  unsigned next = 0;
  for (auto [index, operand] : llvm::enumerate(op->getOperands())) {
    if (auto constant = operand.getDefiningOp<ConstantOp>()) {
      operands.push_back(cloneAsTile(builder, constant));
      continue;
    }
    operands.push_back(createLoad(sources[next++], index));
  }
  Type stored = prism::getElementType(op->getResult(0).getType());
  bool isSum = loopDim && structure.dims[*loopDim] == IterationKind::Sum;
  bool widens = isSum && stored.getIntOrFloatBitWidth() < 32;
  Type kept = widens ? builder.getF32Type() : stored;
  Value value = rebuildComputeOp(builder, op, operands, kept)->getResult(0);
  if (!loopDim)
    return value;
  auto kind = AccumulatorKindAttr::get(
      op.getContext(), isSum ? AccumulatorKind::Sum : AccumulatorKind::Max);
  value = AccumulateOp::create(
      builder, loc, value.getType(), kind, value, Value(),
      builder.getStringAttr(dimNames[*loopDim]), ArrayAttr());
  if (!widens)
    return value;
  auto tile = cast<TileType>(value.getType());
  return CastOp::create(
      builder, loc, TileType::get(op.getContext(), tile.getExtents(), stored),
      value);
}

KernelOp Wrapper::run() {
  chooseDims();
  SmallVector<Value> inputs;
  for (Value operand : op->getOperands())
    if (!operand.getDefiningOp<ConstantOp>())
      inputs.push_back(operand);
  Type result = op->getResult(0).getType();
  auto kernel = KernelOp::create(
      builder, loc, TypeRange(result), builder.getStringAttr(name),
      builder.getArrayAttr(parallel), builder.getArrayAttr({}), inputs,
      /*threads=*/IntegerAttr(), /*stages=*/IntegerAttr());
  Block &body = kernel.getBody().emplaceBlock();
  for (Value input : inputs)
    body.addArgument(input.getType(), loc);
  builder.setInsertionPointToEnd(&body);
  SmallVector<Value> sources(body.args_begin(), body.args_end());
  Value tile = buildBody(sources);
  Value saved =
      SaveOp::create(builder, loc, result, tile, getMap(structure.resultMap),
                     builder.getStrArrayAttr({}));
  YieldOp::create(builder, loc, saved);
  return kernel;
}

KernelOp prism::wrapInKernel(ComputeOpInterface op, StringRef name) {
  return Wrapper(op, name).run();
}

void prism::sinkConstants(KernelOp kernel) {
  for (unsigned index = kernel->getNumOperands(); index-- > 0;) {
    auto constant = kernel->getOperand(index).getDefiningOp<ConstantOp>();
    if (!constant)
      continue;
    BlockArgument argument = kernel.getBodyBlock().getArgument(index);
    for (Operation *load : llvm::make_early_inc_range(argument.getUsers())) {
      OpBuilder builder(load);
      load->getResult(0).replaceAllUsesWith(cloneAsTile(builder, constant));
      load->erase();
    }
    kernel.getBodyBlock().eraseArgument(index);
    kernel->eraseOperand(index);
  }
}
