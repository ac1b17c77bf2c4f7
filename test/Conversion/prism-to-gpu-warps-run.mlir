// Products with fewer fragments than the block has warps, on the simulated
// device: warps share the sum, or have nothing to do.
// REQUIRES: python-ctypes
// RUN: %python %S/Inputs/run_on_device.py %s --entry=run_even --expect='a0@a1'
// RUN: %python %S/Inputs/run_on_device.py %s --entry=run_uneven --expect='a0@a1'
// RUN: %python %S/Inputs/run_on_device.py %s --entry=run_bf16 --expect='a0@a1'
// RUN: %python %S/Inputs/run_on_device.py %s --entry=run_short --expect='a0@a1'
// RUN: %python %S/Inputs/run_on_device.py %s --entry=run_idle --expect='a0@a1'
// RUN: %python %S/Inputs/run_on_device.py %s --entry=run_stored --expect='a0@a1'

// Sixteen columns, which swap to the rows of one fragment: four warps, each
// with every fourth 16 of the sum.
prism.program @even extents [n = 8, d = 256, h = 48] (%x: !prism.tensor<[n, d], f16>, %w: !prism.tensor<[d, h], f16>) -> (!prism.tensor<[n, h], f32>) {
  %0 = prism.matmul %x, %w : (!prism.tensor<[n, d], f16>, !prism.tensor<[d, h], f16>) -> !prism.tensor<[n, h], f32>
  prism.yield %0 : !prism.tensor<[n, h], f32>
} candidates {
  prism.candidate "even_0" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, d], f16>, %w: !prism.tensor<[d, h], f16>):
    %r = prism.kernel "k0"(%a = %x, %b = %w) parallel [x grid tile 16, i loop tile 64] : (!prism.tensor<[n, d], f16>, !prism.tensor<[d, h], f16>) -> !prism.tensor<[n, h], f32> {
      %ta = prism.load %a [[], [i]] : !prism.tensor<[n, d], f16> -> !prism.tile<[n, d/i], f16>
      %tb = prism.load %b [[i], [x]] : !prism.tensor<[d, h], f16> -> !prism.tile<[d/i, h/x], f16>
      %m = prism.matmul %ta, %tb : (!prism.tile<[n, d/i], f16>, !prism.tile<[d/i, h/x], f16>) -> !prism.tile<[n, h/x], f32>
      %ma = prism.accumulate sum %m over i : !prism.tile<[n, h/x], f32> -> !prism.tile<[n, h/x], f32>
      %z = prism.save %ma [[], [x]] : !prism.tile<[n, h/x], f32> -> !prism.tensor<[n, h], f32>
      prism.yield %z : !prism.tensor<[n, h], f32>
    }
    prism.yield %r : !prism.tensor<[n, h], f32>
  }
}
func.func @run_even(%x: tensor<8x256xf16>, %w: tensor<256x48xf16>) -> tensor<8x48xf32> {
  %r = prism.invoke @even(%x, %w) : (tensor<8x256xf16>, tensor<256x48xf16>) -> tensor<8x48xf32>
  return %r : tensor<8x48xf32>
}

// Chunks of 40 are two turns for one warp and one for another, the last chunk
// is 8 long, the last block has 13 columns.
prism.program @uneven extents [n = 5, d = 208, h = 45] (%x: !prism.tensor<[n, d], f16>, %w: !prism.tensor<[d, h], f16>) -> (!prism.tensor<[n, h], f32>) {
  %0 = prism.matmul %x, %w : (!prism.tensor<[n, d], f16>, !prism.tensor<[d, h], f16>) -> !prism.tensor<[n, h], f32>
  prism.yield %0 : !prism.tensor<[n, h], f32>
} candidates {
  prism.candidate "uneven_0" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, d], f16>, %w: !prism.tensor<[d, h], f16>):
    %r = prism.kernel "k0"(%a = %x, %b = %w) parallel [x grid tile 16, i loop tile 40] : (!prism.tensor<[n, d], f16>, !prism.tensor<[d, h], f16>) -> !prism.tensor<[n, h], f32> {
      %ta = prism.load %a [[], [i]] : !prism.tensor<[n, d], f16> -> !prism.tile<[n, d/i], f16>
      %tb = prism.load %b [[i], [x]] : !prism.tensor<[d, h], f16> -> !prism.tile<[d/i, h/x], f16>
      %m = prism.matmul %ta, %tb : (!prism.tile<[n, d/i], f16>, !prism.tile<[d/i, h/x], f16>) -> !prism.tile<[n, h/x], f32>
      %ma = prism.accumulate sum %m over i : !prism.tile<[n, h/x], f32> -> !prism.tile<[n, h/x], f32>
      %z = prism.save %ma [[], [x]] : !prism.tile<[n, h/x], f32> -> !prism.tensor<[n, h], f32>
      prism.yield %z : !prism.tensor<[n, h], f32>
    }
    prism.yield %r : !prism.tensor<[n, h], f32>
  }
}
func.func @run_uneven(%x: tensor<5x208xf16>, %w: tensor<208x45xf16>) -> tensor<5x45xf32> {
  %r = prism.invoke @uneven(%x, %w) : (tensor<5x208xf16>, tensor<208x45xf16>) -> tensor<5x45xf32>
  return %r : tensor<5x45xf32>
}

