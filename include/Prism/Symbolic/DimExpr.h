//===- DimExpr.h - Symbolic extents of tensors and tiles --------*- C++ -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Extents as canonical polynomials over the program's named symbols and over
// quotients, the tile extents of equation (3). Knows nothing of MLIR.
//
// Worked example: with grid dim x and loop dim i, the tile of a 4096-wide dim
// `d` that is split along x when m0 = 1, and always along i, has the extent
//
//     d/x?m0/i      (split grid first, loop inside)
//
// For x counting 4 tiles of 1024 elements and i tiles of 128 elements this
// evaluates to 128; without the loop, and with m0 = 0, to 4096.
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_SYMBOLIC_DIMEXPR_H
#define PRISM_SYMBOLIC_DIMEXPR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace prism {

/// One entry of a map: the data dim it stands at is split along the parallel
/// dim `dim`, always (no variable) or iff the mapping variable m<variable>
/// is 1.
struct Split {
  std::string dim;
  std::optional<unsigned> variable;

  bool operator==(const Split &other) const {
    return dim == other.dim && variable == other.variable;
  }
  bool operator!=(const Split &other) const { return !(*this == other); }
};

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Split &split);
llvm::hash_code hash_value(const Split &split);

/// An immutable extent in canonical form: two expressions are equal as
/// polynomials over symbols and quotients iff they compare equal. The default
/// constructed expression is the unknown extent, `?`, equal only to itself.
class DimExpr {
public:
  DimExpr() = default;

  static DimExpr constant(int64_t value);
  static DimExpr symbol(llvm::StringRef name);
  /// The extent of a tile of `base` that is split as `split` says (equation
  /// (3)). A unit dim is never split: the quotient of 1 is 1.
  static DimExpr quotient(const DimExpr &base, Split split);

  bool isUnknown() const { return !node; }
  /// The value, if this is a constant.
  std::optional<int64_t> asConstant() const;
  bool isOne() const { return asConstant() == 1; }
  /// The name, if this is a single symbol; otherwise empty.
  llvm::StringRef asSymbol() const;
  /// Whether this is a single quotient, and if so of what by what.
  bool isQuotient() const;
  const DimExpr &quotientBase() const;
  const Split &quotientSplit() const;

  /// A polynomial has at most this many terms, of this many factors each.
  static constexpr unsigned maxTerms = 256;

  /// Sum and product; unknown if either side is, if a coefficient would
  /// overflow 64 bits, or if the polynomial would be larger than `maxTerms`.
  DimExpr operator+(const DimExpr &other) const;
  DimExpr operator*(const DimExpr &other) const;

  bool operator==(const DimExpr &other) const;
  bool operator!=(const DimExpr &other) const { return !(*this == other); }
  /// A total order on the printed forms, stable from run to run.
  bool operator<(const DimExpr &other) const;

  /// The whole dim this is a tile of: every quotient replaced by its base.
  DimExpr withoutSplits() const;
  /// Replaces each symbol for which `replacement` gives an expression.
  DimExpr replaceSymbols(
      llvm::function_ref<std::optional<DimExpr>(llvm::StringRef)> replacement)
      const;
  /// Rewrites each quotient's split: none drops the quotient.
  DimExpr replaceSplits(
      llvm::function_ref<std::optional<Split>(const Split &)> rewrite) const;
  /// Calls `callback` on every symbol, in printed order, repeats included.
  void walkSymbols(llvm::function_ref<void(llvm::StringRef)> callback) const;
  void walkSplits(llvm::function_ref<void(const Split &)> callback) const;
  /// Calls `callback` on every term of the sum: its coefficient and its
  /// factors, each a single symbol or quotient, powers repeated.
  void walkTerms(llvm::function_ref<void(int64_t coefficient,
                                         llvm::ArrayRef<DimExpr> factors)>
                     callback) const;

  /// The value in elements. `symbolValue` binds the symbols; `tileExtent` the
  /// tile extents t_p: a quotient is min(base, t_p) for every chunk but the
  /// last, which is smaller where the dim is ragged (DECISIONS: a split is
  /// given by its tile extent). No value if any binding is missing, if a
  /// mapping variable is left, or on overflow.
  std::optional<int64_t> evaluate(
      llvm::function_ref<std::optional<int64_t>(llvm::StringRef)> symbolValue,
      llvm::function_ref<std::optional<int64_t>(llvm::StringRef)> tileExtent)
      const;

  /// The canonical text, e.g. `n`, `2*a*b + 1`, `d/x?m0/i`, `(a + b)/y`.
  llvm::StringRef str() const;

  friend llvm::hash_code hash_value(const DimExpr &expr) {
    return llvm::hash_value(expr.str());
  }

private:
  struct Node;
  struct Atom;
  struct Monomial;
  using Monomials = std::vector<Monomial>;

  explicit DimExpr(Atom atom);
  explicit DimExpr(Monomials monomials);
  static bool multiplyInto(const Monomial &a, const Monomial &b, Monomial &out);
  /// Rebuilds the polynomial with each atom replaced.
  DimExpr mapAtoms(llvm::function_ref<DimExpr(const Atom &)> replace) const;
  const Atom *singleAtom() const;

  std::shared_ptr<const Node> node;
};

llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const DimExpr &expr);

} // namespace prism

#endif // PRISM_SYMBOLIC_DIMEXPR_H
