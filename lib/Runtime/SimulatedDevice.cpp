//===- SimulatedDevice.cpp - A device that executes PTX on the CPU --------===//
//
// Memory, modules and launches of the simulated device; blocks are handed to
// host threads one at a time. Findings are ordered by block, so they do not
// depend on the threads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Runtime/SimulatedDevice.h"

#include "Decoder.h"
#include "Interpreter.h"
#include "TensorBox.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Threading.h"

#include <atomic>
#include <thread>

#include <unistd.h>

using namespace prism;

namespace {
struct LoadedModule {
  PTXModule ptx;
  std::vector<Program> programs;
};
} // namespace

struct SimulatedDevice::Impl {
  SimulationOptions options;
  SimulationStatistics statistics;
  std::optional<KernelPlace> lastWrite;
  GlobalMemory memory;
  std::vector<std::unique_ptr<LoadedModule>> modules;

  llvm::Expected<Allocation *> allocate(uint64_t bytes, llvm::StringRef label);
  llvm::Error allocateVariables(const PTXModule &module,
                                llvm::StringMap<uint64_t> &addresses);
  llvm::Error checkRequest(const LoadedModule &loaded, const Program &program,
                           const LaunchRequest &request);
  llvm::Error checkPointer(const PTXVariable &parameter, unsigned number,
                           llvm::ArrayRef<char> bytes);
  llvm::Error runBlocks(LaunchContext &context);
  llvm::Error runWatched(LaunchContext &context);
};

SimulatedDevice::SimulatedDevice(SimulationOptions options)
    : impl(std::make_unique<Impl>()) {
  impl->options = options;
}
SimulatedDevice::~SimulatedDevice() = default;

