// prism-opt has upstream's dialects and passes, and lowers a GPU module to PTX
// (so the translations to LLVM IR that this needs are registered).
// RUN: prism-opt %s --pass-pipeline='builtin.module(nvvm-attach-target{chip=sm_80 O=3},gpu.module(convert-gpu-to-nvvm),gpu-module-to-binary{format=isa})' | FileCheck %s

// CHECK: gpu.binary @m
// CHECK-SAME: .visible .entry id
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @id() kernel {
      gpu.return
    }
  }
}
