//===- Runner.cpp - What is run of a candidate ----------------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether a candidate runs whole or a sample of its blocks, on which families
// of inputs, and what that may take.
//
//===----------------------------------------------------------------------===//

#include "Runner.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace prism;
using namespace prism::gate;

/// The maps that the kernel takes, in order.
static std::vector<std::pair<Value, PlanTensorMap>>
findTensorMaps(const LoweredCandidate::Kernel &kernel) {
  std::vector<std::pair<Value, PlanTensorMap>> maps;
  KernelOp op = kernel.op;
  for (const PlanStep &step : kernel.plan.steps) {
    if (!kernel.plan.isBulkLoad(step))
      continue;
    const TileBuffer &buffer = *kernel.plan.lookupBuffer(step.getStoredTile());
    PlanTensorMap map;
    map.box.assign(buffer.box.begin(), buffer.box.end());
    map.swizzle = buffer.swizzle;
    Value source = cast<LoadOp>(step.op).getSource();
    maps.emplace_back(
        op.getInputs()[cast<BlockArgument>(source).getArgNumber()],
        std::move(map));
  }
  return maps;
}

Runner::Runner(CandidateOp candidate, const LoweredCandidate &lowered,
               ProgramOp program, SymbolValues symbolValues,
               const GateOptions &options, GateStatistics &statistics)
    : candidate(candidate), symbols(std::move(symbolValues)),
      program(program, symbols), options(options), statistics(statistics) {
  for (const LoweredCandidate::Kernel &kernel : lowered.kernels) {
    Kernel own = {kernel.op,
                  kernel.name,
                  uint32_t(kernel.plan.threads),
                  uint32_t(kernel.plan.sharedBytes),
                  kernel.plan.runtimeSymbols,
                  findTensorMaps(kernel),
                  std::make_unique<KernelReference>(kernel.op, symbols)};
    KernelOp op = kernel.op;
    for (ParallelDimAttr dim : op.getParallelDims())
      symbols[(op.getGraphName() + "." + dim.getName()).str()] =
          own.reference->getCount(dim.getName());
    kernels.push_back(std::move(own));
  }
  facts = findFacts(program);
}

Outcome Runner::fail(const Twine &why) {
  reason = why.str();
  return Outcome::Wrong;
}

Outcome Runner::skip(const Twine &why) {
  reason = why.str();
  return Outcome::NotRun;
}

Outcome Runner::tooLarge(const Twine &why) {
  reason = why.str();
  return Outcome::TooLarge;
}

//===----------------------------------------------------------------------===//
// What is known, and what it takes
//===----------------------------------------------------------------------===//

/// Whether all extents and ops are known here.
Outcome Runner::checkKnown() {
  for (const Kernel &kernel : kernels)
    if (kernel.reference->getNumBlocks() <= 0)
      return skip("a kernel's number of blocks is not known");
  Block &body = program.getProgram().getBodyBlock();
  for (Value argument : body.getArguments())
    if (!evaluateExtents(argument.getType(), symbols) ||
        !getFormat(prism::getElementType(argument.getType())))
      return skip("an extent of an argument has no value");
  ProgramReference::Wanted wanted;
  for (Value value : program.getProgram().getYield().getValues())
    if (auto extents = evaluateExtents(value.getType(), symbols))
      wanted[value] = getAllPositions(*extents);
    else
      return skip("an extent of a result has no value");
  if (!program.getNeeded(wanted))
    return skip("'" + program.getUnknown() + "' cannot be evaluated");
  return Outcome::Right;
}

uint64_t Runner::countBytes(Value value) {
  uint64_t bytes = getBytes(*getFormat(prism::getElementType(value.getType())));
  SmallVector<int64_t> extents = *evaluateExtents(value.getType(), symbols);
  for (int64_t extent : extents)
    bytes *= extent;
  return bytes;
}

