//===- PTXModule.cpp - PTX text as typed data structures ------------------===//
//
// Types of PTX by name and size, and look-ups in a parsed module.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Runtime/PTXModule.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ErrorHandling.h"

using namespace prism;

std::optional<PTXType> prism::parsePTXType(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<PTXType>>(name)
      .Case("pred", PTXType::Pred)
      .Case("b8", PTXType::B8)
      .Case("b16", PTXType::B16)
      .Case("b32", PTXType::B32)
      .Case("b64", PTXType::B64)
      .Case("b128", PTXType::B128)
      .Case("u8", PTXType::U8)
      .Case("u16", PTXType::U16)
      .Case("u32", PTXType::U32)
      .Case("u64", PTXType::U64)
      .Case("s8", PTXType::S8)
      .Case("s16", PTXType::S16)
      .Case("s32", PTXType::S32)
      .Case("s64", PTXType::S64)
      .Case("f16", PTXType::F16)
      .Case("f16x2", PTXType::F16x2)
      .Case("bf16", PTXType::BF16)
      .Case("bf16x2", PTXType::BF16x2)
      .Case("tf32", PTXType::TF32)
      .Case("f32", PTXType::F32)
      .Case("f32x2", PTXType::F32x2)
      .Case("f64", PTXType::F64)
      .Default(std::nullopt);
}

unsigned prism::getPTXTypeSize(PTXType type) {
  switch (type) {
  case PTXType::Pred:
    return 0;
  case PTXType::B8:
  case PTXType::U8:
  case PTXType::S8:
    return 1;
  case PTXType::B16:
  case PTXType::U16:
  case PTXType::S16:
  case PTXType::F16:
  case PTXType::BF16:
    return 2;
  case PTXType::B32:
  case PTXType::U32:
  case PTXType::S32:
  case PTXType::F16x2:
  case PTXType::BF16x2:
  case PTXType::TF32:
  case PTXType::F32:
    return 4;
  case PTXType::B64:
  case PTXType::U64:
  case PTXType::S64:
  case PTXType::F32x2:
  case PTXType::F64:
    return 8;
  case PTXType::B128:
    return 16;
  }
  llvm_unreachable("all types are handled above");
}

bool prism::isPTXSigned(PTXType type) {
  return type == PTXType::S8 || type == PTXType::S16 || type == PTXType::S32 ||
         type == PTXType::S64;
}

bool prism::isPTXFloat(PTXType type) { return type >= PTXType::F16; }

bool prism::isPTXInteger(PTXType type) {
  return type != PTXType::Pred && type != PTXType::B128 && !isPTXFloat(type);
}

const PTXKernel *PTXModule::findKernel(llvm::StringRef name) const {
  for (const PTXKernel &kernel : kernels)
    if (kernel.name == name)
      return &kernel;
  return nullptr;
}

const PTXVariable *PTXModule::findVariable(llvm::StringRef name) const {
  for (const PTXVariable &variable : variables)
    if (variable.name == name)
      return &variable;
  return nullptr;
}
