//===- ProgramReference.cpp - Programs at parts of their results ----------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Demand goes backwards through the program, values forwards.
//
//===----------------------------------------------------------------------===//

#include "References.h"

using namespace mlir;
using namespace prism;
using namespace prism::gate;

std::optional<SmallVector<int64_t>>
prism::gate::evaluateExtents(Type tensor, const SymbolValues &symbols) {
  SmallVector<int64_t> extents;
  for (const DimExpr &extent : prism::getExtents(tensor)) {
    std::optional<int64_t> value = extent.evaluate(
        [&](StringRef name) -> std::optional<int64_t> {
          auto it = symbols.find(name);
          return it == symbols.end() ? std::nullopt
                                     : std::optional<int64_t>(it->second);
        },
        [](StringRef) { return std::nullopt; });
    if (!value || *value < 0)
      return std::nullopt;
    extents.push_back(*value);
  }
  return extents;
}

ProgramReference::ProgramReference(ProgramOp program,
                                   const SymbolValues &symbols)
    : program(program), symbols(symbols) {
  SmallVector<DecomposableOpInterface> composites;
  program.getBody().walk(
      [&](DecomposableOpInterface op) { composites.push_back(op); });
  for (DecomposableOpInterface op : composites) {
    OpBuilder builder(op);
    if (Value value = op.decompose(builder)) {
      op->getResult(0).replaceAllUsesWith(value);
      op->erase();
    }
  }
  auto add = [&](Value value) {
    if (auto known = evaluateExtents(value.getType(), symbols))
      extents[value] = std::move(*known);
  };
  for (Value argument : program.getBodyBlock().getArguments())
    add(argument);
  for (Operation &op : program.getBodyBlock().without_terminator())
    add(op.getResult(0));
}

std::optional<SmallVector<ArrayRef<int64_t>>>
ProgramReference::getOperandExtents(Operation *op) {
  SmallVector<ArrayRef<int64_t>> all;
  for (Value operand : op->getOperands()) {
    auto it = extents.find(operand);
    if (it == extents.end())
      return std::nullopt;
    all.push_back(it->second);
  }
  return all;
}

std::optional<ProgramReference::Wanted>
ProgramReference::getNeeded(Wanted wanted) {
  Block &body = program.getBodyBlock();
  for (Operation &op : llvm::reverse(body.without_terminator())) {
    auto it = wanted.find(op.getResult(0));
    if (it == wanted.end())
      continue;
    auto compute = dyn_cast<ComputeOpInterface>(op);
    auto operandExtents = getOperandExtents(&op);
    Positions result = it->second;
    for (unsigned index = 0; index < op.getNumOperands(); ++index) {
      std::optional<Positions> needed;
      if (compute && operandExtents && extents.contains(op.getResult(0)))
        needed = gate::getNeeded(compute, index, *operandExtents,
                                 extents[op.getResult(0)], result);
      if (!needed) {
        unknown = op.getName().getStringRef().str();
        return std::nullopt;
      }
      Positions &known = wanted[op.getOperand(index)];
      known = unite(known, *needed);
    }
  }
  return wanted;
}

uint64_t ProgramReference::countSteps(const Wanted &needed) {
  uint64_t steps = 0;
  for (const auto &[value, positions] : needed) {
    auto op = dyn_cast_or_null<ComputeOpInterface>(value.getDefiningOp());
    if (!op)
      continue;
    if (auto operandExtents = getOperandExtents(op))
      steps += gate::countSteps(op, *operandExtents, countPoints(positions));
  }
  return steps;
}

uint64_t ProgramReference::countSteps(Value value, const Positions &positions) {
  Wanted wanted;
  wanted[value] = positions;
  return countSteps(*getNeeded(wanted));
}

/// The number that a constant stands for, or nothing.
static std::optional<double> getConstant(ConstantOp op,
                                         const SymbolValues &symbols) {
  if (auto number = dyn_cast<FloatAttr>(op.getValue()))
    return number.getValueAsDouble();
  if (auto number = dyn_cast<IntegerAttr>(op.getValue()))
    return number.getValue().getZExtValue();
  auto extent = dyn_cast<DimExprAttr>(op.getValue());
  if (!extent)
    return std::nullopt;
  auto type = SymbolicTensorType::get(op.getContext(), {extent.getValue()},
                                      prism::getElementType(op.getType()));
  auto value = evaluateExtents(type, symbols);
  return value ? std::optional<double>(value->front()) : std::nullopt;
}

namespace prism::gate {
std::optional<Numbers> evaluateConstant(ConstantOp op,
                                        const SymbolValues &symbols,
                                        Evaluation precision) {
  std::optional<double> value = getConstant(op, symbols);
  std::optional<Format> format =
      getFormat(prism::getElementType(op->getResult(0).getType()));
  if (!value || !format)
    return std::nullopt;
  Numbers numbers({}, {}, precision == Evaluation::Exact);
  // A constant of the program is what its type can hold.
  numbers.values.front() = roundTo(*format, *value);
  return numbers;
}
} // namespace prism::gate

std::optional<std::vector<Numbers>>
ProgramReference::evaluate(const Wanted &wanted, ArgumentFn getArgument,
                           Evaluation precision) {
  std::optional<Wanted> needed = getNeeded(wanted);
  if (!needed)
    return std::nullopt;
  llvm::DenseMap<Value, Numbers> numbers;
  // Uses that are left, so that numbers go when nothing needs them any more.
  llvm::DenseMap<Value, unsigned> uses;
  for (const auto &[value, positions] : *needed) {
    if (Operation *op = value.getDefiningOp())
      for (Value operand : op->getOperands())
        ++uses[operand];
    if (wanted.contains(value))
      ++uses[value];
  }
  for (BlockArgument argument : program.getBodyBlock().getArguments())
    if (needed->contains(argument))
      numbers[argument] =
          getArgument(argument.getArgNumber(), (*needed)[argument]);
  for (Operation &op : program.getBodyBlock().without_terminator()) {
    auto it = needed->find(op.getResult(0));
    if (it == needed->end())
      continue;
    std::optional<Numbers> result;
    if (auto constant = dyn_cast<ConstantOp>(op)) {
      result = evaluateConstant(constant, symbols, precision);
    } else {
      result.emplace(extents[op.getResult(0)], it->second,
                     precision == Evaluation::Exact);
      SmallVector<const Numbers *> operands;
      for (Value operand : op.getOperands())
        operands.push_back(&numbers.find(operand)->second);
      if (!evaluateOp(cast<ComputeOpInterface>(op), operands, precision,
                      *result))
        result.reset();
    }
    if (!result) {
      unknown = op.getName().getStringRef().str();
      return std::nullopt;
    }
    for (Value operand : op.getOperands())
      if (--uses[operand] == 0)
        numbers.erase(operand);
    numbers[op.getResult(0)] = std::move(*result);
  }
  std::vector<Numbers> results;
  for (const auto &[value, positions] : wanted) {
    Numbers &held = numbers.find(value)->second;
    results.push_back(std::move(held));
  }
  return results;
}
