// Row softmax as a Torch frontend emits it, f32.
//
// The maximum also carries an arg-max that nobody reads, and row statistics are
// broadcast through dims of extent 1.
#whole = affine_map<(r, c) -> (r, c)>
#row = affine_map<(r, c) -> (r)>
#col0 = affine_map<(r, c) -> (r, 0)>
module {
  func.func @main(%logits: tensor<32x1001xf32>) -> tensor<32x1001xf32> {
    %zero_i = arith.constant 0 : i64
    %ninf = arith.constant 0xFF800000 : f32
    %zero = arith.constant 0.000000e+00 : f32
    %idx_buf = tensor.empty() : tensor<32xi64>
    %idx0 = linalg.fill ins(%zero_i : i64) outs(%idx_buf : tensor<32xi64>) -> tensor<32xi64>
    %max_buf = tensor.empty() : tensor<32xf32>
    %max0 = linalg.fill ins(%ninf : f32) outs(%max_buf : tensor<32xf32>) -> tensor<32xf32>
    %peak:2 = linalg.generic {indexing_maps = [#whole, #row, #row], iterator_types = ["parallel", "reduction"]}
        ins(%logits : tensor<32x1001xf32>) outs(%max0, %idx0 : tensor<32xf32>, tensor<32xi64>) {
    ^bb0(%x: f32, %best: f32, %where: i64):
      %pos = linalg.index 1 : index
      %pos64 = arith.index_cast %pos : index to i64
      %m = arith.maximumf %x, %best : f32
      %gt = arith.cmpf ogt, %x, %best : f32
      %w = arith.select %gt, %pos64, %where : i64
      linalg.yield %m, %w : f32, i64
    } -> (tensor<32xf32>, tensor<32xi64>)
    %peak2d = tensor.expand_shape %peak#0 [[0, 1]] output_shape [32, 1] : tensor<32xf32> into tensor<32x1xf32>
    %buf = tensor.empty() : tensor<32x1001xf32>
    %shifted = linalg.generic {indexing_maps = [#whole, #col0, #whole], iterator_types = ["parallel", "parallel"]}
        ins(%logits, %peak2d : tensor<32x1001xf32>, tensor<32x1xf32>) outs(%buf : tensor<32x1001xf32>) {
    ^bb0(%x: f32, %m: f32, %o: f32):
      %d = arith.subf %x, %m : f32
      linalg.yield %d : f32
    } -> tensor<32x1001xf32>
    %e = linalg.generic {indexing_maps = [#whole, #whole], iterator_types = ["parallel", "parallel"]}
        ins(%shifted : tensor<32x1001xf32>) outs(%buf : tensor<32x1001xf32>) {
    ^bb0(%x: f32, %o: f32):
      %v = math.exp %x : f32
      linalg.yield %v : f32
    } -> tensor<32x1001xf32>
    %sum_buf = tensor.empty() : tensor<32x1xf32>
    %sum0 = linalg.fill ins(%zero : f32) outs(%sum_buf : tensor<32x1xf32>) -> tensor<32x1xf32>
    %sum = linalg.generic {indexing_maps = [#whole, #col0], iterator_types = ["parallel", "reduction"]}
        ins(%e : tensor<32x1001xf32>) outs(%sum0 : tensor<32x1xf32>) {
    ^bb0(%x: f32, %acc: f32):
      %s = arith.addf %x, %acc : f32
      linalg.yield %s : f32
    } -> tensor<32x1xf32>
    %prob = linalg.generic {indexing_maps = [#whole, #col0, #whole], iterator_types = ["parallel", "parallel"]}
        ins(%e, %sum : tensor<32x1001xf32>, tensor<32x1xf32>) outs(%buf : tensor<32x1001xf32>) {
    ^bb0(%x: f32, %s: f32, %o: f32):
      %q = arith.divf %x, %s : f32
      linalg.yield %q : f32
    } -> tensor<32x1001xf32>
    return %prob : tensor<32x1001xf32>
  }
}
