// RUN: prism-opt %s --pass-pipeline='builtin.module(prism.program(prism-verify{keep-proofs}))' -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: prism-check %t.mlir | FileCheck %s --check-prefix=CHECKED

// Certificates survive printing, and no changed certificate or candidate passes.

// A step dropped.
// RUN: sed -e 's/steps = \[<[^>]*>, /steps = [/' %t.mlir | not prism-check | FileCheck %s --check-prefix=DROPPED
// Another axiom.
// RUN: sed -e 's/"S2.matmul.01"/"S1.matmul.01"/' %t.mlir | not prism-check | FileCheck %s --check-prefix=AXIOM
// An axiom that does not exist.
// RUN: sed -e 's/"S2.matmul.01"/"S9"/' %t.mlir | not prism-check | FileCheck %s --check-prefix=NONE
// Another candidate.
// RUN: sed -e '/candidates {/,$ s/prism.sqrt/prism.exp/' %t.mlir | not prism-check | FileCheck %s --check-prefix=OTHER
// That of another candidate of the program.
// RUN: sed -e 's/certificate #proof[0-9]*/certificate #proof/' %t.mlir | not prism-check | FileCheck %s --check-prefix=FOREIGN
// FOREIGN: rmsnorm "columns_loop": Proved (
// FOREIGN: rmsnorm "rows": {{step|the proof}}
// No certificate at all.
// RUN: prism-opt %s | not prism-check | FileCheck %s --check-prefix=WITHOUT

// CHECK: #[[PROOF:.*]] = #prism.certificate<version = 2, precision = relaxed, casts_erased = 1, steps = [
// CHECK-SAME: <"S2.matmul.01" forward at [0
// CHECK: prism.candidate "columns_loop" mapped verdict Proved certificate #[[PROOF]] {
// CHECKED: rmsnorm "columns_loop": Proved (
// CHECKED: rmsnorm "rows": Proved (
// DROPPED: rmsnorm "columns_loop": step 0 (S1.matmul.1 forward): the term there is not the axiom's left side
// AXIOM: rmsnorm "columns_loop": step {{[0-9]+}} (S1.matmul.01 forward): the term there is not the axiom's left side
// NONE: rmsnorm "columns_loop": step {{[0-9]+}} (S9 forward): there is no such axiom
// OTHER: rmsnorm "columns_loop":
// OTHER-NOT: Proved
// WITHOUT: rmsnorm "columns_loop": no certificate

