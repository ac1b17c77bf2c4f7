// A program for which the whole gives no kernel is cut into parts: here by a
// bound that it exceeds. The parts compute what it did.

// RUN: prism-opt %s --prism-superoptimize='emit=ptx max-block-ops=4 report=%t.json package=%t.package' -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %python %S/Inputs/check_report.py %t.json
// RUN: FileCheck %s --check-prefix=REPORT --input-file=%t.json
// RUN: %python %S/Inputs/run_package.py %t.package norm_linear 'np.maximum((a0/np.sqrt((a0**2).mean(1,keepdims=True)+0.5))@a1, 0)'
// RUN: prism-opt %s --prism-superoptimize='emit=prism max-block-ops=4' 2>/dev/null | FileCheck %s --check-prefix=PRISM
// RUN: prism-opt %s --prism-superoptimize='emit=prism max-block-ops=4 cut-programs=false' 2>/dev/null | FileCheck %s --check-prefix=WHOLE
// RUN: prism-opt %s --prism-superoptimize='emit=prism max-block-ops=16' 2>/dev/null | FileCheck %s --check-prefix=WITHIN

// REMARK: remark: program 'norm_linear_0' is cut into 2 parts, 0 of them left alone, after {{[0-9]+}} were searched; the others cost {{[0-9.]+}} us by the model

// The cut program stands in the report with what was searched in vain, before
// its parts.
// REPORT: "chosen": null
// REPORT: "name": "norm_linear",
// REPORT: "chosen": {
// REPORT: "name": "norm_linear_0_p{{[0-9]+}}",
// REPORT: "chosen": {
// REPORT: "name": "norm_linear_0_p{{[0-9]+}}",

// PRISM-NOT: @norm_linear_0 extents
// PRISM: prism.program private @[[A:norm_linear_0_p[0-9]+]]
// PRISM: prism.candidate "{{.*}}" sized verdict Proved
// PRISM: prism.program private @[[B:norm_linear_0_p[0-9]+]]
// PRISM: prism.candidate "{{.*}}" sized verdict Proved
// PRISM-LABEL: func.func @norm_linear(
// PRISM: prism.invoke
// PRISM: prism.invoke
// PRISM-NEXT: return

// WHOLE-NOT: prism.
// WHOLE: linalg.matmul

// WITHIN: prism.program private @norm_linear_0 extents
// WITHIN-LABEL: func.func @norm_linear(
// WITHIN-NEXT: prism.invoke @norm_linear_0
// WITHIN-NEXT: return

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @norm_linear(%x: tensor<8x64xf16>, %w: tensor<64x96xf16>) -> tensor<8x96xf16> {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
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
    %p = arith.addf %m, %half : f32
    %r = math.sqrt %p : f32
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
    %m = arith.maximumf %a, %zero : f32
    %t = arith.truncf %m : f32 to f16
    linalg.yield %t : f16
  } -> tensor<8x96xf16>
  return %z : tensor<8x96xf16>
}
