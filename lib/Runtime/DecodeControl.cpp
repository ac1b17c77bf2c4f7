//===- DecodeControl.cpp - Branches, exits and barriers -------------------===//
//
// bra, brx.idx, ret, exit, trap, bar/barrier, fences.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Lanes.h"

#include "llvm/ADT/StringSwitch.h"

using namespace prism;

static void decodeBra(Decoder &d) {
  d.take("uni");
  if (!d.expectOperands(1))
    return;
  if (d.operand(0).kind != PTXOperand::Kind::Label)
    return d.fail("bra needs a label");
  // An instruction's number for now; the decoder turns it into an operation's.
  d.emit(nullptr, OpKind::Branch).target = d.operand(0).index;
}

static void decodeBrx(Decoder &d) {
  d.take("uni");
  if (!d.take("idx"))
    return d.fail("brx needs '.idx'");
  if (!d.expectOperands(2))
    return;
  if (d.operand(1).kind != PTXOperand::Kind::Label)
    return d.fail("brx.idx needs a list of branch targets");
  Slot index = d.use(d.operand(0), PTXType::U32);
  Op &op = d.emit(nullptr, OpKind::BranchTable);
  op.a = index;
  op.target = d.operand(1).index;
}

static void decodeExit(Decoder &d) {
  d.take("uni");
  d.emit(nullptr, OpKind::Exit);
}

static void decodeTrap(Decoder &d) { d.emit(nullptr, OpKind::Trap); }

static void execFence(Warp &, const Op &, uint32_t) {}

static void execProxyFence(Warp &warp, const Op &, uint32_t mask) {
  for (; mask; mask &= mask - 1)
    warp.block->async.fence(warp.index * warpSize + llvm::countr_zero(mask));
}

/// Steps are sequentially consistent, so that only the fence between proxies
/// has an effect.
static void decodeFence(Decoder &d) {
  bool isAsync =
      d.take("async") && llvm::is_contained(d.getModifiers(), "proxy");
  bool isShared = !d.take("global");
  while (!d.getModifiers().empty())
    d.take(d.getModifiers().front());
  d.emit(isAsync && isShared ? execProxyFence : execFence);
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

static void execWarpSync(Warp &warp, const Op &, uint32_t) { ++warp.syncs; }

static void decodeWarpSync(Decoder &d) {
  d.take("sync");
  if (!d.expectOperands(1))
    return;
  Slot members = d.use(d.operand(0), PTXType::B32);
  d.emit(execWarpSync, OpKind::Collective).members = members;
}

static void decodeBarrierReduction(Decoder &d) {
  BarrierAction action;
  bool popc = d.take("popc");
  if (popc)
    action = BarrierAction::RedPopc;
  else if (d.take("and"))
    action = BarrierAction::RedAnd;
  else if (d.take("or"))
    action = BarrierAction::RedOr;
  else
    return d.fail("bar.red needs '.popc', '.and' or '.or'");
  d.expectType();
  if (!d.expectOperands(3, 4))
    return;
  bool hasCount = d.numOperands() == 4;
  Slot id = d.use(d.operand(1), PTXType::U32);
  Slot count = hasCount ? d.use(d.operand(2), PTXType::U32) : d.constant(0, 4);
  Slot predicate = d.usePredicate(d.operand(hasCount ? 3 : 2));
  Slot dst =
      popc ? d.def(d.operand(0), PTXType::U32) : d.defPredicate(d.operand(0));
  Op &op = d.emit(nullptr, OpKind::Barrier);
  op.barrier = action;
  op.a = id;
  op.b = count;
  op.c = predicate;
  op.dst = dst;
}

/// A cluster is one block, so its barrier is one more of the block's. All
/// threads are waited for where they wait, not where they arrive.
static void decodeClusterBarrier(Decoder &d) {
  d.ignore({"aligned", "release", "acquire", "relaxed"});
  if (d.take("arrive")) {
    d.emit(execFence);
    return;
  }
  if (!d.take("wait"))
    return d.fail("barrier.cluster needs '.arrive' or '.wait'");
  Slot id = d.constant(BlockRunner::numBarriers, 4), all = d.constant(0, 4);
  Op &op = d.emit(nullptr, OpKind::Barrier);
  op.barrier = BarrierAction::Cluster;
  op.a = id;
  op.b = all;
}

static void decodeBarrier(Decoder &d) {
  if (d.take("warp"))
    return decodeWarpSync(d);
  if (d.take("cluster"))
    return decodeClusterBarrier(d);
  d.ignore({"cta", "aligned", "all"});
  if (d.take("red"))
    return decodeBarrierReduction(d);
  bool arrive = d.take("arrive");
  if (!arrive && !d.take("sync"))
    return d.fail("a barrier needs '.sync', '.arrive' or '.red'");
  if (!d.expectOperands(1, 2))
    return;
  Slot id = d.use(d.operand(0), PTXType::U32);
  Slot count = d.numOperands() == 2 ? d.use(d.operand(1), PTXType::U32)
                                    : d.constant(0, 4);
  Op &op = d.emit(nullptr, OpKind::Barrier);
  op.barrier = arrive ? BarrierAction::Arrive : BarrierAction::Sync;
  op.a = id;
  op.b = count;
}

DecodeFn prism::lookupControlInstruction(llvm::StringRef opcode) {
  return llvm::StringSwitch<DecodeFn>(opcode)
      .Case("bra", decodeBra)
      .Case("brx", decodeBrx)
      .Cases({"ret", "exit"}, decodeExit)
      .Cases({"trap", "brkpt"}, decodeTrap)
      .Cases({"bar", "barrier"}, decodeBarrier)
      .Cases({"membar", "fence"}, decodeFence)
      .Default(nullptr);
}
