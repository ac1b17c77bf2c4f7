//===- EGraph.cpp - Nodes, classes and unions -----------------------------===//
//
// Part of Prism.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Adding nodes, union-find, and the proof forest. Restoring congruence is in
// Rebuild.cpp.
//
//===----------------------------------------------------------------------===//

#include "Prism/EGraph/EGraph.h"
#include "llvm/ADT/SmallVector.h"
#include <cassert>

using namespace prism::egraph;
using llvm::ArrayRef;
using llvm::SmallVector;

Analysis::~Analysis() = default;

//===----------------------------------------------------------------------===//
// Views and look-ups
//===----------------------------------------------------------------------===//

NodeView EGraph::node(Id id) const {
  const Node &node = store[id];
  const uint32_t *begin = operands.data() + node.begin;
  return {node.op,
          {begin, node.numPayloads},
          {begin + node.numPayloads, node.numChildren}};
}

NodeView EGraph::term(Id id) const {
  assert(options.proofs && "terms as written are kept with proofs on only");
  const Node &node = store[id];
  const uint32_t *begin = operands.data() + node.begin;
  const uint32_t *children = begin + node.numPayloads;
  if (!(node.flags & shadowFlag))
    children += node.numChildren;
  return {node.op, {begin, node.numPayloads}, {children, node.numChildren}};
}

ArrayRef<Id> EGraph::nodes(Id eclass) const {
  const ClassInfo &info = infoOf(find(eclass));
  return {index.data() + info.indexBegin, info.indexCount};
}

std::vector<Id> EGraph::classes() const {
  std::vector<Id> roots;
  roots.reserve(liveClasses);
  for (Id id = 0, e = Id(parents.size()); id != e; ++id)
    if (parents[id] & rootBit)
      roots.push_back(id);
  return roots;
}

std::vector<Id> EGraph::parentsOf(Id eclass) const {
  std::vector<Id> result;
  const ClassInfo &info = infoOf(find(eclass));
  for (uint32_t link = info.parentHead; link != None;
       link = parentLinks[link].next)
    result.push_back(parentLinks[link].node);
  return result;
}

Id EGraph::lookupCanonical(const NodeView &key, uint32_t hash) const {
  return table.find(hash, [&](Id id) { return node(id) == key; });
}

Id EGraph::lookupExact(const NodeView &key, uint32_t hash) const {
  return exactTable.find(hash, [&](Id id) { return term(id) == key; });
}

Id EGraph::lookup(OpId op, ArrayRef<Id> children,
                  ArrayRef<Payload> payloads) const {
  SmallVector<Id, 8> canonical;
  for (Id child : children)
    canonical.push_back(find(child));
  NodeView key{op, payloads, canonical};
  Id found = lookupCanonical(key, hashNode(key));
  return found == None ? None : find(found);
}

//===----------------------------------------------------------------------===//
// Adding nodes
//===----------------------------------------------------------------------===//

Id EGraph::add(OpId op, ArrayRef<Id> children, ArrayRef<Payload> payloadsRef) {
  // Copies: the arguments may point into our own pool, which may move.
  SmallVector<Payload, 4> payloads(payloadsRef);
  SmallVector<Id, 8> written(children), canonical;
  for (Id child : written)
    canonical.push_back(find(child));
  NodeView exact{op, payloads, written}, key{op, payloads, canonical};
  uint32_t hash = hashNode(key);
  if (!options.proofs) {
    Id found = lookupCanonical(key, hash);
    return found != None ? find(found) : createNode(key, exact, hash);
  }
  uint32_t exactHash = hashNode(exact);
  if (Id found = lookupExact(exact, exactHash); found != None)
    return found;
  if (Id found = lookupCanonical(key, hash); found != None)
    return createShadow(exact, exactHash, found);
  return createNode(key, exact, hash);
}

/// Appends a node to the arrays; it belongs to no class yet.
Id EGraph::allocate(const NodeView &canonical, const NodeView &exact,
                    uint8_t flags) {
  assert(canonical.payloads.size() < 256 && canonical.children.size() < 65536 &&
         parents.size() < rootBit && "node or graph too large");
  Id id = Id(parents.size());
  Node node;
  node.op = exact.op;
  node.begin = uint32_t(operands.size());
  node.numChildren = uint16_t(exact.children.size());
  node.numPayloads = uint8_t(exact.payloads.size());
  node.flags = flags;
  operands.insert(operands.end(), exact.payloads.begin(), exact.payloads.end());
  if (!(flags & shadowFlag))
    operands.insert(operands.end(), canonical.children.begin(),
                    canonical.children.end());
  if (options.proofs) {
    operands.insert(operands.end(), exact.children.begin(),
                    exact.children.end());
    proofEdges.emplace_back();
    exactTable.insert(hashNode(exact), id);
  }
  parents.push_back(None);
  store.push_back(node);
  nextNode.push_back(None);
  stamps.push_back(epoch);
  if (!(flags & shadowFlag)) {
    changedNodes.push_back(id);
    ++created;
    ++liveNodes;
  }
  return id;
}

