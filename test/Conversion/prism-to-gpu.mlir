// The running example at its real size: kernel, host side, and what plain
// mlir-opt makes of it.
// RUN: prism-opt %s --convert-prism-to-gpu | FileCheck %s
// RUN: prism-opt %s --convert-prism-to-gpu=target=sm_90a | FileCheck %s --check-prefix=TARGET
// TARGET: gpu.module @rmsnorm_0 [#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx90">]

// Without Prism: the host code to LLVM, the kernels to PTX (docs/lowering.md).
// RUN: prism-opt %s --convert-prism-to-gpu=target=sm_80 -o %t.sm_80.mlir
// RUN: prism-opt %s --convert-prism-to-gpu=target=sm_90a -o %t.sm_90a.mlir
// RUN: mlir-opt-22 %t.sm_80.mlir --pass-pipeline='builtin.module(one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},gpu-module-to-binary{format=isa},gpu-to-llvm{use-bare-pointers-for-kernels=true},convert-arith-to-llvm,convert-func-to-llvm,finalize-memref-to-llvm,reconcile-unrealized-casts)' -o %t.sm_80.llvm.mlir
// RUN: mlir-opt-22 %t.sm_90a.mlir --pass-pipeline='builtin.module(one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},gpu-module-to-binary{format=isa},gpu-to-llvm{use-bare-pointers-for-kernels=true},convert-arith-to-llvm,convert-func-to-llvm,finalize-memref-to-llvm,reconcile-unrealized-casts)' -o %t.sm_90a.llvm.mlir
// RUN: FileCheck %s --check-prefixes=BINARY,SM80 --input-file=%t.sm_80.llvm.mlir
// RUN: FileCheck %s --check-prefixes=BINARY,SM90 --input-file=%t.sm_90a.llvm.mlir
// RUN: FileCheck %s --check-prefix=MMA --input-file=%t.sm_80.llvm.mlir
// MMA: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
// RUN: mlir-translate-22 --mlir-to-llvmir %t.sm_80.llvm.mlir | FileCheck %s --check-prefix=LLVMIR
// BINARY: llvm.func @rmsnorm_linear
// BINARY: gpu.launch_func @rmsnorm_0::@rmsnorm_0_k0
// BINARY: gpu.binary @rmsnorm_0
// BINARY-NOT: .extern .func
// SM80-SAME: .target sm_80
// SM90-SAME: .target sm_90a
// BINARY-SAME: .extern .shared .align 1024 .b8 smem[]
// BINARY-SAME: .visible .entry rmsnorm_0_k0(
// BINARY-SAME: .param .u64 .ptr .global .align 16 rmsnorm_0_k0_param_0
// BINARY-SAME: cp.async.cg.shared.global
// BINARY-NOT: .extern .func
// BINARY-NOT: prism
// LLVMIR: call {{.*}} @mgpuLaunchKernel

// CHECK-NOT: prism.program
// CHECK-LABEL: func.func @rmsnorm_linear(
// CHECK-SAME: %[[X:.*]]: tensor<8x4096xf16>, %[[W:.*]]: tensor<4096x4096xf16>) -> tensor<8x4096xf16>
// CHECK: %[[XB:.*]] = bufferization.to_buffer %[[X]] read_only : tensor<8x4096xf16> to memref<8x4096xf16>
// CHECK: %[[WB:.*]] = bufferization.to_buffer %[[W]] read_only : tensor<4096x4096xf16> to memref<4096x4096xf16>
// CHECK: %[[R:.*]] = memref.alloc() {alignment = 64 : i64} : memref<8x4096xf16>
// CHECK: gpu.launch_func @rmsnorm_0::@rmsnorm_0_k0 blocks in (%c64, %c1, %c1) threads in (%c128, %c1, %c1)
// CHECK-SAME: args(%[[XB]] : memref<8x4096xf16>, %[[WB]] : memref<4096x4096xf16>, %[[R]] : memref<8x4096xf16>)
// CHECK-SAME: prism.launch = {block = array<i64: 128, 1, 1>, candidate = "rmsnorm_0", grid = array<i64: 64, 1, 1>, kernel = "k0", parameters = [{argument = 0 : i64}, {argument = 1 : i64}, {result = 0 : i64}], program = "rmsnorm", shared_bytes = 31104 : i64, tensor_cores = true, tiles = {i = 64 : i64, x = 64 : i64}}
// CHECK: %[[T:.*]] = bufferization.to_tensor %[[R]] restrict writable
// CHECK: return %[[T]]

