// RUN: prism-opt %s --split-input-file --verify-diagnostics

// Equations (1) to (4) and constraints G5 to G13 of docs/constraints.md; the
// label is in the name.

prism.program @g1_two_dims_along_x extents [n = ?, d = 64] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_sum %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "c" symbolic {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid, y grid, i loop] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32> {
      // expected-error @+1 {{'prism.load' op splits more than one dim along 'x' (equation (1))}}
      %t = prism.load %a [[x], [x]] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d/x], f32>
      %s = prism.reduce_sum %t dims [1] : (!prism.tile<[n/x, d/x], f32>) -> !prism.tile<[n/x], f32>
      %o = prism.save %s [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}

// -----

prism.program @g2_two_grid_dims_on_n extents [n = ?, d = 64] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_sum %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "c" symbolic {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid, y grid, i loop] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32> {
      // expected-error @+1 {{'prism.load' op splits dim 0 along more than one grid dim (equation (2))}}
      %t = prism.load %a [[x, y], []] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x/y, d], f32>
      %s = prism.reduce_sum %t dims [1] : (!prism.tile<[n/x/y, d], f32>) -> !prism.tile<[n/x/y], f32>
      %o = prism.save %s [[x, y]] : !prism.tile<[n/x/y], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}

// -----

prism.program @g3_extent extents [n = ?, d = 64] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_sum %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "c" symbolic {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid, y grid, i loop] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32> {
      // expected-error @+1 {{'prism.load' op has a tile of extent d in dim 1, expected d/i (equation (3))}}
      %t = prism.load %a [[x], [i]] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d], f32>
      %s = prism.reduce_sum %t dims [1] : (!prism.tile<[n/x, d], f32>) -> !prism.tile<[n/x], f32>
      %c = prism.accumulate sum %s over i : !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f32>
      %o = prism.save %c [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}

// -----

prism.program @g3_rank extents [n = ?, d = 64] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_sum %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "c" symbolic {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid, y grid, i loop] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32> {
      // expected-error @+1 {{'prism.load' op maps 1 dims of a tensor of rank 2}}
      %t = prism.load %a [[x]] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d], f32>
      %s = prism.reduce_sum %t dims [1] : (!prism.tile<[n/x, d], f32>) -> !prism.tile<[n/x], f32>
      %o = prism.save %s [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}

// -----

prism.program @g3_tile_rank extents [n = ?, d = 64] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_sum %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "c" symbolic {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid, y grid, i loop] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32> {
      // expected-error @+1 {{'prism.load' op has a tile of rank 1, expected 2}}
      %t = prism.load %a [[x], []] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x], f32>
      %o = prism.save %t [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}

// -----

prism.program @g3_element_type extents [n = ?, d = 64] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_sum %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "c" symbolic {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid, y grid, i loop] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32> {
      // expected-error @+1 {{'prism.load' op changes the element type from 'f32' to 'f16'; use prism.cast}}
      %t = prism.load %a [[x], []] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d], f16>
      %s = prism.reduce_sum %t dims [1] : (!prism.tile<[n/x, d], f16>) -> !prism.tile<[n/x], f32>
      %o = prism.save %s [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}

// -----

prism.program @g4_equalities extents [n = ?, d = 64] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_sum %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "c" symbolic {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid, y grid, i loop] equalities [m0 = m2] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[x?m0], []] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x?m0, d], f32>
      %u = prism.load %a [[x?m1], []] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x?m1, d], f32>
      // expected-error @+1 {{'prism.add' op operand 1 has extent n/x?m1 in dim 0, expected n/x?m0; the graph's equalities do not make them equal}}
      %v = prism.add %t, %u : (!prism.tile<[n/x?m0, d], f32>, !prism.tile<[n/x?m1, d], f32>) -> !prism.tile<[n/x?m0, d], f32>
      %s = prism.reduce_sum %v dims [1] : (!prism.tile<[n/x?m0, d], f32>) -> !prism.tile<[n/x?m0], f32>
      %o = prism.save %s [[x?m0]] : !prism.tile<[n/x?m0], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}

// -----

