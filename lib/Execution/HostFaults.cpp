//===- HostFaults.cpp - Faults of compiled host code ----------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostFaults.h"

#include <iterator>

using namespace prism;

// A signal handler gets no argument of ours: what it needs is the thread's.
static thread_local sigjmp_buf *target = nullptr;
static thread_local bool isPaused = false;

static void handle(int signal) {
  if (target && !isPaused)
    siglongjmp(*target, signal);
  // Not ours: the default handler gets it when the instruction is tried again.
  std::signal(signal, SIG_DFL);
}

HostFaults::HostFaults(sigjmp_buf &unwind) {
  stack_t current;
  constexpr size_t stackBytes = 64 * 1024;
  if (!sigaltstack(nullptr, &current) && (current.ss_flags & SS_DISABLE)) {
    stack.reset(new char[stackBytes]);
    stack_t own = {};
    own.ss_sp = stack.get();
    own.ss_size = stackBytes;
    sigaltstack(&own, nullptr);
  }
  struct sigaction action = {};
  action.sa_handler = handle;
  action.sa_flags = SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < std::size(signals); ++i)
    sigaction(signals[i], &action, &before[i]);
  target = &unwind;
  isPaused = false;
}

HostFaults::~HostFaults() {
  target = nullptr;
  for (size_t i = 0; i < std::size(signals); ++i)
    sigaction(signals[i], &before[i], nullptr);
  if (!stack)
    return;
  stack_t none = {};
  none.ss_flags = SS_DISABLE;
  sigaltstack(&none, nullptr);
}

void HostFaults::pause() { isPaused = true; }
void HostFaults::resume() { isPaused = false; }

const char *HostFaults::describe(int signal) {
  return signal == SIGFPE
             ? "host code divides an integer by zero, or the least integer by "
               "-1"
             : "host code touches memory that it does not have: it recurses "
               "too deep, or indexes without the checks";
}
