// RUN: prism-opt %s --convert-linalg-to-prism --split-input-file --verify-diagnostics | FileCheck %s

// What is left alone stays as it was, with one remark that says why.

// CHECK-LABEL: @unranked
// CHECK-NEXT: math.exp
func.func @unranked(%a: tensor<*xf32>) -> tensor<*xf32> {
  // expected-remark @below {{left alone: type tensor<*xf32> is not a ranked tensor}}
  %r = math.exp %a : tensor<*xf32>
  return %r : tensor<*xf32>
}

// -----

#sparse = #sparse_tensor.encoding<{map = (d0) -> (d0 : compressed)}>
// CHECK-LABEL: @sparse
// CHECK-NEXT: math.exp
func.func @sparse(%a: tensor<8xf32, #sparse>) -> tensor<8xf32, #sparse> {
  // expected-remark @below {{has an encoding}}
  %r = math.exp %a : tensor<8xf32, #sparse>
  return %r : tensor<8xf32, #sparse>
}

// -----

// CHECK-LABEL: @f8
// CHECK-NEXT: linalg.matmul
func.func @f8(%a: tensor<4x4xf8E4M3FN>, %b: tensor<4x4xf8E4M3FN>, %i: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-remark @below {{left alone: element type f8E4M3FN is not one of f16, bf16, f32, f64 and i1}}
  %r = linalg.matmul ins(%a, %b : tensor<4x4xf8E4M3FN>, tensor<4x4xf8E4M3FN>) outs(%i : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// -----

// CHECK-LABEL: @complex
// CHECK-NEXT: linalg.add
func.func @complex(%a: tensor<4xcomplex<f32>>, %i: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  // expected-remark @below {{left alone: element type complex<f32> is not one of f16, bf16, f32, f64 and i1}}
  %r = linalg.add ins(%a, %a : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) outs(%i : tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %r : tensor<4xcomplex<f32>>
}

// -----

// CHECK-LABEL: @zero_extent
// CHECK-NEXT: math.exp
func.func @zero_extent(%a: tensor<0x4xf32>) -> tensor<0x4xf32> {
  // expected-remark @below {{left alone: type tensor<0x4xf32> has an extent of 0}}
  %r = math.exp %a : tensor<0x4xf32>
  return %r : tensor<0x4xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
// An arg-max that is read: the whole op stays, what feeds it is imported.
// CHECK-LABEL: @live_argmax
// CHECK-NEXT: %[[E:.*]] = prism.exp
// CHECK-NEXT: linalg.generic {{.*}} ins(%[[E]]
// CHECK-NOT: prism
func.func @live_argmax(%a: tensor<8x16xf32>, %i: tensor<8xf32>, %j: tensor<8xi64>) -> (tensor<8xf32>, tensor<8xi64>) {
  %e = math.exp %a : tensor<8x16xf32>
  // expected-remark @below {{left alone: element type i64 is not one of f16, bf16, f32, f64 and i1}}
  %r:2 = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%e : tensor<8x16xf32>) outs(%i, %j : tensor<8xf32>, tensor<8xi64>) {
  ^bb0(%x: f32, %b: f32, %w: i64):
    %p = linalg.index 1 : index
    %q = arith.index_cast %p : index to i64
    %m = arith.maximumf %x, %b : f32
    %g = arith.cmpf ogt, %x, %b : f32
    %s = arith.select %g, %q, %w : i64
    linalg.yield %m, %s : f32, i64
  } -> (tensor<8xf32>, tensor<8xi64>)
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xi64>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: @body_op
// CHECK: linalg.generic
func.func @body_op(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  // expected-remark @below {{left alone: 'math.floor' has no prism form}}
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%x: f32, %o: f32):
    %1 = arith.addf %x, %x : f32
    %2 = math.floor %1 : f32
    linalg.yield %2 : f32
  } -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @index(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  // expected-remark @below {{left alone: 'linalg.index' has no prism form}}
  %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<8x16xf32>) {
  ^bb0(%o: f32):
    %1 = linalg.index 0 : index
    %2 = arith.index_cast %1 : index to i32
    %3 = arith.sitofp %2 : i32 to f32
    linalg.yield %3 : f32
  } -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @captured_integer(%a: tensor<8xf32>, %n: i32) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  // expected-remark @below {{left alone: it reads a scalar of type i32}}
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %1 = math.fpowi %x, %n : f32, i32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

func.func @unordered(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xi1> {
  // expected-remark @below {{left alone: the comparison 'ult' has no prism form}}
  %r = arith.cmpf ult, %a, %b : tensor<8xf32>
  return %r : tensor<8xi1>
}

// -----

func.func @rounding(%a: tensor<8xf32>) -> tensor<8xf16> {
  // expected-remark @below {{left alone: its cast does not round to nearest even}}
  %r = arith.truncf %a toward_zero : tensor<8xf32> to tensor<8xf16>
  return %r : tensor<8xf16>
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @selects_integers(%a: tensor<8xi1>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // expected-remark @below {{left alone: it selects among integers}}
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<8xi1>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: i1, %o: f32):
    %1 = arith.select %x, %c0, %c1 : i32
    %2 = arith.sitofp %1 : i32 to f32
    linalg.yield %2 : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// CHECK-LABEL: @diagonal
// CHECK: linalg.generic
func.func @diagonal(%a: tensor<8x8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  // expected-remark @below {{left alone: indexing map (d0) -> (d0, d0) names an iteration dim twice}}
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0, d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : tensor<8x8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: f32, %b: f32):
    linalg.yield %x : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

func.func @convolution(%a: tensor<1x8x8x3xf32>, %k: tensor<3x3x3x4xf32>, %i: tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32> {
  // expected-remark @below {{is not a projected permutation}}
  %r = linalg.conv_2d_nhwc_hwcf ins(%a, %k : tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) outs(%i : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  return %r : tensor<1x6x6x4xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @first_column(%a: tensor<8x?xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  // expected-remark @below {{left alone: it reads only index 0 of a dim whose extent is not 1}}
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0, 0)>, #id], iterator_types = ["parallel"]} ins(%a : tensor<8x?xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: f32, %b: f32):
    %1 = math.exp %x : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @last_wins(%a: tensor<8x16xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  // expected-remark @below {{left alone: its result varies along an iteration dim that the result's indexing map lacks}}
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x16xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: f32, %b: f32):
    linalg.yield %x : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// The op stays for its extents; what it reads is imported.
// CHECK-LABEL: @dynamic_broadcast
// CHECK: %[[E:.*]] = prism.exp
// CHECK: linalg.broadcast ins(%[[E]]
func.func @dynamic_broadcast(%a: tensor<8xf32>, %n: index) -> tensor<8x?xf32> {
  %e = tensor.empty(%n) : tensor<8x?xf32>
  %x = math.exp %a : tensor<8xf32>
  // expected-remark @below {{left alone: it is broadcast along a dynamic extent}}
  %r = linalg.broadcast ins(%x : tensor<8xf32>) outs(%e : tensor<8x?xf32>) dimensions = [1]
  return %r : tensor<8x?xf32>
}

// -----

// CHECK-LABEL: @constant_result
// CHECK: linalg.fill
func.func @constant_result() -> tensor<8xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  // expected-remark @below {{left alone: its result is a constant}}
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %f : tensor<8xf32>
}

// -----

// CHECK-LABEL: @minimum
// CHECK-NEXT: linalg.reduce
func.func @minimum(%a: tensor<8x16xf32>, %i: tensor<8xf32>) -> tensor<8xf32> {
  // expected-remark @below {{left alone: its accumulator is combined by 'arith.minimumf', not by a sum or a maximum}}
  %r = linalg.reduce { arith.minimumf } ins(%a : tensor<8x16xf32>) outs(%i : tensor<8xf32>) dimensions = [1]
  return %r : tensor<8xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @squared_accumulator(%a: tensor<8x16xf32>, %i: tensor<8xf32>) -> tensor<8xf32> {
  // expected-remark @below {{left alone: its body is no plain sum or maximum with its accumulator}}
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<8x16xf32>) outs(%i : tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %1 = arith.mulf %o, %x : f32
    %2 = arith.addf %1, %o : f32
    linalg.yield %2 : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @overwritten(%a: tensor<8x16xf32>, %i: tensor<8xf32>) -> tensor<8xf32> {
  // expected-remark @below {{left alone: its accumulator does not lead to its result}}
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<8x16xf32>) outs(%i : tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

func.func @uninitialized(%a: tensor<8x16xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  // expected-remark @below {{left alone: it reads a tensor.empty}}
  %r = linalg.reduce { arith.addf } ins(%a : tensor<8x16xf32>) outs(%e : tensor<8xf32>) dimensions = [1]
  return %r : tensor<8xf32>
}

// -----

// CHECK-LABEL: @sum_of_repeated
// CHECK: linalg.broadcast
// CHECK: linalg.reduce
func.func @sum_of_repeated(%a: tensor<8xf32>, %i: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %e = tensor.empty(%n) : tensor<8x?xf32>
  // expected-remark @below {{left alone: it is broadcast along a dynamic extent}}
  %b = linalg.broadcast ins(%a : tensor<8xf32>) outs(%e : tensor<8x?xf32>) dimensions = [1]
  // expected-remark @below {{left alone: it sums along a dynamic extent what does not vary along it}}
  %r = linalg.reduce { arith.addf } ins(%b : tensor<8x?xf32>) outs(%i : tensor<8xf32>) dimensions = [1]
  return %r : tensor<8xf32>
}

// -----

func.func @softmax_of_broadcast(%a: tensor<8xf32>) -> tensor<8x16xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %b = linalg.broadcast ins(%a : tensor<8xf32>) outs(%e : tensor<8x16xf32>) dimensions = [1]
  // expected-remark @below {{left alone: its input does not vary along the dim}}
  %r = linalg.softmax dimension(1) ins(%b : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// -----

func.func @two_dynamic_parts(%a: tensor<?xf32>, %n: index, %m: index) -> tensor<?x?xf32> {
  // expected-remark @below {{left alone: it splits a dim into several dynamic extents}}
  %r = tensor.expand_shape %a [[0, 1]] output_shape [%n, %m] : tensor<?xf32> into tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// -----

func.func @strided(%a: tensor<8x4xf32>) -> tensor<4x4xf32> {
  // expected-remark @below {{left alone: its strides are not 1}}
  %r = tensor.extract_slice %a[0, 0] [4, 4] [2, 1] : tensor<8x4xf32> to tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// -----

func.func @dynamic_offset(%a: tensor<8x4xf32>, %n: index) -> tensor<4x4xf32> {
  // expected-remark @below {{left alone: its offsets and sizes are not constant}}
  %r = tensor.extract_slice %a[%n, 0] [4, 4] [1, 1] : tensor<8x4xf32> to tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// -----

func.func @control_flow(%a: tensor<8xf32>, %c: i1) -> tensor<8xf32> {
  // expected-remark @below {{left alone: control flow has no prism form; each of its regions is imported by itself}}
  %r = scf.if %c -> tensor<8xf32> {
    %1 = math.exp %a : tensor<8xf32>
    scf.yield %1 : tensor<8xf32>
  } else {
    scf.yield %a : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

func.func @unknown(%a: tensor<8xf32>, %i: index) -> f32 {
  // expected-remark @below {{left alone: 'tensor.extract' has no prism form}}
  %r = tensor.extract %a[%i] : tensor<8xf32>
  return %r : f32
}

// -----

// tosa goes through --prism-tosa-to-linalg first; what that leaves is told.
func.func @tosa(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-remark @below {{left alone: 'tosa.exp' has no prism form}}
  %r = tosa.exp %a : (tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// Neither functions without tensors nor dead ops are remarked on.
// CHECK-LABEL: @no_tensors
// CHECK-NEXT: linalg.exp
// CHECK-NEXT: arith.addi
func.func @no_tensors(%a: memref<8x8xf32>, %n: i32) -> i32 {
  linalg.exp ins(%a : memref<8x8xf32>) outs(%a : memref<8x8xf32>)
  %1 = arith.addi %n, %n : i32
  return %1 : i32
}

// CHECK-LABEL: @dead
// CHECK: math.floor
func.func @dead(%a: tensor<8xf32>) -> tensor<8xf32> {
  %1 = math.floor %a : tensor<8xf32>
  return %a : tensor<8xf32>
}

// CHECK-LABEL: @external
func.func private @external(tensor<8xf32>) -> tensor<8xf32>

// -----

// A module without functions.
// CHECK: module
module {
}
