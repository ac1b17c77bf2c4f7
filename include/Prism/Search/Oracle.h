//===- Oracle.h - The expressions equal to a program ------------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The expression oracle (DESIGN: ideas that make it fast): classes of equal
// expressions, each with the ops that compute it from other classes. The
// search grows an op iff it stands here.
//
// Expressions are over the reals: float casts are left out, and each class has
// the type that arithmetic on it has (f32, or f64 where the program has f64;
// i1 for conditions). Building a kernel puts casts back (KernelBuilder.h).
// Under strict precision those that narrow are ops like others, but do not
// count.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_SEARCH_ORACLE_H
#define PRISM_SEARCH_ORACLE_H

#include "Prism/Axioms/TermLanguage.h"
#include "Prism/Dialect/PrismDialect.h"
#include <functional>
#include <limits>
#include <memory>
#include <vector>

namespace prism {

/// One op that computes a class.
struct OracleNode {
  /// On whole tensors; its operands are placeholders of the classes' types.
  mlir::Operation *prototype;
  IterationStructure structure;
  llvm::SmallVector<unsigned, 2> operands; ///< classes

  bool isConstant() const { return operands.empty(); }
};

/// Equal expressions.
struct OracleClass {
  mlir::Type type;                  ///< a whole tensor
  std::optional<unsigned> argument; ///< the program's, if it is one
  std::vector<OracleNode> nodes;
  mlir::Value placeholder; ///< stands for the class in prototypes
};

/// The classes, and those that the program yields, in order.
struct Oracle {
  std::vector<OracleClass> classes;
  llvm::SmallVector<unsigned> results;
  bool isSaturated = true; ///< false: a limit was hit, some are missing
  unsigned numNodes = 0;   ///< e-nodes looked at, for statistics
  /// Strict: float casts that narrow are nodes; their classes have the type
  /// that they narrow to.
  Precision precision = Precision::Relaxed;

  /// A class of `type` without nodes.
  unsigned addClass(mlir::Type type);
  /// Adds the op `name` with `attributes` over the classes `operands` to
  /// `cls`, unless an equal one stands there (up to commuted operands and
  /// renamed iteration dims). Constants get `cls`'s element type. False if it
  /// was there.
  bool addNode(unsigned cls, mlir::OperationName name,
               mlir::DictionaryAttr attributes,
               llvm::ArrayRef<unsigned> operands);

  /// Where an op stands: a class, and the index of a node of it.
  struct Entry {
    unsigned cls, node;
  };
  /// The op `name` with `attributes` over the classes `operands`, if it stands
  /// here with a result of `type`, the type of the class.
  std::optional<Entry> find(mlir::OperationName name,
                            mlir::DictionaryAttr attributes,
                            llvm::ArrayRef<unsigned> operands, mlir::Type type);

  /// Whether `op` is a float cast that is no node.
  bool isErased(mlir::Operation *op) const;

  /// The classes of `program`'s values, as far as their ops stand here as the
  /// program has them. Casts are their operands.
  llvm::DenseMap<mlir::Value, unsigned> findProgramValues(ProgramOp program);

  Oracle();
  Oracle(Oracle &&) = default;
  Oracle &operator=(Oracle &&) = default;
  ~Oracle();

private:
  std::unique_ptr<mlir::Block> scratch; ///< owns prototypes, placeholders
};

/// The type that arithmetic on `elementType` is done in.
mlir::Type getArithmeticElementType(mlir::Type elementType);

/// The op's structure, where rounding is not linear under strict precision.
IterationStructure getRealStructure(ComputeOpInterface op, Precision precision);

/// The float casts of `program` that are nodes of its oracle.
unsigned countCastNodes(ProgramOp program, Precision precision);

/// The program's own ops, each the only one of its class. Equal ops share one.
Oracle buildProgramOracle(ProgramOp program,
                          Precision precision = Precision::Relaxed);

/// The program's e-graph, saturated by the algebraic axioms for terms of at
/// most `extraOps` ops more than the program's, for at most `seconds` or until
/// `isInterrupted`. None, after a remark, if the program has an op that the
/// axioms have no term for.
std::optional<Oracle>
buildSaturatedOracle(ProgramOp program, unsigned extraOps,
                     Precision precision = Precision::Relaxed,
                     double seconds = std::numeric_limits<double>::infinity(),
                     std::function<bool()> isInterrupted = nullptr);

} // namespace prism

#endif // PRISM_SEARCH_ORACLE_H
