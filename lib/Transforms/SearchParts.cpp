//===- SearchParts.cpp - Programs cut into parts --------------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/search-space.md, Partition: which parts are looked at, searched, and put
// in the place of their program.
//
//===----------------------------------------------------------------------===//

#include "CachedResults.h"
#include "Prism/Dialect/Statistics.h"
#include "Prism/Search/SearchMonitor.h"
#include "Prism/Tuning/AssumedExtents.h"
#include "SearchPrograms.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace prism;

/// Sizes tried of each kernel of a part that is not chosen yet.
static constexpr uint64_t probePoints = 256;

/// The graphs that were grown for `program`.
static uint64_t getSteps(ProgramOp program) {
  auto counts = program->getAttrOfType<DictionaryAttr>(statisticsAttrName);
  auto steps =
      counts ? counts.getAs<IntegerAttr>("graphs_generated") : IntegerAttr();
  return steps ? steps.getInt() : 0;
}

/// The entry of `part`, searched now if no equal one was.
ProgramSearch::Entry &ProgramSearch::lookup(Cut &state, const Part &part) {
  Entry *&known = state.entryOf[part.nodes];
  if (known)
    return *known;
  OwningOpRef<ProgramOp> program = buildPart(
      state.graph, part.nodes,
      (state.program.getSymName() + "_p" + Twine(state.searched.size())).str());
  std::string structure = program ? getStructure(*program) : "";
  auto [it, isNew] = entries.try_emplace(structure, std::make_unique<Entry>());
  known = it->second.get();
  if (!program) {
    known->reason = "a dynamic extent that it needs is none of its arguments'";
    return *known;
  }
  if (!isNew)
    return *known;
  known->program = program.release();
  symbols.insert(known->program, ++Block::iterator(state.program));
  state.searched.push_back(known);
  probe(state, *known);
  return *known;
}

/// Drops the candidates of `program` that are not among those of `sized`.
static void keepSized(ProgramOp program, ProgramOp sized) {
  llvm::StringSet<> ids;
  for (CandidateOp candidate : sized.getCandidateOps())
    ids.insert(candidate.getId().split('.').first);
  for (CandidateOp candidate : program.getCandidateOps())
    if (!ids.contains(candidate.getId()))
      candidate.erase();
}

/// Generates, maps and sizes the candidates of a part, without a word.
void ProgramSearch::probe(Cut &state, Entry &entry) {
  SearchMonitor *monitor = getSearchMonitor(module.getContext());
  if (state.secondsLeft <= 0 || (monitor && monitor->isCancelled()) ||
      (stages.generate.budgetSteps && state.stepsLeft == 0)) {
    entry.reason = "the budget ended before it was searched";
    return;
  }
  ++numSearched;
  ScopedDiagnosticHandler quiet(module.getContext(), [&](Diagnostic &said) {
    entry.reason = said.str();
    return success();
  });
  PrismGenerateOptions generate = stages.generate;
  PrismInstantiateMapsOptions maps = stages.maps;
  generate.extraOps = 0;
  generate.explainPruning.clear();
  generate.memoryMiB = getMemoryLeft(state.watch);
  generate.budgetSeconds = stages.budgetSeconds > 0 ? state.secondsLeft : 0;
  generate.budgetSteps = stages.generate.budgetSteps ? state.stepsLeft : 0;
  limitToPart(generate);
  bool ran = succeeded(runStage(entry.program, entry.searchSeconds,
                                createPrismGenerate(generate)));
  state.secondsLeft -= entry.searchSeconds.value_or(0);
  if (generate.budgetSeconds > 0)
    maps.budgetSeconds =
        std::max(std::min(generate.budgetSeconds, state.secondsLeft), 1e-3);
  maps.memoryMiB = getMemoryLeft(state.watch);
  std::optional<double> mapsSeconds;
  ran = ran && succeeded(runStage(entry.program, mapsSeconds,
                                  createPrismInstantiateMaps(maps)));
  state.secondsLeft -= mapsSeconds.value_or(0);
  entry.searchSeconds =
      entry.searchSeconds.value_or(0) + mapsSeconds.value_or(0);
  state.stepsLeft -= std::min(state.stepsLeft, getSteps(entry.program));
  if (!ran || entry.program.getCandidateOps().empty())
    return;
  // The mapped candidates are kept, to be verified if they are chosen.
  auto sized = cast<ProgramOp>(OpBuilder(entry.program).clone(*entry.program));
  PrismInstantiateParamsOptions params = stages.params;
  params.maxPoints = probePoints;
  if (succeeded(runStage(sized, entry.instantiationSeconds,
                         createPrismInstantiateParams(params))))
    entry.us = getCostUs(sized);
  if (entry.us)
    keepSized(entry.program, sized);
  sized.erase();
}

