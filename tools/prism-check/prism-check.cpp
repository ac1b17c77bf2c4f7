//===- prism-check.cpp - Re-checks certificates ---------------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints one line per candidate: Proved, or the first step that fails. Exits
// with 0 only if every candidate has a certificate and all of them hold.
//
//===----------------------------------------------------------------------===//

#include "Prism/Axioms/Axioms.h"
#include "Prism/InitAll.h"
#include "Prism/Verify/Checker.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace prism;

static llvm::cl::opt<std::string> inputFile(llvm::cl::Positional,
                                            llvm::cl::desc("FILE.mlir"),
                                            llvm::cl::init("-"));
static llvm::cl::opt<Precision>
    precisionOption("precision",
                    llvm::cl::desc("Demand proofs under this precision rule"),
                    llvm::cl::values(clEnumValN(Precision::Relaxed, "relaxed",
                                                "casts may move"),
                                     clEnumValN(Precision::Strict, "strict",
                                                "casts are opaque")),
                    llvm::cl::init(Precision::Relaxed));
static llvm::cl::opt<bool>
    printAxioms("axioms", llvm::cl::desc("Print the table of axioms and exit"));

/// Checks one candidate; true if it holds.
static bool check(ProgramOp program, CandidateOp candidate) {
  llvm::outs() << program.getSymName() << " \"" << candidate.getId() << "\": ";
  std::optional<CertificateAttr> certificate = candidate.getCertificate();
  if (!certificate) {
    llvm::outs() << "no certificate\n";
    return false;
  }
  CheckResult result = checkCertificate(program, candidate, *certificate);
  if (!result.holds) {
    llvm::outs() << result.why << "\n";
    return false;
  }
  StringRef rule = stringifyPrecision(*certificate->getPrecision());
  if (precisionOption.getNumOccurrences() &&
      rule != stringifyPrecision(precisionOption)) {
    llvm::outs() << "the proof is under the precision rule '" << rule
                 << "', expected '" << stringifyPrecision(precisionOption)
                 << "'\n";
    return false;
  }
  llvm::outs() << "Proved (" << result.steps << " steps, " << rule << ", "
               << result.castsErased << " casts erased)\n";
  return true;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::cl::ParseCommandLineOptions(argc, argv,
                                    "re-checks prism certificates\n");
  if (printAxioms) {
    writeAxiomTable(llvm::outs());
    return 0;
  }
  DialectRegistry registry;
  registerPrismDialects(registry);
  registerUpstreamDialects(registry);
  MLIRContext context(registry);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(inputFile, sources, &context);
  if (!module)
    return 2;
  bool allHold = true;
  unsigned count = 0;
  module->walk([&](ProgramOp program) {
    for (CandidateOp candidate : program.getCandidateOps()) {
      allHold &= check(program, candidate);
      ++count;
    }
  });
  if (count == 0)
    llvm::outs() << "no candidates\n";
  return allHold ? 0 : 1;
}
