// RUN: %python -c "print('prism.program @chain extents [n = ?] (%%x0: !prism.tensor<[n], f32>) -> (!prism.tensor<[n], f32>) {'); [print('%%x' + str(i + 1) + ' = prism.relu %%x' + str(i) + ' : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>') for i in range(2000)]; print('prism.yield %%x2000 : !prism.tensor<[n], f32>}')" > %t.mlir
// RUN: prism-opt %t.mlir --prism-generate -o %t.out.mlir 2>&1 | FileCheck %s
// RUN: FileCheck %s --input-file=%t.out.mlir --check-prefix=OUT

// 2,000 ops in one program end at once, and say why.

// OUT: prism.program @chain {{.*}}complete = false
// CHECK: remark: no candidates: 2000 ops are more than twice the max-block-ops of 11; partition the program, or raise max-block-ops
