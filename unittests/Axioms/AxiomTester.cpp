//===- AxiomTester.cpp - Axioms on random instances -----------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AxiomTester.h"

using namespace mlir;
using namespace prism;
using namespace prism::test;
using egraph::None;
using egraph::TermId;

static MLIRContext &load(MLIRContext &context) {
  context.loadDialect<PrismDialect>();
  return context;
}

bool prism::test::isExact(StringRef record) {
  return !llvm::is_contained(
      {"S6exp", "X1", "F11r", "F13", "R22", "X11", "X12", "X13"}, record);
}

AxiomTester::AxiomTester()
    : owner(std::make_unique<TermLanguage>(&load(context), Precision::Strict)),
      language(*owner), analysis(language), facts(analysis, bank),
      typing(language, bank) {
  // Every extent is n: then a wrong dim is not found by typing, but by values.
  n = DimExpr::symbol("n");
  ParallelId grid = language.internParallel(ParallelKind::Grid, n, 0);
  ParallelId loop = language.internParallel(ParallelKind::Loop, n, 0);
  DimExpr tile =
      DimExpr::quotient(n, Split{language.parallel(grid).name, std::nullopt});
  parallel = {grid, loop, language.internParallel(ParallelKind::Loop, tile, 0)};
  addPrototypes();
}

//===----------------------------------------------------------------------===//
// The ops
//===----------------------------------------------------------------------===//

static IndexMap map(std::initializer_list<unsigned> dims) {
  IndexMap result;
  for (unsigned dim : dims)
    result.push_back({dim});
  return result;
}

void AxiomTester::addMapped(StringRef name, unsigned numOperands,
                            PrototypeId like) {
  SmallVector<PrototypeId> &found = pool[name.str()];
  auto add = [&](ArrayRef<IndexMap> maps, const IndexMap &result) {
    found.push_back(language.internMapped(name, maps, result, like));
  };
  if (name == "prism.matmul") {
    add({map({0, 2}), map({2, 1})}, map({0, 1}));
    add({map({0, 2}), map({1, 2})}, map({0, 1}));
    add({map({1}), map({1, 0})}, map({0}));
    add({map({0, 1, 3}), map({0, 3, 2})}, map({0, 1, 2}));
    add({map({0, 1}), map({0, 1})}, map({0}));
    add({map({0}), map({1})}, map({}));
    add({map({1, 2}), map({0, 2})}, map({0, 1}));
  } else if (numOperands == 2) {
    add({map({0}), map({0})}, map({0}));
    add({map({0, 1}), map({0, 1})}, map({0, 1}));
    add({map({0, 1}), map({0})}, map({0, 1}));
    add({map({0, 1}), map({1})}, map({0, 1}));
    add({map({1}), map({0, 1})}, map({0, 1}));
    add({map({0, 1}), map({})}, map({0, 1}));
    add({map({}), map({0})}, map({0}));
    add({map({0}), map({1})}, map({0, 1}));
    add({map({1, 0}), map({0, 1})}, map({0, 1}));
    add({map({1, 0}), map({0})}, map({0, 1}));
    add({map({1, 0}), map({})}, map({0, 1}));
    add({map({}), map({1, 0})}, map({0, 1}));
    add({map({}), map({})}, map({}));
  } else {
    add({map({0}), map({0}), map({0})}, map({0}));
    add({map({0, 1}), map({0, 1}), map({0, 1})}, map({0, 1}));
    add({map({0}), map({0, 1}), map({1})}, map({0, 1}));
    add({map({0, 1}), map({0, 1}), map({1, 0})}, map({0, 1}));
    // Some have the first dim, the others do not.
    for (unsigned mask = 1; mask < 7; ++mask) {
      auto dims = [&](unsigned i) {
        return mask & (1u << i) ? map({0, 1}) : map({1});
      };
      add({dims(0), dims(1), dims(2)}, map({0, 1}));
    }
  }
}

/// An op whose result has extents of its own.
PrototypeId AxiomTester::addOp(StringRef name,
                               ArrayRef<SmallVector<DimExpr>> operands,
                               ArrayRef<DimExpr> result,
                               ArrayRef<NamedAttribute> attributes,
                               mlir::Type resultType) {
  Location loc = UnknownLoc::get(&context);
  mlir::Type f32 = Float32Type::get(&context);
  Block block;
  OperationState state(loc, name);
  for (ArrayRef<DimExpr> extents : operands)
    state.addOperands(block.addArgument(
        SymbolicTensorType::get(&context, extents, f32), loc));
  state.addTypes(
      SymbolicTensorType::get(&context, result, resultType ? resultType : f32));
  state.addAttributes(attributes);
  OwningOpRef<Operation *> op(Operation::create(state));
  PrototypeId id = language.internPrototype(*op);
  pool[name.str()].push_back(id);
  return id;
}

