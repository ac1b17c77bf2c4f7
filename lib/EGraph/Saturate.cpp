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
class Saturator {
public:
  Saturator(EGraph &graph, const MatchProgram &program, const Limits &limits)
      : graph(graph), program(program), limits(limits),
        createdAtStart(graph.numCreated()),
        rejectedAtStart(graph.numRejected()) {
    result.rules.resize(program.rules.size());
  }

  SaturationResult run(SaturationState &state,
                       llvm::function_ref<bool(const EGraph &)> goal) {
    graph.rebuild();
    while (true) {
      if (goal && goal(graph)) {
        result.reason = StopReason::Goal;
        break;
      }
      std::vector<Id> candidates =
          Matcher::candidates(graph, program.depth, state.epoch);
      if (candidates.empty())
        break; // Saturated.
      if (result.iterations == limits.iterations) {
        result.reason = StopReason::IterationLimit;
        break;
      }
      uint32_t since = state.epoch;
      state.epoch = ++graph.epoch;
      ++result.iterations;
      if (round(candidates, since))
        continue;
      state.epoch = since; // The round is not complete: do it again next time.
      break;
    }
    result.rejected = graph.numRejected() - rejectedAtStart;
    result.seconds = elapsed();
    return std::move(result);
  }

private:
  double elapsed() const {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

  /// Matches and applies; false if a limit was hit.
  bool round(llvm::ArrayRef<Id> candidates, uint32_t since) {
    RuleApplier applier(graph);
    auto applyMatch = [&](uint32_t rule, MatchRegisters &registers) {
      if (!withinLimits())
        return false;
      ++result.steps;
      ++result.rules[rule].steps;
      if (applier.apply(program.rules[rule], registers)) {
        ++result.applied;
        ++result.rules[rule].applied;
      }
      return true;
    };
    graph.matching = true;
    bool complete =
        Matcher(graph, program, since).run(candidates, applyMatch);
    graph.matching = false;
    graph.rebuild();
    return complete;
  }

  bool withinLimits() {
    if (result.steps == limits.steps) {
      result.reason = StopReason::StepLimit;
      return false;
    }
    if (graph.numCreated() - createdAtStart > limits.nodes) {
      result.reason = StopReason::NodeLimit;
      return false;
    }
    // The clock is slow to read.
    if (result.steps % 256 == 0 && elapsed() > limits.seconds) {
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
  size_t createdAtStart, rejectedAtStart;
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
