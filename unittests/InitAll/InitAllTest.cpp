//===- InitAllTest.cpp - Tests of the registration ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/InitAll.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassRegistry.h"
#include "gtest/gtest.h"

TEST(InitAllTest, UpstreamDialectsLoad) {
  mlir::DialectRegistry registry;
  prism::registerUpstreamDialects(registry);
  mlir::MLIRContext context(registry);
  for (const char *name : {"linalg", "gpu", "nvgpu", "nvvm", "llvm"})
    EXPECT_NE(context.getOrLoadDialect(name), nullptr) << name;
}

TEST(InitAllTest, PassesRegisterTwice) {
  prism::registerPrismPasses();
  prism::registerPrismPasses();
}
