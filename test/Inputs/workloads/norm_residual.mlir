module {
  func.func @norm_residual(%arg0: tensor<8x4096xf16>, %arg1: tensor<8x4096xf16>, %arg2: tensor<8x4096xf16>) -> tensor<8x4096xf16> {
    %cst0 = arith.constant 0.000000e+00 : f32
    %cst1 = arith.constant 4.096000e+03 : f32
    %cst2 = arith.constant 0.000000e+00 : f32
    %cst3 = arith.constant 4.096000e+03 : f32
    %1 = tensor.empty() : tensor<8x4096xf32>
    %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<8x4096xf16>) outs(%1 : tensor<8x4096xf32>) {
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
    %17 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%15 : tensor<8x4096xf16>) outs(%16 : tensor<8x4096xf32>) {
    ^bb0(%i0: f16, %o: f32):
      %r = arith.extf %i0 : f16 to f32
      linalg.yield %r : f32
    } -> tensor<8x4096xf32>
    %18 = tensor.empty() : tensor<8x4096xf32>
    %19 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<8x4096xf16>) outs(%18 : tensor<8x4096xf32>) {
    ^bb0(%i0: f16, %o: f32):
      %r = arith.extf %i0 : f16 to f32
      linalg.yield %r : f32
    } -> tensor<8x4096xf32>
    %20 = tensor.empty() : tensor<8x4096xf32>
    %21 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%17, %19 : tensor<8x4096xf32>, tensor<8x4096xf32>) outs(%20 : tensor<8x4096xf32>) {
    ^bb0(%i0: f32, %i1: f32, %o: f32):
      %r = arith.addf %i0, %i1 : f32
      linalg.yield %r : f32
    } -> tensor<8x4096xf32>
    %22 = tensor.empty() : tensor<8x4096xf32>
    %23 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<8x4096xf16>) outs(%22 : tensor<8x4096xf32>) {
    ^bb0(%i0: f16, %o: f32):
      %r = arith.extf %i0 : f16 to f32
      linalg.yield %r : f32
    } -> tensor<8x4096xf32>
    %24 = tensor.empty() : tensor<8x4096xf32>
    %25 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%23, %21 : tensor<8x4096xf32>, tensor<8x4096xf32>) outs(%24 : tensor<8x4096xf32>) {
    ^bb0(%i0: f32, %i1: f32, %o: f32):
      %r = arith.mulf %i0, %i1 : f32
      linalg.yield %r : f32
    } -> tensor<8x4096xf32>
    %26 = tensor.empty() : tensor<8x4096xf32>
    %27 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<8x4096xf16>) outs(%26 : tensor<8x4096xf32>) {
    ^bb0(%i0: f16, %o: f32):
      %r = arith.extf %i0 : f16 to f32
      linalg.yield %r : f32
    } -> tensor<8x4096xf32>
    %28 = tensor.empty() : tensor<8x4096xf32>
    %29 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%25, %27 : tensor<8x4096xf32>, tensor<8x4096xf32>) outs(%28 : tensor<8x4096xf32>) {
    ^bb0(%i0: f32, %i1: f32, %o: f32):
      %r = arith.addf %i0, %i1 : f32
      linalg.yield %r : f32
    } -> tensor<8x4096xf32>
    %30 = tensor.empty() : tensor<8x4096xf16>
    %31 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%29 : tensor<8x4096xf32>) outs(%30 : tensor<8x4096xf16>) {
    ^bb0(%i0: f32, %o: f16):
      %r = arith.truncf %i0 : f32 to f16
      linalg.yield %r : f16
    } -> tensor<8x4096xf16>
    %32 = tensor.empty() : tensor<8x4096xf32>
    %33 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%31 : tensor<8x4096xf16>) outs(%32 : tensor<8x4096xf32>) {
    ^bb0(%i0: f16, %o: f32):
      %r = arith.extf %i0 : f16 to f32
      linalg.yield %r : f32
    } -> tensor<8x4096xf32>
    %34 = tensor.empty() : tensor<8x4096xf32>
    %35 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%33 : tensor<8x4096xf32>) outs(%34 : tensor<8x4096xf32>) {
    ^bb0(%i0: f32, %o: f32):
      %r = arith.mulf %i0, %i0 : f32
      linalg.yield %r : f32
    } -> tensor<8x4096xf32>
    %36 = tensor.empty() : tensor<8x1xf32>
    %37 = linalg.fill ins(%cst2 : f32) outs(%36 : tensor<8x1xf32>) -> tensor<8x1xf32>
    %38 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>], iterator_types = ["parallel", "reduction"]} ins(%35 : tensor<8x4096xf32>) outs(%37 : tensor<8x1xf32>) {
    ^bb0(%i0: f32, %o: f32):
      %r = arith.addf %i0, %o : f32
      linalg.yield %r : f32
    } -> tensor<8x1xf32>
    %39 = tensor.empty() : tensor<8x1xf32>
    %40 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%38 : tensor<8x1xf32>) outs(%39 : tensor<8x1xf32>) {
    ^bb0(%i0: f32, %o: f32):
      %r = arith.divf %i0, %cst3 : f32
      linalg.yield %r : f32
    } -> tensor<8x1xf32>
    %41 = tensor.empty() : tensor<8x1xf32>
    %42 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%40 : tensor<8x1xf32>) outs(%41 : tensor<8x1xf32>) {
    ^bb0(%i0: f32, %o: f32):
      %r = math.sqrt %i0 : f32
      linalg.yield %r : f32
    } -> tensor<8x1xf32>
    %43 = tensor.empty() : tensor<8x4096xf32>
    %44 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%33, %42 : tensor<8x4096xf32>, tensor<8x1xf32>) outs(%43 : tensor<8x4096xf32>) {
    ^bb0(%i0: f32, %i1: f32, %o: f32):
      %r = arith.divf %i0, %i1 : f32
      linalg.yield %r : f32
    } -> tensor<8x4096xf32>
    %45 = tensor.empty() : tensor<8x4096xf16>
    %46 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%44 : tensor<8x4096xf32>) outs(%45 : tensor<8x4096xf16>) {
    ^bb0(%i0: f32, %o: f16):
      %r = arith.truncf %i0 : f32 to f16
      linalg.yield %r : f16
    } -> tensor<8x4096xf16>
    %47 = tensor.empty() : tensor<8x4096xf32>
    %48 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%46 : tensor<8x4096xf16>) outs(%47 : tensor<8x4096xf32>) {
    ^bb0(%i0: f16, %o: f32):
      %r = arith.extf %i0 : f16 to f32
      linalg.yield %r : f32
    } -> tensor<8x4096xf32>
    %49 = tensor.empty() : tensor<8x4096xf16>
    %50 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%48 : tensor<8x4096xf32>) outs(%49 : tensor<8x4096xf16>) {
    ^bb0(%i0: f32, %o: f16):
      %r = arith.truncf %i0 : f32 to f16
      linalg.yield %r : f16
    } -> tensor<8x4096xf16>
    return %50 : tensor<8x4096xf16>
  }
}