void AxiomTester::addPrototypes() {
  Builder builder(&context);
  auto dims = [&](StringRef name, ArrayRef<int64_t> value) {
    return builder.getNamedAttr(name, builder.getDenseI64ArrayAttr(value));
  };
  auto dim = [&](StringRef name, int64_t value) {
    return builder.getNamedAttr(name, builder.getI64IntegerAttr(value));
  };
  auto plain = [&](const std::string &name, unsigned from, unsigned to,
                   ArrayRef<NamedAttribute> attributes = {}) {
    pool[name].push_back(language.internPlain(name, {from}, to, attributes));
  };
  for (const OpSignature &op : getComputeOpSignatures(&context)) {
    OperationName name(op.name, &context);
    if (name.hasInterface<IndexingMapsOpInterface>()) {
      if (op.name != "prism.compare")
        addMapped(op.name, op.numOperands);
    } else if (op.name == "prism.reduce_sum" || op.name == "prism.reduce_max") {
      plain(op.name, 1, 0, {dims("dims", {0})});
      plain(op.name, 2, 1, {dims("dims", {0})});
      plain(op.name, 2, 1, {dims("dims", {1})});
      plain(op.name, 3, 2, {dims("dims", {0})});
      plain(op.name, 3, 1, {dims("dims", {0, 2})});
    } else if (op.name == "prism.transpose") {
      plain(op.name, 2, 2, {dims("permutation", {1, 0})});
      plain(op.name, 3, 3, {dims("permutation", {2, 0, 1})});
    } else if (op.numOperands == 1 && name.getAttributeNames().empty() &&
               op.name != "prism.cast") {
      for (unsigned rank : {0u, 1u, 2u})
        plain(op.name, rank, rank);
    }
  }
  NamedAttribute epsilon =
      builder.getNamedAttr("epsilon", builder.getF64FloatAttr(0.25));
  for (unsigned rank : {1u, 2u}) {
    plain("prism.softmax", rank, rank, {dim("dim", rank - 1)});
    plain("prism.rms_norm", rank, rank, {dim("dim", 0), epsilon});
    for (GeluKind kind : {GeluKind::Erf, GeluKind::Tanh})
      plain("prism.gelu", rank, rank,
            {builder.getNamedAttr("kind", GeluKindAttr::get(&context, kind))});
    SmallVector<DimExpr> all(rank, n);
    addOp("prism.cast", {all}, all, {}, Float16Type::get(&context));
    SmallVector<DimExpr> longer(all);
    longer[0] = n + n;
    addOp("prism.concat", {all, all}, longer, {dim("dim", 0)});
    SmallVector<DimExpr> longest(all);
    longest[0] = n + n + n;
    addOp("prism.concat", {all, longer}, longest, {dim("dim", 0)});
    addOp("prism.concat", {longer, all}, longest, {dim("dim", 0)});
    SmallVector<DimExpr> shorter(all);
    shorter[0] = DimExpr::constant(2);
    addOp("prism.slice", {all}, shorter, {dim("dim", 0), dim("offset", 1)});
  }
  addReshape({n, n}, {n * n}, {{0}, {1}}, {{0, 1}});
  addReshape({n * n}, {n, n}, {{0, 1}}, {{0}, {1}});
  addReshape({n, n, n}, {n, n * n}, {{0}, {1}, {2}}, {{0}, {1, 2}});
  addReshape({n, n * n}, {n, n, n}, {{0}, {1, 2}}, {{0}, {1}, {2}});
  auto less = ComparePredicateAttr::get(&context, ComparePredicate::LT);
  PrototypeId compare =
      addOp("prism.compare", {{n}, {n}}, {n},
            {NamedAttribute(builder.getStringAttr("predicate"), less)},
            builder.getI1Type());
  addMapped("prism.compare", 2, compare);
  addOp("prism.slice", {{n, n}}, {n, DimExpr::constant(2)},
        {dim("dim", 1), dim("offset", 1)});
  addOp("prism.concat", {{n}, {n}, {n}}, {n + n + n}, {dim("dim", 0)});
  addOp("prism.concat", {{n, n}, {n, n}, {n, n}}, {n, n + n + n},
        {dim("dim", 1)});
  SmallVector<DimExpr> columns = {n, n + n};
  addOp("prism.concat", {{n, n}, {n, n}}, columns, {dim("dim", 1)});
  addOp("prism.broadcast", {{n}}, {n, n}, {dims("dims", {1})});
  for (double value : {0.0, 0.5, 1.0, 3.0})
    pool["prism.constant"].push_back(makeConstant(value));
}

