// What costs more by the model than the program op by op is not chosen: the
// program stays as it is, and the report says why. Without grid dims a kernel is
// one block.
// RUN: prism-opt %s --prism-superoptimize='max-grid-dims=0 cut-programs=false report=%t.json' 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// RUN: prism-opt %s --prism-superoptimize | FileCheck %s --check-prefix=CHOSEN

// CHECK: remark: the cheapest candidate costs {{[0-9.]+}} us by the model, the program op by op {{[0-9.]+}} us
// CHECK-NOT: gpu.launch_func
// CHECK: func.func @exponential
// CHECK-NOT: gpu.launch_func
// REPORT: "chosen": null
// REPORT: "why": "the cheapest candidate costs {{[0-9.]+}} us by the model, the program op by op {{[0-9.]+}} us; program
// CHOSEN: gpu.launch_func
func.func @exponential(%x: tensor<64x1024xf32>) -> tensor<64x1024xf32> {
  %empty = tensor.empty() : tensor<64x1024xf32>
  %result = linalg.exp ins(%x : tensor<64x1024xf32>) outs(%empty : tensor<64x1024xf32>) -> tensor<64x1024xf32>
  return %result : tensor<64x1024xf32>
}
