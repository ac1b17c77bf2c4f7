//===- HostMemory.h - Buffers of the host, staged on a device ---*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_EXECUTION_HOSTMEMORY_H
#define PRISM_LIB_EXECUTION_HOSTMEMORY_H

#include "Prism/Runtime/Device.h"

#include <cstdlib>
#include <map>
#include <memory>

namespace prism {

/// The buffers of a run. Each has host memory, and device memory from the first
/// launch on that is given it; bytes move only when the other side has newer
/// ones and this side is about to look. So what only kernels touch stays on the
/// device, and what nothing on the host has written counts as uninitialized
/// there.
class HostMemory {
public:
  HostMemory(Device &device, bool checkWritten)
      : device(device), checkWritten(checkWritten) {}
  ~HostMemory();
  HostMemory(const HostMemory &) = delete;

  /// Host memory for `bytes` bytes, aligned to 64; `label` names it in
  /// findings. Null where there is not so much memory.
  char *allocate(uint64_t bytes, llvm::StringRef label);

  /// Gives the buffer at `ptr` back, here and on the device; an error if there
  /// is none.
  llvm::Error free(const char *ptr);

  /// Makes the host's bytes of the buffer at `ptr` the newest there are. With
  /// `read`, bytes that a kernel should have written but did not are an error;
  /// with `write`, the device's copy is out of date from now on.
  llvm::Error accessOnHost(const char *ptr, bool read, bool write);

  /// The device address of `ptr`, whose buffer is brought up to date there.
  /// Memory that `allocate` does not know (a constant of the module, say) is
  /// taken for a buffer of `bytes` bytes.
  llvm::Expected<DevicePtr> stage(char *ptr, uint64_t bytes);

  /// A kernel that was given `ptr` has run: the device's bytes are the newest.
  void markLaunched(const char *ptr);

private:
  struct Free {
    void operator()(char *bytes) const { std::free(bytes); }
  };
  struct Buffer {
    char *data = nullptr;
    uint64_t bytes = 0;
    std::string label;
    std::unique_ptr<char, Free> storage; ///< none for foreign memory
    DevicePtr device = DevicePtr::Null;
    bool hostHasData = false;    ///< something on the host wrote it
    bool deviceIsStale = true;   ///< the host's bytes are newer
    bool deviceIsNewest = false; ///< the device's bytes are newer
  };

  Buffer *find(const char *ptr);
  llvm::Error download(Buffer &buffer, bool check);

  Device &device;
  bool checkWritten;
  std::map<const char *, Buffer> buffers; ///< by address
};

} // namespace prism

#endif // PRISM_LIB_EXECUTION_HOSTMEMORY_H
