//===- LinalgToPrism.h - The importer of linalg -----------------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Imports the tensor computations of one function as prism ops. Each imported
// value becomes a view: a tensor without the dims along which the value does
// not vary, and the dims that it does have. Broadcasts, permutations, fills and
// an importer's unit dims so turn into indexing maps of the ops that read them,
// and only what the rest of the function reads is spread out again.
//
// Worked example: the mean over the rows of tensor<8x4096xf32>, kept by the
// importer as tensor<8x1xf32>, is the view {base: tensor<8xf32>, dims: [0]}.
// Read through (d0, d1) -> (d0, 0) it is the view of the same base with dims
// [0], now of the iteration space, and `x / mean` is
//
//     prism.div %x, %mean maps [d0, d1], [d0] -> [d0, d1]
//
// Whether a dim is a unit dim is said by the indexing maps (a constant-0
// result, or an iteration dim that no operand carries), not by its extent: the
// unit dims of function arguments stay.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_CONVERSION_LINALGTOPRISM_H
#define PRISM_LIB_CONVERSION_LINALGTOPRISM_H

#include "Prism/Dialect/PrismDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallBitVector.h"

namespace prism {

/// Data over a space of dims: those of a tensor, or the iteration dims of a
/// linalg op. Along the dims that are not in `dims` it does not vary.
struct View {
  /// The tensor without the other dims; null where `constant` is given.
  mlir::Value base;
  /// The dim of the space that each dim of `base` is, in any order.
  llvm::SmallVector<unsigned> dims;
  /// The value of all elements, where it is known.
  mlir::TypedAttr constant;

  static View ofConstant(mlir::TypedAttr constant) {
    return {{}, {}, constant};
  }

  bool carries(unsigned dim) const { return llvm::is_contained(dims, dim); }
  mlir::Type getElementType() const;
  /// The extents of `base`.
  llvm::ArrayRef<int64_t> getShape() const;
};

/// Takes note of every op that is built.
struct CreatedOps : mlir::OpBuilder::Listener {
  void notifyOperationInserted(mlir::Operation *op,
                               mlir::OpBuilder::InsertPoint) override {
    ops.insert(op);
  }
  llvm::SetVector<mlir::Operation *> ops;
};

/// Imports one function. A `LogicalResult` of failure says that the op at hand
/// is left alone; `reason` then says why.
class LinalgImporter {
public:
  explicit LinalgImporter(mlir::FunctionOpInterface function);

  /// Builds the prism ops, hands their values to what was left alone, and
  /// erases what they replace. Remarks on each op that is left alone.
  void run();
  /// The prism ops that stand in the function after `run`.
  llvm::SmallVector<mlir::Operation *> takeComputeOps();

private:
  friend class BodyImporter;

  // --- LinalgToPrism.cpp: the function as a whole -------------------------
  void collectOps();
  void findLiveOps();
  bool isLive(mlir::Value value) const;
  void importAll();
  mlir::LogicalResult importOp(mlir::Operation *op);
  bool isLeftAloneSilently(mlir::Operation *op) const;
  /// Marks what is needed from `op` on, and makes it read imported values.
  void keep(mlir::Operation *op);
  void redirectOperands(mlir::Operation *op,
                        llvm::SmallVectorImpl<mlir::Operation *> &worklist);
  mlir::Value getWhole(mlir::Value value);
  mlir::Value getDimOfImported(mlir::tensor::DimOp op);
  void eraseReplacedOps();

  mlir::LogicalResult fail(const llvm::Twine &why) {
    reason = why.str();
    return mlir::failure();
  }

