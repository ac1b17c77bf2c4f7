//===- Encoder.cpp - Programs and candidates as terms ---------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Axioms/Encoder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace prism;
using egraph::TermId;

const TermFact &TermFacts::of(TermId term) {
  auto it = facts.find(term);
  if (it != facts.end())
    return it->second;
  egraph::NodeView node = bank.node(term);
  SmallVector<TermId> children(node.children);
  SmallVector<const TermFact *> childFacts;
  for (TermId child : children)
    childFacts.push_back(&of(child));
  TermFact fact = analysis.infer(bank.node(term), childFacts);
  for (const ReliedOnValue &value : assumed)
    if (value.term == term) {
      fact.isNonZero |= value.isNonZero;
      fact.isNonNegative |= value.isNonNegative;
    }
  return facts.try_emplace(term, std::move(fact)).first->second;
}

namespace {
/// A parallel dim of a graph that is being encoded.
struct GraphDim {
  StringRef name;
  ParallelKind kind;
  ParallelId id;
};

class Encoder {
public:
  Encoder(TermAnalysis &analysis, egraph::TermBank &bank, std::string &why)
      : language(analysis.getLanguage()), bank(bank), facts(analysis, bank),
        why(why) {}

  LogicalResult encodeBody(Block &body);
  void bindArguments(Block &body);

  EncodedGraph encoded;

private:
  LogicalResult encode(Operation *op);
  LogicalResult encodeCompute(ComputeOpInterface op);
  LogicalResult encodeGraph(GraphOpInterface op);
  LogicalResult encodeLoad(LoadOp op);
  LogicalResult encodeAccumulate(AccumulateOp op);
  TermId encodeRescaled(AccumulateOp op, const GraphDim &dim);
  LogicalResult encodeSave(SaveOp op);
  LogicalResult declareParallelDims(GraphOpInterface op);
  FailureOr<DimExpr> findSplitExtent(GraphOpInterface op, StringRef dim);
  void recordReliedOn(Operation *op, ArrayRef<TermId> operands);

  LogicalResult fail(Operation *op, const Twine &reason) {
    llvm::raw_string_ostream os(why);
    os << "'" << op->getName() << "' " << reason;
    return failure();
  }

  /// The innermost graph's dim of this name, or null.
  const GraphDim *lookup(StringRef name) const {
    for (const GraphDim &dim : llvm::reverse(dims))
      if (dim.name == name)
        return &dim;
    return nullptr;
  }

  TermId parallelNode(egraph::OpId op, ArrayRef<egraph::Payload> payloads,
                      TermId child) {
    return bank.add(op, {child}, payloads);
  }
  /// Adds repl where `term` does not vary along `dim`.
  TermId replicate(TermId term, const GraphDim &dim) {
    if (facts.of(term).isFree(dim.id))
      return term;
    return parallelNode(language.ops.repl, {dim.id}, term);
  }
  TermId replicateTo(TermId term, ArrayRef<ParallelId> free) {
    for (const GraphDim &dim : dims)
      if (llvm::is_contained(free, dim.id))
        term = replicate(term, dim);
    return term;
  }

  TermLanguage &language;
  egraph::TermBank &bank;
  TermFacts facts;
  std::string &why;
  llvm::DenseMap<Value, TermId> values;
  /// The parallel dims in scope: those of the enclosing graphs, outermost
  /// first; in each the grid before the loop.
  SmallVector<GraphDim> dims;
  /// All parallel dims so far: each belongs to one graph.
  SmallVector<ParallelId> declared;
};
} // namespace

void Encoder::bindArguments(Block &body) {
  for (BlockArgument argument : body.getArguments()) {
    TermId term = bank.add(language.ops.arg, {}, {argument.getArgNumber()});
    values[argument] = term;
    encoded.arguments.push_back(term);
  }
}

LogicalResult Encoder::encodeBody(Block &body) {
  for (Operation &op : body) {
    if (auto yield = dyn_cast<YieldOp>(op)) {
      for (Value value : yield.getValues())
        encoded.results.push_back(values.lookup(value));
      continue;
    }
    if (failed(encode(&op)))
      return failure();
  }
  return success();
}

LogicalResult Encoder::encode(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<ComputeOpInterface>([&](auto op) { return encodeCompute(op); })
      .Case<GraphOpInterface>([&](auto op) { return encodeGraph(op); })
      .Case<LoadOp>([&](auto op) { return encodeLoad(op); })
      .Case<AccumulateOp>([&](auto op) { return encodeAccumulate(op); })
      .Case<SaveOp>([&](auto op) { return encodeSave(op); })
      .Default([&](Operation *op) { return fail(op, "has no term"); });
}

//===----------------------------------------------------------------------===//
// Compute ops
//===----------------------------------------------------------------------===//