prism.program @g4_known_entries extents [n = ?, d = 64] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_sum %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "c" symbolic {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid, y grid, i loop] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[x], []] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d], f32>
      %u = prism.load %a [[], []] : !prism.tensor<[n, d], f32> -> !prism.tile<[n, d], f32>
      // expected-error @+1 {{'prism.add' op operand 1 has extent n in dim 0, expected n/x}}
      %v = prism.add %t, %u : (!prism.tile<[n/x, d], f32>, !prism.tile<[n, d], f32>) -> !prism.tile<[n/x, d], f32>
      %s = prism.reduce_sum %v dims [1] : (!prism.tile<[n/x, d], f32>) -> !prism.tile<[n/x], f32>
      %o = prism.save %s [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}

// -----

prism.program @g5_undeclared extents [n = ?, d = 64] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_sum %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "c" symbolic {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid, y grid, i loop] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32> {
      // expected-error @+1 {{'prism.load' op splits dim 0 along 'w', which the graph does not declare}}
      %t = prism.load %a [[w], []] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/w, d], f32>
      %s = prism.reduce_sum %t dims [1] : (!prism.tile<[n/w, d], f32>) -> !prism.tile<[n/w], f32>
      %o = prism.save %s [[w]] : !prism.tile<[n/w], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}

// -----

prism.program @g6_order extents [n = ?, d = 64] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_sum %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "c" symbolic {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid, y grid, i loop] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32> {
      // expected-error @+1 {{'prism.load' op splits dim 1 along the loop before 'x'; grid dims come first}}
      %t = prism.load %a [[], [i, x]] : !prism.tensor<[n, d], f32> -> !prism.tile<[n, d/i/x], f32>
      %s = prism.reduce_sum %t dims [1] : (!prism.tile<[n, d/i/x], f32>) -> !prism.tile<[n], f32>
      %c = prism.accumulate sum %s over i : !prism.tile<[n], f32> -> !prism.tile<[n], f32>
      %o = prism.save %c [[]] : !prism.tile<[n], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}

// -----

prism.program @g8_saver_names_the_loop extents [n = ?, d = 64] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_sum %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "c" symbolic {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid, y grid, i loop] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[], []] : !prism.tensor<[n, d], f32> -> !prism.tile<[n, d], f32>
      %s = prism.reduce_sum %t dims [1] : (!prism.tile<[n, d], f32>) -> !prism.tile<[n], f32>
      // expected-error @+1 {{'prism.save' op puts tiles together along the loop dim 'i'; an omap has grid dims only}}
      %o = prism.save %s [[i]] : !prism.tile<[n], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}

// -----

prism.program @g8_partials_along_the_loop extents [n = ?, d = 64] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_sum %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "c" symbolic {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid, y grid, i loop] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[], []] : !prism.tensor<[n, d], f32> -> !prism.tile<[n, d], f32>
      %s = prism.reduce_sum %t dims [1] : (!prism.tile<[n, d], f32>) -> !prism.tile<[n], f32>
      // expected-error @+1 {{'prism.save' op writes partials along 'i', which is no grid dim of the graph}}
      %o = prism.save %s [[]] partials [i] : !prism.tile<[n], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}

// -----

prism.program @g8_partials_extent extents [n = ?, d = 64] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_sum %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "c" symbolic {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid, y grid, i loop] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[], [x]] : !prism.tensor<[n, d], f32> -> !prism.tile<[n, d/x], f32>
      %s = prism.reduce_sum %t dims [1] : (!prism.tile<[n, d/x], f32>) -> !prism.tile<[n], f32>
      // expected-error @+1 {{'prism.save' op writes partials along 'x', expected the leading extent k0.x in the result}}
      %o = prism.save %s [[]] partials [x] : !prism.tile<[n], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}

// -----

prism.program @g9_not_accumulated extents [n = ?, d = 64] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_sum %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "c" symbolic {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid, y grid, i loop] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[x], [i]] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d/i], f32>
      %s = prism.reduce_sum %t dims [1] : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x], f32>
      // expected-error @+1 {{'prism.save' op saves a value that differs from step to step of the loop; accumulate it first}}
      %o = prism.save %s [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}

