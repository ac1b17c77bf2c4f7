//===- Async.h - Asynchronous work of a block -------------------*- C++ -*-===//
//
// mbarriers, bulk copies and the two proxies (ways to memory) of sm_90.
//
// A bulk load lands in shared memory when a thread waits successfully for the
// mbarrier phase that counted its bytes, not before; until then its target is
// in flight. A bulk store reads shared memory when its thread waits for its
// group; until then nobody may write there. So a missing, weak or wrong wait
// shows in every schedule.
//
// Copies and matrix operations on shared memory go through the async proxy. It
// sees what ordinary instructions have written only if a fence.proxy.async, by
// the writer or by the thread that issues the operation, lies between.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_RUNTIME_ASYNC_H
#define PRISM_LIB_RUNTIME_ASYNC_H

#include "Program.h"
#include "TensorBox.h"

#include <array>
#include <map>
#include <optional>

namespace prism {

class BlockRunner;
class Warp;
struct AsyncCopy;

/// A bulk copy between global and shared memory.
struct BulkCopy {
  std::optional<TensorMap> map; ///< none: `bytes` bytes in a row
  std::array<int32_t, TensorMap::maxRank> coordinates = {};
  uint64_t global = 0;  ///< address of the array's or the copy's start
  char *host = nullptr; ///< the same on the host
  uint64_t shared = 0;  ///< offset in shared memory
  uint64_t bytes = 0;
  const Op *op = nullptr;
  unsigned lane = 0;  ///< stores: the thread that issued it
  unsigned group = 0; ///< stores: the thread's bulk group
};

/// An mbarrier object. A phase completes when no arrivals and no bytes are
/// pending; then `pending` is `expected` again.
struct Mbarrier {
  uint32_t expected = 0, pending = 0;
  int64_t pendingBytes = 0;       ///< expected minus arrived; may be below zero
  int64_t phase = 0;              ///< phases completed
  unsigned line = 0;              ///< where it was initialized
  std::vector<BulkCopy> inFlight; ///< not counted yet
  std::vector<BulkCopy> counted;  ///< in the current phase
  std::vector<BulkCopy> completed; ///< by a phase nobody has waited for
  /// cp.async.mbarrier.arrive: arrivals once a thread's copies have landed.
  struct Deferred {
    Warp *warp;
    unsigned lane;
    uint64_t copies; ///< those with lower numbers
    const Op *op;
  };
  std::vector<Deferred> deferred;
};

class AsyncState {
public:
  void reset(uint64_t sharedBytes, bool tracksProxies);

  /// Grows with everything a waiting warp may wait for.
  uint64_t version = 0;
  std::map<uint64_t, Mbarrier> mbarriers; ///< by offset in shared memory

  // Proxies.
  /// An ordinary write by `thread` of the block.
  void noteWrite(unsigned thread, uint64_t offset, uint64_t bytes);
  /// The bytes come from the async proxy from now on; `swizzle`: that of the
  /// tensor map that brought them, if one did.
  void noteAsyncWrite(uint64_t offset, uint64_t bytes,
                      std::optional<unsigned> swizzle);
  /// The swizzle of the tensor copy that brought the 16 bytes there, if one
  /// did and nothing has written there since.
  std::optional<unsigned> getSwizzle(uint64_t offset) const;
  void fence(unsigned thread);
  /// The thread whose write in the range `thread`'s async operations do not
  /// see, if any.
  std::optional<unsigned> findUnfenced(unsigned thread, uint64_t offset,
                                       uint64_t bytes) const;

private:
  /// Per 16 bytes: the last ordinary write and when; 0: none.
  struct Write {
    uint16_t thread = 0;
    uint32_t time = 0;
    std::optional<uint8_t> swizzle; ///< of a tensor copy that came later
  };
  static constexpr unsigned cellShift = 4;
  std::vector<Write> writes;    ///< empty if not tracked
  std::vector<uint32_t> fences; ///< by thread: when it last fenced
  uint32_t time = 1;
};

/// Brings a load's bytes to shared memory; its place was checked before.
void landLoad(BlockRunner &block, const BulkCopy &copy);

/// Ends the stores of a lane whose group is before `end`.
void finishStores(Warp &warp, unsigned lane, unsigned end);

/// An arrival of `count` threads; false if it is one too many, which is
/// reported.
bool arriveAt(Warp &warp, const Op &op, unsigned lane, Mbarrier &mbarrier,
              uint32_t count);

/// mbarrier.complete_tx.
void completeBytes(Warp &warp, Mbarrier &mbarrier, uint32_t bytes);

/// Lets copies on their way to the mbarrier arrive until `phase` completes.
void advance(Warp &warp, Mbarrier &mbarrier, int64_t phase);

/// The mbarrier at an offset in shared memory; null if there is none, which is
/// reported.
Mbarrier *findMbarrier(Warp &warp, const Op &op, unsigned lane,
                       uint64_t offset);

/// What a warp that is suspended at `op` waits for.
std::string describeWait(Warp &warp, const Op &op);

/// Ends the stores of lanes that exit; it is a fault if there are any.
void exitWithStores(Warp &warp, uint32_t leaving);

/// Lands a lane's copies by cp.async, oldest first, while `isDone` holds.
void landCopies(Warp &warp, const Op &op, unsigned lane,
                llvm::function_ref<bool(const AsyncCopy &)> isDone);

} // namespace prism

#endif // PRISM_LIB_RUNTIME_ASYNC_H
