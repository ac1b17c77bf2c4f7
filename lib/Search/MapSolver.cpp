//===- MapSolver.cpp - Assignments of mapping variables -------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Solves each parallel dim by itself, then combines: every set of grid dims
// that splits no data dim twice (equation (2)), in one order, with every loop.
//
//===----------------------------------------------------------------------===//

#include "Prism/Search/MapSolver.h"
#include "Prism/Search/Propagation.h"

using namespace mlir;
using namespace prism;

namespace {

/// m[T, d, p] of one loader or saver T.
struct Entry {
  unsigned site; ///< index of the loader or saver
  unsigned dataDim;
  unsigned unknown; ///< least variable of its class
};

/// What is decided together: the entries of one class.
struct Unit {
  SmallVector<Entry> entries;
  DimExpr extent;
  bool isKnown = false; ///< known to be 1
};

class MapSolver {
public:
  MapSolver(KernelOp kernel, const InstantiateOptions &options)
      : kernel(kernel), options(options),
        constraints(getMappingConstraints(
            cast<GraphOpInterface>(kernel.getOperation()))),
        parallelDims(kernel.getParallelDims()) {
    for (Operation &op : kernel.getBodyBlock())
      if (isa<LoadOp, SaveOp>(op))
        sites.push_back(&op);
  }

  MapSolverResult run() {
    checkForm();
    if (!result.error.empty())
      return std::move(result);
    for (unsigned p = 0; p < parallelDims.size(); ++p)
      solveDim(p);
    combine();
    return std::move(result);
  }

private:
  bool isLoop(unsigned p) const {
    return parallelDims[p].getKind() == ParallelKind::Loop;
  }
  bool isSave(unsigned site) const { return isa<SaveOp>(sites[site]); }
  Mapping getMapping(unsigned site) const {
    return sites[site]->getAttrOfType<MapAttr>("map").getValue();
  }
  SmallVector<DimExpr> getWholeExtents(unsigned site) const {
    return prism::getExtents(isSave(site)
                                 ? sites[site]->getResult(0).getType()
                                 : sites[site]->getOperand(0).getType());
  }

  /// What the solver does not handle.
  void checkForm() {
    for (Operation &op : kernel.getBodyBlock().without_terminator()) {
      if (isa<ThreadGraphOp>(op))
        result.error = "it has thread graphs already";
      auto accumulate = dyn_cast<AccumulateOp>(op);
      if (accumulate && accumulate.getKind() != AccumulatorKind::Sum)
        result.error = "only sum accumulators are solved";
      auto save = dyn_cast<SaveOp>(op);
      if (save && !save.getPartials().empty())
        result.error = "partial results are not solved";
    }
  }

  //===--- One parallel dim -----------------------------------------------===//

  bool isConcrete(unsigned site, unsigned p) const {
    if (isSave(site))
      return options.concreteOmap;
    return isLoop(p) ? options.concreteFmap : options.concreteImap;
  }

  /// The units of parallel dim `p`, those that stand in savers first.
  SmallVector<Unit> getUnits(unsigned p) const {
    SmallVector<Unit> units;
    auto add = [&](Entry entry, const DimExpr &extent, bool isKnown) {
      if (!isConcrete(entry.site, p))
        for (Unit &unit : units)
          if (unit.isKnown == isKnown && unit.extent == extent &&
              unit.entries.front().unknown == entry.unknown &&
              !isConcrete(unit.entries.front().site, p)) {
            unit.entries.push_back(entry);
            return;
          }
      units.push_back({{entry}, extent, isKnown});
    };
    auto visitSite = [&](unsigned site) {
      SmallVector<DimExpr> extents = getWholeExtents(site);
      for (auto [dim, splits] : llvm::enumerate(getMapping(site)))
        for (const Split &split : splits) {
          std::optional<Split> known = constraints.simplify(split);
          if (!known || split.dim != parallelDims[p].getName())
            continue;
          add({site, static_cast<unsigned>(dim), known->variable.value_or(0)},
              extents[dim], !known->variable);
        }
    };
    for (unsigned site = 0; site < sites.size(); ++site)
      if (isSave(site))
        visitSite(site);
    for (unsigned site = 0; site < sites.size(); ++site)
      if (!isSave(site))
        visitSite(site);
    return units;
  }