// -----

prism.program @g9_accumulated_twice extents [n = ?, d = 64] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_sum %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "c" symbolic {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid, y grid, i loop] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[x], [i]] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d/i], f32>
      %s = prism.reduce_sum %t dims [1] : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x], f32>
      %c = prism.accumulate sum %s over i : !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f32>
      // expected-error @+1 {{'prism.accumulate' op accumulates what another accumulator feeds; the loop is over by then}}
      %e = prism.accumulate sum %c over i : !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f32>
      %o = prism.save %e [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}

// -----

prism.program @g9_mixed extents [n = ?, d = 64] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_sum %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "c" symbolic {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid, y grid, i loop] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[x], [i]] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d/i], f32>
      %s = prism.reduce_sum %t dims [1] : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x], f32>
      %c = prism.accumulate sum %s over i : !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f32>
      // expected-error @+1 {{'prism.add' op mixes a value of one loop step with one that is known after the loop}}
      %m = prism.add %s, %c : (!prism.tile<[n/x], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %o = prism.save %m [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}

// -----

prism.program @g9_accumulate_dim extents [n = ?, d = 64] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_sum %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "c" symbolic {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid, y grid, i loop] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[x], []] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d], f32>
      %s = prism.reduce_sum %t dims [1] : (!prism.tile<[n/x, d], f32>) -> !prism.tile<[n/x], f32>
      // expected-error @+1 {{'prism.accumulate' op accumulates over 'x', which is no loop dim of the graph}}
      %c = prism.accumulate sum %s over x : !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f32>
      %o = prism.save %c [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}

// -----

prism.program @g9_accumulate_extents extents [n = ?, d = 64] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_sum %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "c" symbolic {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid, y grid, i loop] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[x], [i]] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d/i], f32>
      %s = prism.reduce_sum %t dims [1] : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x], f32>
      // expected-error @+1 {{'prism.accumulate' op has a result of type '!prism.tile<[n], f32>', expected the extents of '!prism.tile<[n/x], f32>'}}
      %c = prism.accumulate sum %s over i : !prism.tile<[n/x], f32> -> !prism.tile<[n], f32>
      %o = prism.save %c [[]] : !prism.tile<[n], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}

// -----

prism.program @g9_accumulate_shift extents [n = ?, d = 64] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_sum %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "c" symbolic {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid, y grid, i loop] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[x], [i]] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d/i], f32>
      %s = prism.reduce_sum %t dims [1] : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x], f32>
      // expected-error @+1 {{'prism.accumulate' op has a shift iff its kind is rescaled_sum}}
      %c = prism.accumulate rescaled_sum %s over i : !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f32>
      %o = prism.save %c [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}

// -----

prism.program @g9_accumulate_narrower extents [n = ?, d = 64] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_sum %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "c" symbolic {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid, y grid, i loop] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[x], [i]] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d/i], f32>
      %s = prism.reduce_sum %t dims [1] : (!prism.tile<[n/x, d/i], f32>) -> !prism.tile<[n/x], f32>
      // expected-error @+1 {{'prism.accumulate' op accumulates 'f32' in 'f16', which is not wider}}
      %c = prism.accumulate sum %s over i : !prism.tile<[n/x], f32> -> !prism.tile<[n/x], f16>
      %e = prism.cast %c : (!prism.tile<[n/x], f16>) -> !prism.tile<[n/x], f32>
      %o = prism.save %e [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}

// -----

prism.program @g10_one_extent_per_dim extents [n = ?, d = 64] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_sum %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "c" symbolic {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid, y grid, i loop] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[x], []] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d], f32>
      // expected-error @+1 {{'prism.load' op splits extent d along 'x', which splits n elsewhere}}
      %u = prism.load %a [[], [x]] : !prism.tensor<[n, d], f32> -> !prism.tile<[n, d/x], f32>
      %s = prism.reduce_sum %t dims [1] : (!prism.tile<[n/x, d], f32>) -> !prism.tile<[n/x], f32>
      %o = prism.save %s [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}

// -----

