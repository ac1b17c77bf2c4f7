//===- Arithmetic.h - The numbers that terms are evaluated in ---*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Four kinds of numbers: Real, in which candidates are refuted; Checked, a
// float64 that knows where it is undefined; PrimeField, in which sums,
// products, quotients and roots are exact, and every other function is some
// arbitrary one, so that an equality that uses anything about it fails there;
// and Interval, which encloses the value over the reals, transcendental
// functions included: sides whose intervals are disjoint are unequal, however
// little.
//
// Worked example: exp([1, 1]) is about [2.718281828459045234, ..237], which
// encloses e; exp(1 + 1) and exp(1) * exp(1) overlap in an interval whose width
// is below 1e-17, exp(1) * exp(1) and 7.389056098930650 do not.
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

/// The numbers from `low` to `high`; undefined where both are NaN. A quotient
/// by what may be zero is, like the root of what may be negative.
struct Interval {
  Real low = 0, high = 0;

  Interval() = default;
  Interval(Real value) : low(value), high(value) {}
  Interval(Real low, Real high) : low(low), high(high) {}
  static Interval undefined() { return Interval(Real(std::nan(""))); }
  bool isDefined() const { return low <= high; }
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

/// What is defined for a kind of numbers one by one.
template <typename Number>
struct DeclaredArithmetic {
  static Number add(Number a, Number b);
  static Number sub(Number a, Number b);
  static Number mul(Number a, Number b);
  static Number div(Number a, Number b);
  static Number max(Number a, Number b);
  static Number min(Number a, Number b);
  static Number pow(Number a, Number b);
  static Number exp(Number a);
  static Number log(Number a);
  static Number sqrt(Number a);
  static Number tanh(Number a);
  static Number erf(Number a);
  static Number round(Number a, unsigned mantissa);
};

template <>
struct Arithmetic<Checked> : DeclaredArithmetic<Checked> {
  static Checked constant(Real value) { return double(value); }
  static bool less(Checked a, Checked b) { return a.value < b.value; }
  static bool equal(Checked a, Checked b) { return a.value == b.value; }
  static Checked lowest() { return -std::numeric_limits<double>::infinity(); }
  static bool isMasked(Checked a) { return a.value == lowest().value; }
};

template <>
struct Arithmetic<PrimeField> : DeclaredArithmetic<PrimeField> {
  static PrimeField constant(Real value) { return double(value); }
  static bool less(PrimeField a, PrimeField b) { return a.value < b.value; }
  static bool equal(PrimeField a, PrimeField b) { return a.value == b.value; }
  static PrimeField lowest() { return PrimeField(); }
  static bool isMasked(PrimeField) { return false; }
};

/// Comparisons are those of the lower ends: a term that compares is enclosed
/// only where its operands are exact.
template <>
struct Arithmetic<Interval> : DeclaredArithmetic<Interval> {
  static Interval constant(Real value) { return value; }
  static bool less(Interval a, Interval b) { return a.low < b.low; }
  static bool equal(Interval a, Interval b) {
    return a.low == b.low && a.high == b.high;
  }
  static Interval lowest() { return -std::numeric_limits<Real>::infinity(); }
  static bool isMasked(Interval a) { return a.high == lowest().high; }
};

} // namespace prism

#endif // PRISM_VERIFY_ARITHMETIC_H
