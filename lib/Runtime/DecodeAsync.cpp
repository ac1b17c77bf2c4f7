//===- DecodeAsync.cpp - Asynchronous copies of sm_80 ---------------------===//
//
// cp.async and its groups. A copy takes effect only when its thread waits for
// it, so a kernel that forgets to wait reads poison; until then an access to
// the target by anyone is reported.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "Decoder.h"
#include "Lanes.h"

using namespace prism;

/// 16 bytes between places that are in order, without the calls; false if
/// nothing was done.
static bool tryIssueCell(Warp &warp, const Op &op, unsigned lane) {
  BlockRunner &block = *warp.block;
  uint64_t target = addressOf(warp, op, lane);
  uint64_t source = warp.lanes<uint64_t>(op.b)[lane] + int32_t(op.target);
  const Allocation *array =
      block.arrayCache[&op - block.launch.program.ops.data()];
  if (!array || !array->fullyWritten || !array->contains(source, cellBytes) ||
      source % cellBytes || !isCell(block, target) ||
      !block.shadow.tryWriteCell(accessorOf(warp, lane), target, op.line))
    return false;
  auto host = reinterpret_cast<const char *>(array->data.data() +
                                             (source - array->base));
  __builtin_prefetch(host);
  block.shadow.setCellPending(target, true);
  warp.copies[lane].push_back({target, host, cellBytes, cellBytes,
                               warp.copyGroup[lane], op.line,
                               warp.copyNumber++});
  return true;
}

/// Operands: `a` the target, `b` the source address, `c` the bytes to take.
static void execIssue(Warp &warp, const Op &op, uint32_t mask) {
  const uint64_t *sources = warp.lanes<uint64_t>(op.b);
  const uint32_t *sizes = warp.lanes<uint32_t>(op.c);
  SharedShadow &shadow = warp.block->shadow;
  for (; mask; mask &= mask - 1) {
    unsigned lane = llvm::countr_zero(mask);
    unsigned taken = std::min<uint32_t>(sizes[lane], op.bytes);
    if (taken == cellBytes && tryIssueCell(warp, op, lane))
      continue;
    Place target =
        resolve(warp, op, lane, PTXSpace::Shared, addressOf(warp, op, lane),
                op.bytes, AccessKind::Write);
    // What is not taken is not touched, but the address is still aligned.
    Place source;
    if (taken)
      source = resolve(warp, op, lane, PTXSpace::Global,
                       sources[lane] + int32_t(op.target), taken,
                       AccessKind::Read, op.bytes);
    if (!target.host || (taken && !source.host))
      continue;
    if (taken) {
      // The bytes are needed when the copy lands.
      __builtin_prefetch(source.host);
      checkRead(warp, op, lane, source, taken);
    }
    checkWrite(warp, op, lane, target, op.bytes, nullptr, false);
    shadow.setPending(target.address, op.bytes, true);
    warp.copies[lane].push_back({target.address, source.host, op.bytes, taken,
                                 warp.copyGroup[lane], op.line,
                                 warp.copyNumber++});
  }
}

void prism::landCopies(Warp &warp, const Op &op, unsigned lane,
                       llvm::function_ref<bool(const AsyncCopy &)> isDone) {
  std::vector<AsyncCopy> &copies = warp.copies[lane];
  BlockRunner &block = *warp.block;
  size_t landed = 0;
  for (; landed < copies.size() && isDone(copies[landed]); ++landed) {
    const AsyncCopy &copy = copies[landed];
    if (copy.bytes == cellBytes && copy.sourceBytes == cellBytes) {
      block.shadow.setCellPending(copy.target, false);
      if (block.shadow.tryWriteCell(accessorOf(warp, lane), copy.target,
                                    op.line)) {
        block.async.noteWrite(warp.index * warpSize + lane, copy.target,
                              cellBytes);
        std::memcpy(block.shared.data() + copy.target, copy.source, cellBytes);
        continue;
      }
    }
    block.shadow.setPending(copy.target, copy.bytes, false);
    alignas(16) char data[16] = {};
    if (copy.sourceBytes)
      std::memcpy(data, copy.source, copy.sourceBytes);
    Place place;
    place.host = block.shared.data() + copy.target;
    place.space = PTXSpace::Shared;
    place.address = copy.target;
    checkWrite(warp, op, lane, place, copy.bytes, nullptr, false);
    std::memcpy(place.host, data, copy.bytes);
  }
  copies.erase(copies.begin(), copies.begin() + landed);
}

