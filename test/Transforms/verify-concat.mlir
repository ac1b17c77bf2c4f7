// RUN: prism-opt %s --pass-pipeline='builtin.module(prism.program(prism-verify{keep-proofs}))' -o %t.mlir 2>%t.err
// RUN: FileCheck %s --check-prefix=REMARK < %t.err
// RUN: prism-check %t.mlir | FileCheck %s

// Axioms of an op with any number of operands say how many: `S1.concat.01` is
// about two, `S1.concat3.01` about three, of which the third is not split.

// REMARK-NOT: cannot be followed
// CHECK: two "rows": Proved (
// CHECK: three "rows": Proved (

prism.program @two extents [n = 8, a = 4, b = 6] (%x: !prism.tensor<[n, a], f32>, %y: !prism.tensor<[n, b], f32>) -> (!prism.tensor<[n, a + b], f32>) {
  %0 = prism.concat %x, %y dim 1 : (!prism.tensor<[n, a], f32>, !prism.tensor<[n, b], f32>) -> !prism.tensor<[n, a + b], f32>
  %1 = prism.exp %0 : (!prism.tensor<[n, a + b], f32>) -> !prism.tensor<[n, a + b], f32>
  prism.yield %1 : !prism.tensor<[n, a + b], f32>
} candidates {
  prism.candidate "rows" mapped {
  ^bb0(%x: !prism.tensor<[n, a], f32>, %y: !prism.tensor<[n, b], f32>):
    %r = prism.kernel "k0"(%p = %x, %q = %y) parallel [i grid] : (!prism.tensor<[n, a], f32>, !prism.tensor<[n, b], f32>) -> !prism.tensor<[n, a + b], f32> {
      %t = prism.load %p [[i], []] : !prism.tensor<[n, a], f32> -> !prism.tile<[n/i, a], f32>
      %u = prism.load %q [[i], []] : !prism.tensor<[n, b], f32> -> !prism.tile<[n/i, b], f32>
      %c = prism.concat %t, %u dim 1 : (!prism.tile<[n/i, a], f32>, !prism.tile<[n/i, b], f32>) -> !prism.tile<[n/i, a + b], f32>
      %e = prism.exp %c : (!prism.tile<[n/i, a + b], f32>) -> !prism.tile<[n/i, a + b], f32>
      %s = prism.save %e [[i], []] : !prism.tile<[n/i, a + b], f32> -> !prism.tensor<[n, a + b], f32>
      prism.yield %s : !prism.tensor<[n, a + b], f32>
    }
    prism.yield %r : !prism.tensor<[n, a + b], f32>
  }
}

prism.program @three extents [n = 8, a = 4] (%x: !prism.tensor<[n, a], f32>) -> (!prism.tensor<[n, 3*a], f32>) {
  %0 = prism.concat %x, %x, %x dim 1 : (!prism.tensor<[n, a], f32>, !prism.tensor<[n, a], f32>, !prism.tensor<[n, a], f32>) -> !prism.tensor<[n, 3*a], f32>
  %1 = prism.exp %0 : (!prism.tensor<[n, 3*a], f32>) -> !prism.tensor<[n, 3*a], f32>
  prism.yield %1 : !prism.tensor<[n, 3*a], f32>
} candidates {
  prism.candidate "rows" mapped {
  ^bb0(%x: !prism.tensor<[n, a], f32>):
    %r = prism.kernel "k0"(%p = %x) parallel [i grid] : (!prism.tensor<[n, a], f32>) -> !prism.tensor<[n, 3*a], f32> {
      %t = prism.load %p [[i], []] : !prism.tensor<[n, a], f32> -> !prism.tile<[n/i, a], f32>
      %c = prism.concat %t, %t, %t dim 1 : (!prism.tile<[n/i, a], f32>, !prism.tile<[n/i, a], f32>, !prism.tile<[n/i, a], f32>) -> !prism.tile<[n/i, 3*a], f32>
      %e = prism.exp %c : (!prism.tile<[n/i, 3*a], f32>) -> !prism.tile<[n/i, 3*a], f32>
      %s = prism.save %e [[i], []] : !prism.tile<[n/i, 3*a], f32> -> !prism.tensor<[n, 3*a], f32>
      prism.yield %s : !prism.tensor<[n, 3*a], f32>
    }
    prism.yield %r : !prism.tensor<[n, 3*a], f32>
  }
}
