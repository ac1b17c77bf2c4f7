//===- FuzzTest.cpp - The engine against naive code -----------------------===//
//
// Part of Prism.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random unions against a naive congruence closure, random patterns against a
// naive matcher, and saturation against its definition: afterwards every match
// of a rule holds. With proofs on, explanations are replayed by a checker that
// knows no e-graph.
//
//===----------------------------------------------------------------------===//

#include "TestSupport.h"
#include <random>

using namespace prism::egraph;

namespace {
class FuzzTest : public EGraphTest {
protected:
  std::mt19937 random;

  unsigned below(unsigned n) { return unsigned(random() % n); }

  unsigned numConstants = 4;

  /// A random term over constants, f/1, g/2 and p[0..1]/1.
  TermId randomTerm(TermBank &bank, unsigned depth) {
    if (depth == 0 || below(10) == 0)
      return bank.add(
          ops.intern(std::string(1, char('a' + below(numConstants)))));
    switch (below(4)) {
    case 0:
      return bank.add(ops.intern("f"), {randomTerm(bank, depth - 1)});
    case 1:
    case 2: {
      TermId left = randomTerm(bank, depth - 1);
      return bank.add(ops.intern("g"), {left, randomTerm(bank, depth - 1)});
    }
    default: {
      Payload payload = below(2);
      return bank.add(ops.intern("p"), {randomTerm(bank, depth - 1)},
                      {payload});
    }
    }
  }

  /// The term with the operands of some g's swapped and some f's doubled.
  TermId shuffled(TermBank &bank, TermId term) {
    NodeView node = bank.node(term);
    OpId op = node.op;
    llvm::SmallVector<Payload, 4> payloads(node.payloads);
    llvm::SmallVector<TermId, 4> children(node.children);
    for (TermId &child : children)
      child = shuffled(bank, child);
    if (children.size() == 2 && below(2))
      std::swap(children[0], children[1]);
    TermId result = bank.add(op, children, payloads);
    if (below(8) == 0)
      result = bank.add(ops.intern("f"), {bank.add(ops.intern("f"), {result})});
    return result;
  }

  Id addTerm(EGraph &graph, const TermBank &bank, TermId term) {
    NodeView node = bank.node(term);
    llvm::SmallVector<Id, 4> children;
    for (TermId child : node.children)
      children.push_back(addTerm(graph, bank, child));
    return graph.add(node.op, children, node.payloads);
  }

