//===- PartGraph.cpp - A program as nodes that can be cut -----------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Partition/PartGraph.h"
#include "Prism/Dialect/Canonicalization.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace prism;

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

/// Bits of an element; 0 where the cast is not between floats.
static unsigned getFloatWidth(Value value) {
  auto type = dyn_cast<FloatType>(prism::getElementType(value.getType()));
  return type ? type.getWidth() : 0;
}

static bool isCastThat(Operation *op, bool widens) {
  if (!isa<CastOp>(op))
    return false;
  unsigned from = getFloatWidth(op->getOperand(0));
  unsigned to = getFloatWidth(op->getResult(0));
  return from && to && (widens ? to > from : to < from);
}

PartGraph::PartGraph(ProgramOp program) : program(program) {
  addNodes();
  addEdges();
}

void PartGraph::addNodes() {
  for (Operation &op : program.getBodyBlock().without_terminator()) {
    unsigned place = position.size();
    position[&op] = place;
    bool isYielded = llvm::any_of(
        op.getUsers(), [](Operation *user) { return isa<YieldOp>(user); });
    // Full tensors are computed from constants once.
    bool isConstant = op.getNumOperands() == 0 ||
                      (prism::getRank(op.getResult(0).getType()) == 0 &&
                       llvm::all_of(op.getOperands(), [&](Value operand) {
                         Operation *producer = operand.getDefiningOp();
                         return producer && isCopied(producer);
                       }));
    // Where the wide value is handed on anyway, its readers narrow it.
    bool isFreeCast =
        isCastThat(&op, /*widens=*/true) ||
        (isCastThat(&op, /*widens=*/false) && !op.getOperand(0).hasOneUse() &&
         op.getOperand(0).getDefiningOp());
    if (!isYielded && (isConstant || isFreeCast)) {
      copied.insert(&op);
      continue;
    }
    Operation *narrowed = isCastThat(&op, /*widens=*/false)
                              ? op.getOperand(0).getDefiningOp()
                              : nullptr;
    if (narrowed && nodeOf.contains(narrowed)) {
      nodeOf[&op] = nodeOf.lookup(narrowed);
      nodes[nodeOf.lookup(narrowed)].ops.push_back(&op);
      continue;
    }
    nodeOf[&op] = nodes.size();
    Node &node = nodes.emplace_back();
    node.ops.push_back(&op);
    node.isContraction = isa<MatmulOp>(op);
    node.onlyMoves = isDataMovement(cast<ComputeOpInterface>(op));
  }
}

void PartGraph::addEdges() {
  // Nodes that a copied op hands on.
  llvm::DenseMap<Operation *, llvm::SetVector<unsigned>> behind;
  for (Operation &op : program.getBodyBlock().without_terminator()) {
    llvm::SetVector<unsigned> read;
    for (Value operand : op.getOperands())
      if (Operation *producer = operand.getDefiningOp()) {
        if (isCopied(producer))
          read.insert_range(behind[producer]);
        else
          read.insert(nodeOf.lookup(producer));
      }
    if (isCopied(&op)) {
      behind[&op] = std::move(read);
      continue;
    }
    unsigned node = nodeOf.lookup(&op);
    for (unsigned operand : read)
      if (operand != node &&
          !llvm::is_contained(nodes[node].operands, operand)) {
        nodes[node].operands.push_back(operand);
        nodes[operand].users.push_back(node);
      }
  }
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

SmallVector<Operation *> PartGraph::getOps(const NodeSet &part) const {
  llvm::SmallPtrSet<Operation *, 32> inside;
  SmallVector<Operation *> pending;
  for (unsigned node : part.set_bits())
    pending.append(nodes[node].ops.begin(), nodes[node].ops.end());
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val();
    if (!inside.insert(op).second)
      continue;
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp())
        if (isCopied(producer))
          pending.push_back(producer);
  }
  return sort(SmallVector<Operation *>(inside.begin(), inside.end()));
}

SmallVector<Operation *> PartGraph::sort(SmallVector<Operation *> ops) const {
  llvm::sort(ops, [&](Operation *a, Operation *b) {
    return position.lookup(a) < position.lookup(b);
  });
  return ops;
}

unsigned PartGraph::countOps(ArrayRef<Operation *> ops) {
  return llvm::count_if(ops, [](Operation *op) {
    return op->getNumOperands() && !isa<CastOp>(op);
  });
}

unsigned PartGraph::countContractions(const NodeSet &part) const {
  return llvm::count_if(part.set_bits(), [&](unsigned node) {
    return nodes[node].isContraction;
  });
}

