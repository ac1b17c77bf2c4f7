// RUN: prism-opt %s --convert-prism-to-linalg --canonicalize --cse --split-input-file | FileCheck %s

// Each op is its scalar form over its iteration space; sums start from 0, in
// the result's element type.

// CHECK-DAG: #[[LHS:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[RHS:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[OUT:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func.func @matmul
// CHECK-SAME: (%[[A:.*]]: tensor<?x16xf16>, %[[B:.*]]: tensor<16x4xf16>)
func.func @matmul(%a: tensor<?x16xf16>, %b: tensor<16x4xf16>) -> tensor<?x4xf32> {
  // CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
  // CHECK: %[[ROWS:.*]] = tensor.dim %[[A]]
  // CHECK: %[[EMPTY:.*]] = tensor.empty(%[[ROWS]]) : tensor<?x4xf32>
  // CHECK: %[[INIT:.*]] = linalg.fill ins(%[[ZERO]] : f32) outs(%[[EMPTY]]
  // CHECK: linalg.generic {indexing_maps = [#[[LHS]], #[[RHS]], #[[OUT]]], iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[A]], %[[B]] : tensor<?x16xf16>, tensor<16x4xf16>) outs(%[[INIT]] : tensor<?x4xf32>)
  // CHECK-NEXT: ^bb0(%[[X:.*]]: f16, %[[Y:.*]]: f16, %[[ACC:.*]]: f32):
  // CHECK-NEXT: %[[XW:.*]] = arith.extf %[[X]] : f16 to f32
  // CHECK-NEXT: %[[YW:.*]] = arith.extf %[[Y]] : f16 to f32
  // CHECK-NEXT: %[[P:.*]] = arith.mulf %[[XW]], %[[YW]] : f32
  // CHECK-NEXT: %[[S:.*]] = arith.addf %[[ACC]], %[[P]] : f32
  // CHECK-NEXT: linalg.yield %[[S]] : f32
  %0 = prism.matmul %a, %b : (tensor<?x16xf16>, tensor<16x4xf16>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

// A maximum starts from -inf.

// CHECK-LABEL: func.func @reduce_max
func.func @reduce_max(%a: tensor<3x5xf16>) -> tensor<3xf16> {
  // CHECK: %[[LEAST:.*]] = arith.constant 0xFC00 : f16
  // CHECK: linalg.fill ins(%[[LEAST]] : f16)
  // CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
  // CHECK: arith.maximumf
  %0 = prism.reduce_max %a dims [1] : (tensor<3x5xf16>) -> tensor<3xf16>
  return %0 : tensor<3xf16>
}

// -----

// CHECK-LABEL: func.func @movement
// CHECK-SAME: (%[[A:.*]]: tensor<6x8xf32>)
func.func @movement(%a: tensor<6x8xf32>) -> (tensor<2x12xf32>, tensor<12x8xf32>) {
  // CHECK-DAG: %[[S:.*]] = tensor.extract_slice %[[A]][0, 2] [6, 4] [1, 1] : tensor<6x8xf32> to tensor<6x4xf32>
  // CHECK-DAG: %[[E:.*]] = tensor.expand_shape %[[S]] {{\[\[}}0, 1], [2]] output_shape [2, 3, 4] : tensor<6x4xf32> into tensor<2x3x4xf32>
  // CHECK-DAG: %[[C:.*]] = tensor.collapse_shape %[[E]] {{\[\[}}0], [1, 2]] : tensor<2x3x4xf32> into tensor<2x12xf32>
  %0 = prism.slice %a dim 1 offset 2 : (tensor<6x8xf32>) -> tensor<6x4xf32>
  %1 = prism.reshape %0 ([d0, d1], [d2]) -> ([d0], [d1], [d2]) : (tensor<6x4xf32>) -> tensor<2x3x4xf32>
  %2 = prism.reshape %1 ([d0], [d1], [d2]) -> ([d0], [d1, d2]) : (tensor<2x3x4xf32>) -> tensor<2x12xf32>
  // CHECK-DAG: %[[T:.*]] = tensor.concat dim(0) %[[A]], %[[A]] : (tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<12x8xf32>
  %3 = prism.concat %a, %a dim 0 : (tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<12x8xf32>
  // CHECK: return %[[C]], %[[T]]
  return %2, %3 : tensor<2x12xf32>, tensor<12x8xf32>
}

// -----

// A composite on dynamic tensors counts its rows' elements where it stands.

// CHECK-LABEL: func.func @dynamic_mean
// CHECK-SAME: (%[[A:.*]]: tensor<?x?xf32>)
func.func @dynamic_mean(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // CHECK: %[[ONE:.*]] = arith.constant 1 : index
  // CHECK: %[[N:.*]] = tensor.dim %[[A]], %[[ONE]]
  // CHECK: %[[I:.*]] = arith.index_cast %[[N]] : index to i64
  // CHECK: arith.sitofp %[[I]] : i64 to f32
  // CHECK: math.sqrt
  // CHECK-NOT: prism
  %0 = prism.rms_norm %a dim 1 epsilon 0.0 : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// An invoke becomes its program's body, with the extents of its operands:
// n*h = dim 0, h = 8. The program is then removed; one still used is not.

// CHECK-NOT: prism.program private @mean
prism.program private @mean extents [n = ?, h = 8, e = ?] (%x: !prism.tensor<[n*h, e], f32>) -> (!prism.tensor<[n, h], f32>) {
  %0 = prism.reshape %x ([d0, d1], [d2]) -> ([d0], [d1], [d2]) : (!prism.tensor<[n*h, e], f32>) -> !prism.tensor<[n, h, e], f32>
  %1 = prism.reduce_sum %0 dims [2] : (!prism.tensor<[n, h, e], f32>) -> !prism.tensor<[n, h], f32>
  %2 = prism.constant #prism.extent<e> -> !prism.tensor<[], f32>
  %3 = prism.div %1, %2 maps [d0, d1], [] -> [d0, d1] : (!prism.tensor<[n, h], f32>, !prism.tensor<[], f32>) -> !prism.tensor<[n, h], f32>
  prism.yield %3 : !prism.tensor<[n, h], f32>
}
// CHECK-LABEL: func.func @dynamic
// CHECK-SAME: (%[[X:.*]]: tensor<?x?xf32>)
func.func @dynamic(%x: tensor<?x?xf32>) -> tensor<?x8xf32> {
  // CHECK-DAG: %[[EIGHT:.*]] = arith.constant 8 : index
  // CHECK-DAG: %[[ROWS:.*]] = tensor.dim %[[X]], %c0
  // CHECK-DAG: %[[E:.*]] = tensor.dim %[[X]], %c1
  // CHECK-DAG: %[[N:.*]] = arith.divsi %[[ROWS]], %[[EIGHT]] : index
  // CHECK-DAG: tensor.expand_shape %[[X]] {{\[\[}}0, 1], [2]] output_shape [%[[N]], 8, %[[E]]] : tensor<?x?xf32> into tensor<?x8x?xf32>
  %r = prism.invoke @mean(%x) : (tensor<?x?xf32>) -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}
// The same program at static extents: the mean is over 3.
// CHECK-LABEL: func.func @static
func.func @static(%x: tensor<16x3xf32>) -> tensor<2x8xf32> {
  // CHECK: arith.constant dense<3.000000e+00> : tensor<f32>
  // CHECK: tensor.expand_shape {{.*}} output_shape [2, 8, 3]
  %r = prism.invoke @mean(%x) : (tensor<16x3xf32>) -> tensor<2x8xf32>
  return %r : tensor<2x8xf32>
}
