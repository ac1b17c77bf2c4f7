//===- InstructionTypes.cpp - The types an instruction may name -----------===//
//
// After the PTX ISA, section 9.7: an opcode with a type that it does not have
// is no instruction, however sensible it looks. Opcodes that are not listed
// check their types themselves (mma, wgmma, loads and stores).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <initializer_list>

using namespace prism;

/// One bit per type.
static constexpr uint32_t bits(std::initializer_list<PTXType> types) {
  uint32_t result = 0;
  for (PTXType type : types)
    result |= uint32_t(1) << unsigned(type);
  return result;
}

using T = PTXType;
static constexpr uint32_t signedIntegers = bits({T::S16, T::S32, T::S64});
static constexpr uint32_t integers =
    signedIntegers | bits({T::U16, T::U32, T::U64});
static constexpr uint32_t integers32 = bits({T::U32, T::S32});
static constexpr uint32_t integers32And64 =
    bits({T::U32, T::S32, T::U64, T::S64});
static constexpr uint32_t bytes = bits({T::U8, T::S8});
static constexpr uint32_t untyped = bits({T::B16, T::B32, T::B64});
static constexpr uint32_t untyped32And64 = bits({T::B32, T::B64});
static constexpr uint32_t narrowFloats =
    bits({T::F16, T::F16x2, T::BF16, T::BF16x2});
static constexpr uint32_t wideFloats = bits({T::F32, T::F64});
static constexpr uint32_t floats = narrowFloats | wideFloats;
static constexpr uint32_t packedFloats = bits({T::F32x2}); // sm_100 and later

static uint32_t typesOf(llvm::StringRef opcode) {
  return llvm::StringSwitch<uint32_t>(opcode)
      .Cases({"add", "sub", "mul"}, integers | floats | packedFloats)
      .Cases({"min", "max"}, integers | floats)
      .Cases({"abs", "neg"}, signedIntegers | floats)
      .Case("mad", integers | wideFloats)
      .Case("div", integers | wideFloats)
      .Cases({"rem", "sad"}, integers)
      .Cases({"mul24", "mad24", "dp4a"}, integers32)
      .Cases({"addc", "subc"}, integers32And64)
      .Case("fma", floats | packedFloats)
      .Cases({"rcp", "sqrt", "rsqrt", "copysign", "testp"}, wideFloats)
      .Cases({"ex2", "tanh"}, narrowFloats | bits({T::F32}))
      .Cases({"lg2", "sin", "cos"}, bits({T::F32}))
      .Cases({"and", "or", "xor", "not"}, untyped | bits({T::Pred}))
      .Cases({"cnot", "shl"}, untyped)
      .Case("shr", untyped | integers)
      .Cases({"shf", "prmt", "lop3", "shfl", "activemask"}, bits({T::B32}))
      .Cases({"popc", "clz", "brev", "bfi", "match"}, untyped32And64)
      .Cases({"bfind", "bfe"}, integers32And64)
      .Cases({"setp", "selp", "slct"}, untyped | integers | floats)
      .Case("set", untyped | integers | floats)
      .Case("cvt", bytes | integers | floats | bits({T::TF32}))
      .Cases({"cvta", "mapa"}, bits({T::U32, T::U64}))
      .Case("vote", bits({T::Pred, T::B32}))
      .Case("redux", integers32 | bits({T::B32}))
      .Cases({"bar", "barrier"}, bits({T::Pred, T::U32}))
      .Cases({"atom", "red"}, untyped | integers32And64 | floats)
      .Default(~uint32_t(0));
}

bool prism::takesType(llvm::StringRef opcode, PTXType type) {
  return typesOf(opcode) & bits({type});
}
