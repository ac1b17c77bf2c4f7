//===- Budget.h - Limits of a search ----------------------------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts the graphs grown, and ends the search when a limit is reached or when
// the monitor says so.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_SEARCH_BUDGET_H
#define PRISM_SEARCH_BUDGET_H

#include "Prism/Search/SearchMonitor.h"
#include <algorithm>
#include <limits>

namespace prism {

/// For one thread; others may ask `isPast`.
class Budget {
public:
  /// At most `steps` graphs grown, `seconds`, and `memoryMiB` of heap more than
  /// now; 0 is no limit. `monitor` may be null.
  Budget(uint64_t steps, double seconds, uint64_t memoryMiB,
         SearchMonitor *monitor = nullptr)
      : maxSteps(steps), seconds(seconds), maxBytes(memoryMiB << 20),
        monitor(monitor) {
    if (maxBytes)
      startBytes = getHeapBytes().value_or(0);
  }

  /// Counts one graph grown. False, from then on, if a limit is reached.
  bool step() {
    if (exhausted)
      return false;
    if (maxSteps && steps >= maxSteps)
      return exhausted = true, false;
    ++steps;
    // Reading the clock costs more than growing a graph.
    if ((steps & 63) == 0)
      poll();
    return !exhausted;
  }
  /// As `step`, for what costs more than reading the clock.
  bool largeStep() {
    poll();
    return step();
  }
  /// Looks at clock, heap and monitor. True if a limit is reached.
  bool poll() {
    exhausted |= isPastTime();
    // Asking for the heap costs more than reading the clock.
    Clock::time_point now = Clock::now();
    if ((maxBytes || monitor) && now >= nextSample) {
      if (monitor)
        monitor->samplePeak();
      exhausted |= isPastMemory();
      nextSample = Clock::now() + 20 * (Clock::now() - now) +
                   std::chrono::milliseconds(2);
    }
    if (monitor) {
      monitor->addProgress({steps - publishedSteps, 0, 0});
      publishedSteps = steps;
      monitor->poll();
    }
    return exhausted;
  }
  /// Whether time or memory have run out, or the search was cancelled; changes
  /// nothing here.
  bool isPast() const { return exhausted || isPastTime() || isPastMemory(); }
  /// Ends the search.
  void exhaust() { exhausted = true; }

  bool isExhausted() const { return exhausted; }
  uint64_t getSteps() const { return steps; }
  /// Until the time limit; infinite if there is none.
  double getSecondsLeft() const {
    return seconds > 0 ? std::max(seconds - getElapsed(), 0.0)
                       : std::numeric_limits<double>::infinity();
  }
  SearchMonitor *getMonitor() const { return monitor; }

private:
  using Clock = std::chrono::steady_clock;
  double getElapsed() const {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }
  bool isPastTime() const {
    return (seconds > 0 && getElapsed() >= seconds) ||
           (monitor && monitor->isCancelled());
  }
  bool isPastMemory() const {
    return maxBytes && getHeapBytes().value_or(0) > startBytes + maxBytes;
  }

  uint64_t maxSteps;
  double seconds;
  uint64_t maxBytes, startBytes = 0;
  SearchMonitor *monitor;
  Clock::time_point start = Clock::now(), nextSample = start;
  uint64_t steps = 0, publishedSteps = 0;
  bool exhausted = false;
};

} // namespace prism

#endif // PRISM_SEARCH_BUDGET_H
