//===- FloatTest.cpp - Floating-point instructions ------------------------===//
//
// Exactly rounded instructions against LLVM's APFloat, which shares no code
// with the device; approximations against the host's mathematics.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatTestUtils.h"

#include "llvm/ADT/bit.h"

#include <cmath>

using namespace prism;

TEST(Float, AddSubMul) {
  checkFloat("add.rn", "%d, %a, %b", 2, add);
  checkFloat("sub.rn", "%d, %a, %b", 2, subtract);
  checkFloat("mul.rn", "%d, %a, %b", 2, multiply);
}

TEST(Float, Fma) { checkFloat("fma.rn", "%d, %a, %b, %c", 3, fuse); }

TEST(Float, DirectedRounding) {
  for (auto [name, mode] : {std::make_pair("rz", APFloat::rmTowardZero),
                            {"rm", APFloat::rmTowardNegative},
                            {"rp", APFloat::rmTowardPositive}}) {
    auto rounding = mode;
    checkFloat(std::string("fma.") + name, "%d, %a, %b, %c", 3,
               [=](APFloat a, const APFloat &b, const APFloat &c) {
                 a.fusedMultiplyAdd(b, c, rounding);
                 return a;
               },
               {2});
    checkFloat(std::string("add.") + name, "%d, %a, %b", 2,
               [=](APFloat a, const APFloat &b, const APFloat &) {
                 a.add(b, rounding);
                 return a;
               },
               {2});
    checkFloat(std::string("sub.") + name, "%d, %a, %b", 2,
               [=](APFloat a, const APFloat &b, const APFloat &) {
                 a.subtract(b, rounding);
                 return a;
               },
               {2});
    checkFloat(std::string("mul.") + name, "%d, %a, %b", 2,
               [=](APFloat a, const APFloat &b, const APFloat &) {
                 a.multiply(b, rounding);
                 return a;
               },
               {2});
  }
}

TEST(Float, SquareRoots) {
  // IEEE 754 demands exact rounding of the host, too.
  const Format &f64 = formats[3], &f32 = formats[2];
  check(
      "sqrt.rn.f64 %d, %a;", {8, 8}, floats(f64),
      [](uint64_t a, uint64_t, uint64_t) {
        return llvm::bit_cast<uint64_t>(std::sqrt(llvm::bit_cast<double>(a)));
      },
      equalFloats(f64));
  check(
      "sqrt.rn.f32 %d, %a;", {4, 4}, floats(f32),
      [](uint64_t a, uint64_t, uint64_t) {
        return uint64_t(llvm::bit_cast<uint32_t>(
            std::sqrt(llvm::bit_cast<float>(uint32_t(a)))));
      },
      equalFloats(f32));
}

TEST(Float, Divide) {
  auto divide = [](APFloat a, const APFloat &b, const APFloat &) {
    a.divide(b, nearest);
    return a;
  };
  checkFloat("div.rn", "%d, %a, %b", 2, divide, {2, 3});
  checkFloat("rcp.rn", "%d, %a", 1,
             [&](APFloat a, const APFloat &, const APFloat &) {
               return divide(APFloat::getOne(a.getSemantics()), a, a);
             },
             {2, 3});
}

TEST(Float, MinMax) {
  auto minimum = [](APFloat a, const APFloat &b, const APFloat &) {
    return llvm::minimumnum(a, b);
  };
  auto maximum = [](APFloat a, const APFloat &b, const APFloat &) {
    return llvm::maximumnum(a, b);
  };
  checkFloat("min", "%d, %a, %b", 2, minimum);
  checkFloat("max", "%d, %a, %b", 2, maximum);
  checkFloat("min.NaN", "%d, %a, %b", 2,
             [](APFloat a, const APFloat &b, const APFloat &) {
               return llvm::minimum(a, b);
             },
             {0, 1, 2});
  checkFloat("max.NaN", "%d, %a, %b", 2,
             [](APFloat a, const APFloat &b, const APFloat &) {
               return llvm::maximum(a, b);
             },
             {0, 1, 2});
}

