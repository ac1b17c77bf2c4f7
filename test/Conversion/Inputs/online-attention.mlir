// Attention with an added mask, over a maximum that runs along with the loop
// (ROWS, KEYS, TILE, ITILE, WIDTH, TYPE): schema S6 in one kernel; and the same split
// over keys, with a second kernel that puts the parts together (STILE).
prism.program @online extents [n = ROWS, e = 32, s = KEYS, v = WIDTH] (%q: !prism.tensor<[n, e], TYPE>, %k: !prism.tensor<[s, e], TYPE>, %w: !prism.tensor<[s, v], TYPE>, %m: !prism.tensor<[n, s], f32>) -> (!prism.tensor<[n, v], TYPE>) {
  %0 = prism.matmul %q, %k maps [d0, d2], [d1, d2] -> [d0, d1] : (!prism.tensor<[n, e], TYPE>, !prism.tensor<[s, e], TYPE>) -> !prism.tensor<[n, s], f32>
  %1 = prism.add %0, %m : (!prism.tensor<[n, s], f32>, !prism.tensor<[n, s], f32>) -> !prism.tensor<[n, s], f32>
  %2 = prism.reduce_max %1 dims [1] : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n], f32>
  %3 = prism.sub %1, %2 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, s], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, s], f32>
  %4 = prism.exp %3 : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n, s], f32>
  %5 = prism.reduce_sum %4 dims [1] : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n], f32>
  %6 = prism.div %4, %5 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, s], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, s], f32>
  %7 = prism.cast %6 : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n, s], TYPE>
  %8 = prism.matmul %7, %w : (!prism.tensor<[n, s], TYPE>, !prism.tensor<[s, v], TYPE>) -> !prism.tensor<[n, v], f32>
  %9 = prism.cast %8 : (!prism.tensor<[n, v], f32>) -> !prism.tensor<[n, v], TYPE>
  prism.yield %9 : !prism.tensor<[n, v], TYPE>
} candidates {
  prism.candidate "online_0" sized verdict Proved {
  ^bb0(%q: !prism.tensor<[n, e], TYPE>, %k: !prism.tensor<[s, e], TYPE>, %w: !prism.tensor<[s, v], TYPE>, %m: !prism.tensor<[n, s], f32>):
    %r = prism.kernel "k0"(%a = %q, %b = %k, %c = %w, %d = %m) parallel [x grid tile TILE, i loop tile ITILE] : (!prism.tensor<[n, e], TYPE>, !prism.tensor<[s, e], TYPE>, !prism.tensor<[s, v], TYPE>, !prism.tensor<[n, s], f32>) -> !prism.tensor<[n, v], TYPE> {
      %ta = prism.load %a [[x], []] : !prism.tensor<[n, e], TYPE> -> !prism.tile<[n/x, e], TYPE>
      %tb = prism.load %b [[i], []] : !prism.tensor<[s, e], TYPE> -> !prism.tile<[s/i, e], TYPE>
      %tc = prism.load %c [[i], []] : !prism.tensor<[s, v], TYPE> -> !prism.tile<[s/i, v], TYPE>
      %td = prism.load %d [[x], [i]] : !prism.tensor<[n, s], f32> -> !prism.tile<[n/x, s/i], f32>
      %0 = prism.matmul %ta, %tb maps [d0, d2], [d1, d2] -> [d0, d1] : (!prism.tile<[n/x, e], TYPE>, !prism.tile<[s/i, e], TYPE>) -> !prism.tile<[n/x, s/i], f32>
      %1 = prism.add %0, %td : (!prism.tile<[n/x, s/i], f32>, !prism.tile<[n/x, s/i], f32>) -> !prism.tile<[n/x, s/i], f32>
      %2 = prism.reduce_max %1 dims [1] : (!prism.tile<[n/x, s/i], f32>) -> !prism.tile<[n/x], f32>
      %3 = prism.sub %1, %2 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/x, s/i], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x, s/i], f32>
      %4 = prism.exp %3 : (!prism.tile<[n/x, s/i], f32>) -> !prism.tile<[n/x, s/i], f32>
      %5 = prism.cast %4 : (!prism.tile<[n/x, s/i], f32>) -> !prism.tile<[n/x, s/i], TYPE>
      %6 = prism.matmul %5, %tc : (!prism.tile<[n/x, s/i], TYPE>, !prism.tile<[s/i, v], TYPE>) -> !prism.tile<[n/x, v], f32>
      %7 = prism.reduce_sum %4 dims [1] : (!prism.tile<[n/x, s/i], f32>) -> !prism.tile<[n/x], f32>
      %8 = prism.accumulate rescaled_sum %6 shift %2 over i maps [d0, d1], [d0] -> [d0, d1] : !prism.tile<[n/x, v], f32>, !prism.tile<[n/x], f32> -> !prism.tile<[n/x, v], f32>
      %9 = prism.accumulate rescaled_sum %7 shift %2 over i maps [d0], [d0] -> [d0] : !prism.tile<[n/x], f32>, !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f32>
      %10 = prism.div %8, %9 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/x, v], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x, v], f32>
      %11 = prism.cast %10 : (!prism.tile<[n/x, v], f32>) -> !prism.tile<[n/x, v], TYPE>
      %12 = prism.save %11 [[x], []] : !prism.tile<[n/x, v], TYPE> -> !prism.tensor<[n, v], TYPE>
      prism.yield %12 : !prism.tensor<[n, v], TYPE>
    }
    prism.yield %r : !prism.tensor<[n, v], TYPE>
  }
}
func.func @run_online(%q: tensor<ROWSx32xTYPE>, %k: tensor<KEYSx32xTYPE>, %w: tensor<KEYSxWIDTHxTYPE>, %m: tensor<ROWSxKEYSxf32>) -> tensor<ROWSxWIDTHxTYPE> {
  %r = prism.invoke @online(%q, %k, %w, %m) : (tensor<ROWSx32xTYPE>, tensor<KEYSx32xTYPE>, tensor<KEYSxWIDTHxTYPE>, tensor<ROWSxKEYSxf32>) -> tensor<ROWSxWIDTHxTYPE>
  return %r : tensor<ROWSxWIDTHxTYPE>
}