  /// Adds all terms of the bank; ids by TermId.
  std::vector<Id> addAll(EGraph &graph, const TermBank &bank) {
    std::vector<Id> ids;
    for (TermId term = 0; term != bank.size(); ++term)
      ids.push_back(addTerm(graph, bank, term));
    return ids;
  }
};

/// Congruence closure by its definition: a table of labels, and rounds over all
/// pairs until nothing changes.
class NaiveClosure {
public:
  explicit NaiveClosure(const TermBank &bank) : bank(bank) {
    for (TermId term = 0; term != bank.size(); ++term)
      label.push_back(term);
  }
  void merge(TermId a, TermId b) {
    TermId from = label[a], to = label[b];
    for (TermId &l : label)
      if (l == from)
        l = to;
  }
  void close() {
    for (bool changed = true; changed;) {
      changed = false;
      for (TermId a = 0; a != label.size(); ++a)
        for (TermId b = 0; b != a; ++b)
          if (label[a] != label[b] && congruent(a, b)) {
            merge(a, b);
            changed = true;
          }
    }
  }
  bool equal(TermId a, TermId b) const { return label[a] == label[b]; }

private:
  bool congruent(TermId a, TermId b) const {
    NodeView x = bank.node(a), y = bank.node(b);
    if (x.op != y.op || x.payloads != y.payloads ||
        x.children.size() != y.children.size() || x.children.empty())
      return false;
    for (size_t i = 0; i != x.children.size(); ++i)
      if (!equal(x.children[i], y.children[i]))
        return false;
    return true;
  }
  const TermBank &bank;
  std::vector<TermId> label;
};

/// Matches a pattern at a class by trying every node; calls `found` on each
/// solution.
void naiveMatch(const EGraph &graph, const Pattern &pattern, uint32_t index,
                Id eclass, PatternMatch &partial,
                llvm::function_ref<void()> found) {
  const Pattern::Node &node = pattern[index];
  if (node.isVar) {
    Id &value = partial.classes[node.var], saved = value;
    if (value != None && value != graph.find(eclass))
      return;
    value = graph.find(eclass);
    found();
    value = saved;
    return;
  }
  for (Id id = 0; id != graph.numIds(); ++id) {
    NodeView view = graph.node(id);
    if (!graph.isLive(id) || !graph.equal(id, eclass) || view.op != node.op ||
        view.children.size() != node.children.size() ||
        view.payloads.size() != node.payloads.size())
      continue;
    auto saved = partial.payloads;
    bool fits = true;
    for (size_t i = 0; i != view.payloads.size(); ++i) {
      const PayloadPattern &payload = node.payloads[i];
      Payload *var = payload.isVar ? &partial.payloads[payload.value] : nullptr;
      if (var && *var == None)
        *var = view.payloads[i];
      fits &= (var ? *var : payload.value) == view.payloads[i];
    }
    std::function<void(size_t)> next = [&](size_t child) {
      if (child == node.children.size())
        return found();
      naiveMatch(graph, pattern, node.children[child],
                 graph.node(id).children[child], partial,
                 [&] { next(child + 1); });
    };
    if (fits)
      next(0);
    partial.payloads = saved;
  }
}

using Solutions = std::multiset<std::vector<uint32_t>>;

std::vector<uint32_t> flatten(const PatternMatch &match) {
  std::vector<uint32_t> flat = {match.root};
  flat.insert(flat.end(), match.classes.begin(), match.classes.end());
  flat.insert(flat.end(), match.payloads.begin(), match.payloads.end());
  return flat;
}
} // namespace

INSTANTIATE_TEST_SUITE_P(Modes, FuzzTest, testing::Bool(), proofsOnOrOff);

TEST_P(FuzzTest, UnionsAgainstNaiveCongruenceClosure) {
  for (unsigned seed = 0; seed != 150; ++seed) {
    random.seed(seed);
    TermBank bank;
    for (unsigned i = 0; i != 6; ++i)
      randomTerm(bank, 4);
    EGraph graph = makeGraph();
    std::vector<Id> ids = addAll(graph, bank);
    NaiveClosure naive(bank);
    ProofChecker checker(ops);
    unsigned unions = 1 + below(8);
    for (unsigned i = 0; i != unions; ++i) {
      TermId a = below(unsigned(bank.size())), b = below(unsigned(bank.size()));
      graph.merge(ids[a], ids[b], i);
      naive.merge(a, b);
      checker.addGiven(i, bank.print(a, ops), bank.print(b, ops));
      if (below(2))
        graph.rebuild();
    }
    graph.rebuild();
    naive.close();
    for (TermId a = 0; a != bank.size(); ++a)
      for (TermId b = 0; b != bank.size(); ++b) {
        ASSERT_EQ(graph.equal(ids[a], ids[b]), naive.equal(a, b))
            << "seed " << seed << ": " << bank.print(a, ops) << " and "
            << bank.print(b, ops);
        if (!GetParam() || !naive.equal(a, b))
          continue;
        Explanation proof = llvm::cantFail(explain(graph, ids[a], ids[b]));
        ASSERT_EQ(checker.check(proof, bank.print(a, ops), bank.print(b, ops)),
                  "")
            << "seed " << seed << "\n"
            << proof.print(ops);
      }
  }
}

