//===- WarpTest.cpp - Instructions across the lanes of a warp -------------===//
//
// Shuffles, votes, matrix operations, barriers and divergence. The layouts of
// matrix fragments are written down here from the PTX manual's formulas.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeTestUtils.h"

#include <cstring>

using namespace prism;

namespace {

using Arg = KernelArgument;

/// A kernel `k(in, out, ...)` whose %in and %out point at 16 * `words` bytes
/// ... of this thread: `words` 32-bit words each.
std::string perThread(llvm::StringRef body, unsigned inWords,
                      unsigned outWords) {
  return ".version 7.8\n.target sm_80\n.address_size 64\n"
         ".entry k(.param .u64 pin, .param .u64 pout)\n{\n"
         ".reg .b32 %t, %lane; .reg .b64 %in, %out, %o;\n"
         "mov.u32 %t, %tid.x; mov.u32 %lane, %laneid;\n"
         "ld.param.u64 %in, [pin]; ld.param.u64 %out, [pout];\n"
         "mul.wide.u32 %o, %t, " +
         std::to_string(4 * inWords) +
         "; add.u64 %in, %in, %o;\n"
         "mul.wide.u32 %o, %t, " +
         std::to_string(4 * outWords) + "; add.u64 %out, %out, %o;\n" +
         body.str() + "\nret;\n}\n";
}

std::vector<uint32_t> run(llvm::StringRef body, unsigned outWords,
                          const std::vector<uint32_t> &in, unsigned threads,
                          std::vector<Finding> *found = nullptr) {
  Fixture f(perThread(body, in.size() / threads, outWords));
  EXPECT_EQ(f.loadError, "");
  std::vector<uint32_t> result(threads * outWords);
  if (!f.loadError.empty())
    return result;
  DevicePtr pin = f.upload(in), pout = f.allocate(result.size() * 4);
  auto error = f.launch("k", {1, 1, 1}, {threads, 1, 1},
                        {Arg::pointer(pin), Arg::pointer(pout)});
  if (found)
    *found = findings(std::move(error));
  else
    EXPECT_EQ(message(std::move(error)), "");
  return f.download<uint32_t>(pout, result.size());
}

std::vector<uint32_t> iota(unsigned count) {
  std::vector<uint32_t> values(count);
  for (unsigned i = 0; i < count; ++i)
    values[i] = 100 + i;
  return values;
}

TEST(Shuffle, Modes) {
  struct Case {
    const char *operands;
    std::function<int(int)> source; ///< -1: out of range, own value
  };
  const Case cases[] = {
      {"up.b32 %d|%q, %a, 3, 0", [](int l) { return l - 3; }},
      {"down.b32 %d|%q, %a, 3, 31",
       [](int l) { return l + 3 > 31 ? -1 : l + 3; }},
      {"bfly.b32 %d|%q, %a, 5, 31", [](int l) { return l ^ 5; }},
      {"idx.b32 %d|%q, %a, 7, 31", [](int) { return 7; }},
      // Segments of 8 lanes: c = (32 - 8) << 8 | 7.
      {"down.b32 %d|%q, %a, 2, 6175",
       [](int l) { return l % 8 + 2 > 7 ? -1 : l + 2; }},
      {"idx.b32 %d|%q, %a, 3, 6175", [](int l) { return l / 8 * 8 + 3; }},
  };
  for (const Case &c : cases) {
    auto out = run(std::string(".reg .b32 %a, %d, %v; .reg .pred %q;\n"
                               "ld.global.b32 %a, [%in]; shfl.sync.") +
                       c.operands +
                       ", -1;\nselp.u32 %v, 1, 0, %q;\n"
                       "st.global.v2.b32 [%out], {%d, %v};",
                   2, iota(32), 32);
    for (int lane = 0; lane < 32; ++lane) {
      int source = c.source(lane);
      EXPECT_EQ(out[2 * lane], 100u + (source < 0 ? lane : source))
          << c.operands << " lane " << lane;
      EXPECT_EQ(out[2 * lane + 1], unsigned(source >= 0));
    }
  }
}

TEST(Vote, AllModes) {
  auto out = run(".reg .b32 %a, %d, %e, %f, %g; .reg .pred %q, %r;\n"
                 "ld.global.b32 %a, [%in]; setp.lt.u32 %q, %a, 110;\n"
                 "vote.sync.ballot.b32 %d, %q, -1;\n"
                 "vote.sync.any.pred %r, %q, -1; selp.u32 %e, 1, 0, %r;\n"
                 "vote.sync.all.pred %r, %q, -1; selp.u32 %f, 1, 0, %r;\n"
                 "vote.sync.uni.pred %r, %q, -1; selp.u32 %g, 1, 0, %r;\n"
                 "st.global.v4.b32 [%out], {%d, %e, %f, %g};",
                 4, iota(32), 32);
  for (unsigned lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(out[4 * lane], 0x3ffu);
    EXPECT_EQ(out[4 * lane + 1], 1u);
    EXPECT_EQ(out[4 * lane + 2], 0u);
    EXPECT_EQ(out[4 * lane + 3], 0u);
  }
}

TEST(Redux, AndMatch) {
  std::vector<uint32_t> in(32);
  for (unsigned lane = 0; lane < 32; ++lane)
    in[lane] = lane % 3 - 1;
  auto out = run(".reg .b32 %a, %d, %e, %f, %g;\n"
                 "ld.global.b32 %a, [%in];\n"
                 "redux.sync.add.s32 %d, %a, -1;\n"
                 "redux.sync.max.s32 %e, %a, -1;\n"
                 "redux.sync.min.u32 %f, %a, -1;\n"
                 "match.any.sync.b32 %g, %a, -1;\n"
                 "st.global.v4.b32 [%out], {%d, %e, %f, %g};",
                 4, in, 32);
  for (unsigned lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(int32_t(out[4 * lane]), -1); // 11 of -1, 11 of 0, 10 of 1
    EXPECT_EQ(out[4 * lane + 1], 1u);
    EXPECT_EQ(out[4 * lane + 2], 0u);
    uint32_t same = 0;
    for (unsigned other = 0; other < 32; ++other)
      same |= uint32_t(in[other] == in[lane]) << other;
    EXPECT_EQ(out[4 * lane + 3], same);
  }
}

TEST(Redux, EveryOperation) {
  std::vector<uint32_t> in(32);
  std::mt19937 engine(2);
  for (uint32_t &value : in)
    value = engine();
  using Fn = uint32_t (*)(uint32_t, uint32_t);
  const std::pair<const char *, Fn> operations[] = {
      {"add.u32", [](uint32_t a, uint32_t b) { return a + b; }},
      {"and.b32", [](uint32_t a, uint32_t b) { return a & b; }},
      {"or.b32", [](uint32_t a, uint32_t b) { return a | b; }},
      {"xor.b32", [](uint32_t a, uint32_t b) { return a ^ b; }},
      {"min.u32", [](uint32_t a, uint32_t b) { return std::min(a, b); }},
      {"max.u32", [](uint32_t a, uint32_t b) { return std::max(a, b); }},
      {"min.s32",
       [](uint32_t a, uint32_t b) {
         return uint32_t(std::min(int32_t(a), int32_t(b)));
       }},
      {"max.s32", [](uint32_t a, uint32_t b) {
         return uint32_t(std::max(int32_t(a), int32_t(b)));
       }}};
  for (auto [name, fn] : operations) {
    auto out = run(std::string(".reg .b32 %a, %d; ld.global.b32 %a, [%in];\n"
                               "redux.sync.") +
                       name + " %d, %a, -1; st.global.b32 [%out], %d;",
                   1, in, 32);
    uint32_t expected = in[0];
    for (unsigned lane = 1; lane < 32; ++lane)
      expected = fn(expected, in[lane]);
    for (unsigned lane = 0; lane < 32; ++lane)
      EXPECT_EQ(out[lane], expected) << name;
  }
}

TEST(Match, AllAndWide) {
  // Lanes 0 to 15 agree in the low half of their 64 bits, not in the high half.
  std::vector<uint32_t> in(64, 5);
  for (unsigned lane = 0; lane < 16; ++lane)
    in[2 * lane + 1] = lane / 8;
  auto out = run(".reg .b32 %d, %e, %f, %g; .reg .b64 %a; .reg .pred %p, %q;\n"
                 "ld.global.b64 %a, [%in]; cvt.u32.u64 %d, %a;\n"
                 "match.all.sync.b32 %e|%p, %d, -1;\n"
                 "match.all.sync.b64 %f|%q, %a, -1;\n"
                 "match.any.sync.b64 %g, %a, -1; selp.u32 %d, 1, 0, %p;\n"
                 "@%q add.u32 %d, %d, 2;\n"
                 "st.global.v4.b32 [%out], {%d, %e, %f, %g};",
                 4, in, 32);
  for (unsigned lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(out[4 * lane], 1u);
    EXPECT_EQ(out[4 * lane + 1], ~0u);
    EXPECT_EQ(out[4 * lane + 2], 0u);
    EXPECT_EQ(out[4 * lane + 3], lane < 8    ? 0xffu
                                 : lane < 16 ? 0xff00u
                                             : 0xffff0000u);
  }
}

/// Lanes that meet at one instruction with different member masks are groups of
/// their own, as where a warp is cut into tiles.
TEST(Members, GroupsOfOneInstruction) {
  const std::string masks =
      ".reg .b32 %m, %d, %e, %f, %g; .reg .pred %p, %q;\n"
      "shr.u32 %m, %lane, 3; shl.b32 %m, %m, 3; shl.b32 %m, 255, %m;\n";
  auto out = run(masks + "redux.sync.add.u32 %d, %lane, %m;\n"
                         "setp.eq.u32 %p, %lane, 9;\n"
                         "vote.sync.ballot.b32 %e, %p, %m;\n"
                         "vote.sync.any.pred %q, %p, %m;\n"
                         "selp.u32 %f, 1, 0, %q;\n"
                         "match.any.sync.b32 %g, 5, %m; bar.warp.sync %m;\n"
                         "st.global.v2.b32 [%out], {%d, %e};\n"
                         "st.global.v2.b32 [%out+8], {%f, %g};\n"
                         "elect.sync %d|%p, %m; st.global.b32 [%out+16], %d;\n"
                         "shfl.sync.idx.b32 %d, %lane, 3, 6175, %m;\n"
                         "st.global.b32 [%out+20], %d;\n",
                 6, iota(32), 32);
  for (unsigned lane = 0; lane < 32; ++lane) {
    unsigned first = lane / 8 * 8;
    EXPECT_EQ(out[6 * lane], 8 * first + 28);
    EXPECT_EQ(out[6 * lane + 1], first == 8 ? 1u << 9 : 0u);
    EXPECT_EQ(out[6 * lane + 2], first == 8);
    EXPECT_EQ(out[6 * lane + 3], 255u << first);
    EXPECT_EQ(out[6 * lane + 4], first);
    EXPECT_EQ(out[6 * lane + 5], first + 3);
  }
}

/// A lane that is not among the members it names.
TEST(Members, StrangersAreReported) {
  for (const char *instruction :
       {"shfl.sync.idx.b32 %d, %lane, 3, 31, 0xffff;",
        "redux.sync.add.u32 %d, %lane, 0xffff;",
        "vote.sync.ballot.b32 %d, %p, 0xffff;", "bar.warp.sync 0xffff;"}) {
    std::vector<Finding> found;
    run(std::string(".reg .b32 %d; .reg .pred %p; setp.eq.u32 %p, %t, 0;\n") +
            instruction + "\nst.global.b32 [%out], %lane;",
        1, iota(32), 32, &found);
    ASSERT_EQ(found.size(), 1u) << instruction;
    EXPECT_EQ(found[0].kind, FindingKind::DivergentWarp);
    EXPECT_EQ(found[0].line, 12u);
    EXPECT_NE(found[0].message.find("lane 16 executes this without being in "
                                    "its member mask 0xFFFF"),
              std::string::npos)
        << found[0].message;
  }
}

//===----------------------------------------------------------------------===//
// mma.sync
//===----------------------------------------------------------------------===//

/// Where element i of a lane's fragment lies, after the PTX manual.
struct Layout {
  const char *instruction;
  const char *type; ///< of A and B
  unsigned k, elementBits;
  bool halfResult;
  std::function<std::pair<unsigned, unsigned>(unsigned g, unsigned t,
                                              unsigned i)>
      a;                                             ///< (row, k)
  std::function<unsigned(unsigned t, unsigned i)> b; ///< k; the column is g
};

const Layout layouts[] = {
    {"m16n8k16.row.col.f32.f16.f16.f32", "f16", 16, 16, false,
     [](unsigned g, unsigned t, unsigned i) {
       unsigned row = i < 2 || (i >= 4 && i < 6) ? g : g + 8;
       unsigned column = i < 4 ? t * 2 + (i & 1) : t * 2 + (i & 1) + 8;
       return std::make_pair(row, column);
     },
     [](unsigned t, unsigned i) {
       return i < 2 ? t * 2 + (i & 1) : t * 2 + (i & 1) + 8;
     }},
    {"m16n8k16.row.col.f16.f16.f16.f16", "f16", 16, 16, true,
     [](unsigned g, unsigned t, unsigned i) {
       unsigned row = i < 2 || (i >= 4 && i < 6) ? g : g + 8;
       unsigned column = i < 4 ? t * 2 + (i & 1) : t * 2 + (i & 1) + 8;
       return std::make_pair(row, column);
     },
     [](unsigned t, unsigned i) {
       return i < 2 ? t * 2 + (i & 1) : t * 2 + (i & 1) + 8;
     }},
    {"m16n8k16.row.col.f32.bf16.bf16.f32", "bf16", 16, 16, false,
     [](unsigned g, unsigned t, unsigned i) {
       unsigned row = i < 2 || (i >= 4 && i < 6) ? g : g + 8;
       unsigned column = i < 4 ? t * 2 + (i & 1) : t * 2 + (i & 1) + 8;
       return std::make_pair(row, column);
     },
     [](unsigned t, unsigned i) {
       return i < 2 ? t * 2 + (i & 1) : t * 2 + (i & 1) + 8;
     }},
    {"m16n8k8.row.col.f32.f16.f16.f32", "f16", 8, 16, false,
     [](unsigned g, unsigned t, unsigned i) {
       return std::make_pair(i < 2 ? g : g + 8, t * 2 + (i & 1));
     },
     [](unsigned t, unsigned i) { return t * 2 + i; }},
    {"m16n8k8.row.col.f16.f16.f16.f16", "f16", 8, 16, true,
     [](unsigned g, unsigned t, unsigned i) {
       return std::make_pair(i < 2 ? g : g + 8, t * 2 + (i & 1));
     },
     [](unsigned t, unsigned i) { return t * 2 + i; }},
    {"m16n8k16.row.col.s32.s8.s8.s32", "s8", 16, 8, false,
     [](unsigned g, unsigned t, unsigned i) {
       return std::make_pair(i < 4 ? g : g + 8, t * 4 + (i & 3));
     },
     [](unsigned t, unsigned i) { return t * 4 + (i & 3); }},
    {"m16n8k32.row.col.s32.u8.u8.s32", "u8", 32, 8, false,
     [](unsigned g, unsigned t, unsigned i) {
       unsigned row = i < 4 || (i >= 8 && i < 12) ? g : g + 8;
       return std::make_pair(row,
                             i < 8 ? t * 4 + (i & 3) : t * 4 + (i & 3) + 16);
     },
     [](unsigned t, unsigned i) {
       return i < 4 ? t * 4 + (i & 3) : t * 4 + (i & 3) + 16;
     }},
    {"m16n8k8.row.col.f32.bf16.bf16.f32", "bf16", 8, 16, false,
     [](unsigned g, unsigned t, unsigned i) {
       return std::make_pair(i < 2 ? g : g + 8, t * 2 + (i & 1));
     },
     [](unsigned t, unsigned i) { return t * 2 + i; }},
    {"m16n8k8.row.col.f32.tf32.tf32.f32", "tf32", 8, 32, false,
     [](unsigned g, unsigned t, unsigned i) {
       return std::make_pair(i == 0 || i == 2 ? g : g + 8, i < 2 ? t : t + 4);
     },
     [](unsigned t, unsigned i) { return i == 0 ? t : t + 4; }},
    {"m16n8k4.row.col.f32.tf32.tf32.f32", "tf32", 4, 32, false,
     [](unsigned g, unsigned t, unsigned i) {
       return std::make_pair(i == 0 ? g : g + 8, t);
     },
     [](unsigned t, unsigned) { return t; }},
    {"m16n8k32.row.col.s32.s8.s8.s32", "s8", 32, 8, false,
     [](unsigned g, unsigned t, unsigned i) {
       unsigned row = i < 4 || (i >= 8 && i < 12) ? g : g + 8;
       return std::make_pair(row,
                             i < 8 ? t * 4 + (i & 3) : t * 4 + (i & 3) + 16);
     },
     [](unsigned t, unsigned i) {
       return i < 4 ? t * 4 + (i & 3) : t * 4 + (i & 3) + 16;
     }},
};

/// Small integers, exact in every type.
uint32_t encode(llvm::StringRef type, int value) {
  if (type == "f16")
    return toBits(llvm::APFloat::IEEEhalf(), value);
  if (type == "bf16")
    return toBits(llvm::APFloat::BFloat(), value);
  if (type == "s8" || type == "u8")
    return uint8_t(value);
  return llvm::bit_cast<uint32_t>(float(value));
}

std::string registerList(const char *name, unsigned first, unsigned count) {
  std::string text = "{";
  for (unsigned i = 0; i < count; ++i)
    text += (i ? ", %" : "%") + std::string(name) + std::to_string(first + i);
  return text + "}";
}

TEST(Mma, AllShapes) {
  for (const Layout &layout : layouts) {
    std::mt19937 engine(5);
    std::vector<int> A(16 * layout.k), B(layout.k * 8), C(16 * 8);
    for (std::vector<int> *matrix : {&A, &B, &C})
      for (int &value : *matrix)
        value = int(engine() % 7) - 3;
    bool integer = layout.elementBits == 8;
    if (llvm::StringRef(layout.type) == "u8")
      for (std::vector<int> *matrix : {&A, &B})
        for (int &value : *matrix)
          value = value < 0 ? 256 + value : value;
    unsigned perWord = 32 / layout.elementBits;
    unsigned aWords = 16 * layout.k / 32 / perWord;
    unsigned bWords = 8 * layout.k / 32 / perWord;
    unsigned cWords = layout.halfResult ? 2 : 4;
    unsigned words = aWords + bWords + cWords;
    std::vector<uint32_t> in(32 * words);
    auto encodeC = [&](int value) {
      return layout.halfResult ? encode("f16", value)
             : integer         ? uint32_t(value)
                               : encode("f32", value);
    };
    for (unsigned lane = 0; lane < 32; ++lane) {
      unsigned g = lane / 4, t = lane % 4;
      uint32_t *fragment = &in[lane * words];
      for (unsigned i = 0; i < aWords * perWord; ++i) {
        auto [row, k] = layout.a(g, t, i);
        fragment[i / perWord] |= encode(layout.type, A[row * layout.k + k])
                                 << (i % perWord * layout.elementBits);
      }
      for (unsigned i = 0; i < bWords * perWord; ++i)
        fragment[aWords + i / perWord] |=
            encode(layout.type, B[layout.b(t, i) * 8 + g])
            << (i % perWord * layout.elementBits);
      for (unsigned i = 0; i < 4; ++i) {
        unsigned row = i < 2 ? g : g + 8, column = 2 * t + (i & 1);
        unsigned word = layout.halfResult ? i / 2 : i;
        fragment[aWords + bWords + word] |=
            encodeC(C[row * 8 + column])
            << (layout.halfResult ? i % 2 * 16 : 0);
      }
    }
    std::string body = ".reg .b32 %x<16>, %y<4>;\n";
    for (unsigned i = 0; i < words; ++i)
      body += "ld.global.b32 %x" + std::to_string(i) + ", [%in+" +
              std::to_string(4 * i) + "];\n";
    body += std::string("mma.sync.aligned.") + layout.instruction + " " +
            registerList("y", 0, cWords) + ", " + registerList("x", 0, aWords) +
            ", " + registerList("x", aWords, bWords) + ", " +
            registerList("x", aWords + bWords, cWords) + ";\n";
    for (unsigned i = 0; i < cWords; ++i)
      body += "st.global.b32 [%out+" + std::to_string(4 * i) + "], %y" +
              std::to_string(i) + ";\n";
    auto out = run(body, cWords, in, 32);
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned i = 0; i < 4; ++i) {
        unsigned row = lane / 4 + (i < 2 ? 0 : 8);
        unsigned column = 2 * (lane % 4) + (i & 1);
        int expected = C[row * 8 + column];
        for (unsigned k = 0; k < layout.k; ++k)
          expected += A[row * layout.k + k] * B[k * 8 + column];
        uint32_t word = out[lane * cWords + (layout.halfResult ? i / 2 : i)];
        if (layout.halfResult)
          word = word >> (i % 2 * 16) & 0xffff;
        EXPECT_EQ(word, encodeC(expected))
            << layout.instruction << " lane " << lane << " element " << i;
      }
  }
}

