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
