//===- CostModel.cpp - Modelled microseconds of kernels --------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Tuning/CostModel.h"
#include "Prism/Plan/WarpgroupPlan.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace mlir;
using namespace prism;

static constexpr double launchUs = CostAssumptions::launchUs;
static constexpr double bandwidthShare = CostAssumptions::bandwidthShare;
static constexpr double stepLatencyUs = CostAssumptions::stepLatencyUs;

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

/// Partials that leave half of L2 to everything else are still there when the
/// combining kernel, launched at once, reads them.
static bool staysInL2(Type type, double bytes, const Target &target) {
  bool isPartial = false;
  for (const DimExpr &extent : getExtents(type))
    extent.walkSymbols(
        [&](StringRef name) { isPartial |= name.contains('.'); });
  return isPartial && bytes <= target.l2Bytes / 2.0;
}

/// A symbol's value; that of partials is the number of `kernel`'s own blocks.
static std::optional<int64_t> lookupValue(KernelOp kernel,
                                          const KernelPlan &plan,
                                          SymbolValueFn symbolValue,
                                          StringRef name) {
  StringRef dim = name;
  if (dim.consume_front(kernel.getGraphName()) && dim.consume_front("."))
    if (const ParallelDimPlan *own = plan.lookupDim(dim))
      return own->count;
  return symbolValue(name);
}

std::optional<double> prism::countTensorBytes(KernelOp kernel,
                                              const KernelPlan &plan,
                                              SymbolValueFn symbolValue) {
  auto valueOf = [&](StringRef name) {
    return lookupValue(kernel, plan, symbolValue, name);
  };
  std::optional<double> read = countBytes(kernel->getOperandTypes(), valueOf);
  std::optional<double> written = countBytes(kernel->getResultTypes(), valueOf);
  if (!read || !written)
    return std::nullopt;
  return *read + *written;
}

std::optional<double> prism::estimateKernelUs(KernelOp kernel,
                                              const KernelPlan &plan,
                                              const Target &target,
                                              SymbolValueFn symbolValue) {
  auto valueOf = [&](StringRef name) {
    return lookupValue(kernel, plan, symbolValue, name);
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
  double l2Seconds = blocks *
                     (countLoadedBytes(kernel, plan, valueOf) +
                      double(plan.bytesStoredPerBlock)) /
                     (target.l2BytesPerSecond * bandwidth);
  BlockWork work = countBlockWork(kernel, plan, valueOf);
  // What all SMs do in a cycle, as far as they have blocks.
  double cycles =
      Target::clockHz * double(target.numSMs) * utilization / blocks;
  double arithmeticSeconds =
      blocks *
      getArithmeticSeconds({0, work.tensorFlops, work.fmaFlops}, target) /
      utilization;
  double issueSeconds =
      work.instructions / (Target::instructionsPerCycle * cycles);
  double sharedSeconds =
      work.sharedBytes / (Target::sharedBytesPerCycle * cycles);

  const ParallelDimPlan *loop = plan.getLoop();
  double steps = loop ? loop->count : 1;
  double resident =
      std::max(1.0, std::min<double>(blocksPerSM, blocks / target.numSMs));
  double chainSeconds = waves * work.latencyCycles / Target::clockHz;
  double parts[] = {dramSeconds,  l2Seconds,     arithmeticSeconds,
                    issueSeconds, sharedSeconds, chainSeconds};
  double sum = std::accumulate(std::begin(parts), std::end(parts), 0.0);
  double most = *llvm::max_element(parts);
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