prism.program @g12_loop_tile_divides extents [n = ?, d = 64] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_sum %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "c" symbolic {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid tile 24, i loop tile 16] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32> {
      // expected-error @+1 {{'prism.load' op splits tiles of 24 along 'i' in tiles of 16, which does not divide}}
      %t = prism.load %a [[], [x, i]] : !prism.tensor<[n, d], f32> -> !prism.tile<[n, d/x/i], f32>
      %s = prism.reduce_sum %t dims [1] : (!prism.tile<[n, d/x/i], f32>) -> !prism.tile<[n], f32>
      %c = prism.accumulate sum %s over i : !prism.tile<[n], f32> -> !prism.tile<[n], f32>
      %o = prism.save %c [[]] : !prism.tile<[n], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}

// -----

prism.program @g13_yield extents [n = ?, d = 64] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_sum %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "c" symbolic {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid, y grid, i loop] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[x], []] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d], f32>
      %s = prism.reduce_sum %t dims [1] : (!prism.tile<[n/x, d], f32>) -> !prism.tile<[n/x], f32>
      %o = prism.save %s [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      // expected-error @+1 {{'prism.yield' op has types ('!prism.tensor<[n, d], f32>'), expected ('!prism.tensor<[n], f32>') as the enclosing graph's results}}
      prism.yield %a : !prism.tensor<[n, d], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}

// -----

prism.program @g13_foreign_op extents [n = ?, d = 64] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_sum %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "c" symbolic {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid, y grid, i loop] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[x], []] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d], f32>
      // expected-error @+1 {{'arith.constant' op cannot stand in a graph}}
      %z = arith.constant 0 : i32
      %s = prism.reduce_sum %t dims [1] : (!prism.tile<[n/x, d], f32>) -> !prism.tile<[n/x], f32>
      %o = prism.save %s [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}

// -----

prism.program @g7_contradiction extents [n = ?, d = 64] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_sum %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "c" symbolic {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    // expected-error @+1 {{'prism.kernel' op has contradictory equalities: #prism.equality<m1 = 1> cannot hold together with those before it}}
    %r = prism.kernel "k0"(%a = %x) parallel [x grid, y grid, i loop] equalities [m0 = m1, m0 = 0, m1 = 1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[], []] : !prism.tensor<[n, d], f32> -> !prism.tile<[n, d], f32>
      %s = prism.reduce_sum %t dims [1] : (!prism.tile<[n, d], f32>) -> !prism.tile<[n], f32>
      %o = prism.save %s [[]] : !prism.tile<[n], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}

// -----

prism.program @g11_twice extents [n = ?, d = 64] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_sum %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "c" symbolic {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    // expected-error @+1 {{'prism.kernel' op declares parallel dim 'x' twice}}
    %r = prism.kernel "k0"(%a = %x) parallel [x grid, x grid] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[], []] : !prism.tensor<[n, d], f32> -> !prism.tile<[n, d], f32>
      %s = prism.reduce_sum %t dims [1] : (!prism.tile<[n, d], f32>) -> !prism.tile<[n], f32>
      %o = prism.save %s [[]] : !prism.tile<[n], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}

// -----

prism.program @g11_two_loops extents [n = ?, d = 64] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_sum %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "c" symbolic {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    // expected-error @+1 {{'prism.kernel' op declares 2 loop dims, expected at most one}}
    %r = prism.kernel "k0"(%a = %x) parallel [i loop, j loop] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[], []] : !prism.tensor<[n, d], f32> -> !prism.tile<[n, d], f32>
      %s = prism.reduce_sum %t dims [1] : (!prism.tile<[n, d], f32>) -> !prism.tile<[n], f32>
      %o = prism.save %s [[]] : !prism.tile<[n], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}

// -----

prism.program @g11_thread_dim extents [n = ?, d = 64] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_sum %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "c" symbolic {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    // expected-error @+1 {{'prism.kernel' op declares 't' as a thread dim, expected grid or loop}}
    %r = prism.kernel "k0"(%a = %x) parallel [t thread] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[], []] : !prism.tensor<[n, d], f32> -> !prism.tile<[n, d], f32>
      %s = prism.reduce_sum %t dims [1] : (!prism.tile<[n, d], f32>) -> !prism.tile<[n], f32>
      %o = prism.save %s [[]] : !prism.tile<[n], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}

