//===- DecodeInteger.cpp - Integer arithmetic -----------------------------===//
//
// add, sub, mul, mad, div, rem, min, max, abs, neg, mul24, sad, dp4a, and the
// carry chain. Arithmetic wraps, as on the hardware.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Lanes.h"

#include "llvm/ADT/StringSwitch.h"

#include <limits>
#include <type_traits>

using namespace prism;

namespace {
template <typename T>
using Unsigned = std::make_unsigned_t<T>;

/// The type of a product of two T.
template <typename T>
struct Wider;
template <>
struct Wider<uint16_t> {
  using Type = uint32_t;
};
template <>
struct Wider<int16_t> {
  using Type = int32_t;
};
template <>
struct Wider<uint32_t> {
  using Type = uint64_t;
};
template <>
struct Wider<int32_t> {
  using Type = int64_t;
};
template <>
struct Wider<uint64_t> {
  using Type = unsigned __int128;
};
template <>
struct Wider<int64_t> {
  using Type = __int128;
};
template <typename T>
using Wide = typename Wider<T>::Type;

// Sums and products are formed in 64 unsigned bits, which wrap.
struct Add {
  template <typename T>
  static T apply(T a, T b) {
    return T(uint64_t(a) + uint64_t(b));
  }
};
struct Sub {
  template <typename T>
  static T apply(T a, T b) {
    return T(uint64_t(a) - uint64_t(b));
  }
};
struct AddSat {
  static int32_t apply(int32_t a, int32_t b) {
    int64_t sum = int64_t(a) + b;
    return int32_t(
        std::min<int64_t>(std::max<int64_t>(sum, INT32_MIN), INT32_MAX));
  }
};
struct SubSat {
  static int32_t apply(int32_t a, int32_t b) {
    int64_t difference = int64_t(a) - b;
    return int32_t(
        std::min<int64_t>(std::max<int64_t>(difference, INT32_MIN), INT32_MAX));
  }
};
struct MulLo {
  template <typename T>
  static T apply(T a, T b) {
    return T(uint64_t(a) * uint64_t(b));
  }
};
struct MulHi {
  template <typename T>
  static T apply(T a, T b) {
    return T(Wide<T>(Wide<T>(a) * Wide<T>(b)) >> (8 * sizeof(T)));
  }
};
struct MulWide {
  template <typename T>
  static Wide<T> apply(T a, T b) {
    return Wide<T>(a) * Wide<T>(b);
  }
};
struct MadLo {
  template <typename T>
  static T apply(T a, T b, T c) {
    return T(uint64_t(a) * uint64_t(b) + uint64_t(c));
  }
};
struct MadHi {
  template <typename T>
  static T apply(T a, T b, T c) {
    return Add::apply(MulHi::apply(a, b), c);
  }
};
struct MadWide {
  template <typename T>
  static Wide<T> apply(T a, T b, Wide<T> c) {
    return Add::apply(Wide<T>(MulWide::apply(a, b)), c);
  }
};
struct Mul24 {
  template <typename T>
  static T apply(T a, T b) {
    int64_t x = std::is_signed_v<T> ? int64_t(int32_t(a << 8) >> 8)
                                    : int64_t(a & 0xffffff);
    int64_t y = std::is_signed_v<T> ? int64_t(int32_t(b << 8) >> 8)
                                    : int64_t(b & 0xffffff);
    return T(x * y);
  }
};
struct Mad24 {
  template <typename T>
  static T apply(T a, T b, T c) {
    return Add::apply(Mul24::apply(a, b), c);
  }
};
// Division by zero is unspecified in PTX; GPUs give all ones.
struct Div {
  template <typename T>
  static T apply(T a, T b) {
    if (b == 0)
      return T(-1);
    if (std::is_signed_v<T> && b == T(-1))
      return Sub::apply(T(0), a);
    return a / b;
  }
};
struct Rem {
  template <typename T>
  static T apply(T a, T b) {
    if (b == 0)
      return a;
    if (std::is_signed_v<T> && b == T(-1))
      return 0;
    return a % b;
  }
};
struct Min {
  template <typename T>
  static T apply(T a, T b) {
    return a < b ? a : b;
  }
};
struct Max {
  template <typename T>
  static T apply(T a, T b) {
    return a < b ? b : a;
  }
};
struct Abs {
  template <typename T>
  static T apply(T a) {
    return a < 0 ? Sub::apply(T(0), a) : a;
  }
};
struct Neg {
  template <typename T>
  static T apply(T a) {
    return Sub::apply(T(0), a);
  }
};
struct Sad {
  template <typename T>
  static T apply(T a, T b, T c) {
    return Add::apply(c, a < b ? Sub::apply(b, a) : Sub::apply(a, b));
  }
};
template <typename A, typename B>
struct Dp4a {
  static uint32_t apply(uint32_t a, uint32_t b, uint32_t c) {
    for (unsigned shift = 0; shift < 32; shift += 8)
      c += uint32_t(int32_t(A(a >> shift)) * int32_t(B(b >> shift)));
    return c;
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

template <typename F>
static void decodeBinary(Decoder &d) {
  PTXType type = d.expectType();
  if (!d.expectOperands(3))
    return;
  ExecFn exec = forInteger(type, [](auto tag) -> ExecFn {
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
static void decodeUnary(Decoder &d) {
  PTXType type = d.expectType();
  if (!d.expectOperands(2))
    return;
  ExecFn exec = forInteger(type, [](auto tag) -> ExecFn {
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

template <typename F>
static void decodeTernary(Decoder &d) {
  PTXType type = d.expectType();
  if (!d.expectOperands(4))
    return;
  ExecFn exec = forInteger(type, [](auto tag) -> ExecFn {
    using T = decltype(tag);
    return execTernary<F, T, T>;
  });
  if (!exec)
    return d.fail("'" + d.inst().opcode + "' does not take this type");
  Slot a = d.use(d.operand(1), type), b = d.use(d.operand(2), type);
  Slot c = d.use(d.operand(3), type), dst = d.def(d.operand(0), type);
  Op &op = d.emit(exec);
  op.dst = dst;
  op.a = a;
  op.b = b;
  op.c = c;
}

static PTXType widen(PTXType type) {
  switch (type) {
  case PTXType::U16:
    return PTXType::U32;
  case PTXType::S16:
    return PTXType::S32;
  case PTXType::U32:
    return PTXType::U64;
  default:
    return PTXType::S64;
  }
}

/// mul.wide and mad.wide, which double the width.
static void decodeWide(Decoder &d, bool mad) {
  PTXType type = d.expectType();
  if (!d.expectOperands(mad ? 4 : 3))
    return;
  ExecFn exec = nullptr;
  switch (type) {
  case PTXType::U16:
    exec =
        mad ? ExecFn(
                  execTernary<MadWide, uint32_t, uint16_t, uint16_t, uint32_t>)
            : ExecFn(execBinary<MulWide, uint32_t, uint16_t>);
    break;
  case PTXType::S16:
    exec =
        mad ? ExecFn(execTernary<MadWide, int32_t, int16_t, int16_t, int32_t>)
            : ExecFn(execBinary<MulWide, int32_t, int16_t>);
    break;
  case PTXType::U32:
    exec =
        mad ? ExecFn(
                  execTernary<MadWide, uint64_t, uint32_t, uint32_t, uint64_t>)
            : ExecFn(execBinary<MulWide, uint64_t, uint32_t>);
    break;
  case PTXType::S32:
    exec =
        mad ? ExecFn(execTernary<MadWide, int64_t, int32_t, int32_t, int64_t>)
            : ExecFn(execBinary<MulWide, int64_t, int32_t>);
    break;
  default:
    return d.fail("'.wide' takes 16 and 32-bit integers");
  }
  Slot a = d.use(d.operand(1), type), b = d.use(d.operand(2), type);
  Slot c = mad ? d.use(d.operand(3), widen(type)) : 0;
  Slot dst = d.def(d.operand(0), widen(type));
  Op &op = d.emit(exec);
  op.dst = dst;
  op.a = a;
  op.b = b;
  op.c = c;
}

static void decodeMul(Decoder &d) {
  if (d.take("wide"))
    return decodeWide(d, false);
  if (d.take("hi"))
    return decodeBinary<MulHi>(d);
  d.take("lo");
  decodeBinary<MulLo>(d);
}

//===----------------------------------------------------------------------===//
// Carries
//===----------------------------------------------------------------------===//

/// dst = a + b (+ carry) or a - b (- borrow); the carry out is kept on demand.
/// `mode`: bit 0 reads the carry, bit 1 writes it, bit 2 subtracts.
template <typename T>
static void execCarry(Warp &warp, const Op &op, uint32_t mask) {
  using Acc = unsigned __int128;
  T *dst = warp.lanes<T>(op.dst);
  const T *a = warp.lanes<T>(op.a), *b = warp.lanes<T>(op.b);
  uint32_t carryOut = 0;
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    if (!(mask >> lane & 1))
      continue;
    unsigned in = op.mode & 1 ? warp.carry >> lane & 1 : 0;
    Acc result =
        op.mode & 4 ? Acc(a[lane]) - b[lane] - in : Acc(a[lane]) + b[lane] + in;
    dst[lane] = T(result);
    carryOut |= uint32_t(result >> (8 * sizeof(T)) & 1) << lane;
  }
  if (op.mode & 2)
    warp.carry = (warp.carry & ~mask) | carryOut;
}

static void decodeCarry(Decoder &d, unsigned mode) {
  if (d.take("cc"))
    mode |= 2;
  PTXType type = d.expectType();
  if (!d.expectOperands(3))
    return;
  unsigned size = getPTXTypeSize(type);
  if (!isPTXInteger(type) || size < 4)
    return d.fail("carries need 32 or 64-bit integers");
  Slot a = d.use(d.operand(1), type), b = d.use(d.operand(2), type);
  Slot dst = d.def(d.operand(0), type);
  Op &op = d.emit(size == 4 ? execCarry<uint32_t> : execCarry<uint64_t>);
  op.mode = mode;
  op.dst = dst;
  op.a = a;
  op.b = b;
}

template <typename F, typename Sat>
static void decodeAddOrSub(Decoder &d, unsigned carryMode) {
  if (d.getModifiers().size() && d.getModifiers().front() == "cc")
    return decodeCarry(d, carryMode);
  if (!d.take("sat"))
    return decodeBinary<F>(d);
  PTXType type = d.expectType();
  if (type != PTXType::S32)
    return d.fail("'.sat' needs the type s32");
  if (!d.expectOperands(3))
    return;
  Slot a = d.use(d.operand(1), type), b = d.use(d.operand(2), type);
  Slot dst = d.def(d.operand(0), type);
  Op &op = d.emit(execBinary<Sat, int32_t, int32_t>);
  op.dst = dst;
  op.a = a;
  op.b = b;
}

static void decodeMad(Decoder &d) {
  if (d.take("wide"))
    return decodeWide(d, true);
  if (d.take("hi"))
    return decodeTernary<MadHi>(d);
  d.take("lo");
  decodeTernary<MadLo>(d);
}

static void decodeDp4a(Decoder &d) {
  PTXType aType = d.expectType(), bType = d.expectType();
  if (!d.expectOperands(4))
    return;
  bool aSigned = isPTXSigned(aType), bSigned = isPTXSigned(bType);
  ExecFn exec =
      aSigned
          ? (bSigned ? execTernary<Dp4a<int8_t, int8_t>, uint32_t, uint32_t>
                     : execTernary<Dp4a<int8_t, uint8_t>, uint32_t, uint32_t>)
          : (bSigned ? execTernary<Dp4a<uint8_t, int8_t>, uint32_t, uint32_t>
                     : execTernary<Dp4a<uint8_t, uint8_t>, uint32_t, uint32_t>);
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

DecodeFn prism::lookupIntegerInstruction(llvm::StringRef opcode) {
  return llvm::StringSwitch<DecodeFn>(opcode)
      .Case("add", [](Decoder &d) { decodeAddOrSub<Add, AddSat>(d, 0); })
      .Case("sub", [](Decoder &d) { decodeAddOrSub<Sub, SubSat>(d, 4); })
      .Case("addc", [](Decoder &d) { decodeCarry(d, 1); })
      .Case("subc", [](Decoder &d) { decodeCarry(d, 5); })
      .Case("mul", decodeMul)
      .Case("mad", decodeMad)
      .Case("mul24",
            [](Decoder &d) {
              if (!d.take("lo"))
                return d.fail("only mul24.lo is supported");
              decodeBinary<Mul24>(d);
            })
      .Case("mad24",
            [](Decoder &d) {
              if (!d.take("lo"))
                return d.fail("only mad24.lo is supported");
              decodeTernary<Mad24>(d);
            })
      .Case("div", decodeBinary<Div>)
      .Case("rem", decodeBinary<Rem>)
      .Case("min", decodeBinary<Min>)
      .Case("max", decodeBinary<Max>)
      .Case("abs", decodeUnary<Abs>)
      .Case("neg", decodeUnary<Neg>)
      .Case("sad", decodeTernary<Sad>)
      .Case("dp4a", decodeDp4a)
      .Default(nullptr);
}
