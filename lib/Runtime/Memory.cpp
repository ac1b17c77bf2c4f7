//===- Memory.cpp - The memories of the simulated device ------------------===//
//
// See Memory.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace prism;

void BlockTracker::reset(uint64_t bytes, unsigned granule) {
  granuleShift = llvm::Log2_32(granule);
  uint64_t needed = (bytes >> granuleShift) + 1;
  if (writers.size() != needed) {
    writers = std::vector<std::atomic<uint32_t>>(needed);
    readers = std::vector<std::atomic<uint32_t>>(needed);
  }
  for (uint64_t i = 0; i < needed; ++i) {
    writers[i].store(0, std::memory_order_relaxed);
    readers[i].store(0, std::memory_order_relaxed);
  }
  count = needed;
}

BlockTracker::Conflict BlockTracker::read(uint64_t offset, unsigned bytes,
                                          uint32_t block) {
  Conflict conflict;
  uint32_t me = block + 1;
  uint64_t last = (offset + bytes - 1) >> granuleShift;
  for (uint64_t g = offset >> granuleShift; g <= last; ++g) {
    uint32_t reader = readers[g].exchange(me);
    if (reader && reader != me)
      readers[g] = manyBlocks;
    uint32_t writer = writers[g];
    if (writer && writer != me)
      conflict = {true, false, writer - 1, true};
  }
  return conflict;
}

BlockTracker::Conflict BlockTracker::write(uint64_t offset, unsigned bytes,
                                           uint32_t block, bool sameValue) {
  Conflict conflict;
  uint32_t me = block + 1;
  uint64_t last = (offset + bytes - 1) >> granuleShift;
  for (uint64_t g = offset >> granuleShift; g <= last; ++g) {
    uint32_t writer = writers[g].exchange(me);
    if (writer && writer != me && !sameValue)
      conflict = {true, false, writer - 1, true};
    uint32_t reader = readers[g];
    if (reader && reader != me)
      conflict = {true, reader == manyBlocks, reader - 1, false};
  }
  return conflict;
}

void GlobalMemory::trackBlocks(unsigned granule) {
  for (const std::unique_ptr<Allocation> &array : arrays) {
    if (granule && !array->fullyWritten)
      array->tracker.reset(array->bytes, granule);
    else
      array->tracker.disable();
  }
}

Allocation &GlobalMemory::allocate(uint64_t bytes, llvm::StringRef label) {
  auto array = std::make_unique<Allocation>();
  array->base = nextBase + alignment;
  array->bytes = bytes;
  array->label = label.str();
  array->data.assign(bytes, poisonByte);
  array->shadow.assign(bytes, shadowUnwritten);
  nextBase += llvm::alignTo(bytes + alignment, gap) + gap;
  usedBytes += bytes;
  arrays.push_back(std::move(array));
  return *arrays.back();
}

/// The first array whose base is above `address`.
static auto upperBound(const std::vector<std::unique_ptr<Allocation>> &arrays,
                       uint64_t address) {
  return std::upper_bound(
      arrays.begin(), arrays.end(), address,
      [](uint64_t value, const std::unique_ptr<Allocation> &array) {
        return value < array->base;
      });
}

bool GlobalMemory::free(uint64_t base) {
  auto it = upperBound(arrays, base);
  if (it == arrays.begin() || (*--it)->base != base)
    return false;
  usedBytes -= (*it)->bytes;
  arrays.erase(it);
  return true;
}

Allocation *GlobalMemory::find(uint64_t address) const {
  auto it = upperBound(arrays, address);
  if (it == arrays.begin())
    return nullptr;
  Allocation *array = (--it)->get();
  return array->contains(address, 1) ? array : nullptr;
}

const Allocation *GlobalMemory::nearestBelow(uint64_t address) const {
  auto it = upperBound(arrays, address);
  return it == arrays.begin() ? nullptr : std::prev(it)->get();
}

const Allocation *GlobalMemory::findNewest(llvm::StringRef label) const {
  for (const std::unique_ptr<Allocation> &array : llvm::reverse(arrays))
    if (array->label == label)
      return array.get();
  return nullptr;
}
