//===- WarpgroupOps.h - Issue of and waits for wgmma ------------*- C++ -*-===//
//
// What the decoded wgmma instructions call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_RUNTIME_WARPGROUPOPS_H
#define PRISM_LIB_RUNTIME_WARPGROUPOPS_H

#include "Interpreter.h"

namespace prism {

/// One warp's part in the issue of an operation; false if it is faulty, which
/// is reported.
bool issueMatrixOp(Warp &warp, const Op &op, const WarpgroupMatrixOp &what,
                   uint64_t descriptorA, uint64_t descriptorB,
                   bool accumulates);

/// Carries out the warp's operations before number `end`; false if another
/// warp of the group has yet to issue one of them.
bool waitForMatrixOps(Warp &warp, uint64_t end);

} // namespace prism

#endif // PRISM_LIB_RUNTIME_WARPGROUPOPS_H
