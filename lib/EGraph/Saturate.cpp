//===- Saturate.cpp - Running rules to a fixed point ----------------------===//
//
// Part of Prism.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/EGraph/Saturate.h"
#include "Apply.h"
#include "MatchProgram.h"
#include "llvm/Support/MathExtras.h"
#include <chrono>

using namespace prism::egraph;

llvm::StringRef prism::egraph::stringify(StopReason reason) {
  switch (reason) {
  case StopReason::Saturated:
    return "saturated";
  case StopReason::Goal:
    return "goal";
  case StopReason::NodeLimit:
    return "node limit";
  case StopReason::IterationLimit:
    return "iteration limit";
  case StopReason::StepLimit:
    return "step limit";
  case StopReason::TimeLimit:
    return "time limit";
  case StopReason::Interrupted:
    return "interruption";
  }
  return "unknown";
}

namespace prism::egraph {
/// One call of saturate.
///
/// Matches that create no class are applied where they are found; those that do
/// wait on the agenda and are applied one at a time, with the graph rebuilt
/// after each. Thus a term that is about to be created in many forms (x+y, y+x,
/// ...) mostly is created once. Small classes come before large ones, so that
/// what the matches of a large class lead to mostly exists when they are found.
/// Under AC rules both together save nine in ten of the nodes and matches that
/// round-by-round application makes.
class Saturator {
public:
  Saturator(EGraph &graph, const MatchProgram &program, const Limits &limits)
      : graph(graph), program(program), limits(limits), packer(program),
        batch(packer), agenda(packer), applier(graph, program),
        createdAtStart(graph.numCreated()),
        rejectedAtStart(graph.numRejected()) {
    result.rules.resize(program.rules.size());
    registers.classes.resize(program.numClassRegs);
    registers.payloads.resize(program.numPayloadRegs);
    registers.nodes.resize(program.numNodeRegs);
  }

