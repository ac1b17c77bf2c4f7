//===- MutationTest.cpp - No changed certificate passes -------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every certificate of the candidates of the lit tests is changed in every way
// that its parts allow: a step dropped, repeated, turned round, moved, given to
// another axiom, its substitution taken away or changed; the header; the
// candidate's ops and maps. The checker rejects each, unless what is left says
// the same: the same terms, one after the other; or, where two steps change
// their order, the same steps at places that do not meet, or of which one only
// reorders splits and joins above the other.
//
//===----------------------------------------------------------------------===//

#include "../Axioms/TestPrograms.h"
#include "Prism/Verify/Checker.h"
#include "Prism/Verify/Verify.h"
#include "mlir/IR/AsmState.h"
#include "gtest/gtest.h"
#include <set>

using namespace mlir;
using namespace prism;
using namespace prism::test;
using egraph::TermId;

namespace {

/// Of a proof, about so many steps are changed: each change is checked whole.
constexpr size_t maxSteps = 5;

/// What a proof says: the terms at its ends, and what each step makes of what.
class Reader : public ProofListener {
public:
  void begin(const TermLanguage &language, const egraph::TermBank &bank,
             ArrayRef<TermId> candidate, ArrayRef<TermId> program) override {
    this->language = &language;
    this->bank = &bank;
    said.clear();
    for (ArrayRef<TermId> terms : {candidate, program})
      for (TermId term : terms)
        write(term);
  }
  void step(const CheckedStep &step) override {
    if (step.before != step.after) {
      write(step.before);
      write(step.after);
    }
    changes.push_back(step.before != step.after);
  }

  std::vector<Attribute> said;
  std::vector<bool> changes; ///< By step: whether it changes anything.

private:
  void write(TermId term) {
    said.push_back(language->termToAttribute(*bank, term));
  }

  const TermLanguage *language = nullptr;
  const egraph::TermBank *bank = nullptr;
};

class MutationTest : public ::testing::Test {
protected:
  MutationTest() { context.loadDialect<PrismDialect>(); }

  /// Proves every candidate of a file of test/Transforms, and changes what is
  /// proved.
  void testFile(StringRef name) {
    auto module = parseSourceFile<ModuleOp>(
        (Twine(PRISM_TRANSFORMS_TESTS "/") + name).str(),
        ParserConfig(&context));
    ASSERT_TRUE(module);
    for (ProgramOp program : module->getOps<ProgramOp>()) {
      VerifyOptions options;
      options.proofs = true;
      auto verifier = Verifier::create(program, options);
      if (failed(verifier))
        continue;
      auto candidates = llvm::to_vector(program.getCandidateOps());
      std::vector<VerifyResult> results = (*verifier)->verify(candidates);
      for (auto [candidate, result] : llvm::zip(candidates, results))
        if (result.certificate)
          testCandidate(program, candidate, result.certificate);
      testForeign(program, candidates, results);
    }
  }

  /// So many changes were tried, and rejected, of each kind.
  std::map<std::string, unsigned> rejected;
  std::set<std::string> recordsSeen;
  unsigned unchanged = 0;

private:
  void testCandidate(ProgramOp program, CandidateOp candidate,
                     CertificateAttr certificate) {
    this->program = program;
    this->candidate = candidate;
    original = certificate;
    reader = Reader();
    ASSERT_TRUE(
        checkCertificate(program, candidate, certificate, &reader).holds);
    for (ProofStepAttr step : certificate.getSteps())
      recordsSeen.insert(step.getAxiom().split('.').first.str());
    changeHeader();
    // Of a long proof, steps spread over all of it.
    size_t numSteps = certificate.getSteps().size();
    size_t stride = std::max<size_t>(1, numSteps / maxSteps);
    for (size_t at = 0; at < numSteps; at += stride)
      changeStep(at);
    changeCandidate();
  }

  /// A changed certificate, or candidate, must not hold.
  void expectRejected(StringRef kind, CertificateAttr changed,
                      const Twine &what) {
    Reader now;
    if (!checkCertificate(program, candidate, changed, &now).holds) {
      ++rejected[kind.str()];
      return;
    }
    EXPECT_EQ(now.said, reader.said)
        << candidate.getId().str() << ", " << kind.str() << ": " << what.str();
    ++unchanged;
  }

  CertificateAttr withSteps(ArrayRef<ProofStepAttr> steps) {
    return CertificateAttr::get(&context, original.getVersion(),
                                original.getPrecision(),
                                original.getCastsErased(), steps);
  }

