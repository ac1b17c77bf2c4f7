//===- Mapping.h - Maps of data dims to parallel dims -----------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The imap, fmap and omap of a loader or saver, with the mapping variables
// m[T,d,p] that are not decided yet, and the equations (1) and (2) they obey.
//
// Worked example: X[n, d] with n split over grid dim x, and d over the loop i
// iff m0: the mapping is [[x], [i?m0]], the tile has extents [n/x, d/i?m0].
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_SYMBOLIC_MAPPING_H
#define PRISM_SYMBOLIC_MAPPING_H

#include "Prism/Symbolic/DimExpr.h"
#include "llvm/ADT/DenseMap.h"

namespace prism {

/// Per data dim its splits, outermost first: grid dims before the loop dim.
struct Mapping : llvm::SmallVector<llvm::SmallVector<Split, 1>> {
  using SmallVector::SmallVector;
};
llvm::hash_code hash_value(const Mapping &mapping);

/// A variable of a mapping, m<index>, or the value it is known to have.
struct MapTerm {
  bool isVariable;
  unsigned value; ///< index of the variable, or 0 or 1

  static MapTerm variable(unsigned index) { return {true, index}; }
  static MapTerm known(bool value) { return {false, value}; }
  bool operator==(const MapTerm &other) const {
    return isVariable == other.isVariable && value == other.value;
  }
};
llvm::hash_code hash_value(const MapTerm &term);

/// A broken equation, and where.
struct MappingViolation {
  unsigned equation; ///< 1 or 2
  unsigned dataDim;  ///< the (second) data dim concerned
  std::string parallelDim;
};

/// Checks what is known to be 1 against
///   (1) each parallel dim splits at most one data dim, and
///   (2) each data dim is split by at most one grid dim;
/// `isGridDim` tells grid dims from the loop. Returns the first violation.
std::optional<MappingViolation>
findMappingViolation(const Mapping &mapping,
                     llvm::function_ref<bool(llvm::StringRef)> isGridDim);

/// The extents of a tile of a tensor with `extents`, split as `mapping` says:
/// equation (3).
llvm::SmallVector<DimExpr> getTileExtents(llvm::ArrayRef<DimExpr> extents,
                                          const Mapping &mapping);

/// Equalities between mapping variables (equation (4)): a union-find whose
/// classes may have a known value.
class MappingConstraints {
public:
  /// Adds a = b. False if that contradicts what is known already; the
  /// constraints are then unchanged.
  bool addEqual(MapTerm a, MapTerm b);
  /// The value of `term`, or the least variable known equal to it.
  MapTerm lookup(MapTerm term) const;
  /// `split` with its variable replaced by what is known of it; none if the
  /// variable is known to be 0.
  std::optional<Split> simplify(const Split &split) const;
  DimExpr simplify(const DimExpr &extent) const;
  /// Whether both extents are equal once the constraints are applied.
  bool areEqual(const DimExpr &a, const DimExpr &b) const {
    return a == b || simplify(a) == simplify(b);
  }

private:
  llvm::DenseMap<unsigned, MapTerm> parent;
};

/// Equation (4) by coefficient matching: what must hold of the mapping
/// variables for `a` = `b` at every size d_p. No value if it cannot hold.
/// Each equality says m[a,p] = m[b,p]; a side without p contributes 0.
std::optional<llvm::SmallVector<std::pair<MapTerm, MapTerm>>>
matchExtents(const DimExpr &a, const DimExpr &b);

} // namespace prism

#endif // PRISM_SYMBOLIC_MAPPING_H
