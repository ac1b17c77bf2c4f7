//===- SpeedTest.cpp - A kernel at full size in time ----------------------===//
//
// RMSNorm + linear as Prism makes it, 16 x 4096 x 4096 in f16, with all checks:
// right, and within two seconds on two cores, translation included. Seconds of
// the processor are counted, since the machine may be busy.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeTestUtils.h"

#include <cmath>
#include <ctime>

using namespace prism;

namespace {

TEST(Speed, RMSNormLinear) {
  constexpr unsigned n = 16, d = 4096;
  // Values whose sums of products stay far from the limits of f16.
  std::mt19937 engine(1);
  auto random = [&](size_t count) {
    std::vector<uint16_t> table, values(count);
    for (int i = -16; i <= 16; ++i)
      table.push_back(toBits(llvm::APFloat::IEEEhalf(), i / 64.0));
    for (uint16_t &value : values)
      value = table[engine() % table.size()];
    return values;
  };
  std::vector<uint16_t> x = random(n * d), w = random(size_t(d) * d);
  std::string text = readInput("rmsnorm_linear.ptx");
  std::clock_t start = std::clock();
  Fixture f(text);
  ASSERT_EQ(f.loadError, "");
  DevicePtr px = f.upload(x, "x"), pw = f.upload(w, "w");
  DevicePtr py = f.allocate(n * d * 2, "y");
  ASSERT_EQ(message(f.launch("rmsnorm_0_4_k0", {256, 1, 1}, {256, 1, 1},
                             {KernelArgument::pointer(px),
                              KernelArgument::pointer(pw),
                              KernelArgument::pointer(py)},
                             49312)),
            "");
  double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
  auto y = f.download<uint16_t>(py, n * d);
  auto wide = [](uint16_t bits) {
    return fromBits(llvm::APFloat::IEEEhalf(), bits);
  };
  for (unsigned i = 0; i < n; ++i) {
    double squares = 0;
    for (unsigned k = 0; k < d; ++k)
      squares += wide(x[i * d + k]) * wide(x[i * d + k]);
    for (unsigned j = i; j < d; j += 511) {
      double sum = 0;
      for (unsigned k = 0; k < d; ++k)
        sum += wide(x[i * d + k]) * wide(w[size_t(k) * d + j]);
      ASSERT_NEAR(wide(y[i * d + j]), sum / std::sqrt(squares / d), 0.05)
          << i << ", " << j;
    }
  }
#if defined(NDEBUG) && !defined(__SANITIZE_ADDRESS__)
  EXPECT_LT(seconds / 2, 2);
#endif
  RecordProperty("cpu_seconds", std::to_string(seconds));
}

} // namespace
