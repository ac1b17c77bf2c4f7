//===- DifferentialTest.cpp - Propagation against proofs ------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Propagation says which maps make a kernel right (lib/Search); the e-graph
// proves candidates (lib/Verify). They share no code, and must agree: what
// propagation lets pass is Proved; what it alone rules out, built all the same,
// is never Proved.
//
//===----------------------------------------------------------------------===//

#include "Prism/Search/MapSolver.h"
#include "Prism/Verify/Verify.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace prism;

namespace {

struct Agreement {
  unsigned right = 0, wrong = 0, malformed = 0;
};

class DifferentialTest : public ::testing::Test {
protected:
  DifferentialTest() { context.loadDialect<PrismDialect>(); }

  /// All programs of a file of test/Search/Inputs.
  Agreement testFile(StringRef name) {
    // Malformed candidates say so.
    ScopedDiagnosticHandler quiet(&context,
                                  [](Diagnostic &) { return success(); });
    auto module = parseSourceFile<ModuleOp>(
        (Twine(PRISM_SEARCH_INPUTS "/") + name).str(), ParserConfig(&context));
    EXPECT_TRUE(module);
    for (ProgramOp program : module->getOps<ProgramOp>())
      testProgram(program);
    return agreement;
  }

private:
  void testProgram(ProgramOp program) {
    GenerateOptions generate;
    generate.maxKernels = 1;
    generateCandidates(program, generate);
    FailureOr<std::unique_ptr<Verifier>> verifier = Verifier::create(program);
    if (failed(verifier))
      return;
    for (CandidateOp candidate : program.getCandidateOps())
      if (candidate.getState() == CandidateState::Symbolic)
        testCandidate(candidate, **verifier);
  }

  void testCandidate(CandidateOp candidate, Verifier &verifier) {
    auto kernels = llvm::to_vector(candidate.getBodyBlock().getOps<KernelOp>());
    if (kernels.size() != 1)
      return;
    InstantiateOptions options;
    options.keepRejected = true;
    MapSolverResult solved = solveMaps(kernels.front(), options);
    if (solved.assignments.empty())
      return;
    for (const MapAssignment &assignment : solved.assignments) {
      CandidateOp instance = instantiateCandidate(candidate, assignment);
      VerifyResult result = verifier.verify(instance);
      EXPECT_EQ(result.verdict, Verdict::Proved)
          << candidate.getId().str() << ": " << result.why;
      ++agreement.right;
      instance.erase();
    }
    // One dim of a right assignment, or all of its grid, made wrong.
    MapAssignment right = solved.assignments.front();
    auto dims = kernels.front().getParallelDims();
    auto isLoop = [&](const DimAssignment &dim) {
      return dims[dim.parallelDim].getKind() == ParallelKind::Loop;
    };
    for (const DimAssignment &wrong : solved.rejected) {
      MapAssignment assignment;
      if (!isLoop(wrong))
        assignment.push_back(wrong);
      for (const DimAssignment &dim : right)
        if (isLoop(dim) != isLoop(wrong))
          assignment.push_back(dim);
      if (isLoop(wrong))
        assignment.push_back(wrong);
      testWrong(candidate, assignment, verifier);
    }
  }

  void testWrong(CandidateOp candidate, const MapAssignment &assignment,
                 Verifier &verifier) {
    CandidateOp instance = instantiateCandidate(candidate, assignment);
    if (failed(mlir::verify(instance))) {
      ++agreement.malformed;
    } else {
      VerifyResult result = verifier.verify(instance);
      std::string text;
      llvm::raw_string_ostream os(text);
      instance.print(os);
      EXPECT_NE(result.verdict, Verdict::Proved) << text;
      ++agreement.wrong;
    }
    instance.erase();
  }

  MLIRContext context;
  Agreement agreement;
};

TEST_F(DifferentialTest, ProgramsOfTheSearchTests) {
  Agreement seen = testFile("programs.mlir");
  EXPECT_GE(seen.right, 100u);
  EXPECT_GE(seen.wrong, 5u) << seen.malformed << " were malformed";
}

TEST_F(DifferentialTest, MorePrograms) {
  Agreement seen = testFile("more_programs.mlir");
  EXPECT_GE(seen.right, 50u);
  EXPECT_GE(seen.wrong + seen.malformed, 1u);
}

} // namespace
