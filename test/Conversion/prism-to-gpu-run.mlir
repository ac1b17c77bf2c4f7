// Kernels of other forms on the simulated device against numpy in float64.
// REQUIRES: python-ctypes
// RUN: %python %S/Inputs/run_on_device.py %s --entry=run_gated --expect='(a0/(1+np.exp(-a0)))*a1'
// RUN: %python %S/Inputs/run_on_device.py %s --entry=run_softmax --scale=4 --expect='np.exp(a0-a0.max(1,keepdims=True))/np.exp(a0-a0.max(1,keepdims=True)).sum(1,keepdims=True)'
// RUN: %python %S/Inputs/run_on_device.py %s --entry=run_wide_softmax --scale=4 --expect='np.exp(a0-a0.max(1,keepdims=True))/np.exp(a0-a0.max(1,keepdims=True)).sum(1,keepdims=True)'
// RUN: %python %S/Inputs/run_on_device.py %s --entry=run_batched --expect='np.einsum("bme,bne->bmn",a0,a1)'
// RUN: %python %S/Inputs/run_on_device.py %s --entry=run_batched_f32 --expect='np.einsum("bme,bne->bmn",a0,a1)'
// RUN: %python %S/Inputs/run_on_device.py %s --entry=run_math --tolerance=5e-6 --expect='np.tanh(a0)+erf(a0)+np.log(a0*a0+0.5)+1/np.sqrt(a0*a0+0.5)+np.maximum(a0,0)+np.where(a0<0.25,a0,-a0)'
// RUN: %python %S/Inputs/run_on_device.py %s --entry=run_powers --tolerance=5e-6 --expect='a0**np.where(a1<0,5,4)+np.maximum(a0,0)**np.maximum(a1,0)'
// RUN: %python %S/Inputs/run_on_device.py %s --entry=run_powers_f64 --expect='a0**np.where(a1<0,5,4)+np.maximum(a0,0)**np.maximum(a1,0)'
// RUN: %python %S/Inputs/run_on_device.py %s --entry=run_two_results --expect='(a0.max(1),a0.sum(1))'
// RUN: %python %S/Inputs/run_on_device.py %s --entry=run_split --expect='(a0*a0).sum(1)'
// RUN: %python %S/Inputs/run_on_device.py %s --entry=run_transposed --expect='a0.T+a1[:,None]'
// Workspaces too go on through plain mlir-opt.
// RUN: prism-opt %s --convert-prism-to-gpu -o %t.mlir
// RUN: mlir-opt-22 %t.mlir --pass-pipeline='builtin.module(one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},gpu-module-to-binary{format=isa},gpu-to-llvm{use-bare-pointers-for-kernels=true},convert-arith-to-llvm,convert-func-to-llvm,finalize-memref-to-llvm,reconcile-unrealized-casts)' | mlir-translate-22 --mlir-to-llvmir | FileCheck %s
// CHECK: call ptr @mgpuMemAlloc
// CHECK: call void @mgpuMemFree

