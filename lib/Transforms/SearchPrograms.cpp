//===- SearchPrograms.cpp - The search stages over a module ---------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SearchPrograms.h"
#include "CachedResults.h"
#include "Prism/Dialect/Statistics.h"
#include "Prism/Tuning/CostModel.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace prism;

/// Sizes tried of each kernel of a part that is not chosen yet.
static constexpr uint64_t probePoints = 256;

bool prism::isChosen(ProgramOp program) {
  SmallVector<CandidateOp> candidates = program.getCandidateOps();
  return !candidates.empty() &&
         candidates.front().getState() == CandidateState::Sized;
}

/// The cost of the first candidate, if it is sized.
static std::optional<double> getCostUs(ProgramOp program) {
  if (!isChosen(program))
    return std::nullopt;
  return program.getCandidateOps().front().getCostUs()->convertToDouble();
}

/// Drops the candidates of `program` where the cheapest costs more than the
/// program op by op: the sizing has said so.
static bool dropDearer(ProgramOp program) {
  std::optional<double> us = getCostUs(program);
  if (!us)
    return false;
  auto unfused = program.getCandidateOps().front()->getAttrOfType<FloatAttr>(
      "prism.unfused_us");
  if (!unfused || *us <= unfused.getValueAsDouble())
    return false;
  for (CandidateOp candidate : program.getCandidateOps())
    candidate.erase();
  return true;
}

/// The graphs that were grown for `program`.
static uint64_t getSteps(ProgramOp program) {
  auto counts = program->getAttrOfType<DictionaryAttr>(statisticsAttrName);
  auto steps =
      counts ? counts.getAs<IntegerAttr>("graphs_generated") : IntegerAttr();
  return steps ? steps.getInt() : 0;
}

//===----------------------------------------------------------------------===//
// Whole programs
//===----------------------------------------------------------------------===//

LogicalResult ProgramSearch::runStage(ProgramOp program,
                                      std::optional<double> &seconds,
                                      std::unique_ptr<Pass> pass) {
  lastRemark.clear();
  ScopedDiagnosticHandler listener(module.getContext(), [&](Diagnostic &said) {
    lastRemark = said.str();
    return failure(); // the next handler prints it
  });
  return timed(seconds, [&] {
    return run(program,
               [&](OpPassManager &pm) { pm.addPass(std::move(pass)); });
  });
}

/// The stage that leaves a program without candidates says why.
void ProgramSearch::noteReason(ProgramRecord &record, ProgramOp program) const {
  if (record.whyNotChosen.empty() && program.getCandidateOps().empty())
    record.whyNotChosen = lastRemark;
}

/// Of memory-mib, at least 1; 0: no limit.
uint64_t ProgramSearch::getMemoryLeft(const ProgramWatch &watch) const {
  if (stages.memoryMiB == 0)
    return 0;
  uint64_t used = std::min(watch.getUsedMiB(), stages.memoryMiB);
  return std::max<uint64_t>(stages.memoryMiB - used, 1);
}

/// Lowers the limits of `generate` to those of the search of a part.
void ProgramSearch::limitToPart(PrismGenerateOptions &generate) const {
  auto limit = [](auto &bound, auto value) {
    if (value > 0 && (bound == 0 || value < bound))
      bound = value;
  };
  limit(generate.budgetSeconds, stages.partSeconds);
  limit(generate.budgetSteps, stages.partSteps);
}

LogicalResult ProgramSearch::searchWhole(ProgramOp program) {
  ProgramRecord &record = records[program.getSymNameAttr()] =
      makeRecord(program.getSymName());
  Entry &entry =
      *entries.try_emplace(getStructure(program), std::make_unique<Entry>())
           .first->second;
  ++numSearched;
  ProgramWatch watch(module.getContext(), program.getSymName());
  // What one stage leaves of the budget is the next one's.
  auto getShare = [&](double share) {
    double left = stages.budgetSeconds - record.searchSeconds.value_or(0);
    return stages.budgetSeconds > 0 ? std::max(left * share, 1e-3) : 0;
  };
  stages.generate.budgetSeconds = getShare(0.4);
  stages.generate.memoryMiB = stages.memoryMiB;
  PrismGenerateOptions generate = stages.generate;
  // What only axioms can bring within the bound is more likely to be cut.
  SmallVector<Operation *> ops;
  for (Operation &op : program.getBodyBlock().without_terminator())
    ops.push_back(&op);
  if (stages.parts.maxOps && PartGraph::countOps(ops) > stages.parts.maxOps)
    limitToPart(generate);
  if (failed(runStage(program, record.searchSeconds,
                      createPrismGenerate(generate))))
    return failure();
  noteReason(record, program);
  stages.maps.budgetSeconds = getShare(0.4);
  stages.maps.memoryMiB = getMemoryLeft(watch);
  if (failed(runStage(program, record.searchSeconds,
                      createPrismInstantiateMaps(stages.maps))))
    return failure();
  noteReason(record, program);
  stages.verify.budgetSeconds = getShare(1);
  stages.verify.memoryMiB = getMemoryLeft(watch);
  if (failed(runStage(program, record.searchSeconds,
                      createPrismVerify(stages.verify))))
    return failure();
  noteReason(record, program);
  record.peakMiB = watch.getPeakMiB();
  if (failed(runStage(program, record.instantiationSeconds,
                      createPrismInstantiateParams(stages.params))))
    return failure();
  entry.program = program;
  dropDearer(program);
  entry.us = getCostUs(program);
  if (!entry.us && record.whyNotChosen.empty())
    record.whyNotChosen = lastRemark;
  entry.reason = record.whyNotChosen;
  if (!entry.us)
    program->setAttr(leftAloneAttrName,
                     StringAttr::get(module.getContext(), entry.reason));
  entry.isFinished = true;
  return success();
}

