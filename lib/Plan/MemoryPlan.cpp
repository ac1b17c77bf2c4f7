//===- MemoryPlan.cpp - Buffers that share memory by lifetime -------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Plan/MemoryPlan.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

using namespace prism;

/// The lowest offset at which `buffer` meets none of `placed` that live with
/// it. `placed` is sorted by offset.
static int64_t findOffset(const BufferLifetime &buffer,
                          llvm::ArrayRef<BufferLifetime *> placed,
                          int64_t alignment) {
  alignment = std::max(alignment, buffer.alignment);
  int64_t offset = 0;
  for (const BufferLifetime *other : placed) {
    if (!buffer.livesWith(*other))
      continue;
    if (offset + buffer.bytes <= other->offset)
      break;
    int64_t end = other->offset + other->bytes;
    offset = std::max<int64_t>(offset, llvm::alignTo(end, alignment));
  }
  return offset;
}

int64_t prism::planMemory(llvm::MutableArrayRef<BufferLifetime> buffers,
                          int64_t alignment) {
  llvm::SmallVector<BufferLifetime *> order, placed;
  for (BufferLifetime &buffer : buffers)
    order.push_back(&buffer);
  // They stand in one array: its order decides between equals.
  llvm::sort(order, [](const auto *a, const auto *b) {
    return a->bytes != b->bytes ? a->bytes > b->bytes : a < b;
  });
  int64_t total = 0;
  for (BufferLifetime *buffer : order) {
    buffer->offset = findOffset(*buffer, placed, alignment);
    total = std::max(total, buffer->offset + buffer->bytes);
    placed.insert(llvm::upper_bound(placed, buffer,
                                    [](const auto *a, const auto *b) {
                                      return a->offset < b->offset;
                                    }),
                  buffer);
  }
  return total;
}
