//===- Forms.cpp - Algebraic forms of a program ---------------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Top-down over the oracle's classes, by iterative deepening: the first class
// that is still open gets each of its nodes in turn. An op is grown only if it
// stands in the oracle, and only if the open classes can be computed with the
// ops that are left, so there are no dead prefixes but those by number of ops.
// A choice of nodes is reached in one order only, so no form comes up twice.
//
//===----------------------------------------------------------------------===//

#include "Prism/Search/Forms.h"
#include "llvm/ADT/BitVector.h"
#include <limits>

using namespace prism;

static bool isLeaf(const OracleClass &cls) {
  return cls.argument || llvm::any_of(cls.nodes, [](const OracleNode &node) {
           return node.isConstant();
         });
}

bool prism::needsKernel(const OracleClass &cls) { return !isLeaf(cls); }

/// A constant's node in `cls`, which is a leaf but no argument.
static unsigned getConstantNode(const OracleClass &cls) {
  for (auto [index, node] : llvm::enumerate(cls.nodes))
    if (node.isConstant())
      return index;
  llvm_unreachable("a leaf is an argument or a constant");
}

namespace {

constexpr unsigned unreachable = std::numeric_limits<unsigned>::max() / 4;

class FormEnumerator {
public:
  FormEnumerator(const Oracle &oracle, const FormOptions &options,
                 Budget &budget, FormStatistics &statistics,
                 llvm::function_ref<bool(Form)> found)
      : oracle(oracle), options(options), budget(budget),
        statistics(statistics), found(found),
        choice(oracle.classes.size(), -1) {
    indexNodes();
  }

  void run() {
    computeDepths(/*cutAtChosen=*/false, depth);
    computeNeeded();
    llvm::SmallVector<unsigned> open;
    for (unsigned result : oracle.results)
      if (!isLeaf(oracle.classes[result]) && !llvm::is_contained(open, result))
        open.push_back(result);
    if (open.empty())
      return;
    unsigned last = options.maxOps;
    for (limit = 1; limit <= last && !budget.isExhausted(); ++limit) {
      bool isFirst = !hasFound;
      grow(open, 0);
      if (isFirst && hasFound)
        last = std::min<uint64_t>(last, uint64_t(limit) + options.extraOps);
    }
  }

private:
  /// Numbers the nodes of all classes, and lists for each class the nodes that
  /// use it, once for each use.
  void indexNodes() {
    usersOf.resize(oracle.classes.size());
    for (auto [cls, node] : llvm::enumerate(oracle.classes))
      for (const OracleNode &op : node.nodes) {
        for (unsigned operand : op.operands)
          usersOf[operand].push_back(ownerOf.size());
        ownerOf.push_back(cls);
        numOperands.push_back(op.operands.size());
      }
  }

  /// The least number of ops on the longest path below each class: its depth.
  /// With `cutAtChosen`, classes that have their op already cost nothing.
  /// Classes are met in order of depth, so a node is known with its last, its
  /// deepest operand, and a class with its first node: linear in their number.
  void computeDepths(bool cutAtChosen, std::vector<unsigned> &depths) const {
    depths.assign(oracle.classes.size(), unreachable);
    std::vector<unsigned> missing = numOperands, queue;
    for (auto [cls, node] : llvm::enumerate(oracle.classes))
      if (isLeaf(node) || (cutAtChosen && choice[cls] >= 0)) {
        depths[cls] = 0;
        queue.push_back(cls);
      }
    for (size_t next = 0; next < queue.size(); ++next) {
      unsigned cls = queue[next];
      for (unsigned user : usersOf[cls]) {
        unsigned owner = ownerOf[user];
        if (--missing[user] != 0 || depths[owner] != unreachable)
          continue;
        depths[owner] = depths[cls] + 1;
        queue.push_back(owner);
      }
    }
  }

  /// For each class those that every term of it has: it itself, and what all
  /// its nodes need. Started from everything, so that cycles need nothing that
  /// no finite term needs.
  void computeNeeded() {
    unsigned size = oracle.classes.size();
    needed.assign(size, llvm::BitVector(size, true));
    chosen.resize(size);
    for (auto [cls, node] : llvm::enumerate(oracle.classes))
      if (isLeaf(node))
        needed[cls].reset();
    for (bool changed = true; changed;) {
      changed = false;
      for (auto [cls, node] : llvm::enumerate(oracle.classes)) {
        if (isLeaf(node))
          continue;
        llvm::BitVector common(size, true);
        for (const OracleNode &op : node.nodes) {
          llvm::BitVector all(size);
          for (unsigned operand : op.operands)
            all |= needed[operand];
          common &= all;
        }
        common.set(cls);
        changed |= common != needed[cls];
        needed[cls] = std::move(common);
      }
    }
  }

  /// How many ops the classes `open` need that are not there yet.
  unsigned countNeeded(llvm::ArrayRef<unsigned> open) {
    scratch = needed[open.front()];
    for (unsigned cls : open.drop_front())
      scratch |= needed[cls];
    scratch.reset(chosen);
    return scratch.count();
  }

