// RUN: prism-opt %s --prism-generate="max-kernels=1 cut-forms=false" --prism-instantiate-maps --verify-diagnostics --split-input-file | FileCheck %s
// RUN: prism-opt %s --prism-generate="max-kernels=1 cut-forms=false prune-shape=false prune-expression=false" --prism-instantiate-maps --verify-diagnostics --split-input-file | FileCheck %s

// What is hardly a program ends quickly and clearly.

// An empty program.
// CHECK-LABEL: @nothing
// CHECK-NOT: prism.candidate
// expected-remark @below {{no candidates: every result is an argument or a constant}}
prism.program @nothing extents [n = ?] (%x: !prism.tensor<[n], f32>) -> (!prism.tensor<[n], f32>) {
  prism.yield %x : !prism.tensor<[n], f32>
}

// -----

// CHECK-LABEL: @no_results
// CHECK-NOT: prism.candidate
// expected-remark @below {{no candidates: every result is an argument or a constant}}
prism.program @no_results extents [] () -> () {
  prism.yield
}

// -----

// CHECK-LABEL: @constant
// CHECK-NOT: prism.candidate
// expected-remark @below {{no candidates: every result is an argument or a constant}}
prism.program @constant extents [n = ?] (%x: !prism.tensor<[n], f32>) -> (!prism.tensor<[], f32>) {
  %c = prism.constant #prism.extent<n> -> !prism.tensor<[], f32>
  prism.yield %c : !prism.tensor<[], f32>
}

// -----

