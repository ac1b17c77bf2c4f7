//===- Device.cpp - The interface of a device that runs kernels -----------===//
//
// Findings as text and as an error.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Runtime/Device.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

using namespace prism;

char FindingsError::ID = 0;

Device::~Device() = default;

uint64_t Device::countUnwrittenBytes(DevicePtr) const { return 0; }

llvm::Expected<KernelArgument> Device::makeTensorMap(const TensorMap &) {
  return llvm::createStringError("this device has no tensor maps");
}

llvm::Expected<double> Device::time(llvm::ArrayRef<LaunchRequest>, unsigned) {
  return llvm::createStringError(
      "this device has no clock worth reading; time on a GPU (cuda)");
}

llvm::StringRef prism::stringifyFindingKind(FindingKind kind) {
  switch (kind) {
  case FindingKind::OutOfBounds:
    return "out-of-bounds access";
  case FindingKind::Misaligned:
    return "misaligned access";
  case FindingKind::Uninitialized:
    return "uninitialized read";
  case FindingKind::AsyncInFlight:
    return "asynchronous operation in flight";
  case FindingKind::Race:
    return "data race";
  case FindingKind::DivergentBarrier:
    return "divergent barrier";
  case FindingKind::DivergentWarp:
    return "divergent warp";
  case FindingKind::Deadlock:
    return "deadlock";
  case FindingKind::StepLimit:
    return "step limit";
  case FindingKind::ReadOnly:
    return "write to read-only memory";
  case FindingKind::Trap:
    return "trap";
  case FindingKind::MbarrierMisuse:
    return "misused mbarrier";
  case FindingKind::MissingFence:
    return "missing fence";
  case FindingKind::InvalidDescriptor:
    return "invalid descriptor";
  case FindingKind::WrongSwizzle:
    return "wrong swizzle";
  }
  llvm_unreachable("all kinds are handled above");
}

static llvm::raw_ostream &print(llvm::raw_ostream &os, const Dim3 &at) {
  return os << '(' << at[0] << ',' << at[1] << ',' << at[2] << ')';
}

std::string KernelPlace::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "kernel " << kernel << ", block ";
  print(os, block) << ", thread ";
  print(os, thread) << ", PTX line " << line;
  if (!sourceFile.empty())
    os << " (" << sourceFile << ':' << sourceLine << ')';
  return text;
}

std::string Finding::str() const {
  return (KernelPlace::str() + ": " + stringifyFindingKind(kind) + ": " +
          message)
      .str();
}

void FindingsError::log(llvm::raw_ostream &os) const {
  for (size_t i = 0; i < findings.size(); ++i)
    os << (i ? "\n" : "") << findings[i].str();
}

std::error_code FindingsError::convertToErrorCode() const {
  return llvm::inconvertibleErrorCode();
}
