// Layer normalization with a weight in front of a linear layer, as a
// Torch frontend emits it: statistics in f32, kept as a column. The difference
// from the mean is read twice, by the variance and by the product.
#whole = affine_map<(r, c) -> (r, c)>
#row = affine_map<(r, c) -> (r, 0)>
#column = affine_map<(r, c) -> (c)>
module {
  func.func @norm_linear(%x: tensor<40x1536xf16>, %weight: tensor<1536xf16>, %w: tensor<1536x640xf16>) -> tensor<40x640xf16> {
    %zero = arith.constant 0.000000e+00 : f32
    %extent = arith.constant 1.536000e+03 : f32
    %epsilon = arith.constant 9.99999974E-6 : f32
    %wide = tensor.empty() : tensor<40x1536xf32>
    %narrow = tensor.empty() : tensor<40x1xf32>
    %zeros = linalg.fill ins(%zero : f32) outs(%narrow : tensor<40x1xf32>) -> tensor<40x1xf32>
    %x32 = linalg.generic {indexing_maps = [#whole, #whole], iterator_types = ["parallel", "parallel"]}
        ins(%x : tensor<40x1536xf16>) outs(%wide : tensor<40x1536xf32>) {
    ^bb0(%in: f16, %out: f32):
      %v = arith.extf %in : f16 to f32
      linalg.yield %v : f32
    } -> tensor<40x1536xf32>
    %sum = linalg.generic {indexing_maps = [#whole, #row], iterator_types = ["parallel", "reduction"]}
        ins(%x32 : tensor<40x1536xf32>) outs(%zeros : tensor<40x1xf32>) {
    ^bb0(%in: f32, %acc: f32):
      %v = arith.addf %in, %acc : f32
      linalg.yield %v : f32
    } -> tensor<40x1xf32>
    %mean = linalg.generic {indexing_maps = [#whole, #whole], iterator_types = ["parallel", "parallel"]}
        ins(%sum : tensor<40x1xf32>) outs(%narrow : tensor<40x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %v = arith.divf %in, %extent : f32
      linalg.yield %v : f32
    } -> tensor<40x1xf32>
    %centered = linalg.generic {indexing_maps = [#whole, #row, #whole], iterator_types = ["parallel", "parallel"]}
        ins(%x32, %mean : tensor<40x1536xf32>, tensor<40x1xf32>) outs(%wide : tensor<40x1536xf32>) {
    ^bb0(%in: f32, %m: f32, %out: f32):
      %v = arith.subf %in, %m : f32
      linalg.yield %v : f32
    } -> tensor<40x1536xf32>
    %squares = linalg.generic {indexing_maps = [#whole, #whole], iterator_types = ["parallel", "parallel"]}
        ins(%centered : tensor<40x1536xf32>) outs(%wide : tensor<40x1536xf32>) {
    ^bb0(%in: f32, %out: f32):
      %v = arith.mulf %in, %in : f32
      linalg.yield %v : f32
    } -> tensor<40x1536xf32>
    %total = linalg.generic {indexing_maps = [#whole, #row], iterator_types = ["parallel", "reduction"]}
        ins(%squares : tensor<40x1536xf32>) outs(%zeros : tensor<40x1xf32>) {
    ^bb0(%in: f32, %acc: f32):
      %v = arith.addf %in, %acc : f32
      linalg.yield %v : f32
    } -> tensor<40x1xf32>
    %inverse = linalg.generic {indexing_maps = [#whole, #whole], iterator_types = ["parallel", "parallel"]}
        ins(%total : tensor<40x1xf32>) outs(%narrow : tensor<40x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %variance = arith.divf %in, %extent : f32
      %positive = arith.addf %variance, %epsilon : f32
      %v = math.rsqrt %positive : f32
      linalg.yield %v : f32
    } -> tensor<40x1xf32>
    %half = tensor.empty() : tensor<40x1536xf16>
    %normed = linalg.generic {indexing_maps = [#whole, #row, #column, #whole], iterator_types = ["parallel", "parallel"]}
        ins(%centered, %inverse, %weight : tensor<40x1536xf32>, tensor<40x1xf32>, tensor<1536xf16>) outs(%half : tensor<40x1536xf16>) {
    ^bb0(%in: f32, %i: f32, %g: f16, %out: f16):
      %g32 = arith.extf %g : f16 to f32
      %scaled = arith.mulf %in, %i : f32
      %weighted = arith.mulf %scaled, %g32 : f32
      %v = arith.truncf %weighted : f32 to f16
      linalg.yield %v : f16
    } -> tensor<40x1536xf16>
    %out32 = tensor.empty() : tensor<40x640xf32>
    %start = linalg.fill ins(%zero : f32) outs(%out32 : tensor<40x640xf32>) -> tensor<40x640xf32>
    %product = linalg.matmul ins(%normed, %w : tensor<40x1536xf16>, tensor<1536x640xf16>) outs(%start : tensor<40x640xf32>) -> tensor<40x640xf32>
    %out16 = tensor.empty() : tensor<40x640xf16>
    %result = linalg.generic {indexing_maps = [#whole, #whole], iterator_types = ["parallel", "parallel"]}
        ins(%product : tensor<40x640xf32>) outs(%out16 : tensor<40x640xf16>) {
    ^bb0(%in: f32, %out: f16):
      %v = arith.truncf %in : f32 to f16
      linalg.yield %v : f16
    } -> tensor<40x640xf16>
    return %result : tensor<40x640xf16>
  }
}