// Elementwise only, both extents ragged, more than one grid dim.
prism.program @gated extents [n = 33, d = 70] (%x: !prism.tensor<[n, d], f16>, %y: !prism.tensor<[n, d], f16>) -> (!prism.tensor<[n, d], f16>) {
  %0 = prism.silu %x : (!prism.tensor<[n, d], f16>) -> !prism.tensor<[n, d], f16>
  %1 = prism.mul %0, %y : (!prism.tensor<[n, d], f16>, !prism.tensor<[n, d], f16>) -> !prism.tensor<[n, d], f16>
  prism.yield %1 : !prism.tensor<[n, d], f16>
} candidates {
  prism.candidate "gated_0" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, d], f16>, %y: !prism.tensor<[n, d], f16>):
    %r = prism.kernel "k0"(%a = %x, %b = %y) parallel [x grid tile 16, y grid tile 32] : (!prism.tensor<[n, d], f16>, !prism.tensor<[n, d], f16>) -> !prism.tensor<[n, d], f16> {
      %ta = prism.load %a [[x], [y]] : !prism.tensor<[n, d], f16> -> !prism.tile<[n/x, d/y], f16>
      %tb = prism.load %b [[x], [y]] : !prism.tensor<[n, d], f16> -> !prism.tile<[n/x, d/y], f16>
      %0 = prism.silu %ta : (!prism.tile<[n/x, d/y], f16>) -> !prism.tile<[n/x, d/y], f16>
      %1 = prism.mul %0, %tb : (!prism.tile<[n/x, d/y], f16>, !prism.tile<[n/x, d/y], f16>) -> !prism.tile<[n/x, d/y], f16>
      %o = prism.save %1 [[x], [y]] : !prism.tile<[n/x, d/y], f16> -> !prism.tensor<[n, d], f16>
      prism.yield %o : !prism.tensor<[n, d], f16>
    }
    prism.yield %r : !prism.tensor<[n, d], f16>
  }
}
func.func @run_gated(%x: tensor<33x70xf16>, %y: tensor<33x70xf16>) -> tensor<33x70xf16> {
  %r = prism.invoke @gated(%x, %y) : (tensor<33x70xf16>, tensor<33x70xf16>) -> tensor<33x70xf16>
  return %r : tensor<33x70xf16>
}

// Row maximum, exponential, row sum: a padded element would add exp(0).
prism.program @softmax extents [n = 13, d = 61] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n, d], f32>) {
  %m = prism.reduce_max %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %s = prism.sub %x, %m maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32>
  %e = prism.exp %s : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %z = prism.reduce_sum %e dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %p = prism.div %e, %z maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32>
  prism.yield %p : !prism.tensor<[n, d], f32>
} candidates {
  prism.candidate "softmax_0" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid tile 4] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32> {
      %t = prism.load %a [[x], []] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d], f32>
      %m = prism.reduce_max %t dims [1] : (!prism.tile<[n/x, d], f32>) -> !prism.tile<[n/x], f32>
      %s = prism.sub %t, %m maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/x, d], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x, d], f32>
      %e = prism.exp %s : (!prism.tile<[n/x, d], f32>) -> !prism.tile<[n/x, d], f32>
      %z = prism.reduce_sum %e dims [1] : (!prism.tile<[n/x, d], f32>) -> !prism.tile<[n/x], f32>
      %p = prism.div %e, %z maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/x, d], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x, d], f32>
      %o = prism.save %p [[x], []] : !prism.tile<[n/x, d], f32> -> !prism.tensor<[n, d], f32>
      prism.yield %o : !prism.tensor<[n, d], f32>
    }
    prism.yield %r : !prism.tensor<[n, d], f32>
  }
}
func.func @run_softmax(%x: tensor<13x61xf32>) -> tensor<13x61xf32> {
  %r = prism.invoke @softmax(%x) : (tensor<13x61xf32>) -> tensor<13x61xf32>
  return %r : tensor<13x61xf32>
}

