//===- NormalForm.cpp - Normal forms of mapped candidates -----------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates a kernel from its savers down, with a name for each index: r0, r1,
// ... for those of the result, {b1}, {b2}, ... for those of sums, numbered from
// the innermost sum outwards, so that a sum has one name wherever it stands.
//
//===----------------------------------------------------------------------===//

#include "Prism/Search/NormalForm.h"
#include "Prism/Search/Describe.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include <map>
#include <numeric>
#include <set>

using namespace mlir;
using namespace prism;

namespace {

/// A power.
struct Exponent {
  int64_t numerator = 0, denominator = 1;

  Exponent operator+(Exponent other) const {
    return reduced(numerator * other.denominator +
                       other.numerator * denominator,
                   denominator * other.denominator);
  }
  Exponent scaled(int64_t by, int64_t over) const {
    return reduced(numerator * by, denominator * over);
  }
  static Exponent reduced(int64_t n, int64_t d) {
    int64_t gcd = std::gcd(n, d);
    return gcd ? Exponent{n / gcd, d / gcd} : Exponent{0, 1};
  }
};

/// A product of powers of atoms, each of which is a text.
using Monomial = std::map<std::string, Exponent>;
using Names = SmallVector<std::string>;

Monomial getAtom(std::string text) { return {{std::move(text), {1, 1}}}; }

/// The factor -1.
constexpr StringLiteral minusOne = "#-1";

std::string toText(const Monomial &monomial) {
  std::string text;
  for (const auto &[atom, exponent] : monomial) {
    text += (text.empty() ? "" : " * ") + atom;
    if (exponent.numerator != 1 || exponent.denominator != 1)
      text += "^" + std::to_string(exponent.numerator);
    if (exponent.denominator != 1)
      text += "/" + std::to_string(exponent.denominator);
  }
  return text.empty() ? "1" : text;
}

void replaceAll(std::string &text, StringRef from, StringRef to) {
  for (size_t at = 0;
       (at = text.find(from.data(), at, from.size())) != std::string::npos;
       at += to.size())
    text.replace(at, from.size(), to.data(), to.size());
}

/// The number of the next sum outwards.
unsigned getNextBinder(StringRef text) {
  unsigned highest = 0;
  while (!text.empty()) {
    auto [before, after] = text.split("{b");
    unsigned number = 0;
    if (!after.consumeInteger(10, number))
      highest = std::max(highest, number);
    text = after;
  }
  return highest + 1;
}

/// Whether the atom has no index: a constant, or an extent.
bool isScalar(StringRef atom) {
  return atom.find_first_of("[(") == StringRef::npos;
}

/// Constant factors of kernels' results, which the kernels that read them
/// take over: one place for a scale.
using Scales = llvm::DenseMap<Value, Monomial>;

class KernelNormalizer {
public:
  KernelNormalizer(KernelOp kernel, Scales &scales, bool withMaps)
      : kernel(kernel), scales(scales), withMaps(withMaps) {}

  std::string run() {
    std::string text;
    for (auto [result, value] :
         llvm::zip_equal(kernel.getResults(), kernel.getYield().getValues())) {
      auto save = value.getDefiningOp<SaveOp>();
      Monomial body = evaluate(save.getTile(),
                               getResultNames(save.getMap().getValue().size()));
      if (!save.getPartials().empty())
        body = takeScale(body, scales[result]);
      text += toText(body) + " -> ";
      if (withMaps)
        llvm::raw_string_ostream(text)
            << save.getMap() << ' ' << save.getPartials();
      text += "; ";
    }
    return text;
  }

  /// Whether a factor that was multiplied in is divided out again, or a term
  /// that was added is subtracted.
  bool takesBack() const { return isTakenBack; }

  std::string run(Value value) {
    return toText(evaluate(value, getResultNames(getRank(value.getType()))));
  }

private:
  static Names getResultNames(unsigned rank) {
    Names names;
    for (unsigned dim = 0; dim < rank; ++dim)
      names.push_back("r" + std::to_string(dim));
    return names;
  }