/// f32 alone has three operands.
TEST(Float, MinMaxOfThree) {
  checkFloat("min", "%d, %a, %b, %c", 3,
             [](APFloat a, const APFloat &b, const APFloat &c) {
               return llvm::minimumnum(llvm::minimumnum(a, b), c);
             },
             {2});
  checkFloat("max.NaN", "%d, %a, %b, %c", 3,
             [](APFloat a, const APFloat &b, const APFloat &c) {
               return llvm::maximum(llvm::maximum(a, b), c);
             },
             {2});
}

TEST(Float, AbsNeg) {
  checkFloat("abs", "%d, %a", 1,
             [](APFloat a, const APFloat &, const APFloat &) {
               a.clearSign();
               return a;
             });
  checkFloat("neg", "%d, %a", 1,
             [](APFloat a, const APFloat &, const APFloat &) {
               a.changeSign();
               return a;
             });
}

/// Two f32 at once (sm_100 and later).
TEST(Float, PairsOfF32) {
  Pairs pairs = {formats[2]};
  auto inputs = pairs.inputs();
  check("fma.rn.f32x2 %d, %a, %b, %c;", {8, 8, 8, 8}, inputs, pairs.both(fuse),
        pairs.equal());
  check("add.rn.f32x2 %d, %a, %b;", {8, 8, 8}, inputs, pairs.both(add),
        pairs.equal());
  check("sub.rn.f32x2 %d, %a, %b;", {8, 8, 8}, inputs, pairs.both(subtract),
        pairs.equal());
  check("mul.rn.f32x2 %d, %a, %b;", {8, 8, 8}, inputs, pairs.both(multiply),
        pairs.equal());
}

/// Sums and products in f32 of operands that are narrower (sm_100 and later).
TEST(Float, MixedPrecision) {
  const Format &wide = formats[2];
  for (unsigned index : {0u, 1u}) {
    const Format &narrow = formats[index];
    auto widened = [&](uint64_t bits) {
      APFloat value = make(narrow, bits);
      bool losesInfo;
      value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                    &losesInfo);
      return value;
    };
    auto scalars = floats(narrow);
    auto terms = floats(wide);
    std::vector<Inputs> sums, products;
    for (size_t i = 0; i < scalars.size(); ++i) {
      uint64_t term = terms[i % terms.size()].c;
      sums.push_back({scalars[i].a, term, 0});
      products.push_back({scalars[i].a, scalars[i].b, term});
    }
    std::string type = std::string(".f32.") + narrow.type;
    auto sum = [&](const Function &fn) {
      return [&, fn](uint64_t a, uint64_t b, uint64_t) {
        APFloat term = make(wide, b);
        return bitsOf(fn(widened(a), term, term));
      };
    };
    check("add.rn" + type + " %d, %a, %b;", {4, 2, 4}, sums, sum(add),
          equalFloats(wide));
    check("sub.rn" + type + " %d, %a, %b;", {4, 2, 4}, sums, sum(subtract),
          equalFloats(wide));
    check(
        "fma.rn" + type + " %d, %a, %b, %c;", {4, 2, 2, 4}, products,
        [&](uint64_t a, uint64_t b, uint64_t c) {
          return bitsOf(fuse(widened(a), widened(b), make(wide, c)));
        },
        equalFloats(wide));
  }
}

