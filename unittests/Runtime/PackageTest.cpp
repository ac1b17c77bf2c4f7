//===- PackageTest.cpp - .npy files and kernel packages -------------------===//
//
// Round trips, files that lie, and plans that are wrong.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Runtime/KernelPackage.h"
#include "RuntimeTestUtils.h"

#include "llvm/Support/FileSystem.h"

using namespace prism;

namespace {

std::string npyText(const std::string &header, const std::string &data) {
  std::string text("\x93NUMPY\x01\x00", 8);
  text += char(header.size() & 255);
  text += char(header.size() >> 8);
  return text + header + data;
}

std::string npyError(const std::string &text) {
  auto array = parseNpy(text, "x.npy");
  return array ? "" : llvm::toString(array.takeError());
}

TEST(Npy, RoundTrip) {
  using E = ElementType;
  for (E type : {E::F16, E::F32, E::F64, E::I1, E::I8, E::I16, E::I32, E::I64,
                 E::U8, E::U16, E::U32, E::U64}) {
    for (llvm::SmallVector<int64_t, 4> shape :
         {llvm::SmallVector<int64_t, 4>{}, {3}, {2, 0}, {2, 3, 4}}) {
      HostArray array{type, shape, {}};
      array.data.resize(array.getNumElements() * getElementSize(type));
      for (size_t i = 0; i < array.data.size(); ++i)
        array.data[i] = char(i);
      llvm::SmallString<64> path;
      ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("prism", "npy", path));
      ASSERT_EQ(message(writeNpy(path, array)), "");
      auto read = readNpy(path);
      ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
      EXPECT_EQ(read->type, type);
      EXPECT_EQ(read->shape, shape);
      EXPECT_EQ(read->data, array.data);
      llvm::sys::fs::remove(path);
    }
  }
}

