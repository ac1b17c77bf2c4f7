// RUN: prism-opt %s --prism-generate="max-kernels=1" --prism-instantiate-maps=describe=true --prism-verify=keep-proofs=true -o %t.mlir 2> %t.remarks
// RUN: FileCheck %s --input-file=%t.remarks
// RUN: FileCheck %s --input-file=%t.mlir --check-prefix=IR
// RUN: prism-check %t.mlir | FileCheck %s --check-prefix=CHECKED
// RUN: prism-opt %s --prism-generate="max-kernels=1 cut-forms=false" --prism-instantiate-maps=describe=true -o /dev/null 2>&1 | FileCheck %s --check-prefix=OFF
// RUN: prism-opt %s --prism-generate=explain-pruning=%t.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN --implicit-check-not=dropped

// The norm needs x whole before the product's loop, and part by part in it:
// x has two loaders, and what a step needs is computed again. It is not the
// product that is divided: a sum of products with x could overflow in f16.

// CHECK: layer_norm_3: grid x; loop i; acc(matmul(div(mul(a1[i], sub(a0[,i], div(reduce_sum(a0[,]), d))), sqrt(add(div(reduce_sum(square(sub(a0[,], div(reduce_sum(a0[,]), d)))), d), 1.000000e-05))), a2[i,x])) -> [,x]
// CHECK: 6 candidates proved, 0 disproved, 0 unknown
// CHECK: two_weights_3: grid x; loop i; mul(acc(matmul(exp(add(a0[,i], exp(reduce_sum(square(a0[,]))))), a1[i,x])), acc(matmul(exp(add(a0[,i], exp(reduce_sum(square(a0[,]))))), a2[i,x]))) -> [,x]
// CHECK: 6 candidates proved, 0 disproved, 0 unknown
// The scores are sums: computing them again in a loop over the keys would be
// dear. Only their own sum has a loop.
// CHECK-NOT: a1[i,
// CHECK: scores_1: grid x; loop i; reduce_sum(silu(sub(acc(matmul(a0[x,i], a1[,i]))
// CHECK-NOT: a1[i,
// CHECK: 7 candidates proved, 0 disproved, 0 unknown

// IR: prism.candidate "layer_norm_3" mapped verdict Proved
// IR: %[[WHOLE:.*]] = prism.load %[[X:.*]] {{\[\[}}], []]
// IR: %[[PART:.*]] = prism.load %[[X]] {{\[\[}}], [i]]
// IR: prism.accumulate sum
// IR-NOT: prism.accumulate
// IR: prism.save
// CHECKED-COUNT-19: Proved

// EXPLAIN: candidate 'layer_norm_3' of program 'layer_norm': kept as candidate layer_norm_
// OFF: two_weights_2: grid x,y
// OFF-NOT: two_weights_3
prism.program @layer_norm extents [n = 8, d = 1024, h = 512] (%x: !prism.tensor<[n, d], f16>, %g: !prism.tensor<[d], f16>, %w: !prism.tensor<[d, h], f16>) -> (!prism.tensor<[n, h], f16>) {
  %0 = prism.cast %x : (!prism.tensor<[n, d], f16>) -> !prism.tensor<[n, d], f32>
  %1 = prism.reduce_sum %0 dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %2 = prism.constant #prism.extent<d> -> !prism.tensor<[], f32>
  %3 = prism.div %1, %2 maps [d0], [] -> [d0] : (!prism.tensor<[n], f32>, !prism.tensor<[], f32>) -> !prism.tensor<[n], f32>
  %4 = prism.sub %0, %3 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32>
  %5 = prism.square %4 : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %6 = prism.reduce_sum %5 dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %7 = prism.div %6, %2 maps [d0], [] -> [d0] : (!prism.tensor<[n], f32>, !prism.tensor<[], f32>) -> !prism.tensor<[n], f32>
  %8 = prism.constant 1.0e-05 : f32 -> !prism.tensor<[], f32>
  %9 = prism.add %7, %8 maps [d0], [] -> [d0] : (!prism.tensor<[n], f32>, !prism.tensor<[], f32>) -> !prism.tensor<[n], f32>
  %10 = prism.rsqrt %9 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %11 = prism.mul %4, %10 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32>
  %12 = prism.cast %g : (!prism.tensor<[d], f16>) -> !prism.tensor<[d], f32>
  %13 = prism.mul %11, %12 maps [d0, d1], [d1] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[d], f32>) -> !prism.tensor<[n, d], f32>
  %14 = prism.cast %13 : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f16>
  %15 = prism.matmul %14, %w : (!prism.tensor<[n, d], f16>, !prism.tensor<[d, h], f16>) -> !prism.tensor<[n, h], f32>
  %16 = prism.cast %15 : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f16>
  prism.yield %16 : !prism.tensor<[n, h], f16>
}
prism.program @two_weights extents [n = 8, d = 1024, h = 512] (%x: !prism.tensor<[n, d], f16>, %w: !prism.tensor<[d, h], f16>, %v: !prism.tensor<[d, h], f16>) -> (!prism.tensor<[n, h], f32>) {
  %0 = prism.cast %x : (!prism.tensor<[n, d], f16>) -> !prism.tensor<[n, d], f32>
  %1 = prism.square %0 : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %2 = prism.reduce_sum %1 dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %3 = prism.exp %2 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %4 = prism.add %0, %3 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32>
  %5 = prism.exp %4 : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %6 = prism.cast %5 : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f16>
  %7 = prism.matmul %6, %w : (!prism.tensor<[n, d], f16>, !prism.tensor<[d, h], f16>) -> !prism.tensor<[n, h], f32>
  %8 = prism.matmul %6, %v : (!prism.tensor<[n, d], f16>, !prism.tensor<[d, h], f16>) -> !prism.tensor<[n, h], f32>
  %9 = prism.mul %7, %8 : (!prism.tensor<[n, h], f32>, !prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f32>
  prism.yield %9 : !prism.tensor<[n, h], f32>
}
prism.program @scores extents [n = 8, s = 1024, e = 64] (%q: !prism.tensor<[n, e], f32>, %k: !prism.tensor<[s, e], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.matmul %q, %k maps [d0, d2], [d1, d2] -> [d0, d1] : (!prism.tensor<[n, e], f32>, !prism.tensor<[s, e], f32>) -> !prism.tensor<[n, s], f32>
  %1 = prism.reduce_sum %0 dims [1] : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n], f32>
  %2 = prism.exp %1 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %3 = prism.sub %0, %2 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, s], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, s], f32>
  %4 = prism.silu %3 : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n, s], f32>
  %5 = prism.reduce_sum %4 dims [1] : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n], f32>
  prism.yield %5 : !prism.tensor<[n], f32>
}
