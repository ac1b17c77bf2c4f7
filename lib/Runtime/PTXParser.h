//===- PTXParser.h - PTX text to PTXModule ----------------------*- C++ -*-===//
//
// The parser's state; the entry point is parsePTX in PTXModule.h. Declarations
// are in PTXParser.cpp, kernel bodies in PTXBodyParser.cpp.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_RUNTIME_PTXPARSER_H
#define PRISM_LIB_RUNTIME_PTXPARSER_H

#include "PTXLexer.h"
#include "Prism/Runtime/PTXModule.h"

#include "llvm/ADT/StringMap.h"

namespace prism {

class PTXParser {
public:
  PTXParser(PTXModule &module, llvm::StringRef name)
      : module(module), name(name.str()), lexer(module.text->getBuffer()) {
    advance();
  }

  llvm::Error parseModule();

private:
  // Tokens.
  void advance() { token = lexer.next(); }
  bool consumeIf(llvm::StringRef spelling);
  llvm::Error expect(llvm::StringRef spelling);
  llvm::Error fail(const llvm::Twine &message) const {
    return failAt(token.line, message);
  }
  llvm::Error failAt(unsigned line, const llvm::Twine &message) const;
  llvm::Expected<uint64_t> parseInteger();
  llvm::Expected<PTXOperand> parseNumber();
  void skipLine();
  llvm::Error skipBraces();

  // Declarations.
  llvm::Error parseVersion();
  llvm::Error parseTopLevel();
  llvm::Error parseEntry();
  llvm::Error parseFunction();
  llvm::Error parseParameters(PTXKernel &kernel);
  llvm::Error parsePerformanceDirectives(PTXKernel &kernel);
  llvm::Expected<std::array<uint32_t, 3>> parseDims();
  llvm::Expected<PTXVariable> parseVariable(PTXSpace space, bool isExtern);
  llvm::Error parseInitializer(PTXVariable &variable);
  llvm::Error parseInitializerElement(PTXVariable &variable, uint64_t &offset);
  llvm::Error parseFile();
  llvm::Error parseLoc();

  // Bodies.
  llvm::Error parseBody(PTXKernel &kernel);
  llvm::Error parseStatement();
  llvm::Error parseDirective();
  llvm::Error parseRegisters();
  llvm::Error parseBranchTargets();
  llvm::Error parsePragma();
  llvm::Error parseInstruction();
  llvm::Error parseOpcode(PTXInstruction &instruction);
  llvm::Expected<PTXOperand> parseOperand();
  llvm::Expected<PTXOperand> parseAddress();
  llvm::Expected<PTXOperand> parseVector();
  llvm::Error defineLabel(llvm::StringRef label, unsigned line);
  llvm::Error resolveLabels();
  std::optional<unsigned> findRegister(llvm::StringRef name) const;

  PTXModule &module;
  std::string name;
  PTXLexer lexer;
  PTXToken token;
  uint32_t usedBytes = ~0u;  ///< what a pragma says of the next instruction
  unsigned operandDepth = 0; ///< operands around the one being parsed

  /// A `{ ... }` scope of a body: registers and labels of its own.
  struct Scope {
    std::optional<unsigned> parent;
    llvm::StringMap<unsigned> registers;
    /// Ranges `%r<N>`: prefix to first register and count.
    llvm::StringMap<std::pair<unsigned, unsigned>> ranges;
    llvm::StringMap<unsigned> labels;
    llvm::StringMap<unsigned> tables;
  };
  struct LabelUse {
    unsigned instruction;
    unsigned operand;
    unsigned scope;
  };
  struct TableUse {
    unsigned table;
    llvm::SmallVector<PTXToken> labels;
    unsigned scope;
  };
  std::optional<unsigned> findLabel(llvm::StringRef label,
                                    unsigned scope) const;

  PTXKernel *kernel = nullptr;
  std::vector<Scope> scopes;
  unsigned scope = 0;
  std::vector<LabelUse> labelUses;
  std::vector<TableUse> tableUses;
  unsigned loc = 0;
};

} // namespace prism

#endif // PRISM_LIB_RUNTIME_PTXPARSER_H
