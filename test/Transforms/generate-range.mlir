// Equal over the reals is not enough: forms that overflow where the program
// does not are dropped, and counted.

// RUN: prism-opt %s --pass-pipeline='builtin.module(prism.program(prism-generate))' 2>/dev/null | FileCheck %s
// RUN: prism-opt %s --pass-pipeline='builtin.module(prism.program(prism-generate{filter-range=false}))' 2>/dev/null | FileCheck %s --check-prefix=ALL

// A softmax that shifts by its maximum keeps its shift.
// CHECK-LABEL: prism.program @shifted
// CHECK-SAME: range_unsafe = {{[1-9]}}
// CHECK: candidates {
// CHECK-NOT: prism.exp %{{.*}} :
// CHECK: %[[MAX:.*]] = prism.reduce_max %[[X:.*]] dims [1]
// CHECK-NEXT: %[[SHIFTED:.*]] = prism.sub %[[X]], %[[MAX]]
// CHECK-NEXT: prism.exp %[[SHIFTED]]
// ALL-LABEL: prism.program @shifted
// ALL: candidates {
// ALL: %[[TILE:.*]] = prism.load
// ALL-NEXT: prism.exp %[[TILE]]
prism.program @shifted extents [n = 8, s = 64] (%x: !prism.tensor<[n, s], f32>) -> (!prism.tensor<[n, s], f32>) {
  %0 = prism.reduce_max %x dims [1] : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n], f32>
  %1 = prism.sub %x, %0 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, s], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, s], f32>
  %2 = prism.exp %1 : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n, s], f32>
  %3 = prism.reduce_sum %2 dims [1] : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n], f32>
  %4 = prism.div %2, %3 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, s], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, s], f32>
  prism.yield %4 : !prism.tensor<[n, s], f32>
}

// An exponential that the program takes may be taken; but it is not rounded to
// f16 as the operand of a product before it was divided by its sum.
// CHECK-LABEL: prism.program @unshifted
// CHECK: candidates {
// CHECK: %[[EXP:.*]] = prism.exp
// CHECK-NOT: prism.cast %[[EXP]] : {{.*}} f16>
// CHECK: prism.div %[[EXP]]
// CHECK: prism.matmul
// ALL-LABEL: prism.program @unshifted
// ALL: candidates {
// ALL: %[[EXP:.*]] = prism.exp
// ALL: prism.cast %[[EXP]] : {{.*}} f16>
prism.program @unshifted extents [n = 8, s = 64, e = 16] (%x: !prism.tensor<[n, s], f32>, %v: !prism.tensor<[s, e], f16>) -> (!prism.tensor<[n, e], f32>) {
  %0 = prism.exp %x : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n, s], f32>
  %1 = prism.reduce_sum %0 dims [1] : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n], f32>
  %2 = prism.div %0, %1 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, s], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, s], f32>
  %3 = prism.cast %2 : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n, s], f16>
  %4 = prism.matmul %3, %v : (!prism.tensor<[n, s], f16>, !prism.tensor<[s, e], f16>) -> !prism.tensor<[n, e], f32>
  prism.yield %4 : !prism.tensor<[n, e], f32>
}

// Nor is it multiplied in a wide type before: near 88, exp(x) v overflows f32
// where exp(x) does not. What is multiplied is divided by its sum, or shifted.
// CHECK-LABEL: prism.program @unshifted_wide
// CHECK: candidates {
// CHECK: %[[EXP:.*]] = prism.exp
// CHECK-NOT: prism.matmul %[[EXP]],
// CHECK: prism.div %[[EXP]]
// CHECK: prism.matmul
// ALL-LABEL: prism.program @unshifted_wide
// ALL: candidates {
// ALL: %[[EXP:.*]] = prism.exp
// ALL: prism.matmul %[[EXP]],
prism.program @unshifted_wide extents [n = 8, s = 64, e = 16] (%x: !prism.tensor<[n, s], f32>, %v: !prism.tensor<[s, e], f32>) -> (!prism.tensor<[n, e], f32>) {
  %0 = prism.exp %x : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n, s], f32>
  %1 = prism.reduce_sum %0 dims [1] : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n], f32>
  %2 = prism.div %0, %1 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, s], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, s], f32>
  %3 = prism.matmul %2, %v : (!prism.tensor<[n, s], f32>, !prism.tensor<[s, e], f32>) -> !prism.tensor<[n, e], f32>
  prism.yield %3 : !prism.tensor<[n, e], f32>
}

