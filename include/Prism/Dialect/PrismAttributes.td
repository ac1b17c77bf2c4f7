//===- PrismAttributes.td - Attributes of the prism dialect -*- tablegen -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_DIALECT_PRISMATTRIBUTES_TD
#define PRISM_DIALECT_PRISMATTRIBUTES_TD

include "mlir/IR/AttrTypeBase.td"
include "Prism/Dialect/PrismEnums.td"

class Prism_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Prism_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def Prism_DimExprAttr : Prism_Attr<"DimExpr", "extent"> {
  let summary = "a symbolic extent";
  let description = [{
    A polynomial over the program's extent symbols and over quotients, the tile
    extents of equation (3). `d/x?m0/i` is dim `d` split along the grid dim `x`
    iff the mapping variable `m0` is 1, and then along the loop dim `i`.

    Example: `#prism.extent<2*a*b + 1>`, `#prism.extent<d/x?m0/i>`.
  }];
  let parameters = (ins "::prism::DimExpr":$value);
  let hasCustomAssemblyFormat = 1;
}

def Prism_ExtentSymbolAttr : Prism_Attr<"ExtentSymbol", "symbol"> {
  let summary = "a named extent of a program, with its value where it is static";
  let description = [{
    Extents are symbols even where their values are known: the value is a
    binding, not part of the program's structure, and two symbols are never
    unified because their values agree. A dynamic extent has no value.

    Example: `#prism.symbol<d = 4096>`, `#prism.symbol<n = ?>`.
  }];
  let parameters = (ins StringRefParameter<"the symbol">:$name,
                        "std::optional<int64_t>":$value);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Prism_ParallelDimAttr : Prism_Attr<"ParallelDim", "parallel"> {
  let summary = "a parallel dim of a block or thread graph";
  let description = [{
    Its size d_p is given by the tile extent t_p, in elements of the data dim
    that it splits: d_p = ceil(D / t_p). Without a tile the size is symbolic.

    Example: `#prism.parallel<x grid>`, `#prism.parallel<i loop tile 64>`.
  }];
  let parameters = (ins StringRefParameter<"the dim">:$name,
                        "::prism::ParallelKind":$kind,
                        "std::optional<int64_t>":$tile);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Prism_MapAttr : Prism_Attr<"Map", "map"> {
  let summary = "imap and fmap of a loader, or omap of a saver";
  let description = [{
    For each data dim of the tensor, the parallel dims that split it, outermost
    first (grid before loop), each known to (`x`) or undecided (`x?m3`, the
    mapping variable m[T,d,x] with the number 3). What is not listed is known
    to be 0; a parallel dim that stands nowhere replicates the tensor.

    Example: `#prism.map<[[x], [i?m0]]>`.
  }];
  let parameters = (ins "::prism::Mapping":$value);
  let hasCustomAssemblyFormat = 1;
}

def Prism_EqualityAttr : Prism_Attr<"Equality", "equality"> {
  let summary = "an equality between mapping variables (equation (4))";
  let description = [{
    Example: `#prism.equality<m0 = m4>`, `#prism.equality<m1 = 0>`.
  }];
  let parameters = (ins "::prism::MapTerm":$lhs, "::prism::MapTerm":$rhs);
  let hasCustomAssemblyFormat = 1;
}

def Prism_ProofStepAttr : Prism_Attr<"ProofStep", "step"> {
  let summary = "one application of an axiom in a proof";
  let description = [{
    The axiom's id, the direction it was used in, and where: the number of the
    candidate's result, then the path of operand indices from the root of its
    term. What the replaced side does not determine stands in `with`: the class
    and payload variables of the other side, in order.

    Example: `#prism.step<"S2.matmul.01" forward at [0, 1]>`.
  }];
  let parameters = (ins StringRefParameter<"id of the axiom">:$axiom,
                        "::prism::RewriteDirection":$direction,
                        OptionalArrayRefParameter<"int64_t">:$place,
                        OptionalParameter<"::mlir::ArrayAttr">:$with);
  let builders = [AttrBuilder<(ins "::llvm::StringRef":$axiom,
                                   "::prism::RewriteDirection":$direction,
                                   "::llvm::ArrayRef<int64_t>":$place), [{
    return $_get($_ctxt, axiom, direction, place, ::mlir::ArrayAttr());
  }]>];
  let assemblyFormat = [{
    `<` $axiom $direction `at` ` ` `[` (`]`) : ($place^ `]`)?
    (`with` $with^)? `>`
  }];
}

def Prism_CertificateAttr : Prism_Attr<"Certificate", "certificate"> {
  let summary = "a proof that a candidate equals its program";
  let description = [{
    A chain of equalities from the candidate's term to the program's, which a
    checker can replay without an e-graph; the precision rule under which it
    holds, and how many narrowing casts of the candidate it erases (none under
    `strict`). The format is versioned: version 1 had the steps alone.

    Candidates with the same proof (the sizes of one mapped candidate) share
    one; it is printed once, under an alias.

    Example: `#prism.certificate<version = 2, precision = relaxed,
    casts_erased = 1, steps = [<"F1" forward at []>]>`.
  }];
  let parameters = (ins "int64_t":$version,
                        OptionalParameter<"std::optional<::prism::Precision>">:$precision,
                        "int64_t":$castsErased,
                        OptionalArrayRefParameter<"::prism::ProofStepAttr">:$steps);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // PRISM_DIALECT_PRISMATTRIBUTES_TD
