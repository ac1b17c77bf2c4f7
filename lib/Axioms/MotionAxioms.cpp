//===- MotionAxioms.cpp - Factors and sums through linear ops -------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Motion of factors (DECISIONS 9), sums and maxima through ops, and
// contractions regrouped.
//
//===----------------------------------------------------------------------===//

#include "AxiomUtils.h"

using namespace mlir;
using namespace prism;

//===----------------------------------------------------------------------===//
// Motion of factors through linear ops (L1, L2), sums in linear ops (L3)
//===----------------------------------------------------------------------===//

/// "(f[?f] ?x0 INNER)" with INNER as operand j.
static std::string writeApply(const OpSignature &op, unsigned j,
                              const Twine &inner) {
  std::string text = "(" + op.name + "[?f]";
  for (unsigned i = 0; i < op.numOperands; ++i)
    text += " " + (i == j ? inner.str() : "?x" + std::to_string(i));
  return text + ")";
}

static const char *const scalings[] = {"mul", "div"};

/// f(.., a (x) g, ..) <-> f(.., a, ..) (x) g. Payloads: f, m, n; f stays.
static void instantiateL1(const AxiomRecord &record, const OpSignature &op,
                          const TermLanguage &, std::vector<Axiom> &axioms) {
  for (StringRef scale : scalings) {
    std::string scaleName = ("prism." + scale).str();
    for (unsigned j = 0; j < op.numOperands; ++j) {
      // Products and quotients of products are F2 and F5.
      if (op.name == "prism.mul" || !isSplit(op.mayBeLinear, j))
        continue;
      Axiom axiom = makeAxiom(record, "." + op.shortName() + "." + Twine(j) +
                                          "." + scale);
      axiom.left = writeApply(op, j, "(" + scaleName + "[?m] ?a ?g)");
      axiom.right =
          "(" + scaleName + "[?n] " + writeApply(op, j, "?a") + " ?g)";
      axiom.forward = [=](AxiomMatch &match) {
        const Prototype &f = match.prototype(0), &m = match.prototype(1);
        if (!requireLinear(match, f, 1u << j) ||
            !match.require("a is not repeated", hasAllDims(m, 0)))
          return false;
        std::optional<Dims> moved = requireMoved(
            match, "f carries every dim of g", f.structure.operandMaps[j],
            f.structure.resultMap, operandDims(m, 1));
        if (!moved)
          return false;
        unsigned outer = resultRank(f);
        match.payloads[2] = match.language.internMapped(
            scaleName, {identityMap(outer), toMap(*moved)}, identityMap(outer));
        return true;
      };
      axiom.backward = [=](AxiomMatch &match) {
        const Prototype &f = match.prototype(0), &n = match.prototype(2);
        if (!requireLinear(match, f, 1u << j) ||
            !match.require("a is not repeated", hasAllDims(n, 0)))
          return false;
        std::optional<Dims> moved = requireMoved(
            match, "f carries every dim of g", f.structure.resultMap,
            f.structure.operandMaps[j], operandDims(n, 1));
        if (!moved)
          return false;
        unsigned inner = f.structure.operandMaps[j].size();
        match.payloads[1] = match.language.internMapped(
            scaleName, {identityMap(inner), toMap(*moved)}, identityMap(inner));
        return true;
      };
      axioms.push_back(std::move(axiom));
    }
  }
}

