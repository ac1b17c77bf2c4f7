//===- Explain.cpp - Proofs for people ------------------------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Certificates lead from the candidate to the program; a reader starts from the
// program. So the steps are followed by the checker, then told backwards.
//
//===----------------------------------------------------------------------===//

#include "Prism/Verify/Explain.h"
#include "Prism/Verify/Checker.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace prism;
using egraph::TermId;

/// Operators shown of each side of a step, of many steps taken as one, and of
/// the ends of the chain.
static constexpr unsigned stepDepth = 4, runDepth = 7, endDepth = 12;

namespace {
class Notation {
public:
  Notation(llvm::raw_ostream &os, const TermLanguage &language,
           const egraph::TermBank &bank)
      : os(os), language(language), bank(bank) {}

  void print(TermId term, unsigned depth, bool isOperand = false);

private:
  void printArguments(egraph::NodeView node, unsigned depth);
  /// `[1 x]`: the data dim, if there is one, and the parallel dim.
  void printParallel(const egraph::NodeView &node);

  llvm::raw_ostream &os;
  const TermLanguage &language;
  const egraph::TermBank &bank;
};
} // namespace

static StringRef getSign(Operation *op) {
  return isa<AddOp>(op)   ? " + "
         : isa<SubOp>(op) ? " - "
         : isa<MulOp>(op) ? " * "
         : isa<DivOp>(op) ? " / "
                          : "";
}

void Notation::printParallel(const egraph::NodeView &node) {
  os << '[';
  if (node.payloads.size() == 2)
    os << node.payloads.front() << ' ';
  os << language.parallel(node.payloads.back()).name << ']';
}

void Notation::printArguments(egraph::NodeView node, unsigned depth) {
  os << '(';
  llvm::interleaveComma(SmallVector<TermId>(node.children), os,
                        [&](TermId child) { print(child, depth - 1); });
  os << ')';
}

void Notation::print(TermId term, unsigned depth, bool isOperand) {
  egraph::NodeView node = bank.node(term);
  StringRef name = language.operators().name(node.op);
  if (node.op == language.ops.arg || node.op == language.ops.defined) {
    os << (node.op == language.ops.arg ? "arg" : "defined")
       << node.payloads.front();
    return;
  }
  if (depth == 0) {
    os << "..";
    return;
  }
  if (!language.hasPrototype(node.op)) {
    os << name;
    printParallel(node);
    return printArguments(node, depth);
  }
  Operation *op = language.prototype(node.payloads.front()).op;
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    if (auto number = dyn_cast<FloatAttr>(constant.getValue()))
      os << number.getValueAsDouble();
    else if (auto extent = dyn_cast<DimExprAttr>(constant.getValue()))
      os << extent.getValue();
    else
      os << constant.getValue();
    return;
  }
  StringRef sign = node.op == language.ops.rescale ? "" : getSign(op);
  if (sign.empty()) {
    os << (name.consume_front("prism.") ? name : "rescale");
    auto printDims = [&](ArrayRef<int64_t> dims) {
      os << '[';
      llvm::interleaveComma(dims, os);
      os << ']';
    };
    if (auto sum = dyn_cast<ReduceSumOp>(op))
      printDims(sum.getDims());
    else if (auto max = dyn_cast<ReduceMaxOp>(op))
      printDims(max.getDims());
    return printArguments(node, depth);
  }
  TermId a = node.children[0], b = node.children[1];
  os << (isOperand ? "(" : "");
  print(a, depth - 1, /*isOperand=*/true);
  os << sign;
  print(b, depth - 1, /*isOperand=*/true);
  os << (isOperand ? ")" : "");
}

std::string prism::printBriefly(const TermLanguage &language,
                                const egraph::TermBank &bank, TermId term,
                                unsigned depth) {
  std::string text;
  llvm::raw_string_ostream os(text);
  Notation(os, language, bank).print(term, depth);
  return text;
}

/// Whether a step only moves chunks and copies past an op, or each other: a
/// reader takes many of them as one.
static bool onlyMovesChunks(ProofStepAttr step) {
  StringRef record = step.getAxiom().split('.').first;
  return llvm::is_contained({"S1", "S3", "P4", "P5", "P6", "P7", "P8", "P9",
                             "P10", "P12", "P13", "R20", "R20r", "R20c"},
                            record);
}

