//===- Laws.h - Laws of tensor programs, to be proved -----------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds both sides of a law over small tensors, and proves them equal in an
// e-graph, from all records or from all but one.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_UNITTESTS_AXIOMS_LAWS_H
#define PRISM_UNITTESTS_AXIOMS_LAWS_H

#include "Prism/Axioms/AxiomRules.h"
#include "Prism/Axioms/Encoder.h"
#include "Prism/Axioms/ProgramGraph.h"
#include "Prism/EGraph/Explain.h"
#include "gtest/gtest.h"
#include <set>

namespace prism::test {

using namespace mlir;
using egraph::TermId;

using Dims = SmallVector<unsigned>;

/// Terms over matrices and vectors whose extents are all n, with two parallel
/// dims, and whether two are equal by the records.
class Laws {
public:
  Laws() : language(load(context)), analysis(language) {
    DimExpr n = DimExpr::symbol("n");
    for (unsigned index = 0; index < 4; ++index)
      for (unsigned rank = 0; rank <= 3; ++rank)
        language.setArgument(4 * index + rank, SmallVector<DimExpr>(rank, n));
    p = language.internParallel(ParallelKind::Grid, n, 0);
    q = language.internParallel(ParallelKind::Loop, n, 0);
    inner = language.internParallel(
        ParallelKind::Loop,
        DimExpr::quotient(n, Split{language.parallel(p).name, std::nullopt}),
        0);
  }

  TermId arg(unsigned index, unsigned rank) {
    return bank.add(language.ops.arg, {}, {4 * index + rank});
  }
  /// Not zero, and positive.
  TermId positive(unsigned index, unsigned rank) {
    return f("exp", arg(index, rank));
  }
  TermId part(TermId t, unsigned d) { return part(t, d, p); }
  TermId part(TermId t, unsigned d, ParallelId id) {
    return bank.add(language.ops.part, {t}, {d, id});
  }
  TermId comb(TermId t, unsigned d) { return comb(t, d, p); }
  TermId comb(TermId t, unsigned d, ParallelId id) {
    return bank.add(language.ops.comb, {t}, {d, id});
  }
  TermId repl(TermId t) { return repl(t, p); }
  TermId repl(TermId t, ParallelId id) {
    return bank.add(language.ops.repl, {t}, {id});
  }
  TermId red(TermId t) { return red(t, p); }
  TermId red(TermId t, ParallelId id) {
    return bank.add(language.ops.red, {t}, {id});
  }
  TermId redmax(TermId t) { return redmax(t, p); }
  TermId redmax(TermId t, ParallelId id) {
    return bank.add(language.ops.redmax, {t}, {id});
  }
  /// A vector, or a matrix with a number for each row.
  TermId rescale(TermId t, TermId m, TermId whole, unsigned rank = 1) {
    IndexMap all = rank == 1 ? map({0}) : map({0, 1});
    PrototypeId g = language.internMapped("prism.mul", {all, map({0})}, all);
    return bank.add(language.ops.rescale, {t, m, whole}, {g});
  }

