//===- TermLanguage.cpp - Terms of tensor programs and graphs -------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prototypes are kept as ops in a scratch block, so that everything about them
// comes from the ops' own declarations.
//
//===----------------------------------------------------------------------===//

#include "Prism/Axioms/TermLanguage.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace prism;

TermLanguage::TermLanguage(MLIRContext *context, Precision precision)
    : context(context), precision(precision),
      scratch(std::make_unique<Block>()) {
  ops.arg = table.intern("arg");
  ops.part = table.intern("part");
  ops.repl = table.intern("repl");
  ops.comb = table.intern("comb");
  ops.red = table.intern("red");
  ops.redmax = table.intern("redmax");
  ops.sel = table.intern("sel");
  ops.stack = table.intern("stack");
  ops.rescale = table.intern("rescale");
  ops.defined = table.intern("defined");
}

TermLanguage::~TermLanguage() = default;

//===----------------------------------------------------------------------===//
// Prototypes
//===----------------------------------------------------------------------===//

static constexpr StringLiteral mapsName = "indexing_maps";

/// The attributes that say what an op computes: its inherent ones, the maps
/// apart.
static DictionaryAttr getInherentAttributes(Operation *op) {
  NamedAttrList attributes;
  for (StringAttr name : op->getName().getAttributeNames()) {
    std::optional<Attribute> value = op->getInherentAttr(name);
    if (name != mapsName && value && *value)
      attributes.append(name, *value);
  }
  return attributes.getDictionary(op->getContext());
}

/// Renumbers iteration dims by first appearance in `maps`, result first.
static SmallVector<IndexMap> renumber(ArrayRef<IndexMap> operandMaps,
                                      const IndexMap &resultMap) {
  llvm::SmallDenseMap<unsigned, unsigned> numbers;
  auto rename = [&](const IndexMap &map) {
    IndexMap renamed;
    for (const auto &factors : map) {
      auto &list = renamed.emplace_back();
      for (unsigned dim : factors)
        list.push_back(
            numbers.try_emplace(dim, unsigned(numbers.size())).first->second);
    }
    return renamed;
  };
  IndexMap result = rename(resultMap);
  SmallVector<IndexMap> maps;
  for (const IndexMap &map : operandMaps)
    maps.push_back(rename(map));
  maps.push_back(std::move(result));
  return maps;
}

static unsigned countDims(ArrayRef<IndexMap> maps) {
  unsigned count = 0;
  for (const IndexMap &map : maps)
    for (const auto &factors : map)
      for (unsigned dim : factors)
        count = std::max(count, dim + 1);
  return count;
}

/// Dims that no operand has alone: their extents are the prototype's own.
static bool isOwnDim(const IterationStructure &structure, unsigned dim) {
  for (const IndexMap &map : structure.operandMaps)
    for (const auto &factors : map)
      if (factors.size() == 1 && factors.front() == dim)
        return false;
  return true;
}

PrototypeId TermLanguage::internPrototype(Operation *op) {
  auto compute = cast<ComputeOpInterface>(op);
  IterationStructure structure = compute.getIterationStructure();
  SmallVector<IndexMap> maps;
  if (isa<IndexingMapsOpInterface>(op))
    maps = renumber(structure.operandMaps, structure.resultMap);
  SmallVector<unsigned> ranks;
  SmallVector<Type> elementTypes;
  for (Type type : op->getOperandTypes()) {
    ranks.push_back(getRank(type));
    elementTypes.push_back(getElementType(type));
  }
  Type resultType = op->getResult(0).getType();
  elementTypes.push_back(getElementType(resultType));
  SmallVector<DimExpr> resultExtents(getRank(resultType));
  SmallVector<DimExpr> extents = getExtents(resultType);
  for (auto [factors, extent, own] :
       llvm::zip(structure.resultMap, extents, resultExtents))
    if (factors.size() == 1 && isOwnDim(structure, factors.front()))
      own = extent;
  // An elementwise op must not drop a dim: what would it be at that point?
  if (!maps.empty())
    for (unsigned dim = 0; dim < structure.dims.size(); ++dim)
      if (structure.dims[dim] == IterationKind::Parallel &&
          !IterationStructure::carries(structure.resultMap, dim))
        return egraph::None;
  return intern(op->getName(), getInherentAttributes(op), maps, ranks,
                resultExtents.size(), resultExtents, elementTypes);
}

