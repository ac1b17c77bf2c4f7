//===- DimExpr.cpp - Symbolic extents of tensors and tiles ----------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Equation (3) as an expression type. The canonical text of an expression is
// its identity: atoms are sorted inside a monomial and monomials inside a sum
// by that text, so equality, order and hashing need nothing else.
//
//===----------------------------------------------------------------------===//

#include "Prism/Symbolic/DimExpr.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace prism;
using llvm::StringRef;

llvm::raw_ostream &prism::operator<<(llvm::raw_ostream &os,
                                     const Split &split) {
  os << split.dim;
  if (split.variable)
    os << "?m" << *split.variable;
  return os;
}

llvm::hash_code prism::hash_value(const Split &split) {
  return llvm::hash_combine(split.dim,
                            split.variable ? *split.variable + 1 : 0);
}

/// A symbol (no base) or the quotient of `base` by `split`.
struct DimExpr::Atom {
  std::string text;
  DimExpr base;
  Split split;

  bool isSymbol() const { return base.isUnknown(); }
};

struct DimExpr::Monomial {
  int64_t coefficient = 1;
  llvm::SmallVector<Atom, 2> factors; // sorted by text

  std::string factorText() const {
    return llvm::join(
        llvm::map_range(factors, [](const Atom &a) { return a.text; }), "*");
  }
};

struct DimExpr::Node {
  Monomials monomials; // sorted by factorText, no zero coefficient
  std::string text;
};

static std::string printMonomial(int64_t coefficient, StringRef factors) {
  if (factors.empty())
    return llvm::itostr(coefficient);
  if (coefficient == 1)
    return factors.str();
  return llvm::itostr(coefficient) + "*" + factors.str();
}

DimExpr::DimExpr(Atom atom) {
  auto result = std::make_shared<Node>();
  result->text = atom.text;
  result->monomials.emplace_back().factors.push_back(std::move(atom));
  node = std::move(result);
}

DimExpr::DimExpr(Monomials monomials) {
  // Constants last: `n + 1` rather than `1 + n`.
  if (monomials.size() > 1)
    llvm::sort(monomials, [](const Monomial &a, const Monomial &b) {
      if (a.factors.empty() != b.factors.empty())
        return b.factors.empty();
      return a.factorText() < b.factorText();
    });
  Monomials merged;
  for (Monomial &monomial : monomials) {
    if (!merged.empty() &&
        merged.back().factorText() == monomial.factorText()) {
      int64_t sum;
      if (llvm::AddOverflow(merged.back().coefficient, monomial.coefficient,
                            sum))
        return; // unknown
      merged.back().coefficient = sum;
      continue;
    }
    merged.push_back(std::move(monomial));
  }
  llvm::erase_if(merged, [](const Monomial &m) { return m.coefficient == 0; });
  if (merged.size() > maxTerms)
    return; // unknown

  auto result = std::make_shared<Node>();
  for (const Monomial &monomial : merged) {
    if (!result->text.empty())
      result->text += " + ";
    result->text += printMonomial(monomial.coefficient, monomial.factorText());
  }
  if (merged.empty())
    result->text = "0";
  result->monomials = std::move(merged);
  node = std::move(result);
}

DimExpr DimExpr::constant(int64_t value) {
  Monomial monomial;
  monomial.coefficient = value;
  return DimExpr(Monomials{monomial});
}

DimExpr DimExpr::symbol(StringRef name) {
  return DimExpr(Atom{name.str(), DimExpr(), {}});
}

DimExpr DimExpr::quotient(const DimExpr &base, Split split) {
  if (base.isUnknown() || base.isOne())
    return base;
  // Only a sum or a product needs parentheses: quotients nest to the left.
  std::string text = base.singleAtom() || base.asConstant()
                         ? base.str().str()
                         : "(" + base.str().str() + ")";
  text += '/';
  text += split.dim;
  if (split.variable)
    text += "?m" + std::to_string(*split.variable);
  return DimExpr(Atom{std::move(text), base, std::move(split)});
}

std::optional<int64_t> DimExpr::asConstant() const {
  if (!node)
    return std::nullopt;
  if (node->monomials.empty())
    return 0;
  if (node->monomials.size() != 1 || !node->monomials.front().factors.empty())
    return std::nullopt;
  return node->monomials.front().coefficient;
}

const DimExpr::Atom *DimExpr::singleAtom() const {
  if (!node || node->monomials.size() != 1)
    return nullptr;
  const Monomial &monomial = node->monomials.front();
  if (monomial.coefficient != 1 || monomial.factors.size() != 1)
    return nullptr;
  return &monomial.factors.front();
}

StringRef DimExpr::asSymbol() const {
  const Atom *atom = singleAtom();
  return atom && atom->isSymbol() ? StringRef(atom->text) : StringRef();
}

bool DimExpr::isQuotient() const {
  const Atom *atom = singleAtom();
  return atom && !atom->isSymbol();
}

const DimExpr &DimExpr::quotientBase() const {
  assert(isQuotient() && "not a quotient");
  return singleAtom()->base;
}

const Split &DimExpr::quotientSplit() const {
  assert(isQuotient() && "not a quotient");
  return singleAtom()->split;
}

DimExpr DimExpr::operator+(const DimExpr &other) const {
  if (isUnknown() || other.isUnknown())
    return DimExpr();
  Monomials sum = node->monomials;
  llvm::append_range(sum, other.node->monomials);
  return DimExpr(std::move(sum));
}

