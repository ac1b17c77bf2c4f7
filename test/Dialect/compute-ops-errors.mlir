// RUN: prism-opt %s --split-input-file --verify-diagnostics

// Constraints S1 to S5 of docs/constraints.md; the label is in the name.

func.func @s1_extents(%a: tensor<4xf32>, %b: tensor<5xf32>) {
  // expected-error @+1 {{'prism.add' op operand 1 has extent 5 in dim 0, expected 4}}
  %0 = prism.add %a, %b : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @s1_contracted(%a: tensor<4x8xf16>, %b: tensor<7x3xf16>) {
  // expected-error @+1 {{'prism.matmul' op operand 1 has extent 7 in dim 0, expected 8}}
  %0 = prism.matmul %a, %b : (tensor<4x8xf16>, tensor<7x3xf16>) -> tensor<4x3xf32>
  return
}

// -----

prism.program @s1_symbols_are_not_unified_by_value extents [n = 8, m = 8] (%a: !prism.tensor<[n], f32>, %b: !prism.tensor<[m], f32>) -> (!prism.tensor<[n], f32>) {
  // expected-error @+1 {{'prism.add' op operand 1 has extent m in dim 0, expected n}}
  %0 = prism.add %a, %b : (!prism.tensor<[n], f32>, !prism.tensor<[m], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
}

// -----

func.func @s1_rank(%a: tensor<4x2xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'prism.concat' op expects operand 1 of rank 2, got 1}}
  %0 = prism.concat %a, %b dim 1 : (tensor<4x2xf32>, tensor<4xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @s2_extent(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{'prism.transpose' op result has extent 4 in dim 0, expected 8}}
  %0 = prism.transpose %a permutation [1, 0] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @s2_rank(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{'prism.reduce_sum' op expects a result of rank 1, got 2}}
  %0 = prism.reduce_sum %a dims [1] : (tensor<4x8xf32>) -> tensor<4x1xf32>
  return
}

// -----

func.func @s2_unary_rank(%a: tensor<4x8xf32>) {
  // expected-error @+1 {{'prism.exp' op expects a result of rank 2, got 1}}
  %0 = prism.exp %a : (tensor<4x8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @s2_sum(%a: tensor<4xf32>, %b: tensor<2xf32>) {
  // expected-error @+1 {{'prism.concat' op result has extent 5 in dim 0, expected the operands' sum 6}}
  %0 = prism.concat %a, %b dim 0 : (tensor<4xf32>, tensor<2xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @s2_product(%a: tensor<4x6xf32>) {
  // expected-error @+1 {{'prism.reshape' op operand 0 has extent 6 in dim 1, expected 8}}
  %0 = prism.reshape %a ([d0], [d1, d2]) -> ([d0], [d1], [d2]) : (tensor<4x6xf32>) -> tensor<4x2x4xf32>
  return
}

// -----

func.func @s3_same(%a: tensor<4xf16>) {
  // expected-error @+1 {{'prism.exp' op operand 0 has element type 'f16', expected 'f32' as in the result; insert a prism.cast}}
  %0 = prism.exp %a : (tensor<4xf16>) -> tensor<4xf32>
  return
}

// -----

func.func @s3_operands(%a: tensor<4x4xf16>, %b: tensor<4x4xbf16>) {
  // expected-error @+1 {{'prism.matmul' op operand 1 has element type 'bf16', expected 'f16' as in operand 0}}
  %0 = prism.matmul %a, %b : (tensor<4x4xf16>, tensor<4x4xbf16>) -> tensor<4x4xf32>
  return
}

// -----

func.func @s3_accumulates(%a: tensor<4xf32>) {
  // expected-error @+1 {{'prism.reduce_sum' op accumulates 'f32' in 'f16', which is not wider}}
  %0 = prism.reduce_sum %a dims [0] : (tensor<4xf32>) -> tensor<f16>
  return
}

// -----

func.func @s3_compared(%a: tensor<4xf32>, %b: tensor<4xf16>) {
  // expected-error @+1 {{'prism.compare' op compares 'f32' with 'f16'}}
  %0 = prism.compare lt %a, %b : (tensor<4xf32>, tensor<4xf16>) -> tensor<4xi1>
  return
}

// -----

func.func @s3_compare_result(%a: tensor<4xf32>) {
  // expected-error @+1 {{'prism.compare' op expects a result of i1, got 'f32'}}
  %0 = prism.compare lt %a, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @s3_condition(%a: tensor<4xf32>) {
  // expected-error @+1 {{'prism.select' op expects a condition of i1, got 'f32'}}
  %0 = prism.select %a, %a, %a : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @s3_choices(%c: tensor<4xi1>, %a: tensor<4xf32>, %b: tensor<4xf16>) {
  // expected-error @+1 {{'prism.select' op chooses among 'f16', expected 'f32' as in the result}}
  %0 = prism.select %c, %a, %b : (tensor<4xi1>, tensor<4xf32>, tensor<4xf16>) -> tensor<4xf32>
  return
}

// -----

func.func @s3_cast_to_bool(%a: tensor<4xf32>) {
  // expected-error @+1 {{'prism.cast' op to i1 is not supported; use prism.compare}}
  %0 = prism.cast %a : (tensor<4xf32>) -> tensor<4xi1>
  return
}

// -----

func.func @s3_levels(%a: tensor<4xf32>) {
  %0 = "builtin.unrealized_conversion_cast"(%a) : (tensor<4xf32>) -> !prism.tensor<[4], f32>
  // expected-error @+1 {{'prism.add' op mixes tensors and tiles: 'tensor<4xf32>' and '!prism.tensor<[4], f32>'}}
  %1 = prism.add %a, %0 : (tensor<4xf32>, !prism.tensor<[4], f32>) -> tensor<4xf32>
  return
}

// -----

func.func @s3_level_of_result(%a: tensor<4xf32>) {
  // expected-error @+1 {{'prism.exp' op mixes tensors and tiles: 'tensor<4xf32>' and '!prism.tile<[4], f32>'}}
  %1 = prism.exp %a : (tensor<4xf32>) -> !prism.tile<[4], f32>
  return
}

// -----

func.func @s3_integers(%a: tensor<4xi32>) {
  // expected-error @+1 {{'prism.exp' op operand #0 must be tensor or tile of f16, bf16, f32 or f64, but got 'tensor<4xi32>'}}
  %0 = prism.exp %a : (tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @s4_number(%a: tensor<4xf32>) {
  // expected-error @+1 {{'prism.add' op expects 3 maps, one per operand and one for the result, got 2}}
  %0 = prism.add %a, %a maps [d0] -> [d0] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @s4_rank(%a: tensor<4xf32>, %b: tensor<4x4xf32>) {
  // expected-error @+1 {{'prism.add' op has operand 0 of rank 1, but its map names 2 dims; give 'maps' to permute or broadcast}}
  %0 = prism.add %a, %b : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @s4_twice(%a: tensor<4x4xf32>) {
  // expected-error @+1 {{'prism.add' op expects the map of operand 0 to name each iteration dim at most once}}
  %0 = prism.add %a, %a maps [d0, d0], [d0, d1] -> [d0, d1] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @s4_gap(%a: tensor<4xf32>) {
  // expected-error @+1 {{'prism.add' op has an iteration dim d0 that no operand or result names}}
  %0 = prism.add %a, %a maps [d1], [d1] -> [d1] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @s4_not_a_dim(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected an iteration dim such as d0}}
  %0 = prism.add %a, %a maps [x], [d0] -> [d0] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @s5_reduced_dim(%a: tensor<4xf32>) {
  // expected-error @+1 {{'prism.reduce_max' op expects ascending dims below 1, got [1]}}
  %0 = prism.reduce_max %a dims [1] : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @s5_permutation(%a: tensor<4x4xf32>) {
  // expected-error @+1 {{'prism.transpose' op expects a permutation of 2 dims, got [0, 0]}}
  %0 = prism.transpose %a permutation [0, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @s5_broadcast_dims(%a: tensor<4xf32>) {
  // expected-error @+1 {{'prism.broadcast' op expects one result dim for each of the operand's 1 dims, got 2}}
  %0 = prism.broadcast %a dims [0, 1] : (tensor<4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @s5_slice_dim(%a: tensor<4xf32>) {
  // expected-error @+1 {{'prism.slice' op has no dim 1 in its operand of rank 1}}
  %0 = prism.slice %a dim 1 offset 0 : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @s5_slice_offset(%a: tensor<4xf32>) {
  // expected-error @+1 {{'prism.slice' op has the negative offset -1}}
  %0 = prism.slice %a dim 0 offset -1 : (tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @s5_slice_range(%a: tensor<4xf32>) {
  // expected-error @+1 {{'prism.slice' op reads 3 elements from offset 2 of an extent of 4}}
  %0 = prism.slice %a dim 0 offset 2 : (tensor<4xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @s5_concat_nothing() {
  // expected-error @+1 {{'prism.concat' op expects at least one operand}}
  %0 = "prism.concat"() <{dim = 0 : i64}> : () -> tensor<4xf32>
  return
}

// -----

func.func @s5_factors_in_order(%a: tensor<4x6xf32>) {
  // expected-error @+1 {{'prism.reshape' op expects the iteration dims in order, got d1 where d0 is due}}
  %0 = prism.reshape %a ([d1], [d0]) -> ([d0, d1]) : (tensor<4x6xf32>) -> tensor<24xf32>
  return
}

// -----

func.func @s5_factors_agree(%a: tensor<4x6xf32>) {
  // expected-error @+1 {{'prism.reshape' op expects the same iteration dims on both sides, got 2 and 1}}
  %0 = prism.reshape %a ([d0], [d1]) -> ([d0]) : (tensor<4x6xf32>) -> tensor<24xf32>
  return
}

// -----

func.func @s5_factors_alone(%a: tensor<4x6xf32>) {
  // expected-error @+1 {{'prism.reshape' op d1 stands alone on neither side; split first and merge with a second reshape}}
  %0 = prism.reshape %a ([d0, d1], [d2]) -> ([d0], [d1, d2]) : (tensor<4x6xf32>) -> tensor<2x12xf32>
  return
}

// -----

func.func @s5_factor_lists(%a: tensor<4xf32>) {
  // expected-error @+1 {{'prism.reshape' op expects lists of iteration dims}}
  %0 = "prism.reshape"(%a) <{operand_dims = [0], result_dims = [0]}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @s5_softmax_dim(%a: tensor<4xf32>) {
  // expected-error @+1 {{'prism.softmax' op has no dim 2 in its operand of rank 1}}
  %0 = prism.softmax %a dim 2 : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @s5_epsilon(%a: tensor<4xf32>) {
  // expected-error @+1 {{'prism.rms_norm' op has the epsilon -1.000000e+00, expected a finite number that is not negative}}
  %0 = prism.rms_norm %a dim 0 epsilon -1.0 : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @s5_constant_rank() {
  // expected-error @+1 {{'prism.constant' op expects a result of rank 0, got 'tensor<4xf32>'}}
  %0 = prism.constant 1.0 : f32 -> tensor<4xf32>
  return
}

// -----

func.func @s5_constant_type() {
  // expected-error @+1 {{'prism.constant' op expects a value of type 'f32' or an extent, got 1.000000e+00 : f16}}
  %0 = prism.constant 1.0 : f16 -> tensor<f32>
  return
}

// -----

func.func @s3_arithmetic_on_i1(%a: tensor<4xi1>) {
  // expected-error @+1 {{'prism.softmax' op operand #0 must be tensor or tile of f16, bf16, f32 or f64, but got 'tensor<4xi1>'}}
  %0 = prism.softmax %a dim 0 : (tensor<4xi1>) -> tensor<4xi1>
  return
}

// -----

func.func @s5_epsilon_nan(%a: tensor<4xf32>) {
  // expected-error @+1 {{'prism.rms_norm' op has the epsilon nan, expected a finite number that is not negative}}
  %0 = prism.rms_norm %a dim 0 epsilon 0x7FF8000000000000 : (tensor<4xf32>) -> tensor<4xf32>
  return
}
