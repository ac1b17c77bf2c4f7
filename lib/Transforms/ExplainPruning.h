//===- ExplainPruning.h - Remarks about graphs in a file --------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The option explain-pruning: reads graphs from a file, and says of each which
// check of the search drops it. See Prism/Search/ExplainPruning.h.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_TRANSFORMS_EXPLAINPRUNING_H
#define PRISM_LIB_TRANSFORMS_EXPLAINPRUNING_H

#include "Prism/Search/ExplainPruning.h"

namespace prism {

/// Emits one remark, at its place in the file, for each candidate in the file
/// at `path` of the program of the same name; or, if the file has one program
/// only and that has the same type, of that. `program` has the candidates that
/// were `generated`. Fails, with an error, if the file cannot be read or does
/// not belong to the program.
llvm::LogicalResult explainPruning(ProgramOp program,
                                   const GenerateResult &generated,
                                   ExplainOptions options,
                                   llvm::StringRef path);

} // namespace prism

#endif // PRISM_LIB_TRANSFORMS_EXPLAINPRUNING_H
