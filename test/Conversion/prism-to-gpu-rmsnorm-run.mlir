// The running example, RMSNorm and a linear layer in one kernel, on the
// simulated device: extents that divide, ragged ones, few and many rows.
// REQUIRES: python-ctypes
// RUN: %python %S/Inputs/run_on_device.py %s --entry=run_divides '--expect=(a0/np.sqrt((a0**2).mean(1,keepdims=True)))@a1'
// RUN: %python %S/Inputs/run_on_device.py %s --entry=run_ragged '--expect=(a0/np.sqrt((a0**2).mean(1,keepdims=True)))@a1'
// RUN: %python %S/Inputs/run_on_device.py %s --entry=run_one_row '--expect=(a0/np.sqrt((a0**2).mean(1,keepdims=True)))@a1'
// RUN: %python %S/Inputs/run_on_device.py %s --entry=run_many_rows '--expect=(a0/np.sqrt((a0**2).mean(1,keepdims=True)))@a1'
// RUN: %python %S/Inputs/run_on_device.py %s --entry=run_one_step '--expect=(a0/np.sqrt((a0**2).mean(1,keepdims=True)))@a1'
// RUN: %python %S/Inputs/run_on_device.py %s --entry=run_tall '--expect=(a0/np.sqrt((a0**2).mean(1,keepdims=True)))@a1'
// RUN: %python %S/Inputs/run_on_device.py %s --entry=run_bf16 '--expect=(a0/np.sqrt((a0**2).mean(1,keepdims=True)))@a1'
// RUN: %python %S/Inputs/run_on_device.py %s --entry=run_f32 '--expect=(a0/np.sqrt((a0**2).mean(1,keepdims=True)))@a1'
// On another target, and with thread graphs in the candidates.
// RUN: %python %S/Inputs/run_on_device.py %s --entry=run_ragged --target=sm_90a '--before=--pass-pipeline=builtin.module(prism.program(prism-form-thread-graphs))' '--expect=(a0/np.sqrt((a0**2).mean(1,keepdims=True)))@a1'

