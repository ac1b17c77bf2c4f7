//===- PrismToGPU.cpp - Sized candidates to GPU kernels -------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chooses the candidate and writes the host side; kernels are planned by
// lib/Plan and written by PrismToGPU/KernelEmitter.cpp (DESIGN, section 6).
//
//===----------------------------------------------------------------------===//

#include "Prism/Conversion/GPULowering.h"
#include "Prism/Conversion/Passes.h"
#include "Prism/Tuning/Sizing.h"
#include "PrismToGPU/HostExtents.h"
#include "PrismToGPU/KernelEmitter.h"
#include "PrismToGPU/ScalarLowering.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringSet.h"

namespace prism {
#define GEN_PASS_DEF_CONVERTPRISMTOGPU
#include "Prism/Conversion/Passes.h.inc"
} // namespace prism

using namespace mlir;
using namespace prism;
using prism::detail::HostExtents;

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Letters, digits and underscores: what every tool takes as a name.
static std::string getSymbolName(StringRef text) {
  std::string name = text.str();
  for (char &c : name)
    if (!llvm::isAlnum(c))
      c = '_';
  if (name.empty() || llvm::isDigit(name.front()))
    name.insert(0, "_");
  return name;
}

static gpu::GPUModuleOp createModule(CandidateOp candidate,
                                     const Target &target) {
  auto parent = candidate->getParentOfType<ModuleOp>();
  MLIRContext *context = candidate.getContext();
  auto builder = OpBuilder::atBlockEnd(parent.getBody());
  auto nvvm =
      NVVM::NVVMTargetAttr::get(context, /*optLevel=*/3, "nvptx64-nvidia-cuda",
                                target.name, target.features);
  auto module = gpu::GPUModuleOp::create(builder, candidate.getLoc(),
                                         getSymbolName(candidate.getId()),
                                         ArrayRef<Attribute>{nvvm});
  SymbolTable(parent).insert(module);
  return module;
}

namespace {
/// The kernels' sizes as far as they are known: symbols of the program, and
/// numbers of blocks of the kernels planned so far.
struct KnownSizes {
  ProgramOp program;
  llvm::StringMap<int64_t> blocks;
  llvm::StringSet<> dynamicBlocks;

  /// Of a dynamic extent, the most it is costed for.
  std::optional<int64_t> lookup(StringRef name) {
    if (auto it = blocks.find(name); it != blocks.end())
      return it->second;
    ExtentSymbolAttr symbol = program.lookupExtent(name);
    if (symbol && !symbol.getValue())
      return getAssumedExtents(program).back();
    return symbol ? symbol.getValue() : std::nullopt;
  }

  bool isDynamic(StringRef name) {
    ExtentSymbolAttr symbol = program.lookupExtent(name);
    return symbol ? !symbol.getValue() : dynamicBlocks.contains(name);
  }
};
} // namespace

/// Replaces the op on whole tensors by a kernel that computes it, at the sizes
/// that selectSizes takes; null, with the reason, if there are none.
static KernelOp lowerPredefined(ComputeOpInterface op, StringRef name,
                                KnownSizes &known, const Target &target,
                                std::string &whyNot) {
  KernelOp kernel = wrapInKernel(op, name);
  uint64_t points = 0;
  std::vector<SizedKernel> sized = sizeKernel(
      kernel, [&](StringRef name) { return known.lookup(name); }, target,
      SizingLimits().pointsPerKernel, points, whyNot,
      [&](StringRef name) { return known.isDynamic(name); });
  if (sized.empty())
    return {};
  setParameters(kernel, selectSizes(sized).parameters);
  op->getResult(0).replaceAllUsesWith(kernel.getResult(0));
  op->erase();
  return kernel;
}

