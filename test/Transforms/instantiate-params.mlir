// Tile extents by the cost model: the cheapest first, at most keep-best, each
// with its modelled cost; what does not fit, or is not decided yet, says so.

// RUN: prism-opt %s --split-input-file --pass-pipeline='builtin.module(prism.program(prism-instantiate-params{keep-best=3}))' 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.err
// RUN: not prism-opt %s --split-input-file --pass-pipeline='builtin.module(prism.program(prism-instantiate-params{target=sm_1}))' 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: option 'target' is 'sm_1', expected one of: sm_80, sm_86, sm_89, sm_90a, sm_100a, sm_120a

// RUN: not prism-opt %s --split-input-file --pass-pipeline='builtin.module(prism.program(prism-instantiate-params{assumed-extents=8,0}))' 2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: error: option 'assumed-extents' has 0, expected 1 to 2147483647
// RUN: prism-opt %s --split-input-file --pass-pipeline='builtin.module(prism.program(prism-instantiate-params{assumed-extents=8,2}))' 2>/dev/null | FileCheck %s --check-prefix=SMALL
// RUN: prism-opt %s --split-input-file --pass-pipeline='builtin.module(prism.program(prism-instantiate-params{assumed-extents=4000000}))' 2>/dev/null | FileCheck %s --check-prefix=LARGE

// Bulk tensor copies are costed where launches make tensor maps: a loop by them
// takes no threads' instructions.
// RUN: prism-opt %s --split-input-file --pass-pipeline='builtin.module(prism.program(prism-instantiate-params{target=sm_90a}))' 2>/dev/null | grep cost_us > %t.plain
// RUN: prism-opt %s --split-input-file --pass-pipeline='builtin.module(prism.program(prism-instantiate-params{target=sm_90a tensor-maps=true}))' 2>/dev/null | grep cost_us > %t.maps
// RUN: not diff %t.plain %t.maps
// RUN: prism-opt %s --split-input-file --pass-pipeline='builtin.module(prism.program(prism-instantiate-params{target=sm_80 tensor-maps=true}))' 2>/dev/null | grep cost_us > %t.sm80.maps
// RUN: prism-opt %s --split-input-file --pass-pipeline='builtin.module(prism.program(prism-instantiate-params{target=sm_80}))' 2>/dev/null | grep cost_us | diff - %t.sm80.maps

// CHECK-LABEL: prism.program @rmsnorm
// CHECK-SAME: points = {{[1-9][0-9]*}}
// CHECK: prism.candidate "rmsnorm_0" sized verdict Proved cost_us {{[0-9.e+]+}} attributes {prism.roofline_us = {{[0-9.e+]+}} : f64, prism.unfused_us = {{[0-9.e+]+}} : f64}
// CHECK: parallel [x grid tile {{[0-9]+}}, i loop tile {{[0-9]+}}]
// CHECK: prism.candidate "rmsnorm_0.1" sized
// CHECK: prism.candidate "rmsnorm_0.2" sized
// CHECK-NOT: prism.candidate
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
  prism.candidate "rmsnorm_0" mapped verdict Proved {
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
}

// -----

// A row of 2^20 numbers is more than shared memory holds.
// CHECK-LABEL: prism.program @long_rows
// CHECK-NOT: prism.candidate
// REMARK: remark: no candidate fits sm_80: it needs {{[0-9]+}} bytes of shared memory, sm_80 has 166912
prism.program @long_rows extents [n = 8, d = 1048576] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n, d], f32>) {
  %0 = prism.reduce_sum %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %1 = prism.div %x, %0 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32>
  prism.yield %1 : !prism.tensor<[n, d], f32>
} candidates {
  prism.candidate "long_rows_0" mapped verdict Proved {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32> {
      %t = prism.load %a [[x], []] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d], f32>
      %s = prism.reduce_sum %t dims [1] : (!prism.tile<[n/x, d], f32>) -> !prism.tile<[n/x], f32>
      %q = prism.div %t, %s maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/x, d], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x, d], f32>
      %o = prism.save %q [[x], []] : !prism.tile<[n/x, d], f32> -> !prism.tensor<[n, d], f32>
      prism.yield %o : !prism.tensor<[n, d], f32>
    }
    prism.yield %r : !prism.tensor<[n, d], f32>
  }
}

// -----

// REMARK: remark: candidate 'open_0' has open maps; run --prism-instantiate-maps first
// A dynamic extent is sized for several values at once.
// CHECK-LABEL: prism.program @open
// CHECK-NOT: assumed_extents
// CHECK: prism.candidate "open_1" sized
// The values that it is costed at may be others, which the program then carries.
// Microseconds for 8 bytes, and for 32 million.
// SMALL-LABEL: prism.program @open
// SMALL-SAME: prism.assumed_extents = array<i64: 2, 8>
// SMALL: prism.candidate "open_1" sized cost_us 2.{{[0-9]+}}
// LARGE-LABEL: prism.program @open
// LARGE-SAME: prism.assumed_extents = array<i64: 4000000>
// LARGE: prism.candidate "open_1" sized cost_us {{[12][0-9]}}.{{[0-9]+}}
prism.program @open extents [n = ?] (%x: !prism.tensor<[n], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.exp %x : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "open_0" symbolic {
  ^bb0(%x: !prism.tensor<[n], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid] equalities [m0 = m1] : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[x?m0]] : !prism.tensor<[n], f32> -> !prism.tile<[n/x?m0], f32>
      %e = prism.exp %t : (!prism.tile<[n/x?m0], f32>) -> !prism.tile<[n/x?m0], f32>
      %o = prism.save %e [[x?m1]] : !prism.tile<[n/x?m0], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
  prism.candidate "open_1" mapped {
  ^bb0(%x: !prism.tensor<[n], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid] : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[x]] : !prism.tensor<[n], f32> -> !prism.tile<[n/x], f32>
      %e = prism.exp %t : (!prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %o = prism.save %e [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}

// -----

// No tile of a dynamic row has a size.
// REMARK: remark: no candidate fits sm_80: extent d is dynamic, and no grid dim or loop splits it
// CHECK-LABEL: prism.program @open_rows
// CHECK-NOT: prism.candidate
prism.program @open_rows extents [n = 8, d = ?] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n, d], f32>) {
  %0 = prism.exp %x : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  prism.yield %0 : !prism.tensor<[n, d], f32>
} candidates {
  prism.candidate "rows" mapped {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32> {
      %t = prism.load %a [[x], []] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d], f32>
      %e = prism.exp %t : (!prism.tile<[n/x, d], f32>) -> !prism.tile<[n/x, d], f32>
      %o = prism.save %e [[x], []] : !prism.tile<[n/x, d], f32> -> !prism.tensor<[n, d], f32>
      prism.yield %o : !prism.tensor<[n, d], f32>
    }
    prism.yield %r : !prism.tensor<[n, d], f32>
  }
}
