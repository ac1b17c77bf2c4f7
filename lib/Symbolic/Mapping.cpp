//===- Mapping.cpp - Maps of data dims to parallel dims -------------------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Equations (1) to (4): what a mapping may do, what tile it gives, and when
// two tile extents agree at all sizes.
//
//===----------------------------------------------------------------------===//

#include "Prism/Symbolic/Mapping.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace prism;

llvm::hash_code prism::hash_value(const Mapping &mapping) {
  llvm::hash_code code = llvm::hash_value(mapping.size());
  for (const auto &splits : mapping)
    code = llvm::hash_combine(
        code, llvm::hash_combine_range(splits.begin(), splits.end()));
  return code;
}

llvm::hash_code prism::hash_value(const MapTerm &term) {
  return llvm::hash_combine(term.isVariable, term.value);
}

std::optional<MappingViolation> prism::findMappingViolation(
    const Mapping &mapping,
    llvm::function_ref<bool(llvm::StringRef)> isGridDim) {
  llvm::StringSet<> used;
  for (auto [dataDim, splits] : llvm::enumerate(mapping)) {
    bool hasGridDim = false;
    for (const Split &split : splits) {
      if (split.variable)
        continue;
      if (!used.insert(split.dim).second)
        return MappingViolation{1, static_cast<unsigned>(dataDim), split.dim};
      if (!isGridDim(split.dim))
        continue;
      if (hasGridDim)
        return MappingViolation{2, static_cast<unsigned>(dataDim), split.dim};
      hasGridDim = true;
    }
  }
  return std::nullopt;
}

llvm::SmallVector<DimExpr>
prism::getTileExtents(llvm::ArrayRef<DimExpr> extents, const Mapping &mapping) {
  llvm::SmallVector<DimExpr> tile;
  for (auto [extent, splits] : llvm::zip_equal(extents, mapping)) {
    DimExpr result = extent;
    for (const Split &split : splits)
      result = DimExpr::quotient(result, split);
    tile.push_back(result);
  }
  return tile;
}

MapTerm MappingConstraints::lookup(MapTerm term) const {
  while (term.isVariable) {
    auto it = parent.find(term.value);
    if (it == parent.end())
      return term;
    term = it->second;
  }
  return term;
}

bool MappingConstraints::addEqual(MapTerm a, MapTerm b) {
  a = lookup(a);
  b = lookup(b);
  if (a == b)
    return true;
  if (!a.isVariable && !b.isVariable)
    return false;
  // The least variable, or the value, stands for the class.
  if (!a.isVariable || (b.isVariable && a.value < b.value))
    std::swap(a, b);
  parent.insert({a.value, b});
  return true;
}

std::optional<Split> MappingConstraints::simplify(const Split &split) const {
  if (!split.variable)
    return split;
  MapTerm term = lookup(MapTerm::variable(*split.variable));
  if (term.isVariable)
    return Split{split.dim, term.value};
  if (term.value == 0)
    return std::nullopt;
  return Split{split.dim, std::nullopt};
}

DimExpr MappingConstraints::simplify(const DimExpr &extent) const {
  return extent.replaceSplits(
      [&](const Split &split) { return simplify(split); });
}

static MapTerm getTerm(llvm::ArrayRef<Split> splits, llvm::StringRef dim) {
  for (const Split &split : splits)
    if (split.dim == dim)
      return split.variable ? MapTerm::variable(*split.variable)
                            : MapTerm::known(true);
  return MapTerm::known(false);
}

std::optional<llvm::SmallVector<std::pair<MapTerm, MapTerm>>>
prism::matchExtents(const DimExpr &a, const DimExpr &b) {
  if (a == b)
    return llvm::SmallVector<std::pair<MapTerm, MapTerm>>();
  if (a.withoutSplits() != b.withoutSplits())
    return std::nullopt;
  llvm::SmallVector<Split> splitsA, splitsB;
  a.walkSplits([&](const Split &split) { splitsA.push_back(split); });
  b.walkSplits([&](const Split &split) { splitsB.push_back(split); });

  llvm::SmallVector<llvm::StringRef> dims;
  for (const Split &split : llvm::concat<const Split>(splitsA, splitsB))
    if (!llvm::is_contained(dims, split.dim))
      dims.push_back(split.dim);

  llvm::SmallVector<std::pair<MapTerm, MapTerm>> equalities;
  for (llvm::StringRef dim : dims) {
    MapTerm termA = getTerm(splitsA, dim), termB = getTerm(splitsB, dim);
    if (termA == termB)
      continue;
    if (!termA.isVariable && !termB.isVariable)
      return std::nullopt;
    equalities.push_back({termA, termB});
  }
  return equalities;
}
