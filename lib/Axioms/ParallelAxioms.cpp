//===- ParallelAxioms.cpp - Schemas about part, comb, red and repl --------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// S1 to S5 of DESIGN section 3. What an instance says of an op comes from the
// iteration structure of the prototype that it meets. part and repl move
// outwards, to where comb and red meet them; red moves inwards.
//
//===----------------------------------------------------------------------===//

#include "AxiomUtils.h"

using namespace mlir;
using namespace prism;

//===----------------------------------------------------------------------===//
// Splitting an iteration dim (S1, S2)
//===----------------------------------------------------------------------===//

/// The operands of a pattern of `op`: part[?d<i> ?p] for the operands in
/// `mask`, repl[?p] for the others.
static std::string writeSplitOp(const OpSignature &op, OperandMask mask) {
  std::string text = "(" + op.name + "[?f]";
  for (unsigned i = 0; i < op.numOperands; ++i) {
    std::string n = std::to_string(i);
    text += isSplit(mask, i) ? " (part[?d" + n + " ?p] ?a" + n + ")"
                             : " (repl[?p] ?a" + n + ")";
  }
  return text + ")";
}

static std::string writeWholeOp(const OpSignature &op) {
  std::string text = "(" + op.name + "[?f]";
  for (unsigned i = 0; i < op.numOperands; ++i)
    text += " ?a" + std::to_string(i);
  return text + ")";
}

/// The one iteration dim that the operands in `mask` carry, each alone at its
/// split data dim; none if there is no such dim. The typing of chunks sees to
/// it that no other operand carries it. `dataDims` gives the split data dims of
/// the masked operands in order.
static std::optional<unsigned>
findSplitDim(const AxiomMatch &match, const IterationStructure &structure,
             OperandMask mask, ArrayRef<egraph::Payload> dataDims) {
  std::optional<unsigned> common;
  unsigned next = 0;
  for (auto [i, map] : llvm::enumerate(structure.operandMaps)) {
    if (!isSplit(mask, i))
      continue;
    unsigned at = dataDims[next++];
    if (at >= map.size() || map[at].size() != 1)
      return std::nullopt;
    unsigned dim = map[at].front();
    if (common &&
        !match.require("the split operands carry one dim", *common == dim))
      return std::nullopt;
    common = dim;
  }
  return common;
}

static std::optional<unsigned> findDataDim(const IndexMap &map, unsigned dim) {
  for (auto [at, factors] : llvm::enumerate(map))
    if (factors.size() == 1 && factors.front() == dim)
      return at;
  return std::nullopt;
}

/// Payload variables of the patterns above, in order of appearance: S1 is
/// f, then for each masked operand d (and p with the first), then r;
/// S2 starts with p.
namespace {
struct SplitVariables {
  unsigned f;
  SmallVector<unsigned> dataDims;
  unsigned result;
};
} // namespace

static SplitVariables numberVariables(const OpSignature &op, OperandMask mask,
                                      bool startsWithP) {
  SplitVariables vars;
  unsigned next = startsWithP ? 1 : 0;
  bool sawP = startsWithP;
  vars.f = next++;
  for (unsigned i = 0; i < op.numOperands; ++i) {
    if (isSplit(mask, i))
      vars.dataDims.push_back(next++);
    if (!sawP)
      ++next;
    sawP = true;
  }
  vars.result = next;
  return vars;
}

static SmallVector<egraph::Payload> getDataDims(const AxiomMatch &match,
                                                const SplitVariables &vars) {
  return llvm::map_to_vector(vars.dataDims,
                             [&](unsigned v) { return match.payloads[v]; });
}

static void instantiateS1(const AxiomRecord &record, const OpSignature &op,
                          const TermLanguage &, std::vector<Axiom> &axioms) {
  for (OperandMask mask = 1; mask < (1u << op.numOperands); ++mask) {
    Axiom axiom =
        makeAxiom(record, "." + op.shortName() + "." + writeMask(op, mask));
    axiom.left = writeSplitOp(op, mask);
    axiom.right = "(part[?r ?p] " + writeWholeOp(op) + ")";
    SplitVariables vars = numberVariables(op, mask, /*startsWithP=*/false);
    axiom.forward = [=](AxiomMatch &match) {
      const IterationStructure &structure = match.prototype(vars.f).structure;
      std::optional<unsigned> dim =
          findSplitDim(match, structure, mask, getDataDims(match, vars));
      if (!dim ||
          !match.require("the dim is parallel",
                         structure.dims[*dim] == IterationKind::Parallel))
        return false;
      std::optional<unsigned> at = findDataDim(structure.resultMap, *dim);
      if (at)
        match.payloads[vars.result] = *at;
      return at.has_value();
    };
    axioms.push_back(std::move(axiom));
  }
}

