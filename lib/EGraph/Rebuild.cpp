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
  stamp(id);
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
  kill(id);
}

/// Takes a node that has become a duplicate out of its class.
void EGraph::kill(Id id) {
  store[id].flags &= ~liveFlag;
  --liveNodes;
  infoOf(find(id)).deadNodes = true;
  markDirty(find(id));
  for (Id child : childrenOf(store[id])) {
    infoOf(find(child)).deadParents = true;
    markDirty(find(child));
  }
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
    stamp(parent);
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

/// Brings the node lists of the changed classes up to date.
void EGraph::refreshIndex() {
  for (Id id : dirtyClasses) {
    ClassInfo &info = infoOf(find(id));
    if (!info.dirty)
      continue;
    info.dirty = false;
    if (info.deadNodes)
      dropDeadNodes(info);
    if (info.deadParents)
      dropDeadParents(info);
    indexNewNodes(info);
  }
  dirtyClasses.clear();
  recentNodes.swap(changedNodes);
  changedNodes.clear();
  if (index.size() > 2 * indexLive + 4096)
    compactIndex();
}

/// Takes the dead out of a class's linked list (order of arrival is kept) and
/// leaves all of its nodes to be indexed.
void EGraph::dropDeadNodes(ClassInfo &info) {
  Id last = None;
  for (Id id = info.head, next; id != None; id = next) {
    next = nextNode[id];
    if (!isLive(id))
      continue;
    (last == None ? info.head : nextNode[last]) = id;
    last = id;
  }
  assert(last != None && "a class without nodes");
  nextNode[last] = None;
  info.tail = last;
  info.deadNodes = false;
  info.indexedTail = None;
  info.indexCount = 0;
  info.operators = 0;
}

void EGraph::dropDeadParents(ClassInfo &info) {
  uint32_t last = None;
  for (uint32_t link = info.parentHead, next; link != None; link = next) {
    next = parentLinks[link].next;
    if (!isLive(parentLinks[link].node)) {
      --info.parentCount;
      continue;
    }
    (last == None ? info.parentHead : parentLinks[last].next) = link;
    last = link;
  }
  info.parentTail = last;
  (last == None ? info.parentHead : parentLinks[last].next) = None;
  info.deadParents = false;
}

/// Merges the nodes that the class got since it was last indexed into its part
/// of the index, which is sorted by operator and id.
void EGraph::indexNewNodes(ClassInfo &info) {
  llvm::SmallVector<Id, 32> added;
  Id first = info.indexedTail == None ? info.head : nextNode[info.indexedTail];
  for (Id id = first; id != None; id = nextNode[id]) {
    added.push_back(id);
    info.operators |= operatorBit(store[id].op);
  }
  if (added.empty())
    return;
  info.indexedTail = info.tail;
  auto before = [&](Id a, Id b) {
    return store[a].op != store[b].op ? store[a].op < store[b].op : a < b;
  };
  llvm::sort(added, before);

  uint32_t oldCount = info.indexCount;
  info.indexCount += uint32_t(added.size());
  if (info.indexCount > info.indexCapacity) {
    // Move to the end of the index, with room to grow.
    uint32_t begin = uint32_t(index.size());
    indexLive -= info.indexCapacity;
    info.indexCapacity = info.indexCount + oldCount / 2;
    indexLive += info.indexCapacity;
    index.resize(begin + info.indexCapacity, None);
    std::copy_n(index.begin() + info.indexBegin, oldCount,
                index.begin() + begin);
    info.indexBegin = begin;
  }
  // From the back, so that each old entry moves at most once.
  Id *begin = index.data() + info.indexBegin;
  Id *out = begin + info.indexCount, *old = begin + oldCount;
  while (!added.empty()) {
    if (old != begin && before(added.back(), old[-1]))
      *--out = *--old;
    else
      *--out = added.pop_back_val();
  }
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
    info.indexCapacity = info.indexCount;
    compact.insert(compact.end(), begin, begin + info.indexCount);
  }
  index.swap(compact);
  indexLive = index.size();
}
