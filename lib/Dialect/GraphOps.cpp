//===- GraphOps.cpp - Block and thread graphs -----------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Assembly and verification (equations (1) to (4) and constraints G1 to G14)
// of graphs, loaders, accumulators and savers.
//
//===----------------------------------------------------------------------===//

#include "OpAssembly.h"
#include "Prism/Dialect/PrismDialect.h"
#include "ScalarBodies.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace prism;

#define GET_OP_CLASSES
#include "Prism/Dialect/PrismOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Assembly of graphs
//===----------------------------------------------------------------------===//

/// `keyword` and a number, where they are there.
static ParseResult parseOptionalNumber(OpAsmParser &parser, StringRef keyword,
                                       NamedAttrList &attributes) {
  if (failed(parser.parseOptionalKeyword(keyword)))
    return success();
  int64_t number = 0;
  if (parser.parseInteger(number))
    return failure();
  attributes.set(keyword, parser.getBuilder().getI64IntegerAttr(number));
  return success();
}

/// "name"(%a = %x, ...) parallel [x grid, ...] equalities [m0 = m1]
///   threads 256 stages 4 : (types) -> (types) attributes { ... }
/// `numbers` are the keywords that may stand in front of the types.
static ParseResult parseGraph(OpAsmParser &parser, OperationState &result,
                              ArrayRef<StringRef> numbers = {}) {
  Builder &builder = parser.getBuilder();
  StringAttr name;
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Attribute> dims, equalities;
  auto parseList = [&](SmallVectorImpl<Attribute> &into, auto parseOne) {
    return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                          [&]() -> ParseResult {
                                            into.push_back(parseOne(parser));
                                            return success(!!into.back());
                                          });
  };
  if (parser.parseAttribute(name) ||
      parser.parseAssignmentList(arguments, operands) ||
      parser.parseKeyword("parallel") || parseList(dims, parseParallelDim))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("equalities")) &&
      parseList(equalities, parseEquality))
    return failure();
  for (StringRef keyword : numbers)
    if (parseOptionalNumber(parser, keyword, result.attributes))
      return failure();
  FunctionType type;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseColonType(type) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.resolveOperands(operands, type.getInputs(), loc, result.operands))
    return failure();
  for (auto [argument, input] : llvm::zip(arguments, type.getInputs()))
    argument.type = input;
  result.addTypes(type.getResults());
  result.addAttribute("graph_name", name);
  result.addAttribute("parallel", builder.getArrayAttr(dims));
  result.addAttribute("equality_constraints", builder.getArrayAttr(equalities));
  return parser.parseRegion(*result.addRegion(), arguments);
}

template <typename GraphT>
static void printGraph(OpAsmPrinter &printer, GraphT graph,
                       ArrayRef<StringRef> numbers = {}) {
  raw_ostream &os = printer.getStream();
  printer << ' ' << graph.getGraphNameAttr() << '(';
  llvm::interleaveComma(
      llvm::zip(graph.getBody().getArguments(), graph.getInputs()), os,
      [&](auto pair) {
        printer << std::get<0>(pair) << " = " << std::get<1>(pair);
      });
  printer << ") parallel [";
  llvm::interleaveComma(graph.getParallelDims(), os, [&](ParallelDimAttr dim) {
    printParallelDim(printer, dim);
  });
  printer << ']';
  if (!graph.getEqualities().empty()) {
    printer << " equalities [";
    llvm::interleaveComma(
        graph.getEqualities(), os,
        [&](EqualityAttr equality) { printEquality(printer, equality); });
    printer << ']';
  }
  SmallVector<StringRef> printed = {"graph_name", "parallel",
                                    "equality_constraints"};
  for (StringRef keyword : numbers)
    if (auto number = graph->template getAttrOfType<IntegerAttr>(keyword)) {
      printer << ' ' << keyword << ' ' << number.getInt();
      printed.push_back(keyword);
    }
  printer << " : ";
  printer.printFunctionalType(graph.getOperation());
  printer.printOptionalAttrDictWithKeyword(graph->getAttrs(), printed);
  printer << ' ';
  printer.printRegion(graph.getBody(), /*printEntryBlockArgs=*/false);
}

