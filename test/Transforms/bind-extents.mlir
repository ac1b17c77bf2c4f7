// What was found at n = 8 holds at n = 16, at d = 2048, and at any d: the
// candidates are the same, and only sizes are chosen anew.
// RUN: split-file %s %t
// RUN: prism-opt %t/p.mlir --prism-generate --prism-instantiate-maps --prism-verify -o %t/at8.mlir
// RUN: sed 's/d0 = 8/d0 = 16/' %t/p.mlir | prism-opt --prism-generate --prism-instantiate-maps --prism-verify -o %t/at16.mlir
// RUN: prism-opt %t/at8.mlir --prism-bind-extents=extents=d0=16 -o %t/bound.mlir
// RUN: diff %t/at16.mlir %t/bound.mlir
// RUN: sed 's/d1 = 4096/d1 = ?/' %t/p.mlir | prism-opt --prism-generate --prism-instantiate-maps --prism-verify -o %t/dynamic.mlir
// RUN: prism-opt %t/at8.mlir --prism-bind-extents=extents=d1=? -o %t/bound.mlir
// RUN: diff %t/dynamic.mlir %t/bound.mlir
//
// Sized at n = 8, bound to others and sized again: as if searched there. The
// sizes that were chosen at n = 8 are forgotten, those of one kernel once.
// RUN: prism-opt %t/at8.mlir --prism-instantiate-params -o %t/sized8.mlir
// RUN: prism-opt %t/at16.mlir --prism-bind-extents=extents=d1=2048 --prism-instantiate-params=keep-best=1 -o %t/sized16.mlir
// RUN: FileCheck %s --input-file=%t/sized8.mlir --check-prefix=SIZED8
// RUN: prism-opt %t/sized8.mlir --prism-bind-extents='extents=d0=16,d1=2048' | FileCheck %s --check-prefix=FORGOTTEN
// RUN: prism-opt %t/sized8.mlir --prism-bind-extents='extents=d0=16,d1=2048' --prism-instantiate-params=keep-best=1 | FileCheck %s --check-prefix=AGAIN
// RUN: FileCheck %s --input-file=%t/sized16.mlir --check-prefix=AGAIN
//
// SIZED8: extents [d0 = 8, d1 = 4096, d2 = 4096]
// SIZED8: prism.candidate "p_{{.*}}" sized verdict Proved cost_us
// FORGOTTEN: extents [d0 = 16, d1 = 2048, d2 = 4096]
// FORGOTTEN: prism.candidate "p_{{[0-9]+}}" mapped verdict Proved {
// FORGOTTEN-NOT: {{tile [0-9]|cost_us|prism.roofline_us|prism.candidate "p_[0-9]+\.}}
// AGAIN: extents [d0 = 16, d1 = 2048, d2 = 4096]
// AGAIN: prism.candidate "p_{{[0-9]+}}" sized verdict Proved cost_us
// AGAIN-NOT: prism.candidate

// A program that was named; others keep their extents.
// RUN: prism-opt %t/two.mlir --prism-bind-extents='extents=n=16 program=q' | FileCheck %s --check-prefix=ONE
// ONE: prism.program @p extents [n = 8]
// ONE: prism.program @q extents [n = 16]
// RUN: prism-opt %t/two.mlir --prism-bind-extents='extents=n=16,m=?' | FileCheck %s --check-prefix=BOTH
// BOTH: prism.program @p extents [n = 16]
// BOTH: prism.program @q extents [n = 16]
// BOTH: prism.program @r extents [m = ?]

// RUN: not prism-opt %t/two.mlir --prism-bind-extents=extents=k=16 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: prism-bind-extents: no program declares the extent 'k'
// RUN: not prism-opt %t/two.mlir --prism-bind-extents='extents=m=16 program=p' 2>&1 | FileCheck %s --check-prefix=NOT-HERE
// NOT-HERE: error: prism-bind-extents: no program 'p' declares the extent 'm'
// RUN: not prism-opt %t/two.mlir --prism-bind-extents=extents=n=0 2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: error: prism-bind-extents: extent 'n' is 0, expected at least 1
// RUN: not prism-opt %t/two.mlir --prism-bind-extents=extents=n=-4 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: error: prism-bind-extents: extent 'n' is -4, expected at least 1
// RUN: not prism-opt %t/two.mlir --prism-bind-extents=extents=n 2>&1 | FileCheck %s --check-prefix=FORM
// FORM: error: prism-bind-extents: extents has 'n', expected NAME=VALUE or NAME=?
// RUN: not prism-opt %t/two.mlir --prism-bind-extents='extents=n=4,n=5' 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: error: prism-bind-extents: extent 'n' is bound twice
// RUN: not prism-opt %t/invoked.mlir --prism-bind-extents=extents=n=16 2>&1 | FileCheck %s --check-prefix=INVOKE
// INVOKE: invoked.mlir:6:8: error: prism-bind-extents: program 'p' is invoked here on 'tensor<8xf32>', where n is now 16; change the caller, or bind a copy of the program
// RUN: prism-opt %t/invoked.mlir --prism-bind-extents=extents=n=? | FileCheck %s --check-prefix=DYNAMIC
// DYNAMIC: prism.program @p extents [n = ?]

//--- p.mlir
prism.program @p extents [d0 = 8, d1 = 4096, d2 = 4096] (%x: !prism.tensor<[d0, d1], f16>, %w: !prism.tensor<[d1, d2], f16>) -> (!prism.tensor<[d0, d2], f16>) {
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
}

//--- two.mlir
prism.program @p extents [n = 8] (%x: !prism.tensor<[n], f32>) -> (!prism.tensor<[n], f32>) {
  prism.yield %x : !prism.tensor<[n], f32>
}
prism.program @q extents [n = 8] (%x: !prism.tensor<[n], f32>) -> (!prism.tensor<[n], f32>) {
  prism.yield %x : !prism.tensor<[n], f32>
}
prism.program @r extents [m = 8] (%x: !prism.tensor<[m], f32>) -> (!prism.tensor<[m], f32>) {
  prism.yield %x : !prism.tensor<[m], f32>
}

//--- invoked.mlir
prism.program @p extents [n = 8] (%x: !prism.tensor<[n], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.exp %x : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
}
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = prism.invoke @p(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
