// Made by random_programs.py 900 80 4, for unittests/Search/DifferentialTest.cpp.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

prism.program @r900 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_sum %a0 dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %1 = prism.square %0 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %2 = prism.sqrt %1 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %3 = prism.exp %2 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %3 : !prism.tensor<[n], f32>
}

prism.program @r901 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[n], f32>, %a2: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.matmul %a0, %a2 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %1 = prism.reduce_sum %0 dims [1] : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n], f32>
  %2 = prism.div %1, %a1 maps [d0], [d0] -> [d0] : (!prism.tensor<[n], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %3 = prism.add %2, %a1 maps [d0], [d0] -> [d0] : (!prism.tensor<[n], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %3 : !prism.tensor<[n], f32>
}

prism.program @r902 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d], f32>, %a2: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[n, h], f32>) {
  %0 = prism.matmul %a0, %a2 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %1 = prism.square %0 : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f32>
  %2 = prism.sqrt %1 : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f32>
  %3 = prism.sqrt %2 : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f32>
  prism.yield %3 : !prism.tensor<[n, h], f32>
}

prism.program @r903 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.matmul %a0, %a1 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %1 = prism.reduce_sum %0 dims [1] : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n], f32>
  %2 = prism.square %1 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %3 = prism.sqrt %2 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %3 : !prism.tensor<[n], f32>
}

prism.program @r904 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d, h], f32>, %a2: !prism.tensor<[h, d], f32>) -> (!prism.tensor<[n, h], f32>) {
  %0 = prism.matmul %a0, %a1 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %1 = prism.matmul %0, %a2 : (!prism.tensor<[n, h], f32>, !prism.tensor<[h, d], f32>) -> !prism.tensor<[n, d], f32>
  %2 = prism.exp %1 : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %3 = prism.matmul %2, %a1 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  prism.yield %3 : !prism.tensor<[n, h], f32>
}

prism.program @r905 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d, h], f32>, %a2: !prism.tensor<[h, d], f32>) -> (!prism.tensor<[n, h], f32>) {
  %0 = prism.matmul %a0, %a1 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %1 = prism.matmul %0, %a2 : (!prism.tensor<[n, h], f32>, !prism.tensor<[h, d], f32>) -> !prism.tensor<[n, d], f32>
  %2 = prism.square %1 : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %3 = prism.matmul %2, %a1 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  prism.yield %3 : !prism.tensor<[n, h], f32>
}

prism.program @r906 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.matmul %a0, %a1 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %1 = prism.exp %0 : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f32>
  %2 = prism.reduce_sum %1 dims [1] : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n], f32>
  %3 = prism.sqrt %2 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %3 : !prism.tensor<[n], f32>
}

prism.program @r907 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d, h], f32>, %a2: !prism.tensor<[h, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.matmul %a0, %a1 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %1 = prism.reduce_sum %0 dims [1] : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n], f32>
  %2 = prism.exp %1 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %3 = prism.exp %2 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %3 : !prism.tensor<[n], f32>
}

prism.program @r908 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d, h], f32>, %a2: !prism.tensor<[h, d], f32>) -> (!prism.tensor<[d], f32>) {
  %0 = prism.exp %a0 : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %1 = prism.reduce_sum %0 dims [0] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[d], f32>
  %2 = prism.sqrt %1 : (!prism.tensor<[d], f32>) -> !prism.tensor<[d], f32>
  %3 = prism.sqrt %2 : (!prism.tensor<[d], f32>) -> !prism.tensor<[d], f32>
  prism.yield %3 : !prism.tensor<[d], f32>
}

prism.program @r909 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d, h], f32>, %a2: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.matmul %a0, %a2 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %1 = prism.square %0 : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f32>
  %2 = prism.sqrt %1 : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f32>
  %3 = prism.reduce_sum %2 dims [1] : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n], f32>
  prism.yield %3 : !prism.tensor<[n], f32>
}

prism.program @r910 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[d], f32>) {
  %0 = prism.mul %a0, %a1 maps [d0, d1], [d0, d1] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %1 = prism.mul %0, %a1 maps [d0, d1], [d0, d1] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %2 = prism.reduce_sum %1 dims [0] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[d], f32>
  %3 = prism.square %2 : (!prism.tensor<[d], f32>) -> !prism.tensor<[d], f32>
  prism.yield %3 : !prism.tensor<[d], f32>
}

