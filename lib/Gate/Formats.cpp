//===- Formats.cpp - Element types as the gate sees them ------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rounding works on the bits of a double, so that loops over many numbers stay
// quick; encoding is exact and needs no rounding.
//
//===----------------------------------------------------------------------===//

#include "Formats.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/ErrorHandling.h"
#include <cmath>
#include <cstring>

using namespace prism::gate;

std::optional<Format> prism::gate::getFormat(mlir::Type type) {
  if (type.isInteger(1))
    return Format::I1;
  if (type.isF16())
    return Format::F16;
  if (type.isBF16())
    return Format::BF16;
  if (type.isF32())
    return Format::F32;
  if (type.isF64())
    return Format::F64;
  return std::nullopt;
}

unsigned prism::gate::getBytes(Format format) {
  switch (format) {
  case Format::I1:
    return 1;
  case Format::F16:
  case Format::BF16:
    return 2;
  case Format::F32:
    return 4;
  case Format::F64:
    return 8;
  }
  llvm_unreachable("all formats are handled");
}

double prism::gate::getUnit(Format format) {
  switch (format) {
  case Format::I1:
    return 0;
  case Format::F16:
    return 0x1p-11;
  case Format::BF16:
    return 0x1p-8;
  case Format::F32:
    return 0x1p-24;
  case Format::F64:
    return 0x1p-53;
  }
  llvm_unreachable("all formats are handled");
}

double prism::gate::getSmallest(Format format) {
  switch (format) {
  case Format::I1:
    return 1;
  case Format::F16:
    return 0x1p-14;
  case Format::BF16:
  case Format::F32:
    return 0x1p-126;
  case Format::F64:
    return 0x1p-1022;
  }
  llvm_unreachable("all formats are handled");
}

double prism::gate::getLargest(Format format) {
  switch (format) {
  case Format::I1:
    return 1;
  case Format::F16:
    return 65504;
  case Format::BF16:
    return 0x1.fep127;
  case Format::F32:
    return 0x1.fffffep127;
  case Format::F64:
    return 0x1.fffffffffffffp1023;
  }
  llvm_unreachable("all formats are handled");
}

/// To `mantissa` bits behind the point, with `smallest` the least normal number
/// and `largest` the greatest.
static double roundBits(double value, int mantissa, double smallest,
                        double largest) {
  double magnitude = std::fabs(value);
  if (!(magnitude <= 0x1.fffffffffffffp1023)) // infinite, or no number
    return value;
  if (magnitude < smallest) {
    // The sum's last place is that of the format's subnormals.
    double shift = std::ldexp(1.5 * smallest, 52 - mantissa);
    return std::copysign((magnitude + shift) - shift, value);
  }
  int dropped = 52 - mantissa;
  uint64_t bits = llvm::bit_cast<uint64_t>(magnitude);
  bits += (uint64_t(1) << (dropped - 1)) - 1 + (bits >> dropped & 1);
  bits &= ~((uint64_t(1) << dropped) - 1);
  double rounded = llvm::bit_cast<double>(bits);
  return std::copysign(rounded > largest ? HUGE_VAL : rounded, value);
}

double prism::gate::roundTo(Format format, double value) {
  switch (format) {
  case Format::I1:
    return value != 0;
  case Format::F16:
    return roundBits(value, 10, 0x1p-14, 65504);
  case Format::BF16:
    return roundBits(value, 7, 0x1p-126, 0x1.fep127);
  case Format::F32:
    return static_cast<float>(value);
  case Format::F64:
    return value;
  }
  llvm_unreachable("all formats are handled");
}

static uint16_t encodeHalf(float value) {
  uint32_t bits = llvm::bit_cast<uint32_t>(value);
  uint16_t sign = bits >> 16 & 0x8000;
  if (std::isnan(value))
    return 0x7e00;
  if (std::isinf(value))
    return sign | 0x7c00;
  float magnitude = std::fabs(value);
  if (magnitude < 0x1p-14f)
    return sign | static_cast<uint16_t>(magnitude * 0x1p24f);
  return sign |
         static_cast<uint16_t>(((bits & 0x7fffffff) >> 13) - (112 << 10));
}

static double decodeHalf(uint16_t bits) {
  int exponent = bits >> 10 & 31;
  double mantissa = bits & 1023;
  double magnitude = exponent == 31 ? (mantissa ? NAN : HUGE_VAL)
                     : exponent == 0
                         ? mantissa * 0x1p-24
                         : std::ldexp(1024 + mantissa, exponent - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}

void prism::gate::encode(Format format, double value, char *to) {
  float single = static_cast<float>(value);
  uint16_t half = 0;
  switch (format) {
  case Format::I1:
    *to = value != 0;
    return;
  case Format::F16:
    half = encodeHalf(single);
    std::memcpy(to, &half, 2);
    return;
  case Format::BF16:
    half = std::isnan(value) ? 0x7fc0 : llvm::bit_cast<uint32_t>(single) >> 16;
    std::memcpy(to, &half, 2);
    return;
  case Format::F32:
    std::memcpy(to, &single, 4);
    return;
  case Format::F64:
    std::memcpy(to, &value, 8);
    return;
  }
}

double prism::gate::decode(Format format, const char *from) {
  uint16_t half;
  float single;
  double value;
  switch (format) {
  case Format::I1:
    return *from;
  case Format::F16:
    std::memcpy(&half, from, 2);
    return decodeHalf(half);
  case Format::BF16:
    std::memcpy(&half, from, 2);
    return llvm::bit_cast<float>(uint32_t(half) << 16);
  case Format::F32:
    std::memcpy(&single, from, 4);
    return single;
  case Format::F64:
    std::memcpy(&value, from, 8);
    return value;
  }
  llvm_unreachable("all formats are handled");
}
