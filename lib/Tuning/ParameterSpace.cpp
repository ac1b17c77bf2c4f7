//===- ParameterSpace.cpp - Tile extents of a mapped candidate -------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Tuning/ParameterSpace.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace prism;

/// Below this a tile is not worth a block or a step of its own.
static constexpr int64_t smallestTile = 8;

SmallVector<int64_t> prism::getTileChoices(int64_t extent) {
  SmallVector<int64_t> choices;
  for (int64_t tile = smallestTile; tile < extent; tile *= 2)
    choices.push_back(tile);
  choices.push_back(std::max<int64_t>(extent, 1));
  return choices;
}

/// Calls `visit` with every map of `kernel` and the extents that it splits.
static void
forEachMap(KernelOp kernel,
           function_ref<void(const Mapping &, ArrayRef<DimExpr>)> visit) {
  for (Operation &op : kernel.getBodyBlock()) {
    auto map = op.getAttrOfType<MapAttr>("map");
    if (!map)
      continue;
    Type whole = isa<LoadOp>(op) ? op.getOperand(0).getType()
                                 : op.getResult(0).getType();
    SmallVector<DimExpr> extents = getExtents(whole);
    // Partials are leading dims that no map speaks of.
    unsigned leading = extents.size() - map.getValue().size();
    visit(map.getValue(), ArrayRef<DimExpr>(extents).drop_front(leading));
  }
}

DimExpr prism::getSplitExtent(KernelOp kernel, StringRef dim) {
  DimExpr found;
  forEachMap(kernel, [&](const Mapping &mapping, ArrayRef<DimExpr> extents) {
    for (auto [splits, extent] : llvm::zip(mapping, extents))
      for (const Split &split : splits)
        if (split.dim == dim)
          found = extent;
  });
  return found;
}

bool prism::isNestedIn(KernelOp kernel, StringRef inner, StringRef outer) {
  bool nested = false;
  forEachMap(kernel, [&](const Mapping &mapping, ArrayRef<DimExpr>) {
    for (const auto &splits : mapping) {
      const Split *outerSplit = llvm::find_if(
          splits, [&](const Split &split) { return split.dim == outer; });
      nested |=
          llvm::any_of(llvm::make_range(outerSplit, splits.end()),
                       [&](const Split &split) { return split.dim == inner; });
    }
  });
  return nested && inner != outer;
}

/// Whether elements that lie together in memory go to different tiles.
static bool splitsLastDim(KernelOp kernel, StringRef dim) {
  bool found = false;
  forEachMap(kernel, [&](const Mapping &mapping, ArrayRef<DimExpr>) {
    found |= mapping.size() > 1 &&
             llvm::any_of(mapping.back(),
                          [&](const Split &split) { return split.dim == dim; });
  });
  return found;
}

/// A step that visits each of `total` points once before it repeats: prime to
/// it, and near its golden section, so that any few steps lie far apart.
static uint64_t getStride(uint64_t total) {
  auto stride = static_cast<uint64_t>(total * 0.6180339887498949);
  while (std::gcd(stride, total) != 1)
    ++stride;
  return stride;
}

uint64_t prism::visitTileSizes(
    KernelOp kernel, function_ref<std::optional<int64_t>(StringRef)> extentOf,
    uint64_t limit, function_ref<void(const TileSizes &)> visit) {
  SmallVector<ParallelDimAttr> dims = kernel.getParallelDims();
  SmallVector<SmallVector<int64_t>> choices;
  for (ParallelDimAttr dim : dims) {
    std::optional<int64_t> extent = extentOf(dim.getName());
    if (!extent)
      return 0;
    choices.push_back(getTileChoices(*extent));
    // Batches and heads, one a block; no step of a loop is worth so little,
    // nor are columns, which are loaded many at once.
    if (dim.getKind() == ParallelKind::Grid && *extent > 1 &&
        !splitsLastDim(kernel, dim.getName()))
      choices.back().insert(choices.back().begin(), 1);
  }
  // outerOf[i]: the dim that i is nested in, or itself.
  SmallVector<size_t> outerOf;
  for (size_t inner = 0; inner < dims.size(); ++inner) {
    outerOf.push_back(inner);
    for (size_t outer = 0; outer < dims.size(); ++outer)
      if (isNestedIn(kernel, dims[inner].getName(), dims[outer].getName()))
        outerOf.back() = outer;
  }

  uint64_t total = 1;
  for (const SmallVector<int64_t> &list : choices)
    total = llvm::SaturatingMultiply<uint64_t>(total, list.size());
  // In order if all of the space is visited; else spread evenly over it.
  uint64_t stride = total <= limit ? 1 : getStride(total);
  uint64_t visited = 0, point = 0;
  for (uint64_t tried = 0; tried < total && visited < limit; ++tried) {
    // The digits of `point`, last dim fastest.
    TileSizes tiles(dims.size());
    uint64_t rest = point;
    for (size_t dim = dims.size(); dim-- > 0;) {
      tiles[dim] = choices[dim][rest % choices[dim].size()];
      rest /= choices[dim].size();
    }
    bool divides = llvm::all_of(llvm::enumerate(outerOf), [&](auto pair) {
      return tiles[pair.value()] % tiles[pair.index()] == 0;
    });
    if (divides) {
      visit(tiles);
      ++visited;
    }
    point = (point + stride) % total;
  }
  return visited;
}

/// Gives each parallel dim of `kernel` the tile extent `tileOf` says.
static void
setTiles(KernelOp kernel,
         function_ref<std::optional<int64_t>(size_t index)> tileOf) {
  SmallVector<Attribute> dims;
  for (auto [index, dim] : llvm::enumerate(kernel.getParallelDims()))
    dims.push_back(ParallelDimAttr::get(kernel.getContext(), dim.getName(),
                                        dim.getKind(), tileOf(index)));
  kernel.setParallelAttr(ArrayAttr::get(kernel.getContext(), dims));
}

void prism::setParameters(KernelOp kernel, const KernelParameters &parameters) {
  setTiles(kernel, [&](size_t index) { return parameters.tiles[index]; });
  setSchedule(kernel, parameters.schedule);
}

void prism::clearParameters(KernelOp kernel) {
  setTiles(kernel, [](size_t) { return std::nullopt; });
  setSchedule(kernel, {});
}
