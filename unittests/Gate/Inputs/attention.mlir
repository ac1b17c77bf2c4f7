// Flash decoding: maxima, rescaled sums and sums of exponentials of the parts in
// the first kernel, put together in the second.
prism.program @attention extents [d0 = 2, d1 = 8, d2 = 64, d3 = 1000, d4 = 64] (%arg0: !prism.tensor<[d0, d1, d2], f16>, %arg1: !prism.tensor<[d0, d3, d2], f16>, %arg2: !prism.tensor<[d0, d3, d4], f16>) -> (!prism.tensor<[d0, d1, d4], f16>) {
  %0 = prism.matmul %arg0, %arg1 maps [d0, d1, d3], [d0, d2, d3] -> [d0, d1, d2] : (!prism.tensor<[d0, d1, d2], f16>, !prism.tensor<[d0, d3, d2], f16>) -> !prism.tensor<[d0, d1, d3], f32>
  %1 = prism.constant 0.0883883535 : f32 -> !prism.tensor<[], f32>
  %2 = prism.mul %0, %1 maps [d0, d1, d2], [] -> [d0, d1, d2] : (!prism.tensor<[d0, d1, d3], f32>, !prism.tensor<[], f32>) -> !prism.tensor<[d0, d1, d3], f32>
  %3 = prism.reduce_max %2 dims [2] : (!prism.tensor<[d0, d1, d3], f32>) -> !prism.tensor<[d0, d1], f32>
  %4 = prism.sub %2, %3 maps [d0, d1, d2], [d0, d1] -> [d0, d1, d2] : (!prism.tensor<[d0, d1, d3], f32>, !prism.tensor<[d0, d1], f32>) -> !prism.tensor<[d0, d1, d3], f32>
  %5 = prism.exp %4 : (!prism.tensor<[d0, d1, d3], f32>) -> !prism.tensor<[d0, d1, d3], f32>
  %6 = prism.reduce_sum %5 dims [2] : (!prism.tensor<[d0, d1, d3], f32>) -> !prism.tensor<[d0, d1], f32>
  %7 = prism.div %5, %6 maps [d0, d1, d2], [d0, d1] -> [d0, d1, d2] : (!prism.tensor<[d0, d1, d3], f32>, !prism.tensor<[d0, d1], f32>) -> !prism.tensor<[d0, d1, d3], f32>
  %8 = prism.cast %7 : (!prism.tensor<[d0, d1, d3], f32>) -> !prism.tensor<[d0, d1, d3], f16>
  %9 = prism.matmul %8, %arg2 : (!prism.tensor<[d0, d1, d3], f16>, !prism.tensor<[d0, d3, d4], f16>) -> !prism.tensor<[d0, d1, d4], f32>
  %10 = prism.cast %9 : (!prism.tensor<[d0, d1, d4], f32>) -> !prism.tensor<[d0, d1, d4], f16>
  prism.yield %10 : !prism.tensor<[d0, d1, d4], f16>
} candidates {
  prism.candidate "attention_stable_0_12" sized verdict Proved {
  ^bb0(%arg0: !prism.tensor<[d0, d1, d2], f16>, %arg1: !prism.tensor<[d0, d3, d2], f16>, %arg2: !prism.tensor<[d0, d3, d4], f16>):
    %0:3 = prism.kernel "k0"(%arg3 = %arg0, %arg4 = %arg1, %arg5 = %arg2) parallel [x grid tile 32, y grid tile 8, z grid tile 1, s grid tile 256, i loop tile 64] : (!prism.tensor<[d0, d1, d2], f16>, !prism.tensor<[d0, d3, d2], f16>, !prism.tensor<[d0, d3, d4], f16>) -> (!prism.tensor<[k0.s, d0, d1], f32>, !prism.tensor<[k0.s, d0, d1, d4], f32>, !prism.tensor<[k0.s, d0, d1], f32>) {
      %2 = prism.load %arg3 [[z], [y], []] : !prism.tensor<[d0, d1, d2], f16> -> !prism.tile<[d0/z, d1/y, d2], f16>
      %3 = prism.load %arg4 [[z], [s, i], []] : !prism.tensor<[d0, d3, d2], f16> -> !prism.tile<[d0/z, d3/s/i, d2], f16>
      %4 = prism.load %arg5 [[z], [s, i], [x]] : !prism.tensor<[d0, d3, d4], f16> -> !prism.tile<[d0/z, d3/s/i, d4/x], f16>
      %5 = prism.matmul %2, %3 maps [d0, d1, d3], [d0, d2, d3] -> [d0, d1, d2] : (!prism.tile<[d0/z, d1/y, d2], f16>, !prism.tile<[d0/z, d3/s/i, d2], f16>) -> !prism.tile<[d0/z, d1/y, d3/s/i], f32>
      %6 = prism.constant 0.0883883535 : f32 -> !prism.tile<[], f32>
      %7 = prism.mul %5, %6 maps [d0, d1, d2], [] -> [d0, d1, d2] : (!prism.tile<[d0/z, d1/y, d3/s/i], f32>, !prism.tile<[], f32>) -> !prism.tile<[d0/z, d1/y, d3/s/i], f32>
      %8 = prism.reduce_max %7 dims [2] : (!prism.tile<[d0/z, d1/y, d3/s/i], f32>) -> !prism.tile<[d0/z, d1/y], f32>
      %9 = prism.sub %7, %8 maps [d0, d1, d2], [d0, d1] -> [d0, d1, d2] : (!prism.tile<[d0/z, d1/y, d3/s/i], f32>, !prism.tile<[d0/z, d1/y], f32>) -> !prism.tile<[d0/z, d1/y, d3/s/i], f32>
      %10 = prism.exp %9 : (!prism.tile<[d0/z, d1/y, d3/s/i], f32>) -> !prism.tile<[d0/z, d1/y, d3/s/i], f32>
      %11 = prism.cast %10 : (!prism.tile<[d0/z, d1/y, d3/s/i], f32>) -> !prism.tile<[d0/z, d1/y, d3/s/i], f16>
      %12 = prism.matmul %11, %4 : (!prism.tile<[d0/z, d1/y, d3/s/i], f16>, !prism.tile<[d0/z, d3/s/i, d4/x], f16>) -> !prism.tile<[d0/z, d1/y, d4/x], f32>
      %13 = prism.reduce_sum %10 dims [2] : (!prism.tile<[d0/z, d1/y, d3/s/i], f32>) -> !prism.tile<[d0/z, d1/y], f32>
      %14 = prism.accumulate max %8 over i : !prism.tile<[d0/z, d1/y], f32> -> !prism.tile<[d0/z, d1/y], f32>
      %15 = prism.accumulate rescaled_sum %12 shift %8 over i maps [d0, d1, d2], [d0, d1] -> [d0, d1, d2] : !prism.tile<[d0/z, d1/y, d4/x], f32>, !prism.tile<[d0/z, d1/y], f32> -> !prism.tile<[d0/z, d1/y, d4/x], f32>
      %16 = prism.accumulate rescaled_sum %13 shift %8 over i maps [d0, d1], [d0, d1] -> [d0, d1] : !prism.tile<[d0/z, d1/y], f32>, !prism.tile<[d0/z, d1/y], f32> -> !prism.tile<[d0/z, d1/y], f32>
      %17 = prism.save %14 [[z], [y]] partials [s] : !prism.tile<[d0/z, d1/y], f32> -> !prism.tensor<[k0.s, d0, d1], f32>
      %18 = prism.save %15 [[z], [y], [x]] partials [s] : !prism.tile<[d0/z, d1/y, d4/x], f32> -> !prism.tensor<[k0.s, d0, d1, d4], f32>
      %19 = prism.save %16 [[z], [y]] partials [s] : !prism.tile<[d0/z, d1/y], f32> -> !prism.tensor<[k0.s, d0, d1], f32>
      prism.yield %17, %18, %19 : !prism.tensor<[k0.s, d0, d1], f32>, !prism.tensor<[k0.s, d0, d1, d4], f32>, !prism.tensor<[k0.s, d0, d1], f32>
    }
    %1 = prism.kernel "k1"(%arg3 = %0#0, %arg4 = %0#1, %arg5 = %0#2) parallel [x grid tile 8, y grid tile 8, z grid tile 1] : (!prism.tensor<[k0.s, d0, d1], f32>, !prism.tensor<[k0.s, d0, d1, d4], f32>, !prism.tensor<[k0.s, d0, d1], f32>) -> !prism.tensor<[d0, d1, d4], f16> {
      %2 = prism.load %arg3 [[], [z], [y]] : !prism.tensor<[k0.s, d0, d1], f32> -> !prism.tile<[k0.s, d0/z, d1/y], f32>
      %3 = prism.load %arg4 [[], [z], [y], [x]] : !prism.tensor<[k0.s, d0, d1, d4], f32> -> !prism.tile<[k0.s, d0/z, d1/y, d4/x], f32>
      %4 = prism.load %arg5 [[], [z], [y]] : !prism.tensor<[k0.s, d0, d1], f32> -> !prism.tile<[k0.s, d0/z, d1/y], f32>
      %5 = prism.reduce_max %2 dims [0] : (!prism.tile<[k0.s, d0/z, d1/y], f32>) -> !prism.tile<[d0/z, d1/y], f32>
      %6 = prism.sub %2, %5 maps [d0, d1, d2], [d1, d2] -> [d0, d1, d2] : (!prism.tile<[k0.s, d0/z, d1/y], f32>, !prism.tile<[d0/z, d1/y], f32>) -> !prism.tile<[k0.s, d0/z, d1/y], f32>
      %7 = prism.exp %6 : (!prism.tile<[k0.s, d0/z, d1/y], f32>) -> !prism.tile<[k0.s, d0/z, d1/y], f32>
      %8 = prism.mul %3, %7 maps [d0, d1, d2, d3], [d0, d1, d2] -> [d0, d1, d2, d3] : (!prism.tile<[k0.s, d0/z, d1/y, d4/x], f32>, !prism.tile<[k0.s, d0/z, d1/y], f32>) -> !prism.tile<[k0.s, d0/z, d1/y, d4/x], f32>
      %9 = prism.reduce_sum %8 dims [0] : (!prism.tile<[k0.s, d0/z, d1/y, d4/x], f32>) -> !prism.tile<[d0/z, d1/y, d4/x], f32>
      %10 = prism.mul %4, %7 maps [d0, d1, d2], [d0, d1, d2] -> [d0, d1, d2] : (!prism.tile<[k0.s, d0/z, d1/y], f32>, !prism.tile<[k0.s, d0/z, d1/y], f32>) -> !prism.tile<[k0.s, d0/z, d1/y], f32>
      %11 = prism.reduce_sum %10 dims [0] : (!prism.tile<[k0.s, d0/z, d1/y], f32>) -> !prism.tile<[d0/z, d1/y], f32>
      %12 = prism.div %9, %11 maps [d0, d1, d2], [d0, d1] -> [d0, d1, d2] : (!prism.tile<[d0/z, d1/y, d4/x], f32>, !prism.tile<[d0/z, d1/y], f32>) -> !prism.tile<[d0/z, d1/y, d4/x], f32>
      %13 = prism.cast %12 : (!prism.tile<[d0/z, d1/y, d4/x], f32>) -> !prism.tile<[d0/z, d1/y, d4/x], f16>
      %14 = prism.save %13 [[z], [y], [x]] : !prism.tile<[d0/z, d1/y, d4/x], f16> -> !prism.tensor<[d0, d1, d4], f16>
      prism.yield %14 : !prism.tensor<[d0, d1, d4], f16>
    }
    prism.yield %1 : !prism.tensor<[d0, d1, d4], f16>
  }
}