/// f64 has one element of A and B a lane.
TEST(Mma, Double) {
  std::vector<uint64_t> in(32 * 4);
  std::mt19937 engine(5);
  double A[8][4], B[4][8], C[8][8];
  auto draw = [&] { return int(engine() % 1000) / 8.0; };
  for (unsigned lane = 0; lane < 32; ++lane) {
    unsigned g = lane / 4, t = lane % 4;
    const double values[] = {A[g][t] = draw(), B[t][g] = draw(),
                             C[g][2 * t] = draw(), C[g][2 * t + 1] = draw()};
    std::memcpy(&in[4 * lane], values, sizeof(values));
  }
  std::vector<uint32_t> words(256);
  std::memcpy(words.data(), in.data(), 1024);
  auto out = run(".reg .f64 %x<4>, %y<2>;\n"
                 "ld.global.v2.f64 {%x0, %x1}, [%in];\n"
                 "ld.global.v2.f64 {%x2, %x3}, [%in+16];\n"
                 "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%y0, %y1}, "
                 "{%x0}, {%x1}, {%x2, %x3};\n"
                 "st.global.v2.f64 [%out], {%y0, %y1};",
                 4, words, 32);
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < 2; ++i) {
      unsigned row = lane / 4, column = 2 * (lane % 4) + i;
      double expected = C[row][column], actual;
      for (unsigned k = 0; k < 4; ++k)
        expected += A[row][k] * B[k][column];
      std::memcpy(&actual, &out[4 * lane + 2 * i], 8);
      EXPECT_EQ(actual, expected) << lane;
    }
}

