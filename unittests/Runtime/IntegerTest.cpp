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
  check("abs.s32 %d, %a;", {4, 4}, integers(),
        [](uint64_t a, uint64_t, uint64_t) {
          return make(32, a).abs().getZExtValue();
        });
  check("neg.s64 %d, %a;", {8, 8}, integers(),
        [](uint64_t a, uint64_t, uint64_t) { return -a; });
  check("sad.s32 %d, %a, %b, %c;", {4, 4, 4, 4}, integers(),
        [](uint64_t a, uint64_t b, uint64_t c) {
          APInt x = make(32, a), y = make(32, b);
          return (make(32, c) + (x.slt(y) ? y - x : x - y)).getZExtValue();
        });
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

TEST(Integer, DotProduct) {
  check("dp4a.s32.u32 %d, %a, %b, %c;", {4, 4, 4, 4}, integers(),
        [](uint64_t a, uint64_t b, uint64_t c) {
          int64_t sum = int32_t(c);
          for (unsigned byte = 0; byte < 4; ++byte)
            sum += int64_t(int8_t(a >> 8 * byte)) * uint8_t(b >> 8 * byte);
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
