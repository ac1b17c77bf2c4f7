// RUN: prism-opt %s --convert-linalg-to-prism | FileCheck %s

// Bodies, indexing maps and unit dims.

#id = affine_map<(d0, d1) -> (d0, d1)>
#tr = affine_map<(d0, d1) -> (d1, d0)>

// CHECK-LABEL: func.func @permuted(
// CHECK-SAME:      %[[A0:.*]]: tensor<8x16xf32>, %[[A1:.*]]: tensor<16x8xf32>) -> tensor<16x8xf32>
// CHECK-NEXT:    %[[V0:.*]] = prism.sub %[[A0]], %[[A1]] maps [d1, d0], [d0, d1] -> [d0, d1] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
// CHECK-NEXT:    return %[[V0]] : tensor<16x8xf32>
func.func @permuted(%a: tensor<8x16xf32>, %b: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %e = tensor.empty() : tensor<16x8xf32>
  %r = linalg.generic {indexing_maps = [#tr, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<8x16xf32>, tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.subf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<16x8xf32>
  return %r : tensor<16x8xf32>
}

// CHECK-LABEL: func.func @transpose_returned(
// CHECK-SAME:      %[[A0:.*]]: tensor<8x16xf32>) -> tensor<16x8xf32>
// CHECK-NEXT:    %[[V0:.*]] = prism.transpose %[[A0]] permutation [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
// CHECK-NEXT:    return %[[V0]] : tensor<16x8xf32>
func.func @transpose_returned(%a: tensor<8x16xf32>) -> tensor<16x8xf32> {
  %e = tensor.empty() : tensor<16x8xf32>
  %r = linalg.transpose ins(%a : tensor<8x16xf32>) outs(%e : tensor<16x8xf32>) permutation = [1, 0]
  return %r : tensor<16x8xf32>
}

// CHECK-LABEL: func.func @broadcast_returned(
// CHECK-SAME:      %[[A0:.*]]: tensor<8xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:    %[[V0:.*]] = prism.broadcast %[[A0]] dims [0] : (tensor<8xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:    return %[[V0]] : tensor<8x16xf32>
func.func @broadcast_returned(%a: tensor<8xf32>) -> tensor<8x16xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %r = linalg.broadcast ins(%a : tensor<8xf32>) outs(%e : tensor<8x16xf32>) dimensions = [1]
  return %r : tensor<8x16xf32>
}

// CHECK-LABEL: func.func @argument_unit_dim(
// CHECK-SAME:      %[[A0:.*]]: tensor<8x16xf32>, %[[A1:.*]]: tensor<1x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:    %[[V0:.*]] = tensor.collapse_shape %[[A1]] {{\[\[}}0, 1]] : tensor<1x16xf32> into tensor<16xf32>
// CHECK-NEXT:    %[[V1:.*]] = prism.mul %[[A0]], %[[V0]] maps [d0, d1], [d1] -> [d0, d1] : (tensor<8x16xf32>, tensor<16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:    return %[[V1]] : tensor<8x16xf32>
func.func @argument_unit_dim(%a: tensor<8x16xf32>, %w: tensor<1x16xf32>) -> tensor<8x16xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %r = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> (0, d1)>, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %w : tensor<8x16xf32>, tensor<1x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.mulf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// CHECK-LABEL: func.func @named(
// CHECK-SAME:      %[[A0:.*]]: tensor<8x16xf32>, %[[A1:.*]]: tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:    %[[V0:.*]] = prism.exp %[[A0]] : (tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:    %[[V1:.*]] = prism.add %[[V0]], %[[A1]] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:    %[[V2:.*]] = prism.neg %[[V1]] : (tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:    %[[V3:.*]] = prism.max %[[V1]], %[[V2]] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:    %[[V4:.*]] = prism.mul %[[V3]], %[[A1]] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:    %[[V5:.*]] = prism.div %[[V4]], %[[A1]] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:    return %[[V5]] : tensor<8x16xf32>
func.func @named(%a: tensor<8x16xf32>, %b: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %0 = linalg.exp ins(%a : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %1 = linalg.add ins(%0, %b : tensor<8x16xf32>, tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %3 = linalg.abs ins(%1 : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %4 = linalg.elementwise kind=#linalg.elementwise_kind<mul> ins(%3, %b : tensor<8x16xf32>, tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %5 = linalg.map { arith.divf } ins(%4, %b : tensor<8x16xf32>, tensor<8x16xf32>) outs(%e : tensor<8x16xf32>)
  %6 = linalg.copy ins(%5 : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %6 : tensor<8x16xf32>
}

// CHECK-LABEL: func.func @accumulating_elementwise(
// CHECK-SAME:      %[[A0:.*]]: tensor<8x16xf32>, %[[A1:.*]]: tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:    %[[V0:.*]] = prism.add %[[A1]], %[[A0]] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:    return %[[V0]] : tensor<8x16xf32>
func.func @accumulating_elementwise(%a: tensor<8x16xf32>, %i: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x16xf32>) outs(%i : tensor<8x16xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %o, %x : f32
    linalg.yield %s : f32
  } -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// CHECK-LABEL: func.func @powers(
// CHECK-SAME:      %[[A0:.*]]: tensor<4xf32>, %[[A1:.*]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
// CHECK-NEXT:    %[[V0:.*]] = prism.exp %[[A0]] : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %[[V1:.*]] = prism.pow %[[V0]], %[[A1]] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %[[V2:.*]] = prism.rsqrt %[[V0]] : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %[[V3:.*]] = prism.square %[[A0]] : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %[[V4:.*]] = prism.mul %[[V3]], %[[A0]] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %[[V5:.*]] = prism.square %[[A0]] : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %[[V6:.*]] = prism.square %[[V5]] : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %[[V7:.*]] = prism.constant -3.000000e+00 : f32 -> tensor<f32>
// CHECK-NEXT:    %[[V8:.*]] = prism.pow %[[V0]], %[[V7]] maps [d0], [] -> [d0] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT:    return %[[V1]], %[[V2]], %[[V4]], %[[V6]], %[[V8]] : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
func.func @powers(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %c = arith.constant dense<-0.5> : tensor<4xf32>
  %d = arith.constant dense<3> : tensor<4xi32>
  %m = arith.constant dense<-3> : tensor<4xi32>
  %f = arith.constant dense<4.0> : tensor<4xf32>
  %s = arith.mulf %a, %a : tensor<4xf32>
  %e = math.exp %a : tensor<4xf32>
  %1 = math.powf %e, %b : tensor<4xf32>
  %2 = math.powf %e, %c : tensor<4xf32>
  %3 = math.fpowi %a, %d : tensor<4xf32>, tensor<4xi32>
  %4 = math.powf %a, %f : tensor<4xf32>
  %5 = math.fpowi %e, %m : tensor<4xf32>, tensor<4xi32>
  return %1, %2, %3, %4, %5 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @chooses(
// CHECK-SAME:      %[[A0:.*]]: tensor<4xf32>, %[[A1:.*]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
// CHECK-NEXT:    %[[V0:.*]] = prism.compare  lt %[[A0]], %[[A1]] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
// CHECK-NEXT:    %[[V1:.*]] = prism.sub %[[A0]], %[[A1]] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %[[V2:.*]] = prism.select %[[V0]], %[[V1]], %[[A1]] : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %[[V3:.*]] = prism.min %[[V2]], %[[A0]] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %[[V4:.*]] = prism.cast %[[V0]] : (tensor<4xi1>) -> tensor<4xf32>
// CHECK-NEXT:    return %[[V3]], %[[V4]] : tensor<4xf32>, tensor<4xf32>
func.func @chooses(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %1 = arith.cmpf olt, %a, %b : tensor<4xf32>
  %2 = arith.subf %a, %b : tensor<4xf32>
  %3 = arith.select %1, %2, %b : tensor<4xi1>, tensor<4xf32>
  %4 = arith.minimumf %3, %a : tensor<4xf32>
  %5 = arith.uitofp %1 : tensor<4xi1> to tensor<4xf32>
  return %4, %5 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @folded_scalars(
// CHECK-SAME:      %[[A0:.*]]: tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:    %[[V0:.*]] = prism.constant 9.99999974E-6 : f32 -> tensor<f32>
// CHECK-NEXT:    %[[V1:.*]] = prism.add %[[A0]], %[[V0]] maps [d0, d1], [] -> [d0, d1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8x16xf32>
// CHECK-NEXT:    %[[V2:.*]] = prism.constant 2.000000e+00 : f32 -> tensor<f32>
// CHECK-NEXT:    %[[V3:.*]] = prism.mul %[[V1]], %[[V2]] maps [d0, d1], [] -> [d0, d1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8x16xf32>
// CHECK-NEXT:    return %[[V3]] : tensor<8x16xf32>
func.func @folded_scalars(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %c = arith.constant 1.0e-5 : f64
  %two = arith.constant 2 : i64
  %e = tensor.empty() : tensor<8x16xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%x: f32, %o: f32):
    %eps = arith.truncf %c : f64 to f32
    %k = arith.sitofp %two : i64 to f32
    %1 = arith.addf %x, %eps : f32
    %2 = arith.mulf %1, %k : f32
    linalg.yield %2 : f32
  } -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// CHECK-LABEL: func.func @blocks(
// CHECK-SAME:      %[[A0:.*]]: tensor<8x16xf32>, %[[A1:.*]]: i1) -> tensor<8x16xf32>
// CHECK-NEXT:    %[[V0:.*]] = prism.exp %[[A0]] : (tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:    cf.cond_br %[[A1]], ^bb1(%[[V0]] : tensor<8x16xf32>), ^bb2
// CHECK-NEXT:    ^bb1(%[[V1:.*]]: tensor<8x16xf32>):  // 2 preds: ^bb0, ^bb2
// CHECK-NEXT:    %[[V2:.*]] = prism.add %[[V1]], %[[V0]] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:    return %[[V2]] : tensor<8x16xf32>
// CHECK-NEXT:    ^bb2:  // pred: ^bb0
// CHECK-NEXT:    %[[V3:.*]] = prism.square %[[V0]] : (tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:    cf.br ^bb1(%[[V3]] : tensor<8x16xf32>)
func.func @blocks(%a: tensor<8x16xf32>, %c: i1) -> tensor<8x16xf32> {
  %x = math.exp %a : tensor<8x16xf32>
  cf.cond_br %c, ^bb1(%x : tensor<8x16xf32>), ^bb2
^bb1(%y: tensor<8x16xf32>):
  %z = arith.addf %y, %x : tensor<8x16xf32>
  return %z : tensor<8x16xf32>
^bb2:
  %w = arith.mulf %x, %x : tensor<8x16xf32>
  cf.br ^bb1(%w : tensor<8x16xf32>)
}
