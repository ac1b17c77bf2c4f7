// RUN: prism-opt %s --convert-linalg-to-prism | FileCheck %s

// Sums, maxima and contractions.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#row0 = affine_map<(d0, d1) -> (d0, 0)>

// CHECK-LABEL: func.func @keepdim_returned(
// CHECK-SAME:      %[[A0:.*]]: tensor<8x16xf32>) -> tensor<8x1xf32>
// CHECK-NEXT:    %[[V0:.*]] = prism.reduce_sum %[[A0]] dims [1] : (tensor<8x16xf32>) -> tensor<8xf32>
// CHECK-NEXT:    %[[V1:.*]] = tensor.expand_shape %[[V0]] {{\[\[}}0, 1]] output_shape [8, 1] : tensor<8xf32> into tensor<8x1xf32>
// CHECK-NEXT:    return %[[V1]] : tensor<8x1xf32>
func.func @keepdim_returned(%a: tensor<8x16xf32>) -> tensor<8x1xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x1xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x1xf32>) -> tensor<8x1xf32>
  %r = linalg.generic {indexing_maps = [#id, #row0], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<8x16xf32>) outs(%f : tensor<8x1xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %o, %x : f32
    linalg.yield %s : f32
  } -> tensor<8x1xf32>
  return %r : tensor<8x1xf32>
}

// CHECK-LABEL: func.func @transposed_keepdim(
// CHECK-SAME:      %[[A0:.*]]: tensor<8x16x4xf32>) -> tensor<4x1x8xf32>
// CHECK-NEXT:    %[[V0:.*]] = prism.reduce_sum %[[A0]] dims [1] : (tensor<8x16x4xf32>) -> tensor<8x4xf32>
// CHECK-NEXT:    %[[V1:.*]] = prism.transpose %[[V0]] permutation [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
// CHECK-NEXT:    %[[V2:.*]] = tensor.expand_shape %[[V1]] {{\[\[}}0, 1], [2]] output_shape [4, 1, 8] : tensor<4x8xf32> into tensor<4x1x8xf32>
// CHECK-NEXT:    return %[[V2]] : tensor<4x1x8xf32>
func.func @transposed_keepdim(%a: tensor<8x16x4xf32>) -> tensor<4x1x8xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x1x8xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<4x1x8xf32>) -> tensor<4x1x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (c, 0, a)>], iterator_types = ["parallel", "reduction", "parallel"]} ins(%a : tensor<8x16x4xf32>) outs(%i : tensor<4x1x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %3 = arith.addf %x, %o : f32
    linalg.yield %3 : f32
  } -> tensor<4x1x8xf32>
  return %r : tensor<4x1x8xf32>
}

// CHECK-LABEL: func.func @max_with_init(
// CHECK-SAME:      %[[A0:.*]]: tensor<8x16xf32>, %[[A1:.*]]: tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:    %[[V0:.*]] = prism.reduce_max %[[A0]] dims [1] : (tensor<8x16xf32>) -> tensor<8xf32>
// CHECK-NEXT:    %[[V1:.*]] = prism.max %[[V0]], %[[A1]] : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:    return %[[V1]] : tensor<8xf32>
func.func @max_with_init(%a: tensor<8x16xf32>, %i: tensor<8xf32>) -> tensor<8xf32> {
  %r = linalg.reduce { arith.maximumf } ins(%a : tensor<8x16xf32>) outs(%i : tensor<8xf32>) dimensions = [1]
  return %r : tensor<8xf32>
}

// CHECK-LABEL: func.func @fma_chain(
// CHECK-SAME:      %[[A0:.*]]: tensor<8x16xf32>, %[[A1:.*]]: tensor<8x16xf32>, %[[A2:.*]]: tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:    %[[V0:.*]] = prism.mul %[[A0]], %[[A1]] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:    %[[V1:.*]] = prism.reduce_sum %[[V0]] dims [1] : (tensor<8x16xf32>) -> tensor<8xf32>
// CHECK-NEXT:    %[[V2:.*]] = prism.add %[[V1]], %[[A2]] : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:    %[[V3:.*]] = prism.reduce_sum %[[A0]] dims [1] : (tensor<8x16xf32>) -> tensor<8xf32>
// CHECK-NEXT:    %[[V4:.*]] = prism.add %[[V3]], %[[V2]] : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:    return %[[V4]] : tensor<8xf32>
func.func @fma_chain(%a: tensor<8x16xf32>, %b: tensor<8x16xf32>, %i: tensor<8xf32>) -> tensor<8xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id, #row], iterator_types = ["parallel", "reduction"]} ins(%a, %b : tensor<8x16xf32>, tensor<8x16xf32>) outs(%i : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %o, %x : f32
    %t = math.fma %x, %y, %s : f32
    linalg.yield %t : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// CHECK-LABEL: func.func @sum_of_repeated(
