//===- HostFaults.h - Faults of compiled host code --------------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Host code is a user's program: where it divides by zero or recurses without
// end, that is an error of the run and not the end of the process.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_EXECUTION_HOSTFAULTS_H
#define PRISM_LIB_EXECUTION_HOSTFAULTS_H

#include <csetjmp>
#include <csignal>
#include <memory>

namespace prism {

/// While one lives, a fault of this thread (SIGFPE, SIGSEGV, SIGBUS) jumps to
/// `unwind` with the signal's number. One at a time on a thread.
class HostFaults {
public:
  explicit HostFaults(sigjmp_buf &unwind);
  ~HostFaults();
  HostFaults(const HostFaults &) = delete;

  /// Faults of our own code, which host code calls, are not the user's.
  static void pause();
  static void resume();

  /// What a fault says to the user.
  static const char *describe(int signal);

private:
  static constexpr int signals[] = {SIGFPE, SIGSEGV, SIGBUS};

  struct sigaction before[3];
  /// A stack for the handler where the thread has none: that of the program may
  /// be used up.
  std::unique_ptr<char[]> stack;
};

/// `Fn` with faults paused while it runs.
template <auto Fn>
struct PausedFaults;
template <typename... Args, void (*Fn)(Args...)>
struct PausedFaults<Fn> {
  static void call(Args... args) {
    HostFaults::pause();
    Fn(args...);
    HostFaults::resume();
  }
};

} // namespace prism

#endif // PRISM_LIB_EXECUTION_HOSTFAULTS_H
