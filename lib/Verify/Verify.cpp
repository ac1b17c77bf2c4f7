//===- Verify.cpp - Verdicts on candidates --------------------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Verify/Verify.h"
#include "Certificate.h"
#include "PrecisionRule.h"
#include "Prism/Axioms/Encoder.h"
#include "Prism/Dialect/Parallel.h"
#include "Prism/Verify/Checker.h"
#include "Prism/Verify/Refute.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace prism;

/// Ops beyond the program's own that the terms of the first attempt have: as
/// many as the search's by default.
static constexpr unsigned leanExtraOps = 1;

/// So many candidates are proved in one graph, whose limits are those of one;
/// or one after the other by one thread.
static constexpr size_t shardSize = 64, proofShardSize = 8;

static constexpr llvm::StringLiteral interruptedText =
    "the budget ended before it was proved";

FailureOr<std::unique_ptr<Verifier>>
Verifier::create(ProgramOp program, const VerifyOptions &options) {
  std::unique_ptr<Verifier> verifier(new Verifier(program, options));
  verifier->options.limits.isInterrupted = options.isInterrupted;
  verifier->graph = verifier->buildGraph(AxiomReach::Lean);
  if (!verifier->graph)
    return failure();
  return std::move(verifier);
}

std::unique_ptr<ProgramGraph> Verifier::buildGraph(AxiomReach reach) {
  ProgramGraphOptions graphOptions;
  graphOptions.precision = options.precision;
  graphOptions.proofs = options.proofs;
  graphOptions.reach = reach;
  graphOptions.limits.isInterrupted = options.isInterrupted;
  if (reach == AxiomReach::Lean)
    graphOptions.extraOps = leanExtraOps;
  auto built = ProgramGraph::build(program, graphOptions);
  return succeeded(built) ? std::move(*built) : nullptr;
}

FailureOr<EncodedGraph> Verifier::encode(CandidateOp candidate,
                                         egraph::TermBank &bank,
                                         VerifyResult &result) {
  if (candidate.getState() == CandidateState::Symbolic) {
    result.why = "its maps are not decided; run prism-instantiate-maps first";
    return failure();
  }
  if (std::optional<std::string> violation =
          findPrecisionViolation(program, candidate, options.precision)) {
    result.why = "it breaks the precision rule: " + *violation;
    return failure();
  }
  return encodeCandidate(candidate, graph->analysis(), bank, result.why);
}

std::vector<VerifyResult> Verifier::verify(ArrayRef<CandidateOp> candidates) {
  std::vector<VerifyResult> results(candidates.size());
  size_t size = options.proofs ? proofShardSize : shardSize;
  size_t numShards = llvm::divideCeil(candidates.size(), size);
  size_t numWorkers = options.threads ? options.threads : numShards;
  MLIRContext *context = program.getContext();
  if (context->isMultithreadingEnabled())
    numWorkers = std::min<size_t>(context->getNumThreads(), numWorkers);
  helpers.resize(std::max(helpers.size(), std::min(numWorkers, numShards)));
  std::atomic<size_t> next{0};
  parallelFor(context, options.threads, numWorkers, [&](size_t worker) {
    Verifier *verifier = worker == 0 ? this : helpers[worker].get();
    if (!verifier && next < numShards) // Someone must still be needed.
      if (auto made = create(program, options); succeeded(made)) {
        helpers[worker] = std::move(*made);
        verifier = helpers[worker].get();
      }
    if (!verifier)
      return; // The others do it.
    for (size_t shard = next++; shard < numShards; shard = next++) {
      size_t first = shard * size,
             count = std::min(size, candidates.size() - first);
      verifier->verifyShard(candidates.slice(first, count),
                            MutableArrayRef(results).slice(first, count));
    }
  });
  return results;
}

void Verifier::verifyShard(ArrayRef<CandidateOp> candidates,
                           MutableArrayRef<VerifyResult> results) {
  if (!options.proofs && candidates.size() > 1 && !isInterrupted())
    proveTogether(candidates, results);
  for (auto [candidate, result] : llvm::zip(candidates, results))
    if (result.verdict != Verdict::Proved) {
      if (isInterrupted()) {
        result.why = interruptedText;
        continue;
      }
      uint64_t enodes = result.enodes;
      result = verify(candidate);
      result.enodes += enodes;
    }
}

VerifyResult Verifier::verify(CandidateOp candidate) {
  VerifyResult result;
  egraph::TermBank bank;
  FailureOr<EncodedGraph> encoded = encode(candidate, bank, result);
  if (failed(encoded))
    return result;
  prove(*graph, *encoded, bank, result);
  if (result.verdict == Verdict::Unknown && isInterrupted()) {
    result.why = interruptedText;
    return result;
  }
  if (result.verdict == Verdict::Unknown && options.refute &&
      refute(*encoded, bank, result))
    return result;
  if (result.verdict == Verdict::Unknown)
    proveAnew(candidate, result);
  // A certificate that the checker cannot follow is none.
  if (result.certificate) {
    CheckResult check =
        checkCertificate(program, candidate, result.certificate);
    result.castsErased = check.castsErased;
    if (!check.holds) {
      result.certificate = {};
      result.why = "its certificate cannot be followed: " + check.why;
    }
  }
  return result;
}

