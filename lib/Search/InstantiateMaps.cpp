//===- InstantiateMaps.cpp - Mapped instances of candidates ---------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes each assignment that the solver finds as a mapped candidate: unused
// grid dims are gone, the used ones are x, y, z, ..., every type says exactly
// what is split, and loaders that came out equal are one.
//
//===----------------------------------------------------------------------===//

#include "Prism/Search/Budget.h"
#include "Prism/Search/Describe.h"
#include "Prism/Search/MapSolver.h"
#include "Prism/Search/NormalForm.h"
#include "Prism/Search/PaperCount.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>
#include <set>

using namespace mlir;
using namespace prism;

namespace {

/// Builds one instance of a kernel.
class KernelInstance {
public:
  KernelInstance(OpBuilder &builder, KernelOp kernel,
                 const MapAssignment &assignment)
      : builder(builder), kernel(kernel), assignment(assignment),
        constraints(getMappingConstraints(
            cast<GraphOpInterface>(kernel.getOperation()))) {
    SmallVector<ParallelDimAttr> dims = kernel.getParallelDims();
    unsigned numGridDims = 0;
    for (const DimAssignment &dim : assignment) {
      ParallelDimAttr old = dims[dim.parallelDim];
      // Extents of later kernels name the dim of partial results.
      bool keepsName = old.getKind() == ParallelKind::Loop ||
                       old.getName() == getSplitDimName();
      newNames[old.getName()] =
          keepsName ? old.getName().str() : getGridDimName(numGridDims++);
    }
    collectValues(dims);
  }

  KernelOp build(ValueRange inputs) {
    SmallVector<Attribute> parallel;
    for (const DimAssignment &dim : assignment) {
      ParallelDimAttr old = kernel.getParallelDims()[dim.parallelDim];
      parallel.push_back(ParallelDimAttr::get(builder.getContext(),
                                              newNames.lookup(old.getName()),
                                              old.getKind(), old.getTile()));
    }
    auto result = KernelOp::create(
        builder, kernel.getLoc(), kernel.getResultTypes(),
        kernel.getGraphNameAttr(), builder.getArrayAttr(parallel),
        builder.getArrayAttr({}), inputs);
    Block &body = result.getBody().emplaceBlock();
    IRMapping mapping;
    for (BlockArgument argument : kernel.getBodyBlock().getArguments())
      mapping.map(argument,
                  body.addArgument(argument.getType(), argument.getLoc()));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&body);
    for (Operation &op : kernel.getBodyBlock())
      instantiate(op, body, mapping);
    return result;
  }

private:
  /// What the assignment makes of each variable.
  void collectValues(ArrayRef<ParallelDimAttr> dims) {
    unsigned site = 0;
    for (Operation &op : kernel.getBodyBlock()) {
      auto map = op.getAttrOfType<MapAttr>("map");
      if (!map)
        continue;
      for (auto [dataDim, splits] : llvm::enumerate(map.getValue()))
        for (const Split &split : splits)
          if (split.variable)
            for (const DimAssignment &dim : assignment)
              if (dims[dim.parallelDim].getName() == split.dim &&
                  dim.splits[site] == dataDim)
                isSplit.insert(
                    constraints.lookup(MapTerm::variable(*split.variable))
                        .value);
      ++site;
    }
  }

  std::optional<Split> rewrite(const Split &split) const {
    std::optional<Split> known = constraints.simplify(split);
    if (!known || (known->variable && !isSplit.contains(*known->variable)))
      return std::nullopt;
    return Split{newNames.lookup(split.dim), std::nullopt};
  }

  Type rewrite(Type type) const {
    auto tile = dyn_cast<TileType>(type);
    if (!tile)
      return type;
    SmallVector<DimExpr> extents =
        llvm::map_to_vector(tile.getExtents(), [&](const DimExpr &extent) {
          return extent.replaceSplits(
              [&](const Split &split) { return rewrite(split); });
        });
    return TileType::get(tile.getContext(), extents, tile.getElementType());
  }

  MapAttr rewrite(MapAttr map) const {
    Mapping mapping;
    for (const auto &splits : map.getValue()) {
      auto &kept = mapping.emplace_back();
      for (const Split &split : splits)
        if (std::optional<Split> known = rewrite(split))
          kept.push_back(*known);
    }
    return MapAttr::get(map.getContext(), mapping);
  }

  void instantiate(Operation &op, Block &body, IRMapping &mapping) {
    Operation *clone = builder.clone(op, mapping);
    for (OpResult result : clone->getResults())
      result.setType(rewrite(result.getType()));
    if (auto map = clone->getAttrOfType<MapAttr>("map"))
      clone->setAttr("map", rewrite(map));
    if (auto accumulate = dyn_cast<AccumulateOp>(clone))
      accumulate.setOver(newNames.lookup(accumulate.getOver()));
    if (clone->getNumResults() != 1)
      return;
    // Loaders of one tensor may have got the same map.
    for (Operation &other : body) {
      if (&other == clone)
        break;
      if (!OperationEquivalence::isEquivalentTo(
              clone, &other, OperationEquivalence::IgnoreLocations))
        continue;
      mapping.map(op.getResult(0), other.getResult(0));
      clone->erase();
      return;
    }
  }

  OpBuilder &builder;
  KernelOp kernel;
  const MapAssignment &assignment;
  MappingConstraints constraints;
  llvm::StringMap<std::string> newNames;
  llvm::DenseSet<unsigned> isSplit; ///< least variables that are 1
};

} // namespace

