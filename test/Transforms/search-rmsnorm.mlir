// RUN: prism-opt %s --prism-generate="max-kernels=1 cut-forms=false" --prism-instantiate-maps | FileCheck %s
// RUN: prism-opt %s --prism-generate="max-kernels=1 cut-forms=false" --prism-instantiate-maps --prism-verify 2>/dev/null | FileCheck %s --check-prefix=PROVED
// RUN: prism-opt %s --prism-generate="max-kernels=1 cut-forms=false" --prism-instantiate-maps -o %t.1
// RUN: prism-opt %s --prism-generate="max-kernels=1 cut-forms=false" --prism-instantiate-maps --mlir-disable-threading -o %t.2
// RUN: diff %t.1 %t.2
// RUN: prism-opt %s --prism-generate="max-block-ops=5" 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: prism-opt %s --prism-generate="budget-steps=1" 2>&1 | FileCheck %s --check-prefix=STEP
// RUN: prism-opt %s --prism-generate="max-kernels=0" 2>&1 | FileCheck %s --check-prefix=NOKERNEL

// The division by the root mean square moves behind the product; then both sums
// over d1 run in one loop. Loads as stored, f32 arithmetic, an f16 result.

// CHECK-LABEL: prism.program @rmsnorm
// CHECK-SAME: complete = true
// CHECK-SAME: unique_normalized = 6 : i64
// CHECK: prism.candidate "rmsnorm_0" mapped {
// CHECK: parallel [x grid] :
// CHECK: prism.candidate "rmsnorm_3" mapped {
// CHECK-NEXT: ^bb0(%[[X:.*]]: !prism.tensor<[d0, d1], f16>, %[[W:.*]]: !prism.tensor<[d1, d2], f16>):
// CHECK-NEXT: %[[R:.*]] = prism.kernel "k0"(%[[A:.*]] = %[[X]], %[[B:.*]] = %[[W]]) parallel [x grid, i loop] : (!prism.tensor<[d0, d1], f16>, !prism.tensor<[d1, d2], f16>) -> !prism.tensor<[d0, d2], f16> {
// CHECK-NEXT: %[[TA:.*]] = prism.load %[[A]] {{\[\[}}], [i]] : !prism.tensor<[d0, d1], f16> -> !prism.tile<[d0, d1/i], f16>
// CHECK-NEXT: %[[TB:.*]] = prism.load %[[B]] {{\[\[}}i], [x]] : !prism.tensor<[d1, d2], f16> -> !prism.tile<[d1/i, d2/x], f16>
// CHECK-DAG: %[[M:.*]] = prism.matmul %[[TA]], %[[TB]] : (!prism.tile<[d0, d1/i], f16>, !prism.tile<[d1/i, d2/x], f16>) -> !prism.tile<[d0, d2/x], f32>
// CHECK-DAG: %[[C:.*]] = prism.cast %[[TA]] : (!prism.tile<[d0, d1/i], f16>) -> !prism.tile<[d0, d1/i], f32>
// CHECK-DAG: %[[S:.*]] = prism.square %[[C]]
// CHECK-DAG: %[[Q:.*]] = prism.reduce_sum %[[S]] dims [1] : (!prism.tile<[d0, d1/i], f32>) -> !prism.tile<[d0], f32>
// CHECK-DAG: %[[QA:.*]] = prism.accumulate sum %[[Q]] over i : !prism.tile<[d0], f32> -> !prism.tile<[d0], f32>
// CHECK-DAG: %[[MA:.*]] = prism.accumulate sum %[[M]] over i : !prism.tile<[d0, d2/x], f32> -> !prism.tile<[d0, d2/x], f32>
// CHECK: %[[N:.*]] = prism.constant #prism.extent<d1> -> !prism.tile<[], f32>
// CHECK-NEXT: %[[V:.*]] = prism.div %[[QA]], %[[N]] maps [d0], [] -> [d0]
// CHECK-NEXT: %[[T:.*]] = prism.sqrt %[[V]]
// CHECK-NEXT: %[[U:.*]] = prism.div %[[MA]], %[[T]] maps [d0, d1], [d0] -> [d0, d1]
// CHECK-NEXT: %[[O:.*]] = prism.cast %[[U]] : (!prism.tile<[d0, d2/x], f32>) -> !prism.tile<[d0, d2/x], f16>
// CHECK-NEXT: %[[Z:.*]] = prism.save %[[O]] {{\[\[}}], [x]] : !prism.tile<[d0, d2/x], f16> -> !prism.tensor<[d0, d2], f16>
// CHECK-NEXT: prism.yield %[[Z]]
// CHECK: prism.yield %[[R]]

// Propagation and e-graph agree on all of them.
// PROVED: proved = 6 : i64
// PROVED-COUNT-6: verdict Proved

// FEW: remark: no candidates: no graph of at most 5 ops computes it; raise max-block-ops
// STEP: remark: no candidates: the budget ended before a candidate was found
// STEP: complete = false
// NOKERNEL: remark: no candidates: max-kernels is 0
prism.program @rmsnorm extents [d0 = 8, d1 = 4096, d2 = 4096] (%x: !prism.tensor<[d0, d1], f16>, %w: !prism.tensor<[d1, d2], f16>) -> (!prism.tensor<[d0, d2], f16>) {
  %0 = prism.cast %x : (!prism.tensor<[d0, d1], f16>) -> !prism.tensor<[d0, d1], f32>
  %1 = prism.square %0 : (!prism.tensor<[d0, d1], f32>) -> !prism.tensor<[d0, d1], f32>
  %2 = prism.reduce_sum %1 dims [1] : (!prism.tensor<[d0, d1], f32>) -> !prism.tensor<[d0], f32>
  %3 = prism.constant #prism.extent<d1> -> !prism.tensor<[], f32>
  %4 = prism.div %2, %3 maps [d0], [] -> [d0] : (!prism.tensor<[d0], f32>, !prism.tensor<[], f32>) -> !prism.tensor<[d0], f32>
  %5 = prism.sqrt %4 : (!prism.tensor<[d0], f32>) -> !prism.tensor<[d0], f32>
  %6 = prism.div %0, %5 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[d0, d1], f32>, !prism.tensor<[d0], f32>) -> !prism.tensor<[d0, d1], f32>
  %7 = prism.cast %6 : (!prism.tensor<[d0, d1], f32>) -> !prism.tensor<[d0, d1], f16>
  %8 = prism.matmul %7, %w : (!prism.tensor<[d0, d1], f16>, !prism.tensor<[d1, d2], f16>) -> !prism.tensor<[d0, d2], f32>
  %9 = prism.cast %8 : (!prism.tensor<[d0, d2], f32>) -> !prism.tensor<[d0, d2], f16>
  prism.yield %9 : !prism.tensor<[d0, d2], f16>
}
