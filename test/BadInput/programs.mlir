// Programs written by hand. Those that nothing invokes stay; those for which no
// kernel is found stay with the functions that invoke them; a program in another
// module is another program, whatever its name.
// RUN: prism-opt %s --prism-superoptimize -o %t.gpu 2>/dev/null && FileCheck %s --input-file=%t.gpu
// RUN: prism-opt %s --prism-superoptimize=emit=prism -o %t.prism 2>/dev/null && FileCheck %s --input-file=%t.prism --check-prefix=PRISM
// RUN: prism-opt %s --convert-prism-to-linalg | FileCheck %s --check-prefix=LINALG

// CHECK: prism.program @unused
// CHECK-NEXT: prism.exp
// CHECK-NEXT: prism.yield
// CHECK-NEXT: }
// CHECK-NEXT: prism.program private @nothing
// PRISM: prism.program @unused
// PRISM: prism.candidate "unused_0" sized verdict Proved
// PRISM: prism.program private @nothing
// LINALG: prism.program @unused
// LINALG: prism.program private @nothing
// LINALG-NOT: prism.program @{{used|dynamic}}
prism.program @unused extents [d0 = 16] (%x: !prism.tensor<[d0], f32>) -> (!prism.tensor<[d0], f32>) {
  %0 = prism.exp %x : (!prism.tensor<[d0], f32>) -> !prism.tensor<[d0], f32>
  prism.yield %0 : !prism.tensor<[d0], f32>
}
prism.program private @nothing extents [d0 = 0] (%x: !prism.tensor<[d0], f32>) -> (!prism.tensor<[d0], f32>) {
  prism.yield %x : !prism.tensor<[d0], f32>
}

// CHECK-NOT: @used
prism.program @used extents [d0 = 16] (%x: !prism.tensor<[d0], f32>) -> (!prism.tensor<[d0], f32>) {
  %0 = prism.tanh %x : (!prism.tensor<[d0], f32>) -> !prism.tensor<[d0], f32>
  prism.yield %0 : !prism.tensor<[d0], f32>
}
// CHECK-LABEL: func.func @twice(%arg0: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>)
// CHECK-COUNT-2: gpu.launch_func @used_0
// CHECK-NOT: prism.invoke
// CHECK: return
func.func @twice(%a: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %0 = prism.invoke @used(%a) : (tensor<16xf32>) -> tensor<16xf32>
  %1 = prism.invoke @used(%0) : (tensor<16xf32>) -> tensor<16xf32>
  return %0, %1 : tensor<16xf32>, tensor<16xf32>
}

// No kernel holds all of a dynamic extent: both come out as they were.
// CHECK-NEXT: }
// CHECK-NEXT: prism.program @dynamic extents [d0 = ?] (%arg0: !prism.tensor<[d0], f32>) -> (!prism.tensor<[d0], f32>) {
// CHECK-NEXT: prism.softmax
// CHECK-NEXT: prism.yield
// CHECK-NEXT: }
// CHECK-NEXT: func.func @left
// CHECK-NEXT: prism.invoke @dynamic
// CHECK-NEXT: return
prism.program @dynamic extents [d0 = ?] (%x: !prism.tensor<[d0], f32>) -> (!prism.tensor<[d0], f32>) {
  %0 = prism.softmax %x dim 0 : (!prism.tensor<[d0], f32>) -> !prism.tensor<[d0], f32>
  prism.yield %0 : !prism.tensor<[d0], f32>
}
func.func @left(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = prism.invoke @dynamic(%a) : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: module @inner
// CHECK-NEXT: prism.program @used
// CHECK-NEXT: prism.sqrt
// CHECK: prism.invoke @used
module @inner {
  prism.program @used extents [d0 = 16] (%x: !prism.tensor<[d0], f32>) -> (!prism.tensor<[d0], f32>) {
    %0 = prism.sqrt %x : (!prism.tensor<[d0], f32>) -> !prism.tensor<[d0], f32>
    prism.yield %0 : !prism.tensor<[d0], f32>
  }
  func.func @inside(%a: tensor<16xf32>) -> tensor<16xf32> {
    %0 = prism.invoke @used(%a) : (tensor<16xf32>) -> tensor<16xf32>
    return %0 : tensor<16xf32>
  }
}
