//===- PrismBase.td - The prism dialect -*- tablegen -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_DIALECT_PRISMBASE_TD
#define PRISM_DIALECT_PRISMBASE_TD

include "mlir/IR/OpBase.td"

def Prism_Dialect : Dialect {
  let name = "prism";
  let summary = "Symbolic superoptimization of tensor programs";
  let description = [{
    A `prism.program` holds a tensor program and the candidates found for it.
    A candidate is a kernel graph: predefined ops on whole tensors and
    `prism.kernel`s, each of which holds a block graph that may hold
    `prism.thread_graph`s. The compute ops are the same at every level; the
    types tell the level: `!prism.tensor` (or a builtin ranked tensor) for
    whole tensors in global memory, `!prism.tile` for what a block, or a
    thread, works on.

    A graph can be *symbolic* (mapping variables `m0`, `m1`, ... stand for
    undecided map entries, sizes are open), *mapped* (no variables left), or
    *sized* (every parallel dim has a tile extent). The numbered constraints
    that verifiers check are listed in `docs/constraints.md`.
  }];
  let cppNamespace = "::prism";
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect"];
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerTypes();
  }];
}

#endif // PRISM_DIALECT_PRISMBASE_TD
