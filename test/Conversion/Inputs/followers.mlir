// What a follower reads is what would have been loaded: tiles of f16 and what
// they were rounded from, of a product (ROWS, DEPTH, COLUMNS, TILE, TYPE) and of
// an elementwise step. Each has readers that make it a step of its own.
prism.program @product extents [n = ROWS, d = DEPTH, s = COLUMNS] (%x: !prism.tensor<[n, d], TYPE>, %w: !prism.tensor<[s, d], TYPE>) -> (!prism.tensor<[n, s], f16>, !prism.tensor<[n, s], f32>, !prism.tensor<[n], f32>) {
  %0 = prism.matmul %x, %w maps [d0, d2], [d1, d2] -> [d0, d1] : (!prism.tensor<[n, d], TYPE>, !prism.tensor<[s, d], TYPE>) -> !prism.tensor<[n, s], f32>
  %1 = prism.cast %0 : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n, s], f16>
  %2 = prism.cast %1 : (!prism.tensor<[n, s], f16>) -> !prism.tensor<[n, s], f32>
  %3 = prism.sub %2, %0 : (!prism.tensor<[n, s], f32>, !prism.tensor<[n, s], f32>) -> !prism.tensor<[n, s], f32>
  %4 = prism.reduce_sum %3 dims [1] : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n], f32>
  prism.yield %1, %3, %4 : !prism.tensor<[n, s], f16>, !prism.tensor<[n, s], f32>, !prism.tensor<[n], f32>
} candidates {
  prism.candidate "product_0" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, d], TYPE>, %w: !prism.tensor<[s, d], TYPE>):
    %r:3 = prism.kernel "k0"(%a = %x, %b = %w) parallel [x grid tile TILE] : (!prism.tensor<[n, d], TYPE>, !prism.tensor<[s, d], TYPE>) -> (!prism.tensor<[n, s], f16>, !prism.tensor<[n, s], f32>, !prism.tensor<[n], f32>) {
      %ta = prism.load %a [[x], []] : !prism.tensor<[n, d], TYPE> -> !prism.tile<[n/x, d], TYPE>
      %tb = prism.load %b [[], []] : !prism.tensor<[s, d], TYPE> -> !prism.tile<[s, d], TYPE>
      %0 = prism.matmul %ta, %tb maps [d0, d2], [d1, d2] -> [d0, d1] : (!prism.tile<[n/x, d], TYPE>, !prism.tile<[s, d], TYPE>) -> !prism.tile<[n/x, s], f32>
      %1 = prism.cast %0 : (!prism.tile<[n/x, s], f32>) -> !prism.tile<[n/x, s], f16>
      %2 = prism.cast %1 : (!prism.tile<[n/x, s], f16>) -> !prism.tile<[n/x, s], f32>
      %3 = prism.sub %2, %0 : (!prism.tile<[n/x, s], f32>, !prism.tile<[n/x, s], f32>) -> !prism.tile<[n/x, s], f32>
      %4 = prism.reduce_sum %3 dims [1] : (!prism.tile<[n/x, s], f32>) -> !prism.tile<[n/x], f32>
      %5 = prism.save %1 [[x], []] : !prism.tile<[n/x, s], f16> -> !prism.tensor<[n, s], f16>
      %6 = prism.save %3 [[x], []] : !prism.tile<[n/x, s], f32> -> !prism.tensor<[n, s], f32>
      %7 = prism.save %4 [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %5, %6, %7 : !prism.tensor<[n, s], f16>, !prism.tensor<[n, s], f32>, !prism.tensor<[n], f32>
    }
    prism.yield %r#0, %r#1, %r#2 : !prism.tensor<[n, s], f16>, !prism.tensor<[n, s], f32>, !prism.tensor<[n], f32>
  }
}
func.func @run_product(%x: tensor<ROWSxDEPTHxTYPE>, %w: tensor<COLUMNSxDEPTHxTYPE>) -> (tensor<ROWSxCOLUMNSxf16>, tensor<ROWSxCOLUMNSxf32>, tensor<ROWSxf32>) {
  %r:3 = prism.invoke @product(%x, %w) : (tensor<ROWSxDEPTHxTYPE>, tensor<COLUMNSxDEPTHxTYPE>) -> (tensor<ROWSxCOLUMNSxf16>, tensor<ROWSxCOLUMNSxf32>, tensor<ROWSxf32>)
  return %r#0, %r#1, %r#2 : tensor<ROWSxCOLUMNSxf16>, tensor<ROWSxCOLUMNSxf32>, tensor<ROWSxf32>
}

