//===- ParserTest.cpp - PTX text, good and bad ----------------------------===//
//
// What the parser makes of PTX, and the error each malformed text gives.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Runtime/PTXModule.h"
#include "RuntimeTestUtils.h"

#include "llvm/ADT/StringExtras.h"

using namespace prism;

namespace {

const std::string header = ".version 7.8\n.target sm_80\n.address_size 64\n";

std::string kernel(const std::string &body) {
  return header +
         ".entry k(.param .u64 p)\n{\n.reg .b32 %r<4>; .reg .b16 "
         "%h; .reg .pred %q;\n" +
         body + "\n}\n";
}

TEST(Parser, KernelHead) {
  auto module = llvm::cantFail(parsePTX(
      header + ".visible .entry k(\n"
               "  .param .u64 .ptr .global .align 16 a,\n"
               "  .param .align 8 .b8 b[24], .param .u32 c)\n"
               ".maxntid 128, 1, 1\n.reqntid 64\n.minnctapersm 2\n"
               "{ .local .align 4 .b8 l[6]; .shared .align 16 .b8 s[32];\n"
               "ret; }\n.extern .shared .align 16 .b8 dyn[];",
      "t"));
  EXPECT_EQ(module.versionMajor, 7u);
  EXPECT_EQ(module.target, "sm_80");
  ASSERT_EQ(module.kernels.size(), 1u);
  const PTXKernel &k = module.kernels[0];
  ASSERT_EQ(k.parameters.size(), 3u);
  EXPECT_TRUE(k.parameters[0].isPointer);
  EXPECT_EQ(k.parameters[0].pointerSpace, PTXSpace::Global);
  EXPECT_EQ(k.parameters[0].pointerAlign, 16u);
  EXPECT_EQ(k.parameters[1].bytes, 24u);
  EXPECT_EQ(k.parameters[2].offset, 32u);
  EXPECT_EQ(k.parameterBytes, 36u);
  EXPECT_EQ(k.localBytes, 6u);
  EXPECT_EQ(k.shared.size(), 1u);
  EXPECT_EQ(*k.reqntid, (std::array<uint32_t, 3>{64, 1, 1}));
  ASSERT_EQ(module.variables.size(), 1u);
  EXPECT_TRUE(module.variables[0].isExtern);
}

TEST(Parser, Instructions) {
  auto module = llvm::cantFail(parsePTX(
      header + ".entry k()\n{\n.reg .b32 %r<9>; .reg .b64 %rd<3>; .reg .pred "
               "%p1;\n.loc 1 12 3\n"
               "@!%p1 ld.global.v2.u32 {%r1, %r2}, [%rd2+-8];\n"
               "L: setp.lt.s32 %p1|%p1, %r1, -7;\n"
               "{ .reg .b32 %r1; mov.u32 %r1, 0x10; bra L; }\n}\n"
               ".file 1 \"a.cu\"\n",
      "t"));
  const PTXKernel &k = module.kernels[0];
  ASSERT_EQ(k.instructions.size(), 4u);
  const PTXInstruction &load = k.instructions[0];
  EXPECT_EQ(load.opcode, "ld");
  EXPECT_EQ(load.modifiers.size(), 3u);
  EXPECT_TRUE(load.guardNegated);
  EXPECT_EQ(load.line, 8u);
  EXPECT_EQ(module.locations[load.loc].line, 12u);
  EXPECT_EQ(module.files[module.locations[load.loc].file], "a.cu");
  EXPECT_EQ(load.operands[0].elements.size(), 2u);
  EXPECT_EQ(load.operands[1].offset, -8);
  EXPECT_EQ(k.instructions[1].operands[2].bits, uint64_t(-7));
  // The inner %r1 is another register than the outer.
  EXPECT_NE(k.instructions[2].operands[0].index,
            load.operands[0].elements[0].index);
  EXPECT_EQ(k.instructions[3].operands[0].index, 1u);
}

struct BadText {
  std::string text;
  const char *error;
};

TEST(Parser, Errors) {
  const BadText texts[] = {
      {"", "t:1: error: expected '.version' but the text ends here"},
      {"ELF", "t:1: error: expected '.version', found 'ELF'"},
      {".version 99.0\n.target sm_80\n",
       "t:1: error: PTX version 99.0 is newer than 9.1, the newest this device "
       "executes"},
      {".version 7.0\n.target gfx90a\n",
       "t:2: error: expected a target such as sm_80, found 'gfx90a'"},
      {".version 7.0\n.target sm_80\n.address_size 32\n",
       "t:3: error: expected an address size of 64, found 32"},
      {header + ".wobble x;", "t:4: error: unknown directive '.wobble'"},
      {header + ".entry k()\n{ ret;",
       "t:5: error: the body of kernel 'k' is never closed"},
      {header + ".entry k() { ret; }\n.entry k() { ret; }",
       "t:5: error: kernel 'k' is defined twice"},
      {header + ".entry k() .wide { ret; }",
       "t:4: error: unknown kernel directive '.wide'"},
      {header + ".global .align 3 .b8 x[4];",
       "t:4: error: alignment 3 is not a power of two up to 65536"},
      {header + ".global .b8 x[2] = {1, 2, 3};",
       "t:4: error: too many initial values for 'x'"},
      {kernel("mov.u32 %r1 %r2;"), "t:7: error: expected ',', found '%r2'"},
      {kernel("bra NOWHERE;"), "t:7: error: unknown label 'NOWHERE'"},
      {kernel("L: ret;\nL: ret;"), "t:8: error: label 'L' is defined twice"},
      {kernel("@%r1 ret;"),
       "t:7: error: expected a predicate register, found '%r1'"},
      {kernel("mov.f32 %r1, 0f3F8;"),
       "t:7: error: malformed floating-point literal '0f3F8'"},
      {kernel(".reg .b64 %a<1048577>;"),
       "t:7: error: more registers than this device can hold"},
      {kernel(".reg .b64 %a<-1>;"),
       "t:7: error: more registers than this device can hold"},
      {header + ".global .b8 x[4294967296][4294967296];",
       "t:4: error: array 'x' is too large"},
      {header + ".global .b8 x[-1];", "t:4: error: array 'x' is too large"},
      {kernel("mov.u64 %r1, 99999999999999999999;"),
       "t:7: error: malformed or too large integer '99999999999999999999'"},
  };
  for (const BadText &bad : texts) {
    auto module = parsePTX(bad.text, "t");
    ASSERT_FALSE(bool(module)) << bad.text;
    EXPECT_EQ(llvm::toString(module.takeError()), bad.error);
  }
}

/// Any prefix of a good text is an error or a module, never a crash.
TEST(Parser, Truncated) {
  for (const char *name : {"gemm.ptx", "hopper.ptx"}) {
    std::string text = readInput(name);
    for (size_t length = 0; length < text.size(); length += 131) {
      auto module = parsePTX(llvm::StringRef(text).take_front(length), "t");
      if (!module)
        EXPECT_NE(llvm::toString(module.takeError()).find(": error: "),
                  std::string::npos);
    }
  }
}

/// The shortest kernel with everything in it, cut off at every byte.
TEST(Parser, TruncatedAnywhere) {
  const std::string text = readInput("intrinsics.ptx") +
                           "\n.global .align 8 .u64 g[2] = {generic(h)+8, 1};\n"
                           ".const .f32 h = 0f3F800000;\n.file 1 \"a.cu\"\n"
                           ".section .debug_str { .b8 1,2 }\n";
  ASSERT_EQ(Fixture(text).loadError, "");
  for (size_t length = 0; length < text.size(); ++length) {
    Fixture f(text.substr(0, length));
    if (!f.loadError.empty())
      EXPECT_NE(f.loadError.find(": error: "), std::string::npos)
          << f.loadError;
  }
}

/// Tokens of good kernels exchanged, left out and repeated: whatever comes of
/// it, it is an error, findings, or a result.
TEST(Parser, Mutated) {
  const std::string inputs[] = {readInput("intrinsics.ptx"),
                                readInput("reduction.ptx")};
  std::mt19937 engine(11);
  const char *const others[] = {"b128", "pred", "b8", "f32", "u64",   "-1",
                                "0",    "idx",  "v4", "99",  "0xfff", "s8"};
  unsigned launched = 0;
  for (unsigned round = 0; round < 1500; ++round) {
    const std::string &text = inputs[round % 2];
    // Words and what lies between them.
    std::vector<std::string> tokens;
    for (size_t i = 0; i < text.size();) {
      size_t end = i + 1;
      if (llvm::isAlnum(text[i]))
        while (end < text.size() && llvm::isAlnum(text[end]))
          ++end;
      tokens.push_back(text.substr(i, end - i));
      i = end;
    }
    for (unsigned change = engine() % 3 + 1; change; --change) {
      size_t at = engine() % tokens.size(), from = engine() % tokens.size();
      switch (engine() % 4) {
      case 0:
        tokens[at] = tokens[from];
        break;
      case 1:
        tokens[at] = others[engine() % std::size(others)];
        break;
      case 2:
        tokens.erase(tokens.begin() + at);
        break;
      case 3:
        tokens.insert(tokens.begin() + at, tokens[from]);
      }
    }
    std::string mutant;
    for (const std::string &token : tokens)
      mutant += token;
    SimulationOptions options;
    options.stepLimit = 2000;
    Fixture f(mutant, options);
    if (!f.loadError.empty())
      continue;
    DevicePtr in = f.upload(std::vector<char>(1024, 1));
    const PTXModule module = llvm::cantFail(parsePTX(mutant, "t"));
    for (const PTXKernel &k : module.kernels) {
      std::vector<KernelArgument> arguments;
      for (const PTXVariable &parameter : k.parameters)
        if (parameter.bytes == 8)
          arguments.push_back(KernelArgument::pointer(in));
        else
          arguments.push_back(
              KernelArgument::raw(std::vector<char>(parameter.bytes, 1)));
      llvm::consumeError(
          f.launch(k.name, {2, 1, 1}, {64, 1, 1}, std::move(arguments), 512));
      ++launched;
    }
  }
  EXPECT_GT(launched, 1000u); // many mutants are good enough to run
}

TEST(Decoder, Errors) {
  const std::pair<const char *, const char *> bodies[] = {
      {"frobnicate.u32 %r1, %r2;", "unknown instruction 'frobnicate'"},
      {"add.wide.u32 %r1, %r2, %r3;", "unknown modifier '.wide' of 'add'"},
      {"add.u32 %r1, %r2;", "'add' takes 3 operands, found 2"},
      {"add.u64 %r1, %r2, %r3;", "register '%r2' has 32 bits, 'add' needs 64"},
      {"add.u32 %h, %r2, %r3;",
       "expected a register of 32 bits as the result of 'add'"},
      {"add.u32 %r1, %nothing, %r3;", "unknown register or symbol '%nothing'"},
      {"ld.global.u32 %r1, [nothing];", "unknown symbol 'nothing'"},
      {"ld.global.v4.u32 %r1, [p];", "expected 4 values, found 1"},
      {"setp.wide.u32 %q, %r1, %r2;",
       "setp has no such comparison for this type"},
      {"mma.sync.aligned.m9n9k9.row.col.f32.f16.f16.f32 %r1, %r1, %r1, %r1;",
       "mma has no such shape with these types"},
      {"cp.async.cg.shared.global [%r1], [p], 8;",
       "cp.async copies 16 bytes, or with '.ca' 4 or 8"},
      // Types that an instruction does not have, sensible as they look.
      {"redux.sync.add.f32 %r1, %r2, -1;",
       "'redux' does not take the type '.f32'"},
      {"shfl.sync.idx.b64 %r1, %r2, 0, 31, -1;",
       "'shfl' does not take the type '.b64'"},
      {"bfi.b16 %h, %h, %h, 0, 1;", "'bfi' does not take the type '.b16'"},
      {"match.any.sync.b16 %r1, %h, -1;",
       "'match' does not take the type '.b16'"},
      {"cvt.u32.pred %r1, %q;", "'cvt' does not take the type '.pred'"},
      {"add.b32 %r1, %r2, %r3;", "'add' does not take the type '.b32'"},
      {"rcp.rn.f16 %h, %h;", "'rcp' does not take the type '.f16'"},
      {"set.eq.b128.u32 %r1, %r2, %r3;",
       "'set' does not take the type '.b128'"},
      {".reg .b128 %w; mov.b128 {%w}, %w;",
       "a value of 128 bits has no 1 equal parts"},
      {".reg .b128 %w; mov.b128 %w, 5;",
       "expected a register of 128 bits as operand of 'mov'"},
      {".reg .b128 %w; mov.b128 %w, %tid.x;",
       "expected a register of 128 bits as operand of 'mov'"},
      {".reg .b128 %w; add.u32 %r1, %w, 1;",
       "register '%w' has 128 bits, 'add' needs 32"},
      {"L: brx.uni.idx %r1, L;", "unknown label 'L'"},
      {"L: bra.idx L;", "unknown modifier '.idx' of 'bra'"},
      {"mov.u32 %r1, {{{{{%r1}}}}};", "operands nest deeper than PTX allows"},
      {"mov.u32 %r1, %r1|%r1|%r1|%r1|%r1;",
       "operands nest deeper than PTX allows"},
      {".pragma \"", "expected a string after '.pragma', found '\"'"},
      {".local .b8 l[524289];",
       "a thread has at most 524288 bytes of local memory, 'l' would end at "
       "524289"},
      {"call foo, (%r1);", nullptr},
  };
  for (auto [body, error] : bodies) {
    Fixture f(kernel(body));
    if (error)
      EXPECT_EQ(f.loadError, std::string("test.ptx:7: error: ") + error);
    else
      EXPECT_NE(f.loadError, "");
  }
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

TEST(Launch, CubinIsNoPTX) {
  Fixture f("\x7f"
            "ELF");
  EXPECT_NE(f.loadError.find("a cubin, the simulated device needs PTX"),
            std::string::npos)
      << f.loadError;
}

TEST(Launch, Errors) {
  Fixture f(header +
            ".entry k(.param .u64 .ptr .global .align 16 a, .param .u32 n)\n"
            ".reqntid 32\n{ ret; }\n.entry small() .maxntid 64 { ret; }");
  ASSERT_EQ(f.loadError, "");
  DevicePtr a = f.allocate(64);
  auto pointer = [&](uint64_t offset) {
    return KernelArgument::pointer(DevicePtr(uint64_t(a) + offset));
  };
  KernelArgument n = KernelArgument::i32(1);
  auto error = [&](const char *name, Dim3 grid, Dim3 block,
                   std::vector<KernelArgument> arguments, uint32_t shared = 0) {
    return message(f.launch(name, grid, block, std::move(arguments), shared));
  };
  EXPECT_EQ(error("k", {1, 1, 1}, {32, 1, 1}, {pointer(0), n}), "");
  EXPECT_EQ(error("j", {1, 1, 1}, {32, 1, 1}, {}),
            "the module has no kernel 'j'; it has: k, small");
  EXPECT_EQ(error("k", {1, 1, 1}, {32, 1, 1}, {n}),
            "kernel 'k' takes 2 parameters, 1 were given");
  EXPECT_EQ(error("k", {1, 1, 1}, {32, 1, 1}, {n, n}),
            "parameter 0 of kernel 'k' has 8 bytes, 4 were given");
  EXPECT_EQ(error("k", {0, 1, 1}, {32, 1, 1}, {pointer(0), n}),
            "kernel 'k': a grid of (0, 1, 1) blocks is not within (2147483647, "
            "65535, 65535) and not empty");
  EXPECT_EQ(error("small", {1, 1, 1}, {2048, 1, 1}, {}),
            "kernel 'small': a block of (2048, 1, 1) threads is not between 1 "
            "and 1024");
  EXPECT_EQ(error("k", {1, 1, 1}, {64, 1, 1}, {pointer(0), n}),
            "kernel 'k' was compiled for blocks of (32, 1, 1) threads, not "
            "(64, 1, 1)");
  EXPECT_EQ(error("small", {1, 1, 1}, {96, 1, 1}, {}),
            "kernel 'small' was compiled for at most (64, 1, 1) threads a "
            "block, not (96, 1, 1)");
  EXPECT_EQ(error("small", {1, 1, 1}, {32, 1, 1}, {}, 200000),
            "kernel 'small' needs 200000 bytes of shared memory, a block on "
            "sm_80 has 166912");
  EXPECT_NE(error("k", {1, 1, 1}, {32, 1, 1},
                  {KernelArgument::pointer(DevicePtr::Null), n})
                .find("parameter 0 ('a') is a null pointer"),
            std::string::npos);
  EXPECT_NE(error("k", {1, 1, 1}, {32, 1, 1}, {pointer(8), n})
                .find("is declared to be aligned to 16 bytes"),
            std::string::npos);
}

/// Sizes that no host could hold are refused, not tried.
TEST(Device, MemoryIsBounded) {
  SimulationOptions options;
  options.memoryBytes = 1000;
  Fixture f(header + ".global .b8 x[600];", options);
  ASSERT_EQ(f.loadError, "");
  auto error = [&](uint64_t bytes) {
    auto made = f.device.allocate(bytes, "y");
    return made ? "" : llvm::toString(made.takeError());
  };
  EXPECT_EQ(error(401), "cannot allocate 401 bytes for 'y': the simulated "
                        "device has 1000 bytes of memory, 600 in use");
  EXPECT_NE(error(~uint64_t(0)), "");
  DevicePtr y = f.allocate(400);
  EXPECT_NE(error(1), "");
  EXPECT_EQ(message(f.device.free(y)), "");
  EXPECT_EQ(error(400), "");
  // By default it is the host that bounds it.
  EXPECT_NE(Fixture(header + ".global .v4 .b64 y[4294967296];")
                .loadError.find(":4: error: cannot allocate"),
            std::string::npos);
}

TEST(Launch, KernelsTooLarge) {
  Fixture f(header + ".entry k() { .reg .b64 %r<400000>; ret; }");
  ASSERT_EQ(f.loadError, "");
  EXPECT_NE(message(f.launch("k", {1, 1, 1}, {1024, 1, 1}, {}))
                .find("bytes of registers and local memory"),
            std::string::npos);
  EXPECT_EQ(message(f.launch("k", {1, 1, 1}, {32, 1, 1}, {})), "");
  EXPECT_EQ(
      Fixture(header + ".entry k(.param .b8 x[32765]) { ret; }").loadError,
      "test.ptx:4: error: a kernel has at most 32764 bytes of "
      "parameters, 'x' would end at 32765");
}

TEST(Device, MemoryErrors) {
  SimulatedDevice device;
  DevicePtr a = llvm::cantFail(device.allocate(16, "a"));
  char bytes[32] = {};
  EXPECT_NE(message(device.copyToDevice(a, bytes)), "");
  EXPECT_NE(message(device.copyFromDevice(bytes, DevicePtr(12))), "");
  EXPECT_EQ(device.countUnwrittenBytes(a), 16u);
  EXPECT_EQ(message(device.copyToDevice(a, llvm::ArrayRef<char>(bytes, 10))),
            "");
  EXPECT_EQ(device.countUnwrittenBytes(a), 6u);
  EXPECT_EQ(message(device.free(a)), "");
  EXPECT_NE(message(device.free(a)), "");
}

} // namespace
