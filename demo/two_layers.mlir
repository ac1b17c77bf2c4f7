// Two equal layers through a private function, f32.
//
// The layer is searched once; functions that only call it stay as they are.
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
module @net {
  func.func private @layer(%x: tensor<12x64xf32>, %w1: tensor<64x128xf32>, %w2: tensor<128x64xf32>) -> tensor<12x64xf32> {
    %z = arith.constant 0.000000e+00 : f32
    %one = arith.constant 1.000000e+00 : f32
    %n = arith.constant 6.400000e+01 : f32
    %eps = arith.constant 9.99999974E-6 : f32
    %er = tensor.empty() : tensor<12xf32>
    %r0 = linalg.fill ins(%z : f32) outs(%er : tensor<12xf32>) -> tensor<12xf32>
    %ss = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<12x64xf32>) outs(%r0 : tensor<12xf32>) {
    ^bb0(%a: f32, %acc: f32):
      %q = arith.mulf %a, %a : f32
      %s = arith.addf %q, %acc : f32
      linalg.yield %s : f32
    } -> tensor<12xf32>
    %e = tensor.empty() : tensor<12x64xf32>
    %xn = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %ss : tensor<12x64xf32>, tensor<12xf32>) outs(%e : tensor<12x64xf32>) {
    ^bb0(%a: f32, %s: f32, %o: f32):
      %m = arith.divf %s, %n : f32
      %p = arith.addf %m, %eps : f32
      %r = math.rsqrt %p : f32
      %d = arith.mulf %a, %r : f32
      linalg.yield %d : f32
    } -> tensor<12x64xf32>
    %eh = tensor.empty() : tensor<12x128xf32>
    %h0 = linalg.fill ins(%z : f32) outs(%eh : tensor<12x128xf32>) -> tensor<12x128xf32>
    %h = linalg.matmul ins(%xn, %w1 : tensor<12x64xf32>, tensor<64x128xf32>) outs(%h0 : tensor<12x128xf32>) -> tensor<12x128xf32>
    %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%h : tensor<12x128xf32>) outs(%eh : tensor<12x128xf32>) {
    ^bb0(%a: f32, %o: f32):
      %ng = arith.negf %a : f32
      %ex = math.exp %ng : f32
      %d = arith.addf %ex, %one : f32
      %q = arith.divf %a, %d : f32
      linalg.yield %q : f32
    } -> tensor<12x128xf32>
    %y = linalg.matmul ins(%s, %w2 : tensor<12x128xf32>, tensor<128x64xf32>) outs(%x : tensor<12x64xf32>) -> tensor<12x64xf32>
    return %y : tensor<12x64xf32>
  }
  func.func @entry(%x: tensor<12x64xf32>, %a1: tensor<64x128xf32>, %a2: tensor<128x64xf32>, %b1: tensor<64x128xf32>, %b2: tensor<128x64xf32>) -> tensor<12x64xf32> {
    %h = call @layer(%x, %a1, %a2) : (tensor<12x64xf32>, tensor<64x128xf32>, tensor<128x64xf32>) -> tensor<12x64xf32>
    %y = call @layer(%h, %b1, %b2) : (tensor<12x64xf32>, tensor<64x128xf32>, tensor<128x64xf32>) -> tensor<12x64xf32>
    return %y : tensor<12x64xf32>
  }
  func.func @single(%x: tensor<12x64xf32>, %w1: tensor<64x128xf32>, %w2: tensor<128x64xf32>) -> tensor<12x64xf32> {
    %y = call @layer(%x, %w1, %w2) : (tensor<12x64xf32>, tensor<64x128xf32>, tensor<128x64xf32>) -> tensor<12x64xf32>
    return %y : tensor<12x64xf32>
  }
}