static bool lowerKernels(CandidateOp candidate, const Target &target,
                         LoweredCandidate &lowered, std::string &whyNot) {
  KnownSizes known = {candidate.getProgram(), {}, {}};
  if (!prism::detail::HostExtents::canFind(candidate.getProgram(), whyNot))
    return false;
  for (Value value : candidate.getYield().getValues())
    if (value.getDefiningOp<ConstantOp>()) {
      whyNot = "it yields a constant, which no kernel writes";
      return false;
    }
  unsigned numPredefined = 0;
  for (Operation &op : llvm::make_early_inc_range(
           candidate.getBodyBlock().without_terminator())) {
    if (isa<ConstantOp>(op))
      continue; // part of the kernels that use it
    std::string opName = op.getName().getStringRef().str();
    auto kernel = dyn_cast<KernelOp>(op);
    if (!kernel)
      kernel = lowerPredefined(cast<ComputeOpInterface>(op),
                               "p" + std::to_string(numPredefined++), known,
                               target, whyNot);
    if (!kernel) {
      whyNot = "'" + opName + "' on whole tensors: " + whyNot;
      return false;
    }
    sinkConstants(kernel);
    inlineThreadGraphs(kernel);
    auto symbolValue = [&](StringRef name) { return known.lookup(name); };
    auto tileExtent = [&](StringRef name) -> std::optional<int64_t> {
      ParallelDimAttr dim = kernel.lookupParallelDim(name);
      return dim ? dim.getTile() : std::nullopt;
    };
    auto isDynamic = [&](StringRef name) { return known.isDynamic(name); };
    KernelSizes sizes = {symbolValue, tileExtent, isDynamic};
    std::optional<KernelPlan> plan = planKernel(kernel, sizes, target, whyNot);
    if (!plan) {
      whyNot = ("kernel '" + kernel.getGraphName() + "': " + whyNot).str();
      return false;
    }
    for (const ParallelDimPlan &dim : plan->dims)
      known.blocks[(kernel.getGraphName() + "." + dim.name).str()] = dim.count;
    for (const std::string &count : plan->runtimeCounts)
      known.dynamicBlocks.insert(count);
    std::string name =
        getSymbolName((candidate.getId() + "_" + kernel.getGraphName()).str());
    prism::detail::KernelEmitter(kernel, *plan, sizes, lowered.module)
        .emit(name);
    LoweredCandidate::Kernel result = {kernel, name, std::move(*plan), {}};
    for (Type type : kernel.getResultTypes())
      result.resultShapes.push_back(llvm::map_to_vector(
          prism::getExtents(type), [&](const DimExpr &extent) {
            return result.plan.isDynamic(extent)
                       ? ShapedType::kDynamic
                       : *evaluateExtent(kernel, result.plan, sizes, extent);
          }));
    lowered.kernels.push_back(std::move(result));
  }
  return succeeded(prism::detail::lowerKernelBodies(lowered.module, whyNot));
}

