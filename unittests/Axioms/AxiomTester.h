//===- AxiomTester.h - Axioms on random instances ---------------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Instantiates an axiom on random well-typed terms. Wherever its side condition
// holds, both sides must have one type, and at random sizes, ragged ones among
// them, the same values: in float64, in extended precision, and, unless the
// axiom says something about a function that is no field operation, exactly
// modulo a large prime. With zeros and negative numbers among the arguments the
// sides must be defined at the same places, and have the signs that are known
// of them, by the e-graph's analysis and by the checker's rules, which must
// agree on types; with -inf among them (chunks and whole rows), the left side
// wherever the right one is.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_UNITTESTS_AXIOMS_AXIOMTESTER_H
#define PRISM_UNITTESTS_AXIOMS_AXIOMTESTER_H

#include "../../lib/Verify/TypingRules.h"
#include "Prism/Axioms/Axioms.h"
#include "Prism/Axioms/Encoder.h"
#include "Prism/EGraph/Pattern.h"
#include "Prism/Verify/Evaluate.h"
#include <deque>
#include <random>
#include <set>

namespace prism::test {

/// What is wrong with an instance.
enum class Flaw { None, WrongValue, IllTyped, LostDefinedness, NoRightSide };

struct Outcome {
  unsigned instances = 0;
  /// Instances where some value of both sides was enclosed in an interval
  /// narrower than a billionth of it.
  unsigned enclosed = 0;
  Flaw flaw = Flaw::None;
  std::string failure; ///< The first instance that is wrong.
};

struct TestRun {
  unsigned tries = 4000; ///< Random terms.
  unsigned wanted = 40;  ///< Instances of the axiom among them.
  bool backward = false;
  /// Only instances where this condition does not hold, taken as if it did.
  llvm::StringRef waived = {};
  bool isExact = true;   ///< Holds modulo a prime, too.
  bool isMasked = false; ///< -inf among the arguments.
  /// With isMasked: values are compared where both sides are defined, only.
  bool mayLoseDefinedness = false;
  /// Instances whose right side is ill-typed do not count.
  bool isTyped = false;
  /// Makes another pattern of the side that is built.
  std::function<egraph::Pattern(const egraph::Pattern &)> change = nullptr;
  /// A payload variable that the condition binds, to have another value.
  egraph::VarId changedPayload = egraph::None;
  /// An op of one operand that the built side is wrapped into.
  llvm::StringRef wrapper = {};
};

/// Whether an axiom of this record holds modulo a prime: not if it says
/// something about exp, log or a power, or about the order of sums. Those are
/// tested in intervals.
bool isExact(llvm::StringRef record);

class AxiomTester {
public:
  AxiomTester();

  Outcome test(const Axiom &axiom, const TestRun &run);
  const TermLanguage &getLanguage() const { return language; }
  llvm::ArrayRef<PrototypeId> prototypesOf(llvm::StringRef op) {
    return pool[op.str()];
  }
  PrototypeId makeConstant(double value);
  /// The conditions that axioms asked so far, by record.
  const std::map<std::string, std::set<std::string>> &conditions() const {
    return asked;
  }

private:
  /// The type of a term that is to be made.
  struct TermType {
    llvm::SmallVector<DimExpr> extents;
    llvm::SmallVector<ParallelId> free;
  };
  bool isEnclosed = false; ///< What was compared last: see Outcome.
  /// What an axiom's variables stand for; None where unbound.
  struct Instance {
    llvm::SmallVector<egraph::TermId> classes;
    llvm::SmallVector<egraph::Payload> payloads;
  };

  void addPrototypes();
  void addMapped(llvm::StringRef name, unsigned numOperands,
                 PrototypeId like = egraph::None);
  PrototypeId addOp(llvm::StringRef name,
                    llvm::ArrayRef<llvm::SmallVector<DimExpr>> operands,
                    llvm::ArrayRef<DimExpr> result,
                    llvm::ArrayRef<mlir::NamedAttribute> attributes,
                    mlir::Type resultType = {});

  void addReshape(llvm::ArrayRef<DimExpr> operand,
                  llvm::ArrayRef<DimExpr> result,
                  llvm::ArrayRef<llvm::SmallVector<int64_t>> operandDims,
                  llvm::ArrayRef<llvm::SmallVector<int64_t>> resultDims);

  bool isOneOf(unsigned count) { return random() % count == 0; }
  template <typename T>
  T pick(llvm::ArrayRef<T> values) {
    return values[random() % values.size()];
  }
  DimExpr randomExtent(llvm::ArrayRef<ParallelId> free);
  TermType randomType(bool isVarying);
  bool generate(const egraph::Pattern &pattern, uint32_t at, TermType type,
                Instance &instance);
  bool generateParallel(const egraph::Pattern &pattern, uint32_t at,
                        TermType type, Instance &instance);
  bool generateCompute(const egraph::Pattern &pattern, uint32_t at,
                       const TermType &type, Instance &instance);
  llvm::SmallVector<llvm::StringRef> chooseFunctions();
  egraph::TermId makeLeaf(TermType type);
  egraph::TermId makeArgument(llvm::ArrayRef<DimExpr> extents);
  egraph::TermId build(const egraph::Pattern &pattern, uint32_t at,
                       const Instance &instance);

  /// Whether both typing rules say the same of a term.
  bool isTypedAlike(egraph::TermId term, std::string &why);
  /// Whether values have the signs that are known of `term`.
  bool hasKnownSigns(egraph::TermId term, llvm::ArrayRef<double> values,
                     std::string &why);
  /// Another payload of the same kind; None if there is none at hand.
  egraph::Payload changePayload(const egraph::Pattern &pattern,
                                egraph::VarId var, egraph::Payload value);
  Flaw compare(egraph::TermId left, egraph::TermId right, const TestRun &run,
               std::string &why);
  void chooseSizes();
  template <typename Scalar>
  Flaw compareIn(egraph::TermId left, egraph::TermId right, double tolerance,
                 llvm::function_ref<Scalar()> next, const TestRun &run,
                 std::string &why);

  mlir::MLIRContext context;
  std::unique_ptr<TermLanguage> owner;
  TermLanguage &language;
  TermAnalysis analysis;
  egraph::TermBank bank;
  TermFacts facts;
  TypingRules typing; ///< The checker's.
  std::map<std::string, llvm::SmallVector<PrototypeId>> pool;
  std::map<std::string, unsigned> argumentIds;
  DimExpr n;
  /// A grid dim and a loop over n, and a loop over the grid dim's tiles.
  llvm::SmallVector<ParallelId> parallel;
  std::map<std::string, std::set<std::string>> asked;
  SizeAssignment sizes;
  std::map<ParallelId, int64_t> chunks;
  bool hasStack = false; ///< The axiom at hand reads numbers of chunks.
  /// It has ops whose result has extents of its own.
  bool hasMovement = false;
  bool hasSelect = false; ///< Conditions must be 0 now and then.
  bool isMasked = false;  ///< Squares of -inf are not looked at.
  std::mt19937_64 random{1};
};

} // namespace prism::test

#endif // PRISM_UNITTESTS_AXIOMS_AXIOMTESTER_H
