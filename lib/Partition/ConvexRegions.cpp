//===- ConvexRegions.cpp - Convex regions of compute ops ---------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Partition/ConvexRegions.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PriorityQueue.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace prism;

namespace {

/// The ops of a block as nodes, numbered in order, and their grouping.
class BlockGraph {
public:
  BlockGraph(Block &block, llvm::function_ref<unsigned(Operation *)> getSize,
             llvm::function_ref<bool(Operation *)> isShared);

  void mergeProducers(unsigned maxSize);
  void mergeSiblings(unsigned maxSize);
  /// Members of each group of a nonzero size, groups in order of first member.
  SmallVector<OpRegion> getRegions();
  /// A topological order of the groups, as near to the block's as can be.
  SmallVector<Operation *> getOrder();

private:
  unsigned numberOf(Operation *op) const { return numbers.lookup(op); }
  void addEdges(unsigned node, llvm::function_ref<bool(Operation *)> isShared);
  bool tryMerge(unsigned a, unsigned b, unsigned maxSize);
  bool hasIndirectPath(unsigned from, unsigned to) const;

  Block &block;
  SmallVector<Operation *> ops;
  DenseMap<Operation *, unsigned> numbers;
  SmallVector<SmallVector<unsigned, 4>> successors, producers;
  /// Readers of each value that has several, in order of first use.
  llvm::MapVector<Value, SmallVector<unsigned>> readers;
  SmallVector<unsigned> group;                // node -> its first member
  SmallVector<SmallVector<unsigned>> members; // of a group, ascending
  SmallVector<unsigned> size;                 // of a group
};

} // namespace

BlockGraph::BlockGraph(Block &block,
                       llvm::function_ref<unsigned(Operation *)> getSize,
                       llvm::function_ref<bool(Operation *)> isShared)
    : block(block) {
  for (Operation &op : block.without_terminator()) {
    numbers[&op] = ops.size();
    group.push_back(ops.size());
    members.push_back({static_cast<unsigned>(ops.size())});
    size.push_back(getSize(&op));
    ops.push_back(&op);
  }
  successors.resize(ops.size());
  producers.resize(ops.size());
  std::optional<unsigned> lastEffect;
  for (unsigned node = 0; node < ops.size(); ++node) {
    addEdges(node, isShared);
    if (isMemoryEffectFree(ops[node]))
      continue;
    if (lastEffect)
      successors[*lastEffect].push_back(node);
    lastEffect = node;
  }
}

/// Values that nested regions capture are read by the op that holds them.
void BlockGraph::addEdges(unsigned node,
                          llvm::function_ref<bool(Operation *)> isShared) {
  ops[node]->walk([&](Operation *reader) {
    for (Value value : reader->getOperands()) {
      Operation *producer = value.getDefiningOp();
      if (producer && isShared(producer))
        continue;
      if (reader == ops[node])
        readers[value].push_back(node);
      if (!producer || producer->getBlock() != &block || producer == ops[node])
        continue;
      successors[numberOf(producer)].push_back(node);
      if (reader == ops[node])
        producers[node].push_back(numberOf(producer));
    }
  });
}

/// Whether a path from group `from` to group `to` passes through another one.
bool BlockGraph::hasIndirectPath(unsigned from, unsigned to) const {
  llvm::SmallBitVector seen(ops.size());
  SmallVector<unsigned> pending;
  auto expand = [&](unsigned reached) {
    for (unsigned member : members[reached])
      for (unsigned next : successors[member]) {
        unsigned successor = group[next];
        bool isDirect = reached == from && successor == to;
        if (successor == from || isDirect || seen.test(successor))
          continue;
        seen.set(successor);
        pending.push_back(successor);
      }
  };
  expand(from);
  while (!pending.empty() && !seen.test(to))
    expand(pending.pop_back_val());
  return seen.test(to);
}

bool BlockGraph::tryMerge(unsigned a, unsigned b, unsigned maxSize) {
  a = group[a];
  b = group[b];
  if (a == b || size[a] == 0 || size[b] == 0 || size[a] + size[b] > maxSize)
    return false;
  if (hasIndirectPath(a, b) || hasIndirectPath(b, a))
    return false;
  if (b < a)
    std::swap(a, b);
  for (unsigned member : members[b])
    group[member] = a;
  members[a].append(members[b]);
  llvm::sort(members[a]);
  members[b].clear();
  size[a] += size[b];
  return true;
}

void BlockGraph::mergeProducers(unsigned maxSize) {
  for (unsigned node = 0; node < ops.size(); ++node)
    for (unsigned producer : producers[node])
      tryMerge(producer, node, maxSize);
}

void BlockGraph::mergeSiblings(unsigned maxSize) {
  for (auto &[value, nodes] : readers)
    for (unsigned i = 1; i < nodes.size(); ++i)
      if (!tryMerge(nodes.front(), nodes[i], maxSize))
        tryMerge(nodes[i - 1], nodes[i], maxSize);
}

SmallVector<OpRegion> BlockGraph::getRegions() {
  SmallVector<OpRegion> regions;
  for (unsigned first = 0; first < ops.size(); ++first) {
    if (group[first] != first || size[first] == 0)
      continue;
    OpRegion &region = regions.emplace_back();
    for (unsigned member : members[first])
      region.push_back(ops[member]);
  }
  return regions;
}

SmallVector<Operation *> BlockGraph::getOrder() {
  SmallVector<unsigned> predecessors(ops.size(), 0);
  for (unsigned node = 0; node < ops.size(); ++node)
    for (unsigned next : successors[node])
      predecessors[group[next]] += group[next] != group[node];
  // A region goes where its last op was: its operands are there by then.
  auto isLater = [&](unsigned a, unsigned b) {
    return members[a].back() > members[b].back();
  };
  llvm::PriorityQueue<unsigned, std::vector<unsigned>, decltype(isLater)> ready(
      isLater);
  for (unsigned node = 0; node < ops.size(); ++node)
    if (group[node] == node && predecessors[node] == 0)
      ready.push(node);
  SmallVector<Operation *> order;
  while (!ready.empty()) {
    unsigned next = ready.top();
    ready.pop();
    for (unsigned member : members[next]) {
      order.push_back(ops[member]);
      for (unsigned successor : successors[member])
        if (group[successor] != next && --predecessors[group[successor]] == 0)
          ready.push(group[successor]);
    }
  }
  return order;
}

SmallVector<OpRegion>
prism::formConvexRegions(Block &block, unsigned maxSize,
                         llvm::function_ref<unsigned(Operation *)> getSize,
                         llvm::function_ref<bool(Operation *)> isShared) {
  if (block.empty() || !block.back().hasTrait<OpTrait::IsTerminator>())
    return {};
  BlockGraph graph(block, getSize, isShared);
  graph.mergeProducers(maxSize);
  graph.mergeSiblings(maxSize);
  SmallVector<OpRegion> regions = graph.getRegions();
  if (regions.empty())
    return {};
  // Shared ops bind no order, so they go first.
  SmallVector<Operation *> order = graph.getOrder();
  std::stable_partition(order.begin(), order.end(), isShared);
  for (Operation *op : order)
    op->moveBefore(&block.back());
  return regions;
}
