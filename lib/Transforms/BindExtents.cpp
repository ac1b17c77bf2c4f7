//===- BindExtents.cpp - Other values for the extents of programs ---------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs and candidates are over named extents, so only the declarations
// change; and what was chosen for the old values, which is forgotten.
//
//===----------------------------------------------------------------------===//

#include "Prism/Transforms/Passes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"

namespace prism {
#define GEN_PASS_DEF_PRISMBINDEXTENTS
#include "Prism/Transforms/Passes.h.inc"
} // namespace prism

using namespace mlir;
using namespace prism;

/// Names with their values; none for `?`.
using Bindings = llvm::MapVector<StringRef, std::optional<int64_t>>;

/// Makes sized candidates mapped ones again. Of those of one mapped candidate,
/// which differ in sizes only, the first stays.
static void forgetSizes(ProgramOp program) {
  llvm::StringSet<> seen;
  for (CandidateOp candidate : program.getCandidateOps()) {
    if (candidate.getState() != CandidateState::Sized)
      continue;
    StringRef id = candidate.getId().split('.').first;
    if (!seen.insert(id).second) {
      candidate.erase();
      continue;
    }
    candidate.setId(id.str());
    candidate.setState(CandidateState::Mapped);
    candidate.removeCostUsAttr();
    candidate->removeAttr("prism.roofline_us");
    candidate->removeAttr("prism.unfused_us");
    for (auto kernel : candidate.getBodyBlock().getOps<KernelOp>()) {
      SmallVector<Attribute> dims = llvm::map_to_vector(
          kernel.getParallelDims(), [](ParallelDimAttr dim) -> Attribute {
            return ParallelDimAttr::get(dim.getContext(), dim.getName(),
                                        dim.getKind(), std::nullopt);
          });
      kernel.setParallelAttr(ArrayAttr::get(kernel.getContext(), dims));
    }
  }
}

static void bindExtents(ProgramOp program, const Bindings &bindings) {
  MLIRContext *context = program.getContext();
  SmallVector<Attribute> extents;
  for (auto symbol : program.getExtents().getAsRange<ExtentSymbolAttr>()) {
    const auto *it = bindings.find(symbol.getName());
    extents.push_back(
        it == bindings.end()
            ? symbol
            : ExtentSymbolAttr::get(context, symbol.getName(), it->second));
  }
  program.setExtentsAttr(ArrayAttr::get(context, extents));
  forgetSizes(program);
}

namespace {
struct BindExtentsPass : prism::impl::PrismBindExtentsBase<BindExtentsPass> {
  using Base::Base;
  void runOnOperation() override;

private:
  FailureOr<Bindings> parseBindings();
  LogicalResult checkInvokes();
};
} // namespace

FailureOr<Bindings> BindExtentsPass::parseBindings() {
  Bindings bindings;
  for (StringRef text : extents) {
    auto [name, value] = text.split('=');
    std::optional<int64_t> number;
    if (value != "?") {
      number.emplace();
      if (value.getAsInteger(10, *number))
        return emitError(getOperation().getLoc())
               << "prism-bind-extents: extents has '" << text
               << "', expected NAME=VALUE or NAME=?";
      if (*number < 1)
        return emitError(getOperation().getLoc())
               << "prism-bind-extents: extent '" << name << "' is " << *number
               << ", expected at least 1";
    }
    if (!bindings.insert({name, number}).second)
      return emitError(getOperation().getLoc())
             << "prism-bind-extents: extent '" << name << "' is bound twice";
  }
  return bindings;
}

/// Whether invokes pass tensors whose static extents agree with the symbols'.
LogicalResult BindExtentsPass::checkInvokes() {
  SymbolTable symbols(getOperation());
  auto checkTensors = [](InvokeOp invoke, ProgramOp program, TypeRange have,
                         TypeRange want) -> LogicalResult {
    for (auto [tensor, type] : llvm::zip_equal(have, want))
      for (auto [size, extent] : llvm::zip_equal(
               cast<RankedTensorType>(tensor).getShape(), getExtents(type))) {
        std::optional<int64_t> value = extent.evaluate(
            [&](StringRef name) -> std::optional<int64_t> {
              ExtentSymbolAttr symbol = program.lookupExtent(name);
              return symbol ? symbol.getValue() : std::nullopt;
            },
            [](StringRef) { return std::nullopt; });
        if (ShapedType::isDynamic(size) || !value || *value == size)
          continue;
        return invoke.emitError()
               << "prism-bind-extents: program '" << program.getSymName()
               << "' is invoked here on " << tensor << ", where "
               << extent.str() << " is now " << *value
               << "; change the caller, or bind a copy of the program";
      }
    return success();
  };
  WalkResult result = getOperation().walk([&](InvokeOp invoke) {
    auto program = symbols.lookup<ProgramOp>(invoke.getProgram());
    if (!program ||
        failed(checkTensors(invoke, program, invoke->getOperandTypes(),
                            program.getFunctionType().getInputs())) ||
        failed(checkTensors(invoke, program, invoke->getResultTypes(),
                            program.getFunctionType().getResults())))
      return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

void BindExtentsPass::runOnOperation() {
  FailureOr<Bindings> bindings = parseBindings();
  if (failed(bindings))
    return signalPassFailure();
  SmallVector<ProgramOp> programs;
  for (auto candidate : getOperation().getOps<ProgramOp>())
    if (program.empty() || candidate.getSymName() == program)
      programs.push_back(candidate);
  for (const auto &entry : *bindings) {
    if (llvm::any_of(programs, [&](ProgramOp other) {
          return other.lookupExtent(entry.first) != nullptr;
        }))
      continue;
    emitError(getOperation().getLoc())
        << "prism-bind-extents: no program "
        << (program.empty() ? std::string() : "'" + program + "' ")
        << "declares the extent '" << entry.first << "'";
    return signalPassFailure();
  }
  for (ProgramOp one : programs)
    if (llvm::any_of(*bindings, [&](const auto &entry) {
          return one.lookupExtent(entry.first) != nullptr;
        }))
      bindExtents(one, *bindings);
  if (failed(checkInvokes()))
    signalPassFailure();
}
