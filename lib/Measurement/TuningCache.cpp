//===- TuningCache.cpp - What was found and measured before ---------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Measurement/TuningCache.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"
#include <sqlite3.h>

using namespace prism;

/// How long one process waits for another, in milliseconds.
static constexpr int busyMilliseconds = 10000;
/// Of SQLite's header: the file is a cache of ours.
static constexpr int applicationId = 0x7072736d; // "prsm"

namespace {
/// A statement with its parameters bound, finalized at the end.
class Statement {
public:
  Statement(sqlite3 *database, const char *text) {
    isGood = sqlite3_prepare_v2(database, text, -1, &statement, nullptr) ==
             SQLITE_OK;
  }
  ~Statement() { sqlite3_finalize(statement); }
  Statement(const Statement &) = delete;
  Statement &operator=(const Statement &) = delete;

  void bind(int index, llvm::StringRef text) {
    isGood = isGood &&
             sqlite3_bind_blob64(statement, index, text.data(), text.size(),
                                 SQLITE_TRANSIENT) == SQLITE_OK;
  }
  int step() { return isGood ? sqlite3_step(statement) : SQLITE_ERROR; }
  llvm::StringRef getText() const {
    return {static_cast<const char *>(sqlite3_column_blob(statement, 0)),
            size_t(sqlite3_column_bytes(statement, 0))};
  }
  int getInt() const { return sqlite3_column_int(statement, 0); }

private:
  sqlite3_stmt *statement = nullptr;
  bool isGood;
};
} // namespace

/// Keys are long texts; the table has what tells them apart.
static std::string digest(llvm::StringRef key) {
  llvm::SHA256 hash;
  hash.update(key);
  return llvm::toHex(hash.final(), /*LowerCase=*/true);
}

TuningCache::~TuningCache() { sqlite3_close(database); }

llvm::Error TuningCache::makeError(const char *what) const {
  return llvm::createStringError("tuning cache '" + path + "': " + what + ": " +
                                 sqlite3_errmsg(database));
}

llvm::Error TuningCache::run(const char *statement) {
  if (sqlite3_exec(database, statement, nullptr, nullptr, nullptr) != SQLITE_OK)
    return makeError("cannot be used");
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<TuningCache>>
TuningCache::open(llvm::StringRef path) {
  std::unique_ptr<TuningCache> cache(new TuningCache(path.str()));
  if (sqlite3_open(cache->path.c_str(), &cache->database) != SQLITE_OK)
    return cache->makeError("cannot be opened");
  sqlite3_busy_timeout(cache->database, busyMilliseconds);
  if (llvm::Error error = cache->prepare())
    return std::move(error);
  return cache;
}

/// Makes the table, unless the file has it.
llvm::Error TuningCache::prepare() {
  // One process makes it, the others wait.
  if (llvm::Error error = run("BEGIN IMMEDIATE"))
    return error;
  auto readNumber = [&](const char *pragma) {
    Statement statement(database, pragma);
    return statement.step() == SQLITE_ROW ? statement.getInt() : 0;
  };
  auto refuse = [&](const llvm::Twine &why) {
    sqlite3_exec(database, "ROLLBACK", nullptr, nullptr, nullptr);
    return llvm::createStringError("tuning cache '" + path + "': " + why);
  };
  int application = readNumber("PRAGMA application_id");
  int found = readNumber("PRAGMA user_version");
  if (application == applicationId && found != version)
    return refuse("has version " + llvm::Twine(found) + ", expected " +
                  llvm::Twine(version) + "; remove it, or name another file");
  if (application != applicationId &&
      readNumber("SELECT count(*) FROM sqlite_schema") != 0)
    return refuse("is another program's database; name another file");
  std::string make =
      "CREATE TABLE IF NOT EXISTS results("
      "key BLOB PRIMARY KEY, result BLOB NOT NULL) WITHOUT ROWID;"
      "PRAGMA application_id = " +
      llvm::itostr(applicationId) +
      ";PRAGMA user_version = " + llvm::itostr(version) + ";COMMIT";
  return run(make.c_str());
}

llvm::Expected<std::optional<std::string>>
TuningCache::lookup(llvm::StringRef key) {
  Statement statement(database, "SELECT result FROM results WHERE key = ?");
  statement.bind(1, digest(key));
  switch (statement.step()) {
  case SQLITE_ROW:
    return statement.getText().str();
  case SQLITE_DONE:
    return std::nullopt;
  default:
    return makeError("cannot be read");
  }
}

llvm::Error TuningCache::store(llvm::StringRef key, llvm::StringRef result) {
  Statement statement(database, "INSERT OR REPLACE INTO results VALUES(?, ?)");
  statement.bind(1, digest(key));
  statement.bind(2, result);
  if (statement.step() != SQLITE_DONE)
    return makeError("cannot be written");
  return llvm::Error::success();
}
