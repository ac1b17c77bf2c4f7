//===- Scalars.h - Scalar forms on many numbers at once -*- C++ -* --------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The scalar form of a compute op (arith and math ops, as the op's interface
// builds them) as a list of instructions that run on lanes of doubles, in one
// of two ways:
//
// * Exact: in double, and beside each number a bound on what single precision
//   may make of it, to first order (a running error analysis). Worked example:
//   x - y with x = 1, y = 1 - 2^-20, both from arithmetic with bound 2^-24, is
//   2^-20 with bound 2^-23 + 2^-44: half of the result may be noise.
// * Declared: each result rounded to its element type, as the program says.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_GATE_SCALARS_H
#define PRISM_LIB_GATE_SCALARS_H

#include "Formats.h"
#include "Prism/Dialect/PrismDialect.h"

namespace prism::gate {

enum class Evaluation { Exact, Declared };

/// Lanes that run together.
inline constexpr unsigned numLanes = 256;

struct Lanes {
  double values[numLanes];
  double bounds[numLanes]; ///< Exact only
};

/// A number that is not 0 may be off by so much once it is rounded in single
/// precision (double, where the element type is).
double getRoundingBound(Format format, double value);

class ScalarCode {
public:
  /// The scalar form of `op`; none, if something in it is not known here.
  static std::optional<ScalarCode> compile(ComputeOpInterface op,
                                           Evaluation precision);

  /// Runs on `count` lanes of the operands; the result stays valid until the
  /// next run.
  const Lanes &run(llvm::ArrayRef<const Lanes *> operands, unsigned count);
  /// Whether it is the product of its two operands, and nothing else.
  bool isProduct() const { return product; }
  Format getResultFormat() const { return resultFormat; }

private:
  struct Instruction {
    unsigned kind;
    unsigned operands[3];
    double constant;
    mlir::arith::CmpFPredicate predicate;
    Format format;
  };
  void execute(const Instruction &instruction, unsigned count, Lanes &out);
  void boundResult(const Instruction &instruction, unsigned lane, Lanes &out);
  const Lanes &get(unsigned index) const { return *registers[index]; }

  Evaluation precision;
  Format resultFormat;
  unsigned numOperands = 0, result = 0;
  bool product = false;
  std::vector<Instruction> instructions;
  std::vector<Lanes> storage;
  std::vector<const Lanes *> registers;
};

} // namespace prism::gate

#endif // PRISM_LIB_GATE_SCALARS_H