static void instantiateReduced(const AxiomRecord &record, const OpSignature &op,
                               StringRef combine, IterationKind kind,
                               std::vector<Axiom> &axioms) {
  if (kind == IterationKind::Sum ? !op.maySum : !op.mayTakeMax)
    return;
  for (OperandMask mask = 1; mask < (1u << op.numOperands); ++mask) {
    Axiom axiom =
        makeAxiom(record, "." + op.shortName() + "." + writeMask(op, mask));
    axiom.left = ("(" + combine + "[?p] " + writeSplitOp(op, mask) + ")").str();
    axiom.right = writeWholeOp(op);
    SplitVariables vars = numberVariables(op, mask, /*startsWithP=*/true);
    axiom.forward = [=](AxiomMatch &match) {
      const IterationStructure &structure = match.prototype(vars.f).structure;
      std::optional<unsigned> dim =
          findSplitDim(match, structure, mask, getDataDims(match, vars));
      return dim && match.require("the dim is of the kind that is combined",
                                  structure.dims[*dim] == kind);
    };
    axioms.push_back(std::move(axiom));
  }
}

static void instantiateS2(const AxiomRecord &record, const OpSignature &op,
                          const TermLanguage &, std::vector<Axiom> &axioms) {
  instantiateReduced(record, op, "red", IterationKind::Sum, axioms);
}

static void instantiateS2Max(const AxiomRecord &record, const OpSignature &op,
                             const TermLanguage &, std::vector<Axiom> &axioms) {
  instantiateReduced(record, op, "redmax", IterationKind::Max, axioms);
}

//===----------------------------------------------------------------------===//
// Replication and linearity (S3, S4)
//===----------------------------------------------------------------------===//

static void instantiateS3(const AxiomRecord &record, const OpSignature &op,
                          const TermLanguage &, std::vector<Axiom> &axioms) {
  if (op.numOperands == 0)
    return;
  Axiom axiom = makeAxiom(record, "." + op.shortName());
  axiom.left = writeSplitOp(op, 0);
  axiom.right = "(repl[?p] " + writeWholeOp(op) + ")";
  axioms.push_back(std::move(axiom));
}

/// Whether the tensors that a variable stands for are chunks along `parallel`:
/// those cannot be added up.
static bool isChunkOf(const AxiomMatch &match, unsigned variable,
                      ParallelId parallel) {
  bool found = false;
  for (const DimExpr &extent : match.fact(variable).extents)
    extent.walkSplits([&](const Split &split) {
      found |= split.dim == match.language.parallel(parallel).name;
    });
  return found;
}

static void instantiateS4(const AxiomRecord &record, const OpSignature &op,
                          const TermLanguage &, std::vector<Axiom> &axioms) {
  for (OperandMask mask = 1; mask < (1u << op.numOperands); ++mask) {
    if (mask & ~op.mayBeLinear)
      continue;
    Axiom axiom =
        makeAxiom(record, "." + op.shortName() + "." + writeMask(op, mask));
    axiom.left = "(red[?p] (" + op.name + "[?f]";
    axiom.right = "(" + op.name + "[?f]";
    for (unsigned i = 0; i < op.numOperands; ++i) {
      std::string a = "?a" + std::to_string(i);
      axiom.left += isSplit(mask, i) ? " " + a : " (repl[?p] " + a + ")";
      axiom.right += isSplit(mask, i) ? " (red[?p] " + a + ")" : " " + a;
    }
    axiom.left += "))";
    axiom.right += ")";
    axiom.forward = [=](AxiomMatch &match) {
      // Class variables are the operands in order.
      for (unsigned i = 0; i < match.facts.size(); ++i)
        if (isSplit(mask, i) &&
            !match.require("no chunks are added",
                           !isChunkOf(match, i, match.payloads[0])))
          return false;
      return requireLinear(match, match.prototype(1), mask);
    };
    axioms.push_back(std::move(axiom));
  }
}

//===----------------------------------------------------------------------===//
// The parallel operators among themselves (S5)
//===----------------------------------------------------------------------===//

