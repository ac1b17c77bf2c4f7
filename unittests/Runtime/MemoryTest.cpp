//===- MemoryTest.cpp - Loads, stores, atomics and copies -----------------===//
//
// Widths, vectors, spaces, address arithmetic, and the checks of each access.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InstructionTestUtils.h"

using namespace prism;

namespace {

using Arg = KernelArgument;

const char *const header = ".version 7.8\n.target sm_80\n.address_size 64\n";

TEST(Move, PackAndUnpack) {
  check(".reg .b32 %x, %y; mov.b64 {%x, %y}, %a; mov.b64 %d, {%y, %x};", {8, 8},
        integers(),
        [](uint64_t a, uint64_t, uint64_t) { return a >> 32 | a << 32; });
  check(".reg .b16 %w, %x, %y, %z; mov.b64 {%w, %x, %y, %z}, %a;\n"
        "mov.b64 {_, _, %y, _}, %a;\n"
        "mov.b64 %d, {%z, %w, %y, %x};",
        {8, 8}, integers(), [](uint64_t a, uint64_t, uint64_t) {
          return (a >> 48) | (a & 0xffff) << 16 | (a >> 32 & 0xffff) << 32 |
                 (a >> 16 & 0xffff) << 48;
        });
}

TEST(Move, Immediates) {
  check("mov.f32 %d, 0f3FC00000;", {4, 4}, {{0, 0, 0}},
        [](uint64_t, uint64_t, uint64_t) { return 0x3fc00000; });
  check("mov.f64 %d, 0d3FF8000000000000;", {8, 4}, {{0, 0, 0}},
        [](uint64_t, uint64_t, uint64_t) { return 0x3ff8000000000000; });
  check("mov.u32 %d, -5;", {4, 4}, {{0, 0, 0}},
        [](uint64_t, uint64_t, uint64_t) { return uint64_t(-5); });
  check("mov.f32 %d, 1.5;", {4, 4}, {{0, 0, 0}},
        [](uint64_t, uint64_t, uint64_t) { return 0x3fc00000; });
}

TEST(Load, ExtendsIntoWiderRegisters) {
  const std::string store = ".shared .align 8 .b8 s[8]; .reg .b32 %s;\n"
                            "mov.u32 %s, s; st.shared.b32 [%s], %a;\n";
  // One thread a block, so that nobody else uses `s`.
  auto one = [&](const std::string &load, auto reference) {
    std::vector<Inputs> inputs = integers();
    auto results = evaluate(store + load, {4, 4}, inputs, 1);
    for (size_t i = 0; i < inputs.size(); ++i)
      ASSERT_EQ(results[i], uint32_t(reference(uint32_t(inputs[i].a)))) << load;
  };
  one("ld.shared.s8 %d, [%s];", [](uint32_t a) { return int8_t(a); });
  one("ld.shared.u8 %d, [%s+1];", [](uint32_t a) { return a >> 8 & 0xff; });
  one("ld.shared.s16 %d, [%s+2];", [](uint32_t a) { return int16_t(a >> 16); });
  one("ld.volatile.shared.b16 %d, [%s];",
      [](uint32_t a) { return a & 0xffff; });
}

/// Every type, as one value and as a vector: read from the inputs by its own
/// type, written by its own type.
TEST(Load, EveryTypeAndVector) {
  for (const char *type :
       {"b8", "u8", "s8", "b16", "u16", "s16", "f16", "bf16", "b32", "u32",
        "s32", "f32", "b64", "u64", "s64", "f64"}) {
    unsigned width =
        std::stoi(std::string(type).substr(type[1] == 'f' ? 2 : 1)) / 8;
    for (unsigned count : {1u, 2u, 4u}) {
      if (width * count > 16)
        continue;
      std::string reg = ".b" + std::to_string(8 * std::max(2u, width));
      std::string vector = count == 1 ? "" : ".v" + std::to_string(count);
      std::string list = "%v0";
      for (unsigned i = 1; i < count; ++i)
        list += ", %v" + std::to_string(i);
      if (count > 1)
        list = "{" + list + "}";
      // From global to shared to local to global memory.
      std::string text =
          std::string(header) +
          ".entry k(.param .u64 in, .param .u64 out) {\n"
          ".shared .align 16 .b8 s[16]; .local .align 16 .b8 l[16];\n"
          ".reg .b64 %i, %o; .reg " +
          reg +
          " %v<4>;\n"
          "ld.param.u64 %i, [in]; ld.param.u64 %o, [out];\n";
      auto move = [&](const std::string &from, const std::string &to) {
        text += "ld." + from.substr(0, from.find('[') - 1) + vector + "." +
                type + " " + list + ", " + from.substr(from.find('[')) + ";\n" +
                "st." + to.substr(0, to.find('[') - 1) + vector + "." + type +
                " " + to.substr(to.find('[')) + ", " + list + ";\n";
      };
      move("global [%i]", "shared [s]");
      move("shared [s]", "local [l]");
      move("local [l]", "global [%o]");
      Fixture f(text + "ret; }");
      ASSERT_EQ(f.loadError, "") << text;
      std::vector<uint8_t> in(16);
      for (unsigned i = 0; i < 16; ++i)
        in[i] = 0x81 + 7 * i;
      DevicePtr x = f.upload(in);
      DevicePtr out = f.upload(std::vector<uint8_t>(16, 0));
      ASSERT_EQ(message(f.launch("k", {1, 1, 1}, {1, 1, 1},
                                 {Arg::pointer(x), Arg::pointer(out)})),
                "")
          << text;
      std::vector<uint8_t> expected = in;
      std::fill(expected.begin() + width * count, expected.end(), 0);
      EXPECT_EQ(f.download<uint8_t>(out, 16), expected) << text;
    }
  }
}

/// 128 bits as one register, taken apart and put together.
TEST(Move, Of128Bits) {
  check(".reg .b128 %q, %r; .reg .b64 %x, %y;\n"
        "mov.b128 %q, {%a, %b}; mov.b128 %r, %q; mov.b128 {%x, %y}, %r;\n"
        "shl.b64 %x, %x, 1; xor.b64 %d, %x, %y;",
        {8, 8, 8}, integers(),
        [](uint64_t a, uint64_t b, uint64_t) { return a << 1 ^ b; });
}

/// What only concerns time and caches changes no value.
TEST(Load, HintsDoNothing) {
  check(".reg .b64 %g; ld.param.u64 %g, [pa];\n"
        "prefetch.global.L2 [%g]; prefetchu.L1 [%g]; nanosleep.u32 20;\n"
        "applypriority.global.L2::evict_normal [%g], 128; membar.gl;\n"
        "mul.wide.u32 %o, %i, 4; add.u64 %g, %g, %o; ldu.global.u32 %d, [%g];",
        {4, 4}, integers(), [](uint64_t a, uint64_t, uint64_t) { return a; });
}

TEST(Load, LocalAndGenericSpaces) {
  check(".local .align 8 .b8 l[16]; .reg .b64 %l, %g;\n"
        "mov.u64 %l, l; cvta.local.u64 %g, %l;\n"
        "st.b32 [%g+4], %a; ld.local.b32 %d, [%l+4];",
        {4, 4}, integers(), [](uint64_t a, uint64_t, uint64_t) { return a; });
  auto results = evaluate(
      ".shared .align 8 .b8 s[16]; .reg .b64 %s, %g, %h; .reg .pred %u;\n"
      "mov.u64 %s, s; cvta.shared.u64 %g, %s; st.b64 [%g+8], %a;\n"
      "isspacep.shared %u, %g; @!%u trap; isspacep.global %u, %g; @%u trap;\n"
      "cvta.to.shared.u64 %h, %g; ld.shared.b64 %d, [%h+8];",
      {8, 8}, {{0x123456789abcdef0, 0, 0}}, 1);
  EXPECT_EQ(results[0], 0x123456789abcdef0u);
}

TEST(Control, Traps) {
  for (const char *instruction : {"trap", "brkpt"}) {
    Fixture f(std::string(header) + ".entry k() {\n" +
              ".reg .pred %p; .reg .b32 %t; mov.u32 %t, %tid.x;\n" +
              "setp.eq.u32 %p, %t, 5;\n@%p " + instruction + ";\nret; }");
    ASSERT_EQ(f.loadError, "");
    auto found = findings(f.launch("k", {1, 1, 1}, {32, 1, 1}, {}));
    ASSERT_EQ(found.size(), 1u) << instruction;
    EXPECT_EQ(found[0].kind, FindingKind::Trap);
    EXPECT_EQ(found[0].thread, (Dim3{5, 0, 0}));
  }
}

TEST(Load, ModuleVariables) {
  Fixture f(std::string(header) +
            ".const .align 4 .b32 table[4] = {10, 20, 30, -40};\n"
            ".global .align 4 .f32 scale = 0f40000000;\n"
            ".global .align 8 .u64 pointer[1] = {generic(scale)};\n"
            ".entry k(.param .u64 .ptr .global .align 16 out) {\n"
            ".reg .b64 %o, %p; .reg .b32 %a, %b;\n"
            "ld.param.u64 %o, [out]; ld.const.b32 %a, [table+12];\n"
            "st.global.b32 [%o], %a; ld.global.b32 %b, [scale];\n"
            "st.global.b32 [%o+4], %b; ld.global.u64 %p, [pointer];\n"
            "ld.b32 %b, [%p]; st.global.b32 [%o+8], %b; ret; }");
  ASSERT_EQ(f.loadError, "");
  DevicePtr out = f.allocate(12);
  ASSERT_EQ(message(f.launch("k", {1, 1, 1}, {1, 1, 1}, {Arg::pointer(out)})),
            "");
  EXPECT_EQ(f.download<uint32_t>(out, 3),
            (std::vector<uint32_t>{uint32_t(-40), 0x40000000, 0x40000000}));
}

/// `body` for one thread, with %o pointing at 16 zeroed words.
std::vector<uint32_t> runOne(const std::string &body) {
  Fixture f(std::string(header) +
            ".entry k(.param .u64 out) { .reg .b64 %o; .reg .b32 %r<8>;\n"
            "ld.param.u64 %o, [out];\n" +
            body + "\nret; }");
  EXPECT_EQ(f.loadError, "");
  DevicePtr out = f.upload(std::vector<uint32_t>(16, 0));
  EXPECT_EQ(message(f.launch("k", {1, 1, 1}, {1, 1, 1}, {Arg::pointer(out)})),
            "");
  return f.download<uint32_t>(out, 16);
}

TEST(Atomic, Operations) {
  struct Case {
    const char *operation;
    uint32_t before, operand, after;
  };
  const Case cases[] = {
      {"add.u32", 5, 7, 12},
      {"add.f32", 0x3f800000, 0x40000000, 0x40400000},
      {"min.s32", uint32_t(-3), 2, uint32_t(-3)},
      {"min.u32", uint32_t(-3), 2, 2},
      {"max.s32", uint32_t(-3), 2, 2},
      {"and.b32", 0xf0f0, 0xff00, 0xf000},
      {"or.b32", 0xf0f0, 0xff00, 0xfff0},
      {"xor.b32", 0xf0f0, 0xff00, 0x0ff0},
      {"exch.b32", 1, 2, 2},
      {"inc.u32", 5, 5, 0},
      {"inc.u32", 4, 5, 5},
      {"dec.u32", 0, 5, 5},
      {"dec.u32", 3, 5, 2},
  };
  for (const Case &c : cases) {
    std::string before = std::to_string(c.before);
    auto words = runOne(
        "mov.u32 %r0, " + before + "; st.global.b32 [%o], %r0; mov.u32 %r1, " +
        std::to_string(c.operand) + "; atom.global." + c.operation +
        " %r2, [%o], %r1; st.global.b32 [%o+4], %r2;");
    EXPECT_EQ(words[0], c.after) << c.operation;
    EXPECT_EQ(words[1], c.before) << c.operation;
  }
}

/// Every operation on every type it has, in global and shared memory and by a
/// generic address; as atom, which returns the old value, and as red.
TEST(Atomic, EveryTypeAndSpace) {
  using Fn = uint64_t (*)(uint64_t, uint64_t);
  struct Case {
    const char *operation, *types;
    Fn unsignedFn, signedFn;
  };
  const Case cases[] = {
      {"add", "u32 s32 u64", [](uint64_t a, uint64_t b) { return a + b; },
       nullptr},
      {"and", "b32 b64", [](uint64_t a, uint64_t b) { return a & b; }, nullptr},
      {"or", "b32 b64", [](uint64_t a, uint64_t b) { return a | b; }, nullptr},
      {"xor", "b32 b64", [](uint64_t a, uint64_t b) { return a ^ b; }, nullptr},
      {"exch", "b32 b64", [](uint64_t, uint64_t b) { return b; }, nullptr},
      {"min", "u32 s32 u64 s64",
       [](uint64_t a, uint64_t b) { return std::min(a, b); },
       [](uint64_t a, uint64_t b) {
         return uint64_t(std::min(int64_t(a), int64_t(b)));
       }},
      {"max", "u32 s32 u64 s64",
       [](uint64_t a, uint64_t b) { return std::max(a, b); },
       [](uint64_t a, uint64_t b) {
         return uint64_t(std::max(int64_t(a), int64_t(b)));
       }},
  };
  const uint64_t a = 0x90000001f0000003, b = 0x1234567880000001;
  for (const Case &c : cases) {
    llvm::SmallVector<llvm::StringRef> types;
    llvm::StringRef(c.types).split(types, ' ');
    for (llvm::StringRef type : types)
      for (const char *space : {".global", ".shared", ""}) {
        unsigned width = type.ends_with("64") ? 8 : 4;
        std::string bits = width == 8 ? "b64" : "b32";
        std::string t = type.str(), op = c.operation;
        bool inShared = space == std::string(".shared");
        std::string at = inShared ? "[s]" : "[%o]";
        std::string body =
            ".shared .align 8 .b8 s[8]; .reg ." + bits + " %x, %y, %z;\n" +
            "mov." + bits + " %x, " + std::to_string(truncateTo(a, width)) +
            "; mov." + bits + " %y, " + std::to_string(truncateTo(b, width)) +
            "; st" + space + "." + bits + " " + at + ", %x;\n" + "atom" +
            space + "." + op + "." + t + " %z, " + at + ", %y;\n";
        // red once more, which changes nothing for all but add and xor.
        if (op != "exch")
          body += "red" + std::string(space) + "." + op + "." + t + " " + at +
                  ", %y;\n";
        body += "ld" + std::string(space) + "." + bits + " %x, " + at +
                "; st.global." + bits + " [%o+16], %x; st.global." + bits +
                " [%o+24], %z;";
        auto words = runOne(body);
        auto read = [&](unsigned i) {
          return truncateTo(words[i] | uint64_t(words[i + 1]) << 32, width);
        };
        auto sign = [&](uint64_t value) {
          return width == 8 ? value : uint64_t(int64_t(int32_t(value)));
        };
        bool isSigned = type.starts_with("s") && c.signedFn;
        auto apply = [&](uint64_t x, uint64_t y) {
          return truncateTo(isSigned ? c.signedFn(sign(x), sign(y))
                                     : c.unsignedFn(truncateTo(x, width),
                                                    truncateTo(y, width)),
                            width);
        };
        uint64_t expected = apply(a, b);
        if (op != "exch")
          expected = apply(expected, b);
        EXPECT_EQ(read(4), expected) << body;
        EXPECT_EQ(read(6), truncateTo(a, width)) << body;
      }
  }
}

/// 1.5 + 2.25 in every format, and twice with red.
TEST(Atomic, SumsOfFloats) {
  struct Format {
    const char *type;
    unsigned width;
    uint64_t a, b, once, twice;
  };
  const Format formats[] = {
      {"f16", 2, 0x3e00, 0x4080, 0x4380, 0x4600},
      {"bf16", 2, 0x3fc0, 0x4010, 0x4070, 0x40c0},
      {"f16x2", 4, 0x3e003e00, 0x40804080, 0x43804380, 0x46004600},
      {"bf16x2", 4, 0x3fc03fc0, 0x40104010, 0x40704070, 0x40c040c0},
      {"f32", 4, 0x3fc00000, 0x40100000, 0x40700000, 0x40c00000},
      {"f64", 8, 0x3ff8000000000000, 0x4002000000000000, 0x400e000000000000,
       0x4018000000000000}};
  for (const Format &f : formats) {
    std::string bits = "b" + std::to_string(8 * f.width);
    bool isNarrow = llvm::StringRef(f.type).contains("16");
    std::string name =
        (isNarrow ? ".add.noftz." : ".add.") + std::string(f.type);
    auto words =
        runOne(".reg ." + bits + " %x, %y, %z; mov." + bits + " %x, " +
               std::to_string(f.a) + "; mov." + bits + " %y, " +
               std::to_string(f.b) + ";\nst.global." + bits +
               " [%o], %x; st.global." + bits + " [%o+8], %x;\natom.global" +
               name + " %z, [%o], %y; red.global" + name + " [%o+8], %y; red" +
               name + " [%o+8], %y; st.global." + bits + " [%o+16], %z;");
    auto read = [&](unsigned i) {
      return truncateTo(words[i] | uint64_t(words[i + 1]) << 32, f.width);
    };
    EXPECT_EQ(read(0), f.once) << f.type;
    EXPECT_EQ(read(2), f.twice) << f.type;
    EXPECT_EQ(read(4), f.a) << f.type;
  }
}

TEST(Atomic, CompareAndSwapOfEveryWidth) {
  for (unsigned width : {2u, 4u, 8u}) {
    std::string bits = "b" + std::to_string(8 * width);
    auto words = runOne(
        ".reg ." + bits + " %x, %y; mov." + bits + " %x, 7; st.global." + bits +
        " [%o], %x;\natom.global.cas." + bits + " %y, [%o], 6, 9; st.global." +
        bits + " [%o+8], %y; ld.global." + bits + " %x, [%o]; st.global." +
        bits + " [%o+16], %x;\natom.cas." + bits +
        " %y, [%o], 7, 9; st.global." + bits + " [%o+24], %y;");
    EXPECT_EQ(words[0], 9u) << bits;
    EXPECT_EQ(words[2], 7u) << bits; // 6 is not what is there
    EXPECT_EQ(words[4], 7u) << bits;
    EXPECT_EQ(words[6], 7u) << bits;
  }
}

TEST(Atomic, CompareAndSwapAndHalves) {
  auto words = runOne("mov.u32 %r0, 7; st.global.b32 [%o], %r0;\n"
                      "atom.global.cas.b32 %r1, [%o], 7, 9;\n"
                      "atom.global.cas.b32 %r2, [%o], 7, 11;\n"
                      "st.global.v2.b32 [%o+8], {%r1, %r2};\n"
                      "mov.b32 %r3, 0x3c003c00;\n"
                      "red.global.add.noftz.f16x2 [%o+4], %r3;\n"
                      "red.global.add.noftz.f16x2 [%o+4], %r3;");
  EXPECT_EQ(words[0], 9u);
  EXPECT_EQ(words[1], 0x40004000u);
  EXPECT_EQ(words[2], 7u);
  EXPECT_EQ(words[3], 9u);
}

//===----------------------------------------------------------------------===//
// cp.async
//===----------------------------------------------------------------------===//

/// Two groups; waiting for all but one lands the first only.
std::string copyKernel(const std::string &wait, const std::string &read) {
  return std::string(header) +
         ".entry k(.param .u64 in, .param .u64 out) {\n"
         ".shared .align 16 .b8 s[64]; .reg .b64 %i, %o; .reg .b32 %s, %v;\n"
         "ld.param.u64 %i, [in]; ld.param.u64 %o, [out]; mov.u32 %s, s;\n"
         "cp.async.cg.shared.global [%s], [%i], 16;\n"
         "cp.async.commit_group;\n"
         "cp.async.ca.shared.global [%s+16], [%i+16], 8, 4;\n"
         "cp.async.commit_group;\n" +
         wait + "\n" + read + "\nret; }";
}

TEST(AsyncCopy, LandsWhenWaitedFor) {
  std::vector<uint32_t> in = {1, 2, 3, 4, 5, 6, 7, 8};
  const char *readBoth = "ld.shared.b32 %v, [%s+12]; st.global.b32 [%o], %v;\n"
                         "ld.shared.b32 %v, [%s+16]; st.global.b32 [%o+4], "
                         "%v;\nld.shared.b32 %v, [%s+20]; st.global.b32 "
                         "[%o+8], %v;";
  for (const char *wait : {"cp.async.wait_all;", "cp.async.wait_group 0;"}) {
    Fixture f(copyKernel(wait, readBoth));
    ASSERT_EQ(f.loadError, "");
    DevicePtr x = f.upload(in), out = f.allocate(12);
    ASSERT_EQ(message(f.launch("k", {1, 1, 1}, {1, 1, 1},
                               {Arg::pointer(x), Arg::pointer(out)})),
              "");
    // Beyond the source's 4 bytes the copy fills with zeros.
    EXPECT_EQ(f.download<uint32_t>(out, 3), (std::vector<uint32_t>{4, 5, 0}));
  }
}

TEST(AsyncCopy, WeakWaitReadsPoison) {
  std::vector<uint32_t> in = {1, 2, 3, 4, 5, 6, 7, 8};
  std::string text =
      copyKernel("cp.async.wait_group 1;",
                 "ld.shared.b32 %v, [%s+12]; st.global.b32 [%o], %v;\n"
                 "ld.shared.b32 %v, [%s+16]; st.global.b32 [%o+4], %v;");
  Fixture f(text);
  DevicePtr x = f.upload(in), out = f.allocate(8);
  auto found = findings(f.launch("k", {1, 1, 1}, {1, 1, 1},
                                 {Arg::pointer(x), Arg::pointer(out)}));
  EXPECT_TRUE(has(found, FindingKind::AsyncInFlight,
                  lineOf(text, ".entry", "ld.shared.b32 %v, [%s+16]")));
  EXPECT_FALSE(has(found, FindingKind::AsyncInFlight,
                   lineOf(text, ".entry", "ld.shared.b32 %v, [%s+12]")));
  EXPECT_EQ(f.download<uint32_t>(out, 2),
            (std::vector<uint32_t>{4, 0xffffffff}));
}

TEST(AsyncCopy, MissingWaitIsCaught) {
  std::string text =
      copyKernel("", "ld.shared.b32 %v, [%s+12]; st.global.b32 [%o], %v;");
  Fixture f(text);
  DevicePtr x = f.upload(std::vector<uint32_t>(8, 1)), out = f.allocate(4);
  auto found = findings(f.launch("k", {1, 1, 1}, {1, 1, 1},
                                 {Arg::pointer(x), Arg::pointer(out)}));
  EXPECT_TRUE(has(found, FindingKind::AsyncInFlight,
                  lineOf(text, ".entry", "ld.shared.b32 %v, [%s+12]")));
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// `body` for 64 threads with 256 bytes of shared memory at %s and a thread's
/// own word at %q.
std::vector<Finding> sharedFindings(const std::string &body,
                                    unsigned align = 8) {
  Fixture f(std::string(header) + ".entry k() { .shared .align " +
            std::to_string(align) +
            " .b8 s[256];\n"
            ".reg .b32 %s, %q, %t, %v; mov.u32 %s, s; mov.u32 %t, %tid.x;\n"
            "shl.b32 %q, %t, 2; add.u32 %q, %q, %s;\n" +
            body + "\nret; }");
  EXPECT_EQ(f.loadError, "");
  return findings(f.launch("k", {1, 1, 1}, {64, 1, 1}, {}));
}

TEST(SharedChecks, CleanKernelHasNoFindings) {
  EXPECT_TRUE(sharedFindings("st.shared.b32 [%q], %t; bar.sync 0;\n"
                             "ld.shared.b32 %v, [%s+252]; bar.sync 0;\n"
                             "st.shared.b32 [%q], %v;")
                  .empty());
}

TEST(SharedChecks, WithinAWarp) {
  // Lanes of a warp exchange without bar.warp.sync, then with it.
  const std::string neighbour = "xor.b32 %v, %q, 4; ld.shared.b32 %v, [%v];";
  auto found = sharedFindings("st.shared.b32 [%q], %t;\n" + neighbour);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, FindingKind::Race);
  EXPECT_TRUE(
      sharedFindings("st.shared.b32 [%q], %t; bar.warp.sync -1;\n" + neighbour)
          .empty());
}

TEST(SharedChecks, WholeCellsAndPartsOfThem) {
  // 16 threads write 16 bytes each, all read a word of one of them, and it is
  // written again; each of the barriers is needed.
  const std::string start =
      ".reg .pred %p; .reg .b32 %c; shl.b32 %c, %t, 4; add.u32 %c, %c, %s;\n"
      "setp.lt.u32 %p, %t, 16;\n";
  const std::string write = "@%p st.shared.v4.b32 [%c], {%t, %q, %t, %t};\n";
  const std::string read = "ld.shared.b32 %v, [%s+20];\n";
  const std::string last = "ld.shared.v2.b32 {%v, %v}, [%s+24];\n";
  const std::string sync = "bar.sync 0;\n";
  EXPECT_TRUE(sharedFindings(start + write + sync + read + sync + write + sync +
                                 last + sync + write,
                             16)
                  .empty());
  // Other values, so that they count as written.
  const std::string change = "add.u32 %t, %t, 1;\n";
  for (const std::string &faulty :
       {write + read, write + sync + read + change + write,
        write + sync + read + sync + change + write + last,
        write + sync + read + sync + write + sync + last + change + write}) {
    auto found = sharedFindings(start + faulty, 16);
    ASSERT_FALSE(found.empty()) << faulty;
    EXPECT_EQ(found[0].kind, FindingKind::Race);
    EXPECT_LT(found[0].thread[0], 64u);
  }
}

TEST(SharedChecks, Uninitialized) {
  auto found = sharedFindings("ld.shared.b32 %v, [%q];");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, FindingKind::Uninitialized);
}

