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

using namespace prism;

void SharedShadow::reset(uint64_t bytes, unsigned granule, bool track) {
  granuleShift = llvm::Log2_32(granule);
  trackRaces = track;
  written.assign(bytes, shadowUnwritten);
  pending.assign(bytes, 0);
  records.assign(track ? (bytes >> granuleShift) + 1 : 0, Record());
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
  auto first = pending.begin() + offset;
  return std::find(first, first + bytes, 1) != first + bytes;
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

std::optional<Conflict> SharedShadow::read(const Accessor &who, uint64_t offset,
                                           unsigned bytes, unsigned line) {
  std::optional<Conflict> conflict;
  if (!trackRaces)
    return conflict;
  uint64_t last = (offset + bytes - 1) >> granuleShift;
  for (uint64_t g = offset >> granuleShift; g <= last; ++g) {
    Record &record = records[g];
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
  return conflict;
}

std::optional<Conflict> SharedShadow::write(const Accessor &who,
                                            uint64_t offset, unsigned bytes,
                                            unsigned line, bool atomic,
                                            bool sameValue) {
  std::optional<Conflict> conflict;
  if (!trackRaces)
    return conflict;
  uint64_t last = (offset + bytes - 1) >> granuleShift;
  for (uint64_t g = offset >> granuleShift; g <= last; ++g) {
    Record &record = records[g];
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
  return conflict;
}
