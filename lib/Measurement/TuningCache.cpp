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
  int code = sqlite3_errcode(database);
  bool isDamaged = code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
  return llvm::createStringError(
      "tuning cache '" + path + "': " + what + ": " + sqlite3_errmsg(database) +
      (isDamaged ? "; remove it, or name another file" : ""));
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

/// Whether the file is a cache of this version; an error if it is something
/// else. Writes nothing.
llvm::Expected<bool> TuningCache::isPrepared() {
  int application = 0, found = 0, tables = 0;
  for (auto [query, number] :
       {std::pair("PRAGMA application_id", &application),
        std::pair("PRAGMA user_version", &found),
        std::pair("SELECT count(*) FROM sqlite_schema", &tables)}) {
    Statement statement(database, query);
    if (statement.step() != SQLITE_ROW)
      return makeError("cannot be used");
    *number = statement.getInt();
  }
  auto refuse = [&](const llvm::Twine &why) {
    return llvm::createStringError("tuning cache '" + path + "': " + why);
  };
  if (application == applicationId && found != version)
    return refuse("has version " + llvm::Twine(found) + ", expected " +
                  llvm::Twine(version) + "; remove it, or name another file");
  if (application != applicationId && tables != 0)
    return refuse("is another program's database; name another file");
  return application == applicationId;
}

/// Makes the table, unless the file has it. One that has it is only read: it
/// may be one that cannot be written.
llvm::Error TuningCache::prepare() {
  auto begin = [&](const char *statement) -> llvm::Expected<bool> {
    if (llvm::Error error = run(statement))
      return std::move(error);
    llvm::Expected<bool> isDone = isPrepared();
    if (!isDone || *isDone)
      sqlite3_exec(database, "ROLLBACK", nullptr, nullptr, nullptr);
    return isDone;
  };
  llvm::Expected<bool> isDone = begin("BEGIN");
  if (!isDone || *isDone)
    return isDone.takeError();
  // One process makes it; others wait here, and find it made.
  if (llvm::Error error = run("ROLLBACK"))
    return error;
  isDone = begin("BEGIN IMMEDIATE");
  if (!isDone || *isDone)
    return isDone.takeError();
  std::string make =
      "CREATE TABLE results("
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