/// Verifies and sizes the candidates of a chosen part.
LogicalResult ProgramSearch::finish(Cut &state, Entry &entry) {
  entry.isFinished = true;
  PrismVerifyOptions verify = stages.verify;
  double left = state.secondsToVerify + std::max(state.secondsLeft, 0.0);
  verify.budgetSeconds = stages.budgetSeconds > 0 ? std::max(left, 1e-3) : 0;
  verify.memoryMiB = getMemoryLeft(state.watch);
  std::optional<double> seconds;
  bool ran =
      succeeded(runStage(entry.program, seconds, createPrismVerify(verify)));
  entry.searchSeconds = entry.searchSeconds.value_or(0) + seconds.value_or(0);
  state.secondsToVerify -= seconds.value_or(0);
  if (!ran || failed(runStage(entry.program, entry.instantiationSeconds,
                              createPrismInstantiateParams(stages.params))))
    return failure();
  bool isDearer = dropDearer(entry.program);
  entry.us = getCostUs(entry.program);
  if (!entry.us)
    entry.reason = isDearer ? "its kernels cost more than its ops by themselves"
                            : "no candidate was proved";
  return success();
}

/// The cheapest parts, all verified.
FailureOr<std::vector<const Part *>>
ProgramSearch::chooseParts(Cut &state, PartChooser &chooser) {
  while (true) {
    std::vector<const Part *> parts = chooser.choose(
        [&](const Part &part) { return lookup(state, part).us; });
    bool isSettled = true;
    for (const Part *part : parts) {
      if (part->state != PartState::Searched ||
          part->nodes.all()) // the whole program, verified
        continue;
      Entry &entry = lookup(state, *part);
      if (!entry.isFinished && failed(finish(state, entry)))
        return failure();
      // Verification may have dropped the cheapest candidate.
      if (entry.us == part->us)
        continue;
      chooser.setSearched(part->nodes, entry.us);
      isSettled = false;
    }
    if (isSettled)
      return parts;
  }
}

LogicalResult ProgramSearch::cutProgram(ProgramOp program) {
  Target target = *lookupTarget(stages.params.target);
  if (!stages.params.tensorMaps)
    target = target.withoutTensorMaps();
  std::optional<double> wholeUs = getCostUs(program);
  std::optional<double> roofline =
      getMeanEstimate(program, [&](SymbolValueFn symbolValue) {
        return estimateRooflineUs(program, target, symbolValue);
      });
  if (stages.parts.maxOps == 0 || !roofline)
    return success();
  double worthwhile = wholeUs ? (1 - stages.parts.minGain) * *wholeUs
                              : std::numeric_limits<double>::infinity();
  // Any cut launches twice and moves what the whole must move.
  if (2 * CostAssumptions::launchUs + *roofline >= worthwhile)
    return success();

  ProgramRecord &record = records[program.getSymNameAttr()];
  double secondsLeft =
      stages.budgetSeconds > 0
          ? stages.budgetSeconds - record.searchSeconds.value_or(0)
          : std::numeric_limits<double>::infinity();
  Cut state(
      program, secondsLeft,
      stages.generate.budgetSteps -
          std::min<uint64_t>(stages.generate.budgetSteps, getSteps(program)));
  unsigned size = state.graph.size();
  if (size < 2)
    return success();
  std::optional<PartEstimator> estimator = PartEstimator::create(
      state.graph, target, stages.generate.maxKernels > 1);
  if (!estimator)
    return success();
  PartChooser chooser(state.graph, *estimator, stages.parts);
  chooser.setSearched(NodeSet(size, true), wholeUs);
  if (wholeUs && chooser.getLeastUs() >= worthwhile)
    return success();

  FailureOr<std::vector<const Part *>> parts = chooseParts(state, chooser);
  if (failed(parts))
    return failure();
  double us = 0;
  unsigned left = 0;
  for (const Part *part : *parts) {
    us += part->us;
    left += part->state == PartState::Failed;
  }
  bool isCut = parts->size() > 1 && left < parts->size() &&
               (!wholeUs || (left == 0 && us < worthwhile));
  if (isCut)
    replace(state, *parts);
  recordCut(state, chooser.hitLimit());
  return success();
}

