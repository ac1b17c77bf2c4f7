//===- MemoryPlanTest.cpp - Tests of the memory planner -------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Plan/MemoryPlan.h"
#include "llvm/ADT/SmallVector.h"
#include "gtest/gtest.h"
#include <random>

using namespace prism;

// The worked example of the header.
TEST(MemoryPlanTest, WorkedExample) {
  BufferLifetime buffers[] = {{64, 0, 1}, {32, 1, 2}, {64, 2, 3}};
  EXPECT_EQ(planMemory(buffers, /*alignment=*/16), 96);
  EXPECT_EQ(buffers[0].offset, 0);
  EXPECT_EQ(buffers[1].offset, 64);
  EXPECT_EQ(buffers[2].offset, 0);
}

TEST(MemoryPlanTest, NothingNeedsNothing) { EXPECT_EQ(planMemory({}), 0); }

TEST(MemoryPlanTest, AllAtOnceAreSideBySide) {
  BufferLifetime buffers[] = {{100, 0, 9}, {100, 3, 4}, {100, 4, 5}};
  EXPECT_EQ(planMemory(buffers, /*alignment=*/128), 128 + 128 + 100);
}

// Whatever the lifetimes: aligned, and no overlap in space and time.
TEST(MemoryPlanTest, LiveBuffersNeverOverlap) {
  std::mt19937 random(7);
  auto pick = [&](unsigned end) { return random() % end; };
  for (unsigned round = 0; round < 200; ++round) {
    llvm::SmallVector<BufferLifetime> buffers;
    for (unsigned count = 1 + pick(12); count > 0; --count) {
      unsigned begin = pick(10);
      buffers.push_back({1 + static_cast<int64_t>(pick(300)), begin,
                         begin + static_cast<unsigned>(pick(5))});
    }
    int64_t total = planMemory(buffers, /*alignment=*/16);
    for (const BufferLifetime &a : buffers) {
      EXPECT_EQ(a.offset % 16, 0);
      EXPECT_LE(a.offset + a.bytes, total);
      for (const BufferLifetime &b : buffers) {
        bool overlaps =
            a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
        EXPECT_FALSE(&a != &b && a.livesWith(b) && overlaps);
      }
    }
  }
}
