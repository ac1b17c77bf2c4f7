prism.program @p extents [d0 = ROWS, d1 = DEPTH, d2 = COLUMNS] (%x: !prism.tensor<[d0, d1], TYPE>, %w: !prism.tensor<[d1, d2], TYPE>) -> (!prism.tensor<[d0, d2], TYPE>) {
  %0 = prism.cast %x : (!prism.tensor<[d0, d1], TYPE>) -> !prism.tensor<[d0, d1], f32>
  %1 = prism.square %0 : (!prism.tensor<[d0, d1], f32>) -> !prism.tensor<[d0, d1], f32>
  %2 = prism.reduce_sum %1 dims [1] : (!prism.tensor<[d0, d1], f32>) -> !prism.tensor<[d0], f32>
  %3 = prism.constant #prism.extent<d1> -> !prism.tensor<[], f32>
  %4 = prism.div %2, %3 maps [d0], [] -> [d0] : (!prism.tensor<[d0], f32>, !prism.tensor<[], f32>) -> !prism.tensor<[d0], f32>
  %5 = prism.sqrt %4 : (!prism.tensor<[d0], f32>) -> !prism.tensor<[d0], f32>
  %6 = prism.div %0, %5 maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[d0, d1], f32>, !prism.tensor<[d0], f32>) -> !prism.tensor<[d0, d1], f32>
  %7 = prism.cast %6 : (!prism.tensor<[d0, d1], f32>) -> !prism.tensor<[d0, d1], TYPE>
  %8 = prism.matmul %7, %w : (!prism.tensor<[d0, d1], TYPE>, !prism.tensor<[d1, d2], TYPE>) -> !prism.tensor<[d0, d2], f32>
  %9 = prism.cast %8 : (!prism.tensor<[d0, d2], f32>) -> !prism.tensor<[d0, d2], TYPE>
  prism.yield %9 : !prism.tensor<[d0, d2], TYPE>
} candidates {
  prism.candidate "p_0" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[d0, d1], TYPE>, %w: !prism.tensor<[d1, d2], TYPE>):
    %r = prism.kernel "k0"(%a = %x, %b = %w) parallel [y grid tile YTILE, x grid tile XTILE, i loop tile ITILE] : (!prism.tensor<[d0, d1], TYPE>, !prism.tensor<[d1, d2], TYPE>) -> !prism.tensor<[d0, d2], TYPE> {
      %ta = prism.load %a [[y], [i]] : !prism.tensor<[d0, d1], TYPE> -> !prism.tile<[d0/y, d1/i], TYPE>
      %tb = prism.load %b [[i], [x]] : !prism.tensor<[d1, d2], TYPE> -> !prism.tile<[d1/i, d2/x], TYPE>
      %c = prism.cast %ta : (!prism.tile<[d0/y, d1/i], TYPE>) -> !prism.tile<[d0/y, d1/i], f32>
      %s = prism.square %c : (!prism.tile<[d0/y, d1/i], f32>) -> !prism.tile<[d0/y, d1/i], f32>
      %q = prism.reduce_sum %s dims [1] : (!prism.tile<[d0/y, d1/i], f32>) -> !prism.tile<[d0/y], f32>
      %m = prism.matmul %ta, %tb : (!prism.tile<[d0/y, d1/i], TYPE>, !prism.tile<[d1/i, d2/x], TYPE>) -> !prism.tile<[d0/y, d2/x], f32>
      %qa = prism.accumulate sum %q over i : !prism.tile<[d0/y], f32> -> !prism.tile<[d0/y], f32>
      %ma = prism.accumulate sum %m over i : !prism.tile<[d0/y, d2/x], f32> -> !prism.tile<[d0/y, d2/x], f32>
      %n = prism.constant #prism.extent<d1> -> !prism.tile<[], f32>
      %v = prism.div %qa, %n maps [d0], [] -> [d0] : (!prism.tile<[d0/y], f32>, !prism.tile<[], f32>) -> !prism.tile<[d0/y], f32>
      %t = prism.sqrt %v : (!prism.tile<[d0/y], f32>) -> !prism.tile<[d0/y], f32>
      %u = prism.div %ma, %t maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[d0/y, d2/x], f32>, !prism.tile<[d0/y], f32>) -> !prism.tile<[d0/y, d2/x], f32>
      %o = prism.cast %u : (!prism.tile<[d0/y, d2/x], f32>) -> !prism.tile<[d0/y, d2/x], TYPE>
      %z = prism.save %o [[y], [x]] : !prism.tile<[d0/y, d2/x], TYPE> -> !prism.tensor<[d0, d2], TYPE>
      prism.yield %z : !prism.tensor<[d0, d2], TYPE>
    }
    prism.yield %r : !prism.tensor<[d0, d2], TYPE>
  }
}
func.func @f(%x: tensor<ROWSxDEPTHxTYPE>, %w: tensor<DEPTHxCOLUMNSxTYPE>) -> tensor<ROWSxCOLUMNSxTYPE> {
  %r = prism.invoke @p(%x, %w) : (tensor<ROWSxDEPTHxTYPE>, tensor<DEPTHxCOLUMNSxTYPE>) -> tensor<ROWSxCOLUMNSxTYPE>
  return %r : tensor<ROWSxCOLUMNSxTYPE>
}