TEST_P(FuzzTest, PatternsAgainstNaiveMatcher) {
  const char *patterns[] = {"(f ?x)",
                            "(g ?x ?x)",
                            "(g ?x (f ?x))",
                            "(g (f ?x) (f ?y))",
                            "(g (f ?x) (g ?x ?y))",
                            "(g ?x (g ?y ?x))",
                            "(p[?k] (p[?k] ?x))",
                            "(g (p[?k] ?x) (p[?l] ?x))",
                            "(p[1] (g ?x a))",
                            "(g (f a) ?x)",
                            "(f (f (f ?x)))",
                            "(g (g ?x ?y) (g ?y ?x))",
                            "(g ?x (g (f ?x) (p[?k] ?x)))"};
  size_t total = 0;
  for (unsigned seed = 0; seed != 40; ++seed) {
    random.seed(seed);
    TermBank bank;
    for (unsigned i = 0; i != 15; ++i)
      randomTerm(bank, 4);
    EGraph graph = makeGraph();
    std::vector<Id> ids = addAll(graph, bank);
    for (unsigned i = 0, e = below(8); i != e; ++i)
      graph.merge(ids[below(unsigned(ids.size()))],
                  ids[below(unsigned(ids.size()))], 0);
    graph.rebuild();
    for (const char *text : patterns) {
      VarTable vars;
      Pattern pattern = llvm::cantFail(Pattern::parse(text, ops, vars));
      Solutions fast, naive;
      for (const PatternMatch &match : matchPattern(graph, pattern, vars))
        fast.insert(flatten(match));
      for (Id root : graph.classes()) {
        PatternMatch partial;
        partial.root = root;
        partial.classes.assign(vars.classes.size(), None);
        partial.payloads.assign(vars.payloads.size(), None);
        naiveMatch(graph, pattern, pattern.rootIndex(), root, partial,
                   [&] { naive.insert(flatten(partial)); });
      }
      ASSERT_EQ(fast, naive) << "seed " << seed << ", pattern " << text;
      total += fast.size();
    }
  }
  EXPECT_GT(total, 1000u);
}

TEST_P(FuzzTest, SaturatedMeansThatEveryRuleHolds) {
  const char *texts[][2] = {{"(g ?x ?y)", "(g ?y ?x)"},
                            {"(g (g ?x ?y) ?z)", "(g ?x (g ?y ?z))"},
                            {"(f (g ?x ?y))", "(g (f ?x) (f ?y))"},
                            {"(g (f ?x) (f ?y))", "(f (g ?x ?y))"},
                            {"(p[?k] (p[?l] ?x))", "(p[?l] (p[?k] ?x))"},
                            {"(p[?k] (p[?k] ?x))", "?x"},
                            {"(f (f ?x))", "?x"},
                            {"(p[?k] (f ?x))", "(f (p[?k] ?x))"},
                            {"(g ?x ?x)", "(f ?x)"},
                            {"(p[0] (g ?x ?y))", "(g (p[0] ?x) ?y)"}};
  size_t saturated = 0, applied = 0;
  for (unsigned seed = 0; seed != 150; ++seed) {
    random.seed(seed);
    TermBank bank;
    for (unsigned i = 0; i != 6; ++i)
      randomTerm(bank, 3);
    std::vector<Rule> chosen;
    for (RuleId i = 0; i != std::size(texts); ++i)
      if (below(2) == 0)
        chosen.push_back(rule(i, texts[i][0], texts[i][1]));
    RuleSet rules = ruleSet(chosen);
    EGraph graph = makeGraph();
    std::vector<Id> ids = addAll(graph, bank);
    Limits limits;
    limits.nodes = 3000;
    // In two calls with a union between, so that the second is incremental.
    SaturationState state;
    if (saturate(graph, rules, limits, &state).hitLimit())
      continue;
    ProofChecker checker(ops);
    TermId a = below(unsigned(bank.size())), b = below(unsigned(bank.size()));
    graph.merge(ids[a], ids[b], 100);
    checker.addGiven(100, bank.print(a, ops), bank.print(b, ops));
    SaturationResult result = saturate(graph, rules, limits, &state);
    if (result.hitLimit())
      continue;
    ++saturated;
    applied += result.applied;
    for (const Rule &rule : chosen)
      for (const PatternMatch &match :
           matchPattern(graph, rule.left, rule.vars)) {
        std::vector<Id> terms;
        for (const Pattern::Node &node : rule.right.all()) {
          llvm::SmallVector<Id, 4> children;
          for (uint32_t child : node.children)
            children.push_back(terms[child]);
          llvm::SmallVector<Payload, 4> payloads;
          for (const PayloadPattern &payload : node.payloads)
            payloads.push_back(payload.isVar ? match.payloads[payload.value]
                                             : payload.value);
          terms.push_back(node.isVar
                              ? match.classes[node.var]
                              : graph.lookup(node.op, children, payloads));
          ASSERT_NE(terms.back(), None) << "seed " << seed;
        }
        ASSERT_EQ(graph.find(terms.back()), match.root) << "seed " << seed;
      }
    if (!GetParam())
      continue;
    for (size_t i = 0; i != rules.size(); ++i)
      checker.addAxiom(rules[i]);
    for (TermId x = 0; x != bank.size(); ++x)
      for (TermId y = 0; y != x; ++y) {
        if (!graph.equal(ids[x], ids[y]))
          continue;
        Explanation proof = llvm::cantFail(explain(graph, ids[x], ids[y]));
        ASSERT_EQ(checker.check(proof, bank.print(x, ops), bank.print(y, ops)),
                  "")
            << "seed " << seed << "\n"
            << proof.print(ops);
      }
  }
  EXPECT_GT(saturated, 100u);
  EXPECT_GT(applied, 500u);
}

