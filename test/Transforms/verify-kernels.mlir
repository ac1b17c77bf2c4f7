// RUN: prism-opt %s --pass-pipeline='builtin.module(prism.program(prism-verify{keep-all keep-proofs}))' -o %t.mlir 2>%t.err
// RUN: FileCheck %s < %t.mlir
// RUN: FileCheck %s --check-prefix=REMARK < %t.err
// RUN: prism-opt %s --pass-pipeline='builtin.module(prism.program(prism-verify))' 2>/dev/null | prism-opt --pass-pipeline='builtin.module(prism.program(prism-verify{keep-proofs}))' 2>/dev/null | prism-check
// RUN: not prism-opt %s --pass-pipeline='builtin.module(prism.program(prism-verify{precision=exact}))' 2>&1 | FileCheck %s --check-prefix=OPTION

// OPTION: error: prism-verify: unknown precision 'exact', expected 'relaxed' or 'strict'

prism.program @product extents [n = 8, d = 64, h = 32] (%x: !prism.tensor<[n, d], f16>, %w: !prism.tensor<[d, h], f16>) -> (!prism.tensor<[n, h], f32>) {
  %0 = prism.matmul %x, %w : (!prism.tensor<[n, d], f16>, !prism.tensor<[d, h], f16>) -> !prism.tensor<[n, h], f32>
  prism.yield %0 : !prism.tensor<[n, h], f32>
} candidates {
  // The program itself, as a predefined kernel.
  // CHECK: prism.candidate "itself" mapped verdict Proved certificate <version = 2, precision = relaxed, casts_erased = 0, steps = []>
  prism.candidate "itself" mapped {
  ^bb0(%x: !prism.tensor<[n, d], f16>, %w: !prism.tensor<[d, h], f16>):
    %0 = prism.matmul %x, %w : (!prism.tensor<[n, d], f16>, !prism.tensor<[d, h], f16>) -> !prism.tensor<[n, h], f32>
    prism.yield %0 : !prism.tensor<[n, h], f32>
  }
  // Partial sums side by side, added by a second kernel.
  // CHECK: prism.candidate "partials" mapped verdict Proved
  prism.candidate "partials" mapped {
  ^bb0(%x: !prism.tensor<[n, d], f16>, %w: !prism.tensor<[d, h], f16>):
    %p = prism.kernel "k0"(%a = %x, %b = %w) parallel [y grid] : (!prism.tensor<[n, d], f16>, !prism.tensor<[d, h], f16>) -> !prism.tensor<[k0.y, n, h], f32> {
      %ta = prism.load %a [[], [y]] : !prism.tensor<[n, d], f16> -> !prism.tile<[n, d/y], f16>
      %tb = prism.load %b [[y], []] : !prism.tensor<[d, h], f16> -> !prism.tile<[d/y, h], f16>
      %m = prism.matmul %ta, %tb : (!prism.tile<[n, d/y], f16>, !prism.tile<[d/y, h], f16>) -> !prism.tile<[n, h], f32>
      %z = prism.save %m [[], []] partials [y] : !prism.tile<[n, h], f32> -> !prism.tensor<[k0.y, n, h], f32>
      prism.yield %z : !prism.tensor<[k0.y, n, h], f32>
    }
    %r = prism.kernel "k1"(%a = %p) parallel [x grid] : (!prism.tensor<[k0.y, n, h], f32>) -> !prism.tensor<[n, h], f32> {
      %ta = prism.load %a [[], [x], []] : !prism.tensor<[k0.y, n, h], f32> -> !prism.tile<[k0.y, n/x, h], f32>
      %s = prism.reduce_sum %ta dims [0] : (!prism.tile<[k0.y, n/x, h], f32>) -> !prism.tile<[n/x, h], f32>
      %z = prism.save %s [[x], []] : !prism.tile<[n/x, h], f32> -> !prism.tensor<[n, h], f32>
      prism.yield %z : !prism.tensor<[n, h], f32>
    }
    prism.yield %r : !prism.tensor<[n, h], f32>
  }
  // The loop splits a grid tile again: the sums of sums add up.
  // CHECK: prism.candidate "nested" mapped verdict Proved
  prism.candidate "nested" mapped {
  ^bb0(%x: !prism.tensor<[n, d], f16>, %w: !prism.tensor<[d, h], f16>):
    %p = prism.kernel "k0"(%a = %x, %b = %w) parallel [y grid, i loop] : (!prism.tensor<[n, d], f16>, !prism.tensor<[d, h], f16>) -> !prism.tensor<[k0.y, n, h], f32> {
      %ta = prism.load %a [[], [y, i]] : !prism.tensor<[n, d], f16> -> !prism.tile<[n, d/y/i], f16>
      %tb = prism.load %b [[y, i], []] : !prism.tensor<[d, h], f16> -> !prism.tile<[d/y/i, h], f16>
      %m = prism.matmul %ta, %tb : (!prism.tile<[n, d/y/i], f16>, !prism.tile<[d/y/i, h], f16>) -> !prism.tile<[n, h], f32>
      %c = prism.accumulate sum %m over i : !prism.tile<[n, h], f32> -> !prism.tile<[n, h], f32>
      %z = prism.save %c [[], []] partials [y] : !prism.tile<[n, h], f32> -> !prism.tensor<[k0.y, n, h], f32>
      prism.yield %z : !prism.tensor<[k0.y, n, h], f32>
    }
    %r = prism.reduce_sum %p dims [0] : (!prism.tensor<[k0.y, n, h], f32>) -> !prism.tensor<[n, h], f32>
    prism.yield %r : !prism.tensor<[n, h], f32>
  }
  // The maximum of partial sums is not their sum.
  // REMARK: remark: is Disproved: at d = 5 h = 6 n = 4, grid0@d tile 2, element 0 of result 0
  // CHECK: prism.candidate "wrong_partials" mapped verdict Disproved
  prism.candidate "wrong_partials" mapped {
  ^bb0(%x: !prism.tensor<[n, d], f16>, %w: !prism.tensor<[d, h], f16>):
    %p = prism.kernel "k0"(%a = %x, %b = %w) parallel [y grid] : (!prism.tensor<[n, d], f16>, !prism.tensor<[d, h], f16>) -> !prism.tensor<[k0.y, n, h], f32> {
      %ta = prism.load %a [[], [y]] : !prism.tensor<[n, d], f16> -> !prism.tile<[n, d/y], f16>
      %tb = prism.load %b [[y], []] : !prism.tensor<[d, h], f16> -> !prism.tile<[d/y, h], f16>
      %m = prism.matmul %ta, %tb : (!prism.tile<[n, d/y], f16>, !prism.tile<[d/y, h], f16>) -> !prism.tile<[n, h], f32>
      %z = prism.save %m [[], []] partials [y] : !prism.tile<[n, h], f32> -> !prism.tensor<[k0.y, n, h], f32>
      prism.yield %z : !prism.tensor<[k0.y, n, h], f32>
    }
    %r = prism.reduce_max %p dims [0] : (!prism.tensor<[k0.y, n, h], f32>) -> !prism.tensor<[n, h], f32>
    prism.yield %r : !prism.tensor<[n, h], f32>
  }
  // REMARK: remark: is Unknown: its maps are not decided; run prism-instantiate-maps first
  // CHECK: prism.candidate "undecided" symbolic verdict Unknown
  prism.candidate "undecided" symbolic {
  ^bb0(%x: !prism.tensor<[n, d], f16>, %w: !prism.tensor<[d, h], f16>):
    %0 = prism.matmul %x, %w : (!prism.tensor<[n, d], f16>, !prism.tensor<[d, h], f16>) -> !prism.tensor<[n, h], f32>
    prism.yield %0 : !prism.tensor<[n, h], f32>
  }
  // Partial sums in f16 would lose what f32 sums keep.
  // REMARK: remark: is Unknown: it breaks the precision rule: 'prism.cast' rounds a value that is computed with
  // CHECK: prism.candidate "rounded_partials" mapped verdict Unknown
  prism.candidate "rounded_partials" mapped {
  ^bb0(%x: !prism.tensor<[n, d], f16>, %w: !prism.tensor<[d, h], f16>):
    %p = prism.kernel "k0"(%a = %x, %b = %w) parallel [y grid] : (!prism.tensor<[n, d], f16>, !prism.tensor<[d, h], f16>) -> !prism.tensor<[k0.y, n, h], f16> {
      %ta = prism.load %a [[], [y]] : !prism.tensor<[n, d], f16> -> !prism.tile<[n, d/y], f16>
      %tb = prism.load %b [[y], []] : !prism.tensor<[d, h], f16> -> !prism.tile<[d/y, h], f16>
      %m = prism.matmul %ta, %tb : (!prism.tile<[n, d/y], f16>, !prism.tile<[d/y, h], f16>) -> !prism.tile<[n, h], f32>
      %c = prism.cast %m : (!prism.tile<[n, h], f32>) -> !prism.tile<[n, h], f16>
      %z = prism.save %c [[], []] partials [y] : !prism.tile<[n, h], f16> -> !prism.tensor<[k0.y, n, h], f16>
      prism.yield %z : !prism.tensor<[k0.y, n, h], f16>
    }
    %r = prism.reduce_sum %p dims [0] : (!prism.tensor<[k0.y, n, h], f16>) -> !prism.tensor<[n, h], f32>
    prism.yield %r : !prism.tensor<[n, h], f32>
  }
}
// REMARK: remark: 3 candidates proved, 1 disproved, 2 unknown
