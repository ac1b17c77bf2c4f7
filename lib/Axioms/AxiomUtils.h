//===- AxiomUtils.h - What the files of axioms share ------------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ids and sets of operands, and what side conditions compute with: the
// iteration dims that an operand has, in its order, composed through indexing
// maps.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_LIB_AXIOMS_AXIOMUTILS_H
#define PRISM_LIB_AXIOMS_AXIOMUTILS_H

#include "Prism/Axioms/Axioms.h"
#include "llvm/ADT/STLExtras.h"

namespace prism {

/// A set of operands: those that are split, stacked, jointly linear.
using OperandMask = unsigned;

inline bool isSplit(OperandMask mask, unsigned operand) {
  return mask & (1u << operand);
}

inline std::string writeMask(const OpSignature &op, OperandMask mask) {
  std::string text;
  for (unsigned i = 0; i < op.numOperands; ++i)
    if (isSplit(mask, i))
      text += std::to_string(i);
  return text;
}

inline Axiom makeAxiom(const AxiomRecord &record,
                       const llvm::Twine &suffix = "") {
  Axiom axiom;
  axiom.id = (record.id + suffix).str();
  return axiom;
}

inline bool isLinearGroup(const IterationStructure &structure,
                          OperandMask mask) {
  return llvm::any_of(structure.linearGroups, [&](const auto &group) {
    OperandMask groupMask = 0;
    for (unsigned operand : group)
      groupMask |= 1u << operand;
    return groupMask == mask;
  });
}

using Dims = llvm::SmallVector<unsigned>;

inline IndexMap toMap(llvm::ArrayRef<unsigned> dims) {
  IndexMap map;
  for (unsigned dim : dims)
    map.push_back({dim});
  return map;
}

inline IndexMap identityMap(unsigned rank) {
  IndexMap map;
  for (unsigned dim = 0; dim < rank; ++dim)
    map.push_back({dim});
  return map;
}

/// The dims of `map`, if each data dim is one iteration dim.
inline std::optional<Dims> getDims(const IndexMap &map) {
  Dims dims;
  for (const auto &factors : map) {
    if (factors.size() != 1)
      return std::nullopt;
    dims.push_back(factors.front());
  }
  return dims;
}

/// The dims of operand `i` of a mapped op (always single).
inline Dims operandDims(const Prototype &op, unsigned i) {
  return *getDims(op.structure.operandMaps[i]);
}

inline unsigned resultRank(const Prototype &op) {
  return op.structure.resultMap.size();
}

/// `inner` indexes dims that are data dims of an operand with map `outer`.
inline Dims compose(llvm::ArrayRef<unsigned> outer,
                    llvm::ArrayRef<unsigned> inner) {
  return llvm::map_to_vector(inner, [&](unsigned dim) { return outer[dim]; });
}

inline bool isIdentity(llvm::ArrayRef<unsigned> dims, unsigned rank) {
  return dims.size() == rank && llvm::equal(dims, llvm::seq<unsigned>(0, rank));
}

/// The dims of both, ascending.
inline Dims unionOf(llvm::ArrayRef<unsigned> a, llvm::ArrayRef<unsigned> b) {
  Dims all(a);
  all.append(b.begin(), b.end());
  llvm::sort(all);
  all.erase(llvm::unique(all), all.end());
  return all;
}

inline Dims positionsIn(llvm::ArrayRef<unsigned> all,
                        llvm::ArrayRef<unsigned> dims) {
  return llvm::map_to_vector(dims, [&](unsigned dim) {
    return unsigned(llvm::find(all, dim) - all.begin());
  });
}

inline bool isLinearIn(const Prototype &f, unsigned operand) {
  return !llvm::isa<CastOp>(f.op) &&
         llvm::any_of(f.structure.linearGroups, [&](const auto &group) {
           return group.size() == 1 && group.front() == operand;
         });
}

/// Where the dims of one data, seen through map `from`, are in `to`; none if
/// one of them is not, or is merged with others.
inline std::optional<Dims> moveDims(const IndexMap &from, const IndexMap &to,
                                    llvm::ArrayRef<unsigned> dims) {
  Dims moved;
  for (unsigned dim : dims) {
    if (dim >= from.size() || from[dim].size() != 1)
      return std::nullopt;
    const auto *at = llvm::find(to, from[dim]);
    if (at == to.end())
      return std::nullopt;
    moved.push_back(at - to.begin());
  }
  return moved;
}

/// Reduced dims of a reduction, ascending.
inline llvm::SmallVector<int64_t> reducedDims(const Prototype &reduce) {
  llvm::SmallVector<int64_t> dims;
  for (auto [dim, kind] : llvm::enumerate(reduce.structure.dims))
    if (kind != IterationKind::Parallel)
      dims.push_back(dim);
  return dims;
}

} // namespace prism

#endif // PRISM_LIB_AXIOMS_AXIOMUTILS_H
