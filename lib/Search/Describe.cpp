//===- Describe.cpp - Candidates in one line ------------------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value is printed as the expression that computes it; values used twice are
// printed twice, which the bound on a graph's ops keeps short.
//
//===----------------------------------------------------------------------===//

#include "Prism/Search/Describe.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace prism;

namespace {

class KernelPrinter {
public:
  KernelPrinter(KernelOp kernel, llvm::raw_ostream &os)
      : kernel(kernel), os(os) {}

  void print() {
    printDims(ParallelKind::Grid, "grid");
    printDims(ParallelKind::Loop, "loop");
    llvm::interleaveComma(kernel.getYield().getValues(), os, [&](Value value) {
      auto save = value.getDefiningOp<SaveOp>();
      printValue(save.getTile());
      os << " -> ";
      printMap(save.getMap().getValue());
      if (!save.getPartials().empty())
        os << " by "
           << llvm::join(save.getPartials().getAsValueRange<StringAttr>(), ",");
    });
  }

private:
  void printDims(ParallelKind kind, StringRef word) {
    bool any = false;
    for (ParallelDimAttr dim : kernel.getParallelDims()) {
      if (dim.getKind() != kind)
        continue;
      os << (any ? "," : (word + " ").str()) << dim.getName();
      any = true;
    }
    if (any)
      os << "; ";
  }

  /// [x,i], nothing where a dim is not split.
  void printMap(const Mapping &mapping) {
    os << '[';
    llvm::interleave(
        mapping, os,
        [&](const auto &splits) { llvm::interleave(splits, os, "/"); }, ",");
    os << ']';
  }

  void printValue(Value value) {
    Operation *op = value.getDefiningOp();
    if (auto cast = dyn_cast<CastOp>(op))
      return printValue(cast.getInput());
    if (auto load = dyn_cast<LoadOp>(op)) {
      printSource(load.getSource());
      return printMap(load.getMap().getValue());
    }
    if (auto constant = dyn_cast<ConstantOp>(op))
      return printConstant(constant.getValue());
    if (auto accumulate = dyn_cast<AccumulateOp>(op))
      os << getAccumulatorName(accumulate.getKind());
    else
      os << op->getName().stripDialect();
    os << '(';
    llvm::interleaveComma(op->getOperands(), os,
                          [&](Value operand) { printValue(operand); });
    os << ')';
  }

  static StringRef getAccumulatorName(AccumulatorKind kind) {
    switch (kind) {
    case AccumulatorKind::Sum:
      return "acc";
    case AccumulatorKind::Max:
      return "accmax";
    case AccumulatorKind::RescaledSum:
      return "rescaled";
    }
    llvm_unreachable("unknown accumulator");
  }

  void printSource(Value source) {
    os << getTensorName(
        kernel.getInputs()[cast<BlockArgument>(source).getArgNumber()]);
  }

  void printConstant(Attribute value) {
    if (auto extent = dyn_cast<DimExprAttr>(value))
      os << extent.getValue().str();
    else if (auto number = dyn_cast<FloatAttr>(value))
      os << number.getValueAsDouble();
    else
      os << value;
  }

  KernelOp kernel;
  llvm::raw_ostream &os;
};

} // namespace

std::string prism::getTensorName(Value tensor) {
  if (auto argument = dyn_cast<BlockArgument>(tensor))
    return "a" + std::to_string(argument.getArgNumber());
  if (auto kernel = tensor.getDefiningOp<KernelOp>())
    return (kernel.getGraphName() + "." +
            Twine(cast<OpResult>(tensor).getResultNumber()))
        .str();
  std::string text = tensor.getDefiningOp()->getName().stripDialect().str();
  if (tensor.getDefiningOp()->getNumOperands() == 0)
    llvm::raw_string_ostream(text)
        << ' ' << tensor.getDefiningOp()->getAttrDictionary();
  text += '(';
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(tensor.getDefiningOp()->getOperands(), os,
                        [&](Value operand) { os << getTensorName(operand); });
  return text + ")";
}

std::string prism::describeCandidate(CandidateOp candidate) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(
      candidate.getBodyBlock().getOps<KernelOp>(), os,
      [&](KernelOp kernel) { KernelPrinter(kernel, os).print(); }, " | ");
  return text;
}
