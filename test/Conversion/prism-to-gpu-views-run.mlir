// Slices, concatenations and reshapes in kernels, on the simulated device: they
// say where elements are, and take no memory of their own.
// REQUIRES: python-ctypes
// RUN: %python %S/Inputs/run_on_device.py %s --entry=run_rotary --expect='a0*a1+np.concatenate([-a0[:,16:],a0[:,:16]],1)*a2'
// RUN: %python %S/Inputs/run_on_device.py %s --entry=run_heads --expect='(a0.reshape(13,3,20)**2).sum(2)'
// RUN: %python %S/Inputs/run_on_device.py %s --entry=run_flat --expect='np.exp(a0)-np.exp(a0).max(1,keepdims=True)'
// RUN: %python %S/Inputs/run_on_device.py %s --entry=run_product --expect='np.concatenate([a0,a1],1)@a2'
// RUN: %python %S/Inputs/run_on_device.py %s --entry=run_predefined --expect='np.concatenate([a0.reshape(6,35)[:,4:19],a1],1)'

// As in rotary embeddings; the last block has one row.
prism.program @rotary extents [n = 13] (%x: !prism.tensor<[n, 32], f16>, %c: !prism.tensor<[n, 32], f16>, %s: !prism.tensor<[n, 32], f16>) -> (!prism.tensor<[n, 32], f16>) {
  %0 = prism.slice %x dim 1 offset 16 : (!prism.tensor<[n, 32], f16>) -> !prism.tensor<[n, 16], f16>
  %1 = prism.neg %0 : (!prism.tensor<[n, 16], f16>) -> !prism.tensor<[n, 16], f16>
  %2 = prism.slice %x dim 1 offset 0 : (!prism.tensor<[n, 32], f16>) -> !prism.tensor<[n, 16], f16>
  %3 = prism.concat %1, %2 dim 1 : (!prism.tensor<[n, 16], f16>, !prism.tensor<[n, 16], f16>) -> !prism.tensor<[n, 32], f16>
  %4 = prism.mul %3, %s : (!prism.tensor<[n, 32], f16>, !prism.tensor<[n, 32], f16>) -> !prism.tensor<[n, 32], f16>
  %5 = prism.mul %x, %c : (!prism.tensor<[n, 32], f16>, !prism.tensor<[n, 32], f16>) -> !prism.tensor<[n, 32], f16>
  %6 = prism.add %5, %4 : (!prism.tensor<[n, 32], f16>, !prism.tensor<[n, 32], f16>) -> !prism.tensor<[n, 32], f16>
  prism.yield %6 : !prism.tensor<[n, 32], f16>
} candidates {
  prism.candidate "rotary_0" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, 32], f16>, %c: !prism.tensor<[n, 32], f16>, %s: !prism.tensor<[n, 32], f16>):
    %r = prism.kernel "k0"(%a = %x, %b = %c, %d = %s) parallel [x grid tile 4] : (!prism.tensor<[n, 32], f16>, !prism.tensor<[n, 32], f16>, !prism.tensor<[n, 32], f16>) -> !prism.tensor<[n, 32], f16> {
      %ta = prism.load %a [[x], []] : !prism.tensor<[n, 32], f16> -> !prism.tile<[n/x, 32], f16>
      %tb = prism.load %b [[x], []] : !prism.tensor<[n, 32], f16> -> !prism.tile<[n/x, 32], f16>
      %td = prism.load %d [[x], []] : !prism.tensor<[n, 32], f16> -> !prism.tile<[n/x, 32], f16>
      %0 = prism.slice %ta dim 1 offset 16 : (!prism.tile<[n/x, 32], f16>) -> !prism.tile<[n/x, 16], f16>
      %1 = prism.neg %0 : (!prism.tile<[n/x, 16], f16>) -> !prism.tile<[n/x, 16], f16>
      %2 = prism.slice %ta dim 1 offset 0 : (!prism.tile<[n/x, 32], f16>) -> !prism.tile<[n/x, 16], f16>
      %3 = prism.concat %1, %2 dim 1 : (!prism.tile<[n/x, 16], f16>, !prism.tile<[n/x, 16], f16>) -> !prism.tile<[n/x, 32], f16>
      %4 = prism.mul %3, %td : (!prism.tile<[n/x, 32], f16>, !prism.tile<[n/x, 32], f16>) -> !prism.tile<[n/x, 32], f16>
      %5 = prism.mul %ta, %tb : (!prism.tile<[n/x, 32], f16>, !prism.tile<[n/x, 32], f16>) -> !prism.tile<[n/x, 32], f16>
      %6 = prism.add %5, %4 : (!prism.tile<[n/x, 32], f16>, !prism.tile<[n/x, 32], f16>) -> !prism.tile<[n/x, 32], f16>
      %o = prism.save %6 [[x], []] : !prism.tile<[n/x, 32], f16> -> !prism.tensor<[n, 32], f16>
      prism.yield %o : !prism.tensor<[n, 32], f16>
    }
    prism.yield %r : !prism.tensor<[n, 32], f16>
  }
}
func.func @run_rotary(%x: tensor<13x32xf16>, %c: tensor<13x32xf16>, %s: tensor<13x32xf16>) -> tensor<13x32xf16> {
  %r = prism.invoke @rotary(%x, %c, %s) : (tensor<13x32xf16>, tensor<13x32xf16>, tensor<13x32xf16>) -> tensor<13x32xf16>
  return %r : tensor<13x32xf16>
}

