//===- DecodeMemory.cpp - Loads, stores and atomics -----------------------===//
//
// ld and st in every space, as scalars and vectors; prefetches; atom and red.
// Cache hints change nothing here.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "Decoder.h"
#include "Lanes.h"

#include "llvm/ADT/StringSwitch.h"

using namespace prism;

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

template <unsigned Bytes>
static void execLoad(Warp &warp, const Op &op, uint32_t mask) {
  const Slot *list = warp.block->launch.program.lists.data() + op.list;
  unsigned count = op.count, total = Bytes * count;
  for (; mask; mask &= mask - 1) {
    unsigned lane = llvm::countr_zero(mask);
    alignas(32) char data[32];
    readMemory(warp, op, lane, op.space, addressOf(warp, op, lane), total,
               data);
    for (unsigned i = 0; i < count; ++i)
      std::memcpy(warp.lanes<char>(list[i]) + lane * Bytes, data + i * Bytes,
                  Bytes);
  }
}

template <unsigned Bytes>
static void execStore(Warp &warp, const Op &op, uint32_t mask) {
  const Slot *list = warp.block->launch.program.lists.data() + op.list;
  unsigned count = op.count, total = Bytes * count;
  for (; mask; mask &= mask - 1) {
    unsigned lane = llvm::countr_zero(mask);
    alignas(32) char data[32];
    for (unsigned i = 0; i < count; ++i)
      std::memcpy(data + i * Bytes, warp.lanes<char>(list[i]) + lane * Bytes,
                  Bytes);
    writeMemory(warp, op, lane, op.space, addressOf(warp, op, lane), total,
                data);
  }
}

static ExecFn memoryFn(unsigned bytes, bool load) {
  switch (bytes) {
  case 1:
    return load ? execLoad<1> : execStore<1>;
  case 2:
    return load ? execLoad<2> : execStore<2>;
  case 4:
    return load ? execLoad<4> : execStore<4>;
  case 8:
    return load ? execLoad<8> : execStore<8>;
  default:
    return load ? execLoad<16> : execStore<16>;
  }
}

/// Cache operators, eviction priorities, scopes and orders: single steps of
/// whole warps are sequentially consistent, so there is nothing left to do.
static void ignoreHints(Decoder &d) {
  d.ignore({"volatile",
            "relaxed",
            "acquire",
            "release",
            "acq_rel",
            "weak",
            "cta",
            "cluster",
            "gpu",
            "sys",
            "mmio",
            "nc",
            "unified",
            "ca",
            "cg",
            "cs",
            "cv",
            "lu",
            "wb",
            "wt",
            "L1::evict_normal",
            "L1::evict_unchanged",
            "L1::evict_first",
            "L1::evict_last",
            "L1::no_allocate",
            "L2::evict_normal",
            "L2::evict_first",
            "L2::evict_last",
            "L2::64B",
            "L2::128B",
            "L2::256B"});
}

static void decodeAccess(Decoder &d, bool load) {
  ignoreHints(d);
  bool hint = d.take("L2::cache_hint");
  PTXSpace space = d.takeSpace().value_or(PTXSpace::Generic);
  unsigned count = d.take("v8") ? 8 : d.take("v4") ? 4 : d.take("v2") ? 2 : 1;
  PTXType type = d.expectType();
  if (!d.expectOperands(hint ? 3 : 2))
    return;
  const PTXOperand &value = d.operand(load ? 0 : 1);
  const PTXOperand &address = d.operand(load ? 1 : 0);
  auto values = d.elements(value);
  if (values.size() != count)
    return d.fail("expected " + llvm::Twine(count) + " values, found " +
                  llvm::Twine(values.size()));
  unsigned bytes = getPTXTypeSize(type);
  if (bytes == 0 || bytes * count > 32)
    return d.fail("an access moves 1 to 32 bytes");
  llvm::SmallVector<Slot> slots;
  for (const PTXOperand &element : values)
    slots.push_back(load ? d.def(element, type) : d.use(element, type));
  uint32_t list = d.addList(slots);
  Op &op = d.emit(memoryFn(bytes, load));
  op.space = space;
  op.bytes = bytes;
  op.count = count;
  op.list = list;
  d.useAddress(op, address);
}

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

