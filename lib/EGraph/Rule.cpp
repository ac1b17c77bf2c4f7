//===- Rule.cpp - Rules and their compilation -----------------------------===//
//
// Part of Prism.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/EGraph/Rule.h"
#include "MatchProgram.h"
#include "llvm/ADT/STLExtras.h"
#include <deque>

using namespace prism::egraph;
using llvm::Expected;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

Expected<Rule> Rule::parse(OperatorTable &ops, RuleId id, StringRef left,
                           StringRef right, Condition condition) {
  Rule rule;
  rule.id = id;
  rule.condition = std::move(condition);
  Expected<Pattern> leftPattern = Pattern::parse(left, ops, rule.vars);
  if (!leftPattern)
    return leftPattern.takeError();
  Expected<Pattern> rightPattern = Pattern::parse(right, ops, rule.vars);
  if (!rightPattern)
    return rightPattern.takeError();
  rule.left = std::move(*leftPattern);
  rule.right = std::move(*rightPattern);
  return rule;
}

Expected<Rule> Rule::parse(OperatorTable &ops, RuleId id, StringRef left,
                           Applier applier, Condition condition) {
  Rule rule;
  rule.id = id;
  rule.condition = std::move(condition);
  rule.applier = std::move(applier);
  Expected<Pattern> pattern = Pattern::parse(left, ops, rule.vars);
  if (!pattern)
    return pattern.takeError();
  rule.left = std::move(*pattern);
  return rule;
}

Rule Rule::inverse() const {
  Rule result = *this;
  std::swap(result.left, result.right);
  result.reversed = !reversed;
  return result;
}

namespace {
struct UsedVars {
  explicit UsedVars(const Pattern &pattern) {
    for (const Pattern::Node &node : pattern.all()) {
      if (node.isVar)
        classes.push_back(node.var);
      for (const PayloadPattern &payload : node.payloads)
        if (payload.isVar)
          payloads.push_back(payload.value);
    }
  }
  llvm::SmallVector<VarId, 4> classes, payloads;
};
} // namespace

static llvm::Error checkRule(const Rule &rule) {
  auto error = [&](const char *what, StringRef name = "") {
    return llvm::createStringError("rule %u: %s%s", unsigned(rule.id), what,
                                   name.str().c_str());
  };
  if (rule.left.empty() || rule.left.root().isVar)
    return error("the left side must be an operator, not a variable");
  if (rule.right.empty() == !rule.applier)
    return error("expected a right side or an applier, and not both");
  if (rule.right.empty() || rule.condition)
    return llvm::Error::success(); // A condition may bind what is missing.
  UsedVars left(rule.left), right(rule.right);
  for (VarId var : right.classes)
    if (!llvm::is_contained(left.classes, var))
      return error("the left side does not bind ?", rule.vars.classes[var]);
  for (VarId var : right.payloads)
    if (!llvm::is_contained(left.payloads, var))
      return error("the left side does not bind ?", rule.vars.payloads[var]);
  return llvm::Error::success();
}

RuleSet::RuleSet() : compiled(std::make_unique<MatchProgram>()) {}
RuleSet::~RuleSet() = default;
RuleSet::RuleSet(RuleSet &&) = default;
RuleSet &RuleSet::operator=(RuleSet &&) = default;

llvm::Error RuleSet::add(Rule rule) {
  if (llvm::Error failure = checkRule(rule))
    return failure;
  compiled->add(std::move(rule));
  return llvm::Error::success();
}

size_t RuleSet::size() const { return compiled->rules.size(); }
const Rule &RuleSet::operator[](size_t index) const {
  return compiled->rules[index].rule;
}

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

bool Instruction::sameAs(const Instruction &other) const {
  auto samePayload = [](const PayloadPattern &x, const PayloadPattern &y) {
    return x.isVar == y.isVar && x.value == y.value;
  };
  return kind == other.kind && kind != Yield && a == other.a && b == other.b &&
         op == other.op && numPayloads == other.numPayloads &&
         numChildren == other.numChildren && children == other.children &&
         outClass == other.outClass && outPayload == other.outPayload &&
         outNode == other.outNode &&
         llvm::equal(payloads, other.payloads, samePayload);
}

namespace {
/// Compiles one left side to a straight line of instructions.
class LeftCompiler {
public:
  explicit LeftCompiler(CompiledRule &rule) : rule(rule), left(rule.rule.left) {
    rule.classRegs.assign(rule.rule.vars.classes.size(), None);
    rule.payloadRegs.assign(rule.rule.vars.payloads.size(), None);
    rule.nodeRegs.assign(left.all().size(), None);
  }

  std::vector<Instruction> compile() {
    bind(left.rootIndex(), 0);
    while (!todo.empty()) {
      // A subterm whose variables are all known is one hash look-up.
      auto it = llvm::find_if(
          todo, [&](const Todo &todo) { return allBound(todo.pattern); });
      bool known = it != todo.end();
      if (!known)
        it = todo.begin();
      Todo item = *it;
      todo.erase(it);
      if (known)
        compare(lookup(item.pattern), item.reg);
      else
        bind(item.pattern, item.reg);
    }
    finish();
    return std::move(code);
  }

  uint32_t numClassRegs = 1, numPayloadRegs = 0, numNodeRegs = 0;

private:
  struct Todo {
    uint32_t pattern; ///< An operator of the left side,
    uint32_t reg;     ///< to be matched in this class.
  };

