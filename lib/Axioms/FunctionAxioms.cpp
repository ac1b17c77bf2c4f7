//===- FunctionAxioms.cpp - Squares, roots, exponentials ------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What elementwise functions have in common with sums and products, and the
// definitions of composite ones.
//
//===----------------------------------------------------------------------===//

#include "AxiomUtils.h"

using namespace mlir;
using namespace prism;

/// f(a) <-> a * g(a), or a * a if `g` is empty. Payload variables: f, m, g.
static void addAsProduct(const AxiomRecord &record, StringRef f, StringRef g,
                         std::vector<Axiom> &axioms) {
  Axiom axiom = makeAxiom(record);
  std::string fName = ("prism." + f).str(), gName = ("prism." + g).str();
  axiom.left = "(" + fName + "[?f] ?a)";
  axiom.right =
      "(prism.mul[?m] ?a " + (g.empty() ? "?a)" : "(" + gName + "[?g] ?a))");
  axiom.forward = [=, hasFunction = !g.empty()](AxiomMatch &match) {
    unsigned rank = resultRank(match.prototype(0));
    Dims all = firstDims(rank);
    match.payloads[1] = elementwise(match, "prism.mul", all, all, rank);
    if (hasFunction)
      match.payloads[2] = unary(match, gName, rank);
    return true;
  };
  axiom.backward = [=](AxiomMatch &match) {
    const Prototype &m = match.prototype(1);
    unsigned rank = resultRank(m);
    if (!match.require("both factors are read alike",
                       hasAllDims(m, 0) && hasAllDims(m, 1)))
      return false;
    match.payloads[0] = unary(match, fName, rank);
    return true;
  };
  axioms.push_back(std::move(axiom));
}

static void instantiateF10(const AxiomRecord &record, const OpSignature &,
                           const TermLanguage &, std::vector<Axiom> &axioms) {
  addAsProduct(record, "square", "", axioms);
}

static void instantiateF14(const AxiomRecord &record, const OpSignature &,
                           const TermLanguage &, std::vector<Axiom> &axioms) {
  addAsProduct(record, "silu", "sigmoid", axioms);
}

/// f(a (x) b) <-> f(a) (+) f(b), elementwise, where `condition` holds of the
/// facts of a and b. Payload variables: e, m, n, x, y.
static void addHomomorphism(const AxiomRecord &record, StringRef f,
                            StringRef inner, StringRef outer,
                            SideCondition condition,
                            std::vector<Axiom> &axioms) {
  Axiom axiom = makeAxiom(record, "." + inner);
  std::string fName = ("prism." + f).str(),
              innerName = ("prism." + inner).str(),
              outerName = ("prism." + outer).str();
  axiom.left = "(" + fName + "[?e] (" + innerName + "[?m] ?a ?b))";
  axiom.right =
      "(" + outerName + "[?n] (" + fName + "[?x] ?a) (" + fName + "[?y] ?b))";
  auto change = [](AxiomMatch &match, unsigned from, StringRef name) {
    const Prototype &op = match.prototype(from);
    return elementwise(match, name, operandDims(op, 0), operandDims(op, 1),
                       resultRank(op));
  };
  axiom.forward = [=](AxiomMatch &match) {
    if (condition && !condition(match))
      return false;
    const Prototype &m = match.prototype(1);
    unsigned a = operandDims(m, 0).size(), b = operandDims(m, 1).size();
    match.payloads[2] = change(match, 1, outerName);
    match.payloads[3] = unary(match, fName, a);
    match.payloads[4] = unary(match, fName, b);
    return true;
  };
  axiom.backward = [=](AxiomMatch &match) {
    if (condition && !condition(match))
      return false;
    unsigned rank = resultRank(match.prototype(2));
    match.payloads[1] = change(match, 2, innerName);
    match.payloads[0] = unary(match, fName, rank);
    return true;
  };
  axioms.push_back(std::move(axiom));
}

static bool areNonNegative(AxiomMatch &match) {
  return match.require("a, b >= 0", match.fact(0).isNonNegative &&
                                        match.fact(1).isNonNegative);
}

static bool isPositive(AxiomMatch &match) {
  return match.require("a is not zero", match.fact(0).isNonZero) &&
         match.require("a >= 0", match.fact(0).isNonNegative);
}

