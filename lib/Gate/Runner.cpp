//===- Runner.cpp - Kernels on the simulated device -----------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every array is poisoned before a run: 0xFF bytes, NaN in every format, that
// count as uninitialized. Where only some blocks run, what they do not write
// must still be poison afterwards.
//
//===----------------------------------------------------------------------===//

#include "Runner.h"
#include "llvm/Support/Error.h"
#include <cmath>

using namespace mlir;
using namespace prism;
using namespace prism::gate;

/// Scalar computations of a reference that take as long as a step of a warp.
static constexpr uint64_t workPerStep = 16;
/// Bytes that are prepared in that time.
static constexpr uint64_t bytesPerStep = 64;

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

/// An error of the device: what it found, or that it could not run the kernel,
/// which no device then could.
Outcome Runner::check(llvm::Error error) {
  if (!error)
    return Outcome::Right;
  std::string text = llvm::toString(std::move(error));
  return fail(StringRef(text).split('\n').first);
}

//===----------------------------------------------------------------------===//
// Inputs and arrays
//===----------------------------------------------------------------------===//

void Runner::setFamily(Family next) {
  family = next;
  double scale = family == Family::Logits ? findLogitScale() : 1;
  arguments.clear();
  known.clear();
  Block &body = program.getProgram().getBodyBlock();
  for (BlockArgument argument : body.getArguments()) {
    unsigned number = argument.getArgNumber();
    bool isScaled = family == Family::Logits && facts.scaled == number;
    Family own = family == Family::Sparse && facts.isDivisor[number]
                     ? Family::Normal
                     : family;
    arguments.emplace_back(
        *getFormat(prism::getElementType(argument.getType())),
        *evaluateExtents(argument.getType(), symbols), own,
        facts.isMask[number], isScaled ? scale : 1,
        options.seed * 0x100000001b3 + uint64_t(family) * 977 + number);
    if (facts.isRooted[number])
      arguments.back().dropSigns();
  }
}

/// What brings the operand of the exponential to 150 somewhere, by powers of 2.
double Runner::findLogitScale() {
  if (logitScale)
    return *logitScale;
  logitScale = 16;
  setFamily(Family::Normal);
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
  family = Family::Logits;
  return *logitScale;
}

/// What the device calls the array of `value`.
static std::string getLabel(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return "argument " + std::to_string(argument.getArgNumber());
  auto result = cast<OpResult>(value);
  return ("result " + Twine(result.getResultNumber()) + " of " +
          cast<KernelOp>(result.getOwner()).getGraphName())
      .str();
}

Outcome Runner::allocate(Value value, Arrays &arrays) {
  if (arrays.contains(value))
    return Outcome::Right;
  std::optional<SmallVector<int64_t>> extents =
      evaluateExtents(value.getType(), symbols);
  std::optional<Format> format =
      getFormat(prism::getElementType(value.getType()));
  if (!extents || !format)
    return skip("an extent of a tensor has no value");
  uint64_t bytes = getBytes(*format);
  for (int64_t extent : *extents)
    bytes *= extent;
  auto pointer = device.allocate(bytes, getLabel(value));
  if (!pointer)
    return check(pointer.takeError());
  arrays[value] = {*pointer, bytes};
  return Outcome::Right;
}

Outcome Runner::uploadArguments(Arrays &arrays) {
  for (BlockArgument argument : candidate.getBodyBlock().getArguments()) {
    if (argument.use_empty())
      continue;
    Outcome outcome = allocate(argument, arrays);
    if (outcome != Outcome::Right)
      return outcome;
    outcome = check(
        device.copyToDevice(arrays[argument].pointer,
                            arguments[argument.getArgNumber()].getBytes()));
    if (outcome != Outcome::Right)
      return outcome;
  }
  return Outcome::Right;
}

void Runner::freeAll(Arrays &arrays) {
  for (auto &[value, array] : arrays)
    llvm::cantFail(device.free(array.pointer));
  arrays.clear();
}

llvm::Expected<KernelArgument> Runner::makeTensorMap(Value value,
                                                     const PlanTensorMap &map,
                                                     const Arrays &arrays) {
  std::string name;
  llvm::raw_string_ostream(name) << prism::getElementType(value.getType());
  std::optional<ElementType> type = parseElementType(name);
  auto extents = evaluateExtents(value.getType(), symbols);
  if (!type || !extents)
    return llvm::createStringError("a tensor map of " + name +
                                   " without known extents");
  auto described =
      map.build(arrays.lookup(value).pointer, *type, *extents, /*shapes=*/{});
  if (!described)
    return described.takeError();
  return device.makeTensorMap(*described);
}

