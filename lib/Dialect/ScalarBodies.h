//===- ScalarBodies.h - Scalar forms of compute ops -----*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The scalar computations that the ops' definitions name and that take more
// than one arith or math op. f16 and bf16 are computed as they are: lowering
// decides where to widen.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_DIALECT_SCALARBODIES_H
#define PRISM_LIB_DIALECT_SCALARBODIES_H

#include "Prism/Dialect/PrismDialect.h"

namespace prism::detail {

mlir::Value buildReciprocal(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Value x);
mlir::Value buildSigmoid(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value x);
mlir::Value buildSilu(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value x);
mlir::Value buildRelu(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value x);
mlir::Value buildGelu(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value x, GeluKind kind);
/// Widens or rounds to nearest even; the identity where the types agree.
mlir::Value buildCast(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value x, mlir::Type elementType);
/// a * b, formed in `elementType`.
mlir::Value buildProduct(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value a, mlir::Value b, mlir::Type elementType);
mlir::Value buildCompare(mlir::OpBuilder &builder, mlir::Location loc,
                         ComparePredicate predicate, mlir::Value a,
                         mlir::Value b);
/// Null for an extent of the program: its value depends on where it stands.
mlir::Value buildConstant(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Attribute value, mlir::Type elementType);

} // namespace prism::detail

#endif // PRISM_LIB_DIALECT_SCALARBODIES_H
