//===- CostModel.cpp - Modelled microseconds of kernels --------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Tuning/CostModel.h"
#include "Prism/Plan/WarpgroupPlan.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace prism;

static constexpr double launchUs = CostAssumptions::launchUs;
static constexpr double bandwidthShare = CostAssumptions::bandwidthShare;
static constexpr double stepLatencyUs = CostAssumptions::stepLatencyUs;

/// Cycles from one mma.sync to the next that adds to the same sums, with the
/// loads of its operands from shared memory; and those that one keeps the
/// tensor core of its quarter of the SM busy.
static constexpr double chainCycles = 40, issueCycles = 8;
static constexpr double warpsAtOnce = 4;
/// Of one mma.sync.
static constexpr double instructionFlops = 2.0 * 16 * 8 * 16;
/// Of what a kernel does beside what it does most, this much does not overlap.
static constexpr double exposedShare = 0.1;

static constexpr double microseconds = 1e6;

static std::optional<double> countElements(Type type,
                                           SymbolValueFn symbolValue) {
  double elements = 1;
  for (const DimExpr &extent : getExtents(type)) {
    std::optional<int64_t> value = extent.evaluate(
        symbolValue, [](StringRef) { return std::optional<int64_t>(); });
    if (!value)
      return std::nullopt;
    elements *= *value;
  }
  return elements;
}

static std::optional<double> countBytes(TypeRange types,
                                        SymbolValueFn symbolValue) {
  double bytes = 0;
  for (Type type : types) {
    std::optional<double> elements = countElements(type, symbolValue);
    if (!elements)
      return std::nullopt;
    bytes += *elements * getElementBytes(getElementType(type));
  }
  return bytes;
}

/// One operation per point of the iteration space, two where products are
/// summed.
static std::optional<double> countFlops(ComputeOpInterface op,
                                        SymbolValueFn symbolValue) {
  IterationStructure structure = op.getIterationStructure();
  SmallVector<DimExpr> extents = getIterationExtents(
      structure, op->getOperandTypes(), op->getResult(0).getType());
  double points = 1;
  for (const DimExpr &extent : extents) {
    std::optional<int64_t> value = extent.evaluate(
        symbolValue, [](StringRef) { return std::optional<int64_t>(); });
    if (!value)
      return std::nullopt;
    points *= *value;
  }
  return isa<MatmulOp>(op) ? 2 * points : points;
}

/// What `op` does on the tensor cores, which take f16 and bf16, and TF32 at
/// half the rate, or elsewhere.
static void addFlops(Work &work, Operation *op, double flops) {
  Type type = getElementType(op->getResult(0).getType());
  if (isa<MatmulOp>(op))
    type = getElementType(op->getOperand(0).getType());
  bool isTF32 = type.isF32() && ProgramOp::allowsTF32(op);
  if (isa<MatmulOp>(op) && (type.isF16() || type.isBF16() || isTF32))
    work.tensorFlops += isTF32 ? 2 * flops : flops;
  else
    work.otherFlops += flops;
}

static double getArithmeticSeconds(const Work &work, const Target &target) {
  return work.tensorFlops / target.tensorFlopsPerSecond +
         work.otherFlops / target.f32FlopsPerSecond;
}

/// What one block computes in all steps of the loop.
static Work getWorkPerBlock(const KernelPlan &plan) {
  Work work;
  const ParallelDimPlan *loop = plan.getLoop();
  for (const PlanStep &step : plan.steps) {
    double times =
        loop && step.phase == StepPhase::InLoop ? double(loop->count) : 1.0;
    if (step.kind == StepKind::Matmul) {
      const MatmulPlan &matmul = step.matmul;
      // What a fragment has beyond the product is computed, too.
      if (matmul.useTensorCores)
        work.tensorFlops += times * instructionFlops *
                            static_cast<double>(matmul.countInstructions());
      else
        work.otherFlops += 2.0 * matmul.batch * matmul.rows * matmul.columns *
                           matmul.depth * times;
    } else if (step.kind == StepKind::Reduce) {
      work.otherFlops +=
          double(step.reduce.outputs) * step.reduce.reduced * times;
    }
  }
  return work;
}