  /// left * right^sign
  Monomial multiply(Monomial left, const Monomial &right, int64_t sign = 1) {
    for (const auto &[atom, exponent] : right) {
      Exponent &before = left[atom], added = exponent.scaled(sign, 1);
      bool isMinus = atom == minusOne;
      isTakenBack |= !isMinus && before.numerator * added.numerator < 0;
      before = before + added;
      if (before.numerator == 0 || (isMinus && before.numerator % 2 == 0))
        left.erase(atom);
    }
    return left;
  }

  /// The element of `value` at the indices `names`.
  Monomial evaluate(Value value, ArrayRef<std::string> names) {
    Operation *op = value.getDefiningOp();
    if (auto load = dyn_cast<LoadOp>(op))
      return evaluateLoad(load, names);
    // What each step holds is, over all steps, what is accumulated.
    if (auto accumulate = dyn_cast<AccumulateOp>(op))
      return evaluate(accumulate.getTile(), names);
    if (auto constant = dyn_cast<ConstantOp>(op))
      return evaluateConstant(constant);
    auto compute = dyn_cast<ComputeOpInterface>(op);
    if (!compute) { // a thread graph
      Names all(names);
      return getAtom(
          evaluateOpaque(op, std::vector<Names>(op->getNumOperands(), all)));
    }
    return evaluateCompute(compute, names);
  }

  /// What is left of `body` without its constant factors.
  static Monomial takeScale(const Monomial &body, Monomial &scale) {
    Monomial rest;
    for (const auto &entry : body)
      (isScalar(entry.first) ? scale : rest).insert(entry);
    return rest;
  }

  Monomial evaluateLoad(LoadOp load, ArrayRef<std::string> names) {
    Value input =
        kernel
            .getInputs()[cast<BlockArgument>(load.getSource()).getArgNumber()];
    std::string text = getTensorName(input);
    Names indices;
    Mapping mapping = load.getMap().getValue();
    for (auto [splits, name] : llvm::zip_equal(mapping, names)) {
      indices.push_back(name);
      if (withMaps)
        for (const Split &split : splits)
          indices.back() += "/" + split.dim;
    }
    return multiply(getAtom(text + "[" + llvm::join(indices, ",") + "]"),
                    scales.lookup(input));
  }

  Monomial evaluateConstant(ConstantOp constant) {
    if (auto number = dyn_cast<FloatAttr>(constant.getValue()))
      if (number.getValueAsDouble() == 1)
        return {};
    std::string text;
    llvm::raw_string_ostream(text) << constant.getValue();
    return getAtom(text);
  }

  //===--- Compute ops ----------------------------------------------------===//

  /// Names of the iteration dims; those that the result lacks get
  /// placeholders, returned in `bound`.
  Names getIterationNames(const IterationStructure &structure,
                          ArrayRef<std::string> names, Names &bound) {
    Names iteration(structure.dims.size());
    for (auto [factors, name] : llvm::zip_equal(structure.resultMap, names))
      for (auto [index, factor] : llvm::enumerate(factors))
        iteration[factor] =
            factors.size() == 1 ? name : name + "." + std::to_string(index);
    for (std::string &name : iteration)
      if (name.empty()) {
        name = "{t" + std::to_string(nextPlaceholder++) + "}";
        bound.push_back(name);
      }
    return iteration;
  }

  std::vector<Names> getOperandNames(const IterationStructure &structure,
                                     const Names &iteration) {
    std::vector<Names> result;
    for (const IndexMap &map : structure.operandMaps) {
      Names &names = result.emplace_back();
      for (const auto &factors : map) {
        std::string &name = names.emplace_back();
        for (unsigned factor : factors)
          name += (name.empty() ? "" : "*") + iteration[factor];
        if (name.empty())
          name = "0";
      }
    }
    return result;
  }

