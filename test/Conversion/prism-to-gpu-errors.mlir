// Each candidate that cannot become a kernel is dropped with a remark; where
// none is left, the invoke stays.
// RUN: prism-opt %s --convert-prism-to-gpu -split-input-file -verify-diagnostics | FileCheck %s
// RUN: not prism-opt %s --convert-prism-to-gpu=target=sm_42 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: option 'target' is 'sm_42', expected one of: sm_80, sm_86, sm_89, sm_90a, sm_100a, sm_120a

// CHECK-LABEL: func.func @call_unready
// CHECK: prism.invoke @unready
// expected-remark @below {{program 'unready' has no candidate that can be lowered}}
prism.program @unready extents [n = 13, d = 61] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_sum %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
} candidates {
  // expected-remark @below {{candidate 'a' is dropped: it is not sized}}
  prism.candidate "a" mapped verdict Proved {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[x], []] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d], f32>
      %s = prism.reduce_sum %t dims [1] : (!prism.tile<[n/x, d], f32>) -> !prism.tile<[n/x], f32>
      %o = prism.save %s [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
  // expected-remark @below {{candidate 'b' is dropped: it is not proved}}
  prism.candidate "b" sized {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid tile 4] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[x], []] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d], f32>
      %s = prism.reduce_sum %t dims [1] : (!prism.tile<[n/x, d], f32>) -> !prism.tile<[n/x], f32>
      %o = prism.save %s [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
  // expected-remark @below {{candidate 'c' is dropped: it is not proved}}
  prism.candidate "c" sized verdict Unknown {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid tile 4] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[x], []] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d], f32>
      %s = prism.reduce_sum %t dims [1] : (!prism.tile<[n/x, d], f32>) -> !prism.tile<[n/x], f32>
      %o = prism.save %s [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
  // expected-remark @below {{candidate 'd' is dropped: 'prism.rms_norm' on whole tensors: 'prism.rms_norm' is not lowered yet}}
  prism.candidate "d" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %s = prism.rms_norm %x dim 1 epsilon 1.0e-05 : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n, d], f32>
    %r = prism.reduce_sum %s dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
    prism.yield %r : !prism.tensor<[n], f32>
  }
}
func.func @call_unready(%x: tensor<13x61xf32>) -> tensor<13xf32> {
  %r = prism.invoke @unready(%x) : (tensor<13x61xf32>) -> tensor<13xf32>
  return %r : tensor<13xf32>
}

// -----

// CHECK-LABEL: func.func @call_dynamic
// CHECK: prism.invoke @dynamic
// expected-remark @below {{program 'dynamic' has no candidate that can be lowered}}
prism.program @dynamic extents [n = 13, d = ?] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_sum %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
} candidates {
  // expected-remark @below {{candidate 'a' is dropped: kernel 'k0': extent d is dynamic, and no grid dim or loop splits it}}
  prism.candidate "a" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid tile 4] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[x], []] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d], f32>
      %s = prism.reduce_sum %t dims [1] : (!prism.tile<[n/x, d], f32>) -> !prism.tile<[n/x], f32>
      %o = prism.save %s [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}
func.func @call_dynamic(%x: tensor<13x?xf32>) -> tensor<13xf32> {
  %r = prism.invoke @dynamic(%x) : (tensor<13x?xf32>) -> tensor<13xf32>
  return %r : tensor<13xf32>
}

// -----

