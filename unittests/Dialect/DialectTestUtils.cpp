//===- DialectTestUtils.cpp - What the dialect's unit tests share ---------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DialectTestUtils.h"
#include <cmath>

using namespace mlir;
using namespace prism;
using namespace prism::test;

static char getLetter(IterationKind kind) {
  switch (kind) {
  case IterationKind::Parallel:
    return 'P';
  case IterationKind::Sum:
    return 'S';
  case IterationKind::Max:
    return 'M';
  case IterationKind::Whole:
    return 'W';
  }
  return '?';
}

static void print(llvm::raw_ostream &os, const IndexMap &map) {
  llvm::interleave(
      map, os,
      [&](const auto &factors) {
        os << '[';
        llvm::interleave(factors, os, ",");
        os << ']';
      },
      " ");
}

std::string prism::test::describe(const IterationStructure &structure) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (IterationKind kind : structure.dims)
    os << getLetter(kind);
  os << " | ";
  llvm::interleaveComma(structure.operandMaps, os,
                        [&](const IndexMap &map) { print(os, map); });
  os << " -> ";
  print(os, structure.resultMap);
  os << " |";
  for (const auto &group : structure.linearGroups) {
    os << " {";
    llvm::interleave(group, os, ",");
    os << '}';
  }
  return text;
}

DialectTest::DialectTest() {
  context.loadDialect<PrismDialect, func::FuncDialect>();
}

ComputeOpInterface DialectTest::parse(const OpCase &opCase) {
  std::string text = ("func.func @f(" + llvm::Twine(opCase.arguments) +
                      ") {\n  %r = " + opCase.statement + "\n  return\n}\n")
                         .str();
  modules.push_back(parseSourceString<ModuleOp>(text, &context));
  ComputeOpInterface found;
  if (modules.back())
    modules.back()->walk([&](ComputeOpInterface op) { found = op; });
  EXPECT_TRUE(found) << text;
  return found;
}

Attribute prism::test::evaluate(Block &block, ArrayRef<Attribute> values,
                                Value result) {
  llvm::DenseMap<Value, Attribute> known;
  for (auto [argument, value] : llvm::zip_equal(block.getArguments(), values))
    known[argument] = value;
  for (Operation &op : block) {
    SmallVector<Attribute> operands;
    for (Value operand : op.getOperands())
      operands.push_back(known.lookup(operand));
    // The one op of the scalar forms that has no folder.
    if (isa<math::RsqrtOp>(op)) {
      auto x = cast<FloatAttr>(operands.front());
      known[op.getResult(0)] =
          FloatAttr::get(x.getType(), 1 / std::sqrt(x.getValueAsDouble()));
      continue;
    }
    SmallVector<OpFoldResult> folded;
    if (op.getNumResults() != 1 || failed(op.fold(operands, folded)))
      continue;
    // An op that folds in place leaves its result as it is.
    if (folded.empty())
      continue;
    known[op.getResult(0)] = isa<Attribute>(folded[0])
                                 ? cast<Attribute>(folded[0])
                                 : known.lookup(cast<Value>(folded[0]));
  }
  return known.lookup(result);
}

//===----------------------------------------------------------------------===//
// The cases
//===----------------------------------------------------------------------===//

// Written out by hand from the definitions of the ops, not from the code.
#define UNARY(NAME, LINEAR)                                                    \
  {"%a: tensor<2x3xf64>",                                                      \
   "prism." NAME " %a : (tensor<2x3xf64>) -> tensor<2x3xf64>",                 \
   "PP | [0] [1] -> [0] [1] |" LINEAR}
#define BINARY(NAME, LINEAR)                                                   \
  {"%a: tensor<2x3xf64>, %b: tensor<3xf64>",                                   \
   "prism." NAME " %a, %b maps [d0, d1], [d1] -> [d0, d1]"                     \
   " : (tensor<2x3xf64>, tensor<3xf64>) -> tensor<2x3xf64>",                   \
   "PP | [0] [1], [1] -> [0] [1] |" LINEAR}

