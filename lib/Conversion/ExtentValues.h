//===- ExtentValues.h - Extents as index values -----------------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The values of a program's extent symbols at one place of the host code,
// solved from the extents of the tensors that are there.
//
// Worked example: a tensor<?x64xf16> stands for !prism.tensor<[n*h, e], f16>,
// with h = 8 known. Its dims give the equations n*h = dim 0 and e = 64, so
// that e is the constant 64 and n is (dim 0) / 8.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_CONVERSION_EXTENTVALUES_H
#define PRISM_LIB_CONVERSION_EXTENTVALUES_H

#include "Prism/Symbolic/DimExpr.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/StringMap.h"

namespace prism {

class ExtentValues {
public:
  /// Index arithmetic is built by `builder` where it stands at each call.
  ExtentValues(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  /// States that `extent` has this value, in elements. All equations are to be
  /// stated before anything is evaluated; a constant is preferred to a value.
  void equate(const DimExpr &extent, mlir::OpFoldResult value);
  /// Equates each extent with the dim of `tensor`, a ranked builtin tensor.
  void equateDims(llvm::ArrayRef<DimExpr> extents, mlir::Value tensor);

  /// The value of `extent`; none if a symbol in it is not determined.
  std::optional<mlir::OpFoldResult> evaluate(const DimExpr &extent);
  /// The same for each; sets `missing` to the first undetermined extent.
  std::optional<llvm::SmallVector<mlir::OpFoldResult>>
  evaluate(llvm::ArrayRef<DimExpr> extents, DimExpr &missing);

private:
  struct Equation {
    DimExpr extent;
    mlir::OpFoldResult value;
  };

  void solve();
  bool solve(const Equation &equation);
  std::optional<mlir::OpFoldResult>
  evaluateTerm(int64_t coefficient, llvm::ArrayRef<DimExpr> factors);

  mlir::OpFoldResult constant(int64_t value);
  mlir::OpFoldResult add(mlir::OpFoldResult a, mlir::OpFoldResult b);
  mlir::OpFoldResult subtract(mlir::OpFoldResult a, mlir::OpFoldResult b);
  mlir::OpFoldResult multiply(mlir::OpFoldResult a, mlir::OpFoldResult b);
  mlir::OpFoldResult divide(mlir::OpFoldResult a, mlir::OpFoldResult b);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  llvm::StringMap<mlir::OpFoldResult> symbols;
  llvm::SmallVector<Equation> equations;
};

} // namespace prism

#endif // PRISM_LIB_CONVERSION_EXTENTVALUES_H
