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
  reading.clear();
  cells.assign(track ? (bytes >> cellShift) + 1 : 0, Cell());
  granules.resize(track && granuleShift < cellShift
                      ? cells.size() << (cellShift - granuleShift)
                      : 0);
}

bool SharedShadow::isInitialized(uint64_t offset, uint64_t bytes) const {
  return isWritten(written.data() + offset, bytes);
}

void SharedShadow::setInitialized(uint64_t offset, uint64_t bytes) {
  std::fill_n(written.begin() + offset, bytes, shadowWritten);
}

void SharedShadow::setPending(uint64_t offset, uint64_t bytes, bool value) {
  std::fill_n(pending.begin() + offset, bytes, value);
}

bool SharedShadow::isPending(uint64_t offset, uint64_t bytes) const {
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

void SharedShadow::setReading(uint64_t offset, uint64_t bytes, bool begins) {
  if (reading.empty())
    reading.assign((pending.size() >> cellShift) + 1, 0);
  for (uint64_t cell = offset >> cellShift;
       cell <= (offset + bytes - 1) >> cellShift; ++cell)
    reading[cell] += begins ? 1 : -1;
}

bool SharedShadow::isReading(uint64_t offset, uint64_t bytes) const {
  if (reading.empty())
    return false;
  for (uint64_t cell = offset >> cellShift;
       cell <= (offset + bytes - 1) >> cellShift; ++cell)
    if (reading[cell])
      return true;
  return false;
}

/// Visits the records of these bytes. A cell that is touched as a whole has one
/// record, which its granules take over when a part of it is touched.
template <typename Fn>
void SharedShadow::forRecords(uint64_t offset, uint64_t bytes, Fn &&visit) {
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

void SharedShadow::readRecord(Record &record, const Accessor &who,
                              unsigned line,
                              std::optional<Conflict> &conflict) {
  if (conflictsWithWrite(record, who))
    conflict = {record.writer, true, record.writeLine};
  noteRead(record, who, line);
}

std::optional<Conflict> SharedShadow::read(const Accessor &who, uint64_t offset,
                                           uint64_t bytes, unsigned line) {
  std::optional<Conflict> conflict;
  if (trackRaces)
    forRecords(offset, bytes, [&](Record &record) {
      readRecord(record, who, line, conflict);
    });
  return conflict;
}

void SharedShadow::writeRecord(Record &record, const Accessor &who,
                               unsigned line, bool atomic, bool sameValue,
                               std::optional<Conflict> &conflict) {
  bool tolerated = sameValue || (atomic && record.atomic);
  if (!tolerated && conflictsWithWrite(record, who))
    conflict = {record.writer, true, record.writeLine};
  if (conflictsWithReads(record, who))
    conflict = {record.manyThreads ? noThread : record.reader, false,
                record.readLine};
  noteWrite(record, who, line, atomic);
}

std::optional<Conflict> SharedShadow::write(const Accessor &who,
                                            uint64_t offset, uint64_t bytes,
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
  if (bytes == cellBytes && offset % cellBytes == 0 && !wasRead) {
    Cell &cell = cells[offset >> cellShift];
    if (cell.isSplit)
      cell = {granules[offset >> granuleShift], false};
  }
  return conflict;
}
