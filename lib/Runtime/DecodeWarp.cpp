//===- DecodeWarp.cpp - Operations across the lanes of a warp -------------===//
//
// shfl.sync, vote.sync, match.sync, redux.sync, activemask, elect.sync. Each
// executes once all lanes of its member mask have arrived.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Lanes.h"

#include "llvm/ADT/StringSwitch.h"

using namespace prism;

//===----------------------------------------------------------------------===//
// Shuffles
//===----------------------------------------------------------------------===//

namespace {
enum class Shuffle : uint8_t { Up, Down, Bfly, Idx };
} // namespace

/// The lane a shuffle reads from and whether that is inside its segment; PTX's
/// definition, with c = (segment mask << 8 | clamp).
static std::pair<unsigned, bool> sourceLane(Shuffle mode, unsigned lane,
                                            uint32_t b, uint32_t c) {
  unsigned segment = c >> 8 & 31, clamp = c & 31, amount = b & 31;
  unsigned maxLane = (lane & segment) | (clamp & ~segment & 31);
  unsigned minLane = lane & segment;
  switch (mode) {
  case Shuffle::Up:
    return {lane - amount, int(lane) - int(amount) >= int(maxLane)};
  case Shuffle::Down:
    return {lane + amount, lane + amount <= maxLane};
  case Shuffle::Bfly:
    return {lane ^ amount, (lane ^ amount) <= maxLane};
  case Shuffle::Idx:
    break;
  }
  unsigned source = minLane | (amount & ~segment & 31);
  return {source, source <= maxLane};
}

static void execShuffle(Warp &warp, const Op &op, uint32_t mask) {
  const uint32_t *a = warp.lanes<uint32_t>(op.a);
  const uint32_t *b = warp.lanes<uint32_t>(op.b);
  const uint32_t *c = warp.lanes<uint32_t>(op.c);
  uint32_t *dst = warp.lanes<uint32_t>(op.dst);
  uint32_t values[warpSize], inside = 0;
  std::memcpy(values, a, sizeof(values));
  uint32_t result[warpSize];
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    auto [source, valid] = sourceLane(Shuffle(op.mode), lane, b[lane], c[lane]);
    if (!valid)
      source = lane;
    inside |= uint32_t(valid) << lane;
    if (!(mask >> source & 1))
      warp.block->report(FindingKind::DivergentWarp, op, warp, lane,
                         "lane " + llvm::Twine(lane) + " reads lane " +
                             llvm::Twine(source) +
                             ", which does not take part");
    result[lane] = values[source];
  }
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    dst[lane] = result[lane];
  }
  setPredicate(warp, op.d, mask, inside);
}

static void decodeShuffle(Decoder &d) {
  if (!d.take("sync"))
    return d.fail("shfl needs '.sync'");
  Shuffle mode;
  if (d.take("up"))
    mode = Shuffle::Up;
  else if (d.take("down"))
    mode = Shuffle::Down;
  else if (d.take("bfly"))
    mode = Shuffle::Bfly;
  else if (d.take("idx"))
    mode = Shuffle::Idx;
  else
    return d.fail("shfl needs '.up', '.down', '.bfly' or '.idx'");
  d.expectType();
  if (!d.expectOperands(5))
    return;
  Slot a = d.use(d.operand(1), PTXType::B32);
  Slot b = d.use(d.operand(2), PTXType::B32);
  Slot c = d.use(d.operand(3), PTXType::B32);
  Slot members = d.use(d.operand(4), PTXType::B32);
  Slot dst = d.def(d.operand(0), PTXType::B32);
  Slot inside = d.operand(0).elements.empty()
                    ? d.temporary(0)
                    : d.defPredicate(d.operand(0).elements.front());
  Op &op = d.emit(execShuffle, OpKind::Collective);
  op.mode = uint8_t(mode);
  op.a = a;
  op.b = b;
  op.c = c;
  op.d = inside;
  op.members = members;
  op.dst = dst;
}

//===----------------------------------------------------------------------===//
// Votes
//===----------------------------------------------------------------------===//

