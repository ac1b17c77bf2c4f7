// More small programs for pruned-vs-unpruned.py: several results, one input twice, a
// maximum, batches, a program that is a chain.

prism.program @two_results extents [n = ?, d = ?] (%x: !prism.tensor<[n, d], f32>, %y: !prism.tensor<[n], f32>) -> (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) {
  %0 = prism.mul %x, %y maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32>
  %1 = prism.square %0 : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %2 = prism.reduce_sum %1 dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0, %2 : !prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>
}

prism.program @gram extents [n = ?, d = ?] (%x: !prism.tensor<[n, d], f32>, %s: !prism.tensor<[n], f32>) -> (!prism.tensor<[n, n], f32>) {
  %0 = prism.matmul %x, %x maps [d0, d2], [d1, d2] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n, d], f32>) -> !prism.tensor<[n, n], f32>
  %1 = prism.div %0, %s maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, n], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, n], f32>
  prism.yield %1 : !prism.tensor<[n, n], f32>
}

prism.program @softmax extents [n = ?, s = ?] (%x: !prism.tensor<[n, s], f32>) -> (!prism.tensor<[n, s], f32>) {
  %0 = prism.reduce_max %x dims [1] : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n], f32>
  %1 = prism.sub %x, %0 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, s], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, s], f32>
  %2 = prism.exp %1 : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n, s], f32>
  %3 = prism.reduce_sum %2 dims [1] : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n], f32>
  %4 = prism.div %2, %3 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, s], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, s], f32>
  prism.yield %4 : !prism.tensor<[n, s], f32>
}

prism.program @batched extents [b = ?, n = ?, e = ?, s = ?] (%q: !prism.tensor<[b, n, e], f32>, %k: !prism.tensor<[b, s, e], f32>, %v: !prism.tensor<[b, s, e], f32>) -> (!prism.tensor<[b, n, e], f32>) {
  %0 = prism.matmul %q, %k maps [d0, d1, d3], [d0, d2, d3] -> [d0, d1, d2] : (!prism.tensor<[b, n, e], f32>, !prism.tensor<[b, s, e], f32>) -> !prism.tensor<[b, n, s], f32>
  %1 = prism.exp %0 : (!prism.tensor<[b, n, s], f32>) -> !prism.tensor<[b, n, s], f32>
  %2 = prism.matmul %1, %v : (!prism.tensor<[b, n, s], f32>, !prism.tensor<[b, s, e], f32>) -> !prism.tensor<[b, n, e], f32>
  prism.yield %2 : !prism.tensor<[b, n, e], f32>
}

prism.program @chain extents [n = ?, d = ?, h = ?, e = ?] (%x: !prism.tensor<[n, d], f32>, %g: !prism.tensor<[d], f32>, %w: !prism.tensor<[d, h], f32>, %v: !prism.tensor<[h, e], f32>) -> (!prism.tensor<[n, e], f32>) {
  %0 = prism.mul %x, %g maps [d0, d1], [d1] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[d], f32>) -> !prism.tensor<[n, d], f32>
  %1 = prism.matmul %0, %w : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %2 = prism.matmul %1, %v : (!prism.tensor<[n, h], f32>, !prism.tensor<[h, e], f32>) -> !prism.tensor<[n, e], f32>
  prism.yield %2 : !prism.tensor<[n, e], f32>
}
