//===- IterationStructureTest.cpp - Declared structures of the ops --------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every registered compute op against an independent table of its dims, kinds,
// maps and linear groups. An op without a case fails the test.
//
//===----------------------------------------------------------------------===//

#include "DialectTestUtils.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace prism;
using namespace prism::test;

namespace {
using IterationStructureTest = DialectTest;

TEST_F(IterationStructureTest, EveryOpAsInTheTable) {
  llvm::StringSet<> tested;
  for (const OpCase &opCase : getOpCases()) {
    ComputeOpInterface op = parse(opCase);
    ASSERT_TRUE(op);
    tested.insert(op->getName().getStringRef());
    EXPECT_EQ(describe(op.getIterationStructure()), opCase.structure)
        << opCase.statement;
  }
  for (RegisteredOperationName name : context.getRegisteredOperations())
    if (name.hasInterface<ComputeOpInterface>())
      EXPECT_TRUE(tested.contains(name.getStringRef()))
          << name.getStringRef().str() << " has no case";
}

/// What holds of any structure: parallel dims reach the result, summed dims
/// and maxima do not, every dim is indexed by something.
TEST_F(IterationStructureTest, KindsAgreeWithTheMaps) {
  for (const OpCase &opCase : getOpCases()) {
    ComputeOpInterface op = parse(opCase);
    IterationStructure structure = op.getIterationStructure();
    ASSERT_EQ(structure.operandMaps.size(), op->getNumOperands());
    for (auto [dim, kind] : llvm::enumerate(structure.dims)) {
      bool inResult = IterationStructure::carries(structure.resultMap, dim);
      bool inOperands = llvm::any_of(
          structure.operandMaps, [&, d = dim](const IndexMap &map) {
            return IterationStructure::carries(map, d);
          });
      EXPECT_TRUE(inResult || inOperands) << opCase.statement;
      if (kind == IterationKind::Parallel)
        EXPECT_TRUE(inResult) << opCase.statement;
      if (kind == IterationKind::Sum || kind == IterationKind::Max)
        EXPECT_FALSE(inResult) << opCase.statement;
    }
  }
}

/// A structure gives back the types that it is verified against, and
/// rebuilding an op on its own operands gives the same op.
TEST_F(IterationStructureTest, RebuildsItself) {
  for (const OpCase &opCase : getOpCases()) {
    ComputeOpInterface op = parse(opCase);
    OpBuilder builder(op);
    Operation *again = rebuildComputeOp(builder, op, op->getOperands());
    EXPECT_TRUE(OperationEquivalence::isEquivalentTo(
        op, again, OperationEquivalence::IgnoreLocations))
        << opCase.statement;
  }
}

TEST_F(IterationStructureTest, AffineMaps) {
  ComputeOpInterface matmul =
      parse("%a: tensor<2x3xf64>, %b: tensor<3x5xf64>",
            "prism.matmul %a, %b : (tensor<2x3xf64>, tensor<3x5xf64>) -> "
            "tensor<2x5xf64>");
  IterationStructure structure = matmul.getIterationStructure();
  auto maps = cast<IndexingMapsOpInterface>(*matmul).getMapsOrDefault();
  EXPECT_EQ(toAffineMap(structure.operandMaps[0], 3, &context), maps[0]);
  EXPECT_EQ(toAffineMap(structure.resultMap, 3, &context), maps[2]);
  // A merged dim is no projected permutation.
  EXPECT_FALSE(toAffineMap(IndexMap{{0, 1}}, 2, &context));
}

TEST_F(IterationStructureTest, SetMapsElidesTheDefault) {
  ComputeOpInterface op =
      parse("%a: tensor<2x2xf64>, %b: tensor<2x2xf64>",
            "prism.add %a, %b maps [d1, d0], [d0, d1] -> [d0, d1]"
            " : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>");
  auto add = cast<AddOp>(*op);
  SmallVector<AffineMap> permuted = add.getMapsOrDefault();
  AffineMap identity = AffineMap::getMultiDimIdentityMap(2, &context);
  add.setMaps({identity, identity, identity});
  EXPECT_FALSE(add.getIndexingMaps());
  add.setMaps(permuted);
  EXPECT_TRUE(add.getIndexingMaps());
  EXPECT_EQ(add.getMapsOrDefault(), permuted);
}
} // namespace
