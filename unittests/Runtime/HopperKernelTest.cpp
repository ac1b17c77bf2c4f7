//===- HopperKernelTest.cpp - Bulk copies and wgmma by nvcc ---------------===//
//
// The product in Inputs/hopper.cu: right results in both orders of blocks and
// warps with all checks on, and seeded faults that are each caught at their PTX
// line.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeTestUtils.h"

#include "Prism/Runtime/TensorMap.h"

using namespace prism;

namespace {

using Arg = KernelArgument;

const std::string &hopperText() {
  static const std::string text = readInput("hopper.ptx");
  return text;
}

std::vector<uint16_t> random16(const llvm::fltSemantics &semantics,
                               size_t count, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> distribution(-1, 1);
  std::vector<uint16_t> values(count);
  for (uint16_t &value : values)
    value = toBits(semantics, distribution(engine));
  return values;
}

/// A row-major `rows` x `columns` matrix, moved in boxes of such a size.
TensorMap matrixMap(TensorMapType type, DevicePtr base, uint64_t rows,
                    uint64_t columns, uint32_t boxRows, uint32_t boxColumns,
                    unsigned swizzle) {
  TensorMap map;
  map.type = type;
  map.base = base;
  map.extents = {columns, rows};
  map.strides = {columns * getTensorMapTypeSize(type)};
  map.box = {boxColumns, boxRows};
  map.swizzle = swizzle;
  return map;
}

/// The product of random matrices; B is k x n if `rows`, else n x k.
class Product {
public:
  Product(const char *kernel, const llvm::fltSemantics &semantics, bool rows,
          unsigned m, unsigned n, unsigned k, ScheduleOrder order)
      : semantics(semantics), rows(rows), m(m), n(n), k(k),
        f(hopperText(), ordered(order)) {
    EXPECT_EQ(f.loadError, "");
    if (!f.loadError.empty())
      return;
    a = random16(semantics, m * k, 1);
    b = random16(semantics, n * k, 2);
    TensorMapType type = &semantics == &llvm::APFloat::BFloat()
                             ? TensorMapType::BF16
                             : TensorMapType::F16;
    DevicePtr pa = f.upload(a, "a"), pb = f.upload(b, "b");
    pc = f.allocate(m * n * 4, "c");
    auto argument = [&](const TensorMap &map) {
      return llvm::cantFail(f.device.makeTensorMap(map));
    };
    auto mapB = rows ? matrixMap(type, pb, k, n, 64, 64, 128)
                     : matrixMap(type, pb, n, k, 128, 64, 128);
    error = f.launch(
        kernel, {(n + 127) / 128, (m + 63) / 64, 1}, {160, 1, 1},
        {argument(matrixMap(type, pa, m, k, 64, 64, 128)), argument(mapB),
         argument(matrixMap(TensorMapType::F32, pc, m, n, 64, 128, 0)),
         Arg::i32(k)},
        2 * (64 + 128) * 64 * 2);
  }
  ~Product() { llvm::consumeError(std::move(error)); }

  /// How many elements of C differ from the product in double.
  unsigned countWrong() {
    auto c = f.download<float>(pc, m * n);
    auto wide = [&](const std::vector<uint16_t> &values) {
      std::vector<double> result;
      for (uint16_t bits : values)
        result.push_back(fromBits(semantics, bits));
      return result;
    };
    std::vector<double> x = wide(a), y = wide(b);
    unsigned wrong = 0;
    for (unsigned i = 0; i < m; ++i)
      for (unsigned j = 0; j < n; ++j) {
        double expected = 0;
        for (unsigned l = 0; l < k; ++l)
          expected += x[i * k + l] * y[rows ? l * n + j : j * k + l];
        wrong += !(std::fabs(c[i * n + j] - expected) < 1e-4);
      }
    return wrong;
  }

  std::vector<Finding> takeFindings() { return findings(std::move(error)); }
  llvm::Error error = llvm::Error::success();

private:
  static SimulationOptions ordered(ScheduleOrder order) {
    SimulationOptions options;
    options.blockOrder = options.warpOrder = order;
    return options;
  }

