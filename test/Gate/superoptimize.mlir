// The gate stands in front of what is emitted. A right kernel passes, and the
// report says what ran.
// RUN: prism-opt %s --prism-superoptimize="emit=gpu report=%t.json" 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT --input-file=%t.json
// CHECK-NOT: bug:
// CHECK: gpu.launch_func
// REPORT: "gate": {
// REPORT-NEXT: "blocks": {{[1-9][0-9]*}},
// REPORT-NEXT: "limits": [],
// REPORT-NEXT: "not_run": 0,
// REPORT-NEXT: "program_error": {{[0-9]}}
// REPORT-NEXT: "refused": 0,
// REPORT-NEXT: "runs": {{[1-9]}}
// REPORT-NEXT: "seconds": {{[0-9]}}
// REPORT-NEXT: "worst_error": {{[0-9]}}

// Where every kernel is wrong, none is emitted: each is a warning with a
// reproducer, the function stays as it was.
// RUN: rm -rf %t.folder && mkdir %t.folder
// RUN: prism-opt %s --prism-superoptimize="emit=gpu keep-best=2 report=%t.json gate-fault=add.rn.f32=sub.rn.f32 gate-reproducers=%t.folder" 2>&1 | FileCheck %s --check-prefix=FAULT
// RUN: FileCheck %s --check-prefix=REFUSED --input-file=%t.json
// FAULT: warning: bug: candidate '[[ID:.*]]' failed the gate: {{.*}}; reproducer written to {{.*}}.mlir
// FAULT: remark: candidate '[[ID]]' is dropped: it failed the gate
// FAULT: warning: bug: candidate
// FAULT: has no candidate that can be lowered
// FAULT-NOT: gpu.launch_func
// FAULT: linalg.generic
// REFUSED: "refused": 2,

// A reproducer names the pass; the kernel is right without the fault.
// RUN: cat %t.folder/prism-gate-*.mlir | FileCheck %s --check-prefix=FILE
// RUN: rm -rf %t.one && mkdir %t.one
// RUN: prism-opt %s --prism-superoptimize="emit=gpu keep-best=1 gate-fault=add.rn.f32=sub.rn.f32 gate-reproducers=%t.one" -o /dev/null 2>&1
// RUN: mv %t.one/*.mlir %t.one/again
// RUN: prism-opt --run-reproducer %t.one/again -o /dev/null 2>&1 | FileCheck %s --check-prefix=AGAIN
// FILE: // The gate refused candidate
// FILE: pipeline: "builtin.module(prism-gate{target=sm_80 tensor-maps=false seed=1 budget-steps=
// AGAIN: passes the gate
// RUN: prism-opt %s --prism-superoptimize="emit=gpu keep-best=1 gate-fault=add.rn.f32=sub.rn.f32 gate-reproducers=%t.folder/none" 2>&1 | FileCheck %s --check-prefix=UNWRITTEN
// UNWRITTEN: a reproducer could not be written to '{{.*}}none'

// What the simulated device does not know is not emitted either, unless nothing
// is to be run.
// RUN: prism-opt %s --prism-superoptimize="emit=gpu keep-best=2 report=%t.json gate-fault=add.rn.f32=add.rn.ftz.f33" 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: FileCheck %s --check-prefix=REPORTED --input-file=%t.json
// UNKNOWN: remark: candidate '{{.*}}' is dropped: the gate could not run it: kernels:{{[0-9]+}}: error: {{.*}}; gate=false emits it unrun
// UNKNOWN-NOT: gpu.launch_func
// UNKNOWN: linalg.generic
// REPORTED: "not_run": 2,
// REPORTED: "refused": 0,
// REPORTED: "runs": 0,

// gate=false runs nothing.
// RUN: prism-opt %s --prism-superoptimize="emit=gpu gate=false report=%t.json gate-fault=add.rn.f32=sub.rn.f32" 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=OFF --input-file=%t.json
// OFF: "runs": null,

func.func @sums(%x: tensor<9x70xf32>) -> tensor<9xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<9xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<9xf32>) -> tensor<9xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
      iterator_types = ["parallel", "reduction"]} ins(%x : tensor<9x70xf32>) outs(%i : tensor<9xf32>) {
  ^bb0(%a: f32, %s: f32):
    %q = arith.mulf %a, %a : f32
    %t = arith.addf %s, %q : f32
    linalg.yield %t : f32
  } -> tensor<9xf32>
  return %r : tensor<9xf32>
}
