//===- MeasureCandidates.cpp - Candidates by measured time ----------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MeasureCandidates.h"
#include "Package.h"
#include "Prism/Conversion/GPULowering.h"
#include "Prism/Conversion/Passes.h"
#include "Prism/Partition/CutProgram.h"
#include "Prism/Runtime/CUDADevice.h"
#include "Prism/Runtime/KernelPackage.h"
#include "Prism/Runtime/SimulatedDevice.h"
#include "Prism/Tuning/CostModel.h"
#include "Report.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ThreadPool.h"
#include <random>

using namespace mlir;
using namespace prism;
namespace json = llvm::json;

/// Runs that a time on a GPU is the median of.
static constexpr unsigned repetitions = 100;

std::string prism::getToolchain() { return "LLVM " LLVM_VERSION_STRING; }

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

/// A module with the function `main`, which is one invoke of `candidate`'s
/// program with that candidate alone.
static OwningOpRef<ModuleOp> isolate(CandidateOp candidate) {
  ProgramOp program = candidate->getParentOfType<ProgramOp>();
  Location loc = UnknownLoc::get(program.getContext());
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  auto alone = cast<ProgramOp>(builder.clone(*program));
  alone.setSymName("program");
  for (CandidateOp other : alone.getCandidateOps())
    if (other.getId() != candidate.getId())
      other.erase();
  alone.getCandidateOps().front().setId("candidate");
  auto getTypes = [&](TypeRange types) {
    return llvm::map_to_vector(types, [&](Type type) -> Type {
      return getBuiltinType(program, type);
    });
  };
  SmallVector<Type> results = getTypes(program.getFunctionType().getResults());
  auto function = func::FuncOp::create(
      builder, loc, "main",
      builder.getFunctionType(getTypes(program.getFunctionType().getInputs()),
                              results));
  builder.setInsertionPointToStart(function.addEntryBlock());
  auto invoke = InvokeOp::create(builder, loc, results, "program",
                                 function.getArguments());
  func::ReturnOp::create(builder, loc, invoke.getResults());
  return module;
}

/// Lowers the module that `text` holds, in a context of its own: what it says
/// is this candidate's, whatever the others do meanwhile.
static void compile(StringRef text, const DialectRegistry &registry,
                    const Target &target, StringRef directory,
                    CompiledCandidate &compiled) {
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.getDiagEngine().registerHandler([&](Diagnostic &diagnostic) {
    if (compiled.whyNot.empty())
      compiled.whyNot = diagnostic.str();
  });
  // What the conversion makes, as a pass of the pipeline would declare it.
  PassManager pm(&context, ModuleOp::getOperationName());
  pm.addPass(createConvertPrismToGPU());
  DialectRegistry needed;
  pm.getDependentDialects(needed);
  pm.clear();
  for (StringRef name : needed.getDialectNames())
    context.getOrLoadDialect(name);
  auto module = parseSourceString<ModuleOp>(text, &context);
  std::string ptx;
  auto keepText = [&](gpu::GPUModuleOp kernels, const Target &target,
                      std::string &whyNot) {
    std::optional<CompiledKernels> made =
        compileKernels(kernels, target, whyNot);
    if (made)
      ptx = made->ptx;
    return made;
  };
  buildSerializeGPUModulesPipeline(pm, "isa");
  if (!module ||
      failed(lowerProgramToGPU(*module->getOps<ProgramOp>().begin(), target,
                               /*facts=*/nullptr, keepText)) ||
      failed(pm.run(*module)))
    return;
  compiled.key.kernel = hashKernels(ptx);
  SmallString<128> path(directory);
  llvm::sys::path::append(path, compiled.key.kernel);
  if (succeeded(writePackage(*module, target.name, path)))
    compiled.directory = path.str().str();
}

