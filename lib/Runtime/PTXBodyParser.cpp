//===- PTXBodyParser.cpp - Kernel bodies of PTX text ----------------------===//
//
// Registers, labels and instructions. Scopes nest (inline assembly opens one
// per use), so registers are resolved at once and labels when the body ends.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PTXParser.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SaveAndRestore.h"

#include <utility>

using namespace prism;

/// CUDA C++ Programming Guide, technical specifications per compute capability.
static constexpr uint64_t mostLocalBytes = 512 * 1024;

llvm::Error PTXParser::parseBody(PTXKernel &parsed) {
  unsigned start = token.line;
  kernel = &parsed;
  scopes.assign(1, Scope());
  scope = 0;
  labelUses.clear();
  tableUses.clear();
  loc = 0;
  usedBytes = ~0u;
  if (auto error = expect("{"))
    return error;
  while (true) {
    if (token.kind == PTXToken::Kind::End)
      return failAt(start,
                    "the body of kernel '" + parsed.name + "' is never closed");
    if (consumeIf("{")) {
      scopes.emplace_back();
      scopes.back().parent = scope;
      scope = scopes.size() - 1;
    } else if (consumeIf("}")) {
      if (!scopes[scope].parent)
        break;
      scope = *scopes[scope].parent;
    } else if (auto error = parseStatement()) {
      return error;
    }
  }
  return resolveLabels();
}

llvm::Error PTXParser::parseStatement() {
  if (consumeIf(";"))
    return llvm::Error::success();
  if (token.is("@"))
    return parseInstruction();
  if (token.kind != PTXToken::Kind::Word)
    return fail("expected an instruction, found '" + token.text + "'");
  if (token.text.starts_with("."))
    return parseDirective();
  if (token.text.starts_with("$") || token.text.starts_with("_") ||
      !token.text.contains('.')) {
    // A label or an opcode without modifiers: the next token tells.
    PTXLexer ahead = lexer;
    if (ahead.next().is(":")) {
      PTXToken label = token;
      advance();
      advance();
      return defineLabel(label.text, label.line);
    }
  }
  return parseInstruction();
}

llvm::Error PTXParser::parseDirective() {
  if (token.is(".loc"))
    return parseLoc();
  if (consumeIf(".reg"))
    return parseRegisters();
  if (consumeIf(".pragma"))
    return parsePragma();
  if (token.is(".branchtargets"))
    return fail("'.branchtargets' needs a label before it");
  std::optional<PTXSpace> space;
  if (token.is(".local"))
    space = PTXSpace::Local;
  else if (token.is(".shared"))
    space = PTXSpace::Shared;
  if (!space)
    return fail("unknown directive '" + token.text + "' in a kernel");
  advance();
  auto variable = parseVariable(*space, false);
  if (!variable)
    return variable.takeError();
  if (*space == PTXSpace::Shared) {
    kernel->shared.push_back(std::move(*variable));
  } else {
    variable->offset = llvm::alignTo(kernel->localBytes, variable->align);
    kernel->localBytes = variable->offset + variable->bytes;
    if (kernel->localBytes > mostLocalBytes)
      return fail("a thread has at most " + llvm::Twine(mostLocalBytes) +
                  " bytes of local memory, '" + variable->name +
                  "' would end at " + llvm::Twine(kernel->localBytes));
    kernel->locals.push_back(std::move(*variable));
  }
  return expect(";");
}

llvm::Error PTXParser::parseRegisters() {
  auto type = token.text.starts_with(".")
                  ? parsePTXType(token.text.drop_front())
                  : std::nullopt;
  if (!type)
    return fail("unknown register type '" + token.text + "'");
  advance();
  Scope &current = scopes[scope];
  do {
    if (token.kind != PTXToken::Kind::Word)
      return fail("expected a register name, found '" + token.text + "'");
    llvm::StringRef base = token.text;
    advance();
    unsigned first = kernel->registers.size();
    if (!consumeIf("<")) {
      current.registers[base] = first;
      kernel->registers.push_back({base, 0, *type});
      continue;
    }
    auto count = parseInteger();
    if (!count)
      return count.takeError();
    constexpr uint64_t mostRegisters = 1 << 20;
    if (first > mostRegisters || *count > mostRegisters - first)
      return fail("more registers than this device can hold");
    current.ranges[base] = {first, unsigned(*count)};
    for (unsigned number = 0; number < *count; ++number)
      kernel->registers.push_back({base, number, *type});
    if (auto error = expect(">"))
      return error;
  } while (consumeIf(","));
  return expect(";");
}

