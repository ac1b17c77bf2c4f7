//===- DecodeLogic.cpp - Bits, comparisons and selections -----------------===//
//
// and, or, xor, not, shifts, bit fields, prmt, lop3, setp, set, selp, slct.
// Logic on predicates works on the 32-bit mask that holds all lanes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Lanes.h"

#include "llvm/ADT/StringSwitch.h"

#include <type_traits>

using namespace prism;

namespace {
struct And {
  template <typename T>
  static T apply(T a, T b) {
    return a & b;
  }
};
struct Or {
  template <typename T>
  static T apply(T a, T b) {
    return a | b;
  }
};
struct Xor {
  template <typename T>
  static T apply(T a, T b) {
    return a ^ b;
  }
};
struct Not {
  template <typename T>
  static T apply(T a) {
    return ~a;
  }
};
struct CNot {
  template <typename T>
  static T apply(T a) {
    return a == 0;
  }
};
// Shift amounts at or above the width give 0, or the sign.
struct Shl {
  template <typename T>
  static T apply(T a, uint32_t amount) {
    return amount >= 8 * sizeof(T) ? 0 : T(uint64_t(a) << amount);
  }
};
struct Shr {
  template <typename T>
  static T apply(T a, uint32_t amount) {
    if (amount >= 8 * sizeof(T))
      return a < 0 ? T(-1) : T(0);
    return a >> amount;
  }
};
template <bool Left, bool Wrap>
struct Funnel {
  static uint32_t apply(uint32_t lo, uint32_t hi, uint32_t amount) {
    uint32_t n = Wrap ? amount & 31 : std::min(amount, 32u);
    uint64_t both = uint64_t(hi) << 32 | lo;
    return Left ? uint32_t((n ? both << n : both) >> 32) : uint32_t(both >> n);
  }
};
struct Popc {
  template <typename T>
  static uint32_t apply(T a) {
    return llvm::popcount(a);
  }
};
struct Clz {
  template <typename T>
  static uint32_t apply(T a) {
    return llvm::countl_zero(a);
  }
};
struct Brev {
  template <typename T>
  static T apply(T a) {
    T result = 0;
    for (unsigned bit = 0; bit < 8 * sizeof(T); ++bit)
      result |= (a >> bit & 1) << (8 * sizeof(T) - 1 - bit);
    return result;
  }
};
template <bool ShiftAmount>
struct Bfind {
  template <typename T>
  static uint32_t apply(T a) {
    using U = std::make_unsigned_t<T>;
    U value = a < 0 ? U(~a) : U(a);
    if (!value)
      return ~0u;
    uint32_t position = 8 * sizeof(T) - 1 - llvm::countl_zero(value);
    return ShiftAmount ? 8 * sizeof(T) - 1 - position : position;
  }
};
struct Bfe {
  template <typename T>
  static T apply(T a, uint32_t start, uint32_t length) {
    using U = std::make_unsigned_t<T>;
    constexpr unsigned width = 8 * sizeof(T);
    start &= 0xff;
    length &= 0xff;
    if (!length)
      return 0;
    uint32_t last = std::min(start + length - 1, width - 1);
    bool negative = std::is_signed_v<T> && (U(a) >> last & 1);
    U bits = start >= width ? U(0) : U(U(a) >> start);
    uint32_t valid = start >= width ? 0 : std::min(length, width - start);
    U keep = valid >= width ? U(~U(0)) : U((U(1) << valid) - 1);
    // Bits beyond the field, or beyond the word, are copies of the sign.
    bits = (bits & keep) | (negative ? U(~keep) : U(0));
    return T(bits);
  }
};
} // namespace

template <typename T>
static void execBfi(Warp &warp, const Op &op, uint32_t mask) {
  constexpr unsigned width = 8 * sizeof(T);
  T *dst = warp.lanes<T>(op.dst);
  const T *a = warp.lanes<T>(op.a), *b = warp.lanes<T>(op.b);
  const uint32_t *c = warp.lanes<uint32_t>(op.c);
  const uint32_t *e = warp.lanes<uint32_t>(op.d);
  forLanes(mask, [=](unsigned i) {
    uint32_t start = c[i] & 0xff, length = e[i] & 0xff;
    T ones = length >= width ? T(~T(0)) : T((T(1) << length) - 1);
    T field = start >= width ? T(0) : T(ones << start);
    T value = start >= width ? T(0) : T(a[i] << start);
    dst[i] = (b[i] & ~field) | (value & field);
  });
}