TEST(SharedChecks, BytesThatAreNotUsed) {
  // Eight bytes are read, of which the mask says that four are used: those that
  // the thread has written, or the others.
  const std::string program =
      ".reg .b32 %u, %w; .reg .pred %p; setp.ge.u32 %p, %t, 32; @%p ret;\n"
      "shl.b32 %u, %t, 3; add.u32 %u, %u, %s; st.shared.b32 [%u], %t; ";
  const std::string load = "ld.shared.v2.b32 {%v, %w}, [%u];";
  EXPECT_TRUE(
      sharedFindings(program + ".pragma \"used_bytes_mask 0xf\";\n" + load)
          .empty());
  auto found =
      sharedFindings(program + ".pragma \"used_bytes_mask 0xf0\";\n" + load);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, FindingKind::Uninitialized);
  // It holds for one instruction.
  EXPECT_EQ(sharedFindings(program + ".pragma \"used_bytes_mask 0xf\";\n" +
                           load + load)
                .size(),
            1u);
}

TEST(SharedChecks, Bounds) {
  auto found = sharedFindings("st.shared.b32 [%q+4], %t;");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, FindingKind::OutOfBounds);
  EXPECT_EQ(found[0].thread, (Dim3{63, 0, 0}));
}

/// The variable is declared with 8; 16 would be needed.
TEST(SharedChecks, DeclaredAlignmentIsAllThereIs) {
  auto found = sharedFindings("st.shared.v4.b32 [%s], {%t, %t, %t, %t};");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, FindingKind::Misaligned);
}