  /// At least so many ops are needed to compute the classes `open`.
  static unsigned getBound(llvm::ArrayRef<unsigned> open,
                           llvm::ArrayRef<unsigned> depths) {
    unsigned bound = open.size();
    for (unsigned cls : open)
      bound = std::max(bound, depths[cls]);
    return bound;
  }

  /// Whether `open` may be computed within the limit, `ops` being there.
  bool isAdmissible(llvm::ArrayRef<unsigned> open, unsigned ops) {
    if (ops + !open.empty() > limit)
      return false;
    if (!options.pruneExpression || open.empty())
      return true;
    if (ops + countNeeded(open) > limit) {
      ++statistics.pruned;
      return false;
    }
    if (ops + getBound(open, depth) <= limit)
      return true;
    // Paths may lead through what is there; each open class needs an op of its
    // own all the same.
    if (ops + open.size() <= limit) {
      computeDepths(/*cutAtChosen=*/true, openDepth);
      if (ops + getBound(open, openDepth) <= limit)
        return true;
    }
    ++statistics.pruned;
    return false;
  }

  /// Whether `from` is computed from `to` by the choices made so far.
  bool reaches(unsigned from, unsigned to) const {
    if (from == to)
      return true;
    if (choice[from] < 0)
      return false;
    return llvm::any_of(oracle.classes[from].nodes[choice[from]].operands,
                        [&](unsigned operand) { return reaches(operand, to); });
  }

  void grow(llvm::ArrayRef<unsigned> open, unsigned ops) {
    if (!isAdmissible(open, ops))
      return;
    if (open.empty()) {
      if (ops == limit) {
        hasFound |= found(buildForm());
      }
      return;
    }
    unsigned cls = open.front();
    for (auto [index, node] : llvm::enumerate(oracle.classes[cls].nodes)) {
      if (!budget.step())
        return;
      if (llvm::any_of(node.operands,
                       [&](unsigned operand) { return reaches(operand, cls); }))
        continue;
      llvm::SmallVector<unsigned> next(open.drop_front());
      for (unsigned operand : node.operands)
        if (choice[operand] < 0 && !isLeaf(oracle.classes[operand]) &&
            !llvm::is_contained(next, operand))
          next.push_back(operand);
      choice[cls] = index;
      chosen.set(cls);
      grow(next, ops + 1);
      choice[cls] = -1;
      chosen.reset(cls);
    }
  }

  Form buildForm() const {
    Form form;
    llvm::SmallVector<int> position(oracle.classes.size(), -1);
    addLoads(form, position);
    for (unsigned result : oracle.results) {
      if (isLeaf(oracle.classes[result]))
        continue;
      unsigned node = addClass(form, position, result);
      if (!llvm::is_contained(form.results, node))
        form.results.push_back(node);
    }
    form.numOps = limit;
    return form;
  }

  /// The loaders of the arguments that the chosen ops use, by argument.
  void addLoads(Form &form, llvm::MutableArrayRef<int> position) const {
    llvm::BitVector used(oracle.classes.size());
    for (auto [cls, index] : llvm::enumerate(choice))
      if (index >= 0)
        for (unsigned operand : oracle.classes[cls].nodes[index].operands)
          if (oracle.classes[operand].argument)
            used.set(operand);
    llvm::SmallVector<unsigned> arguments(used.set_bits());
    llvm::sort(arguments, [&](unsigned a, unsigned b) {
      return *oracle.classes[a].argument < *oracle.classes[b].argument;
    });
    for (unsigned cls : arguments) {
      position[cls] = form.nodes.size();
      form.nodes.push_back({cls, nullptr, {}});
    }
  }

  unsigned addClass(Form &form, llvm::MutableArrayRef<int> position,
                    unsigned cls) const {
    if (position[cls] >= 0)
      return position[cls];
    const OracleClass &node = oracle.classes[cls];
    const OracleNode &op =
        node.nodes[choice[cls] >= 0 ? choice[cls] : getConstantNode(node)];
    FormNode formNode{cls, &op, {}};
    for (unsigned operand : op.operands)
      formNode.operands.push_back(addClass(form, position, operand));
    position[cls] = form.nodes.size();
    form.nodes.push_back(std::move(formNode));
    return position[cls];
  }

  const Oracle &oracle;
  const FormOptions &options;
  Budget &budget;
  FormStatistics &statistics;
  llvm::function_ref<bool(Form)> found;
  std::vector<int> choice; ///< per class the node chosen, or -1
  std::vector<unsigned> depth, openDepth;
  std::vector<llvm::BitVector> needed;
  llvm::BitVector chosen, scratch;
  /// By class its users; by node its class and its number of operands.
  std::vector<llvm::SmallVector<unsigned, 4>> usersOf;
  std::vector<unsigned> ownerOf, numOperands;
  unsigned limit = 0; ///< ops of the forms looked for
  bool hasFound = false;
};

} // namespace

void prism::enumerateForms(const Oracle &oracle, const FormOptions &options,
                           Budget &budget, FormStatistics &statistics,
                           llvm::function_ref<bool(Form)> found) {
  FormEnumerator(oracle, options, budget, statistics, found).run();
}
