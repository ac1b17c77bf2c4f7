//===- SearchMonitor.h - Cancellation, progress, memory ---------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the searches of one MLIRContext share with the outside: a flag that ends
// them as a budget does, counters for a progress line, and the most heap that
// they took. It is held by the context's prism dialect, as an interface.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_SEARCH_SEARCHMONITOR_H
#define PRISM_SEARCH_SEARCHMONITOR_H

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

namespace mlir {
class DialectRegistry;
class MLIRContext;
} // namespace mlir

namespace prism {

/// Bytes of heap that are allocated in this process; none where the C library
/// does not say.
std::optional<uint64_t> getHeapBytes();

/// True: end the searches, and keep the best so far.
using CancelFlag = std::shared_ptr<std::atomic<bool>>;

/// All methods may be called from any thread, unless they say otherwise.
class SearchMonitor {
public:
  //===--- Cancellation ---------------------------------------------------===//

  /// Not while a search runs. Null: never cancelled.
  void setCancelFlag(CancelFlag flag) { cancelled = std::move(flag); }
  bool isCancelled() const { return cancelled && *cancelled; }

  //===--- Memory ---------------------------------------------------------===//

  /// From now on the peak is counted from the heap as it is.
  void startPeak();
  void samplePeak();
  /// The most heap beyond that at `startPeak`, in MiB, as far as it was
  /// sampled; none if it is not known. Side by side, searches share it.
  std::optional<double> getPeakMiB() const;

  //===--- Progress -------------------------------------------------------===//

  struct Progress {
    uint64_t grown = 0, pruned = 0, kept = 0;
  };
  using ProgressFn = std::function<void(const Progress &)>;

  /// `show` is called now and then during searches, at most ten times a second,
  /// never by two threads at once. Null: nobody wants to know. Not while a
  /// search runs. The counters start anew.
  void setProgress(ProgressFn show);
  void addProgress(const Progress &more);
  /// Shows the progress, if it is time.
  void poll();

private:
  using Clock = std::chrono::steady_clock;
  CancelFlag cancelled;
  std::atomic<uint64_t> baseBytes{0}, peakBytes{0};
  std::atomic<bool> knowsBytes{false};
  std::atomic<uint64_t> grown{0}, pruned{0}, kept{0};
  std::mutex mutex; ///< of what follows
  ProgressFn show;
  Clock::time_point lastShown;
};

/// Makes the prism dialects of `registry` hold a monitor, with this flag unless
/// that is null.
void registerSearchMonitor(mlir::DialectRegistry &registry,
                           CancelFlag flag = {});

/// The monitor of the context; null if it has none.
SearchMonitor *getSearchMonitor(mlir::MLIRContext *context);

} // namespace prism

#endif // PRISM_SEARCH_SEARCHMONITOR_H
