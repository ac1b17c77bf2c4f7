//===- Partition.cpp - Outlining regions into programs --------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// DESIGN section 4, DECISIONS 1, 2 and 19: regions of compute ops become
// programs over named extents, equal ones the same program.
//
//===----------------------------------------------------------------------===//

#include "Prism/Dialect/Canonicalization.h"
#include "Prism/Partition/ConvexRegions.h"
#include "Prism/Partition/CutProgram.h"
#include "Prism/Partition/ExtentConstants.h"
#include "Prism/Partition/Parts.h"
#include "Prism/Partition/RegionExtents.h"
#include "Prism/Transforms/Passes.h"
#include "Prism/Tuning/AssumedExtents.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/SetVector.h"

namespace prism {
#define GEN_PASS_DEF_PRISMPARTITION
#include "Prism/Transforms/Passes.h.inc"
} // namespace prism

using namespace mlir;
using namespace prism;

//===----------------------------------------------------------------------===//
// Which ops
//===----------------------------------------------------------------------===//

/// A scalar constant: each region has its own copy. One that names an extent
/// has a meaning inside of its program only.
static bool isShareableConstant(Operation *op) {
  auto constant = dyn_cast<ConstantOp>(op);
  if (!constant || !isa<RankedTensorType>(constant.getType()))
    return false;
  auto extent = dyn_cast<DimExprAttr>(constant.getValue());
  return !extent || extent.getValue().asConstant();
}

static bool isRegionOp(Operation *op) {
  return isa<ComputeOpInterface>(op) && op->getNumOperands() > 0 &&
         op->getNumRegions() == 0 &&
         isa<RankedTensorType>(op->getResult(0).getType());
}

/// The number of compute ops that a composite is made of.
static unsigned getExpandedSize(DecomposableOpInterface composite) {
  RegionExtents extents;
  extents.addOp(cast<ComputeOpInterface>(*composite));
  std::string reason;
  if (failed(extents.assign(reason)))
    return 1;
  Block scratch;
  OpBuilder builder(composite.getContext());
  builder.setInsertionPointToEnd(&scratch);
  IRMapping values;
  for (Value operand : composite->getOperands())
    values.map(operand,
               scratch.addArgument(extents.getType(operand), operand.getLoc()));
  Operation *copy = builder.clone(*composite, values);
  copy->getResult(0).setType(extents.getType(composite->getResult(0)));
  if (!cast<DecomposableOpInterface>(copy).decompose(builder))
    return 1;
  copy->erase();
  return llvm::count_if(scratch,
                        [](Operation &op) { return op.getNumOperands() > 0; });
}

/// What `op` counts for in a region; 0 if it can be in none.
static unsigned getRegionSize(Operation *op) {
  if (!isRegionOp(op))
    return 0;
  if (auto composite = dyn_cast<DecomposableOpInterface>(op))
    return getExpandedSize(composite);
  return 1;
}

static void eraseDeadComputeOps(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isa<ComputeOpInterface>(op) && op.use_empty())
      op.erase();
}

//===----------------------------------------------------------------------===//
// A region as a program
//===----------------------------------------------------------------------===//

namespace {
/// What stands in a region, and what goes in and out.
struct RegionInterface {
  explicit RegionInterface(const OpRegion &region);

  SmallVector<Operation *> ops; // with the constants that they read
  llvm::SetVector<Value> inputs;
  SmallVector<Value> results;
};
} // namespace

RegionInterface::RegionInterface(const OpRegion &region) {
  llvm::SetVector<Operation *> all;
  for (Operation *op : region) {
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp())
        if (isShareableConstant(producer))
          all.insert(producer);
    all.insert(op);
  }
  ops = all.takeVector();
  llvm::SmallPtrSet<Operation *, 16> inside(ops.begin(), ops.end());
  for (Operation *op : region) {
    for (Value operand : op->getOperands())
      if (!inside.contains(operand.getDefiningOp()))
        inputs.insert(operand);
    bool isUsedOutside = llvm::any_of(op->getUsers(), [&](Operation *user) {
      return !inside.contains(user);
    });
    if (isUsedOutside)
      results.push_back(op->getResult(0));
  }
}

/// Copies the region's ops into the program, on its own types.
static void fillBody(ProgramOp program, const RegionInterface &region,
                     RegionExtents &extents) {
  OpBuilder builder = OpBuilder::atBlockEnd(&program.getBodyBlock());
  IRMapping values;
  for (auto [input, argument] :
       llvm::zip(region.inputs, program.getBody().getArguments()))
    values.map(input, argument);
  for (Operation *op : region.ops) {
    Operation *copy = builder.clone(*op, values);
    copy->getResult(0).setType(extents.getType(op->getResult(0)));
  }
  SmallVector<Value> results = llvm::map_to_vector(
      region.results, [&](Value value) { return values.lookup(value); });
  YieldOp::create(builder, program.getLoc(), results);
}

