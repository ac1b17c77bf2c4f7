//===- IterationStructure.h - How compute ops index their data --*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The declared iteration structure of a compute op (DESIGN: axioms by schema),
// from which shape matching, axioms, tiling and lowering are all derived.
//
// Worked example: matmul of [m, k] and [k, n] has the iteration dims
// d0 = m (parallel), d1 = n (parallel), d2 = k (sum), the operand maps
// [[d0], [d2]] and [[d2], [d1]], the result map [[d0], [d1]], and the linear
// groups {0} and {1}: linear in either operand while the other is fixed.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_DIALECT_ITERATIONSTRUCTURE_H
#define PRISM_DIALECT_ITERATIONSTRUCTURE_H

#include "Prism/Symbolic/Mapping.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

namespace prism {

/// The trait of ops on two operands that may be exchanged, together with their
/// indexing maps.
template <typename ConcreteOp>
class Commutes : public mlir::OpTrait::TraitBase<ConcreteOp, Commutes> {};

/// What may happen to an iteration dim.
enum class IterationKind {
  Parallel, ///< it may be split; the parts are put side by side (S1)
  Sum,      ///< it may be split; the parts are added (S2)
  Max,      ///< it may be split; the maximum of the parts is taken
  Whole     ///< it is never split
};

/// Per data dim the iteration dims that index it, outermost first. Several
/// stand for a merged dim, whose extent is their product; none for extent 1.
using IndexMap = llvm::SmallVector<llvm::SmallVector<unsigned, 1>>;

struct IterationStructure {
  llvm::SmallVector<IterationKind> dims;
  llvm::SmallVector<IndexMap> operandMaps;
  IndexMap resultMap;
  /// Groups of operands in which the op is jointly linear while the others are
  /// fixed, e.g. {{0, 1}} for add, {{0}, {1}} for matmul (S4).
  llvm::SmallVector<llvm::SmallVector<unsigned>> linearGroups;

  unsigned addDim(IterationKind kind) {
    dims.push_back(kind);
    return dims.size() - 1;
  }
  /// Whether `map` carries the iteration dim `dim`.
  static bool carries(const IndexMap &map, unsigned dim);
};

/// Whether `type` is a tensor or tile that compute ops take: a ranked builtin
/// tensor, !prism.tensor or !prism.tile of f16, bf16, f32, f64 or i1.
bool isComputeType(mlir::Type type);
/// The extents of a compute type; unknown (`?`) where a builtin tensor is
/// dynamic, constants where it is static.
llvm::SmallVector<DimExpr> getExtents(mlir::Type type);
mlir::Type getElementType(mlir::Type type);
inline unsigned getRank(mlir::Type type) { return getExtents(type).size(); }
/// A type of the same level (builtin tensor, tensor or tile) as `type`.
/// Builtin tensors get a dynamic dim where the extent is no constant.
mlir::Type cloneWith(mlir::Type type, llvm::ArrayRef<DimExpr> extents,
                     mlir::Type elementType);

/// The extents of each iteration dim, read where it stands alone; `resultType`
/// (may be null) supplies those that no operand has. Unknown where nothing
/// does. The first known extent in operand order is taken; nothing is checked.
llvm::SmallVector<DimExpr>
getIterationExtents(const IterationStructure &structure,
                    mlir::TypeRange operandTypes, mlir::Type resultType = {});
/// The extents that `map` gives to data over these iteration extents.
llvm::SmallVector<DimExpr>
getDataExtents(const IndexMap &map, llvm::ArrayRef<DimExpr> iterationExtents);

/// Builds the compute op `prototype` again on other operands, perhaps at
/// another level: same name and attributes, the result type inferred from its
/// iteration structure. Element types of the result are kept, unless
/// `elementType` is given.
mlir::Operation *rebuildComputeOp(mlir::OpBuilder &builder,
                                  mlir::Operation *prototype,
                                  mlir::ValueRange operands,
                                  mlir::Type elementType = {});

/// An indexing map as an affine projected permutation, where it is one.
mlir::AffineMap toAffineMap(const IndexMap &map, unsigned numDims,
                            mlir::MLIRContext *context);

namespace detail {

IterationStructure getUnaryStructure(mlir::Operation *op, bool isLinear);
IterationStructure
getMappedStructure(mlir::Operation *op,
                   llvm::ArrayRef<llvm::SmallVector<unsigned>> linearGroups);
inline IterationStructure
getMappedStructure(mlir::Operation *op,
                   std::initializer_list<llvm::SmallVector<unsigned>> groups) {
  return getMappedStructure(
      op, llvm::ArrayRef<llvm::SmallVector<unsigned>>(groups));
}
IterationStructure getContractionStructure(mlir::Operation *op);
IterationStructure getReductionStructure(mlir::Operation *op,
                                         llvm::ArrayRef<int64_t> dims,
                                         IterationKind kind);
IterationStructure getTransposeStructure(mlir::Operation *op);
IterationStructure getBroadcastStructure(mlir::Operation *op);
IterationStructure getSliceStructure(mlir::Operation *op, int64_t dim);
IterationStructure getConcatStructure(mlir::Operation *op, int64_t dim);
IterationStructure getReshapeStructure(mlir::Operation *op);
IterationStructure getNormalizingStructure(mlir::Operation *op, int64_t dim);

/// The identity for each operand and the result, in the result's rank.
llvm::SmallVector<mlir::AffineMap>
getDefaultElementwiseMaps(mlir::Operation *op);
llvm::SmallVector<mlir::AffineMap> getElementwiseMaps(mlir::Operation *op);
/// Sets the `indexing_maps` attribute, or drops it if `maps` is the default.
void setIndexingMaps(mlir::Operation *op, llvm::ArrayRef<mlir::AffineMap> maps,
                     llvm::ArrayRef<mlir::AffineMap> defaultMaps);

llvm::LogicalResult verifyComputeOp(mlir::Operation *op);
llvm::LogicalResult verifyGraphDeclarations(mlir::Operation *op);
llvm::LogicalResult verifySameElementTypes(mlir::Operation *op);
/// The operands' element types agree, the result's is the same or wider.
llvm::LogicalResult verifyAccumulatingElementTypes(mlir::Operation *op);

} // namespace detail
} // namespace prism

#endif // PRISM_DIALECT_ITERATIONSTRUCTURE_H
