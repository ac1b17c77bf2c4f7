//===- DecodeBulk.cpp - Bulk copies of sm_90 ------------------------------===//
//
// cp.async.bulk and cp.async.bulk.tensor between global memory and the block's
// own shared memory, their groups, and prefetches. Clusters have one block, so
// shared::cluster is the block's shared memory and nothing is multicast.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "Decoder.h"
#include "Lanes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace prism;

namespace {
constexpr unsigned plainAlign = 16, tensorAlign = 128;
} // namespace

namespace {
/// Slots in Op::list; then the coordinates of a tensor copy or the size of
/// another.
enum : unsigned { SharedSlot, GlobalSlot, BarrierSlot, firstCoordinate };
} // namespace

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

/// Reads the tensor map at a generic address and finds its array.
static bool readMap(Warp &warp, const Op &op, unsigned lane, uint64_t address,
                    BulkCopy &copy) {
  char bytes[tensorMapBytes];
  Place place = resolve(warp, op, lane, PTXSpace::Generic, address,
                        tensorMapBytes, AccessKind::Read, 64);
  if (!place.host)
    return false;
  std::memcpy(bytes, place.host, tensorMapBytes);
  auto invalid = [&](const llvm::Twine &why) {
    warp.block->report(FindingKind::InvalidDescriptor, op, warp, lane, why);
    return false;
  };
  copy.map = decodeTensorMap(bytes);
  if (!copy.map)
    return invalid("the 128 bytes at address 0x" + llvm::utohexstr(address) +
                   " are no tensor map that this device has made");
  if (copy.map->getRank() != op.count)
    return invalid("the tensor map has rank " +
                   llvm::Twine(copy.map->getRank()) + ", the copy " +
                   llvm::Twine(op.count));
  copy.global = uint64_t(copy.map->base);
  Allocation *array = warp.block->launch.memory.find(copy.global);
  if (!array)
    return invalid("the array of the tensor map has been freed");
  if (llvm::Error error = copy.map->verify())
    return invalid(llvm::toString(std::move(error)));
  if (!array->contains(copy.global, copy.map->getArrayBytes()))
    return invalid("the tensor map goes beyond its array '" + array->label +
                   "'");
  copy.host = reinterpret_cast<char *>(array->data.data() +
                                       (copy.global - array->base));
  copy.bytes = copy.map->getBoxBytes();
  return true;
}

/// Fills in everything but checks of shared memory; false if it is reported.
static bool prepare(Warp &warp, const Op &op, unsigned lane, BulkCopy &copy) {
  const Slot *list = warp.block->launch.program.lists.data() + op.list;
  copy.op = &op;
  copy.lane = lane;
  uint64_t global = warp.lanes<uint64_t>(list[GlobalSlot])[lane] + op.imm;
  if (op.count) {
    if (!readMap(warp, op, lane, global, copy))
      return false;
    for (unsigned i = 0; i < op.count; ++i)
      copy.coordinates[i] =
          warp.lanes<int32_t>(list[firstCoordinate + i])[lane];
    return true;
  }
  copy.global = global;
  copy.bytes = warp.lanes<uint32_t>(list[firstCoordinate])[lane];
  if (copy.bytes == 0 || copy.bytes % plainAlign) {
    warp.block->report(FindingKind::Misaligned, op, warp, lane,
                       "a bulk copy of " + llvm::Twine(copy.bytes) +
                           " bytes; the size is a positive multiple of 16");
    return false;
  }
  return true;
}

/// What a copy takes of shared memory: where rows are narrower than the
/// swizzle, it moves chunks to anywhere in its span.
static uint64_t sharedBytesOf(const BulkCopy &copy) {
  uint64_t span = copy.map ? copy.map->swizzle : 0;
  return span ? llvm::alignTo(copy.bytes, span) : copy.bytes;
}

static void checkGlobalRead(Warp &warp, const Op &op, unsigned lane,
                            uint64_t address, uint64_t bytes) {
  Place place = resolve(warp, op, lane, PTXSpace::Global, address, bytes,
                        AccessKind::Read, 1);
  if (place.host)
    checkRead(warp, op, lane, place, bytes);
}

