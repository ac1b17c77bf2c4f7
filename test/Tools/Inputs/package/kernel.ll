; Source of kernel.ptx in this folder:
;   llc -mcpu=sm_80 -mattr=+ptx70 kernel.ll -o kernel.ptx
; y[i] = a * x[i] + y0[i] for i < n.
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
define ptx_kernel void @axpy(ptr addrspace(1) noalias align 16 %x, ptr addrspace(1) noalias align 16 %y0, ptr addrspace(1) noalias align 16 %y, float %a, i32 %n) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %cta = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %dim = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %base = mul i32 %cta, %dim
  %i = add i32 %base, %tid
  %in = icmp slt i32 %i, %n
  br i1 %in, label %body, label %end
body:
  %px = getelementptr float, ptr addrspace(1) %x, i32 %i
  %p0 = getelementptr float, ptr addrspace(1) %y0, i32 %i
  %py = getelementptr float, ptr addrspace(1) %y, i32 %i
  %vx = load float, ptr addrspace(1) %px
  %v0 = load float, ptr addrspace(1) %p0
  %ax = fmul float %a, %vx
  %s = fadd float %ax, %v0
  store float %s, ptr addrspace(1) %py
  br label %end
end:
  ret void
}