/// What the first and the last block of each kernel take on one family, with
/// what they are compared with and the arrays for it, by the graphs alone.
uint64_t Runner::estimateSample() {
  uint64_t steps = 0;
  for (const Kernel &kernel : kernels) {
    KernelOp op = kernel.op;
    std::vector<int64_t> blocks = {0};
    if (int64_t last = kernel.reference->getNumBlocks() - 1)
      blocks.push_back(last);
    steps += blocks.size() * kernel.reference->estimateSimulated();
    for (Value value : llvm::concat<Value>(llvm::to_vector(op.getInputs()),
                                           llvm::to_vector(op.getResults())))
      steps += 2 * countBytes(value) / bytesPerStep; // zeros, then numbers
    for (auto [index, result] : llvm::enumerate(op.getResults()))
      steps +=
          estimateReference(kernel, index, getProgramValue(result), blocks);
    for (OpOperand &use : op->getOpOperands()) {
      auto writer = llvm::find_if(kernels, [&](const Kernel &other) {
        return other.op == use.get().getDefiningOp();
      });
      if (writer == kernels.end())
        continue;
      Positions loaded;
      for (int64_t block : blocks)
        loaded = unite(
            loaded, kernel.reference->getLoaded(block, use.getOperandNumber()));
      unsigned result = cast<OpResult>(use.get()).getResultNumber();
      steps += writer->reference->findWriters(result, loaded).size() *
               writer->reference->countSteps();
    }
  }
  return steps;
}

/// What the blocks' parts of a result take in exact and in declared precision;
/// `value` is it in the program, or null.
uint64_t Runner::estimateReference(const Kernel &kernel, unsigned index,
                                   Value value, ArrayRef<int64_t> blocks) {
  if (!value)
    return 2 * blocks.size() * kernel.reference->countSteps();
  Positions together;
  uint64_t apart = 0;
  for (int64_t block : blocks) {
    Box box = kernel.reference->getSaved(block, index);
    if (box.isEmpty())
      continue;
    together = unite(together, box.getPositions());
    apart += program.countSteps(value, box.getPositions());
  }
  return 2 * (apart ? std::min(apart, program.countSteps(value, together)) : 0);
}

/// What is too large to be even looked at: lattices list the positions of
/// whole extents.
Outcome Runner::checkSizes() {
  constexpr int64_t mostExtent = 1 << 24;
  uint64_t steps = 0;
  for (const Kernel &kernel : kernels) {
    KernelOp op = kernel.op;
    for (Value value : llvm::concat<Value>(llvm::to_vector(op.getInputs()),
                                           llvm::to_vector(op.getResults()))) {
      auto extents = evaluateExtents(value.getType(), symbols);
      if (!extents || !getFormat(prism::getElementType(value.getType())))
        return skip("an extent of a tensor has no value");
      for (int64_t extent : *extents)
        if (extent > mostExtent)
          return tooLarge("an extent is " + Twine(extent) + ", more than " +
                          Twine(mostExtent));
      steps += 2 * countBytes(value) / bytesPerStep;
    }
  }
  return checkSteps(steps);
}

Outcome Runner::checkSteps(uint64_t steps) {
  if (steps <= mostSampleSteps)
    return Outcome::Right;
  return tooLarge("a sample is expected to take " + Twine(steps) +
                  " steps, more than " + Twine(mostSampleSteps));
}

Outcome Runner::prepare(StringRef ptx) {
  auto loaded = device.loadModule(ptx, "kernels");
  if (!loaded)
    return skip(llvm::toString(loaded.takeError()));
  module = *loaded;
  Outcome outcome = checkSizes();
  if (outcome == Outcome::Right)
    outcome = checkKnown();
  if (outcome == Outcome::Right)
    outcome = checkSteps(estimateSample());
  if (outcome != Outcome::Right)
    return outcome;
  setFamily({Family::Normal});
  for (Kernel &kernel : kernels)
    if (outcome == Outcome::Right)
      outcome = probe(kernel);
  return outcome;
}

/// What one family costs with all blocks, in steps.
uint64_t Runner::countWhole() {
  uint64_t steps = 0;
  for (const Kernel &kernel : kernels)
    steps += kernel.stepsPerBlock * kernel.reference->getNumBlocks();
  ProgramReference::Wanted wanted;
  for (Value value : program.getProgram().getYield().getValues())
    wanted[value] = getAllPositions(*evaluateExtents(value.getType(), symbols));
  steps += 2 * program.countSteps(*program.getNeeded(wanted));
  for (Value argument : program.getProgram().getBodyBlock().getArguments())
    steps += countBytes(argument) / bytesPerStep;
  return steps;
}

