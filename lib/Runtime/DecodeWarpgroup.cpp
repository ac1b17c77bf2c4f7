//===- DecodeWarpgroup.cpp - wgmma ----------------------------------------===//
//
// wgmma.mma_async on f16, bf16 and tf32, wgmma.fence, commit_group, wait_group.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Lanes.h"
#include "WarpgroupOps.h"

using namespace prism;

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

/// Marks the operation's registers and checks that a fence came before.
static void noteRegisters(Warp &warp, const Op &op,
                          const WarpgroupMatrixOp &what) {
  WarpMatrixState &state = warp.matrix;
  unsigned unfenced = 0;
  for (const Program::Access &access :
       warp.block->launch.program.watches[what.watch]) {
    WarpMatrixState::Register &reg = state.registers[access.index];
    if (reg.unfencedLine)
      unfenced = reg.unfencedLine;
    (access.isWrite ? reg.writtenBy : reg.readBy) = state.issued;
    reg.asyncLine = op.line;
  }
  if (!state.hasFenced)
    warp.block->report(FindingKind::MissingFence, op, warp, 0,
                       "no wgmma.fence has been executed before this");
  else if (unfenced)
    warp.block->report(FindingKind::MissingFence, op, warp, 0,
                       "no wgmma.fence lies between this and the access to one "
                       "of its registers at PTX line " +
                           llvm::Twine(unfenced));
}

/// Operands: `a` and `b` the descriptors, `c` the predicate scale-d, `target`
/// the operation.
static void execMatrixOp(Warp &warp, const Op &op, uint32_t) {
  const Program &program = warp.block->launch.program;
  const WarpgroupMatrixOp &what = program.matrixOps[op.target];
  if ((warp.index / warpgroupWarps + 1) * warpgroupWarps >
      warp.block->getNumWarps()) {
    warp.block->report(FindingKind::DivergentWarp, op, warp, 0,
                       "the block has no four warps for this warpgroup");
    return warp.block->abandon();
  }
  uint32_t accumulates = warp.predicate(op.c);
  const uint64_t *a = warp.lanes<uint64_t>(op.a);
  const uint64_t *b = warp.lanes<uint64_t>(op.b);
  if (!issueMatrixOp(warp, op, what, what.aInRegisters ? 0 : a[0], b[0],
                     accumulates & 1))
    return warp.block->abandon();
  noteRegisters(warp, op, what);
}

static void execFence(Warp &warp, const Op &, uint32_t) {
  warp.matrix.hasFenced = true;
  for (WarpMatrixState::Register &reg : warp.matrix.registers)
    reg.unfencedLine = 0;
}

static void execCommit(Warp &warp, const Op &, uint32_t) {
  warp.matrix.groups.push_back(warp.matrix.issued);
}