bool DimExpr::multiplyInto(const Monomial &a, const Monomial &b,
                           Monomial &out) {
  if (llvm::MulOverflow(a.coefficient, b.coefficient, out.coefficient) ||
      a.factors.size() + b.factors.size() > maxTerms)
    return false;
  out.factors = a.factors;
  out.factors.append(b.factors.begin(), b.factors.end());
  llvm::sort(out.factors,
             [](const Atom &l, const Atom &r) { return l.text < r.text; });
  return true;
}

DimExpr DimExpr::operator*(const DimExpr &other) const {
  if (isUnknown() || other.isUnknown())
    return DimExpr();
  Monomials product;
  for (const Monomial &a : node->monomials)
    for (const Monomial &b : other.node->monomials)
      if (!multiplyInto(a, b, product.emplace_back()))
        return DimExpr();
  return DimExpr(std::move(product));
}

StringRef DimExpr::str() const { return node ? StringRef(node->text) : "?"; }

bool DimExpr::operator==(const DimExpr &other) const {
  return node == other.node || str() == other.str();
}

bool DimExpr::operator<(const DimExpr &other) const {
  return str() < other.str();
}

DimExpr
DimExpr::mapAtoms(llvm::function_ref<DimExpr(const Atom &)> replace) const {
  if (!node || asConstant())
    return *this;
  if (const Atom *atom = singleAtom())
    return replace(*atom);
  DimExpr sum = constant(0);
  for (const Monomial &monomial : node->monomials) {
    DimExpr product = constant(monomial.coefficient);
    for (const Atom &atom : monomial.factors)
      product = product * replace(atom);
    sum = sum + product;
  }
  return sum;
}

DimExpr DimExpr::withoutSplits() const {
  if (!asSymbol().empty())
    return *this;
  return mapAtoms([](const Atom &atom) {
    return atom.isSymbol() ? symbol(atom.text) : atom.base.withoutSplits();
  });
}

DimExpr DimExpr::replaceSymbols(
    llvm::function_ref<std::optional<DimExpr>(StringRef)> replacement) const {
  return mapAtoms([&](const Atom &atom) {
    if (!atom.isSymbol())
      return quotient(atom.base.replaceSymbols(replacement), atom.split);
    std::optional<DimExpr> replaced = replacement(atom.text);
    return replaced ? *replaced : symbol(atom.text);
  });
}

DimExpr DimExpr::replaceSplits(
    llvm::function_ref<std::optional<Split>(const Split &)> rewrite) const {
  if (!asSymbol().empty())
    return *this;
  return mapAtoms([&](const Atom &atom) {
    if (atom.isSymbol())
      return symbol(atom.text);
    DimExpr base = atom.base.replaceSplits(rewrite);
    std::optional<Split> split = rewrite(atom.split);
    return split ? quotient(base, std::move(*split)) : base;
  });
}

void DimExpr::walkSymbols(llvm::function_ref<void(StringRef)> callback) const {
  if (!node)
    return;
  for (const Monomial &monomial : node->monomials)
    for (const Atom &atom : monomial.factors)
      atom.isSymbol() ? callback(atom.text) : atom.base.walkSymbols(callback);
}

void DimExpr::walkSplits(
    llvm::function_ref<void(const Split &)> callback) const {
  if (!node)
    return;
  for (const Monomial &monomial : node->monomials)
    for (const Atom &atom : monomial.factors) {
      if (atom.isSymbol())
        continue;
      atom.base.walkSplits(callback);
      callback(atom.split);
    }
}

void DimExpr::walkTerms(
    llvm::function_ref<void(int64_t, llvm::ArrayRef<DimExpr>)> callback) const {
  if (!node)
    return;
  for (const Monomial &monomial : node->monomials) {
    llvm::SmallVector<DimExpr> factors;
    for (const Atom &atom : monomial.factors)
      factors.push_back(atom.isSymbol() ? symbol(atom.text)
                                        : quotient(atom.base, atom.split));
    callback(monomial.coefficient, factors);
  }
}

std::optional<int64_t> DimExpr::evaluate(
    llvm::function_ref<std::optional<int64_t>(StringRef)> symbolValue,
    llvm::function_ref<std::optional<int64_t>(StringRef)> tileExtent) const {
  if (!node)
    return std::nullopt;
  auto atomValue = [&](const Atom &atom) -> std::optional<int64_t> {
    if (atom.isSymbol())
      return symbolValue(atom.text);
    if (atom.split.variable)
      return std::nullopt;
    std::optional<int64_t> base = atom.base.evaluate(symbolValue, tileExtent);
    std::optional<int64_t> tile = tileExtent(atom.split.dim);
    if (!base || !tile)
      return std::nullopt;
    return std::min(*base, *tile);
  };
  int64_t sum = 0;
  for (const Monomial &monomial : node->monomials) {
    int64_t product = monomial.coefficient;
    for (const Atom &atom : monomial.factors) {
      std::optional<int64_t> value = atomValue(atom);
      if (!value || llvm::MulOverflow(product, *value, product))
        return std::nullopt;
    }
    if (llvm::AddOverflow(sum, product, sum))
      return std::nullopt;
  }
  return sum;
}

llvm::raw_ostream &prism::operator<<(llvm::raw_ostream &os,
                                     const DimExpr &expr) {
  return os << expr.str();
}