TEST(Mma, NeedsWholeWarp) {
  std::vector<Finding> found;
  run(".reg .b32 %x, %y<4>; .reg .pred %q; mov.b32 %x, 0;\n"
      "setp.lt.u32 %q, %lane, 16;\n"
      "@%q mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
      "{%y0, %y1, %y2, %y3}, {%x, %x}, {%x}, {%x, %x, %x, %x};\n"
      "st.global.b32 [%out], %x;",
      1, iota(32), 32, &found);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, FindingKind::DivergentWarp);
}

/// ldmatrix and stmatrix of four 8x8 matrices, plain and transposed: element
/// (row, column) of matrix m is m * 64 + row * 8 + column.
TEST(Ldmatrix, AllForms) {
  for (bool transposed : {false, true}) {
    std::string trans = transposed ? ".trans" : "";
    auto out = run(
        ".shared .align 16 .b8 tile[512];\n"
        ".reg .b32 %base, %s, %v, %w, %x<4>; .reg .b16 %h;\n"
        "mov.u32 %base, tile; shl.b32 %s, %lane, 4; add.u32 %s, %s, %base;\n"
        // Each lane writes its row of eight f16 from its input.
        "ld.global.v4.b32 {%x0, %x1, %x2, %x3}, [%in];\n"
        "st.shared.v4.b32 [%s], {%x0, %x1, %x2, %x3};\n"
        "bar.sync 0;\n"
        "ldmatrix.sync.aligned.m8n8.x4" +
            trans +
            ".shared.b16 {%x0, %x1, %x2, %x3}, [%s];\n"
            "st.global.v4.b32 [%out], {%x0, %x1, %x2, %x3};\n"
            "bar.sync 0;\n"
            "stmatrix.sync.aligned.m8n8.x4" +
            trans +
            ".shared.b16 [%s], {%x0, %x1, %x2, %x3};\n"
            "bar.sync 0;\n"
            "ld.shared.v4.b32 {%x0, %x1, %x2, %x3}, [%s];\n"
            "st.global.v4.b32 [%out+16], {%x0, %x1, %x2, %x3};\n",
        8,
        [] {
          std::vector<uint32_t> rows(32 * 4);
          for (unsigned i = 0; i < rows.size(); ++i)
            rows[i] = 2 * i | (2 * i + 1) << 16;
          return rows;
        }(),
        32);
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned m = 0; m < 4; ++m)
        for (unsigned e = 0; e < 2; ++e) {
          unsigned major = lane / 4, minor = 2 * (lane % 4) + e;
          unsigned row = transposed ? minor : major;
          unsigned column = transposed ? major : minor;
          EXPECT_EQ(out[lane * 8 + m] >> (16 * e) & 0xffff,
                    m * 64 + row * 8 + column);
        }
    // What stmatrix put back is what was there.
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned word = 0; word < 4; ++word)
        EXPECT_EQ(out[lane * 8 + 4 + word],
                  2 * (lane * 4 + word) | (2 * (lane * 4 + word) + 1) << 16);
  }
}