  /// Binds the pattern's operator in class[reg], then its variables; nested
  /// operators wait.
  void bind(uint32_t index, uint32_t reg) {
    const Pattern::Node &node = left[index];
    Instruction inst;
    inst.kind = Instruction::Bind;
    inst.a = reg;
    inst.op = node.op;
    inst.numPayloads = uint32_t(node.payloads.size());
    inst.numChildren = uint32_t(node.children.size());
    inst.outClass = numClassRegs;
    inst.outPayload = numPayloadRegs;
    inst.outNode = rule.nodeRegs[index] = numNodeRegs++;
    numClassRegs += inst.numChildren;
    numPayloadRegs += inst.numPayloads;
    code.push_back(inst);
    for (auto [i, payload] : llvm::enumerate(node.payloads))
      bindPayload(payload, inst.outPayload + uint32_t(i));
    for (auto [i, child] : llvm::enumerate(node.children)) {
      uint32_t childReg = inst.outClass + uint32_t(i);
      if (!left[child].isVar)
        todo.push_back({child, childReg});
      else if (uint32_t &known = rule.classRegs[left[child].var]; known == None)
        known = childReg;
      else
        compare(childReg, known);
    }
  }

  void bindPayload(const PayloadPattern &payload, uint32_t reg) {
    Instruction inst;
    inst.a = reg;
    inst.b = payload.value;
    inst.kind = Instruction::PayloadConst;
    if (payload.isVar) {
      uint32_t &known = rule.payloadRegs[payload.value];
      if (known == None) {
        known = reg;
        return;
      }
      inst.kind = Instruction::PayloadVar;
      inst.b = known;
    }
    code.push_back(inst);
  }

  void compare(uint32_t a, uint32_t b) {
    Instruction inst;
    inst.kind = Instruction::Compare;
    inst.a = a;
    inst.b = b;
    code.push_back(inst);
  }

  bool allBound(uint32_t index) {
    const Pattern::Node &node = left[index];
    if (node.isVar)
      return rule.classRegs[node.var] != None;
    return llvm::all_of(node.payloads,
                        [&](const PayloadPattern &payload) {
                          return !payload.isVar ||
                                 rule.payloadRegs[payload.value] != None;
                        }) &&
           llvm::all_of(node.children,
                        [&](uint32_t child) { return allBound(child); });
  }

  /// Looks the subterm up; returns the register of its class.
  uint32_t lookup(uint32_t index) {
    const Pattern::Node &node = left[index];
    if (node.isVar)
      return rule.classRegs[node.var];
    Instruction inst;
    inst.kind = Instruction::Lookup;
    inst.op = node.op;
    for (uint32_t child : node.children)
      inst.children.push_back(lookup(child));
    for (PayloadPattern payload : node.payloads) {
      if (payload.isVar)
        payload.value = rule.payloadRegs[payload.value];
      inst.payloads.push_back(payload);
    }
    inst.outClass = numClassRegs++;
    inst.outNode = rule.nodeRegs[index] = numNodeRegs++;
    code.push_back(inst);
    return inst.outClass;
  }

  /// Registers for the variables that a condition binds.
  void finish() {
    rule.bound.assign(rule.classRegs.size(), true);
    for (auto [var, reg] : llvm::enumerate(rule.classRegs))
      if (reg == None) {
        reg = numClassRegs++;
        rule.bound[var] = false;
      }
    for (uint32_t &reg : rule.payloadRegs)
      if (reg == None)
        reg = numPayloadRegs++;
    for (uint32_t reg : rule.nodeRegs)
      if (reg != None)
        rule.boundNodes.push_back(reg);
  }

  CompiledRule &rule;
  const Pattern &left;
  std::vector<Instruction> code;
  std::deque<Todo> todo;
};
} // namespace

void MatchProgram::add(Rule newRule) {
  CompiledRule &rule = rules.emplace_back();
  rule.rule = std::move(newRule);
  LeftCompiler compiler(rule);
  std::vector<Instruction> code = compiler.compile();
  numClassRegs = std::max(numClassRegs, compiler.numClassRegs);
  numPayloadRegs = std::max(numPayloadRegs, compiler.numPayloadRegs);
  numNodeRegs = std::max(numNodeRegs, compiler.numNodeRegs);
  depth = std::max(depth, rule.rule.left.depth());

  Instruction yield;
  yield.a = uint32_t(rules.size()) - 1;
  code.push_back(yield);
  OpId rootOp = code.front().op;
  if (rootOp >= rootsByOp.size()) {
    rootsByOp.resize(rootOp + 1);
    depthByOp.resize(rootOp + 1, 0);
  }
  depthByOp[rootOp] = std::max(depthByOp[rootOp], rule.rule.left.depth());

  // Walk down the tree along equal instructions; grow it where they end.
  uint32_t parent = None;
  for (size_t i = 0; i != code.size(); ++i) {
    auto isSearch = [](const Instruction &inst) {
      return inst.kind == Instruction::Bind || inst.kind == Instruction::Lookup;
    };
    bool more = llvm::any_of(llvm::drop_begin(code, i + 1), isSearch);
    std::vector<uint32_t> &list =
        parent == None ? rootsByOp[rootOp] : instructions[parent].next;
    auto it = llvm::find_if(
        list, [&](uint32_t k) { return instructions[k].sameAs(code[i]); });
    uint32_t found;
    if (it != list.end()) {
      found = *it;
    } else {
      found = uint32_t(instructions.size());
      list.push_back(found); // Before `instructions` moves.
      instructions.push_back(code[i]);
    }
    instructions[found].last &= !more;
    parent = found;
  }
}
