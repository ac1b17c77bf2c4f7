//===- MeasureCandidates.h - Candidates by measured time --------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles the sized candidates of a program to kernel packages, each by
// itself, and puts the candidates in the order of their times. Kernels have the
// same names in all packages, so that equal kernels have equal PTX whatever
// program they come from.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_TRANSFORMS_MEASURECANDIDATES_H
#define PRISM_LIB_TRANSFORMS_MEASURECANDIDATES_H

#include "Prism/Dialect/PrismDialect.h"
#include "Prism/Measurement/Timings.h"
#include "Prism/Plan/Target.h"

namespace prism {

/// Discardable attribute of a candidate: an f64, in microseconds.
inline constexpr llvm::StringLiteral measuredUsAttrName = "prism.measured_us";

/// What makes code of PTX, as timings name it.
std::string getToolchain();

/// A candidate's kernels, as a package with the one function `main`.
struct CompiledCandidate {
  CandidateOp candidate;
  std::string directory; ///< of the package
  TimingKey key;
  std::string whyNot; ///< why there is no package
};

/// Compiles the sized candidates of `program` into folders of `directory`
/// that are named after their kernels' hashes, on `threads` threads (0: one a
/// core). None where an extent is dynamic.
std::vector<CompiledCandidate> compileCandidates(ProgramOp program,
                                                 const Target &target,
                                                 llvm::StringRef directory,
                                                 unsigned threads);

/// Microseconds of a candidate, or what went wrong.
using CandidateTimer =
    std::function<llvm::Expected<double>(const CompiledCandidate &)>;

/// Times from a file that a machine with a GPU wrote.
llvm::Expected<CandidateTimer> createFileTimer(llvm::StringRef path);
/// The median of 100 runs on this machine's GPU, which is put into `gpu`.
llvm::Expected<CandidateTimer> createGPUTimer(std::string &gpu);
/// An estimate from what the simulated device executes: the instructions of
/// all warps at the rate of FMAs, whatever they are, or the time that the
/// arrays take to come from DRAM, if that is longer.
CandidateTimer createSimulationTimer(const Target &target);

/// Times `compiled` candidates of one program, marks them with their times and
/// puts them in their order, those without a time last. Says, with a remark,
/// why some have none.
void measureCandidates(llvm::ArrayRef<CompiledCandidate> compiled,
                       const CandidateTimer &timer);

/// The index of the packages in `directory`: candidates.json, entries as in a
/// timings file without the time.
llvm::LogicalResult
writeCandidateIndex(mlir::Location loc, llvm::StringRef directory,
                    llvm::ArrayRef<CompiledCandidate> compiled);

} // namespace prism

#endif // PRISM_LIB_TRANSFORMS_MEASURECANDIDATES_H
