// RUN: prism-opt %s --pass-pipeline='builtin.module(prism.program(prism-verify{keep-proofs}))' -o %t.mlir 2>/dev/null
// RUN: prism-check %t.mlir | FileCheck %s

// A certificate names its precision rule and counts the casts that it erases;
// what is changed in either, in a side condition's terms, or in the candidate's
// maps, is rejected.

// CHECK: cancels "copy": Proved ({{[0-9]+}} steps, relaxed, 0 casts erased)
// CHECK: rounds "rows": Proved ({{[0-9]+}} steps, relaxed, 1 casts erased)
// CHECK: largest "rows": Proved (

// A side condition broken: the factor that cancels is one that may be 0.
// RUN: sed -e 's/\["arg", 1\]/["arg", 0]/' %t.mlir | not prism-check | FileCheck %s --check-prefix=CONDITION
// CONDITION: cancels "copy": step {{[0-9]+}} (F9 backward): the side condition does not hold
// The rule changed, in the certificate or by whoever checks.
// RUN: sed -e 's/precision = relaxed/precision = strict/' %t.mlir | not prism-check | FileCheck %s --check-prefix=RULE
// RULE: rounds "rows": the proof is said to erase 1 casts, but erases 0
// RUN: sed -e 's/precision = relaxed, casts_erased = 1/precision = strict, casts_erased = 0/' %t.mlir | not prism-check | FileCheck %s --check-prefix=BOTH
// BOTH: rounds "rows": step {{[0-9]+}} (S1.exp.0 forward): the term there is not the axiom
// RUN: not prism-check --precision=strict %t.mlir | FileCheck %s --check-prefix=OTHER
// OTHER: rounds "rows": the proof is under the precision rule 'relaxed', expected 'strict'
// RUN: sed -e 's/casts_erased = 1/casts_erased = 0/' %t.mlir | not prism-check | FileCheck %s --check-prefix=CASTS
// CASTS: rounds "rows": the proof is said to erase 0 casts, but erases 1
// Maps changed: the columns' largest values are not the rows'.
// RUN: sed -e '/@largest/,$ { /candidate/,$ { s/\[\[x\], \[\]\]/[[], [x]]/; s/n\/x, n\]/n, n\/x]/; s/dims \[1\]/dims [0]/ } }' %t.mlir | not prism-check | FileCheck %s --check-prefix=MAPS
// MAPS: largest "rows": {{step|the proof}}
// The rule does not allow what is rounded: the exponential, which is added up.
// RUN: sed -e 's/\(%[0-9]*\) = prism.square \(%[0-9]*\) : (!prism.tile<\[n\/x\], f32>)/%h = prism.cast \2 : (!prism.tile<[n\/x], f32>) -> !prism.tile<[n\/x], f16>\n%w = prism.cast %h : (!prism.tile<[n\/x], f16>) -> !prism.tile<[n\/x], f32>\n\1 = prism.square %w : (!prism.tile<[n\/x], f32>)/' %t.mlir | not prism-check | FileCheck %s --check-prefix=ALLOWED
// ALLOWED: rounds "rows": it breaks the precision rule: 'prism.cast' rounds a value that is computed with
// Another program's certificate: each in turn takes the place of all.
// RUN: sed -e 's/certificate #proof[0-9]*/certificate #proof/' %t.mlir | not prism-check | FileCheck %s --check-prefix=FOREIGN
// FOREIGN: rounds "rows": {{step|the proof}}
// FOREIGN: largest "rows": {{step|the proof}}
// RUN: sed -e 's/certificate #proof[0-9]*/certificate #proof1/' %t.mlir | not prism-check | FileCheck %s --check-prefix=FOREIGN1
// FOREIGN1: cancels "copy": {{step|the proof}}
// FOREIGN1: largest "rows": {{step|the proof}}
// RUN: sed -e 's/certificate #proof[0-9]*/certificate #proof2/' %t.mlir | not prism-check | FileCheck %s --check-prefix=FOREIGN2
// FOREIGN2: cancels "copy": {{step|the proof}}
// FOREIGN2: rounds "rows": {{step|the proof}}
// Version 1 did not name the rule.
// RUN: sed -e 's/version = 2, precision = relaxed, casts_erased = ./version = 1/' %t.mlir | not prism-check | FileCheck %s --check-prefix=OLD
// OLD: rounds "rows": certificate version 1, expected 2: prove it anew
// The last step dropped.
// RUN: sed -e 's/, <"P1" forward at \[0\]>\]>/]>/' %t.mlir | not prism-check | FileCheck %s --check-prefix=LAST
// LAST: largest "rows": {{step|the proof ends before the program's term}}

prism.program @cancels extents [n = 8] (%a: !prism.tensor<[n], f32>, %c: !prism.tensor<[n], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.mul %a, %c : (!prism.tensor<[n], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %1 = prism.div %0, %c : (!prism.tensor<[n], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %2 = prism.exp %1 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %2 : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "copy" mapped {
  ^bb0(%a: !prism.tensor<[n], f32>, %c: !prism.tensor<[n], f32>):
    %r = prism.kernel "k0"(%x = %a) parallel [x grid] : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %x [[x]] : !prism.tensor<[n], f32> -> !prism.tile<[n/x], f32>
      %e = prism.exp %t : (!prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %z = prism.save %e [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %z : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}

prism.program @rounds extents [n = 8] (%a: !prism.tensor<[n], f16>) -> (!prism.tensor<[n], f16>) {
  %0 = prism.cast %a : (!prism.tensor<[n], f16>) -> !prism.tensor<[n], f32>
  %1 = prism.exp %0 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %2 = prism.cast %1 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f16>
  %3 = prism.cast %2 : (!prism.tensor<[n], f16>) -> !prism.tensor<[n], f32>
  %4 = prism.square %3 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %5 = prism.cast %4 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f16>
  prism.yield %5 : !prism.tensor<[n], f16>
} candidates {
  prism.candidate "rows" mapped {
  ^bb0(%a: !prism.tensor<[n], f16>):
    %r = prism.kernel "k0"(%x = %a) parallel [x grid] : (!prism.tensor<[n], f16>) -> !prism.tensor<[n], f16> {
      %t = prism.load %x [[x]] : !prism.tensor<[n], f16> -> !prism.tile<[n/x], f16>
      %w = prism.cast %t : (!prism.tile<[n/x], f16>) -> !prism.tile<[n/x], f32>
      %e = prism.exp %w : (!prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %s = prism.square %e : (!prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %o = prism.cast %s : (!prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f16>
      %z = prism.save %o [[x]] : !prism.tile<[n/x], f16> -> !prism.tensor<[n], f16>
      prism.yield %z : !prism.tensor<[n], f16>
    }
    prism.yield %r : !prism.tensor<[n], f16>
  }
}

prism.program @largest extents [n = 8] (%a: !prism.tensor<[n, n], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_max %a dims [1] : (!prism.tensor<[n, n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "rows" mapped {
  ^bb0(%a: !prism.tensor<[n, n], f32>):
    %r = prism.kernel "k0"(%x = %a) parallel [x grid] : (!prism.tensor<[n, n], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %x [[x], []] : !prism.tensor<[n, n], f32> -> !prism.tile<[n/x, n], f32>
      %m = prism.reduce_max %t dims [1] : (!prism.tile<[n/x, n], f32>) -> !prism.tile<[n/x], f32>
      %z = prism.save %m [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %z : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}
