// RUN: prism-opt %s -split-input-file -verify-diagnostics --prism-gate
// Masked inputs have rows of which nothing is seen, whatever the mask is: added
// or chosen by, as large as the scores or one row for all of them.

// A softmax that does not subtract its maximum, by an online one: no number where nothing is seen.
prism.program @added_each_plain extents [n = 9, d = 150] (%x: !prism.tensor<[n, d], f32>, %m: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %y = prism.add %x, %m maps [d0, d1], [d0, d1] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %e = prism.exp %y : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %f = prism.mul %e, %x : (!prism.tensor<[n, d], f32>, !prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %a = prism.reduce_sum %f dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %b = prism.reduce_sum %e dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %r = prism.div %a, %b : (!prism.tensor<[n], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %r : !prism.tensor<[n], f32>
} candidates {
  // expected-remark @+1 {{candidate 'a' passes the gate}}
  prism.candidate "a" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, d], f32>, %m: !prism.tensor<[n, d], f32>):
    %k = prism.kernel "k0"(%p = %x, %q = %m) parallel [x grid tile 4, i loop tile 32] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %p [[x], [i]] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d/i], f32>
      %u = prism.load %q [[x], [i]] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d/i], f32>
      %y = prism.add %t, %u maps [d0, d1], [d0, d1] -> [d0, d1] : (!prism.tile<[n/x, d/i], f32>, !prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x, d/i], f32>
      %g = prism.reduce_max %y dims [1] : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x], f32>
      %z = prism.sub %y, %g maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/x, d/i], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x, d/i], f32>
      %e = prism.exp %z : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x, d/i], f32>
      %f = prism.mul %e, %t : (!prism.tile<[n/x, d/i], f32>, !prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x, d/i], f32>
      %a = prism.reduce_sum %f dims [1] : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x], f32>
      %b = prism.reduce_sum %e dims [1] : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x], f32>
      %v = prism.accumulate rescaled_sum %a shift %g over i maps [d0], [d0] -> [d0] : !prism.tile<[n/x], f32>, !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f32>
      %w = prism.accumulate rescaled_sum %b shift %g over i maps [d0], [d0] -> [d0] : !prism.tile<[n/x], f32>, !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f32>
      %s = prism.div %v, %w : (!prism.tile<[n/x], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %o = prism.save %s [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %k : !prism.tensor<[n], f32>
  }
}

// -----

// A softmax that subtracts its maximum, by an online one: no number where nothing is seen.
prism.program @added_each_shifted extents [n = 9, d = 150] (%x: !prism.tensor<[n, d], f32>, %m: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %y = prism.add %x, %m maps [d0, d1], [d0, d1] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %g = prism.reduce_max %y dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %z = prism.sub %y, %g maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32>
  %e = prism.exp %z : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %f = prism.mul %e, %x : (!prism.tensor<[n, d], f32>, !prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %a = prism.reduce_sum %f dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %b = prism.reduce_sum %e dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %r = prism.div %a, %b : (!prism.tensor<[n], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %r : !prism.tensor<[n], f32>
} candidates {
  // expected-remark @+1 {{candidate 'a' passes the gate}}
  prism.candidate "a" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, d], f32>, %m: !prism.tensor<[n, d], f32>):
    %k = prism.kernel "k0"(%p = %x, %q = %m) parallel [x grid tile 4, i loop tile 32] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %p [[x], [i]] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d/i], f32>
      %u = prism.load %q [[x], [i]] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d/i], f32>
      %y = prism.add %t, %u maps [d0, d1], [d0, d1] -> [d0, d1] : (!prism.tile<[n/x, d/i], f32>, !prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x, d/i], f32>
      %g = prism.reduce_max %y dims [1] : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x], f32>
      %z = prism.sub %y, %g maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/x, d/i], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x, d/i], f32>
      %e = prism.exp %z : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x, d/i], f32>
      %f = prism.mul %e, %t : (!prism.tile<[n/x, d/i], f32>, !prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x, d/i], f32>
      %a = prism.reduce_sum %f dims [1] : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x], f32>
      %b = prism.reduce_sum %e dims [1] : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x], f32>
      %v = prism.accumulate rescaled_sum %a shift %g over i maps [d0], [d0] -> [d0] : !prism.tile<[n/x], f32>, !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f32>
      %w = prism.accumulate rescaled_sum %b shift %g over i maps [d0], [d0] -> [d0] : !prism.tile<[n/x], f32>, !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f32>
      %s = prism.div %v, %w : (!prism.tile<[n/x], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %o = prism.save %s [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %k : !prism.tensor<[n], f32>
  }
}