namespace {
/// The byte permutation of the default mode; a selector's bit 3 copies the
/// byte's sign.
struct Prmt {
  static uint32_t apply(uint32_t a, uint32_t b, uint32_t selector) {
    uint64_t bytes = uint64_t(b) << 32 | a;
    uint32_t result = 0;
    for (unsigned i = 0; i < 4; ++i) {
      unsigned nibble = selector >> (4 * i) & 15;
      uint32_t byte = bytes >> (8 * (nibble & 7)) & 0xff;
      if (nibble & 8)
        byte = byte & 0x80 ? 0xff : 0;
      result |= byte << (8 * i);
    }
    return result;
  }
};
/// The named modes are permutations of the default mode.
template <unsigned (*Selector)(unsigned)>
struct PrmtMode {
  static uint32_t apply(uint32_t a, uint32_t b, uint32_t control) {
    return Prmt::apply(a, b, Selector(control & 3));
  }
};
} // namespace

static unsigned f4e(unsigned n) {
  static constexpr unsigned selectors[] = {0x3210, 0x4321, 0x5432, 0x6543};
  return selectors[n];
}
static unsigned b4e(unsigned n) {
  static constexpr unsigned selectors[] = {0x5670, 0x6701, 0x7012, 0x0123};
  return selectors[n];
}
static unsigned rc8(unsigned n) { return n * 0x1111; }
static unsigned ecl(unsigned n) {
  static constexpr unsigned selectors[] = {0x3210, 0x3211, 0x3222, 0x3333};
  return selectors[n];
}
static unsigned ecr(unsigned n) {
  static constexpr unsigned selectors[] = {0x0000, 0x1110, 0x2210, 0x3210};
  return selectors[n];
}
static unsigned rc16(unsigned n) { return n & 1 ? 0x3232 : 0x1010; }

static void execLop3(Warp &warp, const Op &op, uint32_t mask) {
  uint32_t *dst = warp.lanes<uint32_t>(op.dst);
  const uint32_t *a = warp.lanes<uint32_t>(op.a);
  const uint32_t *b = warp.lanes<uint32_t>(op.b);
  const uint32_t *c = warp.lanes<uint32_t>(op.c);
  unsigned table = op.imm;
  forLanes(mask, [=](unsigned i) {
    uint32_t result = 0;
    for (unsigned row = 0; row < 8; ++row) {
      uint32_t x = row & 4 ? a[i] : ~a[i];
      uint32_t y = row & 2 ? b[i] : ~b[i];
      uint32_t z = row & 1 ? c[i] : ~c[i];
      result |= table >> row & 1 ? x & y & z : 0;
    }
    dst[i] = result;
  });
}

//===----------------------------------------------------------------------===//
// Logic
//===----------------------------------------------------------------------===//

template <typename F>
static void execPredicateBinary(Warp &warp, const Op &op, uint32_t mask) {
  setPredicate(warp, op.dst, mask,
               F::apply(warp.predicate(op.a), warp.predicate(op.b)));
}
template <typename F>
static void execPredicateUnary(Warp &warp, const Op &op, uint32_t mask) {
  setPredicate(warp, op.dst, mask, F::apply(warp.predicate(op.a)));
}

/// The unsigned integer of a type's width.
template <typename Fn>
static ExecFn forBits(PTXType type, Fn fn) {
  switch (getPTXTypeSize(type)) {
  case 2:
    return fn(uint16_t());
  case 4:
    return fn(uint32_t());
  case 8:
    return fn(uint64_t());
  default:
    return nullptr;
  }
}

