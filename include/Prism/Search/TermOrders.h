//===- TermOrders.h - Long sums in the program's order ----------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// n terms can be added up in (2n - 3)!! orders: 105 for 5 terms, 654,729,075
// for 11. All of them have one normal form. So the oracle keeps one order of
// long sums and products, that of the program.
//
// Worked example, at most 2 terms: a class with (a + b) + c, a + (b + c) and
// (a + c) + b, of which the program has the first, keeps the first; a + b is
// short, and b * (c + d) in the same class is no sum: both stay.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_SEARCH_TERMORDERS_H
#define PRISM_SEARCH_TERMORDERS_H

#include "Prism/Search/Oracle.h"

namespace prism {

/// Of each class that is a sum of more than `maxTerms` different terms, as many
/// factors, or as many operands of another op that commutes, keeps one such
/// node: that of `program`, or else the first. Other nodes stay. 0: no limit.
void limitTermOrders(Oracle &oracle, ProgramOp program, unsigned maxTerms);

} // namespace prism

#endif // PRISM_SEARCH_TERMORDERS_H