static void execLoadBulk(Warp &warp, const Op &op, uint32_t mask) {
  const Slot *list = warp.block->launch.program.lists.data() + op.list;
  for (; mask; mask &= mask - 1) {
    unsigned lane = llvm::countr_zero(mask);
    BulkCopy copy;
    Mbarrier *mbarrier = findMbarrier(
        warp, op, lane, warp.lanes<uint64_t>(list[BarrierSlot])[lane]);
    if (!prepare(warp, op, lane, copy) || !mbarrier)
      continue;
    Place target = resolve(warp, op, lane, PTXSpace::Shared,
                           warp.lanes<uint64_t>(list[SharedSlot])[lane],
                           sharedBytesOf(copy), AccessKind::Write,
                           op.count ? tensorAlign : plainAlign);
    if (!target.host)
      continue;
    copy.shared = target.address;
    if (op.count) {
      forEachRow(*copy.map, copy.coordinates, [&](const BoxRow &row) {
        if (row.bytes)
          checkGlobalRead(warp, op, lane, copy.global + row.globalOffset,
                          row.bytes);
      });
    } else {
      Place source = resolve(warp, op, lane, PTXSpace::Global, copy.global,
                             copy.bytes, AccessKind::Read, plainAlign);
      if (!source.host)
        continue;
      checkRead(warp, op, lane, source, copy.bytes);
      copy.host = source.host;
    }
    checkWrite(warp, op, lane, target, copy.bytes, nullptr, false,
               Proxy::Async);
    warp.block->shadow.setPending(copy.shared, copy.bytes, true);
    mbarrier->inFlight.push_back(std::move(copy));
    ++warp.block->async.version;
  }
}

static void execStoreBulk(Warp &warp, const Op &op, uint32_t mask) {
  const Slot *list = warp.block->launch.program.lists.data() + op.list;
  for (; mask; mask &= mask - 1) {
    unsigned lane = llvm::countr_zero(mask);
    BulkCopy copy;
    if (!prepare(warp, op, lane, copy))
      continue;
    copy.shared = warp.lanes<uint64_t>(list[SharedSlot])[lane];
    unsigned align = op.count ? tensorAlign : plainAlign;
    if (!resolve(warp, op, lane, PTXSpace::Shared, copy.shared,
                 sharedBytesOf(copy), AccessKind::Read, align)
             .host ||
        !checkAsyncRead(warp, op, lane, copy.shared, copy.bytes, align))
      continue;
    if (!op.count && !resolve(warp, op, lane, PTXSpace::Global, copy.global,
                              copy.bytes, AccessKind::Write, plainAlign)
                          .host)
      continue;
    copy.group = warp.storeGroup[lane];
    warp.block->shadow.setReading(copy.shared, copy.bytes, true);
    warp.stores.push_back(std::move(copy));
  }
}

static void execCommitBulk(Warp &warp, const Op &, uint32_t mask) {
  for (; mask; mask &= mask - 1)
    ++warp.storeGroup[llvm::countr_zero(mask)];
}

