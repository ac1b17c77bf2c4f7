//===- Arithmetic.h - The numbers that terms are evaluated in ---*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three kinds of numbers: Real, in which candidates are refuted; Checked, a
// float64 that knows where it is undefined; and PrimeField, in which sums,
// products, quotients and roots are exact, and every other function is some
// arbitrary one, so that an equality that uses anything about it fails there.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_VERIFY_ARITHMETIC_H
#define PRISM_VERIFY_ARITHMETIC_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace prism {

/// 64 bits of significand on the hosts that we build for.
using Real = long double;

/// A float64, or undefined: the quotient by zero, the root of a negative
/// number, the logarithm of one that is not positive, and what is computed
/// with any of them.
struct Checked {
  double value = 0;
  bool isDefined = true;

  Checked() = default;
  Checked(double value) : value(value), isDefined(value == value) {}
  static Checked undefined() { return std::nan(""); }
};

/// An integer modulo the prime 2^61 - 1, or undefined: the quotient by zero or
/// the root of what is no square. Squares stand for the numbers >= 0; sqrt is
/// the root that is itself a square, so that it is multiplicative. Ordered by
/// representative.
struct PrimeField {
  static constexpr uint64_t prime = (uint64_t(1) << 61) - 1;

  uint64_t value = 0;
  bool isDefined = true;

  PrimeField() = default;
  /// Exact: a float is an integer times a power of two.
  PrimeField(double number);
  static PrimeField fromInteger(uint64_t integer);
  static PrimeField undefined();
};

/// What the evaluation of terms needs of numbers.
template <typename Scalar>
struct Arithmetic;

/// The arithmetic of the host.
template <>
struct Arithmetic<Real> {
  static Real constant(Real value) { return value; }
  static Real add(Real a, Real b) { return a + b; }
  static Real sub(Real a, Real b) { return a - b; }
  static Real mul(Real a, Real b) { return a * b; }
  static Real div(Real a, Real b) { return a / b; }
  static Real max(Real a, Real b) { return a < b ? b : a; }
  static Real min(Real a, Real b) { return b < a ? b : a; }
  static Real pow(Real a, Real b) { return std::pow(a, b); }
  static Real exp(Real a) { return std::exp(a); }
  static Real log(Real a) { return std::log(a); }
  static Real sqrt(Real a) { return std::sqrt(a); }
  static Real tanh(Real a) { return std::tanh(a); }
  static Real erf(Real a) { return std::erf(a); }
  /// What a cast to so many bits of significand does: nothing, over the reals.
  static Real round(Real a, unsigned) { return a; }
  static bool less(Real a, Real b) { return a < b; }
  static bool equal(Real a, Real b) { return a == b; }
  /// The neutral element of max.
  static Real lowest() { return -std::numeric_limits<Real>::infinity(); }
  /// A row's maximum where everything is masked.
  static bool isMasked(Real a) { return a == lowest(); }
};

template <>
struct Arithmetic<Checked> {
  static Checked constant(Real value) { return double(value); }
  static Checked add(Checked a, Checked b);
  static Checked sub(Checked a, Checked b);
  static Checked mul(Checked a, Checked b);
  static Checked div(Checked a, Checked b);
  static Checked max(Checked a, Checked b);
  static Checked min(Checked a, Checked b);
  static Checked pow(Checked a, Checked b);
  static Checked exp(Checked a);
  static Checked log(Checked a);
  static Checked sqrt(Checked a);
  static Checked tanh(Checked a);
  static Checked erf(Checked a);
  static Checked round(Checked a, unsigned mantissa);
  static bool less(Checked a, Checked b) { return a.value < b.value; }
  static bool equal(Checked a, Checked b) { return a.value == b.value; }
  static Checked lowest() { return -std::numeric_limits<double>::infinity(); }
  static bool isMasked(Checked a) { return a.value == lowest().value; }
};

template <>
struct Arithmetic<PrimeField> {
  static PrimeField constant(Real value) { return double(value); }
  static PrimeField add(PrimeField a, PrimeField b);
  static PrimeField sub(PrimeField a, PrimeField b);
  static PrimeField mul(PrimeField a, PrimeField b);
  static PrimeField div(PrimeField a, PrimeField b);
  static PrimeField max(PrimeField a, PrimeField b);
  static PrimeField min(PrimeField a, PrimeField b);
  static PrimeField pow(PrimeField a, PrimeField b);
  static PrimeField exp(PrimeField a);
  static PrimeField log(PrimeField a);
  static PrimeField sqrt(PrimeField a);
  static PrimeField tanh(PrimeField a);
  static PrimeField erf(PrimeField a);
  static PrimeField round(PrimeField a, unsigned mantissa);
  static bool less(PrimeField a, PrimeField b) { return a.value < b.value; }
  static bool equal(PrimeField a, PrimeField b) { return a.value == b.value; }
  static PrimeField lowest() { return PrimeField(); }
  static bool isMasked(PrimeField) { return false; }
};

} // namespace prism

#endif // PRISM_VERIFY_ARITHMETIC_H
