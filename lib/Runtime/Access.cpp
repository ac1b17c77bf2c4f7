//===- Access.cpp - Checked accesses of one lane --------------------------===//
//
// See Access.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"

#include "llvm/ADT/StringExtras.h"

using namespace prism;

static llvm::StringRef verb(AccessKind kind) {
  return kind == AccessKind::Read    ? "read"
         : kind == AccessKind::Write ? "write"
                                     : "atomic access";
}

static std::string hex(uint64_t value) { return "0x" + llvm::utohexstr(value); }

static std::string describe(AccessKind kind, uint64_t bytes,
                            llvm::StringRef where, uint64_t address) {
  return (verb(kind) + " of " + llvm::Twine(bytes) + " bytes at " + where +
          " address " + hex(address))
      .str();
}

static Place misaligned(Warp &warp, const Op &op, unsigned lane,
                        const std::string &access, unsigned align) {
  warp.block->report(FindingKind::Misaligned, op, warp, lane,
                     access + " needs an address divisible by " +
                         llvm::Twine(align));
  return Place();
}

//===----------------------------------------------------------------------===//
// Global memory
//===----------------------------------------------------------------------===//

static Place reportGlobal(Warp &warp, const Op &op, unsigned lane,
                          uint64_t address, uint64_t bytes, AccessKind kind) {
  std::string message = describe(kind, bytes, "global", address);
  const Allocation *below = warp.block->launch.memory.nearestBelow(address);
  if (address == 0)
    message += ", a null pointer";
  else if (below)
    message += ", " + std::to_string(address - below->base) +
               " bytes from the start of '" + below->label + "' (" +
               std::to_string(below->bytes) + " bytes)";
  else
    message += ", which is in no array";
  warp.block->report(FindingKind::OutOfBounds, op, warp, lane, message);
  return Place();
}

static Place resolveGlobal(Warp &warp, const Op &op, unsigned lane,
                           uint64_t address, uint64_t bytes, AccessKind kind,
                           unsigned align) {
  BlockRunner &block = *warp.block;
  Allocation *&cached = block.arrayCache[&op - block.launch.program.ops.data()];
  if (!cached || !cached->contains(address, bytes)) {
    Allocation *found = block.launch.memory.find(address);
    if (!found || !found->contains(address, bytes))
      return reportGlobal(warp, op, lane, address, bytes, kind);
    cached = found;
  }
  if (address % align)
    return misaligned(warp, op, lane, describe(kind, bytes, "global", address),
                      align);
  if (kind != AccessKind::Read && cached->readOnly) {
    block.report(FindingKind::ReadOnly, op, warp, lane,
                 describe(kind, bytes, "global", address) +
                     " in constant array '" + cached->label + "'");
    return Place();
  }
  uint64_t offset = address - cached->base;
  Place place;
  place.host = reinterpret_cast<char *>(cached->data.data() + offset);
  if (!cached->fullyWritten) {
    place.shadow = cached->shadow.data() + offset;
    place.array = cached;
  }
  place.address = address;
  return place;
}

//===----------------------------------------------------------------------===//
// The other spaces
//===----------------------------------------------------------------------===//

static Place resolveIn(Warp &warp, const Op &op, unsigned lane, PTXSpace space,
                       llvm::StringRef name, char *begin, uint64_t size,
                       uint64_t address, uint64_t bytes, AccessKind kind,
                       unsigned align) {
  if (address > size || size - address < bytes) {
    warp.block->report(FindingKind::OutOfBounds, op, warp, lane,
                       describe(kind, bytes, name, address) + ", beyond its " +
                           llvm::Twine(size) + " bytes");
    return Place();
  }
  if (address % align)
    return misaligned(warp, op, lane, describe(kind, bytes, name, address),
                      align);
  Place place;
  place.host = begin + address;
  place.space = space;
  place.address = address;
  return place;
}

