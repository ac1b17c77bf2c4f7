//===- Gate.cpp - Kernels are run before they are emitted -----------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// At which extents a candidate is run: the true ones with the PTX that ships,
// and, where not all blocks can be run there, reduced ones at which the same
// template is lowered again, with the same sizes of tiles.
//
//===----------------------------------------------------------------------===//

#include "Prism/Gate/Gate.h"
#include "Runner.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace prism;
using namespace prism::gate;

/// A module with a clone of the candidate's program, and in it the candidate
/// alone.
static OwningOpRef<ModuleOp> cloneAlone(CandidateOp candidate) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(candidate.getLoc());
  OpBuilder builder(module->getBodyRegion());
  auto program = cast<ProgramOp>(builder.clone(*candidate.getProgram()));
  for (CandidateOp other : program.getCandidateOps())
    if (other.getId() != candidate.getId())
      other.erase();
  return module;
}

static ProgramOp getProgram(ModuleOp module) {
  return *module.getOps<ProgramOp>().begin();
}

namespace {

/// How the extent `name` is split, over all kernels.
struct SplitFacts {
  int64_t tile = 0;   ///< the largest
  int64_t chunks = 0; ///< that show all a kernel does along it
};

/// One run of the gate on a candidate.
class GateRun {
public:
  GateRun(CandidateOp candidate, const LoweredCandidate &lowered,
          const Target &target, const GateOptions &options,
          GateStatistics &statistics)
      : candidate(candidate), lowered(lowered), target(target),
        options(options), statistics(statistics),
        reference(cloneAlone(candidate)) {}

  GateResult run(StringRef ptx, std::string &why);

private:
  SplitFacts findSplits(StringRef name) const;
  std::vector<SymbolValues> getTrueExtents();
  SymbolValues reduce(const SymbolValues &extents, bool ragged,
                      std::optional<int64_t> most) const;
  Outcome runAt(CandidateOp own, const LoweredCandidate &kernels, StringRef ptx,
                const SymbolValues &extents, uint64_t budget, bool preferWhole,
                bool &isWhole);
  Outcome runReduced(const SymbolValues &extents, bool ragged);
  Outcome runRelowered(const SymbolValues &reduced);
  void note(const Twine &text);

  CandidateOp candidate;
  const LoweredCandidate &lowered;
  const Target &target;
  const GateOptions &options;
  GateStatistics &statistics;
  OwningOpRef<ModuleOp> reference; ///< whose program is evaluated
  std::string reason;
  bool hasRun = false; ///< at some extents
};

} // namespace

SplitFacts GateRun::findSplits(StringRef name) const {
  SplitFacts facts;
  for (const LoweredCandidate::Kernel &kernel : lowered.kernels)
    for (const ParallelDimPlan &dim : kernel.plan.dims) {
      if (dim.base.asSymbol() != name)
        continue;
      bool isLoop = dim.kind == ParallelKind::Loop;
      facts.tile = std::max(facts.tile, dim.tile);
      facts.chunks =
          std::max<int64_t>(facts.chunks, isLoop ? kernel.plan.stages + 2 : 2);
    }
  return facts;
}

/// As declared; where extents are dynamic, at 1 and at a few ragged chunks.
std::vector<SymbolValues> GateRun::getTrueExtents() {
  SymbolValues ones, chunks;
  bool isDynamic = false;
  for (auto symbol :
       candidate.getProgram().getExtents().getAsRange<ExtentSymbolAttr>()) {
    SplitFacts facts = findSplits(symbol.getName());
    int64_t some =
        facts.tile ? facts.chunks * facts.tile + facts.tile / 2 + 1 : 5;
    isDynamic |= !symbol.getValue();
    ones[symbol.getName()] = symbol.getValue().value_or(1);
    chunks[symbol.getName()] = symbol.getValue().value_or(some);
  }
  if (!isDynamic)
    return {std::move(ones)};
  return {std::move(ones), std::move(chunks)};
}

/// A few chunks of each extent that is split: as ragged as the true one is, or
/// `ragged` in any case. What no dim splits stays as it is, or is `most` at
/// most.
SymbolValues GateRun::reduce(const SymbolValues &extents, bool ragged,
                             std::optional<int64_t> most) const {
  SymbolValues reduced;
  for (const auto &entry : extents) {
    int64_t value = entry.second;
    SplitFacts facts = findSplits(entry.first());
    if (facts.tile) {
      int64_t rest = ragged ? facts.tile / 2 + 1 : value % facts.tile;
      value = std::min(value, facts.chunks * facts.tile + rest);
    } else if (most) {
      value = std::min(value, *most);
    }
    reduced[entry.first()] = value;
  }
  return reduced;
}

/// Something that was not run, whatever the verdict is.
void GateRun::note(const Twine &text) {
  std::string limit = ("candidate '" + candidate.getId() + "': " + text).str();
  if (!llvm::is_contained(statistics.limits, limit))
    statistics.limits.push_back(std::move(limit));
}

Outcome GateRun::runAt(CandidateOp own, const LoweredCandidate &kernels,
                       StringRef ptx, const SymbolValues &extents,
                       uint64_t budget, bool preferWhole, bool &isWhole) {
  Runner runner(own, kernels, getProgram(*reference), extents, options,
                statistics);
  Outcome outcome = runner.prepare(ptx);
  if (outcome == Outcome::Right)
    outcome = runner.run(budget, preferWhole, isWhole);
  hasRun |= outcome == Outcome::Right;
  if (outcome == Outcome::Right)
    return outcome;
  reason = runner.getReason().str();
  std::vector<std::string> values;
  for (auto symbol :
       own.getProgram().getExtents().getAsRange<ExtentSymbolAttr>())
    values.push_back(
        (symbol.getName() + " = " + Twine(extents.lookup(symbol.getName())))
            .str());
  if (outcome == Outcome::Wrong)
    reason += ", at " + llvm::join(values, ", ");
  return outcome;
}