// A dim into two, and what is reduced is the inner one.
prism.program @heads extents [n = 13] (%x: !prism.tensor<[n, 60], f32>) -> (!prism.tensor<[n, 3], f32>) {
  %0 = prism.reshape %x ([d0], [d1, d2]) -> ([d0], [d1], [d2]) : (!prism.tensor<[n, 60], f32>) -> !prism.tensor<[n, 3, 20], f32>
  %1 = prism.square %0 : (!prism.tensor<[n, 3, 20], f32>) -> !prism.tensor<[n, 3, 20], f32>
  %2 = prism.reduce_sum %1 dims [2] : (!prism.tensor<[n, 3, 20], f32>) -> !prism.tensor<[n, 3], f32>
  prism.yield %2 : !prism.tensor<[n, 3], f32>
} candidates {
  prism.candidate "heads_0" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, 60], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid tile 4] : (!prism.tensor<[n, 60], f32>) -> !prism.tensor<[n, 3], f32> {
      %t = prism.load %a [[x], []] : !prism.tensor<[n, 60], f32> -> !prism.tile<[n/x, 60], f32>
      %0 = prism.reshape %t ([d0], [d1, d2]) -> ([d0], [d1], [d2]) : (!prism.tile<[n/x, 60], f32>) -> !prism.tile<[n/x, 3, 20], f32>
      %1 = prism.square %0 : (!prism.tile<[n/x, 3, 20], f32>) -> !prism.tile<[n/x, 3, 20], f32>
      %2 = prism.reduce_sum %1 dims [2] : (!prism.tile<[n/x, 3, 20], f32>) -> !prism.tile<[n/x, 3], f32>
      %o = prism.save %2 [[x], []] : !prism.tile<[n/x, 3], f32> -> !prism.tensor<[n, 3], f32>
      prism.yield %o : !prism.tensor<[n, 3], f32>
    }
    prism.yield %r : !prism.tensor<[n, 3], f32>
  }
}
func.func @run_heads(%x: tensor<13x60xf32>) -> tensor<13x3xf32> {
  %r = prism.invoke @heads(%x) : (tensor<13x60xf32>) -> tensor<13x3xf32>
  return %r : tensor<13x3xf32>
}

// Rows that are fewer in the last block, merged with their columns.
prism.program @flat extents [n = 13] (%x: !prism.tensor<[n, 21], f32>) -> (!prism.tensor<[n, 21], f32>) {
  %0 = prism.exp %x : (!prism.tensor<[n, 21], f32>) -> !prism.tensor<[n, 21], f32>
  %1 = prism.reduce_max %0 dims [1] : (!prism.tensor<[n, 21], f32>) -> !prism.tensor<[n], f32>
  %2 = prism.sub %0, %1 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, 21], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, 21], f32>
  prism.yield %2 : !prism.tensor<[n, 21], f32>
} candidates {
  prism.candidate "flat_0" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, 21], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid tile 8] : (!prism.tensor<[n, 21], f32>) -> !prism.tensor<[n, 21], f32> {
      %t = prism.load %a [[x], []] : !prism.tensor<[n, 21], f32> -> !prism.tile<[n/x, 21], f32>
      %m = prism.reshape %t ([d0], [d1]) -> ([d0, d1]) : (!prism.tile<[n/x, 21], f32>) -> !prism.tile<[21 * n/x], f32>
      %e = prism.exp %m : (!prism.tile<[21 * n/x], f32>) -> !prism.tile<[21 * n/x], f32>
      %f = prism.reshape %e ([d0, d1]) -> ([d0], [d1]) : (!prism.tile<[21 * n/x], f32>) -> !prism.tile<[n/x, 21], f32>
      %g = prism.reshape %e ([d0, d1]) -> ([d0], [d1]) : (!prism.tile<[21 * n/x], f32>) -> !prism.tile<[n/x, 21], f32>
      %1 = prism.reduce_max %f dims [1] : (!prism.tile<[n/x, 21], f32>) -> !prism.tile<[n/x], f32>
      %2 = prism.sub %g, %1 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/x, 21], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x, 21], f32>
      %o = prism.save %2 [[x], []] : !prism.tile<[n/x, 21], f32> -> !prism.tensor<[n, 21], f32>
      prism.yield %o : !prism.tensor<[n, 21], f32>
    }
    prism.yield %r : !prism.tensor<[n, 21], f32>
  }
}
func.func @run_flat(%x: tensor<13x21xf32>) -> tensor<13x21xf32> {
  %r = prism.invoke @flat(%x) : (tensor<13x21xf32>) -> tensor<13x21xf32>
  return %r : tensor<13x21xf32>
}

