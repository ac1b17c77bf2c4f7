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
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace prism;
using egraph::TermId;

/// Operators shown of each side of a step, and of the ends of the chain.
static constexpr unsigned stepDepth = 4, endDepth = 12;

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
  void step(const CheckedStep &checked) override {
    std::string &line = lines.emplace_back();
    llvm::raw_string_ostream os(line);
    // From the program's side the axiom is read the other way.
    bool forward = checked.step.getDirection() == RewriteDirection::Backward;
    os << checked.step.getAxiom()
       << (forward ? ", left to right, at " : ", right to left, at ");
    llvm::interleave(checked.step.getPlace(), os, ".");
    os << ": " << printBriefly(*language, *bank, checked.after, stepDepth)
       << "  =  " << printBriefly(*language, *bank, checked.before, stepDepth);
  }

  std::vector<std::string> lines;
  std::string programText, candidateText;

private:
  void printEnds(StringRef what, ArrayRef<TermId> terms, std::string &text) {
    llvm::raw_string_ostream os(text);
    for (TermId term : terms)
      os << "  " << what << ": "
         << printBriefly(*language, *bank, term, endDepth) << '\n';
  }

  const TermLanguage *language = nullptr;
  const egraph::TermBank *bank = nullptr;
};
} // namespace

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
  os << recorder.programText;
  for (auto [number, line] : llvm::enumerate(llvm::reverse(recorder.lines)))
    os << "  " << number + 1 << ". " << line << '\n';
  os << recorder.candidateText << '\n';
  return text;
}
