//===- PackageRunner.cpp - Running functions of a kernel package ----------===//
//
// Binds inputs to a plan's arguments, allocates results and workspaces, makes
// the launches in order, and fetches the results.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Runtime/KernelPackage.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <limits>

using namespace prism;

/// One run of one function: what is on the device for it.
struct PackageRunner::Call {
  const PlanFunction &function;
  std::vector<llvm::SmallVector<int64_t, 4>> shapes; ///< of the arguments
  std::vector<DevicePtr> arguments, results, workspaces;
  std::vector<HostArray> hostResults;
  llvm::StringMap<DevicePtr> constants;
  std::vector<DevicePtr> allocated;
};

/// The type an input of the plan's type has in a .npy file.
static bool acceptsType(ElementType planned, ElementType given) {
  return planned == given ||
         (planned == ElementType::BF16 && given == ElementType::U16);
}

static std::string describeTensor(const PlanTensor &tensor) {
  std::string text;
  for (const std::optional<PlanExpr> &extent : tensor.shape)
    text += (extent && extent->kind == PlanExpr::Kind::Constant
                 ? std::to_string(extent->value)
                 : "?") +
            std::string("x");
  return text + stringifyElementType(tensor.type).str();
}

llvm::Error PackageRunner::bindInputs(Call &call,
                                      llvm::ArrayRef<HostArray> inputs) {
  const PlanFunction &function = call.function;
  if (inputs.size() != function.arguments.size())
    return llvm::createStringError("function '" + function.name + "' takes " +
                                   llvm::Twine(function.arguments.size()) +
                                   " arguments, " + llvm::Twine(inputs.size()) +
                                   " inputs were given");
  for (const HostArray &input : inputs)
    call.shapes.push_back(input.shape);
  for (unsigned i = 0; i < inputs.size(); ++i) {
    const PlanTensor &planned = function.arguments[i];
    const HostArray &input = inputs[i];
    auto mismatch = [&] {
      return llvm::createStringError(
          "argument " + llvm::Twine(i) + " of '" + function.name + "' is " +
          describeTensor(planned) + ", the input is " +
          describeArray(input.type, input.shape) +
          (planned.type == ElementType::BF16 ? "; bf16 comes as ui16" : ""));
    };
    if (!acceptsType(planned.type, input.type) ||
        planned.shape.size() != input.shape.size())
      return mismatch();
    for (auto [extent, actual] : llvm::zip(planned.shape, input.shape)) {
      if (!extent)
        continue;
      auto expected = extent->evaluate(call.shapes);
      if (!expected)
        return expected.takeError();
      if (*expected != actual)
        return mismatch();
    }
    std::string label = "argument " + std::to_string(i);
    auto ptr = device.allocate(input.data.size(), label);
    if (!ptr)
      return ptr.takeError();
    call.allocated.push_back(*ptr);
    call.arguments.push_back(*ptr);
    if (auto error = device.copyToDevice(*ptr, input.data))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error PackageRunner::allocateOutputs(Call &call) {
  for (unsigned i = 0; i < call.function.results.size(); ++i) {
    const PlanTensor &planned = call.function.results[i];
    HostArray result;
    result.type = planned.type;
    uint64_t bytes = getElementSize(planned.type);
    for (const std::optional<PlanExpr> &extent : planned.shape) {
      auto value = extent->evaluate(call.shapes);
      if (!value)
        return value.takeError();
      auto product = llvm::checkedMulUnsigned<uint64_t>(bytes, *value);
      if (*value < 0 || !product)
        return llvm::createStringError("result " + llvm::Twine(i) +
                                       " has an extent of " +
                                       llvm::Twine(*value));
      bytes = *product;
      result.shape.push_back(*value);
    }
    auto ptr = device.allocate(bytes, "result " + std::to_string(i));
    if (!ptr)
      return ptr.takeError();
    call.allocated.push_back(*ptr);
    call.results.push_back(*ptr);
    result.data.resize(bytes);
    call.hostResults.push_back(std::move(result));
  }
  for (const PlanExpr &workspace : call.function.workspaces) {
    auto bytes = workspace.evaluate(call.shapes);
    if (!bytes)
      return bytes.takeError();
    if (*bytes < 0)
      return llvm::createStringError("a workspace of " + llvm::Twine(*bytes) +
                                     " bytes");
    std::string label = "workspace " + std::to_string(call.workspaces.size());
    auto ptr = device.allocate(*bytes, label);
    if (!ptr)
      return ptr.takeError();
    call.allocated.push_back(*ptr);
    call.workspaces.push_back(*ptr);
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

llvm::Expected<ModuleHandle> PackageRunner::getModule(llvm::StringRef file) {
  if (auto it = modules.find(file); it != modules.end())
    return it->second;
  llvm::SmallString<128> path(package.directory);
  llvm::sys::path::append(path, file);
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::createStringError("cannot read '" + path.str() +
                                   "': " + buffer.getError().message());
  auto handle = device.loadModule((*buffer)->getBuffer(), path);
  if (handle)
    modules[file] = *handle;
  return handle;
}

llvm::Expected<DevicePtr> PackageRunner::uploadConstant(Call &call,
                                                        llvm::StringRef file) {
  if (auto it = call.constants.find(file); it != call.constants.end())
    return it->second;
  llvm::SmallString<128> path(package.directory);
  llvm::sys::path::append(path, file);
  auto array = readNpy(path);
  if (!array)
    return array.takeError();
  auto ptr = device.allocate(array->data.size(), file);
  if (!ptr)
    return ptr.takeError();
  call.allocated.push_back(*ptr);
  call.constants[file] = *ptr;
  if (auto error = device.copyToDevice(*ptr, array->data))
    return std::move(error);
  return *ptr;
}

/// The pointer to an array, or a tensor map of it.
llvm::Expected<KernelArgument>
PackageRunner::makeArrayArgument(Call &call, const PlanParameter &parameter) {
  using K = PlanParameter::Kind;
  unsigned index = parameter.index;
  DevicePtr ptr = DevicePtr::Null;
  ElementType type = ElementType::U8;
  llvm::ArrayRef<int64_t> shape;
  if (parameter.kind == K::Argument) {
    ptr = call.arguments[index];
    type = call.function.arguments[index].type;
    shape = call.shapes[index];
  } else if (parameter.kind == K::Result) {
    ptr = call.results[index];
    type = call.function.results[index].type;
    shape = call.hostResults[index].shape;
  } else if (parameter.kind == K::Workspace) {
    ptr = call.workspaces[index];
  } else {
    auto uploaded = uploadConstant(call, parameter.file);
    if (!uploaded)
      return uploaded.takeError();
    ptr = *uploaded;
  }
  if (!parameter.tensorMap)
    return KernelArgument::pointer(ptr);
  auto map = parameter.tensorMap->build(ptr, type, shape, call.shapes);
  if (!map)
    return map.takeError();
  return device.makeTensorMap(*map);
}

llvm::Expected<KernelArgument>
PackageRunner::makeArgument(Call &call, const PlanParameter &parameter) {
  using K = PlanParameter::Kind;
  switch (parameter.kind) {
  case K::Argument:
  case K::Result:
  case K::Workspace:
  case K::Constant:
    return makeArrayArgument(call, parameter);
  case K::F32:
    return KernelArgument::f32(float(parameter.number));
  case K::I32:
  case K::I64:
    break;
  }
  auto value = parameter.value.evaluate(call.shapes);
  if (!value)
    return value.takeError();
  if (parameter.kind == K::I64)
    return KernelArgument::i64(*value);
  if (*value != int32_t(*value))
    return llvm::createStringError("a size of " + llvm::Twine(*value) +
                                   " does not fit into the kernel's i32");
  return KernelArgument::i32(int32_t(*value));
}

static llvm::Expected<bool>
holds(const PlanCondition &condition,
      llvm::ArrayRef<llvm::SmallVector<int64_t, 4>> shapes) {
  auto left = condition.left.evaluate(shapes);
  if (!left)
    return left.takeError();
  auto right = condition.right.evaluate(shapes);
  if (!right)
    return right.takeError();
  switch (condition.relation) {
  case PlanCondition::Relation::LE:
    return *left <= *right;
  case PlanCondition::Relation::LT:
    return *left < *right;
  case PlanCondition::Relation::GE:
    return *left >= *right;
  case PlanCondition::Relation::GT:
    return *left > *right;
  case PlanCondition::Relation::EQ:
    return *left == *right;
  case PlanCondition::Relation::NE:
    return *left != *right;
  }
  return false;
}

static llvm::StringRef stringifyRelation(PlanCondition::Relation relation) {
  switch (relation) {
  case PlanCondition::Relation::LE:
    return "<=";
  case PlanCondition::Relation::LT:
    return "<";
  case PlanCondition::Relation::GE:
    return ">=";
  case PlanCondition::Relation::GT:
    return ">";
  case PlanCondition::Relation::EQ:
    return "==";
  case PlanCondition::Relation::NE:
    return "!=";
  }
  return "";
}

static llvm::Error
checkRequirements(const PlanFunction &function,
                  llvm::ArrayRef<llvm::SmallVector<int64_t, 4>> shapes) {
  for (const PlanCondition &condition : function.requirements) {
    auto isMet = holds(condition, shapes);
    if (!isMet)
      return isMet.takeError();
    if (*isMet)
      continue;
    return llvm::createStringError(
        "the kernels of '" + function.name +
        "' do not take these shapes: they need " +
        llvm::Twine(llvm::cantFail(condition.left.evaluate(shapes))) + " " +
        stringifyRelation(condition.relation) + " " +
        llvm::Twine(llvm::cantFail(condition.right.evaluate(shapes))));
  }
  return llvm::Error::success();
}

/// A number of a launch, which must fit into 32 bits.
static llvm::Expected<uint32_t>
evaluate32(const PlanExpr &expr,
           llvm::ArrayRef<llvm::SmallVector<int64_t, 4>> shapes) {
  auto value = expr.evaluate(shapes);
  if (!value)
    return value.takeError();
  if (*value < 0 || *value > std::numeric_limits<uint32_t>::max())
    return llvm::createStringError("a launch number of " + llvm::Twine(*value) +
                                   " does not fit into 32 bits");
  return uint32_t(*value);
}

/// Nothing where the launch's condition does not hold.
llvm::Expected<std::optional<LaunchRequest>>
PackageRunner::makeRequest(Call &call, const PlanLaunch &planned) {
  if (planned.when) {
    auto taken = holds(*planned.when, call.shapes);
    if (!taken)
      return taken.takeError();
    if (!*taken)
      return std::nullopt;
  }
  LaunchRequest request;
  request.kernel = planned.kernel;
  auto module = getModule(planned.module);
  if (!module)
    return module.takeError();
  request.module = *module;
  for (unsigned i = 0; i < 3; ++i) {
    auto grid = evaluate32(planned.grid[i], call.shapes);
    if (!grid)
      return grid.takeError();
    auto block = evaluate32(planned.block[i], call.shapes);
    if (!block)
      return block.takeError();
    request.grid[i] = *grid;
    request.block[i] = *block;
  }
  auto shared = evaluate32(planned.sharedBytes, call.shapes);
  if (!shared)
    return shared.takeError();
  request.sharedBytes = *shared;
  for (auto [i, parameter] : llvm::enumerate(planned.parameters)) {
    auto argument = makeArgument(call, parameter);
    if (!argument)
      return llvm::createStringError(
          "parameter " + llvm::Twine(i) + " of kernel '" + planned.kernel +
          "': " + llvm::toString(argument.takeError()));
    request.arguments.push_back(std::move(*argument));
  }
  return request;
}

llvm::Expected<std::vector<LaunchRequest>>
PackageRunner::makeRequests(Call &call) {
  std::vector<LaunchRequest> requests;
  for (const PlanLaunch &planned : call.function.launches) {
    auto request = makeRequest(call, planned);
    if (!request)
      return request.takeError();
    if (*request)
      requests.push_back(std::move(**request));
  }
  return requests;
}

llvm::Expected<std::vector<HostArray>>
PackageRunner::fetchResults(Call &call, bool checkWritten) {
  for (unsigned i = 0; i < call.results.size(); ++i) {
    HostArray &result = call.hostResults[i];
    if (checkWritten && !result.data.empty()) {
      uint64_t missing = device.countUnwrittenBytes(call.results[i]);
      if (missing)
        return llvm::createStringError("result " + llvm::Twine(i) + " of '" +
                                       call.function.name + "' has " +
                                       llvm::Twine(missing) +
                                       " bytes that no kernel has written");
    }
    if (auto error = device.copyFromDevice(result.data, call.results[i]))
      return std::move(error);
  }
  return std::move(call.hostResults);
}

llvm::Expected<std::vector<HostArray>>
PackageRunner::runCall(Call &call, llvm::ArrayRef<HostArray> inputs,
                       bool checkWritten) {
  if (auto error = bindInputs(call, inputs))
    return std::move(error);
  if (auto error = checkRequirements(call.function, call.shapes))
    return std::move(error);
  if (auto error = allocateOutputs(call))
    return std::move(error);
  auto requests = makeRequests(call);
  if (!requests)
    return requests.takeError();
  for (const LaunchRequest &request : *requests)
    if (auto error = device.launch(request))
      return std::move(error);
  return fetchResults(call, checkWritten);
}

llvm::Expected<double> PackageRunner::timeCall(Call &call,
                                               llvm::ArrayRef<HostArray> inputs,
                                               unsigned repetitions) {
  if (repetitions == 0)
    return llvm::createStringError("a time needs at least one repetition");
  if (auto error = bindInputs(call, inputs))
    return std::move(error);
  if (auto error = checkRequirements(call.function, call.shapes))
    return std::move(error);
  if (auto error = allocateOutputs(call))
    return std::move(error);
  auto requests = makeRequests(call);
  if (!requests)
    return requests.takeError();
  return device.time(*requests, repetitions);
}

llvm::Error PackageRunner::freeAll(Call &call) {
  llvm::Error errors = llvm::Error::success();
  for (DevicePtr ptr : call.allocated)
    errors = llvm::joinErrors(std::move(errors), device.free(ptr));
  return errors;
}

/// The result, unless there are errors of its own or of the end.
template <typename T>
static llvm::Expected<T> finish(llvm::Expected<T> result, llvm::Error end) {
  if (!end)
    return result;
  if (result)
    return std::move(end);
  return llvm::joinErrors(result.takeError(), std::move(end));
}

llvm::Expected<std::vector<HostArray>>
PackageRunner::run(llvm::StringRef name, llvm::ArrayRef<HostArray> inputs,
                   bool checkWritten) {
  auto function = package.find(name);
  if (!function)
    return function.takeError();
  Call call{**function, {}, {}, {}, {}, {}, {}, {}};
  auto results = runCall(call, inputs, checkWritten);
  return finish(std::move(results), freeAll(call));
}

llvm::Expected<double> PackageRunner::time(llvm::StringRef name,
                                           llvm::ArrayRef<HostArray> inputs,
                                           unsigned repetitions) {
  auto function = package.find(name);
  if (!function)
    return function.takeError();
  Call call{**function, {}, {}, {}, {}, {}, {}, {}};
  auto microseconds = timeCall(call, inputs, repetitions);
  return finish(std::move(microseconds), freeAll(call));
}
