// RUN: prism-opt %s --prism-generate --prism-instantiate-maps --prism-verify=keep-proofs=true -o %t.mlir 2>&1 | FileCheck %s
// RUN: prism-check %t.mlir | FileCheck %s --check-prefix=CHECKED

// A constant is the number that it is: written in f16, computed with in f32.

// CHECK: remark: 3 candidates proved, 0 disproved, 0 unknown
// CHECKED-COUNT-3: Proved
prism.program @scaled extents [n = 16, d = 33] (%x: !prism.tensor<[n, d], f16>) -> (!prism.tensor<[n, d], f16>) {
  %0 = prism.constant 2.000000e+00 : f16 -> !prism.tensor<[], f16>
  %1 = prism.mul %x, %0 maps [d0, d1], [] -> [d0, d1] : (!prism.tensor<[n, d], f16>, !prism.tensor<[], f16>) -> !prism.tensor<[n, d], f16>
  prism.yield %1 : !prism.tensor<[n, d], f16>
}
