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

#include "Memory.h"
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

  bool isInitialized(uint64_t offset, uint64_t bytes) const;
  void setInitialized(uint64_t offset, uint64_t bytes);
  /// A copy to these bytes was issued (`true`) or has landed (`false`).
  void setPending(uint64_t offset, uint64_t bytes, bool pending);
  bool isPending(uint64_t offset, uint64_t bytes) const;
  /// One more (`true`) or one fewer asynchronous operation reads these bytes,
  /// by cells of 16.
  void setReading(uint64_t offset, uint64_t bytes, bool begins);
  bool isReading(uint64_t offset, uint64_t bytes) const;

  std::optional<Conflict> read(const Accessor &who, uint64_t offset,
                               uint64_t bytes, unsigned line);
  /// `sameValue`: the bytes already hold what is being written.
  std::optional<Conflict> write(const Accessor &who, uint64_t offset,
                                uint64_t bytes, unsigned line, bool atomic,
                                bool sameValue);

  // The same for a whole cell (16 bytes at a multiple of 16, inside the memory)
  // where there is nothing to report, without a call. False: nothing was done,
  // take the way above.
  bool tryReadCell(const Accessor &who, uint64_t offset, unsigned line);
  /// A plain write that makes the cell initialized.
  bool tryWriteCell(const Accessor &who, uint64_t offset, unsigned line);
  void setCellPending(uint64_t offset, bool value) {
    std::memset(pending.data() + offset, value, cellBytes);
  }

private:
  /// Epochs start at 1, so a zeroed record conflicts with nothing.
  struct Record {
    uint32_t writeEpoch = 0, writeSyncs = 0, writeLine = 0;
    uint32_t readEpoch = 0, readSyncs = 0, readLine = 0;
    uint16_t writer = 0, reader = 0;
    bool atomic = false;
    bool manyThreads = false, manyWarps = false; ///< readers
  };

  static bool unordered(uint16_t thread, uint32_t syncs, const Accessor &who);
  static bool conflictsWithWrite(const Record &record, const Accessor &who);
  static bool conflictsWithReads(const Record &record, const Accessor &who);
  static void noteRead(Record &record, const Accessor &who, unsigned line);
  static void noteWrite(Record &record, const Accessor &who, unsigned line,
                        bool atomic);
  static void readRecord(Record &record, const Accessor &who, unsigned line,
                         std::optional<Conflict> &conflict);
  static void writeRecord(Record &record, const Accessor &who, unsigned line,
                          bool atomic, bool sameValue,
                          std::optional<Conflict> &conflict);
  template <typename Fn>
  void forRecords(uint64_t offset, uint64_t bytes, Fn &&visit);

  static constexpr unsigned cellShift = 4;
  static constexpr uint64_t cellBytes = uint64_t(1) << cellShift;
  static bool areAll(const unsigned char *bytes, uint64_t value) {
    uint64_t words[2];
    std::memcpy(words, bytes, cellBytes);
    return words[0] == value && words[1] == value;
  }
  struct Cell {
    Record record;
    bool isSplit = false; ///< the granules' records count, not this one
  };

  unsigned granuleShift = 0;
  bool trackRaces = true;
  std::vector<unsigned char> written;
  std::vector<unsigned char> pending;
  std::vector<uint16_t> reading; ///< by cell; empty until there is one
  std::vector<Cell> cells;
  std::vector<Record> granules; ///< valid where the cell is split
};

/// True if an access of `thread` after `syncs` warp synchronizations is not
/// ordered with `who`'s, both being in one epoch.
inline bool SharedShadow::unordered(uint16_t thread, uint32_t syncs,
                                    const Accessor &who) {
  if (thread == who.thread)
    return false;
  return thread / warpSize != who.warp() || syncs == who.warpSyncs;
}

inline bool SharedShadow::conflictsWithWrite(const Record &record,
                                             const Accessor &who) {
  return record.writeEpoch == who.epoch &&
         unordered(record.writer, record.writeSyncs, who);
}

inline bool SharedShadow::conflictsWithReads(const Record &record,
                                             const Accessor &who) {
  if (record.readEpoch != who.epoch)
    return false;
  if (record.manyWarps)
    return true;
  if (record.manyThreads)
    return record.reader / warpSize != who.warp() ||
           record.readSyncs == who.warpSyncs;
  return unordered(record.reader, record.readSyncs, who);
}

inline void SharedShadow::noteRead(Record &record, const Accessor &who,
                                   unsigned line) {
  bool sameEpoch = record.readEpoch == who.epoch;
  bool sameThread = record.reader == who.thread;
  bool sameWarp = record.reader / warpSize == who.warp();
  record.manyWarps = sameEpoch && (record.manyWarps || !sameWarp);
  record.manyThreads = sameEpoch && (record.manyThreads || !sameThread);
  record.reader = who.thread;
  record.readEpoch = who.epoch;
  record.readSyncs = who.warpSyncs;
  record.readLine = line;
}

inline void SharedShadow::noteWrite(Record &record, const Accessor &who,
                                    unsigned line, bool atomic) {
  // A thread's plain write stays one for the others when it goes on atomically.
  bool staysPlain = record.writeEpoch == who.epoch &&
                    record.writeSyncs == who.warpSyncs &&
                    record.writer == who.thread && !record.atomic;
  record.writer = who.thread;
  record.writeEpoch = who.epoch;
  record.writeSyncs = who.warpSyncs;
  record.writeLine = line;
  record.atomic = atomic && !staysPlain;
}

inline bool SharedShadow::tryReadCell(const Accessor &who, uint64_t offset,
                                      unsigned line) {
  if (!trackRaces || !areAll(written.data() + offset, ~uint64_t(0)) ||
      !areAll(pending.data() + offset, 0))
    return false;
  Cell &cell = cells[offset >> cellShift];
  if (cell.isSplit || conflictsWithWrite(cell.record, who))
    return false;
  noteRead(cell.record, who, line);
  return true;
}

inline bool SharedShadow::tryWriteCell(const Accessor &who, uint64_t offset,
                                       unsigned line) {
  if (!trackRaces || !reading.empty() || !areAll(pending.data() + offset, 0))
    return false;
  Cell &cell = cells[offset >> cellShift];
  if (cell.isSplit || conflictsWithWrite(cell.record, who) ||
      conflictsWithReads(cell.record, who))
    return false;
  noteWrite(cell.record, who, line, false);
  std::memset(written.data() + offset, shadowWritten, cellBytes);
  return true;
}

} // namespace prism

#endif // PRISM_LIB_RUNTIME_SHAREDSHADOW_H