/// f(a (x) g, b) -> f(a, b (x) g) and likewise from b to a, for a factor that
/// both operands carry. Payloads: f, m, n.
static void instantiateL2(const AxiomRecord &record, const OpSignature &op,
                          const TermLanguage &, std::vector<Axiom> &axioms) {
  if (op.numOperands != 2 || op.name == "prism.mul" ||
      (op.mayBeLinear & 3) != 3)
    return;
  for (StringRef scale : scalings) {
    std::string scaleName = ("prism." + scale).str();
    for (unsigned j : {0u, 1u}) {
      Axiom axiom = makeAxiom(record, "." + op.shortName() + "." + Twine(j) +
                                          "." + scale);
      std::string moved = "(" + scaleName + "[?n] ?b ?g)";
      std::string scaled = "(" + scaleName + "[?m] ?a ?g)";
      axiom.left = "(" + op.name + "[?f] " +
                   (j == 0 ? scaled + " ?b" : "?b " + scaled) + ")";
      axiom.right = "(" + op.name + "[?f] " +
                    (j == 0 ? "?a " + moved : moved + " ?a") + ")";
      axiom.forward = [=](AxiomMatch &match) {
        const Prototype &f = match.prototype(0), &m = match.prototype(1);
        if (!match.require("f is linear",
                           isLinearIn(f, j) && isLinearIn(f, 1 - j)) ||
            !match.require("a is not repeated", hasAllDims(m, 0)))
          return false;
        const IndexMap &to = f.structure.operandMaps[1 - j];
        std::optional<Dims> dims =
            requireMoved(match, "b carries every dim of g",
                         f.structure.operandMaps[j], to, operandDims(m, 1));
        if (!dims)
          return false;
        match.payloads[2] = match.language.internMapped(
            scaleName, {identityMap(to.size()), toMap(*dims)},
            identityMap(to.size()));
        return true;
      };
      axioms.push_back(std::move(axiom));
    }
  }
}

/// f(.., a + b, ..) <-> f(.., a, ..) + f(.., b, ..). Payloads: f, m, n.
static void instantiateL3(const AxiomRecord &record, const OpSignature &op,
                          const TermLanguage &, std::vector<Axiom> &axioms) {
  for (StringRef sum : {"add", "sub"}) {
    std::string sumName = ("prism." + sum).str();
    for (unsigned j = 0; j < op.numOperands; ++j) {
      if (!isSplit(op.mayBeLinear, j))
        continue;
      Axiom axiom =
          makeAxiom(record, "." + op.shortName() + "." + Twine(j) + "." + sum);
      axiom.left = writeApply(op, j, "(" + sumName + "[?m] ?a ?b)");
      axiom.right = "(" + sumName + "[?n] " + writeApply(op, j, "?a") + " " +
                    writeApply(op, j, "?b") + ")";
      auto isPlain = [](const Prototype &op) {
        return hasAllDims(op, 0) && hasAllDims(op, 1);
      };
      auto plain = [=](AxiomMatch &match, unsigned rank) {
        return match.language.internMapped(
            sumName, {identityMap(rank), identityMap(rank)}, identityMap(rank));
      };
      axiom.forward = [=](AxiomMatch &match) {
        const Prototype &f = match.prototype(0);
        if (!requireLinear(match, f, 1u << j) ||
            !match.require("the summands have one shape",
                           isPlain(match.prototype(1))))
          return false;
        match.payloads[2] = plain(match, resultRank(f));
        return true;
      };
      axiom.backward = [=](AxiomMatch &match) {
        const Prototype &f = match.prototype(0);
        // The dims that f reduces need not be the same.
        if (!match.require("a and b have one shape",
                           match.fact(j).extents ==
                               match.fact(j + 1).extents) ||
            !requireLinear(match, f, 1u << j) ||
            !match.require("the summands have one shape",
                           isPlain(match.prototype(2))))
          return false;
        match.payloads[1] = plain(match, f.structure.operandMaps[j].size());
        return true;
      };
      axioms.push_back(std::move(axiom));
    }
  }
}

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

namespace {
/// A contraction of three operands: their dims, and the result's (the first).
struct Contraction3 {
  Dims a, b, c;
  unsigned numResultDims = 0;
  unsigned numDims = 0;
};
} // namespace

/// The dims of inner's operands in the numbering of outer's iteration space,
/// inner's sum dims appended.
static void expandInner(const Prototype &outer, unsigned operand,
                        const Prototype &inner, Dims &first, Dims &second,
                        unsigned &numDims) {
  Dims through = operandDims(outer, operand);
  numDims = outer.structure.dims.size();
  for (unsigned dim = resultRank(inner); dim < inner.structure.dims.size();
       ++dim)
    through.push_back(numDims++);
  first = compose(through, operandDims(inner, 0));
  second = compose(through, operandDims(inner, 1));
}

