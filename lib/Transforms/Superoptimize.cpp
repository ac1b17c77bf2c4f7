//===- Superoptimize.cpp - The whole pipeline -----------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// --prism-superoptimize runs the passes of every stage, times them, and puts
// functions back verbatim for which nothing was chosen.
//
//===----------------------------------------------------------------------===//

#include "CachedResults.h"
#include "MeasureCandidates.h"
#include "OriginalFunctions.h"
#include "Package.h"
#include "Prism/Conversion/Backend.h"
#include "Prism/Conversion/GPULowering.h"
#include "Prism/Conversion/Passes.h"
#include "Prism/Gate/Gate.h"
#include "Prism/Measurement/TuningCache.h"
#include "Prism/Plan/Target.h"
#include "Prism/Search/SearchMonitor.h"
#include "Prism/Transforms/Passes.h"
#include "Prism/Tuning/AssumedExtents.h"
#include "Prism/Version.h"
#include "Report.h"
#include "SearchPrograms.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

namespace prism {
#define GEN_PASS_DEF_PRISMSUPEROPTIMIZE
#include "Prism/Transforms/Passes.h.inc"
} // namespace prism

using namespace mlir;
using namespace prism;

namespace {

/// How far the module is lowered.
enum class EmitKind { Prism, GPU, PTX, Cubin };

struct SuperoptimizePass
    : prism::impl::PrismSuperoptimizeBase<SuperoptimizePass> {
  using Base::Base;
  /// Options are copied by MLIR; what a run gathers is not.
  SuperoptimizePass(const SuperoptimizePass &other) : Base(other) {}

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    OpPassManager pm(ModuleOp::getOperationName());
    buildTosaToLinalgPipeline(pm.nest<func::FuncOp>());
    pm.addPass(createConvertLinalgToPrism());
    pm.addPass(createPrismPartition());
    pm.addPass(createConvertPrismToGPU());
    pm.addPass(createConvertPrismToLinalg());
    buildSerializeGPUModulesPipeline(pm, "isa");
    pm.getDependentDialects(registry);
  }

  void runOnOperation() override;

private:
  LogicalResult checkOptions();
  void importFunction(func::FuncOp function);
  LogicalResult importFunctions();
  SearchStages getStages() const;
  LogicalResult openCache();
  std::string getCacheKey() const;
  std::optional<std::string> lookupResults(ProgramOp program);
  void storeResults();
  LogicalResult search();
  bool passesGate(CandidateOp candidate, const LoweredCandidate &lowered,
                  const CompiledKernels &compiled, ProgramRecord &record,
                  std::string &whyNot);
  LogicalResult createTimer();
  LogicalResult measureAll();
  LogicalResult lower();
  LogicalResult writePackage();
  LogicalResult writeReport();
  ProgramRecord makeRecord(StringRef name) const;
  LogicalResult runOn(Operation *op, function_ref<void(OpPassManager &)> build);

  EmitKind emitKind = EmitKind::GPU;
  /// What plain MLIR lowers further has no tensor maps: nobody would make them.
  /// Of `emit=prism`, what --convert-prism-to-gpu makes by default.
  bool makesTensorMaps() const {
    return emitKind == EmitKind::PTX || emitKind == EmitKind::Cubin;
  }
  Target getLoweringTarget() const {
    return makesTensorMaps() ? *lookupTarget(target)
                             : lookupTarget(target)->withoutTensorMaps();
  }
  /// The module as it came, and with its programs' candidates before lowering.
  OwningOpRef<ModuleOp> original, searched;
  /// By function: the ops that no pass knew.
  llvm::StringMap<std::vector<LeftAlone>> leftAlone;
  /// By program: what the report says of it, and the functions it stands in.
  ProgramSearch::Records records;
  /// Programs that parts stand for.
  ProgramSearch::Cuts cuts;
  CandidateTimer timer;               ///< empty where the model chooses
  std::string measuredOn;             ///< the GPU, if it is one
  std::unique_ptr<TuningCache> cache; ///< null: none is used
  /// By program: what its results in the cache go by.
  llvm::DenseMap<StringAttr, std::string> cacheKeys;
  llvm::StringMap<SmallVector<std::string>> functionsOf;
};

} // namespace

