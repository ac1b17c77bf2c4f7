//===- PTXModule.h - PTX text as typed data structures ----------*- C++ -*-===//
//
// What the parser makes of PTX text: variables, kernels, registers and
// instructions with resolved registers and branch targets. String references
// point into the module's own copy of the text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_RUNTIME_PTXMODULE_H
#define PRISM_RUNTIME_PTXMODULE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace prism {

/// A fundamental or packed type of PTX.
enum class PTXType {
  Pred,
  B8,
  B16,
  B32,
  B64,
  B128,
  U8,
  U16,
  U32,
  U64,
  S8,
  S16,
  S32,
  S64,
  F16,
  F16x2,
  BF16,
  BF16x2,
  TF32,
  F32,
  F32x2,
  F64,
};

/// The type named by `name` (no dot), or none.
std::optional<PTXType> parsePTXType(llvm::StringRef name);

/// Size in bytes; a predicate has none (0).
unsigned getPTXTypeSize(PTXType type);
bool isPTXSigned(PTXType type);
bool isPTXFloat(PTXType type);
/// B, U or S of 8 to 64 bits.
bool isPTXInteger(PTXType type);

/// A state space of PTX.
enum class PTXSpace { Generic, Global, Shared, Local, Param, Const };

/// One operand of an instruction.
struct PTXOperand {
  enum class Kind { Register, Immediate, Symbol, Address, Vector, Label, Sink };

  Kind kind = Kind::Sink;
  bool negated = false;        ///< `!%p`
  bool baseIsRegister = false; ///< Address: base is `index`, else `name`
  unsigned index = 0;          ///< register number, or target instruction
  llvm::StringRef name;        ///< symbol or label
  int64_t offset = 0;          ///< Address, Symbol: bytes added
  uint64_t bits = 0;           ///< Immediate: value (an f32 in the low half)
  enum class Number { Integer, Single, Double } number = Number::Integer;
  std::vector<PTXOperand> elements; ///< Vector; or the second half of `p|q`

  bool isRegister() const { return kind == Kind::Register; }
};

/// One instruction: `@guard opcode.modifier.modifier operands;`.
struct PTXInstruction {
  llvm::StringRef opcode;
  llvm::SmallVector<llvm::StringRef, 6> modifiers;
  std::optional<unsigned> guard; ///< predicate register
  bool guardNegated = false;
  llvm::SmallVector<PTXOperand, 4> operands;
  unsigned line = 0;
  unsigned loc = 0; ///< index into PTXModule::locations; 0 is unknown
  /// Loads: a bit for each byte whose value is used; others may be garbage
  /// (`.pragma "used_bytes_mask N"`, which LLVM writes where it widens loads).
  uint32_t usedBytes = ~0u;
};

/// A register of a kernel.
struct PTXRegister {
  llvm::StringRef name;
  unsigned number = 0; ///< for `%r<N>` declarations
  PTXType type;
};

/// A variable or kernel parameter.
struct PTXVariable {
  llvm::StringRef name;
  PTXSpace space = PTXSpace::Global;
  PTXType type = PTXType::B8;
  uint64_t bytes = 0; ///< total; 0 for an extern array of unknown size
  unsigned align = 1; ///< in bytes
  bool isExtern = false;
  /// Parameters: declared `.ptr`, with the space and alignment pointed to.
  bool isPointer = false;
  PTXSpace pointerSpace = PTXSpace::Generic;
  unsigned pointerAlign = 1;
  unsigned line = 0;
  /// Parameters and local variables: offset in their buffer.
  uint64_t offset = 0;
  /// Initial bytes (zero beyond them), and addresses of symbols in them.
  std::vector<char> initializer;
  struct Relocation {
    uint64_t offset;
    llvm::StringRef symbol;
    int64_t addend;
  };
  std::vector<Relocation> relocations;
};

/// A kernel (`.entry`).
struct PTXKernel {
  llvm::StringRef name;
  unsigned line = 0;
  std::vector<PTXVariable> parameters;
  uint64_t parameterBytes = 0;
  std::vector<PTXVariable> locals;
  uint64_t localBytes = 0;
  std::vector<PTXVariable> shared; ///< declared in the body
  std::vector<PTXRegister> registers;
  std::vector<PTXInstruction> instructions;
  /// Tables of `.branchtargets`, as instruction indices.
  std::vector<std::vector<unsigned>> branchTables;
  std::optional<std::array<uint32_t, 3>> reqntid;
  std::optional<std::array<uint32_t, 3>> maxntid;
};

/// A source position from `.loc`.
struct PTXLocation {
  unsigned file = 0;
  unsigned line = 0;
};

/// A parsed module.
struct PTXModule {
  std::unique_ptr<llvm::MemoryBuffer> text;
  unsigned versionMajor = 0, versionMinor = 0;
  llvm::StringRef target; ///< e.g. sm_80
  std::vector<PTXVariable> variables;
  std::vector<PTXKernel> kernels;
  std::vector<llvm::StringRef> files; ///< by the number in `.file`
  std::vector<PTXLocation> locations = {PTXLocation()};

  const PTXKernel *findKernel(llvm::StringRef name) const;
  const PTXVariable *findVariable(llvm::StringRef name) const;
};

/// Parses PTX text. Errors read `name:line: error: ...`.
llvm::Expected<PTXModule> parsePTX(llvm::StringRef text, llvm::StringRef name);

} // namespace prism

#endif // PRISM_RUNTIME_PTXMODULE_H
