//===- CUDADevice.h - A GPU behind the CUDA driver API ----------*- C++ -*-===//
//
// Needs nothing of a CUDA toolkit: the driver's library is loaded when the
// device is made. PTX is compiled by the driver; a cubin is taken as it is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_RUNTIME_CUDADEVICE_H
#define PRISM_RUNTIME_CUDADEVICE_H

#include "Prism/Runtime/Device.h"

#include <memory>

namespace prism {

/// The GPU of this number, in its primary context, with a stream of its own.
/// Fails where there is no driver (libcuda.so.1), one that is too old, or no
/// such GPU. Use it on one thread at a time.
llvm::Expected<std::unique_ptr<Device>> createCUDADevice(unsigned ordinal = 0);

} // namespace prism

#endif // PRISM_RUNTIME_CUDADEVICE_H