prism.program @r911 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[n], f32>, %a2: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[h], f32>) {
  %0 = prism.matmul %a0, %a2 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %1 = prism.reduce_sum %0 dims [0] : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[h], f32>
  %2 = prism.exp %1 : (!prism.tensor<[h], f32>) -> !prism.tensor<[h], f32>
  %3 = prism.square %2 : (!prism.tensor<[h], f32>) -> !prism.tensor<[h], f32>
  prism.yield %3 : !prism.tensor<[h], f32>
}

prism.program @r912 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.mul %a0, %a1 maps [d0, d1], [d0, d1] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %1 = prism.reduce_sum %0 dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %2 = prism.square %1 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %3 = prism.exp %2 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %3 : !prism.tensor<[n], f32>
}

prism.program @r913 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.exp %a0 : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %1 = prism.matmul %0, %a1 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %2 = prism.reduce_sum %1 dims [1] : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n], f32>
  %3 = prism.square %2 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %3 : !prism.tensor<[n], f32>
}

prism.program @r914 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.matmul %a0, %a1 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %1 = prism.exp %0 : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f32>
  %2 = prism.square %1 : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f32>
  %3 = prism.reduce_sum %2 dims [1] : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n], f32>
  prism.yield %3 : !prism.tensor<[n], f32>
}

prism.program @r915 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d, h], f32>, %a2: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[h], f32>) {
  %0 = prism.matmul %a0, %a2 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %1 = prism.reduce_sum %0 dims [0] : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[h], f32>
  %2 = prism.exp %1 : (!prism.tensor<[h], f32>) -> !prism.tensor<[h], f32>
  %3 = prism.sqrt %2 : (!prism.tensor<[h], f32>) -> !prism.tensor<[h], f32>
  prism.yield %3 : !prism.tensor<[h], f32>
}

prism.program @r916 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d, h], f32>, %a2: !prism.tensor<[h, d], f32>) -> (!prism.tensor<[n, d], f32>) {
  %0 = prism.matmul %a0, %a1 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %1 = prism.matmul %0, %a2 : (!prism.tensor<[n, h], f32>, !prism.tensor<[h, d], f32>) -> !prism.tensor<[n, d], f32>
  %2 = prism.matmul %1, %a1 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %3 = prism.matmul %2, %a2 : (!prism.tensor<[n, h], f32>, !prism.tensor<[h, d], f32>) -> !prism.tensor<[n, d], f32>
  prism.yield %3 : !prism.tensor<[n, d], f32>
}

prism.program @r917 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n, d], f32>) {
  %0 = prism.square %a0 : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %1 = prism.sqrt %0 : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %2 = prism.add %1, %a1 maps [d0, d1], [d0, d1] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %3 = prism.mul %2, %a1 maps [d0, d1], [d0, d1] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  prism.yield %3 : !prism.tensor<[n, d], f32>
}

prism.program @r918 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d, h], f32>, %a2: !prism.tensor<[h, d], f32>) -> (!prism.tensor<[n, h], f32>) {
  %0 = prism.matmul %a0, %a1 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %1 = prism.matmul %0, %a2 : (!prism.tensor<[n, h], f32>, !prism.tensor<[h, d], f32>) -> !prism.tensor<[n, d], f32>
  %2 = prism.div %1, %a0 maps [d0, d1], [d0, d1] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %3 = prism.matmul %2, %a1 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  prism.yield %3 : !prism.tensor<[n, h], f32>
}

prism.program @r919 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d, h], f32>, %a2: !prism.tensor<[h, d], f32>) -> (!prism.tensor<[n, d], f32>) {
  %0 = prism.matmul %a0, %a1 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %1 = prism.matmul %0, %a2 : (!prism.tensor<[n, h], f32>, !prism.tensor<[h, d], f32>) -> !prism.tensor<[n, d], f32>
  %2 = prism.mul %1, %a0 maps [d0, d1], [d0, d1] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %3 = prism.add %2, %a0 maps [d0, d1], [d0, d1] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  prism.yield %3 : !prism.tensor<[n, d], f32>
}