PrototypeId TermLanguage::internMapped(StringRef name,
                                       ArrayRef<IndexMap> operandMaps,
                                       const IndexMap &resultMap,
                                       PrototypeId like) {
  SmallVector<IndexMap> maps = renumber(operandMaps, resultMap);
  DictionaryAttr attributes = DictionaryAttr::get(context);
  if (like != egraph::None)
    attributes = getInherentAttributes(prototypes[like].op);
  SmallVector<unsigned> ranks;
  for (const IndexMap &map : operandMaps)
    ranks.push_back(map.size());
  SmallVector<Type> elementTypes(ranks.size() + 1, Float32Type::get(context));
  return intern(OperationName(name, context), attributes, maps, ranks,
                resultMap.size(), SmallVector<DimExpr>(resultMap.size()),
                elementTypes);
}

PrototypeId TermLanguage::internPlain(StringRef name,
                                      ArrayRef<unsigned> operandRanks,
                                      unsigned resultRank,
                                      ArrayRef<NamedAttribute> attributes) {
  SmallVector<Type> elementTypes(operandRanks.size() + 1,
                                 Float32Type::get(context));
  return intern(OperationName(name, context),
                DictionaryAttr::get(context, attributes), {}, operandRanks,
                resultRank, SmallVector<DimExpr>(resultRank), elementTypes);
}

/// Whether `op` maps each element of its operand to one of its result.
static bool isElementwiseUnary(const Prototype &op) {
  const IterationStructure &structure = op.structure;
  return structure.operandMaps.size() == 1 &&
         structure.operandMaps[0] == structure.resultMap &&
         llvm::all_of(structure.dims, [](IterationKind kind) {
           return kind == IterationKind::Parallel;
         });
}

PrototypeId TermLanguage::internWithoutDim(PrototypeId f, unsigned dim) {
  Operation *op = prototypes[f].op;
  const IterationStructure &structure = prototypes[f].structure;
  StringRef name = op->getName().getStringRef();
  auto drop = [&](IndexMap map) {
    llvm::erase_if(map, [&](const auto &factors) {
      return llvm::is_contained(factors, dim);
    });
    return map;
  };
  if (isa<IndexingMapsOpInterface>(op))
    return internMapped(name, llvm::map_to_vector(structure.operandMaps, drop),
                        drop(structure.resultMap), f);
  if (isa<ReduceSumOp, ReduceMaxOp>(op)) {
    SmallVector<int64_t> reduced;
    for (auto [at, kind] : llvm::enumerate(structure.dims))
      if (kind != IterationKind::Parallel)
        reduced.push_back(int64_t(at) - (at > dim));
    NamedAttribute dims(StringAttr::get(context, "dims"),
                        DenseI64ArrayAttr::get(context, reduced));
    return internPlain(name, {unsigned(structure.dims.size()) - 1},
                       structure.resultMap.size() - 1, {dims});
  }
  // A cast is told by its element types, too.
  if (!isElementwiseUnary(prototypes[f]) || isa<CastOp>(op))
    return egraph::None;
  unsigned rank = structure.dims.size() - 1;
  return internPlain(name, {rank}, rank, getInherentAttributes(op).getValue());
}

Operation *TermLanguage::createScratchOp(OperationName name,
                                         DictionaryAttr attributes,
                                         ArrayRef<unsigned> operandRanks,
                                         ArrayRef<DimExpr> resultExtents,
                                         ArrayRef<Type> elementTypes) {
  Location loc = UnknownLoc::get(context);
  OperationState state(loc, name);
  // Types must have known extents; this symbol is never read.
  DimExpr placeholder = DimExpr::symbol("_");
  for (auto [rank, elementType] : llvm::zip(operandRanks, elementTypes)) {
    SmallVector<DimExpr> extents(rank, placeholder);
    state.addOperands(scratch->addArgument(
        SymbolicTensorType::get(context, extents, elementType), loc));
  }
  SmallVector<DimExpr> extents(resultExtents);
  for (DimExpr &extent : extents)
    if (extent.isUnknown())
      extent = placeholder;
  state.addTypes(
      SymbolicTensorType::get(context, extents, elementTypes.back()));
  state.addAttributes(attributes.getValue());
  Operation *op = Operation::create(state);
  scratch->push_back(op);
  return op;
}

