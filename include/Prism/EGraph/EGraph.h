//===- EGraph.h - E-graph with deferred rebuilding and proofs ---*- C++ -*-===//
//
// Part of Prism.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A congruence-closed set of terms. Typical use:
//
//   OperatorTable ops;
//   EGraph graph({/*proofs=*/true});
//   Id a = graph.add(ops.intern("a")), b = graph.add(ops.intern("b"));
//   OpId f = ops.intern("f");
//   Id fa = graph.add(f, {a}), fb = graph.add(f, {b});
//   graph.merge(a, b, /*rule=*/0);
//   graph.rebuild();                    // now graph.equal(fa, fb)
//
// Rules are in Rule.h, running them in Saturate.h, proofs in Explain.h,
// extraction in Extract.h.
//
// Storage is a handful of flat arrays, so a copy (`EGraph fork = base;`) is a
// few memcpys: saturate the graph of a program once, then check each candidate
// in a copy. Ids stay valid in the copy. The Analysis is shared by copies.
// Everything is deterministic: ids and orders depend on the sequence of calls
// alone. Not thread-safe, but const calls may run concurrently.
//
// Invariant: between rebuilds, equal nodes may not yet be known to be equal.
// Call rebuild before asking `equal`, before matching and before extraction.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_EGRAPH_EGRAPH_H
#define PRISM_EGRAPH_EGRAPH_H

#include "Prism/EGraph/Analysis.h"
#include "Prism/EGraph/IdTable.h"
#include "Prism/EGraph/Types.h"
#include <optional>
#include <vector>

namespace prism::egraph {

/// What the variables of a rule stand for, by VarId; None where a variable is
/// unbound. `classes` holds terms of the graph, not canonical ids.
struct Substitution {
  llvm::ArrayRef<Id> classes;
  llvm::ArrayRef<Payload> payloads;
};

/// What a union did.
enum class MergeResult {
  Same,    ///< They were equal already.
  Merged,  ///< Now they are equal.
  Rejected ///< Their facts contradict each other; nothing changed.
};

class EGraph {
public:
  struct Options {
    /// Record why things are equal, for explain(). Costs time and memory, and
    /// changes no verdict.
    bool proofs = false;
    /// Not owned; may be null. Must outlive the graph and its copies.
    Analysis *analysis = nullptr;
  };

  EGraph() = default;
  explicit EGraph(Options options) : options(options) {}

  //===--- Building -------------------------------------------------------===//

  /// Adds op[payloads](children), or finds it. With proofs on, returns the term
  /// exactly as written (its Id differs from that of an equal but differently
  /// written term); without, the canonical id of its class.
  Id add(OpId op, llvm::ArrayRef<Id> children = {},
         llvm::ArrayRef<Payload> payloads = {});

  /// The class that holds op[payloads](children), or None; adds nothing.
  Id lookup(OpId op, llvm::ArrayRef<Id> children = {},
            llvm::ArrayRef<Payload> payloads = {}) const;

  /// Makes two terms equal because of `rule`, read from a (left) to b (right),
  /// or from b to a where `reversed`. The rule, direction and substitution come
  /// back from explain(). Consequences appear after rebuild().
  MergeResult merge(Id a, Id b, RuleId rule, const Substitution &subst = {},
                    bool reversed = false);

  /// Restores congruence, facts and the node lists. Does nothing while
  /// saturate() is matching.
  void rebuild();

  //===--- Asking ---------------------------------------------------------===//

  /// The canonical id of the class of `id`; changes with unions.
  Id find(Id id) const {
    while (!(parents[id] & rootBit))
      id = parents[id];
    return id;
  }
  bool equal(Id a, Id b) const { return find(a) == find(b); }

  /// The node behind an id: children canonical as of the last rebuild. Valid
  /// until the next change of the graph.
  NodeView node(Id id) const;

  /// The node as it was written when it was added: its children are terms, all
  /// with smaller ids. Needs proofs.
  NodeView term(Id id) const;

  /// The nodes of a class, without duplicates, in order of (operator, id); as
  /// of the last rebuild.
  llvm::ArrayRef<Id> nodes(Id eclass) const;

  /// The canonical ids of all classes, ascending.
  std::vector<Id> classes() const;

  /// The nodes that have this class as a child; may hold dead ones
  /// (see isLive) and changes with the next union.
  std::vector<Id> parentsOf(Id eclass) const;

  /// Not live: it became a duplicate of another node of its class (or is kept
  /// as a term of a proof only).
  bool isLive(Id id) const { return store[id].flags & liveFlag; }

  /// The fact of a class (0 without an Analysis).
  Fact fact(Id id) const { return infoOf(find(id)).fact; }

  bool hasProofs() const { return options.proofs; }
  Analysis *analysis() const { return options.analysis; }

  //===--- Counting -------------------------------------------------------===//

  size_t numClasses() const { return liveClasses; }
  /// Nodes, congruent duplicates not counted (as of the last rebuild).
  size_t numNodes() const { return liveNodes; }
  /// Nodes ever created, terms kept for proofs not counted. Limits count these:
  /// the number never falls and is the same with proofs on.
  size_t numCreated() const { return created; }
  /// Ids ever handed out; every Id is below.
  size_t numIds() const { return parents.size(); }
  /// Unions rejected because the facts of the two classes contradict.
  size_t numRejected() const { return rejected; }
  /// The terms of the first rejected union, if there was any.
  std::optional<std::pair<Id, Id>> firstRejected() const {
    return rejectedPair;
  }
  /// Rejected facts that a union could no longer prevent: the fact of a node
  /// contradicts its class after a child's fact changed. The class keeps its
  /// fact. Not zero means that a rule or the analysis is wrong.
  size_t numContradictions() const { return contradictions; }
  /// Bytes held by the arrays.
  size_t memoryInBytes() const;

private:
  friend class Matcher;
  friend class RuleApplier;
  friend class Explainer;
  friend class Saturator;

