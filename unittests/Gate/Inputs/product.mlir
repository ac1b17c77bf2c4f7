// A product whose sum is split over blocks; the second kernel adds the parts.
// 7 rows, so that rows of fragments are masked.
prism.program @product extents [d0 = 7, d1 = 1000, d2 = 64] (%x: !prism.tensor<[d0, d1], f16>, %w: !prism.tensor<[d1, d2], f16>) -> (!prism.tensor<[d0, d2], f16>) {
  %0 = prism.matmul %x, %w : (!prism.tensor<[d0, d1], f16>, !prism.tensor<[d1, d2], f16>) -> !prism.tensor<[d0, d2], f32>
  %1 = prism.cast %0 : (!prism.tensor<[d0, d2], f32>) -> !prism.tensor<[d0, d2], f16>
  prism.yield %1 : !prism.tensor<[d0, d2], f16>
} candidates {
  prism.candidate "product_0" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[d0, d1], f16>, %w: !prism.tensor<[d1, d2], f16>):
    %p = prism.kernel "k0"(%a = %x, %b = %w) parallel [x grid tile 32, s grid tile 256, i loop tile 32] : (!prism.tensor<[d0, d1], f16>, !prism.tensor<[d1, d2], f16>) -> !prism.tensor<[k0.s, d0, d2], f32> {
      %ta = prism.load %a [[], [s, i]] : !prism.tensor<[d0, d1], f16> -> !prism.tile<[d0, d1/s/i], f16>
      %tb = prism.load %b [[s, i], [x]] : !prism.tensor<[d1, d2], f16> -> !prism.tile<[d1/s/i, d2/x], f16>
      %m = prism.matmul %ta, %tb : (!prism.tile<[d0, d1/s/i], f16>, !prism.tile<[d1/s/i, d2/x], f16>) -> !prism.tile<[d0, d2/x], f32>
      %ma = prism.accumulate sum %m over i : !prism.tile<[d0, d2/x], f32> -> !prism.tile<[d0, d2/x], f32>
      %z = prism.save %ma [[], [x]] partials [s] : !prism.tile<[d0, d2/x], f32> -> !prism.tensor<[k0.s, d0, d2], f32>
      prism.yield %z : !prism.tensor<[k0.s, d0, d2], f32>
    }
    %r = prism.kernel "k1"(%a = %p) parallel [x grid tile 16, y grid tile 1] : (!prism.tensor<[k0.s, d0, d2], f32>) -> !prism.tensor<[d0, d2], f16> {
      %ta = prism.load %a [[], [y], [x]] : !prism.tensor<[k0.s, d0, d2], f32> -> !prism.tile<[k0.s, d0/y, d2/x], f32>
      %s = prism.reduce_sum %ta dims [0] : (!prism.tile<[k0.s, d0/y, d2/x], f32>) -> !prism.tile<[d0/y, d2/x], f32>
      %c = prism.cast %s : (!prism.tile<[d0/y, d2/x], f32>) -> !prism.tile<[d0/y, d2/x], f16>
      %z = prism.save %c [[y], [x]] : !prism.tile<[d0/y, d2/x], f16> -> !prism.tensor<[d0, d2], f16>
      prism.yield %z : !prism.tensor<[d0, d2], f16>
    }
    prism.yield %r : !prism.tensor<[d0, d2], f16>
  }
}