// -----

// A softmax that does not subtract its maximum, by an online one: no number where nothing is seen.
prism.program @added_row_plain extents [n = 9, d = 150] (%x: !prism.tensor<[n, d], f32>, %m: !prism.tensor<[d], f32>) -> (!prism.tensor<[n], f32>) {
  %y = prism.add %x, %m maps [d0, d1], [d1] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[d], f32>) -> !prism.tensor<[n, d], f32>
  %e = prism.exp %y : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %f = prism.mul %e, %x : (!prism.tensor<[n, d], f32>, !prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %a = prism.reduce_sum %f dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %b = prism.reduce_sum %e dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %r = prism.div %a, %b : (!prism.tensor<[n], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %r : !prism.tensor<[n], f32>
} candidates {
  // expected-remark @+1 {{candidate 'a' passes the gate}}
  prism.candidate "a" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, d], f32>, %m: !prism.tensor<[d], f32>):
    %k = prism.kernel "k0"(%p = %x, %q = %m) parallel [x grid tile 4, i loop tile 32] : (!prism.tensor<[n, d], f32>, !prism.tensor<[d], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %p [[x], [i]] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d/i], f32>
      %u = prism.load %q [[i]] : !prism.tensor<[d], f32> -> !prism.tile<[d/i], f32>
      %y = prism.add %t, %u maps [d0, d1], [d1] -> [d0, d1] : (!prism.tile<[n/x, d/i], f32>, !prism.tile<[d/i], f32>) -> !prism.tile<[n/x, d/i], f32>
      %g = prism.reduce_max %y dims [1] : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x], f32>
      %z = prism.sub %y, %g maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/x, d/i], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x, d/i], f32>
      %e = prism.exp %z : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x, d/i], f32>
      %f = prism.mul %e, %t : (!prism.tile<[n/x, d/i], f32>, !prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x, d/i], f32>
      %a = prism.reduce_sum %f dims [1] : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x], f32>
      %b = prism.reduce_sum %e dims [1] : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x], f32>
      %v = prism.accumulate rescaled_sum %a shift %g over i maps [d0], [d0] -> [d0] : !prism.tile<[n/x], f32>, !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f32>
      %w = prism.accumulate rescaled_sum %b shift %g over i maps [d0], [d0] -> [d0] : !prism.tile<[n/x], f32>, !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f32>
      %s = prism.div %v, %w : (!prism.tile<[n/x], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %o = prism.save %s [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %k : !prism.tensor<[n], f32>
  }
}

// -----

