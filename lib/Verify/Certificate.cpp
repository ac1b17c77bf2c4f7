//===- Certificate.cpp - Explanations as certificates ---------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Certificate.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace prism;

/// The variables of the left side that the right side does not bind, in the
/// order in which the checker reads them: needed where a one-way axiom is read
/// from right to left.
static ArrayAttr makeWith(const Axiom &axiom, const egraph::ProofStep &step,
                          const egraph::TermBank &terms,
                          TermLanguage &language) {
  egraph::VarTable vars;
  egraph::Pattern left = llvm::cantFail(
      egraph::Pattern::parse(axiom.left, language.operators(), vars));
  egraph::Pattern right = llvm::cantFail(
      egraph::Pattern::parse(axiom.right, language.operators(), vars));
  llvm::SmallSet<egraph::VarId, 4> classes, payloads;
  for (const egraph::Pattern::Node &node : right.all()) {
    if (node.isVar)
      classes.insert(node.var);
    for (const egraph::PayloadPattern &payload : node.payloads)
      if (payload.isVar)
        payloads.insert(payload.value);
  }
  SmallVector<Attribute> values;
  for (const egraph::Pattern::Node &node : left.all())
    if (node.isVar && classes.insert(node.var).second)
      values.push_back(language.termToAttribute(terms, step.classes[node.var]));
  for (const egraph::Pattern::Node &node : left.all())
    for (auto [index, payload] : llvm::enumerate(node.payloads))
      if (payload.isVar && payloads.insert(payload.value).second)
        values.push_back(language.payloadToAttribute(
            node.op, index, step.payloads[payload.value]));
  if (values.empty())
    return {};
  return ArrayAttr::get(language.getContext(), values);
}

void prism::appendSteps(const egraph::Explanation &explanation, unsigned result,
                        const AxiomRules &rules, TermLanguage &language,
                        SmallVectorImpl<ProofStepAttr> &steps) {
  for (const egraph::ProofStep &step : explanation.steps) {
    SmallVector<int64_t> place = {result};
    place.append(step.position.begin(), step.position.end());
    ArrayAttr with;
    if (!step.forward && step.rule != rules.definitionRule() &&
        !rules.axioms()[step.rule].backward)
      with = makeWith(rules.axioms()[step.rule], step, explanation.terms,
                      language);
    steps.push_back(ProofStepAttr::get(
        language.getContext(), rules.idOf(step.rule),
        step.forward ? RewriteDirection::Forward : RewriteDirection::Backward,
        place, with));
  }
}
