//===- TuningCache.h - What was found and measured before -------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Results by the text of all that they depend on, in an SQLite file. Several
// processes may use one file at a time; one that is killed leaves it as it was
// before or after an entry, never in between.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_MEASUREMENT_TUNINGCACHE_H
#define PRISM_MEASUREMENT_TUNINGCACHE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <optional>
#include <string>

struct sqlite3;

namespace prism {

class TuningCache {
public:
  /// Of the table and of what is in it; files of other versions are refused.
  static constexpr int version = 1;

  /// Opens the file, or makes it. Fails, with what is wrong, where it cannot be
  /// read or made, is no cache, or is one of another version. One that may only
  /// be read can be opened, but not stored to.
  static llvm::Expected<std::unique_ptr<TuningCache>>
  open(llvm::StringRef path);
  ~TuningCache();
  TuningCache(const TuningCache &) = delete;
  TuningCache &operator=(const TuningCache &) = delete;

  /// What was stored under `key`, which may be any text.
  llvm::Expected<std::optional<std::string>> lookup(llvm::StringRef key);

  /// Stores `result`, in place of what was there.
  llvm::Error store(llvm::StringRef key, llvm::StringRef result);

private:
  explicit TuningCache(std::string path) : path(std::move(path)) {}

  llvm::Expected<bool> isPrepared();
  llvm::Error prepare();
  llvm::Error makeError(const char *what) const;
  llvm::Error run(const char *statement);

  std::string path;
  sqlite3 *database = nullptr;
};

} // namespace prism

#endif // PRISM_MEASUREMENT_TUNINGCACHE_H