/// What the search of the parts took, and whether it saw them all.
void ProgramSearch::recordCut(Cut &state, bool hitLimit) {
  ProgramOp program = state.program;
  ProgramRecord &record = records[program.getSymNameAttr()];
  // Where a part was cut short another cut may be cheaper.
  bool complete = !hitLimit;
  for (Entry *entry : state.searched)
    complete &= isComplete(entry->program);
  recordComplete(program, complete);
  // The time of what was not chosen is the whole program's.
  for (Entry *entry : state.searched) {
    if (!entry->program || records.contains(entry->program.getSymNameAttr()))
      continue;
    record.searchSeconds =
        record.searchSeconds.value_or(0) + entry->searchSeconds.value_or(0);
    record.instantiationSeconds = record.instantiationSeconds.value_or(0) +
                                  entry->instantiationSeconds.value_or(0);
    entry->searchSeconds = entry->instantiationSeconds = std::nullopt;
  }
  if (std::optional<double> peak = state.watch.getPeakMiB())
    record.peakMiB = std::max(record.peakMiB.value_or(0), *peak);
  recordStatistics(program, {{"parts_searched", state.searched.size()}});
}

/// Says, here and in the report, that `part` of `program` was left alone.
void ProgramSearch::recordLeftAlone(ProgramOp program, const PartGraph &graph,
                                    const NodeSet &part, StringRef why) {
  Operation *first = graph.getNodes()[part.find_first()].ops.front();
  emitRemark(first->getLoc()) << "left alone: " << why;
  std::string where;
  llvm::raw_string_ostream(where) << first->getLoc();
  records[program.getSymNameAttr()].leftAlone.push_back(
      {where, first->getName().getStringRef().str(), why.str()});
}

/// The seconds of the search of a part that was chosen.
void ProgramSearch::recordPart(StringAttr name, Entry &entry) {
  ProgramRecord &record =
      records.try_emplace(name, makeRecord(name)).first->second;
  auto add = [](std::optional<double> &sum, std::optional<double> &term) {
    if (term)
      sum = sum.value_or(0) + *term;
    term = std::nullopt;
  };
  add(record.searchSeconds, entry.searchSeconds);
  add(record.instantiationSeconds, entry.instantiationSeconds);
}

/// A program of the ops of `part`, as they were. Returns its name.
StringAttr ProgramSearch::leavePartAlone(Cut &state, const Part &part,
                                         StringRef reason) {
  ProgramOp program = state.program;
  OwningOpRef<ProgramOp> rest = buildPart(
      state.graph, part.nodes, (program.getSymName() + "_rest").str());
  StringAttr name = symbols.insert(rest.release(), Block::iterator(program));
  StringRef why = reason.empty() ? "only moves data" : reason;
  symbols.lookup(name)->setAttr(leftAloneAttrName,
                                StringAttr::get(module.getContext(), why));
  recordLeftAlone(program, state.graph, part.nodes, why);
  return name;
}

/// Puts `parts` in the place of the program.
void ProgramSearch::replace(Cut &state, ArrayRef<const Part *> parts) {
  ProgramOp program = state.program;
  SmallVector<PlacedPart> placed;
  unsigned left = 0;
  double us = 0;
  for (const Part *part : parts) {
    Entry &entry = lookup(state, *part);
    StringAttr name;
    if (part->state == PartState::Searched) {
      name = entry.program.getSymNameAttr();
      us += part->us;
      recordPart(name, entry);
    } else {
      ++left;
      name = leavePartAlone(state, *part, entry.reason);
    }
    placed.push_back({part->nodes, name});
  }
  emitRemark(program.getLoc()) << llvm::formatv(
      "program '{0}' is cut into {1} parts, {2} of them left "
      "alone, after {3} were searched; the others cost {4:F1} "
      "us by the model",
      program.getSymName(), parts.size(), left, state.searched.size(), us);
  for (auto use : llvm::to_vector(*SymbolTable::getSymbolUses(program, module)))
    if (auto invoke = dyn_cast<InvokeOp>(use.getUser()))
      replaceInvoke(invoke, state.graph, placed);
  cuts[program.getSymNameAttr()] = std::move(placed);
}
