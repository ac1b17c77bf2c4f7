//===- ProgramGraph.h - The expression oracle of a program ------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The e-graph of a program, saturated by the algebraic axioms within an op
// budget (DESIGN: the expression oracle). While a graph is generated, an op is
// admissible iff its e-node is here and its class can still reach a root.
//
// Worked example: for Z = matmul(div(X, s), W) the graph also has
// div(matmul(X, W), s), and so the class of matmul(X, W), one op (div) away
// from the root.
//
// In relaxed precision casts are no nodes: the class of a cast is that of its
// operand, and `lookup` says so.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_AXIOMS_PROGRAMGRAPH_H
#define PRISM_AXIOMS_PROGRAMGRAPH_H

#include "Prism/Axioms/AxiomRules.h"
#include "Prism/Axioms/Facts.h"
#include "Prism/Axioms/TermLanguage.h"
#include "Prism/EGraph/EGraph.h"
#include "Prism/EGraph/Saturate.h"

namespace prism {

/// Adds a term of a bank to a graph; with proofs on, as it is written.
egraph::Id addTerm(egraph::EGraph &graph, const egraph::TermBank &bank,
                   egraph::TermId term);

/// A class of equal values of the program's graph.
using ClassId = egraph::Id;

/// One way to compute a class.
struct ComputeNode {
  PrototypeId prototype;
  llvm::SmallVector<ClassId, 3> operands;
};

struct ProgramGraphOptions {
  Precision precision = Precision::Relaxed;
  /// Terms of more ops than the program's own term (both counted as trees) by
  /// more than this are not built. In the program's, squares and silus count as
  /// the products that they are, with their operand twice: so all orders of
  /// these products are within the bound.
  unsigned extraOps = 2;
  egraph::Limits limits = {/*nodes=*/20000, /*iterations=*/64};
  bool proofs = false;
  AxiomReach reach = AxiomReach::Lean;
};

class ProgramGraph {
public:
  /// Encodes and saturates. Failure, with a remark at the op, if an op of the
  /// program has no term.
  static mlir::FailureOr<std::unique_ptr<ProgramGraph>>
  build(ProgramOp program, const ProgramGraphOptions &options = {});
  ~ProgramGraph();

  TermLanguage &language() { return *terms; }
  const TermLanguage &language() const { return *terms; }

  //===--- The oracle -----------------------------------------------------===//

  /// The classes of the program's results, arguments.
  llvm::ArrayRef<ClassId> roots() const { return rootClasses; }
  ClassId argument(unsigned index) const { return argumentClasses[index]; }
  unsigned numArguments() const { return argumentClasses.size(); }

  /// The class of `op`'s computation on these classes; egraph::None if the
  /// graph does not have it. `op` may be at any level, its operands are not
  /// looked at. A cast is the class of its operand (relaxed).
  ClassId lookup(mlir::Operation *op, llvm::ArrayRef<ClassId> operands);
  ClassId lookup(PrototypeId prototype, llvm::ArrayRef<ClassId> operands) const;

  /// The ways to compute a class, in a deterministic order; empty for an
  /// argument. The same computation with commuted operands is another node.
  llvm::SmallVector<ComputeNode> nodes(ClassId eclass) const;
  /// All classes that stand for whole tensors, ascending.
  llvm::ArrayRef<ClassId> classes() const { return allClasses; }

  /// The fewest ops on a path from the class to a root: at least so many more
  /// are needed. None if there is no path.
  std::optional<unsigned> distanceToRoot(ClassId eclass) const;
  /// At least so many ops are needed to compute the class: the depth of its
  /// flattest term. Arguments and constants count 0.
  unsigned minDepth(ClassId eclass) const;

  /// Extents of the whole tensor.
  llvm::ArrayRef<DimExpr> extents(ClassId eclass) const;

  /// Whether saturation ended at a hard limit: what is not found may exist.
  bool hitLimit() const { return saturation.hitLimit(); }
  const egraph::SaturationResult &saturationResult() const {
    return saturation;
  }
  size_t numNodes() const { return graph.numNodes(); }
  /// Casts that became no nodes (relaxed).
  unsigned castsErased() const { return erased; }

  //===--- For proofs -----------------------------------------------------===//

  const egraph::EGraph &base() const { return graph; }
  egraph::SaturationState state() const { return saturationState; }
  const AxiomRules &rules() const { return *axiomRules; }
  TermAnalysis &analysis() { return *facts; }
  /// The roots as they were written, for explanations.
  llvm::ArrayRef<egraph::Id> rootTerms() const { return writtenRoots; }

private:
  ProgramGraph();
  void computeDistances();

  std::unique_ptr<TermLanguage> terms;
  std::unique_ptr<TermAnalysis> facts;
  std::unique_ptr<AxiomRules> axiomRules;
  egraph::EGraph graph;
  egraph::SaturationState saturationState;
  egraph::SaturationResult saturation;
  llvm::SmallVector<egraph::Id> writtenRoots;
  llvm::SmallVector<ClassId> rootClasses, argumentClasses, allClasses;
  llvm::DenseMap<ClassId, unsigned> distances, depths;
  unsigned erased = 0;
};

} // namespace prism

#endif // PRISM_AXIOMS_PROGRAMGRAPH_H
