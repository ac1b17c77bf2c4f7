module {
  func.func @qk_attention(%arg0: tensor<2x8x128xf16>, %arg1: tensor<2x8192x128xf16>, %arg2: tensor<2x8192x128xf16>) -> tensor<2x8x128xf16> {
    %cst0 = arith.constant 0.000000e+00 : f32
    %cst1 = arith.constant 1.280000e+02 : f32
    %cst2 = arith.constant 0.000000e+00 : f32
    %cst3 = arith.constant 0.000000e+00 : f32
    %cst4 = arith.constant 0.000000e+00 : f32
    %1 = tensor.empty() : tensor<2x8x128xf32>
    %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x8x128xf16>) outs(%1 : tensor<2x8x128xf32>) {
    ^bb0(%i0: f16, %o: f32):
      %r = arith.extf %i0 : f16 to f32
      linalg.yield %r : f32
    } -> tensor<2x8x128xf32>
    %3 = tensor.empty() : tensor<2x8x128xf32>
    %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<2x8x128xf32>) outs(%3 : tensor<2x8x128xf32>) {
    ^bb0(%i0: f32, %o: f32):
      %r = arith.mulf %i0, %i0 : f32
      linalg.yield %r : f32
    } -> tensor<2x8x128xf32>
    %5 = tensor.empty() : tensor<2x8x1xf32>
    %6 = linalg.fill ins(%cst0 : f32) outs(%5 : tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %7 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%4 : tensor<2x8x128xf32>) outs(%6 : tensor<2x8x1xf32>) {
    ^bb0(%i0: f32, %o: f32):
      %r = arith.addf %i0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x8x1xf32>
    %8 = tensor.empty() : tensor<2x8x1xf32>
    %9 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<2x8x1xf32>) outs(%8 : tensor<2x8x1xf32>) {
    ^bb0(%i0: f32, %o: f32):
      %r = arith.divf %i0, %cst1 : f32
      linalg.yield %r : f32
    } -> tensor<2x8x1xf32>
    %10 = tensor.empty() : tensor<2x8x1xf32>
    %11 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<2x8x1xf32>) outs(%10 : tensor<2x8x1xf32>) {
    ^bb0(%i0: f32, %o: f32):
      %r = math.sqrt %i0 : f32
      linalg.yield %r : f32
    } -> tensor<2x8x1xf32>
    %12 = tensor.empty() : tensor<2x8x128xf32>
    %13 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2, %11 : tensor<2x8x128xf32>, tensor<2x8x1xf32>) outs(%12 : tensor<2x8x128xf32>) {
    ^bb0(%i0: f32, %i1: f32, %o: f32):
      %r = arith.divf %i0, %i1 : f32
      linalg.yield %r : f32
    } -> tensor<2x8x128xf32>
    %14 = tensor.empty() : tensor<2x8x128xf16>
    %15 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<2x8x128xf32>) outs(%14 : tensor<2x8x128xf16>) {
    ^bb0(%i0: f32, %o: f16):
      %r = arith.truncf %i0 : f32 to f16
      linalg.yield %r : f16
    } -> tensor<2x8x128xf16>
    %16 = tensor.empty() : tensor<2x8x8192xf32>
    %17 = linalg.fill ins(%cst2 : f32) outs(%16 : tensor<2x8x8192xf32>) -> tensor<2x8x8192xf32>
    %18 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%15, %arg1 : tensor<2x8x128xf16>, tensor<2x8192x128xf16>) outs(%17 : tensor<2x8x8192xf32>) {
    ^bb0(%i0: f16, %i1: f16, %o: f32):
      %x0 = arith.extf %i0 : f16 to f32
      %x1 = arith.extf %i1 : f16 to f32
      %p = arith.mulf %x0, %x1 : f32
      %r = arith.addf %p, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x8x8192xf32>
    %19 = tensor.empty() : tensor<2x8x8192xf32>
    %20 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18 : tensor<2x8x8192xf32>) outs(%19 : tensor<2x8x8192xf32>) {
    ^bb0(%i0: f32, %o: f32):
      %r = math.exp %i0 : f32
      linalg.yield %r : f32
    } -> tensor<2x8x8192xf32>
    %21 = tensor.empty() : tensor<2x8x1xf32>
    %22 = linalg.fill ins(%cst3 : f32) outs(%21 : tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
    %23 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%20 : tensor<2x8x8192xf32>) outs(%22 : tensor<2x8x1xf32>) {
    ^bb0(%i0: f32, %o: f32):
      %r = arith.addf %i0, %o : f32
      linalg.yield %r : f32
    } -> tensor<2x8x1xf32>
    %24 = tensor.empty() : tensor<2x8x8192xf32>
    %25 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %23 : tensor<2x8x8192xf32>, tensor<2x8x1xf32>) outs(%24 : tensor<2x8x8192xf32>) {
    ^bb0(%i0: f32, %i1: f32, %o: f32):
      %r = arith.divf %i0, %i1 : f32
      linalg.yield %r : f32
    } -> tensor<2x8x8192xf32>
    %26 = tensor.empty() : tensor<2x8x8192xf16>
    %27 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25 : tensor<2x8x8192xf32>) outs(%26 : tensor<2x8x8192xf16>) {
    ^bb0(%i0: f32, %o: f16):
      %r = arith.truncf %i0 : f32 to f16
      linalg.yield %r : f16
    } -> tensor<2x8x8192xf16>
    %28 = tensor.empty() : tensor<2x8x128xf32>
    %29 = linalg.fill ins(%cst4 : f32) outs(%28 : tensor<2x8x128xf32>) -> tensor<2x8x128xf32>
    %30 = linalg.batch_matmul ins(%27, %arg2 : tensor<2x8x8192xf16>, tensor<2x8192x128xf16>) outs(%29 : tensor<2x8x128xf32>) -> tensor<2x8x128xf32>
    %31 = tensor.empty() : tensor<2x8x128xf16>
    %32 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%30 : tensor<2x8x128xf32>) outs(%31 : tensor<2x8x128xf16>) {
    ^bb0(%i0: f32, %o: f16):
      %r = arith.truncf %i0 : f32 to f16
      linalg.yield %r : f16
    } -> tensor<2x8x128xf16>
    return %32 : tensor<2x8x128xf16>
  }
}