bool PartGraph::isConnected(const NodeSet &part) const {
  // Spread from the first node over edges and over values read in common.
  NodeSet reached(size());
  SmallVector<unsigned> pending = {static_cast<unsigned>(part.find_first())};
  reached.set(pending.front());
  auto reach = [&](unsigned node) {
    if (!part.test(node) || reached.test(node))
      return;
    reached.set(node);
    pending.push_back(node);
  };
  // The values of outside that a node reads, behind its copied ops.
  auto sourcesOf = [&](unsigned node) {
    llvm::SmallPtrSet<Value, 4> sources;
    SmallVector<Operation *> ops(nodes[node].ops.begin(),
                                 nodes[node].ops.end());
    while (!ops.empty())
      for (Value operand : ops.pop_back_val()->getOperands()) {
        Operation *producer = operand.getDefiningOp();
        if (producer && isCopied(producer))
          ops.push_back(producer);
        else
          sources.insert(operand);
      }
    return sources;
  };
  llvm::DenseMap<Value, SmallVector<unsigned>> readers;
  for (unsigned node : part.set_bits())
    for (Value source : sourcesOf(node))
      readers[source].push_back(node);
  while (!pending.empty()) {
    unsigned node = pending.pop_back_val();
    for (unsigned next : nodes[node].operands)
      reach(next);
    for (unsigned next : nodes[node].users)
      reach(next);
    for (Value source : sourcesOf(node))
      for (unsigned next : readers.lookup(source))
        reach(next);
  }
  return reached == part;
}

SmallVector<Value> PartGraph::getInputs(ArrayRef<Operation *> ops) const {
  llvm::SmallPtrSet<Operation *, 32> inside(ops.begin(), ops.end());
  llvm::SetVector<Value> inputs;
  for (Operation *op : ops)
    for (Value operand : op->getOperands())
      if (!operand.getDefiningOp() || !inside.contains(operand.getDefiningOp()))
        inputs.insert(operand);
  return inputs.takeVector();
}

/// Whether something outside reads `op`, through copied ops as well.
bool PartGraph::isReadOutside(Operation *op, const NodeSet &part) const {
  return llvm::any_of(op->getUsers(), [&](Operation *user) {
    if (isCopied(user))
      return isReadOutside(user, part);
    auto it = nodeOf.find(user); // none: the yield
    return it == nodeOf.end() || !part.test(it->second);
  });
}

SmallVector<Value> PartGraph::getResults(const NodeSet &part) const {
  SmallVector<Operation *> read;
  for (unsigned node : part.set_bits())
    for (Operation *op : nodes[node].ops)
      if (isReadOutside(op, part))
        read.push_back(op);
  return llvm::map_to_vector(sort(std::move(read)), [](Operation *op) -> Value {
    return op->getResult(0);
  });
}

//===----------------------------------------------------------------------===//
// Ideals
//===----------------------------------------------------------------------===//

PartGraph::Order PartGraph::getDepthFirstOrder() const {
  Order order;
  NodeSet placed(size());
  // Nodes to place, the next one last; a node is placed when it comes up again.
  SmallVector<unsigned> pending;
  for (unsigned node = size(); node-- > 0;)
    if (nodes[node].users.empty())
      pending.push_back(node);
  while (!pending.empty()) {
    unsigned node = pending.back();
    auto waits = llvm::find_if(nodes[node].operands, [&](unsigned operand) {
      return !placed.test(operand);
    });
    if (waits != nodes[node].operands.end()) {
      pending.push_back(*waits);
      continue;
    }
    pending.pop_back();
    if (placed.test(node))
      continue;
    placed.set(node);
    order.push_back(node);
  }
  return order;
}

PartGraph::Order PartGraph::getOrderByDepth(bool fromResults) const {
  SmallVector<int> depth(size(), 0);
  Order order;
  for (unsigned node = 0; node < size(); ++node) {
    order.push_back(node);
    for (unsigned operand : nodes[node].operands)
      depth[node] = std::max(depth[node], depth[operand] + 1);
  }
  if (fromResults)
    for (unsigned node = size(); node-- > 0;) {
      depth[node] = 0;
      for (unsigned user : nodes[node].users)
        depth[node] = std::min(depth[node], depth[user] - 1);
    }
  llvm::stable_sort(
      order, [&](unsigned a, unsigned b) { return depth[a] < depth[b]; });
  return order;
}

std::vector<NodeSet> PartGraph::getIdeals() const {
  std::vector<NodeSet> ideals;
  Order inOrder = llvm::to_vector(llvm::seq<unsigned>(0, size()));
  for (const Order &order : {inOrder, getDepthFirstOrder(),
                             getOrderByDepth(false), getOrderByDepth(true)}) {
    NodeSet ideal(size());
    ideals.push_back(ideal);
    for (unsigned node : order) {
      ideal.set(node);
      ideals.push_back(ideal);
    }
  }
  auto lessThan = [](const NodeSet &a, const NodeSet &b) {
    if (a.count() != b.count())
      return a.count() < b.count();
    NodeSet onlyInOne = a;
    onlyInOne ^= b;
    int first = onlyInOne.find_first();
    return first >= 0 && a.test(first);
  };
  llvm::sort(ideals, lessThan);
  ideals.erase(llvm::unique(ideals), ideals.end());
  return ideals;
}