void Verifier::proveAnew(CandidateOp candidate, VerifyResult &result) {
  if (!fullGraph)
    fullGraph = buildGraph(AxiomReach::Full);
  egraph::TermBank bank;
  std::string why;
  FailureOr<EncodedGraph> encoded =
      encodeCandidate(candidate, fullGraph->analysis(), bank, why);
  if (succeeded(encoded))
    prove(*fullGraph, *encoded, bank, result);
}

bool Verifier::refute(const EncodedGraph &encoded, egraph::TermBank &bank,
                      VerifyResult &result) {
  std::string why;
  FailureOr<EncodedGraph> expected =
      encodeProgram(program, graph->analysis(), bank, why);
  if (failed(expected))
    return false;
  std::optional<std::string> counterexample = findCounterexample(
      graph->analysis(), bank, expected->results, encoded.results);
  if (!counterexample)
    return false;
  result.verdict = Verdict::Disproved;
  result.why = *counterexample;
  return true;
}

/// Whether each of `roots` equals the program's result of that number.
static bool equalRoots(const egraph::EGraph &graph, ArrayRef<egraph::Id> roots,
                       const ProgramGraph &base) {
  return llvm::all_of(llvm::zip(roots, base.rootTerms()), [&](auto pair) {
    return graph.equal(std::get<0>(pair), std::get<1>(pair));
  });
}

void Verifier::proveTogether(ArrayRef<CandidateOp> candidates,
                             MutableArrayRef<VerifyResult> results) {
  egraph::EGraph shared = graph->base();
  egraph::SaturationState state = graph->state();
  SmallVector<std::pair<size_t, SmallVector<egraph::Id>>> left;
  egraph::TermBank bank;
  for (auto [index, candidate] : llvm::enumerate(candidates)) {
    VerifyResult ignored; // Those without a term are looked at alone.
    FailureOr<EncodedGraph> encoded = encode(candidate, bank, ignored);
    if (failed(encoded))
      continue;
    auto &[at, roots] = left.emplace_back();
    at = index;
    for (egraph::TermId root : encoded->results)
      roots.push_back(addTerm(shared, bank, root));
  }
  auto dropProved = [&](const egraph::EGraph &graphNow) {
    llvm::erase_if(left, [&](const auto &entry) {
      if (!equalRoots(graphNow, entry.second, *graph))
        return false;
      results[entry.first].verdict = Verdict::Proved;
      return true;
    });
    return left.empty();
  };
  egraph::saturate(shared, graph->rules().rules(), options.limits, &state,
                   dropProved);
  dropProved(shared);
  // Counted once, with the first of them.
  results.front().enodes = shared.numNodes() - graph->base().numNodes();
}

void Verifier::prove(ProgramGraph &base, const EncodedGraph &encoded,
                     const egraph::TermBank &bank, VerifyResult &result) {
  egraph::EGraph fork = base.base();
  egraph::SaturationState state = base.state();
  SmallVector<egraph::Id> roots;
  for (egraph::TermId root : encoded.results)
    roots.push_back(addTerm(fork, bank, root));
  auto allEqual = [&](const egraph::EGraph &graphNow) {
    return equalRoots(graphNow, roots, base);
  };
  egraph::SaturationResult saturation = egraph::saturate(
      fork, base.rules().rules(), options.limits, &state, allEqual);
  result.enodes += fork.numNodes() - base.base().numNodes();
  if (allEqual(fork)) {
    result.verdict = Verdict::Proved;
    result.why.clear();
    if (options.proofs)
      explain(base, fork, encoded.castsErased, roots, result);
    return;
  }
  result.why = saturation.hitLimit()
                   ? "the " + egraph::stringify(saturation.reason).str() +
                         " of the proof was hit"
                   : "the axioms do not make it equal to the program";
}

void Verifier::explain(ProgramGraph &base, const egraph::EGraph &proof,
                       unsigned castsErased, ArrayRef<egraph::Id> roots,
                       VerifyResult &result) {
  SmallVector<ProofStepAttr> steps;
  for (auto [index, pair] :
       llvm::enumerate(llvm::zip(roots, base.rootTerms()))) {
    llvm::Expected<egraph::Explanation> explanation =
        egraph::explain(proof, std::get<0>(pair), std::get<1>(pair));
    if (!explanation) {
      result.why =
          "it has no certificate: " + llvm::toString(explanation.takeError());
      return;
    }
    appendSteps(*explanation, index, base.rules(), base.language(), steps);
  }
  result.certificate =
      CertificateAttr::get(program.getContext(), certificateVersion,
                           options.precision, castsErased, steps);
}