// What a product reads is stored, put together.
prism.program @product extents [n = 9, h = 40] (%x: !prism.tensor<[n, 24], f16>, %y: !prism.tensor<[n, 40], f16>, %w: !prism.tensor<[64, h], f16>) -> (!prism.tensor<[n, h], f32>) {
  %0 = prism.concat %x, %y dim 1 : (!prism.tensor<[n, 24], f16>, !prism.tensor<[n, 40], f16>) -> !prism.tensor<[n, 64], f16>
  %1 = prism.matmul %0, %w : (!prism.tensor<[n, 64], f16>, !prism.tensor<[64, h], f16>) -> !prism.tensor<[n, h], f32>
  prism.yield %1 : !prism.tensor<[n, h], f32>
} candidates {
  prism.candidate "product_0" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, 24], f16>, %y: !prism.tensor<[n, 40], f16>, %w: !prism.tensor<[64, h], f16>):
    %r = prism.kernel "k0"(%a = %x, %b = %y, %c = %w) parallel [x grid tile 16] : (!prism.tensor<[n, 24], f16>, !prism.tensor<[n, 40], f16>, !prism.tensor<[64, h], f16>) -> !prism.tensor<[n, h], f32> {
      %ta = prism.load %a [[], []] : !prism.tensor<[n, 24], f16> -> !prism.tile<[n, 24], f16>
      %tb = prism.load %b [[], []] : !prism.tensor<[n, 40], f16> -> !prism.tile<[n, 40], f16>
      %tc = prism.load %c [[], [x]] : !prism.tensor<[64, h], f16> -> !prism.tile<[64, h/x], f16>
      %0 = prism.concat %ta, %tb dim 1 : (!prism.tile<[n, 24], f16>, !prism.tile<[n, 40], f16>) -> !prism.tile<[n, 64], f16>
      %1 = prism.matmul %0, %tc : (!prism.tile<[n, 64], f16>, !prism.tile<[64, h/x], f16>) -> !prism.tile<[n, h/x], f32>
      %o = prism.save %1 [[], [x]] : !prism.tile<[n, h/x], f32> -> !prism.tensor<[n, h], f32>
      prism.yield %o : !prism.tensor<[n, h], f32>
    }
    prism.yield %r : !prism.tensor<[n, h], f32>
  }
}
func.func @run_product(%x: tensor<9x24xf16>, %y: tensor<9x40xf16>, %w: tensor<64x40xf16>) -> tensor<9x40xf32> {
  %r = prism.invoke @product(%x, %y, %w) : (tensor<9x24xf16>, tensor<9x40xf16>, tensor<64x40xf16>) -> tensor<9x40xf32>
  return %r : tensor<9x40xf32>
}

// Each on whole tensors, a kernel of its own.
prism.program @predefined extents [n = 6] (%x: !prism.tensor<[n, 5, 7], f32>, %y: !prism.tensor<[n, 9], f32>) -> (!prism.tensor<[n, 24], f32>) {
  %0 = prism.reshape %x ([d0], [d1], [d2]) -> ([d0], [d1, d2]) : (!prism.tensor<[n, 5, 7], f32>) -> !prism.tensor<[n, 35], f32>
  %1 = prism.slice %0 dim 1 offset 4 : (!prism.tensor<[n, 35], f32>) -> !prism.tensor<[n, 15], f32>
  %2 = prism.concat %1, %y dim 1 : (!prism.tensor<[n, 15], f32>, !prism.tensor<[n, 9], f32>) -> !prism.tensor<[n, 24], f32>
  prism.yield %2 : !prism.tensor<[n, 24], f32>
} candidates {
  prism.candidate "predefined_0" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, 5, 7], f32>, %y: !prism.tensor<[n, 9], f32>):
    %0 = prism.reshape %x ([d0], [d1], [d2]) -> ([d0], [d1, d2]) : (!prism.tensor<[n, 5, 7], f32>) -> !prism.tensor<[n, 35], f32>
    %1 = prism.slice %0 dim 1 offset 4 : (!prism.tensor<[n, 35], f32>) -> !prism.tensor<[n, 15], f32>
    %2 = prism.concat %1, %y dim 1 : (!prism.tensor<[n, 15], f32>, !prism.tensor<[n, 9], f32>) -> !prism.tensor<[n, 24], f32>
    prism.yield %2 : !prism.tensor<[n, 24], f32>
  }
}
func.func @run_predefined(%x: tensor<6x5x7xf32>, %y: tensor<6x9xf32>) -> tensor<6x24xf32> {
  %r = prism.invoke @predefined(%x, %y) : (tensor<6x5x7xf32>, tensor<6x9xf32>) -> tensor<6x24xf32>
  return %r : tensor<6x24xf32>
}
