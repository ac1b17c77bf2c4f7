//===- MutationTest.cpp - Kernels that are wrong do not pass --------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Faults that a lowering may have, made in the PTX of right kernels: of a fused
// norm and product, of flash decoding, and of a product split over blocks. The
// gate must refuse each, with all blocks run and with a sample of them.
// Patterns name instructions and no registers, so that they outlive changes of
// the lowering; a fault whose instruction is gone fails the test.
//
//===----------------------------------------------------------------------===//

#include "GateTestUtils.h"
#include <regex>

using namespace prism;

namespace {

enum Where {
  Each, ///< one mutant for each line that matches
  All   ///< one mutant with all of them changed
};

struct Fault {
  const char *name, *pattern, *replacement;
  Where where = Each;
  /// How many mutants may be as right as the kernel; the reason stands beside.
  unsigned mayPass = 0;
  /// And how many more are wrong so rarely that a sample may miss them.
  unsigned mayBeMissed = 0;
};

/// What is printed in a test's name.
struct Case {
  const char *file;
  Fault fault;
};

std::string join(const std::vector<std::string> &lines) {
  std::string text;
  for (const std::string &line : lines)
    text += line + "\n";
  return text;
}

std::vector<std::string> split(const std::string &text) {
  std::vector<std::string> lines(1);
  for (char c : text)
    if (c == '\n')
      lines.emplace_back();
    else
      lines.back() += c;
  return lines;
}

std::vector<std::string> mutate(const std::string &ptx, const Fault &fault) {
  std::regex pattern(fault.pattern);
  std::vector<std::string> lines = split(ptx), changed = lines, mutants;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (!std::regex_search(lines[i], pattern))
      continue;
    std::string line = std::regex_replace(lines[i], pattern, fault.replacement);
    changed[i] = line;
    if (fault.where == All)
      continue;
    std::vector<std::string> one = lines;
    one[i] = line;
    mutants.push_back(join(one));
  }
  if (fault.where == All && changed != lines)
    mutants.push_back(join(changed));
  return mutants;
}

const uint64_t wholeBudget = GateOptions().budgetSteps;

class MutationTest : public testing::TestWithParam<Case> {};

TEST_P(MutationTest, IsRefused) {
  const Fault &fault = GetParam().fault;
  LoweredFile file(GetParam().file);
  ASSERT_FALSE(file.ptx.empty()) << file.why;
  std::vector<std::string> mutants = mutate(file.ptx, fault);
  ASSERT_FALSE(mutants.empty()) << "no line matches " << fault.pattern;
  // What the right kernel takes, its references apart: too little for all
  // blocks with them, enough for samples in every family of inputs.
  ASSERT_EQ(file.run(file.ptx, wholeBudget), GateResult::Passed) << file.why;
  uint64_t sampleBudget = file.statistics.steps;
  for (uint64_t budget : {wholeBudget, sampleBudget}) {
    unsigned passed = 0;
    std::string which;
    for (size_t i = 0; i < mutants.size(); ++i) {
      GateResult result = file.run(mutants[i], budget);
      EXPECT_NE(result, GateResult::NotRun) << file.why;
      EXPECT_EQ(file.why.empty(), result == GateResult::Passed);
      // A wrong value is traced to the instruction that wrote it.
      if (llvm::StringRef why = file.why; why.contains(", expected"))
        EXPECT_TRUE(why.contains(", PTX line ") ||
                    why.contains("nothing wrote"))
            << file.why;
      if (result != GateResult::Passed)
        continue;
      ++passed;
      which += " " + std::to_string(i);
    }
    bool isSample = budget == sampleBudget;
    EXPECT_LE(passed, fault.mayPass + (isSample ? fault.mayBeMissed : 0))
        << "of " << mutants.size() << " mutants, these pass:" << which
        << (isSample ? " (sampled)" : "");
    EXPECT_LT(passed, mutants.size());
  }
}