namespace {
/// Keeps what is told backwards.
class Recorder : public ProofListener {
public:
  void begin(const TermLanguage &language, const egraph::TermBank &bank,
             ArrayRef<TermId> candidate, ArrayRef<TermId> program) override {
    this->language = &language;
    this->bank = &bank;
    printEnds("program", program, programText);
    printEnds("candidate", candidate, candidateText);
  }
  void step(const CheckedStep &checked) override { steps.push_back(checked); }
  void end() override {
    llvm::raw_string_ostream os(stepsText);
    printSteps(os);
  }

  std::string programText, stepsText, candidateText;

private:
  void printEnds(StringRef what, ArrayRef<TermId> terms, std::string &text) {
    llvm::raw_string_ostream os(text);
    for (TermId term : terms)
      os << "  " << what << ": "
         << printBriefly(*language, *bank, term, endDepth) << '\n';
  }
  /// The steps from the program to the candidate, a line each, or one for many
  /// that move chunks.
  void printSteps(llvm::raw_ostream &os);
  void printRun(llvm::raw_ostream &os, size_t number,
                ArrayRef<CheckedStep> run);

  std::vector<CheckedStep> steps;
  const TermLanguage *language = nullptr;
  const egraph::TermBank *bank = nullptr;
};
} // namespace

/// The place of all steps: where their places begin alike.
static ArrayRef<int64_t> findCommonPlace(ArrayRef<CheckedStep> run) {
  ArrayRef<int64_t> place = run.front().step.getPlace();
  for (const CheckedStep &checked : run) {
    ArrayRef<int64_t> other = checked.step.getPlace();
    size_t same = 0;
    while (same < std::min(place.size(), other.size()) &&
           place[same] == other[same])
      ++same;
    place = place.take_front(same);
  }
  return place;
}

/// `run`: in the order of the certificate, from the candidate on.
void Recorder::printRun(llvm::raw_ostream &os, size_t number,
                        ArrayRef<CheckedStep> run) {
  ArrayRef<int64_t> place = findCommonPlace(run);
  SmallVector<uint32_t> path(place.drop_front().begin(), place.end());
  os << "  " << number;
  if (run.size() > 1)
    os << '-' << number + run.size() - 1;
  os << ". ";
  // From the program's side axioms are read the other way.
  bool forward = run.front().step.getDirection() == RewriteDirection::Backward;
  bool isOneWay = llvm::all_of(run, [&](const CheckedStep &checked) {
    return checked.step.getDirection() == run.front().step.getDirection();
  });
  llvm::MapVector<StringRef, unsigned> counts;
  for (const CheckedStep &checked : llvm::reverse(run))
    ++counts[run.size() > 1 ? checked.step.getAxiom().split('.').first
                            : checked.step.getAxiom()];
  llvm::interleaveComma(counts, os, [&](const auto &entry) {
    os << entry.first;
    if (entry.second > 1)
      os << " x" << entry.second;
  });
  if (isOneWay)
    os << (forward ? ", left to right" : ", right to left");
  os << (run.size() > 1 ? ", below " : ", at ");
  llvm::interleave(place, os, ".");
  unsigned depth = run.size() > 1 ? runDepth : stepDepth;
  os << ": "
     << printBriefly(*language, *bank,
                     bank->subterm(run.back().wholeAfter, path), depth)
     << "  =  "
     << printBriefly(*language, *bank,
                     bank->subterm(run.front().wholeBefore, path), depth)
     << '\n';
}

void Recorder::printSteps(llvm::raw_ostream &os) {
  ArrayRef<CheckedStep> left = steps;
  for (size_t number = 1; !left.empty();) {
    size_t count = 1;
    auto belongs = [&](const CheckedStep &checked) {
      return onlyMovesChunks(checked.step) &&
             checked.step.getPlace().front() ==
                 left.back().step.getPlace().front();
    };
    while (belongs(left.back()) && count < left.size() &&
           belongs(left[left.size() - 1 - count]))
      ++count;
    printRun(os, number, left.take_back(count));
    left = left.drop_back(count);
    number += count;
  }
}

std::string prism::explainCandidate(ProgramOp program, CandidateOp candidate,
                                    CertificateAttr certificate) {
  Recorder recorder;
  CheckResult result =
      checkCertificate(program, candidate, certificate, &recorder);
  std::string text;
  llvm::raw_string_ostream os(text);
  os << program.getSymName() << " = \"" << candidate.getId()
     << "\": " << result.steps << " steps, precision "
     << stringifyPrecision(*certificate.getPrecision()) << ", "
     << result.castsErased << " casts erased\n";
  if (!result.holds)
    os << "  it cannot be followed: " << result.why << '\n';
  os << recorder.programText << recorder.stepsText << recorder.candidateText
     << '\n';
  return text;
}
