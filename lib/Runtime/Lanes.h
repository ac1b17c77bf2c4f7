//===- Lanes.h - Loops over the lanes of a warp -----------------*- C++ -*-===//
//
// The loop all operations share, and operations made of a functor. Slots are
// disjoint or identical and lane i touches element i only, so the full-warp
// loop may be vectorized without a check for overlap.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_RUNTIME_LANES_H
#define PRISM_LIB_RUNTIME_LANES_H

#include "FloatFormats.h"
#include "Interpreter.h"

#if defined(__clang__)
#define PRISM_LANE_LOOP _Pragma("clang loop vectorize(assume_safety)")
#else
#define PRISM_LANE_LOOP _Pragma("GCC ivdep")
#endif

namespace prism {

template <typename Body>
inline void forLanes(uint32_t mask, Body &&body) {
  if (mask == fullMask) {
    PRISM_LANE_LOOP
    for (unsigned lane = 0; lane < warpSize; ++lane)
      body(lane);
    return;
  }
  for (; mask; mask &= mask - 1)
    body(llvm::countr_zero(mask));
}

/// dst = F(a).
template <typename F, typename R, typename A>
void execUnary(Warp &warp, const Op &op, uint32_t mask) {
  R *dst = warp.lanes<R>(op.dst);
  const A *a = warp.lanes<A>(op.a);
  forLanes(mask, [=](unsigned i) { dst[i] = F::apply(a[i]); });
}

/// dst = F(a, b).
template <typename F, typename R, typename A, typename B = A>
void execBinary(Warp &warp, const Op &op, uint32_t mask) {
  R *dst = warp.lanes<R>(op.dst);
  const A *a = warp.lanes<A>(op.a);
  const B *b = warp.lanes<B>(op.b);
  forLanes(mask, [=](unsigned i) { dst[i] = F::apply(a[i], b[i]); });
}

/// dst = F(a, b, c).
template <typename F, typename R, typename A, typename B = A, typename C = A>
void execTernary(Warp &warp, const Op &op, uint32_t mask) {
  R *dst = warp.lanes<R>(op.dst);
  const A *a = warp.lanes<A>(op.a);
  const B *b = warp.lanes<B>(op.b);
  const C *c = warp.lanes<C>(op.c);
  forLanes(mask, [=](unsigned i) { dst[i] = F::apply(a[i], b[i], c[i]); });
}

/// Predicate dst = F(a, b), a bit a lane.
template <typename F, typename A>
inline uint32_t compareLanes(Warp &warp, const Op &op) {
  const A *a = warp.lanes<A>(op.a);
  const A *b = warp.lanes<A>(op.b);
  uint32_t bits = 0;
  for (unsigned lane = 0; lane < warpSize; ++lane)
    bits |= uint32_t(F::apply(a[lane], b[lane])) << lane;
  return bits;
}

/// Writes the lanes of `mask` of a predicate.
inline void setPredicate(Warp &warp, Slot slot, uint32_t mask, uint32_t bits) {
  uint32_t &predicate = warp.predicate(slot);
  predicate = (predicate & ~mask) | (bits & mask);
}

/// Calls `fn` with a value of the C++ type of an integer PTX type of 16 to 64
/// bits; null for another type.
template <typename Fn>
ExecFn forInteger(PTXType type, Fn fn) {
  switch (type) {
  case PTXType::B16:
  case PTXType::U16:
    return fn(uint16_t());
  case PTXType::S16:
    return fn(int16_t());
  case PTXType::B32:
  case PTXType::U32:
    return fn(uint32_t());
  case PTXType::S32:
    return fn(int32_t());
  case PTXType::B64:
  case PTXType::U64:
    return fn(uint64_t());
  case PTXType::S64:
    return fn(int64_t());
  default:
    return nullptr;
  }
}

/// The same for floating-point types, packed pairs included.
template <typename Fn>
ExecFn forFloat(PTXType type, Fn fn) {
  switch (type) {
  case PTXType::F16:
    return fn(Half());
  case PTXType::BF16:
    return fn(BF16());
  case PTXType::F16x2:
    return fn(Half2());
  case PTXType::BF16x2:
    return fn(BF162());
  case PTXType::F32:
    return fn(float());
  case PTXType::F64:
    return fn(double());
  default:
    return nullptr;
  }
}

} // namespace prism

#endif // PRISM_LIB_RUNTIME_LANES_H
