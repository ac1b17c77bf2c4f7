//===- DimExprTest.cpp - Symbolic extents --------------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Symbolic/DimExpr.h"
#include "gtest/gtest.h"
#include <random>

using namespace prism;

static std::optional<int64_t> none(llvm::StringRef) { return std::nullopt; }

TEST(DimExprTest, WorkedExample) {
  // The example in the header of DimExpr.h: d/x?m0/i.
  DimExpr d = DimExpr::symbol("d");
  DimExpr tile = DimExpr::quotient(DimExpr::quotient(d, {"x", 0}), {"i", {}});
  EXPECT_EQ(tile.str(), "d/x?m0/i");
  EXPECT_EQ(tile.withoutSplits(), d);

  auto symbols = [](llvm::StringRef name) -> std::optional<int64_t> {
    return name == "d" ? std::optional<int64_t>(4096) : std::nullopt;
  };
  auto tiles = [](llvm::StringRef dim) -> std::optional<int64_t> {
    return dim == "x" ? 1024 : 128;
  };
  EXPECT_EQ(tile.evaluate(symbols, tiles), std::nullopt) << "m0 is open";
  DimExpr split = tile.replaceSplits(
      [](const Split &s) { return Split{s.dim, std::nullopt}; });
  EXPECT_EQ(split.evaluate(symbols, tiles), 128);
  DimExpr unsplit =
      tile.replaceSplits([](const Split &) { return std::optional<Split>(); });
  EXPECT_EQ(unsplit.evaluate(symbols, tiles), 4096);
}

TEST(DimExprTest, CanonicalForms) {
  DimExpr a = DimExpr::symbol("a"), b = DimExpr::symbol("b");
  DimExpr one = DimExpr::constant(1), two = DimExpr::constant(2);
  EXPECT_EQ(a * b, b * a);
  EXPECT_EQ((a + one) * (b + one), a * b + a + b + one);
  EXPECT_EQ((a + a).str(), "2*a");
  EXPECT_EQ((two * a * b + one).str(), "2*a*b + 1");
  EXPECT_EQ(a + DimExpr::constant(-1) * a, DimExpr::constant(0));
  EXPECT_EQ((a * DimExpr::constant(0)).str(), "0");
  EXPECT_NE(a, b);
}

TEST(DimExprTest, AUnitDimIsNeverSplit) {
  EXPECT_EQ(DimExpr::quotient(DimExpr::constant(1), {"x", {}}),
            DimExpr::constant(1));
}

TEST(DimExprTest, QuotientsOfSumsAreParenthesized) {
  DimExpr sum = DimExpr::symbol("a") + DimExpr::symbol("b");
  EXPECT_EQ(DimExpr::quotient(sum, {"x", {}}).str(), "(a + b)/x");
  EXPECT_EQ((DimExpr::quotient(sum, {"x", {}}) * DimExpr::symbol("c")).str(),
            "(a + b)/x*c");
}

TEST(DimExprTest, UnknownAndOverflow) {
  DimExpr unknown, a = DimExpr::symbol("a");
  EXPECT_TRUE((unknown + a).isUnknown());
  EXPECT_TRUE((a * unknown).isUnknown());
  DimExpr large = DimExpr::constant(int64_t(1) << 40);
  EXPECT_TRUE((large * large).isUnknown());
  EXPECT_EQ(
      (large * a * a)
          .evaluate([](llvm::StringRef) { return int64_t(1) << 20; }, none),
      std::nullopt);
}

TEST(DimExprTest, SizeIsLimited) {
  DimExpr sum = DimExpr::constant(1), power = DimExpr::constant(1);
  for (unsigned i = 0; i < DimExpr::maxTerms; ++i) {
    EXPECT_FALSE(sum.isUnknown());
    sum = sum + DimExpr::symbol("s" + std::to_string(i));
    power = power * DimExpr::symbol("a");
  }
  EXPECT_TRUE(sum.isUnknown());
  EXPECT_FALSE(power.isUnknown());
  EXPECT_TRUE((power * DimExpr::symbol("a")).isUnknown());
}

TEST(DimExprTest, RaggedTileIsNeverLargerThanTheDim) {
  DimExpr tile = DimExpr::quotient(DimExpr::symbol("d"), {"x", {}});
  auto evaluate = [&](int64_t extent, int64_t t) {
    return tile.evaluate([&](llvm::StringRef) { return extent; },
                         [&](llvm::StringRef) { return t; });
  };
  EXPECT_EQ(evaluate(100, 64), 64);
  EXPECT_EQ(evaluate(48, 64), 48);
}

namespace {
/// A random expression with its value by naive evaluation.
struct Random {
  std::mt19937 engine;
  std::pair<DimExpr, int64_t> make(int depth) {
    if (depth == 0) {
      int choice = engine() % 4;
      if (choice == 0) {
        int64_t value = engine() % 5;
        return {DimExpr::constant(value), value};
      }
      return {DimExpr::symbol(std::string(1, 'a' + choice)), choice + 1};
    }
    auto [l, lv] = make(depth - 1);
    auto [r, rv] = make(depth - 1);
    if (engine() % 2)
      return {l + r, lv + rv};
    return {l * r, lv * rv};
  }
};
} // namespace

TEST(DimExprTest, FuzzAgainstNaiveEvaluation) {
  Random random{std::mt19937(7)};
  auto symbols = [](llvm::StringRef name) -> std::optional<int64_t> {
    return name[0] - 'a' + 1;
  };
  for (int i = 0; i < 500; ++i) {
    auto [l, lv] = random.make(3);
    auto [r, rv] = random.make(3);
    EXPECT_EQ(l.evaluate(symbols, none), lv) << l.str().str();
    EXPECT_EQ((l + r) * l, l * l + r * l);
    if (lv != rv)
      EXPECT_NE(l, r);
  }
}