static void execWaitBulk(Warp &warp, const Op &op, uint32_t mask) {
  for (; mask; mask &= mask - 1) {
    unsigned lane = llvm::countr_zero(mask);
    unsigned committed = warp.storeGroup[lane];
    finishStores(warp, lane, committed - std::min<unsigned>(committed, op.imm));
  }
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

static void execOffset(Warp &warp, const Op &op, uint32_t mask) {
  uint64_t *dst = warp.lanes<uint64_t>(op.dst);
  forLanes(mask, [&](unsigned lane) { dst[lane] = addressOf(warp, op, lane); });
}

/// An address as 64 bits in a slot of its own.
static Slot useWideAddress(Decoder &d, const PTXOperand &operand) {
  Op address;
  d.useAddress(address, operand);
  Slot slot = d.temporary(8);
  Op &op = d.emit(execOffset);
  op.a = address.a;
  op.imm = address.imm;
  op.shortAddress = address.shortAddress;
  op.dst = slot;
  return slot;
}

static void decodeGroup(Decoder &d) {
  if (d.take("commit_group")) {
    d.emit(execCommitBulk);
    return;
  }
  d.take("read");
  if (!d.expectOperands(1))
    return;
  if (d.operand(0).kind != PTXOperand::Kind::Immediate)
    return d.fail("cp.async.bulk.wait_group takes a constant");
  d.emit(execWaitBulk).imm = d.operand(0).bits;
}

namespace {
/// What a copy's operands are, by number.
struct Layout {
  unsigned shared, global, size = 0, barrier = 0;
};
} // namespace

static unsigned takeRank(Decoder &d) {
  for (unsigned rank = 1; rank <= TensorMap::maxRank; ++rank)
    if (d.take(std::to_string(rank) + "d"))
      return rank;
  return 0;
}

/// Whether it is a load (true), a store (false) or neither, which fails.
static std::optional<bool> takeDirection(Decoder &d) {
  auto first = d.getModifiers().empty() ? "" : d.getModifiers().front();
  bool fromGlobal = d.take("global");
  bool shared = d.take("shared::cluster");
  shared |= d.take("shared::cta");
  if (!fromGlobal || !shared) {
    d.fail("a bulk copy is between 'global' and the block's shared memory");
    return std::nullopt;
  }
  return first != "global";
}

static void decodeCopy(Decoder &d, bool isTensor) {
  unsigned rank = isTensor ? takeRank(d) : 0;
  if (isTensor && !rank)
    return d.fail("a tensor copy has '.1d' to '.5d'");
  if (d.take("im2col"))
    return d.fail("only tiles are supported, not im2col");
  d.take("tile");
  bool hint = d.take("L2::cache_hint");
  auto isLoad = takeDirection(d);
  if (!isLoad)
    return;
  if (!d.take(*isLoad ? "mbarrier::complete_tx::bytes" : "bulk_group"))
    return d.fail(*isLoad ? "a bulk load reports to an mbarrier"
                          : "a bulk store completes by '.bulk_group'");
  Layout layout;
  layout.shared = *isLoad ? 0 : 1;
  layout.global = *isLoad ? 1 : 0;
  unsigned count = 2;
  if (!isTensor)
    layout.size = count++;
  if (*isLoad)
    layout.barrier = count++;
  if (!d.expectOperands(count + hint))
    return;
  llvm::SmallVector<Slot, 8> slots(firstCoordinate);
  slots[SharedSlot] = useWideAddress(d, d.operand(layout.shared));
  slots[GlobalSlot] = useWideAddress(d, d.operand(layout.global));
  slots[BarrierSlot] =
      *isLoad ? useWideAddress(d, d.operand(layout.barrier)) : 0;
  if (isTensor) {
    const PTXOperand &map = d.operand(layout.global);
    auto coordinates = map.elements.empty() ? llvm::ArrayRef<PTXOperand>()
                                            : d.elements(map.elements.front());
    if (coordinates.size() != rank)
      return d.fail("expected " + llvm::Twine(rank) + " coordinates, found " +
                    llvm::Twine(coordinates.size()));
    for (const PTXOperand &coordinate : coordinates)
      slots.push_back(d.use(coordinate, PTXType::S32));
  } else {
    slots.push_back(d.use(d.operand(layout.size), PTXType::U32));
  }
  uint32_t list = d.addList(slots);
  Op &op = d.emit(*isLoad ? execLoadBulk : execStoreBulk);
  op.space = PTXSpace::Global;
  op.bytes = 2; // the narrowest element that two blocks may share a piece by
  op.count = rank;
  op.list = list;
}

static void execNothing(Warp &, const Op &, uint32_t) {}

void prism::decodeBulk(Decoder &d) {
  d.program.usesAsyncProxy = true;
  if (llvm::is_contained(d.getModifiers(), "commit_group"))
    return decodeGroup(d);
  if (d.take("wait_group"))
    return decodeGroup(d);
  bool isPrefetch = d.take("prefetch");
  if (isPrefetch) {
    while (!d.getModifiers().empty())
      d.take(d.getModifiers().front());
    d.emit(execNothing);
    return;
  }
  decodeCopy(d, d.take("tensor"));
}