namespace {
enum class Vote : uint8_t { All, Any, Uni, Ballot };
} // namespace

static void execVote(Warp &warp, const Op &op, uint32_t mask) {
  uint32_t bits = warp.predicate(op.a) & mask;
  if (Vote(op.mode) == Vote::Ballot) {
    uint32_t *dst = warp.lanes<uint32_t>(op.dst);
    forLanes(mask, [=](unsigned lane) { dst[lane] = bits; });
    return;
  }
  bool all = bits == mask, any = bits != 0;
  bool value = Vote(op.mode) == Vote::All   ? all
               : Vote(op.mode) == Vote::Any ? any
                                            : all || !any;
  setPredicate(warp, op.dst, mask, value ? fullMask : 0);
}

static void decodeVote(Decoder &d) {
  if (!d.take("sync"))
    return d.fail("vote needs '.sync'");
  Vote mode;
  if (d.take("all"))
    mode = Vote::All;
  else if (d.take("any"))
    mode = Vote::Any;
  else if (d.take("uni"))
    mode = Vote::Uni;
  else if (d.take("ballot"))
    mode = Vote::Ballot;
  else
    return d.fail("vote needs '.all', '.any', '.uni' or '.ballot'");
  d.expectType();
  if (!d.expectOperands(3))
    return;
  Slot a = d.usePredicate(d.operand(1));
  Slot members = d.use(d.operand(2), PTXType::B32);
  Slot dst = mode == Vote::Ballot ? d.def(d.operand(0), PTXType::B32)
                                  : d.defPredicate(d.operand(0));
  Op &op = d.emit(execVote, OpKind::Collective);
  op.mode = uint8_t(mode);
  op.a = a;
  op.members = members;
  op.dst = dst;
}

template <typename T>
static void execMatch(Warp &warp, const Op &op, uint32_t mask) {
  const T *a = warp.lanes<T>(op.a);
  uint32_t *dst = warp.lanes<uint32_t>(op.dst);
  uint32_t groups[warpSize] = {};
  for (unsigned lane = 0; lane < warpSize; ++lane)
    for (unsigned other = 0; other < warpSize; ++other)
      groups[lane] |= uint32_t(a[lane] == a[other] && (mask >> other & 1))
                      << other;
  bool all = groups[llvm::countr_zero(mask)] == mask;
  for (uint32_t rest = mask; rest; rest &= rest - 1) {
    unsigned lane = llvm::countr_zero(rest);
    dst[lane] = op.mode ? (all ? mask : 0) : groups[lane];
  }
  if (op.mode)
    setPredicate(warp, op.d, mask, all ? fullMask : 0);
}

