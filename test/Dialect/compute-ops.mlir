// RUN: prism-opt %s | prism-opt | FileCheck %s
// RUN: prism-opt %s --emit-bytecode | prism-opt | FileCheck %s
// RUN: prism-opt %s --mlir-print-op-generic | prism-opt | FileCheck %s

// Every compute op, on builtin tensors, on symbolic tensors and on tiles.

// CHECK-LABEL: func.func @elementwise
func.func @elementwise(%a: tensor<4x?xf32>, %b: tensor<4x?xf32>, %r: tensor<4xf32>) {
  // CHECK: prism.add %{{.*}}, %{{.*}} : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  %0 = prism.add %a, %b : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK: prism.sub
  %1 = prism.sub %a, %b : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK: prism.mul
  %2 = prism.mul %a, %b : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK: prism.div %{{.*}}, %{{.*}} maps [d0, d1], [d0] -> [d0, d1] : (tensor<4x?xf32>, tensor<4xf32>) -> tensor<4x?xf32>
  %3 = prism.div %a, %r maps [d0, d1], [d0] -> [d0, d1] : (tensor<4x?xf32>, tensor<4xf32>) -> tensor<4x?xf32>
  // CHECK: prism.max
  %4 = prism.max %a, %b : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK: prism.min
  %5 = prism.min %a, %b : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK: prism.pow
  %6 = prism.pow %a, %b : (tensor<4x?xf32>, tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK: prism.neg
  %7 = prism.neg %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK: prism.exp
  %8 = prism.exp %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK: prism.log
  %9 = prism.log %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK: prism.sqrt
  %10 = prism.sqrt %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK: prism.rsqrt
  %11 = prism.rsqrt %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK: prism.square
  %12 = prism.square %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK: prism.reciprocal
  %13 = prism.reciprocal %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK: prism.tanh
  %14 = prism.tanh %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK: prism.erf
  %15 = prism.erf %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK: prism.sigmoid
  %16 = prism.sigmoid %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK: prism.silu
  %17 = prism.silu %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK: prism.relu
  %18 = prism.relu %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK: prism.gelu erf
  %19 = prism.gelu erf %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK: prism.gelu tanh
  %20 = prism.gelu tanh %a : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK: prism.cast %{{.*}} : (tensor<4x?xf32>) -> tensor<4x?xbf16>
  %21 = prism.cast %a : (tensor<4x?xf32>) -> tensor<4x?xbf16>
  return
}

// CHECK-LABEL: func.func @choices
func.func @choices(%a: tensor<4xf16>, %b: tensor<f16>) {
  // CHECK: prism.constant 1.500000e+00 : f16 -> tensor<f16>
  %0 = prism.constant 1.5 : f16 -> tensor<f16>
  // CHECK: prism.constant true -> tensor<i1>
  %1 = prism.constant true -> tensor<i1>
  // CHECK: prism.compare lt %{{.*}}, %{{.*}} maps [d0], [] -> [d0] : (tensor<4xf16>, tensor<f16>) -> tensor<4xi1>
  %2 = prism.compare lt %a, %b maps [d0], [] -> [d0] : (tensor<4xf16>, tensor<f16>) -> tensor<4xi1>
  // CHECK: prism.select %{{.*}}, %{{.*}}, %{{.*}} maps [d0], [d0], [] -> [d0] : (tensor<4xi1>, tensor<4xf16>, tensor<f16>) -> tensor<4xf16>
  %3 = prism.select %2, %a, %0 maps [d0], [d0], [] -> [d0] : (tensor<4xi1>, tensor<4xf16>, tensor<f16>) -> tensor<4xf16>
  return
}

// CHECK-LABEL: func.func @contractions
func.func @contractions(%q: tensor<2x8x64xf16>, %k: tensor<2x?x64xf16>, %v: tensor<2x?x32xf16>, %x: tensor<4x8xf32>) {
  // CHECK: prism.matmul %{{.*}}, %{{.*}} maps [d0, d1, d3], [d0, d2, d3] -> [d0, d1, d2] : (tensor<2x8x64xf16>, tensor<2x?x64xf16>) -> tensor<2x8x?xf32>
  %0 = prism.matmul %q, %k maps [d0, d1, d3], [d0, d2, d3] -> [d0, d1, d2] : (tensor<2x8x64xf16>, tensor<2x?x64xf16>) -> tensor<2x8x?xf32>
  %1 = prism.cast %0 : (tensor<2x8x?xf32>) -> tensor<2x8x?xf16>
  // CHECK: prism.matmul %{{.*}}, %{{.*}} : (tensor<2x8x?xf16>, tensor<2x?x32xf16>) -> tensor<2x8x32xf32>
  %2 = prism.matmul %1, %v : (tensor<2x8x?xf16>, tensor<2x?x32xf16>) -> tensor<2x8x32xf32>
  // CHECK: prism.reduce_sum %{{.*}} dims [1] : (tensor<4x8xf32>) -> tensor<4xf32>
  %3 = prism.reduce_sum %x dims [1] : (tensor<4x8xf32>) -> tensor<4xf32>
  // CHECK: prism.reduce_max %{{.*}} dims [0, 1] : (tensor<4x8xf32>) -> tensor<f32>
  %4 = prism.reduce_max %x dims [0, 1] : (tensor<4x8xf32>) -> tensor<f32>
  return
}

// CHECK-LABEL: func.func @movement
func.func @movement(%x: tensor<4x6xf32>, %y: tensor<4x2xf32>, %r: tensor<4xf32>) {
  // CHECK: prism.transpose %{{.*}} permutation [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %0 = prism.transpose %x permutation [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
  // CHECK: prism.broadcast %{{.*}} dims [1] : (tensor<4xf32>) -> tensor<3x4xf32>
  %1 = prism.broadcast %r dims [1] : (tensor<4xf32>) -> tensor<3x4xf32>
  // CHECK: prism.slice %{{.*}} dim 1 offset 2 : (tensor<4x6xf32>) -> tensor<4x4xf32>
  %2 = prism.slice %x dim 1 offset 2 : (tensor<4x6xf32>) -> tensor<4x4xf32>
  // CHECK: prism.concat %{{.*}}, %{{.*}} dim 1 : (tensor<4x6xf32>, tensor<4x2xf32>) -> tensor<4x8xf32>
  %3 = prism.concat %x, %y dim 1 : (tensor<4x6xf32>, tensor<4x2xf32>) -> tensor<4x8xf32>
  // CHECK: prism.reshape %{{.*}} ([d0], [d1, d2]) -> ([d0], [d1], [d2]) : (tensor<4x6xf32>) -> tensor<4x2x3xf32>
  %4 = prism.reshape %x ([d0], [d1, d2]) -> ([d0], [d1], [d2]) : (tensor<4x6xf32>) -> tensor<4x2x3xf32>
  // CHECK: prism.reshape %{{.*}} ([d0], [d1]) -> ([d0, d1]) : (tensor<4x6xf32>) -> tensor<24xf32>
  %5 = prism.reshape %x ([d0], [d1]) -> ([d0, d1]) : (tensor<4x6xf32>) -> tensor<24xf32>
  return
}

// CHECK-LABEL: func.func @composites
func.func @composites(%x: tensor<4x6xf32>) {
  // CHECK: prism.softmax %{{.*}} dim 1 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %0 = prism.softmax %x dim 1 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  // CHECK: prism.rms_norm %{{.*}} dim 0 epsilon 1.000000e-05 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = prism.rms_norm %x dim 0 epsilon 1.0e-05 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// CHECK-LABEL: prism.program @symbolic
prism.program @symbolic extents [a = ?, b = ?, e = 64] (%x: !prism.tensor<[a, 2*e], f32>, %y: !prism.tensor<[b, 2*e], f32>) -> (!prism.tensor<[a + b, 2, e], f32>) {
  // CHECK: prism.concat %{{.*}}, %{{.*}} dim 0 : (!prism.tensor<[a, 2*e], f32>, !prism.tensor<[b, 2*e], f32>) -> !prism.tensor<[a + b, 2*e], f32>
  %0 = prism.concat %x, %y dim 0 : (!prism.tensor<[a, 2*e], f32>, !prism.tensor<[b, 2*e], f32>) -> !prism.tensor<[a + b, 2*e], f32>
  // CHECK: prism.constant #prism.extent<2*e> -> !prism.tensor<[], f32>
  %1 = prism.constant #prism.extent<2*e> -> !prism.tensor<[], f32>
  %2 = prism.mul %0, %1 maps [d0, d1], [] -> [d0, d1] : (!prism.tensor<[a + b, 2*e], f32>, !prism.tensor<[], f32>) -> !prism.tensor<[a + b, 2*e], f32>
  // CHECK: prism.reshape %{{.*}} ([d0], [d1, d2]) -> ([d0], [d1], [d2]) : (!prism.tensor<[a + b, 2*e], f32>) -> !prism.tensor<[a + b, 2, e], f32>
  %3 = prism.reshape %2 ([d0], [d1, d2]) -> ([d0], [d1], [d2]) : (!prism.tensor<[a + b, 2*e], f32>) -> !prism.tensor<[a + b, 2, e], f32>
  prism.yield %3 : !prism.tensor<[a + b, 2, e], f32>
}
