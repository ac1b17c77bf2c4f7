//===- ExplainPruning.cpp - Which check drops a graph ---------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Asks the checks of the search, one after the other, about one graph.
//
//===----------------------------------------------------------------------===//

#include "Prism/Search/ExplainPruning.h"
#include "GraphTrace.h"
#include "Prism/Search/Describe.h"
#include "Prism/Search/MapSolver.h"
#include "Prism/Search/NormalForm.h"
#include "Prism/Search/RangeSafety.h"
#include "Prism/Search/ShiftSoftmax.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace prism;

llvm::StringRef prism::stringifyPruningCheck(PruningCheck check) {
  switch (check) {
  case PruningCheck::Bounds:
    return "bounds";
  case PruningCheck::Expression:
    return "expression";
  case PruningCheck::Range:
    return "range";
  case PruningCheck::Shape:
    return "shape";
  case PruningCheck::Propagation:
    return "propagation";
  case PruningCheck::Resources:
    return "resources";
  case PruningCheck::Proof:
    return "proof";
  case PruningCheck::NormalForm:
    return "normal form";
  case PruningCheck::Kept:
    return "kept";
  case PruningCheck::NotReached:
    return "not reached";
  }
  llvm_unreachable("all checks are named");
}

PruningExplainer::PruningExplainer(ProgramOp original,
                                   const GenerateResult &generated,
                                   const ExplainOptions &options)
    : options(options), isComplete(generated.complete),
      program(cast<ProgramOp>(original->clone())) {
  auto add = [&](OwningOpRef<ProgramOp> owned, ProgramOp source) {
    if (sources.size() == generated.opBounds.size())
      return; // not searched
    std::optional<Oracle> saturated = buildSaturatedOracle(
        source, options.generate.forms.extraOps, options.generate.precision);
    sources.push_back(
        {std::move(owned), source,
         saturated ? std::move(*saturated)
                   : buildProgramOracle(source, options.generate.precision),
         generated.opBounds[sources.size()]});
  };
  add({}, *program);
  if (OwningOpRef<ProgramOp> shifted = shiftSoftmax(*program)) {
    ProgramOp source = *shifted;
    add(std::move(shifted), source);
  }
  isComplete &= instantiateMaps(*program, options.maps).complete;
  for (CandidateOp candidate : program->getCandidateOps())
    if (candidate.getState() == CandidateState::Mapped)
      kept.insert({getNormalForm(candidate),
                   {candidate.getId().str(), describeCandidate(candidate),
                    getFormCost(candidate).front()}});
}

PruningExplanation PruningExplainer::explain(CandidateOp graph) {
  if (sources.empty())
    return {PruningCheck::NotReached, graph.getLoc(),
            "the program is not searched"};
  OpBuilder builder(program->getContext());
  builder.setInsertionPointToEnd(&program->getOrCreateCandidateBlock());
  auto copy = cast<CandidateOp>(builder.clone(*graph));
  PruningExplanation explanation = copy.getState() == CandidateState::Symbolic
                                       ? explainSymbolic(copy)
                                       : explainMapped(copy);
  copy.erase();
  return explanation;
}

/// Of two explanations the one that came further; the first if neither did.
static void keepFurther(PruningExplanation &best, PruningExplanation other) {
  // What was kept is furthest, then what is kept in other words.
  auto getRank = [](PruningCheck check) {
    if (check == PruningCheck::NotReached)
      return 2 * static_cast<int>(PruningCheck::NormalForm) - 1;
    return 2 * static_cast<int>(check);
  };
  if (getRank(other.check) > getRank(best.check))
    best = std::move(other);
}

