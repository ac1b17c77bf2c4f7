//===- Device.h - The interface of a device that runs kernels ---*- C++ -*-===//
//
// One interface for every device that can run a PTX kernel (DESIGN.md, section
// 7): the simulated device, and a GPU behind the CUDA driver API.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_RUNTIME_DEVICE_H
#define PRISM_RUNTIME_DEVICE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace prism {

/// An address in the device's global memory. Null is never a valid address.
enum class DevicePtr : uint64_t { Null = 0 };

/// A module a device has loaded; only meaningful to the device that made it.
enum class ModuleHandle : uint32_t {};

/// Three extents or coordinates, x first.
using Dim3 = std::array<uint32_t, 3>;

/// What a device found wrong while a kernel ran.
enum class FindingKind {
  OutOfBounds,       ///< an access outside every registered array
  Misaligned,        ///< an address the access's width does not divide
  Uninitialized,     ///< a read of memory that nothing has written
  AsyncInFlight,     ///< a conflict with an operation not yet waited for
  Race,              ///< two accesses, one a write, that nothing orders
  DivergentBarrier,  ///< a barrier that not all threads concerned reach
  DivergentWarp,     ///< a warp-wide instruction that not all its lanes reach
  Deadlock,          ///< warps that wait for each other forever
  StepLimit,         ///< the kernel executed more steps than allowed
  ReadOnly,          ///< a write to constant or parameter memory
  Trap,              ///< the kernel executed `trap`
  MbarrierMisuse,    ///< an mbarrier that is not valid, or counts wrong
  MissingFence,      ///< an asynchronous operation that may miss a write
  InvalidDescriptor, ///< a tensor map or matrix descriptor that is none
  WrongSwizzle,      ///< a matrix read by another swizzle than it came by
};

/// The name printed for a kind of finding, e.g. "out-of-bounds access".
llvm::StringRef stringifyFindingKind(FindingKind kind);

/// An instruction of a kernel and the thread that executes it.
struct KernelPlace {
  std::string kernel;
  Dim3 block = {0, 0, 0};
  Dim3 thread = {0, 0, 0};
  unsigned line = 0;       ///< line of the PTX text, from 1
  std::string sourceFile;  ///< from .loc, empty without debug information
  unsigned sourceLine = 0; ///< from .loc, 0 without debug information

  /// `kernel k, block (0,0,0), thread (1,0,0), PTX line 12`.
  std::string str() const;
};

/// One fault of a kernel, with the place where it happened.
struct Finding : KernelPlace {
  FindingKind kind;
  std::string message; ///< what happened, with the values concerned

  /// `kernel k, block (0,0,0), thread (1,0,0), PTX line 12: kind: message`.
  std::string str() const;
};

/// The error a launch returns when the kernel ran but is wrong. Findings are in
/// a fixed order (by block, then by time), one per kind and PTX line.
class FindingsError : public llvm::ErrorInfo<FindingsError> {
public:
  static char ID;

  explicit FindingsError(std::vector<Finding> findings)
      : findings(std::move(findings)) {}

  llvm::ArrayRef<Finding> getFindings() const { return findings; }
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

private:
  std::vector<Finding> findings;
};

/// One kernel parameter by value: the bytes that the kernel's `.param` holds.
class KernelArgument {
public:
  static KernelArgument pointer(DevicePtr ptr) { return of(ptr); }
  static KernelArgument i32(int32_t value) { return of(value); }
  static KernelArgument i64(int64_t value) { return of(value); }
  static KernelArgument f32(float value) { return of(value); }

  /// An argument of any size, e.g. a struct or a tensor map.
  static KernelArgument raw(llvm::ArrayRef<char> bytes) {
    KernelArgument arg;
    arg.bytes.assign(bytes.begin(), bytes.end());
    return arg;
  }

  llvm::ArrayRef<char> getBytes() const { return bytes; }

private:
  template <typename T>
  static KernelArgument of(T value) {
    const char *data = reinterpret_cast<const char *>(&value);
    return raw(llvm::ArrayRef<char>(data, sizeof(T)));
  }

  llvm::SmallVector<char, 8> bytes;
};

/// Everything a launch needs.
struct LaunchRequest {
  ModuleHandle module;
  std::string kernel;
  Dim3 grid = {1, 1, 1};
  Dim3 block = {1, 1, 1};
  uint32_t sharedBytes = 0; ///< dynamic shared memory, in bytes
  std::vector<KernelArgument> arguments;
};

struct TensorMap;

/// A device: memory, modules and launches. All calls wait for their end.
class Device {
public:
  virtual ~Device();

  /// What times measured on it belong to: the model, and the driver's version.
  virtual std::string getName() const = 0;

  /// Loads PTX text (a GPU takes cubins, too). `name` appears in diagnostics.
  /// Fails with the line of the text on anything the device cannot execute.
  virtual llvm::Expected<ModuleHandle> loadModule(llvm::StringRef ptx,
                                                  llvm::StringRef name) = 0;

  /// Allocates `bytes` bytes, aligned to 256. `label` names the array in
  /// findings.
  virtual llvm::Expected<DevicePtr> allocate(uint64_t bytes,
                                             llvm::StringRef label) = 0;

  /// Frees what `allocate` returned; an error for any other address.
  virtual llvm::Error free(DevicePtr ptr) = 0;

  /// Copies host bytes to the device; the range must lie in one array.
  virtual llvm::Error copyToDevice(DevicePtr dst, llvm::ArrayRef<char> src) = 0;

  /// Copies device bytes to the host; the range must lie in one array.
  virtual llvm::Error copyFromDevice(llvm::MutableArrayRef<char> dst,
                                     DevicePtr src) = 0;

  /// How many bytes of the array that starts at `ptr` neither the host nor a
  /// kernel has written; 0 on a device that does not know.
  virtual uint64_t countUnwrittenBytes(DevicePtr ptr) const;

  /// The kernel argument that describes `map` to bulk tensor copies: 128 bytes
  /// for a `.param .align 64 .b8 x[128]`. An error if the map is not valid or
  /// the device has no such copies.
  virtual llvm::Expected<KernelArgument> makeTensorMap(const TensorMap &map);

  /// Runs a kernel to its end. A request that no device would accept is a
  /// plain error; a kernel that misbehaves is a FindingsError.
  virtual llvm::Error launch(const LaunchRequest &request) = 0;

  /// The median microseconds of `repetitions` runs of the launches in order,
  /// caches warm; what the host does is not counted. The arguments must be fit
  /// to be used again and again. An error on a device without a clock.
  virtual llvm::Expected<double> time(llvm::ArrayRef<LaunchRequest> requests,
                                      unsigned repetitions);
};

} // namespace prism

#endif // PRISM_RUNTIME_DEVICE_H
