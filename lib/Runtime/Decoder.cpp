//===- Decoder.cpp - PTX instructions to executable operations ------------===//
//
// Slots for operands, layout of shared memory, and the walk over a kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"

#include "Lanes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace prism;

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

namespace {
template <typename R, typename A>
struct Copy {
  static R apply(A value) { return R(value); }
};
} // namespace

template <typename R, typename A>
static ExecFn copyFn() {
  return execUnary<Copy<R, A>, R, A>;
}

template <typename R, bool Signed>
static ExecFn copyFrom(unsigned fromWidth) {
  switch (fromWidth) {
  case 1:
    return Signed ? copyFn<R, int8_t>() : copyFn<R, uint8_t>();
  case 2:
    return Signed ? copyFn<R, int16_t>() : copyFn<R, uint16_t>();
  case 4:
    return Signed ? copyFn<R, int32_t>() : copyFn<R, uint32_t>();
  default:
    return copyFn<R, uint64_t>();
  }
}

ExecFn prism::getCopy(unsigned toWidth, unsigned fromWidth, bool isSigned) {
  switch (toWidth) {
  case 1:
    return copyFrom<uint8_t, false>(fromWidth);
  case 2:
    return isSigned ? copyFrom<uint16_t, true>(fromWidth)
                    : copyFrom<uint16_t, false>(fromWidth);
  case 4:
    return isSigned ? copyFrom<uint32_t, true>(fromWidth)
                    : copyFrom<uint32_t, false>(fromWidth);
  default:
    return isSigned ? copyFrom<uint64_t, true>(fromWidth)
                    : copyFrom<uint64_t, false>(fromWidth);
  }
}

static void execNegatePredicate(Warp &warp, const Op &op, uint32_t mask) {
  setPredicate(warp, op.dst, mask, ~warp.predicate(op.a));
}

//===----------------------------------------------------------------------===//
// Set-up
//===----------------------------------------------------------------------===//

/// Bytes a lane's value of `type` takes in a slot.
static unsigned slotWidth(PTXType type) {
  return type == PTXType::Pred ? 0 : getPTXTypeSize(type);
}

Slot Decoder::allocateSlot(unsigned width) {
  Slot slot = program.registerBytes;
  // A predicate needs 4 bytes; 64 keeps vector slots on cache lines.
  program.registerBytes += llvm::alignTo(std::max(4u, width * warpSize), 64);
  return slot;
}

Decoder::Decoder(const PTXModule &module, const PTXKernel &kernel,
                 const llvm::StringMap<uint64_t> &globals)
    : module(module), kernel(kernel), globals(globals) {
  program.name = kernel.name.str();
  program.localBytes = kernel.localBytes;
  program.parameterBytes = kernel.parameterBytes;
  program.parameters = kernel.parameters;
  program.reqntid = kernel.reqntid;
  program.maxntid = kernel.maxntid;
  for (const PTXRegister &reg : kernel.registers)
    registerSlots.push_back(allocateSlot(
        std::max(reg.type == PTXType::Pred ? 0u : 2u, slotWidth(reg.type))));
  layOutShared();
}

bool Decoder::isUsed(llvm::StringRef symbol) const {
  for (const PTXInstruction &instruction : kernel.instructions)
    for (const PTXOperand &operand : instruction.operands)
      if (operand.name == symbol ||
          llvm::any_of(operand.elements, [&](const PTXOperand &element) {
            return element.name == symbol;
          }))
        return true;
  return false;
}

/// Every variable stands at exactly its declared alignment and no better, so
/// that code which needs more than it declared is caught.
void Decoder::layOutShared() {
  uint64_t offset = 0;
  auto place = [&](const PTXVariable &variable) {
    offset = llvm::alignTo(offset, variable.align);
    if (offset % (2 * uint64_t(variable.align)) == 0)
      offset += variable.align;
    sharedOffsets[variable.name] = offset;
    offset += variable.bytes;
  };
  llvm::SmallVector<const PTXVariable *> dynamic;
  for (const PTXVariable &variable : kernel.shared)
    place(variable);
  for (const PTXVariable &variable : module.variables) {
    if (variable.space != PTXSpace::Shared || !isUsed(variable.name))
      continue;
    if (variable.isExtern)
      dynamic.push_back(&variable);
    else
      place(variable);
  }
  // All extern arrays name the same memory, behind everything else.
  uint64_t align = 1;
  for (const PTXVariable *variable : dynamic)
    align = std::max<uint64_t>(align, variable->align);
  if (!dynamic.empty()) {
    offset = llvm::alignTo(offset, align);
    if (offset % (2 * align) == 0)
      offset += align;
  }
  for (const PTXVariable *variable : dynamic)
    sharedOffsets[variable->name] = offset;
  program.staticSharedBytes = offset;
}

