//===- AlgebraicAxioms.cpp - Axioms about compute ops alone ---------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Field laws, motion of factors through linear ops (DECISIONS 9), sums of sums
// and the definitions of composites. Mapped ops see their operands through
// indexing maps; the conditions compose these maps, and keep inner results no
// larger than what they need.
//
//===----------------------------------------------------------------------===//

#include "AxiomUtils.h"

using namespace mlir;
using namespace prism;

static PrototypeId elementwise(AxiomMatch &match, StringRef name,
                               ArrayRef<unsigned> a, ArrayRef<unsigned> b,
                               unsigned rank) {
  return match.language.internMapped(name, {toMap(a), toMap(b)},
                                     identityMap(rank));
}

static PrototypeId unary(AxiomMatch &match, StringRef name, unsigned rank) {
  return match.language.internPlain(name, {rank}, rank);
}

//===----------------------------------------------------------------------===//
// Regrouping: (a * b) * c and its kin
//===----------------------------------------------------------------------===//

/// outer(inner(a, b), c) <-> outer'(a, inner'(b, c)), elementwise. Payload
/// variables: outer, inner, outer', inner'.
static void addRegrouping(const AxiomRecord &record, StringRef suffix,
                          StringRef outer, StringRef inner, StringRef outer2,
                          StringRef inner2, std::vector<Axiom> &axioms) {
  Axiom axiom = makeAxiom(record, suffix);
  auto name = [](StringRef op) { return ("prism." + op).str(); };
  axiom.left = "(" + name(outer) + "[?m] (" + name(inner) + "[?n] ?a ?b) ?c)";
  axiom.right =
      "(" + name(outer2) + "[?o] ?a (" + name(inner2) + "[?q] ?b ?c))";
  axiom.forward = [o = name(outer2), q = name(inner2)](AxiomMatch &match) {
    const Prototype &m = match.prototype(0), &n = match.prototype(1);
    unsigned rank = resultRank(m);
    Dims through = operandDims(m, 0), c = operandDims(m, 1);
    Dims a = compose(through, operandDims(n, 0));
    Dims b = compose(through, operandDims(n, 1));
    Dims both = unionOf(b, c);
    match.payloads[2] = elementwise(match, o, a, both, rank);
    match.payloads[3] = elementwise(match, q, positionsIn(both, b),
                                    positionsIn(both, c), both.size());
    return true;
  };
  axiom.backward = [m = name(outer), n = name(inner)](AxiomMatch &match) {
    const Prototype &o = match.prototype(2), &q = match.prototype(3);
    unsigned rank = resultRank(o);
    Dims through = operandDims(o, 1), a = operandDims(o, 0);
    Dims b = compose(through, operandDims(q, 0));
    Dims c = compose(through, operandDims(q, 1));
    Dims both = unionOf(a, b);
    match.payloads[0] = elementwise(match, m, both, c, rank);
    match.payloads[1] = elementwise(match, n, positionsIn(both, a),
                                    positionsIn(both, b), both.size());
    return true;
  };
  axioms.push_back(std::move(axiom));
}

static void instantiateF2(const AxiomRecord &record, const OpSignature &,
                          const TermLanguage &, std::vector<Axiom> &axioms) {
  addRegrouping(record, ".add", "add", "add", "add", "add", axioms);
  addRegrouping(record, ".mul", "mul", "mul", "mul", "mul", axioms);
}

static void instantiateF5(const AxiomRecord &record, const OpSignature &,
                          const TermLanguage &, std::vector<Axiom> &axioms) {
  // (a * b) / c = a * (b / c)
  addRegrouping(record, "", "div", "mul", "mul", "div", axioms);
}

static void instantiateF6(const AxiomRecord &record, const OpSignature &,
                          const TermLanguage &, std::vector<Axiom> &axioms) {
  // (a / b) / c = a / (b * c)
  addRegrouping(record, "", "div", "div", "div", "mul", axioms);
}

