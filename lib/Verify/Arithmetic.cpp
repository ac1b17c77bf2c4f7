//===- Arithmetic.cpp - Checked, exact and enclosing numbers --------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Verify/Arithmetic.h"

using namespace prism;

//===----------------------------------------------------------------------===//
// Checked
//===----------------------------------------------------------------------===//

/// What is closer to zero than this stands for zero: where definedness is
/// looked at, arguments are small integers.
static constexpr double zeroBelow = 1e-12;

static bool isZero(Checked a) { return std::abs(a.value) < zeroBelow; }

/// NaN is undefined, and arithmetic hands it on; comparisons do not.
static Checked checked(bool isDefined, double value) {
  return isDefined ? Checked(value) : Checked::undefined();
}

template <>
Checked DeclaredArithmetic<Checked>::add(Checked a, Checked b) {
  return a.value + b.value;
}
template <>
Checked DeclaredArithmetic<Checked>::sub(Checked a, Checked b) {
  return a.value - b.value;
}
template <>
Checked DeclaredArithmetic<Checked>::mul(Checked a, Checked b) {
  return a.value * b.value;
}
template <>
Checked DeclaredArithmetic<Checked>::div(Checked a, Checked b) {
  return checked(!isZero(b), a.value / b.value);
}
template <>
Checked DeclaredArithmetic<Checked>::max(Checked a, Checked b) {
  return checked(a.isDefined && b.isDefined, std::max(a.value, b.value));
}
template <>
Checked DeclaredArithmetic<Checked>::min(Checked a, Checked b) {
  return checked(a.isDefined && b.isDefined, std::min(a.value, b.value));
}
template <>
Checked DeclaredArithmetic<Checked>::pow(Checked a, Checked b) {
  if (a.value > zeroBelow)
    return std::pow(a.value, b.value);
  double base = isZero(a) ? 0 : a.value;
  bool isInteger = b.value == std::floor(b.value);
  return checked(isInteger && (base != 0 || b.value >= 0),
                 std::pow(base, b.value));
}
template <>
Checked DeclaredArithmetic<Checked>::exp(Checked a) {
  return std::exp(a.value);
}
template <>
Checked DeclaredArithmetic<Checked>::log(Checked a) {
  return checked(a.value > zeroBelow, std::log(a.value));
}
template <>
Checked DeclaredArithmetic<Checked>::sqrt(Checked a) {
  return checked(a.value > -zeroBelow, std::sqrt(std::max(a.value, 0.0)));
}
template <>
Checked DeclaredArithmetic<Checked>::tanh(Checked a) {
  return std::tanh(a.value);
}
template <>
Checked DeclaredArithmetic<Checked>::erf(Checked a) {
  return std::erf(a.value);
}
template <>
Checked DeclaredArithmetic<Checked>::round(Checked a, unsigned mantissa) {
  if (mantissa >= 53 || !std::isfinite(a.value))
    return a;
  int exponent = 0;
  double fraction = std::frexp(a.value, &exponent);
  double integer = std::nearbyint(std::ldexp(fraction, int(mantissa)));
  return std::ldexp(integer, exponent - int(mantissa));
}

//===----------------------------------------------------------------------===//
// PrimeField
//===----------------------------------------------------------------------===//

static uint64_t multiply(uint64_t a, uint64_t b) {
  unsigned __int128 product = (unsigned __int128)(a)*b;
  uint64_t sum =
      uint64_t(product & PrimeField::prime) + uint64_t(product >> 61);
  return sum >= PrimeField::prime ? sum - PrimeField::prime : sum;
}

static uint64_t power(uint64_t base, uint64_t exponent) {
  uint64_t result = 1;
  for (; exponent; exponent >>= 1) {
    if (exponent & 1)
      result = multiply(result, base);
    base = multiply(base, base);
  }
  return result;
}

static PrimeField inField(bool isDefined, uint64_t value) {
  PrimeField result;
  result.value = isDefined ? value : 0;
  result.isDefined = isDefined;
  return result;
}

