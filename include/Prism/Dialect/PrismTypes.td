//===- PrismTypes.td - Types of the prism dialect -*- tablegen -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_DIALECT_PRISMTYPES_TD
#define PRISM_DIALECT_PRISMTYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "Prism/Dialect/PrismBase.td"

class Prism_Type<string name, string typeMnemonic>
    : TypeDef<Prism_Dialect, name> {
  let mnemonic = typeMnemonic;
  let parameters = (ins ArrayRefParameter<"::prism::DimExprAttr">:$extentAttrs,
                        "::mlir::Type":$elementType);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let builders = [
    TypeBuilder<(ins "::llvm::ArrayRef<::prism::DimExpr>":$extents,
                     "::mlir::Type":$elementType)>
  ];
  let extraClassDeclaration = [{
    /// The extents in elements, outermost first.
    ::llvm::SmallVector<::prism::DimExpr> getExtents() const;
    unsigned getRank() const { return getExtentAttrs().size(); }
  }];
}

def Prism_TensorType : Prism_Type<"SymbolicTensor", "tensor"> {
  let summary = "a whole tensor in global memory, dense and row-major";
  let description = [{
    Extents are expressions over the symbols of the enclosing `prism.program`.

    Example: `!prism.tensor<[n, d], f16>`.
  }];
}

def Prism_TileType : Prism_Type<"Tile", "tile"> {
  let summary = "the part of a tensor that one block or one thread works on";
  let description = [{
    Extents are quotients of the tensor's extents (equation (3)); the last
    chunk of a ragged split is smaller.

    Example: `!prism.tile<[n/x, d/i?m0], f16>`.
  }];
}

def Prism_ElementType : AnyTypeOf<[F16, BF16, F32, F64, I1],
                                  "f16, bf16, f32, f64 or i1">;

/// Operands and results of compute ops, at any level.
def Prism_AnyShaped : Type<
    CPred<"::prism::isComputeType($_self)">,
    "tensor or tile of f16, bf16, f32, f64 or i1">;

/// Operands of arithmetic; i1 is only moved, chosen by and converted.
def Prism_FloatShaped : Type<
    And<[CPred<"::prism::isComputeType($_self)">,
         CPred<"!::prism::getElementType($_self).isInteger(1)">]>,
    "tensor or tile of f16, bf16, f32 or f64">;

#endif // PRISM_DIALECT_PRISMTYPES_TD
