// Programs that tempt a search to confuse dims: equal shapes everywhere, prime
// extents, extents of 1, an input twice. Extents that agree in value are not one
// dim; what is found at an extent of 1 is what is found at any other.
// RUN: split-file %s %t
// RUN: prism-opt %t/square.mlir --prism-generate="max-kernels=1" --prism-instantiate-maps --prism-verify -o %t/square.out 2>/dev/null
// RUN: FileCheck %s --input-file=%t/square.out --check-prefix=SQUARE
// RUN: sed 's/= 64/= 7/; s/= 64/= 13/; s/= 64/= 31/' %t/square.mlir | prism-opt --prism-generate="max-kernels=1" --prism-instantiate-maps --prism-verify -o %t/prime.out 2>/dev/null
// RUN: sed 's/= 64/= 1/g' %t/square.mlir | prism-opt --prism-generate="max-kernels=1" --prism-instantiate-maps --prism-verify -o %t/unit.out 2>/dev/null
// RUN: sed 's/extents \[.*\] (/extents [] (/' %t/square.out > %t/square.any
// RUN: sed 's/extents \[.*\] (/extents [] (/' %t/prime.out | diff %t/square.any -
// RUN: sed 's/extents \[.*\] (/extents [] (/' %t/unit.out | diff %t/square.any -
// SQUARE: extents [a = 64, b = 64, c = 64]
// SQUARE-SAME: complete = true
// SQUARE-SAME: unique_normalized = 9 : i64
// SQUARE: prism.candidate "square_0" mapped verdict Proved
// The rows of both operands of the first product are split by different dims.
// RUN: prism-opt %t/gram.mlir --prism-generate="max-kernels=1" --prism-instantiate-maps --prism-verify 2>/dev/null | FileCheck %s --check-prefix=GRAM
// GRAM: prism.candidate "gram_{{[0-9]+}}" mapped verdict Proved
// GRAM: parallel [x grid, y grid] :
// GRAM-NEXT: prism.load %{{.*}} {{\[\[}}y], []]
// GRAM-NEXT: prism.load %{{.*}} {{\[\[}}x], []]
// What has no op that Prism knows comes out as it came in, at all sizes.
// RUN: prism-opt %t/none.mlir --allow-unregistered-dialect --prism-superoptimize 2>&1 | FileCheck %s --check-prefix=NONE
// NONE-NOT: error
// NONE: func.func @none
// NONE-NEXT: "other.op"
// NONE-NEXT: return

//--- square.mlir
prism.program @square extents [a = 64, b = 64, c = 64] (%x: !prism.tensor<[a, b], f32>, %w: !prism.tensor<[b, c], f32>, %y: !prism.tensor<[a, c], f32>) -> (!prism.tensor<[a, c], f32>) {
  %0 = prism.matmul %x, %w : (!prism.tensor<[a, b], f32>, !prism.tensor<[b, c], f32>) -> !prism.tensor<[a, c], f32>
  %1 = prism.relu %0 : (!prism.tensor<[a, c], f32>) -> !prism.tensor<[a, c], f32>
  %2 = prism.add %1, %y : (!prism.tensor<[a, c], f32>, !prism.tensor<[a, c], f32>) -> !prism.tensor<[a, c], f32>
  prism.yield %2 : !prism.tensor<[a, c], f32>
}

//--- gram.mlir
prism.program @gram extents [n = 64, d = 64] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n, n], f32>) {
  %0 = prism.matmul %x, %x maps [d0, d2], [d1, d2] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n, d], f32>) -> !prism.tensor<[n, n], f32>
  prism.yield %0 : !prism.tensor<[n, n], f32>
}

//--- none.mlir
func.func @none(%x: tensor<1x1xf32>) -> tensor<1x1xf32> {
  %0 = "other.op"(%x) : (tensor<1x1xf32>) -> tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}