//===----------------------------------------------------------------------===//
// Modifiers
//===----------------------------------------------------------------------===//

void Decoder::fail(const llvm::Twine &message) {
  if (failure.empty())
    failure = message.str();
}

bool Decoder::expectOperands(unsigned least, unsigned most) {
  most = std::max(least, most);
  if (numOperands() >= least && numOperands() <= most)
    return true;
  fail("'" + inst().opcode + "' takes " + llvm::Twine(least) +
       (most > least ? " to " + std::to_string(most) : std::string()) +
       " operands, found " + llvm::Twine(numOperands()));
  return false;
}

bool Decoder::take(llvm::StringRef modifier) {
  auto it = llvm::find(modifiers, modifier);
  if (it == modifiers.end())
    return false;
  modifiers.erase(it);
  return true;
}

void Decoder::ignore(llvm::ArrayRef<llvm::StringRef> ignored) {
  for (llvm::StringRef modifier : ignored)
    take(modifier);
}

std::optional<PTXType> Decoder::takeType() {
  for (auto it = modifiers.begin(); it != modifiers.end(); ++it) {
    if (auto type = parsePTXType(*it)) {
      modifiers.erase(it);
      return type;
    }
  }
  return std::nullopt;
}

PTXType Decoder::expectType() {
  if (auto type = takeType())
    return *type;
  fail("'" + inst().opcode + "' needs a type");
  return PTXType::B32;
}

