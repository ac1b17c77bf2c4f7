//===- MapSolverTest.cpp - Assignments of mapping variables ---------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The solver on small programs: which splits it finds, in which order.
//
//===----------------------------------------------------------------------===//

#include "Prism/Search/MapSolver.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace prism;

namespace {

class MapSolverTest : public ::testing::Test {
protected:
  MapSolverTest() { context.loadDialect<PrismDialect>(); }

  /// Parses one program.
  ProgramOp parse(StringRef text) {
    module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
    EXPECT_TRUE(module);
    return *module->getOps<ProgramOp>().begin();
  }

  /// "x:10 i:1-": per parallel dim used, the data dim split of each loader and
  /// saver in order, - for none.
  static std::string print(KernelOp kernel, const MapAssignment &assignment) {
    std::string text;
    for (const DimAssignment &dim : assignment) {
      text += text.empty() ? "" : " ";
      text += kernel.getParallelDims()[dim.parallelDim].getName().str() + ":";
      for (std::optional<unsigned> split : dim.splits)
        text += split ? std::to_string(*split) : "-";
    }
    return text;
  }

  std::vector<std::string> solve(StringRef text,
                                 const InstantiateOptions &options = {}) {
    ProgramOp program = parse(text);
    std::vector<std::string> result;
    for (CandidateOp candidate : program.getCandidateOps()) {
      KernelOp kernel = *candidate.getBodyBlock().getOps<KernelOp>().begin();
      MapSolverResult solved = solveMaps(kernel, options);
      EXPECT_EQ(solved.error, "");
      for (const MapAssignment &assignment : solved.assignments)
        result.push_back(print(kernel, assignment));
    }
    return result;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

using Strings = std::vector<std::string>;

constexpr StringRef relu = R"(
prism.program @p extents [n = ?, d = ?] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n, d], f32>) {
  %0 = prism.relu %x : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  prism.yield %0 : !prism.tensor<[n, d], f32>
} candidates {
  prism.candidate "p_0" symbolic {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid, y grid] equalities [m0 = m4, m1 = m5, m2 = m6, m3 = m7] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32> {
      %t = prism.load %a [[x?m0, y?m1], [x?m2, y?m3]] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x?m0/y?m1, d/x?m2/y?m3], f32>
      %u = prism.relu %t : (!prism.tile<[n/x?m0/y?m1, d/x?m2/y?m3], f32>) -> !prism.tile<[n/x?m0/y?m1, d/x?m2/y?m3], f32>
      %o = prism.save %u [[x?m4, y?m5], [x?m6, y?m7]] : !prism.tile<[n/x?m0/y?m1, d/x?m2/y?m3], f32> -> !prism.tensor<[n, d], f32>
      prism.yield %o : !prism.tensor<[n, d], f32>
    }
    prism.yield %r : !prism.tensor<[n, d], f32>
  }
})";

// The worked example of the header: one of {x: n, y: d} and {x: d, y: n}.
TEST_F(MapSolverTest, OneRepresentativePerPermutation) {
  EXPECT_EQ(solve(relu), (Strings{"x:11", "x:00", "x:11 y:00"}));
}

TEST_F(MapSolverTest, ConcreteMapsGiveTheSame) {
  InstantiateOptions options;
  options.concreteImap = options.concreteFmap = options.concreteOmap = true;
  EXPECT_EQ(solve(relu, options), (Strings{"x:11", "x:00", "x:11 y:00"}));
}

/// Rows of x times w, no equalities but those of the shapes.
std::string getMatmul(StringRef parallel, StringRef loops, StringRef accumulate,
                      StringRef value) {
  return (R"(
prism.program @p extents [n = ?, d = ?, h = ?] (%x: !prism.tensor<[n, d], f32>, %w: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[n, h], f32>) {
  %0 = prism.matmul %x, %w : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  prism.yield %0 : !prism.tensor<[n, h], f32>
} candidates {
  prism.candidate "p_0" symbolic {
  ^bb0(%x: !prism.tensor<[n, d], f32>, %w: !prism.tensor<[d, h], f32>):
    %r = prism.kernel "k0"(%a = %x, %b = %w) parallel [)" +
          parallel + "] equalities [m1 = m2, m0 = m4, m3 = m5" + loops +
          R"(] : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32> {
      %t = prism.load %a [[x?m0], [x?m1, i?m6]] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x?m0, d/x?m1/i?m6], f32>
      %u = prism.load %b [[x?m2, i?m7], [x?m3]] : !prism.tensor<[d, h], f32> -> !prism.tile<[d/x?m2/i?m7, h/x?m3], f32>
      %v = prism.matmul %t, %u : (!prism.tile<[n/x?m0, d/x?m1/i?m6], f32>, !prism.tile<[d/x?m2/i?m7, h/x?m3], f32>) -> !prism.tile<[n/x?m0, h/x?m3], f32>
      )" + accumulate +
          R"(
      %o = prism.save )" +
          value +
          R"( [[x?m4], [x?m5]] : !prism.tile<[n/x?m0, h/x?m3], f32> -> !prism.tensor<[n, h], f32>
      prism.yield %o : !prism.tensor<[n, h], f32>
    }
    prism.yield %r : !prism.tensor<[n, h], f32>
  }
})")
      .str();
}

constexpr StringRef accumulate =
    "%c = prism.accumulate sum %v over i : !prism.tile<[n/x?m0, h/x?m3], f32> "
    "-> !prism.tile<[n/x?m0, h/x?m3], f32>";

// A grid dim never splits the summed dim; the loop splits nothing else.
TEST_F(MapSolverTest, LoopSplitsTheSummedDim) {
  EXPECT_EQ(solve(getMatmul("x grid, i loop", ", m6 = m7", accumulate, "%c")),
            (Strings{"x:-11 i:10-", "x:0-0 i:10-"}));
}

// Known maps are kept, and exclude what contradicts them.
TEST_F(MapSolverTest, KnownVariables) {
  EXPECT_EQ(
      solve(getMatmul("x grid, i loop", ", m6 = m7, m0 = 1", accumulate, "%c")),
      (Strings{"x:0-0 i:10-"}));
  EXPECT_EQ(solve(getMatmul("x grid, i loop", ", m6 = m7, m0 = 1, m3 = 1",
                            accumulate, "%c")),
            Strings()); // equation (1)
  EXPECT_EQ(
      solve(getMatmul("x grid, i loop", ", m6 = m7, m6 = 0", accumulate, "%c")),
      Strings()); // the loop splits nothing
}

// Without an accumulator the pending sum reaches the saver.
TEST_F(MapSolverTest, PendingSumIsNotSaved) {
  EXPECT_EQ(solve(getMatmul("x grid, i loop", ", m6 = m7", "", "%v")),
            Strings());
}

} // namespace