// A softmax that subtracts its maximum, by an online one: no number where nothing is seen.
prism.program @added_row_shifted extents [n = 9, d = 150] (%x: !prism.tensor<[n, d], f32>, %m: !prism.tensor<[d], f32>) -> (!prism.tensor<[n], f32>) {
  %y = prism.add %x, %m maps [d0, d1], [d1] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[d], f32>) -> !prism.tensor<[n, d], f32>
  %g = prism.reduce_max %y dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %z = prism.sub %y, %g maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32>
  %e = prism.exp %z : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %f = prism.mul %e, %x : (!prism.tensor<[n, d], f32>, !prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %a = prism.reduce_sum %f dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %b = prism.reduce_sum %e dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %r = prism.div %a, %b : (!prism.tensor<[n], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %r : !prism.tensor<[n], f32>
} candidates {
  // expected-remark @+1 {{candidate 'a' passes the gate}}
  prism.candidate "a" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, d], f32>, %m: !prism.tensor<[d], f32>):
    %k = prism.kernel "k0"(%p = %x, %q = %m) parallel [x grid tile 4, i loop tile 32] : (!prism.tensor<[n, d], f32>, !prism.tensor<[d], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %p [[x], [i]] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d/i], f32>
      %u = prism.load %q [[i]] : !prism.tensor<[d], f32> -> !prism.tile<[d/i], f32>
      %y = prism.add %t, %u maps [d0, d1], [d1] -> [d0, d1] : (!prism.tile<[n/x, d/i], f32>, !prism.tile<[d/i], f32>) -> !prism.tile<[n/x, d/i], f32>
      %g = prism.reduce_max %y dims [1] : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x], f32>
      %z = prism.sub %y, %g maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/x, d/i], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x, d/i], f32>
      %e = prism.exp %z : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x, d/i], f32>
      %f = prism.mul %e, %t : (!prism.tile<[n/x, d/i], f32>, !prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x, d/i], f32>
      %a = prism.reduce_sum %f dims [1] : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x], f32>
      %b = prism.reduce_sum %e dims [1] : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x], f32>
      %v = prism.accumulate rescaled_sum %a shift %g over i maps [d0], [d0] -> [d0] : !prism.tile<[n/x], f32>, !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f32>
      %w = prism.accumulate rescaled_sum %b shift %g over i maps [d0], [d0] -> [d0] : !prism.tile<[n/x], f32>, !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f32>
      %s = prism.div %v, %w : (!prism.tile<[n/x], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %o = prism.save %s [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %k : !prism.tensor<[n], f32>
  }
}

// -----

// A softmax that does not subtract its maximum, by an online one: no number where nothing is seen.
prism.program @chosen_each_plain extents [n = 9, d = 150] (%x: !prism.tensor<[n, d], f32>, %m: !prism.tensor<[n, d], i1>) -> (!prism.tensor<[n], f32>) {
  %c = prism.constant 0xFF800000 : f32 -> !prism.tensor<[], f32>
  %y = prism.select %m, %x, %c maps [d0, d1], [d0, d1], [] -> [d0, d1] : (!prism.tensor<[n, d], i1>, !prism.tensor<[n, d], f32>, !prism.tensor<[], f32>) -> !prism.tensor<[n, d], f32>
  %e = prism.exp %y : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %f = prism.mul %e, %x : (!prism.tensor<[n, d], f32>, !prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %a = prism.reduce_sum %f dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %b = prism.reduce_sum %e dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %r = prism.div %a, %b : (!prism.tensor<[n], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %r : !prism.tensor<[n], f32>
} candidates {
  // expected-remark @+1 {{candidate 'a' passes the gate}}
  prism.candidate "a" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, d], f32>, %m: !prism.tensor<[n, d], i1>):
    %k = prism.kernel "k0"(%p = %x, %q = %m) parallel [x grid tile 4, i loop tile 32] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n, d], i1>) -> !prism.tensor<[n], f32> {
      %t = prism.load %p [[x], [i]] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d/i], f32>
      %u = prism.load %q [[x], [i]] : !prism.tensor<[n, d], i1> -> !prism.tile<[n/x, d/i], i1>
      %c = prism.constant 0xFF800000 : f32 -> !prism.tile<[], f32>
      %y = prism.select %u, %t, %c maps [d0, d1], [d0, d1], [] -> [d0, d1] : (!prism.tile<[n/x, d/i], i1>, !prism.tile<[n/x, d/i], f32>, !prism.tile<[], f32>) -> !prism.tile<[n/x, d/i], f32>
      %g = prism.reduce_max %y dims [1] : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x], f32>
      %z = prism.sub %y, %g maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/x, d/i], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x, d/i], f32>
      %e = prism.exp %z : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x, d/i], f32>
      %f = prism.mul %e, %t : (!prism.tile<[n/x, d/i], f32>, !prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x, d/i], f32>
      %a = prism.reduce_sum %f dims [1] : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x], f32>
      %b = prism.reduce_sum %e dims [1] : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x], f32>
      %v = prism.accumulate rescaled_sum %a shift %g over i maps [d0], [d0] -> [d0] : !prism.tile<[n/x], f32>, !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f32>
      %w = prism.accumulate rescaled_sum %b shift %g over i maps [d0], [d0] -> [d0] : !prism.tile<[n/x], f32>, !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f32>
      %s = prism.div %v, %w : (!prism.tile<[n/x], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %o = prism.save %s [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %k : !prism.tensor<[n], f32>
  }
}