/// One and two matrices: only the first 8 or 16 lanes give addresses.
TEST(Ldmatrix, FewerMatrices) {
  for (unsigned count : {1u, 2u})
    for (bool transposed : {false, true}) {
      std::string form = ".sync.aligned.m8n8.x" + std::to_string(count) +
                         (transposed ? ".trans.shared.b16 " : ".shared.b16 ");
      std::string list = count == 1 ? "{%x0}" : "{%x0, %x1}";
      std::vector<uint32_t> rows(32 * 4);
      for (unsigned i = 0; i < rows.size(); ++i)
        rows[i] = 2 * i | (2 * i + 1) << 16;
      auto out = run(
          ".shared .align 16 .b8 tile[512]; .shared .align 16 .b8 back[512];\n"
          ".reg .b32 %s, %b, %f, %x<4>; .reg .pred %p;\n"
          "mov.u32 %f, tile; shl.b32 %s, %lane, 4; add.u32 %b, %s, %f;\n"
          "ld.global.v4.b32 {%x0, %x1, %x2, %x3}, [%in];\n"
          "st.shared.v4.b32 [%b], {%x0, %x1, %x2, %x3}; bar.sync 0;\n"
          "mov.u32 %x0, 0; mov.u32 %x1, 0;\n"
          // The addresses of the other lanes are not looked at.
          "setp.ge.u32 %p, %lane, " +
              std::to_string(8 * count) + "; @%p mov.u32 %b, 0xfffffff;\n" +
              "ldmatrix" + form + list + ", [%b];\n" +
              "st.global.b32 [%out], %x0; st.global.b32 [%out+4], %x1;\n" +
              "mov.u32 %f, back; add.u32 %b, %s, %f;\n" + "stmatrix" + form +
              "[%b], " + list + "; bar.sync 0;\n" + "mov.u32 %x0, 0; @!%p " +
              "ld.shared.b32 %x0, [%b+4]; st.global.b32 [%out+8], %x0;",
          3, rows, 32);
      for (unsigned lane = 0; lane < 32; ++lane) {
        for (unsigned m = 0; m < 2; ++m)
          for (unsigned e = 0; e < 2; ++e) {
            unsigned major = lane / 4, minor = 2 * (lane % 4) + e;
            unsigned row = transposed ? minor : major;
            unsigned column = transposed ? major : minor;
            EXPECT_EQ(out[lane * 3 + m] >> (16 * e) & 0xffff,
                      m < count ? m * 64 + row * 8 + column : 0);
          }
        EXPECT_EQ(out[lane * 3 + 2],
                  lane < 8 * count ? (8 * lane + 2) | (8 * lane + 3) << 16 : 0);
      }
    }
}

