//===- Package.cpp - Kernels and their launch plan ------------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Package.h"
#include "Prism/Conversion/GPULowering.h"
#include "Prism/Runtime/Npy.h"
#include "Report.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
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

static std::optional<json::Value> describeNumber(Value value);

/// The extent of `root`, a function argument or an allocation.
static std::optional<json::Value> describeExtent(Value root, int64_t dim) {
  // What an earlier program of the function wrote.
  if (auto alloc = root.getDefiningOp<memref::AllocOp>()) {
    MemRefType type = alloc.getType();
    if (dim < 0 || dim >= type.getRank())
      return std::nullopt;
    if (!type.isDynamicDim(dim))
      return type.getDimSize(dim);
    return describeNumber(
        alloc.getDynamicSizes()[type.getDynamicDimIndex(dim)]);
  }
  auto argument = dyn_cast<BlockArgument>(root);
  if (!argument)
    return std::nullopt;
  return json::Object{{"size_of", json::Array{argument.getArgNumber(), dim}}};
}

/// `value` as a number of a plan: an expression over the extents of the
/// function's arguments. Nothing for what a plan cannot say.
static std::optional<json::Value> describeNumber(Value value) {
  if (std::optional<int64_t> number = getConstant(value))
    return *number;
  Operation *op = value.getDefiningOp();
  if (!op)
    return std::nullopt;
  if (auto cast = dyn_cast<arith::IndexCastOp>(op))
    return describeNumber(cast.getIn());
  if (isa<memref::DimOp, tensor::DimOp>(op)) {
    std::optional<int64_t> dim = getConstant(op->getOperand(1));
    if (!dim)
      return std::nullopt;
    return describeExtent(getRoot(op->getOperand(0)), *dim);
  }
  auto describePair = [](StringRef key, Value left,
                         Value right) -> std::optional<json::Value> {
    std::optional<json::Value> a = describeNumber(left),
                               b = describeNumber(right);
    if (!a || !b)
      return std::nullopt;
    return json::Object{{key, json::Array{std::move(*a), std::move(*b)}}};
  };
  if (isa<arith::MulIOp, arith::AddIOp>(op))
    return describePair(isa<arith::MulIOp>(op) ? "mul" : "add",
                        op->getOperand(0), op->getOperand(1));
  // (x + t - 1) / t
  auto quotient = dyn_cast<arith::DivUIOp>(op);
  auto sum = quotient ? quotient.getLhs().getDefiningOp<arith::AddIOp>()
                      : arith::AddIOp();
  std::optional<int64_t> divisor =
      quotient ? getConstant(quotient.getRhs()) : std::nullopt;
  if (!sum || !divisor || getConstant(sum.getRhs()) != *divisor - 1)
    return std::nullopt;
  return describePair("ceildiv", sum.getLhs(), quotient.getRhs());
}

/// The extents of `buffer`, which is allocated in the function; nothing for
/// what a plan cannot say.
static std::optional<json::Array> describeShape(Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  ValueRange sizes;
  if (auto alloc = buffer.getDefiningOp<memref::AllocOp>())
    sizes = alloc.getDynamicSizes();
  else if (auto alloc = buffer.getDefiningOp<gpu::AllocOp>())
    sizes = alloc.getDynamicSizes();
  else if (!type.hasStaticShape())
    return std::nullopt;
  json::Array shape;
  for (int64_t extent : type.getShape()) {
    if (!ShapedType::isDynamic(extent)) {
      shape.push_back(extent);
      continue;
    }
    std::optional<json::Value> size = describeNumber(sizes.front());
    if (!size)
      return std::nullopt;
    shape.push_back(std::move(*size));
    sizes = sizes.drop_front();
  }
  return shape;
}

static json::Value multiply(const json::Value &a, const json::Value &b) {
  return json::Object{{"mul", json::Array{a, b}}};
}

/// A comparison as a plan has it: [a, relation, b].
static std::optional<json::Value> describeCondition(Value condition) {
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare)
    return std::nullopt;
  StringRef relation;
  switch (compare.getPredicate()) {
  case arith::CmpIPredicate::ule:
    relation = "<=";
    break;
  case arith::CmpIPredicate::uge:
    relation = ">=";
    break;
  case arith::CmpIPredicate::eq:
    relation = "==";
    break;
  default:
    return std::nullopt;
  }
  std::optional<json::Value> left = describeNumber(compare.getLhs()),
                             right = describeNumber(compare.getRhs());
  if (!left || !right)
    return std::nullopt;
  return json::Array{std::move(*left), relation, std::move(*right)};
}

