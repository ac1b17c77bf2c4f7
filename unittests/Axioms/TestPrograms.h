//===- TestPrograms.h - Programs that the unit tests share ------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_UNITTESTS_AXIOMS_TESTPROGRAMS_H
#define PRISM_UNITTESTS_AXIOMS_TESTPROGRAMS_H

#include "Prism/Dialect/PrismDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

namespace prism::test {

/// A module with one program, parsed in a context of its own.
struct ParsedProgram {
  explicit ParsedProgram(llvm::StringRef text) {
    context.loadDialect<PrismDialect>();
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    if (module)
      program = *module->getOps<ProgramOp>().begin();
  }
  /// The op that defines the program's `index`-th op's result.
  mlir::Operation *op(unsigned index) {
    return &*std::next(program.getBodyBlock().begin(), index);
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  ProgramOp program;
};

/// matmul(x / sqrt(mean(x^2)), w), in f32.
inline constexpr llvm::StringLiteral rmsNorm = R"mlir(
prism.program @p extents [n = 8, d = 64, h = 32] (%x: !prism.tensor<[n, d], f32>, %w: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[n, h], f32>) {
  %1 = prism.square %x : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %2 = prism.reduce_sum %1 dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %3 = prism.constant #prism.extent<d> -> !prism.tensor<[], f32>
  %4 = prism.div %2, %3 maps [d0], [] -> [d0] : (!prism.tensor<[n], f32>, !prism.tensor<[], f32>) -> !prism.tensor<[n], f32>
  %5 = prism.sqrt %4 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %6 = prism.div %x, %5 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32>
  %7 = prism.matmul %6, %w : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  prism.yield %7 : !prism.tensor<[n, h], f32>
} candidates {
}
)mlir";

/// matmul(y, w1) * matmul(y, w2) with y = x / sqrt(mean(x^2)), in f32.
inline constexpr llvm::StringLiteral rmsNormMlp = R"mlir(
prism.program @p extents [n = 8, d = 64, h = 32] (%x: !prism.tensor<[n, d], f32>, %w1: !prism.tensor<[d, h], f32>, %w2: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[n, h], f32>) {
  %1 = prism.square %x : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %2 = prism.reduce_sum %1 dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %3 = prism.constant #prism.extent<d> -> !prism.tensor<[], f32>
  %4 = prism.div %2, %3 maps [d0], [] -> [d0] : (!prism.tensor<[n], f32>, !prism.tensor<[], f32>) -> !prism.tensor<[n], f32>
  %5 = prism.sqrt %4 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %6 = prism.div %x, %5 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32>
  %7 = prism.matmul %6, %w1 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %8 = prism.matmul %6, %w2 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %9 = prism.mul %7, %8 : (!prism.tensor<[n, h], f32>, !prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f32>
  prism.yield %9 : !prism.tensor<[n, h], f32>
} candidates {
}
)mlir";

/// x w + (x a) b, a low-rank update.
inline constexpr llvm::StringLiteral lora = R"mlir(
prism.program @p extents [n = 8, d = 64, h = 32, r = 4] (%x: !prism.tensor<[n, d], f32>, %w: !prism.tensor<[d, h], f32>, %a: !prism.tensor<[d, r], f32>, %b: !prism.tensor<[r, h], f32>) -> (!prism.tensor<[n, h], f32>) {
  %1 = prism.matmul %x, %w : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %2 = prism.matmul %x, %a : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, r], f32>) -> !prism.tensor<[n, r], f32>
  %3 = prism.matmul %2, %b : (!prism.tensor<[n, r], f32>, !prism.tensor<[r, h], f32>) -> !prism.tensor<[n, h], f32>
  %4 = prism.add %1, %3 : (!prism.tensor<[n, h], f32>, !prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f32>
  prism.yield %4 : !prism.tensor<[n, h], f32>
} candidates {
}
)mlir";

/// matmul(softmax(q k^T), v), the softmax in its shifted form.
inline constexpr llvm::StringLiteral attention = R"mlir(
prism.program @p extents [n = 8, e = 16, s = 64] (%q: !prism.tensor<[n, e], f32>, %k: !prism.tensor<[s, e], f32>, %v: !prism.tensor<[s, e], f32>) -> (!prism.tensor<[n, e], f32>) {
  %0 = prism.matmul %q, %k maps [d0, d2], [d1, d2] -> [d0, d1] : (!prism.tensor<[n, e], f32>, !prism.tensor<[s, e], f32>) -> !prism.tensor<[n, s], f32>
  %1 = prism.reduce_max %0 dims [1] : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n], f32>
  %2 = prism.sub %0, %1 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, s], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, s], f32>
  %3 = prism.exp %2 : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n, s], f32>
  %4 = prism.reduce_sum %3 dims [1] : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n], f32>
  %5 = prism.div %3, %4 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, s], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, s], f32>
  %6 = prism.matmul %5, %v : (!prism.tensor<[n, s], f32>, !prism.tensor<[s, e], f32>) -> !prism.tensor<[n, e], f32>
  prism.yield %6 : !prism.tensor<[n, e], f32>
} candidates {
}
)mlir";

} // namespace prism::test

#endif // PRISM_UNITTESTS_AXIOMS_TESTPROGRAMS_H
