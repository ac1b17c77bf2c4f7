//===- Interpreter.cpp - Blocks that execute ------------------------------===//
//
// The interpreter's loop, barriers, and the start of blocks and warps.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cstring>

using namespace prism;

//===----------------------------------------------------------------------===//
// Start
//===----------------------------------------------------------------------===//

BlockRunner::BlockRunner(LaunchContext &launch) : launch(launch) {
  const Program &program = launch.program;
  unsigned threads = launch.block[0] * launch.block[1] * launch.block[2];
  unsigned count = (threads + warpSize - 1) / warpSize;
  image.assign(program.registerBytes, char(poisonByte));
  for (const Program::Constant &constant : program.constants)
    for (unsigned lane = 0; lane < warpSize; ++lane)
      std::memcpy(image.data() + constant.slot + lane * constant.width,
                  &constant.value, constant.width);
  // A cache line between warps keeps their slots off each other's sets.
  size_t stride = image.size() + 64;
  registerFile.resize(stride * count + 64);
  localMemory.resize(program.localBytes * warpSize * count);
  arrayCache.assign(program.ops.size(), nullptr);
  warps.resize(count);
  auto address = reinterpret_cast<uintptr_t>(registerFile.data());
  char *aligned = registerFile.data() + (64 - address % 64) % 64;
  for (unsigned i = 0; i < count; ++i) {
    warps[i].block = this;
    warps[i].registers = aligned + i * stride;
    warps[i].local = localMemory.data() + i * program.localBytes * warpSize;
  }
}

Dim3 BlockRunner::threadAt(unsigned thread) const {
  const Dim3 &block = launch.block;
  return {thread % block[0], thread / block[0] % block[1],
          thread / block[0] / block[1]};
}

std::string BlockRunner::describeThread(unsigned thread) const {
  Dim3 at = threadAt(thread);
  return "thread (" + std::to_string(at[0]) + "," + std::to_string(at[1]) +
         "," + std::to_string(at[2]) + ")";
}

static uint32_t specialValue(SpecialRegister which, const LaunchContext &launch,
                             Dim3 position, Dim3 thread, unsigned warp,
                             unsigned lane) {
  switch (which) {
  case SpecialRegister::TidX:
    return thread[0];
  case SpecialRegister::TidY:
    return thread[1];
  case SpecialRegister::TidZ:
    return thread[2];
  case SpecialRegister::NtidX:
    return launch.block[0];
  case SpecialRegister::NtidY:
    return launch.block[1];
  case SpecialRegister::NtidZ:
    return launch.block[2];
  case SpecialRegister::CtaidX:
    return position[0];
  case SpecialRegister::CtaidY:
    return position[1];
  case SpecialRegister::CtaidZ:
    return position[2];
  case SpecialRegister::NctaidX:
    return launch.grid[0];
  case SpecialRegister::NctaidY:
    return launch.grid[1];
  case SpecialRegister::NctaidZ:
    return launch.grid[2];
  case SpecialRegister::LaneId:
    return lane;
  case SpecialRegister::WarpId:
    return warp;
  case SpecialRegister::NWarpId:
    return (launch.block[0] * launch.block[1] * launch.block[2] + warpSize -
            1) /
           warpSize;
  case SpecialRegister::LanemaskEq:
    return 1u << lane;
  case SpecialRegister::LanemaskLe:
    return (2u << lane) - 1;
  case SpecialRegister::LanemaskLt:
    return (1u << lane) - 1;
  case SpecialRegister::LanemaskGe:
    return ~((1u << lane) - 1);
  case SpecialRegister::LanemaskGt:
    return ~((2u << lane) - 1);
  case SpecialRegister::DynamicSmemSize:
    return launch.dynamicSharedBytes;
  case SpecialRegister::TotalSmemSize:
    return launch.sharedBytes();
  case SpecialRegister::Zero:
    return 0;
  case SpecialRegister::One:
    return 1;
  }
  return 0;
}

