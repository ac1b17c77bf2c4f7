//===- TuningCacheTest.cpp - What was found and measured before -----------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Measurement/TuningCache.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"
#include <csignal>
#include <fstream>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace prism;

namespace {

class TuningCacheTest : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(
        llvm::sys::fs::createUniqueDirectory("prism-cache", directory));
    path = (directory + "/cache.sqlite").str();
  }
  void TearDown() override { llvm::sys::fs::remove_directories(directory); }

  std::unique_ptr<TuningCache> open() {
    llvm::Expected<std::unique_ptr<TuningCache>> cache =
        TuningCache::open(path);
    if (cache)
      return std::move(*cache);
    error = llvm::toString(cache.takeError());
    return nullptr;
  }
  static std::optional<std::string> lookup(TuningCache &cache,
                                           llvm::StringRef key) {
    return llvm::cantFail(cache.lookup(key));
  }

  llvm::SmallString<128> directory;
  std::string path, error;
};

TEST_F(TuningCacheTest, KeepsWhatIsStored) {
  {
    std::unique_ptr<TuningCache> cache = open();
    ASSERT_TRUE(cache) << error;
    EXPECT_EQ(lookup(*cache, "a"), std::nullopt);
    ASSERT_FALSE(cache->store("a", llvm::StringRef("one\0two", 7)));
    ASSERT_FALSE(cache->store("b", ""));
  }
  std::unique_ptr<TuningCache> cache = open();
  ASSERT_TRUE(cache) << error;
  EXPECT_EQ(lookup(*cache, "a"), std::string("one\0two", 7));
  EXPECT_EQ(lookup(*cache, "b"), "");
  ASSERT_FALSE(cache->store("a", "new"));
  EXPECT_EQ(lookup(*cache, "a"), "new");
}

TEST_F(TuningCacheTest, RefusesWhatIsNotItsOwn) {
  std::ofstream(path) << "no database, but a text that is long enough to be "
                         "one, if it began as they do";
  EXPECT_FALSE(open());
  EXPECT_NE(error.find("file is not a database"), std::string::npos) << error;

  path = (directory + "/other.sqlite").str();
  sqlite3 *other;
  ASSERT_EQ(sqlite3_open(path.c_str(), &other), SQLITE_OK);
  sqlite3_exec(other, "CREATE TABLE t(x)", nullptr, nullptr, nullptr);
  sqlite3_close(other);
  EXPECT_FALSE(open());
  EXPECT_NE(error.find("is another program's database"), std::string::npos)
      << error;

  path = (directory + "/newer.sqlite").str();
  ASSERT_TRUE(open());
  ASSERT_EQ(sqlite3_open(path.c_str(), &other), SQLITE_OK);
  sqlite3_exec(other, "PRAGMA user_version = 99", nullptr, nullptr, nullptr);
  sqlite3_close(other);
  EXPECT_FALSE(open());
  EXPECT_NE(error.find("has version 99, expected 1"), std::string::npos)
      << error;

  path = "/nonexistent/cache.sqlite";
  EXPECT_FALSE(open());
  EXPECT_NE(error.find("cannot be opened"), std::string::npos) << error;
}

/// One that may only be read: root may write to any file, so another user does
/// this.
TEST_F(TuningCacheTest, IsReadWhereItCannotBeWritten) {
  llvm::cantFail(open()->store("a", "one"));
  using llvm::sys::fs::perms;
  llvm::sys::fs::setPermissions(path, perms::all_read);
  llvm::sys::fs::setPermissions(directory, perms::all_read | perms::all_exe);
  // lit keeps its temporary folder to its own user.
  llvm::StringRef parent = llvm::sys::path::parent_path(directory);
  perms before = *llvm::sys::fs::getPermissions(parent);
  if (geteuid() == 0)
    llvm::sys::fs::setPermissions(parent, before | perms::all_exe);
  pid_t child = fork();
  if (child == 0) {
    if (geteuid() == 0 && setuid(65534) != 0)
      _exit(1);
    std::unique_ptr<TuningCache> cache = open();
    if (!cache || lookup(*cache, "a") != "one")
      _exit(2);
    std::string why = llvm::toString(cache->store("b", "two"));
    _exit(why.find("cannot be written") == std::string::npos ? 3 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  llvm::sys::fs::setPermissions(directory, perms::owner_all);
  if (geteuid() == 0)
    llvm::sys::fs::setPermissions(parent, before);
}

/// A process that holds the lock for writing keeps no other from reading.
TEST_F(TuningCacheTest, IsReadWhileAnotherProcessWrites) {
  llvm::cantFail(open()->store("a", "one"));
  sqlite3 *writer;
  ASSERT_EQ(sqlite3_open(path.c_str(), &writer), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(writer, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr),
            SQLITE_OK);
  std::unique_ptr<TuningCache> cache = open();
  ASSERT_TRUE(cache) << error;
  EXPECT_EQ(lookup(*cache, "a"), "one");
  sqlite3_close(writer);
}

TEST_F(TuningCacheTest, SeveralProcessesMayWrite) {
  constexpr int numProcesses = 4, numEntries = 20;
  std::vector<pid_t> children;
  for (int process = 0; process != numProcesses; ++process) {
    pid_t child = fork();
    if (child == 0) {
      std::unique_ptr<TuningCache> cache = open();
      for (int i = 0; cache && i != numEntries; ++i)
        if (cache->store(std::to_string(process) + "." + std::to_string(i),
                         std::to_string(i)))
          _exit(1);
      _exit(cache ? 0 : 1);
    }
    children.push_back(child);
  }
  for (pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  std::unique_ptr<TuningCache> cache = open();
  ASSERT_TRUE(cache) << error;
  for (int process = 0; process != numProcesses; ++process)
    for (int i = 0; i != numEntries; ++i)
      EXPECT_EQ(
          lookup(*cache, std::to_string(process) + "." + std::to_string(i)),
          std::to_string(i));
}

TEST_F(TuningCacheTest, SurvivesAProcessThatIsKilled) {
  ASSERT_TRUE(open()) << error;
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  pid_t child = fork();
  if (child == 0) {
    std::unique_ptr<TuningCache> cache = open();
    std::string big(1 << 20, 'x');
    for (int i = 0; cache; ++i) { // until it is killed, in the midst of one
      llvm::consumeError(cache->store(std::to_string(i), big));
      (void)!write(ready[1], "x", 1);
    }
    _exit(1);
  }
  char byte;
  for (int i = 0; i != 3; ++i)
    ASSERT_EQ(read(ready[0], &byte, 1), 1);
  usleep(1000);
  kill(child, SIGKILL);
  int status;
  waitpid(child, &status, 0);
  std::unique_ptr<TuningCache> cache = open();
  ASSERT_TRUE(cache) << error;
  for (int i = 0; i != 3; ++i)
    EXPECT_EQ(lookup(*cache, std::to_string(i)), std::string(1 << 20, 'x'));
  for (int i = 3;; ++i) { // whole, or not there
    std::optional<std::string> entry = lookup(*cache, std::to_string(i));
    if (!entry)
      break;
    EXPECT_EQ(entry->size(), size_t(1) << 20);
  }
  ASSERT_FALSE(cache->store("after", "it"));
  EXPECT_EQ(lookup(*cache, "after"), "it");
}

} // namespace
