// RUN: prism-opt %s --prism-generate="max-kernels=1 cut-forms=false" --prism-instantiate-maps=describe=true -o /dev/null 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: prism-opt %s --prism-generate="cut-forms=false" --prism-instantiate-maps --prism-verify=keep-proofs=true -o %t.mlir 2>/dev/null
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: prism-check %t.mlir | FileCheck %s --check-prefix=CHECKED

// The kernel loops over the columns with a running maximum and a rescaled sum;
// the whole row is needed again for the division, so it has no loop for that.
// With the sum as the result it has.

// ONE: sums_0: grid x; reduce_sum(exp(sub(a0[x,], reduce_max(a0[x,])))) -> [x]
// ONE: sums_1: grid x; loop i; rescaled(reduce_sum(exp(sub(a0[x,i], reduce_max(a0[x,i])))), reduce_max(a0[x,i])) -> [x]
// ONE-NOT: sums_2
// ONE: softmax_0: grid x; div(exp(sub(a0[x,], reduce_max(a0[x,]))), reduce_sum(exp(sub(a0[x,], reduce_max(a0[x,]))))) -> [x,]
// ONE-NOT: softmax_1

// Split over the columns, with and without a loop in each part: partial sums
// and maxima side by side, weighed by the second kernel.
// CHECK-LABEL: prism.program @sums
// CHECK: prism.candidate "sums_2" mapped verdict Proved
// CHECK: %[[P:.*]]:2 = prism.kernel "k0"(%{{.*}}) parallel [x grid, s grid] : (!prism.tensor<[n, d], f32>) -> (!prism.tensor<[k0.s, n], f32>, !prism.tensor<[k0.s, n], f32>)
// CHECK: prism.load %{{.*}} {{\[\[}}x], [s]]
// CHECK: %[[M:.*]] = prism.reduce_max
// CHECK: %[[L:.*]] = prism.reduce_sum
// CHECK: prism.save %[[M]] {{\[\[}}x]] partials [s] : !prism.tile<[n/x], f32> -> !prism.tensor<[k0.s, n], f32>
// CHECK: prism.save %[[L]] {{\[\[}}x]] partials [s] : !prism.tile<[n/x], f32> -> !prism.tensor<[k0.s, n], f32>
// CHECK: prism.kernel "k1"(%{{.*}} = %[[P]]#0, %{{.*}} = %[[P]]#1) parallel [x grid]
// CHECK: %[[PM:.*]] = prism.load %{{.*}} {{\[\[}}], [x]]
// CHECK: %[[PL:.*]] = prism.load %{{.*}} {{\[\[}}], [x]]
// CHECK: %[[A:.*]] = prism.reduce_max %[[PM]] dims [0]
// CHECK: %[[D:.*]] = prism.sub %[[PM]], %[[A]] maps [d0, d1], [d1] -> [d0, d1]
// CHECK: %[[W:.*]] = prism.exp %[[D]]
// CHECK: %[[R:.*]] = prism.mul %[[PL]], %[[W]]
// CHECK: prism.reduce_sum %[[R]] dims [0]
// CHECK: prism.candidate "sums_3" mapped verdict Proved
// CHECK: parallel [x grid, s grid, i loop]
// CHECK: %[[I:.*]] = prism.accumulate max %{{.*}} over i
// CHECK: prism.accumulate rescaled_sum %{{.*}} shift %{{.*}} over i maps [d0], [d0] -> [d0]
// CHECK: prism.save %[[I]]

// CHECKED-COUNT-5: Proved
prism.program @sums extents [n = ?, d = ?] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_max %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %1 = prism.sub %x, %0 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32>
  %2 = prism.exp %1 : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %3 = prism.reduce_sum %2 dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %3 : !prism.tensor<[n], f32>
}
prism.program @softmax extents [n = ?, d = ?] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n, d], f32>) {
  %0 = prism.reduce_max %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %1 = prism.sub %x, %0 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32>
  %2 = prism.exp %1 : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %3 = prism.reduce_sum %2 dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %4 = prism.div %2, %3 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32>
  prism.yield %4 : !prism.tensor<[n, d], f32>
}
