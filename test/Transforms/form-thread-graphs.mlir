// Chains of elementwise ops become thread graphs; what a reduction stands
// between, or another stage, does not join; a lone op stays.
// RUN: prism-opt %s --pass-pipeline='builtin.module(prism.program(prism-form-thread-graphs))' | FileCheck %s
// RUN: prism-opt %s --pass-pipeline='builtin.module(prism.program(prism-form-thread-graphs))' | prism-opt --convert-prism-to-gpu -o %t.formed.mlir
// RUN: prism-opt %s --convert-prism-to-gpu -o %t.plain.mlir
// RUN: diff %t.formed.mlir %t.plain.mlir

// exp feeds div, but also the sum that div divides by: div stays outside.
// CHECK-LABEL: prism.candidate "softmax_0"
// CHECK: %[[X:.*]] = prism.load
// CHECK: %[[MAX:.*]] = prism.reduce_max
// CHECK: %[[E:.*]] = prism.thread_graph "t0"(%[[A:.*]] = %[[X]], %[[B:.*]] = %[[MAX]]) parallel [t thread tile 1] : (!prism.tile<[n/x, d], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x, d], f32> {
// CHECK: %[[LA:.*]] = prism.load %[[A]] {{\[}}[t], []] : !prism.tile<[n/x, d], f32> -> !prism.tile<[n/x/t, d], f32>
// CHECK: %[[LB:.*]] = prism.load %[[B]] {{\[}}[t]] : !prism.tile<[n/x], f32> -> !prism.tile<[n/x/t], f32>
// CHECK: %[[S:.*]] = prism.sub %[[LA]], %[[LB]] maps [d0, d1], [d0] -> [d0, d1]
// CHECK: %[[EXP:.*]] = prism.exp %[[S]]
// CHECK: prism.save %[[EXP]] {{\[}}[t], []] : !prism.tile<[n/x/t, d], f32> -> !prism.tile<[n/x, d], f32>
// CHECK: }
// CHECK: %[[SUM:.*]] = prism.reduce_sum %[[E]]
// CHECK: prism.div %[[E]], %[[SUM]]
prism.program @softmax extents [n = 13, d = 61] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n, d], f32>) {
  %m = prism.reduce_max %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %s = prism.sub %x, %m maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32>
  %e = prism.exp %s : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %z = prism.reduce_sum %e dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %p = prism.div %e, %z maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32>
  prism.yield %p : !prism.tensor<[n, d], f32>
} candidates {
  prism.candidate "softmax_0" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid tile 4] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32> {
      %t = prism.load %a [[x], []] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d], f32>
      %m = prism.reduce_max %t dims [1] : (!prism.tile<[n/x, d], f32>) -> !prism.tile<[n/x], f32>
      %s = prism.sub %t, %m maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/x, d], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x, d], f32>
      %e = prism.exp %s : (!prism.tile<[n/x, d], f32>) -> !prism.tile<[n/x, d], f32>
      %z = prism.reduce_sum %e dims [1] : (!prism.tile<[n/x, d], f32>) -> !prism.tile<[n/x], f32>
      %p = prism.div %e, %z maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/x, d], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x, d], f32>
      %o = prism.save %p [[x], []] : !prism.tile<[n/x, d], f32> -> !prism.tensor<[n, d], f32>
      prism.yield %o : !prism.tensor<[n, d], f32>
    }
    prism.yield %r : !prism.tensor<[n, d], f32>
  }
}
func.func @run_softmax(%x: tensor<13x61xf32>) -> tensor<13x61xf32> {
  %r = prism.invoke @softmax(%x) : (tensor<13x61xf32>) -> tensor<13x61xf32>
  return %r : tensor<13x61xf32>
}


// In and after the loop; the constant goes along. One row statistic (rank 1)
// is a chain of its own.
// CHECK-LABEL: prism.candidate "rmsnorm_0"
// CHECK: prism.thread_graph "t0"
// CHECK: prism.cast
// CHECK: prism.square
// CHECK: prism.accumulate sum
// CHECK: prism.accumulate sum
// CHECK: prism.thread_graph "t1"
// CHECK: prism.constant #prism.extent<d1> -> !prism.tile<[], f32>
// CHECK: prism.div
// CHECK: prism.sqrt
// CHECK: }
// CHECK: prism.thread_graph "t2"
// CHECK: prism.div
// CHECK: prism.cast
// CHECK: }
// CHECK: prism.save
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
  prism.candidate "rmsnorm_0" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[d0, d1], f16>, %w: !prism.tensor<[d1, d2], f16>):
    %r = prism.kernel "k0"(%a = %x, %b = %w) parallel [x grid tile 64, i loop tile 64] : (!prism.tensor<[d0, d1], f16>, !prism.tensor<[d1, d2], f16>) -> !prism.tensor<[d0, d2], f16> {
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
}
func.func @rmsnorm_linear(%x: tensor<8x4096xf16>, %w: tensor<4096x4096xf16>) -> tensor<8x4096xf16> {
  %r = prism.invoke @rmsnorm(%x, %w) : (tensor<8x4096xf16>, tensor<4096x4096xf16>) -> tensor<8x4096xf16>
  return %r : tensor<8x4096xf16>
}
