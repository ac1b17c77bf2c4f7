//===- CachedResults.cpp - Search results in a tuning cache ---------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CachedResults.h"
#include "Prism/Dialect/Statistics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace prism;

/// On a part: for each place that it stands in, the place's number in the order
/// of all, then the nodes of the whole program's graph that it stands for.
static constexpr llvm::StringLiteral placesAttrName = "prism.places";

std::string prism::printResults(ProgramOp program, ArrayRef<PlacedPart> parts) {
  OwningOpRef<ModuleOp> module =
      ModuleOp::create(UnknownLoc::get(program.getContext()));
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  builder.clone(*program);
  // Equal parts are one program that stands in several places.
  llvm::MapVector<StringAttr, SmallVector<Attribute>> places;
  for (auto [number, part] : llvm::enumerate(parts)) {
    SmallVector<int64_t> place = {int64_t(number)};
    llvm::append_range(place, part.nodes.set_bits());
    places[part.program].push_back(builder.getDenseI64ArrayAttr(place));
  }
  Operation *from = program->getParentOfType<ModuleOp>();
  for (auto &[name, list] : places)
    builder.clone(*SymbolTable::lookupSymbolIn(from, name))
        ->setAttr(placesAttrName, builder.getArrayAttr(list));
  std::string text;
  llvm::raw_string_ostream(text) << *module;
  return text;
}

/// Gives `program` the candidates and the counts of `cached`.
static void takeResults(ProgramOp program, ProgramOp cached) {
  program.getCandidates().takeBody(cached.getCandidates());
  for (StringRef name :
       {StringRef(statisticsAttrName), StringRef(leftAloneAttrName)})
    if (Attribute attr = cached->getAttr(name))
      program->setAttr(name, attr);
}

/// The nodes of a place; none if it is not one of `graph`.
static std::optional<NodeSet> getNodes(ArrayRef<int64_t> place,
                                       const PartGraph &graph) {
  NodeSet nodes(graph.size());
  for (int64_t node : place.drop_front()) {
    if (node < 0 || node >= int64_t(graph.size()))
      return std::nullopt;
    nodes.set(node);
  }
  return nodes;
}

FailureOr<CachedResults> prism::parseResults(ProgramOp program,
                                             StringRef text) {
  ScopedDiagnosticHandler quiet(program.getContext(),
                                [](Diagnostic &) { return success(); });
  auto cached = parseSourceString<ModuleOp>(text, program.getContext());
  if (!cached || cached->getOps<ProgramOp>().empty())
    return failure();
  CachedResults results;
  results.module = ModuleOp::create(program.getLoc());
  OpBuilder builder = OpBuilder::atBlockEnd(results.module->getBody());
  ProgramOp cachedWhole = *cached->getOps<ProgramOp>().begin();
  results.whole = cast<ProgramOp>(builder.clone(*program));
  takeResults(results.whole, cachedWhole);

  PartGraph graph(program);
  SymbolTable symbols(*results.module);
  std::map<int64_t, std::pair<NodeSet, ProgramOp>> places;
  for (ProgramOp cachedPart : llvm::drop_begin(cached->getOps<ProgramOp>())) {
    auto list = cachedPart->getAttrOfType<ArrayAttr>(placesAttrName);
    ProgramOp part;
    for (Attribute attr : list ? list.getValue() : ArrayRef<Attribute>()) {
      auto place = dyn_cast<DenseI64ArrayAttr>(attr);
      if (!place || place.empty())
        return failure();
      std::optional<NodeSet> nodes = getNodes(place, graph);
      if (!nodes || nodes->none())
        return failure();
      if (!part) {
        part = buildPart(graph, *nodes, cachedPart.getSymName()).release();
        if (!part)
          return failure();
        symbols.insert(part);
        takeResults(part, cachedPart);
      }
      places[place[0]] = {*nodes, part};
    }
  }
  NodeSet covered(graph.size());
  for (auto &[number, place] : places) {
    if (covered.anyCommon(place.first))
      return failure();
    covered |= place.first;
    results.parts.push_back(place);
  }
  if ((!places.empty() && !covered.all()) || failed(verify(*results.module)))
    return failure();
  return results;
}

SmallVector<PlacedPart> prism::placeResults(ProgramOp program,
                                            CachedResults results,
                                            SymbolTable &symbols) {
  takeResults(program, results.whole);
  llvm::DenseMap<ProgramOp, StringAttr> names;
  SmallVector<PlacedPart> parts;
  for (auto &[nodes, part] : results.parts) {
    StringAttr &name = names[part];
    if (!name) {
      part->remove();
      name = symbols.insert(part, ++Block::iterator(program));
    }
    parts.push_back({nodes, name});
  }
  if (parts.empty())
    return parts;
  PartGraph graph(program);
  for (auto use :
       llvm::to_vector(*SymbolTable::getSymbolUses(program, symbols.getOp())))
    if (auto invoke = dyn_cast<InvokeOp>(use.getUser()))
      replaceInvoke(invoke, graph, parts);
  return parts;
}
