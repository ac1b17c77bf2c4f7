// RUN: prism-opt %s --prism-partition=max-part-ops=2 --split-input-file | FileCheck %s
// RUN: prism-opt %s --prism-partition='max-part-ops=2 assumed-extents=9,7' --split-input-file | FileCheck %s --check-prefix=ASSUMED
// RUN: not prism-opt %s --prism-partition='max-part-ops=2 assumed-extents=0' --split-input-file 2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: error: option 'assumed-extents' has 0, expected 1 to 2147483647
// RUN: not prism-opt %s --prism-partition='max-part-ops=2 target=sm_1' --split-input-file 2>&1 | FileCheck %s --check-prefix=TARGET

// TARGET: error: option 'target' is 'sm_1', expected one of: sm_80, sm_86, sm_89, sm_90a, sm_100a, sm_120a

// What goes from part to part is the narrow value; the widening cast is each
// reader's own. Equal parts are one program.

// CHECK-LABEL: prism.program private @layers_0_0 extents [d0 = 8, d1 = 64, d2 = 64]
// CHECK-SAME: (%[[X:.*]]: !prism.tensor<[d0, d1], f16>, %[[W:.*]]: !prism.tensor<[d1, d2], f16>) -> (!prism.tensor<[d0, d2], f16>)
// CHECK-NEXT: prism.matmul
// CHECK-NEXT: prism.exp
// CHECK-NEXT: prism.cast
// CHECK-NEXT: prism.yield
// CHECK-NOT: prism.program
// CHECK-LABEL: func.func @layers
// CHECK-NEXT: %[[A:.*]] = prism.invoke @layers_0_0(%arg0, %arg1) : (tensor<8x64xf16>, tensor<64x64xf16>) -> tensor<8x64xf16>
// CHECK-NEXT: %[[B:.*]] = prism.invoke @layers_0_0(%[[A]], %arg2)
// CHECK-NEXT: return %[[B]]
func.func @layers(%x: tensor<8x64xf16>, %v: tensor<64x64xf16>, %w: tensor<64x64xf16>) -> tensor<8x64xf16> {
  %0 = prism.matmul %x, %v : (tensor<8x64xf16>, tensor<64x64xf16>) -> tensor<8x64xf32>
  %1 = prism.exp %0 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %2 = prism.cast %1 : (tensor<8x64xf32>) -> tensor<8x64xf16>
  %3 = prism.matmul %2, %w : (tensor<8x64xf16>, tensor<64x64xf16>) -> tensor<8x64xf32>
  %4 = prism.exp %3 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %5 = prism.cast %4 : (tensor<8x64xf32>) -> tensor<8x64xf16>
  return %5 : tensor<8x64xf16>
}

// -----

// The number of summed elements is an extent in the part that sums, a number
// in the other.

// CHECK-LABEL: prism.program private @mean_0_0
// CHECK-NEXT: prism.square
// CHECK-NEXT: prism.reduce_sum
// CHECK-NEXT: prism.yield
// CHECK-LABEL: prism.program private @mean_0_1 extents [d0 = 8]
// CHECK-NEXT: prism.constant 6.4{{0+}}e+01 : f32
// CHECK-NEXT: prism.div
// CHECK-NEXT: prism.sqrt
// CHECK-NEXT: prism.yield
func.func @mean(%x: tensor<8x64xf32>) -> tensor<8xf32> {
  %0 = prism.square %x : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %1 = prism.reduce_sum %0 dims [1] : (tensor<8x64xf32>) -> tensor<8xf32>
  %n = prism.constant 64.0 : f32 -> tensor<f32>
  %2 = prism.div %1, %n maps [d0], [] -> [d0] : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %3 = prism.sqrt %2 : (tensor<8xf32>) -> tensor<8xf32>
  return %3 : tensor<8xf32>
}

// -----

// A value that two later parts read, one of them as a result of the function.

// CHECK-LABEL: func.func @shared
// CHECK-NEXT: %[[A:.*]] = prism.invoke @shared_0_0(%arg0)
// CHECK-NEXT: %[[B:.*]] = prism.invoke @shared_0_1(%[[A]])
// CHECK-NEXT: return %[[A]], %[[B]]
func.func @shared(%x: tensor<8x64xf32>) -> (tensor<8x64xf32>, tensor<8x64xf32>) {
  %0 = prism.exp %x : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %1 = prism.tanh %0 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %2 = prism.neg %1 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %3 = prism.mul %2, %1 : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  return %1, %3 : tensor<8x64xf32>, tensor<8x64xf32>
}

// -----

// Dynamic extents cost what they cost on average over a few values, which may
// be others.
// CHECK-LABEL: prism.program private @dynamic_0_0 extents [d0 = ?, d1 = 64]
// CHECK-COUNT-2: prism.exp
// CHECK-LABEL: prism.program private @dynamic_0_1 extents [d0 = ?, d1 = 64]
// CHECK-COUNT-1: prism.exp
// CHECK-LABEL: func.func @dynamic
// CHECK-NEXT: %[[A:.*]] = prism.invoke @dynamic_0_0(%arg0) : (tensor<?x64xf32>) -> tensor<?x64xf32>
// CHECK-NEXT: prism.invoke @dynamic_0_1(%[[A]])
// ASSUMED-LABEL: prism.program private @dynamic_0_0 extents [d0 = ?, d1 = 64]
// ASSUMED-SAME: prism.assumed_extents = array<i64: 7, 9>
// ASSUMED-LABEL: prism.program private @dynamic_0_1 extents [d0 = ?, d1 = 64]
// ASSUMED-SAME: prism.assumed_extents = array<i64: 7, 9>
func.func @dynamic(%x: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %0 = prism.exp %x : (tensor<?x64xf32>) -> tensor<?x64xf32>
  %1 = prism.exp %0 : (tensor<?x64xf32>) -> tensor<?x64xf32>
  %2 = prism.exp %1 : (tensor<?x64xf32>) -> tensor<?x64xf32>
  return %2 : tensor<?x64xf32>
}