/// Type and extents as a plan has them, null for those that are not known;
/// nothing for what it cannot hold.
static std::optional<json::Object> describeTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return std::nullopt;
  std::string name;
  llvm::raw_string_ostream(name) << tensor.getElementType();
  json::Array shape;
  for (int64_t extent : tensor.getShape())
    shape.push_back(ShapedType::isDynamic(extent) ? json::Value(nullptr)
                                                  : json::Value(extent));
  return json::Object{{"type", name}, {"shape", std::move(shape)}};
}

/// The array that `constant` is; nothing for what a .npy file cannot hold.
static std::optional<HostArray> readConstant(ElementsAttr constant) {
  std::string name;
  llvm::raw_string_ostream(name) << constant.getElementType();
  std::optional<ElementType> type = parseElementType(name);
  // Bits are packed, in a way of their own.
  if (!type || *type == ElementType::I1)
    return std::nullopt;
  HostArray array;
  array.type = *type;
  array.shape.assign(constant.getShapedType().getShape().begin(),
                     constant.getShapedType().getShape().end());
  size_t bytes = array.getNumElements() * getElementSize(*type);
  ArrayRef<char> data;
  if (auto dense = dyn_cast<DenseElementsAttr>(constant))
    data = dense.getRawData();
  else if (auto resource = dyn_cast<DenseResourceElementsAttr>(constant))
    if (AsmResourceBlob *blob = resource.getRawHandle().getBlob())
      data = blob->getData();
  if (data.size() != bytes && data.size() != getElementSize(*type))
    return std::nullopt;
  while (array.data.size() < bytes) // a splat is there once
    array.data.insert(array.data.end(), data.begin(), data.end());
  return array;
}

/// The constants of a package, which its functions share.
using ConstantSet = llvm::SetVector<ElementsAttr>;

/// constant_0.npy, constant_1.npy, ...
static std::string getConstantFile(size_t index) {
  return "constant_" + std::to_string(index) + ".npy";
}

namespace {
/// Reads the launch plan of one function off its body.
class FunctionPlan {
public:
  FunctionPlan(func::FuncOp function, ConstantSet &constants)
      : function(function), constants(constants) {}

  /// The function's entry; if it is not launches alone nothing, and `whyNot`
  /// says what else there is.
  std::optional<json::Value> build(std::string &whyNot);

private:
  bool addTensors(std::string &whyNot);
  void addLaunchesOfCopies();
  bool addCast(Operation &cast);
  bool addOp(Operation &op);
  bool addGuarded(scf::IfOp guard);
  bool addLaunch(gpu::LaunchFuncOp launch, std::optional<json::Value> when);
  std::optional<json::Value> describeParameter(Value operand);
  std::optional<json::Value> describeTensorMap(UnrealizedConversionCastOp map);

  func::FuncOp function;
  ConstantSet &constants;
  json::Array arguments, results, workspaces, launches, requirements;
  /// Allocations by what they hold: a result, or a workspace.
  llvm::DenseMap<Value, int64_t> resultOf, workspaceOf;
  /// Results that are the same as an earlier one: (itself, the earlier one).
  SmallVector<std::pair<int64_t, int64_t>> copies;
};
} // namespace

bool FunctionPlan::addTensors(std::string &whyNot) {
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
    std::optional<json::Object> tensor = describeTensor(type);
    if (!tensor) {
      whyNot = llvm::formatv("argument {0} is {1}, expected a tensor with a "
                             "rank",
                             index, type);
      return false;
    }
    arguments.push_back(std::move(*tensor));
  }
  auto returned = cast<func::ReturnOp>(function.front().getTerminator());
  for (auto [index, value] : llvm::enumerate(returned.getOperands())) {
    std::optional<json::Object> tensor = describeTensor(value.getType());
    if (!tensor) {
      whyNot = llvm::formatv("result {0} is {1}, expected a tensor with a rank",
                             index, value.getType());
      return false;
    }
    Value root = getRoot(value);
    if (auto argument = dyn_cast<BlockArgument>(root)) {
      whyNot = llvm::formatv("result {0} is argument {1}, which no kernel "
                             "writes",
                             index, argument.getArgNumber());
      return false;
    }
    if (!root.getDefiningOp<memref::AllocOp>()) {
      whyNot = llvm::formatv("result {0} is of '{1}', which is no kernel",
                             index, root.getDefiningOp()->getName());
      return false;
    }
    auto [it, isNew] = resultOf.insert({root, index});
    if (!isNew)
      copies.push_back({index, it->second});
    if (!cast<RankedTensorType>(value.getType()).hasStaticShape()) {
      std::optional<json::Array> shape;
      if (isa<MemRefType>(root.getType()))
        shape = describeShape(root);
      if (!shape) {
        whyNot = llvm::formatv("the extents of result {0} are no expressions "
                               "over those of arguments",
                               index);
        return false;
      }
      (*tensor)["shape"] = std::move(*shape);
    }
    results.push_back(std::move(*tensor));
  }
  return true;
}

