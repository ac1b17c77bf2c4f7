prism.program @p extents [n = ROWS, d = COLUMNS] (%x: !prism.tensor<[n, d], TYPE>, %g: !prism.tensor<[d], TYPE>, %s: !prism.tensor<[n], f32>) -> (!prism.tensor<[n, d], TYPE>, !prism.tensor<[n], f32>) {
  %0 = prism.cast %x : (!prism.tensor<[n, d], TYPE>) -> !prism.tensor<[n, d], f32>
  %1 = prism.cast %g : (!prism.tensor<[d], TYPE>) -> !prism.tensor<[d], f32>
  %2 = prism.mul %0, %1 maps [d0, d1], [d1] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[d], f32>) -> !prism.tensor<[n, d], f32>
  %3 = prism.div %2, %s maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32>
  %4 = prism.cast %3 : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], TYPE>
  %5 = prism.reduce_sum %2 dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %4, %5 : !prism.tensor<[n, d], TYPE>, !prism.tensor<[n], f32>
} candidates {
  prism.candidate "p_0" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, d], TYPE>, %g: !prism.tensor<[d], TYPE>, %s: !prism.tensor<[n], f32>):
    %y = prism.kernel "k0"(%a = %x, %b = %g, %c = %s) parallel [i grid tile YTILE, j grid tile XTILE] : (!prism.tensor<[n, d], TYPE>, !prism.tensor<[d], TYPE>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], TYPE> {
      %ta = prism.load %a [[i], [j]] : !prism.tensor<[n, d], TYPE> -> !prism.tile<[n/i, d/j], TYPE>
      %tb = prism.load %b [[j]] : !prism.tensor<[d], TYPE> -> !prism.tile<[d/j], TYPE>
      %tc = prism.load %c [[i]] : !prism.tensor<[n], f32> -> !prism.tile<[n/i], f32>
      %0 = prism.cast %ta : (!prism.tile<[n/i, d/j], TYPE>) -> !prism.tile<[n/i, d/j], f32>
      %1 = prism.cast %tb : (!prism.tile<[d/j], TYPE>) -> !prism.tile<[d/j], f32>
      %2 = prism.mul %0, %1 maps [d0, d1], [d1] -> [d0, d1] : (!prism.tile<[n/i, d/j], f32>, !prism.tile<[d/j], f32>) -> !prism.tile<[n/i, d/j], f32>
      %3 = prism.div %2, %tc maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/i, d/j], f32>, !prism.tile<[n/i], f32>) -> !prism.tile<[n/i, d/j], f32>
      %4 = prism.cast %3 : (!prism.tile<[n/i, d/j], f32>) -> !prism.tile<[n/i, d/j], TYPE>
      %o = prism.save %4 [[i], [j]] : !prism.tile<[n/i, d/j], TYPE> -> !prism.tensor<[n, d], TYPE>
      prism.yield %o : !prism.tensor<[n, d], TYPE>
    }
    %q = prism.kernel "k1"(%a = %x, %b = %g) parallel [i grid tile YTILE] : (!prism.tensor<[n, d], TYPE>, !prism.tensor<[d], TYPE>) -> !prism.tensor<[n], f32> {
      %ta = prism.load %a [[i], []] : !prism.tensor<[n, d], TYPE> -> !prism.tile<[n/i, d], TYPE>
      %tb = prism.load %b [[]] : !prism.tensor<[d], TYPE> -> !prism.tile<[d], TYPE>
      %0 = prism.cast %ta : (!prism.tile<[n/i, d], TYPE>) -> !prism.tile<[n/i, d], f32>
      %1 = prism.cast %tb : (!prism.tile<[d], TYPE>) -> !prism.tile<[d], f32>
      %2 = prism.mul %0, %1 maps [d0, d1], [d1] -> [d0, d1] : (!prism.tile<[n/i, d], f32>, !prism.tile<[d], f32>) -> !prism.tile<[n/i, d], f32>
      %3 = prism.reduce_sum %2 dims [1] : (!prism.tile<[n/i, d], f32>) -> !prism.tile<[n/i], f32>
      %o = prism.save %3 [[i]] : !prism.tile<[n/i], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %y, %q : !prism.tensor<[n, d], TYPE>, !prism.tensor<[n], f32>
  }
}
func.func @f(%x: tensor<ROWSxCOLUMNSxTYPE>, %g: tensor<COLUMNSxTYPE>, %s: tensor<ROWSxf32>) -> (tensor<ROWSxCOLUMNSxTYPE>, tensor<ROWSxf32>) {
  %y, %q = prism.invoke @p(%x, %g, %s) : (tensor<ROWSxCOLUMNSxTYPE>, tensor<COLUMNSxTYPE>, tensor<ROWSxf32>) -> (tensor<ROWSxCOLUMNSxTYPE>, tensor<ROWSxf32>)
  return %y, %q : tensor<ROWSxCOLUMNSxTYPE>, tensor<ROWSxf32>
}
