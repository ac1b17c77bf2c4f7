// RUN: prism-opt %s --prism-partition --split-input-file | FileCheck %s
// RUN: prism-opt %s --prism-partition --split-input-file | prism-opt --prism-partition --split-input-file | FileCheck %s

// The number of summed elements becomes the extent; 4096 stays a binding.

// CHECK-LABEL: prism.program private @rmsnorm_0 extents [d0 = 8, d1 = 4096, d2 = 4096]
// CHECK-SAME: (%[[X:.*]]: !prism.tensor<[d0, d1], f16>, %[[W:.*]]: !prism.tensor<[d1, d2], f16>) -> (!prism.tensor<[d0, d2], f16>) {
// CHECK-NEXT: %[[C:.*]] = prism.cast %[[X]]
// CHECK-NEXT: %[[S:.*]] = prism.square %[[C]]
// CHECK-NEXT: %[[R:.*]] = prism.reduce_sum %[[S]] dims [1] : (!prism.tensor<[d0, d1], f32>) -> !prism.tensor<[d0], f32>
// CHECK-NEXT: %[[N:.*]] = prism.constant #prism.extent<d1> -> !prism.tensor<[], f32>
// CHECK-NEXT: %[[M:.*]] = prism.div %[[R]], %[[N]] maps [d0], [] -> [d0]
// CHECK-NEXT: %[[Q:.*]] = prism.sqrt %[[M]]
// CHECK-NEXT: %[[D:.*]] = prism.div %[[C]], %[[Q]] maps [d0, d1], [d0] -> [d0, d1]
// CHECK-NEXT: %[[H:.*]] = prism.cast %[[D]]
// CHECK-NEXT: %[[P:.*]] = prism.matmul %[[H]], %[[W]] : (!prism.tensor<[d0, d1], f16>, !prism.tensor<[d1, d2], f16>) -> !prism.tensor<[d0, d2], f32>
// CHECK-NEXT: %[[O:.*]] = prism.cast %[[P]]
// CHECK-NEXT: prism.yield %[[O]]
// CHECK: func.func @rmsnorm(%[[A:.*]]: tensor<8x4096xf16>, %[[B:.*]]: tensor<4096x4096xf16>)
// CHECK-NEXT: %[[I:.*]] = prism.invoke @rmsnorm_0(%[[A]], %[[B]]) : (tensor<8x4096xf16>, tensor<4096x4096xf16>) -> tensor<8x4096xf16>
// CHECK-NEXT: return %[[I]]
func.func @rmsnorm(%x: tensor<8x4096xf16>, %w: tensor<4096x4096xf16>) -> tensor<8x4096xf16> {
  %0 = prism.cast %x : (tensor<8x4096xf16>) -> tensor<8x4096xf32>
  %1 = prism.square %0 : (tensor<8x4096xf32>) -> tensor<8x4096xf32>
  %2 = prism.reduce_sum %1 dims [1] : (tensor<8x4096xf32>) -> tensor<8xf32>
  %3 = prism.constant 4096.0 : f32 -> tensor<f32>
  %4 = prism.div %2, %3 maps [d0], [] -> [d0] : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %5 = prism.sqrt %4 : (tensor<8xf32>) -> tensor<8xf32>
  %6 = prism.div %0, %5 maps [d0, d1], [d0] -> [d0, d1] : (tensor<8x4096xf32>, tensor<8xf32>) -> tensor<8x4096xf32>
  %7 = prism.cast %6 : (tensor<8x4096xf32>) -> tensor<8x4096xf16>
  %8 = prism.matmul %7, %w : (tensor<8x4096xf16>, tensor<4096x4096xf16>) -> tensor<8x4096xf32>
  %9 = prism.cast %8 : (tensor<8x4096xf32>) -> tensor<8x4096xf16>
  return %9 : tensor<8x4096xf16>
}

// -----

// A composite is decomposed, and what nothing reads is dropped.

// CHECK-LABEL: prism.program private @composite_0 extents [d0 = ?, d1 = 16]
// CHECK-NEXT: prism.reduce_max
// CHECK-NEXT: prism.sub
// CHECK-NEXT: prism.exp
// CHECK-NEXT: prism.reduce_sum
// CHECK-NEXT: prism.div
// CHECK-NEXT: prism.yield
func.func @composite(%x: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %0 = prism.softmax %x dim 1 : (tensor<?x16xf32>) -> tensor<?x16xf32>
  %1 = prism.log %x : (tensor<?x16xf32>) -> tensor<?x16xf32>
  %2 = prism.neg %1 : (tensor<?x16xf32>) -> tensor<?x16xf32>
  return %0 : tensor<?x16xf32>
}

