//===- RunPlan.cpp - Elements that a thread takes at once -----------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Plan/RunPlan.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace prism;

OperandRun
prism::getOperandRun(ComputeOpInterface op, unsigned operand, int64_t length,
                     function_ref<int64_t(const DimExpr &)> evaluate) {
  auto along = [](bool isRun) {
    return isRun ? OperandRun::Along : OperandRun::Scattered;
  };
  unsigned rank = prism::getRank(op->getResult(0).getType());
  if (rank == 0)
    return OperandRun::Same;
  if (auto slice = dyn_cast<SliceOp>(op.getOperation()))
    return along(slice.getDim() + 1 != rank || slice.getOffset() % length == 0);
  if (auto concat = dyn_cast<ConcatOp>(op.getOperation()))
    return along(concat.getDim() + 1 != rank ||
                 llvm::all_of(concat.getInputs(), [&](Value input) {
                   DimExpr last = prism::getExtents(input.getType()).back();
                   return evaluate(last) % length == 0;
                 }));
  IterationStructure structure = op.getIterationStructure();
  const auto &last = structure.resultMap.back();
  if (last.empty())
    return OperandRun::Scattered;
  // Several factors are those of a reshape: a run stays in the innermost.
  unsigned dim = last.back();
  const IndexMap &map = structure.operandMaps[operand];
  bool isWhole = last.size() == 1;
  if (isa<ReshapeOp>(op.getOperation())) {
    SmallVector<DimExpr> extents = getIterationExtents(
        structure, op->getOperandTypes(), op->getResult(0).getType());
    isWhole = evaluate(extents[dim]) % length == 0;
  }
  if (!isWhole)
    return OperandRun::Scattered;
  if (!structure.carries(map, dim))
    return OperandRun::Same;
  unsigned carriers = llvm::count_if(map, [&](const auto &factors) {
    return llvm::is_contained(factors, dim);
  });
  return along(carriers == 1 && !map.back().empty() &&
               map.back().back() == dim);
}

bool prism::isMultiple(KernelOp kernel, const KernelPlan &plan,
                       const KernelSizes &sizes, const DimExpr &extent,
                       int64_t length) {
  if (length == 1)
    return true;
  if (plan.isDynamic(extent))
    return false;
  if (extent.isQuotient()) {
    const ParallelDimPlan *dim = plan.lookupDim(extent.quotientSplit().dim);
    return dim && dim->tile % length == 0 &&
           isMultiple(kernel, plan, sizes, extent.quotientBase(), length);
  }
  bool isRagged = false;
  extent.walkSplits([&](const Split &split) {
    const ParallelDimPlan *dim = plan.lookupDim(split.dim);
    isRagged |= !dim || dim->isRagged;
  });
  std::optional<int64_t> value = evaluateExtent(kernel, plan, sizes, extent);
  return !isRagged && value && *value % length == 0;
}

int64_t prism::getAccessLength(KernelOp kernel, const KernelPlan &plan,
                               const KernelSizes &sizes, Operation *op,
                               int64_t length) {
  bool isLoad = isa<LoadOp>(op);
  Type tensor =
      isLoad ? op->getOperand(0).getType() : op->getResult(0).getType();
  SmallVector<DimExpr> extents = prism::getExtents(tensor);
  Mapping mapping = op->getAttrOfType<MapAttr>("map").getValue();
  if (extents.empty() || mapping.empty())
    return 1;
  length = std::min(length, accessBytes /
                                getElementBytes(prism::getElementType(tensor)));
  // Rows and what starts within them lie on multiples of an access.
  auto fits = [&] {
    return isMultiple(kernel, plan, sizes, extents.back(), length) &&
           llvm::all_of(mapping.back(), [&](const Split &split) {
             return plan.lookupDim(split.dim)->tile % length == 0;
           });
  };
  while (length > 1 && !fits())
    length /= 2;
  return length;
}

int64_t prism::getAccessLength(const TileBuffer &buffer, int64_t length) {
  if (buffer.layout.empty())
    return 1;
  length = std::min(length, accessBytes / getElementBytes(buffer.elementType));
  while (length > 1 && buffer.layout.back() % length != 0)
    length /= 2;
  return length;
}

namespace {

/// What a step's runs are made of.
struct RunSources {
  int64_t leastBytes = accessBytes; ///< of an element that lies in a run
  bool readsGlobal = false;         ///< whether some are in a tensor
};

class RunPlanner {
public:
  RunPlanner(KernelOp kernel, const KernelPlan &plan, const KernelSizes &sizes)
      : kernel(kernel), plan(plan), sizes(sizes) {}

