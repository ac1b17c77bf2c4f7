//===- Passes.td - Prism's passes on its own IR ------------*- tablegen -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each pass is thin: the algorithms are in libraries that know no pass. What a
// pass counts stands on the program as the attribute `prism.statistics`, from
// which the report is written.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_TRANSFORMS_PASSES_TD
#define PRISM_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def PrismPartition : Pass<"prism-partition", "::mlir::ModuleOp"> {
  let summary = "Outline maximal regions of prism ops into prism.programs";
  let description = [{
    Gathers the prism ops on builtin tensors of each function into convex
    regions of at most `max-region-ops` ops and outlines each into a
    `prism.program`, leaving a `prism.invoke`. Extents become named symbols,
    unified where the ops' iteration structures demand it and never because
    their values agree. Equal regions share one program. Composites are
    decomposed.

    With `max-part-ops`, each of these programs is cut into parts, programs of
    their own: the cheapest sequence of convex parts by what the cost model says
    a part costs at least. (`prism-superoptimize` searches the parts instead of
    trusting the estimate.)
  }];
  let options = [
    Option<"maxRegionOps", "max-region-ops", "unsigned", "64",
           "Largest number of compute ops in one program">,
    Option<"maxPartOps", "max-part-ops", "unsigned", "0",
           "Cut each program into parts of at most so many ops; 0: do not cut">,
    Option<"maxPartContractions", "max-part-contractions", "unsigned", "3",
           "Most matrix products of one part">,
    Option<"target", "target", "std::string", "\"sm_80\"",
           "The GPU whose cost model estimates the parts">,
    ListOption<"assumedExtents", "assumed-extents", "int64_t",
               "Dynamic extents are costed at the mean over these values; by "
               "default 1,8,64,512">,
  ];
  let dependentDialects = ["::prism::PrismDialect",
                           "::mlir::tensor::TensorDialect"];
}

def PrismGenerate : Pass<"prism-generate", "::prism::ProgramOp"> {
  let summary = "Generate candidate sGraphs of a program";
  let description = [{
    Adds symbolic candidates: all sizes and maps open, with the equalities
    between mapping variables that shape matching demands (DESIGN: the
    expression oracle; paper section 3).

    `explain-pruning` says of graphs in a file which check of the search drops
    them, or which candidate they are (docs/debugging.md).
  }];
  let options = [
    Option<"maxKernels", "max-kernels", "unsigned", "2",
           "Most graph-defined kernels in a candidate">,
    Option<"maxBlockOps", "max-block-ops", "unsigned", "11",
           "Most ops in a block graph, loaders, savers and accumulators apart">,
    Option<"extraOps", "extra-ops", "unsigned", "1",
           "Ops beyond the fewest that reach the program">,
    Option<"maxGridDims", "max-grid-dims", "unsigned", "3",
           "Most grid dims of a kernel">,
    Option<"maxAccumulators", "max-accumulators", "unsigned", "3",
           "Most accumulators of a kernel">,
    Option<"maxTerms", "max-terms", "unsigned", "5",
           "Most terms of a sum, or factors, of which all orders are searched; "
           "more keep the program's; 0: no limit">,
    Option<"pruneShape", "prune-shape", "bool", "true",
           "Prune by symbolic dimension matching">,
    Option<"pruneExpression", "prune-expression", "bool", "true",
           "Prune by the expression oracle">,
    Option<"cutForms", "cut-forms", "bool", "true",
           "Also compute a part of the fewest ops by a kernel of its own, or again "
           "in a loop">,
    Option<"shiftSoftmax", "shift-softmax", "bool", "true",
           "Also search exp(x) / sum exp(x) shifted by the maximum of x">,
    Option<"filterRange", "filter-range", "bool", "true",
           "Drop graphs that may overflow where the program does not">,
    Option<"precision", "precision", "std::string", "\"relaxed\"",
           "relaxed: casts may move under the precision rule; strict: those "
           "that narrow stay where the program has them">,
    Option<"explainPruning", "explain-pruning", "std::string", "\"\"",
           "Path of IR: which check drops each candidate there, as a remark">,
    Option<"explainTarget", "explain-target", "std::string", "\"\"",
           "The GPU that explain-pruning asks about resources; none: not">,
    Option<"paperBounds", "paper-bounds", "bool", "false",
           "The bounds that the paper's counts are read with: the fewest ops, "
           "one kernel, before the range filter">,
    Option<"budgetSeconds", "budget-seconds", "double", "0",
           "Most seconds per program; 0: no limit">,
    Option<"budgetSteps", "budget-steps", "uint64_t", "0",
           "Most graphs grown per program; 0: no limit">,
    Option<"memoryMiB", "memory-mib", "uint64_t", "0",
           "Most MiB per program; 0: no limit">,
  ];
}