prism.program @r920 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.add %a0, %a1 maps [d0, d1], [d0, d1] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %1 = prism.mul %0, %a0 maps [d0, d1], [d0, d1] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %2 = prism.reduce_sum %1 dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %3 = prism.square %2 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %3 : !prism.tensor<[n], f32>
}

prism.program @r921 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d], f32>, %a2: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[n, h], f32>) {
  %0 = prism.matmul %a0, %a2 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %1 = prism.square %0 : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f32>
  %2 = prism.exp %1 : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f32>
  %3 = prism.sqrt %2 : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f32>
  prism.yield %3 : !prism.tensor<[n, h], f32>
}

prism.program @r922 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.matmul %a0, %a1 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %1 = prism.square %0 : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f32>
  %2 = prism.exp %1 : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f32>
  %3 = prism.reduce_sum %2 dims [1] : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n], f32>
  prism.yield %3 : !prism.tensor<[n], f32>
}

prism.program @r923 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[n], f32>, %a2: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[n, h], f32>) {
  %0 = prism.sub %a0, %a1 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32>
  %1 = prism.matmul %0, %a2 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %2 = prism.mul %1, %a1 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, h], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, h], f32>
  %3 = prism.add %2, %a1 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, h], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, h], f32>
  prism.yield %3 : !prism.tensor<[n, h], f32>
}

prism.program @r924 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.add %a0, %a1 maps [d0, d1], [d0, d1] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %1 = prism.div %0, %a0 maps [d0, d1], [d0, d1] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %2 = prism.exp %1 : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %3 = prism.reduce_sum %2 dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %3 : !prism.tensor<[n], f32>
}

prism.program @r925 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[n, h], f32>) {
  %0 = prism.exp %a0 : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %1 = prism.matmul %0, %a1 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %2 = prism.exp %1 : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f32>
  %3 = prism.sqrt %2 : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f32>
  prism.yield %3 : !prism.tensor<[n, h], f32>
}

prism.program @r926 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d, h], f32>, %a2: !prism.tensor<[h, d], f32>) -> (!prism.tensor<[n, d], f32>) {
  %0 = prism.matmul %a0, %a1 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %1 = prism.matmul %0, %a2 : (!prism.tensor<[n, h], f32>, !prism.tensor<[h, d], f32>) -> !prism.tensor<[n, d], f32>
  %2 = prism.sub %1, %a0 maps [d0, d1], [d0, d1] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %3 = prism.exp %2 : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  prism.yield %3 : !prism.tensor<[n, d], f32>
}

prism.program @r927 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d, h], f32>, %a2: !prism.tensor<[h, d], f32>) -> (!prism.tensor<[d], f32>) {
  %0 = prism.reduce_sum %a0 dims [0] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[d], f32>
  %1 = prism.square %0 : (!prism.tensor<[d], f32>) -> !prism.tensor<[d], f32>
  %2 = prism.sqrt %1 : (!prism.tensor<[d], f32>) -> !prism.tensor<[d], f32>
  %3 = prism.square %2 : (!prism.tensor<[d], f32>) -> !prism.tensor<[d], f32>
  prism.yield %3 : !prism.tensor<[d], f32>
}

prism.program @r928 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d], f32>, %a2: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[n, h], f32>) {
  %0 = prism.matmul %a0, %a2 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %1 = prism.exp %0 : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f32>
  %2 = prism.sqrt %1 : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f32>
  %3 = prism.square %2 : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f32>
  prism.yield %3 : !prism.tensor<[n, h], f32>
}

prism.program @r929 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d, h], f32>, %a2: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[h], f32>) {
  %0 = prism.matmul %a0, %a1 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %1 = prism.reduce_sum %0 dims [0] : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[h], f32>
  %2 = prism.exp %1 : (!prism.tensor<[h], f32>) -> !prism.tensor<[h], f32>
  %3 = prism.sqrt %2 : (!prism.tensor<[h], f32>) -> !prism.tensor<[h], f32>
  prism.yield %3 : !prism.tensor<[h], f32>
}

