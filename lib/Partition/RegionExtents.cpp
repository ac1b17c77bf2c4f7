//===- RegionExtents.cpp - Named extents of a region -------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Partition/RegionExtents.h"

using namespace mlir;
using namespace prism;

//===----------------------------------------------------------------------===//
// Gathering
//===----------------------------------------------------------------------===//

unsigned RegionExtents::addExtent(std::optional<int64_t> value) {
  unsigned extent = extents.size();
  parent.push_back(extent);
  extents.emplace_back().value = value;
  extents.back().name = DimExpr::symbol("open" + std::to_string(extent));
  return extent;
}

unsigned RegionExtents::find(unsigned extent) {
  while (parent[extent] != extent)
    extent = parent[extent] = parent[parent[extent]];
  return extent;
}

void RegionExtents::unify(unsigned a, unsigned b) {
  a = find(a);
  b = find(b);
  if (a == b)
    return;
  if (b < a)
    std::swap(a, b);
  Extent &kept = extents[a], &dropped = extents[b];
  if (kept.value && dropped.value && *kept.value != *dropped.value)
    kept.conflict = dropped.value;
  if (!kept.value)
    kept.value = dropped.value;
  if (!kept.conflict)
    kept.conflict = dropped.conflict;
  llvm::append_range(kept.definitions, dropped.definitions);
  parent[b] = a;
}

std::optional<int64_t> RegionExtents::getValue(const DimExpr &extent) const {
  if (!symbolValues || extent.isUnknown())
    return extent.asConstant();
  return extent.evaluate(symbolValues,
                         [](StringRef) { return std::optional<int64_t>(); });
}

void RegionExtents::addValue(Value value) {
  if (!firstDim.try_emplace(value, extents.size()).second)
    return;
  values.push_back(value);
  for (const DimExpr &extent : prism::getExtents(value.getType()))
    addExtent(getValue(extent));
}

unsigned RegionExtents::dimOf(Value value, unsigned dim) {
  return firstDim.lookup(value) + dim;
}

void RegionExtents::addOp(ComputeOpInterface op) {
  IterationStructure structure = op.getIterationStructure();
  SmallVector<unsigned> iteration;
  for (unsigned dim = 0; dim < structure.dims.size(); ++dim)
    iteration.push_back(addExtent());
  auto index = [&](Value value, const IndexMap &map) {
    addValue(value);
    for (auto [dim, factors] : llvm::enumerate(map)) {
      unsigned extent = dimOf(value, dim);
      if (factors.size() == 1) {
        unify(extent, iteration[factors.front()]);
        continue;
      }
      Definition &product = extents[find(extent)].definitions.emplace_back();
      product.isProduct = true;
      for (unsigned factor : factors)
        product.parts.push_back(iteration[factor]);
    }
  };
  for (auto [operand, map] :
       llvm::zip(op->getOperands(), structure.operandMaps))
    index(operand, map);
  index(op->getResult(0), structure.resultMap);

  auto concat = dyn_cast<ConcatOp>(*op);
  if (!concat)
    return;
  Definition sum{/*isProduct=*/false, {}};
  for (Value input : concat.getInputs())
    sum.parts.push_back(dimOf(input, concat.getDim()));
  extents[find(dimOf(concat.getResult(), concat.getDim()))]
      .definitions.push_back(sum);
}

std::optional<std::pair<int64_t, int64_t>> RegionExtents::findConflict() const {
  for (auto [index, extent] : llvm::enumerate(extents))
    if (parent[index] == index && extent.conflict)
      return std::make_pair(*extent.value, *extent.conflict);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Naming
//===----------------------------------------------------------------------===//

/// Unknown where the definitions go round in a circle.
DimExpr RegionExtents::expand(unsigned extent) {
  extent = find(extent);
  const Extent &what = extents[extent];
  if (what.isNumber)
    return DimExpr::constant(*what.value);
  if (what.definitions.empty())
    return what.name;
  if (llvm::is_contained(open, extent))
    return DimExpr();
  open.push_back(extent);
  DimExpr result = expand(what.definitions.front());
  open.pop_back();
  return result;
}

DimExpr RegionExtents::expand(const Definition &definition) {
  DimExpr result = DimExpr::constant(definition.isProduct ? 1 : 0);
  for (unsigned part : definition.parts)
    result =
        definition.isProduct ? result * expand(part) : result + expand(part);
  return result;
}

LogicalResult RegionExtents::fixToNumber(unsigned extent, std::string &reason) {
  Extent &what = extents[find(extent)];
  if (what.isNumber)
    return success();
  if (!what.value) {
    reason = "a dynamic extent would have to be two different expressions";
    return failure();
  }
  what.isNumber = true;
  for (const Definition &definition : what.definitions)
    for (unsigned part : definition.parts)
      if (failed(fixToNumber(part, reason)))
        return failure();
  return success();
}

LogicalResult RegionExtents::reconcile(std::string &reason) {
  bool isChanged = true;
  while (isChanged) {
    isChanged = false;
    for (unsigned extent = 0; extent < extents.size(); ++extent) {
      const Extent &what = extents[extent];
      if (parent[extent] != extent || what.isNumber)
        continue;
      DimExpr expected = expand(extent);
      bool agrees = !expected.isUnknown() &&
                    llvm::all_of(what.definitions, [&](const Definition &d) {
                      return expand(d) == expected;
                    });
      if (agrees)
        continue;
      if (failed(fixToNumber(extent, reason)))
        return failure();
      isChanged = true;
    }
  }
  return success();
}

void RegionExtents::nameSymbols(unsigned extent, MLIRContext *context) {
  Extent &what = extents[find(extent)];
  if (what.isNumber)
    return;
  if (!what.definitions.empty()) {
    for (unsigned part : what.definitions.front().parts)
      nameSymbols(part, context);
    return;
  }
  if (!StringRef(what.name.asSymbol()).starts_with("open"))
    return;
  std::string name = "d" + std::to_string(symbols.size());
  symbols.push_back(ExtentSymbolAttr::get(context, name, what.value));
  what.name = DimExpr::symbol(name);
}

LogicalResult RegionExtents::assign(std::string &reason) {
  if (failed(reconcile(reason)))
    return failure();
  for (Value value : values)
    for (unsigned dim = 0; dim < prism::getRank(value.getType()); ++dim)
      nameSymbols(dimOf(value, dim), value.getContext());
  return success();
}

SymbolicTensorType RegionExtents::getType(Value value) {
  SmallVector<DimExpr> named;
  for (unsigned dim = 0; dim < prism::getRank(value.getType()); ++dim)
    named.push_back(expand(dimOf(value, dim)));
  return SymbolicTensorType::get(value.getContext(), named,
                                 prism::getElementType(value.getType()));
}