void BlockRunner::startWarp(Warp &warp, unsigned index) {
  unsigned threads = launch.block[0] * launch.block[1] * launch.block[2];
  unsigned count = std::min(warpSize, threads - index * warpSize);
  warp.index = index;
  warp.initial = count == warpSize ? fullMask : (1u << count) - 1;
  warp.live = warp.mask = warp.initial;
  warp.pc = warp.carry = warp.syncs = 0;
  warp.state = Warp::State::Running;
  warp.resetFragments();
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    warp.copies[lane].clear();
    warp.copyGroup[lane] = 0;
    warp.storeGroup[lane] = 0;
  }
  warp.copyNumber = 0;
  warp.stores.clear();
  warp.matrix.reset(launch.program.numWatched);
  warp.suspension = Warp::Suspension::None;
  std::memcpy(warp.registers, image.data(), image.size());
  std::fill_n(warp.local, launch.program.localBytes * warpSize,
              char(poisonByte));
  for (const Program::Special &special : launch.program.specials) {
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      uint64_t value =
          specialValue(special.which, launch, position,
                       threadAt(index * warpSize + lane), index, lane);
      std::memcpy(warp.registers + special.slot + lane * special.width, &value,
                  special.width);
    }
  }
}

void BlockRunner::run(Dim3 at) {
  position = at;
  findings.clear();
  steps = 0;
  epoch = 1;
  abandoned = false;
  std::fill(std::begin(barriers), std::end(barriers), Barrier());
  shared.assign(launch.sharedBytes(), char(poisonByte));
  async.reset(launch.sharedBytes(),
              launch.program.usesAsyncProxy && launch.options.checkRaces);
  warpgroups.assign((warps.size() + warpgroupWarps - 1) / warpgroupWarps,
                    Warpgroup());
  shadow.reset(launch.sharedBytes(), launch.program.sharedGranule,
               launch.options.checkRaces);
  for (unsigned i = 0; i < warps.size(); ++i)
    startWarp(warps[i], i);
  // Rounds in which every warp that runs only finds again that what it waits
  // for has not happened.
  constexpr unsigned mostIdleRounds = 1 << 12;
  unsigned idleRounds = 0;
  while (!abandoned && idleRounds < mostIdleRounds) {
    uint64_t before = async.version;
    Round round = runRound();
    if (round == Round::Nothing)
      break;
    bool isIdle = round == Round::Suspended && before == async.version;
    idleRounds = isIdle ? idleRounds + 1 : 0;
  }
  if (!abandoned)
    reportDeadlock();
}