/// Runs `blocks` of the kernel, or all; results are allocated already.
Outcome Runner::launch(const Kernel &kernel, const Arrays &arrays,
                       std::vector<uint64_t> blocks) {
  LaunchRequest request;
  request.module = module;
  request.kernel = kernel.name;
  request.grid = {uint32_t(kernel.reference->getNumBlocks()), 1, 1};
  request.block = {kernel.threads, 1, 1};
  request.sharedBytes = kernel.sharedBytes;
  KernelOp op = kernel.op;
  for (Value value : llvm::concat<Value>(llvm::to_vector(op.getInputs()),
                                         llvm::to_vector(op.getResults())))
    request.arguments.push_back(
        KernelArgument::pointer(arrays.lookup(value).pointer));
  for (const std::string &symbol : kernel.runtimeSymbols)
    request.arguments.push_back(KernelArgument::i32(symbols.lookup(symbol)));
  for (const auto &[value, map] : kernel.tensorMaps) {
    auto argument = makeTensorMap(value, map, arrays);
    if (!argument)
      return check(argument.takeError());
    request.arguments.push_back(std::move(*argument));
  }
  device.getOptions().blocks = std::move(blocks);
  SimulationStatistics before = device.getStatistics();
  llvm::Error error = device.launch(request);
  statistics.blocks += device.getStatistics().blocks - before.blocks;
  uint64_t steps = device.getStatistics().warpSteps - before.warpSteps;
  statistics.steps += steps;
  spent += steps;
  return check(std::move(error));
}

//===----------------------------------------------------------------------===//
// Preparing
//===----------------------------------------------------------------------===//

/// Steps of the first block, on zeros: no branch depends on numbers.
Outcome Runner::probe(Kernel &kernel) {
  Arrays arrays;
  KernelOp op = kernel.op;
  Outcome outcome = Outcome::Right;
  for (Value input : op.getInputs()) {
    if (outcome == Outcome::Right && !arrays.contains(input)) {
      outcome = allocate(input, arrays);
      if (outcome == Outcome::Right)
        outcome = check(device.copyToDevice(
            arrays[input].pointer, std::vector<char>(arrays[input].bytes)));
    }
  }
  for (Value result : op.getResults())
    if (outcome == Outcome::Right)
      outcome = allocate(result, arrays);
  if (outcome == Outcome::Right) {
    uint64_t before = device.getStatistics().warpSteps;
    outcome = launch(kernel, arrays, {0});
    kernel.stepsPerBlock = device.getStatistics().warpSteps - before;
  }
  freeAll(arrays);
  return outcome;
}

Outcome Runner::prepare(StringRef ptx) {
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
  auto loaded = device.loadModule(ptx, "kernels");
  if (!loaded)
    return skip(llvm::toString(loaded.takeError()));
  module = *loaded;
  setFamily(Family::Normal);
  for (Kernel &kernel : kernels) {
    Outcome outcome = probe(kernel);
    if (outcome != Outcome::Right)
      return outcome;
  }
  return Outcome::Right;
}

/// What one family costs with all blocks, in steps.
uint64_t Runner::countWhole() {
  uint64_t steps = 0;
  for (const Kernel &kernel : kernels)
    steps += kernel.stepsPerBlock * kernel.reference->getNumBlocks();
  ProgramReference::Wanted wanted;
  for (Value value : program.getProgram().getYield().getValues())
    wanted[value] = getAllPositions(*evaluateExtents(value.getType(), symbols));
  steps += 2 * program.countWork(*program.getNeeded(wanted)) / workPerStep;
  for (const Argument &argument : arguments) {
    uint64_t bytes = getBytes(argument.getFormat());
    for (int64_t extent : argument.getExtents())
      bytes *= extent;
    steps += bytes / bytesPerStep;
  }
  return steps;
}

Outcome Runner::run(uint64_t budget, bool preferWhole, bool &isWhole) {
  std::vector<Family> families = getFamilies(facts);
  uint64_t whole = countWhole();
  isWhole = whole * families.size() <= budget;
  bool runsWhole = isWhole || preferWhole;
  for (Family next : families) {
    // What masks is what goes wrong most.
    bool isNeeded = next == Family::Normal || next == Family::Masked;
    if (spent + (runsWhole ? whole : 0) > budget && !isNeeded)
      continue;
    setFamily(next);
    Outcome outcome =
        runsWhole ? runWhole() : runSampled(budget / families.size());
    if (outcome != Outcome::Right) {
      reason += (" (" + getName(next) + " inputs)").str();
      return outcome;
    }
  }
  return Outcome::Right;
}

//===----------------------------------------------------------------------===//
// References
//===----------------------------------------------------------------------===//

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
    spent += 2 * program.countWork(*needed) / workPerStep;
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
    // Where the block's positions are among the wanted ones.
    SmallVector<size_t> at(part.at.size(), 0);
    for (size_t point = 0; point < part.values.size(); ++point) {
      int64_t offset = 0;
      bool isWanted = true;
      for (auto [dim, own, i] : llvm::zip(positions, part.at, at)) {
        auto found = std::lower_bound(dim.begin(), dim.end(), own[i]);
        isWanted &= found != dim.end() && *found == own[i];
        offset = offset * dim.size() + (found - dim.begin());
      }
      if (isWanted)
        result.values[offset] = roundTo(format, part.values[point]);
      for (size_t dim = at.size(); dim-- > 0;) {
        if (++at[dim] < part.at[dim].size())
          break;
        at[dim] = 0;
      }
    }
  }
  return result;
}