/// A result that is returned twice has a buffer for each: what writes the first
/// is launched for the other one, too. That is the first launch that has it:
/// others read it. Kernels write nothing that they read.
void FunctionPlan::addLaunchesOfCopies() {
  size_t last = launches.size();
  for (auto [copy, original] : copies)
    for (size_t index = 0; index < last; ++index) {
      json::Value launch = launches[index];
      json::Array &parameters = *launch.getAsObject()->getArray("parameters");
      auto written = llvm::find_if(
          parameters, [original = original](const json::Value &parameter) {
            return parameter.getAsObject()->getInteger("result") == original;
          });
      if (written == parameters.end())
        continue;
      *written = json::Object{{"result", copy}};
      launches.push_back(std::move(launch));
      break;
    }
}

/// A cast to known extents, which the extents of what it casts have to be.
bool FunctionPlan::addCast(Operation &cast) {
  auto from = dyn_cast<ShapedType>(cast.getOperand(0).getType());
  auto to = dyn_cast<ShapedType>(cast.getResult(0).getType());
  if (!from || !to || !from.hasRank() || !to.hasRank())
    return false;
  for (int64_t dim = 0; dim < to.getRank(); ++dim) {
    if (to.isDynamicDim(dim) || !from.isDynamicDim(dim))
      continue;
    std::optional<json::Value> extent =
        describeExtent(getRoot(cast.getOperand(0)), dim);
    if (!extent)
      return false;
    requirements.push_back(
        json::Array{std::move(*extent), "==", to.getDimSize(dim)});
  }
  return true;
}

/// What `map`, a cast, says of its buffer, as a plan has it.
std::optional<json::Value>
FunctionPlan::describeTensorMap(UnrealizedConversionCastOp map) {
  auto facts = map->getAttrOfType<DictionaryAttr>(tensorMapAttrName);
  if (!facts)
    return std::nullopt;
  Value buffer = map.getOperand(0);
  auto type = cast<MemRefType>(buffer.getType());
  std::optional<json::Value> base = describeParameter(buffer);
  if (!base || !type.hasStaticShape())
    return std::nullopt;
  std::string elementType;
  llvm::raw_string_ostream(elementType) << type.getElementType();
  auto box = facts.getAs<DenseI64ArrayAttr>("box");
  auto swizzle = facts.getAs<IntegerAttr>("swizzle");
  return json::Object{
      {"tensor_map", json::Object{{"base", std::move(*base)},
                                  {"type", elementType},
                                  {"shape", json::Array(type.getShape())},
                                  {"box", json::Array(box.asArrayRef())},
                                  {"swizzle", swizzle.getInt()}}}};
}