  // --- LinalgToPrismViews.cpp ---------------------------------------------
  /// Whether compute ops take `type`.
  mlir::LogicalResult checkType(mlir::Type type);
  /// What is known of a tensor: over its own dims.
  mlir::FailureOr<View> getView(mlir::Value tensor);
  /// A scalar, or a tensor of rank 0 or more, as operand of a scalar op.
  mlir::FailureOr<View> getScalar(mlir::Value value);
  /// The value of a scalar, where it can be computed now; else null.
  mlir::TypedAttr evaluateScalar(mlir::Value value, unsigned depth = 8);
  mlir::TypedAttr foldScalarOp(mlir::Operation *op,
                               llvm::ArrayRef<mlir::Attribute> operands);
  /// The data read through an indexing map, over its iteration dims.
  mlir::FailureOr<View> readThrough(View view, mlir::AffineMap map);
  mlir::FailureOr<View> dropUnitDims(View view,
                                     const llvm::SmallBitVector &baseDims);
  /// A tensor of exactly the dims `wanted`, in this order; `extents` gives
  /// those of the space. `outside`: bridge unit dims by a tensor op.
  mlir::FailureOr<mlir::Value> spread(const View &view,
                                      llvm::ArrayRef<unsigned> wanted,
                                      llvm::ArrayRef<int64_t> extents,
                                      bool outside = false);
  /// `base`, of this shape without the dims not in `standing`.
  mlir::Value createWithoutUnitDims(mlir::Value base,
                                    const llvm::SmallBitVector &standing,
                                    llvm::ArrayRef<int64_t> shape);
  mlir::Value getBase(const View &view);
  mlir::Value createConstant(mlir::TypedAttr value);
  mlir::Value createTranspose(mlir::Value value,
                              llvm::ArrayRef<int64_t> permutation);
  mlir::Value createReshape(mlir::Value value,
                            llvm::ArrayRef<llvm::SmallVector<int64_t>> from,
                            llvm::ArrayRef<llvm::SmallVector<int64_t>> to,
                            llvm::ArrayRef<int64_t> shape);
  /// An elementwise op over the dims that any operand carries.
  View createElementwise(llvm::StringRef name, llvm::ArrayRef<View> operands,
                         mlir::Type elementType,
                         llvm::ArrayRef<mlir::NamedAttribute> attributes = {});
  template <typename OpT>
  View create(llvm::ArrayRef<View> operands,
              llvm::ArrayRef<mlir::NamedAttribute> attributes = {}) {
    return createElementwise(OpT::getOperationName(), operands,
                             operands.back().getElementType(), attributes);
  }
  View number(double value, mlir::Type type);

  // --- LinalgToPrismBodies.cpp --------------------------------------------
  /// One op of arith or math, applied to scalars at each point.
  mlir::FailureOr<View> importScalarOp(mlir::Operation *op,
                                       llvm::ArrayRef<View> operands);
  View createMinMax(bool isMax, llvm::ArrayRef<View> operands);
  mlir::FailureOr<View> importPower(View base, View exponent);
  mlir::FailureOr<View> importSelect(mlir::Operation *op,
                                     llvm::ArrayRef<View> operands);
  mlir::LogicalResult importElementwiseOnTensors(mlir::Operation *op);

  // --- LinalgToPrismReductions.cpp ----------------------------------------
  mlir::LogicalResult importLinalg(mlir::linalg::LinalgOp op);

  // --- LinalgToPrismTensorOps.cpp -----------------------------------------
  mlir::LogicalResult importConstant(mlir::Operation *op);
  mlir::LogicalResult importSoftmax(mlir::linalg::SoftmaxOp op);
  mlir::LogicalResult importExpandShape(mlir::tensor::ExpandShapeOp op);
  mlir::LogicalResult importCollapseShape(mlir::tensor::CollapseShapeOp op);
  mlir::LogicalResult importExtractSlice(mlir::tensor::ExtractSliceOp op);
  mlir::LogicalResult importConcat(mlir::tensor::ConcatOp op);

  mlir::FunctionOpInterface function;
  CreatedOps created;
  mlir::OpBuilder builder;
  mlir::Location loc;
  std::string reason;

  llvm::SmallVector<mlir::Operation *> ops; ///< those visited, in order
  llvm::DenseSet<mlir::Operation *> live;
  llvm::DenseMap<mlir::Value, View> views; ///< of imported ops' results
  llvm::DenseSet<mlir::Operation *> imported;
  llvm::DenseSet<mlir::Operation *> kept;
  /// Why ops are left alone; told if they are kept.
  llvm::MapVector<mlir::Operation *, std::string> reasons;
  llvm::DenseMap<mlir::Value, mlir::Value> wholes;
  /// What was built before in the same block, while ops are imported in order:
  /// constants, tensors of scalars, and tensors without unit dims.
  llvm::DenseMap<std::pair<mlir::Block *, mlir::Attribute>, mlir::Value>
      constants;
  llvm::DenseMap<std::pair<mlir::Block *, mlir::Value>, mlir::Value>
      scalarTensors;
  llvm::DenseMap<
      std::pair<mlir::Block *, mlir::Value>,
      llvm::SmallVector<std::pair<llvm::SmallBitVector, mlir::Value>, 1>>
      withoutUnitDims;
  bool isInOrder = true;
};

/// If `op` chooses the larger or smaller of two values that it compares: the
/// two, and whether it is the larger. NaNs are not told apart.
struct MinMax {
  bool isMax;
  mlir::Value lhs, rhs;
};
std::optional<MinMax> matchMinMax(mlir::Operation *op);

/// Rewrites ops in `ops` that spell out a compute op, e.g. x / (1 + exp(-x)),
/// as that op: by structure, in any order of operands.
void recogniseIdioms(llvm::ArrayRef<mlir::Operation *> ops,
                     mlir::MLIRContext *context);

} // namespace prism

#endif // PRISM_LIB_CONVERSION_LINALGTOPRISM_H
