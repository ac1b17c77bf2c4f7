//===- Interpreter.h - Warps and blocks that execute ------------*- C++ -*-===//
//
// A warp executes in lockstep: one operation for all lanes whose program
// counter is the lowest. Lanes that branch away wait as a fragment and rejoin
// when the counters meet, so structured code reconverges; an operation that
// needs several lanes at once (shuffles, matrix operations, barriers) parks a
// fragment until the lanes it names arrive. This was chosen over one fiber per
// thread because dispatch is paid once for 32 lanes, lane loops vectorize, and
// warp-wide operations see all lanes' registers at once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_RUNTIME_INTERPRETER_H
#define PRISM_LIB_RUNTIME_INTERPRETER_H

#include "Async.h"
#include "Memory.h"
#include "Prism/Runtime/SimulatedDevice.h"
#include "Program.h"
#include "SharedShadow.h"
#include "Warpgroup.h"

#include "llvm/ADT/Twine.h"

#include <mutex>

namespace prism {

class BlockRunner;

/// The last write to some bytes of global memory in a launch. Blocks run on
/// several host threads; the last one in the order of blocks counts.
class WriteWatch {
public:
  WriteWatch(uint64_t begin, uint64_t bytes)
      : begin(begin), end(begin + bytes) {}

  bool concerns(uint64_t address, uint64_t bytes) const {
    return address < end && begin < address + bytes;
  }
  void note(uint64_t block, KernelPlace place);
  std::optional<KernelPlace> last;

private:
  uint64_t begin, end;
  std::mutex mutex;
  uint64_t lastBlock = 0;
};

/// What all blocks of a launch share.
struct LaunchContext {
  const Program &program;
  const PTXModule &module;
  GlobalMemory &memory;
  const SimulationOptions &options;
  Dim3 grid, block;
  uint32_t dynamicSharedBytes;
  std::vector<char> parameters;
  std::mutex atomics; ///< atomic operations on global memory take turns
  WriteWatch *watch = nullptr;

  uint64_t sharedBytes() const {
    return program.staticSharedBytes + dynamicSharedBytes;
  }
};

/// A cp.async that was issued and not yet waited for.
struct AsyncCopy {
  uint64_t target; ///< offset in shared memory
  const char *source;
  unsigned bytes, sourceBytes; ///< the rest is zero
  unsigned group;
  unsigned line;
  uint64_t number; ///< in its warp
};

class Warp {
public:
  enum class State { Running, Waiting, Exited };

  BlockRunner *block = nullptr;
  char *registers = nullptr;
  char *local = nullptr; ///< 32 times the kernel's local bytes
  uint32_t index = 0;
  uint32_t initial = 0; ///< lanes that hold a thread
  uint32_t live = 0;    ///< lanes that have not exited
  uint32_t mask = 0;    ///< lanes executing now, at pc
  uint32_t pc = 0;
  uint32_t carry = 0; ///< the condition code of add.cc, per lane
  uint32_t syncs = 0; ///< bar.warp.sync passed
  State state = State::Running;
  unsigned barrierId = 0;
  const Op *barrierOp = nullptr;
  std::vector<AsyncCopy> copies[warpSize];
  unsigned copyGroup[warpSize] = {};
  uint64_t copyNumber = 0; ///< copies issued by the warp
  std::vector<BulkCopy> stores;
  unsigned storeGroup[warpSize] = {};
  WarpMatrixState matrix;

  /// A wait that failed: the warp gives way to the others and then goes on
  /// behind the operation, or tries it again.
  enum class Suspension { None, AfterOp, BeforeOp };
  Suspension suspension = Suspension::None;
  void suspend(const Op &op, Suspension how) {
    suspension = how;
    waitOp = &op;
  }
  const Op *waitOp = nullptr;

  template <typename T>
  T *lanes(Slot slot) {
    return reinterpret_cast<T *>(registers + slot);
  }
  uint32_t &predicate(Slot slot) { return *lanes<uint32_t>(slot); }