const Runner::BlockNumbers *Runner::getBlock(unsigned number, int64_t block,
                                             Evaluation precision) {
  auto key = std::make_tuple(number, block, precision);
  if (auto it = known.find(key); it != known.end())
    return &it->second;
  Kernel &kernel = kernels[number];
  spent += kernel.reference->countWork() / workPerStep;
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
  SmallVector<size_t> index(exact.at.size(), 0);
  for (auto [number, offset] : llvm::zip(found, offsets)) {
    int64_t place = 0;
    for (auto [dim, extent, i] : llvm::zip(exact.at, exact.extents, index))
      place = place * extent + dim[i];
    offset = place * getBytes(format);
    number = decode(format, &bytes[offset]);
    for (size_t dim = index.size(); dim-- > 0;) {
      if (++index[dim] < exact.at[dim].size())
        break;
      index[dim] = 0;
    }
  }
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

/// Adds to the reason what wrote the wrong element, by running its kernel once
/// more.
void Runner::nameWriter(const Arrays &arrays, std::vector<uint64_t> blocks) {
  if (!wrongElement)
    return;
  auto it = llvm::find_if(kernels, [&](const Kernel &kernel) {
    return kernel.op == wrongElement->result.getDefiningOp();
  });
  device.getOptions().watch = {getLabel(wrongElement->result),
                               wrongElement->offset, wrongElement->bytes};
  std::string why = std::move(reason);
  (void)launch(*it, arrays, std::move(blocks));
  reason = std::move(why);
  const std::optional<KernelPlace> &place = device.getLastWrite();
  reason += place ? ", written by " + place->str() : ", which nothing wrote";
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
    Positions at = box.getPositions();
    SmallVector<size_t> index(at.size(), 0);
    for (int64_t point = 0, count = countPoints(at); point < count; ++point) {
      int64_t place = 0;
      for (auto [dim, extent, i] : llvm::zip(at, extents, index))
        place = place * extent + dim[i];
      std::fill_n(bytes.begin() + place * size, size, char(0xFF));
      for (size_t dim = index.size(); dim-- > 0;) {
        if (++index[dim] < at[dim].size())
          break;
        index[dim] = 0;
      }
    }
  }
  auto touched = llvm::find_if(bytes, [](char c) { return c != char(0xFF); });
  if (touched == bytes.end())
    return Outcome::Right;
  return fail("kernel '" + op.getGraphName() + "' wrote element " +
              Twine((touched - bytes.begin()) / size) + " of result " +
              Twine(result) + ", which is not its blocks' to write");
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
  uint64_t state = options.seed + uint64_t(family) * 0x9e3779b97f4a7c15;
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

/// Fills the part, and NaN elsewhere, as if the host had written it all: a
/// kernel may read beside what it uses.
Outcome Runner::uploadPart(Value value, const Positions &positions,
                           const Array &array) {
  std::optional<Numbers> numbers = getNumbers(value, positions);
  if (!numbers)
    return skip("the results of an earlier kernel cannot be evaluated");
  Format format = *getFormat(prism::getElementType(value.getType()));
  std::vector<char> bytes(array.bytes, char(0xFF));
  SmallVector<size_t> index(positions.size(), 0);
  for (double number : numbers->values) {
    int64_t place = 0;
    for (auto [dim, extent, i] : llvm::zip(positions, numbers->extents, index))
      place = place * extent + dim[i];
    encode(format, number, &bytes[place * getBytes(format)]);
    for (size_t dim = index.size(); dim-- > 0;) {
      if (++index[dim] < positions[dim].size())
        break;
      index[dim] = 0;
    }
  }
  spent += array.bytes / bytesPerStep;
  return check(device.copyToDevice(array.pointer, bytes));
}

/// Compares what blocks wrote of a result of the program: all of them at once
/// where that shares work, else block by block.
Outcome Runner::compareResult(Kernel &kernel, unsigned index,
                              const std::vector<uint64_t> &blocks,
                              const Array &array) {
  KernelOp op = kernel.op;
  Value result = op.getResult(index), value = getProgramValue(result);
  auto countWork = [&](const Positions &positions) {
    ProgramReference::Wanted wanted;
    wanted[value] = positions;
    return program.countWork(*program.getNeeded(wanted));
  };
  std::vector<Positions> parts;
  Positions together;
  uint64_t work = 0;
  for (uint64_t block : blocks) {
    Box box = kernel.reference->getSaved(block, index);
    if (box.isEmpty())
      continue;
    parts.push_back(box.getPositions());
    together = unite(together, parts.back());
    work += countWork(parts.back());
  }
  if (parts.empty())
    return Outcome::Right;
  if (countWork(together) > work)
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