/// Seconds that the matrix products of one block take by themselves: a warp's
/// sums are added to one after the other along the depth, and warps that have
/// no rows or columns of their own do not make that shorter.
static double getChainSeconds(const KernelPlan &plan) {
  double cycles = 0;
  for (const PlanStep &step : plan.steps) {
    const MatmulPlan &matmul = step.matmul;
    if (step.kind != StepKind::Matmul || !matmul.useTensorCores)
      continue;
    double fragments = double(matmul.getBatchPerPass()) * matmul.rowFragments *
                       matmul.columnFragments;
    double warps = double(matmul.warpsOverRows) * matmul.warpsOverColumns *
                   matmul.warpsOverDepth;
    double perStep =
        std::max(chainCycles,
                 issueCycles * fragments * std::max(1.0, warps / warpsAtOnce));
    double passes =
        double(matmul.batchPasses) * matmul.rowPasses * matmul.columnPasses;
    const ParallelDimPlan *loop = plan.getLoop();
    double times =
        loop && step.phase == StepPhase::InLoop ? double(loop->count) : 1.0;
    cycles += times * passes *
              std::ceil(matmul.depth / 16.0 / matmul.warpsOverDepth) * perStep;
  }
  return cycles / Target::clockHz;
}

/// Bytes that the loads of one block draw from L2: whole sectors of each run
/// of elements that lie together.
static double getLoadedBytes(KernelOp kernel, const KernelPlan &plan,
                             SymbolValueFn valueOf) {
  auto tileExtent = [&](StringRef name) -> std::optional<int64_t> {
    const ParallelDimPlan *dim = plan.lookupDim(name);
    return dim ? std::optional<int64_t>(dim->tile) : std::nullopt;
  };
  double bytes = 0;
  for (auto load : kernel.getBodyBlock().getOps<LoadOp>()) {
    int64_t run = getElementBytes(load.getType().getElementType());
    double runs = 1, times = 1;
    bool isTogether = true;
    SmallVector<DimExpr> tiles = getExtents(load.getType());
    SmallVector<DimExpr> wholes = getExtents(load.getSource().getType());
    for (size_t dim = tiles.size(); dim-- > 0;) {
      int64_t extent = tiles[dim].evaluate(valueOf, tileExtent).value_or(1);
      if (isTogether)
        run *= extent;
      else
        runs *= extent;
      isTogether &= tiles[dim] == wholes[dim];
    }
    for (const auto &splits : load.getMap().getValue())
      for (const Split &split : splits)
        if (const ParallelDimPlan *dim = plan.lookupDim(split.dim))
          times = dim->kind == ParallelKind::Loop ? dim->count : times;
    bytes += times * runs * llvm::alignTo(run, Target::sectorBytes);
  }
  return bytes;
}

/// Partials that leave half of L2 to everything else are still there when the
/// combining kernel, launched at once, reads them.
static bool staysInL2(Type type, double bytes, const Target &target) {
  bool isPartial = false;
  for (const DimExpr &extent : getExtents(type))
    extent.walkSymbols(
        [&](StringRef name) { isPartial |= name.contains('.'); });
  return isPartial && bytes <= target.l2Bytes / 2.0;
}

