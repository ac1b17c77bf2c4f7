// Results that are constants of rank 0, by themselves and beside others.
prism.program @alone extents [n = 4] (%x: !prism.tensor<[n], f32>) -> (!prism.tensor<[], f32>) {
  %0 = prism.constant 2.0 : f32 -> !prism.tensor<[], f32>
  prism.yield %0 : !prism.tensor<[], f32>
}
prism.program @scalar extents [n = 4] (%x: !prism.tensor<[n], f32>) -> (!prism.tensor<[], f16>, !prism.tensor<[], f32>, !prism.tensor<[n], f32>) {
  %0 = prism.constant 2.0 : f32 -> !prism.tensor<[], f32>
  %1 = prism.cast %0 : (!prism.tensor<[], f32>) -> !prism.tensor<[], f16>
  %2 = prism.sqrt %0 : (!prism.tensor<[], f32>) -> !prism.tensor<[], f32>
  %3 = prism.square %x : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %1, %2, %3 : !prism.tensor<[], f16>, !prism.tensor<[], f32>, !prism.tensor<[n], f32>
}
prism.program @extent extents [n = 4] (%x: !prism.tensor<[n], f32>) -> (!prism.tensor<[], f32>, !prism.tensor<[n], f32>) {
  %0 = prism.constant #prism.extent<n> -> !prism.tensor<[], f32>
  %1 = prism.square %x : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0, %1 : !prism.tensor<[], f32>, !prism.tensor<[n], f32>
}
