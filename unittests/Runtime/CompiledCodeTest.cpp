//===- CompiledCodeTest.cpp - The device against the host -----------------===//
//
// C functions that one compiler made for both (Inputs/scalar.c), CUDA's
// mathematics against the host's, and the instructions that LLVM's backend
// makes of an Ampere kernel's intrinsics.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeTestUtils.h"

#include <cmath>

using namespace prism;

using ScalarFn = void(const uint32_t *, uint32_t *);
extern "C" {
int scalarThread; // what stands for the thread's number on the host
ScalarFn hashes, collatz, divisions, narrowTypes, floats, doubles, switches,
    sorts, wideBits;
}

namespace {

using Arg = KernelArgument;

TEST(CompiledCode, ScalarFunctionsMatchHost) {
  const std::pair<const char *, ScalarFn *> functions[] = {
      {"hashes", hashes},       {"collatz", collatz},
      {"divisions", divisions}, {"narrowTypes", narrowTypes},
      {"floats", floats},       {"doubles", doubles},
      {"switches", switches},   {"sorts", sorts},
      {"wideBits", wideBits},
  };
  Fixture f(readInput("scalar.ptx"));
  ASSERT_EQ(f.loadError, "");
  const unsigned n = 64;
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 engine(seed);
    std::vector<uint32_t> in(n), expected(n);
    for (uint32_t &value : in)
      value = engine() >> (seed % 4 * 8);
    DevicePtr x = f.upload(in);
    for (auto [name, function] : functions) {
      for (scalarThread = 0; scalarThread < int(n); ++scalarThread)
        function(in.data(), expected.data());
      DevicePtr out = f.allocate(n * 4);
      ASSERT_EQ(message(f.launch(name, {1, 1, 1}, {n, 1, 1},
                                 {Arg::pointer(x), Arg::pointer(out)})),
                "");
      EXPECT_EQ(f.download<uint32_t>(out, n), expected)
          << name << ", seed " << seed;
    }
  }
}

TEST(CompiledCode, MathematicsOfCUDA) {
  const std::pair<const char *, double (*)(double)> functions[] = {
      {"mathExp", [](double x) { return std::exp(x); }},
      {"mathLog", [](double x) { return std::log(std::fabs(x) + 0.5); }},
      {"mathTanh", [](double x) { return std::tanh(x); }},
      {"mathErf", [](double x) { return std::erf(x); }},
      {"mathPow", [](double x) { return std::pow(std::fabs(x) + 0.1, 1.7); }},
      {"mathSin", [](double x) { return std::sin(100 * x); }},
      {"mathSqrt", [](double x) { return std::sqrt(std::fabs(x)); }},
      {"mathRsqrt", [](double x) { return 1 / std::sqrt(std::fabs(x) + 0.1); }},
      {"mathDivide", [](double x) { return x / (x * x + 1); }},
      {"mathSigmoid", [](double x) { return 1 / (1 + std::exp(-x)); }},
  };
  Fixture f(readInput("math.ptx"));
  ASSERT_EQ(f.loadError, "");
  const unsigned n = 512;
  std::vector<float> in(n);
  for (unsigned i = 0; i < n; ++i)
    in[i] = (int(i) - int(n) / 2) / 64.0f;
  DevicePtr x = f.upload(in);
  for (auto [name, function] : functions) {
    DevicePtr out = f.allocate(n * 4);
    ASSERT_EQ(message(f.launch(name, {1, 1, 1}, {n, 1, 1},
                               {Arg::pointer(x), Arg::pointer(out)})),
              "");
    auto result = f.download<float>(out, n);
    // 100 * x is rounded before the sine, which the reference does not do.
    double tolerance = name == std::string("mathSin") ? 5e-5 : 2e-6;
    for (unsigned i = 0; i < n; ++i)
      ASSERT_NEAR(result[i], function(in[i]),
                  tolerance * std::max(1.0, std::fabs(function(in[i]))))
          << name << " of " << in[i];
  }
}

/// Every path of the kernel runs without a finding.
TEST(CompiledCode, IntrinsicsOfAmpere) {
  Fixture f(readInput("intrinsics.ptx"));
  ASSERT_EQ(f.loadError, "");
  DevicePtr in = f.upload(std::vector<uint16_t>(32 * 8, 0x3c00));
  DevicePtr out = f.upload(std::vector<char>(32 * 8, 0));
  auto raw = [](auto value) {
    return Arg::raw({reinterpret_cast<const char *>(&value), sizeof(value)});
  };
  for (int path = 1; path < 6; ++path)
    EXPECT_EQ(
        message(f.launch("k", {1, 1, 1}, {32, 1, 1},
                         {Arg::pointer(in), Arg::pointer(out), Arg::i32(path),
                          raw(uint16_t(0x3c00)), raw(uint16_t(0x3f80)),
                          Arg::i64(3), raw(uint8_t(5)), raw(uint8_t(1))},
                         1024)),
        "");
}

} // namespace
