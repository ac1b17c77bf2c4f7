// explain-pruning names the first check that drops a graph, and the place.
// RUN: split-file %s %t
// RUN: prism-opt %t/program.mlir --prism-generate=explain-pruning=%t/graphs.mlir -o /dev/null 2> %t/remarks
// RUN: FileCheck %t/graphs.mlir --input-file=%t/remarks
// RUN: prism-opt %t/softmax.mlir --prism-generate=explain-pruning=%t/softmax-graphs.mlir -o /dev/null 2> %t/remarks
// RUN: FileCheck %t/softmax-graphs.mlir --input-file=%t/remarks
// RUN: prism-opt %t/quotient.mlir --prism-generate=explain-pruning=%t/quotient-graphs.mlir -o /dev/null 2> %t/remarks
// RUN: FileCheck %t/quotient-graphs.mlir --input-file=%t/remarks
//
// Through the pipeline a program has the name that prism-partition gives it; a
// file with one program of the same type is about that.
// RUN: prism-opt %t/function.mlir --prism-superoptimize='emit=prism explain-pruning=%t/graphs.mlir' -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHOLE
// WHOLE: remark: candidate 'kept' of program 'f_0': kept as candidate f_0_
//
// Everything that the search makes, it says it made; and in the space that is
// not compared by normal form nothing is dropped.
// RUN: prism-opt %t/program.mlir --prism-generate --prism-instantiate-maps=keep-all -o %t/all.mlir
// RUN: prism-opt %t/program.mlir --prism-generate=explain-pruning=%t/all.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=ALL --implicit-check-not=dropped --implicit-check-not="not reached"
// ALL-COUNT-8: remark: candidate {{.*}}kept as candidate p_
//
// With a target what cannot fit it is dropped: all of a row of 2^20.
// RUN: sed 's/d1 = 64/d1 = 1048576/' %t/program.mlir | prism-opt --prism-generate='explain-pruning=%t/graphs.mlir explain-target=sm_80' -o /dev/null 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: remark: candidate 'kept' of program 'p': kept as
// TARGET: remark: candidate 'symbolic' of program 'p': dropped by resources: kernel k0 needs {{[0-9]+}} bytes of shared memory at least, sm_80 has
// RUN: not prism-opt %t/program.mlir --prism-generate='explain-pruning=%t/graphs.mlir explain-target=sm_1' 2>&1 | FileCheck %s --check-prefix=NOTARGET
// NOTARGET: error: prism-generate: explain-target is 'sm_1', expected one of: sm_80
//
// RUN: not prism-opt %t/program.mlir --prism-generate=explain-pruning=%t/none.mlir 2>&1 | FileCheck %s --check-prefix=NOFILE
// NOFILE: error: explain-pruning: cannot read '{{.*}}none.mlir'
// RUN: not prism-opt %t/program.mlir --prism-generate=explain-pruning=%t/broken.mlir 2>&1 | FileCheck %s --check-prefix=BROKEN
// BROKEN: broken.mlir:1:
// BROKEN: error: explain-pruning: '{{.*}}broken.mlir' is not valid IR
// RUN: not prism-opt %t/program.mlir --prism-generate=explain-pruning=%t/other-type.mlir 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: error: explain-pruning: program 'p' in '{{.*}}other-type.mlir' has the type {{.*}}, expected
// RUN: prism-opt %t/program.mlir --prism-generate=explain-pruning=%t/softmax.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: remark: explain-pruning: '{{.*}}softmax.mlir' has no program 'p' of type

//--- program.mlir
prism.program @p extents [d0 = 8, d1 = 64, d2 = 32] (%x: !prism.tensor<[d0, d1], f32>, %w: !prism.tensor<[d1, d2], f32>) -> (!prism.tensor<[d0, d2], f32>) {
  %0 = prism.matmul %x, %w : (!prism.tensor<[d0, d1], f32>, !prism.tensor<[d1, d2], f32>) -> !prism.tensor<[d0, d2], f32>
  %1 = prism.exp %0 : (!prism.tensor<[d0, d2], f32>) -> !prism.tensor<[d0, d2], f32>
  prism.yield %1 : !prism.tensor<[d0, d2], f32>
}

//--- function.mlir
func.func @f(%x: tensor<8x64xf32>, %w: tensor<64x32xf32>) -> tensor<8x32xf32> {
  %0 = prism.matmul %x, %w : (tensor<8x64xf32>, tensor<64x32xf32>) -> tensor<8x32xf32>
  %1 = prism.exp %0 : (tensor<8x32xf32>) -> tensor<8x32xf32>
  return %1 : tensor<8x32xf32>
}