//===----------------------------------------------------------------------===//
// Barriers and divergence
//===----------------------------------------------------------------------===//

TEST(Barrier, Reductions) {
  auto out = run(".reg .b32 %c, %x, %y; .reg .pred %q, %r;\n"
                 "setp.lt.u32 %q, %t, 70;\n"
                 "bar.red.popc.u32 %c, 0, %q;\n"
                 "bar.red.and.pred %r, 0, %q; selp.u32 %x, 1, 0, %r;\n"
                 "barrier.cta.red.or.aligned.pred %r, 1, 96, !%q;\n"
                 "selp.u32 %y, 1, 0, %r; bar.red.or.pred %r, 0, %q;\n"
                 "@%r add.u32 %y, %y, 1;\n"
                 "barrier.cta.red.popc.aligned.u32 %c, 0, %q;\n"
                 "st.global.b32 [%out], %c; st.global.b32 [%out+4], %x;\n"
                 "st.global.b32 [%out+8], %y;",
                 3, iota(96), 96);
  for (unsigned thread = 0; thread < 96; ++thread) {
    EXPECT_EQ(out[3 * thread], 70u);
    EXPECT_EQ(out[3 * thread + 1], 0u);
    EXPECT_EQ(out[3 * thread + 2], 2u);
  }
}

