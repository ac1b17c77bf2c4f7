//===- Term.h - Terms outside of any e-graph --------------------*- C++ -*-===//
//
// Part of Prism.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A TermBank holds plain, immutable, shared terms. Extraction and explanations
// give their results in one, so that what reads them needs no e-graph.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_EGRAPH_TERM_H
#define PRISM_EGRAPH_TERM_H

#include "Prism/EGraph/IdTable.h"
#include "Prism/EGraph/Operators.h"
#include "Prism/EGraph/Types.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace prism::egraph {

/// Hash-consed terms: syntactically equal terms have equal TermIds, and the
/// children of a term have smaller TermIds than the term.
class TermBank {
public:
  /// The term op[payloads](children).
  TermId add(OpId op, llvm::ArrayRef<TermId> children = {},
             llvm::ArrayRef<Payload> payloads = {});

  /// The top node of a term; valid until the next add.
  NodeView node(TermId term) const;

  /// The term with its subterm at `position` (child indices from the root)
  /// replaced. None if there is no such position.
  TermId replaceAt(TermId term, llvm::ArrayRef<uint32_t> position,
                   TermId replacement);

  /// The subterm at `position`, or None.
  TermId subterm(TermId term, llvm::ArrayRef<uint32_t> position) const;

  /// Readable form, e.g. "(+ x (mul[3] y z))".
  std::string print(TermId term, const OperatorTable &ops) const;

  /// Reads the printed form; interns operators. Variables are errors.
  llvm::Expected<TermId> parse(llvm::StringRef text, OperatorTable &ops);

  size_t size() const { return nodes.size(); }

private:
  struct Node {
    OpId op;
    uint32_t begin;
    uint32_t numPayloads;
    uint32_t numChildren;
  };
  std::vector<Node> nodes;
  std::vector<uint32_t> operands;
  IdTable table;
};

} // namespace prism::egraph

#endif // PRISM_EGRAPH_TERM_H
