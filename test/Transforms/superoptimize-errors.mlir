// Options that are wrong or contradict each other, each with what to do.

// RUN: not prism-opt %s --prism-superoptimize='target=sm_20' 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: option 'target' is 'sm_20', expected one of: sm_80, sm_86, sm_89, sm_90a, sm_100a, sm_120a
// RUN: not prism-opt %s --prism-superoptimize='emit=spirv' 2>&1 | FileCheck %s --check-prefix=EMIT
// EMIT: error: option 'emit' is 'spirv', expected one of: prism, gpu, ptx, cubin
// RUN: not prism-opt %s --prism-superoptimize='measure=guess' 2>&1 | FileCheck %s --check-prefix=MEASURE
// MEASURE: error: option 'measure' is 'guess', expected one of: model, sim, gpu, file
// RUN: not prism-opt %s --prism-superoptimize='measure=file' 2>&1 | FileCheck %s --check-prefix=NOFILE
// NOFILE: error: option 'measure' is 'file', which needs 'timings=PATH'
// RUN: not prism-opt %s --prism-superoptimize='timings=t.json' 2>&1 | FileCheck %s --check-prefix=TIMINGS
// TIMINGS: error: option 'timings' is given, but 'measure' is 'model'; say measure=file
// RUN: not prism-opt %s --prism-superoptimize='precision=loose' 2>&1 | FileCheck %s --check-prefix=PRECISION
// PRECISION: error: option 'precision' is 'loose', expected one of: relaxed, strict
// RUN: not prism-opt %s --prism-superoptimize='concrete-maps=imap,xmap' 2>&1 | FileCheck %s --check-prefix=MAPS
// RUN: not prism-opt %s --prism-superoptimize='concrete-maps=imap+xmap' 2>&1 | FileCheck %s --check-prefix=MAPS
// RUN: prism-opt %s --prism-superoptimize='emit=prism concrete-maps=imap+fmap+omap' -o /dev/null 2>&1 | FileCheck %s --check-prefix=ALLMAPS --allow-empty
// ALLMAPS-NOT: error
// MAPS: error: option 'concrete-maps' is 'xmap', expected one of: imap, fmap, omap
// RUN: not prism-opt %s --prism-superoptimize='emit=prism package=%t' 2>&1 | FileCheck %s --check-prefix=PACKAGE
// PACKAGE: error: option 'package' needs kernels, but 'emit' is 'prism'; say emit=ptx
// RUN: not prism-opt %s --prism-superoptimize='explain-pruning=x' 2>&1 | FileCheck %s --check-prefix=PRUNING
// PRUNING: error: explain-pruning: cannot read 'x'
// RUN: not prism-opt %s --prism-superoptimize='budget-seconds=-1' 2>&1 | FileCheck %s --check-prefix=BUDGET
// BUDGET: error: option 'budget-seconds' is -1
// RUN: not prism-opt %s --prism-superoptimize='keep-best=0' 2>&1 | FileCheck %s --check-prefix=KEEP
// KEEP: error: option 'keep-best' is 0, expected at least 1
// RUN: not prism-opt %s --prism-superoptimize='assumed-extents=8,-1' 2>&1 | FileCheck %s --check-prefix=ASSUMED
// ASSUMED: error: option 'assumed-extents' has -1, expected 1 to 2147483647
// RUN: not prism-opt %s --prism-superoptimize='no-such-option=1' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: no such option no-such-option
// RUN: not prism-opt %s --prism-superoptimize='report=%t/none/report.json' 2>&1 | FileCheck %s --check-prefix=REPORT
// REPORT: error: cannot write the report to '{{.*}}report.json': No such file or directory
// RUN: echo > %t.file
// RUN: not prism-opt %s --prism-superoptimize='package=%t.file' 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER: error: cannot write the launch plan to '{{.*}}.file/plan.json': Not a directory
// RUN: not prism-opt %s --prism-superoptimize='package=/dev/null/package' 2>&1 | FileCheck %s --check-prefix=MAKE
// MAKE: error: cannot make the package folder '/dev/null/package'

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
