//===- Report.cpp - The report of --prism-superoptimize -------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "MeasureCandidates.h"
#include "Prism/Dialect/Statistics.h"
#include "Prism/Version.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace prism;
namespace json = llvm::json;

template <typename T>
static json::Value orNull(const std::optional<T> &value) {
  return value ? json::Value(*value) : json::Value(nullptr);
}

/// A count from the program's statistics, or null.
static json::Value getCount(DictionaryAttr statistics, StringRef key) {
  if (statistics)
    if (auto count = statistics.getAs<IntegerAttr>(key))
      return count.getInt();
  return nullptr;
}

static json::Object getCounts(DictionaryAttr statistics,
                              ArrayRef<StringRef> keys) {
  json::Object counts;
  for (StringRef key : keys)
    counts[key] = getCount(statistics, key);
  return counts;
}

/// Calls `callback` on the ops of the candidate in order, kernels inside out.
static void forEachGraphOp(CandidateOp candidate,
                           function_ref<void(Operation *)> callback) {
  candidate.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isa<YieldOp>(op))
      callback(op);
  });
}

std::string prism::describeGraph(CandidateOp candidate) {
  std::string text;
  forEachGraphOp(candidate, [&](Operation *op) {
    if (!text.empty())
      text += isa<KernelOp>(op) ? "; " : " ";
    text += op->getName().stripDialect();
    if (auto accumulate = dyn_cast<AccumulateOp>(op))
      text += "." + stringifyAccumulatorKind(accumulate.getKind()).str();
  });
  return text;
}

std::string prism::describeMaps(CandidateOp candidate) {
  std::string text;
  llvm::raw_string_ostream os(text);
  forEachGraphOp(candidate, [&](Operation *op) {
    auto map = op->getAttrOfType<MapAttr>("map");
    if (!map)
      return;
    os << (text.empty() ? "" : " ") << op->getName().stripDialect() << '[';
    llvm::interleaveComma(map.getValue(), os, [&](const auto &splits) {
      os << '[';
      llvm::interleaveComma(splits, os);
      os << ']';
    });
    os << ']';
  });
  return text;
}

static int64_t countKernels(CandidateOp candidate) {
  int64_t kernels = 0;
  for (Operation &op : candidate.getBodyBlock().without_terminator())
    kernels += !isa<ConstantOp>(op);
  return kernels;
}

static json::Value getCost(CandidateOp candidate) {
  if (std::optional<APFloat> cost = candidate.getCostUs())
    return cost->convertToDouble();
  return nullptr;
}

static json::Value getFloat(Operation *op, StringRef name) {
  if (auto value = op->getAttrOfType<FloatAttr>(name))
    return value.getValueAsDouble();
  return nullptr;
}

static json::Value describeCandidate(CandidateOp candidate) {
  json::Value verdict = nullptr;
  if (std::optional<Verdict> value = candidate.getVerdict())
    verdict = stringifyVerdict(*value);
  return json::Object{{"id", candidate.getId()},
                      {"kernels", countKernels(candidate)},
                      {"graph", describeGraph(candidate)},
                      {"maps", describeMaps(candidate)},
                      {"verdict", std::move(verdict)},
                      {"cost_us", getCost(candidate)},
                      {"measured_us", getFloat(candidate, measuredUsAttrName)}};
}

static CandidateOp getChosen(const ProgramRecord &record, ProgramOp program) {
  if (program && record.chosen)
    for (CandidateOp candidate : program.getCandidateOps())
      if (candidate.getId() == *record.chosen)
        return candidate;
  return {};
}

static json::Value describeChosen(const ProgramRecord &record,
                                  ProgramOp program) {
  CandidateOp chosen = getChosen(record, program);
  if (!chosen)
    return nullptr;
  return json::Object{
      {"id", chosen.getId()},
      {"cost_us", getCost(chosen)},
      {"measured_us", getFloat(chosen, measuredUsAttrName)},
      {"roofline_us", getFloat(chosen, "prism.roofline_us")},
      {"unfused_us", getFloat(chosen, "prism.unfused_us")},
      {"kernels", record.kernels ? json::Value(json::Array(*record.kernels))
                                 : json::Value(nullptr)}};
}

