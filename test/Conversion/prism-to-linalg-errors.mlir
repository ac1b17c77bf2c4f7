// RUN: prism-opt %s --convert-prism-to-linalg --split-input-file --verify-diagnostics

func.func @slice(%a: tensor<3x?xf32>) -> tensor<3x?xf32> {
  // expected-error @+1 {{'prism.slice' needs the extent i1, which no operand determines; make it static}}
  %0 = prism.slice %a dim 1 offset 2 : (tensor<3x?xf32>) -> tensor<3x?xf32>
  return %0 : tensor<3x?xf32>
}

// -----

func.func @extent_outside_of_a_program(%a: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{'prism.constant' needs the extent d, which no operand determines; make it static}}
  %c = prism.constant #prism.extent<d> -> tensor<f32>
  %0 = prism.mul %a, %c maps [d0], [] -> [d0] : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

prism.program private @split extents [n = ?, m = ?] (%x: !prism.tensor<[n*m], f32>) -> (!prism.tensor<[n, m], f32>) {
  // expected-error @+1 {{'prism.reshape' needs the extent n, which no operand determines; make it static}}
  %0 = prism.reshape %x ([d0, d1]) -> ([d0], [d1]) : (!prism.tensor<[n*m], f32>) -> !prism.tensor<[n, m], f32>
  prism.yield %0 : !prism.tensor<[n, m], f32>
}
func.func @ambiguous(%x: tensor<?xf32>) -> tensor<?x?xf32> {
  %r = prism.invoke @split(%x) : (tensor<?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