/// Proves known results of `program` again and puts them in place. False where
/// there are none, or none that are proved.
FailureOr<bool> ProgramSearch::restore(ProgramOp program) {
  std::optional<std::string> text = lookupResults(program);
  if (!text)
    return false;
  ProgramRecord record = makeRecord(program.getSymName());
  std::optional<double> seconds;
  FailureOr<CachedResults> results =
      timed(seconds, [&] { return parseResults(program, *text); });
  if (failed(results)) {
    emitRemark(program.getLoc()) << "what the tuning cache has of program '"
                                 << program.getSymName() << "' is damaged";
    return false;
  }
  // A pass runs passes only on what is inside its op.
  module.push_back(*results->module);
  for (auto known : results->module->getOps<ProgramOp>()) {
    Attribute statistics = known->getAttr(statisticsAttrName);
    size_t expected = known.getCandidateOps().size();
    if (failed(runStage(known, seconds, createPrismVerify(stages.verify))))
      return failure();
    if (known.getCandidateOps().size() != expected) {
      emitRemark(program.getLoc())
          << "what the tuning cache has of program '" << program.getSymName()
          << "' is not all proved";
      return false;
    }
    known->setAttr(statisticsAttrName, statistics);
  }
  PartGraph graph(program);
  SmallVector<PlacedPart> parts =
      placeResults(program, std::move(*results), symbols);
  record.searchSeconds = seconds;
  record.isFromCache = true;
  if (auto why = program->getAttrOfType<StringAttr>(leftAloneAttrName))
    record.whyNotChosen = why.str();
  records[program.getSymNameAttr()] = std::move(record);
  for (const PlacedPart &placed : parts) {
    auto part = symbols.lookup<ProgramOp>(placed.program);
    if (auto why = part->getAttrOfType<StringAttr>(leftAloneAttrName)) {
      recordLeftAlone(program, graph, placed.nodes, why);
      continue;
    }
    ProgramRecord &partRecord = records[placed.program] =
        makeRecord(placed.program);
    partRecord.isFromCache = true;
  }
  if (!parts.empty())
    cuts[program.getSymNameAttr()] = std::move(parts);
  return true;
}

LogicalResult ProgramSearch::searchAll() {
  SmallVector<ProgramOp> programs;
  for (ProgramOp program : llvm::to_vector(module.getOps<ProgramOp>())) {
    FailureOr<bool> isKnown = restore(program);
    if (failed(isKnown))
      return failure();
    if (!*isKnown)
      programs.push_back(program);
  }
  for (ProgramOp program : programs)
    if (failed(searchWhole(program)))
      return failure();
  for (ProgramOp program : programs)
    if (failed(cutProgram(program)))
      return failure();
  // What was searched in vain goes.
  for (auto &entry : entries)
    if (ProgramOp program = entry.second->program)
      if (!records.contains(program.getSymNameAttr()))
        symbols.erase(program);
  return success();
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

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
    known->reason = "an extent is dynamic";
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
  const Target &target = *lookupTarget(stages.params.target);
  std::optional<double> wholeUs = getCostUs(program);
  auto symbolValue = [&](StringRef name) -> std::optional<int64_t> {
    ExtentSymbolAttr symbol = program.lookupExtent(name);
    return symbol ? symbol.getValue() : std::nullopt;
  };
  std::optional<double> roofline =
      estimateRooflineUs(program, target, symbolValue);
  if (stages.parts.maxOps == 0 || !roofline)
    return success(); // dynamic extents have no cost
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
  // Where a part was cut short another cut may be cheaper.
  bool complete = !chooser.hitLimit();
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
  return success();
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
      ProgramRecord &partRecord =
          records.try_emplace(name, makeRecord(name)).first->second;
      auto add = [](std::optional<double> &sum, std::optional<double> &term) {
        if (term)
          sum = sum.value_or(0) + *term;
        term = std::nullopt;
      };
      add(partRecord.searchSeconds, entry.searchSeconds);
      add(partRecord.instantiationSeconds, entry.instantiationSeconds);
    } else {
      ++left;
      OwningOpRef<ProgramOp> rest = buildPart(
          state.graph, part->nodes, (program.getSymName() + "_rest").str());
      name = symbols.insert(rest.release(), Block::iterator(program));
      std::string why =
          entry.reason.empty() ? std::string("only moves data") : entry.reason;
      symbols.lookup(name)->setAttr(leftAloneAttrName,
                                    StringAttr::get(module.getContext(), why));
      recordLeftAlone(program, state.graph, part->nodes, why);
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
