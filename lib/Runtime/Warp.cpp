//===- Warp.cpp - Divergence within a warp --------------------------------===//
//
// Fragments of a warp: how they split at branches, wait for each other and
// rejoin. See Interpreter.h for the scheme.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace prism;

void Warp::resetFragments() {
  fragments.clear();
  nextPc = ~0u;
}

void Warp::updateNextPc() {
  nextPc = ~0u;
  for (const Fragment &fragment : fragments)
    if (!fragment.parked && !fragment.gaveWay)
      nextPc = std::min(nextPc, fragment.pc);
}

void Warp::giveWay() {
  if (nextPc == ~0u)
    return; // to nobody
  fragments.push_back({pc, mask, false, /*gaveWay=*/true});
  mask = 0;
  reschedule();
}

void Warp::branch(uint32_t target, uint32_t taken) {
  uint32_t rest = mask & ~taken;
  if (!rest) {
    pc = target;
    return;
  }
  ++pc;
  if (!taken)
    return;
  mask = rest;
  fragments.push_back({target, taken, false});
  updateNextPc();
}

void Warp::branchPerLane(const Op &op, uint32_t taken) {
  const std::vector<uint32_t> &table =
      block->launch.program.branchTables[op.target];
  const uint32_t *index = lanes<uint32_t>(op.a);
  uint32_t rest = mask & ~taken;
  while (taken) {
    unsigned first = llvm::countr_zero(taken);
    uint32_t group = 0;
    for (unsigned lane = first; lane < warpSize; ++lane)
      group |= uint32_t(index[lane] == index[first]) << lane;
    group &= taken;
    taken &= ~group;
    if (index[first] >= table.size()) {
      block->report(FindingKind::OutOfBounds, op, *this, first,
                    "branch table index " + llvm::Twine(index[first]) +
                        " is not below " + llvm::Twine(table.size()));
      block->abandon();
      return;
    }
    fragments.push_back({table[index[first]], group, false});
  }
  mask = rest;
  ++pc;
  reschedule();
}

void Warp::reschedule() {
  if (mask)
    fragments.push_back({pc, mask, false});
  mask = 0;
  updateNextPc();
  if (nextPc == ~0u) {
    // The others have come to an end, for now.
    for (Fragment &fragment : fragments)
      fragment.gaveWay = false;
    updateNextPc();
  }
  if (nextPc == ~0u) {
    if (fragments.empty())
      state = State::Exited;
    else
      reportStuck();
    return;
  }
  pc = nextPc;
  llvm::erase_if(fragments, [&](const Fragment &fragment) {
    if (fragment.parked || fragment.pc != pc)
      return false;
    mask |= fragment.mask;
    return true;
  });
  updateNextPc();
}

void Warp::exit(uint32_t leaving) {
  if (!stores.empty())
    exitWithStores(*this, leaving);
  live &= ~leaving;
  mask &= ~leaving;
  // Fewer lanes may be all that a parked operation waits for.
  for (Fragment &fragment : fragments)
    fragment.parked = false;
  if (mask) {
    ++pc;
    updateNextPc();
    return;
  }
  reschedule();
}

/// The lanes without which the operation cannot execute.
uint32_t Warp::requiredLanes(const Op &op, uint32_t arriving) {
  if (op.kind == OpKind::Barrier)
    return live;
  if (op.needsWholeWarp)
    return fullMask;
  return lanes<uint32_t>(op.members)[llvm::countr_zero(arriving)] & live;
}

/// Narrows `mask` to lanes that name the same members, all of whom are here;
/// the rest comes to the operation again. False if there are none.
bool Warp::takeGroup(const Op &op) {
  if (op.kind == OpKind::Barrier || op.needsWholeWarp) {
    uint32_t required = requiredLanes(op, mask);
    return (mask & required) == required;
  }
  const uint32_t *members = lanes<uint32_t>(op.members);
  for (uint32_t rest = mask; rest;) {
    uint32_t named = members[llvm::countr_zero(rest)], group = 0;
    for (unsigned lane = 0; lane < warpSize; ++lane)
      group |= uint32_t(members[lane] == named) << lane;
    group &= rest;
    if (uint32_t strangers = group & ~named) {
      unsigned lane = llvm::countr_zero(strangers);
      block->report(FindingKind::DivergentWarp, op, *this, lane,
                    "lane " + llvm::Twine(lane) +
                        " executes this without being in its member mask 0x" +
                        llvm::utohexstr(named));
      block->abandon();
      return false;
    }
    rest &= ~group;
    if (named & live & ~group)
      continue;
    if (uint32_t others = mask & ~group) {
      fragments.push_back({pc, others, false});
      mask = group;
      updateNextPc();
    }
    return true;
  }
  return false;
}

bool Warp::arrive(const Op &op, uint32_t arriving) {
  if (uint32_t rest = mask & ~arriving) {
    // Lanes whose guard is false pass by.
    fragments.push_back({pc + 1, rest, false});
    mask = arriving;
  }
  if (!mask) {
    reschedule();
    return false;
  }
  for (const Fragment &fragment : fragments)
    if (fragment.parked && fragment.pc == pc)
      mask |= fragment.mask;
  llvm::erase_if(fragments, [&](const Fragment &fragment) {
    return fragment.parked && fragment.pc == pc;
  });
  updateNextPc();
  if (takeGroup(op))
    return true;
  if (block->isAbandoned())
    return false;
  fragments.push_back({pc, mask, true});
  mask = 0;
  reschedule();
  return false;
}

void Warp::reportStuck() {
  const Fragment &first = fragments.front();
  const Program &program = block->launch.program;
  const Op &op = program.ops[first.pc];
  bool barrier = op.kind == OpKind::Barrier;
  std::string message =
      "lanes 0x" + llvm::utohexstr(first.mask) + " of warp " +
      std::to_string(index) + " wait here for lanes 0x" +
      llvm::utohexstr(requiredLanes(op, first.mask) & ~first.mask);
  uint32_t exited = fullMask & ~live;
  if (requiredLanes(op, first.mask) & exited)
    message += "; lanes 0x" + llvm::utohexstr(exited) +
               " have exited or hold no thread";
  for (const Fragment &other : llvm::drop_begin(fragments))
    message += "; lanes 0x" + llvm::utohexstr(other.mask) +
               " wait at PTX line " +
               std::to_string(program.ops[other.pc].line);
  block->report(barrier ? FindingKind::DivergentBarrier
                        : FindingKind::DivergentWarp,
                op, *this, llvm::countr_zero(first.mask), message);
  block->abandon();
}
