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
#include "PrismToGPU/KernelEmitter.h"
#include "PrismToGPU/ScalarLowering.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace prism {
#define GEN_PASS_DEF_CONVERTPRISMTOGPU
#include "Prism/Conversion/Passes.h.inc"
} // namespace prism

using namespace mlir;
using namespace prism;

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

  std::optional<int64_t> lookup(StringRef name) {
    if (auto it = blocks.find(name); it != blocks.end())
      return it->second;
    ExtentSymbolAttr symbol = program.lookupExtent(name);
    return symbol ? symbol.getValue() : std::nullopt;
  }
};
} // namespace

/// Replaces the op on whole tensors by a kernel that computes it, at the sizes
/// that cost least; null, with the reason, if there are none.
static KernelOp lowerPredefined(ComputeOpInterface op, StringRef name,
                                KnownSizes &known, const Target &target,
                                std::string &whyNot) {
  KernelOp kernel = wrapInKernel(op, name);
  uint64_t points = 0;
  std::vector<SizedKernel> sized = sizeKernel(
      kernel, [&](StringRef name) { return known.lookup(name); }, target,
      SizingLimits().pointsPerKernel, points, whyNot);
  if (sized.empty())
    return {};
  setTileSizes(kernel, sized.front().tiles);
  op->getResult(0).replaceAllUsesWith(kernel.getResult(0));
  op->erase();
  return kernel;
}