static Attribute toAttribute(MLIRContext *context, const IndexMap &map) {
  return ArrayAttr::get(
      context, llvm::map_to_vector(map, [&](const auto &factors) -> Attribute {
        return DenseI64ArrayAttr::get(
            context, SmallVector<int64_t>(factors.begin(), factors.end()));
      }));
}

/// A constant is the number that it is, in whatever type it is written.
static DictionaryAttr widenNumbers(DictionaryAttr attributes) {
  NamedAttrList widened(attributes);
  for (NamedAttribute attribute : attributes)
    if (auto number = dyn_cast<FloatAttr>(attribute.getValue()))
      widened.set(attribute.getName(),
                  FloatAttr::get(Float64Type::get(attributes.getContext()),
                                 number.getValueAsDouble()));
  return widened.getDictionary(attributes.getContext());
}

/// What makes prototypes equal, as one attribute: name, attributes, operand
/// ranks, maps, own extents of the result (else unit), element types.
static Attribute makeKey(OperationName name, DictionaryAttr attributes,
                         ArrayRef<IndexMap> maps, ArrayRef<unsigned> ranks,
                         ArrayRef<DimExpr> resultExtents,
                         ArrayRef<Type> elementTypes, bool withTypes) {
  MLIRContext *context = attributes.getContext();
  SmallVector<Attribute> mapAttrs, extentAttrs, typeAttrs;
  for (const IndexMap &map : maps)
    mapAttrs.push_back(toAttribute(context, map));
  for (const DimExpr &extent : resultExtents)
    extentAttrs.push_back(extent.isUnknown()
                              ? Attribute(UnitAttr::get(context))
                              : DimExprAttr::get(context, extent));
  if (withTypes)
    for (Type type : elementTypes)
      typeAttrs.push_back(TypeAttr::get(type));
  return ArrayAttr::get(
      context,
      {name.getIdentifier(), widenNumbers(attributes),
       DenseI64ArrayAttr::get(context,
                              SmallVector<int64_t>(ranks.begin(), ranks.end())),
       ArrayAttr::get(context, mapAttrs), ArrayAttr::get(context, extentAttrs),
       ArrayAttr::get(context, typeAttrs)});
}

PrototypeId TermLanguage::intern(OperationName name, DictionaryAttr attributes,
                                 ArrayRef<IndexMap> maps,
                                 ArrayRef<unsigned> operandRanks,
                                 unsigned resultRank,
                                 ArrayRef<DimExpr> resultExtents,
                                 ArrayRef<Type> elementTypes) {
  // Only a cast's element types say what it computes; strict precision keeps
  // casts.
  bool withTypes = name.getStringRef() == CastOp::getOperationName();
  Attribute key = makeKey(name, attributes, maps, operandRanks, resultExtents,
                          elementTypes, withTypes);
  auto [it, isNew] =
      prototypeIds.try_emplace(key, PrototypeId(prototypes.size()));
  if (!isNew)
    return it->second;
  Prototype prototype;
  prototype.operatorId = table.intern(name.getStringRef());
  prototype.key = key;
  prototype.op = createScratchOp(name, attributes, operandRanks, resultExtents,
                                 elementTypes);
  if (auto mapped = dyn_cast<IndexingMapsOpInterface>(prototype.op)) {
    SmallVector<AffineMap> affineMaps;
    for (const IndexMap &map : maps)
      affineMaps.push_back(toAffineMap(map, countDims(maps), context));
    mapped.setMaps(affineMaps);
  }
  prototype.structure =
      cast<ComputeOpInterface>(prototype.op).getIterationStructure();
  prototype.ownExtents.resize(prototype.structure.dims.size());
  for (auto [factors, extent] :
       llvm::zip(prototype.structure.resultMap, resultExtents))
    if (factors.size() == 1)
      prototype.ownExtents[factors.front()] = extent;
  prototypes.push_back(std::move(prototype));
  return it->second;
}

bool TermLanguage::isErased(Operation *op) const {
  auto cast = dyn_cast<CastOp>(op);
  if (!cast || !isa<FloatType>(getElementType(cast.getType())))
    return false;
  // Widening changes no value.
  return precision == Precision::Relaxed ||
         (!cast.isNarrowing() &&
          isa<FloatType>(getElementType(cast.getInput().getType())));
}

