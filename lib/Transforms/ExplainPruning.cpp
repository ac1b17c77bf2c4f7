//===- ExplainPruning.cpp - Remarks about graphs in a file ----------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExplainPruning.h"
#include "Prism/Verify/Verify.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace prism;

/// The program in `file` whose candidates are about `program`; null, after a
/// diagnostic, if there is none.
static FailureOr<ProgramOp> findProgram(ModuleOp file, ProgramOp program,
                                        StringRef path) {
  auto programs = llvm::to_vector(file.getOps<ProgramOp>());
  ProgramOp found;
  for (ProgramOp other : programs)
    if (other.getSymName() == program.getSymName())
      found = other;
  if (found && found.getFunctionType() != program.getFunctionType())
    return emitError(program.getLoc())
           << "explain-pruning: program '" << program.getSymName() << "' in '"
           << path << "' has the type " << found.getFunctionType()
           << ", expected " << program.getFunctionType();
  if (!found && programs.size() == 1 &&
      programs.front().getFunctionType() == program.getFunctionType())
    found = programs.front();
  if (!found)
    emitRemark(program.getLoc())
        << "explain-pruning: '" << path << "' has no program '"
        << program.getSymName() << "' of type " << program.getFunctionType();
  return found;
}

/// Asks for the proof of one candidate; the program's graph is built once.
static std::function<std::string(ProgramOp, CandidateOp)> getProver() {
  auto verifier = std::make_shared<std::unique_ptr<Verifier>>();
  return [verifier](ProgramOp program, CandidateOp candidate) -> std::string {
    if (!*verifier) {
      FailureOr<std::unique_ptr<Verifier>> created = Verifier::create(program);
      if (failed(created))
        return "the program has no term";
      *verifier = std::move(*created);
    }
    VerifyResult result = (*verifier)->verify(candidate);
    if (result.verdict == Verdict::Proved)
      return "";
    return (stringifyVerdict(result.verdict) + ": " + result.why).str();
  };
}

LogicalResult prism::explainPruning(ProgramOp program,
                                    const GenerateResult &generated,
                                    ExplainOptions options, StringRef path) {
  if (!llvm::sys::fs::exists(path))
    return emitError(program.getLoc())
           << "explain-pruning: cannot read '" << path << "'";
  OwningOpRef<ModuleOp> file =
      parseSourceFile<ModuleOp>(path, ParserConfig(program.getContext()));
  if (!file)
    return emitError(program.getLoc())
           << "explain-pruning: '" << path << "' is not valid IR";
  FailureOr<ProgramOp> graphs = findProgram(*file, program, path);
  if (failed(graphs) || !*graphs)
    return graphs;
  options.whyNoProof = getProver();
  PruningExplainer explainer(program, generated, options);
  for (CandidateOp graph : graphs->getCandidateOps()) {
    PruningExplanation explanation = explainer.explain(graph);
    InFlightDiagnostic remark = emitRemark(explanation.where);
    remark << "candidate '" << graph.getId() << "' of program '"
           << program.getSymName()
           << (explanation.isDropped() ? "': dropped by " : "': ")
           << stringifyPruningCheck(explanation.check)
           << (explanation.check == PruningCheck::Kept ? " " : ": ")
           << explanation.why;
  }
  return success();
}