prism.program @r930 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n, d], f32>) {
  %0 = prism.exp %a0 : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %1 = prism.sub %0, %a1 maps [d0, d1], [d0, d1] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %2 = prism.mul %1, %a1 maps [d0, d1], [d0, d1] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %3 = prism.mul %2, %a0 maps [d0, d1], [d0, d1] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  prism.yield %3 : !prism.tensor<[n, d], f32>
}

prism.program @r931 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[n], f32>, %a2: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.matmul %a0, %a2 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %1 = prism.reduce_sum %0 dims [1] : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n], f32>
  %2 = prism.mul %1, %a1 maps [d0], [d0] -> [d0] : (!prism.tensor<[n], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %3 = prism.exp %2 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %3 : !prism.tensor<[n], f32>
}

prism.program @r932 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[d], f32>) {
  %0 = prism.exp %a0 : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %1 = prism.reduce_sum %0 dims [0] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[d], f32>
  %2 = prism.exp %1 : (!prism.tensor<[d], f32>) -> !prism.tensor<[d], f32>
  %3 = prism.square %2 : (!prism.tensor<[d], f32>) -> !prism.tensor<[d], f32>
  prism.yield %3 : !prism.tensor<[d], f32>
}

prism.program @r933 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[d], f32>) {
  %0 = prism.reduce_sum %a0 dims [0] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[d], f32>
  %1 = prism.square %0 : (!prism.tensor<[d], f32>) -> !prism.tensor<[d], f32>
  %2 = prism.sqrt %1 : (!prism.tensor<[d], f32>) -> !prism.tensor<[d], f32>
  %3 = prism.square %2 : (!prism.tensor<[d], f32>) -> !prism.tensor<[d], f32>
  prism.yield %3 : !prism.tensor<[d], f32>
}

prism.program @r934 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[n], f32>, %a2: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.mul %a0, %a1 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32>
  %1 = prism.exp %0 : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %2 = prism.reduce_sum %1 dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %3 = prism.exp %2 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %3 : !prism.tensor<[n], f32>
}

prism.program @r935 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d, h], f32>, %a2: !prism.tensor<[h, d], f32>) -> (!prism.tensor<[n, d], f32>) {
  %0 = prism.matmul %a0, %a1 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %1 = prism.matmul %0, %a2 : (!prism.tensor<[n, h], f32>, !prism.tensor<[h, d], f32>) -> !prism.tensor<[n, d], f32>
  %2 = prism.matmul %1, %a1 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %3 = prism.matmul %2, %a2 : (!prism.tensor<[n, h], f32>, !prism.tensor<[h, d], f32>) -> !prism.tensor<[n, d], f32>
  prism.yield %3 : !prism.tensor<[n, d], f32>
}

prism.program @r936 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d, h], f32>, %a2: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[n, h], f32>) {
  %0 = prism.matmul %a0, %a1 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %1 = prism.square %0 : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f32>
  %2 = prism.sqrt %1 : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f32>
  %3 = prism.sqrt %2 : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f32>
  prism.yield %3 : !prism.tensor<[n, h], f32>
}

prism.program @r937 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[d], f32>) {
  %0 = prism.reduce_sum %a0 dims [0] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[d], f32>
  %1 = prism.square %0 : (!prism.tensor<[d], f32>) -> !prism.tensor<[d], f32>
  %2 = prism.sqrt %1 : (!prism.tensor<[d], f32>) -> !prism.tensor<[d], f32>
  %3 = prism.exp %2 : (!prism.tensor<[d], f32>) -> !prism.tensor<[d], f32>
  prism.yield %3 : !prism.tensor<[d], f32>
}

prism.program @r938 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[n], f32>, %a2: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.matmul %a0, %a2 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %1 = prism.reduce_sum %0 dims [1] : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n], f32>
  %2 = prism.add %1, %a1 maps [d0], [d0] -> [d0] : (!prism.tensor<[n], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %3 = prism.square %2 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %3 : !prism.tensor<[n], f32>
}

