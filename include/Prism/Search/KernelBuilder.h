//===- KernelBuilder.h - Candidates from loop forms -------------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes a loop form as a symbolic prism.candidate of one kernel: a mapping
// variable for each loader (saver), data dim and parallel dim, and the
// equalities that symbolic dimension matching (equation (4)) demands.
//
// Element types. Loaded values are as stored; arithmetic is in f32 (f64 where
// the program has it). Both operands of a matmul are used as stored if their
// types agree; otherwise they are cast to the widest type that an operand of
// the program's own matmuls has. What is saved has the result's type.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_SEARCH_KERNELBUILDER_H
#define PRISM_SEARCH_KERNELBUILDER_H

#include "Prism/Search/LoopForms.h"

namespace prism {

/// x, y, z, then g3, g4, ...
std::string getGridDimName(unsigned index);
/// The name of the loop dim.
inline llvm::StringRef getLoopDimName() { return "i"; }

struct KernelOptions {
  unsigned maxGridDims = 3;
};

/// Appends the candidate `id` to the program's. Null if the equalities
/// contradict each other: no map can be right.
CandidateOp buildCandidate(ProgramOp program, llvm::StringRef id,
                           const Oracle &oracle, const Form &form,
                           const LoopForm &loop, const KernelOptions &options);

} // namespace prism

#endif // PRISM_SEARCH_KERNELBUILDER_H
