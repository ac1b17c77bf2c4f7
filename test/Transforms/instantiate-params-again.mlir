// What is sized already is sized again, not once more: of candidates that differ in their
// sizes alone one is kept, and ids stay unique. Why nothing fits is said of the kernel.
// RUN: prism-opt %s --prism-generate --prism-instantiate-maps --prism-verify --prism-instantiate-params -o %t.mlir 2>%t.txt
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: FileCheck %s --input-file=%t.txt --check-prefix=WHY
// RUN: prism-opt %t.mlir --prism-instantiate-params -o %t.again 2>/dev/null
// RUN: sed 's/points = [0-9]*/points/' %t.mlir > %t.first
// RUN: sed 's/points = [0-9]*/points/' %t.again | diff %t.first -

// A graph with sizes is explained as the mapped one.
// RUN: prism-opt %s --prism-generate=explain-pruning=%t.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// EXPLAIN: remark: candidate 'p_{{[0-9]}}' of program 'p': kept as candidate p_

// CHECK: prism.candidate "p_{{[0-9]}}" sized
// CHECK: prism.candidate "p_{{[0-9]}}.1" sized
prism.program @p extents [n = 64] (%x: !prism.tensor<[n], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.exp %x : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
}


// WHY: remark: no candidate fits sm_80: extent n is 0
prism.program @zero extents [n = 0, d = 64, m = 8] (%x: !prism.tensor<[n, d], f32>, %w: !prism.tensor<[d, m], f32>) -> (!prism.tensor<[n, m], f32>) {
  %0 = prism.matmul %x, %w : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, m], f32>) -> !prism.tensor<[n, m], f32>
  %1 = prism.exp %0 : (!prism.tensor<[n, m], f32>) -> !prism.tensor<[n, m], f32>
  prism.yield %1 : !prism.tensor<[n, m], f32>
}