  static constexpr uint32_t rootBit = 1u << 31;
  static constexpr uint8_t liveFlag = 1;   ///< In its class's node list.
  static constexpr uint8_t hashedFlag = 2; ///< In the hash-consing table.
  static constexpr uint8_t shadowFlag = 4; ///< A term kept for proofs only.

  /// Operands lie in one pool: payloads, then children (canonical), then, with
  /// proofs, the children as written. A shadow has the latter only.
  struct Node {
    OpId op;
    uint32_t begin;
    uint16_t numChildren;
    uint8_t numPayloads;
    uint8_t flags;
  };

  /// What belongs to a class, at the slot that its root names.
  struct ClassInfo {
    Id head = None, tail = None; ///< List of nodes, through nextNode.
    uint32_t parentHead = None, parentTail = None; ///< In parentLinks.
    uint32_t parentCount = 0;
    uint32_t termCount = 0; ///< Size of its tree in the proof forest.
    uint32_t indexBegin = 0, indexCount = 0, indexCapacity = 0;
    Id indexedTail = None; ///< The last node of the list that is in `index`.
    uint32_t changed = 0;  ///< Epoch of the last change.
    Fact fact = 0;
    uint64_t operators = 0;   ///< Of the nodes in `index`: see operatorBit.
    bool dirty = false;       ///< It is in `dirtyClasses`.
    bool deadNodes = false;   ///< Its list has dead nodes.
    bool deadParents = false; ///< So has its list of parents.
  };
  struct ParentLink {
    Id node;
    uint32_t next;
  };
  /// The parents of a class that lost a union: their keys are stale.
  struct Segment {
    uint32_t head, tail;
  };
  /// An edge of the proof forest, towards the root of its tree. `reason` is an
  /// offset in `reasons` (or congruence) and the direction of the rule.
  struct ProofEdge {
    Id to = None;
    uint32_t reason = None;
  };
  static constexpr uint32_t congruence = None >> 1;

  /// Most look-ups of an operator in a class fail; this bit mostly says so.
  static uint64_t operatorBit(OpId op) { return uint64_t(1) << (op % 64); }

  ClassInfo &infoOf(Id root) { return infos[parents[root] & ~rootBit]; }
  const ClassInfo &infoOf(Id root) const {
    return infos[parents[root] & ~rootBit];
  }
  llvm::MutableArrayRef<uint32_t> childrenOf(const Node &node) {
    return {operands.data() + node.begin + node.numPayloads, node.numChildren};
  }

  Id lookupCanonical(const NodeView &key, uint32_t hash) const;
  Id lookupExact(const NodeView &key, uint32_t hash) const;
  Id createNode(const NodeView &canonical, const NodeView &exact,
                uint32_t hash);
  Id createInto(Id target, const NodeView &canonical, const NodeView &exact,
                uint32_t hash);
  Id createShadow(const NodeView &exact, uint32_t hash, Id congruent);
  Id allocate(const NodeView &canonical, const NodeView &exact, uint8_t flags);
  void addToParents(Id node);
  MergeResult unite(Id a, Id b, uint32_t reason, bool forward);
  void absorb(Id winner, Id loser);
  uint32_t recordReason(RuleId rule, const Substitution &subst);
  void linkProof(Id from, Id to, uint32_t reason, bool forward);
  void reroot(Id id);

  void markDirty(Id root);
  void markChanged(Id root);
  void stamp(Id node);
  void stampNodes(Id root);
  void repair(Id node);
  void kill(Id node);
  void updateFacts(Id id);
  void refreshIndex();
  void dropDeadNodes(ClassInfo &info);
  void dropDeadParents(ClassInfo &info);
  void indexNewNodes(ClassInfo &info);
  void compactIndex();

  Options options;
  std::vector<uint32_t> parents; ///< Union-find; a root names its slot.
  std::vector<Node> store;
  std::vector<uint32_t> operands;
  std::vector<Id> nextNode;
  std::vector<uint32_t> stamps; ///< Epoch when a node was new or changed.
  std::vector<ClassInfo> infos;
  std::vector<uint32_t> freeInfos;
  std::vector<ParentLink> parentLinks;
  std::vector<Id> index; ///< Node lists of the classes, contiguous.
  size_t indexLive = 0;  ///< Sum of the capacities in use.
  IdTable table;         ///< Canonical nodes.

  IdTable exactTable; ///< With proofs: terms as written.
  std::vector<ProofEdge> proofEdges;
  std::vector<uint32_t> reasons;

  std::vector<Segment> pending;
  std::vector<Id> pendingFacts;
  std::vector<Id> pendingModify;
  std::vector<Id> dirtyClasses;
  std::vector<Id> changedNodes; ///< Nodes stamped since the last rebuild,
  std::vector<Id> recentNodes;  ///< and between the two before.

  uint32_t epoch = 1;
  bool matching = false;
  bool rebuilding = false;
  size_t liveClasses = 0, liveNodes = 0, created = 0, unions = 0;
  size_t rejected = 0, contradictions = 0;
  std::optional<std::pair<Id, Id>> rejectedPair;
};

} // namespace prism::egraph

#endif // PRISM_EGRAPH_EGRAPH_H
