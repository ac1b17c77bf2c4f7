//===- PrismDialect.h - The prism dialect -----------------------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect with its attributes, types, interfaces and ops.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_DIALECT_PRISMDIALECT_H
#define PRISM_DIALECT_PRISMDIALECT_H

#include "Prism/Dialect/IterationStructure.h"
#include "Prism/Symbolic/Mapping.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "Prism/Dialect/PrismDialect.h.inc"

#include "Prism/Dialect/PrismEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "Prism/Dialect/PrismAttributes.h.inc"

#define GET_TYPEDEF_CLASSES
#include "Prism/Dialect/PrismTypes.h.inc"

#include "Prism/Dialect/PrismInterfaces.h.inc"

namespace prism {

/// The certificate format that this version writes and checks. Version 1, which
/// did not name the precision rule, is read only.
inline constexpr int64_t certificateVersion = 2;

/// Parse and print what stands inside attributes, types and ops alike, without
/// the attribute's brackets: `d/x?m0`, `[[x], [i?m0]]`, `d = 64`,
/// `i loop tile 64`, `m0 = m1`.
mlir::FailureOr<DimExpr> parseDimExpr(mlir::AsmParser &parser);
mlir::ParseResult parseMapLists(mlir::AsmParser &parser, MapAttr &map);
void printMapLists(mlir::AsmPrinter &printer, const Mapping &mapping);
ExtentSymbolAttr parseExtentSymbol(mlir::AsmParser &parser);
void printExtentSymbol(mlir::AsmPrinter &printer, ExtentSymbolAttr symbol);
ParallelDimAttr parseParallelDim(mlir::AsmParser &parser);
void printParallelDim(mlir::AsmPrinter &printer, ParallelDimAttr dim);
EqualityAttr parseEquality(mlir::AsmParser &parser);
void printEquality(mlir::AsmPrinter &printer, EqualityAttr equality);

/// The equalities of `graph` as constraints. Contradictory ones are left out:
/// the verifier has refused them (constraint G7).
MappingConstraints getMappingConstraints(GraphOpInterface graph);

} // namespace prism

#define GET_OP_CLASSES
#include "Prism/Dialect/PrismOps.h.inc"

#endif // PRISM_DIALECT_PRISMDIALECT_H
