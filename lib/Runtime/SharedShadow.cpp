//===- SharedShadow.cpp - Who touched a block's shared memory -------------===//
//
// See SharedShadow.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedShadow.h"

#include "Memory.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstring>

using namespace prism;

void SharedShadow::reset(uint64_t bytes, unsigned granule, bool track) {
  granuleShift = llvm::Log2_32(granule);
  trackRaces = track;
  written.assign(bytes, shadowUnwritten);
  pending.assign(bytes, 0);
  cells.assign(track ? (bytes >> cellShift) + 1 : 0, Cell());
  granules.resize(track && granuleShift < cellShift
                      ? cells.size() << (cellShift - granuleShift)
                      : 0);
}

bool SharedShadow::isInitialized(uint64_t offset, unsigned bytes) const {
  return isWritten(written.data() + offset, bytes);
}

void SharedShadow::setInitialized(uint64_t offset, unsigned bytes) {
  std::fill_n(written.begin() + offset, bytes, shadowWritten);
}

void SharedShadow::setPending(uint64_t offset, unsigned bytes, bool value) {
  std::fill_n(pending.begin() + offset, bytes, value);
}

bool SharedShadow::isPending(uint64_t offset, unsigned bytes) const {
  const unsigned char *at = pending.data() + offset;
  for (; bytes >= 8; bytes -= 8, at += 8) {
    uint64_t word;
    std::memcpy(&word, at, 8);
    if (word)
      return true;
  }
  for (; bytes; --bytes, ++at)
    if (*at)
      return true;
  return false;
}

/// Visits the records of these bytes. A cell that is touched as a whole has one
/// record, which its granules take over when a part of it is touched.
template <typename Fn>
void SharedShadow::forRecords(uint64_t offset, unsigned bytes, Fn &&visit) {
  constexpr uint64_t cellBytes = uint64_t(1) << cellShift;
  uint64_t end = offset + bytes;
  while (offset < end) {
    Cell &cell = cells[offset >> cellShift];
    uint64_t cellStart = offset & ~(cellBytes - 1);
    uint64_t stop = std::min(end, cellStart + cellBytes);
    bool isWhole = offset == cellStart && stop == cellStart + cellBytes;
    if (granuleShift >= cellShift || (isWhole && !cell.isSplit)) {
      visit(cell.record);
    } else {
      if (!cell.isSplit) {
        cell.isSplit = true;
        std::fill_n(granules.begin() + (cellStart >> granuleShift),
                    cellBytes >> granuleShift, cell.record);
      }
      for (uint64_t g = offset >> granuleShift; g <= (stop - 1) >> granuleShift;
           ++g)
        visit(granules[g]);
    }
    offset = stop;
  }
}

/// True if an access of `thread` after `syncs` warp synchronizations is not
/// ordered with `who`'s, both being in one epoch.
static bool unordered(uint16_t thread, uint32_t syncs, const Accessor &who) {
  if (thread == who.thread)
    return false;
  return thread / warpSize != who.warp() || syncs == who.warpSyncs;
}

bool SharedShadow::conflictsWithWrite(const Record &record,
                                      const Accessor &who) const {
  return record.writeEpoch == who.epoch &&
         unordered(record.writer, record.writeSyncs, who);
}

bool SharedShadow::conflictsWithReads(const Record &record,
                                      const Accessor &who) const {
  if (record.readEpoch != who.epoch)
    return false;
  if (record.manyWarps)
    return true;
  if (record.manyThreads)
    return record.reader / warpSize != who.warp() ||
           record.readSyncs == who.warpSyncs;
  return unordered(record.reader, record.readSyncs, who);
}

void SharedShadow::readRecord(Record &record, const Accessor &who,
                              unsigned line,
                              std::optional<Conflict> &conflict) const {
  if (conflictsWithWrite(record, who))
    conflict = {record.writer, true, record.writeLine};
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

std::optional<Conflict> SharedShadow::read(const Accessor &who, uint64_t offset,
                                           unsigned bytes, unsigned line) {
  std::optional<Conflict> conflict;
  if (trackRaces)
    forRecords(offset, bytes, [&](Record &record) {
      readRecord(record, who, line, conflict);
    });
  return conflict;
}

void SharedShadow::writeRecord(Record &record, const Accessor &who,
                               unsigned line, bool atomic, bool sameValue,
                               std::optional<Conflict> &conflict) const {
  bool tolerated = sameValue || (atomic && record.atomic);
  if (!tolerated && conflictsWithWrite(record, who))
    conflict = {record.writer, true, record.writeLine};
  if (conflictsWithReads(record, who))
    conflict = {record.manyThreads ? noThread : record.reader, false,
                record.readLine};
  record.writer = who.thread;
  record.writeEpoch = who.epoch;
  record.writeSyncs = who.warpSyncs;
  record.writeLine = line;
  record.atomic = atomic;
}

std::optional<Conflict> SharedShadow::write(const Accessor &who,
                                            uint64_t offset, unsigned bytes,
                                            unsigned line, bool atomic,
                                            bool sameValue) {
  std::optional<Conflict> conflict;
  if (!trackRaces)
    return conflict;
  bool wasRead = false;
  forRecords(offset, bytes, [&](Record &record) {
    writeRecord(record, who, line, atomic, sameValue, conflict);
    wasRead |= record.readEpoch == who.epoch;
  });
  // Reads of earlier epochs no longer count, so a cell that is written as a
  // whole is one again.
  constexpr unsigned cellBytes = 1u << cellShift;
  if (bytes == cellBytes && offset % cellBytes == 0 && !wasRead) {
    Cell &cell = cells[offset >> cellShift];
    if (cell.isSplit)
      cell = {granules[offset >> granuleShift], false};
  }
  return conflict;
}
