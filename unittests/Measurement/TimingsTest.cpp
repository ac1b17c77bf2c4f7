//===- TimingsTest.cpp - Measured times of candidates ---------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Measurement/Timings.h"
#include "gtest/gtest.h"

using namespace prism;

namespace {

std::string getError(llvm::StringRef text) {
  llvm::Expected<Timings> timings = Timings::parse(text);
  return timings ? "" : llvm::toString(timings.takeError());
}

TEST(Timings, LookUpByAllOfTheKey) {
  llvm::Expected<Timings> timings =
      Timings::parse(R"({"version": 1, "timings": [
    {"kernel": "a", "target": "sm_80", "toolchain": "t", "shapes": [[8, 4], []],
     "microseconds": 2},
    {"kernel": "a", "target": "sm_80", "toolchain": "t", "shapes": [[8, 4], []],
     "microseconds": 3.5}]})");
  ASSERT_TRUE(bool(timings)) << llvm::toString(timings.takeError());
  TimingKey key = {"a", "sm_80", "t", {{8, 4}, {}}};
  EXPECT_EQ(timings->lookup(key), 3.5); // the last
  for (TimingKey other : {TimingKey{"b", "sm_80", "t", {{8, 4}, {}}},
                          TimingKey{"a", "sm_86", "t", {{8, 4}, {}}},
                          TimingKey{"a", "sm_80", "u", {{8, 4}, {}}},
                          TimingKey{"a", "sm_80", "t", {{8, 5}, {}}},
                          TimingKey{"a", "sm_80", "t", {{8, 4}}}})
    EXPECT_EQ(timings->lookup(other), std::nullopt);
}

TEST(Timings, KeysAreWrittenAsTheyAreRead) {
  TimingKey key = {
      hashKernels(".version 8.7"), "sm_90a", "LLVM", {{1, 2}, {3}}};
  llvm::json::Object entry = key.toJSON();
  entry["microseconds"] = 1.25;
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(llvm::json::Object{
      {"version", 1}, {"timings", llvm::json::Array{std::move(entry)}}});
  llvm::Expected<Timings> timings = Timings::parse(text);
  ASSERT_TRUE(bool(timings)) << llvm::toString(timings.takeError());
  EXPECT_EQ(timings->lookup(key), 1.25);
}

TEST(Timings, HashTellsTextsApart) {
  EXPECT_EQ(hashKernels("a").size(), 32u);
  EXPECT_EQ(hashKernels("a"), hashKernels("a"));
  EXPECT_NE(hashKernels("a"), hashKernels("b"));
}

TEST(Timings, WhatIsWrongIsSaid) {
  EXPECT_NE(getError("{"), "");
  EXPECT_EQ(getError("[]"), "expected object when parsing timings");
  EXPECT_EQ(getError(R"({"version": 2, "timings": []})"),
            "version 2, expected 1");
  EXPECT_EQ(getError(R"({"version": 1})"), "expected array at timings.timings");
  EXPECT_EQ(getError(R"({"version": 1, "timings": [{"kernel": 3}]})"),
            "expected string at timings.timings[0].kernel");
  EXPECT_EQ(getError(R"({"version": 1, "timings": [{"kernel": "a",
      "target": "t", "toolchain": "", "shapes": [], "microseconds": 0}]})"),
            "expected a positive number at timings.timings[0].microseconds");
  llvm::Expected<Timings> missing = Timings::read("/nonexistent/timings.json");
  ASSERT_FALSE(bool(missing));
  EXPECT_EQ(llvm::toString(missing.takeError()),
            "cannot read '/nonexistent/timings.json': No such file or "
            "directory");
}

} // namespace