  void solveDim(unsigned p) {
    DimAssignment assignment{p, {}};
    assignment.splits.resize(sites.size());
    SmallVector<Unit> units = getUnits(p);
    bool isForced =
        llvm::any_of(units, [](const Unit &unit) { return unit.isKnown; });
    forced.push_back(isForced);
    solutions.emplace_back();
    decide(units, 0, DimExpr(), assignment);
  }

  void decide(ArrayRef<Unit> units, unsigned index, DimExpr extent,
              DimAssignment &assignment) {
    if (index == units.size()) {
      if (extent.isUnknown())
        return; // splits nothing: not used
      if (isRight(assignment, units))
        solutions.back().push_back(assignment);
      else
        ++result.pruned;
      return;
    }
    const Unit &unit = units[index];
    if (!unit.isKnown)
      decide(units, index + 1, extent, assignment);
    if (!extent.isUnknown() && extent != unit.extent)
      return;
    DimAssignment next = assignment;
    for (const Entry &entry : unit.entries) {
      if (next.splits[entry.site]) { // equation (1)
        ++result.pruned;
        return;
      }
      next.splits[entry.site] = entry.dataDim;
    }
    decide(units, index + 1, unit.extent, next);
  }

  bool isRight(const DimAssignment &assignment, ArrayRef<Unit> units) {
    bool loop = isLoop(assignment.parallelDim);
    for (unsigned site = 0; site < sites.size(); ++site)
      if (isSave(site) && !loop && !assignment.splits[site])
        return false;
    return satisfiesEqualities(assignment, units) && propagates(assignment);
  }

  /// Trivial unless some maps are concrete.
  bool satisfiesEqualities(const DimAssignment &assignment,
                           ArrayRef<Unit> units) const {
    llvm::DenseMap<unsigned, bool> values;
    for (const Unit &unit : units)
      for (const Entry &entry : unit.entries) {
        if (unit.isKnown)
          continue;
        bool value = assignment.splits[entry.site] == entry.dataDim;
        auto [it, isNew] = values.insert({entry.unknown, value});
        if (!isNew && it->second != value)
          return false;
      }
    return true;
  }

  bool propagates(const DimAssignment &assignment) {
    llvm::DenseMap<Value, ParallelState> states;
    bool loop = isLoop(assignment.parallelDim);
    unsigned site = 0;
    for (Operation &op : kernel.getBodyBlock().without_terminator()) {
      ParallelState state;
      if (isa<LoadOp>(op)) {
        if (std::optional<unsigned> split = assignment.splits[site++])
          state = ParallelState::part(*split);
      } else if (isa<SaveOp>(op)) {
        std::optional<unsigned> split = assignment.splits[site++];
        ParallelState wanted =
            split ? ParallelState::part(*split) : ParallelState::replicated();
        if (!(states.lookup(op.getOperand(0)) == wanted))
          return false;
      } else if (isa<AccumulateOp>(op)) {
        state = states.lookup(op.getOperand(0));
        if (loop && !state.isPendingSum())
          return false; // a sum of equal, or of different, parts
        if (loop)
          state = ParallelState::replicated();
      } else {
        SmallVector<ParallelState> operands;
        for (Value operand : op.getOperands())
          operands.push_back(states.lookup(operand));
        state = propagate(cast<ComputeOpInterface>(op).getIterationStructure(),
                          operands);
      }
      if (state.isInvalid())
        return false;
      if (op.getNumResults())
        states[op.getResult(0)] = state;
    }
    return true;
  }

  //===--- All parallel dims ----------------------------------------------===//

