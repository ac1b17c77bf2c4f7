//===- FieldAxioms.cpp - Sums, products, quotients ------------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Field laws of elementwise ops, which see their operands through indexing
// maps: the conditions compose these maps, and keep inner results no larger
// than what they need.
//
//===----------------------------------------------------------------------===//

#include "AxiomUtils.h"

using namespace mlir;
using namespace prism;

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

/// Instances of the above. `suffix` names them.
struct Regrouping {
  const char *suffix, *outer, *inner, *outer2, *inner2;
};

template <const Regrouping *first, unsigned count>
static void instantiateRegroupings(const AxiomRecord &record,
                                   const OpSignature &, const TermLanguage &,
                                   std::vector<Axiom> &axioms) {
  for (const Regrouping &law : ArrayRef(first, count))
    addRegrouping(record, law.suffix, law.outer, law.inner, law.outer2,
                  law.inner2, axioms);
}

static constexpr Regrouping associative[] = {
    {".add", "add", "add", "add", "add"}, {".mul", "mul", "mul", "mul", "mul"}};
static constexpr Regrouping orders[] = {{".max", "max", "max", "max", "max"},
                                        {".min", "min", "min", "min", "min"}};
static constexpr Regrouping dividedProduct[] = {
    {"", "div", "mul", "mul", "div"}};
static constexpr Regrouping dividedTwice[] = {{"", "div", "div", "div", "mul"}};
static constexpr Regrouping subtractions[] = {
    {".add", "sub", "add", "add", "sub"}, {".sub", "sub", "sub", "sub", "add"}};

/// outer(a, outer(b, c)) -> outer(inverse(a, c), b), for division and
/// subtraction. Payload variables: m, n, o, q.
static void addInverse(const AxiomRecord &record, StringRef outer,
                       StringRef inverse, bool asksNonZero,
                       std::vector<Axiom> &axioms) {
  Axiom axiom = makeAxiom(record);
  std::string o = ("prism." + outer).str(), i = ("prism." + inverse).str();
  axiom.left = "(" + o + "[?m] ?a (" + o + "[?n] ?b ?c))";
  axiom.right = "(" + o + "[?o] (" + i + "[?q] ?a ?c) ?b)";
  axiom.forward = [=](AxiomMatch &match) {
    if (asksNonZero && !match.require("c is not zero", match.fact(2).isNonZero))
      return false;
    const Prototype &m = match.prototype(0), &n = match.prototype(1);
    Dims a = operandDims(m, 0), through = operandDims(m, 1), both;
    Dims b = compose(through, operandDims(n, 0));
    Dims c = compose(through, operandDims(n, 1));
    match.payloads[3] = compactBinary(match, i, a, c, both);
    match.payloads[2] = elementwise(match, o, both, b, resultRank(m));
    return true;
  };
  axioms.push_back(std::move(axiom));
}

static void instantiateF7(const AxiomRecord &record, const OpSignature &,
                          const TermLanguage &, std::vector<Axiom> &axioms) {
  addInverse(record, "div", "mul", /*asksNonZero=*/true, axioms);
}

static void instantiateA7(const AxiomRecord &record, const OpSignature &,
                          const TermLanguage &, std::vector<Axiom> &axioms) {
  addInverse(record, "sub", "add", /*asksNonZero=*/false, axioms);
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

/// outer(inner(a, c), c) -> a where a has all dims, in order: (a * c) / c with
/// c != 0, (a + c) - c.
static void addCancelling(const AxiomRecord &record, StringRef outer,
                          StringRef inner, bool asksNonZero,
                          std::vector<Axiom> &axioms) {
  Axiom axiom = makeAxiom(record);
  axiom.left =
      ("(prism." + outer + "[?m] (prism." + inner + "[?n] ?a ?c) ?c)").str();
  axiom.right = "?a";
  axiom.forward = [=](AxiomMatch &match) {
    const Prototype &m = match.prototype(0), &n = match.prototype(1);
    Dims through = operandDims(m, 0);
    return (!asksNonZero ||
            match.require("c is not zero", match.fact(1).isNonZero)) &&
           match.require("c broadcasts into a",
                         isIdentity(compose(through, operandDims(n, 0)),
                                    resultRank(m))) &&
           match.require("c is read alike",
                         compose(through, operandDims(n, 1)) ==
                             operandDims(m, 1));
  };
  axioms.push_back(std::move(axiom));
}

static void instantiateF9(const AxiomRecord &record, const OpSignature &,
                          const TermLanguage &, std::vector<Axiom> &axioms) {
  addCancelling(record, "div", "mul", /*asksNonZero=*/true, axioms);
}

static void instantiateA9(const AxiomRecord &record, const OpSignature &,
                          const TermLanguage &, std::vector<Axiom> &axioms) {
  addCancelling(record, "sub", "add", /*asksNonZero=*/false, axioms);
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
    if (!match.require("v is not zero", match.fact(1).isNonZero) ||
        !match.require("v is read alike",
                       compose(first, operandDims(n, 1)) ==
                           compose(second, operandDims(o, 1))) ||
        !match.require("v broadcasts into a / b", unionOf(a, b).size() == rank))
      return false;
    match.payloads[3] = elementwise(match, "prism.div", a, b, rank);
    return true;
  };
  axioms.push_back(std::move(axiom));
}

