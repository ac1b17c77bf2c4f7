//===- TensorBox.h - Boxes of tensor maps in memory -------------*- C++ -*-===//
//
// The simulated device's own encoding of a tensor map in the 128 bytes that a
// kernel gets, and the walk over the rows of a box.
//
// A box is dense in shared memory, dimension 0 innermost. Swizzling permutes
// 16-byte chunks by the address in shared memory: bits 4 and up are XORed with
// the bits from 7 up, 1, 2 or 3 of them for 32, 64 and 128 bytes.
// Example: with 128 bytes, the chunk at 0x90 (bits 7 up are 1) goes to 0x80.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_RUNTIME_TENSORBOX_H
#define PRISM_LIB_RUNTIME_TENSORBOX_H

#include "Prism/Runtime/TensorMap.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>

namespace prism {

constexpr unsigned tensorMapBytes = 128;
constexpr unsigned swizzleChunk = 16; ///< bytes that stay together

/// Where the chunk at `address` of shared memory goes. `span`: 0, 32, 64, 128.
inline uint64_t swizzleAddress(uint64_t address, unsigned span) {
  uint64_t mask = span / 32 * 2;
  mask = mask ? mask - 1 : 0;
  return address ^ (address >> 7 & mask) << 4;
}

/// The bytes a kernel of the simulated device gets for `map`.
KernelArgument encodeTensorMap(const TensorMap &map);

/// None if the bytes are not such an encoding.
std::optional<TensorMap> decodeTensorMap(const char *bytes);

/// A row of a box: where it is in the box, and the part of it that is inside
/// the array, if any.
struct BoxRow {
  uint64_t boxOffset = 0;    ///< bytes from the start of the box
  uint64_t globalOffset = 0; ///< bytes from the map's base to the part
  uint64_t skipped = 0;      ///< bytes of the row before the part
  uint64_t bytes = 0;        ///< bytes of the part
};

/// Calls `visit` for every row of the box at `coordinates` (of elements,
/// innermost first, possibly negative).
void forEachRow(const TensorMap &map, llvm::ArrayRef<int32_t> coordinates,
                llvm::function_ref<void(const BoxRow &)> visit);

} // namespace prism

#endif // PRISM_LIB_RUNTIME_TENSORBOX_H
