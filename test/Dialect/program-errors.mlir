// RUN: prism-opt %s --split-input-file --verify-diagnostics

// Constraints P1 to P6 of docs/constraints.md; the label is in the name.

// expected-error @+1 {{'prism.program' op names extent 'e', which program @p1_argument does not declare}}
prism.program @p1_argument extents [n = 4] (%x: !prism.tensor<[n, e], f32>) -> (!prism.tensor<[n, e], f32>) {
  prism.yield %x : !prism.tensor<[n, e], f32>
}

// -----

prism.program @p1_result extents [n = 4] (%x: !prism.tensor<[n], f32>) -> (!prism.tensor<[n], f32>) {
  // expected-error @+1 {{'prism.broadcast' op names extent 'e', which program @p1_result does not declare}}
  %0 = prism.broadcast %x dims [0] : (!prism.tensor<[n], f32>) -> !prism.tensor<[n, e], f32>
  prism.yield %x : !prism.tensor<[n], f32>
}

// -----

prism.program @p1_constant extents [n = 4] (%x: !prism.tensor<[n], f32>) -> (!prism.tensor<[n], f32>) {
  // expected-error @+1 {{'prism.constant' op names extent 'e', which program @p1_constant does not declare}}
  %0 = prism.constant #prism.extent<e> -> !prism.tensor<[], f32>
  prism.yield %x : !prism.tensor<[n], f32>
}

// -----

// expected-error @+1 {{'prism.program' op declares extent 'n' twice}}
prism.program @p1_twice extents [n = 4, n = ?] (%x: !prism.tensor<[n], f32>) -> (!prism.tensor<[n], f32>) {
  prism.yield %x : !prism.tensor<[n], f32>
}

// -----

prism.program @p2_results extents [n = 4] (%x: !prism.tensor<[n], f32>) -> (!prism.tensor<[n], f16>) {
  // expected-error @+1 {{'prism.yield' op has types ('!prism.tensor<[n], f32>'), expected ('!prism.tensor<[n], f16>') as in program @p2_results}}
  prism.yield %x : !prism.tensor<[n], f32>
}

// -----

// expected-error @+1 {{'prism.program' op has a body whose arguments differ from its type}}
"prism.program"() <{sym_name = "p2_body", extents = [#prism.symbol<n = 4>], function_type = () -> !prism.tensor<[n], f32>}> ({
^bb0(%x: !prism.tensor<[n], f32>):
  "prism.yield"(%x) : (!prism.tensor<[n], f32>) -> ()
}, {
}) : () -> ()

// -----

// expected-error @+1 {{'prism.program' op expects arguments of !prism.tensor, got 'tensor<4xf32>'}}
prism.program @p2_builtin extents [] (%x: tensor<4xf32>) -> (tensor<4xf32>) {
  prism.yield %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{'prism.program' op must end in prism.yield}}
prism.program @p2_no_yield extents [n = 4] (%x: !prism.tensor<[n], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.exp %x : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
}

// -----

prism.program @p3_arguments extents [n = 4] (%x: !prism.tensor<[n], f32>) -> (!prism.tensor<[n], f32>) {
  prism.yield %x : !prism.tensor<[n], f32>
} candidates {
  // expected-error @+1 {{'prism.candidate' op takes (), expected ('!prism.tensor<[n], f32>') as in program @p3_arguments}}
  prism.candidate "c" symbolic {
    %0 = prism.constant 1.0 : f32 -> !prism.tensor<[], f32>
    prism.yield %0 : !prism.tensor<[], f32>
  }
}

// -----

prism.program @p3_ids extents [n = 4] (%x: !prism.tensor<[n], f32>) -> (!prism.tensor<[n], f32>) {
  prism.yield %x : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "c" symbolic {
  ^bb0(%x: !prism.tensor<[n], f32>):
    prism.yield %x : !prism.tensor<[n], f32>
  }
  // expected-error @+1 {{'prism.candidate' op has the id "c" of another}}
  prism.candidate "c" symbolic {
  ^bb0(%x: !prism.tensor<[n], f32>):
    prism.yield %x : !prism.tensor<[n], f32>
  }
}

// -----

prism.program @p3_foreign_op extents [n = 4] (%x: !prism.tensor<[n], f32>) -> (!prism.tensor<[n], f32>) {
  prism.yield %x : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "c" symbolic {
  ^bb0(%x: !prism.tensor<[n], f32>):
    // expected-error @+1 {{'arith.constant' op is neither a compute op nor a kernel; a candidate holds nothing else}}
    %0 = arith.constant 0 : i32
    prism.yield %x : !prism.tensor<[n], f32>
  }
}

// -----

prism.program @p3_among_candidates extents [n = 4] (%x: !prism.tensor<[n], f32>) -> (!prism.tensor<[n], f32>) {
  prism.yield %x : !prism.tensor<[n], f32>
} candidates {
  // expected-error @+1 {{'arith.constant' op stands among candidates, expected prism.candidate}}
  %0 = arith.constant 0 : i32
}

// -----

prism.program @p3_certificate extents [n = 4] (%x: !prism.tensor<[n], f32>) -> (!prism.tensor<[n], f32>) {
  prism.yield %x : !prism.tensor<[n], f32>
} candidates {
  // expected-error @+1 {{'prism.candidate' op carries a certificate, expected verdict Proved}}
  prism.candidate "c" mapped verdict Unknown certificate <version = 1, steps = []> {
  ^bb0(%x: !prism.tensor<[n], f32>):
    prism.yield %x : !prism.tensor<[n], f32>
  }
}

