//===- ExtentConstants.h - Numbers that are extents -------------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_PARTITION_EXTENTCONSTANTS_H
#define PRISM_PARTITION_EXTENTCONSTANTS_H

#include "Prism/Dialect/PrismDialect.h"

namespace prism {

/// A mean divides a sum by the number of its terms, which importers write as a
/// number. In the body of `program`, a constant N that divides a sum over N
/// terms, or whose reciprocal multiplies one, becomes the extent of the summed
/// dims, so that the program stays right at other extents. What is computed at
/// the declared extents stays the same, bit for bit.
void nameExtentConstants(ProgramOp program);

} // namespace prism

#endif // PRISM_PARTITION_EXTENTCONSTANTS_H
