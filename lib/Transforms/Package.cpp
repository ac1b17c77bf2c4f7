//===- Package.cpp - Kernels and their launch plan ------------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Package.h"
#include "Prism/Conversion/GPULowering.h"
#include "Report.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace prism;
namespace json = llvm::json;

static std::optional<int64_t> getConstant(Value value) {
  APInt number;
  if (!value || !matchPattern(value, m_ConstantInt(&number)))
    return std::nullopt;
  return number.getSExtValue();
}

/// The function argument or allocation that `value` is, as tensor or buffer.
static Value getRoot(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<bufferization::ToBufferOp, bufferization::ToTensorOp,
             memref::CastOp, tensor::CastOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// Type and extents as a plan has them; null for what it cannot hold.
static std::optional<json::Value> describeTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return std::nullopt;
  std::string name;
  llvm::raw_string_ostream(name) << tensor.getElementType();
  return json::Object{{"type", name},
                      {"shape", json::Array(tensor.getShape())}};
}

namespace {
/// Reads the launch plan of one function off its body.
class FunctionPlan {
public:
  explicit FunctionPlan(func::FuncOp function) : function(function) {}

  /// The function's entry, or nothing if it is not launches alone.
  std::optional<json::Value> build();

private:
  bool addTensors();
  bool addLaunch(gpu::LaunchFuncOp launch);
  std::optional<json::Value> describeParameter(Value operand);

  func::FuncOp function;
  json::Array arguments, results, workspaces, launches;
  /// Allocations by what they hold: a result, or a workspace.
  llvm::DenseMap<Value, int64_t> resultOf, workspaceOf;
};
} // namespace

bool FunctionPlan::addTensors() {
  for (Type type : function.getArgumentTypes()) {
    std::optional<json::Value> tensor = describeTensor(type);
    if (!tensor)
      return false;
    arguments.push_back(std::move(*tensor));
  }
  auto returned = cast<func::ReturnOp>(function.front().getTerminator());
  for (auto [index, value] : llvm::enumerate(returned.getOperands())) {
    std::optional<json::Value> tensor = describeTensor(value.getType());
    Value root = getRoot(value);
    // An argument that is returned, or a result that is returned twice, has no
    // kernel that writes it.
    if (!tensor || isa<BlockArgument>(root) ||
        !resultOf.insert({root, index}).second)
      return false;
    results.push_back(std::move(*tensor));
  }
  return true;
}

std::optional<json::Value> FunctionPlan::describeParameter(Value operand) {
  if (std::optional<int64_t> number = getConstant(operand))
    return json::Object{
        {operand.getType().isInteger(64) ? "i64" : "i32", *number}};
  auto buffer = dyn_cast<MemRefType>(operand.getType());
  if (!buffer || !buffer.hasStaticShape())
    return std::nullopt;
  Value root = getRoot(operand);
  if (auto argument = dyn_cast<BlockArgument>(root))
    return json::Object{{"argument", argument.getArgNumber()}};
  if (auto it = resultOf.find(root); it != resultOf.end())
    return json::Object{{"result", it->second}};
  auto [it, isNew] = workspaceOf.insert({root, workspaces.size()});
  if (isNew)
    workspaces.push_back(json::Object{
        {"bytes",
         buffer.getNumElements() *
             int64_t(llvm::divideCeil(buffer.getElementTypeBitWidth(), 8))}});
  return json::Object{{"workspace", it->second}};
}

bool FunctionPlan::addLaunch(gpu::LaunchFuncOp launch) {
  auto sizes = [](gpu::KernelDim3 dims) -> std::optional<json::Array> {
    json::Array array;
    for (Value size : {dims.x, dims.y, dims.z}) {
      std::optional<int64_t> number = getConstant(size);
      if (!number)
        return std::nullopt;
      array.push_back(*number);
    }
    return array;
  };
  std::optional<json::Array> grid = sizes(launch.getGridSizeOperandValues());
  std::optional<json::Array> block = sizes(launch.getBlockSizeOperandValues());
  if (!grid || !block)
    return false;
  json::Array parameters;
  for (Value operand : launch.getKernelOperands()) {
    std::optional<json::Value> parameter = describeParameter(operand);
    if (!parameter)
      return false;
    parameters.push_back(std::move(*parameter));
  }
  launches.push_back(json::Object{
      {"module", (launch.getKernelModuleName().getValue() + ".ptx").str()},
      {"kernel", launch.getKernelName().getValue()},
      {"grid", std::move(*grid)},
      {"block", std::move(*block)},
      {"shared_bytes",
       getConstant(launch.getDynamicSharedMemorySize()).value_or(0)},
      {"parameters", std::move(parameters)}});
  return true;
}

