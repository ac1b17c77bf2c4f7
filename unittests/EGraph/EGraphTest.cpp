//===- EGraphTest.cpp - Nodes, unions, rebuilding, facts ------------------===//
//
// Part of Prism.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/EGraph/Extract.h"
#include "TestSupport.h"

using namespace prism::egraph;

INSTANTIATE_TEST_SUITE_P(Modes, EGraphTest, testing::Bool(), proofsOnOrOff);

TEST_P(EGraphTest, HashConsing) {
  EGraph graph = makeGraph();
  Id x = add(graph, "(f a (g[1 2] b))");
  EXPECT_EQ(graph.numNodes(), 4u);
  EXPECT_EQ(add(graph, "(f a (g[1 2] b))"), x);
  EXPECT_EQ(graph.numNodes(), 4u);
  // Payloads, their number, and the number of children are part of a node.
  EXPECT_FALSE(graph.equal(add(graph, "(g[1 3] b)"), add(graph, "(g[1 2] b)")));
  EXPECT_FALSE(graph.equal(add(graph, "(g[1] b)"), add(graph, "(g[1 2] b)")));
  EXPECT_FALSE(graph.equal(add(graph, "(h b b)"), add(graph, "(h b)")));
  EXPECT_FALSE(graph.equal(add(graph, "k[3]"), add(graph, "(k a)")));
  graph.rebuild();
  EXPECT_EQ(graph.numNodes(), graph.numClasses());
}

TEST_P(EGraphTest, LookupAddsNothing) {
  EGraph graph = makeGraph();
  Id a = add(graph, "a"), fa = add(graph, "(f a)");
  OpId f = ops.intern("f");
  size_t nodes = graph.numNodes();
  EXPECT_EQ(graph.lookup(f, {a}), graph.find(fa));
  EXPECT_EQ(graph.lookup(f, {fa}), None);
  EXPECT_EQ(graph.lookup(f, {a}, {7}), None);
  EXPECT_EQ(graph.numNodes(), nodes);
}

TEST_P(EGraphTest, CongruenceAppearsAfterRebuild) {
  EGraph graph = makeGraph();
  Id a = add(graph, "a"), b = add(graph, "b");
  Id ffa = add(graph, "(f (f a))"), ffb = add(graph, "(f (f b))");
  EXPECT_EQ(graph.merge(a, b, 7), MergeResult::Merged);
  graph.rebuild();
  EXPECT_TRUE(graph.equal(ffa, ffb));
  EXPECT_EQ(graph.merge(a, b, 7), MergeResult::Same);
  EXPECT_EQ(graph.numClasses(), 3u);
  EXPECT_EQ(graph.numNodes(), 4u); // a, b, f, f
  RuleSet none;
  ProofChecker checker(ops);
  checker.addGiven(7, "a", "b");
  expectProof(graph, none, checker, "(f (f a))", "(f (f b))");
  expectProof(graph, none, checker, "(f (f b))", "(f (f a))");
}

TEST_P(EGraphTest, CyclicClass) {
  // a = f(a) makes all f(f(...a)) equal.
  EGraph graph = makeGraph();
  Id a = add(graph, "a"), fa = add(graph, "(f a)");
  Id fffa = add(graph, "(f (f (f a)))");
  graph.merge(fa, a, 1);
  graph.rebuild();
  EXPECT_TRUE(graph.equal(fffa, a));
  EXPECT_EQ(graph.numClasses(), 1u);
  EXPECT_EQ(graph.nodes(a).size(), 2u);
  ProofChecker checker(ops);
  checker.addGiven(1, "(f a)", "a");
  expectProof(graph, RuleSet(), checker, "(f (f (f a)))", "a");
}

TEST_P(EGraphTest, FourEqualsSevenIsIdentity) {
  // f^4(a) = a and f^7(a) = a make f(a) = a (greatest common divisor).
  EGraph graph = makeGraph();
  std::string f4 = "(f (f (f (f a))))", f7 = "(f (f (f " + f4 + ")))";
  Id a = add(graph, "a");
  graph.merge(add(graph, f4), a, 1);
  graph.rebuild();
  EXPECT_FALSE(graph.equal(add(graph, "(f a)"), a));
  graph.merge(add(graph, f7), a, 2);
  graph.rebuild();
  EXPECT_TRUE(graph.equal(add(graph, "(f a)"), a));
  ProofChecker checker(ops);
  checker.addGiven(1, f4, "a");
  checker.addGiven(2, f7, "a");
  expectProof(graph, RuleSet(), checker, "(f a)", "a");
}

