//===- LinalgToPrism.cpp - linalg on tensors to prism ops -----------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass, and how the importer goes over a function: every live op is
// imported or left alone; then, backwards from what was left alone, imported
// values are handed over where they are read, and what nothing reads any more
// is erased.
//
//===----------------------------------------------------------------------===//

#include "LinalgToPrism.h"
#include "Prism/Conversion/Passes.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

namespace prism {
#define GEN_PASS_DEF_CONVERTLINALGTOPRISM
#include "Prism/Conversion/Passes.h.inc"
} // namespace prism

using namespace mlir;
using namespace prism;

LinalgImporter::LinalgImporter(FunctionOpInterface function)
    : function(function), builder(function->getContext(), &created),
      loc(function->getLoc()) {}

/// Whether `op` is needed even if nothing reads its results. Control flow is
/// not followed.
static bool isRoot(Operation *op) {
  return (op->getNumRegions() && !isa<linalg::LinalgOp>(op)) ||
         !wouldOpBeTriviallyDead(op);
}

void LinalgImporter::run() {
  collectOps();
  findLiveOps();
  importAll();
  isInOrder = false;
  for (Operation *op : ops)
    if (!imported.contains(op) && isRoot(op))
      keep(op);
  for (auto &[op, why] : reasons)
    if (kept.contains(op))
      emitRemark(op->getLoc()) << "left alone: " << why;
  if (!imported.empty())
    eraseReplacedOps();
}

SmallVector<Operation *> LinalgImporter::takeComputeOps() {
  SmallVector<Operation *> result;
  for (Operation *op : created.ops)
    if (isa<ComputeOpInterface>(op))
      result.push_back(op);
  return result;
}

/// Bodies of linalg ops are read with their op; prism ops are done.
void LinalgImporter::collectOps() {
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == function)
      return WalkResult::advance();
    if (isa<FunctionOpInterface>(op))
      return WalkResult::skip();
    ops.push_back(op);
    bool isDone = isa_and_nonnull<PrismDialect>(op->getDialect());
    return isa<linalg::LinalgOp>(op) || isDone ? WalkResult::skip()
                                               : WalkResult::advance();
  });
}

/// Users come after what they use, except across blocks, where everything is
/// taken as live.
void LinalgImporter::findLiveOps() {
  for (Operation *op : llvm::reverse(ops)) {
    bool isUsed = llvm::any_of(op->getUsers(), [&](Operation *user) {
      return user->getBlock() != op->getBlock() || live.contains(user);
    });
    if (isUsed || isRoot(op))
      live.insert(op);
  }
}

bool LinalgImporter::isLive(Value value) const {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    return user->getBlock() != value.getParentBlock() || live.contains(user);
  });
}

//===----------------------------------------------------------------------===//
// Importing
//===----------------------------------------------------------------------===//

static bool hasTensors(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TensorType>) ||
         llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>);
}

void LinalgImporter::importAll() {
  for (Operation *op : ops) {
    if (!live.contains(op) || !hasTensors(op) || isLeftAloneSilently(op))
      continue;
    builder.setInsertionPoint(op);
    loc = op->getLoc();
    reason.clear();
    if (succeeded(importOp(op)))
      imported.insert(op);
    else if (!isa<arith::ConstantOp>(op))
      reasons[op] = reason;
  }
}

/// What stands between computations, and computes nothing itself.
bool LinalgImporter::isLeftAloneSilently(Operation *op) const {
  return isa<tensor::EmptyOp, tensor::DimOp, tensor::CastOp, CallOpInterface,
             UnrealizedConversionCastOp>(op) ||
         op->hasTrait<OpTrait::IsTerminator>() ||
         isa_and_nonnull<PrismDialect>(op->getDialect());
}

static bool isElementwiseOnTensors(Operation *op) {
  return OpTrait::hasElementwiseMappableTraits(op) &&
         isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
             op->getDialect());
}

LogicalResult LinalgImporter::importOp(Operation *op) {
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](arith::ConstantOp) { return importConstant(op); })
      .Case([&](linalg::LinalgOp linalgOp) { return importLinalg(linalgOp); })
      .Case([&](linalg::SoftmaxOp softmax) { return importSoftmax(softmax); })
      .Case([&](tensor::ExpandShapeOp o) { return importExpandShape(o); })
      .Case([&](tensor::CollapseShapeOp o) { return importCollapseShape(o); })
      .Case([&](tensor::ExtractSliceOp o) { return importExtractSlice(o); })
      .Case([&](tensor::ConcatOp concat) { return importConcat(concat); })
      .Default([&](Operation *op) -> LogicalResult {
        if (isElementwiseOnTensors(op))
          return importElementwiseOnTensors(op);
        if (isa<RegionBranchOpInterface>(op))
          return fail("control flow has no prism form; each of its regions is "
                      "imported by itself");
        return fail("'" + op->getName().getStringRef() + "' has no prism form");
      });
}