/// Enters a node into the parent lists of its children's classes.
void EGraph::addToParents(Id id) {
  ArrayRef<Id> children = childrenOf(store[id]);
  for (size_t i = 0; i != children.size(); ++i) {
    if (llvm::is_contained(children.take_front(i), children[i]))
      continue;
    uint32_t link = uint32_t(parentLinks.size());
    parentLinks.push_back({id, None});
    ClassInfo &info = infoOf(children[i]);
    if (info.parentTail == None)
      info.parentHead = link;
    else
      parentLinks[info.parentTail].next = link;
    info.parentTail = link;
    ++info.parentCount;
  }
}

/// Creates a node in a class of its own.
Id EGraph::createNode(const NodeView &canonical, const NodeView &exact,
                      uint32_t hash) {
  Fact fact = options.analysis ? options.analysis->make(*this, canonical) : 0;
  Id id = allocate(canonical, exact, liveFlag | hashedFlag);
  uint32_t slot;
  if (freeInfos.empty()) {
    slot = uint32_t(infos.size());
    infos.emplace_back();
  } else {
    slot = freeInfos.back();
    freeInfos.pop_back();
    infos[slot] = ClassInfo();
  }
  parents[id] = rootBit | slot;
  ClassInfo &info = infos[slot];
  info.head = info.tail = id;
  info.termCount = 1;
  info.fact = fact;
  ++liveClasses;
  table.insert(hash, id);
  addToParents(id);
  markChanged(id);
  if (options.analysis)
    pendingModify.push_back(id);
  return id;
}

/// Creates a node in the class `target`: one that a rule has just shown to be
/// equal to it. If its fact contradicts the class, it gets a class of its own.
Id EGraph::createInto(Id target, const NodeView &canonical,
                      const NodeView &exact, uint32_t hash) {
  Id root = find(target);
  if (options.analysis) {
    Fact fact = options.analysis->make(*this, canonical);
    std::optional<Fact> merged =
        options.analysis->merge(infoOf(root).fact, fact);
    if (!merged) {
      Id id = createNode(canonical, exact, hash);
      ++rejected;
      if (!rejectedPair)
        rejectedPair = {target, id};
      return id;
    }
    if (*merged != infoOf(root).fact) {
      infoOf(root).fact = *merged;
      pendingFacts.push_back(root);
      pendingModify.push_back(root);
    }
  }
  Id id = allocate(canonical, exact, liveFlag | hashedFlag);
  parents[id] = root;
  ClassInfo &info = infoOf(root);
  nextNode[info.tail] = id;
  info.tail = id;
  ++info.termCount;
  table.insert(hash, id);
  addToParents(id);
  markChanged(root);
  return id;
}

/// Creates a term that is equal to the node `congruent` by congruence alone.
Id EGraph::createShadow(const NodeView &exact, uint32_t hash, Id congruent) {
  (void)hash;
  Id root = find(congruent);
  Id id = allocate(exact, exact, shadowFlag);
  parents[id] = root;
  ++infoOf(root).termCount;
  proofEdges[id] = {congruent, congruence << 1 | 1};
  return id;
}

//===----------------------------------------------------------------------===//
// Unions
//===----------------------------------------------------------------------===//

MergeResult EGraph::merge(Id a, Id b, RuleId rule, const Substitution &subst,
                          bool reversed) {
  if (equal(a, b))
    return MergeResult::Same;
  return unite(a, b, recordReason(rule, subst), !reversed);
}