// As it is with rows as they come, and no multiple of 8.
prism.program @bf16 extents [n = 19, d = 150, h = 21] (%x: !prism.tensor<[n, d], bf16>, %w: !prism.tensor<[d, h], bf16>) -> (!prism.tensor<[n, h], f32>) {
  %0 = prism.matmul %x, %w : (!prism.tensor<[n, d], bf16>, !prism.tensor<[d, h], bf16>) -> !prism.tensor<[n, h], f32>
  prism.yield %0 : !prism.tensor<[n, h], f32>
} candidates {
  prism.candidate "bf16_0" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, d], bf16>, %w: !prism.tensor<[d, h], bf16>):
    %r = prism.kernel "k0"(%a = %x, %b = %w) parallel [x grid tile 8, i loop tile 96] : (!prism.tensor<[n, d], bf16>, !prism.tensor<[d, h], bf16>) -> !prism.tensor<[n, h], f32> {
      %ta = prism.load %a [[], [i]] : !prism.tensor<[n, d], bf16> -> !prism.tile<[n, d/i], bf16>
      %tb = prism.load %b [[i], [x]] : !prism.tensor<[d, h], bf16> -> !prism.tile<[d/i, h/x], bf16>
      %m = prism.matmul %ta, %tb : (!prism.tile<[n, d/i], bf16>, !prism.tile<[d/i, h/x], bf16>) -> !prism.tile<[n, h/x], f32>
      %ma = prism.accumulate sum %m over i : !prism.tile<[n, h/x], f32> -> !prism.tile<[n, h/x], f32>
      %z = prism.save %ma [[], [x]] : !prism.tile<[n, h/x], f32> -> !prism.tensor<[n, h], f32>
      prism.yield %z : !prism.tensor<[n, h], f32>
    }
    prism.yield %r : !prism.tensor<[n, h], f32>
  }
}
func.func @run_bf16(%x: tensor<19x150xbf16>, %w: tensor<150x21xbf16>) -> tensor<19x21xf32> {
  %r = prism.invoke @bf16(%x, %w) : (tensor<19x150xbf16>, tensor<150x21xbf16>) -> tensor<19x21xf32>
  return %r : tensor<19x21xf32>
}

// Sums as short as one turn: three warps have none.
prism.program @short extents [n = 8, d = 64, h = 32] (%x: !prism.tensor<[n, d], f16>, %w: !prism.tensor<[d, h], f16>) -> (!prism.tensor<[n, h], f32>) {
  %0 = prism.matmul %x, %w : (!prism.tensor<[n, d], f16>, !prism.tensor<[d, h], f16>) -> !prism.tensor<[n, h], f32>
  prism.yield %0 : !prism.tensor<[n, h], f32>
} candidates {
  prism.candidate "short_0" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, d], f16>, %w: !prism.tensor<[d, h], f16>):
    %r = prism.kernel "k0"(%a = %x, %b = %w) parallel [x grid tile 16, i loop tile 16] : (!prism.tensor<[n, d], f16>, !prism.tensor<[d, h], f16>) -> !prism.tensor<[n, h], f32> {
      %ta = prism.load %a [[], [i]] : !prism.tensor<[n, d], f16> -> !prism.tile<[n, d/i], f16>
      %tb = prism.load %b [[i], [x]] : !prism.tensor<[d, h], f16> -> !prism.tile<[d/i, h/x], f16>
      %m = prism.matmul %ta, %tb : (!prism.tile<[n, d/i], f16>, !prism.tile<[d/i, h/x], f16>) -> !prism.tile<[n, h/x], f32>
      %ma = prism.accumulate sum %m over i : !prism.tile<[n, h/x], f32> -> !prism.tile<[n, h/x], f32>
      %z = prism.save %ma [[], [x]] : !prism.tile<[n, h/x], f32> -> !prism.tensor<[n, h], f32>
      prism.yield %z : !prism.tensor<[n, h], f32>
    }
    prism.yield %r : !prism.tensor<[n, h], f32>
  }
}
func.func @run_short(%x: tensor<8x64xf16>, %w: tensor<64x32xf16>) -> tensor<8x32xf32> {
  %r = prism.invoke @short(%x, %w) : (tensor<8x64xf16>, tensor<64x32xf16>) -> tensor<8x32xf32>
  return %r : tensor<8x32xf32>
}