std::vector<CompiledCandidate> prism::compileCandidates(ProgramOp program,
                                                        const Target &target,
                                                        StringRef directory,
                                                        unsigned threads) {
  std::vector<std::vector<int64_t>> shapes;
  for (Type type : program.getFunctionType().getInputs()) {
    RankedTensorType tensor = getBuiltinType(program, type);
    if (!tensor.hasStaticShape())
      return {};
    shapes.emplace_back(tensor.getShape().begin(), tensor.getShape().end());
  }
  std::vector<CompiledCandidate> compiled;
  std::vector<std::string> texts;
  for (CandidateOp candidate : program.getCandidateOps()) {
    if (candidate.getState() != CandidateState::Sized)
      continue;
    TimingKey key = {"", target.name.str(), getToolchain(), shapes};
    compiled.push_back({candidate, "", std::move(key), ""});
    llvm::raw_string_ostream(texts.emplace_back()) << *isolate(candidate);
  }
  const DialectRegistry &registry = program.getContext()->getDialectRegistry();
  llvm::StdThreadPool pool(llvm::hardware_concurrency(threads));
  for (auto [text, one] : llvm::zip_equal(texts, compiled))
    pool.async([&, text = StringRef(text), one = &one] {
      compile(text, registry, target, directory, *one);
    });
  pool.wait();
  return compiled;
}

LogicalResult prism::writeCandidateIndex(Location loc, StringRef directory,
                                         ArrayRef<CompiledCandidate> compiled) {
  json::Array entries;
  for (const CompiledCandidate &one : compiled) {
    if (one.directory.empty())
      continue;
    CandidateOp candidate = one.candidate;
    json::Object entry = one.key.toJSON();
    entry["program"] =
        candidate->getParentOfType<ProgramOp>().getSymName().str();
    entry["candidate"] = candidate.getId().str();
    entry["model_microseconds"] = candidate.getCostUs()->convertToDouble();
    entries.push_back(std::move(entry));
  }
  SmallString<128> path(directory);
  llvm::sys::path::append(path, "candidates.json");
  return writeJSON(loc, "index of candidates", path,
                   json::Object{{"version", Timings::version},
                                {"timings", std::move(entries)}});
}

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

static const llvm::fltSemantics *getSemantics(ElementType type) {
  switch (type) {
  case ElementType::F16:
    return &APFloat::IEEEhalf();
  case ElementType::BF16:
    return &APFloat::BFloat();
  case ElementType::F32:
    return &APFloat::IEEEsingle();
  case ElementType::F64:
    return &APFloat::IEEEdouble();
  default:
    return nullptr;
  }
}

/// Fills `data` with numbers between -1 and 1: a few thousand, again and again.
static void fillRandom(const llvm::fltSemantics &semantics,
                       MutableArrayRef<char> data) {
  std::mt19937 engine;
  size_t size = APFloat::getSizeInBits(semantics) / 8;
  std::vector<char> numbers;
  while (numbers.size() < 4099 * size) {
    APFloat number(2.0 * (engine() / double(engine.max())) - 1.0);
    bool losesInfo;
    number.convert(semantics, APFloat::rmNearestTiesToEven, &losesInfo);
    uint64_t bits = number.bitcastToAPInt().getZExtValue();
    const char *bytes = reinterpret_cast<const char *>(&bits);
    numbers.insert(numbers.end(), bytes, bytes + size);
  }
  for (size_t i = 0; i < data.size(); ++i)
    data[i] = numbers[i % numbers.size()];
}

/// Random floats, and zeros of other types, for each argument of `main`.
static std::vector<HostArray> makeInputs(const PlanFunction &function) {
  std::vector<HostArray> inputs;
  for (const PlanTensor &tensor : function.arguments) {
    HostArray array;
    array.type =
        tensor.type == ElementType::BF16 ? ElementType::U16 : tensor.type;
    for (const std::optional<PlanExpr> &extent : tensor.shape)
      array.shape.push_back(extent->value);
    array.data.resize(array.getNumElements() * getElementSize(array.type));
    if (const llvm::fltSemantics *semantics = getSemantics(tensor.type))
      fillRandom(*semantics, array.data);
    inputs.push_back(std::move(array));
  }
  return inputs;
}