std::optional<double> prism::estimateKernelUs(KernelOp kernel,
                                              const KernelPlan &plan,
                                              const Target &target,
                                              SymbolValueFn symbolValue) {
  // Partials: an extent is the number of this kernel's own blocks.
  auto valueOf = [&](StringRef name) -> std::optional<int64_t> {
    StringRef dim = name;
    if (dim.consume_front(kernel.getGraphName()) && dim.consume_front("."))
      if (const ParallelDimPlan *own = plan.lookupDim(dim))
        return own->count;
    return symbolValue(name);
  };
  double dramBytes = 0;
  for (TypeRange types : {TypeRange(kernel->getOperandTypes()),
                          TypeRange(kernel->getResultTypes())})
    for (Type type : types) {
      std::optional<double> bytes = countBytes(type, valueOf);
      if (!bytes)
        return std::nullopt;
      if (!staysInL2(type, *bytes, target))
        dramBytes += *bytes;
    }
  int64_t blocksPerSM = plan.getBlocksPerSM(target);
  if (blocksPerSM < 1)
    return std::nullopt;

  double blocks = plan.blocks;
  double slots = double(target.numSMs) * blocksPerSM;
  double waves = std::ceil(blocks / slots);
  double busySMs = std::min<double>(blocks, target.numSMs);
  // Bandwidth is shared by the SMs that are busy, arithmetic belongs to them;
  // the last wave leaves some idle.
  double bandwidth =
      std::min(1.0, bandwidthShare * busySMs / double(target.numSMs));
  double utilization = blocks >= slots ? blocks / (waves * slots)
                                       : busySMs / double(target.numSMs);

  double dramSeconds = dramBytes / (target.dramBytesPerSecond * bandwidth);
  double l2Seconds =
      blocks *
      (getLoadedBytes(kernel, plan, valueOf) + plan.bytesStoredPerBlock) /
      (target.l2BytesPerSecond * bandwidth);
  Work work = getWorkPerBlock(plan);
  work.tensorFlops *= blocks;
  work.otherFlops *= blocks;
  double arithmeticSeconds = getArithmeticSeconds(work, target) / utilization;

  const ParallelDimPlan *loop = plan.getLoop();
  double steps = loop ? loop->count : 1;
  double resident =
      std::max(1.0, std::min<double>(blocksPerSM, blocks / target.numSMs));
  double chainSeconds = waves * getChainSeconds(plan);
  double sum = dramSeconds + l2Seconds + arithmeticSeconds + chainSeconds;
  double most =
      std::max({dramSeconds, l2Seconds, arithmeticSeconds, chainSeconds});
  double busyUs = microseconds * (most + exposedShare * (sum - most));
  // With a pipeline, steps wait for memory together, and only the first wait is
  // all a block's own. Without, nothing is loaded while a block computes.
  if (plan.stages > 1) {
    double waitUs = waves * steps * stepLatencyUs / double(getStepsAhead(plan));
    return launchUs + std::max(busyUs, waitUs) +
           waves * stepLatencyUs / resident;
  }
  double ownUs = waves * steps * stepLatencyUs / resident;
  return launchUs + busyUs + ownUs + microseconds * chainSeconds;
}

std::optional<double> prism::estimateOpUs(ComputeOpInterface op,
                                          const Target &target,
                                          SymbolValueFn symbolValue) {
  std::optional<double> read = countBytes(op->getOperandTypes(), symbolValue);
  std::optional<double> written = countBytes(op->getResultTypes(), symbolValue);
  std::optional<double> flops = countFlops(op, symbolValue);
  if (!read || !written || !flops)
    return std::nullopt;
  Work work;
  addFlops(work, op, *flops);
  return launchUs +
         microseconds * std::max((*read + *written) / target.dramBytesPerSecond,
                                 getArithmeticSeconds(work, target));
}

std::optional<double> prism::estimateUnfusedUs(ProgramOp program,
                                               const Target &target,
                                               SymbolValueFn symbolValue) {
  double sum = 0;
  for (auto op : program.getBodyBlock().getOps<ComputeOpInterface>()) {
    if (isa<ConstantOp>(op))
      continue; // an immediate of its users
    std::optional<double> us = estimateOpUs(op, target, symbolValue);
    if (!us)
      return std::nullopt;
    sum += *us;
  }
  return sum;
}

std::optional<double> prism::estimateRooflineUs(ProgramOp program,
                                                const Target &target,
                                                SymbolValueFn symbolValue) {
  std::optional<double> read =
      countBytes(program.getFunctionType().getInputs(), symbolValue);
  std::optional<double> written =
      countBytes(program.getFunctionType().getResults(), symbolValue);
  if (!read || !written)
    return std::nullopt;
  Work work;
  for (auto op : program.getBodyBlock().getOps<ComputeOpInterface>()) {
    std::optional<double> flops = countFlops(op, symbolValue);
    if (!flops)
      return std::nullopt;
    addFlops(work, op, *flops);
  }
  return microseconds * std::max((*read + *written) / target.dramBytesPerSecond,
                                 getArithmeticSeconds(work, target));
}
