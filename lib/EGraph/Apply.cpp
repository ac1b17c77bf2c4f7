//===- Apply.cpp - Applying rules to matches ------------------------------===//
//
// Part of Prism.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With proofs on, a union relates two concrete terms: the left side under the
// substitution, and the right side. The substitution takes the terms that the
// matched nodes were written with, so that the left side mostly is a node that
// exists; else it is added as a shadow, equal to the matched node by
// congruence.
//
//===----------------------------------------------------------------------===//

#include "Apply.h"
#include "llvm/ADT/STLExtras.h"

using namespace prism::egraph;
using llvm::ArrayRef;
using llvm::SmallVector;

RuleApplier::Outcome RuleApplier::apply(const CompiledRule &rule,
                                        MatchRegisters &registers) {
  match = &registers;
  // What a callback does is not known beforehand.
  if (rule.rule.applier)
    return Outcome::Grows;
  if (alreadyHolds(rule))
    return Outcome::Nothing;
  if (createsClasses(rule))
    return Outcome::Grows;
  bool changed = graph.hasProofs() ? applyWithProof(rule) : applyPlain(rule);
  return changed ? Outcome::Changed : Outcome::Nothing;
}

RuleApplier::Outcome RuleApplier::applyAnyway(const CompiledRule &rule,
                                              MatchRegisters &registers) {
  match = &registers;
  bool changed = false;
  if (rule.rule.applier)
    changed = applyCallback(rule);
  else if (!alreadyHolds(rule))
    changed = graph.hasProofs() ? applyWithProof(rule) : applyPlain(rule);
  return changed ? Outcome::Changed : Outcome::Nothing;
}

/// After alreadyHolds: does a subterm of the right side below its root have no
/// class yet?
bool RuleApplier::createsClasses(const CompiledRule &rule) const {
  return llvm::is_contained(ArrayRef<Id>(temps).drop_back(), None);
}

bool RuleApplier::conditionHolds(const CompiledRule &rule,
                                 MatchRegisters &registers) {
  if (!rule.rule.condition)
    return true;
  match = &registers;
  classVars.clear();
  payloadVars.clear();
  for (auto [reg, bound] : llvm::zip(rule.classRegs, rule.bound))
    classVars.push_back(bound ? match->classes[reg] : None);
  for (uint32_t reg : rule.payloadRegs)
    payloadVars.push_back(match->payloads[reg]);
  Match view(graph, match->classes[0], classVars, payloadVars);
  if (!rule.rule.condition(view))
    return false;
  for (auto [var, reg] : llvm::enumerate(rule.classRegs))
    match->classes[reg] = classVars[var];
  for (auto [var, reg] : llvm::enumerate(rule.payloadRegs))
    match->payloads[reg] = payloadVars[var];
  return true;
}

ArrayRef<Payload> RuleApplier::payloadsOf(const CompiledRule &rule,
                                          const Pattern::Node &node) {
  payloadScratch.clear();
  for (const PayloadPattern &payload : node.payloads)
    payloadScratch.push_back(
        payload.isVar ? match->payloads[rule.payloadRegs[payload.value]]
                      : payload.value);
  return payloadScratch;
}

/// Looks the right side up; true if it is in the matched class already. Leaves
/// the classes of its subterms in `temps`.
bool RuleApplier::alreadyHolds(const CompiledRule &rule) {
  temps.clear();
  for (const Pattern::Node &node : rule.rule.right.all()) {
    if (node.isVar) {
      temps.push_back(graph.find(match->classes[rule.classRegs[node.var]]));
      continue;
    }
    SmallVector<Id, 4> children;
    for (uint32_t child : node.children)
      children.push_back(temps[child]);
    if (llvm::is_contained(children, None)) {
      temps.push_back(None);
      continue;
    }
    NodeView key{node.op, payloadsOf(rule, node), children};
    Id found = graph.lookupCanonical(key, hashNode(key));
    temps.push_back(found == None ? None : graph.find(found));
  }
  return temps.back() == graph.find(match->classes[0]);
}

