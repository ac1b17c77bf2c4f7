//===- KernelTest.cpp - Kernels that Prism did not make -------------------===//
//
// CUDA C compiled by nvcc (Inputs/*.cu) on the simulated device: right results
// in both orders of blocks and warps, and seeded faults that are each caught at
// their PTX line.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeTestUtils.h"

#include <cmath>

using namespace prism;

namespace {

using Arg = KernelArgument;

const std::string &reductionText() {
  static const std::string text = readInput("reduction.ptx");
  return text;
}
const std::string &gemmText() {
  static const std::string text = readInput("gemm.ptx");
  return text;
}

SimulationOptions ordered(ScheduleOrder order) {
  SimulationOptions options;
  options.blockOrder = options.warpOrder = order;
  return options;
}

std::vector<float> randomFloats(size_t count, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<float> distribution(-1, 1);
  std::vector<float> values(count);
  for (float &value : values)
    value = distribution(engine);
  return values;
}

std::vector<uint16_t> narrow(const llvm::fltSemantics &semantics,
                             const std::vector<float> &values) {
  std::vector<uint16_t> bits;
  for (float value : values)
    bits.push_back(toBits(semantics, value));
  return bits;
}

class BothOrders : public testing::TestWithParam<ScheduleOrder> {};
INSTANTIATE_TEST_SUITE_P(Runtime, BothOrders,
                         testing::Values(ScheduleOrder::Forward,
                                         ScheduleOrder::Reverse));

TEST_P(BothOrders, BlockSum) {
  Fixture f(reductionText(), ordered(GetParam()));
  ASSERT_EQ(f.loadError, "");
  const int n = 1000;
  std::vector<float> in = randomFloats(n, 1);
  DevicePtr x = f.upload(in), out = f.allocate(8);
  ASSERT_EQ(
      message(f.launch("blockSum", {2, 1, 1}, {128, 1, 1},
                       {Arg::pointer(x), Arg::pointer(out), Arg::i32(n)})),
      "");
  double expected = 0;
  for (float value : in)
    expected += value;
  for (float sum : f.download<float>(out, 2))
    EXPECT_NEAR(sum, expected, 1e-4);
}

TEST_P(BothOrders, Softmax) {
  Fixture f(reductionText(), ordered(GetParam()));
  const int rows = 5, columns = 77;
  auto in = narrow(llvm::APFloat::IEEEhalf(), randomFloats(rows * columns, 2));
  DevicePtr x = f.upload(in), out = f.allocate(rows * columns * 2);
  ASSERT_EQ(
      message(f.launch("softmax", {rows, 1, 1}, {96, 1, 1},
                       {Arg::pointer(x), Arg::pointer(out), Arg::i32(columns)},
                       columns * 4)),
      "");
  auto result = f.download<uint16_t>(out, rows * columns);
  for (int r = 0; r < rows; ++r) {
    double sum = 0;
    for (int c = 0; c < columns; ++c)
      sum += std::exp(fromBits(llvm::APFloat::IEEEhalf(), in[r * columns + c]));
    for (int c = 0; c < columns; ++c) {
      double expected =
          std::exp(fromBits(llvm::APFloat::IEEEhalf(), in[r * columns + c])) /
          sum;
      double actual =
          fromBits(llvm::APFloat::IEEEhalf(), result[r * columns + c]);
      ASSERT_NEAR(actual, expected, expected * 1e-3);
    }
  }
}

TEST_P(BothOrders, Histogram) {
  Fixture f(reductionText(), ordered(GetParam()));
  std::mt19937 engine(3);
  std::vector<uint32_t> in(5000), expected(64), zeros(64);
  for (uint32_t &value : in)
    ++expected[(value = engine()) % 64];
  DevicePtr x = f.upload(in), out = f.upload(zeros);
  ASSERT_EQ(message(f.launch("histogram", {3, 1, 1}, {100, 1, 1},
                             {Arg::pointer(x), Arg::pointer(out),
                              Arg::i32(int(in.size()))})),
            "");
  EXPECT_EQ(f.download<uint32_t>(out, 64), expected);
}

/// Runs a product of `m` x `k` and `k` x `n` and compares it with double.
void checkGemm(ScheduleOrder order, const char *kernel,
               const llvm::fltSemantics &semantics) {
  Fixture f(gemmText(), ordered(order));
  ASSERT_EQ(f.loadError, "");
  const unsigned m = 128, n = 192, k = 160;
  auto a = narrow(semantics, randomFloats(m * k, 4));
  auto b = narrow(semantics, randomFloats(k * n, 5));
  DevicePtr pa = f.upload(a), pb = f.upload(b), pc = f.allocate(m * n * 4);
  ASSERT_EQ(message(f.launch(kernel, {n / 64, m / 64, 1}, {128, 1, 1},
                             {Arg::pointer(pa), Arg::pointer(pb),
                              Arg::pointer(pc), Arg::i32(n), Arg::i32(k)})),
            "");
  auto c = f.download<float>(pc, m * n);
  for (unsigned i = 0; i < m; ++i)
    for (unsigned j = 0; j < n; ++j) {
      double expected = 0;
      for (unsigned l = 0; l < k; ++l)
        expected += fromBits(semantics, a[i * k + l]) *
                    fromBits(semantics, b[l * n + j]);
      ASSERT_NEAR(c[i * n + j], expected, 1e-4) << i << ", " << j;
    }
}

TEST_P(BothOrders, GemmF16) {
  checkGemm(GetParam(), "gemmF16", llvm::APFloat::IEEEhalf());
}
TEST_P(BothOrders, GemmBF16) {
  checkGemm(GetParam(), "gemmBF16", llvm::APFloat::BFloat());
}

//===----------------------------------------------------------------------===//
// Seeded faults
//===----------------------------------------------------------------------===//

TEST(SeededFault, MissingBarrier) {
  for (auto order : {ScheduleOrder::Forward, ScheduleOrder::Reverse}) {
    Fixture f(reductionText(), ordered(order));
    const int n = 300;
    DevicePtr x = f.upload(randomFloats(n, 1)), out = f.allocate(4);
    auto found =
        findings(f.launch("blockSumNoBarrier", {1, 1, 1}, {128, 1, 1},
                          {Arg::pointer(x), Arg::pointer(out), Arg::i32(n)}));
    // In the first order warp 0 reads before the others write; in the second
    // after. The later access is the one reported.
    bool forward = order == ScheduleOrder::Forward;
    unsigned line = lineOf(reductionText(), ".entry blockSumNoBarrier",
                           forward ? "st.shared" : "ld.shared");
    EXPECT_TRUE(has(found, FindingKind::Race, line));
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(found.front().kernel, "blockSumNoBarrier");
    EXPECT_EQ(found.front().sourceFile, "reduction.cu");
    EXPECT_NE(found.front().sourceLine, 0u);
  }
}

TEST(SeededFault, OffByOneTail) {
  Fixture f(reductionText());
  const int n = 100;
  DevicePtr x = f.upload(randomFloats(n, 1), "x");
  DevicePtr out = f.allocate(n * 4, "y");
  auto found =
      findings(f.launch("offByOne", {4, 1, 1}, {32, 1, 1},
                        {Arg::pointer(x), Arg::pointer(out), Arg::i32(n)}));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].kind, FindingKind::OutOfBounds);
  EXPECT_EQ(found[0].line,
            lineOf(reductionText(), ".entry offByOne", "ld.global"));
  EXPECT_EQ(found[0].block, (Dim3{3, 0, 0}));
  EXPECT_EQ(found[0].thread, (Dim3{4, 0, 0}));
  EXPECT_NE(found[0].message.find("400 bytes from the start of 'x'"),
            std::string::npos)
      << found[0].message;
  EXPECT_EQ(found[1].line,
            lineOf(reductionText(), ".entry offByOne", "st.global"));
}