prism.program @decoding extents [n = ROWS, e = 32, s = KEYS, v = WIDTH] (%q: !prism.tensor<[n, e], TYPE>, %k: !prism.tensor<[s, e], TYPE>, %w: !prism.tensor<[s, v], TYPE>, %m: !prism.tensor<[n, s], f32>) -> (!prism.tensor<[n, v], TYPE>) {
  %0 = prism.matmul %q, %k maps [d0, d2], [d1, d2] -> [d0, d1] : (!prism.tensor<[n, e], TYPE>, !prism.tensor<[s, e], TYPE>) -> !prism.tensor<[n, s], f32>
  %1 = prism.add %0, %m : (!prism.tensor<[n, s], f32>, !prism.tensor<[n, s], f32>) -> !prism.tensor<[n, s], f32>
  %2 = prism.reduce_max %1 dims [1] : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n], f32>
  %3 = prism.sub %1, %2 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, s], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, s], f32>
  %4 = prism.exp %3 : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n, s], f32>
  %5 = prism.reduce_sum %4 dims [1] : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n], f32>
  %6 = prism.div %4, %5 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, s], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, s], f32>
  %7 = prism.cast %6 : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n, s], TYPE>
  %8 = prism.matmul %7, %w : (!prism.tensor<[n, s], TYPE>, !prism.tensor<[s, v], TYPE>) -> !prism.tensor<[n, v], f32>
  %9 = prism.cast %8 : (!prism.tensor<[n, v], f32>) -> !prism.tensor<[n, v], TYPE>
  prism.yield %9 : !prism.tensor<[n, v], TYPE>
} candidates {
  prism.candidate "decoding_0" sized verdict Proved {
  ^bb0(%q: !prism.tensor<[n, e], TYPE>, %k: !prism.tensor<[s, e], TYPE>, %w: !prism.tensor<[s, v], TYPE>, %m: !prism.tensor<[n, s], f32>):
    %p:3 = prism.kernel "k0"(%a = %q, %b = %k, %c = %w, %d = %m) parallel [y grid tile STILE, i loop tile ITILE] : (!prism.tensor<[n, e], TYPE>, !prism.tensor<[s, e], TYPE>, !prism.tensor<[s, v], TYPE>, !prism.tensor<[n, s], f32>) -> (!prism.tensor<[k0.y, n], f32>, !prism.tensor<[k0.y, n, v], f32>, !prism.tensor<[k0.y, n], f32>) {
      %ta = prism.load %a [[], []] : !prism.tensor<[n, e], TYPE> -> !prism.tile<[n, e], TYPE>
      %tb = prism.load %b [[y, i], []] : !prism.tensor<[s, e], TYPE> -> !prism.tile<[s/y/i, e], TYPE>
      %tc = prism.load %c [[y, i], []] : !prism.tensor<[s, v], TYPE> -> !prism.tile<[s/y/i, v], TYPE>
      %td = prism.load %d [[], [y, i]] : !prism.tensor<[n, s], f32> -> !prism.tile<[n, s/y/i], f32>
      %0 = prism.matmul %ta, %tb maps [d0, d2], [d1, d2] -> [d0, d1] : (!prism.tile<[n, e], TYPE>, !prism.tile<[s/y/i, e], TYPE>) -> !prism.tile<[n, s/y/i], f32>
      %1 = prism.add %0, %td : (!prism.tile<[n, s/y/i], f32>, !prism.tile<[n, s/y/i], f32>) -> !prism.tile<[n, s/y/i], f32>
      %2 = prism.reduce_max %1 dims [1] : (!prism.tile<[n, s/y/i], f32>) -> !prism.tile<[n], f32>
      %3 = prism.sub %1, %2 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n, s/y/i], f32>, !prism.tile<[n], f32>) -> !prism.tile<[n, s/y/i], f32>
      %4 = prism.exp %3 : (!prism.tile<[n, s/y/i], f32>) -> !prism.tile<[n, s/y/i], f32>
      %5 = prism.cast %4 : (!prism.tile<[n, s/y/i], f32>) -> !prism.tile<[n, s/y/i], TYPE>
      %6 = prism.matmul %5, %tc : (!prism.tile<[n, s/y/i], TYPE>, !prism.tile<[s/y/i, v], TYPE>) -> !prism.tile<[n, v], f32>
      %7 = prism.reduce_sum %4 dims [1] : (!prism.tile<[n, s/y/i], f32>) -> !prism.tile<[n], f32>
      %8 = prism.accumulate max %2 over i : !prism.tile<[n], f32> -> !prism.tile<[n], f32>
      %9 = prism.accumulate rescaled_sum %6 shift %2 over i maps [d0, d1], [d0] -> [d0, d1] : !prism.tile<[n, v], f32>, !prism.tile<[n], f32> -> !prism.tile<[n, v], f32>
      %10 = prism.accumulate rescaled_sum %7 shift %2 over i maps [d0], [d0] -> [d0] : !prism.tile<[n], f32>, !prism.tile<[n], f32> -> !prism.tile<[n], f32>
      %11 = prism.save %8 [[]] partials [y] : !prism.tile<[n], f32> -> !prism.tensor<[k0.y, n], f32>
      %12 = prism.save %9 [[], []] partials [y] : !prism.tile<[n, v], f32> -> !prism.tensor<[k0.y, n, v], f32>
      %13 = prism.save %10 [[]] partials [y] : !prism.tile<[n], f32> -> !prism.tensor<[k0.y, n], f32>
      prism.yield %11, %12, %13 : !prism.tensor<[k0.y, n], f32>, !prism.tensor<[k0.y, n, v], f32>, !prism.tensor<[k0.y, n], f32>
    }
    %r = prism.kernel "k1"(%a = %p#0, %b = %p#1, %c = %p#2) parallel [x grid tile 8] : (!prism.tensor<[k0.y, n], f32>, !prism.tensor<[k0.y, n, v], f32>, !prism.tensor<[k0.y, n], f32>) -> !prism.tensor<[n, v], TYPE> {
      %ta = prism.load %a [[], [x]] : !prism.tensor<[k0.y, n], f32> -> !prism.tile<[k0.y, n/x], f32>
      %tb = prism.load %b [[], [x], []] : !prism.tensor<[k0.y, n, v], f32> -> !prism.tile<[k0.y, n/x, v], f32>
      %tc = prism.load %c [[], [x]] : !prism.tensor<[k0.y, n], f32> -> !prism.tile<[k0.y, n/x], f32>
      %0 = prism.reduce_max %ta dims [0] : (!prism.tile<[k0.y, n/x], f32>) -> !prism.tile<[n/x], f32>
      %1 = prism.sub %ta, %0 maps [d0, d1], [d1] -> [d0, d1] : (!prism.tile<[k0.y, n/x], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[k0.y, n/x], f32>
      %2 = prism.exp %1 : (!prism.tile<[k0.y, n/x], f32>) -> !prism.tile<[k0.y, n/x], f32>
      %3 = prism.mul %tb, %2 maps [d0, d1, d2], [d0, d1] -> [d0, d1, d2] : (!prism.tile<[k0.y, n/x, v], f32>, !prism.tile<[k0.y, n/x], f32>) -> !prism.tile<[k0.y, n/x, v], f32>
      %4 = prism.reduce_sum %3 dims [0] : (!prism.tile<[k0.y, n/x, v], f32>) -> !prism.tile<[n/x, v], f32>
      %5 = prism.mul %tc, %2 : (!prism.tile<[k0.y, n/x], f32>, !prism.tile<[k0.y, n/x], f32>) -> !prism.tile<[k0.y, n/x], f32>
      %6 = prism.reduce_sum %5 dims [0] : (!prism.tile<[k0.y, n/x], f32>) -> !prism.tile<[n/x], f32>
      %7 = prism.div %4, %6 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/x, v], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x, v], f32>
      %8 = prism.cast %7 : (!prism.tile<[n/x, v], f32>) -> !prism.tile<[n/x, v], TYPE>
      %9 = prism.save %8 [[x], []] : !prism.tile<[n/x, v], TYPE> -> !prism.tensor<[n, v], TYPE>
      prism.yield %9 : !prism.tensor<[n, v], TYPE>
    }
    prism.yield %r : !prism.tensor<[n, v], TYPE>
  }
}
func.func @run_decoding(%q: tensor<ROWSx32xTYPE>, %k: tensor<KEYSx32xTYPE>, %w: tensor<KEYSxWIDTHxTYPE>, %m: tensor<ROWSxKEYSxf32>) -> tensor<ROWSxWIDTHxTYPE> {
  %r = prism.invoke @decoding(%q, %k, %w, %m) : (tensor<ROWSx32xTYPE>, tensor<KEYSx32xTYPE>, tensor<KEYSxWIDTHxTYPE>, tensor<ROWSxKEYSxf32>) -> tensor<ROWSxWIDTHxTYPE>
  return %r : tensor<ROWSxWIDTHxTYPE>
}