/// Sets up the look-up of subterm k of the right side.
void RuleApplier::startProbe(const CompiledRule &rule, const uint32_t *packed,
                             uint32_t k, Probe &probe) {
  probe.active = false;
  const Pattern &right = rule.rule.right;
  if (k >= right.all().size())
    return;
  const Pattern::Node &node = right[k];
  probe.temps.push_back(None);
  if (node.isVar) {
    probe.temps.back() = graph.find(packed[1 + node.var]);
    return;
  }
  probe.children.clear();
  for (uint32_t child : node.children) {
    probe.children.push_back(probe.temps[child]);
    if (probe.children.back() == None)
      return;
  }
  const uint32_t *payloadVars = packed + 1 + rule.classRegs.size();
  probe.payloads.clear();
  for (const PayloadPattern &payload : node.payloads)
    probe.payloads.push_back(payload.isVar ? payloadVars[payload.value]
                                           : payload.value);
  probe.hash = hashNode({node.op, probe.payloads, probe.children});
  graph.table.prefetch(probe.hash);
  probe.active = true;
}

/// The time of a look-up goes into waiting for memory. So all matches of the
/// batch take each step together, and each step asks for what the next reads.
void RuleApplier::dropHolding(MatchBatch &batch) {
  probes.resize(MatchBatch::capacity);
  size_t longest = 0;
  for (uint32_t i = 0; i != batch.size(); ++i) {
    probes[i].temps.clear();
    longest =
        std::max(longest, program.rules[batch.rule(i)].rule.right.all().size());
  }
  for (uint32_t k = 0; k != longest; ++k) {
    for (uint32_t i = 0; i != batch.size(); ++i)
      startProbe(program.rules[batch.rule(i)], batch.match(i), k, probes[i]);
    for (Probe &probe : llvm::MutableArrayRef(probes).take_front(batch.size()))
      if (probe.active) {
        probe.guess = graph.table.guess(probe.hash);
        probe.active = probe.guess != None;
        if (probe.active) {
          __builtin_prefetch(&graph.store[probe.guess]);
          __builtin_prefetch(&graph.parents[probe.guess]);
        }
      }
    for (Probe &probe : llvm::MutableArrayRef(probes).take_front(batch.size()))
      if (probe.active)
        __builtin_prefetch(&graph.operands[graph.store[probe.guess].begin]);
    for (uint32_t i = 0; i != batch.size(); ++i) {
      Probe &probe = probes[i];
      if (!probe.active)
        continue;
      OpId op = program.rules[batch.rule(i)].rule.right[k].op;
      NodeView key{op, probe.payloads, probe.children};
      Id found = graph.node(probe.guess) == key
                     ? probe.guess
                     : graph.lookupCanonical(key, probe.hash);
      probe.temps.back() = found == None ? None : graph.find(found);
    }
  }
  uint32_t kept = 0;
  for (uint32_t i = 0; i != batch.size(); ++i) {
    const SmallVector<Id, 8> &temps = probes[i].temps;
    if (!temps.empty() && temps.back() == graph.find(batch.match(i)[0]))
      continue;
    batch.keep(i, kept++);
  }
  batch.resize(kept);
}

bool RuleApplier::applyPlain(const CompiledRule &rule) {
  const Pattern &right = rule.rule.right;
  Id root = match->classes[0];
  for (uint32_t i = 0; i != right.all().size(); ++i) {
    if (temps[i] != None)
      continue;
    const Pattern::Node &node = right[i];
    SmallVector<Id, 4> children;
    for (uint32_t child : node.children)
      children.push_back(temps[child]);
    NodeView key{node.op, payloadsOf(rule, node), children};
    uint32_t hash = hashNode(key);
    if (i == right.rootIndex()) {
      graph.createInto(root, key, key, hash);
      return true;
    }
    // A subterm may occur twice in the right side.
    Id found = graph.lookupCanonical(key, hash);
    temps[i] =
        found != None ? graph.find(found) : graph.createNode(key, key, hash);
  }
  return graph.unite(root, temps.back(), EGraph::congruence, true) ==
         MergeResult::Merged;
}

//===----------------------------------------------------------------------===//
// With proofs
//===----------------------------------------------------------------------===//

/// Sets classVars and payloadVars; with proofs on to the terms that the matched
/// nodes were written with.
void RuleApplier::collectSubstitution(const CompiledRule &rule) {
  payloadVars.clear();
  for (uint32_t reg : rule.payloadRegs)
    payloadVars.push_back(match->payloads[reg]);
  classVars.assign(rule.classRegs.size(), None);
  if (graph.hasProofs())
    collectTerms(rule, rule.rule.left.rootIndex());
  for (auto [var, reg] : llvm::enumerate(rule.classRegs)) {
    if (!graph.hasProofs() && rule.bound[var])
      classVars[var] = graph.find(match->classes[reg]);
    if (!rule.bound[var] && rule.rule.condition)
      classVars[var] = match->classes[reg];
  }
}