namespace {
struct AtomAdd {
  static float apply(float a, float b) { return a + b; }
  static double apply(double a, double b) { return a + b; }
  static Half apply(Half a, Half b) {
    return fromFloat<Half>(toFloat(a) + toFloat(b));
  }
  static BF16 apply(BF16 a, BF16 b) {
    return fromFloat<BF16>(toFloat(a) + toFloat(b));
  }
  template <typename T>
  static Pair<T> apply(Pair<T> a, Pair<T> b) {
    return {apply(a.lo, b.lo), apply(a.hi, b.hi)};
  }
  static uint32_t apply(uint32_t a, uint32_t b) { return a + b; }
  static int32_t apply(int32_t a, int32_t b) { return uint32_t(a) + b; }
  static uint64_t apply(uint64_t a, uint64_t b) { return a + b; }
};
struct AtomMin {
  template <typename T>
  static T apply(T a, T b) {
    return b < a ? b : a;
  }
};
struct AtomMax {
  template <typename T>
  static T apply(T a, T b) {
    return a < b ? b : a;
  }
};
struct AtomAnd {
  template <typename T>
  static T apply(T a, T b) {
    return a & b;
  }
};
struct AtomOr {
  template <typename T>
  static T apply(T a, T b) {
    return a | b;
  }
};
struct AtomXor {
  template <typename T>
  static T apply(T a, T b) {
    return a ^ b;
  }
};
struct AtomExch {
  template <typename T>
  static T apply(T, T b) {
    return b;
  }
};
struct AtomInc {
  static uint32_t apply(uint32_t a, uint32_t b) { return a >= b ? 0 : a + 1; }
};
struct AtomDec {
  static uint32_t apply(uint32_t a, uint32_t b) {
    return a == 0 || a > b ? b : a - 1;
  }
};
} // namespace

/// Reads, applies and writes for one lane after another. `update` gets the old
/// value and the lane.
template <typename T, typename Fn>
static void atomically(Warp &warp, const Op &op, uint32_t mask, Fn update) {
  std::lock_guard<std::mutex> lock(warp.block->launch.atomics);
  for (; mask; mask &= mask - 1) {
    unsigned lane = llvm::countr_zero(mask);
    Place place = resolve(warp, op, lane, op.space, addressOf(warp, op, lane),
                          sizeof(T), AccessKind::Atomic);
    T old;
    std::memset(&old, poisonByte, sizeof(T));
    if (place.host) {
      if (place.space == PTXSpace::Global)
        checkRead(warp, op, lane, place, sizeof(T));
      else if (place.space == PTXSpace::Shared &&
               !warp.block->shadow.isInitialized(place.address, sizeof(T)) &&
               warp.block->launch.options.checkUninitialized)
        warp.block->report(FindingKind::Uninitialized, op, warp, lane,
                           "atomic access to shared memory that nothing has "
                           "written");
      std::memcpy(&old, place.host, sizeof(T));
      T result = update(old, lane);
      checkWrite(warp, op, lane, place, sizeof(T), nullptr, true);
      std::memcpy(place.host, &result, sizeof(T));
    }
    if (op.mode)
      warp.lanes<T>(op.dst)[lane] = old;
  }
}

template <typename F, typename T>
static void execAtom(Warp &warp, const Op &op, uint32_t mask) {
  const T *b = warp.lanes<T>(op.b);
  atomically<T>(warp, op, mask,
                [=](T old, unsigned lane) { return F::apply(old, b[lane]); });
}

template <typename T>
static void execCas(Warp &warp, const Op &op, uint32_t mask) {
  const T *compare = warp.lanes<T>(op.b), *value = warp.lanes<T>(op.c);
  atomically<T>(warp, op, mask, [=](T old, unsigned lane) {
    return old == compare[lane] ? value[lane] : old;
  });
}

template <typename F>
static ExecFn atomInteger(PTXType type) {
  switch (type) {
  case PTXType::S32:
    return execAtom<F, int32_t>;
  case PTXType::S64:
    return execAtom<F, int64_t>;
  case PTXType::U32:
  case PTXType::B32:
    return execAtom<F, uint32_t>;
  case PTXType::U64:
  case PTXType::B64:
    return execAtom<F, uint64_t>;
  default:
    return nullptr;
  }
}