  const llvm::fltSemantics &semantics;
  bool rows;
  unsigned m, n, k;
  Fixture f;
  std::vector<uint16_t> a, b;
  DevicePtr pc = DevicePtr::Null;
};

class HopperOrders : public testing::TestWithParam<ScheduleOrder> {};
INSTANTIATE_TEST_SUITE_P(Runtime, HopperOrders,
                         testing::Values(ScheduleOrder::Forward,
                                         ScheduleOrder::Reverse));

// Sizes that are no multiples of the tiles: copies reach beyond the arrays.
TEST_P(HopperOrders, GemmF16) {
  Product product("gemmF16", llvm::APFloat::IEEEhalf(), false, 100, 200, 328,
                  GetParam());
  EXPECT_EQ(message(std::move(product.error)), "");
  EXPECT_EQ(product.countWrong(), 0u);
}
TEST_P(HopperOrders, GemmBF16) {
  Product product("gemmBF16", llvm::APFloat::BFloat(), true, 100, 200, 328,
                  GetParam());
  EXPECT_EQ(message(std::move(product.error)), "");
  EXPECT_EQ(product.countWrong(), 0u);
}

struct Seeded {
  const char *kernel;
  FindingKind kind;
  const char *instruction; ///< that the finding is at, in its kernel
  unsigned occurrence = 1;
  ScheduleOrder order = ScheduleOrder::Forward;
};

class HopperFault : public testing::TestWithParam<Seeded> {};

TEST_P(HopperFault, IsCaught) {
  const Seeded &seeded = GetParam();
  Product product(seeded.kernel, llvm::APFloat::IEEEhalf(), false, 64, 128, 320,
                  seeded.order);
  auto found = product.takeFindings();
  ASSERT_FALSE(found.empty());
  unsigned line =
      lineOf(hopperText(), ".entry " + std::string(seeded.kernel) + "(",
             seeded.instruction, seeded.occurrence);
  ASSERT_NE(line, 0u);
  EXPECT_TRUE(has(found, seeded.kind, line))
      << "expected line " << line << "\n"
      << message(llvm::make_error<FindingsError>(found));
}

using Kind = FindingKind;
INSTANTIATE_TEST_SUITE_P(
    Runtime, HopperFault,
    testing::Values(
        Seeded{"noMatrixFence", Kind::MissingFence, "wgmma.mma_async"},
        Seeded{"noMatrixWait", Kind::AsyncInFlight, "st.shared"},
        Seeded{"earlyRelease", Kind::AsyncInFlight, "cp.async.bulk.tensor"},
        Seeded{"noCopyWait", Kind::AsyncInFlight, "wgmma.mma_async"},
        Seeded{"wrongParity", Kind::AsyncInFlight, "wgmma.mma_async", 1,
               ScheduleOrder::Reverse},
        Seeded{"tooFewBytes", Kind::MbarrierMisuse, "cp.async.bulk.tensor", 2},
        Seeded{"tooManyBytes", Kind::Deadlock, "mbarrier.try_wait", 2},
        Seeded{"noProxyFence", Kind::MissingFence,
               "cp.async.bulk.tensor.2d.global"},
        Seeded{"noStoreWait", Kind::AsyncInFlight,
               "cp.async.bulk.tensor.2d.global"},
        Seeded{"noBlockBarrier", Kind::Race, "cp.async.bulk.tensor.2d.global",
               1, ScheduleOrder::Reverse}),
    [](const auto &info) { return std::string(info.param.kernel); });

/// Descriptors that swizzle otherwise than the tensor map name the wrong
/// elements.
TEST(HopperFaults, WrongSwizzleGivesWrongValues) {
  Product product("wrongSwizzle", llvm::APFloat::IEEEhalf(), false, 64, 128,
                  128, ScheduleOrder::Forward);
  EXPECT_EQ(message(std::move(product.error)), "");
  EXPECT_GT(product.countWrong(), 4000u);
}

} // namespace
