// RUN: prism-opt %s --prism-partition --split-input-file | FileCheck %s

// Equal numbers make no equal extents: a square matrix has two.

// CHECK: prism.program private @square_0 extents [d0 = 8, d1 = 8] (%{{.*}}: !prism.tensor<[d0, d1], f32>)
func.func @square(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = prism.exp %x : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// What indexes one iteration dim is one extent, across all ops of the region;
// a static value anywhere binds it.

// CHECK: prism.program private @unified_0 extents [d0 = ?, d1 = 8] (%{{.*}}: !prism.tensor<[d0, d1], f32>, %{{.*}}: !prism.tensor<[d1, d0], f32>) -> (!prism.tensor<[d0, d0], f32>)
func.func @unified(%x: tensor<?x?xf32>, %y: tensor<8x?xf32>) -> tensor<?x?xf32> {
  %0 = prism.add %x, %y maps [d0, d1], [d1, d0] -> [d0, d1] : (tensor<?x?xf32>, tensor<8x?xf32>) -> tensor<?x?xf32>
  %1 = prism.matmul %0, %y : (tensor<?x?xf32>, tensor<8x?xf32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// -----

// A merged dim is the product of its factors, wherever it was seen before.

// CHECK: prism.program private @merged_0 extents [d0 = ?, d1 = 4, d2 = 16]
// CHECK-SAME: (%{{.*}}: !prism.tensor<[d0, d1*d2], f32>, %{{.*}}: !prism.tensor<[d1*d2], f32>) -> (!prism.tensor<[d0, d1, d2], f32>)
func.func @merged(%x: tensor<?x64xf32>, %b: tensor<64xf32>) -> tensor<?x4x16xf32> {
  %0 = prism.add %x, %b maps [d0, d1], [d1] -> [d0, d1] : (tensor<?x64xf32>, tensor<64xf32>) -> tensor<?x64xf32>
  %1 = prism.reshape %0 ([d0], [d1, d2]) -> ([d0], [d1], [d2]) : (tensor<?x64xf32>) -> tensor<?x4x16xf32>
  return %1 : tensor<?x4x16xf32>
}

// -----

// A concatenated dim is the sum of its parts: the halves of a rotary embedding.

// CHECK: prism.program private @rotary_0 extents [d0 = 3, d1 = 4, d2 = 4] (%{{.*}}: !prism.tensor<[d0, d1 + d2], f32>, %{{.*}}: !prism.tensor<[d0, d1 + d2], f32>)
// CHECK: prism.slice %{{.*}} dim 1 offset 0 : (!prism.tensor<[d0, d1 + d2], f32>) -> !prism.tensor<[d0, d2], f32>
func.func @rotary(%x: tensor<3x8xf32>, %sin: tensor<3x8xf32>) -> tensor<3x8xf32> {
  %a = prism.slice %x dim 1 offset 0 : (tensor<3x8xf32>) -> tensor<3x4xf32>
  %b = prism.slice %x dim 1 offset 4 : (tensor<3x8xf32>) -> tensor<3x4xf32>
  %n = prism.neg %b : (tensor<3x4xf32>) -> tensor<3x4xf32>
  %r = prism.concat %n, %a dim 1 : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x8xf32>
  %0 = prism.mul %r, %sin : (tensor<3x8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  %1 = prism.add %0, %x : (tensor<3x8xf32>, tensor<3x8xf32>) -> tensor<3x8xf32>
  return %1 : tensor<3x8xf32>
}

// -----

// An extent that would be two products stands as its number.

// CHECK: prism.program private @two_ways_0 extents [d0 = ?] (%{{.*}}: !prism.tensor<[d0, 12], f32>) -> (!prism.tensor<[d0, 3, 4], f32>, !prism.tensor<[d0, 2, 6], f32>)
func.func @two_ways(%x: tensor<?x12xf32>) -> (tensor<?x3x4xf32>, tensor<?x2x6xf32>) {
  %e = prism.exp %x : (tensor<?x12xf32>) -> tensor<?x12xf32>
  %0 = prism.reshape %e ([d0], [d1, d2]) -> ([d0], [d1], [d2]) : (tensor<?x12xf32>) -> tensor<?x3x4xf32>
  %1 = prism.reshape %e ([d0], [d1, d2]) -> ([d0], [d1], [d2]) : (tensor<?x12xf32>) -> tensor<?x2x6xf32>
  return %0, %1 : tensor<?x3x4xf32>, tensor<?x2x6xf32>
}

// -----

// A unit dim that a reshape drops is 1, and no symbol.

// CHECK: prism.program private @unit_0 extents [d0 = 5] (%{{.*}}: !prism.tensor<[1, d0], f32>) -> (!prism.tensor<[d0], f32>)
func.func @unit(%x: tensor<1x5xf32>) -> tensor<5xf32> {
  %0 = prism.exp %x : (tensor<1x5xf32>) -> tensor<1x5xf32>
  %1 = prism.reshape %0 ([], [d0]) -> ([d0]) : (tensor<1x5xf32>) -> tensor<5xf32>
  return %1 : tensor<5xf32>
}

// -----

// The reciprocal of the number of summed elements; 0.142857149 is 1/7 in f32.

// CHECK-LABEL: prism.program private @reciprocal_0
// CHECK: %[[N:.*]] = prism.constant #prism.extent<d1>
// CHECK: %[[R:.*]] = prism.reciprocal %[[N]]
// CHECK: prism.mul %[[R]], %{{.*}} maps [], [d0] -> [d0]
func.func @reciprocal(%x: tensor<3x7xf32>) -> tensor<3xf32> {
  %0 = prism.reduce_sum %x dims [1] : (tensor<3x7xf32>) -> tensor<3xf32>
  %c = prism.constant 0.142857149 : f32 -> tensor<f32>
  %1 = prism.mul %c, %0 maps [], [d0] -> [d0] : (tensor<f32>, tensor<3xf32>) -> tensor<3xf32>
  return %1 : tensor<3xf32>
}

// -----

// Summed in two steps, with a cast and a broadcast between sum and division.

// CHECK-LABEL: prism.program private @two_steps_0
// CHECK: prism.constant #prism.extent<d0*d1>
func.func @two_steps(%x: tensor<3x7xf16>) -> tensor<4xf32> {
  %0 = prism.reduce_sum %x dims [1] : (tensor<3x7xf16>) -> tensor<3xf16>
  %1 = prism.cast %0 : (tensor<3xf16>) -> tensor<3xf32>
  %2 = prism.reduce_sum %1 dims [0] : (tensor<3xf32>) -> tensor<f32>
  %3 = prism.broadcast %2 dims [] : (tensor<f32>) -> tensor<4xf32>
  %c = prism.constant 21.0 : f32 -> tensor<f32>
  %4 = prism.div %3, %c maps [d0], [] -> [d0] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %4 : tensor<4xf32>
}

// -----

// Other numbers, and a dividend that is no sum, stay what they are.

// CHECK-LABEL: prism.program private @other_numbers_0
// CHECK-NOT: #prism.extent
// CHECK: prism.yield
func.func @other_numbers(%x: tensor<3x8xf32>) -> (tensor<3xf32>, tensor<3x8xf32>) {
  %0 = prism.reduce_sum %x dims [1] : (tensor<3x8xf32>) -> tensor<3xf32>
  %c = prism.constant 7.0 : f32 -> tensor<f32>
  %d = prism.constant 8.0 : f32 -> tensor<f32>
  %1 = prism.div %0, %c maps [d0], [] -> [d0] : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  %2 = prism.div %x, %d maps [d0, d1], [] -> [d0, d1] : (tensor<3x8xf32>, tensor<f32>) -> tensor<3x8xf32>
  return %1, %2 : tensor<3xf32>, tensor<3x8xf32>
}