static void instantiateF12(const AxiomRecord &record, const OpSignature &,
                           const TermLanguage &, std::vector<Axiom> &axioms) {
  addHomomorphism(record, "sqrt", "mul", "mul", areNonNegative, axioms);
  addHomomorphism(record, "sqrt", "div", "div", areNonNegative, axioms);
}

static void instantiateX1(const AxiomRecord &record, const OpSignature &,
                          const TermLanguage &, std::vector<Axiom> &axioms) {
  addHomomorphism(record, "exp", "add", "mul", {}, axioms);
  addHomomorphism(record, "exp", "sub", "div", {}, axioms);
}

static void instantiateX11(const AxiomRecord &record, const OpSignature &,
                           const TermLanguage &, std::vector<Axiom> &axioms) {
  addHomomorphism(record, "log", "mul", "add", areNonNegative, axioms);
  addHomomorphism(record, "log", "div", "sub", areNonNegative, axioms);
}

/// pow(a * b, c) -> pow(a, c) * pow(b, c). Payload variables: m, n, o, q, r.
static void instantiateF13(const AxiomRecord &record, const OpSignature &,
                           const TermLanguage &, std::vector<Axiom> &axioms) {
  Axiom product = makeAxiom(record, ".mul");
  product.left = "(prism.pow[?m] (prism.mul[?n] ?a ?b) ?c)";
  product.right = "(prism.mul[?o] (prism.pow[?q] ?a ?c) (prism.pow[?r] ?b ?c))";
  product.forward = [](AxiomMatch &match) {
    if (!areNonNegative(match))
      return false;
    const Prototype &m = match.prototype(0), &n = match.prototype(1);
    Dims through = operandDims(m, 0), c = operandDims(m, 1), ac, bc;
    Dims a = compose(through, operandDims(n, 0));
    Dims b = compose(through, operandDims(n, 1));
    match.payloads[3] = compactBinary(match, "prism.pow", a, c, ac);
    match.payloads[4] = compactBinary(match, "prism.pow", b, c, bc);
    match.payloads[2] = elementwise(match, "prism.mul", ac, bc, resultRank(m));
    return true;
  };
  axioms.push_back(std::move(product));
  // pow(a, b + c) -> pow(a, b) * pow(a, c).
  Axiom sum = makeAxiom(record, ".add");
  sum.left = "(prism.pow[?m] ?a (prism.add[?n] ?b ?c))";
  sum.right = "(prism.mul[?o] (prism.pow[?q] ?a ?b) (prism.pow[?r] ?a ?c))";
  sum.forward = [](AxiomMatch &match) {
    if (!match.require("a > 0",
                       match.fact(0).isNonZero && match.fact(0).isNonNegative))
      return false;
    const Prototype &m = match.prototype(0), &n = match.prototype(1);
    Dims a = operandDims(m, 0), through = operandDims(m, 1), ab, ac;
    Dims b = compose(through, operandDims(n, 0));
    Dims c = compose(through, operandDims(n, 1));
    match.payloads[3] = compactBinary(match, "prism.pow", a, b, ab);
    match.payloads[4] = compactBinary(match, "prism.pow", a, c, ac);
    match.payloads[2] = elementwise(match, "prism.mul", ab, ac, resultRank(m));
    return true;
  };
  axioms.push_back(std::move(sum));
}

//===----------------------------------------------------------------------===//
// One function after another
//===----------------------------------------------------------------------===//

/// f(g(a)) -> a where `condition` holds of a.
static void addInversePair(const AxiomRecord &record, StringRef f, StringRef g,
                           SideCondition condition,
                           std::vector<Axiom> &axioms) {
  Axiom axiom = makeAxiom(record);
  axiom.left = ("(prism." + f + "[?f] (prism." + g + "[?g] ?a))").str();
  axiom.right = "?a";
  axiom.forward = std::move(condition);
  axioms.push_back(std::move(axiom));
}

/// f(g(a)) <-> h(f(a)), elementwise; h is `after`, or nothing if empty: then
/// left to right only. Payload variables: f, g, h, k.
static void addExchange(const AxiomRecord &record, StringRef f, StringRef g,
                        StringRef after, std::vector<Axiom> &axioms) {
  Axiom axiom = makeAxiom(record);
  axiom.left = ("(prism." + f + "[?f] (prism." + g + "[?g] ?a))").str();
  std::string inner = ("(prism." + f + "[?f] ?a)").str();
  axiom.right =
      after.empty() ? inner : ("(prism." + after + "[?g] " + inner + ")").str();
  if (!after.empty())
    axiom.backward.emplace();
  axioms.push_back(std::move(axiom));
}

