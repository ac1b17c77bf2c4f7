// RUN: not prism-opt %s --prism-instantiate-maps="concrete-maps=imap+kmap" 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: prism-opt %s --prism-instantiate-maps --verify-diagnostics --split-input-file -o /dev/null

// OPTION: error: prism-instantiate-maps: concrete-maps has 'kmap', expected imap, fmap or omap, separated by '+'

// Nothing to do is no reason for a remark.
prism.program @none extents [n = ?] (%x: !prism.tensor<[n], f32>) -> (!prism.tensor<[n], f32>) {
  prism.yield %x : !prism.tensor<[n], f32>
}

// -----

// Without a graph-defined kernel there is nothing to map.
prism.program @p extents [n = ?] (%x: !prism.tensor<[n], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.exp %x : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "p_0" symbolic {
  ^bb0(%x: !prism.tensor<[n], f32>):
    %0 = prism.exp %x : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
    prism.yield %0 : !prism.tensor<[n], f32>
  }
}

// -----

// The only variable of the loop is known to be 0: the loop splits nothing.
// expected-remark @below {{maps: no candidate has a map that splits the grid, or a loop, rightly}}
prism.program @q extents [n = ?] (%x: !prism.tensor<[n], f32>) -> (!prism.tensor<[], f32>) {
  %0 = prism.reduce_sum %x dims [0] : (!prism.tensor<[n], f32>) -> !prism.tensor<[], f32>
  prism.yield %0 : !prism.tensor<[], f32>
} candidates {
  prism.candidate "q_0" symbolic {
  ^bb0(%x: !prism.tensor<[n], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [i loop] equalities [m0 = 0] : (!prism.tensor<[n], f32>) -> !prism.tensor<[], f32> {
      %t = prism.load %a [[i?m0]] : !prism.tensor<[n], f32> -> !prism.tile<[n/i?m0], f32>
      %s = prism.reduce_sum %t dims [0] : (!prism.tile<[n/i?m0], f32>) -> !prism.tile<[], f32>
      %c = prism.accumulate sum %s over i : !prism.tile<[], f32> -> !prism.tile<[], f32>
      %o = prism.save %c [] : !prism.tile<[], f32> -> !prism.tensor<[], f32>
      prism.yield %o : !prism.tensor<[], f32>
    }
    prism.yield %r : !prism.tensor<[], f32>
  }
}

// -----

// expected-remark @below {{maps: candidate t_0 stays symbolic: it has thread graphs already}}
prism.program @t extents [n = ?] (%x: !prism.tensor<[n], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.exp %x : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "t_0" symbolic {
  ^bb0(%x: !prism.tensor<[n], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid] : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[x]] : !prism.tensor<[n], f32> -> !prism.tile<[n/x], f32>
      %s = prism.thread_graph "t0"(%b = %t) parallel [t thread] : (!prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32> {
        %u = prism.load %b [[t]] : !prism.tile<[n/x], f32> -> !prism.tile<[n/x/t], f32>
        %v = prism.exp %u : (!prism.tile<[n/x/t], f32>) -> !prism.tile<[n/x/t], f32>
        %w = prism.save %v [[t]] : !prism.tile<[n/x/t], f32> -> !prism.tile<[n/x], f32>
        prism.yield %w : !prism.tile<[n/x], f32>
      }
      %o = prism.save %s [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}
