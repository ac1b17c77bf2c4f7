//===- Checker.cpp - Following certificates -------------------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Verify/Checker.h"
#include "PrecisionRule.h"
#include "Prism/Axioms/Axioms.h"
#include "Prism/Axioms/Encoder.h"
#include "Prism/EGraph/Pattern.h"
#include "TypingRules.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace prism;
using egraph::None;
using egraph::TermId;

namespace {
/// An axiom's variables bound to terms and payloads; None where unbound.
struct Binding {
  SmallVector<TermId> classes;
  SmallVector<egraph::Payload> payloads;
};

/// An axiom, read.
struct ParsedAxiom {
  Axiom axiom;
  egraph::VarTable vars;
  egraph::Pattern left, right;
};

class Checker {
public:
  Checker(ProgramOp program, Precision precision, ProofListener *listener)
      : language(program.getContext(), precision), analysis(language),
        facts(language, bank),
        ops(getComputeOpSignatures(program.getContext())), listener(listener) {}

  ~Checker() {
    if (listener)
      listener->end();
  }
  bool start(ProgramOp program, CandidateOp candidate, std::string &why);
  bool apply(ProofStepAttr step, std::string &why);
  bool isDone() const { return current == goal; }
  unsigned getCastsErased() const { return castsErased; }

private:
  const ParsedAxiom *findAxiom(StringRef id);
  void instantiate(const AxiomRecord &record);
  TermId rewrite(const ParsedAxiom &parsed, ProofStepAttr step, TermId term,
                 std::string &why);
  TermId rewriteDefinition(ProofStepAttr step, TermId term, std::string &why);
  bool match(const egraph::Pattern &pattern, uint32_t at, TermId term,
             Binding &binding);
  bool readWith(const egraph::Pattern &pattern, ArrayAttr with,
                Binding &binding);
  bool runCondition(const SideCondition &condition, Binding &binding);
  TermId build(const egraph::Pattern &pattern, uint32_t at,
               const Binding &binding);

  TermLanguage language;
  TermAnalysis analysis; ///< For the encoder; steps are typed by `facts`.
  egraph::TermBank bank;
  TypingRules facts;
  std::vector<OpSignature> ops;
  llvm::StringMap<ParsedAxiom> axioms; ///< Of the records that are asked for.
  llvm::StringSet<> records;
  SmallVector<ReliedOnValue> reliedOn;
  SmallVector<TermId> current, goal;
  ProofListener *listener;
  unsigned castsErased = 0;
};
} // namespace

