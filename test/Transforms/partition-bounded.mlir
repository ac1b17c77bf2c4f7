// RUN: prism-opt %s --prism-partition=max-region-ops=2 --split-input-file | FileCheck %s

// Regions of two ops at most; the constant counts for none and is in each.

// CHECK-COUNT-2: prism.program private
// CHECK-NOT: prism.program
// CHECK-LABEL: func.func @chain
// CHECK-NEXT: %[[A:.*]] = prism.invoke @chain_0(%{{.*}})
// CHECK-NEXT: %[[B:.*]] = prism.invoke @chain_0(%[[A]])
// CHECK-NEXT: %[[C:.*]] = prism.invoke @chain_1(%[[B]])
// CHECK-NEXT: return %[[C]]
func.func @chain(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = prism.constant 2.0 : f32 -> tensor<f32>
  %0 = prism.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = prism.mul %0, %c maps [d0], [] -> [d0] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = prism.exp %1 : (tensor<4xf32>) -> tensor<4xf32>
  %3 = prism.mul %2, %c maps [d0], [] -> [d0] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %4 = prism.exp %3 : (tensor<4xf32>) -> tensor<4xf32>
  return %4 : tensor<4xf32>
}

// -----

// Two regions, each convex alone, that would need each other's result: %b1 and
// %b2 are one, so that %a1 and %a2 may not be another.

// CHECK-LABEL: func.func @crossing
// CHECK-NEXT: %[[A1:.*]] = prism.invoke @crossing_0(%arg0)
// CHECK-NEXT: %[[B:.*]]:2 = prism.invoke @crossing_1(%arg1, %[[A1]])
// CHECK-NEXT: %[[A2:.*]] = prism.invoke @crossing_2(%[[A1]], %[[B]]#0)
// CHECK-NEXT: return %[[A2]], %[[B]]#1
func.func @crossing(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a1 = prism.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %b1 = prism.neg %y : (tensor<4xf32>) -> tensor<4xf32>
  %b2 = prism.add %b1, %a1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %a2 = prism.mul %a1, %b1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %a2, %b2 : tensor<4xf32>, tensor<4xf32>
}

// -----

// A composite counts for what it is made of, and is never cut.

// CHECK: prism.program private @composite_0
// CHECK-COUNT-5: prism.{{reduce_max|sub|exp|reduce_sum|div}}
// CHECK-NEXT: prism.yield
// CHECK: prism.program private @composite_1
func.func @composite(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = prism.softmax %x dim 1 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = prism.neg %0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