/// Both halves of a packed pair, each by the reference.
TEST(Float, PackedPairs) {
  for (unsigned index : {0u, 1u}) {
    Pairs pairs = {formats[index]};
    auto inputs = pairs.inputs();
    auto both = [&](const Function &fn) { return pairs.both(fn); };
    Equal equal = pairs.equal();
    std::string type = std::string(".") + pairs.format.type + "x2";
    check("fma.rn" + type + " %d, %a, %b, %c;", {4, 4, 4, 4}, inputs,
          both(fuse), equal);
    check("add.rn" + type + " %d, %a, %b;", {4, 4, 4}, inputs, both(add),
          equal);
    check("mul" + type + " %d, %a, %b;", {4, 4, 4}, inputs, both(multiply),
          equal);
    check("max" + type + " %d, %a, %b;", {4, 4, 4}, inputs,
          both([](APFloat a, const APFloat &b, const APFloat &) {
            return llvm::maximumnum(a, b);
          }),
          equal);
    check("min" + type + " %d, %a, %b;", {4, 4, 4}, inputs,
          both([](APFloat a, const APFloat &b, const APFloat &) {
            return llvm::minimumnum(a, b);
          }),
          equal);
    check("max.NaN" + type + " %d, %a, %b;", {4, 4, 4}, inputs,
          both([](APFloat a, const APFloat &b, const APFloat &) {
            return llvm::maximum(a, b);
          }),
          equal);
    check("min.NaN" + type + " %d, %a, %b;", {4, 4, 4}, inputs,
          both([](APFloat a, const APFloat &b, const APFloat &) {
            return llvm::minimum(a, b);
          }),
          equal);
    check("sub.rn" + type + " %d, %a, %b;", {4, 4, 4}, inputs, both(subtract),
          equal);
    check("neg" + type + " %d, %a;", {4, 4}, inputs,
          both([](APFloat a, const APFloat &, const APFloat &) {
            a.changeSign();
            return a;
          }),
          equal);
    check("abs" + type + " %d, %a;", {4, 4}, inputs,
          both([](APFloat a, const APFloat &, const APFloat &) {
            a.clearSign();
            return a;
          }),
          equal);
    check("fma.rn.relu" + type + " %d, %a, %b, %c;", {4, 4, 4, 4}, inputs,
          both([](APFloat a, const APFloat &b, const APFloat &c) {
            return relu(fuse(a, b, c));
          }),
          equal);
  }
}

TEST(Float, SaturateAndFlush) {
  const Format &f32 = formats[2];
  const std::pair<const char *, Function> saturating[] = {
      {"add.sat", add}, {"sub.sat", subtract}, {"mul.sat", multiply}};
  for (const auto &[name, fn] : saturating)
    checkFloat(name, "%d, %a, %b", 2,
               [fn = fn](APFloat a, const APFloat &b, const APFloat &c) {
                 return saturate(fn(a, b, c));
               },
               {0, 2});
  checkFloat("fma.rn.sat", "%d, %a, %b, %c", 3,
             [](APFloat a, const APFloat &b, const APFloat &c) {
               return saturate(fuse(a, b, c));
             },
             {0, 2});
  checkFloat("fma.rn.relu", "%d, %a, %b, %c", 3,
             [](APFloat a, const APFloat &b, const APFloat &c) {
               return relu(fuse(a, b, c));
             },
             {0, 1});
  auto flush = [&](uint64_t bits) {
    APFloat value = make(f32, bits);
    return value.isDenormal()
               ? APFloat::getZero(f32.semantics, value.isNegative())
               : value;
  };
  check(
      "mul.rn.ftz.f32 %d, %a, %b;", {4, 4, 4}, floats(f32),
      [&](uint64_t a, uint64_t b, uint64_t) {
        APFloat product = multiply(flush(a), flush(b), flush(b));
        return bitsOf(flush(bitsOf(product)));
      },
      equalFloats(f32));
  struct Flushing {
    const char *text;
    unsigned operands;
    Function fn;
  };
  const Flushing flushing[] = {
      {"add.rn.ftz.f32 %d, %a, %b;", 2, add},
      {"sub.ftz.f32 %d, %a, %b;", 2, subtract},
      {"fma.rn.ftz.f32 %d, %a, %b, %c;", 3, fuse},
      {"neg.ftz.f32 %d, %a;", 1,
       [](APFloat a, const APFloat &, const APFloat &) {
         a.changeSign();
         return a;
       }},
      {"max.ftz.f32 %d, %a, %b;", 2,
       [](APFloat a, const APFloat &b, const APFloat &) {
         return llvm::maximumnum(a, b);
       }},
      {"div.rn.ftz.f32 %d, %a, %b;", 2,
       [](APFloat a, const APFloat &b, const APFloat &) {
         a.divide(b, nearest);
         return a;
       }},
  };
  for (const Flushing &f : flushing)
    check(
        f.text, {4, 4, f.operands > 1 ? 4u : 0, f.operands > 2 ? 4u : 0},
        floats(f32),
        [&](uint64_t a, uint64_t b, uint64_t c) {
          return bitsOf(flush(bitsOf(f.fn(flush(a), flush(b), flush(c)))));
        },
        equalFloats(f32));
}

