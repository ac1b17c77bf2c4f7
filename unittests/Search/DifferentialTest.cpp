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
// is never Proved. The programs: those of the search's tests, every workload
// and importer's program of test/Inputs, and random ones.
//
//===----------------------------------------------------------------------===//

#include "Prism/Conversion/Passes.h"
#include "Prism/InitAll.h"
#include "Prism/Search/MapSolver.h"
#include "Prism/Transforms/Passes.h"
#include "Prism/Verify/Verify.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace prism;

namespace {

struct Agreement {
  unsigned programs = 0, candidates = 0;
  unsigned right = 0, wrong = 0, malformed = 0;
};

/// Graphs grown for a program that takes longer: the workloads that the
/// pipeline cuts into parts.
constexpr uint64_t maxSteps = 30000;

class DifferentialTest : public ::testing::Test {
protected:
  DifferentialTest() : context(getRegistry()) {
    context.loadDialect<PrismDialect>();
  }

  /// Everything that the files of test/Inputs need.
  static const DialectRegistry &getRegistry() {
    static const DialectRegistry registry = [] {
      DialectRegistry registry;
      registerPrismDialects(registry);
      registerUpstreamDialects(registry);
      return registry;
    }();
    return registry;
  }

  /// All programs that are made of the functions of a file, cut into parts of
  /// at most `maxPartOps` ops, if that is not 0.
  Agreement testImported(StringRef path, unsigned maxPartOps) {
    ScopedDiagnosticHandler quiet(&context,
                                  [](Diagnostic &) { return success(); });
    auto module = parseSourceFile<ModuleOp>(path, ParserConfig(&context));
    EXPECT_TRUE(module);
    PassManager pm(&context);
    pm.nest<func::FuncOp>().addPass(createConvertLinalgToPrism());
    PrismPartitionOptions options;
    options.maxPartOps = maxPartOps;
    pm.addPass(createPrismPartition(options));
    EXPECT_TRUE(succeeded(pm.run(*module)));
    agreement = Agreement();
    for (ProgramOp program : module->getOps<ProgramOp>())
      testProgram(program);
    return agreement;
  }
  void testFolder(StringRef folder);

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
    generate.budgetSteps = maxSteps;
    generate.filterRange = false;
    generateCandidates(program, generate);
    ++agreement.programs;
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
    ++agreement.candidates;
    InstantiateOptions options;
    options.keepRejected = true;
    options.filterRange = false; // what it drops is equal over the reals
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

/// Every file there; each must have candidates, and all of them some of either
/// kind.
void DifferentialTest::testFolder(StringRef folder) {
  std::vector<std::string> paths;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator
           it((Twine(PRISM_TEST_INPUTS "/") + folder).str(), error),
       end;
       it != end && !error; it.increment(error))
    if (StringRef(it->path()).ends_with(".mlir"))
      paths.push_back(it->path());
  llvm::sort(paths);
  EXPECT_GE(paths.size(), 6u);
  unsigned wrong = 0;
  for (const std::string &path : paths) {
    Agreement seen = testImported(path, /*maxPartOps=*/0);
    if (seen.right == 0) // too many ops to be searched whole
      seen = testImported(path, /*maxPartOps=*/7);
    StringRef name = path;
    name = name.rsplit('/').second;
    llvm::outs() << name << ": " << seen.programs << " programs, "
                 << seen.candidates << " graphs, " << seen.right << " right, "
                 << seen.wrong << " wrong, " << seen.malformed
                 << " malformed\n";
    EXPECT_GE(seen.programs, 1u) << name.str();
    EXPECT_GE(seen.right, 1u) << name.str();
    wrong += seen.wrong;
  }
  EXPECT_GE(wrong, 5u);
}

TEST_F(DifferentialTest, Workloads) { testFolder("workloads"); }
TEST_F(DifferentialTest, ImportersPrograms) { testFolder("programs"); }

TEST_F(DifferentialTest, RandomPrograms) {
  Agreement seen = testFile("random.mlir");
  EXPECT_EQ(seen.programs, 80u);
  EXPECT_GE(seen.right, 100u);
  EXPECT_GE(seen.wrong, 5u) << seen.malformed << " were malformed";
}

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