/// Reports `value` of option `name` unless it is among `choices`.
static LogicalResult checkChoice(ModuleOp module, StringRef name,
                                 StringRef value, ArrayRef<StringRef> choices) {
  if (llvm::is_contained(choices, value))
    return success();
  return emitError(module.getLoc())
         << "option '" << name << "' is '" << value
         << "', expected one of: " << llvm::join(choices, ", ");
}

LogicalResult SuperoptimizePass::checkOptions() {
  ModuleOp module = getOperation();
  if (!lookupTarget(target))
    return emitError(module.getLoc())
           << "option 'target' is '" << target
           << "', expected one of: " << llvm::join(getTargetNames(), ", ");
  if (failed(checkChoice(module, "emit", emit,
                         {"prism", "gpu", "ptx", "cubin"})) ||
      failed(checkChoice(module, "measure", measure,
                         {"model", "sim", "gpu", "file"})) ||
      failed(
          checkChoice(module, "precision", precision, {"relaxed", "strict"})))
    return failure();
  SmallVector<StringRef> maps;
  std::string allMaps = llvm::join(concreteMaps, "+");
  StringRef(allMaps).split(maps, '+', -1, /*KeepEmpty=*/false);
  for (StringRef map : maps)
    if (failed(checkChoice(module, "concrete-maps", map,
                           {"imap", "fmap", "omap"})))
      return failure();
  emitKind = llvm::StringSwitch<EmitKind>(emit)
                 .Case("prism", EmitKind::Prism)
                 .Case("ptx", EmitKind::PTX)
                 .Case("cubin", EmitKind::Cubin)
                 .Default(EmitKind::GPU);
  if (measure == "file" && timings.empty())
    return emitError(module.getLoc(), "option 'measure' is 'file', which needs "
                                      "'timings=PATH'");
  if (measure != "file" && !timings.empty())
    return emitError(module.getLoc())
           << "option 'timings' is given, but 'measure' is '" << measure
           << "'; say measure=file";
  if (!package.empty() && emitKind == EmitKind::Prism)
    return emitError(module.getLoc(),
                     "option 'package' needs kernels, but 'emit' is "
                     "'prism'; say emit=ptx");
  if (!explainPruning.empty() && !llvm::sys::fs::exists(explainPruning))
    return emitError(module.getLoc())
           << "explain-pruning: cannot read '" << explainPruning << "'";
  for (const Pass::Option<double> *seconds : {&budgetSeconds, &partSeconds})
    if (!(*seconds >= 0)) // not a number, too
      return emitError(module.getLoc())
             << "option '" << seconds->ArgStr << "' is " << seconds->getValue()
             << ", expected 0 (no limit) or more";
  if (!(minCutGain >= 0 && minCutGain < 1))
    return emitError(module.getLoc())
           << "option 'min-cut-gain' is " << minCutGain
           << ", expected at least 0 and less than 1";
  if (failed(checkAssumedExtents(module.getLoc(), assumedExtents)))
    return failure();
  if (keepBest == 0)
    return emitError(module.getLoc(),
                     "option 'keep-best' is 0, expected at least 1");
  return success();
}

LogicalResult
SuperoptimizePass::runOn(Operation *op,
                         function_ref<void(OpPassManager &)> build) {
  OpPassManager pm(op->getName());
  build(pm);
  return runPipeline(pm, op);
}

