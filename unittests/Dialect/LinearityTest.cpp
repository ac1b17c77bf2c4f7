//===- LinearityTest.cpp - The declared linear groups are the true ones ---===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// f is jointly linear in a set of operands iff it is in its declaration
// (schema S4): tried on numbers for every set of operands of every op that has
// a scalar form, by folding the scalar form.
//
//===----------------------------------------------------------------------===//

#include "DialectTestUtils.h"
#include <cmath>

using namespace mlir;
using namespace prism;
using namespace prism::test;

namespace {
class LinearityTest : public DialectTest {
protected:
  /// The scalar form of `op` at `values`; NaN where it does not fold.
  double evaluateScalar(ComputeOpInterface op, ArrayRef<double> values) {
    Block block;
    OpBuilder builder(op->getContext());
    builder.setInsertionPointToEnd(&block);
    SmallVector<Attribute> attrs;
    for (auto [value, type] : llvm::zip_equal(values, op->getOperandTypes())) {
      Type scalar = prism::getElementType(type);
      block.addArgument(scalar, op->getLoc());
      attrs.push_back(isa<FloatType>(scalar)
                          ? Attribute(FloatAttr::get(scalar, value))
                          : Attribute(IntegerAttr::get(scalar, value > 0)));
    }
    Value result =
        op.buildScalar(builder, op->getLoc(), block.getArguments(),
                       prism::getElementType(op->getResult(0).getType()));
    auto folded = dyn_cast_or_null<FloatAttr>(evaluate(block, attrs, result));
    return folded ? folded.getValueAsDouble() : std::nan("");
  }

  /// f(x + y, z) - f(x, z) - f(y, z), x and y standing in `group`; NaN where f
  /// is not defined.
  double getDeviation(ComputeOpInterface op, ArrayRef<unsigned> group,
                      ArrayRef<double> x, ArrayRef<double> y) {
    SmallVector<double> first(x.take_front(op->getNumOperands()));
    SmallVector<double> second(first), both(first);
    for (unsigned operand : group) {
      second[operand] = y[operand];
      both[operand] = x[operand] + y[operand];
    }
    return evaluateScalar(op, both) - evaluateScalar(op, first) -
           evaluateScalar(op, second);
  }

  bool isLinearIn(ComputeOpInterface op, ArrayRef<unsigned> group) {
    // All positive, so that roots and logarithms are defined; and of both
    // signs, for conditions and for what differs there.
    const double x[][3] = {{0.7, 1.9, 0.3}, {-0.7, 1.1, -0.4}};
    const double y[][3] = {{2.3, 0.6, 1.7}, {1.3, -2.6, 0.9}};
    unsigned defined = 0;
    bool isLinear = true;
    for (int point = 0; point < 2; ++point) {
      double deviation = getDeviation(op, group, x[point], y[point]);
      defined += !std::isnan(deviation);
      isLinear &= !(std::abs(deviation) > 1e-6);
    }
    EXPECT_GT(defined, 0u);
    return isLinear;
  }

  static bool isTried(ComputeOpInterface op, ArrayRef<unsigned> group) {
    return llvm::all_of(group, [&](unsigned operand) {
      Type type = op->getOperand(operand).getType();
      return isa<FloatType>(prism::getElementType(type));
    });
  }
};

TEST_F(LinearityTest, DeclaredGroupsAreExactlyTheLinearOnes) {
  unsigned tried = 0;
  for (const OpCase &opCase : getOpCases()) {
    ComputeOpInterface op = parse(opCase);
    Type result = prism::getElementType(op->getResult(0).getType());
    if (!op.hasScalarForm() || !isa<FloatType>(result))
      continue;
    // A maximum over a dim is not linear, though its scalar form is.
    IterationStructure structure = op.getIterationStructure();
    if (llvm::is_contained(structure.dims, IterationKind::Max)) {
      EXPECT_TRUE(structure.linearGroups.empty()) << opCase.statement;
      continue;
    }
    for (unsigned set = 1; set < 1u << op->getNumOperands(); ++set) {
      SmallVector<unsigned> group;
      for (unsigned operand = 0; operand < op->getNumOperands(); ++operand)
        if (set >> operand & 1)
          group.push_back(operand);
      bool isDeclared = llvm::is_contained(structure.linearGroups, group);
      if (!isTried(op, group)) {
        EXPECT_FALSE(isDeclared) << opCase.statement;
        continue;
      }
      EXPECT_EQ(isLinearIn(op, group), isDeclared)
          << opCase.statement << ", set " << set;
      ++tried;
    }
  }
  EXPECT_GT(tried, 40u);
}

/// The scalar forms against the definitions.
TEST_F(LinearityTest, ScalarFormsAreTheirDefinitions) {
  auto at = [&](const char *op, double x) {
    std::string statement =
        ("prism." + llvm::Twine(op) + " %a : (tensor<f64>) -> tensor<f64>")
            .str();
    return evaluateScalar(parse("%a: tensor<f64>", statement.c_str()), {x});
  };
  for (double x : {-1.5, 0.25, 2.0}) {
    double sigmoid = 1 / (1 + std::exp(-x));
    EXPECT_NEAR(at("square", x), x * x, 1e-12);
    EXPECT_NEAR(at("neg", x), -x, 1e-12);
    EXPECT_NEAR(at("exp", x), std::exp(x), 1e-12);
    EXPECT_NEAR(at("tanh", x), std::tanh(x), 1e-12);
    EXPECT_NEAR(at("erf", x), std::erf(x), 1e-12);
    EXPECT_NEAR(at("reciprocal", x), 1 / x, 1e-12);
    EXPECT_NEAR(at("sigmoid", x), sigmoid, 1e-12);
    EXPECT_NEAR(at("silu", x), x * sigmoid, 1e-12);
    EXPECT_NEAR(at("relu", x), x > 0 ? x : 0, 1e-12);
    EXPECT_NEAR(at("gelu erf", x), x / 2 * (1 + std::erf(x / std::sqrt(2.0))),
                1e-12);
    double inner = std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x);
    EXPECT_NEAR(at("gelu tanh", x), x / 2 * (1 + std::tanh(inner)), 1e-12);
  }
  EXPECT_NEAR(at("sqrt", 2.0), std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(at("rsqrt", 2.0), 1 / std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(at("log", 2.0), std::log(2.0), 1e-12);
}
} // namespace
