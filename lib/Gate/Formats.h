//===- Formats.h - Element types as the gate sees them -*- C++ -* ---------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers are doubles that are rounded to the format of an element type where a
// program stores them, and encoded where a kernel reads them.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_GATE_FORMATS_H
#define PRISM_LIB_GATE_FORMATS_H

#include "mlir/IR/Types.h"
#include <optional>

namespace prism::gate {

enum class Format { I1, F16, BF16, F32, F64 };

/// None for types that are no element types of prism.
std::optional<Format> getFormat(mlir::Type elementType);
/// Bytes of an element in a kernel's memory.
unsigned getBytes(Format format);
/// Half the distance from 1 to the next number; 0 for i1.
double getUnit(Format format);
/// The smallest normal number.
double getSmallest(Format format);
/// The largest finite number.
double getLargest(Format format);
/// The nearest number, ties to even; infinite beyond the largest.
double roundTo(Format format, double value);
/// Writes `value`, which is a number of the format.
void encode(Format format, double value, char *to);
double decode(Format format, const char *from);

} // namespace prism::gate

#endif // PRISM_LIB_GATE_FORMATS_H
