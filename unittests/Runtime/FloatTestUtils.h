//===- FloatTestUtils.h - Floating-point formats for tests ------*- C++ -*-===//
//
// Formats, inputs and exactly rounded references by LLVM's APFloat, which
// shares no code with the device.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_UNITTESTS_RUNTIME_FLOATTESTUTILS_H
#define PRISM_UNITTESTS_RUNTIME_FLOATTESTUTILS_H

#include "InstructionTestUtils.h"

#include "llvm/ADT/APFloat.h"

namespace prism {

using llvm::APFloat;
using llvm::APInt;

struct Format {
  const char *type;
  unsigned width;
  const llvm::fltSemantics &semantics;
};

inline const Format formats[] = {{"f16", 2, APFloat::IEEEhalf()},
                                 {"bf16", 2, APFloat::BFloat()},
                                 {"f32", 4, APFloat::IEEEsingle()},
                                 {"f64", 8, APFloat::IEEEdouble()}};

inline APFloat make(const Format &format, uint64_t bits) {
  return APFloat(format.semantics, APInt(8 * format.width, bits, false, true));
}

inline uint64_t bitsOf(const APFloat &value) {
  return value.bitcastToAPInt().getZExtValue();
}

/// Zeros, ones, infinities, NaN, subnormals, the largest and smallest; values
/// of similar size, where cancellation and ties happen; random bits.
inline std::vector<Inputs> floats(const Format &format) {
  std::vector<uint64_t> special;
  for (bool negative : {false, true})
    for (const APFloat &value :
         {APFloat::getZero(format.semantics, negative),
          APFloat::getInf(format.semantics, negative),
          APFloat::getLargest(format.semantics, negative),
          APFloat::getSmallest(format.semantics, negative),
          APFloat::getSmallestNormalized(format.semantics, negative),
          APFloat::getNaN(format.semantics, negative),
          APFloat::getOne(format.semantics, negative)})
      special.push_back(bitsOf(value));
  auto inputs = combine(special);
  std::mt19937 engine(7);
  std::uniform_real_distribution<double> distribution(-4, 4);
  auto draw = [&] {
    APFloat value(distribution(engine));
    bool lost;
    value.convert(format.semantics, APFloat::rmNearestTiesToEven, &lost);
    return bitsOf(value);
  };
  for (unsigned i = 0; i < 300; ++i)
    inputs.push_back({draw(), draw(), draw()});
  return inputs;
}

/// Equal bits, or both NaN.
inline Equal equalFloats(const Format &format) {
  return [&format](uint64_t expected, uint64_t actual) {
    return expected == actual ||
           (make(format, expected).isNaN() && make(format, actual).isNaN());
  };
}

using Function =
    std::function<APFloat(APFloat, const APFloat &, const APFloat &)>;

/// Pairs of `format` in one register, the first element lowest: inputs of them,
/// what a function gives of both, and whether both are equal.
struct Pairs {
  const Format &format;

  unsigned bits() const { return 8 * format.width; }
  uint64_t low(uint64_t pair) const {
    return pair & (~uint64_t(0) >> (64 - bits()));
  }
  std::vector<Inputs> inputs() const {
    std::vector<Inputs> scalars = floats(format), pairs;
    for (size_t i = 0; i + 1 < scalars.size(); ++i)
      pairs.push_back({low(scalars[i].a) | scalars[i + 1].b << bits(),
                       low(scalars[i].b) | scalars[i + 1].a << bits(),
                       low(scalars[i].c) | scalars[i + 1].c << bits()});
    return pairs;
  }
  auto both(const Function &fn) const {
    return [*this, fn](uint64_t a, uint64_t b, uint64_t c) {
      auto half = [&](unsigned shift) {
        return bitsOf(fn(make(format, a >> shift), make(format, b >> shift),
                         make(format, c >> shift)))
               << shift;
      };
      return half(0) | half(bits());
    };
  }
  Equal equal() const {
    return [*this](uint64_t expected, uint64_t actual) {
      Equal one = equalFloats(format);
      return one(low(expected), low(actual)) &&
             one(expected >> bits(), actual >> bits());
    };
  }
};

/// Checks `mnemonic` on all formats given.
inline void checkFloat(const std::string &mnemonic, const std::string &operands,
                       unsigned count, const Function &fn,
                       llvm::ArrayRef<unsigned> which = {0, 1, 2, 3}) {
  for (unsigned index : which) {
    const Format &format = formats[index];
    Widths widths{format.width, format.width, count > 1 ? format.width : 0,
                  count > 2 ? format.width : 0};
    check(
        mnemonic + "." + format.type + " " + operands + ";", widths,
        floats(format),
        [&](uint64_t a, uint64_t b, uint64_t c) {
          return bitsOf(fn(make(format, a), make(format, b), make(format, c)));
        },
        equalFloats(format));
  }
}

inline constexpr auto nearest = APFloat::rmNearestTiesToEven;

inline APFloat add(APFloat a, const APFloat &b, const APFloat &) {
  a.add(b, nearest);
  return a;
}
inline APFloat subtract(APFloat a, const APFloat &b, const APFloat &) {
  a.subtract(b, nearest);
  return a;
}
inline APFloat multiply(APFloat a, const APFloat &b, const APFloat &) {
  a.multiply(b, nearest);
  return a;
}
inline APFloat fuse(APFloat a, const APFloat &b, const APFloat &c) {
  a.fusedMultiplyAdd(b, c, nearest);
  return a;
}
inline APFloat relu(const APFloat &a) {
  bool keeps = a.isNaN() || !a.isNegative();
  return keeps ? a : APFloat::getZero(a.getSemantics());
}
inline APFloat saturate(const APFloat &a) {
  if (a.isNaN() || a.isNegative())
    return APFloat::getZero(a.getSemantics());
  APFloat one = APFloat::getOne(a.getSemantics());
  return a > one ? one : a;
}

} // namespace prism

#endif // PRISM_UNITTESTS_RUNTIME_FLOATTESTUTILS_H
