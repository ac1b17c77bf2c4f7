//===- DecodeConversion.cpp - Conversions between types -------------------===//
//
// cvt in all combinations. The common conversions have operations of their own;
// all others go through a carrier that holds every source value exactly (double
// for floating point, 64-bit integers) in a temporary, and round once from it.
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
/// How a value is rounded and limited; packed into Op::mode.
struct ConversionMode {
  Rounding rounding = Rounding::Nearest;
  bool toInteger = false; ///< round to an integral value first
  bool saturate = false;

  uint8_t pack() const {
    return uint8_t(rounding) | toInteger << 4 | saturate << 5;
  }
  static ConversionMode unpack(uint8_t mode) {
    return {Rounding(mode & 15), bool(mode & 16), bool(mode & 32)};
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// To the carrier
//===----------------------------------------------------------------------===//

static double widen(float value) { return value; }
static double widen(Half value) { return toFloat(value); }
static double widen(BF16 value) { return toFloat(value); }

namespace {
struct Widen {
  template <typename T>
  static double apply(T value) {
    return widen(value);
  }
};
template <typename R>
struct Narrow {
  static R apply(float value) { return fromFloat<R>(value); }
};
struct Extend {
  template <typename T>
  static float apply(T value) {
    return toFloat(value);
  }
};
/// Two f32 values to a packed pair; the first is the upper half.
template <typename T>
struct PackPair {
  static Pair<T> apply(float hi, float lo) {
    return {fromFloat<T>(lo), fromFloat<T>(hi)};
  }
};
template <typename T>
struct PackPairToZero {
  static Pair<T> apply(float hi, float lo) {
    return {fromDouble<T>(lo, Rounding::Zero),
            fromDouble<T>(hi, Rounding::Zero)};
  }
};
template <typename T>
struct ReluPair {
  static T one(T value) {
    float f = toFloat(value);
    return f != f ? canonicalNaN(value) : f > 0 ? value : T{0};
  }
  static Pair<T> apply(Pair<T> value) { return {one(value.lo), one(value.hi)}; }
};
struct FlushF32 {
  static float apply(float value) { return flushSubnormal(value); }
};
} // namespace

//===----------------------------------------------------------------------===//
// From the carrier
//===----------------------------------------------------------------------===//

static double roundToIntegral(double value, Rounding rounding) {
  switch (rounding) {
  case Rounding::Zero:
    return std::trunc(value);
  case Rounding::Down:
    return std::floor(value);
  case Rounding::Up:
    return std::ceil(value);
  case Rounding::NearestAway:
    return std::round(value);
  case Rounding::Nearest:
    break;
  }
  return std::nearbyint(value); // the host rounds to nearest, ties to even
}

/// Out-of-range values become the nearest integer there is, NaN becomes 0.
template <typename R>
static R toIntegerSaturating(double value) {
  using Limits = std::numeric_limits<R>;
  if (value != value)
    return 0;
  // The upper limit plus one is a power of two, so it is exact.
  double end = std::ldexp(1.0, Limits::digits);
  if (value >= end)
    return Limits::max();
  if (value <= double(Limits::min()))
    return Limits::min();
  return R(value);
}

template <typename R>
static R convert(double value, ConversionMode mode) {
  if constexpr (std::is_integral_v<R>)
    return toIntegerSaturating<R>(roundToIntegral(value, mode.rounding));
  if (mode.toInteger) {
    value = roundToIntegral(value, mode.rounding);
    mode.rounding = Rounding::Nearest;
  }
  if (mode.saturate)
    value = value > 0 ? std::min(value, 1.0) : 0.0;
  if constexpr (!std::is_integral_v<R>)
    return fromDouble<R>(value, mode.rounding);
}

template <typename R, typename I>
static R convertInteger(I value, ConversionMode mode) {
  if constexpr (std::is_integral_v<R>) {
    if (!mode.saturate)
      return R(value);
    __int128 wide = value;
    wide = std::max<__int128>(wide, std::numeric_limits<R>::min());
    return R(std::min<__int128>(wide, std::numeric_limits<R>::max()));
  } else if constexpr (std::is_same_v<R, double>) {
    return double(value);
  } else {
    // Both halves are exact in double; their sum is rounded once, at the end.
    double lo = double(uint32_t(value));
    double hi = double(I(value - I(uint32_t(value))));
    double sum = addToOdd(hi, lo);
    if (mode.saturate)
      sum = sum > 0 ? std::min(sum, 1.0) : 0.0;
    return fromDouble<R>(sum, mode.rounding);
  }
}

template <typename R>
static void execFromDouble(Warp &warp, const Op &op, uint32_t mask) {
  R *dst = warp.lanes<R>(op.dst);
  const double *a = warp.lanes<double>(op.a);
  ConversionMode mode = ConversionMode::unpack(op.mode);
  forLanes(mask, [=](unsigned i) { dst[i] = convert<R>(a[i], mode); });
}

template <typename R, typename I>
static void execFromInteger(Warp &warp, const Op &op, uint32_t mask) {
  R *dst = warp.lanes<R>(op.dst);
  const I *a = warp.lanes<I>(op.a);
  ConversionMode mode = ConversionMode::unpack(op.mode);
  forLanes(mask,
           [=](unsigned i) { dst[i] = convertInteger<R, I>(a[i], mode); });
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

template <typename Fn>
static ExecFn forResult(PTXType type, Fn fn) {
  switch (type) {
  case PTXType::U8:
  case PTXType::B8:
    return fn(uint8_t());
  case PTXType::S8:
    return fn(int8_t());
  case PTXType::F16:
    return fn(Half());
  case PTXType::BF16:
    return fn(BF16());
  case PTXType::F32:
    return fn(float());
  case PTXType::F64:
    return fn(double());
  default:
    return forInteger(type, fn);
  }
}

static ConversionMode takeMode(Decoder &d) {
  ConversionMode mode;
  for (auto [name, rounding] : {std::make_pair("rn", Rounding::Nearest),
                                {"rz", Rounding::Zero},
                                {"rm", Rounding::Down},
                                {"rp", Rounding::Up},
                                {"rna", Rounding::NearestAway}}) {
    if (d.take(name))
      mode.rounding = rounding;
    if (d.take(std::string(name) + "i")) {
      mode.rounding = rounding;
      mode.toInteger = true;
    }
  }
  mode.saturate = d.take("sat");
  return mode;
}

/// Conversions frequent enough to be worth a single operation, or null.
static ExecFn directConversion(PTXType to, PTXType from, ConversionMode mode) {
  bool plain = !mode.toInteger && !mode.saturate;
  if (isPTXInteger(to) && isPTXInteger(from) && plain)
    return getCopy(getPTXTypeSize(to), getPTXTypeSize(from), isPTXSigned(from));
  if (!plain || mode.rounding != Rounding::Nearest)
    return nullptr;
  if (to == PTXType::F32 && from == PTXType::F16)
    return execUnary<Extend, float, Half>;
  if (to == PTXType::F32 && from == PTXType::BF16)
    return execUnary<Extend, float, BF16>;
  if (to == PTXType::F16 && from == PTXType::F32)
    return execUnary<Narrow<Half>, Half, float>;
  if (to == PTXType::BF16 && from == PTXType::F32)
    return execUnary<Narrow<BF16>, BF16, float>;
  return nullptr;
}

/// The source in its carrier.
static Slot emitCarrier(Decoder &d, Slot source, PTXType from) {
  Slot carrier = d.temporary(8);
  ExecFn exec = nullptr;
  switch (from) {
  case PTXType::F16:
    exec = execUnary<Widen, double, Half>;
    break;
  case PTXType::BF16:
    exec = execUnary<Widen, double, BF16>;
    break;
  case PTXType::F32:
    exec = execUnary<Widen, double, float>;
    break;
  default:
    if (getPTXTypeSize(from) == 8)
      return source;
    exec = getCopy(8, getPTXTypeSize(from), isPTXSigned(from));
    break;
  }
  Op &op = d.emit(exec);
  op.dst = carrier;
  op.a = source;
  return carrier;
}

static void decodePack(Decoder &d, PTXType type, bool relu, bool toZero) {
  bool half = type == PTXType::F16x2;
  if (!d.expectOperands(3))
    return;
  Slot a = d.use(d.operand(1), PTXType::F32);
  Slot b = d.use(d.operand(2), PTXType::F32);
  Slot dst = d.def(d.operand(0), type);
  ExecFn exec =
      half ? (toZero ? execBinary<PackPairToZero<Half>, Half2, float>
                     : execBinary<PackPair<Half>, Half2, float>)
           : ExecFn(toZero ? execBinary<PackPairToZero<BF16>, BF162, float>
                           : execBinary<PackPair<BF16>, BF162, float>);
  Op &op = d.emit(exec);
  op.dst = dst;
  op.a = a;
  op.b = b;
  if (relu)
    d.emitAfter(half ? ExecFn(execUnary<ReluPair<Half>, Half2, Half2>)
                     : ExecFn(execUnary<ReluPair<BF16>, BF162, BF162>),
                dst);
}

/// tf32 is an f32 whose lowest 13 bits are zero.
static void execToTF32(Warp &warp, const Op &op, uint32_t mask) {
  uint32_t *dst = warp.lanes<uint32_t>(op.dst);
  const uint32_t *a = warp.lanes<uint32_t>(op.a);
  Rounding rounding = Rounding(op.mode);
  forLanes(mask, [=](unsigned i) {
    uint32_t bits = a[i];
    if ((bits & 0x7f800000) != 0x7f800000) {
      if (rounding == Rounding::Nearest)
        bits += 0xfff + (bits >> 13 & 1);
      else if (rounding == Rounding::NearestAway)
        bits += 0x1000;
    }
    dst[i] = bits & ~0x1fffu;
  });
}

static void decodeToTF32(Decoder &d, Rounding rounding) {
  if (!d.expectOperands(2))
    return;
  Slot a = d.use(d.operand(1), PTXType::F32);
  Slot dst = d.def(d.operand(0), PTXType::B32);
  Op &op = d.emit(execToTF32);
  op.dst = dst;
  op.a = a;
  op.mode = uint8_t(rounding);
}

static void decodeCvt(Decoder &d) {
  ConversionMode mode = takeMode(d);
  bool ftz = d.take("ftz"), relu = d.take("relu");
  PTXType to = d.expectType(), from = d.expectType();
  if (to == PTXType::TF32 && from == PTXType::F32)
    return decodeToTF32(d, mode.rounding);
  if ((to == PTXType::F16x2 || to == PTXType::BF16x2) && from == PTXType::F32)
    return decodePack(d, to, relu, mode.rounding == Rounding::Zero);
  if (relu)
    return d.fail("'.relu' is supported for packed results only");
  if (!d.expectOperands(2))
    return;
  Slot a = d.use(d.operand(1), from);
  if (ftz && from == PTXType::F32) {
    Slot flushed = d.temporary(4);
    Op &op = d.emit(execUnary<FlushF32, float, float>);
    op.dst = flushed;
    op.a = a;
    a = flushed;
  }
  ExecFn exec = directConversion(to, from, mode);
  if (!exec) {
    a = emitCarrier(d, a, from);
    exec = forResult(to, [&](auto tag) -> ExecFn {
      using R = decltype(tag);
      if (isPTXFloat(from))
        return execFromDouble<R>;
      return isPTXSigned(from) ? execFromInteger<R, int64_t>
                               : execFromInteger<R, uint64_t>;
    });
  }
  if (!exec || from == PTXType::F16x2 || from == PTXType::BF16x2 ||
      from == PTXType::TF32 || from == PTXType::F32x2)
    return d.fail("this conversion is not supported");
  Slot dst = d.def(d.operand(0), to);
  Op &op = d.emit(exec);
  op.dst = dst;
  op.a = a;
  op.mode = mode.pack();
  if (ftz && to == PTXType::F32)
    d.emitAfter(execUnary<FlushF32, float, float>, dst);
}

DecodeFn prism::lookupConversionInstruction(llvm::StringRef opcode) {
  return opcode == "cvt" ? decodeCvt : nullptr;
}
