//===- ReferenceTest.cpp - Inputs, references and the judge ---------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GateTestUtils.h"
#include "Inputs.h"
#include "Judge.h"
#include "llvm/ADT/APFloat.h"
#include <cmath>
#include <cstring>
#include <set>

using namespace prism;
using namespace prism::gate;

namespace {

/// Rounding agrees with APFloat, and encoding brings back what it was given.
TEST(Formats, RoundAndEncode) {
  const llvm::fltSemantics *semantics[] = {&llvm::APFloat::IEEEhalf(),
                                           &llvm::APFloat::BFloat(),
                                           &llvm::APFloat::IEEEsingle()};
  Format formats[] = {Format::F16, Format::BF16, Format::F32};
  for (auto [semantic, format] : llvm::zip(semantics, formats))
    for (int exponent = -160; exponent < 140; ++exponent)
      for (int i = 0; i < 64; ++i) {
        double value =
            std::ldexp(1 + i / 64.0 + i % 7 * 0x1p-13 + i * 0x1p-30, exponent) *
            (i % 2 ? 1 : -1);
        llvm::APFloat exact(value);
        bool loses;
        exact.convert(*semantic, llvm::APFloat::rmNearestTiesToEven, &loses);
        exact.convert(llvm::APFloat::IEEEdouble(),
                      llvm::APFloat::rmNearestTiesToEven, &loses);
        double rounded = roundTo(format, value);
        ASSERT_EQ(rounded, exact.convertToDouble()) << value;
        char bytes[8];
        encode(format, rounded, bytes);
        ASSERT_EQ(decode(format, bytes), rounded) << value;
      }
  char bytes[8];
  for (Format format : formats) {
    encode(format, NAN, bytes);
    EXPECT_TRUE(std::isnan(decode(format, bytes)));
    encode(format, -HUGE_VAL, bytes);
    EXPECT_EQ(decode(format, bytes), -HUGE_VAL);
  }
}

/// Any part of an argument is the same as in the whole of it.
TEST(Inputs, PartsAgreeWithTheWhole) {
  for (Family family : {Family::Normal, Family::Masked, Family::Sparse,
                        Family::Large, Family::Tiny})
    for (bool isMask : {false, true})
      for (Format format : {Format::F16, Format::I1, Format::F32}) {
        Argument argument(format, {3, 5, 20000}, {family}, isMask, 1, 7);
        std::vector<char> bytes = argument.getBytes();
        Numbers part = argument.get({{0, 2}, {1, 3, 4}, {0, 19, 19999}});
        int64_t rows[] = {1, 3, 4, 11, 13, 14};
        int64_t columns[] = {0, 19, 19999};
        size_t point = 0;
        for (int64_t row : rows)
          for (int64_t column : columns)
            ASSERT_EQ(
                part.values[point++],
                decode(format,
                       &bytes[(row * 20000 + column) * getBytes(format)]));
      }
}

/// Of four rows one is seen whole, one hides its first half, one is not seen.
TEST(Inputs, Masks) {
  Argument mask(Format::F32, {4, 8}, {Family::Masked}, /*isMask=*/true, 1, 1);
  std::vector<double> seen;
  for (double value : mask.get(getAllPositions({4, 8})).values)
    seen.push_back(value == 0);
  EXPECT_EQ(seen, (std::vector<double>{1, 1, 1, 1, 1, 1, 1, 1, //
                                       0, 0, 0, 0, 1, 1, 1, 1, //
                                       0, 0, 0, 0, 1, 0, 0, 0, //
                                       0, 0, 0, 0, 0, 0, 0, 0}));
}

/// A mask of fewer rows has each pattern in some run.
TEST(Inputs, MasksOfFewRows) {
  ArgumentFacts facts;
  facts.isMask = {true};
  for (int64_t rows : {1, 2, 3, 4, 5, 8}) {
    std::set<std::string> patterns;
    for (FamilyRun run : getFamilies(facts, rows)) {
      if (run.family != Family::Masked)
        continue;
      Argument mask(Format::I1, {rows, 8}, run, /*isMask=*/true, 1, 1);
      std::string text;
      for (double value : mask.get(getAllPositions({rows, 8})).values)
        text += value != 0 ? '1' : '0';
      for (int64_t row = 0; row < rows; ++row)
        patterns.insert(text.substr(row * 8, 8));
    }
    patterns.insert("11111111"); // as in the other families
    EXPECT_EQ(patterns, (std::set<std::string>{"00000000", "00001000",
                                               "00001111", "11111111"}))
        << rows;
  }
}

/// One row of 16, all exact results `exact` and the program's `program`.
std::optional<Mistake> judgeOne(double found, double exact, double program,
                                double bound = 0) {
  Numbers exactNumbers({16}, getAllPositions({16}), true);
  Numbers declared({16}, getAllPositions({16}), false);
  std::vector<double> all(16, 8);
  llvm::fill(exactNumbers.values, 8);
  llvm::fill(declared.values, 8);
  all[3] = found;
  exactNumbers.values[3] = exact;
  exactNumbers.bounds[3] = bound;
  declared.values[3] = program;
  Errors errors;
  return judge(Format::F16, all, exactNumbers, declared, errors);
}

/// The example of Judge.h.
TEST(Judge, Tolerance) {
  EXPECT_FALSE(judgeOne(5.022, 5, 5.004));
  EXPECT_TRUE(judgeOne(5.026, 5, 5.004));
  EXPECT_FALSE(judgeOne(5.026, 5, 5.004, 0.001));
  EXPECT_EQ(judgeOne(6, 5, 5.004)->point, 3u);
  EXPECT_EQ(judgeOne(6, 5, 5.004)->text.substr(0, 31),
            "[3] is 6.000000e+00, expected 5");
}

TEST(Judge, NotFinite) {
  double inf = HUGE_VAL, nan = NAN;
  EXPECT_FALSE(judgeOne(nan, nan, nan));
  EXPECT_TRUE(judgeOne(0, nan, nan));
  EXPECT_TRUE(judgeOne(inf, nan, nan));
  EXPECT_TRUE(judgeOne(nan, 5, 5));
  EXPECT_TRUE(judgeOne(inf, 5, 5));
  EXPECT_FALSE(judgeOne(-inf, -inf, -inf));
  EXPECT_TRUE(judgeOne(inf, -inf, -inf));
  // Out of the range of f16.
  EXPECT_FALSE(judgeOne(inf, 1e6, inf));
  EXPECT_TRUE(judgeOne(-inf, 1e6, 1e6));
  EXPECT_TRUE(judgeOne(5, 1e6, inf));
  // The program overflows on its way: what it gives is no measure.
  EXPECT_FALSE(judgeOne(nan, 5, nan));
  EXPECT_FALSE(judgeOne(5, 5, inf));
  // Noise, by the bound of single precision.
  EXPECT_FALSE(judgeOne(7, 5, 5, inf));
}

/// What single precision makes of a sum that cancels is no error of the kernel.
TEST(Judge, WorstErrorIsWithoutNoise) {
  Numbers exact({16}, getAllPositions({16}), true);
  Numbers declared({16}, getAllPositions({16}), false);
  std::vector<double> found(16, 1e-9);
  llvm::fill(exact.bounds, 1e-9);
  Errors errors;
  EXPECT_FALSE(judge(Format::F32, found, exact, declared, errors));
  EXPECT_EQ(errors.worst, 0);
  llvm::fill(exact.values, 1);
  llvm::fill(declared.values, 1);
  llvm::fill(found, 1 + 1e-7);
  EXPECT_FALSE(judge(Format::F32, found, exact, declared, errors));
  EXPECT_NEAR(errors.worst, 0.96e-7, 1e-9);
}

/// Nothing that was written is NaN, which is what poison looks like.
TEST(Judge, Poison) { EXPECT_TRUE(judgeOne(NAN, 5, 5)); }

} // namespace