Place prism::resolve(Warp &warp, const Op &op, unsigned lane, PTXSpace space,
                     uint64_t address, uint64_t bytes, AccessKind kind,
                     unsigned align) {
  BlockRunner &block = *warp.block;
  if (!align)
    align = bytes;
  if (space == PTXSpace::Generic) {
    if (address - sharedWindow < windowBytes) {
      space = PTXSpace::Shared;
      address -= sharedWindow;
    } else if (address - localWindow < windowBytes) {
      space = PTXSpace::Local;
      address -= localWindow;
    } else if (address - paramWindow < windowBytes) {
      space = PTXSpace::Param;
      address -= paramWindow;
    }
  }
  switch (space) {
  case PTXSpace::Shared:
    return resolveIn(warp, op, lane, space, "shared", block.shared.data(),
                     block.shared.size(), address, bytes, kind, align);
  case PTXSpace::Local: {
    uint64_t size = block.launch.program.localBytes;
    return resolveIn(warp, op, lane, space, "local", warp.local + lane * size,
                     size, address, bytes, kind, align);
  }
  case PTXSpace::Param:
    if (kind != AccessKind::Read) {
      block.report(FindingKind::ReadOnly, op, warp, lane,
                   describe(kind, bytes, "parameter", address));
      return Place();
    }
    return resolveIn(
        warp, op, lane, space, "parameter", block.launch.parameters.data(),
        block.launch.parameters.size(), address, bytes, kind, align);
  default:
    return resolveGlobal(warp, op, lane, address, bytes, kind, align);
  }
}

//===----------------------------------------------------------------------===//
// Checks of contents
//===----------------------------------------------------------------------===//

static void reportConflict(Warp &warp, const Op &op, unsigned lane,
                           const Place &place, AccessKind kind, uint64_t bytes,
                           const Conflict &conflict) {
  std::string other = conflict.thread == SharedShadow::noThread
                          ? std::string("several threads")
                          : warp.block->describeThread(conflict.thread);
  warp.block->report(
      FindingKind::Race, op, warp, lane,
      describe(kind, bytes, "shared", place.address) + " and the " +
          (conflict.otherWrites ? "write" : "read") + " by " + other +
          " at PTX line " + llvm::Twine(conflict.otherLine) +
          " have no barrier between them");
}

static void checkPending(Warp &warp, const Op &op, unsigned lane,
                         const Place &place, AccessKind kind, uint64_t bytes) {
  BlockRunner &block = *warp.block;
  if (block.shadow.isPending(place.address, bytes))
    block.report(FindingKind::AsyncInFlight, op, warp, lane,
                 describe(kind, bytes, "shared", place.address) +
                     " while an asynchronous copy to it has not been "
                     "waited for");
  if (kind != AccessKind::Read && block.shadow.isReading(place.address, bytes))
    block.report(FindingKind::AsyncInFlight, op, warp, lane,
                 describe(kind, bytes, "shared", place.address) +
                     " while an asynchronous operation that reads it has not "
                     "been waited for");
}

static void reportBlocks(Warp &warp, const Op &op, unsigned lane,
                         const Place &place, AccessKind kind, uint64_t bytes,
                         const BlockTracker::Conflict &conflict) {
  const Dim3 &grid = warp.block->launch.grid;
  std::string other = "several blocks";
  if (!conflict.many)
    other = "block (" + std::to_string(conflict.block % grid[0]) + "," +
            std::to_string(conflict.block / grid[0] % grid[1]) + "," +
            std::to_string(conflict.block / grid[0] / grid[1]) + ")";
  warp.block->report(FindingKind::Race, op, warp, lane,
                     describe(kind, bytes, "global", place.address) + " in '" +
                         place.array->label + "', which " + other +
                         (conflict.many ? " have" : " has") +
                         (conflict.otherWrites ? " written" : " read") +
                         " too; nothing orders the blocks of a launch");
}

void prism::checkRead(Warp &warp, const Op &op, unsigned lane,
                      const Place &place, uint64_t bytes) {
  BlockRunner &block = *warp.block;
  bool uninitialized = false;
  if (place.space == PTXSpace::Global) {
    uninitialized = place.shadow && !isWritten(place.shadow, bytes);
    if (place.array && place.array->tracker.isEnabled()) {
      auto conflict = place.array->tracker.read(
          place.address - place.array->base, bytes, block.getLinearIndex());
      if (conflict.found)
        reportBlocks(warp, op, lane, place, AccessKind::Read, bytes, conflict);
    }
  } else if (place.space == PTXSpace::Shared) {
    if (block.launch.options.checkRaces) {
      checkPending(warp, op, lane, place, AccessKind::Read, bytes);
      if (auto conflict = block.shadow.read(accessorOf(warp, lane),
                                            place.address, bytes, op.line))
        reportConflict(warp, op, lane, place, AccessKind::Read, bytes,
                       *conflict);
    }
    uninitialized = !block.shadow.isInitialized(place.address, bytes);
  }
  if (uninitialized && block.launch.options.checkUninitialized)
    block.report(FindingKind::Uninitialized, op, warp, lane,
                 describe(AccessKind::Read, bytes,
                          place.space == PTXSpace::Shared ? "shared" : "global",
                          place.address) +
                     ", which nothing has written");
}

