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
  }];
  let options = [
    Option<"maxRegionOps", "max-region-ops", "unsigned", "64",
           "Largest number of compute ops in one program">,
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
    Option<"pruneShape", "prune-shape", "bool", "true",
           "Prune by symbolic dimension matching">,
    Option<"pruneExpression", "prune-expression", "bool", "true",
           "Prune by the expression oracle">,
    Option<"cutForms", "cut-forms", "bool", "true",
           "Also compute a part of the fewest ops by a kernel of its own">,
    Option<"shiftSoftmax", "shift-softmax", "bool", "true",
           "Also search exp(x) / sum exp(x) shifted by the maximum of x">,
    Option<"filterRange", "filter-range", "bool", "true",
           "Drop graphs that may overflow where the program does not">,
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
    Option<"explain", "explain", "std::string", "\"\"",
           "Path for each proved candidate's equalities from program to "
           "kernel; with several programs, one file each, PATH.NAME">,
    Option<"keepAll", "keep-all", "bool", "false",
           "Keep all mapped graphs, not the cheapest of each normal form">,
    Option<"paperBounds", "paper-bounds", "bool", "false",
           "Count unique graphs as the paper does (docs/search-space.md)">,
    Option<"target", "target", "std::string", "\"\"",
           "The GPU for which mapped graphs are kept that can fit it; none: all">,
    Option<"describe", "describe", "bool", "false",
           "Emit a remark for each mapped graph: its expression and maps in "
           "one line">,
    Option<"budgetSeconds", "budget-seconds", "double", "0",
           "Most seconds per program; 0: no limit">,
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
           "Most seconds per program, once one is proved; 0: no limit">,
  ];
}

def PrismInstantiateParams : Pass<"prism-instantiate-params", "::prism::ProgramOp"> {
  let summary = "Choose tile extents for proved candidates by the cost model";
  let description = [{
    Replaces mapped candidates by the `keep-best` cheapest sized ones, cheapest
    first, each with its modelled cost in microseconds.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"sm_80\"",
           "The GPU: sm_80, sm_86, sm_89, sm_90a, sm_100a or sm_120a">,
    Option<"keepBest", "keep-best", "unsigned", "8",
           "Sized candidates kept">,
  ];
}

def PrismFormThreadGraphs : Pass<"prism-form-thread-graphs", "::prism::ProgramOp"> {
  let summary = "Form thread graphs from elementwise chains of block graphs";
  let description = [{
    Maximal chains of elementwise ops become `prism.thread_graph`s, whose
    intermediate values live in registers.
  }];
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
    Option<"keepBest", "keep-best", "unsigned", "8",
           "Sized candidates kept per program">,
    Option<"gate", "gate", "bool", "true",
           "Run the chosen kernels on the simulated device before they are "
           "emitted">,
    Option<"precision", "precision", "std::string", "\"relaxed\"",
           "relaxed or strict: whether casts may move">,
    Option<"allowTF32", "allow-tf32", "bool", "false",
           "Whether f32 products may use TF32 tensor cores">,
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
    Option<"pruneShape", "prune-shape", "bool", "true",
           "Prune by symbolic dimension matching">,
    Option<"pruneExpression", "prune-expression", "bool", "true",
           "Prune by the expression oracle">,
    ListOption<"concreteMaps", "concrete-maps", "std::string",
           "For ablation: any of imap, fmap, omap">,
    Option<"explain", "explain", "std::string", "\"\"",
           "Path for each candidate's equalities from program to kernel">,
    Option<"explainPruning", "explain-pruning", "std::string", "\"\"",
           "A graph, as in the report: which check drops it">,
    Option<"threads", "threads", "unsigned", "0",
           "Threads of the search; 0: all cores">,
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