/// Factors of merged dims, by data dim of the operand and of the result.
void AxiomTester::addReshape(ArrayRef<DimExpr> operand,
                             ArrayRef<DimExpr> result,
                             ArrayRef<SmallVector<int64_t>> operandDims,
                             ArrayRef<SmallVector<int64_t>> resultDims) {
  Builder builder(&context);
  auto toAttribute = [&](ArrayRef<SmallVector<int64_t>> dims) {
    return builder.getArrayAttr(
        llvm::map_to_vector(dims, [&](ArrayRef<int64_t> factors) -> Attribute {
          return builder.getDenseI64ArrayAttr(factors);
        }));
  };
  addOp("prism.reshape", {SmallVector<DimExpr>(operand)}, result,
        {builder.getNamedAttr("operand_dims", toAttribute(operandDims)),
         builder.getNamedAttr("result_dims", toAttribute(resultDims))});
}

/// In f64, where f32 does not have it.
PrototypeId AxiomTester::makeConstant(double value) {
  Builder builder(&context);
  Attribute number = builder.getF32FloatAttr(value);
  if (double(float(value)) != value)
    number = builder.getF64FloatAttr(value);
  return language.internPlain("prism.constant", {}, 0,
                              {builder.getNamedAttr("value", number)});
}

//===----------------------------------------------------------------------===//
// Random terms of a type
//===----------------------------------------------------------------------===//

static bool mentions(const DimExpr &extent, StringRef parallel) {
  bool found = false;
  extent.walkSplits(
      [&](const Split &split) { found |= split.dim == parallel; });
  return found;
}

static std::string countOf(const ParallelDim &dim) {
  return "count(" + dim.name + ")";
}

/// n, a chunk of it along a free dim, or the length of two tensors.
DimExpr AxiomTester::randomExtent(ArrayRef<ParallelId> free) {
  if (hasStack && isOneOf(3))
    return DimExpr::symbol(
        countOf(language.parallel(pick<ParallelId>(parallel))));
  if (isOneOf(hasMovement ? 3 : 10))
    return pick<DimExpr>({n + n, n + n + n, n * n, DimExpr::constant(2)});
  if (free.empty() || isOneOf(2))
    return n;
  const ParallelDim &dim = language.parallel(pick(free));
  return DimExpr::quotient(dim.base, Split{dim.name, std::nullopt});
}

AxiomTester::TermType AxiomTester::randomType(bool isVarying) {
  TermType type;
  for (ParallelId id : parallel)
    if (isVarying && isOneOf(2))
      type.free.push_back(id);
  unsigned rank = pick<unsigned>({0, 1, 1, 2, 2, 2, 3});
  for (unsigned i = 0; i < rank; ++i)
    type.extents.push_back(randomExtent(type.free));
  return type;
}

TermId AxiomTester::makeArgument(ArrayRef<DimExpr> extents) {
  std::string key = std::to_string(random() % 2);
  for (const DimExpr &extent : extents)
    key += (Twine(",") + extent.str()).str();
  auto [it, isNew] = argumentIds.try_emplace(key, argumentIds.size());
  if (isNew)
    language.setArgument(it->second, extents);
  return bank.add(language.ops.arg, {}, {egraph::Payload(it->second)});
}

/// What is done to an argument, to have a sign.
SmallVector<StringRef> AxiomTester::chooseFunctions() {
  if (hasSelect && isOneOf(2))
    return {"prism.relu"};
  switch (random() % 12) {
  case 0:
  case 1:
    return {"prism.exp"};
  case 2:
    return {"prism.exp", "prism.neg"};
  case 3:
    return {isMasked ? "prism.exp" : "prism.relu"};
  case 4:
  case 5:
    return {isMasked ? "prism.exp" : "prism.square"};
  default:
    return {};
  }
}