/// Warp 1 produces for warp 0 through a named barrier: arrive and sync.
TEST(Barrier, ProducerConsumer) {
  auto out = run(".shared .align 4 .b8 s[128]; .reg .pred %q;\n"
                 ".reg .b32 %p, %v; mov.u32 %p, s; shl.b32 %v, %lane, 2;\n"
                 "add.u32 %p, %p, %v; mov.u32 %v, 0;\n"
                 "setp.ge.u32 %q, %t, 32; @%q bra $PRODUCE;\n"
                 "bar.sync 1, 64; ld.shared.b32 %v, [%p]; bra $END;\n"
                 "$PRODUCE: st.shared.b32 [%p], %t; bar.arrive 1, 64;\n"
                 "$END: st.global.b32 [%out], %v;",
                 1, iota(64), 64);
  for (unsigned lane = 0; lane < 32; ++lane)
    EXPECT_EQ(out[lane], 32 + lane);
}

TEST(Barrier, MismatchIsADeadlock) {
  std::vector<Finding> found;
  run(".reg .pred %q; setp.ge.u32 %q, %t, 32; @%q bra $B;\n"
      "bar.sync 1, 64; bra $END;\n$B: bar.sync 2, 64;\n$END:\n"
      "st.global.b32 [%out], %t;",
      1, iota(64), 64, &found);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, FindingKind::Deadlock);
}