// CHECK-LABEL: func.func @call_sum
// CHECK: prism.invoke @sum
// expected-remark @below {{program 'sum' has no candidate that can be lowered}}
prism.program @sum extents [n = ?, m = ?] (%x: !prism.tensor<[n + m], f32>) -> (!prism.tensor<[n + m], f32>) {
  %0 = prism.neg %x : (!prism.tensor<[n + m], f32>) -> !prism.tensor<[n + m], f32>
  prism.yield %0 : !prism.tensor<[n + m], f32>
} candidates {
  // expected-remark @below {{candidate 'a' is dropped: dynamic extent 'n' is no argument's}}
  prism.candidate "a" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n + m], f32>):
    %0 = prism.neg %x : (!prism.tensor<[n + m], f32>) -> !prism.tensor<[n + m], f32>
    prism.yield %0 : !prism.tensor<[n + m], f32>
  }
}
func.func @call_sum(%x: tensor<?xf32>) -> tensor<?xf32> {
  %r = prism.invoke @sum(%x) : (tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// CHECK-LABEL: func.func @call_large
// CHECK: prism.invoke @large
// expected-remark @below {{program 'large' has no candidate that can be lowered}}
prism.program @large extents [n = 13, d = 50000] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_sum %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
} candidates {
  // expected-remark @below {{candidate 'a' is dropped: kernel 'k0': it needs 200208 bytes of shared memory, sm_80 has 166912}}
  prism.candidate "a" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid tile 1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[x], []] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d], f32>
      %m = prism.reduce_max %t dims [1] : (!prism.tile<[n/x, d], f32>) -> !prism.tile<[n/x], f32>
      %u = prism.sub %t, %m maps [d0, d1], [d0] -> [d0, d1] : (!prism.tile<[n/x, d], f32>, !prism.tile<[n/x], f32>) -> !prism.tile<[n/x, d], f32>
      %s = prism.reduce_sum %u dims [1] : (!prism.tile<[n/x, d], f32>) -> !prism.tile<[n/x], f32>
      %o = prism.save %s [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}
func.func @call_large(%x: tensor<13x50000xf32>) -> tensor<13xf32> {
  %r = prism.invoke @large(%x) : (tensor<13x50000xf32>) -> tensor<13xf32>
  return %r : tensor<13xf32>
}

// -----

// CHECK-LABEL: func.func @call_huge
// CHECK: prism.invoke @huge
// expected-remark @below {{program 'huge' has no candidate that can be lowered}}
prism.program @huge extents [n = 3000000, d = 1000] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_sum %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
} candidates {
  // expected-remark @below {{candidate 'a' is dropped: kernel 'k0': a tensor has more than 2^31 - 1 elements}}
  prism.candidate "a" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid tile 4] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[x], []] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d], f32>
      %s = prism.reduce_sum %t dims [1] : (!prism.tile<[n/x, d], f32>) -> !prism.tile<[n/x], f32>
      %o = prism.save %s [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}
func.func @call_huge(%x: tensor<3000000x1000xf32>) -> tensor<3000000xf32> {
  %r = prism.invoke @huge(%x) : (tensor<3000000x1000xf32>) -> tensor<3000000xf32>
  return %r : tensor<3000000xf32>
}

// -----

// CHECK-LABEL: func.func @call_unused
// CHECK: prism.invoke @unused
// expected-remark @below {{program 'unused' has no candidate that can be lowered}}
prism.program @unused extents [n = 13, d = 61] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_sum %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
} candidates {
  // expected-remark @below {{candidate 'a' is dropped: kernel 'k0': 'y' splits nothing, so it has no size}}
  prism.candidate "a" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid tile 4, y grid tile 4] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[x], []] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d], f32>
      %s = prism.reduce_sum %t dims [1] : (!prism.tile<[n/x, d], f32>) -> !prism.tile<[n/x], f32>
      %o = prism.save %s [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}
func.func @call_unused(%x: tensor<13x61xf32>) -> tensor<13xf32> {
  %r = prism.invoke @unused(%x) : (tensor<13x61xf32>) -> tensor<13xf32>
  return %r : tensor<13xf32>
}

// -----

// CHECK-LABEL: func.func @call_composite
// CHECK: prism.invoke @composite
// expected-remark @below {{program 'composite' has no candidate that can be lowered}}
prism.program @composite extents [n = 13, d = 61] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_sum %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
} candidates {
  // expected-remark @below {{candidate 'a' is dropped: kernel 'k0': 'prism.softmax' is not lowered yet}}
  prism.candidate "a" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid tile 4] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[x], []] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d], f32>
      %u = prism.softmax %t dim 1 : (!prism.tile<[n/x, d], f32>) -> !prism.tile<[n/x, d], f32>
      %s = prism.reduce_sum %u dims [1] : (!prism.tile<[n/x, d], f32>) -> !prism.tile<[n/x], f32>
      %o = prism.save %s [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}