/// A term of this type; None if there is none.
TermId AxiomTester::makeLeaf(TermType type) {
  if (type.free.empty()) {
    for (const DimExpr &extent : type.extents)
      if (extent.isQuotient())
        return None; // A chunk along a dim that is not free.
    TermId leaf = makeArgument(type.extents);
    for (StringRef f : chooseFunctions()) {
      unsigned rank = type.extents.size();
      PrototypeId id = language.internPlain(f, {rank}, rank);
      leaf = bank.add(language.prototype(id).operatorId, {leaf}, {id});
    }
    return leaf;
  }
  ParallelId id = pick<ParallelId>(type.free);
  const ParallelDim &dim = language.parallel(id);
  llvm::erase(type.free, id);
  for (auto [at, extent] : llvm::enumerate(type.extents)) {
    if (!extent.isQuotient() || extent.quotientSplit().dim != dim.name)
      continue;
    extent = DimExpr(extent.quotientBase());
    TermId whole = makeLeaf(type);
    return whole == None ? None
                         : bank.add(language.ops.part, {whole},
                                    {egraph::Payload(at), id});
  }
  if (isOneOf(2)) {
    TermId whole = makeLeaf(type);
    return whole == None ? None : bank.add(language.ops.repl, {whole}, {id});
  }
  // It varies, but has whole extents: the sum of a chunk.
  type.extents.insert(type.extents.begin(), dim.base);
  TermId whole = makeLeaf(type);
  if (whole == None)
    return None;
  TermId part = bank.add(language.ops.part, {whole}, {0, id});
  Builder builder(language.getContext());
  unsigned rank = type.extents.size();
  PrototypeId sum = language.internPlain(
      "prism.reduce_sum", {rank}, rank - 1,
      {builder.getNamedAttr("dims", builder.getDenseI64ArrayAttr({0}))});
  return bank.add(language.prototype(sum).operatorId, {part}, {sum});
}

/// Chooses what is unbound in the pattern below `at` so that its type may be
/// `type`; false if that failed. The caller checks the type.
bool AxiomTester::generate(const egraph::Pattern &pattern, uint32_t at,
                           TermType type, Instance &instance) {
  const egraph::Pattern::Node &node = pattern[at];
  if (node.isVar) {
    TermId &term = instance.classes[node.var];
    if (term == None)
      term = makeLeaf(std::move(type));
    return term != None;
  }
  if (language.hasPrototype(node.op))
    return generateCompute(pattern, at, type, instance);
  return generateParallel(pattern, at, std::move(type), instance);
}

/// What a payload is bound to, or the constant that it is (in `constants`).
static egraph::Payload &bound(const egraph::PayloadPattern &payload,
                              MutableArrayRef<egraph::Payload> payloads,
                              std::deque<egraph::Payload> &constants) {
  return payload.isVar ? payloads[payload.value]
                       : constants.emplace_back(payload.value);
}

bool AxiomTester::generateParallel(const egraph::Pattern &pattern, uint32_t at,
                                   TermType type, Instance &instance) {
  const egraph::Pattern::Node &node = pattern[at];
  const TermLanguage::ParallelOperators &ops = language.ops;
  std::deque<egraph::Payload> constants;
  egraph::Payload &id =
      bound(node.payloads.back(), instance.payloads, constants);
  bool binds = node.op != ops.part && node.op != ops.repl;
  if (id == None) {
    SmallVector<ParallelId> able;
    for (ParallelId each : parallel)
      if (llvm::is_contained(type.free, each) != binds)
        able.push_back(each);
    if (able.empty())
      return false;
    id = pick<ParallelId>(able);
  }
  if (llvm::is_contained(type.free, id) == binds)
    return false;
  const ParallelDim &dim = language.parallel(id);
  if (binds)
    type.free.push_back(id);
  else
    llvm::erase(type.free, id);
  if (node.op == ops.stack) {
    if (type.extents.empty() ||
        type.extents.front() != DimExpr::symbol(countOf(dim)))
      return false;
    type.extents.erase(type.extents.begin());
  }
  if (node.op == ops.part || node.op == ops.comb) {
    DimExpr chunk = DimExpr::quotient(dim.base, Split{dim.name, std::nullopt});
    const DimExpr &from = binds ? dim.base : chunk;
    egraph::Payload &d =
        bound(node.payloads.front(), instance.payloads, constants);
    if (d == None) {
      SmallVector<egraph::Payload> able;
      for (auto [at, extent] : llvm::enumerate(type.extents))
        if (extent == from)
          able.push_back(at);
      if (able.empty())
        return false;
      d = pick<egraph::Payload>(able);
    }
    if (d >= type.extents.size() || type.extents[d] != from)
      return false;
    type.extents[d] = binds ? chunk : dim.base;
  }
  for (const DimExpr &extent : type.extents)
    if (!binds && mentions(extent, dim.name))
      return false;
  return generate(pattern, node.children.front(), std::move(type), instance);
}

