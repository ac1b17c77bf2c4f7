// RMSNorm, then a linear layer: 8 tokens, 4096 wide, f16.
//
// Prism moves the division behind the product, so that one kernel reads the
// activation once: the sum of squares and the product grow in the same loop.
module {
  func.func @rmsnorm(%arg0: tensor<8x4096xf16>, %arg1: tensor<4096x4096xf16>) -> tensor<8x4096xf16> {
    %cst0 = arith.constant 0.000000e+00 : f32
    %cst1 = arith.constant 4.096000e+03 : f32
    %cst2 = arith.constant 0.000000e+00 : f32
    %1 = tensor.empty() : tensor<8x4096xf32>
    %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<8x4096xf16>) outs(%1 : tensor<8x4096xf32>) {
    ^bb0(%i0: f16, %o: f32):
      %r = arith.extf %i0 : f16 to f32
      linalg.yield %r : f32
    } -> tensor<8x4096xf32>
    %3 = tensor.empty() : tensor<8x4096xf32>
    %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<8x4096xf32>) outs(%3 : tensor<8x4096xf32>) {
    ^bb0(%i0: f32, %o: f32):
      %r = arith.mulf %i0, %i0 : f32
      linalg.yield %r : f32
    } -> tensor<8x4096xf32>
    %5 = tensor.empty() : tensor<8x1xf32>
    %6 = linalg.fill ins(%cst0 : f32) outs(%5 : tensor<8x1xf32>) -> tensor<8x1xf32>
    %7 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>], iterator_types = ["parallel", "reduction"]} ins(%4 : tensor<8x4096xf32>) outs(%6 : tensor<8x1xf32>) {
    ^bb0(%i0: f32, %o: f32):
      %r = arith.addf %i0, %o : f32
      linalg.yield %r : f32
    } -> tensor<8x1xf32>
    %8 = tensor.empty() : tensor<8x1xf32>
    %9 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<8x1xf32>) outs(%8 : tensor<8x1xf32>) {
    ^bb0(%i0: f32, %o: f32):
      %r = arith.divf %i0, %cst1 : f32
      linalg.yield %r : f32
    } -> tensor<8x1xf32>
    %10 = tensor.empty() : tensor<8x1xf32>
    %11 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<8x1xf32>) outs(%10 : tensor<8x1xf32>) {
    ^bb0(%i0: f32, %o: f32):
      %r = math.sqrt %i0 : f32
      linalg.yield %r : f32
    } -> tensor<8x1xf32>
    %12 = tensor.empty() : tensor<8x4096xf32>
    %13 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%2, %11 : tensor<8x4096xf32>, tensor<8x1xf32>) outs(%12 : tensor<8x4096xf32>) {
    ^bb0(%i0: f32, %i1: f32, %o: f32):
      %r = arith.divf %i0, %i1 : f32
      linalg.yield %r : f32
    } -> tensor<8x4096xf32>
    %14 = tensor.empty() : tensor<8x4096xf16>
    %15 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%13 : tensor<8x4096xf32>) outs(%14 : tensor<8x4096xf16>) {
    ^bb0(%i0: f32, %o: f16):
      %r = arith.truncf %i0 : f32 to f16
      linalg.yield %r : f16
    } -> tensor<8x4096xf16>
    %16 = tensor.empty() : tensor<8x4096xf32>
    %17 = linalg.fill ins(%cst2 : f32) outs(%16 : tensor<8x4096xf32>) -> tensor<8x4096xf32>
    %18 = linalg.matmul ins(%15, %arg1 : tensor<8x4096xf16>, tensor<4096x4096xf16>) outs(%17 : tensor<8x4096xf32>) -> tensor<8x4096xf32>
    %19 = tensor.empty() : tensor<8x4096xf16>
    %20 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<8x4096xf32>) outs(%19 : tensor<8x4096xf16>) {
    ^bb0(%i0: f32, %o: f16):
      %r = arith.truncf %i0 : f32 to f16
      linalg.yield %r : f16
    } -> tensor<8x4096xf16>
    return %20 : tensor<8x4096xf16>
  }
}