void prism::checkWrite(Warp &warp, const Op &op, unsigned lane,
                       const Place &place, uint64_t bytes, const void *data,
                       bool atomic, Proxy proxy) {
  BlockRunner &block = *warp.block;
  if (place.space == PTXSpace::Global)
    block.noteWatched(op, warp, lane, place.address, bytes);
  if (place.space == PTXSpace::Global && place.shadow) {
    if (place.array->tracker.isEnabled()) {
      bool sameValue = data && std::memcmp(data, place.host, bytes) == 0;
      auto conflict =
          place.array->tracker.write(place.address - place.array->base, bytes,
                                     block.getLinearIndex(), sameValue);
      if (conflict.found)
        reportBlocks(warp, op, lane, place, AccessKind::Write, bytes, conflict);
    }
    std::memset(place.shadow, shadowWritten, bytes);
  }
  if (place.space != PTXSpace::Shared)
    return;
  if (block.launch.options.checkRaces) {
    AccessKind kind = atomic ? AccessKind::Atomic : AccessKind::Write;
    checkPending(warp, op, lane, place, kind, bytes);
    bool sameValue = data && block.shadow.isInitialized(place.address, bytes) &&
                     std::memcmp(data, place.host, bytes) == 0;
    if (auto conflict =
            block.shadow.write(accessorOf(warp, lane), place.address, bytes,
                               op.line, atomic, sameValue))
      reportConflict(warp, op, lane, place, kind, bytes, *conflict);
  }
  block.shadow.setInitialized(place.address, bytes);
  if (proxy == Proxy::Generic)
    block.async.noteWrite(warp.index * warpSize + lane, place.address, bytes);
}

bool prism::checkAsyncRead(Warp &warp, const Op &op, unsigned lane,
                           uint64_t offset, uint64_t bytes, unsigned align) {
  Place place = resolve(warp, op, lane, PTXSpace::Shared, offset, bytes,
                        AccessKind::Read, align);
  if (!place.host)
    return false;
  checkRead(warp, op, lane, place, bytes);
  BlockRunner &block = *warp.block;
  if (auto writer =
          block.async.findUnfenced(warp.index * warpSize + lane, offset, bytes))
    block.report(FindingKind::MissingFence, op, warp, lane,
                 describe(AccessKind::Read, bytes, "shared", offset) +
                     " by an asynchronous operation, which does not see what " +
                     block.describeThread(*writer) +
                     " wrote there without a fence.proxy.async after it");
  return true;
}

/// Checks what is used of a read; the rest may be anything, and being written.
static void checkUsedBytes(Warp &warp, const Op &op, unsigned lane,
                           const Place &place, unsigned bytes) {
  auto isUsed = [&](unsigned byte) { return op.usedBytes >> byte & 1; };
  for (unsigned begin = 0, end; begin < bytes; begin = end) {
    for (end = begin; end < bytes && isUsed(end) == isUsed(begin);)
      ++end;
    if (!isUsed(begin))
      continue;
    Place part = place;
    part.host += begin;
    part.address += begin;
    if (part.shadow)
      part.shadow += begin;
    checkRead(warp, op, lane, part, end - begin);
  }
}

/// memcpy of the sizes that accesses have, without a call.
static void copyBytes(void *to, const void *from, unsigned bytes) {
  switch (bytes) {
  case 2:
    std::memcpy(to, from, 2);
    return;
  case 4:
    std::memcpy(to, from, 4);
    return;
  case 8:
    std::memcpy(to, from, 8);
    return;
  case 16:
    std::memcpy(to, from, 16);
    return;
  default:
    std::memcpy(to, from, bytes);
  }
}

bool prism::readMemory(Warp &warp, const Op &op, unsigned lane, PTXSpace space,
                       uint64_t address, unsigned bytes, void *data) {
  Place place =
      resolve(warp, op, lane, space, address, bytes, AccessKind::Read);
  if (!place.host) {
    std::memset(data, poisonByte, bytes);
    return false;
  }
  if (op.usedBytes == ~0u)
    checkRead(warp, op, lane, place, bytes);
  else
    checkUsedBytes(warp, op, lane, place, bytes);
  copyBytes(data, place.host, bytes);
  return true;
}

void prism::writeMemory(Warp &warp, const Op &op, unsigned lane, PTXSpace space,
                        uint64_t address, unsigned bytes, const void *data) {
  Place place =
      resolve(warp, op, lane, space, address, bytes, AccessKind::Write);
  if (!place.host)
    return;
  checkWrite(warp, op, lane, place, bytes, data, false);
  copyBytes(place.host, data, bytes);
}
