// RUN: prism-opt %s --convert-linalg-to-prism | FileCheck %s

// Reshapes, slices and concatenations.

// CHECK-LABEL: func.func @rotary(
// CHECK-SAME:      %[[A0:.*]]: tensor<2x8x64xf32>, %[[A1:.*]]: tensor<8x64xf32>) -> tensor<2x8x64xf32>
// CHECK-NEXT:    %[[V0:.*]] = prism.slice %[[A0]] dim 2 offset 0 : (tensor<2x8x64xf32>) -> tensor<2x8x32xf32>
// CHECK-NEXT:    %[[V1:.*]] = prism.slice %[[A0]] dim 2 offset 32 : (tensor<2x8x64xf32>) -> tensor<2x8x32xf32>
// CHECK-NEXT:    %[[V2:.*]] = prism.neg %[[V1]] : (tensor<2x8x32xf32>) -> tensor<2x8x32xf32>
// CHECK-NEXT:    %[[V3:.*]] = prism.concat %[[V2]], %[[V0]] dim 2 : (tensor<2x8x32xf32>, tensor<2x8x32xf32>) -> tensor<2x8x64xf32>
// CHECK-NEXT:    %[[V4:.*]] = prism.mul %[[V3]], %[[A1]] maps [d0, d1, d2], [d1, d2] -> [d0, d1, d2] : (tensor<2x8x64xf32>, tensor<8x64xf32>) -> tensor<2x8x64xf32>
// CHECK-NEXT:    return %[[V4]] : tensor<2x8x64xf32>
func.func @rotary(%a: tensor<2x8x64xf32>, %c: tensor<8x64xf32>) -> tensor<2x8x64xf32> {
  %l = tensor.extract_slice %a[0, 0, 0] [2, 8, 32] [1, 1, 1] : tensor<2x8x64xf32> to tensor<2x8x32xf32>
  %h = tensor.extract_slice %a[0, 0, 32] [2, 8, 32] [1, 1, 1] : tensor<2x8x64xf32> to tensor<2x8x32xf32>
  %n = arith.negf %h : tensor<2x8x32xf32>
  %r = tensor.concat dim(2) %n, %l : (tensor<2x8x32xf32>, tensor<2x8x32xf32>) -> tensor<2x8x64xf32>
  %e = tensor.empty() : tensor<2x8x64xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(b, s, d) -> (b, s, d)>, affine_map<(b, s, d) -> (s, d)>, affine_map<(b, s, d) -> (b, s, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%r, %c : tensor<2x8x64xf32>, tensor<8x64xf32>) outs(%e : tensor<2x8x64xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.mulf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<2x8x64xf32>
  return %m : tensor<2x8x64xf32>
}

// CHECK-LABEL: func.func @heads(
// CHECK-SAME:      %[[A0:.*]]: tensor<2x77x640xf16>) -> tensor<2x10x77x64xf16>
// CHECK-NEXT:    %[[V0:.*]] = prism.reshape %[[A0]] ([d0], [d1], [d2, d3]) -> ([d0], [d1], [d2], [d3]) : (tensor<2x77x640xf16>) -> tensor<2x77x10x64xf16>
// CHECK-NEXT:    %[[V1:.*]] = prism.transpose %[[V0]] permutation [0, 2, 1, 3] : (tensor<2x77x10x64xf16>) -> tensor<2x10x77x64xf16>
// CHECK-NEXT:    return %[[V1]] : tensor<2x10x77x64xf16>
func.func @heads(%x: tensor<2x77x640xf16>) -> tensor<2x10x77x64xf16> {
  %s = tensor.expand_shape %x [[0], [1], [2, 3]] output_shape [2, 77, 10, 64] : tensor<2x77x640xf16> into tensor<2x77x10x64xf16>
  %e = tensor.empty() : tensor<2x10x77x64xf16>
  %t = linalg.transpose ins(%s : tensor<2x77x10x64xf16>) outs(%e : tensor<2x10x77x64xf16>) permutation = [0, 2, 1, 3]
  return %t : tensor<2x10x77x64xf16>
}

// CHECK-LABEL: func.func @merge_heads(
// CHECK-SAME:      %[[A0:.*]]: tensor<2x10x77x64xf16>) -> tensor<2x77x640xf16>
// CHECK-NEXT:    %[[V0:.*]] = prism.transpose %[[A0]] permutation [0, 2, 1, 3] : (tensor<2x10x77x64xf16>) -> tensor<2x77x10x64xf16>
// CHECK-NEXT:    %[[V1:.*]] = prism.reshape %[[V0]] ([d0], [d1], [d2], [d3]) -> ([d0], [d1], [d2, d3]) : (tensor<2x77x10x64xf16>) -> tensor<2x77x640xf16>
// CHECK-NEXT:    return %[[V1]] : tensor<2x77x640xf16>
func.func @merge_heads(%x: tensor<2x10x77x64xf16>) -> tensor<2x77x640xf16> {
  %e = tensor.empty() : tensor<2x77x10x64xf16>
  %t = linalg.transpose ins(%x : tensor<2x10x77x64xf16>) outs(%e : tensor<2x77x10x64xf16>) permutation = [0, 2, 1, 3]
  %s = tensor.collapse_shape %t [[0], [1], [2, 3]] : tensor<2x77x10x64xf16> into tensor<2x77x640xf16>
  return %s : tensor<2x77x640xf16>
}

// CHECK-LABEL: func.func @collapse_units(
// CHECK-SAME:      %[[A0:.*]]: tensor<1x8x1x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:    %[[V0:.*]] = tensor.collapse_shape %[[A0]] {{\[\[}}0, 1, 2], [3]] : tensor<1x8x1x16xf32> into tensor<8x16xf32>
// CHECK-NEXT:    %[[V1:.*]] = prism.exp %[[V0]] : (tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:    return %[[V1]] : tensor<8x16xf32>
func.func @collapse_units(%a: tensor<1x8x1x16xf32>) -> tensor<8x16xf32> {
  %c = tensor.collapse_shape %a [[0, 1], [2, 3]] : tensor<1x8x1x16xf32> into tensor<8x16xf32>
  %e = math.exp %c : tensor<8x16xf32>
  return %e : tensor<8x16xf32>
}

// CHECK-LABEL: func.func @collapse_broadcast(
// CHECK-SAME:      %[[A0:.*]]: tensor<8x4xf32>) -> tensor<128xf32>
// CHECK-NEXT:    %[[V0:.*]] = prism.broadcast %[[A0]] dims [0, 2] : (tensor<8x4xf32>) -> tensor<8x4x4xf32>
// CHECK-NEXT:    %[[V1:.*]] = prism.reshape %[[V0]] ([d0], [d1], [d2]) -> ([d0, d1, d2]) : (tensor<8x4x4xf32>) -> tensor<128xf32>
// CHECK-NEXT:    return %[[V1]] : tensor<128xf32>
func.func @collapse_broadcast(%a: tensor<8x4xf32>) -> tensor<128xf32> {
  %e = tensor.empty() : tensor<8x4x4xf32>
  %b = linalg.broadcast ins(%a : tensor<8x4xf32>) outs(%e : tensor<8x4x4xf32>) dimensions = [1]
  %c = tensor.collapse_shape %b [[0, 1, 2]] : tensor<8x4x4xf32> into tensor<128xf32>
  return %c : tensor<128xf32>
}

// CHECK-LABEL: func.func @expand_then_merge(
// CHECK-SAME:      %[[A0:.*]]: tensor<6x8xf32>) -> tensor<2x24xf32>
// CHECK-NEXT:    %[[V0:.*]] = prism.reshape %[[A0]] ([d0, d1], [d2]) -> ([d0], [d1], [d2]) : (tensor<6x8xf32>) -> tensor<2x3x8xf32>
// CHECK-NEXT:    %[[V1:.*]] = prism.exp %[[V0]] : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
// CHECK-NEXT:    %[[V2:.*]] = prism.reshape %[[V1]] ([d0], [d1], [d2]) -> ([d0], [d1, d2]) : (tensor<2x3x8xf32>) -> tensor<2x24xf32>
// CHECK-NEXT:    return %[[V2]] : tensor<2x24xf32>
func.func @expand_then_merge(%a: tensor<6x8xf32>) -> tensor<2x24xf32> {
  %x = tensor.expand_shape %a [[0, 1], [2]] output_shape [2, 3, 8] : tensor<6x8xf32> into tensor<2x3x8xf32>
  %e = math.exp %x : tensor<2x3x8xf32>
  %c = tensor.collapse_shape %e [[0], [1, 2]] : tensor<2x3x8xf32> into tensor<2x24xf32>
  return %c : tensor<2x24xf32>
}

// CHECK-LABEL: func.func @rank_reducing_slice(
// CHECK-SAME:      %[[A0:.*]]: tensor<8x4x16xf32>) -> tensor<4x8xf32>
// CHECK-NEXT:    %[[V0:.*]] = prism.slice %[[A0]] dim 1 offset 2 : (tensor<8x4x16xf32>) -> tensor<8x1x16xf32>
// CHECK-NEXT:    %[[V1:.*]] = prism.slice %[[V0]] dim 2 offset 8 : (tensor<8x1x16xf32>) -> tensor<8x1x4xf32>
// CHECK-NEXT:    %[[V2:.*]] = prism.reshape %[[V1]] ([d0], [], [d1]) -> ([d0], [d1]) : (tensor<8x1x4xf32>) -> tensor<8x4xf32>
// CHECK-NEXT:    %[[V3:.*]] = prism.exp %[[V2]] : (tensor<8x4xf32>) -> tensor<8x4xf32>
// CHECK-NEXT:    %[[V4:.*]] = prism.transpose %[[V3]] permutation [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
// CHECK-NEXT:    return %[[V4]] : tensor<4x8xf32>
func.func @rank_reducing_slice(%a: tensor<8x4x16xf32>) -> tensor<4x8xf32> {
  %s = tensor.extract_slice %a[0, 2, 8] [8, 1, 4] [1, 1, 1] : tensor<8x4x16xf32> to tensor<8x4xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %t = linalg.transpose ins(%s : tensor<8x4xf32>) outs(%e : tensor<4x8xf32>) permutation = [1, 0]
  %x = math.exp %t : tensor<4x8xf32>
  return %x : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @concat_of_broadcast(
// CHECK-SAME:      %[[A0:.*]]: tensor<8xf32>, %[[A1:.*]]: tensor<8x4xf32>) -> tensor<8x7xf32>
// CHECK-NEXT:    %[[V0:.*]] = prism.broadcast %[[A0]] dims [0] : (tensor<8xf32>) -> tensor<8x3xf32>
// CHECK-NEXT:    %[[V1:.*]] = prism.concat %[[V0]], %[[A1]] dim 1 : (tensor<8x3xf32>, tensor<8x4xf32>) -> tensor<8x7xf32>
// CHECK-NEXT:    return %[[V1]] : tensor<8x7xf32>
func.func @concat_of_broadcast(%a: tensor<8xf32>, %b: tensor<8x4xf32>) -> tensor<8x7xf32> {
  %e = tensor.empty() : tensor<8x3xf32>
  %t = linalg.broadcast ins(%a : tensor<8xf32>) outs(%e : tensor<8x3xf32>) dimensions = [1]
  %c = tensor.concat dim(1) %t, %b : (tensor<8x3xf32>, tensor<8x4xf32>) -> tensor<8x7xf32>
  return %c : tensor<8x7xf32>
}