static void decomposeComposites(ProgramOp program) {
  for (Operation &op :
       llvm::make_early_inc_range(program.getBodyBlock().without_terminator()))
    if (auto composite = dyn_cast<DecomposableOpInterface>(op)) {
      OpBuilder builder(composite);
      if (Value value = composite.decompose(builder)) {
        op.getResult(0).replaceAllUsesWith(value);
        op.erase();
      }
    }
}

static void simplify(ProgramOp program) {
  RewritePatternSet patterns(program.getContext());
  populatePrismCanonicalizationPatterns(patterns);
  GreedyRewriteConfig config;
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  (void)applyPatternsGreedily(program.getBody(), std::move(patterns), config);
  IRRewriter rewriter(program.getContext());
  DominanceInfo dominance(program);
  eliminateCommonSubExpressions(rewriter, dominance, program);
}

static ProgramOp buildProgram(StringRef name, const RegionInterface &region,
                              RegionExtents &extents) {
  MLIRContext *context = region.ops.front()->getContext();
  auto typesOf = [&](auto &&values) {
    SmallVector<Type> types;
    for (Value value : values)
      types.push_back(extents.getType(value));
    return types;
  };
  OpBuilder builder(context);
  auto program = ProgramOp::create(
      builder, region.results.front().getLoc(), name, extents.getSymbols(),
      FunctionType::get(context, typesOf(region.inputs),
                        typesOf(region.results)));
  program.setSymVisibility("private");
  fillBody(program, region, extents);
  decomposeComposites(program);
  nameExtentConstants(program);
  simplify(program);
  return program;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct PartitionPass : prism::impl::PrismPartitionBase<PartitionPass> {
  using Base::Base;
  void runOnOperation() override;
};

/// Outlines the regions of the functions of one module.
class Outliner {
public:
  Outliner(ModuleOp module, unsigned maxRegionOps,
           ArrayRef<int64_t> assumedExtents)
      : module(module), symbols(module), maxRegionOps(maxRegionOps),
        assumedExtents(assumedExtents) {}

  LogicalResult run(FunctionOpInterface function);
  /// Cuts the programs that were made.
  void cut(const Target &target, const PartBounds &bounds);

private:
  LogicalResult run(FunctionOpInterface function, const OpRegion &region);
  StringRef share(StringRef base, ProgramOp program, Operation *before);
  void cut(ProgramOp program, const Target &target, const PartBounds &bounds);

  ModuleOp module;
  SymbolTable symbols;
  unsigned maxRegionOps;
  ArrayRef<int64_t> assumedExtents; ///< none: the defaults
  /// The program of each structure (CutProgram.h).
  llvm::StringMap<StringRef> programs;
};
} // namespace

/// NAME, NAME_0, NAME_1, ...: the first that is free.
static std::string findFreeName(SymbolTable &symbols, StringRef base) {
  std::string name = base.str();
  for (unsigned number = 0; symbols.lookup(name); ++number)
    name = (base + "_" + Twine(number)).str();
  return name;
}

/// The symbol of `program`, or of one that is the same but for its name.
/// Else NAME_0, NAME_1, ... of `base`, put in front of `before`.
StringRef Outliner::share(StringRef base, ProgramOp program,
                          Operation *before) {
  auto [entry, isNew] = programs.try_emplace(getStructure(program));
  if (!isNew) {
    program->erase();
    return entry->second;
  }
  program.setSymName(findFreeName(symbols, base));
  symbols.insert(program, Block::iterator(before));
  entry->second = program.getSymName();
  return entry->second;
}

static void leaveAlone(const OpRegion &region, const Twine &why) {
  emitRemark(region.front()->getLoc()) << "left alone: " << why;
}

