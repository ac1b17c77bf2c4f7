//===- CutProgram.h - Parts of a program as programs ------------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Outlines parts of a program into programs of their own, and puts a sequence
// of invokes where the program was invoked. Values between parts are tensors of
// the element types that they have in the program.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_PARTITION_CUTPROGRAM_H
#define PRISM_PARTITION_CUTPROGRAM_H

#include "Prism/Partition/PartGraph.h"
#include "mlir/IR/OwningOpRef.h"

namespace prism {

/// `part` as a private program called `name` that stands in no module: its
/// inputs and results are those of the part, its extents are named anew, as
/// those of a region are, so that equal parts print equally. Null where an
/// extent would have to be a dynamic one that the part does not tell.
mlir::OwningOpRef<ProgramOp>
buildPart(const PartGraph &graph, const NodeSet &part, llvm::StringRef name);

/// The program's text under the name `_`, by which equal programs are found.
std::string getStructure(ProgramOp program);

/// The builtin tensor type of a value of type `type` in `program`, at its
/// bound extents; dynamic where they are not bound.
mlir::RankedTensorType getBuiltinType(ProgramOp program, mlir::Type type);

/// A part, and the program that computes it.
struct PlacedPart {
  NodeSet nodes;
  mlir::StringAttr program;
};

/// Replaces `invoke` of the graph's program by invokes of `parts`, which stand
/// in order.
void replaceInvoke(InvokeOp invoke, const PartGraph &graph,
                   llvm::ArrayRef<PlacedPart> parts);

} // namespace prism

#endif // PRISM_PARTITION_CUTPROGRAM_H
