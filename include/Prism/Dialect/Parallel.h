//===- Parallel.h - Independent work on several threads ---------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Like mlir::parallelFor, with a number of threads. Which thread does what is
// not determined: a task writes to a place of its own, and what is made of that
// is made in order, afterwards.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_DIALECT_PARALLEL_H
#define PRISM_DIALECT_PARALLEL_H

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/ThreadPool.h"
#include <atomic>

namespace prism {

/// Calls `run` on 0, 1, ..., `size` - 1, on at most `threads` threads of the
/// context's; 0: on all of them. `run` may make IR that is in no block that
/// another call sees; it emits no diagnostics.
inline void parallelFor(mlir::MLIRContext *context, unsigned threads,
                        size_t size, llvm::function_ref<void(size_t)> run) {
  size_t tasks = size;
  if (threads != 0)
    tasks = std::min<size_t>(tasks, threads);
  if (context->isMultithreadingEnabled())
    tasks =
        std::min<size_t>(tasks, context->getThreadPool().getMaxConcurrency());
  else
    tasks = 1;
  std::atomic<size_t> next{0};
  auto work = [&] {
    for (size_t index = next++; index < size; index = next++)
      run(index);
  };
  if (tasks <= 1)
    return work();
  llvm::ThreadPoolTaskGroup group(context->getThreadPool());
  for (size_t task = 0; task < tasks; ++task)
    group.async(work);
  // A thread of the pool that waits takes part in the work.
  group.wait();
}

} // namespace prism

#endif // PRISM_DIALECT_PARALLEL_H
