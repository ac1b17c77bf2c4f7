//===- Explain.cpp - Flat proofs from the proof forest --------------------===//
//
// Part of Prism.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Equal terms lie in one tree of the proof forest, and the path between them is
// the proof. A congruence edge on it is proved child by child. That recursion
// ends: the path between two children was there before the congruence edge, and
// the path between two terms of a tree never changes.
//
//===----------------------------------------------------------------------===//

#include "Prism/EGraph/Explain.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/raw_ostream.h"
#include <deque>

using namespace prism::egraph;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace prism::egraph {
class Explainer {
public:
  Explainer(const EGraph &graph, TermBank &bank, size_t maxSteps)
      : graph(graph), bank(bank), budget(maxSteps) {}

  using Steps = std::vector<ProofStep>;

  /// The steps from a to b, positions relative to a; null if too many. The
  /// result is shared: a pair is proved once.
  const Steps *prove(Id a, Id b) {
    static const Steps nothing;
    if (a == b)
      return &nothing;
    uint64_t key = uint64_t(a) << 32 | b;
    if (auto it = known.find(key); it != known.end())
      return it->second;
    Steps steps;
    if (!walk(a, b, steps))
      return nullptr;
    cutLoops(convert(a), steps);
    proofs.push_back(std::move(steps));
    return known[key] = &proofs.back();
  }

  /// The term behind an id, in the bank.
  TermId convert(Id id) {
    // Children have smaller ids, so this ends; a stack, for deep terms.
    SmallVector<Id, 16> stack = {id};
    while (!stack.empty()) {
      Id top = stack.back();
      if (terms.count(top)) {
        stack.pop_back();
        continue;
      }
      NodeView node = graph.term(top);
      SmallVector<TermId, 4> children;
      for (Id child : node.children) {
        if (auto it = terms.find(child); it != terms.end())
          children.push_back(it->second);
        else
          stack.push_back(child);
      }
      if (children.size() != node.children.size())
        continue;
      terms[top] = bank.add(node.op, children, node.payloads);
      stack.pop_back();
    }
    return terms[id];
  }

private:
  /// Follows the path from a up to the lowest common ancestor and down to b.
  bool walk(Id a, Id b, Steps &steps) {
    SmallVector<Id, 16> up = pathToRoot(a), down = pathToRoot(b);
    while (up.size() > 1 && down.size() > 1 &&
           up[up.size() - 2] == down[down.size() - 2]) {
      up.pop_back();
      down.pop_back();
    }
    for (size_t i = 0; i + 1 < up.size(); ++i)
      if (!cross(up[i], up[i + 1], graph.proofEdges[up[i]].reason, steps))
        return false;
    for (size_t i = down.size() - 1; i > 0; --i)
      if (!cross(down[i], down[i - 1], graph.proofEdges[down[i - 1]].reason ^ 1,
                 steps))
        return false;
    return true;
  }

  SmallVector<Id, 16> pathToRoot(Id id) {
    SmallVector<Id, 16> path = {id};
    while ((id = graph.proofEdges[id].to) != None)
      path.push_back(id);
    return path;
  }

  /// Appends the steps of one edge, read from `from` to `to`.
  bool cross(Id from, Id to, uint32_t reason, Steps &steps) {
    if (reason >> 1 != EGraph::congruence) {
      if (!spend(1))
        return false;
      steps.push_back(ruleStep(from, to, reason));
      return true;
    }
    NodeView nodeFrom = graph.term(from), nodeTo = graph.term(to);
    for (uint32_t i = 0; i != nodeFrom.children.size(); ++i) {
      const Steps *inner = prove(nodeFrom.children[i], nodeTo.children[i]);
      if (!inner || !spend(inner->size()))
        return false;
      for (const ProofStep &step : *inner) {
        steps.push_back(step);
        steps.back().position.insert(steps.back().position.begin(), i);
      }
    }
    return true;
  }

  ProofStep ruleStep(Id from, Id to, uint32_t reason) {
    const uint32_t *data = graph.reasons.data() + (reason >> 1);
    ProofStep step;
    step.rule = data[0];
    step.forward = reason & 1;
    step.before = convert(from);
    step.after = convert(to);
    ArrayRef<Id> classes(data + 3, data[1]);
    for (Id term : classes)
      step.classes.push_back(term == None ? None : convert(term));
    ArrayRef<Payload> payloads(classes.end(), data[2]);
    step.payloads.assign(payloads.begin(), payloads.end());
    return step;
  }

  /// Where the chain comes back to a term it has been at, the steps between are
  /// dropped.
  void cutLoops(TermId start, Steps &steps) {
    llvm::DenseMap<TermId, size_t> reachedAfter;
    SmallVector<TermId, 16> chain = {start};
    reachedAfter[start] = 0;
    size_t kept = 0;
    TermId current = start;
    for (size_t i = 0; i != steps.size(); ++i) {
      current = bank.replaceAt(current, steps[i].position, steps[i].after);
      if (auto it = reachedAfter.find(current); it != reachedAfter.end()) {
        kept = it->second;
        while (chain.size() > kept + 1)
          reachedAfter.erase(chain.pop_back_val());
        continue;
      }
      if (kept != i)
        steps[kept] = std::move(steps[i]);
      reachedAfter[current] = ++kept;
      chain.push_back(current);
    }
    steps.resize(kept);
  }

  bool spend(size_t steps) {
    if (steps > budget)
      return false;
    budget -= steps;
    return true;
  }

  const EGraph &graph;
  TermBank &bank;
  size_t budget;
  llvm::DenseMap<Id, TermId> terms;
  llvm::DenseMap<uint64_t, const Steps *> known;
  std::deque<Steps> proofs;
};
} // namespace prism::egraph

llvm::Expected<Explanation> prism::egraph::explain(const EGraph &graph, Id a,
                                                   Id b, size_t maxSteps) {
  if (!graph.hasProofs())
    return llvm::createStringError(
        "the e-graph records no proofs: create it with proofs on");
  if (!graph.equal(a, b))
    return llvm::createStringError("the terms are not known to be equal");
  Explanation result;
  Explainer explainer(graph, result.terms, maxSteps);
  result.start = explainer.convert(a);
  result.end = explainer.convert(b);
  const Explainer::Steps *steps = explainer.prove(a, b);
  if (!steps)
    return llvm::createStringError("the flat proof has more than %zu steps",
                                   maxSteps);
  result.steps = *steps;
  return std::move(result);
}

std::string Explanation::print(const OperatorTable &ops) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  TermBank bank = terms;
  TermId current = start;
  os << bank.print(current, ops) << "\n";
  for (const ProofStep &step : steps) {
    current = bank.replaceAt(current, step.position, step.after);
    os << (step.forward ? "-> " : "<- ") << "rule " << step.rule << " at [";
    llvm::interleave(step.position, os, ".");
    os << "]: " << bank.print(current, ops) << "\n";
  }
  return text;
}
