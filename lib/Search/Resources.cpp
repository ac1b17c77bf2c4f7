//===- Resources.cpp - What no tile extents make fit ----------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Search/Resources.h"
#include "Prism/Plan/KernelPlan.h"
#include "llvm/Support/FormatVariadic.h"
#include <limits>

using namespace mlir;
using namespace prism;

/// The bytes of shared memory that the kernel takes with tiles of one element;
/// none if that has no plan, for another reason.
static std::optional<int64_t> getLeastSharedBytes(KernelOp kernel,
                                                  const Target &target) {
  auto program = kernel->getParentOfType<ProgramOp>();
  auto symbolValue = [&](StringRef name) -> std::optional<int64_t> {
    ExtentSymbolAttr symbol = program.lookupExtent(name);
    return symbol ? symbol.getValue().value_or(1) : 1;
  };
  auto tileExtent = [](StringRef) -> std::optional<int64_t> { return 1; };
  Target unlimited = target;
  unlimited.maxSharedBytes = std::numeric_limits<int64_t>::max();
  std::string whyNot;
  std::optional<KernelPlan> plan =
      planKernel(kernel, {symbolValue, tileExtent}, unlimited, whyNot);
  if (!plan)
    return std::nullopt;
  return plan->sharedBytes;
}

std::string prism::findExceededResource(CandidateOp candidate,
                                        const Target &target) {
  for (auto kernel : candidate.getBodyBlock().getOps<KernelOp>()) {
    std::optional<int64_t> bytes = getLeastSharedBytes(kernel, target);
    if (bytes && *bytes > target.maxSharedBytes)
      return llvm::formatv("kernel {0} needs {1} bytes of shared memory at "
                           "least, {2} has {3}",
                           kernel.getGraphName(), *bytes, target.name,
                           target.maxSharedBytes);
  }
  return "";
}