template <typename F>
static void decodeLogic(Decoder &d) {
  PTXType type = d.expectType();
  if (!d.expectOperands(3))
    return;
  ExecFn exec = type == PTXType::Pred ? ExecFn(execPredicateBinary<F>)
                                      : forBits(type, [](auto tag) -> ExecFn {
                                          using T = decltype(tag);
                                          return execBinary<F, T, T>;
                                        });
  if (!exec)
    return d.fail("'" + d.inst().opcode + "' does not take this type");
  Slot a = d.use(d.operand(1), type), b = d.use(d.operand(2), type);
  Slot dst = d.def(d.operand(0), type);
  Op &op = d.emit(exec);
  op.dst = dst;
  op.a = a;
  op.b = b;
}

template <typename F>
static void decodeNot(Decoder &d) {
  PTXType type = d.expectType();
  if (!d.expectOperands(2))
    return;
  ExecFn exec = type == PTXType::Pred ? ExecFn(execPredicateUnary<Not>)
                                      : forBits(type, [](auto tag) -> ExecFn {
                                          using T = decltype(tag);
                                          return execUnary<F, T, T>;
                                        });
  if (!exec)
    return d.fail("'" + d.inst().opcode + "' does not take this type");
  Slot a = d.use(d.operand(1), type);
  Slot dst = d.def(d.operand(0), type);
  Op &op = d.emit(exec);
  op.dst = dst;
  op.a = a;
}

/// Shifts take their amount as a 32-bit operand.
template <typename F>
static void decodeShift(Decoder &d) {
  PTXType type = d.expectType();
  if (!d.expectOperands(3))
    return;
  ExecFn exec = forInteger(type, [](auto tag) -> ExecFn {
    using T = decltype(tag);
    return execBinary<F, T, T, uint32_t>;
  });
  if (!exec)
    return d.fail("'" + d.inst().opcode + "' does not take this type");
  Slot a = d.use(d.operand(1), type), b = d.use(d.operand(2), PTXType::U32);
  Slot dst = d.def(d.operand(0), type);
  Op &op = d.emit(exec);
  op.dst = dst;
  op.a = a;
  op.b = b;
}

static void decodeThree32(Decoder &d, ExecFn exec) {
  d.expectType();
  if (!d.expectOperands(4))
    return;
  Slot a = d.use(d.operand(1), PTXType::B32);
  Slot b = d.use(d.operand(2), PTXType::B32);
  Slot c = d.use(d.operand(3), PTXType::B32);
  Slot dst = d.def(d.operand(0), PTXType::B32);
  Op &op = d.emit(exec);
  op.dst = dst;
  op.a = a;
  op.b = b;
  op.c = c;
}

static void decodeFunnel(Decoder &d) {
  bool left = d.take("l");
  if (!left && !d.take("r"))
    return d.fail("shf needs '.l' or '.r'");
  bool wrap = d.take("wrap");
  d.take("clamp");
  using B = uint32_t;
  decodeThree32(d, left ? (wrap ? execTernary<Funnel<true, true>, B, B>
                                : execTernary<Funnel<true, false>, B, B>)
                        : (wrap ? execTernary<Funnel<false, true>, B, B>
                                : execTernary<Funnel<false, false>, B, B>));
}

static void decodePrmt(Decoder &d) {
  using B = uint32_t;
  ExecFn exec = execTernary<Prmt, B, B>;
  if (d.take("f4e"))
    exec = execTernary<PrmtMode<f4e>, B, B>;
  else if (d.take("b4e"))
    exec = execTernary<PrmtMode<b4e>, B, B>;
  else if (d.take("rc8"))
    exec = execTernary<PrmtMode<rc8>, B, B>;
  else if (d.take("ecl"))
    exec = execTernary<PrmtMode<ecl>, B, B>;
  else if (d.take("ecr"))
    exec = execTernary<PrmtMode<ecr>, B, B>;
  else if (d.take("rc16"))
    exec = execTernary<PrmtMode<rc16>, B, B>;
  decodeThree32(d, exec);
}

