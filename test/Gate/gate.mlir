// RUN: prism-opt %s -split-input-file -verify-diagnostics --prism-gate
// RUN: not prism-opt %s --prism-gate=target=sm_1 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: option 'target' is 'sm_1', expected one of: sm_80,

// What is right passes; the program's own error is beside the kernel's.
prism.program @right extents [n = 9, d = 70] (%x: !prism.tensor<[n, d], f16>) -> (!prism.tensor<[n], f16>) {
  %0 = prism.reduce_sum %x dims [1] : (!prism.tensor<[n, d], f16>) -> !prism.tensor<[n], f32>
  %1 = prism.cast %0 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f16>
  prism.yield %1 : !prism.tensor<[n], f16>
} candidates {
  // expected-remark @+1 {{candidate 'a' passes the gate: 4 runs, }}
  prism.candidate "a" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, d], f16>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid tile 4, i loop tile 32] : (!prism.tensor<[n, d], f16>) -> !prism.tensor<[n], f16> {
      %t = prism.load %a [[x], [i]] : !prism.tensor<[n, d], f16> -> !prism.tile<[n/x, d/i], f16>
      %s = prism.reduce_sum %t dims [1] : (!prism.tile<[n/x, d/i], f16>) -> !prism.tile<[n/x], f32>
      %c = prism.accumulate sum %s over i : !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f32>
      %o = prism.cast %c : (!prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f16>
      %z = prism.save %o [[x]] : !prism.tile<[n/x], f16> -> !prism.tensor<[n], f16>
      prism.yield %z : !prism.tensor<[n], f16>
    }
    prism.yield %r : !prism.tensor<[n], f16>
  }
}

// -----

// What computes something else does not, whatever its verdict says: a maximum
// is no sum.
prism.program @wrong extents [n = 9, d = 70] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_sum %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
} candidates {
  // expected-error-re @+1 {{candidate 'a' fails the gate: result 0 of kernel 'k0' at [0] is {{.*}}, expected {{.*}}; the program in its declared precision gives {{.*}}, written by kernel {{.*}}, block (0,0,0), thread ({{.*}}), PTX line {{.*}} (normal inputs), at n = 9, d = 70}}
  prism.candidate "a" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid tile 4, i loop tile 32] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[x], [i]] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d/i], f32>
      %s = prism.reduce_max %t dims [1] : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x], f32>
      %c = prism.accumulate max %s over i : !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f32>
      %z = prism.save %c [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %z : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}

// -----

// Masks are filled with hidden chunks and rows: a maximum that forgets what is
// masked shows only there.
prism.program @masked extents [n = 8, d = 64] (%x: !prism.tensor<[n, d], f32>, %m: !prism.tensor<[n, d], i1>) -> (!prism.tensor<[n], f32>) {
  %c = prism.constant 0xFF800000 : f32 -> !prism.tensor<[], f32>
  %0 = prism.select %m, %x, %c maps [d0, d1], [d0, d1], [] -> [d0, d1] : (!prism.tensor<[n, d], i1>, !prism.tensor<[n, d], f32>, !prism.tensor<[], f32>) -> !prism.tensor<[n, d], f32>
  %1 = prism.reduce_max %0 dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %1 : !prism.tensor<[n], f32>
} candidates {
  // expected-error @+1 {{(masked inputs)}}
  prism.candidate "a" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, d], f32>, %m: !prism.tensor<[n, d], i1>):
    %r = prism.kernel "k0"(%a = %x, %b = %m) parallel [x grid tile 4, i loop tile 32] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n, d], i1>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[x], [i]] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d/i], f32>
      %k = prism.load %b [[x], [i]] : !prism.tensor<[n, d], i1> -> !prism.tile<[n/x, d/i], i1>
      %c = prism.constant -5.0 : f32 -> !prism.tile<[], f32>
      %h = prism.select %k, %t, %c maps [d0, d1], [d0, d1], [] -> [d0, d1] : (!prism.tile<[n/x, d/i], i1>, !prism.tile<[n/x, d/i], f32>, !prism.tile<[], f32>) -> !prism.tile<[n/x, d/i], f32>
      %s = prism.reduce_max %h dims [1] : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x], f32>
      %u = prism.accumulate max %s over i : !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f32>
      %z = prism.save %u [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %z : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}

