//===- CostModel.h - Modelled microseconds of kernels -----------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The analytic cost of a planned kernel, from the one table of hardware facts
// (Plan/Target.h). It ranks sizes and candidates; nothing in it was measured.
//
//   time = launch + busy + waves * (steps * latency + chain)
// or, with a pipeline of loads,
//   time = launch + max(busy, waves * steps * latency / steps ahead)
//          + waves * latency
//
// where busy is the largest of what each part of the GPU has to do (DRAM, L2,
// arithmetic / utilization, instructions, shared memory, waves * chain), and a
// tenth of the others; the latency that blocks have to themselves is shared by
// those that an SM holds at once. What a block does is counted from its plan
// (BlockWork.h); `chain` is what its steps take one behind the other: a
// product's sums are added to one after the other, a thread's runs follow each
// other, and barriers are waited at. L2 sends whole sectors of 32 bytes, so
// that narrow rows cost more. Partials of a split kernel stay in L2 where half
// of it holds them.
//
// Worked example: 8x4096 times 4096x4096 in f16 on 108 SMs at 1.555 TB/s moves
// 33.7 MB, 21.7 us. In 64 blocks of one per SM, each may draw at most twice its
// fair share of the bandwidth, so all of it is used; in 16 blocks at most
// 2 * 16/108 of it is, and the same bytes take 73 us.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_TUNING_COSTMODEL_H
#define PRISM_TUNING_COSTMODEL_H

#include "Prism/Plan/Target.h"
#include "Prism/Tuning/BlockWork.h"

namespace prism {

/// Work and traffic of a computation.
struct Work {
  double dramBytes = 0;   ///< distinct bytes read and written
  double tensorFlops = 0; ///< in f16 or bf16 products
  double otherFlops = 0;  ///< everything else
};

/// Assumptions of the model that the table of hardware facts does not hold.
struct CostAssumptions {
  /// Of the model, and of what is taken by it (Sizing.h): results that were
  /// kept under another one are found anew.
  static constexpr unsigned revision = 2;
  /// A launch behind another one on a stream that never runs dry, or in a CUDA
  /// graph: published gaps are 0.5 to 1 us, and the SMs drain and fill.
  static constexpr double launchUs = 1.5;
  /// An SM alone draws at most this many times its fair share of the bandwidth.
  static constexpr double bandwidthShare = 2.0;
  /// What one step of the loop waits for memory if nothing else runs on the SM.
  static constexpr double stepLatencyUs = 0.6;
};

/// Bytes of the operands and results of `kernel`, planned as `plan`, partials
/// included. No value if an extent of them is not known.
std::optional<double> countTensorBytes(KernelOp kernel, const KernelPlan &plan,
                                       SymbolValueFn symbolValue);

/// Modelled microseconds of one launch of `kernel`, planned as `plan`. No value
/// if an extent of its operands or results is not known.
std::optional<double> estimateKernelUs(KernelOp kernel, const KernelPlan &plan,
                                       const Target &target,
                                       SymbolValueFn symbolValue);

/// Modelled microseconds of the compute op `op` as a kernel of its own that
/// reads and writes whole tensors.
std::optional<double> estimateOpUs(ComputeOpInterface op, const Target &target,
                                   SymbolValueFn symbolValue);

/// Modelled microseconds of `program` run op by op.
std::optional<double> estimateUnfusedUs(ProgramOp program, const Target &target,
                                        SymbolValueFn symbolValue);

/// The larger of `program`'s bytes over bandwidth and operations over peak:
/// what no kernel can beat.
std::optional<double> estimateRooflineUs(ProgramOp program,
                                         const Target &target,
                                         SymbolValueFn symbolValue);

} // namespace prism

#endif // PRISM_TUNING_COSTMODEL_H
