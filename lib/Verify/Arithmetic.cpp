//===- Arithmetic.cpp - Checked and exact numbers -------------------------===//
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

Checked Arithmetic<Checked>::add(Checked a, Checked b) {
  return a.value + b.value;
}
Checked Arithmetic<Checked>::sub(Checked a, Checked b) {
  return a.value - b.value;
}
Checked Arithmetic<Checked>::mul(Checked a, Checked b) {
  return a.value * b.value;
}
Checked Arithmetic<Checked>::div(Checked a, Checked b) {
  return checked(!isZero(b), a.value / b.value);
}
Checked Arithmetic<Checked>::max(Checked a, Checked b) {
  return checked(a.isDefined && b.isDefined, std::max(a.value, b.value));
}
Checked Arithmetic<Checked>::min(Checked a, Checked b) {
  return checked(a.isDefined && b.isDefined, std::min(a.value, b.value));
}
Checked Arithmetic<Checked>::pow(Checked a, Checked b) {
  if (a.value > zeroBelow)
    return std::pow(a.value, b.value);
  double base = isZero(a) ? 0 : a.value;
  bool isInteger = b.value == std::floor(b.value);
  return checked(isInteger && (base != 0 || b.value >= 0),
                 std::pow(base, b.value));
}
Checked Arithmetic<Checked>::exp(Checked a) { return std::exp(a.value); }
Checked Arithmetic<Checked>::log(Checked a) {
  return checked(a.value > zeroBelow, std::log(a.value));
}
Checked Arithmetic<Checked>::sqrt(Checked a) {
  return checked(a.value > -zeroBelow, std::sqrt(std::max(a.value, 0.0)));
}
Checked Arithmetic<Checked>::tanh(Checked a) { return std::tanh(a.value); }
Checked Arithmetic<Checked>::erf(Checked a) { return std::erf(a.value); }
Checked Arithmetic<Checked>::round(Checked a, unsigned mantissa) {
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

using Field = Arithmetic<PrimeField>;

PrimeField Field::add(PrimeField a, PrimeField b) {
  return inField(a.isDefined && b.isDefined,
                 (a.value + b.value) % PrimeField::prime);
}
PrimeField Field::sub(PrimeField a, PrimeField b) {
  return inField(a.isDefined && b.isDefined,
                 (a.value + PrimeField::prime - b.value) % PrimeField::prime);
}
PrimeField Field::mul(PrimeField a, PrimeField b) {
  return inField(a.isDefined && b.isDefined, multiply(a.value, b.value));
}
PrimeField Field::div(PrimeField a, PrimeField b) {
  return inField(a.isDefined && b.isDefined && b.value != 0,
                 multiply(a.value, power(b.value, PrimeField::prime - 2)));
}
PrimeField Field::max(PrimeField a, PrimeField b) {
  return inField(a.isDefined && b.isDefined, std::max(a.value, b.value));
}
PrimeField Field::min(PrimeField a, PrimeField b) {
  return inField(a.isDefined && b.isDefined, std::min(a.value, b.value));
}
PrimeField Field::pow(PrimeField a, PrimeField b) {
  return inField(a.isDefined && b.isDefined, arbitrary(1, a.value, b.value));
}
/// A square, and not zero.
PrimeField Field::exp(PrimeField a) {
  uint64_t root = 1 + arbitrary(2, a.value) % (PrimeField::prime - 1);
  return inField(a.isDefined, multiply(root, root));
}
PrimeField Field::log(PrimeField a) {
  return inField(a.isDefined, arbitrary(3, a.value));
}
PrimeField Field::sqrt(PrimeField a) {
  uint64_t root = power(a.value, (PrimeField::prime + 1) / 4);
  return inField(a.isDefined && multiply(root, root) == a.value, root);
}
PrimeField Field::tanh(PrimeField a) {
  return inField(a.isDefined, arbitrary(4, a.value));
}
PrimeField Field::erf(PrimeField a) {
  return inField(a.isDefined, arbitrary(5, a.value));
}
PrimeField Field::round(PrimeField a, unsigned mantissa) {
  return inField(a.isDefined, arbitrary(6, a.value, mantissa));
}
