// Files that cannot be read or written: an error that names the path, exit 1.
// (A path below a file cannot be written by any user.)
// RUN: rm -rf %t && mkdir %t && echo file > %t/file

// RUN: not prism-opt %t/missing.mlir --prism-superoptimize 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: missing.mlir': No such file or directory
// RUN: not prism-opt %t --prism-superoptimize 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER: Is a directory
// RUN: not prism-opt %s --prism-superoptimize -o %t/file/out.mlir 2>&1 | FileCheck %s --check-prefix=OUTPUT
// OUTPUT: {{[Nn]}}ot a directory

// RUN: not prism-opt %s --prism-superoptimize=report=%t/file/report.json 2>&1 | FileCheck %s --check-prefix=REPORT --implicit-check-not='func.func'
// REPORT: files.mlir:0:0: error: cannot write the report to '{{.*}}/file/report.json': Not a directory
// RUN: not prism-opt %s --prism-superoptimize=report=%t 2>&1 | FileCheck %s --check-prefix=REPORT-FOLDER --implicit-check-not='func.func'
// REPORT-FOLDER: files.mlir:0:0: error: cannot write the report to '{{.*}}': Is a directory
// RUN: not prism-opt %s --prism-superoptimize=package=%t/file 2>&1 | FileCheck %s --check-prefix=PACKAGE --implicit-check-not='func.func'
// PACKAGE: files.mlir:0:0: error: cannot write {{.*}}Not a directory
// RUN: cat %t/file | FileCheck %s --check-prefix=KEPT
// KEPT: {{^}}file{{$}}

// A package's folder is made, with its parents.
// RUN: prism-opt %s --prism-superoptimize='package=%t/some/new/folder report=%t/report.json' -o %t/out.mlir
// RUN: ls %t/some/new/folder/plan.json %t/report.json %t/out.mlir

// RUN: not prism-run %t/missing --entry=f 2>&1 | FileCheck %s --check-prefix=RUN-MISSING
// RUN-MISSING: prism-run: error: '{{.*}}missing' is no module; give one, or a kernel package
// RUN: not prism-check %t/missing.mlir 2>&1 | FileCheck %s --check-prefix=CHECK-MISSING
// CHECK-MISSING: error: could not open input file {{.*}}missing.mlir
func.func @f(%a: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %0 = math.exp %a : tensor<16x64xf32>
  return %0 : tensor<16x64xf32>
}
