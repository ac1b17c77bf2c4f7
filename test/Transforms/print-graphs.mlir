// RUN: prism-opt %s --prism-generate="max-kernels=2 cut-forms=false" --prism-instantiate-maps --prism-print-graphs="file=%t.dot all=true" -o /dev/null
// RUN: FileCheck %s --input-file=%t.dot
// RUN: not prism-opt %s --prism-print-graphs=file=%t.dir/none/graph.dot 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: prism-opt %s --prism-print-graphs -o /dev/null | count 0

// FILE: error: prism-print-graphs: cannot write '{{.*}}graph.dot'

// CHECK: digraph "sums_0" {
// CHECK: n0 [label="argument 0 [n, d] f32", shape=ellipse
// CHECK: subgraph "cluster_k0" {
// CHECK-NEXT: label="kernel k0: grid x";
// CHECK-NEXT: n1 [label="load {{\[\[x\], \[\]\]}}\n[n/x, d] f32", fillcolor=palegreen];
// CHECK: [label="reduce_sum\n[n/x] f32", fillcolor=white];
// CHECK: n0 -> n1;
// CHECK: [label="result 0 [n] f32", shape=ellipse

// CHECK: digraph "sums_3" {
// CHECK: label="kernel k0: grid x, grid s, loop i";
// CHECK: [label="accumulate sum over i\n[n/x] f32", fillcolor=lightsalmon];
// CHECK: [label="save {{\[\[x\]\]}} partials s", fillcolor=palegreen];
// CHECK: label="kernel k1: grid x";
prism.program @sums extents [n = ?, d = ?] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_sum %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
}
