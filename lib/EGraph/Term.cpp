//===- Term.cpp - Terms outside of any e-graph ----------------------------===//
//
// Part of Prism.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/EGraph/Term.h"
#include "Prism/EGraph/Pattern.h"
#include "llvm/Support/raw_ostream.h"

using namespace prism::egraph;
using llvm::ArrayRef;
using llvm::SmallVector;

NodeView TermBank::node(TermId term) const {
  const Node &node = nodes[term];
  const uint32_t *begin = operands.data() + node.begin;
  return {node.op,
          {begin, node.numPayloads},
          {begin + node.numPayloads, node.numChildren}};
}

TermId TermBank::add(OpId op, ArrayRef<TermId> childrenRef,
                     ArrayRef<Payload> payloadsRef) {
  // Copies: the arguments may point into our own pool, which may move.
  SmallVector<TermId, 8> children(childrenRef);
  SmallVector<Payload, 4> payloads(payloadsRef);
  NodeView key{op, payloads, children};
  uint32_t hash = hashNode(key);
  if (TermId found =
          table.find(hash, [&](TermId id) { return node(id) == key; });
      found != None)
    return found;
  TermId id = TermId(nodes.size());
  nodes.push_back({op, uint32_t(operands.size()), uint32_t(payloads.size()),
                   uint32_t(children.size())});
  operands.insert(operands.end(), payloads.begin(), payloads.end());
  operands.insert(operands.end(), children.begin(), children.end());
  table.insert(hash, id);
  return id;
}

TermId TermBank::subterm(TermId term, ArrayRef<uint32_t> position) const {
  for (uint32_t child : position) {
    if (child >= nodes[term].numChildren)
      return None;
    term = node(term).children[child];
  }
  return term;
}

TermId TermBank::replaceAt(TermId term, ArrayRef<uint32_t> position,
                           TermId replacement) {
  // Down along the position, then up again, rebuilding each node passed.
  SmallVector<TermId, 8> path;
  for (uint32_t child : position) {
    if (child >= nodes[term].numChildren)
      return None;
    path.push_back(term);
    term = node(term).children[child];
  }
  for (size_t i = path.size(); i-- > 0;) {
    NodeView view = node(path[i]);
    SmallVector<TermId, 8> children(view.children);
    children[position[i]] = replacement;
    replacement = add(view.op, children, view.payloads);
  }
  return replacement;
}

static void printTerm(const TermBank &bank, TermId term,
                      const OperatorTable &ops, llvm::raw_ostream &os) {
  NodeView view = bank.node(term);
  if (!view.children.empty())
    os << '(';
  os << ops.name(view.op);
  if (!view.payloads.empty()) {
    os << '[';
    llvm::interleave(view.payloads, os, " ");
    os << ']';
  }
  for (TermId child : view.children) {
    os << ' ';
    printTerm(bank, child, ops, os);
  }
  if (!view.children.empty())
    os << ')';
}

std::string TermBank::print(TermId term, const OperatorTable &ops) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  printTerm(*this, term, ops, os);
  return text;
}

llvm::Expected<TermId> TermBank::parse(llvm::StringRef text,
                                       OperatorTable &ops) {
  VarTable vars;
  llvm::Expected<Pattern> pattern = Pattern::parse(text, ops, vars);
  if (!pattern)
    return pattern.takeError();
  if (!vars.classes.empty() || !vars.payloads.empty())
    return llvm::createStringError("a term has no variables: '%s'",
                                   text.str().c_str());
  std::vector<TermId> ids;
  for (const Pattern::Node &node : pattern->all()) {
    SmallVector<TermId, 4> children;
    for (uint32_t child : node.children)
      children.push_back(ids[child]);
    SmallVector<Payload, 4> payloads;
    for (const PayloadPattern &payload : node.payloads)
      payloads.push_back(payload.value);
    ids.push_back(add(node.op, children, payloads));
  }
  return ids.back();
}
