//===- Memory.cpp - The memories of the simulated device ------------------===//
//
// See Memory.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace prism;

Allocation &GlobalMemory::allocate(uint64_t bytes, llvm::StringRef label) {
  auto array = std::make_unique<Allocation>();
  array->base = nextBase + alignment;
  array->bytes = bytes;
  array->label = label.str();
  array->data.assign(bytes, poisonByte);
  array->shadow.assign(bytes, shadowUnwritten);
  nextBase += llvm::alignTo(bytes + alignment, gap) + gap;
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