def PrismInstantiateMaps : Pass<"prism-instantiate-maps", "::prism::ProgramOp"> {
  let summary = "Replace symbolic candidates by their mapped instances";
  let description = [{
    Enumerates the assignments of the mapping variables under equations (1) and
    (2) and the equalities, one representative per permutation of grid dims,
    and keeps those that the propagation of {repl, part, pending sums} through
    the iteration structures does not rule out. Of the candidates of one normal
    form (products as sorted monomials, one place for a scale) the one that
    takes the fewest ops, over the fewest dims, is kept.
  }];
  let options = [
    Option<"concreteMaps", "concrete-maps", "std::string", "\"\"",
           "For ablation: any of imap, fmap, omap, separated by '+'">,
    Option<"keepAll", "keep-all", "bool", "false",
           "Keep all mapped graphs, not the cheapest of each normal form">,
    Option<"paperBounds", "paper-bounds", "bool", "false",
           "Count unique graphs as the paper does (docs/search-space.md)">,
    Option<"precision", "precision", "std::string", "\"relaxed\"",
           "relaxed or strict: whether a pending sum may be rounded">,
    Option<"filterRange", "filter-range", "bool", "true",
           "drop maps by which parts of a sum are rounded where the program "
           "rounds the sum">,
    Option<"target", "target", "std::string", "\"\"",
           "The GPU for which mapped graphs are kept that can fit it; none: all">,
    Option<"describe", "describe", "bool", "false",
           "Emit a remark for each mapped graph: its expression and maps in "
           "one line">,
    Option<"budgetSeconds", "budget-seconds", "double", "0",
           "Most seconds per program; 0: no limit">,
    Option<"memoryMiB", "memory-mib", "uint64_t", "0",
           "Most MiB per program; 0: no limit">,
    Option<"threads", "threads", "unsigned", "0",
           "Threads per program; 0: all that MLIR has. The result is the same">,
  ];
}

def PrismVerify : Pass<"prism-verify", "::prism::ProgramOp"> {
  let summary = "Prove mapped candidates equal to their program, or drop them";
  let description = [{
    Program and candidate become terms, proved equal in an e-graph under the
    declared axioms, for all sizes d_p and all extents. Candidates that are not
    Proved are dropped, unless `keep-all`.
  }];
  let options = [
    Option<"precision", "precision", "std::string", "\"relaxed\"",
           "relaxed: casts may move under the precision rule; strict: not">,
    Option<"keepProofs", "keep-proofs", "bool", "false",
           "Attach certificates to proved candidates">,
    Option<"explain", "explain", "std::string", "\"\"",
           "Path for each proved candidate's equalities from program to "
           "kernel; with several programs, one file each, PATH.NAME">,
    Option<"keepAll", "keep-all", "bool", "false",
           "Keep disproved and unknown candidates, with their verdict">,
    Option<"budgetSeconds", "budget-seconds", "double", "0",
           "Most seconds per program; 0: no limit">,
    Option<"memoryMiB", "memory-mib", "uint64_t", "0",
           "Most MiB per program; 0: no limit">,
    Option<"threads", "threads", "unsigned", "0",
           "Threads that share the candidates; 0: MLIR's. Changes no result">,
  ];
}

