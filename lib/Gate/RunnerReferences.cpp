//===- RunnerReferences.cpp - What results are compared with --------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a kernel wrote, against the program where it is a result, and against
// the kernel's own graph where it is read by another one. Where only some
// blocks ran, what they do not write must still be poison.
//
//===----------------------------------------------------------------------===//

#include "Runner.h"
#include <cmath>

using namespace mlir;
using namespace prism;
using namespace prism::gate;

/// The value of the program that `value` of the candidate is, or null: only its
/// results are.
Value Runner::getProgramValue(Value value) {
  auto yielded = candidate.getYield().getValues();
  auto it = llvm::find(yielded, value);
  return it == yielded.end()
             ? Value()
             : program.getProgram().getYield().getValues()[it.getIndex()];
}

Outcome Runner::evaluateProgram(const ProgramReference::Wanted &wanted,
                                std::vector<Numbers> &exact,
                                std::vector<Numbers> &declared) {
  auto getArgument = [&](unsigned argument, const Positions &at) {
    return arguments[argument].get(at);
  };
  if (auto needed = program.getNeeded(wanted))
    spent += 2 * program.countSteps(*needed);
  auto first = program.evaluate(wanted, getArgument, Evaluation::Exact);
  auto second = program.evaluate(wanted, getArgument, Evaluation::Declared);
  if (!first || !second)
    return skip("'" + program.getUnknown() + "' cannot be evaluated");
  exact = std::move(*first);
  declared = std::move(*second);
  return Outcome::Right;
}

/// The numbers of what a kernel reads: an argument, or what an earlier kernel
/// gives, exactly but for the format that it is stored in.
std::optional<Numbers> Runner::getNumbers(Value value,
                                          const Positions &positions) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return arguments[argument.getArgNumber()].get(positions);
  auto it = llvm::find_if(kernels, [&](Kernel &kernel) {
    return kernel.op == value.getDefiningOp();
  });
  if (it == kernels.end())
    return std::nullopt;
  unsigned number = it - kernels.begin();
  unsigned index = cast<OpResult>(value).getResultNumber();
  Numbers result(*evaluateExtents(value.getType(), symbols), positions,
                 /*withBounds=*/false);
  llvm::fill(result.values, NAN);
  Format format = *getFormat(prism::getElementType(value.getType()));
  for (int64_t block : it->reference->findWriters(index, positions)) {
    const BlockNumbers *written = getBlock(number, block, Evaluation::Exact);
    if (!written)
      return std::nullopt;
    const Numbers &part = (*written)[index];
    forEachPoint(part.at, [&](int64_t point, ArrayRef<int64_t> position) {
      int64_t offset = 0; // among the wanted ones
      for (auto [dim, own] : llvm::zip(positions, position)) {
        auto found = std::lower_bound(dim.begin(), dim.end(), own);
        if (found == dim.end() || *found != own)
          return;
        offset = offset * dim.size() + (found - dim.begin());
      }
      result.values[offset] = roundTo(format, part.values[point]);
    });
  }
  return result;
}

