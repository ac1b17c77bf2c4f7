//===- Judge.h - Whether results are right -*- C++ -* ---------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares what a kernel wrote with the exact result and with what the program
// gives in its declared precision. docs/gate.md has the rule and its reasons.
//
// Worked example: a row of f16 results of largest magnitude 8; the program, run
// as declared, is off by at most 0.004 in it. With factor 4 and 2 units of
// 2^-11 of that magnitude, the kernel may be off by 4 * 0.004 + 2 * 8 / 2048 =
// 0.024, and by what single precision explains.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_GATE_JUDGE_H
#define PRISM_LIB_GATE_JUDGE_H

#include "Numbers.h"

namespace prism::gate {

/// The kernel may be so many times worse than the program.
inline constexpr double errorFactor = 4;
/// Units of the result's format, of the largest magnitude in the row.
inline constexpr double unitFactor = 2;
/// Times the bound of single precision (Scalars.h).
inline constexpr double boundFactor = 4;

/// Errors over the largest magnitude in their row.
struct Errors {
  double worst = 0;   ///< of the kernel
  double program = 0; ///< of the program, in its declared precision
};

/// The first element that is not right.
struct Mistake {
  size_t point;     ///< its number, row-major
  std::string text; ///< its place, with the values concerned
};

/// Compares `found` (row-major over the positions of `exact`) with the
/// references, and adds to `errors`. Nothing if it is right.
std::optional<Mistake> judge(Format format, llvm::ArrayRef<double> found,
                             const Numbers &exact, const Numbers &declared,
                             Errors &errors);

} // namespace prism::gate

#endif // PRISM_LIB_GATE_JUDGE_H