/// What a sized kernel says beside its tiles.
static constexpr StringRef kernelNumbers[] = {"threads", "stages"};

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseGraph(parser, result, kernelNumbers);
}
void KernelOp::print(OpAsmPrinter &printer) {
  printGraph(printer, *this, kernelNumbers);
}

LogicalResult KernelOp::verify() {
  if (std::optional<int64_t> threads = getThreads();
      threads &&
      (*threads < 32 || *threads > 1024 || !llvm::isPowerOf2_64(*threads)))
    return emitOpError() << "has " << *threads
                         << " threads, expected a power of two from 32 to 1024";
  if (std::optional<int64_t> stages = getStages();
      stages && (*stages < 1 || *stages > maxStages))
    return emitOpError() << "has " << *stages << " stages, expected 1 to "
                         << maxStages;
  return success();
}

ParseResult ThreadGraphOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseGraph(parser, result);
}
void ThreadGraphOp::print(OpAsmPrinter &printer) { printGraph(printer, *this); }

YieldOp KernelOp::getYield() {
  return dyn_cast<YieldOp>(getBodyBlock().back());
}
YieldOp ThreadGraphOp::getYield() {
  return dyn_cast<YieldOp>(getBodyBlock().back());
}

//===----------------------------------------------------------------------===//
// Declarations (G7, G11)
//===----------------------------------------------------------------------===//

MappingConstraints prism::getMappingConstraints(GraphOpInterface graph) {
  MappingConstraints constraints;
  for (EqualityAttr equality : graph.getEqualities())
    constraints.addEqual(equality.getLhs(), equality.getRhs());
  return constraints;
}

LogicalResult prism::detail::verifyGraphDeclarations(Operation *op) {
  auto graph = cast<GraphOpInterface>(op);
  bool isThreadGraph = isa<ThreadGraphOp>(op);
  llvm::StringSet<> names;
  unsigned loops = 0;
  for (ParallelDimAttr dim : graph.getParallelDims()) {
    if (!names.insert(dim.getName()).second)
      return op->emitOpError()
             << "declares parallel dim '" << dim.getName() << "' twice";
    if ((dim.getKind() == ParallelKind::Thread) != isThreadGraph)
      return op->emitOpError()
             << "declares '" << dim.getName() << "' as a "
             << stringifyParallelKind(dim.getKind()) << " dim, expected "
             << (isThreadGraph ? "thread" : "grid or loop");
    loops += dim.getKind() == ParallelKind::Loop;
  }
  if (loops > 1)
    return op->emitOpError()
           << "declares " << loops << " loop dims, expected at most one";
  MappingConstraints constraints;
  for (EqualityAttr equality : graph.getEqualities())
    if (!constraints.addEqual(equality.getLhs(), equality.getRhs()))
      return op->emitOpError() << "has contradictory equalities: " << equality
                               << " cannot hold together with those before it";
  return success();
}

//===----------------------------------------------------------------------===//
// Regions (G4, G9, G10, G12, G13)
//===----------------------------------------------------------------------===//

/// G13: block arguments have the operands' types, prism.yield the results'.
static LogicalResult verifyGraphSignature(GraphOpInterface graph) {
  Block &body = graph->getRegion(0).front();
  if (body.getArgumentTypes() != graph->getOperandTypes())
    return graph->emitOpError()
           << "has a body that takes (" << body.getArgumentTypes()
           << "), expected (" << graph->getOperandTypes() << ")";
  auto yield = body.empty() ? YieldOp() : dyn_cast<YieldOp>(body.back());
  if (!yield)
    return graph->emitOpError("must end in prism.yield");
  if (yield.getOperandTypes() != graph->getResultTypes())
    return yield.emitOpError()
           << "has types (" << yield.getOperandTypes() << "), expected ("
           << graph->getResultTypes() << ") as the enclosing graph's results";
  for (Operation &op : body.without_terminator())
    if (!isa<ComputeOpInterface, LoadOp, SaveOp, AccumulateOp, ThreadGraphOp>(
            op))
      return op.emitOpError("cannot stand in a graph");
  return success();
}