const Runner::BlockNumbers *Runner::getBlock(unsigned number, int64_t block,
                                             Evaluation precision) {
  auto key = std::make_tuple(number, block, precision);
  if (auto it = known.find(key); it != known.end())
    return &it->second;
  Kernel &kernel = kernels[number];
  spent += kernel.reference->countSteps();
  bool isComplete = true;
  auto numbers = kernel.reference->evaluate(
      block,
      [&](unsigned operand, const Positions &positions) {
        auto read = getNumbers(kernel.op.getInputs()[operand], positions);
        isComplete &= read.has_value();
        return read ? std::move(*read) : Numbers({}, positions, false);
      },
      precision);
  if (!numbers || !isComplete)
    return nullptr;
  return &(known[key] = std::move(*numbers));
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

Outcome Runner::compare(Value value, const Numbers &exact,
                        const Numbers &declared, const Array &array) {
  Format format = *getFormat(prism::getElementType(value.getType()));
  std::vector<char> bytes(array.bytes);
  Outcome outcome = check(device.copyFromDevice(bytes, array.pointer));
  if (outcome != Outcome::Right)
    return outcome;
  std::vector<double> found(exact.values.size());
  std::vector<uint64_t> offsets(found.size());
  forEachPlace(exact.at, exact.extents, [&](int64_t point, int64_t place) {
    offsets[point] = place * getBytes(format);
    found[point] = decode(format, &bytes[offsets[point]]);
  });
  Errors errors = {statistics.worstError, statistics.programError};
  std::optional<Mistake> wrong = judge(format, found, exact, declared, errors);
  statistics.programError = errors.program;
  if (wrong) {
    unsigned number = cast<OpResult>(value).getResultNumber();
    auto kernel = cast<KernelOp>(value.getDefiningOp());
    wrongElement = {value, offsets[wrong->point], getBytes(format)};
    return fail("result " + Twine(number) + " of kernel '" +
                kernel.getGraphName() + "' at " + wrong->text);
  }
  statistics.worstError = errors.worst;
  return Outcome::Right;
}

/// What no block that ran should write is poison still.
Outcome Runner::checkUntouched(const Kernel &kernel, unsigned result,
                               const std::vector<uint64_t> &blocks,
                               const Array &array) {
  std::vector<char> bytes(array.bytes);
  Outcome outcome = check(device.copyFromDevice(bytes, array.pointer));
  if (outcome != Outcome::Right)
    return outcome;
  KernelOp op = kernel.op;
  Value value = op.getResult(result);
  unsigned size = getBytes(*getFormat(prism::getElementType(value.getType())));
  auto extents = *evaluateExtents(value.getType(), symbols);
  for (uint64_t block : blocks) {
    Box box = kernel.reference->getSaved(block, result);
    if (box.isEmpty())
      continue;
    forEachPlace(box.getPositions(), extents, [&](int64_t, int64_t place) {
      std::fill_n(bytes.begin() + place * size, size, char(0xFF));
    });
  }
  auto touched = llvm::find_if(bytes, [](char c) { return c != char(0xFF); });
  if (touched == bytes.end())
    return Outcome::Right;
  return fail("kernel '" + op.getGraphName() + "' wrote element " +
              Twine((touched - bytes.begin()) / size) + " of result " +
              Twine(result) + ", which is not its blocks' to write");
}

/// Compares what blocks wrote of a result of the program: all of them at once
/// where that shares work, else block by block.
Outcome Runner::compareResult(Kernel &kernel, unsigned index,
                              const std::vector<uint64_t> &blocks,
                              const Array &array) {
  KernelOp op = kernel.op;
  Value result = op.getResult(index), value = getProgramValue(result);
  std::vector<Positions> parts;
  Positions together;
  uint64_t work = 0;
  for (uint64_t block : blocks) {
    Box box = kernel.reference->getSaved(block, index);
    if (box.isEmpty())
      continue;
    parts.push_back(box.getPositions());
    together = unite(together, parts.back());
    work += program.countSteps(value, parts.back());
  }
  if (parts.empty())
    return Outcome::Right;
  if (program.countSteps(value, together) > work)
    together = {};
  std::vector<Numbers> exact, declared;
  for (const Positions &part : parts) {
    ProgramReference::Wanted wanted;
    wanted[value] = together.empty() ? part : together;
    if (exact.empty() || together.empty()) {
      Outcome outcome = evaluateProgram(wanted, exact, declared);
      if (outcome != Outcome::Right)
        return outcome;
    }
    Outcome outcome = compare(result, extract(exact.front(), part),
                              extract(declared.front(), part), array);
    if (outcome != Outcome::Right)
      return outcome;
  }
  return Outcome::Right;
}

/// Compares what blocks wrote of an intermediate with those blocks' own
/// evaluation.
Outcome Runner::comparePartial(unsigned number, unsigned index,
                               const std::vector<uint64_t> &blocks,
                               const Array &array) {
  Kernel &kernel = kernels[number];
  KernelOp op = kernel.op;
  Value result = op.getResult(index);
  for (uint64_t block : blocks) {
    if (kernel.reference->getSaved(block, index).isEmpty())
      continue;
    const BlockNumbers *exact = getBlock(number, block, Evaluation::Exact);
    const BlockNumbers *declared =
        getBlock(number, block, Evaluation::Declared);
    if (!exact || !declared)
      return skip("a kernel cannot be evaluated");
    Numbers whole = (*exact)[index];
    whole.extents = *evaluateExtents(result.getType(), symbols);
    Outcome outcome = compare(result, whole, (*declared)[index], array);
    if (outcome != Outcome::Right)
      return outcome;
  }
  return Outcome::Right;
}
