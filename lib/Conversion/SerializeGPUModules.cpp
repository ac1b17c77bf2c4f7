//===- SerializeGPUModules.cpp - gpu.modules to gpu.binary ops ------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's pass, but for the milliseconds that it took, which it puts into
// the module: the same input gives the same output, byte by byte.
//
//===----------------------------------------------------------------------===//

#include "Prism/Conversion/GPULowering.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace prism;

namespace {
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
  GpuModuleToBinaryPassOptions options;
  options.compilationTarget = format.str();
  passes.addPass(createGpuModuleToBinaryPass(options));
  passes.addPass(std::make_unique<EraseTimes>());
}