SimulationOptions &SimulatedDevice::getOptions() { return impl->options; }
const SimulationStatistics &SimulatedDevice::getStatistics() const {
  return impl->statistics;
}
const std::optional<KernelPlace> &SimulatedDevice::getLastWrite() const {
  return impl->lastWrite;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static uint64_t getDefaultMemory() {
  uint64_t pages = std::max<int64_t>(sysconf(_SC_PHYS_PAGES), 0);
  uint64_t pageBytes = std::max<int64_t>(sysconf(_SC_PAGESIZE), 0);
  constexpr uint64_t unknown = uint64_t(1) << 32, most = uint64_t(1) << 36;
  return pages && pageBytes ? std::min(pages * pageBytes / 4, most) : unknown;
}

/// Refuses what the host could not hold.
llvm::Expected<Allocation *>
SimulatedDevice::Impl::allocate(uint64_t bytes, llvm::StringRef label) {
  uint64_t limit =
      options.memoryBytes ? options.memoryBytes : getDefaultMemory();
  uint64_t used = memory.getUsedBytes();
  if (used > limit || bytes > limit - used)
    return llvm::createStringError(
        "cannot allocate " + llvm::Twine(bytes) + " bytes for '" + label +
        "': the simulated device has " + llvm::Twine(limit) +
        " bytes of memory, " + llvm::Twine(used) + " in use");
  return &memory.allocate(bytes, label);
}

llvm::Expected<DevicePtr> SimulatedDevice::allocate(uint64_t bytes,
                                                    llvm::StringRef label) {
  auto array = impl->allocate(bytes, label);
  if (!array)
    return array.takeError();
  return DevicePtr((*array)->base);
}

llvm::Error SimulatedDevice::free(DevicePtr ptr) {
  if (impl->memory.free(uint64_t(ptr)))
    return llvm::Error::success();
  return llvm::createStringError("0x" + llvm::utohexstr(uint64_t(ptr)) +
                                 " is not the start of a device array");
}

static llvm::Expected<Allocation *> findRange(const GlobalMemory &memory,
                                              DevicePtr ptr, uint64_t bytes) {
  Allocation *array = memory.find(uint64_t(ptr));
  if (array && array->contains(uint64_t(ptr), bytes))
    return array;
  return llvm::createStringError(
      "a copy of " + llvm::Twine(bytes) + " bytes at 0x" +
      llvm::utohexstr(uint64_t(ptr)) + " is not inside one device array");
}

llvm::Error SimulatedDevice::copyToDevice(DevicePtr dst,
                                          llvm::ArrayRef<char> src) {
  if (src.empty())
    return llvm::Error::success();
  auto array = findRange(impl->memory, dst, src.size());
  if (!array)
    return array.takeError();
  uint64_t offset = uint64_t(dst) - (*array)->base;
  std::memcpy((*array)->data.data() + offset, src.data(), src.size());
  std::memset((*array)->shadow.data() + offset, shadowWritten, src.size());
  if (src.size() == (*array)->bytes)
    (*array)->fullyWritten = true;
  return llvm::Error::success();
}

llvm::Error SimulatedDevice::copyFromDevice(llvm::MutableArrayRef<char> dst,
                                            DevicePtr src) {
  if (dst.empty())
    return llvm::Error::success();
  auto array = findRange(impl->memory, src, dst.size());
  if (!array)
    return array.takeError();
  uint64_t offset = uint64_t(src) - (*array)->base;
  std::memcpy(dst.data(), (*array)->data.data() + offset, dst.size());
  return llvm::Error::success();
}

llvm::Expected<KernelArgument>
SimulatedDevice::makeTensorMap(const TensorMap &map) {
  if (auto error = map.verify())
    return std::move(error);
  const Allocation *array = impl->memory.find(uint64_t(map.base));
  uint64_t bytes = map.getArrayBytes();
  if (!array || !array->contains(uint64_t(map.base), bytes))
    return llvm::createStringError("tensor map: its " + llvm::Twine(bytes) +
                                   " bytes at 0x" +
                                   llvm::utohexstr(uint64_t(map.base)) +
                                   " are not inside one device array");
  return encodeTensorMap(map);
}

uint64_t SimulatedDevice::countUnwrittenBytes(DevicePtr ptr) const {
  const Allocation *array = impl->memory.find(uint64_t(ptr));
  return array ? llvm::count(array->shadow, shadowUnwritten) : 0;
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// `name:line: error: ...`, as the parser writes it.
static llvm::Error failAt(const PTXModule &module, const PTXVariable &variable,
                          const llvm::Twine &what) {
  return llvm::createStringError(
      llvm::Twine(module.text->getBufferIdentifier()) + ":" +
      llvm::Twine(variable.line) + ": error: " + what);
}

/// Global and constant variables with their initial values; `addresses` by
/// name. Of a module that is refused they stay, since what was loaded stays
/// until the device goes.
llvm::Error
SimulatedDevice::Impl::allocateVariables(const PTXModule &module,
                                         llvm::StringMap<uint64_t> &addresses) {
  llvm::SmallVector<std::pair<const PTXVariable *, Allocation *>> arrays;
  for (const PTXVariable &variable : module.variables) {
    if (variable.space == PTXSpace::Shared)
      continue;
    if (variable.isExtern)
      return failAt(module, variable,
                    "extern variable '" + variable.name +
                        "' has no definition in this module");
    auto array = allocate(variable.bytes, variable.name);
    if (!array)
      return failAt(module, variable, llvm::toString(array.takeError()));
    // Variables without an initializer start as zeros.
    llvm::fill((*array)->data, 0);
    llvm::copy(variable.initializer, (*array)->data.begin());
    llvm::fill((*array)->shadow, shadowWritten);
    (*array)->fullyWritten = true;
    (*array)->readOnly = variable.space == PTXSpace::Const;
    if (!addresses.try_emplace(variable.name, (*array)->base).second)
      return failAt(module, variable,
                    "variable '" + variable.name + "' is defined twice");
    arrays.push_back({&variable, *array});
  }
  for (auto [variable, array] : arrays) {
    for (const PTXVariable::Relocation &relocation : variable->relocations) {
      auto it = addresses.find(relocation.symbol);
      if (it == addresses.end())
        return failAt(module, *variable,
                      "'" + relocation.symbol +
                          "' is not a variable of this module");
      uint64_t address = it->second + relocation.addend;
      std::memcpy(array->data.data() + relocation.offset, &address, 8);
    }
  }
  return llvm::Error::success();
}

llvm::Expected<ModuleHandle> SimulatedDevice::loadModule(llvm::StringRef ptx,
                                                         llvm::StringRef name) {
  if (ptx.starts_with("\x7f"
                      "ELF"))
    return llvm::createStringError(name + ": a cubin, the simulated device "
                                          "needs PTX: compile with emit=ptx");
  auto parsed = parsePTX(ptx, name);
  if (!parsed)
    return parsed.takeError();
  auto loaded = std::make_unique<LoadedModule>();
  loaded->ptx = std::move(*parsed);
  llvm::StringMap<uint64_t> globals;
  if (auto error = impl->allocateVariables(loaded->ptx, globals))
    return std::move(error);
  for (const PTXKernel &kernel : loaded->ptx.kernels) {
    auto program = Decoder(loaded->ptx, kernel, globals).run();
    if (!program)
      return program.takeError();
    loaded->programs.push_back(std::move(*program));
  }
  impl->modules.push_back(std::move(loaded));
  return ModuleHandle(impl->modules.size() - 1);
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// The most shared memory a block can opt in to, in bytes (CUDA C++ Programming
/// Guide, technical specifications per compute capability).
static uint32_t sharedLimit(llvm::StringRef target) {
  constexpr uint32_t kib = 1024;
  return llvm::StringSwitch<uint32_t>(target.take_front(5))
      .Cases({"sm_80", "sm_87"}, 163 * kib)
      .Cases({"sm_86", "sm_89", "sm_12"}, 99 * kib)
      .Cases({"sm_70", "sm_72"}, 96 * kib)
      .Case("sm_75", 64 * kib)
      .Default(227 * kib);
}

static std::string str(const Dim3 &dims) {
  return "(" + std::to_string(dims[0]) + ", " + std::to_string(dims[1]) + ", " +
         std::to_string(dims[2]) + ")";
}

/// What the host needs to run a block; far more than any GPU's registers.
static llvm::Error checkRegisters(const Program &program, uint64_t threads) {
  constexpr uint64_t mostBytes = uint64_t(1) << 30;
  uint64_t warps = llvm::divideCeil(threads, uint64_t(warpSize));
  uint64_t bytes =
      warps * (program.registerBytes + program.localBytes * warpSize);
  if (bytes <= mostBytes)
    return llvm::Error::success();
  return llvm::createStringError(
      "kernel '" + program.name + "': a block needs " + llvm::Twine(bytes) +
      " bytes of registers and local memory, the simulated device has " +
      llvm::Twine(mostBytes));
}

static llvm::Error checkShape(const Program &program,
                              const LaunchRequest &request) {
  const Dim3 &block = request.block, &grid = request.grid;
  uint64_t threads = uint64_t(block[0]) * block[1] * block[2];
  if (threads == 0 || threads > 1024 || block[0] > 1024 || block[1] > 1024 ||
      block[2] > 64)
    return llvm::createStringError("kernel '" + program.name +
                                   "': a block of " + str(block) +
                                   " threads is not between 1 and 1024");
  if (auto error = checkRegisters(program, threads))
    return error;
  if (!grid[0] || !grid[1] || !grid[2] || grid[0] > INT32_MAX ||
      grid[1] > 65535 || grid[2] > 65535)
    return llvm::createStringError(
        "kernel '" + program.name + "': a grid of " + str(grid) +
        " blocks is not within (2147483647, 65535, 65535) and not empty");
  if (program.reqntid && *program.reqntid != block)
    return llvm::createStringError(
        "kernel '" + program.name + "' was compiled for blocks of " +
        str(*program.reqntid) + " threads, not " + str(block));
  if (program.maxntid) {
    const Dim3 &most = *program.maxntid;
    if (threads > uint64_t(most[0]) * most[1] * most[2])
      return llvm::createStringError("kernel '" + program.name +
                                     "' was compiled for at most " + str(most) +
                                     " threads a block, not " + str(block));
  }
  return llvm::Error::success();
}

/// A parameter that is declared as a pointer must point into an array, aligned
/// as declared.
llvm::Error SimulatedDevice::Impl::checkPointer(const PTXVariable &parameter,
                                                unsigned number,
                                                llvm::ArrayRef<char> bytes) {
  if (!parameter.isPointer || parameter.pointerSpace != PTXSpace::Global ||
      bytes.size() != 8)
    return llvm::Error::success();
  uint64_t address;
  std::memcpy(&address, bytes.data(), 8);
  std::string text = "parameter " + std::to_string(number) + " ('" +
                     parameter.name.str() + "')";
  if (address == 0)
    return llvm::createStringError(text + " is a null pointer");
  const Allocation *below = memory.nearestBelow(address);
  if (!memory.find(address) && !(below && below->base == address))
    return llvm::createStringError(text + " points to no device array: 0x" +
                                   llvm::utohexstr(address));
  if (address % parameter.pointerAlign)
    return llvm::createStringError(text + " is declared to be aligned to " +
                                   llvm::Twine(parameter.pointerAlign) +
                                   " bytes, but is 0x" +
                                   llvm::utohexstr(address));
  return llvm::Error::success();
}

llvm::Error SimulatedDevice::Impl::checkRequest(const LoadedModule &loaded,
                                                const Program &program,
                                                const LaunchRequest &request) {
  if (auto error = checkShape(program, request))
    return error;
  if (request.arguments.size() != program.parameters.size())
    return llvm::createStringError(
        "kernel '" + program.name + "' takes " +
        llvm::Twine(program.parameters.size()) + " parameters, " +
        llvm::Twine(request.arguments.size()) + " were given");
  for (unsigned i = 0; i < program.parameters.size(); ++i) {
    auto bytes = request.arguments[i].getBytes();
    if (bytes.size() != program.parameters[i].bytes)
      return llvm::createStringError(
          "parameter " + llvm::Twine(i) + " of kernel '" + program.name +
          "' has " + llvm::Twine(program.parameters[i].bytes) + " bytes, " +
          llvm::Twine(bytes.size()) + " were given");
    if (auto error = checkPointer(program.parameters[i], i, bytes))
      return llvm::joinErrors(
          llvm::createStringError("kernel '" + program.name + "':"),
          std::move(error));
  }
  uint64_t shared = program.staticSharedBytes + request.sharedBytes;
  if (shared > sharedLimit(loaded.ptx.target))
    return llvm::createStringError(
        "kernel '" + program.name + "' needs " + llvm::Twine(shared) +
        " bytes of shared memory, a block on " + loaded.ptx.target + " has " +
        llvm::Twine(sharedLimit(loaded.ptx.target)));
  return llvm::Error::success();
}

namespace {
/// A finding with the block it is from and its number among that block's.
struct FoundAt {
  uint64_t block;
  size_t number;
  Finding finding;
};
} // namespace

/// One finding per kind and PTX line, in the order of blocks and, within a
/// block, of time: the first is the one to look at.
static std::vector<Finding> mergeFindings(std::vector<FoundAt> found) {
  llvm::sort(found, [](const FoundAt &a, const FoundAt &b) {
    return std::tie(a.block, a.number) < std::tie(b.block, b.number);
  });
  std::vector<Finding> merged;
  for (FoundAt &entry : found)
    if (llvm::none_of(merged, [&](const Finding &known) {
          return known.kind == entry.finding.kind &&
                 known.line == entry.finding.line;
        }))
      merged.push_back(std::move(entry.finding));
  return merged;
}

llvm::Error SimulatedDevice::Impl::runBlocks(LaunchContext &context) {
  llvm::ArrayRef<uint64_t> chosen = options.blocks;
  uint64_t total = chosen.empty() ? uint64_t(context.grid[0]) *
                                        context.grid[1] * context.grid[2]
                                  : chosen.size();
  std::atomic<uint64_t> next{0}, steps{0}, faultyBlocks{0};
  std::mutex findingsMutex;
  std::vector<FoundAt> found;
  bool reverse = options.blockOrder == ScheduleOrder::Reverse;
  bool track = options.checkRaces && total > 1 && !context.program.ordersBlocks;
  memory.trackBlocks(track ? context.program.globalGranule : 0);
  // A kernel that is wrong everywhere need not be run everywhere.
  constexpr uint64_t mostFaultyBlocks = 64;
  auto work = [&] {
    BlockRunner runner(context);
    for (uint64_t i; (i = next++) < total;) {
      if (faultyBlocks >= mostFaultyBlocks)
        break;
      uint64_t index = reverse ? total - 1 - i : i;
      if (!chosen.empty())
        index = chosen[index];
      Dim3 position = {uint32_t(index % context.grid[0]),
                       uint32_t(index / context.grid[0] % context.grid[1]),
                       uint32_t(index / context.grid[0] / context.grid[1])};
      runner.run(position);
      steps += runner.getSteps();
      std::vector<Finding> findings = runner.takeFindings();
      if (findings.empty())
        continue;
      ++faultyBlocks;
      std::lock_guard<std::mutex> lock(findingsMutex);
      for (size_t number = 0; number < findings.size(); ++number)
        found.push_back({index, number, std::move(findings[number])});
    }
  };
  unsigned count = options.threads
                       ? options.threads
                       : llvm::hardware_concurrency().compute_thread_count();
  count = std::min<uint64_t>(count, total);
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < count; ++i)
    threads.emplace_back(work);
  work();
  for (std::thread &thread : threads)
    thread.join();
  ++statistics.launches;
  statistics.blocks += std::min<uint64_t>(next, total);
  statistics.warpSteps += steps;
  if (found.empty())
    return llvm::Error::success();
  return llvm::make_error<FindingsError>(mergeFindings(std::move(found)));
}

llvm::Error SimulatedDevice::Impl::runWatched(LaunchContext &context) {
  const Allocation *array =
      options.watch ? memory.findNewest(options.watch->array) : nullptr;
  if (!array)
    return runBlocks(context);
  WriteWatch watch(array->base + options.watch->offset, options.watch->bytes);
  context.watch = &watch;
  llvm::Error error = runBlocks(context);
  if (watch.last)
    lastWrite = std::move(watch.last);
  return error;
}

llvm::Error SimulatedDevice::launch(const LaunchRequest &request) {
  if (uint32_t(request.module) >= impl->modules.size())
    return llvm::createStringError("no such module on this device");
  const LoadedModule &loaded = *impl->modules[uint32_t(request.module)];
  const Program *program = nullptr;
  for (const Program &candidate : loaded.programs)
    if (candidate.name == request.kernel)
      program = &candidate;
  if (!program) {
    std::string known;
    for (const Program &candidate : loaded.programs)
      known += (known.empty() ? "" : ", ") + candidate.name;
    return llvm::createStringError("the module has no kernel '" +
                                   request.kernel + "'; it has: " + known);
  }
  if (auto error = impl->checkRequest(loaded, *program, request))
    return error;
  uint64_t blocks =
      uint64_t(request.grid[0]) * request.grid[1] * request.grid[2];
  for (uint64_t block : impl->options.blocks)
    if (block >= blocks)
      return llvm::createStringError("block " + llvm::Twine(block) +
                                     " is to run, of a grid of " +
                                     llvm::Twine(blocks));
  std::vector<char> parameters(program->parameterBytes);
  for (auto [parameter, argument] :
       llvm::zip(program->parameters, request.arguments))
    llvm::copy(argument.getBytes(), parameters.begin() + parameter.offset);
  LaunchContext context{
      *program,     loaded.ptx,    impl->memory,        impl->options,
      request.grid, request.block, request.sharedBytes, std::move(parameters),
      {},           nullptr};
  return impl->runWatched(context);
}
