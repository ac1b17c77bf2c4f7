//===- Decoder.h - PTX instructions to executable operations ----*- C++ -*-===//
//
// Turns a parsed kernel into a Program. Each group of instructions has a file
// of its own with a look-up from opcode to a function that reads one
// instruction's modifiers and operands and emits operations. A modifier nobody
// consumed is an error, so that nothing is executed half understood.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_RUNTIME_DECODER_H
#define PRISM_LIB_RUNTIME_DECODER_H

#include "Program.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"

#include <map>

namespace prism {

class Decoder;

/// Decodes one instruction; problems go through Decoder::fail.
using DecodeFn = void (*)(Decoder &decoder);

DecodeFn lookupIntegerInstruction(llvm::StringRef opcode);
DecodeFn lookupLogicInstruction(llvm::StringRef opcode);
DecodeFn lookupFloatInstruction(llvm::StringRef opcode, PTXType type);
DecodeFn lookupCompareInstruction(llvm::StringRef opcode);
DecodeFn lookupMoveInstruction(llvm::StringRef opcode);
DecodeFn lookupConversionInstruction(llvm::StringRef opcode);
DecodeFn lookupMemoryInstruction(llvm::StringRef opcode);
DecodeFn lookupAtomicInstruction(llvm::StringRef opcode);
DecodeFn lookupAsyncInstruction(llvm::StringRef opcode);
DecodeFn lookupControlInstruction(llvm::StringRef opcode);
DecodeFn lookupWarpInstruction(llvm::StringRef opcode);
DecodeFn lookupMatrixInstruction(llvm::StringRef opcode);
DecodeFn lookupMbarrierInstruction(llvm::StringRef opcode);
DecodeFn lookupWarpgroupInstruction(llvm::StringRef opcode);

/// cp.async.bulk and cp.async.mbarrier, behind these modifiers.
void decodeBulk(Decoder &decoder);
void decodeDeferredArrival(Decoder &decoder);

/// Whether an instruction of this name may name this type; true for those that
/// check their types themselves.
bool takesType(llvm::StringRef opcode, PTXType type);

class Decoder {
public:
  /// `globals`: addresses of the module's global variables by name.
  Decoder(const PTXModule &module, const PTXKernel &kernel,
          const llvm::StringMap<uint64_t> &globals);

  llvm::Expected<Program> run();

  // The instruction being decoded.
  const PTXInstruction &inst() const { return *instruction; }
  const PTXOperand &operand(unsigned i) const {
    return instruction->operands[i];
  }
  unsigned numOperands() const { return instruction->operands.size(); }
  /// Remembers the first problem; decoding stops after this instruction.
  void fail(const llvm::Twine &message);
  bool failed() const { return !failure.empty(); }
  /// Fails unless the number of operands is in [least, most].
  bool expectOperands(unsigned least, unsigned most = 0);

  // Modifiers, consumed in any order.
  bool take(llvm::StringRef modifier);
  /// Consumes those given; they change nothing here.
  void ignore(llvm::ArrayRef<llvm::StringRef> modifiers);
  /// The next modifier that names a type, in the order of the text.
  std::optional<PTXType> takeType();
  /// Like takeType, but fails when there is none.
  PTXType expectType();
  /// A state space, if one is named.
  std::optional<PTXSpace> takeSpace();
  /// The modifiers not consumed yet.
  llvm::ArrayRef<llvm::StringRef> getModifiers() const { return modifiers; }

  // Operands as slots of the width of `type` (or `width` bytes).
  Slot use(const PTXOperand &operand, PTXType type);
  Slot def(const PTXOperand &operand, PTXType type);
  Slot usePredicate(const PTXOperand &operand);
  Slot defPredicate(const PTXOperand &operand);
  /// A vector operand's elements, or the operand itself.
  llvm::ArrayRef<PTXOperand> elements(const PTXOperand &operand) const;
  /// Sets op.a and op.imm (and op.shortAddress) to an address operand.
  void useAddress(Op &op, const PTXOperand &operand);
  unsigned registerWidth(const PTXOperand &operand) const;

  Slot constant(uint64_t value, unsigned width);
  Slot temporary(unsigned width);
  /// Slots for Op::list.
  uint32_t addList(llvm::ArrayRef<Slot> slots);

  /// Appends an operation with the instruction's guard and line. The reference
  /// is valid until the next call.
  Op &emit(ExecFn exec, OpKind kind = OpKind::Plain);

  /// Emits `exec` on `slot` in place, after the instruction's own operation.
  void emitAfter(ExecFn exec, Slot slot);

  const PTXModule &module;
  const PTXKernel &kernel;
  Program program;
  /// Registers that wgmma operates on: their use is to be checked.
  void watch(llvm::ArrayRef<Slot> slots);

  /// Target of an instruction index, known once all are decoded.
  uint32_t instructionStart(unsigned index) const { return starts[index]; }

private:
  void layOutShared();
  bool isUsed(llvm::StringRef symbol) const;
  llvm::Error decode(const PTXInstruction &current);
  bool checkTypes();
  void resolveTargets();
  Slot allocateSlot(unsigned width);
  Slot symbolSlot(const PTXOperand &operand, unsigned width);
  std::optional<Slot> specialSlot(llvm::StringRef name, unsigned width);
  std::optional<uint64_t> symbolAddress(llvm::StringRef name) const;
  Slot immediate(const PTXOperand &operand, PTXType type);
  void checkAccessWidths();
  void markWatched();

  const llvm::StringMap<uint64_t> &globals;
  llvm::StringMap<uint64_t> sharedOffsets;
  std::vector<Slot> registerSlots;
  std::map<std::pair<uint64_t, unsigned>, Slot> constantSlots;
  std::map<std::pair<unsigned, unsigned>, Slot> specialSlots;
  std::vector<uint32_t> starts;
  const PTXInstruction *instruction = nullptr;
  llvm::SmallVector<llvm::StringRef> modifiers;
  struct PendingOp {
    ExecFn exec;
    Slot dst, a;
  };
  llvm::SmallVector<PendingOp> pending;
  std::string failure;
  /// Registers that an instruction uses and defines: of the current one, and
  /// of all.
  struct Touched {
    Slot slot;
    bool isWrite;
  };
  llvm::SmallVector<Touched> touched;
  std::vector<llvm::SmallVector<Touched>> touchedBy;
  llvm::DenseMap<Slot, uint32_t> watched; ///< to its number
};

//===----------------------------------------------------------------------===//
// Copies between widths, shared by the groups
//===----------------------------------------------------------------------===//

/// dst = a, truncated or extended. Widths in bytes.
ExecFn getCopy(unsigned toWidth, unsigned fromWidth, bool isSigned);

} // namespace prism

#endif // PRISM_LIB_RUNTIME_DECODER_H
