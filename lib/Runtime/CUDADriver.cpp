//===- CUDADriver.cpp - Loading libcuda.so.1 ------------------------------===//
//
// Finds the driver and its functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CUDADriver.h"

#include "llvm/ADT/Twine.h"

#include <dlfcn.h>

using namespace prism;
using namespace prism::cuda;

llvm::Expected<std::unique_ptr<Driver>> Driver::load() {
  // Never closed: the driver starts threads.
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *why = dlerror();
    return llvm::createStringError(
        llvm::Twine("there is no CUDA driver on this machine (") +
        (why ? why : "libcuda.so.1 was not found") +
        "); use the simulated device (sim)");
  }
  auto driver = std::make_unique<Driver>();
  const char *missing = nullptr;
  auto find = [&](auto &function, const char *name, bool isNeeded) {
    function = reinterpret_cast<std::decay_t<decltype(function)>>(
        dlsym(library, name));
    if (!function && isNeeded && !missing)
      missing = name;
  };
#define PRISM_CUDA_FIND(NAME, SYMBOL, PARAMETERS)                              \
  find(driver->NAME, SYMBOL, /*isNeeded=*/true);
  PRISM_CUDA_FUNCTIONS(PRISM_CUDA_FIND)
#undef PRISM_CUDA_FIND
  find(driver->getParameter, "cuFuncGetParamInfo", /*isNeeded=*/false);
  find(driver->encodeTensorMap, "cuTensorMapEncodeTiled", /*isNeeded=*/false);
  if (missing)
    return llvm::createStringError(
        llvm::Twine("the CUDA driver has no '") + missing +
        "'; a driver of CUDA 11.8 or newer is needed");
  if (auto error = driver->check(driver->init(0), "cannot start the driver"))
    return std::move(error);
  return driver;
}

llvm::Error Driver::check(Result result, const llvm::Twine &what) const {
  if (result == 0)
    return llvm::Error::success();
  const char *name = nullptr, *text = nullptr;
  getErrorName(result, &name);
  getErrorString(result, &text);
  return llvm::createStringError(
      what + ": " + (name ? name : "error " + std::to_string(result)) +
      (text ? std::string(": ") + text : ""));
}
