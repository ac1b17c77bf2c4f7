module {
  func.func @swiglu(%arg0: tensor<8x64xf16>, %arg1: tensor<64x48xf16>, %arg2: tensor<64x48xf16>) -> tensor<8x48xf16> {
    %cst0 = arith.constant 0.000000e+00 : f32
    %cst1 = arith.constant 1.000000e+00 : f32
    %cst2 = arith.constant 0.000000e+00 : f32
    %1 = tensor.empty() : tensor<8x48xf32>
    %2 = linalg.fill ins(%cst0 : f32) outs(%1 : tensor<8x48xf32>) -> tensor<8x48xf32>
    %3 = linalg.matmul ins(%arg0, %arg1 : tensor<8x64xf16>, tensor<64x48xf16>) outs(%2 : tensor<8x48xf32>) -> tensor<8x48xf32>
    %4 = tensor.empty() : tensor<8x48xf32>
    %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<8x48xf32>) outs(%4 : tensor<8x48xf32>) {
    ^bb0(%i0: f32, %o: f32):
      %n = arith.negf %i0 : f32
      %e = math.exp %n : f32
      %d = arith.addf %e, %cst1 : f32
      %r = arith.divf %i0, %d : f32
      linalg.yield %r : f32
    } -> tensor<8x48xf32>
    %6 = tensor.empty() : tensor<8x48xf32>
    %7 = linalg.fill ins(%cst2 : f32) outs(%6 : tensor<8x48xf32>) -> tensor<8x48xf32>
    %8 = linalg.matmul ins(%arg0, %arg2 : tensor<8x64xf16>, tensor<64x48xf16>) outs(%7 : tensor<8x48xf32>) -> tensor<8x48xf32>
    %9 = tensor.empty() : tensor<8x48xf32>
    %10 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%5, %8 : tensor<8x48xf32>, tensor<8x48xf32>) outs(%9 : tensor<8x48xf32>) {
    ^bb0(%i0: f32, %i1: f32, %o: f32):
      %r = arith.mulf %i0, %i1 : f32
      linalg.yield %r : f32
    } -> tensor<8x48xf32>
    %11 = tensor.empty() : tensor<8x48xf16>
    %12 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<8x48xf32>) outs(%11 : tensor<8x48xf16>) {
    ^bb0(%i0: f32, %o: f16):
      %r = arith.truncf %i0 : f32 to f16
      linalg.yield %r : f16
    } -> tensor<8x48xf16>
    return %12 : tensor<8x48xf16>
  }
}