// What the program keeps in f16 may be rounded to f16: here its exponential.
// CHECK-LABEL: prism.program @half
// CHECK-SAME: range_unsafe = 0
// CHECK: prism.candidate "half_0"
// ALL-LABEL: prism.program @half
prism.program @half extents [n = 17, s = 33, e = 65] (%x: !prism.tensor<[n, s], f16>, %v: !prism.tensor<[s, e], f16>) -> (!prism.tensor<[n, e], f16>) {
  %0 = prism.exp %x : (!prism.tensor<[n, s], f16>) -> !prism.tensor<[n, s], f16>
  %1 = prism.matmul %0, %v : (!prism.tensor<[n, s], f16>, !prism.tensor<[s, e], f16>) -> !prism.tensor<[n, e], f16>
  prism.yield %1 : !prism.tensor<[n, e], f16>
}

// x[i, j] - m[j], where m[j] is the maximum of row j, may be above 0, and its
// exponential above 1: it is not rounded to f16 either.
// CHECK-LABEL: prism.program @shifted_by_another_row
// CHECK: candidates {
// CHECK: %[[EXP:.*]] = prism.exp
// CHECK-NOT: prism.cast %[[EXP]] : {{.*}} f16>
// CHECK: prism.div %[[EXP]]
// CHECK: prism.matmul
// CHECK-LABEL: prism.program @divided_by_another_row
// ALL-LABEL: prism.program @shifted_by_another_row
prism.program @shifted_by_another_row extents [n = 64, e = 32] (%x: !prism.tensor<[n, n], f32>, %v: !prism.tensor<[n, e], f16>) -> (!prism.tensor<[n, e], f32>) {
  %0 = prism.reduce_max %x dims [1] : (!prism.tensor<[n, n], f32>) -> !prism.tensor<[n], f32>
  %1 = prism.sub %x, %0 maps [d0, d1], [d1] -> [d0, d1] : (!prism.tensor<[n, n], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, n], f32>
  %2 = prism.exp %1 : (!prism.tensor<[n, n], f32>) -> !prism.tensor<[n, n], f32>
  %3 = prism.reduce_sum %2 dims [1] : (!prism.tensor<[n, n], f32>) -> !prism.tensor<[n], f32>
  %4 = prism.div %2, %3 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, n], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, n], f32>
  %5 = prism.cast %4 : (!prism.tensor<[n, n], f32>) -> !prism.tensor<[n, n], f16>
  %6 = prism.matmul %5, %v : (!prism.tensor<[n, n], f16>, !prism.tensor<[n, e], f16>) -> !prism.tensor<[n, e], f32>
  prism.yield %6 : !prism.tensor<[n, e], f32>
}

// So is e[i, j] / s[j], where s[j] is the sum of row j.
// CHECK: candidates {
// CHECK: %[[EXP:.*]] = prism.exp
// CHECK: %[[RATIO:.*]] = prism.div %[[EXP]]
// CHECK-NOT: prism.cast %[[RATIO]] : {{.*}} f16>
// CHECK: prism.div %[[RATIO]]
// CHECK: prism.matmul
// ALL-LABEL: prism.program @divided_by_another_row
prism.program @divided_by_another_row extents [n = 64, e = 32] (%x: !prism.tensor<[n, n], f32>, %v: !prism.tensor<[n, e], f16>, %w: !prism.tensor<[n], f32>) -> (!prism.tensor<[n, e], f32>) {
  %0 = prism.exp %x : (!prism.tensor<[n, n], f32>) -> !prism.tensor<[n, n], f32>
  %1 = prism.reduce_sum %0 dims [1] : (!prism.tensor<[n, n], f32>) -> !prism.tensor<[n], f32>
  %2 = prism.div %0, %1 maps [d0, d1], [d1] -> [d0, d1] : (!prism.tensor<[n, n], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, n], f32>
  %3 = prism.div %2, %w maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, n], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, n], f32>
  %4 = prism.cast %3 : (!prism.tensor<[n, n], f32>) -> !prism.tensor<[n, n], f16>
  %5 = prism.matmul %4, %v : (!prism.tensor<[n, n], f16>, !prism.tensor<[n, e], f16>) -> !prism.tensor<[n, e], f32>
  prism.yield %5 : !prism.tensor<[n, e], f32>
}

