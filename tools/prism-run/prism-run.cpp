//===- prism-run.cpp - Run a function of a package or module --------------===//
//
// Reads inputs and writes results as .npy files. Kernels run on the device,
// the host code of a module on the CPU.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Execution/ModuleRunner.h"
#include "Prism/InitAll.h"
#include "Prism/Runtime/CUDADevice.h"
#include "Prism/Runtime/KernelPackage.h"
#include "Prism/Runtime/SimulatedDevice.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace prism;
namespace cl = llvm::cl;

namespace {
enum class DeviceKind { Simulated, CUDA };
enum class CheckKind { All, None };

struct Options {
  cl::opt<std::string> path{cl::Positional, cl::Required,
                            cl::desc("<kernel package or module>")};
  cl::opt<std::string> entry{"entry", cl::Required,
                             cl::desc("The function to run")};
  cl::opt<DeviceKind> device{
      "device", cl::desc("Where kernels run"), cl::init(DeviceKind::Simulated),
      cl::values(clEnumValN(DeviceKind::Simulated, "sim",
                            "the simulated device (default)"),
                 clEnumValN(DeviceKind::CUDA, "cuda", "a CUDA device"))};
  cl::list<std::string> inputs{
      "input", cl::desc("A .npy file, one for each argument in order")};
  cl::list<std::string> outputs{
      "output", cl::desc("A .npy file, one for each result in order")};
  cl::opt<CheckKind> check{
      "check",
      cl::desc("Checks of the simulated device besides bounds and "
               "alignment"),
      cl::init(CheckKind::All),
      cl::values(clEnumValN(CheckKind::All, "all",
                            "uninitialized reads, races, copies in flight, "
                            "unwritten results (default)"),
                 clEnumValN(CheckKind::None, "none", "none of these"))};
  cl::opt<ScheduleOrder> order{
      "order",
      cl::desc("The order of blocks and warps on the simulated device"),
      cl::init(ScheduleOrder::Forward),
      cl::values(
          clEnumValN(ScheduleOrder::Forward, "forward", "first to last"),
          clEnumValN(ScheduleOrder::Reverse, "reverse", "last to first"))};
  cl::opt<uint64_t> stepLimit{"step-limit",
                              cl::desc("Most warp instructions of one block"),
                              cl::init(SimulationOptions().stepLimit)};
  cl::opt<std::string> watch{
      "watch", cl::value_desc("array+bytes"),
      cl::desc("Print what wrote a byte last, counted from an array's start, "
               "e.g. 'result 0+128' (sim only)")};
  cl::opt<bool> time{"time",
                     cl::desc("Print the median microseconds of the kernels "
                              "(cuda only)")};
  cl::opt<unsigned> repetitions{
      "repetitions", cl::desc("Runs that --time takes the median of"),
      cl::init(100)};
};
} // namespace

using Results = llvm::Expected<std::vector<HostArray>>;

static llvm::Error checkOutputs(const Options &options, size_t numResults) {
  if (options.outputs.empty() || options.outputs.size() == numResults)
    return llvm::Error::success();
  return llvm::createStringError("function '" + options.entry + "' has " +
                                 llvm::Twine(numResults) + " results, " +
                                 llvm::Twine(options.outputs.size()) +
                                 " outputs were given");
}

static llvm::Expected<std::optional<WatchedBytes>>
parseWatch(llvm::StringRef text) {
  if (text.empty())
    return std::nullopt;
  auto [array, offset] = text.rsplit('+');
  WatchedBytes watch{array.str()};
  if (array.empty() || offset.getAsInteger(10, watch.offset))
    return llvm::createStringError(
        "--watch is '" + text +
        "', expected an array and the byte in it, e.g. 'result 0+128'");
  return watch;
}

static void printLastWrite(const Options &options, const Device &device) {
  const auto &place =
      static_cast<const SimulatedDevice &>(device).getLastWrite();
  llvm::outs() << options.watch << " was written last by "
               << (place ? place->str() : "no kernel") << "\n";
}

