// Where nothing is chosen, the report says why, as the remarks do.
// RUN: prism-opt %s --prism-superoptimize='report=%t.json budget-steps=1 cut-programs=false' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t.json
// RUN: prism-opt %s --prism-superoptimize='report=%t.json cut-programs=false' -o /dev/null
// RUN: FileCheck %s --check-prefix=FOUND < %t.json

// REMARK: superoptimize-why-not.mlir:[[# @LINE + 27]]:{{.*}}: remark: left alone: only moves data
// REMARK: superoptimize-why-not.mlir:[[# @LINE + 20]]:{{.*}}: remark: no candidates: the budget ended before a candidate was found

// CHECK: "chosen": null
// CHECK: "left_alone": [
// CHECK: "loc": "loc({{.*}}superoptimize-why-not.mlir
// CHECK: "op": "prism.program"
// CHECK-NEXT: "why": "no candidates: the budget ended before a candidate was found; program
// CHECK: "left_alone": [
// CHECK: "loc": "loc({{.*}}superoptimize-why-not.mlir
// CHECK: "op": "linalg.generic"
// CHECK-NEXT: "why": "only moves data"

// FOUND: "left_alone": []
// FOUND: "name": "exp_of_product"

func.func @exp_of_product(%a: tensor<8x128xf32>, %b: tensor<128x128xf32>) -> tensor<8x128xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x128xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x128xf32>) -> tensor<8x128xf32>
  %product = linalg.matmul ins(%a, %b : tensor<8x128xf32>, tensor<128x128xf32>) outs(%init : tensor<8x128xf32>) -> tensor<8x128xf32>
  %result = linalg.exp ins(%product : tensor<8x128xf32>) outs(%empty : tensor<8x128xf32>) -> tensor<8x128xf32>
  return %result : tensor<8x128xf32>
}

func.func @transpose(%a: tensor<8x16xf32>) -> tensor<16x8xf32> {
  %empty = tensor.empty() : tensor<16x8xf32>
  %result = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<8x16xf32>) outs(%empty : tensor<16x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<16x8xf32>
  return %result : tensor<16x8xf32>
}
