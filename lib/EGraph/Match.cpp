//===- Match.cpp - E-matching ---------------------------------------------===//
//
// Part of Prism.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The virtual machine that runs a MatchProgram. Class registers hold canonical
// ids as of the last rebuild; unions that are made while matches are applied
// only show up in `find`, and the nodes they touch get a new stamp, so that the
// next round sees what this one may have missed.
//
//===----------------------------------------------------------------------===//

#include "MatchProgram.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>

using namespace prism::egraph;
using llvm::ArrayRef;

Matcher::Matcher(const EGraph &graph, const MatchProgram &program)
    : graph(graph), program(program) {
  registers.classes.resize(program.numClassRegs);
  registers.payloads.resize(program.numPayloadRegs);
  registers.nodes.resize(program.numNodeRegs);
}

bool Matcher::run(Id root, uint32_t newSince, Sink newSink) {
  since = newSince;
  sink = newSink;
  OpId op = graph.store[root].op;
  if (op >= program.rootsByOp.size() || !graph.isLive(root))
    return true;
  registers.classes[0] = graph.find(root);
  for (uint32_t first : program.rootsByOp[op])
    if (!bindNode(program.instructions[first], root, false))
      return false;
  return true;
}

bool Matcher::runAll(ArrayRef<uint32_t> list, bool anyNew) {
  for (uint32_t index : list) {
    const Instruction &inst = program.instructions[index];
    bool go = true;
    switch (inst.kind) {
    case Instruction::Bind:
      if (!runBind(inst, anyNew))
        return false;
      continue;
    case Instruction::Lookup:
      if (!runLookup(inst, anyNew))
        return false;
      continue;
    case Instruction::Yield:
      if (anyNew && !sink(inst.a, registers))
        return false;
      continue;
    case Instruction::Compare:
      go = graph.find(registers.classes[inst.a]) ==
           graph.find(registers.classes[inst.b]);
      break;
    case Instruction::PayloadConst:
      go = registers.payloads[inst.a] == inst.b;
      break;
    case Instruction::PayloadVar:
      go = registers.payloads[inst.a] == registers.payloads[inst.b];
      break;
    }
    if (go && !runAll(inst.next, anyNew))
      return false;
  }
  return true;
}

bool Matcher::runBind(const Instruction &inst, bool anyNew) {
  const EGraph::ClassInfo &info =
      graph.infoOf(graph.find(registers.classes[inst.a]));
  if (!(info.operators & EGraph::operatorBit(inst.op)) ||
      (inst.last && !anyNew && info.changed < since))
    return true;
  ArrayRef<Id> nodes(graph.index.data() + info.indexBegin, info.indexCount);
  const Id *it = nodes.begin();
  if (nodes.size() > 8)
    it = std::lower_bound(it, nodes.end(), inst.op, [&](Id id, OpId op) {
      return graph.store[id].op < op;
    });
  for (; it != nodes.end(); ++it) {
    OpId op = graph.store[*it].op;
    if (op > inst.op)
      break;
    if (op == inst.op && !bindNode(inst, *it, anyNew))
      return false;
  }
  return true;
}

bool Matcher::bindNode(const Instruction &inst, Id id, bool anyNew) {
  anyNew |= graph.stamps[id] >= since;
  if (inst.last && !anyNew)
    return true;
  const EGraph::Node &node = graph.store[id];
  if (node.numChildren != inst.numChildren ||
      node.numPayloads != inst.numPayloads)
    return true;
  const uint32_t *from = graph.operands.data() + node.begin;
  for (uint32_t i = 0; i != inst.numPayloads; ++i)
    registers.payloads[inst.outPayload + i] = *from++;
  for (uint32_t i = 0; i != inst.numChildren; ++i)
    registers.classes[inst.outClass + i] = *from++;
  registers.nodes[inst.outNode] = id;
  return runAll(inst.next, anyNew);
}

bool Matcher::runLookup(const Instruction &inst, bool anyNew) {
  llvm::SmallVector<Id, 8> children;
  for (uint32_t reg : inst.children)
    children.push_back(graph.find(registers.classes[reg]));
  llvm::SmallVector<Payload, 4> payloads;
  for (const PayloadPattern &payload : inst.payloads)
    payloads.push_back(payload.isVar ? registers.payloads[payload.value]
                                     : payload.value);
  NodeView key{inst.op, payloads, children};
  Id found = graph.lookupCanonical(key, hashNode(key));
  if (found == None)
    return true;
  anyNew |= graph.stamps[found] >= since;
  registers.classes[inst.outClass] = graph.find(found);
  registers.nodes[inst.outNode] = found;
  return runAll(inst.next, anyNew);
}

std::vector<PatternMatch> prism::egraph::matchPattern(const EGraph &graph,
                                                      const Pattern &pattern,
                                                      const VarTable &vars,
                                                      Id within) {
  std::vector<PatternMatch> result;
  if (pattern.empty() || pattern.root().isVar) {
    // A lone variable matches every class.
    std::vector<Id> roots = graph.classes();
    if (within != None)
      roots = {graph.find(within)};
    for (Id root : roots) {
      PatternMatch &match = result.emplace_back();
      match.root = root;
      match.classes.assign(vars.classes.size(), None);
      match.payloads.assign(vars.payloads.size(), None);
      if (!pattern.empty())
        match.classes[pattern.root().var] = root;
    }
    return result;
  }
  MatchProgram program;
  Rule rule;
  rule.vars = vars;
  rule.left = pattern;
  program.add(std::move(rule));
  const CompiledRule &compiled = program.rules.front();
  auto record = [&](uint32_t, MatchRegisters &registers) {
    PatternMatch &match = result.emplace_back();
    match.root = registers.classes[0];
    for (auto [reg, bound] : llvm::zip(compiled.classRegs, compiled.bound))
      match.classes.push_back(bound ? registers.classes[reg] : None);
    for (uint32_t reg : compiled.payloadRegs)
      match.payloads.push_back(registers.payloads[reg]);
    return true;
  };
  std::vector<Id> classes = graph.classes();
  if (within != None)
    classes = {graph.find(within)};
  Matcher matcher(graph, program);
  for (Id eclass : classes)
    for (Id root : graph.nodes(eclass))
      matcher.run(root, /*since=*/0, record);
  return result;
}
