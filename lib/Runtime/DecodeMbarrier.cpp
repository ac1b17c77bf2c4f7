//===- DecodeMbarrier.cpp - mbarrier objects ------------------------------===//
//
// mbarrier.init, inval, arrive (with expect_tx), expect_tx, complete_tx,
// test_wait and try_wait, and the arrival of a thread's cp.async. A wait that
// fails lets the other warps run. The state an arrival returns is the number of
// phases completed before it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "Decoder.h"
#include "Lanes.h"

#include "llvm/ADT/StringExtras.h"

using namespace prism;

namespace {
constexpr unsigned objectBytes = 8;
constexpr uint32_t mostArrivals = (1u << 20) - 1;
constexpr int64_t mostBytes = (1 << 20) - 1;
} // namespace

/// Whether an access orders nothing (init and inval) or is atomic.
static Place resolveObject(Warp &warp, const Op &op, unsigned lane,
                           bool isAtomic) {
  Place place =
      resolve(warp, op, lane, op.space, addressOf(warp, op, lane), objectBytes,
              isAtomic ? AccessKind::Atomic : AccessKind::Write);
  if (place.host && place.space != PTXSpace::Shared) {
    warp.block->report(FindingKind::MbarrierMisuse, op, warp, lane,
                       "an mbarrier lies in shared memory");
    return Place();
  }
  if (place.host)
    checkWrite(warp, op, lane, place, objectBytes, nullptr, isAtomic,
               Proxy::Async);
  return place;
}

/// The valid mbarrier at a lane's address, or null, which is reported.
static Mbarrier *findObject(Warp &warp, const Op &op, unsigned lane) {
  Place place = resolveObject(warp, op, lane, /*isAtomic=*/true);
  if (!place.host)
    return nullptr;
  return findMbarrier(warp, op, lane, place.address);
}

Mbarrier *prism::findMbarrier(Warp &warp, const Op &op, unsigned lane,
                              uint64_t offset) {
  auto &objects = warp.block->async.mbarriers;
  auto it = objects.find(offset);
  if (it != objects.end())
    return &it->second;
  warp.block->report(FindingKind::MbarrierMisuse, op, warp, lane,
                     "there is no initialized mbarrier at shared address 0x" +
                         llvm::utohexstr(offset));
  return nullptr;
}

static void execInit(Warp &warp, const Op &op, uint32_t mask) {
  const uint32_t *counts = warp.lanes<uint32_t>(op.b);
  for (; mask; mask &= mask - 1) {
    unsigned lane = llvm::countr_zero(mask);
    Place place = resolveObject(warp, op, lane, /*isAtomic=*/false);
    if (!place.host)
      continue;
    auto &objects = warp.block->async.mbarriers;
    uint32_t count = counts[lane];
    bool isTaken = objects.count(place.address);
    if (isTaken || count == 0 || count > mostArrivals) {
      warp.block->report(FindingKind::MbarrierMisuse, op, warp, lane,
                         isTaken
                             ? "the mbarrier is initialized already"
                             : "an arrival count of " + std::to_string(count) +
                                   " is not 1 to 1048575");
      continue;
    }
    Mbarrier &object = objects[place.address];
    object.expected = object.pending = count;
    object.line = op.line;
  }
}

static void execInvalidate(Warp &warp, const Op &op, uint32_t mask) {
  for (; mask; mask &= mask - 1) {
    unsigned lane = llvm::countr_zero(mask);
    Place place = resolveObject(warp, op, lane, /*isAtomic=*/false);
    if (!place.host)
      continue;
    if (Mbarrier *object = findMbarrier(warp, op, lane, place.address)) {
      if (!object->inFlight.empty() || !object->counted.empty())
        warp.block->report(FindingKind::MbarrierMisuse, op, warp, lane,
                           "a bulk copy still reports to this mbarrier");
      warp.block->async.mbarriers.erase(place.address);
    }
  }
}

static void expectBytes(Warp &warp, const Op &op, unsigned lane,
                        Mbarrier &object, int64_t bytes) {
  object.pendingBytes += bytes;
  ++warp.block->async.version;
  if (object.pendingBytes > mostBytes)
    warp.block->report(FindingKind::MbarrierMisuse, op, warp, lane,
                       llvm::Twine(object.pendingBytes) +
                           " bytes are expected, an mbarrier counts at most " +
                           llvm::Twine(mostBytes));
}

namespace {
enum ArriveMode : uint8_t { CountedArrival, ExpectingArrival };
} // namespace

/// Operands: `b` the count or the bytes, `dst` the state.
static void execArrive(Warp &warp, const Op &op, uint32_t mask) {
  const uint32_t *values = warp.lanes<uint32_t>(op.b);
  for (; mask; mask &= mask - 1) {
    unsigned lane = llvm::countr_zero(mask);
    Mbarrier *object = findObject(warp, op, lane);
    warp.lanes<uint64_t>(op.dst)[lane] = object ? object->phase : 0;
    if (!object)
      continue;
    bool expects = op.mode == ExpectingArrival;
    if (expects)
      expectBytes(warp, op, lane, *object, values[lane]);
    arriveAt(warp, op, lane, *object, expects ? 1 : values[lane]);
  }
}

static void execExpect(Warp &warp, const Op &op, uint32_t mask) {
  const uint32_t *values = warp.lanes<uint32_t>(op.b);
  for (; mask; mask &= mask - 1) {
    unsigned lane = llvm::countr_zero(mask);
    if (Mbarrier *object = findObject(warp, op, lane))
      expectBytes(warp, op, lane, *object, values[lane]);
  }
}

