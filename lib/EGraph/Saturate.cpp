//===- Saturate.cpp - Running rules to a fixed point ----------------------===//
//
// Part of Prism.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/EGraph/Saturate.h"
#include "Apply.h"
#include "MatchProgram.h"
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
  }
  return "unknown";
}

namespace prism::egraph {
/// One call of saturate.
///
/// Matches that create no class are applied first, to a fixed point; those that
/// do wait in a queue and are applied one at a time, with the fixed point
/// restored after each. Thus a term that is about to be created in many forms
/// (x+y, y+x, ...) is created once: under AC rules this saves nine in ten of
/// the nodes and matches that round-by-round application makes.
class Saturator {
public:
  Saturator(EGraph &graph, const MatchProgram &program, const Limits &limits)
      : graph(graph), program(program), limits(limits),
        packer(program, graph.hasProofs()), batch(packer), queued(packer),
        queue(packer), applier(graph, program),
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
    std::vector<Id> changed;
    for (Id id = 0, e = Id(graph.numIds()); id != e; ++id)
      if (graph.isLive(id) && graph.stamps[id] >= state.epoch)
        changed.push_back(id);
    uint32_t since = state.epoch;
    while (true) {
      if (goal && goal(graph)) {
        result.reason = StopReason::Goal;
        break;
      }
      if (!changed.empty()) {
        uint32_t now = ++graph.epoch;
        if (!matchFrom(candidates(changed), since))
          break;
        since = now;
      } else if (moreQueued()) {
        if (!applyNext())
          break;
      } else {
        state.epoch = ++graph.epoch;
        break; // Saturated.
      }
      graph.rebuild();
      changed = graph.recentNodes;
    }
    graph.rebuild();
    result.iterations = round;
    result.rejected = graph.numRejected() - rejectedAtStart;
    result.seconds = elapsed();
    return std::move(result);
  }

private:
  double elapsed() const {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

  /// The nodes at which a match that involves a changed node may be rooted: a
  /// match reaches depth - 1 levels below its root.
  llvm::ArrayRef<Id> candidates(llvm::ArrayRef<Id> changed) {
    roots.clear();
    seen.resize(graph.numIds(), 0);
    ++visit;
    auto note = [&](Id id) {
      if (!graph.isLive(id) || seen[id] == visit)
        return;
      seen[id] = visit;
      roots.push_back(id);
    };
    for (Id id : changed)
      note(id);
    seenClass.resize(graph.numIds(), 0);
    size_t begin = 0;
    for (uint32_t level = 1; level < program.depth; ++level) {
      size_t end = roots.size();
      for (size_t i = begin; i != end; ++i) {
        Id eclass = graph.find(roots[i]);
        if (seenClass[eclass] == visit)
          continue;
        seenClass[eclass] = visit;
        uint32_t link = graph.infoOf(eclass).parentHead;
        for (; link != None; link = graph.parentLinks[link].next)
          note(graph.parentLinks[link].node);
      }
      begin = end;
    }
    return roots;
  }

  /// Finds the matches with something new and applies or queues them; false if
  /// a limit was hit.
  bool matchFrom(llvm::ArrayRef<Id> roots, uint32_t since) {
    auto takeMatch = [&](uint32_t rule, MatchRegisters &found) {
      if (!withinLimits())
        return false;
      ++result.steps;
      ++result.rules[rule].steps;
      if (!applier.conditionHolds(program.rules[rule], found))
        return true;
      packer.pack(rule, found, batch.push(rule, round + 1));
      if (batch.full())
        applyBatch();
      return true;
    };
    graph.matching = true;
    bool complete = Matcher(graph, program, since).run(roots, takeMatch);
    applyBatch();
    graph.matching = false;
    return complete;
  }

  /// Applies the matches that were found, except those that create classes.
  void applyBatch() {
    applier.dropHolding(batch);
    for (uint32_t i = 0; i != batch.size(); ++i) {
      uint32_t rule = batch.rule(i);
      packer.unpack(rule, batch.match(i), registers);
      switch (applier.apply(program.rules[rule], registers)) {
      case RuleApplier::Outcome::Nothing:
        break;
      case RuleApplier::Outcome::Changed:
        count(rule);
        break;
      case RuleApplier::Outcome::Grows:
        queue.push(rule, batch.round(i), batch.match(i));
        break;
      }
    }
    batch.resize(0);
  }

  bool moreQueued() const {
    return nextQueued != queued.size() || !queue.empty();
  }

  /// Applies queued matches up to the first that creates a class; false if a
  /// limit was hit.
  bool applyNext() {
    graph.matching = true;
    bool grew = false, complete = true;
    while (!grew && complete && moreQueued()) {
      if (nextQueued == queued.size()) {
        queued.resize(0);
        nextQueued = 0;
        queue.popInto(queued);
        applier.dropHolding(queued);
      } else {
        complete = applyQueued(nextQueued++, grew);
      }
    }
    graph.matching = false;
    return complete;
  }

  bool applyQueued(uint32_t i, bool &grew) {
    if (queued.round(i) > limits.iterations) {
      result.reason = StopReason::IterationLimit;
      return false;
    }
    if (!withinLimits())
      return false;
    round = queued.round(i);
    uint32_t rule = queued.rule(i);
    packer.unpack(rule, queued.match(i), registers);
    if (applier.applyAnyway(program.rules[rule], registers, grew) ==
        RuleApplier::Outcome::Changed)
      count(rule);
    return true;
  }

  void count(uint32_t rule) {
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
    // The clock is slow to read.
    if (++ticks % 256 == 0 && elapsed() > limits.seconds) {
      result.reason = StopReason::TimeLimit;
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
  MatchBatch batch;  ///< Found, not yet applied.
  MatchBatch queued; ///< The head of the queue, from nextQueued on.
  uint32_t nextQueued = 0;
  MatchQueue queue;
  RuleApplier applier;
  MatchRegisters registers; ///< Of the match that is being applied.
  uint32_t round = 0;       ///< Of the queued match applied last.
  uint64_t ticks = 0;
  size_t createdAtStart, rejectedAtStart;
  std::vector<Id> roots;
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
