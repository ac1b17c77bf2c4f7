//===- PlanParsing.h - Parts of the reader of plan.json ---------*- C++ -*-===//
//
// What the reader's files share. Each function reports what is wrong, and
// where, to its path and returns false.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_RUNTIME_PLANPARSING_H
#define PRISM_LIB_RUNTIME_PLANPARSING_H

#include "Prism/Runtime/KernelPackage.h"

#include "llvm/Support/JSON.h"

namespace prism {

/// An object with exactly one key: its key and value; null for anything else.
const llvm::json::Object::value_type *onlyEntry(const llvm::json::Value &value,
                                                llvm::json::Path path);

bool fromJSON(const llvm::json::Value &value, PlanExpr &expr,
              llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, ElementType &type,
              llvm::json::Path path);
bool fromJSON(const llvm::json::Value &value, PlanParameter &parameter,
              llvm::json::Path path);

/// Every index that a parameter of `function` holds must name something, and a
/// tensor map must fit the array it is of.
bool checkParameters(const PlanFunction &function, llvm::json::Path path);

} // namespace prism

#endif // PRISM_LIB_RUNTIME_PLANPARSING_H