PruningExplanation PruningExplainer::explainSymbolic(CandidateOp graph) {
  // What does not depend on maps is asked first: there may be none.
  auto alone = cast<ProgramOp>((*program)->clone());
  OwningOpRef<ProgramOp> owner = alone;
  for (CandidateOp candidate : alone.getCandidateOps())
    candidate.erase();
  OpBuilder builder(alone.getContext());
  builder.setInsertionPointToEnd(&alone.getOrCreateCandidateBlock());
  builder.clone(*graph);
  InstantiateOptions all = options.maps;
  all.keepAll = true;
  all.target = nullptr; // asked about by explainMapped
  InstantiateResult result = instantiateMaps(alone, all);
  std::optional<PruningExplanation> best;
  unsigned numKept = 0, numMapped = 0;
  for (CandidateOp instance : alone.getCandidateOps()) {
    if (instance.getState() != CandidateState::Mapped)
      break;
    PruningExplanation one = explainMapped(instance);
    ++numMapped;
    numKept += one.check == PruningCheck::Kept;
    if (best)
      keepFurther(*best, std::move(one));
    else
      best = std::move(one);
  }
  if (best) {
    best->why = llvm::formatv("{0} ({1} of its {2} mapped graphs are kept)",
                              best->why, numKept, numMapped);
    return *best;
  }
  PruningExplanation form = explainForm(graph, sources.front());
  for (Source &source : llvm::drop_begin(sources))
    keepFurther(form, explainForm(graph, source));
  if (form.isDropped())
    return form;
  return {PruningCheck::Shape, graph.getLoc(),
          llvm::formatv(
              "no assignment of its mapping variables is right: {0} of one "
              "parallel dim are ruled out by equations (1) and (2), by the "
              "equalities or by propagation{1}{2}",
              result.prunedByShape, result.reason.empty() ? "" : "; ",
              result.reason)};
}

PruningExplanation PruningExplainer::explainMapped(CandidateOp graph) {
  PruningExplanation form = explainForm(graph, sources.front());
  for (Source &source : llvm::drop_begin(sources))
    keepFurther(form, explainForm(graph, source));
  if (form.isDropped())
    return form;
  if (std::optional<PruningExplanation> failure = checkMaps(graph))
    return *failure;
  if (options.maps.target)
    if (std::string why = findExceededResource(graph, *options.maps.target);
        !why.empty())
      return {PruningCheck::Resources, graph.getLoc(), why};
  if (options.whyNoProof)
    if (std::string why = options.whyNoProof(*program, graph); !why.empty())
      return {PruningCheck::Proof, graph.getLoc(), why};
  PruningExplanation found = compare(graph);
  // `form` may know why no candidate is like it.
  if (found.check == PruningCheck::NotReached && !form.why.empty())
    return form;
  return found;
}

/// Bounds, expression and range. NotReached: none of them.
PruningExplanation PruningExplainer::explainForm(CandidateOp graph,
                                                 Source &source) {
  GraphTrace trace = traceGraph(graph, source.oracle);
  if (auto failure = checkBounds(graph, source, trace.numOps))
    return *failure;
  if (trace.unknown)
    return {PruningCheck::Expression, trace.unknown->getLoc(),
            trace.whyUnknown};
  if (options.generate.filterRange) {
    RangeSafety range(source.program, source.oracle);
    if (std::optional<unsigned> node = range.findUnsafe(trace.form)) {
      Operation *op = trace.ops[*node];
      return {PruningCheck::Range, op->getLoc(),
              llvm::formatv("the value of '{0}' may overflow where the "
                            "program does not",
                            op->getName().getStringRef())};
    }
  }
  if (trace.second)
    return {PruningCheck::NotReached, trace.second->getLoc(),
            llvm::formatv("'{0}' computes what '{1}' has computed before; one "
                          "of them is enough",
                          trace.second->getName().getStringRef(),
                          trace.first->getName().getStringRef())};
  return {PruningCheck::NotReached, graph.getLoc(), ""};
}

/// The first kernel with too many of something.
static std::optional<PruningExplanation>
checkKernel(KernelOp kernel, const GenerateOptions &options) {
  auto exceeds = [&](Operation *op, unsigned have, StringRef what,
                     StringRef option, unsigned most) {
    return PruningExplanation{
        PruningCheck::Bounds, op->getLoc(),
        llvm::formatv("{0} {1}, {2} allows {3}", have, what, option, most)};
  };
  unsigned gridDims =
      llvm::count_if(kernel.getParallelDims(), [](ParallelDimAttr dim) {
        return dim.getKind() == ParallelKind::Grid;
      });
  if (gridDims > options.kernels.maxGridDims)
    return exceeds(kernel, gridDims, "grid dims", "max-grid-dims",
                   options.kernels.maxGridDims);
  bool writesPartials =
      llvm::any_of(kernel.getBodyBlock().getOps<SaveOp>(),
                   [](SaveOp save) { return !save.getPartials().empty(); });
  unsigned accumulators = 0;
  for (Operation &op : kernel.getBodyBlock()) {
    if (isa<ThreadGraphOp>(op))
      return PruningExplanation{PruningCheck::Bounds, op.getLoc(),
                                "thread graphs are formed after the search"};
    auto accumulate = dyn_cast<AccumulateOp>(op);
    // The maxima of partial results come with the sums that they shift.
    if (!accumulate ||
        (writesPartials && accumulate.getKind() == AccumulatorKind::Max))
      continue;
    if (++accumulators > options.loops.maxAccumulators)
      return exceeds(&op, accumulators, "accumulators", "max-accumulators",
                     options.loops.maxAccumulators);
  }
  return std::nullopt;
}

