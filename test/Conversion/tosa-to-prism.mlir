// RUN: prism-opt %s --prism-tosa-to-linalg --convert-linalg-to-prism | FileCheck %s

// tosa comes in through upstream's passes, its constants and shapes too.

// CHECK-LABEL: func.func @mean_and_matmul(
// CHECK-SAME:      %[[X:.*]]: tensor<1x8x16xf32>, %[[W:.*]]: tensor<1x16x4xf32>)
func.func @mean_and_matmul(%x: tensor<1x8x16xf32>, %w: tensor<1x16x4xf32>) -> tensor<1x8x4xf32> {
  %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %n = "tosa.const"() <{values = dense<6.250000e-02> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
  // CHECK-NEXT: %[[S:.*]] = prism.reduce_sum %[[X]] dims [2] : (tensor<1x8x16xf32>) -> tensor<1x8xf32>
  %s = tosa.reduce_sum %x {axis = 2 : i32} : (tensor<1x8x16xf32>) -> tensor<1x8x1xf32>
  // CHECK-NEXT: %[[N:.*]] = prism.constant 6.250000e-02 : f32 -> tensor<f32>
  // CHECK-NEXT: %[[M:.*]] = prism.mul %[[S]], %[[N]] maps [d0, d1], [] -> [d0, d1]
  %m = tosa.mul %s, %n, %shift : (tensor<1x8x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x8x1xf32>
  // CHECK-NEXT: %[[D:.*]] = prism.sub %[[X]], %[[M]] maps [d0, d1, d2], [d0, d1] -> [d0, d1, d2]
  %d = tosa.sub %x, %m : (tensor<1x8x16xf32>, tensor<1x8x1xf32>) -> tensor<1x8x16xf32>
  // CHECK-NEXT: %[[R:.*]] = prism.matmul %[[D]], %[[W]] : (tensor<1x8x16xf32>, tensor<1x16x4xf32>) -> tensor<1x8x4xf32>
  %r = tosa.matmul %d, %w, %zp, %zp : (tensor<1x8x16xf32>, tensor<1x16x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x8x4xf32>
  // CHECK-NEXT: return %[[R]]
  return %r : tensor<1x8x4xf32>
}

// Upstream spells a sigmoid out; it is found again.
// CHECK-LABEL: func.func @sigmoid(
// CHECK: prism.sigmoid
func.func @sigmoid(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %1 = tosa.sigmoid %x : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}
