//===- Verify.h - Verdicts on candidates ------------------------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Proves candidates equal to their program in an e-graph under the declared
// axioms, for all sizes d_p and all extents, or refutes them by evaluation.
//
// Limits count from the program's saturated graph (DECISIONS 16), and verdicts
// are the same in any order. A shard of candidates is first proved in one copy
// of that graph, so that what they share is looked at once. What is left is
// looked at alone: proved by the lean rules, else evaluated, and if that gives
// no counterexample proved by all rules, from a graph that is built when it is
// first needed. That verdict stands.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_VERIFY_VERIFY_H
#define PRISM_VERIFY_VERIFY_H

#include "Prism/Axioms/Encoder.h"
#include "Prism/Axioms/ProgramGraph.h"

namespace prism {

struct VerifyOptions {
  Precision precision = Precision::Relaxed;
  /// Record proofs, and hand out certificates.
  bool proofs = false;
  /// Evaluate what the first attempt does not prove.
  bool refute = true;
  /// For each candidate, counted from the program's saturated graph.
  egraph::Limits limits = {/*nodes=*/100000, /*iterations=*/64};
  /// Asked now and then, while graphs are built, too, from any of the threads.
  /// Once it is true nothing is begun any more: what is not proved is Unknown.
  /// Null: never.
  std::function<bool()> isInterrupted = nullptr;
  /// Of the context's; 0: all of them. Changes no result.
  unsigned threads = 0;
};

/// What is known of one candidate.
struct VerifyResult {
  Verdict verdict = Verdict::Unknown;
  /// Why it is not proved; for Disproved the counterexample.
  std::string why;
  /// With `proofs`, of a proved candidate; null if it could not be replayed.
  CertificateAttr certificate;
  /// E-nodes that the proof added to the program's.
  uint64_t enodes = 0;
  /// With `proofs`: narrowing casts of the candidate that the proof erased.
  unsigned castsErased = 0;
};

class Verifier {
public:
  /// Failure, with a remark, if the program has no term.
  static mlir::FailureOr<std::unique_ptr<Verifier>>
  create(ProgramOp program, const VerifyOptions &options = {});

  /// `candidate` belongs to the program and is mapped or sized; a symbolic one
  /// is Unknown.
  VerifyResult verify(CandidateOp candidate);
  /// The same of each; faster than one by one. Shards of fixed size share a
  /// graph, unless proofs are wanted, which must speak of no other candidate's
  /// parallel dims; threads share the shards, each with a base of its own.
  std::vector<VerifyResult> verify(llvm::ArrayRef<CandidateOp> candidates);

  ProgramGraph &getProgramGraph() { return *graph; }

private:
  Verifier(ProgramOp program, const VerifyOptions &options)
      : program(program), options(options) {}
  /// The term of what may be proved; none, and why, for any other.
  mlir::FailureOr<EncodedGraph>
  encode(CandidateOp candidate, egraph::TermBank &bank, VerifyResult &result);
  void verifyShard(llvm::ArrayRef<CandidateOp> candidates,
                   llvm::MutableArrayRef<VerifyResult> results);
  void proveTogether(llvm::ArrayRef<CandidateOp> candidates,
                     llvm::MutableArrayRef<VerifyResult> results);
  bool isInterrupted() const {
    return options.isInterrupted && options.isInterrupted();
  }
  bool refute(const EncodedGraph &encoded, egraph::TermBank &bank,
              VerifyResult &result);
  std::unique_ptr<ProgramGraph> buildGraph(AxiomReach reach);
  void prove(ProgramGraph &base, const EncodedGraph &encoded,
             const egraph::TermBank &bank, VerifyResult &result);
  /// The second attempt, with all rules.
  void proveAnew(CandidateOp candidate, VerifyResult &result);
  void explain(ProgramGraph &base, const egraph::EGraph &proof,
               unsigned castsErased, llvm::ArrayRef<egraph::Id> roots,
               VerifyResult &result);

  ProgramOp program;
  VerifyOptions options;
  std::unique_ptr<ProgramGraph> graph;
  std::unique_ptr<ProgramGraph> fullGraph; ///< Null until it is needed.
  /// What the other threads use. What was proved before changes no verdict and
  /// no proof, so it does not matter which of them takes a shard.
  std::vector<std::unique_ptr<Verifier>> helpers;
};

/// The term of each result of a candidate is compared with the program's; one
/// call for one candidate.
inline mlir::FailureOr<VerifyResult>
verifyCandidate(ProgramOp program, CandidateOp candidate,
                const VerifyOptions &options = {}) {
  auto verifier = Verifier::create(program, options);
  if (failed(verifier))
    return mlir::failure();
  return (*verifier)->verify(candidate);
}

} // namespace prism

#endif // PRISM_VERIFY_VERIFY_H