TEST(Barrier, InDivergentCode) {
  std::vector<Finding> found;
  run(".reg .pred %q; setp.lt.u32 %q, %lane, 7; @%q bra $B;\n"
      "bar.sync 0; bra $END;\n$B: bar.sync 0;\n$END:\n"
      "st.global.b32 [%out], %t;",
      1, iota(32), 32, &found);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, FindingKind::DivergentBarrier);
}

/// A loop whose trip count differs from lane to lane, with a shuffle after it.
TEST(Divergence, LoopsReconverge) {
  auto out = run(".reg .b32 %n, %s, %i; .reg .pred %q;\n"
                 "mov.u32 %s, 0; mov.u32 %i, 0; and.b32 %n, %lane, 5;\n"
                 "$LOOP: setp.ge.u32 %q, %i, %n; @%q bra $DONE;\n"
                 "add.u32 %i, %i, 1; add.u32 %s, %s, %i; bra $LOOP;\n"
                 "$DONE: shfl.sync.bfly.b32 %s, %s, 1, 31, -1;\n"
                 "st.global.b32 [%out], %s;",
                 1, iota(32), 32);
  for (unsigned lane = 0; lane < 32; ++lane) {
    unsigned n = (lane ^ 1) & 5;
    EXPECT_EQ(out[lane], n * (n + 1) / 2);
  }
}