  Monomial evaluateCompute(ComputeOpInterface op, ArrayRef<std::string> names) {
    IterationStructure structure = op.getIterationStructure();
    Names bound;
    Names iteration = getIterationNames(structure, names, bound);
    std::vector<Names> operandNames = getOperandNames(structure, iteration);
    auto operand = [&](unsigned index) {
      return evaluate(op->getOperand(index), operandNames[index]);
    };
    if (isa<TransposeOp, BroadcastOp>(op) ||
        (isa<CastOp>(op) &&
         !getElementType(op->getOperand(0).getType()).isInteger(1)))
      return operand(0);
    if (isa<MulOp>(op))
      return multiply(operand(0), operand(1));
    if (isa<DivOp>(op))
      return multiply(operand(0), operand(1), -1);
    if (isa<ReciprocalOp>(op))
      return multiply({}, operand(0), -1);
    if (isa<NegOp>(op))
      return multiply(getAtom(minusOne.str()), operand(0));
    if (isa<SquareOp>(op))
      return multiply(operand(0), operand(0));
    if (isa<SqrtOp, RsqrtOp>(op))
      return takeRoot(operand(0), isa<SqrtOp>(op) ? 1 : -1);
    if (isa<MatmulOp>(op))
      return sumOver(bound, multiply(operand(0), operand(1)));
    if (isa<ReduceSumOp>(op))
      return sumOver(bound, operand(0));
    if (isa<AddOp>(op))
      return addTerms(operand(0), operand(1));
    if (isa<SubOp>(op))
      return addTerms(operand(0),
                      multiply(getAtom(minusOne.str()), operand(1)));
    std::string text = evaluateOpaque(op, operandNames);
    bind(text, bound);
    return getAtom(text);
  }

  /// The square root, to the power `sign`. Even powers stay below the root:
  /// their sign would be lost.
  Monomial takeRoot(const Monomial &monomial, int64_t sign) {
    bool hasEven = llvm::any_of(monomial, [](const auto &entry) {
      return entry.second.numerator % 2 == 0 && entry.second.denominator == 1;
    });
    if (hasEven)
      return multiply({}, getAtom("sqrt(" + toText(monomial) + ")"), sign);
    Monomial root;
    for (const auto &[atom, exponent] : monomial)
      root[atom] = exponent.scaled(sign, 2);
    return root;
  }

  /// Numbers the placeholders in `text`.
  void bind(std::string &text, ArrayRef<std::string> placeholders) {
    for (const std::string &placeholder : placeholders) {
      std::string name = "{b" + std::to_string(getNextBinder(text)) + "}";
      replaceAll(text, placeholder, name);
    }
  }

  /// Factors without a bound index stand before the sum.
  Monomial sumOver(ArrayRef<std::string> placeholders, const Monomial &body) {
    Monomial before, inside;
    for (const auto &entry : body) {
      bool runs = llvm::any_of(placeholders, [&](const std::string &name) {
        return StringRef(entry.first).contains(name);
      });
      (runs ? inside : before).insert(entry);
    }
    std::string text = "sum";
    for (const std::string &placeholder : placeholders)
      text += placeholder;
    text += "(" + toText(inside) + ")";
    bind(text, placeholders);
    return multiply(before, getAtom(text));
  }

  /// Sums of sums are one sorted sum.
  Monomial addTerms(const Monomial &left, const Monomial &right) {
    SmallVector<std::string> terms;
    for (const Monomial *side : {&left, &right}) {
      auto it = side->size() == 1 ? sums.find(toText(*side)) : sums.end();
      if (it == sums.end())
        terms.push_back(toText(*side));
      else
        terms.append(it->second);
    }
    llvm::sort(terms);
    std::string text = "(" + llvm::join(terms, " + ") + ")";
    sums[text] = terms;
    std::set<std::pair<bool, std::string>> isThere;
    for (const std::string &term : terms)
      addSignedTerms(term, /*minus=*/false, isThere);
    return getAtom(text);
  }

  /// Adds (is subtracted, the rest) of each term, through sums in a sum.
  void addSignedTerms(StringRef term, bool minus,
                      std::set<std::pair<bool, std::string>> &isThere) {
    if (term.consume_front(minusOne)) {
      minus = !minus;
      term.consume_front(" * ");
    }
    if (auto it = sums.find(term.str()); it != sums.end()) {
      for (const std::string &inner : it->second)
        addSignedTerms(inner, minus, isThere);
      return;
    }
    isThere.insert({minus, term.str()});
    isTakenBack |= isThere.count({!minus, term.str()}) != 0;
  }

