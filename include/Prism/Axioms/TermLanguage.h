//===- TermLanguage.h - Terms of tensor programs and graphs -----*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The language in which programs and candidates are compared. A term denotes a
// function from its free parallel dims to tensors (AXIOMS: semantics). Its
// operators, with their payloads in brackets, are
//
//   arg[i]           argument i of the program
//   prism.mul[f] ... a compute op; f is its prototype: attributes, canonical
//                    indexing maps, ranks
//   part[d p] t      chunk p of data dim d; adds p to the free dims
//   repl[p] t        the same tensor for every p; adds p
//   comb[d p] t      the chunks side by side along data dim d; binds p
//   red[p] t         the sum over p; binds p
//   redmax[p] t      the maximum over p; binds p
//   sel[p] t         the value at the first p; binds p
//   stack[p] t       the values side by side along a new leading dim; binds p
//   rescale[g] t m n t * exp(m - n), 0 where m = -inf; g is the prototype of
//                    the product's prism.mul. With n = repl[p] (redmax[p] m),
//                    red[p] of it is the rescaled sum (redr) of schema S6
//   defined[k]       a name for a value on which the program relies (a
//                    divisor, the operand of a root or a logarithm)
//
// Worked example: with loop dim i, the accumulated square sum of X[n, d],
// split along d by i, is (red[i] (prism.reduce_sum[f] (prism.square[g]
// (part[1 i] arg[0])))).
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_AXIOMS_TERMLANGUAGE_H
#define PRISM_AXIOMS_TERMLANGUAGE_H

#include "Prism/Dialect/PrismDialect.h"
#include "Prism/EGraph/Operators.h"
#include "Prism/EGraph/Term.h"
#include "Prism/EGraph/Types.h"
#include "llvm/ADT/StringMap.h"
#include <deque>

namespace prism {

/// Payload of a compute operator.
using PrototypeId = egraph::Payload;
/// Payload of the parallel operators.
using ParallelId = egraph::Payload;

/// A compute op up to what it computes: ops with the same prototype on equal
/// operands are equal. The iteration dims of mapped ops are renumbered by
/// their first appearance in the result's map, then in the operands'.
struct Prototype {
  /// An op in the language's own scratch block, on !prism.tensor operands of
  /// placeholder extents; hand it to rebuildComputeOp to build it elsewhere.
  mlir::Operation *op = nullptr;
  egraph::OpId operatorId = egraph::None;
  /// All that makes it what it is; see TermLanguage::fromAttribute.
  mlir::Attribute key;
  IterationStructure structure;
  /// Extents of iteration dims that no operand has (of a broadcast, slice or
  /// constant's users); unknown for all others.
  llvm::SmallVector<DimExpr> ownExtents;

  unsigned numOperands() const { return structure.operandMaps.size(); }
};

/// A parallel dim as terms know it. Those of different candidates that split
/// the same extent in the same role are one, whatever the graphs call them;
/// those of different kernels of one candidate are not.
struct ParallelDim {
  std::string name;
  /// The extent that it splits; unknown if it only replicates.
  DimExpr base;
  /// Which one of its kind that splits `base`.
  unsigned occurrence = 0;
};

/// Owns everything that payloads stand for. Not copyable; graphs and terms that
/// use it must not outlive it.
class TermLanguage {
public:
  explicit TermLanguage(mlir::MLIRContext *context,
                        Precision precision = Precision::Relaxed);
  ~TermLanguage();
  TermLanguage(const TermLanguage &) = delete;
  TermLanguage &operator=(const TermLanguage &) = delete;

  mlir::MLIRContext *getContext() const { return context; }
  Precision getPrecision() const { return precision; }
  egraph::OperatorTable &operators() { return table; }
  const egraph::OperatorTable &operators() const { return table; }

  //===--- Compute ops ----------------------------------------------------===//

