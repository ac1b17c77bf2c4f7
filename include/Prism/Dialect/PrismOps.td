//===- PrismOps.td - Programs, candidates and graphs -*- tablegen -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_DIALECT_PRISMOPS_TD
#define PRISM_DIALECT_PRISMOPS_TD

include "mlir/IR/SymbolInterfaces.td"
include "mlir/IR/RegionKindInterface.td"
include "Prism/Dialect/PrismComputeOps.td"

//===----------------------------------------------------------------------===//
// Programs and candidates
//===----------------------------------------------------------------------===//

def Prism_ProgramOp : Prism_Op<"program", [
    IsolatedFromAbove, NoTerminator, Symbol]> {
  let summary = "a tensor program and the candidates found for it";
  let description = [{
    The first region is the program: compute ops on whole tensors, ending in
    `prism.yield`. The second holds its `prism.candidate`s. `extents` declares
    the symbols that types in the program refer to, with their values where
    they are static. A program with the attribute `prism.allow_tf32` may be
    lowered with the operands of f32 products rounded to TF32 (11 bits).

    Example:
    ```mlir
    prism.program @p extents [n = ?, d = 64] (%x: !prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32> {
      %s = prism.reduce_sum %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
      prism.yield %s : !prism.tensor<[n], f32>
    } candidates {
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       OptionalAttr<StrAttr>:$sym_visibility,
                       TypedArrayAttrBase<Prism_ExtentSymbolAttr,
                                          "extent symbols">:$extents,
                       TypeAttrOf<FunctionType>:$function_type);
  let regions = (region SizedRegion<1>:$body, MaxSizedRegion<1>:$candidates);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let skipDefaultBuilders = 1;
  let builders = [
    OpBuilder<(ins "::llvm::StringRef":$name,
                   "::llvm::ArrayRef<::prism::ExtentSymbolAttr>":$extents,
                   "::mlir::FunctionType":$type)>
  ];
  let extraClassDeclaration = [{
    /// The declaration of the extent symbol `name`, or null.
    ::prism::ExtentSymbolAttr lookupExtent(::llvm::StringRef name);
    /// The candidates in order; creates the block that holds them on demand.
    ::llvm::SmallVector<::prism::CandidateOp> getCandidateOps();
    ::mlir::Block &getOrCreateCandidateBlock();
    ::mlir::Block &getBodyBlock() { return getBody().front(); }
    ::prism::YieldOp getYield();
    /// Whether operands of f32 products may be rounded to TF32.
    bool allowsTF32() { return (*this)->hasAttr(getAllowTF32AttrName()); }
    /// The same, of the program around `op`; false where there is none.
    static bool allowsTF32(::mlir::Operation *op) {
      auto program = op->getParentOfType<ProgramOp>();
      return program && program.allowsTF32();
    }
    void setAllowsTF32(bool allows);
    static ::llvm::StringRef getAllowTF32AttrName() {
      return "prism.allow_tf32";
    }
  }];
}

def Prism_CandidateOp : Prism_Op<"candidate", [
    IsolatedFromAbove, HasParent<"ProgramOp">]> {
  let summary = "a kernel graph that may compute the enclosing program";
  let description = [{
    Its block takes the program's arguments and yields its results. Ops on
    whole tensors are predefined kernels, `prism.kernel`s are graph-defined
    ones. `state` says how much is decided; `verdict`, `certificate` and
    `cost_us` (modelled or measured microseconds) are filled by later passes.

    Example:
    ```mlir
    prism.candidate "p_0" mapped verdict Proved {
    ^bb0(%x: !prism.tensor<[n, d], f32>):
      ...
      prism.yield %r : !prism.tensor<[n], f32>
    }
    ```
  }];
  let arguments = (ins StrAttr:$id,
                       Prism_CandidateStateAttr:$state,
                       OptionalAttr<Prism_VerdictAttr>:$verdict,
                       OptionalAttr<F64Attr>:$cost_us,
                       OptionalAttr<Prism_CertificateAttr>:$certificate);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $id custom<Enum>($state) (`verdict` custom<Enum>($verdict)^)? (`cost_us` $cost_us^)?
    (`certificate` $certificate^)? attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::prism::ProgramOp getProgram();
    ::mlir::Block &getBodyBlock() { return getBody().front(); }
    ::prism::YieldOp getYield();
  }];
}

def Prism_InvokeOp : Prism_Op<"invoke", [
    Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "the place in the caller's code where a program stands";
  let description = [{
    Operands and results are builtin tensors; their static extents agree with
    the values of the program's symbols, and equal symbols have equal extents.

    Example:
    ```mlir
    %r = prism.invoke @p(%x) : (tensor<?x64xf32>) -> tensor<?xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$program,
                       Variadic<AnyRankedTensor>:$arguments);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    $program `(` $arguments `)` attr-dict `:`
    functional-type($arguments, $results)
  }];
}

