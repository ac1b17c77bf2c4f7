//===- AxiomSoundnessTest.cpp - Every axiom, in numbers -------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each axiom holds on random instances (AxiomTester.h says of what kinds), and
// axioms that are known to be false are refuted by the same test.
//
//===----------------------------------------------------------------------===//

#include "AxiomTester.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace prism;
using namespace prism::test;

namespace {

constexpr unsigned instancesPerRecord = 200;

/// All axioms of `records`, each direction of a record on so many instances.
void testRecords(ArrayRef<AxiomRecord> records) {
  AxiomTester tester;
  std::vector<Axiom> axioms = instantiateAxioms(tester.getLanguage());
  for (const AxiomRecord &record : records) {
    std::vector<const Axiom *> mine;
    for (const Axiom &axiom : axioms)
      if (&getAxiomRecord(axiom) == &record)
        mine.push_back(&axiom);
    for (bool backward : {false, true}) {
      if (backward && !record.isReversible)
        continue;
      TestRun run;
      run.backward = backward;
      run.isExact = isExact(record.id);
      // Many instances of a schema have no terms (no op has that structure);
      // a second pass, on those that do, makes up for them.
      run.tries = 400;
      run.wanted = std::max<unsigned>(4, instancesPerRecord / mine.size());
      unsigned instances = 0, enclosed = 0;
      std::vector<const Axiom *> alive;
      for (const Axiom *axiom : mine) {
        Outcome outcome = tester.test(*axiom, run);
        EXPECT_EQ(outcome.failure, "") << (backward ? "backward" : "forward");
        instances += outcome.instances;
        enclosed += outcome.enclosed;
        if (outcome.instances > 0)
          alive.push_back(axiom);
      }
      run.tries = 40000;
      // What says something about exp, log or a power cannot be exact: its
      // sides are enclosed instead, in intervals that must meet.
      auto isEnough = [&] {
        return instances >= instancesPerRecord &&
               (run.isExact || enclosed >= instancesPerRecord);
      };
      for (unsigned pass = 0; pass < 20 && !isEnough(); ++pass)
        for (const Axiom *axiom : alive.empty() ? mine : alive) {
          run.wanted = instancesPerRecord / std::max<size_t>(1, alive.size());
          Outcome outcome = tester.test(*axiom, run);
          EXPECT_EQ(outcome.failure, "") << (backward ? "backward" : "forward");
          instances += outcome.instances;
          enclosed += outcome.enclosed;
          if (isEnough())
            break;
        }
      EXPECT_GE(instances, instancesPerRecord)
          << record.id.str() << (backward ? " backward" : "");
      if (!run.isExact)
        EXPECT_GE(enclosed, instancesPerRecord)
            << record.id.str() << (backward ? " backward" : "");
    }
  }
}

/// Certificates name axioms by id; the record's comes first.
TEST(AxiomSoundness, IdsAreUnique) {
  AxiomTester tester;
  std::set<std::string> ids;
  for (const Axiom &axiom : instantiateAxioms(tester.getLanguage())) {
    EXPECT_TRUE(ids.insert(axiom.id).second) << axiom.id;
    EXPECT_EQ(StringRef(axiom.id).split('.').first, getAxiomRecord(axiom).id);
  }
}

/// Instances for ops whose terms are rare, because their extents must fit:
/// random terms alone would not meet them.
TEST(AxiomSoundness, SchemasHoldOfEveryOp) {
  AxiomTester tester;
  std::set<std::string> wanted;
  for (StringRef mask : {"0", "1", "2", "01", "02", "12", "012"})
    for (StringRef record : {"S1.select.", "S7.select."})
      wanted.insert((record + mask).str());
  for (StringRef op : {"slice", "reshape", "broadcast", "transpose"}) {
    for (StringRef record : {"S1", "S4", "S6"})
      wanted.insert((record + "." + op + ".0").str());
    wanted.insert(("S3." + op).str());
    for (StringRef scale : {"mul", "div"})
      wanted.insert(("L1." + op + ".0." + scale).str());
    for (StringRef sum : {"add", "sub"})
      wanted.insert(("L3." + op + ".0." + sum).str());
  }
  for (StringRef op : {"concat.01", "concat3.012"})
    for (StringRef record : {"S1", "S4", "S6"})
      wanted.insert((record + "." + op).str());
  wanted.insert("S3.concat3");
  for (StringRef mask : {"0", "1", "01"})
    for (StringRef record : {"S1", "S7"})
      wanted.insert((record + ".compare." + mask).str());
  for (StringRef op :
       {"select", "concat", "compare", "cast", "gelu", "softmax", "rms_norm"})
    wanted.insert(("S3." + op).str());
  std::map<std::string, unsigned> instances;
  for (const Axiom &axiom : instantiateAxioms(tester.getLanguage())) {
    if (!wanted.count(axiom.id))
      continue;
    TestRun run;
    run.tries = 40000;
    run.wanted = 40;
    Outcome outcome = tester.test(axiom, run);
    EXPECT_EQ(outcome.failure, "");
    instances[axiom.id] += outcome.instances;
  }
  for (const std::string &id : wanted)
    EXPECT_GE(instances[id], 40u) << id;
}

TEST(AxiomSoundness, ParallelAxiomsHold) {
  testRecords(getParallelAxiomRecords());
}
TEST(AxiomSoundness, RescalingAxiomsHold) {
  testRecords(getRescalingAxiomRecords());
}
TEST(AxiomSoundness, FieldAxiomsHold) { testRecords(getFieldAxiomRecords()); }
TEST(AxiomSoundness, MotionAxiomsHold) { testRecords(getMotionAxiomRecords()); }
TEST(AxiomSoundness, MovementAxiomsHold) {
  testRecords(getMovementAxiomRecords());
}
TEST(AxiomSoundness, FunctionAxiomsHold) {
  testRecords(getFunctionAxiomRecords());
}

/// No op has more than its signature says: a schema's instances that need more
/// are not made.
TEST(AxiomSoundness, SignaturesCoverWhatOpsHave) {
  AxiomTester tester;
  const TermLanguage &language = tester.getLanguage();
  unsigned narrow = 0;
  for (const OpSignature &op : getComputeOpSignatures(language.getContext())) {
    narrow += !op.maySum && op.mayBeLinear == 0;
    for (PrototypeId id : tester.prototypesOf(op.name)) {
      const IterationStructure &structure = language.prototype(id).structure;
      if (llvm::is_contained(structure.dims, IterationKind::Sum))
        EXPECT_TRUE(op.maySum) << op.name;
      if (llvm::is_contained(structure.dims, IterationKind::Max))
        EXPECT_TRUE(op.mayTakeMax) << op.name;
      for (const auto &group : structure.linearGroups)
        for (unsigned operand : group)
          EXPECT_TRUE(op.mayBeLinear & (1u << operand)) << op.name;
    }
  }
  EXPECT_GE(narrow, 10u);
}

/// What a row's maximum of -inf means is part of rescaling (DECISIONS 11); the
/// other axioms about chunks must not be in its way.
TEST(AxiomSoundness, AxiomsHoldOfMaskedRows) {
  AxiomTester tester;
  std::map<std::string, unsigned> instances;
  for (const Axiom &axiom : instantiateAxioms(tester.getLanguage())) {
    const AxiomRecord &record = getAxiomRecord(axiom);
    if (record.kind != AxiomKind::Parallel)
      continue;
    TestRun run;
    run.isMasked = true;
    // What a kernel weighs that saw nothing but -inf counts as 0
    // (lib/Conversion); written as a product it is not defined.
    run.mayLoseDefinedness = record.id == "X6";
    run.tries = record.isSchema ? 1500 : 100000;
    run.wanted = 60;
    Outcome outcome = tester.test(axiom, run);
    EXPECT_EQ(outcome.failure, "");
    instances[record.id.str()] += outcome.instances;
  }
  for (auto &[record, count] : instances)
    EXPECT_GE(count, 40u) << record;
}

/// An axiom that is false.
Axiom makeFalse(const char *id, const Twine &left, const Twine &right,
                SideCondition condition = {}) {
  Axiom axiom;
  axiom.id = id;
  axiom.left = left.str();
  axiom.right = right.str();
  axiom.forward = std::move(condition);
  return axiom;
}

/// Shifting by anything but the row's own maximum loses what is not masked.
TEST(AxiomSoundness, AnyShiftIsRefutedByMaskedRows) {
  AxiomTester tester;
  auto mapsOf = [](AxiomMatch &match, unsigned f) {
    const IterationStructure &structure = match.prototype(f).structure;
    return std::pair(structure.operandMaps[0], structure.operandMaps[1]);
  };
  Axiom axiom = makeFalse(
      "S6exp any shift",
      "(rescale[?g] (prism.exp[?e] (prism.sub[?m] ?x ?a)) ?a ?n)",
      "(prism.exp[?e] (prism.sub[?m] ?x ?n))", [=](AxiomMatch &match) {
        return mapsOf(match, 0) == mapsOf(match, 2) &&
               mapsOf(match, 0).first == match.prototype(0).structure.resultMap;
      });
  // Without -inf it holds.
  TestRun run;
  run.tries = 20000;
  run.isExact = false;
  Outcome unmasked = tester.test(axiom, run);
  EXPECT_GE(unmasked.instances, 20u);
  EXPECT_EQ(unmasked.failure, "");
  run.isMasked = true;
  run.wanted = 400;
  EXPECT_NE(tester.test(axiom, run).failure, "");
}

//===----------------------------------------------------------------------===//
// False axioms
//===----------------------------------------------------------------------===//

/// The map of operand `i` of the op that variable `f` stands for is `dims`.
bool reads(AxiomMatch &match, unsigned f, unsigned i,
           std::initializer_list<unsigned> dims) {
  IndexMap want;
  for (unsigned dim : dims)
    want.push_back({dim});
  return match.prototype(f).structure.operandMaps[i] == want;
}

/// Variable 0 is a plain matrix product of what variable 1 makes of a matrix.
bool isProductOf(AxiomMatch &match, std::initializer_list<unsigned> v) {
  return reads(match, 0, 0, {0, 2}) && reads(match, 0, 1, {2, 1}) &&
         reads(match, 1, 0, {0, 1}) && reads(match, 1, 1, v);
}

bool isOneOperator(AxiomMatch &match) {
  return match.payloads[0] == match.payloads[2];
}

/// The twelve of the list that the axioms were made from, then others.
std::vector<Axiom> makeFalseAxioms(AxiomTester &tester) {
  std::string div = "(prism.matmul[?f] (prism.div[?m] ?a ?v) ?b)";
  std::string divAfter = "(prism.div[?m] (prism.matmul[?f] ?a ?b) ?v)";
  std::string rms = "(prism.sqrt[?r] (prism.reduce_sum[?s] (prism.square[?q] ";
  // Matrices, their rows' maxima and sums, what is done with them row by row.
  auto number = [&](const Twine &op, unsigned at) {
    return ("prism." + op + "[" +
            Twine(tester.prototypesOf(("prism." + op).str())[at]) + "]")
        .str();
  };
  std::string matmul = number("matmul", 0), rowSum = number("reduce_sum", 2),
              rowMax = number("reduce_max", 2), exp = number("exp", 2),
              sub = number("sub", 2), quotient = number("div", 2);
  auto softmax = [&](const std::string &x) {
    return "(" + exp + " (" + sub + " " + x + " (" + rowMax + " " + x + ")))";
  };
  std::string chunk = softmax("(part[1 ?p] ?s)"), whole = softmax("?s");
  return {
      makeFalse("P4 m = m'", "(part[?d ?p] (part[?e ?q] ?t))",
                "(part[?e ?q] (part[?d ?p] ?t))", isOneOperator),
      makeFalse("P14", "(red[?p] (repl[?p] ?t))", "?t"),
      makeFalse("M16 v = [b, 1, k]", div, divAfter,
                [](AxiomMatch &match) { return isProductOf(match, {1}); }),
      makeFalse("M16 v full", div, divAfter,
                [](AxiomMatch &match) { return isProductOf(match, {0, 1}); }),
      makeFalse(
          "N1 no 1/n",
          "(prism.sqrt[?r] (prism.div[?m] (prism.reduce_sum[?s] "
          "(prism.square[?q] ?t)) prism.constant[?k]))",
          rms + "?t)))",
          [](AxiomMatch &match) {
            auto k = llvm::cast<ConstantOp>(match.prototype(4).op);
            return llvm::cast<FloatAttr>(k.getValue()).getValueAsDouble() > 1;
          }),
      makeFalse("N4 grid", rms + "(part[?d ?p] ?t))))",
                "(repl[?p] " + rms + "?t))))"),
      makeFalse("U4 exp", "(red[?p] (prism.exp[?f] ?a))",
                "(prism.exp[?f] (red[?p] ?a))"),
      makeFalse("B8 mul", "(red[?p] (prism.mul[?f] ?a ?b))",
                "(prism.mul[?f] (red[?p] ?a) (red[?p] ?b))"),
      makeFalse("B9 b varies", "(red[?p] (prism.mul[?f] ?a ?b))",
                "(prism.mul[?f] (red[?p] ?a) (sel[?p] ?b))"),
      makeFalse("M14 broadcast", "(prism.matmul[?f] (prism.add[?m] ?a ?v) ?c)",
                "(prism.add[?m] (prism.matmul[?f] ?a ?c) ?v)",
                [](AxiomMatch &match) { return isProductOf(match, {0}); }),
      makeFalse("psum",
                "(prism.exp[?e] (prism.matmul[?f] (part[?d ?p] ?a) (part[?g "
                "?p] (prism.matmul[?h] ?b ?c))))",
                "(prism.exp[?e] (prism.matmul[?f] (part[?d ?p] "
                "(prism.matmul[?h] ?a ?b)) (part[?g ?p] ?c)))",
                [](AxiomMatch &match) {
                  return reads(match, 1, 0, {0, 2}) &&
                         reads(match, 1, 1, {2, 1}) &&
                         reads(match, 5, 0, {0, 2}) &&
                         reads(match, 5, 1, {2, 1});
                }),
      makeFalse("max split",
                "(" + quotient + " (red[?p] (" + matmul + " " + chunk +
                    " (part[0 ?p] ?v))) (red[?p] (" + rowSum + " " + chunk +
                    ")))",
                "(" + quotient + " (" + matmul + " " + whole + " ?v) (" +
                    rowSum + " " + whole + "))"),
      makeFalse("max split, summed",
                "(red[?p] (prism.reduce_max[?f] (part[?d ?p] ?a)))",
                "(prism.reduce_max[?f] ?a)"),
      makeFalse("S6 not to the result",
                "(rescale[?g] (prism.exp[?f] ?a) ?m ?n)",
                "(prism.exp[?f] (rescale[?g] ?a ?m ?n))"),
      makeFalse("S6 into a divisor",
                "(rescale[?g] (prism.div[?f] ?a ?b) ?m ?n)",
                "(prism.div[?f] ?a (rescale[?g] ?b ?m ?n))"),
      makeFalse("S6 into both factors",
                "(rescale[?g] (prism.mul[?f] ?a ?b) ?m ?n)",
                "(prism.mul[?f] (rescale[?g] ?a ?m ?n) (rescale[?g] ?b ?m "
                "?n))"),
      makeFalse("X6 by the first maximum",
                "(red[?p] (prism.mul[?k] ?t (prism.exp[?e] (prism.sub[?m] ?a "
                "(repl[?p] ?n)))))",
                "(red[?p] (rescale[?k] ?t ?a (repl[?p] (sel[?p] ?a))))"),
      makeFalse("F6 wrong side", "(prism.div[?m] ?a ?b)",
                "(prism.div[?m] ?b ?a)",
                [](AxiomMatch &match) { return reads(match, 0, 0, {0, 1}); }),
  };
}

/// exp((1 + 2^-44) a) is exp(a) to 13 digits: only intervals tell.
TEST(AxiomSoundness, IntervalsRefuteWhatIsNearlyEqual) {
  AxiomTester tester;
  PrototypeId nearlyOne = tester.makeConstant(1 + std::ldexp(1.0, -44));
  Axiom axiom =
      makeFalse("nearly",
                "(prism.exp[?e] (prism.mul[?m] ?a prism.constant[" +
                    std::to_string(nearlyOne) + "]))",
                "(prism.exp[?e] ?a)", [](AxiomMatch &match) {
                  return match.prototype(1).structure.operandMaps[0] ==
                         match.prototype(1).structure.resultMap;
                });
  TestRun run;
  run.tries = 4000;
  run.isExact = false;
  Outcome outcome = tester.test(axiom, run);
  EXPECT_GT(outcome.instances, 0u);
  EXPECT_EQ(outcome.flaw, Flaw::WrongValue);
}

TEST(AxiomSoundness, FalseAxiomsAreRefuted) {
  AxiomTester tester;
  for (const Axiom &axiom : makeFalseAxioms(tester)) {
    TestRun run;
    run.tries = 400000;
    run.wanted = 60;
    // Chunks of chunks have no other order: there the types differ.
    bool isOrderOfChunks = StringRef(axiom.id).starts_with("P4");
    run.isTyped = !isOrderOfChunks;
    Outcome outcome = tester.test(axiom, run);
    EXPECT_GT(outcome.instances, 0u) << axiom.id;
    EXPECT_NE(outcome.failure, "") << axiom.id;
    EXPECT_EQ(outcome.flaw, isOrderOfChunks ? Flaw::IllTyped : Flaw::WrongValue)
        << outcome.failure;
  }
}

} // namespace
