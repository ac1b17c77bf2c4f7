// The whole pipeline: from linalg to kernels at every stage, and its report.

// RUN: prism-opt %s --prism-superoptimize='emit=prism' 2>/dev/null | FileCheck %s --check-prefix=PRISM
// RUN: prism-opt %s --prism-superoptimize 2>/dev/null | FileCheck %s --check-prefix=GPU
// RUN: prism-opt %s --prism-superoptimize='target=sm_90a emit=ptx report=%t.json package=%t.package' 2>/dev/null | FileCheck %s --check-prefix=PTX
// RUN: %python %S/Inputs/check_report.py %t.json
// RUN: FileCheck %s --check-prefix=PLAN --input-file=%t.package/plan.json
// RUN: cat %t.package/*.ptx | FileCheck %s --check-prefix=TEXT
// RUN: %python %S/Inputs/run_package.py %t.package norm_linear '(a0/np.sqrt((a0**2).mean(1,keepdims=True)))@a1'

// PRISM-LABEL: prism.program private @norm_linear_0
// PRISM: prism.candidate "{{.*}}" sized verdict Proved cost_us
// PRISM: prism.matmul {{.*}}!prism.tile<
// PRISM-LABEL: func.func @norm_linear(
// PRISM: prism.invoke @norm_linear_0

// GPU-NOT: prism.program
// GPU-NOT: prism.invoke
// GPU-LABEL: func.func @norm_linear(
// GPU-SAME: tensor<8x64xf16>
// GPU-SAME: -> tensor<8x96xf16>
// GPU: gpu.launch_func
// GPU-LABEL: func.func @untouched(
// GPU-NEXT: arith.addi
// GPU: gpu.module

// PTX: gpu.binary
// PTX-SAME: .target sm_90a

// PLAN: "name": "norm_linear"
// PLAN: "target": "sm_90a"

// TEXT: .target sm_90a
// TEXT: .visible .entry
// TEXT-NOT: .extern .func

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @norm_linear(%x: tensor<8x64xf16>, %w: tensor<64x96xf16>) -> tensor<8x96xf16> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 64.0 : f32
  %e0 = tensor.empty() : tensor<8xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<8xf32>) -> tensor<8xf32>
  %ss = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x64xf16>) outs(%f0 : tensor<8xf32>) {
  ^bb0(%a: f16, %acc: f32):
    %b = arith.extf %a : f16 to f32
    %q = arith.mulf %b, %b : f32
    %s = arith.addf %q, %acc : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %e1 = tensor.empty() : tensor<8x64xf16>
  %xn = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %ss : tensor<8x64xf16>, tensor<8xf32>) outs(%e1 : tensor<8x64xf16>) {
  ^bb0(%a: f16, %s: f32, %o: f16):
    %b = arith.extf %a : f16 to f32
    %m = arith.divf %s, %count : f32
    %r = math.sqrt %m : f32
    %d = arith.divf %b, %r : f32
    %t = arith.truncf %d : f32 to f16
    linalg.yield %t : f16
  } -> tensor<8x64xf16>
  %e2 = tensor.empty() : tensor<8x96xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<8x96xf32>) -> tensor<8x96xf32>
  %y = linalg.matmul ins(%xn, %w : tensor<8x64xf16>, tensor<64x96xf16>) outs(%f2 : tensor<8x96xf32>) -> tensor<8x96xf32>
  %e3 = tensor.empty() : tensor<8x96xf16>
  %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<8x96xf32>) outs(%e3 : tensor<8x96xf16>) {
  ^bb0(%a: f32, %o: f16):
    %t = arith.truncf %a : f32 to f16
    linalg.yield %t : f16
  } -> tensor<8x96xf16>
  return %z : tensor<8x96xf16>
}

func.func @untouched(%a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  return %0 : i32
}
