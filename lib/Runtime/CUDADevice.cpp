//===- CUDADevice.cpp - A GPU behind the CUDA driver API ------------------===//
//
// Memory, modules, launches and timing on a GPU.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Runtime/CUDADevice.h"
#include "Prism/Runtime/TensorMap.h"

#include "CUDADriver.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

#include <map>

using namespace prism;
using namespace prism::cuda;

namespace {

struct LoadedModule {
  Module module = nullptr;
  std::string name;
  llvm::StringMap<Function> functions;
  /// The dynamic shared memory that a function has opted in to.
  llvm::StringMap<uint32_t> optedIn;
};

class CUDADevice : public Device {
public:
  explicit CUDADevice(std::unique_ptr<Driver> driver)
      : driver(std::move(driver)) {}
  ~CUDADevice() override;

  llvm::Error open(unsigned number);

  std::string getName() const override { return name; }
  llvm::Expected<ModuleHandle> loadModule(llvm::StringRef object,
                                          llvm::StringRef name) override;
  llvm::Expected<DevicePtr> allocate(uint64_t bytes,
                                     llvm::StringRef label) override;
  llvm::Error free(DevicePtr ptr) override;
  llvm::Error copyToDevice(DevicePtr dst, llvm::ArrayRef<char> src) override;
  llvm::Error copyFromDevice(llvm::MutableArrayRef<char> dst,
                             DevicePtr src) override;
  llvm::Expected<KernelArgument> makeTensorMap(const TensorMap &map) override;
  llvm::Error launch(const LaunchRequest &request) override;
  llvm::Expected<double> time(llvm::ArrayRef<LaunchRequest> requests,
                              unsigned repetitions) override;

private:
  bool isInOneArray(DevicePtr ptr, uint64_t bytes) const;
  llvm::Error checkRange(DevicePtr ptr, uint64_t bytes) const;
  llvm::Expected<Function> getFunction(const LaunchRequest &request);
  llvm::Error checkParameters(Function function, const LaunchRequest &request);
  llvm::Error optIn(LoadedModule &module, Function function,
                    const LaunchRequest &request);
  llvm::Error enqueue(const LaunchRequest &request);
  llvm::Expected<GraphExec> capture(llvm::ArrayRef<LaunchRequest> requests);
  llvm::Expected<double> measure(GraphExec graph, unsigned repetitions);

  std::unique_ptr<Driver> driver;
  DeviceOrdinal ordinal = 0;
  std::string name;
  Context context = nullptr;
  Stream stream = nullptr;
  int capability = 0; ///< 80 for sm_80
  int maxShared = 0;  ///< most shared memory of a block, in bytes
  std::vector<LoadedModule> modules;
  std::map<uint64_t, uint64_t> arrays; ///< start and size in bytes
};

} // namespace

llvm::Expected<std::unique_ptr<Device>>
prism::createCUDADevice(unsigned ordinal) {
  auto driver = Driver::load();
  if (!driver)
    return driver.takeError();
  auto device = std::make_unique<CUDADevice>(std::move(*driver));
  if (auto error = device->open(ordinal))
    return std::move(error);
  return device;
}

llvm::Error CUDADevice::open(unsigned number) {
  int count = 0;
  if (auto error = driver->check(driver->deviceGetCount(&count),
                                 "cannot count the GPUs"))
    return error;
  if (int64_t(number) >= count)
    return llvm::createStringError("there is no GPU number " +
                                   llvm::Twine(number) + ", the driver has " +
                                   llvm::Twine(count));
  int major = 0, minor = 0, version = 0;
  char text[256] = "";
  if (auto error = driver->check(driver->deviceGet(&ordinal, number),
                                 "cannot open the GPU"))
    return error;
  if (auto error =
          driver->check(driver->deviceGetName(text, sizeof(text), ordinal),
                        "cannot ask the GPU for its name"))
    return error;
  if (auto error = driver->check(driver->driverGetVersion(&version),
                                 "cannot ask the driver for its version"))
    return error;
  name = text + (", CUDA driver " + llvm::Twine(version)).str();
  if (auto error = driver->check(driver->retainContext(&context, ordinal),
                                 "cannot make a context on the GPU"))
    return error;
  for (auto [where, attribute] :
       {std::pair<int *, int>{&major, deviceComputeCapabilityMajor},
        {&minor, deviceComputeCapabilityMinor},
        {&maxShared, deviceMaxSharedPerBlockOptin}})
    if (auto error =
            driver->check(driver->deviceGetAttribute(where, attribute, ordinal),
                          "cannot ask the GPU what it is"))
      return error;
  capability = 10 * major + minor;
  if (auto error = driver->check(driver->setContext(context),
                                 "cannot use the GPU's context"))
    return error;
  return driver->check(driver->createStream(&stream, streamNonBlocking),
                       "cannot make a stream");
}

