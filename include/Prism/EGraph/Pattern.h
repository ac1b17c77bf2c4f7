//===- Pattern.h - Terms with variables -------------------------*- C++ -*-===//
//
// Part of Prism.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Patterns are terms over class variables (standing for any class) and payload
// variables (standing for any attribute). A variable may occur repeatedly.
//
// Text form:  ?x                      a class variable
//             zero                    a node without children
//             (+ ?x (neg ?y))         an operator applied to patterns
//             (part[?d ?p] ?t)        payload variables in brackets
//             (shift[3] ?t), c[7]     constant payloads
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_EGRAPH_PATTERN_H
#define PRISM_EGRAPH_PATTERN_H

#include "Prism/EGraph/Operators.h"
#include "Prism/EGraph/Types.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace prism::egraph {

/// The variables of a rule, by name; both sides share one table, so that a
/// substitution is one array per kind of variable.
struct VarTable {
  std::vector<std::string> classes;
  std::vector<std::string> payloads;

  /// The index of a class (payload) variable; added if new.
  VarId classVar(llvm::StringRef name);
  VarId payloadVar(llvm::StringRef name);
};

/// A payload in a pattern: a constant or a variable.
struct PayloadPattern {
  bool isVar = false;
  uint32_t value = 0; ///< The constant, or the payload variable's VarId.

  static PayloadPattern constant(Payload value) { return {false, value}; }
  static PayloadPattern var(VarId var) { return {true, var}; }
};

/// A term with variables, children before parents; the last node is the root.
class Pattern {
public:
  struct Node {
    bool isVar = false;
    VarId var = None; ///< If isVar.
    OpId op = None;   ///< Otherwise, with the two lists below.
    llvm::SmallVector<PayloadPattern, 2> payloads;
    llvm::SmallVector<uint32_t, 3> children; ///< Indices of earlier nodes.
  };

  /// Appends a node and returns its index. The last one added is the root.
  uint32_t addVar(VarId var);
  uint32_t addApp(OpId op, llvm::ArrayRef<uint32_t> children = {},
                  llvm::ArrayRef<PayloadPattern> payloads = {});

  /// Reads the text form above. Interns operators and variables.
  static llvm::Expected<Pattern> parse(llvm::StringRef text, OperatorTable &ops,
                                       VarTable &vars);

  std::string print(const OperatorTable &ops, const VarTable &vars) const;

  bool empty() const { return nodes.empty(); }
  const Node &root() const { return nodes.back(); }
  uint32_t rootIndex() const { return uint32_t(nodes.size()) - 1; }
  const Node &operator[](uint32_t index) const { return nodes[index]; }
  llvm::ArrayRef<Node> all() const { return nodes; }

  /// Nested operators from the root: 0 for a variable, 1 for (+ ?a ?b).
  uint32_t depth() const;

private:
  std::vector<Node> nodes;
};

} // namespace prism::egraph

#endif // PRISM_EGRAPH_PATTERN_H
