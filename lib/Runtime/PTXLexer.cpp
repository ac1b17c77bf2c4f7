//===- PTXLexer.cpp - Tokens of PTX text ----------------------------------===//
//
// See PTXLexer.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PTXLexer.h"

#include "llvm/ADT/StringExtras.h"

using namespace prism;

static bool isWordStart(char c) {
  return llvm::isAlpha(c) || c == '_' || c == '$' || c == '%' || c == '.';
}

static bool isWordPart(char c) { return isWordStart(c) || llvm::isDigit(c); }

void PTXLexer::skipBlanks() {
  while (position < text.size()) {
    llvm::StringRef rest = text.substr(position);
    if (rest.front() == '\n') {
      ++line;
      ++position;
    } else if (llvm::isSpace(rest.front())) {
      ++position;
    } else if (rest.starts_with("//")) {
      position += std::min(rest.find('\n'), rest.size());
    } else if (rest.starts_with("/*")) {
      size_t length = rest.find("*/");
      length = length == llvm::StringRef::npos ? rest.size() : length + 2;
      line += rest.take_front(length).count('\n');
      position += length;
    } else {
      return;
    }
  }
}

PTXToken PTXLexer::take(PTXToken::Kind kind, size_t length) {
  PTXToken token{kind, text.substr(position, length), line};
  position += length;
  return token;
}

/// Length of the word at the cursor. `::` belongs to a word (`.L2::128B`,
/// `.shared::cta`); a single `:` ends a label.
size_t PTXLexer::scanWord() const {
  size_t end = position;
  while (end < text.size()) {
    if (isWordPart(text[end])) {
      ++end;
    } else if (text.substr(end).starts_with("::")) {
      end += 2;
    } else {
      break;
    }
  }
  return end - position;
}

PTXToken PTXLexer::next() {
  skipBlanks();
  if (position >= text.size())
    return PTXToken{PTXToken::Kind::End, llvm::StringRef(), line};
  llvm::StringRef rest = text.substr(position);
  char first = rest.front();
  if (isWordStart(first))
    return take(PTXToken::Kind::Word, scanWord());
  if (llvm::isDigit(first)) {
    size_t length = 1;
    while (
        length < rest.size() &&
        (llvm::isAlnum(rest[length]) || rest[length] == '.' ||
         ((rest[length] == '-' || rest[length] == '+') &&
          llvm::toLower(rest[length - 1]) == 'e' && !rest.starts_with("0x") &&
          !rest.starts_with("0f") && !rest.starts_with("0d"))))
      ++length;
    return take(PTXToken::Kind::Number, length);
  }
  if (first == '"') {
    size_t close = rest.find('"', 1);
    if (close == llvm::StringRef::npos) // unterminated: an error to all callers
      return take(PTXToken::Kind::Punctuation, 1);
    PTXToken token = take(PTXToken::Kind::String, close + 1);
    line += token.text.count('\n');
    token.text = token.text.drop_front().drop_back();
    return token;
  }
  return take(PTXToken::Kind::Punctuation, 1);
}
