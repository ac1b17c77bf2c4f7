; Intrinsics of an Ampere kernel, for the test that every instruction the backend
; makes of them is known. The .ptx beside this file was made from it by
;   llc -O2 -mcpu=sm_80 -mattr=+ptx78 intrinsics.ll -o intrinsics.ptx
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
target triple = "nvptx64-nvidia-cuda"
@smem = internal addrspace(3) global [4096 x i8] undef, align 16
@dyn = external addrspace(3) global [0 x i8], align 16
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.bar.warp.sync(i32)
declare float @llvm.nvvm.shfl.sync.bfly.f32(i32, float, i32, i32)
declare { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32, i32, i32, i32)
declare void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.ca.shared.global.4.s(ptr addrspace(3), ptr addrspace(1), i32)
declare void @llvm.nvvm.cp.async.commit.group()
declare void @llvm.nvvm.cp.async.wait.group(i32)
declare void @llvm.nvvm.cp.async.wait.all()
declare { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3))
declare { i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.trans.b16.p3(ptr addrspace(3))
declare { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.f32.f32(<2 x half>,<2 x half>,<2 x half>,<2 x half>,<2 x half>,<2 x half>,float,float,float,float)
declare { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32,i32,i32,i32,i32,i32,float,float,float,float)
declare { float, float, float, float } @llvm.nvvm.mma.m16n8k8.row.col.tf32(i32,i32,i32,i32,i32,i32,float,float,float,float)
declare float @llvm.nvvm.ex2.approx.f32(float)
declare float @llvm.nvvm.ex2.approx.ftz.f32(float)
declare float @llvm.nvvm.rsqrt.approx.ftz.f(float)
declare float @llvm.sqrt.f32(float)
declare <2 x half> @llvm.fma.v2f16(<2 x half>,<2 x half>,<2 x half>)
declare <2 x bfloat> @llvm.fma.v2bf16(<2 x bfloat>,<2 x bfloat>,<2 x bfloat>)
declare float @llvm.maximum.f32(float,float)
declare float @llvm.maxnum.f32(float,float)
declare float @llvm.fabs.f32(float)
declare <2 x half> @llvm.nvvm.ff2f16x2.rn(float, float)
declare <2 x bfloat> @llvm.nvvm.ff2bf16x2.rn(float, float)
declare i32 @llvm.nvvm.activemask()
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i32 @llvm.nvvm.redux.sync.add(i32,i32)
declare i32 @llvm.ctpop.i32(i32)
declare i32 @llvm.ctlz.i32(i32,i1)
declare i32 @llvm.fshl.i32(i32,i32,i32)
declare float @llvm.rint.f32(float)
declare float @llvm.floor.f32(float)
declare float @llvm.copysign.f32(float,float)
declare void @llvm.trap()
define ptx_kernel void @k(ptr addrspace(1) align 16 %in, ptr addrspace(1) align 16 %out, i32 %n, half %h, bfloat %bf, i64 %l, i8 %c, i1 %flag) #0 {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %o = mul i32 %tid, 16
  %g = getelementptr i8, ptr addrspace(1) %in, i32 %o
  %s = getelementptr i8, ptr addrspace(3) @smem, i32 %o
  call void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) %s, ptr addrspace(1) %g)
  call void @llvm.nvvm.cp.async.commit.group()
  %s2 = getelementptr i8, ptr addrspace(3) @dyn, i32 %o
  call void @llvm.nvvm.cp.async.ca.shared.global.4.s(ptr addrspace(3) %s2, ptr addrspace(1) %g, i32 2)
  call void @llvm.nvvm.cp.async.commit.group()
  call void @llvm.nvvm.cp.async.wait.group(i32 1)
  call void @llvm.nvvm.cp.async.wait.all()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %a = call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %s)
  %b = call { i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.trans.b16.p3(ptr addrspace(3) %s)
  %a0 = extractvalue {i32,i32,i32,i32} %a, 0
  %a1 = extractvalue {i32,i32,i32,i32} %a, 1
  %a2 = extractvalue {i32,i32,i32,i32} %a, 2
  %a3 = extractvalue {i32,i32,i32,i32} %a, 3
  %b0 = extractvalue {i32,i32} %b, 0
  %b1 = extractvalue {i32,i32} %b, 1
  %h0 = bitcast i32 %a0 to <2 x half>
  %h1 = bitcast i32 %a1 to <2 x half>
  %h2 = bitcast i32 %a2 to <2 x half>
  %h3 = bitcast i32 %a3 to <2 x half>
  %h4 = bitcast i32 %b0 to <2 x half>
  %h5 = bitcast i32 %b1 to <2 x half>
  %d = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.f32.f32(<2 x half> %h0,<2 x half> %h1,<2 x half> %h2,<2 x half> %h3,<2 x half> %h4,<2 x half> %h5,float 0.0,float 0.0,float 1.0,float 0.0)
  %d0 = extractvalue {float,float,float,float} %d, 0
  %d1 = extractvalue {float,float,float,float} %d, 1
  %e = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32 %a0,i32 %a1,i32 %a2,i32 %a3,i32 %b0,i32 %b1,float 0.0,float 0.0,float 1.0,float %d1)
  %e0 = extractvalue {float,float,float,float} %e, 0
  %f = call { float, float, float, float } @llvm.nvvm.mma.m16n8k8.row.col.tf32(i32 %a0,i32 %a1,i32 %a2,i32 %a3,i32 %b0,i32 %b1,float 0.0,float %e0,float 1.0,float %d1)
  %f0 = extractvalue {float,float,float,float} %f, 1
  %x0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %d0, i32 4, i32 31)
  %sp = call { i32, i1 } @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %a0, i32 1, i32 31)
  %sp0 = extractvalue {i32, i1} %sp, 0
  %sp1 = extractvalue {i32, i1} %sp, 1
  %x1 = call float @llvm.nvvm.ex2.approx.f32(float %x0)
  %x2 = call float @llvm.nvvm.ex2.approx.ftz.f32(float %f0)
  %x3 = call float @llvm.nvvm.rsqrt.approx.ftz.f(float %x2)
  %x4 = call float @llvm.sqrt.f32(float %x3)
  %x5 = fdiv float %x4, %x1
  %x5b = fdiv fast float %x5, %x0
  %x6 = call float @llvm.maximum.f32(float %x5b, float %x2)
  %x7 = call float @llvm.maxnum.f32(float %x6, float %x3)
  %x8 = call float @llvm.fabs.f32(float %x7)
  %x9 = fneg float %x8
  %x10 = call float @llvm.rint.f32(float %x9)
  %x11 = call float @llvm.floor.f32(float %x10)
  %x12 = call float @llvm.copysign.f32(float %x11, float %x5)
  %p2 = call <2 x half> @llvm.nvvm.ff2f16x2.rn(float %x12, float %x9)
  %p3 = call <2 x half> @llvm.fma.v2f16(<2 x half> %p2, <2 x half> %h0, <2 x half> %h1)
  %p4 = fadd <2 x half> %p3, %h2
  %p5 = fmul <2 x half> %p4, %h3
  %ph = extractelement <2 x half> %p5, i32 0
  %ph2 = fadd half %ph, %h
  %ph3 = fdiv half %ph2, %ph
  %pf = fpext half %ph3 to float
  %q2 = call <2 x bfloat> @llvm.nvvm.ff2bf16x2.rn(float %x12, float %pf)
  %q3 = call <2 x bfloat> @llvm.fma.v2bf16(<2 x bfloat> %q2, <2 x bfloat> %q2, <2 x bfloat> %q2)
  %q3b = fadd <2 x bfloat> %q3, %q2
  %qb = extractelement <2 x bfloat> %q3b, i32 1
  %qc = fmul bfloat %qb, %bf
  %qf = fpext bfloat %qc to float
  %qn = fptrunc float %qf to bfloat
  %qi = bitcast bfloat %qn to i16
  %iv = fptosi float %qf to i32
  %iu = fptoui float %pf to i64
  %sf = sitofp i32 %iv to half
  %sfb = bitcast half %sf to i16
  %am = call i32 @llvm.nvvm.activemask()
  %vb = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %sp1)
  %rx = call i32 @llvm.nvvm.redux.sync.add(i32 %vb, i32 -1)
  %pc = call i32 @llvm.ctpop.i32(i32 %rx)
  %lz = call i32 @llvm.ctlz.i32(i32 %am, i1 false)
  %fs = call i32 @llvm.fshl.i32(i32 %pc, i32 %lz, i32 7)
  %dv = sdiv i32 %fs, 7
  %rm = urem i32 %dv, %n
  %s64 = sext i32 %rm to i64
  %m64 = mul i64 %s64, %l
  %c64 = zext i8 %c to i64
  %fl = zext i1 %flag to i64
  %m65 = add i64 %m64, %c64
  %m66 = xor i64 %m65, %fl
  %t8 = trunc i64 %m66 to i8
  switch i32 %n, label %done [ i32 0, label %c0
    i32 1, label %c1
    i32 2, label %c2
    i32 3, label %c3
    i32 4, label %c4 ]
c0: 
  store i8 %t8, ptr addrspace(1) %out
  br label %done
c1:
  store i16 %qi, ptr addrspace(1) %out
  br label %done
c2:
  store <4 x i32> <i32 1, i32 2, i32 3, i32 4>, ptr addrspace(1) %out, align 16
  br label %done
c3:
  %old = atomicrmw fadd ptr addrspace(1) %out, float %x12 seq_cst
  br label %done
c4:
  store i16 %sfb, ptr addrspace(1) %out
  br label %done
done:
  %oo = mul i32 %tid, 8
  %po = getelementptr i8, ptr addrspace(1) %out, i32 %oo
  store i64 %m66, ptr addrspace(1) %po
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %cc = icmp eq i64 %iu, 77
  br i1 %cc, label %tr, label %fin
tr:
  call void @llvm.trap()
  br label %fin
fin:
  ret void
}
attributes #0 = { "nvvm.maxntid"="128" }
