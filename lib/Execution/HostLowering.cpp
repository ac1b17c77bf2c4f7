//===- HostLowering.cpp - Host code that calls the runtime ----------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostLowering.h"

#include "Prism/Conversion/GPULowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace prism;

unsigned prism::getHostElementSize(Type type) {
  if (type.isIndex())
    return 8;
  if (!type.isIntOrFloat())
    return 0;
  unsigned bits = type.getIntOrFloatBitWidth();
  if (bits == 1)
    return 1;
  return bits % 8 == 0 && llvm::isPowerOf2_32(bits) ? bits / 8 : 0;
}

HostLowering::HostLowering(ModuleOp module, uint64_t run)
    : module(module), run(run), symbolTable(module) {
  // What is made here need not be in the module already.
  module.getContext()
      ->loadDialect<arith::ArithDialect, bufferization::BufferizationDialect,
                    func::FuncDialect, linalg::LinalgDialect,
                    memref::MemRefDialect, scf::SCFDialect>();
}

//===----------------------------------------------------------------------===//
// Calls of the runner's entries
//===----------------------------------------------------------------------===//

func::FuncOp HostLowering::declare(HostEntry entry) {
  func::FuncOp &function = declarations[unsigned(entry)];
  if (function)
    return function;
  static constexpr StringLiteral names[numHostEntries] = {
      "__prism_argument", "__prism_allocate", "__prism_free", "__prism_access",
      "__prism_launch",   "__prism_result",   "__prism_fail"};
  static constexpr unsigned numOperands[numHostEntries] = {2, 3, 2, 3, 3, 3, 2};
  Builder b(module.getContext());
  bool returnsBytes =
      entry == HostEntry::Argument || entry == HostEntry::Allocate;
  SmallVector<Type> operands(numOperands[unsigned(entry)], b.getI64Type());
  SmallVector<Type> results;
  if (returnsBytes)
    results.push_back(
        MemRefType::get({ShapedType::kDynamic}, b.getIntegerType(8)));
  function = func::FuncOp::create(module.getLoc(), names[unsigned(entry)],
                                  b.getFunctionType(operands, results));
  function.setPrivate();
  // A descriptor comes back through a pointer, as C can give it.
  if (returnsBytes)
    function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                      b.getUnitAttr());
  StringAttr name = symbolTable.insert(function); // may rename it
  symbols[unsigned(entry)] =
      ((returnsBytes ? "_mlir_ciface_" : "") + name.getValue()).str();
  return function;
}

static Value makeI64(OpBuilder &b, Location loc, int64_t value) {
  return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
}

/// The bits of a number or index as an i64.
static Value castToI64(OpBuilder &b, Location loc, Value value) {
  Type type = value.getType();
  if (type.isIndex())
    return arith::IndexCastOp::create(b, loc, b.getI64Type(), value);
  unsigned bits = type.getIntOrFloatBitWidth();
  if (isa<FloatType>(type))
    value = arith::BitcastOp::create(b, loc, b.getIntegerType(bits), value);
  if (bits < 64)
    value = arith::ExtUIOp::create(b, loc, b.getI64Type(), value);
  return value;
}

Value HostLowering::callEntry(OpBuilder &b, Location loc, HostEntry entry,
                              ValueRange operands) {
  SmallVector<Value> all = {makeI64(b, loc, run)};
  llvm::append_range(all, operands);
  auto call = func::CallOp::create(b, loc, declare(entry), all);
  return call.getNumResults() ? call.getResult(0) : Value();
}

/// Marks the stores that storeWords makes: no kernel sees that memory.
static constexpr StringLiteral wordsAttrName = "prism.words";

