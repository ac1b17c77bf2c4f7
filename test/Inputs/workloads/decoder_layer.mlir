module {
  func.func @decoder_layer(%arg0: tensor<4x2048xf16>, %arg1: tensor<2048xf16>, %arg2: tensor<2048x4x4x128xf16>, %arg3: tensor<1024x4x128xf16>, %arg4: tensor<1024x4x128xf16>, %arg5: tensor<4x4x128x2048xf16>, %arg6: tensor<2048xf16>, %arg7: tensor<2048x5504xf16>, %arg8: tensor<2048x5504xf16>, %arg9: tensor<5504x2048xf16>) -> tensor<4x2048xf16> {
    %cst0 = arith.constant 0.000000e+00 : f32
    %cst1 = arith.constant 2.048000e+03 : f32
    %cst2 = arith.constant 1.000000e-05 : f32
    %cst3 = arith.constant 0.000000e+00 : f32
    %cst4 = arith.constant 0.000000e+00 : f32
    %cst5 = arith.constant 8.838835e-02 : f32
    %cst6 = arith.constant 0xFF800000 : f32
    %cst7 = arith.constant 0.000000e+00 : f32
    %cst8 = arith.constant 0.000000e+00 : f32
    %cst9 = arith.constant 0.000000e+00 : f32
    %cst10 = arith.constant 0.000000e+00 : f32
    %cst11 = arith.constant 2.048000e+03 : f32
    %cst12 = arith.constant 1.000000e-05 : f32
    %cst13 = arith.constant 0.000000e+00 : f32
    %cst14 = arith.constant 1.000000e+00 : f32
    %cst15 = arith.constant 0.000000e+00 : f32
    %cst16 = arith.constant 0.000000e+00 : f32
    %1 = tensor.empty() : tensor<4x2048xf32>
    %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x2048xf16>) outs(%1 : tensor<4x2048xf32>) {
    ^bb0(%i0: f16, %o: f32):
      %r = arith.extf %i0 : f16 to f32
      linalg.yield %r : f32
    } -> tensor<4x2048xf32>
    %3 = tensor.empty() : tensor<4x2048xf32>
    %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<4x2048xf32>) outs(%3 : tensor<4x2048xf32>) {
    ^bb0(%i0: f32, %o: f32):
      %r = arith.mulf %i0, %i0 : f32
      linalg.yield %r : f32
    } -> tensor<4x2048xf32>
    %5 = tensor.empty() : tensor<4x1xf32>
    %6 = linalg.fill ins(%cst0 : f32) outs(%5 : tensor<4x1xf32>) -> tensor<4x1xf32>
    %7 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>], iterator_types = ["parallel", "reduction"]} ins(%4 : tensor<4x2048xf32>) outs(%6 : tensor<4x1xf32>) {
    ^bb0(%i0: f32, %o: f32):
      %r = arith.addf %i0, %o : f32
      linalg.yield %r : f32
    } -> tensor<4x1xf32>
    %8 = tensor.empty() : tensor<4x1xf32>
    %9 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<4x1xf32>) outs(%8 : tensor<4x1xf32>) {
    ^bb0(%i0: f32, %o: f32):
      %r = arith.divf %i0, %cst1 : f32
      linalg.yield %r : f32
    } -> tensor<4x1xf32>
    %10 = tensor.empty() : tensor<4x1xf32>
    %11 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<4x1xf32>) outs(%10 : tensor<4x1xf32>) {
    ^bb0(%i0: f32, %o: f32):
      %q = arith.addf %i0, %cst2 : f32
      %r = math.rsqrt %q : f32
      linalg.yield %r : f32
    } -> tensor<4x1xf32>
    %12 = tensor.empty() : tensor<4x2048xf32>
    %13 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%2, %11 : tensor<4x2048xf32>, tensor<4x1xf32>) outs(%12 : tensor<4x2048xf32>) {
    ^bb0(%i0: f32, %i1: f32, %o: f32):
      %r = arith.mulf %i0, %i1 : f32
      linalg.yield %r : f32
    } -> tensor<4x2048xf32>
    %14 = tensor.empty() : tensor<2048xf32>
    %15 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg1 : tensor<2048xf16>) outs(%14 : tensor<2048xf32>) {
    ^bb0(%i0: f16, %o: f32):
      %r = arith.extf %i0 : f16 to f32
      linalg.yield %r : f32
    } -> tensor<2048xf32>
    %16 = tensor.empty() : tensor<4x2048xf32>
    %17 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%13, %15 : tensor<4x2048xf32>, tensor<2048xf32>) outs(%16 : tensor<4x2048xf32>) {
    ^bb0(%i0: f32, %i1: f32, %o: f32):
      %r = arith.mulf %i0, %i1 : f32
      linalg.yield %r : f32
    } -> tensor<4x2048xf32>
    %18 = tensor.empty() : tensor<4x2048xf16>
    %19 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%17 : tensor<4x2048xf32>) outs(%18 : tensor<4x2048xf16>) {
    ^bb0(%i0: f32, %o: f16):
      %r = arith.truncf %i0 : f32 to f16
      linalg.yield %r : f16
    } -> tensor<4x2048xf16>
    %20 = tensor.empty() : tensor<4x4x4x128xf32>
    %21 = linalg.fill ins(%cst3 : f32) outs(%20 : tensor<4x4x4x128xf32>) -> tensor<4x4x4x128xf32>
    %22 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d4, d1, d2, d3)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%19, %arg2 : tensor<4x2048xf16>, tensor<2048x4x4x128xf16>) outs(%21 : tensor<4x4x4x128xf32>) {
    ^bb0(%i0: f16, %i1: f16, %o: f32):
      %x0 = arith.extf %i0 : f16 to f32
      %x1 = arith.extf %i1 : f16 to f32
      %p = arith.mulf %x0, %x1 : f32
      %r = arith.addf %p, %o : f32
      linalg.yield %r : f32
    } -> tensor<4x4x4x128xf32>
    %23 = tensor.empty() : tensor<4x4x4x128xf16>
    %24 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<4x4x4x128xf32>) outs(%23 : tensor<4x4x4x128xf16>) {
    ^bb0(%i0: f32, %o: f16):
      %r = arith.truncf %i0 : f32 to f16
      linalg.yield %r : f16
    } -> tensor<4x4x4x128xf16>
    %25 = tensor.empty() : tensor<4x4x4x1024xf32>
    %26 = linalg.fill ins(%cst4 : f32) outs(%25 : tensor<4x4x4x1024xf32>) -> tensor<4x4x4x1024xf32>
    %27 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d2, d0, d1, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d3, d0, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%24, %arg3 : tensor<4x4x4x128xf16>, tensor<1024x4x128xf16>) outs(%26 : tensor<4x4x4x1024xf32>) {
    ^bb0(%i0: f16, %i1: f16, %o: f32):
      %x0 = arith.extf %i0 : f16 to f32
      %x1 = arith.extf %i1 : f16 to f32
      %p = arith.mulf %x0, %x1 : f32
      %r = arith.addf %p, %o : f32
      linalg.yield %r : f32
    } -> tensor<4x4x4x1024xf32>
    %28 = tensor.empty() : tensor<4x4x4x1024xf32>
    %29 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27 : tensor<4x4x4x1024xf32>) outs(%28 : tensor<4x4x4x1024xf32>) {
    ^bb0(%i0: f32, %o: f32):
      %r = arith.mulf %i0, %cst5 : f32
      linalg.yield %r : f32
    } -> tensor<4x4x4x1024xf32>
    %30 = tensor.empty() : tensor<4x4x4x1xf32>
    %31 = linalg.fill ins(%cst6 : f32) outs(%30 : tensor<4x4x4x1xf32>) -> tensor<4x4x4x1xf32>
    %32 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%29 : tensor<4x4x4x1024xf32>) outs(%31 : tensor<4x4x4x1xf32>) {
    ^bb0(%i0: f32, %o: f32):
      %r = arith.maximumf %i0, %o : f32
      linalg.yield %r : f32
    } -> tensor<4x4x4x1xf32>
    %33 = tensor.empty() : tensor<4x4x4x1024xf32>
    %34 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29, %32 : tensor<4x4x4x1024xf32>, tensor<4x4x4x1xf32>) outs(%33 : tensor<4x4x4x1024xf32>) {
    ^bb0(%i0: f32, %i1: f32, %o: f32):
      %r = arith.subf %i0, %i1 : f32
      linalg.yield %r : f32
    } -> tensor<4x4x4x1024xf32>
    %35 = tensor.empty() : tensor<4x4x4x1024xf32>
    %36 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%34 : tensor<4x4x4x1024xf32>) outs(%35 : tensor<4x4x4x1024xf32>) {
    ^bb0(%i0: f32, %o: f32):
      %r = math.exp %i0 : f32
      linalg.yield %r : f32
    } -> tensor<4x4x4x1024xf32>
    %37 = tensor.empty() : tensor<4x4x4x1xf32>
    %38 = linalg.fill ins(%cst7 : f32) outs(%37 : tensor<4x4x4x1xf32>) -> tensor<4x4x4x1xf32>
    %39 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%36 : tensor<4x4x4x1024xf32>) outs(%38 : tensor<4x4x4x1xf32>) {
    ^bb0(%i0: f32, %o: f32):
      %r = arith.addf %i0, %o : f32
      linalg.yield %r : f32
    } -> tensor<4x4x4x1xf32>
    %40 = tensor.empty() : tensor<4x4x4x1024xf32>
    %41 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36, %39 : tensor<4x4x4x1024xf32>, tensor<4x4x4x1xf32>) outs(%40 : tensor<4x4x4x1024xf32>) {
    ^bb0(%i0: f32, %i1: f32, %o: f32):
      %r = arith.divf %i0, %i1 : f32
      linalg.yield %r : f32
    } -> tensor<4x4x4x1024xf32>
    %42 = tensor.empty() : tensor<4x4x4x1024xf16>
    %43 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41 : tensor<4x4x4x1024xf32>) outs(%42 : tensor<4x4x4x1024xf16>) {
    ^bb0(%i0: f32, %o: f16):
      %r = arith.truncf %i0 : f32 to f16
      linalg.yield %r : f16
    } -> tensor<4x4x4x1024xf16>
    %44 = tensor.empty() : tensor<4x4x4x128xf32>
    %45 = linalg.fill ins(%cst8 : f32) outs(%44 : tensor<4x4x4x128xf32>) -> tensor<4x4x4x128xf32>
    %46 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d0, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d4, d1, d3)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%43, %arg4 : tensor<4x4x4x1024xf16>, tensor<1024x4x128xf16>) outs(%45 : tensor<4x4x4x128xf32>) {
    ^bb0(%i0: f16, %i1: f16, %o: f32):
      %x0 = arith.extf %i0 : f16 to f32
      %x1 = arith.extf %i1 : f16 to f32
      %p = arith.mulf %x0, %x1 : f32
      %r = arith.addf %p, %o : f32
      linalg.yield %r : f32
    } -> tensor<4x4x4x128xf32>
    %47 = tensor.empty() : tensor<4x4x4x128xf16>
    %48 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46 : tensor<4x4x4x128xf32>) outs(%47 : tensor<4x4x4x128xf16>) {
    ^bb0(%i0: f32, %o: f16):
      %r = arith.truncf %i0 : f32 to f16
      linalg.yield %r : f16
    } -> tensor<4x4x4x128xf16>
    %49 = tensor.empty() : tensor<4x2048xf32>
    %50 = linalg.fill ins(%cst9 : f32) outs(%49 : tensor<4x2048xf32>) -> tensor<4x2048xf32>
    %51 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d4, d1)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%48, %arg5 : tensor<4x4x4x128xf16>, tensor<4x4x128x2048xf16>) outs(%50 : tensor<4x2048xf32>) {
    ^bb0(%i0: f16, %i1: f16, %o: f32):
      %x0 = arith.extf %i0 : f16 to f32
      %x1 = arith.extf %i1 : f16 to f32
      %p = arith.mulf %x0, %x1 : f32
      %r = arith.addf %p, %o : f32
      linalg.yield %r : f32
    } -> tensor<4x2048xf32>
    %52 = tensor.empty() : tensor<4x2048xf32>
    %53 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<4x2048xf16>) outs(%52 : tensor<4x2048xf32>) {
    ^bb0(%i0: f16, %o: f32):
      %r = arith.extf %i0 : f16 to f32
      linalg.yield %r : f32
    } -> tensor<4x2048xf32>
    %54 = tensor.empty() : tensor<4x2048xf32>
    %55 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%51, %53 : tensor<4x2048xf32>, tensor<4x2048xf32>) outs(%54 : tensor<4x2048xf32>) {
    ^bb0(%i0: f32, %i1: f32, %o: f32):
      %r = arith.addf %i0, %i1 : f32
      linalg.yield %r : f32
    } -> tensor<4x2048xf32>
    %56 = tensor.empty() : tensor<4x2048xf16>
    %57 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%55 : tensor<4x2048xf32>) outs(%56 : tensor<4x2048xf16>) {
    ^bb0(%i0: f32, %o: f16):
      %r = arith.truncf %i0 : f32 to f16
      linalg.yield %r : f16
    } -> tensor<4x2048xf16>
    %58 = tensor.empty() : tensor<4x2048xf32>
    %59 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%57 : tensor<4x2048xf16>) outs(%58 : tensor<4x2048xf32>) {
    ^bb0(%i0: f16, %o: f32):
      %r = arith.extf %i0 : f16 to f32
      linalg.yield %r : f32
    } -> tensor<4x2048xf32>
    %60 = tensor.empty() : tensor<4x2048xf32>
    %61 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%59 : tensor<4x2048xf32>) outs(%60 : tensor<4x2048xf32>) {
    ^bb0(%i0: f32, %o: f32):
      %r = arith.mulf %i0, %i0 : f32
      linalg.yield %r : f32
    } -> tensor<4x2048xf32>
    %62 = tensor.empty() : tensor<4x1xf32>
    %63 = linalg.fill ins(%cst10 : f32) outs(%62 : tensor<4x1xf32>) -> tensor<4x1xf32>
    %64 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>], iterator_types = ["parallel", "reduction"]} ins(%61 : tensor<4x2048xf32>) outs(%63 : tensor<4x1xf32>) {
    ^bb0(%i0: f32, %o: f32):
      %r = arith.addf %i0, %o : f32
      linalg.yield %r : f32
    } -> tensor<4x1xf32>
    %65 = tensor.empty() : tensor<4x1xf32>
    %66 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%64 : tensor<4x1xf32>) outs(%65 : tensor<4x1xf32>) {
    ^bb0(%i0: f32, %o: f32):
      %r = arith.divf %i0, %cst11 : f32
      linalg.yield %r : f32
    } -> tensor<4x1xf32>
    %67 = tensor.empty() : tensor<4x1xf32>
    %68 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%66 : tensor<4x1xf32>) outs(%67 : tensor<4x1xf32>) {
    ^bb0(%i0: f32, %o: f32):
      %q = arith.addf %i0, %cst12 : f32
      %r = math.rsqrt %q : f32
      linalg.yield %r : f32
    } -> tensor<4x1xf32>
    %69 = tensor.empty() : tensor<4x2048xf32>
    %70 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%59, %68 : tensor<4x2048xf32>, tensor<4x1xf32>) outs(%69 : tensor<4x2048xf32>) {
    ^bb0(%i0: f32, %i1: f32, %o: f32):
      %r = arith.mulf %i0, %i1 : f32
      linalg.yield %r : f32
    } -> tensor<4x2048xf32>
    %71 = tensor.empty() : tensor<2048xf32>
    %72 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg6 : tensor<2048xf16>) outs(%71 : tensor<2048xf32>) {
    ^bb0(%i0: f16, %o: f32):
      %r = arith.extf %i0 : f16 to f32
      linalg.yield %r : f32
    } -> tensor<2048xf32>
    %73 = tensor.empty() : tensor<4x2048xf32>
    %74 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%70, %72 : tensor<4x2048xf32>, tensor<2048xf32>) outs(%73 : tensor<4x2048xf32>) {
    ^bb0(%i0: f32, %i1: f32, %o: f32):
      %r = arith.mulf %i0, %i1 : f32
      linalg.yield %r : f32
    } -> tensor<4x2048xf32>
    %75 = tensor.empty() : tensor<4x2048xf16>
    %76 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%74 : tensor<4x2048xf32>) outs(%75 : tensor<4x2048xf16>) {
    ^bb0(%i0: f32, %o: f16):
      %r = arith.truncf %i0 : f32 to f16
      linalg.yield %r : f16
    } -> tensor<4x2048xf16>
    %77 = tensor.empty() : tensor<4x5504xf32>
    %78 = linalg.fill ins(%cst13 : f32) outs(%77 : tensor<4x5504xf32>) -> tensor<4x5504xf32>
    %79 = linalg.matmul ins(%76, %arg7 : tensor<4x2048xf16>, tensor<2048x5504xf16>) outs(%78 : tensor<4x5504xf32>) -> tensor<4x5504xf32>
    %80 = tensor.empty() : tensor<4x5504xf32>
    %81 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%79 : tensor<4x5504xf32>) outs(%80 : tensor<4x5504xf32>) {
    ^bb0(%i0: f32, %o: f32):
      %n = arith.negf %i0 : f32
      %e = math.exp %n : f32
      %d = arith.addf %e, %cst14 : f32
      %r = arith.divf %i0, %d : f32
      linalg.yield %r : f32
    } -> tensor<4x5504xf32>
    %82 = tensor.empty() : tensor<4x5504xf32>
    %83 = linalg.fill ins(%cst15 : f32) outs(%82 : tensor<4x5504xf32>) -> tensor<4x5504xf32>
    %84 = linalg.matmul ins(%76, %arg8 : tensor<4x2048xf16>, tensor<2048x5504xf16>) outs(%83 : tensor<4x5504xf32>) -> tensor<4x5504xf32>
    %85 = tensor.empty() : tensor<4x5504xf32>
    %86 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%81, %84 : tensor<4x5504xf32>, tensor<4x5504xf32>) outs(%85 : tensor<4x5504xf32>) {
    ^bb0(%i0: f32, %i1: f32, %o: f32):
      %r = arith.mulf %i0, %i1 : f32
      linalg.yield %r : f32
    } -> tensor<4x5504xf32>
    %87 = tensor.empty() : tensor<4x5504xf16>
    %88 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%86 : tensor<4x5504xf32>) outs(%87 : tensor<4x5504xf16>) {
    ^bb0(%i0: f32, %o: f16):
      %r = arith.truncf %i0 : f32 to f16
      linalg.yield %r : f16
    } -> tensor<4x5504xf16>
    %89 = tensor.empty() : tensor<4x2048xf32>
    %90 = linalg.fill ins(%cst16 : f32) outs(%89 : tensor<4x2048xf32>) -> tensor<4x2048xf32>
    %91 = linalg.matmul ins(%88, %arg9 : tensor<4x5504xf16>, tensor<5504x2048xf16>) outs(%90 : tensor<4x2048xf32>) -> tensor<4x2048xf32>
    %92 = tensor.empty() : tensor<4x2048xf32>
    %93 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%91, %55 : tensor<4x2048xf32>, tensor<4x2048xf32>) outs(%92 : tensor<4x2048xf32>) {
    ^bb0(%i0: f32, %i1: f32, %o: f32):
      %r = arith.addf %i0, %i1 : f32
      linalg.yield %r : f32
    } -> tensor<4x2048xf32>
    %94 = tensor.empty() : tensor<4x2048xf16>
    %95 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%93 : tensor<4x2048xf32>) outs(%94 : tensor<4x2048xf16>) {
    ^bb0(%i0: f32, %o: f16):
      %r = arith.truncf %i0 : f32 to f16
      linalg.yield %r : f16
    } -> tensor<4x2048xf16>
    return %95 : tensor<4x2048xf16>
  }
}