  void changeHeader() {
    auto make = [&](int64_t version, std::optional<Precision> precision,
                    int64_t castsErased) {
      return CertificateAttr::get(&context, version, precision, castsErased,
                                  original.getSteps());
    };
    Precision precision = *original.getPrecision();
    int64_t casts = original.getCastsErased();
    expectRejected("version", make(1, std::nullopt, 0), "1");
    expectRejected("casts erased", make(2, precision, casts + 1), "one more");
    if (casts != 0) {
      expectRejected("casts erased", make(2, precision, 0), "none");
      expectRejected("precision", make(2, Precision::Strict, casts), "strict");
      expectRejected("precision", make(2, Precision::Strict, 0),
                     "strict, nothing erased");
    }
    SmallVector<ProofStepAttr> steps(original.getSteps());
    if (reader.said[0] != reader.said[1])
      expectRejected("all steps", withSteps({}), "dropped");
  }

  void changeStep(size_t at) {
    SmallVector<ProofStepAttr> steps(original.getSteps());
    ProofStepAttr step = steps[at];
    std::string what = "step " + std::to_string(at);
    llvm::raw_string_ostream(what) << ' ' << step;
    auto replace = [&](StringRef kind, ProofStepAttr by) {
      SmallVector<ProofStepAttr> changed(steps);
      changed[at] = by;
      expectRejected(kind, withSteps(changed), what);
    };
    auto make = [&](StringRef axiom, RewriteDirection direction,
                    ArrayRef<int64_t> place, ArrayAttr with) {
      return ProofStepAttr::get(&context, axiom, direction, place, with);
    };
    StringRef axiom = step.getAxiom();
    RewriteDirection direction = step.getDirection();
    SmallVector<int64_t> place(step.getPlace());
    ArrayAttr with = step.getWith();

    SmallVector<ProofStepAttr> fewer(steps), more(steps);
    fewer.erase(fewer.begin() + at);
    expectRejected("dropped", withSteps(fewer), what);
    more.insert(more.begin() + at, step);
    expectRejected("repeated", withSteps(more), what);
    if (at + 1 < steps.size() && steps[at] != steps[at + 1]) {
      SmallVector<ProofStepAttr> swapped(steps);
      std::swap(swapped[at], swapped[at + 1]);
      expectSwapRejected(swapped, at, what);
    }
    replace("turned round", make(axiom,
                                 direction == RewriteDirection::Forward
                                     ? RewriteDirection::Backward
                                     : RewriteDirection::Forward,
                                 place, with));
    for (StringRef other : {"S1.exp.0", "P1", "F1.mul", "F9", "D1", "none"})
      if (other != axiom)
        replace("axiom", make(other, direction, place, with));
    // The place: up, down, beside.
    SmallVector<int64_t> moved(place);
    moved.back() += 1;
    replace("place", make(axiom, direction, moved, with));
    moved.back() = -1;
    replace("place", make(axiom, direction, moved, with));
    moved.pop_back();
    replace("place", make(axiom, direction, moved, with));
    moved = place;
    moved.push_back(0);
    replace("place", make(axiom, direction, moved, with));
    if (with)
      changeSubstitution(step, replace, make);
  }

  /// Two steps at places that do not meet may change their order.
  void expectSwapRejected(ArrayRef<ProofStepAttr> swapped, size_t at,
                          const Twine &what) {
    if (!checkCertificate(program, candidate, withSteps(swapped)).holds) {
      ++rejected["swapped"];
      return;
    }
    ++unchanged;
    ArrayRef<int64_t> a = swapped[at].getPlace(),
                      b = swapped[at + 1].getPlace();
    size_t same = 0, shorter = std::min(a.size(), b.size());
    while (same < shorter && a[same] == b[same])
      ++same;
    auto reorders = [](ProofStepAttr step) {
      return llvm::is_contained(
          {"P4", "P5", "P6", "P7", "P8", "P9", "P10", "P11", "P12", "P13"},
          step.getAxiom());
    };
    // Two unary operators that change their order leave what is below in place.
    if (!reorders(swapped[a.size() < b.size() ? at : at + 1]))
      EXPECT_LT(same, shorter) << candidate.getId().str() << ": " << what.str();
  }

