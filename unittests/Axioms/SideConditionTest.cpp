//===- SideConditionTest.cpp - No condition without need ------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every condition that an axiom asks (AxiomMatch::require) is waived in turn:
// some instance is then wrong, ill-typed, defined on one side only, or there is
// no right side to write. A condition that is not in the table, or of which the
// table says more than is found, fails the test; so does a record that the
// table does not know. Waiving a preference does no harm.
//
//===----------------------------------------------------------------------===//

#include "AxiomTester.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace prism;
using namespace prism::test;

namespace {

/// What goes wrong where `condition` of `record` does not hold. Records without
/// conditions have an empty one.
struct Need {
  StringLiteral record, condition;
  Flaw witness;
  bool isPreference = false; ///< AxiomMatch::prefer: nothing goes wrong.
};

const Need needs[] = {
    {"S1", "the dim is parallel", Flaw::WrongValue},
    {"S1", "the split operands carry one dim", Flaw::IllTyped},
    {"S2", "the dim is of the kind that is combined", Flaw::WrongValue},
    {"S2", "the split operands carry one dim", Flaw::WrongValue},
    {"S2max", "the dim is of the kind that is combined", Flaw::WrongValue},
    {"S3", "", Flaw::None},
    {"S4", "f does not round", Flaw::WrongValue},
    {"S4", "f is linear", Flaw::WrongValue},
    {"S4", "no chunks are added", Flaw::IllTyped},
    {"P1", "", Flaw::None},
    {"P2", "", Flaw::None},
    {"P4", "d != e", Flaw::IllTyped},
    {"P5", "d != e", Flaw::IllTyped},
    {"P6", "d != e", Flaw::IllTyped},
    {"P6", "p != q", Flaw::IllTyped},
    {"P7", "", Flaw::None},
    {"P8", "p != q", Flaw::IllTyped},
    {"P9", "", Flaw::None},
    {"P10", "p != q", Flaw::IllTyped},
    {"P11", "", Flaw::None},
    {"P12", "p != q", Flaw::IllTyped},
    {"P13", "", Flaw::None},
    {"R19", "", Flaw::None},
    {"R20", "p != q", Flaw::IllTyped},
    {"R20r", "p != q", Flaw::IllTyped},
    {"R20c", "", Flaw::None},
    {"R20m", "", Flaw::None},
    {"P18", "", Flaw::None},
    {"P19", "no other dim is reduced", Flaw::IllTyped},
    {"P19", "the leading dim is reduced", Flaw::WrongValue},
    {"S6", "f carries every dim of m", Flaw::WrongValue},
    {"S6", "f does not round", Flaw::WrongValue},
    {"S6", "f is linear", Flaw::WrongValue},
    {"S6", "no value is repeated to be rescaled", Flaw::WrongValue},
    {"S6exp", "both shifts are read alike", Flaw::WrongValue},
    {"S6exp", "no value is repeated to be rescaled", Flaw::WrongValue},
    {"S6exp", "rows are shifted by their own maximum", Flaw::WrongValue},
    {"X6", "m and M have the same shape", Flaw::WrongValue},
    {"S7", "the others do not carry the stacked dim", Flaw::IllTyped},
    {"S7", "the stacked dim leads to the result's first", Flaw::WrongValue},
    {"F1", "", Flaw::None},
    {"F2", "", Flaw::None},
    {"F2max", "", Flaw::None},
    {"F5", "", Flaw::None},
    {"F6", "", Flaw::None},
    {"F7", "c is not zero", Flaw::LostDefinedness},
    {"F9", "c broadcasts into a", Flaw::WrongValue},
    {"F9", "c is not zero", Flaw::LostDefinedness},
    {"F9", "c is read alike", Flaw::WrongValue},
    {"X4", "v broadcasts into a / b", Flaw::IllTyped},
    {"X4", "v is not zero", Flaw::LostDefinedness},
    {"X4", "v is read alike", Flaw::WrongValue},
    {"A5", "", Flaw::None},
    {"A7", "", Flaw::None},
    {"A9", "c broadcasts into a", Flaw::WrongValue},
    {"A9", "c is read alike", Flaw::WrongValue},
    {"E1", "", Flaw::None},
    {"E3", "b is not permuted", Flaw::WrongValue},
    {"E3", "the dividend is 1", Flaw::WrongValue},
    {"E4", "b is not zero", Flaw::LostDefinedness},
    {"G1", "", Flaw::None},
    {"G2", "", Flaw::None},
    {"L1", "a is not repeated", Flaw::WrongValue},
    {"L1", "f carries every dim of g", Flaw::WrongValue},
    {"L1", "f does not round", Flaw::WrongValue},
    {"L1", "f is linear", Flaw::WrongValue},
    {"L2", "a is not repeated", Flaw::WrongValue},
    {"L2", "b carries every dim of g", Flaw::WrongValue},
    {"L2", "f is linear", Flaw::WrongValue},
    {"L3", "a and b have one shape", Flaw::IllTyped},
    {"L3", "f does not round", Flaw::WrongValue},
    {"L3", "f is linear", Flaw::WrongValue},
    {"L3", "the summands have one shape", Flaw::WrongValue},
    {"M13", "both products sum something", Flaw::None, /*isPreference=*/true},
    {"M18", "one operand alone carries the summed dims", Flaw::WrongValue},
    {"M18", "something is summed", Flaw::None, /*isPreference=*/true},
    {"R10", "", Flaw::None},
    {"R10max", "", Flaw::None},
    {"R21", "a and b have one shape", Flaw::WrongValue},
    {"R22", "a is not repeated", Flaw::WrongValue},
    {"R22", "g is one number for each row", Flaw::WrongValue},
    {"M19", "both are concatenated along one dim", Flaw::WrongValue},
    {"M19", "that dim is summed", Flaw::IllTyped},
    {"M19", "the parts have one length", Flaw::IllTyped},
    {"C1", "f is elementwise", Flaw::WrongValue},
    {"T1", "", Flaw::None},
    {"T2", "", Flaw::None},
    {"T3", "f is elementwise", Flaw::WrongValue},
    {"F10", "both factors are read alike", Flaw::WrongValue},
    {"F11", "a >= 0", Flaw::LostDefinedness},
    {"F11r", "a >= 0", Flaw::WrongValue},
    {"F12", "a, b >= 0", Flaw::LostDefinedness},
    {"F13", "a > 0", Flaw::LostDefinedness},
    {"F13", "a, b >= 0", Flaw::LostDefinedness},
    {"F14", "both factors are read alike", Flaw::WrongValue},
    {"F15", "", Flaw::None},
    {"F16", "both are read alike", Flaw::WrongValue},
    {"G3", "", Flaw::None},
    {"X1", "", Flaw::None},
    {"X11", "a, b >= 0", Flaw::LostDefinedness},
    {"X12", "", Flaw::None},
    {"X13", "a >= 0", Flaw::LostDefinedness},
    {"X13", "a is not zero", Flaw::WrongValue},
    {"E2", "", Flaw::None},
    {"E5", "", Flaw::None},
    {"E6", "c is not zero", Flaw::LostDefinedness},
    {"D2", "a does not vary", Flaw::IllTyped},
    {"D3", "a does not vary", Flaw::IllTyped},
    {"D3", "it is not the approximation by tanh", Flaw::WrongValue},
    {"D4", "a does not vary", Flaw::IllTyped},
    {"D4", "a is not permuted", Flaw::WrongValue},
    {"D4", "the constant is 0", Flaw::WrongValue},
    {"D5", "a is read as it is, by both", Flaw::WrongValue},
};

StringRef stringify(Flaw flaw) {
  switch (flaw) {
  case Flaw::None:
    return "None";
  case Flaw::WrongValue:
    return "WrongValue";
  case Flaw::IllTyped:
    return "IllTyped";
  case Flaw::LostDefinedness:
    return "LostDefinedness";
  case Flaw::NoRightSide:
    return "NoRightSide";
  }
  llvm_unreachable("all flaws are handled");
}

/// The worst that is found; a wrong value is worse than an ill-typed term.
Flaw findWitness(AxiomTester &tester, ArrayRef<const Axiom *> axioms,
                 const AxiomRecord &record, StringRef condition) {
  Flaw found = Flaw::None;
  for (const Axiom *axiom : axioms)
    for (bool backward : {false, true}) {
      if (backward && !axiom->backward)
        continue;
      TestRun run;
      run.backward = backward;
      run.waived = condition;
      run.isExact = isExact(record.id);
      run.tries = axioms.size() > 3 ? 1500 : 20000;
      run.wanted = 40;
      Outcome outcome = tester.test(*axiom, run);
      if (outcome.flaw == Flaw::None && record.id == "S6exp") {
        run.isMasked = true; // Which rows are masked is what matters there.
        run.wanted = 400;
        outcome = tester.test(*axiom, run);
      }
      if (outcome.flaw == Flaw::WrongValue ||
          outcome.flaw == Flaw::LostDefinedness)
        return outcome.flaw;
      if (outcome.flaw == Flaw::IllTyped || found == Flaw::None)
        found = outcome.flaw;
    }
  return found;
}

TEST(SideConditions, EachIsNeeded) {
  AxiomTester tester;
  std::vector<Axiom> axioms = instantiateAxioms(tester.getLanguage());
  std::string table;
  for (const AxiomRecord *record : getAxiomRecords()) {
    std::vector<const Axiom *> mine;
    for (const Axiom &axiom : axioms)
      if (&getAxiomRecord(axiom) == record)
        mine.push_back(&axiom);
    // Which conditions are there?
    for (const Axiom *axiom : mine)
      for (bool backward : {false, true}) {
        if (backward && !axiom->backward)
          continue;
        TestRun run;
        run.backward = backward;
        run.tries = mine.size() > 3 ? 300 : 3000;
        run.wanted = 10;
        run.isExact = false;
        tester.test(*axiom, run);
      }
    std::set<std::string> conditions =
        tester.conditions().find(record->id.str())->second;
    if (conditions.empty())
      conditions.insert("");
    for (const std::string &condition : conditions) {
      Flaw witness = condition.empty()
                         ? Flaw::None
                         : findWitness(tester, mine, *record, condition);
      table += ("    {\"" + record->id + "\", \"" + condition +
                "\", Flaw::" + stringify(witness) + "},\n")
                   .str();
      const Need *need = llvm::find_if(needs, [&](const Need &need) {
        return need.record == record->id && need.condition == condition;
      });
      if (need == std::end(needs)) {
        ADD_FAILURE() << record->id.str() << ": no entry for \"" << condition
                      << '"';
        continue;
      }
      EXPECT_EQ(stringify(need->witness), stringify(witness))
          << record->id.str() << ": " << condition;
      if (!condition.empty() && !need->isPreference)
        EXPECT_NE(witness, Flaw::None)
            << record->id.str() << " does not need \"" << condition << '"';
    }
  }
  for (const Need &need : needs)
    if (!tester.conditions().count(need.record.str()) ||
        (!need.condition.empty() && !tester.conditions()
                                         .find(need.record.str())
                                         ->second.count(need.condition.str())))
      ADD_FAILURE() << need.record.str() << " does not ask \""
                    << need.condition.str() << '"';
  if (HasFailure())
    llvm::errs() << "The table, as found:\n" << table;
}

} // namespace
