//===- CheckOptions.h - Values that options may have ------------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Diagnostics for values of pass options that make no sense.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_TRANSFORMS_CHECKOPTIONS_H
#define PRISM_LIB_TRANSFORMS_CHECKOPTIONS_H

#include "mlir/IR/Diagnostics.h"

namespace prism {

/// An error at `loc` unless `seconds`, the value of the option `name` of the
/// pass `pass`, is 0 (no limit) or more; not a number is an error, too.
inline mlir::LogicalResult checkSeconds(mlir::Location loc,
                                        llvm::StringRef pass,
                                        llvm::StringRef name, double seconds) {
  if (seconds >= 0)
    return mlir::success();
  return mlir::emitError(loc) << pass << ": " << name << " is " << seconds
                              << ", expected 0 (no limit) or more";
}

} // namespace prism

#endif // PRISM_LIB_TRANSFORMS_CHECKOPTIONS_H