std::optional<unsigned> PTXParser::findRegister(llvm::StringRef text) const {
  llvm::StringRef base = text.rtrim("0123456789");
  unsigned number = 0;
  bool numbered = base.size() < text.size() &&
                  !text.drop_front(base.size()).getAsInteger(10, number);
  for (std::optional<unsigned> s = scope; s; s = scopes[*s].parent) {
    const Scope &current = scopes[*s];
    if (auto it = current.registers.find(text); it != current.registers.end())
      return it->second;
    // `%rd1` may belong to `%rd<2>`; digits of the base itself are tried too.
    for (llvm::StringRef prefix = base; numbered;
         prefix = text.take_front(prefix.size() + 1)) {
      if (prefix.size() >= text.size())
        break;
      auto it = current.ranges.find(prefix);
      unsigned index;
      if (it != current.ranges.end() &&
          !text.drop_front(prefix.size()).getAsInteger(10, index) &&
          index < it->second.second)
        return it->second.first + index;
    }
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Labels
//===----------------------------------------------------------------------===//

llvm::Error PTXParser::defineLabel(llvm::StringRef label, unsigned line) {
  if (token.is(".branchtargets")) {
    scopes[scope].tables[label] = kernel->branchTables.size();
    kernel->branchTables.emplace_back();
    return parseBranchTargets();
  }
  if (token.is(".callprototype") || token.is(".calltargets"))
    return fail("indirect calls are not supported");
  if (!scopes[scope]
           .labels.try_emplace(label, kernel->instructions.size())
           .second)
    return failAt(line, "label '" + label + "' is defined twice");
  return llvm::Error::success();
}

llvm::Error PTXParser::parseBranchTargets() {
  advance();
  TableUse use{unsigned(kernel->branchTables.size() - 1), {}, scope};
  do {
    use.labels.push_back(token);
    advance();
  } while (consumeIf(","));
  tableUses.push_back(std::move(use));
  return expect(";");
}

std::optional<unsigned> PTXParser::findLabel(llvm::StringRef label,
                                             unsigned from) const {
  for (std::optional<unsigned> s = from; s; s = scopes[*s].parent) {
    auto it = scopes[*s].labels.find(label);
    if (it != scopes[*s].labels.end())
      return it->second;
  }
  return std::nullopt;
}

llvm::Error PTXParser::resolveLabels() {
  for (const TableUse &use : tableUses) {
    for (const PTXToken &label : use.labels) {
      auto target = findLabel(label.text, use.scope);
      if (!target)
        return failAt(label.line, "unknown label '" + label.text + "'");
      kernel->branchTables[use.table].push_back(*target);
    }
  }
  for (const LabelUse &use : labelUses) {
    PTXInstruction &instruction = kernel->instructions[use.instruction];
    PTXOperand &operand = instruction.operands[use.operand];
    std::optional<unsigned> target;
    if (instruction.opcode == "brx") {
      for (std::optional<unsigned> s = use.scope; s && !target;
           s = scopes[*s].parent)
        if (auto it = scopes[*s].tables.find(operand.name);
            it != scopes[*s].tables.end())
          target = it->second;
    } else {
      target = findLabel(operand.name, use.scope);
    }
    if (!target)
      return failAt(instruction.line, "unknown label '" + operand.name + "'");
    operand.kind = PTXOperand::Kind::Label;
    operand.index = *target;
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

llvm::Error PTXParser::parseOpcode(PTXInstruction &instruction) {
  if (token.kind != PTXToken::Kind::Word || token.text.starts_with("%"))
    return fail("expected an instruction, found '" + token.text + "'");
  llvm::SmallVector<llvm::StringRef> parts;
  token.text.split(parts, '.');
  instruction.opcode = parts.front();
  instruction.modifiers.append(parts.begin() + 1, parts.end());
  advance();
  return llvm::Error::success();
}

/// Pragmas are hints, but for those that say what is not used of a load.
llvm::Error PTXParser::parsePragma() {
  if (token.kind != PTXToken::Kind::String)
    return fail("expected a string after '.pragma', found '" + token.text +
                "'");
  llvm::StringRef text = token.text;
  if (text.consume_front("used_bytes_mask") &&
      text.trim().getAsInteger(0, usedBytes))
    return fail("expected an integer after 'used_bytes_mask', found '" + text +
                "'");
  advance();
  return expect(";");
}

llvm::Error PTXParser::parseInstruction() {
  PTXInstruction instruction;
  instruction.usedBytes = std::exchange(usedBytes, ~0u);
  if (consumeIf("@")) {
    instruction.guardNegated = consumeIf("!");
    instruction.guard = findRegister(token.text);
    if (!instruction.guard ||
        kernel->registers[*instruction.guard].type != PTXType::Pred)
      return fail("expected a predicate register, found '" + token.text + "'");
    advance();
  }
  instruction.line = token.line;
  instruction.loc = loc;
  if (auto error = parseOpcode(instruction))
    return error;
  bool branch = instruction.opcode == "bra" || instruction.opcode == "brx";
  while (!token.is(";")) {
    if (!instruction.operands.empty())
      if (auto error = expect(","))
        return error;
    auto operand = parseOperand();
    if (!operand)
      return operand.takeError();
    // Of brx.idx the second operand names a table.
    bool isTarget = branch && (instruction.opcode == "bra" ||
                               instruction.operands.size() == 1);
    if (isTarget && operand->kind == PTXOperand::Kind::Symbol)
      labelUses.push_back({unsigned(kernel->instructions.size()),
                           unsigned(instruction.operands.size()), scope});
    instruction.operands.push_back(std::move(*operand));
  }
  advance();
  kernel->instructions.push_back(std::move(instruction));
  return llvm::Error::success();
}

llvm::Expected<PTXOperand> PTXParser::parseVector() {
  PTXOperand result;
  result.kind = PTXOperand::Kind::Vector;
  advance();
  do {
    auto element = parseOperand();
    if (!element)
      return element.takeError();
    result.elements.push_back(std::move(*element));
  } while (consumeIf(","));
  if (auto error = expect("}"))
    return std::move(error);
  return result;
}

/// `[base]`, `[base+offset]`, `[offset]`; TMA's `[base, {coordinates}]`.
llvm::Expected<PTXOperand> PTXParser::parseAddress() {
  PTXOperand result;
  advance();
  if (token.kind == PTXToken::Kind::Word) {
    auto base = parseOperand();
    if (!base)
      return base.takeError();
    result.baseIsRegister = base->isRegister();
    result.index = base->index;
    result.name = base->name;
    result.offset = base->offset;
    if (result.baseIsRegister && consumeIf("+")) {
      auto offset = parseInteger();
      if (!offset)
        return offset.takeError();
      result.offset = *offset;
    } else if (result.baseIsRegister && token.is("-")) {
      auto offset = parseInteger();
      if (!offset)
        return offset.takeError();
      result.offset = *offset;
    }
  } else {
    auto offset = parseInteger();
    if (!offset)
      return offset.takeError();
    result.offset = *offset;
  }
  while (consumeIf(",")) {
    auto element = parseOperand();
    if (!element)
      return element.takeError();
    result.elements.push_back(std::move(*element));
  }
  result.kind = PTXOperand::Kind::Address;
  if (auto error = expect("]"))
    return std::move(error);
  return result;
}

llvm::Expected<PTXOperand> PTXParser::parseOperand() {
  // Coordinates in an address are the deepest there is.
  constexpr unsigned mostDepth = 4;
  llvm::SaveAndRestore depth(operandDepth, operandDepth + 1);
  if (operandDepth > mostDepth)
    return fail("operands nest deeper than PTX allows");
  PTXOperand result;
  if (token.is("["))
    return parseAddress();
  if (token.is("{"))
    return parseVector();
  if (token.is("-") || token.is("+") || token.kind == PTXToken::Kind::Number)
    return parseNumber();
  if (consumeIf("!"))
    result.negated = true;
  if (token.kind != PTXToken::Kind::Word)
    return fail("expected an operand, found '" + token.text + "'");
  result.name = token.text;
  if (token.text == "_") {
    result.kind = PTXOperand::Kind::Sink;
  } else if (auto reg = findRegister(token.text)) {
    result.kind = PTXOperand::Kind::Register;
    result.index = *reg;
  } else if (token.text == "WARP_SZ") {
    result.kind = PTXOperand::Kind::Immediate;
    result.bits = 32;
  } else {
    result.kind = PTXOperand::Kind::Symbol;
  }
  advance();
  if (result.kind == PTXOperand::Kind::Symbol &&
      (token.is("+") || token.is("-"))) {
    bool minus = token.is("-");
    if (!minus)
      advance();
    auto offset = parseInteger();
    if (!offset)
      return offset.takeError();
    result.offset = *offset;
  }
  if (consumeIf("|")) {
    auto second = parseOperand();
    if (!second)
      return second.takeError();
    result.elements.push_back(std::move(*second));
  }
  return result;
}