/// Gives every warp that can run a turn.
BlockRunner::Round BlockRunner::runRound() {
  bool reverse = launch.options.warpOrder == ScheduleOrder::Reverse;
  Round round = Round::Nothing;
  for (unsigned i = 0; i < warps.size() && !abandoned; ++i) {
    Warp &warp = warps[reverse ? warps.size() - 1 - i : i];
    if (warp.state != Warp::State::Running)
      continue;
    runWarp(warp);
    bool isSuspended = warp.suspension != Warp::Suspension::None;
    if (!isSuspended)
      round = Round::Work;
    else if (round == Round::Nothing)
      round = Round::Suspended;
    completeBarriers();
  }
  return round;
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

void BlockRunner::runWarp(Warp &warp) {
  const Op *ops = launch.program.ops.data();
  const uint64_t limit = launch.options.stepLimit;
  warp.suspension = Warp::Suspension::None;
  while (warp.state == Warp::State::Running && !abandoned) {
    if (warp.mustReschedule()) {
      warp.reschedule();
      continue;
    }
    const Op &op = ops[warp.pc];
    uint32_t mask = warp.mask;
    if (op.guarded) {
      uint32_t guard = warp.predicate(op.guard);
      mask &= op.guardNegated ? ~guard : guard;
    }
    if (++steps > limit) {
      report(FindingKind::StepLimit, op, warp, llvm::countr_zero(warp.mask),
             "the block is still running after " + llvm::Twine(limit) +
                 " warp instructions");
      return abandon();
    }
    if (op.watch)
      checkWatched(warp, op, mask);
    switch (op.kind) {
    case OpKind::Plain:
      ++warp.pc;
      if (mask)
        op.exec(warp, op, mask);
      break;
    case OpKind::Branch:
      warp.branch(op.target, mask);
      break;
    case OpKind::BranchTable:
      warp.branchPerLane(op, mask);
      break;
    case OpKind::Exit:
      if (mask)
        warp.exit(mask);
      else
        ++warp.pc;
      break;
    case OpKind::Trap:
      if (!mask) {
        ++warp.pc;
        break;
      }
      report(FindingKind::Trap, op, warp, llvm::countr_zero(mask),
             "the kernel gave up here");
      return abandon();
    case OpKind::Collective:
      if (warp.arrive(op, mask)) {
        ++warp.pc;
        op.exec(warp, op, warp.mask);
      }
      break;
    case OpKind::Barrier:
      if (warp.arrive(op, mask)) {
        ++warp.pc;
        arriveAtBarrier(warp, op);
      }
      break;
    case OpKind::Wait:
      ++warp.pc;
      if (mask)
        op.exec(warp, op, mask);
      if (warp.suspension != Warp::Suspension::None)
        return warp.giveWay();
      break;
    case OpKind::WarpWait:
      if (warp.arrive(op, mask)) {
        op.exec(warp, op, warp.mask);
        if (warp.suspension != Warp::Suspension::None)
          return;
        ++warp.pc;
      }
      break;
    }
  }
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

/// Operands: `a` the barrier's number, `b` the thread count (0: all), `c` the
/// predicate of a reduction, `dst` its result.
void BlockRunner::arriveAtBarrier(Warp &warp, const Op &op) {
  unsigned lane = llvm::countr_zero(warp.mask);
  unsigned id = warp.lanes<uint32_t>(op.a)[lane];
  unsigned threads = warp.lanes<uint32_t>(op.b)[lane];
  bool isCluster = op.barrier == BarrierAction::Cluster;
  if ((!isCluster && id >= numBarriers) || threads % warpSize) {
    report(FindingKind::DivergentBarrier, op, warp, lane,
           id >= numBarriers ? "barrier " + std::to_string(id) +
                                   " does not exist (0 to 15 do)"
                             : "thread count " + std::to_string(threads) +
                                   " is not a multiple of 32");
    return abandon();
  }
  Barrier &barrier = barriers[id];
  if (barrier.used && barrier.expectedThreads != threads) {
    report(FindingKind::DivergentBarrier, op, warp, lane,
           "barrier " + llvm::Twine(id) + " is used with " +
               llvm::Twine(threads) + " and with " +
               llvm::Twine(barrier.expectedThreads) +
               " threads at once (0 means all)");
    return abandon();
  }
  barrier.used = true;
  barrier.expectedThreads = threads;
  ++barrier.arrivedWarps;
  if (op.barrier >= BarrierAction::RedPopc) {
    uint32_t bits = warp.predicate(op.c);
    bits &= warp.mask;
    barrier.popc += llvm::popcount(bits);
    barrier.all &= bits == warp.mask;
    barrier.any |= bits != 0;
  }
  if (op.barrier == BarrierAction::Arrive)
    return;
  warp.state = Warp::State::Waiting;
  warp.barrierId = id;
  warp.barrierOp = &op;
}

bool BlockRunner::isComplete(unsigned id, const Barrier &barrier) const {
  if (!barrier.used)
    return false;
  if (barrier.expectedThreads)
    return barrier.arrivedWarps * warpSize >= barrier.expectedThreads;
  unsigned gone = llvm::count_if(warps, [](const Warp &warp) {
    return warp.state == Warp::State::Exited;
  });
  return barrier.arrivedWarps + gone >= warps.size();
}

void BlockRunner::release(unsigned id, Barrier &barrier) {
  Barrier done = barrier;
  barrier = Barrier();
  ++epoch;
  bool reported = done.expectedThreads != 0;
  for (Warp &warp : warps) {
    if (warp.state != Warp::State::Waiting || warp.barrierId != id)
      continue;
    const Op &op = *warp.barrierOp;
    if (!reported) {
      // All threads are meant to meet here; those that have exited did not.
      for (const Warp &other : warps) {
        uint32_t missing = other.initial & ~other.live;
        if (!missing || reported)
          continue;
        report(FindingKind::DivergentBarrier, op, warp,
               llvm::countr_zero(warp.mask),
               describeThread(other.index * warpSize +
                              llvm::countr_zero(missing)) +
                   " has exited without reaching this barrier");
        reported = true;
      }
    }
    warp.state = Warp::State::Running;
    if (op.barrier < BarrierAction::RedPopc)
      continue;
    if (op.barrier == BarrierAction::RedPopc) {
      for (unsigned lane = 0; lane < warpSize; ++lane)
        if (warp.mask >> lane & 1)
          warp.lanes<uint32_t>(op.dst)[lane] = done.popc;
      continue;
    }
    bool value = op.barrier == BarrierAction::RedAnd ? done.all : done.any;
    uint32_t &result = warp.predicate(op.dst);
    result = (result & ~warp.mask) | (value ? warp.mask : 0);
  }
}

void BlockRunner::completeBarriers() {
  for (unsigned id = 0; id < std::size(barriers); ++id)
    if (isComplete(id, barriers[id]))
      release(id, barriers[id]);
}

/// The first suspended warp, and what it waits for.
bool BlockRunner::reportSuspended() {
  for (Warp &warp : warps) {
    if (warp.state != Warp::State::Running ||
        warp.suspension == Warp::Suspension::None)
      continue;
    unsigned lane = llvm::countr_zero(warp.live);
    report(FindingKind::Deadlock, *warp.waitOp, warp, lane,
           describeWait(warp, *warp.waitOp));
    return true;
  }
  return false;
}

void BlockRunner::reportDeadlock() {
  if (reportSuspended())
    return;
  for (const Warp &warp : warps) {
    if (warp.state != Warp::State::Waiting)
      continue;
    const Barrier &barrier = barriers[warp.barrierId];
    std::string expected = barrier.expectedThreads
                               ? std::to_string(barrier.expectedThreads)
                               : std::string("all");
    report(FindingKind::Deadlock, *warp.barrierOp, warp,
           llvm::countr_zero(warp.mask),
           "barrier " + llvm::Twine(warp.barrierId) + " waits for " + expected +
               " threads, " + llvm::Twine(barrier.arrivedWarps) +
               " warps have arrived and no more will");
    return;
  }
}

//===----------------------------------------------------------------------===//
// Findings
//===----------------------------------------------------------------------===//

void BlockRunner::report(FindingKind kind, const Op &op, const Warp &warp,
                         unsigned lane, const llvm::Twine &message) {
  for (const Finding &known : findings)
    if (known.kind == kind && known.line == op.line)
      return;
  if (findings.size() >= launch.options.maxFindings)
    return;
  findings.push_back({placeOf(op, warp, lane), kind, message.str()});
}

KernelPlace BlockRunner::placeOf(const Op &op, const Warp &warp,
                                 unsigned lane) const {
  KernelPlace place;
  place.kernel = launch.program.name;
  place.block = position;
  place.thread = threadAt(warp.index * warpSize + lane);
  place.line = op.line;
  const PTXLocation &loc = launch.module.locations[op.loc];
  if (loc.file < launch.module.files.size())
    place.sourceFile = launch.module.files[loc.file].str();
  place.sourceLine = loc.line;
  return place;
}

void BlockRunner::noteWatched(const Op &op, const Warp &warp, unsigned lane,
                              uint64_t address, uint64_t bytes) {
  if (launch.watch && launch.watch->concerns(address, bytes))
    launch.watch->note(getLinearIndex(), placeOf(op, warp, lane));
}

void WriteWatch::note(uint64_t block, KernelPlace place) {
  std::lock_guard<std::mutex> lock(mutex);
  if (last && block < lastBlock)
    return;
  last = std::move(place);
  lastBlock = block;
}
