// RUN: prism-opt %s --prism-partition --split-input-file | FileCheck %s

// A transpose is read through the matmul's map, across the cast between them;
// both widening casts are the matmul's own. The broadcast is the add's.

// CHECK-LABEL: prism.program private @attention_scores_0
// CHECK-SAME: (%[[Q:.*]]: !prism.tensor<[d0, d1, d2], f16>, %[[K:.*]]: !prism.tensor<[d0, d3, d2], f16>, %[[B:.*]]: !prism.tensor<[d3], f32>)
// CHECK-NEXT: %[[S:.*]] = prism.matmul %[[Q]], %[[K]] maps [d0, d1, d3], [d0, d2, d3] -> [d0, d1, d2]
// CHECK-NEXT: %[[E:.*]] = prism.exp %[[B]] : (!prism.tensor<[d3], f32>) -> !prism.tensor<[d3], f32>
// CHECK-NEXT: %[[R:.*]] = prism.add %[[S]], %[[E]] maps [d0, d1, d2], [d2] -> [d0, d1, d2]
// CHECK-NEXT: prism.yield %[[R]]
func.func @attention_scores(%q: tensor<2x3x4xf16>, %k: tensor<2x5x4xf16>, %b: tensor<5xf32>) -> tensor<2x3x5xf32> {
  %0 = prism.cast %q : (tensor<2x3x4xf16>) -> tensor<2x3x4xf32>
  %t = prism.transpose %k permutation [0, 2, 1] : (tensor<2x5x4xf16>) -> tensor<2x4x5xf16>
  %1 = prism.cast %t : (tensor<2x4x5xf16>) -> tensor<2x4x5xf32>
  %2 = prism.matmul %0, %1 : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  %3 = prism.broadcast %b dims [2] : (tensor<5xf32>) -> tensor<2x3x5xf32>
  %4 = prism.exp %3 : (tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %5 = prism.add %2, %4 : (tensor<2x3x5xf32>, tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  return %5 : tensor<2x3x5xf32>
}

// -----

// A broadcast stays where its new dim would be known from the result alone.

// CHECK-LABEL: prism.program private @only_broadcasts_0
// CHECK: prism.broadcast
// CHECK: prism.add
func.func @only_broadcasts(%a: tensor<5xf32>, %b: tensor<5xf32>) -> tensor<2x5xf32> {
  %0 = prism.broadcast %a dims [1] : (tensor<5xf32>) -> tensor<2x5xf32>
  %1 = prism.broadcast %b dims [1] : (tensor<5xf32>) -> tensor<2x5xf32>
  %2 = prism.add %0, %1 : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
  return %2 : tensor<2x5xf32>
}

// -----

// Casts that round, or that widen from different element types, stay.

// CHECK-LABEL: prism.program private @rounding_0
// CHECK: prism.cast
// CHECK: prism.cast
// CHECK: prism.matmul
// CHECK: prism.cast
// CHECK: prism.cast
// CHECK: prism.matmul
func.func @rounding(%a: tensor<3x4xf32>, %b: tensor<4x5xf32>, %c: tensor<5x6xbf16>, %d: tensor<3x5xf16>) -> (tensor<3x5xf32>, tensor<3x6xf32>) {
  %0 = prism.cast %a : (tensor<3x4xf32>) -> tensor<3x4xf16>
  %1 = prism.cast %b : (tensor<4x5xf32>) -> tensor<4x5xf16>
  %2 = prism.matmul %0, %1 : (tensor<3x4xf16>, tensor<4x5xf16>) -> tensor<3x5xf32>
  %3 = prism.cast %c : (tensor<5x6xbf16>) -> tensor<5x6xf32>
  %4 = prism.cast %d : (tensor<3x5xf16>) -> tensor<3x5xf32>
  %5 = prism.add %4, %2 : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
  %6 = prism.matmul %5, %3 : (tensor<3x5xf32>, tensor<5x6xf32>) -> tensor<3x6xf32>
  %7 = prism.add %2, %4 : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
  return %7, %6 : tensor<3x5xf32>, tensor<3x6xf32>
}