// The same with the maximum accumulated over a loop, in two kernels.
prism.program @wide_softmax extents [n = 7, d = 150] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n, d], f32>) {
  %m = prism.reduce_max %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %s = prism.sub %x, %m maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32>
  %e = prism.exp %s : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %z = prism.reduce_sum %e dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %p = prism.div %e, %z maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32>
  prism.yield %p : !prism.tensor<[n, d], f32>
} candidates {
  prism.candidate "wide_softmax_0" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %max = prism.kernel "k0"(%a = %x) parallel [x grid tile 2, i loop tile 64] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[x], [i]] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d/i], f32>
      %m = prism.reduce_max %t dims [1] : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x], f32>
      %c = prism.accumulate max %m over i : !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f32>
      %o = prism.save %c [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    %r = prism.kernel "k1"(%a = %x, %b = %max) parallel [x grid tile 4] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32> {
      %t = prism.load %a [[x], []] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d], f32>
      %m = prism.load %b [[x]] : !prism.tensor<[n], f32> -> !prism.tile<[n/x], f32>
      %s = prism.sub %t, %m maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/x, d], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x, d], f32>
      %e = prism.exp %s : (!prism.tile<[n/x, d], f32>) -> !prism.tile<[n/x, d], f32>
      %z = prism.reduce_sum %e dims [1] : (!prism.tile<[n/x, d], f32>) -> !prism.tile<[n/x], f32>
      %p = prism.div %e, %z maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/x, d], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x, d], f32>
      %o = prism.save %p [[x], []] : !prism.tile<[n/x, d], f32> -> !prism.tensor<[n, d], f32>
      prism.yield %o : !prism.tensor<[n, d], f32>
    }
    prism.yield %r : !prism.tensor<[n, d], f32>
  }
}
func.func @run_wide_softmax(%x: tensor<7x150xf32>) -> tensor<7x150xf32> {
  %r = prism.invoke @wide_softmax(%x) : (tensor<7x150xf32>) -> tensor<7x150xf32>
  return %r : tensor<7x150xf32>
}

// A batched product with its second operand transposed by maps, on tensor
// cores; the batch is split in tiles of 2, the last of 1.
prism.program @batched extents [b = 3, m = 21, n = 35, e = 44] (%x: !prism.tensor<[b, m, e], f16>, %y: !prism.tensor<[b, n, e], f16>) -> (!prism.tensor<[b, m, n], f32>) {
  %0 = prism.matmul %x, %y maps [d0, d1, d3], [d0, d2, d3] -> [d0, d1, d2] : (!prism.tensor<[b, m, e], f16>, !prism.tensor<[b, n, e], f16>) -> !prism.tensor<[b, m, n], f32>
  prism.yield %0 : !prism.tensor<[b, m, n], f32>
} candidates {
  prism.candidate "batched_0" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[b, m, e], f16>, %y: !prism.tensor<[b, n, e], f16>):
    %r = prism.kernel "k0"(%a = %x, %b = %y) parallel [x grid tile 2, y grid tile 16, z grid tile 24] : (!prism.tensor<[b, m, e], f16>, !prism.tensor<[b, n, e], f16>) -> !prism.tensor<[b, m, n], f32> {
      %ta = prism.load %a [[x], [y], []] : !prism.tensor<[b, m, e], f16> -> !prism.tile<[b/x, m/y, e], f16>
      %tb = prism.load %b [[x], [z], []] : !prism.tensor<[b, n, e], f16> -> !prism.tile<[b/x, n/z, e], f16>
      %0 = prism.matmul %ta, %tb maps [d0, d1, d3], [d0, d2, d3] -> [d0, d1, d2] : (!prism.tile<[b/x, m/y, e], f16>, !prism.tile<[b/x, n/z, e], f16>) -> !prism.tile<[b/x, m/y, n/z], f32>
      %o = prism.save %0 [[x], [y], [z]] : !prism.tile<[b/x, m/y, n/z], f32> -> !prism.tensor<[b, m, n], f32>
      prism.yield %o : !prism.tensor<[b, m, n], f32>
    }
    prism.yield %r : !prism.tensor<[b, m, n], f32>
  }
}
func.func @run_batched(%x: tensor<3x21x44xf16>, %y: tensor<3x35x44xf16>) -> tensor<3x21x35xf32> {
  %r = prism.invoke @batched(%x, %y) : (tensor<3x21x44xf16>, tensor<3x35x44xf16>) -> tensor<3x21x35xf32>
  return %r : tensor<3x21x35xf32>
}