  std::string evaluateOpaque(Operation *op, ArrayRef<Names> operandNames) {
    std::string text = op->getName().stripDialect().str();
    llvm::raw_string_ostream os(text);
    for (NamedAttribute attribute : op->getAttrDictionary())
      if (attribute.getName() != "indexing_maps" &&
          attribute.getName() != "dims")
        os << ' ' << attribute.getName().getValue() << '='
           << attribute.getValue();
    SmallVector<std::string> operands;
    for (auto [operand, names] :
         llvm::zip_equal(op->getOperands(), operandNames))
      operands.push_back(toText(evaluate(operand, names)));
    if (op->hasTrait<prism::Commutes>())
      llvm::sort(operands);
    os << '(' << llvm::join(operands, ", ") << ')';
    return text;
  }

  KernelOp kernel;
  Scales &scales;
  bool withMaps;
  bool isTakenBack = false;
  unsigned nextPlaceholder = 0;
  std::map<std::string, SmallVector<std::string>> sums;
};

} // namespace

static std::string normalize(CandidateOp candidate, bool withMaps) {
  std::string text;
  Scales scales;
  for (auto kernel : candidate.getBodyBlock().getOps<KernelOp>()) {
    if (withMaps) // tile extents do not count
      for (ParallelDimAttr dim : kernel.getParallelDims())
        text += (dim.getName() +
                 (dim.getKind() == ParallelKind::Grid ? " grid " : " loop "))
                    .str();
    text += KernelNormalizer(kernel, scales, withMaps).run() + "| ";
  }
  return text;
}

std::string prism::getNormalForm(CandidateOp candidate) {
  return normalize(candidate, /*withMaps=*/true);
}

std::string prism::getUnmappedNormalForm(CandidateOp candidate) {
  return normalize(candidate, /*withMaps=*/false);
}

bool prism::takesBack(CandidateOp candidate) {
  Scales scales;
  return llvm::any_of(
      candidate.getBodyBlock().getOps<KernelOp>(), [&](KernelOp kernel) {
        KernelNormalizer normalizer(kernel, scales, /*withMaps=*/false);
        normalizer.run();
        return normalizer.takesBack();
      });
}

std::string prism::getUnmappedNormalForm(KernelOp kernel, Value value) {
  Scales scales;
  return KernelNormalizer(kernel, scales, /*withMaps=*/false).run(value);
}

/// Whether each value of the block differs from step to step of the loop.
static llvm::DenseSet<Operation *> getOpsInLoop(KernelOp kernel) {
  auto isLoop = [&](StringRef name) {
    return cast<GraphOpInterface>(kernel.getOperation())
               .lookupParallelDim(name)
               .getKind() == ParallelKind::Loop;
  };
  llvm::DenseSet<Operation *> inLoop;
  for (Operation &op : kernel.getBodyBlock()) {
    bool varies = llvm::any_of(op.getOperands(), [&](Value operand) {
      Operation *producer = operand.getDefiningOp();
      return producer && inLoop.contains(producer);
    });
    if (auto load = dyn_cast<LoadOp>(op)) {
      Mapping mapping = load.getMap().getValue();
      for (const auto &splits : mapping)
        varies |= llvm::any_of(
            splits, [&](const Split &split) { return isLoop(split.dim); });
    }
    if (varies && !isa<AccumulateOp>(op))
      inLoop.insert(&op);
  }
  return inLoop;
}

SmallVector<unsigned> prism::getFormCost(CandidateOp candidate) {
  SmallVector<unsigned> cost(6, 0);
  for (auto kernel : candidate.getBodyBlock().getOps<KernelOp>()) {
    llvm::DenseSet<Operation *> inLoop = getOpsInLoop(kernel);
    for (Operation &op : kernel.getBodyBlock()) {
      if (isa<AccumulateOp>(op))
        cost[3] += getRank(op.getResult(0).getType());
      auto compute = dyn_cast<ComputeOpInterface>(op);
      if (!compute || isa<CastOp, ConstantOp>(op))
        continue;
      cost[0] += 1;
      cost[1] += compute.getIterationStructure().dims.size();
      cost[2] += op.getNumOperands();
      cost[4] += inLoop.contains(&op);
      if (isa<MatmulOp>(op))
        cost[5] += llvm::count_if(op.getOperands(), [](Value operand) {
          return !operand.getDefiningOp<LoadOp>();
        });
    }
  }
  return cost;
}
