// RUN: prism-opt %s --convert-linalg-to-prism | FileCheck %s

// What is not run on the CPU here: other types, control flow, dims.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#row0 = affine_map<(d0, d1) -> (d0, 0)>
#none = affine_map<(d0, d1) -> ()>

// CHECK-LABEL: func.func @softmax(
// CHECK-SAME:      %[[A0:.*]]: tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:    %[[V0:.*]] = prism.softmax %[[A0]] dim 1 : (tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:    return %[[V0]] : tensor<8x16xf32>
func.func @softmax(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %0 = linalg.softmax dimension(1) ins(%a : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// CHECK-LABEL: func.func @scalar_arguments(
// CHECK-SAME:      %[[A0:.*]]: tensor<8x16xf32>, %[[A1:.*]]: f32, %[[A2:.*]]: f64) -> tensor<8x16xf32>
// CHECK-NEXT:    %[[V0:.*]] = tensor.from_elements %[[A2]] : tensor<f64>
// CHECK-NEXT:    %[[V1:.*]] = prism.cast %[[V0]] : (tensor<f64>) -> tensor<f32>
// CHECK-NEXT:    %[[V2:.*]] = prism.div %[[A0]], %[[V1]] maps [d0, d1], [] -> [d0, d1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8x16xf32>
// CHECK-NEXT:    %[[V3:.*]] = tensor.from_elements %[[A1]] : tensor<f32>
// CHECK-NEXT:    %[[V4:.*]] = prism.sub %[[V2]], %[[V3]] maps [d0, d1], [] -> [d0, d1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8x16xf32>
// CHECK-NEXT:    return %[[V4]] : tensor<8x16xf32>
func.func @scalar_arguments(%a: tensor<8x16xf32>, %s: f32, %t: f64) -> tensor<8x16xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %r = linalg.generic {indexing_maps = [#id, #none, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %s : tensor<8x16xf32>, f32) outs(%e : tensor<8x16xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %u = arith.truncf %t : f64 to f32
    %1 = arith.divf %x, %u : f32
    %2 = arith.subf %1, %y : f32
    linalg.yield %2 : f32
  } -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// CHECK-LABEL: func.func @dead_argmax(
// CHECK-SAME:      %[[A0:.*]]: tensor<8x16xf32>, %[[A1:.*]]: tensor<8xf32>, %[[A2:.*]]: tensor<8xi64>) -> tensor<8xf32>
// CHECK-NEXT:    %[[V0:.*]] = prism.reduce_max %[[A0]] dims [1] : (tensor<8x16xf32>) -> tensor<8xf32>
// CHECK-NEXT:    %[[V1:.*]] = prism.max %[[V0]], %[[A1]] : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:    return %[[V1]] : tensor<8xf32>
func.func @dead_argmax(%a: tensor<8x16xf32>, %i: tensor<8xf32>, %j: tensor<8xi64>) -> tensor<8xf32> {
  %r:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<8x16xf32>) outs(%i, %j : tensor<8xf32>, tensor<8xi64>) {
  ^bb0(%x: f32, %b: f32, %w: i64):
    %p = linalg.index 1 : index
    %q = arith.index_cast %p : index to i64
    %m = arith.maximumf %x, %b : f32
    %g = arith.cmpf ogt, %x, %b : f32
    %s = arith.select %g, %q, %w : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<8xf32>, tensor<8xi64>)
  return %r#0 : tensor<8xf32>
}

// CHECK-LABEL: func.func @dynamic_heads(
// CHECK-SAME:      %[[A0:.*]]: tensor<?x640xf16>, %[[A1:.*]]: index) -> tensor<10x?x64xf16>
// CHECK-NEXT:    %[[V0:.*]] = prism.reshape %[[A0]] ([d0], [d1, d2]) -> ([d0], [d1], [d2]) : (tensor<?x640xf16>) -> tensor<?x10x64xf16>
// CHECK-NEXT:    %[[V1:.*]] = prism.transpose %[[V0]] permutation [1, 0, 2] : (tensor<?x10x64xf16>) -> tensor<10x?x64xf16>
// CHECK-NEXT:    return %[[V1]] : tensor<10x?x64xf16>
func.func @dynamic_heads(%x: tensor<?x640xf16>, %n: index) -> tensor<10x?x64xf16> {
  %s = tensor.expand_shape %x [[0], [1, 2]] output_shape [%n, 10, 64] : tensor<?x640xf16> into tensor<?x10x64xf16>
  %e = tensor.empty(%n) : tensor<10x?x64xf16>
  %t = linalg.transpose ins(%s : tensor<?x10x64xf16>) outs(%e : tensor<10x?x64xf16>) permutation = [1, 0, 2]
  return %t : tensor<10x?x64xf16>
}

// CHECK-LABEL: func.func @dynamic_slice(
// CHECK-SAME:      %[[A0:.*]]: tensor<?x64xf32>) -> tensor<?x32xf32>
// CHECK-NEXT:    %[[V0:.*]] = prism.slice %[[A0]] dim 1 offset 32 : (tensor<?x64xf32>) -> tensor<?x32xf32>
// CHECK-NEXT:    %[[V1:.*]] = prism.exp %[[V0]] : (tensor<?x32xf32>) -> tensor<?x32xf32>
// CHECK-NEXT:    return %[[V1]] : tensor<?x32xf32>
func.func @dynamic_slice(%x: tensor<?x64xf32>) -> tensor<?x32xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x64xf32>
  %s = tensor.extract_slice %x[0, 32] [%n, 32] [1, 1] : tensor<?x64xf32> to tensor<?x32xf32>
  %e = math.exp %s : tensor<?x32xf32>
  return %e : tensor<?x32xf32>
}

// CHECK-LABEL: func.func @dims(
// CHECK-SAME:      %[[A0:.*]]: tensor<?x16xf32>) -> (index, index, tensor<?x1xf32>)
// CHECK-NEXT:    %[[V0:.*]] = arith.constant 1 : index
// CHECK-NEXT:    %[[V1:.*]] = prism.reduce_sum %[[A0]] dims [1] : (tensor<?x16xf32>) -> tensor<?xf32>
// CHECK-NEXT:    %[[V2:.*]] = arith.constant 0 : index
// CHECK-NEXT:    %[[V3:.*]] = tensor.dim %[[V1]], %[[V2]] : tensor<?xf32>
// CHECK-NEXT:    %[[V4:.*]] = tensor.expand_shape %[[V1]] {{\[\[}}0, 1]] output_shape [%[[V3]], 1] : tensor<?xf32> into tensor<?x1xf32>
// CHECK-NEXT:    %[[V5:.*]] = arith.constant 0 : index
// CHECK-NEXT:    %[[V6:.*]] = tensor.dim %[[V1]], %[[V5]] : tensor<?xf32>
// CHECK-NEXT:    %[[V7:.*]] = tensor.empty(%[[V6]]) : tensor<?x16xf32>
// CHECK-NEXT:    %[[V8:.*]] = tensor.dim %[[V7]], %[[V0]] : tensor<?x16xf32>
// CHECK-NEXT:    return %[[V6]], %[[V8]], %[[V4]] : index, index, tensor<?x1xf32>
func.func @dims(%a: tensor<?x16xf32>) -> (index, index, tensor<?x1xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %a, %c0 : tensor<?x16xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<?x1xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<?x1xf32>) -> tensor<?x1xf32>
  %r = linalg.generic {indexing_maps = [#id, #row0], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<?x16xf32>) outs(%i : tensor<?x1xf32>) {
  ^bb0(%x: f32, %b: f32):
    %s = arith.addf %x, %b : f32
    linalg.yield %s : f32
  } -> tensor<?x1xf32>
  %m = tensor.dim %r, %c0 : tensor<?x1xf32>
  %e2 = tensor.empty(%m) : tensor<?x16xf32>
  %k = tensor.dim %e2, %c1 : tensor<?x16xf32>
  return %m, %k, %r : index, index, tensor<?x1xf32>
}

// CHECK-LABEL: func.func @loop(
// CHECK-SAME:      %[[A0:.*]]: tensor<8x16xf32>, %[[A1:.*]]: index) -> tensor<8x16xf32>
// CHECK-NEXT:    %[[V0:.*]] = arith.constant 0 : index
// CHECK-NEXT:    %[[V1:.*]] = arith.constant 1 : index
// CHECK-NEXT:    %[[V2:.*]] = prism.exp %[[A0]] : (tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:    %[[V3:.*]] = scf.for %[[A2:.*]] = %[[V0]] to %[[A1]] step %[[V1]] iter_args(%[[A3:.*]] = %[[V2]]) -> (tensor<8x16xf32>) {
// CHECK-NEXT:    %[[V4:.*]] = prism.square %[[A3]] : (tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:    %[[V5:.*]] = prism.add %[[V4]], %[[V2]] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:    scf.yield %[[V5]] : tensor<8x16xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[V6:.*]] = prism.exp %[[V3]] : (tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:    return %[[V6]] : tensor<8x16xf32>
func.func @loop(%a: tensor<8x16xf32>, %n: index) -> tensor<8x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = math.exp %a : tensor<8x16xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> tensor<8x16xf32> {
    %1 = arith.mulf %v, %v : tensor<8x16xf32>
    %2 = arith.addf %1, %x : tensor<8x16xf32>
    scf.yield %2 : tensor<8x16xf32>
  }
  %3 = math.exp %r : tensor<8x16xf32>
  return %3 : tensor<8x16xf32>
}