static void decodeMatch(Decoder &d) {
  d.take("sync");
  bool all = d.take("all");
  if (!all && !d.take("any"))
    return d.fail("match needs '.any' or '.all'");
  PTXType type = d.expectType();
  if (!d.expectOperands(3))
    return;
  Slot a = d.use(d.operand(1), type);
  Slot members = d.use(d.operand(2), PTXType::B32);
  Slot dst = d.def(d.operand(0), PTXType::B32);
  Slot predicate = d.operand(0).elements.empty()
                       ? d.temporary(0)
                       : d.defPredicate(d.operand(0).elements.front());
  Op &op = d.emit(getPTXTypeSize(type) == 8 ? execMatch<uint64_t>
                                            : execMatch<uint32_t>,
                  OpKind::Collective);
  op.mode = all;
  op.a = a;
  op.d = predicate;
  op.members = members;
  op.dst = dst;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

template <typename T, T (*Combine)(T, T)>
static void execRedux(Warp &warp, const Op &op, uint32_t mask) {
  const T *a = warp.lanes<T>(op.a);
  T *dst = warp.lanes<T>(op.dst);
  T result = a[llvm::countr_zero(mask)];
  for (uint32_t rest = mask & (mask - 1); rest; rest &= rest - 1)
    result = Combine(result, a[llvm::countr_zero(rest)]);
  forLanes(mask, [=](unsigned lane) { dst[lane] = result; });
}

static uint32_t reduxAdd(uint32_t a, uint32_t b) { return a + b; }
static uint32_t reduxAnd(uint32_t a, uint32_t b) { return a & b; }
static uint32_t reduxOr(uint32_t a, uint32_t b) { return a | b; }
static uint32_t reduxXor(uint32_t a, uint32_t b) { return a ^ b; }
template <typename T>
static T reduxMin(T a, T b) {
  return std::min(a, b);
}
template <typename T>
static T reduxMax(T a, T b) {
  return std::max(a, b);
}

static ExecFn takeRedux(Decoder &d, bool isSigned) {
  if (d.take("add"))
    return execRedux<uint32_t, reduxAdd>;
  if (d.take("and"))
    return execRedux<uint32_t, reduxAnd>;
  if (d.take("or"))
    return execRedux<uint32_t, reduxOr>;
  if (d.take("xor"))
    return execRedux<uint32_t, reduxXor>;
  if (d.take("min"))
    return isSigned ? ExecFn(execRedux<int32_t, reduxMin<int32_t>>)
                    : execRedux<uint32_t, reduxMin<uint32_t>>;
  if (d.take("max"))
    return isSigned ? ExecFn(execRedux<int32_t, reduxMax<int32_t>>)
                    : execRedux<uint32_t, reduxMax<uint32_t>>;
  return nullptr;
}

static void decodeRedux(Decoder &d) {
  d.take("sync");
  PTXType type = d.expectType();
  ExecFn exec = takeRedux(d, isPTXSigned(type));
  if (!exec || getPTXTypeSize(type) != 4)
    return d.fail("redux has no such operation on this type");
  if (!d.expectOperands(3))
    return;
  Slot a = d.use(d.operand(1), type);
  Slot members = d.use(d.operand(2), PTXType::B32);
  Slot dst = d.def(d.operand(0), type);
  Op &op = d.emit(exec, OpKind::Collective);
  op.a = a;
  op.members = members;
  op.dst = dst;
}

//===----------------------------------------------------------------------===//
// The set of active lanes
//===----------------------------------------------------------------------===//

static void execActivemask(Warp &warp, const Op &op, uint32_t mask) {
  uint32_t *dst = warp.lanes<uint32_t>(op.dst);
  forLanes(mask, [=](unsigned lane) { dst[lane] = mask; });
}

static void decodeActivemask(Decoder &d) {
  d.expectType();
  if (!d.expectOperands(1))
    return;
  Slot dst = d.def(d.operand(0), PTXType::B32);
  d.emit(execActivemask).dst = dst;
}

static void execElect(Warp &warp, const Op &op, uint32_t mask) {
  unsigned leader = llvm::countr_zero(mask);
  uint32_t *dst = warp.lanes<uint32_t>(op.dst);
  forLanes(mask, [=](unsigned lane) { dst[lane] = leader; });
  setPredicate(warp, op.d, mask, 1u << leader);
}

static void decodeElect(Decoder &d) {
  d.take("sync");
  if (!d.expectOperands(2))
    return;
  if (d.operand(0).elements.empty())
    return d.fail("elect.sync needs 'd|p'");
  Slot members = d.use(d.operand(1), PTXType::B32);
  Slot dst = d.def(d.operand(0), PTXType::B32);
  Slot predicate = d.defPredicate(d.operand(0).elements.front());
  Op &op = d.emit(execElect, OpKind::Collective);
  op.members = members;
  op.dst = dst;
  op.d = predicate;
}

DecodeFn prism::lookupWarpInstruction(llvm::StringRef opcode) {
  return llvm::StringSwitch<DecodeFn>(opcode)
      .Case("shfl", decodeShuffle)
      .Case("vote", decodeVote)
      .Case("match", decodeMatch)
      .Case("redux", decodeRedux)
      .Case("activemask", decodeActivemask)
      .Case("elect", decodeElect)
      .Default(nullptr);
}