// Three fragments and four warps: one stands idle.
prism.program @idle extents [n = 8, d = 128, h = 96] (%x: !prism.tensor<[n, d], f16>, %w: !prism.tensor<[d, h], f16>) -> (!prism.tensor<[n, h], f32>) {
  %0 = prism.matmul %x, %w : (!prism.tensor<[n, d], f16>, !prism.tensor<[d, h], f16>) -> !prism.tensor<[n, h], f32>
  prism.yield %0 : !prism.tensor<[n, h], f32>
} candidates {
  prism.candidate "idle_0" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, d], f16>, %w: !prism.tensor<[d, h], f16>):
    %r = prism.kernel "k0"(%a = %x, %b = %w) parallel [x grid tile 48, i loop tile 64] : (!prism.tensor<[n, d], f16>, !prism.tensor<[d, h], f16>) -> !prism.tensor<[n, h], f32> {
      %ta = prism.load %a [[], [i]] : !prism.tensor<[n, d], f16> -> !prism.tile<[n, d/i], f16>
      %tb = prism.load %b [[i], [x]] : !prism.tensor<[d, h], f16> -> !prism.tile<[d/i, h/x], f16>
      %m = prism.matmul %ta, %tb : (!prism.tile<[n, d/i], f16>, !prism.tile<[d/i, h/x], f16>) -> !prism.tile<[n, h/x], f32>
      %ma = prism.accumulate sum %m over i : !prism.tile<[n, h/x], f32> -> !prism.tile<[n, h/x], f32>
      %z = prism.save %ma [[], [x]] : !prism.tile<[n, h/x], f32> -> !prism.tensor<[n, h], f32>
      prism.yield %z : !prism.tensor<[n, h], f32>
    }
    prism.yield %r : !prism.tensor<[n, h], f32>
  }
}
func.func @run_idle(%x: tensor<8x128xf16>, %w: tensor<128x96xf16>) -> tensor<8x96xf32> {
  %r = prism.invoke @idle(%x, %w) : (tensor<8x128xf16>, tensor<128x96xf16>) -> tensor<8x96xf32>
  return %r : tensor<8x96xf32>
}

// No loop: the shares are added up beside what is loaded.
prism.program @stored extents [n = 8, d = 192, h = 40] (%x: !prism.tensor<[n, d], f16>, %w: !prism.tensor<[d, h], f16>) -> (!prism.tensor<[n, h], f32>) {
  %0 = prism.matmul %x, %w : (!prism.tensor<[n, d], f16>, !prism.tensor<[d, h], f16>) -> !prism.tensor<[n, h], f32>
  prism.yield %0 : !prism.tensor<[n, h], f32>
} candidates {
  prism.candidate "stored_0" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, d], f16>, %w: !prism.tensor<[d, h], f16>):
    %r = prism.kernel "k0"(%a = %x, %b = %w) parallel [x grid tile 16] : (!prism.tensor<[n, d], f16>, !prism.tensor<[d, h], f16>) -> !prism.tensor<[n, h], f32> {
      %ta = prism.load %a [[], []] : !prism.tensor<[n, d], f16> -> !prism.tile<[n, d], f16>
      %tb = prism.load %b [[], [x]] : !prism.tensor<[d, h], f16> -> !prism.tile<[d, h/x], f16>
      %m = prism.matmul %ta, %tb : (!prism.tile<[n, d], f16>, !prism.tile<[d, h/x], f16>) -> !prism.tile<[n, h/x], f32>
      %z = prism.save %m [[], [x]] : !prism.tile<[n, h/x], f32> -> !prism.tensor<[n, h], f32>
      prism.yield %z : !prism.tensor<[n, h], f32>
    }
    prism.yield %r : !prism.tensor<[n, h], f32>
  }
}
func.func @run_stored(%x: tensor<8x192xf16>, %w: tensor<192x40xf16>) -> tensor<8x40xf32> {
  %r = prism.invoke @stored(%x, %w) : (tensor<8x192xf16>, tensor<192x40xf16>) -> tensor<8x40xf32>
  return %r : tensor<8x40xf32>
}
