//===- IntegerTest.cpp - Integer and bit instructions ---------------------===//
//
// Against LLVM's APInt and plain loops over bits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InstructionTestUtils.h"

#include "llvm/ADT/APInt.h"

using namespace prism;
using llvm::APInt;

namespace {

APInt make(unsigned bits, uint64_t value) {
  return APInt(bits, value, false, true);
}

struct Shape {
  const char *type;
  unsigned width;
  bool isSigned;
};
const Shape shapes[] = {{"u16", 2, false}, {"s16", 2, true},  {"u32", 4, false},
                        {"s32", 4, true},  {"u64", 8, false}, {"s64", 8, true}};

using Binary = std::function<APInt(const APInt &, const APInt &, bool)>;

void checkBinary(const std::string &name, const Binary &reference) {
  for (const Shape &shape : shapes) {
    unsigned bits = 8 * shape.width;
    check(name + "." + shape.type + " %d, %a, %b;",
          {shape.width, shape.width, shape.width}, integers(),
          [&](uint64_t a, uint64_t b, uint64_t) {
            return reference(make(bits, a), make(bits, b), shape.isSigned)
                .getZExtValue();
          });
  }
}

TEST(Integer, AddSub) {
  checkBinary("add",
              [](const APInt &a, const APInt &b, bool) { return a + b; });
  checkBinary("sub",
              [](const APInt &a, const APInt &b, bool) { return a - b; });
}

TEST(Integer, MulLoHi) {
  checkBinary("mul.lo",
              [](const APInt &a, const APInt &b, bool) { return a * b; });
  checkBinary("mul.hi", [](const APInt &a, const APInt &b, bool isSigned) {
    return isSigned ? llvm::APIntOps::mulhs(a, b) : llvm::APIntOps::mulhu(a, b);
  });
}

TEST(Integer, DivRem) {
  checkBinary("div", [](const APInt &a, const APInt &b, bool isSigned) {
    if (b.isZero())
      return APInt::getAllOnes(a.getBitWidth());
    return isSigned ? a.sdiv(b) : a.udiv(b);
  });
  checkBinary("rem", [](const APInt &a, const APInt &b, bool isSigned) {
    if (b.isZero())
      return a;
    return isSigned ? a.srem(b) : a.urem(b);
  });
}

TEST(Integer, MinMax) {
  checkBinary("min", [](const APInt &a, const APInt &b, bool isSigned) {
    return isSigned ? llvm::APIntOps::smin(a, b) : llvm::APIntOps::umin(a, b);
  });
  checkBinary("max", [](const APInt &a, const APInt &b, bool isSigned) {
    return isSigned ? llvm::APIntOps::smax(a, b) : llvm::APIntOps::umax(a, b);
  });
}

TEST(Integer, Products24) {
  for (bool isSigned : {false, true}) {
    const std::string type = isSigned ? "s32" : "u32";
    auto narrow = [=](uint64_t a) {
      APInt low(24, a, false, true);
      return isSigned ? low.sext(48) : low.zext(48);
    };
    check("mul24.lo." + type + " %d, %a, %b;", {4, 4, 4}, integers(),
          [&](uint64_t a, uint64_t b, uint64_t) {
            return (narrow(a) * narrow(b)).trunc(32).getZExtValue();
          });
    check("mad24.lo." + type + " %d, %a, %b, %c;", {4, 4, 4, 4}, integers(),
          [&](uint64_t a, uint64_t b, uint64_t c) {
            return ((narrow(a) * narrow(b)).trunc(32) + make(32, c))
                .getZExtValue();
          });
  }
}

TEST(Integer, WideProducts) {
  for (const Shape &shape : shapes) {
    if (shape.width == 8)
      continue;
    unsigned bits = 8 * shape.width;
    auto wide = [&](uint64_t value) {
      APInt narrow = make(bits, value);
      return shape.isSigned ? narrow.sext(2 * bits) : narrow.zext(2 * bits);
    };
    std::string type = shape.type;
    check("mul.wide." + type + " %d, %a, %b;",
          {2 * shape.width, shape.width, shape.width}, integers(),
          [&](uint64_t a, uint64_t b, uint64_t) {
            return (wide(a) * wide(b)).getZExtValue();
          });
    check("mad.wide." + type + " %d, %a, %b, %c;",
          {2 * shape.width, shape.width, shape.width, 2 * shape.width},
          integers(), [&](uint64_t a, uint64_t b, uint64_t c) {
            return (wide(a) * wide(b) + make(2 * bits, c)).getZExtValue();
          });
  }
}

TEST(Integer, MadLoHi) {
  for (const Shape &shape : shapes) {
    unsigned bits = 8 * shape.width;
    Widths widths{shape.width, shape.width, shape.width, shape.width};
    check(
        std::string("mad.lo.") + shape.type + " %d, %a, %b, %c;", widths,
        integers(), [&](uint64_t a, uint64_t b, uint64_t c) {
          return (make(bits, a) * make(bits, b) + make(bits, c)).getZExtValue();
        });
    check(std::string("mad.hi.") + shape.type + " %d, %a, %b, %c;", widths,
          integers(), [&](uint64_t a, uint64_t b, uint64_t c) {
            APInt x = make(bits, a), y = make(bits, b);
            APInt high = shape.isSigned ? llvm::APIntOps::mulhs(x, y)
                                        : llvm::APIntOps::mulhu(x, y);
            return (high + make(bits, c)).getZExtValue();
          });
  }
}

TEST(Integer, AbsNegSad) {
  for (const Shape &shape : shapes) {
    unsigned bits = 8 * shape.width;
    std::string type = shape.type;
    check("sad." + type + " %d, %a, %b, %c;",
          {shape.width, shape.width, shape.width, shape.width}, integers(),
          [&](uint64_t a, uint64_t b, uint64_t c) {
            APInt x = make(bits, a), y = make(bits, b);
            bool less = shape.isSigned ? x.slt(y) : x.ult(y);
            return (make(bits, c) + (less ? y - x : x - y)).getZExtValue();
          });
    if (!shape.isSigned)
      continue;
    check("abs." + type + " %d, %a;", {shape.width, shape.width}, integers(),
          [&](uint64_t a, uint64_t, uint64_t) {
            return make(bits, a).abs().getZExtValue();
          });
    check("neg." + type + " %d, %a;", {shape.width, shape.width}, integers(),
          [](uint64_t a, uint64_t, uint64_t) { return -a; });
  }
}

TEST(Integer, Saturating) {
  check("add.sat.s32 %d, %a, %b;", {4, 4, 4}, integers(),
        [](uint64_t a, uint64_t b, uint64_t) {
          return make(32, a).sadd_sat(make(32, b)).getZExtValue();
        });
  check("sub.sat.s32 %d, %a, %b;", {4, 4, 4}, integers(),
        [](uint64_t a, uint64_t b, uint64_t) {
          return make(32, a).ssub_sat(make(32, b)).getZExtValue();
        });
}

/// A 64-bit sum and difference in two 32-bit halves.
TEST(Integer, CarryChain) {
  const std::string split = ".reg .b32 %x, %y, %z, %w;\n"
                            "mov.b64 {%x, %y}, %a; mov.b64 {%z, %w}, %b;\n";
  check(split + "add.cc.u32 %x, %x, %z; addc.u32 %y, %y, %w;\n"
                "mov.b64 %d, {%x, %y};",
        {8, 8, 8}, integers(),
        [](uint64_t a, uint64_t b, uint64_t) { return a + b; });
  check(split + "sub.cc.u32 %x, %x, %z; subc.u32 %y, %y, %w;\n"
                "mov.b64 %d, {%x, %y};",
        {8, 8, 8}, integers(),
        [](uint64_t a, uint64_t b, uint64_t) { return a - b; });
}

/// Carries go through a limb in the middle, and there are 64-bit limbs.
TEST(Integer, LongCarryChains) {
  for (unsigned width : {4u, 8u}) {
    unsigned bits = 8 * width;
    std::string n = std::to_string(bits);
    // b and c are two limbs of a number that a is taken from or added to.
    for (bool adds : {true, false}) {
      std::string op = adds ? "add" : "sub";
      std::string text = ".reg .b" + n + " %x, %y;\n" + op + ".cc.u" + n +
                         " %x, %b, %a; " + op + "c.cc.u" + n + " %y, %c, %b; " +
                         op + "c.u" + n + " %d, %a, %c;";
      check(text, {width, width, width, width}, integers(),
            [&](uint64_t a, uint64_t b, uint64_t c) {
              auto limbs = [&](uint64_t lo, uint64_t mid, uint64_t hi) {
                return make(bits, lo).zext(3 * bits) |
                       make(bits, mid).zext(3 * bits).shl(bits) |
                       make(bits, hi).zext(3 * bits).shl(2 * bits);
              };
              APInt left = limbs(b, c, a), right = limbs(a, b, c);
              APInt result = adds ? left + right : left - right;
              return result.extractBitsAsZExtValue(bits, 2 * bits);
            });
    }
  }
}

TEST(Integer, DotProduct) {
  for (bool signedA : {false, true})
    for (bool signedB : {false, true})
      check(std::string("dp4a.") + (signedA ? "s32." : "u32.") +
                (signedB ? "s32" : "u32") + " %d, %a, %b, %c;",
            {4, 4, 4, 4}, integers(), [&](uint64_t a, uint64_t b, uint64_t c) {
              auto part = [](uint64_t value, unsigned byte, bool isSigned) {
                uint8_t bits = value >> 8 * byte;
                return isSigned ? int64_t(int8_t(bits)) : int64_t(bits);
              };
              int64_t sum = int32_t(c);
              for (unsigned byte = 0; byte < 4; ++byte)
                sum += part(a, byte, signedA) * part(b, byte, signedB);
              return uint64_t(sum);
            });
}

TEST(Bits, Logic) {
  for (unsigned width : {2u, 4u, 8u}) {
    std::string type = ".b" + std::to_string(8 * width);
    Widths widths{width, width, width};
    check("and" + type + " %d, %a, %b;", widths, integers(),
          [](uint64_t a, uint64_t b, uint64_t) { return a & b; });
    check("or" + type + " %d, %a, %b;", widths, integers(),
          [](uint64_t a, uint64_t b, uint64_t) { return a | b; });
    check("xor" + type + " %d, %a, %b;", widths, integers(),
          [](uint64_t a, uint64_t b, uint64_t) { return a ^ b; });
    check("not" + type + " %d, %a;", {width, width}, integers(),
          [](uint64_t a, uint64_t, uint64_t) { return ~a; });
    check("cnot" + type + " %d, %a;", {width, width}, integers(),
          [](uint64_t a, uint64_t, uint64_t) { return uint64_t(a == 0); });
  }
}

TEST(Bits, Shifts) {
  for (unsigned width : {2u, 4u, 8u}) {
    unsigned bits = 8 * width;
    std::string n = std::to_string(bits);
    check(
        "shl.b" + n + " %d, %a, %b;", {width, width, 4}, integers(),
        [&](uint64_t a, uint64_t b, uint64_t) {
          return make(bits, a).shl(std::min<uint64_t>(b, bits)).getZExtValue();
        });
    check(
        "shr.u" + n + " %d, %a, %b;", {width, width, 4}, integers(),
        [&](uint64_t a, uint64_t b, uint64_t) {
          return make(bits, a).lshr(std::min<uint64_t>(b, bits)).getZExtValue();
        });
    check(
        "shr.s" + n + " %d, %a, %b;", {width, width, 4}, integers(),
        [&](uint64_t a, uint64_t b, uint64_t) {
          return make(bits, a).ashr(std::min<uint64_t>(b, bits)).getZExtValue();
        });
  }
}

TEST(Bits, FunnelShift) {
  auto both = [](uint64_t a, uint64_t b) { return make(64, a | b << 32); };
  check("shf.l.wrap.b32 %d, %a, %b, %c;", {4, 4, 4, 4}, integers(),
        [&](uint64_t a, uint64_t b, uint64_t c) {
          return both(a, b).shl(c & 31).lshr(32).getZExtValue();
        });
  check("shf.l.clamp.b32 %d, %a, %b, %c;", {4, 4, 4, 4}, integers(),
        [&](uint64_t a, uint64_t b, uint64_t c) {
          return both(a, b)
              .shl(std::min<uint64_t>(c, 32))
              .lshr(32)
              .getZExtValue();
        });
  check("shf.r.wrap.b32 %d, %a, %b, %c;", {4, 4, 4, 4}, integers(),
        [&](uint64_t a, uint64_t b, uint64_t c) {
          return both(a, b).lshr(c & 31).getZExtValue();
        });
  check("shf.r.clamp.b32 %d, %a, %b, %c;", {4, 4, 4, 4}, integers(),
        [&](uint64_t a, uint64_t b, uint64_t c) {
          return both(a, b).lshr(std::min<uint64_t>(c, 32)).getZExtValue();
        });
}

TEST(Bits, Counts) {
  for (unsigned width : {4u, 8u}) {
    unsigned bits = 8 * width;
    std::string n = std::to_string(bits);
    check("popc.b" + n + " %d, %a;", {4, width}, integers(),
          [&](uint64_t a, uint64_t, uint64_t) {
            return uint64_t(make(bits, a).popcount());
          });
    check("clz.b" + n + " %d, %a;", {4, width}, integers(),
          [&](uint64_t a, uint64_t, uint64_t) {
            return uint64_t(make(bits, a).countl_zero());
          });
    check("brev.b" + n + " %d, %a;", {width, width}, integers(),
          [&](uint64_t a, uint64_t, uint64_t) {
            return make(bits, a).reverseBits().getZExtValue();
          });
    check("bfind.u" + n + " %d, %a;", {4, width}, integers(),
          [&](uint64_t a, uint64_t, uint64_t) {
            return uint64_t(int64_t(make(bits, a).getActiveBits()) - 1);
          });
    check("bfind.s" + n + " %d, %a;", {4, width}, integers(),
          [&](uint64_t a, uint64_t, uint64_t) {
            APInt x = make(bits, a);
            return uint64_t(int64_t((x.isNegative() ? ~x : x).getActiveBits()) -
                            1);
          });
    // The shift that brings the bit to the top; -1 where there is none.
    for (bool isSigned : {false, true})
      check(std::string("bfind.shiftamt.") + (isSigned ? "s" : "u") + n +
                " %d, %a;",
            {4, width}, integers(), [&](uint64_t a, uint64_t, uint64_t) {
              APInt x = make(bits, a);
              unsigned active =
                  (isSigned && x.isNegative() ? ~x : x).getActiveBits();
              return active ? uint64_t(bits - active) : ~uint64_t(0);
            });
  }
}

/// The definition in the PTX manual, bit by bit.
uint64_t extractField(unsigned bits, bool isSigned, uint64_t a, uint64_t b,
                      uint64_t c) {
  unsigned msb = bits - 1, pos = b & 0xff, len = c & 0xff;
  auto bit = [&](unsigned i) { return a >> i & 1; };
  uint64_t sign = !isSigned || len == 0 ? 0 : bit(std::min(pos + len - 1, msb));
  uint64_t d = 0;
  for (unsigned i = 0; i <= msb; ++i)
    d |= (i < len && pos + i <= msb ? bit(pos + i) : sign) << i;
  return d;
}

TEST(Bits, Fields) {
  for (unsigned width : {4u, 8u}) {
    unsigned bits = 8 * width;
    std::string n = std::to_string(bits);
    for (bool isSigned : {false, true})
      check(std::string("bfe.") + (isSigned ? "s" : "u") + n +
                " %d, %a, %b, %c;",
            {width, width, 4, 4}, integers(),
            [&](uint64_t a, uint64_t b, uint64_t c) {
              return extractField(bits, isSigned, a, b, c);
            });
    for (unsigned length : {0u, 1u, 5u, 31u, 32u, 40u, 64u})
      check("bfi.b" + n + " %d, %a, %b, %c, " + std::to_string(length) + ";",
            {width, width, width, 4}, integers(),
            [&](uint64_t a, uint64_t b, uint64_t c) {
              unsigned pos = c & 0xff;
              for (unsigned i = 0; i < length && pos + i < bits; ++i) {
                b &= ~(uint64_t(1) << (pos + i));
                b |= (a >> i & 1) << (pos + i);
              }
              return b;
            });
  }
}

TEST(Bits, Permute) {
  auto reference = [](uint64_t a, uint64_t b, uint64_t c) {
    uint64_t bytes = a | b << 32, d = 0;
    for (unsigned i = 0; i < 4; ++i) {
      unsigned selector = c >> (4 * i) & 15;
      uint64_t byte = bytes >> (8 * (selector % 8)) & 255;
      if (selector >= 8)
        byte = byte >= 128 ? 255 : 0;
      d |= byte << (8 * i);
    }
    return d;
  };
  check("prmt.b32 %d, %a, %b, %c;", {4, 4, 4, 4}, integers(), reference);
  check("prmt.b32.f4e %d, %a, %b, %c;", {4, 4, 4, 4}, integers(),
        [](uint64_t a, uint64_t b, uint64_t c) {
          return (a | b << 32) >> 8 * (c & 3);
        });
  check("prmt.b32.rc8 %d, %a, %b, %c;", {4, 4, 4, 4}, integers(),
        [](uint64_t a, uint64_t, uint64_t c) {
          return (a >> 8 * (c & 3) & 255) * 0x01010101;
        });
  check("prmt.b32.b4e %d, %a, %b, %c;", {4, 4, 4, 4}, integers(),
        [](uint64_t a, uint64_t b, uint64_t c) {
          // The four bytes that end at byte c, backwards and around.
          uint64_t bytes = a | b << 32, d = 0;
          for (unsigned i = 0; i < 4; ++i)
            d |= (bytes >> 8 * ((c & 3) + 8 - i) % 64 & 255) << 8 * i;
          return d;
        });
  check("prmt.b32.ecl %d, %a, %b, %c;", {4, 4, 4, 4}, integers(),
        [](uint64_t a, uint64_t, uint64_t c) {
          uint64_t d = 0;
          for (unsigned i = 0; i < 4; ++i)
            d |= (a >> 8 * std::max<unsigned>(i, c & 3) & 255) << 8 * i;
          return d;
        });
  check("prmt.b32.ecr %d, %a, %b, %c;", {4, 4, 4, 4}, integers(),
        [](uint64_t a, uint64_t, uint64_t c) {
          uint64_t d = 0;
          for (unsigned i = 0; i < 4; ++i)
            d |= (a >> 8 * std::min<unsigned>(i, c & 3) & 255) << 8 * i;
          return d;
        });
  check("prmt.b32.rc16 %d, %a, %b, %c;", {4, 4, 4, 4}, integers(),
        [](uint64_t a, uint64_t, uint64_t c) {
          return (a >> 16 * (c & 1) & 0xffff) * 0x00010001;
        });
}

TEST(Bits, Lop3) {
  check("lop3.b32 %d, %a, %b, %c, 0x96;", {4, 4, 4, 4}, integers(),
        [](uint64_t a, uint64_t b, uint64_t c) { return a ^ b ^ c; });
  check("lop3.b32 %d, %a, %b, %c, 0xea;", {4, 4, 4, 4}, integers(),
        [](uint64_t a, uint64_t b, uint64_t c) { return (a & b) | c; });
  check("lop3.b32 %d, %a, %b, %c, 0xca;", {4, 4, 4, 4}, integers(),
        [](uint64_t a, uint64_t b, uint64_t c) { return (a & b) | (~a & c); });
}

TEST(Compare, Integers) {
  const std::pair<const char *, std::function<bool(APInt, APInt, bool)>>
      table[] = {
          {"eq", [](APInt a, APInt b, bool) { return a == b; }},
          {"ne", [](APInt a, APInt b, bool) { return a != b; }},
          {"lt",
           [](APInt a, APInt b, bool s) { return s ? a.slt(b) : a.ult(b); }},
          {"le",
           [](APInt a, APInt b, bool s) { return s ? a.sle(b) : a.ule(b); }},
          {"gt",
           [](APInt a, APInt b, bool s) { return s ? a.sgt(b) : a.ugt(b); }},
          {"ge",
           [](APInt a, APInt b, bool s) { return s ? a.sge(b) : a.uge(b); }},
      };
  for (const Shape &shape : shapes)
    for (const auto &[name, compare] : table) {
      auto reference = [&, fn = compare](uint64_t a, uint64_t b, uint64_t) {
        return uint64_t(fn(make(8 * shape.width, a), make(8 * shape.width, b),
                           shape.isSigned));
      };
      check(std::string(".reg .pred %q; setp.") + name + "." + shape.type +
                " %q, %a, %b; selp.u32 %d, 1, 0, %q;",
            {4, shape.width, shape.width}, integers(), reference);
    }
}

TEST(Compare, PredicatesAndPairs) {
  check(".reg .pred %u, %q, %r; setp.lt.u32 %u, %a, 100;\n"
        "setp.gt.and.s32 %q|%r, %a, %b, %u;\n"
        ".reg .b32 %x; selp.u32 %d, 1, 0, %q; selp.u32 %x, 2, 0, %r;\n"
        "or.b32 %d, %d, %x; not.pred %q, %q; xor.pred %q, %q, %r;\n"
        "selp.u32 %x, 4, 0, %q; or.b32 %d, %d, %x;",
        {4, 4, 4}, integers(), [](uint64_t a, uint64_t b, uint64_t) {
          bool p = a<100, greater = int32_t(a)> int32_t(b);
          bool q = greater && p, r = !greater && p;
          return uint64_t(q | r << 1 | (!q != r) << 2);
        });
}

/// The names of comparisons that only unsigned integers have.
TEST(Compare, UnsignedNames) {
  for (unsigned width : {2u, 4u, 8u})
    for (auto [name, less, equal] : {std::make_tuple("lo", true, false),
                                     {"ls", true, true},
                                     {"hi", false, false},
                                     {"hs", false, true}})
      check(std::string(".reg .pred %q; setp.") + name + ".u" +
                std::to_string(8 * width) +
                " %q, %a, %b; selp.u32 %d, 1, 0, %q;",
            {4, width, width}, integers(),
            [&, isLess = less, orEqual = equal](uint64_t a, uint64_t b,
                                                uint64_t) {
              return uint64_t(a == b ? orEqual : (a < b) == isLess);
            });
}

/// or and xor with a third predicate, on both results.
TEST(Compare, Combinations) {
  for (const char *name : {"and", "or", "xor"})
    check(std::string(".reg .pred %u, %q, %r; setp.ne.s32 %u, %c, 0;\n"
                      "setp.le.") +
              name +
              ".s32 %q|%r, %a, %b, %u;\n.reg .b32 %x; selp.u32 %d, 1, 0, %q; "
              "selp.u32 %x, 2, 0, %r; or.b32 %d, %d, %x;",
          {4, 4, 4, 4}, integers(), [&](uint64_t a, uint64_t b, uint64_t c) {
            bool p = int32_t(a) <= int32_t(b), third = c != 0;
            auto combine = [&](bool x) {
              return name[0] == 'a'   ? x && third
                     : name[0] == 'o' ? x || third
                                      : x != third;
            };
            return uint64_t(combine(p) | combine(!p) << 1);
          });
}

TEST(Compare, LogicOfPredicates) {
  for (const char *name : {"and", "or", "xor"})
    check(std::string(".reg .pred %q, %r; setp.lt.u32 %q, %a, 100;\n"
                      "setp.lt.u32 %r, %b, 100; ") +
              name +
              ".pred %q, %q, %r; mov.pred %r, %q;\n"
              "selp.u32 %d, 1, 0, %r;",
          {4, 4, 4}, integers(), [&](uint64_t a, uint64_t b, uint64_t) {
            bool x = a < 100, y = b < 100;
            return uint64_t(name[0] == 'a'   ? x && y
                            : name[0] == 'o' ? x || y
                                             : x != y);
          });
}

TEST(Compare, SelectionsOfEveryWidth) {
  for (unsigned width : {2u, 4u, 8u})
    for (char kind : {'b', 'u', 's', 'f'}) {
      std::string type = "." + (kind + std::to_string(8 * width));
      Widths widths{width, width, width, 4};
      check(".reg .pred %q; setp.lt.u32 %q, %c, 100; selp" + type +
                " %d, %a, %b, %q;",
            widths, integers(),
            [](uint64_t a, uint64_t b, uint64_t c) { return c < 100 ? a : b; });
      check("slct" + type + ".s32 %d, %a, %b, %c;", widths, integers(),
            [](uint64_t a, uint64_t b, uint64_t c) {
              return int32_t(c) >= 0 ? a : b;
            });
      check("slct" + type + ".f32 %d, %a, %b, %c;", widths, integers(),
            [](uint64_t a, uint64_t b, uint64_t c) {
              llvm::APFloat x(llvm::APFloat::IEEEsingle(), make(32, c));
              return !x.isNaN() && (x.isZero() || !x.isNegative()) ? a : b;
            });
    }
}

TEST(Compare, SetAndSlct) {
  check("set.le.u32.s32 %d, %a, %b;", {4, 4, 4}, integers(),
        [](uint64_t a, uint64_t b, uint64_t) {
          return int32_t(a) <= int32_t(b) ? ~uint64_t(0) : 0;
        });
  check("slct.b32.s32 %d, %a, %b, %c;", {4, 4, 4, 4}, integers(),
        [](uint64_t a, uint64_t b, uint64_t c) {
          return int32_t(c) >= 0 ? a : b;
        });
}

} // namespace
