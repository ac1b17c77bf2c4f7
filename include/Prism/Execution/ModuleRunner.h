//===- ModuleRunner.h - Running a function of a module ----------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs one function of an MLIR module: what was lowered to kernels on a device,
// everything else on the CPU, compiled by MLIR's execution engine. A module
// that was not lowered, or only in part, runs as well.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_EXECUTION_MODULERUNNER_H
#define PRISM_EXECUTION_MODULERUNNER_H

#include "Prism/Runtime/Device.h"
#include "Prism/Runtime/Npy.h"
#include "mlir/IR/BuiltinOps.h"

namespace prism {

struct ModuleRunOptions {
  /// Whether bytes that a kernel should have written but did not are an error
  /// when the host reads them.
  bool checkWritten = true;
  /// Whether extents and indices of the host's ops are checked as they run;
  /// two dynamic extents that ought to agree are found out only by this.
  bool checkHost = true;
  /// Where not null: receives the median microseconds of `repetitions` runs of
  /// all launches that the run made, in order (Device::time).
  double *microseconds = nullptr;
  unsigned repetitions = 100;
};

/// Runs the function `entry` of `module` on `inputs`, one for each argument:
/// tensors, identity-layout memrefs or numbers (arrays of rank 0), of f16,
/// bf16 (given as U16), f32, f64, i1, index (given as I64) or integers. Returns
/// one array a result.
///
/// `module` is lowered in place and of no use afterwards; its context must have
/// all dialects of registerUpstreamDialects and registerPrismDialects. What the
/// passes report goes to the context's diagnostic handler. An error of the
/// device (a FindingsError, say) ends the run at the launch that had it.
llvm::Expected<std::vector<HostArray>>
runModule(mlir::ModuleOp module, llvm::StringRef entry,
          llvm::ArrayRef<HostArray> inputs, Device &device,
          const ModuleRunOptions &options = {});

} // namespace prism

#endif // PRISM_EXECUTION_MODULERUNNER_H
