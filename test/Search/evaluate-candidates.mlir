// RUN: prism-opt %s | not %python %S/Inputs/evaluate_candidates.py - | FileCheck %s
// REQUIRES: python-ctypes

// The independent evaluation of candidates tells right from wrong: accumulators of
// every kind, partials and several kernels, ragged chunks.

prism.program @attention extents [n = 8, e = 64, s = 1000, v = 64] (%q: !prism.tensor<[n, e], f16>, %k: !prism.tensor<[s, e], f16>, %w: !prism.tensor<[s, v], f16>) -> (!prism.tensor<[n, v], f16>) {
  %0 = prism.matmul %q, %k maps [d0, d2], [d1, d2] -> [d0, d1] : (!prism.tensor<[n, e], f16>, !prism.tensor<[s, e], f16>) -> !prism.tensor<[n, s], f32>
  %1 = prism.reduce_max %0 dims [1] : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n], f32>
  %2 = prism.sub %0, %1 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, s], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, s], f32>
  %3 = prism.exp %2 : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n, s], f32>
  %4 = prism.reduce_sum %3 dims [1] : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n], f32>
  %5 = prism.div %3, %4 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, s], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, s], f32>
  %6 = prism.cast %5 : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n, s], f16>
  %7 = prism.matmul %6, %w : (!prism.tensor<[n, s], f16>, !prism.tensor<[s, v], f16>) -> !prism.tensor<[n, v], f32>
  %8 = prism.cast %7 : (!prism.tensor<[n, v], f32>) -> !prism.tensor<[n, v], f16>
  prism.yield %8 : !prism.tensor<[n, v], f16>
} candidates {
  // CHECK: attention online_softmax unverified: equal
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
  // The steps shift by different maxima.
  // CHECK: attention not_rescaled unverified: wrong: A: result 0 differs
  prism.candidate "not_rescaled" mapped {
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
  // CHECK: attention flash_decoding unverified: equal
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
}

// Sums of partials, and what goes wrong with them.
prism.program @rows extents [n = ?, d = ?] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.square %x : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %1 = prism.reduce_sum %0 dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %2 = prism.sqrt %1 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %2 : !prism.tensor<[n], f32>
} candidates {
  // CHECK: rows split Proved: equal
  prism.candidate "split" mapped verdict Proved {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %p = prism.kernel "k0"(%a = %x) parallel [y grid, i loop] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[k0.y, n], f32> {
      %t = prism.load %a [[], [y, i]] : !prism.tensor<[n, d], f32> -> !prism.tile<[n, d/y/i], f32>
      %q = prism.square %t : (!prism.tile<[n, d/y/i], f32>) -> !prism.tile<[n, d/y/i], f32>
      %s = prism.reduce_sum %q dims [1] : (!prism.tile<[n, d/y/i], f32>) -> !prism.tile<[n], f32>
      %c = prism.accumulate sum %s over i : !prism.tile<[n], f32> -> !prism.tile<[n], f32>
      %o = prism.save %c [[]] partials [y] : !prism.tile<[n], f32> -> !prism.tensor<[k0.y, n], f32>
      prism.yield %o : !prism.tensor<[k0.y, n], f32>
    }
    %r = prism.reduce_sum %p dims [0] : (!prism.tensor<[k0.y, n], f32>) -> !prism.tensor<[n], f32>
    %u = prism.sqrt %r : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
    prism.yield %u : !prism.tensor<[n], f32>
  }
  // The root of each partial sum.
  // CHECK: rows root_first Proved: wrong: A: result 0 differs
  prism.candidate "root_first" mapped verdict Proved {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %p = prism.kernel "k0"(%a = %x) parallel [y grid] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[k0.y, n], f32> {
      %t = prism.load %a [[], [y]] : !prism.tensor<[n, d], f32> -> !prism.tile<[n, d/y], f32>
      %q = prism.square %t : (!prism.tile<[n, d/y], f32>) -> !prism.tile<[n, d/y], f32>
      %s = prism.reduce_sum %q dims [1] : (!prism.tile<[n, d/y], f32>) -> !prism.tile<[n], f32>
      %u = prism.sqrt %s : (!prism.tile<[n], f32>) -> !prism.tile<[n], f32>
      %o = prism.save %u [[]] partials [y] : !prism.tile<[n], f32> -> !prism.tensor<[k0.y, n], f32>
      prism.yield %o : !prism.tensor<[k0.y, n], f32>
    }
    %r = prism.reduce_sum %p dims [0] : (!prism.tensor<[k0.y, n], f32>) -> !prism.tensor<[n], f32>
    prism.yield %r : !prism.tensor<[n], f32>
  }
  // An output that is a sum over blocks is read as one block's.
  // CHECK: rows unwritten_sum Unknown: refuted: A: blocks write different values
  prism.candidate "unwritten_sum" mapped verdict Unknown {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %p = prism.kernel "k0"(%a = %x) parallel [y grid] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[], [y]] : !prism.tensor<[n, d], f32> -> !prism.tile<[n, d/y], f32>
      %q = prism.square %t : (!prism.tile<[n, d/y], f32>) -> !prism.tile<[n, d/y], f32>
      %s = prism.reduce_sum %q dims [1] : (!prism.tile<[n, d/y], f32>) -> !prism.tile<[n], f32>
      %u = prism.sqrt %s : (!prism.tile<[n], f32>) -> !prism.tile<[n], f32>
      %o = prism.save %u [[]] : !prism.tile<[n], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %p : !prism.tensor<[n], f32>
  }
  // CHECK: rows open unverified: not run: it is symbolic
  prism.candidate "open" symbolic {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %p = prism.kernel "k0"(%a = %x) parallel [x grid] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[x?m0], []] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x?m0, d], f32>
      %q = prism.square %t : (!prism.tile<[n/x?m0, d], f32>) -> !prism.tile<[n/x?m0, d], f32>
      %s = prism.reduce_sum %q dims [1] : (!prism.tile<[n/x?m0, d], f32>) -> !prism.tile<[n/x?m0], f32>
      %u = prism.sqrt %s : (!prism.tile<[n/x?m0], f32>) -> !prism.tile<[n/x?m0], f32>
      %o = prism.save %u [[x?m0]] : !prism.tile<[n/x?m0], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %p : !prism.tensor<[n], f32>
  }
}
// CHECK: 7 candidates of 2 programs: 3 equal, 2 wrong, 1 refuted, 1 not run
