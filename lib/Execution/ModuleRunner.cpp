//===- ModuleRunner.cpp - Running a function of a module ------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Execution/ModuleRunner.h"
#include "EntryFunction.h"
#include "HostFaults.h"
#include "HostLowering.h"
#include "HostMemory.h"

#include "Prism/Conversion/GPULowering.h"
#include "Prism/Conversion/Passes.h"
#include "Prism/Dialect/PrismDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace prism;

//===----------------------------------------------------------------------===//
// One run
//===----------------------------------------------------------------------===//

namespace {
/// What the entries that host code calls work on.
struct Run {
  Run(Device &device, bool checkWritten)
      : device(device), memory(device, checkWritten) {}

  Device &device;
  HostMemory memory;
  ArrayRef<HostArray> inputs;
  std::vector<HostArray> results; ///< with their types
  std::vector<LaunchSite> launches;
  std::vector<ModuleHandle> modules; ///< by launch site
  std::vector<std::string> labels, messages;
  std::vector<LaunchRequest> made; ///< if they are to be timed
  bool keepsLaunches = false;
  /// The first error ends the run: host code that goes on with values that are
  /// not there might do anything. It has no destructors to be left out.
  std::optional<llvm::Error> error;
  sigjmp_buf unwind;

  llvm::Error launch(const LaunchSite &site, ModuleHandle handle,
                     const int64_t *words);
  llvm::Error fetchResult(HostArray &result, const int64_t *words);
};

/// MLIR's descriptor of a memref<?xi8>.
struct BytesDescriptor {
  char *allocated, *aligned;
  int64_t offset, size, stride;
};
} // namespace

static llvm::Expected<uint32_t> narrow(int64_t value) {
  if (value < 0 || value > int64_t(UINT32_MAX))
    return llvm::createStringError("a launch number of " + Twine(value) +
                                   " does not fit into 32 bits");
  return uint32_t(value);
}

llvm::Error Run::launch(const LaunchSite &site, ModuleHandle handle,
                        const int64_t *words) {
  LaunchRequest request;
  request.module = handle;
  request.kernel = site.kernel;
  uint32_t numbers[7];
  for (uint32_t &number : numbers) {
    auto narrowed = narrow(*words++);
    if (!narrowed)
      return narrowed.takeError();
    number = *narrowed;
  }
  std::copy(numbers, numbers + 3, request.grid.begin());
  std::copy(numbers + 3, numbers + 6, request.block.begin());
  request.sharedBytes = numbers[6];
  SmallVector<char *> buffers;
  for (auto [index, bytes] : llvm::enumerate(site.scalarBytes)) {
    if (bytes) {
      request.arguments.push_back(KernelArgument::raw(
          ArrayRef<char>(reinterpret_cast<const char *>(words++), bytes)));
      continue;
    }
    buffers.push_back(reinterpret_cast<char *>(words[0]));
    auto pointer = memory.stage(buffers.back(), words[1]);
    if (!pointer)
      return pointer.takeError();
    words += 2;
    auto found = site.tensorMaps.find(index);
    if (found == site.tensorMaps.end()) {
      request.arguments.push_back(KernelArgument::pointer(*pointer));
      continue;
    }
    const auto &[map, type, shape] = found->second;
    auto described = map.build(*pointer, type, shape, /*shapes=*/{});
    if (!described)
      return described.takeError();
    auto argument = device.makeTensorMap(*described);
    if (!argument)
      return argument.takeError();
    request.arguments.push_back(std::move(*argument));
  }
  if (auto error = device.launch(request))
    return error;
  for (char *buffer : buffers)
    memory.markLaunched(buffer);
  if (keepsLaunches)
    made.push_back(std::move(request));
  return llvm::Error::success();
}