/// Contracts x and y first: over the dims that neither the result nor `rest`
/// has. Returns the dims of that inner contraction's result; none if one of the
/// two sums nothing: an outer product that is summed later is larger than what
/// it is for.
static std::optional<Dims> contractFirst(const AxiomMatch &match,
                                         ArrayRef<unsigned> x,
                                         ArrayRef<unsigned> y,
                                         ArrayRef<unsigned> rest,
                                         unsigned numResultDims) {
  // In the usual order: rows of x, then columns of y.
  Dims kept, all(x);
  llvm::copy_if(y, std::back_inserter(all),
                [&](unsigned dim) { return !llvm::is_contained(x, dim); });
  for (unsigned dim : all)
    if (dim < numResultDims || llvm::is_contained(rest, dim))
      kept.push_back(dim);
  if (!match.prefer("both products sum something",
                    kept.size() != all.size() &&
                        unionOf(rest, kept).size() != numResultDims))
    return std::nullopt;
  return kept;
}

static PrototypeId contraction(AxiomMatch &match, ArrayRef<unsigned> x,
                               ArrayRef<unsigned> y,
                               ArrayRef<unsigned> result) {
  return match.language.internMapped("prism.matmul", {toMap(x), toMap(y)},
                                     toMap(result));
}

/// (A B) C <-> A (B C). Payload variables: m, n, o, q.
static void instantiateM13(const AxiomRecord &record, const OpSignature &,
                           const TermLanguage &, std::vector<Axiom> &axioms) {
  Axiom axiom = makeAxiom(record);
  axiom.left = "(prism.matmul[?m] (prism.matmul[?n] ?a ?b) ?c)";
  axiom.right = "(prism.matmul[?o] ?a (prism.matmul[?q] ?b ?c))";
  axiom.forward = [](AxiomMatch &match) {
    const Prototype &m = match.prototype(0), &n = match.prototype(1);
    Dims a, b, c = operandDims(m, 1);
    unsigned numDims, rank = resultRank(m);
    expandInner(m, 0, n, a, b, numDims);
    std::optional<Dims> bc = contractFirst(match, b, c, a, rank);
    if (!bc)
      return false;
    match.payloads[2] = contraction(match, a, *bc, firstDims(rank));
    match.payloads[3] = contraction(match, b, c, *bc);
    return true;
  };
  axiom.backward = [](AxiomMatch &match) {
    const Prototype &o = match.prototype(2), &q = match.prototype(3);
    Dims a = operandDims(o, 0), b, c;
    unsigned numDims, rank = resultRank(o);
    expandInner(o, 1, q, b, c, numDims);
    std::optional<Dims> ab = contractFirst(match, a, b, c, rank);
    if (!ab)
      return false;
    match.payloads[0] = contraction(match, *ab, c, firstDims(rank));
    match.payloads[1] = contraction(match, a, b, *ab);
    return true;
  };
  axioms.push_back(std::move(axiom));
}