/// Stores numbers in memory of the function around `at`; returns its address.
Value HostLowering::storeWords(OpBuilder &b, Operation *at,
                               ArrayRef<Value> words) {
  Location loc = at->getLoc();
  auto function = isa<func::FuncOp>(at) ? cast<func::FuncOp>(at)
                                        : at->getParentOfType<func::FuncOp>();
  auto type = MemRefType::get({int64_t(words.size())}, b.getI64Type());
  Value memory;
  {
    // In a loop's body, it would be allocated again and again.
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&function.front());
    auto alloca = memref::AllocaOp::create(b, loc, type);
    alloca->setAttr(wordsAttrName, b.getUnitAttr());
    memory = alloca;
  }
  for (auto [i, word] : llvm::enumerate(words)) {
    Value index = arith::ConstantIndexOp::create(b, loc, i);
    auto store = memref::StoreOp::create(b, loc, word, memory, index);
    store->setAttr(wordsAttrName, b.getUnitAttr());
  }
  Value pointer =
      memref::ExtractAlignedPointerAsIndexOp::create(b, loc, memory);
  return castToI64(b, loc, pointer);
}

Value HostLowering::viewBytes(OpBuilder &b, Location loc, Value bytes,
                              MemRefType type, ValueRange sizes) {
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  return memref::ViewOp::create(b, loc, type, bytes, zero, sizes);
}

//===----------------------------------------------------------------------===//
// The main function
//===----------------------------------------------------------------------===//

Value HostLowering::fetchArgument(OpBuilder &b, Location loc, unsigned index,
                                  Type type, const HostArray &input) {
  Value bytes = callEntry(b, loc, HostEntry::Argument, makeI64(b, loc, index));
  auto shaped = dyn_cast<ShapedType>(type);
  Type element = shaped ? shaped.getElementType() : type;
  auto buffer = MemRefType::get(
      shaped ? shaped.getShape() : ArrayRef<int64_t>(), element);
  SmallVector<Value> sizes;
  for (auto [extent, actual] : llvm::zip(buffer.getShape(), input.shape))
    if (ShapedType::isDynamic(extent))
      sizes.push_back(arith::ConstantIndexOp::create(b, loc, actual));
  Value view = viewBytes(b, loc, bytes, buffer, sizes);
  if (isa<MemRefType>(type))
    return view;
  if (shaped)
    return bufferization::ToTensorOp::create(b, loc, type, view,
                                             /*restrict=*/true,
                                             /*writable=*/true);
  return memref::LoadOp::create(b, loc, view, ValueRange());
}

void HostLowering::reportResult(OpBuilder &b, Location loc, unsigned index,
                                Value value) {
  auto shaped = dyn_cast<ShapedType>(value.getType());
  if (auto tensor = dyn_cast<RankedTensorType>(value.getType())) {
    value = bufferization::ToBufferOp::create(
        b, loc, MemRefType::get(tensor.getShape(), tensor.getElementType()),
        value, /*read_only=*/true);
  } else if (!shaped) {
    Value number = value;
    value = memref::AllocOp::create(
        b, loc, MemRefType::get({}, number.getType()), ValueRange());
    memref::StoreOp::create(b, loc, number, value, ValueRange());
  }
  SmallVector<Value> words;
  Value pointer = memref::ExtractAlignedPointerAsIndexOp::create(b, loc, value);
  words.push_back(castToI64(b, loc, pointer));
  for (int64_t i = 0, e = shaped ? shaped.getRank() : 0; i < e; ++i) {
    Value size = memref::DimOp::create(b, loc, value, i);
    words.push_back(castToI64(b, loc, size));
  }
  Operation *function = b.getInsertionBlock()->getParentOp();
  callEntry(b, loc, HostEntry::Result,
            {makeI64(b, loc, index), storeWords(b, function, words)});
}

void HostLowering::addMain(func::FuncOp entry, ArrayRef<HostArray> inputs) {
  Location loc = entry.getLoc();
  OpBuilder b(module.getContext());
  auto main =
      func::FuncOp::create(loc, "__prism_main", b.getFunctionType({}, {}));
  mainName = symbolTable.insert(main).str();
  b.setInsertionPointToStart(main.addEntryBlock());
  SmallVector<Value> arguments;
  for (auto [i, type] : llvm::enumerate(entry.getArgumentTypes()))
    arguments.push_back(fetchArgument(b, loc, i, type, inputs[i]));
  auto call = func::CallOp::create(b, loc, entry, arguments);
  for (auto [i, result] : llvm::enumerate(call.getResults()))
    reportResult(b, loc, i, result);
  func::ReturnOp::create(b, loc);
}

