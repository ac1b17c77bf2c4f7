//===- Async.cpp - Asynchronous work of a block ---------------------------===//
//
// See Async.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"

#include <algorithm>

using namespace prism;

//===----------------------------------------------------------------------===//
// Proxies
//===----------------------------------------------------------------------===//

void AsyncState::reset(uint64_t sharedBytes, bool tracksProxies) {
  version = 0;
  time = 1;
  mbarriers.clear();
  constexpr unsigned mostThreads = 1024;
  writes.assign(tracksProxies ? (sharedBytes >> cellShift) + 1 : 0, Write());
  fences.assign(tracksProxies ? mostThreads : 0, 0);
}

void AsyncState::noteWrite(unsigned thread, uint64_t offset, uint64_t bytes) {
  if (writes.empty())
    return;
  for (uint64_t cell = offset >> cellShift;
       cell <= (offset + bytes - 1) >> cellShift; ++cell)
    writes[cell] = {uint16_t(thread), time, std::nullopt};
}

void AsyncState::noteAsyncWrite(uint64_t offset, uint64_t bytes,
                                std::optional<unsigned> swizzle) {
  if (!writes.empty())
    std::fill(writes.begin() + (offset >> cellShift),
              writes.begin() + ((offset + bytes - 1) >> cellShift) + 1,
              Write{0, 0, swizzle});
}

std::optional<unsigned> AsyncState::getSwizzle(uint64_t offset) const {
  if (writes.empty())
    return std::nullopt;
  return writes[offset >> cellShift].swizzle;
}

void AsyncState::fence(unsigned thread) {
  if (!fences.empty())
    fences[thread] = ++time;
}

