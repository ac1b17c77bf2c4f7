// RUN: prism-opt %s | prism-opt | FileCheck %s
// RUN: prism-opt %s --emit-bytecode | prism-opt | FileCheck %s
// RUN: prism-opt %s --mlir-print-op-generic | prism-opt | FileCheck %s

// A symbolic, a mapped and a sized candidate of the same program.

// Version 1 of certificates is still read.
// CHECK: #[[PROOF:.*]] = #prism.certificate<version = 1, steps = [<"R5" forward at [0, 1]>, <"F1" backward at []>]>
// CHECK-LABEL: prism.program @rows extents [n = ?, d = 4096] (%arg0: !prism.tensor<[n, d], f16>) -> (!prism.tensor<[n], f32>) {
prism.program @rows extents [n = ?, d = 4096] (%x: !prism.tensor<[n, d], f16>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.cast %x : (!prism.tensor<[n, d], f16>) -> !prism.tensor<[n, d], f32>
  %1 = prism.reduce_sum %0 dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %1 : !prism.tensor<[n], f32>
} candidates {
  // CHECK: prism.candidate "rows_0" symbolic {
  prism.candidate "rows_0" symbolic {
  ^bb0(%x: !prism.tensor<[n, d], f16>):
    // CHECK: prism.kernel "k0"(%{{.*}} = %{{.*}}) parallel [x grid, i loop] equalities [m0 = m2, m3 = 1] : (!prism.tensor<[n, d], f16>) -> !prism.tensor<[n], f32> {
    %r = prism.kernel "k0"(%a = %x) parallel [x grid, i loop] equalities [m0 = m2, m3 = 1] : (!prism.tensor<[n, d], f16>) -> !prism.tensor<[n], f32> {
      // CHECK: prism.load %{{.*}} {{\[\[}}x?m0], [i?m1]] : !prism.tensor<[n, d], f16> -> !prism.tile<[n/x?m0, d/i?m1], f16>
      %t = prism.load %a [[x?m0], [i?m1]] : !prism.tensor<[n, d], f16> -> !prism.tile<[n/x?m0, d/i?m1], f16>
      %s = prism.reduce_sum %t dims [1] : (!prism.tile<[n/x?m0, d/i?m1], f16>) -> !prism.tile<[n/x?m0], f32>
      // CHECK: prism.accumulate sum %{{.*}} over i : !prism.tile<[n/x?m0], f32> -> !prism.tile<[n/x?m0], f32>
      %c = prism.accumulate sum %s over i : !prism.tile<[n/x?m0], f32> -> !prism.tile<[n/x?m0], f32>
      // CHECK: prism.save %{{.*}} {{\[\[}}x?m2]] : !prism.tile<[n/x?m0], f32> -> !prism.tensor<[n], f32>
      %o = prism.save %c [[x?m2]] : !prism.tile<[n/x?m0], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
  // CHECK: prism.candidate "rows_1" sized verdict Proved cost_us 1.500000e+00 certificate #[[PROOF]] {
  prism.candidate "rows_1" sized verdict Proved cost_us 1.5 certificate <version = 1, steps = [<"R5" forward at [0, 1]>, <"F1" backward at []>]> {
  ^bb0(%x: !prism.tensor<[n, d], f16>):
    // CHECK: parallel [x grid tile 16, i loop tile 64] threads 256 stages 4 : (
    %r = prism.kernel "k0"(%a = %x) parallel [x grid tile 16, i loop tile 64] threads 256 stages 4 : (!prism.tensor<[n, d], f16>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[x], [i]] : !prism.tensor<[n, d], f16> -> !prism.tile<[n/x, d/i], f16>
      %s = prism.reduce_sum %t dims [1] : (!prism.tile<[n/x, d/i], f16>) -> !prism.tile<[n/x], f32>
      %c = prism.accumulate sum %s over i : !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f32>
      %o = prism.save %c [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
  // Two kernels: partials written side by side, then summed.
  // CHECK: prism.candidate "rows_2" mapped {
  prism.candidate "rows_2" mapped {
  ^bb0(%x: !prism.tensor<[n, d], f16>):
    %p = prism.kernel "k0"(%a = %x) parallel [y grid] : (!prism.tensor<[n, d], f16>) -> !prism.tensor<[k0.y, n], f32> {
      %t = prism.load %a [[], [y]] : !prism.tensor<[n, d], f16> -> !prism.tile<[n, d/y], f16>
      %s = prism.reduce_sum %t dims [1] : (!prism.tile<[n, d/y], f16>) -> !prism.tile<[n], f32>
      // CHECK: prism.save %{{.*}} {{\[\[}}]] partials [y] : !prism.tile<[n], f32> -> !prism.tensor<[k0.y, n], f32>
      %o = prism.save %s [[]] partials [y] : !prism.tile<[n], f32> -> !prism.tensor<[k0.y, n], f32>
      prism.yield %o : !prism.tensor<[k0.y, n], f32>
    }
    %r = prism.reduce_sum %p dims [0] : (!prism.tensor<[k0.y, n], f32>) -> !prism.tensor<[n], f32>
    prism.yield %r : !prism.tensor<[n], f32>
  }
}

// CHECK-LABEL: func.func @caller
func.func @caller(%x: tensor<?x4096xf16>) -> tensor<?xf32> {
  // CHECK: prism.invoke @rows(%{{.*}}) : (tensor<?x4096xf16>) -> tensor<?xf32>
  %r = prism.invoke @rows(%x) : (tensor<?x4096xf16>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
