// A kernel package holds what a function returns twice, and says what it cannot
// hold.

// RUN: prism-opt %s --prism-superoptimize='emit=gpu package=%t.package' 2>%t.log | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.log
// RUN: FileCheck %s --check-prefix=PLAN --input-file=%t.package/plan.json
// RUN: %python %S/Inputs/run_package.py %t.package twice '2*[np.exp(a0).sum(1)]'
// RUN: %python %S/Inputs/run_package.py %t.package computed_twice '2*[np.exp(a0).sum(1)]'

// REMARK-NOT: not in the package
// REMARK: remark: function 'returns_argument' is not in the package: result 0 is argument 0, which no kernel writes
// REMARK: remark: function 'on_the_host' is not in the package: result 1 is of 'linalg.generic', which is no kernel
// REMARK: remark: function 'returns_scalar' is not in the package: result 1 is index, expected a tensor with a rank
// REMARK: remark: function 'multiplies_missing' is not in the package: a plan cannot hold its 'gpu.launch_func'
// REMARK: remark: function 'returns_constant' is not in the package: result 0 is of 'arith.constant', which is no kernel
// REMARK: remark: function 'returns_unwritten' is not in the package: result 0 is of 'tensor.empty', which is no kernel
// REMARK-NOT: not in the package

// Two tensors that are not to share memory cannot be of one buffer.
// CHECK-LABEL: func.func @twice(
// CHECK: %[[ONE:.*]] = bufferization.to_tensor %{{.*}} restrict writable
// CHECK-NOT: bufferization.to_tensor
// CHECK: return %[[ONE]], %[[ONE]]
// CHECK-LABEL: func.func @computed_twice(
// CHECK: %[[ONE:.*]] = bufferization.to_tensor %{{.*}} restrict writable
// CHECK-NOT: bufferization.to_tensor
// CHECK: return %[[ONE]], %[[ONE]]
// CHECK-LABEL: func.func @of_two_types(
// CHECK: %[[ONE:.*]] = bufferization.to_tensor %{{.*}} restrict writable
// CHECK: %[[OTHER:.*]] = tensor.cast %[[ONE]] : tensor<40xf32> to tensor<?xf32>
// CHECK-NOT: bufferization.to_tensor
// CHECK: return %[[OTHER]], %[[ONE]]

// PLAN: "name": "twice"
// PLAN: "name": "computed_twice"
// PLAN: "name": "of_two_types"
// PLAN-COUNT-3: "kernel":
// PLAN-NOT: "kernel":
// PLAN: "name": "read_between"
// PLAN: "constant": "constant_0.npy"
// PLAN: "name": "multiplies_constant"
// PLAN: "constant": "constant_0.npy"
// PLAN: "name": "multiplies_again"
// PLAN: "constant": "constant_1.npy"
// PLAN: "name": "multiplies_resource"
// PLAN: "name": "casts"
// PLAN: "=="
// PLAN-NEXT: 40
// PLAN-NOT: "name": "

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#vector = affine_map<(i) -> (i)>

func.func @twice(%x: tensor<16x40xf16>) -> (tensor<16xf16>, tensor<16xf16>) {
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<16xf16>
  %f = linalg.fill ins(%zero : f16) outs(%e : tensor<16xf16>) -> tensor<16xf16>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<16x40xf16>) outs(%f : tensor<16xf16>) {
  ^bb0(%a: f16, %acc: f16):
    %b = math.exp %a : f16
    %t = arith.addf %b, %acc : f16
    linalg.yield %t : f16
  } -> tensor<16xf16>
  return %s, %s : tensor<16xf16>, tensor<16xf16>
}

func.func @computed_twice(%x: tensor<16x40xf16>) -> (tensor<16xf16>, tensor<16xf16>) {
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<16xf16>
  %f = linalg.fill ins(%zero : f16) outs(%e : tensor<16xf16>) -> tensor<16xf16>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<16x40xf16>) outs(%f : tensor<16xf16>) {
  ^bb0(%a: f16, %acc: f16):
    %b = math.exp %a : f16
    %t = arith.addf %b, %acc : f16
    linalg.yield %t : f16
  } -> tensor<16xf16>
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<16x40xf16>) outs(%f : tensor<16xf16>) {
  ^bb0(%a: f16, %acc: f16):
    %b = math.exp %a : f16
    %t = arith.addf %b, %acc : f16
    linalg.yield %t : f16
  } -> tensor<16xf16>
  return %s, %r : tensor<16xf16>, tensor<16xf16>
}

