//===- Target.h - Facts about the GPUs we compile for -----------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one table of hardware facts. Limits are those of the CUDA programming
// guide's table of compute capabilities; rates are the vendor's data-sheet
// numbers (dense, boost clock) of one representative product. Those of A100 and
// H100 have been compared with published sheets; the others, and the rates of
// L2, were written from memory. Nothing here was measured by this project.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_PLAN_TARGET_H
#define PRISM_PLAN_TARGET_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace prism {

/// A GPU architecture, with the rates of one product that has it.
struct Target {
  llvm::StringLiteral name;     ///< `sm_80`; what LLVM and ptxas call it
  llvm::StringLiteral product;  ///< whose rates these are
  llvm::StringLiteral features; ///< LLVM features: the PTX version to write

  // Limits.
  int64_t staticSharedBytes;   ///< per block without opting in
  int64_t maxSharedBytes;      ///< per block, dynamic, opted in
  int64_t sharedBytesPerSM;    ///< for all blocks of an SM
  int64_t reservedSharedBytes; ///< taken from an SM by each of its blocks
  int64_t registersPerSM;      ///< 32-bit registers
  int64_t maxRegisters;        ///< per thread
  int64_t maxThreadsPerBlock;
  int64_t maxThreadsPerSM;
  int64_t maxBlocksPerSM;

  // Rates.
  int64_t numSMs;
  double dramBytesPerSecond;
  double l2BytesPerSecond; ///< all SMs reading what is in L2; rough
  int64_t l2Bytes;
  double tensorFlopsPerSecond; ///< f16 or bf16 products, f32 sums, dense
  double f32FlopsPerSecond;    ///< FMA pipes; an FMA counts as 2

  /// Whether kernels load tiles by bulk tensor copies (TMA), whose tensor maps
  /// the host makes.
  bool hasTensorMaps;

  /// The same for launches that make no tensor maps.
  Target withoutTensorMaps() const {
    Target plain = *this;
    plain.hasTensorMaps = false;
    return plain;
  }

  /// Most extent of a tensor copy's box along a dim, and most dims.
  static constexpr int64_t maxBoxExtent = 256;
  static constexpr int64_t maxBoxRank = 5;

  /// Largest number of blocks in gridDim.x.
  static constexpr int64_t maxGridBlocks = 2147483647;
  static constexpr int64_t warpSize = 32;
  /// What the L2 cache sends at least.
  static constexpr int64_t sectorBytes = 32;
  /// What shared memory sends, and warps issue, in a cycle of an SM.
  static constexpr double sharedBytesPerCycle = 128, instructionsPerCycle = 4;
  /// Assumed of all, where cycles become seconds.
  static constexpr double clockHz = 1.4e9;
};

/// The target called `name`, or null.
const Target *lookupTarget(llvm::StringRef name);
/// All targets, oldest first.
llvm::ArrayRef<Target> getTargets();
llvm::SmallVector<llvm::StringRef> getTargetNames();

} // namespace prism

#endif // PRISM_PLAN_TARGET_H