/// a / (b / c) -> (a * c) / b. Payload variables: m, n, o, q.
static void instantiateF7(const AxiomRecord &record, const OpSignature &,
                          const TermLanguage &, std::vector<Axiom> &axioms) {
  Axiom axiom = makeAxiom(record);
  axiom.left = "(prism.div[?m] ?a (prism.div[?n] ?b ?c))";
  axiom.right = "(prism.div[?o] (prism.mul[?q] ?a ?c) ?b)";
  axiom.forward = [](AxiomMatch &match) {
    if (!match.fact(2).isNonZero)
      return false;
    const Prototype &m = match.prototype(0), &n = match.prototype(1);
    Dims a = operandDims(m, 0), through = operandDims(m, 1);
    Dims b = compose(through, operandDims(n, 0));
    Dims c = compose(through, operandDims(n, 1));
    Dims both = unionOf(a, c);
    match.payloads[2] = elementwise(match, "prism.div", both, b, resultRank(m));
    match.payloads[3] = elementwise(match, "prism.mul", positionsIn(both, a),
                                    positionsIn(both, c), both.size());
    return true;
  };
  axioms.push_back(std::move(axiom));
}

/// Operands change places. Payload variables: m, n; class variables: a, b.
static void instantiateF1(const AxiomRecord &record, const OpSignature &op,
                          const TermLanguage &, std::vector<Axiom> &axioms) {
  if (!op.isCommutative || op.numOperands != 2)
    return;
  Axiom axiom = makeAxiom(record, "." + op.shortName());
  axiom.left = "(" + op.name + "[?m] ?a ?b)";
  axiom.right = "(" + op.name + "[?n] ?b ?a)";
  axiom.forward = [name = op.name](AxiomMatch &match) {
    const Prototype &m = match.prototype(0);
    match.payloads[1] = elementwise(match, name, operandDims(m, 1),
                                    operandDims(m, 0), resultRank(m));
    return true;
  };
  axioms.push_back(std::move(axiom));
}

//===----------------------------------------------------------------------===//
// Cancelling
//===----------------------------------------------------------------------===//

/// (a * c) / c -> a where c != 0 and a has all dims, in order.
static void instantiateF9(const AxiomRecord &record, const OpSignature &,
                          const TermLanguage &, std::vector<Axiom> &axioms) {
  Axiom axiom = makeAxiom(record);
  axiom.left = "(prism.div[?m] (prism.mul[?n] ?a ?c) ?c)";
  axiom.right = "?a";
  axiom.forward = [](AxiomMatch &match) {
    const Prototype &m = match.prototype(0), &n = match.prototype(1);
    Dims through = operandDims(m, 0);
    return match.fact(1).isNonZero &&
           isIdentity(compose(through, operandDims(n, 0)), resultRank(m)) &&
           compose(through, operandDims(n, 1)) == operandDims(m, 1);
  };
  axioms.push_back(std::move(axiom));
}

/// (a / v) / (b / v) -> a / b. Payload variables: m, n, o, q; classes: a, v, b.
static void instantiateX4(const AxiomRecord &record, const OpSignature &,
                          const TermLanguage &, std::vector<Axiom> &axioms) {
  Axiom axiom = makeAxiom(record);
  axiom.left = "(prism.div[?m] (prism.div[?n] ?a ?v) (prism.div[?o] ?b ?v))";
  axiom.right = "(prism.div[?q] ?a ?b)";
  axiom.forward = [](AxiomMatch &match) {
    const Prototype &m = match.prototype(0), &n = match.prototype(1),
                    &o = match.prototype(2);
    Dims first = operandDims(m, 0), second = operandDims(m, 1);
    Dims a = compose(first, operandDims(n, 0));
    Dims b = compose(second, operandDims(o, 0));
    unsigned rank = resultRank(m);
    // The shape of v broadcasts into that of a / b, which is defined wherever
    // the left side is.
    if (!match.fact(1).isNonZero ||
        compose(first, operandDims(n, 1)) !=
            compose(second, operandDims(o, 1)) ||
        unionOf(a, b).size() != rank)
      return false;
    match.payloads[3] = elementwise(match, "prism.div", a, b, rank);
    return true;
  };
  axioms.push_back(std::move(axiom));
}

//===----------------------------------------------------------------------===//
// Motion of factors through linear ops (L1, L2), sums in linear ops (L3)
//===----------------------------------------------------------------------===//