std::optional<LoweredCandidate> prism::lowerCandidate(CandidateOp candidate,
                                                      const Target &target,
                                                      std::string &whyNot) {
  LoweredCandidate lowered;
  lowered.module = createModule(candidate, target);
  if (lowerKernels(candidate, target, lowered, whyNot))
    return lowered;
  lowered.module.erase();
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Host side
//===----------------------------------------------------------------------===//

namespace {

/// Replaces one prism.invoke by the launches of a lowered candidate.
class HostEmitter {
public:
  HostEmitter(InvokeOp invoke, CandidateOp candidate,
              const LoweredCandidate &lowered)
      : invoke(invoke), candidate(candidate), lowered(lowered), b(invoke),
        loc(invoke.getLoc()), extents(b, loc, candidate.getProgram()) {}

  void emit() {
    for (auto [argument, operand] : llvm::zip(
             candidate.getBodyBlock().getArguments(), invoke.getArguments()))
      bindArgument(argument, operand);
    extents.bindArguments(llvm::map_to_vector(
        candidate.getBodyBlock().getArguments(),
        [&](Value argument) { return buffers.lookup(argument); }));
    hasResults = extents.emitHasResults();
    for (const LoweredCandidate::Kernel &kernel : lowered.kernels)
      emitLaunch(kernel);
    for (Value workspace : workspaces)
      waitFor(gpu::DeallocOp::create(b, loc, getTokenType(), startAsync(),
                                     workspace)
                  .getAsyncToken());
    SmallVector<Value> results;
    llvm::DenseMap<Value, Value> tensors; // one for each buffer: `restrict`
    for (auto [value, type] :
         llvm::zip(candidate.getYield().getValues(), invoke.getResultTypes())) {
      Value &tensor = tensors[value];
      if (auto argument = dyn_cast<BlockArgument>(value))
        tensor = invoke.getArguments()[argument.getArgNumber()];
      else if (!tensor)
        tensor = bufferization::ToTensorOp::create(b, loc, type,
                                                   buffers.lookup(value),
                                                   /*restrict=*/true,
                                                   /*writable=*/true);
      results.push_back(
          tensor.getType() == type
              ? tensor
              : tensor::CastOp::create(b, loc, type, tensor).getResult());
    }
    invoke.replaceAllUsesWith(results);
    invoke.erase();
  }

private:
  void bindArgument(Value argument, Value operand) {
    auto type = cast<RankedTensorType>(operand.getType());
    auto bufferType = MemRefType::get(type.getShape(), type.getElementType());
    buffers[argument] = bufferization::ToBufferOp::create(
        b, loc, bufferType, operand, /*read_only=*/true);
    parameters[argument] = describe("argument", indices.arguments++);
  }

  void createBuffer(Value result, const LoweredCandidate::Kernel &kernel,
                    ArrayRef<int64_t> shape) {
    auto type = MemRefType::get(shape, prism::getElementType(result.getType()));
    SmallVector<Value> sizes;
    for (auto [extent, size] :
         llvm::zip(prism::getExtents(result.getType()), shape))
      if (ShapedType::isDynamic(size))
        sizes.push_back(extents.emit(extent));
    auto yielded = llvm::find(candidate.getYield().getValues(), result);
    if (yielded != candidate.getYield().getValues().end()) {
      buffers[result] =
          memref::AllocOp::create(b, loc, type, sizes, b.getI64IntegerAttr(64));
      parameters[result] = describe("result", yielded.getIndex());
      return;
    }
    auto alloc = gpu::AllocOp::create(b, loc, type, getTokenType(),
                                      startAsync(), sizes, ValueRange());
    waitFor(alloc.getAsyncToken());
    Value workspace = alloc.getMemref();
    buffers[result] = workspace;
    workspaces.push_back(workspace);
    parameters[result] = describe("workspace", indices.workspaces++);
  }

  // gpu-to-llvm knows device allocations in their asynchronous form only.
  Type getTokenType() { return gpu::AsyncTokenType::get(b.getContext()); }
  Value startAsync() {
    return gpu::WaitOp::create(b, loc, getTokenType(), ValueRange())
        .getAsyncToken();
  }
  void waitFor(Value token) { gpu::WaitOp::create(b, loc, Type(), token); }

  Attribute describe(StringRef kind, int64_t index) {
    return b.getDictionaryAttr(
        b.getNamedAttr(kind, b.getI64IntegerAttr(index)));
  }

  void emitLaunch(const LoweredCandidate::Kernel &kernel);
  Value describeTensorMap(const LoweredCandidate::Kernel &kernel,
                          const PlanStep &load);
  DictionaryAttr describeLaunch(const LoweredCandidate::Kernel &kernel);

  InvokeOp invoke;
  CandidateOp candidate;
  const LoweredCandidate &lowered;
  OpBuilder b;
  Location loc;
  HostExtents extents;
  Value hasResults; ///< an i1; null: always
  llvm::DenseMap<Value, Value> buffers;
  llvm::DenseMap<Value, Attribute> parameters;
  SmallVector<Value> workspaces;
  struct {
    int64_t arguments = 0, workspaces = 0;
  } indices;
};

} // namespace

DictionaryAttr
HostEmitter::describeLaunch(const LoweredCandidate::Kernel &kernel) {
  KernelOp op = kernel.op;
  SmallVector<Attribute> all;
  for (Value operand : op.getInputs())
    all.push_back(parameters.lookup(operand));
  for (Value result : op.getResults())
    all.push_back(parameters.lookup(result));
  SmallVector<NamedAttribute> tiles;
  for (const ParallelDimPlan &dim : kernel.plan.dims)
    tiles.push_back(b.getNamedAttr(dim.name, b.getI64IntegerAttr(dim.tile)));
  int64_t blocks = kernel.plan.runtimeCounts.empty() ? kernel.plan.blocks
                                                     : ShapedType::kDynamic;
  bool usesTensorCores =
      llvm::any_of(kernel.plan.steps, [](const PlanStep &step) {
        return step.kind == StepKind::Matmul && step.matmul.useTensorCores;
      });
  return b.getDictionaryAttr({
      b.getNamedAttr("program", b.getStringAttr(invoke.getProgram())),
      b.getNamedAttr("candidate", candidate.getIdAttr()),
      b.getNamedAttr("kernel", op.getGraphNameAttr()),
      b.getNamedAttr("grid", b.getDenseI64ArrayAttr({blocks, 1, 1})),
      b.getNamedAttr("block",
                     b.getDenseI64ArrayAttr({kernel.plan.threads, 1, 1})),
      b.getNamedAttr("shared_bytes",
                     b.getI64IntegerAttr(kernel.plan.sharedBytes)),
      b.getNamedAttr("tensor_cores", b.getBoolAttr(usesTensorCores)),
      b.getNamedAttr("tiles", b.getDictionaryAttr(tiles)),
      b.getNamedAttr("parameters", b.getArrayAttr(all)),
  });
}

/// The parameter that is a tensor map of what `load` reads: to be made by
/// whoever launches the kernel.
Value HostEmitter::describeTensorMap(const LoweredCandidate::Kernel &kernel,
                                     const PlanStep &load) {
  Value source = cast<LoadOp>(load.op).getSource();
  Value tensor =
      kernel.op->getOperand(cast<BlockArgument>(source).getArgNumber());
  const TileBuffer &buffer = *kernel.plan.lookupBuffer(load.getStoredTile());
  auto map = UnrealizedConversionCastOp::create(
      b, loc, prism::detail::getTensorMapType(b.getContext()),
      buffers.lookup(tensor));
  map->setAttr(
      tensorMapAttrName,
      b.getDictionaryAttr(
          {b.getNamedAttr("box", b.getDenseI64ArrayAttr(buffer.box)),
           b.getNamedAttr("swizzle", b.getI64IntegerAttr(buffer.swizzle))}));
  return map.getResult(0);
}

void HostEmitter::emitLaunch(const LoweredCandidate::Kernel &kernel) {
  KernelOp op = kernel.op;
  SmallVector<Value> arguments;
  for (Value operand : op.getInputs())
    arguments.push_back(buffers.lookup(operand));
  Value blocks = extents.emitBlocks(op, kernel.plan);
  for (auto [result, shape] : llvm::zip(op.getResults(), kernel.resultShapes)) {
    createBuffer(result, kernel, shape);
    arguments.push_back(buffers.lookup(result));
  }
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  Value one = index(1);
  for (const std::string &symbol : kernel.plan.runtimeSymbols)
    arguments.push_back(arith::IndexCastOp::create(
        b, loc, b.getI32Type(), extents.emit(DimExpr::symbol(symbol))));
  for (const PlanStep *load : prism::detail::getBulkLoads(kernel.plan))
    arguments.push_back(describeTensorMap(kernel, *load));
  gpu::KernelDim3 grid = {blocks, one, one};
  gpu::KernelDim3 block = {index(kernel.plan.threads), one, one};
  Value shared;
  if (kernel.plan.sharedBytes)
    shared = arith::ConstantIntOp::create(b, loc, b.getI32Type(),
                                          kernel.plan.sharedBytes);
  gpu::GPUModuleOp module = lowered.module;
  auto symbol =
      SymbolRefAttr::get(module.getNameAttr(),
                         {FlatSymbolRefAttr::get(b.getContext(), kernel.name)});
  OpBuilder::InsertionGuard guard(b);
  if (hasResults)
    b.setInsertionPointToStart(
        scf::IfOp::create(b, loc, hasResults, /*withElseRegion=*/false)
            .thenBlock());
  auto launch = gpu::LaunchFuncOp::create(b, loc, symbol, grid, block, shared,
                                          arguments, Value());
  launch->setAttr(launchAttrName, describeLaunch(kernel));
}

namespace {
/// A candidate that the backend has taken.
struct TakenCandidate {
  CandidateOp candidate;
  LoweredCandidate lowered;
  CompiledKernels compiled;

  int64_t getSpillBytes() const {
    int64_t bytes = 0;
    for (const auto &kernel : compiled.resources)
      bytes = std::max(bytes, kernel.second.spillBytes);
    return bytes;
  }
};
} // namespace

static std::optional<TakenCandidate>
takeCandidate(CandidateOp candidate, const Target &target, BackendFn backend,
              AcceptFn accept, std::string &whyNot) {
  if (candidate.getState() != CandidateState::Sized) {
    whyNot = "it is not sized";
    return std::nullopt;
  }
  if (candidate.getVerdict() != Verdict::Proved) {
    whyNot = "it is not proved";
    return std::nullopt;
  }
  std::optional<LoweredCandidate> lowered =
      lowerCandidate(candidate, target, whyNot);
  if (!lowered)
    return std::nullopt;
  std::optional<CompiledKernels> compiled =
      backend(lowered->module, target, whyNot);
  if (!compiled ||
      (accept && !accept(candidate, *lowered, *compiled, whyNot))) {
    lowered->module.erase();
    return std::nullopt;
  }
  return TakenCandidate{candidate, std::move(*lowered), std::move(*compiled)};
}

/// The first candidate of `program` that is taken. Those before it are erased,
/// with a remark. Registers that are spilled change nothing: where there is no
/// ptxas nobody knows of them, and the choice is the same everywhere.
static std::optional<TakenCandidate> chooseCandidate(ProgramOp program,
                                                     const Target &target,
                                                     BackendFn backend,
                                                     AcceptFn accept) {
  for (CandidateOp candidate : program.getCandidateOps()) {
    std::string whyNot;
    std::optional<TakenCandidate> taken =
        takeCandidate(candidate, target, backend, accept, whyNot);
    if (!taken) {
      emitRemark(candidate.getLoc())
          << "candidate '" << candidate.getId() << "' is dropped: " << whyNot;
      candidate.erase();
      continue;
    }
    if (int64_t spilled = taken->getSpillBytes())
      emitRemark(candidate.getLoc())
          << "candidate '" << candidate.getId() << "' spills " << spilled
          << " bytes of registers on " << target.name;
    return taken;
  }
  return std::nullopt;
}

static KernelFacts
collectFacts(const LoweredCandidate::Kernel &kernel,
             const llvm::StringMap<KernelResources> &resources,
             const Target &target) {
  const KernelPlan &plan = kernel.plan;
  KernelFacts facts;
  facts.stages = plan.stages;
  facts.blockBytes =
      plan.blocks * (plan.bytesLoadedPerBlock + plan.bytesStoredPerBlock);
  for (const PlanStep &step : plan.steps)
    if (step.kind == StepKind::Matmul && step.matmul.useTensorCores)
      facts.matrixInstructions +=
          plan.blocks * step.matmul.countInstructions() *
          (plan.getLoop() && step.phase == StepPhase::InLoop
               ? plan.getLoop()->count
               : 1);
  auto found = resources.find(kernel.name);
  if (found == resources.end())
    return facts;
  facts.resources = found->second;
  facts.occupancy =
      double(plan.threads) / double(target.maxThreadsPerSM) *
      double(plan.getBlocksPerSM(target, found->second.registers));
  return facts;
}

LogicalResult prism::lowerProgramToGPU(ProgramOp program, const Target &target,
                                       llvm::StringMap<KernelFacts> *facts,
                                       BackendFn backend, AcceptFn accept) {
  auto module = program->getParentOfType<ModuleOp>();
  std::optional<TakenCandidate> taken =
      chooseCandidate(program, target, backend, accept);
  if (!taken) {
    emitRemark(program.getLoc()) << "program '" << program.getSymName()
                                 << "' has no candidate that can be lowered";
    return failure();
  }
  if (facts)
    for (const LoweredCandidate::Kernel &kernel : taken->lowered.kernels)
      (*facts)[kernel.name] =
          collectFacts(kernel, taken->compiled.resources, target);
  module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                  UnitAttr::get(module.getContext()));
  SmallVector<InvokeOp> invokes;
  module.walk([&](InvokeOp invoke) {
    // A nested module may have a program of the same name.
    if (SymbolTable::lookupNearestSymbolFrom<ProgramOp>(
            invoke, invoke.getProgramAttr()) == program)
      invokes.push_back(invoke);
  });
  for (InvokeOp invoke : invokes)
    HostEmitter(invoke, taken->candidate, taken->lowered).emit();
  if (!invokes.empty()) // what nothing invoked is not ours to remove
    program.erase();
  return success();
}

namespace {
struct ConvertPrismToGPUPass
    : prism::impl::ConvertPrismToGPUBase<ConvertPrismToGPUPass> {
  using Base::Base;

  void runOnOperation() override {
    const Target *gpu = lookupTarget(target);
    if (!gpu) {
      emitError(getOperation().getLoc())
          << "option 'target' is '" << target
          << "', expected one of: " << llvm::join(getTargetNames(), ", ");
      return signalPassFailure();
    }
    for (auto program : // where one cannot be lowered, a remark has said why
         llvm::make_early_inc_range(getOperation().getOps<ProgramOp>()))
      (void)lowerProgramToGPU(program,
                              tensorMaps ? *gpu : gpu->withoutTensorMaps());
  }
};
} // namespace
