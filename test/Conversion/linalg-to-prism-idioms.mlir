// RUN: prism-opt %s --convert-linalg-to-prism | FileCheck %s

// Compute ops that importers spell out, and what only looks like them.

#id = affine_map<(d0, d1) -> (d0, d1)>
#tr = affine_map<(d0, d1) -> (d1, d0)>

// CHECK-LABEL: func.func @relus(
// CHECK-SAME:      %[[A0:.*]]: tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:    %[[V0:.*]] = prism.relu %[[A0]] : (tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:    return %[[V0]] : tensor<8x16xf32>
func.func @relus(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%x: f32, %o: f32):
    %c = arith.cmpf ugt, %x, %z : f32
    %s = arith.select %c, %x, %z : f32
    linalg.yield %s : f32
  } -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// CHECK-LABEL: func.func @sigmoids(
// CHECK-SAME:      %[[A0:.*]]: tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>)
// CHECK-NEXT:    %[[V0:.*]] = prism.sigmoid %[[A0]] : (tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:    %[[V1:.*]] = prism.silu %[[A0]] : (tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:    return %[[V0]], %[[V1]] : tensor<8x16xf32>, tensor<8x16xf32>
func.func @sigmoids(%a: tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>) {
  %one = arith.constant dense<1.0> : tensor<8x16xf32>
  %m = arith.constant dense<-1.0> : tensor<8x16xf32>
  %1 = arith.mulf %m, %a : tensor<8x16xf32>
  %2 = math.exp %1 : tensor<8x16xf32>
  %3 = arith.addf %one, %2 : tensor<8x16xf32>
  %4 = arith.divf %one, %3 : tensor<8x16xf32>
  %5 = arith.mulf %4, %a : tensor<8x16xf32>
  return %4, %5 : tensor<8x16xf32>, tensor<8x16xf32>
}

