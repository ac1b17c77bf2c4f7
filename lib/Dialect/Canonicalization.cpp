//===- Canonicalization.cpp - Simpler forms of compute ops ----------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Dialect/Canonicalization.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace prism;

/// Whether the scalar form of `op`, on one operand, hands that operand on.
static bool hasIdentityScalarForm(ComputeOpInterface op) {
  if (!op.hasScalarForm() || op->getNumOperands() != 1)
    return false;
  Block scratch;
  Value operand = scratch.addArgument(
      prism::getElementType(op->getOperand(0).getType()), op->getLoc());
  OpBuilder builder(op->getContext());
  builder.setInsertionPointToEnd(&scratch);
  Type elementType = prism::getElementType(op->getResult(0).getType());
  return op.buildScalar(builder, op->getLoc(), operand, elementType) == operand;
}

static bool isAllParallel(const IterationStructure &structure) {
  return llvm::all_of(structure.dims, [](IterationKind kind) {
    return kind == IterationKind::Parallel;
  });
}

bool prism::isDataMovement(ComputeOpInterface op) {
  if (!op.hasScalarForm())
    return !isa<DecomposableOpInterface>(*op);
  return hasIdentityScalarForm(op) && isAllParallel(op.getIterationStructure());
}

/// The producer of `value`, if it only permutes or broadcasts.
static ComputeOpInterface getPermutingProducer(Value value) {
  auto producer = value.getDefiningOp<ComputeOpInterface>();
  if (producer && hasIdentityScalarForm(producer) &&
      isAllParallel(producer.getIterationStructure()))
    return producer;
  return {};
}

namespace {

/// f(transpose(x)) and f(broadcast(x)) read x through another indexing map.
struct ReadThroughMovement
    : OpInterfaceRewritePattern<IndexingMapsOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(IndexingMapsOpInterface op,
                                PatternRewriter &rewriter) const override {
    for (OpOperand &operand : op->getOpOperands())
      if (ComputeOpInterface producer = getPermutingProducer(operand.get()))
        if (succeeded(readThrough(op, operand, producer, rewriter)))
          return success();
    return rewriter.notifyMatchFailure(
        op, "no operand is permuted or broadcast by its producer");
  }

private:
  static LogicalResult readThrough(IndexingMapsOpInterface op,
                                   OpOperand &operand,
                                   ComputeOpInterface producer,
                                   PatternRewriter &rewriter) {
    SmallVector<AffineMap> maps = op.getMapsOrDefault();
    AffineMap &map = maps[operand.getOperandNumber()];
    map = compose(map, producer.getIterationStructure());
    if (!operandsNameEachDim(maps))
      return rewriter.notifyMatchFailure(
          op, "a dim would be known from the result alone");
    rewriter.modifyOpInPlace(op, [&] {
      operand.set(producer->getOperand(0));
      op.setMaps(maps);
    });
    return success();
  }

  /// The user's map of the producer's operand, given that of its result.
  static AffineMap compose(AffineMap map, const IterationStructure &producer) {
    SmallVector<AffineExpr> results;
    for (const auto &factors : producer.operandMaps.front()) {
      const auto *position = llvm::find(producer.resultMap, factors);
      results.push_back(map.getResult(position - producer.resultMap.begin()));
    }
    return AffineMap::get(map.getNumDims(), 0, results, map.getContext());
  }

  /// Whether extents can still be read from the operands.
  static bool operandsNameEachDim(ArrayRef<AffineMap> maps) {
    llvm::SmallBitVector named(maps.back().getNumDims());
    for (AffineMap map : maps.drop_back())
      for (AffineExpr expr : map.getResults())
        named.set(cast<AffineDimExpr>(expr).getPosition());
    return named.all();
  }
};

/// exp(transpose(x)) becomes transpose(exp(x)): the movement comes nearer to
/// a user that can read through it, and no element is computed twice.
struct MoveElementwiseUp : OpInterfaceRewritePattern<ComputeOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(ComputeOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (!isElementwiseOnOne(op) || hasIdentityScalarForm(op))
      return rewriter.notifyMatchFailure(op, "not elementwise on one operand");
    ComputeOpInterface producer = getPermutingProducer(op->getOperand(0));
    if (!producer || !producer->hasOneUse())
      return rewriter.notifyMatchFailure(
          op, "its operand is not permuted or broadcast for it alone");
    Value input = producer->getOperand(0);
    Type inputType = input.getType();
    OperationState state(op->getLoc(), op->getName());
    state.addOperands(input);
    state.addTypes(
        cloneWith(inputType, getExtents(inputType),
                  prism::getElementType(op->getResult(0).getType())));
    state.addAttributes(op->getAttrs());
    Operation *computed = rewriter.create(state);
    Operation *moved = rewriter.clone(*producer);
    moved->setOperand(0, computed->getResult(0));
    moved->getResult(0).setType(op->getResult(0).getType());
    rewriter.replaceOp(op, moved);
    return success();
  }

private:
  static bool isElementwiseOnOne(ComputeOpInterface op) {
    if (!op.hasScalarForm() || op->getNumOperands() != 1)
      return false;
    IterationStructure structure = op.getIterationStructure();
    return isAllParallel(structure) &&
           structure.operandMaps.front() == structure.resultMap;
  }
};

/// matmul(cast(a), cast(b)) is matmul(a, b), for casts that lose nothing:
/// products and sums are formed in the result's element type.
struct ReadMatmulOperandsAsStored : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MatmulOp op,
                                PatternRewriter &rewriter) const override {
    auto lhs = op.getLhs().getDefiningOp<CastOp>();
    auto rhs = op.getRhs().getDefiningOp<CastOp>();
    if (!lhs || !rhs || lhs.isNarrowing() || rhs.isNarrowing())
      return rewriter.notifyMatchFailure(op, "operands are not widened");
    Type stored = prism::getElementType(lhs.getInput().getType());
    if (stored != prism::getElementType(rhs.getInput().getType()) ||
        !isa<FloatType>(stored))
      return rewriter.notifyMatchFailure(
          op, "operands are widened from different element types");
    rewriter.modifyOpInPlace(op, [&] {
      op.getLhsMutable().set(lhs.getInput());
      op.getRhsMutable().set(rhs.getInput());
    });
    return success();
  }
};

} // namespace

void prism::populatePrismCanonicalizationPatterns(RewritePatternSet &patterns) {
  patterns
      .add<ReadThroughMovement, MoveElementwiseUp, ReadMatmulOperandsAsStored>(
          patterns.getContext());
}
