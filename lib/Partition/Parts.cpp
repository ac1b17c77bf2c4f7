//===- Parts.cpp - The cheapest cut of a program into parts ---------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Partition/Parts.h"

using namespace mlir;
using namespace prism;

PartChooser::PartChooser(const PartGraph &graph, const PartEstimator &estimator,
                         const PartBounds &bounds)
    : graph(graph), estimator(estimator), bounds(bounds) {
  addSteps(graph.getIdeals());
}

void PartChooser::addSteps(const std::vector<NodeSet> &ideals) {
  // Data movement counts for no op, but no part is all movement.
  unsigned maxNodes = 2 * bounds.maxOps;
  steps.resize(ideals.size());
  for (unsigned to = 0; to < ideals.size(); ++to)
    for (unsigned from = to; from-- > 0;) {
      if (ideals[to].count() - ideals[from].count() > maxNodes)
        break;
      // from \ to is empty iff `from` is a subset.
      if (ideals[from].test(ideals[to]) || ideals[from] == ideals[to])
        continue;
      NodeSet difference = ideals[to];
      difference.reset(ideals[from]);
      if (std::optional<unsigned> part = addPart(std::move(difference)))
        steps[to].push_back({from, *part});
    }
}

std::optional<unsigned> PartChooser::addPart(NodeSet nodes) {
  auto [entry, isNew] = partOf.try_emplace(nodes);
  if (!isNew)
    return entry->second;
  unsigned count = nodes.count();
  auto onlyMoves = [&](unsigned node) {
    return graph.getNodes()[node].onlyMoves;
  };
  bool moves = llvm::all_of(nodes.set_bits(), onlyMoves);
  if (count > 1 &&
      (moves || graph.countContractions(nodes) > bounds.maxContractions ||
       PartGraph::countOps(graph.getOps(nodes)) > bounds.maxOps ||
       !graph.isConnected(nodes)))
    return std::nullopt;
  entry->second = parts.size();
  Part &part = parts.emplace_back();
  part.state = moves ? PartState::Failed : PartState::Estimated;
  part.us =
      moves ? estimator.estimateUnfused(nodes) : estimator.estimate(nodes);
  part.nodes = std::move(nodes);
  return entry->second;
}

void PartChooser::setSearched(const NodeSet &nodes, std::optional<double> us) {
  auto it = partOf.find(nodes);
  if (it == partOf.end() || !it->second)
    return;
  Part &part = parts[*it->second];
  part.state = us ? PartState::Searched : PartState::Failed;
  part.us = us ? *us : estimator.estimateUnfused(nodes);
  if (!us)
    return;
  // A kernel that does this and more is hardly faster, but for what this
  // writes.
  double least = *us - estimator.estimateWriting(nodes);
  for (Part &larger : parts)
    if (larger.state == PartState::Estimated && larger.us < least &&
        !part.nodes.test(larger.nodes))
      larger.us = least;
}

std::optional<PartChooser::Cost> PartChooser::getCost(const Part &part,
                                                      bool searchedOnly) const {
  bool isSingle = part.nodes.count() == 1;
  switch (part.state) {
  case PartState::Searched:
    return Cost(0, part.us);
  case PartState::Failed:
    return isSingle ? std::optional<Cost>({1, part.us}) : std::nullopt;
  case PartState::Estimated:
    // Single nodes may always be searched, so that there is a path.
    if (searchedOnly || (!isSingle && numLargeSearched >= bounds.maxSearched))
      return std::nullopt;
    return Cost(0, part.us);
  }
  llvm_unreachable("unknown state");
}

std::optional<PartChooser::Path> PartChooser::findPath(bool searchedOnly) {
  struct Best {
    Cost cost;
    unsigned from = 0, part = 0;
  };
  std::vector<std::optional<Best>> best(steps.size());
  best[0].emplace();
  for (unsigned to = 1; to < steps.size(); ++to)
    for (const Step &step : steps[to]) {
      std::optional<Cost> cost = getCost(parts[step.part], searchedOnly);
      if (!cost || !best[step.from])
        continue;
      Cost sum = {best[step.from]->cost.first + cost->first,
                  best[step.from]->cost.second + cost->second};
      if (!best[to] || sum < best[to]->cost)
        best[to] = Best{sum, step.from, step.part};
    }
  if (!best.back())
    return std::nullopt;
  Path path{best.back()->cost, {}};
  for (unsigned at = steps.size() - 1; at != 0; at = best[at]->from)
    path.parts.push_back(best[at]->part);
  std::reverse(path.parts.begin(), path.parts.end());
  return path;
}

double PartChooser::getLeastUs() {
  std::optional<Path> path = findPath(/*searchedOnly=*/false);
  return path && path->cost.first == 0
             ? path->cost.second
             : std::numeric_limits<double>::infinity();
}

std::vector<const Part *> PartChooser::choose() {
  std::vector<const Part *> chosen;
  if (std::optional<Path> path = findPath(/*searchedOnly=*/false))
    for (unsigned part : path->parts)
      chosen.push_back(&parts[part]);
  return chosen;
}

std::vector<const Part *> PartChooser::choose(SearchFn search) {
  while (std::optional<Path> promising = findPath(/*searchedOnly=*/false)) {
    std::optional<Path> known = findPath(/*searchedOnly=*/true);
    bool isGain =
        !known || promising->cost.first < known->cost.first ||
        promising->cost.second < (1 - bounds.minGain) * known->cost.second;
    auto unsearched = llvm::find_if(promising->parts, [&](unsigned part) {
      return parts[part].state == PartState::Estimated;
    });
    if (unsearched == promising->parts.end() || !isGain) {
      std::vector<const Part *> chosen;
      for (unsigned part : isGain ? promising->parts : known->parts)
        chosen.push_back(&parts[part]);
      return chosen;
    }
    // The whole path, even where its first part costs more than it promised:
    // when the limit is reached, whole paths are known.
    for (; unsearched != promising->parts.end(); ++unsearched) {
      Part &part = parts[*unsearched];
      bool isLarge = part.nodes.count() > 1;
      if (part.state != PartState::Estimated ||
          (isLarge && numLargeSearched >= bounds.maxSearched))
        continue;
      ++numSearched;
      numLargeSearched += isLarge;
      setSearched(part.nodes, search(part));
      if (isLarge && part.state == PartState::Failed)
        break; // there is no such path
    }
  }
  return {};
}
