//===- GateTestUtils.h - Candidates and their PTX for tests -----*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_UNITTESTS_GATE_GATETESTUTILS_H
#define PRISM_UNITTESTS_GATE_GATETESTUTILS_H

#include "Prism/Gate/Gate.h"
#include "Prism/InitAll.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

namespace prism {

/// A candidate from a file in Inputs, lowered for sm_80.
class LoweredFile {
public:
  explicit LoweredFile(llvm::StringRef name) {
    mlir::DialectRegistry registry;
    registerPrismDialects(registry);
    registerUpstreamDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    module = mlir::parseSourceFile<mlir::ModuleOp>(
        std::string(PRISM_TEST_INPUTS "/") + name.str() + ".mlir", &context);
    if (!module)
      return;
    candidate =
        (*module->getOps<ProgramOp>().begin()).getCandidateOps().front();
    lowered = lowerCandidate(candidate, *lookupTarget("sm_80"), why);
    if (lowered)
      if (auto text =
              compileToPTX(lowered->module, *lookupTarget("sm_80"), why))
        ptx = *text;
  }

  /// Runs the gate with `text` as the kernels' PTX.
  GateResult run(llvm::StringRef text, uint64_t budgetSteps) {
    GateOptions options;
    options.budgetSteps = budgetSteps;
    why.clear();
    return runGate(candidate, *lowered, text, *lookupTarget("sm_80"), options,
                   statistics, why);
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  CandidateOp candidate;
  std::optional<LoweredCandidate> lowered;
  std::string ptx, why;
  GateStatistics statistics;
};

} // namespace prism

#endif // PRISM_UNITTESTS_GATE_GATETESTUTILS_H
