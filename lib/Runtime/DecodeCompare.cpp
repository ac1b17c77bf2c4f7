//===- DecodeCompare.cpp - Comparisons and selections ---------------------===//
//
// setp and set with every comparison, selp, slct, testp.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "Lanes.h"

#include "llvm/ADT/StringSwitch.h"

using namespace prism;

namespace {
template <typename T>
bool isNaN(T value) {
  return value != value;
}

// On numbers an ordered comparison is false when a NaN takes part; the
// unordered ones (`equ`, ...) are true.
struct Eq {
  template <typename T>
  static bool apply(T a, T b) {
    return a == b;
  }
};
struct Ne {
  template <typename T>
  static bool apply(T a, T b) {
    return a != b && !isNaN(a) && !isNaN(b);
  }
};
struct Lt {
  template <typename T>
  static bool apply(T a, T b) {
    return a < b;
  }
};
struct Le {
  template <typename T>
  static bool apply(T a, T b) {
    return a <= b;
  }
};
struct Gt {
  template <typename T>
  static bool apply(T a, T b) {
    return a > b;
  }
};
struct Ge {
  template <typename T>
  static bool apply(T a, T b) {
    return a >= b;
  }
};
struct Num {
  template <typename T>
  static bool apply(T a, T b) {
    return !isNaN(a) && !isNaN(b);
  }
};
template <typename F>
struct Opposite {
  template <typename T>
  static bool apply(T a, T b) {
    return !F::apply(a, b);
  }
};
/// The same on f16 and bf16.
template <typename F>
struct Compare {
  template <typename T>
  static bool apply(T a, T b) {
    return F::apply(a, b);
  }
  static bool apply(Half a, Half b) { return F::apply(toFloat(a), toFloat(b)); }
  static bool apply(BF16 a, BF16 b) { return F::apply(toFloat(a), toFloat(b)); }
};

enum Combination { None, And, Or, Xor };
} // namespace

/// Results in `dst` and, its opposite, in `d`; combined with predicate `c`.
template <typename F, typename T>
static void execSetp(Warp &warp, const Op &op, uint32_t mask) {
  uint32_t bits = compareLanes<Compare<F>, T>(warp, op);
  uint32_t opposite = ~bits;
  if (op.mode != None) {
    uint32_t other = warp.predicate(op.c);
    auto combine = [&](uint32_t value) {
      return op.mode == And  ? value & other
             : op.mode == Or ? value | other
                             : value ^ other;
    };
    bits = combine(bits);
    opposite = combine(opposite);
  }
  setPredicate(warp, op.dst, mask, bits);
  setPredicate(warp, op.d, mask, opposite);
}

/// Packed pairs: the low halves' result in `dst`, the high halves' in `d`.
template <typename F, typename T>
static void execSetpPacked(Warp &warp, const Op &op, uint32_t mask) {
  const Pair<T> *a = warp.lanes<Pair<T>>(op.a), *b = warp.lanes<Pair<T>>(op.b);
  uint32_t lo = 0, hi = 0;
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    lo |= uint32_t(Compare<F>::apply(a[lane].lo, b[lane].lo)) << lane;
    hi |= uint32_t(Compare<F>::apply(a[lane].hi, b[lane].hi)) << lane;
  }
  if (op.mode != None) {
    uint32_t other = warp.predicate(op.c);
    lo = op.mode == And ? lo & other : op.mode == Or ? lo | other : lo ^ other;
    hi = op.mode == And ? hi & other : op.mode == Or ? hi | other : hi ^ other;
  }
  setPredicate(warp, op.dst, mask, lo);
  setPredicate(warp, op.d, mask, hi);
}

template <typename F>
static ExecFn compareFn(PTXType type) {
  if (type == PTXType::F16x2)
    return execSetpPacked<F, Half>;
  if (type == PTXType::BF16x2)
    return execSetpPacked<F, BF16>;
  switch (type) {
  case PTXType::F16:
    return execSetp<F, Half>;
  case PTXType::BF16:
    return execSetp<F, BF16>;
  case PTXType::F32:
    return execSetp<F, float>;
  case PTXType::F64:
    return execSetp<F, double>;
  default:
    return forInteger(
        type, [](auto tag) -> ExecFn { return execSetp<F, decltype(tag)>; });
  }
}