prism.program @divides extents [d0 = 8, d1 = 256, d2 = 192] (%x: !prism.tensor<[d0, d1], f16>, %w: !prism.tensor<[d1, d2], f16>) -> (!prism.tensor<[d0, d2], f16>) {
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
  prism.candidate "divides_0" sized verdict Proved {
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
func.func @run_divides(%x: tensor<8x256xf16>, %w: tensor<256x192xf16>) -> tensor<8x192xf16> {
  %r = prism.invoke @divides(%x, %w) : (tensor<8x256xf16>, tensor<256x192xf16>) -> tensor<8x192xf16>
  return %r : tensor<8x192xf16>
}

prism.program @ragged extents [d0 = 5, d1 = 100, d2 = 77] (%x: !prism.tensor<[d0, d1], f16>, %w: !prism.tensor<[d1, d2], f16>) -> (!prism.tensor<[d0, d2], f16>) {
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
  prism.candidate "ragged_0" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[d0, d1], f16>, %w: !prism.tensor<[d1, d2], f16>):
    %r = prism.kernel "k0"(%a = %x, %b = %w) parallel [x grid tile 32, i loop tile 24] : (!prism.tensor<[d0, d1], f16>, !prism.tensor<[d1, d2], f16>) -> !prism.tensor<[d0, d2], f16> {
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
func.func @run_ragged(%x: tensor<5x100xf16>, %w: tensor<100x77xf16>) -> tensor<5x77xf16> {
  %r = prism.invoke @ragged(%x, %w) : (tensor<5x100xf16>, tensor<100x77xf16>) -> tensor<5x77xf16>
  return %r : tensor<5x77xf16>
}

prism.program @one_row extents [d0 = 1, d1 = 67, d2 = 130] (%x: !prism.tensor<[d0, d1], f16>, %w: !prism.tensor<[d1, d2], f16>) -> (!prism.tensor<[d0, d2], f16>) {
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
  prism.candidate "one_row_0" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[d0, d1], f16>, %w: !prism.tensor<[d1, d2], f16>):
    %r = prism.kernel "k0"(%a = %x, %b = %w) parallel [x grid tile 64, i loop tile 16] : (!prism.tensor<[d0, d1], f16>, !prism.tensor<[d1, d2], f16>) -> !prism.tensor<[d0, d2], f16> {
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
func.func @run_one_row(%x: tensor<1x67xf16>, %w: tensor<67x130xf16>) -> tensor<1x130xf16> {
  %r = prism.invoke @one_row(%x, %w) : (tensor<1x67xf16>, tensor<67x130xf16>) -> tensor<1x130xf16>
  return %r : tensor<1x130xf16>
}

prism.program @many_rows extents [d0 = 37, d1 = 96, d2 = 80] (%x: !prism.tensor<[d0, d1], f16>, %w: !prism.tensor<[d1, d2], f16>) -> (!prism.tensor<[d0, d2], f16>) {
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
  prism.candidate "many_rows_0" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[d0, d1], f16>, %w: !prism.tensor<[d1, d2], f16>):
    %r = prism.kernel "k0"(%a = %x, %b = %w) parallel [x grid tile 40, i loop tile 32] : (!prism.tensor<[d0, d1], f16>, !prism.tensor<[d1, d2], f16>) -> !prism.tensor<[d0, d2], f16> {
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
func.func @run_many_rows(%x: tensor<37x96xf16>, %w: tensor<96x80xf16>) -> tensor<37x80xf16> {
  %r = prism.invoke @many_rows(%x, %w) : (tensor<37x96xf16>, tensor<96x80xf16>) -> tensor<37x80xf16>
  return %r : tensor<37x80xf16>
}

prism.program @one_step extents [d0 = 8, d1 = 64, d2 = 64] (%x: !prism.tensor<[d0, d1], f16>, %w: !prism.tensor<[d1, d2], f16>) -> (!prism.tensor<[d0, d2], f16>) {
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
  prism.candidate "one_step_0" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[d0, d1], f16>, %w: !prism.tensor<[d1, d2], f16>):
    %r = prism.kernel "k0"(%a = %x, %b = %w) parallel [x grid tile 128, i loop tile 64] : (!prism.tensor<[d0, d1], f16>, !prism.tensor<[d1, d2], f16>) -> !prism.tensor<[d0, d2], f16> {
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
func.func @run_one_step(%x: tensor<8x64xf16>, %w: tensor<64x64xf16>) -> tensor<8x64xf16> {
  %r = prism.invoke @one_step(%x, %w) : (tensor<8x64xf16>, tensor<64x64xf16>) -> tensor<8x64xf16>
  return %r : tensor<8x64xf16>
}

prism.program @bf16 extents [d0 = 19, d1 = 72, d2 = 40] (%x: !prism.tensor<[d0, d1], bf16>, %w: !prism.tensor<[d1, d2], bf16>) -> (!prism.tensor<[d0, d2], bf16>) {
  %0 = prism.cast %x : (!prism.tensor<[d0, d1], bf16>) -> !prism.tensor<[d0, d1], f32>
  %1 = prism.square %0 : (!prism.tensor<[d0, d1], f32>) -> !prism.tensor<[d0, d1], f32>
  %2 = prism.reduce_sum %1 dims [1] : (!prism.tensor<[d0, d1], f32>) -> !prism.tensor<[d0], f32>
  %3 = prism.constant #prism.extent<d1> -> !prism.tensor<[], f32>
  %4 = prism.div %2, %3 maps [d0], [] -> [d0] : (!prism.tensor<[d0], f32>, !prism.tensor<[], f32>) -> !prism.tensor<[d0], f32>
  %5 = prism.sqrt %4 : (!prism.tensor<[d0], f32>) -> !prism.tensor<[d0], f32>
  %6 = prism.div %0, %5 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[d0, d1], f32>, !prism.tensor<[d0], f32>) -> !prism.tensor<[d0, d1], f32>
  %7 = prism.cast %6 : (!prism.tensor<[d0, d1], f32>) -> !prism.tensor<[d0, d1], bf16>
  %8 = prism.matmul %7, %w : (!prism.tensor<[d0, d1], bf16>, !prism.tensor<[d1, d2], bf16>) -> !prism.tensor<[d0, d2], f32>
  %9 = prism.cast %8 : (!prism.tensor<[d0, d2], f32>) -> !prism.tensor<[d0, d2], bf16>
  prism.yield %9 : !prism.tensor<[d0, d2], bf16>
} candidates {
  prism.candidate "bf16_0" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[d0, d1], bf16>, %w: !prism.tensor<[d1, d2], bf16>):
    %r = prism.kernel "k0"(%a = %x, %b = %w) parallel [x grid tile 24, i loop tile 40] : (!prism.tensor<[d0, d1], bf16>, !prism.tensor<[d1, d2], bf16>) -> !prism.tensor<[d0, d2], bf16> {
      %ta = prism.load %a [[], [i]] : !prism.tensor<[d0, d1], bf16> -> !prism.tile<[d0, d1/i], bf16>
      %tb = prism.load %b [[i], [x]] : !prism.tensor<[d1, d2], bf16> -> !prism.tile<[d1/i, d2/x], bf16>
      %c = prism.cast %ta : (!prism.tile<[d0, d1/i], bf16>) -> !prism.tile<[d0, d1/i], f32>
      %s = prism.square %c : (!prism.tile<[d0, d1/i], f32>) -> !prism.tile<[d0, d1/i], f32>
      %q = prism.reduce_sum %s dims [1] : (!prism.tile<[d0, d1/i], f32>) -> !prism.tile<[d0], f32>
      %m = prism.matmul %ta, %tb : (!prism.tile<[d0, d1/i], bf16>, !prism.tile<[d1/i, d2/x], bf16>) -> !prism.tile<[d0, d2/x], f32>
      %qa = prism.accumulate sum %q over i : !prism.tile<[d0], f32> -> !prism.tile<[d0], f32>
      %ma = prism.accumulate sum %m over i : !prism.tile<[d0, d2/x], f32> -> !prism.tile<[d0, d2/x], f32>
      %n = prism.constant #prism.extent<d1> -> !prism.tile<[], f32>
      %v = prism.div %qa, %n maps [d0], [] -> [d0] : (!prism.tile<[d0], f32>, !prism.tile<[], f32>) -> !prism.tile<[d0], f32>
      %t = prism.sqrt %v : (!prism.tile<[d0], f32>) -> !prism.tile<[d0], f32>
      %u = prism.div %ma, %t maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[d0, d2/x], f32>, !prism.tile<[d0], f32>) -> !prism.tile<[d0, d2/x], f32>
      %o = prism.cast %u : (!prism.tile<[d0, d2/x], f32>) -> !prism.tile<[d0, d2/x], bf16>
      %z = prism.save %o [[], [x]] : !prism.tile<[d0, d2/x], bf16> -> !prism.tensor<[d0, d2], bf16>
      prism.yield %z : !prism.tensor<[d0, d2], bf16>
    }
    prism.yield %r : !prism.tensor<[d0, d2], bf16>
  }
}
func.func @run_bf16(%x: tensor<19x72xbf16>, %w: tensor<72x40xbf16>) -> tensor<19x40xbf16> {
  %r = prism.invoke @bf16(%x, %w) : (tensor<19x72xbf16>, tensor<72x40xbf16>) -> tensor<19x40xbf16>
  return %r : tensor<19x40xbf16>
}

prism.program @f32 extents [d0 = 9, d1 = 70, d2 = 33] (%x: !prism.tensor<[d0, d1], f32>, %w: !prism.tensor<[d1, d2], f32>) -> (!prism.tensor<[d0, d2], f32>) {
  %0 = prism.cast %x : (!prism.tensor<[d0, d1], f32>) -> !prism.tensor<[d0, d1], f32>
  %1 = prism.square %0 : (!prism.tensor<[d0, d1], f32>) -> !prism.tensor<[d0, d1], f32>
  %2 = prism.reduce_sum %1 dims [1] : (!prism.tensor<[d0, d1], f32>) -> !prism.tensor<[d0], f32>
  %3 = prism.constant #prism.extent<d1> -> !prism.tensor<[], f32>
  %4 = prism.div %2, %3 maps [d0], [] -> [d0] : (!prism.tensor<[d0], f32>, !prism.tensor<[], f32>) -> !prism.tensor<[d0], f32>
  %5 = prism.sqrt %4 : (!prism.tensor<[d0], f32>) -> !prism.tensor<[d0], f32>
  %6 = prism.div %0, %5 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[d0, d1], f32>, !prism.tensor<[d0], f32>) -> !prism.tensor<[d0, d1], f32>
  %7 = prism.cast %6 : (!prism.tensor<[d0, d1], f32>) -> !prism.tensor<[d0, d1], f32>
  %8 = prism.matmul %7, %w : (!prism.tensor<[d0, d1], f32>, !prism.tensor<[d1, d2], f32>) -> !prism.tensor<[d0, d2], f32>
  %9 = prism.cast %8 : (!prism.tensor<[d0, d2], f32>) -> !prism.tensor<[d0, d2], f32>
  prism.yield %9 : !prism.tensor<[d0, d2], f32>
} candidates {
  prism.candidate "f32_0" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[d0, d1], f32>, %w: !prism.tensor<[d1, d2], f32>):
    %r = prism.kernel "k0"(%a = %x, %b = %w) parallel [x grid tile 16, i loop tile 24] : (!prism.tensor<[d0, d1], f32>, !prism.tensor<[d1, d2], f32>) -> !prism.tensor<[d0, d2], f32> {
      %ta = prism.load %a [[], [i]] : !prism.tensor<[d0, d1], f32> -> !prism.tile<[d0, d1/i], f32>
      %tb = prism.load %b [[i], [x]] : !prism.tensor<[d1, d2], f32> -> !prism.tile<[d1/i, d2/x], f32>
      %c = prism.cast %ta : (!prism.tile<[d0, d1/i], f32>) -> !prism.tile<[d0, d1/i], f32>
      %s = prism.square %c : (!prism.tile<[d0, d1/i], f32>) -> !prism.tile<[d0, d1/i], f32>
      %q = prism.reduce_sum %s dims [1] : (!prism.tile<[d0, d1/i], f32>) -> !prism.tile<[d0], f32>
      %m = prism.matmul %ta, %tb : (!prism.tile<[d0, d1/i], f32>, !prism.tile<[d1/i, d2/x], f32>) -> !prism.tile<[d0, d2/x], f32>
      %qa = prism.accumulate sum %q over i : !prism.tile<[d0], f32> -> !prism.tile<[d0], f32>
      %ma = prism.accumulate sum %m over i : !prism.tile<[d0, d2/x], f32> -> !prism.tile<[d0, d2/x], f32>
      %n = prism.constant #prism.extent<d1> -> !prism.tile<[], f32>
      %v = prism.div %qa, %n maps [d0], [] -> [d0] : (!prism.tile<[d0], f32>, !prism.tile<[], f32>) -> !prism.tile<[d0], f32>
      %t = prism.sqrt %v : (!prism.tile<[d0], f32>) -> !prism.tile<[d0], f32>
      %u = prism.div %ma, %t maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[d0, d2/x], f32>, !prism.tile<[d0], f32>) -> !prism.tile<[d0, d2/x], f32>
      %o = prism.cast %u : (!prism.tile<[d0, d2/x], f32>) -> !prism.tile<[d0, d2/x], f32>
      %z = prism.save %o [[], [x]] : !prism.tile<[d0, d2/x], f32> -> !prism.tensor<[d0, d2], f32>
      prism.yield %z : !prism.tensor<[d0, d2], f32>
    }
    prism.yield %r : !prism.tensor<[d0, d2], f32>
  }
}
func.func @run_f32(%x: tensor<9x70xf32>, %w: tensor<70x33xf32>) -> tensor<9x33xf32> {
  %r = prism.invoke @f32(%x, %w) : (tensor<9x70xf32>, tensor<70x33xf32>) -> tensor<9x33xf32>
  return %r : tensor<9x33xf32>
}

prism.program @tall extents [d0 = 64, d1 = 128, d2 = 96] (%x: !prism.tensor<[d0, d1], f16>, %w: !prism.tensor<[d1, d2], f16>) -> (!prism.tensor<[d0, d2], f16>) {
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
  prism.candidate "tall_0" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[d0, d1], f16>, %w: !prism.tensor<[d1, d2], f16>):
    %r = prism.kernel "k0"(%a = %x, %b = %w) parallel [x grid tile 48, i loop tile 32] : (!prism.tensor<[d0, d1], f16>, !prism.tensor<[d1, d2], f16>) -> !prism.tensor<[d0, d2], f16> {
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
func.func @run_tall(%x: tensor<64x128xf16>, %w: tensor<128x96xf16>) -> tensor<64x96xf16> {
  %r = prism.invoke @tall(%x, %w) : (tensor<64x128xf16>, tensor<128x96xf16>) -> tensor<64x96xf16>
  return %r : tensor<64x96xf16>
}