  SaturationResult run(SaturationState &state,
                       llvm::function_ref<bool(const EGraph &)> goal) {
    graph.rebuild();
    since = state.epoch;
    std::vector<Id> changed;
    for (Id id = 0, e = Id(graph.numIds()); id != e; ++id)
      if (graph.isLive(id) && graph.stamps[id] >= since)
        changed.push_back(id);
    scheduleRoots(changed);
    while (true) {
      if (goal && goal(graph)) {
        result.reason = StopReason::Goal;
        break;
      }
      if (!agenda.advance()) {
        result.reason =
            skipped ? StopReason::IterationLimit : StopReason::Saturated;
        if (!skipped)
          state.epoch = ++graph.epoch;
        break;
      }
      if (!step())
        break;
      graph.rebuild();
      scheduleRoots(graph.recentNodes);
    }
    graph.rebuild();
    result.rejected = graph.numRejected() - rejectedAtStart;
    result.seconds = elapsed();
    return std::move(result);
  }

private:
  double elapsed() const {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

  /// Does what the agenda says; false if a limit was hit.
  bool step() {
    graph.matching = true;
    std::vector<Id> roots = agenda.popRoots();
    bool complete = roots.empty() ? applyNext() : matchFrom(roots);
    graph.matching = false;
    return complete;
  }

  /// Puts the nodes on the agenda at which a changed node may make a match.
  void scheduleRoots(llvm::ArrayRef<Id> changed) {
    matchedAt.resize(graph.numIds(), since);
    scheduled.resize(graph.numIds(), false);
    for (Id root : candidates(changed)) {
      if (scheduled[root])
        continue;
      scheduled[root] = true;
      agenda.pushRoot(sizeOf(root), root);
    }
  }

  /// The order of magnitude of a node's class.
  uint32_t sizeOf(Id node) const {
    return llvm::Log2_64(graph.nodes(node).size() + 1);
  }

  /// The nodes at which a match that involves a changed node may be rooted: a
  /// match reaches as deep as the left sides that begin with its root's
  /// operator.
  llvm::ArrayRef<Id> candidates(llvm::ArrayRef<Id> changed) {
    roots.clear();
    seen.resize(graph.numIds(), 0);
    ++visit;
    above.clear();
    auto note = [&](Id id, uint32_t level) {
      if (!graph.isLive(id) || seen[id] == visit)
        return;
      seen[id] = visit;
      above.push_back(id);
      if (program.depthOf(graph.store[id].op) > level)
        roots.push_back(id);
    };
    for (Id id : changed)
      note(id, 0);
    seenClass.resize(graph.numIds(), 0);
    size_t begin = 0;
    for (uint32_t level = 1; level < program.depth; ++level) {
      size_t end = above.size();
      for (size_t i = begin; i != end; ++i) {
        Id eclass = graph.find(above[i]);
        if (seenClass[eclass] == visit)
          continue;
        seenClass[eclass] = visit;
        uint32_t link = graph.infoOf(eclass).parentHead;
        for (; link != None; link = graph.parentLinks[link].next)
          note(graph.parentLinks[link].node, level);
      }
      begin = end;
    }
    return roots;
  }

  /// Finds the matches with something new and applies them, or puts them on the
  /// agenda; false if a limit was hit.
  bool matchFrom(llvm::ArrayRef<Id> roots) {
    auto takeMatch = [&](uint32_t rule, MatchRegisters &found) {
      if (!withinLimits())
        return false;
      ++result.steps;
      ++result.rules[rule].steps;
      if (!applier.conditionHolds(program.rules[rule], found))
        return true;
      packer.pack(rule, found, batch.push(rule));
      if (batch.full())
        applyBatch();
      return true;
    };
    uint32_t now = ++graph.epoch;
    Matcher matcher(graph, program);
    bool complete = true;
    for (Id root : roots) {
      scheduled[root] = false;
      complete = matcher.run(root, matchedAt[root], takeMatch);
      matchedAt[root] = now;
      if (!complete)
        break;
    }
    applyBatch();
    return complete;
  }

  /// Applies the matches that were found, except those that create classes.
  void applyBatch() {
    applier.dropHolding(batch);
    for (uint32_t i = 0; i != batch.size(); ++i) {
      uint32_t rule = batch.rule(i);
      packer.unpack(rule, batch.match(i), registers);
      uint32_t generation = generationOf(program.rules[rule]);
      switch (applier.apply(program.rules[rule], registers)) {
      case RuleApplier::Outcome::Nothing:
        break;
      case RuleApplier::Outcome::Changed:
        count(rule, generation);
        break;
      case RuleApplier::Outcome::Grows:
        // The longer the chain of creations, the later: so that no chain that
        // never ends keeps the rest from its turn.
        agenda.pushMatch(sizeOf(registers.classes[0]) + generation / 8, rule,
                         generation + 1, batch.match(i));
        break;
      }
    }
    batch.resize(0);
  }

  /// The creations that it took, at most, to get the matched nodes.
  uint32_t generationOf(const CompiledRule &rule) {
    generations.resize(graph.numIds(), 0);
    uint32_t generation = 0;
    for (uint32_t reg : rule.boundNodes)
      generation = std::max(generation, generations[registers.nodes[reg]]);
    return generation;
  }

  /// Applies the match that comes next; false if a limit was hit.
  bool applyNext() {
    if (!withinLimits())
      return false;
    auto [rule, generation] = agenda.popMatch(registers);
    if (generation > limits.iterations) {
      skipped = true;
      return true;
    }
    generations.resize(graph.numIds(), 0);
    if (applier.applyAnyway(program.rules[rule], registers) ==
        RuleApplier::Outcome::Changed) {
      count(rule, generation);
      result.iterations = std::max<uint64_t>(result.iterations, generation);
    }
    return true;
  }

  /// Counts a change, and notes the generation of the nodes that it made.
  void count(uint32_t rule, uint32_t generation) {
    generations.resize(graph.numIds(), generation);
    ++result.applied;
    ++result.rules[rule].applied;
  }

  bool withinLimits() {
    if (result.steps >= limits.steps) {
      result.reason = StopReason::StepLimit;
      return false;
    }
    if (graph.numCreated() - createdAtStart > limits.nodes) {
      result.reason = StopReason::NodeLimit;
      return false;
    }
    if (++ticks % 256 != 0) // The clock is slow to read.
      return true;
    if (elapsed() > limits.seconds) {
      result.reason = StopReason::TimeLimit;
      return false;
    }
    if (limits.isInterrupted && limits.isInterrupted()) {
      result.reason = StopReason::Interrupted;
      return false;
    }
    return true;
  }

  using Clock = std::chrono::steady_clock;
  EGraph &graph;
  const MatchProgram &program;
  const Limits &limits;
  Clock::time_point start = Clock::now();
  MatchPacker packer;
  MatchBatch batch; ///< Found, not yet applied.
  Agenda agenda;
  RuleApplier applier;
  MatchRegisters registers; ///< Of the match that is being applied.
  uint32_t since = 0;       ///< What is older was matched by earlier calls.
  bool skipped = false;     ///< A match beyond the iteration limit was.
  uint64_t ticks = 0;
  size_t createdAtStart, rejectedAtStart;
  std::vector<uint32_t> matchedAt;   ///< By root: the epoch of its last turn.
  std::vector<bool> scheduled;       ///< By root: is on the agenda.
  std::vector<uint32_t> generations; ///< By node; see generationOf.
  std::vector<Id> roots, above;      ///< See candidates.
  std::vector<uint32_t> seen, seenClass; ///< Marked with `visit`.
  uint32_t visit = 0;
  SaturationResult result;
};
} // namespace prism::egraph

SaturationResult
prism::egraph::saturate(EGraph &graph, const RuleSet &rules,
                        const Limits &limits, SaturationState *state,
                        llvm::function_ref<bool(const EGraph &)> goal) {
  SaturationState fresh;
  return Saturator(graph, rules.program(), limits)
      .run(state ? *state : fresh, goal);
}
