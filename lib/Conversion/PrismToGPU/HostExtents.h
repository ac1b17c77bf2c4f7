//===- HostExtents.h - Dynamic extents where kernels are launched -*- C++
//-*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values of extents in the host's code, read off the arguments' buffers, and
// the assertions that a launch rests on: kernels index with 32 bits, and every
// extent is at least 1. An extent without which no result has an element may
// be zero: then nothing is launched. Numbers of blocks are written as
// (x + t - 1) / t.
//
// Worked example: of n = ?, s = ? in softmax(Q K^T) V with Q [n, e], K and V
// [s, e], n may be zero, since the result is [n, e]; s may not: rows that sum
// over nothing would still have to be written.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_CONVERSION_PRISMTOGPU_HOSTEXTENTS_H
#define PRISM_LIB_CONVERSION_PRISMTOGPU_HOSTEXTENTS_H

#include "Prism/Plan/KernelPlan.h"
#include "llvm/ADT/StringMap.h"

namespace prism::detail {

class HostExtents {
public:
  HostExtents(mlir::OpBuilder &b, mlir::Location loc, ProgramOp program)
      : b(b), loc(loc), program(program) {}

  /// Whether every dynamic extent of `program` is an argument's; else the
  /// reason.
  static bool canFind(ProgramOp program, std::string &whyNot);

  /// Reads the extents off the buffers of the program's arguments, and asserts
  /// that equal symbols have equal extents, and that those that must be are at
  /// least 1.
  void bindArguments(llvm::ArrayRef<mlir::Value> buffers);
  /// Whether there is anything to launch, an i1; null where there always is.
  mlir::Value emitHasResults();
  /// The value of `extent`, an index.
  mlir::Value emit(const DimExpr &extent);
  /// The number of blocks of `kernel`, whose counts are known from here on.
  /// Asserts that it fits, and every tensor of the kernel.
  mlir::Value emitBlocks(KernelOp kernel, const KernelPlan &plan);

private:
  mlir::Value constant(int64_t value);
  mlir::Value multiply(mlir::Value a, mlir::Value b);
  bool isDynamic(const DimExpr &extent);
  bool mayBeZero(llvm::StringRef symbol);
  void assertFits(mlir::Value value, llvm::StringRef what);
  void assertFits(mlir::Type tensor);

  mlir::OpBuilder &b;
  mlir::Location loc;
  ProgramOp program;
  llvm::StringMap<mlir::Value> values; ///< of dynamic symbols and counts
  llvm::StringMap<int64_t> counts;     ///< of the others
  /// Of the symbols that may be zero, in the order of the arguments.
  llvm::SmallVector<mlir::Value> mayBeZeros;
};

} // namespace prism::detail

#endif // PRISM_LIB_CONVERSION_PRISMTOGPU_HOSTEXTENTS_H
