//===- PrismDialect.cpp - The prism dialect -----------------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Dialect/PrismDialect.h"

using namespace mlir;
using namespace prism;

#include "Prism/Dialect/PrismDialect.cpp.inc"
#include "Prism/Dialect/PrismEnums.cpp.inc"
#include "Prism/Dialect/PrismInterfaces.cpp.inc"

void PrismDialect::initialize() {
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "Prism/Dialect/PrismOps.cpp.inc"
      >();
}