PrimeField PrimeField::fromInteger(uint64_t integer) {
  return inField(true, integer % prime);
}
PrimeField PrimeField::undefined() { return inField(false, 0); }

PrimeField::PrimeField(double number) {
  int exponent = 0;
  double fraction = std::frexp(std::abs(number), &exponent);
  uint64_t integer = uint64_t(std::ldexp(fraction, 53));
  exponent -= 53;
  // 2^61 = 1 here, so that 2^-k = 2^(61 - k).
  value = multiply(integer % prime, power(2, uint64_t(exponent % 61 + 61)));
  if (number < 0 && value != 0)
    value = prime - value;
}

/// Some function of the integers, for what is no field operation.
static uint64_t arbitrary(uint64_t salt, uint64_t a, uint64_t b = 0) {
  uint64_t h = (a + salt) * 0x9E3779B97F4A7C15ull;
  h = (h ^ (h >> 32)) * 0xFF51AFD7ED558CCDull + b;
  h = (h ^ (h >> 29)) * 0xC4CEB9FE1A85EC53ull;
  return (h ^ (h >> 32)) % PrimeField::prime;
}

template <>
PrimeField DeclaredArithmetic<PrimeField>::add(PrimeField a, PrimeField b) {
  return inField(a.isDefined && b.isDefined,
                 (a.value + b.value) % PrimeField::prime);
}
template <>
PrimeField DeclaredArithmetic<PrimeField>::sub(PrimeField a, PrimeField b) {
  return inField(a.isDefined && b.isDefined,
                 (a.value + PrimeField::prime - b.value) % PrimeField::prime);
}
template <>
PrimeField DeclaredArithmetic<PrimeField>::mul(PrimeField a, PrimeField b) {
  return inField(a.isDefined && b.isDefined, multiply(a.value, b.value));
}
template <>
PrimeField DeclaredArithmetic<PrimeField>::div(PrimeField a, PrimeField b) {
  return inField(a.isDefined && b.isDefined && b.value != 0,
                 multiply(a.value, power(b.value, PrimeField::prime - 2)));
}
template <>
PrimeField DeclaredArithmetic<PrimeField>::max(PrimeField a, PrimeField b) {
  return inField(a.isDefined && b.isDefined, std::max(a.value, b.value));
}
template <>
PrimeField DeclaredArithmetic<PrimeField>::min(PrimeField a, PrimeField b) {
  return inField(a.isDefined && b.isDefined, std::min(a.value, b.value));
}
template <>
PrimeField DeclaredArithmetic<PrimeField>::pow(PrimeField a, PrimeField b) {
  return inField(a.isDefined && b.isDefined, arbitrary(1, a.value, b.value));
}
/// A square, and not zero.
template <>
PrimeField DeclaredArithmetic<PrimeField>::exp(PrimeField a) {
  uint64_t root = 1 + arbitrary(2, a.value) % (PrimeField::prime - 1);
  return inField(a.isDefined, multiply(root, root));
}
template <>
PrimeField DeclaredArithmetic<PrimeField>::log(PrimeField a) {
  return inField(a.isDefined, arbitrary(3, a.value));
}
template <>
PrimeField DeclaredArithmetic<PrimeField>::sqrt(PrimeField a) {
  uint64_t root = power(a.value, (PrimeField::prime + 1) / 4);
  return inField(a.isDefined && multiply(root, root) == a.value, root);
}
template <>
PrimeField DeclaredArithmetic<PrimeField>::tanh(PrimeField a) {
  return inField(a.isDefined, arbitrary(4, a.value));
}
template <>
PrimeField DeclaredArithmetic<PrimeField>::erf(PrimeField a) {
  return inField(a.isDefined, arbitrary(5, a.value));
}
template <>
PrimeField DeclaredArithmetic<PrimeField>::round(PrimeField a,
                                                 unsigned mantissa) {
  return inField(a.isDefined, arbitrary(6, a.value, mantissa));
}

//===----------------------------------------------------------------------===//
// Interval
//===----------------------------------------------------------------------===//

