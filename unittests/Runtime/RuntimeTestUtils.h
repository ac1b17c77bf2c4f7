//===- RuntimeTestUtils.h - What the runtime's tests share ------*- C++ -*-===//
//
// Arrays on a device, kernels from files, and findings as a test wants them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_UNITTESTS_RUNTIME_RUNTIMETESTUTILS_H
#define PRISM_UNITTESTS_RUNTIME_RUNTIMETESTUTILS_H

#include "Prism/Runtime/SimulatedDevice.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

#include <random>

namespace prism {

/// The text of an error; "" for success.
inline std::string message(llvm::Error error) {
  return error ? llvm::toString(std::move(error)) : "";
}

/// The findings of a launch; fails the test on any other error.
inline std::vector<Finding> findings(llvm::Error error) {
  std::vector<Finding> result;
  llvm::handleAllErrors(
      std::move(error),
      [&](const FindingsError &found) { result = found.getFindings().vec(); },
      [](const llvm::ErrorInfoBase &other) {
        ADD_FAILURE() << other.message();
      });
  return result;
}

inline bool has(const std::vector<Finding> &found, FindingKind kind,
                unsigned line) {
  for (const Finding &finding : found)
    if (finding.kind == kind && finding.line == line)
      return true;
  return false;
}

inline std::string readInput(llvm::StringRef name) {
  std::string path = std::string(PRISM_TEST_INPUTS) + "/" + name.str();
  auto buffer = llvm::MemoryBuffer::getFile(path);
  EXPECT_TRUE(bool(buffer)) << path;
  return buffer ? (*buffer)->getBuffer().str() : "";
}

/// The line, from 1, of the `occurrence`-th line of `text` from `after` on that
/// contains `needle`; 0 if there is none.
inline unsigned lineOf(llvm::StringRef text, llvm::StringRef after,
                       llvm::StringRef needle, unsigned occurrence = 1) {
  size_t start = text.find(after);
  while (start != llvm::StringRef::npos) {
    start = text.find(needle, start + 1);
    if (start != llvm::StringRef::npos && --occurrence == 0)
      return text.take_front(start).count('\n') + 1;
  }
  return 0;
}

template <typename T>
llvm::ArrayRef<char> asBytes(const std::vector<T> &values) {
  return {reinterpret_cast<const char *>(values.data()),
          values.size() * sizeof(T)};
}

// Narrow formats through LLVM's own arithmetic, independent of the device's.
inline uint16_t toBits(const llvm::fltSemantics &semantics, double value) {
  llvm::APFloat x(value);
  bool lost;
  x.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &lost);
  return uint16_t(x.bitcastToAPInt().getZExtValue());
}
inline double fromBits(const llvm::fltSemantics &semantics, uint16_t bits) {
  llvm::APFloat x(semantics, llvm::APInt(16, bits));
  bool lost;
  x.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
            &lost);
  return x.convertToDouble();
}

/// A device with one module.
class Fixture {
public:
  explicit Fixture(llvm::StringRef ptx, SimulationOptions options = {})
      : device(options) {
    auto loaded = device.loadModule(ptx, "test.ptx");
    if (loaded)
      module = *loaded;
    else
      loadError = llvm::toString(loaded.takeError());
  }

  DevicePtr allocate(uint64_t bytes, llvm::StringRef label = "array") {
    return llvm::cantFail(device.allocate(bytes, label));
  }
  template <typename T>
  DevicePtr upload(const std::vector<T> &values, llvm::StringRef label = "in") {
    DevicePtr ptr = allocate(values.size() * sizeof(T), label);
    llvm::cantFail(device.copyToDevice(ptr, asBytes(values)));
    return ptr;
  }
  template <typename T>
  std::vector<T> download(DevicePtr ptr, size_t count) {
    std::vector<T> values(count);
    llvm::cantFail(device.copyFromDevice(
        {reinterpret_cast<char *>(values.data()), count * sizeof(T)}, ptr));
    return values;
  }
  llvm::Error launch(llvm::StringRef kernel, Dim3 grid, Dim3 block,
                     std::vector<KernelArgument> arguments,
                     uint32_t sharedBytes = 0) {
    LaunchRequest request;
    request.module = module;
    request.kernel = kernel.str();
    request.grid = grid;
    request.block = block;
    request.arguments = std::move(arguments);
    request.sharedBytes = sharedBytes;
    return device.launch(request);
  }

  SimulatedDevice device;
  ModuleHandle module{};
  std::string loadError;
};

} // namespace prism

#endif // PRISM_UNITTESTS_RUNTIME_RUNTIMETESTUTILS_H
