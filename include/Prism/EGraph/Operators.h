//===- Operators.h - Interned operator names --------------------*- C++ -*-===//
//
// Part of Prism.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Maps operator names to small ids and back. The e-graph itself needs ids
// only; names serve the pattern parser, the printers and certificates.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_EGRAPH_OPERATORS_H
#define PRISM_EGRAPH_OPERATORS_H

#include "Prism/EGraph/Types.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <cassert>
#include <string>
#include <vector>

namespace prism::egraph {

/// Interns operator names; ids are 0, 1, 2, ... in the order of interning.
/// An operator has no fixed arity: nodes of one operator with different
/// numbers of children or payloads simply differ.
class OperatorTable {
public:
  /// The id of `name`, a new one if it was never seen.
  OpId intern(llvm::StringRef name) {
    auto [it, isNew] = ids.try_emplace(name, OpId(names.size()));
    if (isNew)
      names.push_back(name.str());
    return it->second;
  }

  /// The id of `name`, or None.
  OpId lookup(llvm::StringRef name) const {
    auto it = ids.find(name);
    return it == ids.end() ? None : it->second;
  }

  /// The name of an id that intern returned.
  llvm::StringRef name(OpId op) const {
    assert(op < names.size() && "not an operator of this table");
    return names[op];
  }

  size_t size() const { return names.size(); }

private:
  llvm::StringMap<OpId> ids;
  std::vector<std::string> names;
};

} // namespace prism::egraph

#endif // PRISM_EGRAPH_OPERATORS_H
