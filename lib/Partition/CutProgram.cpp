//===- CutProgram.cpp - Parts of a program as programs --------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Partition/CutProgram.h"
#include "Prism/Partition/ExtentConstants.h"
#include "Prism/Partition/RegionExtents.h"
#include "Prism/Tuning/AssumedExtents.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace prism;

static std::optional<int64_t> getSymbolValue(ProgramOp program,
                                             StringRef name) {
  ExtentSymbolAttr symbol = program.lookupExtent(name);
  return symbol ? symbol.getValue() : std::nullopt;
}

static std::optional<int64_t> evaluate(ProgramOp program,
                                       const DimExpr &extent) {
  return extent.evaluate(
      [&](StringRef name) { return getSymbolValue(program, name); },
      [](StringRef) { return std::optional<int64_t>(); });
}

/// Turns a constant that is an extent into its number: which of the part's
/// extents it is, nameExtentConstants finds. False if it is dynamic.
static bool makeNumber(ConstantOp constant, ProgramOp program) {
  auto extent = dyn_cast<DimExprAttr>(constant.getValue());
  if (!extent)
    return true;
  std::optional<int64_t> number = evaluate(program, extent.getValue());
  if (!number)
    return false;
  Type type = prism::getElementType(constant.getType());
  if (isa<FloatType>(type))
    constant.setValueAttr(FloatAttr::get(type, static_cast<double>(*number)));
  else
    constant.setValueAttr(IntegerAttr::get(type, *number));
  return true;
}

OwningOpRef<ProgramOp> prism::buildPart(const PartGraph &graph,
                                        const NodeSet &part, StringRef name) {
  ProgramOp whole = graph.getProgram();
  SmallVector<Operation *> ops = graph.getOps(part);
  SmallVector<Value> inputs = graph.getInputs(ops);
  SmallVector<Value> results = graph.getResults(part);

  RegionExtents extents(
      [whole](StringRef name) { return getSymbolValue(whole, name); });
  for (Value input : inputs)
    extents.addValue(input);
  for (Operation *op : ops)
    extents.addOp(cast<ComputeOpInterface>(op));
  std::string reason;
  if (failed(extents.assign(reason)))
    return {};

  auto typesOf = [&](ArrayRef<Value> values) {
    return llvm::map_to_vector(
        values, [&](Value value) -> Type { return extents.getType(value); });
  };
  OpBuilder builder(whole.getContext());
  OwningOpRef<ProgramOp> program = ProgramOp::create(
      builder, results.front().getLoc(), name, extents.getSymbols(),
      builder.getFunctionType(typesOf(inputs), typesOf(results)));
  program->setSymVisibility("private");
  if (Attribute assumed = whole->getAttr(assumedExtentsAttrName))
    program->getOperation()->setAttr(assumedExtentsAttrName, assumed);
  program->setAllowsTF32(whole.allowsTF32());
  builder.setInsertionPointToEnd(&program->getBodyBlock());
  IRMapping values;
  values.map(inputs, program->getBody().getArguments());
  for (Operation *op : ops) {
    Operation *copy = builder.clone(*op, values);
    copy->getResult(0).setType(extents.getType(op->getResult(0)));
    if (auto constant = dyn_cast<ConstantOp>(copy))
      if (!makeNumber(constant, whole))
        return {};
  }
  YieldOp::create(builder, whole.getLoc(),
                  llvm::map_to_vector(results, [&](Value value) {
                    return values.lookup(value);
                  }));
  nameExtentConstants(*program);
  return program;
}

std::string prism::getStructure(ProgramOp program) {
  std::string text;
  llvm::raw_string_ostream os(text);
  OwningOpRef<ProgramOp> anonymous = program.clone();
  anonymous->setSymName("_");
  anonymous->print(os, OpPrintingFlags().useLocalScope());
  return text;
}

RankedTensorType prism::getBuiltinType(ProgramOp program, Type type) {
  SmallVector<int64_t> shape =
      llvm::map_to_vector(prism::getExtents(type), [&](const DimExpr &extent) {
        return evaluate(program, extent).value_or(ShapedType::kDynamic);
      });
  return RankedTensorType::get(shape, prism::getElementType(type));
}

void prism::replaceInvoke(InvokeOp invoke, const PartGraph &graph,
                          ArrayRef<PlacedPart> parts) {
  ProgramOp whole = graph.getProgram();
  OpBuilder builder(invoke);
  IRMapping values;
  values.map(whole.getBody().getArguments(), invoke.getArguments());
  for (const PlacedPart &part : parts) {
    SmallVector<Value> operands =
        llvm::map_to_vector(graph.getInputs(graph.getOps(part.nodes)),
                            [&](Value input) { return values.lookup(input); });
    SmallVector<Value> results = graph.getResults(part.nodes);
    SmallVector<Type> types =
        llvm::map_to_vector(results, [&](Value result) -> Type {
          return getBuiltinType(whole, result.getType());
        });
    auto call = InvokeOp::create(builder, results.back().getLoc(), types,
                                 part.program.getValue(), operands);
    values.map(results, call.getResults());
  }
  SmallVector<Value> replacements;
  for (auto [yielded, result] :
       llvm::zip_equal(whole.getYield().getValues(), invoke.getResults())) {
    Value value = values.lookup(yielded);
    if (value.getType() != result.getType())
      value = tensor::CastOp::create(builder, invoke.getLoc(), result.getType(),
                                     value);
    replacements.push_back(value);
  }
  invoke->replaceAllUsesWith(replacements);
  invoke->erase();
}
