//===- Inputs.cpp - What kernels are run on -------------------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which families a program is run on, and their numbers.
//
//===----------------------------------------------------------------------===//

#include "Inputs.h"
#include <cmath>
#include <cstring>

using namespace mlir;
using namespace prism;
using namespace prism::gate;

StringRef prism::gate::getName(Family family) {
  switch (family) {
  case Family::Normal:
    return "normal";
  case Family::Masked:
    return "masked";
  case Family::Logits:
    return "logits";
  case Family::Sparse:
    return "sparse";
  case Family::Large:
    return "large";
  case Family::Tiny:
    return "tiny";
  }
  llvm_unreachable("all families are handled");
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// Whether `value` reaches, through elementwise ops, a use that `isTarget`.
static bool reaches(Value value, llvm::function_ref<bool(OpOperand &)> isTarget,
                    llvm::DenseSet<Value> &seen) {
  if (!seen.insert(value).second)
    return false;
  return llvm::any_of(value.getUses(), [&](OpOperand &use) {
    if (isTarget(use))
      return true;
    auto compute = dyn_cast<ComputeOpInterface>(use.getOwner());
    bool isElementwise =
        compute && llvm::all_of(compute.getIterationStructure().dims,
                                [](IterationKind kind) {
                                  return kind == IterationKind::Parallel;
                                });
    return isElementwise &&
           reaches(use.getOwner()->getResult(0), isTarget, seen);
  });
}

/// What is added in front of a maximum or an exponential can mask.
static bool reachesSoftmax(Value value) {
  llvm::DenseSet<Value> seen;
  return reaches(
      value,
      [](OpOperand &use) { return isa<ReduceMaxOp, ExpOp>(use.getOwner()); },
      seen);
}

static bool reachesDivisor(Value value) {
  llvm::DenseSet<Value> seen;
  return reaches(
      value,
      [](OpOperand &use) {
        return isa<ReciprocalOp, RsqrtOp, LogOp>(use.getOwner()) ||
               (isa<DivOp>(use.getOwner()) && use.getOperandNumber() == 1);
      },
      seen);
}

/// Whether the float `value`, perhaps moved or cast, is added to logits.
static bool isAddedMask(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    if (isa<CastOp, BroadcastOp, TransposeOp, ReshapeOp>(user))
      return isAddedMask(user->getResult(0));
    return isa<AddOp>(user) && reachesSoftmax(user->getResult(0));
  });
}

/// Whether a root, logarithm or power is taken of `value`, perhaps moved, cast,
/// or together with a constant.
static bool isRooted(Value value) {
  return llvm::any_of(value.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<SqrtOp, RsqrtOp, LogOp>(user))
      return true;
    if (isa<PowOp>(user))
      return use.getOperandNumber() == 0;
    bool keepsSign =
        isa<CastOp, BroadcastOp, TransposeOp, ReshapeOp>(user) ||
        (isa<AddOp, MulOp, DivOp>(user) && use.getOperandNumber() == 0 &&
         user->getOperand(1).getDefiningOp<ConstantOp>());
    return keepsSign && isRooted(user->getResult(0));
  });
}

static void collectArguments(Value value, llvm::SmallSetVector<unsigned, 4> &to,
                             llvm::DenseSet<Value> &seen) {
  if (!seen.insert(value).second)
    return;
  if (auto argument = dyn_cast<BlockArgument>(value))
    to.insert(argument.getArgNumber());
  else
    for (Value operand : value.getDefiningOp()->getOperands())
      collectArguments(operand, to, seen);
}

ArgumentFacts prism::gate::findFacts(ProgramOp program) {
  ArgumentFacts facts;
  for (Value argument : program.getBodyBlock().getArguments()) {
    Type element = prism::getElementType(argument.getType());
    facts.isMask.push_back(element.isInteger(1) || isAddedMask(argument));
    facts.isDivisor.push_back(reachesDivisor(argument));
    facts.isRooted.push_back(isRooted(argument));
  }
  for (auto exp : program.getBodyBlock().getOps<ExpOp>()) {
    llvm::SmallSetVector<unsigned, 4> arguments;
    llvm::DenseSet<Value> seen;
    collectArguments(exp->getOperand(0), arguments, seen);
    for (unsigned argument : arguments)
      if (!facts.isMask[argument] && !facts.scaled) {
        facts.scaled = argument;
        facts.exponent = exp->getOperand(0);
      }
  }
  return facts;
}