def Prism_YieldOp : Prism_Op<"yield", [Pure, Terminator,
    ParentOneOf<["ProgramOp", "CandidateOp", "KernelOp", "ThreadGraphOp"]>]> {
  let summary = "the results of a program, candidate or graph";
  let description = [{
    Example:
    ```mlir
    prism.yield %r : !prism.tensor<[n, h], f16>
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let builders = [OpBuilder<(ins), [{ /* nothing to yield */ }]>];
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

class Prism_GraphOp<string mnemonic, Type valueType, dag extraArguments = (ins)>
    : Prism_Op<mnemonic, [
        IsolatedFromAbove,
        Prism_GraphOpInterface]> {
  let arguments = !con((ins StrAttr:$graph_name,
                            TypedArrayAttrBase<Prism_ParallelDimAttr,
                                               "parallel dims">:$parallel,
                            TypedArrayAttrBase<Prism_EqualityAttr,
                                               "equalities">:$equality_constraints,
                            Variadic<valueType>:$inputs),
                       extraArguments);
  let results = (outs Variadic<valueType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
  code commonDeclaration = [{
    ::mlir::Block &getBodyBlock() { return getBody().front(); }
    ::prism::YieldOp getYield();
    ::llvm::SmallVector<::prism::ParallelDimAttr> getParallelDims() {
      return ::llvm::to_vector(
          getParallel().getAsRange<::prism::ParallelDimAttr>());
    }
    ::llvm::SmallVector<::prism::EqualityAttr> getEqualities() {
      return ::llvm::to_vector(
          getEqualityConstraints().getAsRange<::prism::EqualityAttr>());
    }
  }];
  let extraClassDeclaration = commonDeclaration;
}

def Prism_KernelOp : Prism_GraphOp<"kernel", Prism_TensorType,
    (ins OptionalAttr<I64Attr>:$threads, OptionalAttr<I64Attr>:$stages)> {
  let summary = "a graph-defined kernel: it holds a block graph";
  let description = [{
    The region is what one block does for each step of the loop, if there is
    one: `prism.load`s take the block's part of the operands, compute ops work
    on tiles, `prism.accumulate`s combine the steps of the loop, `prism.save`s
    put the blocks' tiles together. What an accumulator feeds runs once, after
    the loop. `parallel` declares the grid dims and at most one loop dim.
    `threads` is the least number of threads of a block (32 to 1024, a power of
    two), `stages` the number of steps whose loads are in shared memory at once
    (1 to 5), as far as they fit; sized candidates have them where another
    choice than the planner's is faster.

    Example:
    ```mlir
    %r = prism.kernel "k0"(%a = %x) parallel [x grid, i loop tile 64] stages 4 : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[x], [i]] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d/i], f32>
      %s = prism.reduce_sum %t dims [1] : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x], f32>
      %c = prism.accumulate sum %s over i : !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f32>
      %o = prism.save %c [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    ```
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = commonDeclaration # [{
    /// Most stages of the load pipeline.
    static constexpr int64_t maxStages = 5;
  }];
}

def Prism_ThreadGraphOp : Prism_GraphOp<"thread_graph", Prism_TileType> {
  let summary = "an elementwise chain that stays in registers";
  let description = [{
    The parallel dims are thread dims; loaders split the block's tiles over the
    threads, savers put the threads' tiles together. Written as
    `prism.kernel`, on tiles.
  }];
}

def Prism_LoadOp : Prism_Op<"load", [Pure,
    ParentOneOf<["KernelOp", "ThreadGraphOp"]>]> {
  let summary = "a block's (thread's) part of a tensor (tile)";
  let description = [{
    `map` is imap and fmap in one. The result has the tile extents of
    equation (3).

    Example:
    ```mlir
    %t = prism.load %x [[x], [i?m0]] : !prism.tensor<[n, d], f16> -> !prism.tile<[n/x, d/i?m0], f16>
    ```
  }];
  let arguments = (ins AnyTypeOf<[Prism_TensorType, Prism_TileType]>:$source,
                       Prism_MapAttr:$map);
  let results = (outs Prism_TileType:$result);
  let assemblyFormat = [{
    $source custom<MapLists>($map) attr-dict `:` qualified(type($source)) `->`
    qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Prism_AccumulateOp : Prism_Op<"accumulate", [Pure, HasParent<"KernelOp">]> {
  let summary = "combines a tile over the steps of the loop";
  let description = [{
    `sum` adds, `max` takes the maximum. `rescaled_sum` is redr of schema S6:
    with the step's shift m_i and M the maximum of the m_i, it sums
    t_i * exp(m_i - M); a step with m_i = -inf contributes 0. `maps` indexes
    tile and shift like an elementwise op's operands.

    Example:
    ```mlir
    %a = prism.accumulate sum %t over i : !prism.tile<[n, h/x], f32> -> !prism.tile<[n, h/x], f32>
    %b = prism.accumulate rescaled_sum %t shift %m over i maps [d0, d1], [d0] -> [d0, d1]
       : !prism.tile<[n, h/x], f32>, !prism.tile<[n], f32> -> !prism.tile<[n, h/x], f32>
    ```
  }];
  let arguments = (ins Prism_AccumulatorKindAttr:$kind, Prism_TileType:$tile,
                       Optional<Prism_TileType>:$shift, StrAttr:$over,
                       OptionalAttr<AffineMapArrayAttr>:$indexing_maps);
  let results = (outs Prism_TileType:$result);
  let assemblyFormat = [{
    custom<Enum>($kind) $tile (`shift` $shift^)? `over` custom<DimName>($over)
    (`maps` custom<IndexingMaps>($indexing_maps)^)? attr-dict `:`
    qualified(type($tile)) (`,` qualified(type($shift))^)? `->`
    qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Prism_SaveOp : Prism_Op<"save", [Pure,
    ParentOneOf<["KernelOp", "ThreadGraphOp"]>]> {
  let summary = "puts the tiles of all blocks (threads) together";
  let description = [{
    `map` is the omap: it names no loop dim. Along the grid dims in `partials`
    the tiles are partial results that are written side by side: the result
    gains a leading dim for each, of extent `<kernel>.<dim>` (the number of
    blocks along it), which a later kernel reduces.

    Example:
    ```mlir
    %o = prism.save %t [[], [x]] : !prism.tile<[n, h/x], f16> -> !prism.tensor<[n, h], f16>
    %p = prism.save %t [[], [x]] partials [y] : !prism.tile<[n, h/x], f32> -> !prism.tensor<[k0.y, n, h], f32>
    ```
  }];
  let arguments = (ins Prism_TileType:$tile, Prism_MapAttr:$map,
                       DefaultValuedAttr<StrArrayAttr, "{}">:$partials);
  let results = (outs AnyTypeOf<[Prism_TensorType, Prism_TileType]>:$result);
  let assemblyFormat = [{
    $tile custom<MapLists>($map) (`partials` custom<DimNames>($partials)^)?
    attr-dict `:` qualified(type($tile)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

#endif // PRISM_DIALECT_PRISMOPS_TD
