//===- PendingAccesses.cpp - Where barriers stand -------------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Plan/PendingAccesses.h"

using namespace prism;

static bool overlap(const TileBuffer *a, const TileBuffer *b) {
  return a->offset < b->offset + b->getTotalBytes() &&
         b->offset < a->offset + a->getTotalBytes();
}

static bool meet(PendingAccesses::Buffers some,
                 PendingAccesses::Buffers others) {
  return llvm::any_of(some, [&](const TileBuffer *buffer) {
    return llvm::any_of(others, [&](const TileBuffer *other) {
      return overlap(buffer, other);
    });
  });
}

bool PendingAccesses::needBarrier(Buffers reads, Buffers writes) const {
  return meet(reads, pendingWrites) || meet(writes, pendingReads) ||
         meet(writes, pendingWrites);
}

void PendingAccesses::add(Buffers reads, Buffers writes) {
  llvm::append_range(pendingReads, reads);
  llvm::append_range(pendingWrites, writes);
}

void PendingAccesses::clear() {
  pendingReads.clear();
  pendingWrites.clear();
}
