//===- HostMemory.cpp - Buffers of the host, staged on a device -----------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostMemory.h"

#include "llvm/Support/MathExtras.h"

using namespace prism;

HostMemory::~HostMemory() {
  for (auto &entry : buffers)
    if (entry.second.device != DevicePtr::Null)
      llvm::consumeError(device.free(entry.second.device));
}

char *HostMemory::allocate(uint64_t bytes, llvm::StringRef label) {
  constexpr uint64_t alignment = 64;
  Buffer buffer;
  // Never nothing, so that each buffer has an address of its own; a gap behind
  // it keeps its end apart from the next buffer's start.
  // Not new, which ends the process where there is not that much.
  buffer.storage.reset(static_cast<char *>(std::malloc(bytes + 2 * alignment)));
  if (!buffer.storage)
    return nullptr;
  buffer.data = reinterpret_cast<char *>(llvm::alignTo(
      reinterpret_cast<uintptr_t>(buffer.storage.get()), alignment));
  buffer.bytes = bytes;
  buffer.label = label.str();
  char *data = buffer.data;
  buffers[data] = std::move(buffer);
  return data;
}

llvm::Error HostMemory::free(const char *ptr) {
  auto it = buffers.find(ptr);
  if (it == buffers.end() || !it->second.storage)
    return llvm::createStringError(
        "a buffer is freed that is not allocated, or freed already");
  DevicePtr onDevice = it->second.device;
  buffers.erase(it);
  return onDevice == DevicePtr::Null ? llvm::Error::success()
                                     : device.free(onDevice);
}

HostMemory::Buffer *HostMemory::find(const char *ptr) {
  auto it = buffers.upper_bound(ptr);
  if (it == buffers.begin())
    return nullptr;
  Buffer &buffer = std::prev(it)->second;
  // The end is taken for inside: a view of no elements may start there.
  return ptr <= buffer.data + buffer.bytes ? &buffer : nullptr;
}

llvm::Error HostMemory::download(Buffer &buffer, bool check) {
  if (!buffer.deviceIsNewest)
    return llvm::Error::success();
  buffer.deviceIsNewest = false;
  if (!buffer.bytes)
    return llvm::Error::success();
  if (uint64_t missing = check ? device.countUnwrittenBytes(buffer.device) : 0)
    return llvm::createStringError(
        "'" + buffer.label + "' has " + llvm::Twine(missing) +
        " bytes that no kernel has written, and the host reads it");
  return device.copyFromDevice({buffer.data, size_t(buffer.bytes)},
                               buffer.device);
}

llvm::Error HostMemory::accessOnHost(const char *ptr, bool read, bool write) {
  Buffer *buffer = find(ptr);
  if (!buffer)
    return llvm::Error::success(); // no launch has seen it
  if (auto error = download(*buffer, read && checkWritten))
    return error;
  if (write)
    buffer->hostHasData = buffer->deviceIsStale = true;
  return llvm::Error::success();
}

llvm::Expected<DevicePtr> HostMemory::stage(char *ptr, uint64_t bytes) {
  Buffer *buffer = find(ptr);
  if (!buffer) {
    buffer = &buffers[ptr];
    buffer->data = ptr;
    buffer->bytes = bytes;
    buffer->label = "constant";
    buffer->hostHasData = true;
  }
  uint64_t offset = ptr - buffer->data;
  if (buffer->device == DevicePtr::Null) {
    auto allocated = device.allocate(buffer->bytes, buffer->label);
    if (!allocated)
      return allocated.takeError();
    buffer->device = *allocated;
  }
  if (buffer->deviceIsStale && buffer->hostHasData && buffer->bytes)
    if (auto error = device.copyToDevice(buffer->device,
                                         {buffer->data, size_t(buffer->bytes)}))
      return std::move(error);
  buffer->deviceIsStale = false;
  return DevicePtr(uint64_t(buffer->device) + offset);
}

void HostMemory::markLaunched(const char *ptr) {
  if (Buffer *buffer = find(ptr))
    buffer->deviceIsNewest = true;
}