/// Payload variables a and b stand for different data dims.
template <unsigned a, unsigned b>
static bool dimsDiffer(AxiomMatch &match) {
  return match.require("d != e", match.payloads[a] != match.payloads[b]);
}

/// Payload variables a and b stand for different parallel dims.
template <unsigned a, unsigned b>
static bool differ(AxiomMatch &match) {
  return match.require("p != q", match.payloads[a] != match.payloads[b]);
}

/// d != e and p != q in `op[?d ?p] (op[?e ?q] ...)`.
static bool bothDiffer(AxiomMatch &match) {
  return dimsDiffer<0, 2>(match) && differ<1, 3>(match);
}

/// An axiom whose sides stand in its record.
static bool always(AxiomMatch &) { return true; }
template <bool (*condition)(AxiomMatch &) = always>
static void instantiateLaw(const AxiomRecord &record, const OpSignature &,
                           const TermLanguage &, std::vector<Axiom> &axioms) {
  Axiom axiom = makeAxiom(record, "");
  axiom.left = record.left.str();
  axiom.right = record.right.str();
  axiom.forward = condition;
  if (record.isReversible)
    axiom.backward = axiom.forward;
  axioms.push_back(std::move(axiom));
}

/// red over the rows of a stack is the sum along its leading dim.
static void instantiateStack(const AxiomRecord &record, const OpSignature &,
                             const TermLanguage &, std::vector<Axiom> &axioms) {
  for (auto [combine, reduce] :
       {std::pair("red", "reduce_sum"), std::pair("redmax", "reduce_max")}) {
    Axiom axiom = makeAxiom(record, Twine(".") + reduce);
    axiom.left = ("(prism." + Twine(reduce) + "[?f] (stack[?p] ?t))").str();
    axiom.right = ("(" + Twine(combine) + "[?p] ?t)").str();
    axiom.forward = [](AxiomMatch &match) {
      const IterationStructure &structure = match.prototype(0).structure;
      return match.require("the leading dim is reduced",
                           structure.dims.front() != IterationKind::Parallel) &&
             match.require("no other dim is reduced",
                           structure.resultMap.size() + 1 ==
                               structure.dims.size());
    };
    axioms.push_back(std::move(axiom));
  }
}

