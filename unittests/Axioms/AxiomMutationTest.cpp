//===- AxiomMutationTest.cpp - No changed axiom passes --------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Breaks every record in every way that its sides allow, and looks whether the
// test of its soundness sees it: on the side that is built, a variable in the
// place of another, an operator left out, operands exchanged, a sum for a
// maximum, another data dim or parallel dim, and in the place of what the
// condition binds (maps, dims) something else; a function around all of it.
// What its left side or its condition would let through is waived in
// SideConditionTest.cpp, and what is missed when it is gone in
// CoverageTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "AxiomTester.h"
#include "llvm/Support/Regex.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace prism;
using namespace prism::test;
using egraph::None;
using Side = egraph::Pattern;

namespace {

/// Of a schema's instances so many are broken.
constexpr size_t maxInstances = 4;

/// A way to break one side.
struct Mutant {
  std::string what;
  TestRun run;
};

/// Patterns with one node changed.
class Mutator {
public:
  Mutator(const TermLanguage &language, const Side &given, const Side &built,
          const egraph::VarTable &vars)
      : language(language), given(given), built(built), vars(vars) {}

  std::vector<Mutant> makeAll();

private:
  /// Copies a pattern; `edit` may change a node before it is added.
  static Side rebuild(const Side &pattern,
                      llvm::function_ref<void(uint32_t, Side::Node &)> edit);
  static uint32_t copy(const Side &from, uint32_t at, Side &to,
                       llvm::function_ref<void(uint32_t, Side::Node &)> edit);
  void add(const Twine &what, uint32_t at,
           std::function<void(Side::Node &)> edit);
  void replaceVariable(uint32_t at);
  void changeOperands(uint32_t at);
  void changeOperator(uint32_t at);
  void changePayloads(uint32_t at);
  bool isGiven(egraph::VarId payload) const;
  /// 0: a prototype, 1: a data dim, 2: a parallel dim.
  unsigned kindOf(const Side::Node &node, unsigned index) const {
    if (language.hasPrototype(node.op))
      return 0;
    return index + 1 == node.payloads.size() ? 2 : 1;
  }

