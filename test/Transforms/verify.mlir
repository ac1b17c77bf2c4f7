// RUN: prism-opt %s --pass-pipeline='builtin.module(prism.program(prism-verify{keep-all}))' 2>/dev/null | FileCheck %s
// RUN: prism-opt %s --pass-pipeline='builtin.module(prism.program(prism-verify))' 2>/dev/null | FileCheck %s --check-prefix=KEPT
// RUN: prism-opt %s --pass-pipeline='builtin.module(prism.program(prism-verify))' 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// RMSNorm and a linear layer: right candidates are proved, wrong ones refuted,
// and only what is proved is kept.

// REMARK-DAG: remark: is Disproved: at d0 = 4 d1 = 5 d2 = 6,
// REMARK-DAG: remark: 5 candidates proved, 4 disproved, 0 unknown
// KEPT: prism.statistics = {casts_erased = 2 : i64, disproved = 4 : i64, enodes = {{[0-9]+}} : i64, proved = 5 : i64, unknown = 0 : i64}
// KEPT-NOT: Disproved
// KEPT-NOT: Unknown

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
  // Output columns over the grid, the reduced dim over the loop, the norm divided
  // out after it.
  // CHECK: prism.candidate "columns_loop" mapped verdict Proved
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
  // Without a loop.
  // CHECK: prism.candidate "columns" mapped verdict Proved
  prism.candidate "columns" mapped {
  ^bb0(%x: !prism.tensor<[d0, d1], f16>, %w: !prism.tensor<[d1, d2], f16>):
    %r = prism.kernel "k0"(%a = %x, %b = %w) parallel [x grid] : (!prism.tensor<[d0, d1], f16>, !prism.tensor<[d1, d2], f16>) -> !prism.tensor<[d0, d2], f16> {
      %ta = prism.load %a [[], []] : !prism.tensor<[d0, d1], f16> -> !prism.tile<[d0, d1], f16>
      %tb = prism.load %b [[], [x]] : !prism.tensor<[d1, d2], f16> -> !prism.tile<[d1, d2/x], f16>
      %c = prism.cast %ta : (!prism.tile<[d0, d1], f16>) -> !prism.tile<[d0, d1], f32>
      %s = prism.square %c : (!prism.tile<[d0, d1], f32>) -> !prism.tile<[d0, d1], f32>
      %q = prism.reduce_sum %s dims [1] : (!prism.tile<[d0, d1], f32>) -> !prism.tile<[d0], f32>
      %m = prism.matmul %ta, %tb : (!prism.tile<[d0, d1], f16>, !prism.tile<[d1, d2/x], f16>) -> !prism.tile<[d0, d2/x], f32>
      %n = prism.constant #prism.extent<d1> -> !prism.tile<[], f32>
      %v = prism.div %q, %n maps [d0], [] -> [d0] : (!prism.tile<[d0], f32>, !prism.tile<[], f32>) -> !prism.tile<[d0], f32>
      %t = prism.sqrt %v : (!prism.tile<[d0], f32>) -> !prism.tile<[d0], f32>
      %u = prism.div %m, %t maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[d0, d2/x], f32>, !prism.tile<[d0], f32>) -> !prism.tile<[d0, d2/x], f32>
      %o = prism.cast %u : (!prism.tile<[d0, d2/x], f32>) -> !prism.tile<[d0, d2/x], f16>
      %z = prism.save %o [[], [x]] : !prism.tile<[d0, d2/x], f16> -> !prism.tensor<[d0, d2], f16>
      prism.yield %z : !prism.tensor<[d0, d2], f16>
    }
    prism.yield %r : !prism.tensor<[d0, d2], f16>
  }
  // Rows.
  // CHECK: prism.candidate "rows" mapped verdict Proved
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
  // Rows and columns, declared in the other order than they are saved.
  // CHECK: prism.candidate "rows_columns_loop" mapped verdict Proved
  prism.candidate "rows_columns_loop" mapped {
  ^bb0(%x: !prism.tensor<[d0, d1], f16>, %w: !prism.tensor<[d1, d2], f16>):
    %r = prism.kernel "k0"(%a = %x, %b = %w) parallel [x grid, y grid, i loop] : (!prism.tensor<[d0, d1], f16>, !prism.tensor<[d1, d2], f16>) -> !prism.tensor<[d0, d2], f16> {
      %ta = prism.load %a [[y], [i]] : !prism.tensor<[d0, d1], f16> -> !prism.tile<[d0/y, d1/i], f16>
      %tb = prism.load %b [[i], [x]] : !prism.tensor<[d1, d2], f16> -> !prism.tile<[d1/i, d2/x], f16>
      %c = prism.cast %ta : (!prism.tile<[d0/y, d1/i], f16>) -> !prism.tile<[d0/y, d1/i], f32>
      %s = prism.square %c : (!prism.tile<[d0/y, d1/i], f32>) -> !prism.tile<[d0/y, d1/i], f32>
      %q = prism.reduce_sum %s dims [1] : (!prism.tile<[d0/y, d1/i], f32>) -> !prism.tile<[d0/y], f32>
      %m = prism.matmul %ta, %tb : (!prism.tile<[d0/y, d1/i], f16>, !prism.tile<[d1/i, d2/x], f16>) -> !prism.tile<[d0/y, d2/x], f32>
      %qa = prism.accumulate sum %q over i : !prism.tile<[d0/y], f32> -> !prism.tile<[d0/y], f32>
      %ma = prism.accumulate sum %m over i : !prism.tile<[d0/y, d2/x], f32> -> !prism.tile<[d0/y, d2/x], f32>
      %n = prism.constant #prism.extent<d1> -> !prism.tile<[], f32>
      %v = prism.div %qa, %n maps [d0], [] -> [d0] : (!prism.tile<[d0/y], f32>, !prism.tile<[], f32>) -> !prism.tile<[d0/y], f32>
      %t = prism.sqrt %v : (!prism.tile<[d0/y], f32>) -> !prism.tile<[d0/y], f32>
      %u = prism.div %ma, %t maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[d0/y, d2/x], f32>, !prism.tile<[d0/y], f32>) -> !prism.tile<[d0/y, d2/x], f32>
      %o = prism.cast %u : (!prism.tile<[d0/y, d2/x], f32>) -> !prism.tile<[d0/y, d2/x], f16>
      %z = prism.save %o [[y], [x]] : !prism.tile<[d0/y, d2/x], f16> -> !prism.tensor<[d0, d2], f16>
      prism.yield %z : !prism.tensor<[d0, d2], f16>
    }
    prism.yield %r : !prism.tensor<[d0, d2], f16>
  }
  // A grid dim that splits nothing: every block along it stores the same value.
  // CHECK: prism.candidate "idle_grid_dim" mapped verdict Proved
  prism.candidate "idle_grid_dim" mapped {
  ^bb0(%x: !prism.tensor<[d0, d1], f16>, %w: !prism.tensor<[d1, d2], f16>):
    %r = prism.kernel "k0"(%a = %x, %b = %w) parallel [x grid, y grid, i loop] : (!prism.tensor<[d0, d1], f16>, !prism.tensor<[d1, d2], f16>) -> !prism.tensor<[d0, d2], f16> {
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
  // Without the mean.
  // CHECK: prism.candidate "no_mean" mapped verdict Disproved
  prism.candidate "no_mean" mapped {
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
      %t = prism.sqrt %qa : (!prism.tile<[d0], f32>) -> !prism.tile<[d0], f32>
      %u = prism.div %ma, %t maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[d0, d2/x], f32>, !prism.tile<[d0], f32>) -> !prism.tile<[d0, d2/x], f32>
      %o = prism.cast %u : (!prism.tile<[d0, d2/x], f32>) -> !prism.tile<[d0, d2/x], f16>
      %z = prism.save %o [[], [x]] : !prism.tile<[d0, d2/x], f16> -> !prism.tensor<[d0, d2], f16>
      prism.yield %z : !prism.tensor<[d0, d2], f16>
    }
    prism.yield %r : !prism.tensor<[d0, d2], f16>
  }
  // The square sum is missing its accumulator: each step divides by its own.
  // CHECK: prism.candidate "division_in_the_loop" mapped verdict Disproved
  prism.candidate "division_in_the_loop" mapped {
  ^bb0(%x: !prism.tensor<[d0, d1], f16>, %w: !prism.tensor<[d1, d2], f16>):
    %r = prism.kernel "k0"(%a = %x, %b = %w) parallel [x grid, i loop] : (!prism.tensor<[d0, d1], f16>, !prism.tensor<[d1, d2], f16>) -> !prism.tensor<[d0, d2], f16> {
      %ta = prism.load %a [[], [i]] : !prism.tensor<[d0, d1], f16> -> !prism.tile<[d0, d1/i], f16>
      %tb = prism.load %b [[i], [x]] : !prism.tensor<[d1, d2], f16> -> !prism.tile<[d1/i, d2/x], f16>
      %c = prism.cast %ta : (!prism.tile<[d0, d1/i], f16>) -> !prism.tile<[d0, d1/i], f32>
      %s = prism.square %c : (!prism.tile<[d0, d1/i], f32>) -> !prism.tile<[d0, d1/i], f32>
      %q = prism.reduce_sum %s dims [1] : (!prism.tile<[d0, d1/i], f32>) -> !prism.tile<[d0], f32>
      %m = prism.matmul %ta, %tb : (!prism.tile<[d0, d1/i], f16>, !prism.tile<[d1/i, d2/x], f16>) -> !prism.tile<[d0, d2/x], f32>
      %n = prism.constant #prism.extent<d1> -> !prism.tile<[], f32>
      %v = prism.div %q, %n maps [d0], [] -> [d0] : (!prism.tile<[d0], f32>, !prism.tile<[], f32>) -> !prism.tile<[d0], f32>
      %t = prism.sqrt %v : (!prism.tile<[d0], f32>) -> !prism.tile<[d0], f32>
      %u = prism.div %m, %t maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[d0, d2/x], f32>, !prism.tile<[d0], f32>) -> !prism.tile<[d0, d2/x], f32>
      %ua = prism.accumulate sum %u over i : !prism.tile<[d0, d2/x], f32> -> !prism.tile<[d0, d2/x], f32>
      %o = prism.cast %ua : (!prism.tile<[d0, d2/x], f32>) -> !prism.tile<[d0, d2/x], f16>
      %z = prism.save %o [[], [x]] : !prism.tile<[d0, d2/x], f16> -> !prism.tensor<[d0, d2], f16>
      prism.yield %z : !prism.tensor<[d0, d2], f16>
    }
    prism.yield %r : !prism.tensor<[d0, d2], f16>
  }
  // The whole square sum is added up once a step (P14).
  // CHECK: prism.candidate "sum_of_copies" mapped verdict Disproved
  prism.candidate "sum_of_copies" mapped {
  ^bb0(%x: !prism.tensor<[d0, d1], f16>, %w: !prism.tensor<[d1, d2], f16>):
    %r = prism.kernel "k0"(%a = %x, %b = %w) parallel [x grid, i loop] : (!prism.tensor<[d0, d1], f16>, !prism.tensor<[d1, d2], f16>) -> !prism.tensor<[d0, d2], f16> {
      %ta = prism.load %a [[], [i]] : !prism.tensor<[d0, d1], f16> -> !prism.tile<[d0, d1/i], f16>
      %tb = prism.load %b [[i], [x]] : !prism.tensor<[d1, d2], f16> -> !prism.tile<[d1/i, d2/x], f16>
      %tc = prism.load %a [[], []] : !prism.tensor<[d0, d1], f16> -> !prism.tile<[d0, d1], f16>
      %c = prism.cast %tc : (!prism.tile<[d0, d1], f16>) -> !prism.tile<[d0, d1], f32>
      %s = prism.square %c : (!prism.tile<[d0, d1], f32>) -> !prism.tile<[d0, d1], f32>
      %q = prism.reduce_sum %s dims [1] : (!prism.tile<[d0, d1], f32>) -> !prism.tile<[d0], f32>
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
  // The reduced dim is split over the grid, and nothing adds the parts.
  // CHECK: prism.candidate "split_without_partials" mapped verdict Disproved
  prism.candidate "split_without_partials" mapped {
  ^bb0(%x: !prism.tensor<[d0, d1], f16>, %w: !prism.tensor<[d1, d2], f16>):
    %r = prism.kernel "k0"(%a = %x, %b = %w) parallel [x grid, y grid] : (!prism.tensor<[d0, d1], f16>, !prism.tensor<[d1, d2], f16>) -> !prism.tensor<[d0, d2], f16> {
      %ta = prism.load %a [[], [y]] : !prism.tensor<[d0, d1], f16> -> !prism.tile<[d0, d1/y], f16>
      %tb = prism.load %b [[y], [x]] : !prism.tensor<[d1, d2], f16> -> !prism.tile<[d1/y, d2/x], f16>
      %c = prism.cast %ta : (!prism.tile<[d0, d1/y], f16>) -> !prism.tile<[d0, d1/y], f32>
      %s = prism.square %c : (!prism.tile<[d0, d1/y], f32>) -> !prism.tile<[d0, d1/y], f32>
      %q = prism.reduce_sum %s dims [1] : (!prism.tile<[d0, d1/y], f32>) -> !prism.tile<[d0], f32>
      %m = prism.matmul %ta, %tb : (!prism.tile<[d0, d1/y], f16>, !prism.tile<[d1/y, d2/x], f16>) -> !prism.tile<[d0, d2/x], f32>
      %n = prism.constant #prism.extent<d1> -> !prism.tile<[], f32>
      %v = prism.div %q, %n maps [d0], [] -> [d0] : (!prism.tile<[d0], f32>, !prism.tile<[], f32>) -> !prism.tile<[d0], f32>
      %t = prism.sqrt %v : (!prism.tile<[d0], f32>) -> !prism.tile<[d0], f32>
      %u = prism.div %m, %t maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[d0, d2/x], f32>, !prism.tile<[d0], f32>) -> !prism.tile<[d0, d2/x], f32>
      %o = prism.cast %u : (!prism.tile<[d0, d2/x], f32>) -> !prism.tile<[d0, d2/x], f16>
      %z = prism.save %o [[], [x]] : !prism.tile<[d0, d2/x], f16> -> !prism.tensor<[d0, d2], f16>
      prism.yield %z : !prism.tensor<[d0, d2], f16>
    }
    prism.yield %r : !prism.tensor<[d0, d2], f16>
  }
}