/// Consumes the comparison; null if there is none for this type.
static ExecFn takeComparison(Decoder &d, PTXType type) {
  using Factory = ExecFn (*)(PTXType);
  static constexpr std::pair<llvm::StringLiteral, Factory> table[] = {
      {"eq", compareFn<Eq>},
      {"ne", compareFn<Ne>},
      {"lt", compareFn<Lt>},
      {"le", compareFn<Le>},
      {"gt", compareFn<Gt>},
      {"ge", compareFn<Ge>},
      // Unsigned integers only; the type says that already.
      {"lo", compareFn<Lt>},
      {"ls", compareFn<Le>},
      {"hi", compareFn<Gt>},
      {"hs", compareFn<Ge>},
      {"equ", compareFn<Opposite<Ne>>},
      {"neu", compareFn<Opposite<Eq>>},
      {"ltu", compareFn<Opposite<Ge>>},
      {"leu", compareFn<Opposite<Gt>>},
      {"gtu", compareFn<Opposite<Le>>},
      {"geu", compareFn<Opposite<Lt>>},
      {"num", compareFn<Num>},
      {"nan", compareFn<Opposite<Num>>},
  };
  for (auto [name, factory] : table)
    if (d.take(name))
      return factory(type);
  return nullptr;
}

static Combination takeCombination(Decoder &d) {
  if (d.take("and"))
    return And;
  if (d.take("or"))
    return Or;
  return d.take("xor") ? Xor : None;
}

static void decodeSetp(Decoder &d) {
  d.take("ftz"); // subnormals of f32 compare like zeros only on equality
  PTXType type = d.expectType();
  ExecFn exec = takeComparison(d, type);
  Combination combination = takeCombination(d);
  if (!exec)
    return d.fail("setp has no such comparison for this type");
  if (!d.expectOperands(combination == None ? 3 : 4))
    return;
  Slot a = d.use(d.operand(1), type), b = d.use(d.operand(2), type);
  Slot c = combination == None ? 0 : d.usePredicate(d.operand(3));
  Slot dst = d.defPredicate(d.operand(0));
  Slot opposite = d.operand(0).elements.empty()
                      ? d.temporary(0)
                      : d.defPredicate(d.operand(0).elements.front());
  Op &op = d.emit(exec);
  op.dst = dst;
  op.d = opposite;
  op.a = a;
  op.b = b;
  op.c = c;
  op.mode = combination;
}

//===----------------------------------------------------------------------===//
// Selections
//===----------------------------------------------------------------------===//

template <typename T>
static void execSelp(Warp &warp, const Op &op, uint32_t mask) {
  T *dst = warp.lanes<T>(op.dst);
  const T *a = warp.lanes<T>(op.a), *b = warp.lanes<T>(op.b);
  uint32_t predicate = warp.predicate(op.c);
  forLanes(mask,
           [=](unsigned i) { dst[i] = predicate >> i & 1 ? a[i] : b[i]; });
}

static ExecFn selpFn(PTXType type) {
  switch (getPTXTypeSize(type)) {
  case 2:
    return execSelp<uint16_t>;
  case 4:
    return execSelp<uint32_t>;
  case 8:
    return execSelp<uint64_t>;
  default:
    return nullptr;
  }
}

static void decodeSelp(Decoder &d) {
  PTXType type = d.expectType();
  ExecFn exec = selpFn(type);
  if (!exec)
    return d.fail("selp does not take this type");
  if (!d.expectOperands(4))
    return;
  Slot a = d.use(d.operand(1), type), b = d.use(d.operand(2), type);
  Slot c = d.usePredicate(d.operand(3)), dst = d.def(d.operand(0), type);
  Op &op = d.emit(exec);
  op.dst = dst;
  op.a = a;
  op.b = b;
  op.c = c;
}

