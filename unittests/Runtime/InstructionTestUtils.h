//===- InstructionTestUtils.h - One instruction against a reference *- C++ -*-//
//
// Wraps an instruction on the registers %d, %a, %b and %c into a kernel that
// runs it on arrays of inputs, one thread an input, and compares %d with a
// reference. Each runs with whole warps and again with a few lanes only, since
// the interpreter has a loop of its own for each.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_UNITTESTS_RUNTIME_INSTRUCTIONTESTUTILS_H
#define PRISM_UNITTESTS_RUNTIME_INSTRUCTIONTESTUTILS_H

#include "RuntimeTestUtils.h"

#include <cstring>
#include <functional>

namespace prism {

/// Widths of %d, %a, %b, %c in bytes; 0 for one the instruction does not have.
struct Widths {
  unsigned d, a, b = 0, c = 0;
};

struct Inputs {
  uint64_t a, b, c;
};

using Reference = std::function<uint64_t(uint64_t, uint64_t, uint64_t)>;
using Equal = std::function<bool(uint64_t expected, uint64_t actual)>;

inline uint64_t truncateTo(uint64_t value, unsigned width) {
  return width >= 8 ? value : value & ((uint64_t(1) << (8 * width)) - 1);
}

/// The kernel `k(d, a, b, c, n)`. `text` may declare registers of its own.
inline std::string makeKernel(llvm::StringRef text, Widths widths) {
  std::string ptx = ".version 7.8\n.target sm_80\n.address_size 64\n"
                    ".entry k(.param .u64 pd, .param .u64 pa, .param .u64 pb, "
                    ".param .u64 pc, .param .u32 pn)\n{\n"
                    ".reg .pred %out; .reg .b32 %i, %n, %t; .reg .b64 %p, %o;\n"
                    "mov.u32 %i, %ctaid.x; mov.u32 %t, %ntid.x;\n"
                    "mul.lo.u32 %i, %i, %t; mov.u32 %t, %tid.x;\n"
                    "add.u32 %i, %i, %t; ld.param.u32 %n, [pn];\n"
                    "setp.ge.u32 %out, %i, %n; @%out exit;\n";
  auto bits = [](unsigned width) { return ".b" + std::to_string(8 * width); };
  auto declare = [&](char name, unsigned width) {
    if (width)
      ptx += ".reg " + bits(std::max(2u, width)) + " %" + name + ";\n";
  };
  auto address = [&](char name, unsigned width) {
    ptx += std::string("ld.param.u64 %p, [p") + name +
           "]; mul.wide.u32 %o, %i, " + std::to_string(width) +
           "; add.u64 %p, %p, %o;\n";
  };
  declare('d', widths.d);
  for (auto [name, width] :
       {std::make_pair('a', widths.a), {'b', widths.b}, {'c', widths.c}}) {
    declare(name, width);
    if (!width)
      continue;
    address(name, width);
    ptx += "ld.global" + bits(width) + " %" + name + ", [%p];\n";
  }
  ptx += text.str() + "\n";
  address('d', widths.d);
  ptx += "st.global" + bits(widths.d) + " [%p], %d;\nret;\n}\n";
  return ptx;
}

/// Packs the inputs' `part` into elements of `width` bytes.
inline std::vector<char> pack(const std::vector<Inputs> &inputs, unsigned width,
                              uint64_t Inputs::*part) {
  std::vector<char> bytes(inputs.size() * width);
  for (size_t i = 0; i < inputs.size(); ++i)
    std::memcpy(bytes.data() + i * width, &(inputs[i].*part), width);
  return bytes;
}

/// Runs `text` on `inputs` in blocks of `threads`.
inline std::vector<uint64_t> evaluate(llvm::StringRef text, Widths widths,
                                      const std::vector<Inputs> &inputs,
                                      unsigned threads) {
  std::vector<uint64_t> results(inputs.size());
  Fixture f(makeKernel(text, widths));
  EXPECT_EQ(f.loadError, "") << text.str();
  if (!f.loadError.empty())
    return results;
  unsigned n = inputs.size();
  DevicePtr d = f.allocate(n * widths.d);
  std::vector<KernelArgument> arguments = {KernelArgument::pointer(d)};
  for (auto [width, part] : {std::make_pair(widths.a, &Inputs::a),
                             {widths.b, &Inputs::b},
                             {widths.c, &Inputs::c}})
    arguments.push_back(KernelArgument::pointer(
        width ? f.upload(pack(inputs, width, part)) : d));
  arguments.push_back(KernelArgument::i32(n));
  EXPECT_EQ(message(f.launch("k", {(n + threads - 1) / threads, 1, 1},
                             {threads, 1, 1}, arguments)),
            "")
      << text.str();
  auto bytes = f.download<char>(d, n * widths.d);
  for (size_t i = 0; i < n; ++i)
    std::memcpy(&results[i], bytes.data() + i * widths.d, widths.d);
  return results;
}

inline bool equalBits(uint64_t expected, uint64_t actual) {
  return expected == actual;
}

/// Compares `text` with `reference` on all inputs.
inline void check(llvm::StringRef text, Widths widths,
                  const std::vector<Inputs> &inputs, const Reference &reference,
                  const Equal &equal = equalBits) {
  for (unsigned threads : {64u, 21u}) {
    auto results = evaluate(text, widths, inputs, threads);
    for (size_t i = 0; i < inputs.size(); ++i) {
      uint64_t a = truncateTo(inputs[i].a, widths.a);
      uint64_t b = truncateTo(inputs[i].b, widths.b);
      uint64_t c = truncateTo(inputs[i].c, widths.c);
      uint64_t expected = truncateTo(reference(a, b, c), widths.d);
      ASSERT_TRUE(equal(expected, results[i]))
          << text.str() << std::hex << "\n  a = 0x" << a << ", b = 0x" << b
          << ", c = 0x" << c << ": expected 0x" << expected << ", got 0x"
          << results[i];
    }
  }
}

/// Every pair of `special` values as a and b, then random bits.
inline std::vector<Inputs> combine(const std::vector<uint64_t> &special,
                                   unsigned seed = 1) {
  std::vector<Inputs> inputs;
  std::mt19937_64 engine(seed);
  for (uint64_t a : special)
    for (uint64_t b : special)
      inputs.push_back({a, b, special[engine() % special.size()]});
  for (unsigned i = 0; i < 200; ++i)
    inputs.push_back({engine(), engine(), engine()});
  return inputs;
}

/// Integers where widths and signs matter.
inline std::vector<Inputs> integers() {
  return combine({0,
                  1,
                  2,
                  3,
                  7,
                  31,
                  32,
                  33,
                  63,
                  64,
                  0x7f,
                  0x80,
                  0xff,
                  0x7fff,
                  0x8000,
                  0xffff,
                  0x7fffffff,
                  0x80000000,
                  0xffffffff,
                  0x7fffffffffffffff,
                  0x8000000000000000,
                  ~uint64_t(0)});
}

} // namespace prism

#endif // PRISM_UNITTESTS_RUNTIME_INSTRUCTIONTESTUTILS_H