/// Sums, products, quotients and roots are rounded correctly: half an ulp. The
/// C library's other functions are known to err by no more than 4 (the GNU C
/// library's manual, "Known Maximum Errors in Math Functions", for long
/// double); here by 8.
static constexpr unsigned basicUlps = 1, functionUlps = 8;

/// An interval with so many ulps more at each end; NaN is undefined.
static Interval widen(Real low, Real high, unsigned ulps) {
  constexpr Real infinity = std::numeric_limits<Real>::infinity();
  if (std::isnan(low) || std::isnan(high))
    return Interval::undefined();
  for (unsigned i = 0; i < ulps; ++i) {
    low = std::nextafter(low, -infinity);
    high = std::nextafter(high, infinity);
  }
  return {low, high};
}

/// Of a function that grows.
static Interval applyGrowing(Real (*f)(Real), Interval a) {
  return widen(f(a.low), f(a.high), functionUlps);
}

/// From the least to the most of four numbers, none of them NaN.
static Interval enclose(Real a, Real b, Real c, Real d) {
  if (std::isnan(a) || std::isnan(b) || std::isnan(c) || std::isnan(d))
    return Interval::undefined();
  return widen(std::min({a, b, c, d}), std::max({a, b, c, d}), basicUlps);
}

template <>
Interval DeclaredArithmetic<Interval>::add(Interval a, Interval b) {
  return widen(a.low + b.low, a.high + b.high, basicUlps);
}
template <>
Interval DeclaredArithmetic<Interval>::sub(Interval a, Interval b) {
  return widen(a.low - b.high, a.high - b.low, basicUlps);
}
template <>
Interval DeclaredArithmetic<Interval>::mul(Interval a, Interval b) {
  return enclose(a.low * b.low, a.low * b.high, a.high * b.low,
                 a.high * b.high);
}
template <>
Interval DeclaredArithmetic<Interval>::div(Interval a, Interval b) {
  if (!(b.low > 0 || b.high < 0))
    return Interval::undefined();
  return enclose(a.low / b.low, a.low / b.high, a.high / b.low,
                 a.high / b.high);
}
template <>
Interval DeclaredArithmetic<Interval>::max(Interval a, Interval b) {
  if (!a.isDefined() || !b.isDefined())
    return Interval::undefined();
  return {std::max(a.low, b.low), std::max(a.high, b.high)};
}
template <>
Interval DeclaredArithmetic<Interval>::min(Interval a, Interval b) {
  if (!a.isDefined() || !b.isDefined())
    return Interval::undefined();
  return {std::min(a.low, b.low), std::min(a.high, b.high)};
}
template <>
Interval DeclaredArithmetic<Interval>::exp(Interval a) {
  return applyGrowing(std::exp, a);
}
template <>
Interval DeclaredArithmetic<Interval>::log(Interval a) {
  return a.low > 0 ? applyGrowing(std::log, a) : Interval::undefined();
}
/// Of a positive base only.
template <>
Interval DeclaredArithmetic<Interval>::pow(Interval a, Interval b) {
  return exp(mul(b, log(a)));
}
template <>
Interval DeclaredArithmetic<Interval>::sqrt(Interval a) {
  if (!(a.low >= 0))
    return Interval::undefined();
  return widen(std::sqrt(a.low), std::sqrt(a.high), basicUlps);
}
template <>
Interval DeclaredArithmetic<Interval>::tanh(Interval a) {
  return applyGrowing(std::tanh, a);
}
template <>
Interval DeclaredArithmetic<Interval>::erf(Interval a) {
  return applyGrowing(std::erf, a);
}

/// To the nearest number with so many bits of significand.
static Real roundTo(Real a, unsigned mantissa) {
  if (mantissa >= 64 || !std::isfinite(a))
    return a;
  int exponent = 0;
  Real fraction = std::frexp(a, &exponent);
  Real integer = std::nearbyint(std::ldexp(fraction, int(mantissa)));
  return std::ldexp(integer, exponent - int(mantissa));
}

template <>
Interval DeclaredArithmetic<Interval>::round(Interval a, unsigned mantissa) {
  if (!a.isDefined())
    return a;
  return {roundTo(a.low, mantissa), roundTo(a.high, mantissa)};
}
