//===- Access.h - Checked accesses of one lane ------------------*- C++ -*-===//
//
// Every load, store, atomic and copy of the simulated device goes through
// these. An access that is wrong is reported and not made.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_RUNTIME_ACCESS_H
#define PRISM_LIB_RUNTIME_ACCESS_H

#include "Interpreter.h"

namespace prism {

enum class AccessKind { Read, Write, Atomic };

/// The way an access takes to memory (see Async.h).
enum class Proxy { Generic, Async };

/// A place in memory that an access has been allowed to touch.
struct Place {
  char *host = nullptr;              ///< null: the access was refused
  unsigned char *shadow = nullptr;   ///< global memory only
  PTXSpace space = PTXSpace::Global; ///< never Generic
  uint64_t address = 0;              ///< in that space
  Allocation *array = nullptr; ///< global memory that the host did not fill
};

/// The address a lane's operand names.
inline uint64_t addressOf(Warp &warp, const Op &op, unsigned lane) {
  uint64_t base = op.shortAddress ? warp.lanes<uint32_t>(op.a)[lane]
                                  : warp.lanes<uint64_t>(op.a)[lane];
  return base + op.imm;
}

/// Resolves an address: window, bounds, alignment (0: that of `bytes`),
/// permission.
Place resolve(Warp &warp, const Op &op, unsigned lane, PTXSpace space,
              uint64_t address, uint64_t bytes, AccessKind kind,
              unsigned align = 0);

/// Checks a resolved read: written before, no copy in flight, no race.
void checkRead(Warp &warp, const Op &op, unsigned lane, const Place &place,
               uint64_t bytes);

/// Checks a resolved write of `data` and marks the bytes as written.
void checkWrite(Warp &warp, const Op &op, unsigned lane, const Place &place,
                uint64_t bytes, const void *data, bool atomic,
                Proxy proxy = Proxy::Generic);

/// A read of `bytes` bytes of shared memory, an offset divisible by `align`, by
/// an asynchronous operation: bounds, contents, order and proxy. False if it is
/// out of bounds.
bool checkAsyncRead(Warp &warp, const Op &op, unsigned lane, uint64_t offset,
                    uint64_t bytes, unsigned align);

/// A whole read; the poison is read where it is refused.
bool readMemory(Warp &warp, const Op &op, unsigned lane, PTXSpace space,
                uint64_t address, unsigned bytes, void *data);

/// A whole write.
void writeMemory(Warp &warp, const Op &op, unsigned lane, PTXSpace space,
                 uint64_t address, unsigned bytes, const void *data);

/// Who an access of a lane is by.
inline Accessor accessorOf(const Warp &warp, unsigned lane) {
  return {uint16_t(warp.index * warpSize + lane), warp.block->epoch,
          warp.syncs};
}

constexpr unsigned cellBytes = 16;

/// True if 16 bytes at an offset are a cell inside shared memory.
inline bool isCell(const BlockRunner &block, uint64_t offset) {
  return offset % cellBytes == 0 && offset + cellBytes <= block.shared.size() &&
         offset < windowBytes;
}

/// readMemory of 16 bytes; quick where shared memory is in order.
inline void readCell(Warp &warp, const Op &op, unsigned lane, uint64_t address,
                     void *data) {
  BlockRunner &block = *warp.block;
  if (op.space == PTXSpace::Shared && isCell(block, address) &&
      block.shadow.tryReadCell(accessorOf(warp, lane), address, op.line))
    std::memcpy(data, block.shared.data() + address, cellBytes);
  else
    readMemory(warp, op, lane, op.space, address, cellBytes, data);
}

} // namespace prism

#endif // PRISM_LIB_RUNTIME_ACCESS_H
