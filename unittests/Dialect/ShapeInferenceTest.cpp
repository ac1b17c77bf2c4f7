//===- ShapeInferenceTest.cpp - Extents from iteration structures ---------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops are rebuilt on other operands, at other levels: the result type follows.
//
//===----------------------------------------------------------------------===//

#include "DialectTestUtils.h"

using namespace mlir;
using namespace prism;
using namespace prism::test;

namespace {
class ShapeInferenceTest : public DialectTest {
protected:
  /// The result type of `statement`, rebuilt on values of `types`.
  Type rebuild(const char *arguments, const char *statement,
               ArrayRef<const char *> types, Type elementType = {}) {
    ComputeOpInterface prototype = parse(arguments, statement);
    SmallVector<Value> operands;
    for (const char *text : types)
      operands.push_back(
          prototype->getBlock()->addArgument(type(text), prototype->getLoc()));
    OpBuilder builder(prototype);
    Operation *op = rebuildComputeOp(builder, prototype, operands, elementType);
    EXPECT_TRUE(succeeded(prism::detail::verifyComputeOp(op)));
    EXPECT_EQ(op->getDiscardableAttrDictionary(),
              prototype->getDiscardableAttrDictionary());
    return op->getResult(0).getType();
  }
};

const char matmulArguments[] = "%a: tensor<8x64xf16>, %b: tensor<64x32xf16>";
const char matmul[] = "prism.matmul %a, %b {tag} : (tensor<8x64xf16>, "
                      "tensor<64x32xf16>) -> tensor<8x32xf32>";

TEST_F(ShapeInferenceTest, MatmulAtEachLevel) {
  EXPECT_EQ(
      rebuild(matmulArguments, matmul,
              {"!prism.tensor<[n, d], f16>", "!prism.tensor<[d, h], f16>"}),
      type("!prism.tensor<[n, h], f32>"));
  EXPECT_EQ(rebuild(matmulArguments, matmul,
                    {"!prism.tile<[n/y, d/i?m0], f16>",
                     "!prism.tile<[d/i?m0, h/x], f16>"}),
            type("!prism.tile<[n/y, h/x], f32>"));
  EXPECT_EQ(
      rebuild(matmulArguments, matmul, {"tensor<?x3xf16>", "tensor<3x5xf16>"}),
      type("tensor<?x5xf32>"));
}

TEST_F(ShapeInferenceTest, ElementTypeIsKeptUnlessGiven) {
  EXPECT_EQ(rebuild("%a: tensor<4xf16>",
                    "prism.exp %a : (tensor<4xf16>) -> tensor<4xf16>",
                    {"!prism.tile<[n/x], f32>"}, Float32Type::get(&context)),
            type("!prism.tile<[n/x], f32>"));
}

TEST_F(ShapeInferenceTest, BroadcastTakesNewExtentsFromThePrototype) {
  EXPECT_EQ(
      rebuild("%a: !prism.tensor<[n], f32>",
              "prism.broadcast %a dims [0] : (!prism.tensor<[n], f32>) -> "
              "!prism.tensor<[n, d], f32>",
              {"!prism.tile<[n/x], f32>"}),
      type("!prism.tile<[n/x, d], f32>"));
}

TEST_F(ShapeInferenceTest, ElementwiseMaps) {
  EXPECT_EQ(
      rebuild("%a: tensor<4x6xf32>, %b: tensor<4xf32>",
              "prism.div %a, %b maps [d0, d1], [d0] -> [d0, d1]"
              " : (tensor<4x6xf32>, tensor<4xf32>) -> tensor<4x6xf32>",
              {"!prism.tile<[n/x, d/i], f32>", "!prism.tile<[n/x], f32>"}),
      type("!prism.tile<[n/x, d/i], f32>"));
  // Extents of a unit dim and of a missing one differ: the map decides.
  EXPECT_EQ(rebuild("%a: tensor<1x6xf32>, %b: tensor<1xf32>",
                    "prism.div %a, %b maps [d0, d1], [d0] -> [d1, d0]"
                    " : (tensor<1x6xf32>, tensor<1xf32>) -> tensor<6x1xf32>",
                    {"!prism.tensor<[1, d], f32>", "!prism.tensor<[1], f32>"}),
            type("!prism.tensor<[d, 1], f32>"));
}

TEST_F(ShapeInferenceTest, ReductionsAndTransposes) {
  EXPECT_EQ(rebuild("%a: tensor<2x3x4xf16>",
                    "prism.reduce_sum %a dims [0, 2] : (tensor<2x3x4xf16>) -> "
                    "tensor<3xf32>",
                    {"!prism.tile<[a/i, b/x, c], f16>"}),
            type("!prism.tile<[b/x], f32>"));
  EXPECT_EQ(rebuild("%a: tensor<2x3xf16>",
                    "prism.transpose %a permutation [1, 0] : "
                    "(tensor<2x3xf16>) -> tensor<3x2xf16>",
                    {"!prism.tile<[a/i, b/x], f16>"}),
            type("!prism.tile<[b/x, a/i], f16>"));
}

TEST_F(ShapeInferenceTest, ConcatAndSliceKeepTheirOwnDim) {
  const char arguments[] =
      "%a: !prism.tensor<[a, d], f32>, %b: !prism.tensor<[b, d], f32>";
  const char concat[] =
      "prism.concat %a, %b dim 0 : (!prism.tensor<[a, d], f32>, "
      "!prism.tensor<[b, d], f32>) -> !prism.tensor<[a + b, d], f32>";
  EXPECT_EQ(
      rebuild(arguments, concat,
              {"!prism.tile<[a, d/x], f32>", "!prism.tile<[b, d/x], f32>"}),
      type("!prism.tile<[a + b, d/x], f32>"));
  EXPECT_EQ(rebuild("%a: tensor<4x6xf32>",
                    "prism.slice %a dim 1 offset 2 : (tensor<4x6xf32>) -> "
                    "tensor<4x3xf32>",
                    {"!prism.tile<[n/x, 6], f32>"}),
            type("!prism.tile<[n/x, 3], f32>"));
}

// A merged dim is split along its outermost factor.
TEST_F(ShapeInferenceTest, ReshapeHandsSplitsToTheOutermostFactor) {
  const char arguments[] = "%a: !prism.tensor<[n, h*e], f16>";
  const char split[] =
      "prism.reshape %a ([d0], [d1, d2]) -> ([d0], [d1], [d2]) : "
      "(!prism.tensor<[n, h*e], f16>) -> !prism.tensor<[n, h, e], f16>";
  EXPECT_EQ(rebuild(arguments, split, {"!prism.tile<[n/y, (e*h)/x/i], f16>"}),
            type("!prism.tile<[n/y, h/x/i, e], f16>"));
  // Not split: the extents of the factors stay.
  EXPECT_EQ(rebuild(arguments, split, {"!prism.tile<[n, e*h], f16>"}),
            type("!prism.tile<[n, h, e], f16>"));
  EXPECT_EQ(
      rebuild("%a: !prism.tensor<[n, h, e], f16>",
              "prism.reshape %a ([d0], [d1], [d2]) -> ([d0], [d1, d2]) : "
              "(!prism.tensor<[n, h, e], f16>) -> !prism.tensor<[n, h*e], f16>",
              {"!prism.tile<[n, h/x, e], f16>"}),
      type("!prism.tile<[n, e*h/x], f16>"));
}

TEST_F(ShapeInferenceTest, ConstantsKeepTheirLevel) {
  EXPECT_EQ(rebuild("", "prism.constant 1.0 : f32 -> !prism.tile<[], f32>", {}),
            type("!prism.tile<[], f32>"));
}

TEST_F(ShapeInferenceTest, IterationAndDataExtents) {
  ComputeOpInterface op = parse(matmulArguments, matmul);
  IterationStructure structure = op.getIterationStructure();
  SmallVector<DimExpr> extents =
      getIterationExtents(structure, op->getOperandTypes());
  ASSERT_EQ(extents.size(), 3u);
  EXPECT_EQ(extents[0].str(), "8");
  EXPECT_EQ(extents[1].str(), "32");
  EXPECT_EQ(extents[2].str(), "64");
  // A dynamic dim of one operand is read from the other.
  extents = getIterationExtents(
      structure, {type("tensor<?x?xf16>"), type("tensor<64x?xf16>")});
  EXPECT_TRUE(extents[0].isUnknown());
  EXPECT_EQ(extents[2].str(), "64");
  // A dim that nothing indexes has extent 1, merged dims their product.
  SmallVector<DimExpr> data = getDataExtents(
      IndexMap{{}, {0, 1}}, {DimExpr::symbol("h"), DimExpr::symbol("e")});
  EXPECT_TRUE(data[0].isOne());
  EXPECT_EQ(data[1].str(), "e*h");
}

TEST_F(ShapeInferenceTest, LevelsAlike) {
  Type f32 = Float32Type::get(&context);
  DimExpr extents[] = {DimExpr::symbol("n"), DimExpr::constant(4)};
  EXPECT_EQ(cloneWith(type("tensor<f16>"), extents, f32),
            type("tensor<?x4xf32>"));
  EXPECT_EQ(cloneWith(type("!prism.tensor<[], f16>"), extents, f32),
            type("!prism.tensor<[n, 4], f32>"));
  EXPECT_EQ(cloneWith(type("!prism.tile<[], f16>"), extents, f32),
            type("!prism.tile<[n, 4], f32>"));
  EXPECT_TRUE(isComputeType(type("tensor<4xbf16>")));
  EXPECT_FALSE(isComputeType(type("tensor<4xi32>")));
  EXPECT_FALSE(isComputeType(type("tensor<*xf32>")));
  EXPECT_FALSE(isComputeType(type("memref<4xf32>")));
}
} // namespace
