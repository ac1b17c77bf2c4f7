// Extents that are known at run time only: kernels take them as i32 behind
// their pointers, the host counts the blocks and checks what the kernels rely on.
// RUN: prism-opt %s --convert-prism-to-gpu | FileCheck %s
// RUN: prism-opt %s --convert-prism-to-gpu | FileCheck %s --check-prefix=KERNEL
// RUN: prism-opt %s --convert-prism-to-gpu -o %t.mlir
// RUN: mlir-opt-22 %t.mlir --pass-pipeline='builtin.module(one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},gpu-module-to-binary{format=isa},convert-scf-to-cf,gpu-to-llvm{use-bare-pointers-for-kernels=true},convert-cf-to-llvm,convert-arith-to-llvm,convert-func-to-llvm,finalize-memref-to-llvm,reconcile-unrealized-casts)' | FileCheck %s --check-prefix=PTX

// Equal symbols are equal extents; the columns of the result are the rows of
// the second argument. Where one of them is zero the result has no element, and
// nothing is launched.
// CHECK-LABEL: func.func @call
// CHECK-DAG: %[[X:.*]] = bufferization.to_buffer %arg0
// CHECK-DAG: %[[Y:.*]] = bufferization.to_buffer %arg1
// CHECK: %[[N:.*]] = memref.dim %[[X]], %{{.*}} : memref<?x32xf32>
// CHECK-NOT: is zero
// CHECK: cf.assert %{{.*}}, "an extent does not fit into 32 bits"
// CHECK: %[[M:.*]] = memref.dim %[[Y]]
// CHECK: %[[AGAIN:.*]] = memref.dim
// CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[AGAIN]], %[[N]]
// CHECK: cf.assert %[[SAME]], "extents 'n' of the arguments differ"
// CHECK: %[[NM:.*]] = arith.muli %[[N]], %[[M]]
// CHECK: cf.assert %{{.*}}, "the size of a tensor does not fit into 32 bits"
// CHECK: %[[ALL:.*]] = arith.muli %[[N]], %[[M]]
// CHECK: %[[SOME:.*]] = arith.cmpi uge, %[[ALL]], %{{.*}}
// CHECK: %[[NX:.*]] = arith.addi %[[N]], %{{.*}}
// CHECK: %[[BX:.*]] = arith.divui %[[NX]], %{{.*}}
// CHECK: arith.divui
// CHECK: cf.assert %{{.*}}, "the size of a tensor does not fit into 32 bits"
// CHECK: cf.assert %{{.*}}, "the number of blocks does not fit into 32 bits"
// CHECK: memref.alloc(%[[N]], %[[M]]) {alignment = 64 : i64} : memref<?x?xf32>
// CHECK: scf.if %[[SOME]] {
// CHECK-NEXT: gpu.launch_func @a::@a_k0 blocks in
// CHECK-SAME: %{{.*}} : i32, %{{.*}} : i32) {prism.launch
// CHECK-NOT: prism.invoke

// The coordinate of the inner grid dim needs its number of blocks, of which
// nothing is known but the argument.
// KERNEL: llvm.func @a_k0(%arg0: !llvm.ptr<1> {{{.*}}}, %arg1: !llvm.ptr<1> {{{.*}}}, %arg2: !llvm.ptr<1> {{{.*}}}, %arg3: !llvm.ptr<1> {{{.*}}}, %arg4: i32, %arg5: i32)
// KERNEL: nvvm.read.ptx.sreg.ctaid.x : i32
// KERNEL: llvm.urem
// KERNEL: llvm.udiv

// PTX-NOT: prism.
// PTX: .param .u32
prism.program @p extents [n = ?, m = ?, d = 32] (%x: !prism.tensor<[n, d], f32>, %y: !prism.tensor<[m, d], f32>, %z: !prism.tensor<[n], f32>) -> (!prism.tensor<[n, m], f32>) {
  %0 = prism.matmul %x, %y maps [d0, d2], [d1, d2] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[m, d], f32>) -> !prism.tensor<[n, m], f32>
  %1 = prism.add %0, %z maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, m], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, m], f32>
  prism.yield %1 : !prism.tensor<[n, m], f32>
} candidates {
  prism.candidate "a" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, d], f32>, %y: !prism.tensor<[m, d], f32>, %z: !prism.tensor<[n], f32>):
    %r = prism.kernel "k0"(%a = %x, %b = %y, %c = %z) parallel [x grid tile 8, y grid tile 16] : (!prism.tensor<[n, d], f32>, !prism.tensor<[m, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, m], f32> {
      %s = prism.load %a [[x], []] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d], f32>
      %t = prism.load %b [[y], []] : !prism.tensor<[m, d], f32> -> !prism.tile<[m/y, d], f32>
      %u = prism.load %c [[x]] : !prism.tensor<[n], f32> -> !prism.tile<[n/x], f32>
      %v = prism.matmul %s, %t maps [d0, d2], [d1, d2] -> [d0, d1] : (!prism.tile<[n/x, d], f32>, !prism.tile<[m/y, d], f32>) -> !prism.tile<[n/x, m/y], f32>
      %w = prism.add %v, %u maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/x, m/y], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x, m/y], f32>
      %o = prism.save %w [[x], [y]] : !prism.tile<[n/x, m/y], f32> -> !prism.tensor<[n, m], f32>
      prism.yield %o : !prism.tensor<[n, m], f32>
    }
    prism.yield %r : !prism.tensor<[n, m], f32>
  }
}
func.func @call(%x: tensor<?x32xf32>, %y: tensor<?x32xf32>, %z: tensor<?xf32>) -> tensor<?x?xf32> {
  %r = prism.invoke @p(%x, %y, %z) : (tensor<?x32xf32>, tensor<?x32xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// The rows may be none; what is summed may not, since the rows would still be
// sums of nothing, and written.
// CHECK-LABEL: func.func @sum
// CHECK-NOT: 'n' is zero
// CHECK: cf.assert %{{.*}}, "extent 's' is zero"
// CHECK-NOT: 'n' is zero
// CHECK: scf.if
// CHECK-NEXT: gpu.launch_func
prism.program @q extents [n = ?, s = ?] (%x: !prism.tensor<[n, s], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_sum %x dims [1] : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "b" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, s], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid tile 8, i loop tile 16] : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n], f32> {
      %s = prism.load %a [[x], [i]] : !prism.tensor<[n, s], f32> -> !prism.tile<[n/x, s/i], f32>
      %t = prism.reduce_sum %s dims [1] : (!prism.tile<[n/x, s/i], f32>) -> !prism.tile<[n/x], f32>
      %u = prism.accumulate sum %t over i : !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f32>
      %o = prism.save %u [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}
func.func @sum(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %r = prism.invoke @q(%x) : (tensor<?x?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
