// RUN: prism-opt %s --prism-generate="max-kernels=1 cut-forms=false" | FileCheck %s
// RUN: prism-opt %s --prism-generate="max-kernels=1 cut-forms=false" | prism-opt | FileCheck %s
// RUN: prism-opt %s --prism-generate="max-kernels=1 cut-forms=false max-grid-dims=1" | FileCheck %s --check-prefix=ONE
// RUN: prism-opt %s --prism-generate="max-kernels=1 cut-forms=false max-accumulators=0" | FileCheck %s --check-prefix=NOACC

// All maps of loaders and savers are open, a variable for each parallel dim;
// equation (4) ties them together. The summed dim d has a loop.

// CHECK-LABEL: prism.program @product
// CHECK-SAME: prism.statistics = {complete = true, enodes = {{[0-9]+}} : i64, graphs = 2 : i64, graphs_generated = {{[1-9][0-9]*}} : i64, pruned_by_expression = {{[0-9]+}} : i64, pruned_by_shape = {{[1-9][0-9]*}} : i64, range_unsafe = 0 : i64}
// CHECK: prism.candidate "product_0" symbolic {
// CHECK-NEXT: ^bb0(%[[X:.*]]: !prism.tensor<[n, d], f16>, %[[W:.*]]: !prism.tensor<[d, h], f16>):
// CHECK-NEXT: prism.kernel "k0"(%[[A:.*]] = %[[X]], %[[B:.*]] = %[[W]]) parallel [x grid, y grid] equalities [m2 = m4, m3 = m5, m0 = m8, m1 = m9, m6 = m10, m7 = m11]
// CHECK-NEXT: prism.load %[[A]] {{\[\[}}x?m0, y?m1], [x?m2, y?m3]] : !prism.tensor<[n, d], f16> -> !prism.tile<[n/x?m0/y?m1, d/x?m2/y?m3], f16>
// CHECK-NEXT: prism.load %[[B]] {{\[\[}}x?m4, y?m5], [x?m6, y?m7]]
// CHECK-NEXT: %[[P:.*]] = prism.matmul
// CHECK-NEXT: %[[Y:.*]] = prism.cast %[[P]]
// CHECK-NEXT: prism.save %[[Y]] {{\[\[}}x?m8, y?m9], [x?m10, y?m11]]

// The loop's variables: rows and columns of the result are not split by it.
// CHECK: prism.candidate "product_1" symbolic {
// CHECK: prism.kernel {{.*}} parallel [x grid, y grid, i loop] equalities [m2 = 0, m3 = m6, m4 = m7, m5 = m8, m11 = 0, m0 = m12, m1 = m13, m9 = m14, m10 = m15]
// CHECK: prism.load {{.*}} {{\[\[}}x?m0, y?m1, i?m2], [x?m3, y?m4, i?m5]]
// CHECK: %[[P:.*]] = prism.matmul
// CHECK: %[[S:.*]] = prism.accumulate sum %[[P]] over i
// CHECK: prism.cast %[[S]]
// CHECK-NOT: prism.candidate "product_2"

// ONE-LABEL: @product
// ONE: prism.candidate "product_0"
// ONE: parallel [x grid] equalities
// ONE: prism.candidate "product_1"
// ONE: parallel [x grid, i loop] equalities

// NOACC-LABEL: @product
// NOACC: prism.candidate "product_0"
// NOACC-NOT: prism.accumulate
prism.program @product extents [n = ?, d = 64, h = 32] (%x: !prism.tensor<[n, d], f16>, %w: !prism.tensor<[d, h], f16>) -> (!prism.tensor<[n, h], f16>) {
  %0 = prism.matmul %x, %w : (!prism.tensor<[n, d], f16>, !prism.tensor<[d, h], f16>) -> !prism.tensor<[n, h], f32>
  %1 = prism.cast %0 : (!prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f16>
  prism.yield %1 : !prism.tensor<[n, h], f16>
}

// Two results, one kernel; ids go on after those that are there.
// CHECK-LABEL: prism.program @two
// CHECK: prism.candidate "two_0" mapped
// CHECK: prism.candidate "two_1" symbolic
// CHECK: %[[K:.*]]:2 = prism.kernel "k0"({{.*}}) parallel [x grid]
// CHECK: prism.yield %[[K]]#0, %[[K]]#1
prism.program @two extents [n = ?] (%x: !prism.tensor<[n], f32>) -> (!prism.tensor<[n], f32>, !prism.tensor<[n], f32>) {
  %0 = prism.exp %x : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %1 = prism.relu %x : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0, %1 : !prism.tensor<[n], f32>, !prism.tensor<[n], f32>
} candidates {
  prism.candidate "two_0" mapped {
  ^bb0(%x: !prism.tensor<[n], f32>):
    %0 = prism.exp %x : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
    %1 = prism.relu %x : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
    prism.yield %0, %1 : !prism.tensor<[n], f32>, !prism.tensor<[n], f32>
  }
}
