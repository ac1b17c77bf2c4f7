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
#include "llvm/ADT/SmallBitVector.h"

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
  MapSolver(KernelOp kernel, const InstantiateOptions &options,
            bool onlyLargest, const Budget *budget)
      : kernel(kernel), options(options), onlyLargest(onlyLargest),
        budget(budget), constraints(getMappingConstraints(
                            cast<GraphOpInterface>(kernel.getOperation()))),
        parallelDims(kernel.getParallelDims()) {
    for (Operation &op : kernel.getBodyBlock())
      if (isa<LoadOp, SaveOp>(op))
        sites.push_back(&op);
  }

  MapSolverResult run() {
    checkForm();
    collectPartialDims();
    if (!result.error.empty())
      return std::move(result);
    for (unsigned p = 0; p < parallelDims.size(); ++p)
      solveDim(p);
    combine();
    return std::move(result);
  }

  std::optional<MapFailure> findFailure() {
    checkForm();
    collectPartialDims();
    if (!result.error.empty())
      return MapFailure{/*isShape=*/true, kernel, result.error};
    for (unsigned p = 0; p < parallelDims.size(); ++p)
      if (std::optional<MapFailure> failure = findFailure(p))
        return failure;
    return std::nullopt;
  }

private:
  using States = llvm::DenseMap<Value, ParallelState>;

  /// The assignment that the maps, which have no variables, stand for.
  DimAssignment readAssignment(unsigned p) const {
    DimAssignment assignment{p, {}};
    for (unsigned site = 0; site < sites.size(); ++site) {
      assignment.splits.emplace_back();
      for (auto [dim, splits] : llvm::enumerate(getMapping(site)))
        for (const Split &split : splits)
          if (split.dim == parallelDims[p].getName())
            assignment.splits.back() = dim;
    }
    return assignment;
  }

  std::optional<MapFailure> findFailure(unsigned p) {
    std::string name = "parallel dim " + parallelDims[p].getName().str();
    DimAssignment assignment = readAssignment(p);
    if (llvm::none_of(assignment.splits, [](auto split) { return !!split; }))
      return MapFailure{/*isShape=*/true, kernel, name + " splits nothing"};
    if (!splitsResults(assignment)) {
      for (auto [site, split] : llvm::enumerate(assignment.splits))
        if (isSave(site) && !split)
          return MapFailure{/*isShape=*/true, sites[site],
                            name + " does not split this result: all blocks "
                                   "along it would write the same"};
    }
    States states;
    Operation *op = findConflict(assignment, states);
    if (!op)
      return std::nullopt;
    return MapFailure{/*isShape=*/false, op,
                      "along " + name + ' ' +
                          describeConflict(op, states, assignment)};
  }

  static std::string describeState(const ParallelState &state) {
    std::string dim = std::to_string(state.dim);
    switch (state.kind) {
    case ParallelState::Replicated:
      return "the same in all";
    case ParallelState::Part:
      return "split in dim " + dim;
    case ParallelState::PendingSum:
      return "a pending sum";
    case ParallelState::PendingMax:
      return "a pending maximum";
    case ParallelState::Shifted:
      return "split in dim " + dim + ", less a pending maximum";
    case ParallelState::Scaled:
      return "split in dim " + dim + ", scaled by a pending maximum";
    case ParallelState::PendingRescaledSum:
      return "a pending rescaled sum";
    case ParallelState::Invalid:
      break;
    }
    return "undetermined";
  }

  /// What is wrong at `op`.
  std::string describeConflict(Operation *op, const States &states,
                               const DimAssignment &assignment) const {
    std::string have = describeState(states.lookup(op->getOperand(0)));
    if (isa<AccumulateOp>(op) && isLoop(assignment.parallelDim))
      return "what is accumulated is " + have + ", not what its kind takes";
    if (isa<SaveOp>(op)) {
      std::optional<unsigned> split =
          assignment.splits[llvm::find(sites, op) - sites.begin()];
      std::string want = split ? describeState(ParallelState::part(*split))
                               : "the same in all";
      if (isPartial.test(assignment.parallelDim))
        want = "pending";
      return "what is saved is " + have + ", its map wants it " + want;
    }
    std::string text = "no schema takes these operands: ";
    llvm::raw_string_ostream os(text);
    llvm::interleave(
        op->getOperands(), os,
        [&](Value value) { os << describeState(states.lookup(value)); }, "; ");
    return text;
  }

  bool isLoop(unsigned p) const {
    return parallelDims[p].getKind() == ParallelKind::Loop;
  }
  /// Neither the loop nor one along which partial results are written.
  bool isPlainGridDim(unsigned p) const {
    return !isLoop(p) && !isPartial.test(p);
  }
  bool isSave(unsigned site) const { return isa<SaveOp>(sites[site]); }
  Mapping getMapping(unsigned site) const {
    return sites[site]->getAttrOfType<MapAttr>("map").getValue();
  }
  /// Of the dims that the map is about: partial results have more.
  SmallVector<DimExpr> getWholeExtents(unsigned site) const {
    SmallVector<DimExpr> extents =
        prism::getExtents(isSave(site) ? sites[site]->getResult(0).getType()
                                       : sites[site]->getOperand(0).getType());
    extents.erase(extents.begin(), extents.end() - getMapping(site).size());
    return extents;
  }

  /// What the solver does not handle.
  void checkForm() {
    for (Operation &op : kernel.getBodyBlock().without_terminator())
      if (isa<ThreadGraphOp>(op))
        result.error = "it has thread graphs already";
  }

  /// The grid dims along which partial results are written.
  void collectPartialDims() {
    isPartial.resize(parallelDims.size());
    for (auto save : kernel.getBodyBlock().getOps<SaveOp>())
      for (auto name : save.getPartials().getAsRange<StringAttr>())
        for (auto [p, dim] : llvm::enumerate(parallelDims))
          if (dim.getName() == name.getValue())
            isPartial.set(p);
  }

  /// Whether the budget ends it here; looks at the clock now and then.
  bool isPast() {
    if (budget && result.isComplete && (++ticks & 63) == 0)
      result.isComplete = !budget->isPast();
    return !result.isComplete;
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
    if (isPast())
      return;
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
    if (!splitsResults(assignment) || !satisfiesEqualities(assignment, units))
      return false;
    if (propagates(assignment))
      return true;
    if (options.keepRejected)
      result.rejected.push_back(assignment);
    return false;
  }

  /// A grid dim splits every result; of partial results, which are needed
  /// again in any case, some.
  bool splitsResults(const DimAssignment &assignment) const {
    unsigned p = assignment.parallelDim;
    if (isLoop(p) || isPartial.test(p))
      return true;
    bool splitsAll = true, splitsAny = false;
    for (unsigned site = 0; site < sites.size(); ++site)
      if (isSave(site)) {
        splitsAll &= assignment.splits[site].has_value();
        splitsAny |= assignment.splits[site].has_value();
      }
    return isPartial.any() ? splitsAny : splitsAll;
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
    States states;
    return !findConflict(assignment, states);
  }

  /// The first op at which propagation fails; sets the states up to there.
  Operation *findConflict(const DimAssignment &assignment, States &states) {
    unsigned site = 0, id = 0;
    for (Operation &op : kernel.getBodyBlock().without_terminator()) {
      ParallelState state;
      ++id;
      if (isa<LoadOp>(op)) {
        if (std::optional<unsigned> split = assignment.splits[site++])
          state = ParallelState::part(*split);
      } else if (auto save = dyn_cast<SaveOp>(op)) {
        if (!canSave(save, assignment.splits[site++], assignment.parallelDim,
                     states.lookup(save.getTile())))
          return &op;
      } else if (auto accumulate = dyn_cast<AccumulateOp>(op)) {
        state = isLoop(assignment.parallelDim)
                    ? propagateOver(accumulate, states)
                    : propagatePast(accumulate, states, id);
      } else {
        SmallVector<ParallelState> operands;
        for (Value operand : op.getOperands())
          operands.push_back(states.lookup(operand));
        if (options.filterRange && roundsPartOfSum(&op, operands))
          return &op;
        state = propagate(
            &op,
            getRealStructure(cast<ComputeOpInterface>(op), options.precision),
            operands, id);
      }
      if (state.isInvalid())
        return &op;
      if (op.getNumResults())
        states[op.getResult(0)] = state;
    }
    return nullptr;
  }

  /// Whether `op` makes parts of a sum, which may be beyond f16 where the sum
  /// is not, the operand of a product in 16 bits.
  static bool roundsPartOfSum(Operation *op, ArrayRef<ParallelState> operands) {
    return isa<MatmulOp>(op) &&
           llvm::any_of(
               llvm::zip_equal(op->getOperandTypes(), operands), [](auto item) {
                 auto [type, state] = item;
                 Type element = prism::getElementType(type);
                 return (element.isF16() || element.isBF16()) &&
                        (state.isPendingSum() || state.isPendingRescaledSum());
               });
  }

  bool canSave(SaveOp save, std::optional<unsigned> split, unsigned p,
               const ParallelState &state) const {
    bool isPartialHere = llvm::is_contained(
        save.getPartials(), Attribute(StringAttr::get(
                                save.getContext(), parallelDims[p].getName())));
    if (isPartialHere)
      return state.isPending();
    return state ==
           (split ? ParallelState::part(*split) : ParallelState::replicated());
  }

  /// Per dim of the shift the dim of the tile that it lies along.
  static SmallVector<unsigned, 2> getShiftDims(AccumulateOp op) {
    AffineMap identity = AffineMap::getMultiDimIdentityMap(
        op.getTile().getType().getRank(), op.getContext());
    SmallVector<AffineMap> maps(3, identity);
    if (ArrayAttr attr = op.getIndexingMapsAttr())
      maps = llvm::to_vector(attr.getAsValueRange<AffineMapAttr>());
    SmallVector<unsigned, 2> dims;
    for (AffineExpr expr : maps[1].getResults())
      dims.push_back(*maps[0].getResultPosition(expr));
    return dims;
  }

  /// An accumulator over the parallel dim itself.
  ParallelState propagateOver(AccumulateOp op, const States &states) const {
    ParallelState tile = states.lookup(op.getTile());
    bool isRight = false;
    switch (op.getKind()) {
    case AccumulatorKind::Sum: // not a sum of equal, or of different, parts
      isRight = tile.isPendingSum();
      break;
    case AccumulatorKind::Max:
      isRight = tile.isPendingMax();
      break;
    case AccumulatorKind::RescaledSum:
      ParallelState shift = states.lookup(op.getShift());
      isRight = tile.isPendingRescaledSum() && shift.isPendingMax() &&
                shift.shift == tile.shift && tile.shiftDims == getShiftDims(op);
      break;
    }
    return isRight ? ParallelState::replicated() : ParallelState::invalid();
  }

  /// An accumulator over another dim: linear in its tile, monotone if it takes
  /// the maximum.
  ParallelState propagatePast(AccumulateOp op, const States &states,
                              unsigned id) const {
    ParallelState tile = states.lookup(op.getTile());
    if (op.getKind() == AccumulatorKind::Max)
      return tile.isPendingMax() ? ParallelState::pendingMax(id) : tile;
    if (op.getKind() == AccumulatorKind::Sum)
      return tile.isPendingMax() ? ParallelState::invalid() : tile;
    ParallelState shift = states.lookup(op.getShift());
    SmallVector<unsigned, 2> dims = getShiftDims(op);
    if (tile.isPendingRescaledSum())
      return shift.isPendingMax() && shift.shift == tile.shift &&
                     tile.shiftDims == dims
                 ? tile
                 : ParallelState::invalid();
    bool isShiftSplit = tile.isPart() && llvm::is_contained(dims, tile.dim);
    if (isShiftSplit)
      return shift == ParallelState::part(llvm::find(dims, tile.dim) -
                                          dims.begin())
                 ? tile
                 : ParallelState::invalid();
    return shift.isReplicated() ? tile : ParallelState::invalid();
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
      if (isPlainGridDim(p))
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
    if (onlyLargest)
      keepLargest(grids);
    // A kernel that can have a grid has one: d_p = 1 is among its sizes.
    for (size_t size = grids.size() == 1 ? 0 : 1; size <= parallelDims.size();
         ++size)
      for (const MapAssignment &assignment : grids)
        if (assignment.size() == size)
          addPartialDims(assignment, 0);
  }

  /// Drops what is another grid without some of its dims.
  static void keepLargest(std::vector<MapAssignment> &grids) {
    auto isWithin = [](const MapAssignment &small, const MapAssignment &large) {
      return small.size() < large.size() &&
             llvm::all_of(
                 small,
                 [&](const DimAssignment &dim) {
                   return llvm::any_of(large, [&](const DimAssignment &other) {
                     return other.splits == dim.splits;
                   });
                 });
    };
    std::vector<MapAssignment> all = grids;
    llvm::erase_if(grids, [&](const MapAssignment &grid) {
      return llvm::any_of(all, [&](const MapAssignment &other) {
        return isWithin(grid, other);
      });
    });
  }

  /// Adds the dims along which partial results are written, from `p` on, and
  /// then the loop.
  void addPartialDims(const MapAssignment &grid, unsigned p) {
    if (p == parallelDims.size())
      return addLoops(grid);
    if (!isPartial.test(p))
      return addPartialDims(grid, p + 1);
    for (const DimAssignment &solution : solutions[p]) {
      if (!llvm::all_of(grid, [&](const DimAssignment &other) {
            return areDisjoint(other, solution);
          }))
        continue;
      MapAssignment next = grid;
      next.push_back(solution);
      addPartialDims(next, p + 1);
    }
  }

  /// Extends `grid` by splits from `index` on: sets, not sequences, so that no
  /// permutation of grid dims comes up twice.
  void addGridDims(MapAssignment &grid, unsigned index,
                   std::vector<MapAssignment> &grids) {
    if (isPast())
      return;
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
      if (isPlainGridDim(p) && !isUsed &&
          llvm::is_contained(solutions[p], wanted))
        return wanted;
    }
    return std::nullopt;
  }

  /// Whether all grid dims that are known to split something are in `grid`.
  bool usesForcedDims(const MapAssignment &grid) const {
    for (unsigned p = 0; p < parallelDims.size(); ++p)
      if (isPlainGridDim(p) && forced[p] &&
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
  bool onlyLargest;
  const Budget *budget;
  unsigned ticks = 0;
  MappingConstraints constraints;
  SmallVector<ParallelDimAttr> parallelDims;
  SmallVector<Operation *> sites;
  std::vector<std::vector<DimAssignment>> solutions; ///< per parallel dim
  SmallVector<bool> forced;
  llvm::SmallBitVector isPartial; ///< per parallel dim
  SmallVector<SmallVector<std::optional<unsigned>>> gridSplits;
  MapSolverResult result;
};

} // namespace

MapSolverResult prism::solveMaps(KernelOp kernel,
                                 const InstantiateOptions &options,
                                 bool onlyLargest, const Budget *budget) {
  return MapSolver(kernel, options, onlyLargest, budget).run();
}

std::optional<MapFailure> prism::findMapFailure(KernelOp kernel) {
  InstantiateOptions options;
  return MapSolver(kernel, options, /*onlyLargest=*/false, nullptr)
      .findFailure();
}
