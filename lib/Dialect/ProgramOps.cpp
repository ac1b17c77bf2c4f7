//===- ProgramOps.cpp - Programs, candidates and their sites ----------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Assembly and verification (constraints P1 to P6) of prism.program,
// prism.candidate and prism.invoke.
//
//===----------------------------------------------------------------------===//

#include "Prism/Dialect/PrismDialect.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace prism;

static YieldOp getYieldOf(Region &region) {
  if (region.empty() || region.front().empty())
    return {};
  return dyn_cast<YieldOp>(region.front().back());
}

//===----------------------------------------------------------------------===//
// prism.program
//===----------------------------------------------------------------------===//

void ProgramOp::build(OpBuilder &builder, OperationState &state, StringRef name,
                      ArrayRef<ExtentSymbolAttr> extents, FunctionType type) {
  state.getOrAddProperties<Properties>().sym_name = builder.getStringAttr(name);
  state.getOrAddProperties<Properties>().extents = builder.getArrayAttr(
      SmallVector<Attribute>(extents.begin(), extents.end()));
  state.getOrAddProperties<Properties>().function_type = TypeAttr::get(type);
  Block &body = state.addRegion()->emplaceBlock();
  for (Type input : type.getInputs())
    body.addArgument(input, state.location);
  state.addRegion();
}

YieldOp ProgramOp::getYield() { return getYieldOf(getBody()); }

ExtentSymbolAttr ProgramOp::lookupExtent(StringRef name) {
  for (auto symbol : getExtents().getAsRange<ExtentSymbolAttr>())
    if (symbol.getName() == name)
      return symbol;
  return {};
}

Block &ProgramOp::getOrCreateCandidateBlock() {
  if (getCandidates().empty())
    getCandidates().emplaceBlock();
  return getCandidates().front();
}

void ProgramOp::setAllowsTF32(bool allows) {
  if (allows)
    (*this)->setAttr(getAllowTF32AttrName(), UnitAttr::get(getContext()));
  else
    (*this)->removeAttr(getAllowTF32AttrName());
}

SmallVector<CandidateOp> ProgramOp::getCandidateOps() {
  if (getCandidates().empty())
    return {};
  return llvm::to_vector(getCandidates().front().getOps<CandidateOp>());
}

ParseResult ProgramOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  auto &properties = result.getOrAddProperties<Properties>();
  StringRef visibility;
  if (succeeded(parser.parseOptionalKeyword(&visibility,
                                            {"public", "private", "nested"})))
    properties.sym_visibility = builder.getStringAttr(visibility);
  SmallVector<Attribute> extents;
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<Type> results;
  if (parser.parseSymbolName(properties.sym_name) ||
      parser.parseKeyword("extents") ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     [&] {
                                       extents.push_back(
                                           parseExtentSymbol(parser));
                                       return success(!!extents.back());
                                     }) ||
      parser.parseArgumentList(arguments, AsmParser::Delimiter::Paren,
                               /*allowType=*/true) ||
      parser.parseArrow() ||
      parser.parseCommaSeparatedList(
          AsmParser::Delimiter::Paren,
          [&] { return parser.parseType(results.emplace_back()); }) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  properties.extents = builder.getArrayAttr(extents);
  SmallVector<Type> inputs = llvm::map_to_vector(
      arguments, [](const OpAsmParser::Argument &arg) { return arg.type; });
  properties.function_type =
      TypeAttr::get(builder.getFunctionType(inputs, results));

  Region *body = result.addRegion();
  Region *candidates = result.addRegion();
  if (parser.parseRegion(*body, arguments))
    return failure();
  if (body->empty())
    return parser.emitError(parser.getNameLoc(), "expected a program body");
  if (succeeded(parser.parseOptionalKeyword("candidates")))
    return parser.parseRegion(*candidates);
  return success();
}

void ProgramOp::print(OpAsmPrinter &printer) {
  raw_ostream &os = printer.getStream();
  printer << ' ';
  if (std::optional<StringRef> visibility = getSymVisibility())
    printer << *visibility << ' ';
  printer.printSymbolName(getSymName());
  printer << " extents [";
  llvm::interleaveComma(
      getExtents().getAsRange<ExtentSymbolAttr>(), os,
      [&](ExtentSymbolAttr symbol) { printExtentSymbol(printer, symbol); });
  printer << "] (";
  llvm::interleaveComma(getBody().getArguments(), os, [&](BlockArgument arg) {
    printer.printRegionArgument(arg);
  });
  printer << ") -> (";
  llvm::interleaveComma(getFunctionType().getResults(), os);
  printer << ')';
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(), {getSymNameAttrName(), getSymVisibilityAttrName(),
                            getExtentsAttrName(), getFunctionTypeAttrName()});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
  if (getCandidateOps().empty())
    return;
  printer << " candidates ";
  printer.printRegion(getCandidates());
}