//===----------------------------------------------------------------------===//
// Reciprocals and negation
//===----------------------------------------------------------------------===//

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
  axiom.backward = [](AxiomMatch &match) {
    const Prototype &n = match.prototype(2);
    Dims b = operandDims(n, 1);
    match.payloads[0] =
        elementwise(match, "prism.mul", operandDims(n, 0), b, resultRank(n));
    match.payloads[1] = unary(match, "prism.reciprocal", b.size());
    return true;
  };
  axioms.push_back(std::move(axiom));
}

/// 1 / b -> reciprocal(b). Payload variables: m, k, r.
static void instantiateE3(const AxiomRecord &record, const OpSignature &,
                          const TermLanguage &, std::vector<Axiom> &axioms) {
  Axiom axiom = makeAxiom(record);
  axiom.left = "(prism.div[?m] prism.constant[?k] ?b)";
  axiom.right = "(prism.reciprocal[?r] ?b)";
  axiom.forward = [](AxiomMatch &match) {
    const Prototype &m = match.prototype(0);
    unsigned rank = resultRank(m);
    if (!match.require("the dividend is 1",
                       isConstant(match.prototype(1), 1)) ||
        !match.require("b is not permuted", hasAllDims(m, 1)))
      return false;
    match.payloads[2] = unary(match, "prism.reciprocal", rank);
    return true;
  };
  axioms.push_back(std::move(axiom));
}

/// reciprocal(a / b) -> b / a. Payload variables: r, m, n.
static void instantiateE4(const AxiomRecord &record, const OpSignature &,
                          const TermLanguage &, std::vector<Axiom> &axioms) {
  Axiom axiom = makeAxiom(record);
  axiom.left = "(prism.reciprocal[?r] (prism.div[?m] ?a ?b))";
  axiom.right = "(prism.div[?n] ?b ?a)";
  axiom.forward = [](AxiomMatch &match) {
    const Prototype &m = match.prototype(1);
    if (!match.require("b is not zero", match.fact(1).isNonZero))
      return false;
    match.payloads[2] = elementwise(match, "prism.div", operandDims(m, 1),
                                    operandDims(m, 0), resultRank(m));
    return true;
  };
  axioms.push_back(std::move(axiom));
}

/// a - b <-> a + -b. Payload variables: m, n, g.
static void instantiateG1(const AxiomRecord &record, const OpSignature &,
                          const TermLanguage &, std::vector<Axiom> &axioms) {
  Axiom axiom = makeAxiom(record);
  axiom.left = "(prism.sub[?m] ?a ?b)";
  axiom.right = "(prism.add[?n] ?a (prism.neg[?g] ?b))";
  axiom.forward = [](AxiomMatch &match) {
    const Prototype &m = match.prototype(0);
    Dims b = operandDims(m, 1);
    match.payloads[1] =
        elementwise(match, "prism.add", operandDims(m, 0), b, resultRank(m));
    match.payloads[2] = unary(match, "prism.neg", b.size());
    return true;
  };
  axiom.backward = [](AxiomMatch &match) {
    const Prototype &n = match.prototype(1);
    match.payloads[0] = elementwise(match, "prism.sub", operandDims(n, 0),
                                    operandDims(n, 1), resultRank(n));
    return true;
  };
  axioms.push_back(std::move(axiom));
}

