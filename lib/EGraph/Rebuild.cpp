//===- Rebuild.cpp - Restoring congruence, facts and node lists -----------===//
//
// Part of Prism.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Deferred rebuilding: unions only note which nodes have stale keys. Here those
// are hashed anew, duplicates are merged (congruence), facts are propagated to
// parents, and the contiguous node lists that matching reads are refreshed.
//
//===----------------------------------------------------------------------===//

#include "Prism/EGraph/EGraph.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>

using namespace prism::egraph;

void EGraph::rebuild() {
  if (matching || rebuilding)
    return;
  rebuilding = true;
  // Each list may grow while it is read; all of them in order of arrival.
  size_t nextSegment = 0, nextFacts = 0, nextModify = 0;
  while (true) {
    if (nextSegment != pending.size()) {
      Segment segment = pending[nextSegment++];
      for (uint32_t link = segment.head;; link = parentLinks[link].next) {
        repair(parentLinks[link].node);
        if (link == segment.tail)
          break;
      }
    } else if (nextFacts != pendingFacts.size()) {
      updateFacts(pendingFacts[nextFacts++]);
    } else if (nextModify != pendingModify.size()) {
      options.analysis->modify(*this, find(pendingModify[nextModify++]));
    } else {
      break;
    }
  }
  pending.clear();
  pendingFacts.clear();
  pendingModify.clear();
  refreshIndex();
  rebuilding = false;
}

/// Gives a node whose children's classes were merged its canonical key again.
void EGraph::repair(Id id) {
  Node &node = store[id];
  if (!(node.flags & liveFlag))
    return;
  llvm::MutableArrayRef<Id> children = childrenOf(node);
  if (llvm::all_of(children, [&](Id child) { return find(child) == child; }))
    return;
  if (node.flags & hashedFlag)
    table.erase(hashNode(this->node(id)), id);
  node.flags &= ~hashedFlag;
  for (Id &child : children)
    child = find(child);
  stamps[id] = epoch;
  markChanged(find(id));
  NodeView key = this->node(id);
  uint32_t hash = hashNode(key);
  Id twin = lookupCanonical(key, hash);
  if (twin == None) {
    table.insert(hash, id);
    node.flags |= hashedFlag;
    return;
  }
  // A node whose union is rejected stays in its class, but is not hashed: the
  // table holds one node per key.
  if (unite(id, twin, congruence, true) == MergeResult::Rejected)
    return;
  store[id].flags &= ~liveFlag;
  --liveNodes;
  markChanged(find(id));
}

/// Propagates the changed fact of a class to its parents.
void EGraph::updateFacts(Id id) {
  Id root = find(id);
  // Conditions read facts of matched classes: look at those matches again.
  stampNodes(root);
  markChanged(root);
  for (uint32_t link = infoOf(root).parentHead; link != None;
       link = parentLinks[link].next) {
    Id parent = parentLinks[link].node;
    if (!isLive(parent))
      continue;
    Id parentRoot = find(parent);
    stamps[parent] = epoch;
    markChanged(parentRoot);
    Fact made = options.analysis->make(*this, node(parent));
    Fact old = infoOf(parentRoot).fact;
    std::optional<Fact> merged = options.analysis->merge(old, made);
    if (!merged) {
      ++contradictions;
    } else if (*merged != old) {
      infoOf(parentRoot).fact = *merged;
      pendingFacts.push_back(parentRoot);
      pendingModify.push_back(parentRoot);
    }
  }
}

/// Writes the node lists of the changed classes anew.
void EGraph::refreshIndex() {
  for (Id id : dirtyClasses) {
    ClassInfo &info = infoOf(find(id));
    if (info.dirty)
      refreshClass(info);
  }
  dirtyClasses.clear();
  if (index.size() > 2 * indexLive + 4096)
    compactIndex();
}

void EGraph::refreshClass(ClassInfo &info) {
  info.dirty = false;
  llvm::SmallVector<Id, 32> live;
  for (Id id = info.head; id != None; id = nextNode[id])
    if (isLive(id))
      live.push_back(id);
  assert(!live.empty() && "a class without nodes");
  // Drop the dead from the linked list (order of arrival is kept).
  info.head = live.front();
  info.tail = live.back();
  for (size_t i = 0; i + 1 < live.size(); ++i)
    nextNode[live[i]] = live[i + 1];
  nextNode[info.tail] = None;

  uint32_t last = None;
  for (uint32_t link = info.parentHead, next; link != None; link = next) {
    next = parentLinks[link].next;
    if (!isLive(parentLinks[link].node)) {
      --info.parentCount;
      continue;
    }
    if (last == None)
      info.parentHead = link;
    else
      parentLinks[last].next = link;
    last = link;
  }
  info.parentTail = last;
  if (last == None)
    info.parentHead = None;
  else
    parentLinks[last].next = None;

  llvm::sort(live, [&](Id a, Id b) {
    return store[a].op != store[b].op ? store[a].op < store[b].op : a < b;
  });
  indexLive += live.size() - info.indexCount;
  if (live.size() <= info.indexCount) {
    std::copy(live.begin(), live.end(), index.begin() + info.indexBegin);
  } else {
    info.indexBegin = uint32_t(index.size());
    index.insert(index.end(), live.begin(), live.end());
  }
  info.indexCount = uint32_t(live.size());
}

void EGraph::compactIndex() {
  std::vector<Id> compact;
  compact.reserve(indexLive);
  for (uint32_t entry : parents) {
    if (!(entry & rootBit))
      continue;
    ClassInfo &info = infos[entry & ~rootBit];
    auto begin = index.begin() + info.indexBegin;
    info.indexBegin = uint32_t(compact.size());
    compact.insert(compact.end(), begin, begin + info.indexCount);
  }
  index.swap(compact);
}
