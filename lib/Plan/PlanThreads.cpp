//===- PlanThreads.cpp - Threads and accumulators -------------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatmulPlan.h"
#include "Planner.h"

using namespace mlir;
using namespace prism;
using namespace prism::detail;

/// Most accumulators a thread keeps in registers; more would spill.
static constexpr int64_t maxAccumulators = 128;
/// Work items of a step from which a block gets more than the least threads.
static constexpr int64_t itemsPerThread = 64;
static constexpr int64_t leastThreads = 128;

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
  auto mostAccumulators = [&] {
    int64_t most = 0;
    for (PlanStep &step : plan.steps) {
      if (step.kind != StepKind::Matmul)
        continue;
      prism::detail::distributeMatmul(step.matmul, plan.threads);
      most = std::max(most, step.matmul.accumulators);
    }
    return most;
  };
  int64_t most = mostAccumulators();
  while (most > maxAccumulators &&
         plan.threads * 2 <= target.maxThreadsPerBlock) {
    plan.threads *= 2;
    most = mostAccumulators();
  }
  if (most > maxAccumulators ||
      most * plan.threads > target.registersPerSM * 3 / 4)
    return fail("a matrix product needs " + Twine(most) +
                " accumulators per thread, more than fit its registers");
  for (PlanStep &step : plan.steps)
    if (step.kind == StepKind::Reduce)
      step.reduce.warpPerOutput =
          step.reduce.outputs < plan.threads &&
          step.reduce.reduced >= Target::warpSize &&
          !prism::getElementType(step.op->getResult(0).getType()).isF64();
  return true;
}
