//===- Types.h - Ids and node views of the e-graph --------------*- C++ -*-===//
//
// Part of Prism.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The vocabulary shared by every header of lib/EGraph. All ids are dense
// 32-bit integers handed out in a deterministic order; none is a pointer.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_EGRAPH_TYPES_H
#define PRISM_EGRAPH_TYPES_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>

namespace prism::egraph {

/// An e-node (and so, through EGraph::find, an e-class). With proofs on, an Id
/// also is a concrete term: the node as it was written when it was added.
using Id = uint32_t;

/// An operator, interned by an OperatorTable (or chosen by the client).
using OpId = uint32_t;

/// An opaque attribute of a node: the client interns what it stands for.
using Payload = uint32_t;

/// An opaque analysis fact of a class: the client's Analysis interns what it
/// stands for. Equal facts must have equal numbers.
using Fact = uint32_t;

/// What justifies a union: the client's number of a rule or axiom. The e-graph
/// never interprets it; the largest value is reserved.
using RuleId = uint32_t;

/// A variable of a rule: an index into its class or its payload variables.
using VarId = uint32_t;

/// A term in a TermBank. Not an Id: the two spaces are unrelated.
using TermId = uint32_t;

/// "No such id", for each of the types above.
inline constexpr uint32_t None = ~0u;

/// A node seen from outside: operator, attributes, children. The arrays point
/// into the owner's storage and die with the owner's next change.
struct NodeView {
  OpId op = None;
  llvm::ArrayRef<Payload> payloads;
  llvm::ArrayRef<uint32_t> children;

  bool operator==(const NodeView &other) const {
    if (op != other.op || payloads.size() != other.payloads.size() ||
        children.size() != other.children.size())
      return false;
    // Loops: the arrays are too short for a call of memcmp to pay.
    for (size_t i = 0; i != payloads.size(); ++i)
      if (payloads[i] != other.payloads[i])
        return false;
    for (size_t i = 0; i != children.size(); ++i)
      if (children[i] != other.children[i])
        return false;
    return true;
  }
};

/// A hash of a node that is the same in every process (llvm::hash_combine is
/// seeded per process and would make table orders differ between runs).
inline uint32_t hashNode(const NodeView &node) {
  uint64_t h = (uint64_t(node.op) + 1) * 0x9E3779B97F4A7C15ull;
  auto mix = [&h](uint32_t value) {
    h = (h ^ value) * 0xFF51AFD7ED558CCDull;
    h ^= h >> 32;
  };
  for (Payload payload : node.payloads)
    mix(payload);
  // Separates payloads from children; both are 32-bit numbers.
  h += node.payloads.size();
  for (uint32_t child : node.children)
    mix(child);
  return uint32_t((h * 0x9E3779B97F4A7C15ull) >> 32);
}

} // namespace prism::egraph

#endif // PRISM_EGRAPH_TYPES_H
