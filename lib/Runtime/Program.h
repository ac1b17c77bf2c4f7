//===- Program.h - Decoded kernels ------------------------------*- C++ -*-===//
//
// A kernel ready to execute: a flat list of operations, each a function that
// does its work for all active lanes of a warp.
//
// A warp's registers are one block of memory. A register's slot holds the
// values of the 32 lanes side by side, in the register's own width (1, 2, 4, 8
// or 16 bytes); a predicate is one 32-bit mask. Constants and special registers
// have slots too, so an operation never asks what kind an operand is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_RUNTIME_PROGRAM_H
#define PRISM_LIB_RUNTIME_PROGRAM_H

#include "Prism/Runtime/PTXModule.h"

#include <cstdint>
#include <string>
#include <vector>

namespace prism {

class Warp;
struct Op;

constexpr unsigned warpSize = 32;
constexpr uint32_t fullMask = ~0u;

/// Offset of a slot in a warp's registers, in bytes.
using Slot = uint32_t;

/// Executes an operation for the lanes in `mask`, which is never empty.
using ExecFn = void (*)(Warp &warp, const Op &op, uint32_t mask);

/// What the interpreter's loop has to know about an operation.
enum class OpKind : uint8_t {
  Plain,       ///< each lane for itself
  Branch,      ///< to `target`
  BranchTable, ///< to entry `a` of table `target`
  Exit,
  Trap,
  Collective, ///< executes once all lanes in the mask in slot `members` arrive
  Barrier,    ///< suspends the warp
  Wait,       ///< may suspend the warp; all lanes for themselves
  WarpWait,   ///< likewise, but of all lanes together
};

enum class BarrierAction : uint8_t {
  Sync,
  Cluster, ///< of the cluster, which is this block
  Arrive,
  RedPopc,
  RedAnd,
  RedOr,
};

struct Op {
  ExecFn exec = nullptr;
  OpKind kind = OpKind::Plain;
  bool guarded = false;
  bool guardNegated = false;
  PTXSpace space = PTXSpace::Generic;
  bool shortAddress = false; ///< the address register has 32 bits
  BarrierAction barrier = BarrierAction::Sync;
  bool needsWholeWarp = false; ///< Collective: exited lanes are a fault too
  uint8_t bytes = 0;           ///< memory: width of an element
  uint8_t count = 1;           ///< memory, matrix: elements per lane
  uint8_t mode = 0;            ///< the operation's own flags
  Slot guard = 0;
  Slot dst = 0, a = 0, b = 0, c = 0, d = 0;
  Slot members = 0;
  uint32_t target = 0;
  uint32_t list = 0;        ///< first of further slots in Program::lists
  uint32_t usedBytes = ~0u; ///< load: a bit for each byte that is used
  int64_t imm = 0;
  uint32_t watch = 0; ///< accesses to registers of wgmma; 0: none
  unsigned line = 0, loc = 0;
};

/// A register whose value the hardware provides.
enum class SpecialRegister {
  TidX,
  TidY,
  TidZ,
  NtidX,
  NtidY,
  NtidZ,
  CtaidX,
  CtaidY,
  CtaidZ,
  NctaidX,
  NctaidY,
  NctaidZ,
  LaneId,
  WarpId,
  NWarpId,
  LanemaskEq,
  LanemaskLe,
  LanemaskLt,
  LanemaskGe,
  LanemaskGt,
  DynamicSmemSize,
  TotalSmemSize,
  Zero,
  One,
};

/// What a wgmma.mma_async computes; made once by the decoder.
struct WarpgroupMatrixOp {
  unsigned n = 0, k = 0;
  PTXType element = PTXType::F16; ///< of A and B
  bool halfSums = false;          ///< D is f16
  bool aInRegisters = false;
  bool transposeA = false, transposeB = false;
  int scaleA = 1, scaleB = 1;
  std::vector<Slot> d, a; ///< registers
  uint32_t watch = 0;     ///< the same in Program::watches
};

struct Program {
  std::string name;
  std::vector<Op> ops;
  std::vector<Slot> lists;
  std::vector<std::vector<uint32_t>> branchTables;

  Slot registerBytes = 0;
  struct Constant {
    Slot slot;
    unsigned width;
    uint64_t value;
  };
  std::vector<Constant> constants;
  struct Special {
    Slot slot;
    unsigned width;
    SpecialRegister which;
  };
  std::vector<Special> specials;

  std::vector<WarpgroupMatrixOp> matrixOps; ///< by Op::target
  /// Accesses to registers that wgmma operates on, by Op::watch: which, of
  /// `numWatched`, and whether it is written.
  struct Access {
    uint32_t index;
    bool isWrite;
  };
  std::vector<std::vector<Access>> watches = {{}};
  uint32_t numWatched = 0;
  bool usesAsyncProxy = false;

  uint64_t staticSharedBytes = 0; ///< where dynamic shared memory starts
  uint64_t localBytes = 0;        ///< per thread
  uint64_t parameterBytes = 0;
  std::vector<PTXVariable> parameters;
  /// The narrowest access to shared memory: what races are tracked by.
  unsigned sharedGranule = 16;
  /// The narrowest access to global memory, likewise.
  unsigned globalGranule = 16;
  /// Atomics or fences may order blocks, in ways that are not tracked.
  bool ordersBlocks = false;
  std::optional<std::array<uint32_t, 3>> reqntid, maxntid;
};

} // namespace prism

#endif // PRISM_LIB_RUNTIME_PROGRAM_H