LogicalResult ProgramOp::verify() {
  llvm::StringSet<> names;
  for (auto symbol : getExtents().getAsRange<ExtentSymbolAttr>())
    if (!names.insert(symbol.getName()).second)
      return emitOpError() << "declares extent '" << symbol.getName()
                           << "' twice";
  // P2
  if (getBody().getArgumentTypes() != getFunctionType().getInputs())
    return emitOpError("has a body whose arguments differ from its type");
  return success();
}

/// P1: types name declared extents, or sizes of a graph in the same candidate.
static LogicalResult verifySymbols(ProgramOp program, Operation *op,
                                   Type type) {
  StringRef unknown;
  for (const DimExpr &extent : getExtents(type))
    extent.walkSymbols([&](StringRef name) {
      // <graph>.<dim> is checked where the saver declares it.
      if (!name.contains('.') && !program.lookupExtent(name))
        unknown = name;
    });
  if (unknown.empty())
    return success();
  return op->emitOpError() << "names extent '" << unknown
                           << "', which program @" << program.getSymName()
                           << " does not declare";
}

static LogicalResult verifySymbolsIn(ProgramOp program, Region &region) {
  for (Block &block : region)
    for (BlockArgument argument : block.getArguments())
      if (failed(
              verifySymbols(program, block.getParentOp(), argument.getType())))
        return failure();
  WalkResult walked = region.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (failed(verifySymbols(program, op, type)))
        return WalkResult::interrupt();
    if (auto constant = dyn_cast<ConstantOp>(op))
      if (auto extent = dyn_cast<DimExprAttr>(constant.getValue()))
        if (failed(verifySymbols(
                program, op,
                SymbolicTensorType::get(op->getContext(), {extent.getValue()},
                                        Float32Type::get(op->getContext())))))
          return WalkResult::interrupt();
    for (Region &inner : op->getRegions())
      for (Type type :
           inner.empty() ? TypeRange() : TypeRange(inner.getArgumentTypes()))
        if (failed(verifySymbols(program, op, type)))
          return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(walked.wasInterrupted());
}

/// P2, P3: `block` takes the program's arguments and yields its results.
static LogicalResult verifySignature(Operation *op, ProgramOp program,
                                     Block &block) {
  FunctionType type = program.getFunctionType();
  if (block.getArgumentTypes() != type.getInputs())
    return op->emitOpError()
           << "takes (" << block.getArgumentTypes() << "), expected ("
           << type.getInputs() << ") as in program @" << program.getSymName();
  auto yield = block.empty() ? YieldOp() : dyn_cast<YieldOp>(block.back());
  if (!yield)
    return op->emitOpError("must end in prism.yield");
  if (yield.getOperandTypes() != type.getResults())
    return yield.emitOpError()
           << "has types (" << yield.getOperandTypes() << "), expected ("
           << type.getResults() << ") as in program @" << program.getSymName();
  return success();
}

