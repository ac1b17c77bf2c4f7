//===- PrismToLinalgOps.h - Compute ops as linalg ---------------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds linalg and tensor ops on builtin tensors for compute ops, from their
// iteration structures and scalar forms.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_CONVERSION_PRISMTOLINALGOPS_H
#define PRISM_LIB_CONVERSION_PRISMTOLINALGOPS_H

#include "ExtentValues.h"
#include "Prism/Dialect/PrismDialect.h"
#include "mlir/IR/IRMapping.h"

namespace prism {

/// Exports compute ops whose types name the symbols that `extents` gives
/// values to. A failure has been reported at the op's location.
class LinalgExporter {
public:
  LinalgExporter(mlir::OpBuilder &builder, ExtentValues &extents)
      : builder(builder), extents(extents) {}

  /// `values` maps the op's operands to builtin tensors, and gets its result.
  llvm::LogicalResult exportOp(mlir::Operation *op, mlir::IRMapping &values);

private:
  mlir::FailureOr<mlir::Value> exportScalarForm(ComputeOpInterface op,
                                                mlir::ValueRange operands);
  mlir::FailureOr<mlir::Value> exportConstant(ComputeOpInterface op);
  mlir::FailureOr<mlir::Value> exportSlice(SliceOp op, mlir::Value input);
  mlir::FailureOr<mlir::Value> exportReshape(ReshapeOp op, mlir::Value input);
  mlir::LogicalResult exportComposite(DecomposableOpInterface op,
                                      mlir::IRMapping &values);

  mlir::FailureOr<llvm::SmallVector<mlir::OpFoldResult>>
  evaluate(mlir::Operation *op, llvm::ArrayRef<DimExpr> symbolic);

  mlir::OpBuilder &builder;
  ExtentValues &extents;
};

/// Exports a compute op on builtin tensors, whose extents are those of its
/// operands. The result has the op's type.
mlir::FailureOr<mlir::Value> exportOnBuiltinTensors(mlir::OpBuilder &builder,
                                                    ComputeOpInterface op);

/// Exports the body of `program` in place of `invoke`; one value a result.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
exportInvoke(mlir::OpBuilder &builder, InvokeOp invoke, ProgramOp program);

} // namespace prism

#endif // PRISM_LIB_CONVERSION_PRISMTOLINALGOPS_H
