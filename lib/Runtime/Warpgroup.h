//===- Warpgroup.h - Matrix operations of four warps ------------*- C++ -*-===//
//
// wgmma: four consecutive warps multiply a 64 x K matrix A, in registers or
// shared memory, by a K x N matrix B in shared memory. The operation is carried
// out when a warp waits for its group, so what reads the result too early, or
// overwrites an operand, does so in every schedule.
//
// A matrix in shared memory is given by a 64-bit descriptor (PTX ISA, matrix
// descriptor format): start >> 4 in bits 0-13, leading offset >> 4 in 16-29,
// stride offset >> 4 in 32-45, swizzle in 62-63 (0 none, 1: 128, 2: 64, 3: 32
// bytes). With T = 16 bytes of elements, row r along M or N and column k, an
// element is at these bytes before swizzling (PTX ISA, canonical layouts):
//   K-major,  none: r%8 * 16 + r/8 * stride + k/T * leading + k%T elements
//   K-major,  S bytes: r%8 * S + r/8 * stride + k elements
//   MN-major, none: r%T elements + r/T * stride + k%8 * 16 + k/8 * leading
//   MN-major, S bytes: r%(S/16*T) elements + r/(S/16*T) * leading
//                      + k%8 * S + k/8 * stride
// Example: f16 K-major, 128 bytes, stride 1024: (9, 8) is at 1024 + 128 + 16.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_RUNTIME_WARPGROUP_H
#define PRISM_LIB_RUNTIME_WARPGROUP_H

#include "Program.h"

#include <deque>

namespace prism {

class BlockRunner;
class Warp;

constexpr unsigned warpgroupWarps = 4;

/// A matrix descriptor, taken apart.
struct MatrixDescriptor {
  uint64_t start, leading, stride; ///< in bytes
  unsigned swizzle;                ///< 0, 32, 64 or 128
  unsigned baseOffset;

  static MatrixDescriptor decode(uint64_t bits);

  /// The bytes from the start to the 16-byte chunk of (row, k), swizzling
  /// aside; the other coordinate is a multiple of a chunk's elements.
  uint64_t chunkOffset(unsigned row, unsigned k, unsigned elementBytes,
                       bool isKMajor) const;
};

/// One that was issued and not yet waited for by all four warps.
struct IssuedMatrixOp {
  const Op *op = nullptr;
  const WarpgroupMatrixOp *what = nullptr;
  uint64_t descriptorA = 0, descriptorB = 0;
  bool accumulates = true;
  unsigned issuers = 0; ///< a bit for each warp
  bool landed = false;
};

struct Warpgroup {
  std::deque<IssuedMatrixOp> queue;
  uint64_t first = 0; ///< number of the front of the queue
};

/// What one warp knows of its operations.
struct WarpMatrixState {
  uint64_t issued = 0;          ///< operations so far
  uint64_t waited = 0;          ///< those before are complete
  std::vector<uint64_t> groups; ///< operations before the end of each group
  /// By watched register: the last operation that writes (reads) it, plus 1;
  /// the line of an access since the last wgmma.fence, or 0.
  struct Register {
    uint64_t writtenBy = 0, readBy = 0;
    unsigned unfencedLine = 0;
    unsigned asyncLine = 0;
  };
  std::vector<Register> registers;
  bool hasFenced = false;
  bool hasYielded = false; ///< at the wait it is at

  void reset(uint32_t numWatched) {
    issued = waited = 0;
    groups.clear();
    registers.assign(numWatched, Register());
    hasFenced = hasYielded = false;
  }
};

/// Checks an ordinary operation that touches registers of wgmma.
void checkWatched(Warp &warp, const Op &op, uint32_t mask);

} // namespace prism

#endif // PRISM_LIB_RUNTIME_WARPGROUP_H