def PrismInstantiateParams : Pass<"prism-instantiate-params", "::prism::ProgramOp"> {
  let summary = "Choose tile extents for proved candidates by the cost model";
  let description = [{
    Replaces mapped candidates by the `keep-best` cheapest sized ones, each with
    its modelled cost in microseconds: first the one to take, which does not
    repeat work unless that pays (docs/tuning.md), then the others, cheapest
    first. `tensor-maps` has to be what
    `--convert-prism-to-gpu` then gets, as it is by default: it decides about
    the tiles in shared memory, which are counted here.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"sm_80\"",
           "The GPU: sm_80, sm_86, sm_89, sm_90a, sm_100a or sm_120a">,
    Option<"keepBest", "keep-best", "unsigned", "8",
           "Sized candidates kept">,
    Option<"maxPoints", "max-points", "uint64_t", "4096",
           "Most sizes tried of one kernel, spread over its space">,
    ListOption<"assumedExtents", "assumed-extents", "int64_t",
               "Dynamic extents are costed at the mean over these values; by "
               "default what the program carries, else 1,8,64,512">,
    Option<"tensorMaps", "tensor-maps", "bool", "false",
           "Size for loads by bulk tensor copies where the GPU has them">,
    Option<"threads", "threads", "unsigned", "0",
           "Threads that share the sizes; 0: MLIR's. Changes no result">,
  ];
}

def PrismBindExtents : Pass<"prism-bind-extents", "::mlir::ModuleOp"> {
  let summary = "Give the extents of programs other values";
  let description = [{
    Binds the named extents of every program that declares them, or of `program`
    alone, to values or to `?`. What a search has found is over the names, and
    holds for any values (DESIGN: the sGraph is symbolic in the program's own
    extents): proved candidates stay proved and are not searched again. Sized
    candidates become mapped ones, each once, ready for
    `--prism-instantiate-params`.

    Fails if no program declares a name, if a value is below 1, or if a program
    is invoked on tensors of other static extents.
  }];
  let options = [
    ListOption<"extents", "extents", "std::string",
               "Bindings NAME=VALUE or NAME=?, separated by commas">,
    Option<"program", "program", "std::string", "\"\"",
           "The program to bind; empty: all that declare the names">,
  ];
  let dependentDialects = ["::prism::PrismDialect"];
}

def PrismGate : Pass<"prism-gate", "::mlir::ModuleOp"> {
  let summary = "Run the kernels of candidates and compare them with the program";
  let description = [{
    Lowers the first sized candidate of each program, on a clone, runs the PTX on
    the simulated device on seeded inputs and compares what it writes with the
    program in double precision (docs/gate.md). A remark says what ran; an error
    what was wrong. The verdict of a candidate is not looked at, nothing is
    changed. `prism-superoptimize` does this to what it is about to emit, and
    leaves a reproducer of what fails that runs this pass.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"sm_80\"",
           "The GPU: sm_80, sm_86, sm_89, sm_90a, sm_100a or sm_120a">,
    Option<"tensorMaps", "tensor-maps", "bool", "false",
           "Load by bulk tensor copies where the GPU has them">,
    Option<"seed", "seed", "uint64_t", "1",
           "Seed of the inputs and of the choice of blocks">,
    Option<"budgetSteps", "budget-steps", "uint64_t", "8000000",
           "Steps of the simulated device (one instruction of one warp) that a "
           "candidate may take, some runs apart">,
  ];
}

def PrismFormThreadGraphs : Pass<"prism-form-thread-graphs", "::prism::ProgramOp"> {
  let summary = "Form thread graphs from elementwise chains of block graphs";
  let description = [{
    Maximal chains of elementwise ops become `prism.thread_graph`s, whose
    intermediate values live in registers.
  }];
}

def PrismPrintGraphs : Pass<"prism-print-graphs", "::mlir::ModuleOp"> {
  let summary = "Draw candidates as Graphviz graphs";
  let description = [{
    Writes a digraph for the first candidate of each program, the cheapest after
    prism-instantiate-params: its kernels with their grid and loop dims, the ops of
    their block graphs with the extents of tiles, and the maps of loaders and
    savers. `dot -Tsvg` draws it.

    Example:
    ```
    prism-opt in.mlir --prism-superoptimize=emit=prism \
      --prism-print-graphs=file=graph.dot && dot -Tsvg graph.dot -o graph.svg
    ```
  }];
  let options = [
    Option<"file", "file", "std::string", "\"-\"",
           "Where to write; '-' is standard output">,
    Option<"all", "all", "bool", "false", "All candidates, not the first only">,
  ];
}

def PrismSuperoptimize : Pass<"prism-superoptimize", "::mlir::ModuleOp"> {
  let summary = "Find, prove, size and lower fused kernels for tensor programs";
  let description = [{
    The whole of Prism: import (through upstream's tosa lowering where there is
    tosa), partition, generate, instantiate maps, verify, instantiate
    parameters, lower. Functions keep their names, signatures, argument and
    result order. A function for which nothing is chosen is put back verbatim,
    and a remark at each region says why.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"sm_80\"",
           "The GPU: sm_80, sm_86, sm_89, sm_90a, sm_100a or sm_120a">,
    Option<"emit", "emit", "std::string", "\"gpu\"",
           "How far to lower: prism, gpu, ptx or cubin">,
    Option<"report", "report", "std::string", "\"\"",
           "Path of the JSON report">,
    Option<"package", "package", "std::string", "\"\"",
           "Folder for the kernels and their launch plan">,
    Option<"budgetSeconds", "budget-seconds", "double", "0",
           "Most seconds of search per program; 0: no limit">,
    Option<"budgetSteps", "budget-steps", "uint64_t", "0",
           "Most graphs grown per program; 0: no limit">,
    Option<"memoryMiB", "memory-mib", "uint64_t", "0",
           "Most MiB of search per program; 0: no limit">,
    Option<"measure", "measure", "std::string", "\"model\"",
           "How sizes are ranked: model, sim, gpu or file">,
    Option<"timings", "timings", "std::string", "\"\"",
           "JSON of measured times, with measure=file">,
    Option<"candidatePackages", "candidate-packages", "std::string", "\"\"",
           "Folder for a kernel package of each candidate that is kept, to be "
           "measured elsewhere">,
    Option<"tuningCache", "tuning-cache", "std::string", "\"\"",
           "SQLite file of results: what is in it is neither searched nor "
           "measured again">,
    Option<"keepBest", "keep-best", "unsigned", "8",
           "Sized candidates kept per program">,
    ListOption<"assumedExtents", "assumed-extents", "int64_t",
               "Dynamic extents are costed at the mean over these values; by "
               "default 1,8,64,512. Kernels are right for all">,
    Option<"gate", "gate", "bool", "true",
           "Run the chosen kernels on the simulated device before they are "
           "emitted">,
    Option<"gateSeed", "gate-seed", "uint64_t", "1",
           "Seed of the gate's inputs and of its choice of blocks">,
    Option<"gateSteps", "gate-steps", "uint64_t", "8000000",
           "Steps of the simulated device that the gate may take for a "
           "candidate, some runs apart">,
    Option<"gateReproducers", "gate-reproducers", "std::string", "\"\"",
           "Folder for reproducers of kernels that the gate refuses; empty: "
           "the current one">,
    Option<"gateFault", "gate-fault", "std::string", "\"\"",
           "For tests: FROM=TO, text that the gate finds changed in the PTX">,
    Option<"precision", "precision", "std::string", "\"relaxed\"",
           "relaxed or strict: whether casts may move">,
    Option<"allowTF32", "allow-tf32", "bool", "false",
           "Whether f32 products may use TF32 tensor cores, which take 11 bits "
           "of an operand">,
    Option<"keepProofs", "keep-proofs", "bool", "false",
           "Candidates carry their certificate">,
    Option<"maxKernels", "max-kernels", "unsigned", "2",
           "Most graph-defined kernels in a candidate">,
    Option<"maxBlockOps", "max-block-ops", "unsigned", "11",
           "Most ops in a block graph">,
    Option<"extraOps", "extra-ops", "unsigned", "1",
           "Ops beyond the fewest that reach the program">,
    Option<"maxGridDims", "max-grid-dims", "unsigned", "3",
           "Most grid dims of a kernel">,
    Option<"maxAccumulators", "max-accumulators", "unsigned", "3",
           "Most accumulators of a kernel">,
    Option<"maxTerms", "max-terms", "unsigned", "5",
           "Most terms of a sum, or factors, of which all orders are searched; "
           "more keep the program's; 0: no limit">,
    Option<"pruneShape", "prune-shape", "bool", "true",
           "Prune by symbolic dimension matching">,
    Option<"pruneExpression", "prune-expression", "bool", "true",
           "Prune by the expression oracle">,
    ListOption<"concreteMaps", "concrete-maps", "std::string",
           "For ablation: any of imap, fmap, omap, separated by '+'">,
    Option<"cutPrograms", "cut-programs", "bool", "true",
           "Cut programs into parts of at most max-block-ops ops where the "
           "whole gives no kernel, or a dearer one">,
    Option<"maxParts", "max-parts", "unsigned", "48",
           "Most parts of several ops searched per program">,
    Option<"maxPartContractions", "max-part-contractions", "unsigned", "3",
           "Most matrix products of one part">,
    Option<"partSteps", "part-steps", "uint64_t", "4096",
           "Most graphs grown in the search of one part; 0: no limit">,
    Option<"partSeconds", "part-seconds", "double", "0",
           "Most seconds of each stage of the search of one part; 0: no limit">,
    Option<"minCutGain", "min-cut-gain", "double", "0.1",
           "A cut must promise to be cheaper by this fraction">,
    Option<"explain", "explain", "std::string", "\"\"",
           "Path for each candidate's equalities from program to kernel">,
    Option<"explainPruning", "explain-pruning", "std::string", "\"\"",
           "Path of IR: which check drops each candidate there, as a remark">,
    Option<"threads", "threads", "unsigned", "0",
           "Threads of the search; 0: all cores. The result is the same">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::gpu::GPUDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
    "::prism::PrismDialect"];
}

#endif // PRISM_TRANSFORMS_PASSES_TD