  template <typename Replace, typename Make>
  void changeSubstitution(ProofStepAttr step, Replace &replace, Make &make) {
    auto put = [&](ArrayRef<Attribute> values) {
      replace("substitution",
              make(step.getAxiom(), step.getDirection(), step.getPlace(),
                   ArrayAttr::get(&context, values)));
    };
    replace("substitution", make(step.getAxiom(), step.getDirection(),
                                 step.getPlace(), ArrayAttr()));
    SmallVector<Attribute> values(step.getWith().getValue());
    Builder builder(&context);
    Attribute other = builder.getArrayAttr(
        {builder.getStringAttr("arg"), builder.getI64IntegerAttr(0)});
    for (size_t i = 0; i < values.size(); ++i) {
      SmallVector<Attribute> changed(values);
      changed.erase(changed.begin() + i);
      put(changed);
      changed = values;
      changed.insert(changed.begin() + i, other);
      put(changed);
      for (Attribute by : {other, Attribute(builder.getI64IntegerAttr(7)),
                           Attribute(builder.getStringAttr("none"))})
        if (by != values[i]) {
          changed = values;
          changed[i] = by;
          put(changed);
        }
    }
  }

  /// Another op in the place of each, other dims, other maps.
  void changeCandidate() {
    SmallVector<Operation *> ops;
    candidate->walk([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops) {
      for (NamedAttribute attribute : op->getAttrs())
        changeAttribute(op, attribute);
      if (op->getNumOperands() == 2 &&
          op->getOperand(0).getType() == op->getOperand(1).getType() &&
          op->getOperand(0) != op->getOperand(1) && isa<ComputeOpInterface>(op))
        swapOperands(op);
    }
  }

  void swapOperands(Operation *op) {
    Value a = op->getOperand(0), b = op->getOperand(1);
    op->setOperands({b, a});
    expectRejected("operands", original, op->getName().getStringRef());
    op->setOperands({a, b});
  }

  /// Maps of loaders and savers, dims of reductions, permutations, constants.
  void changeAttribute(Operation *op, NamedAttribute attribute) {
    SmallVector<Attribute> others;
    if (auto map = dyn_cast<MapAttr>(attribute.getValue())) {
      Mapping reversed = map.getValue();
      std::reverse(reversed.begin(), reversed.end());
      others.push_back(MapAttr::get(&context, reversed));
      for (auto &entries : reversed)
        entries.clear();
      others.push_back(MapAttr::get(&context, reversed));
    } else if (auto dims = dyn_cast<DenseI64ArrayAttr>(attribute.getValue())) {
      SmallVector<int64_t> changed(dims.asArrayRef());
      if (changed.empty())
        return;
      changed.front() = changed.front() == 0 ? 1 : 0;
      others.push_back(DenseI64ArrayAttr::get(&context, changed));
    } else if (isa<ConstantOp>(op) && isa<FloatAttr>(attribute.getValue())) {
      others.push_back(
          FloatAttr::get(cast<FloatAttr>(attribute.getValue()).getType(), 42));
    }
    for (Attribute other : others) {
      if (other == attribute.getValue() || isa<GraphOpInterface>(op))
        continue;
      op->setAttr(attribute.getName(), other);
      std::string what;
      llvm::raw_string_ostream(what) << op->getName() << ' ' << other;
      expectRejected("maps", original, what);
      op->setAttr(attribute.getName(), attribute.getValue());
    }
  }

  /// The certificate of another candidate of the program.
  void testForeign(ProgramOp program, ArrayRef<CandidateOp> candidates,
                   ArrayRef<VerifyResult> results) {
    for (auto [candidate, result] : llvm::zip(candidates, results)) {
      if (!result.certificate)
        continue;
      this->program = program;
      this->candidate = candidate;
      for (auto [owner, foreign] : llvm::zip(candidates, results)) {
        if (!foreign.certificate || foreign.certificate == result.certificate)
          continue;
        // What proves the other's term proves the same term here.
        reader = Reader();
        checkCertificate(program, owner, foreign.certificate, &reader);
        expectRejected("foreign", foreign.certificate, "");
      }
    }
  }

  MLIRContext context;
  ProgramOp program;
  CandidateOp candidate;
  CertificateAttr original;
  Reader reader;
};

TEST_F(MutationTest, NoChangeOfMeaningPasses) {
  for (StringRef file :
       {"mutated-certificates.mlir", "verify-certificates.mlir",
        "verify-kernels.mlir", "verify-constants.mlir", "verify-rescaled.mlir",
        "verify.mlir"})
    testFile(file);
  for (StringRef kind :
       {"version", "casts erased", "precision", "all steps", "dropped",
        "repeated", "swapped", "turned round", "axiom", "place", "substitution",
        "operands", "maps", "foreign"})
    EXPECT_GE(rejected[kind.str()], 3u) << kind.str();
  EXPECT_GE(recordsSeen.size(), 18u);
  RecordProperty("accepted, saying the same", unchanged);
}

} // namespace