  /// The prototype of a compute op (at any level). None if the op cannot be a
  /// term: an elementwise op whose result lacks an iteration dim.
  PrototypeId internPrototype(mlir::Operation *op);
  /// The prototype of the mapped op `name` (prism.mul, prism.matmul, ...) with
  /// these maps; other attributes from `like`, if given. Canonicalises.
  PrototypeId internMapped(llvm::StringRef name,
                           llvm::ArrayRef<IndexMap> operandMaps,
                           const IndexMap &resultMap, PrototypeId like);
  PrototypeId internMapped(llvm::StringRef name,
                           llvm::ArrayRef<IndexMap> operandMaps,
                           const IndexMap &resultMap) {
    return internMapped(name, operandMaps, resultMap, egraph::None);
  }
  /// The prototype of an op without maps on operands of these ranks.
  PrototypeId internPlain(llvm::StringRef name,
                          llvm::ArrayRef<unsigned> operandRanks,
                          unsigned resultRank,
                          llvm::ArrayRef<mlir::NamedAttribute> attributes = {});
  /// `f` on tensors that lack its parallel iteration dim `dim`. None unless `f`
  /// is a mapped op, a reduction or an elementwise one of one operand.
  PrototypeId internWithoutDim(PrototypeId f, unsigned dim);
  const Prototype &prototype(PrototypeId id) const { return prototypes[id]; }
  unsigned numPrototypes() const { return prototypes.size(); }
  /// Whether a node is a compute op.
  bool isCompute(egraph::OpId op) const {
    return table.name(op).starts_with("prism.");
  }
  /// Whether the payload of a node is a prototype.
  bool hasPrototype(egraph::OpId op) const {
    return op == ops.rescale || isCompute(op);
  }
  /// Whether it is a cast that is no node: any between float types if relaxed,
  /// one that widens if strict.
  bool isErased(mlir::Operation *op) const;

  //===--- Leaves and parallel dims ---------------------------------------===//

  /// Declares the extents of program argument `index`.
  void setArgument(unsigned index, llvm::ArrayRef<DimExpr> extents);
  llvm::ArrayRef<DimExpr> argumentExtents(unsigned index) const {
    return arguments[index];
  }
  unsigned numArguments() const { return arguments.size(); }

  /// The `occurrence`-th parallel dim of its kind that splits `base`.
  ParallelId internParallel(ParallelKind kind, const DimExpr &base,
                            unsigned occurrence);
  const ParallelDim &parallel(ParallelId id) const { return parallels[id]; }
  unsigned numParallel() const { return parallels.size(); }

  //===--- The operators with fixed names ---------------------------------===//

  struct ParallelOperators {
    egraph::OpId arg, part, repl, comb, red, redmax, sel, stack, rescale,
        defined;
  };
  ParallelOperators ops;

  //===--- Text -----------------------------------------------------------===//

  /// A term, payload `index` of `op` or back: what certificates carry. Reading
  /// interns prototypes, but no parallel dims; None if the text means nothing
  /// here.
  mlir::Attribute termToAttribute(const egraph::TermBank &bank,
                                  egraph::TermId term) const;
  egraph::TermId termFromAttribute(mlir::Attribute text,
                                   egraph::TermBank &bank);
  mlir::Attribute payloadToAttribute(egraph::OpId op, unsigned index,
                                     egraph::Payload payload) const;
  egraph::Payload payloadFromAttribute(egraph::OpId op, unsigned index,
                                       mlir::Attribute text);

  /// `(prism.mul[[d0, d1], [d0]] ...)`: a term for people, payloads spelt out.
  /// Long ones are cut short.
  std::string print(const egraph::TermBank &bank, egraph::TermId term) const;
  std::string printPayload(const egraph::NodeView &node) const;

private:
  void print(llvm::raw_ostream &os, const egraph::TermBank &bank,
             egraph::TermId term) const;
  bool isNumber(egraph::OpId op, unsigned index) const;
  PrototypeId internKey(egraph::OpId op, mlir::Attribute text);
  PrototypeId intern(mlir::OperationName name, mlir::DictionaryAttr attributes,
                     llvm::ArrayRef<IndexMap> maps,
                     llvm::ArrayRef<unsigned> operandRanks, unsigned resultRank,
                     llvm::ArrayRef<DimExpr> resultExtents,
                     llvm::ArrayRef<mlir::Type> elementTypes);
  mlir::Operation *createScratchOp(mlir::OperationName name,
                                   mlir::DictionaryAttr attributes,
                                   llvm::ArrayRef<unsigned> operandRanks,
                                   llvm::ArrayRef<DimExpr> resultExtents,
                                   llvm::ArrayRef<mlir::Type> elementTypes);

  mlir::MLIRContext *context;
  Precision precision;
  egraph::OperatorTable table;
  std::unique_ptr<mlir::Block> scratch;
  std::deque<Prototype> prototypes; ///< References stay valid.
  llvm::DenseMap<mlir::Attribute, PrototypeId> prototypeIds;
  std::vector<llvm::SmallVector<DimExpr>> arguments;
  std::deque<ParallelDim> parallels;
  llvm::StringMap<ParallelId> parallelIds;
};

} // namespace prism

#endif // PRISM_AXIOMS_TERMLANGUAGE_H