/// sum(f(a, b)) -> f'(a, sum(b)): a sum over dims that only operand j carries.
/// Payload variables: r, f, g, s.
static void instantiateM18(const AxiomRecord &record, const OpSignature &,
                           const TermLanguage &, std::vector<Axiom> &axioms) {
  for (unsigned j : {0u, 1u}) {
    Axiom axiom = makeAxiom(record, "." + Twine(j));
    axiom.left = "(prism.reduce_sum[?r] (prism.matmul[?f] ?a ?b))";
    axiom.right = j == 1 ? "(prism.matmul[?g] ?a (prism.reduce_sum[?s] ?b))"
                         : "(prism.matmul[?g] (prism.reduce_sum[?s] ?a) ?b)";
    axiom.forward = [=](AxiomMatch &match) {
      const Prototype &r = match.prototype(0), &f = match.prototype(1);
      SmallVector<int64_t> reduced = reducedDims(r);
      Dims dims[2] = {operandDims(f, 0), operandDims(f, 1)};
      SmallVector<int64_t> inner;
      for (auto [at, dim] : llvm::enumerate(dims[j]))
        if (llvm::is_contained(reduced, int64_t(dim)))
          inner.push_back(at);
      if (!match.require("one operand alone carries the summed dims",
                         llvm::none_of(dims[1 - j],
                                       [&](unsigned dim) {
                                         return llvm::is_contained(
                                             reduced, int64_t(dim));
                                       })) ||
          !match.prefer("something is summed", !inner.empty()))
        return false;
      unsigned innerRank = dims[j].size();
      llvm::erase_if(dims[j], [&](unsigned dim) {
        return llvm::is_contained(reduced, int64_t(dim));
      });
      Dims result;
      for (unsigned dim = 0; dim < resultRank(f); ++dim)
        if (!llvm::is_contained(reduced, int64_t(dim)))
          result.push_back(dim);
      match.payloads[2] = contraction(match, dims[0], dims[1], result);
      match.payloads[3] =
          reduction(match, "prism.reduce_sum", inner, innerRank);
      return true;
    };
    axioms.push_back(std::move(axiom));
  }
}

/// sum(sum(a)) -> one sum; likewise the maximum. Payload variables: r, s, t.
static void addReductionOfReduction(const AxiomRecord &record, StringRef name,
                                    std::vector<Axiom> &axioms) {
  Axiom axiom = makeAxiom(record);
  std::string op = name.str();
  axiom.left = "(" + op + "[?r] (" + op + "[?s] ?a))";
  axiom.right = "(" + op + "[?t] ?a)";
  axiom.forward = [=](AxiomMatch &match) {
    const Prototype &r = match.prototype(0), &s = match.prototype(1);
    SmallVector<int64_t> dims = reducedDims(s);
    for (int64_t dim : reducedDims(r))
      dims.push_back(s.structure.resultMap[dim].front());
    llvm::sort(dims);
    match.payloads[2] = reduction(match, op, dims, s.structure.dims.size());
    return true;
  };
  axioms.push_back(std::move(axiom));
}

static void instantiateR10(const AxiomRecord &record, const OpSignature &,
                           const TermLanguage &, std::vector<Axiom> &axioms) {
  addReductionOfReduction(record, "prism.reduce_sum", axioms);
}

static void instantiateR10Max(const AxiomRecord &record, const OpSignature &,
                              const TermLanguage &,
                              std::vector<Axiom> &axioms) {
  addReductionOfReduction(record, "prism.reduce_max", axioms);
}

/// max over rows of a + g <-> (max over rows of a) + g; also a - g. Payload
/// variables: r, m, n.
static void instantiateR22(const AxiomRecord &record, const OpSignature &,
                           const TermLanguage &, std::vector<Axiom> &axioms) {
  for (StringRef sum : {"add", "sub"}) {
    Axiom axiom = makeAxiom(record, "." + sum);
    std::string sumName = ("prism." + sum).str();
    axiom.left = "(prism.reduce_max[?r] (" + sumName + "[?m] ?a ?g))";
    axiom.right = "(" + sumName + "[?n] (prism.reduce_max[?r] ?a) ?g)";
    // From where to where dims of g go, and which variable the sum is there.
    auto move = [=](AxiomMatch &match, unsigned from, unsigned to,
                    const IndexMap &fromMap, const IndexMap &toMapping) {
      const Prototype &op = match.prototype(from);
      if (!match.require("a is not repeated", hasAllDims(op, 0)))
        return false;
      std::optional<Dims> moved =
          requireMoved(match, "g is one number for each row", fromMap,
                       toMapping, operandDims(op, 1));
      if (moved)
        match.payloads[to] = match.language.internMapped(
            sumName, {identityMap(toMapping.size()), toMap(*moved)},
            identityMap(toMapping.size()));
      return moved.has_value();
    };
    axiom.forward = [=](AxiomMatch &match) {
      const IterationStructure &r = match.prototype(0).structure;
      return move(match, 1, 2, r.operandMaps[0], r.resultMap);
    };
    axiom.backward = [=](AxiomMatch &match) {
      const IterationStructure &r = match.prototype(0).structure;
      return move(match, 2, 1, r.resultMap, r.operandMaps[0]);
    };
    axioms.push_back(std::move(axiom));
  }
}

