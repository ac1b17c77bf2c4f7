//===- RegionExtents.h - Named extents of a region -----------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names the extents of a region of compute ops (DECISIONS 2). What must agree
// is read from the iteration structures: all data dims that index one iteration
// dim are one extent, a merged dim is the product of its factors, a
// concatenated dim the sum of its parts. Extents are never made one because
// their numbers agree.
//
// Worked example: %s = add %x, %y on tensor<?x64xf32> and tensor<8x?xf32>, then
// reshape %s ([d0], [d1, d2]) -> ([d0], [d1], [d2]) to tensor<?x4x?xf32>, give
// the extents [d0, d1*d2] to %x, %y and %s, [d0, d1, d2] to the last result,
// and the symbols d0 = 8, d1 = 4, d2 = ?.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_PARTITION_REGIONEXTENTS_H
#define PRISM_PARTITION_REGIONEXTENTS_H

#include "Prism/Dialect/PrismDialect.h"
#include "llvm/ADT/DenseMap.h"
#include <functional>

namespace prism {

class RegionExtents {
public:
  /// The value of a symbol; none where it is dynamic.
  using SymbolValues = std::function<std::optional<int64_t>(llvm::StringRef)>;

  /// On builtin tensors.
  RegionExtents() = default;
  /// On tensors of a program, whose symbols have these values; the extents are
  /// named anew.
  explicit RegionExtents(SymbolValues symbolValues)
      : symbolValues(std::move(symbolValues)) {}

  /// Adds a value of the region; extents are named in this order.
  void addValue(mlir::Value value);
  /// Adds what `op` says about its operands and its result.
  void addOp(ComputeOpInterface op);

  /// Two static values that meet in one extent, if there are any.
  std::optional<std::pair<int64_t, int64_t>> findConflict() const;

  /// Names the extents. An extent that would be two different expressions
  /// stands as its number, together with their parts; fails, and says why in
  /// `reason`, where one of them is dynamic.
  llvm::LogicalResult assign(std::string &reason);

  /// The type of `value` in the program.
  SymbolicTensorType getType(mlir::Value value);
  llvm::ArrayRef<ExtentSymbolAttr> getSymbols() const { return symbols; }

private:
  /// A product or a sum of other extents.
  struct Definition {
    bool isProduct;
    llvm::SmallVector<unsigned> parts;
  };
  /// What all data dims of one extent have in common.
  struct Extent {
    std::optional<int64_t> value; // where it is static
    llvm::SmallVector<Definition> definitions;
    bool isNumber = false;           // stands as its number, not as a symbol
    std::optional<int64_t> conflict; // another static value
    DimExpr name;                    // of its own, where nothing defines it
  };

  std::optional<int64_t> getValue(const DimExpr &extent) const;
  unsigned addExtent(std::optional<int64_t> value = std::nullopt);
  unsigned find(unsigned extent);
  void unify(unsigned a, unsigned b);
  unsigned dimOf(mlir::Value value, unsigned dim);

  /// Makes every definition of each extent the same expression.
  llvm::LogicalResult reconcile(std::string &reason);
  llvm::LogicalResult fixToNumber(unsigned extent, std::string &reason);
  DimExpr expand(unsigned extent);
  DimExpr expand(const Definition &definition);
  void nameSymbols(unsigned extent, mlir::MLIRContext *context);

  SymbolValues symbolValues;
  llvm::SmallVector<mlir::Value> values;
  llvm::DenseMap<mlir::Value, unsigned> firstDim;
  llvm::SmallVector<unsigned> parent;
  llvm::SmallVector<Extent> extents;
  llvm::SmallVector<unsigned> open; // extents being expanded: finds cycles
  llvm::SmallVector<ExtentSymbolAttr> symbols;
};

} // namespace prism

#endif // PRISM_PARTITION_REGIONEXTENTS_H