TEST(Npy, FilesThatLie) {
  auto header = [](const char *descr, const char *order, const char *shape) {
    return std::string("{'descr': ") + descr + ", 'fortran_order': " + order +
           ", 'shape': " + shape + "}\n";
  };
  EXPECT_EQ(npyError(npyText(header("'<f4'", "False", "(2,)"), "12345678")),
            "");
  EXPECT_EQ(npyError("hello"), "x.npy: not a .npy file");
  EXPECT_EQ(npyError(std::string("\x93NUMPY\x09\x00\x00\x00", 10)),
            "x.npy: .npy version 9 is not 1, 2 or 3");
  EXPECT_EQ(npyError(std::string("\x93NUMPY\x01\x00\xff\xff{", 11)),
            "x.npy: the header is cut off");
  EXPECT_EQ(npyError(npyText("{}", "")),
            "x.npy: the header lacks 'descr', 'fortran_order' or 'shape'");
  EXPECT_EQ(npyError(npyText(header("'<f4'", "False", "(2,)"), "1234567")),
            "x.npy: the header says 2xf32, 8 bytes; the file has 7");
  EXPECT_EQ(npyError(npyText(header("'<f4'", "False", "(-2,)"), "")),
            "x.npy: malformed shape");
  EXPECT_EQ(npyError(npyText(
                header("'<f4'", "False", "(4611686018427387904, 4)"), "")),
            "x.npy: the shape is too large");
  EXPECT_NE(npyError(npyText(header("'>f4'", "False", "(2,)"), "12345678"))
                .find("unsupported element type '>f4'"),
            std::string::npos);
  EXPECT_NE(npyError(npyText(header("[('a', '<f4')]", "False", "(1,)"), "1234"))
                .find("structured element types"),
            std::string::npos);
  EXPECT_NE(npyError(npyText(header("'<f4'", "True", "(2, 1)"), "12345678"))
                .find("column-major"),
            std::string::npos);
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

TEST(Plan, Expressions) {
  llvm::SmallVector<int64_t, 4> shapes[] = {{10, 33}, {7}};
  auto constant = [](int64_t value) {
    PlanExpr expr;
    expr.value = value;
    return expr;
  };
  auto make = [](PlanExpr::Kind kind, PlanExpr a, PlanExpr b) {
    PlanExpr expr;
    expr.kind = kind;
    expr.operands = {std::move(a), std::move(b)};
    return expr;
  };
  PlanExpr size;
  size.kind = PlanExpr::Kind::SizeOf;
  size.argument = 0;
  size.dimension = 1;
  using K = PlanExpr::Kind;
  EXPECT_EQ(llvm::cantFail(size.evaluate(shapes)), 33);
  EXPECT_EQ(
      llvm::cantFail(make(K::CeilDiv, size, constant(32)).evaluate(shapes)), 2);
  EXPECT_EQ(llvm::cantFail(make(K::Mul, size, constant(3)).evaluate(shapes)),
            99);
  EXPECT_EQ(llvm::cantFail(make(K::Add, size, constant(-3)).evaluate(shapes)),
            30);
  EXPECT_EQ(llvm::cantFail(make(K::Min, size, constant(3)).evaluate(shapes)),
            3);
  EXPECT_EQ(
      llvm::toString(
          make(K::CeilDiv, size, constant(0)).evaluate(shapes).takeError()),
      "ceildiv by 0");
  EXPECT_NE(
      llvm::toString(
          make(K::Mul, constant(INT64_MAX), size).evaluate(shapes).takeError()),
      "");
  size.dimension = 2;
  EXPECT_NE(llvm::toString(size.evaluate(shapes).takeError()), "");
}

std::string planError(const std::string &functions) {
  auto package = KernelPackage::parse(
      R"({"version": 1, "target": "sm_80", "functions": [)" + functions + "]}",
      "dir");
  return package ? "" : llvm::toString(package.takeError());
}

TEST(Plan, Errors) {
  EXPECT_NE(llvm::toString(KernelPackage::parse("{", "dir").takeError()), "");
  EXPECT_NE(
      llvm::toString(
          KernelPackage::parse(
              R"({"version": 2, "target": "sm_80", "functions": []})", "dir")
              .takeError())
          .find("this reader knows version 1"),
      std::string::npos);
  const std::string head = R"({"name": "f", "arguments": [], )";
  EXPECT_EQ(planError(head + R"("results": [], "launches": []})"), "");
  auto launch = [&](const std::string &grid, const std::string &parameters) {
    return planError(head +
                     R"("results": [], "launches": [{"module": "m.ptx", )"
                     R"("kernel": "k", "grid": )" +
                     grid +
                     R"(, "block": [1, 1, 1], "shared_bytes": 0, )"
                     R"("parameters": )" +
                     parameters + "}]}");
  };
  EXPECT_EQ(launch("[1, 1, 1]", R"([{"i32": 3}])"), "");
  EXPECT_NE(launch("[1, 1]", "[]").find("expected three extents"),
            std::string::npos);
  EXPECT_NE(launch(R"([{"pow": [1, 2]}, 1, 1])", "[]")
                .find("expected an integer, size_of, mul, ceildiv, add or min"),
            std::string::npos);
  EXPECT_NE(launch("[1, 1, 1]", R"([{"argument": 0}])")
                .find("this index names nothing the function has"),
            std::string::npos);
  EXPECT_NE(planError(head + R"("results": [{"type": "f32", "shape": [null]}],)"
                             R"( "launches": []})")
                .find("a result's extent cannot be null"),
            std::string::npos);
  EXPECT_NE(planError(head + R"("results": [], "launches": [], )"
                             R"("workspaces": [{"bytes": 1}, {}]})")
                .find("functions[0].workspaces[1].bytes"),
            std::string::npos);
  EXPECT_NE(planError(head + R"("results": [{"type": "f9", "shape": []}],)"
                             R"( "launches": []})")
                .find("unknown element type"),
            std::string::npos);
}

/// Files whose brackets or expressions nest as deep as the file is long.
TEST(Plan, Nesting) {
  for (const char *open : {"[", "{\"a\":", "{\"add\":[1,"}) {
    std::string text;
    for (unsigned i = 0; i < 200000; ++i)
      text += open;
    EXPECT_NE(llvm::toString(KernelPackage::parse(text, "dir").takeError())
                  .find("deep, this reader takes 200"),
              std::string::npos);
  }
  // Brackets in strings are none.
  EXPECT_EQ(planError(R"({"name": ")" + std::string(1000, '[') +
                      R"(\"[", "arguments": [], "results": [], )"
                      R"("launches": []})"),
            "");
}

/// The error for a parameter that is this tensor map; `f` has an argument of
/// rank 2, one of rank 0, and a workspace.
std::string mapError(const std::string &map) {
  return planError(
      R"({"name": "f", "arguments": [{"type": "f32", "shape": [null, 8]}, )"
      R"({"type": "f32", "shape": []}], "results": [], )"
      R"("workspaces": [{"bytes": 64}], )"
      R"("launches": [{"module": "m.ptx", "kernel": "k", "grid": [1, 1, 1], )"
      R"("block": [1, 1, 1], "shared_bytes": 0, )"
      R"("parameters": [{"tensor_map": )" +
      map + "}]}]}");
}