// CHECK: gpu.module @rmsnorm_0 [#nvvm.target<O = 3, chip = "sm_80", features = "+ptx90">] {
// CHECK: llvm.mlir.global external @smem() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
// CHECK: llvm.func @rmsnorm_0_k0(
// CHECK-SAME: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}
// CHECK-SAME: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias, llvm.readonly}
// CHECK-SAME: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias})
// CHECK-SAME: gpu.kernel, nvvm.kernel, nvvm.minctasm = 1 : i32, nvvm.reqntid = array<i32: 128, 1, 1>
// Two steps' loads are started ahead of the loop.
// CHECK: nvvm.cp.async.shared.global
// CHECK: nvvm.cp.async.commit.group
// CHECK: nvvm.cp.async.shared.global
// CHECK: nvvm.cp.async.commit.group
// In the loop: one barrier, the loads of the next but one step, the row
// statistic and the product; carried in registers are a lane's part of a row's
// statistic, four sums, and the stage and parity of its turn.
// CHECK: ^{{.*}}(%{{.*}}: i32, %{{.*}}: f32, %{{.*}}: f32, %{{.*}}: f32, %{{.*}}: f32, %{{.*}}: f32, %{{.*}}: i32, %{{.*}}: i32):
// CHECK: nvvm.cp.async.wait.group 1
// CHECK-NEXT: nvvm.barrier0
// CHECK: nvvm.cp.async.shared.global
// CHECK: nvvm.cp.async.shared.global
// CHECK: nvvm.cp.async.commit.group
// CHECK-NOT: {{nvvm.barrier0|nvvm.shfl.sync}}
// CHECK: llvm.intr.fma
// CHECK-NOT: {{nvvm.barrier0|nvvm.shfl.sync}}
// CHECK: nvvm.ldmatrix %{{.*}} {{.*}}layout = #nvvm.mma_layout<col>, num = 4
// CHECK: nvvm.ldmatrix %{{.*}} {{.*}}layout = #nvvm.mma_layout<row>, num = 2
// CHECK: nvvm.mma.sync
// After it: what lanes have of a row's sum is added up, the root is taken once
// per row, and one division for 16 bytes of a row.
// CHECK-COUNT-3: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.shfl.sync
// CHECK: llvm.call_intrinsic "llvm.nvvm.sqrt.rn.f"
// CHECK: nvvm.barrier0
// CHECK: llvm.fdiv
// CHECK-NOT: llvm.fdiv
// CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : vector<8xf16>, !llvm.ptr<1>
// CHECK: llvm.return