/// Lands the copies of the groups before `end`.
static void land(Warp &warp, const Op &op, unsigned lane, unsigned end) {
  landCopies(warp, op, lane,
             [=](const AsyncCopy &copy) { return copy.group < end; });
}

static void execCommit(Warp &warp, const Op &, uint32_t mask) {
  for (; mask; mask &= mask - 1)
    ++warp.copyGroup[llvm::countr_zero(mask)];
}

/// All but the newest `imm` groups have landed.
static void execWaitGroup(Warp &warp, const Op &op, uint32_t mask) {
  for (; mask; mask &= mask - 1) {
    unsigned lane = llvm::countr_zero(mask);
    unsigned committed = warp.copyGroup[lane];
    land(warp, op, lane, committed - std::min<unsigned>(committed, op.imm));
  }
}

static void execWaitAll(Warp &warp, const Op &op, uint32_t mask) {
  execCommit(warp, op, mask);
  for (; mask; mask &= mask - 1) {
    unsigned lane = llvm::countr_zero(mask);
    land(warp, op, lane, warp.copyGroup[lane]);
  }
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

static void decodeIssue(Decoder &d) {
  bool bypassL1 = d.take("cg");
  if (!bypassL1 && !d.take("ca"))
    return d.fail("cp.async needs '.ca' or '.cg'");
  if (!d.take("shared") && !d.take("shared::cta"))
    return d.fail("cp.async copies to shared memory");
  if (!d.take("global"))
    return d.fail("cp.async copies from global memory");
  bool hint = d.take("L2::cache_hint");
  d.ignore({"L2::64B", "L2::128B", "L2::256B"});
  if (!d.expectOperands(3 + hint, 4 + hint))
    return;
  const PTXOperand &size = d.operand(2);
  if (size.kind != PTXOperand::Kind::Immediate ||
      (size.bits != 16 && (bypassL1 || (size.bits != 4 && size.bits != 8))))
    return d.fail("cp.async copies 16 bytes, or with '.ca' 4 or 8");
  bool hasSourceSize = d.numOperands() - hint == 4;
  if (hasSourceSize && d.operand(3).isRegister() &&
      d.registerWidth(d.operand(3)) == 0)
    return d.fail("an ignore-src predicate is not supported");
  Slot taken = hasSourceSize ? d.use(d.operand(3), PTXType::B32)
                             : d.constant(size.bits, 4);
  // The source address, as a 64-bit value, goes through an operation of its
  // own kind; only its offset is kept here.
  Op source;
  d.useAddress(source, d.operand(1));
  if (source.shortAddress)
    return d.fail("a global address has 64 bits");
  Op &op = d.emit(execIssue);
  d.useAddress(op, d.operand(0));
  op.space = PTXSpace::Shared;
  op.bytes = size.bits;
  op.b = source.a;
  op.c = taken;
  op.target = int32_t(source.imm);
}

static void decodeCp(Decoder &d) {
  if (!d.take("async"))
    return d.fail("unknown instruction 'cp'");
  if (d.take("bulk"))
    return decodeBulk(d);
  if (d.take("mbarrier"))
    return decodeDeferredArrival(d);
  if (d.take("commit_group")) {
    d.emit(execCommit);
  } else if (d.take("wait_all")) {
    d.emit(execWaitAll);
  } else if (d.take("wait_group")) {
    if (!d.expectOperands(1))
      return;
    if (d.operand(0).kind != PTXOperand::Kind::Immediate)
      return d.fail("cp.async.wait_group takes a constant");
    Op &op = d.emit(execWaitGroup);
    op.imm = d.operand(0).bits;
  } else {
    decodeIssue(d);
  }
}

DecodeFn prism::lookupAsyncInstruction(llvm::StringRef opcode) {
  return opcode == "cp" ? decodeCp : nullptr;
}