//===----------------------------------------------------------------------===//
// Handing over
//===----------------------------------------------------------------------===//

void LinalgImporter::keep(Operation *op) {
  SmallVector<Operation *> worklist{op};
  while (!worklist.empty()) {
    Operation *next = worklist.pop_back_val();
    if (!kept.insert(next).second)
      continue;
    redirectOperands(next, worklist);
    // What the body of a linalg op captures.
    if (isa<linalg::LinalgOp>(next))
      for (Region &region : next->getRegions())
        region.walk(
            [&](Operation *inner) { redirectOperands(inner, worklist); });
  }
}

void LinalgImporter::redirectOperands(Operation *op,
                                      SmallVectorImpl<Operation *> &worklist) {
  auto dim = dyn_cast<tensor::DimOp>(op);
  if (dim && dim->use_empty()) { // replaced before
    kept.erase(dim);
    return;
  }
  if (Value extent = dim ? getDimOfImported(dim) : Value()) {
    dim.getResult().replaceAllUsesWith(extent);
    kept.erase(dim);
    worklist.push_back(extent.getDefiningOp());
    return;
  }
  for (OpOperand &operand : op->getOpOperands()) {
    Operation *definition = operand.get().getDefiningOp();
    if (!definition)
      continue;
    if (imported.contains(definition) && !kept.contains(definition)) {
      Value whole = getWhole(operand.get());
      if (whole)
        operand.set(whole);
      definition = operand.get().getDefiningOp();
    }
    if (definition)
      worklist.push_back(definition);
  }
}

/// `value`, computed by prism ops, with all of its dims; null if the op that
/// defines it has to stay.
Value LinalgImporter::getWhole(Value value) {
  if (Value whole = wholes.lookup(value))
    return whole;
  Operation *definition = value.getDefiningOp();
  const View &view = views.find(value)->second;
  auto type = cast<RankedTensorType>(value.getType());
  builder.setInsertionPointAfter(definition);
  loc = definition->getLoc();
  FailureOr<Value> whole = failure();
  if (view.constant)
    reason = "its result is a constant";
  else
    whole =
        spread(view, llvm::to_vector(llvm::seq<unsigned>(0, type.getRank())),
               type.getShape(), /*outside=*/true);
  if (failed(whole)) {
    if (!definition->hasTrait<OpTrait::ConstantLike>())
      reasons[definition] = reason;
    return {};
  }
  if (whole->getType() != type)
    whole = tensor::CastOp::create(builder, loc, type, *whole).getResult();
  return wholes[value] = *whole;
}

/// The extent of an imported value, read off a dim that its base has.
Value LinalgImporter::getDimOfImported(tensor::DimOp op) {
  Operation *definition = op.getSource().getDefiningOp();
  std::optional<int64_t> index = op.getConstantIndex();
  if (!definition || !imported.contains(definition) || !index)
    return {};
  const View &view = views.find(op.getSource())->second;
  for (auto [baseDim, dim] : llvm::enumerate(view.dims)) {
    if (dim != *index)
      continue;
    builder.setInsertionPoint(op);
    return tensor::DimOp::create(builder, op.getLoc(), view.base, baseDim);
  }
  return {};
}

/// What was imported, and what only that read: buffers, fills, extents.
void LinalgImporter::eraseReplacedOps() {
  SmallVector<Operation *> dead;
  for (Operation *op : ops)
    if (!kept.contains(op) &&
        (imported.contains(op) || wouldOpBeTriviallyDead(op)))
      dead.push_back(op);
  for (Operation *op : created.ops)
    if (!kept.contains(op))
      dead.push_back(op);
  for (Operation *op : dead)
    op->dropAllReferences();
  for (Operation *op : dead) {
    created.ops.remove(op);
    op->erase();
  }
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct ConvertLinalgToPrismPass
    : prism::impl::ConvertLinalgToPrismBase<ConvertLinalgToPrismPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<Operation *> computeOps;
    getOperation()->walk([&](FunctionOpInterface function) {
      if (function.isExternal())
        return;
      LinalgImporter importer(function);
      importer.run();
      llvm::append_range(computeOps, importer.takeComputeOps());
    });
    recogniseIdioms(computeOps, &getContext());
  }
};
} // namespace
