//===- MovementAxioms.cpp - Data movement that meets computation ----------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Transposes and tensors side by side, among themselves and under compute ops.
//
//===----------------------------------------------------------------------===//

#include "AxiomUtils.h"

using namespace mlir;
using namespace prism;

/// Whether f maps each element of its operand to one of its result.
static bool isElementwiseUnary(const IterationStructure &f) {
  return f.operandMaps[0] == f.resultMap &&
         llvm::all_of(f.dims, [](IterationKind kind) {
           return kind == IterationKind::Parallel;
         });
}

/// `op` of two operands, the other one than `j` a variable.
static std::string writeSides(const OpSignature &op, unsigned j, StringRef f,
                              StringRef operand) {
  std::string text = "(" + op.name + "[" + f.str() + "] ";
  return text + (j == 0 ? operand.str() + " ?x)" : "?x " + operand.str() + ")");
}

/// The contraction of tensors that are put side by side. Payload variables:
/// f, c, e, m, g, h; class variables: a, b, u, v.
static void instantiateM19(const AxiomRecord &record, const OpSignature &,
                           const TermLanguage &, std::vector<Axiom> &axioms) {
  Axiom axiom = makeAxiom(record);
  axiom.left = "(prism.matmul[?f] (prism.concat[?c] ?a ?b) "
               "(prism.concat[?e] ?u ?v))";
  axiom.right = "(prism.add[?m] (prism.matmul[?f] ?a ?u) "
                "(prism.matmul[?f] ?b ?v))";
  axiom.forward = [](AxiomMatch &match) {
    const Prototype &f = match.prototype(0);
    unsigned c = cast<ConcatOp>(match.prototype(1).op).getDim();
    unsigned e = cast<ConcatOp>(match.prototype(2).op).getDim();
    unsigned first = operandDims(f, 0)[c], second = operandDims(f, 1)[e];
    unsigned rank = resultRank(f);
    if (!match.require("both are concatenated along one dim",
                       first == second) ||
        !match.require("that dim is summed", first >= rank) ||
        !match.require("the parts have one length",
                       match.fact(0).extents[c] == match.fact(2).extents[e]))
      return false;
    match.payloads[3] =
        elementwise(match, "prism.add", firstDims(rank), firstDims(rank), rank);
    return true;
  };
  axioms.push_back(std::move(axiom));
}

/// f(concat(a, b)) <-> concat(f(a), f(b)), for elementwise f of one operand.
/// Payload variables: f, c.
static void instantiateC1(const AxiomRecord &record, const OpSignature &op,
                          const TermLanguage &, std::vector<Axiom> &axioms) {
  if (op.numOperands != 1)
    return;
  Axiom axiom = makeAxiom(record, "." + op.shortName());
  axiom.left = "(" + op.name + "[?f] (prism.concat[?c] ?a ?b))";
  axiom.right =
      "(prism.concat[?c] (" + op.name + "[?f] ?a) (" + op.name + "[?f] ?b))";
  axiom.forward = [](AxiomMatch &match) {
    const IterationStructure &f = match.prototype(0).structure;
    return match.require("f is elementwise", isElementwiseUnary(f));
  };
  axiom.backward = axiom.forward;
  axioms.push_back(std::move(axiom));
}

/// transpose(transpose(a)) -> one transpose. Payload variables: s, t, u.
static void instantiateT1(const AxiomRecord &record, const OpSignature &,
                          const TermLanguage &, std::vector<Axiom> &axioms) {
  Axiom axiom = makeAxiom(record);
  axiom.left = "(prism.transpose[?s] (prism.transpose[?t] ?a))";
  axiom.right = "(prism.transpose[?u] ?a)";
  axiom.forward = [](AxiomMatch &match) {
    auto outer = cast<TransposeOp>(match.prototype(0).op).getPermutation();
    auto inner = cast<TransposeOp>(match.prototype(1).op).getPermutation();
    SmallVector<int64_t> both = llvm::map_to_vector(
        outer, [&](int64_t dim) -> int64_t { return inner[dim]; });
    MLIRContext *context = match.language.getContext();
    NamedAttribute attribute(StringAttr::get(context, "permutation"),
                             DenseI64ArrayAttr::get(context, both));
    unsigned rank = both.size();
    match.payloads[2] = match.language.internPlain("prism.transpose", {rank},
                                                   rank, {attribute});
    return true;
  };
  axioms.push_back(std::move(axiom));
}

