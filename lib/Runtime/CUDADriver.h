//===- CUDADriver.h - The functions of libcuda.so.1 that we call -*- C++
//-*-===//
//
// Declarations after the CUDA Driver API reference, so that no toolkit is
// needed to build.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_RUNTIME_CUDADRIVER_H
#define PRISM_LIB_RUNTIME_CUDADRIVER_H

#include "llvm/Support/Error.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace prism {
namespace cuda {

using Result = int; ///< 0 is success
using DeviceOrdinal = int;
using Pointer = uint64_t;
struct ContextStorage;
struct ModuleStorage;
struct FunctionStorage;
struct StreamStorage;
struct EventStorage;
struct GraphStorage;
struct GraphExecStorage;
using Context = ContextStorage *;
using Module = ModuleStorage *;
using Function = FunctionStorage *;
using Stream = StreamStorage *;
using Event = EventStorage *;
using Graph = GraphStorage *;
using GraphExec = GraphExecStorage *;

/// CUlaunchConfig.
struct LaunchConfig {
  unsigned grid[3], block[3];
  unsigned sharedBytes;
  Stream stream;
  void *attributes;
  unsigned numAttributes;
};

enum : int {
  deviceComputeCapabilityMajor = 75,
  deviceComputeCapabilityMinor = 76,
  deviceMaxSharedPerBlockOptin = 97,
  functionSharedBytes = 1,
  functionMaxDynamicSharedBytes = 8,
  streamNonBlocking = 1,
  captureModeThreadLocal = 1,
  jitErrorLogBuffer = 5,
  jitErrorLogBufferBytes = 6,
  interleaveNone = 0,
  l2Promotion128 = 2,
};

/// CUtensorMap.
struct alignas(64) EncodedTensorMap {
  char bytes[128];
};

// X(name here, symbol, parameters); those that no driver since CUDA 11.8 lacks.
#define PRISM_CUDA_FUNCTIONS(X)                                                \
  X(init, "cuInit", (unsigned))                                                \
  X(getErrorName, "cuGetErrorName", (Result, const char **))                   \
  X(getErrorString, "cuGetErrorString", (Result, const char **))               \
  X(deviceGetCount, "cuDeviceGetCount", (int *))                               \
  X(deviceGet, "cuDeviceGet", (DeviceOrdinal *, int))                          \
  X(deviceGetName, "cuDeviceGetName", (char *, int, DeviceOrdinal))            \
  X(driverGetVersion, "cuDriverGetVersion", (int *))                           \
  X(deviceGetAttribute, "cuDeviceGetAttribute", (int *, int, DeviceOrdinal))   \
  X(retainContext, "cuDevicePrimaryCtxRetain", (Context *, DeviceOrdinal))     \
  X(releaseContext, "cuDevicePrimaryCtxRelease_v2", (DeviceOrdinal))           \
  X(setContext, "cuCtxSetCurrent", (Context))                                  \
  X(loadModule, "cuModuleLoadDataEx",                                          \
    (Module *, const void *, unsigned, int *, void **))                        \
  X(unloadModule, "cuModuleUnload", (Module))                                  \
  X(getFunction, "cuModuleGetFunction", (Function *, Module, const char *))    \
  X(getFunctionAttribute, "cuFuncGetAttribute", (int *, int, Function))        \
  X(setFunctionAttribute, "cuFuncSetAttribute", (Function, int, int))          \
  X(launchKernel, "cuLaunchKernelEx",                                          \
    (const LaunchConfig *, Function, void **, void **))                        \
  X(allocate, "cuMemAlloc_v2", (Pointer *, size_t))                            \
  X(free, "cuMemFree_v2", (Pointer))                                           \
  X(copyToDevice, "cuMemcpyHtoD_v2", (Pointer, const void *, size_t))          \
  X(copyFromDevice, "cuMemcpyDtoH_v2", (void *, Pointer, size_t))              \
  X(createStream, "cuStreamCreate", (Stream *, unsigned))                      \
  X(destroyStream, "cuStreamDestroy_v2", (Stream))                             \
  X(synchronize, "cuStreamSynchronize", (Stream))                              \
  X(createEvent, "cuEventCreate", (Event *, unsigned))                         \
  X(destroyEvent, "cuEventDestroy_v2", (Event))                                \
  X(recordEvent, "cuEventRecord", (Event, Stream))                             \
  X(synchronizeEvent, "cuEventSynchronize", (Event))                           \
  X(elapsedTime, "cuEventElapsedTime", (float *, Event, Event))                \
  X(beginCapture, "cuStreamBeginCapture_v2", (Stream, int))                    \
  X(endCapture, "cuStreamEndCapture", (Stream, Graph *))                       \
  X(instantiateGraph, "cuGraphInstantiateWithFlags",                           \
    (GraphExec *, Graph, unsigned long long))                                  \
  X(launchGraph, "cuGraphLaunch", (GraphExec, Stream))                         \
  X(destroyGraph, "cuGraphDestroy", (Graph))                                   \
  X(destroyGraphExec, "cuGraphExecDestroy", (GraphExec))

/// The driver. It stays loaded until the process ends.
struct Driver {
#define PRISM_CUDA_MEMBER(NAME, SYMBOL, PARAMETERS)                            \
  Result(*NAME) PARAMETERS = nullptr;
  PRISM_CUDA_FUNCTIONS(PRISM_CUDA_MEMBER)
#undef PRISM_CUDA_MEMBER
  /// Since CUDA 12.4; null before.
  Result (*getParameter)(Function, size_t index, size_t *offset,
                         size_t *bytes) = nullptr;

  /// Since CUDA 12.0; null before. `swizzle`: 0 to 3 for 0, 32, 64, 128 bytes.
  Result (*encodeTensorMap)(EncodedTensorMap *, int type, uint32_t rank,
                            void *base, const uint64_t *extents,
                            const uint64_t *strides, const uint32_t *box,
                            const uint32_t *elementStrides, int interleave,
                            int swizzle, int l2Promotion,
                            int fillWithNaN) = nullptr;

  /// Loads libcuda.so.1, finds the functions and initializes it.
  static llvm::Expected<std::unique_ptr<Driver>> load();

  /// Success, or an error of the form `what: CUDA_ERROR_X: description`.
  llvm::Error check(Result result, const llvm::Twine &what) const;
};

} // namespace cuda
} // namespace prism

#endif // PRISM_LIB_RUNTIME_CUDADRIVER_H