bool AxiomTester::generateCompute(const egraph::Pattern &pattern, uint32_t at,
                                  const TermType &type, Instance &instance) {
  const egraph::Pattern::Node &node = pattern[at];
  std::deque<egraph::Payload> constants;
  egraph::Payload &f =
      bound(node.payloads.front(), instance.payloads, constants);
  if (f == None) {
    std::string name = node.op == language.ops.rescale
                           ? "prism.mul"
                           : language.operators().name(node.op).str();
    SmallVector<PrototypeId> able;
    for (PrototypeId id : pool[name])
      if (language.prototype(id).structure.resultMap.size() ==
              type.extents.size() &&
          language.prototype(id).structure.operandMaps.size() ==
              node.children.size() - (node.op == language.ops.rescale))
        able.push_back(id);
    if (able.empty())
      return false;
    f = pick<PrototypeId>(able);
  }
  const Prototype &proto = language.prototype(f);
  const IterationStructure &structure = proto.structure;
  if (structure.resultMap.size() != type.extents.size())
    return false;
  SmallVector<DimExpr> extents(structure.dims.size());
  for (auto [factors, extent] : llvm::zip(structure.resultMap, type.extents))
    if (factors.size() == 1)
      extents[factors.front()] = extent;
  for (auto [extent, own] : llvm::zip(extents, proto.ownExtents))
    if (!own.isUnknown() && extent != own)
      return false;
  for (auto [extent, kind] : llvm::zip(extents, structure.dims))
    if (extent.isUnknown())
      extent = kind != IterationKind::Whole ? randomExtent(type.free)
               : isOneOf(3)                 ? n + n
                                            : n;
  for (auto [i, child] : llvm::enumerate(node.children)) {
    // What is rescaled has two operands; the third is like the second.
    const IndexMap &operand =
        structure.operandMaps[std::min(i, structure.operandMaps.size() - 1)];
    if (!generate(pattern, child, {getDataExtents(operand, extents), type.free},
                  instance))
      return false;
  }
  return true;
}