llvm::Error Run::fetchResult(HostArray &result, const int64_t *words) {
  auto *pointer = reinterpret_cast<const char *>(*words++);
  for (int64_t &extent : result.shape)
    extent = *words++;
  if (auto error = memory.accessOnHost(pointer, /*read=*/true, /*write=*/false))
    return error;
  uint64_t bytes = result.getNumElements() * getElementSize(result.type);
  result.data.assign(pointer, pointer + bytes);
  return llvm::Error::success();
}

/// Keeps `error`, if there is one; whether there is.
static bool keep(Run &run, llvm::Error error) {
  if (!error)
    return false;
  run.error.emplace(std::move(error));
  return true;
}

//===----------------------------------------------------------------------===//
// What host code calls. Where one unwinds, nothing of its own is alive.
//===----------------------------------------------------------------------===//

static void enterArgument(BytesDescriptor *result, Run *run, int64_t index) {
  const HostArray &input = run->inputs[index];
  int64_t size = input.data.size();
  char *data = run->memory.allocate(size, "argument " + std::to_string(index));
  if (!data) {
    keep(*run,
         llvm::createStringError("no memory for argument " + Twine(index)));
    siglongjmp(run->unwind, 1);
  }
  std::copy(input.data.begin(), input.data.end(), data);
  llvm::cantFail(
      run->memory.accessOnHost(data, /*read=*/false, /*write=*/true));
  *result = {data, data, 0, size, 1};
}

static void enterAllocate(BytesDescriptor *result, Run *run, int64_t label,
                          int64_t bytes) {
  constexpr int64_t mostBytes = int64_t(1) << 46;
  bool isPossible = bytes >= 0 && bytes <= mostBytes;
  char *data =
      isPossible ? run->memory.allocate(bytes, run->labels[label]) : nullptr;
  if (!data) {
    keep(*run, llvm::createStringError("an allocation of " + Twine(bytes) +
                                       " bytes for '" + run->labels[label] +
                                       "' is not possible"));
    siglongjmp(run->unwind, 1);
  }
  *result = {data, data, 0, bytes, 1};
}

static void enterFree(Run *run, const char *pointer) {
  // Launches that are to be timed are made again when the run is over.
  if (!run->keepsLaunches && keep(*run, run->memory.free(pointer)))
    siglongjmp(run->unwind, 1);
}

static void enterAccess(Run *run, const char *pointer, int64_t mode) {
  if (keep(*run, run->memory.accessOnHost(pointer, mode & 1, mode & 2)))
    siglongjmp(run->unwind, 1);
}

static void enterLaunch(Run *run, int64_t site, const int64_t *words) {
  if (keep(*run, run->launch(run->launches[site], run->modules[site], words)))
    siglongjmp(run->unwind, 1);
}

static void enterResult(Run *run, int64_t index, const int64_t *words) {
  if (keep(*run, run->fetchResult(run->results[index], words)))
    siglongjmp(run->unwind, 1);
}

static void enterFail(Run *run, int64_t message) {
  keep(*run, llvm::createStringError(run->messages[message]));
  siglongjmp(run->unwind, 1);
}

static void *getAddress(HostEntry entry) {
  switch (entry) {
  case HostEntry::Argument:
    return reinterpret_cast<void *>(&PausedFaults<enterArgument>::call);
  case HostEntry::Allocate:
    return reinterpret_cast<void *>(&PausedFaults<enterAllocate>::call);
  case HostEntry::Free:
    return reinterpret_cast<void *>(&PausedFaults<enterFree>::call);
  case HostEntry::Access:
    return reinterpret_cast<void *>(&PausedFaults<enterAccess>::call);
  case HostEntry::Launch:
    return reinterpret_cast<void *>(&PausedFaults<enterLaunch>::call);
  case HostEntry::Result:
    return reinterpret_cast<void *>(&PausedFaults<enterResult>::call);
  case HostEntry::Fail:
    return reinterpret_cast<void *>(&PausedFaults<enterFail>::call);
  }
  llvm_unreachable("all entries are handled above");
}

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

static llvm::Error failedTo(const Twine &what) {
  return llvm::createStringError("the module could not be " + what +
                                 "; the errors above say why");
}