/// G4: extents that index one iteration dim are equal under the equalities.
static LogicalResult verifyShapeMatch(ComputeOpInterface op,
                                      const MappingConstraints &constraints) {
  IterationStructure structure = op.getIterationStructure();
  SmallVector<DimExpr> extents = getIterationExtents(
      structure, op->getOperandTypes(), op->getResult(0).getType());
  for (auto [index, map] : llvm::enumerate(structure.operandMaps)) {
    SmallVector<DimExpr> have = getExtents(op->getOperand(index).getType());
    for (auto [dim, factors] : llvm::enumerate(map)) {
      if (factors.size() != 1)
        continue;
      const DimExpr &want = extents[factors.front()];
      if (!constraints.areEqual(have[dim], want))
        return op->emitOpError()
               << "operand " << index << " has extent " << have[dim].str()
               << " in dim " << dim << ", expected " << want.str()
               << "; the graph's equalities do not make them equal";
    }
  }
  return success();
}

/// G10, G12: what each parallel dim splits.
static LogicalResult verifySplits(GraphOpInterface graph) {
  llvm::StringMap<DimExpr> splitExtent;
  for (Operation &op : graph->getRegion(0).front()) {
    if (!isa<LoadOp, SaveOp>(op))
      continue; // another op may carry any attribute, this name too
    auto map = op.getAttrOfType<MapAttr>("map");
    Type whole = isa<LoadOp>(op) ? op.getOperand(0).getType()
                                 : op.getResult(0).getType();
    SmallVector<DimExpr> extents = getExtents(whole);
    unsigned leading = extents.size() - map.getValue().size();
    for (auto [dim, splits] : llvm::enumerate(map.getValue())) {
      std::optional<int64_t> outer;
      for (const Split &split : splits) {
        if (split.variable)
          continue;
        const DimExpr &extent = extents[leading + dim];
        auto [it, isNew] = splitExtent.insert({split.dim, extent});
        if (!isNew && it->second != extent)
          return op.emitOpError()
                 << "splits extent " << extent.str() << " along '" << split.dim
                 << "', which splits " << it->second.str() << " elsewhere";
        std::optional<int64_t> tile =
            graph.lookupParallelDim(split.dim).getTile();
        if (outer && tile && *outer % *tile != 0)
          return op.emitOpError()
                 << "splits tiles of " << *outer << " along '" << split.dim
                 << "' in tiles of " << *tile << ", which does not divide";
        outer = tile;
      }
    }
  }
  return success();
}

namespace {
/// Where in a block graph a value is computed.
struct Stage {
  bool inLoop = false;    ///< it differs from step to step of the loop
  bool afterLoop = false; ///< it depends on an accumulator
};
} // namespace

/// G9: what accumulators feed runs after the loop; what differs from step to
/// step reaches a saver through an accumulator only.
static LogicalResult verifyStages(GraphOpInterface graph) {
  llvm::DenseMap<Value, Stage> stages;
  for (Operation &op : graph->getRegion(0).front()) {
    Stage stage;
    for (Value operand : op.getOperands()) {
      Stage from = stages.lookup(operand);
      stage.inLoop |= from.inLoop;
      stage.afterLoop |= from.afterLoop;
    }
    if (auto load = dyn_cast<LoadOp>(op))
      for (const auto &splits : load.getMap().getValue())
        for (const Split &split : splits)
          stage.inLoop |=
              !split.variable && graph.lookupParallelDim(split.dim).getKind() ==
                                     ParallelKind::Loop;
    if (isa<AccumulateOp>(op)) {
      if (stage.afterLoop)
        return op.emitOpError("accumulates what another accumulator feeds; the "
                              "loop is over by then");
      stage = {/*inLoop=*/false, /*afterLoop=*/true};
    }
    if (stage.inLoop && stage.afterLoop)
      return op.emitOpError("mixes a value of one loop step with one that is "
                            "known after the loop");
    if (stage.inLoop && isa<SaveOp>(op))
      return op.emitOpError("saves a value that differs from step to step of "
                            "the loop; accumulate it first");
    for (Value result : op.getResults())
      stages[result] = stage;
  }
  return success();
}

static LogicalResult verifyGraphRegions(GraphOpInterface graph) {
  if (failed(verifyGraphSignature(graph)) || failed(verifySplits(graph)) ||
      failed(verifyStages(graph)))
    return failure();
  MappingConstraints constraints = getMappingConstraints(graph);
  for (auto op : graph->getRegion(0).front().getOps<ComputeOpInterface>())
    if (failed(verifyShapeMatch(op, constraints)))
      return failure();
  return success();
}