// -----

// A softmax that subtracts its maximum, by an online one: no number where nothing is seen.
prism.program @chosen_each_shifted extents [n = 9, d = 150] (%x: !prism.tensor<[n, d], f32>, %m: !prism.tensor<[n, d], i1>) -> (!prism.tensor<[n], f32>) {
  %c = prism.constant 0xFF800000 : f32 -> !prism.tensor<[], f32>
  %y = prism.select %m, %x, %c maps [d0, d1], [d0, d1], [] -> [d0, d1] : (!prism.tensor<[n, d], i1>, !prism.tensor<[n, d], f32>, !prism.tensor<[], f32>) -> !prism.tensor<[n, d], f32>
  %g = prism.reduce_max %y dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %z = prism.sub %y, %g maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32>
  %e = prism.exp %z : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %f = prism.mul %e, %x : (!prism.tensor<[n, d], f32>, !prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %a = prism.reduce_sum %f dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %b = prism.reduce_sum %e dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %r = prism.div %a, %b : (!prism.tensor<[n], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %r : !prism.tensor<[n], f32>
} candidates {
  // expected-remark @+1 {{candidate 'a' passes the gate}}
  prism.candidate "a" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, d], f32>, %m: !prism.tensor<[n, d], i1>):
    %k = prism.kernel "k0"(%p = %x, %q = %m) parallel [x grid tile 4, i loop tile 32] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n, d], i1>) -> !prism.tensor<[n], f32> {
      %t = prism.load %p [[x], [i]] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d/i], f32>
      %u = prism.load %q [[x], [i]] : !prism.tensor<[n, d], i1> -> !prism.tile<[n/x, d/i], i1>
      %c = prism.constant 0xFF800000 : f32 -> !prism.tile<[], f32>
      %y = prism.select %u, %t, %c maps [d0, d1], [d0, d1], [] -> [d0, d1] : (!prism.tile<[n/x, d/i], i1>, !prism.tile<[n/x, d/i], f32>, !prism.tile<[], f32>) -> !prism.tile<[n/x, d/i], f32>
      %g = prism.reduce_max %y dims [1] : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x], f32>
      %z = prism.sub %y, %g maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/x, d/i], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x, d/i], f32>
      %e = prism.exp %z : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x, d/i], f32>
      %f = prism.mul %e, %t : (!prism.tile<[n/x, d/i], f32>, !prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x, d/i], f32>
      %a = prism.reduce_sum %f dims [1] : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x], f32>
      %b = prism.reduce_sum %e dims [1] : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x], f32>
      %v = prism.accumulate rescaled_sum %a shift %g over i maps [d0], [d0] -> [d0] : !prism.tile<[n/x], f32>, !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f32>
      %w = prism.accumulate rescaled_sum %b shift %g over i maps [d0], [d0] -> [d0] : !prism.tile<[n/x], f32>, !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f32>
      %s = prism.div %v, %w : (!prism.tile<[n/x], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %o = prism.save %s [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %k : !prism.tensor<[n], f32>
  }
}

// -----