std::optional<PruningExplanation>
PruningExplainer::checkBounds(CandidateOp graph, const Source &source,
                              unsigned numOps) const {
  const GenerateOptions &bounds = options.generate;
  auto fail = [](Operation *op, std::string why) {
    return PruningExplanation{PruningCheck::Bounds, op->getLoc(),
                              std::move(why)};
  };
  unsigned kernels = 0;
  bool writesPartials = false;
  for (Operation &op : graph.getBodyBlock().without_terminator()) {
    auto kernel = dyn_cast<KernelOp>(op);
    if (!kernel) {
      if (!isa<CastOp, ConstantOp, MatmulOp>(op))
        return fail(&op, llvm::formatv("'{0}' is not left to a library, only "
                                       "products of arguments are",
                                       op.getName().getStringRef()));
      continue;
    }
    if (++kernels > bounds.maxKernels)
      return fail(&op, llvm::formatv("{0} kernels, max-kernels allows {1}",
                                     kernels, bounds.maxKernels));
    if (auto failure = checkKernel(kernel, bounds))
      return failure;
    for (auto save : kernel.getBodyBlock().getOps<SaveOp>())
      writesPartials |= !save.getPartials().empty();
  }
  if (numOps > source.bounds.most)
    return fail(graph,
                llvm::formatv("{0} ops, the bound is {1}: the fewest are {2}, "
                              "extra-ops is {3}, max-block-ops {4}",
                              numOps, source.bounds.most,
                              source.bounds.fewest
                                  ? std::to_string(*source.bounds.fewest)
                                  : "not known",
                              bounds.forms.extraOps, bounds.forms.maxOps));
  if (kernels > 1 && !writesPartials && source.bounds.fewest &&
      numOps > *source.bounds.fewest)
    return fail(graph, llvm::formatv("{0} ops in {1} kernels: only forms with "
                                     "the fewest ops, {2}, are cut",
                                     numOps, kernels, *source.bounds.fewest));
  return std::nullopt;
}

std::optional<PruningExplanation>
PruningExplainer::checkMaps(CandidateOp graph) const {
  for (auto kernel : graph.getBodyBlock().getOps<KernelOp>())
    if (std::optional<MapFailure> failure = findMapFailure(kernel))
      return PruningExplanation{failure->isShape ? PruningCheck::Shape
                                                 : PruningCheck::Propagation,
                                failure->op->getLoc(), failure->why};
  return std::nullopt;
}

/// What became of a graph that no check drops.
PruningExplanation PruningExplainer::compare(CandidateOp graph) const {
  auto it = kept.find(getNormalForm(graph));
  if (it == kept.end())
    return {PruningCheck::NotReached, graph.getLoc(),
            isComplete
                ? "no check drops it, but no candidate is like it: a kernel "
                  "without a grid dim, or one of several with fewer grid dims "
                  "than it could have, is not searched "
                  "(docs/search-space.md)"
                : "a budget ended the search before it came up"};
  const Kept &candidate = it->second;
  if (candidate.description == describeCandidate(graph))
    return {PruningCheck::Kept, graph.getLoc(), "as candidate " + candidate.id};
  return {PruningCheck::NormalForm, graph.getLoc(),
          llvm::formatv("kept as candidate {0}, which is the same kernel in "
                        "{1} ops; this has {2}",
                        candidate.id, candidate.numOps,
                        getFormCost(graph).front())};
}
