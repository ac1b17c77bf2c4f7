//===- MemoryPlan.h - Buffers that share memory by lifetime -----*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Places buffers with known lifetimes in one block of memory, so that only
// buffers that never live at the same time overlap.
//
// Worked example: a [0, 1] of 64 bytes, b [1, 2] of 32, c [2, 3] of 64: b is
// placed behind a, c at the place of a: 96 bytes in all.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_PLAN_MEMORYPLAN_H
#define PRISM_PLAN_MEMORYPLAN_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>

namespace prism {

/// A buffer that lives from step `begin` to step `end`, both included.
struct BufferLifetime {
  int64_t bytes;
  unsigned begin, end;
  int64_t offset = 0; ///< filled in by planMemory
  int64_t alignment = 1;

  bool livesWith(const BufferLifetime &other) const {
    return begin <= other.end && other.begin <= end;
  }
};

/// Gives each buffer its offset, a multiple of `alignment` and its own, largest
/// buffers first, each at the lowest place that is free. Returns the bytes
/// needed.
int64_t planMemory(llvm::MutableArrayRef<BufferLifetime> buffers,
                   int64_t alignment = 128);

} // namespace prism

#endif // PRISM_PLAN_MEMORYPLAN_H
