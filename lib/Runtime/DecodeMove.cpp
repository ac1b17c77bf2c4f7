//===- DecodeMove.cpp - Moves and address conversions ---------------------===//
//
// mov with packing and unpacking of vectors, cvta, isspacep, copysign.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Lanes.h"

#include "llvm/ADT/StringSwitch.h"

using namespace prism;

static void execMovePredicate(Warp &warp, const Op &op, uint32_t mask) {
  setPredicate(warp, op.dst, mask, warp.predicate(op.a));
}

static void execMove128(Warp &warp, const Op &op, uint32_t mask) {
  char *dst = warp.lanes<char>(op.dst);
  const char *a = warp.lanes<char>(op.a);
  for (unsigned lane = 0; lane < warpSize; ++lane)
    if (mask >> lane & 1)
      std::memmove(dst + 16 * lane, a + 16 * lane, 16);
}

/// Between one slot of `count * bytes` and a list of slots of `bytes`.
template <bool Pack>
static void execRepack(Warp &warp, const Op &op, uint32_t mask) {
  const Slot *parts = warp.block->launch.program.lists.data() + op.list;
  unsigned stride = op.bytes * op.count;
  char *whole = warp.lanes<char>(Pack ? op.dst : op.a);
  for (unsigned part = 0; part < op.count; ++part) {
    char *piece = warp.lanes<char>(parts[part]);
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
      unsigned lane = llvm::countr_zero(rest);
      char *inWhole = whole + lane * stride + part * op.bytes;
      char *inPiece = piece + lane * op.bytes;
      if (Pack)
        std::memcpy(inWhole, inPiece, op.bytes);
      else
        std::memcpy(inPiece, inWhole, op.bytes);
    }
  }
}

static PTXType bitsOfSize(unsigned bytes) {
  switch (bytes) {
  case 1:
    return PTXType::B8;
  case 2:
    return PTXType::B16;
  case 4:
    return PTXType::B32;
  default:
    return PTXType::B64;
  }
}

static void decodeRepack(Decoder &d, PTXType type, bool pack) {
  const PTXOperand &vector = d.operand(pack ? 1 : 0);
  unsigned count = vector.elements.size();
  unsigned bytes = getPTXTypeSize(type) / count;
  if (bytes * count != getPTXTypeSize(type) || bytes == 0 || count == 1)
    return d.fail("a value of " + llvm::Twine(8 * getPTXTypeSize(type)) +
                  " bits has no " + llvm::Twine(count) + " equal parts");
  PTXType part = bitsOfSize(bytes);
  Slot whole;
  if (!pack) {
    whole = d.use(d.operand(1), type);
  } else {
    whole = d.def(d.operand(0), type);
  }
  llvm::SmallVector<Slot> slots;
  for (const PTXOperand &element : vector.elements)
    slots.push_back(pack ? d.use(element, part) : d.def(element, part));
  uint32_t list = d.addList(slots);
  Op &op = d.emit(pack ? execRepack<true> : execRepack<false>);
  (pack ? op.dst : op.a) = whole;
  op.list = list;
  op.bytes = bytes;
  op.count = count;
  op.space = PTXSpace::Local; // not an access to memory
}

static void decodeMov(Decoder &d) {
  PTXType type = d.expectType();
  if (!d.expectOperands(2))
    return;
  if (d.operand(1).kind == PTXOperand::Kind::Vector)
    return decodeRepack(d, type, true);
  if (d.operand(0).kind == PTXOperand::Kind::Vector)
    return decodeRepack(d, type, false);
  Slot a = d.use(d.operand(1), type), dst = d.def(d.operand(0), type);
  unsigned size = getPTXTypeSize(type);
  ExecFn exec = type == PTXType::Pred   ? execMovePredicate
                : type == PTXType::B128 ? execMove128
                                        : getCopy(size, size, false);
  Op &op = d.emit(exec);
  op.dst = dst;
  op.a = a;
}

