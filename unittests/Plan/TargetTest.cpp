//===- TargetTest.cpp - Tests of the table of targets ---------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Plan/Target.h"
#include "gtest/gtest.h"

using namespace prism;

TEST(TargetTest, EveryNameIsFound) {
  EXPECT_EQ(getTargets().size(), 6u);
  for (llvm::StringRef name : getTargetNames()) {
    ASSERT_NE(lookupTarget(name), nullptr);
    EXPECT_EQ(lookupTarget(name)->name, name);
  }
  EXPECT_EQ(lookupTarget("sm_70"), nullptr);
  EXPECT_EQ(lookupTarget(""), nullptr);
}

TEST(TargetTest, LimitsAreConsistent) {
  for (const Target &target : getTargets()) {
    EXPECT_EQ(target.maxSharedBytes + target.reservedSharedBytes,
              target.sharedBytesPerSM);
    EXPECT_LT(target.staticSharedBytes, target.maxSharedBytes);
    EXPECT_LE(target.maxThreadsPerBlock, target.maxThreadsPerSM);
    EXPECT_GT(target.tensorFlopsPerSecond, target.f32FlopsPerSecond);
    EXPECT_GT(target.l2BytesPerSecond, target.dramBytesPerSecond);
  }
}