void Encoder::recordReliedOn(Operation *op, ArrayRef<TermId> operands) {
  auto record = [&](TermId term, bool nonZero, bool nonNegative) {
    for (ReliedOnValue &value : encoded.reliedOn)
      if (value.term == term) {
        value.isNonZero |= nonZero;
        value.isNonNegative |= nonNegative;
        return;
      }
    encoded.reliedOn.push_back({term, nonZero, nonNegative});
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case<DivOp>([&](auto) { record(operands[1], true, false); })
      .Case<ReciprocalOp>([&](auto) { record(operands[0], true, false); })
      .Case<SqrtOp>([&](auto) { record(operands[0], false, true); })
      .Case<LogOp, RsqrtOp>([&](auto) { record(operands[0], true, true); });
}

LogicalResult Encoder::encodeCompute(ComputeOpInterface op) {
  SmallVector<TermId> operands;
  SmallVector<ParallelId> free;
  for (Value operand : op->getOperands()) {
    operands.push_back(values.lookup(operand));
    llvm::append_range(free, facts.of(operands.back()).free);
  }
  if (language.isErased(op)) {
    encoded.castsErased += cast<CastOp>(op.getOperation()).isNarrowing();
    values[op->getResult(0)] = operands.front();
    return success();
  }
  for (TermId &operand : operands)
    operand = replicateTo(operand, free);
  PrototypeId prototype = language.internPrototype(op);
  if (prototype == egraph::None)
    return fail(op, "drops an iteration dim without reducing it");
  TermId term =
      bank.add(language.prototype(prototype).operatorId, operands, {prototype});
  if (facts.of(term).isIllTyped)
    return fail(op, "has operands whose chunks do not match");
  recordReliedOn(op, operands);
  values[op->getResult(0)] = term;
  return success();
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

/// The extent that `dim` splits, the same in all loaders (its size d_p is one
/// number); unknown if it splits none.
FailureOr<DimExpr> Encoder::findSplitExtent(GraphOpInterface op,
                                            StringRef dim) {
  DimExpr found;
  for (LoadOp load : op->getRegion(0).front().getOps<LoadOp>()) {
    const Mapping &mapping = load.getMap().getValue();
    const TermFact &source = facts.of(values.lookup(load.getSource()));
    for (auto [splits, extent] : llvm::zip(mapping, source.extents)) {
      DimExpr chunk = extent;
      for (const Split &split : splits) {
        if (split.variable)
          return fail(load, "has an undecided map");
        if (split.dim == dim) {
          if (!found.isUnknown() && found != chunk)
            return fail(load, "splits extent " + chunk.str() + " along '" +
                                  dim + "', another loader " + found.str());
          found = chunk;
          break;
        }
        const GraphDim *outer = lookup(split.dim);
        if (!outer)
          break; // A later dim: `dim` does not split this one.
        chunk = DimExpr::quotient(
            chunk, Split{language.parallel(outer->id).name, std::nullopt});
      }
    }
  }
  return found;
}

LogicalResult Encoder::declareParallelDims(GraphOpInterface op) {
  SmallVector<ParallelDimAttr> ordered;
  for (bool isLoop : {false, true})
    llvm::copy_if(op.getParallelDims(), std::back_inserter(ordered),
                  [&](ParallelDimAttr dim) {
                    return (dim.getKind() == ParallelKind::Loop) == isLoop;
                  });
  for (ParallelDimAttr dim : ordered) {
    FailureOr<DimExpr> base = findSplitExtent(op, dim.getName());
    if (failed(base))
      return failure();
    // Other graphs of the candidate split the same extent into tiles of their
    // own size. The dims of other candidates are reused: work is shared.
    unsigned occurrence = 0;
    ParallelId id = language.internParallel(dim.getKind(), *base, occurrence);
    while (llvm::is_contained(declared, id))
      id = language.internParallel(dim.getKind(), *base, ++occurrence);
    declared.push_back(id);
    dims.push_back({dim.getName(), dim.getKind(), id});
  }
  return success();
}

LogicalResult Encoder::encodeGraph(GraphOpInterface op) {
  Block &body = op->getRegion(0).front();
  for (auto [argument, operand] :
       llvm::zip(body.getArguments(), op->getOperands()))
    values[argument] = values.lookup(operand);
  size_t outerDims = dims.size();
  if (failed(declareParallelDims(op)))
    return failure();
  for (Operation &inner : body) {
    if (auto yield = dyn_cast<YieldOp>(inner)) {
      for (auto [result, value] :
           llvm::zip(op->getResults(), yield.getValues()))
        values[result] = values.lookup(value);
      continue;
    }
    if (failed(encode(&inner)))
      return failure();
  }
  dims.truncate(outerDims);
  return success();
}

static IndexMap toIndexMap(AffineMap map) {
  IndexMap result;
  for (AffineExpr expr : map.getResults())
    result.push_back({cast<AffineDimExpr>(expr).getPosition()});
  return result;
}

static std::optional<unsigned> findSplitDim(const Mapping &mapping,
                                            StringRef parallel) {
  for (auto [dim, splits] : llvm::enumerate(mapping))
    for (const Split &split : splits)
      if (split.dim == parallel)
        return dim;
  return std::nullopt;
}

/// The dims that the graph around `op` declares itself.
static ArrayRef<GraphDim> getOwnDims(Operation *op, ArrayRef<GraphDim> dims) {
  auto graph = op->getParentOfType<GraphOpInterface>();
  return dims.take_back(graph.getParallelDims().size());
}

LogicalResult Encoder::encodeLoad(LoadOp op) {
  TermId term = values.lookup(op.getSource());
  for (const GraphDim &dim : getOwnDims(op, dims)) {
    std::optional<unsigned> at = findSplitDim(op.getMap().getValue(), dim.name);
    if (at)
      term = parallelNode(language.ops.part, {*at, dim.id}, term);
    else if (dim.kind != ParallelKind::Loop)
      term = replicate(term, dim);
    // What the loop does not split is loop-invariant; replicated on demand.
  }
  if (facts.of(term).isIllTyped)
    return fail(op, "splits a dim that cannot be split so");
  values[op.getResult()] = term;
  return success();
}

/// The addend of step i: t_i * exp(m_i - M), where M is the maximum of all m_i.
TermId Encoder::encodeRescaled(AccumulateOp op, const GraphDim &dim) {
  TermId tile = values.lookup(op.getTile());
  TermId shift = values.lookup(op.getShift());
  SmallVector<ParallelId> free = {dim.id};
  llvm::append_range(free, facts.of(tile).free);
  llvm::append_range(free, facts.of(shift).free);
  tile = replicateTo(tile, free);
  shift = replicateTo(shift, free);
  TermId maximum =
      replicate(parallelNode(language.ops.redmax, {dim.id}, shift), dim);
  unsigned rank = facts.of(tile).extents.size();
  SmallVector<AffineMap> maps(
      3, AffineMap::getMultiDimIdentityMap(rank, op.getContext()));
  if (ArrayAttr attr = op.getIndexingMapsAttr())
    maps = llvm::to_vector(attr.getAsValueRange<AffineMapAttr>());
  auto indexMaps = llvm::map_to_vector(maps, toIndexMap);
  PrototypeId product = language.internMapped(
      MulOp::getOperationName(), {indexMaps[0], indexMaps[1]}, indexMaps[2]);
  return bank.add(language.ops.rescale, {tile, shift, maximum}, {product});
}

LogicalResult Encoder::encodeAccumulate(AccumulateOp op) {
  const GraphDim *dim = lookup(op.getOver());
  bool isRescaled = op.getKind() == AccumulatorKind::RescaledSum;
  TermId tile = isRescaled ? encodeRescaled(op, *dim)
                           : replicate(values.lookup(op.getTile()), *dim);
  egraph::OpId kind = op.getKind() == AccumulatorKind::Max ? language.ops.redmax
                                                           : language.ops.red;
  TermId term = parallelNode(kind, {dim->id}, tile);
  if (facts.of(term).isIllTyped)
    return fail(op, "combines tiles of different extents");
  values[op.getResult()] = term;
  return success();
}

LogicalResult Encoder::encodeSave(SaveOp op) {
  TermId term = values.lookup(op.getTile());
  SmallVector<StringRef> partials(
      op.getPartials().getAsValueRange<StringAttr>());
  ArrayRef<GraphDim> own = getOwnDims(op, dims);
  for (const GraphDim &dim : llvm::reverse(own)) {
    std::optional<unsigned> at = findSplitDim(op.getMap().getValue(), dim.name);
    bool varies = facts.of(term).isFree(dim.id);
    if (dim.kind == ParallelKind::Loop) {
      if (varies)
        return fail(op, "saves a value that varies over the loop '" + dim.name +
                            "'; accumulate it");
      continue;
    }
    if (llvm::is_contained(partials, dim.name))
      continue;
    term = replicate(term, dim);
    term = at ? parallelNode(language.ops.comb, {*at, dim.id}, term)
              : parallelNode(language.ops.sel, {dim.id}, term);
  }
  for (StringRef partial : llvm::reverse(partials)) {
    const GraphDim &dim = *lookup(partial);
    term = parallelNode(language.ops.stack, {dim.id}, replicate(term, dim));
  }
  if (facts.of(term).isIllTyped)
    return fail(op, "puts tiles together along a dim that does not split them");
  values[op.getResult()] = term;
  return success();
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

FailureOr<EncodedGraph> prism::encodeProgram(ProgramOp program,
                                             TermAnalysis &analysis,
                                             egraph::TermBank &bank,
                                             std::string &why) {
  Block &body = program.getBodyBlock();
  for (BlockArgument argument : body.getArguments())
    analysis.getLanguage().setArgument(argument.getArgNumber(),
                                       getExtents(argument.getType()));
  Encoder encoder(analysis, bank, why);
  encoder.bindArguments(body);
  if (failed(encoder.encodeBody(body)))
    return failure();
  return std::move(encoder.encoded);
}

FailureOr<EncodedGraph> prism::encodeCandidate(CandidateOp candidate,
                                               TermAnalysis &analysis,
                                               egraph::TermBank &bank,
                                               std::string &why) {
  Encoder encoder(analysis, bank, why);
  encoder.bindArguments(candidate.getBodyBlock());
  if (failed(encoder.encodeBody(candidate.getBodyBlock())))
    return failure();
  return std::move(encoder.encoded);
}