CUDADevice::~CUDADevice() {
  if (!context)
    return;
  driver->setContext(context);
  for (auto [start, bytes] : arrays)
    driver->free(start);
  for (LoadedModule &loaded : modules)
    driver->unloadModule(loaded.module);
  if (stream)
    driver->destroyStream(stream);
  driver->releaseContext(ordinal);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

llvm::Expected<DevicePtr> CUDADevice::allocate(uint64_t bytes,
                                               llvm::StringRef label) {
  Pointer start = 0;
  // The driver refuses to allocate nothing.
  if (auto error =
          driver->check(driver->allocate(&start, std::max<uint64_t>(bytes, 1)),
                        "cannot allocate " + llvm::Twine(bytes) +
                            " bytes for '" + label + "'"))
    return std::move(error);
  arrays[start] = bytes;
  return DevicePtr(start);
}

llvm::Error CUDADevice::free(DevicePtr ptr) {
  if (!arrays.erase(uint64_t(ptr)))
    return llvm::createStringError("0x" + llvm::utohexstr(uint64_t(ptr)) +
                                   " is not the start of a device array");
  return driver->check(driver->free(uint64_t(ptr)), "cannot free an array");
}

bool CUDADevice::isInOneArray(DevicePtr ptr, uint64_t bytes) const {
  uint64_t start = uint64_t(ptr);
  auto it = arrays.upper_bound(start);
  if (it == arrays.begin())
    return false;
  auto [base, size] = *std::prev(it);
  return start - base <= size && bytes <= size - (start - base);
}

llvm::Error CUDADevice::checkRange(DevicePtr ptr, uint64_t bytes) const {
  if (isInOneArray(ptr, bytes))
    return llvm::Error::success();
  return llvm::createStringError(
      "a copy of " + llvm::Twine(bytes) + " bytes at 0x" +
      llvm::utohexstr(uint64_t(ptr)) + " is not inside one device array");
}

llvm::Error CUDADevice::copyToDevice(DevicePtr dst, llvm::ArrayRef<char> src) {
  if (src.empty())
    return llvm::Error::success();
  if (auto error = checkRange(dst, src.size()))
    return error;
  return driver->check(
      driver->copyToDevice(uint64_t(dst), src.data(), src.size()),
      "cannot copy to the GPU");
}

llvm::Error CUDADevice::copyFromDevice(llvm::MutableArrayRef<char> dst,
                                       DevicePtr src) {
  if (dst.empty())
    return llvm::Error::success();
  if (auto error = checkRange(src, dst.size()))
    return error;
  return driver->check(
      driver->copyFromDevice(dst.data(), uint64_t(src), dst.size()),
      "cannot copy from the GPU");
}

llvm::Expected<KernelArgument> CUDADevice::makeTensorMap(const TensorMap &map) {
  if (!driver->encodeTensorMap)
    return llvm::createStringError(
        "the CUDA driver has no 'cuTensorMapEncodeTiled'; tensor maps need a "
        "driver of CUDA 12.0 or newer");
  if (capability < 90)
    return llvm::createStringError(
        "tensor maps need a GPU of sm_90 or newer, this one is sm_" +
        llvm::Twine(capability));
  if (auto error = map.verify())
    return std::move(error);
  uint64_t bytes = map.getArrayBytes();
  if (!isInOneArray(map.base, bytes))
    return llvm::createStringError("tensor map: its " + llvm::Twine(bytes) +
                                   " bytes at 0x" +
                                   llvm::utohexstr(uint64_t(map.base)) +
                                   " are not inside one device array");
  int swizzle = map.swizzle ? int(llvm::Log2_32(map.swizzle)) - 4 : 0;
  llvm::SmallVector<uint32_t, TensorMap::maxRank> ones(map.getRank(), 1);
  EncodedTensorMap encoded = {};
  if (auto error = driver->check(
          driver->encodeTensorMap(&encoded, int(map.type), map.getRank(),
                                  reinterpret_cast<void *>(uintptr_t(map.base)),
                                  map.extents.data(), map.strides.data(),
                                  map.box.data(), ones.data(), interleaveNone,
                                  swizzle, l2Promotion128, map.fillWithNaN),
          "cannot make a tensor map"))
    return std::move(error);
  return KernelArgument::raw(encoded.bytes);
}

//===----------------------------------------------------------------------===//
// Modules and launches
//===----------------------------------------------------------------------===//

llvm::Expected<ModuleHandle> CUDADevice::loadModule(llvm::StringRef object,
                                                    llvm::StringRef name) {
  LoadedModule loaded;
  loaded.name = name.str();
  // PTX must end in a null byte, which a string has behind its end.
  std::string text = object.str();
  std::vector<char> log(8192, 0);
  int options[] = {jitErrorLogBuffer, jitErrorLogBufferBytes};
  void *values[] = {log.data(), reinterpret_cast<void *>(log.size())};
  Result result =
      driver->loadModule(&loaded.module, text.data(), 2, options, values);
  llvm::StringRef why = llvm::StringRef(log.data()).trim();
  if (auto error =
          driver->check(result, "cannot load '" + name + "' on a GPU of sm_" +
                                    llvm::Twine(capability) +
                                    (why.empty() ? "" : ": ") + why))
    return std::move(error);
  modules.push_back(std::move(loaded));
  return ModuleHandle(modules.size() - 1);
}

llvm::Expected<Function> CUDADevice::getFunction(const LaunchRequest &request) {
  if (uint32_t(request.module) >= modules.size())
    return llvm::createStringError("no such module on this device");
  LoadedModule &loaded = modules[uint32_t(request.module)];
  Function &function = loaded.functions[request.kernel];
  if (!function) {
    if (auto error = driver->check(driver->getFunction(&function, loaded.module,
                                                       request.kernel.c_str()),
                                   "'" + loaded.name + "' has no kernel '" +
                                       request.kernel + "'"))
      return std::move(error);
    if (auto error = checkParameters(function, request))
      return std::move(error);
  }
  if (auto error = optIn(loaded, function, request))
    return std::move(error);
  return function;
}

/// The driver would read past the end of too short a list.
llvm::Error CUDADevice::checkParameters(Function function,
                                        const LaunchRequest &request) {
  if (!driver->getParameter)
    return llvm::Error::success(); // too old a driver to know
  size_t count = 0, offset = 0, bytes = 0;
  while (driver->getParameter(function, count, &offset, &bytes) == 0) {
    if (count < request.arguments.size() &&
        request.arguments[count].getBytes().size() != bytes)
      return llvm::createStringError(
          "parameter " + llvm::Twine(count) + " of kernel '" + request.kernel +
          "' has " + llvm::Twine(bytes) + " bytes, " +
          llvm::Twine(request.arguments[count].getBytes().size()) +
          " were given");
    ++count;
  }
  if (count == request.arguments.size())
    return llvm::Error::success();
  return llvm::createStringError(
      "kernel '" + request.kernel + "' takes " + llvm::Twine(count) +
      " parameters, " + llvm::Twine(request.arguments.size()) + " were given");
}

/// More shared memory than 48 KiB has to be asked for.
llvm::Error CUDADevice::optIn(LoadedModule &module, Function function,
                              const LaunchRequest &request) {
  uint32_t &optedIn = module.optedIn[request.kernel];
  constexpr uint32_t always = 48 * 1024;
  int statically = 0;
  if (auto error =
          driver->check(driver->getFunctionAttribute(
                            &statically, functionSharedBytes, function),
                        "cannot ask for the kernel's shared memory"))
    return error;
  uint64_t total = uint64_t(statically) + request.sharedBytes;
  if (total <= always || request.sharedBytes <= optedIn)
    return llvm::Error::success();
  if (total > uint64_t(maxShared))
    return llvm::createStringError(
        "kernel '" + request.kernel + "' needs " + llvm::Twine(total) +
        " bytes of shared memory, a block on this GPU has " +
        llvm::Twine(maxShared));
  if (auto error = driver->check(
          driver->setFunctionAttribute(function, functionMaxDynamicSharedBytes,
                                       request.sharedBytes),
          "cannot opt in to " + llvm::Twine(request.sharedBytes) +
              " bytes of shared memory"))
    return error;
  optedIn = request.sharedBytes;
  return llvm::Error::success();
}

llvm::Error CUDADevice::enqueue(const LaunchRequest &request) {
  auto function = getFunction(request);
  if (!function)
    return function.takeError();
  llvm::SmallVector<void *, 16> parameters;
  for (const KernelArgument &argument : request.arguments)
    parameters.push_back(const_cast<char *>(argument.getBytes().data()));
  LaunchConfig config = {};
  llvm::copy(request.grid, config.grid);
  llvm::copy(request.block, config.block);
  config.sharedBytes = request.sharedBytes;
  config.stream = stream;
  return driver->check(
      driver->launchKernel(&config, *function, parameters.data(), nullptr),
      "cannot launch kernel '" + request.kernel + "'");
}

llvm::Error CUDADevice::launch(const LaunchRequest &request) {
  if (auto error = enqueue(request))
    return error;
  return driver->check(driver->synchronize(stream),
                       "kernel '" + request.kernel + "' failed");
}

//===----------------------------------------------------------------------===//
// Timing
//===----------------------------------------------------------------------===//

/// The launches as one graph, so that what the host does between them does not
/// count.
llvm::Expected<GraphExec>
CUDADevice::capture(llvm::ArrayRef<LaunchRequest> requests) {
  if (auto error =
          driver->check(driver->beginCapture(stream, captureModeThreadLocal),
                        "cannot record a graph"))
    return std::move(error);
  llvm::Error failed = llvm::Error::success();
  for (const LaunchRequest &request : requests)
    if (!failed)
      failed = enqueue(request);
  Graph graph = nullptr;
  auto ended = driver->check(driver->endCapture(stream, &graph),
                             "cannot record a graph");
  if (failed || ended)
    return llvm::joinErrors(std::move(failed), std::move(ended));
  GraphExec exec = nullptr;
  auto error = driver->check(driver->instantiateGraph(&exec, graph, 0),
                             "cannot make a graph ready");
  driver->destroyGraph(graph);
  if (error)
    return std::move(error);
  return exec;
}

llvm::Expected<double> CUDADevice::measure(GraphExec graph,
                                           unsigned repetitions) {
  Event start = nullptr, stop = nullptr;
  auto error = driver->check(driver->createEvent(&start, 0), "no event");
  if (!error)
    error = driver->check(driver->createEvent(&stop, 0), "no event");
  // The first runs are slow: code and tables are on their way to the GPU.
  for (unsigned i = 0; i < 3 && !error; ++i)
    error = driver->check(driver->launchGraph(graph, stream),
                          "cannot launch a graph");
  std::vector<float> milliseconds(std::max(repetitions, 1u));
  for (float &one : milliseconds) {
    if (error)
      break;
    Result result = driver->recordEvent(start, stream);
    result = result ? result : driver->launchGraph(graph, stream);
    result = result ? result : driver->recordEvent(stop, stream);
    result = result ? result : driver->synchronizeEvent(stop);
    result = result ? result : driver->elapsedTime(&one, start, stop);
    error = driver->check(result, "cannot time the kernels");
  }
  if (start)
    driver->destroyEvent(start);
  if (stop)
    driver->destroyEvent(stop);
  if (error)
    return std::move(error);
  auto middle = milliseconds.begin() + milliseconds.size() / 2;
  std::nth_element(milliseconds.begin(), middle, milliseconds.end());
  return double(*middle) * 1e3;
}

llvm::Expected<double> CUDADevice::time(llvm::ArrayRef<LaunchRequest> requests,
                                        unsigned repetitions) {
  // Functions are looked up, and shared memory opted in to, before recording.
  for (const LaunchRequest &request : requests)
    if (auto error = launch(request))
      return std::move(error);
  auto graph = capture(requests);
  if (!graph)
    return graph.takeError();
  auto microseconds = measure(*graph, repetitions);
  driver->destroyGraphExec(*graph);
  return microseconds;
}