func.func @call_composite(%x: tensor<13x61xf32>) -> tensor<13xf32> {
  %r = prism.invoke @composite(%x) : (tensor<13x61xf32>) -> tensor<13xf32>
  return %r : tensor<13xf32>
}

// -----

// CHECK-LABEL: func.func @call_double
// CHECK: prism.invoke @double
// expected-remark @below {{program 'double' has no candidate that can be lowered}}
prism.program @double extents [n = 13, d = 61] (%x: !prism.tensor<[n, d], f64>) -> (!prism.tensor<[n], f64>) {
  %0 = prism.reduce_sum %x dims [1] : (!prism.tensor<[n, d], f64>) -> !prism.tensor<[n], f64>
  prism.yield %0 : !prism.tensor<[n], f64>
} candidates {
  // expected-remark @below {{candidate 'a' is dropped: kernel 'k0': 'prism.erf' on f64 has no form without a device library}}
  prism.candidate "a" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, d], f64>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid tile 4] : (!prism.tensor<[n, d], f64>) -> !prism.tensor<[n], f64> {
      %t = prism.load %a [[x], []] : !prism.tensor<[n, d], f64> -> !prism.tile<[n/x, d], f64>
      %u = prism.erf %t : (!prism.tile<[n/x, d], f64>) -> !prism.tile<[n/x, d], f64>
      %s = prism.reduce_sum %u dims [1] : (!prism.tile<[n/x, d], f64>) -> !prism.tile<[n/x], f64>
      %o = prism.save %s [[x]] : !prism.tile<[n/x], f64> -> !prism.tensor<[n], f64>
      prism.yield %o : !prism.tensor<[n], f64>
    }
    prism.yield %r : !prism.tensor<[n], f64>
  }
}
func.func @call_double(%x: tensor<13x61xf64>) -> tensor<13xf64> {
  %r = prism.invoke @double(%x) : (tensor<13x61xf64>) -> tensor<13xf64>
  return %r : tensor<13xf64>
}

// -----

// The first is dropped, the second lowered; no remark about the program.
// CHECK-LABEL: func.func @call_next
// CHECK: gpu.launch_func {{.*}}candidate = "b"
// CHECK-NOT: prism.invoke
// CHECK: gpu.module @b
prism.program @next extents [n = 13, d = 61] (%x: !prism.tensor<[n, d], f32>) -> (!prism.tensor<[n], f32>) {
  %0 = prism.reduce_sum %x dims [1] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32>
  prism.yield %0 : !prism.tensor<[n], f32>
} candidates {
  // expected-remark @below {{candidate 'a' is dropped: it is not proved}}
  prism.candidate "a" sized {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid tile 4] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[x], []] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d], f32>
      %s = prism.reduce_sum %t dims [1] : (!prism.tile<[n/x, d], f32>) -> !prism.tile<[n/x], f32>
      %o = prism.save %s [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
  prism.candidate "b" sized verdict Proved {
  ^bb0(%x: !prism.tensor<[n, d], f32>):
    %r = prism.kernel "k0"(%a = %x) parallel [x grid tile 4] : (!prism.tensor<[n, d], f32>) -> !prism.tensor<[n], f32> {
      %t = prism.load %a [[x], []] : !prism.tensor<[n, d], f32> -> !prism.tile<[n/x, d], f32>
      %s = prism.reduce_sum %t dims [1] : (!prism.tile<[n/x, d], f32>) -> !prism.tile<[n/x], f32>
      %o = prism.save %s [[x]] : !prism.tile<[n/x], f32> -> !prism.tensor<[n], f32>
      prism.yield %o : !prism.tensor<[n], f32>
    }
    prism.yield %r : !prism.tensor<[n], f32>
  }
}
func.func @call_next(%x: tensor<13x61xf32>) -> tensor<13xf32> {
  %r = prism.invoke @next(%x) : (tensor<13x61xf32>) -> tensor<13xf32>
  return %r : tensor<13xf32>
}