CandidateOp prism::instantiateCandidate(CandidateOp candidate,
                                        ArrayRef<MapAssignment> assignments) {
  OpBuilder builder(candidate);
  CandidateOp instance = candidate.cloneWithoutRegions();
  builder.insert(instance);
  instance.setState(CandidateState::Mapped);
  Block &body = instance.getBody().emplaceBlock();
  IRMapping mapping;
  for (BlockArgument argument : candidate.getBodyBlock().getArguments())
    mapping.map(argument,
                body.addArgument(argument.getType(), argument.getLoc()));
  builder.setInsertionPointToEnd(&body);
  const MapAssignment *assignment = assignments.begin();
  for (Operation &op : candidate.getBodyBlock()) {
    auto kernel = dyn_cast<KernelOp>(op);
    if (!kernel) {
      builder.clone(op, mapping);
      continue;
    }
    SmallVector<Value> inputs = llvm::map_to_vector(
        kernel.getInputs(), [&](Value value) { return mapping.lookup(value); });
    KernelOp newKernel =
        KernelInstance(builder, kernel, *assignment++).build(inputs);
    mapping.map(kernel.getResults(), newKernel.getResults());
  }
  return instance;
}

namespace {
/// Replaces the symbolic candidates of one program.
class Instantiation {
public:
  Instantiation(ProgramOp program, const InstantiateOptions &options)
      : program(program), options(options),
        // Comparing the instances takes about as long as making them.
        budget(/*steps=*/0, options.budgetSeconds / 2, /*memoryMiB=*/0) {}

  InstantiateResult run() {
    for (CandidateOp candidate : program.getCandidateOps())
      if (candidate.getState() == CandidateState::Symbolic)
        instantiate(candidate);
    keepOnePerNormalForm();
    if (options.target)
      pruneByResources();
    renumber();
    result.complete = !budget.isExhausted();
    return std::move(result);
  }

private:
  void instantiate(CandidateOp candidate) {
    auto kernels = llvm::to_vector(candidate.getBodyBlock().getOps<KernelOp>());
    std::vector<std::vector<MapAssignment>> solved;
    for (KernelOp kernel : kernels) {
      MapSolverResult one =
          solveMaps(kernel, options, /*onlyLargest=*/kernels.size() > 1);
      result.prunedByShape += one.pruned;
      if (!one.error.empty()) {
        result.reason = llvm::formatv("candidate {0} stays symbolic: {1}",
                                      candidate.getId(), one.error);
        return;
      }
      solved.push_back(std::move(one.assignments));
    }
    SmallVector<MapAssignment> chosen;
    addInstances(candidate, kernels, solved, chosen);
    candidate.erase();
  }

  /// Every choice of one assignment for each kernel. The solver's order is by
  /// number of dims, so the simplest come first.
  void addInstances(CandidateOp candidate, ArrayRef<KernelOp> kernels,
                    ArrayRef<std::vector<MapAssignment>> solved,
                    SmallVectorImpl<MapAssignment> &chosen) {
    if (chosen.size() == kernels.size()) {
      addInstance(candidate, chosen);
      hasTime = budget.largeStep();
      return;
    }
    for (const MapAssignment &assignment : solved[chosen.size()]) {
      if (!hasTime)
        return;
      chosen.push_back(assignment);
      addInstances(candidate, kernels, solved, chosen);
      chosen.pop_back();
    }
  }

  void addInstance(CandidateOp candidate, ArrayRef<MapAssignment> assignments) {
    instances.push_back(instantiateCandidate(candidate, assignments));
    ++result.mappings;
  }

  void keepOnePerNormalForm() {
    if (options.paperBounds)
      result.uniqueGraphs = countPaperGraphs(instances);
    std::set<std::string> graphs;
    std::map<std::string, CandidateOp> kept;
    for (CandidateOp instance : instances) {
      graphs.insert(describeCandidate(instance));
      auto [it, isNew] = kept.insert({getNormalForm(instance), instance});
      if (isNew || options.keepAll)
        continue;
      CandidateOp dropped = instance;
      if (getFormCost(instance) < getFormCost(it->second))
        std::swap(dropped, it->second);
      dropped.erase();
    }
    if (!options.paperBounds)
      result.uniqueGraphs = graphs.size();
    result.uniqueNormalized = kept.size();
  }

  /// Drops what cannot fit the target.
  void pruneByResources() {
    for (CandidateOp candidate : program.getCandidateOps()) {
      if (candidate.getState() != CandidateState::Mapped)
        continue;
      std::string why = findExceededResource(candidate, *options.target);
      if (why.empty())
        continue;
      ++result.prunedByResources;
      if (result.prunedByResources == result.uniqueNormalized)
        result.reason = "no candidate fits: " + why;
      candidate.erase();
    }
  }

  /// NAME_0, NAME_1, ... in order.
  void renumber() {
    unsigned index = 0;
    for (CandidateOp candidate : program.getCandidateOps())
      candidate.setId((program.getSymName() + "_" + Twine(index++)).str());
  }

  ProgramOp program;
  const InstantiateOptions &options;
  Budget budget;
  bool hasTime = true;
  SmallVector<CandidateOp> instances;
  InstantiateResult result;
};

} // namespace

InstantiateResult prism::instantiateMaps(ProgramOp program,
                                         const InstantiateOptions &options) {
  return Instantiation(program, options).run();
}