prism.program @r939 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[d], f32>) {
  %0 = prism.reduce_sum %a0 dims [0] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[d], f32>
  %1 = prism.exp %0 : (!prism.tensor<[d], f32>) -> !prism.tensor<[d], f32>
  %2 = prism.square %1 : (!prism.tensor<[d], f32>) -> !prism.tensor<[d], f32>
  %3 = prism.square %2 : (!prism.tensor<[d], f32>) -> !prism.tensor<[d], f32>
  prism.yield %3 : !prism.tensor<[d], f32>
}

prism.program @r940 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d], f32>, %a2: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[n, h], f32>) {
  %0 = prism.matmul %a0, %a2 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %1 = prism.exp %0 : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f32>
  %2 = prism.sqrt %1 : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f32>
  %3 = prism.square %2 : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f32>
  prism.yield %3 : !prism.tensor<[n, h], f32>
}

prism.program @r941 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d], f32>, %a2: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[h], f32>) {
  %0 = prism.matmul %a0, %a2 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %1 = prism.reduce_sum %0 dims [0] : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[h], f32>
  %2 = prism.exp %1 : (!prism.tensor<[h], f32>) -> !prism.tensor<[h], f32>
  %3 = prism.sqrt %2 : (!prism.tensor<[h], f32>) -> !prism.tensor<[h], f32>
  prism.yield %3 : !prism.tensor<[h], f32>
}

prism.program @r942 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[n], f32>, %a2: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[n, h], f32>) {
  %0 = prism.mul %a0, %a1 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32>
  %1 = prism.matmul %0, %a2 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %2 = prism.sub %1, %a1 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, h], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, h], f32>
  %3 = prism.sub %2, %a1 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, h], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, h], f32>
  prism.yield %3 : !prism.tensor<[n, h], f32>
}

prism.program @r943 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[d], f32>) {
  %0 = prism.reduce_sum %a0 dims [0] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[d], f32>
  %1 = prism.exp %0 : (!prism.tensor<[d], f32>) -> !prism.tensor<[d], f32>
  %2 = prism.sqrt %1 : (!prism.tensor<[d], f32>) -> !prism.tensor<[d], f32>
  %3 = prism.sqrt %2 : (!prism.tensor<[d], f32>) -> !prism.tensor<[d], f32>
  prism.yield %3 : !prism.tensor<[d], f32>
}

prism.program @r944 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[h], f32>) {
  %0 = prism.matmul %a0, %a1 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %1 = prism.exp %0 : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f32>
  %2 = prism.reduce_sum %1 dims [0] : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[h], f32>
  %3 = prism.sqrt %2 : (!prism.tensor<[h], f32>) -> !prism.tensor<[h], f32>
  prism.yield %3 : !prism.tensor<[h], f32>
}

prism.program @r945 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[n], f32>, %a2: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[h], f32>) {
  %0 = prism.matmul %a0, %a2 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %1 = prism.reduce_sum %0 dims [0] : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[h], f32>
  %2 = prism.exp %1 : (!prism.tensor<[h], f32>) -> !prism.tensor<[h], f32>
  %3 = prism.sqrt %2 : (!prism.tensor<[h], f32>) -> !prism.tensor<[h], f32>
  prism.yield %3 : !prism.tensor<[h], f32>
}

prism.program @r946 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.matmul %a0, %a1 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %1 = prism.reduce_sum %0 dims [1] : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n], f32>
  %2 = prism.square %1 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %3 = prism.exp %2 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %3 : !prism.tensor<[n], f32>
}

prism.program @r947 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d, h], f32>, %a2: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[h], f32>) {
  %0 = prism.matmul %a0, %a2 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %1 = prism.reduce_sum %0 dims [0] : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[h], f32>
  %2 = prism.exp %1 : (!prism.tensor<[h], f32>) -> !prism.tensor<[h], f32>
  %3 = prism.square %2 : (!prism.tensor<[h], f32>) -> !prism.tensor<[h], f32>
  prism.yield %3 : !prism.tensor<[h], f32>
}

prism.program @r948 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.mul %a0, %a1 maps [d0, d1], [d0, d1] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %1 = prism.exp %0 : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %2 = prism.mul %1, %a1 maps [d0, d1], [d0, d1] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %3 = prism.reduce_sum %2 dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %3 : !prism.tensor<[n], f32>
}

