// A kernel package holds what a function returns twice, and says what it cannot
// hold.

// RUN: prism-opt %s --prism-superoptimize='emit=gpu package=%t.package' 2>%t.log | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.log
// RUN: FileCheck %s --check-prefix=PLAN --input-file=%t.package/plan.json
// RUN: %python %S/Inputs/run_package.py %t.package twice '2*[np.exp(a0).sum(1)]'
// RUN: %python %S/Inputs/run_package.py %t.package computed_twice '2*[np.exp(a0).sum(1)]'

// REMARK-NOT: not in the package
// REMARK: remark: function 'returns_argument' is not in the package: result 0 is argument 0, which no kernel writes
// REMARK: remark: function 'on_the_host' is not in the package: 'linalg.generic' is left on the host
// REMARK: remark: function 'returns_scalar' is not in the package: result 1 is index, expected a tensor with a rank
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