  /// Whether no data dim is split by both (equation (2)).
  static bool areDisjoint(const DimAssignment &a, const DimAssignment &b) {
    return llvm::none_of(llvm::zip_equal(a.splits, b.splits), [](auto pair) {
      return std::get<0>(pair) && std::get<0>(pair) == std::get<1>(pair);
    });
  }

  /// What grid dims may split, whichever of them does, each once.
  SmallVector<SmallVector<std::optional<unsigned>>> getGridSplits() const {
    SmallVector<SmallVector<std::optional<unsigned>>> all;
    for (unsigned p = 0; p < parallelDims.size(); ++p)
      if (!isLoop(p))
        for (const DimAssignment &solution : solutions[p])
          if (!llvm::is_contained(all, solution.splits))
            all.push_back(solution.splits);
    return all;
  }

  void combine() {
    gridSplits = getGridSplits();
    std::vector<MapAssignment> grids;
    MapAssignment grid;
    addGridDims(grid, 0, grids);
    // A kernel that can have a grid has one: d_p = 1 is among its sizes.
    for (size_t size = grids.size() == 1 ? 0 : 1; size <= parallelDims.size();
         ++size)
      for (const MapAssignment &assignment : grids)
        if (assignment.size() == size)
          addLoops(assignment);
  }

  /// Extends `grid` by splits from `index` on: sets, not sequences, so that no
  /// permutation of grid dims comes up twice.
  void addGridDims(MapAssignment &grid, unsigned index,
                   std::vector<MapAssignment> &grids) {
    if (usesForcedDims(grid))
      grids.push_back(grid);
    for (unsigned next = index; next < gridSplits.size(); ++next) {
      std::optional<DimAssignment> assignment =
          findFreeDim(grid, gridSplits[next]);
      if (!assignment || !llvm::all_of(grid, [&](const DimAssignment &other) {
            return areDisjoint(other, *assignment);
          }))
        continue;
      grid.push_back(*assignment);
      addGridDims(grid, next + 1, grids);
      grid.pop_back();
    }
  }

  /// The first grid dim that is not in `grid` and can split `splits`.
  std::optional<DimAssignment>
  findFreeDim(const MapAssignment &grid,
              const SmallVector<std::optional<unsigned>> &splits) const {
    for (unsigned p = 0; p < parallelDims.size(); ++p) {
      DimAssignment wanted{p, splits};
      bool isUsed = llvm::any_of(grid, [&](const DimAssignment &other) {
        return other.parallelDim == p;
      });
      if (!isLoop(p) && !isUsed && llvm::is_contained(solutions[p], wanted))
        return wanted;
    }
    return std::nullopt;
  }

  /// Whether all grid dims that are known to split something are in `grid`.
  bool usesForcedDims(const MapAssignment &grid) const {
    for (unsigned p = 0; p < parallelDims.size(); ++p)
      if (!isLoop(p) && forced[p] &&
          llvm::none_of(grid, [&](const DimAssignment &assignment) {
            return assignment.parallelDim == p;
          }))
        return false;
    return true;
  }

  void addLoops(const MapAssignment &grid) {
    auto loop = llvm::find_if(parallelDims, [](ParallelDimAttr dim) {
      return dim.getKind() == ParallelKind::Loop;
    });
    if (loop == parallelDims.end()) {
      result.assignments.push_back(grid);
      return;
    }
    for (const DimAssignment &solution :
         solutions[loop - parallelDims.begin()]) {
      result.assignments.push_back(grid);
      result.assignments.back().push_back(solution);
    }
  }

  KernelOp kernel;
  const InstantiateOptions &options;
  MappingConstraints constraints;
  SmallVector<ParallelDimAttr> parallelDims;
  SmallVector<Operation *> sites;
  std::vector<std::vector<DimAssignment>> solutions; ///< per parallel dim
  SmallVector<bool> forced;
  SmallVector<SmallVector<std::optional<unsigned>>> gridSplits;
  MapSolverResult result;
};

} // namespace

MapSolverResult prism::solveMaps(KernelOp kernel,
                                 const InstantiateOptions &options) {
  return MapSolver(kernel, options).run();
}
