//===- WarpgroupTest.cpp - wgmma against the manual's layouts -------------===//
//
// Matrices are put into shared memory at the places that the canonical layouts
// of the PTX manual give (written down here as strides of nested dimensions),
// multiplied, and compared with a product in double.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeTestUtils.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>

using namespace prism;

namespace {

using Arg = KernelArgument;

enum class Element { F16, BF16, TF32 };

struct Shape {
  unsigned n = 64;
  Element element = Element::F16;
  unsigned swizzleA = 128, swizzleB = 128;
  bool transposeA = false, transposeB = false;
  bool aInRegisters = false;
  bool halfSums = false;
  int scaleA = 1, scaleB = 1;
};

unsigned bytesOf(Element element) { return element == Element::TF32 ? 4 : 2; }

double widen(Element element, uint32_t bits) {
  if (element == Element::TF32)
    return llvm::bit_cast<float>(bits);
  return fromBits(element == Element::F16 ? llvm::APFloat::IEEEhalf()
                                          : llvm::APFloat::BFloat(),
                  bits);
}

/// Small integers and halves, exact in every format.
uint32_t randomElement(Element element, std::mt19937 &engine) {
  double value = (int(engine() % 33) - 16) / 4.0;
  if (element == Element::TF32)
    return llvm::bit_cast<uint32_t>(float(value));
  return toBits(element == Element::F16 ? llvm::APFloat::IEEEhalf()
                                        : llvm::APFloat::BFloat(),
                value);
}

/// A matrix in shared memory with its descriptor. The manual's layout is
/// ((a, b, ...), (...)):((strides), (strides)) in units of 16 bytes.
struct SharedMatrix {
  unsigned rows, k, elementBytes, swizzle;
  bool isKMajor;
  uint64_t leading, stride; ///< bytes, chosen to leave gaps

  SharedMatrix(unsigned rows, unsigned k, unsigned elementBytes,
               unsigned swizzle, bool isKMajor)
      : rows(rows), k(k), elementBytes(elementBytes), swizzle(swizzle),
        isKMajor(isKMajor) {
    uint64_t span = swizzle ? swizzle : 16, atom = 8 * span;
    if (isKMajor) {
      stride = swizzle ? atom : 2 * atom;
      leading = swizzle ? 16 : atom;
    } else if (swizzle) {
      // Atoms along k first, then along the rows.
      stride = atom;
      leading = 2 * atom;
    } else {
      stride = 2 * atom;
      leading = atom;
    }
  }

  /// The offset of 16-byte chunk (row chunk or row, k or k chunk).
  uint64_t offset(unsigned row, unsigned col) const {
    unsigned T = 16 / elementBytes, s = swizzle / 16;
    uint64_t plain;
    if (isKMajor && !swizzle) // ((8,m),(T,2k)):((1T,SBO),(1,LBO))
      plain = row % 8 * 16 + row / 8 * stride + col % T * elementBytes +
              col / T * leading;
    else if (isKMajor) // ((8,m),(T,2k)):((sT,SBO),(1,T))
      plain = row % 8 * s * 16 + row / 8 * stride + col % T * elementBytes +
              col / T * 16;
    else if (!swizzle) // ((T,1,m),(8,k)):((1,T,SBO),(1T,LBO))
      plain = row % T * elementBytes + row / T * stride + col % 8 * 16 +
              col / 8 * leading;
    else // ((T,s,m),(8,k)):((1,T,LBO),(sT,SBO))
      plain = row % T * elementBytes + row / T % s * 16 +
              row / T / s * leading + col % 8 * s * 16 + col / 8 * stride;
    // Swizzle<log2(s), 4, 3> on bytes.
    uint64_t bits = s ? plain >> 7 & (s - 1) : 0;
    return plain ^ bits << 4;
  }

  uint64_t bytes() const {
    uint64_t most = 0;
    for (unsigned row = 0; row < rows; ++row)
      for (unsigned col = 0; col < k; ++col)
        most = std::max(most, offset(row, col) + elementBytes);
    return llvm::alignTo(most, 1024);
  }