  const TermLanguage &language;
  const Side &given, &built;
  const egraph::VarTable &vars;
  std::vector<Mutant> mutants;
};

uint32_t Mutator::copy(const Side &from, uint32_t at, Side &to,
                       llvm::function_ref<void(uint32_t, Side::Node &)> edit) {
  Side::Node node = from[at];
  edit(at, node);
  if (node.isVar)
    return to.addVar(node.var);
  // A node without operator stands for its child.
  if (node.op == None)
    return copy(from, node.children.front(), to, edit);
  for (uint32_t &child : node.children)
    child = copy(from, child, to, edit);
  return to.addApp(node.op, node.children, node.payloads);
}

Side Mutator::rebuild(const Side &pattern,
                      llvm::function_ref<void(uint32_t, Side::Node &)> edit) {
  Side result;
  copy(pattern, pattern.rootIndex(), result, edit);
  return result;
}

void Mutator::add(const Twine &what, uint32_t at,
                  std::function<void(Side::Node &)> edit) {
  Mutant &mutant = mutants.emplace_back();
  mutant.run.change = [at, edit = std::move(edit)](const Side &pattern) {
    return rebuild(pattern, [&](uint32_t index, Side::Node &node) {
      if (index == at)
        edit(node);
    });
  };
  mutant.what =
      (what + ": " + mutant.run.change(built).print(language.operators(), vars))
          .str();
}

bool Mutator::isGiven(egraph::VarId payload) const {
  return llvm::any_of(given.all(), [&](const Side::Node &node) {
    return llvm::any_of(node.payloads, [&](const auto &other) {
      return other.isVar && other.value == payload;
    });
  });
}

void Mutator::replaceVariable(uint32_t at) {
  for (egraph::VarId var = 0; var < vars.classes.size(); ++var)
    if (var != built[at].var)
      add("a variable", at, [var](Side::Node &node) { node.var = var; });
}

void Mutator::changeOperands(uint32_t at) {
  const Side::Node &node = built[at];
  for (unsigned i = 0; i < node.children.size(); ++i)
    add("left out", at, [i](Side::Node &node) {
      std::swap(node.children[0], node.children[i]);
      node.op = None;
    });
  for (unsigned i = 1; i < node.children.size(); ++i)
    add("exchanged", at, [i](Side::Node &node) {
      std::swap(node.children[i - 1], node.children[i]);
    });
}

void Mutator::changeOperator(uint32_t at) {
  const TermLanguage::ParallelOperators &ops = language.ops;
  auto to = [&](egraph::OpId op) {
    add("operator", at, [op](Side::Node &node) { node.op = op; });
  };
  if (built[at].op == ops.red || built[at].op == ops.redmax) {
    to(built[at].op == ops.red ? ops.redmax : ops.red);
    to(ops.sel);
  }
}

void Mutator::changePayloads(uint32_t at) {
  const Side::Node &node = built[at];
  for (auto [index, payload] : llvm::enumerate(node.payloads)) {
    if (!payload.isVar)
      continue;
    if (!isGiven(payload.value)) {
      Mutant &mutant = mutants.emplace_back();
      mutant.what = "another payload: " + vars.payloads[payload.value];
      mutant.run.changedPayload = payload.value;
      continue;
    }
    // One that stands for the same kind of thing.
    std::set<egraph::VarId> others;
    for (const Side::Node &other : given.all())
      for (auto [place, given] : llvm::enumerate(other.payloads))
        if (given.isVar && given.value != payload.value &&
            kindOf(other, place) == kindOf(node, index) &&
            (kindOf(node, index) != 0 || other.op == node.op))
          others.insert(given.value);
    for (egraph::VarId other : others)
      add("payload", at, [index = index, other](Side::Node &node) {
        node.payloads[index].value = other;
      });
  }
}

std::vector<Mutant> Mutator::makeAll() {
  for (StringRef wrapper : {"prism.neg", "prism.square"}) {
    Mutant &mutant = mutants.emplace_back();
    mutant.what = ("inside " + wrapper).str();
    mutant.run.wrapper = wrapper;
  }
  for (uint32_t at = 0; at < built.all().size(); ++at) {
    if (built[at].isVar) {
      replaceVariable(at);
      continue;
    }
    changeOperands(at);
    changeOperator(at);
    changePayloads(at);
  }
  return std::move(mutants);
}

/// A change that may change nothing.
struct Equivalent {
  StringLiteral record, change; ///< A regular expression.
  StringLiteral reason;
};
constexpr StringLiteral commutes = "both operands are read alike, and commute";
const Equivalent equivalent[] = {
    {"L3", "add\\[\\?n\\] \\(.*\\?b.*\\?a", commutes},
    {"L3", "add\\[\\?m\\] \\?b \\?a\\)", commutes},
    {"R21", "max\\[\\?n\\] .*\\?b.*\\?a", commutes},
    {"R21", "max\\[\\?m\\] \\?b \\?a\\)", commutes},
    {"M19", "exchanged: \\(prism.add", commutes},
    {"F10", "exchanged: \\(prism.mul\\[\\?m\\] \\?a \\?a\\)", commutes},
    {"F14", "exchanged: \\(prism.mul", commutes},
    {"D3", "exchanged: \\(prism.mul\\[\\?m\\] \\(prism.add", commutes},
    {"S7", "exchanged: \\(stack\\[\\?p\\] \\(prism.mul", commutes},
    {"S2", "exchanged: \\(prism.matmul", "if no dim is shared: of two sums"},
};

bool mayBeEquivalent(const Axiom &axiom, StringRef change) {
  return llvm::any_of(equivalent, [&](const Equivalent &known) {
    return getAxiomRecord(axiom).id == known.record &&
           llvm::Regex(known.change).match(change);
  });
}

class AxiomMutation : public ::testing::Test {
protected:
  unsigned breakAll(const Axiom &axiom, bool backward);
  AxiomTester tester;
  std::vector<std::string> accepted;
};

unsigned AxiomMutation::breakAll(const Axiom &axiom, bool backward) {
  const TermLanguage &language = tester.getLanguage();
  // Patterns intern nothing that is not there.
  auto &operators = const_cast<TermLanguage &>(language).operators();
  egraph::VarTable vars;
  Side left =
      llvm::cantFail(egraph::Pattern::parse(axiom.left, operators, vars));
  Side right =
      llvm::cantFail(egraph::Pattern::parse(axiom.right, operators, vars));
  if (backward)
    std::swap(left, right);
  unsigned refuted = 0;
  for (Mutant &mutant : Mutator(language, left, right, vars).makeAll()) {
    mutant.run.backward = backward;
    mutant.run.isExact = isExact(getAxiomRecord(axiom).id);
    mutant.run.tries = 20000;
    mutant.run.wanted = 100;
    Outcome outcome = tester.test(axiom, mutant.run);
    bool isRefuted = outcome.flaw != Flaw::None;
    refuted += isRefuted;
    if (outcome.instances > 0 && !isRefuted &&
        !mayBeEquivalent(axiom, mutant.what))
      accepted.push_back(axiom.id + (backward ? " backward" : "") + ", " +
                         mutant.what);
  }
  return refuted;
}

TEST_F(AxiomMutation, EveryChangeIsRefuted) {
  std::vector<Axiom> axioms = instantiateAxioms(tester.getLanguage());
  unsigned total = 0;
  for (const AxiomRecord *record : getAxiomRecords()) {
    std::vector<const Axiom *> alive;
    for (const Axiom &axiom : axioms) {
      if (&getAxiomRecord(axiom) != record)
        continue;
      TestRun run;
      run.tries = record->isSchema ? 400 : 4000;
      run.wanted = 1;
      run.isExact = false;
      if (tester.test(axiom, run).instances > 0)
        alive.push_back(&axiom);
    }
    EXPECT_FALSE(alive.empty()) << record->id.str();
    // Some of them, from first to last.
    size_t count = std::min(maxInstances, alive.size());
    unsigned refuted = 0;
    for (size_t i = 0; i < count; ++i) {
      const Axiom &axiom = *alive[i * alive.size() / count];
      refuted += breakAll(axiom, /*backward=*/false);
      if (axiom.backward)
        refuted += breakAll(axiom, /*backward=*/true);
    }
    EXPECT_GE(refuted, 2u) << record->id.str();
    total += refuted;
  }
  for (const std::string &what : accepted)
    ADD_FAILURE() << what;
  RecordProperty("refuted", total);
  EXPECT_GE(total, 500u);
}

} // namespace