std::optional<json::Value> FunctionPlan::describeParameter(Value operand) {
  if (auto map = operand.getDefiningOp<UnrealizedConversionCastOp>())
    return describeTensorMap(map);
  if (operand.getType().isInteger()) {
    std::optional<json::Value> number = describeNumber(operand);
    if (!number)
      return std::nullopt;
    return json::Object{
        {operand.getType().isInteger(64) ? "i64" : "i32", std::move(*number)}};
  }
  auto buffer = dyn_cast<MemRefType>(operand.getType());
  if (!buffer)
    return std::nullopt;
  Value root = getRoot(operand);
  if (auto argument = dyn_cast<BlockArgument>(root))
    return json::Object{{"argument", argument.getArgNumber()}};
  if (auto it = resultOf.find(root); it != resultOf.end())
    return json::Object{{"result", it->second}};
  ElementsAttr constant;
  if (matchPattern(root, m_Constant(&constant))) {
    if (!readConstant(constant))
      return std::nullopt;
    constants.insert(constant);
    auto *it = llvm::find(constants, constant);
    return json::Object{{"constant", getConstantFile(it - constants.begin())}};
  }
  // What was never written is no workspace.
  if (!root.getDefiningOp<memref::AllocOp>() &&
      !root.getDefiningOp<gpu::AllocOp>())
    return std::nullopt;
  auto [it, isNew] = workspaceOf.insert({root, workspaces.size()});
  if (isNew) {
    std::optional<json::Array> shape = describeShape(root);
    if (!shape)
      return std::nullopt;
    int64_t known = llvm::divideCeil(buffer.getElementTypeBitWidth(), 8);
    std::optional<json::Value> unknown;
    for (json::Value &extent : *shape) {
      if (std::optional<int64_t> number = extent.getAsInteger())
        known *= *number;
      else
        unknown = unknown ? multiply(*unknown, extent) : extent;
    }
    json::Value bytes =
        unknown ? multiply(*unknown, known) : json::Value(known);
    workspaces.push_back(json::Object{{"bytes", std::move(bytes)}});
  }
  return json::Object{{"workspace", it->second}};
}

bool FunctionPlan::addLaunch(gpu::LaunchFuncOp launch,
                             std::optional<json::Value> when) {
  auto sizes = [](gpu::KernelDim3 dims) -> std::optional<json::Array> {
    json::Array array;
    for (Value size : {dims.x, dims.y, dims.z}) {
      std::optional<json::Value> number = describeNumber(size);
      if (!number)
        return std::nullopt;
      array.push_back(std::move(*number));
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
  json::Object planned{
      {"module", (launch.getKernelModuleName().getValue() + ".ptx").str()},
      {"kernel", launch.getKernelName().getValue()},
      {"grid", std::move(*grid)},
      {"block", std::move(*block)},
      {"shared_bytes",
       getConstant(launch.getDynamicSharedMemorySize()).value_or(0)},
      {"parameters", std::move(parameters)}};
  if (when)
    planned["when"] = std::move(*when);
  launches.push_back(std::move(planned));
  return true;
}

/// Launches that happen on a condition.
bool FunctionPlan::addGuarded(scf::IfOp guard) {
  if (guard.getNumResults() != 0 || !guard.getElseRegion().empty())
    return false;
  for (Operation &op : guard.thenBlock()->without_terminator()) {
    auto launch = dyn_cast<gpu::LaunchFuncOp>(op);
    std::optional<json::Value> when = describeCondition(guard.getCondition());
    if (!launch || !when || !addLaunch(launch, std::move(when)))
      return false;
  }
  return true;
}

/// False for what a plan cannot hold.
bool FunctionPlan::addOp(Operation &op) {
  if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op))
    return addLaunch(launch, std::nullopt);
  if (auto guard = dyn_cast<scf::IfOp>(op))
    return addGuarded(guard);
  if (auto assertion = dyn_cast<cf::AssertOp>(op)) {
    std::optional<json::Value> requirement =
        describeCondition(assertion.getArg());
    if (!requirement)
      return false;
    requirements.push_back(std::move(*requirement));
    return true;
  }
  if (isa<memref::CastOp, tensor::CastOp>(op))
    return addCast(op);
  return isa<arith::AddIOp, arith::CmpIOp, arith::ConstantOp, arith::DivUIOp,
             arith::IndexCastOp, arith::MulIOp, memref::DimOp, tensor::DimOp,
             bufferization::AllocTensorOp, bufferization::ToBufferOp,
             bufferization::ToTensorOp, gpu::AllocOp, gpu::DeallocOp,
             gpu::WaitOp, memref::AllocOp, memref::DeallocOp, tensor::EmptyOp,
             UnrealizedConversionCastOp>(op);
}

