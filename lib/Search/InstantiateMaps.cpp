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

#include "Prism/Dialect/Parallel.h"
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
        builder.getArrayAttr({}), inputs, /*threads=*/IntegerAttr(),
        /*stages=*/IntegerAttr());
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

/// The instance, in no block.
static CandidateOp createInstance(CandidateOp candidate,
                                  ArrayRef<MapAssignment> assignments) {
  CandidateOp instance = candidate.cloneWithoutRegions();
  instance.setState(CandidateState::Mapped);
  Block &body = instance.getBody().emplaceBlock();
  IRMapping mapping;
  for (BlockArgument argument : candidate.getBodyBlock().getArguments())
    mapping.map(argument,
                body.addArgument(argument.getType(), argument.getLoc()));
  OpBuilder builder = OpBuilder::atBlockEnd(&body);
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

CandidateOp prism::instantiateCandidate(CandidateOp candidate,
                                        ArrayRef<MapAssignment> assignments) {
  CandidateOp instance = createInstance(candidate, assignments);
  OpBuilder(candidate).insert(instance);
  return instance;
}

namespace {

/// A mapped candidate in no block, and what it is compared by.
struct Instance {
  CandidateOp op;
  std::string graph, normalForm;
  SmallVector<unsigned> cost;
};

/// What one symbolic candidate gives.
struct Instances {
  std::vector<Instance> instances;
  uint64_t pruned = 0;
  std::string error;      ///< why it stays symbolic
  bool isComplete = true; ///< the budget did not end it
};

/// The mapped instances of one symbolic candidate. Changes no other IR.
class CandidateInstances {
public:
  /// At least one instance is made, whatever the budget, if `atLeastOne`.
  CandidateInstances(CandidateOp candidate, const InstantiateOptions &options,
                     const Budget &budget, bool atLeastOne)
      : candidate(candidate), options(options), budget(budget),
        atLeastOne(atLeastOne),
        kernels(candidate.getBodyBlock().getOps<KernelOp>()) {}

  Instances run() {
    if (isPast())
      return std::move(result);
    std::vector<std::vector<MapAssignment>> solved;
    for (KernelOp kernel : kernels) {
      MapSolverResult one = solveMaps(
          kernel, options, /*onlyLargest=*/kernels.size() > 1, &budget);
      result.pruned += one.pruned;
      result.isComplete &= one.isComplete;
      if (!one.error.empty()) {
        result.error = llvm::formatv("candidate {0} stays symbolic: {1}",
                                     candidate.getId(), one.error);
        return std::move(result);
      }
      solved.push_back(std::move(one.assignments));
    }
    SmallVector<MapAssignment> chosen;
    addInstances(solved, chosen);
    return std::move(result);
  }

private:
  /// Whether the budget ends it here.
  bool isPast() {
    if ((atLeastOne && result.instances.empty()) || !budget.isPast())
      return false;
    result.isComplete = false;
    return true;
  }

  /// Every choice of one assignment for each kernel. The solver's order is by
  /// number of dims, so the simplest come first.
  void addInstances(ArrayRef<std::vector<MapAssignment>> solved,
                    SmallVectorImpl<MapAssignment> &chosen) {
    if (chosen.size() == kernels.size())
      return addInstance(chosen);
    for (const MapAssignment &assignment : solved[chosen.size()]) {
      if (isPast())
        return;
      chosen.push_back(assignment);
      addInstances(solved, chosen);
      chosen.pop_back();
    }
  }

  void addInstance(ArrayRef<MapAssignment> assignments) {
    CandidateOp instance = createInstance(candidate, assignments);
    result.instances.push_back({instance, describeCandidate(instance),
                                getNormalForm(instance),
                                getFormCost(instance)});
  }

  CandidateOp candidate;
  const InstantiateOptions &options;
  const Budget &budget;
  bool atLeastOne;
  SmallVector<KernelOp> kernels;
  Instances result;
};

/// Replaces the symbolic candidates of one program.
class Instantiation {
public:
  Instantiation(ProgramOp program, const InstantiateOptions &options)
      : program(program), options(options),
        budget(/*steps=*/0, options.budgetSeconds, options.memoryMiB,
               getSearchMonitor(program.getContext())) {}

  InstantiateResult run() {
    SmallVector<CandidateOp> symbolic;
    for (CandidateOp candidate : program.getCandidateOps())
      if (candidate.getState() == CandidateState::Symbolic)
        symbolic.push_back(candidate);
    if (symbolic.empty() && !program.getCandidateOps().empty()) {
      result.reason = "no candidate is symbolic";
      return std::move(result);
    }
    std::set<std::string> before;
    for (CandidateOp candidate : program.getCandidateOps())
      if (candidate.getState() != CandidateState::Symbolic)
        before.insert(describeCandidate(candidate));
    std::vector<Instances> made(symbolic.size());
    parallelFor(program.getContext(), options.threads, symbolic.size(),
                [&](size_t index) {
                  made[index] = CandidateInstances(symbolic[index], options,
                                                   budget, index == 0)
                                    .run();
                });
    for (auto [candidate, instances] : llvm::zip_equal(symbolic, made))
      replace(candidate, std::move(instances), before);
    budget.poll(); // for the monitor's sake
    keepOnePerNormalForm();
    if (options.target)
      pruneByResources();
    renumber();
    return std::move(result);
  }

private:
  /// Puts the instances in the place of the candidate, but for those of
  /// `before`.
  void replace(CandidateOp candidate, Instances made,
               const std::set<std::string> &before) {
    result.prunedByShape += made.pruned;
    result.complete &= made.isComplete;
    if (!made.error.empty()) {
      result.reason = std::move(made.error);
      return;
    }
    OpBuilder builder(candidate);
    for (Instance &instance : made.instances) {
      if (before.count(instance.graph)) { // stands there, mapped
        instance.op->destroy();
        continue;
      }
      builder.insert(instance.op);
      ++result.mappings;
      instances.push_back(std::move(instance));
    }
    candidate.erase();
  }

  void keepOnePerNormalForm() {
    if (options.paperBounds)
      result.uniqueGraphs = countPaperGraphs(llvm::map_to_vector(
          instances, [](const Instance &instance) { return instance.op; }));
    std::set<std::string> graphs;
    std::map<std::string, Instance *> kept;
    for (Instance &instance : instances) {
      graphs.insert(instance.graph);
      auto [it, isNew] = kept.insert({instance.normalForm, &instance});
      if (isNew || options.keepAll)
        continue;
      Instance *dropped = &instance;
      if (instance.cost < it->second->cost)
        std::swap(dropped, it->second);
      dropped->op.erase();
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
  std::vector<Instance> instances;
  InstantiateResult result;
};

} // namespace

InstantiateResult prism::instantiateMaps(ProgramOp program,
                                         const InstantiateOptions &options) {
  return Instantiation(program, options).run();
}
