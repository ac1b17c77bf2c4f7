//===- Report.h - The report of --prism-superoptimize ---*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the pipeline found, as JSON. Every key is always there; what was not
// determined is null, never 0. Counts are read from the `prism.statistics`
// attribute that the passes leave on a program; seconds are measured by the
// pipeline, so that IR stays the same from run to run.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_TRANSFORMS_REPORT_H
#define PRISM_LIB_TRANSFORMS_REPORT_H

#include "Prism/Conversion/GPULowering.h"
#include "Prism/Dialect/PrismDialect.h"
#include "Prism/Gate/Gate.h"
#include "llvm/Support/JSON.h"

namespace prism {

/// An op that no pass knew what to do with.
struct LeftAlone {
  std::string location;
  std::string op;
  std::string reason;
};

/// What the report says of a program beyond what stands in its IR.
struct ProgramRecord {
  std::string name;
  std::string target;
  std::string precision;
  std::optional<int64_t> maxKernels, maxBlockOps, maxGridDims, maxAccumulators;
  std::optional<int64_t> maxTerms;
  std::optional<double> searchSeconds, instantiationSeconds, loweringSeconds;
  std::optional<double> gateSeconds;
  std::optional<GateStatistics> gate; ///< none if it did not run
  std::optional<double> peakMiB;      ///< heap of the search; unknown: none
  std::string measuredBy;
  bool isFromCache = false; ///< neither searched nor measured in this run
  std::vector<LeftAlone> leftAlone;
  std::string whyNotChosen; ///< of the whole program
  /// The id of the chosen candidate; none if nothing was chosen.
  std::optional<std::string> chosen;
  llvm::StringMap<KernelFacts> kernelFacts; ///< by name
  /// The kernels of the chosen candidate, once lowered: an array of objects.
  std::optional<llvm::json::Array> kernels;
};

/// The report's entry for `program`, which may be null: then nothing of the
/// function that `record` names could be searched.
llvm::json::Value buildProgramReport(const ProgramRecord &record,
                                     ProgramOp program);

/// The ops of a candidate in order, and its maps, each on one line.
std::string describeGraph(CandidateOp candidate);
std::string describeMaps(CandidateOp candidate);

/// The whole report, with `programs` as its entries.
llvm::json::Value buildReport(llvm::json::Array programs);

/// Writes `value`, indented, to `path`; a diagnostic at `loc` if it cannot.
llvm::LogicalResult writeJSON(mlir::Location loc, llvm::StringRef what,
                              llvm::StringRef path,
                              const llvm::json::Value &value);

} // namespace prism

#endif // PRISM_LIB_TRANSFORMS_REPORT_H
