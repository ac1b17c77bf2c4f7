//===- Timings.h - Measured times of candidates -----------------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a machine with a GPU measured, as the option `timings` reads it:
//
//   {"version": 1, "timings": [
//     {"kernel": "6d0f...", "target": "sm_90a", "toolchain": "LLVM 22.1.0",
//      "shapes": [[8, 4096], [4096, 4096]], "microseconds": 11.4}]}
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_MEASUREMENT_TIMINGS_H
#define PRISM_MEASUREMENT_TIMINGS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace prism {

/// What a time is of. All that the kernels of a candidate depend on is in the
/// hash of their PTX; shapes are those of its arguments, in order.
struct TimingKey {
  std::string kernel;    ///< hashKernels of the PTX
  std::string target;    ///< "sm_90a"
  std::string toolchain; ///< what made code of the PTX
  std::vector<std::vector<int64_t>> shapes;

  bool operator<(const TimingKey &other) const;
  llvm::json::Object toJSON() const;
};

/// A name for the text of a candidate's kernels: 32 hex digits.
std::string hashKernels(llvm::StringRef ptx);

/// Times by what they are of.
class Timings {
public:
  static constexpr int64_t version = 1;

  /// Reads a file. Fails, with what is wrong and where, on one that is no JSON,
  /// of another version, or that has a time that is not positive; of several
  /// times of one key the last counts.
  static llvm::Expected<Timings> read(llvm::StringRef path);
  static llvm::Expected<Timings> parse(llvm::StringRef json);

  void add(TimingKey key, double microseconds);
  std::optional<double> lookup(const TimingKey &key) const;

private:
  std::map<TimingKey, double> times;
};

} // namespace prism

#endif // PRISM_MEASUREMENT_TIMINGS_H