TEST_P(EGraphTest, NodesAreSortedAndWithoutDuplicates) {
  EGraph graph = makeGraph();
  Id gab = add(graph, "(g a b)"), fa = add(graph, "(f a)");
  Id gba = add(graph, "(g b a)"), fb = add(graph, "(f b)");
  graph.merge(gab, fb, 0);
  graph.merge(fb, gba, 0);
  graph.merge(fb, fa, 0);
  graph.rebuild();
  EXPECT_EQ(graph.nodes(gab).size(), 4u);
  graph.merge(add(graph, "a"), add(graph, "b"), 0);
  graph.rebuild();
  llvm::ArrayRef<Id> nodes = graph.nodes(gab);
  ASSERT_EQ(nodes.size(), 2u); // (g a a) and (f a)
  EXPECT_EQ(graph.nodes(fb), nodes);
  EXPECT_LT(graph.node(nodes[0]).op, graph.node(nodes[1]).op);
  EXPECT_EQ(graph.numNodes(), 4u);
}

TEST_P(EGraphTest, CopyIsIndependent) {
  EGraph base = makeGraph();
  Id a = add(base, "a"), b = add(base, "b");
  Id fa = add(base, "(f a)"), fb = add(base, "(f b)");
  base.rebuild();
  EGraph fork = base;
  fork.merge(a, b, 1);
  fork.rebuild();
  EXPECT_TRUE(fork.equal(fa, fb));
  EXPECT_FALSE(base.equal(fa, fb));
  EXPECT_EQ(base.numClasses(), 4u);
}

namespace {
/// Constant folding: the fact of a class is its value plus one, or 0.
class Constants : public Analysis {
public:
  explicit Constants(OperatorTable &ops)
      : num(ops.intern("num")), plus(ops.intern("+")) {}

  Fact make(const EGraph &graph, const NodeView &node) override {
    if (node.op == num)
      return node.payloads[0] + 1;
    if (node.op != plus)
      return 0;
    Fact a = graph.fact(node.children[0]), b = graph.fact(node.children[1]);
    return a && b ? a + b - 1 : 0;
  }
  std::optional<Fact> merge(Fact a, Fact b) override {
    if (a && b && a != b)
      return std::nullopt;
    return a ? a : b;
  }
  void modify(EGraph &graph, Id eclass) override {
    if (Fact fact = graph.fact(eclass))
      graph.merge(eclass, graph.add(num, {}, {fact - 1}), 99);
  }

private:
  OpId num, plus;
};
} // namespace

TEST_P(EGraphTest, AnalysisFoldsConstantsUpwards) {
  Constants constants(ops);
  EGraph graph = makeGraph(&constants);
  Id sum = add(graph, "(+ (+ x num[1]) num[2])");
  graph.rebuild();
  EXPECT_EQ(graph.fact(sum), 0u);
  graph.merge(add(graph, "x"), add(graph, "num[4]"), 5);
  graph.rebuild();
  EXPECT_EQ(graph.fact(sum), 8u);
  EXPECT_TRUE(graph.equal(sum, add(graph, "num[7]")));
  ProofChecker checker(ops);
  checker.addGiven(5, "x", "num[4]");
  checker.addGiven(99, "(+ (+ x num[1]) num[2])", "num[7]");
  checker.addGiven(99, "(+ x num[1])", "num[5]");
  expectProof(graph, RuleSet(), checker, "(+ (+ x num[1]) num[2])", "num[7]");
}

TEST_P(EGraphTest, ConflictRejectsTheUnion) {
  Constants constants(ops);
  EGraph graph = makeGraph(&constants);
  Id one = add(graph, "num[1]"), two = add(graph, "num[2]");
  Id fOne = add(graph, "(f num[1])"), fTwo = add(graph, "(f num[2])");
  EXPECT_EQ(graph.merge(one, two, 0), MergeResult::Rejected);
  graph.rebuild();
  EXPECT_FALSE(graph.equal(one, two));
  EXPECT_FALSE(graph.equal(fOne, fTwo));
  EXPECT_EQ(graph.numRejected(), 1u);
  EXPECT_EQ(graph.firstRejected(), std::make_pair(one, two));
}

