//===- RunnerDevice.cpp - Arrays and launches -----------------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every array is poisoned before a run: 0xFF bytes, NaN in every format, that
// count as uninitialized.
//
//===----------------------------------------------------------------------===//

#include "Runner.h"
#include "llvm/Support/Error.h"
#include <cmath>

using namespace mlir;
using namespace prism;
using namespace prism::gate;

/// An error of the device: what it found, or that it could not run the kernel,
/// which no device then could.
Outcome Runner::check(llvm::Error error) {
  if (!error)
    return Outcome::Right;
  std::string text = llvm::toString(std::move(error));
  return fail(StringRef(text).split('\n').first);
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
    return tooLarge(llvm::toString(pointer.takeError()));
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

/// A block's steps depend on no numbers, but on how long warps wait for each
/// other.
Outcome Runner::launch(const Kernel &kernel, const Arrays &arrays,
                       std::vector<uint64_t> blocks) {
  return launch(kernel, arrays, std::move(blocks),
                16 * kernel.stepsPerBlock + (1 << 20));
}

/// Runs `blocks` of the kernel, or all; results are allocated already.
Outcome Runner::launch(const Kernel &kernel, const Arrays &arrays,
                       std::vector<uint64_t> blocks, uint64_t stepLimit) {
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
  device.getOptions().stepLimit = stepLimit;
  SimulationStatistics before = device.getStatistics();
  llvm::Error error = device.launch(request);
  statistics.blocks += device.getStatistics().blocks - before.blocks;
  uint64_t steps = device.getStatistics().warpSteps - before.warpSteps;
  statistics.steps += steps;
  spent += steps;
  return check(std::move(error));
}

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
    // Enough for an estimate that is far too low, yet over in a minute.
    outcome = launch(kernel, arrays, {0},
                     32 * kernel.reference->estimateSimulated() + (1 << 24));
    kernel.stepsPerBlock = device.getStatistics().warpSteps - before;
  }
  freeAll(arrays);
  return outcome;
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

/// Fills the part, and NaN elsewhere, as if the host had written it all: a
/// kernel may read beside what it uses.
Outcome Runner::uploadPart(Value value, const Positions &positions,
                           const Array &array) {
  std::optional<Numbers> numbers = getNumbers(value, positions);
  if (!numbers)
    return skip("the results of an earlier kernel cannot be evaluated");
  Format format = *getFormat(prism::getElementType(value.getType()));
  std::vector<char> bytes(array.bytes, char(0xFF));
  forEachPlace(positions, numbers->extents, [&](int64_t point, int64_t place) {
    encode(format, numbers->values[point], &bytes[place * getBytes(format)]);
  });
  spent += array.bytes / bytesPerStep;
  return check(device.copyToDevice(array.pointer, bytes));
}