static bool isNonNegative(AxiomMatch &match) {
  return match.require("a >= 0", match.fact(0).isNonNegative);
}

static void instantiateF11(const AxiomRecord &record, const OpSignature &,
                           const TermLanguage &, std::vector<Axiom> &axioms) {
  addInversePair(record, "square", "sqrt", isNonNegative, axioms);
}

static void instantiateF11Root(const AxiomRecord &record, const OpSignature &,
                               const TermLanguage &,
                               std::vector<Axiom> &axioms) {
  addInversePair(record, "sqrt", "square", isNonNegative, axioms);
}

static void instantiateF15(const AxiomRecord &record, const OpSignature &,
                           const TermLanguage &, std::vector<Axiom> &axioms) {
  addExchange(record, "square", "neg", "", axioms);
}

static void instantiateG3(const AxiomRecord &record, const OpSignature &,
                          const TermLanguage &, std::vector<Axiom> &axioms) {
  addInversePair(record, "neg", "neg", {}, axioms);
}

static void instantiateE5(const AxiomRecord &record, const OpSignature &,
                          const TermLanguage &, std::vector<Axiom> &axioms) {
  addExchange(record, "reciprocal", "sqrt", "sqrt", axioms);
}

/// a / sqrt(b / c) <-> a * sqrt(c / b). Payload variables: m, s, n, o, q.
static void instantiateE6(const AxiomRecord &record, const OpSignature &,
                          const TermLanguage &, std::vector<Axiom> &axioms) {
  Axiom axiom = makeAxiom(record);
  axiom.left = "(prism.div[?m] ?a (prism.sqrt[?s] (prism.div[?n] ?b ?c)))";
  axiom.right = "(prism.mul[?o] ?a (prism.sqrt[?s] (prism.div[?q] ?c ?b)))";
  auto exchange = [](unsigned outer, unsigned inner, StringRef newOuter,
                     unsigned newOuterVar, unsigned newInnerVar) {
    return [=](AxiomMatch &match) {
      // A root of 0 / 0 is as little defined as the other.
      if (!match.require("c is not zero", match.fact(2).isNonZero))
        return false;
      const Prototype &m = match.prototype(outer), &n = match.prototype(inner);
      match.payloads[newOuterVar] = elementwise(
          match, newOuter, operandDims(m, 0), operandDims(m, 1), resultRank(m));
      match.payloads[newInnerVar] =
          elementwise(match, "prism.div", operandDims(n, 1), operandDims(n, 0),
                      resultRank(n));
      return true;
    };
  };
  axiom.forward = exchange(0, 2, "prism.mul", 3, 4);
  axiom.backward = exchange(3, 4, "prism.div", 0, 2);
  axioms.push_back(std::move(axiom));
}

static void instantiateX12(const AxiomRecord &record, const OpSignature &,
                           const TermLanguage &, std::vector<Axiom> &axioms) {
  addInversePair(record, "log", "exp", {}, axioms);
}

static void instantiateX13(const AxiomRecord &record, const OpSignature &,
                           const TermLanguage &, std::vector<Axiom> &axioms) {
  addInversePair(record, "exp", "log", isPositive, axioms);
}

//===----------------------------------------------------------------------===//
// Definitions
//===----------------------------------------------------------------------===//

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

/// A rank's worth of `name`, binding `count` constants beside it, ends here:
/// what is read through no dim is repeated everywhere.
static PrototypeId withConstant(AxiomMatch &match, StringRef name,
                                unsigned rank) {
  return elementwise(match, name, firstDims(rank), {}, rank);
}

/// sigmoid(a) -> 1 / (1 + exp(-a)). Payload variables: s, r, p, e, g, k.
static void instantiateD2(const AxiomRecord &record, const OpSignature &,
                          const TermLanguage &, std::vector<Axiom> &axioms) {
  Axiom axiom = makeAxiom(record);
  axiom.left = "(prism.sigmoid[?s] ?a)";
  axiom.right = "(prism.reciprocal[?r] (prism.add[?p] (prism.exp[?e] "
                "(prism.neg[?g] ?a)) prism.constant[?k]))";
  axiom.forward = [](AxiomMatch &match) {
    if (!match.require("a does not vary", match.fact(0).free.empty()))
      return false;
    unsigned rank = resultRank(match.prototype(0));
    match.payloads[1] = unary(match, "prism.reciprocal", rank);
    match.payloads[2] = withConstant(match, "prism.add", rank);
    match.payloads[3] = unary(match, "prism.exp", rank);
    match.payloads[4] = unary(match, "prism.neg", rank);
    match.payloads[5] = constant(match, 1);
    return true;
  };
  axioms.push_back(std::move(axiom));
}

