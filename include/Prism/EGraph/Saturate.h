//===- Saturate.h - Running rules to a fixed point --------------*- C++ -*-===//
//
// Part of Prism.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Applies all rules of a set until nothing changes or a limit is hit. Matching
// is incremental: a match is found when the last of its nodes appears or
// changes, and applied once. There are no rounds over the whole graph; instead,
// a node's generation counts the creations of classes that led to it: a match
// that creates classes makes nodes one generation above the matched ones.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_EGRAPH_SATURATE_H
#define PRISM_EGRAPH_SATURATE_H

#include "Prism/EGraph/EGraph.h"
#include "Prism/EGraph/Rule.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <functional>
#include <limits>
#include <vector>

namespace prism::egraph {

/// Hard limits of one call, counted from its start, so that a verdict does not
/// depend on what the graph held before. All but `seconds` and `isInterrupted`
/// are deterministic.
struct Limits {
  uint64_t nodes = 1'000'000; ///< Nodes created by this call.
  /// Generations: matches beyond are left out, all others still applied.
  uint64_t iterations = 1'000;
  /// Matches found, side conditions not yet checked.
  uint64_t steps = std::numeric_limits<uint64_t>::max();
  double seconds = std::numeric_limits<double>::infinity();
  /// Asked now and then; true ends the run. Null: never.
  std::function<bool()> isInterrupted = nullptr;
};

enum class StopReason {
  Saturated,      ///< No rule changes the graph any more.
  Goal,           ///< The caller's goal holds.
  NodeLimit,      ///< A limit was hit: the absence of an equality then
  IterationLimit, ///< means nothing (a verdict of Unknown, never of
  StepLimit,      ///< "not equal").
  TimeLimit,
  Interrupted, ///< Neither does this.
};

llvm::StringRef stringify(StopReason reason);

struct SaturationResult {
  StopReason reason = StopReason::Saturated;
  uint64_t iterations = 0; ///< The last generation that changed anything.
  uint64_t steps = 0;      ///< Matches found.
  uint64_t applied = 0;    ///< Matches that changed the graph.
  uint64_t rejected = 0;   ///< Unions rejected because of contradicting facts.
  double seconds = 0;
  /// Per rule, by its index in the set: matches found, and those that changed
  /// the graph.
  struct RuleCount {
    uint64_t steps = 0;
    uint64_t applied = 0;
  };
  std::vector<RuleCount> rules;

  bool saturated() const { return reason == StopReason::Saturated; }
  /// A limit was hit, so an equality that was not found is unknown.
  bool hitLimit() const {
    return reason != StopReason::Saturated && reason != StopReason::Goal;
  }
};

/// Remembers up to where a graph was matched by a rule set, so that the next
/// call looks at changes only. Copy it together with the graph; use it with one
/// rule set only. Leave it out to match everything anew.
struct SaturationState {
  uint32_t epoch = 0;
};

/// Saturates `graph` (rebuilding it first) under `rules`. `goal`, if given, is
/// asked after each rebuild and ends the run when it returns true. The graph is
/// rebuilt on return, whatever the reason.
SaturationResult
saturate(EGraph &graph, const RuleSet &rules, const Limits &limits = {},
         SaturationState *state = nullptr,
         llvm::function_ref<bool(const EGraph &)> goal = nullptr);

} // namespace prism::egraph

#endif // PRISM_EGRAPH_SATURATE_H
