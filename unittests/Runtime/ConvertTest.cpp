//===- ConvertTest.cpp - Conversions between formats ----------------------===//
//
// Conversions of floating-point numbers and integers against LLVM's APFloat and
// APInt, which share no code with the device.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatTestUtils.h"

#include "llvm/ADT/APSInt.h"

#include <cmath>

using namespace prism;

TEST(Convert, BetweenFloats) {
  const std::pair<const char *, APFloat::roundingMode> modes[] = {
      {"rn", APFloat::rmNearestTiesToEven},
      {"rz", APFloat::rmTowardZero},
      {"rm", APFloat::rmTowardNegative},
      {"rp", APFloat::rmTowardPositive}};
  for (const Format &from : formats)
    for (const Format &to : formats) {
      if (&from == &to)
        continue;
      bool narrows =
          to.width < from.width || (to.width == 2 && from.width == 2);
      for (const auto &[name, mode] : modes) {
        if (!narrows && mode != APFloat::rmNearestTiesToEven)
          continue;
        auto rounding = mode;
        check(
            "cvt." + (narrows ? name + std::string(".") : std::string()) +
                to.type + "." + from.type + " %d, %a;",
            {to.width, from.width}, floats(from),
            [&](uint64_t a, uint64_t, uint64_t) {
              APFloat value = make(from, a);
              bool lost;
              value.convert(to.semantics, rounding, &lost);
              return bitsOf(value);
            },
            equalFloats(to));
      }
    }
}

TEST(Convert, FloatToInteger) {
  const std::pair<const char *, APFloat::roundingMode> modes[] = {
      {"rni", APFloat::rmNearestTiesToEven},
      {"rzi", APFloat::rmTowardZero},
      {"rmi", APFloat::rmTowardNegative},
      {"rpi", APFloat::rmTowardPositive}};
  for (const Format &from : formats)
    for (unsigned width : {2u, 4u, 8u})
      for (bool isSigned : {false, true})
        for (const auto &[name, mode] : modes) {
          auto rounding = mode;
          check(std::string("cvt.") + name + (isSigned ? ".s" : ".u") +
                    std::to_string(8 * width) + "." + from.type + " %d, %a;",
                {width, from.width}, floats(from),
                [&](uint64_t a, uint64_t, uint64_t) {
                  APFloat value = make(from, a);
                  if (value.isNaN())
                    return uint64_t(0);
                  llvm::APSInt result(8 * width, !isSigned);
                  bool exact; // saturates when out of range
                  value.convertToInteger(result, rounding, &exact);
                  return result.getZExtValue();
                });
        }
}

TEST(Convert, IntegerToFloat) {
  for (const Format &to : formats)
    for (unsigned width : {2u, 4u, 8u})
      for (bool isSigned : {false, true})
        check(std::string("cvt.rn.") + to.type + (isSigned ? ".s" : ".u") +
                  std::to_string(8 * width) + " %d, %a;",
              {to.width, width}, integers(),
              [&](uint64_t a, uint64_t, uint64_t) {
                APFloat value(to.semantics);
                value.convertFromAPInt(APInt(8 * width, a, false, true),
                                       isSigned, nearest);
                return bitsOf(value);
              });
}

TEST(Convert, BetweenIntegers) {
  for (unsigned from : {2u, 4u, 8u})
    for (unsigned to : {2u, 4u, 8u})
      for (bool isSigned : {false, true})
        for (bool saturate : {false, true}) {
          std::string sign = isSigned ? "s" : "u";
          check(std::string("cvt.") + (saturate ? "sat." : "") + sign +
                    std::to_string(8 * to) + "." + sign +
                    std::to_string(8 * from) + " %d, %a;",
                {to, from}, integers(), [&](uint64_t a, uint64_t, uint64_t) {
                  APInt value(8 * from, a, false, true);
                  if (!saturate || to >= from)
                    return (isSigned ? value.sextOrTrunc(8 * to)
                                     : value.zextOrTrunc(8 * to))
                        .getZExtValue();
                  return (isSigned ? value.truncSSat(8 * to)
                                   : value.truncUSat(8 * to))
                      .getZExtValue();
                });
        }
  // Across signs: what does not fit becomes the nearest that does.
  for (unsigned from : {2u, 4u, 8u})
    for (unsigned to : {1u, 2u, 4u, 8u})
      for (bool signedFrom : {false, true})
        for (bool saturate : {false, true}) {
          bool signedTo = !signedFrom;
          std::string text = std::string("cvt.") + (saturate ? "sat." : "") +
                             (signedTo ? "s" : "u") + std::to_string(8 * to) +
                             (signedFrom ? ".s" : ".u") +
                             std::to_string(8 * from) + " %d, %a;";
          check(text, {std::max(2u, to), from}, integers(),
                [&](uint64_t a, uint64_t, uint64_t) {
                  APInt value(8 * from, a, false, true);
                  APInt wide = signedFrom ? value.sext(128) : value.zext(128);
                  if (saturate) {
                    APInt least =
                        signedTo ? APInt::getSignedMinValue(8 * to).sext(128)
                                 : APInt::getZero(128);
                    APInt most =
                        signedTo ? APInt::getSignedMaxValue(8 * to).sext(128)
                                 : APInt::getMaxValue(8 * to).zext(128);
                    wide = llvm::APIntOps::smin(
                        llvm::APIntOps::smax(wide, least), most);
                  }
                  APInt narrow = wide.trunc(8 * to);
                  // A register holds the result extended by its own sign.
                  return (signedTo ? narrow.sextOrTrunc(64)
                                   : narrow.zextOrTrunc(64))
                      .getZExtValue();
                });
        }
  // From a part of a wider register.
  check("cvt.s32.s8 %d, %a;", {4, 4}, integers(),
        [](uint64_t a, uint64_t, uint64_t) { return uint64_t(int8_t(a)); });
  check("cvt.u32.u8 %d, %a;", {4, 2}, integers(),
        [](uint64_t a, uint64_t, uint64_t) { return a & 0xff; });
}

