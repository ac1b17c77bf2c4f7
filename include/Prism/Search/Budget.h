//===- Budget.h - Limits of a search ----------------------------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts the graphs grown, and ends the search when a limit is reached.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_SEARCH_BUDGET_H
#define PRISM_SEARCH_BUDGET_H

#include "llvm/Support/Process.h"
#include <chrono>
#include <cstdint>

namespace prism {

class Budget {
public:
  /// At most `steps` graphs grown, `seconds`, and `memoryMiB` of heap more than
  /// now; 0 is no limit.
  Budget(uint64_t steps, double seconds, uint64_t memoryMiB)
      : maxSteps(steps), seconds(seconds), maxBytes(memoryMiB << 20) {
    if (maxBytes)
      startBytes = llvm::sys::Process::GetMallocUsage();
  }

  /// Counts one graph grown. False, from then on, if a limit is reached.
  bool step() {
    if (exhausted)
      return false;
    if (maxSteps && steps >= maxSteps)
      return exhausted = true, false;
    ++steps;
    // Reading the clock costs more than growing a graph.
    if (seconds > 0 && (steps & 63) == 0)
      exhausted = getElapsed() >= seconds;
    if (maxBytes && (steps & 1023) == 0)
      exhausted |= llvm::sys::Process::GetMallocUsage() > startBytes + maxBytes;
    return !exhausted;
  }
  /// As `step`, for what costs more than reading the clock.
  bool largeStep() {
    exhausted |= seconds > 0 && getElapsed() >= seconds;
    return step();
  }
  bool isExhausted() const { return exhausted; }
  uint64_t getSteps() const { return steps; }

private:
  double getElapsed() const {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }
  using Clock = std::chrono::steady_clock;
  uint64_t maxSteps;
  double seconds;
  uint64_t maxBytes, startBytes = 0;
  Clock::time_point start = Clock::now();
  uint64_t steps = 0;
  bool exhausted = false;
};

} // namespace prism

#endif // PRISM_SEARCH_BUDGET_H