// -----

// Another op may carry an attribute named as the loaders' map.
prism.program @g5_map_of_another_op extents [n = ?] (%x: !prism.tensor<[n], f32>) -> (!prism.tensor<[n], f32>) {
  prism.yield %x : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "c" sized {
  ^bb0(%x: !prism.tensor<[n], f32>):
    // expected-error @+1 {{'prism.kernel' op leaves the tile of parallel dim 'x' open in a sized candidate}}
    %r = prism.kernel "k0"(%a = %x) parallel [x grid] : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[x]] : !prism.tensor<[n], f32> -> !prism.tile<[n/x], f32>
      %e = prism.exp %t {map = #prism.map<[[q?m0]]>} : (!prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %o = prism.save %e [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}

// -----

prism.program @g3_load_of_a_tile_in_a_kernel extents [n = ?] (%x: !prism.tensor<[n], f32>) -> (!prism.tensor<[n], f32>) {
  prism.yield %x : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "c" symbolic {
  ^bb0(%x: !prism.tensor<[n], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid] : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[]] : !prism.tensor<[n], f32> -> !prism.tile<[n], f32>
      // expected-error @+1 {{'prism.load' op splits '!prism.tile<[n], f32>' in a prism.kernel, expected a !prism.tensor}}
      %u = prism.load %t [[x]] : !prism.tile<[n], f32> -> !prism.tile<[n/x], f32>
      %o = prism.save %u [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}

// -----

prism.program @g14_maps_without_shift extents [n = ?] (%x: !prism.tensor<[n], f32>) -> (!prism.tensor<[], f32>) {
  %0 = prism.reduce_sum %x dims [0] : (!prism.tensor<[n], f32>) -> !prism.tensor<[], f32>
  prism.yield %0 : !prism.tensor<[], f32>
} candidates {
  prism.candidate "c" symbolic {
  ^bb0(%x: !prism.tensor<[n], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [i loop] : (!prism.tensor<[n], f32>) -> !prism.tensor<[], f32> {
      %t = prism.load %a [[i]] : !prism.tensor<[n], f32> -> !prism.tile<[n/i], f32>
      %s = prism.reduce_sum %t dims [0] : (!prism.tile<[n/i], f32>) -> !prism.tile<[], f32>
      // expected-error @+1 {{'prism.accumulate' op has maps but no shift that they index}}
      %c = prism.accumulate sum %s over i maps [], [] -> [] : !prism.tile<[], f32> -> !prism.tile<[], f32>
      %o = prism.save %c [] : !prism.tile<[], f32> -> !prism.tensor<[], f32>
      prism.yield %o : !prism.tensor<[], f32>
    }
    prism.yield %r : !prism.tensor<[], f32>
  }
}

// -----

prism.program @g14_shift_map extents [n = ?, d = ?] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n, d], f32>) {
  prism.yield %x : !prism.tensor<[n, d], f32>
} candidates {
  prism.candidate "c" symbolic {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [i loop] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32> {
      %t = prism.load %a [[], []] : !prism.tensor<[n, d], f32> -> !prism.tile<[n, d], f32>
      %m = prism.reduce_max %t dims [1] : (!prism.tile<[n, d], f32>) -> !prism.tile<[n], f32>
      // expected-error @+1 {{'prism.accumulate' op expects maps of the tile, the shift and the result: tile and result name each dim, alike, the shift each at most once}}
      %c = prism.accumulate rescaled_sum %t shift %m over i maps [d0, d1], [d0] -> [d1, d0] : !prism.tile<[n, d], f32>, !prism.tile<[n], f32> -> !prism.tile<[n, d], f32>
      %o = prism.save %c [[], []] : !prism.tile<[n, d], f32> -> !prism.tensor<[n, d], f32>
      prism.yield %o : !prism.tensor<[n, d], f32>
    }
    prism.yield %r : !prism.tensor<[n, d], f32>
  }
}

// -----

prism.program @g14_shift_rank extents [n = ?, d = ?] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n, d], f32>) {
  prism.yield %x : !prism.tensor<[n, d], f32>
} candidates {
  prism.candidate "c" symbolic {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [i loop] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32> {
      %t = prism.load %a [[], []] : !prism.tensor<[n, d], f32> -> !prism.tile<[n, d], f32>
      %m = prism.reduce_max %t dims [1] : (!prism.tile<[n, d], f32>) -> !prism.tile<[n], f32>
      // expected-error @+1 {{'prism.accumulate' op has a shift of rank 1, but its map names 2 dims}}
      %c = prism.accumulate rescaled_sum %t shift %m over i : !prism.tile<[n, d], f32>, !prism.tile<[n], f32> -> !prism.tile<[n, d], f32>
      %o = prism.save %c [[], []] : !prism.tile<[n, d], f32> -> !prism.tensor<[n, d], f32>
      prism.yield %o : !prism.tensor<[n, d], f32>
    }
    prism.yield %r : !prism.tensor<[n, d], f32>
  }
}

