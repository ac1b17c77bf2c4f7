//===- AssumedExtents.cpp - What dynamic extents are costed at ------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Tuning/AssumedExtents.h"

using namespace mlir;
using namespace prism;

static constexpr int64_t defaults[] = {1, 8, 64, 512};

bool prism::hasDynamicExtents(ProgramOp program) {
  return llvm::any_of(
      program.getExtents().getAsRange<ExtentSymbolAttr>(),
      [](ExtentSymbolAttr symbol) { return !symbol.getValue(); });
}

ArrayRef<int64_t> prism::getAssumedExtents(Operation *op) {
  auto program = dyn_cast<ProgramOp>(op);
  if (!program)
    program = op->getParentOfType<ProgramOp>();
  auto values =
      program
          ? program->getAttrOfType<DenseI64ArrayAttr>(assumedExtentsAttrName)
          : DenseI64ArrayAttr();
  return values && !values.empty() ? values.asArrayRef() : ArrayRef(defaults);
}

void prism::setAssumedExtents(ProgramOp program, ArrayRef<int64_t> values) {
  if (values.empty()) {
    program->removeAttr(assumedExtentsAttrName);
    return;
  }
  SmallVector<int64_t> sorted(values);
  llvm::sort(sorted);
  program->setAttr(assumedExtentsAttrName,
                   DenseI64ArrayAttr::get(program.getContext(), sorted));
}

LogicalResult prism::checkAssumedExtents(Location loc,
                                         ArrayRef<int64_t> values) {
  for (int64_t value : values)
    if (value < 1 || value > INT32_MAX)
      return emitError(loc) << "option 'assumed-extents' has " << value
                            << ", expected 1 to " << INT32_MAX;
  return success();
}

std::optional<double> prism::getMeanEstimate(
    ProgramOp program,
    function_ref<std::optional<double>(SymbolValueFn)> estimate) {
  ArrayRef<int64_t> assumed = getAssumedExtents(program);
  if (!hasDynamicExtents(program))
    assumed = assumed.take_front();
  double sum = 0;
  for (int64_t value : assumed) {
    std::optional<double> one =
        estimate([&](StringRef name) -> std::optional<int64_t> {
          ExtentSymbolAttr symbol = program.lookupExtent(name);
          if (!symbol)
            return std::nullopt;
          return symbol.getValue().value_or(value);
        });
    if (!one)
      return std::nullopt;
    sum += *one;
  }
  return sum / static_cast<double>(assumed.size());
}