TEST(Float, Compare) {
  using Result = APFloat::cmpResult;
  struct Row {
    const char *name;
    bool less, equal, greater, unordered;
  };
  const Row rows[] = {
      {"eq", false, true, false, false}, {"ne", true, false, true, false},
      {"lt", true, false, false, false}, {"le", true, true, false, false},
      {"gt", false, false, true, false}, {"ge", false, true, true, false},
      {"equ", false, true, false, true}, {"neu", true, false, true, true},
      {"ltu", true, false, false, true}, {"leu", true, true, false, true},
      {"gtu", false, false, true, true}, {"geu", false, true, true, true},
      {"num", true, true, true, false},  {"nan", false, false, false, true}};
  for (const Format &format : formats)
    for (const Row &row : rows)
      check(std::string(".reg .pred %q; setp.") + row.name + "." + format.type +
                " %q, %a, %b; selp.u32 %d, 1, 0, %q;",
            {4, format.width, format.width}, floats(format),
            [&](uint64_t a, uint64_t b, uint64_t) {
              switch (make(format, a).compare(make(format, b))) {
              case Result::cmpLessThan:
                return uint64_t(row.less);
              case Result::cmpEqual:
                return uint64_t(row.equal);
              case Result::cmpGreaterThan:
                return uint64_t(row.greater);
              case Result::cmpUnordered:
                break;
              }
              return uint64_t(row.unordered);
            });
}

/// Pairs compare halves, each with a result of its own.
TEST(Float, ComparePairs) {
  for (unsigned index : {0u, 1u}) {
    const Format &format = formats[index];
    for (const char *name : {"lt", "geu", "ne"})
      for (const char *combination : {"", ".and", ".or", ".xor"}) {
        std::string third = *combination ? ", %u" : "";
        check(std::string(".reg .pred %u, %q, %r; .reg .b32 %x;\n"
                          "setp.lt.u32 %u, %c, 0x80000000; setp.") +
                  name + combination + "." + format.type + "x2 %q|%r, %a, %b" +
                  third +
                  "; selp.u32 %d, 1, 0, %q; selp.u32 %x, 2, 0, %r;\n"
                  "or.b32 %d, %d, %x;",
              {4, 4, 4, 4}, floats(format),
              [&](uint64_t a, uint64_t b, uint64_t c) {
                auto half = [&](unsigned shift) {
                  APFloat x = make(format, a >> shift & 0xffff);
                  APFloat y = make(format, b >> shift & 0xffff);
                  bool result = *name == 'l' ? x < y
                                : *name == 'g'
                                    ? !(x < y)
                                    : !x.isNaN() && !y.isNaN() && x != y;
                  bool other = c < 0x80000000;
                  switch (combination[1]) {
                  case 'a':
                    return result && other;
                  case 'o':
                    return result || other;
                  case 'x':
                    return result != other;
                  }
                  return result;
                };
                return uint64_t(half(0) | half(16) << 1);
              });
      }
  }
}

