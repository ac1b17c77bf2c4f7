//===- PrismEnums.td - Enumerations of the prism dialect -*- tablegen -*-===//
//
// Part of the Prism project. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRISM_DIALECT_PRISMENUMS_TD
#define PRISM_DIALECT_PRISMENUMS_TD

include "mlir/IR/EnumAttr.td"
include "Prism/Dialect/PrismBase.td"

class Prism_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::prism";
  let genSpecializedAttr = 0;
}

def Prism_ParallelKind : Prism_Enum<"ParallelKind",
    "the kind of parallel dim", [
      I32EnumAttrCase<"Grid", 0, "grid">,
      I32EnumAttrCase<"Loop", 1, "loop">,
      I32EnumAttrCase<"Thread", 2, "thread">]>;

def Prism_CandidateState : Prism_Enum<"CandidateState",
    "the state of a candidate", [
      I32EnumAttrCase<"Symbolic", 0, "symbolic">,
      I32EnumAttrCase<"Mapped", 1, "mapped">,
      I32EnumAttrCase<"Sized", 2, "sized">]>;

def Prism_Verdict : Prism_Enum<"Verdict",
    "the verdict on a candidate", [
      I32EnumAttrCase<"Proved", 0, "Proved">,
      I32EnumAttrCase<"Disproved", 1, "Disproved">,
      I32EnumAttrCase<"Unknown", 2, "Unknown">]>;

def Prism_AccumulatorKind : Prism_Enum<"AccumulatorKind",
    "the kind of accumulator", [
      I32EnumAttrCase<"Sum", 0, "sum">,
      I32EnumAttrCase<"Max", 1, "max">,
      I32EnumAttrCase<"RescaledSum", 2, "rescaled_sum">]>;

def Prism_ComparePredicate : Prism_Enum<"ComparePredicate",
    "the comparison", [
      I32EnumAttrCase<"LT", 0, "lt">,
      I32EnumAttrCase<"LE", 1, "le">,
      I32EnumAttrCase<"GT", 2, "gt">,
      I32EnumAttrCase<"GE", 3, "ge">,
      I32EnumAttrCase<"EQ", 4, "eq">,
      I32EnumAttrCase<"NE", 5, "ne">]>;

def Prism_GeluKind : Prism_Enum<"GeluKind",
    "the kind of gelu", [
      I32EnumAttrCase<"Erf", 0, "erf">,
      I32EnumAttrCase<"Tanh", 1, "tanh">]>;

def Prism_RewriteDirection : Prism_Enum<"RewriteDirection",
    "the direction of an axiom", [
      I32EnumAttrCase<"Forward", 0, "forward">,
      I32EnumAttrCase<"Backward", 1, "backward">]>;

def Prism_Precision : Prism_Enum<"Precision",
    "where a proof lets candidates round (DECISIONS 12)", [
      I32EnumAttrCase<"Relaxed", 0, "relaxed">,
      I32EnumAttrCase<"Strict", 1, "strict">]>;

class Prism_EnumAttr<Prism_Enum info, string name>
    : EnumAttr<Prism_Dialect, info, name> {
  let assemblyFormat = "$value";
}

def Prism_CandidateStateAttr
    : Prism_EnumAttr<Prism_CandidateState, "candidate_state">;
def Prism_VerdictAttr : Prism_EnumAttr<Prism_Verdict, "verdict">;
def Prism_AccumulatorKindAttr
    : Prism_EnumAttr<Prism_AccumulatorKind, "accumulator_kind">;
def Prism_ComparePredicateAttr
    : Prism_EnumAttr<Prism_ComparePredicate, "compare_predicate">;
def Prism_GeluKindAttr : Prism_EnumAttr<Prism_GeluKind, "gelu_kind">;

#endif // PRISM_DIALECT_PRISMENUMS_TD
