//===- PendingAccesses.h - Where barriers stand -----------------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A barrier stands between two steps of a kernel iff one touches what the other
// writes: code generation and the cost model read it from here.
//
// Worked example: a product stores S, a reduction reads S and stores m, an
// elementwise step reads S and m and stores P: barriers in front of the
// reduction (S) and of the elementwise step (m).
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_PLAN_PENDINGACCESSES_H
#define PRISM_PLAN_PENDINGACCESSES_H

#include "Prism/Plan/KernelPlan.h"

namespace prism {

/// The buffers that threads have read and written since the last barrier.
class PendingAccesses {
public:
  using Buffers = llvm::ArrayRef<const TileBuffer *>;

  /// Whether a barrier must stand in front of these. Buffers that never live at
  /// once may share memory, and then meet as one does itself.
  bool needBarrier(Buffers reads, Buffers writes) const;
  void add(Buffers reads, Buffers writes);
  /// After a barrier.
  void clear();

private:
  llvm::SmallVector<const TileBuffer *> pendingReads, pendingWrites;
};

} // namespace prism

#endif // PRISM_PLAN_PENDINGACCESSES_H
