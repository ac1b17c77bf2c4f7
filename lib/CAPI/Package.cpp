//===- Package.cpp - Running kernel packages, in C ------------------------===//
//
// The C API over the package runner; see include/prism-c/Package.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "prism-c/Package.h"

#include "Prism/Runtime/CUDADevice.h"
#include "Prism/Runtime/KernelPackage.h"
#include "Prism/Runtime/SimulatedDevice.h"

#include "llvm/Support/CheckedArithmetic.h"

#include <cstring>

using namespace prism;

struct PrismPackage {
  KernelPackage package;
  std::unique_ptr<Device> device;
  std::unique_ptr<PackageRunner> runner; ///< of the two above
  bool checkWritten;

  const PlanFunction *find(const char *name) const {
    if (!name)
      return nullptr;
    for (const PlanFunction &function : package.functions)
      if (function.name == name)
        return &function;
    return nullptr;
  }
};

struct PrismPackageResults {
  std::vector<HostArray> arrays;
};

static void report(llvm::Error error, char **text) {
  std::string message = llvm::toString(std::move(error));
  if (text)
    *text = strdup(message.c_str());
}

static llvm::Expected<std::unique_ptr<Device>>
makeDevice(llvm::StringRef name, const PrismPackageOptions &options) {
  if (name == "cuda")
    return createCUDADevice(options.gpu);
  if (name != "sim")
    return llvm::createStringError("there is no device '" + name +
                                   "', expected sim or cuda");
  SimulationOptions simulation;
  simulation.checkUninitialized = simulation.checkRaces = !options.unchecked;
  if (options.reversed)
    simulation.blockOrder = simulation.warpOrder = ScheduleOrder::Reverse;
  if (options.step_limit)
    simulation.stepLimit = options.step_limit;
  return std::make_unique<SimulatedDevice>(simulation);
}

PrismPackage *prismPackageOpen(const char *directory, const char *device,
                               const PrismPackageOptions *options,
                               char **error) {
  if (!directory || !device) {
    report(llvm::createStringError("no folder or no device was given"), error);
    return nullptr;
  }
  PrismPackageOptions defaults = {};
  if (!options)
    options = &defaults;
  auto read = KernelPackage::read(directory);
  if (!read) {
    report(read.takeError(), error);
    return nullptr;
  }
  auto made = makeDevice(device, *options);
  if (!made) {
    report(made.takeError(), error);
    return nullptr;
  }
  auto *package = new PrismPackage{std::move(*read), std::move(*made), nullptr,
                                   !options->unchecked};
  package->runner =
      std::make_unique<PackageRunner>(package->package, *package->device);
  return package;
}

void prismPackageClose(PrismPackage *package) { delete package; }

void prismPackageFreeText(char *text) { std::free(text); }

const char *prismPackageTarget(const PrismPackage *package) {
  return package->package.target.c_str();
}

size_t prismPackageNumFunctions(const PrismPackage *package) {
  return package->package.functions.size();
}

const char *prismPackageFunctionName(const PrismPackage *package,
                                     size_t index) {
  const auto &functions = package->package.functions;
  return index < functions.size() ? functions[index].name.c_str() : nullptr;
}

bool prismPackageSignature(const PrismPackage *package, const char *function,
                           size_t *arguments, size_t *results) {
  const PlanFunction *found = package->find(function);
  if (!found)
    return false;
  *arguments = found->arguments.size();
  *results = found->results.size();
  return true;
}

static const char *typeAt(const std::vector<PlanTensor> &tensors,
                          size_t index) {
  // The names are literals, which end in a null byte.
  return index < tensors.size()
             ? stringifyElementType(tensors[index].type).data()
             : nullptr;
}

const char *prismPackageArgumentType(const PrismPackage *package,
                                     const char *function, size_t index) {
  const PlanFunction *found = package->find(function);
  return found ? typeAt(found->arguments, index) : nullptr;
}

const char *prismPackageResultType(const PrismPackage *package,
                                   const char *function, size_t index) {
  const PlanFunction *found = package->find(function);
  return found ? typeAt(found->results, index) : nullptr;
}

static llvm::Expected<std::vector<HostArray>>
copyInputs(const PrismPackageArray *inputs, size_t count) {
  std::vector<HostArray> arrays;
  if (count && !inputs)
    return llvm::createStringError("no inputs were given");
  for (size_t i = 0; i < count; ++i) {
    const PrismPackageArray &input = inputs[i];
    auto type = parseElementType(input.type ? input.type : "");
    if (!type)
      return llvm::createStringError("input " + llvm::Twine(i) +
                                     " has no known element type: '" +
                                     (input.type ? input.type : "") + "'");
    if (input.rank && !input.shape)
      return llvm::createStringError("input " + llvm::Twine(i) +
                                     " has no shape: its pointer is null");
    HostArray array;
    array.type = *type;
    int64_t bytes = getElementSize(*type);
    for (size_t d = 0; d < input.rank; ++d) {
      auto product = llvm::checkedMul<int64_t>(bytes, input.shape[d]);
      if (input.shape[d] < 0 || !product)
        return llvm::createStringError("input " + llvm::Twine(i) +
                                       " has an extent of " +
                                       llvm::Twine(input.shape[d]));
      bytes = *product;
      array.shape.push_back(input.shape[d]);
    }
    if (bytes && !input.data)
      return llvm::createStringError("input " + llvm::Twine(i) +
                                     " has no data: its pointer is null");
    auto *data = static_cast<const char *>(input.data);
    array.data.assign(data, data + bytes);
    arrays.push_back(std::move(array));
  }
  return arrays;
}

PrismPackageResults *prismPackageRun(PrismPackage *package,
                                     const char *function,
                                     const PrismPackageArray *inputs,
                                     size_t num_inputs, char **error) {
  if (!package || !function) {
    report(llvm::createStringError("no package or no function was given"),
           error);
    return nullptr;
  }
  auto arrays = copyInputs(inputs, num_inputs);
  if (!arrays) {
    report(arrays.takeError(), error);
    return nullptr;
  }
  auto results = package->runner->run(function, *arrays, package->checkWritten);
  if (!results) {
    report(results.takeError(), error);
    return nullptr;
  }
  return new PrismPackageResults{std::move(*results)};
}

void prismPackageResultsDestroy(PrismPackageResults *results) {
  delete results;
}

size_t prismPackageResultsSize(const PrismPackageResults *results) {
  return results->arrays.size();
}

PrismPackageArray prismPackageResult(const PrismPackageResults *results,
                                     size_t index) {
  if (index >= results->arrays.size())
    return {};
  const HostArray &array = results->arrays[index];
  return {stringifyElementType(array.type).data(), array.shape.size(),
          array.shape.data(), array.data.data()};
}

double prismPackageTime(PrismPackage *package, const char *function,
                        const PrismPackageArray *inputs, size_t num_inputs,
                        unsigned repetitions, char **error) {
  if (!package || !function) {
    report(llvm::createStringError("no package or no function was given"),
           error);
    return -1;
  }
  auto arrays = copyInputs(inputs, num_inputs);
  if (!arrays) {
    report(arrays.takeError(), error);
    return -1;
  }
  auto microseconds = package->runner->time(function, *arrays, repetitions);
  if (!microseconds) {
    report(microseconds.takeError(), error);
    return -1;
  }
  return *microseconds;
}