//===----------------------------------------------------------------------===//
// Buffers and launches
//===----------------------------------------------------------------------===//

/// Launches wait for their end, so tokens order what is in order already: what
/// has them goes at the end.
LogicalResult HostLowering::makeSynchronous() {
  for (auto function : module.getOps<func::FuncOp>())
    function.walk([&](Operation *op) {
      if (isa<gpu::AsyncOpInterface, gpu::HostRegisterOp,
              gpu::HostUnregisterOp>(op))
        obsolete.push_back(op);
    });
  for (Operation *op : obsolete) {
    for (Value result : op->getResults())
      for (Operation *user : result.getUsers())
        if (isa<gpu::AsyncTokenType>(result.getType()) &&
            !isa<gpu::AsyncOpInterface>(user))
          return op->emitError(
              "its token is carried through control flow, which the module "
              "runner does not support");
    OpBuilder b(op);
    if (auto copy = dyn_cast<gpu::MemcpyOp>(op))
      memref::CopyOp::create(b, op->getLoc(), copy.getSrc(), copy.getDst());
    else if (auto set = dyn_cast<gpu::MemsetOp>(op))
      linalg::FillOp::create(b, op->getLoc(), set.getValue(), set.getDst());
  }
  return success();
}

void HostLowering::eraseObsolete() {
  for (Operation *op : obsolete)
    op->dropAllReferences();
  for (Operation *op : obsolete)
    op->erase();
  obsolete.clear();
}

/// Where `op` stands in the source, or nothing.
static std::string describeLocation(Operation *op) {
  std::string text;
  if (auto file = op->getLoc()->findInstanceOf<FileLineColLoc>())
    text = (" of line " + Twine(file.getLine())).str();
  return text;
}

bool HostLowering::isWords(Operation *op) { return op->hasAttr(wordsAttrName); }

bool HostLowering::isManaged(MemRefType type) {
  return getHostElementSize(type.getElementType()) &&
         type.getLayout().isIdentity() && !type.getMemorySpace();
}

LogicalResult HostLowering::replaceAllocation(Operation *op, ValueRange sizes) {
  Value buffer = op->getResult(0);
  auto type = cast<MemRefType>(buffer.getType());
  unsigned elementBytes = getHostElementSize(type.getElementType());
  if (!isManaged(type)) {
    if (isa<gpu::AllocOp>(op))
      return op->emitError("device memory of type ")
             << type << " is not supported";
    return success(); // stays; a launch finds it out by its pointer
  }
  OpBuilder b(op);
  Location loc = op->getLoc();
  int64_t known = elementBytes;
  for (int64_t extent : type.getShape())
    if (!ShapedType::isDynamic(extent))
      known *= extent;
  Value bytes = makeI64(b, loc, known);
  for (Value size : sizes)
    bytes = arith::MulIOp::create(b, loc, bytes, castToI64(b, loc, size));
  Value label = makeI64(b, loc, labels.size());
  labels.push_back((isa<gpu::AllocOp>(op) ? "workspace" : "buffer") +
                   describeLocation(op));
  Value memory = callEntry(b, loc, HostEntry::Allocate, {label, bytes});
  buffer.replaceAllUsesWith(viewBytes(b, loc, memory, type, sizes));
  if (!isa<gpu::AllocOp>(op))
    obsolete.push_back(op);
  return success();
}