static const AxiomRecord parallelRecords[] = {
    {"S1", AxiomKind::Parallel,
     "A parallel dim may be split: chunks of the operands give the chunk of "
     "the result.",
     "f(part(a, d, p), .., repl(b, p), ..)", "part(f(a, .., b, ..), r, p)",
     "the split operands are exactly those that carry one parallel dim k of f, "
     "at d; k is at r in the result",
     false, instantiateS1, true},
    {"S2", AxiomKind::Parallel,
     "A sum dim may be split: the sums of the chunks add up.",
     "red(f(part(a, d, p), .., repl(b, p), ..), p)", "f(a, .., b, ..)",
     "the split operands are exactly those that carry one sum dim k of f, at d",
     false, instantiateS2, true},
    {"S2max", AxiomKind::Parallel,
     "A max dim may be split: the maximum of the chunks' maxima.",
     "redmax(f(part(a, d, p), .., repl(b, p), ..), p)", "f(a, .., b, ..)",
     "the split operands are exactly those that carry one max dim k of f, at d",
     false, instantiateS2Max, true},
    {"S3", AxiomKind::Parallel, "Replicated operands give a replicated result.",
     "f(repl(a, p), repl(b, p), ..)", "repl(f(a, b, ..), p)", "", false,
     instantiateS3, true},
    {"S4", AxiomKind::Parallel,
     "A sum over p moves into a group of jointly linear operands.",
     "red(f(.., a_J, .., repl(b, p), ..), p)", "f(.., red(a_J, p), .., b, ..)",
     "f is linear in the operand group J, and does not round; a_J are no "
     "chunks "
     "along p",
     false, instantiateS4, true},
    {"P1", AxiomKind::Parallel, "Chunks put side by side again are the whole.",
     "(comb[?d ?p] (part[?d ?p] ?t))", "?t", "", false, instantiateLaw<>,
     false},
    {"P2", AxiomKind::Parallel, "A chunk of chunks put side by side.",
     "(part[?d ?p] (comb[?d ?p] ?t))", "?t", "", false, instantiateLaw<>,
     false},
    {"P4", AxiomKind::Parallel, "Splits of different data dims commute.",
     "(part[?d ?p] (part[?e ?q] ?t))", "(part[?e ?q] (part[?d ?p] ?t))",
     "d != e", true, instantiateLaw<dimsDiffer<0, 2>>, false},
    {"P5", AxiomKind::Parallel, "Joins of different data dims commute.",
     "(comb[?d ?p] (comb[?e ?q] ?t))", "(comb[?e ?q] (comb[?d ?p] ?t))",
     "d != e", true, instantiateLaw<dimsDiffer<0, 2>>, false},
    {"P6", AxiomKind::Parallel,
     "Split and join of different data dims commute.",
     "(part[?d ?p] (comb[?e ?q] ?t))", "(comb[?e ?q] (part[?d ?p] ?t))",
     "d != e, p != q", true, instantiateLaw<bothDiffer>, false},
    {"P7", AxiomKind::Parallel, "Split and replication commute.",
     "(part[?d ?p] (repl[?q] ?t))", "(repl[?q] (part[?d ?p] ?t))", "", true,
     instantiateLaw<>, false},
    {"P8", AxiomKind::Parallel, "Join and replication commute.",
     "(comb[?d ?p] (repl[?q] ?t))", "(repl[?q] (comb[?d ?p] ?t))", "p != q",
     true, instantiateLaw<differ<1, 2>>, false},
    {"P9", AxiomKind::Parallel, "Replications commute.",
     "(repl[?p] (repl[?q] ?t))", "(repl[?q] (repl[?p] ?t))", "", true,
     instantiateLaw<>, false},
    {"P10", AxiomKind::Parallel, "Sum and replication along others commute.",
     "(red[?p] (repl[?q] ?t))", "(repl[?q] (red[?p] ?t))",
     "p != q: the sum of p copies is not the tensor", true,
     instantiateLaw<differ<0, 1>>, false},
    {"P11", AxiomKind::Parallel, "Sums over parallel dims commute.",
     "(red[?p] (red[?q] ?t))", "(red[?q] (red[?p] ?t))", "", true,
     instantiateLaw<>, false},
    {"P12", AxiomKind::Parallel, "Sum and split commute.",
     "(red[?p] (part[?d ?q] ?t))", "(part[?d ?q] (red[?p] ?t))", "p != q", true,
     instantiateLaw<differ<0, 2>>, false},
    {"P13", AxiomKind::Parallel, "Sum and join commute.",
     "(red[?p] (comb[?d ?q] ?t))", "(comb[?d ?q] (red[?p] ?t))", "", true,
     instantiateLaw<>, false},
    {"R19", AxiomKind::Parallel, "The maximum of copies is the tensor.",
     "(redmax[?p] (repl[?p] ?t))", "?t", "", false, instantiateLaw<>, false},
    {"R20", AxiomKind::Parallel, "Maximum and split commute.",
     "(redmax[?p] (part[?d ?q] ?t))", "(part[?d ?q] (redmax[?p] ?t))", "p != q",
     true, instantiateLaw<differ<0, 2>>, false},
    {"R20r", AxiomKind::Parallel,
     "Maximum and replication along others commute.",
     "(redmax[?p] (repl[?q] ?t))", "(repl[?q] (redmax[?p] ?t))", "p != q", true,
     instantiateLaw<differ<0, 1>>, false},
    {"R20c", AxiomKind::Parallel, "Maximum and join commute.",
     "(redmax[?p] (comb[?d ?q] ?t))", "(comb[?d ?q] (redmax[?p] ?t))", "", true,
     instantiateLaw<>, false, ProofOnly::Both},
    {"R20m", AxiomKind::Parallel, "Maxima over parallel dims commute.",
     "(redmax[?p] (redmax[?q] ?t))", "(redmax[?q] (redmax[?p] ?t))", "", true,
     instantiateLaw<>, false, ProofOnly::Both},
    {"P18", AxiomKind::Parallel,
     "The first of equal copies is the tensor (a store by one block).",
     "(sel[?p] (repl[?p] ?t))", "?t", "", false, instantiateLaw<>, false},
    {"P19", AxiomKind::Parallel,
     "Partials side by side, reduced along that dim, are reduced over p.",
     "reduce(stack(t, p), 0)", "red(t, p)",
     "only the leading dim is reduced; reduce_max with redmax", false,
     instantiateStack, false},
};

ArrayRef<AxiomRecord> prism::getParallelAxiomRecords() {
  return parallelRecords;
}