static void execWait(Warp &warp, const Op &op, uint32_t) {
  const std::vector<uint64_t> &groups = warp.matrix.groups;
  if (groups.size() <= uint64_t(op.imm))
    return;
  uint64_t end = groups[groups.size() - 1 - op.imm];
  WarpMatrixState &state = warp.matrix;
  // The others run first, so that one who is wrongly let go ahead of the wait
  // meets the operation under way.
  if (state.waited < end && !std::exchange(state.hasYielded, true)) {
    ++warp.block->async.version;
    return warp.suspend(op, Warp::Suspension::BeforeOp);
  }
  if (!waitForMatrixOps(warp, end))
    return warp.suspend(op, Warp::Suspension::BeforeOp);
  state.hasYielded = false;
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

static Op &emitForWarp(Decoder &d, ExecFn exec,
                       OpKind kind = OpKind::Collective) {
  Op &op = d.emit(exec, kind);
  op.needsWholeWarp = true;
  return op;
}

/// m64nNkK: N and K, or zeros.
static std::pair<unsigned, unsigned> takeShape(Decoder &d) {
  for (llvm::StringRef modifier : d.getModifiers()) {
    llvm::StringRef text = modifier;
    unsigned n, k;
    if (!text.consume_front("m64n") || text.consumeInteger(10, n) ||
        !text.consume_front("k") || text.getAsInteger(10, k))
      continue;
    d.take(modifier);
    return {n, k};
  }
  return {0, 0};
}

static bool takeTypes(Decoder &d, WarpgroupMatrixOp &what) {
  PTXType sums = d.expectType(), a = d.expectType(), b = d.expectType();
  what.element = a;
  what.halfSums = sums == PTXType::F16;
  bool isKnown = a == PTXType::F16 ||
                 (!what.halfSums && (a == PTXType::BF16 || a == PTXType::TF32));
  unsigned k = a == PTXType::TF32 ? 8 : 16;
  return isKnown && a == b && (what.halfSums || sums == PTXType::F32) &&
         what.k == k && what.n % 8 == 0 && what.n >= 8 && what.n <= 256;
}

static std::optional<int64_t> immediate(Decoder &d, unsigned i) {
  if (i >= d.numOperands() ||
      d.operand(i).kind != PTXOperand::Kind::Immediate) {
    d.fail("operand " + llvm::Twine(i) + " of wgmma is a constant");
    return std::nullopt;
  }
  return int32_t(d.operand(i).bits);
}

/// imm-scale-a, imm-scale-b, and for 16-bit elements in shared memory
/// imm-trans-a, imm-trans-b.
static bool takeConstants(Decoder &d, WarpgroupMatrixOp &what) {
  auto scaleA = immediate(d, 4), scaleB = immediate(d, 5);
  if (!scaleA || !scaleB)
    return false;
  what.scaleA = *scaleA;
  what.scaleB = *scaleB;
  unsigned next = 6;
  if (what.element != PTXType::TF32) {
    for (bool *transpose : {&what.transposeA, &what.transposeB}) {
      if (transpose == &what.transposeA && what.aInRegisters)
        continue;
      auto value = immediate(d, next++);
      if (!value)
        return false;
      *transpose = *value;
    }
  }
  return std::abs(what.scaleA) == 1 && std::abs(what.scaleB) == 1 &&
         d.expectOperands(next);
}

static llvm::SmallVector<Slot> useRegisters(Decoder &d,
                                            const PTXOperand &operand,
                                            unsigned count, bool isResult) {
  llvm::SmallVector<Slot> slots;
  auto elements = d.elements(operand);
  if (elements.size() != count) {
    d.fail("expected " + llvm::Twine(count) + " registers, found " +
           llvm::Twine(elements.size()));
    return slots;
  }
  for (const PTXOperand &element : elements)
    slots.push_back(isResult ? d.def(element, PTXType::B32)
                             : d.use(element, PTXType::B32));
  d.watch(slots);
  return slots;
}

static void decodeMatrixOp(Decoder &d) {
  WarpgroupMatrixOp what;
  std::tie(what.n, what.k) = takeShape(d);
  if (!takeTypes(d, what))
    return d.fail("wgmma has no such shape with these types");
  if (!d.expectOperands(6, 8))
    return;
  what.aInRegisters = d.operand(1).kind == PTXOperand::Kind::Vector;
  if (!takeConstants(d, what))
    return d.fail("the constants of this wgmma are scales of 1 or -1, then "
                  "transpositions of 16-bit matrices in shared memory");
  auto sums =
      useRegisters(d, d.operand(0), what.n / (what.halfSums ? 4 : 2), true);
  what.d.assign(sums.begin(), sums.end());
  Slot a = 0;
  if (what.aInRegisters) {
    auto fragment = useRegisters(d, d.operand(1), 4, false);
    what.a.assign(fragment.begin(), fragment.end());
  } else {
    a = d.use(d.operand(1), PTXType::B64);
  }
  Slot b = d.use(d.operand(2), PTXType::B64);
  Slot accumulates = d.usePredicate(d.operand(3));
  Op &op = emitForWarp(d, execMatrixOp);
  op.a = a;
  op.b = b;
  op.c = accumulates;
  op.target = d.program.matrixOps.size();
  d.program.matrixOps.push_back(std::move(what));
}

static void decodeWgmma(Decoder &d) {
  d.program.usesAsyncProxy = true;
  d.ignore({"sync", "aligned"});
  if (d.take("mma_async"))
    return decodeMatrixOp(d);
  if (d.take("fence")) {
    emitForWarp(d, execFence);
  } else if (d.take("commit_group")) {
    emitForWarp(d, execCommit);
  } else if (d.take("wait_group")) {
    if (!d.expectOperands(1))
      return;
    if (d.operand(0).kind != PTXOperand::Kind::Immediate)
      return d.fail("wgmma.wait_group takes a constant");
    emitForWarp(d, execWait, OpKind::WarpWait).imm = d.operand(0).bits;
  } else {
    d.fail("unknown operation of wgmma");
  }
}

DecodeFn prism::lookupWarpgroupInstruction(llvm::StringRef opcode) {
  return opcode == "wgmma" ? decodeWgmma : nullptr;
}
