//===- Forms.h - Algebraic forms of a program -------------------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An algebraic form is a DAG of ops that computes the program: one node of the
// oracle for each class it uses. Forms are enumerated from the fewest ops up.
// Constants, casts, loaders, savers and accumulators are no ops (DECISIONS:
// the default bound).
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_SEARCH_FORMS_H
#define PRISM_SEARCH_FORMS_H

#include "Prism/Search/Budget.h"
#include "Prism/Search/Oracle.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace prism {

/// One value of a form: a loader, or an op on earlier values.
struct FormNode {
  unsigned cls;                            ///< its class
  const OracleNode *op = nullptr;          ///< null for a loader
  llvm::SmallVector<unsigned, 2> operands; ///< indices of form nodes

  bool isLoad() const { return !op; }
};

/// Nodes in topological order: loaders, by argument, first. Each stands for a
/// class of its own, but for those of Recomputation.h. Results that are
/// arguments or constants need no kernel and are left out.
struct Form {
  llvm::SmallVector<FormNode> nodes;
  llvm::SmallVector<unsigned> results; ///< form nodes, one per distinct class
  unsigned numOps = 0;                 ///< constants do not count
};

struct FormOptions {
  unsigned maxOps = 11;  ///< most ops of a form
  unsigned extraOps = 1; ///< ops beyond the fewest that there are
  /// Sums of more terms, and products of more factors, keep the program's order
  /// (TermOrders.h); 0: all orders.
  unsigned maxTerms = 5;
  /// Cut partial forms whose open classes cannot be computed with the ops that
  /// are left. Off: they are grown until the bound itself is met.
  bool pruneExpression = true;
};

struct FormStatistics {
  uint64_t pruned = 0; ///< partial forms cut by pruneExpression
};

/// Whether the result of class `cls` needs a kernel: it is neither an argument
/// nor a constant.
bool needsKernel(const OracleClass &cls);

/// Calls `found` on all forms within the bounds, fewest ops first, each once.
/// `found` says whether the form will do: the fewest ops are counted from the
/// first that does. Every partial form is a step of `budget`, which may also be
/// used by `found`.
void enumerateForms(const Oracle &oracle, const FormOptions &options,
                    Budget &budget, FormStatistics &statistics,
                    llvm::function_ref<bool(Form)> found);

} // namespace prism

#endif // PRISM_SEARCH_FORMS_H
