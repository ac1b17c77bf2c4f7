//===- ProgramGraph.cpp - The expression oracle of a program --------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Axioms/ProgramGraph.h"
#include "Prism/Axioms/AxiomRules.h"
#include "Prism/Axioms/Encoder.h"
#include <deque>

using namespace mlir;
using namespace prism;

ProgramGraph::ProgramGraph() = default;
ProgramGraph::~ProgramGraph() = default;

/// Terms are shared: without `added`, a chain of squares would take forever.
static egraph::Id addTerm(egraph::EGraph &graph, const egraph::TermBank &bank,
                          egraph::TermId term,
                          llvm::DenseMap<egraph::TermId, egraph::Id> &added) {
  if (auto it = added.find(term); it != added.end())
    return it->second;
  egraph::NodeView node = bank.node(term);
  SmallVector<egraph::Id> children;
  for (egraph::TermId child : node.children)
    children.push_back(addTerm(graph, bank, child, added));
  egraph::Id id = graph.add(node.op, children, node.payloads);
  added[term] = id;
  return id;
}

egraph::Id prism::addTerm(egraph::EGraph &graph, const egraph::TermBank &bank,
                          egraph::TermId term) {
  llvm::DenseMap<egraph::TermId, egraph::Id> added;
  return ::addTerm(graph, bank, term, added);
}

/// The compute ops of a term, as a tree, once what axioms write as a product
/// is one: square(a) as a * a, silu(a) as a * sigmoid(a). Saturates far below
/// the largest number.
static uint64_t
getExpandedSize(const TermLanguage &language, const egraph::TermBank &bank,
                egraph::TermId term,
                llvm::DenseMap<egraph::TermId, uint64_t> &known) {
  if (auto it = known.find(term); it != known.end())
    return it->second;
  egraph::NodeView node = bank.node(term);
  uint64_t size = 0, operands = 0;
  for (egraph::TermId child : node.children)
    operands += getExpandedSize(language, bank, child, known);
  if (language.isCompute(node.op)) {
    Operation *op = language.prototype(node.payloads[0]).op;
    size = isa<ConstantOp>(op) ? 0 : isa<SiluOp>(op) ? 2 : 1;
    if (isa<SquareOp, SiluOp>(op))
      operands *= 2;
  }
  return known[term] = std::min<uint64_t>(size + operands, 1u << 30);
}

/// Names the values that the program relies on, so that their signs are facts
/// of their classes.
static void addDefinitions(egraph::EGraph &graph, TermAnalysis &analysis,
                           const EncodedGraph &encoded,
                           const egraph::TermBank &bank,
                           egraph::RuleId reason) {
  TermFacts facts(analysis, bank);
  for (const ReliedOnValue &value : encoded.reliedOn) {
    egraph::Payload k = analysis.addDefined(
        {facts.of(value.term).extents, value.isNonZero, value.isNonNegative});
    egraph::Id name = graph.add(analysis.getLanguage().ops.defined, {}, {k});
    graph.merge(addTerm(graph, bank, value.term), name, reason);
  }
}