static bool hasTosa(func::FuncOp function) {
  return function
      .walk([](Operation *op) {
        return isa_and_nonnull<tosa::TosaDialect>(op->getDialect())
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Runs the front end on one function, on which upstream's passes may fail.
void SuperoptimizePass::importFunction(func::FuncOp function) {
  std::vector<LeftAlone> &entries = leftAlone[function.getSymName()];
  auto before = cast<func::FuncOp>(SymbolTable::lookupSymbolIn(
      original->getOperation(), function.getSymNameAttr()));
  std::string errors;
  bool failedToImport;
  {
    ScopedDiagnosticHandler handler(&getContext(), [&](Diagnostic &diagnostic) {
      collectLeftAlone(diagnostic, before, entries);
      if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
        return failure(); // the next handler prints it
      errors += diagnostic.str();
      return success();
    });
    failedToImport = failed(runOn(function, [&](OpPassManager &pm) {
      if (hasTosa(function))
        buildTosaToLinalgPipeline(pm);
      pm.addPass(createConvertLinalgToPrism());
    }));
  }
  if (!failedToImport)
    return;
  emitRemark(restoreFunction(function, *original).getLoc())
      << "left alone: it could not be imported: " << errors;
}

LogicalResult SuperoptimizePass::importFunctions() {
  for (auto function :
       llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
    if (!function.isExternal())
      importFunction(function);
  // Regions that are not worth a program say so where their first op came from.
  ScopedDiagnosticHandler handler(&getContext(), [&](Diagnostic &diagnostic) {
    for (auto function : original->getOps<func::FuncOp>())
      if (!findOpName(function, diagnostic.getLocation()).empty()) {
        collectLeftAlone(diagnostic, function,
                         leftAlone[function.getSymName()]);
        break;
      }
    return failure(); // the next handler prints it
  });
  PrismPartitionOptions options;
  options.assumedExtents = llvm::to_vector(assumedExtents);
  LogicalResult result = runOn(getOperation(), [&](OpPassManager &pm) {
    pm.addPass(createPrismPartition(options));
  });
  if (allowTF32)
    for (auto program : getOperation().getOps<ProgramOp>())
      program.setAllowsTF32(true);
  return result;
}

ProgramRecord SuperoptimizePass::makeRecord(StringRef name) const {
  ProgramRecord record;
  record.name = name.str();
  record.target = target;
  record.precision = precision;
  record.measuredBy = measure;
  record.maxKernels = maxKernels;
  record.maxBlockOps = maxBlockOps;
  record.maxGridDims = maxGridDims;
  record.maxAccumulators = maxAccumulators;
  record.maxTerms = maxTerms;
  return record;
}

SearchStages SuperoptimizePass::getStages() const {
  SearchStages stages;
  stages.budgetSeconds = budgetSeconds;
  stages.memoryMiB = memoryMiB;
  stages.generate.maxKernels = maxKernels;
  stages.generate.maxBlockOps = maxBlockOps;
  stages.generate.extraOps = extraOps;
  stages.generate.maxGridDims = maxGridDims;
  stages.generate.maxAccumulators = maxAccumulators;
  stages.generate.maxTerms = maxTerms;
  stages.generate.pruneShape = pruneShape;
  stages.generate.pruneExpression = pruneExpression;
  stages.generate.budgetSteps = budgetSteps;
  stages.generate.explainPruning = explainPruning;
  stages.generate.explainTarget = target;
  stages.generate.precision = precision;
  stages.maps.precision = precision;
  stages.maps.target = target;
  stages.maps.threads = threads;
  stages.maps.concreteMaps = llvm::join(concreteMaps, "+");
  stages.verify.precision = precision;
  stages.verify.keepProofs = keepProofs;
  stages.verify.explain = explain;
  stages.verify.threads = threads;
  stages.params.target = target;
  stages.params.keepBest = keepBest;
  stages.params.tensorMaps = makesTensorMaps();
  stages.params.threads = threads;
  stages.parts.maxOps = cutPrograms ? maxBlockOps : 0;
  stages.parts.maxContractions = maxPartContractions;
  stages.parts.maxSearched = maxParts;
  stages.parts.minGain = minCutGain;
  stages.partSteps = partSteps;
  stages.partSeconds = partSeconds;
  return stages;
}

LogicalResult SuperoptimizePass::search() {
  for (auto function : getOperation().getOps<func::FuncOp>())
    function.walk([&](InvokeOp invoke) {
      SmallVector<std::string> &names = functionsOf[invoke.getProgram()];
      if (!llvm::is_contained(names, function.getSymName()))
        names.push_back(function.getSymName().str());
    });
  ProgramSearch search(
      getOperation(), getStages(),
      [this](Operation *op, function_ref<void(OpPassManager &)> build) {
        return runOn(op, build);
      },
      [this](StringRef name) { return makeRecord(name); },
      [this](ProgramOp program) { return lookupResults(program); }, records);
  LogicalResult result = search.searchAll();
  cuts = search.getCuts();
  return result;
}

//===----------------------------------------------------------------------===//
// Measurement
//===----------------------------------------------------------------------===//

LogicalResult SuperoptimizePass::createTimer() {
  timer = nullptr;
  measuredOn.clear();
  if (measure == "model")
    return success();
  llvm::Expected<CandidateTimer> created =
      measure == "sim"   ? createSimulationTimer(*lookupTarget(target))
      : measure == "gpu" ? createGPUTimer(measuredOn)
                         : createFileTimer(timings);
  if (!created)
    return emitError(getOperation().getLoc())
           << "measure=" << measure << ": "
           << llvm::toString(created.takeError());
  timer = std::move(*created);
  return success();
}

/// Compiles the candidates that the search left and times them.
LogicalResult SuperoptimizePass::measureAll() {
  if (!timer && candidatePackages.empty())
    return success();
  SmallString<128> directory(candidatePackages.getValue());
  std::error_code error =
      directory.empty()
          ? llvm::sys::fs::createUniqueDirectory("prism", directory)
          : llvm::sys::fs::create_directories(directory);
  if (error)
    return emitError(getOperation().getLoc())
           << "cannot make the folder '" << directory
           << "' for candidates: " << error.message();
  llvm::scope_exit remove([&] {
    if (candidatePackages.empty())
      llvm::sys::fs::remove_directories(directory);
  });
  std::vector<CompiledCandidate> all;
  for (auto program : getOperation().getOps<ProgramOp>()) {
    auto record = records.find(program.getSymNameAttr());
    if (record == records.end() || cuts.contains(program.getSymNameAttr()) ||
        !isChosen(program) ||
        (record->second.isFromCache && candidatePackages.empty()))
      continue;
    (void)timed(record->second.instantiationSeconds, [&] {
      std::vector<CompiledCandidate> compiled =
          compileCandidates(program, getLoweringTarget(), directory, threads);
      if (timer && compiled.empty())
        emitRemark(program.getLoc()) << "is not measured: an extent is dynamic";
      if (timer && !record->second.isFromCache)
        measureCandidates(compiled, timer);
      llvm::append_range(all, compiled);
      return success();
    });
  }
  if (candidatePackages.empty())
    return success();
  return writeCandidateIndex(getOperation().getLoc(), directory, all);
}

//===----------------------------------------------------------------------===//
// The tuning cache
//===----------------------------------------------------------------------===//

LogicalResult SuperoptimizePass::openCache() {
  if (tuningCache.empty())
    return success();
  llvm::Expected<std::unique_ptr<TuningCache>> opened =
      TuningCache::open(tuningCache);
  if (!opened)
    return emitError(getOperation().getLoc())
           << llvm::toString(opened.takeError());
  cache = std::move(*opened);
  return success();
}

/// All that results depend on, beside the program: every option but those that
/// say what to write, and where, and what is done with what was chosen.
std::string SuperoptimizePass::getCacheKey() const {
  std::string key;
  llvm::raw_string_ostream os(key);
  os << "prism " PRISM_VERSION ", " << getToolchain() << ", cost model "
     << CostAssumptions::revision << '\n';
  if (timer) // what ptxas refuses has no time
    os << getPtxasVersion() << '\n' << measuredOn << '\n';
  os << getLoweringTarget().hasTensorMaps << '\n'; // decides about sizes
  SuperoptimizePass copy(*this);
  copy.copyOptionValuesFrom(this);
  for (Pass::Option<std::string> *path :
       {&copy.emit, &copy.report, &copy.package, &copy.candidatePackages,
        &copy.tuningCache, &copy.explain, &copy.explainPruning,
        &copy.gateReproducers, &copy.gateFault})
    path->setValue("");
  copy.gate = true;
  copy.gateSeed = copy.gateSteps = 0;
  copy.threads = 0;
  copy.printAsTextualPipeline(os);
  if (auto text = llvm::MemoryBuffer::getFile(timings))
    os << '\n' << hashKernels((*text)->getBuffer());
  os << '\n';
  return key;
}

std::optional<std::string> SuperoptimizePass::lookupResults(ProgramOp program) {
  if (!cache)
    return std::nullopt;
  std::string &key = cacheKeys[program.getSymNameAttr()];
  key = getCacheKey() + getStructure(program);
  llvm::Expected<std::optional<std::string>> found = cache->lookup(key);
  if (found)
    return *found;
  emitRemark(program.getLoc()) << llvm::toString(found.takeError());
  return std::nullopt;
}

/// Keeps what this run found. What a cancelled search found is not all that
/// its options promise.
void SuperoptimizePass::storeResults() {
  SearchMonitor *monitor = getSearchMonitor(&getContext());
  if (!cache || (monitor && monitor->isCancelled()))
    return;
  for (auto program : getOperation().getOps<ProgramOp>()) {
    auto key = cacheKeys.find(program.getSymNameAttr());
    if (key == cacheKeys.end() || records[program.getSymNameAttr()].isFromCache)
      continue;
    auto cut = cuts.find(program.getSymNameAttr());
    std::string text = printResults(
        program, cut == cuts.end() ? ArrayRef<PlacedPart>() : cut->second);
    if (llvm::Error error = cache->store(key->second, text))
      emitRemark(program.getLoc()) << llvm::toString(std::move(error));
  }
}

/// Runs the kernels that are about to be emitted; one that is wrong is a bug of
/// this tool, and must not become one of its users.
bool SuperoptimizePass::passesGate(CandidateOp candidate,
                                   const LoweredCandidate &lowered,
                                   const CompiledKernels &compiled,
                                   ProgramRecord &record, std::string &whyNot) {
  if (!record.gate)
    record.gate.emplace();
  GateOptions options;
  options.seed = gateSeed;
  options.budgetSteps = gateSteps;
  std::string why, ptx = compiled.ptx;
  auto [from, to] = StringRef(gateFault).split('=');
  for (size_t at = 0;
       !from.empty() && (at = ptx.find(from.str(), at)) != std::string::npos;
       at += to.size())
    ptx.replace(at, from.size(), to.str());
  size_t numLimits = record.gate->limits.size();
  GateResult result = timed(record.gateSeconds, [&] {
    return runGate(candidate, lowered, ptx, getLoweringTarget(), options,
                   *record.gate, why);
  });
  for (const std::string &limit :
       ArrayRef(record.gate->limits).drop_front(numLimits))
    emitRemark(candidate.getLoc()) << "the gate's limits: " << limit;
  if (result == GateResult::NotRun)
    whyNot =
        "the gate could not run it: " + why + "; gate=false emits it unrun";
  if (result != GateResult::Refused)
    return result == GateResult::Passed;
  std::string path = writeGateReproducer(candidate, getLoweringTarget(),
                                         options, gateReproducers, why);
  emitWarning(candidate.getLoc())
      << "bug: candidate '" << candidate.getId() << "' failed the gate: " << why
      << (path.empty() ? "; a reproducer could not be written to '" +
                             gateReproducers + "'"
                       : "; reproducer written to " + path);
  whyNot = "it failed the gate";
  return false;
}

LogicalResult SuperoptimizePass::lower() {
  ModuleOp module = getOperation();
  restoreUnoptimized(module, *original);
  if (emitKind == EmitKind::Prism) {
    settlePrograms(module, *original, /*keepChosen=*/true);
    return success();
  }
  for (auto program : llvm::make_early_inc_range(module.getOps<ProgramOp>())) {
    StringAttr name = program.getSymNameAttr();
    if (cuts.contains(name) || !records.contains(name))
      continue; // not invoked, or left alone
    ProgramRecord &record = records[program.getSymNameAttr()];
    // If none is left, it says so of each candidate.
    ScopedDiagnosticHandler listener(&getContext(), [&](Diagnostic &said) {
      if (!record.whyNotChosen.empty())
        record.whyNotChosen += "; ";
      record.whyNotChosen += said.str();
      return failure(); // the next handler prints it
    });
    (void)timed(record.loweringSeconds, [&] {
      auto accept = [&](CandidateOp candidate, const LoweredCandidate &lowered,
                        const CompiledKernels &compiled, std::string &whyNot) {
        return !gate ||
               passesGate(candidate, lowered, compiled, record, whyNot);
      };
      return lowerProgramToGPU(program, getLoweringTarget(),
                               &record.kernelFacts, compileKernels, accept);
    });
    // The gate has its own place.
    if (record.gateSeconds)
      *record.loweringSeconds -= *record.gateSeconds;
  }
  // Candidates may have been dropped there; what is then left of an optimized
  // function's programs goes back to linalg.
  restoreUnoptimized(module, *original);
  for (auto function : module.getOps<func::FuncOp>())
    if (isOptimized(function) && failed(runOn(function, [](OpPassManager &pm) {
          pm.addPass(createConvertPrismToLinalg());
        })))
      return failure();
  settlePrograms(module, *original, /*keepChosen=*/false);
  return success();
}

LogicalResult SuperoptimizePass::writePackage() {
  if (package.empty())
    return success();
  // The package has PTX whatever the module is lowered to.
  OwningOpRef<ModuleOp> withPTX = getOperation().clone();
  PassManager pm(&getContext(), ModuleOp::getOperationName());
  buildSerializeGPUModulesPipeline(pm, "isa");
  if (failed(pm.run(*withPTX)))
    return failure();
  return prism::writePackage(*withPTX, target, package);
}

/// The number of programs that stand in the function `name`.
static unsigned countIn(const llvm::StringMap<SmallVector<std::string>> &map,
                        StringRef name) {
  return llvm::count_if(map, [&](const auto &entry) {
    return llvm::is_contained(entry.second, name);
  });
}

LogicalResult SuperoptimizePass::writeReport() {
  if (report.empty())
    return success();
  llvm::StringSet<> reported;
  llvm::json::Array programs;
  for (auto program : searched->getOps<ProgramOp>()) {
    if (!records.contains(program.getSymNameAttr()))
      continue; // left alone
    ProgramRecord &record = records[program.getSymNameAttr()];
    ArrayRef<std::string> functions = functionsOf[program.getSymName()];
    // A program that is all of a function's goes by the function's name.
    if (functions.size() == 1 && countIn(functionsOf, functions.front()) == 1)
      record.name = functions.front();
    for (StringRef function : functions) {
      reported.insert(function);
      llvm::append_range(record.leftAlone, leftAlone[function]);
    }
    record.kernels = describeKernels(getOperation(), program.getSymName(),
                                     record.kernelFacts);
    if (emitKind != EmitKind::Prism)
      record.chosen = getLoweredCandidate(getOperation(), program.getSymName());
    else if (isChosen(program) && !cuts.contains(program.getSymNameAttr()))
      record.chosen = program.getCandidateOps().front().getId().str();
    if (!record.chosen && !cuts.contains(program.getSymNameAttr()))
      record.leftAlone.push_back({formatLocation(program.getLoc()),
                                  program->getName().getStringRef().str(),
                                  record.whyNotChosen});
    programs.push_back(buildProgramReport(record, program));
  }
  // Functions of which nothing could be searched still say why.
  for (auto function : original->getOps<func::FuncOp>()) {
    StringRef name = function.getSymName();
    if (reported.contains(name) || leftAlone[name].empty())
      continue;
    ProgramRecord record = makeRecord(name);
    record.leftAlone = leftAlone[name];
    programs.push_back(buildProgramReport(record, ProgramOp()));
  }
  return writeJSON(getOperation().getLoc(), "report", report,
                   buildReport(std::move(programs)));
}

void SuperoptimizePass::runOnOperation() {
  if (failed(checkOptions()))
    return signalPassFailure();
  leftAlone.clear();
  records.clear();
  functionsOf.clear();
  cuts.clear();
  cacheKeys.clear();
  original = getOperation().clone();
  if (failed(createTimer()) || failed(openCache()) ||
      failed(importFunctions()) || failed(search()) || failed(measureAll()))
    return signalPassFailure();
  storeResults();
  searched = getOperation().clone();
  if (failed(lower()) || failed(writePackage()))
    return signalPassFailure();
  if (emitKind == EmitKind::PTX || emitKind == EmitKind::Cubin)
    if (failed(runOn(getOperation(), [&](OpPassManager &pm) {
          buildSerializeGPUModulesPipeline(
              pm, emitKind == EmitKind::PTX ? "isa" : "bin");
        })))
      return signalPassFailure();
  if (failed(writeReport()))
    signalPassFailure();
}
