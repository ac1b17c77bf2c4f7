//===- Inputs.h - What kernels are run on -*- C++ -* ----------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Families of seeded inputs. A number depends on the seed, the argument, the
// family and its place alone, so that any part of an argument can be had
// without the rest: place i holds entry (i mod 65521) of a table, in one of a
// few scales by its row, since equal rows would hide a statistic of the wrong
// row.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_GATE_INPUTS_H
#define PRISM_LIB_GATE_INPUTS_H

#include "References.h"

namespace prism::gate {

enum class Family {
  Normal, ///< standard normal, rows scaled by 1/2, 1 and 2
  Masked, ///< masks that hide chunks of rows and whole rows; only with masks
  Logits, ///< what an exponential is taken of exceeds 100; only with such
  Sparse, ///< seven of eight are 0, and so are some rows; not of divisors
  Large,  ///< 32 times the normal
  Tiny,   ///< 10^-4 times the normal: subnormal in f16
};
llvm::StringRef getName(Family family);

/// One run: the masks' rows begin with pattern number `phase` of four, so that
/// a mask of fewer rows has each of them in some run.
struct FamilyRun {
  Family family;
  unsigned phase = 0;
};

/// What is known of a program's arguments.
struct ArgumentFacts {
  llvm::SmallVector<bool> isMask; ///< i1, or added in front of a maximum or exp
  /// Divides, or is taken a logarithm or root of, without a sum between: 0 is
  /// where the program is not defined (DECISIONS 10).
  llvm::SmallVector<bool> isDivisor;
  /// Is taken a root, logarithm or power of: below 0 the program is not
  /// defined. A part of a program has such arguments, means of squares say.
  llvm::SmallVector<bool> isRooted;
  /// The argument that is scaled for Family::Logits, and the operand of exp.
  std::optional<unsigned> scaled;
  mlir::Value exponent;
};
ArgumentFacts findFacts(ProgramOp program);
/// The families that are worth running, the most telling first; `maskRows` is
/// the least number of rows of a mask.
std::vector<FamilyRun> getFamilies(const ArgumentFacts &facts,
                                   int64_t maskRows);

/// One argument in one family.
class Argument {
public:
  /// `scale` is a further factor.
  Argument(Format format, llvm::ArrayRef<int64_t> extents, FamilyRun run,
           bool isMask, double scale, uint64_t seed);

  /// Takes the magnitudes of its numbers.
  void dropSigns();
  Numbers get(const Positions &positions) const;
  /// The whole of it, as a kernel reads it.
  std::vector<char> getBytes() const;
  Format getFormat() const { return format; }
  llvm::ArrayRef<int64_t> getExtents() const { return extents; }

private:
  double getMask(int64_t row, int64_t column) const;
  unsigned getTable(int64_t row) const;

  static constexpr int64_t period = 65521; // the largest prime below 2^16
  static constexpr unsigned numTables = 4; // three scales, and zeros

  Format format;
  llvm::SmallVector<int64_t> extents;
  int64_t rows = 1, columns = 1;
  Family family;
  unsigned phase; ///< of masks
  bool isMask;
  std::vector<double> tables[numTables];
};

} // namespace prism::gate

#endif // PRISM_LIB_GATE_INPUTS_H