TEST(Convert, ToPackedPairs) {
  const Format &f32 = formats[2];
  for (unsigned variant = 0; variant < 8; ++variant) {
    const Format &to = formats[variant & 1];
    bool truncates = variant & 2, clips = variant & 4;
    check(
        std::string(truncates ? "cvt.rz." : "cvt.rn.") +
            (clips ? "relu." : "") + to.type + "x2.f32 %d, %a, %b;",
        {4, 4, 4}, floats(f32),
        [&](uint64_t a, uint64_t b, uint64_t) {
          auto one = [&](uint64_t bits) {
            APFloat value = make(f32, bits);
            bool lost;
            value.convert(to.semantics,
                          truncates ? APFloat::rmTowardZero : nearest, &lost);
            return bitsOf(clips ? relu(value) : value);
          };
          return one(a) << 16 | one(b);
        },
        Pairs{to}.equal());
  }
}

TEST(Convert, ToTF32) {
  for (auto [name, mode] : {std::make_pair("rna", APFloat::rmNearestTiesToAway),
                            {"rn", APFloat::rmNearestTiesToEven},
                            {"rz", APFloat::rmTowardZero}})
    check(
        std::string("cvt.") + name + ".tf32.f32 %d, %a;", {4, 4},
        floats(formats[2]),
        [&, rounding = mode](uint64_t a, uint64_t, uint64_t) {
          APFloat value = make(formats[2], a);
          bool lost;
          value.convert(APFloat::FloatTF32(), rounding, &lost);
          value.convert(APFloat::IEEEsingle(), nearest, &lost);
          return bitsOf(value);
        },
        equalFloats(formats[2]));
}

TEST(Convert, RoundToIntegral) {
  const std::pair<const char *, APFloat::roundingMode> modes[] = {
      {"rni", APFloat::rmNearestTiesToEven},
      {"rzi", APFloat::rmTowardZero},
      {"rmi", APFloat::rmTowardNegative},
      {"rpi", APFloat::rmTowardPositive}};
  for (const Format &format : formats)
    for (auto [name, mode] : modes)
      check(
          std::string("cvt.") + name + "." + format.type + "." + format.type +
              " %d, %a;",
          {format.width, format.width}, floats(format),
          [&, rounding = mode](uint64_t a, uint64_t, uint64_t) {
            APFloat value = make(format, a);
            value.roundToIntegral(rounding);
            return bitsOf(value);
          },
          equalFloats(format));
}

/// Flushes before and after; saturates to [0, 1].
TEST(Convert, FlushAndSaturate) {
  const Format &f32 = formats[2], &f16 = formats[0];
  auto flush = [&](uint64_t bits) {
    APFloat value = make(f32, bits);
    return value.isDenormal()
               ? APFloat::getZero(f32.semantics, value.isNegative())
               : value;
  };
  check(
      "cvt.rn.ftz.f16.f32 %d, %a;", {2, 4}, floats(f32),
      [&](uint64_t a, uint64_t, uint64_t) {
        APFloat value = flush(a);
        bool lost;
        value.convert(f16.semantics, nearest, &lost);
        return bitsOf(value);
      },
      equalFloats(f16));
  check("cvt.rzi.ftz.s32.f32 %d, %a;", {4, 4}, floats(f32),
        [&](uint64_t a, uint64_t, uint64_t) {
          APFloat value = flush(a);
          llvm::APSInt result(32, false);
          bool exact;
          if (!value.isNaN())
            value.convertToInteger(result, APFloat::rmTowardZero, &exact);
          return result.getZExtValue();
        });
  check(
      "cvt.sat.f32.f32 %d, %a;", {4, 4}, floats(f32),
      [&](uint64_t a, uint64_t, uint64_t) {
        return bitsOf(saturate(make(f32, a)));
      },
      equalFloats(f32));
  check(
      "cvt.rn.sat.f16.f32 %d, %a;", {2, 4}, floats(f32),
      [&](uint64_t a, uint64_t, uint64_t) {
        APFloat value = saturate(make(f32, a));
        bool lost;
        value.convert(f16.semantics, nearest, &lost);
        return bitsOf(value);
      },
      equalFloats(f16));
}

/// 8-bit integers, which live in wider registers.
TEST(Convert, Bytes) {
  for (const Format &format : formats)
    for (bool isSigned : {false, true}) {
      std::string type = isSigned ? "s8" : "u8";
      check("cvt.rn." + std::string(format.type) + "." + type + " %d, %a;",
            {format.width, 2}, integers(), [&](uint64_t a, uint64_t, uint64_t) {
              APFloat value(format.semantics);
              value.convertFromAPInt(APInt(8, a, false, true), isSigned,
                                     nearest);
              return bitsOf(value);
            });
      check("cvt.rzi." + type + "." + format.type + " %d, %a;",
            {2, format.width}, floats(format),
            [&](uint64_t a, uint64_t, uint64_t) {
              APFloat value = make(format, a);
              llvm::APSInt result(8, !isSigned);
              bool exact;
              if (!value.isNaN())
                value.convertToInteger(result, APFloat::rmTowardZero, &exact);
              return uint64_t(result.getExtValue());
            });
    }
}
