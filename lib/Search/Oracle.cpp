//===- Oracle.cpp - The expressions equal to a program --------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Holds the classes and their prototypes in a canonical form: operands of
// commutative ops are sorted, iteration dims are numbered by first use.
//
//===----------------------------------------------------------------------===//

#include "Prism/Search/Oracle.h"

using namespace mlir;
using namespace prism;

Oracle::Oracle() : scratch(std::make_unique<Block>()) {}
Oracle::~Oracle() {
  // Prototypes refer to placeholders only: any order of destruction will do.
  classes.clear();
}

Type prism::getArithmeticElementType(Type elementType) {
  if (elementType.isF16() || elementType.isBF16())
    return Float32Type::get(elementType.getContext());
  return elementType;
}

unsigned Oracle::addClass(Type type) {
  OracleClass &cls = classes.emplace_back();
  cls.type = type;
  cls.placeholder =
      scratch->addArgument(type, UnknownLoc::get(type.getContext()));
  return classes.size() - 1;
}

/// A constant's value in `elementType`.
static Attribute convertConstant(Attribute value, Type elementType) {
  auto number = dyn_cast<FloatAttr>(value);
  if (!number || number.getType() == elementType)
    return value;
  return FloatAttr::get(elementType, number.getValueAsDouble());
}

/// The maps with iteration dims renumbered in order of first use, the result's
/// first.
static SmallVector<AffineMap> renumberDims(ArrayRef<AffineMap> maps,
                                           MLIRContext *context) {
  SmallVector<AffineExpr> replacement(maps.back().getNumDims());
  unsigned next = 0;
  auto visit = [&](AffineMap map) {
    for (AffineExpr expr : map.getResults()) {
      AffineExpr &to = replacement[cast<AffineDimExpr>(expr).getPosition()];
      if (!to)
        to = getAffineDimExpr(next++, context);
    }
  };
  visit(maps.back());
  llvm::for_each(maps.drop_back(), visit);
  return llvm::map_to_vector(maps, [&](AffineMap map) {
    return map.replaceDimsAndSymbols(replacement, {}, next, 0);
  });
}

/// A text that orders maps.
static std::string toText(AffineMap map) {
  std::string text;
  llvm::raw_string_ostream(text) << map;
  return text;
}

/// Sorts the operands of a commutative op, together with their maps.
static void canonicalize(Operation *op, SmallVectorImpl<unsigned> &operands) {
  bool commutes = op->hasTrait<prism::Commutes>();
  auto mapped = dyn_cast<IndexingMapsOpInterface>(op);
  if (!mapped)
    return;
  SmallVector<AffineMap> maps = mapped.getMapsOrDefault();
  MLIRContext *context = op->getContext();
  if (commutes && operands.size() == 2) {
    SmallVector<AffineMap> swapped = {maps[1], maps[0], maps[2]};
    SmallVector<AffineMap> straight = renumberDims(maps, context);
    swapped = renumberDims(swapped, context);
    bool swap = operands[1] < operands[0];
    if (operands[0] == operands[1])
      swap = std::make_pair(toText(swapped[0]), toText(swapped[1])) <
             std::make_pair(toText(straight[0]), toText(straight[1]));
    if (swap) {
      std::swap(operands[0], operands[1]);
      SmallVector<Value> values(llvm::reverse(op->getOperands()));
      op->setOperands(values);
      std::swap(maps[0], maps[1]);
    }
  }
  mapped.setMaps(renumberDims(maps, context));
}

bool Oracle::addNode(unsigned cls, OperationName name,
                     DictionaryAttr attributes,
                     ArrayRef<unsigned> operandClasses) {
  SmallVector<unsigned, 2> operands(operandClasses);
  MLIRContext *context = name.getContext();
  OperationState state(UnknownLoc::get(context), name);
  for (unsigned operand : operands)
    state.addOperands(classes[operand].placeholder);
  state.addTypes(classes[cls].type);
  for (NamedAttribute attribute : attributes) {
    Attribute value = attribute.getValue();
    if (operands.empty())
      value = convertConstant(value, getElementType(classes[cls].type));
    state.addAttribute(attribute.getName(), value);
  }
  OpBuilder builder(context);
  builder.setInsertionPointToEnd(scratch.get());
  Operation *op = builder.create(state);
  canonicalize(op, operands);
  ++numNodes;
  for (const OracleNode &node : classes[cls].nodes)
    if (OperationEquivalence::isEquivalentTo(
            op, node.prototype, OperationEquivalence::IgnoreLocations)) {
      op->erase();
      return false;
    }
  classes[cls].nodes.push_back(
      {op, getRealStructure(cast<ComputeOpInterface>(op), precision),
       std::move(operands)});
  return true;
}

