// RUN: prism-opt %s --canonicalize | FileCheck %s --check-prefixes=CHECK,FOLD
// RUN: prism-opt %s --cse | FileCheck %s --check-prefixes=CHECK,CSE

// A widening cast that is undone loses nothing; a narrowing one does.
// FOLD-LABEL: func.func @casts
func.func @casts(%a: tensor<4xf16>, %b: tensor<4xf32>, %c: tensor<4xbf16>)
    -> (tensor<4xf16>, tensor<4xf32>, tensor<4xf16>, tensor<4xf32>, tensor<4xbf16>) {
  // FOLD-SAME: (%[[A:.*]]: tensor<4xf16>, %[[B:.*]]: tensor<4xf32>, %[[C:.*]]: tensor<4xbf16>)
  %0 = prism.cast %a : (tensor<4xf16>) -> tensor<4xf32>
  %1 = prism.cast %0 : (tensor<4xf32>) -> tensor<4xf16>
  // FOLD-NEXT: %[[NARROW:.*]] = prism.cast %[[B]] : (tensor<4xf32>) -> tensor<4xf16>
  // FOLD-NEXT: %[[WIDE:.*]] = prism.cast %[[NARROW]] : (tensor<4xf16>) -> tensor<4xf32>
  %2 = prism.cast %b : (tensor<4xf32>) -> tensor<4xf16>
  %3 = prism.cast %2 : (tensor<4xf16>) -> tensor<4xf32>
  // f16 has the larger mantissa, bf16 the larger range: neither way is exact.
  // FOLD-NEXT: %[[BF:.*]] = prism.cast %[[A]] : (tensor<4xf16>) -> tensor<4xbf16>
  // FOLD-NEXT: %[[F:.*]] = prism.cast %[[BF]] : (tensor<4xbf16>) -> tensor<4xf16>
  %4 = prism.cast %a : (tensor<4xf16>) -> tensor<4xbf16>
  %5 = prism.cast %4 : (tensor<4xbf16>) -> tensor<4xf16>
  %6 = prism.cast %b : (tensor<4xf32>) -> tensor<4xf32>
  // FOLD-NEXT: %[[HALF:.*]] = prism.cast %[[C]] : (tensor<4xbf16>) -> tensor<4xf16>
  // FOLD-NEXT: %[[BACK:.*]] = prism.cast %[[HALF]] : (tensor<4xf16>) -> tensor<4xbf16>
  %7 = prism.cast %c : (tensor<4xbf16>) -> tensor<4xf16>
  %8 = prism.cast %7 : (tensor<4xf16>) -> tensor<4xbf16>
  // FOLD-NEXT: return %[[A]], %[[WIDE]], %[[F]], %[[B]], %[[BACK]]
  return %1, %3, %5, %6, %8 : tensor<4xf16>, tensor<4xf32>, tensor<4xf16>, tensor<4xf32>, tensor<4xbf16>
}

// A cast that also makes a static extent dynamic is not undone by the other.
// FOLD-LABEL: func.func @cast_of_another_shape
func.func @cast_of_another_shape(%a: tensor<4xf16>) -> tensor<?xf16> {
  // FOLD-COUNT-2: prism.cast
  %0 = prism.cast %a : (tensor<4xf16>) -> tensor<?xf32>
  %1 = prism.cast %0 : (tensor<?xf32>) -> tensor<?xf16>
  return %1 : tensor<?xf16>
}

// FOLD-LABEL: func.func @identities
func.func @identities(%a: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  // FOLD-SAME: (%[[A:.*]]: tensor<4x6xf32>)
  // FOLD-NEXT: return %[[A]], %[[A]]
  %0 = prism.transpose %a permutation [0, 1] : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = prism.reshape %a ([d0], [d1]) -> ([d0], [d1]) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return %0, %1 : tensor<4x6xf32>, tensor<4x6xf32>
}

// FOLD-LABEL: func.func @no_identities
func.func @no_identities(%a: tensor<4x4xf32>, %b: tensor<1x4xf32>, %c: tensor<4x6xf32>) -> (tensor<4x4xf32>, tensor<4x1xf32>, tensor<?x6xf32>) {
  // FOLD: prism.transpose
  // FOLD: prism.reshape
  // FOLD: prism.transpose
  %0 = prism.transpose %a permutation [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = prism.reshape %b ([], [d0]) -> ([d0], []) : (tensor<1x4xf32>) -> tensor<4x1xf32>
  // An identity that forgets an extent has another type.
  %2 = prism.transpose %c permutation [0, 1] : (tensor<4x6xf32>) -> tensor<?x6xf32>
  return %0, %1, %2 : tensor<4x4xf32>, tensor<4x1xf32>, tensor<?x6xf32>
}

// Operands that could change places keep them: they have maps of their own.
// Neither the folder, which would put the constant last, nor CSE, which would
// take these for equal, may exchange them alone.
// CHECK-LABEL: func.func @operands_stay_with_their_maps
func.func @operands_stay_with_their_maps(%x: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  // CHECK-SAME: (%[[X:.*]]: tensor<2x2xf32>)
  // CHECK: %[[C:.*]] = arith.constant
  %c = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  // CHECK: %[[FIRST:.*]] = prism.add %[[C]], %[[X]] maps [d1, d0], [d0, d1] -> [d0, d1]
  %0 = prism.add %c, %x maps [d1, d0], [d0, d1] -> [d0, d1] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  // CHECK: %[[SECOND:.*]] = prism.add %[[X]], %[[C]] maps [d1, d0], [d0, d1] -> [d0, d1]
  %1 = prism.add %x, %c maps [d1, d0], [d0, d1] -> [d0, d1] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  // CHECK: return %[[FIRST]], %[[SECOND]]
  return %0, %1 : tensor<2x2xf32>, tensor<2x2xf32>
}

// Equal ops are one.
// CSE-LABEL: func.func @equal_ops
func.func @equal_ops(%x: tensor<4x6xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CSE-NEXT: %[[S:.*]] = prism.reduce_sum
  // CSE-NEXT: return %[[S]], %[[S]]
  %0 = prism.reduce_sum %x dims [1] : (tensor<4x6xf32>) -> tensor<4xf32>
  %1 = prism.reduce_sum %x dims [1] : (tensor<4x6xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
