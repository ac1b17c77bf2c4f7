//===- SharedShadow.h - Who touched a block's shared memory -----*- C++ -*-===//
//
// Per byte: written or not, and whether an asynchronous copy to it is under
// way. Per granule (the narrowest access of the kernel), or per cell of 16
// bytes as long as nothing has touched a part of one: the last write and the
// last reads, with the barrier epoch they fell in. Two accesses by different
// threads in one epoch, one of them a write, are a race, unless both threads
// are in one warp and a bar.warp.sync lies between. Two writes of equal values
// are not reported.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_RUNTIME_SHAREDSHADOW_H
#define PRISM_LIB_RUNTIME_SHAREDSHADOW_H

#include "Program.h"

#include <optional>

namespace prism {

/// The access being made: the thread's number in the block and how many
/// block-wide and warp-wide synchronizations it has passed.
struct Accessor {
  uint16_t thread;
  uint32_t epoch;
  uint32_t warpSyncs;

  uint16_t warp() const { return thread / warpSize; }
};

/// The other side of a race.
struct Conflict {
  uint16_t thread; ///< noThread: several
  bool otherWrites;
  unsigned otherLine;
};

class SharedShadow {
public:
  static constexpr uint16_t noThread = 0xFFFF;

  /// Forgets everything; `granule` is a power of two.
  void reset(uint64_t bytes, unsigned granule, bool trackRaces);

  bool isInitialized(uint64_t offset, unsigned bytes) const;
  void setInitialized(uint64_t offset, unsigned bytes);
  /// A copy to these bytes was issued (`true`) or has landed (`false`).
  void setPending(uint64_t offset, unsigned bytes, bool pending);
  bool isPending(uint64_t offset, unsigned bytes) const;

  std::optional<Conflict> read(const Accessor &who, uint64_t offset,
                               unsigned bytes, unsigned line);
  /// `sameValue`: the bytes already hold what is being written.
  std::optional<Conflict> write(const Accessor &who, uint64_t offset,
                                unsigned bytes, unsigned line, bool atomic,
                                bool sameValue);

private:
  /// Epochs start at 1, so a zeroed record conflicts with nothing.
  struct Record {
    uint32_t writeEpoch = 0, writeSyncs = 0, writeLine = 0;
    uint32_t readEpoch = 0, readSyncs = 0, readLine = 0;
    uint16_t writer = 0, reader = 0;
    bool atomic = false;
    bool manyThreads = false, manyWarps = false; ///< readers
  };

  bool conflictsWithWrite(const Record &record, const Accessor &who) const;
  bool conflictsWithReads(const Record &record, const Accessor &who) const;
  void readRecord(Record &record, const Accessor &who, unsigned line,
                  std::optional<Conflict> &conflict) const;
  void writeRecord(Record &record, const Accessor &who, unsigned line,
                   bool atomic, bool sameValue,
                   std::optional<Conflict> &conflict) const;
  template <typename Fn>
  void forRecords(uint64_t offset, unsigned bytes, Fn &&visit);

  static constexpr unsigned cellShift = 4;
  struct Cell {
    Record record;
    bool isSplit = false; ///< the granules' records count, not this one
  };

  unsigned granuleShift = 0;
  bool trackRaces = true;
  std::vector<unsigned char> written;
  std::vector<unsigned char> pending;
  std::vector<Cell> cells;
  std::vector<Record> granules; ///< valid where the cell is split
};

} // namespace prism

#endif // PRISM_LIB_RUNTIME_SHAREDSHADOW_H
