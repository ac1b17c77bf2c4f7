//===- Memory.h - The memories of the simulated device ----------*- C++ -*-===//
//
// Global memory is a set of registered arrays at made-up addresses, far apart,
// so that an index past an array's end hits nothing. Every byte of global and
// shared memory has a shadow that says whether it was ever written.
//
// Addresses: shared, local and parameter memory appear in the generic address
// space in windows below the first array; shared addresses themselves start at
// 0, so that code may truncate them to 32 bits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_RUNTIME_MEMORY_H
#define PRISM_LIB_RUNTIME_MEMORY_H

#include "llvm/ADT/StringRef.h"

#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace prism {

constexpr uint64_t windowBytes = uint64_t(1) << 24;
constexpr uint64_t sharedWindow = 1 * windowBytes;
constexpr uint64_t localWindow = 2 * windowBytes;
constexpr uint64_t paramWindow = 3 * windowBytes;

/// What unwritten memory holds: NaN in every float format.
constexpr unsigned char poisonByte = 0xFF;

/// Shadow bytes; written ones are all ones, to be tested many at a time.
constexpr unsigned char shadowWritten = 0xFF;
constexpr unsigned char shadowUnwritten = 0;

/// True if `count` shadow bytes say "written".
inline bool isWritten(const unsigned char *shadow, uint64_t count) {
  for (; count >= 8; count -= 8, shadow += 8) {
    uint64_t word;
    std::memcpy(&word, shadow, 8);
    if (~word)
      return false;
  }
  for (; count; --count, ++shadow)
    if (*shadow != shadowWritten)
      return false;
  return true;
}

/// Which blocks of the running launch touched an array, per granule. Nothing
/// orders the blocks of a launch, so two that meet in a granule, one of them
/// writing, are a race. Blocks run on several host threads at once, hence the
/// atomics; of a race either side may be the one that notices.
class BlockTracker {
public:
  /// Forgets everything and tracks `bytes` bytes by `granule`, a power of two.
  void reset(uint64_t bytes, unsigned granule);
  void disable() { count = 0; }
  bool isEnabled() const { return count != 0; }

  /// The other block of a race.
  struct Conflict {
    bool found = false;
    bool many = false; ///< several blocks have read
    uint32_t block = 0;
    bool otherWrites = false;
  };
  Conflict read(uint64_t offset, unsigned bytes, uint32_t block);
  /// `sameValue`: the bytes already hold what is being written.
  Conflict write(uint64_t offset, unsigned bytes, uint32_t block,
                 bool sameValue);

private:
  static constexpr uint32_t manyBlocks = ~uint32_t(0);

  uint64_t count = 0;
  unsigned granuleShift = 0;
  std::vector<std::atomic<uint32_t>> writers, readers; ///< block + 1; 0: none
};

/// A registered array of global memory.
struct Allocation {
  uint64_t base = 0;
  uint64_t bytes = 0;
  std::string label;
  bool readOnly = false;
  /// The host wrote all of it, so reads need no look at the shadow.
  bool fullyWritten = false;
  std::vector<unsigned char> data;
  std::vector<unsigned char> shadow;
  BlockTracker tracker;

  bool contains(uint64_t address, uint64_t count) const {
    return address >= base && address - base <= bytes &&
           bytes - (address - base) >= count;
  }
};

/// All arrays of a device.
class GlobalMemory {
public:
  /// Arrays start at multiples of this much.
  static constexpr uint64_t alignment = 256;

  /// Poisoned memory at an address no other array is near. Bases are odd
  /// multiples of `alignment`, so nothing is aligned better by luck.
  Allocation &allocate(uint64_t bytes, llvm::StringRef label);

  /// Bytes in all arrays.
  uint64_t getUsedBytes() const { return usedBytes; }

  /// The array that starts at `base` leaves; false if there is none.
  bool free(uint64_t base);

  /// The array that holds `address`, or null.
  Allocation *find(uint64_t address) const;

  /// The newest array of that label, or null.
  const Allocation *findNewest(llvm::StringRef label) const;

  /// Called before a launch: tracks the blocks that touch arrays which the host
  /// did not fill (results and workspaces), or stops tracking (granule 0).
  void trackBlocks(unsigned granule);

  /// The array nearest below `address`, for messages; null if there is none.
  const Allocation *nearestBelow(uint64_t address) const;

private:
  static constexpr uint64_t firstBase = uint64_t(1) << 40;
  static constexpr uint64_t gap = uint64_t(1) << 30;

  std::vector<std::unique_ptr<Allocation>> arrays; ///< by base
  uint64_t nextBase = firstBase;
  uint64_t usedBytes = 0;
};

} // namespace prism

#endif // PRISM_LIB_RUNTIME_MEMORY_H