// The same in f32, by FMA, with the sum in a loop.
prism.program @batched_f32 extents [b = 3, m = 21, n = 35, e = 44] (%x: !prism.tensor<[b, m, e], f32>, %y: !prism.tensor<[b, n, e], f32>) -> (!prism.tensor<[b, m, n], f32>) {
  %0 = prism.matmul %x, %y maps [d0, d1, d3], [d0, d2, d3] -> [d0, d1, d2] : (!prism.tensor<[b, m, e], f32>, !prism.tensor<[b, n, e], f32>) -> !prism.tensor<[b, m, n], f32>
  prism.yield %0 : !prism.tensor<[b, m, n], f32>
} candidates {
  prism.candidate "batched_f32_0" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[b, m, e], f32>, %y: !prism.tensor<[b, n, e], f32>):
    %r = prism.kernel "k0"(%a = %x, %b = %y) parallel [x grid tile 2, y grid tile 16, i loop tile 10] : (!prism.tensor<[b, m, e], f32>, !prism.tensor<[b, n, e], f32>) -> !prism.tensor<[b, m, n], f32> {
      %ta = prism.load %a [[x], [y], [i]] : !prism.tensor<[b, m, e], f32> -> !prism.tile<[b/x, m/y, e/i], f32>
      %tb = prism.load %b [[x], [], [i]] : !prism.tensor<[b, n, e], f32> -> !prism.tile<[b/x, n, e/i], f32>
      %0 = prism.matmul %ta, %tb maps [d0, d1, d3], [d0, d2, d3] -> [d0, d1, d2] : (!prism.tile<[b/x, m/y, e/i], f32>, !prism.tile<[b/x, n, e/i], f32>) -> !prism.tile<[b/x, m/y, n], f32>
      %1 = prism.accumulate sum %0 over i : !prism.tile<[b/x, m/y, n], f32> -> !prism.tile<[b/x, m/y, n], f32>
      %o = prism.save %1 [[x], [y], []] : !prism.tile<[b/x, m/y, n], f32> -> !prism.tensor<[b, m, n], f32>
      prism.yield %o : !prism.tensor<[b, m, n], f32>
    }
    prism.yield %r : !prism.tensor<[b, m, n], f32>
  }
}
func.func @run_batched_f32(%x: tensor<3x21x44xf32>, %y: tensor<3x35x44xf32>) -> tensor<3x21x35xf32> {
  %r = prism.invoke @batched_f32(%x, %y) : (tensor<3x21x44xf32>, tensor<3x35x44xf32>) -> tensor<3x21x35xf32>
  return %r : tensor<3x21x35xf32>
}

