//===- Axioms.h - The axioms as declared data -------------------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One record per axiom, from which come the e-graph's rewrite rules, the
// checker's steps, the table in docs/axioms.md and the axioms' own tests. The
// parallelization axioms are schemas (DESIGN: axioms by schema): one record,
// instantiated for every compute op that the dialect declares; whether an
// instance applies is read from the op's iteration structure.
//
// Sides are patterns of the term language (EGraph/Pattern.h). A side condition
// sees what the variables stand for only through their typing facts, and binds
// the payloads that only one side has.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_AXIOMS_AXIOMS_H
#define PRISM_AXIOMS_AXIOMS_H

#include "Prism/Axioms/Facts.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <functional>

namespace prism {

/// What the variables of an axiom stand for, as its side condition sees them.
/// Variables are numbered by first appearance, in the left side, then in the
/// right.
struct AxiomMatch {
  TermLanguage &language;
  /// By class variable; null where unbound.
  llvm::ArrayRef<const TermFact *> facts;
  /// By payload variable; egraph::None where unbound. Conditions bind.
  llvm::MutableArrayRef<egraph::Payload> payloads;

  /// Tests only: sees each condition that is asked, and decides instead of it
  /// (to show that an axiom is wrong without it).
  llvm::function_ref<bool(llvm::StringRef condition, bool holds)> observer =
      nullptr;

  /// One side condition, by the name under which tests know it. What a side
  /// condition of an axiom demands, it must ask here.
  bool require(llvm::StringRef condition, bool holds) const {
    return observer ? observer(condition, holds) : holds;
  }
  /// What the axiom does not need to be true: it would build what nobody wants.
  bool prefer(llvm::StringRef preference, bool holds) const {
    return require(preference, holds);
  }
  const TermFact &fact(unsigned variable) const { return *facts[variable]; }
  const Prototype &prototype(unsigned variable) const {
    return language.prototype(payloads[variable]);
  }
};

/// Whether the axiom may be read in this direction; binds the payloads of the
/// side that is built. Null: always.
using SideCondition = std::function<bool(AxiomMatch &)>;

enum class AxiomKind {
  Parallel, ///< about part, comb, red, repl and the like: S1 to S7
  Algebraic ///< about compute ops alone
};

/// An axiom of certain ops, ready to be a rule.
struct Axiom {
  std::string id;      ///< e.g. `S2.matmul.01`, `F2.mul`
  unsigned record = 0; ///< which one: see getAxiomRecord
  std::string left, right;
  SideCondition forward;
  /// Set iff the axiom may also be read from right to left.
  std::optional<SideCondition> backward;
};

/// A compute op that the dialect declares, with a number of operands.
struct OpSignature {
  std::string name; ///< e.g. `prism.matmul`
  unsigned numOperands;
  bool isCommutative;
  /// What the structure of any such op may have; an instance of a schema that
  /// needs more is not made. Where an op's structure depends on attributes,
  /// everything.
  bool maySum = true, mayTakeMax = true;
  /// By operand: whether it may be alone, or with others, in a linear group.
  unsigned mayBeLinear = ~0u;

  /// Of an op with any number of operands.
  bool isVariadic = false;

  /// For axiom ids: without the dialect's prefix, and with the number of
  /// operands if it may have more than two.
  std::string shortName() const {
    std::string text = name.substr(6);
    return isVariadic && numOperands != 2 ? text + std::to_string(numOperands)
                                          : text;
  }
};

/// Directions of an axiom that no lean saturation reads (AxiomReach): what
/// search need not find, and what would let graphs grow.
enum class ProofOnly { Neither, Backward, Both };

/// What is declared, and documented.
struct AxiomRecord {
  llvm::StringLiteral id;
  AxiomKind kind;
  llvm::StringLiteral sentence;
  llvm::StringLiteral left, right; ///< for people; `f` any compute op
  llvm::StringLiteral condition;   ///< for people; empty: none
  bool isReversible;
  /// Appends the axioms of this record. Called once per compute op for a
  /// schema; once, with an op without a name, for any other.
  void (*instantiate)(const AxiomRecord &record, const OpSignature &op,
                      const TermLanguage &language, std::vector<Axiom> &axioms);
  bool isSchema;
  ProofOnly proofOnly = ProofOnly::Neither;
};

/// The records, by subject; Axiom::record counts them in this order.
llvm::ArrayRef<AxiomRecord> getParallelAxiomRecords();
llvm::ArrayRef<AxiomRecord> getRescalingAxiomRecords();
llvm::ArrayRef<AxiomRecord> getFieldAxiomRecords();
llvm::ArrayRef<AxiomRecord> getMotionAxiomRecords();
llvm::ArrayRef<AxiomRecord> getMovementAxiomRecords();
llvm::ArrayRef<AxiomRecord> getFunctionAxiomRecords();
std::vector<const AxiomRecord *> getAxiomRecords();
const AxiomRecord &getAxiomRecord(const Axiom &axiom);

/// A law of tensor programs as it is usually written, for one kind of op.
struct LawRow {
  llvm::StringLiteral id; ///< e.g. `M6`
  llvm::StringLiteral left, right, condition;
  /// Ids of the records that it follows from, apart from how terms are
  /// rearranged to use them, with blanks between; empty: none is needed.
  llvm::StringLiteral by;
  /// Why none is needed; or how it is meant here.
  llvm::StringLiteral note;
};

/// The laws that the records must give, in the order of their ids.
llvm::ArrayRef<LawRow> getLawRows();

/// Every compute op of the dialect, variadic ones with 2 and 3 operands.
std::vector<OpSignature> getComputeOpSignatures(mlir::MLIRContext *context);

/// All axioms of the dialect's ops, in a fixed order.
std::vector<Axiom> instantiateAxioms(const TermLanguage &language);

/// The reason recorded for values that the program relies on: not an axiom, but
/// a definition, `defined[k]` = the value.
inline constexpr llvm::StringLiteral definitionId = "D1";

/// docs/axioms.md, written from the records.
void writeAxiomTable(llvm::raw_ostream &os);

} // namespace prism

#endif // PRISM_AXIOMS_AXIOMS_H