/// f(transpose(a), b) -> f'(a, b): mapped ops read through a transpose.
/// Payload variables: f, t, g.
static void instantiateT2(const AxiomRecord &record, const OpSignature &op,
                          const TermLanguage &language,
                          std::vector<Axiom> &axioms) {
  OperationName name(op.name, language.getContext());
  if (!name.hasInterface<IndexingMapsOpInterface>() || op.numOperands != 2)
    return;
  for (unsigned j : {0u, 1u}) {
    Axiom axiom = makeAxiom(record, "." + op.shortName() + "." + Twine(j));
    axiom.left = writeSides(op, j, "?f", "(prism.transpose[?t] ?a)");
    axiom.right = writeSides(op, j, "?g", "?a");
    // ?f is the first payload variable, ?t the second.
    axiom.forward = [j](AxiomMatch &match) {
      const Prototype &f = match.prototype(0), &t = match.prototype(1);
      SmallVector<IndexMap> maps(f.structure.operandMaps);
      auto permutation = cast<TransposeOp>(t.op).getPermutation();
      IndexMap through(maps[j].size());
      for (auto [at, from] : llvm::enumerate(permutation))
        through[from] = maps[j][at];
      maps[j] = through;
      match.payloads[2] =
          match.language.internMapped(f.op->getName().getStringRef(), maps,
                                      f.structure.resultMap, match.payloads[0]);
      return true;
    };
    axioms.push_back(std::move(axiom));
  }
}

/// transpose(f(a)) <-> f(transpose(a)), for elementwise f of one operand.
/// Payload variables: t, f.
static void instantiateT3(const AxiomRecord &record, const OpSignature &op,
                          const TermLanguage &, std::vector<Axiom> &axioms) {
  if (op.numOperands != 1)
    return;
  Axiom axiom = makeAxiom(record, "." + op.shortName());
  axiom.left = "(prism.transpose[?t] (" + op.name + "[?f] ?a))";
  axiom.right = "(" + op.name + "[?f] (prism.transpose[?t] ?a))";
  axiom.forward = [](AxiomMatch &match) {
    const IterationStructure &f = match.prototype(1).structure;
    return match.require("f is elementwise", isElementwiseUnary(f));
  };
  axiom.backward = axiom.forward;
  axioms.push_back(std::move(axiom));
}

static const AxiomRecord records[] = {
    {"M19", AxiomKind::Algebraic,
     "A contraction over tensors side by side is a sum of contractions.",
     "concat(A, B) concat(C, D)", "A C + B D",
     "both are concatenated along the summed dim, and A is as long there as C",
     false, instantiateM19, false, ProofOnly::Both},
    {"C1", AxiomKind::Algebraic, "Elementwise ops on tensors side by side.",
     "f(concat(a, b))", "concat(f(a), f(b))", "f is elementwise", true,
     instantiateC1, true, ProofOnly::Both},
    {"T1", AxiomKind::Algebraic, "A transpose of a transpose.",
     "transpose(transpose(a))", "transpose(a)", "", false, instantiateT1, false,
     ProofOnly::Both},
    {"T2", AxiomKind::Algebraic, "Reading through a transpose.",
     "f(transpose(a), b)", "f'(a, b)", "f has indexing maps", false,
     instantiateT2, true, ProofOnly::Both},
    {"T3", AxiomKind::Algebraic, "Elementwise ops and transposes commute.",
     "transpose(f(a))", "f(transpose(a))", "f is elementwise", true,
     instantiateT3, true, ProofOnly::Both},
};

ArrayRef<AxiomRecord> prism::getMovementAxiomRecords() { return records; }
