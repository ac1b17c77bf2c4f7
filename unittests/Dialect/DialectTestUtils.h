//===- DialectTestUtils.h - What the dialect's unit tests share -*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One example of each compute op, and the evaluation of scalar IR by folding.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_UNITTESTS_DIALECT_DIALECTTESTUTILS_H
#define PRISM_UNITTESTS_DIALECT_DIALECTTESTUTILS_H

#include "Prism/Dialect/PrismDialect.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

namespace prism::test {

/// A compute op in a function of its operands, and the iteration structure it
/// must have, as describe() writes it.
struct OpCase {
  const char *arguments; ///< `%a: tensor<2xf64>, ...`
  const char *statement; ///< `prism.exp %a : ...`
  const char *structure;
};

/// `PPS | [0] [2], [2] [1] -> [0] [1] | {0} {1}`: the kinds (P, S, M, W) of the
/// dims; per operand and result the dims of each data dim; the linear groups.
std::string describe(const IterationStructure &structure);

/// At least one case for each registered compute op.
llvm::ArrayRef<OpCase> getOpCases();

/// The fixture: a context with the dialects loaded.
class DialectTest : public ::testing::Test {
protected:
  DialectTest();

  mlir::Type type(llvm::StringRef text) {
    return mlir::parseType(text, &context);
  }
  /// The only compute op of `opCase`, in a module that the fixture keeps.
  ComputeOpInterface parse(const OpCase &opCase);
  ComputeOpInterface parse(const char *arguments, const char *statement) {
    return parse(OpCase{arguments, statement, ""});
  }

  mlir::MLIRContext context;
  llvm::SmallVector<mlir::OwningOpRef<mlir::ModuleOp>> modules;
};

/// Folds the ops of `block` in order, with `values` for its arguments; null
/// where an op does not fold.
mlir::Attribute evaluate(mlir::Block &block,
                         llvm::ArrayRef<mlir::Attribute> values,
                         mlir::Value result);

} // namespace prism::test

#endif // PRISM_UNITTESTS_DIALECT_DIALECTTESTUTILS_H
