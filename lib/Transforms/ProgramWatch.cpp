//===- ProgramWatch.cpp - Progress and memory of one search ---------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramWatch.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace prism;

/// To the first column, and clear to the end of the line.
static constexpr llvm::StringLiteral eraseLine = "\r\033[K";

ProgramWatch::ProgramWatch(MLIRContext *context, llvm::StringRef name)
    : monitor(getSearchMonitor(context)), name(name),
      start(std::chrono::steady_clock::now()),
      startBytes(getHeapBytes().value_or(0)) {
  if (!monitor)
    return;
  monitor->startPeak();
  if (!llvm::sys::Process::StandardErrIsDisplayed())
    return;
  monitor->setProgress(
      [this](const SearchMonitor::Progress &progress) { show(progress); });
  handler =
      std::make_unique<ScopedDiagnosticHandler>(context, [this](Diagnostic &) {
        erase();
        return failure();
      });
}

ProgramWatch::~ProgramWatch() {
  if (monitor)
    monitor->setProgress(nullptr);
  erase();
}

std::optional<double> ProgramWatch::getPeakMiB() {
  if (!monitor)
    return std::nullopt;
  monitor->samplePeak();
  return monitor->getPeakMiB();
}

uint64_t ProgramWatch::getUsedMiB() const {
  uint64_t bytes = getHeapBytes().value_or(0);
  return bytes > startBytes ? (bytes - startBytes) >> 20 : 0;
}

void ProgramWatch::show(const SearchMonitor::Progress &progress) {
  std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - start;
  isShown = true;
  llvm::errs() << eraseLine << name << ": " << progress.grown << " graphs, "
               << progress.pruned << " pruned, " << progress.kept << " kept, "
               << llvm::format("%.1f s", seconds.count());
  llvm::errs().flush();
}

void ProgramWatch::erase() {
  if (isShown.exchange(false))
    llvm::errs() << eraseLine;
}
