// RUN: %python -c "print('prism.program @chain extents [n = ?] (%%x0: !prism.tensor<[n], f32>) -> (!prism.tensor<[n], f32>) {'); [print('%%x' + str(i + 1) + ' = prism.relu %%x' + str(i) + ' : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>') for i in range(2000)]; print('prism.yield %%x2000 : !prism.tensor<[n], f32>}')" > %t.mlir
// RUN: prism-opt %t.mlir --prism-generate -o /dev/null 2>&1 | FileCheck %s

// 2,000 ops in one program end at once, and say why.

// CHECK: remark: no candidates: 2000 ops are more than twice the max-block-ops of 11; partition the program, or raise max-block-ops