  // Divergence.
  void branch(uint32_t target, uint32_t taken);
  void branchPerLane(const Op &op, uint32_t taken);
  void exit(uint32_t lanes);
  /// Continues with the fragment that is furthest behind.
  void reschedule();
  /// After a wait that failed: the other fragments go on first, however far
  /// ahead they are, as what is waited for may be theirs to do.
  void giveWay();
  /// True when some fragment is at or behind pc.
  bool mustReschedule() const { return pc >= nextPc; }
  /// Brings the lanes of `mask` to the operation at pc; true if it may execute
  /// now, for the lanes in this->mask. Others go on behind it.
  bool arrive(const Op &op, uint32_t arriving);
  void resetFragments();

private:
  struct Fragment {
    uint32_t pc;
    uint32_t mask;
    bool parked;
    bool gaveWay = false;
  };
  void updateNextPc();
  uint32_t requiredLanes(const Op &op, uint32_t arriving);
  bool takeGroup(const Op &op);
  void reportStuck();

  llvm::SmallVector<Fragment, 4> fragments;
  uint32_t nextPc = ~0u;
};

/// Runs one block after another; one per host thread.
class BlockRunner {
public:
  explicit BlockRunner(LaunchContext &launch);

  /// Runs the block at `position`; false if it had to be abandoned.
  void run(Dim3 position);

  /// Findings of the block just run.
  std::vector<Finding> takeFindings() { return std::move(findings); }
  uint64_t getSteps() const { return steps; }
  /// Work that takes as long as so many instructions of a warp.
  void addSteps(uint64_t count) { steps += count; }

  void report(FindingKind kind, const Op &op, const Warp &warp, unsigned lane,
              const llvm::Twine &message);
  /// A lane's write to global memory, if somebody watches the bytes.
  void noteWatched(const Op &op, const Warp &warp, unsigned lane,
                   uint64_t address, uint64_t bytes);
  /// Ends the block at once.
  void abandon() { abandoned = true; }
  bool isAbandoned() const { return abandoned; }
  /// The number of the block that runs, x varying fastest.
  uint32_t getLinearIndex() const {
    return position[0] +
           launch.grid[0] * (position[1] + launch.grid[1] * position[2]);
  }
  Dim3 threadAt(unsigned thread) const;
  std::string describeThread(unsigned thread) const;

  /// bar.sync knows 0 to 15.
  static constexpr unsigned numBarriers = 16;

  LaunchContext &launch;
  std::vector<char> shared;
  SharedShadow shadow;
  AsyncState async;
  std::vector<Warpgroup> warpgroups;
  Warp &getWarp(unsigned index) { return warps[index]; }
  unsigned getNumWarps() const { return warps.size(); }
  uint32_t epoch = 1; ///< block-wide synchronizations, from 1
  /// Per operation: the array it touched last.
  std::vector<Allocation *> arrayCache;

private:
  struct Barrier {
    unsigned arrivedWarps = 0;
    unsigned expectedThreads = 0; ///< 0: all
    unsigned popc = 0;
    bool all = true, any = false;
    bool used = false;
  };

  KernelPlace placeOf(const Op &op, const Warp &warp, unsigned lane) const;
  void startWarp(Warp &warp, unsigned index);
  enum class Round { Nothing, Suspended, Work };
  Round runRound();
  bool reportSuspended();
  void runWarp(Warp &warp);
  void arriveAtBarrier(Warp &warp, const Op &op);
  void completeBarriers();
  bool isComplete(unsigned id, const Barrier &barrier) const;
  void release(unsigned id, Barrier &barrier);
  void reportDeadlock();

  std::vector<char> image; ///< a warp's registers at its start
  std::vector<char> registerFile, localMemory;
  std::vector<Warp> warps;
  /// The last one is that of the cluster, which is this block.
  Barrier barriers[numBarriers + 1];
  std::vector<Finding> findings;
  Dim3 position = {0, 0, 0};
  uint64_t steps = 0;
  bool abandoned = false;
};

} // namespace prism

#endif // PRISM_LIB_RUNTIME_INTERPRETER_H
