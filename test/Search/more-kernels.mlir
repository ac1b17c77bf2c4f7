// max-kernels beyond 2: a part may be computed first, then another, and parts may be split
// pairs. Independent kernels come in one order only.
// RUN: prism-opt %s --prism-generate=max-kernels=3 --prism-instantiate-maps="describe=true keep-all=true" -o %t.mlir 2>%t.txt
// RUN: FileCheck %s --input-file=%t.txt
// RUN: prism-opt %t.mlir --prism-verify 2>&1 | FileCheck %s --check-prefix=PROVED
// RUN: prism-opt %s --prism-generate=max-kernels=2 --prism-instantiate-maps="describe=true keep-all=true" -o /dev/null 2>&1 | FileCheck %s --check-prefix=TWO
// PROVED: remark: 22 candidates proved, 0 disproved, 0 unknown
// PROVED: remark: 2 candidates proved, 0 disproved, 0 unknown
// PROVED: remark: 33 candidates proved, 0 disproved, 0 unknown
// TWO-NOT: {{.*}} | {{.*}} | {{.*}}

// CHECK-DAG: : grid x,y; exp(a0[y,x]) -> [y,x] | grid x,y; tanh(a1[y,x]) -> [y,x] | grid x,y; matmul(k0.0[y,], k1.0[,x]) -> [y,x]
// CHECK-DAG: : grid x,y; tanh(a1[y,x]) -> [y,x] | grid x,y,s; loop i; acc(matmul(exp(a0[y,s/i]), k0.0[s/i,x])) -> [y,x] by s | grid x,y; reduce_sum(k1.0[,y,x]) -> [y,x]
// CHECK-NOT: tanh(a1[y,x]) -> [y,x] | grid x,y; exp(
prism.program @q extents [n = 16, d = 8, m = 32] (%x: !prism.tensor<[n, d], f32>, %y: !prism.tensor<[d, m], f32>) -> (!prism.tensor<[n, m], f32>) {
  %0 = prism.exp %x : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %1 = prism.tanh %y : (!prism.tensor<[d, m], f32>) -> !prism.tensor<[d, m], f32>
  %2 = prism.matmul %0, %1 : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, m], f32>) -> !prism.tensor<[n, m], f32>
  prism.yield %2 : !prism.tensor<[n, m], f32>
}

// Two results that have no dim in common: a kernel for each, in one order, that split what
// no kernel for both can; none copies what the other computes.
// CHECK-DAG: p_1: grid x; exp(a0[x]) -> [x] | grid x; tanh(a1[x]) -> [x]
// CHECK-NOT: p_2:
// TWO-DAG: p_1: grid x; exp(a0[x]) -> [x] | grid x; tanh(a1[x]) -> [x]
// TWO-NOT: p_2:
prism.program @p extents [n = 16, m = 32] (%x: !prism.tensor<[n], f32>, %y: !prism.tensor<[m], f32>) -> (!prism.tensor<[n], f32>, !prism.tensor<[m], f32>) {
  %0 = prism.exp %x : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %1 = prism.tanh %y : (!prism.tensor<[m], f32>) -> !prism.tensor<[m], f32>
  prism.yield %0, %1 : !prism.tensor<[n], f32>, !prism.tensor<[m], f32>
}

// The first part as a split pair.
// CHECK: s_{{[0-9]+}}: grid x,y,s; matmul(a0[y,s], a1[s,x]) -> [y,x] by s | grid x,y; exp(reduce_sum(k0.0[,y,x])) -> [y,x] | grid x,y; matmul(k1.0[y,], a2[,x]) -> [y,x]
prism.program @s extents [n = 16, d = 8, m = 32, k = 4] (%x: !prism.tensor<[n, d], f32>, %y: !prism.tensor<[d, m], f32>, %z: !prism.tensor<[m, k], f32>) -> (!prism.tensor<[n, k], f32>) {
  %0 = prism.matmul %x, %y : (!prism.tensor<[n, d], f32>, !prism.tensor<[d, m], f32>) -> !prism.tensor<[n, m], f32>
  %1 = prism.exp %0 : (!prism.tensor<[n, m], f32>) -> !prism.tensor<[n, m], f32>
  %2 = prism.matmul %1, %z : (!prism.tensor<[n, m], f32>, !prism.tensor<[m, k], f32>) -> !prism.tensor<[n, k], f32>
  prism.yield %2 : !prism.tensor<[n, k], f32>
}