TEST(GlobalChecks, NullAndReadOnly) {
  Fixture f(std::string(header) +
            ".const .b32 c = 1;\n"
            ".entry null() { .reg .b64 %p; .reg .b32 %v; mov.u64 %p, 0;\n"
            "ld.global.b32 %v, [%p]; ret; }\n"
            ".entry readOnly() { .reg .b64 %p; mov.u64 %p, c;\n"
            "st.global.b32 [%p], 1; ret; }");
  ASSERT_EQ(f.loadError, "");
  auto found = findings(f.launch("null", {1, 1, 1}, {1, 1, 1}, {}));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, FindingKind::OutOfBounds);
  EXPECT_NE(found[0].message.find("a null pointer"), std::string::npos);
  found = findings(f.launch("readOnly", {1, 1, 1}, {1, 1, 1}, {}));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, FindingKind::ReadOnly);
}

/// Four blocks of one thread; each has its number in %b, `out` in %o.
std::vector<Finding> blockFindings(const std::string &body) {
  Fixture f(std::string(header) +
            ".entry k(.param .u64 out) { .reg .b64 %o, %p; .reg .b32 %b, %v;\n"
            "ld.param.u64 %o, [out]; mov.u32 %b, %ctaid.x;\n"
            "mul.wide.u32 %p, %b, 4; add.u64 %p, %p, %o;\n" +
            body + "\nret; }");
  EXPECT_EQ(f.loadError, "");
  DevicePtr out = f.allocate(64, "out");
  return findings(f.launch("k", {4, 1, 1}, {1, 1, 1}, {Arg::pointer(out)}));
}

TEST(GlobalChecks, RacesBetweenBlocks) {
  EXPECT_TRUE(blockFindings("st.global.b32 [%p], %b;\n"
                            "ld.global.b32 %v, [%p];")
                  .empty());
  // All write one word: the same value is tolerated, different ones are not.
  EXPECT_TRUE(blockFindings("st.global.b32 [%o], 7;").empty());
  auto found = blockFindings("st.global.b32 [%o], %b;");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, FindingKind::Race);
  EXPECT_NE(found[0].message.find("in 'out'"), std::string::npos);
  // Narrow neighbours are no race.
  EXPECT_TRUE(blockFindings("st.global.b8 [%p], %b;\n"
                            "st.global.b8 [%p+1], %b;")
                  .empty());
  // Atomics may order blocks, so nothing is claimed about such kernels.
  EXPECT_TRUE(blockFindings("st.global.b32 [%p], 0;\n"
                            "red.global.add.u32 [%p], 1;")
                  .empty());
}

} // namespace
