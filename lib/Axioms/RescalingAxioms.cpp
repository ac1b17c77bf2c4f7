//===- RescalingAxioms.cpp - Softmax over chunks, kernels that combine ----===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// S6 and S7 of DESIGN section 3. rescale moves inwards, through ops that are
// linear, until it meets the exponential that was shifted by its own chunk's
// maximum: there it changes the shift, and S1 and S2 see a chunk of the whole
// softmax. stack moves outwards, until a reduction of its rows meets it. The
// graph of a program has neither: these axioms cost it nothing.
//
//===----------------------------------------------------------------------===//

#include "AxiomUtils.h"

using namespace mlir;
using namespace prism;

/// Payload variables: g, f, then the product for each operand in the group.
/// Class variables: the operands, m, M.
static void instantiateS6(const AxiomRecord &record, const OpSignature &op,
                          const TermLanguage &, std::vector<Axiom> &axioms) {
  for (OperandMask mask = 1; mask < (1u << op.numOperands); ++mask) {
    if (mask & ~op.mayBeLinear)
      continue;
    Axiom axiom =
        makeAxiom(record, "." + op.shortName() + "." + writeMask(op, mask));
    axiom.left = "(rescale[?g] (" + op.name + "[?f]";
    axiom.right = "(" + op.name + "[?f]";
    for (unsigned i = 0; i < op.numOperands; ++i) {
      std::string n = std::to_string(i);
      axiom.left += " ?a" + n;
      axiom.right += isSplit(mask, i)
                         ? " (rescale[?g" + n + "] ?a" + n + " ?m ?n)"
                         : " ?a" + n;
    }
    axiom.left += ") ?m ?n)";
    axiom.right += ")";
    axiom.forward = [mask, count = op.numOperands](AxiomMatch &match) {
      const Prototype &g = match.prototype(0), &f = match.prototype(1);
      if (!requireLinear(match, f, mask) ||
          !match.require("no value is repeated to be rescaled",
                         hasAllDims(g, 0)))
        return false;
      unsigned next = 2;
      for (unsigned j = 0; j < count; ++j) {
        if (!isSplit(mask, j))
          continue;
        // Only parallel dims lead from the result to an operand.
        std::optional<Dims> moved = requireMoved(
            match, "f carries every dim of m", f.structure.resultMap,
            f.structure.operandMaps[j], operandDims(g, 1));
        if (!moved)
          return false;
        IndexMap all = identityMap(f.structure.operandMaps[j].size());
        match.payloads[next++] = match.language.internMapped(
            MulOp::getOperationName(), {all, toMap(*moved)}, all);
      }
      return true;
    };
    axioms.push_back(std::move(axiom));
  }
}

/// Payload variables: g, e, m, r; class variables: x, M.
static void instantiateS6Exp(const AxiomRecord &record, const OpSignature &,
                             const TermLanguage &, std::vector<Axiom> &axioms) {
  Axiom axiom = makeAxiom(record);
  axiom.left = "(rescale[?g] (prism.exp[?e] (prism.sub[?m] ?x "
               "(prism.reduce_max[?r] ?x))) (prism.reduce_max[?r] ?x) ?n)";
  axiom.right = "(prism.exp[?e] (prism.sub[?m] ?x ?n))";
  axiom.forward = [](AxiomMatch &match) {
    const Prototype &g = match.prototype(0), &m = match.prototype(2),
                    &r = match.prototype(3);
    std::optional<Dims> kept = getDims(r.structure.resultMap);
    return match.require("no value is repeated to be rescaled",
                         hasAllDims(g, 0)) &&
           match.require("both shifts are read alike",
                         operandDims(m, 1) == operandDims(g, 1)) &&
           match.require("rows are shifted by their own maximum",
                         hasAllDims(m, 0) && kept == operandDims(m, 1));
  };
  axioms.push_back(std::move(axiom));
}

