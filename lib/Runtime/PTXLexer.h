//===- PTXLexer.h - Tokens of PTX text --------------------------*- C++ -*-===//
//
// Splits PTX text into words (identifiers with their dots: `ld.global.b32`,
// `%tid.x`), numbers, strings and punctuation, each with its line.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_RUNTIME_PTXLEXER_H
#define PRISM_LIB_RUNTIME_PTXLEXER_H

#include "llvm/ADT/StringRef.h"

namespace prism {

/// A token; `text` points into the lexed buffer.
struct PTXToken {
  enum class Kind { Word, Number, String, Punctuation, End };

  Kind kind = Kind::End;
  llvm::StringRef text;
  unsigned line = 0;

  bool is(llvm::StringRef spelling) const {
    return kind != Kind::String && text == spelling;
  }
};

/// A one-token look-ahead is all the grammar needs, so the lexer is a cursor.
class PTXLexer {
public:
  explicit PTXLexer(llvm::StringRef text) : text(text) {}

  PTXToken next();

private:
  void skipBlanks();
  PTXToken take(PTXToken::Kind kind, size_t length);
  size_t scanWord() const;

  llvm::StringRef text;
  size_t position = 0;
  unsigned line = 1;
};

} // namespace prism

#endif // PRISM_LIB_RUNTIME_PTXLEXER_H
