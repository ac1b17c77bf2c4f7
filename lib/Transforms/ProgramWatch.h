//===- ProgramWatch.h - Progress and memory of one search -------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// While it lives, the search of a program shows a line on the terminal, if
// stderr is one, which is erased at the end and before anything is reported;
// and the most heap that the search takes is noted.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_TRANSFORMS_PROGRAMWATCH_H
#define PRISM_LIB_TRANSFORMS_PROGRAMWATCH_H

#include "Prism/Search/SearchMonitor.h"
#include "mlir/IR/Diagnostics.h"
#include <string>

namespace prism {

class ProgramWatch {
public:
  ProgramWatch(mlir::MLIRContext *context, llvm::StringRef name);
  ~ProgramWatch();
  ProgramWatch(const ProgramWatch &) = delete;
  ProgramWatch &operator=(const ProgramWatch &) = delete;

  /// So far; none if it is not known.
  std::optional<double> getPeakMiB();
  /// Heap in use beyond that at the start, in whole MiB.
  uint64_t getUsedMiB() const;

private:
  void show(const SearchMonitor::Progress &progress);
  void erase();

  SearchMonitor *monitor; ///< may be null
  std::string name;
  std::chrono::steady_clock::time_point start;
  uint64_t startBytes;
  std::atomic<bool> isShown{false};
  std::unique_ptr<mlir::ScopedDiagnosticHandler> handler;
};

} // namespace prism

#endif // PRISM_LIB_TRANSFORMS_PROGRAMWATCH_H