//===----------------------------------------------------------------------===//
// Leaves and parallel dims
//===----------------------------------------------------------------------===//

void TermLanguage::setArgument(unsigned index, ArrayRef<DimExpr> extents) {
  if (arguments.size() <= index)
    arguments.resize(index + 1);
  arguments[index].assign(extents.begin(), extents.end());
}

ParallelId TermLanguage::internParallel(ParallelKind kind, const DimExpr &base,
                                        unsigned occurrence) {
  std::string name;
  llvm::raw_string_ostream(name)
      << stringifyParallelKind(kind) << occurrence << '@' << base.str();
  auto [it, isNew] =
      parallelIds.try_emplace(name, ParallelId(parallels.size()));
  if (isNew)
    parallels.push_back({name, base, occurrence});
  return it->second;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// Whether payload `index` of `op` is a number: else it is a parallel dim.
bool TermLanguage::isNumber(egraph::OpId op, unsigned index) const {
  return op == ops.arg || op == ops.defined ||
         ((op == ops.part || op == ops.comb) && index == 0);
}

Attribute TermLanguage::payloadToAttribute(egraph::OpId op, unsigned index,
                                           egraph::Payload payload) const {
  Builder builder(context);
  if (hasPrototype(op))
    return prototypes[payload].key;
  if (isNumber(op, index))
    return builder.getI64IntegerAttr(payload);
  return builder.getStringAttr(parallels[payload].name);
}

static std::optional<IndexMap> toIndexMap(Attribute text) {
  auto array = dyn_cast<ArrayAttr>(text);
  if (!array)
    return std::nullopt;
  IndexMap map;
  for (Attribute element : array) {
    auto factors = dyn_cast<DenseI64ArrayAttr>(element);
    if (!factors)
      return std::nullopt;
    map.emplace_back(factors.asArrayRef().begin(), factors.asArrayRef().end());
  }
  return map;
}

/// The prototype of a key; None if it is malformed.
PrototypeId TermLanguage::internKey(egraph::OpId op, Attribute text) {
  if (auto it = prototypeIds.find(text); it != prototypeIds.end())
    return prototypes[it->second].operatorId == op ? it->second : egraph::None;
  auto key = dyn_cast<ArrayAttr>(text);
  if (!key || key.size() != 6)
    return egraph::None;
  auto name = dyn_cast<StringAttr>(key[0]);
  auto attributes = dyn_cast<DictionaryAttr>(key[1]);
  auto ranks = dyn_cast<DenseI64ArrayAttr>(key[2]);
  auto maps = dyn_cast<ArrayAttr>(key[3]);
  auto extents = dyn_cast<ArrayAttr>(key[4]);
  auto types = dyn_cast<ArrayAttr>(key[5]);
  if (!name || !attributes || !ranks || !maps || !extents || !types ||
      name.getValue() != table.name(op))
    return egraph::None;
  SmallVector<IndexMap> indexMaps;
  for (Attribute map : maps) {
    std::optional<IndexMap> parsed = toIndexMap(map);
    if (!parsed)
      return egraph::None;
    indexMaps.push_back(std::move(*parsed));
  }
  SmallVector<DimExpr> resultExtents;
  for (Attribute extent : extents)
    resultExtents.push_back(isa<DimExprAttr>(extent)
                                ? cast<DimExprAttr>(extent).getValue()
                                : DimExpr());
  SmallVector<unsigned> operandRanks(ranks.asArrayRef());
  SmallVector<Type> elementTypes(operandRanks.size() + 1,
                                 Float32Type::get(context));
  if (types.size() == elementTypes.size())
    for (auto [type, attr] : llvm::zip(elementTypes, types))
      if (auto typeAttr = dyn_cast<TypeAttr>(attr))
        type = typeAttr.getValue();
  return intern(OperationName(name.getValue(), context), attributes, indexMaps,
                operandRanks, resultExtents.size(), resultExtents,
                elementTypes);
}

egraph::Payload TermLanguage::payloadFromAttribute(egraph::OpId op,
                                                   unsigned index,
                                                   Attribute text) {
  if (op == ops.rescale)
    return internKey(table.intern(MulOp::getOperationName()), text);
  if (isCompute(op))
    return internKey(op, text);
  if (isNumber(op, index)) {
    auto number = dyn_cast<IntegerAttr>(text);
    uint64_t end = op == ops.arg ? arguments.size() : egraph::None;
    return number && number.getValue().ult(end)
               ? egraph::Payload(number.getInt())
               : egraph::None;
  }
  auto name = dyn_cast<StringAttr>(text);
  for (auto [id, dim] : llvm::enumerate(parallels))
    if (name && dim.name == name.getValue())
      return id;
  return egraph::None;
}

Attribute TermLanguage::termToAttribute(const egraph::TermBank &bank,
                                        egraph::TermId term) const {
  egraph::NodeView node = bank.node(term);
  SmallVector<Attribute> parts = {
      StringAttr::get(context, table.name(node.op))};
  for (auto [index, payload] : llvm::enumerate(node.payloads))
    parts.push_back(payloadToAttribute(node.op, index, payload));
  for (egraph::TermId child : node.children)
    parts.push_back(termToAttribute(bank, child));
  return ArrayAttr::get(context, parts);
}

egraph::TermId TermLanguage::termFromAttribute(Attribute text,
                                               egraph::TermBank &bank) {
  auto parts = dyn_cast<ArrayAttr>(text);
  auto name =
      parts && !parts.empty() ? dyn_cast<StringAttr>(parts[0]) : StringAttr();
  egraph::OpId op = name ? table.lookup(name.getValue()) : egraph::None;
  if (op == egraph::None)
    return egraph::None;
  size_t numPayloads = op == ops.part || op == ops.comb ? 2 : 1;
  if (parts.size() < 1 + numPayloads)
    return egraph::None;
  SmallVector<egraph::Payload> payloads;
  SmallVector<egraph::TermId> children;
  for (auto [index, part] : llvm::enumerate(llvm::drop_begin(parts))) {
    if (index < numPayloads)
      payloads.push_back(payloadFromAttribute(op, index, part));
    else
      children.push_back(termFromAttribute(part, bank));
  }
  if (llvm::is_contained(payloads, egraph::None) ||
      llvm::is_contained(children, egraph::None))
    return egraph::None;
  return bank.add(op, children, payloads);
}

static void printMap(raw_ostream &os, const IndexMap &map) {
  os << '[';
  llvm::interleaveComma(map, os, [&](const auto &factors) {
    llvm::interleave(factors, os, [&](unsigned dim) { os << 'd' << dim; }, "*");
  });
  os << ']';
}

std::string TermLanguage::printPayload(const egraph::NodeView &node) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (node.op == ops.part || node.op == ops.comb) {
    os << '[' << node.payloads[0] << ' ' << parallels[node.payloads[1]].name
       << ']';
  } else if (node.op == ops.arg || node.op == ops.defined) {
    os << '[' << node.payloads[0] << ']';
  } else if (hasPrototype(node.op)) {
    const Prototype &proto = prototypes[node.payloads[0]];
    DictionaryAttr attributes = getInherentAttributes(proto.op);
    if (isa<IndexingMapsOpInterface>(proto.op))
      for (const IndexMap &map : proto.structure.operandMaps)
        printMap(os, map);
    for (NamedAttribute attribute : attributes)
      os << '[' << attribute.getValue() << ']';
  } else {
    os << '[' << parallels[node.payloads[0]].name << ']';
  }
  return text;
}

/// A shared subterm is printed at each use: what would be longer is cut.
static constexpr size_t maxPrinted = 2000;

void TermLanguage::print(raw_ostream &os, const egraph::TermBank &bank,
                         egraph::TermId term) const {
  if (os.tell() > maxPrinted) {
    os << "...";
    return;
  }
  egraph::NodeView node = bank.node(term);
  if (!node.children.empty())
    os << '(';
  os << table.name(node.op) << printPayload(node);
  for (egraph::TermId child : node.children) {
    os << ' ';
    print(os, bank, child);
    if (os.tell() > maxPrinted)
      break;
  }
  if (!node.children.empty())
    os << ')';
}

std::string TermLanguage::print(const egraph::TermBank &bank,
                                egraph::TermId term) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os, bank, term);
  return text;
}