//--- broken.mlir
prism.program @p extents [d0] () -> ()

//--- other-type.mlir
prism.program @p extents [d0 = 8] (%x: !prism.tensor<[d0], f32>) -> (!prism.tensor<[d0], f32>) {
  %1 = prism.exp %x : (!prism.tensor<[d0], f32>) -> !prism.tensor<[d0], f32>
  prism.yield %1 : !prism.tensor<[d0], f32>
}

//--- graphs.mlir
prism.program @p extents [d0 = 8, d1 = 64, d2 = 32] (%x: !prism.tensor<[d0, d1], f32>, %w: !prism.tensor<[d1, d2], f32>) -> (!prism.tensor<[d0, d2], f32>) {
  %0 = prism.matmul %x, %w : (!prism.tensor<[d0, d1], f32>, !prism.tensor<[d1, d2], f32>) -> !prism.tensor<[d0, d2], f32>
  %1 = prism.exp %0 : (!prism.tensor<[d0, d2], f32>) -> !prism.tensor<[d0, d2], f32>
  prism.yield %1 : !prism.tensor<[d0, d2], f32>
} candidates {
  // CHECK: graphs.mlir:[[#@LINE+1]]:{{.*}}remark: candidate 'kept' of program 'p': kept as candidate p_{{[0-9]+$}}
  prism.candidate "kept" mapped {
  ^bb0(%x: !prism.tensor<[d0, d1], f32>, %w: !prism.tensor<[d1, d2], f32>):
    %r = prism.kernel "k0"(%a = %x, %b = %w) parallel [x grid, i loop] : (!prism.tensor<[d0, d1], f32>, !prism.tensor<[d1, d2], f32>) -> !prism.tensor<[d0, d2], f32> {
      %ta = prism.load %a [[], [i]] : !prism.tensor<[d0, d1], f32> -> !prism.tile<[d0, d1/i], f32>
      %tb = prism.load %b [[i], [x]] : !prism.tensor<[d1, d2], f32> -> !prism.tile<[d1/i, d2/x], f32>
      %m = prism.matmul %ta, %tb : (!prism.tile<[d0, d1/i], f32>, !prism.tile<[d1/i, d2/x], f32>) -> !prism.tile<[d0, d2/x], f32>
      %ma = prism.accumulate sum %m over i : !prism.tile<[d0, d2/x], f32> -> !prism.tile<[d0, d2/x], f32>
      %e = prism.exp %ma : (!prism.tile<[d0, d2/x], f32>) -> !prism.tile<[d0, d2/x], f32>
      %z = prism.save %e [[], [x]] : !prism.tile<[d0, d2/x], f32> -> !prism.tensor<[d0, d2], f32>
      prism.yield %z : !prism.tensor<[d0, d2], f32>
    }
    prism.yield %r : !prism.tensor<[d0, d2], f32>
  }
  // One whose maps are open: all of its mapped graphs are candidates.
  // CHECK: graphs.mlir:[[#@LINE+1]]:{{.*}}remark: candidate 'symbolic' of program 'p': kept as candidate p_{{[0-9]+}} (1 of its 1 mapped graphs are kept)
  prism.candidate "symbolic" symbolic {
  ^bb0(%x: !prism.tensor<[d0, d1], f32>, %w: !prism.tensor<[d1, d2], f32>):
    %r = prism.kernel "k0"(%a = %x, %b = %w) parallel [x grid] equalities [m0 = m1] : (!prism.tensor<[d0, d1], f32>, !prism.tensor<[d1, d2], f32>) -> !prism.tensor<[d0, d2], f32> {
      %ta = prism.load %a [[], []] : !prism.tensor<[d0, d1], f32> -> !prism.tile<[d0, d1], f32>
      %tb = prism.load %b [[], [x?m0]] : !prism.tensor<[d1, d2], f32> -> !prism.tile<[d1, d2/x?m0], f32>
      %m = prism.matmul %ta, %tb : (!prism.tile<[d0, d1], f32>, !prism.tile<[d1, d2/x?m0], f32>) -> !prism.tile<[d0, d2/x?m0], f32>
      %e = prism.exp %m : (!prism.tile<[d0, d2/x?m0], f32>) -> !prism.tile<[d0, d2/x?m0], f32>
      %z = prism.save %e [[], [x?m1]] : !prism.tile<[d0, d2/x?m0], f32> -> !prism.tensor<[d0, d2], f32>
      prism.yield %z : !prism.tensor<[d0, d2], f32>
    }
    prism.yield %r : !prism.tensor<[d0, d2], f32>
  }
  // What is summed over the loop is no sum, whatever the loop splits.
  // CHECK: graphs.mlir:[[#@LINE+1]]:{{.*}}remark: candidate 'no_map' of program 'p': dropped by shape: no assignment of its mapping variables is right: {{[1-9]}}
  prism.candidate "no_map" symbolic {
  ^bb0(%x: !prism.tensor<[d0, d1], f32>, %w: !prism.tensor<[d1, d2], f32>):
    %r = prism.kernel "k0"(%a = %x, %b = %w) parallel [i loop] equalities [m0 = m1] : (!prism.tensor<[d0, d1], f32>, !prism.tensor<[d1, d2], f32>) -> !prism.tensor<[d0, d2], f32> {
      %ta = prism.load %a [[], [i?m0]] : !prism.tensor<[d0, d1], f32> -> !prism.tile<[d0, d1/i?m0], f32>
      %tb = prism.load %b [[i?m1], []] : !prism.tensor<[d1, d2], f32> -> !prism.tile<[d1/i?m1, d2], f32>
      %m = prism.matmul %ta, %tb : (!prism.tile<[d0, d1/i?m0], f32>, !prism.tile<[d1/i?m1, d2], f32>) -> !prism.tile<[d0, d2], f32>
      %e = prism.exp %m : (!prism.tile<[d0, d2], f32>) -> !prism.tile<[d0, d2], f32>
      %ea = prism.accumulate sum %e over i : !prism.tile<[d0, d2], f32> -> !prism.tile<[d0, d2], f32>
      %z = prism.save %ea [[], []] : !prism.tile<[d0, d2], f32> -> !prism.tensor<[d0, d2], f32>
      prism.yield %z : !prism.tensor<[d0, d2], f32>
    }
    prism.yield %r : !prism.tensor<[d0, d2], f32>
  }
  // CHECK: graphs.mlir:[[#@LINE+1]]:{{.*}}remark: candidate 'ops' of program 'p': dropped by bounds: 4 ops, the bound is 3: the fewest are 2, extra-ops is 1, max-block-ops 11
  prism.candidate "ops" mapped {
  ^bb0(%x: !prism.tensor<[d0, d1], f32>, %w: !prism.tensor<[d1, d2], f32>):
    %r = prism.kernel "k0"(%a = %x, %b = %w) parallel [x grid] : (!prism.tensor<[d0, d1], f32>, !prism.tensor<[d1, d2], f32>) -> !prism.tensor<[d0, d2], f32> {
      %ta = prism.load %a [[], []] : !prism.tensor<[d0, d1], f32> -> !prism.tile<[d0, d1], f32>
      %tb = prism.load %b [[], [x]] : !prism.tensor<[d1, d2], f32> -> !prism.tile<[d1, d2/x], f32>
      %m = prism.matmul %ta, %tb : (!prism.tile<[d0, d1], f32>, !prism.tile<[d1, d2/x], f32>) -> !prism.tile<[d0, d2/x], f32>
      %n = prism.neg %m : (!prism.tile<[d0, d2/x], f32>) -> !prism.tile<[d0, d2/x], f32>
      %o = prism.neg %n : (!prism.tile<[d0, d2/x], f32>) -> !prism.tile<[d0, d2/x], f32>
      %e = prism.exp %o : (!prism.tile<[d0, d2/x], f32>) -> !prism.tile<[d0, d2/x], f32>
      %z = prism.save %e [[], [x]] : !prism.tile<[d0, d2/x], f32> -> !prism.tensor<[d0, d2], f32>
      prism.yield %z : !prism.tensor<[d0, d2], f32>
    }
    prism.yield %r : !prism.tensor<[d0, d2], f32>
  }
  // CHECK: graphs.mlir:[[#@LINE+3]]:{{.*}}remark: candidate 'grid' of program 'p': dropped by bounds: 4 grid dims, max-grid-dims allows 3
  prism.candidate "grid" mapped {
  ^bb0(%x: !prism.tensor<[d0, d1], f32>, %w: !prism.tensor<[d1, d2], f32>):
    %r = prism.kernel "k0"(%a = %x, %b = %w) parallel [x grid, y grid, z grid, g3 grid] : (!prism.tensor<[d0, d1], f32>, !prism.tensor<[d1, d2], f32>) -> !prism.tensor<[d0, d2], f32> {
      %ta = prism.load %a [[], []] : !prism.tensor<[d0, d1], f32> -> !prism.tile<[d0, d1], f32>
      %tb = prism.load %b [[], [x]] : !prism.tensor<[d1, d2], f32> -> !prism.tile<[d1, d2/x], f32>
      %m = prism.matmul %ta, %tb : (!prism.tile<[d0, d1], f32>, !prism.tile<[d1, d2/x], f32>) -> !prism.tile<[d0, d2/x], f32>
      %e = prism.exp %m : (!prism.tile<[d0, d2/x], f32>) -> !prism.tile<[d0, d2/x], f32>
      %z = prism.save %e [[], [x]] : !prism.tile<[d0, d2/x], f32> -> !prism.tensor<[d0, d2], f32>
      prism.yield %z : !prism.tensor<[d0, d2], f32>
    }
    prism.yield %r : !prism.tensor<[d0, d2], f32>
  }
  // CHECK: graphs.mlir:[[#@LINE+4]]:{{.*}}remark: candidate 'library' of program 'p': dropped by bounds: 'prism.exp' is not left to a library
  prism.candidate "library" mapped {
  ^bb0(%x: !prism.tensor<[d0, d1], f32>, %w: !prism.tensor<[d1, d2], f32>):
    %0 = prism.matmul %x, %w : (!prism.tensor<[d0, d1], f32>, !prism.tensor<[d1, d2], f32>) -> !prism.tensor<[d0, d2], f32>
    %1 = prism.exp %0 : (!prism.tensor<[d0, d2], f32>) -> !prism.tensor<[d0, d2], f32>
    prism.yield %1 : !prism.tensor<[d0, d2], f32>
  }
  // CHECK: graphs.mlir:[[#@LINE+6]]:{{.*}}remark: candidate 'expression' of program 'p': dropped by expression: 'prism.relu' computes nothing that the axioms make equal to a part of the program
  prism.candidate "expression" mapped {
  ^bb0(%x: !prism.tensor<[d0, d1], f32>, %w: !prism.tensor<[d1, d2], f32>):
    %r = prism.kernel "k0"(%a = %x, %b = %w) parallel [x grid] : (!prism.tensor<[d0, d1], f32>, !prism.tensor<[d1, d2], f32>) -> !prism.tensor<[d0, d2], f32> {
      %ta = prism.load %a [[], []] : !prism.tensor<[d0, d1], f32> -> !prism.tile<[d0, d1], f32>
      %tb = prism.load %b [[], [x]] : !prism.tensor<[d1, d2], f32> -> !prism.tile<[d1, d2/x], f32>
      %n = prism.relu %ta : (!prism.tile<[d0, d1], f32>) -> !prism.tile<[d0, d1], f32>
      %m = prism.matmul %n, %tb : (!prism.tile<[d0, d1], f32>, !prism.tile<[d1, d2/x], f32>) -> !prism.tile<[d0, d2/x], f32>
      %e = prism.exp %m : (!prism.tile<[d0, d2/x], f32>) -> !prism.tile<[d0, d2/x], f32>
      %z = prism.save %e [[], [x]] : !prism.tile<[d0, d2/x], f32> -> !prism.tensor<[d0, d2], f32>
      prism.yield %z : !prism.tensor<[d0, d2], f32>
    }
    prism.yield %r : !prism.tensor<[d0, d2], f32>
  }
  // Every op stands in the oracle, but the last one is missing.
  // CHECK: graphs.mlir:[[#@LINE+10]]:{{.*}}remark: candidate 'unfinished' of program 'p': dropped by expression: result 0 is not known to equal the program's
  prism.candidate "unfinished" mapped {
  ^bb0(%x: !prism.tensor<[d0, d1], f32>, %w: !prism.tensor<[d1, d2], f32>):
    %r = prism.kernel "k0"(%a = %x, %b = %w) parallel [x grid] : (!prism.tensor<[d0, d1], f32>, !prism.tensor<[d1, d2], f32>) -> !prism.tensor<[d0, d2], f32> {
      %ta = prism.load %a [[], []] : !prism.tensor<[d0, d1], f32> -> !prism.tile<[d0, d1], f32>
      %tb = prism.load %b [[], [x]] : !prism.tensor<[d1, d2], f32> -> !prism.tile<[d1, d2/x], f32>
      %m = prism.matmul %ta, %tb : (!prism.tile<[d0, d1], f32>, !prism.tile<[d1, d2/x], f32>) -> !prism.tile<[d0, d2/x], f32>
      %z = prism.save %m [[], [x]] : !prism.tile<[d0, d2/x], f32> -> !prism.tensor<[d0, d2], f32>
      prism.yield %z : !prism.tensor<[d0, d2], f32>
    }
    prism.yield %r : !prism.tensor<[d0, d2], f32>
  }
  // CHECK: graphs.mlir:[[#@LINE+8]]:{{.*}}remark: candidate 'shape' of program 'p': dropped by shape: parallel dim y does not split this result
  prism.candidate "shape" mapped {
  ^bb0(%x: !prism.tensor<[d0, d1], f32>, %w: !prism.tensor<[d1, d2], f32>):
    %r = prism.kernel "k0"(%a = %x, %b = %w) parallel [x grid, y grid] : (!prism.tensor<[d0, d1], f32>, !prism.tensor<[d1, d2], f32>) -> !prism.tensor<[d0, d2], f32> {
      %ta = prism.load %a [[], [y]] : !prism.tensor<[d0, d1], f32> -> !prism.tile<[d0, d1/y], f32>
      %tb = prism.load %b [[y], [x]] : !prism.tensor<[d1, d2], f32> -> !prism.tile<[d1/y, d2/x], f32>
      %m = prism.matmul %ta, %tb : (!prism.tile<[d0, d1/y], f32>, !prism.tile<[d1/y, d2/x], f32>) -> !prism.tile<[d0, d2/x], f32>
      %e = prism.exp %m : (!prism.tile<[d0, d2/x], f32>) -> !prism.tile<[d0, d2/x], f32>
      %z = prism.save %e [[], [x]] : !prism.tile<[d0, d2/x], f32> -> !prism.tensor<[d0, d2], f32>
      prism.yield %z : !prism.tensor<[d0, d2], f32>
    }
    prism.yield %r : !prism.tensor<[d0, d2], f32>
  }
  // exp of a part of the sum, accumulated: no sum is pending there.
  // CHECK: graphs.mlir:[[#@LINE+7]]:{{.*}}remark: candidate 'propagation' of program 'p': dropped by propagation: along parallel dim i no schema takes these operands: a pending sum
  prism.candidate "propagation" mapped {
  ^bb0(%x: !prism.tensor<[d0, d1], f32>, %w: !prism.tensor<[d1, d2], f32>):
    %r = prism.kernel "k0"(%a = %x, %b = %w) parallel [x grid, i loop] : (!prism.tensor<[d0, d1], f32>, !prism.tensor<[d1, d2], f32>) -> !prism.tensor<[d0, d2], f32> {
      %ta = prism.load %a [[], [i]] : !prism.tensor<[d0, d1], f32> -> !prism.tile<[d0, d1/i], f32>
      %tb = prism.load %b [[i], [x]] : !prism.tensor<[d1, d2], f32> -> !prism.tile<[d1/i, d2/x], f32>
      %m = prism.matmul %ta, %tb : (!prism.tile<[d0, d1/i], f32>, !prism.tile<[d1/i, d2/x], f32>) -> !prism.tile<[d0, d2/x], f32>
      %e = prism.exp %m : (!prism.tile<[d0, d2/x], f32>) -> !prism.tile<[d0, d2/x], f32>
      %ea = prism.accumulate sum %e over i : !prism.tile<[d0, d2/x], f32> -> !prism.tile<[d0, d2/x], f32>
      %z = prism.save %ea [[], [x]] : !prism.tile<[d0, d2/x], f32> -> !prism.tensor<[d0, d2], f32>
      prism.yield %z : !prism.tensor<[d0, d2], f32>
    }
    prism.yield %r : !prism.tensor<[d0, d2], f32>
  }
  // The loop splits rows, which nothing adds up.
  // CHECK: graphs.mlir:[[#@LINE+8]]:{{.*}}remark: candidate 'accumulator' of program 'p': dropped by propagation: along parallel dim i what is accumulated is the same in all, not what its kind takes
  prism.candidate "accumulator" mapped {
  ^bb0(%x: !prism.tensor<[d0, d1], f32>, %w: !prism.tensor<[d1, d2], f32>):
    %r = prism.kernel "k0"(%a = %x, %b = %w) parallel [x grid, i loop] : (!prism.tensor<[d0, d1], f32>, !prism.tensor<[d1, d2], f32>) -> !prism.tensor<[d0, d2], f32> {
      %ta = prism.load %a [[], []] : !prism.tensor<[d0, d1], f32> -> !prism.tile<[d0, d1], f32>
      %tc = prism.load %a [[], [i]] : !prism.tensor<[d0, d1], f32> -> !prism.tile<[d0, d1/i], f32>
      %tb = prism.load %b [[], [x]] : !prism.tensor<[d1, d2], f32> -> !prism.tile<[d1, d2/x], f32>
      %m = prism.matmul %ta, %tb : (!prism.tile<[d0, d1], f32>, !prism.tile<[d1, d2/x], f32>) -> !prism.tile<[d0, d2/x], f32>
      %ma = prism.accumulate sum %m over i : !prism.tile<[d0, d2/x], f32> -> !prism.tile<[d0, d2/x], f32>
      %e = prism.exp %ma : (!prism.tile<[d0, d2/x], f32>) -> !prism.tile<[d0, d2/x], f32>
      %z = prism.save %e [[], [x]] : !prism.tile<[d0, d2/x], f32> -> !prism.tensor<[d0, d2], f32>
      prism.yield %z : !prism.tensor<[d0, d2], f32>
    }
    prism.yield %r : !prism.tensor<[d0, d2], f32>
  }
  // The program keeps the product in f32.
  // CHECK: graphs.mlir:[[#@LINE+1]]:{{.*}}remark: candidate 'proof' of program 'p': dropped by proof: Unknown: it breaks the precision rule
  prism.candidate "proof" mapped {
  ^bb0(%x: !prism.tensor<[d0, d1], f32>, %w: !prism.tensor<[d1, d2], f32>):
    %r = prism.kernel "k0"(%a = %x, %b = %w) parallel [x grid] : (!prism.tensor<[d0, d1], f32>, !prism.tensor<[d1, d2], f32>) -> !prism.tensor<[d0, d2], f32> {
      %ta = prism.load %a [[], []] : !prism.tensor<[d0, d1], f32> -> !prism.tile<[d0, d1], f32>
      %tb = prism.load %b [[], [x]] : !prism.tensor<[d1, d2], f32> -> !prism.tile<[d1, d2/x], f32>
      %m = prism.matmul %ta, %tb : (!prism.tile<[d0, d1], f32>, !prism.tile<[d1, d2/x], f32>) -> !prism.tile<[d0, d2/x], f32>
      %c = prism.cast %m : (!prism.tile<[d0, d2/x], f32>) -> !prism.tile<[d0, d2/x], f16>
      %d = prism.cast %c : (!prism.tile<[d0, d2/x], f16>) -> !prism.tile<[d0, d2/x], f32>
      %e = prism.exp %d : (!prism.tile<[d0, d2/x], f32>) -> !prism.tile<[d0, d2/x], f32>
      %z = prism.save %e [[], [x]] : !prism.tile<[d0, d2/x], f32> -> !prism.tensor<[d0, d2], f32>
      prism.yield %z : !prism.tensor<[d0, d2], f32>
    }
    prism.yield %r : !prism.tensor<[d0, d2], f32>
  }
  // One block is a grid of size 1.
  // CHECK: graphs.mlir:[[#@LINE+1]]:{{.*}}remark: candidate 'one_block' of program 'p': not reached: no check drops it, but no candidate is like it: a kernel without a grid dim
  prism.candidate "one_block" mapped {
  ^bb0(%x: !prism.tensor<[d0, d1], f32>, %w: !prism.tensor<[d1, d2], f32>):
    %r = prism.kernel "k0"(%a = %x, %b = %w) parallel [] : (!prism.tensor<[d0, d1], f32>, !prism.tensor<[d1, d2], f32>) -> !prism.tensor<[d0, d2], f32> {
      %ta = prism.load %a [[], []] : !prism.tensor<[d0, d1], f32> -> !prism.tile<[d0, d1], f32>
      %tb = prism.load %b [[], []] : !prism.tensor<[d1, d2], f32> -> !prism.tile<[d1, d2], f32>
      %m = prism.matmul %ta, %tb : (!prism.tile<[d0, d1], f32>, !prism.tile<[d1, d2], f32>) -> !prism.tile<[d0, d2], f32>
      %e = prism.exp %m : (!prism.tile<[d0, d2], f32>) -> !prism.tile<[d0, d2], f32>
      %z = prism.save %e [[], []] : !prism.tile<[d0, d2], f32> -> !prism.tensor<[d0, d2], f32>
      prism.yield %z : !prism.tensor<[d0, d2], f32>
    }
    prism.yield %r : !prism.tensor<[d0, d2], f32>
  }
}