/// mapa: the address of a variable in another block of the cluster, which is
/// this block.
static void decodeMapa(Decoder &d) {
  d.take("shared::cluster");
  PTXType type = d.expectType();
  if (!d.expectOperands(3))
    return;
  Slot a = d.use(d.operand(1), type), dst = d.def(d.operand(0), type);
  Op &op = d.emit(getCopy(getPTXTypeSize(type), getPTXTypeSize(type), false));
  op.dst = dst;
  op.a = a;
}

//===----------------------------------------------------------------------===//
// Address spaces
//===----------------------------------------------------------------------===//

/// Where a space begins in the generic address space; arrays of global memory
/// have generic addresses already.
static uint64_t windowOf(PTXSpace space) {
  switch (space) {
  case PTXSpace::Shared:
    return sharedWindow;
  case PTXSpace::Local:
    return localWindow;
  case PTXSpace::Param:
    return paramWindow;
  default:
    return 0;
  }
}

static void execAddImmediate(Warp &warp, const Op &op, uint32_t mask) {
  uint64_t *dst = warp.lanes<uint64_t>(op.dst);
  const uint64_t *a = warp.lanes<uint64_t>(op.a);
  uint64_t offset = op.imm;
  forLanes(mask, [=](unsigned i) { dst[i] = a[i] + offset; });
}

static void decodeCvta(Decoder &d) {
  bool to = d.take("to");
  auto space = d.takeSpace();
  if (d.expectType() != PTXType::U64)
    return d.fail("cvta needs the type u64");
  if (!space)
    return d.fail("cvta needs a state space");
  if (!d.expectOperands(2))
    return;
  Slot a = d.use(d.operand(1), PTXType::U64);
  Slot dst = d.def(d.operand(0), PTXType::U64);
  Op &op = d.emit(execAddImmediate);
  op.dst = dst;
  op.a = a;
  op.imm = to ? -windowOf(*space) : windowOf(*space);
}

static void execIsSpace(Warp &warp, const Op &op, uint32_t mask) {
  const uint64_t *a = warp.lanes<uint64_t>(op.a);
  uint64_t window = windowOf(op.space);
  uint32_t bits = 0;
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    bool inside =
        window ? a[lane] - window < windowBytes : a[lane] >= 4 * windowBytes;
    bits |= uint32_t(inside) << lane;
  }
  setPredicate(warp, op.dst, mask, bits);
}

static void decodeIsSpace(Decoder &d) {
  auto space = d.takeSpace();
  if (!space)
    return d.fail("isspacep needs a state space");
  if (!d.expectOperands(2))
    return;
  Slot a = d.use(d.operand(1), PTXType::U64);
  Slot dst = d.defPredicate(d.operand(0));
  Op &op = d.emit(execIsSpace);
  op.dst = dst;
  op.a = a;
  op.space = *space;
}

namespace {
/// copysign d, a, b: the magnitude of b with the sign of a.
struct CopySign {
  template <typename T>
  static T apply(T a, T b) {
    return std::copysign(b, a);
  }
};
} // namespace

static void decodeCopysign(Decoder &d) {
  PTXType type = d.expectType();
  if (type != PTXType::F32 && type != PTXType::F64)
    return d.fail("copysign needs the type f32 or f64");
  if (!d.expectOperands(3))
    return;
  Slot a = d.use(d.operand(1), type), b = d.use(d.operand(2), type);
  Slot dst = d.def(d.operand(0), type);
  Op &op = d.emit(type == PTXType::F32 ? execBinary<CopySign, float, float>
                                       : execBinary<CopySign, double, double>);
  op.dst = dst;
  op.a = a;
  op.b = b;
}

DecodeFn prism::lookupMoveInstruction(llvm::StringRef opcode) {
  return llvm::StringSwitch<DecodeFn>(opcode)
      .Case("mov", decodeMov)
      .Case("mapa", decodeMapa)
      .Case("cvta", decodeCvta)
      .Case("isspacep", decodeIsSpace)
      .Case("copysign", decodeCopysign)
      .Default(nullptr);
}
