// Kernels that MLIR's own lowering of gpu and nvgpu makes into PTX, with nothing
// of Prism's between: shuffles, workgroup memory and a barrier; ldmatrix, mma.sync
// and asynchronous copies by nvgpu. prism-run takes the binaries as they are.
//
// RUN: prism-opt %s --pass-pipeline='builtin.module(nvvm-attach-target{chip=sm_80 O=3},gpu.module(convert-nvgpu-to-nvvm,convert-vector-to-scf,convert-scf-to-cf,convert-gpu-to-nvvm{use-bare-ptr-memref-call-conv=true},reconcile-unrealized-casts),gpu-module-to-binary{format=isa})' -o %t.mlir
// RUN: FileCheck %s --check-prefix=PTX < %t.mlir
// RUN: %python %S/mlir-gpu-lowering-inputs.py make %t
// RUN: prism-run %t.mlir --entry=row_sums --input=%t.x.npy --output=%t.sums.npy
// RUN: prism-run %t.mlir --entry=row_sums --input=%t.x.npy --output=%t.reverse.npy --order=reverse
// RUN: prism-run %t.mlir --entry=product --input=%t.a.npy --input=%t.b.npy --output=%t.c.npy
// RUN: %python %S/mlir-gpu-lowering-inputs.py check %t
// The barrier left out.
// RUN: sed '/gpu.barrier/d' %s | prism-opt --pass-pipeline='builtin.module(nvvm-attach-target{chip=sm_80 O=3},gpu.module(convert-nvgpu-to-nvvm,convert-vector-to-scf,convert-scf-to-cf,convert-gpu-to-nvvm{use-bare-ptr-memref-call-conv=true},reconcile-unrealized-casts),gpu-module-to-binary{format=isa})' -o %t.faulty.mlir
// RUN: not prism-run %t.faulty.mlir --entry=row_sums --input=%t.x.npy --output=%t.sums.npy 2>&1 | FileCheck %s --check-prefix=FAULT
// FAULT: kernel row_sums, {{.*}}PTX line {{[0-9]+}}{{.*}}: uninitialized read: read of 4 bytes at shared address
//
// PTX-DAG: shfl.sync.bfly
// PTX-DAG: bar.sync
// PTX-DAG: ldmatrix.sync.aligned.m8n8.x4
// PTX-DAG: mma.sync.aligned.m16n8k16
// PTX-DAG: cp.async.cg.shared.global