// A cast by itself computes nothing over the reals.
// CHECK-LABEL: @only_cast
// CHECK-NOT: prism.candidate
// expected-remark @below {{no candidates: every result is an argument or a constant}}
prism.program @only_cast extents [n = ?] (%x: !prism.tensor<[n], f16>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.cast %x : (!prism.tensor<[n], f16>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
}

// -----

// One op; an input that is not used is not loaded.
// CHECK-LABEL: @one_op
// CHECK: prism.candidate "one_op_0" mapped
// CHECK: prism.kernel "k0"(%{{[^,]*}}) parallel [x grid] :
prism.program @one_op extents [n = ?] (%unused: !prism.tensor<[n], f32>, %x: !prism.tensor<[n], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.relu %x : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
}

// -----

// Both operands are one input, and two results one value.
// CHECK-LABEL: @same_twice
// CHECK: prism.candidate "same_twice_0" mapped
// CHECK: %[[K:.*]] = prism.kernel "k0"(%{{[^,]*}}) parallel [x grid] : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32> {
// CHECK: prism.load
// CHECK-NOT: prism.load
// CHECK: prism.yield %[[K]], %[[K]]
prism.program @same_twice extents [n = ?] (%x: !prism.tensor<[n], f32>) -> (!prism.tensor<[n], f32>, !prism.tensor<[n], f32>) {
  %0 = prism.mul %x, %x : (!prism.tensor<[n], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %1 = prism.mul %x, %x : (!prism.tensor<[n], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0, %1 : !prism.tensor<[n], f32>, !prism.tensor<[n], f32>
}

// -----

// An argument and a constant pass the kernel by.
// CHECK-LABEL: @some_results
// CHECK: prism.candidate "some_results_0" mapped
// CHECK: ^bb0(%[[X:.*]]: !prism.tensor<[n], f32>):
// CHECK: %[[K:.*]] = prism.kernel
// CHECK: %[[C:.*]] = prism.constant 2.000000e+00 : f32 -> !prism.tensor<[], f32>
// CHECK: prism.yield %[[X]], %[[K]], %[[C]]
prism.program @some_results extents [n = ?] (%x: !prism.tensor<[n], f32>) -> (!prism.tensor<[n], f32>, !prism.tensor<[n], f32>, !prism.tensor<[], f32>) {
  %c = prism.constant 2.0 : f32 -> !prism.tensor<[], f32>
  %0 = prism.exp %x : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %x, %0, %c : !prism.tensor<[n], f32>, !prism.tensor<[n], f32>, !prism.tensor<[], f32>
}

// -----

// An extent of 1 is never split.
// CHECK-LABEL: @unit
// CHECK: prism.candidate "unit_0" mapped
// CHECK: parallel [x grid] :
// CHECK: prism.load %{{.*}} {{\[\[}}], [x]] : !prism.tensor<[1, n], f32> -> !prism.tile<[1, n/x], f32>
// CHECK-NOT: prism.candidate
prism.program @unit extents [n = ?] (%x: !prism.tensor<[1, n], f32>) -> (!prism.tensor<[1, n], f32>) {
  %0 = prism.exp %x : (!prism.tensor<[1, n], f32>) -> !prism.tensor<[1, n], f32>
  prism.yield %0 : !prism.tensor<[1, n], f32>
}

// -----

// A scalar result leaves nothing to split: one block, with or without a loop.
// CHECK-LABEL: @scalar
// CHECK: prism.candidate "scalar_0" mapped
// CHECK: parallel [] :
// CHECK: prism.candidate "scalar_1" mapped
// CHECK: parallel [i loop] :
// CHECK-NOT: prism.candidate
prism.program @scalar extents [n = ?] (%x: !prism.tensor<[n], f32>) -> (!prism.tensor<[], f32>) {
  %0 = prism.reduce_sum %x dims [0] : (!prism.tensor<[n], f32>) -> !prism.tensor<[], f32>
  prism.yield %0 : !prism.tensor<[], f32>
}

// -----

// A normalized dim is whole: only the rows are split.
// CHECK-LABEL: @whole
// CHECK: prism.candidate "whole_0" mapped
// CHECK: prism.load %{{.*}} {{\[\[}}x], []]
// CHECK-NOT: prism.candidate
prism.program @whole extents [n = ?, d = ?] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n, d], f32>) {
  %0 = prism.softmax %x dim 1 : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  prism.yield %0 : !prism.tensor<[n, d], f32>
}

// -----

// Concatenated, sliced and normalized dims have no variables at all: the sum of
// extents stays as it is.
// CHECK-LABEL: @concat
// CHECK: prism.candidate "concat_0" mapped
// CHECK: prism.concat {{.*}} dim 1 : (!prism.tile<[n/x, d], f16>, !prism.tile<[n/x, r], f16>) -> !prism.tile<[n/x, d + r], f16>
prism.program @concat extents [n = 8, d = 4, r = 2] (%x: !prism.tensor<[n, d], f16>, %y: !prism.tensor<[n, r], f16>) -> (!prism.tensor<[n, d + r], f16>) {
  %0 = prism.concat %x, %y dim 1 : (!prism.tensor<[n, d], f16>, !prism.tensor<[n, r], f16>) -> !prism.tensor<[n, d + r], f16>
  prism.yield %0 : !prism.tensor<[n, d + r], f16>
}

// -----

// CHECK-LABEL: @slice
// CHECK: prism.candidate "slice_0" mapped
// CHECK: prism.load {{.*}} {{\[\[}}x], []]
// CHECK-NOT: prism.candidate
prism.program @slice extents [n = 8, d = 4] (%x: !prism.tensor<[n, d], f16>) -> (!prism.tensor<[n, 2], f16>) {
  %0 = prism.slice %x dim 1 offset 1 : (!prism.tensor<[n, d], f16>) -> !prism.tensor<[n, 2], f16>
  prism.yield %0 : !prism.tensor<[n, 2], f16>
}

// -----

// One parallel dim splits dims of one extent (constraint G10), so it cannot split
// both h*e and h: the batch of products keeps all of h.
// CHECK-LABEL: @reshape
// CHECK: prism.candidate "reshape_2" mapped
// CHECK: parallel [x grid, y grid]
// CHECK: prism.load {{.*}} {{\[\[}}y], []] : !prism.tensor<[n, e*h], f16> -> !prism.tile<[n/y, e*h], f16>
// CHECK-NOT: prism.candidate
prism.program @reshape extents [n = 8, h = 4, e = 2, m = 3] (%x: !prism.tensor<[n, h*e], f16>, %w: !prism.tensor<[h, e, m], f16>) -> (!prism.tensor<[n, h, m], f32>) {
  %0 = prism.reshape %x ([d0], [d1, d2]) -> ([d0], [d1], [d2]) : (!prism.tensor<[n, h*e], f16>) -> !prism.tensor<[n, h, e], f16>
  %1 = prism.matmul %0, %w maps [d0, d1, d3], [d1, d3, d2] -> [d0, d1, d2] : (!prism.tensor<[n, h, e], f16>, !prism.tensor<[h, e, m], f16>) -> !prism.tensor<[n, h, m], f32>
  prism.yield %1 : !prism.tensor<[n, h, m], f32>
}
