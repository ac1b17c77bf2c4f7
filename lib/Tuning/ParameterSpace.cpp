//===- ParameterSpace.cpp - Tile extents of a mapped candidate -------===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prism/Tuning/ParameterSpace.h"

using namespace mlir;
using namespace prism;

/// Below this a tile is not worth a block or a step of its own, where others
/// load the same.
static constexpr int64_t smallestTile = 8;

SmallVector<int64_t> prism::getTileChoices(int64_t extent, bool small) {
  SmallVector<int64_t> choices;
  for (int64_t tile = small ? 1 : smallestTile; tile < extent; tile *= 2)
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

/// What the maps of `kernel` split by one grid dim.
namespace {
struct DimUse {
  bool splitsAllLoads = true;
  bool splitsInnermost = false; ///< small tiles would not be contiguous
};
} // namespace

static DimUse getUse(KernelOp kernel, StringRef dim) {
  auto names = [&](const auto &splits) {
    return llvm::any_of(splits,
                        [&](const Split &split) { return split.dim == dim; });
  };
  DimUse use;
  for (Operation &op : kernel.getBodyBlock()) {
    auto map = op.getAttrOfType<MapAttr>("map");
    if (!map)
      continue;
    const Mapping &mapping = map.getValue();
    if (isa<LoadOp>(op))
      use.splitsAllLoads &= llvm::any_of(mapping, names);
    use.splitsInnermost |= !mapping.empty() && names(mapping.back());
  }
  return use;
}

/// The tile extents to try for `dim`, which splits `extent` elements.
static SmallVector<int64_t> getChoicesOf(KernelOp kernel, ParallelDimAttr dim,
                                         int64_t extent) {
  DimUse use = getUse(kernel, dim.getName());
  bool maybeSmall = dim.getKind() == ParallelKind::Grid && !use.splitsInnermost;
  return prism::getTileChoices(
      extent, maybeSmall && (use.splitsAllLoads || extent < smallestTile));
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
    choices.push_back(getChoicesOf(kernel, dim, *extent));
  }
  // outerOf[i]: the dim that i is nested in, or itself.
  SmallVector<size_t> outerOf;
  for (size_t inner = 0; inner < dims.size(); ++inner) {
    outerOf.push_back(inner);
    for (size_t outer = 0; outer < dims.size(); ++outer)
      if (isNestedIn(kernel, dims[inner].getName(), dims[outer].getName()))
        outerOf.back() = outer;
  }

  uint64_t visited = 0;
  SmallVector<size_t> index(dims.size(), 0);
  while (visited < limit) {
    TileSizes tiles;
    for (auto [list, i] : llvm::zip(choices, index))
      tiles.push_back(list[i]);
    bool divides = llvm::all_of(llvm::enumerate(outerOf), [&](auto pair) {
      return tiles[pair.value()] % tiles[pair.index()] == 0;
    });
    if (divides) {
      visit(tiles);
      ++visited;
    }
    // The next point, last dim fastest.
    size_t dim = dims.size();
    while (dim > 0 && ++index[dim - 1] == choices[dim - 1].size())
      index[--dim] = 0;
    if (dim == 0)
      break;
  }
  return visited;
}

void prism::setTileSizes(KernelOp kernel, const TileSizes &tiles) {
  SmallVector<Attribute> dims;
  for (auto [dim, tile] : llvm::zip_equal(kernel.getParallelDims(), tiles))
    dims.push_back(ParallelDimAttr::get(kernel.getContext(), dim.getName(),
                                        dim.getKind(), tile));
  kernel.setParallelAttr(ArrayAttr::get(kernel.getContext(), dims));
}