/// a - b -> -(b - a). Payload variables: m, g, n.
static void instantiateG2(const AxiomRecord &record, const OpSignature &,
                          const TermLanguage &, std::vector<Axiom> &axioms) {
  Axiom axiom = makeAxiom(record);
  axiom.left = "(prism.sub[?m] ?a ?b)";
  axiom.right = "(prism.neg[?g] (prism.sub[?n] ?b ?a))";
  axiom.forward = [](AxiomMatch &match) {
    const Prototype &m = match.prototype(0);
    unsigned rank = resultRank(m);
    match.payloads[1] = unary(match, "prism.neg", rank);
    match.payloads[2] = elementwise(match, "prism.sub", operandDims(m, 1),
                                    operandDims(m, 0), rank);
    return true;
  };
  axioms.push_back(std::move(axiom));
}

static const AxiomRecord records[] = {
    {"F1", AxiomKind::Algebraic, "Operands of a commutative op change places.",
     "f(a, b)", "f(b, a)", "f is commutative", false, instantiateF1, true},
    {"F2", AxiomKind::Algebraic, "Sums and products are associative.",
     "(a * b) * c", "a * (b * c)", "", true,
     instantiateRegroupings<associative, 2>, false},
    {"F2max", AxiomKind::Algebraic, "Maxima and minima are associative.",
     "max(max(a, b), c)", "max(a, max(b, c))", "", true,
     instantiateRegroupings<orders, 2>, false, ProofOnly::Both},
    {"F5", AxiomKind::Algebraic, "A product is divided by dividing a factor.",
     "(a * b) / c", "a * (b / c)", "", true,
     instantiateRegroupings<dividedProduct, 1>, false},
    {"F6", AxiomKind::Algebraic, "Dividing twice is dividing by the product.",
     "(a / b) / c", "a / (b * c)", "", true,
     instantiateRegroupings<dividedTwice, 1>, false},
    {"F7", AxiomKind::Algebraic, "Dividing by a quotient.", "a / (b / c)",
     "(a * c) / b", "c is not zero where the program is defined", false,
     instantiateF7, false},
    {"F9", AxiomKind::Algebraic, "A factor cancels.", "(a * c) / c", "a",
     "c is not zero where the program is defined; c broadcasts into a", false,
     instantiateF9, false},
    {"X4", AxiomKind::Algebraic, "A common divisor cancels.",
     "(a / v) / (b / v)", "a / b",
     "v is not zero where the program is defined; v broadcasts into a / b",
     false, instantiateX4, false},
    {"A5", AxiomKind::Algebraic, "Subtracting from a sum, or twice.",
     "(a + b) - c", "a + (b - c)", "also (a - b) - c = a - (b + c)", true,
     instantiateRegroupings<subtractions, 2>, false, ProofOnly::Both},
    {"A7", AxiomKind::Algebraic, "Subtracting a difference.", "a - (b - c)",
     "(a + c) - b", "", false, instantiateA7, false, ProofOnly::Both},
    {"A9", AxiomKind::Algebraic, "A summand cancels.", "(a + c) - c", "a",
     "c broadcasts into a", false, instantiateA9, false, ProofOnly::Both},
    {"E1", AxiomKind::Algebraic, "Multiplying by a reciprocal.", "a * (1 / b)",
     "a / b", "", true, instantiateE1, false, ProofOnly::Backward},
    {"E3", AxiomKind::Algebraic, "Dividing 1.", "1 / b", "reciprocal(b)",
     "the constant 1", false, instantiateE3, false, ProofOnly::Both},
    {"E4", AxiomKind::Algebraic, "The reciprocal of a quotient.",
     "reciprocal(a / b)", "b / a", "b is not zero where the program is defined",
     false, instantiateE4, false, ProofOnly::Both},
    {"G1", AxiomKind::Algebraic, "Subtracting is adding the negative.", "a - b",
     "a + -b", "", true, instantiateG1, false, ProofOnly::Both},
    {"G2", AxiomKind::Algebraic, "A difference the other way round.", "a - b",
     "-(b - a)", "", false, instantiateG2, false, ProofOnly::Both},
};

ArrayRef<AxiomRecord> prism::getFieldAxiomRecords() { return records; }