prism.program @rmsnorm extents [d0 = 8, d1 = 4096, d2 = 4096] (%x: !prism.tensor<[d0, d1], f16>, %w: !prism.tensor<[d1, d2], f16>) -> (!prism.tensor<[d0, d2], f16>) {
  %0 = prism.cast %x : (!prism.tensor<[d0, d1], f16>) -> !prism.tensor<[d0, d1], f32>
  %1 = prism.square %0 : (!prism.tensor<[d0, d1], f32>) -> !prism.tensor<[d0, d1], f32>
  %2 = prism.reduce_sum %1 dims [1] : (!prism.tensor<[d0, d1], f32>) -> !prism.tensor<[d0], f32>
  %3 = prism.constant #prism.extent<d1> -> !prism.tensor<[], f32>
  %4 = prism.div %2, %3 maps [d0], [] -> [d0] : (!prism.tensor<[d0], f32>, !prism.tensor<[], f32>) -> !prism.tensor<[d0], f32>
  %5 = prism.sqrt %4 : (!prism.tensor<[d0], f32>) -> !prism.tensor<[d0], f32>
  %6 = prism.div %0, %5 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[d0, d1], f32>, !prism.tensor<[d0], f32>) -> !prism.tensor<[d0, d1], f32>
  %7 = prism.cast %6 : (!prism.tensor<[d0, d1], f32>) -> !prism.tensor<[d0, d1], f16>
  %8 = prism.matmul %7, %w : (!prism.tensor<[d0, d1], f16>, !prism.tensor<[d1, d2], f16>) -> !prism.tensor<[d0, d2], f32>
  %9 = prism.cast %8 : (!prism.tensor<[d0, d2], f32>) -> !prism.tensor<[d0, d2], f16>
  prism.yield %9 : !prism.tensor<[d0, d2], f16>
} candidates {
  prism.candidate "columns_loop" mapped {
  ^bb0(%x: !prism.tensor<[d0, d1], f16>, %w: !prism.tensor<[d1, d2], f16>):
    %r = prism.kernel "k0"(%a = %x, %b = %w) parallel [x grid, i loop] : (!prism.tensor<[d0, d1], f16>, !prism.tensor<[d1, d2], f16>) -> !prism.tensor<[d0, d2], f16> {
      %ta = prism.load %a [[], [i]] : !prism.tensor<[d0, d1], f16> -> !prism.tile<[d0, d1/i], f16>
      %tb = prism.load %b [[i], [x]] : !prism.tensor<[d1, d2], f16> -> !prism.tile<[d1/i, d2/x], f16>
      %c = prism.cast %ta : (!prism.tile<[d0, d1/i], f16>) -> !prism.tile<[d0, d1/i], f32>
      %s = prism.square %c : (!prism.tile<[d0, d1/i], f32>) -> !prism.tile<[d0, d1/i], f32>
      %q = prism.reduce_sum %s dims [1] : (!prism.tile<[d0, d1/i], f32>) -> !prism.tile<[d0], f32>
      %m = prism.matmul %ta, %tb : (!prism.tile<[d0, d1/i], f16>, !prism.tile<[d1/i, d2/x], f16>) -> !prism.tile<[d0, d2/x], f32>
      %qa = prism.accumulate sum %q over i : !prism.tile<[d0], f32> -> !prism.tile<[d0], f32>
      %ma = prism.accumulate sum %m over i : !prism.tile<[d0, d2/x], f32> -> !prism.tile<[d0, d2/x], f32>
      %n = prism.constant #prism.extent<d1> -> !prism.tile<[], f32>
      %v = prism.div %qa, %n maps [d0], [] -> [d0] : (!prism.tile<[d0], f32>, !prism.tile<[], f32>) -> !prism.tile<[d0], f32>
      %t = prism.sqrt %v : (!prism.tile<[d0], f32>) -> !prism.tile<[d0], f32>
      %u = prism.div %ma, %t maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[d0, d2/x], f32>, !prism.tile<[d0], f32>) -> !prism.tile<[d0, d2/x], f32>
      %o = prism.cast %u : (!prism.tile<[d0, d2/x], f32>) -> !prism.tile<[d0, d2/x], f16>
      %z = prism.save %o [[], [x]] : !prism.tile<[d0, d2/x], f16> -> !prism.tensor<[d0, d2], f16>
      prism.yield %z : !prism.tensor<[d0, d2], f16>
    }
    prism.yield %r : !prism.tensor<[d0, d2], f16>
  }
  prism.candidate "rows" mapped {
  ^bb0(%x: !prism.tensor<[d0, d1], f16>, %w: !prism.tensor<[d1, d2], f16>):
    %r = prism.kernel "k0"(%a = %x, %b = %w) parallel [y grid] : (!prism.tensor<[d0, d1], f16>, !prism.tensor<[d1, d2], f16>) -> !prism.tensor<[d0, d2], f16> {
      %ta = prism.load %a [[y], []] : !prism.tensor<[d0, d1], f16> -> !prism.tile<[d0/y, d1], f16>
      %tb = prism.load %b [[], []] : !prism.tensor<[d1, d2], f16> -> !prism.tile<[d1, d2], f16>
      %c = prism.cast %ta : (!prism.tile<[d0/y, d1], f16>) -> !prism.tile<[d0/y, d1], f32>
      %s = prism.square %c : (!prism.tile<[d0/y, d1], f32>) -> !prism.tile<[d0/y, d1], f32>
      %q = prism.reduce_sum %s dims [1] : (!prism.tile<[d0/y, d1], f32>) -> !prism.tile<[d0/y], f32>
      %m = prism.matmul %ta, %tb : (!prism.tile<[d0/y, d1], f16>, !prism.tile<[d1, d2], f16>) -> !prism.tile<[d0/y, d2], f32>
      %n = prism.constant #prism.extent<d1> -> !prism.tile<[], f32>
      %v = prism.div %q, %n maps [d0], [] -> [d0] : (!prism.tile<[d0/y], f32>, !prism.tile<[], f32>) -> !prism.tile<[d0/y], f32>
      %t = prism.sqrt %v : (!prism.tile<[d0/y], f32>) -> !prism.tile<[d0/y], f32>
      %u = prism.div %m, %t maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[d0/y, d2], f32>, !prism.tile<[d0/y], f32>) -> !prism.tile<[d0/y, d2], f32>
      %o = prism.cast %u : (!prism.tile<[d0/y, d2], f32>) -> !prism.tile<[d0/y, d2], f16>
      %z = prism.save %o [[y], []] : !prism.tile<[d0/y, d2], f16> -> !prism.tensor<[d0, d2], f16>
      prism.yield %z : !prism.tensor<[d0, d2], f16>
    }
    prism.yield %r : !prism.tensor<[d0, d2], f16>
  }
}