void RuleApplier::collectTerms(const CompiledRule &rule, uint32_t index) {
  const Pattern &left = rule.rule.left;
  NodeView matched = graph.term(match->nodes[rule.nodeRegs[index]]);
  for (auto [i, child] : llvm::enumerate(left[index].children)) {
    if (!left[child].isVar)
      collectTerms(rule, child);
    else if (classVars[left[child].var] == None)
      classVars[left[child].var] = matched.children[i];
  }
}

/// The term of the left side at a pattern index; None if it contradicts the
/// matched node, which only an analysis that is wrong brings about.
Id RuleApplier::buildLeft(const CompiledRule &rule, uint32_t index) {
  const Pattern::Node &node = rule.rule.left[index];
  if (node.isVar)
    return classVars[node.var];
  SmallVector<Id, 4> children;
  for (uint32_t child : node.children) {
    children.push_back(buildLeft(rule, child));
    if (children.back() == None)
      return None;
  }
  Id matched = match->nodes[rule.nodeRegs[index]];
  NodeView written = graph.term(matched);
  if (written.children == ArrayRef<Id>(children))
    return matched;
  SmallVector<Payload, 4> payloads(written.payloads);
  NodeView key{node.op, payloads, children};
  uint32_t hash = hashNode(key);
  Id found = graph.lookupExact(key, hash);
  if (found == None)
    return graph.createShadow(key, hash, matched);
  // Equal children: congruent, even where rebuild has not seen it yet.
  if (graph.unite(found, matched, EGraph::congruence, true) ==
      MergeResult::Rejected)
    return None;
  return found;
}

bool RuleApplier::applyWithProof(const CompiledRule &rule) {
  collectSubstitution(rule);
  Id left = buildLeft(rule, rule.rule.left.rootIndex());
  if (left == None)
    return false;
  const Pattern &right = rule.rule.right;
  SmallVector<Id, 8> terms;
  for (uint32_t i = 0; i != right.all().size(); ++i) {
    const Pattern::Node &node = right[i];
    if (node.isVar) {
      terms.push_back(classVars[node.var]);
      continue;
    }
    SmallVector<Id, 4> written, canonical;
    for (uint32_t child : node.children) {
      written.push_back(terms[child]);
      canonical.push_back(graph.find(terms[child]));
    }
    ArrayRef<Payload> payloads = payloadsOf(rule, node);
    NodeView key{node.op, payloads, canonical};
    uint32_t hash = hashNode(key);
    if (i != right.rootIndex() || graph.lookupCanonical(key, hash) != None) {
      terms.push_back(graph.add(node.op, written, payloads));
      continue;
    }
    // New: it goes right into the class it was shown to be equal to. (It may
    // be known as a term already, where rebuild has yet to see that.)
    NodeView exact{node.op, payloads, written};
    if (Id known = graph.lookupExact(exact, hashNode(exact)); known != None) {
      terms.push_back(known);
      continue;
    }
    Id id = graph.createInto(left, key, exact, hash);
    if (!graph.equal(id, left))
      return true; // Rejected, but the graph has a new node.
    uint32_t reason =
        graph.recordReason(rule.rule.id, {classVars, payloadVars});
    graph.linkProof(id, left, reason, rule.rule.reversed);
    return true;
  }
  return relate(rule, left, terms.back());
}

bool RuleApplier::relate(const CompiledRule &rule, Id left, Id right) {
  return graph.merge(left, right, rule.rule.id, {classVars, payloadVars},
                     rule.rule.reversed) == MergeResult::Merged;
}

bool RuleApplier::applyCallback(const CompiledRule &rule) {
  collectSubstitution(rule);
  size_t before = graph.numCreated();
  Match view(graph, match->classes[0], classVars, payloadVars);
  std::optional<Id> right = rule.rule.applier(graph, view);
  bool grew = graph.numCreated() != before;
  if (!right || graph.equal(*right, match->classes[0]))
    return grew;
  Id left = match->classes[0];
  if (graph.hasProofs())
    left = buildLeft(rule, rule.rule.left.rootIndex());
  if (left == None)
    return grew;
  return relate(rule, left, *right) || grew;
}