MergeResult EGraph::unite(Id a, Id b, uint32_t reason, bool forward) {
  Id rootA = find(a), rootB = find(b);
  if (rootA == rootB)
    return MergeResult::Same;
  ClassInfo &infoA = infoOf(rootA), &infoB = infoOf(rootB);
  bool factsChange = false;
  Fact fact = 0;
  if (options.analysis) {
    std::optional<Fact> merged =
        options.analysis->merge(infoA.fact, infoB.fact);
    if (!merged) {
      ++rejected;
      if (!rejectedPair)
        rejectedPair = {a, b};
      return MergeResult::Rejected;
    }
    fact = *merged;
    factsChange = fact != infoA.fact || fact != infoB.fact;
  }
  if (options.proofs) {
    // Turning the path around costs its length: do it in the smaller tree.
    if (infoA.termCount <= infoB.termCount)
      linkProof(a, b, reason, forward);
    else
      linkProof(b, a, reason, !forward);
  }
  // The class with fewer parents loses: its parents' keys must be repaired.
  bool aWins = infoA.parentCount != infoB.parentCount
                   ? infoA.parentCount > infoB.parentCount
                   : rootA < rootB;
  Id winner = aWins ? rootA : rootB;
  absorb(winner, aWins ? rootB : rootA);
  infoOf(winner).fact = fact;
  if (factsChange) {
    pendingFacts.push_back(winner);
    pendingModify.push_back(winner);
  }
  return MergeResult::Merged;
}

/// Moves everything of the class `loser` to the class `winner`.
void EGraph::absorb(Id winner, Id loser) {
  uint32_t loserSlot = parents[loser] & ~rootBit;
  ClassInfo &to = infoOf(winner), &from = infos[loserSlot];
  stampNodes(loser);
  nextNode[to.tail] = from.head;
  to.tail = from.tail;
  if (from.parentHead != None) {
    pending.push_back({from.parentHead, from.parentTail});
    if (to.parentTail == None)
      to.parentHead = from.parentHead;
    else
      parentLinks[to.parentTail].next = from.parentHead;
    to.parentTail = from.parentTail;
    to.parentCount += from.parentCount;
  }
  to.termCount += from.termCount;
  to.deadNodes |= from.deadNodes;
  to.deadParents |= from.deadParents;
  indexLive -= from.indexCapacity;
  parents[loser] = winner;
  freeInfos.push_back(loserSlot);
  --liveClasses;
  ++unions;
  markChanged(winner);
}

void EGraph::markChanged(Id root) {
  infoOf(root).changed = epoch;
  markDirty(root);
}

void EGraph::markDirty(Id root) {
  ClassInfo &info = infoOf(root);
  if (info.dirty)
    return;
  info.dirty = true;
  dirtyClasses.push_back(root);
}

void EGraph::stamp(Id id) {
  if (stamps[id] == epoch)
    return;
  stamps[id] = epoch;
  changedNodes.push_back(id);
}

void EGraph::stampNodes(Id root) {
  for (Id id = infoOf(root).head; id != None; id = nextNode[id])
    stamp(id);
}

//===----------------------------------------------------------------------===//
// The proof forest
//===----------------------------------------------------------------------===//

/// Stores rule, number of class variables, their terms, payloads; returns the
/// offset.
uint32_t EGraph::recordReason(RuleId rule, const Substitution &subst) {
  if (!options.proofs)
    return congruence;
  uint32_t offset = uint32_t(reasons.size());
  reasons.push_back(rule);
  reasons.push_back(uint32_t(subst.classes.size()));
  reasons.push_back(uint32_t(subst.payloads.size()));
  reasons.insert(reasons.end(), subst.classes.begin(), subst.classes.end());
  reasons.insert(reasons.end(), subst.payloads.begin(), subst.payloads.end());
  assert(reasons.size() < congruence && "proofs too large");
  return offset;
}

void EGraph::linkProof(Id from, Id to, uint32_t reason, bool forward) {
  reroot(from);
  proofEdges[from] = {to, reason << 1 | uint32_t(forward)};
}

/// Turns the edges around on the path from `id` to the root of its tree.
void EGraph::reroot(Id id) {
  ProofEdge incoming;
  while (true) {
    ProofEdge edge = proofEdges[id];
    proofEdges[id] = incoming;
    if (edge.to == None)
      return;
    incoming = {id, edge.reason ^ 1};
    id = edge.to;
  }
}

size_t EGraph::memoryInBytes() const {
  auto bytes = [](const auto &array) {
    return array.capacity() * sizeof(array[0]);
  };
  return bytes(parents) + bytes(store) + bytes(operands) + bytes(nextNode) +
         bytes(stamps) + bytes(infos) + bytes(freeInfos) + bytes(parentLinks) +
         bytes(index) + bytes(proofEdges) + bytes(reasons) + bytes(pending) +
         bytes(pendingFacts) + bytes(pendingModify) + bytes(dirtyClasses) +
         bytes(changedNodes) + bytes(recentNodes) + table.capacityInBytes() +
         exactTable.capacityInBytes();
}