  int64_t run(const PlanStep &step) {
    planned = &step;
    switch (step.kind) {
    case StepKind::Load:
    case StepKind::Matmul:
      return 1;
    case StepKind::Reduce:
      return planReduction(step);
    case StepKind::Save:
      return planSave(cast<SaveOp>(step.op));
    case StepKind::Elementwise:
    case StepKind::Accumulate:
      return planElements(step);
    }
    return 1;
  }

private:
  int64_t evaluate(const DimExpr &extent) {
    return *evaluateExtent(kernel, plan, sizes, extent);
  }

  /// Bytes of an element, as far as they decide about runs: those of i1 would
  /// be too long.
  int64_t getBytes(Value tile) {
    return std::max<int64_t>(
        2, getElementBytes(prism::getElementType(tile.getType())));
  }

  /// The longest run, of at most `length`, that divides the last extent of
  /// `tile`.
  int64_t shorten(Value tile, int64_t length) {
    SmallVector<DimExpr> extents = prism::getExtents(tile.getType());
    if (extents.empty())
      return 1;
    while (length > 1 &&
           !isMultiple(kernel, plan, sizes, extents.back(), length))
      length /= 2;
    return length;
  }

  void collect(Value tile, int64_t length, RunSources &sources) {
    if (planned->keeps(tile))
      return;
    int64_t bytes = getBytes(tile);
    Operation *definition = tile.getDefiningOp();
    if (plan.lookupBuffer(tile) || isa<LoadOp>(definition)) {
      sources.leastBytes = std::min(sources.leastBytes, bytes);
      sources.readsGlobal |= !plan.lookupBuffer(tile);
      return;
    }
    collectOperands(cast<ComputeOpInterface>(definition), length, sources);
  }

  void collectOperands(ComputeOpInterface op, int64_t length,
                       RunSources &sources) {
    for (unsigned operand = 0; operand < op->getNumOperands(); ++operand)
      if (getOperandRun(op, operand, length, [&](const DimExpr &extent) {
            return evaluate(extent);
          }) == OperandRun::Along)
        collect(op->getOperand(operand), length, sources);
  }

  void addStored(Value tile, RunSources &sources) {
    if (plan.lookupBuffer(tile))
      sources.leastBytes = std::min(sources.leastBytes, getBytes(tile));
  }

  int64_t planSave(SaveOp save) {
    int64_t length = accessBytes / getBytes(save.getTile());
    return shorten(save.getTile(),
                   getAccessLength(kernel, plan, sizes, save, length));
  }

  /// Whole accesses; but no thread stands idle for them, unless it is memory
  /// outside that is read.
  int64_t planElements(const PlanStep &step) {
    Value stored = step.getStoredTile();
    RunSources sources;
    addStored(stored, sources);
    for (Operation *follower : step.followers) {
      addStored(follower->getResult(0), sources);
      collectOperands(cast<ComputeOpInterface>(follower), 2, sources);
    }
    if (auto accumulate = dyn_cast<AccumulateOp>(step.op))
      collect(accumulate.getTile(), 2, sources);
    else
      collectOperands(cast<ComputeOpInterface>(step.op), 2, sources);
    int64_t length = shorten(stored, accessBytes / sources.leastBytes);
    int64_t elements = 1;
    for (const DimExpr &extent : prism::getExtents(stored.getType()))
      elements *= evaluate(extent);
    while (!sources.readsGlobal && length > 1 &&
           elements < length * plan.threads)
      length /= 2;
    return length;
  }

  /// Runs of what is reduced, whole accesses: no more lanes share a result
  /// than have one each.
  int64_t planReduction(const PlanStep &step) {
    Value input = step.op->getOperand(0);
    auto op = cast<ComputeOpInterface>(step.op);
    IterationStructure structure = op.getIterationStructure();
    if (structure.dims.back() == IterationKind::Parallel)
      return 1;
    RunSources sources;
    collect(input, 2, sources);
    return shorten(input, accessBytes / sources.leastBytes);
  }

  KernelOp kernel;
  const KernelPlan &plan;
  const KernelSizes &sizes;
  const PlanStep *planned = nullptr;
};

} // namespace

int64_t prism::planRun(KernelOp kernel, const KernelPlan &plan,
                       const KernelSizes &sizes, const PlanStep &step) {
  return RunPlanner(kernel, plan, sizes).run(step);
}

int64_t prism::countCarried(const KernelPlan &plan, const PlanStep &step) {
  if (step.kind == StepKind::Reduce)
    return llvm::divideCeil(step.reduce.outputs,
                            plan.threads / step.reduce.lanes);
  return step.matmul.accumulators;
}