func.func @of_two_types(%a: tensor<40xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>) -> (tensor<?xf32>, tensor<40xf32>) {
  %e = tensor.empty() : tensor<40xf32>
  %0 = linalg.generic {indexing_maps = [#vector, #vector, #vector], iterator_types = ["parallel"]} ins(%a, %b : tensor<40xf32>, tensor<?xf32>) outs(%c : tensor<?xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.mulf %x, %y : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<?xf32>
  %1 = linalg.generic {indexing_maps = [#vector, #vector, #vector], iterator_types = ["parallel"]} ins(%a, %b : tensor<40xf32>, tensor<?xf32>) outs(%e : tensor<40xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.mulf %x, %y : f32
    %t = math.exp %s : f32
    linalg.yield %t : f32
  } -> tensor<40xf32>
  return %0, %1 : tensor<?xf32>, tensor<40xf32>
}

func.func @returns_argument(%x: tensor<16x40xf16>) -> (tensor<16x40xf16>, tensor<16x40xf16>) {
  %e = tensor.empty() : tensor<16x40xf16>
  %0 = linalg.exp ins(%x : tensor<16x40xf16>) outs(%e : tensor<16x40xf16>) -> tensor<16x40xf16>
  return %x, %0 : tensor<16x40xf16>, tensor<16x40xf16>
}

func.func @on_the_host(%x: tensor<16x40xf16>) -> (tensor<16x40xf16>, tensor<16xindex>) {
  %e = tensor.empty() : tensor<16x40xf16>
  %0 = linalg.exp ins(%x : tensor<16x40xf16>) outs(%e : tensor<16x40xf16>) -> tensor<16x40xf16>
  %i = tensor.empty() : tensor<16xindex>
  %1 = linalg.generic {indexing_maps = [#vector], iterator_types = ["parallel"]} outs(%i : tensor<16xindex>) {
  ^bb0(%o: index):
    %n = linalg.index 0 : index
    linalg.yield %n : index
  } -> tensor<16xindex>
  return %0, %1 : tensor<16x40xf16>, tensor<16xindex>
}

func.func @returns_scalar(%x: tensor<16x40xf16>, %n: tensor<?xf16>) -> (tensor<16x40xf16>, index) {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<16x40xf16>
  %0 = linalg.exp ins(%x : tensor<16x40xf16>) outs(%e : tensor<16x40xf16>) -> tensor<16x40xf16>
  %d = tensor.dim %n, %c0 : tensor<?xf16>
  return %0, %d : tensor<16x40xf16>, index
}

// The second kernel reads the result that is returned twice: it is not launched
// again for it.
// RUN: %python %S/Inputs/run_package.py %t.package read_between '[a0@a1,(a0@a1)@a2,a0@a1]'
func.func @read_between(%x: tensor<16x256xf16>, %w: tensor<256x256xf16>, %u: tensor<256x256xf16>) -> (tensor<16x256xf16>, tensor<16x256xf16>, tensor<16x256xf16>) {
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<16x256xf16>
  %f = linalg.fill ins(%zero : f16) outs(%e : tensor<16x256xf16>) -> tensor<16x256xf16>
  %s = linalg.matmul ins(%x, %w : tensor<16x256xf16>, tensor<256x256xf16>) outs(%f : tensor<16x256xf16>) -> tensor<16x256xf16>
  %t = linalg.matmul ins(%s, %u : tensor<16x256xf16>, tensor<256x256xf16>) outs(%f : tensor<16x256xf16>) -> tensor<16x256xf16>
  return %s, %t, %s : tensor<16x256xf16>, tensor<16x256xf16>, tensor<16x256xf16>
}

// Weights in the module are files of the package, each once; here also as a
// resource.
// RUN: %python %S/Inputs/run_package.py %t.package multiplies_constant 'a0@np.array([[1,2],[3,-4]])'
// RUN: %python %S/Inputs/run_package.py %t.package multiplies_again 'a0@np.array([[1,2],[3,-4]])'
// RUN: %python %S/Inputs/run_package.py %t.package multiplies_resource 'a0@np.array([[1,1],[2,-2]])'
// RUN: ls %t.package | FileCheck %s --check-prefix=FILES
// FILES: constant_0.npy
// FILES-NEXT: constant_1.npy
// FILES-NOT: constant_2.npy
func.func @multiplies_constant(%x: tensor<16x2xf16>) -> tensor<16x2xf16> {
  %e = tensor.empty() : tensor<16x2xf16>
  %z = arith.constant 0.0 : f16
  %f = linalg.fill ins(%z : f16) outs(%e : tensor<16x2xf16>) -> tensor<16x2xf16>
  %w = arith.constant dense<[[1.0, 2.0], [3.0, -4.0]]> : tensor<2x2xf16>
  %1 = linalg.matmul ins(%x, %w : tensor<16x2xf16>, tensor<2x2xf16>) outs(%f : tensor<16x2xf16>) -> tensor<16x2xf16>
  return %1 : tensor<16x2xf16>
}

func.func @multiplies_again(%x: tensor<32x2xf16>) -> tensor<32x2xf16> {
  %e = tensor.empty() : tensor<32x2xf16>
  %z = arith.constant 0.0 : f16
  %f = linalg.fill ins(%z : f16) outs(%e : tensor<32x2xf16>) -> tensor<32x2xf16>
  %w = arith.constant dense<[[1.0, 2.0], [3.0, -4.0]]> : tensor<2x2xf16>
  %1 = linalg.matmul ins(%x, %w : tensor<32x2xf16>, tensor<2x2xf16>) outs(%f : tensor<32x2xf16>) -> tensor<32x2xf16>
  return %1 : tensor<32x2xf16>
}

func.func @multiplies_resource(%x: tensor<16x2xf16>) -> tensor<16x2xf16> {
  %e = tensor.empty() : tensor<16x2xf16>
  %z = arith.constant 0.0 : f16
  %f = linalg.fill ins(%z : f16) outs(%e : tensor<16x2xf16>) -> tensor<16x2xf16>
  %w = arith.constant dense_resource<weights> : tensor<2x2xf16>
  %1 = linalg.matmul ins(%x, %w : tensor<16x2xf16>, tensor<2x2xf16>) outs(%f : tensor<16x2xf16>) -> tensor<16x2xf16>
  return %1 : tensor<16x2xf16>
}

// A resource that is not there.
func.func @multiplies_missing(%x: tensor<16x2xf16>) -> tensor<16x2xf16> {
  %e = tensor.empty() : tensor<16x2xf16>
  %z = arith.constant 0.0 : f16
  %f = linalg.fill ins(%z : f16) outs(%e : tensor<16x2xf16>) -> tensor<16x2xf16>
  %w = arith.constant dense_resource<missing> : tensor<2x2xf16>
  %1 = linalg.matmul ins(%x, %w : tensor<16x2xf16>, tensor<2x2xf16>) outs(%f : tensor<16x2xf16>) -> tensor<16x2xf16>
  return %1 : tensor<16x2xf16>
}

// What is returned must be what a kernel writes.
func.func @returns_constant(%x: tensor<16x32xf32>) -> (tensor<16x32xf32>, tensor<16x32xf32>) {
  %e = tensor.empty() : tensor<16x32xf32>
  %0 = arith.constant dense<3.0> : tensor<16x32xf32>
  %1 = linalg.exp ins(%x : tensor<16x32xf32>) outs(%e : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %0, %1 : tensor<16x32xf32>, tensor<16x32xf32>
}

func.func @returns_unwritten(%x: tensor<16x32xf32>) -> (tensor<16x32xf32>, tensor<16x32xf32>) {
  %e = tensor.empty() : tensor<16x32xf32>
  %1 = linalg.exp ins(%x : tensor<16x32xf32>) outs(%e : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %e, %1 : tensor<16x32xf32>, tensor<16x32xf32>
}

// A cast to known extents holds for those alone.
func.func @casts(%x: tensor<?x8xf32>) -> tensor<40xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<?x8xf32>) outs(%f : tensor<?xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %b = math.exp %a : f32
    %t = arith.addf %b, %acc : f32
    linalg.yield %t : f32
  } -> tensor<?xf32>
  %k = tensor.cast %s : tensor<?xf32> to tensor<40xf32>
  return %k : tensor<40xf32>
}

// [[1, 1], [2, -2]]
{-#
  dialect_resources: {
    builtin: {
      weights: "0x02000000003C003C004000C0"
    }
  }
#-}
