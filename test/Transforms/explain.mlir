// RUN: rm -rf %t && mkdir %t
// RUN: prism-opt %s --pass-pipeline='builtin.module(prism.program(prism-verify{explain=%t/why}))' -o %t/out.mlir 2>/dev/null
// RUN: FileCheck %s < %t/why
// RUN: FileCheck %s --check-prefix=IR < %t/out.mlir
// RUN: not prism-opt %s --pass-pipeline='builtin.module(prism.program(prism-verify{explain=%t/none/why}))' 2>&1 | FileCheck %s --check-prefix=NOWHERE
// RUN: prism-opt %prism_src/test/Inputs/workloads/rmsnorm.mlir --prism-superoptimize='emit=prism explain=%t/all' -o /dev/null 2>/dev/null
// RUN: FileCheck %s --check-prefix=ALL < %t/all

// NOWHERE: error: prism-verify: cannot write the explanation: {{.*}}none/why
// Steps that only move chunks are one line.
// ALL: # part[d p](t): chunk p of data dim d of t
// ALL: program: matmul(arg0 / sqrt(reduce_sum[1](square(arg0)) / d1), arg1)
// ALL: L1.matmul.0.div, left to right, at 0: matmul(arg0 / sqrt(.. / ..), arg1)  =  matmul(arg0, arg1) / sqrt(
// ALL: P1, right to left, at 0: {{.*}} = comb[
// ALL-NEXT: {{[0-9]+-[0-9]+}}. S{{[13]( x[0-9]+)?}}, S{{[13]( x[0-9]+)?}}, right to left, below 0.0{{.*}}: part[
// ALL-SAME: {{ = }}

// The chain of equalities, from the program to the candidate. Explaining leaves
// no certificate behind.

// CHECK: product = "split": {{[0-9]+}} steps, precision relaxed, 0 casts erased
// CHECK-NEXT: program: matmul(arg0, arg1)
// CHECK: S2.matmul.01, right to left, at 0{{.*}}: matmul(
// CHECK-SAME: =  red[loop0@k](matmul(part[1 loop0@k](
// CHECK: candidate: comb[1 grid0@m](red[loop0@k](matmul(
// CHECK-EMPTY:
// CHECK-NOT: "wrong"
// IR-NOT: certificate
// IR-NOT: prism.precision

prism.program @product extents [n = 8, k = 64, m = 32] (%x: !prism.tensor<[n, k], f32>, %w: !prism.tensor<[k, m], f32>) -> (!prism.tensor<[n, m], f32>) {
  %0 = prism.matmul %x, %w : (!prism.tensor<[n, k], f32>, !prism.tensor<[k, m], f32>) -> !prism.tensor<[n, m], f32>
  prism.yield %0 : !prism.tensor<[n, m], f32>
} candidates {
  prism.candidate "split" mapped {
  ^bb0(%x: !prism.tensor<[n, k], f32>, %w: !prism.tensor<[k, m], f32>):
    %r = prism.kernel "k0"(%a = %x, %b = %w) parallel [x grid, i loop] : (!prism.tensor<[n, k], f32>, !prism.tensor<[k, m], f32>) -> !prism.tensor<[n, m], f32> {
      %ta = prism.load %a [[], [i]] : !prism.tensor<[n, k], f32> -> !prism.tile<[n, k/i], f32>
      %tb = prism.load %b [[i], [x]] : !prism.tensor<[k, m], f32> -> !prism.tile<[k/i, m/x], f32>
      %m = prism.matmul %ta, %tb : (!prism.tile<[n, k/i], f32>, !prism.tile<[k/i, m/x], f32>) -> !prism.tile<[n, m/x], f32>
      %s = prism.accumulate sum %m over i : !prism.tile<[n, m/x], f32> -> !prism.tile<[n, m/x], f32>
      %z = prism.save %s [[], [x]] : !prism.tile<[n, m/x], f32> -> !prism.tensor<[n, m], f32>
      prism.yield %z : !prism.tensor<[n, m], f32>
    }
    prism.yield %r : !prism.tensor<[n, m], f32>
  }
  prism.candidate "wrong" mapped {
  ^bb0(%x: !prism.tensor<[n, k], f32>, %w: !prism.tensor<[k, m], f32>):
    %r = prism.kernel "k0"(%a = %x, %b = %w) parallel [x grid] : (!prism.tensor<[n, k], f32>, !prism.tensor<[k, m], f32>) -> !prism.tensor<[n, m], f32> {
      %ta = prism.load %a [[], []] : !prism.tensor<[n, k], f32> -> !prism.tile<[n, k], f32>
      %tb = prism.load %b [[], [x]] : !prism.tensor<[k, m], f32> -> !prism.tile<[k, m/x], f32>
      %m = prism.matmul %ta, %tb : (!prism.tile<[n, k], f32>, !prism.tile<[k, m/x], f32>) -> !prism.tile<[n, m/x], f32>
      %s = prism.square %m : (!prism.tile<[n, m/x], f32>) -> !prism.tile<[n, m/x], f32>
      %z = prism.save %s [[], [x]] : !prism.tile<[n, m/x], f32> -> !prism.tensor<[n, m], f32>
      prism.yield %z : !prism.tensor<[n, m], f32>
    }
    prism.yield %r : !prism.tensor<[n, m], f32>
  }
}
