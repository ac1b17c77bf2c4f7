//===- PTXParser.cpp - Declarations of PTX text ---------------------------===//
//
// Module directives, variables with initializers, kernels' heads. What is not
// needed to execute a kernel (debug sections, performance hints) is skipped;
// anything unknown is an error with its line.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PTXParser.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>

using namespace prism;

/// The newest PTX version whose text this parser was written for.
static constexpr unsigned newestMajor = 9, newestMinor = 1;

/// What a kernel may be given since CUDA 12.1.
static constexpr uint64_t mostParameterBytes = 32764;

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

bool PTXParser::consumeIf(llvm::StringRef spelling) {
  if (!token.is(spelling))
    return false;
  advance();
  return true;
}

llvm::Error PTXParser::expect(llvm::StringRef spelling) {
  if (consumeIf(spelling))
    return llvm::Error::success();
  if (token.kind == PTXToken::Kind::End)
    return fail("expected '" + spelling + "' but the text ends here");
  return fail("expected '" + spelling + "', found '" + token.text + "'");
}

llvm::Error PTXParser::failAt(unsigned line, const llvm::Twine &message) const {
  return llvm::createStringError(llvm::Twine(name) + ":" + llvm::Twine(line) +
                                 ": error: " + message);
}

llvm::Expected<uint64_t> PTXParser::parseInteger() {
  auto number = parseNumber();
  if (!number)
    return number.takeError();
  if (number->number != PTXOperand::Number::Integer)
    return fail("expected an integer");
  return number->bits;
}

/// Integers in the bases of C with an optional U, 0fXXXXXXXX, 0dX..., decimal
/// floating point (a double).
llvm::Expected<PTXOperand> PTXParser::parseNumber() {
  bool negative = consumeIf("-");
  if (!negative)
    consumeIf("+");
  if (token.kind != PTXToken::Kind::Number)
    return fail("expected a number, found '" + token.text + "'");
  PTXOperand result;
  result.kind = PTXOperand::Kind::Immediate;
  llvm::StringRef text = token.text;
  llvm::StringRef prefix = text.take_front(2);
  if (prefix.equals_insensitive("0f") || prefix.equals_insensitive("0d")) {
    bool single = prefix.equals_insensitive("0f");
    if (text.drop_front(2).getAsInteger(16, result.bits) ||
        text.size() != (single ? 10u : 18u))
      return fail("malformed floating-point literal '" + text + "'");
    result.number =
        single ? PTXOperand::Number::Single : PTXOperand::Number::Double;
    if (negative)
      result.bits ^= single ? 0x80000000u : uint64_t(1) << 63;
  } else if (text.contains('.') ||
             (!text.starts_with_insensitive("0x") && text.contains('e'))) {
    double value;
    if (text.getAsDouble(value))
      return fail("malformed floating-point literal '" + text + "'");
    result.number = PTXOperand::Number::Double;
    result.bits = llvm::bit_cast<uint64_t>(negative ? -value : value);
  } else {
    llvm::StringRef digits = text;
    if (!digits.consume_back("U"))
      digits.consume_back("u");
    if (digits.getAsInteger(0, result.bits))
      return fail("malformed or too large integer '" + text + "'");
    if (negative)
      result.bits = -result.bits;
  }
  advance();
  return result;
}

void PTXParser::skipLine() {
  unsigned line = token.line;
  while (token.kind != PTXToken::Kind::End && token.line == line)
    advance();
}