prism.program @r949 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d], f32>, %a2: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.matmul %a0, %a2 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %1 = prism.reduce_sum %0 dims [1] : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n], f32>
  %2 = prism.exp %1 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %3 = prism.exp %2 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %3 : !prism.tensor<[n], f32>
}

prism.program @r950 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d, h], f32>, %a2: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_sum %a0 dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %1 = prism.exp %0 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %2 = prism.sqrt %1 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %3 = prism.exp %2 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %3 : !prism.tensor<[n], f32>
}

prism.program @r951 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d, h], f32>, %a2: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[h], f32>) {
  %0 = prism.matmul %a0, %a2 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %1 = prism.reduce_sum %0 dims [0] : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[h], f32>
  %2 = prism.square %1 : (!prism.tensor<[h], f32>) -> !prism.tensor<[h], f32>
  %3 = prism.sqrt %2 : (!prism.tensor<[h], f32>) -> !prism.tensor<[h], f32>
  prism.yield %3 : !prism.tensor<[h], f32>
}

prism.program @r952 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[h], f32>) {
  %0 = prism.matmul %a0, %a1 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %1 = prism.reduce_sum %0 dims [0] : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[h], f32>
  %2 = prism.square %1 : (!prism.tensor<[h], f32>) -> !prism.tensor<[h], f32>
  %3 = prism.square %2 : (!prism.tensor<[h], f32>) -> !prism.tensor<[h], f32>
  prism.yield %3 : !prism.tensor<[h], f32>
}

prism.program @r953 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_sum %a0 dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %1 = prism.exp %0 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %2 = prism.square %1 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %3 = prism.sqrt %2 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %3 : !prism.tensor<[n], f32>
}

prism.program @r954 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d, h], f32>, %a2: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[h], f32>) {
  %0 = prism.matmul %a0, %a1 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %1 = prism.exp %0 : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f32>
  %2 = prism.reduce_sum %1 dims [0] : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[h], f32>
  %3 = prism.sqrt %2 : (!prism.tensor<[h], f32>) -> !prism.tensor<[h], f32>
  prism.yield %3 : !prism.tensor<[h], f32>
}

prism.program @r955 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d, h], f32>, %a2: !prism.tensor<[h, d], f32>) -> (!prism.tensor<[n, h], f32>) {
  %0 = prism.matmul %a0, %a1 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %1 = prism.matmul %0, %a2 : (!prism.tensor<[n, h], f32>, !prism.tensor<[h, d], f32>) -> !prism.tensor<[n, d], f32>
  %2 = prism.sub %1, %a0 maps [d0, d1], [d0, d1] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %3 = prism.matmul %2, %a1 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  prism.yield %3 : !prism.tensor<[n, h], f32>
}

prism.program @r956 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d, h], f32>, %a2: !prism.tensor<[h, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.matmul %a0, %a1 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %1 = prism.matmul %0, %a2 : (!prism.tensor<[n, h], f32>, !prism.tensor<[h, d], f32>) -> !prism.tensor<[n, d], f32>
  %2 = prism.reduce_sum %1 dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %3 = prism.exp %2 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %3 : !prism.tensor<[n], f32>
}

prism.program @r957 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[n], f32>, %a2: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[n, h], f32>) {
  %0 = prism.mul %a0, %a1 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32>
  %1 = prism.matmul %0, %a2 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %2 = prism.square %1 : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f32>
  %3 = prism.mul %2, %a1 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, h], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, h], f32>
  prism.yield %3 : !prism.tensor<[n, h], f32>
}

prism.program @r958 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d], f32>, %a2: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.matmul %a0, %a2 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %1 = prism.reduce_sum %0 dims [1] : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n], f32>
  %2 = prism.square %1 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %3 = prism.sqrt %2 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %3 : !prism.tensor<[n], f32>
}

prism.program @r959 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[n], f32>, %a2: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[n, h], f32>) {
  %0 = prism.mul %a0, %a1 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32>
  %1 = prism.matmul %0, %a2 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %2 = prism.square %1 : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f32>
  %3 = prism.sub %2, %a1 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, h], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, h], f32>
  prism.yield %3 : !prism.tensor<[n, h], f32>
}

