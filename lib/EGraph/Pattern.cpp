//===- Pattern.cpp - Terms with variables ---------------------------------===//
//
// Part of Prism.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/EGraph/Pattern.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace prism::egraph;
using llvm::Expected;
using llvm::StringRef;

static VarId internVar(std::vector<std::string> &names, StringRef name) {
  auto it = llvm::find(names, name);
  if (it == names.end())
    it = names.insert(names.end(), name.str());
  return VarId(it - names.begin());
}

VarId VarTable::classVar(StringRef name) { return internVar(classes, name); }
VarId VarTable::payloadVar(StringRef name) { return internVar(payloads, name); }

uint32_t Pattern::addVar(VarId var) {
  Node node;
  node.isVar = true;
  node.var = var;
  nodes.push_back(std::move(node));
  return rootIndex();
}

uint32_t Pattern::addApp(OpId op, llvm::ArrayRef<uint32_t> children,
                         llvm::ArrayRef<PayloadPattern> payloads) {
  Node node;
  node.op = op;
  node.children.assign(children.begin(), children.end());
  node.payloads.assign(payloads.begin(), payloads.end());
  nodes.push_back(std::move(node));
  return rootIndex();
}

uint32_t Pattern::depth() const {
  std::vector<uint32_t> depths;
  for (const Node &node : nodes) {
    uint32_t depth = 0;
    for (uint32_t child : node.children)
      depth = std::max(depth, depths[child]);
    depths.push_back(node.isVar ? 0 : depth + 1);
  }
  return depths.empty() ? 0 : depths.back();
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

namespace {
/// A recursive-descent parser of the text form in Pattern.h.
class PatternParser {
public:
  PatternParser(StringRef text, OperatorTable &ops, VarTable &vars,
                Pattern &pattern)
      : text(text), rest(text), ops(ops), vars(vars), pattern(pattern) {}

  llvm::Error parse() {
    Expected<uint32_t> root = parseTerm();
    if (!root)
      return root.takeError();
    skipSpace();
    return rest.empty() ? llvm::Error::success() : error("end of text");
  }

private:
  llvm::Error error(StringRef expected) {
    std::string message;
    llvm::raw_string_ostream(message)
        << "pattern '" << text << "': expected " << expected << " at column "
        << (text.size() - rest.size() + 1) << ", found '" << rest.take_front(12)
        << "'";
    return llvm::createStringError(message);
  }

  void skipSpace() {
    while (!rest.empty() && llvm::isSpace(rest.front()))
      rest = rest.drop_front();
  }

  bool consume(StringRef token) {
    skipSpace();
    return rest.consume_front(token);
  }

  StringRef takeName() {
    skipSpace();
    StringRef name = rest.take_until(
        [](char c) { return llvm::is_contained("()[]? \t\n", c); });
    rest = rest.drop_front(name.size());
    return name;
  }

  Expected<uint32_t> parseTerm() {
    if (consume("?")) {
      StringRef name = takeName();
      if (name.empty())
        return error("a variable's name");
      return pattern.addVar(vars.classVar(name));
    }
    bool nested = consume("(");
    StringRef name = takeName();
    if (name.empty())
      return error("an operator");
    llvm::SmallVector<PayloadPattern, 2> payloads;
    if (rest.consume_front("["))
      if (llvm::Error failure = parsePayloads(payloads))
        return std::move(failure);
    llvm::SmallVector<uint32_t, 4> children;
    while (nested && !consume(")")) {
      Expected<uint32_t> child = parseTerm();
      if (!child)
        return child.takeError();
      children.push_back(*child);
    }
    return pattern.addApp(ops.intern(name), children, payloads);
  }

  llvm::Error parsePayloads(llvm::SmallVectorImpl<PayloadPattern> &payloads) {
    while (!consume("]")) {
      bool isVar = consume("?");
      StringRef name = takeName();
      uint32_t value = 0;
      if (isVar && !name.empty())
        payloads.push_back(PayloadPattern::var(vars.payloadVar(name)));
      else if (!isVar && !name.getAsInteger(10, value))
        payloads.push_back(PayloadPattern::constant(value));
      else
        return error("a payload (a number or ?variable) or ']'");
    }
    return llvm::Error::success();
  }

  StringRef text, rest;
  OperatorTable &ops;
  VarTable &vars;
  Pattern &pattern;
};
} // namespace

Expected<Pattern> Pattern::parse(StringRef text, OperatorTable &ops,
                                 VarTable &vars) {
  Pattern pattern;
  if (llvm::Error failure = PatternParser(text, ops, vars, pattern).parse())
    return std::move(failure);
  return pattern;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static void printNode(const Pattern &pattern, uint32_t index,
                      const OperatorTable &ops, const VarTable &vars,
                      llvm::raw_ostream &os) {
  const Pattern::Node &node = pattern[index];
  if (node.isVar) {
    os << '?' << vars.classes[node.var];
    return;
  }
  if (!node.children.empty())
    os << '(';
  os << ops.name(node.op);
  if (!node.payloads.empty()) {
    os << '[';
    llvm::interleave(
        node.payloads, os,
        [&](const PayloadPattern &payload) {
          if (payload.isVar)
            os << '?' << vars.payloads[payload.value];
          else
            os << payload.value;
        },
        " ");
    os << ']';
  }
  for (uint32_t child : node.children) {
    os << ' ';
    printNode(pattern, child, ops, vars, os);
  }
  if (!node.children.empty())
    os << ')';
}

std::string Pattern::print(const OperatorTable &ops,
                           const VarTable &vars) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (!empty())
    printNode(*this, rootIndex(), ops, vars, os);
  return text;
}