static bool hasDialectOps(func::FuncOp function, TypeID dialect) {
  return function
      .walk([&](Operation *op) {
        return op->getDialect() && op->getDialect()->getTypeID() == dialect
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Leaves what `entry` needs; whatever else there is need not be lowered.
static LogicalResult dropUnneeded(ModuleOp module, func::FuncOp entry) {
  for (auto function : module.getOps<func::FuncOp>())
    function.setVisibility(function == entry
                               ? SymbolTable::Visibility::Public
                               : SymbolTable::Visibility::Private);
  PassManager pm(module->getName());
  pm.addPass(createSymbolDCEPass());
  return pm.run(module);
}

/// Of the functions that are left, each is called.
static llvm::Error checkBodies(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isExternal())
      return llvm::createStringError("function '" + function.getName() +
                                     "' is called but has no body");
  return llvm::Error::success();
}

/// Ops on tensors that neither bufferization nor the lowering to loops knows.
static LogicalResult decomposeTensorOps(ModuleOp module) {
  SmallVector<linalg::AggregatedOpInterface> aggregated;
  module.walk(
      [&](linalg::AggregatedOpInterface op) { aggregated.push_back(op); });
  for (linalg::AggregatedOpInterface op : aggregated) {
    OpBuilder b(op);
    FailureOr<SmallVector<Value>> results = op.decomposeOperation(b);
    if (failed(results))
      return op->emitError("cannot be decomposed");
    op->replaceAllUsesWith(*results);
    op->erase();
  }
  RewritePatternSet patterns(module.getContext());
  tensor::populateDecomposeTensorConcatPatterns(patterns);
  return applyPatternsGreedily(module, std::move(patterns));
}

/// Tensors in upstream's dialects, and kernels as objects.
static LogicalResult lowerToTensors(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    bool hasTosa = hasDialectOps(function, TypeID::get<tosa::TosaDialect>());
    bool hasPrism = hasDialectOps(function, TypeID::get<PrismDialect>());
    PassManager pm(function->getName());
    if (hasTosa)
      buildTosaToLinalgPipeline(pm);
    if (hasPrism)
      pm.addPass(createConvertPrismToLinalg());
    if (!pm.empty() && failed(pm.run(function)))
      return failure();
  }
  for (auto program : llvm::make_early_inc_range(module.getOps<ProgramOp>()))
    program.erase(); // no invoke is left
  PassManager pm(module->getName());
  buildSerializeGPUModulesPipeline(pm, "isa");
  return failed(pm.run(module)) ? failure() : decomposeTensorOps(module);
}

/// The object that the device loads: PTX text, or a cubin where there is none.
static llvm::Expected<StringRef> getObject(ModuleOp module, StringRef name) {
  auto binary = dyn_cast_or_null<gpu::BinaryOp>(
      SymbolTable::lookupSymbolIn(module, name));
  if (!binary)
    return llvm::createStringError("the kernels of '" + name +
                                   "' are not in the module");
  gpu::ObjectAttr chosen;
  for (auto object : binary.getObjects().getAsRange<gpu::ObjectAttr>())
    if (!chosen || object.getFormat() == gpu::CompilationTarget::Assembly)
      chosen = object;
  if (!chosen)
    return llvm::createStringError("the gpu.binary '" + name + "' is empty");
  return chosen.getObject().getValue();
}

static llvm::Error loadKernels(ModuleOp module, Run &run) {
  llvm::StringMap<ModuleHandle> loaded;
  for (const LaunchSite &site : run.launches) {
    auto [it, isNew] = loaded.try_emplace(site.module);
    if (isNew) {
      auto object = getObject(module, site.module);
      if (!object)
        return object.takeError();
      auto handle = run.device.loadModule(*object, site.module);
      if (!handle)
        return handle.takeError();
      it->second = *handle;
    }
    run.modules.push_back(it->second);
  }
  return llvm::Error::success();
}

static LogicalResult lowerHost(ModuleOp module, HostLowering &lowering,
                               bool check) {
  PassManager bufferize(module->getName());
  buildBufferizePipeline(bufferize, check);
  if (failed(bufferize.run(module)) || failed(lowering.lowerBuffers()))
    return failure();
  lowering.lowerAsserts();
  return success();
}

static llvm::Expected<std::unique_ptr<ExecutionEngine>>
compile(ModuleOp module, const HostLowering &lowering) {
  for (auto &op : llvm::make_early_inc_range(module.getBody()->getOperations()))
    if (isa<gpu::BinaryOp, gpu::GPUModuleOp>(op))
      op.erase();
  PassManager pm(module->getName());
  buildHostToLLVMPipeline(pm);
  if (failed(pm.run(module)))
    return failedTo("lowered to LLVM");
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  auto machine = builder->createTargetMachine();
  if (!machine)
    return machine.takeError();
  auto optimize = makeOptimizingTransformer(2, 0, machine->get());
  ExecutionEngineOptions options;
  options.transformer = optimize;
  options.enableGDBNotificationListener = false;
  options.enablePerfNotificationListener = false;
  auto engine = ExecutionEngine::create(module, options, std::move(*machine));
  if (!engine)
    return engine;
  (*engine)->registerSymbols([&](llvm::orc::MangleAndInterner interner) {
    llvm::orc::SymbolMap map;
    for (unsigned i = 0; i < numHostEntries; ++i)
      if (StringRef name = lowering.getSymbol(HostEntry(i)); !name.empty())
        map[interner(name)] = {
            llvm::orc::ExecutorAddr::fromPtr(getAddress(HostEntry(i))),
            llvm::JITSymbolFlags::Exported};
    return map;
  });
  return engine;
}

/// Calls host code; false if it was ended by an error.
static bool callMain(Run &run, void (*main)(void **)) {
  HostFaults faults(run.unwind);
  if (int code = sigsetjmp(run.unwind, /*savemask=*/1)) {
    if (!run.error)
      run.error.emplace(llvm::createStringError(HostFaults::describe(code)));
    return false;
  }
  main(nullptr);
  return true;
}

llvm::Expected<std::vector<HostArray>>
prism::runModule(ModuleOp module, StringRef entry, ArrayRef<HostArray> inputs,
                 Device &device, const ModuleRunOptions &options) {
  auto function = findEntry(module, entry);
  if (!function)
    return function.takeError();
  Run run(device, options.checkWritten);
  run.inputs = inputs;
  if (auto error = checkInputs(*function, inputs))
    return std::move(error);
  auto results = prepareResults(*function);
  if (!results)
    return results.takeError();
  run.results = std::move(*results);
  if (failed(dropUnneeded(module, *function)))
    return failedTo("reduced to what the function needs");
  if (auto error = checkBodies(module))
    return std::move(error);
  if (failed(lowerToTensors(module)))
    return failedTo("lowered to host code and kernels");
  HostLowering lowering(module, reinterpret_cast<uint64_t>(&run));
  lowering.addMain(*function, inputs);
  if (failed(lowerHost(module, lowering, options.checkHost)))
    return failedTo("bufferized");
  run.launches = lowering.getLaunches().vec();
  run.labels = lowering.getLabels().vec();
  run.messages = lowering.getMessages().vec();
  if (auto error = loadKernels(module, run))
    return std::move(error);
  auto engine = compile(module, lowering);
  if (!engine)
    return engine.takeError();
  auto main = (*engine)->lookupPacked(lowering.getMain());
  if (!main)
    return main.takeError();
  run.keepsLaunches = options.microseconds;
  if (!callMain(run, *main))
    return std::move(*run.error);
  if (options.microseconds) {
    auto microseconds = device.time(run.made, options.repetitions);
    if (!microseconds)
      return microseconds.takeError();
    *options.microseconds = *microseconds;
  }
  return std::move(run.results);
}