TEST(SeededFault, MisalignedVector) {
  Fixture f(reductionText());
  DevicePtr x = f.upload(randomFloats(64, 1)), out = f.allocate(32 * 4);
  auto found = findings(f.launch("misaligned", {1, 1, 1}, {32, 1, 1},
                                 {Arg::pointer(x), Arg::pointer(out)}));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, FindingKind::Misaligned);
  EXPECT_EQ(found[0].line,
            lineOf(reductionText(), ".entry misaligned", "ld.global"));
  EXPECT_EQ(found[0].thread, (Dim3{0, 0, 0}));
}

TEST(SeededFault, DivergentBarrier) {
  Fixture f(reductionText());
  DevicePtr out = f.allocate(64 * 4);
  auto found = findings(
      f.launch("divergentBarrier", {1, 1, 1}, {64, 1, 1}, {Arg::pointer(out)}));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, FindingKind::DivergentBarrier);
  EXPECT_EQ(found[0].line,
            lineOf(reductionText(), ".entry divergentBarrier", "bar.sync"));
}

TEST(SeededFault, Endless) {
  SimulationOptions options;
  options.stepLimit = 10000;
  Fixture f(reductionText(), options);
  DevicePtr flag = f.upload(std::vector<int>{0});
  auto found =
      findings(f.launch("endless", {1, 1, 1}, {1, 1, 1}, {Arg::pointer(flag)}));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, FindingKind::StepLimit);
}

