// The largest number of extra ops is no bound at all: what is found with one is found.

// RUN: prism-opt %s --prism-generate='extra-ops=4294967295 max-block-ops=3' 2>&1 | FileCheck %s

// CHECK-NOT: no candidates
// CHECK: prism.candidate "square_sum_0"
prism.program @square_sum extents [n = 8, d = 64] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.square %x : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %1 = prism.reduce_sum %0 dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %1 : !prism.tensor<[n], f32>
}
