//===- HopperKernelTest.cpp - Bulk copies and wgmma by nvcc ---------------===//
//
// The product in Inputs/hopper.cu: right results in both orders of blocks and
// warps with all checks on, and seeded faults that are each caught at their PTX
// line.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeTestUtils.h"

#include "Prism/Runtime/KernelPackage.h"

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

/// How many elements of the m x n matrix `c` differ from the product in double;
/// B is k x n if `rows`, else n x k.
unsigned countWrong(llvm::ArrayRef<float> c, llvm::ArrayRef<uint16_t> a,
                    llvm::ArrayRef<uint16_t> b,
                    const llvm::fltSemantics &semantics, bool rows,
                    unsigned k) {
  auto wide = [&](llvm::ArrayRef<uint16_t> values) {
    std::vector<double> result;
    for (uint16_t bits : values)
      result.push_back(fromBits(semantics, bits));
    return result;
  };
  std::vector<double> x = wide(a), y = wide(b);
  unsigned m = a.size() / k, n = b.size() / k;
  if (c.size() != m * n)
    return c.size();
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

  unsigned countWrong() {
    auto c = f.download<float>(pc, m * n);
    return ::countWrong(c, a, b, semantics, rows, k);
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
        // Descriptors that swizzle otherwise than the tensor map.
        Seeded{"wrongSwizzle", Kind::WrongSwizzle, "wgmma.mma_async"},
        Seeded{"tooFewBytes", Kind::MbarrierMisuse, "cp.async.bulk.tensor", 2},
        Seeded{"tooManyBytes", Kind::Deadlock, "mbarrier.try_wait", 2},
        Seeded{"noProxyFence", Kind::MissingFence,
               "cp.async.bulk.tensor.2d.global"},
        Seeded{"noStoreWait", Kind::AsyncInFlight,
               "cp.async.bulk.tensor.2d.global"},
        Seeded{"noBlockBarrier", Kind::Race, "cp.async.bulk.tensor.2d.global",
               1, ScheduleOrder::Reverse}),
    [](const auto &info) { return std::string(info.param.kernel); });

//===----------------------------------------------------------------------===//
// The same through a package
//===----------------------------------------------------------------------===//

/// A package of `kernel`; `more` is added to the tensor map of A.
std::string productPlan(const std::string &kernel, const std::string &type,
                        bool rows, const std::string &boxB,
                        const std::string &more = "") {
  std::string n = rows ? R"({"size_of": [1, 1]})" : R"({"size_of": [1, 0]})";
  std::string m = R"({"size_of": [0, 0]})", k = R"({"size_of": [0, 1]})";
  std::string shapeB = rows ? k + ", null" : "null, " + k;
  return R"({"version": 1, "target": "sm_90a", "functions": [{"name": "f", )"
         R"("arguments": [{"type": ")" +
         type + R"(", "shape": [null, null]}, {"type": ")" + type +
         R"(", "shape": [)" + shapeB +
         R"(]}], "results": [{"type": "f32", "shape": [)" + m + ", " + n +
         R"(]}], "launches": [{"module": "hopper.ptx", "kernel": ")" + kernel +
         R"(", "grid": [{"ceildiv": [)" + n + R"(, 128]}, {"ceildiv": [)" + m +
         R"(, 64]}, 1], "block": [160, 1, 1], "shared_bytes": 49152, )"
         R"("parameters": [)"
         R"({"tensor_map": {"base": {"argument": 0}, "box": [64, 64], )"
         R"("swizzle": 128)" +
         more + R"(}}, {"tensor_map": {"base": {"argument": 1}, "box": )" +
         boxB +
         R"(, "swizzle": 128}}, )"
         R"({"tensor_map": {"base": {"result": 0}, "box": [64, 128]}}, )" +
         k + "]}]}]}";
}

HostArray hostArray(ElementType type, llvm::ArrayRef<int64_t> shape,
                    llvm::ArrayRef<uint16_t> values) {
  HostArray array{type, {shape.begin(), shape.end()}, {}};
  array.data.assign(reinterpret_cast<const char *>(values.begin()),
                    reinterpret_cast<const char *>(values.end()));
  return array;
}

/// Runs `plan` on random matrices of these sizes; the wrong elements of C, or
/// the error.
std::string runPlan(const std::string &plan, ElementType type,
                    const llvm::fltSemantics &semantics, bool rows, unsigned m,
                    unsigned n, unsigned k) {
  auto package = KernelPackage::parse(plan, PRISM_TEST_INPUTS);
  if (!package)
    return llvm::toString(package.takeError());
  auto a = random16(semantics, m * k, 1), b = random16(semantics, n * k, 2);
  SimulatedDevice device;
  HostArray hostA = hostArray(type, {m, k}, a);
  HostArray hostB =
      rows ? hostArray(type, {k, n}, b) : hostArray(type, {n, k}, b);
  auto results = PackageRunner(*package, device).run("f", {hostA, hostB});
  if (!results)
    return llvm::toString(results.takeError());
  llvm::ArrayRef<char> data = results->front().data;
  llvm::ArrayRef<float> c(reinterpret_cast<const float *>(data.data()),
                          data.size() / sizeof(float));
  return std::to_string(countWrong(c, a, b, semantics, rows, k)) + " wrong";
}

TEST(HopperPackage, GemmF16) {
  const auto &half = llvm::APFloat::IEEEhalf();
  std::string plan = productPlan("gemmF16", "f16", false, "[128, 64]");
  EXPECT_EQ(runPlan(plan, ElementType::F16, half, false, 72, 136, 200),
            "0 wrong");
  // 8 bytes a row more than a multiple of 16.
  EXPECT_EQ(runPlan(plan, ElementType::F16, half, false, 64, 128, 68),
            "parameter 0 of kernel 'gemmF16': tensor map: the stride of "
            "dimension 1, 136 bytes, is not a multiple of 16 below 2^40");
}

TEST(HopperPackage, GemmBF16) {
  EXPECT_EQ(runPlan(productPlan("gemmBF16", "bf16", true, "[64, 64]"),
                    ElementType::U16, llvm::APFloat::BFloat(), true, 64, 136,
                    72),
            "0 wrong");
}

/// A plan whose maps are others than the kernel's must not go unnoticed.
TEST(HopperPackage, WrongMaps) {
  const auto &half = llvm::APFloat::IEEEhalf();
  auto run = [&](const std::string &boxB, const std::string &more) {
    return runPlan(productPlan("gemmF16", "f16", false, boxB, more),
                   ElementType::F16, half, false, 64, 128, 128);
  };
  // Fewer bytes arrive than the kernel waits for.
  EXPECT_NE(run("[64, 64]", "").find("deadlock"), std::string::npos);
  EXPECT_NE(run("[128, 64]", R"(, "shape": [65, 128])")
                .find("tensor map: its 16640 bytes"),
            std::string::npos);
  EXPECT_NE(run("[128, 64]", R"(, "offset": 8)")
                .find("the base is not aligned to 16 bytes"),
            std::string::npos);
  // Rows in another order: other results.
  EXPECT_NE(run("[128, 64]", R"(, "shape": [32, 128], "strides": [512])"),
            "0 wrong");
}

} // namespace
