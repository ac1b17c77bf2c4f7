// What Prism cannot optimize comes out of the whole pipeline as it went in,
// with remarks that say why.
// RUN: prism-opt %s --split-input-file -o %t.before 2>/dev/null
// RUN: prism-opt %s --split-input-file --prism-superoptimize --verify-diagnostics -o %t.after
// RUN: diff %t.before %t.after

// A module without functions.
memref.global "private" @table : memref<4xf32>

// -----

// Functions without tensors, and without bodies.
func.func @nothing() {
  return
}
func.func @scalars(%a: f32, %n: i32) -> f32 {
  %0 = arith.mulf %a, %a : f32
  return %0 : f32
}
func.func @buffers(%a: memref<16xf32>, %v: vector<16xf32>) -> vector<16xf32> {
  %0 = math.exp %v : vector<16xf32>
  return %0 : vector<16xf32>
}
func.func private @declared(tensor<16x64xf32>) -> tensor<16x64xf32>

// -----

// Tensors with which nothing is computed.
func.func @returned(%a: tensor<16x64xf32>) -> (tensor<16x64xf32>, tensor<16x64xf32>) {
  return %a, %a : tensor<16x64xf32>, tensor<16x64xf32>
}
func.func @constant() -> tensor<16x64xf32> {
  %0 = arith.constant dense<1.0> : tensor<16x64xf32>
  return %0 : tensor<16x64xf32>
}

// -----

func.func @f8(%a: tensor<4x4xf8E4M3FN>, %b: tensor<4x4xf8E4M3FN>, %i: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-remark @below {{left alone: element type f8E4M3FN is not one of f16, bf16, f32, f64 and i1}}
  %r = linalg.matmul ins(%a, %b : tensor<4x4xf8E4M3FN>, tensor<4x4xf8E4M3FN>) outs(%i : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}

// -----

func.func @complex(%a: tensor<4xcomplex<f32>>, %i: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  // expected-remark @below {{left alone: element type complex<f32> is not one of f16, bf16, f32, f64 and i1}}
  %r = linalg.add ins(%a, %a : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) outs(%i : tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return %r : tensor<4xcomplex<f32>>
}

// -----

func.func @integers(%a: tensor<4x8xi8>, %b: tensor<8x4xi8>, %i: tensor<4x4xi32>, %n: tensor<4xindex>) -> (tensor<4x4xi32>, tensor<4xindex>) {
  // expected-remark @below {{left alone: element type i32 is not one of f16, bf16, f32, f64 and i1}}
  %r = linalg.matmul ins(%a, %b : tensor<4x8xi8>, tensor<8x4xi8>) outs(%i : tensor<4x4xi32>) -> tensor<4x4xi32>
  // expected-remark @below {{left alone: element type index is not one of f16, bf16, f32, f64 and i1}}
  %s = arith.addi %n, %n : tensor<4xindex>
  return %r, %s : tensor<4x4xi32>, tensor<4xindex>
}

// -----

func.func @wide(%a: tensor<16xf128>) -> tensor<16xf128> {
  // expected-remark @below {{left alone: element type f128 is not one of f16, bf16, f32, f64 and i1}}
  %r = math.exp %a : tensor<16xf128>
  return %r : tensor<16xf128>
}

// -----

func.func @unranked(%a: tensor<*xf32>) -> tensor<*xf32> {
  // expected-remark @below {{left alone: type tensor<*xf32> is not a ranked tensor}}
  %0 = math.exp %a : tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @no_rows(%a: tensor<0x16xf32>, %b: tensor<16x8xf32>, %i: tensor<0x8xf32>) -> tensor<0x8xf32> {
  // expected-remark @below {{left alone: type tensor<0x8xf32> has an extent of 0}}
  %r = linalg.matmul ins(%a, %b : tensor<0x16xf32>, tensor<16x8xf32>) outs(%i : tensor<0x8xf32>) -> tensor<0x8xf32>
  return %r : tensor<0x8xf32>
}

// -----

// A sum over nothing.
func.func @no_terms(%a: tensor<8x0xf32>, %b: tensor<0x8xf32>, %i: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-remark @below {{left alone: type tensor<8x0xf32> has an extent of 0}}
  %r = linalg.matmul ins(%a, %b : tensor<8x0xf32>, tensor<0x8xf32>) outs(%i : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// -----

// More elements than sizes passed to kernels as i32 can count.
func.func @enormous(%a: tensor<1099511627776x16xf32>) -> tensor<1099511627776x16xf32> {
  // expected-remark @below {{3 candidates proved, 0 disproved, 0 unknown}}
  // expected-remark @below {{no candidate fits sm_80: a tensor has more than 2^31 - 1 elements}}
  // expected-remark @below {{program 'enormous_0' has no candidate that can be lowered}}
  %r = math.exp %a : tensor<1099511627776x16xf32>
  return %r : tensor<1099511627776x16xf32>
}

// -----

// Only the outer module's functions are optimized.
func.func private @declared()
module @inner {
  func.func @f(%a: tensor<16x64xf32>) -> tensor<16x64xf32> {
    %0 = math.exp %a : tensor<16x64xf32>
    return %0 : tensor<16x64xf32>
  }
}

// -----

// And none on the device.
module attributes {gpu.container_module} {
  gpu.module @device {
    func.func @f(%a: tensor<16x64xf32>) -> tensor<16x64xf32> {
      %0 = math.exp %a : tensor<16x64xf32>
      return %0 : tensor<16x64xf32>
    }
  }
}