  TermId f(StringRef name, TermId t) {
    unsigned rank = rankOf(t);
    return add(language.internPlain(("prism." + name).str(), {rank}, rank), t);
  }
  /// Elementwise on tensors of one shape, or by maps.
  TermId f(StringRef name, TermId a, TermId b) {
    Dims all;
    for (unsigned dim = 0; dim < rankOf(a); ++dim)
      all.push_back(dim);
    return f(name, a, all, b, all, all.size());
  }
  TermId f(StringRef name, TermId a, Dims aDims, TermId b, Dims bDims,
           unsigned rank) {
    Dims all;
    for (unsigned dim = 0; dim < rank; ++dim)
      all.push_back(dim);
    return add(language.internMapped(("prism." + name).str(),
                                     {map(aDims), map(bDims)}, map(all)),
               {a, b});
  }
  /// A matrix and a number for each row, or column.
  TermId rows(StringRef name, TermId a, TermId v) {
    return f(name, a, {0, 1}, v, {0}, 2);
  }
  TermId columns(StringRef name, TermId a, TermId v) {
    return f(name, a, {0, 1}, v, {1}, 2);
  }
  TermId reduce(StringRef name, TermId t, int64_t dim) {
    unsigned rank = rankOf(t);
    Builder builder(&context);
    return add(
        language.internPlain(("prism.reduce_" + name).str(), {rank}, rank - 1,
                             {builder.getNamedAttr(
                                 "dims", builder.getDenseI64ArrayAttr({dim}))}),
        t);
  }
  TermId sum(TermId t, int64_t dim) { return reduce("sum", t, dim); }
  TermId max(TermId t, int64_t dim) { return reduce("max", t, dim); }
  TermId matmul(TermId a, TermId b) {
    return add(language.internMapped("prism.matmul", {map({0, 2}), map({2, 1})},
                                     map({0, 1})),
               {a, b});
  }
  /// A matrix and a vector.
  TermId apply(TermId a, TermId v) {
    return add(language.internMapped("prism.matmul", {map({0, 1}), map({1})},
                                     map({0})),
               {a, v});
  }
  TermId batched(TermId a, TermId b) {
    return add(language.internMapped("prism.matmul",
                                     {map({0, 1, 3}), map({0, 3, 2})},
                                     map({0, 1, 2})),
               {a, b});
  }
  /// Batched products with one matrix.
  TermId shared(TermId a, TermId b) {
    return add(language.internMapped("prism.matmul",
                                     {map({0, 1, 3}), map({3, 2})},
                                     map({0, 1, 2})),
               {a, b});
  }
  TermId constant(double value) {
    Builder builder(&context);
    return add(
        language.internPlain(
            "prism.constant", {}, 0,
            {builder.getNamedAttr("value", builder.getF32FloatAttr(value))}),
        {});
  }
  TermId concat(TermId a, TermId b, unsigned dim) {
    SmallVector<DimExpr> extents(rankOf(a), DimExpr::symbol("n"));
    extents[dim] = extents[dim] + extents[dim];
    return move("prism.concat", {a, b}, extents, {number("dim", dim)});
  }
  /// Two elements of a dim.
  TermId slice(TermId t, unsigned dim) {
    SmallVector<DimExpr> extents(rankOf(t), DimExpr::symbol("n"));
    extents[dim] = DimExpr::constant(2);
    return move("prism.slice", {t}, extents,
                {number("dim", dim), number("offset", 1)});
  }
  /// The last two dims become one.
  TermId flatten(TermId t) {
    DimExpr n = DimExpr::symbol("n");
    SmallVector<DimExpr> extents(rankOf(t) - 1, n);
    extents.back() = n * n;
    // Each dim is one iteration dim; the last of the result has two.
    Builder builder(&context);
    SmallVector<Attribute> operandDims, resultDims;
    for (int64_t dim = 0; dim < int64_t(rankOf(t)); ++dim)
      operandDims.push_back(builder.getDenseI64ArrayAttr({dim}));
    resultDims.assign(operandDims.begin(), operandDims.end() - 2);
    resultDims.push_back(builder.getDenseI64ArrayAttr(
        {int64_t(rankOf(t)) - 2, int64_t(rankOf(t)) - 1}));
    return move("prism.reshape", {t}, extents,
                {builder.getNamedAttr("operand_dims",
                                      builder.getArrayAttr(operandDims)),
                 builder.getNamedAttr("result_dims",
                                      builder.getArrayAttr(resultDims))});
  }
  /// A vector as each row of a matrix.
  TermId repeat(TermId t) {
    Builder builder(&context);
    return move(
        "prism.broadcast", {t}, {DimExpr::symbol("n"), DimExpr::symbol("n")},
        {builder.getNamedAttr("dims", builder.getDenseI64ArrayAttr({1}))});
  }
  TermId transpose(TermId t, ArrayRef<int64_t> permutation = {1, 0}) {
    Builder builder(&context);
    unsigned rank = permutation.size();
    return add(
        language.internPlain(
            "prism.transpose", {rank}, rank,
            {builder.getNamedAttr("permutation",
                                  builder.getDenseI64ArrayAttr(permutation))}),
        t);
  }
  /// A tensor of the same type of which the records say nothing: its dim
  /// cannot be split.
  TermId opaque(TermId t, unsigned dim) {
    unsigned rank = rankOf(t);
    return add(language.internPlain("prism.softmax", {rank}, rank,
                                    {number("dim", dim)}),
               t);
  }
  TermId sel(TermId t) { return bank.add(language.ops.sel, {t}, {p}); }
  TermId stack(TermId t) { return bank.add(language.ops.stack, {t}, {p}); }
  TermId gelu(TermId t) {
    unsigned rank = rankOf(t);
    auto erf = GeluKindAttr::get(&context, GeluKind::Erf);
    return add(language.internPlain(
                   "prism.gelu", {rank}, rank,
                   {NamedAttribute(StringAttr::get(&context, "kind"), erf)}),
               t);
  }
  TermId select(TermId c, TermId a, TermId b) {
    IndexMap all = map({0});
    return add(language.internMapped("prism.select", {all, all, all}, all),
               {c, a, b});
  }