/// Announces what `op` reads and writes before it does.
void HostLowering::announceAccesses(Operation *op) {
  llvm::SmallMapVector<Value, unsigned, 4> modes;
  auto add = [&](Value value, unsigned mode) {
    if (isa<BaseMemRefType>(value.getType()))
      modes[value] |= mode;
  };
  auto addAll = [&](unsigned mode) {
    for (Value operand : op->getOperands())
      add(operand, mode);
  };
  if (auto interface = dyn_cast<MemoryEffectOpInterface>(op)) {
    SmallVector<MemoryEffects::EffectInstance> effects;
    interface.getEffects(effects);
    for (const MemoryEffects::EffectInstance &effect : effects) {
      unsigned mode = isa<MemoryEffects::Read>(effect.getEffect())    ? 1
                      : isa<MemoryEffects::Write>(effect.getEffect()) ? 2
                                                                      : 0;
      if (!mode)
        continue;
      if (Value value = effect.getValue())
        add(value, mode);
      else
        addAll(mode);
    }
  } else if (!op->hasTrait<OpTrait::HasRecursiveMemoryEffects>()) {
    addAll(3);
  }
  OpBuilder b(op);
  Location loc = op->getLoc();
  for (auto [value, mode] : modes) {
    Value pointer =
        memref::ExtractAlignedPointerAsIndexOp::create(b, loc, value);
    callEntry(b, loc, HostEntry::Access,
              {castToI64(b, loc, pointer), makeI64(b, loc, mode)});
  }
}

/// The map of its buffer that `cast` says a kernel is given, if it does.
static std::optional<LaunchSite::Map>
getTensorMap(UnrealizedConversionCastOp cast) {
  auto facts = cast->getAttrOfType<DictionaryAttr>(tensorMapAttrName);
  auto box = facts ? facts.getAs<DenseI64ArrayAttr>("box") : nullptr;
  auto swizzle = facts ? facts.getAs<IntegerAttr>("swizzle") : nullptr;
  auto type = dyn_cast<MemRefType>(cast->getOperand(0).getType());
  if (!box || !swizzle || !type || !type.hasStaticShape() ||
      box.size() != type.getRank())
    return std::nullopt;
  std::string name;
  llvm::raw_string_ostream(name) << type.getElementType();
  std::optional<ElementType> element = parseElementType(name);
  if (!element)
    return std::nullopt;
  LaunchSite::Map map;
  map.map.box.assign(box.asArrayRef().begin(), box.asArrayRef().end());
  map.map.swizzle = swizzle.getInt();
  map.type = *element;
  map.shape.assign(type.getShape().begin(), type.getShape().end());
  return map;
}

LogicalResult HostLowering::lowerLaunch(gpu::LaunchFuncOp launch) {
  OpBuilder b(launch);
  Location loc = launch.getLoc();
  if (launch.hasClusterSize())
    return launch.emitError("a launch with clusters is not supported");
  LaunchSite site;
  site.module = launch.getKernelModuleName().str();
  site.kernel = launch.getKernelName().str();
  SmallVector<Value> words;
  gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
  gpu::KernelDim3 block = launch.getBlockSizeOperandValues();
  for (Value size : {grid.x, grid.y, grid.z, block.x, block.y, block.z})
    words.push_back(castToI64(b, loc, size));
  Value shared = launch.getDynamicSharedMemorySize();
  words.push_back(shared ? castToI64(b, loc, shared) : makeI64(b, loc, 0));
  for (Value operand : launch.getKernelOperands()) {
    if (auto cast = operand.getDefiningOp<UnrealizedConversionCastOp>()) {
      std::optional<LaunchSite::Map> map = getTensorMap(cast);
      if (!map)
        return launch.emitError("a kernel operand is cast to ")
               << operand.getType() << ", which is no tensor map";
      site.tensorMaps[site.scalarBytes.size()] = std::move(*map);
      operand = cast->getOperand(0);
      if (!llvm::is_contained(obsolete, cast))
        obsolete.push_back(cast);
    }
    Type type = operand.getType();
    auto buffer = dyn_cast<MemRefType>(type);
    unsigned bytes =
        getHostElementSize(buffer ? buffer.getElementType() : type);
    if (!bytes)
      return launch.emitError("a kernel operand of type ")
             << type << " is not supported";
    site.scalarBytes.push_back(buffer ? 0 : bytes);
    if (!buffer) {
      words.push_back(castToI64(b, loc, operand));
      continue;
    }
    auto metadata = memref::ExtractStridedMetadataOp::create(b, loc, operand);
    Value base =
        memref::ExtractAlignedPointerAsIndexOp::create(b, loc, operand);
    Value scale = makeI64(b, loc, bytes);
    Value offset = arith::MulIOp::create(
        b, loc, castToI64(b, loc, metadata.getOffset()), scale);
    words.push_back(
        arith::AddIOp::create(b, loc, castToI64(b, loc, base), offset));
    Value size = scale;
    for (Value extent : metadata.getSizes())
      size = arith::MulIOp::create(b, loc, size, castToI64(b, loc, extent));
    words.push_back(size);
  }
  callEntry(b, loc, HostEntry::Launch,
            {makeI64(b, loc, launches.size()), storeWords(b, launch, words)});
  launches.push_back(std::move(site));
  return success();
}

