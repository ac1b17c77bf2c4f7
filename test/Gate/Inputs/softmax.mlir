// Attention that subtracts its maximum.
module {
  func.func @attention_stable(%arg0: tensor<1x8x32xf16>, %arg1: tensor<1x96x32xf16>, %arg2: tensor<1x96x32xf16>) -> tensor<1x8x32xf16> {
    %cst0 = arith.constant 0.000000e+00 : f32
    %cst1 = arith.constant 1.767767e-01 : f32
    %cst2 = arith.constant 0xFF800000 : f32
    %cst3 = arith.constant 0.000000e+00 : f32
    %cst4 = arith.constant 0.000000e+00 : f32
    %1 = tensor.empty() : tensor<1x8x96xf32>
    %2 = linalg.fill ins(%cst0 : f32) outs(%1 : tensor<1x8x96xf32>) -> tensor<1x8x96xf32>
    %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<1x8x32xf16>, tensor<1x96x32xf16>) outs(%2 : tensor<1x8x96xf32>) {
    ^bb0(%i0: f16, %i1: f16, %o: f32):
      %x0 = arith.extf %i0 : f16 to f32
      %x1 = arith.extf %i1 : f16 to f32
      %p = arith.mulf %x0, %x1 : f32
      %r = arith.addf %p, %o : f32
      linalg.yield %r : f32
    } -> tensor<1x8x96xf32>
    %4 = tensor.empty() : tensor<1x8x96xf32>
    %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3 : tensor<1x8x96xf32>) outs(%4 : tensor<1x8x96xf32>) {
    ^bb0(%i0: f32, %o: f32):
      %r = arith.mulf %i0, %cst1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x96xf32>
    %6 = tensor.empty() : tensor<1x8x1xf32>
    %7 = linalg.fill ins(%cst2 : f32) outs(%6 : tensor<1x8x1xf32>) -> tensor<1x8x1xf32>
    %8 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%5 : tensor<1x8x96xf32>) outs(%7 : tensor<1x8x1xf32>) {
    ^bb0(%i0: f32, %o: f32):
      %r = arith.maximumf %i0, %o : f32
      linalg.yield %r : f32
    } -> tensor<1x8x1xf32>
    %9 = tensor.empty() : tensor<1x8x96xf32>
    %10 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5, %8 : tensor<1x8x96xf32>, tensor<1x8x1xf32>) outs(%9 : tensor<1x8x96xf32>) {
    ^bb0(%i0: f32, %i1: f32, %o: f32):
      %r = arith.subf %i0, %i1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x96xf32>
    %11 = tensor.empty() : tensor<1x8x96xf32>
    %12 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<1x8x96xf32>) outs(%11 : tensor<1x8x96xf32>) {
    ^bb0(%i0: f32, %o: f32):
      %r = math.exp %i0 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x96xf32>
    %13 = tensor.empty() : tensor<1x8x1xf32>
    %14 = linalg.fill ins(%cst3 : f32) outs(%13 : tensor<1x8x1xf32>) -> tensor<1x8x1xf32>
    %15 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%12 : tensor<1x8x96xf32>) outs(%14 : tensor<1x8x1xf32>) {
    ^bb0(%i0: f32, %o: f32):
      %r = arith.addf %i0, %o : f32
      linalg.yield %r : f32
    } -> tensor<1x8x1xf32>
    %16 = tensor.empty() : tensor<1x8x96xf32>
    %17 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12, %15 : tensor<1x8x96xf32>, tensor<1x8x1xf32>) outs(%16 : tensor<1x8x96xf32>) {
    ^bb0(%i0: f32, %i1: f32, %o: f32):
      %r = arith.divf %i0, %i1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x96xf32>
    %18 = tensor.empty() : tensor<1x8x96xf16>
    %19 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<1x8x96xf32>) outs(%18 : tensor<1x8x96xf16>) {
    ^bb0(%i0: f32, %o: f16):
      %r = arith.truncf %i0 : f32 to f16
      linalg.yield %r : f16
    } -> tensor<1x8x96xf16>
    %20 = tensor.empty() : tensor<1x8x32xf32>
    %21 = linalg.fill ins(%cst4 : f32) outs(%20 : tensor<1x8x32xf32>) -> tensor<1x8x32xf32>
    %22 = linalg.batch_matmul ins(%19, %arg2 : tensor<1x8x96xf16>, tensor<1x96x32xf16>) outs(%21 : tensor<1x8x32xf32>) -> tensor<1x8x32xf32>
    %23 = tensor.empty() : tensor<1x8x32xf16>
    %24 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<1x8x32xf32>) outs(%23 : tensor<1x8x32xf16>) {
    ^bb0(%i0: f32, %o: f16):
      %r = arith.truncf %i0 : f32 to f16
      linalg.yield %r : f16
    } -> tensor<1x8x32xf16>
    return %24 : tensor<1x8x32xf16>
  }
}
