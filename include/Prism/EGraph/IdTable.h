//===- IdTable.h - Hash table of ids keyed from outside ---------*- C++ -*-===//
//
// Part of Prism.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The hash-consing table: open addressing with linear probing over pairs
// (32-bit hash, id); what an id stands for lives in the owner's arrays. One
// flat array, so that copying an e-graph copies it with one memcpy.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_EGRAPH_IDTABLE_H
#define PRISM_EGRAPH_IDTABLE_H

#include "Prism/EGraph/Types.h"
#include <cassert>
#include <vector>

namespace prism::egraph {

/// A set of ids found by hash and a caller-given equality.
class IdTable {
public:
  /// The id with this hash for which `isEqual(id)` holds, or None.
  template <typename Equal>
  uint32_t find(uint32_t hash, Equal &&isEqual) const {
    if (slots.empty())
      return None;
    for (size_t i = home(hash); slots[i].id != None; i = next(i))
      if (slots[i].hash == hash && isEqual(slots[i].id))
        return slots[i].id;
    return None;
  }

  /// The first id with this hash, or None: most likely what find will return.
  uint32_t guess(uint32_t hash) const {
    return find(hash, [](uint32_t) { return true; });
  }

  /// Asks for the memory that find(hash) reads first.
  void prefetch(uint32_t hash) const {
    if (!slots.empty())
      __builtin_prefetch(&slots[home(hash)]);
  }

  /// Adds an id that is not in the table.
  void insert(uint32_t hash, uint32_t id) {
    // At most five eighths full: probe chains stay short.
    if ((count + 1) * 8 > slots.size() * 5)
      grow();
    place({hash, id});
    ++count;
  }

  /// Removes an id that is in the table under this hash.
  void erase(uint32_t hash, uint32_t id) {
    size_t i = home(hash);
    while (slots[i].id != id) {
      assert(slots[i].id != None && "erasing an id that is not in the table");
      i = next(i);
    }
    // Backward-shift deletion: no tombstones, so look-ups never degrade.
    for (size_t j = next(i); slots[j].id != None; j = next(j)) {
      size_t h = home(slots[j].hash);
      bool reachable = i <= j ? (i < h && h <= j) : (i < h || h <= j);
      if (reachable)
        continue;
      slots[i] = slots[j];
      i = j;
    }
    slots[i].id = None;
    --count;
  }

  size_t size() const { return count; }

  /// Bytes held.
  size_t capacityInBytes() const { return slots.capacity() * sizeof(Slot); }

private:
  struct Slot {
    uint32_t hash = 0;
    uint32_t id = None;
  };

  size_t home(uint32_t hash) const { return hash & (slots.size() - 1); }
  size_t next(size_t i) const { return (i + 1) & (slots.size() - 1); }

  void place(Slot slot) {
    size_t i = home(slot.hash);
    while (slots[i].id != None)
      i = next(i);
    slots[i] = slot;
  }

  void grow() {
    std::vector<Slot> old;
    old.swap(slots);
    slots.resize(old.empty() ? 16 : old.size() * 2);
    for (const Slot &slot : old)
      if (slot.id != None)
        place(slot);
  }

  std::vector<Slot> slots;
  size_t count = 0;
};

} // namespace prism::egraph

#endif // PRISM_EGRAPH_IDTABLE_H