prism.program @rmsnorm extents [d0 = 8, d1 = 4096, d2 = 4096] (%x: !prism.tensor<[d0, d1], f16>, %w: !prism.tensor<[d1, d2], f16>) -> (!prism.tensor<[d0, d2], f16>) {
  %0 = prism.cast %x : (!prism.tensor<[d0, d1], f16>) -> !prism.tensor<[d0, d1], f32>
  %1 = prism.square %0 : (!prism.tensor<[d0, d1], f32>) -> !prism.tensor<[d0, d1], f32>
  %2 = prism.reduce_sum %1 dims [1] : (!prism.tensor<[d0, d1], f32>) -> !prism.tensor<[d0], f32>
  %3 = prism.constant #prism.extent<d1> -> !prism.tensor<[], f32>
  %4 = prism.div %2, %3 maps [d0], [] -> [d0] : (!prism.tensor<[d0], f32>, !prism.tensor<[], f32>) -> !prism.tensor<[d0], f32>
  %5 = prism.sqrt %4 : (!prism.tensor<[d0], f32>) -> !prism.tensor<[d0], f32>
  %6 = prism.div %0, %5 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[d0, d1], f32>, !prism.tensor<[d0], f32>) -> !prism.tensor<[d0, d1], f32>
  %7 = prism.cast %6 : (!prism.tensor<[d0, d1], f32>) -> !prism.tensor<[d0, d1], f16>
  %8 = prism.matmul %7, %w : (!prism.tensor<[d0, d1], f16>, !prism.tensor<[d1, d2], f16>) -> !prism.tensor<[d0, d2], f32>
  %9 = prism.cast %8 : (!prism.tensor<[d0, d2], f32>) -> !prism.tensor<[d0, d2], f16>
  prism.yield %9 : !prism.tensor<[d0, d2], f16>
} candidates {
  prism.candidate "rmsnorm_0" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[d0, d1], f16>, %w: !prism.tensor<[d1, d2], f16>):
    %r = prism.kernel "k0"(%a = %x, %b = %w) parallel [x grid tile 64, i loop tile 64] : (!prism.tensor<[d0, d1], f16>, !prism.tensor<[d1, d2], f16>) -> !prism.tensor<[d0, d2], f16> {
      %ta = prism.load %a [[], [i]] : !prism.tensor<[d0, d1], f16> -> !prism.tile<[d0, d1/i], f16>
      %tb = prism.load %b [[i], [x]] : !prism.tensor<[d1, d2], f16> -> !prism.tile<[d1/i, d2/x], f16>
      %c = prism.cast %ta : (!prism.tile<[d0, d1/i], f16>) -> !prism.tile<[d0, d1/i], f32>
      %s = prism.square %c : (!prism.tile<[d0, d1/i], f32>) -> !prism.tile<[d0, d1/i], f32>
      %q = prism.reduce_sum %s dims [1] : (!prism.tile<[d0, d1/i], f32>) -> !prism.tile<[d0], f32>
      %m = prism.matmul %ta, %tb : (!prism.tile<[d0, d1/i], f16>, !prism.tile<[d1/i, d2/x], f16>) -> !prism.tile<[d0, d2/x], f32>
      %qa = prism.accumulate sum %q over i : !prism.tile<[d0], f32> -> !prism.tile<[d0], f32>
      %ma = prism.accumulate sum %m over i : !prism.tile<[d0, d2/x], f32> -> !prism.tile<[d0, d2/x], f32>
      %n = prism.constant #prism.extent<d1> -> !prism.tile<[], f32>
      %v = prism.div %qa, %n maps [d0], [] -> [d0] : (!prism.tile<[d0], f32>, !prism.tile<[], f32>) -> !prism.tile<[d0], f32>
      %t = prism.sqrt %v : (!prism.tile<[d0], f32>) -> !prism.tile<[d0], f32>
      %u = prism.div %ma, %t maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[d0, d2/x], f32>, !prism.tile<[d0], f32>) -> !prism.tile<[d0, d2/x], f32>
      %o = prism.cast %u : (!prism.tile<[d0, d2/x], f32>) -> !prism.tile<[d0, d2/x], f16>
      %z = prism.save %o [[], [x]] : !prism.tile<[d0, d2/x], f16> -> !prism.tensor<[d0, d2], f16>
      prism.yield %z : !prism.tensor<[d0, d2], f16>
    }
    prism.yield %r : !prism.tensor<[d0, d2], f16>
  }
}
func.func @rmsnorm_linear(%x: tensor<8x4096xf16>, %w: tensor<4096x4096xf16>) -> tensor<8x4096xf16> {
  %r = prism.invoke @rmsnorm(%x, %w) : (tensor<8x4096xf16>, tensor<4096x4096xf16>) -> tensor<8x4096xf16>
  return %r : tensor<8x4096xf16>
}