  /// Without the start address.
  uint64_t descriptor() const {
    uint64_t layout = swizzle == 128 ? 1 : swizzle == 64 ? 2 : swizzle / 32 * 3;
    return leading >> 4 << 16 | stride >> 4 << 32 | layout << 62;
  }
};

std::string registers(llvm::StringRef name, unsigned count) {
  std::string text = "{";
  for (unsigned i = 0; i < count; ++i)
    text += (i ? ", %" : "%") + name.str() + std::to_string(i);
  return text + "}";
}

/// Copies `image` to shared memory, loads d (and a) from `in`, multiplies twice
/// (the second time without adding, if `twice` is false: once).
std::string makeKernel(const Shape &shape, unsigned imageBytes,
                       unsigned offsetB, uint64_t a, uint64_t b, int scaleD) {
  unsigned numD = shape.n / (shape.halfSums ? 4 : 2);
  unsigned numA = shape.aInRegisters ? 4 : 0;
  const char *names[] = {"f16", "bf16", "tf32"};
  std::string element = names[unsigned(shape.element)];
  std::string ptx =
      ".version 8.0\n.target sm_90a\n.address_size 64\n"
      ".shared .align 1024 .b8 s[" +
      std::to_string(imageBytes) +
      "];\n"
      ".entry k(.param .u64 pimage, .param .u64 pin, .param .u64 pout)\n{\n"
      ".reg .b32 %d<" +
      std::to_string(numD) +
      ">, %a<4>, %i, %t, %s, %v; .reg .b64 %image, %in, "
      "%out, %o, %da, %db, %w; .reg .pred %p, %q;\n"
      "mov.u32 %t, %tid.x; ld.param.u64 %image, [pimage];\n"
      "ld.param.u64 %in, [pin]; ld.param.u64 %out, [pout];\n"
      "shl.b32 %i, %t, 2;\ncopy:\n"
      "cvt.u64.u32 %o, %i; add.u64 %o, %o, %image; ld.global.b32 %v, [%o];\n"
      "mov.u32 %s, s; add.u32 %s, %s, %i; st.shared.b32 [%s], %v;\n"
      "add.u32 %i, %i, 512; setp.lt.u32 %p, %i, " +
      std::to_string(imageBytes) +
      "; @%p bra copy;\n"
      "fence.proxy.async; bar.sync 0;\n"
      "mul.wide.u32 %o, %t, " +
      std::to_string(4 * (numD + numA)) +
      "; add.u64 %in, %in, %o; mul.wide.u32 %o, %t, " +
      std::to_string(4 * numD) + "; add.u64 %out, %out, %o;\n";
  auto each = [&](const char *text, char name, unsigned i, unsigned at) {
    std::string line = text;
    for (auto [from, to] :
         {std::make_pair(std::string("R"),
                         "%" + std::string(1, name) + std::to_string(i)),
          {std::string("N"), std::to_string(4 * at)}})
      line.replace(line.find(from), 1, to);
    ptx += line;
  };
  for (unsigned i = 0; i < numD; ++i)
    each("ld.global.b32 R, [%in+N];\n", 'd', i, i);
  for (unsigned i = 0; i < numA; ++i)
    each("ld.global.b32 R, [%in+N];\n", 'a', i, numD + i);
  auto hex = [](uint64_t value) { return std::to_string(value); };
  ptx += "mov.u32 %s, s; cvt.u64.u32 %w, %s; and.b64 %w, %w, 262143;\n"
         "shr.u64 %w, %w, 4; add.u64 %da, %w, " +
         hex(a) + "; add.u64 %db, %w, " + hex(b + (offsetB >> 4)) +
         ";\nsetp.ne.u32 %q, " + std::to_string(scaleD) +
         ", 0;\nwgmma.fence.sync.aligned;\n"
         "wgmma.mma_async.sync.aligned.m64n" +
         std::to_string(shape.n) +
         (shape.element == Element::TF32 ? "k8" : "k16") +
         (shape.halfSums ? ".f16." : ".f32.") + element + "." + element + " " +
         registers("d", numD) + ", " +
         (shape.aInRegisters ? registers("a", 4) : "%da") + ", %db, %q, " +
         std::to_string(shape.scaleA) + ", " + std::to_string(shape.scaleB);
  if (shape.element != Element::TF32) {
    if (!shape.aInRegisters)
      ptx += ", " + std::to_string(shape.transposeA);
    ptx += ", " + std::to_string(shape.transposeB);
  }
  ptx += ";\nwgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned "
         "0;\n";
  for (unsigned i = 0; i < numD; ++i)
    each("st.global.b32 [%out+N], R;\n", 'd', i, i);
  return ptx + "ret;\n}\n";
}

void put(std::vector<uint32_t> &words, size_t element, unsigned bytes,
         uint32_t bits) {
  std::memcpy(reinterpret_cast<char *>(words.data()) + element * bytes, &bits,
              bytes);
}

void checkShape(const Shape &shape, int scaleD) {
  std::mt19937 engine(shape.n + scaleD);
  unsigned bytes = bytesOf(shape.element), k = 32 / bytes, m = 64;
  SharedMatrix a(m, k, bytes, shape.swizzleA, !shape.transposeA);
  SharedMatrix b(shape.n, k, bytes, shape.swizzleB, !shape.transposeB);
  unsigned offsetB = a.bytes();
  std::vector<uint32_t> image((offsetB + b.bytes()) / 4, 0xffffffffu);
  std::vector<double> x(m * k), y(shape.n * k), sums(m * shape.n);
  unsigned numD = shape.n / (shape.halfSums ? 4 : 2);
  unsigned numA = shape.aInRegisters ? 4 : 0, words = numD + numA;
  std::vector<uint32_t> in(128 * words);
  for (unsigned row = 0; row < m; ++row)
    for (unsigned col = 0; col < k; ++col) {
      uint32_t bits = randomElement(shape.element, engine);
      x[row * k + col] = widen(shape.element, bits);
      put(image, a.offset(row, col) / bytes, bytes, bits);
      if (!shape.aInRegisters)
        continue;
      // Register r of a thread: row g + 8*(r%2), columns from E*t + 4*E*(r/2).
      unsigned E = 4 / bytes, r = row / 8 % 2 + 2 * (col / (4 * E));
      unsigned thread = row / 16 * 32 + row % 8 * 4 + col % (4 * E) / E;
      put(in, (thread * words + numD + r) * E + col % E, bytes, bits);
    }
  for (unsigned row = 0; row < shape.n; ++row)
    for (unsigned col = 0; col < k; ++col) {
      uint32_t bits = randomElement(shape.element, engine);
      y[row * k + col] = widen(shape.element, bits);
      put(image, (offsetB + b.offset(row, col)) / bytes, bytes, bits);
    }
  // The element (row, column) of D: thread, and number within the thread.
  auto place = [&](unsigned row, unsigned column) {
    unsigned thread = row / 16 * 32 + row % 8 * 4 + column % 8 / 2;
    return std::make_pair(thread,
                          column / 8 * 4 + row / 8 % 2 * 2 + column % 2);
  };
  unsigned sumBytes = shape.halfSums ? 2 : 4;
  for (unsigned row = 0; row < m; ++row)
    for (unsigned column = 0; column < shape.n; ++column) {
      double value = int(engine() % 64);
      sums[row * shape.n + column] = value;
      auto [thread, i] = place(row, column);
      put(in, thread * words * 4 / sumBytes + i, sumBytes,
          shape.halfSums ? toBits(llvm::APFloat::IEEEhalf(), value)
                         : llvm::bit_cast<uint32_t>(float(value)));
    }
  Fixture f(makeKernel(shape, image.size() * 4, offsetB, a.descriptor(),
                       b.descriptor(), scaleD));
  ASSERT_EQ(f.loadError, "");
  DevicePtr pimage = f.upload(image), pin = f.upload(in);
  DevicePtr pout = f.allocate(128 * numD * 4);
  ASSERT_EQ(message(f.launch(
                "k", {1, 1, 1}, {128, 1, 1},
                {Arg::pointer(pimage), Arg::pointer(pin), Arg::pointer(pout)})),
            "");
  auto out = f.download<uint32_t>(pout, 128 * numD);
  for (unsigned row = 0; row < m; ++row)
    for (unsigned column = 0; column < shape.n; ++column) {
      double expected = scaleD ? sums[row * shape.n + column] : 0;
      for (unsigned l = 0; l < k; ++l)
        expected +=
            shape.scaleA * x[row * k + l] * shape.scaleB * y[column * k + l];
      auto [thread, i] = place(row, column);
      uint32_t bits = 0;
      std::memcpy(&bits,
                  reinterpret_cast<char *>(out.data() + thread * numD) +
                      i * sumBytes,
                  sumBytes);
      double actual = shape.halfSums ? fromBits(llvm::APFloat::IEEEhalf(), bits)
                                     : llvm::bit_cast<float>(bits);
      // Sums in f16 are rounded; all others are exact.
      ASSERT_NEAR(actual, expected, shape.halfSums ? 0.25 : 0)
          << "row " << row << ", column " << column;
    }
}

TEST(Wgmma, EverySwizzleAndMajor) {
  for (unsigned swizzle : {0, 32, 64, 128})
    for (int transposed = 0; transposed < 4; ++transposed) {
      SCOPED_TRACE("swizzle " + std::to_string(swizzle) + ", transposed " +
                   std::to_string(transposed));
      Shape shape;
      shape.n = 128;
      shape.swizzleA = shape.swizzleB = swizzle;
      shape.transposeA = transposed & 1;
      shape.transposeB = transposed & 2;
      checkShape(shape, 1);
      shape.element = Element::BF16;
      shape.swizzleB = swizzle ? 0 : 128;
      checkShape(shape, 1);
    }
}

TEST(Wgmma, EveryWidth) {
  for (unsigned n = 8; n <= 256; n += n < 64 ? 8 : 64) {
    SCOPED_TRACE(n);
    Shape shape;
    shape.n = n;
    checkShape(shape, 1);
  }
}

TEST(Wgmma, FragmentsInRegisters) {
  for (auto element : {Element::F16, Element::BF16, Element::TF32}) {
    Shape shape;
    shape.aInRegisters = true;
    shape.element = element;
    checkShape(shape, 1);
  }
}

TEST(Wgmma, Tf32) {
  for (unsigned swizzle : {0, 32, 64, 128}) {
    Shape shape;
    shape.element = Element::TF32;
    shape.swizzleA = shape.swizzleB = swizzle;
    checkShape(shape, 1);
  }
}

TEST(Wgmma, HalfSums) {
  Shape shape;
  shape.halfSums = true;
  checkShape(shape, 1);
}

TEST(Wgmma, Scales) {
  Shape shape;
  checkShape(shape, 0);
  shape.scaleA = -1;
  checkShape(shape, 1);
  shape.scaleB = -1;
  checkShape(shape, 1);
  shape.scaleA = 1;
  checkShape(shape, 0);
}

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

/// The findings of the plain kernel after `from` has become `to`.
std::vector<Finding> runChanged(llvm::StringRef from, llvm::StringRef to,
                                unsigned &line, llvm::StringRef at,
                                unsigned threads = 128,
                                const Shape &shape = {}) {
  SharedMatrix a(64, 16, 2, 128, true), b(shape.n, 16, 2, 128, true);
  unsigned bytes = a.bytes() + b.bytes();
  std::string text =
      makeKernel(shape, bytes, a.bytes(), a.descriptor(), b.descriptor(), 1);
  size_t start = text.find(from.str());
  EXPECT_NE(start, std::string::npos) << from.str();
  text.replace(start, from.size(), to.str());
  line = lineOf(text, ".entry", at);
  EXPECT_NE(line, 0u) << at.str();
  Fixture f(text);
  EXPECT_EQ(f.loadError, "");
  DevicePtr pimage = f.upload(std::vector<uint32_t>(bytes / 4));
  DevicePtr pin = f.upload(std::vector<uint32_t>(128 * 64));
  DevicePtr pout = f.allocate(128 * 64 * 4);
  return findings(
      f.launch("k", {1, 1, 1}, {threads, 1, 1},
               {Arg::pointer(pimage), Arg::pointer(pin), Arg::pointer(pout)}));
}

TEST(WgmmaFault, MissingFences) {
  unsigned line;
  auto found = runChanged("wgmma.fence.sync.aligned;", "", line, "wgmma.mma");
  EXPECT_TRUE(has(found, FindingKind::MissingFence, line));
  // The accumulator is changed between the fence and the operation.
  found = runChanged("wgmma.fence.sync.aligned;",
                     "wgmma.fence.sync.aligned; mov.b32 %d3, 0;", line,
                     "wgmma.mma");
  EXPECT_TRUE(has(found, FindingKind::MissingFence, line));
  found = runChanged("fence.proxy.async;", "", line, "wgmma.mma");
  EXPECT_TRUE(has(found, FindingKind::MissingFence, line));
  found = runChanged("bar.sync 0;", "", line, "wgmma.mma");
  EXPECT_TRUE(has(found, FindingKind::Race, line));
}

TEST(WgmmaFault, MissingWait) {
  unsigned line;
  auto found = runChanged("wgmma.wait_group.sync.aligned 0;", "", line,
                          "st.global.b32 [%out+0]");
  EXPECT_TRUE(has(found, FindingKind::AsyncInFlight, line));
  found = runChanged("wgmma.wait_group.sync.aligned 0;",
                     "wgmma.wait_group.sync.aligned 1;", line,
                     "st.global.b32 [%out+0]");
  EXPECT_TRUE(has(found, FindingKind::AsyncInFlight, line));
  found = runChanged("wgmma.commit_group.sync.aligned;", "", line,
                     "st.global.b32 [%out+0]");
  EXPECT_TRUE(has(found, FindingKind::AsyncInFlight, line));
}

TEST(WgmmaFault, OperandsChangeUnderWay) {
  unsigned line;
  auto found =
      runChanged("wgmma.commit_group.sync.aligned;",
                 "st.shared.b32 [s], %t; wgmma.commit_group.sync.aligned;",
                 line, "wgmma.commit_group");
  EXPECT_TRUE(has(found, FindingKind::AsyncInFlight, line));
  Shape shape;
  shape.aInRegisters = true;
  found = runChanged("wgmma.commit_group.sync.aligned;",
                     "mov.b32 %a1, 0; wgmma.commit_group.sync.aligned;", line,
                     "mov.b32 %a1", 128, shape);
  EXPECT_TRUE(has(found, FindingKind::AsyncInFlight, line));
  // Reading the fragment is fine.
  found = runChanged("wgmma.commit_group.sync.aligned;",
                     "mov.b32 %v, %a1; wgmma.commit_group.sync.aligned;", line,
                     "mov.b32 %v", 128, shape);
  EXPECT_TRUE(found.empty());
}

TEST(WgmmaFault, WarpsThatDiffer) {
  unsigned line;
  auto found = runChanged("shr.u64 %w, %w, 4;",
                          "shr.u64 %w, %w, 4; shr.u32 %v, %t, 5; mul.wide.u32 "
                          "%o, %v, 64; add.u64 %w, %w, %o;",
                          line, "wgmma.mma");
  EXPECT_TRUE(has(found, FindingKind::DivergentWarp, line));
  // Three warps, and a fourth that goes away.
  found = runChanged("shl.b32 %i, %t, 2;", "shl.b32 %i, %t, 2;", line,
                     "wgmma.mma", 96);
  EXPECT_TRUE(has(found, FindingKind::DivergentWarp, line));
  found = runChanged("wgmma.fence.sync.aligned;",
                     "setp.ge.u32 %p, %t, 96; @%p exit;\n"
                     "wgmma.fence.sync.aligned;",
                     line, "wgmma.wait_group");
  EXPECT_TRUE(has(found, FindingKind::Deadlock, line));
}

TEST(WgmmaFault, DescriptorBeyondSharedMemory) {
  unsigned line;
  auto found = runChanged("setp.ne.u32 %q",
                          "add.u64 %db, %db, 2048; setp.ne.u32 "
                          "%q",
                          line, "wgmma.mma");
  EXPECT_TRUE(has(found, FindingKind::OutOfBounds, line));
}

TEST(WgmmaFault, Malformed) {
  auto loadError = [](llvm::StringRef text) {
    return Fixture(".version 8.0\n.target sm_90a\n.address_size 64\n.entry k() "
                   "{\n.reg .b32 %d<4>; .reg .b64 %a, %b; .reg .pred %p;\n" +
                   text.str() + "\nret; }")
        .loadError;
  };
  const char *start = "wgmma.mma_async.sync.aligned.";
  EXPECT_NE(loadError(start + std::string("m64n8k16.f32.f16.bf16 {%d0, %d1, "
                                          "%d2, %d3}, %a, %b, %p, 1, 1, 0, 0;"))
                .find("6: error: wgmma has no such shape with these types"),
            std::string::npos);
  EXPECT_NE(loadError(start + std::string("m64n12k16.f32.f16.f16 {%d0, %d1, "
                                          "%d2, %d3}, %a, %b, %p, 1, 1, 0, 0;"))
                .find("wgmma has no such shape"),
            std::string::npos);
  EXPECT_NE(loadError(start + std::string("m64n16k16.f32.f16.f16 {%d0, %d1, "
                                          "%d2, %d3}, %a, %b, %p, 1, 1, 0, 0;"))
                .find("expected 8 registers, found 4"),
            std::string::npos);
  EXPECT_NE(loadError(start + std::string("m64n8k16.f32.f16.f16 {%d0, %d1, "
                                          "%d2, %d3}, %a, %b, %p, 2, 1, 0, 0;"))
                .find("scales of 1 or -1"),
            std::string::npos);
}

} // namespace
