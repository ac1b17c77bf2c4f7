//===- DecompositionTest.cpp - Composites equal their definitions ---------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What softmax and rms_norm decompose into is run on numbers, by the iteration
// structures and scalar forms of its ops, against the formula.
//
//===----------------------------------------------------------------------===//

#include "DialectTestUtils.h"
#include <cmath>

using namespace mlir;
using namespace prism;
using namespace prism::test;

namespace {
struct Array {
  SmallVector<int64_t> shape;
  std::vector<double> values;

  size_t offset(ArrayRef<int64_t> index) const {
    size_t offset = 0;
    for (auto [position, extent] : llvm::zip_equal(index, shape))
      offset = offset * extent + position;
    return offset;
  }
};

/// Runs compute ops that have a scalar form, on static builtin tensors.
class Interpreter {
public:
  void set(Value value, Array array) { arrays[value] = std::move(array); }
  const Array &get(Value value) { return arrays[value]; }
  void run(ComputeOpInterface op);

private:
  double runScalar(ComputeOpInterface op, ArrayRef<double> operands);
  llvm::DenseMap<Value, Array> arrays;
};

SmallVector<int64_t> select(const IndexMap &map, ArrayRef<int64_t> point) {
  return llvm::map_to_vector(
      map, [&](const auto &factors) { return point[factors.front()]; });
}

double Interpreter::runScalar(ComputeOpInterface op,
                              ArrayRef<double> operands) {
  Block block;
  OpBuilder builder(op->getContext());
  builder.setInsertionPointToEnd(&block);
  SmallVector<Attribute> attrs;
  for (auto [value, type] : llvm::zip_equal(operands, op->getOperandTypes())) {
    block.addArgument(prism::getElementType(type), op->getLoc());
    attrs.push_back(FloatAttr::get(prism::getElementType(type), value));
  }
  Value result =
      op.buildScalar(builder, op->getLoc(), block.getArguments(),
                     prism::getElementType(op->getResult(0).getType()));
  auto folded = dyn_cast_or_null<FloatAttr>(evaluate(block, attrs, result));
  return folded ? folded.getValueAsDouble() : std::nan("");
}

void Interpreter::run(ComputeOpInterface op) {
  ASSERT_TRUE(op.hasScalarForm());
  IterationStructure structure = op.getIterationStructure();
  SmallVector<int64_t> extents;
  for (const DimExpr &extent : getIterationExtents(
           structure, op->getOperandTypes(), op->getResult(0).getType()))
    extents.push_back(*extent.asConstant());
  bool isMax = llvm::is_contained(structure.dims, IterationKind::Max);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Array result{
      SmallVector<int64_t>(type.getShape()),
      std::vector<double>(type.getNumElements(), isMax ? -HUGE_VAL : 0.0)};
  SmallVector<int64_t> point(extents.size());
  size_t count = 1;
  for (int64_t extent : extents)
    count *= extent;
  for (size_t n = 0; n < count; ++n) {
    size_t rest = n;
    for (size_t dim = extents.size(); dim-- > 0; rest /= extents[dim])
      point[dim] = rest % extents[dim];
    SmallVector<double> operands;
    for (auto [map, value] :
         llvm::zip_equal(structure.operandMaps, op->getOperands())) {
      const Array &array = arrays[value];
      operands.push_back(array.values[array.offset(select(map, point))]);
    }
    double value = runScalar(op, operands);
    double &into =
        result.values[result.offset(select(structure.resultMap, point))];
    into = isMax ? std::max(into, value) : into + value;
  }
  set(op->getResult(0), std::move(result));
}

class DecompositionTest : public DialectTest {
protected:
  /// The decomposition of `statement` on 2x3 numbers.
  std::vector<double> run(const char *statement) {
    ComputeOpInterface op = parse("%a: tensor<2x3xf64>", statement);
    OpBuilder builder(op);
    Value result = cast<DecomposableOpInterface>(*op).decompose(builder);
    EXPECT_EQ(result.getType(), op->getResult(0).getType());
    Interpreter interpreter;
    interpreter.set(op->getOperand(0), {{2, 3}, input});
    for (Operation &each : *op->getBlock())
      if (&each == op.getOperation())
        break;
      else
        interpreter.run(cast<ComputeOpInterface>(each));
    return interpreter.get(result).values;
  }
  const std::vector<double> input = {0.5, -1.0, 2.0, 3.0, 0.25, -0.75};
};

TEST_F(DecompositionTest, Softmax) {
  std::vector<double> rows =
      run("prism.softmax %a dim 1 : (tensor<2x3xf64>) -> tensor<2x3xf64>");
  ASSERT_EQ(rows.size(), 6u);
  for (int row = 0; row < 2; ++row) {
    double sum = 0;
    for (int i = 0; i < 3; ++i)
      sum += std::exp(input[3 * row + i]);
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(rows[3 * row + i], std::exp(input[3 * row + i]) / sum, 1e-12);
  }
}

TEST_F(DecompositionTest, RmsNormAlongTheFirstDim) {
  std::vector<double> columns =
      run("prism.rms_norm %a dim 0 epsilon 0.5 : (tensor<2x3xf64>) -> "
          "tensor<2x3xf64>");
  ASSERT_EQ(columns.size(), 6u);
  for (int i = 0; i < 3; ++i) {
    double mean = (input[i] * input[i] + input[3 + i] * input[3 + i]) / 2;
    for (int row = 0; row < 2; ++row)
      EXPECT_NEAR(columns[3 * row + i],
                  input[3 * row + i] / std::sqrt(mean + 0.5), 1e-12);
  }
}

/// The mean over an extent that is not known has no definition yet.
TEST_F(DecompositionTest, RmsNormOverADynamicDim) {
  ComputeOpInterface op =
      parse("%a: tensor<2x?xf32>", "prism.rms_norm %a dim 1 epsilon 0.0 : "
                                   "(tensor<2x?xf32>) -> tensor<2x?xf32>");
  OpBuilder builder(op);
  EXPECT_FALSE(cast<DecomposableOpInterface>(*op).decompose(builder));
  EXPECT_EQ(&op->getBlock()->front(), op.getOperation());
}

/// A symbolic extent stays symbolic in the mean.
TEST_F(DecompositionTest, RmsNormOverASymbolicDim) {
  ComputeOpInterface op =
      parse("%a: !prism.tensor<[n, d], f32>",
            "prism.rms_norm %a dim 1 epsilon 0.0 : "
            "(!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>");
  OpBuilder builder(op);
  ASSERT_TRUE(cast<DecomposableOpInterface>(*op).decompose(builder));
  auto constants = op->getBlock()->getOps<ConstantOp>();
  ASSERT_FALSE(constants.empty());
  auto extent = dyn_cast<DimExprAttr>((*constants.begin()).getValue());
  ASSERT_TRUE(extent);
  EXPECT_EQ(extent.getValue().str(), "d");
}

/// Statistics of narrow data are computed in f32: their sums, and an extent
/// such as 70000, are out of the range of f16.
TEST_F(DecompositionTest, NarrowDataHaveWideStatistics) {
  for (const char *statement :
       {"prism.rms_norm %a dim 1 epsilon 0.0 : (tensor<2x70000xf16>) -> "
        "tensor<2x70000xf16>",
        "prism.softmax %a dim 1 : (tensor<2x70000xf16>) -> "
        "tensor<2x70000xf16>"}) {
    ComputeOpInterface op = parse("%a: tensor<2x70000xf16>", statement);
    OpBuilder builder(op);
    Value result = cast<DecomposableOpInterface>(*op).decompose(builder);
    ASSERT_TRUE(result);
    EXPECT_EQ(result.getType(), op->getResult(0).getType());
    for (Operation &each : *op->getBlock())
      if (isa<ConstantOp, ReduceSumOp, DivOp, SqrtOp, ExpOp>(each))
        EXPECT_TRUE(prism::getElementType(each.getResult(0).getType()).isF32());
  }
}
} // namespace
