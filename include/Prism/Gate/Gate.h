//===- Gate.h - Kernels are run before they are emitted -*- C++ -* --------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The equivalence gate (docs/gate.md): the PTX of a lowered candidate runs on
// the simulated device, on seeded inputs, and what it writes is compared with
// the program in double precision. The proof covers the candidate; the gate is
// for what stands behind the proof: sizes, planning, code generation, LLVM.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_GATE_GATE_H
#define PRISM_GATE_GATE_H

#include "Prism/Conversion/GPULowering.h"

namespace prism {

struct GateOptions {
  uint64_t seed = 1; ///< of the inputs and of the choice of blocks
  /// What may be spent on one candidate at its true extents, and at reduced
  /// ones, in steps of the simulated device (one instruction of one warp); the
  /// references are counted in the same unit. Some runs are made in any case.
  uint64_t budgetSteps = 8'000'000;
};

/// What the gate did; adds up over candidates.
struct GateStatistics {
  uint64_t runs = 0;    ///< of kernels on one family of inputs each
  uint64_t blocks = 0;  ///< that ran
  uint64_t steps = 0;   ///< of warps
  uint64_t refused = 0; ///< candidates
  uint64_t notRun = 0;  ///< candidates of which nothing ran
  /// What could not be done as docs/gate.md has it, by candidate.
  std::vector<std::string> limits;
  /// The largest errors over the largest magnitude in their row of the result:
  /// of kernels, and of the program in its declared precision.
  double worstError = 0, programError = 0;
};

enum class GateResult {
  Passed,
  Refused,
  NotRun ///< none of it can be evaluated or run here, at any extents
};

/// Runs `lowered`, the kernels of `candidate`, as the PTX text `ptx`. On any
/// result but Passed `why` says what was wrong, or missing. A candidate that
/// passes has run on normal inputs at least: at its true extents, or where
/// these are too large at reduced ones, which `statistics.limits` then says.
GateResult runGate(CandidateOp candidate, const LoweredCandidate &lowered,
                   llvm::StringRef ptx, const Target &target,
                   const GateOptions &options, GateStatistics &statistics,
                   std::string &why);

/// Writes a module with the program of `candidate`, it alone and `why` as a
/// reproducer that `prism-opt --run-reproducer` runs again, to a file in
/// `directory` (the current one, if empty). Its path; empty if it could not be
/// written.
std::string writeGateReproducer(CandidateOp candidate, const Target &target,
                                const GateOptions &options,
                                llvm::StringRef directory, llvm::StringRef why);

} // namespace prism

#endif // PRISM_GATE_GATE_H