static const OpCase opCases[] = {
    BINARY("add", " {0,1}"),
    BINARY("sub", " {0,1}"),
    BINARY("mul", " {0} {1}"),
    BINARY("div", " {0}"),
    BINARY("max", ""),
    BINARY("min", ""),
    BINARY("pow", ""),
    // Without maps every operand is indexed alike; with them, permuted.
    {"%a: tensor<2x3xf64>, %b: tensor<2x3xf64>",
     "prism.add %a, %b : (tensor<2x3xf64>, tensor<2x3xf64>) -> "
     "tensor<2x3xf64>",
     "PP | [0] [1], [0] [1] -> [0] [1] | {0,1}"},
    {"%a: tensor<2x3xf64>, %b: tensor<3x2xf64>",
     "prism.mul %a, %b maps [d1, d0], [d0, d1] -> [d0, d1]"
     " : (tensor<2x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>",
     "PP | [1] [0], [0] [1] -> [0] [1] | {0} {1}"},
    UNARY("neg", " {0}"),
    UNARY("exp", ""),
    UNARY("log", ""),
    UNARY("sqrt", ""),
    UNARY("rsqrt", ""),
    UNARY("square", ""),
    UNARY("reciprocal", ""),
    UNARY("tanh", ""),
    UNARY("erf", ""),
    UNARY("sigmoid", ""),
    UNARY("silu", ""),
    UNARY("relu", ""),
    UNARY("gelu erf", ""),
    UNARY("gelu tanh", ""),
    {"%a: tensor<2x3xf32>",
     "prism.cast %a : (tensor<2x3xf32>) -> tensor<2x3xf64>",
     "PP | [0] [1] -> [0] [1] | {0}"},
    {"%a: tensor<2x3xf64>, %b: tensor<3xf64>",
     "prism.compare lt %a, %b maps [d0, d1], [d1] -> [d0, d1]"
     " : (tensor<2x3xf64>, tensor<3xf64>) -> tensor<2x3xi1>",
     "PP | [0] [1], [1] -> [0] [1] |"},
    {"%a: tensor<2xi1>, %b: tensor<2x3xf64>, %c: tensor<f64>",
     "prism.select %a, %b, %c maps [d0], [d0, d1], [] -> [d0, d1]"
     " : (tensor<2xi1>, tensor<2x3xf64>, tensor<f64>) -> tensor<2x3xf64>",
     "PP | [0], [0] [1],  -> [0] [1] | {1,2}"},
    {"", "prism.constant 1.5 : f64 -> tensor<f64>", " |  ->  |"},
    {"%a: tensor<2x3xf64>, %b: tensor<3x5xf64>",
     "prism.matmul %a, %b : (tensor<2x3xf64>, tensor<3x5xf64>) -> "
     "tensor<2x5xf64>",
     "PPS | [0] [2], [2] [1] -> [0] [1] | {0} {1}"},
    {"%a: tensor<7x2x3xf64>, %b: tensor<7x3x5xf64>",
     "prism.matmul %a, %b : (tensor<7x2x3xf64>, tensor<7x3x5xf64>) -> "
     "tensor<7x2x5xf64>",
     "PPPS | [0] [1] [3], [0] [3] [2] -> [0] [1] [2] | {0} {1}"},
    // Grouped, transposed, two summed dims.
    {"%a: tensor<2x3x4xf64>, %b: tensor<5x4x3xf64>",
     "prism.matmul %a, %b maps [d0, d2, d3], [d1, d3, d2] -> [d1, d0]"
     " : (tensor<2x3x4xf64>, tensor<5x4x3xf64>) -> tensor<5x2xf64>",
     "PPSS | [0] [2] [3], [1] [3] [2] -> [1] [0] | {0} {1}"},
    {"%a: tensor<2x3x4xf64>",
     "prism.reduce_sum %a dims [0, 2] : (tensor<2x3x4xf64>) -> tensor<3xf64>",
     "SPS | [0] [1] [2] -> [1] | {0}"},
    {"%a: tensor<2x3x4xf64>",
     "prism.reduce_max %a dims [1] : (tensor<2x3x4xf64>) -> tensor<2x4xf64>",
     "PMP | [0] [1] [2] -> [0] [2] |"},
    {"%a: tensor<2x3x4xf64>",
     "prism.transpose %a permutation [2, 0, 1]"
     " : (tensor<2x3x4xf64>) -> tensor<4x2x3xf64>",
     "PPP | [0] [1] [2] -> [2] [0] [1] | {0}"},
    {"%a: tensor<3xf64>",
     "prism.broadcast %a dims [1] : (tensor<3xf64>) -> tensor<2x3x4xf64>",
     "PPP | [1] -> [0] [1] [2] | {0}"},
    {"%a: tensor<2x6xf64>",
     "prism.slice %a dim 1 offset 2 : (tensor<2x6xf64>) -> tensor<2x3xf64>",
     "PWW | [0] [2] -> [0] [1] | {0}"},
    {"%a: tensor<2x3xf64>, %b: tensor<5x3xf64>",
     "prism.concat %a, %b dim 0"
     " : (tensor<2x3xf64>, tensor<5x3xf64>) -> tensor<7x3xf64>",
     "WPWW | [2] [1], [3] [1] -> [0] [1] | {0,1}"},
    {"%a: tensor<2x6xf64>",
     "prism.reshape %a ([d0], [d1, d2]) -> ([d0], [d1], [d2])"
     " : (tensor<2x6xf64>) -> tensor<2x3x2xf64>",
     "PPW | [0] [1,2] -> [0] [1] [2] | {0}"},
    {"%a: tensor<2x3x4xf64>",
     "prism.reshape %a ([d0], [d1], [d2]) -> ([d0, d1, d2])"
     " : (tensor<2x3x4xf64>) -> tensor<24xf64>",
     "PWW | [0] [1] [2] -> [0,1,2] | {0}"},
    // A unit dim that comes or goes is indexed by nothing.
    {"%a: tensor<2x1xf64>",
     "prism.reshape %a ([d0], []) -> ([], [d0])"
     " : (tensor<2x1xf64>) -> tensor<1x2xf64>",
     "P | [0] [] -> [] [0] | {0}"},
    {"%a: tensor<2x3xf64>",
     "prism.softmax %a dim 1 : (tensor<2x3xf64>) -> tensor<2x3xf64>",
     "PW | [0] [1] -> [0] [1] |"},
    {"%a: tensor<2x3xf64>",
     "prism.rms_norm %a dim 0 epsilon 0.5 : (tensor<2x3xf64>) -> "
     "tensor<2x3xf64>",
     "WP | [0] [1] -> [0] [1] |"},
};

ArrayRef<OpCase> prism::test::getOpCases() { return opCases; }