TEST(Divergence, BranchTable) {
  auto out = run(".reg .b32 %n, %s; and.b32 %n, %lane, 3;\n"
                 "brx.idx %n, $TABLE;\n"
                 "$TABLE: .branchtargets $A, $B, $C, $A;\n"
                 "$A: mov.u32 %s, 1; bra $END;\n"
                 "$B: mov.u32 %s, 2; bra $END;\n"
                 "$C: mov.u32 %s, 3;\n"
                 "$END: st.global.b32 [%out], %s;",
                 1, iota(32), 32);
  const unsigned expected[] = {1, 2, 3, 1};
  for (unsigned lane = 0; lane < 32; ++lane)
    EXPECT_EQ(out[lane], expected[lane % 4]);
}

/// A shuffle on both sides of a branch, each with the mask of its side.
TEST(Divergence, PartialMasks) {
  auto out = run(".reg .b32 %s; .reg .pred %q; setp.lt.u32 %q, %lane, 16;\n"
                 "@%q bra $LOW;\n"
                 "shfl.sync.idx.b32 %s, %lane, 20, 31, 0xffff0000; bra $END;\n"
                 "$LOW: shfl.sync.idx.b32 %s, %lane, 4, 31, 0x0000ffff;\n"
                 "$END: bar.warp.sync -1; st.global.b32 [%out], %s;",
                 1, iota(32), 32);
  for (unsigned lane = 0; lane < 32; ++lane)
    EXPECT_EQ(out[lane], lane < 16 ? 4u : 20u);
}

TEST(Divergence, ActiveMask) {
  auto out = run(".reg .b32 %s; .reg .pred %q; setp.lt.u32 %q, %lane, 4;\n"
                 "mov.u32 %s, 0; @%q activemask.b32 %s;\n"
                 "st.global.b32 [%out], %s;",
                 1, iota(32), 32);
  for (unsigned lane = 0; lane < 32; ++lane)
    EXPECT_EQ(out[lane], lane < 4 ? 0xfu : 0u);
}

} // namespace