// -----

prism.program @g14_shift_extent extents [n = ?, d = ?] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n, d], f32>) {
  prism.yield %x : !prism.tensor<[n, d], f32>
} candidates {
  prism.candidate "c" symbolic {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [i loop] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32> {
      %t = prism.load %a [[], []] : !prism.tensor<[n, d], f32> -> !prism.tile<[n, d], f32>
      %m = prism.reduce_max %t dims [1] : (!prism.tile<[n, d], f32>) -> !prism.tile<[n], f32>
      // expected-error @+1 {{'prism.accumulate' op has a shift of extent n where the tile has d in dim 1}}
      %c = prism.accumulate rescaled_sum %t shift %m over i maps [d0, d1], [d1] -> [d0, d1] : !prism.tile<[n, d], f32>, !prism.tile<[n], f32> -> !prism.tile<[n, d], f32>
      %o = prism.save %c [[], []] : !prism.tile<[n, d], f32> -> !prism.tensor<[n, d], f32>
      prism.yield %o : !prism.tensor<[n, d], f32>
    }
    prism.yield %r : !prism.tensor<[n, d], f32>
  }
}

// -----

prism.program @g13_arguments extents [n = 4] (%x: !prism.tensor<[n], f32>) -> (!prism.tensor<[n], f32>) {
  prism.yield %x : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "c" symbolic {
  ^bb0(%x: !prism.tensor<[n], f32>):
    // expected-error @+1 {{'prism.kernel' op has a body that takes (), expected ('!prism.tensor<[n], f32>')}}
    %r = "prism.kernel"(%x) <{graph_name = "k0", parallel = [], equality_constraints = []}> ({
      %0 = prism.constant 1.0 : f32 -> !prism.tile<[], f32>
      "prism.yield"() : () -> ()
    }) : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
    prism.yield %r : !prism.tensor<[n], f32>
  }
}

// -----

prism.program @threads extents [n = 4] (%x: !prism.tensor<[n], f32>) -> (!prism.tensor<[n], f32>) {
  prism.yield %x : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "c" sized {
  ^bb0(%x: !prism.tensor<[n], f32>):
    // expected-error @+1 {{'prism.kernel' op has 48 threads, expected a power of two from 32 to 1024}}
    %r = prism.kernel "k0"(%a = %x) parallel [x grid tile 4] threads 48 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[x]] : !prism.tensor<[n], f32> -> !prism.tile<[n/x], f32>
      %o = prism.save %t [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}

// -----

prism.program @stages extents [n = 4] (%x: !prism.tensor<[n], f32>) -> (!prism.tensor<[n], f32>) {
  prism.yield %x : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "c" sized {
  ^bb0(%x: !prism.tensor<[n], f32>):
    // expected-error @+1 {{'prism.kernel' op has 6 stages, expected 1 to 5}}
    %r = prism.kernel "k0"(%a = %x) parallel [x grid tile 4] stages 6 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[x]] : !prism.tensor<[n], f32> -> !prism.tile<[n/x], f32>
      %o = prism.save %t [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}