prism.program @r960 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[n], f32>, %a2: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[n, h], f32>) {
  %0 = prism.mul %a0, %a1 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32>
  %1 = prism.matmul %0, %a2 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %2 = prism.add %1, %a1 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, h], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, h], f32>
  %3 = prism.div %2, %a1 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, h], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, h], f32>
  prism.yield %3 : !prism.tensor<[n, h], f32>
}

prism.program @r961 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d, h], f32>, %a2: !prism.tensor<[h, d], f32>) -> (!prism.tensor<[n, d], f32>) {
  %0 = prism.matmul %a0, %a1 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %1 = prism.exp %0 : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f32>
  %2 = prism.matmul %1, %a2 : (!prism.tensor<[n, h], f32>, !prism.tensor<[h, d], f32>) -> !prism.tensor<[n, d], f32>
  %3 = prism.div %2, %a0 maps [d0, d1], [d0, d1] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  prism.yield %3 : !prism.tensor<[n, d], f32>
}

prism.program @r962 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d], f32>, %a2: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[h], f32>) {
  %0 = prism.matmul %a0, %a2 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %1 = prism.exp %0 : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f32>
  %2 = prism.sqrt %1 : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f32>
  %3 = prism.reduce_sum %2 dims [0] : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[h], f32>
  prism.yield %3 : !prism.tensor<[h], f32>
}

prism.program @r963 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n, d], f32>) {
  %0 = prism.mul %a0, %a1 maps [d0, d1], [d0, d1] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %1 = prism.exp %0 : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %2 = prism.sub %1, %a0 maps [d0, d1], [d0, d1] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %3 = prism.div %2, %a0 maps [d0, d1], [d0, d1] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  prism.yield %3 : !prism.tensor<[n, d], f32>
}

prism.program @r964 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[d], f32>) {
  %0 = prism.sub %a0, %a1 maps [d0, d1], [d0, d1] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %1 = prism.reduce_sum %0 dims [0] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[d], f32>
  %2 = prism.square %1 : (!prism.tensor<[d], f32>) -> !prism.tensor<[d], f32>
  %3 = prism.sqrt %2 : (!prism.tensor<[d], f32>) -> !prism.tensor<[d], f32>
  prism.yield %3 : !prism.tensor<[d], f32>
}

prism.program @r965 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d, h], f32>, %a2: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.matmul %a0, %a2 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %1 = prism.reduce_sum %0 dims [1] : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n], f32>
  %2 = prism.exp %1 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %3 = prism.sqrt %2 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %3 : !prism.tensor<[n], f32>
}

prism.program @r966 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.matmul %a0, %a1 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %1 = prism.reduce_sum %0 dims [1] : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n], f32>
  %2 = prism.exp %1 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %3 = prism.square %2 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %3 : !prism.tensor<[n], f32>
}

prism.program @r967 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n, d], f32>) {
  %0 = prism.square %a0 : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %1 = prism.sub %0, %a1 maps [d0, d1], [d0, d1] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %2 = prism.square %1 : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %3 = prism.mul %2, %a1 maps [d0, d1], [d0, d1] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  prism.yield %3 : !prism.tensor<[n, d], f32>
}

prism.program @r968 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.matmul %a0, %a1 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %1 = prism.exp %0 : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f32>
  %2 = prism.reduce_sum %1 dims [1] : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n], f32>
  %3 = prism.square %2 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %3 : !prism.tensor<[n], f32>
}

prism.program @r969 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[n], f32>, %a2: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_sum %a0 dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %1 = prism.exp %0 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %2 = prism.exp %1 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %3 = prism.add %2, %a1 maps [d0], [d0] -> [d0] : (!prism.tensor<[n], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %3 : !prism.tensor<[n], f32>
}

prism.program @r970 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d], f32>, %a2: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[d], f32>) {
  %0 = prism.reduce_sum %a0 dims [0] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[d], f32>
  %1 = prism.square %0 : (!prism.tensor<[d], f32>) -> !prism.tensor<[d], f32>
  %2 = prism.sqrt %1 : (!prism.tensor<[d], f32>) -> !prism.tensor<[d], f32>
  %3 = prism.exp %2 : (!prism.tensor<[d], f32>) -> !prism.tensor<[d], f32>
  prism.yield %3 : !prism.tensor<[d], f32>
}