// The same of a step whose elements are loaded and squared, in runs where rows
// allow them.
prism.program @square extents [n = ROWS, s = COLUMNS] (%x: !prism.tensor<[n, s], f32>) -> (!prism.tensor<[n, s], f16>, !prism.tensor<[n, s], f32>, !prism.tensor<[n], f32>) {
  %0 = prism.square %x : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n, s], f32>
  %1 = prism.cast %0 : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n, s], f16>
  %2 = prism.cast %1 : (!prism.tensor<[n, s], f16>) -> !prism.tensor<[n, s], f32>
  %3 = prism.sub %2, %0 : (!prism.tensor<[n, s], f32>, !prism.tensor<[n, s], f32>) -> !prism.tensor<[n, s], f32>
  %4 = prism.reduce_sum %3 dims [1] : (!prism.tensor<[n, s], f32>) -> !prism.tensor<[n], f32>
  prism.yield %1, %3, %4 : !prism.tensor<[n, s], f16>, !prism.tensor<[n, s], f32>, !prism.tensor<[n], f32>
} candidates {
  prism.candidate "square_0" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, s], f32>):
    %r:3 = prism.kernel "k0"(%a = %x) parallel [x grid tile TILE] : (!prism.tensor<[n, s], f32>) -> (!prism.tensor<[n, s], f16>, !prism.tensor<[n, s], f32>, !prism.tensor<[n], f32>) {
      %ta = prism.load %a [[x], []] : !prism.tensor<[n, s], f32> -> !prism.tile<[n/x, s], f32>
      %0 = prism.square %ta : (!prism.tile<[n/x, s], f32>) -> !prism.tile<[n/x, s], f32>
      %1 = prism.cast %0 : (!prism.tile<[n/x, s], f32>) -> !prism.tile<[n/x, s], f16>
      %2 = prism.cast %1 : (!prism.tile<[n/x, s], f16>) -> !prism.tile<[n/x, s], f32>
      %3 = prism.sub %2, %0 : (!prism.tile<[n/x, s], f32>, !prism.tile<[n/x, s], f32>) -> !prism.tile<[n/x, s], f32>
      %4 = prism.reduce_sum %3 dims [1] : (!prism.tile<[n/x, s], f32>) -> !prism.tile<[n/x], f32>
      %5 = prism.save %1 [[x], []] : !prism.tile<[n/x, s], f16> -> !prism.tensor<[n, s], f16>
      %6 = prism.save %3 [[x], []] : !prism.tile<[n/x, s], f32> -> !prism.tensor<[n, s], f32>
      %7 = prism.save %4 [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %5, %6, %7 : !prism.tensor<[n, s], f16>, !prism.tensor<[n, s], f32>, !prism.tensor<[n], f32>
    }
    prism.yield %r#0, %r#1, %r#2 : !prism.tensor<[n, s], f16>, !prism.tensor<[n, s], f32>, !prism.tensor<[n], f32>
  }
}
func.func @run_square(%x: tensor<ROWSxCOLUMNSxf32>) -> (tensor<ROWSxCOLUMNSxf16>, tensor<ROWSxCOLUMNSxf32>, tensor<ROWSxf32>) {
  %r:3 = prism.invoke @square(%x) : (tensor<ROWSxCOLUMNSxf32>) -> (tensor<ROWSxCOLUMNSxf16>, tensor<ROWSxCOLUMNSxf32>, tensor<ROWSxf32>)
  return %r#0, %r#1, %r#2 : tensor<ROWSxCOLUMNSxf16>, tensor<ROWSxCOLUMNSxf32>, tensor<ROWSxf32>
}