static ExecFn atomAdd(PTXType type) {
  switch (type) {
  case PTXType::U32:
  case PTXType::S32:
    return execAtom<AtomAdd, uint32_t>;
  case PTXType::U64:
    return execAtom<AtomAdd, uint64_t>;
  default:
    return forFloat(type, [](auto tag) -> ExecFn {
      return execAtom<AtomAdd, decltype(tag)>;
    });
  }
}

static ExecFn casFn(PTXType type) {
  switch (getPTXTypeSize(type)) {
  case 2:
    return execCas<uint16_t>;
  case 4:
    return execCas<uint32_t>;
  case 8:
    return execCas<uint64_t>;
  default:
    return nullptr;
  }
}

static ExecFn takeAtomic(Decoder &d, PTXType type) {
  if (d.take("add"))
    return atomAdd(type);
  if (d.take("min"))
    return atomInteger<AtomMin>(type);
  if (d.take("max"))
    return atomInteger<AtomMax>(type);
  if (d.take("and"))
    return atomInteger<AtomAnd>(type);
  if (d.take("or"))
    return atomInteger<AtomOr>(type);
  if (d.take("xor"))
    return atomInteger<AtomXor>(type);
  if (d.take("exch"))
    return atomInteger<AtomExch>(type);
  if (d.take("inc"))
    return type == PTXType::U32 ? execAtom<AtomInc, uint32_t> : nullptr;
  if (d.take("dec"))
    return type == PTXType::U32 ? execAtom<AtomDec, uint32_t> : nullptr;
  return nullptr;
}

/// atom.OP.type d, [a], b; red.OP.type [a], b.
static void decodeAtomic(Decoder &d, bool returns) {
  ignoreHints(d);
  d.take("noftz");
  PTXSpace space = d.takeSpace().value_or(PTXSpace::Generic);
  bool cas = d.take("cas");
  PTXType type = d.expectType();
  ExecFn exec = cas ? casFn(type) : takeAtomic(d, type);
  if (!exec)
    return d.fail("'" + d.inst().opcode +
                  "' has no such operation on this "
                  "type");
  if (!d.expectOperands(unsigned(returns) + 2 + cas))
    return;
  Slot b = d.use(d.operand(returns + 1), type);
  Slot c = cas ? d.use(d.operand(returns + 2), type) : 0;
  Slot dst = returns ? d.def(d.operand(0), type) : 0;
  Op &op = d.emit(exec);
  op.space = space;
  op.bytes = getPTXTypeSize(type);
  op.b = b;
  op.c = c;
  op.dst = dst;
  op.mode = returns;
  d.useAddress(op, d.operand(returns));
}

//===----------------------------------------------------------------------===//
// Hints
//===----------------------------------------------------------------------===//

static void execNothing(Warp &, const Op &, uint32_t) {}

/// Instructions that are hints: their modifiers are read over.
static void decodeHint(Decoder &d) {
  while (!d.getModifiers().empty())
    d.take(d.getModifiers().front());
  d.emit(execNothing);
}

DecodeFn prism::lookupMemoryInstruction(llvm::StringRef opcode) {
  return llvm::StringSwitch<DecodeFn>(opcode)
      .Cases({"ld", "ldu"}, [](Decoder &d) { decodeAccess(d, true); })
      .Case("st", [](Decoder &d) { decodeAccess(d, false); })
      .Cases({"prefetch", "prefetchu", "applypriority"}, decodeHint)
      .Cases({"nanosleep", "griddepcontrol", "setmaxnreg"}, decodeHint)
      .Default(nullptr);
}

DecodeFn prism::lookupAtomicInstruction(llvm::StringRef opcode) {
  return llvm::StringSwitch<DecodeFn>(opcode)
      .Case("atom", [](Decoder &d) { decodeAtomic(d, true); })
      .Case("red", [](Decoder &d) { decodeAtomic(d, false); })
      .Default(nullptr);
}