llvm::Expected<CandidateTimer> prism::createFileTimer(StringRef path) {
  llvm::Expected<Timings> timings = Timings::read(path);
  if (!timings)
    return timings.takeError();
  return [timings = std::make_shared<Timings>(std::move(*timings)),
          path = path.str()](
             const CompiledCandidate &compiled) -> llvm::Expected<double> {
    if (std::optional<double> us = timings->lookup(compiled.key))
      return *us;
    return llvm::createStringError(
        "'" + path + "' has no time of kernel " + compiled.key.kernel +
        " for " + compiled.key.target + " and " + compiled.key.toolchain);
  };
}

llvm::Expected<CandidateTimer> prism::createGPUTimer(std::string &gpu) {
  llvm::Expected<std::unique_ptr<Device>> device = createCUDADevice();
  if (!device)
    return device.takeError();
  gpu = (*device)->getName();
  return [device = std::shared_ptr<Device>(std::move(*device))](
             const CompiledCandidate &compiled) -> llvm::Expected<double> {
    llvm::Expected<KernelPackage> package =
        KernelPackage::read(compiled.directory);
    if (!package)
      return package.takeError();
    return PackageRunner(*package, *device)
        .time("main", makeInputs(package->functions.front()), repetitions);
  };
}

CandidateTimer prism::createSimulationTimer(const Target &target) {
  return [&target](
             const CompiledCandidate &compiled) -> llvm::Expected<double> {
    llvm::Expected<KernelPackage> package =
        KernelPackage::read(compiled.directory);
    if (!package)
      return package.takeError();
    SimulatedDevice device;
    llvm::Expected<std::vector<HostArray>> results =
        PackageRunner(*package, device)
            .run("main", makeInputs(package->functions.front()));
    if (!results)
      return results.takeError();
    CandidateOp candidate = compiled.candidate;
    double dramUs = 0;
    if (auto roofline =
            candidate->getAttrOfType<FloatAttr>("prism.roofline_us"))
      dramUs = roofline.getValueAsDouble();
    const SimulationStatistics &statistics = device.getStatistics();
    // The one rate of instructions in the table of hardware facts is that of
    // FMAs, two operations in each lane.
    double issuedPerSecond = target.f32FlopsPerSecond / (2 * Target::warpSize);
    double blocks = std::max<double>(statistics.blocks, 1);
    double busy = std::min(blocks, double(target.numSMs)) / target.numSMs;
    return statistics.launches * CostAssumptions::launchUs +
           std::max(dramUs,
                    1e6 * statistics.warpSteps / (busy * issuedPerSecond));
  };
}

void prism::measureCandidates(ArrayRef<CompiledCandidate> compiled,
                              const CandidateTimer &timer) {
  std::vector<std::tuple<double, size_t, CandidateOp>> measured;
  for (const CompiledCandidate &one : compiled) {
    CandidateOp candidate = one.candidate;
    llvm::Expected<double> us =
        one.directory.empty()
            ? llvm::Expected<double>(llvm::createStringError(one.whyNot))
            : timer(one);
    if (!us) {
      emitRemark(candidate.getLoc())
          << "candidate '" << candidate.getId()
          << "' has no measured time: " << llvm::toString(us.takeError());
      continue;
    }
    candidate->setAttr(measuredUsAttrName,
                       Builder(candidate.getContext()).getF64FloatAttr(*us));
    measured.push_back({*us, measured.size(), candidate});
  }
  // Equal times keep the model's order.
  llvm::sort(measured, [](const auto &a, const auto &b) {
    return std::tie(std::get<0>(a), std::get<1>(a)) <
           std::tie(std::get<0>(b), std::get<1>(b));
  });
  for (auto &[us, number, candidate] : llvm::reverse(measured))
    candidate->moveBefore(candidate->getBlock(),
                          candidate->getBlock()->begin());
}
