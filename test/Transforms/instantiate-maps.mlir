// RUN: prism-opt %s --prism-generate="max-kernels=1 cut-forms=false" --prism-instantiate-maps | FileCheck %s
// RUN: prism-opt %s --prism-generate="max-kernels=1 cut-forms=false" --prism-instantiate-maps | prism-opt | FileCheck %s
// RUN: prism-opt %s --prism-generate="max-kernels=1 cut-forms=false prune-shape=false prune-expression=false" --prism-instantiate-maps | FileCheck %s
// RUN: prism-opt %s --prism-generate="max-kernels=1 cut-forms=false" --prism-instantiate-maps="concrete-maps=imap" | FileCheck %s
// RUN: prism-opt %s --prism-generate="max-kernels=1 cut-forms=false" --prism-instantiate-maps="concrete-maps=imap+fmap+omap" | FileCheck %s

// Three sets of grid dims, with and without the loop: columns, rows, both. The
// second grid dim is y; the unused one is gone; no variable is left.

// CHECK-LABEL: prism.program @product
// CHECK-SAME: mappings = 6 : i64
// CHECK: prism.candidate "product_0" mapped {
// CHECK: parallel [x grid] : (
// CHECK: prism.load %{{.*}} {{\[\[}}], []] : !prism.tensor<[n, d], f16> -> !prism.tile<[n, d], f16>
// CHECK: prism.load %{{.*}} {{\[\[}}], [x]] : !prism.tensor<[d, h], f16> -> !prism.tile<[d, h/x], f16>
// CHECK: prism.matmul {{.*}} : (!prism.tile<[n, d], f16>, !prism.tile<[d, h/x], f16>) -> !prism.tile<[n, h/x], f32>
// CHECK: prism.save %{{.*}} {{\[\[}}], [x]] : !prism.tile<[n, h/x], f16> -> !prism.tensor<[n, h], f16>
// CHECK: prism.candidate "product_1" mapped {
// CHECK: parallel [x grid] : (
// CHECK: prism.save %{{.*}} {{\[\[}}x], []]
// CHECK: prism.candidate "product_2" mapped {
// CHECK: parallel [x grid, y grid] : (
// CHECK: prism.save %{{.*}} {{\[\[}}y], [x]]
// CHECK: prism.candidate "product_3" mapped {
// CHECK: parallel [x grid, i loop] : (
// CHECK: prism.load %{{.*}} {{\[\[}}], [i]] : !prism.tensor<[n, d], f16> -> !prism.tile<[n, d/i], f16>
// CHECK: prism.load %{{.*}} {{\[\[}}i], [x]] : !prism.tensor<[d, h], f16> -> !prism.tile<[d/i, h/x], f16>
// CHECK: prism.accumulate sum %{{.*}} over i : !prism.tile<[n, h/x], f32>
// CHECK: prism.candidate "product_4" mapped {
// CHECK: prism.candidate "product_5" mapped {
// CHECK: parallel [x grid, y grid, i loop] : (
// CHECK-NOT: prism.candidate
prism.program @product extents [n = ?, d = 64, h = 32] (%x: !prism.tensor<[n, d], f16>, %w: !prism.tensor<[d, h], f16>) -> (!prism.tensor<[n, h], f16>) {
  %0 = prism.matmul %x, %w : (!prism.tensor<[n, d], f16>, !prism.tensor<[d, h], f16>) -> !prism.tensor<[n, h], f32>
  %1 = prism.cast %0 : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f16>
  prism.yield %1 : !prism.tensor<[n, h], f16>
}

// A mean over rows refers to the whole extent: rows are split by the loop, never
// by the grid.
// CHECK-LABEL: prism.program @mean
// CHECK: prism.candidate "mean_0" mapped {
// CHECK: parallel [x grid] : (
// CHECK: prism.load %{{.*}} {{\[\[}}], [x]]
// CHECK: prism.constant #prism.extent<n>
// CHECK: prism.candidate "mean_1" mapped {
// CHECK: parallel [x grid, i loop] : (
// CHECK: prism.load %{{.*}} {{\[\[}}i], [x]]
// CHECK: %[[S:.*]] = prism.reduce_sum
// CHECK: %[[A:.*]] = prism.accumulate sum %[[S]] over i
// CHECK: %[[N:.*]] = prism.constant #prism.extent<n> -> !prism.tile<[], f32>
// CHECK: prism.div %[[A]], %[[N]]
prism.program @mean extents [n = ?, d = ?] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[d], f32>) {
  %0 = prism.reduce_sum %x dims [0] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[d], f32>
  %1 = prism.constant #prism.extent<n> -> !prism.tensor<[], f32>
  %2 = prism.div %0, %1 maps [d0], [] -> [d0] : (!prism.tensor<[d], f32>, !prism.tensor<[], f32>) -> !prism.tensor<[d], f32>
  prism.yield %2 : !prism.tensor<[d], f32>
}

// Uses of one input that must be split differently get a loader each; with
// equal maps they are one again.
// CHECK-LABEL: prism.program @gram
// CHECK: prism.candidate "gram_0" mapped {
// CHECK-DAG: prism.load %{{.*}} {{\[\[}}], []]
// CHECK-DAG: prism.load %{{.*}} {{\[\[}}x], []]
// CHECK: prism.matmul
prism.program @gram extents [n = ?, d = ?] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n, n], f32>) {
  %0 = prism.matmul %x, %x maps [d0, d2], [d1, d2] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n, d], f32>) -> !prism.tensor<[n, n], f32>
  prism.yield %0 : !prism.tensor<[n, n], f32>
}
