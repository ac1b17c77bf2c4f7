// RUN: prism-opt %s --convert-prism-to-gpu | FileCheck %s

// LLVM reads beyond the end of an array if its alignment makes that safe; so no
// more is stated than the array's size is a multiple of: 28, 24 and 32 bytes.

// CHECK-LABEL: llvm.func @a_k0
// CHECK-SAME: llvm.align = 4 : i64
// CHECK-SAME: llvm.align = 8 : i64
// CHECK-SAME: llvm.align = 16 : i64
prism.program @p extents [n = 7, m = 6, k = 8] (%x: !prism.tensor<[n], f32>, %y: !prism.tensor<[m], f32>, %z: !prism.tensor<[k], f32>) -> (!prism.tensor<[k], f32>) {
  %0 = prism.reduce_sum %x dims [0] : (!prism.tensor<[n], f32>) -> !prism.tensor<[], f32>
  %1 = prism.reduce_sum %y dims [0] : (!prism.tensor<[m], f32>) -> !prism.tensor<[], f32>
  %2 = prism.add %0, %1 : (!prism.tensor<[], f32>, !prism.tensor<[], f32>) -> !prism.tensor<[], f32>
  %3 = prism.add %z, %2 maps [d0], [] -> [d0] : (!prism.tensor<[k], f32>, !prism.tensor<[], f32>) -> !prism.tensor<[k], f32>
  prism.yield %3 : !prism.tensor<[k], f32>
} candidates {
  prism.candidate "a" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n], f32>, %y: !prism.tensor<[m], f32>, %z: !prism.tensor<[k], f32>):
    %r = prism.kernel "k0"(%a = %x, %b = %y, %c = %z) parallel [] : (!prism.tensor<[n], f32>, !prism.tensor<[m], f32>, !prism.tensor<[k], f32>) -> !prism.tensor<[k], f32> {
      %t = prism.load %a [[]] : !prism.tensor<[n], f32> -> !prism.tile<[n], f32>
      %u = prism.load %b [[]] : !prism.tensor<[m], f32> -> !prism.tile<[m], f32>
      %0 = prism.reduce_sum %t dims [0] : (!prism.tile<[n], f32>) -> !prism.tile<[], f32>
      %1 = prism.reduce_sum %u dims [0] : (!prism.tile<[m], f32>) -> !prism.tile<[], f32>
      %2 = prism.add %0, %1 : (!prism.tile<[], f32>, !prism.tile<[], f32>) -> !prism.tile<[], f32>
      %v = prism.load %c [[]] : !prism.tensor<[k], f32> -> !prism.tile<[k], f32>
      %3 = prism.add %v, %2 maps [d0], [] -> [d0] : (!prism.tile<[k], f32>, !prism.tile<[], f32>) -> !prism.tile<[k], f32>
      %o = prism.save %3 [[]] : !prism.tile<[k], f32> -> !prism.tensor<[k], f32>
      prism.yield %o : !prism.tensor<[k], f32>
    }
    prism.yield %r : !prism.tensor<[k], f32>
  }
}
func.func @f(%x: tensor<7xf32>, %y: tensor<6xf32>, %z: tensor<8xf32>) -> tensor<8xf32> {
  %0 = prism.invoke @p(%x, %y, %z) : (tensor<7xf32>, tensor<6xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