static void decodeLop3(Decoder &d) {
  d.expectType();
  if (!d.expectOperands(5))
    return;
  if (d.operand(4).kind != PTXOperand::Kind::Immediate)
    return d.fail("the table of lop3 must be a constant");
  Slot a = d.use(d.operand(1), PTXType::B32);
  Slot b = d.use(d.operand(2), PTXType::B32);
  Slot c = d.use(d.operand(3), PTXType::B32);
  Slot dst = d.def(d.operand(0), PTXType::B32);
  Op &op = d.emit(execLop3);
  op.dst = dst;
  op.a = a;
  op.b = b;
  op.c = c;
  op.imm = d.operand(4).bits;
}

template <typename F, bool KeepsType>
static void decodeCount(Decoder &d) {
  PTXType type = d.expectType();
  if (!d.expectOperands(2))
    return;
  ExecFn exec = forBits(type, [](auto tag) -> ExecFn {
    using T = decltype(tag);
    return execUnary<F, std::conditional_t<KeepsType, T, uint32_t>, T>;
  });
  if (!exec)
    return d.fail("'" + d.inst().opcode + "' does not take this type");
  Slot a = d.use(d.operand(1), type);
  Slot dst = d.def(d.operand(0), KeepsType ? type : PTXType::U32);
  Op &op = d.emit(exec);
  op.dst = dst;
  op.a = a;
}

static void decodeBfind(Decoder &d) {
  bool shiftAmount = d.take("shiftamt");
  PTXType type = d.expectType();
  if (!d.expectOperands(2))
    return;
  ExecFn exec = forInteger(type, [=](auto tag) -> ExecFn {
    using T = decltype(tag);
    return shiftAmount ? execUnary<Bfind<true>, uint32_t, T>
                       : execUnary<Bfind<false>, uint32_t, T>;
  });
  if (!exec)
    return d.fail("bfind does not take this type");
  Slot a = d.use(d.operand(1), type);
  Slot dst = d.def(d.operand(0), PTXType::U32);
  Op &op = d.emit(exec);
  op.dst = dst;
  op.a = a;
}

static void decodeBfe(Decoder &d) {
  PTXType type = d.expectType();
  if (!d.expectOperands(4))
    return;
  ExecFn exec = forInteger(type, [](auto tag) -> ExecFn {
    using T = decltype(tag);
    return execTernary<Bfe, T, T, uint32_t, uint32_t>;
  });
  if (!exec || getPTXTypeSize(type) < 4)
    return d.fail("bfe needs a 32 or 64-bit integer");
  Slot a = d.use(d.operand(1), type), b = d.use(d.operand(2), PTXType::U32);
  Slot c = d.use(d.operand(3), PTXType::U32), dst = d.def(d.operand(0), type);
  Op &op = d.emit(exec);
  op.dst = dst;
  op.a = a;
  op.b = b;
  op.c = c;
}

static void decodeBfi(Decoder &d) {
  PTXType type = d.expectType();
  if (!d.expectOperands(5))
    return;
  Slot a = d.use(d.operand(1), type), b = d.use(d.operand(2), type);
  Slot c = d.use(d.operand(3), PTXType::U32);
  Slot e = d.use(d.operand(4), PTXType::U32), dst = d.def(d.operand(0), type);
  Op &op =
      d.emit(getPTXTypeSize(type) == 8 ? execBfi<uint64_t> : execBfi<uint32_t>);
  op.dst = dst;
  op.a = a;
  op.b = b;
  op.c = c;
  op.d = e;
}

DecodeFn prism::lookupLogicInstruction(llvm::StringRef opcode) {
  return llvm::StringSwitch<DecodeFn>(opcode)
      .Case("and", decodeLogic<And>)
      .Case("or", decodeLogic<Or>)
      .Case("xor", decodeLogic<Xor>)
      .Case("not", decodeNot<Not>)
      .Case("cnot", decodeNot<CNot>)
      .Case("shl", decodeShift<Shl>)
      .Case("shr", decodeShift<Shr>)
      .Case("shf", decodeFunnel)
      .Case("prmt", decodePrmt)
      .Case("lop3", decodeLop3)
      .Case("popc", decodeCount<Popc, false>)
      .Case("clz", decodeCount<Clz, false>)
      .Case("brev", decodeCount<Brev, true>)
      .Case("bfind", decodeBfind)
      .Case("bfe", decodeBfe)
      .Case("bfi", decodeBfi)
      .Default(nullptr);
}
