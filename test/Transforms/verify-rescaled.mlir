// RUN: prism-opt %s --pass-pipeline='builtin.module(prism.program(prism-verify{keep-all keep-proofs}))' -o %t.mlir 2>%t.err
// RUN: FileCheck %s < %t.mlir
// RUN: FileCheck %s --check-prefix=REMARK < %t.err
// RUN: prism-opt %s --pass-pipeline='builtin.module(prism.program(prism-verify{keep-proofs}))' 2>/dev/null | prism-check | FileCheck %s --check-prefix=CHECKED

// Softmax over chunks: a rescaled sum over a loop (online softmax), over the
// grid with a kernel that combines the partial results (flash-decoding), and
// what only looks like it.

// CHECKED-DAG: attention "online_softmax": Proved (
// CHECKED-DAG: attention "flash_decoding": Proved (
// CHECKED-DAG: attention "flash_decoding_without_loop": Proved (
// CHECKED-DAG: batched "flash_decoding": Proved (
// CHECKED-DAG: weighted "online_softmax": Proved (
// CHECKED-DAG: logsumexp "loop": Proved (
// CHECKED-DAG: logsumexp "split": Proved (
// CHECKED-NOT: "own_maxima"

prism.program @attention extents [n = 8, e = 64, s = 1000, v = 64] (%q: !prism.tensor<[n, e], f16>, %k: !prism.tensor<[s, e], f16>, %w: !prism.tensor<[s, v], f16>) -> (!prism.tensor<[n, v], f16>) {
  %0 = prism.matmul %q, %k maps [d0, d2], [d1, d2] -> [d0, d1] : (!prism.tensor<[n, e], f16>, !prism.tensor<[s, e], f16>) -> !prism.tensor<[n, s], f32>
  %3 = prism.reduce_max %0 dims [1] : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n], f32>
  %4 = prism.sub %0, %3 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, s], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, s], f32>
  %5 = prism.exp %4 : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n, s], f32>
  %6 = prism.reduce_sum %5 dims [1] : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n], f32>
  %7 = prism.div %5, %6 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, s], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, s], f32>
  %8 = prism.cast %7 : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n, s], f16>
  %9 = prism.matmul %8, %w : (!prism.tensor<[n, s], f16>, !prism.tensor<[s, v], f16>) -> !prism.tensor<[n, v], f32>
  %10 = prism.cast %9 : (!prism.tensor<[n, v], f32>) -> !prism.tensor<[n, v], f16>
  prism.yield %10 : !prism.tensor<[n, v], f16>
} candidates {
  // CHECK: prism.candidate "online_softmax" mapped verdict Proved
  prism.candidate "online_softmax" mapped {
  ^bb0(%q: !prism.tensor<[n, e], f16>, %k: !prism.tensor<[s, e], f16>, %w: !prism.tensor<[s, v], f16>):
    %r = prism.kernel "k0"(%a = %q, %b = %k, %c = %w) parallel [x grid, i loop] : (!prism.tensor<[n, e], f16>, !prism.tensor<[s, e], f16>, !prism.tensor<[s, v], f16>) -> !prism.tensor<[n, v], f16> {
      %ta = prism.load %a [[x], []] : !prism.tensor<[n, e], f16> -> !prism.tile<[n/x, e], f16>
      %tb = prism.load %b [[i], []] : !prism.tensor<[s, e], f16> -> !prism.tile<[s/i, e], f16>
      %tc = prism.load %c [[i], []] : !prism.tensor<[s, v], f16> -> !prism.tile<[s/i, v], f16>
      %x = prism.matmul %ta, %tb maps [d0, d2], [d1, d2] -> [d0, d1] : (!prism.tile<[n/x, e], f16>, !prism.tile<[s/i, e], f16>) -> !prism.tile<[n/x, s/i], f32>
      %m = prism.reduce_max %x dims [1] : (!prism.tile<[n/x, s/i], f32>) -> !prism.tile<[n/x], f32>
      %d = prism.sub %x, %m maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/x, s/i], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x, s/i], f32>
      %p = prism.exp %d : (!prism.tile<[n/x, s/i], f32>) -> !prism.tile<[n/x, s/i], f32>
      %l = prism.reduce_sum %p dims [1] : (!prism.tile<[n/x, s/i], f32>) -> !prism.tile<[n/x], f32>
      %h = prism.cast %p : (!prism.tile<[n/x, s/i], f32>) -> !prism.tile<[n/x, s/i], f16>
      %o = prism.matmul %h, %tc : (!prism.tile<[n/x, s/i], f16>, !prism.tile<[s/i, v], f16>) -> !prism.tile<[n/x, v], f32>
      %al = prism.accumulate rescaled_sum %l shift %m over i maps [d0], [d0] -> [d0] : !prism.tile<[n/x], f32>, !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f32>
      %ao = prism.accumulate rescaled_sum %o shift %m over i maps [d0, d1], [d0] -> [d0, d1] : !prism.tile<[n/x, v], f32>, !prism.tile<[n/x], f32> -> !prism.tile<[n/x, v], f32>
      %y = prism.div %ao, %al maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/x, v], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x, v], f32>
      %z = prism.cast %y : (!prism.tile<[n/x, v], f32>) -> !prism.tile<[n/x, v], f16>
      %s = prism.save %z [[x], []] : !prism.tile<[n/x, v], f16> -> !prism.tensor<[n, v], f16>
      prism.yield %s : !prism.tensor<[n, v], f16>
    }
    prism.yield %r : !prism.tensor<[n, v], f16>
  }
  // CHECK: prism.candidate "flash_decoding" mapped verdict Proved
  prism.candidate "flash_decoding" mapped {
  ^bb0(%q: !prism.tensor<[n, e], f16>, %k: !prism.tensor<[s, e], f16>, %w: !prism.tensor<[s, v], f16>):
    %r:3 = prism.kernel "k0"(%a = %q, %b = %k, %c = %w) parallel [x grid, y grid, i loop] : (!prism.tensor<[n, e], f16>, !prism.tensor<[s, e], f16>, !prism.tensor<[s, v], f16>) -> (!prism.tensor<[k0.y, n], f32>, !prism.tensor<[k0.y, n], f32>, !prism.tensor<[k0.y, n, v], f32>) {
      %ta = prism.load %a [[x], []] : !prism.tensor<[n, e], f16> -> !prism.tile<[n/x, e], f16>
      %tb = prism.load %b [[y, i], []] : !prism.tensor<[s, e], f16> -> !prism.tile<[s/y/i, e], f16>
      %tc = prism.load %c [[y, i], []] : !prism.tensor<[s, v], f16> -> !prism.tile<[s/y/i, v], f16>
      %x = prism.matmul %ta, %tb maps [d0, d2], [d1, d2] -> [d0, d1] : (!prism.tile<[n/x, e], f16>, !prism.tile<[s/y/i, e], f16>) -> !prism.tile<[n/x, s/y/i], f32>
      %m = prism.reduce_max %x dims [1] : (!prism.tile<[n/x, s/y/i], f32>) -> !prism.tile<[n/x], f32>
      %d = prism.sub %x, %m maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/x, s/y/i], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x, s/y/i], f32>
      %p = prism.exp %d : (!prism.tile<[n/x, s/y/i], f32>) -> !prism.tile<[n/x, s/y/i], f32>
      %l = prism.reduce_sum %p dims [1] : (!prism.tile<[n/x, s/y/i], f32>) -> !prism.tile<[n/x], f32>
      %h = prism.cast %p : (!prism.tile<[n/x, s/y/i], f32>) -> !prism.tile<[n/x, s/y/i], f16>
      %o = prism.matmul %h, %tc : (!prism.tile<[n/x, s/y/i], f16>, !prism.tile<[s/y/i, v], f16>) -> !prism.tile<[n/x, v], f32>
      %am = prism.accumulate max %m over i : !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f32>
      %al = prism.accumulate rescaled_sum %l shift %m over i maps [d0], [d0] -> [d0] : !prism.tile<[n/x], f32>, !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f32>
      %ao = prism.accumulate rescaled_sum %o shift %m over i maps [d0, d1], [d0] -> [d0, d1] : !prism.tile<[n/x, v], f32>, !prism.tile<[n/x], f32> -> !prism.tile<[n/x, v], f32>
      %sm = prism.save %am [[x]] partials [y] : !prism.tile<[n/x], f32> -> !prism.tensor<[k0.y, n], f32>
      %sl = prism.save %al [[x]] partials [y] : !prism.tile<[n/x], f32> -> !prism.tensor<[k0.y, n], f32>
      %so = prism.save %ao [[x], []] partials [y] : !prism.tile<[n/x, v], f32> -> !prism.tensor<[k0.y, n, v], f32>
      prism.yield %sm, %sl, %so : !prism.tensor<[k0.y, n], f32>, !prism.tensor<[k0.y, n], f32>, !prism.tensor<[k0.y, n, v], f32>
    }
    %f = prism.kernel "k1"(%am = %r#0, %al = %r#1, %ao = %r#2) parallel [x grid, y grid] : (!prism.tensor<[k0.y, n], f32>, !prism.tensor<[k0.y, n], f32>, !prism.tensor<[k0.y, n, v], f32>) -> !prism.tensor<[n, v], f16> {
      %m = prism.load %am [[], [x]] : !prism.tensor<[k0.y, n], f32> -> !prism.tile<[k0.y, n/x], f32>
      %l = prism.load %al [[], [x]] : !prism.tensor<[k0.y, n], f32> -> !prism.tile<[k0.y, n/x], f32>
      %o = prism.load %ao [[], [x], [y]] : !prism.tensor<[k0.y, n, v], f32> -> !prism.tile<[k0.y, n/x, v/y], f32>
      %t = prism.reduce_max %m dims [0] : (!prism.tile<[k0.y, n/x], f32>) -> !prism.tile<[n/x], f32>
      %d = prism.sub %m, %t maps [d0, d1], [d1] -> [d0, d1] : (!prism.tile<[k0.y, n/x], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[k0.y, n/x], f32>
      %e = prism.exp %d : (!prism.tile<[k0.y, n/x], f32>) -> !prism.tile<[k0.y, n/x], f32>
      %le = prism.mul %l, %e : (!prism.tile<[k0.y, n/x], f32>, !prism.tile<[k0.y, n/x], f32>) -> !prism.tile<[k0.y, n/x], f32>
      %ls = prism.reduce_sum %le dims [0] : (!prism.tile<[k0.y, n/x], f32>) -> !prism.tile<[n/x], f32>
      %oe = prism.mul %o, %e maps [d0, d1, d2], [d0, d1] -> [d0, d1, d2] : (!prism.tile<[k0.y, n/x, v/y], f32>, !prism.tile<[k0.y, n/x], f32>) -> !prism.tile<[k0.y, n/x, v/y], f32>
      %os = prism.reduce_sum %oe dims [0] : (!prism.tile<[k0.y, n/x, v/y], f32>) -> !prism.tile<[n/x, v/y], f32>
      %y = prism.div %os, %ls maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/x, v/y], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x, v/y], f32>
      %c = prism.cast %y : (!prism.tile<[n/x, v/y], f32>) -> !prism.tile<[n/x, v/y], f16>
      %s = prism.save %c [[x], [y]] : !prism.tile<[n/x, v/y], f16> -> !prism.tensor<[n, v], f16>
      prism.yield %s : !prism.tensor<[n, v], f16>
    }
    prism.yield %f : !prism.tensor<[n, v], f16>
  }
  // Each block has one chunk.
  // CHECK: prism.candidate "flash_decoding_without_loop" mapped verdict Proved
  prism.candidate "flash_decoding_without_loop" mapped {
  ^bb0(%q: !prism.tensor<[n, e], f16>, %k: !prism.tensor<[s, e], f16>, %w: !prism.tensor<[s, v], f16>):
    %r:3 = prism.kernel "k0"(%a = %q, %b = %k, %c = %w) parallel [x grid, y grid] : (!prism.tensor<[n, e], f16>, !prism.tensor<[s, e], f16>, !prism.tensor<[s, v], f16>) -> (!prism.tensor<[k0.y, n], f32>, !prism.tensor<[k0.y, n], f32>, !prism.tensor<[k0.y, n, v], f32>) {
      %ta = prism.load %a [[x], []] : !prism.tensor<[n, e], f16> -> !prism.tile<[n/x, e], f16>
      %tb = prism.load %b [[y], []] : !prism.tensor<[s, e], f16> -> !prism.tile<[s/y, e], f16>
      %tc = prism.load %c [[y], []] : !prism.tensor<[s, v], f16> -> !prism.tile<[s/y, v], f16>
      %x = prism.matmul %ta, %tb maps [d0, d2], [d1, d2] -> [d0, d1] : (!prism.tile<[n/x, e], f16>, !prism.tile<[s/y, e], f16>) -> !prism.tile<[n/x, s/y], f32>
      %m = prism.reduce_max %x dims [1] : (!prism.tile<[n/x, s/y], f32>) -> !prism.tile<[n/x], f32>
      %d = prism.sub %x, %m maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/x, s/y], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x, s/y], f32>
      %p = prism.exp %d : (!prism.tile<[n/x, s/y], f32>) -> !prism.tile<[n/x, s/y], f32>
      %l = prism.reduce_sum %p dims [1] : (!prism.tile<[n/x, s/y], f32>) -> !prism.tile<[n/x], f32>
      %h = prism.cast %p : (!prism.tile<[n/x, s/y], f32>) -> !prism.tile<[n/x, s/y], f16>
      %o = prism.matmul %h, %tc : (!prism.tile<[n/x, s/y], f16>, !prism.tile<[s/y, v], f16>) -> !prism.tile<[n/x, v], f32>
      %sm = prism.save %m [[x]] partials [y] : !prism.tile<[n/x], f32> -> !prism.tensor<[k0.y, n], f32>
      %sl = prism.save %l [[x]] partials [y] : !prism.tile<[n/x], f32> -> !prism.tensor<[k0.y, n], f32>
      %so = prism.save %o [[x], []] partials [y] : !prism.tile<[n/x, v], f32> -> !prism.tensor<[k0.y, n, v], f32>
      prism.yield %sm, %sl, %so : !prism.tensor<[k0.y, n], f32>, !prism.tensor<[k0.y, n], f32>, !prism.tensor<[k0.y, n, v], f32>
    }
    %f = prism.kernel "k1"(%am = %r#0, %al = %r#1, %ao = %r#2) parallel [x grid, y grid] : (!prism.tensor<[k0.y, n], f32>, !prism.tensor<[k0.y, n], f32>, !prism.tensor<[k0.y, n, v], f32>) -> !prism.tensor<[n, v], f16> {
      %m = prism.load %am [[], [x]] : !prism.tensor<[k0.y, n], f32> -> !prism.tile<[k0.y, n/x], f32>
      %l = prism.load %al [[], [x]] : !prism.tensor<[k0.y, n], f32> -> !prism.tile<[k0.y, n/x], f32>
      %o = prism.load %ao [[], [x], [y]] : !prism.tensor<[k0.y, n, v], f32> -> !prism.tile<[k0.y, n/x, v/y], f32>
      %t = prism.reduce_max %m dims [0] : (!prism.tile<[k0.y, n/x], f32>) -> !prism.tile<[n/x], f32>
      %d = prism.sub %m, %t maps [d0, d1], [d1] -> [d0, d1] : (!prism.tile<[k0.y, n/x], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[k0.y, n/x], f32>
      %e = prism.exp %d : (!prism.tile<[k0.y, n/x], f32>) -> !prism.tile<[k0.y, n/x], f32>
      %le = prism.mul %l, %e : (!prism.tile<[k0.y, n/x], f32>, !prism.tile<[k0.y, n/x], f32>) -> !prism.tile<[k0.y, n/x], f32>
      %ls = prism.reduce_sum %le dims [0] : (!prism.tile<[k0.y, n/x], f32>) -> !prism.tile<[n/x], f32>
      %oe = prism.mul %o, %e maps [d0, d1, d2], [d0, d1] -> [d0, d1, d2] : (!prism.tile<[k0.y, n/x, v/y], f32>, !prism.tile<[k0.y, n/x], f32>) -> !prism.tile<[k0.y, n/x, v/y], f32>
      %os = prism.reduce_sum %oe dims [0] : (!prism.tile<[k0.y, n/x, v/y], f32>) -> !prism.tile<[n/x, v/y], f32>
      %y = prism.div %os, %ls maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/x, v/y], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x, v/y], f32>
      %c = prism.cast %y : (!prism.tile<[n/x, v/y], f32>) -> !prism.tile<[n/x, v/y], f16>
      %s = prism.save %c [[x], [y]] : !prism.tile<[n/x, v/y], f16> -> !prism.tensor<[n, v], f16>
      prism.yield %s : !prism.tensor<[n, v], f16>
    }
    prism.yield %f : !prism.tensor<[n, v], f16>
  }
  // Chunks that are shifted by their own maxima do not add up.
  // REMARK-DAG: remark: is Disproved
  // CHECK: prism.candidate "own_maxima" mapped verdict Disproved
  prism.candidate "own_maxima" mapped {
  ^bb0(%q: !prism.tensor<[n, e], f16>, %k: !prism.tensor<[s, e], f16>, %w: !prism.tensor<[s, v], f16>):
    %r = prism.kernel "k0"(%a = %q, %b = %k, %c = %w) parallel [x grid, i loop] : (!prism.tensor<[n, e], f16>, !prism.tensor<[s, e], f16>, !prism.tensor<[s, v], f16>) -> !prism.tensor<[n, v], f16> {
      %ta = prism.load %a [[x], []] : !prism.tensor<[n, e], f16> -> !prism.tile<[n/x, e], f16>
      %tb = prism.load %b [[i], []] : !prism.tensor<[s, e], f16> -> !prism.tile<[s/i, e], f16>
      %tc = prism.load %c [[i], []] : !prism.tensor<[s, v], f16> -> !prism.tile<[s/i, v], f16>
      %x = prism.matmul %ta, %tb maps [d0, d2], [d1, d2] -> [d0, d1] : (!prism.tile<[n/x, e], f16>, !prism.tile<[s/i, e], f16>) -> !prism.tile<[n/x, s/i], f32>
      %m = prism.reduce_max %x dims [1] : (!prism.tile<[n/x, s/i], f32>) -> !prism.tile<[n/x], f32>
      %d = prism.sub %x, %m maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/x, s/i], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x, s/i], f32>
      %p = prism.exp %d : (!prism.tile<[n/x, s/i], f32>) -> !prism.tile<[n/x, s/i], f32>
      %l = prism.reduce_sum %p dims [1] : (!prism.tile<[n/x, s/i], f32>) -> !prism.tile<[n/x], f32>
      %h = prism.cast %p : (!prism.tile<[n/x, s/i], f32>) -> !prism.tile<[n/x, s/i], f16>
      %o = prism.matmul %h, %tc : (!prism.tile<[n/x, s/i], f16>, !prism.tile<[s/i, v], f16>) -> !prism.tile<[n/x, v], f32>
      %al = prism.accumulate sum %l over i : !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f32>
      %ao = prism.accumulate sum %o over i : !prism.tile<[n/x, v], f32> -> !prism.tile<[n/x, v], f32>
      %y = prism.div %ao, %al maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/x, v], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x, v], f32>
      %z = prism.cast %y : (!prism.tile<[n/x, v], f32>) -> !prism.tile<[n/x, v], f16>
      %s = prism.save %z [[x], []] : !prism.tile<[n/x, v], f16> -> !prism.tensor<[n, v], f16>
      prism.yield %s : !prism.tensor<[n, v], f16>
    }
    prism.yield %r : !prism.tensor<[n, v], f16>
  }
  // CHECK: prism.candidate "denominator_not_rescaled" mapped verdict Disproved
  prism.candidate "denominator_not_rescaled" mapped {
  ^bb0(%q: !prism.tensor<[n, e], f16>, %k: !prism.tensor<[s, e], f16>, %w: !prism.tensor<[s, v], f16>):
    %r = prism.kernel "k0"(%a = %q, %b = %k, %c = %w) parallel [x grid, i loop] : (!prism.tensor<[n, e], f16>, !prism.tensor<[s, e], f16>, !prism.tensor<[s, v], f16>) -> !prism.tensor<[n, v], f16> {
      %ta = prism.load %a [[x], []] : !prism.tensor<[n, e], f16> -> !prism.tile<[n/x, e], f16>
      %tb = prism.load %b [[i], []] : !prism.tensor<[s, e], f16> -> !prism.tile<[s/i, e], f16>
      %tc = prism.load %c [[i], []] : !prism.tensor<[s, v], f16> -> !prism.tile<[s/i, v], f16>
      %x = prism.matmul %ta, %tb maps [d0, d2], [d1, d2] -> [d0, d1] : (!prism.tile<[n/x, e], f16>, !prism.tile<[s/i, e], f16>) -> !prism.tile<[n/x, s/i], f32>
      %m = prism.reduce_max %x dims [1] : (!prism.tile<[n/x, s/i], f32>) -> !prism.tile<[n/x], f32>
      %d = prism.sub %x, %m maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/x, s/i], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x, s/i], f32>
      %p = prism.exp %d : (!prism.tile<[n/x, s/i], f32>) -> !prism.tile<[n/x, s/i], f32>
      %l = prism.reduce_sum %p dims [1] : (!prism.tile<[n/x, s/i], f32>) -> !prism.tile<[n/x], f32>
      %h = prism.cast %p : (!prism.tile<[n/x, s/i], f32>) -> !prism.tile<[n/x, s/i], f16>
      %o = prism.matmul %h, %tc : (!prism.tile<[n/x, s/i], f16>, !prism.tile<[s/i, v], f16>) -> !prism.tile<[n/x, v], f32>
      %al = prism.accumulate sum %l over i : !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f32>
      %ao = prism.accumulate rescaled_sum %o shift %m over i maps [d0, d1], [d0] -> [d0, d1] : !prism.tile<[n/x, v], f32>, !prism.tile<[n/x], f32> -> !prism.tile<[n/x, v], f32>
      %y = prism.div %ao, %al maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/x, v], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x, v], f32>
      %z = prism.cast %y : (!prism.tile<[n/x, v], f32>) -> !prism.tile<[n/x, v], f16>
      %s = prism.save %z [[x], []] : !prism.tile<[n/x, v], f16> -> !prism.tensor<[n, v], f16>
      prism.yield %s : !prism.tensor<[n, v], f16>
    }
    prism.yield %r : !prism.tensor<[n, v], f16>
  }
  // CHECK: prism.candidate "numerator_not_weighted" mapped verdict Disproved
  prism.candidate "numerator_not_weighted" mapped {
  ^bb0(%q: !prism.tensor<[n, e], f16>, %k: !prism.tensor<[s, e], f16>, %w: !prism.tensor<[s, v], f16>):
    %r:3 = prism.kernel "k0"(%a = %q, %b = %k, %c = %w) parallel [x grid, y grid, i loop] : (!prism.tensor<[n, e], f16>, !prism.tensor<[s, e], f16>, !prism.tensor<[s, v], f16>) -> (!prism.tensor<[k0.y, n], f32>, !prism.tensor<[k0.y, n], f32>, !prism.tensor<[k0.y, n, v], f32>) {
      %ta = prism.load %a [[x], []] : !prism.tensor<[n, e], f16> -> !prism.tile<[n/x, e], f16>
      %tb = prism.load %b [[y, i], []] : !prism.tensor<[s, e], f16> -> !prism.tile<[s/y/i, e], f16>
      %tc = prism.load %c [[y, i], []] : !prism.tensor<[s, v], f16> -> !prism.tile<[s/y/i, v], f16>
      %x = prism.matmul %ta, %tb maps [d0, d2], [d1, d2] -> [d0, d1] : (!prism.tile<[n/x, e], f16>, !prism.tile<[s/y/i, e], f16>) -> !prism.tile<[n/x, s/y/i], f32>
      %m = prism.reduce_max %x dims [1] : (!prism.tile<[n/x, s/y/i], f32>) -> !prism.tile<[n/x], f32>
      %d = prism.sub %x, %m maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/x, s/y/i], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x, s/y/i], f32>
      %p = prism.exp %d : (!prism.tile<[n/x, s/y/i], f32>) -> !prism.tile<[n/x, s/y/i], f32>
      %l = prism.reduce_sum %p dims [1] : (!prism.tile<[n/x, s/y/i], f32>) -> !prism.tile<[n/x], f32>
      %h = prism.cast %p : (!prism.tile<[n/x, s/y/i], f32>) -> !prism.tile<[n/x, s/y/i], f16>
      %o = prism.matmul %h, %tc : (!prism.tile<[n/x, s/y/i], f16>, !prism.tile<[s/y/i, v], f16>) -> !prism.tile<[n/x, v], f32>
      %am = prism.accumulate max %m over i : !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f32>
      %al = prism.accumulate rescaled_sum %l shift %m over i maps [d0], [d0] -> [d0] : !prism.tile<[n/x], f32>, !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f32>
      %ao = prism.accumulate rescaled_sum %o shift %m over i maps [d0, d1], [d0] -> [d0, d1] : !prism.tile<[n/x, v], f32>, !prism.tile<[n/x], f32> -> !prism.tile<[n/x, v], f32>
      %sm = prism.save %am [[x]] partials [y] : !prism.tile<[n/x], f32> -> !prism.tensor<[k0.y, n], f32>
      %sl = prism.save %al [[x]] partials [y] : !prism.tile<[n/x], f32> -> !prism.tensor<[k0.y, n], f32>
      %so = prism.save %ao [[x], []] partials [y] : !prism.tile<[n/x, v], f32> -> !prism.tensor<[k0.y, n, v], f32>
      prism.yield %sm, %sl, %so : !prism.tensor<[k0.y, n], f32>, !prism.tensor<[k0.y, n], f32>, !prism.tensor<[k0.y, n, v], f32>
    }
    %f = prism.kernel "k1"(%am = %r#0, %al = %r#1, %ao = %r#2) parallel [x grid, y grid] : (!prism.tensor<[k0.y, n], f32>, !prism.tensor<[k0.y, n], f32>, !prism.tensor<[k0.y, n, v], f32>) -> !prism.tensor<[n, v], f16> {
      %m = prism.load %am [[], [x]] : !prism.tensor<[k0.y, n], f32> -> !prism.tile<[k0.y, n/x], f32>
      %l = prism.load %al [[], [x]] : !prism.tensor<[k0.y, n], f32> -> !prism.tile<[k0.y, n/x], f32>
      %o = prism.load %ao [[], [x], [y]] : !prism.tensor<[k0.y, n, v], f32> -> !prism.tile<[k0.y, n/x, v/y], f32>
      %t = prism.reduce_max %m dims [0] : (!prism.tile<[k0.y, n/x], f32>) -> !prism.tile<[n/x], f32>
      %d = prism.sub %m, %t maps [d0, d1], [d1] -> [d0, d1] : (!prism.tile<[k0.y, n/x], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[k0.y, n/x], f32>
      %e = prism.exp %d : (!prism.tile<[k0.y, n/x], f32>) -> !prism.tile<[k0.y, n/x], f32>
      %le = prism.mul %l, %e : (!prism.tile<[k0.y, n/x], f32>, !prism.tile<[k0.y, n/x], f32>) -> !prism.tile<[k0.y, n/x], f32>
      %ls = prism.reduce_sum %le dims [0] : (!prism.tile<[k0.y, n/x], f32>) -> !prism.tile<[n/x], f32>
      %oe = prism.mul %o, %e maps [d0, d1, d2], [d0, d1] -> [d0, d1, d2] : (!prism.tile<[k0.y, n/x, v/y], f32>, !prism.tile<[k0.y, n/x], f32>) -> !prism.tile<[k0.y, n/x, v/y], f32>
      %os = prism.reduce_sum %o dims [0] : (!prism.tile<[k0.y, n/x, v/y], f32>) -> !prism.tile<[n/x, v/y], f32>
      %y = prism.div %os, %ls maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/x, v/y], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x, v/y], f32>
      %c = prism.cast %y : (!prism.tile<[n/x, v/y], f32>) -> !prism.tile<[n/x, v/y], f16>
      %s = prism.save %c [[x], [y]] : !prism.tile<[n/x, v/y], f16> -> !prism.tensor<[n, v], f16>
      prism.yield %s : !prism.tensor<[n, v], f16>
    }
    prism.yield %f : !prism.tensor<[n, v], f16>
  }
}