prism.program @r971 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d], f32>, %a2: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[d], f32>) {
  %0 = prism.div %a0, %a1 maps [d0, d1], [d1] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[d], f32>) -> !prism.tensor<[n, d], f32>
  %1 = prism.square %0 : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %2 = prism.reduce_sum %1 dims [0] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[d], f32>
  %3 = prism.exp %2 : (!prism.tensor<[d], f32>) -> !prism.tensor<[d], f32>
  prism.yield %3 : !prism.tensor<[d], f32>
}

prism.program @r972 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d, h], f32>, %a2: !prism.tensor<[h, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.exp %a0 : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %1 = prism.reduce_sum %0 dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %2 = prism.sqrt %1 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %3 = prism.sqrt %2 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %3 : !prism.tensor<[n], f32>
}

prism.program @r973 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d, h], f32>, %a2: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.matmul %a0, %a1 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %1 = prism.reduce_sum %0 dims [1] : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n], f32>
  %2 = prism.square %1 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %3 = prism.sqrt %2 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %3 : !prism.tensor<[n], f32>
}

prism.program @r974 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d], f32>, %a2: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.exp %a0 : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %1 = prism.matmul %0, %a2 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %2 = prism.exp %1 : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f32>
  %3 = prism.reduce_sum %2 dims [1] : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n], f32>
  prism.yield %3 : !prism.tensor<[n], f32>
}

prism.program @r975 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[n], f32>, %a2: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[n, h], f32>) {
  %0 = prism.square %a0 : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %1 = prism.matmul %0, %a2 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %2 = prism.sub %1, %a1 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, h], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, h], f32>
  %3 = prism.exp %2 : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f32>
  prism.yield %3 : !prism.tensor<[n, h], f32>
}

prism.program @r976 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d], f32>, %a2: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[h], f32>) {
  %0 = prism.mul %a0, %a1 maps [d0, d1], [d1] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[d], f32>) -> !prism.tensor<[n, d], f32>
  %1 = prism.matmul %0, %a2 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %2 = prism.reduce_sum %1 dims [0] : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[h], f32>
  %3 = prism.exp %2 : (!prism.tensor<[h], f32>) -> !prism.tensor<[h], f32>
  prism.yield %3 : !prism.tensor<[h], f32>
}

prism.program @r977 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[d, h], f32>, %a2: !prism.tensor<[h, d], f32>) -> (!prism.tensor<[n, h], f32>) {
  %0 = prism.exp %a0 : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %1 = prism.matmul %0, %a1 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %2 = prism.matmul %1, %a2 : (!prism.tensor<[n, h], f32>, !prism.tensor<[h, d], f32>) -> !prism.tensor<[n, d], f32>
  %3 = prism.matmul %2, %a1 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  prism.yield %3 : !prism.tensor<[n, h], f32>
}

prism.program @r978 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[d], f32>) {
  %0 = prism.reduce_sum %a0 dims [0] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[d], f32>
  %1 = prism.square %0 : (!prism.tensor<[d], f32>) -> !prism.tensor<[d], f32>
  %2 = prism.exp %1 : (!prism.tensor<[d], f32>) -> !prism.tensor<[d], f32>
  %3 = prism.sqrt %2 : (!prism.tensor<[d], f32>) -> !prism.tensor<[d], f32>
  prism.yield %3 : !prism.tensor<[d], f32>
}

prism.program @r979 extents [n = ?, d = ?, h = ?] (%a0: !prism.tensor<[n, d], f32>, %a1: !prism.tensor<[n], f32>, %a2: !prism.tensor<[d, h], f32>) -> (!prism.tensor<[h], f32>) {
  %0 = prism.mul %a0, %a1 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32>
  %1 = prism.matmul %0, %a2 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, h], f32>) -> !prism.tensor<[n, h], f32>
  %2 = prism.square %1 : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f32>
  %3 = prism.reduce_sum %2 dims [0] : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[h], f32>
  prism.yield %3 : !prism.tensor<[h], f32>
}