// CHECK-LABEL: func.func @silu_across_ops(
// CHECK-SAME:      %[[A0:.*]]: tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:    %[[V0:.*]] = prism.silu %[[A0]] : (tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:    return %[[V0]] : tensor<8x16xf32>
func.func @silu_across_ops(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %n = linalg.negf ins(%a : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %x = linalg.exp ins(%n : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %o = linalg.fill ins(%one : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %d = linalg.add ins(%o, %x : tensor<8x16xf32>, tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %r = linalg.div ins(%a, %d : tensor<8x16xf32>, tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// CHECK-LABEL: func.func @gelu_erf(
// CHECK-SAME:      %[[A0:.*]]: tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:    %[[V0:.*]] = prism.gelu  erf %[[A0]] : (tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:    return %[[V0]] : tensor<8x16xf32>
func.func @gelu_erf(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %h = arith.constant 5.0e-01 : f32
  %one = arith.constant 1.0 : f32
  %k = arith.constant 0.707106769 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%x: f32, %o: f32):
    %1 = arith.mulf %x, %k : f32
    %2 = math.erf %1 : f32
    %3 = arith.addf %2, %one : f32
    %4 = arith.mulf %x, %3 : f32
    %5 = arith.mulf %h, %4 : f32
    linalg.yield %5 : f32
  } -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// CHECK-LABEL: func.func @gelu_erf_div(
// CHECK-SAME:      %[[A0:.*]]: tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:    %[[V0:.*]] = prism.gelu  erf %[[A0]] : (tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:    return %[[V0]] : tensor<8x16xf32>
func.func @gelu_erf_div(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %h = arith.constant 5.0e-01 : f32
  %one = arith.constant 1.0 : f32
  %k = arith.constant 1.41421354 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%x: f32, %o: f32):
    %1 = arith.divf %x, %k : f32
    %2 = math.erf %1 : f32
    %3 = arith.addf %2, %one : f32
    %4 = arith.mulf %x, %h : f32
    %5 = arith.mulf %4, %3 : f32
    linalg.yield %5 : f32
  } -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// CHECK-LABEL: func.func @gelu_tanh(
// CHECK-SAME:      %[[A0:.*]]: tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:    %[[V0:.*]] = prism.gelu  tanh %[[A0]] : (tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:    return %[[V0]] : tensor<8x16xf32>
func.func @gelu_tanh(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %h = arith.constant 5.0e-01 : f32
  %one = arith.constant 1.0 : f32
  %three = arith.constant 3.0 : f32
  %k = arith.constant 0.797884583 : f32
  %c = arith.constant 4.471500e-02 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%x: f32, %o: f32):
    %1 = math.powf %x, %three : f32
    %2 = arith.mulf %1, %c : f32
    %3 = arith.addf %x, %2 : f32
    %4 = arith.mulf %3, %k : f32
    %5 = math.tanh %4 : f32
    %6 = arith.addf %5, %one : f32
    %7 = arith.mulf %x, %6 : f32
    %8 = arith.mulf %7, %h : f32
    linalg.yield %8 : f32
  } -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// CHECK-LABEL: func.func @not_gelu(
// CHECK-SAME:      %[[A0:.*]]: tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:    %[[V0:.*]] = prism.constant 0.707106769 : f32 -> tensor<f32>
// CHECK-NEXT:    %[[V1:.*]] = prism.mul %[[A0]], %[[V0]] maps [d0, d1], [] -> [d0, d1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8x16xf32>
// CHECK-NEXT:    %[[V2:.*]] = prism.erf %[[V1]] : (tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:    %[[V3:.*]] = prism.constant 1.000000e+00 : f32 -> tensor<f32>
// CHECK-NEXT:    %[[V4:.*]] = prism.add %[[V2]], %[[V3]] maps [d0, d1], [] -> [d0, d1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<8x16xf32>
// CHECK-NEXT:    %[[V5:.*]] = prism.mul %[[A0]], %[[V4]] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:    %[[V6:.*]] = prism.constant 6.000000e-01 : f32 -> tensor<f32>
// CHECK-NEXT:    %[[V7:.*]] = prism.mul %[[V6]], %[[V5]] maps [], [d0, d1] -> [d0, d1] : (tensor<f32>, tensor<8x16xf32>) -> tensor<8x16xf32>
// CHECK-NEXT:    return %[[V7]] : tensor<8x16xf32>
func.func @not_gelu(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %h = arith.constant dense<6.0e-01> : tensor<8x16xf32>
  %one = arith.constant dense<1.0> : tensor<8x16xf32>
  %k = arith.constant dense<0.707106769> : tensor<8x16xf32>
  %1 = arith.mulf %a, %k : tensor<8x16xf32>
  %2 = math.erf %1 : tensor<8x16xf32>
  %3 = arith.addf %2, %one : tensor<8x16xf32>
  %4 = arith.mulf %a, %3 : tensor<8x16xf32>
  %5 = arith.mulf %h, %4 : tensor<8x16xf32>
  return %5 : tensor<8x16xf32>
}

// CHECK-LABEL: func.func @not_silu(
// CHECK-SAME:      %[[A0:.*]]: tensor<4xf32>, %[[A1:.*]]: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %[[V0:.*]] = prism.neg %[[A0]] : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %[[V1:.*]] = prism.exp %[[V0]] : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %[[V2:.*]] = prism.constant 1.000000e+00 : f32 -> tensor<f32>
// CHECK-NEXT:    %[[V3:.*]] = prism.add %[[V2]], %[[V1]] maps [], [d0] -> [d0] : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %[[V4:.*]] = prism.div %[[A1]], %[[V3]] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    return %[[V4]] : tensor<4xf32>
func.func @not_silu(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %1 = arith.negf %a : tensor<4xf32>
  %2 = math.exp %1 : tensor<4xf32>
  %3 = arith.addf %one, %2 : tensor<4xf32>
  %4 = arith.divf %b, %3 : tensor<4xf32>
  return %4 : tensor<4xf32>
}

// CHECK-LABEL: func.func @not_square(
// CHECK-SAME:      %[[A0:.*]]: tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT:    %[[V0:.*]] = prism.mul %[[A0]], %[[A0]] maps [d0, d1], [d1, d0] -> [d0, d1] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT:    return %[[V0]] : tensor<8x8xf32>
func.func @not_square(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  %r = linalg.generic {indexing_maps = [#id, #tr, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %1 = arith.mulf %x, %y : f32
    linalg.yield %1 : f32
  } -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// Almost 1, in f16: no reciprocal.
// CHECK-LABEL: func.func @not_reciprocal(
// CHECK: prism.div
func.func @not_reciprocal(%a: tensor<4xf16>) -> tensor<4xf16> {
  %one = arith.constant dense<1.000980e+00> : tensor<4xf16>
  %1 = arith.divf %one, %a : tensor<4xf16>
  return %1 : tensor<4xf16>
}

// CHECK-LABEL: func.func @chosen_minimum(
// CHECK-SAME:      %[[A:.*]]: tensor<4xf32>, %[[B:.*]]: tensor<4xf32>)
// CHECK-NEXT: %[[M:.*]] = prism.min %[[A]], %[[B]]
// CHECK-NEXT: return %[[M]]
func.func @chosen_minimum(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %1 = arith.cmpf ugt, %a, %b : tensor<4xf32>
  %2 = arith.select %1, %b, %a : tensor<4xi1>, tensor<4xf32>
  return %2 : tensor<4xf32>
}
