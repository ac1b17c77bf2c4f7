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
  return isLinearGroup(f.structure, 1u << operand);
}

/// Rounding is not linear.
inline bool rounds(const Prototype &f) { return llvm::isa<CastOp>(f.op); }

/// What all motion through f asks.
inline bool requireLinear(const AxiomMatch &match, const Prototype &f,
                          OperandMask mask) {
  return match.require("f is linear", isLinearGroup(f.structure, mask)) &&
         match.require("f does not round", !rounds(f));
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

/// Like moveDims, where `condition` demands that every dim is there. Tests may
/// waive that: then dims keep their numbers, if they can.
inline std::optional<Dims> requireMoved(const AxiomMatch &match,
                                        llvm::StringRef condition,
                                        const IndexMap &from,
                                        const IndexMap &to,
                                        llvm::ArrayRef<unsigned> dims) {
  std::optional<Dims> moved = moveDims(from, to, dims);
  if (!match.require(condition, moved.has_value()))
    return std::nullopt;
  if (!moved && llvm::all_of(dims, [&](unsigned d) { return d < to.size(); }))
    moved = Dims(dims);
  return moved;
}

/// Whether operand 0 of the elementwise op `m` has every dim of its result, in
/// order: nothing of it is repeated.
inline bool hasAllDims(const Prototype &m, unsigned operand) {
  return isIdentity(operandDims(m, operand), resultRank(m));
}

/// The op `name` on operands with dims `a` and `b` of some space; its result
/// has the dims of both, which `result` gives.
inline PrototypeId compactBinary(AxiomMatch &match, llvm::StringRef name,
                                 llvm::ArrayRef<unsigned> a,
                                 llvm::ArrayRef<unsigned> b, Dims &result) {
  result = unionOf(a, b);
  return match.language.internMapped(
      name, {toMap(positionsIn(result, a)), toMap(positionsIn(result, b))},
      identityMap(result.size()));
}

inline PrototypeId elementwise(AxiomMatch &match, llvm::StringRef name,
                               llvm::ArrayRef<unsigned> a,
                               llvm::ArrayRef<unsigned> b, unsigned rank) {
  return match.language.internMapped(name, {toMap(a), toMap(b)},
                                     identityMap(rank));
}

inline PrototypeId unary(AxiomMatch &match, llvm::StringRef name,
                         unsigned rank) {
  return match.language.internPlain(name, {rank}, rank);
}

/// The reduction `name` of tensors of `rank` dims over `dims`.
inline PrototypeId reduction(AxiomMatch &match, llvm::StringRef name,
                             llvm::ArrayRef<int64_t> dims, unsigned rank) {
  mlir::MLIRContext *context = match.language.getContext();
  mlir::NamedAttribute attribute(mlir::StringAttr::get(context, "dims"),
                                 mlir::DenseI64ArrayAttr::get(context, dims));
  return match.language.internPlain(name, {rank}, rank - dims.size(),
                                    {attribute});
}

/// The constant `value`, in f32.
inline PrototypeId constant(AxiomMatch &match, double value) {
  mlir::MLIRContext *context = match.language.getContext();
  mlir::NamedAttribute attribute(
      mlir::StringAttr::get(context, "value"),
      mlir::FloatAttr::get(mlir::Float32Type::get(context), value));
  return match.language.internPlain("prism.constant", {}, 0, {attribute});
}

/// Whether `op` is the constant `value`, of whatever float type.
inline bool isConstant(const Prototype &op, double value) {
  auto constant = llvm::dyn_cast<ConstantOp>(op.op);
  auto number = constant ? llvm::dyn_cast<mlir::FloatAttr>(constant.getValue())
                         : mlir::FloatAttr();
  return number && number.getValueAsDouble() == value;
}

inline Dims firstDims(unsigned count) {
  return llvm::to_vector(llvm::seq<unsigned>(0, count));
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
