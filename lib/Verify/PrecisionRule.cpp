//===- PrecisionRule.cpp - Where candidates may round ---------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PrecisionRule.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace prism;

/// Bits of the significand; i1 is exact.
static unsigned getMantissa(Type type) {
  auto element = dyn_cast<FloatType>(getElementType(type));
  return element ? element.getFPMantissaWidth() : ~0u;
}

namespace {
/// The narrowest types of a program.
struct ProgramWidths {
  unsigned computed = 24;    ///< results of ops, casts apart
  unsigned contracted = ~0u; ///< operands of contractions
};
} // namespace

/// Moving data rounds nothing.
static bool onlyMoves(Operation *op) {
  return isa<TransposeOp, BroadcastOp, SliceOp, ConcatOp, ReshapeOp>(op);
}

static ProgramWidths getWidths(ProgramOp program) {
  ProgramWidths widths;
  for (Operation &op : program.getBodyBlock()) {
    if (!isa<ComputeOpInterface>(op) || isa<CastOp>(op) || onlyMoves(&op))
      continue;
    widths.computed =
        std::min(widths.computed, getMantissa(op.getResult(0).getType()));
    if (isa<MatmulOp>(op))
      for (Type type : op.getOperandTypes())
        widths.contracted = std::min(widths.contracted, getMantissa(type));
  }
  return widths;
}

static std::string describe(Operation *op, const Twine &what) {
  std::string text;
  llvm::raw_string_ostream(text) << "'" << op->getName() << "' " << what;
  return text;
}

/// What a narrowing cast's result may be used for.
static std::optional<std::string> checkUses(CastOp cast,
                                            const ProgramWidths &widths) {
  unsigned mantissa = getMantissa(cast.getType());
  for (Operation *user : cast->getUsers()) {
    if (isa<MatmulOp>(user)) {
      if (mantissa < widths.contracted)
        return describe(cast, "rounds the operand of a contraction below what "
                              "the program's contractions read");
      continue;
    }
    auto save = dyn_cast<SaveOp>(user);
    if (isa<YieldOp>(user) || (save && save.getPartials().empty()))
      continue;
    return describe(cast, "rounds a value that is computed with");
  }
  return std::nullopt;
}

/// Whether everything that reads `value` is a contraction, a loader for one
/// or the candidate's yield.
static bool feedsContractionsOnly(Value value) {
  return llvm::all_of(value.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto graph = dyn_cast<GraphOpInterface>(user))
      return feedsContractionsOnly(
          graph->getRegion(0).front().getArgument(use.getOperandNumber()));
    if (isa<LoadOp>(user))
      return feedsContractionsOnly(user->getResult(0));
    return isa<MatmulOp, YieldOp>(user);
  });
}

/// A tensor that a later kernel computes with must not have been rounded below
/// what the program computes in.
static std::optional<std::string>
checkIntermediate(KernelOp kernel, const ProgramWidths &widths) {
  for (Value result : kernel.getResults()) {
    unsigned mantissa = getMantissa(result.getType());
    bool isRead = llvm::any_of(
        result.getUsers(), [](Operation *user) { return !isa<YieldOp>(user); });
    if (isRead && mantissa < widths.computed &&
        (mantissa < widths.contracted || !feedsContractionsOnly(result)))
      return describe(kernel, "stores a rounded value that a later kernel "
                              "computes with");
  }
  return std::nullopt;
}

std::optional<std::string> prism::findPrecisionViolation(ProgramOp program,
                                                         CandidateOp candidate,
                                                         Precision precision) {
  ProgramWidths widths = getWidths(program);
  std::optional<std::string> found;
  candidate->walk([&](Operation *op) {
    if (found)
      return;
    // Under strict precision the terms say where values are rounded.
    bool mayMove = precision == Precision::Relaxed;
    if (auto cast = dyn_cast<CastOp>(op)) {
      if (mayMove && cast.isNarrowing())
        found = checkUses(cast, widths);
    } else if (auto kernel = dyn_cast<KernelOp>(op)) {
      if (mayMove)
        found = checkIntermediate(kernel, widths);
    } else if (isa<ComputeOpInterface, AccumulateOp>(op) && !onlyMoves(op) &&
               getMantissa(op->getResult(0).getType()) < widths.computed) {
      found = describe(op, "computes in a narrower type than the program");
    }
  });
  return found;
}
