//===- Statistics.h - What passes count about a program ---------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts stand on the program as the attribute `prism.statistics`, keyed as in
// the report: {graphs_generated = 12 : i64, ..., complete = true}. Seconds
// never do: IR is the same from run to run.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_DIALECT_STATISTICS_H
#define PRISM_DIALECT_STATISTICS_H

#include "Prism/Dialect/PrismDialect.h"

namespace prism {

/// Discardable attribute of a program: a dictionary of what passes counted.
inline constexpr llvm::StringLiteral statisticsAttrName = "prism.statistics";

using StatisticCounts = llvm::ArrayRef<std::pair<llvm::StringRef, uint64_t>>;

/// Sets counts, in place of what earlier runs of the same pass left.
void recordStatistics(ProgramOp program, StatisticCounts counts);
/// Adds counts to what is there.
void addStatistics(ProgramOp program, StatisticCounts counts);
/// Records whether a stage explored all of its space; a program is complete
/// only as long as every stage was.
void recordComplete(ProgramOp program, bool complete);
/// Whether it was searched, and every stage recorded that.
bool isComplete(ProgramOp program);

} // namespace prism

#endif // PRISM_DIALECT_STATISTICS_H
