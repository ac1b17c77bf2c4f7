//===- Refute.cpp - Counterexamples ---------------------------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Verify/Refute.h"
#include "Prism/Axioms/Encoder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <random>
#include <set>

using namespace mlir;
using namespace prism;

/// Arguments of more elements than this are not evaluated.
static constexpr int64_t maxElements = 1 << 14;

SizeAssignment prism::chooseSizes(const TermLanguage &language,
                                  unsigned round) {
  SizeAssignment sizes;
  int64_t next = round % 2 ? 5 : 4;
  auto addSymbol = [&](StringRef symbol) {
    if (sizes.symbols.try_emplace(symbol, next).second)
      next = next >= 7 ? 3 : next + 1;
  };
  for (unsigned i = 0; i < language.numArguments(); ++i)
    for (const DimExpr &extent : language.argumentExtents(i))
      extent.walkSymbols(addSymbol);
  auto tileOf = [&](StringRef name) -> int64_t {
    for (auto [id, tile] : sizes.tiles)
      if (language.parallel(id).name == name)
        return tile;
    return 1;
  };
  for (ParallelId id = 0; id < language.numParallel(); ++id) {
    const ParallelDim &dim = language.parallel(id);
    // Kernels that split the same extent do it differently.
    sizes.tiles[id] = 2 + dim.occurrence % 2;
    if (dim.base.isUnknown())
      sizes.tiles[id] = 3;
    // A loop tile divides its grid tile.
    if (dim.base.isQuotient())
      sizes.tiles[id] = round % 2 ? tileOf(dim.base.quotientSplit().dim) : 1;
  }
  return sizes;
}

std::optional<std::vector<NumericTensor>>
prism::chooseArguments(const TermLanguage &language,
                       const SizeAssignment &sizes, unsigned round) {
  std::vector<NumericTensor> arguments;
  std::mt19937_64 random(0x5eed + round);
  for (unsigned i = 0; i < language.numArguments(); ++i) {
    SmallVector<int64_t> extents;
    int64_t count = 1;
    for (const DimExpr &extent : language.argumentExtents(i)) {
      std::optional<int64_t> value = extent.evaluate(
          [&](StringRef symbol) -> std::optional<int64_t> {
            auto it = sizes.symbols.find(symbol);
            if (it == sizes.symbols.end())
              return std::nullopt;
            return it->second;
          },
          [](StringRef) { return std::nullopt; });
      if (!value || *value < 1 || (count *= *value) > maxElements)
        return std::nullopt;
      extents.push_back(*value);
    }
    NumericTensor &argument = arguments.emplace_back(extents);
    int64_t rowLength = extents.empty() ? 1 : extents.back();
    for (auto [at, value] : llvm::enumerate(argument.values)) {
      // Rows of unequal size: else the maximum of a Gram matrix would sit on
      // its diagonal.
      Real scale = 1 + Real(at / rowLength % 5) / 4;
      Real magnitude = 0.2L + Real(random() % 1000) / 1000;
      // Later rounds keep positive, for programs that take roots.
      bool negative = round < 2 && random() % 2;
      value = (negative ? -magnitude : magnitude) * scale;
    }
  }
  return arguments;
}

namespace {
struct Mismatch {
  unsigned result;
  size_t at;
  Real expected, actual;
};
} // namespace

/// The largest difference that rounding cannot explain; none if there is none,
/// or if the expected values are not all finite.
static std::optional<Mismatch> compare(unsigned result,
                                       const NumericTensor &expected,
                                       const NumericTensor &actual,
                                       bool &usable) {
  Real scale = 0;
  for (Real value : expected.values) {
    if (!std::isfinite(value)) {
      usable = false;
      return std::nullopt;
    }
    scale = std::max(scale, std::abs(value));
  }
  if (expected.extents != actual.extents)
    return Mismatch{result, 0, Real(0), Real(0)};
  for (auto [at, want] : llvm::enumerate(expected.values)) {
    Real have = actual.values[at];
    if (!(std::abs(have - want) <= 1e-9L * (scale + 1)))
      return Mismatch{result, at, want, have};
  }
  return std::nullopt;
}

/// The parallel dims that a term names.
static void collectParallel(const TermLanguage &language,
                            const egraph::TermBank &bank, egraph::TermId term,
                            std::set<egraph::TermId> &seen,
                            std::set<ParallelId> &found) {
  if (!seen.insert(term).second)
    return;
  egraph::NodeView node = bank.node(term);
  if (node.op != language.ops.arg && node.op != language.ops.defined &&
      !language.hasPrototype(node.op))
    found.insert(node.payloads.back());
  for (egraph::TermId child : node.children)
    collectParallel(language, bank, child, seen, found);
}

static std::string describe(const TermLanguage &language,
                            const SizeAssignment &sizes,
                            const std::set<ParallelId> &parallel,
                            const Mismatch &mismatch) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "at";
  SmallVector<StringRef> symbols(sizes.symbols.keys());
  llvm::sort(symbols);
  for (StringRef symbol : symbols)
    os << ' ' << symbol << " = " << sizes.symbols.lookup(symbol);
  for (ParallelId id : parallel)
    os << ", " << language.parallel(id).name << " tile "
       << sizes.tiles.find(id)->second;
  os << ", element " << mismatch.at << " of result " << mismatch.result
     << " is " << llvm::format("%.6g", double(mismatch.actual)) << ", expected "
     << llvm::format("%.6g", double(mismatch.expected));
  return text;
}

std::optional<std::string> prism::findCounterexample(
    const TermAnalysis &analysis, const egraph::TermBank &bank,
    ArrayRef<egraph::TermId> expected, ArrayRef<egraph::TermId> actual) {
  const TermLanguage &language = analysis.getLanguage();
  std::set<ParallelId> parallel;
  std::set<egraph::TermId> seen;
  for (egraph::TermId term : actual)
    collectParallel(language, bank, term, seen, parallel);
  std::string first;
  unsigned mismatches = 0;
  for (unsigned round = 0; round < 4 && mismatches < 2; ++round) {
    SizeAssignment sizes = chooseSizes(language, round);
    auto arguments = chooseArguments(language, sizes, round);
    if (!arguments)
      return std::nullopt;
    TermEvaluator evaluator(language, bank, sizes, *arguments);
    bool usable = true;
    std::optional<Mismatch> mismatch;
    for (auto [index, want, have] : llvm::enumerate(expected, actual)) {
      std::optional<NumericTensor> wanted = evaluator.evaluate(want);
      std::optional<NumericTensor> got = evaluator.evaluate(have);
      if (!wanted || !got)
        return std::nullopt;
      if (!mismatch)
        mismatch = compare(index, *wanted, *got, usable);
    }
    if (!usable)
      continue; // The program is not defined here.
    if (!mismatch)
      return std::nullopt;
    if (++mismatches == 1)
      first = describe(language, sizes, parallel, *mismatch);
  }
  if (mismatches < 2)
    return std::nullopt;
  return first;
}