// With batches and a scale, as attention is written.
prism.program @batched extents [b = 2, n = 8, e = 64, s = 1000, v = 64] (%q: !prism.tensor<[b, n, e], f16>, %k: !prism.tensor<[b, s, e], f16>, %w: !prism.tensor<[b, s, v], f16>) -> (!prism.tensor<[b, n, v], f16>) {
  %0 = prism.matmul %q, %k maps [d3, d0, d2], [d3, d1, d2] -> [d3, d0, d1] : (!prism.tensor<[b, n, e], f16>, !prism.tensor<[b, s, e], f16>) -> !prism.tensor<[b, n, s], f32>
  %sc = prism.constant 0.125 : f32 -> !prism.tensor<[], f32>
  %1 = prism.mul %0, %sc maps [d0, d1, d2], [] -> [d0, d1, d2] : (!prism.tensor<[b, n, s], f32>, !prism.tensor<[], f32>) -> !prism.tensor<[b, n, s], f32>
  %3 = prism.reduce_max %1 dims [2] : (!prism.tensor<[b, n, s], f32>) -> !prism.tensor<[b, n], f32>
  %4 = prism.sub %1, %3 maps [d2, d0, d1], [d2, d0] -> [d2, d0, d1] : (!prism.tensor<[b, n, s], f32>, !prism.tensor<[b, n], f32>) -> !prism.tensor<[b, n, s], f32>
  %5 = prism.exp %4 : (!prism.tensor<[b, n, s], f32>) -> !prism.tensor<[b, n, s], f32>
  %6 = prism.reduce_sum %5 dims [2] : (!prism.tensor<[b, n, s], f32>) -> !prism.tensor<[b, n], f32>
  %7 = prism.div %5, %6 maps [d2, d0, d1], [d2, d0] -> [d2, d0, d1] : (!prism.tensor<[b, n, s], f32>, !prism.tensor<[b, n], f32>) -> !prism.tensor<[b, n, s], f32>
  %8 = prism.cast %7 : (!prism.tensor<[b, n, s], f32>) -> !prism.tensor<[b, n, s], f16>
  %9 = prism.matmul %8, %w : (!prism.tensor<[b, n, s], f16>, !prism.tensor<[b, s, v], f16>) -> !prism.tensor<[b, n, v], f32>
  %10 = prism.cast %9 : (!prism.tensor<[b, n, v], f32>) -> !prism.tensor<[b, n, v], f16>
  prism.yield %10 : !prism.tensor<[b, n, v], f16>
} candidates {
  // CHECK: prism.candidate "online_softmax" mapped verdict Proved
  prism.candidate "online_softmax" mapped {
  ^bb0(%q: !prism.tensor<[b, n, e], f16>, %k: !prism.tensor<[b, s, e], f16>, %w: !prism.tensor<[b, s, v], f16>):
    %r = prism.kernel "k0"(%a = %q, %b = %k, %c = %w) parallel [z grid, x grid, i loop] : (!prism.tensor<[b, n, e], f16>, !prism.tensor<[b, s, e], f16>, !prism.tensor<[b, s, v], f16>) -> !prism.tensor<[b, n, v], f16> {
      %ta = prism.load %a [[z], [x], []] : !prism.tensor<[b, n, e], f16> -> !prism.tile<[b/z, n/x, e], f16>
      %tb = prism.load %b [[z], [i], []] : !prism.tensor<[b, s, e], f16> -> !prism.tile<[b/z, s/i, e], f16>
      %tc = prism.load %c [[z], [i], []] : !prism.tensor<[b, s, v], f16> -> !prism.tile<[b/z, s/i, v], f16>
      %x0 = prism.matmul %ta, %tb maps [d3, d0, d2], [d3, d1, d2] -> [d3, d0, d1] : (!prism.tile<[b/z, n/x, e], f16>, !prism.tile<[b/z, s/i, e], f16>) -> !prism.tile<[b/z, n/x, s/i], f32>
      %sc = prism.constant 0.125 : f32 -> !prism.tile<[], f32>
      %x = prism.mul %x0, %sc maps [d0, d1, d2], [] -> [d0, d1, d2] : (!prism.tile<[b/z, n/x, s/i], f32>, !prism.tile<[], f32>) -> !prism.tile<[b/z, n/x, s/i], f32>
      %m = prism.reduce_max %x dims [2] : (!prism.tile<[b/z, n/x, s/i], f32>) -> !prism.tile<[b/z, n/x], f32>
      %d = prism.sub %x, %m maps [d2, d0, d1], [d2, d0] -> [d2, d0, d1] : (!prism.tile<[b/z, n/x, s/i], f32>, !prism.tile<[b/z, n/x], f32>) -> !prism.tile<[b/z, n/x, s/i], f32>
      %p = prism.exp %d : (!prism.tile<[b/z, n/x, s/i], f32>) -> !prism.tile<[b/z, n/x, s/i], f32>
      %l = prism.reduce_sum %p dims [2] : (!prism.tile<[b/z, n/x, s/i], f32>) -> !prism.tile<[b/z, n/x], f32>
      %h = prism.cast %p : (!prism.tile<[b/z, n/x, s/i], f32>) -> !prism.tile<[b/z, n/x, s/i], f16>
      %o = prism.matmul %h, %tc : (!prism.tile<[b/z, n/x, s/i], f16>, !prism.tile<[b/z, s/i, v], f16>) -> !prism.tile<[b/z, n/x, v], f32>
      %al = prism.accumulate rescaled_sum %l shift %m over i maps [d1, d0], [d1, d0] -> [d1, d0] : !prism.tile<[b/z, n/x], f32>, !prism.tile<[b/z, n/x], f32> -> !prism.tile<[b/z, n/x], f32>
      %ao = prism.accumulate rescaled_sum %o shift %m over i maps [d2, d0, d1], [d2, d0] -> [d2, d0, d1] : !prism.tile<[b/z, n/x, v], f32>, !prism.tile<[b/z, n/x], f32> -> !prism.tile<[b/z, n/x, v], f32>
      %y = prism.div %ao, %al maps [d2, d0, d1], [d2, d0] -> [d2, d0, d1] : (!prism.tile<[b/z, n/x, v], f32>, !prism.tile<[b/z, n/x], f32>) -> !prism.tile<[b/z, n/x, v], f32>
      %z = prism.cast %y : (!prism.tile<[b/z, n/x, v], f32>) -> !prism.tile<[b/z, n/x, v], f16>
      %s = prism.save %z [[z], [x], []] : !prism.tile<[b/z, n/x, v], f16> -> !prism.tensor<[b, n, v], f16>
      prism.yield %s : !prism.tensor<[b, n, v], f16>
    }
    prism.yield %r : !prism.tensor<[b, n, v], f16>
  }
  // CHECK: prism.candidate "flash_decoding" mapped verdict Proved
  prism.candidate "flash_decoding" mapped {
  ^bb0(%q: !prism.tensor<[b, n, e], f16>, %k: !prism.tensor<[b, s, e], f16>, %w: !prism.tensor<[b, s, v], f16>):
    %r:3 = prism.kernel "k0"(%a = %q, %b = %k, %c = %w) parallel [z grid, x grid, y grid, i loop] : (!prism.tensor<[b, n, e], f16>, !prism.tensor<[b, s, e], f16>, !prism.tensor<[b, s, v], f16>) -> (!prism.tensor<[k0.y, b, n], f32>, !prism.tensor<[k0.y, b, n], f32>, !prism.tensor<[k0.y, b, n, v], f32>) {
      %ta = prism.load %a [[z], [x], []] : !prism.tensor<[b, n, e], f16> -> !prism.tile<[b/z, n/x, e], f16>
      %tb = prism.load %b [[z], [y, i], []] : !prism.tensor<[b, s, e], f16> -> !prism.tile<[b/z, s/y/i, e], f16>
      %tc = prism.load %c [[z], [y, i], []] : !prism.tensor<[b, s, v], f16> -> !prism.tile<[b/z, s/y/i, v], f16>
      %x0 = prism.matmul %ta, %tb maps [d3, d0, d2], [d3, d1, d2] -> [d3, d0, d1] : (!prism.tile<[b/z, n/x, e], f16>, !prism.tile<[b/z, s/y/i, e], f16>) -> !prism.tile<[b/z, n/x, s/y/i], f32>
      %sc = prism.constant 0.125 : f32 -> !prism.tile<[], f32>
      %x = prism.mul %x0, %sc maps [d0, d1, d2], [] -> [d0, d1, d2] : (!prism.tile<[b/z, n/x, s/y/i], f32>, !prism.tile<[], f32>) -> !prism.tile<[b/z, n/x, s/y/i], f32>
      %m = prism.reduce_max %x dims [2] : (!prism.tile<[b/z, n/x, s/y/i], f32>) -> !prism.tile<[b/z, n/x], f32>
      %d = prism.sub %x, %m maps [d2, d0, d1], [d2, d0] -> [d2, d0, d1] : (!prism.tile<[b/z, n/x, s/y/i], f32>, !prism.tile<[b/z, n/x], f32>) -> !prism.tile<[b/z, n/x, s/y/i], f32>
      %p = prism.exp %d : (!prism.tile<[b/z, n/x, s/y/i], f32>) -> !prism.tile<[b/z, n/x, s/y/i], f32>
      %l = prism.reduce_sum %p dims [2] : (!prism.tile<[b/z, n/x, s/y/i], f32>) -> !prism.tile<[b/z, n/x], f32>
      %h = prism.cast %p : (!prism.tile<[b/z, n/x, s/y/i], f32>) -> !prism.tile<[b/z, n/x, s/y/i], f16>
      %o = prism.matmul %h, %tc : (!prism.tile<[b/z, n/x, s/y/i], f16>, !prism.tile<[b/z, s/y/i, v], f16>) -> !prism.tile<[b/z, n/x, v], f32>
      %am = prism.accumulate max %m over i : !prism.tile<[b/z, n/x], f32> -> !prism.tile<[b/z, n/x], f32>
      %al = prism.accumulate rescaled_sum %l shift %m over i maps [d1, d0], [d1, d0] -> [d1, d0] : !prism.tile<[b/z, n/x], f32>, !prism.tile<[b/z, n/x], f32> -> !prism.tile<[b/z, n/x], f32>
      %ao = prism.accumulate rescaled_sum %o shift %m over i maps [d2, d0, d1], [d2, d0] -> [d2, d0, d1] : !prism.tile<[b/z, n/x, v], f32>, !prism.tile<[b/z, n/x], f32> -> !prism.tile<[b/z, n/x, v], f32>
      %sm = prism.save %am [[z], [x]] partials [y] : !prism.tile<[b/z, n/x], f32> -> !prism.tensor<[k0.y, b, n], f32>
      %sl = prism.save %al [[z], [x]] partials [y] : !prism.tile<[b/z, n/x], f32> -> !prism.tensor<[k0.y, b, n], f32>
      %so = prism.save %ao [[z], [x], []] partials [y] : !prism.tile<[b/z, n/x, v], f32> -> !prism.tensor<[k0.y, b, n, v], f32>
      prism.yield %sm, %sl, %so : !prism.tensor<[k0.y, b, n], f32>, !prism.tensor<[k0.y, b, n], f32>, !prism.tensor<[k0.y, b, n, v], f32>
    }
    %f = prism.kernel "k1"(%am = %r#0, %al = %r#1, %ao = %r#2) parallel [z grid, x grid, y grid] : (!prism.tensor<[k0.y, b, n], f32>, !prism.tensor<[k0.y, b, n], f32>, !prism.tensor<[k0.y, b, n, v], f32>) -> !prism.tensor<[b, n, v], f16> {
      %m = prism.load %am [[], [z], [x]] : !prism.tensor<[k0.y, b, n], f32> -> !prism.tile<[k0.y, b/z, n/x], f32>
      %l = prism.load %al [[], [z], [x]] : !prism.tensor<[k0.y, b, n], f32> -> !prism.tile<[k0.y, b/z, n/x], f32>
      %o = prism.load %ao [[], [z], [x], [y]] : !prism.tensor<[k0.y, b, n, v], f32> -> !prism.tile<[k0.y, b/z, n/x, v/y], f32>
      %t = prism.reduce_max %m dims [0] : (!prism.tile<[k0.y, b/z, n/x], f32>) -> !prism.tile<[b/z, n/x], f32>
      %d = prism.sub %m, %t maps [d2, d0, d1], [d0, d1] -> [d2, d0, d1] : (!prism.tile<[k0.y, b/z, n/x], f32>, !prism.tile<[b/z, n/x], f32>) -> !prism.tile<[k0.y, b/z, n/x], f32>
      %e = prism.exp %d : (!prism.tile<[k0.y, b/z, n/x], f32>) -> !prism.tile<[k0.y, b/z, n/x], f32>
      %le = prism.mul %l, %e : (!prism.tile<[k0.y, b/z, n/x], f32>, !prism.tile<[k0.y, b/z, n/x], f32>) -> !prism.tile<[k0.y, b/z, n/x], f32>
      %ls = prism.reduce_sum %le dims [0] : (!prism.tile<[k0.y, b/z, n/x], f32>) -> !prism.tile<[b/z, n/x], f32>
      %oe = prism.mul %o, %e maps [d0, d3, d1, d2], [d0, d3, d1] -> [d0, d3, d1, d2] : (!prism.tile<[k0.y, b/z, n/x, v/y], f32>, !prism.tile<[k0.y, b/z, n/x], f32>) -> !prism.tile<[k0.y, b/z, n/x, v/y], f32>
      %os = prism.reduce_sum %oe dims [0] : (!prism.tile<[k0.y, b/z, n/x, v/y], f32>) -> !prism.tile<[b/z, n/x, v/y], f32>
      %y = prism.div %os, %ls maps [d2, d0, d1], [d2, d0] -> [d2, d0, d1] : (!prism.tile<[b/z, n/x, v/y], f32>, !prism.tile<[b/z, n/x], f32>) -> !prism.tile<[b/z, n/x, v/y], f32>
      %c = prism.cast %y : (!prism.tile<[b/z, n/x, v/y], f32>) -> !prism.tile<[b/z, n/x, v/y], f16>
      %s = prism.save %c [[z], [x], [y]] : !prism.tile<[b/z, n/x, v/y], f16> -> !prism.tensor<[b, n, v], f16>
      prism.yield %s : !prism.tensor<[b, n, v], f16>
    }
    prism.yield %f : !prism.tensor<[b, n, v], f16>
  }
}

