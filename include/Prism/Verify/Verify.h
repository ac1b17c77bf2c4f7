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
// Every candidate is proved in a copy of the program's saturated graph, so a
// verdict depends on nothing that was verified before (DECISIONS 16). What the
// lean rules do not prove is evaluated, and if no counterexample is found tried
// again with all rules, from a graph that is built when it is first needed;
// that verdict stands.
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
  egraph::Limits limits = {/*nodes=*/20000, /*iterations=*/64};
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
};

class Verifier {
public:
  /// Failure, with a remark, if the program has no term.
  static mlir::FailureOr<std::unique_ptr<Verifier>>
  create(ProgramOp program, const VerifyOptions &options = {});

  /// `candidate` belongs to the program and is mapped or sized; a symbolic one
  /// is Unknown.
  VerifyResult verify(CandidateOp candidate);

  ProgramGraph &getProgramGraph() { return *graph; }

private:
  Verifier(ProgramOp program, const VerifyOptions &options)
      : program(program), options(options) {}
  bool refute(const EncodedGraph &encoded, egraph::TermBank &bank,
              VerifyResult &result);
  std::unique_ptr<ProgramGraph> buildGraph(AxiomReach reach);
  void prove(ProgramGraph &base, const EncodedGraph &encoded,
             const egraph::TermBank &bank, VerifyResult &result);
  /// The second attempt, with all rules.
  void proveAnew(CandidateOp candidate, VerifyResult &result);
  void explain(ProgramGraph &base, const egraph::EGraph &proof,
               llvm::ArrayRef<egraph::Id> roots, VerifyResult &result);

  ProgramOp program;
  VerifyOptions options;
  std::unique_ptr<ProgramGraph> graph;
  std::unique_ptr<ProgramGraph> fullGraph; ///< Null until it is needed.
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