/// "(f[?f] ?x0 INNER)" with INNER as operand j.
static std::string writeApply(const OpSignature &op, unsigned j,
                              const Twine &inner, StringRef f = "?f") {
  std::string text = "(" + op.name + "[" + f.str() + "]";
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
        unsigned rank = resultRank(m);
        if (!isLinearIn(f, j) || !isIdentity(operandDims(m, 0), rank))
          return false;
        std::optional<Dims> moved =
            moveDims(f.structure.operandMaps[j], f.structure.resultMap,
                     operandDims(m, 1));
        if (!moved)
          return false;
        unsigned outer = resultRank(f);
        match.payloads[2] = match.language.internMapped(
            scaleName, {identityMap(outer), toMap(*moved)}, identityMap(outer));
        return true;
      };
      axiom.backward = [=](AxiomMatch &match) {
        const Prototype &f = match.prototype(0), &n = match.prototype(2);
        if (!isLinearIn(f, j) || !isIdentity(operandDims(n, 0), resultRank(n)))
          return false;
        std::optional<Dims> moved =
            moveDims(f.structure.resultMap, f.structure.operandMaps[j],
                     operandDims(n, 1));
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
        if (!isLinearIn(f, j) || !isLinearIn(f, 1 - j) ||
            !isIdentity(operandDims(m, 0), resultRank(m)))
          return false;
        const IndexMap &to = f.structure.operandMaps[1 - j];
        std::optional<Dims> dims =
            moveDims(f.structure.operandMaps[j], to, operandDims(m, 1));
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
        unsigned rank = resultRank(op);
        return isIdentity(operandDims(op, 0), rank) &&
               isIdentity(operandDims(op, 1), rank);
      };
      auto plain = [=](AxiomMatch &match, unsigned rank) {
        return match.language.internMapped(
            sumName, {identityMap(rank), identityMap(rank)}, identityMap(rank));
      };
      axiom.forward = [=](AxiomMatch &match) {
        const Prototype &f = match.prototype(0);
        if (!isLinearIn(f, j) || !isPlain(match.prototype(1)))
          return false;
        match.payloads[2] = plain(match, resultRank(f));
        return true;
      };
      axiom.backward = [=](AxiomMatch &match) {
        const Prototype &f = match.prototype(0);
        // Summed dims need not be the same.
        if (match.fact(j).extents != match.fact(j + 1).extents)
          return false;
        if (!isLinearIn(f, j) || !isPlain(match.prototype(2)))
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
/// has. Returns the dims of that inner contraction's result; none if nothing is
/// summed there.
static std::optional<Dims> contractFirst(ArrayRef<unsigned> x,
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
  if (kept.size() == all.size())
    return std::nullopt;
  return kept;
}

static PrototypeId contraction(AxiomMatch &match, ArrayRef<unsigned> x,
                               ArrayRef<unsigned> y,
                               ArrayRef<unsigned> result) {
  return match.language.internMapped("prism.matmul", {toMap(x), toMap(y)},
                                     toMap(result));
}

static Dims firstDims(unsigned count) {
  return llvm::to_vector(llvm::seq<unsigned>(0, count));
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
    std::optional<Dims> bc = contractFirst(b, c, a, rank);
    if (!bc || unionOf(a, *bc).size() == rank)
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
    std::optional<Dims> ab = contractFirst(a, b, c, rank);
    if (!ab || unionOf(*ab, c).size() == rank)
      return false;
    match.payloads[0] = contraction(match, *ab, c, firstDims(rank));
    match.payloads[1] = contraction(match, a, b, *ab);
    return true;
  };
  axioms.push_back(std::move(axiom));
}

/// The attribute of a reduction over `dims`.
static PrototypeId reduction(AxiomMatch &match, ArrayRef<int64_t> dims,
                             unsigned rank) {
  MLIRContext *context = match.language.getContext();
  NamedAttribute attribute(StringAttr::get(context, "dims"),
                           DenseI64ArrayAttr::get(context, dims));
  return match.language.internPlain("prism.reduce_sum", {rank},
                                    rank - dims.size(), {attribute});
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
      for (unsigned dim : dims[1 - j])
        if (llvm::is_contained(reduced, int64_t(dim)))
          return false;
      if (inner.size() != reduced.size())
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
      match.payloads[3] = reduction(match, inner, innerRank);
      return true;
    };
    axioms.push_back(std::move(axiom));
  }
}

