//===- SerializeGPUModules.cpp - gpu.modules to gpu.binary ops ------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's pass, but for the milliseconds that it took, which it puts into
// the module: the same input gives the same output, byte by byte. And but for
// PTX of modules that link nothing: upstream looks for the device library where
// CUDA_ROOT, CUDA_HOME or CUDA_PATH says, and fails if there is none.
//
//===----------------------------------------------------------------------===//

#include "Prism/Conversion/Backend.h"
#include "Prism/Conversion/GPULowering.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace prism;

namespace {
struct SerializeToPTX : PassWrapper<SerializeToPTX, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SerializeToPTX)

  void runOnOperation() override {
    SmallVector<gpu::GPUModuleOp> modules;
    getOperation()->walk([&](gpu::GPUModuleOp module) {
      if (ArrayAttr targets = module.getTargetsAttr();
          targets && llvm::all_of(targets, linksNothing))
        modules.push_back(module);
    });
    for (gpu::GPUModuleOp module : modules)
      if (failed(serialize(module)))
        return signalPassFailure();
  }

  static bool linksNothing(Attribute target) {
    auto nvvm = dyn_cast<NVVM::NVVMTargetAttr>(target);
    return nvvm && (!nvvm.getLink() || nvvm.getLink().empty());
  }

  static LogicalResult serialize(gpu::GPUModuleOp module) {
    gpu::TargetOptions options(/*toolkitPath=*/"", /*librariesToLink=*/{},
                               /*cmdOptions=*/"", /*elfSection=*/"",
                               gpu::CompilationTarget::Assembly);
    SmallVector<Attribute> objects;
    for (auto target :
         module.getTargetsAttr().getAsRange<NVVM::NVVMTargetAttr>()) {
      std::string whyNot;
      std::optional<std::string> ptx = compileToPTX(module, target, whyNot);
      if (!ptx)
        return module.emitError() << whyNot;
      objects.push_back(cast<gpu::TargetAttrInterface>(target).createObject(
          module, SmallVector<char, 0>(ptx->begin(), ptx->end()), options));
    }
    OpBuilder builder(module);
    gpu::BinaryOp::create(builder, module.getLoc(), module.getName(),
                          module.getOffloadingHandlerAttr(),
                          builder.getArrayAttr(objects));
    module.erase();
    return success();
  }
};

struct EraseTimes : PassWrapper<EraseTimes, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(EraseTimes)

  void runOnOperation() override {
    getOperation()->walk([](gpu::BinaryOp binary) {
      SmallVector<Attribute> objects;
      for (auto object : binary.getObjects().getAsRange<gpu::ObjectAttr>())
        objects.push_back(withoutTimes(object));
      binary.setObjectsAttr(ArrayAttr::get(binary.getContext(), objects));
    });
  }

  /// `LLVMIRToISATimeInMs`, `ISAToBinaryTimeInMs`.
  static gpu::ObjectAttr withoutTimes(gpu::ObjectAttr object) {
    DictionaryAttr properties = object.getProperties();
    if (!properties)
      return object;
    auto kept = llvm::filter_to_vector(properties, [](NamedAttribute property) {
      return !property.getName().strref().ends_with("TimeInMs");
    });
    return gpu::ObjectAttr::get(object.getContext(), object.getTarget(),
                                object.getFormat(), object.getObject(),
                                DictionaryAttr::get(object.getContext(), kept),
                                object.getKernels());
  }
};
} // namespace

void prism::buildSerializeGPUModulesPipeline(OpPassManager &passes,
                                             StringRef format) {
  if (format == "isa")
    passes.addPass(std::make_unique<SerializeToPTX>());
  GpuModuleToBinaryPassOptions options;
  options.compilationTarget = format.str();
  passes.addPass(createGpuModuleToBinaryPass(options));
  passes.addPass(std::make_unique<EraseTimes>());
}