std::optional<unsigned> AsyncState::findUnfenced(unsigned thread,
                                                 uint64_t offset,
                                                 uint64_t bytes) const {
  if (writes.empty())
    return std::nullopt;
  for (uint64_t cell = offset >> cellShift;
       cell <= (offset + bytes - 1) >> cellShift; ++cell) {
    const Write &write = writes[cell];
    if (write.time && fences[write.thread] <= write.time &&
        fences[thread] <= write.time)
      return write.thread;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Bulk copies
//===----------------------------------------------------------------------===//

/// What an element outside the array is read as; bytes of an element.
static uint64_t fillValue(const TensorMap &map) {
  if (!map.fillWithNaN)
    return 0;
  switch (map.type) {
  case TensorMapType::F16:
    return 0x7fff;
  case TensorMapType::BF16:
    return 0x7fff;
  case TensorMapType::F32:
    return 0x7fffffff;
  default:
    return 0x7fffffffffffffff;
  }
}

static void landBox(char *shared, const BulkCopy &copy) {
  const TensorMap &map = *copy.map;
  unsigned element = getTensorMapTypeSize(map.type);
  std::vector<char> row(map.box[0] * element), outside(row.size());
  uint64_t fill = fillValue(map);
  for (size_t i = 0; i < outside.size(); i += element)
    std::memcpy(outside.data() + i, &fill, element);
  forEachRow(map, copy.coordinates, [&](const BoxRow &part) {
    row = outside;
    if (part.bytes)
      std::memcpy(row.data() + part.skipped, copy.host + part.globalOffset,
                  part.bytes);
    for (size_t i = 0; i < row.size(); i += swizzleChunk)
      std::memcpy(shared + swizzleAddress(copy.shared + part.boxOffset + i,
                                          map.swizzle),
                  row.data() + i, swizzleChunk);
  });
}

void prism::landLoad(BlockRunner &block, const BulkCopy &copy) {
  block.shadow.setPending(copy.shared, copy.bytes, false);
  block.async.noteAsyncWrite(copy.shared, copy.bytes,
                             copy.map ? std::optional(copy.map->swizzle)
                                      : std::nullopt);
  if (copy.map)
    landBox(block.shared.data(), copy);
  else
    std::memcpy(block.shared.data() + copy.shared, copy.host, copy.bytes);
}

/// Writes `bytes` bytes to global memory in pieces that accesses may have.
static void storeBytes(Warp &warp, const Op &op, unsigned lane,
                       uint64_t address, const char *data, uint64_t bytes) {
  constexpr uint64_t piece = 16;
  while (bytes) {
    unsigned count = std::min(bytes, piece - address % piece);
    Place place = resolve(warp, op, lane, PTXSpace::Global, address, count,
                          AccessKind::Write, 1);
    if (place.host) {
      checkWrite(warp, op, lane, place, count, data, false);
      std::memcpy(place.host, data, count);
    }
    address += count;
    data += count;
    bytes -= count;
  }
}

static void finishStore(Warp &warp, const BulkCopy &copy) {
  const char *shared = warp.block->shared.data();
  warp.block->shadow.setReading(copy.shared, copy.bytes, false);
  if (!copy.map) {
    storeBytes(warp, *copy.op, copy.lane, copy.global, shared + copy.shared,
               copy.bytes);
    return;
  }
  const TensorMap &map = *copy.map;
  std::vector<char> row(map.box[0] * getTensorMapTypeSize(map.type));
  forEachRow(map, copy.coordinates, [&](const BoxRow &part) {
    if (!part.bytes)
      return;
    for (size_t i = 0; i < row.size(); i += swizzleChunk)
      std::memcpy(row.data() + i,
                  shared + swizzleAddress(copy.shared + part.boxOffset + i,
                                          map.swizzle),
                  swizzleChunk);
    storeBytes(warp, *copy.op, copy.lane, copy.global + part.globalOffset,
               row.data() + part.skipped, part.bytes);
  });
}

void prism::finishStores(Warp &warp, unsigned lane, unsigned end) {
  auto isDone = [&](const BulkCopy &copy) {
    return copy.lane == lane && copy.group < end;
  };
  for (const BulkCopy &copy : warp.stores)
    if (isDone(copy))
      finishStore(warp, copy);
  llvm::erase_if(warp.stores, isDone);
}

void prism::exitWithStores(Warp &warp, uint32_t leaving) {
  for (const BulkCopy &copy : warp.stores)
    if (leaving >> copy.lane & 1)
      warp.block->report(FindingKind::AsyncInFlight, *copy.op, warp, copy.lane,
                         "the thread exits without having waited for this "
                         "store, whose source may be gone before it is read");
  for (; leaving; leaving &= leaving - 1)
    finishStores(warp, llvm::countr_zero(leaving), ~0u);
}

//===----------------------------------------------------------------------===//
// Phases
//===----------------------------------------------------------------------===//

static void completePhase(Warp &warp, Mbarrier &mbarrier) {
  if (mbarrier.pending || mbarrier.pendingBytes)
    return;
  ++mbarrier.phase;
  mbarrier.pending = mbarrier.expected;
  mbarrier.completed.insert(mbarrier.completed.end(), mbarrier.counted.begin(),
                            mbarrier.counted.end());
  mbarrier.counted.clear();
  ++warp.block->async.version;
}

bool prism::arriveAt(Warp &warp, const Op &op, unsigned lane,
                     Mbarrier &mbarrier, uint32_t count) {
  if (count == 0 || count > mbarrier.pending) {
    warp.block->report(
        FindingKind::MbarrierMisuse, op, warp, lane,
        "an arrival of " + llvm::Twine(count) + ", but the phase waits for " +
            llvm::Twine(mbarrier.pending) + " more (initialized at PTX line " +
            llvm::Twine(mbarrier.line) + " for " +
            llvm::Twine(mbarrier.expected) + ")");
    return false;
  }
  mbarrier.pending -= count;
  ++warp.block->async.version;
  completePhase(warp, mbarrier);
  return true;
}

void prism::completeBytes(Warp &warp, Mbarrier &mbarrier, uint32_t bytes) {
  mbarrier.pendingBytes -= bytes;
  ++warp.block->async.version;
  completePhase(warp, mbarrier);
}

static void count(Warp &warp, Mbarrier &mbarrier, BulkCopy copy) {
  mbarrier.pendingBytes -= copy.bytes;
  ++warp.block->async.version;
  if (mbarrier.pending == 0 && mbarrier.pendingBytes < 0)
    warp.block->report(FindingKind::MbarrierMisuse, *copy.op, warp, copy.lane,
                       "this copy brings " + llvm::Twine(copy.bytes) +
                           " bytes, " + llvm::Twine(-mbarrier.pendingBytes) +
                           " more than the mbarrier expects; the phase never "
                           "completes");
  mbarrier.counted.push_back(std::move(copy));
  completePhase(warp, mbarrier);
}

void prism::advance(Warp &warp, Mbarrier &mbarrier, int64_t phase) {
  auto isWaiting = [&] { return mbarrier.phase <= phase; };
  while (isWaiting() && !mbarrier.deferred.empty()) {
    Mbarrier::Deferred arrival = mbarrier.deferred.front();
    mbarrier.deferred.erase(mbarrier.deferred.begin());
    landCopies(
        *arrival.warp, *arrival.op, arrival.lane,
        [&](const AsyncCopy &copy) { return copy.number < arrival.copies; });
    if (!arriveAt(*arrival.warp, *arrival.op, arrival.lane, mbarrier, 1))
      return;
  }
  while (isWaiting() && !mbarrier.inFlight.empty()) {
    BulkCopy copy = std::move(mbarrier.inFlight.front());
    mbarrier.inFlight.erase(mbarrier.inFlight.begin());
    count(warp, mbarrier, std::move(copy));
  }
}

std::string prism::describeWait(Warp &warp, const Op &op) {
  if (op.kind == OpKind::WarpWait)
    return "the other warps of the warpgroup never issue the wgmma that this "
           "waits for";
  auto &objects = warp.block->async.mbarriers;
  uint64_t offset = addressOf(warp, op, llvm::countr_zero(warp.live));
  auto it = objects.find(op.space == PTXSpace::Generic ? offset - sharedWindow
                                                       : offset);
  if (it == objects.end())
    return "waits forever for an mbarrier";
  const Mbarrier &object = it->second;
  return ("the mbarrier's phase " + llvm::Twine(object.phase) +
          " never completes: it waits for " + llvm::Twine(object.pending) +
          " of " + llvm::Twine(object.expected) + " arrivals and " +
          llvm::Twine(object.pendingBytes) +
          " bytes (initialized at PTX line " + llvm::Twine(object.line) + ")")
      .str();
}
