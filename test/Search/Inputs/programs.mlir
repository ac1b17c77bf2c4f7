// Small programs for brute_force.py: the workloads' shapes, without casts and batch.

prism.program @swiglu extents [n = ?, d = ?, h = ?] (%x: !prism.tensor<[n, d], f32>, %w: !prism.tensor<[d, h], f32>, %v: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[n, h], f32>) {
  %0 = prism.matmul %x, %w : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %1 = prism.silu %0 : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f32>
  %2 = prism.matmul %x, %v : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %3 = prism.mul %1, %2 : (!prism.tensor<[n, h], f32>, !prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f32>
  prism.yield %3 : !prism.tensor<[n, h], f32>
}

prism.program @lora extents [n = ?, d = ?, r = ?, h = ?] (%x: !prism.tensor<[n, d], f32>, %w: !prism.tensor<[d, h], f32>, %a: !prism.tensor<[d, r], f32>, %b: !prism.tensor<[r, h], f32>) -> (!prism.tensor<[n, h], f32>) {
  %0 = prism.matmul %x, %w : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %1 = prism.matmul %x, %a : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, r], f32>) -> !prism.tensor<[n, r], f32>
  %2 = prism.matmul %1, %b : (!prism.tensor<[n, r], f32>, !prism.tensor<[r, h], f32>) -> !prism.tensor<[n, h], f32>
  %3 = prism.add %0, %2 : (!prism.tensor<[n, h], f32>, !prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f32>
  prism.yield %3 : !prism.tensor<[n, h], f32>
}

prism.program @attention extents [n = ?, e = ?, s = ?, v = ?] (%q: !prism.tensor<[n, e], f32>, %k: !prism.tensor<[s, e], f32>, %w: !prism.tensor<[s, v], f32>) -> (!prism.tensor<[n, v], f32>) {
  %0 = prism.matmul %q, %k maps [d0, d2], [d1, d2] -> [d0, d1] : (!prism.tensor<[n, e], f32>, !prism.tensor<[s, e], f32>) -> !prism.tensor<[n, s], f32>
  %1 = prism.exp %0 : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n, s], f32>
  %2 = prism.reduce_sum %1 dims [1] : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n], f32>
  %3 = prism.div %1, %2 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, s], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, s], f32>
  %4 = prism.matmul %3, %w : (!prism.tensor<[n, s], f32>, !prism.tensor<[s, v], f32>) -> !prism.tensor<[n, v], f32>
  prism.yield %4 : !prism.tensor<[n, v], f32>
}

prism.program @l2norm extents [n = ?, d = ?, h = ?] (%x: !prism.tensor<[n, d], f32>, %w: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[n, h], f32>) {
  %0 = prism.square %x : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %1 = prism.reduce_sum %0 dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %2 = prism.sqrt %1 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %3 = prism.div %x, %2 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32>
  %4 = prism.matmul %3, %w : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  prism.yield %4 : !prism.tensor<[n, h], f32>
}

prism.program @rmsnorm extents [n = ?, d = ?, h = ?] (%x: !prism.tensor<[n, d], f32>, %w: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[n, h], f32>) {
  %0 = prism.square %x : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %1 = prism.reduce_sum %0 dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %2 = prism.constant #prism.extent<d> -> !prism.tensor<[], f32>
  %3 = prism.div %1, %2 maps [d0], [] -> [d0] : (!prism.tensor<[n], f32>, !prism.tensor<[], f32>) -> !prism.tensor<[n], f32>
  %4 = prism.sqrt %3 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %5 = prism.div %x, %4 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32>
  %6 = prism.matmul %5, %w : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  prism.yield %6 : !prism.tensor<[n, h], f32>
}