TEST_P(FuzzTest, VerdictsDoNotDependOnHistory) {
  // Several pairs checked in copies of a base, and in one shared graph in both
  // orders: the same equalities.
  std::vector<Rule> axioms = {rule(0, "(g ?x ?y)", "(g ?y ?x)"),
                              rule(1, "(g (g ?x ?y) ?z)", "(g ?x (g ?y ?z))"),
                              rule(2, "(f (g ?x ?y))", "(g (f ?x) (f ?y))"),
                              rule(3, "(f (f ?x))", "?x")};
  RuleSet rules = ruleSet(axioms);
  numConstants = 2;
  size_t equalities = 0;
  for (unsigned seed = 0; seed != 60; ++seed) {
    random.seed(seed);
    TermBank bank;
    std::vector<TermId> candidates;
    TermId program = randomTerm(bank, 3);
    for (unsigned i = 0; i != 10; ++i)
      candidates.push_back(i % 2 ? randomTerm(bank, 3)
                                 : shuffled(bank, program));
    Limits limits;
    limits.nodes = 5000;
    auto verdicts = [&](std::vector<TermId> order, bool shared) {
      std::map<TermId, bool> result;
      EGraph base = makeGraph();
      SaturationState baseState;
      Id root = addTerm(base, bank, program);
      EXPECT_TRUE(saturate(base, rules, limits, &baseState).saturated());
      EGraph graph = base;
      SaturationState state = baseState;
      for (TermId candidate : order) {
        if (!shared) {
          graph = base;
          state = baseState;
        }
        Id id = addTerm(graph, bank, candidate);
        EXPECT_TRUE(saturate(graph, rules, limits, &state).saturated());
        result[candidate] = graph.equal(root, id);
      }
      return result;
    };
    auto alone = verdicts(candidates, false);
    auto forward = verdicts(candidates, true);
    std::reverse(candidates.begin(), candidates.end());
    auto backward = verdicts(candidates, true);
    EXPECT_EQ(alone, forward) << "seed " << seed;
    EXPECT_EQ(alone, backward) << "seed " << seed;
    for (auto [candidate, equal] : alone)
      equalities += equal && candidate != program;
  }
  EXPECT_GT(equalities, 100u);
}
