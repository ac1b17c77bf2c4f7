//===- FloatFormats.h - Arithmetic in the formats of a GPU ------*- C++ -*-===//
//
// f16 and bf16 as bit patterns, their conversions, and a fused multiply-add
// that rounds once in any format. Written without branches where a warp's 32
// lanes run through it, so that the compiler can vectorize.
//
// A sum is computed in double and rounded to odd (the last bit is set when the
// sum was inexact); rounding that to a format with at most 24 bits then gives
// the correctly rounded result, because double has over 2*24+2 bits.
// Example: 1 + 2^-60 is 1 in double, but its odd rounding is 1 + 2^-52, from
// which rounding up to f32 gives 1 + 2^-23 and rounding to nearest gives 1.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_RUNTIME_FLOATFORMATS_H
#define PRISM_LIB_RUNTIME_FLOATFORMATS_H

#include "llvm/ADT/bit.h"

#include <cmath>
#include <cstdint>

namespace prism {

struct Half {
  uint16_t bits;
};
struct BF16 {
  uint16_t bits;
};
/// Of an f32's bits; hardware reads the upper 19 only.
struct TF32 {
  uint32_t bits;
};
/// A packed pair; the low half is the first element.
template <typename T>
struct Pair {
  T lo, hi;
};
using Half2 = Pair<Half>;
using BF162 = Pair<BF16>;

enum class Rounding { Nearest, Zero, Down, Up, NearestAway };

//===----------------------------------------------------------------------===//
// Widening
//===----------------------------------------------------------------------===//

inline float toFloat(float value) { return value; }

inline float toFloat(Half value) {
  // The exponent is rebiased by a multiplication, which handles subnormals.
  uint32_t magnitude = uint32_t(value.bits & 0x7fff) << 13;
  float scaled = llvm::bit_cast<float>(magnitude) * 0x1p112f;
  uint32_t bits = llvm::bit_cast<uint32_t>(scaled);
  bits |= scaled >= 65536.0f ? 0x7f800000u : 0u;
  return llvm::bit_cast<float>(bits | uint32_t(value.bits & 0x8000) << 16);
}

inline float toFloat(TF32 value) {
  return llvm::bit_cast<float>(value.bits & ~0x1fffu);
}

inline float toFloat(BF16 value) {
  return llvm::bit_cast<float>(uint32_t(value.bits) << 16);
}

//===----------------------------------------------------------------------===//
// Narrowing
//===----------------------------------------------------------------------===//

/// Rounds `value` to a format of `ExponentBits` and `MantissaBits`, as bits.
/// NaN becomes the canonical NaN of NVIDIA GPUs (all bits but the sign set).
template <unsigned ExponentBits, unsigned MantissaBits>
inline uint32_t roundToFormat(double value, Rounding rounding) {
  constexpr int bias = (1 << (ExponentBits - 1)) - 1;
  constexpr uint32_t infinity = ((1u << ExponentBits) - 1) << MantissaBits;
  uint64_t bits = llvm::bit_cast<uint64_t>(value);
  bool negative = bits >> 63;
  uint32_t sign = uint32_t(negative) << (ExponentBits + MantissaBits);
  int exponent = int(bits >> 52 & 0x7ff) - 1023;
  uint64_t mantissa = bits & ((uint64_t(1) << 52) - 1);
  if (exponent == 1024)
    return mantissa ? infinity | ((1u << MantissaBits) - 1) : sign | infinity;
  bool subnormal = exponent < 1 - bias;
  uint64_t significand = exponent == -1023
                             ? mantissa << 1 // far below any format's range
                             : mantissa | uint64_t(1) << 52;
  int shift = 52 - int(MantissaBits) + (subnormal ? 1 - bias - exponent : 0);
  shift = std::min(shift, 60);
  uint64_t quotient = significand >> shift;
  uint64_t remainder = significand & ((uint64_t(1) << shift) - 1);
  uint64_t half = uint64_t(1) << (shift - 1);
  bool up = false;
  switch (rounding) {
  case Rounding::Nearest:
    up = remainder > half || (remainder == half && (quotient & 1));
    break;
  case Rounding::NearestAway:
    up = remainder >= half;
    break;
  case Rounding::Zero:
    break;
  case Rounding::Down:
    up = remainder && negative;
    break;
  case Rounding::Up:
    up = remainder && !negative;
    break;
  }
  // A carry out of the mantissa moves into the exponent by itself.
  uint64_t result = quotient + up;
  if (!subnormal)
    result += uint64_t(exponent + bias - 1) << MantissaBits;
  if (result >= infinity) {
    bool toInfinity = rounding == Rounding::Nearest ||
                      rounding == Rounding::NearestAway ||
                      (rounding == Rounding::Up && !negative) ||
                      (rounding == Rounding::Down && negative);
    result = toInfinity ? infinity : infinity - 1;
  }
  return sign | uint32_t(result);
}

template <typename T>
T fromDouble(double value, Rounding rounding = Rounding::Nearest);

template <>
inline double fromDouble(double value, Rounding) {
  return value;
}
template <>
inline float fromDouble(double value, Rounding rounding) {
  if (rounding == Rounding::Nearest)
    return float(value);
  return llvm::bit_cast<float>(roundToFormat<8, 23>(value, rounding));
}
template <>
inline Half fromDouble(double value, Rounding rounding) {
  return {uint16_t(roundToFormat<5, 10>(value, rounding))};
}
template <>
inline BF16 fromDouble(double value, Rounding rounding) {
  return {uint16_t(roundToFormat<8, 7>(value, rounding))};
}

/// Rounds to nearest, ties to even.
template <typename T>
T fromFloat(float value);

template <>
inline float fromFloat(float value) {
  return value;
}

template <>
inline Half fromFloat(float value) {
  uint32_t bits = llvm::bit_cast<uint32_t>(value);
  uint32_t sign = bits >> 16 & 0x8000;
  uint32_t magnitude = bits & 0x7fffffff;
  uint32_t normal =
      (magnitude - 0x38000000u + 0xfffu + (magnitude >> 13 & 1)) >> 13;
  // Below 2^-14 one half has the wanted last place: 2^-24.
  float shifted = llvm::bit_cast<float>(magnitude) + 0.5f;
  uint32_t subnormal = llvm::bit_cast<uint32_t>(shifted) - 0x3f000000u;
  uint32_t result = magnitude < 0x38800000u ? subnormal : normal;
  result = magnitude >= 0x477ff000u ? 0x7c00u : result;
  result = magnitude > 0x7f800000u ? 0x7fffu : result | sign;
  return {uint16_t(result)};
}

template <>
inline BF16 fromFloat(float value) {
  uint32_t bits = llvm::bit_cast<uint32_t>(value);
  uint32_t rounded = (bits + 0x7fffu + (bits >> 16 & 1)) >> 16;
  bool nan = (bits & 0x7fffffff) > 0x7f800000u;
  return {uint16_t(nan ? 0x7fffu : rounded)};
}

//===----------------------------------------------------------------------===//
// Sums rounded once
//===----------------------------------------------------------------------===//

/// a + b, rounded to odd.
inline double addToOdd(double a, double b) {
  double sum = a + b;
  double bPart = sum - a;
  double error = (a - (sum - bPart)) + (b - bPart);
  uint64_t bits = llvm::bit_cast<uint64_t>(sum);
  bool inexact = error > 0 || error < 0; // false for NaN, from an infinite sum
  bool outward = (error > 0) == (sum > 0);
  uint64_t moved = outward ? bits + 1 : bits - 1;
  bits = inexact && !(bits & 1) ? moved : bits;
  return llvm::bit_cast<double>(bits);
}

inline float fusedMultiplyAdd(float a, float b, float c) {
  return float(addToOdd(double(a) * b, c)); // the product is exact
}
inline double fusedMultiplyAdd(double a, double b, double c) {
  return std::fma(a, b, c);
}
template <typename T>
inline T fusedMultiplyAdd(T a, T b, T c) {
  return fromDouble<T>(addToOdd(double(toFloat(a)) * toFloat(b), toFloat(c)));
}

//===----------------------------------------------------------------------===//
// Special values
//===----------------------------------------------------------------------===//

/// Flushes a subnormal to a zero of the same sign (`.ftz`).
inline float flushSubnormal(float value) {
  uint32_t bits = llvm::bit_cast<uint32_t>(value);
  uint32_t flushed = bits & 0x80000000u;
  return llvm::bit_cast<float>((bits & 0x7f800000u) ? bits : flushed);
}

inline float canonicalNaN(float) { return llvm::bit_cast<float>(0x7fffffffu); }
inline double canonicalNaN(double) {
  return llvm::bit_cast<double>(0x7fffffffffffffffull);
}
inline Half canonicalNaN(Half) { return {0x7fff}; }
inline BF16 canonicalNaN(BF16) { return {0x7fff}; }

} // namespace prism

#endif // PRISM_LIB_RUNTIME_FLOATFORMATS_H