// CHECK-SAME:      %[[A0:.*]]: tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:    %[[V0:.*]] = prism.constant 1.600000e+01 : f32 -> tensor<f32>
// CHECK-NEXT:    %[[V1:.*]] = prism.mul %[[A0]], %[[V0]] maps [d0], [] -> [d0] : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
// CHECK-NEXT:    return %[[V1]] : tensor<8xf32>
func.func @sum_of_repeated(%a: tensor<8xf32>) -> tensor<8xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %e2 = tensor.empty() : tensor<8x16xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %b = linalg.broadcast ins(%a : tensor<8xf32>) outs(%e2 : tensor<8x16xf32>) dimensions = [1]
  %r = linalg.reduce { arith.addf } ins(%b : tensor<8x16xf32>) outs(%i : tensor<8xf32>) dimensions = [1]
  return %r : tensor<8xf32>
}

// CHECK-LABEL: func.func @matvec_and_dot(
// CHECK-SAME:      %[[A0:.*]]: tensor<8x16xf32>, %[[A1:.*]]: tensor<16xf32>) -> (tensor<8xf32>, tensor<f32>)
// CHECK-NEXT:    %[[V0:.*]] = prism.matmul %[[A0]], %[[A1]] maps [d0, d1], [d1] -> [d0] : (tensor<8x16xf32>, tensor<16xf32>) -> tensor<8xf32>
// CHECK-NEXT:    %[[V1:.*]] = prism.square %[[A1]] : (tensor<16xf32>) -> tensor<16xf32>
// CHECK-NEXT:    %[[V2:.*]] = prism.reduce_sum %[[V1]] dims [0] : (tensor<16xf32>) -> tensor<f32>
// CHECK-NEXT:    return %[[V0]], %[[V2]] : tensor<8xf32>, tensor<f32>
func.func @matvec_and_dot(%a: tensor<8x16xf32>, %x: tensor<16xf32>) -> (tensor<8xf32>, tensor<f32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r = linalg.matvec ins(%a, %x : tensor<8x16xf32>, tensor<16xf32>) outs(%f : tensor<8xf32>) -> tensor<8xf32>
  %e0 = tensor.empty() : tensor<f32>
  %f0 = linalg.fill ins(%z : f32) outs(%e0 : tensor<f32>) -> tensor<f32>
  %d = linalg.dot ins(%x, %x : tensor<16xf32>, tensor<16xf32>) outs(%f0 : tensor<f32>) -> tensor<f32>
  return %r, %d : tensor<8xf32>, tensor<f32>
}

// CHECK-LABEL: func.func @transpose_absorbed(
// CHECK-SAME:      %[[A0:.*]]: tensor<8x16xf16>, %[[A1:.*]]: tensor<4x16xf16>) -> tensor<8x4xf32>
// CHECK-NEXT:    %[[V0:.*]] = prism.matmul %[[A0]], %[[A1]] maps [d0, d2], [d1, d2] -> [d0, d1] : (tensor<8x16xf16>, tensor<4x16xf16>) -> tensor<8x4xf32>
// CHECK-NEXT:    return %[[V0]] : tensor<8x4xf32>
func.func @transpose_absorbed(%a: tensor<8x16xf16>, %b: tensor<4x16xf16>) -> tensor<8x4xf32> {
  %e = tensor.empty() : tensor<16x4xf16>
  %t = linalg.transpose ins(%b : tensor<4x16xf16>) outs(%e : tensor<16x4xf16>) permutation = [1, 0]
  %z = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<8x4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e2 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %r = linalg.matmul ins(%a, %t : tensor<8x16xf16>, tensor<16x4xf16>) outs(%f : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}

// CHECK-LABEL: func.func @reordered(
// CHECK-SAME:      %[[A0:.*]]: tensor<3x8x16xf32>, %[[A1:.*]]: tensor<16x4x3xf32>) -> tensor<4x3x8xf32>
// CHECK-NEXT:    %[[V0:.*]] = prism.matmul %[[A0]], %[[A1]] maps [d1, d2, d3], [d3, d0, d1] -> [d0, d1, d2] : (tensor<3x8x16xf32>, tensor<16x4x3xf32>) -> tensor<4x3x8xf32>
// CHECK-NEXT:    return %[[V0]] : tensor<4x3x8xf32>
func.func @reordered(%a: tensor<3x8x16xf32>, %b: tensor<16x4x3xf32>) -> tensor<4x3x8xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x3x8xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<4x3x8xf32>) -> tensor<4x3x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (k, n, b)>, affine_map<(b, m, n, k) -> (n, b, m)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%a, %b : tensor<3x8x16xf32>, tensor<16x4x3xf32>) outs(%i : tensor<4x3x8xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %1 = arith.mulf %x, %y : f32
    %3 = arith.addf %1, %o : f32
    linalg.yield %3 : f32
  } -> tensor<4x3x8xf32>
  return %r : tensor<4x3x8xf32>
}