/// set.CMP.dtype.stype: all ones (or 1.0) for true, through setp and selp.
static void decodeSet(Decoder &d) {
  d.take("ftz");
  PTXType to = d.expectType(), from = d.expectType();
  ExecFn compare = takeComparison(d, from);
  Combination combination = takeCombination(d);
  auto isPacked = [](PTXType type) {
    return type == PTXType::F16x2 || type == PTXType::BF16x2;
  };
  if (!compare || isPacked(from) || isPacked(to) || getPTXTypeSize(to) == 8)
    return d.fail("set does not take these types");
  if (!d.expectOperands(combination == None ? 3 : 4))
    return;
  Slot a = d.use(d.operand(1), from), b = d.use(d.operand(2), from);
  Slot c = combination == None ? 0 : d.usePredicate(d.operand(3));
  Slot truth = d.temporary(0), opposite = d.temporary(0);
  Op &setp = d.emit(compare);
  setp.dst = truth;
  setp.d = opposite;
  setp.a = a;
  setp.b = b;
  setp.c = c;
  setp.mode = combination;
  uint64_t one = to == PTXType::F32    ? 0x3f800000
                 : to == PTXType::F16  ? 0x3c00
                 : to == PTXType::BF16 ? 0x3f80
                                       : ~uint64_t(0);
  unsigned width = getPTXTypeSize(to);
  Slot onTrue = d.constant(one, width), onFalse = d.constant(0, width);
  Slot dst = d.def(d.operand(0), to);
  Op &select = d.emit(selpFn(to));
  select.dst = dst;
  select.a = onTrue;
  select.b = onFalse;
  select.c = truth;
}

/// slct: a if c >= 0, else b.
static void decodeSlct(Decoder &d) {
  d.take("ftz");
  PTXType type = d.expectType(), condition = d.expectType();
  if (!d.expectOperands(4))
    return;
  if (!selpFn(type) || (condition != PTXType::S32 && condition != PTXType::F32))
    return d.fail("slct does not take these types");
  Slot a = d.use(d.operand(1), type), b = d.use(d.operand(2), type);
  Slot c = d.use(d.operand(3), condition), truth = d.temporary(0);
  Slot zero = d.constant(0, 4), opposite = d.temporary(0);
  Op &setp = d.emit(condition == PTXType::S32 ? execSetp<Ge, int32_t>
                                              : execSetp<Ge, float>);
  setp.dst = truth;
  setp.d = opposite;
  setp.a = c;
  setp.b = zero;
  Slot dst = d.def(d.operand(0), type);
  Op &select = d.emit(selpFn(type));
  select.dst = dst;
  select.a = a;
  select.b = b;
  select.c = truth;
}

//===----------------------------------------------------------------------===//
// testp
//===----------------------------------------------------------------------===//

template <typename T, bool (*Test)(double, bool)>
static void execTestp(Warp &warp, const Op &op, uint32_t mask) {
  const T *a = warp.lanes<T>(op.a);
  uint32_t bits = 0;
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    bool subnormal = std::fpclassify(a[lane]) == FP_SUBNORMAL;
    bits |= uint32_t(Test(a[lane], subnormal)) << lane;
  }
  setPredicate(warp, op.dst, mask, bits);
}

static bool testFinite(double value, bool) { return std::isfinite(value); }
static bool testInfinite(double value, bool) { return std::isinf(value); }
static bool testNumber(double value, bool) { return !std::isnan(value); }
static bool testNaN(double value, bool) { return std::isnan(value); }
static bool testSubnormal(double, bool subnormal) { return subnormal; }
static bool testNormal(double value, bool subnormal) {
  return std::isfinite(value) && value != 0 && !subnormal;
}

template <typename T>
static ExecFn takeTest(Decoder &d) {
  if (d.take("finite"))
    return execTestp<T, testFinite>;
  if (d.take("infinite"))
    return execTestp<T, testInfinite>;
  if (d.take("number"))
    return execTestp<T, testNumber>;
  if (d.take("notanumber"))
    return execTestp<T, testNaN>;
  if (d.take("normal"))
    return execTestp<T, testNormal>;
  return d.take("subnormal") ? ExecFn(execTestp<T, testSubnormal>) : nullptr;
}

static void decodeTestp(Decoder &d) {
  PTXType type = d.expectType();
  ExecFn exec = type == PTXType::F64 ? takeTest<double>(d) : takeTest<float>(d);
  if (!exec || (type != PTXType::F32 && type != PTXType::F64))
    return d.fail("testp has no such test for this type");
  if (!d.expectOperands(2))
    return;
  Slot a = d.use(d.operand(1), type), dst = d.defPredicate(d.operand(0));
  Op &op = d.emit(exec);
  op.dst = dst;
  op.a = a;
}

DecodeFn prism::lookupCompareInstruction(llvm::StringRef opcode) {
  return llvm::StringSwitch<DecodeFn>(opcode)
      .Case("setp", decodeSetp)
      .Case("set", decodeSet)
      .Case("selp", decodeSelp)
      .Case("slct", decodeSlct)
      .Case("testp", decodeTestp)
      .Default(nullptr);
}
