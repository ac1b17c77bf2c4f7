//===- PartGraph.h - A program as nodes that can be cut ---------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a program may be cut into (DECISIONS 19). A *node* is one compute op
// with the cast that narrows its result, if nothing else reads that, so that a
// cut writes the narrow value. Constants, scalars computed from constants and
// other float casts are no nodes: each part has its own copy, so that no cut
// writes a widened tensor, or one tensor twice.
//
// Parts come from *ideals*: sets of nodes with all that they depend on. The
// ideals looked at are the prefixes of four topological orders (the program's
// own, depth first from the results, by least and by greatest depth); a part is
// the difference of two of them, so it is convex, and there are at most
// (4 n + 1)^2 / 2 of them. A sequence of growing ideals is a partition.
//
// Worked example: q = x Wq, k = x Wk, s = q k^T. The program's order has the
// ideals {}, {q}, {q, k}, {q, k, s}, so the parts q, k, s, qk, ks, qks.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_PARTITION_PARTGRAPH_H
#define PRISM_PARTITION_PARTGRAPH_H

#include "Prism/Dialect/PrismDialect.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include <vector>

namespace prism {

/// A set of nodes, by their numbers.
using NodeSet = llvm::BitVector;

class PartGraph {
public:
  struct Node {
    /// The op, and what narrows its result.
    llvm::SmallVector<mlir::Operation *, 2> ops;
    llvm::SmallVector<unsigned, 4> operands; ///< nodes read, each once
    llvm::SmallVector<unsigned, 4> users;    ///< nodes that read this
    bool isContraction = false;
    bool onlyMoves = false; ///< computes nothing
  };

  explicit PartGraph(ProgramOp program);

  ProgramOp getProgram() const { return program; }
  llvm::ArrayRef<Node> getNodes() const { return nodes; }
  unsigned size() const { return nodes.size(); }

  /// The ops of a part in the program's order, its own copies included.
  llvm::SmallVector<mlir::Operation *> getOps(const NodeSet &part) const;
  /// Ops that count against a bound on ops: no casts, no constants.
  static unsigned countOps(llvm::ArrayRef<mlir::Operation *> ops);
  unsigned countContractions(const NodeSet &part) const;
  /// Whether the nodes hang together by values that they hand on, or read
  /// from outside.
  bool isConnected(const NodeSet &part) const;
  /// What `ops` of a part read from outside, in order of use.
  llvm::SmallVector<mlir::Value>
  getInputs(llvm::ArrayRef<mlir::Operation *> ops) const;
  /// What is read outside of `part`, in the program's order.
  llvm::SmallVector<mlir::Value> getResults(const NodeSet &part) const;

  /// The ideals looked at, fewest nodes first, each once.
  std::vector<NodeSet> getIdeals() const;

private:
  using Order = llvm::SmallVector<unsigned>;
  bool isCopied(mlir::Operation *op) const { return copied.contains(op); }
  void addNodes();
  void addEdges();
  llvm::SmallVector<mlir::Operation *>
  sort(llvm::SmallVector<mlir::Operation *> ops) const;
  bool isReadOutside(mlir::Operation *op, const NodeSet &part) const;
  Order getDepthFirstOrder() const;
  Order getOrderByDepth(bool fromResults) const;

  ProgramOp program;
  std::vector<Node> nodes;
  llvm::DenseMap<mlir::Operation *, unsigned> nodeOf, position;
  llvm::DenseSet<mlir::Operation *> copied;
};

} // namespace prism

#endif // PRISM_PARTITION_PARTGRAPH_H