std::vector<FamilyRun> prism::gate::getFamilies(const ArgumentFacts &facts,
                                                int64_t maskRows) {
  std::vector<FamilyRun> families = {{Family::Normal}};
  if (llvm::is_contained(facts.isMask, true)) {
    // Pattern 0, of rows seen whole, is that of the other families, too.
    if (maskRows >= 4)
      families.push_back({Family::Masked, 0});
    for (int64_t phase = 1; maskRows < 4 && phase < 4;
         phase += std::max<int64_t>(maskRows, 1))
      families.push_back({Family::Masked, unsigned(phase)});
  }
  if (facts.scaled)
    families.push_back({Family::Logits});
  for (Family family : {Family::Sparse, Family::Large, Family::Tiny})
    families.push_back({family});
  return families;
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// splitmix64: a counter's hash.
static uint64_t hash(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

/// In (0, 1).
static double uniform(uint64_t &state) {
  state = hash(state);
  return (double(state >> 11) + 0.5) * 0x1p-53;
}

Argument::Argument(Format format, ArrayRef<int64_t> extents, FamilyRun run,
                   bool isMask, double scale, uint64_t seed)
    : format(format), extents(extents), family(run.family), phase(run.phase),
      isMask(isMask) {
  for (int64_t extent : extents)
    rows *= extent;
  columns = extents.empty() ? 1 : extents.back();
  rows = columns ? rows / columns : 0;
  if (family == Family::Large)
    scale *= 32;
  if (family == Family::Tiny)
    scale *= 1e-4;
  for (std::vector<double> &table : tables)
    table.resize(period);
  uint64_t state = seed;
  int64_t used = std::min(period, rows * columns);
  for (int64_t i = 0; i < used; i += 2) {
    double radius = std::sqrt(-2 * std::log(uniform(state)));
    double angle = 2 * M_PI * uniform(state);
    double pair[] = {radius * std::cos(angle), radius * std::sin(angle)};
    for (int64_t j = i; j < std::min(i + 2, used); ++j) {
      bool isZero = family == Family::Sparse && hash(seed ^ j) % 8 != 0;
      bool isTrue = format == Format::I1 && hash(seed ^ j) % 8 != 0;
      for (unsigned t = 0; t < 3; ++t)
        tables[t][j] =
            format == Format::I1 ? isTrue
            : isZero             ? 0
                     : roundTo(format, pair[j - i] * scale * (0.5 * (1 << t)));
    }
  }
}

void Argument::dropSigns() {
  for (std::vector<double> &table : tables)
    for (double &number : table)
      number = std::fabs(number);
}

unsigned Argument::getTable(int64_t row) const {
  if (family == Family::Sparse && row % 5 == 3 && format != Format::I1)
    return 3;
  return row % 3;
}

/// Of four rows the first is seen whole; the second not in its first half (so
/// that the first chunks of any split of it are hidden), the third only in an
/// eighth in the middle, the fourth not at all.
double Argument::getMask(int64_t row, int64_t column) const {
  int64_t half = columns / 2, eighth = std::max<int64_t>(columns / 8, 1);
  int64_t pattern = (row + phase) % 4;
  bool isSeen = pattern == 0 || (pattern == 1 && column >= half) ||
                (pattern == 2 && column >= half && column < half + eighth);
  if (format == Format::I1)
    return isSeen;
  return isSeen ? 0 : -HUGE_VAL;
}

Numbers Argument::get(const Positions &positions) const {
  Numbers numbers(extents, positions, /*withBounds=*/false);
  static const std::vector<int64_t> first = {0};
  const std::vector<int64_t> &last =
      positions.empty() ? first : positions.back();
  SmallVector<size_t> index(positions.empty() ? 0 : positions.size() - 1, 0);
  bool hidesPlaces = family == Family::Masked && isMask;
  for (size_t begin = 0; begin < numbers.values.size(); begin += last.size()) {
    int64_t row = 0;
    for (auto [dim, extent, i] : llvm::zip(positions, extents, index))
      row = row * extent + dim[i];
    const std::vector<double> &table = tables[getTable(row)];
    int64_t offset = row * columns % period;
    for (size_t i = 0; i < last.size(); ++i)
      numbers.values[begin + i] = hidesPlaces
                                      ? getMask(row, last[i])
                                      : table[(offset + last[i]) % period];
    for (size_t dim = index.size(); dim-- > 0;) {
      if (++index[dim] < positions[dim].size())
        break;
      index[dim] = 0;
    }
  }
  return numbers;
}

std::vector<char> Argument::getBytes() const {
  unsigned size = prism::gate::getBytes(format);
  std::vector<char> bytes(rows * columns * size);
  if (family == Family::Masked && isMask) {
    for (int64_t place = 0; place < rows * columns; ++place)
      encode(format, getMask(place / columns, place % columns),
             &bytes[place * size]);
    return bytes;
  }
  std::vector<char> encoded[numTables];
  for (unsigned t = 0; t < numTables; ++t) {
    encoded[t].resize(period * size);
    for (int64_t i = 0; i < std::min(period, rows * columns); ++i)
      encode(format, tables[t][i], &encoded[t][i * size]);
  }
  for (int64_t row = 0; row < rows; ++row) {
    const std::vector<char> &table = encoded[getTable(row)];
    for (int64_t column = 0; column < columns;) {
      int64_t place = row * columns + column;
      int64_t count = std::min(columns - column, period - place % period);
      std::memcpy(&bytes[place * size], &table[place % period * size],
                  count * size);
      column += count;
    }
  }
  return bytes;
}
