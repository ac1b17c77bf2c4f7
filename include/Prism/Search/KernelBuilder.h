//===- KernelBuilder.h - Candidates from loop forms -------------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes a kernel graph as a symbolic prism.candidate: a mapping variable for
// each loader (saver), data dim and parallel dim, and the equalities that
// symbolic dimension matching (equation (4)) demands.
//
// Element types. Loaded values are as stored; arithmetic is in f32 (f64 where
// the program has it). Both operands of a matmul are used as stored if their
// types agree; otherwise they are cast to the widest type that an operand of
// the program's own matmuls has. What is saved has the result's type, or, if
// another kernel reads it, the type of the arithmetic.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_SEARCH_KERNELBUILDER_H
#define PRISM_SEARCH_KERNELBUILDER_H

#include "Prism/Search/KernelGraph.h"

namespace prism {

/// x, y, z, then g3, g4, ...
std::string getGridDimName(unsigned index);
/// The name of the loop dim.
inline llvm::StringRef getLoopDimName() { return "i"; }

/// The name of the grid dim along which partial results are written.
inline llvm::StringRef getSplitDimName() { return "s"; }

struct KernelOptions {
  unsigned maxGridDims = 3;
};

/// Appends the candidate `id` to the program's. Null if the equalities
/// contradict each other: no map can be right.
CandidateOp buildCandidate(ProgramOp program, llvm::StringRef id,
                           const Oracle &oracle, const KernelGraph &kernels,
                           const KernelOptions &options);

} // namespace prism

#endif // PRISM_SEARCH_KERNELBUILDER_H