/// Payload variables: p, k, e, m, g.
static void instantiateX6(const AxiomRecord &record, const OpSignature &,
                          const TermLanguage &, std::vector<Axiom> &axioms) {
  for (unsigned weights : {1u, 0u}) {
    Axiom axiom = makeAxiom(record, "." + Twine(weights));
    std::string exp = "(prism.exp[?e] (prism.sub[?m] ?a (repl[?p] ?n)))";
    axiom.left = "(red[?p] (prism.mul[?k] " +
                 (weights == 1 ? "?t " + exp : exp + " ?t") + "))";
    axiom.right = "(red[?p] (rescale[?g] ?t ?a (repl[?p] ?n)))";
    axiom.forward = [weights](AxiomMatch &match) {
      const Prototype &k = match.prototype(1), &m = match.prototype(3);
      if (!match.require("m and M have the same shape",
                         hasAllDims(m, 0) && hasAllDims(m, 1)))
        return false;
      match.payloads[4] =
          match.language.internMapped(MulOp::getOperationName(),
                                      {k.structure.operandMaps[1 - weights],
                                       k.structure.operandMaps[weights]},
                                      k.structure.resultMap);
      return true;
    };
    axioms.push_back(std::move(axiom));
  }
}

/// The iteration dim that is the leading data dim of the result and of every
/// operand in `mask`, and that no other operand carries.
static std::optional<unsigned>
findStackedDim(const AxiomMatch &match, const IterationStructure &structure,
               OperandMask mask) {
  if (structure.resultMap.empty() || structure.resultMap.front().size() != 1)
    return std::nullopt;
  unsigned dim = structure.resultMap.front().front();
  for (auto [i, map] : llvm::enumerate(structure.operandMaps)) {
    bool leads =
        !map.empty() && map.front().size() == 1 && map.front().front() == dim;
    if (isSplit(mask, i)
            ? !match.require("the stacked dim leads to the result's first",
                             leads)
            : !match.require("the others do not carry the stacked dim",
                             !IterationStructure::carries(map, dim)))
      return std::nullopt;
  }
  return dim;
}

/// Payload variables: f, p, g.
static void instantiateS7(const AxiomRecord &record, const OpSignature &op,
                          const TermLanguage &, std::vector<Axiom> &axioms) {
  for (OperandMask mask = 1; mask < (1u << op.numOperands); ++mask) {
    Axiom axiom =
        makeAxiom(record, "." + op.shortName() + "." + writeMask(op, mask));
    axiom.left = "(" + op.name + "[?f]";
    axiom.right = "(stack[?p] (" + op.name + "[?g]";
    for (unsigned i = 0; i < op.numOperands; ++i) {
      std::string a = "?a" + std::to_string(i);
      axiom.left += isSplit(mask, i) ? " (stack[?p] " + a + ")" : " " + a;
      axiom.right += isSplit(mask, i) ? " " + a : " (repl[?p] " + a + ")";
    }
    axiom.left += ")";
    axiom.right += "))";
    axiom.forward = [mask](AxiomMatch &match) {
      std::optional<unsigned> dim =
          findStackedDim(match, match.prototype(0).structure, mask);
      if (!dim)
        return false;
      match.payloads[2] =
          match.language.internWithoutDim(match.payloads[0], *dim);
      return match.payloads[2] != egraph::None;
    };
    axioms.push_back(std::move(axiom));
  }
}

static const AxiomRecord rescalingRecords[] = {
    {"S6", AxiomKind::Parallel,
     "Another shift moves into a group of jointly linear operands.",
     "rescale(f(.., a_J, ..), m, M)", "f(.., rescale(a_J, m, M), ..)",
     "f is linear in the operand group J, and does not round; it carries every "
     "dim of m, as a parallel one, from each operand in J to its result",
     false, instantiateS6, true},
    {"S6exp", AxiomKind::Parallel,
     "Another shift of an exponential that was shifted by its row's maximum.",
     "rescale(exp(x - m), m, M)", "exp(x - M)",
     "m is the maximum of x itself, so m = -inf only where x is; rows of x - m "
     "see m as rows of the rescaled term do",
     false, instantiateS6Exp, false},
    {"X6", AxiomKind::Parallel, "Partial results are weighted to be added.",
     "red(t * exp(m - repl(M, p)), p)", "red(rescale(t, m, repl(M, p)), p)",
     "m and M have the same shape; a kernel that weighs parts counts those "
     "with m = -inf as 0, whatever t is there",
     false, instantiateX6, false},
    {"S7", AxiomKind::Parallel, "Ops on values side by side.",
     "f(stack(a, p), .., b, ..)", "stack(f'(a, .., repl(b, p), ..), p)",
     "the stacked operands are exactly those that carry one parallel dim of f, "
     "leading there and in the result; f' is f without that dim",
     false, instantiateS7, true},
};

ArrayRef<AxiomRecord> prism::getRescalingAxiomRecords() {
  return rescalingRecords;
}
