// RUN: prism-opt %s --prism-partition --split-input-file --verify-diagnostics

// Each op is right by itself, but there is no extent at which all are.
func.func @conflict(%a: tensor<8xf32>, %b: tensor<?xf32>, %c: tensor<16xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{extents 8 and 16 meet in this region, but an iteration dim has one extent}}
  %0 = prism.add %a, %b : (tensor<8xf32>, tensor<?xf32>) -> tensor<?xf32>
  %1 = prism.add %0, %c : (tensor<?xf32>, tensor<16xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----

func.func @only_moves(%a: tensor<8x4xf32>) -> tensor<32xf32> {
  // expected-remark @+1 {{left alone: only moves data}}
  %0 = prism.transpose %a permutation [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
  %1 = prism.reshape %0 ([d0], [d1]) -> ([d0, d1]) : (tensor<4x8xf32>) -> tensor<32xf32>
  return %1 : tensor<32xf32>
}

// -----

func.func @empty(%a: tensor<0x4xf32>) -> tensor<0x4xf32> {
  // expected-remark @+1 {{left alone: a tensor is empty}}
  %0 = prism.exp %a : (tensor<0x4xf32>) -> tensor<0x4xf32>
  return %0 : tensor<0x4xf32>
}

// -----

// ? is 3 * d and 2 * e at once: no symbols say that.
func.func @two_ways(%x: tensor<?xf32>) -> (tensor<3x?xf32>, tensor<2x?xf32>) {
  // expected-remark @+1 {{left alone: a dynamic extent would have to be two different expressions}}
  %e = prism.exp %x : (tensor<?xf32>) -> tensor<?xf32>
  %0 = prism.reshape %e ([d0, d1]) -> ([d0], [d1]) : (tensor<?xf32>) -> tensor<3x?xf32>
  %1 = prism.reshape %e ([d0, d1]) -> ([d0], [d1]) : (tensor<?xf32>) -> tensor<2x?xf32>
  return %0, %1 : tensor<3x?xf32>, tensor<2x?xf32>
}
