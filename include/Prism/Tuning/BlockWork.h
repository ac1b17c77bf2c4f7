//===- BlockWork.h - What a block of a kernel does --------------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts what a planned block asks of its multiprocessor: instructions, bytes
// of shared memory, matrix products, and the cycles that its steps take one
// behind the other if nothing else runs. Loads from global memory are not part
// of it. The constants are orders of magnitude from the vendor's documents and
// what is published about latencies; nothing was measured.
//
// Worked example: a step of the loop computes exp of a tile of 64x64 in f32 in
// shared memory, with 256 threads and runs of 4: 1024 runs, 4 for each thread.
// 32 KiB of shared memory are read and written; a run takes a load, a store,
// 4 * 12 instructions for exp and some for addresses; and a thread's 4 runs,
// each waiting for its load, come one behind the other, behind a barrier.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_TUNING_BLOCKWORK_H
#define PRISM_TUNING_BLOCKWORK_H

#include "Prism/Plan/KernelPlan.h"

namespace prism {

/// A symbol's value, as KernelSizes wants it.
using SymbolValueFn =
    llvm::function_ref<std::optional<int64_t>(llvm::StringRef)>;

/// Of one block, all steps of its loop together.
struct BlockWork {
  double tensorFlops = 0;   ///< of whole fragments
  double fmaFlops = 0;      ///< of products without tensor cores
  double instructions = 0;  ///< of all warps, but for those products
  double sharedBytes = 0;   ///< read from and written to shared memory
  double latencyCycles = 0; ///< its steps one behind the other
};

/// The work of a block of `kernel`, planned as `plan`; `symbolValue` has the
/// extents that it was planned with.
BlockWork countBlockWork(KernelOp kernel, const KernelPlan &plan,
                         SymbolValueFn symbolValue);

/// Bytes that the loads of one block draw from L2: whole sectors of each run
/// of elements that lie together.
double countLoadedBytes(KernelOp kernel, const KernelPlan &plan,
                        SymbolValueFn symbolValue);

} // namespace prism

#endif // PRISM_TUNING_BLOCKWORK_H