/// sum(sum(a)) -> one sum. Payload variables: r, s, t.
static void instantiateR10(const AxiomRecord &record, const OpSignature &,
                           const TermLanguage &, std::vector<Axiom> &axioms) {
  Axiom axiom = makeAxiom(record);
  axiom.left = "(prism.reduce_sum[?r] (prism.reduce_sum[?s] ?a))";
  axiom.right = "(prism.reduce_sum[?t] ?a)";
  axiom.forward = [](AxiomMatch &match) {
    const Prototype &r = match.prototype(0), &s = match.prototype(1);
    SmallVector<int64_t> dims = reducedDims(s);
    for (int64_t dim : reducedDims(r))
      dims.push_back(s.structure.resultMap[dim].front());
    llvm::sort(dims);
    match.payloads[2] = reduction(match, dims, s.structure.dims.size());
    return true;
  };
  axioms.push_back(std::move(axiom));
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// square(a) <-> a * a. Payload variables: s, m.
static void instantiateF10(const AxiomRecord &record, const OpSignature &,
                           const TermLanguage &, std::vector<Axiom> &axioms) {
  Axiom axiom = makeAxiom(record);
  axiom.left = "(prism.square[?s] ?a)";
  axiom.right = "(prism.mul[?m] ?a ?a)";
  axiom.forward = [](AxiomMatch &match) {
    unsigned rank = resultRank(match.prototype(0));
    Dims all = firstDims(rank);
    match.payloads[1] = elementwise(match, "prism.mul", all, all, rank);
    return true;
  };
  axiom.backward = [](AxiomMatch &match) {
    const Prototype &m = match.prototype(1);
    unsigned rank = resultRank(m);
    if (!isIdentity(operandDims(m, 0), rank) ||
        !isIdentity(operandDims(m, 1), rank))
      return false;
    match.payloads[0] = unary(match, "prism.square", rank);
    return true;
  };
  axioms.push_back(std::move(axiom));
}

/// square(sqrt(a)) -> a where a >= 0.
static void instantiateF11(const AxiomRecord &record, const OpSignature &,
                           const TermLanguage &, std::vector<Axiom> &axioms) {
  Axiom axiom = makeAxiom(record);
  axiom.left = "(prism.square[?s] (prism.sqrt[?r] ?a))";
  axiom.right = "?a";
  axiom.forward = [](AxiomMatch &match) { return match.fact(0).isNonNegative; };
  axioms.push_back(std::move(axiom));
}

/// silu(a) <-> a * sigmoid(a). Payload variables: s, m, t.
static void instantiateF14(const AxiomRecord &record, const OpSignature &,
                           const TermLanguage &, std::vector<Axiom> &axioms) {
  Axiom axiom = makeAxiom(record);
  axiom.left = "(prism.silu[?s] ?a)";
  axiom.right = "(prism.mul[?m] ?a (prism.sigmoid[?t] ?a))";
  axiom.forward = [](AxiomMatch &match) {
    unsigned rank = resultRank(match.prototype(0));
    Dims all = firstDims(rank);
    match.payloads[1] = elementwise(match, "prism.mul", all, all, rank);
    match.payloads[2] = unary(match, "prism.sigmoid", rank);
    return true;
  };
  axiom.backward = [](AxiomMatch &match) {
    const Prototype &m = match.prototype(1);
    unsigned rank = resultRank(m);
    if (!isIdentity(operandDims(m, 0), rank) ||
        !isIdentity(operandDims(m, 1), rank))
      return false;
    match.payloads[0] = unary(match, "prism.silu", rank);
    return true;
  };
  axioms.push_back(std::move(axiom));
}

/// exp(a (+) b) <-> exp(a) (*) exp(b). Payload variables: e, m, n, x, y.
static void instantiateX1(const AxiomRecord &record, const OpSignature &,
                          const TermLanguage &, std::vector<Axiom> &axioms) {
  for (auto [sum, product] :
       {std::pair("add", "mul"), std::pair("sub", "div")}) {
    Axiom axiom = makeAxiom(record, Twine(".") + sum);
    std::string sumName = std::string("prism.") + sum;
    std::string productName = std::string("prism.") + product;
    axiom.left = "(prism.exp[?e] (" + sumName + "[?m] ?a ?b))";
    axiom.right =
        "(" + productName + "[?n] (prism.exp[?x] ?a) (prism.exp[?y] ?b))";
    auto change = [](AxiomMatch &match, unsigned from, StringRef name) {
      const Prototype &op = match.prototype(from);
      return elementwise(match, name, operandDims(op, 0), operandDims(op, 1),
                         resultRank(op));
    };
    axiom.forward = [=](AxiomMatch &match) {
      const Prototype &m = match.prototype(1);
      unsigned a = operandDims(m, 0).size(), b = operandDims(m, 1).size();
      match.payloads[2] = change(match, 1, productName);
      match.payloads[3] = unary(match, "prism.exp", a);
      match.payloads[4] = unary(match, "prism.exp", b);
      return true;
    };
    axiom.backward = [=](AxiomMatch &match) {
      unsigned rank = resultRank(match.prototype(2));
      match.payloads[1] = change(match, 2, sumName);
      match.payloads[0] = unary(match, "prism.exp", rank);
      return true;
    };
    axioms.push_back(std::move(axiom));
  }
}

/// a * (1 / b) <-> a / b. Payload variables: m, r, n.
static void instantiateE1(const AxiomRecord &record, const OpSignature &,
                          const TermLanguage &, std::vector<Axiom> &axioms) {
  Axiom axiom = makeAxiom(record);
  axiom.left = "(prism.mul[?m] ?a (prism.reciprocal[?r] ?b))";
  axiom.right = "(prism.div[?n] ?a ?b)";
  axiom.forward = [](AxiomMatch &match) {
    const Prototype &m = match.prototype(0);
    match.payloads[2] = elementwise(match, "prism.div", operandDims(m, 0),
                                    operandDims(m, 1), resultRank(m));
    return true;
  };
  axioms.push_back(std::move(axiom));
}

/// rsqrt(a) <-> 1 / sqrt(a). Payload variables: f, r, s.
static void instantiateE2(const AxiomRecord &record, const OpSignature &,
                          const TermLanguage &, std::vector<Axiom> &axioms) {
  Axiom axiom = makeAxiom(record);
  axiom.left = "(prism.rsqrt[?f] ?a)";
  axiom.right = "(prism.reciprocal[?r] (prism.sqrt[?s] ?a))";
  axiom.forward = [](AxiomMatch &match) {
    unsigned rank = resultRank(match.prototype(0));
    match.payloads[1] = unary(match, "prism.reciprocal", rank);
    match.payloads[2] = unary(match, "prism.sqrt", rank);
    return true;
  };
  axiom.backward = [](AxiomMatch &match) {
    match.payloads[0] =
        unary(match, "prism.rsqrt", resultRank(match.prototype(1)));
    return true;
  };
  axioms.push_back(std::move(axiom));
}

static const AxiomRecord algebraicRecords[] = {
    {"F1", AxiomKind::Algebraic, "Operands of a commutative op change places.",
     "f(a, b)", "f(b, a)", "f is commutative", false, instantiateF1, true},
    {"F2", AxiomKind::Algebraic, "Sums and products are associative.",
     "(a * b) * c", "a * (b * c)", "", true, instantiateF2, false},
    {"F5", AxiomKind::Algebraic, "A product is divided by dividing a factor.",
     "(a * b) / c", "a * (b / c)", "", true, instantiateF5, false},
    {"F6", AxiomKind::Algebraic, "Dividing twice is dividing by the product.",
     "(a / b) / c", "a / (b * c)", "", true, instantiateF6, false},
    {"F7", AxiomKind::Algebraic, "Dividing by a quotient.", "a / (b / c)",
     "(a * c) / b", "c is not zero where the program is defined", false,
     instantiateF7, false},
    {"F9", AxiomKind::Algebraic, "A factor cancels.", "(a * c) / c", "a",
     "c is not zero where the program is defined; c broadcasts into a", false,
     instantiateF9, false},
    {"F10", AxiomKind::Algebraic, "A square is a product.", "square(a)",
     "a * a", "", true, instantiateF10, false},
    {"F11", AxiomKind::Algebraic, "The square of a root.", "square(sqrt(a))",
     "a", "a >= 0 where the program is defined", false, instantiateF11, false},
    {"F14", AxiomKind::Algebraic, "What silu is.", "silu(a)", "a * sigmoid(a)",
     "", true, instantiateF14, false},
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
    {"X1", AxiomKind::Algebraic, "The exponential of a sum.", "exp(a + b)",
     "exp(a) * exp(b)", "also exp(a - b) = exp(a) / exp(b)", true,
     instantiateX1, false},
    {"X4", AxiomKind::Algebraic, "A common divisor cancels.",
     "(a / v) / (b / v)", "a / b",
     "v is not zero where the program is defined; v broadcasts into a / b",
     false, instantiateX4, false},
    {"E1", AxiomKind::Algebraic, "Multiplying by a reciprocal.", "a * (1 / b)",
     "a / b", "", false, instantiateE1, false},
    {"E2", AxiomKind::Algebraic, "What rsqrt is.", "rsqrt(a)", "1 / sqrt(a)",
     "", true, instantiateE2, false},
};

ArrayRef<AxiomRecord> prism::getAlgebraicAxiomRecords() {
  return algebraicRecords;
}