// -----

// No region reaches around @opaque; what @opaque does not need goes before it.

func.func private @opaque(tensor<4xf32>) -> tensor<4xf32>
// CHECK-LABEL: prism.program private @convex_0
// CHECK: %[[E:.*]] = prism.exp
// CHECK: %[[N:.*]] = prism.neg %[[E]]
// CHECK: prism.yield %[[E]], %[[N]]
// CHECK-LABEL: prism.program private @convex_1
// CHECK: prism.add
// CHECK-LABEL: func.func @convex
// CHECK: %[[FIRST:.*]]:2 = prism.invoke @convex_0(
// CHECK: %[[CALL:.*]] = call @opaque(%[[FIRST]]#0)
// CHECK: prism.invoke @convex_1(%[[CALL]], %[[FIRST]]#1)
func.func @convex(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = prism.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = func.call @opaque(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = prism.neg %0 : (tensor<4xf32>) -> tensor<4xf32>
  %3 = prism.add %1, %2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}

// -----

// Effects keep their order: neither call moves across the other.

func.func private @effect(tensor<4xf32>) -> tensor<4xf32>
// CHECK-LABEL: func.func @effects
// CHECK-NEXT: %[[I:.*]]:2 = prism.invoke @effects_0
// CHECK-NEXT: call @effect(%[[I]]#0)
// CHECK-NEXT: call @effect(%arg1)
// CHECK-NEXT: return %[[I]]#1
func.func @effects(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = prism.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = func.call @effect(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = func.call @effect(%y) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = prism.neg %0 : (tensor<4xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}

// -----

// Equal regions share a program, whatever the functions and values are called;
// another extent makes another program.

// CHECK-LABEL: prism.program private @layer_0 extents [d0 = 4, d1 = 8, d2 = 8]
// CHECK-NOT: prism.program
// CHECK-LABEL: func.func private @layer
// CHECK: prism.invoke @layer_0
func.func private @layer(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %0 = prism.matmul %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
// CHECK-LABEL: func.func @twice
// CHECK-NOT: prism.
// CHECK: call @layer
// CHECK: call @layer
func.func @twice(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %0 = call @layer(%x, %w) : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = call @layer(%0, %w) : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
// CHECK-LABEL: func.func @same
// CHECK: prism.invoke @layer_0
func.func @same(%weight: tensor<8x8xf32>, %rows: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %product = prism.matmul %rows, %weight : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %product : tensor<4x8xf32>
}
// CHECK-LABEL: prism.program private @other_extent_0 extents [d0 = 5, d1 = 8, d2 = 8]
func.func @other_extent(%x: tensor<5x8xf32>, %w: tensor<8x8xf32>) -> tensor<5x8xf32> {
  %0 = prism.matmul %x, %w : (tensor<5x8xf32>, tensor<8x8xf32>) -> tensor<5x8xf32>
  return %0 : tensor<5x8xf32>
}

// -----

// Ops that read one tensor are one region; a result used twice is one result.

// CHECK-LABEL: func.func @siblings
// CHECK: %[[R:.*]]:2 = prism.invoke @siblings_0(%{{.*}}, %{{.*}}, %{{.*}})
// CHECK: return %[[R]]#0, %[[R]]#1, %[[R]]#0
func.func @siblings(%x: tensor<4x8xf32>, %a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = prism.matmul %x, %a : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %1 = prism.matmul %x, %b : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %0, %1, %0 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// A free name is looked for; blocks of nested regions have regions of their own.

prism.program @loop_0 extents [n = ?] (%x: !prism.tensor<[n], f32>) -> (!prism.tensor<[n], f32>) {
  prism.yield %x : !prism.tensor<[n], f32>
}
// CHECK: prism.program private @loop_1
// CHECK-LABEL: func.func @loop
// CHECK: scf.for
// CHECK-NEXT: prism.invoke @loop_1
func.func @loop(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> tensor<4xf32> {
    %0 = prism.exp %v : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