LogicalResult KernelOp::verifyRegions() { return verifyGraphRegions(*this); }
LogicalResult ThreadGraphOp::verifyRegions() {
  return verifyGraphRegions(*this);
}

//===----------------------------------------------------------------------===//
// Loaders, accumulators and savers (G1 to G3, G5, G6, G8)
//===----------------------------------------------------------------------===//

/// G1, G2, G5, G6: the map by itself, in `graph`.
static LogicalResult verifyMap(Operation *op, GraphOpInterface graph,
                               const Mapping &mapping) {
  for (auto [dataDim, splits] : llvm::enumerate(mapping)) {
    bool afterLoopDim = false;
    for (const Split &split : splits) {
      ParallelDimAttr dim = graph.lookupParallelDim(split.dim);
      if (!dim)
        return op->emitOpError()
               << "splits dim " << dataDim << " along '" << split.dim
               << "', which the graph does not declare";
      if (dim.getKind() != ParallelKind::Loop && afterLoopDim)
        return op->emitOpError()
               << "splits dim " << dataDim << " along the loop before '"
               << split.dim << "'; grid dims come first";
      afterLoopDim |= dim.getKind() == ParallelKind::Loop;
    }
  }
  std::optional<MappingViolation> violation =
      findMappingViolation(mapping, [&](StringRef name) {
        return graph.lookupParallelDim(name).getKind() != ParallelKind::Loop;
      });
  if (!violation)
    return success();
  if (violation->equation == 1)
    return op->emitOpError() << "splits more than one dim along '"
                             << violation->parallelDim << "' (equation (1))";
  return op->emitOpError() << "splits dim " << violation->dataDim
                           << " along more than one grid dim (equation (2))";
}

/// G3: `tile` has the extents of `whole` split as `map` says.
static LogicalResult verifyTile(Operation *op, ArrayRef<DimExpr> whole,
                                MapAttr map, TileType tile) {
  if (map.getValue().size() != whole.size())
    return op->emitOpError() << "maps " << map.getValue().size()
                             << " dims of a tensor of rank " << whole.size();
  SmallVector<DimExpr> expected = getTileExtents(whole, map.getValue());
  if (expected.size() != tile.getRank())
    return op->emitOpError() << "has a tile of rank " << tile.getRank()
                             << ", expected " << expected.size();
  for (auto [dim, want, have] : llvm::enumerate(expected, tile.getExtents())) {
    // Equal at all sizes, perhaps under equalities (checked as G4).
    auto equalities = matchExtents(want, have);
    bool isOpen = equalities && !equalities->empty();
    if (want != have && !isOpen)
      return op->emitOpError()
             << "has a tile of extent " << have.str() << " in dim " << dim
             << ", expected " << want.str() << " (equation (3))";
  }
  return success();
}

static LogicalResult verifySameElementType(Operation *op, Type a, Type b) {
  if (prism::getElementType(a) == prism::getElementType(b))
    return success();
  return op->emitOpError() << "changes the element type from "
                           << prism::getElementType(a) << " to "
                           << prism::getElementType(b) << "; use prism.cast";
}

/// G3: kernels split tensors into tiles, thread graphs tiles into tiles.
static LogicalResult verifyLevel(Operation *op, Type whole) {
  bool isInKernel = isa<KernelOp>(op->getParentOp());
  if (isa<SymbolicTensorType>(whole) == isInKernel)
    return success();
  return op->emitOpError() << "splits " << whole << " in a "
                           << op->getParentOp()->getName() << ", expected a "
                           << (isInKernel ? "!prism.tensor" : "!prism.tile");
}

LogicalResult LoadOp::verify() {
  auto graph = cast<GraphOpInterface>((*this)->getParentOp());
  if (failed(verifyLevel(*this, getSource().getType())) ||
      failed(verifyMap(*this, graph, getMap().getValue())) ||
      failed(verifyTile(*this, getExtents(getSource().getType()), getMap(),
                        getType())))
    return failure();
  return verifySameElementType(*this, getSource().getType(), getType());
}