//===----------------------------------------------------------------------===//
// Families of inputs
//===----------------------------------------------------------------------===//

void Runner::setFamily(FamilyRun next) {
  family = next;
  bool isLogits = family.family == Family::Logits;
  double scale = isLogits ? findLogitScale() : 1;
  arguments.clear();
  known.clear();
  Block &body = program.getProgram().getBodyBlock();
  for (BlockArgument argument : body.getArguments()) {
    unsigned number = argument.getArgNumber();
    bool isScaled = isLogits && facts.scaled == number;
    FamilyRun own = family;
    if (family.family == Family::Sparse && facts.isDivisor[number])
      own = {Family::Normal};
    arguments.emplace_back(
        *getFormat(prism::getElementType(argument.getType())),
        *evaluateExtents(argument.getType(), symbols), own,
        facts.isMask[number], isScaled ? scale : 1,
        options.seed * 0x100000001b3 + uint64_t(family.family) * 977 + number);
    if (facts.isRooted[number])
      arguments.back().dropSigns();
  }
}

/// What brings the operand of the exponential to 150 somewhere, by powers of 2.
double Runner::findLogitScale() {
  if (logitScale)
    return *logitScale;
  logitScale = 16;
  setFamily({Family::Normal});
  auto extents = evaluateExtents(facts.exponent.getType(), symbols);
  if (extents) {
    for (int64_t &extent : *extents)
      extent = std::min<int64_t>(extent, 8);
    ProgramReference::Wanted wanted;
    wanted[facts.exponent] = getAllPositions(*extents);
    auto numbers = program.evaluate(
        wanted,
        [&](unsigned argument, const Positions &at) {
          return arguments[argument].get(at);
        },
        Evaluation::Exact);
    double largest = 0;
    if (numbers)
      for (double value : numbers->front().values)
        if (std::isfinite(value))
          largest = std::max(largest, std::fabs(value));
    *logitScale = 1;
    while (*logitScale * largest < 150 && *logitScale < 256)
      *logitScale *= 2;
  }
  family = {Family::Logits};
  return *logitScale;
}

/// The least number of rows that a mask has.
int64_t Runner::countMaskRows() {
  int64_t rows = std::numeric_limits<int64_t>::max();
  for (BlockArgument argument :
       program.getProgram().getBodyBlock().getArguments()) {
    if (!facts.isMask[argument.getArgNumber()])
      continue;
    auto extents = *evaluateExtents(argument.getType(), symbols);
    int64_t own = 1;
    for (int64_t extent : ArrayRef(extents).drop_back(!extents.empty()))
      own *= extent;
    rows = std::min(rows, own);
  }
  return rows;
}

Outcome Runner::run(uint64_t budget, bool preferWhole, bool &isWhole) {
  std::vector<FamilyRun> families = getFamilies(facts, countMaskRows());
  uint64_t whole = countWhole();
  isWhole = whole * families.size() <= budget;
  bool runsWhole = isWhole || (preferWhole && whole <= mostSampleSteps);
  for (FamilyRun next : families) {
    // What masks is what goes wrong most.
    bool isNeeded =
        next.family == Family::Normal || next.family == Family::Masked;
    if (spent + (runsWhole ? whole : 0) > budget && !isNeeded)
      continue;
    setFamily(next);
    Outcome outcome =
        runsWhole ? runWhole() : runSampled(budget / families.size());
    if (outcome != Outcome::Right) {
      reason += (" (" + getName(next.family) + " inputs)").str();
      return outcome;
    }
  }
  return Outcome::Right;
}

//===----------------------------------------------------------------------===//
// Whole runs
//===----------------------------------------------------------------------===//

