// Options that are unknown, out of range, or contradict each other: one error
// that names the option and what is expected, without a dump of the module.
// RUN: not prism-opt %s --prism-superoptimize=target=sm_99 2>&1 | FileCheck %s --check-prefix=TARGET --implicit-check-not='func.func'
// RUN: not prism-opt %s --prism-superoptimize=emit=elf 2>&1 | FileCheck %s --check-prefix=EMIT --implicit-check-not='func.func'
// RUN: not prism-opt %s --prism-superoptimize=precision=exact 2>&1 | FileCheck %s --check-prefix=PRECISION --implicit-check-not='func.func'
// RUN: not prism-opt %s --prism-superoptimize=concrete-maps=imap,map 2>&1 | FileCheck %s --check-prefix=MAPS --implicit-check-not='func.func'
// RUN: not prism-opt %s --prism-superoptimize=measure=guess 2>&1 | FileCheck %s --check-prefix=MEASURE --implicit-check-not='func.func'
// RUN: not prism-opt %s --prism-superoptimize=measure=file 2>&1 | FileCheck %s --check-prefix=NO-TIMINGS --implicit-check-not='func.func'
// RUN: not prism-opt %s --prism-superoptimize=timings=%t 2>&1 | FileCheck %s --check-prefix=TIMINGS --implicit-check-not='func.func'
// RUN: not prism-opt %s --prism-superoptimize='emit=prism package=%t' 2>&1 | FileCheck %s --check-prefix=PACKAGE --implicit-check-not='func.func'
// RUN: not prism-opt %s --prism-superoptimize=budget-seconds=-1 2>&1 | FileCheck %s --check-prefix=BUDGET --implicit-check-not='func.func'
// RUN: not prism-opt %s --prism-superoptimize=budget-seconds=nan 2>&1 | FileCheck %s --check-prefix=NAN --implicit-check-not='func.func'
// RUN: not prism-opt %s --prism-superoptimize=part-seconds=-1 2>&1 | FileCheck %s --check-prefix=PART --implicit-check-not='func.func'
// RUN: not prism-opt %s --prism-superoptimize=min-cut-gain=-5 2>&1 | FileCheck %s --check-prefix=GAIN --implicit-check-not='func.func'
// RUN: not prism-opt %s --prism-superoptimize=min-cut-gain=1 2>&1 | FileCheck %s --check-prefix=GAIN --implicit-check-not='func.func'
// RUN: not prism-opt %s --prism-superoptimize=keep-best=0 2>&1 | FileCheck %s --check-prefix=KEEP --implicit-check-not='func.func'
// RUN: not prism-opt %s --prism-superoptimize=keep-best=-1 2>&1 | FileCheck %s --check-prefix=NUMBER --implicit-check-not='func.func'
// RUN: not prism-opt %s --prism-superoptimize=gate=maybe 2>&1 | FileCheck %s --check-prefix=BOOL --implicit-check-not='func.func'
// RUN: not prism-opt %s --prism-superoptimize=speed=9 2>&1 | FileCheck %s --check-prefix=UNKNOWN --implicit-check-not='func.func'

// TARGET: options.mlir:0:0: error: option 'target' is 'sm_99', expected one of: sm_80, sm_86, sm_89, sm_90a, sm_100a, sm_120a
// EMIT: error: option 'emit' is 'elf', expected one of: prism, gpu, ptx, cubin
// PRECISION: error: option 'precision' is 'exact', expected one of: relaxed, strict
// MAPS: error: option 'concrete-maps' is 'map', expected one of: imap, fmap, omap
// MEASURE: error: option 'measure' is 'guess', expected one of: model, sim, gpu, file
// NO-TIMINGS: error: option 'measure' is 'file', which needs 'timings=PATH'
// TIMINGS: error: option 'timings' is given, but 'measure' is 'model'; say measure=file
// PACKAGE: error: option 'package' needs kernels, but 'emit' is 'prism'; say emit=ptx
// BUDGET: error: option 'budget-seconds' is -1{{.*}}, expected 0 (no limit) or more
// NAN: error: option 'budget-seconds' is {{.*}}, expected 0 (no limit) or more
// PART: error: option 'part-seconds' is -1{{.*}}, expected 0 (no limit) or more
// GAIN: error: option 'min-cut-gain' is {{-5|1}}.{{.*}}, expected at least 0 and less than 1
// KEEP: error: option 'keep-best' is 0, expected at least 1
// NUMBER: keep-best option: '-1' value invalid for uint argument
// BOOL: gate option: 'maybe' is invalid value for boolean argument
// UNKNOWN: no such option speed

// Bounds that leave nothing to find are no error: the function stays.
// RUN: prism-opt %s -o %t.before
// RUN: prism-opt %s --prism-superoptimize=max-kernels=0 -o %t.kernels 2>&1 | FileCheck %s --check-prefix=NO-KERNELS
// RUN: diff %t.before %t.kernels
// RUN: prism-opt %s --prism-superoptimize=budget-steps=1 -o %t.steps 2>&1 | FileCheck %s --check-prefix=NO-STEPS
// RUN: diff %t.before %t.steps
// NO-KERNELS: remark: no candidates: max-kernels is 0
// NO-STEPS: remark: no candidates: the budget ended before a candidate was found
func.func @f(%a: tensor<16x64xf32>, %b: tensor<64x32xf32>, %i: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %0 = math.exp %a : tensor<16x64xf32>
  %1 = linalg.matmul ins(%0, %b : tensor<16x64xf32>, tensor<64x32xf32>) outs(%i : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %1 : tensor<16x32xf32>
}