// A softmax that does not subtract its maximum, by an online one: no number where nothing is seen.
prism.program @chosen_row_plain extents [n = 9, d = 150] (%x: !prism.tensor<[n, d], f32>, %m: !prism.tensor<[d], i1>) -> (!prism.tensor<[n], f32>) {
  %c = prism.constant 0xFF800000 : f32 -> !prism.tensor<[], f32>
  %y = prism.select %m, %x, %c maps [d1], [d0, d1], [] -> [d0, d1] : (!prism.tensor<[d], i1>, !prism.tensor<[n, d], f32>, !prism.tensor<[], f32>) -> !prism.tensor<[n, d], f32>
  %e = prism.exp %y : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %f = prism.mul %e, %x : (!prism.tensor<[n, d], f32>, !prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %a = prism.reduce_sum %f dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %b = prism.reduce_sum %e dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %r = prism.div %a, %b : (!prism.tensor<[n], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %r : !prism.tensor<[n], f32>
} candidates {
  // expected-remark @+1 {{candidate 'a' passes the gate}}
  prism.candidate "a" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, d], f32>, %m: !prism.tensor<[d], i1>):
    %k = prism.kernel "k0"(%p = %x, %q = %m) parallel [x grid tile 4, i loop tile 32] : (!prism.tensor<[n, d], f32>, !prism.tensor<[d], i1>) -> !prism.tensor<[n], f32> {
      %t = prism.load %p [[x], [i]] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d/i], f32>
      %u = prism.load %q [[i]] : !prism.tensor<[d], i1> -> !prism.tile<[d/i], i1>
      %c = prism.constant 0xFF800000 : f32 -> !prism.tile<[], f32>
      %y = prism.select %u, %t, %c maps [d1], [d0, d1], [] -> [d0, d1] : (!prism.tile<[d/i], i1>, !prism.tile<[n/x, d/i], f32>, !prism.tile<[], f32>) -> !prism.tile<[n/x, d/i], f32>
      %g = prism.reduce_max %y dims [1] : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x], f32>
      %z = prism.sub %y, %g maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/x, d/i], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x, d/i], f32>
      %e = prism.exp %z : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x, d/i], f32>
      %f = prism.mul %e, %t : (!prism.tile<[n/x, d/i], f32>, !prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x, d/i], f32>
      %a = prism.reduce_sum %f dims [1] : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x], f32>
      %b = prism.reduce_sum %e dims [1] : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x], f32>
      %v = prism.accumulate rescaled_sum %a shift %g over i maps [d0], [d0] -> [d0] : !prism.tile<[n/x], f32>, !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f32>
      %w = prism.accumulate rescaled_sum %b shift %g over i maps [d0], [d0] -> [d0] : !prism.tile<[n/x], f32>, !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f32>
      %s = prism.div %v, %w : (!prism.tile<[n/x], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %o = prism.save %s [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %k : !prism.tensor<[n], f32>
  }
}

// -----