  /// One of the laws that are to hold.
  struct Law {
    std::string row; ///< The rows of the table that it states, and remarks.
    TermId left, right;
  };
  void add(StringRef row, TermId left, TermId right) {
    list.push_back({row.str(), left, right});
  }
  std::vector<Law> list;

  /// Why two terms are equal, or not.
  struct Proof {
    bool holds = false;
    std::set<std::string> records; ///< Of its steps.
    std::string why;               ///< If it does not hold.
  };

  /// Whether the records make both equal, those but `without`. Both are
  /// well-typed, or it is no law.
  Proof prove(TermId a, TermId b, StringRef without = "",
              AxiomReach reach = AxiomReach::Full) {
    Proof proof;
    TermFacts facts(analysis, bank);
    for (TermId term : {a, b})
      if (facts.of(term).isIllTyped) {
        proof.why = "ill-typed: " + language.print(bank, term);
        return proof;
      }
    AxiomRules rules(analysis, reach, without);
    rules.setMaxTermSize(std::max(facts.of(a).size, facts.of(b).size) + 1);
    egraph::EGraph graph({/*proofs=*/true, &analysis});
    egraph::Id left = addTerm(graph, bank, a), right = addTerm(graph, bank, b);
    egraph::Limits limits{/*nodes=*/20000, /*iterations=*/32};
    auto equal = [&](const egraph::EGraph &now) {
      return now.equal(left, right);
    };
    egraph::saturate(graph, rules.rules(), limits, nullptr, equal);
    proof.holds = graph.equal(left, right);
    if (!proof.holds) {
      proof.why =
          language.print(bank, a) + " is not " + language.print(bank, b);
      return proof;
    }
    egraph::Explanation explanation =
        llvm::cantFail(egraph::explain(graph, left, right));
    for (const egraph::ProofStep &step : explanation.steps)
      proof.records.insert(getAxiomRecord(rules.axioms()[step.rule]).id.str());
    return proof;
  }

  ParallelId p, q;
  ParallelId inner; ///< Splits the chunks along p.

private:
  NamedAttribute number(StringRef name, int64_t value) {
    Builder builder(&context);
    return builder.getNamedAttr(name, builder.getI64IntegerAttr(value));
  }
  /// An op whose result has extents of its own, on tensors of extents n.
  TermId move(StringRef name, ArrayRef<TermId> operands,
              ArrayRef<DimExpr> extents, ArrayRef<NamedAttribute> attributes) {
    mlir::Type f32 = Float32Type::get(&context);
    Location loc = UnknownLoc::get(&context);
    Block block;
    OperationState state(loc, name);
    for (TermId operand : operands)
      state.addOperands(block.addArgument(
          SymbolicTensorType::get(
              &context,
              SmallVector<DimExpr>(rankOf(operand), DimExpr::symbol("n")), f32),
          loc));
    state.addTypes(SymbolicTensorType::get(&context, extents, f32));
    state.addAttributes(attributes);
    OwningOpRef<Operation *> op(Operation::create(state));
    return add(language.internPrototype(*op), operands);
  }
  static MLIRContext *load(MLIRContext &context) {
    context.loadDialect<PrismDialect>();
    return &context;
  }
  static IndexMap map(const Dims &dims) {
    IndexMap result;
    for (unsigned dim : dims)
      result.push_back({dim});
    return result;
  }
  TermId add(PrototypeId id, ArrayRef<TermId> operands) {
    return bank.add(language.prototype(id).operatorId, operands, {id});
  }
  unsigned rankOf(TermId term) {
    return TermFacts(analysis, bank).of(term).extents.size();
  }

  MLIRContext context;
  TermLanguage language;
  TermAnalysis analysis;
  egraph::TermBank bank;
};

} // namespace prism::test

#endif // PRISM_UNITTESTS_AXIOMS_LAWS_H