/// max over rows of max(a, b) <-> max of both maxima. Payloads: r, m, n.
static void instantiateR21(const AxiomRecord &record, const OpSignature &,
                           const TermLanguage &, std::vector<Axiom> &axioms) {
  Axiom axiom = makeAxiom(record);
  axiom.left = "(prism.reduce_max[?r] (prism.max[?m] ?a ?b))";
  axiom.right =
      "(prism.max[?n] (prism.reduce_max[?r] ?a) (prism.reduce_max[?r] ?b))";
  auto change = [](AxiomMatch &match, unsigned from, unsigned to,
                   unsigned rank) {
    const Prototype &op = match.prototype(from);
    if (!match.require("a and b have one shape",
                       hasAllDims(op, 0) && hasAllDims(op, 1)))
      return false;
    match.payloads[to] =
        elementwise(match, "prism.max", firstDims(rank), firstDims(rank), rank);
    return true;
  };
  axiom.forward = [=](AxiomMatch &match) {
    return change(match, 1, 2, resultRank(match.prototype(0)));
  };
  axiom.backward = [=](AxiomMatch &match) {
    if (!match.require("a and b have one shape",
                       match.fact(0).extents == match.fact(1).extents))
      return false;
    return change(match, 2, 1,
                  match.prototype(0).structure.operandMaps[0].size());
  };
  axioms.push_back(std::move(axiom));
}

static const AxiomRecord records[] = {
    {"L1", AxiomKind::Algebraic,
     "A factor leaves a linear operand for the result.", "f(.., a * g, ..)",
     "f(.., a, ..) * g",
     "f is linear in that operand alone; f carries every dim of g to its "
     "result; also for a / g",
     true, instantiateL1, true},
    {"L2", AxiomKind::Algebraic,
     "A factor goes from one linear operand to the other.", "f(a * g, b)",
     "f(a, b * g)",
     "f is linear in each operand; both carry every dim of g; also for a / g",
     false, instantiateL2, true},
    {"L3", AxiomKind::Algebraic, "A sum in a linear operand.",
     "f(.., a + b, ..)", "f(.., a, ..) + f(.., b, ..)",
     "f is linear in that operand alone; a and b have the same shape; also for "
     "a - b",
     true, instantiateL3, true},
    {"M13", AxiomKind::Algebraic, "Contractions are associative.", "(A B) C",
     "A (B C)", "both products sum something", true, instantiateM13, false},
    {"M18", AxiomKind::Algebraic,
     "The sum over a dim that one operand alone carries.", "sum(A B)",
     "A sum(B)", "only B carries the summed dims", false, instantiateM18,
     false},
    {"R10", AxiomKind::Algebraic, "A sum of sums.", "sum(sum(a))", "sum(a)", "",
     false, instantiateR10, false},
    {"R10max", AxiomKind::Algebraic, "A maximum of maxima.", "max(max(a))",
     "max(a)", "", false, instantiateR10Max, false, ProofOnly::Both},
    {"R21", AxiomKind::Algebraic, "A row's maximum of a maximum of two.",
     "rowmax(max(a, b))", "max(rowmax(a), rowmax(b))",
     "a and b have the same shape", true, instantiateR21, false,
     ProofOnly::Both},
    {"R22", AxiomKind::Algebraic, "A row's maximum of a row that is shifted.",
     "rowmax(a + g)", "rowmax(a) + g",
     "g is one number for each row; also for a - g", true, instantiateR22,
     false, ProofOnly::Both},
};

ArrayRef<AxiomRecord> prism::getMotionAxiomRecords() { return records; }
