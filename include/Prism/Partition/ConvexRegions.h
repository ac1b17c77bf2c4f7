//===- ConvexRegions.h - Convex regions of compute ops -------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Groups the compute ops of a block greedily into convex regions: no path
// leaves a region and comes back through anything else, another region
// included, so that each region can be replaced by one op.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_PARTITION_CONVEXREGIONS_H
#define PRISM_PARTITION_CONVEXREGIONS_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace prism {

/// The ops of a region in the order of the block.
using OpRegion = llvm::SmallVector<mlir::Operation *>;

/// Groups the ops of `block` for which `getSize` is not 0 into regions whose
/// sizes add up to `maxSize` at most; an op larger than that stands alone.
/// Connected are an op and its producer, then ops that read the same value.
/// Values for which `isShared` holds connect nothing and bind no order: each
/// region is to get its own copy.
///
/// The block's ops are reordered, as little as that takes, so that the ops of
/// each region stand together. Ops with side effects keep their order.
llvm::SmallVector<OpRegion>
formConvexRegions(mlir::Block &block, unsigned maxSize,
                  llvm::function_ref<unsigned(mlir::Operation *)> getSize,
                  llvm::function_ref<bool(mlir::Operation *)> isShared);

} // namespace prism

#endif // PRISM_PARTITION_CONVEXREGIONS_H