/// Kernel after kernel, as the host's code launches them.
Outcome Runner::runWhole() {
  Arrays arrays;
  Outcome outcome = uploadArguments(arrays);
  ProgramReference::Wanted wanted;
  for (const Kernel &kernel : kernels) {
    KernelOp op = kernel.op;
    for (Value result : op.getResults())
      if (outcome == Outcome::Right)
        outcome = allocate(result, arrays);
    if (outcome == Outcome::Right) {
      ++statistics.runs;
      outcome = launch(kernel, arrays, {});
    }
    for (Value result : op.getResults())
      if (Value value = getProgramValue(result))
        wanted[value] =
            getAllPositions(*evaluateExtents(value.getType(), symbols));
  }
  std::vector<Numbers> exact, declared;
  if (outcome == Outcome::Right)
    outcome = evaluateProgram(wanted, exact, declared);
  for (const Kernel &kernel : kernels) {
    KernelOp op = kernel.op;
    for (Value result : op.getResults()) {
      Value value = getProgramValue(result);
      if (!value || outcome != Outcome::Right)
        continue;
      size_t number = wanted.find(value) - wanted.begin();
      outcome =
          compare(result, exact[number], declared[number], arrays[result]);
    }
  }
  nameWriter(arrays, {});
  freeAll(arrays);
  return outcome;
}

//===----------------------------------------------------------------------===//
// Sampled runs
//===----------------------------------------------------------------------===//

/// The last block, which is the ragged one, and others by the seed.
std::vector<uint64_t> Runner::sampleBlocks(const Kernel &kernel,
                                           uint64_t budget) {
  uint64_t total = kernel.reference->getNumBlocks();
  uint64_t count = std::clamp<uint64_t>(
      budget / std::max<uint64_t>(kernel.stepsPerBlock, 1), 2, 4);
  std::vector<uint64_t> blocks = {total - 1};
  uint64_t state = options.seed + uint64_t(family.family) * 0x9e3779b97f4a7c15;
  for (unsigned tries = 0; blocks.size() < std::min(count, total) && tries < 64;
       ++tries) {
    state = state * 6364136223846793005 + 1442695040888963407;
    uint64_t block = (state >> 33) % total;
    if (!llvm::is_contained(blocks, block))
      blocks.push_back(block);
  }
  llvm::sort(blocks);
  return blocks;
}

Outcome Runner::runSampled(uint64_t budget) {
  for (unsigned number = 0; number < kernels.size(); ++number) {
    Outcome outcome = runBlocks(
        number, sampleBlocks(kernels[number], budget / kernels.size()));
    if (outcome != Outcome::Right)
      return outcome;
  }
  return Outcome::Right;
}

/// Runs some blocks of one kernel, fed with exact intermediates.
Outcome Runner::runBlocks(unsigned number,
                          const std::vector<uint64_t> &blocks) {
  Kernel &kernel = kernels[number];
  KernelOp op = kernel.op;
  Arrays arrays;
  Outcome outcome = Outcome::Right;
  auto step = [&](llvm::function_ref<Outcome()> next) {
    if (outcome == Outcome::Right)
      outcome = next();
  };
  for (Value input : op.getInputs()) {
    if (arrays.contains(input))
      continue;
    step([&] { return allocate(input, arrays); });
    step([&] {
      if (auto argument = dyn_cast<BlockArgument>(input)) {
        spent += arrays[input].bytes / bytesPerStep;
        return check(
            device.copyToDevice(arrays[input].pointer,
                                arguments[argument.getArgNumber()].getBytes()));
      }
      Positions needed;
      for (auto [other, value] : llvm::enumerate(op.getInputs()))
        for (uint64_t block : blocks)
          if (value == input)
            needed = unite(needed, kernel.reference->getLoaded(block, other));
      return uploadPart(input, needed, arrays[input]);
    });
  }
  for (Value result : op.getResults())
    step([&] { return allocate(result, arrays); });
  step([&] {
    ++statistics.runs;
    return launch(kernel, arrays, blocks);
  });
  for (auto [index, result] : llvm::enumerate(op.getResults())) {
    step([&, index = index, result = result] {
      return checkUntouched(kernel, index, blocks, arrays[result]);
    });
    step([&, index = index, result = result] {
      return getProgramValue(result)
                 ? compareResult(kernel, index, blocks, arrays[result])
                 : comparePartial(number, index, blocks, arrays[result]);
    });
  }
  nameWriter(arrays, blocks);
  freeAll(arrays);
  return outcome;
}
