//===- Resources.h - What no tile extents make fit --------------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A mapped kernel whose least shared memory over all tile extents exceeds the
// target's is dropped before it is proved. The memory is that of the plan that
// lowering follows (Plan/KernelPlan.h), which grows with every tile extent.
//
// Worked example: attention without a loop over the keys holds all of them: at
// 8192 keys of 128 f16 elements 2 MiB, whatever is split over the grid.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_SEARCH_RESOURCES_H
#define PRISM_SEARCH_RESOURCES_H

#include "Prism/Dialect/PrismDialect.h"
#include "Prism/Plan/Target.h"

namespace prism {

/// Why no tile extents make the candidate fit `target`; empty if some may.
/// Extents of the program that are not known may be as small as 1.
std::string findExceededResource(CandidateOp candidate, const Target &target);

} // namespace prism

#endif // PRISM_SEARCH_RESOURCES_H