module attributes {gpu.container_module} {
  gpu.module @kernels {
    // A block of 64 threads sums a row of 64.
    gpu.func @row_sums(%x: memref<5x64xf32>, %y: memref<5xf32>)
        workgroup(%parts : memref<2xf32, #gpu.address_space<workgroup>>) kernel {
      %row = gpu.block_id x
      %thread = gpu.thread_id x
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %width = arith.constant 32 : i32
      %start = memref.load %x[%row, %thread] : memref<5x64xf32>
      %one = arith.constant 1 : i32
      %five = arith.constant 5 : index
      %sum, %distance = scf.for %i = %c0 to %five step %c1 iter_args(%s = %start, %d = %one) -> (f32, i32) {
        %other, %valid = gpu.shuffle xor %s, %d, %width : f32
        %t = arith.addf %s, %other : f32
        %e = arith.addi %d, %d : i32
        scf.yield %t, %e : f32, i32
      }
      %lane = arith.remui %thread, %c32 : index
      %warp = arith.divui %thread, %c32 : index
      %isFirst = arith.cmpi eq, %lane, %c0 : index
      scf.if %isFirst {
        memref.store %sum, %parts[%warp] : memref<2xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %isLeader = arith.cmpi eq, %thread, %c0 : index
      scf.if %isLeader {
        %p = memref.load %parts[%c0] : memref<2xf32, #gpu.address_space<workgroup>>
        %q = memref.load %parts[%c1] : memref<2xf32, #gpu.address_space<workgroup>>
        %r = arith.addf %p, %q : f32
        memref.store %r, %y[%row] : memref<5xf32>
      }
      gpu.return
    }

    // A warp multiplies 16x16 by 16x8 (given transposed) through shared memory.
    gpu.func @product(%a: memref<16x16xf16>, %b: memref<8x16xf16>, %c: memref<16x8xf32>)
        workgroup(%sa : memref<16x16xf16, #gpu.address_space<workgroup>> {llvm.align = 16 : i64},
                  %sb : memref<8x16xf16, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel {
      %lane = gpu.thread_id x
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %c16 = arith.constant 16 : index
      %row = arith.divui %lane, %c2 : index
      %half = arith.remui %lane, %c2 : index
      %column = arith.muli %half, %c8 : index
      %t0 = nvgpu.device_async_copy %a[%row, %column], %sa[%row, %column], 8 {bypassL1}
          : memref<16x16xf16> to memref<16x16xf16, #gpu.address_space<workgroup>>
      %isB = arith.cmpi ult, %lane, %c16 : index
      scf.if %isB {
        %t1 = nvgpu.device_async_copy %b[%row, %column], %sb[%row, %column], 8 {bypassL1}
            : memref<8x16xf16> to memref<8x16xf16, #gpu.address_space<workgroup>>
      }
      %token = nvgpu.device_async_create_group
      nvgpu.device_async_wait %token {numGroups = 0 : i32}
      gpu.barrier
      %ar = arith.remui %lane, %c16 : index
      %ah = arith.divui %lane, %c16 : index
      %ac = arith.muli %ah, %c8 : index
      %fa = nvgpu.ldmatrix %sa[%ar, %ac] {numTiles = 4 : i32, transpose = false}
          : memref<16x16xf16, #gpu.address_space<workgroup>> -> vector<4x2xf16>
      %br = arith.remui %lane, %c8 : index
      %bq = arith.divui %lane, %c8 : index
      %bh = arith.remui %bq, %c2 : index
      %bc = arith.muli %bh, %c8 : index
      %fb = nvgpu.ldmatrix %sb[%br, %bc] {numTiles = 2 : i32, transpose = false}
          : memref<8x16xf16, #gpu.address_space<workgroup>> -> vector<2x2xf16>
      %zero = arith.constant dense<0.0> : vector<2x2xf32>
      %d = nvgpu.mma.sync(%fa, %fb, %zero) {mmaShape = [16, 8, 16]}
          : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
      %g = arith.divui %lane, %c4 : index
      %t = arith.remui %lane, %c4 : index
      %n = arith.muli %t, %c2 : index
      %n1 = arith.addi %n, %c1 : index
      %g8 = arith.addi %g, %c8 : index
      %d00 = vector.extract %d[0, 0] : f32 from vector<2x2xf32>
      %d01 = vector.extract %d[0, 1] : f32 from vector<2x2xf32>
      %d10 = vector.extract %d[1, 0] : f32 from vector<2x2xf32>
      %d11 = vector.extract %d[1, 1] : f32 from vector<2x2xf32>
      memref.store %d00, %c[%g, %n] : memref<16x8xf32>
      memref.store %d01, %c[%g, %n1] : memref<16x8xf32>
      memref.store %d10, %c[%g8, %n] : memref<16x8xf32>
      memref.store %d11, %c[%g8, %n1] : memref<16x8xf32>
      gpu.return
    }
  }

  func.func @row_sums(%x: memref<5x64xf32>) -> memref<5xf32> {
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %c64 = arith.constant 64 : index
    %y = memref.alloc() : memref<5xf32>
    gpu.launch_func @kernels::@row_sums blocks in (%c5, %c1, %c1) threads in (%c64, %c1, %c1)
        args(%x : memref<5x64xf32>, %y : memref<5xf32>)
    return %y : memref<5xf32>
  }

  func.func @product(%a: memref<16x16xf16>, %b: memref<8x16xf16>) -> memref<16x8xf32> {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c = memref.alloc() : memref<16x8xf32>
    gpu.launch_func @kernels::@product blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1)
        args(%a : memref<16x16xf16>, %b : memref<8x16xf16>, %c : memref<16x8xf32>)
    return %c : memref<16x8xf32>
  }
}
