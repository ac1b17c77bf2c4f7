//===- CostModel.cpp - Modelled microseconds of kernels --------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Tuning/CostModel.h"

using namespace mlir;
using namespace prism;

static constexpr double launchUs = CostAssumptions::launchUs;
static constexpr double bandwidthShare = CostAssumptions::bandwidthShare;
static constexpr double stepLatencyUs = CostAssumptions::stepLatencyUs;
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

/// Tensor cores take f16 and bf16.
static bool isTensorCoreType(Type type) {
  Type elementType = getElementType(type);
  return elementType.isF16() || elementType.isBF16();
}

static bool usesTensorCores(Operation *op) {
  return isa<MatmulOp>(op) && isTensorCoreType(op->getOperand(0).getType());
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
      double flops = 2.0 * matmul.batch * matmul.rows * matmul.columns *
                     matmul.depth * times;
      (matmul.useTensorCores ? work.tensorFlops : work.otherFlops) += flops;
    } else if (step.kind == StepKind::Reduce) {
      work.otherFlops +=
          double(step.reduce.outputs) * step.reduce.reduced * times;
    }
  }
  return work;
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
  std::optional<double> read = countBytes(kernel->getOperandTypes(), valueOf);
  std::optional<double> written = countBytes(kernel->getResultTypes(), valueOf);
  int64_t blocksPerSM = plan.getBlocksPerSM(target);
  if (!read || !written || blocksPerSM < 1)
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

  double dramSeconds =
      (*read + *written) / (target.dramBytesPerSecond * bandwidth);
  double l2Seconds =
      blocks * double(plan.bytesLoadedPerBlock + plan.bytesStoredPerBlock) /
      (target.l2BytesPerSecond * bandwidth);
  Work work = getWorkPerBlock(plan);
  work.tensorFlops *= blocks;
  work.otherFlops *= blocks;
  double arithmeticSeconds = getArithmeticSeconds(work, target) / utilization;

  const ParallelDimPlan *loop = plan.getLoop();
  double steps = loop ? loop->count : 1;
  double resident =
      std::max(1.0, std::min<double>(blocksPerSM, blocks / target.numSMs));
  double latencyUs = waves * steps * stepLatencyUs / resident;
  double busyUs =
      microseconds * std::max({dramSeconds, l2Seconds, arithmeticSeconds});
  return launchUs + busyUs + latencyUs;
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
  (usesTensorCores(op) ? work.tensorFlops : work.otherFlops) = *flops;
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
    (usesTensorCores(op) ? work.tensorFlops : work.otherFlops) += *flops;
  }
  return microseconds * std::max((*read + *written) / target.dramBytesPerSecond,
                                 getArithmeticSeconds(work, target));
}