std::optional<PTXSpace> Decoder::takeSpace() {
  for (auto [name, space] : {std::make_pair("global", PTXSpace::Global),
                             {"shared", PTXSpace::Shared},
                             {"shared::cta", PTXSpace::Shared},
                             {"shared::cluster", PTXSpace::Shared},
                             {"local", PTXSpace::Local},
                             {"const", PTXSpace::Const},
                             {"param", PTXSpace::Param},
                             {"param::entry", PTXSpace::Param}})
    if (take(name))
      return space;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

Slot Decoder::constant(uint64_t value, unsigned width) {
  if (width < 8)
    value &= (uint64_t(1) << (8 * width)) - 1;
  auto [it, isNew] = constantSlots.try_emplace({value, width}, 0);
  if (isNew) {
    it->second = allocateSlot(width);
    program.constants.push_back({it->second, width, value});
  }
  return it->second;
}

Slot Decoder::temporary(unsigned width) { return allocateSlot(width); }

uint32_t Decoder::addList(llvm::ArrayRef<Slot> slots) {
  uint32_t first = program.lists.size();
  program.lists.insert(program.lists.end(), slots.begin(), slots.end());
  return first;
}

unsigned Decoder::registerWidth(const PTXOperand &operand) const {
  if (!operand.isRegister())
    return 0;
  PTXType type = kernel.registers[operand.index].type;
  return type == PTXType::Pred ? 0 : std::max(2u, slotWidth(type));
}

/// An immediate's bits in the format of `type`.
Slot Decoder::immediate(const PTXOperand &operand, PTXType type) {
  uint64_t bits = operand.bits;
  unsigned width = getPTXTypeSize(type);
  if (operand.number == PTXOperand::Number::Double && width == 4)
    bits = llvm::bit_cast<uint32_t>(float(llvm::bit_cast<double>(bits)));
  else if (operand.number == PTXOperand::Number::Single && width == 8)
    bits =
        llvm::bit_cast<uint64_t>(double(llvm::bit_cast<float>(uint32_t(bits))));
  else if (operand.number != PTXOperand::Number::Integer && width < 4)
    fail("a 16-bit operand takes its constant as an integer");
  return constant(bits, width);
}

static std::optional<SpecialRegister> parseSpecial(llvm::StringRef name) {
  using S = SpecialRegister;
  return llvm::StringSwitch<std::optional<S>>(name)
      .Case("%tid.x", S::TidX)
      .Case("%tid.y", S::TidY)
      .Case("%tid.z", S::TidZ)
      .Case("%ntid.x", S::NtidX)
      .Case("%ntid.y", S::NtidY)
      .Case("%ntid.z", S::NtidZ)
      .Case("%ctaid.x", S::CtaidX)
      .Case("%ctaid.y", S::CtaidY)
      .Case("%ctaid.z", S::CtaidZ)
      .Case("%nctaid.x", S::NctaidX)
      .Case("%nctaid.y", S::NctaidY)
      .Case("%nctaid.z", S::NctaidZ)
      .Case("%laneid", S::LaneId)
      .Case("%warpid", S::WarpId)
      .Case("%nwarpid", S::NWarpId)
      .Case("%lanemask_eq", S::LanemaskEq)
      .Case("%lanemask_le", S::LanemaskLe)
      .Case("%lanemask_lt", S::LanemaskLt)
      .Case("%lanemask_ge", S::LanemaskGe)
      .Case("%lanemask_gt", S::LanemaskGt)
      .Case("%dynamic_smem_size", S::DynamicSmemSize)
      .Case("%total_smem_size", S::TotalSmemSize)
      .Cases({"%smid", "%gridid", "%clock", "%clock_hi", "%clock64"}, S::Zero)
      .Cases({"%globaltimer", "%globaltimer_lo", "%globaltimer_hi"}, S::Zero)
      .Cases({"%cluster_ctaid.x", "%cluster_ctaid.y", "%cluster_ctaid.z"},
             S::Zero)
      .Cases({"%cluster_ctarank"}, S::Zero)
      .Cases({"%cluster_nctaid.x", "%cluster_nctaid.y", "%cluster_nctaid.z"},
             S::One)
      .Cases({"%cluster_nctarank", "%nsmid"}, S::One)
      .Cases({"%clusterid.x"}, S::CtaidX)
      .Cases({"%clusterid.y"}, S::CtaidY)
      .Cases({"%clusterid.z"}, S::CtaidZ)
      .Cases({"%nclusterid.x"}, S::NctaidX)
      .Cases({"%nclusterid.y"}, S::NctaidY)
      .Cases({"%nclusterid.z"}, S::NctaidZ)
      .Default(std::nullopt);
}

std::optional<Slot> Decoder::specialSlot(llvm::StringRef name, unsigned width) {
  auto which = parseSpecial(name);
  if (!which)
    return std::nullopt;
  auto [it, isNew] = specialSlots.try_emplace({unsigned(*which), width}, 0);
  if (isNew) {
    it->second = allocateSlot(width);
    program.specials.push_back({it->second, width, *which});
  }
  return it->second;
}

std::optional<uint64_t> Decoder::symbolAddress(llvm::StringRef name) const {
  if (auto it = sharedOffsets.find(name); it != sharedOffsets.end())
    return it->second;
  for (const PTXVariable &variable : kernel.locals)
    if (variable.name == name)
      return variable.offset;
  for (const PTXVariable &parameter : kernel.parameters)
    if (parameter.name == name)
      return parameter.offset;
  if (auto it = globals.find(name); it != globals.end())
    return it->second;
  return std::nullopt;
}

Slot Decoder::symbolSlot(const PTXOperand &operand, unsigned width) {
  if (auto special = specialSlot(operand.name, width))
    return *special;
  if (auto address = symbolAddress(operand.name))
    return constant(*address + operand.offset, width);
  fail("unknown register or symbol '" + operand.name + "'");
  return 0;
}

Slot Decoder::use(const PTXOperand &operand, PTXType type) {
  if (type == PTXType::Pred)
    return usePredicate(operand);
  unsigned width = slotWidth(type);
  if (width > 8 && !operand.isRegister()) {
    fail("expected a register of 128 bits as operand of '" + inst().opcode +
         "'");
    return 0;
  }
  switch (operand.kind) {
  case PTXOperand::Kind::Immediate:
    return immediate(operand, type);
  case PTXOperand::Kind::Symbol:
    return symbolSlot(operand, width);
  case PTXOperand::Kind::Register:
    break;
  default:
    fail("expected a register or a constant as operand of '" + inst().opcode +
         "'");
    return 0;
  }
  touched.push_back({registerSlots[operand.index], false});
  unsigned held = registerWidth(operand);
  if (held == width)
    return registerSlots[operand.index];
  if (held < width || held > 8) {
    fail("register '" + operand.name + "' has " + llvm::Twine(8 * held) +
         " bits, '" + inst().opcode + "' needs " + llvm::Twine(8 * width));
    return 0;
  }
  Slot narrow = temporary(width);
  Op &op = emit(getCopy(width, held, false));
  op.dst = narrow;
  op.a = registerSlots[operand.index];
  return narrow;
}

Slot Decoder::def(const PTXOperand &operand, PTXType type) {
  if (type == PTXType::Pred)
    return defPredicate(operand);
  unsigned width = slotWidth(type);
  if (operand.kind == PTXOperand::Kind::Sink)
    return temporary(width);
  unsigned held = registerWidth(operand);
  if (held < width || (held > 8 && held != width)) {
    fail("expected a register of " + llvm::Twine(8 * width) +
         " bits as the result of '" + inst().opcode + "'");
    return 0;
  }
  touched.push_back({registerSlots[operand.index], true});
  if (held == width)
    return registerSlots[operand.index];
  Slot narrow = temporary(width);
  pending.push_back({getCopy(held, width, isPTXSigned(type)),
                     registerSlots[operand.index], narrow});
  return narrow;
}

Slot Decoder::usePredicate(const PTXOperand &operand) {
  if (operand.kind == PTXOperand::Kind::Immediate) {
    // A mask per lane: 0 or all ones, in one 32-bit word a predicate reads.
    return constant(operand.bits ? fullMask : 0, 4);
  }
  if (!operand.isRegister() ||
      kernel.registers[operand.index].type != PTXType::Pred) {
    fail("expected a predicate register as operand of '" + inst().opcode + "'");
    return 0;
  }
  Slot slot = registerSlots[operand.index];
  if (!operand.negated)
    return slot;
  Slot negated = temporary(0);
  Op &op = emit(execNegatePredicate);
  op.dst = negated;
  op.a = slot;
  return negated;
}

Slot Decoder::defPredicate(const PTXOperand &operand) {
  if (operand.kind == PTXOperand::Kind::Sink)
    return temporary(0);
  if (!operand.isRegister() ||
      kernel.registers[operand.index].type != PTXType::Pred) {
    fail("expected a predicate register as the result of '" + inst().opcode +
         "'");
    return 0;
  }
  return registerSlots[operand.index];
}

llvm::ArrayRef<PTXOperand> Decoder::elements(const PTXOperand &operand) const {
  if (operand.kind == PTXOperand::Kind::Vector)
    return operand.elements;
  return operand;
}

void Decoder::useAddress(Op &op, const PTXOperand &operand) {
  if (operand.kind != PTXOperand::Kind::Address) {
    fail("expected an address in brackets");
    return;
  }
  op.imm = operand.offset;
  op.shortAddress = false;
  if (!operand.baseIsRegister) {
    uint64_t base = 0;
    if (!operand.name.empty()) {
      auto address = symbolAddress(operand.name);
      if (!address) {
        fail("unknown symbol '" + operand.name + "'");
        return;
      }
      base = *address;
    }
    op.a = constant(base, 8);
    return;
  }
  PTXType type = kernel.registers[operand.index].type;
  op.a = registerSlots[operand.index];
  op.shortAddress = slotWidth(type) == 4;
  if (slotWidth(type) != 4 && slotWidth(type) != 8)
    fail("an address register has 32 or 64 bits, '" + operand.name + "' not");
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

Op &Decoder::emit(ExecFn exec, OpKind kind) {
  Op op;
  op.exec = exec;
  op.kind = kind;
  op.line = instruction->line;
  op.loc = instruction->loc;
  op.usedBytes = instruction->usedBytes;
  if (instruction->guard) {
    op.guarded = true;
    op.guardNegated = instruction->guardNegated;
    op.guard = registerSlots[*instruction->guard];
  }
  program.ops.push_back(op);
  return program.ops.back();
}

void Decoder::watch(llvm::ArrayRef<Slot> slots) {
  for (Slot slot : slots)
    watched.try_emplace(slot, watched.size());
}

/// Marks the operations that touch a register of wgmma, which may be in use by
/// an operation under way.
void Decoder::markWatched() {
  program.numWatched = watched.size();
  if (watched.empty())
    return;
  for (unsigned i = 0; i < kernel.instructions.size(); ++i) {
    std::vector<Program::Access> accesses;
    for (const Touched &touch : touchedBy[i])
      if (auto it = watched.find(touch.slot); it != watched.end())
        accesses.push_back({it->second, touch.isWrite});
    if (accesses.empty())
      continue;
    uint32_t watch = program.watches.size();
    program.watches.push_back(std::move(accesses));
    Op &first = program.ops[starts[i]], &last = program.ops[starts[i + 1] - 1];
    if (kernel.instructions[i].opcode == "wgmma")
      program.matrixOps[last.target].watch = watch;
    else
      first.watch = watch;
  }
}

void Decoder::emitAfter(ExecFn exec, Slot slot) {
  // Before the widening copies, which come last.
  pending.insert(pending.begin(), {exec, slot, slot});
}

/// The type that tells apart instructions which share an opcode (add.f32 and
/// add.s32): the last one that is named.
static PTXType lastType(const PTXInstruction &instruction) {
  for (llvm::StringRef modifier : llvm::reverse(instruction.modifiers))
    if (auto type = parsePTXType(modifier))
      return *type;
  return PTXType::B32;
}

static DecodeFn lookup(const PTXInstruction &instruction) {
  llvm::StringRef opcode = instruction.opcode;
  if (auto fn = lookupFloatInstruction(opcode, lastType(instruction)))
    return fn;
  for (auto group : {lookupIntegerInstruction, lookupLogicInstruction,
                     lookupCompareInstruction, lookupMoveInstruction,
                     lookupConversionInstruction, lookupMemoryInstruction,
                     lookupAtomicInstruction, lookupAsyncInstruction,
                     lookupControlInstruction, lookupWarpInstruction,
                     lookupMatrixInstruction, lookupMbarrierInstruction,
                     lookupWarpgroupInstruction})
    if (auto fn = group(opcode))
      return fn;
  return nullptr;
}

bool Decoder::checkTypes() {
  for (llvm::StringRef modifier : inst().modifiers) {
    auto type = parsePTXType(modifier);
    if (!type || takesType(inst().opcode, *type))
      continue;
    fail("'" + inst().opcode + "' does not take the type '." + modifier + "'");
    return false;
  }
  return true;
}

llvm::Error Decoder::decode(const PTXInstruction &current) {
  instruction = &current;
  modifiers.assign(current.modifiers.begin(), current.modifiers.end());
  pending.clear();
  touched.clear();
  DecodeFn fn = lookup(current);
  if (!fn)
    fail("unknown instruction '" + current.opcode + "'");
  else if (checkTypes())
    fn(*this);
  if (!failed() && !modifiers.empty())
    fail("unknown modifier '." + modifiers.front() + "' of '" + current.opcode +
         "'");
  if (failed())
    return llvm::createStringError(
        llvm::Twine(module.text->getBufferIdentifier()) + ":" +
        llvm::Twine(current.line) + ": error: " + failure);
  for (const PendingOp &after : pending) {
    Op &op = emit(after.exec);
    op.dst = after.dst;
    op.a = after.a;
  }
  touchedBy.push_back(touched);
  return llvm::Error::success();
}

/// Branches name instructions; now that all are decoded, name operations.
void Decoder::resolveTargets() {
  for (Op &op : program.ops)
    if (op.kind == OpKind::Branch)
      op.target = starts[op.target];
  for (const std::vector<unsigned> &table : kernel.branchTables) {
    std::vector<uint32_t> targets;
    for (unsigned target : table)
      targets.push_back(starts[target]);
    program.branchTables.push_back(std::move(targets));
  }
}

/// A fence that may order blocks, unlike those for proxies and mbarriers.
static bool isMemoryFence(const PTXInstruction &instruction) {
  return instruction.opcode == "fence" &&
         !llvm::is_contained(instruction.modifiers, "proxy") &&
         !llvm::is_contained(instruction.modifiers, "mbarrier_init");
}

/// Races are tracked by the narrowest access that may reach a memory.
void Decoder::checkAccessWidths() {
  for (const Op &op : program.ops) {
    if (!op.bytes)
      continue;
    unsigned bytes = op.bytes;
    bool generic = op.space == PTXSpace::Generic;
    if (generic || op.space == PTXSpace::Shared)
      program.sharedGranule = std::min(program.sharedGranule, bytes);
    if (generic || op.space == PTXSpace::Global)
      program.globalGranule = std::min(program.globalGranule, bytes);
  }
  for (const PTXInstruction &current : kernel.instructions)
    program.ordersBlocks |=
        current.opcode == "atom" || current.opcode == "red" ||
        current.opcode == "membar" || isMemoryFence(current);
}

llvm::Expected<Program> Decoder::run() {
  for (const PTXInstruction &current : kernel.instructions) {
    starts.push_back(program.ops.size());
    if (auto error = decode(current))
      return std::move(error);
  }
  // Running off the end of a kernel ends it.
  starts.push_back(program.ops.size());
  PTXInstruction end;
  end.line = kernel.instructions.empty() ? kernel.line
                                         : kernel.instructions.back().line;
  instruction = &end;
  emit(nullptr, OpKind::Exit);
  resolveTargets();
  checkAccessWidths();
  markWatched();
  return std::move(program);
}