// The shift moves through what stands between the exponential and its sum.
prism.program @weighted extents [n = 8, e = 64, s = 1000, v = 64] (%q: !prism.tensor<[n, e], f16>, %k: !prism.tensor<[s, e], f16>, %w: !prism.tensor<[s, v], f16>, %g: !prism.tensor<[n, s], f32>) -> (!prism.tensor<[n, v], f16>) {
  %0 = prism.matmul %q, %k maps [d0, d2], [d1, d2] -> [d0, d1] : (!prism.tensor<[n, e], f16>, !prism.tensor<[s, e], f16>) -> !prism.tensor<[n, s], f32>
  %3 = prism.reduce_max %0 dims [1] : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n], f32>
  %4 = prism.sub %0, %3 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, s], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, s], f32>
  %5 = prism.exp %4 : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n, s], f32>
  %6 = prism.reduce_sum %5 dims [1] : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n], f32>
  %7 = prism.div %5, %6 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, s], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, s], f32>
  %g7 = prism.mul %7, %g : (!prism.tensor<[n, s], f32>, !prism.tensor<[n, s], f32>) -> !prism.tensor<[n, s], f32>
  %8 = prism.cast %g7 : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n, s], f16>
  %9 = prism.matmul %8, %w : (!prism.tensor<[n, s], f16>, !prism.tensor<[s, v], f16>) -> !prism.tensor<[n, v], f32>
  %10 = prism.cast %9 : (!prism.tensor<[n, v], f32>) -> !prism.tensor<[n, v], f16>
  prism.yield %10 : !prism.tensor<[n, v], f16>
} candidates {
  // CHECK: prism.candidate "online_softmax" mapped verdict Proved
  prism.candidate "online_softmax" mapped {
  ^bb0(%q: !prism.tensor<[n, e], f16>, %k: !prism.tensor<[s, e], f16>, %w: !prism.tensor<[s, v], f16>, %g: !prism.tensor<[n, s], f32>):
    %r = prism.kernel "k0"(%a = %q, %b = %k, %c = %w, %d = %g) parallel [x grid, i loop] : (!prism.tensor<[n, e], f16>, !prism.tensor<[s, e], f16>, !prism.tensor<[s, v], f16>, !prism.tensor<[n, s], f32>) -> !prism.tensor<[n, v], f16> {
      %ta = prism.load %a [[x], []] : !prism.tensor<[n, e], f16> -> !prism.tile<[n/x, e], f16>
      %tb = prism.load %b [[i], []] : !prism.tensor<[s, e], f16> -> !prism.tile<[s/i, e], f16>
      %tc = prism.load %c [[i], []] : !prism.tensor<[s, v], f16> -> !prism.tile<[s/i, v], f16>
      %tg = prism.load %d [[x], [i]] : !prism.tensor<[n, s], f32> -> !prism.tile<[n/x, s/i], f32>
      %x = prism.matmul %ta, %tb maps [d0, d2], [d1, d2] -> [d0, d1] : (!prism.tile<[n/x, e], f16>, !prism.tile<[s/i, e], f16>) -> !prism.tile<[n/x, s/i], f32>
      %m = prism.reduce_max %x dims [1] : (!prism.tile<[n/x, s/i], f32>) -> !prism.tile<[n/x], f32>
      %u = prism.sub %x, %m maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/x, s/i], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x, s/i], f32>
      %p = prism.exp %u : (!prism.tile<[n/x, s/i], f32>) -> !prism.tile<[n/x, s/i], f32>
      %l = prism.reduce_sum %p dims [1] : (!prism.tile<[n/x, s/i], f32>) -> !prism.tile<[n/x], f32>
      %pg = prism.mul %p, %tg : (!prism.tile<[n/x, s/i], f32>, !prism.tile<[n/x, s/i], f32>) -> !prism.tile<[n/x, s/i], f32>
      %h = prism.cast %pg : (!prism.tile<[n/x, s/i], f32>) -> !prism.tile<[n/x, s/i], f16>
      %o = prism.matmul %h, %tc : (!prism.tile<[n/x, s/i], f16>, !prism.tile<[s/i, v], f16>) -> !prism.tile<[n/x, v], f32>
      %al = prism.accumulate rescaled_sum %l shift %m over i maps [d0], [d0] -> [d0] : !prism.tile<[n/x], f32>, !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f32>
      %ao = prism.accumulate rescaled_sum %o shift %m over i maps [d0, d1], [d0] -> [d0, d1] : !prism.tile<[n/x, v], f32>, !prism.tile<[n/x], f32> -> !prism.tile<[n/x, v], f32>
      %y = prism.div %ao, %al maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/x, v], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x, v], f32>
      %z = prism.cast %y : (!prism.tile<[n/x, v], f32>) -> !prism.tile<[n/x, v], f16>
      %s = prism.save %z [[x], []] : !prism.tile<[n/x, v], f16> -> !prism.tensor<[n, v], f16>
      prism.yield %s : !prism.tensor<[n, v], f16>
    }
    prism.yield %r : !prism.tensor<[n, v], f16>
  }
}