bool Checker::start(ProgramOp program, CandidateOp candidate,
                    std::string &why) {
  FailureOr<EncodedGraph> expected =
      encodeProgram(program, analysis, bank, why);
  if (failed(expected))
    return false;
  FailureOr<EncodedGraph> actual =
      encodeCandidate(candidate, analysis, bank, why);
  if (failed(actual))
    return false;
  goal = expected->results;
  current = actual->results;
  reliedOn = expected->reliedOn;
  for (const ReliedOnValue &value : reliedOn)
    facts.assume(value);
  facts.define(reliedOn);
  castsErased = actual->castsErased;
  if (listener)
    listener->begin(language, bank, current, goal);
  return true;
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// Binds a variable, or compares with what it is bound to.
template <typename T>
static bool bind(T &known, T value) {
  if (known == None)
    known = value;
  return known == value;
}

bool Checker::match(const egraph::Pattern &pattern, uint32_t at, TermId term,
                    Binding &binding) {
  const egraph::Pattern::Node &want = pattern[at];
  if (want.isVar)
    return bind(binding.classes[want.var], term);
  egraph::NodeView have = bank.node(term);
  if (have.op != want.op || have.payloads.size() != want.payloads.size() ||
      have.children.size() != want.children.size())
    return false;
  for (auto [payload, value] : llvm::zip(want.payloads, have.payloads))
    if (payload.isVar ? !bind(binding.payloads[payload.value], value)
                      : payload.value != value)
      return false;
  for (auto [child, childTerm] : llvm::zip(want.children, have.children))
    if (!match(pattern, child, childTerm, binding))
      return false;
  return true;
}

TermId Checker::build(const egraph::Pattern &pattern, uint32_t at,
                      const Binding &binding) {
  const egraph::Pattern::Node &node = pattern[at];
  if (node.isVar)
    return binding.classes[node.var];
  SmallVector<egraph::Payload> payloads;
  SmallVector<TermId> children;
  for (const egraph::PayloadPattern &payload : node.payloads)
    payloads.push_back(payload.isVar ? binding.payloads[payload.value]
                                     : payload.value);
  for (uint32_t child : node.children)
    children.push_back(build(pattern, child, binding));
  if (llvm::is_contained(payloads, None) || llvm::is_contained(children, None))
    return None;
  return bank.add(node.op, children, payloads);
}

/// Binds what is unbound yet in `pattern` to the values in `with`, in order of
/// appearance: class variables, then payload variables.
bool Checker::readWith(const egraph::Pattern &pattern, ArrayAttr with,
                       Binding &binding) {
  ArrayRef<Attribute> values = with ? with.getValue() : ArrayRef<Attribute>();
  auto next = [&]() {
    Attribute value = values.empty() ? Attribute() : values.front();
    values = values.drop_front(!values.empty());
    return value;
  };
  for (const egraph::Pattern::Node &node : pattern.all())
    if (node.isVar && binding.classes[node.var] == None) {
      Attribute value = next();
      if (!value)
        return false;
      binding.classes[node.var] = language.termFromAttribute(value, bank);
      if (binding.classes[node.var] == None)
        return false;
    }
  for (const egraph::Pattern::Node &node : pattern.all())
    for (auto [index, payload] : llvm::enumerate(node.payloads)) {
      if (!payload.isVar || binding.payloads[payload.value] != None)
        continue;
      Attribute value = next();
      if (!value)
        return false;
      binding.payloads[payload.value] =
          language.payloadFromAttribute(node.op, index, value);
      if (binding.payloads[payload.value] == None)
        return false;
    }
  return values.empty();
}

bool Checker::runCondition(const SideCondition &condition, Binding &binding) {
  if (!condition)
    return true;
  SmallVector<const TermFact *> classFacts;
  for (TermId term : binding.classes)
    classFacts.push_back(term == None ? nullptr : &facts.of(term));
  AxiomMatch instance{language, classFacts, binding.payloads};
  return condition(instance);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// Payloads that `pattern` has.
static void markPayloads(const egraph::Pattern &pattern,
                         MutableArrayRef<egraph::Payload> payloads,
                         ArrayRef<egraph::Payload> values) {
  for (const egraph::Pattern::Node &node : pattern.all())
    for (const egraph::PayloadPattern &payload : node.payloads)
      if (payload.isVar)
        payloads[payload.value] = values[payload.value];
}

void Checker::instantiate(const AxiomRecord &record) {
  std::vector<Axiom> made;
  if (!record.isSchema)
    record.instantiate(record, OpSignature(), language, made);
  else
    for (const OpSignature &op : ops)
      record.instantiate(record, op, language, made);
  for (Axiom &axiom : made) {
    // The records' own patterns: they parse, or no rule could be made of them.
    auto parse = [&](StringRef text, egraph::VarTable &vars) {
      return llvm::cantFail(
          egraph::Pattern::parse(text, language.operators(), vars));
    };
    ParsedAxiom parsed;
    parsed.left = parse(axiom.left, parsed.vars);
    parsed.right = parse(axiom.right, parsed.vars);
    parsed.axiom = std::move(axiom);
    std::string id = parsed.axiom.id;
    axioms.insert_or_assign(id, std::move(parsed));
  }
}

/// Null if there is none. An axiom's id begins with its record's.
const ParsedAxiom *Checker::findAxiom(StringRef id) {
  StringRef name = id.split('.').first;
  if (records.insert(name).second)
    for (const AxiomRecord *record : getAxiomRecords())
      if (record->id == name)
        instantiate(*record);
  auto it = axioms.find(id);
  return it == axioms.end() ? nullptr : &it->second;
}

TermId Checker::rewrite(const ParsedAxiom &parsed, ProofStepAttr step,
                        TermId term, std::string &why) {
  const auto &[axiom, vars, left, right] = parsed;
  bool forward = step.getDirection() == RewriteDirection::Forward;
  const egraph::Pattern &from = forward ? left : right;
  const egraph::Pattern &to = forward ? right : left;
  Binding binding;
  binding.classes.assign(vars.classes.size(), None);
  binding.payloads.assign(vars.payloads.size(), None);
  if (!match(from, from.rootIndex(), term, binding)) {
    why = "the term there is not the axiom's " +
          std::string(forward ? "left" : "right") +
          " side: " + language.print(bank, term);
    return None;
  }
  if (forward || axiom.backward) {
    if (!runCondition(forward ? axiom.forward : *axiom.backward, binding)) {
      why = "the side condition does not hold";
      return None;
    }
  } else {
    // Read against its direction: the certificate gives what is unbound, and
    // the condition must lead back to the term.
    if (!readWith(to, step.getWith(), binding)) {
      why = "'with' does not give the variables of the axiom's left side";
      return None;
    }
    Binding again = binding;
    again.payloads.assign(vars.payloads.size(), None);
    markPayloads(left, again.payloads, binding.payloads);
    if (!runCondition(axiom.forward, again) ||
        build(right, right.rootIndex(), again) != term) {
      why = "the side condition does not hold";
      return None;
    }
  }
  TermId result = build(to, to.rootIndex(), binding);
  if (result == None)
    why = "the axiom's other side has unbound variables";
  return result;
}

/// D1: `defined[k]` is the k-th value that the program relies on.
TermId Checker::rewriteDefinition(ProofStepAttr step, TermId term,
                                  std::string &why) {
  bool forward = step.getDirection() == RewriteDirection::Forward;
  for (auto [k, value] : llvm::enumerate(reliedOn)) {
    TermId name = bank.add(language.ops.defined, {}, {egraph::Payload(k)});
    if (term == (forward ? value.term : name))
      return forward ? name : value.term;
  }
  why = "the program does not rely on this value";
  return None;
}

bool Checker::apply(ProofStepAttr step, std::string &why) {
  ArrayRef<int64_t> place = step.getPlace();
  if (place.empty() || place.front() < 0 ||
      size_t(place.front()) >= current.size()) {
    why = "there is no such result";
    return false;
  }
  TermId &whole = current[place.front()];
  SmallVector<uint32_t> path(place.drop_front().begin(), place.end());
  TermId term = bank.subterm(whole, path);
  if (term == None) {
    why = "there is no such place in " + language.print(bank, whole);
    return false;
  }
  TermId result;
  if (step.getAxiom() == definitionId) {
    result = rewriteDefinition(step, term, why);
  } else {
    const ParsedAxiom *axiom = findAxiom(step.getAxiom());
    if (!axiom) {
      why = "there is no such axiom";
      return false;
    }
    result = rewrite(*axiom, step, term, why);
  }
  if (result == None)
    return false;
  // Equal terms have equal types: an axiom or side condition that breaks this
  // is wrong.
  const TermFact &before = facts.of(term), &after = facts.of(result);
  if (after.isIllTyped || before.extents != after.extents ||
      before.free != after.free) {
    why = "the step changes the type of the term: " +
          language.print(bank, result);
    return false;
  }
  TermId wholeBefore = whole;
  whole = bank.replaceAt(whole, path, result);
  if (listener)
    listener->step({step, term, result, wholeBefore, whole});
  if (facts.of(whole).isIllTyped) {
    why = "the term is ill-typed after the step";
    return false;
  }
  return true;
}

ProofListener::~ProofListener() = default;

CheckResult prism::checkCertificate(ProgramOp program, CandidateOp candidate,
                                    CertificateAttr certificate,
                                    ProofListener *listener) {
  CheckResult result;
  if (certificate.getVersion() != certificateVersion) {
    result.why = "certificate version " +
                 std::to_string(certificate.getVersion()) + ", expected " +
                 std::to_string(certificateVersion) + ": prove it anew";
    return result;
  }
  if (std::optional<std::string> violation = findPrecisionViolation(
          program, candidate, *certificate.getPrecision())) {
    result.why = "it breaks the precision rule: " + *violation;
    return result;
  }
  Checker checker(program, *certificate.getPrecision(), listener);
  if (!checker.start(program, candidate, result.why))
    return result;
  result.castsErased = checker.getCastsErased();
  if (certificate.getCastsErased() != result.castsErased) {
    result.why = "the proof is said to erase " +
                 std::to_string(certificate.getCastsErased()) +
                 " casts, but erases " + std::to_string(result.castsErased);
    return result;
  }
  for (ProofStepAttr step : certificate.getSteps()) {
    std::string why;
    if (!checker.apply(step, why)) {
      llvm::raw_string_ostream(result.why)
          << "step " << result.steps << " (" << step.getAxiom() << ' '
          << stringifyRewriteDirection(step.getDirection()) << "): " << why;
      return result;
    }
    ++result.steps;
  }
  result.holds = checker.isDone();
  if (!result.holds)
    result.why = "the proof ends before the program's term";
  return result;
}