TEST(SeededFault, UninitializedRead) {
  Fixture f(reductionText());
  DevicePtr out = f.allocate(32 * 4, "y");
  auto found = findings(
      f.launch("readsOutput", {1, 1, 1}, {32, 1, 1}, {Arg::pointer(out)}));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, FindingKind::Uninitialized);
  EXPECT_EQ(found[0].line,
            lineOf(reductionText(), ".entry readsOutput", "ld.global"));
}

std::vector<Finding> runFaultyGemm(const char *kernel) {
  Fixture f(gemmText());
  const unsigned m = 64, n = 64, k = 128;
  auto half = [](const std::vector<float> &values) {
    return narrow(llvm::APFloat::IEEEhalf(), values);
  };
  DevicePtr a = f.upload(half(randomFloats(m * k, 4)));
  DevicePtr b = f.upload(half(randomFloats(k * n, 5)));
  DevicePtr c = f.allocate(m * n * 4);
  return findings(f.launch(kernel, {1, 1, 1}, {128, 1, 1},
                           {Arg::pointer(a), Arg::pointer(b), Arg::pointer(c),
                            Arg::i32(n), Arg::i32(k)}));
}

TEST(SeededFault, WeakWait) {
  auto found = runFaultyGemm("gemmWeakWait");
  EXPECT_TRUE(has(found, FindingKind::AsyncInFlight,
                  lineOf(gemmText(), ".entry gemmWeakWait", "ldmatrix")));
}

TEST(SeededFault, MissingBarrierInPipeline) {
  auto found = runFaultyGemm("gemmNoBarrier");
  // A warp ahead of the others overwrites the stage they still read from.
  EXPECT_TRUE(has(found, FindingKind::Race,
                  lineOf(gemmText(), ".entry gemmNoBarrier", "cp.async.cg", 3)))
      << message(llvm::make_error<FindingsError>(found));
}

/// No access of a wrong swizzle is wrong by itself: it shows as wrong values,
/// and the device says what wrote them.
TEST(SeededFault, WrongSwizzle) {
  const auto &half = llvm::APFloat::IEEEhalf();
  auto a = narrow(half, randomFloats(16 * 64, 6));
  auto b = narrow(half, randomFloats(64 * 8, 7));
  Fixture f(gemmText());
  DevicePtr pa = f.upload(a), pb = f.upload(b), pc = f.allocate(512, "c");
  std::vector<Arg> arguments = {Arg::pointer(pa), Arg::pointer(pb),
                                Arg::pointer(pc)};
  auto isRight = [&](unsigned i) {
    double expected = 0;
    for (unsigned l = 0; l < 64; ++l)
      expected +=
          fromBits(half, a[i / 8 * 64 + l]) * fromBits(half, b[l * 8 + i % 8]);
    return std::fabs(f.download<float>(pc, 128)[i] - expected) < 1e-4;
  };
  auto run = [&](const char *kernel) {
    EXPECT_EQ(message(f.launch(kernel, {1, 1, 1}, {32, 1, 1}, arguments)), "");
  };
  run("rightSwizzle");
  for (unsigned i = 0; i < 128; ++i)
    EXPECT_TRUE(isRight(i)) << i;
  run("wrongSwizzle");
  unsigned wrong = 0;
  while (wrong < 128 && isRight(wrong))
    ++wrong;
  // Row 4 is the first whose number has the bit that the reads leave out.
  ASSERT_EQ(wrong, 32u);
  f.device.getOptions().watch = {"c", wrong * sizeof(float), sizeof(float)};
  run("wrongSwizzle");
  auto place = f.device.getLastWrite();
  ASSERT_TRUE(place.has_value());
  EXPECT_EQ(place->kernel, "wrongSwizzle");
  EXPECT_EQ(place->thread, (Dim3{16, 0, 0}));
  EXPECT_EQ(place->line,
            lineOf(gemmText(), ".entry wrongSwizzle", "st.global"));
  EXPECT_EQ(place->sourceFile, "gemm.cu");
}

TEST(SeededFault, MisalignedAsyncCopy) {
  Fixture f(gemmText());
  DevicePtr a = f.upload(std::vector<uint16_t>(512, 0));
  DevicePtr c = f.allocate(64);
  auto found = findings(f.launch("copyMisaligned", {1, 1, 1}, {32, 1, 1},
                                 {Arg::pointer(a), Arg::pointer(c)}));
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].kind, FindingKind::Misaligned);
  EXPECT_EQ(found[0].line,
            lineOf(gemmText(), ".entry copyMisaligned", "cp.async.cg"));
}

} // namespace