IterationStructure prism::getRealStructure(ComputeOpInterface op,
                                           Precision precision) {
  IterationStructure structure = op.getIterationStructure();
  auto cast = dyn_cast<CastOp>(op.getOperation());
  if (cast && precision == Precision::Strict && cast.isNarrowing())
    structure.linearGroups.clear();
  return structure;
}

bool Oracle::isErased(Operation *op) const {
  auto cast = dyn_cast<CastOp>(op);
  return cast && !getElementType(cast.getInput().getType()).isInteger(1) &&
         (precision == Precision::Relaxed || !cast.isNarrowing());
}

unsigned prism::countCastNodes(ProgramOp program, Precision precision) {
  if (precision == Precision::Relaxed)
    return 0;
  return llvm::count_if(program.getBodyBlock().getOps<CastOp>(),
                        [](CastOp cast) { return cast.isNarrowing(); });
}

static Type getArithmeticType(Type type) {
  return cloneWith(type, getExtents(type),
                   getArithmeticElementType(getElementType(type)));
}

/// The type of the class of an op that is a node: that of arithmetic, but for a
/// cast what it casts to.
static Type getClassType(Operation *op) {
  Type type = op->getResult(0).getType();
  return isa<CastOp>(op) ? type : getArithmeticType(type);
}

/// The node before class `cls` that is the same as the first of `cls`; that
/// itself if there is none.
static Oracle::Entry findEqual(const Oracle &oracle, unsigned cls) {
  const OracleNode &node = oracle.classes[cls].nodes.front();
  for (unsigned other = 0; other < cls; ++other)
    for (auto [index, candidate] : llvm::enumerate(oracle.classes[other].nodes))
      if (OperationEquivalence::isEquivalentTo(
              node.prototype, candidate.prototype,
              OperationEquivalence::IgnoreLocations))
        return {other, static_cast<unsigned>(index)};
  return {cls, 0};
}

std::optional<Oracle::Entry> Oracle::find(OperationName name,
                                          DictionaryAttr attributes,
                                          ArrayRef<unsigned> operands,
                                          Type type) {
  // Looked up by adding it, as it would stand here, for a moment.
  unsigned cls = addClass(type);
  addNode(cls, name, attributes, operands);
  Entry found = findEqual(*this, cls);
  classes.pop_back();
  --numNodes;
  if (found.cls == cls)
    return std::nullopt;
  return found;
}

llvm::DenseMap<Value, unsigned> Oracle::findProgramValues(ProgramOp program) {
  llvm::DenseMap<Value, unsigned> found;
  for (auto [cls, node] : llvm::enumerate(classes))
    if (node.argument)
      found[program.getBodyBlock().getArgument(*node.argument)] = cls;
  for (Operation &op : program.getBodyBlock().without_terminator()) {
    SmallVector<unsigned> operands;
    for (Value operand : op.getOperands())
      if (auto it = found.find(operand); it != found.end())
        operands.push_back(it->second);
    if (operands.size() != op.getNumOperands())
      continue;
    Value result = op.getResult(0);
    if (isErased(&op)) {
      found[result] = operands.front();
      continue;
    }
    if (std::optional<Entry> entry = find(op.getName(), op.getAttrDictionary(),
                                          operands, getClassType(&op)))
      found[result] = entry->cls;
  }
  return found;
}

namespace {
/// Walks the program's ops.
class ProgramOracleBuilder {
public:
  ProgramOracleBuilder(ProgramOp program, Precision precision)
      : program(program) {
    oracle.precision = precision;
  }

  Oracle build() {
    for (BlockArgument argument : program.getBodyBlock().getArguments()) {
      unsigned cls = oracle.addClass(getArithmeticType(argument.getType()));
      oracle.classes[cls].argument = argument.getArgNumber();
      classOf[argument] = cls;
    }
    for (Operation &op : program.getBodyBlock().without_terminator())
      addOp(&op);
    for (Value result : program.getYield().getValues())
      oracle.results.push_back(classOf.lookup(result));
    return std::move(oracle);
  }

private:
  void addOp(Operation *op) {
    Value result = op->getResult(0);
    if (oracle.isErased(op)) {
      classOf[result] = classOf.lookup(op->getOperand(0));
      return;
    }
    SmallVector<unsigned> operands = llvm::map_to_vector(
        op->getOperands(), [&](Value value) { return classOf.lookup(value); });
    unsigned cls = oracle.addClass(getClassType(op));
    oracle.addNode(cls, op->getName(), op->getAttrDictionary(), operands);
    classOf[result] = findEqual(oracle, cls).cls;
  }

  ProgramOp program;
  Oracle oracle;
  llvm::DenseMap<Value, unsigned> classOf;
};
} // namespace

Oracle prism::buildProgramOracle(ProgramOp program, Precision precision) {
  return ProgramOracleBuilder(program, precision).build();
}