// -----

// expected-remark @+1 {{program 'unsized' has no sized candidate}}
prism.program @unsized extents [n = 9] (%x: !prism.tensor<[n], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.neg %x : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
} candidates {
}

// -----

prism.program @unlowered extents [n = 9] (%x: !prism.tensor<[n], f32>) -> (!prism.tensor<[], f32>) {
  %0 = prism.constant 1.0 : f32 -> !prism.tensor<[], f32>
  prism.yield %0 : !prism.tensor<[], f32>
} candidates {
  // expected-error @+1 {{candidate 'a' cannot be lowered: it yields a constant, which no kernel writes}}
  prism.candidate "a" sized {
  ^bb0(%x: !prism.tensor<[n], f32>):
    %0 = prism.constant 1.0 : f32 -> !prism.tensor<[], f32>
    prism.yield %0 : !prism.tensor<[], f32>
  }
}

// -----

// Where an argument divides, it is not 0: what is not defined may differ. Here
// the division comes behind the sum.
prism.program @divided extents [n = 9, d = 70, h = 16] (%x: !prism.tensor<[n, d], f32>, %s: !prism.tensor<[n], f32>, %w: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[n, h], f32>) {
  %0 = prism.div %x, %s maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32>
  %1 = prism.matmul %0, %w : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  prism.yield %1 : !prism.tensor<[n, h], f32>
} candidates {
  // expected-remark @+1 {{candidate 'a' passes the gate: 4 runs, }}
  prism.candidate "a" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, d], f32>, %s: !prism.tensor<[n], f32>, %w: !prism.tensor<[d, h], f32>):
    %r = prism.kernel "k0"(%a = %x, %b = %s, %c = %w) parallel [x grid tile 4, i loop tile 32] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32> {
      %ta = prism.load %a [[x], [i]] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d/i], f32>
      %tb = prism.load %b [[x]] : !prism.tensor<[n], f32> -> !prism.tile<[n/x], f32>
      %tc = prism.load %c [[i], []] : !prism.tensor<[d, h], f32> -> !prism.tile<[d/i, h], f32>
      %m = prism.matmul %ta, %tc : (!prism.tile<[n/x, d/i], f32>, !prism.tile<[d/i, h], f32>) -> !prism.tile<[n/x, h], f32>
      %u = prism.accumulate sum %m over i : !prism.tile<[n/x, h], f32> -> !prism.tile<[n/x, h], f32>
      %q = prism.div %u, %tb maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/x, h], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x, h], f32>
      %z = prism.save %q [[x], []] : !prism.tile<[n/x, h], f32> -> !prism.tensor<[n, h], f32>
      prism.yield %z : !prism.tensor<[n, h], f32>
    }
    prism.yield %r : !prism.tensor<[n, h], f32>
  }
}

// -----

// A program whose arrays and blocks are too large to be run: reduced extents
// alone, and that is said. No dim splits d, which is cut then, too.
prism.program @large extents [n = 20, d = 100000003] (%x: !prism.tensor<[n, d], f16>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_sum %x dims [1] : (!prism.tensor<[n, d], f16>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
} candidates {
  // expected-remark @+2 {{the gate's limits: candidate 'a': not run at its own extents: an extent is 100000003, more than 16777216}}
  // expected-remark @+1 {{candidate 'a' passes the gate: 8 runs, }}
  prism.candidate "a" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, d], f16>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid tile 4] : (!prism.tensor<[n, d], f16>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[x], []] : !prism.tensor<[n, d], f16> -> !prism.tile<[n/x, d], f16>
      %s = prism.reduce_sum %t dims [1] : (!prism.tile<[n/x, d], f16>) -> !prism.tile<[n/x], f32>
      %z = prism.save %s [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %z : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}