/// set gives all ones, or 1.0 in a floating-point format.
TEST(Float, SetOfEveryResult) {
  const Format &f32 = formats[2];
  const std::tuple<const char *, unsigned, uint64_t> results[] = {
      {"u32", 4, ~uint64_t(0)}, {"s32", 4, ~uint64_t(0)},
      {"f32", 4, 0x3f800000},   {"f16", 2, 0x3c00},
      {"bf16", 2, 0x3f80},      {"u16", 2, ~uint64_t(0)}};
  for (auto [type, width, one] : results)
    check(std::string("set.gt.") + type + ".f32 %d, %a, %b;", {width, 4, 4},
          floats(f32), [&, isTrue = one](uint64_t a, uint64_t b, uint64_t) {
            return make(f32, a) > make(f32, b) ? isTrue : 0;
          });
  check(".reg .pred %u; setp.lt.u32 %u, %c, 0x80000000;\n"
        "set.gt.or.u32.f32 %d, %a, %b, %u;",
        {4, 4, 4, 4}, floats(f32), [&](uint64_t a, uint64_t b, uint64_t c) {
          return make(f32, a) > make(f32, b) || c < 0x80000000 ? ~uint64_t(0)
                                                               : 0;
        });
}

/// Within a relative error of f32, over the range a kernel uses.
void checkApproximation(const std::string &text, double (*fn)(double),
                        double low, double high, double tolerance) {
  std::mt19937 engine(3);
  std::uniform_real_distribution<float> distribution(low, high);
  std::vector<Inputs> inputs;
  for (unsigned i = 0; i < 500; ++i)
    inputs.push_back({llvm::bit_cast<uint32_t>(distribution(engine)), 0, 0});
  check(
      text, {4, 4}, inputs,
      [&](uint64_t a, uint64_t, uint64_t) {
        float x = llvm::bit_cast<float>(uint32_t(a));
        return uint64_t(llvm::bit_cast<uint32_t>(float(fn(x))));
      },
      [&](uint64_t expected, uint64_t actual) {
        double e = llvm::bit_cast<float>(uint32_t(expected));
        double x = llvm::bit_cast<float>(uint32_t(actual));
        return std::fabs(e - x) <= tolerance * std::max(std::fabs(e), 1e-3);
      });
}

TEST(Float, Approximations) {
  const double eps = 1e-6;
  checkApproximation("ex2.approx.f32 %d, %a;", std::exp2, -20, 20, eps);
  checkApproximation("ex2.approx.ftz.f32 %d, %a;", std::exp2, -20, 20, eps);
  checkApproximation("lg2.approx.f32 %d, %a;", std::log2, 0.01, 100, eps);
  checkApproximation("sin.approx.f32 %d, %a;", std::sin, -3, 3, eps);
  checkApproximation("cos.approx.f32 %d, %a;", std::cos, -3, 3, eps);
  checkApproximation("tanh.approx.f32 %d, %a;", std::tanh, -5, 5, eps);
  checkApproximation("sqrt.approx.f32 %d, %a;", std::sqrt, 0, 100, eps);
  checkApproximation("sqrt.rn.f32 %d, %a;", std::sqrt, 0, 100, 6e-8);
  checkApproximation(
      "rsqrt.approx.f32 %d, %a;", [](double x) { return 1 / std::sqrt(x); },
      0.1, 100, eps);
  checkApproximation(
      "rcp.approx.f32 %d, %a;", [](double x) { return 1 / x; }, 0.1, 100, eps);
  checkApproximation(
      "div.full.f32 %d, %a, 0f40400000;", [](double x) { return x / 3; }, -9, 9,
      eps);
}