/// gelu(a) -> (a * 1/2) * (erf(a * sqrt(1/2)) + 1). Payload variables: f, m, n,
/// h, p, e, q, r, k.
static void instantiateD3(const AxiomRecord &record, const OpSignature &,
                          const TermLanguage &, std::vector<Axiom> &axioms) {
  Axiom axiom = makeAxiom(record);
  axiom.left = "(prism.gelu[?f] ?a)";
  axiom.right = "(prism.mul[?m] (prism.mul[?n] ?a prism.constant[?h]) "
                "(prism.add[?p] (prism.erf[?e] (prism.mul[?n] ?a "
                "(prism.sqrt[?r] prism.constant[?h]))) prism.constant[?k]))";
  axiom.forward = [](AxiomMatch &match) {
    auto gelu = cast<GeluOp>(match.prototype(0).op);
    if (!match.require("a does not vary", match.fact(0).free.empty()) ||
        !match.require("it is not the approximation by tanh",
                       gelu.getKind() == GeluKind::Erf))
      return false;
    unsigned rank = resultRank(match.prototype(0));
    match.payloads[1] =
        elementwise(match, "prism.mul", firstDims(rank), firstDims(rank), rank);
    match.payloads[2] = withConstant(match, "prism.mul", rank);
    match.payloads[3] = constant(match, 0.5);
    match.payloads[4] = withConstant(match, "prism.add", rank);
    match.payloads[5] = unary(match, "prism.erf", rank);
    match.payloads[6] = unary(match, "prism.sqrt", 0);
    match.payloads[7] = constant(match, 1);
    return true;
  };
  axioms.push_back(std::move(axiom));
}

/// relu(a) <-> max(a, 0). Payload variables: f, m, k.
static void instantiateD4(const AxiomRecord &record, const OpSignature &,
                          const TermLanguage &, std::vector<Axiom> &axioms) {
  Axiom axiom = makeAxiom(record);
  axiom.left = "(prism.relu[?f] ?a)";
  axiom.right = "(prism.max[?m] ?a prism.constant[?k])";
  axiom.forward = [](AxiomMatch &match) {
    if (!match.require("a does not vary", match.fact(0).free.empty()))
      return false;
    unsigned rank = resultRank(match.prototype(0));
    match.payloads[1] = withConstant(match, "prism.max", rank);
    match.payloads[2] = constant(match, 0);
    return true;
  };
  axiom.backward = [](AxiomMatch &match) {
    const Prototype &m = match.prototype(1);
    if (!match.require("the constant is 0",
                       isConstant(match.prototype(2), 0)) ||
        !match.require("a is not permuted", hasAllDims(m, 0)))
      return false;
    match.payloads[0] = unary(match, "prism.relu", resultRank(m));
    return true;
  };
  axioms.push_back(std::move(axiom));
}

/// select(c, a, a) -> a. Payload variable: f.
static void instantiateD5(const AxiomRecord &record, const OpSignature &,
                          const TermLanguage &, std::vector<Axiom> &axioms) {
  Axiom axiom = makeAxiom(record);
  axiom.left = "(prism.select[?f] ?c ?a ?a)";
  axiom.right = "?a";
  axiom.forward = [](AxiomMatch &match) {
    const Prototype &f = match.prototype(0);
    return match.require("a is read as it is, by both",
                         hasAllDims(f, 1) && hasAllDims(f, 2));
  };
  axioms.push_back(std::move(axiom));
}

/// max(a, a) -> a; also the minimum. Payload variable: f.
static void instantiateF16(const AxiomRecord &record, const OpSignature &,
                           const TermLanguage &, std::vector<Axiom> &axioms) {
  for (StringRef name : {"max", "min"}) {
    Axiom axiom = makeAxiom(record, "." + name);
    axiom.left = ("(prism." + name + "[?f] ?a ?a)").str();
    axiom.right = "?a";
    axiom.forward = [](AxiomMatch &match) {
      const Prototype &f = match.prototype(0);
      return match.require("both are read alike",
                           hasAllDims(f, 0) && hasAllDims(f, 1));
    };
    axioms.push_back(std::move(axiom));
  }
}