// A softmax that subtracts its maximum, by an online one: no number where nothing is seen.
prism.program @chosen_row_shifted extents [n = 9, d = 150] (%x: !prism.tensor<[n, d], f32>, %m: !prism.tensor<[d], i1>) -> (!prism.tensor<[n], f32>) {
  %c = prism.constant 0xFF800000 : f32 -> !prism.tensor<[], f32>
  %y = prism.select %m, %x, %c maps [d1], [d0, d1], [] -> [d0, d1] : (!prism.tensor<[d], i1>, !prism.tensor<[n, d], f32>, !prism.tensor<[], f32>) -> !prism.tensor<[n, d], f32>
  %g = prism.reduce_max %y dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %z = prism.sub %y, %g maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32>
  %e = prism.exp %z : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %f = prism.mul %e, %x : (!prism.tensor<[n, d], f32>, !prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %a = prism.reduce_sum %f dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %b = prism.reduce_sum %e dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %r = prism.div %a, %b : (!prism.tensor<[n], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %r : !prism.tensor<[n], f32>
} candidates {
  // expected-remark @+1 {{candidate 'a' passes the gate}}
  prism.candidate "a" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, d], f32>, %m: !prism.tensor<[d], i1>):
    %k = prism.kernel "k0"(%p = %x, %q = %m) parallel [x grid tile 4, i loop tile 32] : (!prism.tensor<[n, d], f32>, !prism.tensor<[d], i1>) -> !prism.tensor<[n], f32> {
      %t = prism.load %p [[x], [i]] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d/i], f32>
      %u = prism.load %q [[i]] : !prism.tensor<[d], i1> -> !prism.tile<[d/i], i1>
      %c = prism.constant 0xFF800000 : f32 -> !prism.tile<[], f32>
      %y = prism.select %u, %t, %c maps [d1], [d0, d1], [] -> [d0, d1] : (!prism.tile<[d/i], i1>, !prism.tile<[n/x, d/i], f32>, !prism.tile<[], f32>) -> !prism.tile<[n/x, d/i], f32>
      %g = prism.reduce_max %y dims [1] : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x], f32>
      %z = prism.sub %y, %g maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/x, d/i], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x, d/i], f32>
      %e = prism.exp %z : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x, d/i], f32>
      %f = prism.mul %e, %t : (!prism.tile<[n/x, d/i], f32>, !prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x, d/i], f32>
      %a = prism.reduce_sum %f dims [1] : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x], f32>
      %b = prism.reduce_sum %e dims [1] : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x], f32>
      %v = prism.accumulate rescaled_sum %a shift %g over i maps [d0], [d0] -> [d0] : !prism.tile<[n/x], f32>, !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f32>
      %w = prism.accumulate rescaled_sum %b shift %g over i maps [d0], [d0] -> [d0] : !prism.tile<[n/x], f32>, !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f32>
      %s = prism.div %v, %w : (!prism.tile<[n/x], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %o = prism.save %s [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %k : !prism.tensor<[n], f32>
  }
}

// -----

// A guard of the divisor that only such rows show: 0 is not what the program has.
prism.program @added_guarded extents [n = 9, d = 150] (%x: !prism.tensor<[n, d], f32>, %m: !prism.tensor<[d], f32>) -> (!prism.tensor<[n], f32>) {
  %y = prism.add %x, %m maps [d0, d1], [d1] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[d], f32>) -> !prism.tensor<[n, d], f32>
  %e = prism.exp %y : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %f = prism.mul %e, %x : (!prism.tensor<[n, d], f32>, !prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %a = prism.reduce_sum %f dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %b = prism.reduce_sum %e dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %r = prism.div %a, %b : (!prism.tensor<[n], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %r : !prism.tensor<[n], f32>
} candidates {
  // expected-error-re @+1 {{is 0{{.*}}, expected nan{{.*}}(masked inputs)}}
  prism.candidate "a" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, d], f32>, %m: !prism.tensor<[d], f32>):
    %k = prism.kernel "k0"(%p = %x, %q = %m) parallel [x grid tile 4, i loop tile 32] : (!prism.tensor<[n, d], f32>, !prism.tensor<[d], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %p [[x], [i]] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d/i], f32>
      %u = prism.load %q [[i]] : !prism.tensor<[d], f32> -> !prism.tile<[d/i], f32>
      %y = prism.add %t, %u maps [d0, d1], [d1] -> [d0, d1] : (!prism.tile<[n/x, d/i], f32>, !prism.tile<[d/i], f32>) -> !prism.tile<[n/x, d/i], f32>
      %g = prism.reduce_max %y dims [1] : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x], f32>
      %z = prism.sub %y, %g maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/x, d/i], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x, d/i], f32>
      %e = prism.exp %z : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x, d/i], f32>
      %f = prism.mul %e, %t : (!prism.tile<[n/x, d/i], f32>, !prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x, d/i], f32>
      %a = prism.reduce_sum %f dims [1] : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x], f32>
      %b = prism.reduce_sum %e dims [1] : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x], f32>
      %v = prism.accumulate rescaled_sum %a shift %g over i maps [d0], [d0] -> [d0] : !prism.tile<[n/x], f32>, !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f32>
      %w = prism.accumulate rescaled_sum %b shift %g over i maps [d0], [d0] -> [d0] : !prism.tile<[n/x], f32>, !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f32>
      %l = prism.constant 1.0e-30 : f32 -> !prism.tile<[], f32>
      %h = prism.max %w, %l maps [d0], [] -> [d0] : (!prism.tile<[n/x], f32>, !prism.tile<[], f32>) -> !prism.tile<[n/x], f32>
      %s = prism.div %v, %h : (!prism.tile<[n/x], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %o = prism.save %s [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %k : !prism.tensor<[n], f32>
  }
}