//--- softmax.mlir
prism.program @s extents [n = 8, d = 64] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n, d], f32>) {
  %m = prism.reduce_max %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %0 = prism.sub %x, %m maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32>
  %e = prism.exp %0 : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %s = prism.reduce_sum %e dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %1 = prism.div %e, %s maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32>
  prism.yield %1 : !prism.tensor<[n, d], f32>
}

//--- softmax-graphs.mlir
prism.program @s extents [n = 8, d = 64] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n, d], f32>) {
  prism.yield %x : !prism.tensor<[n, d], f32>
} candidates {
  // CHECK: graphs.mlir:[[#@LINE+5]]:{{.*}}remark: candidate 'unshifted' of program 's': dropped by range: the value of 'prism.exp' may overflow where the program does not
  prism.candidate "unshifted" mapped {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32> {
      %t = prism.load %a [[x], []] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d], f32>
      %e = prism.exp %t : (!prism.tile<[n/x, d], f32>) -> !prism.tile<[n/x, d], f32>
      %s = prism.reduce_sum %e dims [1] : (!prism.tile<[n/x, d], f32>) -> !prism.tile<[n/x], f32>
      %q = prism.div %e, %s maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/x, d], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x, d], f32>
      %z = prism.save %q [[x], []] : !prism.tile<[n/x, d], f32> -> !prism.tensor<[n, d], f32>
      prism.yield %z : !prism.tensor<[n, d], f32>
    }
    prism.yield %r : !prism.tensor<[n, d], f32>
  }
}