static json::Value describeGate(const ProgramRecord &record) {
  json::Value runs = nullptr, blocks = nullptr, refused = nullptr,
              notRun = nullptr, limits = nullptr, worst = nullptr,
              program = nullptr;
  if (record.gate) {
    runs = record.gate->runs;
    blocks = record.gate->blocks;
    refused = record.gate->refused;
    notRun = record.gate->notRun;
    limits = json::Array(record.gate->limits);
  }
  if (record.gate && record.gate->runs) {
    worst = record.gate->worstError;
    program = record.gate->programError;
  }
  return json::Object{{"seconds", orNull(record.gateSeconds)},
                      {"runs", std::move(runs)},
                      {"blocks", std::move(blocks)},
                      {"refused", std::move(refused)},
                      {"not_run", std::move(notRun)},
                      {"limits", std::move(limits)},
                      {"worst_error", std::move(worst)},
                      {"program_error", std::move(program)}};
}

json::Value prism::buildProgramReport(const ProgramRecord &record,
                                      ProgramOp program) {
  DictionaryAttr statistics;
  json::Array candidates;
  if (program) {
    statistics = program->getAttrOfType<DictionaryAttr>(statisticsAttrName);
    for (CandidateOp candidate : program.getCandidateOps())
      candidates.push_back(describeCandidate(candidate));
  }
  json::Value complete = nullptr;
  if (statistics)
    if (auto attr = statistics.getAs<BoolAttr>("complete"))
      complete = attr.getValue();

  json::Object search = getCounts(
      statistics,
      {"graphs_generated", "pruned_by_shape", "pruned_by_expression",
       "pruned_by_resources", "range_unsafe", "graphs", "mappings", "proved",
       "disproved", "unknown", "unique_graphs", "unique_normalized", "enodes"});
  search["peak_mib"] = orNull(record.peakMiB);
  search["seconds"] = orNull(record.searchSeconds);
  json::Object instantiation = getCounts(statistics, {"points"});
  instantiation["seconds"] = orNull(record.instantiationSeconds);
  instantiation["measured_by"] = record.measuredBy;

  json::Array leftAlone;
  for (const LeftAlone &entry : record.leftAlone)
    leftAlone.push_back(json::Object{
        {"loc", entry.location}, {"op", entry.op}, {"why", entry.reason}});
  return json::Object{
      {"name", record.name},
      {"target", record.target},
      {"complete", std::move(complete)},
      {"from_cache", record.isFromCache},
      {"precision", record.precision},
      {"casts_erased", getCount(statistics, "casts_erased")},
      {"bounds", json::Object{{"kernels", orNull(record.maxKernels)},
                              {"block_ops", orNull(record.maxBlockOps)},
                              {"grid_dims", orNull(record.maxGridDims)},
                              {"accumulators", orNull(record.maxAccumulators)},
                              {"terms", orNull(record.maxTerms)}}},
      {"search", std::move(search)},
      {"instantiation", std::move(instantiation)},
      {"lowering", json::Object{{"seconds", orNull(record.loweringSeconds)}}},
      {"gate", describeGate(record)},
      {"candidates", std::move(candidates)},
      {"chosen", describeChosen(record, program)},
      {"left_alone", std::move(leftAlone)}};
}

json::Value prism::buildReport(json::Array programs) {
  return json::Object{{"version", 1},
                      {"tool", "prism " PRISM_VERSION},
                      {"programs", std::move(programs)}};
}

LogicalResult prism::writeJSON(Location loc, StringRef what, StringRef path,
                               const json::Value &value) {
  std::error_code error;
  llvm::raw_fd_ostream os(path, error, llvm::sys::fs::OF_Text);
  if (!error) {
    os << llvm::formatv("{0:2}\n", value);
    os.close();
    error = os.error();
    os.clear_error();
  }
  if (error)
    return emitError(loc) << "cannot write the " << what << " to '" << path
                          << "': " << error.message();
  return success();
}
