//===- ProgramGraphTest.cpp - The expression oracle -----------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Axioms/ProgramGraph.h"
#include "TestPrograms.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace prism;
using namespace prism::test;

static std::unique_ptr<ProgramGraph> build(ParsedProgram &parsed) {
  FailureOr<std::unique_ptr<ProgramGraph>> graph =
      ProgramGraph::build(parsed.program);
  return succeeded(graph) ? std::move(*graph) : nullptr;
}

TEST(ProgramGraph, RootIsTheProgramsOwnTerm) {
  ParsedProgram parsed(rmsNorm);
  auto graph = build(parsed);
  ASSERT_TRUE(graph);
  EXPECT_FALSE(graph->hitLimit());
  SmallVector<ClassId> x = {graph->argument(0)}, w = {graph->argument(1)};
  ClassId square = graph->lookup(parsed.op(0), x);
  ASSERT_NE(square, egraph::None);
  ClassId sum = graph->lookup(parsed.op(1), {square});
  ClassId extent = graph->lookup(parsed.op(2), {});
  ClassId mean = graph->lookup(parsed.op(3), {sum, extent});
  ClassId root = graph->lookup(parsed.op(4), {mean});
  ClassId norm = graph->lookup(parsed.op(5), {x[0], root});
  ClassId result = graph->lookup(parsed.op(6), {norm, w[0]});
  EXPECT_EQ(result, graph->roots().front());
  EXPECT_EQ(graph->distanceToRoot(result), 0u);
  EXPECT_EQ(graph->distanceToRoot(norm), 1u);
  EXPECT_EQ(graph->minDepth(square), 1u);
  // Dividing last, product and root are computed side by side.
  EXPECT_EQ(graph->minDepth(result), 5u);
  EXPECT_EQ(graph->extents(mean).size(), 1u);
}

TEST(ProgramGraph, DivisorMovesBehindTheProduct) {
  ParsedProgram parsed(rmsNorm);
  auto graph = build(parsed);
  ASSERT_TRUE(graph);
  ClassId x = graph->argument(0), w = graph->argument(1);
  ClassId product = graph->lookup(parsed.op(6), {x, w});
  ASSERT_NE(product, egraph::None);
  EXPECT_EQ(graph->distanceToRoot(product), 1u);
  ClassId square = graph->lookup(parsed.op(0), {x});
  ClassId sum = graph->lookup(parsed.op(1), {square});
  ClassId extent = graph->lookup(parsed.op(2), {});
  ClassId mean = graph->lookup(parsed.op(3), {sum, extent});
  ClassId root = graph->lookup(parsed.op(4), {mean});
  EXPECT_EQ(graph->lookup(parsed.op(5), {product, root}),
            graph->roots().front());
  // What the program does not need is not there.
  EXPECT_EQ(graph->lookup(parsed.op(0), {product}), egraph::None);
}

TEST(ProgramGraph, MlpDividesByTheMeanWithoutARoot) {
  ParsedProgram parsed(rmsNormMlp);
  auto graph = build(parsed);
  ASSERT_TRUE(graph);
  ClassId x = graph->argument(0);
  ClassId sum = graph->lookup(parsed.op(1), {graph->lookup(parsed.op(0), {x})});
  ClassId mean =
      graph->lookup(parsed.op(3), {sum, graph->lookup(parsed.op(2), {})});
  ClassId a = graph->lookup(parsed.op(6), {x, graph->argument(1)});
  ClassId b = graph->lookup(parsed.op(7), {x, graph->argument(2)});
  ASSERT_NE(a, egraph::None);
  ASSERT_NE(b, egraph::None);
  ClassId product = graph->lookup(parsed.op(8), {a, b});
  ASSERT_NE(product, egraph::None);
  EXPECT_EQ(graph->lookup(parsed.op(5), {product, mean}),
            graph->roots().front());
}

TEST(ProgramGraph, LowRankUpdateIsOneProduct) {
  ParsedProgram parsed(lora);
  auto graph = build(parsed);
  ASSERT_TRUE(graph);
  EXPECT_FALSE(graph->hitLimit());
  ClassId x = graph->argument(0), w = graph->argument(1);
  ClassId update =
      graph->lookup(parsed.op(2), {graph->argument(2), graph->argument(3)});
  ASSERT_NE(update, egraph::None);
  ClassId weight = graph->lookup(parsed.op(3), {w, update});
  ASSERT_NE(weight, egraph::None);
  EXPECT_EQ(graph->lookup(parsed.op(0), {x, weight}), graph->roots().front());
}

TEST(ProgramGraph, SoftmaxIsDividedOutLast) {
  ParsedProgram parsed(attention);
  auto graph = build(parsed);
  ASSERT_TRUE(graph);
  EXPECT_FALSE(graph->hitLimit());
  ClassId scores =
      graph->lookup(parsed.op(0), {graph->argument(0), graph->argument(1)});
  ClassId shifted = graph->lookup(
      parsed.op(2), {scores, graph->lookup(parsed.op(1), {scores})});
  ClassId weights = graph->lookup(parsed.op(3), {shifted});
  ClassId product = graph->lookup(parsed.op(6), {weights, graph->argument(2)});
  ASSERT_NE(product, egraph::None);
  EXPECT_EQ(graph->lookup(parsed.op(5),
                          {product, graph->lookup(parsed.op(4), {weights})}),
            graph->roots().front());
  // The unshifted form.
  ClassId plain = graph->lookup(parsed.op(3), {scores});
  ASSERT_NE(plain, egraph::None);
  EXPECT_EQ(
      graph->lookup(parsed.op(5),
                    {graph->lookup(parsed.op(6), {plain, graph->argument(2)}),
                     graph->lookup(parsed.op(4), {plain})}),
      graph->roots().front());
}

TEST(ProgramGraph, SameOnEveryRun) {
  ParsedProgram parsed(rmsNormMlp);
  auto first = build(parsed), second = build(parsed);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->numNodes(), second->numNodes());
  EXPECT_EQ(first->roots(), second->roots());
  ASSERT_EQ(first->classes(), second->classes());
  for (ClassId eclass : first->classes())
    EXPECT_EQ(first->nodes(eclass).size(), second->nodes(eclass).size());
}