/// None if a payload or class is unbound.
TermId AxiomTester::build(const egraph::Pattern &pattern, uint32_t at,
                          const Instance &instance) {
  const egraph::Pattern::Node &node = pattern[at];
  if (node.isVar)
    return instance.classes[node.var];
  SmallVector<TermId> children;
  SmallVector<egraph::Payload> values;
  for (uint32_t child : node.children)
    children.push_back(build(pattern, child, instance));
  for (const egraph::PayloadPattern &payload : node.payloads)
    values.push_back(payload.isVar ? instance.payloads[payload.value]
                                   : payload.value);
  if (llvm::is_contained(children, None) || llvm::is_contained(values, None))
    return None;
  return bank.add(node.op, children, values);
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// Tiles of 1 to 3 of 3 to 5 elements; a loop over a tile divides it.
void AxiomTester::chooseSizes() {
  sizes = SizeAssignment();
  int64_t extent = 3 + random() % 3;
  sizes.symbols["n"] = extent;
  for (ParallelId id : ArrayRef(parallel).take_front(2)) {
    int64_t tile = 1 + random() % 3;
    sizes.tiles[id] = tile;
  }
  int64_t outer = sizes.tiles[parallel[0]];
  sizes.tiles[parallel[2]] = isOneOf(2) ? 1 : outer;
  for (ParallelId id : parallel) {
    int64_t whole = id == parallel[2] ? outer : extent, tile = sizes.tiles[id];
    int64_t count = (whole + tile - 1) / tile;
    chunks[id] = random() % count;
    sizes.symbols[countOf(language.parallel(id))] = count;
  }
}

static bool isUndefined(Real value) { return !std::isfinite(value); }
static bool isUndefined(Checked value) { return !value.isDefined; }
static bool isUndefined(PrimeField value) { return !value.isDefined; }

static bool isUndefined(Interval value) { return !value.isDefined(); }

static double toDouble(Interval value) { return double(value.low); }
static double toDouble(Real value) { return double(value); }
static double toDouble(Checked value) { return value.value; }
static double toDouble(PrimeField value) { return double(value.value); }

static bool areClose(Real x, Real y, double tolerance) {
  return std::abs(x - y) <= tolerance * (1 + std::abs(x));
}
static bool areClose(Checked x, Checked y, double tolerance) {
  // An overflow is not looked at.
  return !std::isfinite(x.value) || !std::isfinite(y.value) ||
         std::abs(x.value - y.value) <= tolerance * (1 + std::abs(x.value));
}
static bool areClose(PrimeField x, PrimeField y, double) {
  return x.value == y.value;
}

/// Disjoint intervals are unequal, whatever was rounded.
static bool areClose(Interval x, Interval y, double) {
  return x.low <= y.high && y.low <= x.high;
}

template <typename Scalar>
static bool isNarrow(Scalar, Scalar) {
  return false;
}
static bool isNarrow(Interval x, Interval y) {
  return std::isfinite(x.low + x.high + y.low + y.high) &&
         std::max(x.high, y.high) - std::min(x.low, y.low) <
             1e-9L * std::abs(x.low);
}

/// Of three rows, one begins with a chunk of -inf, the next has nothing else.
template <typename Scalar>
static void mask(NumericTensorOf<Scalar> &argument) {
  if (argument.extents.empty())
    return;
  int64_t length = argument.extents.back();
  for (auto [at, value] : llvm::enumerate(argument.values)) {
    int64_t row = int64_t(at) / length % 3, column = int64_t(at) % length;
    if (row == 1 || (row == 0 && column < 2))
      value = Arithmetic<Scalar>::lowest();
  }
}

static void collectArguments(const TermLanguage &language,
                             const egraph::TermBank &bank, TermId term,
                             std::set<unsigned> &used) {
  egraph::NodeView node = bank.node(term);
  if (node.op == language.ops.arg)
    used.insert(node.payloads.front());
  for (TermId child : node.children)
    collectArguments(language, bank, child, used);
}

bool AxiomTester::isTypedAlike(TermId term, std::string &why) {
  const TermFact &fact = facts.of(term), &other = typing.of(term);
  if (fact.isIllTyped == other.isIllTyped &&
      (fact.isIllTyped ||
       (fact.extents == other.extents && fact.free == other.free)))
    return true;
  why = "the checker types it otherwise: " + language.print(bank, term);
  return false;
}

bool AxiomTester::hasKnownSigns(TermId term, ArrayRef<double> values,
                                std::string &why) {
  for (const TermFact *fact : {&facts.of(term), &typing.of(term)})
    for (double value : values)
      if ((fact->isNonZero && value == 0) ||
          (fact->isNonNegative && value < 0)) {
        why = "the value " + std::to_string(value) + " of " +
              language.print(bank, term) + ", said to be " +
              (fact->isNonZero ? "not zero " : "") +
              (fact->isNonNegative ? "not negative" : "");
        return false;
      }
  return true;
}

/// `tolerance` is relative; negative: only definedness is compared.
template <typename Scalar>
Flaw AxiomTester::compareIn(TermId left, TermId right, double tolerance,
                            llvm::function_ref<Scalar()> next,
                            const TestRun &run, std::string &why) {
  std::vector<NumericTensorOf<Scalar>> arguments;
  std::set<unsigned> used;
  collectArguments(language, bank, left, used);
  collectArguments(language, bank, right, used);
  for (unsigned i = 0; i < language.numArguments(); ++i) {
    SmallVector<int64_t> extents;
    if (!used.count(i)) {
      arguments.emplace_back(extents);
      continue;
    }
    for (const DimExpr &extent : language.argumentExtents(i))
      extents.push_back(*extent.evaluate(
          [&](StringRef name) -> std::optional<int64_t> {
            return sizes.symbols.lookup(name);
          },
          [](StringRef) { return std::nullopt; }));
    NumericTensorOf<Scalar> &argument = arguments.emplace_back(extents);
    for (Scalar &value : argument.values)
      value = next();
    if (run.isMasked)
      mask(argument);
  }
  TermEvaluatorOf<Scalar> evaluator(language, bank, sizes, arguments);
  auto a = evaluator.evaluate(left, chunks);
  auto b = evaluator.evaluate(right, chunks);
  if (!a || !b)
    return Flaw::None;
  if (a->extents != b->extents) {
    why = "different extents";
    return Flaw::IllTyped;
  }
  constexpr bool isNumber =
      std::is_same_v<Scalar, Real> || std::is_same_v<Scalar, Checked>;
  auto getDefined = [](const NumericTensorOf<Scalar> &tensor) {
    SmallVector<double> values;
    for (Scalar value : tensor.values)
      if (!isUndefined(value))
        values.push_back(toDouble(value));
    return values;
  };
  if (isNumber && !run.isMasked &&
      (!hasKnownSigns(left, getDefined(*a), why) ||
       !hasKnownSigns(right, getDefined(*b), why)))
    return Flaw::WrongValue;
  for (auto [x, y] : llvm::zip(a->values, b->values)) {
    bool isDefined = !isUndefined(x), isOtherDefined = !isUndefined(y);
    bool mustAgree = tolerance < 0;
    bool mustHave = run.isMasked && !run.mayLoseDefinedness;
    if ((mustAgree && isDefined != isOtherDefined) ||
        (mustHave && !isDefined && isOtherDefined)) {
      why = isDefined ? "only the left side is defined"
                      : "only the right side is defined";
      return Flaw::LostDefinedness;
    }
    if (!isDefined || !isOtherDefined || tolerance < 0)
      continue;
    isEnclosed |= isNarrow(x, y);
    if (!areClose(x, y, tolerance)) {
      why = "values " + std::to_string(toDouble(x)) + " and " +
            std::to_string(toDouble(y));
      return Flaw::WrongValue;
    }
  }
  return Flaw::None;
}

Flaw AxiomTester::compare(TermId left, TermId right, const TestRun &run,
                          std::string &why) {
  if (!isTypedAlike(left, why) || !isTypedAlike(right, why))
    return Flaw::WrongValue;
  const TermFact &a = facts.of(left), &b = facts.of(right);
  if (b.isIllTyped) {
    why = "the right side is ill-typed";
    return Flaw::IllTyped;
  }
  if (a.extents != b.extents || a.free != b.free) {
    why = "the sides have different types";
    return Flaw::IllTyped;
  }
  chooseSizes();
  bool isPositive = isOneOf(2);
  auto real = [&]() -> Real {
    Real magnitude = 0.2L + Real(random() % 1000) / 1000;
    return isPositive || isOneOf(2) ? magnitude : -magnitude;
  };
  // Extended precision has 64 bits: rounding stays below 2^-40 of the values.
  Flaw flaw = compareIn<Real>(left, right, 1e-12, real, run, why);
  if (flaw != Flaw::None || run.isMasked)
    return flaw;
  flaw = compareIn<Checked>(
      left, right, 1e-6, [&]() -> Checked { return double(real()); }, run, why);
  if (flaw != Flaw::None)
    return flaw;
  flaw = compareIn<Interval>(
      left, right, 0, [&]() -> Interval { return real(); }, run, why);
  if (flaw != Flaw::None)
    return flaw;
  if (run.isExact)
    flaw = compareIn<PrimeField>(
        left, right, 0,
        [&]() {
          PrimeField value = PrimeField::fromInteger(random());
          return isPositive ? Arithmetic<PrimeField>::mul(value, value) : value;
        },
        run, why);
  if (flaw != Flaw::None)
    return flaw;
  return compareIn<Checked>(
      left, right, -1,
      [&]() -> Checked {
        return pick<double>({-2, -1, -0.5, 0, 0, 0, 0.5, 1, 2});
      },
      run, why);
}

//===----------------------------------------------------------------------===//
// Instances
//===----------------------------------------------------------------------===//

egraph::Payload AxiomTester::changePayload(const egraph::Pattern &pattern,
                                           egraph::VarId var,
                                           egraph::Payload value) {
  const auto *user = llvm::find_if(pattern.all(), [&](const auto &node) {
    return llvm::any_of(node.payloads, [&](const auto &payload) {
      return payload.isVar && payload.value == var;
    });
  });
  if (user == pattern.all().end() || !language.hasPrototype(user->op))
    return value + 1; // a data dim
  const Prototype &old = language.prototype(value);
  auto ranks = [](const Prototype &op) {
    return llvm::map_to_vector(op.structure.operandMaps,
                               [](const IndexMap &map) { return map.size(); });
  };
  SmallVector<PrototypeId> others;
  for (PrototypeId id : pool[old.op->getName().getStringRef().str()]) {
    const Prototype &other = language.prototype(id);
    if (id != value && ranks(other) == ranks(old) &&
        other.structure.resultMap.size() == old.structure.resultMap.size())
      others.push_back(id);
  }
  return others.empty() ? None : pick<PrototypeId>(others);
}

Outcome AxiomTester::test(const Axiom &axiom, const TestRun &run) {
  Outcome outcome;
  egraph::VarTable vars;
  egraph::Pattern left = llvm::cantFail(
      egraph::Pattern::parse(axiom.left, language.operators(), vars));
  egraph::Pattern right = llvm::cantFail(
      egraph::Pattern::parse(axiom.right, language.operators(), vars));
  if (run.backward)
    std::swap(left, right);
  if (run.change)
    right = run.change(right);
  const SideCondition &condition =
      run.backward ? *axiom.backward : axiom.forward;
  bool isAlgebraic = getAxiomRecord(axiom).kind == AxiomKind::Algebraic;
  std::string record = getAxiomRecord(axiom).id.str();
  isMasked = run.isMasked;
  hasStack = llvm::any_of(left.all(), [&](const auto &node) {
    return !node.isVar && node.op == language.ops.stack;
  });
  hasMovement = llvm::any_of(left.all(), [&](const auto &node) {
    return !node.isVar &&
           llvm::is_contained({"prism.concat", "prism.slice", "prism.reshape"},
                              language.operators().name(node.op));
  });
  hasSelect = llvm::any_of(left.all(), [&](const auto &node) {
    return !node.isVar && language.operators().name(node.op) == "prism.select";
  });
  asked[record];
  for (unsigned i = 0; i < run.tries && outcome.instances < run.wanted; ++i) {
    Instance instance;
    instance.classes.assign(vars.classes.size(), None);
    instance.payloads.assign(vars.payloads.size(), None);
    bool isVarying = !isAlgebraic || isOneOf(4);
    if (!generate(left, left.rootIndex(), randomType(isVarying), instance))
      continue;
    TermId leftTerm = build(left, left.rootIndex(), instance);
    if (leftTerm == None || facts.of(leftTerm).isIllTyped)
      continue;
    SmallVector<const TermFact *> classFacts;
    for (TermId term : instance.classes)
      classFacts.push_back(term == None ? nullptr : &facts.of(term));
    bool isWaived = false, isRefused = false;
    auto observer = [&](StringRef name, bool holds) {
      asked[record].insert(name.str());
      bool waive = !holds && name == run.waived;
      isWaived |= waive;
      isRefused |= !holds && !waive;
      return holds || waive;
    };
    AxiomMatch match{language, classFacts, instance.payloads, observer};
    bool holds = !condition || condition(match);
    if (run.waived.empty() ? !holds : !isWaived || isRefused)
      continue;
    if (run.changedPayload != None) {
      egraph::Payload &value = instance.payloads[run.changedPayload];
      value = changePayload(right, run.changedPayload, value);
      if (value == None)
        continue;
    }
    ++outcome.instances;
    TermId rightTerm = holds ? build(right, right.rootIndex(), instance) : None;
    std::string why = "there is no right side";
    Flaw flaw = Flaw::NoRightSide;
    isEnclosed = false;
    if (rightTerm != None && !run.wrapper.empty()) {
      unsigned rank = facts.of(rightTerm).extents.size();
      PrototypeId f = language.internPlain(run.wrapper, {rank}, rank);
      rightTerm = bank.add(language.prototype(f).operatorId, {rightTerm}, {f});
    }
    if (rightTerm != None)
      flaw = compare(leftTerm, rightTerm, run, why);
    outcome.enclosed += isEnclosed;
    if (flaw == Flaw::IllTyped && run.isTyped)
      --outcome.instances;
    if (flaw == Flaw::None || (flaw == Flaw::IllTyped && run.isTyped))
      continue;
    // Of waived conditions the worst: wrong values, then wrong types.
    if (flaw == Flaw::NoRightSide && outcome.flaw == Flaw::IllTyped)
      continue;
    outcome.flaw = flaw;
    outcome.failure =
        axiom.id + ": " + language.print(bank, leftTerm) + " = " +
        (rightTerm == None ? "?" : language.print(bank, rightTerm)) + ": " +
        why;
    if (run.waived.empty() || flaw == Flaw::WrongValue ||
        flaw == Flaw::LostDefinedness)
      return outcome;
  }
  return outcome;
}