// Every function that is no single instruction.
prism.program @math extents [n = 500] (%x: !prism.tensor<[n], f32>) -> (!prism.tensor<[n], f32>) {
  %t = prism.tanh %x : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %t : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "math_0" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid tile 128] : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[x]] : !prism.tensor<[n], f32> -> !prism.tile<[n/x], f32>
      %c = prism.constant 0.5 : f32 -> !prism.tile<[], f32>
      %q = prism.constant 0.25 : f32 -> !prism.tile<[], f32>
      %0 = prism.tanh %t : (!prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %1 = prism.erf %t : (!prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %2 = prism.square %t : (!prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %3 = prism.add %2, %c maps [d0], [] -> [d0] : (!prism.tile<[n/x], f32>, !prism.tile<[], f32>) -> !prism.tile<[n/x], f32>
      %4 = prism.log %3 : (!prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %5 = prism.rsqrt %3 : (!prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %6 = prism.relu %t : (!prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %7 = prism.add %0, %1 : (!prism.tile<[n/x], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %8 = prism.add %7, %4 : (!prism.tile<[n/x], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %9 = prism.add %8, %5 : (!prism.tile<[n/x], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %10 = prism.add %9, %6 : (!prism.tile<[n/x], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %11 = prism.neg %t : (!prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %12 = prism.compare lt %t, %q maps [d0], [] -> [d0] : (!prism.tile<[n/x], f32>, !prism.tile<[], f32>) -> !prism.tile<[n/x], i1>
      %13 = prism.select %12, %t, %11 : (!prism.tile<[n/x], i1>, !prism.tile<[n/x], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %14 = prism.add %10, %13 : (!prism.tile<[n/x], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %o = prism.save %14 [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}
func.func @run_math(%x: tensor<500xf32>) -> tensor<500xf32> {
  %r = prism.invoke @math(%x) : (tensor<500xf32>) -> tensor<500xf32>
  return %r : tensor<500xf32>
}

// Whole powers of negative numbers, and 0 to the power of 0.
prism.program @powers extents [n = 500] (%x: !prism.tensor<[n], f32>, %y: !prism.tensor<[n], f32>) -> (!prism.tensor<[n], f32>) {
  %t = prism.pow %x, %y : (!prism.tensor<[n], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %t : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "powers_0" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n], f32>, %y: !prism.tensor<[n], f32>):
    %r = prism.kernel "k0"(%a = %x, %b = %y) parallel [x grid tile 128] : (!prism.tensor<[n], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[x]] : !prism.tensor<[n], f32> -> !prism.tile<[n/x], f32>
      %u = prism.load %b [[x]] : !prism.tensor<[n], f32> -> !prism.tile<[n/x], f32>
      %zero = prism.constant 0.0 : f32 -> !prism.tile<[], f32>
      %four = prism.constant 4.0 : f32 -> !prism.tile<[], f32>
      %five = prism.constant 5.0 : f32 -> !prism.tile<[], f32>
      %0 = prism.compare lt %u, %zero maps [d0], [] -> [d0] : (!prism.tile<[n/x], f32>, !prism.tile<[], f32>) -> !prism.tile<[n/x], i1>
      %1 = prism.select %0, %five, %four maps [d0], [], [] -> [d0] : (!prism.tile<[n/x], i1>, !prism.tile<[], f32>, !prism.tile<[], f32>) -> !prism.tile<[n/x], f32>
      %2 = prism.pow %t, %1 : (!prism.tile<[n/x], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %3 = prism.relu %t : (!prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %4 = prism.relu %u : (!prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %5 = prism.pow %3, %4 : (!prism.tile<[n/x], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %6 = prism.add %2, %5 : (!prism.tile<[n/x], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %o = prism.save %6 [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}
func.func @run_powers(%x: tensor<500xf32>, %y: tensor<500xf32>) -> tensor<500xf32> {
  %r = prism.invoke @powers(%x, %y) : (tensor<500xf32>, tensor<500xf32>) -> tensor<500xf32>
  return %r : tensor<500xf32>
}

// Whole powers of negative numbers, and 0 to the power of 0.
prism.program @powers_f64 extents [n = 500] (%x: !prism.tensor<[n], f64>, %y: !prism.tensor<[n], f64>) -> (!prism.tensor<[n], f64>) {
  %t = prism.pow %x, %y : (!prism.tensor<[n], f64>, !prism.tensor<[n], f64>) -> !prism.tensor<[n], f64>
  prism.yield %t : !prism.tensor<[n], f64>
} candidates {
  prism.candidate "powers_f64_0" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n], f64>, %y: !prism.tensor<[n], f64>):
    %r = prism.kernel "k0"(%a = %x, %b = %y) parallel [x grid tile 128] : (!prism.tensor<[n], f64>, !prism.tensor<[n], f64>) -> !prism.tensor<[n], f64> {
      %t = prism.load %a [[x]] : !prism.tensor<[n], f64> -> !prism.tile<[n/x], f64>
      %u = prism.load %b [[x]] : !prism.tensor<[n], f64> -> !prism.tile<[n/x], f64>
      %zero = prism.constant 0.0 : f64 -> !prism.tile<[], f64>
      %four = prism.constant 4.0 : f64 -> !prism.tile<[], f64>
      %five = prism.constant 5.0 : f64 -> !prism.tile<[], f64>
      %0 = prism.compare lt %u, %zero maps [d0], [] -> [d0] : (!prism.tile<[n/x], f64>, !prism.tile<[], f64>) -> !prism.tile<[n/x], i1>
      %1 = prism.select %0, %five, %four maps [d0], [], [] -> [d0] : (!prism.tile<[n/x], i1>, !prism.tile<[], f64>, !prism.tile<[], f64>) -> !prism.tile<[n/x], f64>
      %2 = prism.pow %t, %1 : (!prism.tile<[n/x], f64>, !prism.tile<[n/x], f64>) -> !prism.tile<[n/x], f64>
      %3 = prism.relu %t : (!prism.tile<[n/x], f64>) -> !prism.tile<[n/x], f64>
      %4 = prism.relu %u : (!prism.tile<[n/x], f64>) -> !prism.tile<[n/x], f64>
      %5 = prism.pow %3, %4 : (!prism.tile<[n/x], f64>, !prism.tile<[n/x], f64>) -> !prism.tile<[n/x], f64>
      %6 = prism.add %2, %5 : (!prism.tile<[n/x], f64>, !prism.tile<[n/x], f64>) -> !prism.tile<[n/x], f64>
      %o = prism.save %6 [[x]] : !prism.tile<[n/x], f64> -> !prism.tensor<[n], f64>
      prism.yield %o : !prism.tensor<[n], f64>
    }
    prism.yield %r : !prism.tensor<[n], f64>
  }
}
func.func @run_powers_f64(%x: tensor<500xf64>, %y: tensor<500xf64>) -> tensor<500xf64> {
  %r = prism.invoke @powers_f64(%x, %y) : (tensor<500xf64>, tensor<500xf64>) -> tensor<500xf64>
  return %r : tensor<500xf64>
}

// Two results of one kernel; neither varies along y.
prism.program @two_results extents [n = 11, d = 40, h = 9] (%x: !prism.tensor<[n, d], f32>, %y: !prism.tensor<[h], f32>) -> (!prism.tensor<[n], f32>, !prism.tensor<[n], f32>) {
  %0 = prism.reduce_max %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %1 = prism.reduce_sum %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0, %1 : !prism.tensor<[n], f32>, !prism.tensor<[n], f32>
} candidates {
  prism.candidate "two_results_0" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, d], f32>, %y: !prism.tensor<[h], f32>):
    %r, %s = prism.kernel "k0"(%a = %x, %b = %y) parallel [x grid tile 4, y grid tile 4, i loop tile 16] : (!prism.tensor<[n, d], f32>, !prism.tensor<[h], f32>) -> (!prism.tensor<[n], f32>, !prism.tensor<[n], f32>) {
      %t = prism.load %a [[x], [i]] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d/i], f32>
      %u = prism.load %b [[y]] : !prism.tensor<[h], f32> -> !prism.tile<[h/y], f32>
      %0 = prism.reduce_max %t dims [1] : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x], f32>
      %1 = prism.accumulate max %0 over i : !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f32>
      %2 = prism.accumulate sum %t over i : !prism.tile<[n/x, d/i], f32> -> !prism.tile<[n/x, d/i], f32>
      %3 = prism.reduce_sum %t dims [1] : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x], f32>
      %4 = prism.accumulate sum %3 over i : !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f32>
      %o = prism.save %1 [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      %p = prism.save %4 [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o, %p : !prism.tensor<[n], f32>, !prism.tensor<[n], f32>
    }
    prism.yield %r, %s : !prism.tensor<[n], f32>, !prism.tensor<[n], f32>
  }
}
func.func @run_two_results(%x: tensor<11x40xf32>, %y: tensor<9xf32>) -> (tensor<11xf32>, tensor<11xf32>) {
  %r:2 = prism.invoke @two_results(%x, %y) : (tensor<11x40xf32>, tensor<9xf32>) -> (tensor<11xf32>, tensor<11xf32>)
  return %r#0, %r#1 : tensor<11xf32>, tensor<11xf32>
}

// A reduction split over the grid: partials in a workspace, then their sum.
prism.program @split extents [n = 6, d = 300] (%x: !prism.tensor<[n, d], f16>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.cast %x : (!prism.tensor<[n, d], f16>) -> !prism.tensor<[n, d], f32>
  %1 = prism.square %0 : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %2 = prism.reduce_sum %1 dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %2 : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "split_0" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, d], f16>):
    %p = prism.kernel "k0"(%a = %x) parallel [y grid tile 128, i loop tile 32] : (!prism.tensor<[n, d], f16>) -> !prism.tensor<[k0.y, n], f32> {
      %t = prism.load %a [[], [y, i]] : !prism.tensor<[n, d], f16> -> !prism.tile<[n, d/y/i], f16>
      %0 = prism.cast %t : (!prism.tile<[n, d/y/i], f16>) -> !prism.tile<[n, d/y/i], f32>
      %1 = prism.square %0 : (!prism.tile<[n, d/y/i], f32>) -> !prism.tile<[n, d/y/i], f32>
      %2 = prism.reduce_sum %1 dims [1] : (!prism.tile<[n, d/y/i], f32>) -> !prism.tile<[n], f32>
      %3 = prism.accumulate sum %2 over i : !prism.tile<[n], f32> -> !prism.tile<[n], f32>
      %o = prism.save %3 [[]] partials [y] : !prism.tile<[n], f32> -> !prism.tensor<[k0.y, n], f32>
      prism.yield %o : !prism.tensor<[k0.y, n], f32>
    }
    %r = prism.kernel "k1"(%a = %p) parallel [x grid tile 4] : (!prism.tensor<[k0.y, n], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[], [x]] : !prism.tensor<[k0.y, n], f32> -> !prism.tile<[k0.y, n/x], f32>
      %0 = prism.reduce_sum %t dims [0] : (!prism.tile<[k0.y, n/x], f32>) -> !prism.tile<[n/x], f32>
      %o = prism.save %0 [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}
func.func @run_split(%x: tensor<6x300xf16>) -> tensor<6xf32> {
  %r = prism.invoke @split(%x) : (tensor<6x300xf16>) -> tensor<6xf32>
  return %r : tensor<6xf32>
}

// Transposed and broadcast by maps.
prism.program @transposed extents [n = 10, d = 50] (%x: !prism.tensor<[n, d], f32>, %y: !prism.tensor<[d], f32>) -> (!prism.tensor<[d, n], f32>) {
  %0 = prism.add %x, %y maps [d1, d0], [d0] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[d], f32>) -> !prism.tensor<[d, n], f32>
  prism.yield %0 : !prism.tensor<[d, n], f32>
} candidates {
  prism.candidate "transposed_0" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, d], f32>, %y: !prism.tensor<[d], f32>):
    %r = prism.kernel "k0"(%a = %x, %b = %y) parallel [x grid tile 16] : (!prism.tensor<[n, d], f32>, !prism.tensor<[d], f32>) -> !prism.tensor<[d, n], f32> {
      %t = prism.load %a [[], [x]] : !prism.tensor<[n, d], f32> -> !prism.tile<[n, d/x], f32>
      %u = prism.load %b [[x]] : !prism.tensor<[d], f32> -> !prism.tile<[d/x], f32>
      %0 = prism.add %t, %u maps [d1, d0], [d0] -> [d0, d1] : (!prism.tile<[n, d/x], f32>, !prism.tile<[d/x], f32>) -> !prism.tile<[d/x, n], f32>
      %o = prism.save %0 [[x], []] : !prism.tile<[d/x, n], f32> -> !prism.tensor<[d, n], f32>
      prism.yield %o : !prism.tensor<[d, n], f32>
    }
    prism.yield %r : !prism.tensor<[d, n], f32>
  }
}
func.func @run_transposed(%x: tensor<10x50xf32>, %y: tensor<50xf32>) -> tensor<50x10xf32> {
  %r = prism.invoke @transposed(%x, %y) : (tensor<10x50xf32>, tensor<50xf32>) -> tensor<50x10xf32>
  return %r : tensor<50x10xf32>
}
