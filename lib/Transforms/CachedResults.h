//===- CachedResults.h - Search results in a tuning cache -------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What was found of a program as text: a module with the program, its sized
// candidates in their order, and the parts that it was cut into, each marked
// with the nodes that it stands for. What is read back is not trusted: of a
// cached program only the candidates are taken.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_TRANSFORMS_CACHEDRESULTS_H
#define PRISM_LIB_TRANSFORMS_CACHEDRESULTS_H

#include "Prism/Partition/CutProgram.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

namespace prism {

/// On a program, or a part of one, that no kernel was found for: why.
inline constexpr llvm::StringLiteral leftAloneAttrName = "prism.left_alone";

/// `program` and the `parts` that it was cut into, if it was, as text.
std::string printResults(ProgramOp program, llvm::ArrayRef<PlacedPart> parts);

/// Results that stand in a module of their own.
struct CachedResults {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  ProgramOp whole; ///< as the program, with candidates
  std::vector<std::pair<NodeSet, ProgramOp>> parts; ///< in order
};

/// Reads what printResults wrote of a program like `program`; fails on
/// anything else. Candidates have yet to be proved.
llvm::FailureOr<CachedResults> parseResults(ProgramOp program,
                                            llvm::StringRef text);

/// Gives `program` the candidates, puts the parts into its module, whose
/// symbols are given, and invokes them where `program` is invoked.
llvm::SmallVector<PlacedPart> placeResults(ProgramOp program,
                                           CachedResults results,
                                           mlir::SymbolTable &symbols);

} // namespace prism

#endif // PRISM_LIB_TRANSFORMS_CACHEDRESULTS_H