// CHECK-LABEL: func.func @partial_contraction(
// CHECK-SAME:      %[[A0:.*]]: tensor<8x16x2xf32>, %[[A1:.*]]: tensor<16x4xf32>) -> tensor<8x4xf32>
// CHECK-NEXT:    %[[V0:.*]] = prism.matmul %[[A0]], %[[A1]] maps [d0, d2, d3], [d2, d1] -> [d0, d1] : (tensor<8x16x2xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
// CHECK-NEXT:    return %[[V0]] : tensor<8x4xf32>
func.func @partial_contraction(%a: tensor<8x16x2xf32>, %b: tensor<16x4xf32>) -> tensor<8x4xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x4xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k, l) -> (m, k, l)>, affine_map<(m, n, k, l) -> (k, n)>, affine_map<(m, n, k, l) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%a, %b : tensor<8x16x2xf32>, tensor<16x4xf32>) outs(%i : tensor<8x4xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %1 = arith.mulf %x, %y : f32
    %3 = arith.addf %1, %o : f32
    linalg.yield %3 : f32
  } -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}

// CHECK-LABEL: func.func @three_factors(
// CHECK-SAME:      %[[A0:.*]]: tensor<8x16xf32>, %[[A1:.*]]: tensor<16x4xf32>, %[[A2:.*]]: tensor<4xf32>, %[[A3:.*]]: tensor<8x4xf32>) -> tensor<8x4xf32>
// CHECK-NEXT:    %[[V0:.*]] = prism.mul %[[A0]], %[[A1]] maps [d0, d2], [d2, d1] -> [d0, d1, d2] : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4x16xf32>
// CHECK-NEXT:    %[[V1:.*]] = prism.mul %[[A2]], %[[V0]] maps [d1], [d0, d1, d2] -> [d0, d1, d2] : (tensor<4xf32>, tensor<8x4x16xf32>) -> tensor<8x4x16xf32>
// CHECK-NEXT:    %[[V2:.*]] = prism.reduce_sum %[[V1]] dims [2] : (tensor<8x4x16xf32>) -> tensor<8x4xf32>
// CHECK-NEXT:    %[[V3:.*]] = prism.add %[[V2]], %[[A3]] : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
// CHECK-NEXT:    return %[[V3]] : tensor<8x4xf32>
func.func @three_factors(%a: tensor<8x16xf32>, %b: tensor<16x4xf32>, %s: tensor<4xf32>, %i: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b, %s : tensor<8x16xf32>, tensor<16x4xf32>, tensor<4xf32>) outs(%i : tensor<8x4xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32, %o: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.mulf %z, %1 : f32
    %3 = arith.addf %2, %o : f32
    linalg.yield %3 : f32
  } -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}

// CHECK-LABEL: func.func @widening_cast_kept_for_others(
// CHECK-SAME:      %[[A0:.*]]: tensor<8x16xbf16>, %[[A1:.*]]: tensor<16x4xbf16>, %[[A2:.*]]: tensor<8x4xf32>) -> (tensor<8x16xf32>, tensor<8x4xf32>)
// CHECK-NEXT:    %[[V0:.*]] = prism.cast %[[A0]] : (tensor<8x16xbf16>) -> tensor<8x16xf32>
// CHECK-NEXT:    %[[V1:.*]] = prism.exp %[[V0]] : (tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:    %[[V2:.*]] = prism.matmul %[[A0]], %[[A1]] : (tensor<8x16xbf16>, tensor<16x4xbf16>) -> tensor<8x4xf32>
// CHECK-NEXT:    %[[V3:.*]] = prism.add %[[V2]], %[[A2]] : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
// CHECK-NEXT:    return %[[V1]], %[[V3]] : tensor<8x16xf32>, tensor<8x4xf32>
func.func @widening_cast_kept_for_others(%a: tensor<8x16xbf16>, %b: tensor<16x4xbf16>, %i: tensor<8x4xf32>) -> (tensor<8x16xf32>, tensor<8x4xf32>) {
  %0 = arith.extf %a : tensor<8x16xbf16> to tensor<8x16xf32>
  %1 = arith.extf %b : tensor<16x4xbf16> to tensor<16x4xf32>
  %2 = math.exp %0 : tensor<8x16xf32>
  %r = linalg.matmul ins(%0, %1 : tensor<8x16xf32>, tensor<16x4xf32>) outs(%i : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %2, %r : tensor<8x16xf32>, tensor<8x4xf32>
}

// CHECK-LABEL: func.func @one_cast_is_kept(
// CHECK-SAME:      %[[A0:.*]]: tensor<8x16xf16>, %[[A1:.*]]: tensor<16x4xf32>, %[[A2:.*]]: tensor<8x4xf32>) -> tensor<8x4xf32>
// CHECK-NEXT:    %[[V0:.*]] = prism.cast %[[A0]] : (tensor<8x16xf16>) -> tensor<8x16xf32>
// CHECK-NEXT:    %[[V1:.*]] = prism.matmul %[[V0]], %[[A1]] : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
// CHECK-NEXT:    %[[V2:.*]] = prism.add %[[V1]], %[[A2]] : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
// CHECK-NEXT:    return %[[V2]] : tensor<8x4xf32>
func.func @one_cast_is_kept(%a: tensor<8x16xf16>, %b: tensor<16x4xf32>, %i: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = arith.extf %a : tensor<8x16xf16> to tensor<8x16xf32>
  %r = linalg.matmul ins(%0, %b : tensor<8x16xf32>, tensor<16x4xf32>) outs(%i : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}
