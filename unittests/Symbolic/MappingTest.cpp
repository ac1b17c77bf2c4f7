//===- MappingTest.cpp - Maps and their equations ------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Symbolic/Mapping.h"
#include "gtest/gtest.h"

using namespace prism;

static bool isGrid(llvm::StringRef dim) { return dim != "i"; }

static Split split(const char *dim) { return {dim, std::nullopt}; }
static Split open(const char *dim, unsigned variable) {
  return {dim, variable};
}

TEST(MappingTest, WorkedExample) {
  // The example in the header of Mapping.h: X[n, d], [[x], [i?m0]].
  DimExpr extents[] = {DimExpr::symbol("n"), DimExpr::symbol("d")};
  Mapping mapping{{split("x")}, {open("i", 0)}};
  auto tile = getTileExtents(extents, mapping);
  EXPECT_EQ(tile[0].str(), "n/x");
  EXPECT_EQ(tile[1].str(), "d/i?m0");
}

TEST(MappingTest, Equation1) {
  auto violation = findMappingViolation({{split("x")}, {split("x")}}, isGrid);
  ASSERT_TRUE(violation);
  EXPECT_EQ(violation->equation, 1u);
  EXPECT_EQ(violation->dataDim, 1u);
  // An open entry does not violate anything yet.
  EXPECT_FALSE(findMappingViolation({{split("x")}, {open("x", 0)}}, isGrid));
}

TEST(MappingTest, Equation2) {
  auto violation = findMappingViolation({{split("x"), split("y")}}, isGrid);
  ASSERT_TRUE(violation);
  EXPECT_EQ(violation->equation, 2u);
  EXPECT_EQ(violation->parallelDim, "y");
  // One grid dim and the loop may split the same dim.
  EXPECT_FALSE(findMappingViolation({{split("x"), split("i")}}, isGrid));
}

TEST(MappingTest, Equation4ByCoefficients) {
  DimExpr d = DimExpr::symbol("d");
  DimExpr a = DimExpr::quotient(d, open("x", 0));
  DimExpr b = DimExpr::quotient(d, open("x", 3));
  auto equalities = matchExtents(a, b);
  ASSERT_TRUE(equalities);
  ASSERT_EQ(equalities->size(), 1u);
  EXPECT_EQ((*equalities)[0].first, MapTerm::variable(0));
  EXPECT_EQ((*equalities)[0].second, MapTerm::variable(3));
  // A side that is not split along x contributes 0.
  equalities = matchExtents(a, d);
  ASSERT_TRUE(equalities);
  EXPECT_EQ((*equalities)[0].second, MapTerm::known(false));
  // Different dims, and known entries that differ, never match.
  EXPECT_FALSE(matchExtents(a, DimExpr::symbol("n")));
  EXPECT_FALSE(matchExtents(DimExpr::quotient(d, split("x")), d));
}

TEST(MappingTest, Constraints) {
  MappingConstraints constraints;
  auto m = MapTerm::variable;
  EXPECT_TRUE(constraints.addEqual(m(5), m(2)));
  EXPECT_TRUE(constraints.addEqual(m(2), m(7)));
  EXPECT_EQ(constraints.lookup(m(7)), m(2)) << "the least variable stands";
  EXPECT_TRUE(constraints.addEqual(m(7), MapTerm::known(true)));
  EXPECT_EQ(constraints.lookup(m(5)), MapTerm::known(true));
  EXPECT_FALSE(constraints.addEqual(m(5), MapTerm::known(false)));
  EXPECT_EQ(constraints.lookup(m(2)), MapTerm::known(true)) << "unchanged";

  DimExpr d = DimExpr::symbol("d");
  EXPECT_EQ(constraints.simplify(DimExpr::quotient(d, open("x", 2))),
            DimExpr::quotient(d, split("x")));
  EXPECT_TRUE(constraints.addEqual(m(9), MapTerm::known(false)));
  EXPECT_EQ(constraints.simplify(DimExpr::quotient(d, open("x", 9))), d);
}
