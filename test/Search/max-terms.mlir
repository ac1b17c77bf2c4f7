// A long sum keeps the program's order: of eight terms only the five innermost are added up
// in all orders, and the search ends. A short one is searched in all orders.
// RUN: prism-opt %s --prism-generate --prism-instantiate-maps -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: prism-opt %t.mlir --prism-verify 2>&1 | FileCheck %s --check-prefix=PROVED
// RUN: prism-opt %s --prism-generate=max-terms=2 | FileCheck %s --check-prefix=FEW
// RUN: prism-opt %s --prism-generate="max-terms=1 max-kernels=1" --prism-instantiate-maps=describe=true 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ORDER

// CHECK: @eight
// CHECK-SAME: complete = true
// CHECK-SAME: graphs = 111 : i64
// CHECK: @four
// CHECK-SAME: graphs = 17 : i64
// PROVED: remark: 7 candidates proved, 0 disproved, 0 unknown
// PROVED: remark: 3 candidates proved, 0 disproved, 0 unknown
// FEW: @eight
// FEW-SAME: graphs = 7 : i64
// FEW: @four
// FEW-SAME: graphs = 3 : i64

// The program's own order, not the first that there is; what is no sum stays beside it.
// ORDER: eight_0: grid x; add(a7[x], add(a6[x], add(a5[x], add(a4[x], add(a3[x], add(a2[x], add(a0[x], a1[x]))))))) -> [x]
// ORDER: four_0: grid x; add(a0[x], add(a1[x], add(a2[x], a3[x]))) -> [x]
// ORDER: factored_0: grid x; mul(a0[x], add(a1[x], a2[x])) -> [x]
// ORDER: factored_1: grid x; add(mul(a0[x], a1[x]), mul(a0[x], a2[x])) -> [x]

prism.program @eight extents [n = 64] (%a0: !prism.tensor<[n], f32>, %a1: !prism.tensor<[n], f32>, %a2: !prism.tensor<[n], f32>, %a3: !prism.tensor<[n], f32>, %a4: !prism.tensor<[n], f32>, %a5: !prism.tensor<[n], f32>, %a6: !prism.tensor<[n], f32>, %a7: !prism.tensor<[n], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.add %a0, %a1 : (!prism.tensor<[n], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %1 = prism.add %0, %a2 : (!prism.tensor<[n], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %2 = prism.add %1, %a3 : (!prism.tensor<[n], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %3 = prism.add %2, %a4 : (!prism.tensor<[n], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %4 = prism.add %3, %a5 : (!prism.tensor<[n], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %5 = prism.add %4, %a6 : (!prism.tensor<[n], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %6 = prism.add %5, %a7 : (!prism.tensor<[n], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %6 : !prism.tensor<[n], f32>
}

prism.program @four extents [n = 64] (%a0: !prism.tensor<[n], f32>, %a1: !prism.tensor<[n], f32>, %a2: !prism.tensor<[n], f32>, %a3: !prism.tensor<[n], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.add %a2, %a3 : (!prism.tensor<[n], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %1 = prism.add %a1, %0 : (!prism.tensor<[n], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %2 = prism.add %a0, %1 : (!prism.tensor<[n], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %2 : !prism.tensor<[n], f32>
}

prism.program @factored extents [n = 64] (%x: !prism.tensor<[n], f32>, %a: !prism.tensor<[n], f32>, %b: !prism.tensor<[n], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.mul %x, %a : (!prism.tensor<[n], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %1 = prism.mul %x, %b : (!prism.tensor<[n], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %2 = prism.add %0, %1 : (!prism.tensor<[n], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %2 : !prism.tensor<[n], f32>
}
