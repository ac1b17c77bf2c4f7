//===- LoopForms.h - Loops and accumulators of a form -----------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop form of an algebraic form says which of its values are accumulated
// over the loop dim. What varies from step to step reaches a result through an
// accumulator only; what an accumulator feeds runs after the loop. An
// accumulator stands where a sum over the loop is pending, under some split of
// the loaders (an fmap): a loop form that no split makes right is not built.
//
// Worked example: div(matmul(X, W), sqrt(reduce_sum(square(X)))) has one loop
// form, split along the summed dim of X and W: matmul and reduce_sum are
// accumulated. matmul(div(X, sqrt(...)), W) has none: X would be needed again
// after the loop. Of div(matmul(E, V), reduce_sum(E)) with E = exp(S - max S)
// both product and sum are accumulated, rescaled by the maxima of the steps.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_SEARCH_LOOPFORMS_H
#define PRISM_SEARCH_LOOPFORMS_H

#include "Prism/Search/Forms.h"
#include "Prism/Search/Propagation.h"
#include "llvm/ADT/SmallBitVector.h"

namespace prism {

/// Data dims that shape matching ties together: a parallel dim splits all or
/// none of a class (equation (4)).
class DimClasses {
public:
  DimClasses(const Oracle &oracle, const Form &form);

  /// The class of data dim `dim` of node `node`; dims in no class are never
  /// split (extent 1).
  unsigned get(unsigned node, unsigned dim) const {
    return find(slots[node][dim]);
  }
  unsigned getNumSlots() const { return parent.size(); }
  /// Whether a dim of the class is never split: `whole`, or of extent 1.
  bool isWhole(unsigned cls) const { return whole.test(cls); }
  /// How often two iteration dims of one op, or two data dims of one value,
  /// are in one class: such a class can never be split.
  unsigned getNumConflicts() const;

private:
  unsigned addSlot();
  unsigned find(unsigned slot) const;
  void unite(unsigned a, unsigned b);
  void addNode(const FormNode &node);

  llvm::SmallVector<llvm::SmallVector<unsigned>> slots;
  llvm::SmallVector<llvm::SmallVector<unsigned>> opSlots;
  llvm::SmallVector<unsigned> parent;
  llvm::SmallBitVector whole;
};

/// Gives an argument a loader for each use whose dims must be split differently
/// (X X^T loads X twice); all other uses share one.
void splitLoads(const Oracle &oracle, Form &form);

/// One accumulated node.
struct Accumulator {
  unsigned node;
  AccumulatorKind kind;
  /// Of a rescaled sum: the node whose value, the maximum of one step, shifts
  /// it, and per data dim of that the data dim of `node` that it lies along.
  unsigned shift = 0;
  llvm::SmallVector<unsigned, 2> shiftDims;

  bool isRescaled() const { return kind == AccumulatorKind::RescaledSum; }
  bool operator==(const Accumulator &other) const {
    return node == other.node && kind == other.kind && shift == other.shift &&
           shiftDims == other.shiftDims;
  }
};

struct LoopForm {
  llvm::SmallVector<Accumulator> accumulators; ///< by node; none: no loop
  /// Nodes that run after the loop.
  llvm::SmallBitVector isAfter;

  explicit LoopForm(unsigned numNodes) : isAfter(numNodes) {}
  bool hasLoop() const { return !accumulators.empty(); }
  const Accumulator *find(unsigned node) const {
    for (const Accumulator &accumulator : accumulators)
      if (accumulator.node == node)
        return &accumulator;
    return nullptr;
  }
  bool operator==(const LoopForm &other) const {
    return accumulators == other.accumulators && isAfter == other.isAfter;
  }
};

struct LoopFormOptions {
  unsigned maxAccumulators = 3;
  /// Split classes of equal dims (DimClasses), not dims one by one. Off: the
  /// same loop forms, after more splits that no shape matches.
  bool pruneShape = true;
};

struct LoopFormStatistics {
  uint64_t prunedByShape = 0; ///< splits that propagation rules out
};

/// "No loop" first, then all loop forms, each once, in a deterministic order.
/// Every split tried and every placement is a step of `budget`.
std::vector<LoopForm> enumerateLoopForms(const Oracle &oracle, const Form &form,
                                         const LoopFormOptions &options,
                                         Budget &budget,
                                         LoopFormStatistics &statistics);

} // namespace prism

#endif // PRISM_SEARCH_LOOPFORMS_H