/// The runtime's copy of strided memory is in a library that is not linked.
static void expandCopy(memref::CopyOp copy) {
  auto isDense = [](Value value) {
    auto type = dyn_cast<MemRefType>(value.getType());
    return !type || type.getLayout().isIdentity();
  };
  if (isDense(copy.getSource()) && isDense(copy.getTarget()))
    return;
  OpBuilder b(copy);
  linalg::makeMemRefCopyOp(b, copy.getLoc(), copy.getSource(),
                           copy.getTarget());
  copy.erase();
}

LogicalResult HostLowering::lowerBuffers() {
  if (failed(makeSynchronous()))
    return failure();
  SmallVector<Operation *> allocations, accesses;
  SmallVector<gpu::LaunchFuncOp> launchOps;
  SmallVector<memref::CopyOp> copies;
  for (auto function : module.getOps<func::FuncOp>())
    function.walk([&](memref::CopyOp op) { copies.push_back(op); });
  for (memref::CopyOp copy : copies)
    expandCopy(copy);
  // Constants are copied to the device and may come back from it.
  for (auto global : module.getOps<memref::GlobalOp>())
    global.setConstant(false);
  freeLocalBuffers();
  SmallVector<memref::DeallocOp> deallocations;
  for (auto function : module.getOps<func::FuncOp>())
    function.walk([&](Operation *op) {
      if (isWords(op))
        return;
      if (isa<memref::AllocOp, memref::AllocaOp, gpu::AllocOp>(op))
        allocations.push_back(op);
      else if (auto deallocation = dyn_cast<memref::DeallocOp>(op))
        deallocations.push_back(deallocation);
      else if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op))
        launchOps.push_back(launch);
      else if (isa<gpu::AsyncOpInterface>(op))
        return;
      else if (!isMemoryEffectFree(op) && !isa<CallOpInterface>(op) &&
               !op->hasTrait<OpTrait::IsTerminator>())
        accesses.push_back(op);
    });
  for (memref::DeallocOp op : deallocations)
    lowerDeallocation(op);
  if (!launchOps.empty())
    for (Operation *op : accesses)
      announceAccesses(op);
  for (Operation *op : allocations) {
    auto onDevice = dyn_cast<gpu::AllocOp>(op);
    ValueRange sizes = onDevice ? ValueRange(onDevice.getDynamicSizes())
                                : ValueRange(op->getOperands());
    if (failed(replaceAllocation(op, sizes)))
      return failure();
  }
  for (gpu::LaunchFuncOp launch : launchOps)
    if (failed(lowerLaunch(launch)))
      return failure();
  eraseObsolete();
  return success();
}

void HostLowering::lowerAsserts() {
  SmallVector<cf::AssertOp> asserts;
  for (auto function : module.getOps<func::FuncOp>())
    function.walk([&](cf::AssertOp op) { asserts.push_back(op); });
  for (cf::AssertOp op : asserts) {
    OpBuilder b(op);
    Location loc = op.getLoc();
    Value truth = arith::ConstantIntOp::create(b, loc, 1, 1);
    Value fails = arith::XOrIOp::create(b, loc, op.getArg(), truth);
    auto branch = scf::IfOp::create(b, loc, fails, /*withElse=*/false);
    b.setInsertionPointToStart(branch.thenBlock());
    callEntry(b, loc, HostEntry::Fail, makeI64(b, loc, messages.size()));
    messages.push_back(op.getMsg().str());
    op.erase();
  }
}
