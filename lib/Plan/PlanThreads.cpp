//===- PlanThreads.cpp - Threads and accumulators -------------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatmulPlan.h"
#include "Planner.h"
#include "Prism/Plan/RunPlan.h"
#include "Prism/Plan/WarpgroupPlan.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace prism;
using namespace prism::detail;

/// Most accumulators a thread keeps in registers at once; more would spill.
static constexpr int64_t maxAccumulators = 128;
/// Most of a product that is stored at once; more is computed in passes.
static constexpr int64_t maxPassAccumulators = 64;
/// Most results of a reduction that a group of lanes keeps through the loop.
static constexpr int64_t maxPartials = 8;
/// Work items of a step from which a block gets more than the least threads.
static constexpr int64_t itemsPerThread = 64;
static constexpr int64_t leastThreads = 128;

/// Distributes the products over `threads` threads and returns the registers
/// that their sums take at once: all that the loop carries and, beside them,
/// one that is summed by itself before it is rescaled or stored.
static int64_t distributeMatmuls(KernelPlan &plan, int64_t threads) {
  int64_t carried = 0, beside = 0, outside = 0;
  for (PlanStep &step : plan.steps) {
    if (step.kind != StepKind::Matmul)
      continue;
    // Without tensor cores each sum has operands and an address of its own.
    int64_t weight = step.matmul.useTensorCores ? 1 : 2;
    bool fits =
        distributeOverWarpgroups(plan, step, threads) &&
        (step.carried || step.matmul.accumulators <= maxPassAccumulators);
    if (!fits)
      prism::detail::distributeMatmul(step.matmul, threads);
    if (!fits && !step.carried)
      prism::detail::splitIntoPasses(step.matmul, maxPassAccumulators / weight);
    int64_t own = step.matmul.accumulators * weight;
    if (step.carried)
      carried += own;
    if (step.phase != StepPhase::InLoop)
      outside = std::max(outside, own);
    else if (!step.carried || step.accumulator.getShift())
      beside = std::max(beside, own);
  }
  return std::max(carried + beside, outside);
}

/// The step that carries the most accumulators, or null if none does.
static PlanStep *findLargestCarried(KernelPlan &plan) {
  PlanStep *largest = nullptr;
  for (PlanStep &step : plan.steps)
    if (step.carried &&
        (!largest || step.matmul.accumulators > largest->matmul.accumulators))
      largest = &step;
  return largest;
}

void Planner::distributeOverThreads() {
  for (PlanStep &step : plan.steps)
    step.carried = step.kind == StepKind::Matmul && step.accumulator;
  int64_t least = plan.threads;
  while (true) {
    for (plan.threads = least; plan.threads <= target.maxThreadsPerBlock;
         plan.threads *= 2) {
      int64_t registers = distributeMatmuls(plan, plan.threads);
      if (registers <= maxAccumulators &&
          registers * plan.threads <= target.registersPerSM * 3 / 4)
        return;
    }
    // Too many for any number of threads: they are kept in memory instead.
    PlanStep *largest = findLargestCarried(plan);
    plan.threads = least;
    if (!largest) {
      distributeMatmuls(plan, plan.threads);
      return;
    }
    largest->carried = false;
  }
}

/// As many lanes for each result as there are threads, if each has a run of
/// what is reduced: what takes time is what a lane adds up one after the other,
/// and then the shuffles, which wait for each other; those beyond would cost
/// more than shorter runs save. f64 has no shuffle here.
///
/// Bank conflicts: lanes of a group read neighbouring runs, so 8 lanes with
/// runs of 16 bytes read all banks once, however the rows lie. Groups of fewer
/// lanes read as many rows at once as they are; tiles that tensor cores read
/// have rows for that (padded, or with units in another order), other rows of a
/// multiple of 128 bytes make 8 / lanes of them wait for each other. A stagger
/// of the groups would help these alone, cost an address in each turn, and
/// spoil the padded ones, so there is none.
static int64_t chooseLanes(const PlanStep &step, int64_t threads, int64_t run) {
  if (prism::getElementType(step.op->getResult(0).getType()).isF64())
    return 1;
  int64_t most = std::min({Target::warpSize, threads / step.reduce.outputs,
                           step.reduce.reduced / run});
  return static_cast<int64_t>(
      llvm::bit_floor(static_cast<uint64_t>(std::max<int64_t>(most, 1))));
}

/// Whether each lane keeps what it has of its group's results through the loop,
/// and lanes are combined only then.
static bool carriesPartials(const KernelPlan &plan, const PlanStep &step) {
  AccumulateOp accumulate = step.accumulator;
  return accumulate && !accumulate.getShift() &&
         step.phase == StepPhase::InLoop &&
         !plan.lookupRescale(step.getStoredTile()) &&
         countCarried(plan, step) <= maxPartials;
}

bool Planner::planThreads() {
  int64_t items = 0;
  for (const PlanStep &step : plan.steps)
    items =
        std::max(items, step.kind == StepKind::Save
                            ? countElements(step.op->getOperand(0).getType())
                            : countElements(step.op->getResult(0).getType()));
  plan.threads = leastThreads;
  while (plan.threads * 2 <= 256 && items > plan.threads * itemsPerThread)
    plan.threads *= 2;
  if (schedule.threads)
    plan.threads = schedule.threads;
  distributeOverThreads();
  for (const PlanStep &step : plan.steps)
    if (step.kind == StepKind::Matmul && step.matmul.warpsOverDepth > 1)
      addWarpSums(step);
  for (PlanStep &step : plan.steps) {
    if (step.kind != StepKind::Reduce)
      continue;
    step.reduce.lanes =
        chooseLanes(step, plan.threads, planRun(kernel, plan, sizes, step));
    step.carried = carriesPartials(plan, step);
  }
  return true;
}