LogicalResult SaveOp::verify() {
  auto graph = cast<GraphOpInterface>((*this)->getParentOp());
  if (failed(verifyLevel(*this, getResult().getType())) ||
      failed(verifyMap(*this, graph, getMap().getValue())))
    return failure();
  // G8
  auto isLoop = [&](StringRef name) {
    return graph.lookupParallelDim(name).getKind() == ParallelKind::Loop;
  };
  for (const auto &splits : getMap().getValue())
    for (const Split &split : splits)
      if (isLoop(split.dim))
        return emitOpError() << "puts tiles together along the loop dim '"
                             << split.dim << "'; an omap has grid dims only";
  SmallVector<DimExpr> whole = getExtents(getResult().getType());
  for (auto name : getPartials().getAsRange<StringAttr>()) {
    if (!graph.lookupParallelDim(name) || isLoop(name))
      return emitOpError() << "writes partials along '" << name.getValue()
                           << "', which is no grid dim of the graph";
    std::string size = (graph.getGraphName() + "." + name.getValue()).str();
    if (whole.empty() || whole.front() != DimExpr::symbol(size))
      return emitOpError() << "writes partials along '" << name.getValue()
                           << "', expected the leading extent " << size
                           << " in the result";
    whole.erase(whole.begin());
  }
  if (failed(verifyTile(*this, whole, getMap(), getTile().getType())))
    return failure();
  return verifySameElementType(*this, getTile().getType(),
                               getResult().getType());
}

/// G14: `maps` gives tile and result the same dims, and the shift some of them,
/// where it has the tile's extents.
static LogicalResult verifyShift(AccumulateOp op) {
  if (!op.getShift() && op.getIndexingMaps())
    return op.emitOpError("has maps but no shift that they index");
  if (!op.getShift())
    return success();
  SmallVector<DimExpr> tile = op.getTile().getType().getExtents();
  SmallVector<DimExpr> shift = op.getShift().getType().getExtents();
  AffineMap identity =
      AffineMap::getMultiDimIdentityMap(tile.size(), op.getContext());
  SmallVector<AffineMap> maps(3, identity);
  if (ArrayAttr attr = op.getIndexingMapsAttr())
    maps = llvm::to_vector(attr.getAsValueRange<AffineMapAttr>());
  if (maps.size() != 3 || !maps[0].isPermutation() || maps[2] != maps[0] ||
      maps[1].getNumDims() != tile.size() || maps[1].getNumSymbols() != 0 ||
      !maps[1].isProjectedPermutation() ||
      maps[0].getNumResults() != tile.size())
    return op.emitOpError("expects maps of the tile, the shift and the result: "
                          "tile and result name each dim, alike, the shift "
                          "each at most once");
  if (maps[1].getNumResults() != shift.size())
    return op.emitOpError()
           << "has a shift of rank " << shift.size() << ", but its map names "
           << maps[1].getNumResults() << " dims";
  for (auto [have, expr] : llvm::zip_equal(shift, maps[1].getResults())) {
    unsigned dim = *maps[0].getResultPosition(expr);
    if (!matchExtents(tile[dim], have))
      return op.emitOpError()
             << "has a shift of extent " << have.str() << " where the tile has "
             << tile[dim].str() << " in dim " << dim;
  }
  return success();
}

LogicalResult AccumulateOp::verify() {
  auto graph = cast<GraphOpInterface>((*this)->getParentOp());
  ParallelDimAttr dim = graph.lookupParallelDim(getOver());
  if (!dim || dim.getKind() != ParallelKind::Loop)
    return emitOpError() << "accumulates over '" << getOver()
                         << "', which is no loop dim of the graph";
  if (getTile().getType().getExtents() != getType().getExtents())
    return emitOpError() << "has a result of type " << getType()
                         << ", expected the extents of " << getTile().getType();
  if ((getKind() == AccumulatorKind::RescaledSum) != !!getShift())
    return emitOpError("has a shift iff its kind is rescaled_sum");
  if (failed(verifyShift(*this)))
    return failure();
  Type from = getTile().getType().getElementType();
  Type to = getType().getElementType();
  if (from != to && from.getIntOrFloatBitWidth() >= to.getIntOrFloatBitWidth())
    return emitOpError() << "accumulates " << from << " in " << to
                         << ", which is not wider";
  return success();
}
