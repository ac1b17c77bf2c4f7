//===- SimulatedDevice.h - A device that executes PTX on the CPU *- C++ -*-===//
//
// Runs the very PTX text that ships, with the checks a GPU does not make
// (DESIGN.md, section 7). Warps execute in lockstep, one decoded instruction
// for all active lanes at a time; blocks are spread over host threads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_RUNTIME_SIMULATEDDEVICE_H
#define PRISM_RUNTIME_SIMULATEDDEVICE_H

#include "Prism/Runtime/Device.h"

#include <memory>
#include <optional>

namespace prism {

/// The order in which blocks, and the warps of a block, get their turns. A
/// kernel that gives different results in the two orders lacks a barrier.
enum class ScheduleOrder { Forward, Reverse };

/// Bytes of an array of global memory.
struct WatchedBytes {
  std::string array; ///< its label; the newest array of that label
  uint64_t offset = 0, bytes = 1;
};

/// How a simulated device behaves. Bounds and alignment are always checked.
struct SimulationOptions {
  ScheduleOrder blockOrder = ScheduleOrder::Forward;
  ScheduleOrder warpOrder = ScheduleOrder::Forward;
  bool checkUninitialized = true;
  /// Races between the threads of a block on shared memory, and between blocks
  /// on global memory that the host did not fill; copies in flight. Kernels
  /// with atomics or fences are not checked for races between blocks.
  bool checkRaces = true;
  /// Most steps of one block; a step is one instruction of one warp.
  uint64_t stepLimit = uint64_t(1) << 32;
  /// Host threads to run blocks on; 0 means one per core.
  unsigned threads = 0;
  /// Bytes of global memory; 0 means a quarter of the host's, 64 GiB at most,
  /// since what is known of each byte takes memory too.
  uint64_t memoryBytes = 0;
  /// The blocks that launches run, by their linear index (x fastest), each
  /// once; empty: all.
  std::vector<uint64_t> blocks;
  /// Most findings of one block that are kept.
  unsigned maxFindings = 32;
  /// Bytes whose last write is wanted: where a wrong result came from.
  std::optional<WatchedBytes> watch;
};

/// Work done by the launches of a device since it was made.
struct SimulationStatistics {
  uint64_t launches = 0;
  uint64_t blocks = 0;
  /// Instructions executed, each for a whole warp; a wgmma counts as the
  /// mma.sync that would do the same.
  uint64_t warpSteps = 0;
};

/// A simulated device. Memory it hands out is filled with 0xFF bytes, which
/// are NaN in every float format, and counts as uninitialized until written.
class SimulatedDevice : public Device {
public:
  explicit SimulatedDevice(SimulationOptions options = {});
  ~SimulatedDevice() override;

  std::string getName() const override { return "simulated device"; }
  llvm::Expected<ModuleHandle> loadModule(llvm::StringRef ptx,
                                          llvm::StringRef name) override;
  llvm::Expected<DevicePtr> allocate(uint64_t bytes,
                                     llvm::StringRef label) override;
  llvm::Error free(DevicePtr ptr) override;
  llvm::Error copyToDevice(DevicePtr dst, llvm::ArrayRef<char> src) override;
  llvm::Error copyFromDevice(llvm::MutableArrayRef<char> dst,
                             DevicePtr src) override;
  uint64_t countUnwrittenBytes(DevicePtr ptr) const override;
  llvm::Expected<KernelArgument> makeTensorMap(const TensorMap &map) override;
  llvm::Error launch(const LaunchRequest &request) override;

  /// Options may change between launches.
  SimulationOptions &getOptions();
  const SimulationStatistics &getStatistics() const;

  /// The last write to the watched bytes by a kernel, in the order of launches,
  /// blocks and time; nothing if there was none.
  const std::optional<KernelPlace> &getLastWrite() const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace prism

#endif // PRISM_RUNTIME_SIMULATEDDEVICE_H