std::optional<json::Value> FunctionPlan::build() {
  if (function.isExternal() || !llvm::hasSingleElement(function.getBody()) ||
      !addTensors())
    return std::nullopt;
  for (Operation &op : function.front().without_terminator()) {
    if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op)) {
      if (!addLaunch(launch))
        return std::nullopt;
      continue;
    }
    if (!isa<arith::ConstantOp, bufferization::AllocTensorOp,
             bufferization::ToBufferOp, bufferization::ToTensorOp, gpu::AllocOp,
             gpu::DeallocOp, gpu::WaitOp, memref::AllocOp, memref::CastOp,
             memref::DeallocOp, tensor::CastOp, tensor::EmptyOp>(op))
      return std::nullopt;
  }
  if (launches.empty())
    return std::nullopt;
  return json::Object{{"name", function.getSymName()},
                      {"arguments", std::move(arguments)},
                      {"results", std::move(results)},
                      {"workspaces", std::move(workspaces)},
                      {"launches", std::move(launches)}};
}

static LogicalResult writeObjects(ModuleOp module, StringRef path) {
  for (auto binary : module.getOps<gpu::BinaryOp>()) {
    auto object = cast<gpu::ObjectAttr>(binary.getObjects()[0]);
    llvm::SmallString<128> file(path);
    llvm::sys::path::append(file, binary.getSymName() + ".ptx");
    std::error_code error;
    llvm::raw_fd_ostream os(file, error, llvm::sys::fs::OF_None);
    if (!error) {
      // A binary's text ends in the null byte that drivers want.
      os << object.getObject().getValue().rtrim('\0');
      os.close();
      error = os.error();
      os.clear_error();
    }
    if (error)
      return emitError(module.getLoc()) << "cannot write the kernels to '"
                                        << file << "': " << error.message();
  }
  return success();
}

LogicalResult prism::writePackage(ModuleOp module, StringRef target,
                                  StringRef path) {
  if (std::error_code error = llvm::sys::fs::create_directories(path))
    return emitError(module.getLoc()) << "cannot make the package folder '"
                                      << path << "': " << error.message();
  json::Array functions;
  for (auto function : module.getOps<func::FuncOp>())
    if (std::optional<json::Value> plan = FunctionPlan(function).build())
      functions.push_back(std::move(*plan));
  llvm::SmallString<128> file(path);
  llvm::sys::path::append(file, "plan.json");
  if (failed(writeObjects(module, path)))
    return failure();
  return writeJSON(module.getLoc(), "launch plan", file,
                   json::Object{{"version", 1},
                                {"target", target},
                                {"functions", std::move(functions)}});
}

static json::Value describeKernel(gpu::LaunchFuncOp launch,
                                  DictionaryAttr facts) {
  json::Object parameters;
  for (NamedAttribute tile : facts.getAs<DictionaryAttr>("tiles"))
    parameters[tile.getName().getValue()] =
        cast<IntegerAttr>(tile.getValue()).getInt();
  json::Value tensorCores = nullptr;
  if (facts.getAs<BoolAttr>("tensor_cores").getValue())
    tensorCores = "mma.sync.m16n8k16";
  return json::Object{
      {"name", launch.getKernelName().getValue()},
      {"parameters", std::move(parameters)},
      {"grid",
       json::Array(facts.getAs<DenseI64ArrayAttr>("grid").asArrayRef())},
      {"block",
       json::Array(facts.getAs<DenseI64ArrayAttr>("block").asArrayRef())},
      {"shared_bytes", facts.getAs<IntegerAttr>("shared_bytes").getInt()},
      {"registers", nullptr}, // ptxas knows; it has not run
      {"spill_bytes", nullptr},
      {"tensor_cores", std::move(tensorCores)},
      {"occupancy", nullptr}};
}

/// Calls `callback` on each launch that `program` was lowered to.
static void
forEachLaunch(ModuleOp module, StringRef program,
              function_ref<void(gpu::LaunchFuncOp, DictionaryAttr)> callback) {
  module.walk([&](gpu::LaunchFuncOp launch) {
    auto facts = launch->getAttrOfType<DictionaryAttr>(launchAttrName);
    if (facts && facts.getAs<StringAttr>("program").getValue() == program)
      callback(launch, facts);
  });
}

std::optional<std::string> prism::getLoweredCandidate(ModuleOp module,
                                                      StringRef program) {
  std::optional<std::string> id;
  forEachLaunch(module, program, [&](gpu::LaunchFuncOp, DictionaryAttr facts) {
    id = facts.getAs<StringAttr>("candidate").str();
  });
  return id;
}

std::optional<json::Array> prism::describeKernels(ModuleOp module,
                                                  StringRef program) {
  json::Array kernels;
  llvm::StringSet<> seen;
  forEachLaunch(module, program,
                [&](gpu::LaunchFuncOp launch, DictionaryAttr facts) {
                  // A program that is invoked twice is launched twice.
                  if (seen.insert(launch.getKernelName()).second)
                    kernels.push_back(describeKernel(launch, facts));
                });
  if (kernels.empty())
    return std::nullopt;
  return kernels;
}