LogicalResult Outliner::run(FunctionOpInterface function,
                            const OpRegion &region) {
  bool onlyMoves = llvm::all_of(region, [](Operation *op) {
    return isDataMovement(cast<ComputeOpInterface>(op));
  });
  if (onlyMoves) {
    leaveAlone(region, "only moves data");
    return success();
  }
  RegionInterface interface(region);
  RegionExtents extents;
  for (Value input : interface.inputs)
    extents.addValue(input);
  for (Operation *op : interface.ops)
    extents.addOp(cast<ComputeOpInterface>(op));
  if (auto conflict = extents.findConflict())
    return region.front()->emitError()
           << "extents " << conflict->first << " and " << conflict->second
           << " meet in this region, but an iteration dim has one extent";
  std::string reason;
  if (failed(extents.assign(reason))) {
    leaveAlone(region, reason);
    return success();
  }
  for (ExtentSymbolAttr symbol : extents.getSymbols())
    if (symbol.getValue() == 0) {
      leaveAlone(region, "a tensor is empty");
      return success();
    }

  ProgramOp program = buildProgram("_", interface, extents);
  if (hasDynamicExtents(program))
    setAssumedExtents(program, assumedExtents);
  StringRef name = share(function.getName(), program, function);
  OpBuilder builder(region.back());
  SmallVector<Type> resultTypes = llvm::map_to_vector(
      interface.results, [](Value value) { return value.getType(); });
  auto invoke = InvokeOp::create(builder, region.back()->getLoc(), resultTypes,
                                 name, interface.inputs.getArrayRef());
  for (auto [old, value] : llvm::zip(interface.results, invoke.getResults()))
    old.replaceAllUsesWith(value);
  for (Operation *op : llvm::reverse(region))
    op->erase();
  return success();
}

LogicalResult Outliner::run(FunctionOpInterface function) {
  SmallVector<Block *> blocks;
  function.getFunctionBody().walk(
      [&](Block *block) { blocks.push_back(block); });
  for (Block *block : blocks) {
    eraseDeadComputeOps(*block);
    for (const OpRegion &region : formConvexRegions(
             *block, maxRegionOps, getRegionSize, isShareableConstant))
      if (failed(run(function, region)))
        return failure();
    eraseDeadComputeOps(*block);
  }
  return success();
}

void Outliner::cut(ProgramOp program, const Target &target,
                   const PartBounds &bounds) {
  PartGraph graph(program);
  std::optional<PartEstimator> estimator =
      PartEstimator::create(graph, target, /*allowSplits=*/true);
  if (!estimator) {
    emitRemark(program.getLoc())
        << "not cut: an extent is unknown, so parts have no cost";
    return;
  }
  PartChooser chooser(graph, *estimator, bounds);
  std::vector<const Part *> parts = chooser.choose();
  if (parts.size() < 2)
    return;
  SmallVector<PlacedPart> placed;
  for (const Part *part : parts) {
    OwningOpRef<ProgramOp> built = buildPart(graph, part->nodes, "_");
    if (!built) {
      emitRemark(program.getLoc())
          << "not cut: a part would not tell a dynamic extent that it needs";
      return;
    }
    StringRef name = share(program.getSymName(), built.release(), program);
    placed.push_back({part->nodes, StringAttr::get(module.getContext(), name)});
  }
  for (auto use : llvm::to_vector(*SymbolTable::getSymbolUses(program, module)))
    if (auto invoke = dyn_cast<InvokeOp>(use.getUser()))
      replaceInvoke(invoke, graph, placed);
}

void Outliner::cut(const Target &target, const PartBounds &bounds) {
  SmallVector<ProgramOp> whole;
  for (auto program : module.getOps<ProgramOp>())
    if (programs.contains(getStructure(program)))
      whole.push_back(program);
  for (ProgramOp program : whole)
    cut(program, target, bounds);
  // A program that is cut may be a part of another.
  for (ProgramOp program : whole)
    if (SymbolTable::symbolKnownUseEmpty(program, module))
      symbols.erase(program);
}

void PartitionPass::runOnOperation() {
  const Target *facts = lookupTarget(target);
  if (!facts) {
    emitError(getOperation().getLoc())
        << "option 'target' is '" << target
        << "', expected one of: " << llvm::join(getTargetNames(), ", ");
    return signalPassFailure();
  }
  if (failed(checkAssumedExtents(getOperation()->getLoc(), assumedExtents)))
    return signalPassFailure();
  PartBounds bounds;
  bounds.maxOps = maxPartOps;
  bounds.maxContractions = maxPartContractions;
  SmallVector<ModuleOp> modules;
  getOperation()->walk([&](ModuleOp module) { modules.push_back(module); });
  for (ModuleOp module : modules) {
    Outliner outliner(module, maxRegionOps, assumedExtents);
    for (auto function : llvm::to_vector(module.getOps<FunctionOpInterface>()))
      if (failed(outliner.run(function)))
        return signalPassFailure();
    if (maxPartOps)
      outliner.cut(*facts, bounds);
  }
}