/// Lowers the template again, at the reduced extents.
Outcome GateRun::runRelowered(const SymbolValues &reduced) {
  OwningOpRef<ModuleOp> module = cloneAlone(candidate);
  ProgramOp program = getProgram(*module);
  SmallVector<Attribute> symbols;
  for (auto symbol : program.getExtents().getAsRange<ExtentSymbolAttr>())
    symbols.push_back(
        symbol.getValue()
            ? ExtentSymbolAttr::get(program.getContext(), symbol.getName(),
                                    reduced.lookup(symbol.getName()))
            : symbol);
  program.setExtentsAttr(ArrayAttr::get(program.getContext(), symbols));
  CandidateOp own = program.getCandidateOps().front();
  std::optional<std::string> ptx;
  std::optional<LoweredCandidate> again = lowerCandidate(own, target, reason);
  if (again)
    ptx = compileToPTX(again->module, target, reason);
  if (!ptx)
    return Outcome::NotRun;
  bool isWhole;
  return runAt(own, *again, *ptx, reduced, options.budgetSteps / 2,
               /*preferWhole=*/true, isWhole);
}

/// Where even a few chunks are too much, what no dim splits is too long: then
/// less of that, too.
Outcome GateRun::runReduced(const SymbolValues &extents, bool ragged) {
  Outcome outcome = Outcome::Right;
  for (std::optional<int64_t> most :
       {std::optional<int64_t>(), std::optional<int64_t>(4096 + 33),
        std::optional<int64_t>(256 + 33)}) {
    SymbolValues reduced = reduce(extents, ragged, most);
    bool isSame = llvm::all_of(reduced, [&](const auto &entry) {
      return extents.lookup(entry.first()) == entry.second;
    });
    if (isSame && hasRun)
      return Outcome::Right;
    outcome = isSame ? Outcome::TooLarge : runRelowered(reduced);
    if (outcome != Outcome::TooLarge)
      break;
  }
  if (outcome != Outcome::TooLarge && outcome != Outcome::NotRun)
    return outcome;
  note("not run at reduced extents: " + reason);
  return outcome;
}

GateResult GateRun::run(StringRef ptx, std::string &why) {
  std::vector<SymbolValues> all = getTrueExtents();
  bool areWhole = true;
  Outcome outcome = Outcome::Right;
  for (const SymbolValues &extents : all) {
    bool isWhole = false;
    if (outcome == Outcome::Right || outcome == Outcome::TooLarge)
      outcome = runAt(candidate, lowered, ptx, extents,
                      options.budgetSteps / all.size(),
                      /*preferWhole=*/false, isWhole);
    areWhole &= isWhole;
    if (outcome == Outcome::TooLarge)
      note("not run at its own extents: " + reason);
  }
  // What ships must be known to the device, whatever runs in its stead.
  bool isUnknown = outcome == Outcome::NotRun;
  for (bool ragged : {false, true})
    if (outcome != Outcome::Wrong && !isUnknown && !areWhole)
      outcome = runReduced(all.back(), ragged);
  why = reason;
  if (outcome == Outcome::Wrong) {
    ++statistics.refused;
    return GateResult::Refused;
  }
  if (isUnknown || !hasRun) {
    ++statistics.notRun;
    return GateResult::NotRun;
  }
  why.clear();
  return GateResult::Passed;
}

GateResult prism::runGate(CandidateOp candidate,
                          const LoweredCandidate &lowered, StringRef ptx,
                          const Target &target, const GateOptions &options,
                          GateStatistics &statistics, std::string &why) {
  return GateRun(candidate, lowered, target, options, statistics).run(ptx, why);
}

//===----------------------------------------------------------------------===//
// Reproducers
//===----------------------------------------------------------------------===//

std::string prism::writeGateReproducer(CandidateOp candidate,
                                       const Target &target,
                                       const GateOptions &options,
                                       StringRef directory, StringRef why) {
  std::string name = ("prism-gate-" + candidate.getId()).str();
  for (char &c : name)
    if (!llvm::isAlnum(c) && c != '.')
      c = '-';
  SmallString<128> path(directory);
  llvm::sys::path::append(path, name + ".mlir");
  std::error_code error;
  llvm::raw_fd_ostream os(path, error, llvm::sys::fs::OF_Text);
  if (error)
    return "";
  OwningOpRef<ModuleOp> module = cloneAlone(candidate);
  os << "// The gate refused candidate '" << candidate.getId()
     << "' of program '" << candidate.getProgram().getSymName() << "':\n// "
     << why << "\n// prism-opt --run-reproducer " << name
     << ".mlir runs it again.\n";
  module->print(os);
  os << "\n{-#\n  external_resources: {\n    mlir_reproducer: {\n"
     << "      pipeline: \"builtin.module(prism-gate{target=" << target.name
     << " tensor-maps=" << (target.hasTensorMaps ? "true" : "false")
     << " seed=" << options.seed << " budget-steps=" << options.budgetSteps
     << "})\",\n      disable_threading: false,\n      verify_each: true\n"
     << "    }\n  }\n#-}\n";
  os.close();
  if (!os.has_error())
    return path.str().str();
  os.clear_error();
  return "";
}