//--- quotient.mlir
prism.program @q extents [n = 8, d = 64, h = 32] (%x: !prism.tensor<[n, d], f32>, %s: !prism.tensor<[n], f32>, %w: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[n, h], f32>) {
  %0 = prism.div %x, %s maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32>
  %1 = prism.matmul %0, %w : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  prism.yield %1 : !prism.tensor<[n, h], f32>
}

//--- quotient-graphs.mlir
prism.program @q extents [n = 8, d = 64, h = 32] (%x: !prism.tensor<[n, d], f32>, %s: !prism.tensor<[n], f32>, %w: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[n, h], f32>) {
  %0 = prism.div %x, %s maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32>
  %1 = prism.matmul %0, %w : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  prism.yield %1 : !prism.tensor<[n, h], f32>
} candidates {
  // The quotient stands after the product.
  // CHECK: graphs.mlir:[[#@LINE+1]]:{{.*}}remark: candidate 'other_words' of program 'q': normal form: kept as candidate q_{{[0-9]+}}, which is the same kernel in 2 ops; this has 2
  prism.candidate "other_words" mapped {
  ^bb0(%x: !prism.tensor<[n, d], f32>, %s: !prism.tensor<[n], f32>, %w: !prism.tensor<[d, h], f32>):
    %r = prism.kernel "k0"(%a = %x, %b = %s, %c = %w) parallel [x grid] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32> {
      %ta = prism.load %a [[], []] : !prism.tensor<[n, d], f32> -> !prism.tile<[n, d], f32>
      %tb = prism.load %b [[]] : !prism.tensor<[n], f32> -> !prism.tile<[n], f32>
      %tc = prism.load %c [[], [x]] : !prism.tensor<[d, h], f32> -> !prism.tile<[d, h/x], f32>
      %q = prism.div %ta, %tb maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n, d], f32>, !prism.tile<[n], f32>) -> !prism.tile<[n, d], f32>
      %m = prism.matmul %q, %tc : (!prism.tile<[n, d], f32>, !prism.tile<[d, h/x], f32>) -> !prism.tile<[n, h/x], f32>
      %z = prism.save %m [[], [x]] : !prism.tile<[n, h/x], f32> -> !prism.tensor<[n, h], f32>
      prism.yield %z : !prism.tensor<[n, h], f32>
    }
    prism.yield %r : !prism.tensor<[n, h], f32>
  }
}