static const AxiomRecord records[] = {
    {"F10", AxiomKind::Algebraic, "A square is a product.", "square(a)",
     "a * a", "", true, instantiateF10, false},
    {"F11", AxiomKind::Algebraic, "The square of a root.", "square(sqrt(a))",
     "a", "a >= 0 where the program is defined", false, instantiateF11, false},
    {"F11r", AxiomKind::Algebraic, "The root of a square.", "sqrt(square(a))",
     "a", "a >= 0 where the program is defined", false, instantiateF11Root,
     false, ProofOnly::Both},
    {"F12", AxiomKind::Algebraic, "The root of a product.", "sqrt(a * b)",
     "sqrt(a) * sqrt(b)",
     "a, b >= 0 where the program is defined; also for a / b", true,
     instantiateF12, false, ProofOnly::Both},
    {"F13", AxiomKind::Algebraic, "A power of a product.", "(a * b) ^ c",
     "a ^ c * b ^ c",
     "a, b >= 0 where the program is defined; also a ^ (b + c) = a ^ b * a ^ "
     "c, "
     "where a > 0",
     false, instantiateF13, false, ProofOnly::Both},
    {"F14", AxiomKind::Algebraic, "What silu is.", "silu(a)", "a * sigmoid(a)",
     "", true, instantiateF14, false},
    {"F15", AxiomKind::Algebraic, "The square of a negative.", "square(-a)",
     "square(a)", "", false, instantiateF15, false, ProofOnly::Both},
    {"F16", AxiomKind::Algebraic, "The larger of a and a.", "max(a, a)", "a",
     "also the smaller", false, instantiateF16, false, ProofOnly::Both},
    {"G3", AxiomKind::Algebraic, "The negative of a negative.", "-(-a)", "a",
     "", false, instantiateG3, false, ProofOnly::Both},
    {"X1", AxiomKind::Algebraic, "The exponential of a sum.", "exp(a + b)",
     "exp(a) * exp(b)", "also exp(a - b) = exp(a) / exp(b)", true,
     instantiateX1, false},
    {"X11", AxiomKind::Algebraic, "The logarithm of a product.", "log(a * b)",
     "log(a) + log(b)",
     "a, b >= 0 where the program is defined; also log(a / b) = log(a) - "
     "log(b)",
     true, instantiateX11, false, ProofOnly::Both},
    {"X12", AxiomKind::Algebraic, "The logarithm of an exponential.",
     "log(exp(a))", "a", "", false, instantiateX12, false, ProofOnly::Both},
    {"X13", AxiomKind::Algebraic, "The exponential of a logarithm.",
     "exp(log(a))", "a", "a > 0 where the program is defined", false,
     instantiateX13, false, ProofOnly::Both},
    {"E2", AxiomKind::Algebraic, "What rsqrt is.", "rsqrt(a)", "1 / sqrt(a)",
     "", true, instantiateE2, false},
    {"E5", AxiomKind::Algebraic, "The reciprocal of a root.", "1 / sqrt(a)",
     "sqrt(1 / a)", "", true, instantiateE5, false, ProofOnly::Both},
    {"E6", AxiomKind::Algebraic, "Dividing by the root of a quotient.",
     "a / sqrt(b / c)", "a * sqrt(c / b)",
     "c is not zero where the program is defined", true, instantiateE6, false},
    {"D2", AxiomKind::Algebraic, "What sigmoid is.", "sigmoid(a)",
     "1 / (exp(-a) + 1)", "a has no free parallel dim", false, instantiateD2,
     false, ProofOnly::Both},
    {"D3", AxiomKind::Algebraic, "What gelu is.", "gelu(a)",
     "(a * 1/2) * (erf(a * sqrt(1/2)) + 1)",
     "a has no free parallel dim; not the approximation by tanh", false,
     instantiateD3, false, ProofOnly::Both},
    {"D4", AxiomKind::Algebraic, "What relu is.", "relu(a)", "max(a, 0)",
     "a has no free parallel dim", true, instantiateD4, false, ProofOnly::Both},
    {"D5", AxiomKind::Algebraic, "Either of a and a.", "select(c, a, a)", "a",
     "a has the shape of the result", false, instantiateD5, false,
     ProofOnly::Both},
};

ArrayRef<AxiomRecord> prism::getFunctionAxiomRecords() { return records; }
