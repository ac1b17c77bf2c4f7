//===- GraphTrace.h - What the ops of a graph compute -----------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads a candidate as the search would have made it: which class of the oracle
// each value is of, and the algebraic form that its kernels compute together.
// An accumulator, a loader or a saver has the class of what it takes; partial
// results have the class of what they are parts of.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_SEARCH_GRAPHTRACE_H
#define PRISM_LIB_SEARCH_GRAPHTRACE_H

#include "Prism/Search/Forms.h"

namespace prism {

struct GraphTrace {
  /// The values whose class is known, each class once, in order.
  Form form;
  /// By form node: the op of the candidate that computes it, null for loads.
  llvm::SmallVector<mlir::Operation *> ops;
  /// Ops that count (docs/search-space.md): those of the form, and those whose
  /// class is not known.
  unsigned numOps = 0;
  /// The first op that computes nothing in the oracle, and why.
  mlir::Operation *unknown = nullptr;
  std::string whyUnknown;
  /// The first op that computes a class in a second way, and the op before it.
  mlir::Operation *second = nullptr, *first = nullptr;
};

/// `oracle` is used for look-ups only; it is the same afterwards.
GraphTrace traceGraph(CandidateOp candidate, Oracle &oracle);

} // namespace prism

#endif // PRISM_LIB_SEARCH_GRAPHTRACE_H