// A running maximum is used after the loop, and saved.
prism.program @logsumexp extents [n = 8, s = 1000] (%x: !prism.tensor<[n, s], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_max %x dims [1] : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n], f32>
  %1 = prism.sub %x, %0 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, s], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, s], f32>
  %2 = prism.exp %1 : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n, s], f32>
  %3 = prism.reduce_sum %2 dims [1] : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n], f32>
  %4 = prism.log %3 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %5 = prism.add %0, %4 : (!prism.tensor<[n], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %5 : !prism.tensor<[n], f32>
} candidates {
  // CHECK: prism.candidate "loop" mapped verdict Proved
  prism.candidate "loop" mapped {
  ^bb0(%x: !prism.tensor<[n, s], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid, i loop] : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[x], [i]] : !prism.tensor<[n, s], f32> -> !prism.tile<[n/x, s/i], f32>
      %m = prism.reduce_max %t dims [1] : (!prism.tile<[n/x, s/i], f32>) -> !prism.tile<[n/x], f32>
      %d = prism.sub %t, %m maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/x, s/i], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x, s/i], f32>
      %p = prism.exp %d : (!prism.tile<[n/x, s/i], f32>) -> !prism.tile<[n/x, s/i], f32>
      %l = prism.reduce_sum %p dims [1] : (!prism.tile<[n/x, s/i], f32>) -> !prism.tile<[n/x], f32>
      %am = prism.accumulate max %m over i : !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f32>
      %al = prism.accumulate rescaled_sum %l shift %m over i : !prism.tile<[n/x], f32>, !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f32>
      %g = prism.log %al : (!prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %z = prism.add %am, %g : (!prism.tile<[n/x], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %s = prism.save %z [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %s : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
  // CHECK: prism.candidate "split" mapped verdict Proved
  prism.candidate "split" mapped {
  ^bb0(%x: !prism.tensor<[n, s], f32>):
    %r:2 = prism.kernel "k0"(%a = %x) parallel [y grid, i loop] : (!prism.tensor<[n, s], f32>) -> (!prism.tensor<[k0.y, n], f32>, !prism.tensor<[k0.y, n], f32>) {
      %t = prism.load %a [[], [y, i]] : !prism.tensor<[n, s], f32> -> !prism.tile<[n, s/y/i], f32>
      %m = prism.reduce_max %t dims [1] : (!prism.tile<[n, s/y/i], f32>) -> !prism.tile<[n], f32>
      %d = prism.sub %t, %m maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n, s/y/i], f32>, !prism.tile<[n], f32>) -> !prism.tile<[n, s/y/i], f32>
      %p = prism.exp %d : (!prism.tile<[n, s/y/i], f32>) -> !prism.tile<[n, s/y/i], f32>
      %l = prism.reduce_sum %p dims [1] : (!prism.tile<[n, s/y/i], f32>) -> !prism.tile<[n], f32>
      %am = prism.accumulate max %m over i : !prism.tile<[n], f32> -> !prism.tile<[n], f32>
      %al = prism.accumulate rescaled_sum %l shift %m over i : !prism.tile<[n], f32>, !prism.tile<[n], f32> -> !prism.tile<[n], f32>
      %sm = prism.save %am [[]] partials [y] : !prism.tile<[n], f32> -> !prism.tensor<[k0.y, n], f32>
      %sl = prism.save %al [[]] partials [y] : !prism.tile<[n], f32> -> !prism.tensor<[k0.y, n], f32>
      prism.yield %sm, %sl : !prism.tensor<[k0.y, n], f32>, !prism.tensor<[k0.y, n], f32>
    }
    %f = prism.kernel "k1"(%a = %r#0, %b = %r#1) parallel [x grid] : (!prism.tensor<[k0.y, n], f32>, !prism.tensor<[k0.y, n], f32>) -> !prism.tensor<[n], f32> {
      %m = prism.load %a [[], [x]] : !prism.tensor<[k0.y, n], f32> -> !prism.tile<[k0.y, n/x], f32>
      %l = prism.load %b [[], [x]] : !prism.tensor<[k0.y, n], f32> -> !prism.tile<[k0.y, n/x], f32>
      %t = prism.reduce_max %m dims [0] : (!prism.tile<[k0.y, n/x], f32>) -> !prism.tile<[n/x], f32>
      %d = prism.sub %m, %t maps [d0, d1], [d1] -> [d0, d1] : (!prism.tile<[k0.y, n/x], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[k0.y, n/x], f32>
      %e = prism.exp %d : (!prism.tile<[k0.y, n/x], f32>) -> !prism.tile<[k0.y, n/x], f32>
      %w = prism.mul %e, %l : (!prism.tile<[k0.y, n/x], f32>, !prism.tile<[k0.y, n/x], f32>) -> !prism.tile<[k0.y, n/x], f32>
      %u = prism.reduce_sum %w dims [0] : (!prism.tile<[k0.y, n/x], f32>) -> !prism.tile<[n/x], f32>
      %g = prism.log %u : (!prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %z = prism.add %t, %g : (!prism.tile<[n/x], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %s = prism.save %z [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %s : !prism.tensor<[n], f32>
    }
    prism.yield %f : !prism.tensor<[n], f32>
  }
}

// What two kernels do to tiles is right only where both cut the same ones: the
// sizes of their dims are independent.
prism.program @tiles extents [n = 8] (%x: !prism.tensor<[n], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.exp %x : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
} candidates {
  // REMARK-DAG: remark: is Disproved: at n = {{[0-9]+}}, grid0@n tile 2, grid1@n tile 3
  // CHECK: prism.candidate "equal_tiles" mapped verdict Disproved
  prism.candidate "equal_tiles" mapped {
  ^bb0(%x: !prism.tensor<[n], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid] : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[x]] : !prism.tensor<[n], f32> -> !prism.tile<[n/x], f32>
      %e = prism.exp %t : (!prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %s = prism.reduce_sum %e dims [0] : (!prism.tile<[n/x], f32>) -> !prism.tile<[], f32>
      %q = prism.mul %e, %s maps [d0], [] -> [d0] : (!prism.tile<[n/x], f32>, !prism.tile<[], f32>) -> !prism.tile<[n/x], f32>
      %z = prism.save %q [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %z : !prism.tensor<[n], f32>
    }
    %f = prism.kernel "k1"(%a = %x, %b = %r) parallel [x grid] : (!prism.tensor<[n], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[x]] : !prism.tensor<[n], f32> -> !prism.tile<[n/x], f32>
      %q = prism.load %b [[x]] : !prism.tensor<[n], f32> -> !prism.tile<[n/x], f32>
      %e = prism.exp %t : (!prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %s = prism.reduce_sum %e dims [0] : (!prism.tile<[n/x], f32>) -> !prism.tile<[], f32>
      %d = prism.div %q, %s maps [d0], [] -> [d0] : (!prism.tile<[n/x], f32>, !prism.tile<[], f32>) -> !prism.tile<[n/x], f32>
      %z = prism.save %d [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %z : !prism.tensor<[n], f32>
    }
    prism.yield %f : !prism.tensor<[n], f32>
  }
}