// Nor is it summed in f32 with its factors before it was divided: sums of
// exp(x) v reach infinity before those of exp(x) do. Shifted, it may.
// CHECK-LABEL: prism.program @summed
// CHECK-SAME: range_unsafe = {{[1-9]}}
// CHECK: prism.candidate "summed_0"
// CHECK: %[[EXP:.*]] = prism.exp
// CHECK-NEXT: %[[SUM:.*]] = prism.reduce_sum %[[EXP]]
// CHECK-NEXT: prism.div %[[EXP]], %[[SUM]]
// CHECK: prism.accumulate rescaled_sum
// ALL-LABEL: prism.program @summed
// ALL: prism.candidate "summed_0"
// ALL: %[[EXP:.*]] = prism.exp
// ALL-NEXT: prism.matmul %[[EXP]]
prism.program @summed extents [n = 8, s = 64, e = 16] (%x: !prism.tensor<[n, s], f32>, %v: !prism.tensor<[s, e], f32>) -> (!prism.tensor<[n, e], f32>) {
  %0 = prism.exp %x : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n, s], f32>
  %1 = prism.reduce_sum %0 dims [1] : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n], f32>
  %2 = prism.div %0, %1 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, s], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, s], f32>
  %3 = prism.matmul %2, %v : (!prism.tensor<[n, s], f32>, !prism.tensor<[s, e], f32>) -> !prism.tensor<[n, e], f32>
  prism.yield %3 : !prism.tensor<[n, e], f32>
}

// The scale of logits stays behind their product: in a bf16 operand it would
// cost the digits that the exponential needs.
// CHECK-LABEL: prism.program @scaled
// CHECK: candidates {
// CHECK-NOT: prism.cast {{.*}} bf16>
// CHECK: prism.exp
// ALL-LABEL: prism.program @scaled
// ALL: candidates {
// ALL: %[[SCALED:.*]] = prism.mul
// ALL-NEXT: prism.cast %[[SCALED]] : {{.*}} bf16>
prism.program @scaled extents [n = 8, s = 64, e = 16] (%q: !prism.tensor<[n, e], bf16>, %k: !prism.tensor<[s, e], bf16>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.matmul %q, %k maps [d0, d2], [d1, d2] -> [d0, d1] : (!prism.tensor<[n, e], bf16>, !prism.tensor<[s, e], bf16>) -> !prism.tensor<[n, s], f32>
  %1 = prism.constant 0.3 : f32 -> !prism.tensor<[], f32>
  %2 = prism.mul %0, %1 maps [d0, d1], [] -> [d0, d1] : (!prism.tensor<[n, s], f32>, !prism.tensor<[], f32>) -> !prism.tensor<[n, s], f32>
  %3 = prism.exp %2 : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n, s], f32>
  %4 = prism.reduce_sum %3 dims [1] : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n], f32>
  prism.yield %4 : !prism.tensor<[n], f32>
}

// Of x a, which the program keeps in f16, a step of a loop over d has a part,
// which may be too large for f16 where the sum is not: it is accumulated before
// it is rounded.
// RUN: prism-opt %s --pass-pipeline='builtin.module(prism.program(prism-generate,prism-instantiate-maps{keep-all=true}))' 2>/dev/null | grep -A1 'prism.matmul .*\[d/i, r\], f16>) ->' | FileCheck %s --check-prefix=PART --implicit-check-not=prism.cast
// RUN: prism-opt %s --pass-pipeline='builtin.module(prism.program(prism-generate,prism-instantiate-maps{keep-all=true filter-range=false}))' 2>/dev/null | grep -A1 'prism.matmul .*\[d/i, r\], f16>) ->' | FileCheck %s --check-prefix=PARTS
// PART: prism.accumulate sum
// PARTS: prism.matmul
// PARTS-NEXT: prism.cast
prism.program @part_of_a_sum extents [n = 16, d = 256, r = 16, h = 64] (%x: !prism.tensor<[n, d], f16>, %w: !prism.tensor<[d, h], f16>, %a: !prism.tensor<[d, r], f16>, %b: !prism.tensor<[r, h], f16>) -> (!prism.tensor<[n, h], f32>) {
  %0 = prism.matmul %x, %w : (!prism.tensor<[n, d], f16>, !prism.tensor<[d, h], f16>) -> !prism.tensor<[n, h], f32>
  %1 = prism.matmul %x, %a : (!prism.tensor<[n, d], f16>, !prism.tensor<[d, r], f16>) -> !prism.tensor<[n, r], f32>
  %2 = prism.cast %1 : (!prism.tensor<[n, r], f32>) -> !prism.tensor<[n, r], f16>
  %3 = prism.matmul %2, %b : (!prism.tensor<[n, r], f16>, !prism.tensor<[r, h], f16>) -> !prism.tensor<[n, h], f32>
  %4 = prism.add %0, %3 : (!prism.tensor<[n, h], f32>, !prism.tensor<[n, h], f32>) -> !prism.tensor<[n, h], f32>
  prism.yield %4 : !prism.tensor<[n, h], f32>
}
