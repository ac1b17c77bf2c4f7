//===- SearchPrograms.cpp - The search stages over a module ---------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SearchPrograms.h"
#include "CachedResults.h"
#include "Prism/Dialect/Statistics.h"
#include "Prism/Tuning/Sizing.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace prism;

bool prism::isChosen(ProgramOp program) {
  SmallVector<CandidateOp> candidates = program.getCandidateOps();
  return !candidates.empty() &&
         candidates.front().getState() == CandidateState::Sized;
}

std::optional<double> prism::getCostUs(ProgramOp program) {
  if (!isChosen(program))
    return std::nullopt;
  return program.getCandidateOps().front().getCostUs()->convertToDouble();
}

bool prism::dropDearer(ProgramOp program) {
  std::optional<double> us = getCostUs(program);
  if (!us)
    return false;
  auto unfused = program.getCandidateOps().front()->getAttrOfType<FloatAttr>(
      "prism.unfused_us");
  if (!unfused || *us <= unfused.getValueAsDouble() * (1 + timeTolerance))
    return false;
  for (CandidateOp candidate : program.getCandidateOps())
    candidate.erase();
  return true;
}

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
