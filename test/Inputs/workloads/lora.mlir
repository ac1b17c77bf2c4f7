module {
  func.func @lora(%arg0: tensor<16x4096xf16>, %arg1: tensor<4096x4096xf16>, %arg2: tensor<4096x16xf16>, %arg3: tensor<16x4096xf16>) -> tensor<16x4096xf16> {
    %cst0 = arith.constant 0.000000e+00 : f32
    %cst1 = arith.constant 0.000000e+00 : f32
    %cst2 = arith.constant 0.000000e+00 : f32
    %1 = tensor.empty() : tensor<16x16xf32>
    %2 = linalg.fill ins(%cst0 : f32) outs(%1 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %3 = linalg.matmul ins(%arg0, %arg2 : tensor<16x4096xf16>, tensor<4096x16xf16>) outs(%2 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %4 = tensor.empty() : tensor<16x16xf16>
    %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<16x16xf32>) outs(%4 : tensor<16x16xf16>) {
    ^bb0(%i0: f32, %o: f16):
      %r = arith.truncf %i0 : f32 to f16
      linalg.yield %r : f16
    } -> tensor<16x16xf16>
    %6 = tensor.empty() : tensor<16x4096xf32>
    %7 = linalg.fill ins(%cst1 : f32) outs(%6 : tensor<16x4096xf32>) -> tensor<16x4096xf32>
    %8 = linalg.matmul ins(%arg0, %arg1 : tensor<16x4096xf16>, tensor<4096x4096xf16>) outs(%7 : tensor<16x4096xf32>) -> tensor<16x4096xf32>
    %9 = tensor.empty() : tensor<16x4096xf32>
    %10 = linalg.fill ins(%cst2 : f32) outs(%9 : tensor<16x4096xf32>) -> tensor<16x4096xf32>
    %11 = linalg.matmul ins(%5, %arg3 : tensor<16x16xf16>, tensor<16x4096xf16>) outs(%10 : tensor<16x4096xf32>) -> tensor<16x4096xf32>
    %12 = tensor.empty() : tensor<16x4096xf32>
    %13 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%8, %11 : tensor<16x4096xf32>, tensor<16x4096xf32>) outs(%12 : tensor<16x4096xf32>) {
    ^bb0(%i0: f32, %i1: f32, %o: f32):
      %r = arith.addf %i0, %i1 : f32
      linalg.yield %r : f32
    } -> tensor<16x4096xf32>
    %14 = tensor.empty() : tensor<16x4096xf16>
    %15 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%13 : tensor<16x4096xf32>) outs(%14 : tensor<16x4096xf16>) {
    ^bb0(%i0: f32, %o: f16):
      %r = arith.truncf %i0 : f32 to f16
      linalg.yield %r : f16
    } -> tensor<16x4096xf16>
    return %15 : tensor<16x4096xf16>
  }
}
