//===- DecodeFloat.cpp - Floating-point arithmetic ------------------------===//
//
// Arithmetic on f16, bf16, their packed pairs, f32 and f64. Sums and products
// of narrow formats are formed in f32 and rounded once more, which is exact
// rounding because f32 has over twice their precision; fma rounds once (see
// FloatFormats.h). Approximations are computed more exactly than hardware does.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Lanes.h"

#include "llvm/ADT/StringSwitch.h"

using namespace prism;

namespace {
// Functions of f32 or f64; Lift extends them to the other formats.
struct Add {
  template <typename T>
  static T apply(T a, T b) {
    return a + b;
  }
};
struct Sub {
  template <typename T>
  static T apply(T a, T b) {
    return a - b;
  }
};
struct Mul {
  template <typename T>
  static T apply(T a, T b) {
    return a * b;
  }
};
struct Div {
  template <typename T>
  static T apply(T a, T b) {
    return a / b;
  }
};
// A NaN loses against a number; -0 is below +0.
struct Min {
  template <typename T>
  static T apply(T a, T b) {
    if (a == b)
      return std::signbit(a) ? a : b;
    return a < b || b != b ? a : b;
  }
};
struct Max {
  template <typename T>
  static T apply(T a, T b) {
    if (a == b)
      return std::signbit(a) ? b : a;
    return a > b || b != b ? a : b;
  }
};
template <typename F>
struct NaNWins {
  template <typename T>
  static T apply(T a, T b) {
    return a != a || b != b ? canonicalNaN(T()) : F::apply(a, b);
  }
};
/// Of three operands (f32, sm_100 and later).
template <typename F>
struct OfThree {
  template <typename T>
  static T apply(T a, T b, T c) {
    return F::apply(F::apply(a, b), c);
  }
};
struct Abs {
  template <typename T>
  static T apply(T a) {
    return std::fabs(a);
  }
};
struct Neg {
  template <typename T>
  static T apply(T a) {
    return -a;
  }
};
struct Rcp {
  template <typename T>
  static T apply(T a) {
    return 1 / a;
  }
};
struct Sqrt {
  template <typename T>
  static T apply(T a) {
    return std::sqrt(a);
  }
};
struct Rsqrt {
  template <typename T>
  static T apply(T a) {
    return T(1.0 / std::sqrt(double(a)));
  }
};
struct Ex2 {
  template <typename T>
  static T apply(T a) {
    return std::exp2(a);
  }
};
struct Lg2 {
  template <typename T>
  static T apply(T a) {
    return std::log2(a);
  }
};
struct Sin {
  template <typename T>
  static T apply(T a) {
    return std::sin(a);
  }
};
struct Cos {
  template <typename T>
  static T apply(T a) {
    return std::cos(a);
  }
};
struct Tanh {
  template <typename T>
  static T apply(T a) {
    return std::tanh(a);
  }
};
/// `.sat`: into [0, 1], NaN to 0.
struct Saturate {
  template <typename T>
  static T apply(T a) {
    return a > 0 ? (a < 1 ? a : T(1)) : T(0);
  }
};
/// `.relu`: negative values to 0, NaN to the canonical NaN.
struct Relu {
  template <typename T>
  static T apply(T a) {
    return a != a ? canonicalNaN(T()) : a > 0 ? a : T(0);
  }
};
struct Flush {
  static float apply(float a) { return flushSubnormal(a); }
};
struct Widen {
  template <typename T>
  static float apply(T a) {
    return toFloat(a);
  }
};

/// F on any format.
template <typename F>
struct Lift {
  static float apply(float a) { return F::apply(a); }
  static double apply(double a) { return F::apply(a); }
  static float apply(float a, float b) { return F::apply(a, b); }
  static double apply(double a, double b) { return F::apply(a, b); }
  template <typename T>
  static T apply(T a) {
    return fromFloat<T>(F::apply(toFloat(a)));
  }
  template <typename T>
  static T apply(T a, T b) {
    return fromFloat<T>(F::apply(toFloat(a), toFloat(b)));
  }
  template <typename T>
  static Pair<T> apply(Pair<T> a) {
    return {apply(a.lo), apply(a.hi)};
  }
  template <typename T>
  static Pair<T> apply(Pair<T> a, Pair<T> b) {
    return {apply(a.lo, b.lo), apply(a.hi, b.hi)};
  }
};

struct Fma {
  template <typename T>
  static T apply(T a, T b, T c) {
    return fusedMultiplyAdd(a, b, c);
  }
  template <typename T>
  static Pair<T> apply(Pair<T> a, Pair<T> b, Pair<T> c) {
    return {fusedMultiplyAdd(a.lo, b.lo, c.lo),
            fusedMultiplyAdd(a.hi, b.hi, c.hi)};
  }
};

/// a * b + c in f32 with a directed rounding. A zero from terms of opposite
/// signs is negative when rounding down (IEEE 754, section 6.3).
template <Rounding R>
struct DirectedFma {
  static float apply(float a, float b, float c) {
    double product = double(a) * b;
    double sum = addToOdd(product, c);
    if (R == Rounding::Down && sum == 0 &&
        std::signbit(product) != std::signbit(c))
      return -0.0f;
    return fromDouble<float>(sum, R);
  }
};

/// a * b, which is exact in double.
template <Rounding R>
struct DirectedMul {
  static float apply(float a, float b) {
    return fromDouble<float>(double(a) * b, R);
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

/// The type of the factors, or of the first term, of an f32 instruction that
/// takes them narrower (mixed precision, sm_100 and later); else its own.
static PTXType takeMixedType(Decoder &d, PTXType type) {
  if (type == PTXType::F32 && d.take("f16"))
    return PTXType::F16;
  if (type == PTXType::F32 && d.take("bf16"))
    return PTXType::BF16;
  return type;
}

/// Reads a source, flushing subnormals if the instruction says so; where
/// `mixed` is another type than the instruction's, it is of that, and widened.
static Slot useFlushed(Decoder &d, const PTXOperand &operand, PTXType type,
                       bool ftz, std::optional<PTXType> mixed = std::nullopt) {
  bool widens = mixed && *mixed != type;
  Slot slot = d.use(operand, widens ? *mixed : type);
  if (!widens && (!ftz || type != PTXType::F32))
    return slot;
  Slot result = d.temporary(4);
  Op &op = d.emit(!widens                  ? execUnary<Flush, float, float>
                  : *mixed == PTXType::F16 ? execUnary<Widen, float, Half>
                                           : execUnary<Widen, float, BF16>);
  op.dst = result;
  op.a = slot;
  return result;
}

namespace {
/// Modifiers that act on an instruction's result.
struct ResultModifiers {
  bool ftz, saturate, relu;

  explicit ResultModifiers(Decoder &d)
      : ftz(d.take("ftz")), saturate(d.take("sat")), relu(d.take("relu")) {}

  void apply(Decoder &d, Slot dst, PTXType type) const {
    if (ftz && type == PTXType::F32)
      d.emitAfter(execUnary<Flush, float, float>, dst);
    if (saturate)
      d.emitAfter(lift<Saturate>(type), dst);
    if (relu)
      d.emitAfter(lift<Relu>(type), dst);
  }

  template <typename F>
  static ExecFn lift(PTXType type) {
    return forFloat(type, [](auto tag) -> ExecFn {
      using T = decltype(tag);
      return execUnary<Lift<F>, T, T>;
    });
  }
};
} // namespace

template <typename F>
static ExecFn liftBinary(PTXType type) {
  return forFloat(type, [](auto tag) -> ExecFn {
    using T = decltype(tag);
    return execBinary<Lift<F>, T, T>;
  });
}

static ExecFn directedFma(Rounding rounding) {
  switch (rounding) {
  case Rounding::Zero:
    return execTernary<DirectedFma<Rounding::Zero>, float, float>;
  case Rounding::Down:
    return execTernary<DirectedFma<Rounding::Down>, float, float>;
  default:
    return execTernary<DirectedFma<Rounding::Up>, float, float>;
  }
}

static ExecFn directedMul(Rounding rounding) {
  switch (rounding) {
  case Rounding::Zero:
    return execBinary<DirectedMul<Rounding::Zero>, float, float>;
  case Rounding::Down:
    return execBinary<DirectedMul<Rounding::Down>, float, float>;
  default:
    return execBinary<DirectedMul<Rounding::Up>, float, float>;
  }
}

static Rounding takeRounding(Decoder &d) {
  d.take("rn");
  if (d.take("rz"))
    return Rounding::Zero;
  if (d.take("rm"))
    return Rounding::Down;
  if (d.take("rp"))
    return Rounding::Up;
  return Rounding::Nearest;
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

static void emitBinary(Decoder &d, ExecFn exec, PTXType type,
                       const ResultModifiers &result,
                       std::optional<PTXType> mixed = std::nullopt) {
  if (!exec)
    return d.fail("'" + d.inst().opcode + "' does not take this type");
  if (!d.expectOperands(3))
    return;
  Slot a = useFlushed(d, d.operand(1), type, result.ftz, mixed);
  Slot b = useFlushed(d, d.operand(2), type, result.ftz);
  Slot dst = d.def(d.operand(0), type);
  Op &op = d.emit(exec);
  op.dst = dst;
  op.a = a;
  op.b = b;
  result.apply(d, dst, type);
}

static void emitTernary(Decoder &d, ExecFn exec, PTXType type, Slot a, Slot b,
                        Slot c, const ResultModifiers &result) {
  Slot dst = d.def(d.operand(0), type);
  Op &op = d.emit(exec);
  op.dst = dst;
  op.a = a;
  op.b = b;
  op.c = c;
  result.apply(d, dst, type);
}

/// add, sub and mul; sums with a directed rounding go through the fused form, a
/// + b being a * 1 + b, and a - b being b * -1 + a.
enum class SumKind { Add, Sub, Mul };

/// Whether the instruction is one of two f32 at once, which is known as rounded
/// to the nearest only.
static bool isPlainPair(Decoder &d, PTXType type, Rounding rounding,
                        const ResultModifiers &result) {
  if (type != PTXType::F32x2)
    return false;
  if (rounding != Rounding::Nearest || result.ftz || result.saturate ||
      result.relu)
    d.fail("'" + d.inst().opcode +
           "' of f32x2 is supported without modifiers and rounded to nearest "
           "only");
  return true;
}

template <typename F, SumKind Kind>
static void decodeSum(Decoder &d) {
  Rounding rounding = takeRounding(d);
  ResultModifiers result(d);
  PTXType type = d.expectType();
  if (isPlainPair(d, type, rounding, result))
    return emitBinary(d, execBinary<Lift<F>, Pair<float>, Pair<float>>, type,
                      result);
  PTXType mixed = Kind == SumKind::Mul ? type : takeMixedType(d, type);
  if (rounding == Rounding::Nearest)
    return emitBinary(d, liftBinary<F>(type), type, result, mixed);
  if (type != PTXType::F32)
    return d.fail("this rounding is supported for add, mul and fma of f32 "
                  "only");
  if (Kind == SumKind::Mul)
    return emitBinary(d, directedMul(rounding), type, result);
  if (!d.expectOperands(3))
    return;
  Slot a = useFlushed(d, d.operand(1), type, result.ftz, mixed);
  Slot b = useFlushed(d, d.operand(2), type, result.ftz);
  constexpr uint32_t one = 0x3f800000, minusOne = 0xbf800000;
  if (Kind == SumKind::Add)
    emitTernary(d, directedFma(rounding), type, a, d.constant(one, 4), b,
                result);
  else
    emitTernary(d, directedFma(rounding), type, b, d.constant(minusOne, 4), a,
                result);
}

static void decodeFma(Decoder &d) {
  Rounding rounding = takeRounding(d);
  ResultModifiers result(d);
  PTXType type = d.expectType();
  ExecFn exec = forFloat(type, [](auto tag) -> ExecFn {
    using T = decltype(tag);
    return execTernary<Fma, T, T>;
  });
  if (isPlainPair(d, type, rounding, result)) {
    exec = execTernary<Fma, Pair<float>, Pair<float>>;
  } else if (rounding != Rounding::Nearest) {
    if (type != PTXType::F32)
      return d.fail("this rounding is supported for add, mul and fma of f32 "
                    "only");
    exec = directedFma(rounding);
  }
  if (!exec)
    return d.fail("'" + d.inst().opcode + "' does not take this type");
  if (!d.expectOperands(4))
    return;
  PTXType mixed = takeMixedType(d, type);
  Slot a = useFlushed(d, d.operand(1), type, result.ftz, mixed);
  Slot b = useFlushed(d, d.operand(2), type, result.ftz, mixed);
  Slot c = useFlushed(d, d.operand(3), type, result.ftz);
  emitTernary(d, exec, type, a, b, c, result);
}

template <typename F>
static void decodeMinMax(Decoder &d) {
  bool nan = d.take("NaN");
  ResultModifiers result(d);
  PTXType type = d.expectType();
  if (type != PTXType::F32 || d.numOperands() != 4)
    return emitBinary(d,
                      nan ? liftBinary<NaNWins<F>>(type) : liftBinary<F>(type),
                      type, result);
  Slot a = useFlushed(d, d.operand(1), type, result.ftz);
  Slot b = useFlushed(d, d.operand(2), type, result.ftz);
  Slot c = useFlushed(d, d.operand(3), type, result.ftz);
  emitTernary(d,
              nan ? execTernary<OfThree<NaNWins<F>>, float, float>
                  : execTernary<OfThree<F>, float, float>,
              type, a, b, c, result);
}

static void decodeDiv(Decoder &d) {
  d.ignore({"rn", "approx", "full"});
  ResultModifiers result(d);
  PTXType type = d.expectType();
  emitBinary(d, liftBinary<Div>(type), type, result);
}

/// A function of one operand. Of the rounding modes only the nearest is known.
template <typename F>
static void decodeUnary(Decoder &d) {
  d.ignore({"rn", "approx"});
  ResultModifiers result(d);
  PTXType type = d.expectType();
  ExecFn exec = ResultModifiers::lift<F>(type);
  if (!exec)
    return d.fail("'" + d.inst().opcode + "' does not take this type");
  if (!d.expectOperands(2))
    return;
  Slot a = useFlushed(d, d.operand(1), type, result.ftz);
  Slot dst = d.def(d.operand(0), type);
  Op &op = d.emit(exec);
  op.dst = dst;
  op.a = a;
  result.apply(d, dst, type);
}

DecodeFn prism::lookupFloatInstruction(llvm::StringRef opcode, PTXType type) {
  if (!isPTXFloat(type))
    return nullptr;
  return llvm::StringSwitch<DecodeFn>(opcode)
      .Case("add", decodeSum<Add, SumKind::Add>)
      .Case("sub", decodeSum<Sub, SumKind::Sub>)
      .Case("mul", decodeSum<Mul, SumKind::Mul>)
      .Cases({"fma", "mad"}, decodeFma)
      .Case("div", decodeDiv)
      .Case("min", decodeMinMax<Min>)
      .Case("max", decodeMinMax<Max>)
      .Case("abs", decodeUnary<Abs>)
      .Case("neg", decodeUnary<Neg>)
      .Case("rcp", decodeUnary<Rcp>)
      .Case("sqrt", decodeUnary<Sqrt>)
      .Case("rsqrt", decodeUnary<Rsqrt>)
      .Case("ex2", decodeUnary<Ex2>)
      .Case("lg2", decodeUnary<Lg2>)
      .Case("sin", decodeUnary<Sin>)
      .Case("cos", decodeUnary<Cos>)
      .Case("tanh", decodeUnary<Tanh>)
      .Default(nullptr);
}
