//===- ExtentConstants.cpp - Numbers that are extents ---------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Partition/ExtentConstants.h"

using namespace mlir;
using namespace prism;

namespace {
class ExtentNaming {
public:
  explicit ExtentNaming(ProgramOp program)
      : program(program), builder(program.getContext()) {}

  void visit(ConstantOp constant);

private:
  std::optional<int64_t> evaluate(const DimExpr &extent);
  DimExpr findSummedExtent(Value sum, double count);
  bool nameCount(OpOperand &use, Value sum, double count);
  bool nameReciprocal(OpOperand &use, Value sum, double factor);
  void visitFactor(OpOperand &use, double count);
  Value buildExtent(OpOperand &use, const DimExpr &extent);

  ProgramOp program;
  OpBuilder builder;
};
} // namespace

std::optional<int64_t> ExtentNaming::evaluate(const DimExpr &extent) {
  return extent.evaluate(
      [&](StringRef name) -> std::optional<int64_t> {
        ExtentSymbolAttr symbol = program.lookupExtent(name);
        return symbol ? symbol.getValue() : std::nullopt;
      },
      [](StringRef) -> std::optional<int64_t> { return std::nullopt; });
}

/// The extents over which `sum` sums, if they are `count` in all. Looks
/// through what keeps a sum a sum: ops that are linear in their one operand.
DimExpr ExtentNaming::findSummedExtent(Value sum, double count) {
  DimExpr total = DimExpr::constant(1);
  while (auto op = sum.getDefiningOp<ComputeOpInterface>()) {
    IterationStructure structure = op.getIterationStructure();
    SmallVector<DimExpr> extents = getIterationExtents(
        structure, op->getOperandTypes(), op->getResult(0).getType());
    bool isSum = false;
    for (auto [kind, extent] : llvm::zip(structure.dims, extents))
      if (kind == IterationKind::Sum) {
        total = total * extent;
        isSum = true;
      }
    std::optional<int64_t> value = evaluate(total);
    if (isSum && value && static_cast<double>(*value) == count)
      return total;
    bool isLinear =
        op->getNumOperands() == 1 && !structure.linearGroups.empty();
    if (!isLinear)
      return DimExpr();
    sum = op->getOperand(0);
  }
  return DimExpr();
}

/// A constant in front of `use`'s owner, of the element type that it reads.
Value ExtentNaming::buildExtent(OpOperand &use, const DimExpr &extent) {
  builder.setInsertionPoint(use.getOwner());
  return ConstantOp::create(builder, use.getOwner()->getLoc(),
                            use.get().getType(),
                            DimExprAttr::get(builder.getContext(), extent));
}

/// `use` reads a divisor of `sum`.
bool ExtentNaming::nameCount(OpOperand &use, Value sum, double count) {
  DimExpr extent = findSummedExtent(sum, count);
  if (extent.isUnknown())
    return false;
  use.set(buildExtent(use, extent));
  return true;
}

/// `use` reads a factor of `sum`: 1/N as the element type rounds it.
bool ExtentNaming::nameReciprocal(OpOperand &use, Value sum, double factor) {
  double count = std::round(1.0 / factor);
  const llvm::fltSemantics &semantics =
      cast<FloatType>(prism::getElementType(use.get().getType()))
          .getFloatSemantics();
  APFloat reciprocal(1.0), divisor(count), have(factor);
  bool losesInfo;
  for (APFloat *number : {&reciprocal, &divisor, &have})
    number->convert(semantics, APFloat::rmNearestTiesToEven, &losesInfo);
  reciprocal.divide(divisor, APFloat::rmNearestTiesToEven);
  if (!reciprocal.bitwiseIsEqual(have))
    return false;
  DimExpr extent = findSummedExtent(sum, count);
  if (extent.isUnknown())
    return false;
  Value divisorValue = buildExtent(use, extent);
  use.set(ReciprocalOp::create(builder, use.getOwner()->getLoc(),
                               use.get().getType(), divisorValue));
  return true;
}

void ExtentNaming::visit(ConstantOp constant) {
  auto number = dyn_cast<FloatAttr>(constant.getValue());
  if (!number || number.getValueAsDouble() <= 0)
    return;
  double value = number.getValueAsDouble();
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : constant.getResult().getUses())
    uses.push_back(&use);
  for (OpOperand *use : uses) {
    Operation *user = use->getOwner();
    if (isa<DivOp>(user) && use->getOperandNumber() == 1) {
      nameCount(*use, user->getOperand(0), value);
    } else if (isa<MulOp>(user)) {
      Value other = user->getOperand(1 - use->getOperandNumber());
      if (other != constant.getResult())
        nameReciprocal(*use, other, value);
    } else if (isa<ReciprocalOp>(user)) {
      for (OpOperand &factor : user->getResult(0).getUses())
        if (isa<MulOp>(factor.getOwner()) &&
            nameCount(
                *use,
                factor.getOwner()->getOperand(1 - factor.getOperandNumber()),
                value))
          break;
    }
  }
}

void prism::nameExtentConstants(ProgramOp program) {
  ExtentNaming naming(program);
  for (ConstantOp constant :
       llvm::to_vector(program.getBodyBlock().getOps<ConstantOp>()))
    naming.visit(constant);
}