// CHECK-LABEL: func.func @recursive(
// CHECK-SAME:      %[[A0:.*]]: tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT:    %[[V0:.*]] = prism.exp %[[A0]] : (tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT:    %[[V1:.*]] = call @recursive(%[[V0]]) : (tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT:    return %[[V1]] : tensor<8x8xf32>
func.func @recursive(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = math.exp %a : tensor<8x8xf32>
  %1 = call @recursive(%0) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// A unit dim is taken off an argument once.
// CHECK-LABEL: func.func @read_twice(
// CHECK-SAME:      %[[A:.*]]: tensor<1x16xf32>, %[[B:.*]]: tensor<8x16xf32>)
// CHECK-NEXT: %[[C:.*]] = tensor.collapse_shape %[[A]] {{\[\[}}0, 1]] : tensor<1x16xf32> into tensor<16xf32>
// CHECK-NEXT: %[[M:.*]] = prism.mul %[[B]], %[[C]] maps [d0, d1], [d1] -> [d0, d1]
// CHECK-NEXT: %[[R:.*]] = prism.add %[[M]], %[[C]] maps [d0, d1], [d1] -> [d0, d1]
// CHECK-NEXT: return %[[R]]
func.func @read_twice(%a: tensor<1x16xf32>, %b: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %r = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> (0, d1)>, affine_map<(d0, d1) -> (0, d1)>, #id], iterator_types = ["parallel", "parallel"]} ins(%b, %a, %a : tensor<8x16xf32>, tensor<1x16xf32>, tensor<1x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32, %o: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %1, %z : f32
    linalg.yield %2 : f32
  } -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}