TEST(Plan, TensorMapErrors) {
  auto reports = [](const std::string &map, const char *what,
                    const char *where) {
    std::string error = mapError(map);
    return llvm::StringRef(error).contains(what) &&
                   llvm::StringRef(error).contains(where)
               ? ""
           : error.empty() ? "no error"
                           : error;
  };
  const char *at = ".parameters[0].tensor_map";
  EXPECT_EQ(mapError(R"({"base": {"argument": 0}, "box": [1, 8]})"), "");
  EXPECT_EQ(
      mapError(R"({"base": {"workspace": 0}, "type": "f16", )"
               R"("shape": [2, {"size_of": [0, 0]}, 8], "box": [1, 1, 8],)"
               R"( "strides": [32, 16], "offset": 32, "swizzle": 32, )"
               R"("fill": "nan"})"),
      "");
  EXPECT_EQ(reports("{}", "missing value", "tensor_map.base"), "");
  EXPECT_EQ(reports(R"({"base": {"argument": 0}})", "missing value",
                    "tensor_map.box"),
            "");
  EXPECT_EQ(reports(R"({"base": {"i32": 0}, "box": [1, 8]})",
                    "expected an argument, a result, a workspace or a constant",
                    "tensor_map.base"),
            "");
  EXPECT_EQ(reports(R"({"base": {"tensor_map": {"base": {"argument": 0}, )"
                    R"("box": [1, 8]}}, "box": [1, 8]})",
                    "expected an argument, a result, a workspace or a constant",
                    "tensor_map.base"),
            "");
  EXPECT_EQ(reports(R"({"base": {"argument": 2}, "box": [1, 8]})",
                    "this index names nothing", ".parameters[0]"),
            "");
  EXPECT_EQ(reports(R"({"base": {"argument": 0}, "box": [1, 8], "swizle": 1})",
                    "unknown key", "tensor_map.swizle"),
            "");
  EXPECT_EQ(reports(R"({"base": {"argument": 0}, "box": [1, 8], "swizzle": 1})",
                    "expected 0, 32, 64 or 128 bytes", "tensor_map.swizzle"),
            "");
  EXPECT_EQ(reports(R"({"base": {"argument": 0}, "box": [0, 8]})",
                    "expected 1 to 256 elements", "tensor_map.box[0]"),
            "");
  EXPECT_EQ(reports(R"({"base": {"argument": 0}, "box": [1, 257]})",
                    "expected 1 to 256 elements", "tensor_map.box[1]"),
            "");
  EXPECT_EQ(reports(R"({"base": {"argument": 0}, "box": [8]})",
                    "expected one extent for each", "tensor_map.box"),
            "");
  EXPECT_EQ(reports(R"({"base": {"argument": 0}, "box": [1, 8], )"
                    R"("strides": [32, 4]})",
                    "expected one for each dimension but the innermost",
                    "tensor_map.strides"),
            "");
  EXPECT_EQ(reports(R"({"base": {"argument": 1}, "box": []})",
                    "a rank that is not 1 to 5", at),
            "");
  EXPECT_EQ(reports(R"({"base": {"argument": 0}, "box": [1, 8], "fill": "x"})",
                    "expected zero or nan", "tensor_map.fill"),
            "");
  EXPECT_EQ(reports(R"({"base": {"argument": 0}, "box": [1, 8], "type": "f9"})",
                    "unknown element type", "tensor_map.type"),
            "");
  EXPECT_EQ(reports(R"({"base": {"workspace": 0}, "box": [1, 8], )"
                    R"("type": "f32"})",
                    "needs type and shape", at),
            "");
}

TEST(Plan, TensorMapOfAnArray) {
  llvm::SmallVector<int64_t, 4> shapes[] = {{10, 3, 8}};
  auto number = [](int64_t value) {
    PlanExpr expr;
    expr.value = value;
    return expr;
  };
  PlanTensorMap plan;
  plan.box = {1, 2, 8};
  auto build = [&] {
    return plan.build(DevicePtr(256), ElementType::F32, shapes[0], shapes);
  };
  // As the array is: dense, and the other way round than the plan.
  TensorMap map = llvm::cantFail(build());
  EXPECT_EQ(map.type, TensorMapType::F32);
  EXPECT_EQ(map.base, DevicePtr(256));
  EXPECT_EQ(llvm::ArrayRef(map.extents), llvm::ArrayRef<uint64_t>({8, 3, 10}));
  EXPECT_EQ(llvm::ArrayRef(map.strides), llvm::ArrayRef<uint64_t>({32, 96}));
  EXPECT_EQ(llvm::ArrayRef(map.box), llvm::ArrayRef<uint32_t>({8, 2, 1}));
  EXPECT_EQ(map.getArrayBytes(), 960u);
  EXPECT_EQ(message(map.verify()), "");
  // As the plan says.
  plan.type = ElementType::BF16;
  plan.offset = number(32);
  plan.shape = {number(2), number(4), number(16)};
  plan.strides = {number(448), number(112)};
  map = llvm::cantFail(build());
  EXPECT_EQ(map.type, TensorMapType::BF16);
  EXPECT_EQ(map.base, DevicePtr(288));
  EXPECT_EQ(llvm::ArrayRef(map.extents), llvm::ArrayRef<uint64_t>({16, 4, 2}));
  EXPECT_EQ(llvm::ArrayRef(map.strides), llvm::ArrayRef<uint64_t>({112, 448}));
  EXPECT_EQ(map.getArrayBytes(), 448u + 3 * 112 + 32);
  plan.offset = number(-16);
  EXPECT_EQ(llvm::toString(build().takeError()),
            "tensor map: an offset of -16");
  // Sizes that do not fit into 64 bits are no small ones.
  map.extents = {uint64_t(1) << 32, uint64_t(1) << 32};
  map.strides = {(uint64_t(1) << 40) - 16};
  EXPECT_EQ(map.getArrayBytes(), ~uint64_t(0));
}

} // namespace