TEST_P(EGraphTest, ConflictOfARuleIsCounted) {
  Constants constants(ops);
  EGraph graph = makeGraph(&constants);
  Id sum = add(graph, "(+ num[1] num[2])");
  // A wrong rule: a + b = b. Its unions contradict the facts.
  RuleSet rules = ruleSet({rule(0, "(+ ?a ?b)", "?b")});
  SaturationResult result = saturate(graph, rules);
  EXPECT_TRUE(result.saturated());
  EXPECT_EQ(result.rejected, 1u);
  EXPECT_FALSE(graph.equal(sum, add(graph, "num[2]")));
}

TEST_P(EGraphTest, ConflictOfANewNodeIsCounted) {
  Constants constants(ops);
  EGraph graph = makeGraph(&constants);
  Id sum = add(graph, "(+ num[1] num[2])");
  // A wrong rule again; its right side is a node that does not exist yet.
  RuleSet rules = ruleSet({rule(0, "(+ num[1] ?b)", "(+ ?b ?b)")});
  SaturationResult result = saturate(graph, rules);
  EXPECT_TRUE(result.saturated());
  EXPECT_EQ(result.rejected, 1u);
  EXPECT_EQ(graph.fact(sum), 4u);
  EXPECT_FALSE(graph.equal(sum, add(graph, "(+ num[2] num[2])")));
  EXPECT_TRUE(
      graph.equal(add(graph, "num[4]"), add(graph, "(+ num[2] num[2])")));
}

TEST_P(EGraphTest, ExtractsTheCheapestTerm) {
  EGraph graph = makeGraph();
  Id big = add(graph, "(f (g a b) (g a b))"), small = add(graph, "(h c)");
  Id cycle = add(graph, "(h (h c))");
  graph.merge(big, small, 0);
  graph.merge(cycle, small, 0);
  graph.rebuild();
  TermBank bank;
  Extractor extractor(graph);
  EXPECT_EQ(bank.print(extractor.extract(big, bank), ops), "(h c)");
  EXPECT_EQ(extractor.cost(big), 2);
  // Without h, the other form is the only one.
  OpId h = ops.intern("h");
  Extractor withoutH(
      graph, [&](const NodeView &node, llvm::ArrayRef<double> costs) {
        return node.op == h ? std::numeric_limits<double>::infinity()
                            : treeSize(node, costs);
      });
  EXPECT_EQ(bank.print(withoutH.extract(small, bank), ops),
            "(f (g a b) (g a b))");
  EXPECT_EQ(withoutH.cost(small), 7);
  Extractor nothing(graph, [](const NodeView &, llvm::ArrayRef<double>) {
    return std::numeric_limits<double>::infinity();
  });
  EXPECT_EQ(nothing.extract(small, bank), None);
}

TEST(TermBank, RoundTripAndReplace) {
  OperatorTable ops;
  TermBank bank;
  TermId term = llvm::cantFail(bank.parse("(f (g[1 2] a) k[3])", ops));
  EXPECT_EQ(bank.print(term, ops), "(f (g[1 2] a) k[3])");
  TermId b = bank.add(ops.intern("b"));
  EXPECT_EQ(bank.print(bank.replaceAt(term, {0, 0}, b), ops),
            "(f (g[1 2] b) k[3])");
  EXPECT_EQ(bank.replaceAt(term, {}, b), b);
  EXPECT_EQ(bank.replaceAt(term, {1, 0}, b), None);
  EXPECT_EQ(bank.subterm(term, {1}), bank.add(ops.intern("k"), {}, {3}));
  EXPECT_EQ(bank.subterm(term, {2}), None);
}

TEST(TermBank, ParseErrors) {
  OperatorTable ops;
  TermBank bank;
  auto message = [&](llvm::StringRef text) {
    llvm::Expected<TermId> term = bank.parse(text, ops);
    return term ? "" : llvm::toString(term.takeError());
  };
  EXPECT_EQ(message("(f ?x)"), "a term has no variables: '(f ?x)'");
  EXPECT_EQ(message("(f a"),
            "pattern '(f a': expected an operator at column 5, found ''");
  EXPECT_EQ(message("f a"),
            "pattern 'f a': expected end of text at column 3, found 'a'");
  EXPECT_EQ(message("(f[x] a)"), "pattern '(f[x] a)': expected a payload (a "
                                 "number or ?variable) or ']' at column 5, "
                                 "found '] a)'");
}
