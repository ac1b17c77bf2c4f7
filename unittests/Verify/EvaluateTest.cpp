//===- EvaluateTest.cpp - Terms as numbers --------------------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Verify/Refute.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace prism;
using egraph::TermId;

namespace {

/// One argument x of extent d, split in tiles of 2, and its sum.
struct Evaluate : testing::Test {
  Evaluate() {
    context.loadDialect<PrismDialect>();
    language = std::make_unique<TermLanguage>(&context);
    analysis = std::make_unique<TermAnalysis>(*language);
    DimExpr d = DimExpr::symbol("d");
    language->setArgument(0, {d});
    i = language->internParallel(ParallelKind::Loop, d, 0);
    sizes.symbols["d"] = 3;
    sizes.tiles[i] = 2;
    NumericTensor x(llvm::ArrayRef<int64_t>{3});
    x.values = {1, 2, 3};
    arguments.push_back(x);
    arg = bank.add(language->ops.arg, {}, {0});
    Builder builder(&context);
    sum = language->internPlain(
        "prism.reduce_sum", {1}, 0,
        {builder.getNamedAttr("dims", builder.getDenseI64ArrayAttr({0}))});
  }

  TermId sumOf(TermId term) {
    return bank.add(language->prototype(sum).operatorId, {term}, {sum});
  }
  TermId part() { return bank.add(language->ops.part, {arg}, {0, i}); }
  std::optional<NumericTensor>
  evaluate(TermId term, std::map<ParallelId, int64_t> chunks = {}) {
    return TermEvaluator(*language, bank, sizes, arguments)
        .evaluate(term, chunks);
  }

  MLIRContext context;
  std::unique_ptr<TermLanguage> language;
  std::unique_ptr<TermAnalysis> analysis;
  egraph::TermBank bank;
  SizeAssignment sizes;
  std::vector<NumericTensor> arguments;
  ParallelId i;
  TermId arg;
  PrototypeId sum;
};

TEST_F(Evaluate, RaggedChunks) {
  auto last = evaluate(part(), {{i, 1}});
  ASSERT_TRUE(last);
  EXPECT_EQ(last->extents, (SmallVector<int64_t>{1}));
  EXPECT_EQ(last->values[0], 3);
}

TEST_F(Evaluate, SumOfPartialSums) {
  auto whole = evaluate(bank.add(language->ops.red, {sumOf(part())}, {i}));
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->values[0], 6);
}

TEST_F(Evaluate, ChunksOfUnequalExtentsAreNotSummed) {
  EXPECT_FALSE(evaluate(bank.add(language->ops.red, {part()}, {i})));
}

TEST_F(Evaluate, JoinOfChunksIsTheWhole) {
  auto whole = evaluate(bank.add(language->ops.comb, {part()}, {0, i}));
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->values, arguments[0].values);
}

TEST_F(Evaluate, SumOfCopiesIsNoCopy) {
  TermId copy = bank.add(language->ops.repl, {sumOf(arg)}, {i});
  auto copies = evaluate(bank.add(language->ops.red, {copy}, {i}));
  ASSERT_TRUE(copies);
  EXPECT_EQ(copies->values[0], 12);
}

/// A masked chunk contributes nothing, whatever its tile holds.
TEST_F(Evaluate, RescalingSkipsMaskedValues) {
  constexpr Real inf = std::numeric_limits<Real>::infinity();
  language->setArgument(1, {DimExpr::symbol("d")});
  language->setArgument(2, {DimExpr::symbol("d")});
  arguments.resize(3, NumericTensor(ArrayRef<int64_t>{3}));
  arguments[0].values = {2, std::nanl(""), 5};
  arguments[1].values = {1, -inf, 4};
  arguments[2].values = {1, 4, 4};
  IndexMap all = {{0}};
  PrototypeId product = language->internMapped("prism.mul", {all, all}, all);
  TermId maximum = bank.add(language->ops.arg, {}, {1});
  TermId shift = bank.add(language->ops.arg, {}, {2});
  auto value = evaluate(
      bank.add(language->ops.rescale, {arg, maximum, shift}, {product}));
  ASSERT_TRUE(value);
  EXPECT_EQ(value->values, (std::vector<Real>{2, 0, 5}));
}

TEST_F(Evaluate, EqualTermsHaveNoCounterexample) {
  TermId whole = sumOf(arg);
  TermId split = bank.add(language->ops.red, {sumOf(part())}, {i});
  EXPECT_FALSE(findCounterexample(*analysis, bank, {whole}, {split}));
}

TEST_F(Evaluate, UnequalTermsHaveOne) {
  TermId whole = sumOf(arg);
  TermId largest = bank.add(language->ops.redmax, {sumOf(part())}, {i});
  auto found = findCounterexample(*analysis, bank, {whole}, {largest});
  ASSERT_TRUE(found);
  EXPECT_NE(found->find("d = 4, loop0@d tile 2, element 0 of result 0 is"),
            std::string::npos)
      << *found;
}

} // namespace
