//===- PrismInterfaces.td - Interfaces of the prism ops -*- tablegen -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_DIALECT_PRISMINTERFACES_TD
#define PRISM_DIALECT_PRISMINTERFACES_TD

include "mlir/IR/OpBase.td"

def Prism_ComputeOpInterface : OpInterface<"ComputeOpInterface"> {
  let cppNamespace = "::prism";
  let description = [{
    An op with one result whose iteration structure is declared. Shape
    inference and verification, tiling and parallelization facts, axioms (the
    schemas S1 to S6) and lowering are all derived from this declaration.
  }];
  let methods = [
    InterfaceMethod<
      "The iteration dims, how operands and result index them, their kinds, "
      "and the groups of jointly linear operands.",
      "::prism::IterationStructure", "getIterationStructure">,
    InterfaceMethod<
      "Whether the op is `buildScalar` at each iteration point, combined over "
      "its sum and max dims. Slices, concatenations, reshapes and composites "
      "are not.",
      "bool", "hasScalarForm", (ins), "", "return true;">,
    InterfaceMethod<
      "The scalar computation at one iteration point, before any reduction: "
      "from scalars of the operands' element types to `elementType`.",
      "::mlir::Value", "buildScalar",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::ValueRange":$operands, "::mlir::Type":$elementType),
      "", "return {};">,
    InterfaceMethod<
      "Checks the op's own attributes (constraint S5), before anything reads "
      "the structure.",
      "::llvm::LogicalResult", "verifyParameters", (ins), "",
      "return ::mlir::success();">,
    InterfaceMethod<
      "Checks the element types against each other (constraint S3). By default "
      "they are all the same.",
      "::llvm::LogicalResult", "verifyElementTypes", (ins), "",
      "return ::prism::detail::verifySameElementTypes($_op);">,
  ];
  let verify = [{ return ::prism::detail::verifyComputeOp($_op); }];
}

def Prism_IndexingMapsOpInterface : OpInterface<"IndexingMapsOpInterface"> {
  let cppNamespace = "::prism";
  let description = [{
    A compute op whose operands may be permuted or broadcast by indexing maps:
    projected permutations, those of the operands first, then the result's.
  }];
  let methods = [
    InterfaceMethod<"The maps, also where they are the default.",
      "::llvm::SmallVector<::mlir::AffineMap>", "getMapsOrDefault">,
    InterfaceMethod<"Sets the maps; elides the default.",
      "void", "setMaps", (ins "::llvm::ArrayRef<::mlir::AffineMap>":$maps)>,
  ];
}

def Prism_DecomposableOpInterface : OpInterface<"DecomposableOpInterface"> {
  let cppNamespace = "::prism";
  let description = [{
    A composite that is defined by other compute ops.
  }];
  let methods = [
    InterfaceMethod<
      "Builds the definition; the value replaces the result. Null where the "
      "extents that it needs are not known (dynamic builtin tensors).",
      "::mlir::Value", "decompose", (ins "::mlir::OpBuilder &":$builder)>,
  ];
}

def Prism_GraphOpInterface : OpInterface<"GraphOpInterface"> {
  let cppNamespace = "::prism";
  let description = [{
    An op that holds a block or thread graph: it declares the parallel dims
    that the loaders and savers in it name, and the equalities between their
    mapping variables.
  }];
  let methods = [
    InterfaceMethod<"The parallel dims in order of declaration.",
      "::llvm::SmallVector<::prism::ParallelDimAttr>", "getParallelDims">,
    InterfaceMethod<"Equalities between mapping variables.",
      "::llvm::SmallVector<::prism::EqualityAttr>", "getEqualities">,
    InterfaceMethod<"The name that qualifies this graph's sizes elsewhere.",
      "::llvm::StringRef", "getGraphName">,
  ];
  let extraSharedClassDeclaration = [{
    /// The parallel dim of this name, or null.
    ::prism::ParallelDimAttr lookupParallelDim(::llvm::StringRef name) {
      for (::prism::ParallelDimAttr dim : $_op.getParallelDims())
        if (dim.getName() == name)
          return dim;
      return {};
    }
  }];
  let verify = [{ return ::prism::detail::verifyGraphDeclarations($_op); }];
}

#endif // PRISM_DIALECT_PRISMINTERFACES_TD