/// In f16 and bf16, where the result is rounded once from the exact one.
TEST(Float, NarrowApproximations) {
  const std::pair<const char *, double (*)(double)> functions[] = {
      {"ex2.approx", std::exp2}, {"tanh.approx", std::tanh}};
  for (unsigned index : {0u, 1u})
    for (const auto &function : functions)
      for (bool packed : {false, true}) {
        const char *name = function.first;
        auto *fn = function.second;
        const Format &format = formats[index];
        std::mt19937 engine(3);
        std::uniform_real_distribution<double> distribution(-4, 4);
        std::vector<Inputs> inputs;
        for (unsigned i = 0; i < 300; ++i) {
          uint64_t hi = toBits(format.semantics, distribution(engine));
          inputs.push_back(
              {hi << 16 | toBits(format.semantics, distribution(engine)), 0,
               0});
        }
        bool flushes = index == 1 && *name == 'e'; // ex2.approx.ftz.bf16
        unsigned width = packed ? 4 : 2;
        auto each = [&](uint64_t bits) {
          return uint64_t(
              toBits(format.semantics, fn(fromBits(format.semantics, bits))));
        };
        auto close = [](uint64_t expected, uint64_t actual) {
          return expected - actual + 1 <= 2; // a unit in the last place
        };
        check(
            std::string(name) + (flushes ? ".ftz." : ".") + format.type +
                (packed ? "x2 %d, %a;" : " %d, %a;"),
            {width, width}, inputs,
            [&](uint64_t a, uint64_t, uint64_t) {
              return each(a & 0xffff) | (packed ? each(a >> 16) << 16 : 0);
            },
            [&](uint64_t expected, uint64_t actual) {
              return close(expected & 0xffff, actual & 0xffff) &&
                     close(expected >> 16, actual >> 16);
            });
      }
}

TEST(Float, ApproximationsOfDouble) {
  for (auto [text, isRoot] : {std::make_pair("rsqrt.approx.f64 %d, %a;", true),
                              {"rcp.approx.ftz.f64 %d, %a;", false}}) {
    std::vector<Inputs> inputs;
    std::mt19937 engine(3);
    std::uniform_real_distribution<double> distribution(0.1, 100);
    for (unsigned i = 0; i < 200; ++i)
      inputs.push_back({llvm::bit_cast<uint64_t>(distribution(engine)), 0, 0});
    check(
        text, {8, 8}, inputs,
        [&, root = isRoot](uint64_t a, uint64_t, uint64_t) {
          double x = llvm::bit_cast<double>(a);
          return llvm::bit_cast<uint64_t>(1 / (root ? std::sqrt(x) : x));
        },
        [&](uint64_t expected, uint64_t actual) {
          double e = llvm::bit_cast<double>(expected);
          return std::fabs(llvm::bit_cast<double>(actual) - e) <= 1e-6 * e;
        });
  }
}

//===----------------------------------------------------------------------===//
// Signs and classes
//===----------------------------------------------------------------------===//

TEST(Float, CopySign) {
  for (unsigned width : {4u, 8u})
    check("copysign.f" + std::to_string(8 * width) + " %d, %a, %b;",
          {width, width, width}, floats(formats[width == 4 ? 2 : 3]),
          [&](uint64_t a, uint64_t b, uint64_t) {
            uint64_t sign = uint64_t(1) << (8 * width - 1);
            return (a & sign) | (b & ~sign);
          });
}

TEST(Float, TestProperty) {
  using Property = bool (APFloat::*)() const;
  struct {
    const char *name;
    Property property;
    bool isNegated = false;
  } tests[] = {
      {"finite", &APFloat::isFinite},    {"infinite", &APFloat::isInfinity},
      {"number", &APFloat::isNaN, true}, {"notanumber", &APFloat::isNaN},
      {"normal", &APFloat::isNormal},    {"subnormal", &APFloat::isDenormal}};
  for (auto &test : tests)
    for (unsigned width : {4u, 8u}) {
      const Format &format = formats[width == 4 ? 2 : 3];
      check(".reg .pred %q; testp." + std::string(test.name) + "." +
                format.type + " %q, %a; selp.u32 %d, 1, 0, %q;",
            {4, width}, floats(format), [&](uint64_t a, uint64_t, uint64_t) {
              APFloat value = make(format, a);
              return uint64_t((value.*test.property)() != test.isNegated);
            });
    }
}
