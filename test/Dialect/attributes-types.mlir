// RUN: prism-opt %s | prism-opt | FileCheck %s
// RUN: prism-opt %s --emit-bytecode | prism-opt | FileCheck %s

// Every attribute and type by itself.

// CHECK: #[[PROOF:.*]] = #prism.certificate<version = 2, precision = relaxed, casts_erased = 3, steps = [<"F1" forward at []>]>
// CHECK: a0 = #prism.extent<2*a*b + 1>
// CHECK-SAME: a1 = #prism.extent<(a + b)/x?m0/i>
// CHECK-SAME: a2 = #prism.symbol<d = 4096>
// CHECK-SAME: a3 = #prism.symbol<n = ?>
// CHECK-SAME: a4 = #prism.parallel<x grid>
// CHECK-SAME: a5 = #prism.parallel<i loop tile 64>
// CHECK-SAME: a6 = #prism.map<{{\[\[}}x, i?m0], [], [y]]>
// CHECK-SAME: a7 = #prism.equality<m0 = m4>
// CHECK-SAME: a8 = #prism.equality<m1 = 0>
// CHECK-SAME: a9 = #prism.step<"M6" backward at [0, 1]>
// CHECK-SAME: b0 = #[[PROOF]]
// CHECK-SAME: b1 = #prism<verdict Proved>
// CHECK-SAME: b2 = #prism<candidate_state mapped>
// CHECK-SAME: b3 = #prism<accumulator_kind rescaled_sum>
// CHECK-SAME: b4 = #prism<compare_predicate ne>
// CHECK-SAME: b5 = #prism<gelu_kind erf>
func.func private @attributes() attributes {
  a0 = #prism.extent<1 + b*2*a>,
  a1 = #prism.extent<(b + a)/x?m0/i>,
  a2 = #prism.symbol<d = 4096>,
  a3 = #prism.symbol<n = ?>,
  a4 = #prism.parallel<x grid>,
  a5 = #prism.parallel<i loop tile 64>,
  a6 = #prism.map<[[x, i?m0], [], [y]]>,
  a7 = #prism.equality<m0 = m4>,
  a8 = #prism.equality<m1 = 0>,
  a9 = #prism.step<"M6" backward at [0, 1]>,
  b0 = #prism.certificate<version = 2, precision = relaxed, casts_erased = 3, steps = [<"F1" forward at []>]>,
  b1 = #prism<verdict Proved>,
  b2 = #prism<candidate_state mapped>,
  b3 = #prism<accumulator_kind rescaled_sum>,
  b4 = #prism<compare_predicate ne>,
  b5 = #prism<gelu_kind erf>
}

// CHECK: func.func private @types(!prism.tensor<[n, 2*d], f16>, !prism.tile<[n/x?m0, 1], bf16>, !prism.tile<[], f32>)
func.func private @types(!prism.tensor<[n, d*2], f16>, !prism.tile<[n/x?m0, 1/i], bf16>, !prism.tile<[], f32>)
