// RUN: prism-opt %s -split-input-file -verify-diagnostics --prism-gate

// A part of a program has arguments that are never negative, such as a mean of
// squares. Of a negative number there is no root, and a kernel that takes none
// gives another result.
prism.program @root extents [n = 40] (%a: !prism.tensor<[n], f32>, %x: !prism.tensor<[n], f32>) -> (!prism.tensor<[n], f32>) {
  %1 = prism.rsqrt %a : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %2 = prism.mul %x, %1 : (!prism.tensor<[n], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  %3 = prism.square %2 : (!prism.tensor<[n], f32>) -> !prism.tensor<[n], f32>
  prism.yield %3 : !prism.tensor<[n], f32>
} candidates {
  // expected-remark @+1 {{candidate 'a' passes the gate}}
  prism.candidate "a" sized verdict Proved {
  ^bb0(%a: !prism.tensor<[n], f32>, %x: !prism.tensor<[n], f32>):
    %r = prism.kernel "k0"(%b = %a, %y = %x) parallel [x grid tile 8] : (!prism.tensor<[n], f32>, !prism.tensor<[n], f32>) -> !prism.tensor<[n], f32> {
      %s = prism.load %b [[x]] : !prism.tensor<[n], f32> -> !prism.tile<[n/x], f32>
      %t = prism.load %y [[x]] : !prism.tensor<[n], f32> -> !prism.tile<[n/x], f32>
      %1 = prism.square %t : (!prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %2 = prism.div %1, %s : (!prism.tile<[n/x], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x], f32>
      %z = prism.save %2 [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %z : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}