LogicalResult ProgramOp::verifyRegions() {
  for (Type type : getFunctionType().getInputs())
    if (!isa<SymbolicTensorType>(type))
      return emitOpError() << "expects arguments of !prism.tensor, got "
                           << type;
  if (failed(verifySymbolsIn(*this, getBody())) ||
      failed(verifySymbolsIn(*this, getCandidates())) ||
      failed(verifySignature(*this, *this, getBodyBlock())))
    return failure();
  // P6
  for (Operation &op : getBodyBlock().without_terminator())
    if (!isa<ComputeOpInterface>(op))
      return op.emitOpError(
          "is not a compute op; a program holds nothing else");
  if (getCandidates().empty())
    return success();
  llvm::StringSet<> ids;
  for (Operation &op : getCandidates().front()) {
    auto candidate = dyn_cast<CandidateOp>(op);
    if (!candidate)
      return op.emitOpError("stands among candidates, expected "
                            "prism.candidate");
    if (!ids.insert(candidate.getId()).second)
      return candidate.emitOpError()
             << "has the id \"" << candidate.getId() << "\" of another";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// prism.candidate
//===----------------------------------------------------------------------===//

ProgramOp CandidateOp::getProgram() {
  return cast<ProgramOp>((*this)->getParentOp());
}

YieldOp CandidateOp::getYield() { return getYieldOf(getBody()); }

LogicalResult CandidateOp::verify() {
  if (getCertificate() && getVerdict() != Verdict::Proved)
    return emitOpError("carries a certificate, expected verdict Proved");
  return success();
}

/// P4: what is still open in `op` under the state `state`.
static LogicalResult verifyState(Operation *op, CandidateState state) {
  if (state == CandidateState::Symbolic)
    return success();
  if (isa<LoadOp, SaveOp>(op))
    for (const auto &splits : op->getAttrOfType<MapAttr>("map").getValue())
      for (const Split &split : splits)
        if (split.variable)
          return op->emitOpError()
                 << "leaves m" << *split.variable << " open in a "
                 << stringifyCandidateState(state) << " candidate";
  auto graph = dyn_cast<GraphOpInterface>(op);
  if (!graph || state != CandidateState::Sized)
    return success();
  for (ParallelDimAttr dim : graph.getParallelDims())
    if (!dim.getTile())
      return op->emitOpError()
             << "leaves the tile of parallel dim '" << dim.getName()
             << "' open in a sized candidate";
  return success();
}

LogicalResult CandidateOp::verifyRegions() {
  if (failed(verifySignature(*this, getProgram(), getBodyBlock())))
    return failure();
  for (Operation &op : getBodyBlock().without_terminator())
    if (!isa<ComputeOpInterface, KernelOp>(op))
      return op.emitOpError("is neither a compute op nor a kernel; a candidate "
                            "holds nothing else");
  WalkResult walked = getBody().walk([&](Operation *op) {
    return failed(verifyState(op, getState())) ? WalkResult::interrupt()
                                               : WalkResult::advance();
  });
  return failure(walked.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// prism.invoke
//===----------------------------------------------------------------------===//

namespace {
/// The values that the operands' and results' static extents give the symbols.
class ExtentBinding {
public:
  ExtentBinding(InvokeOp invoke, ProgramOp program)
      : invoke(invoke), program(program) {}

  LogicalResult bind(StringRef what, unsigned index, Type actual,
                     Type declared) {
    auto tensor = cast<RankedTensorType>(actual);
    auto expected = dyn_cast<SymbolicTensorType>(declared);
    if (!expected || tensor.getElementType() != expected.getElementType() ||
        tensor.getRank() != static_cast<int64_t>(expected.getRank()))
      return invoke.emitOpError()
             << what << " " << index << " is " << actual << ", but program @"
             << program.getSymName() << " has " << declared;
    for (auto [dim, have, extent] :
         llvm::enumerate(tensor.getShape(), expected.getExtents())) {
      if (ShapedType::isDynamic(have))
        continue;
      std::optional<int64_t> want = evaluate(extent, have);
      if (want && *want != have)
        return invoke.emitOpError()
               << what << " " << index << " has extent " << have << " in dim "
               << dim << ", but " << extent.str() << " = " << *want;
    }
    return success();
  }

private:
  /// The value of `extent`; binds it to `have` if it is an open symbol.
  std::optional<int64_t> evaluate(const DimExpr &extent, int64_t have) {
    StringRef symbol = extent.asSymbol();
    if (!symbol.empty() && !valueOf(symbol))
      values[symbol] = have;
    return extent.evaluate(
        [&](StringRef name) { return valueOf(name); },
        [](StringRef) -> std::optional<int64_t> { return std::nullopt; });
  }
  std::optional<int64_t> valueOf(StringRef name) {
    if (ExtentSymbolAttr symbol = program.lookupExtent(name))
      if (symbol.getValue())
        return symbol.getValue();
    auto it = values.find(name);
    return it == values.end() ? std::nullopt
                              : std::optional<int64_t>(it->second);
  }

  InvokeOp invoke;
  ProgramOp program;
  llvm::StringMap<int64_t> values;
};
} // namespace

LogicalResult InvokeOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  auto program =
      symbolTable.lookupNearestSymbolFrom<ProgramOp>(*this, getProgramAttr());
  if (!program)
    return emitOpError() << "refers to @" << getProgram()
                         << ", which is no prism.program";
  FunctionType type = program.getFunctionType();
  if (getArguments().size() != type.getNumInputs() ||
      getResults().size() != type.getNumResults())
    return emitOpError() << "has " << getArguments().size() << " operands and "
                         << getResults().size() << " results, but program @"
                         << getProgram() << " has " << type.getNumInputs()
                         << " and " << type.getNumResults();
  ExtentBinding binding(*this, program);
  for (auto [index, actual, declared] :
       llvm::enumerate(getArguments().getTypes(), type.getInputs()))
    if (failed(binding.bind("operand", index, actual, declared)))
      return failure();
  for (auto [index, actual, declared] :
       llvm::enumerate(getResults().getTypes(), type.getResults()))
    if (failed(binding.bind("result", index, actual, declared)))
      return failure();
  return success();
}