static llvm::Expected<std::unique_ptr<Device>>
makeDevice(const Options &options, bool checks) {
  auto watch = parseWatch(options.watch);
  if (!watch)
    return watch.takeError();
  if (options.device == DeviceKind::CUDA)
    return createCUDADevice();
  SimulationOptions simulation;
  simulation.checkUninitialized = simulation.checkRaces = checks;
  simulation.blockOrder = simulation.warpOrder = options.order;
  simulation.stepLimit = options.stepLimit;
  simulation.watch = *watch;
  return std::make_unique<SimulatedDevice>(simulation);
}

static void printTime(double microseconds) {
  llvm::outs() << llvm::formatv("{0:F3} us\n", microseconds);
}

static Results runPackage(const Options &options,
                          llvm::ArrayRef<HostArray> inputs, Device &device,
                          bool checks) {
  auto package = KernelPackage::read(options.path);
  if (!package)
    return package.takeError();
  auto function = package->find(options.entry);
  if (!function)
    return function.takeError();
  if (auto error = checkOutputs(options, (*function)->results.size()))
    return std::move(error);
  PackageRunner runner(*package, device);
  auto results = runner.run(options.entry, inputs, checks);
  if (!results || !options.time)
    return results;
  auto microseconds = runner.time(options.entry, inputs, options.repetitions);
  if (!microseconds)
    return microseconds.takeError();
  printTime(*microseconds);
  return results;
}

static Results runFile(const Options &options, llvm::ArrayRef<HostArray> inputs,
                       Device &device, bool checks) {
  mlir::DialectRegistry registry;
  prism::registerUpstreamDialects(registry);
  prism::registerPrismDialects(registry);
  mlir::MLIRContext context(registry);
  context.printOpOnDiagnostic(false); // it would repeat the whole module
  llvm::SourceMgr sources;
  mlir::SourceMgrDiagnosticHandler handler(sources, &context);
  auto module =
      mlir::parseSourceFile<mlir::ModuleOp>(options.path, sources, &context);
  if (!module)
    return llvm::createStringError(
        "'" + options.path + "' is no module; give one, or a kernel package " +
        "(a folder, made with the pipeline's option package=DIR)");
  ModuleRunOptions run;
  run.checkWritten = run.checkHost = checks;
  double microseconds = 0;
  if (options.time) {
    run.repetitions = options.repetitions;
    run.microseconds = &microseconds;
  }
  auto results = runModule(*module, options.entry, inputs, device, run);
  if (results && options.time)
    printTime(microseconds);
  return results;
}

static llvm::Error run(const Options &options) {
  if (options.time && options.device != DeviceKind::CUDA)
    return llvm::createStringError("--time needs --device=cuda: the simulated "
                                   "device has no clock worth reading");
  if (!options.watch.empty() && options.device == DeviceKind::CUDA)
    return llvm::createStringError(
        "--watch needs --device=sim: a GPU does not know what wrote a byte");
  std::vector<HostArray> inputs;
  for (const std::string &path : options.inputs) {
    auto input = readNpy(path);
    if (!input)
      return input.takeError();
    inputs.push_back(std::move(*input));
  }
  bool checks = options.check == CheckKind::All;
  auto device = makeDevice(options, checks);
  if (!device)
    return device.takeError();
  auto results = llvm::sys::fs::is_directory(options.path)
                     ? runPackage(options, inputs, **device, checks)
                     : runFile(options, inputs, **device, checks);
  if (!options.watch.empty())
    printLastWrite(options, **device);
  if (!results)
    return results.takeError();
  if (auto error = checkOutputs(options, results->size()))
    return error;
  for (size_t i = 0; i < options.outputs.size(); ++i)
    if (auto error = writeNpy(options.outputs[i], (*results)[i]))
      return error;
  return llvm::Error::success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Options options;
  cl::ParseCommandLineOptions(
      argc, argv, "Prism: run a function of a kernel package or of a module\n");
  if (auto error = run(options)) {
    llvm::handleAllErrors(std::move(error), [](const llvm::ErrorInfoBase &e) {
      llvm::WithColor::error(llvm::errs(), "prism-run") << e.message() << "\n";
    });
    return 1;
  }
  return 0;
}