FailureOr<std::unique_ptr<ProgramGraph>>
ProgramGraph::build(ProgramOp program, const ProgramGraphOptions &options) {
  std::unique_ptr<ProgramGraph> result(new ProgramGraph());
  result->terms =
      std::make_unique<TermLanguage>(program.getContext(), options.precision);
  result->facts = std::make_unique<TermAnalysis>(*result->terms);
  result->axiomRules =
      std::make_unique<AxiomRules>(*result->facts, options.reach);
  egraph::TermBank bank;
  std::string why;
  FailureOr<EncodedGraph> encoded =
      encodeProgram(program, *result->facts, bank, why);
  if (failed(encoded)) {
    emitRemark(program.getLoc())
        << "cannot be compared with candidates: " << why;
    return failure();
  }
  result->erased = encoded->castsErased;
  egraph::EGraph &graph = result->graph;
  graph = egraph::EGraph({options.proofs, result->facts.get()});
  SmallVector<egraph::Id> argumentIds;
  for (egraph::TermId argument : encoded->arguments)
    argumentIds.push_back(addTerm(graph, bank, argument));
  uint64_t size = 0;
  llvm::DenseMap<egraph::TermId, uint64_t> expandedSizes;
  for (egraph::TermId root : encoded->results) {
    result->writtenRoots.push_back(addTerm(graph, bank, root));
    size = std::max(size,
                    getExpandedSize(*result->terms, bank, root, expandedSizes));
  }
  addDefinitions(graph, *result->facts, *encoded, bank,
                 result->axiomRules->definitionRule());
  result->axiomRules->setMaxTermSize(size + options.extraOps);
  egraph::Limits limits = options.limits;
  limits.seconds -=
      egraph::saturate(graph, result->axiomRules->preparingRules(), limits)
          .seconds;
  result->saturation = egraph::saturate(graph, result->axiomRules->rules(),
                                        limits, &result->saturationState);
  for (egraph::Id root : result->writtenRoots)
    result->rootClasses.push_back(graph.find(root));
  for (egraph::Id argument : argumentIds)
    result->argumentClasses.push_back(graph.find(argument));
  for (egraph::Id eclass : graph.classes())
    result->allClasses.push_back(eclass);
  result->computeDistances();
  return std::move(result);
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

/// Breadth-first from the roots down; then depths by relaxation upwards.
void ProgramGraph::computeDistances() {
  std::deque<ClassId> queue;
  for (ClassId root : rootClasses)
    if (distances.try_emplace(root, 0).second)
      queue.push_back(root);
  while (!queue.empty()) {
    ClassId eclass = queue.front();
    queue.pop_front();
    unsigned distance = distances.lookup(eclass);
    for (const ComputeNode &node : nodes(eclass))
      for (ClassId operand : node.operands)
        if (distances.try_emplace(operand, distance + 1).second)
          queue.push_back(operand);
  }
  for (ClassId argument : argumentClasses)
    depths[argument] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (ClassId eclass : allClasses)
      for (const ComputeNode &node : nodes(eclass)) {
        unsigned depth = node.operands.empty() ? 0 : 1;
        for (ClassId operand : node.operands) {
          auto it = depths.find(operand);
          depth = it == depths.end() || depth == ~0u
                      ? ~0u
                      : std::max(depth, it->second + 1);
        }
        auto [it, isNew] = depths.try_emplace(eclass, ~0u);
        if (depth < it->second) {
          it->second = depth;
          changed = true;
        }
      }
    // A class whose depth is not known yet stays absent.
    for (ClassId eclass : allClasses)
      if (depths.lookup(eclass) == ~0u)
        depths.erase(eclass);
  }
}

std::optional<unsigned> ProgramGraph::distanceToRoot(ClassId eclass) const {
  auto it = distances.find(graph.find(eclass));
  return it == distances.end() ? std::nullopt
                               : std::optional<unsigned>(it->second);
}

unsigned ProgramGraph::minDepth(ClassId eclass) const {
  return depths.lookup(graph.find(eclass));
}

SmallVector<ComputeNode> ProgramGraph::nodes(ClassId eclass) const {
  SmallVector<ComputeNode> found;
  for (egraph::Id id : graph.nodes(graph.find(eclass))) {
    egraph::NodeView node = graph.node(id);
    if (!terms->isCompute(node.op))
      continue;
    ComputeNode compute{node.payloads[0], {}};
    for (egraph::Id child : node.children)
      compute.operands.push_back(graph.find(child));
    found.push_back(std::move(compute));
  }
  return found;
}

ClassId ProgramGraph::lookup(PrototypeId prototype,
                             ArrayRef<ClassId> operands) const {
  SmallVector<egraph::Id> children;
  for (ClassId operand : operands)
    children.push_back(graph.find(operand));
  egraph::Id id = graph.lookup(terms->prototype(prototype).operatorId, children,
                               {prototype});
  return id == egraph::None ? egraph::None : graph.find(id);
}

ClassId ProgramGraph::lookup(Operation *op, ArrayRef<ClassId> operands) {
  if (terms->isErased(op))
    return operands.front();
  PrototypeId prototype = terms->internPrototype(op);
  return prototype == egraph::None ? egraph::None : lookup(prototype, operands);
}

ArrayRef<DimExpr> ProgramGraph::extents(ClassId eclass) const {
  return (*facts)[graph.fact(eclass)].extents;
}