llvm::Error PTXParser::skipBraces() {
  unsigned start = token.line, depth = 0;
  do {
    if (token.kind == PTXToken::Kind::End)
      return failAt(start, "this '{' is never closed");
    depth += token.is("{");
    depth -= token.is("}");
    advance();
  } while (depth);
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Module
//===----------------------------------------------------------------------===//

llvm::Error PTXParser::parseVersion() {
  if (auto error = expect(".version"))
    return error;
  auto [major, minor] = token.text.split('.');
  if (major.getAsInteger(10, module.versionMajor) ||
      minor.getAsInteger(10, module.versionMinor))
    return fail("malformed PTX version '" + token.text + "'");
  if (std::make_pair(module.versionMajor, module.versionMinor) >
      std::make_pair(newestMajor, newestMinor))
    return fail("PTX version " + token.text + " is newer than " +
                llvm::Twine(newestMajor) + "." + llvm::Twine(newestMinor) +
                ", the newest this device executes");
  advance();
  return llvm::Error::success();
}

llvm::Error PTXParser::parseModule() {
  if (auto error = parseVersion())
    return error;
  if (auto error = expect(".target"))
    return error;
  if (!token.text.starts_with("sm_"))
    return fail("expected a target such as sm_80, found '" + token.text + "'");
  module.target = token.text;
  advance();
  while (consumeIf(","))
    advance();
  if (consumeIf(".address_size")) {
    if (!token.is("64"))
      return fail("expected an address size of 64, found " + token.text);
    advance();
  }
  while (token.kind != PTXToken::Kind::End)
    if (auto error = parseTopLevel())
      return error;
  return llvm::Error::success();
}

llvm::Error PTXParser::parseTopLevel() {
  bool isExtern = false;
  while (token.is(".visible") || token.is(".extern") || token.is(".weak") ||
         token.is(".common")) {
    isExtern |= token.is(".extern");
    advance();
  }
  if (token.is(".file"))
    return parseFile();
  if (token.is(".loc"))
    return parseLoc();
  if (consumeIf(".section")) {
    advance();
    return skipBraces();
  }
  if (consumeIf(".pragma")) {
    advance();
    return expect(";");
  }
  if (consumeIf(".entry"))
    return parseEntry();
  if (consumeIf(".func"))
    return parseFunction();
  std::optional<PTXSpace> space;
  if (token.is(".global"))
    space = PTXSpace::Global;
  else if (token.is(".const"))
    space = PTXSpace::Const;
  else if (token.is(".shared"))
    space = PTXSpace::Shared;
  if (!space)
    return fail("unknown directive '" + token.text + "'");
  advance();
  while (true) {
    auto variable = parseVariable(*space, isExtern);
    if (!variable)
      return variable.takeError();
    module.variables.push_back(std::move(*variable));
    return expect(";");
  }
}

/// `.func` is read over; a kernel that calls one is refused at the call.
llvm::Error PTXParser::parseFunction() {
  while (!token.is("{") && !token.is(";")) {
    if (token.kind == PTXToken::Kind::End)
      return fail("unfinished function");
    advance();
  }
  return consumeIf(";") ? llvm::Error::success() : skipBraces();
}

llvm::Error PTXParser::parseFile() {
  advance();
  auto number = parseInteger();
  if (!number)
    return number.takeError();
  if (token.kind != PTXToken::Kind::String)
    return fail("expected a file name in quotes");
  constexpr unsigned mostFiles = 1 << 16;
  if (*number >= mostFiles)
    return fail("file number " + llvm::Twine(*number) + " is too large");
  if (module.files.size() <= *number)
    module.files.resize(*number + 1);
  module.files[*number] = token.text;
  skipLine();
  return llvm::Error::success();
}

/// `.loc FILE LINE COLUMN[, function_name ...]`, ended by the line.
llvm::Error PTXParser::parseLoc() {
  advance();
  auto file = parseInteger();
  if (!file)
    return file.takeError();
  auto line = parseInteger();
  if (!line)
    return line.takeError();
  module.locations.push_back({unsigned(*file), unsigned(*line)});
  loc = module.locations.size() - 1;
  skipLine();
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

static std::optional<PTXSpace> parseSpaceName(llvm::StringRef text) {
  if (text == ".global")
    return PTXSpace::Global;
  if (text == ".shared")
    return PTXSpace::Shared;
  if (text == ".const")
    return PTXSpace::Const;
  if (text == ".local")
    return PTXSpace::Local;
  return std::nullopt;
}

/// `[.align N] .TYPE [.ptr [.SPACE] [.align N]] name[N]... [= init]`.
llvm::Expected<PTXVariable> PTXParser::parseVariable(PTXSpace space,
                                                     bool isExtern) {
  PTXVariable result;
  result.space = space;
  result.isExtern = isExtern;
  result.line = token.line;
  std::optional<unsigned> align;
  std::optional<PTXType> type;
  unsigned vector = 1;
  while (token.kind == PTXToken::Kind::Word && token.text.starts_with(".")) {
    if (consumeIf(".align")) {
      auto value = parseInteger();
      if (!value)
        return value.takeError();
      if (!llvm::isPowerOf2_64(*value) || *value > 65536)
        return fail("alignment " + llvm::Twine(*value) +
                    " is not a power of two up to 65536");
      (result.isPointer ? result.pointerAlign : align.emplace()) = *value;
    } else if (consumeIf(".ptr")) {
      result.isPointer = true;
    } else if (consumeIf(".v2")) {
      vector = 2;
    } else if (consumeIf(".v4")) {
      vector = 4;
    } else if (auto pointed = parseSpaceName(token.text);
               pointed && result.isPointer) {
      result.pointerSpace = *pointed;
      advance();
    } else if (token.is(".attribute")) {
      return fail("variable attributes are not supported");
    } else {
      type = parsePTXType(token.text.drop_front());
      if (!type)
        return fail("unknown type or attribute '" + token.text + "'");
      advance();
    }
  }
  if (!type)
    return fail("expected a type before '" + token.text + "'");
  if (token.kind != PTXToken::Kind::Word)
    return fail("expected a name, found '" + token.text + "'");
  result.type = *type;
  result.name = token.text;
  advance();
  unsigned elementBytes = getPTXTypeSize(*type) * vector;
  result.align = align.value_or(std::max(1u, elementBytes));
  uint64_t count = 1;
  while (consumeIf("[")) {
    if (consumeIf("]")) {
      count = 0;
      continue;
    }
    auto extent = parseInteger();
    if (!extent)
      return extent.takeError();
    constexpr uint64_t mostElements = uint64_t(1) << 32;
    if (*extent && count > mostElements / *extent)
      return fail("array '" + result.name + "' is too large");
    count *= *extent;
    if (auto error = expect("]"))
      return error;
  }
  result.bytes = count * elementBytes;
  if (consumeIf("="))
    if (auto error = parseInitializer(result))
      return error;
  return result;
}

llvm::Error PTXParser::parseInitializer(PTXVariable &variable) {
  uint64_t offset = 0;
  if (!token.is("{"))
    return parseInitializerElement(variable, offset);
  unsigned depth = 0;
  do {
    if (consumeIf("{")) {
      ++depth;
    } else if (consumeIf("}")) {
      --depth;
    } else if (!consumeIf(",")) {
      if (auto error = parseInitializerElement(variable, offset))
        return error;
    }
  } while (depth);
  return llvm::Error::success();
}

llvm::Error PTXParser::parseInitializerElement(PTXVariable &variable,
                                               uint64_t &offset) {
  unsigned size = getPTXTypeSize(variable.type);
  uint64_t bits = 0;
  if (token.kind == PTXToken::Kind::Word) {
    bool generic = consumeIf("generic");
    if (generic)
      if (auto error = expect("("))
        return error;
    PTXVariable::Relocation relocation{offset, token.text, 0};
    advance();
    if (generic)
      if (auto error = expect(")"))
        return error;
    if (consumeIf("+")) {
      auto addend = parseInteger();
      if (!addend)
        return addend.takeError();
      relocation.addend = *addend;
    }
    if (size != 8)
      return fail("an address needs a 64-bit element");
    variable.relocations.push_back(relocation);
  } else {
    auto number = parseNumber();
    if (!number)
      return number.takeError();
    bits = number->bits;
    if (variable.type == PTXType::F32 &&
        number->number == PTXOperand::Number::Double)
      bits = llvm::bit_cast<uint32_t>(float(llvm::bit_cast<double>(bits)));
  }
  if (variable.bytes && offset + size > variable.bytes)
    return fail("too many initial values for '" + variable.name + "'");
  variable.initializer.resize(offset + size);
  std::memcpy(variable.initializer.data() + offset, &bits, size);
  offset += size;
  variable.bytes = std::max(variable.bytes, offset);
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

llvm::Expected<std::array<uint32_t, 3>> PTXParser::parseDims() {
  std::array<uint32_t, 3> dims = {1, 1, 1};
  unsigned count = 0;
  do {
    auto value = parseInteger();
    if (!value)
      return value.takeError();
    if (count == 3)
      return fail("expected at most three extents");
    dims[count++] = *value;
  } while (consumeIf(","));
  return dims;
}

llvm::Error PTXParser::parseParameters(PTXKernel &kernel) {
  if (!consumeIf("(") || consumeIf(")"))
    return llvm::Error::success();
  do {
    if (auto error = expect(".param"))
      return error;
    auto parameter = parseVariable(PTXSpace::Param, false);
    if (!parameter)
      return parameter.takeError();
    parameter->offset = llvm::alignTo(kernel.parameterBytes, parameter->align);
    kernel.parameterBytes = parameter->offset + parameter->bytes;
    if (kernel.parameterBytes > mostParameterBytes)
      return fail("a kernel has at most " + llvm::Twine(mostParameterBytes) +
                  " bytes of parameters, '" + parameter->name +
                  "' would end at " + llvm::Twine(kernel.parameterBytes));
    kernel.parameters.push_back(std::move(*parameter));
  } while (consumeIf(","));
  return expect(")");
}

llvm::Error PTXParser::parsePerformanceDirectives(PTXKernel &kernel) {
  while (!token.is("{") && !token.is(";")) {
    llvm::StringRef directive = token.text;
    unsigned line = token.line;
    advance();
    if (directive == ".reqntid" || directive == ".maxntid") {
      auto dims = parseDims();
      if (!dims)
        return dims.takeError();
      (directive == ".reqntid" ? kernel.reqntid : kernel.maxntid) = *dims;
    } else if (directive == ".minnctapersm" || directive == ".maxnreg" ||
               directive == ".maxnctapersm") {
      if (auto value = parseInteger(); !value)
        return value.takeError();
    } else if (directive == ".explicitcluster") {
      continue;
    } else if (directive == ".reqnctapercluster" ||
               directive == ".maxclusterrank") {
      auto dims = parseDims();
      if (!dims)
        return dims.takeError();
      if (directive == ".reqnctapercluster" &&
          *dims != std::array<uint32_t, 3>{1, 1, 1})
        return failAt(line,
                      "clusters of more than one block are not supported");
    } else if (directive == ".pragma") {
      advance();
      if (auto error = expect(";"))
        return error;
    } else if (directive != ".noreturn") {
      return failAt(line, "unknown kernel directive '" + directive + "'");
    }
  }
  return llvm::Error::success();
}

llvm::Error PTXParser::parseEntry() {
  PTXKernel result;
  if (token.kind != PTXToken::Kind::Word)
    return fail("expected a kernel name, found '" + token.text + "'");
  result.name = token.text;
  result.line = token.line;
  if (module.findKernel(result.name))
    return fail("kernel '" + result.name + "' is defined twice");
  advance();
  if (auto error = parseParameters(result))
    return error;
  if (auto error = parsePerformanceDirectives(result))
    return error;
  if (consumeIf(";"))
    return llvm::Error::success();
  if (auto error = parseBody(result))
    return error;
  module.kernels.push_back(std::move(result));
  return llvm::Error::success();
}

llvm::Expected<PTXModule> prism::parsePTX(llvm::StringRef text,
                                          llvm::StringRef name) {
  PTXModule module;
  module.text = llvm::MemoryBuffer::getMemBufferCopy(text, name);
  PTXParser parser(module, name);
  if (auto error = parser.parseModule())
    return std::move(error);
  return std::move(module);
}