const Case cases[] = {
    // Behind the loop: what is stored lies where no other warp reads any more.
    {"rmsnorm", {"BarrierDropped", "bar\\.sync", "// bar.sync", Each, 2}},
    {"rmsnorm", {"WaitDropped", "cp\\.async\\.wait_group", "// wait"}},
    {"rmsnorm", {"WaitWeakened", "(wait_group\\s+)1;", "$012;"}},
    {"rmsnorm", {"WrongStageCount", "(setp\\.lt\\.s32 .*), 3;", "$1, 2;"}},
    {"rmsnorm", {"AddressBit", "(and\\.b32 .*), 56;", "$1, 48;"}},
    {"rmsnorm",
     {"WrongInit", "(mov\\.b32 .*), 0f00000000;", "$1, 0f3F800000;"}},
    {"rmsnorm", {"LoopBound", "(setp\\.ne\\.b32 .*), 8;", "$1, 7;"}},
    {"rmsnorm", {"LoopBoundOver", "(setp\\.ne\\.b32 .*), 8;", "$1, 9;"}},
    {"rmsnorm",
     {"WrongExtent", "(mul\\.rn\\.f32 .*), 0f3B000000;", "$1, 0f3A800000;"}},
    {"rmsnorm", {"SqrtDropped", "sqrt\\.rn\\.f32", "mov.b32"}},
    {"rmsnorm", {"ReciprocalDropped", "rcp\\.rn\\.f32", "mov.b32"}},
    {"rmsnorm", {"ShuffleLane", "(shfl\\.sync\\.bfly.*), 4, 31", "$1, 2, 31"}},
    {"rmsnorm", {"StoreOfOtherRow", "(st\\.global.*%rd\\d+)\\]", "$1+256]"}},
    {"rmsnorm", {"StoreDropped", "st\\.global", "// st.global"}},
    {"rmsnorm",
     {"MmaOperands",
      "(ldmatrix.*)\\{(%r\\d+), (%r\\d+), (%r\\d+), (%r\\d+)\\}, \\[",
      "$1{$2, $4, $3, $5}, ["}},
    {"rmsnorm",
     {"PredicateDropped", "@%p\\d+ (bra.*BB0_(2|9|15|26|28);)", "// $1"}},

    // The same.
    {"attention", {"BarrierDropped", "bar\\.sync", "// bar.sync", Each, 1}},
    // The first wait is repeated by the one in the loop.
    {"attention",
     {"WaitDropped", "cp\\.async\\.wait_group", "// wait", Each, 1}},
    {"attention", {"WaitWeakened", "(wait_group\\s+)1;", "$012;"}},
    {"attention",
     {"LostRescale",
      "fma\\.rn\\.f32(\\s+%r\\d+), (%r\\d+), (%r\\d+), (%r\\d+);",
      "add.rn.f32$1, $2, $4;", All}},
    // In the second kernel any shift is right that does not overflow.
    {"attention", {"MaximumIsMinimum", "max\\.NaN", "min.NaN", Each, 0, 3}},
    {"attention",
     {"LostShift", "sub\\.rn\\.f32(\\s+%r\\d+), (%r\\d+), (%r\\d+);",
      "mov.b32$1, $2;"}},
    {"attention",
     {"LostScale", "(mul\\.rn\\.f32 .*), 0f3DB504F4;", "$1, 0f3F800000;"}},
    {"attention",
     {"MaskDropped",
      "selp\\.b(16|32)(\\s+%rs?\\d+), (%rs?\\d+), (0x0000|%r107), .*;",
      "mov.b$1$2, $3;", All}},
    // The sum from before the first step is multiplied by exp(-inf).
    {"attention",
     {"WrongInit", "(st\\.shared\\.b32 .*), (0|-8388608);", "$1, 1065353216;",
      Each, 1}},
    {"attention", {"LoopBound", "(setp\\.ne\\.b32 .*), 4;", "$1, 3;"}},
    {"attention",
     {"OperandsSwapped", "(sub\\.rn\\.f32\\s+%r\\d+), (%r\\d+), (%r\\d+);",
      "$1, $3, $2;"}},
    {"attention", {"RaggedEdge", "(min\\.u32.*), 256;", "$1, 255;"}},
    {"attention", {"StoreOfOtherRow", "(st\\.global.*%rd\\d+)\\]", "$1+256]"}},

    // The store hits a stage that the last step does not read; each thread of
    // the second kernel reads what it wrote itself.
    {"product", {"BarrierDropped", "bar\\.sync", "// bar.sync", Each, 3}},
    {"product", {"WaitDropped", "cp\\.async\\.wait_group", "// wait"}},
    {"product", {"WrongStageCount", "(setp\\.lt\\.s32 .*), 3;", "$1, 2;"}},
    {"product",
     {"MaskDropped", "selp\\.b16(\\s+%rs\\d+), (%rs\\d+), 0x0000, .*;",
      "mov.b16$1, $2;", All}},
    // Lanes of the second kernel without a result store none.
    {"product",
     {"WrongInit", "(mov\\.b32 .*), 0f00000000;", "$1, 0f3F800000;", Each, 1}},
    {"product", {"LoopBound", "(setp\\.ne\\.b32 .*), 8;", "$1, 7;"}},
    {"product",
     {"PartLost", "add\\.rn\\.f32(\\s+%r\\d+), (%r\\d+), (%r\\d+);",
      "mov.b32$1, $2;"}},
    {"product", {"RowOffset", "(mad\\.lo\\.s32 .*), 1000,", "$1, 1008,"}},
    {"product", {"StoreOfOtherRow", "(st\\.global.*%rd\\d+)\\]", "$1+128]"}},
};

std::string nameCase(const testing::TestParamInfo<Case> &info) {
  return std::string(info.param.file) + "_" + info.param.fault.name;
}

INSTANTIATE_TEST_SUITE_P(Gate, MutationTest, testing::ValuesIn(cases),
                         nameCase);

class RightKernelTest : public testing::TestWithParam<const char *> {};

TEST_P(RightKernelTest, Passes) {
  LoweredFile file(GetParam());
  ASSERT_FALSE(file.ptx.empty()) << file.why;
  EXPECT_EQ(file.run(file.ptx, wholeBudget), GateResult::Passed) << file.why;
  uint64_t blocks = file.statistics.blocks;
  EXPECT_GT(file.statistics.worstError, 0);
  EXPECT_GT(file.statistics.programError, 0);
  EXPECT_LT(file.statistics.worstError, 1e-3);
  EXPECT_EQ(file.run(file.ptx, 1), GateResult::Passed) << file.why;
  EXPECT_GT(file.statistics.blocks, blocks);
  EXPECT_EQ(file.statistics.refused, 0u);
}

/// The same seed gives the same run.
TEST_P(RightKernelTest, IsDeterministic) {
  LoweredFile first(GetParam()), second(GetParam());
  ASSERT_EQ(first.run(first.ptx, wholeBudget), GateResult::Passed);
  ASSERT_EQ(second.run(second.ptx, wholeBudget), GateResult::Passed);
  EXPECT_EQ(first.statistics.worstError, second.statistics.worstError);
  EXPECT_EQ(first.statistics.programError, second.statistics.programError);
  EXPECT_EQ(first.statistics.steps, second.statistics.steps);
}

INSTANTIATE_TEST_SUITE_P(Gate, RightKernelTest,
                         testing::Values("rmsnorm", "attention", "product"));

} // namespace