static void execComplete(Warp &warp, const Op &op, uint32_t mask) {
  const uint32_t *values = warp.lanes<uint32_t>(op.b);
  for (; mask; mask &= mask - 1) {
    unsigned lane = llvm::countr_zero(mask);
    if (Mbarrier *object = findObject(warp, op, lane))
      completeBytes(warp, *object, values[lane]);
  }
}

/// Operands: `b` the parity or the state, `dst` the predicate.
static void execWait(Warp &warp, const Op &op, uint32_t mask) {
  uint32_t done = 0;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    Mbarrier *object = findObject(warp, op, lane);
    if (!object) {
      warp.block->abandon();
      return;
    }
    int64_t phase = int64_t(warp.lanes<uint64_t>(op.b)[lane]);
    if (op.mode) {
      // The current phase if it has this parity, else the one before.
      bool isCurrent = (object->phase & 1) == (phase & 1);
      phase = object->phase - !isCurrent;
    }
    advance(warp, *object, phase);
    if (object->phase <= phase)
      continue;
    done |= 1u << lane;
    for (const BulkCopy &copy : object->completed)
      landLoad(*warp.block, copy);
    object->completed.clear();
  }
  setPredicate(warp, op.dst, mask, done);
  // What happened before the phase completed happens before what follows.
  if (done)
    ++warp.block->epoch;
  if (done != mask)
    warp.suspend(op, Warp::Suspension::AfterOp);
}

//===----------------------------------------------------------------------===//
// cp.async.mbarrier.arrive
//===----------------------------------------------------------------------===//

static void execDeferredArrival(Warp &warp, const Op &op, uint32_t mask) {
  for (; mask; mask &= mask - 1) {
    unsigned lane = llvm::countr_zero(mask);
    Mbarrier *object = findObject(warp, op, lane);
    if (!object)
      continue;
    bool isCounted = op.mode; // .noinc: init's count has it in already
    if (!isCounted)
      ++object->pending;
    object->deferred.push_back({&warp, lane, warp.copyNumber, &op});
  }
}

void prism::decodeDeferredArrival(Decoder &d) {
  if (!d.take("arrive"))
    return d.fail("cp.async.mbarrier needs '.arrive'");
  bool isCounted = d.take("noinc");
  bool isShared = d.take("shared") || d.take("shared::cta");
  if (!d.take("b64"))
    return d.fail("an mbarrier has the type b64");
  if (!d.expectOperands(1))
    return;
  Op &op = d.emit(execDeferredArrival);
  op.mode = isCounted;
  op.space = isShared ? PTXSpace::Shared : PTXSpace::Generic;
  op.bytes = objectBytes;
  d.useAddress(op, d.operand(0));
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

static Op &emitOnObject(Decoder &d, ExecFn exec, const PTXOperand &address,
                        OpKind kind = OpKind::Plain) {
  bool isShared =
      d.take("shared") || d.take("shared::cta") || d.take("shared::cluster");
  Op &op = d.emit(exec, kind);
  op.space = isShared ? PTXSpace::Shared : PTXSpace::Generic;
  op.bytes = objectBytes;
  d.useAddress(op, address);
  return op;
}

static void decodeArrive(Decoder &d) {
  bool expects = d.take("expect_tx");
  d.take("noComplete");
  if (!d.expectOperands(expects ? 3 : 2, 3))
    return;
  Slot value = d.numOperands() == 3 ? d.use(d.operand(2), PTXType::B32)
                                    : d.constant(1, 4);
  Slot state = d.def(d.operand(0), PTXType::B64);
  Op &op = emitOnObject(d, execArrive, d.operand(1));
  op.mode = expects ? ExpectingArrival : CountedArrival;
  op.b = value;
  op.dst = state;
}

static Slot widen(Decoder &d, Slot narrow) {
  Slot wide = d.temporary(8);
  Op &op = d.emit(getCopy(8, 4, false));
  op.dst = wide;
  op.a = narrow;
  return wide;
}

static void decodeWait(Decoder &d) {
  bool byParity = d.take("parity");
  if (!d.expectOperands(3, 4))
    return;
  Slot phase = d.use(d.operand(2), byParity ? PTXType::B32 : PTXType::B64);
  if (byParity)
    phase = widen(d, phase);
  Slot done = d.defPredicate(d.operand(0));
  Op &op = emitOnObject(d, execWait, d.operand(1), OpKind::Wait);
  op.mode = byParity;
  op.b = phase;
  op.dst = done;
}

static void decodeOnValue(Decoder &d, ExecFn exec) {
  if (!d.expectOperands(2))
    return;
  Slot value = d.use(d.operand(1), PTXType::B32);
  emitOnObject(d, exec, d.operand(0)).b = value;
}

static void decodeMbarrier(Decoder &d) {
  if (!d.take("b64"))
    return d.fail("an mbarrier has the type b64");
  d.ignore({"acquire", "release", "relaxed", "cta", "cluster"});
  if (d.take("init"))
    return decodeOnValue(d, execInit);
  if (d.take("arrive"))
    return decodeArrive(d);
  if (d.take("expect_tx"))
    return decodeOnValue(d, execExpect);
  if (d.take("complete_tx"))
    return decodeOnValue(d, execComplete);
  if (d.take("test_wait") || d.take("try_wait"))
    return decodeWait(d);
  if (!d.take("inval"))
    return d.fail("this operation on an mbarrier is not supported");
  if (d.expectOperands(1))
    emitOnObject(d, execInvalidate, d.operand(0));
}

DecodeFn prism::lookupMbarrierInstruction(llvm::StringRef opcode) {
  return opcode == "mbarrier" ? decodeMbarrier : nullptr;
}