// -----

prism.program @p4_mapped extents [n = 4] (%x: !prism.tensor<[n], f32>) -> (!prism.tensor<[n], f32>) {
  prism.yield %x : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "c" mapped {
  ^bb0(%x: !prism.tensor<[n], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid] : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32> {
      // expected-error @+1 {{'prism.load' op leaves m0 open in a mapped candidate}}
      %t = prism.load %a [[x?m0]] : !prism.tensor<[n], f32> -> !prism.tile<[n/x?m0], f32>
      %o = prism.save %t [[x?m0]] : !prism.tile<[n/x?m0], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}

// -----

prism.program @p4_sized extents [n = 4] (%x: !prism.tensor<[n], f32>) -> (!prism.tensor<[n], f32>) {
  prism.yield %x : !prism.tensor<[n], f32>
} candidates {
  prism.candidate "c" sized {
  ^bb0(%x: !prism.tensor<[n], f32>):
    // expected-error @+1 {{'prism.kernel' op leaves the tile of parallel dim 'x' open in a sized candidate}}
    %r = prism.kernel "k0"(%a = %x) parallel [x grid] : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[x]] : !prism.tensor<[n], f32> -> !prism.tile<[n/x], f32>
      %o = prism.save %t [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}

// -----

prism.program @p extents [n = ?, d = 64] (%x: !prism.tensor<[n, d], f32>, %y: !prism.tensor<[n], f32>) -> (!prism.tensor<[n, d], f32>) {
  %0 = prism.add %x, %y maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32>
  prism.yield %0 : !prism.tensor<[n, d], f32>
}
func.func @p5_symbol(%x: tensor<4x64xf32>) {
  // expected-error @+1 {{'prism.invoke' op refers to @q, which is no prism.program}}
  %r = prism.invoke @q(%x) : (tensor<4x64xf32>) -> tensor<4x64xf32>
  return
}

// -----

prism.program @p extents [n = ?, d = 64] (%x: !prism.tensor<[n, d], f32>, %y: !prism.tensor<[n], f32>) -> (!prism.tensor<[n, d], f32>) {
  %0 = prism.add %x, %y maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32>
  prism.yield %0 : !prism.tensor<[n, d], f32>
}
func.func @p5_counts(%x: tensor<4x64xf32>) {
  // expected-error @+1 {{'prism.invoke' op has 1 operands and 1 results, but program @p has 2 and 1}}
  %r = prism.invoke @p(%x) : (tensor<4x64xf32>) -> tensor<4x64xf32>
  return
}

// -----

prism.program @p extents [n = ?, d = 64] (%x: !prism.tensor<[n, d], f32>, %y: !prism.tensor<[n], f32>) -> (!prism.tensor<[n, d], f32>) {
  %0 = prism.add %x, %y maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32>
  prism.yield %0 : !prism.tensor<[n, d], f32>
}
func.func @p5_types(%x: tensor<4x64xf32>, %y: tensor<4xf16>) {
  // expected-error @+1 {{'prism.invoke' op operand 1 is 'tensor<4xf16>', but program @p has '!prism.tensor<[n], f32>'}}
  %r = prism.invoke @p(%x, %y) : (tensor<4x64xf32>, tensor<4xf16>) -> tensor<4x64xf32>
  return
}

// -----

prism.program @p extents [n = ?, d = 64] (%x: !prism.tensor<[n, d], f32>, %y: !prism.tensor<[n], f32>) -> (!prism.tensor<[n, d], f32>) {
  %0 = prism.add %x, %y maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32>
  prism.yield %0 : !prism.tensor<[n, d], f32>
}
func.func @p5_values(%x: tensor<4x32xf32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{'prism.invoke' op operand 0 has extent 32 in dim 1, but d = 64}}
  %r = prism.invoke @p(%x, %y) : (tensor<4x32xf32>, tensor<4xf32>) -> tensor<4x32xf32>
  return
}

// -----

prism.program @p extents [n = ?, d = 64] (%x: !prism.tensor<[n, d], f32>, %y: !prism.tensor<[n], f32>) -> (!prism.tensor<[n, d], f32>) {
  %0 = prism.add %x, %y maps [d0, d1], [d0] -> [d0, d1] : (!prism.tensor<[n, d], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n, d], f32>
  prism.yield %0 : !prism.tensor<[n, d], f32>
}
func.func @p5_equal_symbols(%x: tensor<4x64xf32>, %y: tensor<5xf32>) {
  // expected-error @+1 {{'prism.invoke' op operand 1 has extent 5 in dim 0, but n = 4}}
  %r = prism.invoke @p(%x, %y) : (tensor<4x64xf32>, tensor<5xf32>) -> tensor<4x64xf32>
  return
}

// -----

prism.program @p6_foreign_op extents [n = 4] (%x: !prism.tensor<[n], f32>) -> (!prism.tensor<[n], f32>) {
  // expected-error @+1 {{'arith.constant' op is not a compute op; a program holds nothing else}}
  %0 = arith.constant 0 : i32
  prism.yield %x : !prism.tensor<[n], f32>
}

// -----

// expected-error @+1 {{expected a program body}}
prism.program @p2_empty extents [] () -> () {
}
