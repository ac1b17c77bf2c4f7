// Softmax of rows (ROWS, COLUMNS, YTILE, SCHEDULE, TYPE), and maximum, sum and
// sum of squares of rows over a loop (ITILE): reductions of few and many results.
prism.program @softmax extents [n = ROWS, d = COLUMNS] (%x: !prism.tensor<[n, d], TYPE>) -> (!prism.tensor<[n, d], TYPE>) {
  %m = prism.reduce_max %x dims [1] : (!prism.tensor<[n, d], TYPE>) -> !prism.tensor<[n], TYPE>
  %s = prism.sub %x, %m maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, d], TYPE>, !prism.tensor<[n], TYPE>) -> !prism.tensor<[n, d], TYPE>
  %e = prism.exp %s : (!prism.tensor<[n, d], TYPE>) -> !prism.tensor<[n, d], TYPE>
  %z = prism.reduce_sum %e dims [1] : (!prism.tensor<[n, d], TYPE>) -> !prism.tensor<[n], TYPE>
  %p = prism.div %e, %z maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, d], TYPE>, !prism.tensor<[n], TYPE>) -> !prism.tensor<[n, d], TYPE>
  prism.yield %p : !prism.tensor<[n, d], TYPE>
} candidates {
  prism.candidate "softmax_0" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, d], TYPE>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid tile YTILE] SCHEDULE : (!prism.tensor<[n, d], TYPE>) -> !prism.tensor<[n, d], TYPE> {
      %t = prism.load %a [[x], []] : !prism.tensor<[n, d], TYPE> -> !prism.tile<[n/x, d], TYPE>
      %m = prism.reduce_max %t dims [1] : (!prism.tile<[n/x, d], TYPE>) -> !prism.tile<[n/x], TYPE>
      %s = prism.sub %t, %m maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/x, d], TYPE>, !prism.tile<[n/x], TYPE>) -> !prism.tile<[n/x, d], TYPE>
      %e = prism.exp %s : (!prism.tile<[n/x, d], TYPE>) -> !prism.tile<[n/x, d], TYPE>
      %z = prism.reduce_sum %e dims [1] : (!prism.tile<[n/x, d], TYPE>) -> !prism.tile<[n/x], TYPE>
      %p = prism.div %e, %z maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/x, d], TYPE>, !prism.tile<[n/x], TYPE>) -> !prism.tile<[n/x, d], TYPE>
      %o = prism.save %p [[x], []] : !prism.tile<[n/x, d], TYPE> -> !prism.tensor<[n, d], TYPE>
      prism.yield %o : !prism.tensor<[n, d], TYPE>
    }
    prism.yield %r : !prism.tensor<[n, d], TYPE>
  }
}
func.func @run_softmax(%x: tensor<ROWSxCOLUMNSxTYPE>) -> tensor<ROWSxCOLUMNSxTYPE> {
  %r = prism.invoke @softmax(%x) : (tensor<ROWSxCOLUMNSxTYPE>) -> tensor<ROWSxCOLUMNSxTYPE>
  return %r : tensor<ROWSxCOLUMNSxTYPE>
}

prism.program @rows extents [n = ROWS, d = COLUMNS] (%x: !prism.tensor<[n, d], TYPE>) -> (!prism.tensor<[n], TYPE>, !prism.tensor<[n], TYPE>, !prism.tensor<[d], TYPE>) {
  %0 = prism.reduce_max %x dims [1] : (!prism.tensor<[n, d], TYPE>) -> !prism.tensor<[n], TYPE>
  %1 = prism.square %x : (!prism.tensor<[n, d], TYPE>) -> !prism.tensor<[n, d], TYPE>
  %2 = prism.reduce_sum %1 dims [1] : (!prism.tensor<[n, d], TYPE>) -> !prism.tensor<[n], TYPE>
  %3 = prism.reduce_sum %1 dims [0] : (!prism.tensor<[n, d], TYPE>) -> !prism.tensor<[d], TYPE>
  prism.yield %0, %2, %3 : !prism.tensor<[n], TYPE>, !prism.tensor<[n], TYPE>, !prism.tensor<[d], TYPE>
} candidates {
  prism.candidate "rows_0" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, d], TYPE>):
    %r, %s = prism.kernel "k0"(%a = %x) parallel [x grid tile YTILE, i loop tile ITILE] SCHEDULE : (!prism.tensor<[n, d], TYPE>) -> (!prism.tensor<[n], TYPE>, !prism.tensor<[n], TYPE>) {
      %t = prism.load %a [[x], [i]] : !prism.tensor<[n, d], TYPE> -> !prism.tile<[n/x, d/i], TYPE>
      %0 = prism.reduce_max %t dims [1] : (!prism.tile<[n/x, d/i], TYPE>) -> !prism.tile<[n/x], TYPE>
      %1 = prism.accumulate max %0 over i : !prism.tile<[n/x], TYPE> -> !prism.tile<[n/x], TYPE>
      %2 = prism.square %t : (!prism.tile<[n/x, d/i], TYPE>) -> !prism.tile<[n/x, d/i], TYPE>
      %3 = prism.reduce_sum %2 dims [1] : (!prism.tile<[n/x, d/i], TYPE>) -> !prism.tile<[n/x], TYPE>
      %4 = prism.accumulate sum %3 over i : !prism.tile<[n/x], TYPE> -> !prism.tile<[n/x], TYPE>
      %o = prism.save %1 [[x]] : !prism.tile<[n/x], TYPE> -> !prism.tensor<[n], TYPE>
      %p = prism.save %4 [[x]] : !prism.tile<[n/x], TYPE> -> !prism.tensor<[n], TYPE>
      prism.yield %o, %p : !prism.tensor<[n], TYPE>, !prism.tensor<[n], TYPE>
    }
    %u = prism.kernel "k1"(%a = %x) parallel [x grid tile ITILE, i loop tile YTILE] SCHEDULE : (!prism.tensor<[n, d], TYPE>) -> !prism.tensor<[d], TYPE> {
      %t = prism.load %a [[i], [x]] : !prism.tensor<[n, d], TYPE> -> !prism.tile<[n/i, d/x], TYPE>
      %0 = prism.square %t : (!prism.tile<[n/i, d/x], TYPE>) -> !prism.tile<[n/i, d/x], TYPE>
      %1 = prism.reduce_sum %0 dims [0] : (!prism.tile<[n/i, d/x], TYPE>) -> !prism.tile<[d/x], TYPE>
      %2 = prism.accumulate sum %1 over i : !prism.tile<[d/x], TYPE> -> !prism.tile<[d/x], TYPE>
      %o = prism.save %2 [[x]] : !prism.tile<[d/x], TYPE> -> !prism.tensor<[d], TYPE>
      prism.yield %o : !prism.tensor<[d], TYPE>
    }
    prism.yield %r, %s, %u : !prism.tensor<[n], TYPE>, !prism.tensor<[n], TYPE>, !prism.tensor<[d], TYPE>
  }
}
func.func @run_rows(%x: tensor<ROWSxCOLUMNSxTYPE>) -> (tensor<ROWSxTYPE>, tensor<ROWSxTYPE>, tensor<COLUMNSxTYPE>) {
  %r:3 = prism.invoke @rows(%x) : (tensor<ROWSxCOLUMNSxTYPE>) -> (tensor<ROWSxTYPE>, tensor<ROWSxTYPE>, tensor<COLUMNSxTYPE>)
  return %r#0, %r#1, %r#2 : tensor<ROWSxTYPE>, tensor<ROWSxTYPE>, tensor<COLUMNSxTYPE>
}