static bool lowerKernels(CandidateOp candidate, const Target &target,
                         LoweredCandidate &lowered, std::string &whyNot) {
  KnownSizes known = {candidate.getProgram(), {}};
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
    KernelSizes sizes = {symbolValue, tileExtent};
    std::optional<KernelPlan> plan = planKernel(kernel, sizes, target, whyNot);
    if (!plan) {
      whyNot = ("kernel '" + kernel.getGraphName() + "': " + whyNot).str();
      return false;
    }
    for (const ParallelDimPlan &dim : plan->dims)
      known.blocks[(kernel.getGraphName() + "." + dim.name).str()] = dim.count;
    std::string name =
        getSymbolName((candidate.getId() + "_" + kernel.getGraphName()).str());
    prism::detail::KernelEmitter(kernel, *plan, sizes, lowered.module)
        .emit(name);
    LoweredCandidate::Kernel result = {kernel, name, std::move(*plan), {}};
    for (Type type : kernel.getResultTypes())
      result.resultShapes.push_back(llvm::map_to_vector(
          prism::getExtents(type), [&](const DimExpr &extent) {
            return *evaluateExtent(kernel, result.plan, sizes, extent);
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
        loc(invoke.getLoc()) {}

  void emit() {
    for (auto [argument, operand] : llvm::zip(
             candidate.getBodyBlock().getArguments(), invoke.getArguments()))
      bindArgument(argument, operand);
    for (const LoweredCandidate::Kernel &kernel : lowered.kernels)
      emitLaunch(kernel);
    for (Value workspace : workspaces)
      waitFor(gpu::DeallocOp::create(b, loc, getTokenType(), startAsync(),
                                     workspace)
                  .getAsyncToken());
    SmallVector<Value> results;
    for (auto [value, type] :
         llvm::zip(candidate.getYield().getValues(), invoke.getResultTypes())) {
      auto argument = dyn_cast<BlockArgument>(value);
      results.push_back(argument
                            ? invoke.getArguments()[argument.getArgNumber()]
                            : bufferization::ToTensorOp::create(
                                  b, loc, type, buffers.lookup(value),
                                  /*restrict=*/true, /*writable=*/true)
                                  .getResult());
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
    auto yielded = llvm::find(candidate.getYield().getValues(), result);
    if (yielded != candidate.getYield().getValues().end()) {
      buffers[result] =
          memref::AllocOp::create(b, loc, type, b.getI64IntegerAttr(64));
      parameters[result] = describe("result", yielded.getIndex());
      return;
    }
    auto alloc = gpu::AllocOp::create(b, loc, type, getTokenType(),
                                      startAsync(), ValueRange(), ValueRange());
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
  DictionaryAttr describeLaunch(const LoweredCandidate::Kernel &kernel);

  InvokeOp invoke;
  CandidateOp candidate;
  const LoweredCandidate &lowered;
  OpBuilder b;
  Location loc;
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
  bool usesTensorCores =
      llvm::any_of(kernel.plan.steps, [](const PlanStep &step) {
        return step.kind == StepKind::Matmul && step.matmul.useTensorCores;
      });
  return b.getDictionaryAttr({
      b.getNamedAttr("program", b.getStringAttr(invoke.getProgram())),
      b.getNamedAttr("candidate", candidate.getIdAttr()),
      b.getNamedAttr("kernel", op.getGraphNameAttr()),
      b.getNamedAttr("grid",
                     b.getDenseI64ArrayAttr({kernel.plan.blocks, 1, 1})),
      b.getNamedAttr("block",
                     b.getDenseI64ArrayAttr({kernel.plan.threads, 1, 1})),
      b.getNamedAttr("shared_bytes",
                     b.getI64IntegerAttr(kernel.plan.sharedBytes)),
      b.getNamedAttr("tensor_cores", b.getBoolAttr(usesTensorCores)),
      b.getNamedAttr("tiles", b.getDictionaryAttr(tiles)),
      b.getNamedAttr("parameters", b.getArrayAttr(all)),
  });
}

void HostEmitter::emitLaunch(const LoweredCandidate::Kernel &kernel) {
  KernelOp op = kernel.op;
  SmallVector<Value> arguments;
  for (Value operand : op.getInputs())
    arguments.push_back(buffers.lookup(operand));
  for (auto [result, shape] : llvm::zip(op.getResults(), kernel.resultShapes)) {
    createBuffer(result, kernel, shape);
    arguments.push_back(buffers.lookup(result));
  }
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  Value one = index(1);
  gpu::KernelDim3 grid = {index(kernel.plan.blocks), one, one};
  gpu::KernelDim3 block = {index(kernel.plan.threads), one, one};
  Value shared;
  if (kernel.plan.sharedBytes)
    shared = arith::ConstantIntOp::create(b, loc, b.getI32Type(),
                                          kernel.plan.sharedBytes);
  gpu::GPUModuleOp module = lowered.module;
  auto symbol =
      SymbolRefAttr::get(module.getNameAttr(),
                         {FlatSymbolRefAttr::get(b.getContext(), kernel.name)});
  auto launch = gpu::LaunchFuncOp::create(b, loc, symbol, grid, block, shared,
                                          arguments, Value());
  launch->setAttr(launchAttrName, describeLaunch(kernel));
}

LogicalResult prism::lowerProgramToGPU(ProgramOp program,
                                       const Target &target) {
  auto module = program->getParentOfType<ModuleOp>();
  std::optional<LoweredCandidate> lowered;
  CandidateOp chosen;
  for (CandidateOp candidate : program.getCandidateOps()) {
    std::string whyNot;
    if (candidate.getState() != CandidateState::Sized)
      whyNot = "it is not sized";
    else if (candidate.getVerdict() != Verdict::Proved)
      whyNot = "it is not proved";
    else
      lowered = lowerCandidate(candidate, target, whyNot);
    if (lowered) {
      chosen = candidate;
      break;
    }
    emitRemark(candidate.getLoc())
        << "candidate '" << candidate.getId() << "' is dropped: " << whyNot;
    candidate.erase();
  }
  if (!lowered) {
    emitRemark(program.getLoc()) << "program '" << program.getSymName()
                                 << "' has no candidate that can be lowered";
    return failure();
  }
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
    HostEmitter(invoke, chosen, *lowered).emit();
  if (!invokes.empty()) // what nothing invoked is not ours to remove
    program.erase();
  return success();
}

void prism::buildSerializeGPUModulesPipeline(OpPassManager &passes,
                                             StringRef format) {
  GpuModuleToBinaryPassOptions options;
  options.compilationTarget = format.str();
  passes.addPass(createGpuModuleToBinaryPass(options));
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
    for (auto program :
         llvm::make_early_inc_range(getOperation().getOps<ProgramOp>()))
      (void)lowerProgramToGPU(program, *gpu); // it says why it could not
  }
};
} // namespace
