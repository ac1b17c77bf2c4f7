//===- TermOrders.cpp - Long sums in the program's order ------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Search/TermOrders.h"
#include "llvm/ADT/BitVector.h"
#include <map>
#include <set>

using namespace mlir;
using namespace prism;

/// Ops of one chain may be nested in any order: sums and differences, or one
/// commuting op. Empty: no order but its own. Nothing is reduced in a chain.
static StringRef getChain(const OracleNode &node) {
  bool isElementwise =
      node.operands.size() == 2 &&
      llvm::all_of(node.structure.dims, [](IterationKind kind) {
        return kind == IterationKind::Parallel;
      });
  if (!isElementwise)
    return "";
  bool isSum = llvm::any_of(node.structure.linearGroups, [](const auto &group) {
    return group.size() == 2;
  });
  if (isSum)
    return "sum";
  if (node.prototype->hasTrait<prism::Commutes>())
    return node.prototype->getName().getStringRef();
  return "";
}

namespace {
class TermOrders {
public:
  TermOrders(Oracle &oracle, ProgramOp program) : oracle(oracle) {
    llvm::DenseMap<Value, unsigned> values = oracle.findProgramValues(program);
    for (Operation &op : program.getBodyBlock().without_terminator()) {
      auto it = values.find(op.getResult(0));
      if (it == values.end() || op.getNumOperands() != 2)
        continue;
      SmallVector<unsigned> operands = llvm::map_to_vector(
          op.getOperands(), [&](Value value) { return values.lookup(value); });
      llvm::sort(operands);
      ofProgram.insert({it->second, {op.getName().getStringRef(), operands}});
    }
  }

  void limitTo(unsigned maxTerms) {
    // All are counted before any is removed.
    std::vector<llvm::BitVector> removed;
    for (unsigned cls = 0; cls < oracle.classes.size(); ++cls)
      removed.push_back(selectOrders(cls, maxTerms));
    for (auto [cls, gone] : llvm::zip_equal(oracle.classes, removed)) {
      unsigned index = 0;
      llvm::erase_if(cls.nodes, [&, &gone = gone](const OracleNode &) {
        return gone.test(index++);
      });
    }
  }

private:
  /// The nodes of `cls` that go.
  llvm::BitVector selectOrders(unsigned cls, unsigned maxTerms) {
    const std::vector<OracleNode> &nodes = oracle.classes[cls].nodes;
    llvm::BitVector gone(nodes.size());
    std::map<StringRef, unsigned> kept; // by chain
    for (auto [index, node] : llvm::enumerate(nodes)) {
      StringRef chain = getChain(node);
      if (chain.empty() || findTerms(chain, cls).count() <= maxTerms)
        continue;
      auto [it, isFirst] = kept.insert({chain, index});
      if (isFirst)
        continue;
      bool isBetter =
          isOfProgram(cls, node) && !isOfProgram(cls, nodes[it->second]);
      gone.set(isBetter ? it->second : index);
      if (isBetter)
        it->second = index;
    }
    return gone;
  }

  bool isOfProgram(unsigned cls, const OracleNode &node) const {
    SmallVector<unsigned> operands(node.operands.begin(), node.operands.end());
    llvm::sort(operands);
    return ofProgram.count(
        {cls, {node.prototype->getName().getStringRef(), operands}});
  }

  /// The classes that are the terms of `cls`, each once. What is a term of
  /// itself is not taken apart.
  const llvm::BitVector &findTerms(StringRef chain, unsigned cls) {
    auto [it, isNew] = terms.insert({{chain, cls}, {}});
    if (!isNew)
      return it->second;
    llvm::BitVector found(oracle.classes.size());
    found.set(cls);
    it->second = found; // while its operands are looked at
    if (!oracle.classes[cls].argument)
      for (const OracleNode &node : oracle.classes[cls].nodes)
        if (getChain(node) == chain) {
          found.reset(cls);
          for (unsigned operand : node.operands)
            found |= findTerms(chain, operand);
          break;
        }
    return it->second = std::move(found);
  }

  Oracle &oracle;
  /// Class, op and sorted operands of the program's ops.
  std::set<std::pair<unsigned, std::pair<StringRef, SmallVector<unsigned>>>>
      ofProgram;
  std::map<std::pair<StringRef, unsigned>, llvm::BitVector> terms;
};
} // namespace

void prism::limitTermOrders(Oracle &oracle, ProgramOp program,
                            unsigned maxTerms) {
  if (maxTerms != 0)
    TermOrders(oracle, program).limitTo(maxTerms);
}
