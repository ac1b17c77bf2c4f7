// Odd functions that are optimized keep their names, their signatures, the
// order of their arguments and results, and every call; what stands between
// them is not touched.
// RUN: prism-opt %s --prism-superoptimize 2>/dev/null | FileCheck %s
// RUN: prism-opt %s --prism-superoptimize=emit=prism 2>/dev/null | FileCheck %s --check-prefix=PRISM

// Names that the pipeline would choose itself are taken: the pipeline's move away.
// CHECK-DAG: func.func private @ragged_0() attributes {mine}
// CHECK-DAG: func.func private @ragged_0_k0() attributes {mine}
// PRISM-DAG: func.func private @ragged_0() attributes {mine}
func.func private @ragged_0() attributes {mine}
func.func private @ragged_0_k0() attributes {mine}

// A function that calls itself.
// CHECK-LABEL: func.func @recursive(%arg0: tensor<16x64xf32>) -> tensor<16x64xf32>
// CHECK: gpu.launch_func
// CHECK: call @recursive
// CHECK: gpu.launch_func
// CHECK: return
func.func @recursive(%a: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %0 = math.exp %a : tensor<16x64xf32>
  %1 = call @recursive(%0) : (tensor<16x64xf32>) -> tensor<16x64xf32>
  %2 = math.tanh %1 : tensor<16x64xf32>
  return %2 : tensor<16x64xf32>
}

// No extent divides another, and none is a multiple of a tile.
// CHECK-LABEL: func.func @ragged(%arg0: tensor<17x101xf32>, %arg1: tensor<101x131xf32>) -> tensor<17x131xf32>
// CHECK: gpu.launch_func
// PRISM-LABEL: func.func @ragged
// PRISM: prism.invoke @ragged_
func.func @ragged(%a: tensor<17x101xf32>, %b: tensor<101x131xf32>) -> tensor<17x131xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<17x131xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<17x131xf32>) -> tensor<17x131xf32>
  %r = linalg.matmul ins(%a, %b : tensor<17x101xf32>, tensor<101x131xf32>) outs(%i : tensor<17x131xf32>) -> tensor<17x131xf32>
  return %r : tensor<17x131xf32>
}

// CHECK-LABEL: func.func private @units(%arg0: tensor<1x1xf32>, %arg1: tensor<1x1xf32>) -> tensor<1x1xf32>
func.func private @units(%a: tensor<1x1xf32>, %b: tensor<1x1xf32>) -> tensor<1x1xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x1xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<1x1xf32>) -> tensor<1x1xf32>
  %r = linalg.matmul ins(%a, %b : tensor<1x1xf32>, tensor<1x1xf32>) outs(%i : tensor<1x1xf32>) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// One result twice, an argument, an argument that nothing reads, a constant.
// CHECK-LABEL: func.func @results(%arg0: tensor<16x64xf32>, %arg1: tensor<3x3xi8>)
// CHECK-SAME: -> (tensor<16x64xf32>, tensor<16x64xf32>, tensor<3x3xi8>, tensor<2xi64>)
// CHECK: %[[C:.*]] = arith.constant dense<[1, 2]> : tensor<2xi64>
// CHECK: gpu.launch_func
// CHECK: %[[R:.*]] = bufferization.to_tensor
// CHECK: return %[[R]], %[[R]], %arg1, %[[C]]
func.func @results(%a: tensor<16x64xf32>, %unread: tensor<3x3xi8>) -> (tensor<16x64xf32>, tensor<16x64xf32>, tensor<3x3xi8>, tensor<2xi64>) {
  %c = arith.constant dense<[1, 2]> : tensor<2xi64>
  %0 = math.exp %a : tensor<16x64xf32>
  return %0, %0, %unread, %c : tensor<16x64xf32>, tensor<16x64xf32>, tensor<3x3xi8>, tensor<2xi64>
}

// Ops inside of regions and of blocks.
// CHECK-LABEL: func.func @regions(%arg0: tensor<16x64xf32>, %arg1: index, %arg2: i1) -> tensor<16x64xf32>
// CHECK: scf.for
// CHECK: gpu.launch_func
// CHECK: scf.yield
// CHECK: cf.cond_br
// CHECK: gpu.launch_func
// CHECK: return
func.func @regions(%a: tensor<16x64xf32>, %n: index, %c: i1) -> tensor<16x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%x = %a) -> (tensor<16x64xf32>) {
    %0 = math.exp %x : tensor<16x64xf32>
    scf.yield %0 : tensor<16x64xf32>
  }
  cf.cond_br %c, ^then(%r : tensor<16x64xf32>), ^end(%a : tensor<16x64xf32>)
^then(%x: tensor<16x64xf32>):
  %1 = math.tanh %x : tensor<16x64xf32>
  cf.br ^end(%1 : tensor<16x64xf32>)
^end(%y: tensor<16x64xf32>):
  return %y : tensor<16x64xf32>
}

// A function that is not optimized, beside those that are.
// CHECK-LABEL: func.func @integers(
// CHECK-NEXT: linalg.add
// CHECK-NEXT: return
func.func @integers(%a: tensor<4xi8>, %i: tensor<4xi8>) -> tensor<4xi8> {
  %r = linalg.add ins(%a, %a : tensor<4xi8>, tensor<4xi8>) outs(%i : tensor<4xi8>) -> tensor<4xi8>
  return %r : tensor<4xi8>
}

// A module inside of the module, with names of the outer one.
// CHECK-LABEL: module @inner
// CHECK-NEXT: func.func @ragged
// CHECK-NEXT: math.exp
// CHECK-NEXT: return
module @inner {
  func.func @ragged(%a: tensor<16x64xf32>) -> tensor<16x64xf32> {
    %0 = math.exp %a : tensor<16x64xf32>
    return %0 : tensor<16x64xf32>
  }
}