// -----

// A guard of the divisor that only such rows show: 0 is not what the program has.
prism.program @chosen_guarded extents [n = 9, d = 150] (%x: !prism.tensor<[n, d], f32>, %m: !prism.tensor<[d], i1>) -> (!prism.tensor<[n], f32>) {
  %c = prism.constant 0xFF800000 : f32 -> !prism.tensor<[], f32>
  %y = prism.select %m, %x, %c maps [d1], [d0, d1], [] -> [d0, d1] : (!prism.tensor<[d], i1>, !prism.tensor<[n, d], f32>, !prism.tensor<[], f32>) -> !prism.tensor<[n, d], f32>
  %e = prism.exp %y : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %f = prism.mul %e, %x : (!prism.tensor<[n, d], f32>, !prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
  %a = prism.reduce_sum %f dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %b = prism.reduce_sum %e dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  %r = prism.div %a, %b : (!prism.tensor<[n], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %r : !prism.tensor<[n], f32>
} candidates {
  // expected-error-re @+1 {{is 0{{.*}}, expected nan{{.*}}(masked inputs)}}
  prism.candidate "a" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, d], f32>, %m: !prism.tensor<[d], i1>):
    %k = prism.kernel "k0"(%p = %x, %q = %m) parallel [x grid tile 4, i loop tile 32] : (!prism.tensor<[n, d], f32>, !prism.tensor<[d], i1>) -> !prism.tensor<[n], f32> {
      %t = prism.load %p [[x], [i]] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d/i], f32>
      %u = prism.load %q [[i]] : !prism.tensor<[d], i1> -> !prism.tile<[d/i], i1>
      %c = prism.constant 0xFF800000 : f32 -> !prism.tile<[], f32>
      %y = prism.select %u, %t, %c maps [d1], [d0, d1], [] -> [d0, d1] : (!prism.tile<[d/i], i1>, !prism.tile<[n/x, d/i], f32>, !prism.tile<[], f32>) -> !prism.tile<[n/x, d/i], f32>
      %g = prism.reduce_max %y dims [1] : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x], f32>
      %z = prism.sub %y, %g maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/x, d/i], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x, d/i], f32>
      %e = prism.exp %z : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x, d/i], f32>
      %f = prism.mul %e, %t : (!prism.tile<[n/x, d/i], f32>, !prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x, d/i], f32>
      %a = prism.reduce_sum %f dims [1] : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x], f32>
      %b = prism.reduce_sum %e dims [1] : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x], f32>
      %v = prism.accumulate rescaled_sum %a shift %g over i maps [d0], [d0] -> [d0] : !prism.tile<[n/x], f32>, !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f32>
      %w = prism.accumulate rescaled_sum %b shift %g over i maps [d0], [d0] -> [d0] : !prism.tile<[n/x], f32>, !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f32>
      %l = prism.constant 1.0e-30 : f32 -> !prism.tile<[], f32>
      %h = prism.max %w, %l maps [d0], [] -> [d0] : (!prism.tile<[n/x], f32>, !prism.tile<[], f32>) -> !prism.tile<[n/x], f32>
      %s = prism.div %v, %h : (!prism.tile<[n/x], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %o = prism.save %s [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %k : !prism.tensor<[n], f32>
  }
}