std::optional<json::Value> FunctionPlan::build(std::string &whyNot) {
  if (!llvm::hasSingleElement(function.getBody())) {
    whyNot = "it has several blocks";
    return std::nullopt;
  }
  if (!addTensors(whyNot))
    return std::nullopt;
  for (Operation &op : function.front().without_terminator())
    if (!addOp(op)) {
      whyNot = ("a plan cannot hold its '" + op.getName().getStringRef() + "'")
                   .str();
      return std::nullopt;
    }
  if (launches.empty()) {
    whyNot = "it launches nothing";
    return std::nullopt;
  }
  addLaunchesOfCopies();
  json::Object plan{{"name", function.getSymName()},
                    {"arguments", std::move(arguments)},
                    {"results", std::move(results)},
                    {"workspaces", std::move(workspaces)},
                    {"launches", std::move(launches)}};
  if (!requirements.empty())
    plan["requires"] = std::move(requirements);
  return json::Value(std::move(plan));
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

static LogicalResult writeConstants(Location loc, const ConstantSet &constants,
                                    StringRef path) {
  for (auto [index, constant] : llvm::enumerate(constants)) {
    llvm::SmallString<128> file(path);
    llvm::sys::path::append(file, getConstantFile(index));
    if (llvm::Error error = writeNpy(file, *readConstant(constant)))
      return emitError(loc) << "cannot write a constant of the package: "
                            << llvm::toString(std::move(error));
  }
  return success();
}

LogicalResult prism::writePackage(ModuleOp module, StringRef target,
                                  StringRef path) {
  if (std::error_code error = llvm::sys::fs::create_directories(path))
    return emitError(module.getLoc()) << "cannot make the package folder '"
                                      << path << "': " << error.message();
  json::Array functions;
  ConstantSet constants;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    std::string whyNot;
    ConstantSet known = constants;
    if (std::optional<json::Value> plan =
            FunctionPlan(function, known).build(whyNot)) {
      functions.push_back(std::move(*plan));
      constants = std::move(known);
      continue;
    }
    emitRemark(function.getLoc()) << "function '" << function.getSymName()
                                  << "' is not in the package: " << whyNot;
  }
  llvm::SmallString<128> file(path);
  llvm::sys::path::append(file, "plan.json");
  if (failed(writeObjects(module, path)) ||
      failed(writeConstants(module.getLoc(), constants, path)))
    return failure();
  return writeJSON(module.getLoc(), "launch plan", file,
                   json::Object{{"version", 1},
                                {"target", target},
                                {"functions", std::move(functions)}});
}

static json::Value describeKernel(gpu::LaunchFuncOp launch,
                                  DictionaryAttr facts,
                                  const KernelFacts &more) {
  json::Object parameters;
  for (NamedAttribute tile : facts.getAs<DictionaryAttr>("tiles"))
    parameters[tile.getName().getValue()] =
        cast<IntegerAttr>(tile.getValue()).getInt();
  json::Value tensorCores = nullptr;
  if (facts.getAs<BoolAttr>("tensor_cores").getValue())
    tensorCores = "mma.sync.m16n8k16";
  json::Array grid;
  for (int64_t size : facts.getAs<DenseI64ArrayAttr>("grid").asArrayRef())
    grid.push_back(ShapedType::isDynamic(size) ? json::Value(nullptr)
                                               : json::Value(size));
  json::Value registers = nullptr, spillBytes = nullptr;
  if (more.resources) {
    registers = more.resources->registers;
    spillBytes = more.resources->spillBytes;
  }
  return json::Object{
      {"name", launch.getKernelName().getValue()},
      {"parameters", std::move(parameters)},
      {"grid", std::move(grid)},
      {"block",
       json::Array(facts.getAs<DenseI64ArrayAttr>("block").asArrayRef())},
      {"shared_bytes", facts.getAs<IntegerAttr>("shared_bytes").getInt()},
      {"stages", more.stages},
      {"matrix_instructions", more.matrixInstructions},
      {"block_bytes", more.blockBytes},
      {"registers", std::move(registers)},
      {"spill_bytes", std::move(spillBytes)},
      {"tensor_cores", std::move(tensorCores)},
      {"occupancy",
       more.occupancy ? json::Value(*more.occupancy) : json::Value(nullptr)}};
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

std::optional<json::Array>
prism::describeKernels(ModuleOp module, StringRef program,
                       const llvm::StringMap<KernelFacts> &facts) {
  json::Array kernels;
  llvm::StringSet<> seen;
  forEachLaunch(module, program,
                [&](gpu::LaunchFuncOp launch, DictionaryAttr attr) {
                  // A program that is invoked twice is launched twice.
                  if (seen.insert(launch.getKernelName()).second)
                    kernels.push_back(describeKernel(
                        launch, attr, facts.lookup(launch.getKernelName())));
                });
  if (kernels.empty())
    return std::nullopt;
  return kernels;
}
